/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rounds of SIMECK on words of WORD_BITS bits (Yang et al., CHES 2015, section 2): a W(word) is
 * a word in portable C and a vector of words in the kernels of processors with vectors.
 */
HANJI_INLINE W(word) W(simeck_f)(W(word) v)
{
    return (W(word))((v & W(rotl)(v, 5)) ^ W(rotl)(v, 1));
}

HANJI_INLINE void W(simeck_encrypt)(W(word) *s, W(keys) rk, int rounds, int width)
{
    W(word) *y = s, *x = s + width;
    for (int i = 0; i < rounds; i += 2) {
        const W(word) k0 = W(round_key)(rk, i), k1 = W(round_key)(rk, i + 1);
        UNROLL
        for (int l = 0; l < width; l++)
            y[l] ^= (W(word))(W(simeck_f)(x[l]) ^ W(key_for)(rk, i, l, k0));
        UNROLL
        for (int l = 0; l < width; l++)
            x[l] ^= (W(word))(W(simeck_f)(y[l]) ^ W(key_for)(rk, i + 1, l, k1));
    }
}

HANJI_INLINE void W(simeck_decrypt)(W(word) *s, W(keys) rk, int rounds, int width)
{
    W(word) *y = s, *x = s + width;
    for (int i = rounds - 2; i >= 0; i -= 2) {
        const W(word) k0 = W(round_key)(rk, i), k1 = W(round_key)(rk, i + 1);
        UNROLL
        for (int l = 0; l < width; l++)
            x[l] ^= (W(word))(W(simeck_f)(y[l]) ^ k1);
        UNROLL
        for (int l = 0; l < width; l++)
            y[l] ^= (W(word))(W(simeck_f)(x[l]) ^ k0);
    }
}

/*
 * rk begins with the four key words, the first round keys; bit i of z, a maximal-length sequence,
 * goes into round key i + 4.
 */
HANJI_INLINE void W(simeck_schedule)(W(word) *rk, int key_words, int rounds, uint64_t z)
{
    for (int i = key_words; i < rounds; i++, z >>= 1)
        rk[i] = (W(word))(rk[i - 4] ^ W(simeck_f)(rk[i - 3]) ^
                          W(splat)((W(number))(WORD_MASK ^ 3 ^ (z & 1))));
}
