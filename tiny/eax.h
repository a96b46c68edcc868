/* SPDX-License-Identifier: Apache-2.0 */
/**
 * EAX (Bellare, Rogaway, Wagner, FSE 2004). Nonces of one byte and more; tags of 1 to 8 bytes,
 * fixed per key. Every cipher call counts against the limit of the key.
 */
typedef struct hanji_eax_ctx {
    hanji_block_ctx *block;
    uint32_t subkeys[4]; /* of whole messages, and of others */
    uint32_t ready;      /* with the size of the tag */
} hanji_eax_ctx;
/** Bind EAX to a key; HANJI_E_LENGTH when tag_bytes is not 1 to 8. */
HANJI_API HANJI_MUST_CHECK int hanji_eax_init(size_t tag_bytes, hanji_block_ctx *block,
                                              hanji_eax_ctx *ctx);
/** Seal; `out` takes plaintext_bytes + tag_bytes bytes, ciphertext first, then the tag. */
HANJI_API HANJI_MUST_CHECK int hanji_eax_encrypt(uint8_t *out, const uint8_t *plaintext,
                                                 size_t plaintext_bytes, const uint8_t *ad,
                                                 size_t ad_bytes, const uint8_t *nonce,
                                                 size_t nonce_bytes, hanji_eax_ctx *ctx);
/** Open; `out` takes in_bytes - tag_bytes bytes and is zeroed on HANJI_E_TAG. */
HANJI_API HANJI_MUST_CHECK int hanji_eax_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes,
                                                 const uint8_t *ad, size_t ad_bytes,
                                                 const uint8_t *nonce, size_t nonce_bytes,
                                                 hanji_eax_ctx *ctx);
/** Erase the context (not the key). */
HANJI_API void hanji_eax_wipe(hanji_eax_ctx *ctx);
