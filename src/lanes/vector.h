/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels for vectors of VECTOR_BYTES bytes (16: NEON, 32: AVX2, 64: AVX-512): loads, transposes,
 * counters, stores. A kernel file defines VECTOR_BYTES, WORDS (words per block) and WORD_BITS, and
 * brings only its rounds, written over W(word), here a vector of words with one word of each
 * block. Included once per word size. What differs between the processors is in lanes/x86.h
 * and lanes/neon.h.
 *
 * A group is `width` vectors of every word. Blocks lie in a vector in the order of least cost to
 * make and to undo; counters are numbered in the same order.
 */
#include "lanes/streams.h"
#include "support/bytes.h"
#include "support/cipher.h"
#include "support/secret.h"

#ifndef W
#define HANJI_JOIN_(a, b) a##b
#define HANJI_JOIN(a, b) HANJI_JOIN_(a, b)
#define W(name) HANJI_JOIN(name##_w, WORD_BITS)
#endif

#ifndef HANJI_LANES_VECTOR_H
#define HANJI_LANES_VECTOR_H

#if VECTOR_BYTES == 16
#include "lanes/neon.h"
#else
#include "lanes/x86.h"
#endif

/*
 * One kernel: a function with this name, over groups of `parts` times `width` vectors of every
 * word, from the rounds of its room.
 */
#define HANJI_VECTOR_BLOCKS(function, parts, width, run, rounds)                    \
    void function(uint8_t *out, const uint8_t *in, size_t groups, const void *keys) \
    {                                                                               \
        W(blocks)(out, in, (parts)*groups, keys, run, rounds, width);               \
    }
#define HANJI_VECTOR_CTR(function, parts, width, run, rounds)                              \
    void function(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,        \
                  const void *keys)                                                        \
    {                                                                                      \
        W(ctr)(out, in, (parts)*groups, counter, keys, COUNTED(WORD_BITS),                 \
               COUNTED_TURN(WORD_BITS), COUNTED_LACKS_KEY(WORD_BITS), run, rounds, width); \
    }

/*
 * And over messages with their own keys, one in each lane: key streams; on AVX-512 the messages as
 * a whole, uniform or ragged. `twice`: twice the bytes of a message, and 1 if as many follow; a
 * seventh argument would come from memory, as data do.
 */
#if VECTOR_BYTES == 64
#define HANJI_VECTOR_UNIFORM(function, lanes, run, schedule, key_words, rounds, z)              \
    static HANJI_NOINLINE void function##_group(uint8_t *out, const uint8_t *in, size_t twice,  \
                                                const uint8_t *keys, const uint8_t *nonces,     \
                                                W(word) *rk)                                    \
    {                                                                                           \
        W(uniform)(out, in, twice >> 1, keys, nonces, rk, (twice & 1) * (lanes) * (twice >> 1), \
                   run, schedule, key_words, rounds, z);                                        \
    }                                                                                           \
    void function(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *keys,           \
                  const uint8_t *nonces, size_t groups)                                         \
    {                                                                                           \
        W(word) rk[rounds];                                                                     \
        for (; groups > 0; groups--) {                                                          \
            function##_group(out, in, 2 * bytes + (groups > 1), keys, nonces, rk);              \
            NO_NUMBERS_IN_VECTORS;                                                              \
            out += (lanes)*bytes;                                                               \
            in += (lanes)*bytes;                                                                \
            keys += (lanes) * (key_words)*WORD_BYTES;                                           \
            nonces += (lanes)*WORDS * WORD_BYTES;                                               \
        }                                                                                       \
        hanji_wipe_stack();                                                                     \
        hanji_wipe(rk, sizeof rk);                                                              \
    }
#define HANJI_VECTOR_RAGGED(function, run, schedule, key_words, rounds, z) \
    void function(void *round_keys, const hanji_ragged *r)                 \
    {                                                                      \
        W(ragged)(round_keys, r, run, schedule, key_words, rounds, z);     \
    }
#else
#define HANJI_VECTOR_STREAMS(function, run, schedule, key_words, rounds, z) \
    void function(hanji_streams *s, uint32_t flags)                         \
    {                                                                       \
        W(streams)(s, flags, run, schedule, key_words, rounds, z);          \
    }
#endif

/* The most vectors per word of any kernel. */
#define WIDTH_MAX 16

/* Loops over vectors are unrolled, so the state lives in registers. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNROLL /* with the sanitizers' checks in each copy clang 14 takes minutes */
#endif
#endif
#if defined(UNROLL)
#elif defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

HANJI_INLINE vector vector_load(const uint8_t *p)
{
    vector v;
    memcpy(&v, p, sizeof v);
    return v;
}

