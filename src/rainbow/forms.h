/* SPDX-License-Identifier: Apache-2.0 */
/* Quadratic forms at a point, from multipliers of its elements. */
#ifndef HANJI_RAINBOW_FORMS_H
#define HANJI_RAINBOW_FORMS_H

#include "rainbow/matrix.h"

/*
 * out += sum over i < rows and step * i <= j < columns of x_i y_j * (vector i, j of `in`), for
 * vectors of `bytes` bytes, at least 16: a rectangle with `step` 0, with `step` 1 the first rows of
 * a triangle, whose y = x. `lines` has rows * bytes bytes.
 */
void hanji_form(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *x, size_t rows,
                const uint8_t *y, size_t columns, size_t step, uint8_t *lines,
                const hanji_matrix_kernels *kernels);

/* A whole triangle. */
static inline void hanji_form_triangle(uint8_t *out, const uint8_t *in, size_t bytes,
                                       const uint8_t *multipliers, size_t count, uint8_t *lines,
                                       const hanji_matrix_kernels *kernels)
{
    hanji_form(out, in, bytes, multipliers, count, multipliers, count, 1, lines, kernels);
}

#endif
