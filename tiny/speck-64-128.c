/* SPDX-License-Identifier: Apache-2.0 */
/* SPECK-64/128 (Beaulieu et al., ePrint 2013/404, section 4). */
typedef hanji_speck64_128_ctx cipher_ctx;

static inline uint32_t speck_ror(uint32_t v, int by)
{
    return v >> by | v << (32 - by);
}

static NOINLINE void cipher_expand(const uint8_t *key, cipher_ctx *ctx)
{
    uint32_t l[3], k;
    memcpy(&k, key, 4);
    memcpy(l, key + 4, sizeof l);
    for (uint8_t i = 0;; i++) {
        ctx->round_keys[i] = k;
        if (i == 26)
            break;
        const uint32_t next = (speck_ror(l[0], 8) + k) ^ i;
        l[0] = l[1];
        l[1] = l[2];
        l[2] = next;
        k = speck_ror(k, 29) ^ next;
    }
}

static NOINLINE void cipher_block(uint8_t *out, const uint8_t *in, const cipher_ctx *ctx)
{
    uint32_t x, y;
    memcpy(&y, in, 4);
    memcpy(&x, in + 4, 4);
    for (uint8_t i = 0; i < 27; i++) {
        x = (speck_ror(x, 8) + y) ^ ctx->round_keys[i];
        y = speck_ror(y, 29) ^ x;
    }
    memcpy(out, &y, 4);
    memcpy(out + 4, &x, 4);
}
