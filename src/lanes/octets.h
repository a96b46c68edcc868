/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels over bit slices of fewer blocks than lanes/slices.h takes, 32 to 128: for what is left of
 * a message, and for short ones. Stands on that header and lanes/vector.h.
 *
 * Plane j holds bit j of every byte of a word, for eight blocks in a byte: eight planes are a word
 * of 8 * BLOCKS blocks, and the bytes of a word stay side by side. A rotation is another plane;
 * where it goes past plane 7, to the next byte, the bytes turn within each word. So a rotation by r
 * costs a shuffle for r planes of eight, by 8 for all.
 */
#include "lanes/slices.h"

#ifndef HANJI_LANES_OCTETS_H
#define HANJI_LANES_OCTETS_H

#define PLANES 8

/*
 * Pieces of rounds in assembly: sixteen registers are just enough for them, and compilers, left to
 * themselves, move through memory what the next round waits for. Planes x0 to x7 and the order of
 * the shuffle are in registers; y, which has a round's time, is in memory, and gets x where it has
 * been read.
 */
#define PLANE_LOAD(bytes, j)                                                                \
    "vpbroadcast" PLANE_SUFFIX_##bytes " " #bytes "*" #j "(%[masks]), %[t]\n\tvpxor 32*" #j \
                                       "(%[y]), %[t], %[t]\n\tvmovdqa %[x" #j "], 32*" #j   \
                                       "(%[y])\n\t"
#define PLANE_SUFFIX_4 "d"
#define PLANE_SUFFIX_8 "q"
#define PLANE_TURN(to, from) "vpshufb %[order], %[" #from "], %[" #to "]\n\t"
/* to = t ^ a ^ (b & c) */
#define PLANE_STORE(to, a, b, c)                                                                  \
    "vpxor %[" #a "], %[t], %[t]\n\tvpand %[" #b "], %[" #c "], %[u]\n\tvpxor %[t], %[u], %[" #to \
    "]\n\t"

#endif

#define OCTET_BLOCKS (PLANES * BLOCKS) /* of a group */

/* Bit j of byte p of vector b becomes bit b of byte p of vector j; its own inverse. */
HANJI_INLINE void W(slice_octets)(W(word) *word)
{
    vector v[PLANES];
    UNROLL
    for (int i = 0; i < PLANES; i++)
        v[i] = (vector)word[i];
    slice(v);
    UNROLL
    for (int i = 0; i < PLANES; i++)
        word[i] = (W(word))v[i];
}

/*
 * A round key as PLANES numbers: byte p of number j is all ones where bit j of byte p of the key is
 * one.
 */
#undef KEY_LANES
#define KEY_LANES (VECTOR_BYTES / WORD_BYTES)
typedef W(number) W(key_numbers) __attribute__((vector_size(KEY_LANES * WORD_BYTES)));
typedef int8_t W(key_bytes) __attribute__((vector_size(KEY_LANES * WORD_BYTES)));
HANJI_INLINE void W(octet_keys)(W(number) *masks, const W(number) *keys, int rounds)
{
    const W(number) ones = (W(number))(UINT64_MAX / 255);
    W(key_numbers) bits[PLANES / KEY_LANES];
    for (int j = 0; j < PLANES; j++)
        bits[j / KEY_LANES][j % KEY_LANES] = (W(number))(ones << j);
    for (int i = 0; i < rounds; i++)
        for (int v = 0; v < PLANES / KEY_LANES; v++, masks += KEY_LANES) {
            const W(key_numbers) these = ((W(key_numbers)){0} + keys[i]) & bits[v];
            const W(key_bytes) mask = (W(key_bytes))these == (W(key_bytes))bits[v];
            memcpy(masks, &mask, sizeof mask);
        }
}

/* The order of the shuffle by which the bytes of each word turn. */
HANJI_INLINE vector W(turn_order)(void)
{
#if WORD_BITS == 32
    return repeat_sixteen(SIXTEEN(3, 0, 1, 2, 7, 4, 5, 6, 11, 8, 9, 10, 15, 12, 13, 14));
#else
    return repeat_sixteen(SIXTEEN(7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11, 12, 13, 14));
#endif
}

/* Rounds on planes: s[0 .. PLANES) are those of the words that come first in memory. */
typedef void W(octet_rounds_fn)(W(word) *s, const W(number) *masks, int rounds);
/* One round of a Feistel cipher: x becomes y ^ f(x) ^ key, y what x was. y is in memory. */
typedef void W(octet_round_fn)(W(word) *x, W(word) *y, const W(number) *masks, vector order);

