/* SPDX-License-Identifier: Apache-2.0 */
/* Detection, capping and the one global variable of the library: the selection. */
#include "support/cpu.h"

#include "hanji/common.h"
#include "support/compiler.h"

#ifndef HANJI_FREESTANDING
#include <stdlib.h>
#endif

#ifdef HANJI_X86
#include <cpuid.h>
#endif

#if defined(HANJI_A64) && defined(__linux__) && !defined(HANJI_FREESTANDING)
#include <sys/auxv.h>
#endif

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/*
 * The tiers of this build, each better than the one before: a cap at a tier allows it and all
 * before it.
 */
static const struct {
    const char *name;
    uint32_t features;
} tiers[] = {
    {"portable", HANJI_CPU_PORTABLE},
#ifdef HANJI_X86
    {"avx2", HANJI_CPU_AVX2},         {"avx512", HANJI_CPU_AVX512},
#endif
#ifdef HANJI_A64
    {"neon", HANJI_CPU_NEON},         {"crypto", HANJI_CPU_CRYPTO},       {"sha3", HANJI_CPU_SHA3},
#endif
#ifdef HANJI_RV32
    {"rv32i", HANJI_CPU_RV32I},
#endif
#ifdef HANJI_ARMV6M
    {"armv6m", HANJI_CPU_ARMV6M},
#endif
#ifdef HANJI_ARMV7M
    {"armv7m", HANJI_CPU_ARMV7M},
#endif
#ifdef HANJI_AVR
    {"avr", HANJI_CPU_AVR},
#endif
#ifdef HANJI_TEST_TIERS
    {"test-any", HANJI_CPU_TEST_ANY}, {"test-none", HANJI_CPU_TEST_NONE},
#endif
};

#ifdef HANJI_X86

/* The register state that the operating system saves: XCR0. Only after OSXSAVE was seen. */
static uint32_t saved_state(void)
{
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

/* Zen 5: AMD's family 26, which is 15 and 11 in EAX of leaf 1. */
static int waits_two_cycles(void)
{
    uint32_t a, b, c, d;
    return __get_cpuid(0, &a, &b, &c, &d) && b == signature_AMD_ebx && c == signature_AMD_ecx &&
           d == signature_AMD_edx && __get_cpuid(1, &a, &b, &c, &d) && (a >> 8 & 15) == 15 &&
           (a >> 20 & 255) == 11;
}

/* Intel 64 and AMD64 manuals, CPUID leaves 1 and 7. */
static uint32_t detect_x86(void)
{
    /* in ECX of leaf 1 */
    const uint32_t osxsave = 1u << 27, pclmul = 1u << 1;
    /* XMM and YMM; and the three parts of the AVX-512 state */
    const uint32_t ymm = 0x06, zmm = 0xe6;
    /* AVX2; and BMI1 and BMI2, which come with it */
    const uint32_t avx2 = 1u << 5 | 1u << 3 | 1u << 8;
    /* F, DQ, BW, VL in EBX of leaf 7 */
    const uint32_t avx512 = 1u << 16 | 1u << 17 | 1u << 30 | 1u << 31;
    /* VBMI, VBMI2, GFNI, VAES, VPCLMULQDQ in ECX of leaf 7 */
    const uint32_t avx512_more = 1u << 1 | 1u << 6 | 1u << 8 | 1u << 9 | 1u << 10;
    uint32_t a, b, c, d, features;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & (osxsave | pclmul)) != (osxsave | pclmul) ||
        (saved_state() & ymm) != ymm || !__get_cpuid_count(7, 0, &a, &b, &c, &d) ||
        (b & avx2) != avx2)
        return 0;
    features = HANJI_CPU_AVX2 | (waits_two_cycles() ? HANJI_CPU_TWO_CYCLES : 0);
    if ((b & avx512) == avx512 && (c & avx512_more) == avx512_more && (saved_state() & zmm) == zmm)
        features |= HANJI_CPU_AVX512;
    return features;
}

#endif

#ifdef HANJI_A64

/* Each feature only with those before it: the tiers are a chain. */
static uint32_t a64_chain(int neon, int crypto, int sha3)
{
    uint32_t features = 0;
    if (neon) {
        features |= HANJI_CPU_NEON;
        if (crypto) {
            features |= HANJI_CPU_CRYPTO;
            if (sha3)
                features |= HANJI_CPU_SHA3;
        }
    }
    return features;
}

/*
 * Linux says it in the auxiliary vector (bits of its arm64 ELF hwcaps). Without it, and in
 * firmware, the flags of the compiler do.
 */
static uint32_t detect_a64(void)
{
#if defined(__linux__) && !defined(HANJI_FREESTANDING)
    const unsigned long capabilities = getauxval(AT_HWCAP), asimd = 1ul << 1, aes_pmull = 3ul << 3,
                        sha3 = 1ul << 17;
    return a64_chain((capabilities & asimd) != 0, (capabilities & aes_pmull) == aes_pmull,
                     (capabilities & sha3) != 0);
#else
    int neon = 0, crypto = 0, sha3 = 0;
#ifdef __ARM_NEON
    neon = 1;
#endif
#ifdef __ARM_FEATURE_AES
    crypto = 1;
#endif
#ifdef __ARM_FEATURE_SHA3
    sha3 = 1;
#endif
    return a64_chain(neon, crypto, sha3);
#endif
}

