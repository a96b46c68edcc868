/* SPDX-License-Identifier: Apache-2.0 */
/* Ascon-Hash256 (NIST SP 800-232, section 5). */
WIPE_BELOW(ascon_hash_wipe_below, ASCON_HASH_DEPTH)

static NOINLINE void ascon_hash256(uint8_t *digest, const uint8_t *in, size_t bytes)
{
    uint32_t s[10];
    memset(s, 0, sizeof s);
    s[0] = 0x00cc0002;
    s[1] = 0x00000801;
    ascon_permute(s, ASCON_P12);
    ascon_phase(s, NULL, in, bytes, 8, ASCON_P12, 0);
    for (uint8_t i = 0; i < 4; i++) {
        ascon_permute(s, ASCON_P12);
        memcpy(digest, s, 8);
        digest += 8;
    }
}

int hanji_ascon_hash256(uint8_t digest[32], const uint8_t *message, size_t message_bytes)
{
    if (digest == NULL || wrong_text(digest, 32, message, message_bytes))
        return HANJI_E_ARGUMENT;
    ascon_hash256(digest, message, message_bytes);
    ascon_hash_wipe_below();
    return HANJI_OK;
}
