/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of products in GF(2^n) by carry-less multiplication of 64-bit words, for the shares of an
 * octet. Products are added up before one reduction. The file that includes this defines
 *   V                          a vector of V_PARTIES 64-bit words: the same word of that many parties
 *   V_LOAD(p), V_STORE(p, v)   of any alignment of 8
 *   V_SHL(v, n), V_SHR(v, n)   of each word
 *   V_SET1(word)               the word in all places
 *   V_KEEP(v)                  keeps the compiler from adding words before they are in all places
 *   V_MUL_EVEN(a, b), V_MUL_ODD(a, b)   the 128-bit products of the words in even or odd places by the word of b
 *   V_LOW(even, odd), V_HIGH(even, odd) low or high words of such products, in the order of the parties
 */
#ifndef HANJI_AIMER_PRODUCTS_H
#define HANJI_AIMER_PRODUCTS_H

#include "aimer/aimer.h"
#include "support/bytes.h"

/*
 * Modulo x^n + r(x), one word at a time from the top: r = x^7 + x^2 + x + 1 for n = 128 and 192,
 * x^10 + x^5 + x^2 + 1 for n = 256.
 */
HANJI_INLINE void reduce_vectors(V *wide, const uint32_t words)
{
    for (uint32_t i = 2 * words; i-- > words;) {
        const V h = wide[i];
        if (words == 4) {
            wide[i - words] ^= h ^ V_SHL(h, 2) ^ V_SHL(h, 5) ^ V_SHL(h, 10);
            wide[i - words + 1] ^= V_SHR(h, 62) ^ V_SHR(h, 59) ^ V_SHR(h, 54);
        } else {
            wide[i - words] ^= h ^ V_SHL(h, 1) ^ V_SHL(h, 2) ^ V_SHL(h, 7);
            wide[i - words + 1] ^= V_SHR(h, 63) ^ V_SHR(h, 62) ^ V_SHR(h, 57);
        }
    }
}

/* How many products of words Karatsuba's method needs: 3, 6 and 9 instead of 4, 9 and 16. */
#define V_PRODUCTS(words) ((words) * ((words) + 1u) / 2u - ((words) == 4 ? 1u : 0u))
#define V_PRODUCTS_MAX V_PRODUCTS(AIMER_WORDS_MAX)

/* w_0 .. w_(words-1), and the sums that Karatsuba's method multiplies besides. */
HANJI_INLINE void add_words(V *sums, const uint32_t words)
{
    if (words == 2) {
        sums[2] = sums[0] ^ sums[1];
    } else if (words == 3) {
        sums[3] = sums[0] ^ sums[1];
        sums[4] = sums[0] ^ sums[2];
        sums[5] = sums[1] ^ sums[2];
    } else {
        sums[4] = sums[0] ^ sums[1];
        sums[5] = sums[2] ^ sums[3];
        sums[6] = sums[0] ^ sums[2];
        sums[7] = sums[1] ^ sums[3];
        sums[8] = sums[4] ^ sums[5];
    }
}

/* From the products p to the 2 words - 1 sums of products of words, in place. */
HANJI_INLINE void join_products(V *p, const uint32_t words)
{
    if (words == 2) {
        const V high = p[1];
        p[1] = p[2] ^ p[0] ^ p[1];
        p[2] = high;
    } else if (words == 3) {
        const V p01 = p[3] ^ p[0] ^ p[1], p02 = p[4] ^ p[0] ^ p[2], p12 = p[5] ^ p[1] ^ p[2];
        p[4] = p[2];
        p[2] = p02 ^ p[1];
        p[1] = p01;
        p[3] = p12;
    } else {
        /* Halves of two words: low, high, and their sum. */
        const V low = p[4] ^ p[0] ^ p[1], high = p[5] ^ p[2] ^ p[3], middle = p[8] ^ p[6] ^ p[7];
        const V p2 = p[1] ^ p[0] ^ p[2] ^ p[6], p4 = p[2] ^ p[1] ^ p[3] ^ p[7];
        const V p3 = middle ^ low ^ high;
        p[6] = p[3];
        p[1] = low;
        p[2] = p2;
        p[3] = p3;
        p[4] = p4;
        p[5] = high;
    }
}

