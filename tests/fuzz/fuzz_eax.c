/* SPDX-License-Identifier: Apache-2.0 */
/*
 * EAX over any cipher, tag and nonce length, with a limit taken from the input: nothing is written
 * past the limit, wrong messages are zeroed.
 */
#include "hanji/hanji.h"
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const hanji_cipher *cipher = hanji_cipher_at(take_byte(&in) % hanji_cipher_count());
    const size_t tag_bytes = take_byte(&in) % 20, block = hanji_cipher_block_bytes(cipher);
    size_t nonce_bytes = take_byte(&in) % 40, ad_bytes = take_byte(&in);
    const uint8_t limit = take_byte(&in);
    uint8_t bytes[HANJI_BLOCK_KEY_BYTES_MAX], nonce[40];
    hanji_any_block_ctx key;
    hanji_eax_ctx eax;
    take_into(bytes, sizeof bytes, &in);
    take_into(nonce, nonce_bytes, &in);
    if (ad_bytes > in.left)
        ad_bytes = in.left;
    MUST(hanji_block_init(bytes, hanji_cipher_key_bytes(cipher), cipher, &key.head, sizeof key) ==
         HANJI_OK);
    MUST(hanji_block_set_limit(limit == 0 ? UINT64_MAX : limit, &key.head) == HANJI_OK);
    const int bound = hanji_eax_init(tag_bytes, &key.head, &eax);
    if ((block != 8 && block != 16) || tag_bytes < 1 || tag_bytes > block) {
        MUST(bound == HANJI_E_LENGTH);
        return 0;
    }
    MUST(bound == HANJI_OK);

    uint8_t *ad = exactly(in.p, ad_bytes);
    const size_t n = in.left - ad_bytes;
    uint8_t *message = exactly(in.p + ad_bytes, n), *sealed = exactly(NULL, n + tag_bytes),
            *opened = exactly(NULL, n);
    memset(sealed, 0xaa, n + tag_bytes);
    int rc = hanji_eax_encrypt(sealed, message, n, ad, ad_bytes, nonce, nonce_bytes, &eax);
    MUST(rc == HANJI_OK || rc == (nonce_bytes == 0 ? HANJI_E_LENGTH : HANJI_E_LIMIT));
    if (rc != HANJI_OK) {
        for (size_t i = 0; i < n + tag_bytes; i++)
            MUST(sealed[i] == 0xaa);
    } else {
        MUST(hanji_block_set_limit(UINT64_MAX, &key.head) == HANJI_OK);
        MUST(hanji_eax_decrypt(opened, sealed, n + tag_bytes, ad, ad_bytes, nonce, nonce_bytes,
                               &eax) == HANJI_OK);
        MUST(n == 0 || memcmp(opened, message, n) == 0);
        sealed[n] ^= 0x10; /* the tag */
        MUST(hanji_eax_decrypt(sealed, sealed, n + tag_bytes, ad, ad_bytes, nonce, nonce_bytes,
                               &eax) == HANJI_E_TAG);
        MUST(is_zero(sealed, n));
    }
    MUST(nonce_bytes == 0 || tag_bytes < 8 || n < tag_bytes ||
         hanji_block_set_limit(UINT64_MAX, &key.head) == HANJI_OK);
    if (nonce_bytes > 0 && tag_bytes >= 8 && n >= tag_bytes &&
        hanji_block_remaining(&key.head) > 1000) {
        rc = hanji_eax_decrypt(opened, message, n, ad, ad_bytes, nonce, nonce_bytes, &eax);
        MUST(rc == HANJI_E_TAG && is_zero(opened, n - tag_bytes));
    }
    free(ad);
    free(message);
    free(sealed);
    free(opened);
    return 0;
}
