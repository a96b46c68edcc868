/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCHWAEMM, four instances (Beierle et al., specification v1.2, section 2.3).
 *
 * The code below is written once over an instance, whose sizes are constants wherever it is
 * inlined. The state is words: the outer part L of `rate` words, then the inner part R of
 * `capacity` words. The last chunk of the associated data and of the message is treated apart:
 * domain byte, padding, big permutation.
 */
#include "sparkle/schwaemm.h"

#include "hanji/aead.h"
#include "hanji/hash.h"
#include "sparkle/sparkle.h"
#include "support/bytes.h"
#include "support/secret.h"

#define MAX_WORDS 16
#define MAX_RATE 32 /* bytes */

typedef struct instance {
    const hanji_sparkle *sparkle;
    /* words; key and tag are as long as the capacity, the nonce as the rate */
    uint32_t rate, capacity;
    uint32_t slim, big;
    uint32_t domain; /* 1 << capacity in 64-bit branches */
    uint32_t id;
#ifdef HANJI_X86
    hanji_schwaemm_seal_fn *avx2[2], *avx512[2]; /* one message: sealed, opened */
#endif
} instance;

#ifdef HANJI_X86
#define OF_TIER(id, tier)                                            \
    {                                                                \
        hanji_##id##_##tier##_seal_x1, hanji_##id##_##tier##_open_x1 \
    }
#define ONE_MESSAGE(id) , OF_TIER(id, avx2), OF_TIER(id, avx512)
#else
#define ONE_MESSAGE(id)
#endif

static const instance schwaemm256_128 = {&hanji_sparkle384,
                                         8,
                                         4,
                                         HANJI_SPARKLE384_STEPS_SLIM,
                                         HANJI_SPARKLE384_STEPS_BIG,
                                         0x04,
                                         1 ONE_MESSAGE(schwaemm256_128)};
static const instance schwaemm192_192 = {&hanji_sparkle384,
                                         6,
                                         6,
                                         HANJI_SPARKLE384_STEPS_SLIM,
                                         HANJI_SPARKLE384_STEPS_BIG,
                                         0x08,
                                         2 ONE_MESSAGE(schwaemm192_192)};
static const instance schwaemm128_128 = {&hanji_sparkle256,
                                         4,
                                         4,
                                         HANJI_SPARKLE256_STEPS_SLIM,
                                         HANJI_SPARKLE256_STEPS_BIG,
                                         0x04,
                                         3 ONE_MESSAGE(schwaemm128_128)};
static const instance schwaemm256_256 = {&hanji_sparkle512,
                                         8,
                                         8,
                                         HANJI_SPARKLE512_STEPS_SLIM,
                                         HANJI_SPARKLE512_STEPS_BIG,
                                         0x10,
                                         4 ONE_MESSAGE(schwaemm256_256)};

/* Added to the domain byte for a full last chunk, and for messages. */
#define FULL 1u
#define MESSAGE 2u

HANJI_INLINE void xor_domain(uint32_t *s, const instance *c, uint32_t kind)
{
    s[c->rate + c->capacity - 1] ^= (c->domain ^ kind) << 24;
}

/*
 * A word that the compiler computes by itself. Permutations store word by word; a compiler that
 * makes vectors of the words makes them wait, because a load from several stores waits until all of
 * them have reached the cache.
 */
HANJI_INLINE uint32_t value_barrier(uint32_t word)
{
#if defined(__GNUC__) && !defined(HANJI_FREESTANDING)
    __asm__("" : "+r"(word));
#endif
    return word;
}

/*
 * L = FeistelSwap(L) ^ D ^ W(R), with the halves of L and W(R) = R || R when the rate is twice the
 * capacity, else R.
 */
HANJI_INLINE void absorb(uint32_t *s, const uint32_t *d, const instance *c)
{
    const uint32_t half = c->rate / 2;
    const uint32_t *w1 = s + c->rate, *w2 = c->rate > c->capacity ? w1 : w1 + half;
    for (uint32_t i = 0; i < half; i++) {
        const uint32_t left = s[i], right = s[half + i];
        s[i] = value_barrier(right ^ d[i] ^ w1[i]);
        s[half + i] = value_barrier(right ^ left ^ d[half + i] ^ w2[i]);
    }
}

/*
 * On Armv6-M a word at any address is a call of memcpy, where the compiler saves space: there one
 * call copies all words. Where they lie on the stack is erased behind the call of the library.
 */
HANJI_INLINE void load_chunk(uint32_t *d, const uint8_t *in, const instance *c)
{
#ifdef HANJI_ARMV6M
    memcpy(d, in, 4 * c->rate);
#else
    for (uint32_t i = 0; i < c->rate; i++)
        d[i] = load_le32(in + 4 * i);
#endif
}

/*
 * What follows the last whole word of a chunk, 0 to 3 bytes. Last chunks are taken apart into words
 * like all others, and into single bytes only here: what is stored byte by byte and loaded as a
 * word at once is slow on many processors.
 */
HANJI_INLINE uint32_t load_rest(const uint8_t *in, size_t bytes)
{
    uint32_t word = 0;
    for (size_t i = 0; i < bytes; i++)
        word |= (uint32_t)in[i] << 8 * i;
    return word;
}

/* A chunk of `bytes` bytes with its padding; a full chunk has none. */
HANJI_INLINE void load_last(uint32_t *d, const uint8_t *in, size_t bytes, const instance *c)
{
    const size_t whole = bytes / 4;
    memset(d, 0, 4 * c->rate);
#ifdef HANJI_ARMV6M
    memcpy(d, in, 4 * whole);
#else
    for (size_t i = 0; i < whole; i++)
        d[i] = load_le32(in + 4 * i);
#endif
    if (whole < c->rate)
        d[whole] = load_rest(in + 4 * whole, bytes % 4) | (uint32_t)0x80 << 8 * (bytes % 4);
}

