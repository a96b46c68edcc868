/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels for vectors of VECTOR_BYTES bytes (16: NEON, 32: AVX2, 64: AVX-512). Words stand in
 * vector_words.h, loads, transposes and stores in vector_blocks.h, counters in vector_ctr.h, key
 * streams in vector_streams.h, chains in vector_chains.h, whole messages on AVX-512 in messages.h
 * and macs.h. A kernel file defines VECTOR_BYTES, WORDS (words per block) and WORD_BITS, and brings
 * only its rounds, written over W(word), here a vector of words with one word of each block.
 * Included once per word size. The processors differ in lanes/x86.h and lanes/neon.h.
 *
 * A group is `width` vectors of every word. Blocks lie in a vector in the order of least cost to
 * make and to undo; counters are numbered in the same order.
 */
#include "lanes/chains.h"
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
/* The same, whose groups of one part another kernel of the file takes, too: function_parts. */
#define HANJI_VECTOR_CTR_PARTS(function, parts, width, run, rounds)                 \
    static HANJI_NOINLINE hanji_ctr_fn function##_parts;                            \
    HANJI_VECTOR_CTR(function##_parts, 1, width, run, rounds)                       \
    void function(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter, \
                  const void *keys)                                                 \
    {                                                                               \
        function##_parts(out, in, (parts)*groups, counter, keys);                   \
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
/* CMAC; a group fills HANJI_MAC_VECTORS vectors of `lanes` lanes. */
#define HANJI_VECTOR_MACS(function, lanes, run, schedule, key_words, rounds, z)                 \
    static HANJI_NOINLINE void function##_group(uint8_t *tags, const uint8_t *in, size_t bytes, \
                                                const uint8_t *keys, W(word) *rk)               \
    {                                                                                           \
        W(macs)(tags, in, bytes, keys, rk, run, schedule, key_words, rounds, z);                \
    }                                                                                           \
    void function(uint8_t *tags, const uint8_t *in, size_t bytes, const uint8_t *keys,          \
                  size_t groups)                                                                \
    {                                                                                           \
        W(word) rk[HANJI_MAC_VECTORS * (rounds)];                                               \
        const size_t messages = HANJI_MAC_VECTORS * (lanes);                                    \
        for (; groups > 0; groups--) {                                                          \
            function##_group(tags, in, bytes, keys, rk);                                        \
            NO_NUMBERS_IN_VECTORS;                                                              \
            tags += messages * WORDS * WORD_BYTES;                                              \
            in += messages * bytes;                                                             \
            keys += messages * (key_words)*WORD_BYTES;                                          \
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

#define HANJI_VECTOR_CHAINS(function, run, schedule, key_words, rounds, z)         \
    void function(hanji_chains *c, size_t vectors, size_t blocks, uint32_t flags)  \
    {                                                                              \
        W(chains)(c, vectors, blocks, flags, run, schedule, key_words, rounds, z); \
    }

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

#if defined(__clang__)
#define KEEP_LOOP _Pragma("clang loop unroll(disable)")
#else
#define KEEP_LOOP _Pragma("GCC unroll 1")
#endif

#define UNROLL_SCHEDULE /* of messages in lanes: a loop */

/*
 * Rounds of one vector under one key on x86-64: the end of a loop, which the processor foresees
 * badly, and its instructions would cost as much as they do.
 */
#define SHORT_ROUNDS(rk, width) \
    (VECTOR_BYTES >= 32 && (width) == 1 && (rk).apart == 0 && (rk).own == NULL)
#ifdef __clang__
#define UNROLL_ROUNDS _Pragma("clang loop unroll_count(32)")
#else
#define UNROLL_ROUNDS _Pragma("GCC unroll 32")
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

#include "lanes/vector_words.h"

#include "lanes/vector_blocks.h"

#include "lanes/vector_ctr.h"

#include "lanes/vector_streams.h"

#include "lanes/vector_chains.h"

#if VECTOR_BYTES == 64
#include "lanes/messages.h"

#include "lanes/macs.h"
#endif
