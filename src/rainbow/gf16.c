/* SPDX-License-Identifier: Apache-2.0 */
/* The portable kernels for GF(16). */
#define FIELD 16
#define BITS 4
#define TIMES gf16_multiply
#define INVERT gf16_invert
#include "rainbow/matrix_portable.h"
