/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The lane scheduler: many independent hashes of one form (nodes of seed trees, commitments), as
 * many at once as the widest kernel has lanes, and beside them up to three long hashes, which
 * take a lane whenever a block of theirs is ready or wanted.
 */
#ifndef HANJI_AIMER_LANES_H
#define HANJI_AIMER_LANES_H

#include "aimer/aimer.h"

#if HANJI_KECCAK_LANES_MAX > 1
#define LANES_LONG_HASHES 3u
#else
#define LANES_LONG_HASHES 2u
#endif

/*
 * A long message being absorbed; [next, end) is there and not yet absorbed. Or a long output; its
 * words to [out, out_end) are still to come.
 */
typedef struct hanji_long_hash {
    uint64_t state[HANJI_KECCAK_WORDS];
    const uint8_t *next, *end;
    uint64_t *out, *out_end;
} hanji_long_hash;

/* Hashes that differ in a seed and in an index, and where the seed stands in the padded block. */
typedef struct hanji_hash_form {
    /* the padded block with seed and index left out, and zeros up to the state's end */
    uint64_t input[HANJI_KECCAK_WORDS];
    uint32_t seed_word, seed_shift; /* shift in bits: 8, 24 or 40 */
    uint32_t index_word;            /* the index begins at bit 8 of this word */
    uint32_t seed_words, rate_words;
    uint32_t byte_words;  /* of the output go to `bytes` */
    uint32_t octet_words; /* and then to `octet` */
} hanji_hash_form;

typedef struct hanji_lanes {
    uint64_t states[HANJI_KECCAK_WORDS * HANJI_KECCAK_LANES_MAX];
    uint8_t *bytes[HANJI_KECCAK_LANES_MAX];
    uint64_t *octet[HANJI_KECCAK_LANES_MAX];
    const hanji_hash_form *form;
    hanji_long_hash *long_hash[LANES_LONG_HASHES];
    hanji_keccak_fn *permute, *permute_single;
    uint32_t width, used, room, rate_words;
    /* long hashes that have a lane, and a bit for each of them whose state is in it */
    uint16_t placed_count, in_lanes;
    uint8_t placed[8]; /* their numbers */
    /* words from the states' begin to those of the first lane that the form names */
    uint32_t index_at, seed_at;
} hanji_lanes;

void hanji_lanes_init(hanji_lanes *lanes, uint32_t rate);
/* Go on with hashes of this form; all before are finished. */
void hanji_lanes_form(hanji_lanes *lanes, const hanji_hash_form *form);
/* One hash: 8-byte words of output to `bytes` (any alignment) and then to one party of octets. */
void hanji_lanes_add(hanji_lanes *lanes, const uint8_t *seed, uint32_t index, uint8_t *bytes,
                     uint64_t *octet);
/* Finish what was added. */
void hanji_lanes_flush(hanji_lanes *lanes);
/* Let the long hashes absorb all whole blocks that are there. */
void hanji_lanes_drain(hanji_lanes *lanes);
/* A long output begins: `words` words to `out`, from a state, its first block. */
void hanji_lanes_give(const hanji_lanes *lanes, hanji_long_hash *hash, const uint64_t *state,
                      uint64_t *out, size_t words);
/* A long output up to `past` is wanted now; beside it the other long hashes go on. */
void hanji_lanes_want(hanji_lanes *lanes, hanji_long_hash *hash, const uint64_t *past);

#endif
