/* SPDX-License-Identifier: Apache-2.0 */
/* Ascon-AEAD128 (NIST SP 800-232, section 4): one body for sealing and opening. */
WIPE_BELOW(ascon_wipe_below, ASCON_DEPTH)
enum { ASCON_RATE = 16, ASCON_TAG = 16 };

/* 16 bytes, of a key or a nonce, into two words of the state. */
static NOINLINE void ascon_add(void *to, const void *from)
{
    uint8_t *at = (uint8_t *)to;
    const uint8_t *in = (const uint8_t *)from;
    for (uint8_t i = 0; i < 16; i++)
        at[i] ^= in[i];
}

/* `tag_bytes` are those that are written: 16 when a message is sealed, else 0. */
static NOINLINE int ascon(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *ad,
                          size_t ad_bytes, const uint8_t *nonce, const uint8_t *key,
                          size_t tag_bytes)
{
    const size_t written = bytes + tag_bytes;
    if ((out == NULL && written != 0) ||
        wrong_text(out, written, in, bytes + (tag_bytes ^ ASCON_TAG)) ||
        wrong(out, written, ad, ad_bytes) || wrong(out, written, nonce, 16) ||
        wrong(out, written, key, 16))
        return HANJI_E_ARGUMENT;
    uint32_t s[10] = {0x808c0001, 0x00001000};
    ascon_add(s + 2, key);
    ascon_add(s + 6, nonce);
    ascon_permute(s, ASCON_P12);
    ascon_add(s + 6, key);
    if (ad_bytes > 0) {
        ascon_phase(s, NULL, ad, ad_bytes, ASCON_RATE, ASCON_P8, 0);
        ascon_permute(s, ASCON_P8);
    }
    s[9] ^= 0x80000000;
    ascon_phase(s, out, in, bytes, ASCON_RATE, ASCON_P8, tag_bytes);
    ascon_add(s + 4, key);
    ascon_permute(s, ASCON_P12);
    ascon_add(s + 6, key);
    if (tag_bytes != 0) {
        memcpy(out + bytes, s + 6, ASCON_TAG);
        return HANJI_OK;
    }
    ascon_add(s + 6, in + bytes); /* the tag that was given leaves zeros of its equal */
    if ((s[6] | s[7] | s[8] | s[9]) == 0)
        return HANJI_OK;
    hanji_wipe(out, bytes);
    return HANJI_E_TAG;
}

int hanji_ascon_aead128_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                                const uint8_t *ad, size_t ad_bytes, const uint8_t nonce[16],
                                const uint8_t key[16])
{
    if (plaintext_bytes > SIZE_MAX - ASCON_TAG)
        return HANJI_E_LENGTH;
    const int rc = ascon(out, plaintext, plaintext_bytes, ad, ad_bytes, nonce, key, ASCON_TAG);
    ascon_wipe_below();
    return rc;
}

int hanji_ascon_aead128_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes, const uint8_t *ad,
                                size_t ad_bytes, const uint8_t nonce[16], const uint8_t key[16])
{
    if (in_bytes < ASCON_TAG)
        return HANJI_E_LENGTH;
    const int rc = ascon(out, in, in_bytes - ASCON_TAG, ad, ad_bytes, nonce, key, 0);
    ascon_wipe_below();
    return rc;
}
