/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of every SPECK variant, best first. */
#include "speck/speck.h"

static const hanji_kernel speck32_64_kernels[] = {HANJI_PORTABLE_ROWS(speck32_64, 32), {.name = NULL}};
static const hanji_kernel speck48_72_kernels[] = {HANJI_PORTABLE_ROWS(speck48_72, 32), {.name = NULL}};
static const hanji_kernel speck48_96_kernels[] = {HANJI_PORTABLE_ROWS(speck48_96, 32), {.name = NULL}};
static const hanji_kernel speck64_96_kernels[] = {HANJI_PORTABLE_ROWS(speck64_96, 32), {.name = NULL}};
static const hanji_kernel speck64_128_kernels[] = {HANJI_PORTABLE_ROWS(speck64_128, 32), {.name = NULL}};
static const hanji_kernel speck96_96_kernels[] = {HANJI_PORTABLE_ROWS(speck96_96, 8), {.name = NULL}};
static const hanji_kernel speck96_144_kernels[] = {HANJI_PORTABLE_ROWS(speck96_144, 8), {.name = NULL}};
static const hanji_kernel speck128_128_kernels[] = {HANJI_PORTABLE_ROWS(speck128_128, 8), {.name = NULL}};
static const hanji_kernel speck128_192_kernels[] = {HANJI_PORTABLE_ROWS(speck128_192, 8), {.name = NULL}};
static const hanji_kernel speck128_256_kernels[] = {HANJI_PORTABLE_ROWS(speck128_256, 8), {.name = NULL}};

#define SPECK_CIPHER(id, printed, macro, bits, key_words, rounds, lanes) HANJI_CIPHER(id, printed, macro, id##_kernels)
SPECK_VARIANTS(SPECK_CIPHER)
