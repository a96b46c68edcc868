/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The room of AIMer: one protocol for 24 parameter sets of three generations, v3, v2.1 and v1.0.
 * Sources: the submissions of the AIMer team to NIST (v1.0) and to KpqC (v2.1), and version 3.0
 * (August 2026). Names are theirs: S input S-boxes, T repetitions, N parties; an element of GF(2^n)
 * has n / 64 words. Where generations differ in numbers and orders they are data; where they do
 * something else they have phases of their own: aim2.c the one-way functions AIM and AIM2, aim3.c
 * AIM3, generations.c what is hashed.
 */
#ifndef HANJI_AIMER_AIMER_H
#define HANJI_AIMER_AIMER_H

#include "hanji/sign.h"
#include "keccak/keccak.h"
#include "support/bytes.h"
#include "support/kernel.h"

#define AIMER_WORDS_MAX 4u
#define AIMER_SBOXES_MAX 3u
#define AIMER_RELATIONS_MAX (AIMER_SBOXES_MAX + 1)
#define AIMER_BYTES_MAX 32u
#define AIMER_REPETITIONS_MAX 65u
#define AIMER_STEPS_MAX 13u

/* One step of a power map: z_k = z_base^(2^squarings) * z_factor; z_0 is the input. */
typedef struct hanji_aimer_step {
    uint8_t base, squarings, factor;
} hanji_aimer_step;

typedef struct hanji_aimer_chain {
    uint8_t steps;
    hanji_aimer_step step[AIMER_STEPS_MAX];
} hanji_aimer_chain;

typedef struct hanji_aimer_generation hanji_aimer_generation;

/*
 * What sets of one generation and one n have in common. There are S + 1 relations, the last that of
 * the output.
 */
typedef struct hanji_aimer_level {
    const hanji_aimer_generation *generation;
    uint8_t words; /* n / 64 */
    uint8_t sboxes;
    /* masks a_k of a party, and opened values alpha_k: one for all relations, or one for each */
    uint8_t openings;
    uint8_t rate;
    uint8_t exponent[AIMER_RELATIONS_MAX]; /* e: of 2^e - 1 */
    /* of the S-boxes; of AIM3 one for all: x^(2^(n - 1) - 1) */
    hanji_aimer_chain chain[AIMER_RELATIONS_MAX];
    uint8_t tap[AIMER_RELATIONS_MAX]; /* AIM3: the step of it that gives x^(2^e - 1) */
    uint64_t gamma[AIMER_SBOXES_MAX][AIMER_WORDS_MAX];
} hanji_aimer_level;

struct hanji_aimer {
    const char *name;
    const hanji_aimer_level *level;
    /* v1.0: first byte of keys; v3: first byte of what is hashed of a message; v2.1: 0 */
    uint8_t id;
    uint8_t repetitions, depth;
    uint16_t parties;
    uint16_t public_bytes, secret_bytes, signature_bytes;
};

/*
 * Shares of eight parties stand side by side, an octet: word w of the field element of party p is
 * octet[8 * w + p]. Elements of GF(2^n) have n / 64 words, 2 to 4. Strides count words from one
 * octet to the next.
 */
#define HANJI_AIMER_OCTET 8u
/*
 * The form that HANJI_APPLY of the same tier wants of a public bit matrix, from its n columns in n
 * / 8 octets.
 */
typedef void hanji_aimer_prepare_fn(void *matrix, const uint64_t *columns, uint32_t words);
/* out = M in, or out ^= M in, for every element of `octets` octets. */
typedef void hanji_aimer_apply_fn(uint64_t *out, size_t out_stride, const uint64_t *in,
                                  size_t in_stride, size_t octets, const void *matrix,
                                  uint32_t words, int accumulate);
/* One term of a sum of products: octets of secret shares, times an element that is public. */
typedef struct hanji_aimer_term {
    const uint64_t *in;
    size_t stride;
    const uint64_t *coefficient;
} hanji_aimer_term;
#define HANJI_AIMER_TERMS_MAX 4u
/* out = base + the sum of the terms, for every element of `octets` octets; a base NULL is zero. */
typedef void hanji_aimer_products_fn(uint64_t *out, size_t out_stride, const uint64_t *base,
                                     size_t base_stride, const hanji_aimer_term *terms,
                                     uint32_t count, size_t octets, uint32_t words);
