/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GF(16) and GF(256) with GFNI: one instruction multiplies 128 or 64 packed elements by a constant.
 * A multiplier is the 8 x 8 bit matrix of the product by its constant, as GF2P8AFFINEQB takes it:
 * bit k of byte 7 - i is bit i of constant * 2^k; in GF(16) the constant's 4 x 4 matrix twice on
 * the diagonal. Products of two variables are made in the field of AES with GF2P8MULB, to which the
 * two constants below lead and back: the isomorphism takes 1, 2, 4, .. 128 to 01 BC 5D 0C AE EB 11
 * 89.
 */
#include "support/cpu.h"

#ifdef HANJI_X86
#include "rainbow/field.h"
#include "rainbow/matrix.h"
#include "support/secret.h"

#include <immintrin.h>

#define TO_AES (int64_t)0xe5301ebe463224b2
#define FROM_AES (int64_t)0x3f22ec64aeacdea0
/*
 * FROM_AES with the rows of the low nibble in place of those of the high one too: the image of an
 * element of GF(16) in both nibbles.
 */
#define FROM_AES_TWICE \
    (int64_t)((FROM_AES & (int64_t)0xffffffff00000000) | (int64_t)((uint64_t)FROM_AES >> 32))
#define IDENTITY (int64_t)0x0102040810204080
#define DIAGONAL (int64_t)0x0f0f0f0ff0f0f0f0
#define ONE_TO_128 (int64_t)0x01bc5d0caeeb1189 /* byte 7 - k: what 2^k becomes */
#define ONE_TO_8_TWICE (int64_t)0x01bc5d0c01bc5d0c
#define MULTIPLIER 8

/*
 * A matrix that comes in a register. clang 14 writes a wrong address when GF2P8AFFINEQB takes its
 * matrix as one word of memory for all lanes: it scales short displacements by 1, the processor by
 * 8.
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

HANJI_INLINE __m512i add(__m512i a, __m512i b)
{
    return _mm512_xor_si512(a, b);
}

HANJI_INLINE __m512i load(const uint8_t *from)
{
    return _mm512_loadu_si512(from);
}

/* One multiplier for all words. */
HANJI_INLINE __m512i everywhere(const uint8_t *multiplier)
{
    return _mm512_set1_epi64((int64_t)load_le64(multiplier));
}

/* The lowest `bytes` bits, 64 at most. */
HANJI_INLINE uint64_t first_bytes(size_t bytes)
{
    return bytes >= 64 ? UINT64_MAX : ((uint64_t)1 << bytes) - 1;
}

/* Eight multipliers; `constants` has one element per byte. */
HANJI_INLINE __m512i eight_multipliers(__m128i constants, const unsigned bits)
{
    const __m512i spread = _mm512_set_epi64(
        0x0707070707070707, 0x0606060606060606, 0x0505050505050505, 0x0404040404040404,
        0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0);
    __m512i images = _mm512_shuffle_epi8(_mm512_broadcast_i32x4(constants), spread);
    images = times(images, _mm512_set1_epi64(TO_AES));
    images =
        _mm512_gf2p8mul_epi8(images, _mm512_set1_epi64(bits == 4 ? ONE_TO_8_TWICE : ONE_TO_128));
    images = times(images, _mm512_set1_epi64(bits == 4 ? FROM_AES_TWICE : FROM_AES));
    if (bits == 4)
        images = _mm512_and_si512(images, _mm512_set1_epi64(DIAGONAL));
    /* The transposition of a bit matrix: its product with each unit vector. */
    return times(_mm512_set1_epi64(IDENTITY), images);
}

HANJI_INLINE void prepare(uint8_t *out, const uint8_t *elements, size_t count, const unsigned bits)
{
    const __m128i nibble = _mm_set1_epi8(15);
    for (size_t i = 0; i < count; i += 8, out += 8 * (size_t)MULTIPLIER) {
        const size_t now = count - i < 8 ? count - i : 8, bytes = (now * bits + 7) / 8;
        __m128i some = _mm_maskz_loadu_epi8((__mmask16)first_bytes(bytes), elements + i * bits / 8);
        if (bits == 4)
            some = _mm_unpacklo_epi8(_mm_and_si128(some, nibble),
                                     _mm_and_si128(_mm_srli_epi16(some, 4), nibble));
        _mm512_storeu_si512(out, eight_multipliers(some, bits));
    }
}

