/* SPDX-License-Identifier: Apache-2.0 */
/*
 * EAX (Bellare, Rogaway, Wagner, FSE 2004): OMAC of nonce, associated data and ciphertext, and
 * counter mode from the OMAC of the nonce.
 */
#include "hanji/aead.h"

#include "modes/eax.h"
#include "modes/modes.h"
#include "support/bytes.h"
#include "support/secret.h"

#if HANJI_ROWS_IN_THREES
#include "modes/words.h"
#endif

enum { UNBOUND, BOUND, IN_AD, IN_MESSAGE };

/*
 * Behind a message. On hosts the portable kernels of CHAM-128 reach 1,000 bytes below the public
 * functions, and in groups of 36 blocks and more AVX-512 kernels of clang 14 up to 11,200: they
 * wipe their key streams, but not the counters, and the counter of EAX is secret.
 */
#ifdef HANJI_FREESTANDING
#define wipe_stack_behind(bytes) ((void)(bytes), hanji_wipe_stack_shallow())
#else
static HANJI_NOINLINE void wipe_stack_of_groups(void)
{
    uint8_t below[12288];
    hanji_wipe(below, sizeof below);
}

HANJI_INLINE void wipe_stack_behind(size_t bytes)
{
    if (bytes < 512)
        hanji_wipe_stack();
    else
        wipe_stack_of_groups();
}
#endif

/*
 * EAX uses the ciphertext twice: its bytes are authenticated, and the key stream is added to them.
 * Other threads, processes or devices may write to the caller's memory meanwhile, but the bytes
 * decrypted must be the bytes authenticated. So a window of ciphertext at a time is held on the
 * stack, where nobody else writes, and the caller's memory is read or written once for each byte.
 */
#ifdef HANJI_FREESTANDING
#define WINDOW 64
#else
#define WINDOW 4096 /* enough for the widest kernels of CTR */
#endif

/*
 * A window of 4 KiB lies below the reach of the callers' wiping; a small one does not. It held
 * ciphertext only, but what calls leave on the stack depends on no key and no text.
 */
HANJI_INLINE void wipe_window(uint8_t *window, size_t bytes)
{
#ifdef HANJI_FREESTANDING
    (void)window;
    (void)bytes;
#else
    hanji_wipe(window, bytes < WINDOW ? bytes : WINDOW);
#endif
}

/*
 * Begin OMAC^t: a CMAC whose first block is the number t. It waits in the pending block, so it
 * costs its call later.
 */
static void start_omac(uint8_t t, hanji_eax_ctx *ctx)
{
    const size_t n = ctx->mac.cipher->block_bytes;
    hanji_cmac_start(&ctx->mac);
    memset(ctx->mac.pending, 0, n);
    ctx->mac.pending[n - 1] = t;
    ctx->mac.pending_bytes = (uint32_t)n;
}

static HANJI_NOINLINE void begin(const uint8_t *nonce, size_t nonce_bytes, hanji_eax_ctx *ctx,
                                 const hanji_chain *chain)
{
    start_omac(0, ctx);
    hanji_cmac_absorb(nonce, nonce_bytes, &ctx->mac, chain);
    hanji_cmac_finish(ctx->sum, &ctx->mac, chain);
    hanji_ctr_start(ctx->sum, ctx->mac.block, &ctx->ctr);
    start_omac(1, ctx);
    ctx->phase = IN_AD;
}

/* From associated data to message: one cipher call. */
static HANJI_NOINLINE void close_ad(hanji_eax_ctx *ctx, const hanji_chain *chain)
{
    uint8_t tag[HANJI_BLOCK_BYTES_MAX];
    const size_t n = ctx->mac.cipher->block_bytes;
    hanji_cmac_finish(tag, &ctx->mac, chain);
    xor_bytes(ctx->sum, ctx->sum, tag, n);
    start_omac(2, ctx);
    ctx->phase = IN_MESSAGE;
}

/* The tag, a block long; ready for the next message. */
static HANJI_NOINLINE void close_message(uint8_t tag[HANJI_BLOCK_BYTES_MAX], hanji_eax_ctx *ctx,
                                         const hanji_chain *chain)
{
    const size_t n = ctx->mac.cipher->block_bytes;
    hanji_cmac_finish(tag, &ctx->mac, chain);
    xor_bytes(tag, tag, ctx->sum, n);
    hanji_wipe(&ctx->ctr, sizeof ctx->ctr);
    hanji_wipe(ctx->sum, sizeof ctx->sum);
    ctx->phase = BOUND;
}

