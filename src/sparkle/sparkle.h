/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract of the SPARKLE room: the permutations with their kernel tables, and how SCHWAEMM and
 * ESCH call them. A state is an array of 32-bit words x0 y0 x1 y1 ... in native byte order.
 */
#ifndef HANJI_SPARKLE_SPARKLE_H
#define HANJI_SPARKLE_SPARKLE_H

#include "support/cpu.h"
#include "support/kernel.h"

typedef struct hanji_sparkle {
    const char *name;
    uint8_t words;     /* of the state: 8, 12 or 16 */
    uint8_t slim, big; /* steps */
    const hanji_kernel *kernels;
} hanji_sparkle;

extern const hanji_sparkle hanji_sparkle256, hanji_sparkle384, hanji_sparkle512;

hanji_permute_fn hanji_sparkle256_portable_x1, hanji_sparkle384_portable_x1,
    hanji_sparkle512_portable_x1;
/* in builds with HANJI_RV32; at least one step */
hanji_permute_fn hanji_sparkle256_rv32i_x1, hanji_sparkle384_rv32i_x1, hanji_sparkle512_rv32i_x1;

/* with HANJI_X86; those for AVX-512 1 to 64 steps */
hanji_permute_fn hanji_sparkle384_avx512_x1, hanji_sparkle512_avx512_x1;
hanji_permute_fn hanji_sparkle384_avx2_x1;

/* with HANJI_ARMV6M; with HANJI_ARMV7M; with HANJI_AVR, at most 64 steps */
hanji_permute_fn hanji_sparkle256_armv6m_x1, hanji_sparkle384_armv6m_x1;
hanji_permute_fn hanji_sparkle256_armv7m_x1, hanji_sparkle384_armv7m_x1, hanji_sparkle512_armv7m_x1;
hanji_permute_fn hanji_sparkle256_avr_x1, hanji_sparkle384_avr_x1;

#ifdef HANJI_A64
#define HANJI_SPARKLE_A64(sparkle) \
    hanji_permute_fn hanji_##sparkle##_a64_x1, hanji_##sparkle##_neon_x4;
HANJI_SPARKLE_A64(sparkle256)
HANJI_SPARKLE_A64(sparkle384)
HANJI_SPARKLE_A64(sparkle512)
#endif

/* The kernel for one state at a time. */
hanji_permute_fn *hanji_sparkle_single(const hanji_sparkle *sparkle);

/* l(v) of the linear layer: the halves (high, low) of v become (low, high xor low). */
static inline uint32_t hanji_sparkle_l(uint32_t v)
{
    v ^= v << 16;
    return v << 16 | v >> 16;
}

#endif
