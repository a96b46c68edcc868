/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rounds of SPECK on words of WORD_BITS bits (Beaulieu et al., ePrint 2013/404, section 4): a
 * W(word) is a word in portable C and a vector of words in the kernels of processors with vectors.
 */
/* Rotations: (7, 2) for 16-bit words, (8, 3) for all others. */
#undef ALPHA
#undef BETA
#define ALPHA (WORD_BITS == 16 ? 7 : 8)
#define BETA (WORD_BITS == 16 ? 2 : 3)

/*
 * A fixed order pays in wide vectors, but not where AVX-512 has words with gaps: there compilers
 * make one operation of a mask and the xor behind it.
 */
#undef SPECK_IN_ORDER
#if defined(VECTOR_BYTES)
#define SPECK_IN_ORDER (VECTOR_BYTES == 32 || VECTOR_BYTES == 64)
#else
#define SPECK_IN_ORDER 0
#endif

/* s[0 .. lanes) holds the words y, s[lanes .. 2 lanes) the words x. */
#if SPECK_IN_ORDER
/*
 * In the order that wide vectors take best: the last xor of a round beside the first rotation of
 * the next, then additions beside rotations, then the keys. No compiler finds it. With twelve
 * vectors of every word Zen 5 comes within two hundredths of the bound of its units; in the order
 * that gcc 12 and clang 14 choose, within five to eight.
 */

/*
 * AVX2 has sixteen registers, fourteen of them for seven vectors of every word: a rotation takes
 * one beside the word's, and the order of that by eight bits stays in memory.
 */
#if VECTOR_BYTES == 32
HANJI_INLINE W(word) W(speck_rotl)(W(word) y)
{
    W(word) above = y << BETA;
    IN_ORDER(above);
    y >>= WORD_BITS - BETA;
    IN_ORDER(y);
    return y | above;
}
#else
HANJI_INLINE W(word) W(speck_rotl)(W(word) y)
{
    return W(rotl)(y, BETA);
}
#endif

#if VECTOR_BYTES == 32 && WORD_BITS == 32
static const uint8_t W(speck_order)[32] = {1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12,
                                           1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12};
#elif VECTOR_BYTES == 32 && WORD_BITS == 64
static const uint8_t W(speck_order)[32] = {1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8,
                                           1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8};
#endif
HANJI_INLINE W(word) W(speck_rotr)(W(word) x)
{
#if VECTOR_BYTES == 32 && (WORD_BITS == 32 || WORD_BITS == 64)
    return (W(word))shuffle_by_memory((vector)x, W(speck_order));
#else
    return W(rotr)(x, ALPHA);
#endif
}

/* The words x are rotated. */
HANJI_INLINE void W(speck_mix)(W(word) *s, W(keys) rk, int i, int lacks_key, int width)
{
    W(word) *y = s, *x = s + width;
    UNROLL
    for (int l = 0; l < width; l++) {
        x[l] = W(add)(x[l], y[l]);
        IN_ORDER(x[l]);
        y[l] = W(speck_rotl)(y[l]);
        IN_ORDER(y[l]);
    }
    if (lacks_key)
        return;
    const W(word) k = W(round_key)(rk, i); /* not before: rotations need the register */
    UNROLL
    for (int l = 0; l < width; l++) {
        x[l] ^= W(key_for)(rk, i, l, k);
        IN_ORDER(x[l]);
    }
}

/* From one round to the next. */
HANJI_INLINE void W(speck_link)(W(word) *s, int width)
{
    W(word) *y = s, *x = s + width;
    UNROLL
    for (int l = 0; l < width; l++) {
        y[l] ^= x[l];
        IN_ORDER(y[l]);
        x[l] = W(speck_rotr)(x[l]);
        IN_ORDER(x[l]);
    }
}

/*
 * From round `from` on. With `lacks_key` 1 the last round key is left out, which all words of the result
 * then lack.
 */
HANJI_INLINE void W(speck_rounds)(W(word) *s, W(keys) rk, int from, int rounds, int lacks_key,
                                  int width)
{
    W(word) *y = s, *x = s + width;
    if (SHORT_ROUNDS(rk, (width + 1) / 2)) { /* or two */
        UNROLL_ROUNDS
        for (int i = from; i < rounds - 1; i++) {
            W(speck_mix)(s, rk, i, 0, width);
            W(speck_link)(s, width);
        }
    } else {
        for (int i = from; i < rounds - 1; i++) {
            W(speck_mix)(s, rk, i, 0, width);
            W(speck_link)(s, width);
        }
    }
    W(speck_mix)(s, rk, rounds - 1, lacks_key, width);
    UNROLL
    for (int l = 0; l < width; l++)
        y[l] ^= x[l];
}