/* The next bytes of a message in windows: its key stream and its OMAC. */
static HANJI_NOINLINE void run_windows(uint8_t *out, const uint8_t *in, size_t bytes, int open,
                                       hanji_eax_ctx *ctx, const hanji_chain *chain)
{
    const size_t whole = bytes;
    uint8_t window[WINDOW];
    while (bytes > 0) {
        const size_t here = bytes < WINDOW ? bytes : WINDOW;
        if (open)
            memcpy(window, in, here);
        else
            hanji_ctr_apply(window, in, here, &ctx->ctr);
        hanji_cmac_absorb(window, here, &ctx->mac, chain);
        if (open)
            hanji_ctr_apply(out, window, here, &ctx->ctr);
        else
            memcpy(out, window, here);
        in += here;
        out += here;
        bytes -= here;
    }
    wipe_window(window, whole);
    /* The window has moved the frames of the kernels below the reach of the callers' wiping. */
    wipe_stack_behind(whole);
}

static int bound(const hanji_eax_ctx *ctx)
{
    return ctx != NULL && hanji_cmac_ready(&ctx->mac) && ctx->phase >= BOUND &&
           ctx->phase <= IN_MESSAGE;
}

HANJI_INLINE void bind(size_t tag_bytes, hanji_block_ctx *key, hanji_eax_ctx *ctx)
{
    const hanji_chain chain = hanji_chain_of(key);
    hanji_cmac_key(key, &ctx->mac, &chain);
    ctx->tag_bytes = (uint32_t)tag_bytes;
    ctx->phase = BOUND;
}

#if HANJI_GROUP_MESSAGES_MAX > 1
void hanji_eax_bind(size_t tag_bytes, hanji_block_ctx *key, hanji_eax_ctx *ctx)
{
    bind(tag_bytes, key, ctx);
}
#endif

int hanji_eax_init(size_t tag_bytes, hanji_block_ctx *key, hanji_eax_ctx *ctx)
{
    if (ctx == NULL || hanji_mode_in_key(ctx, sizeof *ctx, key))
        return HANJI_E_ARGUMENT;
    int rc = HANJI_OK;
    if (!hanji_block_keyed(key))
        rc = HANJI_E_ARGUMENT;
    else if (!hanji_block_is_64_or_128(key) || tag_bytes < 1 ||
             tag_bytes > key->cipher->block_bytes)
        rc = HANJI_E_LENGTH;
    else
        rc = hanji_block_reserve(1, key);
    hanji_wipe(ctx, sizeof *ctx);
    if (rc == HANJI_OK) {
        bind(tag_bytes, key, ctx);
        hanji_wipe_stack_shallow();
    }
    return rc;
}

/*
 * The cipher calls of the tag of a whole message: three prefixes, nonce, associated data and
 * ciphertext.
 */
static uint64_t tag_calls(size_t bytes, size_t ad_bytes, size_t nonce_bytes,
                          const hanji_eax_ctx *ctx)
{
    const size_t n = ctx->mac.cipher->block_bytes;
    return 3 + hanji_blocks_begun(nonce_bytes, n) + hanji_blocks_begun(ad_bytes, n) +
           hanji_blocks_begun(bytes, n);
}

static int touched(const uint8_t *data, size_t bytes, const hanji_eax_ctx *ctx)
{
    return !valid(data, bytes) || hanji_mode_touched(data, bytes, ctx, sizeof *ctx, ctx->mac.block);
}

typedef hanji_eax_arrays arrays;

static int check(const arrays *a, const hanji_eax_ctx *ctx)
{
    if (!bound(ctx) || touched(a->out, a->out_bytes, ctx) || touched(a->in, a->in_bytes, ctx) ||
        touched(a->ad, a->ad_bytes, ctx) || touched(a->nonce, a->nonce_bytes, ctx) ||
        overlap_partly(a->out, a->out_bytes, a->in, a->in_bytes) ||
        overlap(a->out, a->out_bytes, a->ad, a->ad_bytes) ||
        overlap(a->out, a->out_bytes, a->nonce, a->nonce_bytes))
        return HANJI_E_ARGUMENT;
    return a->nonce_bytes < 1 ? HANJI_E_LENGTH : HANJI_OK;
}

