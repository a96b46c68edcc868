/* SPDX-License-Identifier: Apache-2.0 */
/* SIMECK for words of WORD_BITS bits (Yang et al., CHES 2015, section 2). Included by simeck.c once per word size. All variants have an even number of rounds. */
#include "lanes/portable.h" /* first: the rounds stand on its words */

#include "simeck/simeck_rounds.h"

/* The four key words are the first round keys; bit i of z, a maximal-length sequence, goes into round key i + 4. */
HANJI_INLINE void W(simeck_expand)(W(word) *rk, const uint8_t *key, int rounds, uint64_t z)
{
    for (int i = 0; i < 4; i++)
        rk[i] = W(load)(key + i * WORD_BYTES);
    for (int i = 0; i + 4 < rounds; i++, z >>= 1)
        rk[i + 4] = (W(word))(rk[i] ^ W(simeck_f)(rk[i + 1]) ^ ((W(wide))WORD_MASK ^ 3) ^ (W(wide))(z & 1));
}
