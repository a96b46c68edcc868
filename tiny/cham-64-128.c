/* SPDX-License-Identifier: Apache-2.0 */
/* CHAM-64/128 (Roh et al., ICISC 2019: 88 rounds). */
typedef hanji_cham64_128_ctx cipher_ctx;

static inline uint16_t cham_rol(uint16_t v, uint8_t by)
{
    return (uint16_t)((uint32_t)v << by | v >> (16 - by));
}

static NOINLINE void cipher_expand(const uint8_t *key, cipher_ctx *ctx)
{
    uint16_t words[8];
    memcpy(words, key, sizeof words);
    for (uint8_t j = 0; j < 8; j++) {
        const uint16_t k = words[j], t = k ^ cham_rol(k, 1);
        ctx->round_keys[j] = t ^ cham_rol(k, 8);
        ctx->round_keys[(j + 8) ^ 1] = t ^ cham_rol(k, 11);
    }
}

static NOINLINE void cipher_block(uint8_t *out, const uint8_t *in, const cipher_ctx *ctx)
{
    uint16_t w[4];
    memcpy(w, in, 8);
    uint8_t by = 1; /* of the second word; the sum is rotated by 8 then, and the other way round */
    for (uint8_t i = 0; i < 88; i++) {
        uint16_t *first = &w[i & 3];
        const uint16_t second = cham_rol(w[(i + 1) & 3], by) ^ ctx->round_keys[i & 15];
        by ^= 9;
        *first = cham_rol((uint16_t)((*first ^ i) + second), by);
    }
    memcpy(out, w, 8);
}
