/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of every SIMECK variant, best first. */
#include "simeck/simeck.h"

static const hanji_kernel simeck32_64_kernels[] = {
    HANJI_AVX512_ROWS(simeck32_64, 512, 256, 128, 32, (4, 4, 3))
        HANJI_AVX512_STREAMS(simeck32_64, 32, 3)
            HANJI_AVX2_SLICED_ROWS(simeck32_64, 128, 80, 32, 16, (5, 5, 4))
                HANJI_AVX2_STREAMS(simeck32_64, 16, 4) HANJI_NEON_ROWS(simeck32_64, 48, 16, 8)
                    HANJI_NEON_STREAMS(simeck32_64, 8) HANJI_PORTABLE_ROWS(simeck32_64, 32),
    {.name = NULL}};
static const hanji_kernel simeck48_96_kernels[] = {
    HANJI_AVX512_ROWS(simeck48_96, 192, 128, 64, 16, (2, 2, 2))
        HANJI_AVX512_STREAMS(simeck48_96, 16, 2) HANJI_AVX2_ROWS(simeck48_96, 40, 16, 8, (3, 3, 2))
            HANJI_AVX2_STREAMS(simeck48_96, 8, 2) HANJI_NEON_ROWS(simeck48_96, 24, 8, 4)
                HANJI_NEON_STREAMS(simeck48_96, 4) HANJI_PORTABLE_ROWS(simeck48_96, 32),
    {.name = NULL}};
static const hanji_kernel simeck64_128_kernels[] = {
    HANJI_AVX512_ROWS(simeck64_128, 256, 128, 64, 16, (2, 2, 2))
        HANJI_AVX512_STREAMS(simeck64_128, 16, 2)
            HANJI_AVX2_SLICED_ROWS(simeck64_128, 64, 40, 16, 8, (3, 3, 3))
                HANJI_AVX2_STREAMS(simeck64_128, 8, 3) HANJI_NEON_ROWS(simeck64_128, 24, 8, 4)
                    HANJI_NEON_STREAMS(simeck64_128, 4) HANJI_PORTABLE_ROWS(simeck64_128, 32),
    {.name = NULL}};

#define SIMECK_CIPHER(id, printed, macro, bits, key_words, rounds, lanes) \
    HANJI_CIPHER(id, printed, macro, id##_kernels)
SIMECK_VARIANTS(SIMECK_CIPHER)
