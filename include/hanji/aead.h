/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file aead.h
 * @brief Authenticated encryption: Ascon-AEAD128, SCHWAEMM (four instances), and EAX over any block
 * cipher with 64- or 128-bit blocks.
 *
 * Rules for all AEADs: use a nonce once per key, ever. When a tag does not match, the output is
 * zeroed: no call gives out unverified plaintext. Calls seal in pieces, but do not open in pieces,
 * because an early piece would be unverified. In-place operation is allowed. No AEAD commits to its
 * key: where several keys could open a message, bind the key yourself, as the file format of `hanji
 * seal` does.
 */
#ifndef HANJI_AEAD_H
#define HANJI_AEAD_H

#include "hanji/block.h"
#include "hanji/mac.h"

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */

/*
 * Ascon-AEAD128. Status: NIST standard SP 800-232 (August 2025); 128 bits of security; no known
 * attack on the full algorithm; nonce-respecting. It does not interoperate with Ascon v1.2 and
 * before. Limit (section 4.3): 2^54 bytes under one key, sealed and opened, associated data and
 * nonces counted; hanji_ascon_aead128_key counts them, and the calls that take bytes of a key do
 * not.
 */

#define HANJI_ASCON_AEAD128_KEY_BYTES 16
#define HANJI_ASCON_AEAD128_NONCE_BYTES 16
#define HANJI_ASCON_AEAD128_TAG_BYTES 16
/** The shortest tag that hanji_ascon_aead128_key_init takes. */
#define HANJI_ASCON_AEAD128_TAG_BYTES_LEAST 8
/** The shortest tag of all: of hanji_ascon_aead128_key_init_short_tag. */
#define HANJI_ASCON_AEAD128_SHORT_TAG_BYTES_LEAST 4
/** The data limit of a key, in blocks of 16 bytes (SP 800-232, section 4.3: 2^54 bytes). */
#define HANJI_ASCON_AEAD128_LIMIT_BLOCKS ((uint64_t)1 << 50)

/** A key with the tag length that belongs to it, and the blocks that it has treated. */
typedef struct hanji_ascon_aead128_key {
    uint64_t key[2];    /**< not for users */
    uint64_t mask[2];   /**< not for users: of nonces; zero without masking */
    uint64_t blocks;    /**< not for users */
    uint32_t tag_bytes; /**< not for users */
    uint32_t ready;     /**< not for users */
} hanji_ascon_aead128_key;

/** A message sealed in pieces. Finishing or wiping erases it. */
typedef struct hanji_ascon_aead128_ctx {
    uint64_t state[5];
    uint64_t key[2];
    hanji_ascon_aead128_key *counter; /* of hanji_ascon_aead128_key_begin; else NULL */
    uint32_t at;                      /* bytes of the block in the state */
    uint32_t tag_bytes;
    uint32_t phase;
} hanji_ascon_aead128_ctx;

/** Ascon-AEAD128: seal; `out` takes plaintext_bytes + 16 bytes, ciphertext first, then the tag. */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_aead128_encrypt(
    uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes, const uint8_t *ad,
    size_t ad_bytes, const uint8_t nonce[HANJI_ASCON_AEAD128_NONCE_BYTES],
    const uint8_t key[HANJI_ASCON_AEAD128_KEY_BYTES]);
/**
 * Ascon-AEAD128: open; `out` takes in_bytes - 16 bytes and is zeroed on HANJI_E_TAG; an input
 * shorter than a tag is HANJI_E_LENGTH.
 */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_aead128_decrypt(
    uint8_t *out, const uint8_t *in, size_t in_bytes, const uint8_t *ad, size_t ad_bytes,
    const uint8_t nonce[HANJI_ASCON_AEAD128_NONCE_BYTES],
    const uint8_t key[HANJI_ASCON_AEAD128_KEY_BYTES]);
