/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCHWAEMM256-128 (Beierle et al., specification v1.2, section 2.3): one body for sealing and
 * opening, one for associated data and text.
 */
WIPE_BELOW(schwaemm_wipe_below, SCHWAEMM_DEPTH)
enum { OPEN = 1, MESSAGE = 2, RATE = 32, TAG = 16, DOMAIN = 4 };

/* One phase. `out` is NULL for associated data. */
static NOINLINE void schwaemm_phase(uint32_t *s, uint8_t *out, const uint8_t *in, size_t bytes,
                                    uint8_t kind)
{
    uint32_t d[8];
    uint8_t *chunk = (uint8_t *)d;
    while (bytes > 0) {
        const uint8_t part = (uint8_t)(bytes < RATE ? bytes : (size_t)RATE);
        uint8_t steps = SLIM;
        memset(d, 0, sizeof d);
        memcpy(chunk, in, part);
        if (kind & MESSAGE) {
            const uint8_t *stream = (const uint8_t *)s;
            for (uint8_t i = 0; i < part; i++) {
                const uint8_t changed = chunk[i] ^ stream[i];
                out[i] = changed;
                if (kind & OPEN)
                    chunk[i] = changed;
            }
            out += part;
        }
        in += part;
        bytes -= part;
        if (bytes == 0) {
            uint8_t domain = (uint8_t)(DOMAIN ^ (kind & MESSAGE));
            if (part < RATE)
                chunk[part] = 0x80;
            else
                domain ^= 1;
            s[11] ^= (uint32_t)domain << 24;
            steps = BIG;
        }
        for (uint8_t i = 0; i < 4; i++) {
            const uint32_t left = s[i], right = s[4 + i], w = s[8 + i];
            s[i] = right ^ d[i] ^ w;
            s[4 + i] = right ^ left ^ d[4 + i] ^ w;
        }
        sparkle384(s, steps);
    }
}
