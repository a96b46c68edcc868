/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of every CHAM variant, best first. The lists of groups are the only place for their
 * sizes, beside the names of the functions: declarations and rows come from them.
 */
#include "cham/cham.h"
#include "cham/cham_mcu.h"
#include "cham/cham_rv32i.h"

/* A few blocks in general registers, everywhere; see lanes/variants.h. */
#define HANJI_FEW_UNLESS HANJI_CPU_PORTABLE
#define HANJI_FEW_BLOCKS(block_bytes) ((block_bytes) == 8 ? 2 : 1)
#define HANJI_ONCE_BLOCKS 0
#define HANJI_FEW_ONCE(id, bytes) NULL

/* clang-format off */
#define CHAM64_128_GROUPS \
    HANJI_AVX512_GROUPS(cham64_128, 192, 128, 64, 32, (2, 3, 2)) \
    HANJI_AVX2_GROUPS_4(cham64_128, 192, 64, 32, 16, (3, 3, 3)) \
    HANJI_NEON_GROUPS(cham64_128, 32, 16, 8) \
    HANJI_ANY_GROUPS(cham64_128, 32)
#define CHAM64_128_LANES \
    HANJI_AVX512_MESSAGES(cham64_128, 32, 3) \
    HANJI_AVX512_CHAINS(cham64_128, 32) \
    HANJI_AVX512_MACS(cham64_128, 64) \
    HANJI_AVX2_STREAMS(cham64_128, 16, 3) \
    HANJI_AVX2_CHAINS(cham64_128, 16) \
    HANJI_NEON_STREAMS(cham64_128, 8) \
    HANJI_NEON_CHAINS(cham64_128, 8) \
    HANJI_VECTOR_SHORTS(cham64_128, 64)
#define CHAM128_128_GROUPS \
    HANJI_AVX512_GROUPS(cham128_128, 96, 64, 32, 16, (3, 2, 2)) \
    HANJI_AVX2_GROUPS_4(cham128_128, 96, 32, 16, 8, (3, 3, 3)) \
    HANJI_NEON_GROUPS(cham128_128, 16, 8, 4) \
    HANJI_ANY_GROUPS(cham128_128, 32)
#define CHAM128_128_LANES \
    HANJI_AVX512_MESSAGES(cham128_128, 16, 2) \
    HANJI_AVX512_CHAINS(cham128_128, 16) \
    HANJI_AVX512_MACS(cham128_128, 32) \
    HANJI_AVX2_STREAMS(cham128_128, 8, 2) \
    HANJI_AVX2_CHAINS(cham128_128, 8) \
    HANJI_NEON_STREAMS(cham128_128, 4) \
    HANJI_NEON_CHAINS(cham128_128, 4) \
    HANJI_VECTOR_SHORTS(cham128_128, 32)
#define CHAM128_256_GROUPS \
    HANJI_AVX512_GROUPS(cham128_256, 96, 64, 32, 16, (3, 2, 2)) \
    HANJI_AVX2_GROUPS_4(cham128_256, 96, 32, 16, 8, (3, 3, 3)) \
    HANJI_NEON_GROUPS(cham128_256, 16, 8, 4) \
    HANJI_ANY_GROUPS(cham128_256, 32)
#define CHAM128_256_LANES \
    HANJI_AVX512_MESSAGES(cham128_256, 16, 2) \
    HANJI_AVX512_CHAINS(cham128_256, 16) \
    HANJI_AVX512_MACS(cham128_256, 32) \
    HANJI_AVX2_STREAMS(cham128_256, 8, 3) \
    HANJI_AVX2_CHAINS(cham128_256, 8) \
    HANJI_NEON_STREAMS(cham128_256, 4) \
    HANJI_NEON_CHAINS(cham128_256, 4) \
    HANJI_VECTOR_SHORTS(cham128_256, 32)
#define CHAM64_128_ORIGINAL_GROUPS HANJI_ANY_GROUPS(cham64_128_original, 32)
#define CHAM128_128_ORIGINAL_GROUPS HANJI_ANY_GROUPS(cham128_128_original, 32)
#define CHAM128_256_ORIGINAL_GROUPS HANJI_ANY_GROUPS(cham128_256_original, 32)
/* clang-format on */

#include "lanes/groups_declare.h"
CHAM64_128_GROUPS CHAM64_128_LANES CHAM128_128_GROUPS CHAM128_128_LANES CHAM128_256_GROUPS
    CHAM128_256_LANES CHAM64_128_ORIGINAL_GROUPS CHAM128_128_ORIGINAL_GROUPS
        CHAM128_256_ORIGINAL_GROUPS

#include "lanes/groups_rows.h"
    static const hanji_kernel cham64_128_kernels[] = {
        CHAM64_RV32I_ROWS CHAM64_MCU_ROWS CHAM64_128_GROUPS CHAM64_128_LANES{.name = NULL}};
static const hanji_kernel cham128_128_kernels[] = {
    CHAM128_128_GROUPS CHAM128_128_LANES{.name = NULL}};
static const hanji_kernel cham128_256_kernels[] = {
    CHAM128_256_GROUPS CHAM128_256_LANES{.name = NULL}};
static const hanji_kernel cham64_128_original_kernels[] = {
    CHAM64_128_ORIGINAL_GROUPS{.name = NULL}};
static const hanji_kernel cham128_128_original_kernels[] = {
    CHAM128_128_ORIGINAL_GROUPS{.name = NULL}};
static const hanji_kernel cham128_256_original_kernels[] = {
    CHAM128_256_ORIGINAL_GROUPS{.name = NULL}};

HANJI_CIPHER(hanji_cham64_128, cham64_128, "cham-64/128", CHAM64_128)
HANJI_CIPHER(hanji_cham128_128, cham128_128, "cham-128/128", CHAM128_128)
HANJI_CIPHER(hanji_cham128_256, cham128_256, "cham-128/256", CHAM128_256)
HANJI_CIPHER(hanji_cham64_128_original, cham64_128_original, "cham-64/128-original", CHAM64_128)
HANJI_CIPHER(hanji_cham128_128_original, cham128_128_original, "cham-128/128-original", CHAM128_128)
HANJI_CIPHER(hanji_cham128_256_original, cham128_256_original, "cham-128/256-original", CHAM128_256)