/* out = base^(2^squarings) * factor, elements of n / 64 words, all secret. */
typedef void hanji_aimer_power_fn(uint64_t *out, const uint64_t *base, uint32_t squarings,
                                  const uint64_t *factor, uint32_t words);

/* The kernels over shares; best first. A matrix is applied by the tier that prepared it. */
extern const hanji_kernel hanji_aimer_kernels[];

/* Bytes of a prepared matrix: n * n / 8 times this, over all tiers of the build. */
#if defined(HANJI_FREESTANDING)
#define AIMER_MATRIX_FACTOR 1u
#else
#define AIMER_MATRIX_FACTOR 4u
#endif

/* A part of a long call is done: the firmware may do something else. */
HANJI_INLINE void hanji_aimer_pause(void)
{
#ifdef HANJI_FREESTANDING
    hanji_yield();
#endif
}

/* The kernels that one key uses. */
typedef struct hanji_aimer_algebra {
    hanji_aimer_prepare_fn *prepare;
    hanji_aimer_apply_fn *apply;
    hanji_aimer_products_fn *products;
    hanji_aimer_power_fn *power;
} hanji_aimer_algebra;

void hanji_aimer_algebra_select(hanji_aimer_algebra *algebra);

void hanji_aimer_portable_prepare(void *matrix, const uint64_t *columns, uint32_t words);
void hanji_aimer_portable_apply(uint64_t *out, size_t out_stride, const uint64_t *in,
                                size_t in_stride, size_t octets, const void *matrix, uint32_t words,
                                int accumulate);
/* out = A in, or out ^= A in, of up to eight octets; a chunk has the bytes of a column. */
void hanji_aimer_apply_chunks(uint64_t *out, size_t out_stride, const uint64_t *in,
                              size_t in_stride, size_t octets, const uint8_t *chunks,
                              uint32_t words, int accumulate);
void hanji_aimer_portable_products(uint64_t *out, size_t out_stride, const uint64_t *base,
                                   size_t base_stride, const hanji_aimer_term *terms,
                                   uint32_t count, size_t octets, uint32_t words);
void hanji_aimer_portable_power(uint64_t *out, const uint64_t *base, uint32_t squarings,
                                const uint64_t *factor, uint32_t words);

hanji_aimer_prepare_fn hanji_aimer_avx2_prepare;
hanji_aimer_apply_fn hanji_aimer_avx2_apply;
hanji_aimer_products_fn hanji_aimer_avx2_products;
hanji_aimer_power_fn hanji_aimer_avx2_power;
hanji_aimer_prepare_fn hanji_aimer_avx512_prepare;
hanji_aimer_apply_fn hanji_aimer_sha3_apply;
hanji_aimer_prepare_fn hanji_aimer_neon_prepare;
hanji_aimer_apply_fn hanji_aimer_neon_apply;
hanji_aimer_products_fn hanji_aimer_pmull_products;
hanji_aimer_power_fn hanji_aimer_pmull_power;

/*
 * What an expanded key has of matrices. A compact key has A_1 and so on in the portable form, which
 * is the smallest, and none of the S-boxes' linear sides. A streamed key has room for one matrix,
 * and every use makes all of them again: only one call at a time may use it.
 */
typedef enum hanji_aimer_form {
    AIMER_KEY_FULL,
    AIMER_KEY_COMPACT,
    AIMER_KEY_STREAMED
} hanji_aimer_form;

/* An expanded key. The matrices lie behind it: A_1 and so on, then those of the S-boxes. */
#define AIMER_KEY_READY 0x41494d4b6579ull /* no other memory than a key's begins so */

typedef struct hanji_aimer_expanded {
    uint64_t ready; /* AIMER_KEY_READY; first, and zero once the key is erased */
    const hanji_aimer *set;
    hanji_aimer_algebra algebra;
    uint32_t secret; /* key, t and y are there */
    hanji_aimer_form form;
    size_t matrix_words;
    uint64_t *matrices;
    uint64_t iv[AIMER_WORDS_MAX], ct[AIMER_WORDS_MAX], b[AIMER_RELATIONS_MAX][AIMER_WORDS_MAX];
    uint64_t key[AIMER_WORDS_MAX], t[AIMER_SBOXES_MAX][AIMER_WORDS_MAX];
    uint64_t y[AIMER_RELATIONS_MAX][AIMER_WORDS_MAX]; /* what the masks a_k are multiplied by */
} hanji_aimer_expanded;

