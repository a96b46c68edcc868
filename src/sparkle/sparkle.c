/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Portable SPARKLE256, 384 and 512 (Beierle et al., specification v1.2, section 2.1), any number of
 * steps.
 */
#include "sparkle/sparkle.h"

#define WORD_BITS 32
#include "lanes/word.h" /* first: the steps stand on its words */

/*
 * Ask for the unrolling that keeps the state in registers at -O2 too; not when the caller compiles
 * for size.
 */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__OPTIMIZE_SIZE__)
#define UNROLL _Pragma("GCC unroll 8")
#else
#define UNROLL
#endif
#include "sparkle/sparkle_rounds.h"

HANJI_INLINE void permute(uint32_t *state, uint32_t steps, uint32_t branches)
{
    uint32_t x[8], y[8];
    UNROLL
    for (uint32_t j = 0; j < branches; j++) {
        x[j] = state[2 * j];
        y[j] = state[2 * j + 1];
    }
    W(sparkle_steps)(x, y, 0, steps, branches);
    UNROLL
    for (uint32_t j = 0; j < branches; j++) {
        state[2 * j] = x[j];
        state[2 * j + 1] = y[j];
    }
}

void hanji_sparkle256_portable_x1(uint32_t *states, size_t groups, uint32_t steps)
{
    for (; groups > 0; groups--, states += 8)
        permute(states, steps, 4);
}

void hanji_sparkle384_portable_x1(uint32_t *states, size_t groups, uint32_t steps)
{
    for (; groups > 0; groups--, states += 12)
        permute(states, steps, 6);
}

void hanji_sparkle512_portable_x1(uint32_t *states, size_t groups, uint32_t steps)
{
    for (; groups > 0; groups--, states += 16)
        permute(states, steps, 8);
}
