/* SPDX-License-Identifier: Apache-2.0 */
/* ESCH256, ESCH384, XOESCH256 and XOESCH384 (Beierle et al., specification v1.2, section 2.2). */
#include "sparkle/esch.h"
#include "hanji/hash.h"
#include "sparkle/sparkle.h"
#include "support/bytes.h"
#include "support/secret.h"

#define RATE 16 /* bytes */

typedef struct function {
    const hanji_sparkle *sparkle;
    uint32_t half;   /* branches of the left half, into which messages go */
    uint32_t domain; /* 0 for hash functions, 4 for extendable output */
    uint32_t digest_bytes;
    uint32_t id;
} function;

static const function esch256 = {&hanji_sparkle384, 3, 0, HANJI_ESCH256_DIGEST_BYTES, 1};
static const function esch384 = {&hanji_sparkle512, 4, 0, HANJI_ESCH384_DIGEST_BYTES, 2};
static const function xoesch256 = {&hanji_sparkle384, 3, 4, 0, 3};
static const function xoesch384 = {&hanji_sparkle512, 4, 4, 0, 4};

/*
 * `phase` is the function and whether output has begun, in a number that memory does not hold by
 * chance.
 */
#define PHASE_ABSORB 0x65736310u
#define PHASE_SQUEEZE 0x65736320u

/* The kernels for one message, or NULL. */
typedef struct kernels {
    hanji_esch_absorb_fn *absorb;
    hanji_esch_digest_fn *digest;
} kernels;

HANJI_INLINE kernels one_message(const function *f)
{
#ifdef HANJI_X86
    const uint32_t features = hanji_features();
    if ((features & (HANJI_CPU_AVX2 | HANJI_CPU_TWO_CYCLES)) == HANJI_CPU_AVX2) {
        if ((features & HANJI_CPU_AVX512) != 0)
            return f->half == 3
                       ? (kernels){hanji_esch256_avx512_absorb_x1, hanji_esch256_avx512_digest_x1}
                       : (kernels){hanji_esch384_avx512_absorb_x1, hanji_esch384_avx512_digest_x1};
        return f->half == 3 ? (kernels){hanji_esch256_avx2_absorb_x1, hanji_esch256_avx2_digest_x1}
                            : (kernels){hanji_esch384_avx2_absorb_x1, hanji_esch384_avx2_digest_x1};
    }
#endif
    (void)f;
    return (kernels){NULL, NULL};
}

/* The Feistel injection: branches without message words get the linear part too. */
static void inject(uint32_t *s, const uint8_t *block, const function *f)
{
    const uint32_t p0 = load_le32(block), q0 = load_le32(block + 4), p1 = load_le32(block + 8),
                   q1 = load_le32(block + 12);
    const uint32_t tx = hanji_sparkle_l(p0 ^ p1), ty = hanji_sparkle_l(q0 ^ q1);
    s[0] ^= p0 ^ ty;
    s[1] ^= q0 ^ tx;
    s[2] ^= p1 ^ ty;
    s[3] ^= q1 ^ tx;
    for (uint32_t j = 2; j < f->half; j++) {
        s[2 * j] ^= ty;
        s[2 * j + 1] ^= tx;
    }
}

static int init(hanji_esch_ctx *ctx, const function *f)
{
    if (ctx == NULL)
        return HANJI_E_ARGUMENT;
    memset(ctx, 0, sizeof *ctx);
    const int rc = hanji_selection();
    if (rc == HANJI_OK)
        ctx->phase = PHASE_ABSORB | f->id;
    return rc;
}

static HANJI_NOINLINE int update(const uint8_t *message, size_t bytes, hanji_esch_ctx *ctx,
                                 const function *f)
{
    if (ctx == NULL || !valid(message, bytes) || overlap(message, bytes, ctx, sizeof *ctx) ||
        ctx->phase != (PHASE_ABSORB | f->id))
        return HANJI_E_ARGUMENT;
    hanji_permute_fn *permute = hanji_sparkle_single(f->sparkle);
    const uint32_t slim = f->sparkle->slim;
    /* A block is absorbed when a byte after it is known, because the last one is treated apart. */
    while (bytes > 0) {
        if (ctx->pending_bytes == RATE) {
            inject(ctx->state, ctx->pending, f);
            permute(ctx->state, 1, slim);
            ctx->pending_bytes = 0;
        }
        hanji_esch_absorb_fn *absorb =
            ctx->pending_bytes == 0 && bytes > RATE ? one_message(f).absorb : NULL;
        if (absorb != NULL) {
            const size_t blocks = (bytes - 1) / RATE;
            absorb(ctx->state, message, blocks);
            message += blocks * RATE;
            bytes -= blocks * RATE;
        }
        if (ctx->pending_bytes == 0)
            for (; bytes > RATE; bytes -= RATE, message += RATE) {
                inject(ctx->state, message, f);
                permute(ctx->state, 1, slim);
            }
        const size_t room = RATE - ctx->pending_bytes, part = bytes < room ? bytes : room;
        memcpy(ctx->pending + ctx->pending_bytes, message, part);
        ctx->pending_bytes += (uint32_t)part;
        message += part;
        bytes -= part;
    }
    return HANJI_OK;
}

