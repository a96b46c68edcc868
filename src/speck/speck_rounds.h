/* SPDX-License-Identifier: Apache-2.0 */
/* The rounds of SPECK on words of WORD_BITS bits (Beaulieu et al., ePrint 2013/404, section 4): a W(word) is a word in portable C and a vector of words in the kernels of processors with vectors. */
/* Rotations: (7, 2) for 16-bit words, (8, 3) for all others. */
#undef ALPHA
#undef BETA
#define ALPHA (WORD_BITS == 16 ? 7 : 8)
#define BETA (WORD_BITS == 16 ? 2 : 3)

/* s[0 .. lanes) holds the words y, s[lanes .. 2 lanes) the words x. */
HANJI_INLINE void W(speck_encrypt)(W(word) *s, const W(key) *rk, int rounds, int lanes)
{
    W(word) *y = s, *x = s + lanes;
    for (int i = 0; i < rounds; i++) {
        const W(word) k = W(splat)(rk[i]);
        UNROLL_LANES
        for (int l = 0; l < lanes; l++) {
            x[l] = W(add)(W(rotr)(x[l], ALPHA), y[l]) ^ k;
            y[l] = W(rotl)(y[l], BETA) ^ x[l];
        }
    }
}

HANJI_INLINE void W(speck_decrypt)(W(word) *s, const W(key) *rk, int rounds, int lanes)
{
    W(word) *y = s, *x = s + lanes;
    for (int i = rounds - 1; i >= 0; i--) {
        const W(word) k = W(splat)(rk[i]);
        UNROLL_LANES
        for (int l = 0; l < lanes; l++) {
            y[l] = W(rotr)(y[l] ^ x[l], BETA);
            x[l] = W(rotl)(W(sub)(x[l] ^ k, y[l]), ALPHA);
        }
    }
}