/* Words that expanding a key needs beside it. */
size_t hanji_aimer_expand_words(const hanji_aimer *set, hanji_aimer_form form);
/* Words that hanji_aimer_one_way() needs. */
size_t hanji_aimer_one_way_words(const hanji_aimer *set);
/* Words of an expanded key with its matrices. */
size_t hanji_aimer_expanded_words(const hanji_aimer *set, hanji_aimer_form form);
/*
 * Fill an expanded key from iv and ct, and from `key` unless it is NULL; `work` has
 * hanji_aimer_expand_words() words. A secret key of v3 is refused: HANJI_E_ARGUMENT when an S-box
 * input is zero, HANJI_E_TAG when it does not give ct.
 */
int hanji_aimer_expand(hanji_aimer_expanded *expanded, const hanji_aimer *set, const uint64_t *iv,
                       const uint64_t *ct, const uint64_t *key, hanji_aimer_form form,
                       uint64_t *work);
/* ct of a key, without forming A_j. HANJI_E_ARGUMENT when an S-box input of AIM3 is zero. */
int hanji_aimer_one_way(uint64_t *ct, const uint64_t *key, const uint64_t *iv,
                        const hanji_aimer *set, uint64_t *work);

/* ---- for the one-way functions ---- */

/*
 * All ones for 1 and zero for 0. Compilers would make a multiplication of what follows, which takes
 * varying time where it is a function.
 */
HANJI_INLINE uint64_t hanji_aimer_mask(uint64_t bit)
{
    uint64_t mask = (uint64_t)0 - bit;
#if defined(__GNUC__) || defined(__clang__)
    __asm__("" : "+r"(mask));
#endif
    return mask;
}

/* z_1, z_2, ... of a chain, behind in = z_0. */
void hanji_aimer_run_chain(uint64_t z[][AIMER_WORDS_MAX], const uint64_t *in,
                           const hanji_aimer_chain *chain, const hanji_aimer_level *level,
                           const hanji_aimer_algebra *algebra);
/* Words of an n by n bit matrix. */
size_t hanji_aimer_matrix_words(uint32_t words);
/* The hash of iv, of which matrices and constants are made, begun. */
void hanji_aimer_affine_stream(hanji_shake *shake, const uint64_t *iv,
                               const hanji_aimer_level *level);
/* The next element of it. */
void hanji_aimer_affine_constant(uint64_t *b, hanji_shake *shake, const hanji_aimer_level *level);
/* The columns of the next L and U of v2.1 and v3 out of it. */
void hanji_aimer_triangles(uint64_t *lower, uint64_t *upper, hanji_shake *shake,
                           const hanji_aimer_level *level);
/* The same of v1.0, which packs them. */
void hanji_aimer_packed_triangles(uint64_t *lower, uint64_t *upper, hanji_shake *shake,
                                  const hanji_aimer_level *level);
/* The next matrix A = L U, prepared. */
void hanji_aimer_next_matrix(uint64_t *matrix, uint64_t *work, hanji_shake *shake,
                             const hanji_aimer_expanded *expanded);
/*
 * Prepare the matrix of v -> v^(2^e) + c v; `work` has room for its columns. All of it is public.
 */
void hanji_aimer_frobenius(uint64_t *matrix, uint32_t e, const uint64_t *c, uint32_t words,
                           const hanji_aimer_algebra *algebra, uint64_t *work);
/* sum ^= M in, one element. */
void hanji_aimer_add_product(uint64_t *sum, const uint64_t *in, const uint64_t *matrix,
                             const hanji_aimer_expanded *expanded);
/*
 * Squarings of all elements of octets that follow one another: portable, for what has no matrices
 * for them.
 */
void hanji_aimer_square(uint64_t *octets, size_t count, uint32_t squarings, uint32_t words);

#endif
