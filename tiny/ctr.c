/* SPDX-License-Identifier: Apache-2.0 */
/* Counter mode (NIST SP 800-38A, section 6.5). */
#define CTR_READY 0x6d6f6460u

int hanji_ctr_init(const uint8_t *iv, size_t iv_bytes, hanji_block_ctx *block, hanji_ctr_ctx *ctx)
{
    if (ctx == NULL || (block != NULL && wrong(block, sizeof(cipher_ctx), ctx, sizeof *ctx)) ||
        (iv != NULL && wrong(ctx, sizeof *ctx, iv, iv_bytes)))
        return HANJI_E_ARGUMENT;
    int rc = HANJI_E_ARGUMENT;
    if (iv != NULL && block_keyed(block)) {
        rc = HANJI_E_LENGTH;
        if (iv_bytes == BLOCK_BYTES) {
            ctx->block = block;
            memcpy(ctx->stream.counter, iv, BLOCK_BYTES);
            ctx->stream.left = 0;
            ctx->ready = CTR_READY;
            return HANJI_OK;
        }
    }
    hanji_wipe(ctx, sizeof *ctx);
    return rc;
}

int hanji_ctr_update(uint8_t *out, const uint8_t *in, size_t bytes, hanji_ctr_ctx *ctx)
{
    if (ctx == NULL || ctx->ready != CTR_READY || !block_keyed(ctx->block) ||
        (wrong_buffer(out, bytes, ctx, sizeof *ctx, ctx->block) |
         wrong_buffer(in, bytes, ctx, sizeof *ctx, ctx->block) | wrong_text(out, bytes, in, bytes)))
        return HANJI_E_ARGUMENT;
    const uint8_t left = ctx->stream.left;
    const uint32_t need = bytes > left ? block_begun(bytes - left) : 0;
    if (need > ctx->block->blocks_left)
        return HANJI_E_LIMIT;
    ctx->block->blocks_left -= need;
    block_crypt(out, in, bytes, &ctx->stream, ctx->block);
    block_wipe_below();
    return HANJI_OK;
}

void hanji_ctr_wipe(hanji_ctr_ctx *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
}
