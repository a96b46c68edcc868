/* SPDX-License-Identifier: Apache-2.0 */
/* The rounds of SIMON on words of WORD_BITS bits (Beaulieu et al., ePrint 2013/404, section 3): a W(word) is a word in portable C and a vector of words in the kernels of processors with vectors. */
HANJI_INLINE W(word) W(simon_f)(W(word) v)
{
    return (W(word))((W(rotl)(v, 1) & W(rotl)(v, 8)) ^ W(rotl)(v, 2));
}

/* Two rounds leave the halves in their places; an odd round at the end (128/192 has 69) swaps them. */
HANJI_INLINE void W(simon_encrypt)(W(word) *s, const W(key) *rk, int rounds, int lanes)
{
    W(word) *y = s, *x = s + lanes;
    for (int i = 0; i + 1 < rounds; i += 2) {
        const W(word) k0 = W(splat)(rk[i]), k1 = W(splat)(rk[i + 1]);
        UNROLL_LANES
        for (int l = 0; l < lanes; l++) {
            y[l] ^= (W(word))(W(simon_f)(x[l]) ^ k0);
            x[l] ^= (W(word))(W(simon_f)(y[l]) ^ k1);
        }
    }
    if ((rounds & 1) != 0) {
        UNROLL_LANES
        for (int l = 0; l < lanes; l++) {
            const W(word) t = (W(word))(y[l] ^ W(simon_f)(x[l]) ^ W(splat)(rk[rounds - 1]));
            y[l] = x[l];
            x[l] = t;
        }
    }
}

HANJI_INLINE void W(simon_decrypt)(W(word) *s, const W(key) *rk, int rounds, int lanes)
{
    W(word) *y = s, *x = s + lanes;
    if ((rounds & 1) != 0) {
        UNROLL_LANES
        for (int l = 0; l < lanes; l++) {
            const W(word) t = (W(word))(x[l] ^ W(simon_f)(y[l]) ^ W(splat)(rk[rounds - 1]));
            x[l] = y[l];
            y[l] = t;
        }
    }
    for (int i = (rounds & ~1) - 2; i >= 0; i -= 2) {
        const W(word) k0 = W(splat)(rk[i]), k1 = W(splat)(rk[i + 1]);
        UNROLL_LANES
        for (int l = 0; l < lanes; l++) {
            x[l] ^= (W(word))(W(simon_f)(y[l]) ^ k1);
            y[l] ^= (W(word))(W(simon_f)(x[l]) ^ k0);
        }
    }
}
