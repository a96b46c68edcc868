/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK for words of WORD_BITS bits (Beaulieu et al., ePrint 2013/404, section 4). Included by
 * speck.c once per word size.
 */
#include "lanes/portable.h" /* first: the rounds stand on its words */

#include "speck/speck_rounds.h"