HANJI_INLINE void start(uint32_t *s, const uint8_t *nonce, const uint8_t *key, const instance *c,
                        hanji_permute_fn *permute)
{
#ifdef HANJI_ARMV6M
    memcpy(s, nonce, 4 * c->rate);
    memcpy(s + c->rate, key, 4 * c->capacity);
#else
    for (uint32_t i = 0; i < c->rate; i++)
        s[i] = load_le32(nonce + 4 * i);
    for (uint32_t i = 0; i < c->capacity; i++)
        s[c->rate + i] = load_le32(key + 4 * i);
#endif
    permute(s, 1, c->big);
}

/* The chunk d, `bytes` long before padding, as the last of its phase. */
HANJI_INLINE void absorb_last(uint32_t *s, const uint32_t *d, size_t bytes, uint32_t kind,
                              const instance *c, hanji_permute_fn *permute)
{
    xor_domain(s, c, kind | (bytes == 4 * c->rate ? FULL : 0));
    absorb(s, d, c);
    permute(s, 1, c->big);
}

HANJI_INLINE void absorb_ad(uint32_t *s, const uint8_t *ad, size_t bytes, const instance *c,
                            hanji_permute_fn *permute)
{
    const size_t rate = 4 * c->rate;
    uint32_t d[MAX_RATE / 4];
    if (bytes == 0)
        return;
    for (; bytes > rate; bytes -= rate, ad += rate) {
        load_chunk(d, ad, c);
        absorb(s, d, c);
        permute(s, 1, c->slim);
    }
    load_last(d, ad, bytes, c);
    absorb_last(s, d, bytes, 0, c, permute);
}

/*
 * Chunks other than the last. When opening, the input is ciphertext and the plaintext is what is
 * absorbed.
 */
HANJI_INLINE void crypt_chunk(uint32_t *s, uint8_t *out, const uint8_t *in, int open,
                              const instance *c, hanji_permute_fn *permute)
{
    uint32_t d[MAX_RATE / 4], o[MAX_RATE / 4];
#ifdef HANJI_ARMV6M
    load_chunk(d, in, c);
    for (uint32_t i = 0; i < c->rate; i++)
        o[i] = d[i] ^ s[i];
    memcpy(out, o, 4 * c->rate);
#else
    for (uint32_t i = 0; i < c->rate; i++) {
        d[i] = load_le32(in + 4 * i);
        o[i] = value_barrier(d[i] ^ s[i]);
    }
    for (uint32_t i = 0; i < c->rate; i++)
        store_le32(out + 4 * i, o[i]);
#endif
    absorb(s, open ? o : d, c);
    permute(s, 1, c->slim);
}

HANJI_INLINE void crypt_last(uint32_t *s, uint8_t *out, const uint8_t *in, size_t bytes, int open,
                             const instance *c, hanji_permute_fn *permute)
{
    const size_t whole = bytes / 4, rest = bytes % 4;
    uint32_t d[MAX_RATE / 4] = {0};
#ifdef HANJI_ARMV6M
    uint32_t o[MAX_RATE / 4];
    memcpy(d, in, 4 * whole);
    for (size_t i = 0; i < whole; i++)
        o[i] = d[i] ^ s[i];
    memcpy(out, o, 4 * whole);
    if (open)
        memcpy(d, o, 4 * whole);
#else
    for (size_t i = 0; i < whole; i++) {
        const uint32_t word = load_le32(in + 4 * i);
        const uint32_t changed = value_barrier(word ^ s[i]);
        store_le32(out + 4 * i, changed);
        d[i] = open ? changed : word;
    }
#endif
    if (whole < c->rate) {
        const uint32_t word = load_rest(in + 4 * whole, rest), changed = word ^ s[whole],
                       end = (uint32_t)1 << 8 * rest;
        for (size_t i = 0; i < rest; i++)
            out[4 * whole + i] = (uint8_t)(changed >> 8 * i);
        d[whole] = ((open ? changed : word) & (end - 1)) | end << 7;
    }
    absorb_last(s, d, bytes, MESSAGE, c, permute);
    wipe_here(d, sizeof d);
}

HANJI_INLINE void crypt(uint32_t *s, uint8_t *out, const uint8_t *in, size_t bytes, int open,
                        const instance *c, hanji_permute_fn *permute)
{
    const size_t rate = 4 * c->rate;
    if (bytes == 0)
        return;
    for (; bytes > rate; bytes -= rate, in += rate, out += rate)
        crypt_chunk(s, out, in, open, c, permute);
    crypt_last(s, out, in, bytes, open, c, permute);
}

/* The tag R ^ K. */
HANJI_INLINE void finish(uint8_t *tag, const uint32_t *s, const uint32_t *key, const instance *c)
{
#ifdef HANJI_ARMV6M
    uint32_t t[MAX_RATE / 4];
    for (uint32_t i = 0; i < c->capacity; i++)
        t[i] = s[c->rate + i] ^ key[i];
    memcpy(tag, t, 4 * c->capacity);
#else
    for (uint32_t i = 0; i < c->capacity; i++)
        store_le32(tag + 4 * i, value_barrier(s[c->rate + i] ^ key[i]));
#endif
}

HANJI_INLINE void load_key(uint32_t *k, const uint8_t *key, const instance *c)
{
#ifdef HANJI_ARMV6M
    memcpy(k, key, 4 * c->capacity);
#else
    for (uint32_t i = 0; i < c->capacity; i++)
        k[i] = load_le32(key + 4 * i);
#endif
}

/* All of a message. The key is read once, at the start; the tag is the one that there should be. */
HANJI_INLINE void message(uint8_t *out, uint8_t *tag, const uint8_t *in, size_t bytes,
                          const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce,
                          const uint8_t *key, int open, const instance *c)
{
    hanji_permute_fn *permute = hanji_sparkle_single(c->sparkle);
    uint32_t s[MAX_WORDS], k[MAX_RATE / 4];
    load_key(k, key, c);
    start(s, nonce, key, c, permute);
    absorb_ad(s, ad, ad_bytes, c, permute);
    crypt(s, out, in, bytes, open, c, permute);
    finish(tag, s, k, c);
    wipe_here(s, sizeof s);
    wipe_here(k, sizeof k);
}

