/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file sign.h
 * @brief Signatures: AIMer, six parameter sets of v3 for use; six of v2.1 and twelve of v1.0 that
 * are BROKEN.
 *
 * Source: Kim et al., AIMer, version 3.0 (August 2026, one-way function AIM3), of the Korean
 * post-quantum competition. Status of v3: no known attack, but young; both generations before it
 * are broken. Its relations x y = x^(2^e) + 1 have no solution with x = 0, so every solution is a
 * key.
 *
 * v2.1 and v1.0 (submission to NIST's call for additional signatures): ALL 18 SETS ARE BROKEN.
 * Anybody who has a public key can sign any message for it, with any of these sets, in less than a
 * second: the relations that a signature proves have solutions that are no keys
 * (docs/signatures.md; for v2.1, ePrint 2026/2235). No verifier can tell, and HANJI_OK of a
 * verification proves nothing. These sets are here for study and comparison;
 * hanji_aimer_is_broken() names them. Other attacks recover keys of v2.1 in fewer steps than
 * claimed (EUROCRYPT 2026, "Magic Pot"; ePrint 2025/2272), and cost the one-way function of v1.0 up
 * to 15 bits of security (ePrint 2023/1133, 2023/1397).
 *
 * Keys of v3 and v2.1 have the same sizes, and no byte tells them apart: keep their types apart,
 * and never use one secret key in both. A signature of one generation never verifies in the other.
 *
 * Nothing allocates memory. The caller gives scratch memory of hanji_aimer_scratch_bytes(), or of
 * hanji_aimer_scratch_bytes_small() on small devices: the same signatures, each hash computed two
 * or three times. With hanji_aimer_scratch_bytes_least() v3 computes its matrices again, too.
 * Scratch memory may have any alignment, and signing erases it. No branch and no address depends on
 * a secret key. A verifier reads every byte of a signature once.
 *
 * Scratch memory of v3 in bytes, an expanded key included, for signing and for verifying, on 32-bit
 * processors without vectors, as hanji_aimer_scratch_bytes_small() and
 * hanji_aimer_scratch_bytes_least() say: 128f 16,344 and 10,200; 192f 29,456 and 15,632; 256f
 * 65,544 and 24,640.
 *
 * Verification is strict: it refuses a signature of another length, and non-zero bytes in the path
 * entries of v1.0 that no party needs (the authors' program ignores these bytes). Every byte of a
 * signature of v3 or v2.1 is hashed. The first byte of a key of v1.0 must name the set.
 */
#ifndef HANJI_SIGN_H
#define HANJI_SIGN_H

#include "hanji/common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One parameter set; see hanji_aimer_by_name(). */
typedef struct hanji_aimer hanji_aimer;

/* Sizes of v3 in bytes, equal to the functions below. */
#define HANJI_AIMER3_128F_PUBLIC_KEY_BYTES 32
#define HANJI_AIMER3_128F_SECRET_KEY_BYTES 48
#define HANJI_AIMER3_128F_SIGNATURE_BYTES 6944
#define HANJI_AIMER3_128S_PUBLIC_KEY_BYTES 32
#define HANJI_AIMER3_128S_SECRET_KEY_BYTES 48
#define HANJI_AIMER3_128S_SIGNATURE_BYTES 4704
#define HANJI_AIMER3_192F_PUBLIC_KEY_BYTES 48
#define HANJI_AIMER3_192F_SECRET_KEY_BYTES 72
#define HANJI_AIMER3_192F_SIGNATURE_BYTES 15408
#define HANJI_AIMER3_192S_PUBLIC_KEY_BYTES 48
#define HANJI_AIMER3_192S_SECRET_KEY_BYTES 72
#define HANJI_AIMER3_192S_SIGNATURE_BYTES 10320
#define HANJI_AIMER3_256F_PUBLIC_KEY_BYTES 64
#define HANJI_AIMER3_256F_SECRET_KEY_BYTES 96
#define HANJI_AIMER3_256F_SIGNATURE_BYTES 31360
#define HANJI_AIMER3_256S_PUBLIC_KEY_BYTES 64
#define HANJI_AIMER3_256S_SECRET_KEY_BYTES 96
#define HANJI_AIMER3_256S_SIGNATURE_BYTES 20224

/*
 * ---- BROKEN sets ----
 * Sizes of v2.1 and v1.0 in bytes, equal to the functions below. Whoever knows a public key signs
 * for it: use them to study and to compare, never to protect anything.
 */
#define HANJI_AIMER2_128F_PUBLIC_KEY_BYTES 32
#define HANJI_AIMER2_128F_SECRET_KEY_BYTES 48
#define HANJI_AIMER2_128F_SIGNATURE_BYTES 5888
#define HANJI_AIMER2_128S_PUBLIC_KEY_BYTES 32
#define HANJI_AIMER2_128S_SECRET_KEY_BYTES 48
#define HANJI_AIMER2_128S_SIGNATURE_BYTES 4160
#define HANJI_AIMER2_192F_PUBLIC_KEY_BYTES 48
#define HANJI_AIMER2_192F_SECRET_KEY_BYTES 72
#define HANJI_AIMER2_192F_SIGNATURE_BYTES 13056
#define HANJI_AIMER2_192S_PUBLIC_KEY_BYTES 48
#define HANJI_AIMER2_192S_SECRET_KEY_BYTES 72
#define HANJI_AIMER2_192S_SIGNATURE_BYTES 9120
#define HANJI_AIMER2_256F_PUBLIC_KEY_BYTES 64
#define HANJI_AIMER2_256F_SECRET_KEY_BYTES 96
#define HANJI_AIMER2_256F_SIGNATURE_BYTES 25120
#define HANJI_AIMER2_256S_PUBLIC_KEY_BYTES 64
#define HANJI_AIMER2_256S_SECRET_KEY_BYTES 96
#define HANJI_AIMER2_256S_SIGNATURE_BYTES 17056
#define HANJI_AIMER1_L1_PARAM1_PUBLIC_KEY_BYTES 33
#define HANJI_AIMER1_L1_PARAM1_SECRET_KEY_BYTES 49
#define HANJI_AIMER1_L1_PARAM1_SIGNATURE_BYTES 5904
#define HANJI_AIMER1_L1_PARAM2_PUBLIC_KEY_BYTES 33
#define HANJI_AIMER1_L1_PARAM2_SECRET_KEY_BYTES 49
#define HANJI_AIMER1_L1_PARAM2_SIGNATURE_BYTES 4880
#define HANJI_AIMER1_L1_PARAM3_PUBLIC_KEY_BYTES 33
#define HANJI_AIMER1_L1_PARAM3_SECRET_KEY_BYTES 49
#define HANJI_AIMER1_L1_PARAM3_SIGNATURE_BYTES 4176
#define HANJI_AIMER1_L1_PARAM4_PUBLIC_KEY_BYTES 33
#define HANJI_AIMER1_L1_PARAM4_SECRET_KEY_BYTES 49
#define HANJI_AIMER1_L1_PARAM4_SIGNATURE_BYTES 3840
#define HANJI_AIMER1_L3_PARAM1_PUBLIC_KEY_BYTES 49
#define HANJI_AIMER1_L3_PARAM1_SECRET_KEY_BYTES 73
#define HANJI_AIMER1_L3_PARAM1_SIGNATURE_BYTES 13080
#define HANJI_AIMER1_L3_PARAM2_PUBLIC_KEY_BYTES 49
#define HANJI_AIMER1_L3_PARAM2_SECRET_KEY_BYTES 73
#define HANJI_AIMER1_L3_PARAM2_SIGNATURE_BYTES 10440
#define HANJI_AIMER1_L3_PARAM3_PUBLIC_KEY_BYTES 49
#define HANJI_AIMER1_L3_PARAM3_SECRET_KEY_BYTES 73
#define HANJI_AIMER1_L3_PARAM3_SIGNATURE_BYTES 9144
#define HANJI_AIMER1_L3_PARAM4_PUBLIC_KEY_BYTES 49
#define HANJI_AIMER1_L3_PARAM4_SECRET_KEY_BYTES 73
#define HANJI_AIMER1_L3_PARAM4_SIGNATURE_BYTES 8352
#define HANJI_AIMER1_L5_PARAM1_PUBLIC_KEY_BYTES 65
#define HANJI_AIMER1_L5_PARAM1_SECRET_KEY_BYTES 97
#define HANJI_AIMER1_L5_PARAM1_SIGNATURE_BYTES 25152
#define HANJI_AIMER1_L5_PARAM2_PUBLIC_KEY_BYTES 65
#define HANJI_AIMER1_L5_PARAM2_SECRET_KEY_BYTES 97
#define HANJI_AIMER1_L5_PARAM2_SIGNATURE_BYTES 19904
#define HANJI_AIMER1_L5_PARAM3_PUBLIC_KEY_BYTES 65
#define HANJI_AIMER1_L5_PARAM3_SECRET_KEY_BYTES 97
#define HANJI_AIMER1_L5_PARAM3_SIGNATURE_BYTES 17088
#define HANJI_AIMER1_L5_PARAM4_PUBLIC_KEY_BYTES 65
#define HANJI_AIMER1_L5_PARAM4_SECRET_KEY_BYTES 97
#define HANJI_AIMER1_L5_PARAM4_SIGNATURE_BYTES 15392
/* ---- end of the broken sets ---- */

/** The longest signature, secret key and public key of all sets. */
#define HANJI_AIMER_SIGNATURE_BYTES_MAX 31360
/** The longest secret key of all sets. */
#define HANJI_AIMER_SECRET_KEY_BYTES_MAX 97
/** The longest public key of all sets. */
#define HANJI_AIMER_PUBLIC_KEY_BYTES_MAX 65
/** Scratch memory that makes a key pair of any set; signing and verifying need more. */
#define HANJI_AIMER_KEYPAIR_SCRATCH_BYTES_MAX 57408

/**
 * A source of random bytes: fill `out` and return HANJI_OK, or any error code, which the caller of
 * the library then gets. Given as NULL it is hanji_random().
 */
typedef int hanji_random_fn(uint8_t *out, size_t bytes, void *state);

/** The longest context string. */
#define HANJI_AIMER_CONTEXT_BYTES_MAX 255
/**
 * Option of signing: verify the signature before it is given away, against faults of the machine
 * while it was made. If it is wrong, it is zeroed and the call returns HANJI_E_TAG. It costs a
 * verification. The verification takes the expanded key that signed: against faults in a stored
 * expanded key call hanji_aimer_verify() with the public key.
 */
#define HANJI_AIMER_CHECK 1u
/**
 * Option of signing: no random bytes, so that the same message has the same signature; `random` is
 * not asked. v1.0, which needs them, refuses it: HANJI_E_ARGUMENT.
 */
#define HANJI_AIMER_DETERMINISTIC 2u

/** How many parameter sets there are. */
HANJI_API size_t hanji_aimer_count(void);
/** One parameter set, v3 first, then v2.1; NULL past the end. */
HANJI_API const hanji_aimer *hanji_aimer_at(size_t index);
/**
 * A parameter set by its name, else NULL. "aimer3-128f" ... "aimer3-256s" are v3. "aimer2-128f" ...
 * "aimer2-256s" (v2.1) and "aimer1-l1-param1" ... "aimer1-l5-param4" (v1.0) are broken.
 */
HANJI_API const hanji_aimer *hanji_aimer_by_name(const char *name);
/**
 * 1 when signatures of this set prove nothing, because anybody can make them; also for NULL. Else
 * 0. Ask before you trust a signature whose set came with it.
 */
HANJI_API int hanji_aimer_is_broken(const hanji_aimer *set);
/** The name of a set. */
HANJI_API const char *hanji_aimer_name(const hanji_aimer *set);
/** Size of a public key. */
HANJI_API size_t hanji_aimer_public_key_bytes(const hanji_aimer *set);
/** Size of a secret key. */
HANJI_API size_t hanji_aimer_secret_key_bytes(const hanji_aimer *set);
/** Size of a signature. */
HANJI_API size_t hanji_aimer_signature_bytes(const hanji_aimer *set);
/** Scratch memory for every call of this set, at full speed. */
HANJI_API size_t hanji_aimer_scratch_bytes(const hanji_aimer *set);
/**
 * The least scratch memory for every call of this set. Sizes between bring nothing more.
 */
HANJI_API size_t hanji_aimer_scratch_bytes_small(const hanji_aimer *set);
/**
 * The least scratch memory for hanji_aimer_keypair(), hanji_aimer_sign(), hanji_aimer_verify() and
 * the combined forms. Below hanji_aimer_scratch_bytes_small() v3 makes its matrices again for every
 * repetition; the sets before have no such mode, and both sizes are equal.
 */
HANJI_API size_t hanji_aimer_scratch_bytes_least(const hanji_aimer *set);
/** Size of an expanded key. */
HANJI_API size_t hanji_aimer_key_bytes(const hanji_aimer *set);

/**
 * Make a key pair.
 * - `random`: asked twice for half of a public key: v1.0 for iv, key; the others for key, iv. v3
 *   asks again when an
 *        S-box input is zero, which honest random bytes never give; after 100 times it is
 *        HANJI_E_RANDOM.
 * HANJI_E_RANDOM, or what `random` returned, when there are no random bytes; the keys are then
 * zeroed.
 */
HANJI_API HANJI_MUST_CHECK int hanji_aimer_keypair(uint8_t *public_key, uint8_t *secret_key,
                                                   const hanji_aimer *set, hanji_random_fn *random,
                                                   void *random_state, void *scratch,
                                                   size_t scratch_bytes);

/**
 * Sign a message; the signature is detached.
 * - `context`: 0 to 255 bytes that say what the message is for; the verifier must give the same
 *   ones.
 *        HANJI_E_LENGTH when it is longer. Sets before v3 have none: HANJI_E_ARGUMENT unless it is
 *        empty.
 * - `options`: 0, or HANJI_AIMER_CHECK, HANJI_AIMER_DETERMINISTIC or both; HANJI_E_ARGUMENT for
 *   others
 * - `random`: v3, v2.1: asked once for half of a public key, and may even repeat them. v1.0: asked
 *   for the salt and then for every root seed; the same bytes for two
 *        messages give away the key.
 * HANJI_E_LENGTH when a size does not fit the set or scratch is too small, HANJI_E_ARGUMENT when
 * the key is not of this set; on any error the signature is zeroed, with one exception:
 * HANJI_E_ARGUMENT for overlapping buffers writes nothing. No call of this file takes overlapping
 * buffers where it writes one of them, scratch memory included.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_aimer_sign(uint8_t *signature, const uint8_t *message, size_t message_bytes,
                 const uint8_t *context, size_t context_bytes, const uint8_t *secret_key,
                 size_t secret_key_bytes, const hanji_aimer *set, unsigned options,
                 hanji_random_fn *random, void *random_state, void *scratch, size_t scratch_bytes);
/**
 * Verify a detached signature: HANJI_OK, HANJI_E_TAG when it is wrong, HANJI_E_LENGTH when it or
 * the key has another size.
 */
HANJI_API HANJI_MUST_CHECK int hanji_aimer_verify(const uint8_t *signature, size_t signature_bytes,
                                                  const uint8_t *message, size_t message_bytes,
                                                  const uint8_t *context, size_t context_bytes,
                                                  const uint8_t *public_key,
                                                  size_t public_key_bytes, const hanji_aimer *set,
                                                  void *scratch, size_t scratch_bytes);
/**
 * Sign a message in the combined form, message || signature: `signed_message` has message_bytes +
 * hanji_aimer_signature_bytes() bytes and may begin with the message itself.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_aimer_sign_combined(uint8_t *signed_message, const uint8_t *message, size_t message_bytes,
                          const uint8_t *context, size_t context_bytes, const uint8_t *secret_key,
                          size_t secret_key_bytes, const hanji_aimer *set, unsigned options,
                          hanji_random_fn *random, void *random_state, void *scratch,
                          size_t scratch_bytes);
/**
 * Verify the combined form. On success the message is the first *message_bytes bytes of
 * `signed_message`; on failure *message_bytes is 0.
 * HANJI_E_LENGTH when it is shorter than a signature.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_aimer_open_combined(size_t *message_bytes, const uint8_t *signed_message, size_t signed_bytes,
                          const uint8_t *context, size_t context_bytes, const uint8_t *public_key,
                          size_t public_key_bytes, const hanji_aimer *set, void *scratch,
                          size_t scratch_bytes);

/**
 * An expanded key in memory of the caller, hanji_aimer_key_bytes() bytes of any alignment; do not
 * move it. Made once, it signs or verifies many times, in many threads. Calls refuse one that could
 * not be made, or that was erased: HANJI_E_ARGUMENT.
 */
typedef struct hanji_aimer_key hanji_aimer_key;
/**
 * Expand a secret key, for signing and verifying. v3 refuses a key with an S-box input that is
 * zero, HANJI_E_ARGUMENT, and one whose public half does not belong to it, HANJI_E_TAG; so do its
 * other calls with a secret key. With a wrong public half the signatures of v2.1 and v1.0 are
 * wrong; hanji_aimer_key_check() tells.
 */
HANJI_API HANJI_MUST_CHECK int hanji_aimer_key_secret(hanji_aimer_key *key, size_t key_bytes,
                                                      const uint8_t *secret_key,
                                                      size_t secret_key_bytes,
                                                      const hanji_aimer *set, void *scratch,
                                                      size_t scratch_bytes);
/** Expand a public key, for verifying. */
HANJI_API HANJI_MUST_CHECK int hanji_aimer_key_public(hanji_aimer_key *key, size_t key_bytes,
                                                      const uint8_t *public_key,
                                                      size_t public_key_bytes,
                                                      const hanji_aimer *set, void *scratch,
                                                      size_t scratch_bytes);
/**
 * HANJI_OK when the public half of a secret key belongs to it, else HANJI_E_TAG; HANJI_E_ARGUMENT
 * when it is no key of the set.
 */
HANJI_API HANJI_MUST_CHECK int hanji_aimer_key_check(const uint8_t *secret_key,
                                                     size_t secret_key_bytes,
                                                     const hanji_aimer *set, void *scratch,
                                                     size_t scratch_bytes);
/**
 * Sign with an expanded secret key; else like hanji_aimer_sign(). HANJI_E_ARGUMENT when the key is
 * a public one.
 */
HANJI_API HANJI_MUST_CHECK int hanji_aimer_key_sign(uint8_t *signature, const uint8_t *message,
                                                    size_t message_bytes, const uint8_t *context,
                                                    size_t context_bytes,
                                                    const hanji_aimer_key *key, unsigned options,
                                                    hanji_random_fn *random, void *random_state,
                                                    void *scratch, size_t scratch_bytes);
/** Verify with an expanded key; else like hanji_aimer_verify(). */
HANJI_API HANJI_MUST_CHECK int
hanji_aimer_key_verify(const uint8_t *signature, size_t signature_bytes, const uint8_t *message,
                       size_t message_bytes, const uint8_t *context, size_t context_bytes,
                       const hanji_aimer_key *key, void *scratch, size_t scratch_bytes);
/** Erase an expanded key. */
HANJI_API void hanji_aimer_key_wipe(hanji_aimer_key *key, size_t key_bytes);

/** One message of a batch. */
typedef struct hanji_aimer_item {
    uint8_t *signature;     /**< written when signing, read when verifying; the size of the set */
    const uint8_t *message; /**< the message */
    size_t message_bytes;   /**< its size */
    const uint8_t *context; /**< its context string */
    size_t context_bytes;   /**< its size */
    int status;             /**< written: what the call for this message alone would return */
} hanji_aimer_item;
/**
 * Scratch memory with which a batch is signed fastest; it serves every other call of this set, too.
 */
HANJI_API size_t hanji_aimer_scratch_bytes_batch(const hanji_aimer *set);
/**
 * Sign many messages with one key. HANJI_OK when all are signed, else the first error; every item
 * has its status. With hanji_aimer_scratch_bytes_batch() bytes the last hash of a message is
 * computed beside the first ones of the next; with less, one message after the other. When a
 * signature overlaps another one or any message, nothing is signed and every status is
 * HANJI_E_ARGUMENT.
 */
HANJI_API HANJI_MUST_CHECK int hanji_aimer_key_sign_batch(hanji_aimer_item *items, size_t count,
                                                          const hanji_aimer_key *key,
                                                          unsigned options, hanji_random_fn *random,
                                                          void *random_state, void *scratch,
                                                          size_t scratch_bytes);
/**
 * Verify many signatures of one key. HANJI_OK when all are right, else the first error; every item
 * has its status.
 */
HANJI_API HANJI_MUST_CHECK int hanji_aimer_key_verify_batch(hanji_aimer_item *items, size_t count,
                                                            const hanji_aimer_key *key,
                                                            void *scratch, size_t scratch_bytes);

/**
 * A message that comes in pieces, to be signed or verified: it is hashed as it comes. A plain copy
 * is a valid fork.
 */
typedef struct hanji_aimer_message {
    uint64_t state[25];     /**< not for users */
    uint64_t public_key[8]; /**< not for users */
    uint8_t pending[168];   /**< not for users */
    uint32_t held;          /**< not for users */
    uint32_t phase;         /**< not for users */
    const hanji_aimer *set; /**< not for users */
} hanji_aimer_message;
/**
 * Begin a message with its context string for this key. Another key neither signs nor verifies it:
 * HANJI_E_ARGUMENT.
 */
HANJI_API HANJI_MUST_CHECK int hanji_aimer_message_init(hanji_aimer_message *ctx,
                                                        const uint8_t *context,
                                                        size_t context_bytes,
                                                        const hanji_aimer_key *key);
/** The next piece of the message. */
HANJI_API HANJI_MUST_CHECK int
hanji_aimer_message_update(const uint8_t *message, size_t message_bytes, hanji_aimer_message *ctx);
/** Sign what came; the context is then used up. */
HANJI_API HANJI_MUST_CHECK int
hanji_aimer_message_sign(uint8_t *signature, hanji_aimer_message *ctx, const hanji_aimer_key *key,
                         unsigned options, hanji_random_fn *random, void *random_state,
                         void *scratch, size_t scratch_bytes);
/** Verify the signature of what came; the context is then used up. */
HANJI_API HANJI_MUST_CHECK int hanji_aimer_message_verify(const uint8_t *signature,
                                                          size_t signature_bytes,
                                                          hanji_aimer_message *ctx,
                                                          const hanji_aimer_key *key, void *scratch,
                                                          size_t scratch_bytes);
/** Size of hanji_aimer_message in the running library. */
HANJI_API size_t hanji_aimer_message_bytes(void);

#ifdef __cplusplus
}
#endif
#endif
