/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels over shares, best first: a matrix is applied by the tier that prepared it, so every tier has all four or the first two together. */
#include "aimer/aimer.h"
#include "support/cpu.h"

const hanji_kernel hanji_aimer_kernels[] = {
    {.name = "aimer_portable_prepare", .operation = HANJI_PREPARE, .group = 1, .align = 8, .run = {.prepare = hanji_aimer_prepare_portable}},
    {.name = "aimer_portable_apply", .operation = HANJI_APPLY, .group = 1, .align = 8, .run = {.apply = hanji_aimer_apply_portable}},
    {.name = "aimer_portable_products", .operation = HANJI_PRODUCTS, .group = 1, .align = 8, .run = {.products = hanji_aimer_products_portable}},
    {.name = "aimer_portable_power", .operation = HANJI_POWER, .group = 1, .align = 8, .run = {.power = hanji_aimer_power_portable}},
    {.name = NULL},
};
