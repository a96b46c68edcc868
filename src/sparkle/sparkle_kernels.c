/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of the SPARKLE permutations, best first, and the choice among them. */
#include "hanji/hash.h"
#include "sparkle/sparkle.h"
#include "support/bytes.h"
#include "support/cpu.h"

#define ROW(id, needs, states, function) \
    {.name = id,                         \
     .features = (needs),                \
     .operation = HANJI_PERMUTE,         \
     .group = (states),                  \
     .align = 4,                         \
     .run = {.permute = (function)}},

#if defined(HANJI_A64)
#define ROWS(sparkle)                                                      \
    ROW(#sparkle "_neon_x4", HANJI_CPU_NEON, 4, hanji_##sparkle##_neon_x4) \
    ROW(#sparkle "_a64_x1", HANJI_CPU_NEON, 1, hanji_##sparkle##_a64_x1)
#elif defined(HANJI_RV32)
#define ROWS(sparkle) ROW(#sparkle "_rv32i_x1", HANJI_CPU_RV32I, 1, hanji_##sparkle##_rv32i_x1)
#elif defined(HANJI_ARMV7M)
#define ROWS(sparkle) ROW(#sparkle "_armv7m_x1", HANJI_CPU_ARMV7M, 1, hanji_##sparkle##_armv7m_x1)
#elif defined(HANJI_ARMV6M)
#define ROWS(sparkle) ROW(#sparkle "_armv6m_x1", HANJI_CPU_ARMV6M, 1, hanji_##sparkle##_armv6m_x1)
#elif defined(HANJI_AVR)
#define ROWS(sparkle) ROW(#sparkle "_avr_x1", HANJI_CPU_AVR, 1, hanji_##sparkle##_avr_x1)
#else
#define ROWS(sparkle)
#endif

#define KERNELS(sparkle)                                                  \
    static const hanji_kernel sparkle##_kernels[] = {                     \
        ROWS(sparkle) ROW(#sparkle "_portable_x1", HANJI_CPU_PORTABLE, 1, \
                          hanji_##sparkle##_portable_x1){.name = NULL},   \
    };

KERNELS(sparkle256)
#ifdef HANJI_X86_ASSEMBLY
#define AVX512_ROW(sparkle) \
    ROW(#sparkle "_avx512_x1", HANJI_CPU_AVX512, 1, hanji_##sparkle##_avx512_x1)
#else
#define AVX512_ROW(sparkle)
#endif
/* SPARKLE256 is as fast in portable C on x86-64. */
#ifdef HANJI_X86
#undef ROWS
#define ROWS(sparkle)   \
    AVX512_ROW(sparkle) \
    ROW(#sparkle "_avx2_x1", HANJI_CPU_AVX2, 1, hanji_##sparkle##_avx2_x1)
#endif
KERNELS(sparkle384)
#ifdef HANJI_X86
#undef ROWS
#define ROWS(sparkle) AVX512_ROW(sparkle)
#endif
#if defined(HANJI_AVR) || defined(HANJI_ARMV6M) /* have none for SPARKLE512 */
#undef ROWS
#define ROWS(sparkle)
#endif
KERNELS(sparkle512)

const hanji_sparkle hanji_sparkle256 = {"sparkle256", 8, HANJI_SPARKLE256_STEPS_SLIM,
                                        HANJI_SPARKLE256_STEPS_BIG, sparkle256_kernels};
const hanji_sparkle hanji_sparkle384 = {"sparkle384", 12, HANJI_SPARKLE384_STEPS_SLIM,
                                        HANJI_SPARKLE384_STEPS_BIG, sparkle384_kernels};
const hanji_sparkle hanji_sparkle512 = {"sparkle512", 16, HANJI_SPARKLE512_STEPS_SLIM,
                                        HANJI_SPARKLE512_STEPS_BIG, sparkle512_kernels};

hanji_permute_fn *hanji_sparkle_single(const hanji_sparkle *sparkle)
{
    return hanji_kernel_next(sparkle->kernels, HANJI_PERMUTE, 1, hanji_cpu_features(),
                             HANJI_LAYOUT_CANONICAL)
        ->run.permute;
}
