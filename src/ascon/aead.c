/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ascon-AEAD128 (SP 800-232, section 4), with its options: truncated tags (section 4.2.1) and nonce
 * masking (section 4.2.2).
 */
/* A message has the addresses of its parts, so that parameters are written through it. */
/* NOLINTBEGIN(readability-non-const-parameter) */
#include "hanji/aead.h"

#include "ascon/ascon.h"
#include "ascon/ascon_parts.h"
#include "support/bytes.h"
#include "support/secret.h"

#define ASCON_KEY HANJI_ASCON_AEAD128_KEY_BYTES
#define ASCON_NONCE HANJI_ASCON_AEAD128_NONCE_BYTES
#define ASCON_TAG HANJI_ASCON_AEAD128_TAG_BYTES
#define AEAD_RATE HANJI_ASCON_RATE

/* What a state begins with: a key, and a nonce with the mask on it. */
typedef struct words {
    uint64_t key[2], nonce[2];
} words;

typedef hanji_ascon_message message;

/* The last member of a message whose kernel is not chosen yet, where it has one. */
#ifdef HANJI_X86
#define UNCHOSEN , NULL
#else
#define UNCHOSEN
#endif

ASCON_SHARED void load_pair(uint64_t *pair, const uint8_t *bytes)
{
#ifdef HANJI_RV32
    if (word_aligned(bytes)) {
        pair[0] = load_aligned(bytes);
        pair[1] = load_aligned(bytes + 8);
        return;
    }
#endif
    pair[0] = load_le64(bytes);
    pair[1] = load_le64(bytes + 8);
}

/*
 * A key into two words of a state. Not as one vector: what has just been stored as two words would
 * be read as one, which processors of x86-64 wait for.
 */
HANJI_INLINE void add_key(uint64_t *at, const uint64_t *key)
{
    uint64_t first = at[0] ^ key[0];
#if defined(HANJI_X86) && defined(__GNUC__)
    __asm__("" : "+r"(first));
#endif
    at[0] = first;
    at[1] ^= key[1];
}

ASCON_SHARED void start_state(uint64_t *s, const words *w, const hanji_ascon_aead_kernel *kernel)
{
#ifdef HANJI_RV32
    if (kernel->start != NULL) {
        kernel->start(s, w->nonce, w->key);
        return;
    }
#endif
    s[0] = HANJI_ASCON_AEAD128_IV;
    s[1] = w->key[0];
    s[2] = w->key[1];
    s[3] = w->nonce[0];
    s[4] = w->nonce[1];
    kernel->permute(s, HANJI_ASCON_ROUNDS);
    add_key(s + 3, w->key);
}

/* No associated data at all is not the same as a block of padding. The domain bit is for both. */
ASCON_SHARED void absorb_ad(uint64_t *s, const uint8_t *ad, size_t bytes,
                            const hanji_ascon_aead_kernel *kernel)
{
    if (bytes > 0) {
        const size_t blocks = bytes / AEAD_RATE;
        if (blocks > 0)
            kernel->absorb(s, ad, blocks);
        crypt_last(s, NULL, ad + blocks * AEAD_RATE, bytes % AEAD_RATE, 0);
        kernel->permute(s, HANJI_ASCON_DATA_ROUNDS);
    }
    s[4] ^= HANJI_ASCON_DOMAIN;
}

HANJI_INLINE void crypt(uint64_t *s, const message *m, int open,
                        const hanji_ascon_aead_kernel *kernel)
{
    const size_t blocks = m->bytes / AEAD_RATE, left = m->bytes % AEAD_RATE;
    if (blocks > 0)
        (open ? kernel->open : kernel->seal)(s, m->out, m->in, blocks);
    if (left == 0) /* `out` and `in` may be NULL */
        s[0] ^= 1;
    else
        crypt_last(s, m->out + blocks * AEAD_RATE, m->in + blocks * AEAD_RATE, left, open);
}

/* The tag as two words; the last text and its padding are in the state. */
ASCON_SHARED void finish(uint64_t *s, const uint64_t *key, const hanji_ascon_aead_kernel *kernel)
{
#ifdef HANJI_RV32
    if (kernel->finish != NULL) {
        kernel->finish(s, key);
        return;
    }
#endif
    add_key(s + 2, key);
    kernel->permute(s, HANJI_ASCON_ROUNDS);
    add_key(s + 3, key);
}