/** Ascon-AEAD128: seal with the tag apart. */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_aead128_encrypt_detached(
    uint8_t *ciphertext, uint8_t tag[HANJI_ASCON_AEAD128_TAG_BYTES], const uint8_t *plaintext,
    size_t plaintext_bytes, const uint8_t *ad, size_t ad_bytes,
    const uint8_t nonce[HANJI_ASCON_AEAD128_NONCE_BYTES],
    const uint8_t key[HANJI_ASCON_AEAD128_KEY_BYTES]);
/** Ascon-AEAD128: open with the tag apart; `plaintext` is zeroed on HANJI_E_TAG. */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_aead128_decrypt_detached(
    uint8_t *plaintext, const uint8_t *ciphertext, size_t ciphertext_bytes,
    const uint8_t tag[HANJI_ASCON_AEAD128_TAG_BYTES], const uint8_t *ad, size_t ad_bytes,
    const uint8_t nonce[HANJI_ASCON_AEAD128_NONCE_BYTES],
    const uint8_t key[HANJI_ASCON_AEAD128_KEY_BYTES]);
/** Ascon-AEAD128: begin a message sealed in pieces, with a tag of 16 bytes. */
HANJI_API HANJI_MUST_CHECK int
hanji_ascon_aead128_init(const uint8_t nonce[HANJI_ASCON_AEAD128_NONCE_BYTES],
                         const uint8_t key[HANJI_ASCON_AEAD128_KEY_BYTES],
                         hanji_ascon_aead128_ctx *ctx);
/**
 * Ascon-AEAD128: the next piece of associated data; all of it comes before the first byte of
 * plaintext (else HANJI_E_ARGUMENT).
 */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_aead128_update_ad(const uint8_t *ad, size_t ad_bytes,
                                                             hanji_ascon_aead128_ctx *ctx);
/** Ascon-AEAD128: seal the next piece of plaintext; as many bytes come out as go in. */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_aead128_update(uint8_t *ciphertext,
                                                          const uint8_t *plaintext,
                                                          size_t plaintext_bytes,
                                                          hanji_ascon_aead128_ctx *ctx);
/**
 * Ascon-AEAD128: finish the message, give its tag and erase the context. The tag has 16 bytes, or
 * as many as the key with which the message began.
 */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_aead128_final(uint8_t *tag,
                                                         hanji_ascon_aead128_ctx *ctx);
/** Ascon-AEAD128: erase an unfinished message. */
HANJI_API void hanji_ascon_aead128_wipe(hanji_ascon_aead128_ctx *ctx);

/**
 * Ascon-AEAD128: a key with options (SP 800-232, section 4.2). Its data are counted, and it refuses
 * what would pass the limit with HANJI_E_LIMIT.
 *
 * The tag length belongs to the key, not to the message: tags of one key all have it, and the
 * strength against forgery falls to 8 * tag_bytes bits. A short tag is the beginning of a long one,
 * so never use one key with two lengths. The caller counts failed openings: after
 * 2^(8 * tag_bytes - 32) of them the key must be changed.
 * @param tag_bytes 8 to 16, else HANJI_E_LENGTH
 * @param key       16 bytes, or 32 for nonce masking: the key and then the mask, which is xored into
 *                  every nonce; equal halves are HANJI_E_ARGUMENT. With masking the strength stays
 *                  at 128 bits, however many keys are in use; without, it is 128 - log2(keys).
 * @param key_bytes 16 or 32, else HANJI_E_LENGTH
 * @param ctx       unusable when the call fails
 */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_aead128_key_init(size_t tag_bytes, const uint8_t *key,
                                                            size_t key_bytes,
                                                            hanji_ascon_aead128_key *ctx);
/**
 * Ascon-AEAD128, hazardous: the same with a tag of 4 to 7 bytes, else HANJI_E_LENGTH. The standard
 * allows tags below 64 bits only after a risk analysis: a forgery succeeds with probability
 * 2^-(8 * tag_bytes), and a key should be changed after one failed opening.
 */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_aead128_key_init_short_tag(size_t tag_bytes,
                                                                      const uint8_t *key,
                                                                      size_t key_bytes,
                                                                      hanji_ascon_aead128_key *ctx);
