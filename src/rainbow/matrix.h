/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linear algebra over GF(16) and GF(256): the contract of the kernels. Nothing here knows Rainbow.
 *
 * Vectors are packed: two elements of GF(16) in a byte, the low nibble first; one of GF(256) in a
 * byte. Constants are first turned into multipliers, whose layout belongs to the kernel set, so
 * that the work and the secrecy of that step are paid once for many products: no table is indexed
 * by a constant in memory.
 */
#ifndef HANJI_RAINBOW_MATRIX_H
#define HANJI_RAINBOW_MATRIX_H

#include "support/cpu.h"

#include <stddef.h>
#include <stdint.h>

/* The most bytes of one multiplier in any set, and its alignment. */
#define HANJI_MULTIPLIER_BYTES_MAX 32
#define HANJI_MATRIX_ALIGN 64

/*
 * Columns of a linear system lie this far apart and have one element per byte, zeros behind the
 * last; at most 64 equations.
 */
static inline size_t hanji_system_column(size_t size)
{
    return size <= 32 ? 32 : 64;
}
#define HANJI_SYSTEM_MAX 64
/* Bytes of a system, with room to work on columns in pairs. */
#define HANJI_SYSTEM_BYTES ((HANJI_SYSTEM_MAX + 2) * HANJI_SYSTEM_MAX)

/* multipliers = those of `count` packed elements; up to 15 more are written. */
#define HANJI_MULTIPLIERS_BEYOND 15
typedef void hanji_matrix_prepare_fn(void *multipliers, const uint8_t *elements, size_t count);

/*
 * out += sum of multipliers[j] * (the `bytes` bytes at in + j * stride), j < count. `bytes` is at
 * least 16. Reads nothing else.
 */
typedef void hanji_matrix_accumulate_fn(uint8_t *out, const uint8_t *in, size_t stride,
                                        size_t bytes, const void *multipliers, size_t count);

/*
 * Solve the system of `size` equations: `system`, of HANJI_SYSTEM_BYTES aligned bytes, holds its
 * columns and then the right side, and is destroyed. The solution replaces the right side. 1, or 0
 * when there is no single solution; the answer is secret and no branch depends on it.
 */
typedef uint32_t hanji_matrix_solve_fn(uint8_t *system, size_t size);

/*
 * out = sum over i <= j < count of x_i x_j * (the `bytes` bytes for the pair i, j, which lie one
 * after the other, i outside). PUBLIC DATA ONLY: addresses depend on x. `x` has one element per
 * byte, and zeros up to a multiple of 16. `scratch` has HANJI_MATRIX_ALIGN-aligned
 * HANJI_EVALUATE_SCRATCH bytes.
 */
#define HANJI_EVALUATE_SCRATCH (256 * 128)
typedef void hanji_matrix_evaluate_fn(uint8_t *out, const uint8_t *in, size_t bytes,
                                      const uint8_t *x, size_t count, uint8_t *scratch);

/* The kernels of one field and one tier, which share the layout of multipliers. */
typedef struct hanji_matrix_kernels {
    const char *name;  /* for example "gf16_neon"; NULL ends a table */
    const char *tier;  /* as hanji_force() calls it */
    uint32_t features; /* CPU features (cpu.h) */
    uint32_t bits;     /* of an element: 4 or 8 */
    uint32_t multiplier_bytes;
    hanji_matrix_prepare_fn *prepare;
    hanji_matrix_accumulate_fn *accumulate;
    hanji_matrix_solve_fn *solve;
    hanji_matrix_evaluate_fn *evaluate;
} hanji_matrix_kernels;

/* The tables, best first, portable last. */
extern const hanji_matrix_kernels hanji_gf16_kernels[], hanji_gf256_kernels[];

/* The best set for elements of `bits` bits that may be used now. */
const hanji_matrix_kernels *hanji_matrix_best(uint32_t bits);

#define HANJI_FIELD_KERNELS(tier)                                                               \
    hanji_matrix_prepare_fn hanji_gf16_##tier##_prepare, hanji_gf256_##tier##_prepare;          \
    hanji_matrix_accumulate_fn hanji_gf16_##tier##_accumulate, hanji_gf256_##tier##_accumulate; \
    hanji_matrix_solve_fn hanji_gf16_##tier##_solve, hanji_gf256_##tier##_solve;                \
    hanji_matrix_evaluate_fn hanji_gf16_##tier##_evaluate, hanji_gf256_##tier##_evaluate

HANJI_FIELD_KERNELS(portable);
#ifdef HANJI_A64
HANJI_FIELD_KERNELS(neon);
#endif

#endif
