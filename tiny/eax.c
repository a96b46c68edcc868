/* SPDX-License-Identifier: Apache-2.0 */
/* EAX (Bellare, Rogaway, Wagner, FSE 2004) over blocks of 64 bits. */
WIPE_BELOW(eax_wipe_below, EAX_DEPTH)
#define EAX_READY 0x65617860u

static void eax_mix(uint8_t *a, const uint8_t *b, size_t bytes)
{
    while (bytes-- > 0)
        *a++ ^= *b++;
}

/* OMAC^t of a message, xored onto `sum`. */
static NOINLINE void eax_omac(uint8_t *sum, uint8_t t, const uint8_t *in, size_t bytes,
                              const hanji_eax_ctx *ctx)
{
    uint8_t m[BLOCK_BYTES] = {0}, sub[BLOCK_BYTES];
    memcpy(sub, ctx->subkey, sizeof sub);
    m[BLOCK_BYTES - 1] = t;
    /* the subkey of whole messages, or that of others */
    for (uint8_t twice = bytes % BLOCK_BYTES != 0 ? 2 : 1; twice-- > 0;) {
        uint16_t carry = 0x1b & (uint16_t)(0 - (uint16_t)(sub[0] >> 7));
        for (uint8_t i = BLOCK_BYTES; i-- > 0;) {
            const uint8_t old = sub[i];
            sub[i] = (uint8_t)(old << 1) ^ (uint8_t)carry;
            carry = old >> 7;
        }
    }
    for (;;) {
        if (bytes == 0)
            eax_mix(m, sub, sizeof sub);
        cipher_block(m, m, (const cipher_ctx *)ctx->block);
        if (bytes == 0)
            break;
        const uint8_t part = bytes < BLOCK_BYTES ? (uint8_t)bytes : (uint8_t)BLOCK_BYTES;
        eax_mix(m, in, part);
        in += part;
        bytes -= part;
        if (part < BLOCK_BYTES)
            m[part] ^= 0x80;
    }
    eax_mix(sum, m, sizeof m);
}

int hanji_eax_init(size_t tag_bytes, hanji_block_ctx *block, hanji_eax_ctx *ctx)
{
    if (ctx == NULL || (block != NULL && wrong(block, sizeof(cipher_ctx), ctx, sizeof *ctx)))
        return HANJI_E_ARGUMENT;
    int rc = HANJI_OK;
    if (!block_keyed(block))
        rc = HANJI_E_ARGUMENT;
    else if (tag_bytes - 1 >= BLOCK_BYTES)
        rc = HANJI_E_LENGTH;
    else if (block->blocks_left == 0)
        rc = HANJI_E_LIMIT;
    hanji_wipe(ctx, sizeof *ctx);
    if (rc == HANJI_OK) {
        block->blocks_left--;
        cipher_block(ctx->subkey, ctx->subkey, (const cipher_ctx *)block);
        ctx->block = block;
        ctx->ready = EAX_READY | (uint8_t)tag_bytes;
        block_wipe_below();
    }
    return rc;
}

static int eax_bound(const hanji_eax_ctx *ctx)
{
    return ctx != NULL && (ctx->ready & ~UINT32_C(15)) == EAX_READY && block_keyed(ctx->block);
}

/* `open` is the size of the tag behind the text that is opened, else 0. */
static NOINLINE int eax(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t open,
                        const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce,
                        size_t nonce_bytes, const hanji_eax_ctx *ctx)
{
    uint8_t sum[BLOCK_BYTES] = {0};
    hanji_block_stream stream;
    hanji_block_ctx *block = ctx->block;
    const uint8_t tag_bytes = ctx->ready & 15;
    const size_t written = bytes + (open ? 0 : tag_bytes);
    int rc = HANJI_OK;
    if (wrong_buffer(out, written, ctx, sizeof *ctx, block) |
        wrong_buffer(in, bytes + open, ctx, sizeof *ctx, block) |
        wrong_buffer(ad, ad_bytes, ctx, sizeof *ctx, block) |
        wrong_buffer(nonce, nonce_bytes, ctx, sizeof *ctx, block) |
        wrong_text(out, written, in, bytes + open) | wrong(out, written, ad, ad_bytes) |
        wrong(out, written, nonce, nonce_bytes))
        return HANJI_E_ARGUMENT;
    if (nonce_bytes == 0)
        return HANJI_E_LENGTH;
    /* Of a message that is refused the key stream is not made, and not counted. */
    const uint32_t text = block_begun(bytes),
                   need = 3 + block_begun(nonce_bytes) + block_begun(ad_bytes) + text;
    if (need + text > block->blocks_left)
        return HANJI_E_LIMIT;
    block->blocks_left -= need;
    eax_omac(sum, 0, nonce, nonce_bytes, ctx);
    memcpy(stream.counter, sum, sizeof sum);
    stream.left = 0;
    eax_omac(sum, 1, ad, ad_bytes, ctx);
    if (open) {
        eax_omac(sum, 2, in, bytes, ctx);
        if (!hanji_equal(sum, in + bytes, tag_bytes)) {
            hanji_wipe(out, bytes);
            rc = HANJI_E_TAG;
        }
    }
    if (rc == HANJI_OK) {
        block->blocks_left -= text;
        block_crypt(out, in, bytes, &stream, block);
    }
    if (!open) {
        eax_omac(sum, 2, out, bytes, ctx);
        memcpy(out + bytes, sum, tag_bytes);
    }
    return rc;
}

int hanji_eax_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                      const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce, size_t nonce_bytes,
                      hanji_eax_ctx *ctx)
{
    if (!eax_bound(ctx))
        return HANJI_E_ARGUMENT;
    if (plaintext_bytes > SIZE_MAX - (ctx->ready & 15))
        return HANJI_E_LENGTH;
    const int rc = eax(out, plaintext, plaintext_bytes, 0, ad, ad_bytes, nonce, nonce_bytes, ctx);
    eax_wipe_below();
    return rc;
}

int hanji_eax_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes, const uint8_t *ad,
                      size_t ad_bytes, const uint8_t *nonce, size_t nonce_bytes, hanji_eax_ctx *ctx)
{
    if (!eax_bound(ctx))
        return HANJI_E_ARGUMENT;
    const uint8_t tag_bytes = ctx->ready & 15;
    if (in_bytes < tag_bytes)
        return HANJI_E_LENGTH;
    const int rc =
        eax(out, in, in_bytes - tag_bytes, tag_bytes, ad, ad_bytes, nonce, nonce_bytes, ctx);
    eax_wipe_below();
    return rc;
}

void hanji_eax_wipe(hanji_eax_ctx *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
}
