/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bit-matrix products for 16 parties at once in 128-bit vectors: a byte of each party side by side,
 * and a look-up of 16 bytes for every half of an input byte and every output byte, made by one
 * instruction from a register. The index is secret, the instruction takes the same time for all.
 * The file that includes this defines
 *   V                        16 bytes
 *   V_LOAD(p), V_STORE(p, v)
 *   V_LOOK_UP(table, index)  table[index & 15], index below 16
 *   V_LOW_HALF(v), V_HIGH_HALF(v)   of every byte
 *   V_PAIR_BYTES(v)          bytes 0 8 1 9 2 10 ... of v; V_UNPAIR_BYTES is the way back
 *   V_ZIP_LOW16(a, b), V_ZIP_HIGH16, V_ZIP_LOW32, ... V_ZIP_HIGH64
 *   V_UNZIP_EVEN16(a, b), V_UNZIP_ODD16(a, b), V_UNZIP_EVEN32, V_UNZIP_ODD32   the ways back
 */
#ifndef HANJI_AIMER_NIBBLES_H
#define HANJI_AIMER_NIBBLES_H

#include "aimer/aimer.h"
#include "support/bytes.h"

/* A word of 16 parties, two octets, to eight vectors: byte j of all parties. */
HANJI_INLINE void slice_word(V *slices, const uint64_t *first, const uint64_t *second)
{
    V half[2][4];
    for (int o = 0; o < 2; o++) {
        const uint64_t *in = o == 0 ? first : second;
        const V r0 = V_PAIR_BYTES(V_LOAD(in)), r1 = V_PAIR_BYTES(V_LOAD(in + 2)),
                r2 = V_PAIR_BYTES(V_LOAD(in + 4)), r3 = V_PAIR_BYTES(V_LOAD(in + 6));
        const V t0 = V_ZIP_LOW16(r0, r1), t1 = V_ZIP_HIGH16(r0, r1), t2 = V_ZIP_LOW16(r2, r3),
                t3 = V_ZIP_HIGH16(r2, r3);
        half[o][0] = V_ZIP_LOW32(t0, t2);
        half[o][1] = V_ZIP_HIGH32(t0, t2);
        half[o][2] = V_ZIP_LOW32(t1, t3);
        half[o][3] = V_ZIP_HIGH32(t1, t3);
    }
    for (int k = 0; k < 4; k++) {
        slices[2 * k] = V_ZIP_LOW64(half[0][k], half[1][k]);
        slices[2 * k + 1] = V_ZIP_HIGH64(half[0][k], half[1][k]);
    }
}

/* The way back, for one of the two octets. */
HANJI_INLINE void join_word(V *out, const V *slices, int octet)
{
    V half[4];
    for (int k = 0; k < 4; k++)
        half[k] = octet == 0 ? V_ZIP_LOW64(slices[2 * k], slices[2 * k + 1])
                             : V_ZIP_HIGH64(slices[2 * k], slices[2 * k + 1]);
    const V t0 = V_UNZIP_EVEN32(half[0], half[1]), t2 = V_UNZIP_ODD32(half[0], half[1]);
    const V t1 = V_UNZIP_EVEN32(half[2], half[3]), t3 = V_UNZIP_ODD32(half[2], half[3]);
    out[0] = V_UNPAIR_BYTES(V_UNZIP_EVEN16(t0, t1));
    out[1] = V_UNPAIR_BYTES(V_UNZIP_ODD16(t0, t1));
    out[2] = V_UNPAIR_BYTES(V_UNZIP_EVEN16(t2, t3));
    out[3] = V_UNPAIR_BYTES(V_UNZIP_ODD16(t2, t3));
}

/*
 * Tables of 16 bytes, for output word w, input byte j, output byte i: of its low half, then of its
 * high half.
 */
HANJI_INLINE void prepare_nibbles(void *matrix, const uint64_t *columns, uint32_t words)
{
    uint8_t *table = matrix;
    for (uint32_t w = 0; w < words; w++)
        for (uint32_t j = 0; j < 8 * words; j++, table += 256) {
            const uint64_t *column = columns + 8 * words * j + 8 * w;
            for (uint32_t half = 0; half < 2; half++) {
                uint64_t sums[16];
                V slices[8];
                sums[0] = 0;
                for (uint32_t bit = 0; bit < 4; bit++)
                    for (uint32_t k = 0; k < 1u << bit; k++)
                        sums[(1u << bit) + k] = sums[k] ^ column[4 * half + bit];
                slice_word(slices, sums, sums + 8);
                for (uint32_t i = 0; i < 8; i++)
                    V_STORE(table + 32 * i + 16 * half, slices[i]);
            }
        }
}

HANJI_INLINE void apply_nibbles_of_words(uint64_t *out, size_t out_stride, const uint64_t *in,
                                         size_t in_stride, size_t octets, const void *matrix,
                                         const uint32_t words, int accumulate)
{
    for (size_t o = 0; o < octets; o += 2) {
        const int two = octets - o > 1;
        const uint64_t *first = in + in_stride * o, *second = two ? first + in_stride : first;
        const uint8_t *table = matrix;
        V low[8 * AIMER_WORDS_MAX], high[8 * AIMER_WORDS_MAX];
        for (uint32_t w = 0; w < words; w++)
            slice_word(low + 8 * w, first + 8 * w, second + 8 * w);
        for (uint32_t j = 0; j < 8 * words; j++) {
            high[j] = V_HIGH_HALF(low[j]);
            low[j] = V_LOW_HALF(low[j]);
        }
        for (uint32_t w = 0; w < words; w++) {
            V sums[8], joined[4];
            for (uint32_t i = 0; i < 8; i++)
                sums[i] = V_LOOK_UP(V_LOAD(table + 32 * i), low[0]) ^
                          V_LOOK_UP(V_LOAD(table + 32 * i + 16), high[0]);
            table += 256;
            for (uint32_t j = 1; j < 8 * words; j++, table += 256)
                for (uint32_t i = 0; i < 8; i++)
                    sums[i] = V_XOR3(sums[i], V_LOOK_UP(V_LOAD(table + 32 * i), low[j]),
                                     V_LOOK_UP(V_LOAD(table + 32 * i + 16), high[j]));
            for (int octet = 0; octet <= two; octet++) {
                uint64_t *to = out + out_stride * (o + (size_t)octet) + 8 * w;
                join_word(joined, sums, octet);
                for (uint32_t k = 0; k < 4; k++) {
                    if (accumulate)
                        joined[k] ^= V_LOAD(to + 2 * k);
                    V_STORE(to + 2 * k, joined[k]);
                }
            }
        }
    }
}

HANJI_INLINE void apply_nibbles(uint64_t *out, size_t out_stride, const uint64_t *in,
                                size_t in_stride, size_t octets, const void *matrix, uint32_t words,
                                int accumulate)
{
    switch (words) {
    case 2:
        apply_nibbles_of_words(out, out_stride, in, in_stride, octets, matrix, 2, accumulate);
        break;
    case 3:
        apply_nibbles_of_words(out, out_stride, in, in_stride, octets, matrix, 3, accumulate);
        break;
    default:
        apply_nibbles_of_words(out, out_stride, in, in_stride, octets, matrix, 4, accumulate);
        break;
    }
}

#endif
