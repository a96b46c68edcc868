/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract of the CHAM room: the table of variants, and the kernels that its files define.
 * Round keys are 8 or 16 words, used cyclically; the revised and the original ciphers share context
 * types and key schedules.
 */
#ifndef HANJI_CHAM_CHAM_H
#define HANJI_CHAM_CHAM_H

#include "lanes/variants.h"

/* Roh et al., ICISC 2019; the round counts of the original: Koo et al., ICISC 2017. */

/* The context types of the original ciphers, by the names that the macros make. */
typedef hanji_cham64_128_ctx hanji_cham64_128_original_ctx;
typedef hanji_cham128_128_ctx hanji_cham128_128_original_ctx;
typedef hanji_cham128_256_ctx hanji_cham128_256_original_ctx;

#endif
