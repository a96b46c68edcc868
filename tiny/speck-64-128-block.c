/* SPDX-License-Identifier: Apache-2.0 */
static @ONCE@ void cipher_block(uint32_t *out, const uint32_t *in, const cipher_ctx *ctx)
{
    uint32_t y = in[0], x = in[1];
    for (uint8_t i = 0; i < 27; i++) {
        x = (speck_ror(x, 8) + y) ^ ctx->round_keys[i];
        y = speck_ror(y, 29) ^ x;
    }
    out[0] = y;
    out[1] = x;
}