/* `vectors` (8, 4, 2 or 1) vectors of the sum, the last of them under a mask. */
HANJI_INLINE void columns(uint8_t *out, const uint8_t *in, size_t stride,
                          const uint8_t *multipliers, size_t count, const size_t vectors,
                          __mmask64 mask)
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i s0 = zero, s1 = zero, s2 = zero, s3 = zero, s4 = zero, s5 = zero, s6 = zero, s7 = zero;
#define EACH(do, n)    \
    if (vectors > (n)) \
        do             \
        (s##n, 64 * (n), vectors == (n) + 1 ? mask : UINT64_MAX)
#define ALL(do) \
    EACH(do, 0) EACH(do, 1) EACH(do, 2) EACH(do, 3) EACH(do, 4) EACH(do, 5) EACH(do, 6) EACH(do, 7)
#define ADD_PRODUCT(sum, at, m) sum = add(sum, times(_mm512_maskz_loadu_epi8(m, in + (at)), by));
#define STORE(sum, at, m) \
    _mm512_mask_storeu_epi8(out + (at), m, add(sum, _mm512_maskz_loadu_epi8(m, out + (at))));
    for (; count > 0; count--, in += stride, multipliers += MULTIPLIER) {
        const __m512i by = everywhere(multipliers);
        ALL(ADD_PRODUCT)
    }
    ALL(STORE)
#undef ADD_PRODUCT
#undef STORE
#undef ALL
#undef EACH
}

/* Four multipliers or two, and no byte behind them. */
HANJI_INLINE __m512i whole_group(const uint8_t *from, const size_t together)
{
    if (together == 4)
        return _mm512_castsi256_si512(_mm256_loadu_si256((const void *)from));
    return _mm512_castsi128_si512(_mm_loadu_si128((const void *)from));
}

/* Columns of 16 or 32 bytes that lie side by side, four or two to a vector. */
HANJI_INLINE void narrow_columns(uint8_t *out, const uint8_t *in, const size_t bytes,
                                 const uint8_t *multipliers, size_t count)
{
    const size_t together = 64 / bytes;
    const __m512i spread = bytes == 16 ? _mm512_set_epi64(3, 3, 2, 2, 1, 1, 0, 0)
                                       : _mm512_set_epi64(1, 1, 1, 1, 0, 0, 0, 0);
    __m512i even = _mm512_setzero_si512(), odd = even;
    for (; count >= 2 * together;
         count -= 2 * together, in += 128, multipliers += 2 * together * MULTIPLIER) {
        const __m512i each = whole_group(multipliers, together),
                      next = whole_group(multipliers + together * MULTIPLIER, together);
        even = add(even, times(load(in), _mm512_permutexvar_epi64(spread, each)));
        odd = add(odd, times(load(in + 64), _mm512_permutexvar_epi64(spread, next)));
    }
    even = add(even, odd);
    for (; count > 0; count -= count < together ? count : together, in += 64,
                      multipliers += together * MULTIPLIER) {
        const size_t now = count < together ? count : together;
        const __m512i each = _mm512_castsi256_si512(
            _mm256_maskz_loadu_epi64((__mmask8)first_bytes(now), multipliers));
        even = add(even, times(_mm512_maskz_loadu_epi8(first_bytes(now * bytes), in),
                               _mm512_permutexvar_epi64(spread, each)));
    }
    __m256i half =
        _mm256_xor_si256(_mm512_castsi512_si256(even), _mm512_extracti64x4_epi64(even, 1));
    if (bytes == 32) {
        _mm256_storeu_si256((void *)out,
                            _mm256_xor_si256(half, _mm256_loadu_si256((const void *)out)));
    } else {
        const __m128i quarter =
            _mm_xor_si128(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
        _mm_storeu_si128((void *)out, _mm_xor_si128(quarter, _mm_loadu_si128((const void *)out)));
    }
}

HANJI_INLINE void accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes,
                             const uint8_t *multipliers, size_t count)
{
    if (bytes == 16 && stride == 16) {
        narrow_columns(out, in, 16, multipliers, count);
        return;
    }
    if (bytes == 32 && stride == 32) {
        narrow_columns(out, in, 32, multipliers, count);
        return;
    }
#define PART(vectors)                                                       \
    {                                                                       \
        const size_t now = bytes < 64 * (vectors) ? bytes : 64 * (vectors); \
        columns(out, in, stride, multipliers, count, vectors,               \
                first_bytes(now - 64 * ((vectors)-1)));                     \
        bytes -= now, in += now, out += now;                                \
    }
    while (bytes > 64 * 7)
        PART(8)
    if (bytes > 64 * 3)
        PART(4)
    if (bytes > 64)
        PART(2)
    if (bytes > 0)
        PART(1)
#undef PART
}

