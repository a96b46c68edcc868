/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels for matrices over GF(16) and GF(256), best first, and the choice among them. */
#include "hanji/rainbow.h"
#include "rainbow/matrix.h"
#include "support/cpu.h"

#define SET(field, isa, bit_count, size, feature_bits, evaluation)                                                                            \
    {                                                                                                                                         \
        .name = #field "_" #isa, .tier = #isa, .features = (feature_bits), .bits = (bit_count), .multiplier_bytes = (size),                   \
        .prepare = hanji_##field##_##isa##_prepare, .accumulate = hanji_##field##_##isa##_accumulate, .solve = hanji_##field##_##isa##_solve, \
        .evaluate = (evaluation)                                                                                                              \
    }

const hanji_matrix_kernels hanji_gf16_kernels[] = {
#ifdef HANJI_X86
    SET(gf16, avx512, 4, 8, HANJI_CPU_AVX512, NULL),
    SET(gf16, avx2, 4, 16, HANJI_CPU_AVX2, NULL),
#endif
#ifdef HANJI_A64
    SET(gf16, neon, 4, 16, HANJI_CPU_NEON, hanji_gf16_neon_evaluate),
#endif
    SET(gf16, portable, 4, 1, HANJI_CPU_PORTABLE, hanji_gf16_portable_evaluate),
    {.name = NULL},
};

const hanji_matrix_kernels hanji_gf256_kernels[] = {
#ifdef HANJI_X86
    SET(gf256, avx512, 8, 8, HANJI_CPU_AVX512, NULL),
    SET(gf256, avx2, 8, 32, HANJI_CPU_AVX2, NULL),
#endif
#ifdef HANJI_A64
    SET(gf256, neon, 8, 32, HANJI_CPU_NEON, hanji_gf256_neon_evaluate),
#endif
    SET(gf256, portable, 8, 1, HANJI_CPU_PORTABLE, hanji_gf256_portable_evaluate),
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

static const char *const operations[] = {"prepare", "accumulate", "solve", "evaluate"};

/* Kernel number `index` of both tables; counts them all when there is none. */
static const hanji_matrix_kernels *kernel_at(size_t index, size_t *operation, size_t *count)
{
    const hanji_matrix_kernels *const tables[] = {hanji_gf16_kernels, hanji_gf256_kernels};
    *count = 0;
    for (size_t t = 0; t < 2; t++)
        for (const hanji_matrix_kernels *row = tables[t]; row->name != NULL; row++)
            for (*operation = 0; *operation < (row->evaluate != NULL ? 4u : 3u); ++*operation)
                if ((*count)++ == index)
                    return row;
    return NULL;
}

size_t hanji_rainbow_kernel_count(void)
{
    size_t operation, count;
    (void)kernel_at(SIZE_MAX, &operation, &count);
    return count;
}

int hanji_rainbow_kernel_at(hanji_kernel_info *info, size_t index)
{
    size_t operation, count;
    const hanji_matrix_kernels *row = kernel_at(index, &operation, &count);
    if (info == NULL || row == NULL)
        return HANJI_E_ARGUMENT;
    *info = (hanji_kernel_info){.name = row->name,
                                .tier = row->tier,
                                .operation = operations[operation],
                                .algorithm = row->bits == 4 ? "gf16" : "gf256",
                                .group = 1,
                                .minimum = 1,
                                .usable = (row->features & ~hanji_cpu_features()) == 0};
    return HANJI_OK;
}
