/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GF(16) and GF(256) in AVX2: a look-up is 32 products, two in each byte in GF(16). FIELD is gf16
 * or gf256, whose elements have 4 or 8 bits.
 */
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#include "rainbow/matrix_pshufb.h"

/* What is left of a pair's bytes behind whole vectors: 16, 4 or 0 bytes, with zeros behind them. */
HANJI_INLINE __m128i load_rest(const uint8_t *from, const size_t rest)
{
    uint32_t word;
    if (rest == 16)
        return _mm_loadu_si128((const void *)from);
    memcpy(&word, from, 4);
    return _mm_cvtsi32_si128((int)word);
}

HANJI_INLINE void store_rest(uint8_t *to, __m128i data, const size_t rest)
{
    const uint32_t word = (uint32_t)_mm_cvtsi128_si32(data);
    if (rest == 16)
        _mm_storeu_si128((void *)to, data);
    else
        memcpy(to, &word, 4);
}

/* Loops of few steps, which gcc keeps as loops without a word. */
#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

/* Add a pair's bytes to the sum of its factor: whole vectors, and the rest in its own place. */
HANJI_INLINE void add_pair(uint8_t *sum, uint8_t *rest_sum, const uint8_t *in, const size_t bytes)
{
    const size_t vectors = bytes / 32, rest = bytes % 32;
    UNROLL
    for (size_t v = 0; v < vectors; v++)
        store(sum + 32 * v, _mm256_xor_si256(load(sum + 32 * v), load(in + 32 * v)));
    if (rest == 4) { /* general registers have units of their own for loads */
        uint32_t sum_word, word;
        memcpy(&sum_word, rest_sum, 4);
        memcpy(&word, in + 32 * vectors, 4);
        sum_word ^= word;
        memcpy(rest_sum, &sum_word, 4);
    } else if (rest != 0) {
        store_rest(rest_sum,
                   _mm_xor_si128(load_rest(rest_sum, rest), load_rest(in + 32 * vectors, rest)),
                   rest);
    }
}

/* Multiplication by a public constant: products by nibbles, and in GF(256) by high nibbles. */
typedef struct table {
    vector row, row16;
} table;

HANJI_INLINE table table_of(const uint8_t *products, unsigned constant, const unsigned bits)
{
    const unsigned low = constant & 15, high = constant >> 4;
    const vector l = repeated(products + 16 * low), h = repeated(products + 16 * high);
    if (bits == 4)
        return (table){l, _mm256_slli_epi16(l, 4)};
    return (table){
        _mm256_or_si256(l, _mm256_slli_epi16(h, 4)),
        _mm256_or_si256(repeated(products + (size_t)16 * products[16 * 8 + high]),
                        _mm256_slli_epi16(_mm256_xor_si256(l, h), 4)),
    };
}

HANJI_INLINE vector multiplied(vector data, table by)
{
    return times(low_nibbles(data), high_nibbles(data), by.row, by.row16);
}

/* factors[j] = x_0 x_j for `count` elements; GF(16) has logarithms in place of x. */
HANJI_INLINE void make_factors(uint8_t *factors, const uint8_t *x, size_t count,
                               const uint8_t *products, const unsigned bits)
{
    const table by = bits == 4 ? (table){_mm256_set1_epi8((char)x[0]), _mm256_setzero_si256()}
                               : table_of(products, x[0], bits);
    for (size_t j = 0; j < count; j += 32)
        store(factors + j,
              bits == 4 ? product_of(load(x + j), by.row) : multiplied(load(x + j), by));
}

/*
 * The portable kernel's way. Sums of whole vectors lie side by side, and behind them those of the
 * rest, so that all stay in the first cache. Where sums are few, neighbours have sums of their own,
 * and none waits for the one before. Factors of many rows are made at once: pairs of all rows lie
 * one after the other, so the loop over them need not end where a row does. Lines of the cache come
 * some rows ahead: prefetchers of processors stop at the end of a page.
 */
