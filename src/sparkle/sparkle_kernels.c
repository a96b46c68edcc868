/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of the SPARKLE permutations, best first, and the choice among them. */
#include "hanji/hash.h"
#include "sparkle/sparkle.h"
#include "support/bytes.h"
#include "support/cpu.h"

static const hanji_kernel sparkle256_kernels[] = {
#ifdef HANJI_RV32
    {.name = "sparkle256_rv32i_x1",
     .features = HANJI_CPU_RV32I,
     .operation = HANJI_PERMUTE,
     .group = 1,
     .align = 4,
     .run = {.permute = hanji_sparkle256_rv32i_x1}},
#endif
    {.name = "sparkle256_portable_x1", .operation = HANJI_PERMUTE, .group = 1, .align = 4, .run = {.permute = hanji_sparkle256_permute_x1}},
    {.name = NULL},
};
static const hanji_kernel sparkle384_kernels[] = {
#ifdef HANJI_RV32
    {.name = "sparkle384_rv32i_x1",
     .features = HANJI_CPU_RV32I,
     .operation = HANJI_PERMUTE,
     .group = 1,
     .align = 4,
     .run = {.permute = hanji_sparkle384_rv32i_x1}},
#endif
    {.name = "sparkle384_portable_x1", .operation = HANJI_PERMUTE, .group = 1, .align = 4, .run = {.permute = hanji_sparkle384_permute_x1}},
    {.name = NULL},
};
static const hanji_kernel sparkle512_kernels[] = {
#ifdef HANJI_RV32
    {.name = "sparkle512_rv32i_x1",
     .features = HANJI_CPU_RV32I,
     .operation = HANJI_PERMUTE,
     .group = 1,
     .align = 4,
     .run = {.permute = hanji_sparkle512_rv32i_x1}},
#endif
    {.name = "sparkle512_portable_x1", .operation = HANJI_PERMUTE, .group = 1, .align = 4, .run = {.permute = hanji_sparkle512_permute_x1}},
    {.name = NULL},
};

const hanji_sparkle hanji_sparkle256 = {"sparkle256", 8, HANJI_SPARKLE256_STEPS_SLIM, HANJI_SPARKLE256_STEPS_BIG, sparkle256_kernels};
const hanji_sparkle hanji_sparkle384 = {"sparkle384", 12, HANJI_SPARKLE384_STEPS_SLIM, HANJI_SPARKLE384_STEPS_BIG, sparkle384_kernels};
const hanji_sparkle hanji_sparkle512 = {"sparkle512", 16, HANJI_SPARKLE512_STEPS_SLIM, HANJI_SPARKLE512_STEPS_BIG, sparkle512_kernels};

hanji_permute_fn *hanji_sparkle_single(const hanji_sparkle *sparkle)
{
    return hanji_kernel_next(sparkle->kernels, HANJI_PERMUTE, 1, hanji_cpu_features(), HANJI_LAYOUT_CANONICAL)->run.permute;
}
