/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels for matrices over GF(16) and GF(256) and for key streams, best first, and the choice
 * among them.
 */
#include "hanji/rainbow.h"
#include "rainbow/matrix.h"
#include "rainbow/stream.h"
#include "support/cpu.h"

#define SET(field, isa, bit_count, size)                                                          \
    .name = #field "_" #isa, .tier = #isa, .bits = (bit_count), .multiplier_bytes = (size),       \
    .prepare = hanji_##field##_##isa##_prepare, .accumulate = hanji_##field##_##isa##_accumulate, \
    .solve = hanji_##field##_##isa##_solve

const hanji_matrix_kernels hanji_gf16_kernels[] = {
#ifdef HANJI_X86
    {SET(gf16, avx512, 4, 8), .features = HANJI_CPU_AVX512, .form = hanji_gf16_avx512_form},
    {SET(gf16, avx2, 4, 16), .features = HANJI_CPU_AVX2, .evaluate = hanji_gf16_avx2_evaluate},
    {SET(gf16, ssse3, 4, 16), .features = HANJI_CPU_SSSE3},
#endif
#ifdef HANJI_A64
    {SET(gf16, neon, 4, 16), .features = HANJI_CPU_NEON, .evaluate = hanji_gf16_neon_evaluate},
#endif
    {SET(gf16, portable, 4, 1), .features = HANJI_CPU_PORTABLE,
     .evaluate = hanji_gf16_portable_evaluate},
    {.name = NULL},
};

const hanji_matrix_kernels hanji_gf256_kernels[] = {
#ifdef HANJI_X86
    {SET(gf256, avx512, 8, 8), .features = HANJI_CPU_AVX512, .form = hanji_gf256_avx512_form},
    {SET(gf256, avx2, 8, 32), .features = HANJI_CPU_AVX2, .evaluate = hanji_gf256_avx2_evaluate},
    {SET(gf256, ssse3, 8, 32), .features = HANJI_CPU_SSSE3},
#endif
#ifdef HANJI_A64
    {SET(gf256, neon, 8, 32), .features = HANJI_CPU_NEON, .evaluate = hanji_gf256_neon_evaluate},
#endif
    {SET(gf256, portable, 8, 1), .features = HANJI_CPU_PORTABLE,
     .evaluate = hanji_gf256_portable_evaluate},
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

static const hanji_aes256_kernels aes256[] = {
#ifdef HANJI_X86
    {"aes256_avx512", "avx512", HANJI_CPU_AVX512, hanji_aes256_avx512_expand,
     hanji_aes256_avx512_stream},
#endif
    {.name = NULL},
};

const hanji_aes256_kernels *hanji_aes256_best(void)
{
    const hanji_aes256_kernels *row = aes256;
    while (row->name != NULL && (row->features & ~hanji_cpu_features()) != 0)
        row++;
    return row->name == NULL ? NULL : row;
}

/* Describe kernel number `index` of all tables; when there is none, 0, and the number of all. */
static int kernel_at(hanji_kernel_info *info, size_t index, size_t *count)
{
    const hanji_matrix_kernels *const tables[] = {hanji_gf16_kernels, hanji_gf256_kernels};
    *count = 0;
    for (size_t t = 0; t < 2; t++)
        for (const hanji_matrix_kernels *row = tables[t]; row->name != NULL; row++) {
            const struct {
                const char *name;
                int present;
            } operations[] = {
                {"prepare", 1},
                {"accumulate", 1},
                {"solve", 1},
                {"evaluate", row->evaluate != NULL},
                {"form", row->form != NULL},
            };
            for (size_t o = 0; o < sizeof operations / sizeof operations[0]; o++)
                if (operations[o].present && (*count)++ == index) {
                    *info =
                        (hanji_kernel_info){.name = row->name,
                                            .tier = row->tier,
                                            .operation = operations[o].name,
                                            .algorithm = row->bits == 4 ? "gf16" : "gf256",
                                            .usable = (row->features & ~hanji_cpu_features()) == 0};
                    return 1;
                }
        }
    for (const hanji_aes256_kernels *row = aes256; row->name != NULL; row++)
        for (size_t o = 0; o < 2; o++)
            if ((*count)++ == index) {
                *info = (hanji_kernel_info){.name = row->name,
                                            .tier = row->tier,
                                            .operation = o == 0 ? "expand" : "stream",
                                            .algorithm = "aes256",
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