#define AHEAD 2048
#define FACTORS 2048
HANJI_INLINE void evaluate(uint8_t *out, const uint8_t *in, const size_t bytes, const uint8_t *x,
                           const size_t count, uint8_t *scratch, const unsigned bits)
{
    const size_t values = (size_t)1 << bits, vectors = bytes / 32, whole = 32 * vectors,
                 rest = bytes % 32, copies = bits == 4 ? 4 : 1, copy = values * whole;
    uint8_t *const rests = scratch + copies * copy;
    uint8_t factors[FACTORS + 8], elements[256 + 32] = {0}, products[16 * 16];
    vector folded[8][4];
    __m128i folded_rest[8];
    for (unsigned c = 0; c < 16; c++)
        _mm_storeu_si128((void *)(products + 16 * c), row_of(c));
    memcpy(elements, x, count);
    memset(scratch, 0, copies * copy + values * rest);
    if (bits == 4)
        for (size_t j = 0; j < count; j += 32)
            store(elements + j, logarithm(load(elements + j)));
    for (size_t i = 0, made = 0; i < count || made > 0;) {
        size_t at = 0;
        for (; i < count && made <= FACTORS - 256; made += count - i, i++)
            make_factors(factors + made, elements + i, count - i, products, bits);
        for (; at + 8 <= made; at += 8, in += 8 * bytes) {
            uint64_t eight = load_le64(factors + at); /* a load for each would take longer */
            UNROLL
            for (size_t ahead = 0; ahead < 8 * bytes; ahead += 64)
                _mm_prefetch((const char *)in + AHEAD + ahead, _MM_HINT_T0);
            UNROLL
            for (size_t k = 0; k < 8; k++, eight >>= 8)
                add_pair(scratch + k % copies * copy + (eight & 0xff) * whole,
                         rests + (eight & 0xff) * rest, in + k * bytes, bytes);
        }
        for (; i == count && at < made; at++, in += bytes)
            add_pair(scratch + factors[at] * whole, rests + factors[at] * rest, in, bytes);
        store_le64(factors, load_le64(factors + at));
        made -= at;
    }
    for (size_t at = 0; at < copy && copies == 4; at += 32)
        store(scratch + at,
              _mm256_xor_si256(
                  _mm256_xor_si256(load(scratch + at), load(scratch + copy + at)),
                  _mm256_xor_si256(load(scratch + 2 * copy + at), load(scratch + 3 * copy + at))));
    for (size_t b = bits; b-- > 0;) {
        const size_t half = (size_t)1 << b;
        for (size_t v = 0; v < vectors; v++) {
            vector sum = _mm256_setzero_si256();
            for (size_t value = 0; value < half; value++) {
                uint8_t *low = scratch + value * whole + 32 * v;
                const vector high = load(low + half * whole);
                sum = _mm256_xor_si256(sum, high);
                store(low, _mm256_xor_si256(load(low), high));
            }
            folded[b][v] = sum;
        }
        folded_rest[b] = _mm_setzero_si128();
        for (size_t value = 0; value < half && rest != 0; value++) {
            uint8_t *low = rests + value * rest;
            const __m128i high = load_rest(low + half * rest, rest);
            folded_rest[b] = _mm_xor_si128(folded_rest[b], high);
            store_rest(low, _mm_xor_si128(load_rest(low, rest), high), rest);
        }
    }
    for (size_t v = 0; v < vectors + (rest != 0); v++) {
        vector total = _mm256_setzero_si256();
        for (unsigned b = 0; b < bits; b++) {
            const vector sum = v < vectors ? folded[b][v] : _mm256_castsi128_si256(folded_rest[b]);
            total = _mm256_xor_si256(total, multiplied(sum, table_of(products, 1u << b, bits)));
        }
        if (v < vectors)
            store(out + 32 * v, total);
        else
            store_rest(out + whole, _mm256_castsi256_si128(total), rest);
    }
}

// void hanji_FIELD_avx2_prepare(void *multipliers, const uint8_t *elements, size_t count)
/* kernel:
     spec: [gf16.prepare, gf256.prepare]
     isa: avx2
     blocks: 1
     args: { multipliers: {buffer: multipliers, bytes: 4 * bits * (count rounded up to 16), access: w},
             elements: {buffer: elements, bytes: count * bits / 8, access: r}, count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: elements, multipliers
*/
// void hanji_FIELD_avx2_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
/* kernel:
     spec: [gf16.accumulate, gf256.accumulate]
     isa: avx2
     blocks: 1
     args: { out: {buffer: out, bytes: bytes, access: rw}, in: {buffer: in, bytes: stride * (count - 1) + bytes, access: r}, stride: {value: stride},
             bytes: {value: bytes}, multipliers: {buffer: multipliers, bytes: 4 * bits * count, access: r}, count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: in, multipliers, out
*/
// uint32_t hanji_FIELD_avx2_solve(uint8_t *system, size_t size)
/* kernel:
     spec: [gf16.solve, gf256.solve]
     isa: avx2
     blocks: 1
     args: { system: {buffer: system, bytes: HANJI_SYSTEM_BYTES, access: rw}, size: {value: size} }
     aliasing: none
     stack: compiler
     secrets: system
*/
// void hanji_FIELD_avx2_evaluate(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *x, size_t count, uint8_t *scratch)
/* kernel:
     spec: [gf16.evaluate, gf256.evaluate]
     isa: avx2
     blocks: 1
     args: { out: {buffer: out, bytes: bytes, access: w}, in: {buffer: in, bytes: bytes * count * (count + 1) / 2, access: r}, bytes: {value: bytes},
             x: {buffer: x, bytes: count rounded up to 16, access: r}, count: {value: count}, scratch: {buffer: scratch, bytes: HANJI_EVALUATE_SCRATCH, access: rw} }
     aliasing: none
     stack: compiler
     secrets: none
*/

void hanji_gf16_avx2_prepare(void *multipliers, const uint8_t *elements, size_t count)
{
    prepare(multipliers, elements, count, 4);
}

void hanji_gf16_avx2_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes,
                                const void *multipliers, size_t count)
{
    accumulate(out, in, stride, bytes, multipliers, count, 4);
}

uint32_t hanji_gf16_avx2_solve(uint8_t *system, size_t size)
{
    return solve(system, size, 4);
}

void hanji_gf16_avx2_evaluate(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *x,
                              size_t count, uint8_t *scratch)
{
    /* The size of level I, which the compiler may know. */
    if (bytes == 32)
        evaluate(out, in, 32, x, count, scratch, 4);
    else
        hanji_gf16_portable_evaluate(out, in, bytes, x, count, scratch);
}

void hanji_gf256_avx2_prepare(void *multipliers, const uint8_t *elements, size_t count)
{
    prepare(multipliers, elements, count, 8);
}

void hanji_gf256_avx2_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes,
                                 const void *multipliers, size_t count)
{
    accumulate(out, in, stride, bytes, multipliers, count, 8);
}

uint32_t hanji_gf256_avx2_solve(uint8_t *system, size_t size)
{
    return solve(system, size, 8);
}

void hanji_gf256_avx2_evaluate(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *x,
                               size_t count, uint8_t *scratch)
{
    /* The sizes of levels III and V, which the compiler may know. */
    switch (bytes) {
    case 80: evaluate(out, in, 80, x, count, scratch, 8); break;
    case 100: evaluate(out, in, 100, x, count, scratch, 8); break;
    default: hanji_gf256_portable_evaluate(out, in, bytes, x, count, scratch);
    }
}

#endif
