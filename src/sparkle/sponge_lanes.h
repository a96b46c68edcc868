/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCHWAEMM and ESCH over many messages in lockstep: one message in each lane.
 *
 * The work is parted so vector kernels see nothing but vectors. The engines
 * (schwaemm_engine.h, esch_engine.h) move bytes between messages and a stage, pad, count and assign
 * lanes; they decide by lengths only. A kernel does one round for all lanes: absorb a chunk,
 * permute.
 *
 * On x86-64 the states lie side by side: word 0 of all lanes, then word 1. On AArch64 they lie one
 * after the other, because the kernel that permutes four states takes them so.
 */
#ifndef HANJI_SPARKLE_SPONGE_LANES_H
#define HANJI_SPARKLE_SPONGE_LANES_H

#include "fleet/messages.h"
#include "support/bytes.h"
#include "support/cpu.h"

#if defined(HANJI_A64)
#define HANJI_LANES_MAX 4
#else
#define HANJI_LANES_MAX 16
#endif
#define HANJI_LANES_RATE_MAX 32 /* bytes */

/*
 * The work of a round in each lane; masks are all ones or zero. A chunk in the stage has its 16-byte
 * pieces where hanji_lanes_piece says. ESCH uses domain, fresh_lane and big only.
 */
typedef struct hanji_lanes_control {
    /* xored into the last word of the state: of last chunks, already shifted */
    uint32_t domain[HANJI_LANES_MAX];
    /* the chunk is ciphertext: absorb what comes out, not what goes in */
    uint32_t opened[HANJI_LANES_MAX];
    /* a message begins: its state is that of `fresh`, of ESCH zero before the chunk */
    uint32_t fresh_lane[HANJI_LANES_MAX];
    uint32_t big[HANJI_LANES_MAX]; /* big permutation, else slim; in lanes without a message, too */
    /* words as in the state: hanji_lanes_word */
    uint32_t fresh[16 * HANJI_LANES_MAX];
    /* with HANJI_LANES_PARTIAL: bytes of the opened chunk that are message */
    uint8_t keep[HANJI_LANES_MAX * HANJI_LANES_RATE_MAX];
    uint8_t pad[HANJI_LANES_MAX * HANJI_LANES_RATE_MAX]; /* and the padding of the others */
} hanji_lanes_control;

/* Flags of a round: set where it occurs in any lane. */
#define HANJI_LANES_PARTIAL 1u /* keep and pad are filled; else every chunk is used whole */
#define HANJI_LANES_BIG 2u
#define HANJI_LANES_FRESH 4u
#define HANJI_LANES_BEGIN \
    8u /* of SCHWAEMM: every lane with a message begins it; all states are those of `fresh`, nothing is absorbed */

/*
 * One round on states as hanji_lanes_word says; the stage holds chunks and, of SCHWAEMM, receives
 * them xored with the outer part.
 */
typedef void hanji_lanes_round_fn(uint32_t *state, uint8_t *stage,
                                  const hanji_lanes_control *control, uint32_t flags);

/*
 * Rounds in which every lane takes a whole chunk with more to come, straight from its message and
 * back, without a stage. A lane without input or output of its own has scratch memory of a
 * chunk there, and a step of 0.
 */
typedef struct hanji_lanes_run {
    const uint8_t *in[HANJI_LANES_MAX];
    uint8_t *out[HANJI_LANES_MAX];
    /* from one round to the next, in bytes */
    size_t in_step[HANJI_LANES_MAX], out_step[HANJI_LANES_MAX];
    uint32_t opened[HANJI_LANES_MAX]; /* as in hanji_lanes_control */
} hanji_lanes_run;

/* `rounds` of them; the pointers are advanced. */
typedef void hanji_lanes_run_fn(uint32_t *state, hanji_lanes_run *run, size_t rounds);

/*
 * SCHWAEMM over as many messages as there are lanes, all of one length, which is also their
 * distance; so it is for associated data, and nonces and tags lie side by side. `begin` makes the
 * states from nonces and keys; `seal` and `open` absorb a phase of at least one byte with the
 * domain of its last chunk before that is padded or full, and write what comes out where `out` is
 * not NULL, while the messages `ahead` bytes behind come into the cache, unless it is 0; `end`
 * writes the tags. States are in an order of their own.
 */
