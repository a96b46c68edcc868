/* SPDX-License-Identifier: Apache-2.0 */
/**
 * @file hash.h
 * @brief ESCH256 and ESCH384 (hash functions), XOESCH256 and XOESCH384 (extendable output), and the bare SPARKLE permutations.
 *
 * Source: Beierle et al., Schwaemm and Esch, NIST LWC final-round specification v1.2, section 2.2.
 * Status: part of a NIST lightweight finalist (2021), not selected; no known attack. Fast hashing only: not for passwords.
 */
#ifndef HANJI_HASH_H
#define HANJI_HASH_H

#include "hanji/common.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A message being hashed; one type for the four functions. A plain copy of it is a valid fork of the computation. */
typedef struct hanji_esch_ctx {
    uint32_t state[16];
    uint8_t pending[16];    /* the last block, whose treatment depends on whether more follows */
    uint32_t pending_bytes; /* while squeezing: output bytes of the state already given */
    uint32_t phase;
} hanji_esch_ctx;

/* ESCH256: SPARKLE384; 128 bits of security against collisions and preimages. */
#define HANJI_ESCH256_DIGEST_BYTES 32
/** ESCH256: the digest of a whole message. */
HANJI_API HANJI_MUST_CHECK int hanji_esch256(uint8_t digest[HANJI_ESCH256_DIGEST_BYTES], const uint8_t *message, size_t message_bytes);
/** ESCH256: begin. */
HANJI_API HANJI_MUST_CHECK int hanji_esch256_init(hanji_esch_ctx *ctx);
/** ESCH256: the next piece of the message. */
HANJI_API HANJI_MUST_CHECK int hanji_esch256_update(const uint8_t *message, size_t message_bytes, hanji_esch_ctx *ctx);
/** ESCH256: give the digest and erase the context. */
HANJI_API HANJI_MUST_CHECK int hanji_esch256_final(uint8_t digest[HANJI_ESCH256_DIGEST_BYTES], hanji_esch_ctx *ctx);

/* ESCH384: SPARKLE512; 192 bits of security against collisions and preimages. */
#define HANJI_ESCH384_DIGEST_BYTES 48
/** ESCH384: the digest of a whole message. */
HANJI_API HANJI_MUST_CHECK int hanji_esch384(uint8_t digest[HANJI_ESCH384_DIGEST_BYTES], const uint8_t *message, size_t message_bytes);
/** ESCH384: begin. */
HANJI_API HANJI_MUST_CHECK int hanji_esch384_init(hanji_esch_ctx *ctx);
/** ESCH384: the next piece of the message. */
HANJI_API HANJI_MUST_CHECK int hanji_esch384_update(const uint8_t *message, size_t message_bytes, hanji_esch_ctx *ctx);
/** ESCH384: give the digest and erase the context. */
HANJI_API HANJI_MUST_CHECK int hanji_esch384_final(uint8_t digest[HANJI_ESCH384_DIGEST_BYTES], hanji_esch_ctx *ctx);

/* XOESCH256: SPARKLE384; the extendable-output form of ESCH256. */
/** XOESCH256: `out_bytes` bytes of output for a whole message. */
HANJI_API HANJI_MUST_CHECK int hanji_xoesch256(uint8_t *out, size_t out_bytes, const uint8_t *message, size_t message_bytes);
/** XOESCH256: begin. */
HANJI_API HANJI_MUST_CHECK int hanji_xoesch256_init(hanji_esch_ctx *ctx);
/** XOESCH256: the next piece of the message; HANJI_E_ARGUMENT once output has been taken. */
HANJI_API HANJI_MUST_CHECK int hanji_xoesch256_update(const uint8_t *message, size_t message_bytes, hanji_esch_ctx *ctx);
/** XOESCH256: the next `out_bytes` bytes of output, as often as wanted. */
HANJI_API HANJI_MUST_CHECK int hanji_xoesch256_squeeze(uint8_t *out, size_t out_bytes, hanji_esch_ctx *ctx);

/* XOESCH384: SPARKLE512; the extendable-output form of ESCH384. */
/** XOESCH384: `out_bytes` bytes of output for a whole message. */
HANJI_API HANJI_MUST_CHECK int hanji_xoesch384(uint8_t *out, size_t out_bytes, const uint8_t *message, size_t message_bytes);
/** XOESCH384: begin. */
HANJI_API HANJI_MUST_CHECK int hanji_xoesch384_init(hanji_esch_ctx *ctx);
/** XOESCH384: the next piece of the message; HANJI_E_ARGUMENT once output has been taken. */
HANJI_API HANJI_MUST_CHECK int hanji_xoesch384_update(const uint8_t *message, size_t message_bytes, hanji_esch_ctx *ctx);
/** XOESCH384: the next `out_bytes` bytes of output, as often as wanted. */
HANJI_API HANJI_MUST_CHECK int hanji_xoesch384_squeeze(uint8_t *out, size_t out_bytes, hanji_esch_ctx *ctx);

/** Erase the context of any of the four functions. */
HANJI_API void hanji_esch_wipe(hanji_esch_ctx *ctx);
/** Size of hanji_esch_ctx in the library that runs. */
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
 * Apply SPARKLE to `states` states that lie one after the other, in place.
 * @param state  states * bits / 8 bytes, with any alignment
 * @param states how many; 0 is allowed
 * @param bits  256, 384 or 512, else HANJI_E_LENGTH
 * @param steps 1 to 64 steps, else HANJI_E_LENGTH; the steps that are specified are the macros above
 */
HANJI_API HANJI_MUST_CHECK int hanji_sparkle_permute(uint8_t *state, size_t states, uint32_t bits, uint32_t steps);

#ifdef __cplusplus
}
#endif
#endif
