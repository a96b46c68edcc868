/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NEON kernels of both fields after "Look-up the Rainbow" (Kwon, Kim, Sim, Lee, Seo: 16-lane
 * look-up with TBL, the paper's Fig. 6 to 8). The paper fetches the row of the table that belongs
 * to a constant from memory, at an address that shows the constant. Here rows are made: for 16
 * constants at once, the products by each x are 16 look-ups in public rows, and a transposition
 * gives the rows. A multiplier is a row of 16 bytes, c * x; in GF(256) a second one, c * 16 x,
 * takes the place of the paper's Karatsuba step.
 */
#include "support/cpu.h"

#ifdef HANJI_A64
#include "rainbow/field.h"
#include "rainbow/matrix.h"

#include <arm_neon.h>

/* Bytes of a multiplier. */
HANJI_INLINE size_t multiplier(const unsigned bits)
{
    return bits == 4 ? 16 : 32;
}

#define MULTIPLIER_MAX ((size_t)32)

/* c * x in GF(16): row c, the paper's Table 2. tests/rainbow computes it again. */
static const uint8_t products[16][16] = {
    {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {0, 2, 3, 1, 8, 10, 11, 9, 12, 14, 15, 13, 4, 6, 7, 5},
    {0, 3, 1, 2, 12, 15, 13, 14, 4, 7, 5, 6, 8, 11, 9, 10},
    {0, 4, 8, 12, 6, 2, 14, 10, 11, 15, 3, 7, 13, 9, 5, 1},
    {0, 5, 10, 15, 2, 7, 8, 13, 3, 6, 9, 12, 1, 4, 11, 14},
    {0, 6, 11, 13, 14, 8, 5, 3, 7, 1, 12, 10, 9, 15, 2, 4},
    {0, 7, 9, 14, 10, 13, 3, 4, 15, 8, 6, 1, 5, 2, 12, 11},
    {0, 8, 12, 4, 11, 3, 7, 15, 13, 5, 1, 9, 6, 14, 10, 2},
    {0, 9, 14, 7, 15, 6, 1, 8, 5, 12, 11, 2, 10, 3, 4, 13},
    {0, 10, 15, 5, 3, 9, 12, 6, 1, 11, 14, 4, 2, 8, 13, 7},
    {0, 11, 13, 6, 7, 12, 10, 1, 9, 2, 4, 15, 14, 5, 3, 8},
    {0, 12, 4, 8, 13, 1, 9, 5, 6, 10, 2, 14, 11, 7, 15, 3},
    {0, 13, 6, 11, 9, 4, 15, 2, 14, 3, 8, 5, 7, 10, 1, 12},
    {0, 14, 7, 9, 5, 11, 2, 12, 10, 4, 13, 3, 15, 1, 8, 6},
    {0, 15, 5, 10, 1, 14, 4, 11, 2, 13, 7, 8, 3, 12, 6, 9},
};

/* Lane i of `by` [x] becomes byte x of row i; rows lie a multiplier apart. */
HANJI_INLINE void transpose(uint8_t *rows, const uint8x16_t by[16], const unsigned bits)
{
    uint8_t fours[4][64];
    for (size_t g = 0; g < 4; g++) {
        const uint8x16x4_t four = {{by[4 * g], by[4 * g + 1], by[4 * g + 2], by[4 * g + 3]}};
        vst4q_u8(fours[g], four); /* a macro in clang's header */
    }
    for (size_t q = 0; q < 4; q++) {
        uint32x4x4_t row;
        for (size_t g = 0; g < 4; g++)
            row.val[g] = vreinterpretq_u32_u8(vld1q_u8(fours[g] + 16 * q));
        if (bits == 4) {
            vst4q_u32((uint32_t *)(void *)(rows + 64 * q), row);
        } else {
            uint32_t packed[16];
            vst4q_u32(packed, row);
            for (size_t i = 0; i < 4; i++)
                vst1q_u8(rows + multiplier(bits) * (4 * q + i),
                         vreinterpretq_u8_u32(vld1q_u32(packed + 4 * i)));
        }
    }
}

/* Multipliers of 16 constants, one per byte. */
HANJI_INLINE void sixteen_multipliers(uint8_t *rows, uint8x16_t constants, const unsigned bits)
{
    uint8x16_t by[16], by16[16];
    if (bits == 4) {
        for (size_t x = 0; x < 16; x++)
            by[x] = vqtbl1q_u8(vld1q_u8(products[x]), constants);
        transpose(rows, by, bits);
        return;
    }
    const uint8x16_t low = vandq_u8(constants, vdupq_n_u8(15)), high = vshrq_n_u8(constants, 4);
    for (size_t x = 0; x < 16; x++) {
        const uint8x16_t row = vld1q_u8(products[x]), row8 = vld1q_u8(products[products[8][x]]);
        const uint8x16_t l = vqtbl1q_u8(row, low), h = vqtbl1q_u8(row, high);
        by[x] = vsliq_n_u8(l, h, 4);
        by16[x] = vsliq_n_u8(vqtbl1q_u8(row8, high), veorq_u8(l, h), 4);
    }
    transpose(rows, by, bits);
    transpose(rows + 16, by16, bits);
}

HANJI_INLINE void prepare(uint8_t *out, const uint8_t *elements, size_t count, const unsigned bits)
{
    for (size_t i = 0; i < count; i += 16, out += 16 * multiplier(bits)) {
        uint8_t some[16] = {0};
        const size_t now = count - i < 16 ? count - i : 16;
        if (bits == 4) {
            memcpy(some, elements + i / 2, (now + 1) / 2);
            const uint8x8_t pairs = vld1_u8(some);
            sixteen_multipliers(
                out,
                vcombine_u8(vzip1_u8(vand_u8(pairs, vdup_n_u8(15)), vshr_n_u8(pairs, 4)),
                            vzip2_u8(vand_u8(pairs, vdup_n_u8(15)), vshr_n_u8(pairs, 4))),
                bits);
        } else if (now == 16) {
            sixteen_multipliers(out, vld1q_u8(elements + i), bits);
        } else {
            memcpy(some, elements + i, now);
            sixteen_multipliers(out, vld1q_u8(some), bits);
        }
    }
}

/*
 * `vectors` vectors of the sum, of which the last begins at `last` and adds only the bytes that
 * `keep` has.
 */
HANJI_INLINE void piece(uint8_t *out, const uint8_t *in, size_t stride, const uint8_t *multipliers,
                        size_t count, size_t vectors, size_t last, uint8x16_t keep,
                        const unsigned bits)
{
    const uint8x16_t nibble = vdupq_n_u8(15);
    uint8x16_t sums[4], highs[4];
    for (size_t i = 0; i < vectors; i++)
        sums[i] = highs[i] = vdupq_n_u8(0);
    for (; count > 0; count--, in += stride, multipliers += multiplier(bits)) {
        uint8x16_t data[4];
        if (vectors == 4 && last == 48) {
            const uint8x16x4_t four = vld1q_u8_x4(in);
            for (size_t i = 0; i < 4; i++)
                data[i] = four.val[i];
        } else {
            for (size_t i = 0; i < vectors; i++)
                data[i] = vld1q_u8(in + (i == vectors - 1 ? last : 16 * i));
        }
        const uint8x16_t row = vld1q_u8(multipliers),
                         row16 = bits == 4 ? row : vld1q_u8(multipliers + 16);
        for (size_t i = 0; i < vectors; i++) {
            const uint8x16_t low = vqtbl1q_u8(row, vandq_u8(data[i], nibble)),
                             high = vqtbl1q_u8(row16, vshrq_n_u8(data[i], 4));
            sums[i] = veorq_u8(sums[i], low);
            if (bits == 4)
                highs[i] = veorq_u8(highs[i], high);
            else
                sums[i] = veorq_u8(sums[i], high);
        }
    }
    for (size_t i = 0; i < vectors; i++) {
        uint8_t *to = out + (i == vectors - 1 ? last : 16 * i);
        uint8x16_t sum = bits == 4 ? veorq_u8(sums[i], vshlq_n_u8(highs[i], 4)) : sums[i];
        if (i == vectors - 1)
            sum = vandq_u8(sum, keep);
        vst1q_u8(to, veorq_u8(vld1q_u8(to), sum));
    }
}

HANJI_INLINE void accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes,
                             const void *multipliers, size_t count, const unsigned bits)
{
    static const uint8_t tail[32] = {0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,
                                     0,   0,   0,   0,   0,   255, 255, 255, 255, 255, 255,
                                     255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    for (; bytes >= 80 || bytes == 64; bytes -= 64, in += 64, out += 64)
        piece(out, in, stride, multipliers, count, 4, 48, vdupq_n_u8(255), bits);
    if (bytes == 0)
        return;
    /*
     * 16 to 79 bytes are left; what the last vector has in common with the one before is added
     * once.
     */
    const size_t vectors = (bytes + 15) / 16, over = 16 * vectors - bytes;
    const uint8x16_t keep = vld1q_u8(tail + 16 - over);
    switch (vectors) {
    case 1: piece(out, in, stride, multipliers, count, 1, 0, keep, bits); break;
    case 2: piece(out, in, stride, multipliers, count, 2, bytes - 16, keep, bits); break;
    case 3: piece(out, in, stride, multipliers, count, 3, bytes - 16, keep, bits); break;
    case 4: piece(out, in, stride, multipliers, count, 4, bytes - 16, keep, bits); break;
    default:
        piece(out, in, stride, multipliers, count, 3, 32, vdupq_n_u8(255), bits);
        piece(out + 48, in + 48, stride, multipliers, count, 2, bytes - 64, keep, bits);
    }
}

/* data * the constant of a multiplier, for elements in bytes. */
HANJI_INLINE uint8x16_t times(uint8x16_t low, uint8x16_t high, uint8x16_t row, uint8x16_t row16,
                              const unsigned bits)
{
    return bits == 4 ? vqtbl1q_u8(row, low)
                     : veorq_u8(vqtbl1q_u8(row, low), vqtbl1q_u8(row16, high));
}

/*
 * Elimination as in the portable kernel. The entries of the pivot row and of the row that helps it
 * are looked up in each column with a secret index in a register.
 */
HANJI_INLINE uint32_t eliminate(uint8_t *system, size_t size, size_t stride, const unsigned bits)
{
    const uint8x16_t nibble = vdupq_n_u8(15);
    const size_t vectors = stride / 16;
    uint64_t regular = UINT64_MAX;
    for (size_t k = 0; k < size; k++) {
        uint8_t entries[2 * (HANJI_SYSTEM_MAX + 16)] = {0},
                                                rows[(HANJI_SYSTEM_MAX + 16) * MULTIPLIER_MAX],
                                                factors[HANJI_SYSTEM_MAX];
        const uint8_t *pivots = system + k * stride;
        uint64_t pivot = pivots[k], helper = 0, helped = 0;
        for (size_t j = k + 1; j < size; j++) {
            const uint64_t take = zero_mask(pivot) & ~zero_mask(pivots[j]);
            helper |= j & take;
            helped |= take;
            pivot ^= pivots[j] & take;
        }
        regular &= ~zero_mask(pivot);
        sixteen_multipliers(
            rows,
            vsetq_lane_u8((uint8_t)(bits == 4 ? gf16_invert(pivot) : gf256_invert(pivot)),
                          vdupq_n_u8(0), 0),
            bits);
        memcpy(factors, pivots, stride);
        factors[k] = 1;
        uint8x16_t low[4], high[4];
        for (size_t i = 0; i < vectors; i++) {
            const uint8x16_t old = vld1q_u8(factors + 16 * i);
            const uint8x16_t made = times(vandq_u8(old, nibble), vshrq_n_u8(old, 4), vld1q_u8(rows),
                                          vld1q_u8(rows + (bits == 4 ? 0 : 16)), bits);
            low[i] = vandq_u8(made, nibble);
            high[i] = vshrq_n_u8(made, 4);
        }
        /* An index past the table gives 0: nothing is added when the pivot needs no help. */
        const uint8x16_t index =
            vsetq_lane_u8((uint8_t)(helper | ~helped), vdupq_n_u8((uint8_t)k), 1);
        const size_t columns = size - k;
        uint8_t *column = system + (k + 1) * stride;
        for (size_t c = 0; c < columns; c++, column += stride) {
            const uint8x16_t found = vectors == 2 ? vqtbl2q_u8(vld1q_u8_x2(column), index)
                                                  : vqtbl4q_u8(vld1q_u8_x4(column), index);
            vst1q_lane_u16((uint16_t *)(void *)(entries + 2 * c), vreinterpretq_u16_u8(found), 0);
            column[k] = 0;
        }
        for (size_t c = 0; c < columns; c += 16) {
            const uint8x16x2_t pair = vld2q_u8(entries + 2 * c);
            sixteen_multipliers(rows + c * multiplier(bits), veorq_u8(pair.val[0], pair.val[1]),
                                bits);
        }
        column = system + (k + 1) * stride;
        for (size_t c = 0; c < columns; c++, column += stride) {
            const uint8x16_t row = vld1q_u8(rows + c * multiplier(bits)),
                             row16 = vld1q_u8(rows + c * multiplier(bits) + (bits == 4 ? 0 : 16));
            for (size_t i = 0; i < vectors; i++)
                vst1q_u8(column + 16 * i, veorq_u8(vld1q_u8(column + 16 * i),
                                                   times(low[i], high[i], row, row16, bits)));
        }
    }
    return (uint32_t)(regular & 1);
}

HANJI_INLINE uint32_t solve(uint8_t *system, size_t size, const unsigned bits)
{
    return hanji_system_column(size) == 32 ? eliminate(system, size, 32, bits)
                                           : eliminate(system, size, 64, bits);
}

#define SUM_BYTES ((size_t)128)

HANJI_INLINE void load_many(uint8x16_t *to, const uint8_t *from, size_t vectors, size_t last)
{
    size_t i = 0;
    for (; i + 4 <= vectors - 1 || (i + 4 == vectors && last == 16 * (i + 3)); i += 4) {
        const uint8x16x4_t four = vld1q_u8_x4(from + 16 * i);
        for (size_t j = 0; j < 4; j++)
            to[i + j] = four.val[j];
    }
    if (i + 2 <= vectors - 1 || (i + 2 == vectors && last == 16 * (i + 1))) {
        const uint8x16x2_t two = vld1q_u8_x2(from + 16 * i);
        to[i] = two.val[0];
        to[i + 1] = two.val[1];
        i += 2;
    }
    if (i < vectors)
        to[i] = vld1q_u8(from + last);
}

HANJI_INLINE void store_many(uint8_t *to, const uint8x16_t *from, size_t vectors)
{
    size_t i = 0;
    for (; i + 4 <= vectors; i += 4) {
        const uint8x16x4_t four = {{from[i], from[i + 1], from[i + 2], from[i + 3]}};
        vst1q_u8_x4(to + 16 * i, four);
    }
    if (i + 2 <= vectors) {
        const uint8x16x2_t two = {{from[i], from[i + 1]}};
        vst1q_u8_x2(to + 16 * i, two);
        i += 2;
    }
    if (i < vectors)
        vst1q_u8(to + 16 * i, from[i]);
}

HANJI_INLINE void add_to_sum(uint8_t *at, const uint8_t *in, size_t vectors, size_t last)
{
    uint8x16_t sum[7], data[7];
    load_many(data, in, vectors, last);
    load_many(sum, at, vectors, 16 * (vectors - 1));
    for (size_t v = 0; v < vectors; v++)
        sum[v] = veorq_u8(sum[v], data[v]);
    store_many(at, sum, vectors);
}

/*
 * The portable kernel's way, with whole vectors. A last vector that is cut overlaps the one before;
 * sums keep it apart, and what is double is not written at the end.
 */
HANJI_INLINE void evaluate(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *x,
                           size_t count, uint8_t *scratch, const unsigned bits)
{
    const size_t vectors = (bytes + 15) / 16, last = bytes - 16, values = (size_t)1 << bits;
    const uint8x16_t nibble = vdupq_n_u8(15);
    uint8_t factors[256], rows[256 * MULTIPLIER_MAX], result[128];
    uint8x16_t folded[8][7], sum[7], data[7];
    for (size_t value = 0; value < values; value++)
        memset(scratch + value * SUM_BYTES, 0, 16 * vectors);
    for (size_t i = 0; i < count; i += 16)
        sixteen_multipliers(rows + i * multiplier(bits), vld1q_u8(x + i), bits);
    for (size_t i = 0; i < count; i++) {
        const uint8x16_t row1 = vld1q_u8(rows + i * multiplier(bits)),
                         row16 = vld1q_u8(rows + i * multiplier(bits) + (bits == 4 ? 0 : 16));
        for (size_t j = i / 16 * 16; j < count; j += 16) {
            const uint8x16_t element = vld1q_u8(x + j);
            vst1q_u8(factors + j,
                     times(vandq_u8(element, nibble), vshrq_n_u8(element, 4), row1, row16, bits));
        }
        size_t j = i;
        for (; j + 2 <= count; j += 2, in += 2 * bytes) {
            add_to_sum(scratch + factors[j] * SUM_BYTES, in, vectors, last);
            add_to_sum(scratch + factors[j + 1] * SUM_BYTES, in + bytes, vectors, last);
        }
        if (j < count) {
            add_to_sum(scratch + factors[j] * SUM_BYTES, in, vectors, last);
            in += bytes;
        }
    }
    for (size_t b = bits; b-- > 0;) {
        for (size_t v = 0; v < vectors; v++)
            folded[b][v] = vdupq_n_u8(0);
        for (size_t value = (size_t)1 << b; value < (size_t)2 << b; value++) {
            uint8_t *low = scratch + (value - ((size_t)1 << b)) * SUM_BYTES;
            load_many(data, scratch + value * SUM_BYTES, vectors, 16 * (vectors - 1));
            load_many(sum, low, vectors, 16 * (vectors - 1));
            for (size_t v = 0; v < vectors; v++) {
                folded[b][v] = veorq_u8(folded[b][v], data[v]);
                sum[v] = veorq_u8(sum[v], data[v]);
            }
            store_many(low, sum, vectors);
        }
    }
    /* Multiplied by 2^b: rows of the powers of two. */
    for (size_t v = 0; v < vectors; v++) {
        uint8x16_t total = folded[0][v];
        for (size_t b = 1; b < bits; b++) {
            const uint8x16_t low = vandq_u8(folded[b][v], nibble),
                             high = vshrq_n_u8(folded[b][v], 4),
                             row1 = vld1q_u8(products[1 << b % 4]);
            const uint8x16_t l = vqtbl1q_u8(row1, low), h = vqtbl1q_u8(row1, high);
            total = veorq_u8(
                total, b < 4 ? vsliq_n_u8(l, h, 4)
                             : vsliq_n_u8(vqtbl1q_u8(vld1q_u8(products[8]), h), veorq_u8(l, h), 4));
        }
        vst1q_u8(result + (v == vectors - 1 ? last : 16 * v), total);
    }
    memcpy(out, result, bytes);
}

// void hanji_FIELD_neon_prepare(void *multipliers, const uint8_t *elements, size_t count)
/* kernel:
     spec: [gf16.prepare, gf256.prepare]
     isa: neon
     blocks: 1
     args: { multipliers: {buffer: multipliers, bytes: 4 * bits * (count rounded up to 16), access: w},
             elements: {buffer: elements, bytes: count * bits / 8, access: r}, count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: elements, multipliers
*/
// void hanji_FIELD_neon_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
/* kernel:
     spec: [gf16.accumulate, gf256.accumulate]
     isa: neon
     blocks: 1
     args: { out: {buffer: out, bytes: bytes, access: rw}, in: {buffer: in, bytes: stride * (count - 1) + bytes, access: r}, stride: {value: stride},
             bytes: {value: bytes}, multipliers: {buffer: multipliers, bytes: 4 * bits * count, access: r}, count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: in, multipliers, out
*/
// uint32_t hanji_FIELD_neon_solve(uint8_t *system, size_t size)
/* kernel:
     spec: [gf16.solve, gf256.solve]
     isa: neon
     blocks: 1
     args: { system: {buffer: system, bytes: HANJI_SYSTEM_BYTES, access: rw}, size: {value: size} }
     aliasing: none
     stack: compiler
     secrets: system
*/
// void hanji_FIELD_neon_evaluate(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *x, size_t count, uint8_t *scratch)
/* kernel:
     spec: [gf16.evaluate, gf256.evaluate]
     isa: neon
     blocks: 1
     args: { out: {buffer: out, bytes: bytes, access: w}, in: {buffer: in, bytes: bytes * count * (count + 1) / 2, access: r}, bytes: {value: bytes},
             x: {buffer: x, bytes: count rounded up to 16, access: r}, count: {value: count}, scratch: {buffer: scratch, bytes: HANJI_EVALUATE_SCRATCH, access: rw} }
     aliasing: none
     stack: compiler
     secrets: none
*/

void hanji_gf16_neon_prepare(void *multipliers, const uint8_t *elements, size_t count)
{
    prepare(multipliers, elements, count, 4);
}

void hanji_gf16_neon_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes,
                                const void *multipliers, size_t count)
{
    accumulate(out, in, stride, bytes, multipliers, count, 4);
}

uint32_t hanji_gf16_neon_solve(uint8_t *system, size_t size)
{
    return solve(system, size, 4);
}

void hanji_gf16_neon_evaluate(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *x,
                              size_t count, uint8_t *scratch)
{
    /* The sizes of levels I; III and V, which the compiler may know. */
    switch (bytes) {
    case 32: evaluate(out, in, 32, x, count, scratch, 4); break;
    case 64: evaluate(out, in, 64, x, count, scratch, 4); break;
    default: hanji_gf16_portable_evaluate(out, in, bytes, x, count, scratch);
    }
}

void hanji_gf256_neon_prepare(void *multipliers, const uint8_t *elements, size_t count)
{
    prepare(multipliers, elements, count, 8);
}

void hanji_gf256_neon_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes,
                                 const void *multipliers, size_t count)
{
    accumulate(out, in, stride, bytes, multipliers, count, 8);
}

uint32_t hanji_gf256_neon_solve(uint8_t *system, size_t size)
{
    return solve(system, size, 8);
}

void hanji_gf256_neon_evaluate(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *x,
                               size_t count, uint8_t *scratch)
{
    /* The sizes of levels I; III and V, which the compiler may know. */
    switch (bytes) {
    case 80: evaluate(out, in, 80, x, count, scratch, 8); break;
    case 100: evaluate(out, in, 100, x, count, scratch, 8); break;
    default: hanji_gf256_portable_evaluate(out, in, bytes, x, count, scratch);
    }
}

#endif
