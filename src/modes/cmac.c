/* SPDX-License-Identifier: Apache-2.0 */
/* CMAC (NIST SP 800-38B) over ciphers with 64- and 128-bit blocks. */
#include "hanji/mac.h"

#include "modes/modes.h"
#include "support/bytes.h"

#define READY 1u

/* Twice a block as a big-endian polynomial, modulo x^64 + 0x1b or x^128 + 0x87; the top bit is secret, so no branch. */
static void twice(uint8_t *out, const uint8_t *in, size_t n)
{
    const uint8_t top = (uint8_t)(in[0] >> 7);
    for (size_t i = 0; i + 1 < n; i++)
        out[i] = (uint8_t)(in[i] << 1 | in[i + 1] >> 7);
    out[n - 1] = (uint8_t)((in[n - 1] << 1) ^ ((n == 8 ? 0x1b : 0x87) & (uint8_t)-top));
}

void hanji_cmac_key(hanji_block_ctx *block, hanji_cmac_ctx *ctx)
{
    const size_t n = block->cipher->block_bytes;
    memset(ctx, 0, sizeof *ctx);
    ctx->block = block;
    hanji_block_run(HANJI_ENCRYPT, ctx->k1, ctx->k1, 1, block);
    twice(ctx->k1, ctx->k1, n);
    twice(ctx->k2, ctx->k1, n);
    ctx->ready = READY;
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
    const size_t whole = hanji_whole_blocks(bytes, block_bytes), tail = bytes - hanji_blocks_to_bytes(whole, block_bytes);
    if (pending == 0)
        return (uint64_t)whole - (tail == 0);
    return (uint64_t)whole + (tail + pending > block_bytes);
}

static void mix(const uint8_t *block, hanji_cmac_ctx *ctx)
{
    xor_bytes(ctx->mac, ctx->mac, block, ctx->block->cipher->block_bytes);
    hanji_block_run(HANJI_ENCRYPT, ctx->mac, ctx->mac, 1, ctx->block);
}

void hanji_cmac_absorb(const uint8_t *in, size_t bytes, hanji_cmac_ctx *ctx)
{
    const size_t n = ctx->block->cipher->block_bytes;
    while (bytes > 0) {
        if (ctx->pending_bytes == n) {
            mix(ctx->pending, ctx);
            ctx->pending_bytes = 0;
        }
        if (ctx->pending_bytes == 0)
            for (; bytes > n; bytes -= n, in += n)
                mix(in, ctx);
        const size_t room = n - ctx->pending_bytes, part = bytes < room ? bytes : room;
        memcpy(ctx->pending + ctx->pending_bytes, in, part);
        ctx->pending_bytes += (uint32_t)part;
        in += part;
        bytes -= part;
    }
}

void hanji_cmac_finish(uint8_t *tag, hanji_cmac_ctx *ctx)
{
    const size_t n = ctx->block->cipher->block_bytes;
    const int full = ctx->pending_bytes == n;
    if (!full) {
        ctx->pending[ctx->pending_bytes] = 0x80;
        memset(ctx->pending + ctx->pending_bytes + 1, 0, n - 1 - ctx->pending_bytes);
    }
    xor_bytes(ctx->pending, ctx->pending, full ? ctx->k1 : ctx->k2, n);
    mix(ctx->pending, ctx);
    memcpy(tag, ctx->mac, n);
    hanji_cmac_start(ctx);
}

int hanji_cmac_init(hanji_block_ctx *block, hanji_cmac_ctx *ctx)
{
    if (ctx == NULL)
        return HANJI_E_ARGUMENT;
    int rc = HANJI_OK;
    if (block == NULL || block->cipher == NULL)
        rc = HANJI_E_ARGUMENT;
    else if (!hanji_block_is_64_or_128(block))
        rc = HANJI_E_LENGTH;
    else
        rc = hanji_block_reserve(1, block);
    if (rc == HANJI_OK)
        hanji_cmac_key(block, ctx);
    else
        hanji_wipe(ctx, sizeof *ctx);
    return rc;
}

static int ready(const hanji_cmac_ctx *ctx)
{
    return ctx != NULL && ctx->ready == READY && ctx->block->cipher != NULL;
}

int hanji_cmac_update(const uint8_t *message, size_t message_bytes, hanji_cmac_ctx *ctx)
{
    if (!ready(ctx) || !valid(message, message_bytes))
        return HANJI_E_ARGUMENT;
    const int rc = hanji_block_reserve(hanji_cmac_need(message_bytes, ctx->pending_bytes, ctx->block->cipher->block_bytes), ctx->block);
    if (rc == HANJI_OK)
        hanji_cmac_absorb(message, message_bytes, ctx);
    return rc;
}

/* The whole tag of the message so far, counted; a wrong tag length leaves the message as it is. */
static int close_message(uint8_t whole[HANJI_BLOCK_BYTES_MAX], const uint8_t *tag, size_t tag_bytes, hanji_cmac_ctx *ctx)
{
    if (!ready(ctx) || tag == NULL)
        return HANJI_E_ARGUMENT;
    if (tag_bytes < 1 || tag_bytes > ctx->block->cipher->block_bytes)
        return HANJI_E_LENGTH;
    const int rc = hanji_block_reserve(1, ctx->block);
    if (rc == HANJI_OK)
        hanji_cmac_finish(whole, ctx);
    return rc;
}

int hanji_cmac_final(uint8_t *tag, size_t tag_bytes, hanji_cmac_ctx *ctx)
{
    uint8_t whole[HANJI_BLOCK_BYTES_MAX];
    const int rc = close_message(whole, tag, tag_bytes, ctx);
    if (rc == HANJI_OK)
        memcpy(tag, whole, tag_bytes);
    hanji_wipe(whole, sizeof whole);
    return rc;
}

int hanji_cmac_verify(const uint8_t *tag, size_t tag_bytes, hanji_cmac_ctx *ctx)
{
    uint8_t whole[HANJI_BLOCK_BYTES_MAX];
    int rc = close_message(whole, tag, tag_bytes, ctx);
    if (rc == HANJI_OK && !hanji_equal(whole, tag, tag_bytes))
        rc = HANJI_E_TAG;
    hanji_wipe(whole, sizeof whole);
    return rc;
}

int hanji_cmac(uint8_t *tag, size_t tag_bytes, const uint8_t *message, size_t message_bytes, hanji_block_ctx *block)
{
    hanji_cmac_ctx ctx;
    int rc = hanji_cmac_init(block, &ctx);
    if (rc == HANJI_OK)
        rc = hanji_cmac_update(message, message_bytes, &ctx);
    if (rc == HANJI_OK)
        rc = hanji_cmac_final(tag, tag_bytes, &ctx);
    hanji_wipe(&ctx, sizeof ctx);
    return rc;
}

void hanji_cmac_wipe(hanji_cmac_ctx *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
}
