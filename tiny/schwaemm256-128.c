/* SPDX-License-Identifier: Apache-2.0 */
/* `tag` is what was given when a message is opened, else NULL. */
static NOINLINE int schwaemm(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *tag,
                             const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce,
                             const uint8_t *key)
{
    uint32_t s[12], k[4];
    int rc = HANJI_OK;
    const size_t written = bytes + (tag == NULL ? TAG : 0), read = bytes + TAG - (written - bytes);
    if (wrong(NULL, 0, out, written) | wrong_text(out, written, in, read) |
        wrong(out, written, ad, ad_bytes) | wrong(out, written, nonce, RATE) | (nonce == NULL) |
        wrong(out, written, key, sizeof k))
        return HANJI_E_ARGUMENT;
    memcpy(s, nonce, RATE);
    memcpy(s + 8, key, sizeof k);
    memcpy(k, key, sizeof k);
    sparkle384(s, BIG);
    schwaemm_phase(s, NULL, ad, ad_bytes, 0);
    schwaemm_phase(s, out, in, bytes, tag == NULL ? MESSAGE : OPEN | MESSAGE);
    for (uint8_t i = 0; i < 4; i++)
        s[8 + i] ^= k[i];
    if (tag == NULL) {
        memcpy(out + bytes, s + 8, TAG);
    } else if (!hanji_equal((const uint8_t *)(s + 8), tag, TAG)) {
        hanji_wipe(out, bytes);
        rc = HANJI_E_TAG;
    }
    return rc;
}

int hanji_schwaemm256_128_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                                  const uint8_t *ad, size_t ad_bytes, const uint8_t nonce[32],
                                  const uint8_t key[16])
{
    if (plaintext_bytes > SIZE_MAX - TAG)
        return HANJI_E_LENGTH;
    const int rc = schwaemm(out, plaintext, plaintext_bytes, NULL, ad, ad_bytes, nonce, key);
    schwaemm_wipe_below();
    return rc;
}

int hanji_schwaemm256_128_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes,
                                  const uint8_t *ad, size_t ad_bytes, const uint8_t nonce[32],
                                  const uint8_t key[16])
{
    if (in_bytes < TAG)
        return HANJI_E_LENGTH;
    in_bytes -= TAG;
    const int rc = in == NULL
                       ? HANJI_E_ARGUMENT
                       : schwaemm(out, in, in_bytes, in + in_bytes, ad, ad_bytes, nonce, key);
    schwaemm_wipe_below();
    return rc;
}
