/* SPDX-License-Identifier: Apache-2.0 */
/* CMAC (NIST SP 800-38B) over ciphers with 64- and 128-bit blocks. */
#include "hanji/mac.h"

#include "modes/modes.h"
#include "support/bytes.h"
#include "support/secret.h"

/*
 * Twice a block as a big-endian polynomial, modulo x^64 + 0x1b or x^128 + 0x87; the top bit is
 * secret, so no branch. From the last byte on: a byte needs the top bit of the one behind it.
 */
static void twice(uint8_t *out, const uint8_t *in, size_t n)
{
    unsigned carry = (n == 8 ? 0x1bu : 0x87u) & -(unsigned)(in[0] >> 7);
    for (size_t i = n; i-- > 0;) {
        const unsigned byte = in[i];
        out[i] = (uint8_t)(byte << 1 ^ carry);
        carry = byte >> 7;
    }
}

/* to ^= from, 8 or 16 bytes. */
HANJI_INLINE void add_block(uint8_t *to, const uint8_t *from, size_t n)
{
    if (n == 16)
        xor_block(to, to, from, 16);
    else
        xor_block(to, to, from, 8);
}

/* mac = E(mac xor block), block by block. */
HANJI_INLINE void mix(uint8_t *mac, const uint8_t *in, size_t blocks, size_t n,
                      const hanji_chain *chain)
{
#if HANJI_ROWS_IN_THREES
    if (chain->mac != NULL) {
        chain->mac(mac, in, blocks, chain->keys);
        return;
    }
#endif
    uint64_t words[HANJI_BLOCK_BYTES_MAX / 8];
    uint8_t *value = (uint8_t *)words; /* aligned */
    memcpy(value, mac, n);
    for (; blocks > 0; blocks--, in += n) {
        add_block(value, in, n);
        if (chain->run != NULL)
            chain->run(value, value, 1, chain->keys);
        else
            hanji_block_run(HANJI_ENCRYPT, value, value, 1, chain->block);
    }
    memcpy(mac, value, n);
    wipe_here(words, sizeof words);
}

/*
 * The three are not inlined: what they leave on the stack lies below the frames of the calls, which
 * wipe it.
 */
HANJI_NOINLINE void hanji_cmac_key(hanji_block_ctx *block, hanji_cmac_ctx *ctx,
                                   const hanji_chain *chain)
{
    const size_t n = block->cipher->block_bytes;
    memset(ctx, 0, sizeof *ctx);
    ctx->block = block;
    ctx->cipher = block->cipher;
    static const uint8_t zero[HANJI_BLOCK_BYTES_MAX] = {0};
    mix(ctx->k1, zero, 1, n, chain);
    twice(ctx->k1, ctx->k1, n);
    twice(ctx->k2, ctx->k1, n);
    ctx->ready = HANJI_MODE_READY;
}

void hanji_cmac_start(hanji_cmac_ctx *ctx)
{
    memset(ctx->mac, 0, sizeof ctx->mac);
    hanji_wipe(ctx->pending, sizeof ctx->pending);
    ctx->pending_bytes = 0;
}

uint64_t hanji_cmac_need(size_t bytes, size_t pending, size_t block_bytes)
{
    if (bytes == 0)
        return 0;
    /* Every block but the last of pending and new bytes together; the last waits for the end. */
    const size_t whole = hanji_whole_blocks(bytes, block_bytes),
                 tail = bytes - hanji_blocks_to_bytes(whole, block_bytes);
    if (pending == 0)
        return (uint64_t)whole - (tail == 0);
    return (uint64_t)whole + (tail + pending > block_bytes);
}

HANJI_NOINLINE void hanji_cmac_absorb(const uint8_t *in, size_t bytes, hanji_cmac_ctx *ctx,
                                      const hanji_chain *chain)
{
    const size_t n = ctx->cipher->block_bytes;
    while (bytes > 0) {
        if (ctx->pending_bytes == n) {
            mix(ctx->mac, ctx->pending, 1, n, chain);
            ctx->pending_bytes = 0;
        }
        if (ctx->pending_bytes == 0 && bytes > n) { /* all but the last */
            const size_t whole = hanji_whole_blocks(bytes - 1, n),
                         part = hanji_blocks_to_bytes(whole, n);
            mix(ctx->mac, in, whole, n, chain);
            bytes -= part;
            in += part;
        }
        const size_t room = n - ctx->pending_bytes, part = bytes < room ? bytes : room;
        memcpy(ctx->pending + ctx->pending_bytes, in, part);
        ctx->pending_bytes += (uint32_t)part;
        in += part;
        bytes -= part;
    }
}

HANJI_NOINLINE void hanji_cmac_finish(uint8_t *tag, hanji_cmac_ctx *ctx, const hanji_chain *chain)
{
    const size_t n = ctx->cipher->block_bytes;
    const int full = ctx->pending_bytes == n;
    if (!full) {
        ctx->pending[ctx->pending_bytes] = 0x80;
        memset(ctx->pending + ctx->pending_bytes + 1, 0, n - 1 - ctx->pending_bytes);
    }
    add_block(ctx->pending, full ? ctx->k1 : ctx->k2, n);
    mix(ctx->mac, ctx->pending, 1, n, chain);
    memcpy(tag, ctx->mac, n);
    hanji_cmac_start(ctx);
}