/** Ascon-AEAD128: seal; `out` takes plaintext_bytes and the bytes of the key's tags. */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_aead128_key_encrypt(
    uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes, const uint8_t *ad,
    size_t ad_bytes, const uint8_t nonce[HANJI_ASCON_AEAD128_NONCE_BYTES],
    hanji_ascon_aead128_key *ctx);
/** Ascon-AEAD128: open; `out` is zeroed on HANJI_E_TAG. */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_aead128_key_decrypt(
    uint8_t *out, const uint8_t *in, size_t in_bytes, const uint8_t *ad, size_t ad_bytes,
    const uint8_t nonce[HANJI_ASCON_AEAD128_NONCE_BYTES], hanji_ascon_aead128_key *ctx);
/** Ascon-AEAD128: seal with the tag, of the key's length, apart. */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_aead128_key_encrypt_detached(
    uint8_t *ciphertext, uint8_t *tag, const uint8_t *plaintext, size_t plaintext_bytes,
    const uint8_t *ad, size_t ad_bytes, const uint8_t nonce[HANJI_ASCON_AEAD128_NONCE_BYTES],
    hanji_ascon_aead128_key *ctx);
/**
 * Ascon-AEAD128: open with the tag apart; a tag of another length than the key's is HANJI_E_LENGTH.
 */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_aead128_key_decrypt_detached(
    uint8_t *plaintext, const uint8_t *ciphertext, size_t ciphertext_bytes, const uint8_t *tag,
    size_t tag_bytes, const uint8_t *ad, size_t ad_bytes,
    const uint8_t nonce[HANJI_ASCON_AEAD128_NONCE_BYTES], hanji_ascon_aead128_key *ctx);
/**
 * Ascon-AEAD128: begin a message sealed in pieces under such a key, which must outlive it.
 * A piece past the limit is HANJI_E_LIMIT, and the message stays as it was.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_ascon_aead128_key_begin(const uint8_t nonce[HANJI_ASCON_AEAD128_NONCE_BYTES],
                              hanji_ascon_aead128_key *key, hanji_ascon_aead128_ctx *ctx);
/** Ascon-AEAD128: erase a key. */
HANJI_API void hanji_ascon_aead128_key_wipe(hanji_ascon_aead128_key *ctx);

/** Sizes as functions, for callers that bind to the shared library: the key. */
HANJI_API size_t hanji_ascon_aead128_key_bytes(void);
/** Nonce size. */
HANJI_API size_t hanji_ascon_aead128_nonce_bytes(void);
/** Tag size without options. */
HANJI_API size_t hanji_ascon_aead128_tag_bytes(void);
/** Size of hanji_ascon_aead128_ctx in the running library. */
HANJI_API size_t hanji_ascon_aead128_ctx_bytes(void);
/** Size of hanji_ascon_aead128_key in the running library. */
HANJI_API size_t hanji_ascon_aead128_key_ctx_bytes(void);

/* clang-format on */

/**
 * A message sealed in pieces; one type for the four instances. Finishing or wiping
 * erases it.
 */
typedef struct hanji_schwaemm_ctx {
    uint32_t state[16];
    uint8_t key[32];
    uint8_t pending[32]; /* the last chunk, whose treatment depends on whether more follows */
    uint32_t pending_bytes;
    uint32_t phase;
} hanji_schwaemm_ctx;

/*
 * Status of SCHWAEMM: finalist of the NIST lightweight competition (2021), not selected; no known
 * attack on the modes; nonce-respecting.
 * Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2.
 */

/*
 * SCHWAEMM256-128: SPARKLE384; 120 bits of security, 2^68 bytes per key (Beierle et al., v1.2,
 * section 2.3).
 */
