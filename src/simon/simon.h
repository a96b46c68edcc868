/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract of the SIMON room: the table of variants, and the kernels that its files define.
 * Round keys are words in the order of the rounds; 24- and 48-bit words in uint32_t and uint64_t.
 */
#ifndef HANJI_SIMON_SIMON_H
#define HANJI_SIMON_SIMON_H

#include "lanes/variants.h"

/* Variants: Beaulieu et al., ePrint 2013/404, table 3.1. */
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

#endif
