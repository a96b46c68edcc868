/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract of the SPECK room: the table of variants, and the kernels that its files define.
 * Round keys are words in the order of the rounds; 24- and 48-bit words in uint32_t and uint64_t.
 */
#ifndef HANJI_SPECK_SPECK_H
#define HANJI_SPECK_SPECK_H

#include "lanes/variants.h"

/* X(name, printed name, word bits, key words, rounds, portable lanes): Beaulieu et al., ePrint 2013/404, table 4.1. */
#define SPECK_VARIANTS(X)                                        \
    X(speck32_64, "speck-32/64", SPECK32_64, 16, 4, 22, 32)      \
    X(speck48_72, "speck-48/72", SPECK48_72, 24, 3, 22, 32)      \
    X(speck48_96, "speck-48/96", SPECK48_96, 24, 4, 23, 32)      \
    X(speck64_96, "speck-64/96", SPECK64_96, 32, 3, 26, 32)      \
    X(speck64_128, "speck-64/128", SPECK64_128, 32, 4, 27, 32)   \
    X(speck96_96, "speck-96/96", SPECK96_96, 48, 2, 28, 8)       \
    X(speck96_144, "speck-96/144", SPECK96_144, 48, 3, 29, 8)    \
    X(speck128_128, "speck-128/128", SPECK128_128, 64, 2, 32, 8) \
    X(speck128_192, "speck-128/192", SPECK128_192, 64, 3, 33, 8) \
    X(speck128_256, "speck-128/256", SPECK128_256, 64, 4, 34, 8)

SPECK_VARIANTS(HANJI_VARIANT_DECLARE)

/* Kernels of processors with vectors: their group sizes. */
HANJI_AVX2_DECLARE(speck32_64, 96, 32, 16)
HANJI_AVX512_DECLARE(speck32_64, 384, 256, 128, 32)
HANJI_AVX2_DECLARE(speck48_72, 48, 16, 8)
HANJI_AVX2_DECLARE(speck48_96, 48, 16, 8)
HANJI_AVX2_DECLARE(speck64_96, 48, 16, 8)
HANJI_AVX2_DECLARE(speck64_128, 48, 16, 8)
HANJI_AVX512_DECLARE(speck64_96, 192, 128, 64, 16)
HANJI_AVX512_DECLARE(speck64_128, 192, 128, 64, 16)
HANJI_AVX2_DECLARE(speck96_96, 24, 8, 4)
HANJI_AVX2_DECLARE(speck96_144, 24, 8, 4)
HANJI_AVX2_DECLARE(speck128_128, 24, 8, 4)
HANJI_AVX2_DECLARE(speck128_192, 24, 8, 4)
HANJI_AVX2_DECLARE(speck128_256, 24, 8, 4)
HANJI_AVX512_DECLARE(speck128_128, 96, 64, 32, 8)
HANJI_AVX512_DECLARE(speck128_192, 96, 64, 32, 8)
HANJI_AVX512_DECLARE(speck128_256, 96, 64, 32, 8)
HANJI_NEON_DECLARE(speck32_64, 64, 16, 8)
HANJI_NEON_DECLARE(speck64_96, 32, 8, 4)
HANJI_NEON_DECLARE(speck64_128, 32, 8, 4)
HANJI_NEON_DECLARE(speck128_128, 16, 4, 2)
HANJI_NEON_DECLARE(speck128_192, 16, 4, 2)
HANJI_NEON_DECLARE(speck128_256, 16, 4, 2)
HANJI_AVX512_DECLARE(speck48_72, 192, 128, 64, 16)
HANJI_AVX512_DECLARE(speck48_96, 192, 128, 64, 16)
HANJI_NEON_DECLARE(speck48_72, 32, 8, 4)
HANJI_NEON_DECLARE(speck48_96, 32, 8, 4)
HANJI_AVX512_DECLARE(speck96_96, 96, 64, 32, 8)
HANJI_AVX512_DECLARE(speck96_144, 96, 64, 32, 8)
HANJI_NEON_DECLARE(speck96_96, 16, 4, 2)
HANJI_NEON_DECLARE(speck96_144, 16, 4, 2)

/* And their key streams of many messages: lanes. */
HANJI_AVX2_STREAMS_DECLARE(speck128_128, 4)
HANJI_AVX2_STREAMS_DECLARE(speck128_192, 4)
HANJI_AVX2_STREAMS_DECLARE(speck128_256, 4)
HANJI_AVX512_STREAMS_DECLARE(speck128_128, 8)
HANJI_AVX512_STREAMS_DECLARE(speck128_192, 8)
HANJI_AVX512_STREAMS_DECLARE(speck128_256, 8)
HANJI_NEON_STREAMS_DECLARE(speck128_128, 2)
HANJI_NEON_STREAMS_DECLARE(speck128_192, 2)
HANJI_NEON_STREAMS_DECLARE(speck128_256, 2)
HANJI_AVX2_STREAMS_DECLARE(speck32_64, 16)
HANJI_AVX512_STREAMS_DECLARE(speck32_64, 32)
HANJI_NEON_STREAMS_DECLARE(speck32_64, 8)
HANJI_AVX2_STREAMS_DECLARE(speck64_96, 8)
HANJI_AVX2_STREAMS_DECLARE(speck64_128, 8)
HANJI_AVX512_STREAMS_DECLARE(speck64_96, 16)
HANJI_AVX512_STREAMS_DECLARE(speck64_128, 16)
HANJI_NEON_STREAMS_DECLARE(speck64_96, 4)
HANJI_NEON_STREAMS_DECLARE(speck64_128, 4)

#endif
