/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of every SIMON variant, best first. */
#include "simon/simon.h"

static const hanji_kernel simon32_64_kernels[] = {
    HANJI_AVX512_ROWS(simon32_64, 512, 256, 128, 32, (3, 3, 3))
        HANJI_AVX512_STREAMS(simon32_64, 32, 3)
            HANJI_AVX2_SLICED_ROWS(simon32_64, 128, 80, 32, 16, (5, 5, 4))
                HANJI_AVX2_STREAMS(simon32_64, 16, 4) HANJI_NEON_ROWS(simon32_64, 48, 16, 8)
                    HANJI_NEON_STREAMS(simon32_64, 8) HANJI_PORTABLE_ROWS(simon32_64, 32),
    {.name = NULL}};
static const hanji_kernel simon48_72_kernels[] = {
    HANJI_AVX512_ROWS(simon48_72, 192, 128, 64, 16, (3, 2, 2))
        HANJI_AVX512_STREAMS(simon48_72, 16, 2) HANJI_AVX2_ROWS(simon48_72, 40, 16, 8, (3, 3, 3))
            HANJI_AVX2_STREAMS(simon48_72, 8, 2) HANJI_NEON_ROWS(simon48_72, 24, 8, 4)
                HANJI_NEON_STREAMS(simon48_72, 4) HANJI_PORTABLE_ROWS(simon48_72, 32),
    {.name = NULL}};
static const hanji_kernel simon48_96_kernels[] = {
    HANJI_AVX512_ROWS(simon48_96, 192, 128, 64, 16, (3, 2, 2))
        HANJI_AVX512_STREAMS(simon48_96, 16, 2) HANJI_AVX2_ROWS(simon48_96, 40, 16, 8, (3, 3, 3))
            HANJI_AVX2_STREAMS(simon48_96, 8, 2) HANJI_NEON_ROWS(simon48_96, 24, 8, 4)
                HANJI_NEON_STREAMS(simon48_96, 4) HANJI_PORTABLE_ROWS(simon48_96, 32),
    {.name = NULL}};
static const hanji_kernel simon64_96_kernels[] = {
    HANJI_AVX512_ROWS(simon64_96, 256, 128, 64, 16, (2, 2, 2))
        HANJI_AVX512_STREAMS(simon64_96, 16, 2)
            HANJI_AVX2_SLICED_ROWS(simon64_96, 64, 40, 16, 8, (3, 3, 3))
                HANJI_AVX2_STREAMS(simon64_96, 8, 3) HANJI_NEON_ROWS(simon64_96, 24, 8, 4)
                    HANJI_NEON_STREAMS(simon64_96, 4) HANJI_PORTABLE_ROWS(simon64_96, 32),
    {.name = NULL}};
static const hanji_kernel simon64_128_kernels[] = {
    HANJI_AVX512_ROWS(simon64_128, 256, 128, 64, 16, (2, 2, 2))
        HANJI_AVX512_STREAMS(simon64_128, 16, 2)
            HANJI_AVX2_SLICED_ROWS(simon64_128, 64, 40, 16, 8, (3, 3, 3))
                HANJI_AVX2_STREAMS(simon64_128, 8, 3) HANJI_NEON_ROWS(simon64_128, 24, 8, 4)
                    HANJI_NEON_STREAMS(simon64_128, 4) HANJI_PORTABLE_ROWS(simon64_128, 32),
    {.name = NULL}};
static const hanji_kernel simon96_96_kernels[] = {
    HANJI_AVX512_ROWS(simon96_96, 96, 64, 32, 8, (2, 2, 2)) HANJI_AVX512_STREAMS(simon96_96, 8, 2)
        HANJI_AVX2_ROWS(simon96_96, 20, 8, 4, (3, 3, 3)) HANJI_AVX2_STREAMS(simon96_96, 4, 2)
            HANJI_NEON_ROWS(simon96_96, 12, 4, 2) HANJI_NEON_STREAMS(simon96_96, 2)
                HANJI_PORTABLE_ROWS(simon96_96, 8),
    {.name = NULL}};
static const hanji_kernel simon96_144_kernels[] = {
    HANJI_AVX512_ROWS(simon96_144, 96, 64, 32, 8, (2, 2, 2)) HANJI_AVX512_STREAMS(simon96_144, 8, 2)
        HANJI_AVX2_ROWS(simon96_144, 20, 8, 4, (3, 3, 3)) HANJI_AVX2_STREAMS(simon96_144, 4, 2)
            HANJI_NEON_ROWS(simon96_144, 12, 4, 2) HANJI_NEON_STREAMS(simon96_144, 2)
                HANJI_PORTABLE_ROWS(simon96_144, 8),
    {.name = NULL}};
static const hanji_kernel simon128_128_kernels[] = {
    HANJI_AVX512_ROWS(simon128_128, 128, 64, 32, 8, (2, 2, 2))
        HANJI_AVX512_STREAMS(simon128_128, 8, 2)
            HANJI_AVX2_SLICED_ROWS(simon128_128, 32, 20, 8, 4, (3, 3, 3))
                HANJI_AVX2_STREAMS(simon128_128, 4, 2) HANJI_NEON_ROWS(simon128_128, 12, 4, 2)
                    HANJI_NEON_STREAMS(simon128_128, 2) HANJI_PORTABLE_ROWS(simon128_128, 8),
    {.name = NULL}};
static const hanji_kernel simon128_192_kernels[] = {
    HANJI_AVX512_ROWS(simon128_192, 128, 64, 32, 8, (2, 2, 2))
        HANJI_AVX512_STREAMS(simon128_192, 8, 2)
            HANJI_AVX2_SLICED_ROWS(simon128_192, 32, 20, 8, 4, (3, 3, 3))
                HANJI_AVX2_STREAMS(simon128_192, 4, 2) HANJI_NEON_ROWS(simon128_192, 12, 4, 2)
                    HANJI_NEON_STREAMS(simon128_192, 2) HANJI_PORTABLE_ROWS(simon128_192, 8),
    {.name = NULL}};
static const hanji_kernel simon128_256_kernels[] = {
    HANJI_AVX512_ROWS(simon128_256, 128, 64, 32, 8, (2, 2, 2))
        HANJI_AVX512_STREAMS(simon128_256, 8, 2)
            HANJI_AVX2_SLICED_ROWS(simon128_256, 32, 20, 8, 4, (3, 3, 3))
                HANJI_AVX2_STREAMS(simon128_256, 4, 2) HANJI_NEON_ROWS(simon128_256, 12, 4, 2)
                    HANJI_NEON_STREAMS(simon128_256, 2) HANJI_PORTABLE_ROWS(simon128_256, 8),
    {.name = NULL}};

#define SIMON_CIPHER(id, printed, macro, bits, key_words, rounds, lanes) \
    HANJI_CIPHER(id, printed, macro, id##_kernels)
SIMON_VARIANTS(SIMON_CIPHER)
