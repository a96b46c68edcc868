/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of Ascon for one state, best first, and the choice among them. */
#include "ascon/ascon.h"

#ifdef HANJI_A64
static const hanji_ascon_aead_kernel aead_a64_x1 = {
    hanji_ascon_p_a64_x1, hanji_ascon_aead128_a64_absorb_x1, hanji_ascon_aead128_a64_seal_x1,
    hanji_ascon_aead128_a64_open_x1};
static const hanji_ascon_hash_kernel hash_a64_x1 = {hanji_ascon_p_a64_x1,
                                                    hanji_ascon_hash256_a64_absorb_x1};
#endif
#ifdef HANJI_ARMV7M
static const hanji_ascon_aead_kernel aead_armv7m_x1 = {
    hanji_ascon_p_armv7m_x1, hanji_ascon_aead128_armv7m_absorb_x1,
    hanji_ascon_aead128_armv7m_seal_x1, hanji_ascon_aead128_armv7m_open_x1};
static const hanji_ascon_hash_kernel hash_armv7m_x1 = {hanji_ascon_p_armv7m_x1,
                                                       hanji_ascon_hash256_armv7m_absorb_x1};
#endif
#ifdef HANJI_ARMV6M
static const hanji_ascon_aead_kernel aead_armv6m_x1 = {
    hanji_ascon_p_armv6m_x1, hanji_ascon_aead128_armv6m_absorb_x1,
    hanji_ascon_aead128_armv6m_seal_x1, hanji_ascon_aead128_armv6m_open_x1};
static const hanji_ascon_hash_kernel hash_armv6m_x1 = {hanji_ascon_p_armv6m_x1,
                                                       hanji_ascon_hash256_armv6m_absorb_x1};
#endif
#ifdef HANJI_AVR
static const hanji_ascon_aead_kernel aead_avr_x1 = {
    hanji_ascon_p_avr_x1, hanji_ascon_aead128_avr_absorb_x1, hanji_ascon_aead128_avr_seal_x1,
    hanji_ascon_aead128_avr_open_x1};
static const hanji_ascon_hash_kernel hash_avr_x1 = {hanji_ascon_p_avr_x1,
                                                    hanji_ascon_hash256_avr_absorb_x1};
#endif

#ifdef __riscv_zbkb
#define RV32_AEAD "ascon_aead_zbkb_x1"
#define RV32_HASH "ascon_hash_zbkb_x1"
#else
#define RV32_AEAD "ascon_aead_rv32i_x1"
#define RV32_HASH "ascon_hash_rv32i_x1"
#endif

const hanji_kernel hanji_ascon_aead_kernels[] = {
#ifdef HANJI_RV32
    {.name = RV32_AEAD,
     .features = HANJI_CPU_RV32I,
     .operation = HANJI_ABSORB,
     .group = 1,
     .align = 8,
     .run = {.ascon_aead = &hanji_ascon_aead_rv32_x1}},
#endif
#ifdef HANJI_ARMV7M
    {.name = "ascon_aead_armv7m_x1",
     .features = HANJI_CPU_ARMV7M,
     .operation = HANJI_ABSORB,
     .group = 1,
     .align = 8,
     .run = {.ascon_aead = &aead_armv7m_x1}},
#endif
#ifdef HANJI_ARMV6M
    {.name = "ascon_aead_armv6m_x1",
     .features = HANJI_CPU_ARMV6M,
     .operation = HANJI_ABSORB,
     .group = 1,
     .align = 8,
     .run = {.ascon_aead = &aead_armv6m_x1}},
#endif
#ifdef HANJI_AVR
    {.name = "ascon_aead_avr_x1",
     .features = HANJI_CPU_AVR,
     .operation = HANJI_ABSORB,
     .group = 1,
     .align = 8,
     .run = {.ascon_aead = &aead_avr_x1}},
#endif
#ifdef HANJI_A64
    {.name = "ascon_aead_a64_x1",
     .features = HANJI_CPU_NEON,
     .operation = HANJI_ABSORB,
     .group = 1,
     .align = 8,
     .run = {.ascon_aead = &aead_a64_x1}},
#endif
#ifdef HANJI_X86
    {.name = "ascon_aead_avx2_x1",
     .features = HANJI_CPU_AVX2,
     .operation = HANJI_ABSORB,
     .group = 1,
     .align = 8,
     .run = {.ascon_aead = &hanji_ascon_aead_avx2_x1}},
#endif
    {.name = "ascon_aead_portable_x1",
     .operation = HANJI_ABSORB,
     .group = 1,
     .align = 8,
     .run = {.ascon_aead = &hanji_ascon_aead_portable_x1}},
    {.name = NULL},
};