#define HANJI_SCHWAEMM256_128_KEY_BYTES 16
#define HANJI_SCHWAEMM256_128_NONCE_BYTES 32
#define HANJI_SCHWAEMM256_128_TAG_BYTES 16
/**
 * SCHWAEMM256-128: seal; `out` takes plaintext_bytes + 16 bytes, ciphertext first, then the tag.
 */
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
/** SCHWAEMM256-128: seal with the tag apart. */
HANJI_API HANJI_MUST_CHECK int hanji_schwaemm256_128_encrypt_detached(
    uint8_t *ciphertext, uint8_t tag[HANJI_SCHWAEMM256_128_TAG_BYTES], const uint8_t *plaintext,
    size_t plaintext_bytes, const uint8_t *ad, size_t ad_bytes,
    const uint8_t nonce[HANJI_SCHWAEMM256_128_NONCE_BYTES],
    const uint8_t key[HANJI_SCHWAEMM256_128_KEY_BYTES]);
/** SCHWAEMM256-128: open with the tag apart; `plaintext` is zeroed on HANJI_E_TAG. */
HANJI_API HANJI_MUST_CHECK int hanji_schwaemm256_128_decrypt_detached(
    uint8_t *plaintext, const uint8_t *ciphertext, size_t ciphertext_bytes,
    const uint8_t tag[HANJI_SCHWAEMM256_128_TAG_BYTES], const uint8_t *ad, size_t ad_bytes,
    const uint8_t nonce[HANJI_SCHWAEMM256_128_NONCE_BYTES],
    const uint8_t key[HANJI_SCHWAEMM256_128_KEY_BYTES]);
/** SCHWAEMM256-128: begin a message sealed in pieces. */
HANJI_API HANJI_MUST_CHECK int
hanji_schwaemm256_128_init(const uint8_t nonce[HANJI_SCHWAEMM256_128_NONCE_BYTES],
                           const uint8_t key[HANJI_SCHWAEMM256_128_KEY_BYTES],
                           hanji_schwaemm_ctx *ctx);
/**
 * SCHWAEMM256-128: the next piece of associated data; all of it comes before the first byte of
 * plaintext (else HANJI_E_ARGUMENT).
 */
HANJI_API HANJI_MUST_CHECK int hanji_schwaemm256_128_update_ad(const uint8_t *ad, size_t ad_bytes,
                                                               hanji_schwaemm_ctx *ctx);
/** SCHWAEMM256-128: seal the next piece of plaintext; as many bytes come out as go in. */
HANJI_API HANJI_MUST_CHECK int hanji_schwaemm256_128_update(uint8_t *ciphertext,
                                                            const uint8_t *plaintext,
                                                            size_t plaintext_bytes,
                                                            hanji_schwaemm_ctx *ctx);
/** SCHWAEMM256-128: finish the message, give its tag and erase the context. */
HANJI_API HANJI_MUST_CHECK int
hanji_schwaemm256_128_final(uint8_t tag[HANJI_SCHWAEMM256_128_TAG_BYTES], hanji_schwaemm_ctx *ctx);

/*
 * SCHWAEMM192-192: SPARKLE384; 184 bits of security, 2^68 bytes per key (Beierle et al., v1.2,
 * section 2.3).
 */
#define HANJI_SCHWAEMM192_192_KEY_BYTES 24
#define HANJI_SCHWAEMM192_192_NONCE_BYTES 24
#define HANJI_SCHWAEMM192_192_TAG_BYTES 24
/**
 * SCHWAEMM192-192: seal; `out` takes plaintext_bytes + 24 bytes, ciphertext first, then the tag.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_schwaemm192_192_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                              const uint8_t *ad, size_t ad_bytes,
                              const uint8_t nonce[HANJI_SCHWAEMM192_192_NONCE_BYTES],
                              const uint8_t key[HANJI_SCHWAEMM192_192_KEY_BYTES]);
/**
 * SCHWAEMM192-192: open; `out` takes in_bytes - 24 bytes and is zeroed on HANJI_E_TAG; an input
 * shorter than a tag is HANJI_E_LENGTH.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_schwaemm192_192_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes, const uint8_t *ad,
                              size_t ad_bytes,
                              const uint8_t nonce[HANJI_SCHWAEMM192_192_NONCE_BYTES],
                              const uint8_t key[HANJI_SCHWAEMM192_192_KEY_BYTES]);
/** SCHWAEMM192-192: seal with the tag apart. */
HANJI_API HANJI_MUST_CHECK int hanji_schwaemm192_192_encrypt_detached(
    uint8_t *ciphertext, uint8_t tag[HANJI_SCHWAEMM192_192_TAG_BYTES], const uint8_t *plaintext,
    size_t plaintext_bytes, const uint8_t *ad, size_t ad_bytes,
    const uint8_t nonce[HANJI_SCHWAEMM192_192_NONCE_BYTES],
    const uint8_t key[HANJI_SCHWAEMM192_192_KEY_BYTES]);
