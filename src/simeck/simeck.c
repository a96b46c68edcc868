/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Portable SIMECK, all three variants: the rounds of simeck_word.h for three word sizes, with the
 * constants of each variant compiled in.
 */
#include "simeck/simeck.h"

#define WORDS 2
#define WORD_BITS 16
#include "simeck/simeck_word.h"
#undef WORD_BITS
#define WORD_BITS 24
#include "simeck/simeck_word.h"
#undef WORD_BITS
#define WORD_BITS 32
#include "simeck/simeck_word.h"

#define SIMECK_KERNELS(name, printed, macro, bits, key_words, rounds, lanes)                  \
    HANJI_PORTABLE_KERNELS(name, lanes, bits, simeck_encrypt_w##bits, simeck_decrypt_w##bits, \
                           rounds)                                                            \
    void hanji_##name##_expand(void *round_keys, const uint8_t *key)                          \
    {                                                                                         \
        expand_w##bits(round_keys, key, simeck_schedule_w##bits, key_words, rounds,           \
                       SIMECK_Z_##name);                                                      \
    }
SIMECK_VARIANTS(SIMECK_KERNELS)
