/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of Keccak-f[1600], best first, and the choice among them. */
#include "keccak/keccak.h"
#include "support/cpu.h"

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
    {.name = "keccak_portable_x1",
     .operation = HANJI_KECCAK,
     .group = 1,
     .align = 8,
     .run = {.keccak = hanji_keccak_portable_x1}},
    {.name = NULL},
};

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
