/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Portable kernels over shares: no branch and no address depends on them. Tables are indexed by
 * public coefficients and public matrices only.
 */
#include "aimer/aimer.h"
#include "aimer/aimer_packed.h"
#include "support/arith.h"
#include "support/bytes.h"
#include "support/cpu.h"

#define WORDS_MAX AIMER_WORDS_MAX

/*
 * Reduce 2 * words words modulo x^n + r(x): r = x^7 + x^2 + x + 1 for n = 128 and 192, x^10 + x^5 +
 * x^2 + 1 for n = 256.
 */
HANJI_INLINE void reduce(uint64_t *out, uint64_t *wide, const uint32_t words)
{
    for (uint32_t i = 2 * words; i-- > words;) {
        const uint64_t h = wide[i];
        if (words == 4) {
            wide[i - words] ^= h ^ h << 2 ^ h << 5 ^ h << 10;
            wide[i - words + 1] ^= h >> 62 ^ h >> 59 ^ h >> 54;
        } else {
            wide[i - words] ^= h ^ h << 1 ^ h << 2 ^ h << 7;
            wide[i - words + 1] ^= h >> 63 ^ h >> 62 ^ h >> 57;
        }
    }
    for (uint32_t i = 0; i < words; i++)
        out[i] = wide[i];
}

/* Put a zero between any two bits. */
HANJI_INLINE uint64_t spread(uint32_t half)
{
    uint64_t v = half;
    v = (v | v << 16) & 0x0000ffff0000ffff;
    v = (v | v << 8) & 0x00ff00ff00ff00ff;
    v = (v | v << 4) & 0x0f0f0f0f0f0f0f0f;
    v = (v | v << 2) & 0x3333333333333333;
    return (v | v << 1) & 0x5555555555555555;
}

/* One squaring. */
HANJI_INLINE void square(uint64_t *a, const uint32_t words)
{
    uint64_t wide[2 * WORDS_MAX];
    for (uint32_t i = 0; i < words; i++) {
        wide[2 * i] = spread((uint32_t)a[i]);
        wide[2 * i + 1] = spread((uint32_t)(a[i] >> 32));
    }
    reduce(a, wide, words);
}

HANJI_INLINE void square_octets(uint64_t *octets, size_t count, const uint32_t squarings,
                                const uint32_t words)
{
    for (; count > 0; count--, octets += 8 * words)
        for (uint32_t party = 0; party < HANJI_AIMER_OCTET; party++) {
            uint64_t a[WORDS_MAX];
            for (uint32_t i = 0; i < words; i++)
                a[i] = octets[8 * i + party];
            for (uint32_t k = 0; k < squarings; k++)
                square(a, words);
            for (uint32_t i = 0; i < words; i++)
                octets[8 * i + party] = a[i];
        }
}

void hanji_aimer_square(uint64_t *octets, size_t count, uint32_t squarings, uint32_t words)
{
    switch (words) {
    case 2: square_octets(octets, count, squarings, 2); break;
    case 3: square_octets(octets, count, squarings, 3); break;
    default: square_octets(octets, count, squarings, 4); break;
    }
}

HANJI_INLINE void power(uint64_t *out, const uint64_t *base, uint32_t squarings,
                        const uint64_t *factor, const uint32_t words)
{
    uint64_t a[WORDS_MAX], b[WORDS_MAX], wide[2 * WORDS_MAX];
    for (uint32_t i = 0; i < words; i++) {
        a[i] = base[i];
        b[i] = factor[i];
    }
    for (; squarings > 0; squarings--)
        square(a, words);
    for (uint32_t i = 0; i < 2 * words; i++)
        wide[i] = 0;
    /* Bit 63 of every word of b first, so one shift of the sum serves them all. */
    for (uint32_t bit = 0; bit < 64; bit++) {
        for (uint32_t i = 2 * words - 1; i > 0; i--)
            wide[i] = wide[i] << 1 | wide[i - 1] >> 63;
        wide[0] <<= 1;
        for (uint32_t j = 0; j < words; j++) {
            const uint64_t mask = hanji_aimer_mask(b[j] >> 63);
            b[j] <<= 1;
            for (uint32_t i = 0; i < words; i++)
                wide[i + j] ^= a[i] & mask;
        }
    }
    reduce(out, wide, words);
}

void hanji_aimer_portable_power(uint64_t *out, const uint64_t *base, uint32_t squarings,
                                const uint64_t *factor, uint32_t words)
{
    switch (words) {
    case 2: power(out, base, squarings, factor, 2); break;
    case 3: power(out, base, squarings, factor, 3); break;
    default: power(out, base, squarings, factor, 4); break;
    }
}

