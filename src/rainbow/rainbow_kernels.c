/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels for matrices over GF(16) and GF(256), best first, and the choice among them. Rainbow is
 * broken, so there are no more than portable C and, for the comparison with the paper, NEON.
 */
#include "hanji/rainbow.h"
#include "rainbow/matrix.h"
#include "support/cpu.h"

#define SET(field, isa, bit_count, size)                                                          \
    .name = #field "_" #isa, .tier = #isa, .bits = (bit_count), .multiplier_bytes = (size),       \
    .prepare = hanji_##field##_##isa##_prepare, .accumulate = hanji_##field##_##isa##_accumulate, \
    .solve = hanji_##field##_##isa##_solve, .evaluate = hanji_##field##_##isa##_evaluate

const hanji_matrix_kernels hanji_gf16_kernels[] = {
#ifdef HANJI_A64
    {SET(gf16, neon, 4, 16), .features = HANJI_CPU_NEON},
#endif
    {SET(gf16, portable, 4, 1), .features = HANJI_CPU_PORTABLE},
    {.name = NULL},
};

const hanji_matrix_kernels hanji_gf256_kernels[] = {
#ifdef HANJI_A64
    {SET(gf256, neon, 8, 32), .features = HANJI_CPU_NEON},
#endif
    {SET(gf256, portable, 8, 1), .features = HANJI_CPU_PORTABLE},
    {.name = NULL},
};

const hanji_matrix_kernels *hanji_matrix_best(uint32_t bits)
{
    const uint32_t features = hanji_cpu_features();
    const hanji_matrix_kernels *row = bits == 4 ? hanji_gf16_kernels : hanji_gf256_kernels;
    while ((row->features & ~features) != 0)
        row++;
    return row;
}

/* Describe kernel number `index` of both tables; when there is none, 0, and the number of all. */
static int kernel_at(hanji_kernel_info *info, size_t index, size_t *count)
{
    static const char *const operations[] = {"prepare", "accumulate", "solve", "evaluate"};
    const hanji_matrix_kernels *const tables[] = {hanji_gf16_kernels, hanji_gf256_kernels};
    *count = 0;
    for (size_t t = 0; t < 2; t++)
        for (const hanji_matrix_kernels *row = tables[t]; row->name != NULL; row++)
            for (size_t o = 0; o < sizeof operations / sizeof operations[0]; o++)
                if ((*count)++ == index) {
                    *info =
                        (hanji_kernel_info){.name = row->name,
                                            .tier = row->tier,
                                            .operation = operations[o],
                                            .algorithm = row->bits == 4 ? "gf16" : "gf256",
                                            .usable = (row->features & ~hanji_cpu_features()) == 0};
                    return 1;
                }
    return 0;
}

size_t hanji_rainbow_kernel_count(void)
{
    hanji_kernel_info info;
    size_t count;
    (void)kernel_at(&info, SIZE_MAX, &count);
    return count;
}

int hanji_rainbow_kernel_at(hanji_kernel_info *info, size_t index)
{
    size_t count;
    if (info == NULL || !kernel_at(info, index, &count))
        return HANJI_E_ARGUMENT;
    info->group = info->minimum = 1;
    return HANJI_OK;
}