int hanji_cmac_init(hanji_block_ctx *block, hanji_cmac_ctx *ctx)
{
    if (ctx == NULL || hanji_mode_in_key(ctx, sizeof *ctx, block))
        return HANJI_E_ARGUMENT;
    int rc = HANJI_OK;
    if (!hanji_block_keyed(block))
        rc = HANJI_E_ARGUMENT;
    else if (!hanji_block_is_64_or_128(block))
        rc = HANJI_E_LENGTH;
    else
        rc = hanji_block_reserve(1, block);
    if (rc == HANJI_OK) {
        const hanji_chain chain = hanji_chain_of(block);
        hanji_cmac_key(block, ctx, &chain);
        hanji_wipe_stack_shallow();
    } else {
        hanji_wipe(ctx, sizeof *ctx);
    }
    return rc;
}

int hanji_cmac_ready(const hanji_cmac_ctx *ctx)
{
    return ctx != NULL && ctx->ready == HANJI_MODE_READY &&
           hanji_mode_keyed(ctx->block, ctx->cipher);
}

int hanji_cmac_update(const uint8_t *message, size_t message_bytes, hanji_cmac_ctx *ctx)
{
    if (!hanji_cmac_ready(ctx) || !valid(message, message_bytes) ||
        hanji_mode_touched(message, message_bytes, ctx, sizeof *ctx, ctx->block))
        return HANJI_E_ARGUMENT;
    const int rc = hanji_block_reserve(
        hanji_cmac_need(message_bytes, ctx->pending_bytes, ctx->cipher->block_bytes), ctx->block);
    if (rc == HANJI_OK) {
        const hanji_chain chain = hanji_chain_of(ctx->block);
        hanji_cmac_absorb(message, message_bytes, ctx, &chain);
        hanji_wipe_stack_shallow();
    }
    return rc;
}

/*
 * Whether a tag of these bytes can end the message, and its cipher call, counted; a refusal leaves
 * the message as it is.
 */
static int may_close(const uint8_t *tag, size_t tag_bytes, const hanji_cmac_ctx *ctx)
{
    if (!hanji_cmac_ready(ctx) || tag == NULL ||
        hanji_mode_touched(tag, tag_bytes, ctx, sizeof *ctx, ctx->block))
        return HANJI_E_ARGUMENT;
    if (tag_bytes < 1 || tag_bytes > ctx->cipher->block_bytes)
        return HANJI_E_LENGTH;
    return hanji_block_reserve(1, ctx->block);
}

HANJI_NOINLINE void hanji_cmac_give(uint8_t *tag, size_t tag_bytes, hanji_cmac_ctx *ctx,
                                    const hanji_chain *chain)
{
    uint8_t whole[HANJI_BLOCK_BYTES_MAX];
    hanji_cmac_finish(whole, ctx, chain);
    memcpy(tag, whole, tag_bytes);
    hanji_wipe(whole, sizeof whole);
}

HANJI_NOINLINE int hanji_cmac_compare(const uint8_t *tag, size_t tag_bytes, hanji_cmac_ctx *ctx)
{
    const hanji_chain chain = hanji_chain_of(ctx->block);
    uint8_t whole[HANJI_BLOCK_BYTES_MAX];
    hanji_cmac_finish(whole, ctx, &chain);
    const int rc = hanji_equal(whole, tag, tag_bytes) ? HANJI_OK : HANJI_E_TAG;
    hanji_wipe(whole, sizeof whole);
    return rc;
}

int hanji_cmac_final(uint8_t *tag, size_t tag_bytes, hanji_cmac_ctx *ctx)
{
    const int rc = may_close(tag, tag_bytes, ctx);
    if (rc == HANJI_OK) {
        const hanji_chain chain = hanji_chain_of(ctx->block);
        hanji_cmac_give(tag, tag_bytes, ctx, &chain);
        hanji_wipe_stack_shallow();
    }
    return rc;
}

int hanji_cmac_verify(const uint8_t *tag, size_t tag_bytes, hanji_cmac_ctx *ctx)
{
    int rc = may_close(tag, tag_bytes, ctx);
    if (rc == HANJI_OK) {
        rc = hanji_cmac_compare(tag, tag_bytes, ctx);
        hanji_wipe_stack_shallow();
    }
    return rc;
}

HANJI_NOINLINE void hanji_cmac_whole(uint8_t *tag, size_t tag_bytes, const uint8_t *message,
                                     size_t message_bytes, hanji_block_ctx *block)
{
    const hanji_chain chain = hanji_chain_of(block);
    hanji_cmac_ctx ctx;
    hanji_cmac_key(block, &ctx, &chain);
    hanji_cmac_absorb(message, message_bytes, &ctx, &chain);
    hanji_cmac_give(tag, tag_bytes, &ctx, &chain);
    hanji_wipe(&ctx, sizeof ctx);
}

int hanji_cmac(uint8_t *tag, size_t tag_bytes, const uint8_t *message, size_t message_bytes,
               hanji_block_ctx *block)
{
    if (!hanji_block_keyed(block) || tag == NULL || !valid(message, message_bytes) ||
        overlap(tag, tag_bytes, message, message_bytes) ||
        overlap(tag, tag_bytes, block, block->cipher->ctx_bytes) ||
        overlap(message, message_bytes, block, block->cipher->ctx_bytes))
        return HANJI_E_ARGUMENT;
    const size_t n = block->cipher->block_bytes;
    if (!hanji_block_is_64_or_128(block) || tag_bytes < 1 || tag_bytes > n)
        return HANJI_E_LENGTH;
    /* All of it or nothing: a message for which there is no room counts nothing. */
    const int rc = hanji_block_reserve(2 + hanji_cmac_need(message_bytes, 0, n), block);
    if (rc == HANJI_OK) {
        hanji_cmac_whole(tag, tag_bytes, message, message_bytes, block);
        hanji_wipe_stack_shallow();
    }
    return rc;
}

void hanji_cmac_wipe(hanji_cmac_ctx *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
}
