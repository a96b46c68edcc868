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

/* The kernels for one message, or NULL; in firmware there are none. */
typedef struct kernels {
    hanji_esch_absorb_fn *absorb;
    hanji_esch_end_fn *end;
    hanji_esch_digest_fn *digest;
} kernels;

#ifdef HANJI_X86
#define KERNELS(id, tier)                                              \
    {                                                                  \
        hanji_##id##_##tier##_absorb_x1, hanji_##id##_##tier##_end_x1, \
            hanji_##id##_##tier##_digest_x1                            \
    }
static const kernels for_one[2][2] = {{KERNELS(esch256, avx2), KERNELS(esch256, avx512)},
                                      {KERNELS(esch384, avx2), KERNELS(esch384, avx512)}};

HANJI_INLINE const kernels *one_message(const function *f)
{
    const uint32_t features = hanji_features();
    return (features & (HANJI_CPU_AVX2 | HANJI_CPU_TWO_CYCLES)) == HANJI_CPU_AVX2
               ? &for_one[f->half - 3][(features & HANJI_CPU_AVX512) != 0]
               : NULL;
}
#else
#define one_message(f) ((void)(f), (const kernels *)NULL)
#endif

#ifndef HANJI_FREESTANDING
hanji_esch_digest_fn *hanji_esch_for_fleet(uint32_t half)
{
    const kernels *one = one_message(half == 3 ? &esch256 : &esch384);
    return one != NULL ? one->digest : NULL;
}
#endif

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

/* Zeros into all of a context, which a later call may read: they stay. */
HANJI_INLINE void clear(hanji_esch_ctx *ctx)
{
#ifdef HANJI_FREESTANDING
    hanji_wipe(ctx, sizeof *ctx);
#else
    /* in pieces that no string instruction fills, which takes long to begin */
    wipe_here(ctx->state, sizeof ctx->state);
    wipe_here(ctx->pending, sizeof ctx->pending);
    ctx->pending_bytes = ctx->phase = 0;
#endif
}

static int init(hanji_esch_ctx *ctx, const function *f)
{
    if (ctx == NULL)
        return HANJI_E_ARGUMENT;
#ifdef HANJI_FREESTANDING
    memset(ctx, 0, sizeof *ctx);
    const int rc = hanji_selection();
#else
    clear(ctx);
    const int rc = (hanji_features() & HANJI_CPU_REFUSED) != 0 ? HANJI_E_UNSUPPORTED : HANJI_OK;
#endif
    if (rc == HANJI_OK)
        ctx->phase = PHASE_ABSORB | f->id;
    return rc;
}

#ifdef HANJI_X86
/* update() with kernels: a block is absorbed when a byte after it is known. */
HANJI_INLINE void update_by(const kernels *one, const uint8_t *message, size_t bytes,
                            hanji_esch_ctx *ctx)
{
    if (ctx->pending_bytes > 0) {
        const size_t room = RATE - ctx->pending_bytes, part = bytes < room ? bytes : room;
        memcpy(ctx->pending + ctx->pending_bytes, message, part);
        ctx->pending_bytes += (uint32_t)part;
        message += part;
        bytes -= part;
        if (bytes == 0)
            return;
        one->absorb(ctx->state, ctx->pending, 1);
    }
    const size_t blocks = bytes == 0 ? 0 : (bytes - 1) / RATE;
    if (blocks > 0)
        one->absorb(ctx->state, message, blocks);
    ctx->pending_bytes = (uint32_t)(bytes - blocks * RATE);
    memcpy(ctx->pending, message + blocks * RATE, ctx->pending_bytes);
}
#endif

