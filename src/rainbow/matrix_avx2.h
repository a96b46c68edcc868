/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AVX2 kernels of both fields, by look-up as in the NEON ones (matrix_neon.h): a multiplier is a row of products c * x, and in GF(256) a second one of
 * c * 16 x. Rows of 16 constants are made at once from public rows and transposed, so no address depends on a constant.
 *
 * Files that include this define BITS.
 */
#include "rainbow/field.h"
#include "rainbow/matrix.h"

#include <immintrin.h>

#define MULTIPLIER (BITS == 4 ? 16u : 32u)

/* Row c of the multiplication table of GF(16) for public c. */
HANJI_INLINE __m128i row_of(unsigned c)
{
    const __m128i one = _mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                  two = _mm_set_epi8(5, 7, 6, 4, 13, 15, 14, 12, 9, 11, 10, 8, 1, 3, 2, 0);
    const __m128i four = _mm_set_epi8(1, 5, 9, 13, 7, 3, 15, 11, 10, 14, 2, 6, 12, 8, 4, 0), eight = _mm_shuffle_epi8(two, four);
    __m128i row = _mm_setzero_si128();
    if (c & 1)
        row = one;
    if (c & 2)
        row = _mm_xor_si128(row, two);
    if (c & 4)
        row = _mm_xor_si128(row, four);
    if (c & 8)
        row = _mm_xor_si128(row, eight);
    return row;
}

/* Lane i of `by` [x] becomes byte x of row i; rows lie MULTIPLIER bytes apart. Four times, the upper half is interleaved with the lower. */
HANJI_INLINE void transpose(uint8_t *rows, __m128i by[16])
{
    __m128i next[16];
    for (size_t stage = 0; stage < 4; stage++) {
        for (size_t i = 0; i < 8; i++) {
            next[2 * i] = _mm_unpacklo_epi8(by[i], by[i + 8]);
            next[2 * i + 1] = _mm_unpackhi_epi8(by[i], by[i + 8]);
        }
        for (size_t i = 0; i < 16; i++)
            by[i] = next[i];
    }
    for (size_t i = 0; i < 16; i++)
        _mm_storeu_si128((void *)(rows + i * MULTIPLIER), by[i]);
}

/* Multipliers of 16 constants, one per byte. */
HANJI_INLINE void sixteen_multipliers(uint8_t *rows, __m128i constants)
{
    const __m128i nibble = _mm_set1_epi8(15), low = _mm_and_si128(constants, nibble);
    const unsigned times8[16] = {0, 8, 12, 4, 11, 3, 7, 15, 13, 5, 1, 9, 6, 14, 10, 2};
    __m128i by[16], by16[16];
    for (unsigned x = 0; x < 16; x++) {
        const __m128i l = _mm_shuffle_epi8(row_of(x), low);
        by[x] = l;
        if (BITS == 8) {
            const __m128i high = _mm_and_si128(_mm_srli_epi16(constants, 4), nibble), h = _mm_shuffle_epi8(row_of(x), high);
            by[x] = _mm_or_si128(l, _mm_slli_epi16(h, 4));
            by16[x] = _mm_or_si128(_mm_shuffle_epi8(row_of(times8[x]), high), _mm_slli_epi16(_mm_xor_si128(l, h), 4));
        }
    }
    transpose(rows, by);
    if (BITS == 8)
        transpose(rows + 16, by16);
}

HANJI_INLINE void prepare(void *multipliers, const uint8_t *elements, size_t count)
{
    uint8_t *out = multipliers;
    for (size_t i = 0; i < count; i += 16, out += 16 * (size_t)MULTIPLIER) {
        uint8_t some[16] = {0};
        const size_t now = count - i < 16 ? count - i : 16;
        if (BITS == 4) {
            memcpy(some, elements + i / 2, (now + 1) / 2);
            const __m128i pairs = _mm_loadu_si128((const void *)some), nibble = _mm_set1_epi8(15);
            sixteen_multipliers(out, _mm_unpacklo_epi8(_mm_and_si128(pairs, nibble), _mm_and_si128(_mm_srli_epi16(pairs, 4), nibble)));
        } else {
            memcpy(some, elements + i, now);
            sixteen_multipliers(out, _mm_loadu_si128((const void *)some));
        }
    }
}

HANJI_INLINE __m256i both_lanes(const uint8_t *row)
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)row));
}