ASCON_SHARED void store_tag(uint8_t *tag, const uint64_t *s, size_t tag_bytes)
{
    uint8_t whole[ASCON_TAG];
#ifdef HANJI_RV32
    if (tag_bytes == ASCON_TAG && word_aligned(tag)) {
        store_aligned(tag, s[3]);
        store_aligned(tag + 8, s[4]);
        return;
    }
#endif
    if (tag_bytes == ASCON_TAG) {
        store_le64(tag, s[3]);
        store_le64(tag + 8, s[4]);
        return;
    }
    store_le64(whole, s[3]);
    store_le64(whole + 8, s[4]);
    for (size_t i = 0; i < tag_bytes; i++)
        tag[i] = whole[i];
    wipe_frame(whole, sizeof whole);
}

#ifdef HANJI_X86
/* By a kernel for whole messages, with the tag in memory of `tag_bytes` bytes. */
HANJI_INLINE void seal_by(hanji_ascon_whole_fn *kernel, const message *m, const uint8_t *nonce,
                          const uint64_t *key)
{
    uint8_t whole[ASCON_TAG];
    if (m->tag_bytes == ASCON_TAG) {
        kernel(m->tag, m, nonce, key);
        return;
    }
    kernel(whole, m, nonce, key);
    for (size_t i = 0; i < m->tag_bytes; i++)
        m->tag[i] = whole[i];
    wipe_frame(whole, sizeof whole);
}
#endif

/* The kernels for a message: its call asked for them; on other machines the selection's. */
HANJI_INLINE const hanji_ascon_aead_kernel *kernel_of(const message *m)
{
#ifdef HANJI_X86
    return m->kernel;
#else
    (void)m;
    return hanji_ascon_aead_single();
#endif
}

static HANJI_NOINLINE void seal(const message *m, const words *w)
{
    const hanji_ascon_aead_kernel *kernel = kernel_of(m);
    uint64_t s[HANJI_ASCON_WORDS];
#ifdef HANJI_X86
    if (kernel->seal_whole != NULL) {
        seal_by(kernel->seal_whole, m, (const uint8_t *)w->nonce, w->key);
        return;
    }
#endif
    start_state(s, w, kernel);
    absorb_ad(s, m->ad, m->ad_bytes, kernel);
    crypt(s, m, 0, kernel);
    finish(s, w->key, kernel);
    store_tag(m->tag, s, m->tag_bytes);
    wipe_frame(s, sizeof s);
}

static HANJI_NOINLINE int open_message(const message *m, const words *w)
{
    const hanji_ascon_aead_kernel *kernel = kernel_of(m);
    const size_t tag_bytes = m->tag_bytes;
    uint64_t s[HANJI_ASCON_WORDS], given_words[ASCON_TAG / 8], expected_words[ASCON_TAG / 8];
    uint8_t *given = (uint8_t *)given_words, *expected = (uint8_t *)expected_words;
    /* once, before the output is written */
#ifdef HANJI_RV32
    if (tag_bytes == ASCON_TAG)
        load_pair(given_words, m->given);
    else
#endif
        for (size_t i = 0; i < tag_bytes; i++)
            given[i] = m->given[i];
#ifdef HANJI_X86
    if (kernel->open_whole != NULL) {
        kernel->open_whole(expected, m, (const uint8_t *)w->nonce, w->key);
    } else
#endif
    {
        start_state(s, w, kernel);
        absorb_ad(s, m->ad, m->ad_bytes, kernel);
        crypt(s, m, 1, kernel);
        finish(s, w->key, kernel);
        store_tag(expected, s, tag_bytes);
        wipe_frame(s, sizeof s);
    }
    const int equal = hanji_equal(expected, given, tag_bytes);
    wipe_frame(expected_words, sizeof expected_words);
    if (equal)
        return HANJI_OK;
    if (m->bytes > 0)
        hanji_wipe(m->out, m->bytes);
    return HANJI_E_TAG;
}

#ifdef HANJI_X86
/* The same by a kernel for whole messages, with a tag of 16 bytes and little else on the stack. */
HANJI_INLINE int open_by(hanji_ascon_whole_fn *kernel, const message *m, uint64_t *key)
{
    enum { tag_bytes = ASCON_TAG };
    uint8_t given[tag_bytes], expected[tag_bytes];
    memcpy(given, m->given, tag_bytes); /* once, before the output is written */
    kernel(expected, m, m->nonce, key);
    wipe_frame(key, ASCON_KEY);
    const int equal = hanji_equal(expected, given, tag_bytes);
    wipe_frame(expected, sizeof expected);
    if (equal)
        return HANJI_OK;
    if (m->bytes > 0)
        hanji_wipe(m->out, m->bytes);
    return HANJI_E_TAG;
}
#endif

