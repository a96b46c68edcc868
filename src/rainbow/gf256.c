/* SPDX-License-Identifier: Apache-2.0 */
/* The portable kernels for GF(256). */
#define BITS 8
#define TIMES gf256_multiply
#define INVERT gf256_invert
#define ACCUMULATE hanji_gf256_portable_accumulate
#define EVALUATE hanji_gf256_portable_evaluate
#define PREPARE hanji_gf256_portable_prepare
#define SOLVE hanji_gf256_portable_solve
#include "rainbow/matrix_portable.h"