/* `vectors` vectors of 32 bytes of the sum. */
HANJI_INLINE void wide(uint8_t *out, const uint8_t *in, size_t stride, const uint8_t *multipliers, size_t count, size_t vectors)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i sums[4], highs[4];
    for (size_t i = 0; i < vectors; i++)
        sums[i] = highs[i] = _mm256_setzero_si256();
    for (; count > 0; count--, in += stride, multipliers += MULTIPLIER) {
        const __m256i row = both_lanes(multipliers), row16 = BITS == 4 ? row : both_lanes(multipliers + 16);
        for (size_t i = 0; i < vectors; i++) {
            const __m256i data = _mm256_loadu_si256((const void *)(in + 32 * i));
            sums[i] = _mm256_xor_si256(sums[i], _mm256_shuffle_epi8(row, _mm256_and_si256(data, nibble)));
            highs[i] = _mm256_xor_si256(highs[i], _mm256_shuffle_epi8(row16, _mm256_and_si256(_mm256_srli_epi16(data, 4), nibble)));
        }
    }
    for (size_t i = 0; i < vectors; i++) {
        const __m256i high = BITS == 4 ? _mm256_slli_epi16(highs[i], 4) : highs[i], old = _mm256_loadu_si256((const void *)(out + 32 * i));
        _mm256_storeu_si256((void *)(out + 32 * i), _mm256_xor_si256(old, _mm256_xor_si256(sums[i], high)));
    }
}

/* 16 bytes of the sum, of which only those are added that `keep` has. */
HANJI_INLINE void narrow(uint8_t *out, const uint8_t *in, size_t stride, const uint8_t *multipliers, size_t count, __m128i keep)
{
    const __m128i nibble = _mm_set1_epi8(15);
    __m128i sum = _mm_setzero_si128(), high = sum;
    for (; count > 0; count--, in += stride, multipliers += MULTIPLIER) {
        const __m128i data = _mm_loadu_si128((const void *)in), row = _mm_loadu_si128((const void *)multipliers);
        const __m128i row16 = BITS == 4 ? row : _mm_loadu_si128((const void *)(multipliers + 16));
        sum = _mm_xor_si128(sum, _mm_shuffle_epi8(row, _mm_and_si128(data, nibble)));
        high = _mm_xor_si128(high, _mm_shuffle_epi8(row16, _mm_and_si128(_mm_srli_epi16(data, 4), nibble)));
    }
    sum = _mm_and_si128(keep, _mm_xor_si128(sum, BITS == 4 ? _mm_slli_epi16(high, 4) : high));
    _mm_storeu_si128((void *)out, _mm_xor_si128(_mm_loadu_si128((const void *)out), sum));
}

