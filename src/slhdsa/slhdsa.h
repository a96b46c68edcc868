/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The room of SLH-DSA (FIPS 205) with SHAKE. Names are those of the standard: n bytes of a hash
 * value, h' the height of an XMSS tree, d layers of them, k FORS trees of height a, len chains of a
 * WOTS+ key. Every hash of a tree or a chain is one call of Keccak per block, and many are computed
 * in lanes: word w of lane s is states[w * width + s], as the kernels of Keccak want it.
 */
#ifndef HANJI_SLHDSA_SLHDSA_H
#define HANJI_SLHDSA_SLHDSA_H

#include "hanji/slhdsa.h"
#include "keccak/keccak.h"
#include "support/bytes.h"

#define SLH_WORDS_MAX 4u /* of a hash value: n / 8 */
#define SLH_BYTES_MAX 32u
#define SLH_CHAINS_MAX 67u
#define SLH_TREES_MAX 35u
#define SLH_HEIGHT_MAX 14u /* of a FORS tree; XMSS trees are lower */
#define SLH_DIGEST_MAX 49u
#define SLH_STEPS 15u /* of a whole chain: w - 1 */
#define SLH_RATE_WORDS (HANJI_SHAKE256_RATE / 8u)
#define SLH_LANES_MAX HANJI_KECCAK_LANES_MAX

struct hanji_slhdsa {
    const char *name;
    uint8_t words; /* n / 8 */
    uint8_t layers, height, fors_height, fors_trees;
};

HANJI_INLINE uint32_t slh_n(const hanji_slhdsa *set)
{
    return 8u * set->words;
}

/* len */
HANJI_INLINE uint32_t slh_chains(const hanji_slhdsa *set)
{
    return 2 * slh_n(set) + 3;
}

/* Bytes of an XMSS signature: a WOTS+ signature and a path. */
HANJI_INLINE size_t slh_xmss_bytes(const hanji_slhdsa *set)
{
    return (size_t)slh_n(set) * (slh_chains(set) + set->height);
}

/* Bytes of a FORS signature: a secret and a path for each tree. */
HANJI_INLINE size_t slh_fors_bytes(const hanji_slhdsa *set)
{
    return (size_t)slh_n(set) * set->fors_trees * (set->fors_height + 1u);
}

/* Bytes of the digest of a message: for FORS, for the tree's index, for the leaf's. */
HANJI_INLINE uint32_t slh_fors_digest_bytes(const hanji_slhdsa *set)
{
    return ((uint32_t)set->fors_trees * set->fors_height + 7) / 8;
}

HANJI_INLINE uint32_t slh_tree_bits(const hanji_slhdsa *set)
{
    return ((uint32_t)set->layers - 1) * set->height;
}

HANJI_INLINE uint32_t slh_digest_bytes(const hanji_slhdsa *set)
{
    return slh_fors_digest_bytes(set) + (slh_tree_bits(set) + 7) / 8 + (set->height + 7u) / 8;
}

/* What the digest of a message selects; all of it is public. */
typedef struct hanji_slhdsa_place {
    uint64_t tree;
    uint32_t leaf;
    uint32_t opened[SLH_TREES_MAX]; /* the leaf of each FORS tree */
} hanji_slhdsa_place;

/* Whether a set is offered in a mode. */
int hanji_slhdsa_offers(const hanji_slhdsa *set, int mode);
/* The leaf that a digest selects of one FORS tree; the tree of the lowest layer, and its leaf. */
uint32_t hanji_slhdsa_opened(const uint8_t *digest, uint32_t tree, const hanji_slhdsa *set);
void hanji_slhdsa_indices(uint64_t *tree, uint32_t *leaf, const uint8_t *digest,
                          const hanji_slhdsa *set);
/* Algorithm 19, lines 6 to 10. */
void hanji_slhdsa_split(hanji_slhdsa_place *place, const uint8_t *digest, const hanji_slhdsa *set);
/* The digits of n bytes and of their checksum (algorithm 7). */
void hanji_slhdsa_digits(uint8_t *digits, const uint64_t *value, const hanji_slhdsa *set);

/* ---- addresses (section 4.2), as the four words that Keccak takes ---- */

enum {
    SLH_WOTS_HASH,
    SLH_WOTS_PK,
    SLH_TREE,
    SLH_FORS_TREE,
    SLH_FORS_ROOTS,
    SLH_WOTS_PRF,
    SLH_FORS_PRF
};

HANJI_INLINE uint32_t slh_swap32(uint32_t x)
{
    return x >> 24 | (x >> 8 & 0xff00) | (x << 8 & 0xff0000) | x << 24;
}

/* Two big-endian words side by side. */
HANJI_INLINE uint64_t slh_pair(uint32_t first, uint32_t second)
{
    return slh_swap32(first) | (uint64_t)slh_swap32(second) << 32;
}

HANJI_INLINE uint64_t slh_swap64(uint64_t x)
{
    return slh_pair((uint32_t)(x >> 32), (uint32_t)x);
}

/* A part of a long call is done: the firmware may do something else. */
HANJI_INLINE void slh_pause(void)
{
#ifdef HANJI_FREESTANDING
    hanji_yield();
#endif
}

/* ---- lanes ---- */

typedef struct hanji_slhdsa_lanes {
    uint64_t states[HANJI_KECCAK_WORDS * SLH_LANES_MAX];
    /*
     * A padded input of F or PRF in every lane but for the value and the last word of the address:
     * what stays the same from one step of a chain to the next.
     */
    uint64_t frame[HANJI_KECCAK_WORDS * SLH_LANES_MAX];
    hanji_keccak_fn *permute;
    uint32_t width, words;
} hanji_slhdsa_lanes;