/** SCHWAEMM192-192: open with the tag apart; `plaintext` is zeroed on HANJI_E_TAG. */
HANJI_API HANJI_MUST_CHECK int hanji_schwaemm192_192_decrypt_detached(
    uint8_t *plaintext, const uint8_t *ciphertext, size_t ciphertext_bytes,
    const uint8_t tag[HANJI_SCHWAEMM192_192_TAG_BYTES], const uint8_t *ad, size_t ad_bytes,
    const uint8_t nonce[HANJI_SCHWAEMM192_192_NONCE_BYTES],
    const uint8_t key[HANJI_SCHWAEMM192_192_KEY_BYTES]);
/** SCHWAEMM192-192: begin a message sealed in pieces. */
HANJI_API HANJI_MUST_CHECK int
hanji_schwaemm192_192_init(const uint8_t nonce[HANJI_SCHWAEMM192_192_NONCE_BYTES],
                           const uint8_t key[HANJI_SCHWAEMM192_192_KEY_BYTES],
                           hanji_schwaemm_ctx *ctx);
/**
 * SCHWAEMM192-192: the next piece of associated data; all of it comes before the first byte of
 * plaintext (else HANJI_E_ARGUMENT).
 */
HANJI_API HANJI_MUST_CHECK int hanji_schwaemm192_192_update_ad(const uint8_t *ad, size_t ad_bytes,
                                                               hanji_schwaemm_ctx *ctx);
/** SCHWAEMM192-192: seal the next piece of plaintext; as many bytes come out as go in. */
HANJI_API HANJI_MUST_CHECK int hanji_schwaemm192_192_update(uint8_t *ciphertext,
                                                            const uint8_t *plaintext,
                                                            size_t plaintext_bytes,
                                                            hanji_schwaemm_ctx *ctx);
/** SCHWAEMM192-192: finish the message, give its tag and erase the context. */
HANJI_API HANJI_MUST_CHECK int
hanji_schwaemm192_192_final(uint8_t tag[HANJI_SCHWAEMM192_192_TAG_BYTES], hanji_schwaemm_ctx *ctx);

/*
 * SCHWAEMM128-128: SPARKLE256; 120 bits of security, 2^68 bytes per key (Beierle et al., v1.2,
 * section 2.3).
 */
#define HANJI_SCHWAEMM128_128_KEY_BYTES 16
#define HANJI_SCHWAEMM128_128_NONCE_BYTES 16
#define HANJI_SCHWAEMM128_128_TAG_BYTES 16
/**
 * SCHWAEMM128-128: seal; `out` takes plaintext_bytes + 16 bytes, ciphertext first, then the tag.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_schwaemm128_128_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                              const uint8_t *ad, size_t ad_bytes,
                              const uint8_t nonce[HANJI_SCHWAEMM128_128_NONCE_BYTES],
                              const uint8_t key[HANJI_SCHWAEMM128_128_KEY_BYTES]);
/**
 * SCHWAEMM128-128: open; `out` takes in_bytes - 16 bytes and is zeroed on HANJI_E_TAG; an input
 * shorter than a tag is HANJI_E_LENGTH.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_schwaemm128_128_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes, const uint8_t *ad,
                              size_t ad_bytes,
                              const uint8_t nonce[HANJI_SCHWAEMM128_128_NONCE_BYTES],
                              const uint8_t key[HANJI_SCHWAEMM128_128_KEY_BYTES]);
/** SCHWAEMM128-128: seal with the tag apart. */
HANJI_API HANJI_MUST_CHECK int hanji_schwaemm128_128_encrypt_detached(
    uint8_t *ciphertext, uint8_t tag[HANJI_SCHWAEMM128_128_TAG_BYTES], const uint8_t *plaintext,
    size_t plaintext_bytes, const uint8_t *ad, size_t ad_bytes,
    const uint8_t nonce[HANJI_SCHWAEMM128_128_NONCE_BYTES],
    const uint8_t key[HANJI_SCHWAEMM128_128_KEY_BYTES]);