/* The kernel that takes all of a message, or NULL. */
HANJI_INLINE hanji_schwaemm_seal_fn *whole_message(int open, const instance *c)
{
#ifdef HANJI_X86
    if (hanji_schwaemm_has_kernel())
        return (hanji_features() & HANJI_CPU_AVX512) != 0 ? c->avx512[open] : c->avx2[open];
#endif
    (void)open, (void)c;
    return NULL;
}

#ifndef HANJI_FREESTANDING
hanji_schwaemm_seal_fn *hanji_schwaemm256_128_seal_for_fleet(void)
{
    return whole_message(0, &schwaemm256_128);
}

hanji_schwaemm_seal_fn *hanji_schwaemm192_192_seal_for_fleet(void)
{
    return whole_message(0, &schwaemm192_192);
}

hanji_schwaemm_seal_fn *hanji_schwaemm128_128_seal_for_fleet(void)
{
    return whole_message(0, &schwaemm128_128);
}

hanji_schwaemm_seal_fn *hanji_schwaemm256_256_seal_for_fleet(void)
{
    return whole_message(0, &schwaemm256_256);
}
#endif

HANJI_INLINE void seal(uint8_t *out, uint8_t *tag, const uint8_t *in, size_t bytes,
                       const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce, const uint8_t *key,
                       const instance *c)
{
    hanji_schwaemm_seal_fn *one = whole_message(0, c);
    if (one != NULL)
        one(out, tag, in, bytes, ad, ad_bytes, nonce, key);
    else
        message(out, tag, in, bytes, ad, ad_bytes, nonce, key, 0, c);
}

HANJI_INLINE int open_message(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *tag,
                              const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce,
                              const uint8_t *key, const instance *c)
{
    uint8_t given[MAX_RATE], expected[MAX_RATE];
    hanji_schwaemm_seal_fn *one = whole_message(1, c);
    memcpy(given, tag, 4 * c->capacity);
    if (one != NULL)
        one(out, expected, in, bytes, ad, ad_bytes, nonce, key);
    else
        message(out, expected, in, bytes, ad, ad_bytes, nonce, key, 1, c);
    const int equal = hanji_equal(expected, given, 4 * c->capacity);
    wipe_here(expected, sizeof expected);
    if (equal)
        return HANJI_OK;
    if (bytes > 0)
        hanji_wipe(out, bytes);
    return HANJI_E_TAG;
}

/*
 * Sealing in pieces: `phase` is the instance and how far the message is, in a number that memory
 * does not hold by chance.
 */
#define PHASE_AD 0x73636810u
#define PHASE_MESSAGE 0x73636820u

HANJI_INLINE int init(const uint8_t *nonce, const uint8_t *key, hanji_schwaemm_ctx *ctx,
                      const instance *c)
{
    if (ctx == NULL || overlap(ctx, sizeof *ctx, nonce, 4 * c->rate) ||
        overlap(ctx, sizeof *ctx, key, 4 * c->capacity))
        return HANJI_E_ARGUMENT;
    const int rc = nonce == NULL || key == NULL ? HANJI_E_ARGUMENT : hanji_selection();
    if (rc != HANJI_OK) {
        hanji_wipe(ctx, sizeof *ctx);
        return rc;
    }
    memcpy(ctx->key, key, 4 * c->capacity);
    start(ctx->state, nonce, key, c, hanji_sparkle_single(c->sparkle));
    ctx->pending_bytes = 0;
    ctx->phase = PHASE_AD | c->id;
    return HANJI_OK;
}

/* The pending chunk turns out not to be the last. */
HANJI_INLINE void absorb_pending(hanji_schwaemm_ctx *ctx, const instance *c,
                                 hanji_permute_fn *permute)
{
    uint32_t d[MAX_RATE / 4];
    load_chunk(d, ctx->pending, c);
    absorb(ctx->state, d, c);
    permute(ctx->state, 1, c->slim);
    ctx->pending_bytes = 0;
}

/* The pending chunk, when there is one, turns out to be the last of its phase. */
HANJI_INLINE void close_phase(hanji_schwaemm_ctx *ctx, uint32_t kind, const instance *c,
                              hanji_permute_fn *permute)
{
    uint32_t d[MAX_RATE / 4];
    if (ctx->pending_bytes == 0)
        return;
    load_last(d, ctx->pending, ctx->pending_bytes, c);
    absorb_last(ctx->state, d, ctx->pending_bytes, kind, c, permute);
    ctx->pending_bytes = 0;
}

HANJI_INLINE int update_ad(const uint8_t *ad, size_t bytes, hanji_schwaemm_ctx *ctx,
                           const instance *c)
{
    if (ctx == NULL || !valid(ad, bytes) || overlap(ad, bytes, ctx, sizeof *ctx) ||
        ctx->phase != (PHASE_AD | c->id))
        return HANJI_E_ARGUMENT;
    hanji_permute_fn *permute = hanji_sparkle_single(c->sparkle);
    const size_t rate = 4 * c->rate;
    while (bytes > 0) {
        if (ctx->pending_bytes == rate)
            absorb_pending(ctx, c, permute);
        const size_t room = rate - ctx->pending_bytes, part = bytes < room ? bytes : room;
        memcpy(ctx->pending + ctx->pending_bytes, ad, part);
        ctx->pending_bytes += (uint32_t)part;
        ad += part;
        bytes -= part;
    }
    return HANJI_OK;
}

