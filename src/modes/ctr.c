/* SPDX-License-Identifier: Apache-2.0 */
/* Counter mode (NIST SP 800-38A, section 6.5), as a stream that continues at any byte. */
#include "hanji/block.h"

#include "modes/modes.h"
#include "support/bytes.h"

HANJI_INLINE void begin(const uint8_t *iv, hanji_block_ctx *block, hanji_ctr_ctx *ctx)
{
    const size_t n = block->cipher->block_bytes;
#ifdef HANJI_FREESTANDING
    memset(ctx, 0, sizeof *ctx);
#else
    /*
     * Each in the pieces of the first call's loads: a word of two stores waits until both are in
     * the cache.
     */
    memset(ctx->counter, 0, sizeof ctx->counter);
    memset(ctx->keystream, 0, sizeof ctx->keystream);
#endif
    ctx->block = block;
    ctx->cipher = block->cipher;
    /* The sizes of most, known to the compiler: a call would cost as much as all the rest. */
    if (n == 8)
        memcpy(ctx->counter, iv, 8);
    else if (n == 16)
        memcpy(ctx->counter, iv, 16);
    else
        memcpy(ctx->counter, iv, n);
    /* After this many blocks the counter has every value behind it. */
    ctx->counters_left = n == 4 ? (uint64_t)1 << 32 : n == 6 ? (uint64_t)1 << 48 : UINT64_MAX;
    ctx->keystream_left = 0; /* both in one store */
    ctx->ready = HANJI_MODE_READY;
}

void hanji_ctr_start(const uint8_t *iv, hanji_block_ctx *block, hanji_ctr_ctx *ctx)
{
    begin(iv, block, ctx);
}

static inline uint64_t need_of(size_t bytes, const hanji_ctr_ctx *ctx)
{
    return bytes > ctx->keystream_left
               ? hanji_blocks_begun(bytes - ctx->keystream_left, ctx->cipher->block_bytes)
               : 0;
}

uint64_t hanji_ctr_need(size_t bytes, const hanji_ctr_ctx *ctx)
{
    return need_of(bytes, ctx);
}

/* The unused end of the key stream block. */
static const uint8_t *rest(const hanji_ctr_ctx *ctx)
{
    return ctx->keystream + (ctx->cipher->block_bytes - ctx->keystream_left);
}

/* `need` is hanji_ctr_need(). */
static inline void apply(uint8_t *out, const uint8_t *in, size_t bytes, uint64_t need,
                         hanji_ctr_ctx *ctx)
{
    const size_t n = ctx->cipher->block_bytes;
    ctx->counters_left -= need;
    if (ctx->keystream_left > 0) {
        const size_t part = bytes < ctx->keystream_left ? bytes : ctx->keystream_left;
        xor_bytes(out, in, rest(ctx), part);
        ctx->keystream_left -= (uint32_t)part;
        in += part;
        out += part;
        bytes -= part;
    }
    if (bytes > 0) {
        const size_t rest_bytes =
            (n & (n - 1)) == 0 ? bytes & (n - 1)
                               : bytes - hanji_blocks_to_bytes(hanji_whole_blocks(bytes, n), n);
        hanji_block_run_ctr(out, in, bytes, ctx->counter, ctx->keystream, ctx->block);
        if (rest_bytes > 0)
            ctx->keystream_left = (uint32_t)(n - rest_bytes);
    }
}

void hanji_ctr_apply(uint8_t *out, const uint8_t *in, size_t bytes, hanji_ctr_ctx *ctx)
{
    apply(out, in, bytes, need_of(bytes, ctx), ctx);
}

/* Long and wrong calls are apart: short ones save no registers for them. */
#if HANJI_ROWS_IN_THREES
#define APART HANJI_NOINLINE
#else
#define APART inline
#endif

