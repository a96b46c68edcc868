/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ascon over many messages in lockstep: one message in each 64-bit lane of vectors, on AArch64 also
 * in general registers.
 *
 * Kernels treat whole blocks only. The engines (aead_fleet.c and hash_fleet.c, over ascon_wide.h)
 * say where each lane's blocks are, pad, and treat the rest; they decide by lengths and addresses,
 * which are public.
 * Word w of lane l of a state is state[w * lanes + l].
 */
#ifndef HANJI_ASCON_LANES_H
#define HANJI_ASCON_LANES_H

#include "ascon/ascon.h"

#ifdef HANJI_A64
#define HANJI_ASCON_LANES_MAX 8 /* tools/ascon_a64.py knows where `in` and `out` are */
#else
#define HANJI_ASCON_LANES_MAX 16
#endif
#define HANJI_ASCON_LANES_WORDS 7 /* of the AEAD: behind the state the key of each lane */

/*
 * Where the lanes are. A lane without a message has memory of its own in every place. Kernels on
 * AVX-512 load addresses from here into general registers, and nothing else (lab/ct/opcodes.py).
 */
typedef struct hanji_ascon_ragged {
    const uint8_t *key[HANJI_ASCON_LANES_MAX], *nonce[HANJI_ASCON_LANES_MAX];
    const uint8_t *in[HANJI_ASCON_LANES_MAX];
    uint8_t *out[HANJI_ASCON_LANES_MAX];
    uint64_t active[HANJI_ASCON_LANES_MAX]; /* all ones: the lane takes part */
} hanji_ascon_ragged;

/* `blocks` of each lane at in[], and to out[] where something comes out. */
typedef void hanji_ascon_lanes_fn(uint64_t *state, const hanji_ascon_ragged *ragged, size_t blocks);
typedef void hanji_ascon_lanes_whole_fn(uint64_t *state, const hanji_ascon_ragged *ragged);

/*
 * Ascon-AEAD128: `begin` makes the states from keys and nonces, and keeps the keys; `end` writes
 * tags to out[], when text and padding are in the states. Both are for all lanes, active or not.
 */
typedef struct hanji_ascon_aead_lanes {
    hanji_ascon_lanes_whole_fn *begin;
    hanji_ascon_lanes_fn *absorb, *seal, *open;
    hanji_ascon_lanes_whole_fn *end;
} hanji_ascon_aead_lanes;

/* The hashes: blocks of 8 bytes; p[12] in all lanes. */
typedef struct hanji_ascon_hash_lanes {
    hanji_ascon_lanes_fn *absorb;
    hanji_ascon_lanes_whole_fn *permute;
} hanji_ascon_hash_lanes;

#ifdef HANJI_X86
extern const hanji_ascon_aead_lanes hanji_ascon_aead_avx512_x16, hanji_ascon_aead_avx2_x8;
extern const hanji_ascon_hash_lanes hanji_ascon_hash_avx512_x16, hanji_ascon_hash_avx2_x8;
#endif
#ifdef HANJI_A64
extern const hanji_ascon_aead_lanes hanji_ascon_aead_neon_x5, hanji_ascon_aead_sha3_x5;
extern const hanji_ascon_hash_lanes hanji_ascon_hash_neon_x5, hanji_ascon_hash_sha3_x5;

/* Assembly, for all lanes; at least one block. */
hanji_ascon_permute_fn hanji_ascon_p_neon_x5, hanji_ascon_p_sha3_x5;
hanji_ascon_lanes_fn hanji_ascon_aead128_neon_absorb_x5, hanji_ascon_aead128_neon_seal_x5;
hanji_ascon_lanes_fn hanji_ascon_aead128_neon_open_x5, hanji_ascon_hash256_neon_absorb_x5;
hanji_ascon_lanes_fn hanji_ascon_aead128_sha3_absorb_x5, hanji_ascon_aead128_sha3_seal_x5;
hanji_ascon_lanes_fn hanji_ascon_aead128_sha3_open_x5, hanji_ascon_hash256_sha3_absorb_x5;
#endif

#endif
