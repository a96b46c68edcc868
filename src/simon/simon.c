/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Portable SIMON, all ten variants: the rounds of simon_word.h for five word sizes, with the
 * constants of each variant compiled in.
 */
#include "simon/simon.h"

#define WORDS 2
#define WORD_BITS 16
#include "simon/simon_word.h"
#undef WORD_BITS
#define WORD_BITS 24
#include "simon/simon_word.h"
#undef WORD_BITS
#define WORD_BITS 32
#include "simon/simon_word.h"
#undef WORD_BITS
#define WORD_BITS 48
#include "simon/simon_word.h"
#undef WORD_BITS
#define WORD_BITS 64
#include "simon/simon_word.h"

#define SIMON_KERNELS(name, printed, macro, bits, key_words, rounds, lanes)                 \
    HANJI_PORTABLE_KERNELS(name, lanes, bits, simon_encrypt_w##bits, simon_decrypt_w##bits, \
                           rounds)                                                          \
    void hanji_##name##_expand(void *round_keys, const uint8_t *key)                        \
    {                                                                                       \
        expand_w##bits(round_keys, key, simon_schedule_w##bits, key_words, rounds,          \
                       SIMON_Z_##name);                                                     \
    }
SIMON_VARIANTS(SIMON_KERNELS)