/* Which of a group's multipliers each word of its vector number `vector` takes. */
HANJI_INLINE __m512i spread_over(const size_t bytes, const size_t vector)
{
    int64_t of[8];
    for (size_t i = 0; i < 8; i++)
        of[i] = (int64_t)((64 * vector + 8 * i) / bytes);
    return _mm512_set_epi64(of[7], of[6], of[5], of[4], of[3], of[2], of[1], of[0]);
}

/* Those of a group, as far as `keep` has them; a single one is for all words. */
HANJI_INLINE __m512i group_multipliers(const uint8_t *from, const size_t together, uint32_t keep)
{
    if (together == 1)
        return everywhere(from);
    if (keep == ~(uint32_t)0)
        return whole_group(from, together);
    return _mm512_castsi256_si512(
        _mm256_maskz_loadu_epi64((__mmask8)(keep & (together == 4 ? 15 : 3)), from));
}

/*
 * Groups of vectors that end with a vector of 64 bytes: `together` in `wide` (1, 3 or 5) of them.
 * The form's rows are added up group by group, and a row's sum, with its vectors still side by
 * side, is added times its own multiplier; what lies side by side is joined at the end. Rows begin
 * and end anywhere in a group: multipliers of vectors outside are zero. A vector of 100 bytes is a
 * group of its own, in a vector of 64 bytes and a part of one. Lines of the cache come some groups
 * ahead: prefetchers of processors stop at the end of a page.
 */
#define AHEAD 4096
HANJI_INLINE void form(uint8_t *out, const uint8_t *in, const uint8_t *x, const uint8_t *y,
                       uint64_t shape, const size_t bytes)
{
    const size_t rows = shape >> 16 & 0xffff, length = shape >> 32 & 0xffff,
                 step = (size_t)(shape >> 48);
    const size_t wide = bytes == 48    ? 3
                        : bytes == 80  ? 5
                        : bytes == 100 ? 2
                                       : 1,
                 together = 64 * wide / bytes, span = together * bytes;
    const __m512i zero = _mm512_setzero_si512();
    const __m512i p0 = spread_over(bytes, 0), p1 = spread_over(bytes, wide > 1 ? 1 : 0),
                  p2 = spread_over(bytes, wide > 1 ? 2 : 0),
                  p3 = spread_over(bytes, wide > 3 ? 3 : 0),
                  p4 = spread_over(bytes, wide > 3 ? 4 : 0);
    const size_t total = rows * length - (step == 0 ? 0 : rows * (rows - 1) / 2),
                 whole = total / together;
    __m512i t0 = zero, t1 = zero, t2 = zero, t3 = zero, t4 = zero;
#define EACH(do, n) \
    if (wide > (n)) \
        do          \
        (n)
#define ALL(do) EACH(do, 0) EACH(do, 1) EACH(do, 2) EACH(do, 3) EACH(do, 4)
#define SPREAD(n) (together == 1 ? by : _mm512_permutexvar_epi64(p##n, by))
#define LOAD(n)                                                                                    \
    (64 * (n) + 64 > span ? _mm512_maskz_loadu_epi8(first_bytes(span - 64 * (n)), from + 64 * (n)) \
                          : load(from + 64 * (n)))
#define ADD_ROW(n) r##n = add(r##n, times(LOAD(n), SPREAD(n)));
#define FETCH(n) _mm_prefetch((const char *)from + AHEAD + 64 * (n), _MM_HINT_T0);
#define ADD_LAST(n)                                                                               \
    r##n =                                                                                        \
        add(r##n, times(_mm512_maskz_loadu_epi8(                                                  \
                            left > 64 * (n) ? first_bytes(left - 64 * (n)) : 0, from + 64 * (n)), \
                        SPREAD(n)));
