/* SPDX-License-Identifier: Apache-2.0 */
/* The rounds of CHAM on words of WORD_BITS bits (Koo et al., ICISC 2017, section 3): a W(word) is a word in portable C and a vector of words in the kernels of processors with vectors. */
/*
 * Slot form: the words stay where they are, and round i overwrites slot i mod 4 from itself and slot i + 1 mod 4. Even rounds rotate the second word by 1
 * and the sum by 8, odd rounds by 8 and by 1. `a` and `b` are the slots, i the round, k its key.
 *
 * On 16-bit words two rotations by 8 cancel: what an even round rotates is rotated again when the next odd round reads it. So the even slots hold
 * their words rotated by 8 (the sum of the round before its rotation), one of the two rotations by 8 remains, and the borders of the cipher swap their bytes.
 */
#undef CHAM_EVEN
#undef CHAM_ODD
#undef CHAM_EVEN_INVERSE
#undef CHAM_ODD_INVERSE
#undef CHAM_BORDER
#if WORD_BITS == 16
#define CHAM_EVEN(a, b, i, k) (a) = W(add)((W(word))(W(rotl)((a), 8) ^ (i)), (W(word))(W(rotl)((b), 1) ^ (k)))
#define CHAM_ODD(a, b, i, k) (a) = W(rotl)(W(add)((W(word))((a) ^ (i)), (W(word))((b) ^ (k))), 1)
#define CHAM_EVEN_INVERSE(a, b, i, k) (a) = W(rotl)((W(word))(W(sub)((a), (W(word))(W(rotl)((b), 1) ^ (k))) ^ (i)), 8)
#define CHAM_ODD_INVERSE(a, b, i, k) (a) = (W(word))(W(sub)(W(rotr)((a), 1), (W(word))((b) ^ (k))) ^ (i))
#define CHAM_BORDER(a) (a) = W(rotl)((a), 8)
#else
#define CHAM_EVEN(a, b, i, k) (a) = W(rotl)(W(add)((a) ^ (i), W(rotl)((b), 1) ^ (k)), 8)
#define CHAM_ODD(a, b, i, k) (a) = W(rotl)(W(add)((a) ^ (i), W(rotl)((b), 8) ^ (k)), 1)
#define CHAM_EVEN_INVERSE(a, b, i, k) (a) = W(sub)(W(rotr)((a), 8), W(rotl)((b), 1) ^ (k)) ^ (i)
#define CHAM_ODD_INVERSE(a, b, i, k) (a) = W(sub)(W(rotr)((a), 1), W(rotl)((b), 8) ^ (k)) ^ (i)
#define CHAM_BORDER(a) (void)(a)
#endif

/* The number of round keys is a power of two, and a multiple of the four rounds of the loop; last_key is that number less one. */
HANJI_INLINE void W(cham_encrypt)(W(word) *s, W(keys) rk, int rounds, int last_key, int lanes)
{
    W(word) *s0 = s, *s1 = s + lanes, *s2 = s + 2 * lanes, *s3 = s + 3 * lanes;
    UNROLL_LANES
    for (int l = 0; l < lanes; l++) {
        CHAM_BORDER(s0[l]);
        CHAM_BORDER(s2[l]);
    }
    for (int round = 0; round < rounds; round += 4) {
        const W(word) i = W(splat)((W(number))round);
        const int key = round & last_key;
        const W(word) k0 = W(round_key)(rk, key), k1 = W(round_key)(rk, key + 1), k2 = W(round_key)(rk, key + 2), k3 = W(round_key)(rk, key + 3);
        UNROLL_LANES
        for (int l = 0; l < lanes; l++)
            CHAM_EVEN(s0[l], s1[l], i, k0);
        UNROLL_LANES
        for (int l = 0; l < lanes; l++)
            CHAM_ODD(s1[l], s2[l], i + 1, k1);
        UNROLL_LANES
        for (int l = 0; l < lanes; l++)
            CHAM_EVEN(s2[l], s3[l], i + 2, k2);
        UNROLL_LANES
        for (int l = 0; l < lanes; l++)
            CHAM_ODD(s3[l], s0[l], i + 3, k3);
    }
    UNROLL_LANES
    for (int l = 0; l < lanes; l++) {
        CHAM_BORDER(s0[l]);
        CHAM_BORDER(s2[l]);
    }
}

#if defined(VECTOR_BYTES) && VECTOR_BYTES >= 32
/*
 * Decryption is one chain: every round waits for the one before it. In vectors that are wider than the chain is fast, slots hold what a round gives before the xor of its number, whose
 * place is then in the constants: the number comes out where the slot is overwritten, a time away, and where it is the second word, out of the key.
 */