HANJI_INLINE int update(uint8_t *out, const uint8_t *in, size_t bytes, hanji_schwaemm_ctx *ctx,
                        const instance *c)
{
    if (ctx == NULL || !valid(out, bytes) || !valid(in, bytes) ||
        overlap_partly(out, bytes, in, bytes) || overlap(out, bytes, ctx, sizeof *ctx) ||
        overlap(in, bytes, ctx, sizeof *ctx) ||
        (ctx->phase != (PHASE_AD | c->id) && ctx->phase != (PHASE_MESSAGE | c->id)))
        return HANJI_E_ARGUMENT;
    if (bytes == 0)
        return HANJI_OK;
    hanji_permute_fn *permute = hanji_sparkle_single(c->sparkle);
    const size_t rate = 4 * c->rate;
    if (ctx->phase == (PHASE_AD | c->id)) {
        close_phase(ctx, 0, c, permute);
        ctx->phase = PHASE_MESSAGE | c->id;
    }
    while (bytes > 0) {
        if (ctx->pending_bytes == rate)
            absorb_pending(ctx, c, permute);
        if (ctx->pending_bytes == 0 && bytes > rate) {
            crypt_chunk(ctx->state, out, in, 0, c, permute);
            in += rate;
            out += rate;
            bytes -= rate;
            continue;
        }
        uint8_t stream[MAX_RATE];
        for (uint32_t i = 0; i < c->rate; i++)
            store_le32(stream + 4 * i, ctx->state[i]);
        const size_t room = rate - ctx->pending_bytes, part = bytes < room ? bytes : room;
        uint8_t *pending = ctx->pending + ctx->pending_bytes;
        memcpy(pending, in, part);
        xor_bytes(out, pending, stream + ctx->pending_bytes, part);
        hanji_wipe(stream, sizeof stream);
        ctx->pending_bytes += (uint32_t)part;
        in += part;
        out += part;
        bytes -= part;
    }
    return HANJI_OK;
}

HANJI_INLINE int final(uint8_t *tag, hanji_schwaemm_ctx *ctx, const instance *c)
{
    if (tag == NULL || ctx == NULL || overlap(tag, 4 * c->capacity, ctx, sizeof *ctx) ||
        (ctx->phase != (PHASE_AD | c->id) && ctx->phase != (PHASE_MESSAGE | c->id)))
        return HANJI_E_ARGUMENT;
    uint32_t k[MAX_RATE / 4];
    close_phase(ctx, ctx->phase == (PHASE_AD | c->id) ? 0 : MESSAGE, c,
                hanji_sparkle_single(c->sparkle));
    load_key(k, ctx->key, c);
    finish(tag, ctx->state, k, c);
    wipe_here(k, sizeof k);
    hanji_wipe(ctx, sizeof *ctx);
    return HANJI_OK;
}

/* What is written shares no byte with what the text is sealed or opened under. */
HANJI_INLINE int apart(const uint8_t *out, size_t out_bytes, const uint8_t *ad, size_t ad_bytes,
                       const uint8_t *nonce, const uint8_t *key, const instance *c)
{
    return !overlap(out, out_bytes, ad, ad_bytes) && !overlap(out, out_bytes, nonce, 4 * c->rate) &&
           !overlap(out, out_bytes, key, 4 * c->capacity);
}

/* Checks that the one-shot calls share. */
HANJI_INLINE int check(const uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes,
                       const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce, const uint8_t *key,
                       const instance *c)
{
    if (!valid(out, out_bytes) || !valid(in, in_bytes) || !valid(ad, ad_bytes) || nonce == NULL ||
        key == NULL || overlap_partly(out, out_bytes, in, in_bytes) ||
        !apart(out, out_bytes, ad, ad_bytes, nonce, key, c))
        return HANJI_E_ARGUMENT;
    return hanji_selection();
}

/*
 * Seal, and wipe the stack: kernels have frames of up to 104 bytes (gcc 12, AVX2) and are called
 * without the frame of what stands in for them.
 */
HANJI_INLINE void seal_and_wipe(uint8_t *out, uint8_t *tag, const uint8_t *in, size_t bytes,
                                const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce,
                                const uint8_t *key, hanji_schwaemm_seal_fn *seal_one,
                                const instance *c)
{
    hanji_schwaemm_seal_fn *one = whole_message(0, c);
    if (one != NULL) {
        one(out, tag, in, bytes, ad, ad_bytes, nonce, key);
        hanji_wipe_stack_least();
    } else {
        seal_one(out, tag, in, bytes, ad, ad_bytes, nonce, key);
        hanji_wipe_stack_shallow();
    }
}

/* The one-shot calls; `seal_one` and `open_one` are those of the instance. */
HANJI_INLINE int encrypt(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *ad,
                         size_t ad_bytes, const uint8_t *nonce, const uint8_t *key,
                         hanji_schwaemm_seal_fn *seal_one, const instance *c)
{
    const size_t tag_bytes = 4 * c->capacity;
    if (bytes > SIZE_MAX - tag_bytes)
        return HANJI_E_LENGTH;
    const int rc = check(out, bytes + tag_bytes, in, bytes, ad, ad_bytes, nonce, key, c);
    if (rc == HANJI_OK)
        seal_and_wipe(out, out + bytes, in, bytes, ad, ad_bytes, nonce, key, seal_one, c);
    return rc;
}

HANJI_INLINE int decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes, const uint8_t *ad,
                         size_t ad_bytes, const uint8_t *nonce, const uint8_t *key,
                         hanji_schwaemm_open_fn *open_one, const instance *c)
{
    if (in_bytes < 4 * c->capacity)
        return HANJI_E_LENGTH;
    const size_t bytes = in_bytes - 4 * c->capacity;
    int rc = check(out, bytes, in, in_bytes, ad, ad_bytes, nonce, key, c);
    if (rc == HANJI_OK)
        rc = open_one(out, in, bytes, in + bytes, ad, ad_bytes, nonce, key);
    hanji_wipe_stack_shallow();
    return rc;
}

