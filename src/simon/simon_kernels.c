/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of every SIMON variant, best first. The lists of groups are the only place for their
 * sizes, beside the names of the functions: declarations and rows come from them.
 */
#include "simon/simon.h"

/* A few blocks in general registers, but for AVX-512, which computes f in one instruction. */
#define HANJI_FEW_UNLESS HANJI_CPU_AVX512
#define HANJI_FEW_BLOCKS(block_bytes) 2
#define HANJI_ONCE_BLOCKS 2
#define HANJI_FEW_ONCE(id, bytes) (HANJI_HAS_FEW(bytes) ? hanji_##id##_once : NULL)

/* clang-format off */
#define SIMON32_64_GROUPS HANJI_ANY_GROUPS(simon32_64, 32)
#define SIMON48_72_GROUPS HANJI_ANY_GROUPS(simon48_72, 32)
#define SIMON48_96_GROUPS HANJI_ANY_GROUPS(simon48_96, 32)
#define SIMON64_96_GROUPS HANJI_ANY_GROUPS(simon64_96, 32)
#define SIMON64_128_GROUPS \
    HANJI_AVX512_GROUPS(simon64_128, 256, 128, 64, 16, (2, 2, 2)) \
    HANJI_AVX2_GROUPS_SLICED(simon64_128, 64, 40, 16, 8, (3, 3, 3)) \
    HANJI_NEON_GROUPS(simon64_128, 24, 8, 4) \
    HANJI_ANY_GROUPS(simon64_128, 32)
#define SIMON64_128_LANES \
    HANJI_AVX512_MESSAGES(simon64_128, 16, 2) \
    HANJI_AVX512_CHAINS(simon64_128, 16) \
    HANJI_AVX512_MACS(simon64_128, 32) \
    HANJI_AVX2_STREAMS(simon64_128, 8, 3) \
    HANJI_AVX2_CHAINS(simon64_128, 8) \
    HANJI_NEON_STREAMS(simon64_128, 4) \
    HANJI_NEON_CHAINS(simon64_128, 4) \
    HANJI_VECTOR_SHORTS(simon64_128, 64)
#define SIMON96_96_GROUPS HANJI_ANY_GROUPS(simon96_96, 8)
#define SIMON96_144_GROUPS HANJI_ANY_GROUPS(simon96_144, 8)
#define SIMON128_128_GROUPS \
    HANJI_AVX512_GROUPS(simon128_128, 128, 64, 32, 8, (2, 2, 2)) \
    HANJI_AVX2_GROUPS_SLICED(simon128_128, 32, 20, 8, 4, (3, 3, 3)) \
    HANJI_NEON_GROUPS(simon128_128, 12, 4, 2) \
    HANJI_ANY_GROUPS(simon128_128, 8)
#define SIMON128_128_LANES \
    HANJI_AVX512_MESSAGES(simon128_128, 8, 2) \
    HANJI_AVX512_CHAINS(simon128_128, 8) \
    HANJI_AVX512_MACS(simon128_128, 16) \
    HANJI_AVX2_STREAMS(simon128_128, 4, 2) \
    HANJI_AVX2_CHAINS(simon128_128, 4) \
    HANJI_NEON_STREAMS(simon128_128, 2) \
    HANJI_NEON_CHAINS(simon128_128, 2) \
    HANJI_VECTOR_SHORTS(simon128_128, 32)
#define SIMON128_192_GROUPS \
    HANJI_AVX512_GROUPS(simon128_192, 128, 64, 32, 8, (2, 2, 2)) \
    HANJI_AVX2_GROUPS_SLICED(simon128_192, 32, 20, 8, 4, (3, 3, 3)) \
    HANJI_NEON_GROUPS(simon128_192, 12, 4, 2) \
    HANJI_ANY_GROUPS(simon128_192, 8)
#define SIMON128_192_LANES \
    HANJI_AVX512_MESSAGES(simon128_192, 8, 2) \
    HANJI_AVX512_CHAINS(simon128_192, 8) \
    HANJI_AVX512_MACS(simon128_192, 16) \
    HANJI_AVX2_STREAMS(simon128_192, 4, 2) \
    HANJI_AVX2_CHAINS(simon128_192, 4) \
    HANJI_NEON_STREAMS(simon128_192, 2) \
    HANJI_NEON_CHAINS(simon128_192, 2) \
    HANJI_VECTOR_SHORTS(simon128_192, 32)