#if HANJI_ROWS_IN_THREES
/*
 * A whole message on hosts. The chains of nonce, associated data and text begin with the numbers 0,
 * 1 and 2, and the subkeys are made of the cipher of 0: the first block of the nonce and
 * the two other numbers wait for nothing, and processors work on all three at a time.
 */
typedef struct omacs {
    uint64_t chains[3 * HANJI_BLOCK_BYTES_MAX / 8]; /* nonce, associated data, text: a block each */
    words_block k1, k2, sum;
} omacs;

HANJI_INLINE uint8_t *chain_at(omacs *o, size_t t, size_t n)
{
    return (uint8_t *)o->chains + t * n;
}

static void absorb_text(omacs *o, size_t t, const uint8_t *in, size_t bytes,
                        const hanji_chain *chain, size_t n)
{
    const size_t whole = hanji_whole_blocks(bytes - 1, n), before = whole * n;
    uint8_t last[HANJI_BLOCK_BYTES_MAX];
    if (whole > 0)
        chain->mac(chain_at(o, t, n), in, whole, chain->keys);
    store_block(last, last_block(in + before, bytes - before, o->k1, o->k2, n), n);
    chain->mac(chain_at(o, t, n), last, 1, chain->keys);
    wipe_here(last, sizeof last);
}

/* Nonce, associated data, and a text of no bytes. */
static void begin_omacs(omacs *o, size_t bytes, const arrays *a, const hanji_eax_ctx *ctx,
                        const hanji_chain *chain, size_t n)
{
    static const uint8_t zero[HANJI_BLOCK_BYTES_MAX] = {0};
    const int more = a->nonce_bytes > n;
    o->k1 = load_block(ctx->mac.k1, n);
    o->k2 = load_block(ctx->mac.k2, n);
    words_block first[3] = {more ? load_block(a->nonce, n)
                                 : last_block(a->nonce, a->nonce_bytes, o->k1, o->k2, n)};
    first[0] = xor_blocks(first[0], halved(o->k1, n));
    for (size_t t = 1; t < 3; t++) {
        first[t].word[(n - 1) >> 3] = (uint64_t)t << 56;
        if ((t == 1 ? a->ad_bytes : bytes) == 0)
            first[t] = xor_blocks(first[t], o->k1);
    }
    for (size_t t = 0; t < 3; t++)
        store_block(chain_at(o, t, n), first[t], n);
    for (size_t t = 0; t < 3; t++)
        chain->mac(chain_at(o, t, n), zero, 1, chain->keys);
    if (more)
        absorb_text(o, 0, a->nonce + n, a->nonce_bytes - n, chain, n);
    if (a->ad_bytes > 0)
        absorb_text(o, 1, a->ad, a->ad_bytes, chain, n);
    o->sum = xor_blocks(load_block(chain_at(o, 0, n), n), load_block(chain_at(o, 1, n), n));
    wipe_here(first, sizeof first);
}

/* Key stream and chain of a text of 1 byte or more, in windows. */
static HANJI_NOINLINE void run_text(omacs *o, uint8_t *out, const uint8_t *in, size_t bytes,
                                    int open, const hanji_block_ctx *key, const hanji_chain *chain,
                                    size_t n)
{
    const size_t whole = bytes;
    uint8_t window[WINDOW], stream[HANJI_BLOCK_BYTES_MAX];
    uint8_t *counter = (uint8_t *)o->chains;
    for (; bytes > WINDOW; bytes -= WINDOW, in += WINDOW, out += WINDOW) {
        if (open)
            memcpy(window, in, WINDOW);
        else
            hanji_block_run_ctr(window, in, WINDOW, counter, stream, key);
        chain->mac(chain_at(o, 2, n), window, hanji_whole_blocks(WINDOW, n), chain->keys);
        if (open)
            hanji_block_run_ctr(out, window, WINDOW, counter, stream, key);
        else
            memcpy(out, window, WINDOW);
    }
    if (open)
        memcpy(window, in, bytes);
    else
        hanji_block_run_ctr(window, in, bytes, counter, stream, key);
    absorb_text(o, 2, window, bytes, chain, n);
    if (open)
        hanji_block_run_ctr(out, window, bytes, counter, stream, key);
    else
        memcpy(out, window, bytes);
    wipe_here(stream, sizeof stream);
    wipe_window(window, whole);
    wipe_stack_behind(whole); /* as in run_windows() */
}

