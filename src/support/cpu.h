/* SPDX-License-Identifier: Apache-2.0 */
/* What the machine can run, and what the caller lets it run. Nothing else in the library asks. */
#ifndef HANJI_SUPPORT_CPU_H
#define HANJI_SUPPORT_CPU_H

#include <stdint.h>

/* Builds that have the tiers of x86-64: not firmware, and not with HANJI_PORTABLE, for those who compile the sources without the flags of cmake/kernels.cmake. */
#if defined(__x86_64__) && !defined(HANJI_FREESTANDING) && !defined(HANJI_PORTABLE)
#define HANJI_X86
#endif

/* CPU features that a kernel needs, as bits. Portable kernels need none. A tier of kernels is a set of features; its kernels carry exactly these bits. */
#define HANJI_CPU_PORTABLE 0u
#define HANJI_CPU_AVX2 0x10u   /* AVX2 */
#define HANJI_CPU_AVX512 0x20u /* AVX-512 F, BW, DQ, VL and VBMI2 */
#ifdef HANJI_TEST_TIERS        /* two tiers of the unit tests: one that any machine runs, one that none does */
#define HANJI_CPU_TEST_ANY 0x1u
#define HANJI_CPU_TEST_NONE 0x2u
#endif

/* Never a feature: marks a selection that HANJI_FORCE made impossible. */
#define HANJI_CPU_REFUSED 0x80000000u

/* The features that kernels may use now; fixed at first use, race-free. With HANJI_CPU_REFUSED set only portable kernels are left and keyed operations must not start. */
uint32_t hanji_cpu_features(void);

/* The name of the tier whose kernels carry these features. */
const char *hanji_cpu_tier(uint32_t features);

#endif
