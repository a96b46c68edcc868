/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file hash.h
 * @brief Ascon-Hash256, ESCH256 and ESCH384 (hash functions), Ascon-XOF128, Ascon-CXOF128,
 * XOESCH256 and XOESCH384 (extendable output), and the bare permutations.
 *
 * Ascon: NIST SP 800-232 (August 2025), section 5. Status: NIST standard; 128 bits of security; no
 * known attack on the full algorithms; not approved inside HMAC; not for passwords.
 *
 * ESCH, XOESCH, SPARKLE. Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round
 * specification v1.2, section 2.2.
 * Status: part of a NIST lightweight finalist (2021), not selected; no known attack. Fast hashing
 * only: not for passwords.
 */
#ifndef HANJI_HASH_H
#define HANJI_HASH_H

#include "hanji/common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* clang-format off */

/** A message being hashed; one type for the three functions. A plain copy forks the computation. */
typedef struct hanji_ascon_hash_ctx {
    uint64_t state[5];
    uint32_t at; /* bytes of the block in the state; while squeezing: bytes already given */
    uint32_t phase;
} hanji_ascon_hash_ctx;

/* Ascon-Hash256: 128 bits of security against collisions and preimages. */
#define HANJI_ASCON_HASH256_DIGEST_BYTES 32
/** Ascon-Hash256: the digest of a whole message. */
HANJI_API HANJI_MUST_CHECK int
hanji_ascon_hash256(uint8_t digest[HANJI_ASCON_HASH256_DIGEST_BYTES], const uint8_t *message,
                    size_t message_bytes);
/** Ascon-Hash256: begin. */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_hash256_init(hanji_ascon_hash_ctx *ctx);
/** Ascon-Hash256: the next piece of the message. */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_hash256_update(const uint8_t *message,
                                                          size_t message_bytes,
                                                          hanji_ascon_hash_ctx *ctx);
/** Ascon-Hash256: give the digest and erase the context. */
HANJI_API HANJI_MUST_CHECK int
hanji_ascon_hash256_final(uint8_t digest[HANJI_ASCON_HASH256_DIGEST_BYTES],
                          hanji_ascon_hash_ctx *ctx);

/* Ascon-XOF128: with d bytes of output min(4 d, 128) bits against collisions. */
/**
 * Ascon-XOF128: `out_bytes` bytes of output, 1 or more (else HANJI_E_LENGTH), for a whole message.
 */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_xof128(uint8_t *out, size_t out_bytes,
                                                  const uint8_t *message, size_t message_bytes);
/** Ascon-XOF128: begin. */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_xof128_init(hanji_ascon_hash_ctx *ctx);
/** Ascon-XOF128: the next piece of the message; HANJI_E_ARGUMENT once output has been taken. */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_xof128_update(const uint8_t *message,
                                                         size_t message_bytes,
                                                         hanji_ascon_hash_ctx *ctx);
/** Ascon-XOF128: the next `out_bytes` bytes of output, as often as wanted. */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_xof128_squeeze(uint8_t *out, size_t out_bytes,
                                                          hanji_ascon_hash_ctx *ctx);

/* Ascon-CXOF128: the same for each customization string. */
/** The longest customization string: 2048 bits. */
#define HANJI_ASCON_CXOF128_CUSTOMIZATION_BYTES_MAX 256
/**
 * Ascon-CXOF128: `out_bytes` bytes of output, 1 or more, for a whole message.
 * `customization` has 0 to 256 bytes (else HANJI_E_LENGTH) and names the use; outputs of different
 * uses have nothing in common.
 */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_cxof128(uint8_t *out, size_t out_bytes,
                                                   const uint8_t *customization,
                                                   size_t customization_bytes,
                                                   const uint8_t *message, size_t message_bytes);
/** Ascon-CXOF128: begin, with the customization string. */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_cxof128_init(const uint8_t *customization,
                                                        size_t customization_bytes,
                                                        hanji_ascon_hash_ctx *ctx);
