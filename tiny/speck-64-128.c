/* SPDX-License-Identifier: Apache-2.0 */
/* SPECK-64/128 (Beaulieu et al., ePrint 2013/404, section 4). */
typedef hanji_speck64_128_ctx cipher_ctx;

static inline uint32_t speck_ror(uint32_t v, int by)
{
    return v >> by | v << (32 - by);
}

/*
 * The key is where the first four round keys come. Behind a round key are the three words of the
 * key schedule; the next of them comes behind these, the next round key in the place of the first.
 */
static NOINLINE void cipher_expand(cipher_ctx *ctx)
{
    uint32_t *k = ctx->round_keys;
    for (uint8_t i = 0; i < 26; i++, k++) {
        const uint32_t next = (speck_ror(k[1], 8) + k[0]) ^ i;
        k[4] = next;
        k[1] = speck_ror(k[0], 29) ^ next;
    }
}
