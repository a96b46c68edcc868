/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of both fields in SSSE3 and AVX2, by look-up as in the NEON ones (gf_neon.c): a
 * multiplier is a row of products c * x, and in GF(256) a second one of c * 16 x. Rows of 16
 * constants are made at once from public rows and transposed, so no address depends on a constant.
 *
 * Files that include this define VECTOR_BYTES, 16 or 32, and name the kernels, which call the
 * functions below.
 */
#ifndef HANJI_RAINBOW_MATRIX_PSHUFB_H
#define HANJI_RAINBOW_MATRIX_PSHUFB_H

#include "rainbow/field.h"
#include "rainbow/matrix.h"

#include <immintrin.h>

/* Vectors of the tier; each look-up stays within 16 bytes. */
#if VECTOR_BYTES == 32
typedef __m256i vector;
#define V(name) _mm256_##name##_si256
#define V8(name) _mm256_##name##_epi8
#define V16(name) _mm256_##name##_epi16
#define VU8(name) _mm256_##name##_epu8
#define REPEATED(row) _mm256_broadcastsi128_si256(row)
#define FIRST_HALF(data) _mm256_castsi256_si128(data)
#else
typedef __m128i vector;
#define V(name) _mm_##name##_si128
#define V8(name) _mm_##name##_epi8
#define V16(name) _mm_##name##_epi16
#define VU8(name) _mm_##name##_epu8
#define REPEATED(row) (row)
#define FIRST_HALF(data) (data)
#endif

/* Bytes of a multiplier. */
HANJI_INLINE size_t multiplier(const unsigned bits)
{
    return bits == 4 ? 16 : 32;
}

/* Row c of the multiplication table of GF(16) for public c. */
HANJI_INLINE __m128i row_of(unsigned c)
{
    const __m128i one = _mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0),
                  two = _mm_set_epi8(5, 7, 6, 4, 13, 15, 14, 12, 9, 11, 10, 8, 1, 3, 2, 0);
    const __m128i four = _mm_set_epi8(1, 5, 9, 13, 7, 3, 15, 11, 10, 14, 2, 6, 12, 8, 4, 0),
                  eight = _mm_shuffle_epi8(two, four);
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

/*
 * Lane i of `by` [x] becomes byte x of row i; rows lie a multiplier apart. Four times, the upper
 * half is interleaved with the lower.
 */
HANJI_INLINE void transpose(uint8_t *rows, __m128i by[16], const unsigned bits)
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
        _mm_storeu_si128((void *)(rows + i * multiplier(bits)), by[i]);
}

/* Multipliers of 16 constants, one per byte. */
HANJI_INLINE void sixteen_multipliers(uint8_t *rows, __m128i constants, const unsigned bits)
{
    const __m128i nibble = _mm_set1_epi8(15), low = _mm_and_si128(constants, nibble);
    const unsigned times8[16] = {0, 8, 12, 4, 11, 3, 7, 15, 13, 5, 1, 9, 6, 14, 10, 2};
    __m128i by[16], by16[16];
    for (unsigned x = 0; x < 16; x++) {
        const __m128i l = _mm_shuffle_epi8(row_of(x), low);
        by[x] = l;
        if (bits == 8) {
            const __m128i high = _mm_and_si128(_mm_srli_epi16(constants, 4), nibble),
                          h = _mm_shuffle_epi8(row_of(x), high);
            by[x] = _mm_or_si128(l, _mm_slli_epi16(h, 4));
            by16[x] = _mm_or_si128(_mm_shuffle_epi8(row_of(times8[x]), high),
                                   _mm_slli_epi16(_mm_xor_si128(l, h), 4));
        }
    }
    transpose(rows, by, bits);
    if (bits == 8)
        transpose(rows + 16, by16, bits);
}