/** SCHWAEMM128-128: open with the tag apart; `plaintext` is zeroed on HANJI_E_TAG. */
HANJI_API HANJI_MUST_CHECK int hanji_schwaemm128_128_decrypt_detached(
    uint8_t *plaintext, const uint8_t *ciphertext, size_t ciphertext_bytes,
    const uint8_t tag[HANJI_SCHWAEMM128_128_TAG_BYTES], const uint8_t *ad, size_t ad_bytes,
    const uint8_t nonce[HANJI_SCHWAEMM128_128_NONCE_BYTES],
    const uint8_t key[HANJI_SCHWAEMM128_128_KEY_BYTES]);
/** SCHWAEMM128-128: begin a message sealed in pieces. */
HANJI_API HANJI_MUST_CHECK int
hanji_schwaemm128_128_init(const uint8_t nonce[HANJI_SCHWAEMM128_128_NONCE_BYTES],
                           const uint8_t key[HANJI_SCHWAEMM128_128_KEY_BYTES],
                           hanji_schwaemm_ctx *ctx);
/**
 * SCHWAEMM128-128: the next piece of associated data; all of it comes before the first byte of
 * plaintext (else HANJI_E_ARGUMENT).
 */
HANJI_API HANJI_MUST_CHECK int hanji_schwaemm128_128_update_ad(const uint8_t *ad, size_t ad_bytes,
                                                               hanji_schwaemm_ctx *ctx);
/** SCHWAEMM128-128: seal the next piece of plaintext; as many bytes come out as go in. */
HANJI_API HANJI_MUST_CHECK int hanji_schwaemm128_128_update(uint8_t *ciphertext,
                                                            const uint8_t *plaintext,
                                                            size_t plaintext_bytes,
                                                            hanji_schwaemm_ctx *ctx);
/** SCHWAEMM128-128: finish the message, give its tag and erase the context. */
HANJI_API HANJI_MUST_CHECK int
hanji_schwaemm128_128_final(uint8_t tag[HANJI_SCHWAEMM128_128_TAG_BYTES], hanji_schwaemm_ctx *ctx);

/*
 * SCHWAEMM256-256: SPARKLE512; 248 bits of security, 2^133 bytes per key (Beierle et al., v1.2,
 * section 2.3).
 */
#define HANJI_SCHWAEMM256_256_KEY_BYTES 32
#define HANJI_SCHWAEMM256_256_NONCE_BYTES 32
#define HANJI_SCHWAEMM256_256_TAG_BYTES 32
/**
 * SCHWAEMM256-256: seal; `out` takes plaintext_bytes + 32 bytes, ciphertext first, then the tag.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_schwaemm256_256_encrypt(uint8_t *out, const uint8_t *plaintext, size_t plaintext_bytes,
                              const uint8_t *ad, size_t ad_bytes,
                              const uint8_t nonce[HANJI_SCHWAEMM256_256_NONCE_BYTES],
                              const uint8_t key[HANJI_SCHWAEMM256_256_KEY_BYTES]);
/**
 * SCHWAEMM256-256: open; `out` takes in_bytes - 32 bytes and is zeroed on HANJI_E_TAG; an input
 * shorter than a tag is HANJI_E_LENGTH.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_schwaemm256_256_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes, const uint8_t *ad,
                              size_t ad_bytes,
                              const uint8_t nonce[HANJI_SCHWAEMM256_256_NONCE_BYTES],
                              const uint8_t key[HANJI_SCHWAEMM256_256_KEY_BYTES]);
/** SCHWAEMM256-256: seal with the tag apart. */
HANJI_API HANJI_MUST_CHECK int hanji_schwaemm256_256_encrypt_detached(
    uint8_t *ciphertext, uint8_t tag[HANJI_SCHWAEMM256_256_TAG_BYTES], const uint8_t *plaintext,
    size_t plaintext_bytes, const uint8_t *ad, size_t ad_bytes,
    const uint8_t nonce[HANJI_SCHWAEMM256_256_NONCE_BYTES],
    const uint8_t key[HANJI_SCHWAEMM256_256_KEY_BYTES]);
