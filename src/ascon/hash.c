/* SPDX-License-Identifier: Apache-2.0 */
/* Ascon-Hash256, Ascon-XOF128 and Ascon-CXOF128 (SP 800-232, section 5). */
#include "hanji/hash.h"

#include "ascon/ascon.h"
#include "ascon/ascon_parts.h"
#include "support/bytes.h"
#include "support/secret.h"

#define HASH_RATE HANJI_ASCON_HASH_RATE
#define HASH_DIGEST HANJI_ASCON_HASH256_DIGEST_BYTES
#define CUSTOMIZATION_MAX HANJI_ASCON_CXOF128_CUSTOMIZATION_BYTES_MAX

/*
 * `phase` is the function and whether output has begun, in a number not found in memory by chance.
 */
#define HASH256 1u
#define XOF128 2u
#define CXOF128 3u
#define HASH_ABSORB 0x61736850u
#define HASH_SQUEEZE 0x61736860u

static int begin(hanji_ascon_hash_ctx *ctx, const uint64_t *start, uint32_t function)
{
    if (ctx == NULL)
        return HANJI_E_ARGUMENT;
    memset(ctx, 0, sizeof *ctx);
    const int rc = hanji_selection();
    if (rc != HANJI_OK)
        return rc;
    for (uint32_t i = 0; i < HANJI_ASCON_WORDS; i++)
        ctx->state[i] = start[i];
    ctx->phase = HASH_ABSORB | function;
    return HANJI_OK;
}

/* The bytes of a piece; a block is permuted when it is full. */
static void absorb(const uint8_t *in, size_t bytes, hanji_ascon_hash_ctx *ctx)
{
    const hanji_ascon_hash_kernel *kernel = hanji_ascon_hash_single();
    for (; bytes > 0 && ctx->at != 0; bytes--) {
        ctx->state[0] ^= byte_at(*in++, ctx->at);
        if (++ctx->at == HASH_RATE) {
            kernel->permute(ctx->state, HANJI_ASCON_ROUNDS);
            ctx->at = 0;
        }
    }
    const size_t blocks = bytes / HASH_RATE, left = bytes % HASH_RATE;
    if (blocks > 0)
        kernel->absorb(ctx->state, in, blocks);
    if (left > 0) {
        ctx->state[0] ^= load_part(in + blocks * HASH_RATE, left);
        ctx->at = (uint32_t)left;
    }
}

/* The padding, and p[12] behind it. */
static void pad(hanji_ascon_hash_ctx *ctx)
{
    ctx->state[0] ^= byte_at(1, ctx->at);
    hanji_ascon_hash_single()->permute(ctx->state, HANJI_ASCON_ROUNDS);
    ctx->at = 0;
}

/* The length of the customization string in bits, and the string (section 5.3). */
static HANJI_NOINLINE void customize(const uint8_t *in, size_t bytes, hanji_ascon_hash_ctx *ctx)
{
    ctx->state[0] ^= (uint64_t)bytes << 3;
    hanji_ascon_hash_single()->permute(ctx->state, HANJI_ASCON_ROUNDS);
    absorb(in, bytes, ctx);
    pad(ctx);
}

static int begin_customized(const uint8_t *customization, size_t bytes, hanji_ascon_hash_ctx *ctx)
{
    if (ctx == NULL || overlap(ctx, sizeof *ctx, customization, bytes))
        return HANJI_E_ARGUMENT;
    int rc = bytes > CUSTOMIZATION_MAX      ? HANJI_E_LENGTH
             : !valid(customization, bytes) ? HANJI_E_ARGUMENT
                                            : begin(ctx, hanji_ascon_cxof128_start, CXOF128);
    if (rc == HANJI_OK)
        customize(customization, bytes, ctx);
    else
        hanji_wipe(ctx, sizeof *ctx);
    return rc;
}

static HANJI_NOINLINE int update(const uint8_t *message, size_t bytes, hanji_ascon_hash_ctx *ctx,
                                 uint32_t function)
{
    if (ctx == NULL || !valid(message, bytes) || overlap(message, bytes, ctx, sizeof *ctx) ||
        ctx->phase != (HASH_ABSORB | function))
        return HANJI_E_ARGUMENT;
    if (bytes > 0)
        absorb(message, bytes, ctx);
    return HANJI_OK;
}

