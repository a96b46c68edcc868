/* SPDX-License-Identifier: Apache-2.0 */
/** Counter mode (NIST SP 800-38A, section 6.5): a stream that continues at any byte. */
typedef struct hanji_ctr_ctx {
    hanji_block_stream stream;
    uint32_t ready;
} hanji_ctr_ctx;
/** Begin a stream at the counter block `iv` of 8 bytes; `block` is borrowed and counts. */
HANJI_API HANJI_MUST_CHECK int hanji_ctr_init(const uint8_t *iv, size_t iv_bytes,
                                              hanji_block_ctx *block, hanji_ctr_ctx *ctx);
/**
 * Encrypt or decrypt the next `bytes` bytes; in place allowed. HANJI_E_LIMIT when the limit would
 * be passed: nothing is written then and the stream is as before.
 */
HANJI_API HANJI_MUST_CHECK int hanji_ctr_update(uint8_t *out, const uint8_t *in, size_t bytes,
                                                hanji_ctr_ctx *ctx);
/** Erase the stream (not the key). */
HANJI_API void hanji_ctr_wipe(hanji_ctr_ctx *ctx);
