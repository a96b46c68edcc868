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

/* factors[j] = x_i x_j from the vector of j's element on; GF(16) has logarithms in place of x. */
HANJI_INLINE void make_factors(uint8_t *factors, const uint8_t *x, const uint8_t *rows, size_t i,
                               size_t count, const unsigned bits)
{
    const vector row = bits == 4 ? _mm256_set1_epi8((char)x[i]) : repeated(rows + i * 32),
                 row16 = bits == 4 ? row : repeated(rows + i * 32 + 16);
    for (size_t j = i / 32 * 32; j < count; j += 32) {
        const vector some = load(x + j);
        store(factors + j, bits == 4 ? product_of(some, row)
                                     : times(low_nibbles(some), high_nibbles(some), row, row16));
    }
}

/*
 * The portable kernel's way. Sums of whole vectors lie side by side, and behind them those of the
 * rest, so that all stay in the first cache. Where sums are few, neighbours have sums of their own,
 * and none waits for the one before. Lines of the cache come some rows ahead: prefetchers of
 * processors stop at the end of a page.
 */
#define AHEAD 2048
HANJI_INLINE void evaluate(uint8_t *out, const uint8_t *in, const size_t bytes, const uint8_t *x,
                           const size_t count, uint8_t *scratch, const unsigned bits)
{
    const size_t values = (size_t)1 << bits, vectors = bytes / 32, whole = 32 * vectors,
                 rest = bytes % 32, copies = bits == 4 ? 4 : 1, copy = values * whole;
    uint8_t *const rests = scratch + copies * copy;
    uint8_t factors[256], elements[256] = {0}, powers[16 * 32], rows[256 * 32];
    vector folded[8][4];
    __m128i folded_rest[8];
    memcpy(elements, x, count);
    memset(scratch, 0, copies * copy + values * rest);
    if (bits == 4)
        for (size_t j = 0; j < count; j += 32)
            store(elements + j, logarithm(load(elements + j)));
    else
        for (size_t j = 0; j < count; j += 16)
            sixteen_multipliers(rows + j * 32, _mm_loadu_si128((const void *)(elements + j)), 8);
    for (size_t i = 0; i < count; i++) {
        make_factors(factors, elements, rows, i, count, bits);
        size_t j = i;
        for (; j + 4 <= count; j += 4, in += 4 * bytes) {
            UNROLL
            for (size_t at = 0; at < 4 * bytes; at += 64)
                _mm_prefetch((const char *)in + AHEAD + at, _MM_HINT_T0);
            UNROLL
            for (size_t k = 0; k < 4; k++)
                add_pair(scratch + k % copies * copy + factors[j + k] * whole,
                         rests + factors[j + k] * rest, in + k * bytes, bytes);
        }
        for (; j < count; j++, in += bytes)
            add_pair(scratch + factors[j] * whole, rests + factors[j] * rest, in, bytes);
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
    sixteen_multipliers(powers, _mm_set_epi64x(0, (int64_t)0x8040201008040201), bits);
    for (size_t v = 0; v < vectors + (rest != 0); v++) {
        vector total = _mm256_setzero_si256();
        for (size_t b = 0; b < bits; b++) {
            const vector sum = v < vectors ? folded[b][v] : _mm256_castsi128_si256(folded_rest[b]);
            const uint8_t *row = powers + b * multiplier(bits);
            const vector low = low_nibbles(sum), high = high_nibbles(sum);
            total = _mm256_xor_si256(
                total, bits == 4 ? _mm256_or_si256(_mm256_shuffle_epi8(repeated(row), low),
                                                   _mm256_slli_epi16(
                                                       _mm256_shuffle_epi8(repeated(row), high), 4))
                                 : times(low, high, repeated(row), repeated(row + 16)));
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
