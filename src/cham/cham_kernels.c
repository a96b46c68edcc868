/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of every CHAM variant, best first. */
#include "cham/cham.h"
#include "cham/cham_rv32i.h"

static const hanji_kernel cham64_128_kernels[] = {
    HANJI_AVX512_ROWS(cham64_128, 192, 128, 64, 32, (2, 3, 2)) HANJI_AVX512_STREAMS(
        cham64_128, 32, 3) HANJI_AVX2_ROWS_4(cham64_128, 192, 64, 32, 16, (3, 3, 3))
        HANJI_AVX2_STREAMS(cham64_128, 16, 3) HANJI_NEON_ROWS(cham64_128, 32, 16, 8)
            HANJI_NEON_STREAMS(cham64_128, 8) CHAM64_RV32I_ROWS HANJI_PORTABLE_ROWS(cham64_128, 32),
    {.name = NULL}};
static const hanji_kernel cham128_128_kernels[] = {
    HANJI_AVX512_ROWS(cham128_128, 96, 64, 32, 16, (3, 2, 2))
        HANJI_AVX512_STREAMS(cham128_128, 16, 2)
            HANJI_AVX2_ROWS_4(cham128_128, 96, 32, 16, 8, (3, 3, 3))
                HANJI_AVX2_STREAMS(cham128_128, 8, 2) HANJI_NEON_ROWS(cham128_128, 16, 8, 4)
                    HANJI_NEON_STREAMS(cham128_128, 4) HANJI_PORTABLE_ROWS(cham128_128, 32),
    {.name = NULL}};
static const hanji_kernel cham128_256_kernels[] = {
    HANJI_AVX512_ROWS(cham128_256, 96, 64, 32, 16, (3, 2, 2))
        HANJI_AVX512_STREAMS(cham128_256, 16, 2)
            HANJI_AVX2_ROWS_4(cham128_256, 96, 32, 16, 8, (3, 3, 3))
                HANJI_AVX2_STREAMS(cham128_256, 8, 3) HANJI_NEON_ROWS(cham128_256, 16, 8, 4)
                    HANJI_NEON_STREAMS(cham128_256, 4) HANJI_PORTABLE_ROWS(cham128_256, 32),
    {.name = NULL}};
static const hanji_kernel cham64_128_original_kernels[] = {
    HANJI_AVX512_ROWS(cham64_128_original, 192, 128, 64, 32,
                      (2, 3, 2)) HANJI_AVX512_STREAMS(cham64_128_original, 32, 3)
        HANJI_AVX2_ROWS_4(cham64_128_original, 192, 64, 32, 16, (3, 3, 3)) HANJI_AVX2_STREAMS(
            cham64_128_original, 16, 3) HANJI_NEON_ROWS(cham64_128_original, 32, 16, 8)
            HANJI_NEON_STREAMS(cham64_128_original, 8) HANJI_PORTABLE_ROWS(cham64_128_original, 32),
    {.name = NULL}};
static const hanji_kernel cham128_128_original_kernels[] = {
    HANJI_AVX512_ROWS(cham128_128_original, 96, 64, 32, 16, (3, 2, 2))
        HANJI_AVX512_STREAMS(cham128_128_original, 16, 2)
            HANJI_AVX2_ROWS_4(cham128_128_original, 96, 32, 16, 8, (3, 3, 2))
                HANJI_AVX2_STREAMS(cham128_128_original, 8, 2)
                    HANJI_NEON_ROWS(cham128_128_original, 16, 8, 4)
                        HANJI_NEON_STREAMS(cham128_128_original, 4)
                            HANJI_PORTABLE_ROWS(cham128_128_original, 32),
    {.name = NULL}};
static const hanji_kernel cham128_256_original_kernels[] = {
    HANJI_AVX512_ROWS(cham128_256_original, 96, 64, 32, 16, (3, 2, 2))
        HANJI_AVX512_STREAMS(cham128_256_original, 16, 2)
            HANJI_AVX2_ROWS_4(cham128_256_original, 96, 32, 16, 8, (3, 3, 2))
                HANJI_AVX2_STREAMS(cham128_256_original, 8, 2)
                    HANJI_NEON_ROWS(cham128_256_original, 16, 8, 4)
                        HANJI_NEON_STREAMS(cham128_256_original, 4)
                            HANJI_PORTABLE_ROWS(cham128_256_original, 32),
    {.name = NULL}};

#define CHAM_CIPHER(id, printed, macro, bits, key_words, rounds, lanes) \
    HANJI_CIPHER(id, printed, macro, id##_kernels)
CHAM_VARIANTS(CHAM_CIPHER)