/* With a key of bytes, which are read once, at the start. */
HANJI_NOINLINE void hanji_ascon_aead128_seal(const message *m)
{
    words w;
    load_pair(w.key, (const uint8_t *)m->key);
#ifdef HANJI_X86
    hanji_ascon_whole_fn *whole = m->kernel->seal_whole;
    if (whole != NULL) {
        seal_by(whole, m, m->nonce, w.key);
        wipe_frame(w.key, sizeof w.key);
        return;
    }
#endif
    load_pair(w.nonce, m->nonce);
    seal(m, &w);
    wipe_frame(&w, sizeof w);
}

HANJI_NOINLINE int hanji_ascon_aead128_open(const message *m)
{
    words w;
    load_pair(w.key, (const uint8_t *)m->key);
#ifdef HANJI_X86
    hanji_ascon_whole_fn *whole = m->kernel->open_whole;
    if (whole != NULL)
        return open_by(whole, m, w.key);
#endif
    load_pair(w.nonce, m->nonce);
    const int rc = open_message(m, &w);
    wipe_frame(&w, sizeof w);
    return rc;
}

/* An array to be written shares no byte with associated data, nonce and key. */
ASCON_SHARED int apart(const uint8_t *out, size_t bytes, const message *m)
{
#ifndef HANJI_FREESTANDING
    if (bytes - 1 < SIZE_MAX / 2)
        return !overlap(out, bytes, m->ad, m->ad_bytes) &&
               !overlap_few(out, bytes, m->nonce, ASCON_NONCE) &&
               !overlap_few(out, bytes, m->key, m->key_bytes);
#endif
    return !overlap(out, bytes, m->ad, m->ad_bytes) &&
           !overlap(out, bytes, m->nonce, ASCON_NONCE) &&
           !overlap(out, bytes, m->key, m->key_bytes);
}

/* Checks of all calls, and the choice of the kernel. */
ASCON_SHARED int check(size_t out_bytes, size_t in_bytes, message *m)
{
    if (!valid(m->out, out_bytes) || !valid(m->in, in_bytes) || !valid(m->ad, m->ad_bytes) ||
        m->nonce == NULL || m->key == NULL || overlap_partly(m->out, out_bytes, m->in, in_bytes) ||
        !apart(m->out, out_bytes, m))
        return HANJI_E_ARGUMENT;
#ifdef HANJI_X86
    m->kernel = hanji_ascon_aead_selected();
    return m->kernel != NULL ? HANJI_OK : HANJI_E_UNSUPPORTED;
#else
    return hanji_selection();
#endif
}

/* The same for a tag to be written. */
ASCON_SHARED int check_tag(const message *m)
{
    return m->tag != NULL && !overlap(m->tag, m->tag_bytes, m->out, m->bytes) &&
           !overlap(m->tag, m->tag_bytes, m->in, m->bytes) && apart(m->tag, m->tag_bytes, m);
}

int hanji_ascon_aead128_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                                const uint8_t *ad, size_t ad_bytes,
                                const uint8_t nonce[ASCON_NONCE], const uint8_t key[ASCON_KEY])
{
    message m = {out,   plaintext, plaintext_bytes,   NULL, NULL, ASCON_TAG, ad, ad_bytes,
                 nonce, key,       ASCON_KEY UNCHOSEN};
    if (plaintext_bytes > SIZE_MAX - ASCON_TAG)
        return HANJI_E_LENGTH;
    const int rc = check(plaintext_bytes + ASCON_TAG, plaintext_bytes, &m);
    if (rc == HANJI_OK) {
        m.tag = out + plaintext_bytes;
        hanji_ascon_aead128_seal(&m);
    }
    hanji_ascon_wipe_behind(&m);
    return rc;
}

