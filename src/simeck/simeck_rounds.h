/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rounds of SIMECK on words of WORD_BITS bits (Yang et al., CHES 2015, section 2), in portable C.
 */
HANJI_INLINE W(word) W(simeck_f)(W(word) v)
{
    return (W(word))((v & W(rotl)(v, 5)) ^ W(rotl)(v, 1));
}

/* y ^= f(v) ^ k; `one_block` as in simon_rounds.h. */
HANJI_INLINE void W(simeck_add)(W(word) *y, W(word) v, W(word) k, int one_block)
{
#if HANJI_PORTABLE_GROUPS && defined(HANJI_X86)
    if (one_block) {
        const W(word) early = W(settled)((W(word))(*y ^ k));
        *y = (W(word))(W(settled)((W(word))(early ^ W(rotl)(v, 1))) ^ (v & W(rotl)(v, 5)));
        return;
    }
#endif
    (void)one_block;
    *y ^= (W(word))(W(simeck_f)(v) ^ k);
}

/* Two rounds, from round i on. */
HANJI_INLINE void W(simeck_two)(W(word) *s, W(keys) rk, int i, int width)
{
    W(word) *y = s, *x = s + width;
    const W(word) k0 = W(round_key)(rk, i), k1 = W(round_key)(rk, i + 1);
    UNROLL
    for (int l = 0; l < width; l++)
        W(simeck_add)(&y[l], x[l], W(key_for)(rk, i, l, k0), width == 1);
    UNROLL
    for (int l = 0; l < width; l++)
        W(simeck_add)(&x[l], y[l], W(key_for)(rk, i + 1, l, k1), width == 1);
}

HANJI_INLINE void W(simeck_encrypt)(W(word) *s, W(keys) rk, int rounds, int width)
{
    if (SHORT_ROUNDS(rk, width)) {
        UNROLL_ROUNDS
        for (int i = 0; i < rounds; i += 2)
            W(simeck_two)(s, rk, i, width);
    } else {
        for (int i = 0; i < rounds; i += 2)
            W(simeck_two)(s, rk, i, width);
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