HANJI_INLINE void W(octet_feistel)(W(word) *left, W(word) *right, const W(number) *masks,
                                   int rounds, int step, W(octet_round_fn) *round)
{
    W(word) x[PLANES], y[PLANES];
    UNROLL
    for (int j = 0; j < PLANES; j++) {
        x[j] = left[j];
        y[j] = right[j];
    }
    const vector order = W(turn_order)();
    for (int i = 0; i < rounds; i++, masks += step)
        round(x, y, masks, order);
    UNROLL
    for (int j = 0; j < PLANES; j++) {
        left[j] = x[j];
        right[j] = y[j];
    }
}

/*
 * Both ways for a round: decryption is encryption with the halves swapped and the keys backwards.
 */
#define HANJI_OCTET_FEISTEL(name, bits)                                                           \
    HANJI_INLINE void name##_encrypt_octets_w##bits(word_w##bits *s, const number_w##bits *masks, \
                                                    int rounds)                                   \
    {                                                                                             \
        octet_feistel_w##bits(s + PLANES, s, masks, rounds, PLANES, name##_octets_w##bits);       \
    }                                                                                             \
    HANJI_INLINE void name##_decrypt_octets_w##bits(word_w##bits *s, const number_w##bits *masks, \
                                                    int rounds)                                   \
    {                                                                                             \
        octet_feistel_w##bits(s, s + PLANES, masks + (rounds - 1) * PLANES, rounds, -PLANES,      \
                              name##_octets_w##bits);                                             \
    }

HANJI_INLINE void W(octet_blocks)(uint8_t *out, const uint8_t *in, size_t groups,
                                  const W(number) *masks, W(octet_rounds_fn) *run, int rounds)
{
    W(word) s[WORDS * PLANES];
    for (; groups > 0; groups--) {
        W(load_group)(s, in, PLANES);
        W(slice_octets)(s);
        W(slice_octets)(s + PLANES);
        run(s, masks, rounds);
        W(slice_octets)(s);
        W(slice_octets)(s + PLANES);
        W(store_group)(out, NULL, s, PLANES);
        in += OCTET_BLOCKS * WORDS * WORD_BYTES;
        out += OCTET_BLOCKS * WORDS * WORD_BYTES;
    }
}

HANJI_INLINE void W(octet_ctr)(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,
                               const W(number) *masks, W(octet_rounds_fn) *run, int rounds)
{
    W(word) s[WORDS * PLANES], c[WORDS];
    W(counters) of;
    const W(word) numbers = W(block_numbers)();
    W(counter_load)(c, counter);
    for (; groups > 0; groups--) {
        W(counters_of)(&of, c);
        W(count_group)(s, &of, numbers, PLANES);
        W(slice_octets)(s);
        W(slice_octets)(s + PLANES);
        run(s, masks, rounds);
        W(slice_octets)(s);
        W(slice_octets)(s + PLANES);
        W(store_group)(out, in, s, PLANES);
        W(counter_add)(c, c, W(splat)(OCTET_BLOCKS));
        in += OCTET_BLOCKS * WORDS * WORD_BYTES;
        out += OCTET_BLOCKS * WORDS * WORD_BYTES;
    }
    W(counter_store)(counter, c);
}

/*
 * A kernel makes the masks of the round keys and runs all groups in a frame of its own, below. What
 * both leave on the stack is more than others do, and erased here.
 */
#define HANJI_OCTET_BLOCKS(function, run, rounds)                                                \
    static HANJI_NOINLINE void function##_groups(uint8_t *out, const uint8_t *in, size_t groups, \
                                                 const W(number) *masks)                         \
    {                                                                                            \
        W(octet_blocks)(out, in, groups, masks, run, rounds);                                    \
    }                                                                                            \
    void function(uint8_t *out, const uint8_t *in, size_t groups, const void *keys)              \
    {                                                                                            \
        W(number) masks[PLANES * (rounds)];                                                      \
        W(octet_keys)(masks, keys, rounds);                                                      \
        function##_groups(out, in, groups, masks);                                               \
        hanji_wipe_stack();                                                                      \
        hanji_wipe(masks, sizeof masks);                                                         \
    }
#define HANJI_OCTET_CTR(function, run, rounds)                                                   \
    static HANJI_NOINLINE void function##_groups(uint8_t *out, const uint8_t *in, size_t groups, \
                                                 uint8_t *counter, const W(number) *masks)       \
    {                                                                                            \
        W(octet_ctr)(out, in, groups, counter, masks, run, rounds);                              \
    }                                                                                            \
    void function(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,              \
                  const void *keys)                                                              \
    {                                                                                            \
        W(number) masks[PLANES * (rounds)];                                                      \
        W(octet_keys)(masks, keys, rounds);                                                      \
        function##_groups(out, in, groups, counter, masks);                                      \
        hanji_wipe_stack();                                                                      \
        hanji_wipe(masks, sizeof masks);                                                         \
    }
