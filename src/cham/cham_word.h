/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHAM for words of WORD_BITS bits (Koo et al., ICISC 2017, section 3). Included by cham.c once per
 * word size.
 */
#include "lanes/portable.h" /* first: the rounds stand on its words */

#include "cham/cham_rounds.h"
