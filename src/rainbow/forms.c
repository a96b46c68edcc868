/* SPDX-License-Identifier: Apache-2.0 */
/*
 * In two levels, x_i times (sum over j of y_j times vector): as many products as vectors, and one
 * more per row.
 */
#include "rainbow/forms.h"

#include "support/bytes.h"

void hanji_form(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *x, size_t rows,
                const uint8_t *y, size_t columns, size_t step, uint8_t *lines,
                const hanji_matrix_kernels *kernels)
{
    memset(lines, 0, rows * bytes);
    for (size_t i = 0; i < rows; i++) {
        kernels->accumulate(lines + i * bytes, in, bytes, bytes, y, columns);
        in += columns * bytes;
        y += step * kernels->multiplier_bytes;
        columns -= step;
    }
    kernels->accumulate(out, lines, bytes, bytes, x, rows);
}
