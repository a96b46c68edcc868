/* SPDX-License-Identifier: Apache-2.0 */
/* EAX (Bellare, Rogaway, Wagner, FSE 2004): OMAC of nonce, associated data and ciphertext, and counter mode from the OMAC of the nonce. */
#include "hanji/aead.h"

#include "modes/modes.h"
#include "support/bytes.h"

enum { UNBOUND, BOUND, IN_AD, IN_MESSAGE };

/* Begin OMAC^t: a CMAC whose first block is the number t. It waits in the pending block, so it costs its call later. */
static void start_omac(uint8_t t, hanji_eax_ctx *ctx)
{
    const size_t n = ctx->mac.block->cipher->block_bytes;
    hanji_cmac_start(&ctx->mac);
    memset(ctx->mac.pending, 0, n);
    ctx->mac.pending[n - 1] = t;
    ctx->mac.pending_bytes = (uint32_t)n;
}

static void begin(const uint8_t *nonce, size_t nonce_bytes, hanji_eax_ctx *ctx)
{
    start_omac(0, ctx);
    hanji_cmac_absorb(nonce, nonce_bytes, &ctx->mac);
    hanji_cmac_finish(ctx->sum, &ctx->mac);
    hanji_ctr_start(ctx->sum, ctx->mac.block, &ctx->ctr);
    start_omac(1, ctx);
    ctx->phase = IN_AD;
}

/* From associated data to message: one cipher call. */
static void close_ad(hanji_eax_ctx *ctx)
{
    uint8_t tag[HANJI_BLOCK_BYTES_MAX];
    const size_t n = ctx->mac.block->cipher->block_bytes;
    hanji_cmac_finish(tag, &ctx->mac);
    xor_bytes(ctx->sum, ctx->sum, tag, n);
    start_omac(2, ctx);
    ctx->phase = IN_MESSAGE;
}

/* The tag, a block long; ready for the next message. */
static void close_message(uint8_t tag[HANJI_BLOCK_BYTES_MAX], hanji_eax_ctx *ctx)
{
    const size_t n = ctx->mac.block->cipher->block_bytes;
    hanji_cmac_finish(tag, &ctx->mac);
    xor_bytes(tag, tag, ctx->sum, n);
    hanji_wipe(&ctx->ctr, sizeof ctx->ctr);
    hanji_wipe(ctx->sum, sizeof ctx->sum);
    ctx->phase = BOUND;
}

static int bound(const hanji_eax_ctx *ctx)
{
    return ctx != NULL && ctx->phase != UNBOUND && ctx->mac.block->cipher != NULL;
}

int hanji_eax_init(size_t tag_bytes, hanji_block_ctx *block, hanji_eax_ctx *ctx)
{
    if (ctx == NULL)
        return HANJI_E_ARGUMENT;
    int rc = HANJI_OK;
    if (block == NULL || block->cipher == NULL)
        rc = HANJI_E_ARGUMENT;
    else if (!hanji_block_is_64_or_128(block) || tag_bytes < 1 || tag_bytes > block->cipher->block_bytes)
        rc = HANJI_E_LENGTH;
    else
        rc = hanji_block_reserve(1, block);
    hanji_wipe(ctx, sizeof *ctx);
    if (rc == HANJI_OK) {
        hanji_cmac_key(block, &ctx->mac);
        ctx->tag_bytes = (uint32_t)tag_bytes;
        ctx->phase = BOUND;
    }
    return rc;
}

/* Reserve the cipher calls of a whole message: three prefixes, nonce, associated data, and the message twice. */
static int reserve_whole(size_t bytes, size_t ad_bytes, size_t nonce_bytes, hanji_eax_ctx *ctx)
{
    const size_t n = ctx->mac.block->cipher->block_bytes;
    return hanji_block_reserve(3 + hanji_blocks_begun(nonce_bytes, n) + hanji_blocks_begun(ad_bytes, n) + 2 * hanji_blocks_begun(bytes, n),
                               ctx->mac.block);
}

static int check(const uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes, const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce,
                 size_t nonce_bytes, const hanji_eax_ctx *ctx)
{
    if (!bound(ctx) || !valid(out, out_bytes) || !valid(in, in_bytes) || !valid(ad, ad_bytes) || !valid(nonce, nonce_bytes) ||
        overlap_partly(out, out_bytes, in, in_bytes))
        return HANJI_E_ARGUMENT;
    return nonce_bytes < 1 ? HANJI_E_LENGTH : HANJI_OK;
}