/* Add the products of the shares by one coefficient. */
HANJI_INLINE void add_products(V *even, V *odd, const uint64_t *in, const uint64_t *coefficient,
                               const uint32_t words)
{
    V share[V_PRODUCTS_MAX], factor[V_PRODUCTS_MAX];
    for (uint32_t i = 0; i < words; i++) {
        share[i] = V_LOAD(in + 8 * i);
        factor[i] = V_SET1(coefficient[i]);
        V_KEEP(factor[i]);
    }
    add_words(share, words);
    add_words(factor, words);
    for (uint32_t k = 0; k < V_PRODUCTS(words); k++) {
        even[k] ^= V_MUL_EVEN(share[k], factor[k]);
        odd[k] ^= V_MUL_ODD(share[k], factor[k]);
    }
}

/* The sums in the order of the parties, reduced. */
HANJI_INLINE void finish_products(V *wide, V *even, V *odd, const uint32_t words)
{
    join_products(even, words);
    join_products(odd, words);
    wide[0] = V_SET1(0);
    for (uint32_t k = 0; k < 2 * words - 1; k++) {
        wide[k] ^= V_LOW(even[k], odd[k]);
        wide[k + 1] = V_HIGH(even[k], odd[k]);
    }
    reduce_vectors(wide, words);
}

HANJI_INLINE void products_of_words(uint64_t *out, size_t out_stride, const uint64_t *base,
                                    size_t base_stride, const hanji_aimer_term *terms,
                                    const uint32_t count, size_t octets, const uint32_t words)
{
    for (size_t o = 0; o < octets; o++)
        for (uint32_t party = 0; party < HANJI_AIMER_OCTET; party += V_PARTIES) {
            V even[V_PRODUCTS_MAX], odd[V_PRODUCTS_MAX], wide[2 * AIMER_WORDS_MAX];
            for (uint32_t k = 0; k < V_PRODUCTS(words); k++)
                even[k] = odd[k] = V_SET1(0);
            for (uint32_t t = 0; t < count; t++)
                add_products(even, odd, terms[t].in + terms[t].stride * o + party,
                             terms[t].coefficient, words);
            finish_products(wide, even, odd, words);
            for (uint32_t i = 0; i < words; i++) {
                if (base != NULL)
                    wide[i] ^= V_LOAD(base + base_stride * o + party + 8 * i);
                V_STORE(out + out_stride * o + party + 8 * i, wide[i]);
            }
        }
}

/*
 * The numbers of words and terms are constants for the compiler, so all sums stay in
 * registers.
 */
HANJI_INLINE void products_of_count(uint64_t *out, size_t out_stride, const uint64_t *base,
                                    size_t base_stride, const hanji_aimer_term *terms,
                                    uint32_t count, size_t octets, const uint32_t words)
{
    switch (count) {
    case 1: products_of_words(out, out_stride, base, base_stride, terms, 1, octets, words); break;
    case 3: products_of_words(out, out_stride, base, base_stride, terms, 3, octets, words); break;
    case 4: products_of_words(out, out_stride, base, base_stride, terms, 4, octets, words); break;
    default:
        products_of_words(out, out_stride, base, base_stride, terms, count, octets, words);
        break;
    }
}

HANJI_INLINE void products_of_sets(uint64_t *out, size_t out_stride, const uint64_t *base,
                                   size_t base_stride, const hanji_aimer_term *terms,
                                   uint32_t count, size_t octets, uint32_t words)
{
    switch (words) {
    case 2: products_of_count(out, out_stride, base, base_stride, terms, count, octets, 2); break;
    case 3: products_of_count(out, out_stride, base, base_stride, terms, count, octets, 3); break;
    default: products_of_count(out, out_stride, base, base_stride, terms, count, octets, 4); break;
    }
}

#endif
