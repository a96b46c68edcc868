/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPARKLE with the number of branches as a parameter (Beierle et al., specification v1.2, section
 * 2.1), which a compiler cannot unroll: what one function for all widths costs. For comparison, not
 * part of the library.
 */
#include <stddef.h>
#include <stdint.h>

#define BRANCHES_MAX 8

static const uint32_t constants[8] = {0xB7E15162, 0xBF715880, 0x38B4DA56, 0x324E7738,
                                      0xBB1185EB, 0x4F7C7B57, 0xCFBFA1C8, 0xC2B3293D};

static inline uint32_t ror(uint32_t v, unsigned distance)
{
    return v >> distance | v << (32 - distance);
}

/* l(v): the halves (high, low) of v become (low, high xor low). */
static inline uint32_t ell(uint32_t v)
{
    return ror(v ^ v << 16, 16);
}

static inline void alzette(uint32_t *x, uint32_t *y, uint32_t c)
{
    *x += ror(*y, 31);
    *y ^= ror(*x, 24);
    *x ^= c;
    *x += ror(*y, 17);
    *y ^= ror(*x, 17);
    *x ^= c;
    *x += *y;
    *y ^= ror(*x, 31);
    *x ^= c;
    *x += ror(*y, 24);
    *y ^= ror(*x, 16);
    *x ^= c;
}

__attribute__((noipa)) static void permute(uint32_t *state, size_t branches, uint32_t steps)
{
    const size_t half = branches / 2;
    for (uint32_t s = 0; s < steps; s++) {
        state[1] ^= constants[s % 8];
        state[3] ^= s;
        for (size_t j = 0; j < branches; j++)
            alzette(&state[2 * j], &state[2 * j + 1], constants[j]);
        uint32_t tx = 0, ty = 0;
        for (size_t j = 0; j < half; j++) {
            tx ^= state[2 * j];
            ty ^= state[2 * j + 1];
        }
        tx = ell(tx);
        ty = ell(ty);
        uint32_t left[BRANCHES_MAX];
        for (size_t j = 0; j < half; j++) {
            left[2 * j] = state[2 * (half + j)] ^ state[2 * j] ^ ty;
            left[2 * j + 1] = state[2 * (half + j) + 1] ^ state[2 * j + 1] ^ tx;
        }
        for (size_t j = 0; j < half; j++) {
            state[2 * (half + j)] = state[2 * j];
            state[2 * (half + j) + 1] = state[2 * j + 1];
        }
        for (size_t j = 0; j < half; j++) {
            const size_t from = j + 1 < half ? j + 1 : 0;
            state[2 * j] = left[2 * from];
            state[2 * j + 1] = left[2 * from + 1];
        }
    }
}

#define WIDTH(bits)                                                                      \
    void hanji_sparkle##bits##_generic(uint32_t *states, size_t groups, uint32_t steps); \
    void hanji_sparkle##bits##_generic(uint32_t *states, size_t groups, uint32_t steps)  \
    {                                                                                    \
        for (size_t i = 0; i < groups; i++)                                              \
            permute(states + i * (bits) / 32, (bits) / 64, steps);                       \
    }

WIDTH(256)
WIDTH(384)
WIDTH(512)