HANJI_INLINE int encrypt_detached(uint8_t *out, uint8_t *tag, const uint8_t *in, size_t bytes,
                                  const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce,
                                  const uint8_t *key, hanji_schwaemm_seal_fn *seal_one,
                                  const instance *c)
{
    const size_t tag_bytes = 4 * c->capacity;
    if (tag == NULL || overlap(tag, tag_bytes, out, bytes) || overlap(tag, tag_bytes, in, bytes) ||
        !apart(tag, tag_bytes, ad, ad_bytes, nonce, key, c))
        return HANJI_E_ARGUMENT;
    const int rc = check(out, bytes, in, bytes, ad, ad_bytes, nonce, key, c);
    if (rc == HANJI_OK)
        seal_and_wipe(out, tag, in, bytes, ad, ad_bytes, nonce, key, seal_one, c);
    return rc;
}

HANJI_INLINE int decrypt_detached(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *tag,
                                  const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce,
                                  const uint8_t *key, hanji_schwaemm_open_fn *open_one,
                                  const instance *c)
{
    if (tag == NULL || overlap(out, bytes, tag, 4 * c->capacity))
        return HANJI_E_ARGUMENT;
    int rc = check(out, bytes, in, bytes, ad, ad_bytes, nonce, key, c);
    if (rc == HANJI_OK)
        rc = open_one(out, in, bytes, tag, ad, ad_bytes, nonce, key);
    hanji_wipe_stack_shallow();
    return rc;
}

/* SCHWAEMM256-128 */
HANJI_NOINLINE void hanji_schwaemm256_128_seal(uint8_t *out, uint8_t *tag, const uint8_t *in,
                                               size_t bytes, const uint8_t *ad, size_t ad_bytes,
                                               const uint8_t *nonce, const uint8_t *key)
{
    seal(out, tag, in, bytes, ad, ad_bytes, nonce, key, &schwaemm256_128);
}

HANJI_NOINLINE int hanji_schwaemm256_128_open(uint8_t *out, const uint8_t *in, size_t bytes,
                                              const uint8_t *tag, const uint8_t *ad,
                                              size_t ad_bytes, const uint8_t *nonce,
                                              const uint8_t *key)
{
    return open_message(out, in, bytes, tag, ad, ad_bytes, nonce, key, &schwaemm256_128);
}

int hanji_schwaemm256_128_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                                  const uint8_t *ad, size_t ad_bytes,
                                  const uint8_t nonce[HANJI_SCHWAEMM256_128_NONCE_BYTES],
                                  const uint8_t key[HANJI_SCHWAEMM256_128_KEY_BYTES])
{
    return encrypt(out, plaintext, plaintext_bytes, ad, ad_bytes, nonce, key,
                   hanji_schwaemm256_128_seal, &schwaemm256_128);
}

int hanji_schwaemm256_128_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes,
                                  const uint8_t *ad, size_t ad_bytes,
                                  const uint8_t nonce[HANJI_SCHWAEMM256_128_NONCE_BYTES],
                                  const uint8_t key[HANJI_SCHWAEMM256_128_KEY_BYTES])
{
    return decrypt(out, in, in_bytes, ad, ad_bytes, nonce, key, hanji_schwaemm256_128_open,
                   &schwaemm256_128);
}

int hanji_schwaemm256_128_encrypt_detached(uint8_t *ciphertext,
                                           uint8_t tag[HANJI_SCHWAEMM256_128_TAG_BYTES],
                                           const uint8_t *plaintext, size_t plaintext_bytes,
                                           const uint8_t *ad, size_t ad_bytes,
                                           const uint8_t nonce[HANJI_SCHWAEMM256_128_NONCE_BYTES],
                                           const uint8_t key[HANJI_SCHWAEMM256_128_KEY_BYTES])
{
    return encrypt_detached(ciphertext, tag, plaintext, plaintext_bytes, ad, ad_bytes, nonce, key,
                            hanji_schwaemm256_128_seal, &schwaemm256_128);
}

int hanji_schwaemm256_128_decrypt_detached(uint8_t *plaintext, const uint8_t *ciphertext,
                                           size_t ciphertext_bytes,
                                           const uint8_t tag[HANJI_SCHWAEMM256_128_TAG_BYTES],
                                           const uint8_t *ad, size_t ad_bytes,
                                           const uint8_t nonce[HANJI_SCHWAEMM256_128_NONCE_BYTES],
                                           const uint8_t key[HANJI_SCHWAEMM256_128_KEY_BYTES])
{
    return decrypt_detached(plaintext, ciphertext, ciphertext_bytes, tag, ad, ad_bytes, nonce, key,
                            hanji_schwaemm256_128_open, &schwaemm256_128);
}

static HANJI_NOINLINE int schwaemm256_128_init(const uint8_t *nonce, const uint8_t *key,
                                               hanji_schwaemm_ctx *ctx)
{
    return init(nonce, key, ctx, &schwaemm256_128);
}