/*
 * The last block, and on to output; afterwards `pending_bytes` counts the output bytes of the state
 * that are already given.
 */
static void turn(hanji_esch_ctx *ctx, const function *f)
{
    const uint32_t full = ctx->pending_bytes == RATE;
    if (!full) {
        ctx->pending[ctx->pending_bytes] = 0x80;
        memset(ctx->pending + ctx->pending_bytes + 1, 0, RATE - 1 - ctx->pending_bytes);
    }
    inject(ctx->state, ctx->pending, f);
    ctx->state[2 * f->half - 1] ^= ((full ? 2u : 1u) ^ f->domain) << 24;
    hanji_sparkle_single(f->sparkle)(ctx->state, 1, f->sparkle->big);
    hanji_wipe(ctx->pending, sizeof ctx->pending);
    ctx->pending_bytes = 0;
    ctx->phase = PHASE_SQUEEZE | f->id;
}

static void squeeze(uint8_t *out, size_t bytes, hanji_esch_ctx *ctx, const function *f)
{
    hanji_permute_fn *permute = hanji_sparkle_single(f->sparkle);
    uint8_t block[RATE];
    while (bytes > 0) {
        if (ctx->pending_bytes == RATE) {
            permute(ctx->state, 1, f->sparkle->slim);
            ctx->pending_bytes = 0;
        }
        for (uint32_t i = 0; i < RATE / 4; i++)
            store_le32(block + 4 * i, ctx->state[i]);
        const size_t left = RATE - ctx->pending_bytes, part = bytes < left ? bytes : left;
        memcpy(out, block + ctx->pending_bytes, part);
        ctx->pending_bytes += (uint32_t)part;
        out += part;
        bytes -= part;
    }
    hanji_wipe(block, sizeof block);
}

static HANJI_NOINLINE int take(uint8_t *out, size_t bytes, hanji_esch_ctx *ctx, const function *f)
{
    if (ctx == NULL || !valid(out, bytes) || overlap(out, bytes, ctx, sizeof *ctx) ||
        (ctx->phase != (PHASE_ABSORB | f->id) && ctx->phase != (PHASE_SQUEEZE | f->id)))
        return HANJI_E_ARGUMENT;
    if (ctx->phase == (PHASE_ABSORB | f->id))
        turn(ctx, f);
    squeeze(out, bytes, ctx, f);
    return HANJI_OK;
}

static HANJI_NOINLINE int final(uint8_t *digest, hanji_esch_ctx *ctx, const function *f)
{
    if (digest == NULL || ctx == NULL || overlap(digest, f->digest_bytes, ctx, sizeof *ctx) ||
        ctx->phase != (PHASE_ABSORB | f->id))
        return HANJI_E_ARGUMENT;
    turn(ctx, f);
    squeeze(digest, f->digest_bytes, ctx, f);
    hanji_wipe(ctx, sizeof *ctx);
    return HANJI_OK;
}

/*
 * A whole message without a kernel for it. Output may begin where the message does: all of it is
 * absorbed first.
 */
static HANJI_NOINLINE int whole(uint8_t *out, size_t out_bytes, const uint8_t *message,
                                size_t bytes, const function *f)
{
    hanji_esch_ctx ctx;
    int rc = init(&ctx, f);
    if (rc == HANJI_OK)
        rc = update(message, bytes, &ctx, f);
    if (rc == HANJI_OK)
        rc = take(out, out_bytes, &ctx, f);
    hanji_wipe(&ctx, sizeof ctx);
    return rc;
}

/* The calls of one function, which wipe the stack behind the work. */
HANJI_INLINE int update_and_wipe(const uint8_t *message, size_t bytes, hanji_esch_ctx *ctx,
                                 const function *f)
{
    const int rc = update(message, bytes, ctx, f);
    hanji_wipe_stack_shallow();
    return rc;
}

HANJI_INLINE int final_and_wipe(uint8_t *digest, hanji_esch_ctx *ctx, const function *f)
{
    const int rc = final(digest, ctx, f);
    hanji_wipe_stack_shallow();
    return rc;
}

