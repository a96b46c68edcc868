// SPDX-License-Identifier: Apache-2.0
// The kernels over shares on AVX2: matrices by look-ups of half bytes, products by PCLMULQDQ.
#include "aimer/aimer.h"
#include "support/cpu.h"

#ifdef HANJI_X86
#include <immintrin.h>

#define V __m128i
#define V_LOAD(p) _mm_loadu_si128((const __m128i *)(const void *)(p))
#define V_STORE(p, v) _mm_storeu_si128((__m128i *)(void *)(p), v)
#define V_XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define V_LOOK_UP(table, index) _mm_shuffle_epi8(table, index)
#define V_LOW_HALF(v) _mm_and_si128(v, _mm_set1_epi8(15))
#define V_HIGH_HALF(v) _mm_and_si128(_mm_srli_epi16(v, 4), _mm_set1_epi8(15))
#define V_PAIR_BYTES(v) \
    _mm_shuffle_epi8(v, _mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15))
#define V_UNPAIR_BYTES(v) \
    _mm_shuffle_epi8(v, _mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15))
#define V_ZIP_LOW16(a, b) _mm_unpacklo_epi16(a, b)
#define V_ZIP_HIGH16(a, b) _mm_unpackhi_epi16(a, b)
#define V_ZIP_LOW32(a, b) _mm_unpacklo_epi32(a, b)
#define V_ZIP_HIGH32(a, b) _mm_unpackhi_epi32(a, b)
#define V_ZIP_LOW64(a, b) _mm_unpacklo_epi64(a, b)
#define V_ZIP_HIGH64(a, b) _mm_unpackhi_epi64(a, b)
#define EVEN_WORDS(v) \
    _mm_shuffle_epi8(v, _mm_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15))
#define V_UNZIP_EVEN16(a, b) _mm_unpacklo_epi64(EVEN_WORDS(a), EVEN_WORDS(b))
#define V_UNZIP_ODD16(a, b) _mm_unpackhi_epi64(EVEN_WORDS(a), EVEN_WORDS(b))
#define V_UNZIP_EVEN32(a, b) \
    _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0x88))
#define V_UNZIP_ODD32(a, b) \
    _mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(a), _mm_castsi128_ps(b), 0xdd))
#include "aimer/aimer_nibbles.h"

#define V_PARTIES 2
#define V_SHL(v, n) _mm_slli_epi64(v, n)
#define V_SHR(v, n) _mm_srli_epi64(v, n)
#define V_SET1(word) _mm_set1_epi64x((long long)(word))
#define V_KEEP(v) __asm__("" : "+x"(v))
#define V_MUL_EVEN(a, b) _mm_clmulepi64_si128(a, b, 0x00)
#define V_MUL_ODD(a, b) _mm_clmulepi64_si128(a, b, 0x01)
#define V_LOW(even, odd) _mm_unpacklo_epi64(even, odd)
#define V_HIGH(even, odd) _mm_unpackhi_epi64(even, odd)
#include "aimer/aimer_products.h"

HANJI_INLINE void clmul(uint64_t *low, uint64_t *high, uint64_t a, uint64_t b)
{
    const __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)a),
                                                 _mm_cvtsi64_si128((long long)b), 0x00);
    *low = (uint64_t)_mm_cvtsi128_si64(product);
    *high = (uint64_t)_mm_extract_epi64(product, 1);
}
#include "aimer/aimer_power.h"

/*
 * Modulo x^128 + x^7 + x^2 + x + 1: high = h1 x^64 + h0. First h1 x^192, which is h1 0x87 x^64,
 * then all that is at x^128 and above.
 */
HANJI_INLINE __m128i reduce_128(__m128i low, __m128i high)
{
    const __m128i r = _mm_cvtsi32_si128(0x87), top = _mm_clmulepi64_si128(high, r, 0x01);
    high = _mm_xor_si128(high, _mm_srli_si128(top, 8));
    return low ^ _mm_slli_si128(top, 8) ^ _mm_clmulepi64_si128(high, r, 0x00);
}

