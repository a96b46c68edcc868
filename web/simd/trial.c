/* SPDX-License-Identifier: Apache-2.0 */
/* Does SIMD of WebAssembly pay? The permutation of Ascon, the permutation of SCHWAEMM256-128 and
 * SPECK-64/128 in counter mode, once in words and once in vectors of 128 bits. tools/web_simd.py
 * compares results and speeds; nothing here is in the package. */
#include <stddef.h>
#include <stdint.h>

typedef uint64_t two __attribute__((vector_size(16)));  /* a word of two states */
typedef uint32_t four __attribute__((vector_size(16))); /* a word of four states */
typedef uint8_t bytes __attribute__((vector_size(16)));

#define EXPORT(name) __attribute__((export_name(#name)))
#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("clang loop unroll(full)")

/* There is no rotation of lanes: two shifts and an or, but for whole bytes one shuffle. */
#define ROTATE64(v, n) ((v) >> (n) | (v) << (64 - (n)))
#define ROTATE32(v, n) ((v) >> (n) | (v) << (32 - (n)))
#define SHUFFLE(v, ...) ((four)__builtin_shufflevector((bytes)(v), (bytes)(v), __VA_ARGS__))
#define RIGHT8(v) SHUFFLE(v, 1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12)
#define RIGHT16(v) SHUFFLE(v, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13)
#define RIGHT24(v) SHUFFLE(v, 3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14)

/* The eight rounds of Ascon between blocks. */
#define ASCON(name, word)                                                               \
    EXPORT(name) void name(word *state, size_t times)                                   \
    {                                                                                   \
        word a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];      \
        for (; times > 0; times--) {                                                    \
            UNROLL                                                                      \
            for (uint64_t i = 4; i < 12; i++) {                                         \
                c ^= (15 - i) << 4 | i;                                                 \
                a ^= e;                                                                 \
                e ^= d;                                                                 \
                c ^= b;                                                                 \
                const word f = a ^ (~b & c), g = b ^ (~c & d), h = c ^ (~d & e);        \
                const word i2 = d ^ (~e & a), j = e ^ (~a & b);                         \
                const word k = g ^ f, l = f ^ j, m = i2 ^ h, n = ~h;                    \
                a = l ^ ROTATE64(l, 19) ^ ROTATE64(l, 28);                              \
                b = k ^ ROTATE64(k, 61) ^ ROTATE64(k, 39);                              \
                c = n ^ ROTATE64(n, 1) ^ ROTATE64(n, 6);                                \
                d = m ^ ROTATE64(m, 10) ^ ROTATE64(m, 17);                              \
                e = j ^ ROTATE64(j, 7) ^ ROTATE64(j, 41);                               \
            }                                                                           \
        }                                                                               \
        state[0] = a, state[1] = b, state[2] = c, state[3] = d, state[4] = e;           \
    }
ASCON(ascon_words, uint64_t)
ASCON(ascon_two, two)

static const uint32_t constants[8] = {0xb7e15162, 0xbf715880, 0x38b4da56, 0x324e7738,
                                      0xbb1185eb, 0x4f7c7b57, 0xcfbfa1c8, 0xc2b3293d};

/* Seven steps of SPARKLE384, words of the same state apart: x of all branches, then y. */
#define ROUND(x, y, left, right, c) ((x) += (left), (y) ^= (right), (x) ^= (c))
#define SPARKLE(name, word, R16, R24)                                            \
    EXPORT(name) void name(word *state, size_t times)                            \
    {                                                                            \
        word x[6], y[6];                                                         \
        UNROLL                                                                   \
        for (unsigned j = 0; j < 6; j++) {                                       \
            x[j] = state[j];                                                     \
            y[j] = state[6 + j];                                                 \
        }                                                                        \
        for (; times > 0; times--) {                                             \
            for (uint32_t step = 0; step < 7; step++) {                          \
                y[0] ^= constants[step];                                         \
                y[1] ^= step;                                                    \
                UNROLL                                                           \
                for (unsigned j = 0; j < 6; j++) {                               \
                    const uint32_t c = constants[j];                             \
                    ROUND(x[j], y[j], ROTATE32(y[j], 31), R24(x[j]), c);         \
                    ROUND(x[j], y[j], ROTATE32(y[j], 17), ROTATE32(x[j], 17), c); \
                    ROUND(x[j], y[j], y[j], ROTATE32(x[j], 31), c);              \
                    ROUND(x[j], y[j], R24(y[j]), R16(x[j]), c);                  \
                }                                                                \
                word s = x[0] ^ x[1] ^ x[2], t = y[0] ^ y[1] ^ y[2];             \
                s = R16(s ^ s << 16);                                            \
                t = R16(t ^ t << 16);                                            \
                const word u = x[3] ^ x[0] ^ t, v = y[3] ^ y[0] ^ s;             \
                UNROLL                                                           \
                for (unsigned j = 0; j < 2; j++) {                               \
                    const word p = x[4 + j] ^ x[j + 1] ^ t;                      \
                    const word q = y[4 + j] ^ y[j + 1] ^ s;                      \
                    x[3 + j] = x[j], y[3 + j] = y[j], x[j] = p, y[j] = q;        \
                }                                                                \
                x[5] = x[2], y[5] = y[2], x[2] = u, y[2] = v;                    \
            }                                                                    \
        }                                                                        \
        UNROLL                                                                   \
        for (unsigned j = 0; j < 6; j++) {                                       \
            state[j] = x[j];                                                     \
            state[6 + j] = y[j];                                                 \
        }                                                                        \
    }
