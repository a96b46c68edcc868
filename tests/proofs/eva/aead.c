/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An AEAD: a message at once, with the tag behind it and apart. (In pieces Eva does not see that a
 * context is initialised: it cannot tell that buffers of two arrays lie apart.)
 */
#include "harness.h"

static void message(size_t bytes, size_t ad_bytes)
{
    const uint8_t *key = BUFFER(key_room, KEY), *nonce = BUFFER(nonce_room, NONCE);
    const uint8_t *ad = BUFFER(ad_room, ad_bytes), *text = BUFFER(in_room, bytes);
    uint8_t *out = BUFFER(out_room, bytes + TAG);
    int rc = NAME(encrypt)(out, text, bytes, ad, ad_bytes, nonce, key);
    text = BUFFER(in_room, bytes + TAG);
    out = BUFFER(out_room, bytes);
    rc |= NAME(decrypt)(out, text, bytes + TAG, ad, ad_bytes, nonce, key);
    text = BUFFER(in_room, bytes);
    uint8_t *tag = BUFFER(tag_room, TAG);
    rc |= NAME(encrypt_detached)(out, tag, text, bytes, ad, ad_bytes, nonce, key);
    rc |= NAME(decrypt_detached)(out, text, bytes, tag, ad, ad_bytes, nonce, key);
    (void)rc;
}

int main(void)
{
    //@ loop unroll 71;
    for (size_t bytes = FIRST; bytes <= LAST; bytes++)
        message(bytes, bytes % (AD_MOST + 1));
    //@ loop unroll 38;
    for (size_t ad_bytes = FIRST; ad_bytes <= LAST && ad_bytes <= AD_MOST; ad_bytes++)
        message(OTHER, ad_bytes);
    Frama_C_show_each_end();
    return 0;
}
