/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The portable kernels of both fields, made once for each by a file that includes this. It
 * defines BITS, TIMES and INVERT, and as PREPARE, ACCUMULATE, SOLVE and EVALUATE the names of the
 * functions.
 *
 * A product by a constant is the sum of the multiples 2^k that its bits select. Sums are kept apart
 * by k, and the multiples are taken once at the end.
 */
#include "rainbow/field.h"
#include "rainbow/matrix.h"

/* The sums for one multiplier bit each, joined. */
HANJI_INLINE uint64_t combine16(const uint64_t *sums, size_t step)
{
    return sums[0] ^ gf16_times2(sums[step]) ^ gf16_times4(sums[2 * step]) ^
           gf16_times8(sums[3 * step]);
}

HANJI_INLINE uint64_t combine(const uint64_t *sums, size_t step)
{
    return BITS == 4 ? combine16(sums, step)
                     : combine16(sums, step) ^ gf256_times16(combine16(sums + 4 * step, step));
}

void PREPARE(void *multipliers, const uint8_t *elements, size_t count)
{
    uint8_t *out = multipliers;
    if (BITS == 8)
        memcpy(out, elements, count);
    else
        for (size_t i = 0; i < count; i++)
            out[i] = (uint8_t)(elements[i / 2] >> i % 2 * 4 & 0x0f);
}

/* `words` words of the sum; `keep` selects the bits of the last that are added. */
HANJI_INLINE void piece(uint8_t *out, const uint8_t *in, size_t stride, const uint8_t *constants,
                        size_t count, size_t words, uint64_t keep)
{
    uint64_t sums[BITS * 4] = {0};
    for (size_t j = 0; j < count; j++) {
        uint64_t data[4] = {0}, masks[BITS];
        for (size_t w = 0; w < words; w++)
            data[w] = load_le64(in + j * stride + 8 * w);
        for (unsigned k = 0; k < BITS; k++)
            masks[k] = bit_mask(constants[j], k);
        for (size_t k = 0; k < BITS; k++)
            for (size_t w = 0; w < words; w++)
                sums[k * words + w] ^= data[w] & masks[k];
    }
    for (size_t w = 0; w < words; w++) {
        const uint64_t sum = combine(sums + w, words);
        store_le64(out + 8 * w, load_le64(out + 8 * w) ^ (w == words - 1 ? sum & keep : sum));
    }
}

void ACCUMULATE(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes,
                const void *multipliers, size_t count)
{
    size_t at = 0;
    for (; bytes - at >= 32; at += 32)
        piece(out + at, in + at, stride, multipliers, count, 4, UINT64_MAX);
    for (; bytes - at >= 16; at += 16)
        piece(out + at, in + at, stride, multipliers, count, 2, UINT64_MAX);
    if (bytes - at >= 8) {
        piece(out + at, in + at, stride, multipliers, count, 1, UINT64_MAX);
        at += 8;
    }
    /* The rest as part of the last eight bytes. */
    if (bytes > at)
        piece(out + bytes - 8, in + bytes - 8, stride, multipliers, count, 1,
              UINT64_MAX << (64 - 8 * (bytes - at)));
}

#define WORDS_MAX (HANJI_SYSTEM_MAX / 8)

/*
 * Gauss-Jordan elimination, column by column, without a search for pivots that branches: when entry
 * (k, k) is zero, the first row below whose entry is not zero is added to row k, under a mask. The
 * solution of a regular system does not depend on the choice.
 */
