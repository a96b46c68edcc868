/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verifying SLH-DSA signatures that were altered in any way: edited, cut, extended, under another
 * key, over another message, with another context, in another mode; alone, in pieces, with the
 * signature in pieces, too, and in a batch beside the genuine one. Only what was signed verifies. The trees are smaller than those of the
 * standard, so that a second has thousands of runs; every function computes as with its own.
 */
#include "input.h"
#include "slhdsa/slhdsa.h"

#define SETS 3u /* of 128, 192 and 256 bits */

static struct {
    hanji_slhdsa set;
    uint8_t *public_key, *signature;
    size_t public_bytes, signature_bytes;
    int mode;
} keyed[2 * SETS]; /* pure, and with a hash */

static const uint8_t message[] = "the message that was signed", context[] = "for fuzzing";

static void prepare(size_t i)
{
    uint8_t seeds[HANJI_SLHDSA_SEEDS_BYTES_MAX], secret_key[HANJI_SLHDSA_SECRET_KEY_BYTES_MAX];
    if (keyed[i].public_key != NULL)
        return;
    hanji_slhdsa *set = &keyed[i].set;
    *set = *hanji_slhdsa_at(2 * (i % SETS));
    set->layers = 2;
    set->height = 3;
    set->fors_height = 3;
    keyed[i].mode = i < SETS ? HANJI_SLHDSA_PURE : HANJI_SLHDSA_SHAKE256;
    for (size_t at = 0; at < sizeof seeds; at++)
        seeds[at] = (uint8_t)(37 * at + i);
    keyed[i].public_key = exactly(NULL, keyed[i].public_bytes = hanji_slhdsa_public_key_bytes(set));
    keyed[i].signature =
        exactly(NULL, keyed[i].signature_bytes = hanji_slhdsa_signature_bytes(set));
    MUST(hanji_slhdsa_keypair_from_seeds(keyed[i].public_key, secret_key, seeds,
                                         hanji_slhdsa_seeds_bytes(set), set) == HANJI_OK);
    MUST(hanji_slhdsa_sign(keyed[i].signature, message, sizeof message, context, sizeof context,
                           keyed[i].mode, secret_key, 2 * keyed[i].public_bytes, set,
                           HANJI_SLHDSA_DETERMINISTIC, NULL, NULL) == HANJI_OK);
}

/* The first `bytes` bytes of a buffer, and zeros where it has fewer. */
static uint8_t *begin_of(const uint8_t *from, size_t has, size_t bytes)
{
    uint8_t *made = exactly(NULL, bytes);
    memset(made, 0, bytes);
    memcpy(made, from, bytes < has ? bytes : has);
    return made;
}

