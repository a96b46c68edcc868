/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rounds of CHAM on words of WORD_BITS bits (Koo et al., ICISC 2017, section 3): a W(word) is a
 * word in portable C and a vector of words in the kernels of processors with vectors.
 */
/*
 * Slot form: the words stay where they are, and round i overwrites slot i mod 4 from itself and
 * slot i + 1 mod 4. Even rounds rotate the second word by 1 and the sum by 8, odd rounds by 8 and
 * by 1. `a` and `b` are the slots, i the round, k its key.
 *
 * On 16-bit words two rotations by 8 cancel: what an even round rotates is rotated again when the
 * next odd round reads it. So the even slots hold their words rotated by 8 (the sum of the round
 * before its rotation), one of the two rotations by 8 remains, and the borders of the cipher swap
 * their bytes.
 */
#undef CHAM_EVEN
#undef CHAM_ODD
#undef CHAM_EVEN_INVERSE
#undef CHAM_ODD_INVERSE
#undef CHAM_BORDER
#undef CHAM_KEYS_IN_REGISTERS
#if WORD_BITS == 16
#define CHAM_EVEN(a, b, i, k) \
    (a) = W(add)((W(word))(W(rotl)((a), 8) ^ (i)), (W(word))(W(rotl)((b), 1) ^ (k)))
#define CHAM_ODD(a, b, i, k) (a) = W(rotl)(W(add)((W(word))((a) ^ (i)), (W(word))((b) ^ (k))), 1)
#define CHAM_EVEN_INVERSE(a, b, i, k) \
    (a) = W(rotl)((W(word))(W(sub)((a), (W(word))(W(rotl)((b), 1) ^ (k))) ^ (i)), 8)
#define CHAM_ODD_INVERSE(a, b, i, k) \
    (a) = (W(word))(W(sub)(W(rotr)((a), 1), (W(word))((b) ^ (k))) ^ (i))
#define CHAM_BORDER(a) (a) = W(rotl)((a), 8)
#else
#define CHAM_EVEN(a, b, i, k) (a) = W(rotl)(W(add)((a) ^ (i), W(rotl)((b), 1) ^ (k)), 8)
#define CHAM_ODD(a, b, i, k) (a) = W(rotl)(W(add)((a) ^ (i), W(rotl)((b), 8) ^ (k)), 1)
#define CHAM_EVEN_INVERSE(a, b, i, k) (a) = W(sub)(W(rotr)((a), 8), W(rotl)((b), 1) ^ (k)) ^ (i)
#define CHAM_ODD_INVERSE(a, b, i, k) (a) = W(sub)(W(rotr)((a), 1), W(rotl)((b), 8) ^ (k)) ^ (i)
#define CHAM_BORDER(a) (void)(a)
#endif

/*
 * Round numbers in all lanes, times 1, 2 or 256. Wide vectors load them, which leaves the units
 * that reckon to the rounds.
 */
#if defined(VECTOR_BYTES) && VECTOR_BYTES == 64
#define CHAM_KEYS_IN_REGISTERS 1
#else
#define CHAM_KEYS_IN_REGISTERS 0
#endif
#if defined(VECTOR_BYTES) && VECTOR_BYTES >= 32
#define CHAM_4(i, f) (i) * (f), ((i) + 1) * (f), ((i) + 2) * (f), ((i) + 3) * (f)
#define CHAM_16(i, f) CHAM_4(i, f), CHAM_4((i) + 4, f), CHAM_4((i) + 8, f), CHAM_4((i) + 12, f)
#define CHAM_64(i, f) \
    CHAM_16(i, f), CHAM_16((i) + 16, f), CHAM_16((i) + 32, f), CHAM_16((i) + 48, f)
/* Of 16 bits in pairs: words of 32 go from memory into all lanes without a unit that reckons. */
#if WORD_BITS == 16
#define CHAM_PAIRED 65537u
typedef uint32_t W(cham_pair);
typedef W(cham_pair) W(cham_pairs) __attribute__((vector_size(VECTOR_BYTES)));
#else
#define CHAM_PAIRED 1
typedef W(number) W(cham_pair);
typedef W(word) W(cham_pairs);
#endif
static const W(cham_pair)
    W(cham_numbers)[3][128] = {{CHAM_64(0, CHAM_PAIRED), CHAM_64(64, CHAM_PAIRED)},
                               {CHAM_64(0, 2 * CHAM_PAIRED), CHAM_64(64, 2 * CHAM_PAIRED)},
                               {CHAM_64(0, 256 * CHAM_PAIRED), CHAM_64(64, 256 * CHAM_PAIRED)}};