uint32_t SOLVE(uint8_t *system, size_t size)
{
    const size_t stride = hanji_system_column(size), words = stride / 8;
    uint64_t regular = UINT64_MAX;
    for (size_t k = 0; k < size; k++) {
        const uint8_t *pivots = system + k * stride;
        uint8_t chosen[HANJI_SYSTEM_MAX] = {0}, entries[HANJI_SYSTEM_MAX];
        uint64_t multiples[BITS][WORDS_MAX], pivot = pivots[k], inverse;
        for (size_t j = k + 1; j < size; j++) {
            const uint64_t take = zero_mask(pivot) & ~zero_mask(pivots[j]);
            chosen[j] = (uint8_t)take;
            pivot ^= pivots[j] & take;
        }
        regular &= ~zero_mask(pivot);
        inverse = INVERT(pivot);
        /*
         * What is subtracted from each entry, for a pivot row entry of one; row k becomes the pivot
         * row over the pivot.
         */
        memcpy(entries, pivots, stride);
        entries[k] = 1;
        for (size_t w = 0; w < words; w++) {
            uint64_t powers[8], sum = 0;
            powers[0] = load_le64(entries + 8 * w);
            powers[1] = gf16_times2(powers[0]);
            powers[2] = gf16_times4(powers[0]);
            powers[3] = gf16_times8(powers[0]);
            for (size_t b = 4; b < BITS; b++)
                powers[b] = gf256_times16(powers[b - 4]);
            for (unsigned b = 0; b < BITS; b++)
                sum ^= powers[b] & bit_mask(inverse, b);
            multiples[0][w] = sum;
            multiples[1][w] = gf16_times2(sum);
            multiples[2][w] = gf16_times4(sum);
            multiples[3][w] = gf16_times8(sum);
            for (size_t b = 4; b < BITS; b++)
                multiples[b][w] = gf256_times16(multiples[b - 4][w]);
        }
        for (size_t c = k + 1; c <= size; c++) {
            uint8_t *column = system + c * stride;
            uint64_t entry = 0;
            for (size_t w = 0; w < words; w++)
                entry ^= load_le64(column + 8 * w) & load_le64(chosen + 8 * w);
            entry ^= entry >> 32;
            entry ^= entry >> 16;
            entry ^= entry >> 8;
            entry = (entry & 0xff) ^ column[k];
            column[k] = 0;
            for (size_t w = 0; w < words; w++) {
                uint64_t value = load_le64(column + 8 * w);
                for (unsigned b = 0; b < BITS; b++)
                    value ^= multiples[b][w] & bit_mask(entry, b);
                store_le64(column + 8 * w, value);
            }
        }
    }
    return (uint32_t)(regular & 1);
}

/*
 * Every pair's bytes are added to the sum for their factor x_i x_j; each sum is multiplied by its
 * factor at the end (Chou, Kannwischer, Yang, "Rainbow on Cortex-M4", TCHES 2021). Sums lie 128
 * bytes apart.
 */
void EVALUATE(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *x, size_t count,
              uint8_t *scratch)
{
    const size_t values = (size_t)1 << BITS, words = (bytes + 7) / 8;
    uint8_t factors[256];
    memset(scratch, 0, values * 128);
    for (size_t i = 0; i < count; i++) {
        const uint64_t xi = x[i];
        if (xi == 0) {
            in += (count - i) * bytes;
            continue;
        }
        for (size_t j = i; j < count; j++)
            factors[j] = (uint8_t)TIMES(x[j], xi);
        for (size_t j = i; j < count; j++, in += bytes) {
            uint8_t *sum = scratch + factors[j] * (size_t)128;
            size_t w = 0;
            for (; w < bytes / 8; w++)
                store_le64(sum + 8 * w, load_le64(sum + 8 * w) ^ load_le64(in + 8 * w));
            if (bytes % 8 != 0)
                store_le32(sum + 8 * w, load_le32(sum + 8 * w) ^ load_le32(in + 8 * w));
        }
    }
    /*
     * Fold the upper half of the sums onto the lower, which leaves for each bit of the factor the
     * sum of all that have it.
     */
    uint64_t folded[BITS][16] = {{0}};
    for (unsigned b = BITS; b-- > 0;)
        for (size_t value = (size_t)1 << b; value < (size_t)2 << b; value++)
            for (size_t w = 0; w < words; w++) {
                uint8_t *low = scratch + (value - ((size_t)1 << b)) * 128 + 8 * w;
                const uint64_t sum = load_le64(scratch + value * 128 + 8 * w);
                folded[b][w] ^= sum;
                store_le64(low, load_le64(low) ^ sum);
            }
    for (size_t w = 0; w < words; w++) {
        uint8_t word[8];
        store_le64(word, combine(&folded[0][w], 16));
        memcpy(out + 8 * w, word, bytes - 8 * w < 8 ? bytes - 8 * w : 8);
    }
}
