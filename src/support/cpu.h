/* SPDX-License-Identifier: Apache-2.0 */
/* What the machine can run, and what the caller lets it run. Nothing else in the library asks. */
#ifndef HANJI_SUPPORT_CPU_H
#define HANJI_SUPPORT_CPU_H

#ifndef __ASSEMBLER__
#include <stdint.h>

#include "hanji/common.h"
#endif

/*
 * Builds that have the tiers of x86-64: not firmware, and not with HANJI_PORTABLE, for those who
 * compile the sources without the flags of cmake/kernels.cmake.
 */
#if defined(__x86_64__) && !defined(HANJI_FREESTANDING) && !defined(HANJI_PORTABLE)
#define HANJI_X86
#endif
/* Kernels in assembly for x86-64 have the sections and the calls of systems with ELF. */
#if defined(HANJI_X86) && defined(__ELF__)
#define HANJI_X86_ASSEMBLY
#endif
/*
 * Those of ARMv8-A in its 64-bit state; in firmware what the compiler is told that the processor
 * has.
 */
#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && !defined(HANJI_PORTABLE)
#define HANJI_A64
#endif
/* That of RV32 with all 31 registers. */
#if defined(__riscv) && __riscv_xlen == 32 && !defined(__riscv_32e) && !defined(HANJI_PORTABLE)
#define HANJI_RV32
#endif

/* Those of microcontrollers: Armv8-M has the instructions of Armv6-M, its mainline of Armv7-M. */
#if !defined(HANJI_PORTABLE) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#if defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__) || defined(__ARM_ARCH_8M_MAIN__)
#define HANJI_ARMV7M
#elif defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_8M_BASE__)
#define HANJI_ARMV6M
#elif defined(__AVR__) && defined(__AVR_HAVE_LPMX__) && defined(__AVR_HAVE_MOVW__)
#define HANJI_AVR
#endif
#endif

/*
 * CPU features that a kernel needs, as bits. Portable kernels need none. A tier of kernels is a set
 * of features; its kernels carry exactly these bits.
 */
#define HANJI_CPU_PORTABLE 0u
#define HANJI_CPU_AVX2 0x10u   /* AVX2, PCLMULQDQ, BMI1, BMI2 */
#define HANJI_CPU_AVX512 0x20u /* AVX-512 F, BW, DQ, VL, VBMI and VBMI2, GFNI, VAES, VPCLMULQDQ */
/*
 * Comes with AVX2 and is no feature: one operation on a vector waits two cycles for another, so one
 * state is better computed in general registers, too.
 */
#define HANJI_CPU_TWO_CYCLES 0x4000u
#define HANJI_CPU_NEON 0x40u   /* Advanced SIMD */
#define HANJI_CPU_CRYPTO 0x80u /* FEAT_AES and FEAT_PMULL, and NEON */
#define HANJI_CPU_SHA3 0x100u  /* FEAT_SHA3, and the two before it */
#define HANJI_CPU_RV32I 0x200u /* the base instructions */
#define HANJI_CPU_ARMV6M 0x800u
#define HANJI_CPU_ARMV7M 0x1000u
#define HANJI_CPU_AVR 0x2000u /* with movw and lpm of any register */
#ifdef HANJI_TEST_TIERS /* two tiers of the unit tests: one that any machine runs, one that none does */
#define HANJI_CPU_TEST_ANY 0x1u
#define HANJI_CPU_TEST_NONE 0x2u
#endif

/* Never a feature: marks a selection that HANJI_FORCE made impossible. */
#define HANJI_CPU_REFUSED 0x80000000u

/*
 * hanji_cpu_features() of hanji/common.h: the features that kernels may use now; fixed at first
 * use, race-free. With HANJI_CPU_REFUSED set only portable kernels are left and keyed operations
 * must not start.
 */

#ifndef __ASSEMBLER__
#ifdef HANJI_FREESTANDING
#define hanji_features hanji_cpu_features
#else
/* The selection of cpu.c, if it is made: a call would cost as much as a block. */
#define HANJI_CPU_SELECTED 0x40000000u
extern uint32_t hanji_cpu_selection;
/* hanji_cpu_features() in place. */
static inline __attribute__((unused)) uint32_t hanji_features(void)
{
    const uint32_t now = __atomic_load_n(&hanji_cpu_selection, __ATOMIC_RELAXED);
    return (now & HANJI_CPU_SELECTED) != 0 ? now & ~HANJI_CPU_SELECTED : hanji_cpu_features();
}
#endif
/* The name of the tier whose kernels carry these features. */
const char *hanji_cpu_tier(uint32_t features);
#endif

#endif
