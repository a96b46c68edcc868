/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rounds of SIMON on words of WORD_BITS bits (Beaulieu et al., ePrint 2013/404, section 3): a
 * W(word) is a word in portable C and a vector of words in the kernels of processors with vectors.
 */
/*
 * Where the instructions count by the rotation, one of the halves is held rotated to the right by
 * 8: what is rotated by 1, 8 and 2 goes by 9, 16 and 10 into the other half, and what is there
 * comes back by -7, 0 and -6. In two rounds that is a rotation less, and two for 16-bit words.
 */
#undef SIMON_TURN
#if defined(VECTOR_BYTES) && VECTOR_BYTES >= 32
#define SIMON_TURN 8
#else
#define SIMON_TURN 0
#endif

/* f(v), where v is held rotated to the right by `from` bits, to the right by `to` bits. */
HANJI_INLINE W(word) W(simon_f)(W(word) v, int from, int to)
{
    const int turn = WORD_BITS + from - to;
    return (W(word))((W(rotl)(v, (turn + 1) % WORD_BITS) & W(rotl)(v, (turn + 8) % WORD_BITS)) ^
                     W(rotl)(v, (turn + 2) % WORD_BITS));
}

/*
 * y ^= f(v) ^ k. For `one_block` of portable C in the order of what waits longest: v is the word
 * that the round before has made.
 */
HANJI_INLINE void W(simon_add)(W(word) *y, W(word) v, int from, int to, W(word) k, int one_block)
{
#if !defined(VECTOR_BYTES) && HANJI_PORTABLE_GROUPS && defined(HANJI_X86)
    if (one_block) {
        const W(word) early = W(settled)((W(word))(*y ^ k));
        *y = (W(word))(W(settled)((W(word))(early ^ W(rotl)(v, 2))) ^
                       (W(rotl)(v, 1) & W(rotl)(v, 8)));
        return;
    }
#endif
    (void)one_block;
    *y ^= (W(word))(W(simon_f)(v, from, to) ^ k);
}

HANJI_INLINE void W(simon_turn)(W(word) *v, int turn, int width)
{
    UNROLL
    for (int l = 0; l < width; l++)
        v[l] = W(rotl)(v[l], turn % WORD_BITS);
}

/* The second key of two rounds, for all vectors or for vector l. */
HANJI_INLINE W(word) W(simon_second)(W(word) k)
{
#if SIMON_TURN > 0
    /*
     * else compilers rotate the key in general registers, which the scan of kernels for leaks does
     * not allow
     */
    OPAQUE(k);
    k = W(rotr)(k, SIMON_TURN);
#endif
    return k;
}

HANJI_INLINE W(word) W(simon_key_for)(W(keys) rk, int i, int l, W(word) k)
{
#ifdef VECTOR_BYTES
    return rk.apart > 0 ? W(simon_second)(W(key_for)(rk, i, l, k)) : k;
#else
    (void)rk;
    (void)i;
    (void)l;
    return k;
#endif
}

/*
 * Two rounds leave the halves in their places; an odd round at the end (128/192 has 69) swaps them,
 * and they are x and y the other way round. Every round goes over all lanes: what follows of one
 * lane has to wait.
 */
HANJI_INLINE void W(simon_two)(W(word) *y, W(word) *x, W(keys) rk, int i0, int i1, int width)
{
    const W(word) k0 = W(round_key)(rk, i0), k1 = W(simon_second)(W(round_key)(rk, i1));
    UNROLL
    for (int l = 0; l < width; l++)
        W(simon_add)(&y[l], x[l], SIMON_TURN, 0, W(key_for)(rk, i0, l, k0), width == 1);
    UNROLL
    for (int l = 0; l < width; l++)
        W(simon_add)(&x[l], y[l], 0, SIMON_TURN, W(simon_key_for)(rk, i1, l, k1), width == 1);
}