typedef struct hanji_lanes_uniform {
    void (*begin)(uint32_t *state, const uint8_t *nonces, const uint8_t *keys, size_t key_stride);
    void (*seal)(uint32_t *state, uint8_t *out, const uint8_t *in, size_t bytes, size_t ahead,
                 uint32_t domain);
    void (*open)(uint32_t *state, uint8_t *out, const uint8_t *in, size_t bytes, size_t ahead,
                 uint32_t domain);
    void (*end)(uint8_t *tags, const uint32_t *state, const uint8_t *keys, size_t key_stride);
} hanji_lanes_uniform;

/*
 * ESCH and XOESCH over as many messages as there are lanes, all of one length, and `out_bytes` of
 * output each; both lie one after the other. The states are zero at first.
 */
typedef void hanji_lanes_hash_fn(uint32_t *state, uint8_t *out, size_t out_bytes, const uint8_t *in,
                                 size_t bytes, uint32_t domain);

/*
 * Sixteen messages anywhere, each as long as it is: where they are, and what a call does
 * in each lane. All of it follows from public addresses and lengths; kernels on AVX-512
 * load addresses from here into general registers, and nothing else (lab/ct/opcodes.py). A lane
 * without a message has memory of its own where the others have theirs.
 */
#define HANJI_RAGGED_LANES 16
typedef struct hanji_lanes_ragged {
    const uint8_t *nonce[HANJI_RAGGED_LANES], *key[HANJI_RAGGED_LANES];
    const uint8_t *in[HANJI_RAGGED_LANES];
    uint8_t *out[HANJI_RAGGED_LANES];
    uint32_t mask[HANJI_RAGGED_LANES];   /* bit i: byte i of a row is there */
    uint32_t left[HANJI_RAGGED_LANES];   /* of a last chunk: its bytes */
    uint32_t domain[HANJI_RAGGED_LANES]; /* and its domain, shifted */
    size_t quiet;                        /* nothing comes out */
} hanji_lanes_ragged;

/*
 * SCHWAEMM over them, in steps, all lanes together; bit l of `active` is set for the lanes that
 * take part, the others keep their states. `begin` makes the states. `seal` and `open` take whole
 * chunks with more to come, from `at` bytes behind in[] on: the mask of a lane that takes part has
 * all bits of a chunk, those of the others none. `seal_last` and `open_last` take the last chunks,
 * of 1 byte or more. `end` writes the tags to out[]. States are in the order of hanji_lanes_uniform.
 */
typedef struct hanji_lanes_ragged_fns {
    void (*begin)(uint32_t *state, const hanji_lanes_ragged *ragged);
    void (*seal)(uint32_t *state, const hanji_lanes_ragged *ragged, size_t at, size_t chunks,
                 uint32_t active);
    void (*open)(uint32_t *state, const hanji_lanes_ragged *ragged, size_t at, size_t chunks,
                 uint32_t active);
    void (*seal_last)(uint32_t *state, const hanji_lanes_ragged *ragged, uint32_t active);
    void (*open_last)(uint32_t *state, const hanji_lanes_ragged *ragged, uint32_t active);
    void (*end)(uint32_t *state, const hanji_lanes_ragged *ragged);
} hanji_lanes_ragged_fns;

/*
 * ESCH likewise: `pairs` of whole blocks with more to come; one such block; the last block, of 0
 * bytes or more; up to 16 bytes of output to out[], as masks say; and the permutation between two
 * of those.
 */
typedef struct hanji_lanes_ragged_hash {
    void (*pairs)(uint32_t *state, const hanji_lanes_ragged *ragged, size_t at, size_t pairs,
                  uint32_t active);
    void (*block)(uint32_t *state, const hanji_lanes_ragged *ragged, uint32_t active);
    void (*last)(uint32_t *state, const hanji_lanes_ragged *ragged, uint32_t active);
    void (*squeeze)(uint32_t *state, const hanji_lanes_ragged *ragged);
    void (*slim)(uint32_t *state, const hanji_lanes_ragged *ragged);
} hanji_lanes_ragged_hash;