/*
 * One element of an octet. The multiples of the share by all polynomials of degree below 4, then a
 * comb over the digits of the public coefficients.
 */
HANJI_INLINE void products_of_party(uint64_t *out, const uint64_t *base,
                                    const hanji_aimer_term *terms, uint32_t count, size_t at,
                                    const uint8_t digits[][8 * WORDS_MAX], const uint32_t words)
{
    uint64_t multiples[HANJI_AIMER_TERMS_MAX][16][WORDS_MAX + 1], wide[2 * WORDS_MAX + 1] = {0};
    for (uint32_t k = 0; k < count; k++) {
        uint64_t(*m)[WORDS_MAX + 1] = multiples[k];
        for (uint32_t i = 0; i <= words; i++) {
            m[0][i] = 0;
            m[1][i] = i < words ? terms[k].in[at + 8 * i] : 0;
        }
        for (uint32_t d = 2; d < 16; d += 2)
            for (uint32_t i = 0; i <= words; i++) {
                m[d][i] = m[d / 2][i] << 1 | (i > 0 ? m[d / 2][i - 1] >> 63 : 0);
                m[d + 1][i] = m[d][i] ^ m[1][i];
            }
    }
    for (uint32_t position = 16; position-- > 0;) {
        for (uint32_t i = 2 * words; i > 0; i--)
            wide[i] = wide[i] << 4 | wide[i - 1] >> 60;
        wide[0] <<= 4;
        for (uint32_t k = 0; k < count; k++)
            for (uint32_t j = 0; j < words; j++) {
                const uint8_t pair = digits[k][8 * j + position / 2];
                const uint64_t *m = multiples[k][(position & 1) != 0 ? pair >> 4 : pair & 15];
                for (uint32_t i = 0; i <= words; i++)
                    wide[i + j] ^= m[i];
            }
    }
    uint64_t sum[WORDS_MAX];
    reduce(sum, wide, words);
    for (uint32_t i = 0; i < words; i++)
        out[8 * i] = sum[i] ^ (base != NULL ? base[8 * i] : 0);
}

HANJI_INLINE void products(uint64_t *out, size_t out_stride, const uint64_t *base,
                           size_t base_stride, const hanji_aimer_term *terms, uint32_t count,
                           size_t octets, const uint32_t words)
{
    uint8_t digits[HANJI_AIMER_TERMS_MAX][8 * WORDS_MAX];
    size_t at = 0;
    hanji_aimer_term now[HANJI_AIMER_TERMS_MAX];
    for (uint32_t k = 0; k < count; k++) {
        now[k] = terms[k];
        for (uint32_t i = 0; i < words; i++)
            store_le64(digits[k] + 8 * i, terms[k].coefficient[i]);
    }
    for (; octets > 0; octets--) {
        for (at = 0; at < HANJI_AIMER_OCTET; at++)
            products_of_party(out + at, base != NULL ? base + at : NULL, now, count, at,
                              (const uint8_t(*)[8 * WORDS_MAX]) digits, words);
        for (uint32_t k = 0; k < count; k++)
            now[k].in += now[k].stride;
        out += out_stride;
        if (base != NULL)
            base += base_stride;
    }
}

void hanji_aimer_portable_products(uint64_t *out, size_t out_stride, const uint64_t *base,
                                   size_t base_stride, const hanji_aimer_term *terms,
                                   uint32_t count, size_t octets, uint32_t words)
{
    switch (words) {
    case 2: products(out, out_stride, base, base_stride, terms, count, octets, 2); break;
    case 3: products(out, out_stride, base, base_stride, terms, count, octets, 3); break;
    default: products(out, out_stride, base, base_stride, terms, count, octets, 4); break;
    }
}

/* Transpose 8 x 8 bits: bit c of byte r to bit r of byte c. */
HANJI_INLINE uint64_t transpose8(uint64_t v)
{
    v = (v & 0xaa55aa55aa55aa55) | (v & 0x00aa00aa00aa00aa) << 7 | (v >> 7 & 0x00aa00aa00aa00aa);
    v = (v & 0xcccc3333cccc3333) | (v & 0x0000cccc0000cccc) << 14 | (v >> 14 & 0x0000cccc0000cccc);
    return (v & 0xf0f0f0f00f0f0f0f) | (v & 0x00000000f0f0f0f0) << 28 |
           (v >> 28 & 0x00000000f0f0f0f0);
}