int hanji_ascon_aead128_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes, const uint8_t *ad,
                                size_t ad_bytes, const uint8_t nonce[ASCON_NONCE],
                                const uint8_t key[ASCON_KEY])
{
    if (in_bytes < ASCON_TAG)
        return HANJI_E_LENGTH;
    const size_t bytes = in_bytes - ASCON_TAG;
    message m = {
        out, in, bytes, NULL, NULL, ASCON_TAG, ad, ad_bytes, nonce, key, ASCON_KEY UNCHOSEN};
    int rc = check(bytes, in_bytes, &m);
    if (rc == HANJI_OK) {
        m.given = in + bytes;
        rc = hanji_ascon_aead128_open(&m);
    }
    hanji_ascon_wipe_behind(&m);
    return rc;
}

int hanji_ascon_aead128_encrypt_detached(uint8_t *ciphertext, uint8_t tag[ASCON_TAG],
                                         const uint8_t *plaintext, size_t plaintext_bytes,
                                         const uint8_t *ad, size_t ad_bytes,
                                         const uint8_t nonce[ASCON_NONCE],
                                         const uint8_t key[ASCON_KEY])
{
    message m = {ciphertext, plaintext, plaintext_bytes,   tag, NULL, ASCON_TAG, ad, ad_bytes,
                 nonce,      key,       ASCON_KEY UNCHOSEN};
    if (!check_tag(&m))
        return HANJI_E_ARGUMENT;
    const int rc = check(plaintext_bytes, plaintext_bytes, &m);
    if (rc == HANJI_OK)
        hanji_ascon_aead128_seal(&m);
    hanji_ascon_wipe_behind(&m);
    return rc;
}

int hanji_ascon_aead128_decrypt_detached(uint8_t *plaintext, const uint8_t *ciphertext,
                                         size_t ciphertext_bytes, const uint8_t tag[ASCON_TAG],
                                         const uint8_t *ad, size_t ad_bytes,
                                         const uint8_t nonce[ASCON_NONCE],
                                         const uint8_t key[ASCON_KEY])
{
    message m = {plaintext, ciphertext, ciphertext_bytes,  NULL, tag, ASCON_TAG, ad, ad_bytes,
                 nonce,     key,        ASCON_KEY UNCHOSEN};
    if (tag == NULL || overlap(plaintext, ciphertext_bytes, tag, ASCON_TAG))
        return HANJI_E_ARGUMENT;
    int rc = check(ciphertext_bytes, ciphertext_bytes, &m);
    if (rc == HANJI_OK)
        rc = hanji_ascon_aead128_open(&m);
    hanji_ascon_wipe_behind(&m);
    return rc;
}

/* Keys with a tag length, whose data are counted */

#define ASCON_KEY_READY 0x6173636fu

/* The context stays unusable when this fails. */
static int key_init(size_t tag_bytes, size_t least, size_t most, const uint8_t *key,
                    size_t key_bytes, hanji_ascon_aead128_key *ctx)
{
    if (ctx == NULL || overlap(ctx, sizeof *ctx, key, key_bytes))
        return HANJI_E_ARGUMENT;
    hanji_wipe(ctx, sizeof *ctx);
    if (tag_bytes < least || tag_bytes > most ||
        (key_bytes != ASCON_KEY && key_bytes != 2 * ASCON_KEY))
        return HANJI_E_LENGTH;
    const int masked = key_bytes == 2 * ASCON_KEY;
    if (key == NULL || (masked && hanji_equal(key, key + ASCON_KEY, ASCON_KEY)))
        return HANJI_E_ARGUMENT;
    const int rc = hanji_selection();
    if (rc != HANJI_OK)
        return rc;
    load_pair(ctx->key, key);
    if (masked)
        load_pair(ctx->mask, key + ASCON_KEY);
    ctx->tag_bytes = (uint32_t)tag_bytes;
    ctx->ready = ASCON_KEY_READY;
    return HANJI_OK;
}

int hanji_ascon_aead128_key_init(size_t tag_bytes, const uint8_t *key, size_t key_bytes,
                                 hanji_ascon_aead128_key *ctx)
{
    const int rc =
        key_init(tag_bytes, HANJI_ASCON_AEAD128_TAG_BYTES_LEAST, ASCON_TAG, key, key_bytes, ctx);
    hanji_wipe_stack_of_ascon();
    return rc;
}

int hanji_ascon_aead128_key_init_short_tag(size_t tag_bytes, const uint8_t *key, size_t key_bytes,
                                           hanji_ascon_aead128_key *ctx)
{
    const int rc = key_init(tag_bytes, HANJI_ASCON_AEAD128_SHORT_TAG_BYTES_LEAST,
                            HANJI_ASCON_AEAD128_TAG_BYTES_LEAST - 1, key, key_bytes, ctx);
    hanji_wipe_stack_of_ascon();
    return rc;
}