#define ADD_TOTAL(n) t##n = add(t##n, times(r##n, by));
    for (size_t i = 0, at = 0; i < rows; i++) {
        /* This row's vectors are number at .. end - 1. */
        const size_t end = at + length - (step == 0 ? 0 : i), before = at % together,
                     last = (end - 1) / together;
        size_t group = at / together;
        /* May lie before y; what is before y is never read. */
        const uint8_t *m = y + ((ptrdiff_t)(step == 0 ? 0 : i) - (ptrdiff_t)before) * MULTIPLIER,
                      *from = in + group * span;
        uint32_t keep = ~(uint32_t)0 << before;
        __m512i r0 = zero, r1 = zero, r2 = zero, r3 = zero, r4 = zero;
        if (before != 0 && group < last) {
            const __m512i by = group_multipliers(m, together, keep);
            ALL(ADD_ROW)
            keep = ~(uint32_t)0;
            group++, from += span, m += together * MULTIPLIER;
        }
        for (; group < last; group++, from += span, m += together * MULTIPLIER) {
            const __m512i by = group_multipliers(m, together, ~(uint32_t)0);
            ALL(FETCH)
            ALL(ADD_ROW)
        }
        keep &= ((uint32_t)1 << (end - last * together)) - 1;
        {
            const __m512i by = group_multipliers(m, together, keep);
            if (group < whole) {
                ALL(ADD_ROW)
            } else {
                const size_t left = (total - group * together) * bytes;
                ALL(ADD_LAST)
            }
        }
        const __m512i by = everywhere(x + i * MULTIPLIER);
        ALL(ADD_TOTAL)
        at = end;
    }
    uint8_t joined[320];
#define KEEP(n) _mm512_storeu_si512(joined + 64 * (n), t##n);
    ALL(KEEP)
#undef KEEP
#undef LOAD
#undef ADD_ROW
#undef FETCH
#undef SPREAD
#undef ADD_LAST
#undef ADD_TOTAL
#undef ALL
#undef EACH
    for (size_t i = 0; i < span; i += bytes) {
        size_t j = 0;
        for (; j + 16 <= bytes; j += 16) {
            const __m128i sum = _mm_xor_si128(_mm_loadu_si128((const void *)(out + j)),
                                              _mm_loadu_si128((const void *)(joined + i + j)));
            _mm_storeu_si128((void *)(out + j), sum);
        }
        if (j < bytes) { /* in a vector, too: no data in a general register */
            const __mmask16 rest = (__mmask16)first_bytes(bytes - j);
            const __m128i sum = _mm_xor_si128(_mm_maskz_loadu_epi8(rest, out + j),
                                              _mm_maskz_loadu_epi8(rest, joined + i + j));
            _mm_mask_storeu_epi8(out + j, rest, sum);
        }
    }
}

/*
 * Gauss-Jordan elimination in the field of AES with whole columns in vectors, two in each when they
 * have 32 bytes. The pivot of a column is its first entry that is not zero in a row that has not
 * been one; rows stay where they are, and the solution is put in order at the end. Row numbers are
 * secret: they live in vectors, as bytes and as indices of byte shuffles, which take the same time
 * for all.
 */
