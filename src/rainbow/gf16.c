/* SPDX-License-Identifier: Apache-2.0 */
/* The portable kernels for GF(16). */
#define BITS 4
#define TIMES gf16_multiply
#define INVERT gf16_invert
#define ACCUMULATE hanji_gf16_portable_accumulate
#define EVALUATE hanji_gf16_portable_evaluate
#define PREPARE hanji_gf16_portable_prepare
#define SOLVE hanji_gf16_portable_solve
#include "rainbow/matrix_portable.h"
