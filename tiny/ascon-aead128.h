/* SPDX-License-Identifier: Apache-2.0 */
#define HANJI_ASCON_AEAD128_KEY_BYTES 16
#define HANJI_ASCON_AEAD128_NONCE_BYTES 16
#define HANJI_ASCON_AEAD128_TAG_BYTES 16
/** Ascon-AEAD128: seal; `out` takes plaintext_bytes + 16 bytes, ciphertext first, then the tag. */
HANJI_API HANJI_MUST_CHECK int
hanji_ascon_aead128_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                            const uint8_t *ad, size_t ad_bytes,
                            const uint8_t nonce[HANJI_ASCON_AEAD128_NONCE_BYTES],
                            const uint8_t key[HANJI_ASCON_AEAD128_KEY_BYTES]);
/**
 * Ascon-AEAD128: open; `out` takes in_bytes - 16 bytes and is zeroed on HANJI_E_TAG; an input
 * shorter than a tag is HANJI_E_LENGTH.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_ascon_aead128_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes, const uint8_t *ad,
                            size_t ad_bytes, const uint8_t nonce[HANJI_ASCON_AEAD128_NONCE_BYTES],
                            const uint8_t key[HANJI_ASCON_AEAD128_KEY_BYTES]);