HANJI_INLINE void vector_store(uint8_t *p, vector v)
{
    memcpy(p, &v, sizeof v);
}

#endif

#undef WORD_BYTES
#undef WORD_MASK
#undef LANE_BITS
#undef BLOCKS
#define WORD_BYTES (WORD_BITS / 8)
#define WORD_MASK (UINT64_MAX >> (64 - WORD_BITS))
#if WORD_BITS == 16
#define LANE_BITS 16
typedef uint16_t W(number);
typedef int16_t W(signed_number);
#elif WORD_BITS <= 32
#define LANE_BITS 32
typedef uint32_t W(number);
typedef int32_t W(signed_number);
#else
#define LANE_BITS 64
typedef uint64_t W(number);
typedef int64_t W(signed_number);
#endif
typedef W(number) W(word) __attribute__((vector_size(VECTOR_BYTES)));
typedef W(signed_number) W(signed_word) __attribute__((vector_size(VECTOR_BYTES)));
#define BLOCKS (VECTOR_BYTES * 8 / LANE_BITS) /* of a vector */

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
} W(keys);

HANJI_INLINE W(word) W(round_key)(W(keys) keys, int i)
{
    return keys.own != NULL ? keys.own[i] : W(splat)(keys.shared[i]);
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
    return WORD_BITS == LANE_BITS ? a + b : (a + b) & W(splat)((W(number))WORD_MASK);
}

HANJI_INLINE W(word) W(sub)(W(word) a, W(word) b)
{
    return WORD_BITS == LANE_BITS ? a - b : (a - b) & W(splat)((W(number))WORD_MASK);
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
    const W(word) turned = v << r | v >> (WORD_BITS - r);
    return WORD_BITS == LANE_BITS ? turned : turned & W(splat)((W(number))WORD_MASK);
#endif
}

HANJI_INLINE W(word) W(rotr)(W(word) v, int r)
{
    return W(rotl)(v, WORD_BITS - r);
}

