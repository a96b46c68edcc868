/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The calls of SLH-DSA, used right and wrong: strict verification, messages in pieces that come in
 * a wrong order or change, sources of random bytes that fail, and buffers that overlap. All with
 * smaller trees (slhdsa_small.h).
 */
#include "slhdsa_small.h"

static const uint8_t text[] = "the message that is signed", purpose[] = "what it is for";
#define TEXT (sizeof text)
#define PURPOSE (sizeof purpose)
static uint8_t made[SMALL_SIGNATURE_MAX + 1], small_signature[SMALL_SIGNATURE_MAX];

/* Firmware has no random bytes of its own. */
static int counting(uint8_t *out, size_t bytes, void *state)
{
    static uint8_t count;
    (void)state;
    for (size_t i = 0; i < bytes; i++)
        out[i] = count++;
    return HANJI_OK;
}

static int sign_it(uint8_t *signature, int mode, unsigned options)
{
    return hanji_slhdsa_sign(signature, text, TEXT, purpose, PURPOSE, mode, small_secret,
                             small_secret_bytes, &small_set, options, counting, NULL);
}

static int verify_it(const uint8_t *signature, size_t bytes, int mode)
{
    return hanji_slhdsa_verify(signature, bytes, text, TEXT, purpose, PURPOSE, mode, small_public,
                               small_public_bytes, &small_set);
}

