/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of Keccak-f[1600], best first, and the choice among them. */
#include "keccak/keccak.h"
#include "support/cpu.h"

/*
 * Armv7-M has one kernel and no portable row: a table with both would link the 3.9 KB of portable C
 * into every boot loader, which would never run them. So hanji_force() does not change Keccak there.
 */
#ifdef HANJI_ARMV7M
#define ONLY_ONE
#endif

const hanji_kernel hanji_keccak_kernels[] = {
#ifdef HANJI_X86
    {.name = "keccak_avx512_x8",
     .features = HANJI_CPU_AVX512,
     .operation = HANJI_KECCAK,
     .group = 8,
     .align = 8,
     .run = {.keccak = hanji_keccak_avx512_x8}},
    {.name = "keccak_avx2_x4",
     .features = HANJI_CPU_AVX2,
     .operation = HANJI_KECCAK,
     .group = 4,
     .align = 8,
     .run = {.keccak = hanji_keccak_avx2_x4}},
    {.name = "keccak_avx512_x1",
     .features = HANJI_CPU_AVX512,
     .operation = HANJI_KECCAK,
     .group = 1,
     .align = 8,
     .run = {.keccak = hanji_keccak_avx512_x1}},
    {.name = "keccak_avx2_x1",
     .features = HANJI_CPU_AVX2,
     .operation = HANJI_KECCAK,
     .group = 1,
     .align = 8,
     .run = {.keccak = hanji_keccak_avx2_x1}},
#endif
#ifdef HANJI_A64
    {.name = "keccak_sha3_x2",
     .features = HANJI_CPU_SHA3,
     .operation = HANJI_KECCAK,
     .group = 2,
     .align = 8,
     .run = {.keccak = hanji_keccak_sha3_x2}},
    {.name = "keccak_neon_x2",
     .features = HANJI_CPU_NEON,
     .operation = HANJI_KECCAK,
     .group = 2,
     .align = 8,
     .run = {.keccak = hanji_keccak_neon_x2}},
    {.name = "keccak_sha3_x1",
     .features = HANJI_CPU_SHA3,
     .operation = HANJI_KECCAK,
     .group = 1,
     .align = 8,
     .run = {.keccak = hanji_keccak_sha3_x1}},
#endif
#ifdef HANJI_ARMV7M
    {.name = "keccak_armv7m_x1",
     .features = HANJI_CPU_ARMV7M,
     .operation = HANJI_KECCAK,
     .group = 1,
     .align = 8,
     .run = {.keccak = hanji_keccak_armv7m_x1}},
#endif
#ifndef ONLY_ONE
    {.name = "keccak_portable_x1",
     .operation = HANJI_KECCAK,
     .group = 1,
     .align = 8,
     .run = {.keccak = hanji_keccak_portable_x1}},
#endif
    {.name = NULL},
};

#ifdef ONLY_ONE

const hanji_kernel *hanji_keccak_single(void)
{
    return hanji_keccak_kernels;
}

const hanji_kernel *hanji_keccak_widest(void)
{
    return hanji_keccak_kernels;
}

#else

const hanji_kernel *hanji_keccak_single(void)
{
    return hanji_kernel_next(hanji_keccak_kernels, HANJI_KECCAK, 1, hanji_cpu_features(),
                             HANJI_LAYOUT_CANONICAL);
}

const hanji_kernel *hanji_keccak_widest(void)
{
    return hanji_kernel_next(hanji_keccak_kernels, HANJI_KECCAK, HANJI_KECCAK_LANES_MAX,
                             hanji_cpu_features(), HANJI_LAYOUT_CANONICAL);
}

#endif
