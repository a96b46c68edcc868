/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a parameter set of Rainbow, without libcrypto. */
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
