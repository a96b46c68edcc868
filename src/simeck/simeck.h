/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract of the SIMECK room: the table of variants, and the kernels that its files define.
 * Round keys are words in the order of the rounds; 24-bit words in uint32_t.
 */
#ifndef HANJI_SIMECK_SIMECK_H
#define HANJI_SIMECK_SIMECK_H

#include "lanes/variants.h"

/*
 * X(name, printed name, public prefix, word bits, key words, rounds, portable lanes): Yang et al.,
 * CHES 2015, section 2.
 */
#define SIMECK_VARIANTS(X)                                     \
    X(simeck32_64, "simeck-32/64", SIMECK32_64, 16, 4, 32, 32) \
    X(simeck48_96, "simeck-48/96", SIMECK48_96, 24, 4, 36, 32) \
    X(simeck64_128, "simeck-64/128", SIMECK64_128, 32, 4, 44, 32)

/*
 * z from all ones, bit j being z[j]: X^5 + X^2 + 1 (its first 32 bits, all that are used) and X^6 +
 * X + 1 (its first 44).
 */
#define SIMECK_Z_simeck32_64 0x9a42bb1f
#define SIMECK_Z_simeck48_96 0x9a42bb1f
#define SIMECK_Z_simeck64_128 0x938bca3083f

SIMECK_VARIANTS(HANJI_VARIANT_DECLARE)

/* Kernels of processors with vectors: their group sizes. */
HANJI_AVX2_SLICED_DECLARE(simeck32_64, 128, 80, 32, 16)
HANJI_AVX512_DECLARE(simeck32_64, 512, 256, 128, 32)
HANJI_AVX2_DECLARE(simeck48_96, 40, 16, 8)
HANJI_AVX2_SLICED_DECLARE(simeck64_128, 64, 40, 16, 8)
HANJI_AVX512_DECLARE(simeck64_128, 256, 128, 64, 16)
HANJI_NEON_DECLARE(simeck32_64, 48, 16, 8)
HANJI_NEON_DECLARE(simeck64_128, 24, 8, 4)
HANJI_AVX512_DECLARE(simeck48_96, 192, 128, 64, 16)
HANJI_NEON_DECLARE(simeck48_96, 24, 8, 4)

/* And their key streams of many messages: lanes. */
HANJI_AVX2_STREAMS_DECLARE(simeck32_64, 16)
HANJI_AVX512_STREAMS_DECLARE(simeck32_64, 32)
HANJI_NEON_STREAMS_DECLARE(simeck32_64, 8)
HANJI_AVX2_STREAMS_DECLARE(simeck64_128, 8)
HANJI_AVX512_STREAMS_DECLARE(simeck64_128, 16)
HANJI_NEON_STREAMS_DECLARE(simeck64_128, 4)
HANJI_AVX2_STREAMS_DECLARE(simeck48_96, 8)
HANJI_AVX512_STREAMS_DECLARE(simeck48_96, 16)
HANJI_NEON_STREAMS_DECLARE(simeck48_96, 4)

#endif
