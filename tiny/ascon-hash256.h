/* SPDX-License-Identifier: Apache-2.0 */
#define HANJI_ASCON_HASH256_DIGEST_BYTES 32
/** Ascon-Hash256: the digest of a whole message. */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_hash256(uint8_t digest[HANJI_ASCON_HASH256_DIGEST_BYTES],
                                                   const uint8_t *message, size_t message_bytes);