/** SCHWAEMM256-256: open with the tag apart; `plaintext` is zeroed on HANJI_E_TAG. */
HANJI_API HANJI_MUST_CHECK int hanji_schwaemm256_256_decrypt_detached(
    uint8_t *plaintext, const uint8_t *ciphertext, size_t ciphertext_bytes,
    const uint8_t tag[HANJI_SCHWAEMM256_256_TAG_BYTES], const uint8_t *ad, size_t ad_bytes,
    const uint8_t nonce[HANJI_SCHWAEMM256_256_NONCE_BYTES],
    const uint8_t key[HANJI_SCHWAEMM256_256_KEY_BYTES]);
/** SCHWAEMM256-256: begin a message sealed in pieces. */
HANJI_API HANJI_MUST_CHECK int
hanji_schwaemm256_256_init(const uint8_t nonce[HANJI_SCHWAEMM256_256_NONCE_BYTES],
                           const uint8_t key[HANJI_SCHWAEMM256_256_KEY_BYTES],
                           hanji_schwaemm_ctx *ctx);
/**
 * SCHWAEMM256-256: the next piece of associated data; all of it comes before the first byte of
 * plaintext (else HANJI_E_ARGUMENT).
 */
HANJI_API HANJI_MUST_CHECK int hanji_schwaemm256_256_update_ad(const uint8_t *ad, size_t ad_bytes,
                                                               hanji_schwaemm_ctx *ctx);
/** SCHWAEMM256-256: seal the next piece of plaintext; as many bytes come out as go in. */
HANJI_API HANJI_MUST_CHECK int hanji_schwaemm256_256_update(uint8_t *ciphertext,
                                                            const uint8_t *plaintext,
                                                            size_t plaintext_bytes,
                                                            hanji_schwaemm_ctx *ctx);
/** SCHWAEMM256-256: finish the message, give its tag and erase the context. */
HANJI_API HANJI_MUST_CHECK int
hanji_schwaemm256_256_final(uint8_t tag[HANJI_SCHWAEMM256_256_TAG_BYTES], hanji_schwaemm_ctx *ctx);

/** Erase an unfinished message. */
HANJI_API void hanji_schwaemm_wipe(hanji_schwaemm_ctx *ctx);
/**
 * Sizes as functions, for callers that bind to the shared library: key, nonce and tag bytes of an
 * instance (256128, 192192, 128128 or 256256); 0 for another number.
 */
HANJI_API size_t hanji_schwaemm_key_bytes(uint32_t instance);
/** Nonce size of an instance. */
HANJI_API size_t hanji_schwaemm_nonce_bytes(uint32_t instance);
/** Tag size of an instance. */
HANJI_API size_t hanji_schwaemm_tag_bytes(uint32_t instance);
/** Size of hanji_schwaemm_ctx in the running library. */
HANJI_API size_t hanji_schwaemm_ctx_bytes(void);

/**
 * EAX (Bellare, Rogaway, Wagner, FSE 2004; ISO/IEC 19772) over a keyed cipher with 64- or 128-bit
 * blocks.
 *
 * Nonces of one byte and more; tags of 1 to block size bytes, fixed per key. Every cipher call
 * counts against the limit of the key. The key context is borrowed and written to: one thread at a
 * time.
 * Status: provably secure up to the birthday bound of the block size; with 64-bit blocks keep to
 * the default limit of 2^20 blocks.
 */