#if HANJI_ROWS_IN_THREES
/* The same for hanji_ctr_init(). */
static inline int brief_init(const uint8_t *iv, size_t iv_bytes, hanji_block_ctx *block,
                             hanji_ctr_ctx *ctx)
{
    if (ctx == NULL || block == NULL || block->mark != HANJI_KEYED || block->cipher == NULL ||
        iv == NULL || (iv_bytes != 8 && iv_bytes != 16))
        return 0;
    const hanji_cipher *cipher = block->cipher;
    if (iv_bytes != cipher->block_bytes || overlap_few(ctx, sizeof *ctx, iv, iv_bytes) ||
        overlap_few(ctx, sizeof *ctx, block, cipher->ctx_bytes))
        return 0;
    begin(iv, block, ctx);
    return 1;
}
#else
#define brief_init(iv, iv_bytes, block, ctx) 0
#endif

static APART int any_init(const uint8_t *iv, size_t iv_bytes, hanji_block_ctx *block,
                          hanji_ctr_ctx *ctx)
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

int hanji_ctr_init(const uint8_t *iv, size_t iv_bytes, hanji_block_ctx *block, hanji_ctr_ctx *ctx)
{
    return brief_init(iv, iv_bytes, block, ctx) ? HANJI_OK : any_init(iv, iv_bytes, block, ctx);
}

#if HANJI_ROWS_IN_THREES
/*
 * Most calls that are short: the checks of hanji_ctr_update() in as few instructions as they can
 * be, which are as many as those of the kernel. 0, and nothing done, for every other call, wrong
 * ones among them.
 */
static inline int brief(uint8_t *out, const uint8_t *in, size_t bytes, hanji_ctr_ctx *ctx)
{
    if (bytes - 1 >= 512 || out == NULL || in == NULL || ctx == NULL ||
        ctx->ready != HANJI_MODE_READY || ctx->keystream_left != 0 || ctx->block == NULL)
        return 0;
    hanji_block_ctx *block = ctx->block;
    const hanji_cipher *cipher = block->cipher;
    if (block->mark != HANJI_KEYED || cipher != ctx->cipher || cipher == NULL)
        return 0;
    const size_t n = cipher->block_bytes, key_bytes = cipher->ctx_bytes;
    const unsigned log2 = n == 8 ? 3 : 4;
    const uint64_t need = (bytes + n - 1) >> log2, used = block->blocks_used;
    if ((n != 8 && n != 16) || (out != in && overlap_few(out, bytes, in, bytes)) ||
        overlap_few(out, bytes, ctx, sizeof *ctx) || overlap_few(in, bytes, ctx, sizeof *ctx) ||
        overlap_few(out, bytes, block, key_bytes) || overlap_few(in, bytes, block, key_bytes) ||
        need > ctx->counters_left || used > block->blocks_limit ||
        need > block->blocks_limit - used)
        return 0;
    block->blocks_used = used + need;
    ctx->counters_left -= need;
    ctx->keystream_left = (uint32_t)(-bytes & (n - 1));
    hanji_block_run_ctr(out, in, bytes, ctx->counter, ctx->keystream, block);
    return 1;
}
#else
#define brief(out, in, bytes, ctx) 0
#endif

static APART int any_update(uint8_t *out, const uint8_t *in, size_t bytes, hanji_ctr_ctx *ctx)
{
    if (ctx == NULL || ctx->ready != HANJI_MODE_READY ||
        !hanji_mode_keyed(ctx->block, ctx->cipher) || !valid(out, bytes) || !valid(in, bytes) ||
        overlap_partly(out, bytes, in, bytes) ||
        hanji_mode_touched(out, bytes, ctx, sizeof *ctx, ctx->block) ||
        hanji_mode_touched(in, bytes, ctx, sizeof *ctx, ctx->block))
        return HANJI_E_ARGUMENT;
    const uint64_t need = need_of(bytes, ctx);
    if (need > ctx->counters_left || hanji_block_reserve(need, ctx->block) != HANJI_OK)
        return HANJI_E_LIMIT;
    apply(out, in, bytes, need, ctx);
    return HANJI_OK;
}

int hanji_ctr_update(uint8_t *out, const uint8_t *in, size_t bytes, hanji_ctr_ctx *ctx)
{
    return brief(out, in, bytes, ctx) ? HANJI_OK : any_update(out, in, bytes, ctx);
}

void hanji_ctr_wipe(hanji_ctr_ctx *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
}
