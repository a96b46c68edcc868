/* SPDX-License-Identifier: Apache-2.0 */
#define HANJI_ESCH256_DIGEST_BYTES 32
/** ESCH256: the digest of a whole message. */
HANJI_API HANJI_MUST_CHECK int hanji_esch256(uint8_t digest[HANJI_ESCH256_DIGEST_BYTES],
                                             const uint8_t *message, size_t message_bytes);
