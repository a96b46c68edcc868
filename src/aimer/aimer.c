/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of AIMer: keys, signatures, messages in pieces, batches. */
#include "aimer/aimer.h"
#include "aimer/protocol.h"
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

#ifndef HANJI_FREESTANDING
static int system_random(uint8_t *out, size_t bytes, void *state)
{
    (void)state;
    return hanji_random(out, bytes);
}
#endif

/* The source to use; NULL when there is none. */
static hanji_random_fn *source(hanji_random_fn *random)
{
#ifdef HANJI_FREESTANDING
    return random;
#else
    return random != NULL ? random : system_random;
#endif
}

static hanji_aimer_expanded *aligned(const hanji_aimer_key *key)
{
    uint8_t *at = (uint8_t *)key;
    return (hanji_aimer_expanded *)(void *)(at + (-(uintptr_t)at & 63));
}

static uint64_t *aligned_words(void *memory)
{
    uint8_t *at = memory;
    return (uint64_t *)(void *)(at + (-(uintptr_t)at & 63));
}

size_t hanji_aimer_key_bytes(const hanji_aimer *set)
{
    return set == NULL ? 0 : 8 * hanji_aimer_expanded_words(set) + 64;
}

static size_t expand_bytes(const hanji_aimer *set)
{
    return 8 * hanji_aimer_expand_words(set) + 64;
}

/* A call with an expanded key needs the second part only, which is also where a key is expanded. */
static size_t least(const hanji_aimer *set, int small)
{
    const size_t protocol = hanji_aimer_protocol_bytes(set, small), expand = expand_bytes(set);
    return protocol > expand ? protocol : expand;
}

size_t hanji_aimer_scratch_bytes(const hanji_aimer *set)
{
    return set == NULL ? 0 : hanji_aimer_key_bytes(set) + least(set, 0);
}

size_t hanji_aimer_scratch_bytes_small(const hanji_aimer *set)
{
    return set == NULL ? 0 : hanji_aimer_key_bytes(set) + least(set, 1);
}

/* A batch signs with two memories at full speed. */
static size_t batch_bytes(const hanji_aimer *set)
{
    return 2 * hanji_aimer_protocol_bytes(set, 0);
}

