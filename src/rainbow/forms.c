/* SPDX-License-Identifier: Apache-2.0 */
/* In two levels, x_i times (sum over j of x_j times vector): as many products as vectors, and one more per row. */
#include "rainbow/forms.h"

#include "support/bytes.h"

void hanji_form_triangle(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *multipliers, size_t count, uint8_t *lines,
                         const hanji_matrix_kernels *kernels)
{
    memset(lines, 0, count * bytes);
    for (size_t i = 0; i < count; i++) {
        kernels->accumulate(lines + i * bytes, in, bytes, bytes, multipliers + i * kernels->multiplier_bytes, count - i);
        in += (count - i) * bytes;
    }
    kernels->accumulate(out, lines, bytes, bytes, multipliers, count);
}

void hanji_form_rectangle(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *x, size_t rows, const uint8_t *y, size_t columns,
                          uint8_t *lines, const hanji_matrix_kernels *kernels)
{
    memset(lines, 0, rows * bytes);
    for (size_t i = 0; i < rows; i++)
        kernels->accumulate(lines + i * bytes, in + i * columns * bytes, bytes, bytes, y, columns);
    kernels->accumulate(out, lines, bytes, bytes, x, rows);
}
