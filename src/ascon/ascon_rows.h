/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of one length, with associated data of one length, that lie one after the other, with
 * everything that belongs to them: all lanes do the same at the same time, and nothing is staged. Kernels take messages from their
 * beginning to their end, so no state leaves them.
 */
#ifndef HANJI_ASCON_ROWS_H
#define HANJI_ASCON_ROWS_H

#include "ascon/ascon_lanes.h"

#ifdef HANJI_X86

#define HANJI_ASCON_ROWS_GROUP 24
#define HANJI_ASCON_ROWS_LEAST 18 /* sixteen and one take the older kernels less time */

/*
 * Of message i: the text at in + i * bytes, its output at out + i * bytes, the key at
 * keys + i * key_stride, the nonce at nonces + 16 * i, the tag at tags + 16 * i, or the digest at
 * tags + 8 * words * i. Kernels on AVX-512 load addresses from here into general registers, and
 * nothing else (lab/ct/opcodes.py).
 */
typedef struct hanji_ascon_rows {
    const uint8_t *in; /* not read where bytes is 0, and `out` not written */
    uint8_t *out;
    size_t bytes;
    const uint8_t *keys;
    size_t key_stride;
    const uint8_t *nonces;
    const uint8_t *ad; /* of message i: ad_bytes bytes at ad + i * ad_bytes */
    size_t ad_bytes;
    uint8_t *tags;         /* written, when opening, too */
    const uint64_t *start; /* of digests: the state with which all messages begin */
    size_t words;          /* of a digest, from 1 */
    /*
     * The messages of a group, HANJI_ASCON_ROWS_LEAST to HANJI_ASCON_ROWS_GROUP. Lanes without a
     * message do the last one again, so there is only one group of fewer, and space for all tags of
     * a group, but no more of anything else than there are messages.
     */
    size_t count;
} hanji_ascon_rows;

/* Words of memory for a kernel, aligned to 64 bytes; the caller wipes it. */
#define HANJI_ASCON_ROWS_WORK ((HANJI_ASCON_LANES_WORDS + 8) * HANJI_ASCON_ROWS_GROUP)

/* groups * rows->count messages. */
typedef void hanji_ascon_rows_fn(uint64_t *work, const hanji_ascon_rows *rows, size_t groups);

typedef struct hanji_ascon_aead_rows {
    hanji_ascon_rows_fn *seal, *open;
} hanji_ascon_aead_rows;

typedef struct hanji_ascon_hash_rows {
    hanji_ascon_rows_fn *digests;
} hanji_ascon_hash_rows;

extern const hanji_ascon_aead_rows hanji_ascon_aead_rows_avx512_x24;
extern const hanji_ascon_hash_rows hanji_ascon_hash_rows_avx512_x24;

#endif
#endif
