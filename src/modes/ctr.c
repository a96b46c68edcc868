/* SPDX-License-Identifier: Apache-2.0 */
/* Counter mode (NIST SP 800-38A, section 6.5), as a stream that continues at any byte. */
#include "hanji/block.h"

#include "modes/modes.h"
#include "support/bytes.h"

uint64_t hanji_blocks_begun(size_t bytes, size_t block_bytes)
{
    const size_t whole = hanji_whole_blocks(bytes, block_bytes);
    return (uint64_t)whole + (bytes != hanji_blocks_to_bytes(whole, block_bytes));
}

void hanji_ctr_start(const uint8_t *iv, hanji_block_ctx *block, hanji_ctr_ctx *ctx)
{
    const size_t n = block->cipher->block_bytes;
    memset(ctx, 0, sizeof *ctx);
    ctx->block = block;
    ctx->cipher = block->cipher;
    memcpy(ctx->counter, iv, n);
    /* After this many blocks the counter has every value behind it. */
    ctx->counters_left = n == 4 ? (uint64_t)1 << 32 : n == 6 ? (uint64_t)1 << 48 : UINT64_MAX;
    ctx->ready = HANJI_MODE_READY;
}

uint64_t hanji_ctr_need(size_t bytes, const hanji_ctr_ctx *ctx)
{
    return bytes > ctx->keystream_left
               ? hanji_blocks_begun(bytes - ctx->keystream_left, ctx->cipher->block_bytes)
               : 0;
}

/* The unused end of the key stream block. */
static const uint8_t *rest(const hanji_ctr_ctx *ctx)
{
    return ctx->keystream + (ctx->cipher->block_bytes - ctx->keystream_left);
}

void hanji_ctr_apply(uint8_t *out, const uint8_t *in, size_t bytes, hanji_ctr_ctx *ctx)
{
    const size_t n = ctx->cipher->block_bytes;
    ctx->counters_left -= hanji_ctr_need(bytes, ctx);
    if (ctx->keystream_left > 0) {
        const size_t part = bytes < ctx->keystream_left ? bytes : ctx->keystream_left;
        xor_bytes(out, in, rest(ctx), part);
        ctx->keystream_left -= (uint32_t)part;
        in += part;
        out += part;
        bytes -= part;
    }
    const size_t blocks = hanji_whole_blocks(bytes, n), whole = hanji_blocks_to_bytes(blocks, n);
    if (blocks > 0)
        hanji_block_run_ctr(out, in, blocks, ctx->counter, ctx->block);
    if (bytes > whole) {
        memset(ctx->keystream, 0, n);
        hanji_block_run_ctr(ctx->keystream, ctx->keystream, 1, ctx->counter, ctx->block);
        xor_bytes(out + whole, in + whole, ctx->keystream, bytes - whole);
        ctx->keystream_left = (uint32_t)(n - (bytes - whole));
    }
}

int hanji_ctr_init(const uint8_t *iv, size_t iv_bytes, hanji_block_ctx *block, hanji_ctr_ctx *ctx)
{
    if (ctx == NULL || hanji_mode_in_key(ctx, sizeof *ctx, block) ||
        overlap(ctx, sizeof *ctx, iv, iv_bytes))
        return HANJI_E_ARGUMENT;
    const int rc = iv == NULL || !hanji_block_keyed(block)  ? HANJI_E_ARGUMENT
                   : iv_bytes != block->cipher->block_bytes ? HANJI_E_LENGTH
                                                            : HANJI_OK;
    if (rc == HANJI_OK)
        hanji_ctr_start(iv, block, ctx);
    else
        hanji_wipe(ctx, sizeof *ctx);
    return rc;
}

int hanji_ctr_update(uint8_t *out, const uint8_t *in, size_t bytes, hanji_ctr_ctx *ctx)
{
    if (ctx == NULL || ctx->ready != HANJI_MODE_READY ||
        !hanji_mode_keyed(ctx->block, ctx->cipher) || !valid(out, bytes) || !valid(in, bytes) ||
        overlap_partly(out, bytes, in, bytes) ||
        hanji_mode_touched(out, bytes, ctx, sizeof *ctx, ctx->block) ||
        hanji_mode_touched(in, bytes, ctx, sizeof *ctx, ctx->block))
        return HANJI_E_ARGUMENT;
    const uint64_t need = hanji_ctr_need(bytes, ctx);
    if (need > ctx->counters_left || hanji_block_reserve(need, ctx->block) != HANJI_OK)
        return HANJI_E_LIMIT;
    hanji_ctr_apply(out, in, bytes, ctx);
    return HANJI_OK;
}

void hanji_ctr_wipe(hanji_ctr_ctx *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
}
