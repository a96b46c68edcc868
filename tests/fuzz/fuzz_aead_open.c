/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Opening arbitrary bytes with each AEAD: refused and zeroed. The same bytes sealed first: opened;
 * and with one bit changed: refused again.
 */
#include "../c/aeads.h"
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input in = {data, size};
    const unsigned i = take_byte(&in) % AEADS;
    const size_t tag_bytes = aeads[i].tag_bytes;
    uint8_t key[32], nonce[32];
    take_into(key, sizeof key, &in);
    take_into(nonce, sizeof nonce, &in);
    size_t ad_bytes = take_byte(&in);
    if (ad_bytes > in.left)
        ad_bytes = in.left;
    uint8_t *ad = exactly(in.p, ad_bytes);
    const size_t n = in.left - ad_bytes;
    uint8_t *message = exactly(in.p + ad_bytes, n), *opened = exactly(NULL, n),
            *sealed = exactly(NULL, n + tag_bytes);

    memset(opened, 0xaa, n);
    const int rc = aeads[i].decrypt(opened, message, n, ad, ad_bytes, nonce, key);
    if (n < tag_bytes) {
        MUST(rc == HANJI_E_LENGTH);
    } else { /* a forgery would be the find of a lifetime */
        MUST(rc == HANJI_E_TAG);
        MUST(is_zero(opened, n - tag_bytes));
    }

    MUST(aeads[i].encrypt(sealed, message, n, ad, ad_bytes, nonce, key) == HANJI_OK);
    MUST(aeads[i].decrypt_detached(opened, sealed, n, sealed + n, ad, ad_bytes, nonce, key) ==
         HANJI_OK);
    MUST(n == 0 || memcmp(opened, message, n) == 0);
    const size_t bit = (size > 0 ? data[size - 1] * 257u : 0) % (8 * (n + tag_bytes));
    sealed[bit / 8] ^= (uint8_t)(1 << bit % 8);
    MUST(aeads[i].decrypt(sealed, sealed, n + tag_bytes, ad, ad_bytes, nonce, key) == HANJI_E_TAG);
    MUST(is_zero(sealed, n));
    free(ad);
    free(message);
    free(opened);
    free(sealed);
    return 0;
}