HANJI_INLINE uint32_t eliminate(uint8_t *system, size_t size, const size_t stride)
{
    const __m512i zero = _mm512_setzero_si512();
    const __m512i half = stride == 32
                             ? _mm512_set_epi64(0x2020202020202020, 0x2020202020202020,
                                                0x2020202020202020, 0x2020202020202020, 0, 0, 0, 0)
                             : zero;
    const __m512i number =
        _mm512_sub_epi8(_mm512_set_epi64(0x3f3e3d3c3b3a3938, 0x3736353433323130, 0x2f2e2d2c2b2a2928,
                                         0x2726252423222120, 0x1f1e1d1c1b1a1918, 0x1716151413121110,
                                         0x0f0e0d0c0b0a0908, 0x0706050403020100),
                        half); /* of the row in each lane */
    const size_t bytes = (size + 1) * stride;
    const uint64_t rows = first_bytes(size);
    __m512i unused = _mm512_movm_epi8(stride == 32 ? rows | rows << 32 : rows), order = zero,
            pivots;
#define COLUMN(c)                                                                          \
    (stride == 32                                                                          \
         ? _mm512_broadcast_i64x4(_mm256_loadu_si256((const void *)(system + (c)*stride))) \
         : load(system + (c)*stride))
#define ELIMINATED(column)                                                                        \
    add(column, _mm512_gf2p8mul_epi8(_mm512_permutexvar_epi8(_mm512_or_si512(row, half), column), \
                                     factors))
#define FIRST(bytes_) \
    _mm512_broadcastb_epi8(_mm512_castsi512_si128(_mm512_maskz_compress_epi8(candidates, bytes_)))
    for (size_t at = 0; at < bytes; at += 64)
        _mm512_storeu_si512(system + at, times(load(system + at), _mm512_set1_epi64(TO_AES)));
    pivots = COLUMN(0);
    for (size_t k = 0; k < size; k++) {
        /*
         * Each row loses its entry over the pivot times the pivot's row, which itself keeps one
         * over the pivot: it loses 1 + 1 / pivot times itself.
         */
        const __m512i inverses =
            _mm512_gf2p8affineinv_epi64_epi8(pivots, in_register(_mm512_set1_epi64(IDENTITY)), 0);
        const __mmask64 candidates = _mm512_test_epi8_mask(pivots, unused);
        const __m512i inverse = FIRST(inverses), row = FIRST(number);
        const __mmask64 here = _mm512_mask_cmpeq_epi8_mask(candidates, number, row);
        const __m512i quotients = _mm512_gf2p8mul_epi8(pivots, inverse),
                      factors = add(quotients, _mm512_maskz_mov_epi8(here, inverse));
        unused = _mm512_mask_mov_epi8(unused, here, zero);
        order = _mm512_mask_mov_epi8(order, (uint64_t)1 << k, row);
        /* The next pivots first, and not through memory: all else waits for them. */
        pivots = COLUMN(k + 1);
        pivots = ELIMINATED(pivots);
        for (size_t at = (k + 2) * stride / 64 * 64; at < bytes; at += 64) {
            const __m512i column = load(system + at);
            _mm512_storeu_si512(system + at, ELIMINATED(column));
        }
    }
#undef FIRST
#undef ELIMINATED
#undef COLUMN
    /* The last column that was kept in a register is the right side. */
    _mm512_mask_storeu_epi8(
        system + size * stride, stride == 32 ? UINT32_MAX : UINT64_MAX,
        times(_mm512_permutexvar_epi8(order, pivots), _mm512_set1_epi64(FROM_AES)));
    /* The answer leaves the vectors: the caller makes it public. */
    return (uint32_t)(((uint64_t)_mm512_test_epi64_mask(unused, unused) - 1) >> 63);
}

HANJI_INLINE uint32_t solve(uint8_t *system, size_t size)
{
    return hanji_system_column(size) == 32 ? eliminate(system, size, 32)
                                           : eliminate(system, size, 64);
}

#define FORM(bytes)                                                                            \
    static HANJI_NOINLINE void form_##bytes(uint8_t *out, const uint8_t *in, const uint8_t *x, \
                                            const uint8_t *y, uint64_t shape)                  \
    {                                                                                          \
        form(out, in, x, y, shape, bytes);                                                     \
    }

