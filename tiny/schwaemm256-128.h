/* SPDX-License-Identifier: Apache-2.0 */
#define HANJI_SCHWAEMM256_128_KEY_BYTES 16
#define HANJI_SCHWAEMM256_128_NONCE_BYTES 32
#define HANJI_SCHWAEMM256_128_TAG_BYTES 16
/** SCHWAEMM256-128: seal; `out` takes plaintext_bytes + 16 bytes, ciphertext first. */
HANJI_API HANJI_MUST_CHECK int
hanji_schwaemm256_128_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                              const uint8_t *ad, size_t ad_bytes,
                              const uint8_t nonce[HANJI_SCHWAEMM256_128_NONCE_BYTES],
                              const uint8_t key[HANJI_SCHWAEMM256_128_KEY_BYTES]);
/**
 * SCHWAEMM256-128: open; `out` takes in_bytes - 16 bytes and is zeroed on HANJI_E_TAG; an input
 * shorter than a tag is HANJI_E_LENGTH.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_schwaemm256_128_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes, const uint8_t *ad,
                              size_t ad_bytes,
                              const uint8_t nonce[HANJI_SCHWAEMM256_128_NONCE_BYTES],
                              const uint8_t key[HANJI_SCHWAEMM256_128_KEY_BYTES]);
