/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The paper's multipliers and ours between marks, after their results have been compared with the
 * portable kernel: rainbow_multiplier paper|ours BITS COLUMN_BYTES COLUMNS. "ours" makes the
 * multipliers of all constants and adds all columns; "paper" is one call of the published code.
 */
#include "mark.h"
#include "rainbow/matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void paper_gf16_multiply(uint8_t *out, const uint8_t *in, uint32_t constant);
void paper_gf256_multiply(uint8_t *out, const uint8_t *in, uint32_t constant);

int main(int count, char **arguments)
{
    static uint8_t in[2304 * 96], constants[128], out[2304], expected[2304],
        multipliers[(128 + HANJI_MULTIPLIERS_BEYOND) * HANJI_MULTIPLIER_BYTES_MAX];
    if (count != 5)
        return 2;
    const uint32_t bits = (uint32_t)atoi(arguments[2]);
    const size_t bytes = (size_t)atoi(arguments[3]), columns = (size_t)atoi(arguments[4]);
    const hanji_matrix_kernels *ours = hanji_matrix_best(bits),
                               *portable = bits == 4 ? hanji_gf16_kernels : hanji_gf256_kernels;
    if (bytes > 2304 || columns > 96)
        return 2;
    while (portable[1].name != NULL)
        portable++;
    for (size_t i = 0; i < sizeof in; i++)
        in[i] = (uint8_t)(i * 37 ^ i >> 7);
    if (arguments[1][0] == 'p')
        for (uint32_t c = 0; c < 1u << bits; c++) {
            void (*const multiply)(uint8_t *, const uint8_t *, uint32_t) =
                bits == 4 ? paper_gf16_multiply : paper_gf256_multiply;
            constants[0] = (uint8_t)c;
            memset(out, 1, 32);
            memset(expected, 1, 32);
            portable->prepare(multipliers, constants, 1);
            portable->accumulate(expected, in + c, bytes, bits == 4 ? 16 : 32, multipliers, 1);
            if (c == 7)
                HANJI_LAB_BEGIN();
            multiply(out, in + c, c);
            if (c == 7)
                HANJI_LAB_END();
            if (memcmp(out, expected, 32) != 0)
                return 1;
        }
    else {
        for (size_t i = 0; i < sizeof constants; i++)
            constants[i] = (uint8_t)(i * 91 + 5);
        portable->prepare(multipliers, constants, columns);
        portable->accumulate(expected, in, bytes, bytes, multipliers, columns);
        HANJI_LAB_BEGIN();
        ours->prepare(multipliers, constants, columns);
        ours->accumulate(out, in, bytes, bytes, multipliers, columns);
        HANJI_LAB_END();
        if (memcmp(out, expected, bytes) != 0)
            return 1;
    }
    puts("equal");
    return 0;
}