/** Ascon-CXOF128: the next piece of the message; HANJI_E_ARGUMENT once output has been taken. */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_cxof128_update(const uint8_t *message,
                                                          size_t message_bytes,
                                                          hanji_ascon_hash_ctx *ctx);
/** Ascon-CXOF128: the next `out_bytes` bytes of output, as often as wanted. */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_cxof128_squeeze(uint8_t *out, size_t out_bytes,
                                                           hanji_ascon_hash_ctx *ctx);

/** Erase the context of any of the three functions. */
HANJI_API void hanji_ascon_hash_wipe(hanji_ascon_hash_ctx *ctx);
/** Size of hanji_ascon_hash_ctx in the running library. */
HANJI_API size_t hanji_ascon_hash_ctx_bytes(void);
/** Digest size of Ascon-Hash256. */
HANJI_API size_t hanji_ascon_hash256_digest_bytes(void);

/** Bytes of a state of Ascon-p, the permutation: five 64-bit words in little-endian order. */
#define HANJI_ASCON_STATE_BYTES 40
/**
 * Apply Ascon-p to `states` states of 40 bytes, one after the other, in place.
 * @param state  states * 40 bytes, with any alignment
 * @param states how many; 0 is allowed; more than SIZE_MAX / 40 are HANJI_E_LENGTH
 * @param rounds the last 1 to 16 of 16 rounds, else HANJI_E_LENGTH; the algorithms use 8 and 12
 */
HANJI_API HANJI_MUST_CHECK int hanji_ascon_permute(uint8_t *state, size_t states, uint32_t rounds);

/* clang-format on */

/**
 * A message being hashed; one type for the four functions. A plain copy of it is a valid fork of
 * the computation.
 */
typedef struct hanji_esch_ctx {
    uint32_t state[16];
    uint8_t pending[16];    /* the last block, whose treatment depends on whether more follows */
    uint32_t pending_bytes; /* while squeezing: output bytes of the state already given */
    uint32_t phase;
} hanji_esch_ctx;

/* ESCH256: SPARKLE384; 128 bits of security against collisions and preimages. */
#define HANJI_ESCH256_DIGEST_BYTES 32
/** ESCH256: the digest of a whole message. */
HANJI_API HANJI_MUST_CHECK int hanji_esch256(uint8_t digest[HANJI_ESCH256_DIGEST_BYTES],
                                             const uint8_t *message, size_t message_bytes);
/** ESCH256: begin. */
HANJI_API HANJI_MUST_CHECK int hanji_esch256_init(hanji_esch_ctx *ctx);
/** ESCH256: the next piece of the message. */
HANJI_API HANJI_MUST_CHECK int hanji_esch256_update(const uint8_t *message, size_t message_bytes,
                                                    hanji_esch_ctx *ctx);
/** ESCH256: give the digest and erase the context. */
HANJI_API HANJI_MUST_CHECK int hanji_esch256_final(uint8_t digest[HANJI_ESCH256_DIGEST_BYTES],
                                                   hanji_esch_ctx *ctx);

/* ESCH384: SPARKLE512; 192 bits of security against collisions and preimages. */
#define HANJI_ESCH384_DIGEST_BYTES 48
/** ESCH384: the digest of a whole message. */
HANJI_API HANJI_MUST_CHECK int hanji_esch384(uint8_t digest[HANJI_ESCH384_DIGEST_BYTES],
                                             const uint8_t *message, size_t message_bytes);
/** ESCH384: begin. */
HANJI_API HANJI_MUST_CHECK int hanji_esch384_init(hanji_esch_ctx *ctx);
/** ESCH384: the next piece of the message. */
HANJI_API HANJI_MUST_CHECK int hanji_esch384_update(const uint8_t *message, size_t message_bytes,
                                                    hanji_esch_ctx *ctx);
/** ESCH384: give the digest and erase the context. */
HANJI_API HANJI_MUST_CHECK int hanji_esch384_final(uint8_t digest[HANJI_ESCH384_DIGEST_BYTES],
                                                   hanji_esch_ctx *ctx);

