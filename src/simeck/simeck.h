/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract of the SIMECK room: the table of variants, and the kernels that its files define.
 * Round keys are words in the order of the rounds; 24-bit words in uint32_t.
 */
#ifndef HANJI_SIMECK_SIMECK_H
#define HANJI_SIMECK_SIMECK_H

#include "lanes/variants.h"

/* Variants: Yang et al., CHES 2015, section 2. */
/*
 * z from all ones, bit j being z[j]: X^5 + X^2 + 1 (its first 32 bits, all that are used) and X^6 +
 * X + 1 (its first 44).
 */
#define SIMECK_Z_simeck32_64 0x9a42bb1f
#define SIMECK_Z_simeck48_96 0x9a42bb1f
#define SIMECK_Z_simeck64_128 0x938bca3083f

#endif