const hanji_kernel hanji_ascon_hash_kernels[] = {
#ifdef HANJI_RV32
    {.name = RV32_HASH,
     .features = HANJI_CPU_RV32I,
     .operation = HANJI_ABSORB,
     .group = 1,
     .align = 8,
     .run = {.ascon_hash = &hanji_ascon_hash_rv32_x1}},
#endif
#ifdef HANJI_ARMV7M
    {.name = "ascon_hash_armv7m_x1",
     .features = HANJI_CPU_ARMV7M,
     .operation = HANJI_ABSORB,
     .group = 1,
     .align = 8,
     .run = {.ascon_hash = &hash_armv7m_x1}},
#endif
#ifdef HANJI_ARMV6M
    {.name = "ascon_hash_armv6m_x1",
     .features = HANJI_CPU_ARMV6M,
     .operation = HANJI_ABSORB,
     .group = 1,
     .align = 8,
     .run = {.ascon_hash = &hash_armv6m_x1}},
#endif
#ifdef HANJI_AVR
    {.name = "ascon_hash_avr_x1",
     .features = HANJI_CPU_AVR,
     .operation = HANJI_ABSORB,
     .group = 1,
     .align = 8,
     .run = {.ascon_hash = &hash_avr_x1}},
#endif
#ifdef HANJI_A64
    {.name = "ascon_hash_a64_x1",
     .features = HANJI_CPU_NEON,
     .operation = HANJI_ABSORB,
     .group = 1,
     .align = 8,
     .run = {.ascon_hash = &hash_a64_x1}},
#endif
#ifdef HANJI_X86
    {.name = "ascon_hash_avx2_x1",
     .features = HANJI_CPU_AVX2,
     .operation = HANJI_ABSORB,
     .group = 1,
     .align = 8,
     .run = {.ascon_hash = &hanji_ascon_hash_avx2_x1}},
#endif
    {.name = "ascon_hash_portable_x1",
     .operation = HANJI_ABSORB,
     .group = 1,
     .align = 8,
     .run = {.ascon_hash = &hanji_ascon_hash_portable_x1}},
    {.name = NULL},
};

/* All rows take one state, so the first whose features are there is it; the last needs none. */
static const hanji_kernel *single(const hanji_kernel *row, uint32_t features)
{
    while ((row->features & ~features) != 0)
        row++;
    return row;
}

const hanji_ascon_aead_kernel *hanji_ascon_aead_single(void)
{
    return single(hanji_ascon_aead_kernels, hanji_cpu_features())->run.ascon_aead;
}

const hanji_ascon_hash_kernel *hanji_ascon_hash_single(void)
{
    return single(hanji_ascon_hash_kernels, hanji_cpu_features())->run.ascon_hash;
}

#ifdef HANJI_X86
const hanji_ascon_aead_kernel *hanji_ascon_aead_selected(void)
{
    const uint32_t features = hanji_cpu_features();
    if ((features & HANJI_CPU_REFUSED) != 0)
        return NULL;
    return single(hanji_ascon_aead_kernels, features)->run.ascon_aead;
}

const hanji_ascon_hash_kernel *hanji_ascon_hash_selected(void)
{
    const uint32_t features = hanji_cpu_features();
    if ((features & HANJI_CPU_REFUSED) != 0)
        return NULL;
    return single(hanji_ascon_hash_kernels, features)->run.ascon_hash;
}
#endif