HANJI_INLINE void W(speck_encrypt)(W(word) *s, W(keys) rk, int rounds, int width)
{
    W(word) *x = s + width;
    UNROLL
    for (int l = 0; l < width; l++)
        x[l] = W(rotr)(x[l], ALPHA);
    W(speck_rounds)(s, rk, 0, rounds, 0, width);
}
#else
/* A round of `width` blocks. */
HANJI_INLINE void W(speck_round)(W(word) *s, W(keys) rk, int i, int width)
{
    W(word) *y = s, *x = s + width;
    const W(word) k = W(round_key)(rk, i);
    UNROLL
    for (int l = 0; l < width; l++) {
        x[l] = W(add)(W(rotr)(x[l], ALPHA), y[l]) ^ W(key_for)(rk, i, l, k);
        y[l] = W(rotl)(y[l], BETA) ^ x[l];
    }
}

HANJI_INLINE void W(speck_encrypt)(W(word) *s, W(keys) rk, int rounds, int width)
{
#ifndef VECTOR_BYTES
    if (SHORT_ROUNDS(rk, width)) {
        UNROLL_ROUNDS
        for (int i = 0; i < rounds; i++)
            W(speck_round)(s, rk, i, width);
        return;
    }
#endif
    for (int i = 0; i < rounds; i++)
        W(speck_round)(s, rk, i, width);
}
#endif

#ifdef VECTOR_BYTES
/* AVX-512 xors three values at once: there the last round key waits for the text. */
#undef COUNTED_LACKS_KEY
#define COUNTED_LACKS_KEY(bits) \
    (VECTOR_BYTES == 64 && ((bits) == 16 || (bits) == 32 || (bits) == 64))

/*
 * The first round of counters: y is the same in all blocks but for a carry, and so is what the word
 * that is counted, which comes rotated as the round wants it, is added to.
 */
HANJI_INLINE void W(speck_counted)(W(word) *s, const W(group) *of, int turn, W(keys) rk,
                                   W(rounds_fn) *run, int rounds, int width)
{
    W(word) *y = s, *x = s + width, sum[PIECES_MAX + 1], past[PIECES_MAX], turned[PIECES_MAX + 1];
    const int pieces = (width * BLOCKS + 255) / 256;
    const W(word) k = W(round_key)(rk, 0);
    for (int p = 0; p <= pieces; p++) {
        sum[p] = of->at[p][1] + of->at[p][0];
        turned[p] = W(rotl)(of->at[p][0], BETA);
        OPAQUE(sum[p]); /* else compilers do it again for every vector, in the choice */
        OPAQUE(turned[p]);
        if (p > 0) {
            past[p - 1] = of->past[p - 1] + of->at[p][0];
            OPAQUE(past[p - 1]);
        }
    }
    UNROLL
    for (int l = 0; l < width; l++) {
        const int p = l * BLOCKS / 256;
        const W(word) n = W(numbers_at)(l, turn);
        const W(choice) over = W(exceeds)(n, of->limit, turn);
        x[l] = W(add)(W(choose)(over, past[p], sum[p]), n) ^ k;
        y[l] = W(choose)(over, turned[p + 1], turned[p]);
    }
#if SPECK_IN_ORDER
    (void)run;
    W(speck_link)(s, width);
    W(speck_rounds)(s, rk, 1, rounds, COUNTED_LACKS_KEY(WORD_BITS), width);
#else
    UNROLL
    for (int l = 0; l < width; l++)
        y[l] ^= x[l];
    run(s, (W(keys)){.shared = rk.shared + 1}, rounds - 1, width);
#endif
}
#undef COUNTED
#undef COUNTED_TURN
#define COUNTED(bits) HANJI_JOIN(speck_counted_w, bits)
#define COUNTED_TURN(bits) ((bits) == 16 ? 7 : 8)
#endif

HANJI_INLINE void W(speck_decrypt)(W(word) *s, W(keys) rk, int rounds, int width)
{
    W(word) *y = s, *x = s + width;
    for (int i = rounds - 1; i >= 0; i--) {
        const W(word) k = W(round_key)(rk, i);
        UNROLL
        for (int l = 0; l < width; l++) {
            y[l] = W(rotr)(y[l] ^ x[l], BETA);
            x[l] = W(rotl)(W(sub)(x[l] ^ k, y[l]), ALPHA);
        }
    }
}

/*
 * rk begins with the key words k[0], l[0], ..., l[m-2]; the schedule is the round function on
 * (l[i], k[i]) with i as the round key. Every schedule of the block ciphers is written like this,
 * in place, and takes the same arguments; z is for SIMON and SIMECK.
 */
