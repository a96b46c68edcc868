/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ascon-AEAD128 (SP 800-232, section 4), with its options: truncated tags (section 4.2.1) and nonce
 * masking (section 4.2.2).
 */
#include "hanji/aead.h"

#include "ascon/ascon.h"
#include "ascon/ascon_parts.h"
#include "support/bytes.h"
#include "support/secret.h"

#define ASCON_KEY HANJI_ASCON_AEAD128_KEY_BYTES
#define ASCON_NONCE HANJI_ASCON_AEAD128_NONCE_BYTES
#define ASCON_TAG HANJI_ASCON_AEAD128_TAG_BYTES
#define AEAD_RATE HANJI_ASCON_RATE

/* A key as words, and the mask of its nonces: zero without masking. */
typedef struct words {
    uint64_t key[2], mask[2];
} words;

ASCON_SHARED void load_pair(uint64_t *pair, const uint8_t *bytes)
{
    pair[0] = load_le64(bytes);
    pair[1] = load_le64(bytes + 8);
}

ASCON_SHARED void start(uint64_t *s, const words *w, const uint8_t *nonce,
                        const hanji_ascon_aead_kernel *kernel)
{
    load_pair(s + 3, nonce);
    s[0] = HANJI_ASCON_AEAD128_IV;
    s[1] = w->key[0];
    s[2] = w->key[1];
    s[3] ^= w->mask[0];
    s[4] ^= w->mask[1];
    kernel->permute(s, HANJI_ASCON_ROUNDS);
    s[3] ^= w->key[0];
    s[4] ^= w->key[1];
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

HANJI_INLINE void crypt(uint64_t *s, uint8_t *out, const uint8_t *in, size_t bytes, int open,
                        const hanji_ascon_aead_kernel *kernel)
{
    const size_t blocks = bytes / AEAD_RATE, left = bytes % AEAD_RATE;
    if (blocks > 0)
        (open ? kernel->open : kernel->seal)(s, out, in, blocks);
    if (left == 0) /* `out` and `in` may be NULL */
        s[0] ^= 1;
    else
        crypt_last(s, out + blocks * AEAD_RATE, in + blocks * AEAD_RATE, left, open);
}

/* The tag as two words; the last text and its padding are in the state. */
ASCON_SHARED void finish(uint64_t *s, const uint64_t *key, const hanji_ascon_aead_kernel *kernel)
{
    s[2] ^= key[0];
    s[3] ^= key[1];
    kernel->permute(s, HANJI_ASCON_ROUNDS);
    s[3] ^= key[0];
    s[4] ^= key[1];
}

ASCON_SHARED void store_tag(uint8_t *tag, const uint64_t *s, size_t tag_bytes)
{
    uint8_t whole[ASCON_TAG];
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

static HANJI_NOINLINE void seal(uint8_t *out, uint8_t *tag, size_t tag_bytes, const uint8_t *in,
                                size_t bytes, const uint8_t *ad, size_t ad_bytes,
                                const uint8_t *nonce, const words *w)
{
    const hanji_ascon_aead_kernel *kernel = hanji_ascon_aead_single();
    uint64_t s[HANJI_ASCON_WORDS];
    start(s, w, nonce, kernel);
    absorb_ad(s, ad, ad_bytes, kernel);
    crypt(s, out, in, bytes, 0, kernel);
    finish(s, w->key, kernel);
    store_tag(tag, s, tag_bytes);
    wipe_frame(s, sizeof s);
}

static HANJI_NOINLINE int open_message(uint8_t *out, const uint8_t *in, size_t bytes,
                                       const uint8_t *tag, size_t tag_bytes, const uint8_t *ad,
                                       size_t ad_bytes, const uint8_t *nonce, const words *w)
{
    const hanji_ascon_aead_kernel *kernel = hanji_ascon_aead_single();
    uint64_t s[HANJI_ASCON_WORDS];
    uint8_t given[ASCON_TAG], expected[ASCON_TAG];
    for (size_t i = 0; i < tag_bytes; i++) /* once, before the output is written */
        given[i] = tag[i];
    start(s, w, nonce, kernel);
    absorb_ad(s, ad, ad_bytes, kernel);
    crypt(s, out, in, bytes, 1, kernel);
    finish(s, w->key, kernel);
    store_tag(expected, s, tag_bytes);
    const int equal = hanji_equal(expected, given, tag_bytes);
    wipe_frame(s, sizeof s);
    wipe_frame(expected, sizeof expected);
    if (equal)
        return HANJI_OK;
    if (bytes > 0)
        hanji_wipe(out, bytes);
    return HANJI_E_TAG;
}

/* The key is read once, at the start. */
HANJI_NOINLINE void hanji_ascon_aead128_seal(uint8_t *out, uint8_t *tag, const uint8_t *in,
                                             size_t bytes, const uint8_t *ad, size_t ad_bytes,
                                             const uint8_t *nonce, const uint8_t *key)
{
    words w = {{0, 0}, {0, 0}};
    load_pair(w.key, key);
    seal(out, tag, ASCON_TAG, in, bytes, ad, ad_bytes, nonce, &w);
    wipe_frame(&w, sizeof w);
}

HANJI_NOINLINE int hanji_ascon_aead128_open(uint8_t *out, const uint8_t *in, size_t bytes,
                                            const uint8_t *tag, const uint8_t *ad, size_t ad_bytes,
                                            const uint8_t *nonce, const uint8_t *key)
{
    words w = {{0, 0}, {0, 0}};
    load_pair(w.key, key);
    const int rc = open_message(out, in, bytes, tag, ASCON_TAG, ad, ad_bytes, nonce, &w);
    wipe_frame(&w, sizeof w);
    return rc;
}

/* Associated data, nonce and key of a call. */
typedef struct under {
    const uint8_t *ad;
    size_t ad_bytes;
    const uint8_t *nonce;
    const void *key; /* bytes, or a context */
    size_t key_bytes;
} under;

/* An array to be written shares no byte with them. */
ASCON_SHARED int apart(const uint8_t *out, size_t bytes, const under *u)
{
    return !overlap(out, bytes, u->ad, u->ad_bytes) &&
           !overlap(out, bytes, u->nonce, ASCON_NONCE) &&
           !overlap(out, bytes, u->key, u->key_bytes);
}

/* Checks of all calls. */
ASCON_SHARED int check(const uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes,
                       const under *u)
{
    if (!valid(out, out_bytes) || !valid(in, in_bytes) || !valid(u->ad, u->ad_bytes) ||
        u->nonce == NULL || u->key == NULL || overlap_partly(out, out_bytes, in, in_bytes) ||
        !apart(out, out_bytes, u))
        return HANJI_E_ARGUMENT;
    return hanji_selection();
}

/* The same for a tag to be written; `bytes` of text and of ciphertext. */
ASCON_SHARED int check_tag(const uint8_t *tag, size_t tag_bytes, const uint8_t *out,
                           const uint8_t *in, size_t bytes, const under *u)
{
    return tag != NULL && !overlap(tag, tag_bytes, out, bytes) &&
           !overlap(tag, tag_bytes, in, bytes) && apart(tag, tag_bytes, u);
}

int hanji_ascon_aead128_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                                const uint8_t *ad, size_t ad_bytes,
                                const uint8_t nonce[ASCON_NONCE], const uint8_t key[ASCON_KEY])
{
    const under u = {ad, ad_bytes, nonce, key, ASCON_KEY};
    if (plaintext_bytes > SIZE_MAX - ASCON_TAG)
        return HANJI_E_LENGTH;
    const int rc = check(out, plaintext_bytes + ASCON_TAG, plaintext, plaintext_bytes, &u);
    if (rc == HANJI_OK)
        hanji_ascon_aead128_seal(out, out + plaintext_bytes, plaintext, plaintext_bytes, ad,
                                 ad_bytes, nonce, key);
    hanji_wipe_stack_shallow();
    return rc;
}

int hanji_ascon_aead128_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes, const uint8_t *ad,
                                size_t ad_bytes, const uint8_t nonce[ASCON_NONCE],
                                const uint8_t key[ASCON_KEY])
{
    const under u = {ad, ad_bytes, nonce, key, ASCON_KEY};
    if (in_bytes < ASCON_TAG)
        return HANJI_E_LENGTH;
    const size_t bytes = in_bytes - ASCON_TAG;
    int rc = check(out, bytes, in, in_bytes, &u);
    if (rc == HANJI_OK)
        rc = hanji_ascon_aead128_open(out, in, bytes, in + bytes, ad, ad_bytes, nonce, key);
    hanji_wipe_stack_shallow();
    return rc;
}