/*
 * Byte n * j + i: row i of the matrix for the inputs 8j to 8j + 7. The matrix may lie where the
 * columns do.
 */
void hanji_aimer_portable_prepare(void *matrix, const uint64_t *columns, uint32_t words)
{
    uint8_t *row = (uint8_t *)matrix;
    for (uint32_t octet = 0; octet < 8 * words; octet++, columns += HANJI_AIMER_OCTET * words)
        for (uint32_t w = 0; w < words; w++) {
            uint8_t bytes[HANJI_AIMER_OCTET][8];
            for (uint32_t c = 0; c < HANJI_AIMER_OCTET; c++)
                store_le64(bytes[c], columns[8 * w + c]);
            for (uint32_t b = 0; b < 8; b++) {
                uint64_t block = 0;
                for (uint32_t c = HANJI_AIMER_OCTET; c-- > 0;)
                    block = block << 8 | bytes[c][b];
                store_le64(row, transpose8(block));
                row += 8;
            }
        }
}

/* Transpose 64 x 64 bits: exchange blocks of `width` bits between rows that are `width` apart. */
#define EXCHANGE(m, width, mask)                                                    \
    for (uint32_t k = 0; k < 64; k = (k + (width) + 1) & ~(uint32_t)(width)) {      \
        const uint64_t t = ((m)[k] >> (width) ^ (m)[k + (width)]) & UINT64_C(mask); \
        (m)[k] ^= t << (width);                                                     \
        (m)[k + (width)] ^= t;                                                      \
    }

static void transpose64(uint64_t m[64])
{
    EXCHANGE(m, 32, 0x00000000ffffffff)
    EXCHANGE(m, 16, 0x0000ffff0000ffff)
    EXCHANGE(m, 8, 0x00ff00ff00ff00ff)
    EXCHANGE(m, 4, 0x0f0f0f0f0f0f0f0f)
    EXCHANGE(m, 2, 0x3333333333333333)
    EXCHANGE(m, 1, 0x5555555555555555)
}

/* Up to eight octets: word i of the slices has bit i of 64 parties. */
static void to_slices(uint64_t *slices, const uint64_t *in, size_t in_stride, size_t octets,
                      uint32_t words)
{
    for (uint32_t w = 0; w < words; w++, slices += 64) {
        const uint64_t *from = in + 8 * w;
        for (size_t o = 0; o < 8; o++, from += in_stride)
            for (uint32_t p = 0; p < 8; p++)
                slices[8 * o + p] = o < octets ? from[p] : 0;
        transpose64(slices);
    }
}

/* And back. */
static void from_slices(uint64_t *out, size_t out_stride, uint64_t *slices, size_t octets,
                        uint32_t words, int accumulate)
{
    for (uint32_t w = 0; w < words; w++, slices += 64) {
        uint64_t *to = out + 8 * w;
        transpose64(slices);
        for (size_t o = 0; o < octets; o++, to += out_stride)
            for (uint32_t p = 0; p < 8; p++)
                to[p] = slices[8 * o + p] ^ (accumulate ? to[p] : 0);
    }
}

/* The sums of all combinations of four slices, of the first four and of the next. */
HANJI_INLINE void sums_of_eight(uint64_t low[16], uint64_t high[16], const uint64_t slices[8])
{
    low[0] = high[0] = 0;
    for (uint32_t bit = 0; bit < 4; bit++)
        for (uint32_t k = 0; k < 1u << bit; k++) {
            low[(1u << bit) + k] = low[k] ^ slices[bit];
            high[(1u << bit) + k] = high[k] ^ slices[4 + bit];
        }
}

/*
 * Add what a public block of 8 x 8 bits makes of eight slices; `keep` has the columns that count in
 * each row.
 */
HANJI_INLINE void add_block(uint64_t *slices, const uint64_t low[16], const uint64_t high[16],
                            const uint8_t *column, size_t stride, const uint8_t keep[8])
{
    uint8_t bytes[8];
    for (uint32_t c = 0; c < 8; c++, column += stride)
        bytes[c] = *column;
    uint64_t block = transpose8(load_le64(bytes));
    for (uint32_t k = 0; k < 8; k++, block >>= 8) {
        const uint32_t row = (uint32_t)block & keep[k];
        slices[k] ^= low[row & 15] ^ high[row >> 4];
    }
}

/*
 * Eight columns at a time, in place: those of U change slices before them alone, which have been
 * used when the columns come in their order; those of L come backwards.
 */