void hanji_ascon_aead128_key_wipe(hanji_ascon_aead128_key *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
}

static int usable_key(const hanji_ascon_aead128_key *ctx)
{
    return ctx != NULL && ctx->ready == ASCON_KEY_READY;
}

/* Blocks of a message: the nonce, the associated data and the text, with the padding of both. */
static uint64_t blocks_of(size_t bytes, size_t ad_bytes)
{
    return 2 + (uint64_t)(bytes / AEAD_RATE) +
           (ad_bytes > 0 ? 1 + (uint64_t)(ad_bytes / AEAD_RATE) : 0);
}

static int count(uint64_t blocks, hanji_ascon_aead128_key *ctx)
{
    if (blocks > HANJI_ASCON_AEAD128_LIMIT_BLOCKS ||
        ctx->blocks > HANJI_ASCON_AEAD128_LIMIT_BLOCKS - blocks)
        return HANJI_E_LIMIT;
    ctx->blocks += blocks;
    return HANJI_OK;
}

/* The checks of a counting call: the context of the key is written, too. */
static int check_keyed(size_t out_bytes, size_t in_bytes, message *m)
{
    if (overlap(m->in, in_bytes, m->key, m->key_bytes) ||
        overlap(m->ad, m->ad_bytes, m->key, m->key_bytes) ||
        overlap(m->nonce, ASCON_NONCE, m->key, m->key_bytes))
        return HANJI_E_ARGUMENT;
    return check(out_bytes, in_bytes, m);
}

ASCON_SHARED void words_of(words *w, const uint8_t *nonce, const hanji_ascon_aead128_key *ctx)
{
    w->key[0] = ctx->key[0];
    w->key[1] = ctx->key[1];
    load_pair(w->nonce, nonce);
    w->nonce[0] ^= ctx->mask[0];
    w->nonce[1] ^= ctx->mask[1];
}

/* Count the message, and seal it. */
static HANJI_NOINLINE int keyed_seal(const message *m, hanji_ascon_aead128_key *ctx)
{
    words w;
    const int rc = count(blocks_of(m->bytes, m->ad_bytes), ctx);
    if (rc != HANJI_OK)
        return rc;
    words_of(&w, m->nonce, ctx);
    seal(m, &w);
    wipe_frame(&w, sizeof w);
    return HANJI_OK;
}

static HANJI_NOINLINE int keyed_open(const message *m, hanji_ascon_aead128_key *ctx)
{
    words w;
    int rc = count(blocks_of(m->bytes, m->ad_bytes), ctx);
    if (rc != HANJI_OK)
        return rc;
    words_of(&w, m->nonce, ctx);
    rc = open_message(m, &w);
    wipe_frame(&w, sizeof w);
    return rc;
}

int hanji_ascon_aead128_key_encrypt_detached(uint8_t *ciphertext, uint8_t *tag,
                                             const uint8_t *plaintext, size_t plaintext_bytes,
                                             const uint8_t *ad, size_t ad_bytes,
                                             const uint8_t nonce[ASCON_NONCE],
                                             hanji_ascon_aead128_key *ctx)
{
    if (!usable_key(ctx))
        return HANJI_E_ARGUMENT;
    message m = {ciphertext,          plaintext, plaintext_bytes, tag,   NULL,
                 ctx->tag_bytes,      ad,        ad_bytes,        nonce, ctx,
                 sizeof *ctx UNCHOSEN};
    if (!check_tag(&m))
        return HANJI_E_ARGUMENT;
    int rc = check_keyed(plaintext_bytes, plaintext_bytes, &m);
    if (rc == HANJI_OK)
        rc = keyed_seal(&m, ctx);
    hanji_wipe_stack_of_ascon();
    return rc;
}

int hanji_ascon_aead128_key_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                                    const uint8_t *ad, size_t ad_bytes,
                                    const uint8_t nonce[ASCON_NONCE], hanji_ascon_aead128_key *ctx)
{
    if (!usable_key(ctx))
        return HANJI_E_ARGUMENT;
    if (plaintext_bytes > SIZE_MAX - ctx->tag_bytes)
        return HANJI_E_LENGTH;
    message m = {out,   plaintext, plaintext_bytes,     NULL, NULL, ctx->tag_bytes, ad, ad_bytes,
                 nonce, ctx,       sizeof *ctx UNCHOSEN};
    int rc = check_keyed(plaintext_bytes + ctx->tag_bytes, plaintext_bytes, &m);
    if (rc == HANJI_OK) {
        m.tag = out + plaintext_bytes;
        rc = keyed_seal(&m, ctx);
    }
    hanji_wipe_stack_of_ascon();
    return rc;
}