HANJI_INLINE void W(speck_schedule)(W(word) *rk, int key_words, int rounds, uint64_t z)
{
    /* l moves on by one place a round, which costs nothing where it is in registers */
    W(word) l[3], k = rk[0];
    (void)z;
    for (int j = 0; j + 1 < key_words; j++)
        l[j] = rk[j + 1];
    /*
     * of its own: clang would count the loop in a vector, and the scan of kernels for leaks take
     * that for data
     */
    W(word) number = W(splat)(0);
    UNROLL_SCHEDULE
    for (int i = 0; i + 1 < rounds; i++) {
        const W(word) sum = W(add)(W(rotr)(l[0], ALPHA), k);
        for (int j = 0; j + 2 < key_words; j++)
            l[j] = l[j + 1];
        l[key_words - 2] = sum ^ number;
#if !defined(VECTOR_BYTES) && defined(HANJI_X86)
        if (key_words == 2) /* the next l waits as long as k with an xor more than it must have */
            k = W(rotl)(k, BETA) ^ l[0];
        else
            k = W(settled)(W(rotl)(k, BETA) ^ number) ^ sum;
#else
        k = W(rotl)(k, BETA) ^ number ^ sum; /* the sum last: it takes longest */
#endif
        rk[i + 1] = k;
        number = (W(word))(number + W(splat)(1));
    }
    W(forget)(l, sizeof l);
}

#if SPECK_IN_ORDER && (WORD_BITS == 32 || WORD_BITS == 64)
/* Leave round key i in memory, and make the next. */
HANJI_INLINE void W(speck_next)(W(number) *k, W(number) *l, W(number) *rk, int key_words, int i)
{
    rk[i] = *k;
    IN_MEMORY(rk[i]);
    const W(number) sum = (l[0] >> ALPHA | l[0] << (WORD_BITS - ALPHA)) + *k;
    for (int j = 0; j + 2 < key_words; j++)
        l[j] = l[j + 1];
    l[key_words - 2] = sum ^ (W(number))i;
    __asm__("" : "+r"(l[key_words - 2])); /* else clang rotates without the number above its byte */
    *k = (*k << BETA | *k >> (WORD_BITS - BETA)) ^ (W(number))i ^ sum;
}

/*
 * Both at once, for lanes/vector_once.h: a round key is made in general registers, and goes
 * through memory to the vectors.
 */
HANJI_INLINE void W(speck_once)(W(word) *s, W(number) *rk, int key_words, int rounds, uint64_t z,
                                int width)
{
    W(word) *y = s, *x = s + width;
    W(number) l[3], k = rk[0];
    (void)z;
    for (int j = 0; j + 1 < key_words; j++)
        l[j] = rk[j + 1];
    UNROLL
    for (int i = 0; i < width; i++)
        x[i] = W(rotr)(x[i], ALPHA);
    if (width <= 2) {
        UNROLL_ROUNDS
        for (int i = 0; i < rounds; i++) {
            W(speck_next)(&k, l, rk, key_words, i);
            W(speck_mix)(s, (W(keys)){.shared = rk}, i, 0, width);
            if (i + 1 < rounds)
                W(speck_link)(s, width);
        }
    } else {
        for (int i = 0; i < rounds - 1; i++) {
            W(speck_next)(&k, l, rk, key_words, i);
            W(speck_mix)(s, (W(keys)){.shared = rk}, i, 0, width);
            W(speck_link)(s, width);
        }
        W(speck_next)(&k, l, rk, key_words, rounds - 1);
        W(speck_mix)(s, (W(keys)){.shared = rk}, rounds - 1, 0, width);
    }
    UNROLL
    for (int i = 0; i < width; i++)
        y[i] ^= x[i];
}
#endif

#ifndef VECTOR_BYTES
/* Both at once, step by step beside each other: one round key at a time, from the key words. */
HANJI_INLINE void W(speck_once)(W(word) *s, W(keys) key, int key_words, int rounds, uint64_t z,
                                int width)
{
    W(word) l[3], k = key[0];
    (void)z;
    for (int j = 0; j + 1 < key_words; j++)
        l[j] = key[j + 1];
    UNROLL_SCHEDULE
    for (int i = 0; i < rounds; i++) {
        W(speck_round)(s, &k, 0, width);
        k = W(after)(k, s[0]);
        const W(word) sum = W(add)(W(rotr)(l[0], ALPHA), k);
        for (int j = 0; j + 2 < key_words; j++)
            l[j] = l[j + 1];
        l[key_words - 2] = sum ^ (W(word))i;
        k = W(rotl)(k, BETA) ^ l[key_words - 2];
    }
}
#endif