HANJI_INLINE void close_omacs(uint8_t tag[HANJI_BLOCK_BYTES_MAX], omacs *o, size_t n)
{
    store_block(tag, xor_blocks(o->sum, load_block(chain_at(o, 2, n), n)), n);
}

/* An unfinished message in pieces is given up. */
HANJI_INLINE void give_up_pieces(hanji_eax_ctx *ctx)
{
    if (ctx->phase == BOUND)
        return;
    hanji_cmac_start(&ctx->mac);
    hanji_wipe(&ctx->ctr, sizeof ctx->ctr);
    hanji_wipe(ctx->sum, sizeof ctx->sum);
    ctx->phase = BOUND;
}

static HANJI_NOINLINE void seal_whole(uint8_t *tag, size_t bytes, const arrays *a,
                                      hanji_eax_ctx *ctx, const hanji_chain *chain)
{
    const size_t n = ctx->mac.cipher->block_bytes;
    uint8_t whole[HANJI_BLOCK_BYTES_MAX];
    omacs o;
    give_up_pieces(ctx);
    begin_omacs(&o, bytes, a, ctx, chain, n);
    if (bytes > 0)
        run_text(&o, a->out, a->in, bytes, 0, ctx->mac.block, chain, n);
    close_omacs(whole, &o, n);
    memcpy(tag, whole, ctx->tag_bytes);
    wipe_here(whole, sizeof whole);
    wipe_here(&o, sizeof o);
}

/* As hanji_eax_open(). */
static HANJI_NOINLINE int open_whole(uint8_t *out, const uint8_t *tag, size_t bytes,
                                     const arrays *a, hanji_eax_ctx *ctx, const hanji_chain *chain)
{
    const size_t n = ctx->mac.cipher->block_bytes;
    uint8_t whole[HANJI_BLOCK_BYTES_MAX];
    omacs o;
    give_up_pieces(ctx);
    begin_omacs(&o, bytes, a, ctx, chain, n);
    if (bytes > 0)
        run_text(&o, out, a->in, bytes, 1, ctx->mac.block, chain, n);
    close_omacs(whole, &o, n);
    const int rc = hanji_equal(whole, tag, ctx->tag_bytes) ? HANJI_OK : HANJI_E_TAG;
    if (rc != HANJI_OK && bytes > 0)
        hanji_wipe(out, bytes);
    wipe_here(whole, sizeof whole);
    wipe_here(&o, sizeof o);
    return rc;
}
#endif

HANJI_NOINLINE int hanji_eax_seal(uint8_t *tag, size_t bytes, const hanji_eax_arrays *a,
                                  hanji_eax_ctx *ctx)
{
    const int rc = hanji_block_reserve(tag_calls(bytes, a->ad_bytes, a->nonce_bytes, ctx) +
                                           hanji_blocks_begun(bytes, ctx->mac.cipher->block_bytes),
                                       ctx->mac.block);
    if (rc != HANJI_OK)
        return rc;
    const hanji_chain chain = hanji_chain_of(ctx->mac.block);
#if HANJI_ROWS_IN_THREES
    if (chain.mac != NULL) {
        seal_whole(tag, bytes, a, ctx, &chain);
        return HANJI_OK;
    }
#endif
    uint8_t whole[HANJI_BLOCK_BYTES_MAX];
    begin(a->nonce, a->nonce_bytes, ctx, &chain);
    hanji_cmac_absorb(a->ad, a->ad_bytes, &ctx->mac, &chain);
    close_ad(ctx, &chain);
    run_windows(a->out, a->in, bytes, 0, ctx, &chain);
    close_message(whole, ctx, &chain);
    memcpy(tag, whole, ctx->tag_bytes);
    hanji_wipe(whole, sizeof whole);
    return HANJI_OK;
}

