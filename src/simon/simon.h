/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract of the SIMON room: the table of variants, and the kernels that its files define.
 * Round keys are words in the order of the rounds; 24- and 48-bit words in uint32_t and uint64_t.
 */
#ifndef HANJI_SIMON_SIMON_H
#define HANJI_SIMON_SIMON_H

#include "lanes/variants.h"

/* X(name, printed name, public prefix, word bits, key words, rounds, portable lanes): Beaulieu et al., ePrint 2013/404, table 3.1. */
#define SIMON_VARIANTS(X)                                        \
    X(simon32_64, "simon-32/64", SIMON32_64, 16, 4, 32, 32)      \
    X(simon48_72, "simon-48/72", SIMON48_72, 24, 3, 36, 32)      \
    X(simon48_96, "simon-48/96", SIMON48_96, 24, 4, 36, 32)      \
    X(simon64_96, "simon-64/96", SIMON64_96, 32, 3, 42, 32)      \
    X(simon64_128, "simon-64/128", SIMON64_128, 32, 4, 44, 32)   \
    X(simon96_96, "simon-96/96", SIMON96_96, 48, 2, 52, 8)       \
    X(simon96_144, "simon-96/144", SIMON96_144, 48, 3, 54, 8)    \
    X(simon128_128, "simon-128/128", SIMON128_128, 64, 2, 68, 8) \
    X(simon128_192, "simon-128/192", SIMON128_192, 64, 3, 69, 8) \
    X(simon128_256, "simon-128/256", SIMON128_256, 64, 4, 72, 8)

/* The sequences z0 .. z4 (ePrint 2013/404, table 3.2), bit j being z[j]. */
#define SIMON_Z0 0x19c3522fb386a45f
#define SIMON_Z1 0x16864fb8ad0c9f71
#define SIMON_Z2 0x3369f885192c0ef5
#define SIMON_Z3 0x3c2ce51207a635db
#define SIMON_Z4 0x3dc94c3a046d678b
#define SIMON_Z_simon32_64 SIMON_Z0
#define SIMON_Z_simon48_72 SIMON_Z0
#define SIMON_Z_simon48_96 SIMON_Z1
#define SIMON_Z_simon64_96 SIMON_Z2
#define SIMON_Z_simon64_128 SIMON_Z3
#define SIMON_Z_simon96_96 SIMON_Z2
#define SIMON_Z_simon96_144 SIMON_Z3
#define SIMON_Z_simon128_128 SIMON_Z2
#define SIMON_Z_simon128_192 SIMON_Z3
#define SIMON_Z_simon128_256 SIMON_Z4

SIMON_VARIANTS(HANJI_VARIANT_DECLARE)

/* Kernels of processors with vectors: their group sizes. */
HANJI_AVX2_SLICED_DECLARE(simon32_64, 128, 80, 32, 16)
HANJI_AVX512_DECLARE(simon32_64, 384, 256, 128, 32)
HANJI_AVX2_DECLARE(simon48_72, 40, 16, 8)
HANJI_AVX2_DECLARE(simon48_96, 40, 16, 8)
HANJI_AVX2_SLICED_DECLARE(simon64_96, 64, 40, 16, 8)
HANJI_AVX2_SLICED_DECLARE(simon64_128, 64, 40, 16, 8)
HANJI_AVX512_DECLARE(simon64_96, 192, 128, 64, 16)
HANJI_AVX512_DECLARE(simon64_128, 192, 128, 64, 16)
HANJI_AVX2_DECLARE(simon96_96, 20, 8, 4)
HANJI_AVX2_DECLARE(simon96_144, 20, 8, 4)
HANJI_AVX2_SLICED_DECLARE(simon128_128, 32, 20, 8, 4)
HANJI_AVX2_SLICED_DECLARE(simon128_192, 32, 20, 8, 4)
HANJI_AVX2_SLICED_DECLARE(simon128_256, 32, 20, 8, 4)
HANJI_AVX512_DECLARE(simon128_128, 96, 64, 32, 8)
HANJI_AVX512_DECLARE(simon128_192, 96, 64, 32, 8)
HANJI_AVX512_DECLARE(simon128_256, 96, 64, 32, 8)
HANJI_NEON_DECLARE(simon32_64, 48, 16, 8)
HANJI_NEON_DECLARE(simon64_96, 24, 8, 4)
HANJI_NEON_DECLARE(simon64_128, 24, 8, 4)
HANJI_NEON_DECLARE(simon128_128, 12, 4, 2)
HANJI_NEON_DECLARE(simon128_192, 12, 4, 2)
HANJI_NEON_DECLARE(simon128_256, 12, 4, 2)
HANJI_AVX512_DECLARE(simon48_72, 192, 128, 64, 16)
HANJI_AVX512_DECLARE(simon48_96, 192, 128, 64, 16)
HANJI_NEON_DECLARE(simon48_72, 24, 8, 4)
HANJI_NEON_DECLARE(simon48_96, 24, 8, 4)
HANJI_AVX512_DECLARE(simon96_96, 96, 64, 32, 8)
HANJI_AVX512_DECLARE(simon96_144, 96, 64, 32, 8)
HANJI_NEON_DECLARE(simon96_96, 12, 4, 2)
HANJI_NEON_DECLARE(simon96_144, 12, 4, 2)

/* And their key streams of many messages: lanes. */
HANJI_AVX2_STREAMS_DECLARE(simon128_128, 4)
HANJI_AVX2_STREAMS_DECLARE(simon128_192, 4)
HANJI_AVX2_STREAMS_DECLARE(simon128_256, 4)
HANJI_AVX512_STREAMS_DECLARE(simon128_128, 8)
HANJI_AVX512_STREAMS_DECLARE(simon128_192, 8)
HANJI_AVX512_STREAMS_DECLARE(simon128_256, 8)
HANJI_NEON_STREAMS_DECLARE(simon128_128, 2)
HANJI_NEON_STREAMS_DECLARE(simon128_192, 2)
HANJI_NEON_STREAMS_DECLARE(simon128_256, 2)
HANJI_AVX2_STREAMS_DECLARE(simon32_64, 16)
HANJI_AVX512_STREAMS_DECLARE(simon32_64, 32)
HANJI_NEON_STREAMS_DECLARE(simon32_64, 8)
HANJI_AVX2_STREAMS_DECLARE(simon64_96, 8)
HANJI_AVX2_STREAMS_DECLARE(simon64_128, 8)
HANJI_AVX512_STREAMS_DECLARE(simon64_96, 16)
HANJI_AVX512_STREAMS_DECLARE(simon64_128, 16)
HANJI_NEON_STREAMS_DECLARE(simon64_96, 4)
HANJI_NEON_STREAMS_DECLARE(simon64_128, 4)

#endif
