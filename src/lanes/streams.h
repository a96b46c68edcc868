/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key streams of many messages in lockstep: one message with its own key in each lane of vectors.
 * The mode (modes/ctr_fleet.c) decides by lengths which message is in which lane, and moves
 * bytes; a kernel sees nothing but vectors.
 */
#ifndef HANJI_LANES_STREAMS_H
#define HANJI_LANES_STREAMS_H

#include <stddef.h>
#include <stdint.h>

#include "support/kernel.h"

#define HANJI_STREAM_LANES_MAX 32
#define HANJI_STREAM_SLOTS \
    4 /* of key stream that a call makes for each lane: see hanji_streams_slot */
#define HANJI_STREAM_KEYS_MAX 72   /* round keys */
#define HANJI_STREAM_VECTOR_MAX 64 /* bytes of a vector */

/* Pieces and slots lie as in hanji_streams_place. What is not used of a piece may hold anything. */
typedef struct hanji_streams {
    /* the kernel's own */
    _Alignas(HANJI_STREAM_VECTOR_MAX) uint8_t
        round_keys[HANJI_STREAM_KEYS_MAX * HANJI_STREAM_VECTOR_MAX];
    /* 16-byte pieces without gaps */
    uint8_t stream[HANJI_STREAM_SLOTS * 16 * HANJI_STREAM_LANES_MAX];
    /* slots: the first bytes of 16 */
    uint8_t keys[2 * 16 * HANJI_STREAM_LANES_MAX];
    /* the next counter block of each lane */
    uint8_t counters[16 * HANJI_STREAM_LANES_MAX];
} hanji_streams;

/*
 * Messages that lie anywhere, one for each lane: where their keys, counter blocks and texts are,
 * and how long they are, which are public. A lane without a message has keys and a counter block of
 * another and 0 bytes. Kernels on AVX-512 load numbers and addresses from here into general
 * registers, and nothing else (lab/ct/opcodes.py).
 */
typedef struct hanji_ragged {
    const uint8_t *keys[HANJI_STREAM_LANES_MAX], *nonces[HANJI_STREAM_LANES_MAX];
    const uint8_t *in[HANJI_STREAM_LANES_MAX];
    uint8_t *out[HANJI_STREAM_LANES_MAX];
    size_t bytes[HANJI_STREAM_LANES_MAX];
    size_t shortest, longest; /* of all lanes */
} hanji_ragged;

#define HANJI_STREAMS_EXPAND 1u /* keys have changed */
#define HANJI_STREAMS_SHORT 2u  /* one piece is enough */
#define HANJI_STREAMS_CONTINUE \
    4u /* advance the counters past all pieces; not with HANJI_STREAMS_SHORT */

/*
 * Key streams of messages with their own keys, one in each lane of vectors; a group is as many.
 */
typedef void hanji_streams_fn(struct hanji_streams *streams, uint32_t flags);

/*
 * CTR over groups of messages of `bytes` bytes each, from 1 to fewer than 2^15 blocks, one in each
 * lane; their keys and nonces lie one after the other. Leaves nothing on the stack.
 */
typedef void hanji_uniform_fn(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *keys,
                              const uint8_t *nonces, size_t groups);

/*
 * CTR over one group of messages that lie anywhere and are as long as they are, fewer than 2^15
 * blocks. Round keys go to memory of the caller, aligned as that of hanji_streams;
 * they and what is on the stack are the caller's to wipe.
 */
typedef void hanji_ragged_fn(void *round_keys, const struct hanji_ragged *ragged);

/* Bytes of text in a slot: blocks of 6 or 12 bytes do not fill pieces of 16. */
static inline size_t hanji_streams_slot(size_t block_bytes)
{
    return block_bytes == 6 || block_bytes == 12 ? 12 : 16;
}

/*
 * Where piece 0 of a lane is; the next is 16 * lanes bytes on. Words of `word_bytes`, in the order
 * that a transpose within 128 bits takes.
 */
static inline size_t hanji_streams_place(size_t lane, size_t lanes, size_t word_bytes)
{
    const size_t words = 16 / word_bytes;
    return 16 * (lane % words * (lanes / words) + lane / words);
}

#endif
