/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract of the SPECK room: the table of variants, and the kernels that its files define.
 * Round keys are words in the order of the rounds; 24- and 48-bit words in uint32_t and uint64_t.
 */
#ifndef HANJI_SPECK_SPECK_H
#define HANJI_SPECK_SPECK_H

#include "lanes/variants.h"

/* Variants: Beaulieu et al., ePrint 2013/404, table 4.1. */

#endif
