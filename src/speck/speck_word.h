/* SPDX-License-Identifier: Apache-2.0 */
/* SPECK for words of WORD_BITS bits (Beaulieu et al., ePrint 2013/404, section 4). Included by speck.c once per word size. */
#include "lanes/portable.h" /* first: the rounds stand on its words */

#include "speck/speck_rounds.h"

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
