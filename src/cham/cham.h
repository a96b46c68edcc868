/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract of the CHAM room: the table of variants, and the kernels that its files define.
 * Round keys are 8 or 16 words, used cyclically; the revised and the original ciphers share context
 * types and key schedules.
 */
#ifndef HANJI_CHAM_CHAM_H
#define HANJI_CHAM_CHAM_H

#include "lanes/variants.h"

/*
 * X(name, printed name, public prefix, word bits, key words, rounds, portable lanes): Roh et al.,
 * ICISC 2019; the original round counts: Koo et al., ICISC 2017.
 */
#define CHAM_VARIANTS(X)                                                         \
    X(cham64_128, "cham-64/128", CHAM64_128, 16, 8, 88, 32)                      \
    X(cham128_128, "cham-128/128", CHAM128_128, 32, 4, 112, 32)                  \
    X(cham128_256, "cham-128/256", CHAM128_256, 32, 8, 120, 32)                  \
    X(cham64_128_original, "cham-64/128-original", CHAM64_128, 16, 8, 80, 32)    \
    X(cham128_128_original, "cham-128/128-original", CHAM128_128, 32, 4, 80, 32) \
    X(cham128_256_original, "cham-128/256-original", CHAM128_256, 32, 8, 96, 32)

/* The context types of the original ciphers, by the names that the macros make. */
typedef hanji_cham64_128_ctx hanji_cham64_128_original_ctx;
typedef hanji_cham128_128_ctx hanji_cham128_128_original_ctx;
typedef hanji_cham128_256_ctx hanji_cham128_256_original_ctx;

CHAM_VARIANTS(HANJI_VARIANT_DECLARE)

/* Kernels of processors with vectors: their group sizes. */
HANJI_AVX2_DECLARE_4(cham64_128, 192, 64, 32, 16)
HANJI_AVX2_DECLARE_4(cham64_128_original, 192, 64, 32, 16)
HANJI_AVX512_DECLARE(cham64_128, 192, 128, 64, 32)
HANJI_AVX512_DECLARE(cham64_128_original, 192, 128, 64, 32)
HANJI_AVX2_DECLARE_4(cham128_128, 96, 32, 16, 8)
HANJI_AVX2_DECLARE_4(cham128_128_original, 96, 32, 16, 8)
HANJI_AVX2_DECLARE_4(cham128_256, 96, 32, 16, 8)
HANJI_AVX2_DECLARE_4(cham128_256_original, 96, 32, 16, 8)
HANJI_AVX512_DECLARE(cham128_128, 96, 64, 32, 16)
HANJI_AVX512_DECLARE(cham128_128_original, 96, 64, 32, 16)
HANJI_AVX512_DECLARE(cham128_256, 96, 64, 32, 16)
HANJI_AVX512_DECLARE(cham128_256_original, 96, 64, 32, 16)
HANJI_NEON_DECLARE(cham64_128, 32, 16, 8)
HANJI_NEON_DECLARE(cham64_128_original, 32, 16, 8)
HANJI_NEON_DECLARE(cham128_128, 16, 8, 4)
HANJI_NEON_DECLARE(cham128_128_original, 16, 8, 4)
HANJI_NEON_DECLARE(cham128_256, 16, 8, 4)
HANJI_NEON_DECLARE(cham128_256_original, 16, 8, 4)

/* And their key streams of many messages: lanes. */
HANJI_AVX2_STREAMS_DECLARE(cham128_128, 8)
HANJI_AVX2_STREAMS_DECLARE(cham128_128_original, 8)
HANJI_AVX2_STREAMS_DECLARE(cham128_256, 8)
HANJI_AVX2_STREAMS_DECLARE(cham128_256_original, 8)
HANJI_AVX512_STREAMS_DECLARE(cham128_128, 16)
HANJI_AVX512_STREAMS_DECLARE(cham128_128_original, 16)
HANJI_AVX512_STREAMS_DECLARE(cham128_256, 16)
HANJI_AVX512_STREAMS_DECLARE(cham128_256_original, 16)
HANJI_NEON_STREAMS_DECLARE(cham128_128, 4)
HANJI_NEON_STREAMS_DECLARE(cham128_128_original, 4)
HANJI_NEON_STREAMS_DECLARE(cham128_256, 4)
HANJI_NEON_STREAMS_DECLARE(cham128_256_original, 4)
HANJI_AVX2_STREAMS_DECLARE(cham64_128, 16)
HANJI_AVX2_STREAMS_DECLARE(cham64_128_original, 16)
HANJI_AVX512_STREAMS_DECLARE(cham64_128, 32)
HANJI_AVX512_STREAMS_DECLARE(cham64_128_original, 32)
HANJI_NEON_STREAMS_DECLARE(cham64_128, 8)
HANJI_NEON_STREAMS_DECLARE(cham64_128_original, 8)

#endif