HANJI_INLINE int take_and_wipe(uint8_t *out, size_t bytes, hanji_esch_ctx *ctx, const function *f)
{
    const int rc = take(out, bytes, ctx, f);
    hanji_wipe_stack_shallow();
    return rc;
}

/* Once for all functions. */
static HANJI_NOINLINE int whole_and_wipe(uint8_t *out, size_t out_bytes, const uint8_t *message,
                                         size_t bytes, const function *f)
{
    if (!valid(out, out_bytes) || !valid(message, bytes) ||
        overlap_partly(out, out_bytes, message, bytes))
        return HANJI_E_ARGUMENT;
    hanji_esch_digest_fn *digest = one_message(f).digest;
    if (digest != NULL) {
        digest(out, out_bytes, message, bytes, f->domain);
        hanji_wipe_stack_least();
        return HANJI_OK;
    }
    const int rc = whole(out, out_bytes, message, bytes, f);
    hanji_wipe_stack_shallow();
    return rc;
}

int hanji_esch256_init(hanji_esch_ctx *ctx)
{
    return init(ctx, &esch256);
}

int hanji_esch256_update(const uint8_t *message, size_t message_bytes, hanji_esch_ctx *ctx)
{
    return update_and_wipe(message, message_bytes, ctx, &esch256);
}

int hanji_esch256_final(uint8_t digest[HANJI_ESCH256_DIGEST_BYTES], hanji_esch_ctx *ctx)
{
    return final_and_wipe(digest, ctx, &esch256);
}

int hanji_esch256(uint8_t digest[HANJI_ESCH256_DIGEST_BYTES], const uint8_t *message,
                  size_t message_bytes)
{
    return whole_and_wipe(digest, esch256.digest_bytes, message, message_bytes, &esch256);
}

int hanji_esch384_init(hanji_esch_ctx *ctx)
{
    return init(ctx, &esch384);
}

int hanji_esch384_update(const uint8_t *message, size_t message_bytes, hanji_esch_ctx *ctx)
{
    return update_and_wipe(message, message_bytes, ctx, &esch384);
}

int hanji_esch384_final(uint8_t digest[HANJI_ESCH384_DIGEST_BYTES], hanji_esch_ctx *ctx)
{
    return final_and_wipe(digest, ctx, &esch384);
}

int hanji_esch384(uint8_t digest[HANJI_ESCH384_DIGEST_BYTES], const uint8_t *message,
                  size_t message_bytes)
{
    return whole_and_wipe(digest, esch384.digest_bytes, message, message_bytes, &esch384);
}

int hanji_xoesch256_init(hanji_esch_ctx *ctx)
{
    return init(ctx, &xoesch256);
}

int hanji_xoesch256_update(const uint8_t *message, size_t message_bytes, hanji_esch_ctx *ctx)
{
    return update_and_wipe(message, message_bytes, ctx, &xoesch256);
}

int hanji_xoesch256_squeeze(uint8_t *out, size_t out_bytes, hanji_esch_ctx *ctx)
{
    return take_and_wipe(out, out_bytes, ctx, &xoesch256);
}

int hanji_xoesch256(uint8_t *out, size_t out_bytes, const uint8_t *message, size_t message_bytes)
{
    return whole_and_wipe(out, out_bytes, message, message_bytes, &xoesch256);
}

int hanji_xoesch384_init(hanji_esch_ctx *ctx)
{
    return init(ctx, &xoesch384);
}

int hanji_xoesch384_update(const uint8_t *message, size_t message_bytes, hanji_esch_ctx *ctx)
{
    return update_and_wipe(message, message_bytes, ctx, &xoesch384);
}

int hanji_xoesch384_squeeze(uint8_t *out, size_t out_bytes, hanji_esch_ctx *ctx)
{
    return take_and_wipe(out, out_bytes, ctx, &xoesch384);
}

int hanji_xoesch384(uint8_t *out, size_t out_bytes, const uint8_t *message, size_t message_bytes)
{
    return whole_and_wipe(out, out_bytes, message, message_bytes, &xoesch384);
}

void hanji_esch_wipe(hanji_esch_ctx *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
}

size_t hanji_esch_ctx_bytes(void)
{
    return sizeof(hanji_esch_ctx);
}

size_t hanji_esch_digest_bytes(uint32_t bits)
{
    return bits == 256 ? HANJI_ESCH256_DIGEST_BYTES : bits == 384 ? HANJI_ESCH384_DIGEST_BYTES : 0;
}