/* `at` bytes of the state are given; the permutation comes when another is wanted. */
static void give(uint8_t *out, size_t bytes, hanji_ascon_hash_ctx *ctx)
{
    const hanji_ascon_hash_kernel *kernel = hanji_ascon_hash_single();
    while (bytes > 0) {
        if (ctx->at == HASH_RATE) {
            kernel->permute(ctx->state, HANJI_ASCON_ROUNDS);
            ctx->at = 0;
        }
        if (ctx->at == 0 && bytes >= HASH_RATE) {
            store_le64(out, ctx->state[0]);
            ctx->at = HASH_RATE;
            out += HASH_RATE;
            bytes -= HASH_RATE;
            continue;
        }
        *out++ = get_byte(ctx->state[0], ctx->at++);
        bytes--;
    }
}

static HANJI_NOINLINE int squeeze(uint8_t *out, size_t bytes, hanji_ascon_hash_ctx *ctx,
                                  uint32_t function)
{
    if (ctx == NULL || !valid(out, bytes) || overlap(out, bytes, ctx, sizeof *ctx) ||
        (ctx->phase != (HASH_ABSORB | function) && ctx->phase != (HASH_SQUEEZE | function)))
        return HANJI_E_ARGUMENT;
    if (ctx->phase == (HASH_ABSORB | function)) {
        pad(ctx);
        ctx->phase = HASH_SQUEEZE | function;
    }
    give(out, bytes, ctx);
    return HANJI_OK;
}

static HANJI_NOINLINE int final(uint8_t *digest, hanji_ascon_hash_ctx *ctx)
{
    if (digest == NULL || ctx == NULL || overlap(digest, HASH_DIGEST, ctx, sizeof *ctx) ||
        ctx->phase != (HASH_ABSORB | HASH256))
        return HANJI_E_ARGUMENT;
    pad(ctx);
    give(digest, HASH_DIGEST, ctx);
    hanji_wipe(ctx, sizeof *ctx);
    return HANJI_OK;
}

/* A whole message. Output may begin where the message does: all of it is absorbed first. */
HANJI_INLINE int check_whole(const uint8_t *out, size_t out_bytes, const uint8_t *customization,
                             size_t customization_bytes, const uint8_t *message, size_t bytes)
{
    if (out_bytes == 0)
        return HANJI_E_LENGTH;
    if (out == NULL || !valid(message, bytes) || overlap_partly(out, out_bytes, message, bytes) ||
        overlap(out, out_bytes, customization, customization_bytes))
        return HANJI_E_ARGUMENT;
    return HANJI_OK;
}

static HANJI_NOINLINE int whole(uint8_t *out, size_t out_bytes, const uint8_t *customization,
                                size_t customization_bytes, const uint8_t *message, size_t bytes,
                                uint32_t function)
{
    hanji_ascon_hash_ctx ctx;
    int rc = check_whole(out, out_bytes, customization, customization_bytes, message, bytes);
    if (rc != HANJI_OK)
        return rc;
    rc = function == HASH256  ? begin(&ctx, hanji_ascon_hash256_start, HASH256)
         : function == XOF128 ? begin(&ctx, hanji_ascon_xof128_start, XOF128)
                              : begin_customized(customization, customization_bytes, &ctx);
    if (rc == HANJI_OK) {
        if (bytes > 0)
            absorb(message, bytes, &ctx);
        pad(&ctx);
        give(out, out_bytes, &ctx);
    }
    hanji_wipe(&ctx, sizeof ctx);
    return rc;
}

#ifdef HANJI_X86
/* The same by a kernel for whole messages, which needs little stack. */
static HANJI_NOINLINE int whole_by(hanji_ascon_whole_hash_fn *kernel, uint8_t *out,
                                   size_t out_bytes, const uint8_t *message, size_t bytes,
                                   const uint64_t *start)
{
    const int rc = check_whole(out, out_bytes, NULL, 0, message, bytes);
    if (rc == HANJI_OK)
        kernel(out, out_bytes, message, bytes, start);
    return rc;
}
#endif

