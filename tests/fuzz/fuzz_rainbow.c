/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verifying Rainbow signatures that were altered in any way: only what was signed verifies. And no
 * bytes make the reader of public keys read beyond them.
 */
#include "hanji/rainbow.h"
#include "input.h"

static const size_t places[] = {HANJI_RAINBOW_I_CLASSIC, HANJI_RAINBOW_I_CZ};
#define SETS (sizeof places / sizeof places[0])

static struct {
    const hanji_rainbow_set *set;
    uint8_t *public_key, *area, signature[HANJI_RAINBOW_SIGNATURE_BYTES_MAX];
    hanji_rainbow_verifying_key verifying;
} keyed[SETS];

static const uint8_t message[] = "the message that was signed";

static void prepare(size_t i)
{
    if (keyed[i].set != NULL)
        return;
    const hanji_rainbow_set *set = keyed[i].set = hanji_rainbow_set_at(places[i]);
    uint8_t seeds[HANJI_RAINBOW_SEEDS_BYTES];
    memset(seeds, 7, sizeof seeds);
    size_t bytes = hanji_rainbow_keypair_scratch_bytes(set);
    const size_t more[] = {hanji_rainbow_sign_scratch_bytes(set),
                           hanji_rainbow_verify_scratch_bytes(set)};
    for (size_t k = 0; k < 2; k++)
        bytes = more[k] > bytes ? more[k] : bytes;
    uint8_t *scratch = exactly(NULL, bytes), *secret_key = exactly(NULL, set->secret_key_bytes);
    keyed[i].public_key = exactly(NULL, set->public_key_bytes);
    keyed[i].area = exactly(NULL, hanji_rainbow_verifying_area_bytes(set));
    hanji_rainbow_signing_key signing;
    MUST(hanji_rainbow_keypair_from_seeds(keyed[i].public_key, secret_key, seeds, scratch, bytes,
                                          set) == HANJI_OK);
    MUST(hanji_rainbow_signing_key_init(NULL, 0, secret_key, set->secret_key_bytes, scratch, bytes,
                                        set, &signing) == HANJI_OK);
    MUST(hanji_rainbow_sign(keyed[i].signature, message, sizeof message, scratch, bytes,
                            &signing) == HANJI_OK);
    MUST(hanji_rainbow_verifying_key_init(keyed[i].area, hanji_rainbow_verifying_area_bytes(set),
                                          keyed[i].public_key, set->public_key_bytes, scratch,
                                          bytes, set, &keyed[i].verifying) == HANJI_OK);
    free(scratch);
    free(secret_key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const size_t i = take_byte(&in) % SETS;
    prepare(i);
    const hanji_rainbow_set *set = keyed[i].set;
    const unsigned what = take_byte(&in);
    size_t bytes = set->signature_bytes, message_bytes = sizeof message;
    if ((what & 3) == 1)
        bytes = take_byte(&in);
    if ((what & 12) == 4)
        message_bytes = take_byte(&in) % sizeof message;
    uint8_t *signature = exactly(NULL, bytes), *text = exactly(message, message_bytes);
    memset(signature, 0, bytes);
    memcpy(signature, keyed[i].signature,
           bytes < set->signature_bytes ? bytes : set->signature_bytes);
    while (in.left > 1 && bytes > 0) {
        const size_t at = take_byte(&in) % bytes;
        signature[at] ^= take_byte(&in);
    }
    const size_t scratch_bytes = hanji_rainbow_verify_scratch_bytes(set);
    uint8_t *scratch = exactly(NULL, scratch_bytes);
    const int same = bytes == set->signature_bytes &&
                     memcmp(signature, keyed[i].signature, bytes) == 0 &&
                     message_bytes == sizeof message;
    const int rc = hanji_rainbow_verify(signature, bytes, text, message_bytes, scratch,
                                        scratch_bytes, &keyed[i].verifying);
    MUST(rc == (bytes != set->signature_bytes ? HANJI_E_LENGTH : same ? HANJI_OK : HANJI_E_TAG));
    free(signature);
    free(text);
    free(scratch);
    return 0;
}
