/* SPDX-License-Identifier: Apache-2.0 */
/* Counter mode (NIST SP 800-38A, section 6.5). */
int hanji_ctr_init(const uint8_t *iv, size_t iv_bytes, hanji_block_ctx *block, hanji_ctr_ctx *ctx)
{
    if (wrong(block, sizeof(cipher_ctx), ctx, sizeof *ctx) | wrong(iv, iv_bytes, ctx, sizeof *ctx))
        return HANJI_E_ARGUMENT;
    hanji_wipe(ctx, sizeof *ctx);
    if (iv == NULL || !block_keyed(block))
        return HANJI_E_ARGUMENT;
    if (iv_bytes != BLOCK_BYTES)
        return HANJI_E_LENGTH;
    ctx->stream.block = block;
    ctx->ready = READY;
    memcpy(ctx->stream.counter, iv, BLOCK_BYTES);
    return HANJI_OK;
}

int hanji_ctr_update(uint8_t *out, const uint8_t *in, size_t bytes, hanji_ctr_ctx *ctx)
{
    if (ctx == NULL || ctx->ready != READY || ctx->stream.block->mark != READY)
        return HANJI_E_ARGUMENT;
    hanji_block_ctx *block = ctx->stream.block;
    const uint8_t *data = out;
    for (size_t written = 0;; written = bytes, data = in) {
        if (wrong(ctx, sizeof *ctx, data, bytes) | wrong(block, sizeof(cipher_ctx), data, bytes) |
            wrong(out, written, data, bytes))
            return HANJI_E_ARGUMENT;
        if (data == in)
            break;
    }
    /* Some bytes are left of the last block, at most seven. Buffers are apart from contexts: none
     * is so long that the sum could wrap around. */
    const size_t need = (bytes + BLOCK_BYTES - 1 - ctx->stream.left) / BLOCK_BYTES;
    if (need > block->blocks_left)
        return HANJI_E_LIMIT;
    block->blocks_left -= (uint32_t)need;
    block_crypt(out, in, bytes, &ctx->stream);
    block_wipe_below();
    return HANJI_OK;
}

void hanji_ctr_wipe(hanji_ctr_ctx *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
}