/* All cipher calls of the message are counted before the first, whether its tag matches or not. */
HANJI_NOINLINE int hanji_eax_open(uint8_t *out, const uint8_t *tag, size_t bytes,
                                  const hanji_eax_arrays *a, hanji_eax_ctx *ctx)
{
    hanji_block_ctx *key = ctx->mac.block;
    int rc = hanji_block_reserve(tag_calls(bytes, a->ad_bytes, a->nonce_bytes, ctx) +
                                     hanji_blocks_begun(bytes, ctx->mac.cipher->block_bytes),
                                 key);
    if (rc != HANJI_OK)
        return rc;
    const hanji_chain chain = hanji_chain_of(key);
#if HANJI_ROWS_IN_THREES
    if (chain.mac != NULL)
        return open_whole(out, tag, bytes, a, ctx, &chain);
#endif
    uint8_t whole[HANJI_BLOCK_BYTES_MAX];
    begin(a->nonce, a->nonce_bytes, ctx, &chain);
    hanji_cmac_absorb(a->ad, a->ad_bytes, &ctx->mac, &chain);
    close_ad(ctx, &chain);
    run_windows(out, a->in, bytes, 1, ctx, &chain);
    close_message(whole, ctx, &chain);
    if (!hanji_equal(whole, tag, ctx->tag_bytes)) {
        rc = HANJI_E_TAG;
        if (bytes > 0)
            hanji_wipe(out, bytes);
    }
    hanji_wipe(whole, sizeof whole);
    return rc;
}

int hanji_eax_encrypt_detached(uint8_t *ciphertext, uint8_t *tag, const uint8_t *plaintext,
                               size_t plaintext_bytes, const uint8_t *ad, size_t ad_bytes,
                               const uint8_t *nonce, size_t nonce_bytes, hanji_eax_ctx *ctx)
{
    const arrays a = {ciphertext, plaintext_bytes, plaintext, plaintext_bytes,
                      ad,         ad_bytes,        nonce,     nonce_bytes};
    int rc = check(&a, ctx);
    if (rc != HANJI_OK)
        return rc;
    const size_t t = ctx->tag_bytes;
    if (touched(tag, t, ctx) || overlap(tag, t, ciphertext, plaintext_bytes) ||
        overlap(tag, t, plaintext, plaintext_bytes) || overlap(tag, t, ad, ad_bytes) ||
        overlap(tag, t, nonce, nonce_bytes))
        return HANJI_E_ARGUMENT;
    rc = hanji_eax_seal(tag, plaintext_bytes, &a, ctx);
    wipe_stack_behind(plaintext_bytes);
    return rc;
}

int hanji_eax_decrypt_detached(uint8_t *plaintext, const uint8_t *ciphertext,
                               size_t ciphertext_bytes, const uint8_t *tag, size_t tag_bytes,
                               const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce,
                               size_t nonce_bytes, hanji_eax_ctx *ctx)
{
    const arrays a = {plaintext, ciphertext_bytes, ciphertext, ciphertext_bytes,
                      ad,        ad_bytes,         nonce,      nonce_bytes};
    int rc = check(&a, ctx);
    if (rc != HANJI_OK)
        return rc;
    if (touched(tag, tag_bytes, ctx) || overlap(plaintext, ciphertext_bytes, tag, tag_bytes))
        return HANJI_E_ARGUMENT;
    if (tag_bytes != ctx->tag_bytes)
        return HANJI_E_LENGTH;
    rc = hanji_eax_open(plaintext, tag, ciphertext_bytes, &a, ctx);
    wipe_stack_behind(ciphertext_bytes);
    return rc;
}

int hanji_eax_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                      const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce, size_t nonce_bytes,
                      hanji_eax_ctx *ctx)
{
    if (!bound(ctx))
        return HANJI_E_ARGUMENT;
    if (plaintext_bytes > SIZE_MAX - ctx->tag_bytes)
        return HANJI_E_LENGTH;
    const arrays a = {out,       plaintext_bytes + ctx->tag_bytes,
                      plaintext, plaintext_bytes,
                      ad,        ad_bytes,
                      nonce,     nonce_bytes};
    int rc = check(&a, ctx);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_eax_seal(out + plaintext_bytes, plaintext_bytes, &a, ctx);
    wipe_stack_behind(plaintext_bytes);
    return rc;
}

int hanji_eax_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes, const uint8_t *ad,
                      size_t ad_bytes, const uint8_t *nonce, size_t nonce_bytes, hanji_eax_ctx *ctx)
{
    if (!bound(ctx))
        return HANJI_E_ARGUMENT;
    if (in_bytes < ctx->tag_bytes)
        return HANJI_E_LENGTH;
    const size_t bytes = in_bytes - ctx->tag_bytes;
    const arrays a = {out, bytes, in, in_bytes, ad, ad_bytes, nonce, nonce_bytes};
    int rc = check(&a, ctx);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_eax_open(out, in + bytes, bytes, &a, ctx);
    wipe_stack_behind(bytes);
    return rc;
}

