/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of AIMer: keys, signatures, messages in pieces, batches. */
#include "aimer/batch.h"
#include "aimer/generation.h"
#include "aimer/protocol.h"
#include "support/apart.h"
#include "support/bytes.h"
#include "support/secret.h"

#define WORDS_MAX AIMER_WORDS_MAX

#ifdef HANJI_FREESTANDING
#define DEEP 6144
#else
#define DEEP 12288
#endif

/* What portable kernels leave on the stack: tables of multiples and bit slices. */
static HANJI_NOINLINE void wipe_deep_stack(void)
{
    uint8_t below[DEEP];
    hanji_wipe(below, sizeof below);
}

static int system_random(uint8_t *out, size_t bytes, void *state)
{
    (void)state;
    return hanji_random(out, bytes);
}

/* The source to use. */
static hanji_random_fn *source(hanji_random_fn *random)
{
    return random != NULL ? random : system_random;
}

static hanji_aimer_expanded *aligned(const hanji_aimer_key *key)
{
    const union { /* callers with a constant key only read it */
        const hanji_aimer_key *given;
        uint8_t *bytes;
    } at = {key};
    return (hanji_aimer_expanded *)(void *)(at.bytes + (-(uintptr_t)at.bytes & 63));
}

/* An expanded key; NULL when it is none: erased, or never made. */
static const hanji_aimer_expanded *expanded_key(const hanji_aimer_key *key)
{
    const hanji_aimer_expanded *expanded = key == NULL ? NULL : aligned(key);
    return expanded != NULL && expanded->ready == AIMER_KEY_READY ? expanded : NULL;
}

static uint64_t *aligned_words(void *memory)
{
    uint8_t *at = (uint8_t *)memory;
    return (uint64_t *)(void *)(at + (-(uintptr_t)at & 63));
}

size_t hanji_aimer_key_bytes(const hanji_aimer *set)
{
    return set == NULL ? 0 : 8 * hanji_aimer_expanded_words(set, AIMER_KEY_FULL) + 64;
}

static size_t expand_bytes(const hanji_aimer *set, hanji_aimer_form form)
{
    return 8 * hanji_aimer_expand_words(set, form) + 64;
}

static size_t keypair_bytes(const hanji_aimer *set)
{
    return 8 * hanji_aimer_one_way_words(set) + 64;
}

/* Only v3 has keys that are not full, for one message in little memory. */
static hanji_aimer_form at_least(const hanji_aimer *set, hanji_aimer_form form)
{
    return set->level->generation->version == 3 ? form : AIMER_KEY_FULL;
}

