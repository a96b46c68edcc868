/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of every SPECK variant, best first. */
#include "speck/speck.h"
#include "speck/speck_rv32i.h"

static const hanji_kernel speck32_64_kernels[] = {
    HANJI_AVX512_ROWS(speck32_64, 384, 256, 128, 32, (4, 4, 3))
        HANJI_AVX512_STREAMS(speck32_64, 32, 3) HANJI_AVX2_ROWS(speck32_64, 112, 32, 16, (5, 6, 4))
            HANJI_AVX2_STREAMS(speck32_64, 16, 4) HANJI_NEON_ROWS(speck32_64, 64, 16, 8)
                HANJI_NEON_STREAMS(speck32_64, 8)
                    SPECK32_RV32I_ROWS HANJI_PORTABLE_ROWS(speck32_64, 32),
    {.name = NULL}};
static const hanji_kernel speck48_72_kernels[] = {
    HANJI_AVX512_ROWS(speck48_72, 192, 128, 64, 16, (3, 3, 3))
        HANJI_AVX512_STREAMS(speck48_72, 16, 2) HANJI_AVX2_ROWS(speck48_72, 48, 16, 8, (4, 3, 3))
            HANJI_AVX2_STREAMS(speck48_72, 8, 2) HANJI_NEON_ROWS(speck48_72, 32, 8, 4)
                HANJI_NEON_STREAMS(speck48_72, 4) HANJI_PORTABLE_ROWS(speck48_72, 32),
    {.name = NULL}};
static const hanji_kernel speck48_96_kernels[] = {
    HANJI_AVX512_ROWS(speck48_96, 192, 128, 64, 16, (3, 3, 3))
        HANJI_AVX512_STREAMS(speck48_96, 16, 2) HANJI_AVX2_ROWS(speck48_96, 48, 16, 8, (4, 3, 3))
            HANJI_AVX2_STREAMS(speck48_96, 8, 2) HANJI_NEON_ROWS(speck48_96, 32, 8, 4)
                HANJI_NEON_STREAMS(speck48_96, 4) HANJI_PORTABLE_ROWS(speck48_96, 32),
    {.name = NULL}};
static const hanji_kernel speck64_96_kernels[] = {
    HANJI_AVX512_ROWS(speck64_96, 192, 128, 64, 16, (4, 4, 2))
        HANJI_AVX512_STREAMS(speck64_96, 16, 2)
            HANJI_AVX2_ROWS_4(speck64_96, 112, 32, 16, 8, (4, 5, 3))
                HANJI_AVX2_STREAMS(speck64_96, 8, 3) HANJI_NEON_ROWS(speck64_96, 32, 8, 4)
                    HANJI_NEON_STREAMS(speck64_96, 4) HANJI_PORTABLE_ROWS(speck64_96, 32),
    {.name = NULL}};
static const hanji_kernel speck64_128_kernels[] = {
    HANJI_AVX512_ROWS(speck64_128, 192, 128, 64, 16, (4, 4, 2))
        HANJI_AVX512_STREAMS(speck64_128, 16, 2)
            HANJI_AVX2_ROWS_4(speck64_128, 112, 32, 16, 8, (4, 5, 3))
                HANJI_AVX2_STREAMS(speck64_128, 8, 3) HANJI_NEON_ROWS(speck64_128, 32, 8, 4)
                    HANJI_NEON_STREAMS(speck64_128, 4) HANJI_PORTABLE_ROWS(speck64_128, 32),
    {.name = NULL}};
static const hanji_kernel speck96_96_kernels[] = {
    HANJI_AVX512_ROWS(speck96_96, 96, 64, 32, 8, (3, 3, 2)) HANJI_AVX512_STREAMS(speck96_96, 8, 2)
        HANJI_AVX2_ROWS(speck96_96, 24, 8, 4, (4, 3, 3)) HANJI_AVX2_STREAMS(speck96_96, 4, 2)
            HANJI_NEON_ROWS(speck96_96, 16, 4, 2) HANJI_NEON_STREAMS(speck96_96, 2)
                HANJI_PORTABLE_ROWS(speck96_96, 8),
    {.name = NULL}};
static const hanji_kernel speck96_144_kernels[] = {
    HANJI_AVX512_ROWS(speck96_144, 96, 64, 32, 8, (3, 3, 2)) HANJI_AVX512_STREAMS(speck96_144, 8, 2)
        HANJI_AVX2_ROWS(speck96_144, 24, 8, 4, (4, 3, 3)) HANJI_AVX2_STREAMS(speck96_144, 4, 2)
            HANJI_NEON_ROWS(speck96_144, 16, 4, 2) HANJI_NEON_STREAMS(speck96_144, 2)
                HANJI_PORTABLE_ROWS(speck96_144, 8),
    {.name = NULL}};
static const hanji_kernel speck128_128_kernels[] = {
    HANJI_AVX512_ROWS(speck128_128, 96, 64, 32, 8, (5, 3, 2))
        HANJI_AVX512_STREAMS(speck128_128, 8, 2)
            HANJI_AVX2_ROWS_4(speck128_128, 56, 16, 8, 4, (4, 4, 2))
                HANJI_AVX2_STREAMS(speck128_128, 4, 2) HANJI_NEON_ROWS(speck128_128, 16, 4, 2)
                    HANJI_NEON_STREAMS(speck128_128, 2) HANJI_PORTABLE_ROWS(speck128_128, 8),
    {.name = NULL}};
static const hanji_kernel speck128_192_kernels[] = {
    HANJI_AVX512_ROWS(speck128_192, 96, 64, 32, 8, (5, 3, 2))
        HANJI_AVX512_STREAMS(speck128_192, 8, 2)
            HANJI_AVX2_ROWS_4(speck128_192, 56, 16, 8, 4, (4, 4, 2))
                HANJI_AVX2_STREAMS(speck128_192, 4, 2) HANJI_NEON_ROWS(speck128_192, 16, 4, 2)
                    HANJI_NEON_STREAMS(speck128_192, 2) HANJI_PORTABLE_ROWS(speck128_192, 8),
    {.name = NULL}};
static const hanji_kernel speck128_256_kernels[] = {
    HANJI_AVX512_ROWS(speck128_256, 96, 64, 32, 8, (3, 3, 2))
        HANJI_AVX512_STREAMS(speck128_256, 8, 2)
            HANJI_AVX2_ROWS_4(speck128_256, 56, 16, 8, 4, (4, 4, 2))
                HANJI_AVX2_STREAMS(speck128_256, 4, 2) HANJI_NEON_ROWS(speck128_256, 16, 4, 2)
                    HANJI_NEON_STREAMS(speck128_256, 2) HANJI_PORTABLE_ROWS(speck128_256, 8),
    {.name = NULL}};

#define SPECK_CIPHER(id, printed, macro, bits, key_words, rounds, lanes) \
    HANJI_CIPHER(id, printed, macro, id##_kernels)
SPECK_VARIANTS(SPECK_CIPHER)