HANJI_INLINE void prepare(uint8_t *out, const uint8_t *elements, size_t count, const unsigned bits)
{
    for (size_t i = 0; i < count; i += 16, out += 16 * multiplier(bits)) {
        uint8_t some[16] = {0};
        const size_t now = count - i < 16 ? count - i : 16;
        memcpy(some, elements + i * bits / 8, (now * bits + 7) / 8);
        __m128i constants = _mm_loadu_si128((const void *)some);
        if (bits == 4) {
            const __m128i nibble = _mm_set1_epi8(15);
            constants = _mm_unpacklo_epi8(_mm_and_si128(constants, nibble),
                                          _mm_and_si128(_mm_srli_epi16(constants, 4), nibble));
        }
        sixteen_multipliers(out, constants, bits);
    }
}

HANJI_INLINE vector load(const uint8_t *from)
{
    return V(loadu)((const void *)from);
}

HANJI_INLINE void store(uint8_t *to, vector data)
{
    V(storeu)((void *)to, data);
}

/* A row of a multiplier in every 16 bytes. */
HANJI_INLINE vector repeated(const uint8_t *row)
{
    return REPEATED(_mm_loadu_si128((const void *)row));
}

HANJI_INLINE vector low_nibbles(vector data)
{
    return V(and)(data, V8(set1)(15));
}

HANJI_INLINE vector high_nibbles(vector data)
{
    return V(and)(V16(srli)(data, 4), V8(set1)(15));
}

/* sum += row of low nibbles, high += row16 of high nibbles, in 4, 2 or 1 vectors. */
#define LOOK_UP(n)                                                         \
    if (vectors > (n)) {                                                   \
        const vector data = load(in + VECTOR_BYTES * (n));                 \
        sum##n = V(xor)(sum##n, V8(shuffle)(row, low_nibbles(data)));      \
        high##n = V(xor)(high##n, V8(shuffle)(row16, high_nibbles(data))); \
    }