/* XOESCH256: SPARKLE384; the extendable-output form of ESCH256. */
/** XOESCH256: `out_bytes` bytes of output for a whole message. */
HANJI_API HANJI_MUST_CHECK int hanji_xoesch256(uint8_t *out, size_t out_bytes,
                                               const uint8_t *message, size_t message_bytes);
/** XOESCH256: begin. */
HANJI_API HANJI_MUST_CHECK int hanji_xoesch256_init(hanji_esch_ctx *ctx);
/** XOESCH256: the next piece of the message; HANJI_E_ARGUMENT once output has been taken. */
HANJI_API HANJI_MUST_CHECK int hanji_xoesch256_update(const uint8_t *message, size_t message_bytes,
                                                      hanji_esch_ctx *ctx);
/** XOESCH256: the next `out_bytes` bytes of output, as often as wanted. */
HANJI_API HANJI_MUST_CHECK int hanji_xoesch256_squeeze(uint8_t *out, size_t out_bytes,
                                                       hanji_esch_ctx *ctx);

/* XOESCH384: SPARKLE512; the extendable-output form of ESCH384. */
/** XOESCH384: `out_bytes` bytes of output for a whole message. */
HANJI_API HANJI_MUST_CHECK int hanji_xoesch384(uint8_t *out, size_t out_bytes,
                                               const uint8_t *message, size_t message_bytes);
/** XOESCH384: begin. */
HANJI_API HANJI_MUST_CHECK int hanji_xoesch384_init(hanji_esch_ctx *ctx);
/** XOESCH384: the next piece of the message; HANJI_E_ARGUMENT once output has been taken. */
HANJI_API HANJI_MUST_CHECK int hanji_xoesch384_update(const uint8_t *message, size_t message_bytes,
                                                      hanji_esch_ctx *ctx);
/** XOESCH384: the next `out_bytes` bytes of output, as often as wanted. */
HANJI_API HANJI_MUST_CHECK int hanji_xoesch384_squeeze(uint8_t *out, size_t out_bytes,
                                                       hanji_esch_ctx *ctx);

/** Erase the context of any of the four functions. */
HANJI_API void hanji_esch_wipe(hanji_esch_ctx *ctx);
/** Size of hanji_esch_ctx in the running library. */
HANJI_API size_t hanji_esch_ctx_bytes(void);
/** Digest size of ESCH: 32 for 256, 48 for 384, 0 for another number. */
HANJI_API size_t hanji_esch_digest_bytes(uint32_t bits);

/* SPARKLE: the permutations. States are 32-bit words in little-endian order x0 y0 x1 y1 ... */
#define HANJI_SPARKLE256_BYTES 32
#define HANJI_SPARKLE256_STEPS_SLIM 7
#define HANJI_SPARKLE256_STEPS_BIG 10
#define HANJI_SPARKLE384_BYTES 48
#define HANJI_SPARKLE384_STEPS_SLIM 7
#define HANJI_SPARKLE384_STEPS_BIG 11
#define HANJI_SPARKLE512_BYTES 64
#define HANJI_SPARKLE512_STEPS_SLIM 8
#define HANJI_SPARKLE512_STEPS_BIG 12

/**
 * Apply SPARKLE to `states` states, one after the other, in place.
 * @param state  states * bits / 8 bytes, with any alignment
 * @param states how many; 0 is allowed; more than SIZE_MAX / 64 are HANJI_E_LENGTH
 * @param bits  256, 384 or 512, else HANJI_E_LENGTH
 * @param steps 1 to 64 steps, else HANJI_E_LENGTH; the specified steps are the macros
 * above
 */
HANJI_API HANJI_MUST_CHECK int hanji_sparkle_permute(uint8_t *state, size_t states, uint32_t bits,
                                                     uint32_t steps);

#ifdef __cplusplus
}
#endif
#endif
