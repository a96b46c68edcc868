/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file slhdsa.h
 * @brief SLH-DSA with SHAKE: stateless hash-based signatures, the six SHAKE parameter sets.
 *
 * Source: NIST FIPS 205, "Stateless Hash-Based Digital Signature Standard" (August 2024). Status:
 * recommended; a NIST standard without a known attack, whose security rests on SHAKE256 alone.
 *
 * Sets that end in `s` have smaller signatures and verify faster; sets that end in `f` sign about
 * twenty times as fast. Key pairs may be copied and restored, because signing keeps no state. One
 * key pair may make 2^64 signatures.
 *
 * Every call that signs, verifies or makes keys computes in as many lanes of Keccak as the selected
 * kernels have, within one signature and across the signatures of a batch. Nothing allocates
 * memory, and no call needs working memory from the caller: on hosts every call uses at most 40 KiB
 * of stack. No branch and no address depends on a secret. Working memory is erased before a call
 * returns.
 *
 * Faults: a single bit that flips while a signature is made can give a signature that verifies and
 * lets others forge (Castelnovi, Martinelli, Prest, PQCrypto 2018). HANJI_SLHDSA_CHECK therefore
 * computes every signature twice and compares; verification alone does not detect such a fault.
 * Every signature is also verified once before it is released.
 */
#ifndef HANJI_SLHDSA_H
#define HANJI_SLHDSA_H

#include "hanji/common.h"
#include "hanji/sign.h" /* hanji_random_fn */