/* Whether a stream takes a signature, with all in pieces of `piece` bytes, up to the first error. */
static int streamed(const uint8_t *signature, size_t bytes, const uint8_t *text, size_t text_bytes,
                    const uint8_t *purpose, size_t purpose_bytes, int mode,
                    const uint8_t *public_key, size_t public_bytes, size_t piece,
                    const hanji_slhdsa *set)
{
    hanji_slhdsa_stream *stream = (void *)exactly(NULL, sizeof *stream);
    const size_t start = bytes < slh_n(set) ? bytes : slh_n(set);
    int rc = hanji_slhdsa_stream_init(stream, signature, start, purpose, purpose_bytes, mode,
                                      public_key, public_bytes, set);
    for (size_t at = 0, part; rc == HANJI_OK && at < text_bytes; at += part) {
        part = piece < text_bytes - at ? piece : text_bytes - at;
        rc = hanji_slhdsa_stream_message(text + at, part, stream);
    }
    for (size_t at = start, part; rc == HANJI_OK && at < bytes; at += part) {
        part = piece < bytes - at ? piece : bytes - at;
        rc = hanji_slhdsa_stream_signature(signature + at, part, stream);
    }
    const uint32_t verdict = hanji_slhdsa_stream_end(stream);
    MUST(verdict == HANJI_SLHDSA_INVALID || (verdict == HANJI_SLHDSA_VALID && rc == HANJI_OK));
    free(stream);
    return verdict == HANJI_SLHDSA_VALID;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const size_t i = take_byte(&in) % (2 * SETS);
    prepare(i);
    const unsigned what = take_byte(&in);
    int mode = keyed[i].mode;
    size_t bytes = keyed[i].signature_bytes, public_bytes = keyed[i].public_bytes,
           message_bytes = sizeof message, context_bytes = sizeof context;
    if ((what & 3) == 1) /* cut or extended */
        bytes = (take_byte(&in) | (size_t)take_byte(&in) << 8) % (2 * bytes);
    if ((what & 12) == 4)
        public_bytes = take_byte(&in);
    if ((what & 48) == 16)
        message_bytes = take_byte(&in) % sizeof message;
    if ((what & 64) != 0)
        context_bytes = take_byte(&in) | (size_t)(take_byte(&in) & 1) << 8;
    if ((what & 128) != 0)
        mode = (int)take_byte(&in) - 1;
    uint8_t *signature = begin_of(keyed[i].signature, keyed[i].signature_bytes, bytes),
            *public_key = begin_of(keyed[i].public_key, keyed[i].public_bytes, public_bytes),
            *text = begin_of(message, sizeof message, message_bytes),
            *purpose = begin_of(context, sizeof context, context_bytes);
    if ((what & 12) == 8) /* any bytes at all */
        take_into(public_key, public_bytes, &in);
    while (in.left > 2 && bytes > 0) { /* edits: where, and what is flipped */
        const size_t at = (take_byte(&in) | (size_t)take_byte(&in) << 8) % bytes;
        signature[at] ^= take_byte(&in);
    }
    const int offered = mode == HANJI_SLHDSA_PURE || mode == HANJI_SLHDSA_SHAKE256 ||
                        (mode == HANJI_SLHDSA_SHAKE128 && i % SETS == 0);
    const int fits = bytes == keyed[i].signature_bytes && public_bytes == keyed[i].public_bytes &&
                     context_bytes <= HANJI_SLHDSA_CONTEXT_BYTES_MAX;
    const int same = fits && mode == keyed[i].mode &&
                     memcmp(signature, keyed[i].signature, bytes) == 0 &&
                     memcmp(public_key, keyed[i].public_key, public_bytes) == 0 &&
                     message_bytes == sizeof message && context_bytes == sizeof context;
    const int expected = !offered ? HANJI_E_ARGUMENT
                         : !fits  ? HANJI_E_LENGTH
                         : same   ? HANJI_OK
                                  : HANJI_E_TAG;
    MUST(hanji_slhdsa_verify(signature, bytes, text, message_bytes, purpose, context_bytes, mode,
                             public_key, public_bytes, &keyed[i].set) == expected);
    hanji_slhdsa_message *pieces = (void *)exactly(NULL, sizeof *pieces);
    int rc = hanji_slhdsa_verify_init(pieces, signature, bytes, purpose, context_bytes, mode,
                                      public_key, public_bytes, &keyed[i].set);
    if (rc == HANJI_OK)
        rc = hanji_slhdsa_message_update(text, message_bytes / 2, pieces);
    if (rc == HANJI_OK)
        rc = hanji_slhdsa_message_update(text + message_bytes / 2,
                                         message_bytes - message_bytes / 2, pieces);
    if (rc == HANJI_OK)
        rc = hanji_slhdsa_message_verify(signature, bytes, pieces);
    MUST(rc == expected);
    MUST(streamed(signature, bytes, text, message_bytes, purpose, context_bytes, mode, public_key,
                  public_bytes, 1 + what % 67, &keyed[i].set) == (expected == HANJI_OK));
    hanji_slhdsa_item *items = (void *)exactly(NULL, 2 * sizeof *items);
    items[0] = (hanji_slhdsa_item){
        signature, bytes, text, message_bytes, purpose, context_bytes, public_key, public_bytes, 1};
    items[1] = (hanji_slhdsa_item){keyed[i].signature,
                                   keyed[i].signature_bytes,
                                   message,
                                   sizeof message,
                                   context,
                                   sizeof context,
                                   keyed[i].public_key,
                                   keyed[i].public_bytes,
                                   1};
    (void)!hanji_slhdsa_verify_batch(items, 2, mode, &keyed[i].set);
    MUST(items[0].status == expected);
    MUST(items[1].status == (mode == keyed[i].mode ? HANJI_OK
                             : offered             ? HANJI_E_TAG
                                                   : HANJI_E_ARGUMENT));
    free(signature);
    free(public_key);
    free(text);
    free(purpose);
    free(pieces);
    free(items);
    return 0;
}
