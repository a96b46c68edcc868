/* SPDX-License-Identifier: Apache-2.0 */
/* The key of the block cipher, with its data limit. */
WIPE_BELOW(block_wipe_below, BLOCK_DEPTH)
/* Of contexts that are ready, in a value that all processors make of one byte. */
#define READY UINT32_C(0x6b000000)
#define BLOCK_BYTES 8

/* There is one cipher, and nothing of it to look up: it has an address that nobody reads. */
const hanji_cipher *hanji_@ID@(void)
{
    return (const hanji_cipher *)(uintptr_t)1;
}

int hanji_block_init(const uint8_t *key, size_t key_bytes, const hanji_cipher *cipher,
                     hanji_block_ctx *ctx, size_t ctx_bytes)
{
    if (cipher == NULL || ctx == NULL)
        return HANJI_E_ARGUMENT;
    if (ctx_bytes < sizeof(cipher_ctx))
        return HANJI_E_LENGTH;
    if (key == NULL || key_bytes != 16) {
        hanji_wipe(ctx, sizeof(cipher_ctx));
        __asm__("" : "+r"(key)); /* not two copies of this, one for each reason */
        return HANJI_E_LENGTH + (key == NULL); /* HANJI_E_ARGUMENT is the next number */
    }
    memmove(((cipher_ctx *)ctx)->round_keys, key, 16);
    cipher_expand((cipher_ctx *)ctx);
    block_wipe_below();
    ctx->mark = READY;
    ctx->blocks_limit = ctx->blocks_left = UINT32_C(1) << 20;
    return HANJI_OK;
}

static int block_keyed(const hanji_block_ctx *ctx)
{
    return ctx != NULL && ctx->mark == READY;
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

/* The next block of a key stream. */
static MORE_REGISTERS void block_next(hanji_block_stream *stream)
{
    stream->left = BLOCK_BYTES;
    cipher_block(stream->keystream, stream->counter, (const cipher_ctx *)stream->block);
    /* In time that does not depend on it: counters of EAX are secret. */
#ifdef __thumb2__ /* which has instructions for it */
    const uint64_t next = ((uint64_t)__builtin_bswap32(stream->counter[0]) << 32 |
                           __builtin_bswap32(stream->counter[1])) +
                          1;
    stream->counter[0] = __builtin_bswap32((uint32_t)(next >> 32));
    stream->counter[1] = __builtin_bswap32((uint32_t)next);
#else
    uint8_t *at = (uint8_t *)stream;
    unsigned carry = 1, i = offsetof(hanji_block_stream, counter) + 7;
    do {
        carry += at[i];
        at[i] = (uint8_t)carry;
        carry >>= 8;
        i--;
        __asm__("" : "+r"(i)); /* no pointer in its place, which takes more bytes */
    } while (i != offsetof(hanji_block_stream, counter) - 1);
#endif
}

/* The next bytes of a key stream. */
static NOINLINE void block_crypt(uint8_t *out, const uint8_t *in, size_t bytes,
                                 hanji_block_stream *stream)
{
    for (; bytes > 0; bytes--) {
        if (stream->left == 0)
            block_next(stream);
        /* The count lies behind the bytes that it counts. */
        const uintptr_t from = (uintptr_t)stream - stream->left--;
        *out++ = *in++ ^ *(const uint8_t *)(from + offsetof(hanji_block_stream, left));
    }
}