int hanji_ascon_aead128_key_decrypt_detached(uint8_t *plaintext, const uint8_t *ciphertext,
                                             size_t ciphertext_bytes, const uint8_t *tag,
                                             size_t tag_bytes, const uint8_t *ad, size_t ad_bytes,
                                             const uint8_t nonce[ASCON_NONCE],
                                             hanji_ascon_aead128_key *ctx)
{
    if (!usable_key(ctx))
        return HANJI_E_ARGUMENT;
    if (tag_bytes != ctx->tag_bytes)
        return HANJI_E_LENGTH;
    if (tag == NULL || overlap(plaintext, ciphertext_bytes, tag, tag_bytes) ||
        overlap(tag, tag_bytes, ctx, sizeof *ctx))
        return HANJI_E_ARGUMENT;
    message m = {plaintext, ciphertext, ciphertext_bytes,    NULL, tag, tag_bytes, ad, ad_bytes,
                 nonce,     ctx,        sizeof *ctx UNCHOSEN};
    int rc = check_keyed(ciphertext_bytes, ciphertext_bytes, &m);
    if (rc == HANJI_OK)
        rc = keyed_open(&m, ctx);
    hanji_wipe_stack_of_ascon();
    return rc;
}

int hanji_ascon_aead128_key_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes,
                                    const uint8_t *ad, size_t ad_bytes,
                                    const uint8_t nonce[ASCON_NONCE], hanji_ascon_aead128_key *ctx)
{
    if (!usable_key(ctx))
        return HANJI_E_ARGUMENT;
    if (in_bytes < ctx->tag_bytes)
        return HANJI_E_LENGTH;
    const size_t bytes = in_bytes - ctx->tag_bytes;
    message m = {
        out, in, bytes, NULL, NULL, ctx->tag_bytes, ad, ad_bytes, nonce, ctx, sizeof *ctx UNCHOSEN};
    int rc = check_keyed(bytes, in_bytes, &m);
    if (rc == HANJI_OK) {
        m.given = in + bytes;
        rc = keyed_open(&m, ctx);
    }
    hanji_wipe_stack_of_ascon();
    return rc;
}

/*
 * Sealing in pieces. Bytes go into the state as they come: `at` of the block are there. A block
 * is permuted when it is full, because the padding always has a block with room.
 */
#define ASCON_PHASE_AD 0x61736310u   /* no associated data yet */
#define ASCON_PHASE_SOME 0x61736320u /* some */
#define ASCON_PHASE_TEXT 0x61736330u

static HANJI_NOINLINE void begin(const words *w, hanji_ascon_aead128_ctx *ctx)
{
    ctx->key[0] = w->key[0];
    ctx->key[1] = w->key[1];
    ctx->at = 0;
    ctx->phase = ASCON_PHASE_AD;
    start_state(ctx->state, w, hanji_ascon_aead_single());
}

static HANJI_NOINLINE int init(const uint8_t *nonce, const uint8_t *key,
                               hanji_ascon_aead128_ctx *ctx)
{
    if (ctx == NULL || overlap(ctx, sizeof *ctx, nonce, ASCON_NONCE) ||
        overlap(ctx, sizeof *ctx, key, ASCON_KEY))
        return HANJI_E_ARGUMENT;
    const int rc = nonce == NULL || key == NULL ? HANJI_E_ARGUMENT : hanji_selection();
    if (rc != HANJI_OK) {
        hanji_wipe(ctx, sizeof *ctx);
        return rc;
    }
    words w;
    load_pair(w.key, key);
    load_pair(w.nonce, nonce);
    begin(&w, ctx);
    ctx->tag_bytes = ASCON_TAG;
    ctx->counter = NULL;
    wipe_frame(&w, sizeof w);
    return HANJI_OK;
}

