/* SPDX-License-Identifier: Apache-2.0 */
/* The rounds of a block, in speck64_@ISA@_x1.S. */
KERNEL void hanji_speck64_128_@ISA@_encrypt_x1(uint32_t *out, const uint32_t *in, size_t blocks,
                                               const uint32_t *round_keys);

static @ONCE@ void cipher_block(uint32_t *out, const uint32_t *in, const cipher_ctx *ctx)
{
    hanji_speck64_128_@ISA@_encrypt_x1(out, in, 1, ctx->round_keys);
}
