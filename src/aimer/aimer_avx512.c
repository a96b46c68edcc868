// SPDX-License-Identifier: Apache-2.0
// The kernels over shares on AVX-512: matrices by GF2P8AFFINEQB, an 8 x 8 block for eight parties
// at a time; products by VPCLMULQDQ. All arguments fit in registers (portable.c), so the
// kernels load nothing into general registers, which the constant-time scan of their code can see.
#include "aimer/aimer.h"
#include "aimer/aimer_packed.h"
#include "support/cpu.h"
#include "support/secret.h"

#ifdef HANJI_X86
#include <immintrin.h>

#define V __m512i
#define V_PARTIES 8
#define V_LOAD(p) _mm512_loadu_si512(p)
#define V_STORE(p, v) _mm512_storeu_si512(p, v)
#define V_SHL(v, n) _mm512_slli_epi64(v, n)
#define V_SHR(v, n) _mm512_srli_epi64(v, n)
#define V_SET1(word) _mm512_set1_epi64((long long)(word))
#define V_KEEP(v) __asm__("" : "+v"(v))
#define V_MUL_EVEN(a, b) _mm512_clmulepi64_epi128(a, b, 0x00)
#define V_MUL_ODD(a, b) _mm512_clmulepi64_epi128(a, b, 0x01)
#define V_LOW(even, odd) _mm512_unpacklo_epi64(even, odd)
#define V_HIGH(even, odd) _mm512_unpackhi_epi64(even, odd)
#include "aimer/aimer_products.h"

/*
 * Transpose 8 x 8 bytes: byte j of word p to byte p of word j. In pairs of words first, then pairs
 * of bytes among all words.
 */
HANJI_INLINE __m512i transpose_bytes(__m512i v)
{
    const __m512i pairs =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
    const __m512i spread =
        _mm512_set_epi16(31, 23, 15, 7, 30, 22, 14, 6, 29, 21, 13, 5, 28, 20, 12, 4, 27, 19, 11, 3,
                         26, 18, 10, 2, 25, 17, 9, 1, 24, 16, 8, 0);
    return _mm512_permutexvar_epi16(spread, _mm512_shuffle_epi8(v, pairs));
}

/*
 * The block of eight columns for every byte of a word, as GF2P8AFFINEQB wants it: rows from the
 * last to the first.
 */
HANJI_INLINE void prepare_blocks(void *matrix, const uint64_t *columns, uint32_t words)
{
    const __m512i reversed =
        _mm512_broadcast_i32x4(_mm_setr_epi8(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
    const __m512i rows = _mm512_set1_epi64(0x0102040810204080);
    uint64_t *block = matrix;
    for (uint32_t k = 0; k < 8 * words * words; k++, columns += 8, block += 8)
        _mm512_storeu_si512(
            block,
            _mm512_gf2p8affine_epi64_epi8(
                rows, _mm512_shuffle_epi8(transpose_bytes(_mm512_loadu_si512(columns)), reversed),
                0));
}

/* A block by byte j of eight parties. */
HANJI_INLINE __m512i product_of(uint64_t slice, __m512i rows)
{
    return _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64((long long)slice), rows, 0);
}

/* `count` octets at a time, so a block is loaded once for all of them. */
HANJI_INLINE void apply_blocks(uint64_t *out, size_t out_stride, const uint64_t *in,
                               size_t in_stride, const void *matrix, const uint32_t words,
                               const uint32_t count, int accumulate)
{
    uint64_t slices[2][8 * AIMER_WORDS_MAX];
    __m512i sums[2][AIMER_WORDS_MAX];
    const uint64_t *block = matrix;
    for (uint32_t o = 0; o < count; o++)
        for (uint32_t w = 0; w < words; w++) {
            _mm512_storeu_si512(slices[o] + 8 * w,
                                transpose_bytes(_mm512_loadu_si512(in + in_stride * o + 8 * w)));
            sums[o][w] = _mm512_setzero_si512();
        }
    /* Compilers that know what is in the memory would take it apart in general registers. */
    __asm__("" : : "r"(slices) : "memory");
#pragma GCC unroll 4
    for (uint32_t j = 0; j < 8 * words; j += 2, block += 16 * words)
#pragma GCC unroll 4
        for (uint32_t w = 0; w < words; w++) {
            const __m512i even = _mm512_loadu_si512(block + 8 * w),
                          odd = _mm512_loadu_si512(block + 8 * words + 8 * w);
#pragma GCC unroll 4
            for (uint32_t o = 0; o < count; o++)
                sums[o][w] = _mm512_ternarylogic_epi64(sums[o][w], product_of(slices[o][j], even),
                                                       product_of(slices[o][j + 1], odd), 0x96);
        }
    for (uint32_t o = 0; o < count; o++)
        for (uint32_t w = 0; w < words; w++) {
            uint64_t *to = out + out_stride * o + 8 * w;
            __m512i sum = transpose_bytes(sums[o][w]);
            if (accumulate)
                sum ^= _mm512_loadu_si512(to);
            _mm512_storeu_si512(to, sum);
        }
}

/*
 * Functions of their own: in one function gcc runs out of general registers for strides, and keeps
 * some in vectors.
 */
#define APPLY(words)                                                                             \
    static HANJI_NOINLINE void apply_two_of_##words(uint64_t *out, const uint64_t *in,           \
                                                    const void *matrix, uint64_t shape)          \
    {                                                                                            \
        apply_blocks(out, SHAPE_OUT(shape), in, SHAPE_IN(shape), matrix, words, 2,               \
                     SHAPE_COUNT(shape) != 0);                                                   \
    }                                                                                            \
    static HANJI_NOINLINE void apply_one_of_##words(uint64_t *out, const uint64_t *in,           \
                                                    const void *matrix, uint64_t shape)          \
    {                                                                                            \
        apply_blocks(out, 0, in, 0, matrix, words, 1, SHAPE_COUNT(shape) != 0);                  \
    }                                                                                            \
    static HANJI_NOINLINE void apply_##words(uint64_t *out, const uint64_t *in, size_t octets,   \
                                             const void *matrix, uint64_t shape)                 \
    {                                                                                            \
        for (; octets >= 2; octets -= 2, out += 2 * SHAPE_OUT(shape), in += 2 * SHAPE_IN(shape)) \
            apply_two_of_##words(out, in, matrix, shape);                                        \
        if (octets > 0)                                                                          \
            apply_one_of_##words(out, in, matrix, shape);                                        \
    }