static HANJI_NOINLINE int key_begin(const uint8_t *nonce, hanji_ascon_aead128_key *key,
                                    hanji_ascon_aead128_ctx *ctx)
{
    if (ctx == NULL || overlap(ctx, sizeof *ctx, nonce, ASCON_NONCE) ||
        overlap(ctx, sizeof *ctx, key, sizeof *key) ||
        overlap(key, sizeof *key, nonce, ASCON_NONCE))
        return HANJI_E_ARGUMENT;
    int rc = nonce == NULL || !usable_key(key) ? HANJI_E_ARGUMENT : hanji_selection();
    if (rc == HANJI_OK)
        rc = count(blocks_of(0, 0), key);
    if (rc != HANJI_OK) {
        hanji_wipe(ctx, sizeof *ctx);
        return rc;
    }
    words w;
    words_of(&w, nonce, key);
    begin(&w, ctx);
    ctx->tag_bytes = key->tag_bytes;
    ctx->counter = key;
    wipe_frame(&w, sizeof w);
    return HANJI_OK;
}

/* One byte into the state; its new value. */
ASCON_SHARED uint8_t absorb_byte(hanji_ascon_aead128_ctx *ctx, uint8_t byte,
                                 const hanji_ascon_aead_kernel *kernel)
{
    uint64_t *word = &ctx->state[ctx->at >> 3];
    *word ^= byte_at(byte, ctx->at & 7);
    const uint8_t made = get_byte(*word, ctx->at & 7);
    if (++ctx->at == AEAD_RATE) {
        kernel->permute(ctx->state, HANJI_ASCON_DATA_ROUNDS);
        ctx->at = 0;
    }
    return made;
}

HANJI_INLINE int live(const hanji_ascon_aead128_ctx *ctx)
{
    return ctx->phase == ASCON_PHASE_AD || ctx->phase == ASCON_PHASE_SOME ||
           ctx->phase == ASCON_PHASE_TEXT;
}

/* Whether data share no byte with the context, nor with the context of the key. */
static int apart_from(const uint8_t *data, size_t bytes, const hanji_ascon_aead128_ctx *ctx)
{
    return !overlap(data, bytes, ctx, sizeof *ctx) &&
           (ctx->counter == NULL || !overlap(data, bytes, ctx->counter, sizeof *ctx->counter));
}

/*
 * Blocks that `bytes` more bytes fill when `at` are there, and `more`, counted against the key when
 * there is one.
 */
static int count_piece(size_t at, size_t bytes, uint64_t more, const hanji_ascon_aead128_ctx *ctx)
{
    if (ctx->counter == NULL)
        return HANJI_OK;
    if (!usable_key(ctx->counter))
        return HANJI_E_ARGUMENT;
    return count(more + bytes / AEAD_RATE + (at + bytes % AEAD_RATE) / AEAD_RATE, ctx->counter);
}

static HANJI_NOINLINE int update_ad(const uint8_t *ad, size_t bytes, hanji_ascon_aead128_ctx *ctx)
{
    if (ctx == NULL || !valid(ad, bytes) ||
        (ctx->phase != ASCON_PHASE_AD && ctx->phase != ASCON_PHASE_SOME) ||
        !apart_from(ad, bytes, ctx))
        return HANJI_E_ARGUMENT;
    if (bytes == 0)
        return HANJI_OK;
    const int rc = count_piece(ctx->at, bytes, ctx->phase == ASCON_PHASE_AD ? 1 : 0, ctx);
    if (rc != HANJI_OK)
        return rc;
    const hanji_ascon_aead_kernel *kernel = hanji_ascon_aead_single();
    ctx->phase = ASCON_PHASE_SOME;
    for (; bytes > 0 && ctx->at != 0; bytes--)
        (void)absorb_byte(ctx, *ad++, kernel);
    const size_t blocks = bytes / AEAD_RATE;
    if (blocks > 0)
        kernel->absorb(ctx->state, ad, blocks);
    ad += blocks * AEAD_RATE;
    for (size_t left = bytes % AEAD_RATE; left > 0; left--)
        (void)absorb_byte(ctx, *ad++, kernel);
    return HANJI_OK;
}

/* From associated data to text. */
ASCON_SHARED void turn(hanji_ascon_aead128_ctx *ctx, const hanji_ascon_aead_kernel *kernel)
{
    if (ctx->phase == ASCON_PHASE_TEXT)
        return;
    if (ctx->phase == ASCON_PHASE_SOME) {
        ctx->state[ctx->at >> 3] ^= byte_at(1, ctx->at & 7);
        kernel->permute(ctx->state, HANJI_ASCON_DATA_ROUNDS);
    }
    ctx->state[4] ^= HANJI_ASCON_DOMAIN;
    ctx->at = 0;
    ctx->phase = ASCON_PHASE_TEXT;
}

