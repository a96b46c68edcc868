/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMECK for words of WORD_BITS bits (Yang et al., CHES 2015, section 2). Included by simeck.c once
 * per word size. All variants have an even number of rounds.
 */
#include "lanes/portable.h" /* first: the rounds stand on its words */

#include "simeck/simeck_rounds.h"
