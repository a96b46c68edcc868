/* SPDX-License-Identifier: Apache-2.0 */
/* Quadratic forms at a point, from multipliers of its elements. */
#ifndef HANJI_RAINBOW_FORMS_H
#define HANJI_RAINBOW_FORMS_H

#include "rainbow/matrix.h"

/*
 * out += sum over i <= j < count of x_i x_j * (vector i, j of the triangle `in`), for all vectors of `bytes` bytes. `lines` has count * bytes bytes, overwritten.
 */
void hanji_form_triangle(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *multipliers, size_t count, uint8_t *lines,
                         const hanji_matrix_kernels *kernels);

/* out += sum over i < rows, j < columns of x_i y_j * (vector i, j of the rectangle `in`). `lines` has rows * bytes bytes. */
void hanji_form_rectangle(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *x, size_t rows, const uint8_t *y, size_t columns,
                          uint8_t *lines, const hanji_matrix_kernels *kernels);

#endif
