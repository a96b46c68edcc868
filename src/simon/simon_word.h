/* SPDX-License-Identifier: Apache-2.0 */
/* SIMON for words of WORD_BITS bits (Beaulieu et al., ePrint 2013/404, section 3). Included by simon.c once per word size. */
#include "lanes/portable.h" /* first: the rounds stand on its words */

#include "simon/simon_rounds.h"

/* The sequence z of the variant is a 62-bit integer whose bit j is z[j]; it is public, so that its bits may be shifted out one by one. */
HANJI_INLINE void W(simon_expand)(W(word) *rk, const uint8_t *key, int key_words, int rounds, uint64_t z)
{
    for (int i = 0; i < key_words; i++)
        rk[i] = W(load)(key + i * WORD_BYTES);
    uint64_t bits = z;
    for (int i = key_words, j = 0; i < rounds; i++) {
        W(word) t = W(rotr)(rk[i - 1], 3);
        if (key_words == 4)
            t ^= rk[i - 3];
        t ^= W(rotr)(t, 1);
        /* c = 2^w - 4 */
        rk[i] = (W(word))(rk[i - key_words] ^ t ^ ((W(wide))WORD_MASK ^ 3) ^ (W(wide))(bits & 1));
        bits >>= 1;
        if (++j == 62) {
            j = 0;
            bits = z;
        }
    }
}
