/* SPDX-License-Identifier: Apache-2.0 */
/* EAX (Bellare, Rogaway, Wagner, FSE 2004) over blocks of 64 bits. */

/* What a message is made of, in this order; OMAC^t takes part t. */
enum { NONCE, AD, TEXT, OUT, PARTS };
typedef struct eax_part {
    const uint8_t *at;
    size_t bytes;
} eax_part;

static NOINLINE void eax_mix(uint32_t *a, const uint32_t *b)
{
    a[0] ^= b[0];
    a[1] ^= b[1];
}

/* OMAC^t of a part, xored onto `sum`. */
static NOINLINE void eax_omac(uint32_t *sum, uint8_t t, const eax_part *part,
                              const hanji_eax_ctx *ctx)
{
    uint32_t m[2] = {0, (uint32_t)t << 24};
    const uint32_t *subkey = ctx->subkeys;
    const uint8_t *in = part->at;
    uint8_t at = BLOCK_BYTES; /* the block before is full */
    for (size_t bytes = part->bytes; bytes > 0; bytes--) {
        if (at == BLOCK_BYTES) {
            cipher_block(m, m, (const cipher_ctx *)ctx->block);
            at = 0;
        }
        ((uint8_t *)m)[at++] ^= *in++;
    }
    if (at < BLOCK_BYTES) {
        ((uint8_t *)m)[at] ^= 0x80;
        subkey += 2;
    }
    eax_mix(m, subkey);
    cipher_block(m, m, (const cipher_ctx *)ctx->block);
    eax_mix(sum, m);
}

/* The product with x, in the field of 2^64 elements. */
static NOINLINE void eax_double(uint8_t *to, const uint8_t *from)
{
    uint16_t carry = 0x1b & (uint16_t)(0 - (uint16_t)(from[0] >> 7));
    for (uint8_t i = BLOCK_BYTES; i-- > 0; carry >>= 8) {
        carry ^= (uint16_t)(from[i] << 1);
        to[i] = (uint8_t)carry;
    }
}

int hanji_eax_init(size_t tag_bytes, hanji_block_ctx *block, hanji_eax_ctx *ctx)
{
    if (wrong(block, sizeof(cipher_ctx), ctx, sizeof *ctx))
        return HANJI_E_ARGUMENT;
    hanji_wipe(ctx, sizeof *ctx);
    if (!block_keyed(block))
        return HANJI_E_ARGUMENT;
    if (tag_bytes - 1 >= BLOCK_BYTES)
        return HANJI_E_LENGTH;
    if (block->blocks_left == 0)
        return HANJI_E_LIMIT;
    block->blocks_left--;
    uint8_t *subkeys = (uint8_t *)ctx->subkeys;
    cipher_block(ctx->subkeys, ctx->subkeys, (const cipher_ctx *)block);
    eax_double(subkeys, subkeys);
    eax_double(subkeys + BLOCK_BYTES, subkeys);
    ctx->block = block;
    ctx->ready = READY | (uint8_t)tag_bytes;
    block_wipe_below();
    return HANJI_OK;
}

/* The blocks that so many bytes begin; no buffer that is apart from contexts ends with memory. */
static size_t eax_blocks(size_t bytes)
{
    return (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES;
}

/* Seal, or open: 1. The parts are TEXT and OUT as they were given, without the size of OUT. */
static NOINLINE int eax(eax_part *parts, uint8_t opening, const hanji_eax_ctx *ctx)
{
    struct {
        uint32_t sum[2];
        hanji_block_stream stream;
    } work;
    if (ctx == NULL)
        return HANJI_E_ARGUMENT;
    const uint32_t tag_bytes = ctx->ready - READY;
    if (tag_bytes > BLOCK_BYTES || ctx->block->mark != READY)
        return HANJI_E_ARGUMENT;
    hanji_block_ctx *block = ctx->block;
    uint8_t *out = (uint8_t *)(uintptr_t)parts[OUT].at; /* as the caller gave it */
    const uint8_t *in = parts[TEXT].at;
    size_t bytes = parts[TEXT].bytes;
    const size_t written = opening ? bytes - (size_t)tag_bytes : bytes + (size_t)tag_bytes;
    if ((written < bytes) != opening)
        return HANJI_E_LENGTH;
    parts[OUT].bytes = written;
    for (uint8_t t = 0; t < PARTS; t++) {
        const uint8_t *at = parts[t].at;
        const size_t n = parts[t].bytes;
        if (wrong(ctx, sizeof *ctx, at, n) | wrong(block, sizeof(cipher_ctx), at, n) |
            wrong(out, t >= TEXT && at == out ? 0 : written, at, n))
            return HANJI_E_ARGUMENT;
    }
    if (parts[NONCE].bytes == 0)
        return HANJI_E_LENGTH;
    if (opening)
        parts[TEXT].bytes = bytes = written;
    /* A message that is refused counts as many calls as one that opens, as in the library. */
    const size_t calls =
        3 + eax_blocks(parts[NONCE].bytes) + eax_blocks(parts[AD].bytes) + 2 * eax_blocks(bytes);
    if (calls > block->blocks_left)
        return HANJI_E_LIMIT;
    block->blocks_left -= (uint32_t)calls;
    int rc = HANJI_OK;
    memset(&work, 0, sizeof work);
    work.stream.block = block;
    eax_omac(work.sum, NONCE, parts + NONCE, ctx);
    eax_mix(work.stream.counter, work.sum);
    eax_omac(work.sum, AD, parts + AD, ctx);
    if (opening) {
        eax_omac(work.sum, TEXT, parts + TEXT, ctx);
        if (!hanji_equal((const uint8_t *)work.sum, in + bytes, (size_t)tag_bytes)) {
            hanji_wipe(out, bytes);
            rc = HANJI_E_TAG;
        }
    }
    if (rc == HANJI_OK)
        block_crypt(out, in, bytes, &work.stream);
    if (!opening) {
        parts[TEXT].at = out;
        eax_omac(work.sum, TEXT, parts + TEXT, ctx);
        memcpy(out + bytes, work.sum, (size_t)tag_bytes);
    }
    hanji_wipe(&work, sizeof work);
    block_wipe_below();
    return rc;
}

int hanji_eax_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                      const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce, size_t nonce_bytes,
                      hanji_eax_ctx *ctx)
{
    eax_part parts[PARTS] = {
        {nonce, nonce_bytes}, {ad, ad_bytes}, {plaintext, plaintext_bytes}, {out, 0}};
    return eax(parts, 0, ctx);
}

int hanji_eax_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes, const uint8_t *ad,
                      size_t ad_bytes, const uint8_t *nonce, size_t nonce_bytes, hanji_eax_ctx *ctx)
{
    eax_part parts[PARTS] = {{nonce, nonce_bytes}, {ad, ad_bytes}, {in, in_bytes}, {out, 0}};
    return eax(parts, 1, ctx);
}

void hanji_eax_wipe(hanji_eax_ctx *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
}
