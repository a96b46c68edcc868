/* SPDX-License-Identifier: Apache-2.0 */
/* What a parameter set of Rainbow is made of. Nothing here needs libcrypto. */
#ifndef HANJI_RAINBOW_SETS_H
#define HANJI_RAINBOW_SETS_H

#include "hanji/rainbow.h"

#define SEED_BYTES 32

enum { CLASSIC, CZ, COMPRESSED };

typedef struct hanji_rainbow_level {
    uint32_t bits; /* of a field element */
    uint32_t v, o1, o2;
    uint32_t hash_bytes;
} hanji_rainbow_level;

#endif