HANJI_INLINE void W(simon_encrypt)(W(word) *s, W(keys) rk, int rounds, int width)
{
    W(word) *y = s, *x = s + width;
    W(simon_turn)(x, WORD_BITS - SIMON_TURN, width);
    if (SHORT_ROUNDS(rk, width)) {
        UNROLL_ROUNDS
        for (int i = 0; i + 1 < rounds; i += 2)
            W(simon_two)(y, x, rk, i, i + 1, width);
    } else {
        for (int i = 0; i + 1 < rounds; i += 2)
            W(simon_two)(y, x, rk, i, i + 1, width);
    }
    W(simon_turn)(x, SIMON_TURN, width);
    if ((rounds & 1) != 0) {
        UNROLL
        for (int l = 0; l < width; l++) {
            const W(word) k = W(round_key)(rk, rounds - 1),
                          t = (W(word))(y[l] ^ W(simon_f)(x[l], 0, 0) ^
                                        W(key_for)(rk, rounds - 1, l, k));
            y[l] = x[l];
            x[l] = t;
        }
    }
}

HANJI_INLINE void W(simon_decrypt)(W(word) *s, W(keys) rk, int rounds, int width)
{
    W(word) *y = s, *x = s + width;
    if ((rounds & 1) != 0) {
        UNROLL
        for (int l = 0; l < width; l++) {
            const W(word) t =
                (W(word))(x[l] ^ W(simon_f)(y[l], 0, 0) ^ W(round_key)(rk, rounds - 1));
            x[l] = y[l];
            y[l] = t;
        }
    }
    W(simon_turn)(y, WORD_BITS - SIMON_TURN, width);
    for (int i = (rounds & ~1) - 2; i >= 0; i -= 2)
        W(simon_two)(x, y, rk, i + 1, i, width);
    W(simon_turn)(y, SIMON_TURN, width);
}

/*
 * rk begins with the key words. The sequence z of the variant is a 62-bit integer whose bit j is
 * z[j]; it is public, so its bits may be shifted out one by one.
 */
HANJI_INLINE void W(simon_schedule)(W(word) *rk, int key_words, int rounds, uint64_t z)
{
    uint64_t bits = z;
    UNROLL_SCHEDULE
    for (int i = key_words, j = 0; i < rounds; i++) {
        /* c = 2^w - 4; what waits for the round before comes last */
        W(word) t =
            (W(word))(rk[i - key_words] ^ W(splat)((W(number))(WORD_MASK ^ 3 ^ (bits & 1))));
        if (key_words == 4)
            t ^= (W(word))(rk[i - 3] ^ W(rotr)(rk[i - 3], 1));
        const W(word) k = rk[i - 1];
        rk[i] = (W(word))(W(settled)(t) ^ W(settled)((W(word))(W(rotr)(k, 3) ^ W(rotr)(k, 4))));
        bits >>= 1;
        if (++j == 62) {
            j = 0;
            bits = z;
        }
    }
}

#ifndef VECTOR_BYTES
/*
 * Both at once, step by step beside each other: as many round keys at a time as the key has words,
 * and the key itself first.
 */
HANJI_INLINE void W(simon_once)(W(word) *s, W(keys) key, int key_words, int rounds, uint64_t z,
                                int width)
{
    W(word) *y = s, *x = s + width, rk[4];
    for (int j = 0; j < key_words; j++)
        rk[j] = key[j];
    UNROLL_SCHEDULE
    for (int i = 0; i < rounds; i++) {
        const W(word) last = rk[key_words - 1];
        W(word) k = rk[0];
        for (int l = 0; l < width; l++) {
            if ((i & 1) == 0)
                W(simon_add)(&y[l], x[l], 0, 0, k, width == 1);
            else
                W(simon_add)(&x[l], y[l], 0, 0, k, width == 1);
        }
        k = W(after)(k, s[0]);
        W(word) t = (W(word))(k ^ (W(number))(WORD_MASK ^ 3 ^ (z >> i % 62 & 1)));
        if (key_words == 4)
            t ^= (W(word))(rk[1] ^ W(rotr)(rk[1], 1));
        for (int j = 0; j + 1 < key_words; j++)
            rk[j] = rk[j + 1];
        rk[key_words - 1] =
            (W(word))(W(settled)(t) ^ W(settled)((W(word))(W(rotr)(last, 3) ^ W(rotr)(last, 4))));
    }
    if ((rounds & 1) != 0)
        for (int l = 0; l < width; l++) {
            const W(word) t = x[l];
            x[l] = y[l];
            y[l] = t;
        }
}
#endif