static HANJI_NOINLINE int update(const uint8_t *message, size_t bytes, hanji_esch_ctx *ctx,
                                 const function *f)
{
    if (ctx == NULL || !valid(message, bytes) || overlap(message, bytes, ctx, sizeof *ctx) ||
        ctx->phase != (PHASE_ABSORB | f->id))
        return HANJI_E_ARGUMENT;
#ifdef HANJI_X86
    const kernels *one = one_message(f);
    if (one != NULL) {
        if (bytes > 0)
            update_by(one, message, bytes, ctx);
        return HANJI_OK;
    }
#endif
    hanji_permute_fn *permute = hanji_sparkle_single(f->sparkle);
    const uint32_t slim = f->sparkle->slim;
    /* A block is absorbed when a byte after it is known, because the last one is treated apart. */
    while (bytes > 0) {
        if (ctx->pending_bytes == RATE) {
            inject(ctx->state, ctx->pending, f);
            permute(ctx->state, 1, slim);
            ctx->pending_bytes = 0;
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

/* The last block, padded; whether it needed none. */
HANJI_INLINE uint32_t close_message(hanji_esch_ctx *ctx)
{
    const uint32_t full = ctx->pending_bytes == RATE;
    if (!full) {
        ctx->pending[ctx->pending_bytes] = 0x80;
        memset(ctx->pending + ctx->pending_bytes + 1, 0, RATE - 1 - ctx->pending_bytes);
    }
    return full;
}

/*
 * The last block, and on to output; afterwards `pending_bytes` counts the output bytes of the state
 * that are already given.
 */
static void turn(hanji_esch_ctx *ctx, const function *f)
{
    const uint32_t full = close_message(ctx);
    inject(ctx->state, ctx->pending, f);
    ctx->state[2 * f->half - 1] ^= ((full ? 2u : 1u) ^ f->domain) << 24;
    hanji_sparkle_single(f->sparkle)(ctx->state, 1, f->sparkle->big);
    hanji_wipe(ctx->pending, sizeof ctx->pending);
    ctx->pending_bytes = 0;
    ctx->phase = PHASE_SQUEEZE | f->id;
}

#ifdef HANJI_X86
/* The same with kernels, which give the whole blocks of output, too: returns their bytes. */
static size_t turn_by(const kernels *one, uint8_t *out, size_t bytes, hanji_esch_ctx *ctx,
                      const function *f)
{
    const uint32_t full = close_message(ctx);
    one->end(ctx->state, out, bytes / RATE, ctx->pending, (full ? 2u : 1u) ^ f->domain);
    wipe_here(ctx->pending, sizeof ctx->pending);
    ctx->pending_bytes = bytes < RATE ? 0 : RATE;
    ctx->phase = PHASE_SQUEEZE | f->id;
    return bytes / RATE * RATE;
}
#endif

/* The state of the next block of output. */
HANJI_INLINE void next_output(hanji_esch_ctx *ctx, const function *f, hanji_permute_fn *permute)
{
#ifdef HANJI_X86
    static const uint8_t nothing[RATE] = {0};
    const kernels *one = one_message(f);
    if (one != NULL) {
        one->absorb(ctx->state, nothing, 1);
        return;
    }
#endif
    permute(ctx->state, 1, f->sparkle->slim);
}

static void squeeze(uint8_t *out, size_t bytes, hanji_esch_ctx *ctx, const function *f)
{
    hanji_permute_fn *permute = hanji_sparkle_single(f->sparkle);
    uint8_t block[RATE];
    while (bytes > 0) {
        if (ctx->pending_bytes == RATE) {
            next_output(ctx, f, permute);
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
    if (ctx->phase == (PHASE_ABSORB | f->id)) {
#ifdef HANJI_X86
        const kernels *one = one_message(f);
        if (one != NULL) {
            const size_t given = turn_by(one, out, bytes, ctx, f);
            if (given < bytes)
                squeeze(out + given, bytes - given, ctx, f);
            return HANJI_OK;
        }
#endif
        turn(ctx, f);
    }
    squeeze(out, bytes, ctx, f);
    return HANJI_OK;
}

static HANJI_NOINLINE int final(uint8_t *digest, hanji_esch_ctx *ctx, const function *f)
{
    if (digest == NULL || ctx == NULL || overlap(digest, f->digest_bytes, ctx, sizeof *ctx) ||
        ctx->phase != (PHASE_ABSORB | f->id))
        return HANJI_E_ARGUMENT;
#ifdef HANJI_X86
    const kernels *one = one_message(f);
    if (one != NULL) { /* a digest is whole blocks */
        (void)turn_by(one, digest, f->digest_bytes, ctx, f);
        clear(ctx);
        return HANJI_OK;
    }
#endif
    turn(ctx, f);
    squeeze(digest, f->digest_bytes, ctx, f);
    clear(ctx);
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

/* The stack below the work: kernels need less of it. */
HANJI_INLINE void wipe_behind(const function *f)
{
    if (one_message(f) != NULL)
        hanji_wipe_stack_least();
    else
        hanji_wipe_stack_shallow();
}

/* The calls of one function, which wipe the stack behind the work. */
HANJI_INLINE int update_and_wipe(const uint8_t *message, size_t bytes, hanji_esch_ctx *ctx,
                                 const function *f)
{
    const int rc = update(message, bytes, ctx, f);
    wipe_behind(f);
    return rc;
}

HANJI_INLINE int final_and_wipe(uint8_t *digest, hanji_esch_ctx *ctx, const function *f)
{
    const int rc = final(digest, ctx, f);
    wipe_behind(f);
    return rc;
}

HANJI_INLINE int take_and_wipe(uint8_t *out, size_t bytes, hanji_esch_ctx *ctx, const function *f)
{
    const int rc = take(out, bytes, ctx, f);
    wipe_behind(f);
    return rc;
}

/* Once for all functions. */
static HANJI_NOINLINE int whole_and_wipe(uint8_t *out, size_t out_bytes, const uint8_t *message,
                                         size_t bytes, const function *f)
{
    if (!valid(out, out_bytes) || !valid(message, bytes) ||
        overlap_partly(out, out_bytes, message, bytes))
        return HANJI_E_ARGUMENT;
    const kernels *one = one_message(f);
    if (one != NULL) {
        one->digest(out, out_bytes, message, bytes, f->domain);
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
