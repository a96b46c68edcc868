/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The room of AIMer v2.1 and v1.0: one code for 18 parameter sets. Sources: the submissions of the AIMer team to NIST (v1.0) and to KpqC (v2.1). Names are theirs:
 * S input S-boxes, T repetitions, N parties; an element of GF(2^n) has n / 64 words.
 */
#ifndef HANJI_AIMER_AIMER_H
#define HANJI_AIMER_AIMER_H

#include "hanji/sign.h"
#include "keccak/keccak.h"
#include "support/kernel.h"

#define AIMER_WORDS_MAX 4u
#define AIMER_SBOXES_MAX 3u
#define AIMER_BYTES_MAX 32u
#define AIMER_REPETITIONS_MAX 65u
#define AIMER_STEPS_MAX 13u

/* One step of a power map: z_k = z_base^(2^squarings) * z_factor; z_0 is the input. */
typedef struct hanji_aimer_step {
    uint8_t base, squarings, factor;
} hanji_aimer_step;

typedef struct hanji_aimer_chain {
    uint8_t exponent; /* e of 2^e - 1 */
    uint8_t steps;
    hanji_aimer_step step[AIMER_STEPS_MAX];
} hanji_aimer_chain;

/* What sets of one version and one n have in common. */
typedef struct hanji_aimer_level {
    uint8_t version; /* 1 or 2 */
    uint8_t broken;  /* 1: anybody signs for any public key */
    uint8_t words;   /* n / 64 */
    uint8_t sboxes;
    uint8_t rate;
    hanji_aimer_chain in[AIMER_SBOXES_MAX], out;
    uint64_t gamma[AIMER_SBOXES_MAX][AIMER_WORDS_MAX];
} hanji_aimer_level;

struct hanji_aimer {
    const char *name;
    const hanji_aimer_level *level;
    uint8_t id; /* v1.0: first byte of keys; v2.1: 0, no such byte */
    uint8_t repetitions, depth;
    uint16_t parties;
    uint16_t public_bytes, secret_bytes, signature_bytes;
};

/* The kernels over shares; best first. A matrix is applied by the tier that prepared it. */
extern const hanji_kernel hanji_aimer_kernels[];

/* Bytes of a prepared matrix: n * n / 8 times this, over all tiers of the build. */
#if defined(HANJI_FREESTANDING)
#define AIMER_MATRIX_FACTOR 1u
#else
#define AIMER_MATRIX_FACTOR 4u
#endif

/* The kernels that one key uses. */
typedef struct hanji_aimer_algebra {
    hanji_prepare_fn *prepare;
    hanji_apply_fn *apply;
    hanji_products_fn *products;
    hanji_power_fn *power;
} hanji_aimer_algebra;

void hanji_aimer_algebra_select(hanji_aimer_algebra *algebra);

void hanji_aimer_prepare_portable(void *matrix, const uint64_t *columns, uint32_t words);
void hanji_aimer_apply_portable(uint64_t *out, size_t out_stride, const uint64_t *in, size_t in_stride, size_t octets, const void *matrix,
                                uint32_t words, int accumulate);
void hanji_aimer_products_portable(uint64_t *out, size_t out_stride, const uint64_t *base, size_t base_stride, const hanji_term *terms,
                                   uint32_t count, size_t octets, uint32_t words);
void hanji_aimer_power_portable(uint64_t *out, const uint64_t *base, uint32_t squarings, const uint64_t *factor, uint32_t words);

hanji_prepare_fn hanji_aimer_avx2_prepare;
hanji_apply_fn hanji_aimer_avx2_apply;
hanji_products_fn hanji_aimer_avx2_products;
hanji_power_fn hanji_aimer_avx2_power;
hanji_prepare_fn hanji_aimer_avx512_prepare;
hanji_apply_fn hanji_aimer_sha3_apply;
hanji_prepare_fn hanji_aimer_neon_prepare;
hanji_apply_fn hanji_aimer_neon_apply;
hanji_products_fn hanji_aimer_pmull_products;
hanji_power_fn hanji_aimer_pmull_power;

/* An expanded key. The matrices lie behind it: A_1 .. A_S, the maps of the S-boxes, and that of the output. */
typedef struct hanji_aimer_expanded {
    const hanji_aimer *set;
    hanji_aimer_algebra algebra;
    uint32_t secret; /* key, t and x_star are there */
    size_t matrix_words;
    uint64_t *matrices;
    uint64_t key[AIMER_WORDS_MAX], iv[AIMER_WORDS_MAX], ct[AIMER_WORDS_MAX], b[AIMER_WORDS_MAX];
    uint64_t t[AIMER_SBOXES_MAX][AIMER_WORDS_MAX], x_star[AIMER_WORDS_MAX];
} hanji_aimer_expanded;

/* Words that expanding a key needs beside it. */
size_t hanji_aimer_expand_words(const hanji_aimer *set);
/* Words of an expanded key with its matrices. */
size_t hanji_aimer_expanded_words(const hanji_aimer *set);
/* Fill an expanded key from iv and ct, and from `key` unless it is NULL; `work` has hanji_aimer_expand_words() words. */
void hanji_aimer_expand(hanji_aimer_expanded *expanded, const hanji_aimer *set, const uint64_t *iv, const uint64_t *ct, const uint64_t *key,
                        uint64_t *work);
/* ct of a key, without forming A_s. */
void hanji_aimer_one_way(uint64_t *ct, const uint64_t *key, const uint64_t *iv, const hanji_aimer *set, uint64_t *work);

/* out = in^(2^e - 1) or its inverse, by the chain. */
void hanji_aimer_power_map(uint64_t *out, const uint64_t *in, const hanji_aimer_chain *chain, const hanji_aimer_level *level,
                           const hanji_aimer_algebra *algebra);

#endif
