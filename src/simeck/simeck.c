/* SPDX-License-Identifier: Apache-2.0 */
/* Portable SIMECK, all three variants: the rounds of simeck_word.h for three word sizes, with the constants of each variant compiled in. */
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

/* z from all ones, bit j being z[j]: X^5 + X^2 + 1 (its first 32 bits, all that are used) and X^6 + X + 1 (its first 44). */
#define Z_simeck32_64 0x9a42bb1f
#define Z_simeck48_96 0x9a42bb1f
#define Z_simeck64_128 0x938bca3083f

#define SIMECK_KERNELS(name, printed, macro, bits, key_words, rounds, lanes)                          \
    HANJI_PORTABLE_KERNELS(name, lanes, bits, simeck_encrypt_w##bits, simeck_decrypt_w##bits, rounds) \
    void hanji_##name##_expand(void *round_keys, const uint8_t *key)                                  \
    {                                                                                                 \
        simeck_expand_w##bits(round_keys, key, rounds, Z_##name);                                     \
    }
SIMECK_VARIANTS(SIMECK_KERNELS)
