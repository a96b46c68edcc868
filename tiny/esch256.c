/* SPDX-License-Identifier: Apache-2.0 */
/* ESCH256 (Beierle et al., specification v1.2, section 2.2). */
WIPE_BELOW(esch_wipe_below, ESCH_DEPTH)

static NOINLINE void esch256(uint8_t *digest, const uint8_t *in, size_t bytes)
{
    uint32_t s[12], b[4];
    memset(s, 0, sizeof s);
    uint8_t last = 0;
    do {
        const uint8_t part = (uint8_t)(bytes < 16 ? bytes : 16);
        memset(b, 0, sizeof b);
        uint8_t *to = (uint8_t *)b;
        while (to != (uint8_t *)b + part) /* no memcpy: of no message the address may be NULL */
            *to++ = *in++;
        bytes -= part;
        if (bytes == 0) {
            last = 1;
            if (part < 16)
                *to = 0x80;
            s[5] ^= (uint32_t)(part < 16 ? 1 : 2) << 24;
        }
        uint32_t t[2] = {b[1] ^ b[3], b[0] ^ b[2]};
        for (uint8_t i = 0; i < 2; i++)
            t[i] = ror(t[i] ^ t[i] << 16, 16);
        for (uint8_t i = 0; i < 6; i++)
            s[i] ^= t[i & 1] ^ (i < 4 ? b[i] : 0);
        sparkle384(s, last ? BIG : SLIM);
    } while (!last);
    memcpy(digest, s, 16);
    sparkle384(s, SLIM);
    memcpy(digest + 16, s, 16);
}

int hanji_esch256(uint8_t digest[32], const uint8_t *message, size_t message_bytes)
{
    if (digest == NULL || wrong_text(digest, 32, message, message_bytes))
        return HANJI_E_ARGUMENT;
    esch256(digest, message, message_bytes);
    esch_wipe_below();
    return HANJI_OK;
}