#define CHAM_INVERSE(a, b, turn, b_turn, number, k)                                                              \
    do {                                                                                                         \
        const W(word) out = (number) + 4, other = W(rotl)((number) + 1, b_turn) ^ (k);                           \
        UNROLL_LANES                                                                                             \
        for (int l = 0; l < lanes; l++)                                                                          \
            (a)[l] = W(sub)(W(rotr)((W(word))((a)[l] ^ out), turn), (W(word))(W(rotl)((b)[l], b_turn) ^ other)); \
    } while (0)
HANJI_INLINE void W(cham_decrypt)(W(word) *s, W(keys) rk, int rounds, int last_key, int lanes)
{
    W(word) *s0 = s, *s1 = s + lanes, *s2 = s + 2 * lanes, *s3 = s + 3 * lanes;
    UNROLL_LANES
    for (int w = 0; w < 4; w++)
        for (int l = 0; l < lanes; l++)
            s[w * lanes + l] ^= W(splat)((W(number))(rounds + w));
    for (int round = rounds - 4; round >= 0; round -= 4) {
        W(word) i = W(splat)((W(number))round);
        __asm__("" : "+x"(i)); /* else compilers reckon with keys in general registers, which the scan of kernels for leaks does not allow */
        const int key = round & last_key;
        CHAM_INVERSE(s3, s0, 1, 8, i + 3, W(round_key)(rk, key + 3));
        CHAM_INVERSE(s2, s3, 8, 1, i + 2, W(round_key)(rk, key + 2));
        CHAM_INVERSE(s1, s2, 1, 8, i + 1, W(round_key)(rk, key + 1));
        CHAM_INVERSE(s0, s1, 8, 1, i, W(round_key)(rk, key));
    }
    UNROLL_LANES
    for (int w = 1; w < 4; w++) /* the number of slot 0 is 0 */
        for (int l = 0; l < lanes; l++)
            s[w * lanes + l] ^= W(splat)((W(number))w);
}
#undef CHAM_INVERSE
#else
HANJI_INLINE void W(cham_decrypt)(W(word) *s, W(keys) rk, int rounds, int last_key, int lanes)
{
    W(word) *s0 = s, *s1 = s + lanes, *s2 = s + 2 * lanes, *s3 = s + 3 * lanes;
    UNROLL_LANES
    for (int l = 0; l < lanes; l++) {
        CHAM_BORDER(s0[l]);
        CHAM_BORDER(s2[l]);
    }
    for (int round = rounds - 4; round >= 0; round -= 4) {
        const W(word) i = W(splat)((W(number))round);
        const int key = round & last_key;
        const W(word) k0 = W(round_key)(rk, key), k1 = W(round_key)(rk, key + 1), k2 = W(round_key)(rk, key + 2), k3 = W(round_key)(rk, key + 3);
        UNROLL_LANES
        for (int l = 0; l < lanes; l++)
            CHAM_ODD_INVERSE(s3[l], s0[l], i + 3, k3);
        UNROLL_LANES
        for (int l = 0; l < lanes; l++)
            CHAM_EVEN_INVERSE(s2[l], s3[l], i + 2, k2);
        UNROLL_LANES
        for (int l = 0; l < lanes; l++)
            CHAM_ODD_INVERSE(s1[l], s2[l], i + 1, k1);
        UNROLL_LANES
        for (int l = 0; l < lanes; l++)
            CHAM_EVEN_INVERSE(s0[l], s1[l], i, k0);
    }
    UNROLL_LANES
    for (int l = 0; l < lanes; l++) {
        CHAM_BORDER(s0[l]);
        CHAM_BORDER(s2[l]);
    }
}
#endif

/* The rounds in the form that lanes/portable.h takes; the number of round keys, a power of two, is part of the function. */
#define CHAM_ROUNDS(count)                                                                                            \
    HANJI_INLINE void HANJI_JOIN(cham_encrypt_k##count##_w, WORD_BITS)(W(word) *s, W(keys) rk, int rounds, int lanes) \
    {                                                                                                                 \
        W(cham_encrypt)(s, rk, rounds, (count)-1, lanes);                                                             \
    }                                                                                                                 \
    HANJI_INLINE void HANJI_JOIN(cham_decrypt_k##count##_w, WORD_BITS)(W(word) *s, W(keys) rk, int rounds, int lanes) \
    {                                                                                                                 \
        W(cham_decrypt)(s, rk, rounds, (count)-1, lanes);                                                             \
    }

CHAM_ROUNDS(8)
CHAM_ROUNDS(16)

/* rk begins with the key words; each gives two round keys, the second behind all the firsts. */
HANJI_INLINE void W(cham_schedule)(W(word) *rk, int key_words, int rounds, uint64_t z)
{
    (void)rounds;
    (void)z;
    for (int j = 0; j < key_words; j++) {
        const W(word) k = rk[j], t = (W(word))(k ^ W(rotl)(k, 1));
        rk[j] = (W(word))(t ^ W(rotl)(k, 8));
        rk[(j + key_words) ^ 1] = (W(word))(t ^ W(rotl)(k, 11));
    }
}