/* With the kernel that has most lanes, or with that for one state. */
void hanji_slhdsa_lanes_init(hanji_slhdsa_lanes *lanes, const hanji_kernel *kernel,
                             const hanji_slhdsa *set);
/* PK.seed and the address up to its last word, of one lane. */
void hanji_slhdsa_lanes_address(hanji_slhdsa_lanes *lanes, uint32_t lane, const uint64_t *seed,
                                uint32_t layer, uint64_t tree, uint32_t type, uint32_t key);
/* The same in all lanes. */
void hanji_slhdsa_lanes_address_all(hanji_slhdsa_lanes *lanes, const uint64_t *seed, uint32_t layer,
                                    uint64_t tree, uint32_t type, uint32_t key);
/* Rows of the states: any word, the last word of the address, the first value. */
HANJI_INLINE uint64_t *slh_row(hanji_slhdsa_lanes *lanes, uint32_t word)
{
    return lanes->states + (size_t)word * lanes->width;
}
HANJI_INLINE uint64_t *slh_address_row(hanji_slhdsa_lanes *lanes)
{
    return slh_row(lanes, lanes->words + 3);
}
HANJI_INLINE uint64_t *slh_value_row(hanji_slhdsa_lanes *lanes)
{
    return slh_row(lanes, lanes->words + 4);
}
/*
 * The outputs of the last permutation become the values of the next one. The caller then writes
 * the address row, and may replace values.
 */
void hanji_slhdsa_lanes_next(hanji_slhdsa_lanes *lanes);
/* An input of two values: H. The caller then writes the address row and both values. */
void hanji_slhdsa_lanes_pair(hanji_slhdsa_lanes *lanes);

/* T_l: values of many lanes, one after the other, into a hash of their own (section 4.1). */
typedef struct hanji_slhdsa_sponge {
    uint64_t states[HANJI_KECCAK_WORDS * SLH_LANES_MAX];
    hanji_keccak_fn *permute;
    uint32_t width, words, at;
} hanji_slhdsa_sponge;

void hanji_slhdsa_sponge_init(hanji_slhdsa_sponge *sponge, const hanji_slhdsa_lanes *lanes);
/* One word of one lane; all lanes get theirs before hanji_slhdsa_sponge_step(). */
HANJI_INLINE void slh_sponge_put(hanji_slhdsa_sponge *sponge, uint32_t lane, uint64_t word)
{
    sponge->states[(size_t)sponge->at * sponge->width + lane] ^= word;
}
void hanji_slhdsa_sponge_step(hanji_slhdsa_sponge *sponge);
/* One value of every lane: rows as a permutation leaves them. */
void hanji_slhdsa_sponge_rows(hanji_slhdsa_sponge *sponge, const uint64_t *rows);
/* PK.seed and an address of one lane, whose last word is zero; before any value. */
void hanji_slhdsa_sponge_address(hanji_slhdsa_sponge *sponge, uint32_t lane, const uint64_t *seed,
                                 uint32_t layer, uint64_t tree, uint32_t type, uint32_t key);
/* The hashes are then the first rows of the states. */
void hanji_slhdsa_sponge_end(hanji_slhdsa_sponge *sponge);

/* ---- signing (forest.c) and verifying (verify.c) ---- */

/* A secret key as words, in the order of its bytes. */
typedef struct hanji_slhdsa_key {
    uint64_t sk_seed[SLH_WORDS_MAX], pk_seed[SLH_WORDS_MAX], pk_root[SLH_WORDS_MAX];
} hanji_slhdsa_key;

/* The root of the top tree (algorithm 18, line 1). */
void hanji_slhdsa_root(uint64_t *root, const hanji_slhdsa_key *key, const hanji_slhdsa *set);
/* How far a signature is. */
typedef struct hanji_slhdsa_steps {
    hanji_slhdsa_progress_fn *progress;
    void *state;
    uint64_t done, total;
} hanji_slhdsa_steps;
/*
 * Everything of a signature but its first n bytes; written, or compared with what is there. The
 * code of `progress`, else HANJI_OK, or HANJI_E_TAG for a difference.
 */
int hanji_slhdsa_make(uint8_t *signature, const hanji_slhdsa_place *place,
                      const hanji_slhdsa_key *key, const hanji_slhdsa *set, int compare,
                      hanji_slhdsa_steps *steps);
/* How many steps that takes. */
uint64_t hanji_slhdsa_make_steps(const hanji_slhdsa *set);

/* One signature to verify; the place is that of its message. */
typedef struct hanji_slhdsa_claim {
    const uint8_t *signature;
    uint64_t pk_seed[SLH_WORDS_MAX], pk_root[SLH_WORDS_MAX];
    uint64_t node[SLH_WORDS_MAX]; /* written */
    hanji_slhdsa_place place;
} hanji_slhdsa_claim;
/* Bit i of the result is 1 when claim i is right; at most SLH_LANES_MAX claims. */
uint32_t hanji_slhdsa_judge(hanji_slhdsa_claim *claims, uint32_t count, const hanji_slhdsa *set);

/*
 * A value that depends on a secret and is public from here on, with the reason: for the check of
 * constant time. It does nothing.
 */
void hanji_slhdsa_revealed(const void *memory, size_t bytes, const char *reason);

#endif
