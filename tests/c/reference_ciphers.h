/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AES-128 and three-key TDEA as ciphers of the library, for tests of the mode code with published
 * vectors. Neither fast nor constant time.
 */
#ifndef HANJI_TESTS_REFERENCE_CIPHERS_H
#define HANJI_TESTS_REFERENCE_CIPHERS_H

#include "hanji/block.h"

/* "aes-128" or "tdea"; NULL for another name. */
const hanji_cipher *reference_cipher_find(const char *name);

#endif