static size_t form_bytes(const hanji_aimer *set, hanji_aimer_form form)
{
    return 8 * hanji_aimer_expanded_words(set, form) + 64;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The memory of an expanded key. */
static hanji_buffer key_buffer(const hanji_aimer_key *key, const hanji_aimer_expanded *expanded)
{
    return (hanji_buffer){key, form_bytes(expanded->set, expanded->form)};
}

/*
 * The key is in the first part; a call with an expanded key needs the second only, which is also
 * where a key is expanded.
 */
size_t hanji_aimer_scratch_bytes(const hanji_aimer *set)
{
    return set == NULL ? 0
                       : hanji_aimer_key_bytes(set) + larger(hanji_aimer_protocol_bytes(set, 0),
                                                             expand_bytes(set, AIMER_KEY_FULL));
}

/* A key that is not full, and one repetition after the other. */
static size_t one_message(const hanji_aimer *set, hanji_aimer_form given)
{
    const hanji_aimer_form form = at_least(set, given);
    return larger(form_bytes(set, form) +
                      larger(hanji_aimer_protocol_bytes(set, 1), expand_bytes(set, form)),
                  keypair_bytes(set));
}

size_t hanji_aimer_scratch_bytes_small(const hanji_aimer *set)
{
    return set == NULL
               ? 0
               : larger(one_message(set, AIMER_KEY_COMPACT), expand_bytes(set, AIMER_KEY_FULL));
}

size_t hanji_aimer_scratch_bytes_least(const hanji_aimer *set)
{
    return set == NULL ? 0 : one_message(set, AIMER_KEY_STREAMED);
}

/* A batch signs with two memories at full speed. */
static size_t batch_bytes(const hanji_aimer *set)
{
    return 2 * hanji_aimer_protocol_bytes(set, 0);
}

size_t hanji_aimer_scratch_bytes_batch(const hanji_aimer *set)
{
    const size_t one = set == NULL ? 0 : hanji_aimer_scratch_bytes(set),
                 batch = set == NULL ? 0 : batch_bytes(set);
    return one > batch ? one : batch;
}

static int check_scratch(const void *scratch, size_t scratch_bytes, size_t needed)
{
    if (scratch == NULL)
        return HANJI_E_ARGUMENT;
    if (scratch_bytes < needed)
        return HANJI_E_LENGTH;
    return hanji_selection();
}

static void load_element(uint64_t *out, const uint8_t *in, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        out[i] = load_le64(in + 8 * i);
}

/* The parts of a key; `key` NULL for a public one. */
static int take_key(uint64_t *key, uint64_t *iv, uint64_t *ct, const uint8_t *in, size_t bytes,
                    const hanji_aimer *set)
{
    const uint32_t words = set->level->words;
    if (in == NULL)
        return HANJI_E_ARGUMENT;
    if (bytes != (key != NULL ? set->secret_bytes : set->public_bytes))
        return HANJI_E_LENGTH;
    if (set->level->generation->version == 1 && *in++ != set->id)
        return HANJI_E_ARGUMENT;
    if (key != NULL) {
        load_element(key, in, words);
        in += 8 * words;
    }
    load_element(iv, in, words);
    load_element(ct, in + 8 * words, words);
    return HANJI_OK;
}

/* With honest random bytes a second pair is never needed; with others there may be no end. */
#define DRAWS_MAX 100u

int hanji_aimer_keypair(uint8_t *public_key, uint8_t *secret_key, const hanji_aimer *set,
                        hanji_random_fn *random, void *random_state, void *scratch,
                        size_t scratch_bytes)
{
    if (public_key == NULL || secret_key == NULL || set == NULL)
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {
        {public_key, set->public_bytes}, {secret_key, set->secret_bytes}, {scratch, scratch_bytes}};
    if (!hanji_apart(buffers, 3, 3))
        return HANJI_E_ARGUMENT;
    int rc = check_scratch(scratch, scratch_bytes, keypair_bytes(set));
    if (rc != HANJI_OK)
        return rc;
    const uint32_t words = set->level->words;
    const size_t bytes = 8 * words;
    const int first = set->level->generation->version == 1;
    uint8_t key_bytes[8 * WORDS_MAX], iv_bytes[8 * WORDS_MAX];
    uint64_t key[WORDS_MAX], iv[WORDS_MAX], ct[WORDS_MAX];
    uint32_t draws = DRAWS_MAX;
    do {
        rc = source(random)(first ? iv_bytes : key_bytes, bytes, random_state);
        if (rc == HANJI_OK)
            rc = source(random)(first ? key_bytes : iv_bytes, bytes, random_state);
        if (rc != HANJI_OK)
            break;
        hanji_aimer_revealed(iv_bytes, bytes, "iv is half of the public key");
        load_element(key, key_bytes, words);
        load_element(iv, iv_bytes, words);
        rc = hanji_aimer_one_way(ct, key, iv, set, aligned_words(scratch));
        hanji_wipe(key, sizeof key);
        if (rc != HANJI_OK)
            rc = HANJI_E_RANDOM;
    } while (rc != HANJI_OK && --draws > 0);
    memset(public_key, 0, set->public_bytes);
    memset(secret_key, 0, set->secret_bytes);
    if (rc == HANJI_OK) {
        if (first) {
            *public_key++ = set->id;
            *secret_key++ = set->id;
        }
        memcpy(public_key, iv_bytes, bytes);
        memcpy(secret_key, key_bytes, bytes);
        for (uint32_t i = 0; i < words; i++)
            store_le64(public_key + bytes + 8 * i, ct[i]);
        memcpy(secret_key + bytes, public_key, 2 * bytes);
    }
    hanji_wipe(key_bytes, sizeof key_bytes);
    wipe_deep_stack();
    return rc;
}

static int make_key(hanji_aimer_key *key, const uint8_t *in, size_t in_bytes, int secret,
                    const hanji_aimer *set, hanji_aimer_form form, void *scratch,
                    size_t scratch_bytes)
{
    hanji_aimer_expanded *expanded = aligned(key);
    uint64_t parts[3][WORDS_MAX];
    hanji_wipe(expanded, sizeof *expanded);
    int rc = check_scratch(scratch, scratch_bytes, expand_bytes(set, form));
    if (rc == HANJI_OK)
        rc = take_key(secret ? parts[0] : NULL, parts[1], parts[2], in, in_bytes, set);
    if (rc == HANJI_OK)
        rc = hanji_aimer_expand(expanded, set, parts[1], parts[2], secret ? parts[0] : NULL, form,
                                aligned_words(scratch));
    if (rc == HANJI_OK)
        expanded->ready = AIMER_KEY_READY;
    else
        hanji_wipe(expanded, sizeof *expanded);
    if (secret) {
        hanji_wipe(parts, sizeof parts);
        wipe_deep_stack();
    }
    return rc;
}

static int make_key_apart(hanji_aimer_key *key, size_t key_bytes, const uint8_t *in,
                          size_t in_bytes, int secret, const hanji_aimer *set, void *scratch,
                          size_t scratch_bytes)
{
    if (key == NULL || set == NULL || !valid(in, in_bytes))
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {{key, key_bytes}, {scratch, scratch_bytes}, {in, in_bytes}};
    if (!hanji_apart(buffers, 2, 3))
        return HANJI_E_ARGUMENT;
    if (key_bytes < hanji_aimer_key_bytes(set))
        return HANJI_E_LENGTH;
    return make_key(key, in, in_bytes, secret, set, AIMER_KEY_FULL, scratch, scratch_bytes);
}

int hanji_aimer_key_secret(hanji_aimer_key *key, size_t key_bytes, const uint8_t *secret_key,
                           size_t secret_key_bytes, const hanji_aimer *set, void *scratch,
                           size_t scratch_bytes)
{
    return make_key_apart(key, key_bytes, secret_key, secret_key_bytes, 1, set, scratch,
                          scratch_bytes);
}

int hanji_aimer_key_public(hanji_aimer_key *key, size_t key_bytes, const uint8_t *public_key,
                           size_t public_key_bytes, const hanji_aimer *set, void *scratch,
                           size_t scratch_bytes)
{
    return make_key_apart(key, key_bytes, public_key, public_key_bytes, 0, set, scratch,
                          scratch_bytes);
}

int hanji_aimer_key_check(const uint8_t *secret_key, size_t secret_key_bytes,
                          const hanji_aimer *set, void *scratch, size_t scratch_bytes)
{
    const hanji_buffer buffers[] = {{scratch, scratch_bytes}, {secret_key, secret_key_bytes}};
    if (set == NULL || !hanji_apart(buffers, 1, 2))
        return HANJI_E_ARGUMENT;
    uint64_t parts[3][WORDS_MAX], ct[WORDS_MAX];
    int rc = check_scratch(scratch, scratch_bytes, keypair_bytes(set));
    if (rc == HANJI_OK)
        rc = take_key(parts[0], parts[1], parts[2], secret_key, secret_key_bytes, set);
    if (rc == HANJI_OK)
        rc = hanji_aimer_one_way(ct, parts[0], parts[1], set, aligned_words(scratch));
    if (rc == HANJI_OK)
        rc = hanji_equal((const uint8_t *)ct, (const uint8_t *)parts[2], 8 * set->level->words)
                 ? HANJI_OK
                 : HANJI_E_TAG;
    hanji_wipe(parts, sizeof parts);
    wipe_deep_stack();
    return rc;
}

void hanji_aimer_key_wipe(hanji_aimer_key *key, size_t key_bytes)
{
    if (key != NULL)
        hanji_wipe(key, key_bytes);
}

/* ---- contexts and options ---- */

static int check_context(const uint8_t *context, size_t context_bytes, const hanji_aimer *set)
{
    if (!valid(context, context_bytes) ||
        (context_bytes != 0 && set->level->generation->version < 3))
        return HANJI_E_ARGUMENT;
    return context_bytes > HANJI_AIMER_CONTEXT_BYTES_MAX ? HANJI_E_LENGTH : HANJI_OK;
}

static int check_options(unsigned options, const hanji_aimer *set)
{
    if ((options & ~(HANJI_AIMER_CHECK | HANJI_AIMER_DETERMINISTIC)) != 0)
        return HANJI_E_ARGUMENT;
    return (options & HANJI_AIMER_DETERMINISTIC) != 0 && set->level->generation->version == 1
               ? HANJI_E_ARGUMENT
               : HANJI_OK;
}

/* The source to use; NULL when signatures are deterministic. */
static hanji_random_fn *signing_source(hanji_random_fn *random, unsigned options)
{
    return (options & HANJI_AIMER_DETERMINISTIC) != 0 ? NULL : source(random);
}

/* The hash of a whole message. */
static int hash_message(hanji_shake *shake, const uint8_t *message, size_t message_bytes,
                        const uint8_t *context, size_t context_bytes,
                        const hanji_aimer_expanded *key)
{
    const int rc = valid(message, message_bytes) ? check_context(context, context_bytes, key->set)
                                                 : HANJI_E_ARGUMENT;
    if (rc == HANJI_OK) {
        hanji_aimer_protocol_message(shake, context, context_bytes, key);
        hanji_shake_absorb(shake, message, message_bytes);
    }
    return rc;
}

/* ---- messages in pieces ---- */

#define PHASE_OPEN 0x41494d52u /* a context that takes a message */

static void to_shake(hanji_shake *shake, const hanji_aimer_message *ctx)
{
    hanji_shake_init(shake, ctx->set->level->rate);
    memcpy(shake->state, ctx->state, sizeof shake->state);
    memcpy(shake->pending, ctx->pending, sizeof shake->pending);
    shake->held = ctx->held;
}

static void from_shake(hanji_aimer_message *ctx, const hanji_shake *shake)
{
    memcpy(ctx->state, shake->state, sizeof ctx->state);
    memcpy(ctx->pending, shake->pending, sizeof ctx->pending);
    ctx->held = shake->held;
}

/* Whether a message may still be signed or verified, and by this key. */
static int belongs(const hanji_aimer_message *ctx, const hanji_aimer_key *key)
{
    const hanji_aimer_expanded *expanded = expanded_key(key);
    if (ctx == NULL || expanded == NULL || ctx->phase != PHASE_OPEN)
        return 0;
    const size_t bytes = 8 * expanded->set->level->words;
    return ctx->set == expanded->set &&
           hanji_equal((const uint8_t *)ctx->public_key, (const uint8_t *)expanded->iv, bytes) &&
           hanji_equal((const uint8_t *)(ctx->public_key + WORDS_MAX),
                       (const uint8_t *)expanded->ct, bytes);
}

int hanji_aimer_message_init(hanji_aimer_message *ctx, const uint8_t *context, size_t context_bytes,
                             const hanji_aimer_key *key)
{
    const hanji_aimer_expanded *expanded = expanded_key(key);
    if (ctx == NULL || expanded == NULL)
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {
        {ctx, sizeof *ctx}, {context, context_bytes}, key_buffer(key, expanded)};
    if (!hanji_apart(buffers, 1, 3))
        return HANJI_E_ARGUMENT;
    int rc = hanji_selection();
    if (rc == HANJI_OK)
        rc = check_context(context, context_bytes, expanded->set);
    if (rc != HANJI_OK)
        return rc;
    hanji_shake shake;
    memset(ctx, 0, sizeof *ctx);
    hanji_aimer_protocol_message(&shake, context, context_bytes, expanded);
    from_shake(ctx, &shake);
    hanji_wipe(&shake, sizeof shake);
    memcpy(ctx->public_key, expanded->iv, sizeof expanded->iv);
    memcpy(ctx->public_key + WORDS_MAX, expanded->ct, sizeof expanded->ct);
    ctx->set = expanded->set;
    ctx->phase = PHASE_OPEN;
    return HANJI_OK;
}

int hanji_aimer_message_update(const uint8_t *message, size_t message_bytes,
                               hanji_aimer_message *ctx)
{
    if (ctx == NULL || ctx->phase != PHASE_OPEN || !valid(message, message_bytes) ||
        overlap(ctx, sizeof *ctx, message, message_bytes))
        return HANJI_E_ARGUMENT;
    hanji_shake shake;
    to_shake(&shake, ctx);
    hanji_shake_absorb(&shake, message, message_bytes);
    from_shake(ctx, &shake);
    hanji_wipe(&shake, sizeof shake);
    hanji_wipe_stack();
    return HANJI_OK;
}

static int refuse(uint8_t *signature, const hanji_aimer_expanded *key, int rc)
{
    if (signature != NULL)
        memset(signature, 0, key->set->signature_bytes);
    return rc;
}

/* Verify a signature just made. */
static int check_own(const uint8_t *signature, hanji_shake *message,
                     const hanji_aimer_expanded *key, void *memory, int small)
{
    hanji_aimer_revealed(signature, key->set->signature_bytes, "a whole signature is public");
    const int rc = hanji_aimer_protocol_verify(signature, message, key, memory, small);
    /* a faulty signature may hold what is not public */
    hanji_wipe(memory, hanji_aimer_protocol_bytes(key->set, small));
    return rc;
}

/*
 * Sign what has been hashed; the signature is zeroed unless it is whole, and the hash is used up.
 */
static int sign(uint8_t *signature, hanji_shake *message, const hanji_aimer_expanded *key,
                unsigned options, hanji_random_fn *random, void *random_state, void *scratch,
                size_t scratch_bytes)
{
    if (signature == NULL)
        return HANJI_E_ARGUMENT;
    hanji_shake again;
    const int small = scratch_bytes < hanji_aimer_protocol_bytes(key->set, 0);
    int rc = key->secret ? check_options(options, key->set) : HANJI_E_ARGUMENT;
    if (rc == HANJI_OK)
        rc = check_scratch(scratch, scratch_bytes, hanji_aimer_protocol_bytes(key->set, 1));
    if (rc == HANJI_OK) {
        memcpy(&again, message, sizeof again);
        rc = hanji_aimer_protocol_sign_begin(signature, message, key,
                                             signing_source(random, options), random_state, scratch,
                                             small, NULL);
        if (rc == HANJI_OK)
            hanji_aimer_protocol_sign_end(signature, scratch);
        if (rc == HANJI_OK && (options & HANJI_AIMER_CHECK) != 0)
            rc = check_own(signature, &again, key, scratch, small);
        hanji_wipe(&again, sizeof again);
    }
    if (rc != HANJI_OK)
        memset(signature, 0, key->set->signature_bytes);
    return rc;
}

static int verify(const uint8_t *signature, size_t signature_bytes, hanji_shake *message,
                  const hanji_aimer_expanded *key, void *scratch, size_t scratch_bytes)
{
    if (!valid(signature, signature_bytes))
        return HANJI_E_ARGUMENT;
    if (signature_bytes != key->set->signature_bytes)
        return HANJI_E_LENGTH;
    const int rc = check_scratch(scratch, scratch_bytes, hanji_aimer_protocol_bytes(key->set, 1));
    return rc != HANJI_OK ? rc
                          : hanji_aimer_protocol_verify(
                                signature, message, key, scratch,
                                scratch_bytes < hanji_aimer_protocol_bytes(key->set, 0));
}

/* The hash of a message and what is below it on the stack may hold bytes of the message. */
static int done(hanji_shake *message, int rc)
{
    hanji_wipe(message, sizeof *message);
    wipe_deep_stack();
    return rc;
}

int hanji_aimer_message_sign(uint8_t *signature, hanji_aimer_message *ctx,
                             const hanji_aimer_key *key, unsigned options, hanji_random_fn *random,
                             void *random_state, void *scratch, size_t scratch_bytes)
{
    const hanji_aimer_expanded *expanded = expanded_key(key);
    if (expanded == NULL)
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {{signature, expanded->set->signature_bytes},
                                    {scratch, scratch_bytes},
                                    {ctx, sizeof *ctx},
                                    key_buffer(key, expanded)};
    if (!hanji_apart(buffers, 3, 4))
        return HANJI_E_ARGUMENT;
    if (!belongs(ctx, key))
        return refuse(signature, expanded, HANJI_E_ARGUMENT);
    hanji_shake shake;
    to_shake(&shake, ctx);
    hanji_wipe(ctx, sizeof *ctx);
    const int rc =
        sign(signature, &shake, expanded, options, random, random_state, scratch, scratch_bytes);
    return done(&shake, rc);
}

int hanji_aimer_message_verify(const uint8_t *signature, size_t signature_bytes,
                               hanji_aimer_message *ctx, const hanji_aimer_key *key, void *scratch,
                               size_t scratch_bytes)
{
    if (!belongs(ctx, key))
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {{scratch, scratch_bytes},
                                    {ctx, sizeof *ctx},
                                    {signature, signature_bytes},
                                    key_buffer(key, aligned(key))};
    if (!hanji_apart(buffers, 2, 4))
        return HANJI_E_ARGUMENT;
    hanji_shake shake;
    to_shake(&shake, ctx);
    hanji_wipe(ctx, sizeof *ctx);
    const int rc = verify(signature, signature_bytes, &shake, aligned(key), scratch, scratch_bytes);
    return done(&shake, rc);
}

size_t hanji_aimer_message_bytes(void)
{
    return sizeof(hanji_aimer_message);
}

/* ---- whole messages ---- */

/* The buffers are apart. */
static int key_sign(uint8_t *signature, const uint8_t *message, size_t message_bytes,
                    const uint8_t *context, size_t context_bytes, const hanji_aimer_expanded *key,
                    unsigned options, hanji_random_fn *random, void *random_state, void *scratch,
                    size_t scratch_bytes)
{
    hanji_shake shake;
    int rc = hash_message(&shake, message, message_bytes, context, context_bytes, key);
    if (rc != HANJI_OK)
        return refuse(signature, key, rc);
    rc = sign(signature, &shake, key, options, random, random_state, scratch, scratch_bytes);
    return done(&shake, rc);
}

int hanji_aimer_key_sign(uint8_t *signature, const uint8_t *message, size_t message_bytes,
                         const uint8_t *context, size_t context_bytes, const hanji_aimer_key *key,
                         unsigned options, hanji_random_fn *random, void *random_state,
                         void *scratch, size_t scratch_bytes)
{
    const hanji_aimer_expanded *expanded = expanded_key(key);
    if (expanded == NULL)
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {{signature, expanded->set->signature_bytes},
                                    {scratch, scratch_bytes},
                                    {message, message_bytes},
                                    {context, context_bytes},
                                    key_buffer(key, expanded)};
    if (!hanji_apart(buffers, 2, 5))
        return HANJI_E_ARGUMENT;
    return key_sign(signature, message, message_bytes, context, context_bytes, expanded, options,
                    random, random_state, scratch, scratch_bytes);
}

static int key_verify(const uint8_t *signature, size_t signature_bytes, const uint8_t *message,
                      size_t message_bytes, const uint8_t *context, size_t context_bytes,
                      const hanji_aimer_expanded *key, void *scratch, size_t scratch_bytes)
{
    hanji_shake shake;
    int rc = hash_message(&shake, message, message_bytes, context, context_bytes, key);
    if (rc != HANJI_OK)
        return rc;
    rc = verify(signature, signature_bytes, &shake, key, scratch, scratch_bytes);
    return done(&shake, rc);
}

int hanji_aimer_key_verify(const uint8_t *signature, size_t signature_bytes, const uint8_t *message,
                           size_t message_bytes, const uint8_t *context, size_t context_bytes,
                           const hanji_aimer_key *key, void *scratch, size_t scratch_bytes)
{
    const hanji_aimer_expanded *expanded = expanded_key(key);
    if (expanded == NULL)
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {{scratch, scratch_bytes},
                                    {signature, signature_bytes},
                                    {message, message_bytes},
                                    {context, context_bytes},
                                    key_buffer(key, expanded)};
    if (!hanji_apart(buffers, 1, 5))
        return HANJI_E_ARGUMENT;
    return key_verify(signature, signature_bytes, message, message_bytes, context, context_bytes,
                      expanded, scratch, scratch_bytes);
}

/* ---- batches ---- */

/* The first error of a batch. */
static int first_error(const hanji_aimer_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (items[i].status != HANJI_OK)
            return items[i].status;
    return HANJI_OK;
}

/* A signature whose second part is still to come, and the hash of its message for verifying it. */
typedef struct unfinished {
    hanji_aimer_item *item;
    hanji_shake message;
} unfinished;

static void finish(unfinished *u, const hanji_aimer_expanded *key, unsigned options, void *memory)
{
    hanji_aimer_item *item = u->item;
    if (item == NULL)
        return;
    hanji_aimer_protocol_sign_end(item->signature, memory);
    if ((options & HANJI_AIMER_CHECK) != 0)
        item->status = check_own(item->signature, &u->message, key, memory, 0);
    if (item->status != HANJI_OK)
        memset(item->signature, 0, key->set->signature_bytes);
}

/* The last hash of a signature is computed beside the first ones of the next. */
static void sign_beside(hanji_aimer_item *items, size_t count, const hanji_aimer_expanded *key,
                        unsigned options, hanji_random_fn *random, void *random_state,
                        uint8_t *memory)
{
    uint8_t *other = memory + hanji_aimer_protocol_bytes(key->set, 0);
    unfinished open = {.item = NULL};
    for (size_t i = 0; i < count; i++) {
        hanji_aimer_item *item = &items[i];
        unfinished now = {.item = NULL};
        hanji_shake shake;
        item->status = item->signature == NULL
                           ? HANJI_E_ARGUMENT
                           : hash_message(&shake, item->message, item->message_bytes, item->context,
                                          item->context_bytes, key);
        if (item->status == HANJI_OK) {
            memcpy(&now.message, &shake, sizeof shake);
            item->status =
                hanji_aimer_protocol_sign_begin(item->signature, &shake, key, random, random_state,
                                                memory, 0, open.item != NULL ? other : NULL);
            hanji_wipe(&shake, sizeof shake);
        }
        if (item->status == HANJI_OK)
            now.item = item;
        else if (item->signature != NULL)
            memset(item->signature, 0, key->set->signature_bytes);
        finish(&open, key, options, other);
        memcpy(&open, &now, sizeof open);
        hanji_wipe(&now, sizeof now);
        uint8_t *last = memory;
        memory = other;
        other = last;
    }
    finish(&open, key, options, other);
    hanji_wipe(&open, sizeof open);
}

int hanji_aimer_key_sign_batch(hanji_aimer_item *items, size_t count, const hanji_aimer_key *key,
                               unsigned options, hanji_random_fn *random, void *random_state,
                               void *scratch, size_t scratch_bytes)
{
    const hanji_aimer_expanded *expanded = expanded_key(key);
    if (!valid(items, count) || expanded == NULL)
        return HANJI_E_ARGUMENT;
    const hanji_buffer others[] = {{scratch, scratch_bytes}, key_buffer(key, expanded)};
    const int rc = hanji_aimer_batch_apart(items, count, expanded->set->signature_bytes, others);
    if (rc != HANJI_OK)
        return rc;
    if (scratch == NULL || scratch_bytes < batch_bytes(expanded->set) || !expanded->secret ||
        check_options(options, expanded->set) != HANJI_OK || hanji_selection() != HANJI_OK) {
        for (size_t i = 0; i < count; i++)
            items[i].status = key_sign(items[i].signature, items[i].message, items[i].message_bytes,
                                       items[i].context, items[i].context_bytes, expanded, options,
                                       random, random_state, scratch, scratch_bytes);
    } else {
        sign_beside(items, count, expanded, options, signing_source(random, options), random_state,
                    (uint8_t *)scratch);
        wipe_deep_stack();
    }
    return first_error(items, count);
}

int hanji_aimer_key_verify_batch(hanji_aimer_item *items, size_t count, const hanji_aimer_key *key,
                                 void *scratch, size_t scratch_bytes)
{
    const hanji_aimer_expanded *expanded = expanded_key(key);
    if (!valid(items, count) || expanded == NULL)
        return HANJI_E_ARGUMENT;
    const hanji_buffer others[] = {{scratch, scratch_bytes}, key_buffer(key, expanded)};
    const size_t bytes = expanded->set->signature_bytes;
    const int rc = hanji_aimer_batch_inputs_apart(items, count, bytes, others);
    if (rc != HANJI_OK)
        return rc;
    for (size_t i = 0; i < count; i++)
        items[i].status =
            key_verify(items[i].signature, bytes, items[i].message, items[i].message_bytes,
                       items[i].context, items[i].context_bytes, expanded, scratch, scratch_bytes);
    return first_error(items, count);
}

/*
 * A key in the first part of the scratch memory, for one message; what is left of it is for the
 * protocol.
 */
typedef struct once {
    hanji_aimer_key *key;
    size_t key_bytes;
    uint8_t *rest;
    size_t rest_bytes;
} once;

static int expand_once(once *o, const uint8_t *in, size_t in_bytes, int secret,
                       const hanji_aimer *set, void *scratch, size_t scratch_bytes)
{
    const int rc = check_scratch(scratch, scratch_bytes, hanji_aimer_scratch_bytes_least(set));
    if (rc != HANJI_OK)
        return rc;
    const hanji_aimer_form form = scratch_bytes >= hanji_aimer_scratch_bytes(set) ? AIMER_KEY_FULL
                                  : scratch_bytes >= hanji_aimer_scratch_bytes_small(set)
                                      ? at_least(set, AIMER_KEY_COMPACT)
                                      : at_least(set, AIMER_KEY_STREAMED);
    o->key = (hanji_aimer_key *)scratch;
    o->key_bytes = form_bytes(set, form);
    o->rest = (uint8_t *)scratch + o->key_bytes;
    o->rest_bytes = scratch_bytes - o->key_bytes;
    return make_key(o->key, in, in_bytes, secret, set, form, o->rest, o->rest_bytes);
}

int hanji_aimer_sign(uint8_t *signature, const uint8_t *message, size_t message_bytes,
                     const uint8_t *context, size_t context_bytes, const uint8_t *secret_key,
                     size_t secret_key_bytes, const hanji_aimer *set, unsigned options,
                     hanji_random_fn *random, void *random_state, void *scratch,
                     size_t scratch_bytes)
{
    once o;
    if (signature == NULL || set == NULL)
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {{signature, set->signature_bytes},
                                    {scratch, scratch_bytes},
                                    {message, message_bytes},
                                    {context, context_bytes},
                                    {secret_key, secret_key_bytes}};
    if (!hanji_apart(buffers, 2, 5))
        return HANJI_E_ARGUMENT;
    int rc = expand_once(&o, secret_key, secret_key_bytes, 1, set, scratch, scratch_bytes);
    if (rc != HANJI_OK) {
        memset(signature, 0, set->signature_bytes);
        return rc;
    }
    rc = key_sign(signature, message, message_bytes, context, context_bytes, aligned(o.key),
                  options, random, random_state, o.rest, o.rest_bytes);
    hanji_aimer_key_wipe(o.key, o.key_bytes);
    return rc;
}

int hanji_aimer_verify(const uint8_t *signature, size_t signature_bytes, const uint8_t *message,
                       size_t message_bytes, const uint8_t *context, size_t context_bytes,
                       const uint8_t *public_key, size_t public_key_bytes, const hanji_aimer *set,
                       void *scratch, size_t scratch_bytes)
{
    once o;
    if (set == NULL || !valid(signature, signature_bytes))
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {{scratch, scratch_bytes},
                                    {signature, signature_bytes},
                                    {message, message_bytes},
                                    {context, context_bytes},
                                    {public_key, public_key_bytes}};
    if (!hanji_apart(buffers, 1, 5))
        return HANJI_E_ARGUMENT;
    if (signature_bytes != set->signature_bytes)
        return HANJI_E_LENGTH;
    const int rc = expand_once(&o, public_key, public_key_bytes, 0, set, scratch, scratch_bytes);
    return rc != HANJI_OK ? rc
                          : key_verify(signature, signature_bytes, message, message_bytes, context,
                                       context_bytes, aligned(o.key), o.rest, o.rest_bytes);
}

int hanji_aimer_sign_combined(uint8_t *signed_message, const uint8_t *message, size_t message_bytes,
                              const uint8_t *context, size_t context_bytes,
                              const uint8_t *secret_key, size_t secret_key_bytes,
                              const hanji_aimer *set, unsigned options, hanji_random_fn *random,
                              void *random_state, void *scratch, size_t scratch_bytes)
{
    if (signed_message == NULL || set == NULL || !valid(message, message_bytes))
        return HANJI_E_ARGUMENT;
    const size_t signed_bytes = message_bytes + set->signature_bytes;
    const hanji_buffer buffers[] = {{signed_message, signed_bytes},
                                    {scratch, scratch_bytes},
                                    {context, context_bytes},
                                    {secret_key, secret_key_bytes}};
    if (signed_bytes < message_bytes || !hanji_apart(buffers, 2, 4) ||
        overlap(scratch, scratch_bytes, message, message_bytes) ||
        overlap_partly(signed_message, signed_bytes, message, message_bytes))
        return HANJI_E_ARGUMENT;
    if (message_bytes != 0 && signed_message != message)
        memcpy(signed_message, message, message_bytes);
    const int rc = hanji_aimer_sign(signed_message + message_bytes, signed_message, message_bytes,
                                    context, context_bytes, secret_key, secret_key_bytes, set,
                                    options, random, random_state, scratch, scratch_bytes);
    if (rc != HANJI_OK && signed_message != message)
        memset(signed_message, 0, message_bytes);
    return rc;
}

int hanji_aimer_open_combined(size_t *message_bytes, const uint8_t *signed_message,
                              size_t signed_bytes, const uint8_t *context, size_t context_bytes,
                              const uint8_t *public_key, size_t public_key_bytes,
                              const hanji_aimer *set, void *scratch, size_t scratch_bytes)
{
    if (message_bytes == NULL || set == NULL || !valid(signed_message, signed_bytes))
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {{message_bytes, sizeof *message_bytes},
                                    {scratch, scratch_bytes},
                                    {signed_message, signed_bytes},
                                    {context, context_bytes},
                                    {public_key, public_key_bytes}};
    if (!hanji_apart(buffers, 2, 5))
        return HANJI_E_ARGUMENT;
    *message_bytes = 0;
    if (signed_bytes < set->signature_bytes)
        return HANJI_E_LENGTH;
    const size_t bytes = signed_bytes - set->signature_bytes;
    const int rc = hanji_aimer_verify(signed_message + bytes, set->signature_bytes, signed_message,
                                      bytes, context, context_bytes, public_key, public_key_bytes,
                                      set, scratch, scratch_bytes);
    if (rc == HANJI_OK)
        *message_bytes = bytes;
    return rc;
}