#endif

/* What processor and operating system support, all tiers together. */
static uint32_t detect(void)
{
    uint32_t features = HANJI_CPU_PORTABLE;
#ifdef HANJI_X86
    features |= detect_x86();
#endif
#ifdef HANJI_A64
    features |= detect_a64();
#endif
#ifdef HANJI_RV32
    features |= HANJI_CPU_RV32I;
#endif
#ifdef HANJI_ARMV6M
    features |= HANJI_CPU_ARMV6M;
#endif
#ifdef HANJI_ARMV7M
    features |= HANJI_CPU_ARMV7M;
#endif
#ifdef HANJI_AVR
    features |= HANJI_CPU_AVR;
#endif
#ifdef HANJI_TEST_TIERS
    features |= HANJI_CPU_TEST_ANY;
#endif
    return features;
}

/* The features that a cap at `tier` leaves, or HANJI_CPU_REFUSED. */
static uint32_t capped(const char *tier)
{
    const uint32_t detected = detect();
    uint32_t allowed = 0;
    for (size_t i = 0; i < COUNT(tiers); i++) {
        size_t at = 0;
        while (tiers[i].name[at] != '\0' && tiers[i].name[at] == tier[at])
            at++;
        allowed |= tiers[i].features & detected;
#ifdef HANJI_X86
        if ((allowed & HANJI_CPU_AVX2) != 0)
            allowed |= detected & HANJI_CPU_TWO_CYCLES;
#endif
        if (tiers[i].name[at] == tier[at])
            return (tiers[i].features & ~detected) == 0 ? allowed : HANJI_CPU_REFUSED;
    }
    return HANJI_CPU_REFUSED;
}

#ifdef HANJI_FREESTANDING

/*
 * The features that hanji_force() has taken away. None is zero, so the variable is in .bss, and the
 * selection is right even after start code that copies no .data. All tiers are in the low 16 bits.
 */
static uint16_t withheld;

uint32_t hanji_cpu_features(void)
{
    return detect() & ~(uint32_t)withheld;
}

static void select_features(uint32_t features)
{
    withheld = (uint16_t)~features;
}

#else

/*
 * HANJI_CPU_SELECTED: the selection has been made. Made twice by two threads it is the same value,
 * so a relaxed store suffices.
 */
uint32_t hanji_cpu_selection;

static void select_features(uint32_t features)
{
    __atomic_store_n(&hanji_cpu_selection, features | HANJI_CPU_SELECTED, __ATOMIC_RELAXED);
}

/* Apart from what every call asks: it is done once. */
static HANJI_NOINLINE uint32_t first_selection(void)
{
    uint32_t now = 0;
    const char *tier = getenv("HANJI_FORCE");
    const uint32_t first =
        (tier != NULL && tier[0] != '\0' ? capped(tier) : detect()) | HANJI_CPU_SELECTED;
    /* A hanji_force() that came in between stays. */
    if (__atomic_compare_exchange_n(&hanji_cpu_selection, &now, first, 0, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED))
        now = first;
    return now;
}

uint32_t hanji_cpu_features(void)
{
    uint32_t now = __atomic_load_n(&hanji_cpu_selection, __ATOMIC_RELAXED);
    if ((now & HANJI_CPU_SELECTED) == 0)
        now = first_selection();
    return now & ~HANJI_CPU_SELECTED;
}

#endif

const char *hanji_cpu_tier(uint32_t features)
{
    size_t i = 0;
    for (size_t t = 0; t < COUNT(tiers); t++)
        if (tiers[t].features == features)
            i = t;
    return tiers[i].name;
}

int hanji_force(const char *tier)
{
    const uint32_t features = tier == NULL ? detect() : capped(tier);
    if ((features & HANJI_CPU_REFUSED) != 0)
        return HANJI_E_UNSUPPORTED;
    select_features(features);
    return HANJI_OK;
}

int hanji_selection(void)
{
#ifdef HANJI_FREESTANDING
    return HANJI_OK; /* only HANJI_FORCE can ask for the impossible, and there is no environment */
#else
    return (hanji_cpu_features() & HANJI_CPU_REFUSED) != 0 ? HANJI_E_UNSUPPORTED : HANJI_OK;
#endif
}

size_t hanji_tier_count(void)
{
    return COUNT(tiers);
}

const char *hanji_tier_name(size_t index)
{
    return index < COUNT(tiers) ? tiers[index].name : NULL;
}

int hanji_tier_state(size_t index)
{
    if (index >= COUNT(tiers) || (tiers[index].features & ~detect()) != 0)
        return 0;
    if (hanji_selection() != HANJI_OK)
        return 1; /* keyed operations refuse, whatever the tier */
    return (tiers[index].features & ~hanji_cpu_features()) == 0 ? 2 : 1;
}
