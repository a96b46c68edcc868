/* SPDX-License-Identifier: Apache-2.0 */
/* CHAM for words of WORD_BITS bits (Koo et al., ICISC 2017, section 3). Included by cham.c once per word size. */
#include "lanes/portable.h"

/*
 * Slot form: the words stay where they are, and round i overwrites slot i mod 4 from itself and slot i + 1 mod 4. Even rounds rotate the second word by 1
 * and the sum by 8, odd rounds by 8 and by 1. `a` and `b` are the slots, i the round, k its key.
 */
#define CHAM_ROUND(a, b, before, after, i, k) \
    (a) = W(rotl)(W(add)((W(word))((a) ^ (W(word))(i)), (W(word))(W(rotl)((b), before) ^ (k))), after)
#define CHAM_INVERSE(a, b, before, after, i, k) \
    (a) = (W(word))(W(sub)(W(rotr)((a), after), (W(word))(W(rotl)((b), before) ^ (k))) ^ (W(word))(i))

/* A round count is a multiple of 8, and so is the number of round keys: eight rounds at a time, with key index i mod 16 or i mod 8. */
HANJI_INLINE void W(cham_encrypt)(W(word) *s, const W(word) *rk, int rounds, int last_key, int lanes)
{
    W(word) *s0 = s, *s1 = s + lanes, *s2 = s + 2 * lanes, *s3 = s + 3 * lanes;
    for (int i = 0; i < rounds; i += 4) {
        const W(word) *k = rk + (i & last_key);
        for (int l = 0; l < lanes; l++) {
            CHAM_ROUND(s0[l], s1[l], 1, 8, i, k[0]);
            CHAM_ROUND(s1[l], s2[l], 8, 1, i + 1, k[1]);
            CHAM_ROUND(s2[l], s3[l], 1, 8, i + 2, k[2]);
            CHAM_ROUND(s3[l], s0[l], 8, 1, i + 3, k[3]);
        }
    }
}

HANJI_INLINE void W(cham_decrypt)(W(word) *s, const W(word) *rk, int rounds, int last_key, int lanes)
{
    W(word) *s0 = s, *s1 = s + lanes, *s2 = s + 2 * lanes, *s3 = s + 3 * lanes;
    for (int i = rounds - 4; i >= 0; i -= 4) {
        const W(word) *k = rk + (i & last_key);
        for (int l = 0; l < lanes; l++) {
            CHAM_INVERSE(s3[l], s0[l], 8, 1, i + 3, k[3]);
            CHAM_INVERSE(s2[l], s3[l], 1, 8, i + 2, k[2]);
            CHAM_INVERSE(s1[l], s2[l], 8, 1, i + 1, k[1]);
            CHAM_INVERSE(s0[l], s1[l], 1, 8, i, k[0]);
        }
    }
}

/* The rounds in the form that lanes/portable.h takes; the number of round keys, a power of two, is part of the function. */
#define CHAM_ROUNDS(keys)                                                                                            \
    HANJI_INLINE void HANJI_JOIN(cham_encrypt_k##keys##_w, WORD_BITS)(W(word) * s, const W(word) * rk, int rounds, int lanes) \
    {                                                                                                                \
        W(cham_encrypt)(s, rk, rounds, keys - 1, lanes);                                                             \
    }                                                                                                                \
    HANJI_INLINE void HANJI_JOIN(cham_decrypt_k##keys##_w, WORD_BITS)(W(word) * s, const W(word) * rk, int rounds, int lanes) \
    {                                                                                                                \
        W(cham_decrypt)(s, rk, rounds, keys - 1, lanes);                                                             \
    }

CHAM_ROUNDS(8)
CHAM_ROUNDS(16)

HANJI_INLINE void W(cham_expand)(W(word) *rk, const uint8_t *key, int key_words)
{
    for (int j = 0; j < key_words; j++) {
        const W(word) k = W(load)(key + j * WORD_BYTES);
        const W(word) t = (W(word))(k ^ W(rotl)(k, 1));
        rk[j] = (W(word))(t ^ W(rotl)(k, 8));
        rk[(j + key_words) ^ 1] = (W(word))(t ^ W(rotl)(k, 11));
    }
}