#ifdef __cplusplus
extern "C" {
#endif

/** An error code: a message changed between the two readings that signing needs. */
#define HANJI_E_CHANGED (-8)

/** One parameter set; see hanji_slhdsa_by_name(). */
typedef struct hanji_slhdsa hanji_slhdsa;

/* Sizes in bytes, equal to the functions below. */
#define HANJI_SLHDSA_SHAKE_128S_PUBLIC_KEY_BYTES 32
#define HANJI_SLHDSA_SHAKE_128S_SECRET_KEY_BYTES 64
#define HANJI_SLHDSA_SHAKE_128S_SIGNATURE_BYTES 7856
#define HANJI_SLHDSA_SHAKE_128F_PUBLIC_KEY_BYTES 32
#define HANJI_SLHDSA_SHAKE_128F_SECRET_KEY_BYTES 64
#define HANJI_SLHDSA_SHAKE_128F_SIGNATURE_BYTES 17088
#define HANJI_SLHDSA_SHAKE_192S_PUBLIC_KEY_BYTES 48
#define HANJI_SLHDSA_SHAKE_192S_SECRET_KEY_BYTES 96
#define HANJI_SLHDSA_SHAKE_192S_SIGNATURE_BYTES 16224
#define HANJI_SLHDSA_SHAKE_192F_PUBLIC_KEY_BYTES 48
#define HANJI_SLHDSA_SHAKE_192F_SECRET_KEY_BYTES 96
#define HANJI_SLHDSA_SHAKE_192F_SIGNATURE_BYTES 35664
#define HANJI_SLHDSA_SHAKE_256S_PUBLIC_KEY_BYTES 64
#define HANJI_SLHDSA_SHAKE_256S_SECRET_KEY_BYTES 128
#define HANJI_SLHDSA_SHAKE_256S_SIGNATURE_BYTES 29792
#define HANJI_SLHDSA_SHAKE_256F_PUBLIC_KEY_BYTES 64
#define HANJI_SLHDSA_SHAKE_256F_SECRET_KEY_BYTES 128
#define HANJI_SLHDSA_SHAKE_256F_SIGNATURE_BYTES 49856

/** The longest signature of all sets. */
#define HANJI_SLHDSA_SIGNATURE_BYTES_MAX 49856
/** The longest secret key of all sets. */
#define HANJI_SLHDSA_SECRET_KEY_BYTES_MAX 128
/** The longest public key of all sets. */
#define HANJI_SLHDSA_PUBLIC_KEY_BYTES_MAX 64
/** The longest seeds of a key pair of all sets: SK.seed, SK.prf and PK.seed together. */
#define HANJI_SLHDSA_SEEDS_BYTES_MAX 96
/** The longest context string. */
#define HANJI_SLHDSA_CONTEXT_BYTES_MAX 255

/**
 * Mode: the message itself is signed ("pure", FIPS 205, section 10.2.1). X.509 and CMS use this
 * mode with an empty context.
 */
#define HANJI_SLHDSA_PURE 0
/**
 * Mode: 32 bytes of SHAKE128 of the message are signed (HashSLH-DSA, section 10.2.2). Only sets
 * with 128 in their names offer it, because its collisions cost 2^128 steps.
 */
#define HANJI_SLHDSA_SHAKE128 11
/** Mode: 64 bytes of SHAKE256 of the message are signed (HashSLH-DSA). Every set offers it. */
#define HANJI_SLHDSA_SHAKE256 12

/**
 * Option of signing: compute the signature twice with the same random bytes, and release nothing
 * when the two differ: HANJI_E_TAG. It doubles the time, needs no more memory, and detects faults
 * that verification cannot: use it for keys that live long.
 */
#define HANJI_SLHDSA_CHECK 1u
/**
 * Option of signing: no random bytes, so that the same message has the same signature; `random` is
 * not asked. The standard then takes PK.seed in place of random bytes.
 */
#define HANJI_SLHDSA_DETERMINISTIC 2u

/** How many parameter sets there are: 6. */
HANJI_API size_t hanji_slhdsa_count(void);
/** One parameter set, or NULL past the end. */
HANJI_API const hanji_slhdsa *hanji_slhdsa_at(size_t index);
/** A parameter set by its name, "slh-dsa-shake-128s" to "slh-dsa-shake-256f"; else NULL. */
HANJI_API const hanji_slhdsa *hanji_slhdsa_by_name(const char *name);
/** The name of a set; this and the sizes below are NULL and 0 for a set NULL. */
HANJI_API const char *hanji_slhdsa_name(const hanji_slhdsa *set);
/** Size of a public key: PK.seed || PK.root. */
HANJI_API size_t hanji_slhdsa_public_key_bytes(const hanji_slhdsa *set);
/**
 * Size of a secret key: SK.seed || SK.prf || PK.seed || PK.root. Its second half is the public key.
 */
HANJI_API size_t hanji_slhdsa_secret_key_bytes(const hanji_slhdsa *set);
/** Size of a signature. */
HANJI_API size_t hanji_slhdsa_signature_bytes(const hanji_slhdsa *set);
/** Size of the seeds of a key pair together: SK.seed || SK.prf || PK.seed. */
HANJI_API size_t hanji_slhdsa_seeds_bytes(const hanji_slhdsa *set);
/**
 * The mode for the name of a hash function, NULL for pure mode: HANJI_SLHDSA_PURE, "SHAKE128" and
 * "SHAKE256". HANJI_E_ARGUMENT, which is negative, for any other name, and for a hash function that
 * this set does not offer; FIPS 205 names ten more, which hanji does not have.
 */
HANJI_API HANJI_MUST_CHECK int hanji_slhdsa_mode(const char *pre_hash, const hanji_slhdsa *set);

/**
 * Make a key pair.
 * - `random`: asked once for hanji_slhdsa_seeds_bytes(); NULL is hanji_random().
 *
 * HANJI_E_RANDOM, or what `random` returned, when there are no random bytes; both keys are then
 * zeroed.
 */
HANJI_API HANJI_MUST_CHECK int hanji_slhdsa_keypair(uint8_t *public_key, uint8_t *secret_key,
                                                    const hanji_slhdsa *set,
                                                    hanji_random_fn *random, void *random_state);
/**
 * The key pair of given seeds, SK.seed || SK.prf || PK.seed: for known answers, and for seeds that
 * are kept instead of keys. HANJI_E_LENGTH for another size than hanji_slhdsa_seeds_bytes(); both
 * keys are then zeroed.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_slhdsa_keypair_from_seeds(uint8_t *public_key, uint8_t *secret_key, const uint8_t *seeds,
                                size_t seeds_bytes, const hanji_slhdsa *set);
/**
 * Whether the public half of a secret key belongs to it: HANJI_OK, else HANJI_E_TAG;
 * HANJI_E_LENGTH for another size. It costs as much as a key pair.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_slhdsa_key_check(const uint8_t *secret_key, size_t secret_key_bytes, const hanji_slhdsa *set);

/**
 * Sign a message; the signature is detached.
 * - `context`: 0 to 255 bytes that say what the message is for; the verifier must give the same
 *   ones. HANJI_E_LENGTH when it is longer.
 * - `mode`: HANJI_SLHDSA_PURE, HANJI_SLHDSA_SHAKE128 or HANJI_SLHDSA_SHAKE256. A signature of one
 *   mode never verifies in another. HANJI_E_ARGUMENT for a mode that the set does not offer.
 * - `options`: 0, HANJI_SLHDSA_CHECK, HANJI_SLHDSA_DETERMINISTIC or both; HANJI_E_ARGUMENT for
 *   others.
 * - `random`: asked once for a quarter of the secret key's size; NULL is hanji_random(). Its bytes
 *   only add to the protection against faults and side channels: a repetition gives nothing away.
 *
 * Pure mode reads the message twice, and the other modes read it once. HANJI_E_CHANGED when the two
 * readings differ, because somebody writes to the memory meanwhile. HANJI_E_TAG when the signature
 * does not verify, or when HANJI_SLHDSA_CHECK finds a difference: the machine computed wrong, or
 * the public half of the secret key does not belong to it. HANJI_E_LENGTH when a size does not fit
 * the set. On any error the signature is zeroed, with one exception: HANJI_E_ARGUMENT for
 * overlapping buffers writes nothing.
 */
HANJI_API HANJI_MUST_CHECK int hanji_slhdsa_sign(uint8_t *signature, const uint8_t *message,
                                                 size_t message_bytes, const uint8_t *context,
                                                 size_t context_bytes, int mode,
                                                 const uint8_t *secret_key, size_t secret_key_bytes,
                                                 const hanji_slhdsa *set, unsigned options,
                                                 hanji_random_fn *random, void *random_state);
/**
 * Verify a detached signature: HANJI_OK; HANJI_E_TAG when it is wrong; HANJI_E_LENGTH when the
 * signature, the key or the context has a size that the set does not allow; HANJI_E_ARGUMENT for a
 * mode that the set does not offer. Every byte of message, signature and key is read once.
 *
 * These are the usual codes of the library, where one bit may separate right from wrong. A boot
 * loader that must withstand faults takes hanji_slhdsa_stream_init(), whose verdict is a constant of
 * 32 bits.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_slhdsa_verify(const uint8_t *signature, size_t signature_bytes, const uint8_t *message,
                    size_t message_bytes, const uint8_t *context, size_t context_bytes, int mode,
                    const uint8_t *public_key, size_t public_key_bytes, const hanji_slhdsa *set);

/** One signature of a batch. */
typedef struct hanji_slhdsa_item {
    const uint8_t *signature;  /**< the signature */
    size_t signature_bytes;    /**< its size */
    const uint8_t *message;    /**< the message */
    size_t message_bytes;      /**< its size */
    const uint8_t *context;    /**< its context string */
    size_t context_bytes;      /**< its size */
    const uint8_t *public_key; /**< the key that signed; items may have different ones */
    size_t public_key_bytes;   /**< its size */
    int status; /**< written: what hanji_slhdsa_verify() would return for this item alone */
} hanji_slhdsa_item;
/**
 * Verify many signatures, of one key or of many, in one mode: as many side by side as Keccak has
 * lanes. HANJI_OK when all are right, else the first error; every item has its status.
 */
HANJI_API HANJI_MUST_CHECK int hanji_slhdsa_verify_batch(hanji_slhdsa_item *items, size_t count,
                                                         int mode, const hanji_slhdsa *set);

/**
 * A message that comes in pieces, to be signed or verified; HANJI_SLHDSA_MESSAGE_WORDS words, which
 * hold secrets while signing. A plain copy is a valid fork.
 */
#define HANJI_SLHDSA_MESSAGE_WORDS 256
/** A message in pieces; see HANJI_SLHDSA_MESSAGE_WORDS. */
typedef struct hanji_slhdsa_message {
    uint64_t words[HANJI_SLHDSA_MESSAGE_WORDS]; /**< not for users */
} hanji_slhdsa_message;

/**
 * Begin to sign; the arguments are those of hanji_slhdsa_sign(). In pure mode the message is then
 * given twice: all pieces, hanji_slhdsa_message_again(), all pieces once more, which may be cut
 * differently. In the other modes it is given once. On failure the context is zeroed.
 */
HANJI_API HANJI_MUST_CHECK int hanji_slhdsa_sign_init(hanji_slhdsa_message *ctx,
                                                      const uint8_t *context, size_t context_bytes,
                                                      int mode, const uint8_t *secret_key,
                                                      size_t secret_key_bytes,
                                                      const hanji_slhdsa *set, unsigned options,
                                                      hanji_random_fn *random, void *random_state);
/**
 * Begin to verify; the arguments are those of hanji_slhdsa_verify(). The whole signature must be
 * there, because its first bytes are hashed before the message. On failure the context is zeroed.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_slhdsa_verify_init(hanji_slhdsa_message *ctx, const uint8_t *signature,
                         size_t signature_bytes, const uint8_t *context, size_t context_bytes,
                         int mode, const uint8_t *public_key, size_t public_key_bytes,
                         const hanji_slhdsa *set);
/** The next piece of the message. */
HANJI_API HANJI_MUST_CHECK int hanji_slhdsa_message_update(const uint8_t *message,
                                                           size_t message_bytes,
                                                           hanji_slhdsa_message *ctx);
/**
 * The first reading is over, and the second begins. HANJI_E_ARGUMENT unless the message is to be
 * signed in pure mode and has been read once.
 */
HANJI_API HANJI_MUST_CHECK int hanji_slhdsa_message_again(hanji_slhdsa_message *ctx);
/**
 * Sign what came; the context is then used up and erased. Errors are those of hanji_slhdsa_sign();
 * HANJI_E_CHANGED when the two readings differ; HANJI_E_ARGUMENT when the second one is missing.
 */
HANJI_API HANJI_MUST_CHECK int hanji_slhdsa_message_sign(uint8_t *signature,
                                                         hanji_slhdsa_message *ctx);
/**
 * Verify the signature of what came: the one given to hanji_slhdsa_verify_init(). The context is
 * then used up and erased. HANJI_E_TAG also when the signature begins with other bytes than then.
 */
HANJI_API HANJI_MUST_CHECK int hanji_slhdsa_message_verify(const uint8_t *signature,
                                                           size_t signature_bytes,
                                                           hanji_slhdsa_message *ctx);
/**
 * What a caller does while a signature is made: `done` of `total` equal steps are behind. Return
 * HANJI_OK to go on, or any error code, which ends the call: the signature is then zeroed, and the
 * call returns the code.
 */
typedef int hanji_slhdsa_progress_fn(uint64_t done, uint64_t total, void *state);
/**
 * Let hanji_slhdsa_message_sign() call `progress` between any two parts of a signature, hundreds to
 * thousands of times; NULL ends this. HANJI_E_ARGUMENT unless the context is signing.
 */
HANJI_API HANJI_MUST_CHECK int hanji_slhdsa_message_progress(hanji_slhdsa_message *ctx,
                                                             hanji_slhdsa_progress_fn *progress,
                                                             void *progress_state);
/** Erase a context that is not to be used any more. */
HANJI_API void hanji_slhdsa_message_wipe(hanji_slhdsa_message *ctx);
/** Size of hanji_slhdsa_message in the running library. */
HANJI_API size_t hanji_slhdsa_message_bytes(void);

/**
 * A signature that is verified while it comes, with its message; HANJI_SLHDSA_STREAM_WORDS words.
 * It is for machines that have no room for a signature: nothing of it is kept. Any error erases the
 * context: all further calls fail then, and the verdict is HANJI_SLHDSA_INVALID, even for a caller
 * who overlooks the error. A plain copy is a valid fork.
 */
#define HANJI_SLHDSA_STREAM_WORDS 82
/** A signature that is verified while it comes; see HANJI_SLHDSA_STREAM_WORDS. */
typedef struct hanji_slhdsa_stream {
    uint64_t words[HANJI_SLHDSA_STREAM_WORDS]; /**< not for users */
} hanji_slhdsa_stream;
/** The signature is right. It and HANJI_SLHDSA_INVALID differ in all bits, against faults. */
#define HANJI_SLHDSA_VALID 0x6a09e667u
/** The signature is wrong, or is not there as a whole. */
#define HANJI_SLHDSA_INVALID 0x95f61998u

/**
 * Begin to verify a signature in pieces: first its start, then the message, then its rest.
 * - `signature_start`: its first bytes, half as many as a public key has; HANJI_E_LENGTH for
 *   another number.
 *
 * The other arguments are those of hanji_slhdsa_verify(). HANJI_E_ARGUMENT when one of them overlaps
 * the context, which is erased then, too.
 */
HANJI_API HANJI_MUST_CHECK int
hanji_slhdsa_stream_init(hanji_slhdsa_stream *ctx, const uint8_t *signature_start,
                         size_t start_bytes, const uint8_t *context, size_t context_bytes, int mode,
                         const uint8_t *public_key, size_t public_key_bytes,
                         const hanji_slhdsa *set);
/** The next piece of the message; HANJI_E_ARGUMENT once the rest of the signature has begun. */
HANJI_API HANJI_MUST_CHECK int
hanji_slhdsa_stream_message(const uint8_t *message, size_t message_bytes, hanji_slhdsa_stream *ctx);
/**
 * The next piece of the rest of the signature; the message is then complete. HANJI_E_LENGTH for
 * more bytes than a signature has.
 */
HANJI_API HANJI_MUST_CHECK int hanji_slhdsa_stream_signature(const uint8_t *part, size_t part_bytes,
                                                             hanji_slhdsa_stream *ctx);
/**
 * The verdict: HANJI_SLHDSA_VALID, or HANJI_SLHDSA_INVALID for everything else, a context that was
 * not begun included. The context is then used up and erased.
 */
HANJI_API HANJI_MUST_CHECK uint32_t hanji_slhdsa_stream_end(hanji_slhdsa_stream *ctx);
/** Size of hanji_slhdsa_stream in the running library. */
HANJI_API size_t hanji_slhdsa_stream_bytes(void);

#ifdef __cplusplus
}
#endif
#endif
