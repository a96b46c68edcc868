/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Portable SPECK, all ten variants: the rounds of speck_word.h for five word sizes, with the
 * constants of each variant compiled in.
 */
#include "speck/speck.h"

#define WORDS 2
#define WORD_BITS 16
#include "speck/speck_word.h"
#undef WORD_BITS
#define WORD_BITS 24
#include "speck/speck_word.h"
#undef WORD_BITS
#define WORD_BITS 32
#include "speck/speck_word.h"
#undef WORD_BITS
#define WORD_BITS 48
#include "speck/speck_word.h"
#undef WORD_BITS
#define WORD_BITS 64
#include "speck/speck_word.h"

#define SPECK_KERNELS(name, printed, macro, bits, key_words, rounds, lanes)                 \
    HANJI_PORTABLE_KERNELS(name, lanes, bits, speck_encrypt_w##bits, speck_decrypt_w##bits, \
                           rounds)                                                          \
    void hanji_##name##_expand(void *round_keys, const uint8_t *key)                        \
    {                                                                                       \
        expand_w##bits(round_keys, key, speck_schedule_w##bits, key_words, rounds, 0);      \
    }
SPECK_VARIANTS(SPECK_KERNELS)
