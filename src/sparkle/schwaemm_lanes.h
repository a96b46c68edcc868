/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCHWAEMM over many messages in lockstep: one message in each lane of vectors.
 *
 * The work is parted so that vector kernels see nothing but vectors. The engine (schwaemm_engine.h) moves bytes between messages and a stage, pads, counts and assigns lanes;
 * it decides by lengths only. A kernel does one round for all lanes: absorb a chunk, permute.
 */
#ifndef HANJI_SPARKLE_SCHWAEMM_LANES_H
#define HANJI_SPARKLE_SCHWAEMM_LANES_H

#include "support/cpu.h"
#include "support/kernel.h"

#define HANJI_LANES_MAX 16
#define HANJI_LANES_RATE_MAX 32 /* bytes */

/*
 * What a round does in each lane; masks are all ones or zero. A chunk in the stage has its 16-byte pieces apart, in the order in which kernels transpose them:
 * see hanji_lanes_piece.
 */
typedef struct hanji_lanes_control {
    uint32_t domain[HANJI_LANES_MAX];                     /* xored into the last word of the state: of last chunks, already shifted */
    uint32_t opened[HANJI_LANES_MAX];                     /* the chunk is ciphertext: absorb what comes out, not what goes in */
    uint32_t fresh_lane[HANJI_LANES_MAX];                 /* a message begins: its state is that of `fresh` */
    uint32_t big[HANJI_LANES_MAX];                        /* big permutation, else slim */
    uint32_t fresh[16 * HANJI_LANES_MAX];                 /* word w of lane l at w * lanes + l */
    uint8_t keep[HANJI_LANES_MAX * HANJI_LANES_RATE_MAX]; /* with HANJI_LANES_PARTIAL: bytes of the opened chunk that are message */
    uint8_t pad[HANJI_LANES_MAX * HANJI_LANES_RATE_MAX];  /* and the padding of the others */
} hanji_lanes_control;

/* Flags of a round: what occurs in any lane. */
#define HANJI_LANES_PARTIAL 1u /* keep and pad are filled; else every chunk is used whole */
#define HANJI_LANES_BIG 2u

/* One round: `state` is word w of lane l at w * lanes + l; the stage holds chunks and receives them xored with the outer part. */
typedef void hanji_lanes_round_fn(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control, uint32_t flags);

/* Where 16-byte piece `piece` of the chunk of lane `lane` lies in the stage: in the order that a transpose of 4 x 4 words within 128 bits takes. */
static inline size_t hanji_lanes_piece(size_t lane, size_t piece, size_t lanes)
{
    return 16 * (piece * lanes + (lane % 4) * (lanes / 4) + lane / 4);
}

#define HANJI_LANES_DECLARE(id) hanji_lanes_round_fn hanji_##id##_avx2_round_x8, hanji_##id##_avx512_round_x16;

#ifdef HANJI_X86
HANJI_LANES_DECLARE(schwaemm256_128)
HANJI_LANES_DECLARE(schwaemm192_192)
HANJI_LANES_DECLARE(schwaemm128_128)
HANJI_LANES_DECLARE(schwaemm256_256)
#endif

#endif
