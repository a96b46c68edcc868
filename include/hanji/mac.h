/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file mac.h
 * @brief CMAC (NIST SP 800-38B; ISO/IEC 9797-1 algorithm 5) over any block cipher with 64- or
 * 128-bit blocks.
 *
 * Status: sound up to the birthday bound of the block size. With tags below 64 bits the caller
 * limits failed verifications.
 */
#ifndef HANJI_MAC_H
#define HANJI_MAC_H

#include "hanji/block.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A message whose tag is being computed. */
typedef struct hanji_cmac_ctx {
    hanji_block_ctx *block;
    /* that of the key when the message began: another one under it is refused */
    const hanji_cipher *cipher;
    uint8_t k1[HANJI_BLOCK_BYTES_MAX];
    uint8_t k2[HANJI_BLOCK_BYTES_MAX];
    uint8_t mac[HANJI_BLOCK_BYTES_MAX];
    uint8_t pending[HANJI_BLOCK_BYTES_MAX];
    uint32_t pending_bytes;
    uint32_t ready;
} hanji_cmac_ctx;

/**
 * Begin; HANJI_E_LENGTH when the block is not 8 or 16 bytes. The key context is borrowed and counts
 * every cipher call.
 *
 * The context remembers the cipher. When `block` holds another one later, or none, every further
 * call is HANJI_E_ARGUMENT. A new key of the same cipher is not noticed: tags then come from
 * subkeys of the old key and blocks of the new one, and are of no use. Begin again after re-keying.
 */
HANJI_API HANJI_MUST_CHECK int hanji_cmac_init(hanji_block_ctx *block, hanji_cmac_ctx *ctx);
/** The next piece of the message. */
HANJI_API HANJI_MUST_CHECK int hanji_cmac_update(const uint8_t *message, size_t message_bytes,
                                                 hanji_cmac_ctx *ctx);
/**
 * Give the tag, 1 to block size bytes (else HANJI_E_LENGTH), and make the context ready for the
 * next message under the same key.
 */
HANJI_API HANJI_MUST_CHECK int hanji_cmac_final(uint8_t *tag, size_t tag_bytes,
                                                hanji_cmac_ctx *ctx);
/**
 * Finish and compare with a tag in constant time: HANJI_OK or HANJI_E_TAG; an empty or too long tag
 * is HANJI_E_LENGTH.
 */
HANJI_API HANJI_MUST_CHECK int hanji_cmac_verify(const uint8_t *tag, size_t tag_bytes,
                                                 hanji_cmac_ctx *ctx);
/** The tag of a whole message. A refused call counts nothing. */
HANJI_API HANJI_MUST_CHECK int hanji_cmac(uint8_t *tag, size_t tag_bytes, const uint8_t *message,
                                          size_t message_bytes, hanji_block_ctx *block);
/** Erase the context (not the key). */
HANJI_API void hanji_cmac_wipe(hanji_cmac_ctx *ctx);

#ifdef __cplusplus
}
#endif
#endif
