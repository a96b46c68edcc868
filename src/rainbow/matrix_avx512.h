/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the AVX-512 kernels of both fields share. A multiplier is the 8 x 8 bit matrix of the product by its constant, as GF2P8AFFINEQB takes it: bit k of byte
 * 7 - i is bit i of constant * 2^k. Products of two variables are made in the field of AES with GF2P8MULB, to which the two constants below lead and
 * back: the isomorphism takes 1, 2, 4, .. 128 to 01 BC 5D 0C AE EB 11 89.
 */
#ifndef HANJI_RAINBOW_MATRIX_AVX512_H
#define HANJI_RAINBOW_MATRIX_AVX512_H

#include "rainbow/field.h"
#include "rainbow/matrix.h"

#include <immintrin.h>

#define TO_AES (int64_t)0xe5301ebe463224b2
#define FROM_AES (int64_t)0x3f22ec64aeacdea0
#define IDENTITY (int64_t)0x0102040810204080
#define ONE_TO_128 (int64_t)0x01bc5d0caeeb1189 /* byte 7 - k: what 2^k becomes */

/*
 * A matrix that comes in a register. clang 14 writes a wrong address when GF2P8AFFINEQB takes its matrix as one word of memory for all lanes: it scales short
 * displacements by 1, the processor by 8.
 */
HANJI_INLINE __m512i in_register(__m512i matrix)
{
    __asm__("" : "+v"(matrix));
    return matrix;
}

HANJI_INLINE __m512i times(__m512i data, __m512i multiplier)
{
    return _mm512_gf2p8affine_epi64_epi8(data, in_register(multiplier), 0);
}

/* Eight multipliers of eight bytes; `back` leads from the field of AES, `keep` clears bits of the images. */
HANJI_INLINE __m512i eight_multipliers(uint64_t constants, int64_t powers, int64_t back, int64_t keep)
{
    const __m512i spread = _mm512_set_epi64(0x0707070707070707, 0x0606060606060606, 0x0505050505050505, 0x0404040404040404, 0x0303030303030303,
                                            0x0202020202020202, 0x0101010101010101, 0);
    __m512i images = _mm512_shuffle_epi8(_mm512_set1_epi64((int64_t)constants), spread);
    images = times(images, _mm512_set1_epi64(TO_AES));
    images = _mm512_gf2p8mul_epi8(images, _mm512_set1_epi64(powers));
    images = _mm512_and_si512(times(images, _mm512_set1_epi64(back)), _mm512_set1_epi64(keep));
    /* The transposition of a bit matrix: its product with each unit vector. */
    return times(_mm512_set1_epi64(IDENTITY), images);
}

/* sums += multiplier * column, in `vectors` vectors, the last of them under a mask. */
HANJI_INLINE void add_column(__m512i *sums, const uint8_t *from, const uint8_t *multiplier, size_t vectors, __mmask64 mask)
{
    const __m512i by = _mm512_set1_epi64((int64_t)load_le64(multiplier));
    for (size_t i = 0; i < vectors; i++) {
        const __m512i data = i == vectors - 1 ? _mm512_maskz_loadu_epi8(mask, from + 64 * i) : _mm512_loadu_si512(from + 64 * i);
        sums[i] = _mm512_xor_si512(sums[i], times(data, by));
    }
}

/* `vectors` vectors of the sum. */
HANJI_INLINE void columns(uint8_t *out, const uint8_t *in, size_t stride, const uint8_t *multipliers, size_t count, size_t vectors, __mmask64 mask)
{
    __m512i even[8], odd[8];
    size_t j = 0;
    for (size_t i = 0; i < vectors; i++)
        even[i] = odd[i] = _mm512_setzero_si512();
    for (; j + 2 <= count; j += 2) {
        add_column(even, in + j * stride, multipliers + 8 * j, vectors, mask);
        add_column(odd, in + (j + 1) * stride, multipliers + 8 * (j + 1), vectors, mask);
    }
    if (j < count)
        add_column(even, in + j * stride, multipliers + 8 * j, vectors, mask);
    for (size_t i = 0; i < vectors; i++) {
        const __mmask64 here = i == vectors - 1 ? mask : UINT64_MAX;
        const __m512i old = _mm512_maskz_loadu_epi8(here, out + 64 * i);
        _mm512_mask_storeu_epi8(out + 64 * i, here, _mm512_xor_si512(old, _mm512_xor_si512(even[i], odd[i])));
    }
}

/* Columns of 16 or 32 bytes that lie side by side, four or two to a vector. */
HANJI_INLINE void narrow_columns(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *multipliers, size_t count)
{
    const size_t together = 64 / bytes;
    const __m512i spread = bytes == 16 ? _mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0) : _mm512_set_epi64(1, 1, 1, 1, 0, 0, 0, 0);
    __m512i sums[2] = {_mm512_setzero_si512(), _mm512_setzero_si512()}, sum;
    size_t j = 0;
    for (; j + 2 * together <= count; j += 2 * together)
        for (size_t half = 0; half < 2; half++) {
            const size_t at = j + half * together;
            const __m512i each = bytes == 16 ? _mm512_castsi256_si512(_mm256_loadu_si256((const void *)(multipliers + 8 * at)))
                                             : _mm512_castsi128_si512(_mm_loadu_si128((const void *)(multipliers + 8 * at)));
            sums[half] = _mm512_xor_si512(sums[half], times(_mm512_loadu_si512(in + at * bytes), _mm512_permutexvar_epi64(spread, each)));
        }
    sum = _mm512_xor_si512(sums[0], sums[1]);
    for (; j < count; j += together) {
        const size_t now = count - j < together ? count - j : together;
        const __mmask8 words = (__mmask8)((1u << now) - 1);
        const __mmask64 mask = now == together ? UINT64_MAX : ((uint64_t)1 << now * bytes) - 1;
        const __m512i each = _mm512_maskz_loadu_epi64(words, multipliers + 8 * j);
        sum = _mm512_xor_si512(sum, times(_mm512_maskz_loadu_epi8(mask, in + j * bytes), _mm512_permutexvar_epi64(spread, each)));
    }
    __m256i half = _mm256_xor_si256(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64(sum, 1));
    if (bytes == 32) {
        _mm256_storeu_si256((void *)out, _mm256_xor_si256(half, _mm256_loadu_si256((const void *)out)));
    } else {
        const __m128i quarter = _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
        _mm_storeu_si128((void *)out, _mm_xor_si128(quarter, _mm_loadu_si128((const void *)out)));
    }
}