#define ADD_TO(n)                                    \
    if (vectors > (n))                               \
        store(out + VECTOR_BYTES * (n),              \
              V(xor)(load(out + VECTOR_BYTES * (n)), \
                     V(xor)(sum##n, bits == 4 ? V16(slli)(high##n, 4) : high##n)));

/* `vectors` vectors of the sum. */
HANJI_INLINE void wide(uint8_t *out, const uint8_t *in, size_t stride, const uint8_t *multipliers,
                       size_t count, const size_t vectors, const unsigned bits)
{
    const vector zero = V(setzero)();
    vector sum0 = zero, sum1 = zero, sum2 = zero, sum3 = zero, high0 = zero, high1 = zero,
           high2 = zero, high3 = zero;
    for (; count > 0; count--, in += stride, multipliers += multiplier(bits)) {
        const vector row = repeated(multipliers),
                     row16 = bits == 4 ? row : repeated(multipliers + 16);
        LOOK_UP(0) LOOK_UP(1) LOOK_UP(2) LOOK_UP(3)
    }
    ADD_TO(0) ADD_TO(1) ADD_TO(2) ADD_TO(3)
}

/* 16 bytes of the sum, of which only those are added that `keep` has. */
HANJI_INLINE void narrow(uint8_t *out, const uint8_t *in, size_t stride, const uint8_t *multipliers,
                         size_t count, __m128i keep, const unsigned bits)
{
    const __m128i nibble = _mm_set1_epi8(15);
    __m128i sum = _mm_setzero_si128(), high = sum;
    for (; count > 0; count--, in += stride, multipliers += multiplier(bits)) {
        const __m128i data = _mm_loadu_si128((const void *)in),
                      row = _mm_loadu_si128((const void *)multipliers);
        const __m128i row16 = bits == 4 ? row : _mm_loadu_si128((const void *)(multipliers + 16));
        sum = _mm_xor_si128(sum, _mm_shuffle_epi8(row, _mm_and_si128(data, nibble)));
        high = _mm_xor_si128(
            high, _mm_shuffle_epi8(row16, _mm_and_si128(_mm_srli_epi16(data, 4), nibble)));
    }
    sum = _mm_and_si128(keep, _mm_xor_si128(sum, bits == 4 ? _mm_slli_epi16(high, 4) : high));
    _mm_storeu_si128((void *)out, _mm_xor_si128(_mm_loadu_si128((const void *)out), sum));
}

#if VECTOR_BYTES == 32
/* In GF(16), columns of 16 bytes that lie side by side, two to a vector. */
HANJI_INLINE void pairs(uint8_t *out, const uint8_t *in, const uint8_t *multipliers, size_t count)
{
    __m256i sum = _mm256_setzero_si256(), high = sum;
    for (; count >= 2; count -= 2, in += 32, multipliers += 32) {
        const __m256i data = load(in), rows = load(multipliers);
        sum = _mm256_xor_si256(sum, _mm256_shuffle_epi8(rows, low_nibbles(data)));
        high = _mm256_xor_si256(high, _mm256_shuffle_epi8(rows, high_nibbles(data)));
    }
    sum = _mm256_xor_si256(sum, _mm256_slli_epi16(high, 4));
    const __m128i half =
        _mm_xor_si128(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    _mm_storeu_si128((void *)out, _mm_xor_si128(_mm_loadu_si128((const void *)out), half));
    if (count != 0)
        narrow(out, in, 16, multipliers, 1, _mm_set1_epi8(-1), 4);
}
#endif

HANJI_INLINE void accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes,
                             const uint8_t *multipliers, size_t count, const unsigned bits)
{
    static const uint8_t tail[32] = {0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
                                     0,   0,   0,   0,   0,   255, 255, 255, 255, 255, 255,
                                     255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
#if VECTOR_BYTES == 32
    if (bits == 4 && bytes == 16 && stride == 16) {
        pairs(out, in, multipliers, count);
        return;
    }
#endif
    for (; bytes >= 4 * VECTOR_BYTES + 16 || bytes == 4 * VECTOR_BYTES;
         bytes -= 4 * VECTOR_BYTES, in += 4 * VECTOR_BYTES, out += 4 * VECTOR_BYTES)
        wide(out, in, stride, multipliers, count, 4, bits);
    size_t at = 0;
    for (; bytes - at >= 2 * VECTOR_BYTES; at += 2 * VECTOR_BYTES)
        wide(out + at, in + at, stride, multipliers, count, 2, bits);
    if (VECTOR_BYTES == 32 && bytes - at >= VECTOR_BYTES) {
        wide(out + at, in + at, stride, multipliers, count, 1, bits);
        at += VECTOR_BYTES;
    }
    if (bytes - at >= 16) {
        narrow(out + at, in + at, stride, multipliers, count, _mm_set1_epi8(-1), bits);
        at += 16;
    }
    /* The rest as part of the last 16 bytes. */
    if (bytes > at)
        narrow(out + bytes - 16, in + bytes - 16, stride, multipliers, count,
               _mm_loadu_si128((const void *)(tail + (bytes - at))), bits);
}

/* data * the constant of a multiplier in GF(256). */
HANJI_INLINE vector times(vector low, vector high, vector row, vector row16)
{
    return V(xor)(V8(shuffle)(row, low), V8(shuffle)(row16, high));
}

/* The sum of all bytes, of which at most one is not zero, in every byte. */
HANJI_INLINE vector only_byte(vector bytes)
{
#if VECTOR_BYTES == 32
    const __m256i sums = _mm256_sad_epu8(bytes, _mm256_setzero_si256());
    const __m128i half =
        _mm_or_si128(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    return _mm256_broadcastb_epi8(_mm_or_si128(half, _mm_unpackhi_epi64(half, half)));
#else
    const __m128i half = _mm_sad_epu8(bytes, _mm_setzero_si128());
    return _mm_shuffle_epi8(_mm_or_si128(half, _mm_unpackhi_epi64(half, half)),
                            _mm_setzero_si128());
#endif
}

/* One bit for each byte that is not zero. */
HANJI_INLINE uint64_t filled_rows(const uint8_t *column, size_t vectors)
{
    uint64_t filled = 0;
    for (size_t i = 0; i < vectors; i++) {
        const uint32_t zeros =
            (uint32_t)V8(movemask)(V8(cmpeq)(load(column + VECTOR_BYTES * i), V(setzero)()));
        filled |= (uint64_t)(~zeros & (uint32_t)(((uint64_t)1 << VECTOR_BYTES) - 1))
                  << VECTOR_BYTES * i;
    }
    return filled;
}

/* The bytes whose bits are set, all ones. */
HANJI_INLINE vector rows_of(uint64_t bits_, size_t which)
{
    const uint32_t here = (uint32_t)(bits_ >> VECTOR_BYTES * which);
#if VECTOR_BYTES == 32
    const __m256i spread =
        _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
    const vector each = _mm256_set1_epi64x((int64_t)0x8040201008040201),
                 some = _mm256_shuffle_epi8(_mm256_set1_epi32((int)here), spread);
#else
    const __m128i spread = _mm_set_epi64x(0x0101010101010101, 0);
    const vector each = _mm_set1_epi64x((int64_t)0x8040201008040201),
                 some = _mm_shuffle_epi8(_mm_set1_epi32((int)here), spread);
#endif
    return V8(cmpeq)(V(and)(some, each), each);
}

/*
 * Row k as a mask, and the row that helps it: the first below whose entry is not zero, when that of
 * row k is.
 */
typedef struct pivot_rows {
    vector own[4], helper[4];
    uint64_t regular; /* bit 0: there is a pivot */
} pivot_rows;

HANJI_INLINE pivot_rows find_pivot(const uint8_t *pivots, size_t k, const size_t vectors)
{
    const uint64_t filled = filled_rows(pivots, vectors), own = (uint64_t)1 << k,
                   below = filled & ~(own | (own - 1)), needed = bit_mask(~filled, (unsigned)k);
    pivot_rows found = {.regular = (filled >> k & 1) | (below | ((uint64_t)0 - below)) >> 63};
    for (size_t i = 0; i < vectors; i++) {
        found.own[i] = rows_of(own, i);
        found.helper[i] = rows_of(below & ((uint64_t)0 - below) & needed, i);
    }
    return found;
}

/* A column's entry in the pivot's row, with the helping row added to it. */
HANJI_INLINE vector entry_of(const uint8_t *column, size_t k, const pivot_rows *pivot,
                             const size_t vectors)
{
    vector help = V(and)(load(column), pivot->helper[0]);
    for (size_t i = 1; i < vectors; i++)
        help = V(or)(help, V(and)(load(column + VECTOR_BYTES * i), pivot->helper[i]));
    return V(xor)(only_byte(help), V8(set1)((char)column[k]));
}

/*
 * Powers of 4, which generates GF(16), and their exponents; that of 0 is so large that it stays so
 * in a sum.
 */
HANJI_INLINE vector logarithm(vector elements)
{
    return V8(shuffle)(
        REPEATED(_mm_set_epi8(14, 3, 12, 11, 7, 9, 13, 6, 8, 2, 4, 1, 10, 5, 0, -64)), elements);
}

HANJI_INLINE vector power(vector exponents)
{
    return V8(shuffle)(REPEATED(_mm_set_epi8(0, 15, 9, 13, 12, 3, 10, 7, 11, 8, 2, 5, 14, 6, 4, 1)),
                       exponents);
}

/* Products in GF(16) from logarithms, one in each byte. */
HANJI_INLINE vector product_of(vector a, vector b)
{
    const vector sum = VU8(adds)(a, b);
    return power(VU8(min)(sum, V8(sub)(sum, V8(set1)(15))));
}

/*
 * Elimination as in the portable kernel; the entry of the row that helps a zero pivot is taken from
 * each column under a mask. In GF(16) products of two vectors are looked up by their logarithms.
 */
HANJI_INLINE uint32_t eliminate16(uint8_t *system, size_t size, const size_t stride)
{
    const size_t vectors = stride / VECTOR_BYTES;
    uint64_t regular = UINT64_MAX;
    for (size_t k = 0; k < size; k++) {
        const uint8_t *pivots = system + k * stride;
        const pivot_rows pivot = find_pivot(pivots, k, vectors);
        /* 1 / p is 4 to the power of 15 minus its logarithm; of 0 anything. */
        const vector inverse =
            V8(sub)(V8(set1)(15), logarithm(entry_of(pivots, k, &pivot, vectors)));
        vector factors[4];
        regular &= pivot.regular;
        for (size_t i = 0; i < vectors; i++) {
            const vector entries = V(or)(V(andnot)(pivot.own[i], load(pivots + VECTOR_BYTES * i)),
                                         V(and)(pivot.own[i], V8(set1)(1)));
            factors[i] = logarithm(product_of(logarithm(entries), inverse));
        }
        uint8_t *column = system + (k + 1) * stride;
        for (size_t c = k + 1; c <= size; c++, column += stride) {
            const vector entry = logarithm(entry_of(column, k, &pivot, vectors));
            for (size_t i = 0; i < vectors; i++)
                store(column + VECTOR_BYTES * i,
                      V(xor)(V(andnot)(pivot.own[i], load(column + VECTOR_BYTES * i)),
                             product_of(factors[i], entry)));
        }
    }
    return (uint32_t)(regular & 1);
}

HANJI_INLINE uint32_t eliminate256(uint8_t *system, size_t size, const size_t stride)
{
    const size_t vectors = stride / VECTOR_BYTES;
    uint64_t regular = UINT64_MAX;
    for (size_t k = 0; k < size; k++) {
        uint8_t entries[HANJI_SYSTEM_MAX + 16] = {0}, rows[(HANJI_SYSTEM_MAX + 16) * (size_t)32];
        const uint8_t *pivots = system + k * stride;
        const pivot_rows pivot = find_pivot(pivots, k, vectors);
        const uint64_t value =
            (uint8_t)_mm_cvtsi128_si32(FIRST_HALF(entry_of(pivots, k, &pivot, vectors)));
        regular &= pivot.regular;
        sixteen_multipliers(rows, _mm_cvtsi32_si128((int)gf256_invert(value)), 8);
        vector low[4], high[4];
        for (size_t i = 0; i < vectors; i++) {
            const vector old = V(or)(V(andnot)(pivot.own[i], load(pivots + VECTOR_BYTES * i)),
                                     V(and)(pivot.own[i], V8(set1)(1)));
            const vector made =
                times(low_nibbles(old), high_nibbles(old), repeated(rows), repeated(rows + 16));
            low[i] = low_nibbles(made);
            high[i] = high_nibbles(made);
        }
        const size_t columns = size - k;
        uint8_t *column = system + (k + 1) * stride;
        for (size_t c = 0; c < columns; c++)
            entries[c] = (uint8_t)_mm_cvtsi128_si32(
                FIRST_HALF(entry_of(column + c * stride, k, &pivot, vectors)));
        for (size_t c = 0; c < columns; c += 16)
            sixteen_multipliers(rows + 32 * c, _mm_loadu_si128((const void *)(entries + c)), 8);
        for (size_t c = 0; c < columns; c++, column += stride) {
            const vector row = repeated(rows + 32 * c), row16 = repeated(rows + 32 * c + 16);
            for (size_t i = 0; i < vectors; i++)
                store(column + VECTOR_BYTES * i,
                      V(xor)(V(andnot)(pivot.own[i], load(column + VECTOR_BYTES * i)),
                             times(low[i], high[i], row, row16)));
        }
    }
    return (uint32_t)(regular & 1);
}

HANJI_INLINE uint32_t solve(uint8_t *system, size_t size, const unsigned bits)
{
    if (bits == 4)
        return hanji_system_column(size) == 32 ? eliminate16(system, size, 32)
                                               : eliminate16(system, size, 64);
    return hanji_system_column(size) == 32 ? eliminate256(system, size, 32)
                                           : eliminate256(system, size, 64);
}

#endif