APPLY(2)
APPLY(3)
APPLY(4)

/* Blocks of 8 x 8 bits. */
// void hanji_aimer_avx512_prepare(void *matrix, const uint64_t *columns, uint32_t words);
/* kernel:
     spec: aimer.prepare
     isa: avx512
     blocks: 8
     args: { matrix: {buffer: matrix, bytes: 64 * words * words * factor, access: w}, columns: {buffer: columns, bytes: 512 * words * words, access: r},
             words: {value: words} }
     aliasing: none
     stack: compiler
     secrets: none
*/
void hanji_aimer_avx512_prepare(void *matrix, const uint64_t *columns, uint32_t words)
{
    prepare_blocks(matrix, columns, words);
}

/* Sixteen parties at a time, and eight. */
// void hanji_aimer_avx512_apply(uint64_t *out, const uint64_t *in, size_t octets, const void *matrix, uint64_t shape);
/* kernel:
     spec: aimer.apply
     isa: avx512
     blocks: 8
     args: { out: {buffer: out, bytes: 64 * words * octets, access: rw}, in: {buffer: in, bytes: 64 * words * octets, access: r}, octets: {value: octets},
             matrix: {buffer: matrix, bytes: 64 * words * words, access: r}, shape: {value: shape} }
     aliasing: out == in allowed
     stack: compiler
     secrets: out, in
*/
void hanji_aimer_avx512_apply(uint64_t *out, const uint64_t *in, size_t octets, const void *matrix,
                              uint64_t shape)
{
    switch (SHAPE_WORDS(shape)) {
    case 2: apply_2(out, in, octets, matrix, shape); break;
    case 3: apply_3(out, in, octets, matrix, shape); break;
    default: apply_4(out, in, octets, matrix, shape); break;
    }
}

/*
 * out = base + the products of `count` inputs, `term_stride` words apart, by the coefficients,
 * which follow one another.
 */
HANJI_INLINE void products_apart(uint64_t *out, const uint64_t *base, const uint64_t *in,
                                 const uint64_t *coefficients, size_t octets, uint64_t shape,
                                 const uint32_t count, const uint32_t words)
{
    const size_t term_stride = SHAPE_TERM(shape);
    for (; octets > 0;
         octets--, out += SHAPE_OUT(shape), base += SHAPE_BASE(shape), in += SHAPE_IN(shape)) {
        V even[V_PRODUCTS_MAX], odd[V_PRODUCTS_MAX], wide[2 * AIMER_WORDS_MAX];
        for (uint32_t k = 0; k < V_PRODUCTS(words); k++)
            even[k] = odd[k] = V_SET1(0);
        for (uint32_t t = 0; t < count; t++)
            add_products(even, odd, in + term_stride * t, coefficients + words * t, words);
        finish_products(wide, even, odd, words);
        for (uint32_t i = 0; i < words; i++)
            V_STORE(out + 8 * i, wide[i] ^ V_LOAD(base + 8 * i));
    }
}

#define COUNTS(words)                                                                     \
    switch (SHAPE_COUNT(shape)) {                                                         \
    case 1: products_apart(out, base, in, coefficients, octets, shape, 1, words); break;  \
    case 2: products_apart(out, base, in, coefficients, octets, shape, 2, words); break;  \
    case 3: products_apart(out, base, in, coefficients, octets, shape, 3, words); break;  \
    default: products_apart(out, base, in, coefficients, octets, shape, 4, words); break; \
    }

/* Eight parties in a vector. */
// void hanji_aimer_avx512_products(uint64_t *out, const uint64_t *base, const uint64_t *in, const uint64_t *coefficients, size_t octets, uint64_t shape);
/* kernel:
     spec: aimer.products
     isa: avx512
     blocks: 8
     args: { out: {buffer: out, bytes: 64 * words * octets, access: w}, base: {buffer: base, bytes: 64 * words * octets, access: r},
             in: {buffer: in, bytes: 64 * words * octets * count, access: r}, coefficients: {buffer: coefficients, bytes: 8 * words * count, access: r},
             octets: {value: octets}, shape: {value: shape} }
     aliasing: out == base allowed
     stack: compiler
     secrets: out, base, in
*/
void hanji_aimer_avx512_products(uint64_t *out, const uint64_t *base, const uint64_t *in,
                                 const uint64_t *coefficients, size_t octets, uint64_t shape)
{
    if (SHAPE_WORDS(shape) == 2)
        COUNTS(2)
    else if (SHAPE_WORDS(shape) == 3)
        COUNTS(3)
    else
        COUNTS(4)
}

#endif