/* An element of 128 bits in a vector, from squaring to squaring. */
HANJI_INLINE void power_of_128(uint64_t *out, const uint64_t *base, uint32_t squarings,
                               const uint64_t *factor)
{
    __m128i a = V_LOAD(base), b = V_LOAD(factor);
    for (; squarings > 0; squarings--)
        a = reduce_128(_mm_clmulepi64_si128(a, a, 0x00), _mm_clmulepi64_si128(a, a, 0x11));
    const __m128i middle = _mm_clmulepi64_si128(a, b, 0x01) ^ _mm_clmulepi64_si128(a, b, 0x10);
    V_STORE(out, reduce_128(_mm_clmulepi64_si128(a, b, 0x00) ^ _mm_slli_si128(middle, 8),
                            _mm_clmulepi64_si128(a, b, 0x11) ^ _mm_srli_si128(middle, 8)));
}

/* Tables of the sums of four columns. */
// void hanji_aimer_avx2_prepare(void *matrix, const uint64_t *columns, uint32_t words);
/* kernel:
     spec: aimer.prepare
     isa: avx2
     blocks: 8
     args: { matrix: {buffer: matrix, bytes: 64 * words * words * factor, access: w}, columns: {buffer: columns, bytes: 512 * words * words, access: r},
             words: {value: words} }
     aliasing: none
     stack: compiler
     secrets: none
*/
void hanji_aimer_avx2_prepare(void *matrix, const uint64_t *columns, uint32_t words)
{
    prepare_nibbles(matrix, columns, words);
}

/* Sixteen parties at a time. */
// void hanji_aimer_avx2_apply(uint64_t *out, size_t out_stride, const uint64_t *in, size_t in_stride, size_t octets, const void *matrix, uint32_t words, int accumulate);
/* kernel:
     spec: aimer.apply
     isa: avx2
     blocks: 8
     args: { out: {buffer: out, bytes: 64 * words * octets, access: rw}, out_stride: {value: out_stride}, in: {buffer: in, bytes: 64 * words * octets, access: r},
             in_stride: {value: in_stride}, octets: {value: octets}, matrix: {buffer: matrix, bytes: that of prepare, access: r}, words: {value: words},
             accumulate: {value: accumulate} }
     aliasing: out == in allowed
     stack: compiler
     secrets: out, in
*/
void hanji_aimer_avx2_apply(uint64_t *out, size_t out_stride, const uint64_t *in, size_t in_stride,
                            size_t octets, const void *matrix, uint32_t words, int accumulate)
{
    apply_nibbles(out, out_stride, in, in_stride, octets, matrix, words, accumulate);
}

/* Two parties in a vector. */
// void hanji_aimer_avx2_products(uint64_t *out, size_t out_stride, const uint64_t *base, size_t base_stride, const hanji_aimer_term *terms, uint32_t count, size_t octets, uint32_t words);
/* kernel:
     spec: aimer.products
     isa: avx2
     blocks: 8
     args: { out: {buffer: out, bytes: 64 * words * octets, access: w}, out_stride: {value: out_stride}, base: {buffer: base, bytes: 64 * words * octets, access: r},
             base_stride: {value: base_stride}, terms: {buffer: terms, bytes: count * sizeof(hanji_aimer_term), access: r}, count: {value: count},
             octets: {value: octets}, words: {value: words} }
     aliasing: out == base allowed
     stack: compiler
     secrets: out, base, terms
*/
void hanji_aimer_avx2_products(uint64_t *out, size_t out_stride, const uint64_t *base,
                               size_t base_stride, const hanji_aimer_term *terms, uint32_t count,
                               size_t octets, uint32_t words)
{
    products_of_sets(out, out_stride, base, base_stride, terms, count, octets, words);
}

/* One element. */
// void hanji_aimer_avx2_power(uint64_t *out, const uint64_t *base, uint32_t squarings, const uint64_t *factor, uint32_t words);
/* kernel:
     spec: aimer.power
     isa: avx2
     blocks: 1
     args: { out: {buffer: out, bytes: 8 * words, access: w}, base: {buffer: base, bytes: 8 * words, access: r}, squarings: {value: squarings},
             factor: {buffer: factor, bytes: 8 * words, access: r}, words: {value: words} }
     aliasing: out == base and out == factor allowed
     stack: compiler
     secrets: out, base, factor
*/
void hanji_aimer_avx2_power(uint64_t *out, const uint64_t *base, uint32_t squarings,
                            const uint64_t *factor, uint32_t words)
{
    if (words == 2)
        power_of_128(out, base, squarings, factor);
    else
        power_of_sets(out, base, squarings, factor, words);
}

#endif