static void sets_are_described(void)
{
    CHECK(hanji_slhdsa_count() == 6 && hanji_slhdsa_at(6) == NULL);
    CHECK(hanji_slhdsa_by_name("slh-dsa-shake-512s") == NULL && hanji_slhdsa_by_name(NULL) == NULL);
    for (size_t i = 0; i < 6; i++) {
        const hanji_slhdsa *set = hanji_slhdsa_at(i);
        case_context = hanji_slhdsa_name(set);
        CHECK(hanji_slhdsa_by_name(hanji_slhdsa_name(set)) == set);
        CHECK(hanji_slhdsa_secret_key_bytes(set) == 2 * hanji_slhdsa_public_key_bytes(set));
        CHECK(hanji_slhdsa_mode(NULL, set) == HANJI_SLHDSA_PURE);
        CHECK(hanji_slhdsa_mode("SHAKE256", set) == HANJI_SLHDSA_SHAKE256);
        CHECK(hanji_slhdsa_mode("SHAKE128", set) ==
              (i < 2 ? HANJI_SLHDSA_SHAKE128 : HANJI_E_ARGUMENT));
        CHECK(hanji_slhdsa_mode("SHA2-256", set) == HANJI_E_ARGUMENT);
        CHECK(hanji_slhdsa_mode("", set) == HANJI_E_ARGUMENT);
    }
    static const size_t sizes[6][3] = {
#define SIZES(name)                                                                              \
    {HANJI_SLHDSA_SHAKE_##name##_PUBLIC_KEY_BYTES, HANJI_SLHDSA_SHAKE_##name##_SECRET_KEY_BYTES, \
     HANJI_SLHDSA_SHAKE_##name##_SIGNATURE_BYTES}
        SIZES(128S), SIZES(128F), SIZES(192S), SIZES(192F), SIZES(256S), SIZES(256F)};
    for (size_t i = 0; i < 6; i++) {
        CHECK(hanji_slhdsa_public_key_bytes(hanji_slhdsa_at(i)) == sizes[i][0]);
        CHECK(hanji_slhdsa_secret_key_bytes(hanji_slhdsa_at(i)) == sizes[i][1]);
        CHECK(hanji_slhdsa_signature_bytes(hanji_slhdsa_at(i)) == sizes[i][2]);
    }
    CHECK(hanji_slhdsa_signature_bytes(NULL) == 0 && hanji_slhdsa_name(NULL) == NULL);
    CHECK(hanji_slhdsa_mode(NULL, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_message_bytes() == sizeof(hanji_slhdsa_message));
}

/* Every byte of a signature and of a public key counts, and every length but the right one. */
static void verification_is_strict(void)
{
    for (size_t set = 0; set < 6; set++) {
        CHECK(take_small(set));
        CHECK(sign_it(made, HANJI_SLHDSA_PURE, 0) == HANJI_OK);
        CHECK(verify_it(made, small_bytes, HANJI_SLHDSA_PURE) == HANJI_OK);
        /* every value of n bytes: for three sets, as their other halves differ in k only */
        const size_t step = set % 2 == 0 ? slh_n(&small_set) - 1 : 8 * slh_n(&small_set) - 1;
        for (size_t at = 0; at < small_bytes; at += step) {
            const uint8_t flip = (uint8_t)(1u << (at & 7));
            made[at] ^= flip;
            CHECK(verify_it(made, small_bytes, HANJI_SLHDSA_PURE) == HANJI_E_TAG);
            made[at] ^= flip;
        }
        for (size_t at = 0; at < small_public_bytes; at += 5) {
            small_public[at] ^= 1;
            CHECK(verify_it(made, small_bytes, HANJI_SLHDSA_PURE) == HANJI_E_TAG);
            small_public[at] ^= 1;
        }
        made[small_bytes] = 0;
        CHECK(verify_it(made, small_bytes + 1, HANJI_SLHDSA_PURE) == HANJI_E_LENGTH);
        CHECK(verify_it(made, small_bytes - 1, HANJI_SLHDSA_PURE) == HANJI_E_LENGTH);
        CHECK(verify_it(NULL, 0, HANJI_SLHDSA_PURE) == HANJI_E_LENGTH);
        CHECK(verify_it(NULL, small_bytes, HANJI_SLHDSA_PURE) == HANJI_E_ARGUMENT);
        for (size_t other = 0; other < 2; other++) /* keys and contexts of other lengths */
            CHECK(hanji_slhdsa_verify(made, small_bytes, text, TEXT, purpose, other ? 256 : PURPOSE,
                                      HANJI_SLHDSA_PURE, small_public, small_public_bytes - !other,
                                      &small_set) == HANJI_E_LENGTH);
    }
}

/* A signature is of one message, one context and one mode. */
static void nothing_else_verifies(void)
{
    static const int modes[] = {HANJI_SLHDSA_PURE, HANJI_SLHDSA_SHAKE128, HANJI_SLHDSA_SHAKE256};
    CHECK(take_small(1));
    for (size_t m = 0; m < 3; m++) {
        CHECK(sign_it(made, modes[m], 0) == HANJI_OK);
        for (size_t o = 0; o < 3; o++)
            CHECK(verify_it(made, small_bytes, modes[o]) == (o == m ? HANJI_OK : HANJI_E_TAG));
        CHECK(hanji_slhdsa_verify(made, small_bytes, text, TEXT - 1, purpose, PURPOSE, modes[m],
                                  small_public, small_public_bytes, &small_set) == HANJI_E_TAG);
        /* the border between context and message */
        CHECK(hanji_slhdsa_verify(made, small_bytes, text, TEXT, purpose, PURPOSE - 1, modes[m],
                                  small_public, small_public_bytes, &small_set) == HANJI_E_TAG);
    }
    CHECK(verify_it(made, small_bytes, 1) == HANJI_E_ARGUMENT); /* SHA-256 */
    CHECK(verify_it(made, small_bytes, -1) == HANJI_E_ARGUMENT);
    CHECK(take_small(2));
    CHECK(sign_it(made, HANJI_SLHDSA_SHAKE128, 0) == HANJI_E_ARGUMENT);
    CHECK(all_are(made, small_bytes, 0));
    CHECK(verify_it(made, small_bytes, HANJI_SLHDSA_SHAKE128) == HANJI_E_ARGUMENT);
}

static int no_random(uint8_t *out, size_t bytes, void *state)
{
    fill(out, bytes, 0x77);
    return *(int *)state;
}

static void refusals_erase_the_outputs(void)
{
    int code = HANJI_E_RANDOM;
    CHECK(take_small(3));
    for (int turn = 0; turn < 2; turn++, code = -1000) {
        fill(made, sizeof made, 0x5a);
        CHECK(hanji_slhdsa_sign(made, text, TEXT, NULL, 0, 0, small_secret, small_secret_bytes,
                                &small_set, 0, no_random, &code) == code);
        CHECK(all_are(made, small_bytes, 0) && made[small_bytes] == 0x5a);
        uint8_t public_key[64], secret_key[128];
        fill(public_key, sizeof public_key, 0x5a);
        fill(secret_key, sizeof secret_key, 0x5a);
        CHECK(hanji_slhdsa_keypair(public_key, secret_key, &small_set, no_random, &code) == code);
        CHECK(all_are(public_key, small_public_bytes, 0) && public_key[small_public_bytes] == 0x5a);
        CHECK(all_are(secret_key, small_secret_bytes, 0) && secret_key[small_secret_bytes] == 0x5a);
        fill(secret_key, sizeof secret_key, 0x5a);
        CHECK(hanji_slhdsa_keypair_from_seeds(public_key, secret_key, small_secret,
                                              small_secret_bytes, &small_set) == HANJI_E_LENGTH);
        CHECK(all_are(secret_key, small_secret_bytes, 0));
    }
    static uint8_t long_context[256];
    const struct {
        size_t context, key;
        unsigned options;
        int rc;
    } wrong[] = {{256, small_secret_bytes, 0, HANJI_E_LENGTH},
                 {0, small_secret_bytes - 1, 0, HANJI_E_LENGTH},
                 {0, small_secret_bytes + 1, 0, HANJI_E_LENGTH},
                 {0, small_secret_bytes, 4, HANJI_E_ARGUMENT}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        fill(made, sizeof made, 0x5a);
        CHECK(hanji_slhdsa_sign(made, text, TEXT, long_context, wrong[i].context, 0, small_secret,
                                wrong[i].key, &small_set, wrong[i].options, NULL,
                                NULL) == wrong[i].rc);
        CHECK(all_are(made, small_bytes, 0));
    }
    CHECK(hanji_slhdsa_sign(made, text, TEXT, long_context, 255, 0, small_secret,
                            small_secret_bytes, &small_set, HANJI_SLHDSA_DETERMINISTIC, no_random,
                            &code) == HANJI_OK); /* and no random bytes are asked for */
}

/* A secret key whose public half is another's signs nothing. */
static void keys_that_do_not_fit_sign_nothing(void)
{
    CHECK(take_small(0));
    CHECK(hanji_slhdsa_key_check(small_secret, small_secret_bytes, &small_set) == HANJI_OK);
    CHECK(hanji_slhdsa_key_check(small_secret, small_secret_bytes - 1, &small_set) ==
          HANJI_E_LENGTH);
    for (size_t part = 0; part < 4; part++) {
        const size_t at = part * small_secret_bytes / 4;
        small_secret[at] ^= 1;
        const int fits = part == 1; /* SK.prf belongs to any */
        CHECK(hanji_slhdsa_key_check(small_secret, small_secret_bytes, &small_set) ==
              (fits ? HANJI_OK : HANJI_E_TAG));
        fill(made, sizeof made, 0x5a);
        CHECK(sign_it(made, HANJI_SLHDSA_PURE, 0) == (fits ? HANJI_OK : HANJI_E_TAG));
        CHECK(fits || all_are(made, small_bytes, 0));
        small_secret[at] ^= 1;
    }
}

static int begin_it(hanji_slhdsa_message *m, int mode, unsigned options)
{
    return hanji_slhdsa_sign_init(m, purpose, PURPOSE, mode, small_secret, small_secret_bytes,
                                  &small_set, options, counting, NULL);
}

static void pieces_come_in_order(void)
{
    hanji_slhdsa_message m, copy;
    CHECK(take_small(4));
    CHECK(sign_it(small_signature, HANJI_SLHDSA_PURE, 0) == HANJI_OK);
    /* nothing was begun */
    fill(&m, sizeof m, 0);
    CHECK(hanji_slhdsa_message_update(text, TEXT, &m) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_message_again(&m) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_message_sign(made, &m) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_message_verify(small_signature, small_bytes, &m) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_message_progress(&m, NULL, NULL) == HANJI_E_ARGUMENT);
    /* the second reading is missing: nothing is signed, and the context is used up */
    CHECK(begin_it(&m, HANJI_SLHDSA_PURE, 0) == HANJI_OK);
    CHECK(hanji_slhdsa_message_update(text, TEXT, &m) == HANJI_OK);
    copy = m;
    fill(made, sizeof made, 0x5a);
    CHECK(hanji_slhdsa_message_sign(made, &m) == HANJI_E_ARGUMENT);
    CHECK(all_are(made, small_bytes, 0) && all_are(&m, sizeof m, 0));
    /* a third one, and verifying what is to be signed */
    m = copy;
    CHECK(hanji_slhdsa_message_verify(small_signature, small_bytes, &m) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_message_again(&m) == HANJI_OK);
    CHECK(hanji_slhdsa_message_again(&m) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_message_update(text, TEXT, &m) == HANJI_OK);
    CHECK(hanji_slhdsa_message_sign(made, &m) == HANJI_OK);
    CHECK(verify_it(made, small_bytes, HANJI_SLHDSA_PURE) == HANJI_OK);
    CHECK(all_are(&m, sizeof m, 0));
    /* one reading with a hash */
    CHECK(begin_it(&m, HANJI_SLHDSA_SHAKE256, 0) == HANJI_OK);
    CHECK(hanji_slhdsa_message_update(text, TEXT, &m) == HANJI_OK);
    CHECK(hanji_slhdsa_message_again(&m) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_message_sign(made, &m) == HANJI_OK);
    CHECK(verify_it(made, small_bytes, HANJI_SLHDSA_SHAKE256) == HANJI_OK);
    /* verifying: signing is another thing, and the signature is the one that began */
    CHECK(hanji_slhdsa_verify_init(&m, small_signature, small_bytes, purpose, PURPOSE,
                                   HANJI_SLHDSA_PURE, small_public, small_public_bytes,
                                   &small_set) == HANJI_OK);
    CHECK(hanji_slhdsa_message_again(&m) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_message_progress(&m, NULL, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_message_sign(made, &m) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_message_update(text, TEXT, &m) == HANJI_OK);
    copy = m;
    CHECK(hanji_slhdsa_message_verify(made, small_bytes, &m) == HANJI_E_TAG);
    m = copy;
    CHECK(hanji_slhdsa_message_verify(small_signature, small_bytes - 1, &m) == HANJI_E_LENGTH);
    CHECK(hanji_slhdsa_message_verify(small_signature, small_bytes, &copy) == HANJI_OK);
    CHECK(all_are(&copy, sizeof copy, 0));
    CHECK(hanji_slhdsa_message_update(text, TEXT, &copy) == HANJI_E_ARGUMENT);
    hanji_slhdsa_message_wipe(NULL);
    CHECK(begin_it(&m, HANJI_SLHDSA_PURE, 0) == HANJI_OK);
    hanji_slhdsa_message_wipe(&m);
    CHECK(all_are(&m, sizeof m, 0));
}

/* Both readings must be the same bytes: a bit that flips, a byte more, a byte less. */
static void changing_messages_are_refused(void)
{
    static uint8_t before[300], after[301];
    pseudo_random(before, sizeof before, 3);
    for (size_t set = 0; set < 6; set += 2) {
        CHECK(take_small(set));
        for (int what = 0; what < 5; what++) {
            const size_t bytes = sizeof before + (what == 1) - (what == 2);
            hanji_slhdsa_message m;
            copy_bytes(after, before, sizeof before);
            after[300] = 0;
            if (what > 2)
                after[what == 3 ? 0 : 299] ^= 0x80;
            CHECK(begin_it(&m, HANJI_SLHDSA_PURE, 0) == HANJI_OK);
            CHECK(hanji_slhdsa_message_update(before, sizeof before, &m) == HANJI_OK);
            CHECK(hanji_slhdsa_message_again(&m) == HANJI_OK);
            CHECK(hanji_slhdsa_message_update(after, bytes, &m) == HANJI_OK);
            fill(made, sizeof made, 0x5a);
            CHECK(hanji_slhdsa_message_sign(made, &m) == (what ? HANJI_E_CHANGED : HANJI_OK));
            CHECK(all_are(made, small_bytes, 0) == (what != 0));
        }
    }
}

static uint64_t stop_at;

static int stopping(uint64_t done, uint64_t total, void *state)
{
    (void)total;
    (void)state;
    return done >= stop_at ? -4711 : HANJI_OK;
}

/* A caller who has enough gets his own code, and no part of a signature. */
static void progress_ends_a_call(void)
{
    CHECK(take_small(5));
    for (stop_at = 1; stop_at < 40; stop_at += 9) {
        hanji_slhdsa_message m;
        CHECK(begin_it(&m, HANJI_SLHDSA_SHAKE256, 0) == HANJI_OK);
        CHECK(hanji_slhdsa_message_progress(&m, stopping, NULL) == HANJI_OK);
        fill(made, sizeof made, 0x5a);
        CHECK(hanji_slhdsa_message_sign(made, &m) == -4711);
        CHECK(all_are(made, small_bytes, 0));
    }
}

static int begin_stream(hanji_slhdsa_stream *s, const uint8_t *signature)
{
    return hanji_slhdsa_stream_init(s, signature, slh_n(&small_set), purpose, PURPOSE,
                                    HANJI_SLHDSA_PURE, small_public, small_public_bytes,
                                    &small_set);
}

/* The verdict on a signature of so many bytes, whole or byte by byte. */
static uint32_t stream_it(const uint8_t *signature, size_t bytes, size_t piece)
{
    hanji_slhdsa_stream s;
    const size_t n = slh_n(&small_set);
    if (begin_stream(&s, signature) != HANJI_OK ||
        hanji_slhdsa_stream_message(text, TEXT, &s) != HANJI_OK)
        return 0;
    for (size_t at = n, part; at < bytes; at += part) {
        part = piece < bytes - at ? piece : bytes - at;
        (void)!hanji_slhdsa_stream_signature(signature + at, part, &s);
    }
    return hanji_slhdsa_stream_end(&s);
}

/* Bytes of all parts altered, and every length but the right one near both ends. */
static void streams_are_strict(void)
{
    for (size_t set = 1; set < 6; set += 2) {
        CHECK(take_small(set));
        const size_t n = slh_n(&small_set);
        CHECK(sign_it(made, HANJI_SLHDSA_PURE, 0) == HANJI_OK);
        CHECK(stream_it(made, small_bytes, 1) == HANJI_SLHDSA_VALID);
        CHECK(stream_it(made, small_bytes, n + 1) == HANJI_SLHDSA_VALID);
        CHECK(stream_it(made, small_bytes, small_bytes) == HANJI_SLHDSA_VALID);
        for (size_t at = 0; at < small_bytes; at += 4 * n - 1) {
            made[at] ^= 1;
            CHECK(stream_it(made, small_bytes, small_bytes) == HANJI_SLHDSA_INVALID);
            made[at] ^= 1;
        }
        for (size_t less = 1; less <= n + 1; less++)
            CHECK(stream_it(made, small_bytes - less, small_bytes) == HANJI_SLHDSA_INVALID);
        made[small_bytes] = 0;
        CHECK(stream_it(made, small_bytes + 1, small_bytes) == HANJI_SLHDSA_INVALID);
        CHECK(stream_it(made, small_bytes + 1, small_bytes - n) == HANJI_SLHDSA_INVALID);
        CHECK(stream_it(made, n, small_bytes) == HANJI_SLHDSA_INVALID);
        small_public[n] ^= 1;
        CHECK(stream_it(made, small_bytes, n) == HANJI_SLHDSA_INVALID);
        small_public[n] ^= 1;
        CHECK(stream_it(made, small_bytes, n) == HANJI_SLHDSA_VALID);
    }
}

/* A stream reads the message and so many bytes of a signature, 0 or at least its start. */
static int read_until(hanji_slhdsa_stream *s, size_t bytes)
{
    const size_t n = slh_n(&small_set);
    return begin_stream(s, made) == HANJI_OK &&
           hanji_slhdsa_stream_message(text, TEXT, s) == HANJI_OK &&
           (bytes == 0 || hanji_slhdsa_stream_signature(made + n, bytes - n, s) == HANJI_OK);
}

/* Whether the context is erased, fails with every call, and gives no other verdict than "invalid".
 */
static int is_refused(hanji_slhdsa_stream *s)
{
    return all_are(s, sizeof *s, 0) &&
           hanji_slhdsa_stream_message(text, 0, s) == HANJI_E_ARGUMENT &&
           hanji_slhdsa_stream_signature(made, 0, s) == HANJI_E_ARGUMENT &&
           hanji_slhdsa_stream_end(s) == HANJI_SLHDSA_INVALID;
}

static void streams_come_in_order(void)
{
    hanji_slhdsa_stream s, fork;
    CHECK(take_small(0));
    const size_t n = slh_n(&small_set);
    CHECK(hanji_slhdsa_stream_bytes() == sizeof s);
    CHECK((HANJI_SLHDSA_VALID ^ HANJI_SLHDSA_INVALID) == 0xffffffffu);
    CHECK(sign_it(made, HANJI_SLHDSA_PURE, 0) == HANJI_OK);
    /* pieces of no bytes, and a fork */
    CHECK(read_until(&s, 0));
    CHECK(hanji_slhdsa_stream_message(NULL, 0, &s) == HANJI_OK);
    fork = s;
    CHECK(hanji_slhdsa_stream_signature(NULL, 0, &s) == HANJI_OK);
    CHECK(hanji_slhdsa_stream_signature(made + n, small_bytes - n, &s) == HANJI_OK);
    CHECK(hanji_slhdsa_stream_signature(NULL, 0, &s) == HANJI_OK);
    CHECK(hanji_slhdsa_stream_end(&s) == HANJI_SLHDSA_VALID);
    CHECK(is_refused(&s)); /* used up */
    CHECK(hanji_slhdsa_stream_signature(made + n, small_bytes - n, &fork) == HANJI_OK);
    CHECK(hanji_slhdsa_stream_end(&fork) == HANJI_SLHDSA_VALID);
    /* nothing was begun */
    fill(&s, sizeof s, 0x5a);
    CHECK(hanji_slhdsa_stream_end(&s) == HANJI_SLHDSA_INVALID && is_refused(&s));
    fill(&s, sizeof s, 0x5a);
    CHECK(hanji_slhdsa_stream_message(text, TEXT, &s) == HANJI_E_ARGUMENT && is_refused(&s));
    fill(&s, sizeof s, 0x5a);
    CHECK(hanji_slhdsa_stream_signature(made, n, &s) == HANJI_E_ARGUMENT && is_refused(&s));
    CHECK(hanji_slhdsa_stream_message(text, TEXT, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_stream_signature(made, n, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_stream_end(NULL) == HANJI_SLHDSA_INVALID);
}

/* Errors that a caller overlooks: at no place does the stream go on to the right verdict. */
static void streams_end_with_an_error(void)
{
    hanji_slhdsa_stream s;
    CHECK(take_small(0));
    const size_t n = slh_n(&small_set), places[] = {0, n, n + 5, small_bytes};
    CHECK(sign_it(made, HANJI_SLHDSA_PURE, 0) == HANJI_OK);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        CHECK(read_until(&s, places[i]));
        CHECK(hanji_slhdsa_stream_message(NULL, 1, &s) == HANJI_E_ARGUMENT && is_refused(&s));
        CHECK(read_until(&s, places[i]));
        CHECK(hanji_slhdsa_stream_signature(NULL, 1, &s) == HANJI_E_ARGUMENT && is_refused(&s));
        CHECK(read_until(&s, places[i]));
        CHECK(hanji_slhdsa_stream_message((uint8_t *)&s + sizeof s - 1, 1, &s) == HANJI_E_ARGUMENT);
        CHECK(is_refused(&s));
        CHECK(read_until(&s, places[i]));
        CHECK(hanji_slhdsa_stream_signature((uint8_t *)&s + sizeof s - 1, 1, &s) ==
              HANJI_E_ARGUMENT);
        CHECK(is_refused(&s));
        if (i == 0)
            continue;
        CHECK(read_until(&s, places[i])); /* more of the message, after it was complete */
        CHECK(hanji_slhdsa_stream_message(text, 0, &s) == HANJI_E_ARGUMENT && is_refused(&s));
    }
    CHECK(read_until(&s, small_bytes)); /* a byte too many */
    CHECK(hanji_slhdsa_stream_signature(made, 1, &s) == HANJI_E_LENGTH && is_refused(&s));
    /* what is complete, and right, does not outlast a failed begin */
    CHECK(read_until(&s, small_bytes));
    CHECK(hanji_slhdsa_stream_init(&s, made, n, NULL, 0, HANJI_SLHDSA_PURE, small_public, 2 * n,
                                   NULL) == HANJI_E_ARGUMENT);
    CHECK(is_refused(&s));
    for (size_t i = 0; i < 3; i++) { /* one that overlaps included */
        CHECK(read_until(&s, small_bytes));
        const uint8_t *const last = (uint8_t *)&s + sizeof s - 1;
        CHECK(hanji_slhdsa_stream_init(&s, i == 0 ? last : made, n, i == 1 ? last : purpose,
                                       PURPOSE, HANJI_SLHDSA_PURE, i == 2 ? last : small_public,
                                       2 * n, &small_set) == HANJI_E_ARGUMENT);
        CHECK(is_refused(&s));
    }
}

/* Of one message, one context and one mode, as whole verification; an empty message needs no call. */
static void streams_take_nothing_else(void)
{
    static const int modes[] = {HANJI_SLHDSA_PURE, HANJI_SLHDSA_SHAKE128, HANJI_SLHDSA_SHAKE256};
    CHECK(take_small(1));
    const size_t n = slh_n(&small_set);
    for (size_t m = 0; m < 3; m++) {
        for (size_t bytes = 0; bytes < TEXT; bytes += TEXT - 1) {
            CHECK(hanji_slhdsa_sign(made, text, bytes, purpose, PURPOSE, modes[m], small_secret,
                                    small_secret_bytes, &small_set, 0, counting, NULL) == HANJI_OK);
            for (int what = 0; what < 8; what++) {
                hanji_slhdsa_stream s;
                const int mode = modes[(m + (what == 1) + 2u * (what == 2)) % 3];
                const size_t read = bytes + (what == 3) - (what == 4 && bytes != 0);
                small_public[0] ^= what == 5;
                CHECK(hanji_slhdsa_stream_init(&s, made, n, purpose, PURPOSE - (what == 6), mode,
                                               small_public, small_public_bytes,
                                               &small_set) == HANJI_OK);
                small_public[0] ^= what == 5;
                if (read != 0)
                    CHECK(hanji_slhdsa_stream_message(made, 0, &s) == HANJI_OK &&
                          hanji_slhdsa_stream_message(text, read, &s) == HANJI_OK);
                if (what != 7)
                    CHECK(hanji_slhdsa_stream_signature(made + n, small_bytes - n, &s) == HANJI_OK);
                const int right = what == 0 || (what == 4 && bytes == 0);
                CHECK(hanji_slhdsa_stream_end(&s) ==
                      (right ? HANJI_SLHDSA_VALID : HANJI_SLHDSA_INVALID));
            }
        }
    }
}

/* The code of a begin; 1 when it leaves something behind, or a verdict is not "invalid". */
static int wrong_stream(size_t start, size_t context, int mode, size_t key_bytes)
{
    hanji_slhdsa_stream s;
    static uint8_t long_context[HANJI_SLHDSA_CONTEXT_BYTES_MAX + 1];
    fill((uint8_t *)&s, sizeof s, 0x5a);
    const int rc = hanji_slhdsa_stream_init(&s, made, start, long_context, context, mode,
                                            small_public, key_bytes, &small_set);
    if (rc != HANJI_OK && !all_are((uint8_t *)&s, sizeof s, 0))
        return 1;
    return hanji_slhdsa_stream_end(&s) == HANJI_SLHDSA_INVALID ? rc : 1;
}

static void streams_begin_right(void)
{
    CHECK(take_small(0));
    const size_t n = slh_n(&small_set);
    CHECK(wrong_stream(n, 255, HANJI_SLHDSA_SHAKE256, 2 * n) == HANJI_OK);
    CHECK(wrong_stream(n, 256, HANJI_SLHDSA_PURE, 2 * n) == HANJI_E_LENGTH);
    CHECK(wrong_stream(n - 1, 0, HANJI_SLHDSA_PURE, 2 * n) == HANJI_E_LENGTH);
    CHECK(wrong_stream(n + 1, 0, HANJI_SLHDSA_PURE, 2 * n) == HANJI_E_LENGTH);
    CHECK(wrong_stream(n, 0, HANJI_SLHDSA_PURE, 2 * n - 1) == HANJI_E_LENGTH);
    CHECK(wrong_stream(n, 0, 1, 2 * n) == HANJI_E_ARGUMENT);
    CHECK(take_small(2)); /* not of category 1 */
    CHECK(wrong_stream(slh_n(&small_set), 0, HANJI_SLHDSA_SHAKE128, small_public_bytes) ==
          HANJI_E_ARGUMENT);
    CHECK(take_small(0));
    hanji_slhdsa_stream s;
    CHECK(hanji_slhdsa_stream_init(NULL, made, n, NULL, 0, HANJI_SLHDSA_PURE, small_public, 2 * n,
                                   &small_set) == HANJI_E_ARGUMENT);
    for (size_t i = 0; i < 3; i++) { /* NULL where something must be */
        fill(&s, sizeof s, 0x5a);
        CHECK(hanji_slhdsa_stream_init(&s, i == 0 ? NULL : made, n, NULL, i == 1, HANJI_SLHDSA_PURE,
                                       i == 2 ? NULL : small_public, 2 * n,
                                       &small_set) == HANJI_E_ARGUMENT);
        CHECK(is_refused(&s));
    }
}

/* Right and wrong signatures of two keys, of any number, in one batch. */
static void batches_tell_which_is_wrong(void)
{
    enum { MOST = 19 };
    static uint8_t signatures[3][SMALL_SIGNATURE_MAX], keys[2][64];
    hanji_slhdsa_item items[MOST];
    for (size_t set = 0; set < 6; set++) {
        CHECK(
            take_small((set + 1) % 6)); /* another key of the same set is not at hand: its seeds */
        CHECK(take_small(set));
        copy_bytes(keys[0], small_public, small_public_bytes);
        CHECK(sign_it(signatures[0], HANJI_SLHDSA_PURE, 0) == HANJI_OK);
        copy_bytes(signatures[2], signatures[0], small_bytes);
        signatures[2][small_bytes - 1] ^= 1;
        uint8_t seeds[HANJI_SLHDSA_SEEDS_BYTES_MAX];
        pseudo_random(seeds, sizeof seeds, 99);
        CHECK(hanji_slhdsa_keypair_from_seeds(keys[1], small_secret, seeds,
                                              hanji_slhdsa_seeds_bytes(&small_set),
                                              &small_set) == HANJI_OK);
        CHECK(sign_it(signatures[1], HANJI_SLHDSA_PURE, 0) == HANJI_OK);
        for (size_t count = 0; count <= MOST; count += count < 10 ? 1 : 3) {
            for (size_t i = 0; i < count; i++)
                items[i] = (hanji_slhdsa_item){
                    signatures[i % 3], small_bytes - (i == 5), text, TEXT, purpose, PURPOSE,
                    keys[i % 3 == 1],  small_public_bytes,     99};
            const int rc = hanji_slhdsa_verify_batch(items, count, HANJI_SLHDSA_PURE, &small_set);
            CHECK(rc == (count > 2 ? HANJI_E_TAG : HANJI_OK));
            for (size_t i = 0; i < count; i++)
                CHECK(items[i].status == (i == 5       ? HANJI_E_LENGTH
                                          : i % 3 == 2 ? HANJI_E_TAG
                                                       : HANJI_OK));
        }
    }
    CHECK(hanji_slhdsa_verify_batch(NULL, 0, HANJI_SLHDSA_PURE, &small_set) == HANJI_OK);
    CHECK(hanji_slhdsa_verify_batch(NULL, 1, HANJI_SLHDSA_PURE, &small_set) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_verify_batch(items, 1, HANJI_SLHDSA_PURE, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_verify_batch(items, SIZE_MAX, HANJI_SLHDSA_PURE, &small_set) ==
          HANJI_E_ARGUMENT);
}

/* Outputs that overlap anything: refused, and nothing is written. */
static void overlaps_are_refused(void)
{
    static uint64_t room[3000];
    uint8_t *const at = (uint8_t *)room;
    hanji_slhdsa_message *const m = (hanji_slhdsa_message *)(void *)room;
    CHECK(take_small(0));
    const size_t sk = small_secret_bytes, pk = small_public_bytes;
    fill(room, sizeof room, 0x5a);
    CHECK(hanji_slhdsa_keypair(at, at + pk - 1, &small_set, NULL, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_keypair_from_seeds(at, at + pk, at + pk + sk - 1, 48, &small_set) ==
          HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_keypair_from_seeds(at, at + pk, at + pk - 1, 1, &small_set) ==
          HANJI_E_ARGUMENT);
    const uint8_t *const near[] = {at, at + small_bytes - 1};
    for (size_t i = 0; i < 2; i++) {
        CHECK(hanji_slhdsa_sign(at, near[i], 9, NULL, 0, 0, small_secret, sk, &small_set, 0, NULL,
                                NULL) == HANJI_E_ARGUMENT);
        CHECK(hanji_slhdsa_sign(at, text, TEXT, near[i], 9, 0, small_secret, sk, &small_set, 0,
                                NULL, NULL) == HANJI_E_ARGUMENT);
        CHECK(hanji_slhdsa_sign(at, text, TEXT, NULL, 0, 0, near[i], sk, &small_set, 0, NULL,
                                NULL) == HANJI_E_ARGUMENT);
    }
    CHECK(hanji_slhdsa_sign_init(m, at, 9, 0, small_secret, sk, &small_set, 0, NULL, NULL) ==
          HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_sign_init(m, NULL, 0, 0, at + sizeof *m - 1, sk, &small_set, 0, NULL,
                                 NULL) == HANJI_E_ARGUMENT);
    for (size_t i = 0; i < 2; i++) {
        const uint8_t *const inside = i == 0 ? at : at + sizeof *m - 1;
        CHECK(hanji_slhdsa_verify_init(m, inside, small_bytes, NULL, 0, 0, small_public, pk,
                                       &small_set) == HANJI_E_ARGUMENT);
        CHECK(hanji_slhdsa_verify_init(m, made, small_bytes, inside, 9, 0, small_public, pk,
                                       &small_set) == HANJI_E_ARGUMENT);
        CHECK(hanji_slhdsa_verify_init(m, made, small_bytes, NULL, 0, 0, inside, pk, &small_set) ==
              HANJI_E_ARGUMENT);
    }
    CHECK(all_are(room, sizeof room, 0x5a));
    CHECK(begin_it(m, HANJI_SLHDSA_SHAKE256, 0) == HANJI_OK);
    CHECK(hanji_slhdsa_message_update(at + sizeof *m - 1, 9, m) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_message_sign(at + sizeof *m - 1, m) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_message_sign(made, m) == HANJI_OK);
    CHECK(hanji_slhdsa_verify_init(m, made, small_bytes, NULL, 0, 0, small_public, pk,
                                   &small_set) == HANJI_OK);
    CHECK(hanji_slhdsa_message_verify(at + sizeof *m - 1, small_bytes, m) == HANJI_E_ARGUMENT);
    hanji_slhdsa_message_wipe(m);
    hanji_slhdsa_item *const items = (hanji_slhdsa_item *)(void *)room;
    for (size_t i = 0; i < 4; i++) {
        const uint8_t *const last = at + sizeof *items - 1;
        items[0] = (hanji_slhdsa_item){i == 0 ? last : made,
                                       small_bytes,
                                       i == 1 ? last : text,
                                       TEXT,
                                       i == 2 ? last : purpose,
                                       PURPOSE,
                                       i == 3 ? last : small_public,
                                       pk,
                                       42};
        CHECK(hanji_slhdsa_verify_batch(items, 1, 0, &small_set) == HANJI_E_ARGUMENT);
        CHECK(items[0].status == 42);
    }
    /* NULL where something must be */
    CHECK(hanji_slhdsa_keypair(NULL, at, &small_set, NULL, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_keypair(at, NULL, &small_set, NULL, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_keypair(at, at + pk, NULL, NULL, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_key_check(NULL, sk, &small_set) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_key_check(small_secret, sk, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_sign(NULL, text, TEXT, NULL, 0, 0, small_secret, sk, &small_set, 0, NULL,
                            NULL) == HANJI_E_ARGUMENT);
    fill(made, sizeof made, 0x5a);
    CHECK(hanji_slhdsa_sign(made, NULL, 1, NULL, 0, 0, small_secret, sk, &small_set, 0, NULL,
                            NULL) == HANJI_E_ARGUMENT);
    CHECK(all_are(made, small_bytes, 0));
    CHECK(hanji_slhdsa_sign_init(NULL, NULL, 0, 0, small_secret, sk, &small_set, 0, NULL, NULL) ==
          HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_message_update(text, TEXT, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_slhdsa_verify(made, small_bytes, NULL, 1, NULL, 0, 0, small_public, pk,
                              &small_set) == HANJI_E_ARGUMENT);
}

static const test_case cases[] = {
    {"sets are described", sets_are_described},
    {"verification is strict", verification_is_strict},
    {"nothing else verifies", nothing_else_verifies},
    {"refusals erase the outputs", refusals_erase_the_outputs},
    {"keys that do not fit sign nothing", keys_that_do_not_fit_sign_nothing},
    {"pieces come in order", pieces_come_in_order},
    {"changing messages are refused", changing_messages_are_refused},
    {"progress ends a call", progress_ends_a_call},
    {"batches tell which is wrong", batches_tell_which_is_wrong},
    {"streams are strict", streams_are_strict},
    {"streams come in order", streams_come_in_order},
    {"streams end with an error", streams_end_with_an_error},
    {"streams take nothing else", streams_take_nothing_else},
    {"streams begin right", streams_begin_right},
    {"overlaps are refused", overlaps_are_refused},
};

int main(void)
{
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