/* Ascon-Hash256 or Ascon-XOF128 of a whole message, and what it leaves on the stack. */
HANJI_INLINE int whole_and_wipe(uint8_t *out, size_t out_bytes, const uint8_t *message,
                                size_t bytes, uint32_t function)
{
#ifdef HANJI_X86
    const hanji_ascon_hash_kernel *kernel = hanji_ascon_hash_selected();
    if (kernel == NULL)
        return HANJI_E_UNSUPPORTED;
    if (kernel->whole != NULL) {
        const int done =
            whole_by(kernel->whole, out, out_bytes, message, bytes,
                     function == HASH256 ? hanji_ascon_hash256_start : hanji_ascon_xof128_start);
        hanji_wipe_stack_least();
        return done;
    }
#endif
    const int rc = whole(out, out_bytes, NULL, 0, message, bytes, function);
    hanji_wipe_stack_of_ascon();
    return rc;
}

int hanji_ascon_hash256(uint8_t digest[HASH_DIGEST], const uint8_t *message, size_t message_bytes)
{
    return whole_and_wipe(digest, HASH_DIGEST, message, message_bytes, HASH256);
}

int hanji_ascon_hash256_init(hanji_ascon_hash_ctx *ctx)
{
    return begin(ctx, hanji_ascon_hash256_start, HASH256);
}

int hanji_ascon_hash256_update(const uint8_t *message, size_t message_bytes,
                               hanji_ascon_hash_ctx *ctx)
{
    const int rc = update(message, message_bytes, ctx, HASH256);
    hanji_wipe_stack_of_ascon();
    return rc;
}

int hanji_ascon_hash256_final(uint8_t digest[HASH_DIGEST], hanji_ascon_hash_ctx *ctx)
{
    const int rc = final(digest, ctx);
    hanji_wipe_stack_of_ascon();
    return rc;
}

int hanji_ascon_xof128(uint8_t *out, size_t out_bytes, const uint8_t *message, size_t message_bytes)
{
    return whole_and_wipe(out, out_bytes, message, message_bytes, XOF128);
}

int hanji_ascon_xof128_init(hanji_ascon_hash_ctx *ctx)
{
    return begin(ctx, hanji_ascon_xof128_start, XOF128);
}

int hanji_ascon_xof128_update(const uint8_t *message, size_t message_bytes,
                              hanji_ascon_hash_ctx *ctx)
{
    const int rc = update(message, message_bytes, ctx, XOF128);
    hanji_wipe_stack_of_ascon();
    return rc;
}

int hanji_ascon_xof128_squeeze(uint8_t *out, size_t out_bytes, hanji_ascon_hash_ctx *ctx)
{
    const int rc = squeeze(out, out_bytes, ctx, XOF128);
    hanji_wipe_stack_of_ascon();
    return rc;
}

int hanji_ascon_cxof128(uint8_t *out, size_t out_bytes, const uint8_t *customization,
                        size_t customization_bytes, const uint8_t *message, size_t message_bytes)
{
    const int rc =
        whole(out, out_bytes, customization, customization_bytes, message, message_bytes, CXOF128);
    hanji_wipe_stack_of_ascon();
    return rc;
}

int hanji_ascon_cxof128_init(const uint8_t *customization, size_t customization_bytes,
                             hanji_ascon_hash_ctx *ctx)
{
    const int rc = begin_customized(customization, customization_bytes, ctx);
    hanji_wipe_stack_of_ascon();
    return rc;
}

int hanji_ascon_cxof128_update(const uint8_t *message, size_t message_bytes,
                               hanji_ascon_hash_ctx *ctx)
{
    const int rc = update(message, message_bytes, ctx, CXOF128);
    hanji_wipe_stack_of_ascon();
    return rc;
}

int hanji_ascon_cxof128_squeeze(uint8_t *out, size_t out_bytes, hanji_ascon_hash_ctx *ctx)
{
    const int rc = squeeze(out, out_bytes, ctx, CXOF128);
    hanji_wipe_stack_of_ascon();
    return rc;
}

void hanji_ascon_hash_wipe(hanji_ascon_hash_ctx *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
}

size_t hanji_ascon_hash_ctx_bytes(void)
{
    return sizeof(hanji_ascon_hash_ctx);
}

size_t hanji_ascon_hash256_digest_bytes(void)
{
    return HASH_DIGEST;
}
