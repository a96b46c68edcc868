/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file rainbow.h
 * @brief Rainbow signatures, round 3: levels I, III and V, each classic, circumzenithal and
 * compressed. BROKEN: for study and old data only.
 *
 * Source: Ding, Chen, Kannwischer, Patarin, Petzoldt, Schmidt, Yang: Rainbow, NIST post-quantum
 * submission, round 3 (2020).
 *
 * Status: BROKEN. Beullens, "Breaking Rainbow Takes a Weekend on a Laptop" (CRYPTO 2022, ePrint
 * 2022/214), recovers keys from public keys; all levels miss their claims, and NIST did not select
 * the scheme. Never protect anything with it.
 *
 * The functions are in a library of their own, libhanji-rainbow, which links libhanji and OpenSSL's
 * libcrypto (AES-256 and SHA-2). hanji.h does not include this header. HANJI_FORCE and
 * hanji_force() of libhanji choose the kernels.
 *
 * Time and addresses of signing and key generation depend on no secret, except the number of draws
 * until a linear system is regular. Verification works on public data and takes time that depends
 * on the data. Nothing allocates memory, except libcrypto for its contexts. The caller gives big
 * working memory, with any alignment; a function wipes it before it returns.
 */
#ifndef HANJI_RAINBOW_H
#define HANJI_RAINBOW_H

#include "hanji/common.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HANJI_RAINBOW_I_CLASSIC 0    /**< Place of level I, classic, in the list of sets. */
#define HANJI_RAINBOW_I_CZ 1         /**< Place of level I, circumzenithal, in the list of sets. */
#define HANJI_RAINBOW_I_COMPRESSED 2 /**< Place of level I, compressed, in the list of sets. */
#define HANJI_RAINBOW_III_CLASSIC 3  /**< Place of level III, classic, in the list of sets. */
#define HANJI_RAINBOW_III_CZ 4 /**< Place of level III, circumzenithal, in the list of sets. */
#define HANJI_RAINBOW_III_COMPRESSED 5 /**< Place of level III, compressed, in the list of sets. */
#define HANJI_RAINBOW_V_CLASSIC 6      /**< Place of level V, classic, in the list of sets. */
#define HANJI_RAINBOW_V_CZ 7         /**< Place of level V, circumzenithal, in the list of sets. */
#define HANJI_RAINBOW_V_COMPRESSED 8 /**< Place of level V, compressed, in the list of sets. */

/**
 * Bytes of the two seeds of a key pair together: of the secret key, then of the public key (which
 * the classic variant does not use).
 */
#define HANJI_RAINBOW_SEEDS_BYTES 64
/** Bytes of the longest message digest. */
#define HANJI_RAINBOW_DIGEST_BYTES_MAX 64
/** Bytes of the longest signature. */
#define HANJI_RAINBOW_SIGNATURE_BYTES_MAX 212

/** One parameter set; sizes in bytes. */
typedef struct hanji_rainbow_set {
    const char *name;                        /**< for example "rainbow-i-classic" */
    const char *standard;                    /**< where it is specified */
    const char *status;                      /**< one line: known attacks and intended use */
    const struct hanji_rainbow_level *level; /**< not for users */
    uint32_t variant;                        /**< 0 classic, 1 circumzenithal, 2 compressed */
    uint32_t public_key_bytes;               /**< public key */
    uint32_t secret_key_bytes;               /**< secret key */
    uint32_t signature_bytes;                /**< signature */
    /** digest of a message: SHA-256, SHA-384 or SHA-512 */
    uint32_t digest_bytes;
    /** 1: it protects nothing any more, as `status` says; for study and comparison only */
    uint32_t broken;
} hanji_rainbow_set;

/** How many sets there are: 9. */
HANJI_API size_t hanji_rainbow_set_count(void);
/** One set, or NULL past the end. */
HANJI_API const hanji_rainbow_set *hanji_rainbow_set_at(size_t index);

/**
 * Scratch bytes of hanji_rainbow_keypair() and its deterministic form. This and the next functions
 * give 0 for a set NULL.
 */
HANJI_API size_t hanji_rainbow_keypair_scratch_bytes(const hanji_rainbow_set *set);
/** Scratch bytes of signing, and of hanji_rainbow_signing_key_init(). */
HANJI_API size_t hanji_rainbow_sign_scratch_bytes(const hanji_rainbow_set *set);
/** Scratch bytes of verifying, and of hanji_rainbow_verifying_key_init(). */
HANJI_API size_t hanji_rainbow_verify_scratch_bytes(const hanji_rainbow_set *set);
/**
 * Bytes of the area for an expanded secret key; 0 when the secret key of the set is expanded
 * already.
 */
HANJI_API size_t hanji_rainbow_signing_area_bytes(const hanji_rainbow_set *set);
/** Bytes of the area for an expanded public key; 0 for the classic variant. */
HANJI_API size_t hanji_rainbow_verifying_area_bytes(const hanji_rainbow_set *set);

/**
 * Generate a key pair from random bytes of the operating system.
 * - `public_key`: set->public_key_bytes bytes
 * - `secret_key`: set->secret_key_bytes bytes
 * - `scratch`, `scratch_bytes`: at least hanji_rainbow_keypair_scratch_bytes(set), else
 *   HANJI_E_LENGTH
 *
 * Returns HANJI_OK; HANJI_E_RANDOM; HANJI_E_DEVICE when libcrypto fails; HANJI_E_UNSUPPORTED when
 * HANJI_FORCE is wrong. On failure both keys are zeroed.
 */
HANJI_API HANJI_MUST_CHECK int hanji_rainbow_keypair(uint8_t *public_key, uint8_t *secret_key,
                                                     uint8_t *scratch, size_t scratch_bytes,
                                                     const hanji_rainbow_set *set);