typedef struct hanji_eax_ctx {
    hanji_cmac_ctx mac; /* OMAC of the part in progress */
    hanji_ctr_ctx ctr;
    /* OMAC of the nonce, later xored with that of the associated data */
    uint8_t sum[HANJI_BLOCK_BYTES_MAX];
    uint32_t tag_bytes;
    uint32_t phase;
} hanji_eax_ctx;

/**
 * Bind EAX to a key; HANJI_E_LENGTH when the block is not 8 or 16 bytes or tag_bytes is not 1 to
 * the block size.
 *
 * The context remembers the cipher. When `block` holds another one later, or none, every further
 * call is HANJI_E_ARGUMENT. A new key of the same cipher is not noticed: what is sealed then opens
 * nowhere. Bind again after re-keying.
 */
HANJI_API HANJI_MUST_CHECK int hanji_eax_init(size_t tag_bytes, hanji_block_ctx *block,
                                              hanji_eax_ctx *ctx);
/** Seal; `out` takes plaintext_bytes + tag_bytes bytes, ciphertext first, then the tag. */
HANJI_API HANJI_MUST_CHECK int hanji_eax_encrypt(uint8_t *out, const uint8_t *plaintext,
                                                 size_t plaintext_bytes, const uint8_t *ad,
                                                 size_t ad_bytes, const uint8_t *nonce,
                                                 size_t nonce_bytes, hanji_eax_ctx *ctx);
/**
 * Open; `out` takes in_bytes - tag_bytes bytes and is zeroed on HANJI_E_TAG.
 *
 * A refused message counts as many cipher calls as an accepted one. Without room for the whole
 * message, the call returns HANJI_E_LIMIT before it computes or counts anything.
 */
HANJI_API HANJI_MUST_CHECK int hanji_eax_decrypt(uint8_t *out, const uint8_t *in, size_t in_bytes,
                                                 const uint8_t *ad, size_t ad_bytes,
                                                 const uint8_t *nonce, size_t nonce_bytes,
                                                 hanji_eax_ctx *ctx);
/** Seal with the tag (tag_bytes bytes) apart. */
HANJI_API HANJI_MUST_CHECK int hanji_eax_encrypt_detached(uint8_t *ciphertext, uint8_t *tag,
                                                          const uint8_t *plaintext,
                                                          size_t plaintext_bytes, const uint8_t *ad,
                                                          size_t ad_bytes, const uint8_t *nonce,
                                                          size_t nonce_bytes, hanji_eax_ctx *ctx);
/**
 * Open with the tag apart; a tag whose length is not the one agreed in hanji_eax_init is
 * HANJI_E_LENGTH.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_eax_decrypt_detached(uint8_t *plaintext, const uint8_t *ciphertext, size_t ciphertext_bytes,
                           const uint8_t *tag, size_t tag_bytes, const uint8_t *ad, size_t ad_bytes,
                           const uint8_t *nonce, size_t nonce_bytes, hanji_eax_ctx *ctx);
/** Begin a message sealed in pieces. */
HANJI_API HANJI_MUST_CHECK int hanji_eax_begin(const uint8_t *nonce, size_t nonce_bytes,
                                               hanji_eax_ctx *ctx);
/** The next piece of associated data; all of it comes before the first byte of plaintext. */
HANJI_API HANJI_MUST_CHECK int hanji_eax_update_ad(const uint8_t *ad, size_t ad_bytes,
                                                   hanji_eax_ctx *ctx);
/** Seal the next piece of plaintext. */
HANJI_API HANJI_MUST_CHECK int hanji_eax_update(uint8_t *ciphertext, const uint8_t *plaintext,
                                                size_t plaintext_bytes, hanji_eax_ctx *ctx);
/**
 * Finish the message and give its tag; the context is then ready for the next message under the
 * same key.
 */
HANJI_API HANJI_MUST_CHECK int hanji_eax_final(uint8_t *tag, hanji_eax_ctx *ctx);
/** Erase the context (not the key). */
HANJI_API void hanji_eax_wipe(hanji_eax_ctx *ctx);

#ifdef __cplusplus
}
#endif
#endif
