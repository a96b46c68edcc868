/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of every SIMECK variant, best first. The lists of groups are the only place for their
 * sizes, beside the names of the functions: declarations and rows come from them.
 */
#include "simeck/simeck.h"

/* A few blocks in general registers, but for AVX-512, which computes f in one instruction. */
#define HANJI_FEW_UNLESS HANJI_CPU_AVX512
#define HANJI_FEW_BLOCKS(block_bytes) 2
#define HANJI_ONCE_BLOCKS 0
#define HANJI_FEW_ONCE(id, bytes) NULL

/* clang-format off */
#define SIMECK32_64_GROUPS \
    HANJI_AVX512_GROUPS(simeck32_64, 512, 256, 128, 32, (4, 4, 3)) \
    HANJI_AVX2_GROUPS_SLICED(simeck32_64, 128, 80, 32, 16, (5, 5, 4)) \
    HANJI_NEON_GROUPS(simeck32_64, 48, 16, 8) \
    HANJI_ANY_GROUPS(simeck32_64, 32)
#define SIMECK32_64_LANES \
    HANJI_AVX512_MESSAGES(simeck32_64, 32, 3) \
    HANJI_AVX2_STREAMS(simeck32_64, 16, 4) \
    HANJI_NEON_STREAMS(simeck32_64, 8)
#define SIMECK48_96_GROUPS \
    HANJI_AVX512_GROUPS(simeck48_96, 192, 128, 64, 16, (2, 2, 2)) \
    HANJI_AVX2_GROUPS(simeck48_96, 40, 16, 8, (3, 3, 2)) \
    HANJI_NEON_GROUPS(simeck48_96, 24, 8, 4) \
    HANJI_ANY_GROUPS(simeck48_96, 32)
#define SIMECK48_96_LANES \
    HANJI_AVX512_MESSAGES(simeck48_96, 16, 2) \
    HANJI_AVX2_STREAMS(simeck48_96, 8, 2) \
    HANJI_NEON_STREAMS(simeck48_96, 4)
#define SIMECK64_128_GROUPS \
    HANJI_AVX512_GROUPS(simeck64_128, 256, 128, 64, 16, (2, 2, 2)) \
    HANJI_AVX2_GROUPS_SLICED(simeck64_128, 64, 40, 16, 8, (3, 3, 3)) \
    HANJI_NEON_GROUPS(simeck64_128, 24, 8, 4) \
    HANJI_ANY_GROUPS(simeck64_128, 32)
#define SIMECK64_128_LANES \
    HANJI_AVX512_MESSAGES(simeck64_128, 16, 2) \
    HANJI_AVX512_CHAINS(simeck64_128, 16) \
    HANJI_AVX512_MACS(simeck64_128, 32) \
    HANJI_AVX2_STREAMS(simeck64_128, 8, 3) \
    HANJI_AVX2_CHAINS(simeck64_128, 8) \
    HANJI_NEON_STREAMS(simeck64_128, 4) \
    HANJI_NEON_CHAINS(simeck64_128, 4) \
    HANJI_VECTOR_SHORTS(simeck64_128, 64)
/* clang-format on */

#include "lanes/groups_declare.h"
SIMECK32_64_GROUPS SIMECK32_64_LANES SIMECK48_96_GROUPS SIMECK48_96_LANES SIMECK64_128_GROUPS
    SIMECK64_128_LANES

#include "lanes/groups_rows.h"
    static const hanji_kernel simeck32_64_kernels[] = {
        SIMECK32_64_GROUPS SIMECK32_64_LANES{.name = NULL}};
static const hanji_kernel simeck48_96_kernels[] = {
    SIMECK48_96_GROUPS SIMECK48_96_LANES{.name = NULL}};
static const hanji_kernel simeck64_128_kernels[] = {
    SIMECK64_128_GROUPS SIMECK64_128_LANES{.name = NULL}};

HANJI_CIPHER(hanji_simeck32_64, simeck32_64, "simeck-32/64", SIMECK32_64)
HANJI_CIPHER(hanji_simeck48_96, simeck48_96, "simeck-48/96", SIMECK48_96)
HANJI_CIPHER(hanji_simeck64_128, simeck64_128, "simeck-64/128", SIMECK64_128)
