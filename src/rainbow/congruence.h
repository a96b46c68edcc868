/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quadratic forms in new variables: the step of key generation, over any field and any two groups
 * of variables.
 */
#ifndef HANJI_RAINBOW_CONGRUENCE_H
#define HANJI_RAINBOW_CONGRUENCE_H

#include "rainbow/matrix.h"

/*
 * The forms q(x, y) = x' U x + x' C y, one for each element of a coefficient vector, with `rows`
 * variables x and `columns` variables y. With x = x + T y they become x' U x + x' (sym(U) T + C) y
 * + y' T' (U T + C) y, sym(U) being U + U'.
 */
typedef struct congruence {
    const hanji_matrix_kernels *kernels;
    size_t bytes; /* of a coefficient vector */
    /*
     * U is upper triangular, in blocks over the first and the second group of x; the blocks of the
     * second may be missing (NULL): then they are zero,
     */
    size_t first, second; /* and with `second` 0 there is no such group. */
    const uint8_t *u11, *u12, *u22;
    /* C: the rows of both groups, NULL: zero. */
    size_t columns;
    const uint8_t *c1, *c2;
    /* T: packed columns for both groups. */
    const uint8_t *t1, *t2;
    /*
     * Results: sym(U) T + C by groups of rows, and T' (U T + C) folded to a triangle, which is
     * added. NULL: not wanted. c1 may be x1, c2 may be x2.
     */
    uint8_t *x1, *x2, *y;
} congruence;

/* Working memory for as many rows, columns and bytes. */
size_t hanji_congruence_scratch(size_t rows, size_t columns, size_t bytes);
void hanji_congruence(const congruence *job, uint8_t *scratch);

#endif