int hanji_schwaemm256_128_init(const uint8_t nonce[HANJI_SCHWAEMM256_128_NONCE_BYTES],
                               const uint8_t key[HANJI_SCHWAEMM256_128_KEY_BYTES],
                               hanji_schwaemm_ctx *ctx)
{
    const int rc = schwaemm256_128_init(nonce, key, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

static HANJI_NOINLINE int schwaemm256_128_update_ad(const uint8_t *ad, size_t ad_bytes,
                                                    hanji_schwaemm_ctx *ctx)
{
    return update_ad(ad, ad_bytes, ctx, &schwaemm256_128);
}

int hanji_schwaemm256_128_update_ad(const uint8_t *ad, size_t ad_bytes, hanji_schwaemm_ctx *ctx)
{
    const int rc = schwaemm256_128_update_ad(ad, ad_bytes, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

static HANJI_NOINLINE int schwaemm256_128_update(uint8_t *out, const uint8_t *in, size_t bytes,
                                                 hanji_schwaemm_ctx *ctx)
{
    return update(out, in, bytes, ctx, &schwaemm256_128);
}

int hanji_schwaemm256_128_update(uint8_t *ciphertext, const uint8_t *plaintext,
                                 size_t plaintext_bytes, hanji_schwaemm_ctx *ctx)
{
    const int rc = schwaemm256_128_update(ciphertext, plaintext, plaintext_bytes, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

static HANJI_NOINLINE int schwaemm256_128_final(uint8_t *tag, hanji_schwaemm_ctx *ctx)
{
    return final(tag, ctx, &schwaemm256_128);
}

int hanji_schwaemm256_128_final(uint8_t tag[HANJI_SCHWAEMM256_128_TAG_BYTES],
                                hanji_schwaemm_ctx *ctx)
{
    const int rc = schwaemm256_128_final(tag, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

/* SCHWAEMM192-192 */
HANJI_NOINLINE void hanji_schwaemm192_192_seal(uint8_t *out, uint8_t *tag, const uint8_t *in,
                                               size_t bytes, const uint8_t *ad, size_t ad_bytes,
                                               const uint8_t *nonce, const uint8_t *key)
{
    seal(out, tag, in, bytes, ad, ad_bytes, nonce, key, &schwaemm192_192);
}

HANJI_NOINLINE int hanji_schwaemm192_192_open(uint8_t *out, const uint8_t *in, size_t bytes,
                                              const uint8_t *tag, const uint8_t *ad,
                                              size_t ad_bytes, const uint8_t *nonce,
                                              const uint8_t *key)
{
    return open_message(out, in, bytes, tag, ad, ad_bytes, nonce, key, &schwaemm192_192);
}

int hanji_schwaemm192_192_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                                  const uint8_t *ad, size_t ad_bytes,
                                  const uint8_t nonce[HANJI_SCHWAEMM192_192_NONCE_BYTES],
                                  const uint8_t key[HANJI_SCHWAEMM192_192_KEY_BYTES])
{
    return encrypt(out, plaintext, plaintext_bytes, ad, ad_bytes, nonce, key,
                   hanji_schwaemm192_192_seal, &schwaemm192_192);
}

int hanji_schwaemm192_192_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes,
                                  const uint8_t *ad, size_t ad_bytes,
                                  const uint8_t nonce[HANJI_SCHWAEMM192_192_NONCE_BYTES],
                                  const uint8_t key[HANJI_SCHWAEMM192_192_KEY_BYTES])
{
    return decrypt(out, in, in_bytes, ad, ad_bytes, nonce, key, hanji_schwaemm192_192_open,
                   &schwaemm192_192);
}

int hanji_schwaemm192_192_encrypt_detached(uint8_t *ciphertext,
                                           uint8_t tag[HANJI_SCHWAEMM192_192_TAG_BYTES],
                                           const uint8_t *plaintext, size_t plaintext_bytes,
                                           const uint8_t *ad, size_t ad_bytes,
                                           const uint8_t nonce[HANJI_SCHWAEMM192_192_NONCE_BYTES],
                                           const uint8_t key[HANJI_SCHWAEMM192_192_KEY_BYTES])
{
    return encrypt_detached(ciphertext, tag, plaintext, plaintext_bytes, ad, ad_bytes, nonce, key,
                            hanji_schwaemm192_192_seal, &schwaemm192_192);
}

int hanji_schwaemm192_192_decrypt_detached(uint8_t *plaintext, const uint8_t *ciphertext,
                                           size_t ciphertext_bytes,
                                           const uint8_t tag[HANJI_SCHWAEMM192_192_TAG_BYTES],
                                           const uint8_t *ad, size_t ad_bytes,
                                           const uint8_t nonce[HANJI_SCHWAEMM192_192_NONCE_BYTES],
                                           const uint8_t key[HANJI_SCHWAEMM192_192_KEY_BYTES])
{
    return decrypt_detached(plaintext, ciphertext, ciphertext_bytes, tag, ad, ad_bytes, nonce, key,
                            hanji_schwaemm192_192_open, &schwaemm192_192);
}

static HANJI_NOINLINE int schwaemm192_192_init(const uint8_t *nonce, const uint8_t *key,
                                               hanji_schwaemm_ctx *ctx)
{
    return init(nonce, key, ctx, &schwaemm192_192);
}

int hanji_schwaemm192_192_init(const uint8_t nonce[HANJI_SCHWAEMM192_192_NONCE_BYTES],
                               const uint8_t key[HANJI_SCHWAEMM192_192_KEY_BYTES],
                               hanji_schwaemm_ctx *ctx)
{
    const int rc = schwaemm192_192_init(nonce, key, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

static HANJI_NOINLINE int schwaemm192_192_update_ad(const uint8_t *ad, size_t ad_bytes,
                                                    hanji_schwaemm_ctx *ctx)
{
    return update_ad(ad, ad_bytes, ctx, &schwaemm192_192);
}

int hanji_schwaemm192_192_update_ad(const uint8_t *ad, size_t ad_bytes, hanji_schwaemm_ctx *ctx)
{
    const int rc = schwaemm192_192_update_ad(ad, ad_bytes, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

static HANJI_NOINLINE int schwaemm192_192_update(uint8_t *out, const uint8_t *in, size_t bytes,
                                                 hanji_schwaemm_ctx *ctx)
{
    return update(out, in, bytes, ctx, &schwaemm192_192);
}

int hanji_schwaemm192_192_update(uint8_t *ciphertext, const uint8_t *plaintext,
                                 size_t plaintext_bytes, hanji_schwaemm_ctx *ctx)
{
    const int rc = schwaemm192_192_update(ciphertext, plaintext, plaintext_bytes, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

static HANJI_NOINLINE int schwaemm192_192_final(uint8_t *tag, hanji_schwaemm_ctx *ctx)
{
    return final(tag, ctx, &schwaemm192_192);
}

int hanji_schwaemm192_192_final(uint8_t tag[HANJI_SCHWAEMM192_192_TAG_BYTES],
                                hanji_schwaemm_ctx *ctx)
{
    const int rc = schwaemm192_192_final(tag, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

/* SCHWAEMM128-128 */
HANJI_NOINLINE void hanji_schwaemm128_128_seal(uint8_t *out, uint8_t *tag, const uint8_t *in,
                                               size_t bytes, const uint8_t *ad, size_t ad_bytes,
                                               const uint8_t *nonce, const uint8_t *key)
{
    seal(out, tag, in, bytes, ad, ad_bytes, nonce, key, &schwaemm128_128);
}

HANJI_NOINLINE int hanji_schwaemm128_128_open(uint8_t *out, const uint8_t *in, size_t bytes,
                                              const uint8_t *tag, const uint8_t *ad,
                                              size_t ad_bytes, const uint8_t *nonce,
                                              const uint8_t *key)
{
    return open_message(out, in, bytes, tag, ad, ad_bytes, nonce, key, &schwaemm128_128);
}

int hanji_schwaemm128_128_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                                  const uint8_t *ad, size_t ad_bytes,
                                  const uint8_t nonce[HANJI_SCHWAEMM128_128_NONCE_BYTES],
                                  const uint8_t key[HANJI_SCHWAEMM128_128_KEY_BYTES])
{
    return encrypt(out, plaintext, plaintext_bytes, ad, ad_bytes, nonce, key,
                   hanji_schwaemm128_128_seal, &schwaemm128_128);
}

int hanji_schwaemm128_128_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes,
                                  const uint8_t *ad, size_t ad_bytes,
                                  const uint8_t nonce[HANJI_SCHWAEMM128_128_NONCE_BYTES],
                                  const uint8_t key[HANJI_SCHWAEMM128_128_KEY_BYTES])
{
    return decrypt(out, in, in_bytes, ad, ad_bytes, nonce, key, hanji_schwaemm128_128_open,
                   &schwaemm128_128);
}

int hanji_schwaemm128_128_encrypt_detached(uint8_t *ciphertext,
                                           uint8_t tag[HANJI_SCHWAEMM128_128_TAG_BYTES],
                                           const uint8_t *plaintext, size_t plaintext_bytes,
                                           const uint8_t *ad, size_t ad_bytes,
                                           const uint8_t nonce[HANJI_SCHWAEMM128_128_NONCE_BYTES],
                                           const uint8_t key[HANJI_SCHWAEMM128_128_KEY_BYTES])
{
    return encrypt_detached(ciphertext, tag, plaintext, plaintext_bytes, ad, ad_bytes, nonce, key,
                            hanji_schwaemm128_128_seal, &schwaemm128_128);
}

int hanji_schwaemm128_128_decrypt_detached(uint8_t *plaintext, const uint8_t *ciphertext,
                                           size_t ciphertext_bytes,
                                           const uint8_t tag[HANJI_SCHWAEMM128_128_TAG_BYTES],
                                           const uint8_t *ad, size_t ad_bytes,
                                           const uint8_t nonce[HANJI_SCHWAEMM128_128_NONCE_BYTES],
                                           const uint8_t key[HANJI_SCHWAEMM128_128_KEY_BYTES])
{
    return decrypt_detached(plaintext, ciphertext, ciphertext_bytes, tag, ad, ad_bytes, nonce, key,
                            hanji_schwaemm128_128_open, &schwaemm128_128);
}

static HANJI_NOINLINE int schwaemm128_128_init(const uint8_t *nonce, const uint8_t *key,
                                               hanji_schwaemm_ctx *ctx)
{
    return init(nonce, key, ctx, &schwaemm128_128);
}

int hanji_schwaemm128_128_init(const uint8_t nonce[HANJI_SCHWAEMM128_128_NONCE_BYTES],
                               const uint8_t key[HANJI_SCHWAEMM128_128_KEY_BYTES],
                               hanji_schwaemm_ctx *ctx)
{
    const int rc = schwaemm128_128_init(nonce, key, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

static HANJI_NOINLINE int schwaemm128_128_update_ad(const uint8_t *ad, size_t ad_bytes,
                                                    hanji_schwaemm_ctx *ctx)
{
    return update_ad(ad, ad_bytes, ctx, &schwaemm128_128);
}

int hanji_schwaemm128_128_update_ad(const uint8_t *ad, size_t ad_bytes, hanji_schwaemm_ctx *ctx)
{
    const int rc = schwaemm128_128_update_ad(ad, ad_bytes, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

static HANJI_NOINLINE int schwaemm128_128_update(uint8_t *out, const uint8_t *in, size_t bytes,
                                                 hanji_schwaemm_ctx *ctx)
{
    return update(out, in, bytes, ctx, &schwaemm128_128);
}

int hanji_schwaemm128_128_update(uint8_t *ciphertext, const uint8_t *plaintext,
                                 size_t plaintext_bytes, hanji_schwaemm_ctx *ctx)
{
    const int rc = schwaemm128_128_update(ciphertext, plaintext, plaintext_bytes, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

static HANJI_NOINLINE int schwaemm128_128_final(uint8_t *tag, hanji_schwaemm_ctx *ctx)
{
    return final(tag, ctx, &schwaemm128_128);
}

int hanji_schwaemm128_128_final(uint8_t tag[HANJI_SCHWAEMM128_128_TAG_BYTES],
                                hanji_schwaemm_ctx *ctx)
{
    const int rc = schwaemm128_128_final(tag, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

/* SCHWAEMM256-256 */
HANJI_NOINLINE void hanji_schwaemm256_256_seal(uint8_t *out, uint8_t *tag, const uint8_t *in,
                                               size_t bytes, const uint8_t *ad, size_t ad_bytes,
                                               const uint8_t *nonce, const uint8_t *key)
{
    seal(out, tag, in, bytes, ad, ad_bytes, nonce, key, &schwaemm256_256);
}

HANJI_NOINLINE int hanji_schwaemm256_256_open(uint8_t *out, const uint8_t *in, size_t bytes,
                                              const uint8_t *tag, const uint8_t *ad,
                                              size_t ad_bytes, const uint8_t *nonce,
                                              const uint8_t *key)
{
    return open_message(out, in, bytes, tag, ad, ad_bytes, nonce, key, &schwaemm256_256);
}

int hanji_schwaemm256_256_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                                  const uint8_t *ad, size_t ad_bytes,
                                  const uint8_t nonce[HANJI_SCHWAEMM256_256_NONCE_BYTES],
                                  const uint8_t key[HANJI_SCHWAEMM256_256_KEY_BYTES])
{
    return encrypt(out, plaintext, plaintext_bytes, ad, ad_bytes, nonce, key,
                   hanji_schwaemm256_256_seal, &schwaemm256_256);
}

int hanji_schwaemm256_256_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes,
                                  const uint8_t *ad, size_t ad_bytes,
                                  const uint8_t nonce[HANJI_SCHWAEMM256_256_NONCE_BYTES],
                                  const uint8_t key[HANJI_SCHWAEMM256_256_KEY_BYTES])
{
    return decrypt(out, in, in_bytes, ad, ad_bytes, nonce, key, hanji_schwaemm256_256_open,
                   &schwaemm256_256);
}

int hanji_schwaemm256_256_encrypt_detached(uint8_t *ciphertext,
                                           uint8_t tag[HANJI_SCHWAEMM256_256_TAG_BYTES],
                                           const uint8_t *plaintext, size_t plaintext_bytes,
                                           const uint8_t *ad, size_t ad_bytes,
                                           const uint8_t nonce[HANJI_SCHWAEMM256_256_NONCE_BYTES],
                                           const uint8_t key[HANJI_SCHWAEMM256_256_KEY_BYTES])
{
    return encrypt_detached(ciphertext, tag, plaintext, plaintext_bytes, ad, ad_bytes, nonce, key,
                            hanji_schwaemm256_256_seal, &schwaemm256_256);
}

int hanji_schwaemm256_256_decrypt_detached(uint8_t *plaintext, const uint8_t *ciphertext,
                                           size_t ciphertext_bytes,
                                           const uint8_t tag[HANJI_SCHWAEMM256_256_TAG_BYTES],
                                           const uint8_t *ad, size_t ad_bytes,
                                           const uint8_t nonce[HANJI_SCHWAEMM256_256_NONCE_BYTES],
                                           const uint8_t key[HANJI_SCHWAEMM256_256_KEY_BYTES])
{
    return decrypt_detached(plaintext, ciphertext, ciphertext_bytes, tag, ad, ad_bytes, nonce, key,
                            hanji_schwaemm256_256_open, &schwaemm256_256);
}

static HANJI_NOINLINE int schwaemm256_256_init(const uint8_t *nonce, const uint8_t *key,
                                               hanji_schwaemm_ctx *ctx)
{
    return init(nonce, key, ctx, &schwaemm256_256);
}

int hanji_schwaemm256_256_init(const uint8_t nonce[HANJI_SCHWAEMM256_256_NONCE_BYTES],
                               const uint8_t key[HANJI_SCHWAEMM256_256_KEY_BYTES],
                               hanji_schwaemm_ctx *ctx)
{
    const int rc = schwaemm256_256_init(nonce, key, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

static HANJI_NOINLINE int schwaemm256_256_update_ad(const uint8_t *ad, size_t ad_bytes,
                                                    hanji_schwaemm_ctx *ctx)
{
    return update_ad(ad, ad_bytes, ctx, &schwaemm256_256);
}

int hanji_schwaemm256_256_update_ad(const uint8_t *ad, size_t ad_bytes, hanji_schwaemm_ctx *ctx)
{
    const int rc = schwaemm256_256_update_ad(ad, ad_bytes, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

static HANJI_NOINLINE int schwaemm256_256_update(uint8_t *out, const uint8_t *in, size_t bytes,
                                                 hanji_schwaemm_ctx *ctx)
{
    return update(out, in, bytes, ctx, &schwaemm256_256);
}

int hanji_schwaemm256_256_update(uint8_t *ciphertext, const uint8_t *plaintext,
                                 size_t plaintext_bytes, hanji_schwaemm_ctx *ctx)
{
    const int rc = schwaemm256_256_update(ciphertext, plaintext, plaintext_bytes, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

static HANJI_NOINLINE int schwaemm256_256_final(uint8_t *tag, hanji_schwaemm_ctx *ctx)
{
    return final(tag, ctx, &schwaemm256_256);
}

int hanji_schwaemm256_256_final(uint8_t tag[HANJI_SCHWAEMM256_256_TAG_BYTES],
                                hanji_schwaemm_ctx *ctx)
{
    const int rc = schwaemm256_256_final(tag, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

void hanji_schwaemm_wipe(hanji_schwaemm_ctx *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
}

size_t hanji_schwaemm_ctx_bytes(void)
{
    return sizeof(hanji_schwaemm_ctx);
}

static const instance *instance_of(uint32_t number)
{
    switch (number) {
    case 256128: return &schwaemm256_128;
    case 192192: return &schwaemm192_192;
    case 128128: return &schwaemm128_128;
    case 256256: return &schwaemm256_256;
    default: return NULL;
    }
}

size_t hanji_schwaemm_key_bytes(uint32_t number)
{
    const instance *c = instance_of(number);
    return c == NULL ? 0 : 4 * c->capacity;
}

size_t hanji_schwaemm_nonce_bytes(uint32_t number)
{
    const instance *c = instance_of(number);
    return c == NULL ? 0 : 4 * c->rate;
}

size_t hanji_schwaemm_tag_bytes(uint32_t number)
{
    return hanji_schwaemm_key_bytes(number);
}
