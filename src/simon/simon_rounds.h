/* SPDX-License-Identifier: Apache-2.0 */
/* The rounds of SIMON on words of WORD_BITS bits (Beaulieu et al., ePrint 2013/404, section 3): a W(word) is a word in portable C and a vector of words in the kernels of processors with vectors. */
HANJI_INLINE W(word) W(simon_f)(W(word) v)
{
    return (W(word))((W(rotl)(v, 1) & W(rotl)(v, 8)) ^ W(rotl)(v, 2));
}

/* Two rounds leave the halves in their places; an odd round at the end (128/192 has 69) swaps them. Every round goes over all lanes: what follows of one lane has to wait. */
HANJI_INLINE void W(simon_encrypt)(W(word) *s, W(keys) rk, int rounds, int lanes)
{
    W(word) *y = s, *x = s + lanes;
    for (int i = 0; i + 1 < rounds; i += 2) {
        const W(word) k0 = W(round_key)(rk, i), k1 = W(round_key)(rk, i + 1);
        UNROLL_LANES
        for (int l = 0; l < lanes; l++)
            y[l] ^= (W(word))(W(simon_f)(x[l]) ^ k0);
        UNROLL_LANES
        for (int l = 0; l < lanes; l++)
            x[l] ^= (W(word))(W(simon_f)(y[l]) ^ k1);
    }
    if ((rounds & 1) != 0) {
        UNROLL_LANES
        for (int l = 0; l < lanes; l++) {
            const W(word) t = (W(word))(y[l] ^ W(simon_f)(x[l]) ^ W(round_key)(rk, rounds - 1));
            y[l] = x[l];
            x[l] = t;
        }
    }
}

HANJI_INLINE void W(simon_decrypt)(W(word) *s, W(keys) rk, int rounds, int lanes)
{
    W(word) *y = s, *x = s + lanes;
    if ((rounds & 1) != 0) {
        UNROLL_LANES
        for (int l = 0; l < lanes; l++) {
            const W(word) t = (W(word))(x[l] ^ W(simon_f)(y[l]) ^ W(round_key)(rk, rounds - 1));
            x[l] = y[l];
            y[l] = t;
        }
    }
    for (int i = (rounds & ~1) - 2; i >= 0; i -= 2) {
        const W(word) k0 = W(round_key)(rk, i), k1 = W(round_key)(rk, i + 1);
        UNROLL_LANES
        for (int l = 0; l < lanes; l++)
            x[l] ^= (W(word))(W(simon_f)(y[l]) ^ k1);
        UNROLL_LANES
        for (int l = 0; l < lanes; l++)
            y[l] ^= (W(word))(W(simon_f)(x[l]) ^ k0);
    }
}

/* rk begins with the key words. The sequence z of the variant is a 62-bit integer whose bit j is z[j]; it is public, so that its bits may be shifted out one by one. */
HANJI_INLINE void W(simon_schedule)(W(word) *rk, int key_words, int rounds, uint64_t z)
{
    uint64_t bits = z;
    for (int i = key_words, j = 0; i < rounds; i++) {
        W(word) t = W(rotr)(rk[i - 1], 3);
        if (key_words == 4)
            t ^= rk[i - 3];
        t ^= W(rotr)(t, 1);
        /* c = 2^w - 4 */
        rk[i] = (W(word))(rk[i - key_words] ^ t ^ W(splat)((W(number))(WORD_MASK ^ 3 ^ (bits & 1))));
        bits >>= 1;
        if (++j == 62) {
            j = 0;
            bits = z;
        }
    }
}
