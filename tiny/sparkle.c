/* SPDX-License-Identifier: Apache-2.0 */
/* SPARKLE384 (Beierle et al., specification v1.2, section 2.1), boxes in a loop: x0 y0 x1 y1 ... */
static const uint32_t sparkle_constants[8] IN_FLASH = {
    0xb7e15162, 0xbf715880, 0x38b4da56, 0x324e7738, 0xbb1185eb, 0x4f7c7b57, 0xcfbfa1c8, 0xc2b3293d};
enum { SLIM = 7, BIG = 11 };

static inline uint32_t ror(uint32_t v, int by)
{
    return v >> by | v << (32 - by);
}

static NOINLINE void sparkle384(uint32_t *s, uint8_t steps)
{
    for (uint8_t i = 0; i < steps; i++) {
        uint32_t tx = 0, ty = 0;
        s[1] ^= FLASH_WORD(&sparkle_constants[i & 7]);
        s[3] ^= i;
        for (uint8_t j = 0; j < 6; j++) {
            uint32_t x = s[2 * j], y = s[2 * j + 1];
            const uint32_t c = FLASH_WORD(&sparkle_constants[j]);
            x += ror(y, 31);
            y ^= ror(x, 24);
            x ^= c;
            x += ror(y, 17);
            y ^= ror(x, 17);
            x ^= c;
            x += y;
            y ^= ror(x, 31);
            x ^= c;
            x += ror(y, 24);
            y ^= ror(x, 16);
            x ^= c;
            s[2 * j] = x;
            s[2 * j + 1] = y;
            if (j < 3) {
                tx ^= x;
                ty ^= y;
            }
        }
        /* the linear layer, with the rotation of the left half by a branch */
        const uint32_t t[2] = {ror(ty ^ ty << 16, 16), ror(tx ^ tx << 16, 16)};
        const uint32_t u0 = s[6] ^ s[0] ^ t[0], u1 = s[7] ^ s[1] ^ t[1];
        for (uint8_t k = 0; k < 4; k++) {
            const uint32_t u = s[8 + k] ^ s[2 + k] ^ t[k & 1];
            s[6 + k] = s[k];
            s[k] = u;
        }
        s[10] = s[4];
        s[11] = s[5];
        s[4] = u0;
        s[5] = u1;
    }
}
