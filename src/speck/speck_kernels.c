/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of every SPECK variant, best first. The lists of groups are the only place for their
 * sizes, beside the names of the functions: declarations and rows come from them.
 */
#include "speck/speck.h"
#include "speck/speck_mcu.h"
#include "speck/speck_rv32i.h"

/* A few blocks in general registers, everywhere; see lanes/variants.h. */
#define HANJI_FEW_UNLESS HANJI_CPU_PORTABLE
#define HANJI_FEW_BLOCKS(block_bytes) 2
#define HANJI_ONCE_BLOCKS 4
#define HANJI_FEW_ONCE(id, bytes) (HANJI_HAS_FEW(bytes) ? hanji_##id##_once : NULL)

/* clang-format off */
#define SPECK32_64_GROUPS HANJI_ANY_GROUPS(speck32_64, 32)
#define SPECK48_72_GROUPS HANJI_ANY_GROUPS(speck48_72, 32)
#define SPECK48_96_GROUPS HANJI_ANY_GROUPS(speck48_96, 32)
#define SPECK64_96_GROUPS HANJI_ANY_GROUPS(speck64_96, 32)
#define SPECK64_128_GROUPS \
    HANJI_AVX512_GROUPS(speck64_128, 192, 128, 64, 16, (4, 4, 2)) \
    HANJI_AVX2_GROUPS_4(speck64_128, 112, 32, 16, 8, (4, 5, 3)) \
    HANJI_NEON_GROUPS(speck64_128, 32, 8, 4) \
    HANJI_ANY_GROUPS(speck64_128, 32)
#define SPECK64_128_LANES \
    HANJI_AVX512_MESSAGES(speck64_128, 16, 2) \
    HANJI_AVX512_CHAINS(speck64_128, 16) \
    HANJI_AVX512_MACS(speck64_128, 32) \
    HANJI_AVX2_STREAMS(speck64_128, 8, 3) \
    HANJI_AVX2_CHAINS(speck64_128, 8) \
    HANJI_NEON_STREAMS(speck64_128, 4) \
    HANJI_NEON_CHAINS(speck64_128, 4) \
    HANJI_VECTOR_ONCES(speck64_128, 512) \
    HANJI_VECTOR_SHORTS(speck64_128, 64)
#define SPECK96_96_GROUPS HANJI_ANY_GROUPS(speck96_96, 8)
#define SPECK96_144_GROUPS HANJI_ANY_GROUPS(speck96_144, 8)
#define SPECK128_128_GROUPS \
    HANJI_AVX512_GROUPS(speck128_128, 96, 64, 32, 8, (5, 3, 2)) \
    HANJI_AVX2_GROUPS_4(speck128_128, 56, 16, 8, 4, (4, 4, 2)) \
    HANJI_NEON_GROUPS(speck128_128, 16, 4, 2) \
    HANJI_ANY_GROUPS(speck128_128, 8)
#define SPECK128_128_LANES \
    HANJI_AVX512_MESSAGES(speck128_128, 8, 2) \
    HANJI_AVX512_CHAINS(speck128_128, 8) \
    HANJI_AVX512_MACS(speck128_128, 16) \
    HANJI_AVX2_STREAMS(speck128_128, 4, 2) \
    HANJI_AVX2_CHAINS(speck128_128, 4) \
    HANJI_NEON_STREAMS(speck128_128, 2) \
    HANJI_NEON_CHAINS(speck128_128, 2) \
    HANJI_VECTOR_ONCES(speck128_128, 256) \
    HANJI_VECTOR_SHORTS(speck128_128, 32)
#define SPECK128_192_GROUPS \
    HANJI_AVX512_GROUPS(speck128_192, 96, 64, 32, 8, (5, 3, 2)) \
    HANJI_AVX2_GROUPS_4(speck128_192, 56, 16, 8, 4, (4, 4, 2)) \
    HANJI_NEON_GROUPS(speck128_192, 16, 4, 2) \
    HANJI_ANY_GROUPS(speck128_192, 8)
#define SPECK128_192_LANES \
    HANJI_AVX512_MESSAGES(speck128_192, 8, 2) \
    HANJI_AVX512_CHAINS(speck128_192, 8) \
    HANJI_AVX512_MACS(speck128_192, 16) \
    HANJI_AVX2_STREAMS(speck128_192, 4, 2) \
    HANJI_AVX2_CHAINS(speck128_192, 4) \
    HANJI_NEON_STREAMS(speck128_192, 2) \
    HANJI_NEON_CHAINS(speck128_192, 2) \
    HANJI_VECTOR_ONCES(speck128_192, 256) \
    HANJI_VECTOR_SHORTS(speck128_192, 32)
