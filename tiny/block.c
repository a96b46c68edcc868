/* SPDX-License-Identifier: Apache-2.0 */
/* The key of the block cipher, with its data limit. */
WIPE_BELOW(block_wipe_below, BLOCK_DEPTH)
#define KEYED 0x6b657965u
#define BLOCK_BYTES 8

struct hanji_cipher {
    uint8_t block_bytes;
};

const hanji_cipher *hanji_@ID@(void)
{
    static const hanji_cipher cipher = {BLOCK_BYTES};
    return &cipher;
}

int hanji_block_init(const uint8_t *key, size_t key_bytes, const hanji_cipher *cipher,
                     hanji_block_ctx *ctx, size_t ctx_bytes)
{
    int rc = HANJI_E_ARGUMENT;
    if (cipher == NULL || ctx == NULL)
        return rc;
    if (ctx_bytes < sizeof(cipher_ctx))
        return HANJI_E_LENGTH;
    if (key != NULL && key_bytes == 16) {
        cipher_expand(key, (cipher_ctx *)ctx);
        block_wipe_below();
        ctx->mark = KEYED;
        ctx->blocks_limit = ctx->blocks_left = UINT32_C(1) << 20;
        return HANJI_OK;
    }
    if (key != NULL)
        rc = HANJI_E_LENGTH;
    hanji_wipe(ctx, sizeof(cipher_ctx));
    return rc;
}

static int block_keyed(const hanji_block_ctx *ctx)
{
    return ctx != NULL && ctx->mark == KEYED;
}

int hanji_block_set_limit(uint64_t blocks, hanji_block_ctx *ctx)
{
    if (!block_keyed(ctx))
        return HANJI_E_ARGUMENT;
    const uint32_t used = ctx->blocks_limit - ctx->blocks_left,
                   limit = blocks > UINT32_MAX ? UINT32_MAX : (uint32_t)blocks;
    /* Below what is used there is nothing left. */
    ctx->blocks_limit = limit < used ? used : limit;
    ctx->blocks_left = ctx->blocks_limit - used;
    return HANJI_OK;
}

uint64_t hanji_block_remaining(const hanji_block_ctx *ctx)
{
    return block_keyed(ctx) ? ctx->blocks_left : 0;
}

void hanji_block_wipe(hanji_block_ctx *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, block_keyed(ctx) ? sizeof(cipher_ctx) : sizeof *ctx);
}

/* The blocks that so many bytes begin. */
static uint32_t block_begun(size_t bytes)
{
    return bytes == 0 ? 0 : (uint32_t)((bytes - 1) / BLOCK_BYTES) + 1;
}

/* A buffer of a call is missing, or shares a byte with the context of the mode or of its key. */
static NOINLINE int wrong_buffer(const void *data, size_t bytes, const void *mode,
                                 size_t mode_bytes, const hanji_block_ctx *block)
{
    return wrong(mode, mode_bytes, data, bytes) | wrong(block, sizeof(cipher_ctx), data, bytes);
}

/* The next bytes of a key stream. */
static NOINLINE void block_crypt(uint8_t *out, const uint8_t *in, size_t bytes,
                                 hanji_block_stream *stream, const hanji_block_ctx *ctx)
{
    while (bytes-- > 0) {
        if (stream->left == 0) {
            stream->left = BLOCK_BYTES;
            cipher_block(stream->keystream, stream->counter, (const cipher_ctx *)ctx);
            /* In time that does not depend on it: counters of EAX are secret. */
            uint16_t carry = 1;
            for (uint8_t i = BLOCK_BYTES; i-- > 0; carry >>= 8) {
                carry += stream->counter[i];
                stream->counter[i] = (uint8_t)carry;
            }
        }
        *out++ = *in++ ^ stream->keystream[BLOCK_BYTES - stream->left--];
    }
}