#define WORD16(v) ROTATE32(v, 16)
#define WORD24(v) ROTATE32(v, 24)
SPARKLE(sparkle_words, uint32_t, WORD16, WORD24)
SPARKLE(sparkle_four, four, RIGHT16, RIGHT24)

/* SPARKLE384 of one state: branches 0 to 2 in one vector, 3 to 5 in another, a lane left over. */
EXPORT(sparkle_one) void sparkle_one(four *state, size_t times)
{
    four xl = state[0], xr = state[1], yl = state[2], yr = state[3];
    const four cl = {constants[0], constants[1], constants[2], 0};
    const four cr = {constants[3], constants[4], constants[5], 0};
    const four low = {~0u, ~0u, ~0u, 0};
    for (; times > 0; times--) {
        for (uint32_t step = 0; step < 7; step++) {
            yl ^= (four){constants[step], step, 0, 0};
            ROUND(xl, yl, ROTATE32(yl, 31), RIGHT24(xl), cl);
            ROUND(xr, yr, ROTATE32(yr, 31), RIGHT24(xr), cr);
            ROUND(xl, yl, ROTATE32(yl, 17), ROTATE32(xl, 17), cl);
            ROUND(xr, yr, ROTATE32(yr, 17), ROTATE32(xr, 17), cr);
            ROUND(xl, yl, yl, ROTATE32(xl, 31), cl);
            ROUND(xr, yr, yr, ROTATE32(xr, 31), cr);
            ROUND(xl, yl, RIGHT24(yl), RIGHT16(xl), cl);
            ROUND(xr, yr, RIGHT24(yr), RIGHT16(xr), cr);
            /* All three lanes get the sum of the three. */
            four s = xl ^ __builtin_shufflevector(xl, xl, 1, 2, 0, 3) ^
                     __builtin_shufflevector(xl, xl, 2, 0, 1, 3);
            four t = yl ^ __builtin_shufflevector(yl, yl, 1, 2, 0, 3) ^
                     __builtin_shufflevector(yl, yl, 2, 0, 1, 3);
            s = RIGHT16(s ^ s << 16);
            t = RIGHT16(t ^ t << 16);
            const four p = (xr ^ xl ^ t) & low, q = (yr ^ yl ^ s) & low;
            xr = xl;
            yr = yl;
            xl = __builtin_shufflevector(p, p, 1, 2, 0, 3);
            yl = __builtin_shufflevector(q, q, 1, 2, 0, 3);
        }
    }
    state[0] = xl, state[1] = xr, state[2] = yl, state[3] = yr;
}

/* SPECK-64/128 of counters that go up by the lanes of a vector. */
#define SPECK(name, word, R8)                                                     \
    EXPORT(name) void name(word *blocks, const uint32_t *keys, size_t times)      \
    {                                                                             \
        word first = blocks[0], second = blocks[1], sums[2] = {0};                \
        for (; times > 0; times--, first += sizeof(word) / sizeof(uint32_t)) {    \
            word x = second, y = first;                                           \
            UNROLL                                                                \
            for (unsigned i = 0; i < 27; i++) {                                   \
                x = (R8(x) + y) ^ keys[i];                                        \
                y = ROTATE32(y, 29) ^ x;                                          \
            }                                                                     \
            sums[0] ^= x;                                                         \
            sums[1] ^= y;                                                         \
        }                                                                         \
        blocks[0] = sums[0], blocks[1] = sums[1];                                 \
    }
#define WORD8(v) ROTATE32(v, 8)
SPECK(speck_words, uint32_t, WORD8)
SPECK(speck_four, four, RIGHT8)