size_t hanji_aimer_scratch_bytes_batch(const hanji_aimer *set)
{
    const size_t one = set == NULL ? 0 : hanji_aimer_scratch_bytes(set), batch = set == NULL ? 0 : batch_bytes(set);
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
static int take_key(uint64_t *key, uint64_t *iv, uint64_t *ct, const uint8_t *in, size_t bytes, const hanji_aimer *set)
{
    const uint32_t words = set->level->words;
    if (in == NULL)
        return HANJI_E_ARGUMENT;
    if (bytes != (key != NULL ? set->secret_bytes : set->public_bytes))
        return HANJI_E_LENGTH;
    if (set->level->version == 1 && *in++ != set->id)
        return HANJI_E_ARGUMENT;
    if (key != NULL) {
        load_element(key, in, words);
        in += 8 * words;
    }
    load_element(iv, in, words);
    load_element(ct, in + 8 * words, words);
    return HANJI_OK;
}

int hanji_aimer_keypair(uint8_t *public_key, uint8_t *secret_key, const hanji_aimer *set, hanji_random_fn *random, void *random_state, void *scratch,
                        size_t scratch_bytes)
{
    if (public_key == NULL || secret_key == NULL || set == NULL || source(random) == NULL)
        return HANJI_E_ARGUMENT;
    int rc = check_scratch(scratch, scratch_bytes, expand_bytes(set));
    if (rc != HANJI_OK)
        return rc;
    const uint32_t words = set->level->words;
    const size_t bytes = 8 * words;
    const int first = set->level->version == 1;
    uint8_t key_bytes[8 * WORDS_MAX], iv_bytes[8 * WORDS_MAX];
    uint64_t key[WORDS_MAX], iv[WORDS_MAX], ct[WORDS_MAX];
    rc = source(random)(first ? iv_bytes : key_bytes, bytes, random_state);
    if (rc == HANJI_OK)
        rc = source(random)(first ? key_bytes : iv_bytes, bytes, random_state);
    memset(public_key, 0, set->public_bytes);
    memset(secret_key, 0, set->secret_bytes);
    if (rc == HANJI_OK) {
        hanji_aimer_revealed(iv_bytes, bytes, "iv is half of the public key");
        load_element(key, key_bytes, words);
        load_element(iv, iv_bytes, words);
        hanji_aimer_one_way(ct, key, iv, set, aligned_words(scratch));
        if (first) {
            *public_key++ = set->id;
            *secret_key++ = set->id;
        }
        memcpy(public_key, iv_bytes, bytes);
        memcpy(secret_key, key_bytes, bytes);
        for (uint32_t i = 0; i < words; i++)
            store_le64(public_key + bytes + 8 * i, ct[i]);
        memcpy(secret_key + bytes, public_key, 2 * bytes);
        hanji_wipe(key, sizeof key);
    }
    hanji_wipe(key_bytes, sizeof key_bytes);
    wipe_deep_stack();
    return rc;
}

static int make_key(hanji_aimer_key *key, size_t key_bytes, const uint8_t *in, size_t in_bytes, int secret, const hanji_aimer *set, void *scratch,
                    size_t scratch_bytes)
{
    if (key == NULL || set == NULL)
        return HANJI_E_ARGUMENT;
    if (key_bytes < hanji_aimer_key_bytes(set))
        return HANJI_E_LENGTH;
    int rc = check_scratch(scratch, scratch_bytes, expand_bytes(set));
    uint64_t parts[3][WORDS_MAX];
    if (rc == HANJI_OK)
        rc = take_key(secret ? parts[0] : NULL, parts[1], parts[2], in, in_bytes, set);
    if (rc == HANJI_OK)
        hanji_aimer_expand(aligned(key), set, parts[1], parts[2], secret ? parts[0] : NULL, aligned_words(scratch));
    if (secret) {
        hanji_wipe(parts, sizeof parts);
        wipe_deep_stack();
    }
    return rc;
}

int hanji_aimer_key_secret(hanji_aimer_key *key, size_t key_bytes, const uint8_t *secret_key, size_t secret_key_bytes, const hanji_aimer *set,
                           void *scratch, size_t scratch_bytes)
{
    return make_key(key, key_bytes, secret_key, secret_key_bytes, 1, set, scratch, scratch_bytes);
}

int hanji_aimer_key_public(hanji_aimer_key *key, size_t key_bytes, const uint8_t *public_key, size_t public_key_bytes, const hanji_aimer *set,
                           void *scratch, size_t scratch_bytes)
{
    return make_key(key, key_bytes, public_key, public_key_bytes, 0, set, scratch, scratch_bytes);
}

int hanji_aimer_key_check(const uint8_t *secret_key, size_t secret_key_bytes, const hanji_aimer *set, void *scratch, size_t scratch_bytes)
{
    if (set == NULL)
        return HANJI_E_ARGUMENT;
    uint64_t parts[3][WORDS_MAX], ct[WORDS_MAX];
    int rc = check_scratch(scratch, scratch_bytes, expand_bytes(set));
    if (rc == HANJI_OK)
        rc = take_key(parts[0], parts[1], parts[2], secret_key, secret_key_bytes, set);
    if (rc == HANJI_OK) {
        hanji_aimer_one_way(ct, parts[0], parts[1], set, aligned_words(scratch));
        rc = hanji_equal((const uint8_t *)ct, (const uint8_t *)parts[2], 8 * set->level->words) ? HANJI_OK : HANJI_E_TAG;
    }
    hanji_wipe(parts, sizeof parts);
    wipe_deep_stack();
    return rc;
}

void hanji_aimer_key_wipe(hanji_aimer_key *key, size_t key_bytes)
{
    if (key != NULL)
        hanji_wipe(key, key_bytes);
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

int hanji_aimer_message_init(hanji_aimer_message *ctx, const hanji_aimer_key *key)
{
    if (ctx == NULL || key == NULL)
        return HANJI_E_ARGUMENT;
    const int rc = hanji_selection();
    if (rc != HANJI_OK)
        return rc;
    hanji_shake shake;
    hanji_aimer_protocol_message(&shake, aligned(key));
    from_shake(ctx, &shake);
    ctx->set = aligned(key)->set;
    ctx->phase = PHASE_OPEN;
    return HANJI_OK;
}

int hanji_aimer_message_update(const uint8_t *message, size_t message_bytes, hanji_aimer_message *ctx)
{
    if (ctx == NULL || ctx->phase != PHASE_OPEN || !valid(message, message_bytes))
        return HANJI_E_ARGUMENT;
    hanji_shake shake;
    to_shake(&shake, ctx);
    hanji_shake_absorb(&shake, message, message_bytes);
    from_shake(ctx, &shake);
    return HANJI_OK;
}

/* An argument is wrong: nothing is signed. */
static int refuse(uint8_t *signature, const hanji_aimer_key *key)
{
    if (signature != NULL && key != NULL)
        memset(signature, 0, aligned(key)->set->signature_bytes);
    return HANJI_E_ARGUMENT;
}

/* Sign with a source of random bytes; the signature is zeroed unless it is whole. */
static int sign(uint8_t *signature, hanji_shake *message, const hanji_aimer_expanded *key, hanji_random_fn *random, void *random_state, void *scratch,
                size_t scratch_bytes)
{
    if (signature == NULL)
        return HANJI_E_ARGUMENT;
    const int small = scratch_bytes < least(key->set, 0);
    int rc = source(random) == NULL || !key->secret ? HANJI_E_ARGUMENT : check_scratch(scratch, scratch_bytes, least(key->set, 1));
    if (rc == HANJI_OK)
        rc = hanji_aimer_protocol_sign_begin(signature, message, key, source(random), random_state, scratch, small, NULL);
    if (rc == HANJI_OK)
        hanji_aimer_protocol_sign_end(signature, scratch);
    else
        memset(signature, 0, key->set->signature_bytes);
    wipe_deep_stack();
    return rc;
}

static int verify(const uint8_t *signature, size_t signature_bytes, hanji_shake *message, const hanji_aimer_expanded *key, void *scratch,
                  size_t scratch_bytes)
{
    if (!valid(signature, signature_bytes))
        return HANJI_E_ARGUMENT;
    if (signature_bytes != key->set->signature_bytes)
        return HANJI_E_LENGTH;
    const int rc = check_scratch(scratch, scratch_bytes, least(key->set, 1));
    return rc != HANJI_OK ? rc : hanji_aimer_protocol_verify(signature, message, key, scratch, scratch_bytes < least(key->set, 0));
}

int hanji_aimer_message_sign(uint8_t *signature, hanji_aimer_message *ctx, const hanji_aimer_key *key, hanji_random_fn *random, void *random_state,
                             void *scratch, size_t scratch_bytes)
{
    if (ctx == NULL || key == NULL || ctx->phase != PHASE_OPEN || ctx->set != aligned(key)->set)
        return refuse(signature, key);
    hanji_shake shake;
    to_shake(&shake, ctx);
    hanji_wipe(ctx, sizeof *ctx);
    return sign(signature, &shake, aligned(key), random, random_state, scratch, scratch_bytes);
}

int hanji_aimer_message_verify(const uint8_t *signature, size_t signature_bytes, hanji_aimer_message *ctx, const hanji_aimer_key *key, void *scratch,
                               size_t scratch_bytes)
{
    if (ctx == NULL || key == NULL || ctx->phase != PHASE_OPEN || ctx->set != aligned(key)->set)
        return HANJI_E_ARGUMENT;
    hanji_shake shake;
    to_shake(&shake, ctx);
    hanji_wipe(ctx, sizeof *ctx);
    return verify(signature, signature_bytes, &shake, aligned(key), scratch, scratch_bytes);
}

size_t hanji_aimer_message_bytes(void)
{
    return sizeof(hanji_aimer_message);
}

/* ---- whole messages ---- */

int hanji_aimer_key_sign(uint8_t *signature, const uint8_t *message, size_t message_bytes, const hanji_aimer_key *key, hanji_random_fn *random,
                         void *random_state, void *scratch, size_t scratch_bytes)
{
    if (key == NULL || !valid(message, message_bytes))
        return refuse(signature, key);
    hanji_shake shake;
    hanji_aimer_protocol_message(&shake, aligned(key));
    hanji_shake_absorb(&shake, message, message_bytes);
    return sign(signature, &shake, aligned(key), random, random_state, scratch, scratch_bytes);
}

int hanji_aimer_key_verify(const uint8_t *signature, size_t signature_bytes, const uint8_t *message, size_t message_bytes, const hanji_aimer_key *key,
                           void *scratch, size_t scratch_bytes)
{
    if (key == NULL || !valid(message, message_bytes))
        return HANJI_E_ARGUMENT;
    hanji_shake shake;
    hanji_aimer_protocol_message(&shake, aligned(key));
    hanji_shake_absorb(&shake, message, message_bytes);
    return verify(signature, signature_bytes, &shake, aligned(key), scratch, scratch_bytes);
}

int hanji_aimer_key_sign_batch(hanji_aimer_item *items, size_t count, const hanji_aimer_key *key, hanji_random_fn *random, void *random_state,
                               void *scratch, size_t scratch_bytes)
{
    int first = HANJI_OK;
    if (!valid(items, count) || key == NULL)
        return HANJI_E_ARGUMENT;
    const hanji_aimer *set = aligned(key)->set;
    if (scratch == NULL || scratch_bytes < batch_bytes(set) || source(random) == NULL || !aligned(key)->secret || hanji_selection() != HANJI_OK) {
        for (size_t i = 0; i < count; i++) {
            hanji_aimer_item *item = &items[i];
            item->status =
                hanji_aimer_key_sign(item->signature, item->message, item->message_bytes, key, random, random_state, scratch, scratch_bytes);
            if (first == HANJI_OK)
                first = item->status;
        }
        return first;
    }
    /* The last hash of a signature is computed beside the first ones of the next. */
    uint8_t *memory = scratch, *other = memory + hanji_aimer_protocol_bytes(set, 0);
    const hanji_aimer_item *open = NULL;
    for (size_t i = 0; i < count; i++) {
        hanji_aimer_item *item = &items[i];
        hanji_shake shake;
        item->status = item->signature == NULL || !valid(item->message, item->message_bytes) ? HANJI_E_ARGUMENT : HANJI_OK;
        if (item->status == HANJI_OK) {
            hanji_aimer_protocol_message(&shake, aligned(key));
            hanji_shake_absorb(&shake, item->message, item->message_bytes);
            item->status = hanji_aimer_protocol_sign_begin(item->signature, &shake, aligned(key), source(random), random_state, memory, 0,
                                                           open != NULL ? other : NULL);
        }
        if (open != NULL)
            hanji_aimer_protocol_sign_end(open->signature, other);
        open = item->status == HANJI_OK ? item : NULL;
        if (item->status != HANJI_OK && item->signature != NULL)
            memset(item->signature, 0, set->signature_bytes);
        if (first == HANJI_OK)
            first = item->status;
        uint8_t *last = memory;
        memory = other;
        other = last;
    }
    if (open != NULL)
        hanji_aimer_protocol_sign_end(open->signature, other);
    wipe_deep_stack();
    return first;
}

int hanji_aimer_key_verify_batch(hanji_aimer_item *items, size_t count, const hanji_aimer_key *key, void *scratch, size_t scratch_bytes)
{
    int first = HANJI_OK;
    if (!valid(items, count) || key == NULL)
        return HANJI_E_ARGUMENT;
    for (size_t i = 0; i < count; i++) {
        hanji_aimer_item *item = &items[i];
        item->status = hanji_aimer_key_verify(item->signature, aligned(key)->set->signature_bytes, item->message, item->message_bytes, key, scratch,
                                              scratch_bytes);
        if (first == HANJI_OK)
            first = item->status;
    }
    return first;
}

/* The key expanded in the first part of the scratch memory, for one message; what is left of it is for the protocol. */
static int expand_once(hanji_aimer_key **key, uint8_t **rest, size_t *rest_bytes, const uint8_t *in, size_t in_bytes, int secret,
                       const hanji_aimer *set, void *scratch, size_t scratch_bytes)
{
    if (set == NULL)
        return HANJI_E_ARGUMENT;
    const size_t key_bytes = hanji_aimer_key_bytes(set);
    const int rc = check_scratch(scratch, scratch_bytes, hanji_aimer_scratch_bytes_small(set));
    if (rc != HANJI_OK)
        return rc;
    *key = scratch;
    *rest = (uint8_t *)scratch + key_bytes;
    *rest_bytes = scratch_bytes - key_bytes;
    return make_key(*key, key_bytes, in, in_bytes, secret, set, *rest, *rest_bytes);
}

int hanji_aimer_sign(uint8_t *signature, const uint8_t *message, size_t message_bytes, const uint8_t *secret_key, size_t secret_key_bytes,
                     const hanji_aimer *set, hanji_random_fn *random, void *random_state, void *scratch, size_t scratch_bytes)
{
    hanji_aimer_key *key;
    uint8_t *rest;
    size_t rest_bytes;
    if (signature == NULL || set == NULL)
        return HANJI_E_ARGUMENT;
    int rc = expand_once(&key, &rest, &rest_bytes, secret_key, secret_key_bytes, 1, set, scratch, scratch_bytes);
    if (rc != HANJI_OK) {
        memset(signature, 0, set->signature_bytes);
        return rc;
    }
    rc = hanji_aimer_key_sign(signature, message, message_bytes, key, random, random_state, rest, rest_bytes);
    if (rc != HANJI_OK)
        memset(signature, 0, set->signature_bytes);
    hanji_aimer_key_wipe(key, hanji_aimer_key_bytes(set));
    return rc;
}

int hanji_aimer_verify(const uint8_t *signature, size_t signature_bytes, const uint8_t *message, size_t message_bytes, const uint8_t *public_key,
                       size_t public_key_bytes, const hanji_aimer *set, void *scratch, size_t scratch_bytes)
{
    hanji_aimer_key *key;
    uint8_t *rest;
    size_t rest_bytes;
    if (set == NULL || !valid(signature, signature_bytes))
        return HANJI_E_ARGUMENT;
    if (signature_bytes != set->signature_bytes)
        return HANJI_E_LENGTH;
    const int rc = expand_once(&key, &rest, &rest_bytes, public_key, public_key_bytes, 0, set, scratch, scratch_bytes);
    return rc != HANJI_OK ? rc : hanji_aimer_key_verify(signature, signature_bytes, message, message_bytes, key, rest, rest_bytes);
}

int hanji_aimer_sign_combined(uint8_t *signed_message, const uint8_t *message, size_t message_bytes, const uint8_t *secret_key,
                              size_t secret_key_bytes, const hanji_aimer *set, hanji_random_fn *random, void *random_state, void *scratch,
                              size_t scratch_bytes)
{
    if (signed_message == NULL || set == NULL || !valid(message, message_bytes) ||
        overlap_partly(signed_message, message_bytes + set->signature_bytes, message, message_bytes))
        return HANJI_E_ARGUMENT;
    if (message_bytes != 0 && signed_message != message)
        memcpy(signed_message, message, message_bytes);
    const int rc = hanji_aimer_sign(signed_message + message_bytes, signed_message, message_bytes, secret_key, secret_key_bytes, set, random,
                                    random_state, scratch, scratch_bytes);
    if (rc != HANJI_OK && signed_message != message)
        memset(signed_message, 0, message_bytes);
    return rc;
}

int hanji_aimer_open_combined(size_t *message_bytes, const uint8_t *signed_message, size_t signed_bytes, const uint8_t *public_key,
                              size_t public_key_bytes, const hanji_aimer *set, void *scratch, size_t scratch_bytes)
{
    if (message_bytes == NULL || set == NULL || !valid(signed_message, signed_bytes))
        return HANJI_E_ARGUMENT;
    *message_bytes = 0;
    if (signed_bytes < set->signature_bytes)
        return HANJI_E_LENGTH;
    const size_t bytes = signed_bytes - set->signature_bytes;
    const int rc = hanji_aimer_verify(signed_message + bytes, set->signature_bytes, signed_message, bytes, public_key, public_key_bytes, set, scratch,
                                      scratch_bytes);
    if (rc == HANJI_OK)
        *message_bytes = bytes;
    return rc;
}
