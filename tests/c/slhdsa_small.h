/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SLH-DSA with smaller trees, for tests that sign or verify thousands of times: two layers of trees
 * of height 3, FORS trees of height 3. Every function of a set computes as with its own trees.
 */
#ifndef HANJI_TESTS_SLHDSA_SMALL_H
#define HANJI_TESTS_SLHDSA_SMALL_H

#include "check.h"
#include "slhdsa/slhdsa.h"

enum { SMALL_SIGNATURE_MAX = 9100 };

static hanji_slhdsa small_set;
static uint8_t small_public[HANJI_SLHDSA_PUBLIC_KEY_BYTES_MAX],
    small_secret[HANJI_SLHDSA_SECRET_KEY_BYTES_MAX];
static size_t small_bytes, small_public_bytes, small_secret_bytes;

/* The set with this number, with smaller trees, and a key pair of it. */
static inline int take_small(size_t index)
{
    uint8_t seeds[HANJI_SLHDSA_SEEDS_BYTES_MAX];
    small_set = *hanji_slhdsa_at(index);
    case_context = small_set.name;
    small_set.layers = 2;
    small_set.height = 3;
    small_set.fors_height = 3;
    small_bytes = hanji_slhdsa_signature_bytes(&small_set);
    small_public_bytes = hanji_slhdsa_public_key_bytes(&small_set);
    small_secret_bytes = hanji_slhdsa_secret_key_bytes(&small_set);
    pseudo_random(seeds, sizeof seeds, (uint32_t)index + 1);
    return small_bytes <= SMALL_SIGNATURE_MAX &&
           hanji_slhdsa_keypair_from_seeds(small_public, small_secret, seeds,
                                           hanji_slhdsa_seeds_bytes(&small_set),
                                           &small_set) == HANJI_OK;
}

#endif