/**
 * The same from given seeds: 32 bytes for the secret key, then 32 for the public key. For known
 * answers and for keys derived elsewhere.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_rainbow_keypair_from_seeds(uint8_t *public_key, uint8_t *secret_key,
                                 const uint8_t seeds[HANJI_RAINBOW_SEEDS_BYTES], uint8_t *scratch,
                                 size_t scratch_bytes, const hanji_rainbow_set *set);

/** A secret key ready to sign. It points to the key or the area, which must outlive it. */
typedef struct hanji_rainbow_signing_key {
    const hanji_rainbow_set *set; /**< not for users */
    const uint8_t *key;           /**< not for users */
    uint32_t expanded;            /**< not for users */
} hanji_rainbow_signing_key;

/** A public key ready to verify. It points to the key or the area, which must outlive it. */
typedef struct hanji_rainbow_verifying_key {
    const hanji_rainbow_set *set; /**< not for users */
    const uint8_t *key;           /**< not for users */
    uint32_t expanded;            /**< not for users */
} hanji_rainbow_verifying_key;

/**
 * Prepare to sign.
 * - `area`: NULL, and a compressed key is expanded again in every signature; or
 *   hanji_rainbow_signing_area_bytes(set) bytes, where it is expanded once.
 *             The caller wipes the area in the end (hanji_wipe).
 *
 * Returns HANJI_OK; HANJI_E_LENGTH when a length does not fit the set; HANJI_E_ARGUMENT;
 * HANJI_E_DEVICE; HANJI_E_UNSUPPORTED. On failure the context is zeroed. Calls with a context that
 * is zeroed, or never was given a key, are HANJI_E_ARGUMENT. It remembers its set; a context that
 * is given a key of another set signs for that one from then on.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_rainbow_signing_key_init(uint8_t *area, size_t area_bytes, const uint8_t *secret_key,
                               size_t secret_key_bytes, uint8_t *scratch, size_t scratch_bytes,
                               const hanji_rainbow_set *set, hanji_rainbow_signing_key *ctx);
/** Prepare to verify; `area` as above, for circumzenithal and compressed keys. */
HANJI_API HANJI_MUST_CHECK int
hanji_rainbow_verifying_key_init(uint8_t *area, size_t area_bytes, const uint8_t *public_key,
                                 size_t public_key_bytes, uint8_t *scratch, size_t scratch_bytes,
                                 const hanji_rainbow_set *set, hanji_rainbow_verifying_key *ctx);

/**
 * Sign a message. Signing draws no random bytes: equal messages have equal signatures.
 * - `signature`: set->signature_bytes bytes; zeroed on failure
 *
 * Returns HANJI_OK; HANJI_E_RANDOM when 127 draws gave no regular system (chance below 2^-480);
 * HANJI_E_LENGTH, HANJI_E_DEVICE, HANJI_E_UNSUPPORTED
 */
HANJI_API HANJI_MUST_CHECK int hanji_rainbow_sign(uint8_t *signature, const uint8_t *message,
                                                  size_t message_bytes, uint8_t *scratch,
                                                  size_t scratch_bytes,
                                                  const hanji_rainbow_signing_key *ctx);
/**
 * The same for a message hashed elsewhere: `digest` has set->digest_bytes bytes of the
 * set's SHA-2.
 */
HANJI_API HANJI_MUST_CHECK int hanji_rainbow_sign_digest(uint8_t *signature, const uint8_t *digest,
                                                         uint8_t *scratch, size_t scratch_bytes,
                                                         const hanji_rainbow_signing_key *ctx);

/**
 * Verify a signature. Public data: the time depends on it.
 * @return HANJI_OK; HANJI_E_TAG when the signature is wrong; HANJI_E_LENGTH when its length is not
 * that of the set
 */
HANJI_API HANJI_MUST_CHECK int hanji_rainbow_verify(const uint8_t *signature,
                                                    size_t signature_bytes, const uint8_t *message,
                                                    size_t message_bytes, uint8_t *scratch,
                                                    size_t scratch_bytes,
                                                    const hanji_rainbow_verifying_key *ctx);
/** The same for a message hashed elsewhere. */
HANJI_API HANJI_MUST_CHECK int hanji_rainbow_verify_digest(const uint8_t *signature,
                                                           size_t signature_bytes,
                                                           const uint8_t *digest, uint8_t *scratch,
                                                           size_t scratch_bytes,
                                                           const hanji_rainbow_verifying_key *ctx);
/**
 * Verify `count` signatures of one key.
 * - `status`: one code per message: HANJI_OK or HANJI_E_TAG
 * - `signatures`: count * set->signature_bytes bytes
 * - `messages`: message i is the bytes from offsets[i] up to offsets[i + 1]; count + 1 offsets that
 *   never fall, else HANJI_E_LENGTH
 *
 * Returns HANJI_OK when all are right, HANJI_E_TAG when one is wrong
 */
HANJI_API HANJI_MUST_CHECK int hanji_rainbow_verify_batch(int8_t *status, const uint8_t *signatures,
                                                          const uint8_t *messages,
                                                          const uint64_t *offsets, size_t count,
                                                          uint8_t *scratch, size_t scratch_bytes,
                                                          const hanji_rainbow_verifying_key *ctx);

/** How many kernels the library has. */
HANJI_API size_t hanji_rainbow_kernel_count(void);
/** Describe kernel `index`; HANJI_E_ARGUMENT past the end. */
HANJI_API HANJI_MUST_CHECK int hanji_rainbow_kernel_at(hanji_kernel_info *info, size_t index);

#ifdef __cplusplus
}
#endif
#endif
