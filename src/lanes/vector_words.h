/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words in vectors, one word of each block in a vector: types, keys, arithmetic and rotations. A
 * part of lanes/vector.h, once per word size.
 */
#undef WORD_BYTES
#undef WORD_MASK
#undef BLOCKS
#define WORD_BYTES (WORD_BITS / 8)
#define WORD_MASK (UINT64_MAX >> (64 - WORD_BITS))
#if WORD_BITS == 16
typedef uint16_t W(number);
typedef int16_t W(signed_number);
#elif WORD_BITS == 32
typedef uint32_t W(number);
typedef int32_t W(signed_number);
#else
typedef uint64_t W(number);
typedef int64_t W(signed_number);
#endif
typedef W(number) W(word) __attribute__((vector_size(VECTOR_BYTES)));
typedef W(signed_number) W(signed_word) __attribute__((vector_size(VECTOR_BYTES)));
#define BLOCKS (VECTOR_BYTES * 8 / WORD_BITS) /* of a vector */

HANJI_INLINE W(word) W(splat)(W(number) k)
{
    return (W(word)){0} + k;
}

/*
 * Round keys: one number for all lanes, or a number for each. It is known wherever this
 * is inlined.
 */
typedef struct W(keys) {
    const W(number) *shared;
    const W(word) *own;
    /*
     * above 0: so many words behind those of a vector of lanes are those of the next; below: `own`
     * are there, and compilers need not ask
     */
    int apart;
} W(keys);

HANJI_INLINE W(word) W(round_key)(W(keys) keys, int i)
{
    return keys.apart != 0 || keys.own != NULL ? keys.own[i] : W(splat)(keys.shared[i]);
}

/* The same for vector l of a state, where vectors have keys of their own; else k. */
HANJI_INLINE W(word) W(key_for)(W(keys) keys, int i, int l, W(word) k)
{
    return keys.apart > 0 ? keys.own[i + l * keys.apart] : k;
}

/* Of a word in portable C (word.h); here lanes hide the chain. */
HANJI_INLINE W(word) W(settled)(W(word) v)
{
    return v;
}

/*
 * What schedules leave on the stack: whoever calls these kernels wipes all that they used, and an
 * address would keep the words out of registers.
 */
HANJI_INLINE void W(forget)(void *words, size_t bytes)
{
    (void)words;
    (void)bytes;
}

HANJI_INLINE W(word) W(add)(W(word) a, W(word) b)
{
    return a + b;
}

HANJI_INLINE W(word) W(sub)(W(word) a, W(word) b)
{
    return a - b;
}

/* `r` is a constant wherever this is inlined. */
HANJI_INLINE W(word) W(rotl)(W(word) v, int r)
{
    if (r == 0)
        return v;
#if WORD_BITS == 16
    if (r == 8 && !ROTATES_16)
        return (W(word))rotate_by_shuffle(
            (vector)v, SIXTEEN(1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
#elif WORD_BITS == 32
    if (r == 8)
        return (W(word))rotate_by_shuffle(
            (vector)v, SIXTEEN(3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14));
    if (r == 24)
        return (W(word))rotate_by_shuffle(
            (vector)v, SIXTEEN(1, 2, 3, 0, 5, 6, 7, 4, 9, 10, 11, 8, 13, 14, 15, 12));
    if (r == 16)
        return (W(word))rotate_by_shuffle(
            (vector)v, SIXTEEN(2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
#elif WORD_BITS == 64
    if (r == 8)
        return (W(word))rotate_by_shuffle(
            (vector)v, SIXTEEN(7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14));
    if (r == 56)
        return (W(word))rotate_by_shuffle(
            (vector)v, SIXTEEN(1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12, 13, 14, 15, 8));
    if (r == 16)
        return (W(word))rotate_by_shuffle(
            (vector)v, SIXTEEN(6, 7, 0, 1, 2, 3, 4, 5, 14, 15, 8, 9, 10, 11, 12, 13));
#endif
#if WORD_BITS == 16 && ROTATES_16
    return (W(word))rotate_16((vector)v, r);
#elif WORD_BITS == 32 && ROTATES_32
    return (W(word))rotate_32((vector)v, r);
#elif WORD_BITS == 64 && ROTATES_64
    return (W(word))rotate_64((vector)v, r);
#else
    return v << r | v >> (WORD_BITS - r);
#endif
}

HANJI_INLINE W(word) W(rotr)(W(word) v, int r)
{
    return W(rotl)(v, WORD_BITS - r);
}

/* The word whose bytes in memory are those of the number v, most significant first. */
HANJI_INLINE W(word) W(from_be)(W(word) v)
{
#if WORD_BITS == 16
    return W(rotl)(v, 8);
#elif WORD_BITS == 32
    return (W(word))shuffle_bytes((vector)v,
                                  SIXTEEN(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
#else
    return (W(word))shuffle_bytes((vector)v,
                                  SIXTEEN(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
#endif
}
