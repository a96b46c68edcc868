/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the modes share among themselves: their cores, which check nothing and do not count. Callers
 * reserve first.
 */
#ifndef HANJI_MODES_MODES_H
#define HANJI_MODES_MODES_H

#include "hanji/mac.h"
#include "support/bytes.h"
#include "support/cipher.h"

/* In the `ready` of a mode's context: one that was never begun, zeros or not, is refused. */
#define HANJI_MODE_READY 0x6d6f6465u

/* The key of a mode is still of the cipher that the mode began with. */
static inline int hanji_mode_keyed(const hanji_block_ctx *block, const hanji_cipher *cipher)
{
    return hanji_block_keyed(block) && block->cipher == cipher;
}

/*
 * Data of a call share a byte with the context of the mode, or with that of its key: both are
 * written.
 */
static inline int hanji_mode_touched(const void *data, size_t bytes, const void *ctx,
                                     size_t ctx_bytes, const hanji_block_ctx *block)
{
    return overlap(data, bytes, ctx, ctx_bytes) ||
           overlap(data, bytes, block, block->cipher->ctx_bytes);
}

/* The context of a mode shares a byte with the context of its key, if there is one. */
static inline int hanji_mode_in_key(const void *ctx, size_t ctx_bytes, const hanji_block_ctx *block)
{
    return overlap(ctx, ctx_bytes, block,
                   block == NULL              ? 0
                   : hanji_block_keyed(block) ? block->cipher->ctx_bytes
                                              : sizeof *block);
}

/* ceil(bytes / block_bytes) */
static inline uint64_t hanji_blocks_begun(size_t bytes, size_t block_bytes)
{
#ifndef HANJI_FREESTANDING
    if ((block_bytes & (block_bytes - 1)) == 0) /* most: without products */
        return hanji_whole_blocks(bytes, block_bytes) + ((bytes & (block_bytes - 1)) != 0);
#endif
    const size_t whole = hanji_whole_blocks(bytes, block_bytes);
    return (uint64_t)whole + (bytes != hanji_blocks_to_bytes(whole, block_bytes));
}

/* A stream over `block` from the first counter block `iv`. */
void hanji_ctr_start(const uint8_t *iv, hanji_block_ctx *block, hanji_ctr_ctx *ctx);
/* How many counter blocks the next `bytes` bytes begin. */
uint64_t hanji_ctr_need(size_t bytes, const hanji_ctr_ctx *ctx);
/* The next `bytes` bytes. */
void hanji_ctr_apply(uint8_t *out, const uint8_t *in, size_t bytes, hanji_ctr_ctx *ctx);

/* One message with a key of its own, and round keys in memory, which it erases. */
int hanji_ctr_with_context(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *iv,
                           const uint8_t *key, const hanji_cipher *cipher, uint32_t features);

/* The same by what suits so many bytes, 1 or more. It leaves nothing on the stack. */
HANJI_INLINE int hanji_ctr_message(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *iv,
                                   const uint8_t *key, const hanji_cipher *cipher,
                                   uint32_t features)
{
#if HANJI_ROWS_IN_THREES
    hanji_once_fn *once = hanji_cipher_text(cipher, bytes, features);
    if (once != NULL) {
        once(out, in, bytes, iv, key);
        return HANJI_OK;
    }
#endif
    return hanji_ctr_with_context(out, in, bytes, iv, key, cipher, features);
}

/* A key whose kernel for single blocks is chosen once for all blocks of a call. */
typedef struct hanji_chain {
    const hanji_block_ctx *block;
#if HANJI_ROWS_IN_THREES
    hanji_cbc_mac_fn *mac; /* NULL: block by block */
#endif
    hanji_blocks_fn *run; /* NULL: every block chooses for itself */
    const void *keys;
} hanji_chain;

HANJI_INLINE hanji_chain hanji_chain_of(const hanji_block_ctx *block)
{
#if HANJI_ROWS_IN_THREES
    /* canonical keys follow the head */
    hanji_chain chain = {block, block->cipher->cbc_mac, NULL, block + 1};
    if (chain.mac != NULL)
        return chain;
#else
    hanji_chain chain = {block, NULL, NULL};
#endif
    chain.run = hanji_block_single(&chain.keys, block);
    return chain;
}

/* The subkeys of `block`: one cipher call. `chain`, here and below, is of the same key. */
void hanji_cmac_key(hanji_block_ctx *block, hanji_cmac_ctx *ctx, const hanji_chain *chain);
/* Begun, and the key is of the cipher that it began with. */
int hanji_cmac_ready(const hanji_cmac_ctx *ctx);
/* An empty message. */
void hanji_cmac_start(hanji_cmac_ctx *ctx);
/*
 * How many cipher calls `bytes` more bytes cost when `pending` are waiting; finishing costs one
 * more.
 */
uint64_t hanji_cmac_need(size_t bytes, size_t pending, size_t block_bytes);
/* The next `bytes` bytes. */
void hanji_cmac_absorb(const uint8_t *in, size_t bytes, hanji_cmac_ctx *ctx,
                       const hanji_chain *chain);
/* The whole tag, a block long; the context then holds an empty message. */
void hanji_cmac_finish(uint8_t *tag, hanji_cmac_ctx *ctx, const hanji_chain *chain);
/* The same cut to `tag_bytes`, and compared: HANJI_OK, or HANJI_E_TAG. */
void hanji_cmac_give(uint8_t *tag, size_t tag_bytes, hanji_cmac_ctx *ctx, const hanji_chain *chain);
int hanji_cmac_compare(const uint8_t *tag, size_t tag_bytes, hanji_cmac_ctx *ctx);
/* A whole message, from the subkeys to the tag, cut to `tag_bytes`. */
void hanji_cmac_whole(uint8_t *tag, size_t tag_bytes, const uint8_t *message, size_t message_bytes,
                      hanji_block_ctx *block);

/* 8- and 16-byte blocks are those that CMAC and EAX are defined for. */
static inline __attribute__((unused)) int hanji_block_is_64_or_128(const hanji_block_ctx *block)
{
    return block->cipher->block_bytes == 8 || block->cipher->block_bytes == 16;
}

#endif