/* The word whose bytes in memory are those of the number v, most significant first. */
HANJI_INLINE W(word) W(from_be)(W(word) v)
{
#if LANE_BITS == 16
    return W(rotl)(v, 8);
#elif LANE_BITS == 32
    const vector reversed =
        shuffle_bytes((vector)v, SIXTEEN(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
    return (W(word))reversed >> (LANE_BITS - WORD_BITS);
#else
    const vector reversed =
        shuffle_bytes((vector)v, SIXTEEN(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8));
    return (W(word))reversed >> (LANE_BITS - WORD_BITS);
#endif
}

#undef SPLIT
#undef JOIN
#undef SPLIT_PAIRS
#undef JOIN_PAIRS
#undef VECTOR_SPAN
#if LANE_BITS == 16
#define SPLIT split_16
#define JOIN join_16
#define SPLIT_PAIRS split_32
#define JOIN_PAIRS join_32
#elif LANE_BITS == 32
#define SPLIT split_32
#define JOIN join_32
#define SPLIT_PAIRS split_64
#define JOIN_PAIRS join_64
#else
#define SPLIT split_64
#define JOIN join_64
#endif
#define VECTOR_SPAN \
    (VECTOR_BYTES * WORD_BITS / LANE_BITS) /* bytes of memory for a vector of words */

/* Within 128 bits: words from as many bytes as they fill without gaps. */
HANJI_INLINE vector W(widen)(vector v)
{
#if WORD_BITS == 24
    return shuffle_bytes(v, SIXTEEN(0, 1, 2, ZERO, 3, 4, 5, ZERO, 6, 7, 8, ZERO, 9, 10, 11, ZERO));
#elif WORD_BITS == 48
    return shuffle_bytes(v, SIXTEEN(0, 1, 2, 3, 4, 5, ZERO, ZERO, 6, 7, 8, 9, 10, 11, ZERO, ZERO));
#else
    return v;
#endif
}

/*
 * A vector of words as they lie in memory: words of 24 and 48 bits without gaps. Only WORDS vectors
 * of them together are whole blocks.
 */
HANJI_INLINE vector W(load_words)(const uint8_t *p)
{
#if WORD_BITS == LANE_BITS
    return vector_load(p);
#else
    return W(widen)(load_spread(p));
#endif
}

/* Store them, xored with `mask` unless it is NULL. */
HANJI_INLINE void W(store_words)(uint8_t *p, const uint8_t *mask, vector v)
{
#if WORD_BITS == 24
    store_packed(
        p, mask,
        shuffle_bytes(v, SIXTEEN(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, ZERO, ZERO, ZERO, ZERO)));
#elif WORD_BITS == 48
    store_packed(
        p, mask,
        shuffle_bytes(v, SIXTEEN(0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, ZERO, ZERO, ZERO, ZERO)));
#else
    vector_store(p, mask != NULL ? (vector)(v ^ vector_load(mask)) : v);
#endif
}

/* WORDS vectors of blocks to one vector per word, and back. */
HANJI_INLINE void W(transpose)(vector *word, const vector *block)
{
#if WORDS == 2
    SPLIT(&word[0], &word[1], block[0], block[1]);
#else
    vector low0, low1, high0, high1;
    SPLIT_PAIRS(&low0, &high0, block[0], block[1]);
    SPLIT_PAIRS(&low1, &high1, block[2], block[3]);
    SPLIT(&word[0], &word[1], low0, low1);
    SPLIT(&word[2], &word[3], high0, high1);
#endif
}

HANJI_INLINE void W(transpose_back)(vector *block, const vector *word)
{
#if WORDS == 2
    JOIN(&block[0], &block[1], word[0], word[1]);
#else
    vector low0, low1, high0, high1;
    JOIN(&low0, &low1, word[0], word[1]);
    JOIN(&high0, &high1, word[2], word[3]);
    JOIN_PAIRS(&block[0], &block[1], low0, high0);
    JOIN_PAIRS(&block[2], &block[3], low1, high1);
#endif
}

HANJI_INLINE void W(load_group)(W(word) *s, const uint8_t *in, int width)
{
    UNROLL
    for (int l = 0; l < width; l++) {
        vector block[WORDS], word[WORDS];
        for (int w = 0; w < WORDS; w++)
            block[w] = W(load_words)(in + (l * WORDS + w) * VECTOR_SPAN);
        W(transpose)(word, block);
        for (int w = 0; w < WORDS; w++)
            s[w * width + l] = (W(word))word[w];
    }
}

/* Store the blocks, xored with `mask` unless it is NULL. */
HANJI_INLINE void W(store_group)(uint8_t *out, const uint8_t *mask, const W(word) *s, int width)
{
    UNROLL
    for (int l = 0; l < width; l++) {
        vector block[WORDS], word[WORDS];
        for (int w = 0; w < WORDS; w++)
            word[w] = (vector)s[w * width + l];
        W(transpose_back)(block, word);
        for (int w = 0; w < WORDS; w++) {
            const int at = (l * WORDS + w) * VECTOR_SPAN;
            W(store_words)(out + at, mask != NULL ? mask + at : NULL, block[w]);
        }
    }
}

/*
 * Store a text xored by CTR; where `lacks_key` is 1, for words without gaps alone, with the round
 * key k, missing in all words.
 */
HANJI_INLINE void W(store_text)(uint8_t *out, const uint8_t *in, const W(word) *s, int lacks_key,
                                W(word) k, int width)
{
#if WORD_BITS == LANE_BITS
    UNROLL
    for (int l = 0; l < width; l++) {
        vector block[WORDS], word[WORDS];
        for (int w = 0; w < WORDS; w++)
            word[w] = (vector)s[w * width + l];
        W(transpose_back)(block, word);
        for (int w = 0; w < WORDS; w++) {
            const int at = (l * WORDS + w) * VECTOR_SPAN;
            const vector text = vector_load(in + at);
            vector_store(out + at, lacks_key ? xor_three(block[w], (vector)k, text)
                                             : (vector)(block[w] ^ text));
        }
    }
#else
    (void)lacks_key;
    (void)k;
    W(store_group)(out, in, s, width);
#endif
}

/*
 * The numbers 0, 1, ... of the blocks of a vector, in the order of the lanes: of WORDS vectors of
 * blocks that are transposed each gives QUARTER lanes to every 128 bits. As a constant of the
 * compiler: in what it would have to find out it does not see one everywhere.
 */
#undef QUARTER
#undef BLOCK_NUMBER
#undef BLOCK_NUMBERS_2
#undef BLOCK_NUMBERS_4
#undef BLOCK_NUMBERS_8
#undef BLOCK_NUMBERS_16
#undef BLOCK_NUMBERS
#define QUARTER (128 / LANE_BITS / WORDS)
#define BLOCK_NUMBER(lane)                                                              \
    ((lane) / QUARTER % WORDS * (BLOCKS / WORDS) + (lane) / QUARTER / WORDS * QUARTER + \
     (lane) % QUARTER)
#define BLOCK_NUMBERS_2(lane) BLOCK_NUMBER(lane), BLOCK_NUMBER((lane) + 1)
#define BLOCK_NUMBERS_4(lane) BLOCK_NUMBERS_2(lane), BLOCK_NUMBERS_2((lane) + 2)
#define BLOCK_NUMBERS_8(lane) BLOCK_NUMBERS_4(lane), BLOCK_NUMBERS_4((lane) + 4)
#define BLOCK_NUMBERS_16(lane) BLOCK_NUMBERS_8(lane), BLOCK_NUMBERS_8((lane) + 8)
#if BLOCKS == 2
#define BLOCK_NUMBERS BLOCK_NUMBERS_2(0)
#elif BLOCKS == 4
#define BLOCK_NUMBERS BLOCK_NUMBERS_4(0)
#elif BLOCKS == 8
#define BLOCK_NUMBERS BLOCK_NUMBERS_8(0)
#elif BLOCKS == 16
#define BLOCK_NUMBERS BLOCK_NUMBERS_16(0)
#else
#define BLOCK_NUMBERS BLOCK_NUMBERS_16(0), BLOCK_NUMBERS_16(16)
#endif
HANJI_INLINE W(word) W(block_numbers)(void)
{
    return (W(word)){BLOCK_NUMBERS};
}

/*
 * The counter is WORDS numbers, most significant first, each in all lanes of a vector. It stays in
 * vectors throughout: counters of EAX are secret, and a value outside general registers decides no
 * branch and no address: the scan of the compiled kernels relies on it.
 */
HANJI_INLINE sixteen W(counter_order)(int w, int back)
{
    uint8_t order[16];
    for (int i = 0; i < 16; i++) {
        const int in_lane = i & (LANE_BITS / 8 - 1), in_word = i - w * WORD_BYTES;
        if (back) /* byte i of the block is a byte of word w, or none */
            order[i] =
                in_word >= 0 && in_word < WORD_BYTES ? (uint8_t)(WORD_BYTES - 1 - in_word) : 0x80;
        else /* byte in_lane of the number is this byte of the block */
            order[i] =
                in_lane < WORD_BYTES ? (uint8_t)(w * WORD_BYTES + WORD_BYTES - 1 - in_lane) : 0x80;
    }
    sixteen v;
    memcpy(&v, order, sizeof v);
    return v;
}

HANJI_INLINE void W(counter_load)(W(word) *c, const uint8_t *p)
{
    const sixteen block = load_sixteen(p, WORDS * WORD_BYTES);
    for (int w = 0; w < WORDS; w++)
        c[w] = (W(word))repeat_sixteen(shuffle_sixteen(block, W(counter_order)(w, 0)));
}

HANJI_INLINE void W(counter_store)(uint8_t *p, const W(word) *c)
{
    sixteen block = shuffle_sixteen(lowest_sixteen((vector)c[0]), W(counter_order)(0, 1));
    for (int w = 1; w < WORDS; w++)
        block |= shuffle_sixteen(lowest_sixteen((vector)c[w]), W(counter_order)(w, 1));
    store_sixteen(p, block, WORDS * WORD_BYTES);
}

/* c + n, lane by lane, with the carries between the words. */
HANJI_INLINE void W(counter_add)(W(word) *sum, const W(word) *c, W(word) n)
{
    sum[WORDS - 1] = (c[WORDS - 1] + n) & W(splat)((W(number))WORD_MASK);
    W(word) carry = (W(word))(sum[WORDS - 1] < n);
    for (int w = WORDS - 2; w >= 0; w--) {
        sum[w] = (c[w] - carry) & W(splat)((W(number))WORD_MASK);
        carry &= (W(word))(sum[w] == 0);
    }
}

typedef void W(schedule_fn)(W(word) *rk, int key_words, int rounds, uint64_t z);
typedef void W(rounds_fn)(W(word) *s, W(keys) rk, int rounds, int width);

HANJI_INLINE void W(blocks)(uint8_t *out, const uint8_t *in, size_t groups, const void *keys,
                            W(rounds_fn) *run, int rounds, int width)
{
    W(word) s[WORDS * WIDTH_MAX];
    for (; groups > 0; groups--) {
        W(load_group)(s, in, width);
        run(s, (W(keys)){.shared = keys}, rounds, width);
        W(store_group)(out, NULL, s, width);
        in += width * BLOCKS * WORDS * WORD_BYTES;
        out += width * BLOCKS * WORDS * WORD_BYTES;
    }
}

/*
 * The counter blocks c + n of a group, where n, a number below 2^15, is the block's number in the
 * group: only the lowest words differ, and the words above are those of c, or in blocks past a
 * carry those of c + 2^WORD_BITS. A carry is where n is above what the lowest word of c lacks of
 * its maximum, a comparison that takes constants, with signs.
 */
typedef struct W(counters) {
    W(word) lowest, room;
    W(word) upper[WORDS], change[WORDS]; /* as they lie in memory; past a carry both together */
} W(counters);

/* All bits set in the words where n is above the limit; both are numbers without sign bit. */
HANJI_INLINE W(word) W(above)(W(word) n, W(word) limit)
{
#if VECTOR_BYTES == 64 /* comparisons would go into mask registers: slow */
    return (W(word))((W(signed_word))(limit - n) >> (LANE_BITS - 1));
#else
    return (W(word))((W(signed_word))n > (W(signed_word))limit);
#endif
}

HANJI_INLINE void W(counters_of)(W(counters) *of, const W(word) *c)
{
    const W(word) lacks = W(splat)((W(number))WORD_MASK) - c[WORDS - 1];
    of->lowest = c[WORDS - 1];
    /* without its sign it would be less than any number: */
    of->room = lacks & ~(W(word))((W(signed_word))lacks < 0);
    /* then the highest number that has none */
    of->room |= (W(word))((W(signed_word))lacks < 0) >> 1;
    W(word) carry = W(splat)(1);
    for (int w = WORDS - 2; w >= 0; w--) {
        const W(word) sum = (c[w] + carry) & W(splat)((W(number))WORD_MASK);
        of->upper[w] = W(from_be)(c[w]);
        of->change[w] = W(from_be)(c[w] ^ sum);
        carry &= (W(word))(sum == 0);
    }
}

HANJI_INLINE void W(count_group)(W(word) *s, const W(counters) *of, W(word) numbers, int width)
{
    UNROLL
    for (int l = 0; l < width; l++) {
        const W(word) n = numbers + W(splat)((W(number))(l * BLOCKS));
        for (int w = 0; w + 1 < WORDS; w++)
            s[w * width + l] = of->upper[w] ^ (W(above)(n, of->room) & of->change[w]);
        s[(WORDS - 1) * width + l] = W(from_be)((of->lowest + n) & W(splat)((W(number))WORD_MASK));
    }
}

/*
 * Where n, a number at the place of the last byte of a word, is above the limit; and a choice by
 * it. Behind a rotation there is room for a sign.
 */
#if VECTOR_BYTES == 64
#define LIMIT_BYTE(limit, turn) (limit)
#if LANE_BITS == 16
typedef __mmask32 W(choice);
#elif LANE_BITS == 32
typedef __mmask16 W(choice);
#else
typedef __mmask8 W(choice);
#endif
HANJI_INLINE W(choice) W(exceeds)(W(word) n, W(word) limit, int turn)
{
    return turn > 0 ? HANJI_JOIN(HANJI_JOIN(_mm512_cmpgt_epi, LANE_BITS), _mask)((vector)n,
                                                                                 (vector)limit)
                    : HANJI_JOIN(HANJI_JOIN(_mm512_cmpgt_epu, LANE_BITS), _mask)((vector)n,
                                                                                 (vector)limit);
}
HANJI_INLINE W(word) W(choose)(W(choice) past, W(word) yes, W(word) no)
{
    return (W(word))HANJI_JOIN(_mm512_mask_blend_epi, LANE_BITS)(past, (vector)no, (vector)yes);
}
#else
/* Comparisons have signs, and numbers without a rotation are below 128. */
#define LIMIT_BYTE(limit, turn) \
    ((turn) > 0 ? (limit)       \
                : (limit) - (((limit)-W(splat)(127)) & (W(word))((limit) > W(splat)(127))))
typedef W(word) W(choice);
HANJI_INLINE W(choice) W(exceeds)(W(word) n, W(word) limit, int turn)
{
    (void)turn;
    return W(above)(n, limit);
}
HANJI_INLINE W(word) W(choose)(W(choice) past, W(word) yes, W(word) no)
{
    return (W(word))choose_where((vector)past, (vector)yes, (vector)no);
}
#endif

/*
 * CTR with one key. Within 256 blocks from c on only the last byte of a block counts, but for one
 * carry out of it: past that the other bytes are those of c + 256. So a block of a group is chosen
 * from two, and its number added to the last byte, at its place in memory: nothing is
 * shuffled. Rounds that begin with a rotation of the last word get it rotated to the right by
 * `turn` bits, a constant; a carry out of the last byte, which comes of the addition where that
 * byte is not the uppermost any more, is taken off before.
 */
#undef PIECES_MAX
#define PIECES_MAX ((WIDTH_MAX * BLOCKS + 255) / 256)
typedef struct W(group) {
    /* the highest number without a carry, at the place of the last byte */
    W(word) limit;
    W(word) at[PIECES_MAX + 1][WORDS]; /* c, c + 256, ... */
    /* the last words of at[1], ... without the carry that the addition makes */
    W(word) past[PIECES_MAX];
} W(group);

/* The last word of a counter in memory, rotated. */
HANJI_INLINE W(word) W(last_word)(W(word) v, int turn)
{
#if WORD_BITS == 16
    return W(rotl)(v, (8 + WORD_BITS - turn) % WORD_BITS);
#elif WORD_BITS == 32
    if (turn == 8)
        return (W(word))shuffle_bytes(
            (vector)v, SIXTEEN(2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15));
#elif WORD_BITS == 64
    if (turn == 8)
        return (W(word))shuffle_bytes(
            (vector)v, SIXTEEN(6, 5, 4, 3, 2, 1, 0, 7, 14, 13, 12, 11, 10, 9, 8, 15));
#endif
    return W(rotl)(W(from_be)(v), (WORD_BITS - turn) % WORD_BITS);
}

HANJI_INLINE void W(group_of)(W(group) *of, const W(word) *c, int turn, int width)
{
    const int pieces = (width * BLOCKS + 255) / 256;
    of->limit = LIMIT_BYTE(W(splat)(255) & ~c[WORDS - 1], turn) << (WORD_BITS - 8 - turn);
    for (int p = 0; p <= pieces; p++) {
        const W(word) last =
            (c[WORDS - 1] + W(splat)((W(number))(p * 256))) & W(splat)((W(number))WORD_MASK);
        W(word) carry = (W(word))(last < c[WORDS - 1]);
        of->at[p][WORDS - 1] = W(last_word)(last, turn);
        for (int w = WORDS - 2; w >= 0; w--) {
            const W(word) sum = (c[w] - carry) & W(splat)((W(number))WORD_MASK);
            of->at[p][w] = W(from_be)(p > 0 ? sum : c[w]);
            carry &= (W(word))(sum == 0);
        }
        if (p > 0)
            of->past[p - 1] =
                of->at[p][WORDS - 1] -
                W(splat)((W(number))(turn > 0 || WORD_BITS < LANE_BITS
                                         ? (uint64_t)1 << (WORD_BITS - turn) % LANE_BITS
                                         : 0));
    }
}

/*
 * The numbers of the blocks of vector l of a group in their piece, at the place of the last byte: a
 * constant.
 */
HANJI_INLINE W(word) W(numbers_at)(int l, int turn)
{
    return (W(block_numbers)() + W(splat)((W(number))(l * BLOCKS % 256))) << (WORD_BITS - 8 - turn);
}

/*
 * What encrypts the counters of a group: this one, or that of a room whose first rounds do less in
 * blocks of different last words alone. Where COUNTED_LACKS_KEY is 1 it leaves the last round
 * key, missing in all words of a block alike, to the store.
 */
typedef void W(counted_fn)(W(word) *s, const W(group) *of, int turn, W(keys) rk, W(rounds_fn) *run,
                           int rounds, int width);

HANJI_INLINE void W(count_blocks)(W(word) *s, const W(group) *of, int turn, int width)
{
    UNROLL
    for (int l = 0; l < width; l++) {
        const int p = l * BLOCKS / 256;
        const W(word) n = W(numbers_at)(l, turn);
        const W(choice) past = W(exceeds)(n, of->limit, turn);
        for (int w = 0; w + 1 < WORDS; w++)
            s[w * width + l] = W(choose)(past, of->at[p + 1][w], of->at[p][w]);
        s[(WORDS - 1) * width + l] = W(choose)(past, of->past[p], of->at[p][WORDS - 1]) + n;
    }
}

HANJI_INLINE void W(counted)(W(word) *s, const W(group) *of, int turn, W(keys) rk,
                             W(rounds_fn) *run, int rounds, int width)
{
    W(count_blocks)(s, of, turn, width);
    run(s, rk, rounds, width);
}
#undef COUNTED
#undef COUNTED_TURN
#undef COUNTED_LACKS_KEY
#define COUNTED(bits) HANJI_JOIN(counted_w, bits)
#define COUNTED_TURN(bits) 0
#define COUNTED_LACKS_KEY(bits) 0

/*
 * The group that follows within the 256 blocks of the same start. Behind a rotation only: the limit
 * may become negative.
 */
HANJI_INLINE void W(group_next)(W(group) *of, int turn, int width)
{
    const W(word) n = W(splat)((W(number))(width * BLOCKS)) << (WORD_BITS - 8 - turn);
    of->limit -= n;
    of->at[0][WORDS - 1] += n;
    of->past[0] += n;
}

/*
 * The counters of a group are ready before the rounds of the group before it, whose latencies they
 * would add to. Small groups that begin within 256 blocks share what it takes.
 */
HANJI_INLINE void W(ctr)(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,
                         const void *keys, W(counted_fn) *counted, int turn, int lacks_key,
                         W(rounds_fn) *run, int rounds, int width)
{
    const size_t most = turn > 0 && width * BLOCKS <= 128 ? (size_t)(256 / (width * BLOCKS)) : 1;
    const W(keys) rk = {.shared = keys};
    W(word) s[WORDS * WIDTH_MAX], c[WORDS];
    W(group) of;
    W(counter_load)(c, counter);
    W(group_of)(&of, c, turn, width);
    while (groups > 0) {
        const size_t part = groups < most ? groups : most;
        W(group) now = of;
        W(counter_add)(c, c, W(splat)((W(number))(part * (size_t)(width * BLOCKS))));
        groups -= part;
        if (groups > 0)
            W(group_of)(&of, c, turn, width);
        for (size_t i = 0; i < part; i++) {
#if WORDS == 4 && VECTOR_BYTES == 64
            IN_MEMORY(of); /* gcc 12 would keep these in registers, and the state in memory */
            IN_MEMORY(c);
#endif
            counted(s, &now, turn, rk, run, rounds, width);
            W(store_text)(out, in, s, lacks_key,
                          lacks_key ? W(round_key)(rk, rounds - 1) : W(splat)(0), width);
            in += width * BLOCKS * WORDS * WORD_BYTES;
            out += width * BLOCKS * WORDS * WORD_BYTES;
            if (most > 1)
                W(group_next)(&now, turn, width);
        }
    }
    W(counter_store)(counter, c);
}

/*
 * Messages with keys of their own. A lane's words fill WORDS_16 vectors where its bytes are slots
 * of 16: the transpose within 128 bits is its own inverse. A slot has SLOT_BYTES bytes of text, 12
 * where words have 24 or 48 bits: HANJI_STREAM_SLOTS slots are then PIECES pieces of 16 bytes
 * without gaps. A unit fills the registers.
 */
#undef WORDS_16
#undef BLOCKS_16
#undef SLOT_BYTES
#undef PIECES
#undef UNIT
#define WORDS_16 (16 / (LANE_BITS / 8))
#define BLOCKS_16 (WORDS_16 / WORDS)
#define SLOT_BYTES (16 * WORD_BITS / LANE_BITS)
#define PIECES (HANJI_STREAM_SLOTS * SLOT_BYTES / 16)
#define UNIT                                                                                \
    (VECTOR_REGISTERS / 2 / WORDS_16 < HANJI_STREAM_SLOTS ? VECTOR_REGISTERS / 2 / WORDS_16 \
                                                          : HANJI_STREAM_SLOTS)

HANJI_INLINE void W(turn)(vector *v)
{
#if LANE_BITS == 64
    vector t[2];
    split_64(&t[0], &t[1], v[0], v[1]);
    v[0] = t[0];
    v[1] = t[1];
#elif LANE_BITS == 32
    vector t[4];
    join_32(&t[0], &t[1], v[0], v[1]);
    join_32(&t[2], &t[3], v[2], v[3]);
    split_64(&v[0], &v[1], t[0], t[2]);
    split_64(&v[2], &v[3], t[1], t[3]);
#else
    vector t[8], u[8];
    for (int i = 0; i < 8; i += 2)
        join_16(&t[i], &t[i + 1], v[i], v[i + 1]);
    for (int i = 0; i < 8; i += 4) {
        join_32(&u[i], &u[i + 1], t[i], t[i + 2]);
        join_32(&u[i + 2], &u[i + 3], t[i + 1], t[i + 3]);
    }
    for (int i = 0; i < 4; i++)
        split_64(&v[2 * i], &v[2 * i + 1], u[i], u[i + 4]);
#endif
}

/*
 * Within 128 bits: the bytes of words without gaps, from byte number `from` on; zero before the
 * first and behind the last.
 */
HANJI_INLINE vector W(narrow)(vector v, int from)
{
    uint8_t order[16];
    for (int i = 0; i < 16; i++) {
        const int at = i + from;
        order[i] = at >= 0 && at < SLOT_BYTES
                       ? (uint8_t)(at / WORD_BYTES * (LANE_BITS / 8) + at % WORD_BYTES)
                       : 0x80;
    }
    sixteen all;
    memcpy(&all, order, sizeof all);
    return shuffle_bytes(v, all);
}

/* One slot of every lane, as words; and back. */
HANJI_INLINE void W(load_slot)(vector *v, const uint8_t *slot)
{
    UNROLL
    for (int i = 0; i < WORDS_16; i++)
        v[i] = W(widen)(vector_load(slot + i * VECTOR_BYTES));
    W(turn)(v);
}

HANJI_INLINE void W(store_slot)(uint8_t *slot, vector *v)
{
    W(turn)(v);
    UNROLL
    for (int i = 0; i < WORDS_16; i++)
        vector_store(slot + i * VECTOR_BYTES, WORD_BITS == LANE_BITS ? v[i] : W(narrow)(v[i], 0));
}

#if WORD_BITS != LANE_BITS
/* Four slots of words become three pieces. */
HANJI_INLINE void W(close_gaps)(vector (*slot)[WORDS_16])
{
    UNROLL
    for (int i = 0; i < WORDS_16; i++) {
        const vector a = slot[0][i], b = slot[1][i], c = slot[2][i], d = slot[3][i];
        slot[0][i] = (vector)(W(narrow)(a, 0) | W(narrow)(b, -12));
        slot[1][i] = (vector)(W(narrow)(b, 4) | W(narrow)(c, -8));
        slot[2][i] = (vector)(W(narrow)(c, 8) | W(narrow)(d, -4));
    }
}
#endif

/*
 * Slot `at` of key stream of every lane, and the following ones, up to `slots`: computed at once,
 * from counter `first` of every lane on, which is for slot 0.
 */
HANJI_INLINE void W(stream_unit)(vector (*slot)[WORDS_16], int at, int slots, const W(word) *first,
                                 const hanji_streams *s, W(rounds_fn) *run, int rounds)
{
    W(word) state[8 * HANJI_STREAM_SLOTS], now[WORDS];
    const int blocks = slots * BLOCKS_16;
    UNROLL
    for (int b = 0; b < blocks; b++) {
        W(counter_add)(now, first, W(splat)((W(number))(at * BLOCKS_16 + b)));
        for (int w = 0; w < WORDS; w++)
            state[w * blocks + b] = W(from_be)(now[w]);
    }
    run(state, (W(keys)){.own = (const W(word) *)(const void *)s->round_keys}, rounds, blocks);
    UNROLL
    for (int p = 0; p < slots; p++) {
        for (int i = 0; i < WORDS_16; i++)
            slot[p][i] = (vector)state[i % WORDS * blocks + p * BLOCKS_16 + i / WORDS];
        W(turn)(slot[p]);
    }
}

HANJI_INLINE void W(store_pieces)(hanji_streams *s, int at, vector (*piece)[WORDS_16], int pieces)
{
    UNROLL
    for (int p = 0; p < pieces; p++)
        for (int i = 0; i < WORDS_16; i++)
            vector_store(s->stream + ((at + p) * WORDS_16 + i) * VECTOR_BYTES, piece[p][i]);
}

/* See hanji_streams_fn. */
HANJI_INLINE void W(streams)(hanji_streams *s, uint32_t flags, W(rounds_fn) *run,
                             W(schedule_fn) *schedule, int key_words, int rounds, uint64_t z)
{
    vector v[WORDS_16], slot[HANJI_STREAM_SLOTS][WORDS_16];
    W(word) c[WORDS];
    if ((flags & HANJI_STREAMS_EXPAND) != 0) {
        W(word) *rk = (W(word) *)(void *)s->round_keys;
        for (int k = 0; k < key_words; k += WORDS_16) {
            W(load_slot)(v, s->keys + k * VECTOR_BYTES);
            for (int i = 0; i < WORDS_16 && k + i < key_words; i++)
                rk[k + i] = (W(word))v[i];
        }
        schedule(rk, key_words, rounds, z);
    }
    W(load_slot)(v, s->counters);
    for (int w = 0; w < WORDS; w++)
        c[w] = W(from_be)((W(word))v[w]);
#if WORD_BITS == LANE_BITS
    if ((flags & HANJI_STREAMS_SHORT) != 0) {
        W(stream_unit)(slot, 0, 1, c, s, run, rounds);
        W(store_pieces)(s, 0, slot, 1);
        return;
    }
    for (int at = 0; at < HANJI_STREAM_SLOTS; at += UNIT) {
        W(stream_unit)(slot, at, UNIT, c, s, run, rounds);
        W(store_pieces)(s, at, slot, UNIT);
    }
#else
    if ((flags & HANJI_STREAMS_SHORT) != 0) {
        W(stream_unit)(slot, 0, 2, c, s, run, rounds);
        for (int i = 0; i < WORDS_16; i++)
            slot[0][i] = (vector)(W(narrow)(slot[0][i], 0) | W(narrow)(slot[1][i], -12));
        W(store_pieces)(s, 0, slot, 1);
        return;
    }
    for (int at = 0; at < HANJI_STREAM_SLOTS; at += UNIT)
        W(stream_unit)(slot + at, at, UNIT, c, s, run, rounds);
    W(close_gaps)(slot);
    W(store_pieces)(s, 0, slot, PIECES);
#endif
    if ((flags & HANJI_STREAMS_CONTINUE) != 0) {
        W(counter_add)(c, c, W(splat)(HANJI_STREAM_SLOTS * BLOCKS_16));
        for (int w = 0; w < WORDS; w++)
            v[w] = (vector)W(from_be)(c[w]);
        W(store_slot)(s->counters, v);
    }
}

#if VECTOR_BYTES == 64
#include "lanes/messages.h"
#endif
