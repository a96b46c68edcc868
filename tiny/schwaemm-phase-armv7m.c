/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCHWAEMM256-128 (Beierle et al., specification v1.2, section 2.3): one body for sealing and
 * opening, one for associated data and text. A whole block goes by words, which may have any
 * address.
 */
WIPE_BELOW(schwaemm_wipe_below, SCHWAEMM_DEPTH)
enum { OPEN = 1, MESSAGE = 2, RATE = 32, TAG = 16, DOMAIN = 4 };

static inline uint32_t schwaemm_word(const uint8_t *at)
{
    uint32_t word;
    memcpy(&word, at, 4);
    return word;
}

/* One phase. `out` is NULL for associated data. */
static NOINLINE void schwaemm_phase(uint32_t *s, uint8_t *out, const uint8_t *in, size_t bytes,
                                    uint8_t kind)
{
    uint32_t d[8];
    uint8_t *chunk = (uint8_t *)d;
    /* When a message is opened, what is absorbed is the ciphertext with the state added. */
    uint32_t added = 0 - (uint32_t)(kind & OPEN);
    while (bytes > 0) {
        const uint8_t *from = in;
        uint8_t steps = SLIM;
        if (bytes <= RATE) {
            uint8_t domain = DOMAIN ^ (kind & MESSAGE) ^ 1;
            if (bytes < RATE) {
                memset(d, 0, sizeof d);
                memcpy(chunk, in, bytes);
                if (kind & MESSAGE) {
                    const uint8_t *stream = (const uint8_t *)s;
                    for (uint8_t i = 0; i < bytes; i++) {
                        const uint8_t changed = chunk[i] ^ stream[i];
                        out[i] = changed;
                        if (kind & OPEN)
                            chunk[i] = changed;
                    }
                }
                chunk[bytes] = 0x80;
                domain ^= 1;
                from = chunk;
                kind = 0;
                added = 0;
                bytes = RATE;
            }
            s[11] ^= (uint32_t)domain << 24;
            steps = BIG;
        }
        for (uint32_t *w = s; w != s + 4; w++) {
            const uint32_t left = w[0], right = w[4], capacity = w[8], a = schwaemm_word(from),
                           b = schwaemm_word(from + RATE / 2);
            if (kind & MESSAGE) {
                const uint32_t first = a ^ left, second = b ^ right;
                memcpy(out, &first, 4);
                memcpy(out + RATE / 2, &second, 4);
                out += 4;
            }
            from += 4;
            w[0] = right ^ a ^ (left & added) ^ capacity;
            w[4] = right ^ left ^ b ^ (right & added) ^ capacity;
        }
        if (kind & MESSAGE)
            out += RATE / 2;
        in = from + RATE / 2;
        bytes -= RATE;
        sparkle384(s, steps);
    }
}
