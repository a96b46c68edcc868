/* SPDX-License-Identifier: Apache-2.0 */
/* The portable kernels for GF(256). */
#define FIELD 256
#define BITS 8
#define TIMES gf256_multiply
#define INVERT gf256_invert
#include "rainbow/matrix_portable.h"
