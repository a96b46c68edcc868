/* SPDX-License-Identifier: Apache-2.0 */
/* CHAM for words of WORD_BITS bits (Koo et al., ICISC 2017, section 3). Included by cham.c once per word size. */
#include "lanes/portable.h" /* first: the rounds stand on its words */

#include "cham/cham_rounds.h"

HANJI_INLINE void W(cham_expand)(W(word) *rk, const uint8_t *key, int key_words)
{
    for (int j = 0; j < key_words; j++) {
        const W(word) k = W(load)(key + j * WORD_BYTES);
        const W(word) t = (W(word))(k ^ W(rotl)(k, 1));
        rk[j] = (W(word))(t ^ W(rotl)(k, 8));
        rk[(j + key_words) ^ 1] = (W(word))(t ^ W(rotl)(k, 11));
    }
}