static HANJI_NOINLINE int update(uint8_t *out, const uint8_t *in, size_t bytes,
                                 hanji_ascon_aead128_ctx *ctx)
{
    if (ctx == NULL || !valid(out, bytes) || !valid(in, bytes) ||
        overlap_partly(out, bytes, in, bytes) || !live(ctx) || !apart_from(out, bytes, ctx) ||
        !apart_from(in, bytes, ctx))
        return HANJI_E_ARGUMENT;
    if (bytes == 0)
        return HANJI_OK;
    const int rc = count_piece(ctx->phase == ASCON_PHASE_TEXT ? ctx->at : 0, bytes, 0, ctx);
    if (rc != HANJI_OK)
        return rc;
    const hanji_ascon_aead_kernel *kernel = hanji_ascon_aead_single();
    turn(ctx, kernel);
    for (; bytes > 0 && ctx->at != 0; bytes--)
        *out++ = absorb_byte(ctx, *in++, kernel);
    const size_t blocks = bytes / AEAD_RATE;
    if (blocks > 0)
        kernel->seal(ctx->state, out, in, blocks);
    in += blocks * AEAD_RATE;
    out += blocks * AEAD_RATE;
    for (size_t left = bytes % AEAD_RATE; left > 0; left--)
        *out++ = absorb_byte(ctx, *in++, kernel);
    return HANJI_OK;
}

static HANJI_NOINLINE int final(uint8_t *tag, hanji_ascon_aead128_ctx *ctx)
{
    if (tag == NULL || ctx == NULL || !live(ctx) || !apart_from(tag, ctx->tag_bytes, ctx))
        return HANJI_E_ARGUMENT;
    const hanji_ascon_aead_kernel *kernel = hanji_ascon_aead_single();
    turn(ctx, kernel);
    ctx->state[ctx->at >> 3] ^= byte_at(1, ctx->at & 7);
    finish(ctx->state, ctx->key, kernel);
    store_tag(tag, ctx->state, ctx->tag_bytes);
    hanji_wipe(ctx, sizeof *ctx);
    return HANJI_OK;
}

int hanji_ascon_aead128_init(const uint8_t nonce[ASCON_NONCE], const uint8_t key[ASCON_KEY],
                             hanji_ascon_aead128_ctx *ctx)
{
    const int rc = init(nonce, key, ctx);
    hanji_wipe_stack_of_ascon();
    return rc;
}

int hanji_ascon_aead128_key_begin(const uint8_t nonce[ASCON_NONCE], hanji_ascon_aead128_key *key,
                                  hanji_ascon_aead128_ctx *ctx)
{
    const int rc = key_begin(nonce, key, ctx);
    hanji_wipe_stack_of_ascon();
    return rc;
}

int hanji_ascon_aead128_update_ad(const uint8_t *ad, size_t ad_bytes, hanji_ascon_aead128_ctx *ctx)
{
    const int rc = update_ad(ad, ad_bytes, ctx);
    hanji_wipe_stack_of_ascon();
    return rc;
}

int hanji_ascon_aead128_update(uint8_t *ciphertext, const uint8_t *plaintext,
                               size_t plaintext_bytes, hanji_ascon_aead128_ctx *ctx)
{
    const int rc = update(ciphertext, plaintext, plaintext_bytes, ctx);
    hanji_wipe_stack_of_ascon();
    return rc;
}

int hanji_ascon_aead128_final(uint8_t *tag, hanji_ascon_aead128_ctx *ctx)
{
    const int rc = final(tag, ctx);
    hanji_wipe_stack_of_ascon();
    return rc;
}

void hanji_ascon_aead128_wipe(hanji_ascon_aead128_ctx *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
}

size_t hanji_ascon_aead128_key_bytes(void)
{
    return ASCON_KEY;
}

size_t hanji_ascon_aead128_nonce_bytes(void)
{
    return ASCON_NONCE;
}

size_t hanji_ascon_aead128_tag_bytes(void)
{
    return ASCON_TAG;
}

size_t hanji_ascon_aead128_ctx_bytes(void)
{
    return sizeof(hanji_ascon_aead128_ctx);
}

size_t hanji_ascon_aead128_key_ctx_bytes(void)
{
    return sizeof(hanji_ascon_aead128_key);
}

/* NOLINTEND(readability-non-const-parameter) */