/* The same for both fields. */
FORM(16)
FORM(32)
FORM(48)
FORM(64)
FORM(80)
FORM(100)

HANJI_INLINE void any_form(uint8_t *out, const uint8_t *in, const uint8_t *x, const uint8_t *y,
                           uint64_t shape)
{
    const uint64_t bytes = shape & 0xffff;
    if (bytes <= 32)
        (bytes == 16 ? form_16 : form_32)(out, in, x, y, shape);
    else if (bytes <= 64)
        (bytes == 48 ? form_48 : form_64)(out, in, x, y, shape);
    else
        (bytes == 80 ? form_80 : form_100)(out, in, x, y, shape);
}

// void hanji_FIELD_avx512_prepare(void *multipliers, const uint8_t *elements, size_t count)
/* kernel:
     spec: [gf16.prepare, gf256.prepare]
     isa: avx512
     blocks: 1
     args: { multipliers: {buffer: multipliers, bytes: 8 * (count rounded up to 8), access: w}, elements: {buffer: elements, bytes: count * bits / 8, access: r},
             count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: elements, multipliers
*/
// void hanji_FIELD_avx512_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
/* kernel:
     spec: [gf16.accumulate, gf256.accumulate]
     isa: avx512
     blocks: 1
     args: { out: {buffer: out, bytes: bytes, access: rw}, in: {buffer: in, bytes: stride * (count - 1) + bytes, access: r}, stride: {value: stride},
             bytes: {value: bytes}, multipliers: {buffer: multipliers, bytes: 8 * count, access: r}, count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: in, multipliers, out
*/
// uint32_t hanji_FIELD_avx512_solve(uint8_t *system, size_t size)
/* kernel:
     spec: [gf16.solve, gf256.solve]
     isa: avx512
     blocks: 1
     args: { system: {buffer: system, bytes: HANJI_SYSTEM_BYTES, access: rw}, size: {value: size} }
     aliasing: none
     stack: compiler
     secrets: system
*/
// void hanji_FIELD_avx512_form(uint8_t *out, const uint8_t *in, const void *x, const void *y, uint64_t shape)
/* kernel:
     spec: [gf16.form, gf256.form]
     isa: avx512
     blocks: 1
     args: { out: {buffer: out, bytes: bytes, access: rw}, in: {buffer: in, bytes: bytes * (rows * columns - step * rows * (rows - 1) / 2), access: r},
             x: {buffer: x, bytes: 8 * rows, access: r}, y: {buffer: y, bytes: 8 * columns, access: r}, shape: {value: shape} }
     aliasing: none
     stack: compiler
     secrets: in, x, y, out
*/

void hanji_gf16_avx512_prepare(void *multipliers, const uint8_t *elements, size_t count)
{
    prepare(multipliers, elements, count, 4);
}

void hanji_gf16_avx512_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes,
                                  const void *multipliers, size_t count)
{
    accumulate(out, in, stride, bytes, multipliers, count);
}

uint32_t hanji_gf16_avx512_solve(uint8_t *system, size_t size)
{
    return solve(system, size);
}

void hanji_gf16_avx512_form(uint8_t *out, const uint8_t *in, const void *x, const void *y,
                            uint64_t shape)
{
    any_form(out, in, x, y, shape);
}

void hanji_gf256_avx512_prepare(void *multipliers, const uint8_t *elements, size_t count)
{
    prepare(multipliers, elements, count, 8);
}

void hanji_gf256_avx512_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes,
                                   const void *multipliers, size_t count)
{
    accumulate(out, in, stride, bytes, multipliers, count);
}

uint32_t hanji_gf256_avx512_solve(uint8_t *system, size_t size)
{
    return solve(system, size);
}

void hanji_gf256_avx512_form(uint8_t *out, const uint8_t *in, const void *x, const void *y,
                             uint64_t shape)
{
    any_form(out, in, x, y, shape);
}

#endif
