/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chains of blocks of many messages in lockstep, as CMAC and EAX need them: one message with its
 * own key in each lane of vectors. The mode (modes/chain_lanes.c) decides by lengths which message
 * is in which lane, and moves bytes; a kernel sees nothing but vectors. A chain waits for every
 * block, so kernels take two vectors of lanes side by side.
 */
#ifndef HANJI_LANES_CHAINS_H
#define HANJI_LANES_CHAINS_H

#include "lanes/streams.h"

#define HANJI_CHAIN_VECTORS 2

/* One vector of lanes. Slots lie as in hanji_streams_place. */
typedef struct hanji_chains {
    hanji_streams streams; /* first: it is aligned; with the round keys and the key stream */
    /* slots: the blocks that the chains take next */
    uint8_t text[HANJI_STREAM_SLOTS * 16 * HANJI_STREAM_LANES_MAX];
    /* a slot: the chain value of each lane, then anything */
    uint8_t macs[16 * HANJI_STREAM_LANES_MAX];
    /* three slots: each lane's cipher of the blocks 0, 1 and 2, then anything */
    uint8_t starts[3 * 16 * HANJI_STREAM_LANES_MAX];
    /* of each lane, in a number as wide as its words: so many blocks of text are its own, 64 bytes
       at most; public */
    uint8_t counts[HANJI_STREAM_VECTOR_MAX];
} hanji_chains;

/* Beside those of hanji_streams_fn: */
#define HANJI_CHAINS_START 8u   /* make the starts, after the round keys */
#define HANJI_CHAINS_ZERO 32u   /* only that of the block 0 */
#define HANJI_CHAINS_STREAM 16u /* make key stream, last; see the flags of streams */

/*
 * For each lane of `vectors` vectors, 1 or HANJI_CHAIN_VECTORS: mac = E(mac xor block) for every
 * block of its text, `blocks` being the most of any lane. All is the caller's to wipe.
 */
typedef void hanji_chains_fn(struct hanji_chains *chains, size_t vectors, size_t blocks,
                             uint32_t flags);

/* Vectors of lanes in a group of messages whose CMAC a kernel computes as a whole. */
#define HANJI_MAC_VECTORS 2

/*
 * CMAC of groups of messages of `bytes` bytes each, one in each lane of HANJI_MAC_VECTORS vectors;
 * keys, texts, and tags of a block each lie one after the other. Leaves nothing on the stack.
 */
typedef void hanji_macs_fn(uint8_t *tags, const uint8_t *in, size_t bytes, const uint8_t *keys,
                           size_t groups);

#endif