void hanji_aimer_apply_chunks(uint64_t *out, size_t out_stride, const uint64_t *in,
                              size_t in_stride, size_t octets, const uint8_t *chunks,
                              uint32_t words, int accumulate)
{
    static const uint8_t all[8] = {255, 255, 255, 255, 255, 255, 255, 255},
                         above[8] = {254, 252, 248, 240, 224, 192, 128, 0},
                         below[8] = {0, 1, 3, 7, 15, 31, 63, 127};
    uint64_t slices[64 * WORDS_MAX], low[16], high[16];
    const uint32_t bytes = 8 * words;
    const uint8_t *chunk = chunks;
    to_slices(slices, in, in_stride, octets, words);
    for (uint32_t c = 0; c < bytes; c++) {
        sums_of_eight(low, high, slices + 8 * c);
        for (uint32_t b = 0; b <= c; b++)
            add_block(slices + 8 * b, low, high, chunk + b, bytes, b == c ? above : all);
        chunk += 8 * bytes;
        __asm__("" : "+r"(chunk)); /* else compilers multiply for where the loop ends */
    }
    for (uint32_t c = bytes; c-- > 0;) {
        chunk -= 8 * bytes;
        sums_of_eight(low, high, slices + 8 * c);
        for (uint32_t b = c; b < bytes; b++)
            add_block(slices + 8 * b, low, high, chunk + b, bytes, b == c ? below : all);
    }
    from_slices(out, out_stride, slices, octets, words, accumulate);
}

/*
 * Eight octets at a time, bit-sliced: one word has the same bit of 64 parties. For every eight
 * inputs the sums of all combinations of four, then every output takes two of them; which ones, the
 * public matrix says.
 */
void hanji_aimer_portable_apply(uint64_t *out, size_t out_stride, const uint64_t *in,
                                size_t in_stride, size_t octets, const void *matrix, uint32_t words,
                                int accumulate)
{
    uint64_t slices[64 * WORDS_MAX], sums[64 * WORDS_MAX], low[16], high[16];
    while (octets > 0) {
        const size_t now = octets < 8 ? octets : 8;
        to_slices(slices, in, in_stride, now, words);
        memset(sums, 0, sizeof sums);
        const uint8_t *row = (const uint8_t *)matrix;
        for (const uint64_t *s = slices; s < slices + 64 * words; s += 8) {
            sums_of_eight(low, high, s);
            for (uint32_t i = 0; i < 64 * words; i++, row++)
                sums[i] ^= low[*row & 15] ^ high[*row >> 4];
        }
        from_slices(out, out_stride, sums, now, words, accumulate);
        in += hanji_times(in_stride, now);
        out += hanji_times(out_stride, now);
        octets -= now;
    }
}

/*
 * From the contract of the kernels over shares to those of AVX-512, whose arguments fit in
 * registers: pointers and public numbers only.
 */
#ifdef HANJI_X86

void hanji_aimer_packed_apply(uint64_t *out, size_t out_stride, const uint64_t *in,
                              size_t in_stride, size_t octets, const void *matrix, uint32_t words,
                              int accumulate)
{
    hanji_aimer_avx512_apply(out, in, octets, matrix,
                             SHAPE(words, accumulate != 0, out_stride, 0, in_stride, 0));
}

void hanji_aimer_packed_products(uint64_t *out, size_t out_stride, const uint64_t *base,
                                 size_t base_stride, const hanji_aimer_term *terms, uint32_t count,
                                 size_t octets, uint32_t words)
{
    static const uint64_t zero[HANJI_AIMER_OCTET * AIMER_WORDS_MAX] = {0};
    if (base == NULL) {
        base = zero;
        base_stride = 0;
    }
    /* Terms that lie at one distance go together; there are seldom others. */
    for (uint32_t done = 0; done < count;) {
        const hanji_aimer_term *first = terms + done;
        const uintptr_t distance =
            count - done > 1 ? (uintptr_t)first[1].in - (uintptr_t)first->in : 0;
        uint32_t now = 1;
        while (done + now < count && first[now].stride == first->stride &&
               distance < sizeof(uint64_t) * 4096 &&
               (uintptr_t)first[now].in - (uintptr_t)first[now - 1].in == distance &&
               first[now].coefficient == first->coefficient + (size_t)words * now)
            now++;
        hanji_aimer_avx512_products(out, base, first->in, first->coefficient, octets,
                                    SHAPE(words, now, out_stride, base_stride, first->stride,
                                          distance / sizeof(uint64_t) & 4095));
        base = out;
        base_stride = out_stride;
        done += now;
    }
}

#endif