#undef CHAM_PAIRED
HANJI_INLINE W(word) W(cham_number)(const W(cham_pair) *number)
{
    return (W(word))((W(cham_pairs)){0} + *number);
}
#undef CHAM_4
#undef CHAM_16
#undef CHAM_64
#define CHAM_NUMBER(i) W(cham_number)(W(cham_numbers)[0] + (i))
#define CHAM_TURNED(i, turn) W(cham_number)(W(cham_numbers)[(turn) == 1 ? 1 : 2] + (i))
#else
#define CHAM_NUMBER(i) W(splat)((W(number))(i))
#endif

/*
 * The number of round keys is a power of two, and a multiple of the four rounds of the loop;
 * last_key is that number less one.
 */
HANJI_INLINE void W(cham_four)(W(word) *s, W(keys) rk, int round, int last_key, int width)
{
    W(word) *s0 = s, *s1 = s + width, *s2 = s + 2 * width, *s3 = s + 3 * width;
    const W(word) i0 = CHAM_NUMBER(round), i1 = CHAM_NUMBER(round + 1), i2 = CHAM_NUMBER(round + 2),
                  i3 = CHAM_NUMBER(round + 3);
    const int key = round & last_key;
    const W(word) k0 = W(round_key)(rk, key), k1 = W(round_key)(rk, key + 1),
                  k2 = W(round_key)(rk, key + 2), k3 = W(round_key)(rk, key + 3);
    UNROLL
    for (int l = 0; l < width; l++)
        CHAM_EVEN(s0[l], s1[l], i0, W(key_for)(rk, key, l, k0));
    UNROLL
    for (int l = 0; l < width; l++)
        CHAM_ODD(s1[l], s2[l], i1, W(key_for)(rk, key + 1, l, k1));
    UNROLL
    for (int l = 0; l < width; l++)
        CHAM_EVEN(s2[l], s3[l], i2, W(key_for)(rk, key + 2, l, k2));
    UNROLL
    for (int l = 0; l < width; l++)
        CHAM_ODD(s3[l], s0[l], i3, W(key_for)(rk, key + 3, l, k3));
}

HANJI_INLINE void W(cham_encrypt)(W(word) *s, W(keys) rk, int rounds, int last_key, int width)
{
    W(word) *s0 = s, *s2 = s + 2 * width;
    UNROLL
    for (int l = 0; l < width; l++) {
        CHAM_BORDER(s0[l]);
        CHAM_BORDER(s2[l]);
    }
    /* where all round keys have a register: else they would be kept on the stack */
    if (SHORT_ROUNDS(rk, width) && CHAM_KEYS_IN_REGISTERS) {
        UNROLL_ROUNDS
        for (int round = 0; round < rounds; round += 4)
            W(cham_four)(s, rk, round, last_key, width);
    } else {
        for (int round = 0; round < rounds; round += 4)
            W(cham_four)(s, rk, round, last_key, width);
    }
    UNROLL
    for (int l = 0; l < width; l++) {
        CHAM_BORDER(s0[l]);
        CHAM_BORDER(s2[l]);
    }
}

#if defined(VECTOR_BYTES) && VECTOR_BYTES >= 32
/*
 * Decryption is one chain: every round waits for the one before it. In vectors that are wider than
 * the chain is fast, slots hold what a round gives before the xor of its number, whose place is
 * then in the constants: the number comes out where the slot is overwritten, a time away, and where
 * it is the second word, out of the key. On 16-bit words the even slots hold it rotated by 8, as
 * above.
 */
#define CHAM_INVERSE_LANES(expression, a_number, b_turned, k)                                                                         \
    do {                                                                                                                              \
        W(word) out = (a_number), other = (b_turned);                                                                                 \
        OPAQUE(                                                                                                                       \
            other); /* else compilers xor it with the key in general registers, which the scan of kernels for leaks does not allow */ \
        other ^= (k);                                                                                                                 \
        UNROLL                                                                                                                        \
        for (int l = 0; l < width; l++)                                                                                               \
            expression;                                                                                                               \
    } while (0)
#define CHAM_WITH_KEY(b, turn) (W(word))(W(rotl)((b)[l], turn) ^ other)
#undef CHAM_INVERSE_EVEN
#undef CHAM_INVERSE_ODD
#undef CHAM_EVEN_NUMBER
#if WORD_BITS == 16
#define CHAM_INVERSE_EVEN(a, b, i, k)                                                  \
    CHAM_INVERSE_LANES((a)[l] = W(rotl)(W(sub)((a)[l] ^ out, CHAM_WITH_KEY(b, 1)), 8), \
                       CHAM_TURNED((i) + 4, 8), CHAM_TURNED((i) + 1, 1), k)
#define CHAM_INVERSE_ODD(a, b, i, k)                                                   \
    CHAM_INVERSE_LANES((a)[l] = W(sub)(W(rotr)((a)[l] ^ out, 1), CHAM_WITH_KEY(b, 0)), \
                       CHAM_NUMBER((i) + 4), CHAM_TURNED((i) + 1, 8), k)