HANJI_INLINE void accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
{
    if (bytes == 16 && stride == 16) {
        narrow_columns(out, in, 16, multipliers, count);
        return;
    }
    if (bytes == 32 && stride == 32) {
        narrow_columns(out, in, 32, multipliers, count);
        return;
    }
    for (; bytes > 512; bytes -= 512, in += 512, out += 512)
        columns(out, in, stride, multipliers, count, 8, UINT64_MAX);
    const size_t vectors = (bytes + 63) / 64;
    const __mmask64 mask = UINT64_MAX >> (64 * vectors - bytes);
    switch (vectors) {
    case 1: columns(out, in, stride, multipliers, count, 1, mask); break;
    case 2: columns(out, in, stride, multipliers, count, 2, mask); break;
    case 3: columns(out, in, stride, multipliers, count, 3, mask); break;
    case 4: columns(out, in, stride, multipliers, count, 4, mask); break;
    case 5: columns(out, in, stride, multipliers, count, 5, mask); break;
    case 6: columns(out, in, stride, multipliers, count, 6, mask); break;
    case 7: columns(out, in, stride, multipliers, count, 7, mask); break;
    default: columns(out, in, stride, multipliers, count, 8, mask); break;
    }
}

/*
 * Gauss-Jordan elimination as in the portable kernel, with whole columns in vectors, two in each when they have 32 bytes, and in the field of AES. The row that helps a zero pivot
 * is chosen by arithmetic on a mask; its number is an index of a byte shuffle, which takes the same time for all.
 */
HANJI_INLINE uint32_t eliminate(uint8_t *system, size_t size, size_t stride)
{
    const __m512i one = _mm512_set1_epi8(1),
                  half = stride == 32 ? _mm512_set_epi64(0x2020202020202020, 0x2020202020202020, 0x2020202020202020, 0x2020202020202020, 0, 0, 0, 0)
                                      : _mm512_setzero_si512();
    const size_t bytes = (size + 1) * stride;
    uint64_t regular = 1;
    for (size_t at = 0; at < bytes; at += 64)
        _mm512_storeu_si512(system + at, times(_mm512_loadu_si512(system + at), _mm512_set1_epi64(TO_AES)));
    for (size_t k = 0; k < size; k++) {
        const uint8_t *from = system + k * stride;
        const __m512i pivots = stride == 32 ? _mm512_broadcast_i64x4(_mm256_loadu_si256((const void *)from)) : _mm512_loadu_si512(from);
        const uint64_t row = (uint64_t)1 << k, rows = stride == 32 ? row | row << 32 : row;
        const uint64_t filled = _mm512_test_epi8_mask(pivots, pivots) & (stride == 32 ? UINT32_MAX : UINT64_MAX), below = filled & ~(row | (row - 1));
        const __mmask64 help = (filled >> k & 1) - 1;
        const uint64_t helper = below & ((uint64_t)0 - below); /* its number is the count of bits below it, 64 when there is none: 0 in the shuffle */
        const __m512i at_row = _mm512_add_epi8(_mm512_set1_epi8((char)k), half);
        const __m512i at_helper = _mm512_add_epi8(_mm512_set1_epi8((char)_mm_popcnt_u64(helper - 1)), half);
        regular &= (filled >> k & 1) | (below | ((uint64_t)0 - below)) >> 63;
#define ENTRY(column) _mm512_xor_si512(_mm512_permutexvar_epi8(at_row, column), _mm512_maskz_permutexvar_epi8(help, at_helper, column))
        const __m512i inverse = _mm512_gf2p8affineinv_epi64_epi8(ENTRY(pivots), in_register(_mm512_set1_epi64(IDENTITY)), 0);
        const __m512i factors = _mm512_gf2p8mul_epi8(_mm512_mask_mov_epi8(pivots, rows, one), inverse);
        for (size_t at = (k + 1) * stride / 64 * 64; at < bytes; at += 64) {
            const __m512i column = _mm512_loadu_si512(system + at);
            const __m512i product = _mm512_gf2p8mul_epi8(ENTRY(column), factors);
            _mm512_storeu_si512(system + at, _mm512_xor_si512(_mm512_maskz_mov_epi8(~rows, column), product));
        }
#undef ENTRY
    }
    uint8_t *solution = system + size * stride;
    const __mmask64 all = stride == 32 ? UINT32_MAX : UINT64_MAX;
    _mm512_mask_storeu_epi8(solution, all, times(_mm512_maskz_loadu_epi8(all, solution), _mm512_set1_epi64(FROM_AES)));
    return (uint32_t)regular;
}

HANJI_INLINE uint32_t solve(uint8_t *system, size_t size)
{
    return hanji_system_column(size) == 32 ? eliminate(system, size, 32) : eliminate(system, size, 64);
}

#endif