int hanji_ascon_aead128_encrypt_detached(uint8_t *ciphertext, uint8_t tag[ASCON_TAG],
                                         const uint8_t *plaintext, size_t plaintext_bytes,
                                         const uint8_t *ad, size_t ad_bytes,
                                         const uint8_t nonce[ASCON_NONCE],
                                         const uint8_t key[ASCON_KEY])
{
    const under u = {ad, ad_bytes, nonce, key, ASCON_KEY};
    if (!check_tag(tag, ASCON_TAG, ciphertext, plaintext, plaintext_bytes, &u))
        return HANJI_E_ARGUMENT;
    const int rc = check(ciphertext, plaintext_bytes, plaintext, plaintext_bytes, &u);
    if (rc == HANJI_OK)
        hanji_ascon_aead128_seal(ciphertext, tag, plaintext, plaintext_bytes, ad, ad_bytes, nonce,
                                 key);
    hanji_wipe_stack_shallow();
    return rc;
}

int hanji_ascon_aead128_decrypt_detached(uint8_t *plaintext, const uint8_t *ciphertext,
                                         size_t ciphertext_bytes, const uint8_t tag[ASCON_TAG],
                                         const uint8_t *ad, size_t ad_bytes,
                                         const uint8_t nonce[ASCON_NONCE],
                                         const uint8_t key[ASCON_KEY])
{
    const under u = {ad, ad_bytes, nonce, key, ASCON_KEY};
    if (tag == NULL || overlap(plaintext, ciphertext_bytes, tag, ASCON_TAG))
        return HANJI_E_ARGUMENT;
    int rc = check(plaintext, ciphertext_bytes, ciphertext, ciphertext_bytes, &u);
    if (rc == HANJI_OK)
        rc = hanji_ascon_aead128_open(plaintext, ciphertext, ciphertext_bytes, tag, ad, ad_bytes,
                                      nonce, key);
    hanji_wipe_stack_shallow();
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
    hanji_wipe_stack_shallow();
    return rc;
}

