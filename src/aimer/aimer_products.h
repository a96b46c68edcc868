/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of products in GF(2^n) by carry-less multiplication of 64-bit words, for the shares of an
 * octet. Products are added up before one reduction. The file that includes this defines
 *   V                          a vector of V_PARTIES 64-bit words: the same word of that many parties
 *   V_LOAD(p), V_STORE(p, v)   of any alignment of 8
 *   V_SHL(v, n), V_SHR(v, n)   of each word
 *   V_SET1(word)               the word in all places
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

/* Add the products of the shares by one coefficient. */
HANJI_INLINE void add_products(V *even, V *odd, const uint64_t *in, const uint64_t *coefficient,
                               const uint32_t words)
{
    for (uint32_t j = 0; j < words; j++) {
        const V factor = V_SET1(coefficient[j]);
        for (uint32_t i = 0; i < words; i++) {
            const V share = V_LOAD(in + 8 * i);
            even[i + j] ^= V_MUL_EVEN(share, factor);
            odd[i + j] ^= V_MUL_ODD(share, factor);
        }
    }
}

/* The sums in the order of the parties, reduced. */
HANJI_INLINE void finish_products(V *wide, const V *even, const V *odd, const uint32_t words)
{
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
            V even[2 * AIMER_WORDS_MAX - 1], odd[2 * AIMER_WORDS_MAX - 1],
                wide[2 * AIMER_WORDS_MAX];
            for (uint32_t k = 0; k < 2 * words - 1; k++)
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