#define SIMON128_256_GROUPS \
    HANJI_AVX512_GROUPS(simon128_256, 128, 64, 32, 8, (2, 2, 2)) \
    HANJI_AVX2_GROUPS_SLICED(simon128_256, 32, 20, 8, 4, (3, 3, 3)) \
    HANJI_NEON_GROUPS(simon128_256, 12, 4, 2) \
    HANJI_ANY_GROUPS(simon128_256, 8)
#define SIMON128_256_LANES \
    HANJI_AVX512_MESSAGES(simon128_256, 8, 2) \
    HANJI_AVX512_CHAINS(simon128_256, 8) \
    HANJI_AVX512_MACS(simon128_256, 16) \
    HANJI_AVX2_STREAMS(simon128_256, 4, 2) \
    HANJI_AVX2_CHAINS(simon128_256, 4) \
    HANJI_NEON_STREAMS(simon128_256, 2) \
    HANJI_NEON_CHAINS(simon128_256, 2) \
    HANJI_VECTOR_SHORTS(simon128_256, 32)
/* clang-format on */

#include "lanes/groups_declare.h"
SIMON32_64_GROUPS SIMON48_72_GROUPS SIMON48_96_GROUPS SIMON64_96_GROUPS SIMON64_128_GROUPS
    SIMON64_128_LANES SIMON96_96_GROUPS SIMON96_144_GROUPS SIMON128_128_GROUPS SIMON128_128_LANES
        SIMON128_192_GROUPS SIMON128_192_LANES SIMON128_256_GROUPS SIMON128_256_LANES

#include "lanes/groups_rows.h"
    static const hanji_kernel simon32_64_kernels[] = {SIMON32_64_GROUPS{.name = NULL}};
static const hanji_kernel simon48_72_kernels[] = {SIMON48_72_GROUPS{.name = NULL}};
static const hanji_kernel simon48_96_kernels[] = {SIMON48_96_GROUPS{.name = NULL}};
static const hanji_kernel simon64_96_kernels[] = {SIMON64_96_GROUPS{.name = NULL}};
static const hanji_kernel simon64_128_kernels[] = {
    SIMON64_128_GROUPS SIMON64_128_LANES{.name = NULL}};
static const hanji_kernel simon96_96_kernels[] = {SIMON96_96_GROUPS{.name = NULL}};
static const hanji_kernel simon96_144_kernels[] = {SIMON96_144_GROUPS{.name = NULL}};
static const hanji_kernel simon128_128_kernels[] = {
    SIMON128_128_GROUPS SIMON128_128_LANES{.name = NULL}};
static const hanji_kernel simon128_192_kernels[] = {
    SIMON128_192_GROUPS SIMON128_192_LANES{.name = NULL}};
static const hanji_kernel simon128_256_kernels[] = {
    SIMON128_256_GROUPS SIMON128_256_LANES{.name = NULL}};

HANJI_CIPHER(hanji_simon32_64, simon32_64, "simon-32/64", SIMON32_64)
HANJI_CIPHER(hanji_simon48_72, simon48_72, "simon-48/72", SIMON48_72)
HANJI_CIPHER(hanji_simon48_96, simon48_96, "simon-48/96", SIMON48_96)
HANJI_CIPHER(hanji_simon64_96, simon64_96, "simon-64/96", SIMON64_96)
HANJI_CIPHER(hanji_simon64_128, simon64_128, "simon-64/128", SIMON64_128)
HANJI_CIPHER(hanji_simon96_96, simon96_96, "simon-96/96", SIMON96_96)
HANJI_CIPHER(hanji_simon96_144, simon96_144, "simon-96/144", SIMON96_144)
HANJI_CIPHER(hanji_simon128_128, simon128_128, "simon-128/128", SIMON128_128)
HANJI_CIPHER(hanji_simon128_192, simon128_192, "simon-128/192", SIMON128_192)
HANJI_CIPHER(hanji_simon128_256, simon128_256, "simon-128/256", SIMON128_256)
