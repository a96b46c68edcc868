/* SPDX-License-Identifier: Apache-2.0 */
/* Portable SPARKLE256, 384 and 512 (Beierle et al., specification v1.2, section 2.1), any number of steps. */
#include "sparkle/sparkle.h"

#include "support/bytes.h"

static const uint32_t constants[8] = {0xb7e15162, 0xbf715880, 0x38b4da56, 0x324e7738, 0xbb1185eb, 0x4f7c7b57, 0xcfbfa1c8, 0xc2b3293d};

#define ROR(v, r) ((v) >> (r) | (v) << (32 - (r)))

/* The ARX-box: four rounds with rotations (31, 24), (17, 17), (0, 31), (24, 16). */
#define ALZETTE(x, y, c)                                  \
    do {                                                  \
        (x) += ROR(y, 31), (y) ^= ROR(x, 24), (x) ^= (c); \
        (x) += ROR(y, 17), (y) ^= ROR(x, 17), (x) ^= (c); \
        (x) += (y), (y) ^= ROR(x, 31), (x) ^= (c);        \
        (x) += ROR(y, 24), (y) ^= ROR(x, 16), (x) ^= (c); \
    } while (0)

/* Ask for the unrolling that keeps the state in registers at -O2 too; not when the caller compiles for size. */
#if defined(__GNUC__) && !defined(__clang__) && !defined(__OPTIMIZE_SIZE__)
#define UNROLL _Pragma("GCC unroll 8")
#else
#define UNROLL
#endif

/*
 * `branches` is a constant where this is inlined, so that the loops over branches unroll and the state lives in registers. The linear layer
 * swaps the halves and rotates the left one by a branch.
 */
HANJI_INLINE void permute(uint32_t *state, uint32_t steps, uint32_t branches)
{
    const uint32_t half = branches / 2;
    uint32_t x[8], y[8];
    UNROLL
    for (uint32_t j = 0; j < branches; j++) {
        x[j] = state[2 * j];
        y[j] = state[2 * j + 1];
    }
    for (uint32_t s = 0; s < steps; s++) {
        y[0] ^= constants[s & 7];
        y[1] ^= s;
        UNROLL
        for (uint32_t j = 0; j < branches; j++)
            ALZETTE(x[j], y[j], constants[j]);
        uint32_t tx = x[0], ty = y[0];
        UNROLL
        for (uint32_t j = 1; j < half; j++) {
            tx ^= x[j];
            ty ^= y[j];
        }
        tx = hanji_sparkle_l(tx);
        ty = hanji_sparkle_l(ty);
        const uint32_t u0 = x[half] ^ x[0] ^ ty, v0 = y[half] ^ y[0] ^ tx;
        UNROLL
        for (uint32_t j = 0; j + 1 < half; j++) {
            const uint32_t u = x[half + j + 1] ^ x[j + 1] ^ ty, v = y[half + j + 1] ^ y[j + 1] ^ tx;
            x[half + j] = x[j];
            y[half + j] = y[j];
            x[j] = u;
            y[j] = v;
        }
        x[branches - 1] = x[half - 1];
        y[branches - 1] = y[half - 1];
        x[half - 1] = u0;
        y[half - 1] = v0;
    }
    UNROLL
    for (uint32_t j = 0; j < branches; j++) {
        state[2 * j] = x[j];
        state[2 * j + 1] = y[j];
    }
}

void hanji_sparkle256_permute_x1(uint32_t *states, size_t groups, uint32_t steps)
{
    for (; groups > 0; groups--, states += 8)
        permute(states, steps, 4);
}

void hanji_sparkle384_permute_x1(uint32_t *states, size_t groups, uint32_t steps)
{
    for (; groups > 0; groups--, states += 12)
        permute(states, steps, 6);
}

void hanji_sparkle512_permute_x1(uint32_t *states, size_t groups, uint32_t steps)
{
    for (; groups > 0; groups--, states += 16)
        permute(states, steps, 8);
}