static int seal(uint8_t *out, uint8_t *tag, const uint8_t *in, size_t bytes, const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce,
                size_t nonce_bytes, hanji_eax_ctx *ctx)
{
    const int rc = reserve_whole(bytes, ad_bytes, nonce_bytes, ctx);
    if (rc != HANJI_OK)
        return rc;
    uint8_t whole[HANJI_BLOCK_BYTES_MAX];
    begin(nonce, nonce_bytes, ctx);
    hanji_cmac_absorb(ad, ad_bytes, &ctx->mac);
    close_ad(ctx);
    hanji_ctr_apply(out, in, bytes, &ctx->ctr);
    hanji_cmac_absorb(out, bytes, &ctx->mac);
    close_message(whole, ctx);
    memcpy(tag, whole, ctx->tag_bytes);
    hanji_wipe(whole, sizeof whole);
    return HANJI_OK;
}

/* Nothing is decrypted before the tag is verified. */
static int open_message(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *tag, const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce,
                        size_t nonce_bytes, hanji_eax_ctx *ctx)
{
    int rc = reserve_whole(bytes, ad_bytes, nonce_bytes, ctx);
    if (rc != HANJI_OK)
        return rc;
    uint8_t whole[HANJI_BLOCK_BYTES_MAX];
    hanji_ctr_ctx ctr;
    begin(nonce, nonce_bytes, ctx);
    hanji_cmac_absorb(ad, ad_bytes, &ctx->mac);
    close_ad(ctx);
    hanji_cmac_absorb(in, bytes, &ctx->mac);
    ctr = ctx->ctr;
    close_message(whole, ctx);
    if (hanji_equal(whole, tag, ctx->tag_bytes)) {
        hanji_ctr_apply(out, in, bytes, &ctr);
    } else {
        if (bytes > 0)
            hanji_wipe(out, bytes);
        rc = HANJI_E_TAG;
    }
    hanji_wipe(&ctr, sizeof ctr);
    hanji_wipe(whole, sizeof whole);
    return rc;
}

int hanji_eax_encrypt_detached(uint8_t *ciphertext, uint8_t *tag, const uint8_t *plaintext, size_t plaintext_bytes, const uint8_t *ad,
                               size_t ad_bytes, const uint8_t *nonce, size_t nonce_bytes, hanji_eax_ctx *ctx)
{
    const int rc = check(ciphertext, plaintext_bytes, plaintext, plaintext_bytes, ad, ad_bytes, nonce, nonce_bytes, ctx);
    if (rc != HANJI_OK)
        return rc;
    if (tag == NULL || overlap(tag, ctx->tag_bytes, ciphertext, plaintext_bytes))
        return HANJI_E_ARGUMENT;
    return seal(ciphertext, tag, plaintext, plaintext_bytes, ad, ad_bytes, nonce, nonce_bytes, ctx);
}

int hanji_eax_decrypt_detached(uint8_t *plaintext, const uint8_t *ciphertext, size_t ciphertext_bytes, const uint8_t *tag, size_t tag_bytes,
                               const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce, size_t nonce_bytes, hanji_eax_ctx *ctx)
{
    const int rc = check(plaintext, ciphertext_bytes, ciphertext, ciphertext_bytes, ad, ad_bytes, nonce, nonce_bytes, ctx);
    if (rc != HANJI_OK)
        return rc;
    if (!valid(tag, tag_bytes))
        return HANJI_E_ARGUMENT;
    if (tag_bytes != ctx->tag_bytes)
        return HANJI_E_LENGTH;
    return open_message(plaintext, ciphertext, ciphertext_bytes, tag, ad, ad_bytes, nonce, nonce_bytes, ctx);
}

int hanji_eax_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes, const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce,
                      size_t nonce_bytes, hanji_eax_ctx *ctx)
{
    if (!bound(ctx))
        return HANJI_E_ARGUMENT;
    if (plaintext_bytes > SIZE_MAX - ctx->tag_bytes)
        return HANJI_E_LENGTH;
    const int rc = check(out, plaintext_bytes + ctx->tag_bytes, plaintext, plaintext_bytes, ad, ad_bytes, nonce, nonce_bytes, ctx);
    return rc == HANJI_OK ? seal(out, out + plaintext_bytes, plaintext, plaintext_bytes, ad, ad_bytes, nonce, nonce_bytes, ctx) : rc;
}

