/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verifying AIMer signatures that were altered in any way: edited, cut, extended, under another
 * key, over another message, with another context; and arbitrary bytes as keys. Only what was
 * signed verifies.
 */
#include "hanji/sign.h"
#include "input.h"

static const char *const names[] = {"aimer3-128f", "aimer3-192f", "aimer2-128f",
                                    "aimer1-l1-param1"};
#define SETS (sizeof names / sizeof names[0])

static struct {
    const hanji_aimer *set;
    uint8_t *public_key, *secret_key, *signature, *scratch;
    size_t public_bytes, secret_bytes, signature_bytes, scratch_bytes;
} keyed[SETS];

static const uint8_t message[] = "the message that was signed", context[] = "for fuzzing";

/* Only v3 has contexts. */
static size_t context_of(size_t i)
{
    return i < 2 ? sizeof context : 0;
}

/* Bytes that are the same in every run. */
static int counting(uint8_t *out, size_t bytes, void *state)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(++*(unsigned *)state * 37);
    return HANJI_OK;
}

static void prepare(size_t i)
{
    unsigned state = (unsigned)i;
    if (keyed[i].set != NULL)
        return;
    keyed[i].set = hanji_aimer_by_name(names[i]);
    MUST(keyed[i].set != NULL);
    keyed[i].public_key =
        exactly(NULL, keyed[i].public_bytes = hanji_aimer_public_key_bytes(keyed[i].set));
    keyed[i].secret_key =
        exactly(NULL, keyed[i].secret_bytes = hanji_aimer_secret_key_bytes(keyed[i].set));
    keyed[i].signature =
        exactly(NULL, keyed[i].signature_bytes = hanji_aimer_signature_bytes(keyed[i].set));
    keyed[i].scratch =
        exactly(NULL, keyed[i].scratch_bytes = hanji_aimer_scratch_bytes(keyed[i].set));
    MUST(hanji_aimer_keypair(keyed[i].public_key, keyed[i].secret_key, keyed[i].set, counting,
                             &state, keyed[i].scratch, keyed[i].scratch_bytes) == HANJI_OK);
    MUST(hanji_aimer_sign(keyed[i].signature, message, sizeof message, context, context_of(i),
                          keyed[i].secret_key, keyed[i].secret_bytes, keyed[i].set, 0, counting,
                          &state, keyed[i].scratch, keyed[i].scratch_bytes) == HANJI_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const size_t i = take_byte(&in) % SETS;
    prepare(i);
    const unsigned what = take_byte(&in);
    size_t bytes = keyed[i].signature_bytes, public_bytes = keyed[i].public_bytes,
           message_bytes = sizeof message;
    if ((what & 3) == 1) /* cut or extended */
        bytes = (take_byte(&in) | (size_t)take_byte(&in) << 8) % (2 * bytes);
    if ((what & 12) == 4)
        public_bytes = take_byte(&in);
    if ((what & 48) == 16)
        message_bytes = take_byte(&in) % sizeof message;
    size_t context_bytes = context_of(i);
    if ((what & 128) != 0 && context_bytes != 0)
        context_bytes = take_byte(&in) | (size_t)take_byte(&in) << 8;
    uint8_t *purpose = exactly(NULL, context_bytes);
    memset(purpose, 0, context_bytes);
    memcpy(purpose, context, context_bytes < sizeof context ? context_bytes : sizeof context);
    if ((what & 128) != 0 && context_bytes != 0)
        purpose[take_byte(&in) % context_bytes] ^= take_byte(&in);
    uint8_t *signature = exactly(NULL, bytes), *public_key = exactly(NULL, public_bytes),
            *text = exactly(message, message_bytes);
    memset(signature, 0, bytes);
    memcpy(signature, keyed[i].signature,
           bytes < keyed[i].signature_bytes ? bytes : keyed[i].signature_bytes);
    memset(public_key, 0, public_bytes);
    memcpy(public_key, keyed[i].public_key,
           public_bytes < keyed[i].public_bytes ? public_bytes : keyed[i].public_bytes);
    if ((what & 64) != 0) /* any bytes at all */
        take_into(public_key, public_bytes, &in);
    while (in.left > 2 && bytes > 0) { /* edits: where, and what is flipped */
        const size_t at = (take_byte(&in) | (size_t)take_byte(&in) << 8) % bytes;
        signature[at] ^= take_byte(&in);
    }
    const int same = bytes == keyed[i].signature_bytes &&
                     memcmp(signature, keyed[i].signature, bytes) == 0 &&
                     public_bytes == keyed[i].public_bytes &&
                     memcmp(public_key, keyed[i].public_key, public_bytes) == 0 &&
                     message_bytes == sizeof message && context_bytes == context_of(i) &&
                     memcmp(purpose, context, context_bytes) == 0;
    const int rc = hanji_aimer_verify(signature, bytes, text, message_bytes, purpose, context_bytes,
                                      public_key, public_bytes, keyed[i].set, keyed[i].scratch,
                                      keyed[i].scratch_bytes);
    if (bytes != keyed[i].signature_bytes || public_bytes != keyed[i].public_bytes)
        MUST(rc == HANJI_E_LENGTH);
    else if (context_bytes > HANJI_AIMER_CONTEXT_BYTES_MAX)
        MUST(rc == HANJI_E_LENGTH);
    else
        MUST(rc == (same ? HANJI_OK : HANJI_E_TAG) ||
             (!same && rc == HANJI_E_ARGUMENT)); /* a key that is none */
    free(signature);
    free(public_key);
    free(text);
    free(purpose);
    return 0;
}