#ifdef HANJI_X86
hanji_lanes_hash_fn hanji_esch256_avx512_uniform_x16, hanji_esch384_avx512_uniform_x16;
extern const hanji_lanes_uniform hanji_schwaemm256_128_avx512_uniform_x16,
    hanji_schwaemm192_192_avx512_uniform_x16, hanji_schwaemm128_128_avx512_uniform_x16,
    hanji_schwaemm256_256_avx512_uniform_x16;
extern const hanji_lanes_ragged_fns hanji_schwaemm256_128_avx512_ragged_x16,
    hanji_schwaemm192_192_avx512_ragged_x16, hanji_schwaemm128_128_avx512_ragged_x16,
    hanji_schwaemm256_256_avx512_ragged_x16;
extern const hanji_lanes_ragged_hash hanji_esch256_avx512_ragged_x16,
    hanji_esch384_avx512_ragged_x16;
#endif

/*
 * Whether the next `lanes` messages are as long as each other and lie one after the other, as those
 * of a fleet do unless they are taken by length.
 */
HANJI_INLINE int hanji_lanes_are_uniform(const hanji_fleet_item *next, size_t waiting, size_t lanes)
{
    size_t differ = 0;
    if (waiting < lanes)
        return 0;
    for (size_t at = 1; at < lanes; at++)
        differ |= (next[at].bytes ^ next->bytes) | (next[at].ad_bytes ^ next->ad_bytes) |
                  ((size_t)(next[at].status - next->status) ^ at);
    return differ == 0;
}

#if defined(HANJI_A64)

/* Where word `word` of lane `lane` lies among states of `words` words. */
HANJI_INLINE size_t hanji_lanes_word(size_t word, size_t lane, size_t lanes, size_t words)
{
    (void)lanes;
    return words * lane + word;
}

/* Where 16-byte piece `piece` of the chunk of lane `lane` lies in the stage. */
HANJI_INLINE size_t hanji_lanes_piece(size_t lane, size_t piece, size_t lanes)
{
    (void)lanes;
    return HANJI_LANES_RATE_MAX * lane + 16 * piece;
}

#else

HANJI_INLINE size_t hanji_lanes_word(size_t word, size_t lane, size_t lanes, size_t words)
{
    (void)words;
    return word * lanes + lane;
}

/* In the order that a transpose of 4 x 4 words within 128 bits takes. */
HANJI_INLINE size_t hanji_lanes_piece(size_t lane, size_t piece, size_t lanes)
{
    return 16 * (piece * lanes + (lane % 4) * (lanes / 4) + lane / 4);
}

#endif

/* A whole chunk to the stage, or from it. */
HANJI_INLINE void hanji_lanes_put(uint8_t *stage, const uint8_t *chunk, size_t at, size_t lanes,
                                  size_t rate)
{
    for (size_t piece = 0; 16 * piece < rate; piece++)
        memcpy(stage + hanji_lanes_piece(at, piece, lanes), chunk + 16 * piece,
               rate - 16 * piece < 16 ? rate - 16 * piece : 16);
}

HANJI_INLINE void hanji_lanes_get(uint8_t *chunk, const uint8_t *stage, size_t at, size_t lanes,
                                  size_t rate)
{
    for (size_t piece = 0; 16 * piece < rate; piece++)
        memcpy(chunk + 16 * piece, stage + hanji_lanes_piece(at, piece, lanes),
               rate - 16 * piece < 16 ? rate - 16 * piece : 16);
}

/*
 * The rounds of this build. XOESCH runs those of ESCH: they differ in the domain, which the engine
 * brings.
 */
#if defined(HANJI_X86)
#define HANJI_LANES_DECLARE(id) hanji_lanes_round_fn hanji_##id##_avx2_round_x8;
#elif defined(HANJI_A64)
#define HANJI_LANES_DECLARE(id)                      \
    hanji_lanes_round_fn hanji_##id##_neon_round_x4; \
    hanji_lanes_run_fn hanji_##id##_neon_run_x4;
#else
#define HANJI_LANES_DECLARE(id)
#endif
HANJI_LANES_DECLARE(schwaemm256_128)
HANJI_LANES_DECLARE(schwaemm192_192)
HANJI_LANES_DECLARE(schwaemm128_128)
HANJI_LANES_DECLARE(schwaemm256_256)
HANJI_LANES_DECLARE(esch256)
HANJI_LANES_DECLARE(esch384)

#endif
