/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the library has: the only room that knows all others. A program that names its algorithms
 * itself links none of this.
 */
#ifndef HANJI_CATALOG_CATALOG_H
#define HANJI_CATALOG_CATALOG_H

#include "hanji/hanji.h"
#include "support/kernel.h"

/* 1 when the strings are equal. */
int hanji_text_equal(const char *a, const char *b);

/*
 * Known-answer tests of one algorithm, by kind; 1 when every answer is right. `name` is its name in
 * the list.
 */
int hanji_test_block(const char *name);
int hanji_test_mode(const char *name);
int hanji_test_permutation(const char *name);
int hanji_test_aead(const char *name);
int hanji_test_hash(const char *name);
int hanji_test_signature(const char *name);

#endif