int hanji_eax_begin(const uint8_t *nonce, size_t nonce_bytes, hanji_eax_ctx *ctx)
{
    const arrays a = {.nonce = nonce, .nonce_bytes = nonce_bytes};
    int rc = check(&a, ctx);
    if (rc == HANJI_OK)
        rc = hanji_block_reserve(1 + hanji_blocks_begun(nonce_bytes, ctx->mac.cipher->block_bytes),
                                 ctx->mac.block);
    if (rc == HANJI_OK) {
        const hanji_chain chain = hanji_chain_of(ctx->mac.block);
        begin(nonce, nonce_bytes, ctx, &chain);
        hanji_wipe_stack_shallow();
    }
    return rc;
}

int hanji_eax_update_ad(const uint8_t *ad, size_t ad_bytes, hanji_eax_ctx *ctx)
{
    if (!bound(ctx) || ctx->phase != IN_AD || touched(ad, ad_bytes, ctx))
        return HANJI_E_ARGUMENT;
    const uint64_t need =
        hanji_cmac_need(ad_bytes, ctx->mac.pending_bytes, ctx->mac.cipher->block_bytes);
    const int rc = hanji_block_reserve(need, ctx->mac.block);
    if (rc == HANJI_OK) {
        const hanji_chain chain = hanji_chain_of(ctx->mac.block);
        hanji_cmac_absorb(ad, ad_bytes, &ctx->mac, &chain);
        hanji_wipe_stack_shallow();
    }
    return rc;
}

static HANJI_NOINLINE void update(uint8_t *ciphertext, const uint8_t *plaintext, size_t bytes,
                                  hanji_eax_ctx *ctx)
{
    const hanji_chain chain = hanji_chain_of(ctx->mac.block);
    if (ctx->phase == IN_AD)
        close_ad(ctx, &chain);
    run_windows(ciphertext, plaintext, bytes, 0, ctx, &chain);
}

int hanji_eax_update(uint8_t *ciphertext, const uint8_t *plaintext, size_t plaintext_bytes,
                     hanji_eax_ctx *ctx)
{
    if (!bound(ctx) || ctx->phase == BOUND || touched(ciphertext, plaintext_bytes, ctx) ||
        touched(plaintext, plaintext_bytes, ctx) ||
        overlap_partly(ciphertext, plaintext_bytes, plaintext, plaintext_bytes))
        return HANJI_E_ARGUMENT;
    if (plaintext_bytes == 0)
        return HANJI_OK;
    /*
     * Closing the associated data is one call, and leaves the prefix of the ciphertext pending: a
     * whole block.
     */
    const size_t n = ctx->mac.cipher->block_bytes,
                 pending = ctx->phase == IN_AD ? n : ctx->mac.pending_bytes;
    const uint64_t need = (ctx->phase == IN_AD) + hanji_ctr_need(plaintext_bytes, &ctx->ctr) +
                          hanji_cmac_need(plaintext_bytes, pending, n);
    const int rc = hanji_block_reserve(need, ctx->mac.block);
    if (rc == HANJI_OK) {
        update(ciphertext, plaintext, plaintext_bytes, ctx);
        wipe_stack_behind(plaintext_bytes);
    }
    return rc;
}

static HANJI_NOINLINE void give(uint8_t *tag, hanji_eax_ctx *ctx)
{
    const hanji_chain chain = hanji_chain_of(ctx->mac.block);
    uint8_t whole[HANJI_BLOCK_BYTES_MAX];
    if (ctx->phase == IN_AD)
        close_ad(ctx, &chain);
    close_message(whole, ctx, &chain);
    memcpy(tag, whole, ctx->tag_bytes);
    hanji_wipe(whole, sizeof whole);
}

int hanji_eax_final(uint8_t *tag, hanji_eax_ctx *ctx)
{
    if (!bound(ctx) || tag == NULL || ctx->phase == BOUND || touched(tag, ctx->tag_bytes, ctx))
        return HANJI_E_ARGUMENT;
    const int rc = hanji_block_reserve(ctx->phase == IN_AD ? 2 : 1, ctx->mac.block);
    if (rc == HANJI_OK) {
        give(tag, ctx);
        hanji_wipe_stack_shallow();
    }
    return rc;
}

void hanji_eax_wipe(hanji_eax_ctx *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
}