/* Columns of 16 bytes that lie side by side, two to a vector. */
HANJI_INLINE void pairs(uint8_t *out, const uint8_t *in, const uint8_t *multipliers, size_t count)
{
    const __m256i nibble = _mm256_set1_epi8(15);
    __m256i sum = _mm256_setzero_si256(), high = sum;
    size_t j = 0;
    for (; j + 2 <= count; j += 2) {
        const __m256i data = _mm256_loadu_si256((const void *)(in + 16 * j)), rows = _mm256_loadu_si256((const void *)(multipliers + 16 * j));
        sum = _mm256_xor_si256(sum, _mm256_shuffle_epi8(rows, _mm256_and_si256(data, nibble)));
        high = _mm256_xor_si256(high, _mm256_shuffle_epi8(rows, _mm256_and_si256(_mm256_srli_epi16(data, 4), nibble)));
    }
    sum = _mm256_xor_si256(sum, _mm256_slli_epi16(high, 4));
    const __m128i half = _mm_xor_si128(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    _mm_storeu_si128((void *)out, _mm_xor_si128(_mm_loadu_si128((const void *)out), half));
    if (j < count)
        narrow(out, in + 16 * j, 16, multipliers + 16 * j, 1, _mm_set1_epi8(-1));
}

HANJI_INLINE void accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
{
    static const uint8_t tail[32] = {0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
                                     255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    if (BITS == 4 && bytes == 16 && stride == 16) {
        pairs(out, in, multipliers, count);
        return;
    }
    size_t at = 0;
    for (; bytes - at >= 128; at += 128)
        wide(out + at, in + at, stride, multipliers, count, 4);
    if (bytes - at >= 64) {
        wide(out + at, in + at, stride, multipliers, count, 2);
        at += 64;
    }
    if (bytes - at >= 32) {
        wide(out + at, in + at, stride, multipliers, count, 1);
        at += 32;
    }
    if (bytes - at >= 16) {
        narrow(out + at, in + at, stride, multipliers, count, _mm_set1_epi8(-1));
        at += 16;
    }
    /* The rest as part of the last 16 bytes. */
    if (bytes > at)
        narrow(out + bytes - 16, in + bytes - 16, stride, multipliers, count, _mm_loadu_si128((const void *)(tail + (bytes - at))));
}

/* data * the constant of a multiplier, for elements in bytes. */
HANJI_INLINE __m256i times(__m256i low, __m256i high, __m256i row, __m256i row16)
{
    const __m256i product = _mm256_shuffle_epi8(row, low);
    return BITS == 4 ? product : _mm256_xor_si256(product, _mm256_shuffle_epi8(row16, high));
}

/* Elimination as in the portable kernel; the entry of the row that helps a zero pivot is taken from each column under a mask. */
HANJI_INLINE uint32_t eliminate(uint8_t *system, size_t size, size_t stride)
{
    const __m256i nibble = _mm256_set1_epi8(15), zero = _mm256_setzero_si256();
    const size_t vectors = stride / 32;
    uint64_t regular = UINT64_MAX;
    for (size_t k = 0; k < size; k++) {
        uint8_t entries[HANJI_SYSTEM_MAX + 16] = {0}, rows[(HANJI_SYSTEM_MAX + 16) * (size_t)MULTIPLIER], factors[HANJI_SYSTEM_MAX];
        uint8_t chosen[HANJI_SYSTEM_MAX] = {0};
        const uint8_t *pivots = system + k * stride;
        uint64_t pivot = pivots[k];
        for (size_t j = k + 1; j < size; j++) {
            const uint64_t take = zero_mask(pivot) & ~zero_mask(pivots[j]);
            chosen[j] = (uint8_t)take;
            pivot ^= pivots[j] & take;
        }
        regular &= ~zero_mask(pivot);
        sixteen_multipliers(rows, _mm_cvtsi32_si128((int)(BITS == 4 ? gf16_invert(pivot) : gf256_invert(pivot))));
        memcpy(factors, pivots, stride);
        factors[k] = 1;
        __m256i low[2], high[2], helper[2];
        for (size_t i = 0; i < vectors; i++) {
            const __m256i old = _mm256_loadu_si256((const void *)(factors + 32 * i));
            const __m256i made = times(_mm256_and_si256(old, nibble), _mm256_and_si256(_mm256_srli_epi16(old, 4), nibble), both_lanes(rows),
                                       both_lanes(rows + (BITS == 4 ? 0 : 16)));
            low[i] = _mm256_and_si256(made, nibble);
            high[i] = _mm256_and_si256(_mm256_srli_epi16(made, 4), nibble);
            helper[i] = _mm256_loadu_si256((const void *)(chosen + 32 * i));
        }
        const size_t columns = size - k;
        uint8_t *column = system + (k + 1) * stride;
        for (size_t c = 0; c < columns; c++, column += stride) {
            __m256i help = _mm256_and_si256(_mm256_loadu_si256((const void *)column), helper[0]);
            if (vectors == 2)
                help = _mm256_or_si256(help, _mm256_and_si256(_mm256_loadu_si256((const void *)(column + 32)), helper[1]));
            /* One byte at most is not zero: it is the sum of all. */
            help = _mm256_sad_epu8(help, zero);
            __m128i sum = _mm_or_si128(_mm256_castsi256_si128(help), _mm256_extracti128_si256(help, 1));
            sum = _mm_or_si128(sum, _mm_unpackhi_epi64(sum, sum));
            entries[c] = (uint8_t)(column[k] ^ _mm_cvtsi128_si32(sum));
            column[k] = 0;
        }
        for (size_t c = 0; c < columns; c += 16)
            sixteen_multipliers(rows + c * MULTIPLIER, _mm_loadu_si128((const void *)(entries + c)));
        column = system + (k + 1) * stride;
        for (size_t c = 0; c < columns; c++, column += stride) {
            const __m256i row = both_lanes(rows + c * MULTIPLIER), row16 = both_lanes(rows + c * MULTIPLIER + (BITS == 4 ? 0 : 16));
            for (size_t i = 0; i < vectors; i++) {
                const __m256i old = _mm256_loadu_si256((const void *)(column + 32 * i));
                _mm256_storeu_si256((void *)(column + 32 * i), _mm256_xor_si256(old, times(low[i], high[i], row, row16)));
            }
        }
    }
    return (uint32_t)(regular & 1);
}

HANJI_INLINE uint32_t solve(uint8_t *system, size_t size)
{
    return hanji_system_column(size) == 32 ? eliminate(system, size, 32) : eliminate(system, size, 64);
}
