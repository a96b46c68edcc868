/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON for words of WORD_BITS bits (Beaulieu et al., ePrint 2013/404, section 3). Included by
 * simon.c once per word size.
 */
#include "lanes/portable.h" /* first: the rounds stand on its words */

#include "simon/simon_rounds.h"
