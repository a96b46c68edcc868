/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of every SIMECK variant: portable C alone, because attacks come close to the full
 * cipher. The lists of groups give the sizes; declarations and rows come from them.
 */
#include "simeck/simeck.h"

/* A few blocks in general registers, everywhere; see lanes/variants.h. */
#define HANJI_FEW_UNLESS HANJI_CPU_PORTABLE
#define HANJI_FEW_BLOCKS(block_bytes) 2
#define HANJI_ONCE_BLOCKS 0
#define HANJI_FEW_ONCE(id, bytes) NULL

/* clang-format off */
#define SIMECK32_64_GROUPS HANJI_ANY_GROUPS(simeck32_64, 32)
#define SIMECK48_96_GROUPS HANJI_ANY_GROUPS(simeck48_96, 32)
#define SIMECK64_128_GROUPS HANJI_ANY_GROUPS(simeck64_128, 32)
/* clang-format on */

#include "lanes/groups_declare.h"
SIMECK32_64_GROUPS SIMECK48_96_GROUPS SIMECK64_128_GROUPS

#include "lanes/groups_rows.h"
    static const hanji_kernel simeck32_64_kernels[] = {SIMECK32_64_GROUPS{.name = NULL}};
static const hanji_kernel simeck48_96_kernels[] = {SIMECK48_96_GROUPS{.name = NULL}};
static const hanji_kernel simeck64_128_kernels[] = {SIMECK64_128_GROUPS{.name = NULL}};

HANJI_CIPHER(hanji_simeck32_64, simeck32_64, "simeck-32/64", SIMECK32_64)
HANJI_CIPHER(hanji_simeck48_96, simeck48_96, "simeck-48/96", SIMECK48_96)
HANJI_CIPHER(hanji_simeck64_128, simeck64_128, "simeck-64/128", SIMECK64_128)
