/* SPDX-License-Identifier: Apache-2.0 */
/* SPECK for words of WORD_BITS bits (Beaulieu et al., ePrint 2013/404, section 4). Included by speck.c once per word size. */
#include "lanes/portable.h"

/* Rotations: (7, 2) for 16-bit words, (8, 3) for all others. */
#undef ALPHA
#undef BETA
#define ALPHA (WORD_BITS == 16 ? 7 : 8)
#define BETA (WORD_BITS == 16 ? 2 : 3)

/* s[0 .. lanes) holds the words y, s[lanes .. 2 lanes) the words x. */
HANJI_INLINE void W(speck_encrypt)(W(word) *s, const W(word) *rk, int rounds, int lanes)
{
    W(word) *y = s, *x = s + lanes;
    for (int i = 0; i < rounds; i++) {
        const W(word) k = rk[i];
        for (int l = 0; l < lanes; l++) {
            x[l] = W(add)(W(rotr)(x[l], ALPHA), y[l]) ^ k;
            y[l] = W(rotl)(y[l], BETA) ^ x[l];
        }
    }
}

HANJI_INLINE void W(speck_decrypt)(W(word) *s, const W(word) *rk, int rounds, int lanes)
{
    W(word) *y = s, *x = s + lanes;
    for (int i = rounds - 1; i >= 0; i--) {
        const W(word) k = rk[i];
        for (int l = 0; l < lanes; l++) {
            y[l] = W(rotr)(y[l] ^ x[l], BETA);
            x[l] = W(rotl)(W(sub)(x[l] ^ k, y[l]), ALPHA);
        }
    }
}

/* The key words are k[0], l[0], ..., l[m-2]; the schedule is the round function on (l[i], k[i]) with i as the round key. */
HANJI_INLINE void W(speck_expand)(W(word) *rk, const uint8_t *key, int key_words, int rounds)
{
    W(word) l[3], k = W(load)(key);
    for (int j = 0; j + 1 < key_words; j++)
        l[j] = W(load)(key + (j + 1) * WORD_BYTES);
    rk[0] = k;
    for (int i = 0, j = 0; i + 1 < rounds; i++) {
        l[j] = W(add)(W(rotr)(l[j], ALPHA), k) ^ (W(word))i;
        k = W(rotl)(k, BETA) ^ l[j];
        rk[i + 1] = k;
        j = j + 2 == key_words ? 0 : j + 1;
    }
    hanji_wipe(l, sizeof l);
}