int hanji_eax_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes, const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce, size_t nonce_bytes,
                      hanji_eax_ctx *ctx)
{
    if (!bound(ctx))
        return HANJI_E_ARGUMENT;
    if (in_bytes < ctx->tag_bytes)
        return HANJI_E_LENGTH;
    const size_t bytes = in_bytes - ctx->tag_bytes;
    const int rc = check(out, bytes, in, in_bytes, ad, ad_bytes, nonce, nonce_bytes, ctx);
    return rc == HANJI_OK ? open_message(out, in, bytes, in + bytes, ad, ad_bytes, nonce, nonce_bytes, ctx) : rc;
}

int hanji_eax_begin(const uint8_t *nonce, size_t nonce_bytes, hanji_eax_ctx *ctx)
{
    int rc = check(NULL, 0, NULL, 0, NULL, 0, nonce, nonce_bytes, ctx);
    if (rc == HANJI_OK)
        rc = hanji_block_reserve(1 + hanji_blocks_begun(nonce_bytes, ctx->mac.block->cipher->block_bytes), ctx->mac.block);
    if (rc == HANJI_OK)
        begin(nonce, nonce_bytes, ctx);
    return rc;
}

int hanji_eax_update_ad(const uint8_t *ad, size_t ad_bytes, hanji_eax_ctx *ctx)
{
    if (!bound(ctx) || ctx->phase != IN_AD || !valid(ad, ad_bytes))
        return HANJI_E_ARGUMENT;
    const uint64_t need = hanji_cmac_need(ad_bytes, ctx->mac.pending_bytes, ctx->mac.block->cipher->block_bytes);
    const int rc = hanji_block_reserve(need, ctx->mac.block);
    if (rc == HANJI_OK)
        hanji_cmac_absorb(ad, ad_bytes, &ctx->mac);
    return rc;
}

int hanji_eax_update(uint8_t *ciphertext, const uint8_t *plaintext, size_t plaintext_bytes, hanji_eax_ctx *ctx)
{
    if (!bound(ctx) || (ctx->phase != IN_AD && ctx->phase != IN_MESSAGE) || !valid(ciphertext, plaintext_bytes) ||
        !valid(plaintext, plaintext_bytes) || overlap_partly(ciphertext, plaintext_bytes, plaintext, plaintext_bytes))
        return HANJI_E_ARGUMENT;
    if (plaintext_bytes == 0)
        return HANJI_OK;
    /* Closing the associated data is one call, and leaves the prefix of the ciphertext pending: a whole block. */
    const size_t n = ctx->mac.block->cipher->block_bytes, pending = ctx->phase == IN_AD ? n : ctx->mac.pending_bytes;
    const uint64_t need = (ctx->phase == IN_AD) + hanji_ctr_need(plaintext_bytes, &ctx->ctr) + hanji_cmac_need(plaintext_bytes, pending, n);
    const int rc = hanji_block_reserve(need, ctx->mac.block);
    if (rc != HANJI_OK)
        return rc;
    if (ctx->phase == IN_AD)
        close_ad(ctx);
    hanji_ctr_apply(ciphertext, plaintext, plaintext_bytes, &ctx->ctr);
    hanji_cmac_absorb(ciphertext, plaintext_bytes, &ctx->mac);
    return HANJI_OK;
}

int hanji_eax_final(uint8_t *tag, hanji_eax_ctx *ctx)
{
    if (!bound(ctx) || tag == NULL || (ctx->phase != IN_AD && ctx->phase != IN_MESSAGE))
        return HANJI_E_ARGUMENT;
    const int rc = hanji_block_reserve(ctx->phase == IN_AD ? 2 : 1, ctx->mac.block);
    if (rc != HANJI_OK)
        return rc;
    uint8_t whole[HANJI_BLOCK_BYTES_MAX];
    if (ctx->phase == IN_AD)
        close_ad(ctx);
    close_message(whole, ctx);
    memcpy(tag, whole, ctx->tag_bytes);
    hanji_wipe(whole, sizeof whole);
    return HANJI_OK;
}

void hanji_eax_wipe(hanji_eax_ctx *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
}