int hanji_ascon_aead128_key_init_short_tag(size_t tag_bytes, const uint8_t *key, size_t key_bytes,
                                           hanji_ascon_aead128_key *ctx)
{
    const int rc = key_init(tag_bytes, HANJI_ASCON_AEAD128_SHORT_TAG_BYTES_LEAST,
                            HANJI_ASCON_AEAD128_TAG_BYTES_LEAST - 1, key, key_bytes, ctx);
    hanji_wipe_stack_shallow();
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
static int check_keyed(const uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes,
                       const under *u)
{
    if (overlap(in, in_bytes, u->key, u->key_bytes) ||
        overlap(u->ad, u->ad_bytes, u->key, u->key_bytes) ||
        overlap(u->nonce, ASCON_NONCE, u->key, u->key_bytes))
        return HANJI_E_ARGUMENT;
    return check(out, out_bytes, in, in_bytes, u);
}

static HANJI_NOINLINE void keyed_seal(uint8_t *out, uint8_t *tag, const uint8_t *in, size_t bytes,
                                      const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce,
                                      const hanji_ascon_aead128_key *ctx)
{
    words w = {{ctx->key[0], ctx->key[1]}, {ctx->mask[0], ctx->mask[1]}};
    seal(out, tag, ctx->tag_bytes, in, bytes, ad, ad_bytes, nonce, &w);
    wipe_frame(&w, sizeof w);
}

static HANJI_NOINLINE int keyed_open(uint8_t *out, const uint8_t *in, size_t bytes,
                                     const uint8_t *tag, const uint8_t *ad, size_t ad_bytes,
                                     const uint8_t *nonce, const hanji_ascon_aead128_key *ctx)
{
    words w = {{ctx->key[0], ctx->key[1]}, {ctx->mask[0], ctx->mask[1]}};
    const int rc = open_message(out, in, bytes, tag, ctx->tag_bytes, ad, ad_bytes, nonce, &w);
    wipe_frame(&w, sizeof w);
    return rc;
}

int hanji_ascon_aead128_key_encrypt_detached(uint8_t *ciphertext, uint8_t *tag,
                                             const uint8_t *plaintext, size_t plaintext_bytes,
                                             const uint8_t *ad, size_t ad_bytes,
                                             const uint8_t nonce[ASCON_NONCE],
                                             hanji_ascon_aead128_key *ctx)
{
    const under u = {ad, ad_bytes, nonce, ctx, sizeof *ctx};
    if (!usable_key(ctx) ||
        !check_tag(tag, ctx->tag_bytes, ciphertext, plaintext, plaintext_bytes, &u))
        return HANJI_E_ARGUMENT;
    int rc = check_keyed(ciphertext, plaintext_bytes, plaintext, plaintext_bytes, &u);
    if (rc == HANJI_OK)
        rc = count(blocks_of(plaintext_bytes, ad_bytes), ctx);
    if (rc == HANJI_OK)
        keyed_seal(ciphertext, tag, plaintext, plaintext_bytes, ad, ad_bytes, nonce, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

int hanji_ascon_aead128_key_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                                    const uint8_t *ad, size_t ad_bytes,
                                    const uint8_t nonce[ASCON_NONCE], hanji_ascon_aead128_key *ctx)
{
    const under u = {ad, ad_bytes, nonce, ctx, sizeof *ctx};
    if (!usable_key(ctx))
        return HANJI_E_ARGUMENT;
    if (plaintext_bytes > SIZE_MAX - ctx->tag_bytes)
        return HANJI_E_LENGTH;
    int rc = check_keyed(out, plaintext_bytes + ctx->tag_bytes, plaintext, plaintext_bytes, &u);
    if (rc == HANJI_OK)
        rc = count(blocks_of(plaintext_bytes, ad_bytes), ctx);
    if (rc == HANJI_OK)
        keyed_seal(out, out + plaintext_bytes, plaintext, plaintext_bytes, ad, ad_bytes, nonce,
                   ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

int hanji_ascon_aead128_key_decrypt_detached(uint8_t *plaintext, const uint8_t *ciphertext,
                                             size_t ciphertext_bytes, const uint8_t *tag,
                                             size_t tag_bytes, const uint8_t *ad, size_t ad_bytes,
                                             const uint8_t nonce[ASCON_NONCE],
                                             hanji_ascon_aead128_key *ctx)
{
    const under u = {ad, ad_bytes, nonce, ctx, sizeof *ctx};
    if (!usable_key(ctx))
        return HANJI_E_ARGUMENT;
    if (tag_bytes != ctx->tag_bytes)
        return HANJI_E_LENGTH;
    if (tag == NULL || overlap(plaintext, ciphertext_bytes, tag, tag_bytes) ||
        overlap(tag, tag_bytes, ctx, sizeof *ctx))
        return HANJI_E_ARGUMENT;
    int rc = check_keyed(plaintext, ciphertext_bytes, ciphertext, ciphertext_bytes, &u);
    if (rc == HANJI_OK)
        rc = count(blocks_of(ciphertext_bytes, ad_bytes), ctx);
    if (rc == HANJI_OK)
        rc = keyed_open(plaintext, ciphertext, ciphertext_bytes, tag, ad, ad_bytes, nonce, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

int hanji_ascon_aead128_key_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes,
                                    const uint8_t *ad, size_t ad_bytes,
                                    const uint8_t nonce[ASCON_NONCE], hanji_ascon_aead128_key *ctx)
{
    const under u = {ad, ad_bytes, nonce, ctx, sizeof *ctx};
    if (!usable_key(ctx))
        return HANJI_E_ARGUMENT;
    if (in_bytes < ctx->tag_bytes)
        return HANJI_E_LENGTH;
    const size_t bytes = in_bytes - ctx->tag_bytes;
    int rc = check_keyed(out, bytes, in, in_bytes, &u);
    if (rc == HANJI_OK)
        rc = count(blocks_of(bytes, ad_bytes), ctx);
    if (rc == HANJI_OK)
        rc = keyed_open(out, in, bytes, in + bytes, ad, ad_bytes, nonce, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

/*
 * Sealing in pieces. Bytes go into the state as they come: `at` of the block are there. A block
 * is permuted when it is full, because the padding always has a block with room.
 */
#define ASCON_PHASE_AD 0x61736310u   /* no associated data yet */
#define ASCON_PHASE_SOME 0x61736320u /* some */
#define ASCON_PHASE_TEXT 0x61736330u

static HANJI_NOINLINE void begin(const uint8_t *nonce, const words *w, hanji_ascon_aead128_ctx *ctx)
{
    ctx->key[0] = w->key[0];
    ctx->key[1] = w->key[1];
    ctx->at = 0;
    ctx->phase = ASCON_PHASE_AD;
    start(ctx->state, w, nonce, hanji_ascon_aead_single());
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
    words w = {{0, 0}, {0, 0}};
    load_pair(w.key, key);
    begin(nonce, &w, ctx);
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
    words w = {{key->key[0], key->key[1]}, {key->mask[0], key->mask[1]}};
    begin(nonce, &w, ctx);
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
    hanji_wipe_stack_shallow();
    return rc;
}

int hanji_ascon_aead128_key_begin(const uint8_t nonce[ASCON_NONCE], hanji_ascon_aead128_key *key,
                                  hanji_ascon_aead128_ctx *ctx)
{
    const int rc = key_begin(nonce, key, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

int hanji_ascon_aead128_update_ad(const uint8_t *ad, size_t ad_bytes, hanji_ascon_aead128_ctx *ctx)
{
    const int rc = update_ad(ad, ad_bytes, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

int hanji_ascon_aead128_update(uint8_t *ciphertext, const uint8_t *plaintext,
                               size_t plaintext_bytes, hanji_ascon_aead128_ctx *ctx)
{
    const int rc = update(ciphertext, plaintext, plaintext_bytes, ctx);
    hanji_wipe_stack_shallow();
    return rc;
}

int hanji_ascon_aead128_final(uint8_t *tag, hanji_ascon_aead128_ctx *ctx)
{
    const int rc = final(tag, ctx);
    hanji_wipe_stack_shallow();
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
