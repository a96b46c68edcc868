/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file fleet.h
 * @brief Many messages in one call, each with its own key and nonce, or all under one key.
 *
 * Messages lie as in Apache Arrow: one data buffer and n + 1 offsets, message i being bytes
 * offsets[i] .. offsets[i + 1]. The output has the same layout, so it needs offsets[n] bytes. Keys
 * are an n x k array, nonces n x l, tags n x t, all contiguous.
 *
 * - A call zeroes a failed message in the output, reports it in `status`, and delivers the others.
 * - In place (output == input) is allowed; a failed message is then lost.
 * - Every other output (output, tags when sealing or hashing, status) shares no byte with another
 *   output, with input, associated data, keys, nonces, tags when opening, the offsets, or this
 *   structure; else HANJI_E_ARGUMENT. An array reaches from its first byte to its last: the bytes
 *   between keys with a stride belong to it.
 * - No call detects a (key, nonce) pair that occurs twice: the caller must prevent it.
 * - With one key for all (key_stride 0) the data limit of the key covers the whole call; the call
 *   checks it before it writes anything.
 * - The library starts no threads: a caller may split a call by ranges of messages (offsets +
 *   first, keys + first * stride, ...).
 */
#ifndef HANJI_FLEET_H
#define HANJI_FLEET_H

#include "hanji/block.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The arrays of one call. Zero-initialise it, then fill what the operation needs. */
typedef struct hanji_fleet {
    size_t messages; /**< n; 0 is allowed */
    /** n + 1, never decreasing, the first >= 0 (else HANJI_E_ARGUMENT) */
    const int64_t *offsets;
    const uint8_t *input; /**< messages (ciphertexts when opening) */
    uint8_t *output;      /**< ciphertexts (messages when opening); unused by CMAC and hashing */
    /** n + 1 offsets of the associated data, or NULL: none; for AEADs alone */
    const int64_t *ad_offsets;
    const uint8_t *ad;   /**< associated data */
    const uint8_t *keys; /**< n keys, or one when key_stride is 0 */
    size_t key_stride;   /**< bytes from one key to the next: at least the key size, or 0 */
    /** n nonces of nonce_bytes bytes; for CTR the first counter blocks */
    const uint8_t *nonces;
    size_t nonce_bytes; /**< size of each nonce */
    /** n tags of tag_bytes bytes: written when sealing, read when opening; digests when hashing */
    uint8_t *tags;
    size_t tag_bytes; /**< size of each tag or digest */
    int8_t *status;   /**< n results, HANJI_OK or an error code per message */
    /**
     * data limit per key in blocks (CTR, EAX, CMAC, and Ascon-AEAD128 with one key, which it only
     * lowers); 0: the default
     */
    uint64_t limit;
} hanji_fleet;

/*
 * Every function returns the number of failed messages (0: all is well), or a negative code
 * when the call as a whole is refused (bad arguments, a length that the algorithm does not take,
 * HANJI_E_LIMIT with one key); nothing is written then.
 */

/** Ascon-AEAD128: seal n messages. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_ascon_aead128_fleet_encrypt(const hanji_fleet *fleet);
/** Ascon-AEAD128: open n messages. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_ascon_aead128_fleet_decrypt(const hanji_fleet *fleet);

/** SCHWAEMM256-128: seal n messages. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_schwaemm256_128_fleet_encrypt(const hanji_fleet *fleet);
/** SCHWAEMM256-128: open n messages. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_schwaemm256_128_fleet_decrypt(const hanji_fleet *fleet);
/** SCHWAEMM192-192: seal n messages. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_schwaemm192_192_fleet_encrypt(const hanji_fleet *fleet);
/** SCHWAEMM192-192: open n messages. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_schwaemm192_192_fleet_decrypt(const hanji_fleet *fleet);
/** SCHWAEMM128-128: seal n messages. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_schwaemm128_128_fleet_encrypt(const hanji_fleet *fleet);
/** SCHWAEMM128-128: open n messages. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_schwaemm128_128_fleet_decrypt(const hanji_fleet *fleet);
/** SCHWAEMM256-256: seal n messages. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_schwaemm256_256_fleet_encrypt(const hanji_fleet *fleet);
/** SCHWAEMM256-256: open n messages. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_schwaemm256_256_fleet_decrypt(const hanji_fleet *fleet);

/**
 * EAX over `cipher` (8- or 16-byte blocks): seal n messages; nonces of nonce_bytes >= 1, tags of
 * tag_bytes 1 .. block size.
 */
HANJI_API HANJI_MUST_CHECK int64_t hanji_eax_fleet_encrypt(const hanji_fleet *fleet,
                                                           const hanji_cipher *cipher);
/** EAX over `cipher`: open n messages. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_eax_fleet_decrypt(const hanji_fleet *fleet,
                                                           const hanji_cipher *cipher);
/** CTR over `cipher`: encrypt or decrypt n messages; nonce_bytes is the block size. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_ctr_fleet(const hanji_fleet *fleet,
                                                   const hanji_cipher *cipher);
/**
 * CMAC over `cipher` (8- or 16-byte blocks): n tags of tag_bytes 1 .. block size. Nonces,
 * associated data and output are not used.
 */
HANJI_API HANJI_MUST_CHECK int64_t hanji_cmac_fleet(const hanji_fleet *fleet,
                                                    const hanji_cipher *cipher);
/**
 * CMAC over `cipher`: compare the tags of n messages with `tags`, in constant time. The status of a
 * message whose tag differs is HANJI_E_TAG.
 */
HANJI_API HANJI_MUST_CHECK int64_t hanji_cmac_fleet_verify(const hanji_fleet *fleet,
                                                           const hanji_cipher *cipher);

/** Ascon-Hash256: n digests of 32 bytes into `tags`. Keys, nonces and output are not used. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_ascon_hash256_fleet(const hanji_fleet *fleet);
/** Ascon-XOF128: n outputs of tag_bytes bytes into `tags`. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_ascon_xof128_fleet(const hanji_fleet *fleet);
/**
 * Ascon-CXOF128: n outputs of tag_bytes bytes into `tags`, all under one customization string of 0
 * to 256 bytes (else HANJI_E_LENGTH); it is absorbed once for the call.
 */
HANJI_API HANJI_MUST_CHECK int64_t hanji_ascon_cxof128_fleet(const hanji_fleet *fleet,
                                                             const uint8_t *customization,
                                                             size_t customization_bytes);

/** ESCH256: n digests of 32 bytes into `tags`. Keys, nonces and output are not used. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_esch256_fleet(const hanji_fleet *fleet);
/** ESCH384: n digests of 48 bytes into `tags`. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_esch384_fleet(const hanji_fleet *fleet);
/** XOESCH256: n outputs of tag_bytes bytes into `tags`. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_xoesch256_fleet(const hanji_fleet *fleet);
/** XOESCH384: n outputs of tag_bytes bytes into `tags`. */
HANJI_API HANJI_MUST_CHECK int64_t hanji_xoesch384_fleet(const hanji_fleet *fleet);

#ifdef __cplusplus
}
#endif
#endif