#define CHAM_EVEN_NUMBER(i) CHAM_TURNED(i, 8)
#else
#define CHAM_INVERSE_EVEN(a, b, i, k)                                                  \
    CHAM_INVERSE_LANES((a)[l] = W(sub)(W(rotr)((a)[l] ^ out, 8), CHAM_WITH_KEY(b, 1)), \
                       CHAM_NUMBER((i) + 4), CHAM_TURNED((i) + 1, 1), k)
#define CHAM_INVERSE_ODD(a, b, i, k)                                                   \
    CHAM_INVERSE_LANES((a)[l] = W(sub)(W(rotr)((a)[l] ^ out, 1), CHAM_WITH_KEY(b, 8)), \
                       CHAM_NUMBER((i) + 4), CHAM_TURNED((i) + 1, 8), k)
#define CHAM_EVEN_NUMBER(i) CHAM_NUMBER(i)
#endif
HANJI_INLINE void W(cham_decrypt)(W(word) *s, W(keys) rk, int rounds, int last_key, int width)
{
    W(word) *s0 = s, *s1 = s + width, *s2 = s + 2 * width, *s3 = s + 3 * width;
    UNROLL
    for (int l = 0; l < width; l++) {
        CHAM_BORDER(s0[l]);
        CHAM_BORDER(s2[l]);
        s0[l] ^= CHAM_EVEN_NUMBER(rounds);
        s1[l] ^= CHAM_NUMBER(rounds + 1);
        s2[l] ^= CHAM_EVEN_NUMBER(rounds + 2);
        s3[l] ^= CHAM_NUMBER(rounds + 3);
    }
    for (int i = rounds - 4; i >= 0; i -= 4) {
        const int key = i & last_key;
        CHAM_INVERSE_ODD(s3, s0, i + 3, W(round_key)(rk, key + 3));
        CHAM_INVERSE_EVEN(s2, s3, i + 2, W(round_key)(rk, key + 2));
        CHAM_INVERSE_ODD(s1, s2, i + 1, W(round_key)(rk, key + 1));
        CHAM_INVERSE_EVEN(s0, s1, i, W(round_key)(rk, key));
    }
    UNROLL
    for (int l = 0; l < width; l++) { /* the number of slot 0 is 0 */
        s1[l] ^= CHAM_NUMBER(1);
        s2[l] ^= CHAM_EVEN_NUMBER(2);
        s3[l] ^= CHAM_NUMBER(3);
        CHAM_BORDER(s0[l]);
        CHAM_BORDER(s2[l]);
    }
}
#undef CHAM_INVERSE_LANES
#undef CHAM_WITH_KEY
#else
HANJI_INLINE void W(cham_decrypt)(W(word) *s, W(keys) rk, int rounds, int last_key, int width)
{
    W(word) *s0 = s, *s1 = s + width, *s2 = s + 2 * width, *s3 = s + 3 * width;
    UNROLL
    for (int l = 0; l < width; l++) {
        CHAM_BORDER(s0[l]);
        CHAM_BORDER(s2[l]);
    }
    for (int round = rounds - 4; round >= 0; round -= 4) {
        const W(word) i = W(splat)((W(number))round);
        const int key = round & last_key;
        const W(word) k0 = W(round_key)(rk, key), k1 = W(round_key)(rk, key + 1),
                      k2 = W(round_key)(rk, key + 2), k3 = W(round_key)(rk, key + 3);
        UNROLL
        for (int l = 0; l < width; l++)
            CHAM_ODD_INVERSE(s3[l], s0[l], i + 3, k3);
        UNROLL
        for (int l = 0; l < width; l++)
            CHAM_EVEN_INVERSE(s2[l], s3[l], i + 2, k2);
        UNROLL
        for (int l = 0; l < width; l++)
            CHAM_ODD_INVERSE(s1[l], s2[l], i + 1, k1);
        UNROLL
        for (int l = 0; l < width; l++)
            CHAM_EVEN_INVERSE(s0[l], s1[l], i, k0);
    }
    UNROLL
    for (int l = 0; l < width; l++) {
        CHAM_BORDER(s0[l]);
        CHAM_BORDER(s2[l]);
    }
}
#endif

/*
 * The rounds in the form that lanes/portable.h takes; the number of round keys, a power of two, is
 * part of the function.
 */
#define CHAM_ROUNDS(count)                                                                     \
    HANJI_INLINE void HANJI_JOIN(cham_encrypt_k##count##_w, WORD_BITS)(W(word) *s, W(keys) rk, \
                                                                       int rounds, int width)  \
    {                                                                                          \
        W(cham_encrypt)(s, rk, rounds, (count)-1, width);                                      \
    }                                                                                          \
    HANJI_INLINE void HANJI_JOIN(cham_decrypt_k##count##_w, WORD_BITS)(W(word) *s, W(keys) rk, \
                                                                       int rounds, int width)  \
    {                                                                                          \
        W(cham_decrypt)(s, rk, rounds, (count)-1, width);                                      \
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
