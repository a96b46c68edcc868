/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keccak-f[1600] over several states, and SHAKE128 and SHAKE256 (FIPS 202) for one message that
 * comes in pieces.
 */
#ifndef HANJI_KECCAK_KECCAK_H
#define HANJI_KECCAK_KECCAK_H

#include "support/kernel.h"

#define HANJI_KECCAK_WORDS 25
/* Firmware has kernels of one state. */
#ifdef HANJI_FREESTANDING
#define HANJI_KECCAK_LANES_MAX 1
#else
#define HANJI_KECCAK_LANES_MAX 8
#endif
#define HANJI_SHAKE128_RATE 168
#define HANJI_SHAKE256_RATE 136

/* Apply Keccak-f[1600] to one group of states: word w of state s is states[w * group + s]. */
typedef void hanji_keccak_fn(uint64_t *states);

/* Best first. The group is the number of states: word w of state s is states[w * group + s]. */
extern const hanji_kernel hanji_keccak_kernels[];

/* The kernel for one state, and the one with most states, that the present selection may use. */
const hanji_kernel *hanji_keccak_single(void);
const hanji_kernel *hanji_keccak_widest(void);

void hanji_keccak_portable_x1(uint64_t *states);
void hanji_keccak_avx512_x1(uint64_t *states);
void hanji_keccak_sha3_x1(uint64_t *states);
void hanji_keccak_avx2_x4(uint64_t *states);
void hanji_keccak_avx2_x1(uint64_t *states);
void hanji_keccak_avx512_x8(uint64_t *states);
void hanji_keccak_neon_x2(uint64_t *states);
void hanji_keccak_sha3_x2(uint64_t *states);
void hanji_keccak_armv7m_x1(uint64_t *states);

/*
 * A message being hashed. What does not fill a block waits in `pending`, so a caller may go on
 * with whole blocks in a lane of its own.
 */
typedef struct hanji_shake {
    uint64_t state[HANJI_KECCAK_WORDS];
    uint8_t pending[HANJI_SHAKE128_RATE];
    uint32_t held; /* bytes in `pending`; while squeezing: bytes of the block already given */
    uint32_t rate;
    hanji_keccak_fn *permute;
} hanji_shake;

void hanji_shake_init(hanji_shake *shake, uint32_t rate);
void hanji_shake_absorb(hanji_shake *shake, const uint8_t *in, size_t bytes);
/* Pad. Then squeeze as often as wanted. */
void hanji_shake_finish(hanji_shake *shake);
void hanji_shake_squeeze(uint8_t *out, size_t bytes, hanji_shake *shake);

#endif