#define SPECK128_256_GROUPS \
    HANJI_AVX512_GROUPS(speck128_256, 96, 64, 32, 8, (3, 3, 2)) \
    HANJI_AVX2_GROUPS_4(speck128_256, 56, 16, 8, 4, (4, 4, 2)) \
    HANJI_NEON_GROUPS(speck128_256, 16, 4, 2) \
    HANJI_ANY_GROUPS(speck128_256, 8)
#define SPECK128_256_LANES \
    HANJI_AVX512_MESSAGES(speck128_256, 8, 2) \
    HANJI_AVX512_CHAINS(speck128_256, 8) \
    HANJI_AVX512_MACS(speck128_256, 16) \
    HANJI_AVX2_STREAMS(speck128_256, 4, 2) \
    HANJI_AVX2_CHAINS(speck128_256, 4) \
    HANJI_NEON_STREAMS(speck128_256, 2) \
    HANJI_NEON_CHAINS(speck128_256, 2) \
    HANJI_VECTOR_ONCES(speck128_256, 256) \
    HANJI_VECTOR_SHORTS(speck128_256, 32)
/* clang-format on */

#include "lanes/groups_declare.h"
SPECK32_64_GROUPS SPECK48_72_GROUPS SPECK48_96_GROUPS SPECK64_96_GROUPS SPECK64_128_GROUPS
    SPECK64_128_LANES SPECK96_96_GROUPS SPECK96_144_GROUPS SPECK128_128_GROUPS SPECK128_128_LANES
        SPECK128_192_GROUPS SPECK128_192_LANES SPECK128_256_GROUPS SPECK128_256_LANES

#include "lanes/groups_rows.h"
    static const hanji_kernel speck32_64_kernels[] = {
        SPECK32_RV32I_ROWS SPECK32_64_GROUPS{.name = NULL}};
static const hanji_kernel speck48_72_kernels[] = {SPECK48_72_GROUPS{.name = NULL}};
static const hanji_kernel speck48_96_kernels[] = {SPECK48_96_GROUPS{.name = NULL}};
static const hanji_kernel speck64_96_kernels[] = {SPECK64_96_GROUPS{.name = NULL}};
static const hanji_kernel speck64_128_kernels[] = {
    HANJI_MCU_ROWS(speck64_128) SPECK64_128_GROUPS SPECK64_128_LANES{.name = NULL}};
static const hanji_kernel speck96_96_kernels[] = {SPECK96_96_GROUPS{.name = NULL}};
static const hanji_kernel speck96_144_kernels[] = {SPECK96_144_GROUPS{.name = NULL}};
static const hanji_kernel speck128_128_kernels[] = {
    SPECK128_128_GROUPS SPECK128_128_LANES{.name = NULL}};
static const hanji_kernel speck128_192_kernels[] = {
    SPECK128_192_GROUPS SPECK128_192_LANES{.name = NULL}};
static const hanji_kernel speck128_256_kernels[] = {
    SPECK128_256_GROUPS SPECK128_256_LANES{.name = NULL}};

HANJI_CIPHER(hanji_speck32_64, speck32_64, "speck-32/64", SPECK32_64)
HANJI_CIPHER(hanji_speck48_72, speck48_72, "speck-48/72", SPECK48_72)
HANJI_CIPHER(hanji_speck48_96, speck48_96, "speck-48/96", SPECK48_96)
HANJI_CIPHER(hanji_speck64_96, speck64_96, "speck-64/96", SPECK64_96)
HANJI_CIPHER(hanji_speck64_128, speck64_128, "speck-64/128", SPECK64_128)
HANJI_CIPHER(hanji_speck96_96, speck96_96, "speck-96/96", SPECK96_96)
HANJI_CIPHER(hanji_speck96_144, speck96_144, "speck-96/144", SPECK96_144)
HANJI_CIPHER(hanji_speck128_128, speck128_128, "speck-128/128", SPECK128_128)
HANJI_CIPHER(hanji_speck128_192, speck128_192, "speck-128/192", SPECK128_192)
HANJI_CIPHER(hanji_speck128_256, speck128_256, "speck-128/256", SPECK128_256)
