/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Portable CHAM, three revised and three original variants: the rounds of cham_word.h for two word
 * sizes, with the constants of each variant compiled in.
 */
#include "cham/cham.h"

#define WORDS 4
#define WORD_BITS 16
#include "cham/cham_word.h"
#undef WORD_BITS
#define WORD_BITS 32
#include "cham/cham_word.h"

/* Twice as many round keys as key words. */
#define CHAM_KEYS_4 8
#define CHAM_KEYS_8 16
#define CHAM_KERNELS(name, printed, macro, bits, key_words, rounds, lanes) \
    CHAM_KERNELS_(name, bits, HANJI_JOIN(CHAM_KEYS_, key_words), key_words, rounds, lanes)
#define CHAM_KERNELS_(name, bits, keys, key_words, rounds, lanes) \
    CHAM_KERNELS__(name, bits, keys, key_words, rounds, lanes)
#define CHAM_KERNELS__(name, bits, keys, key_words, rounds, lanes)                    \
    HANJI_PORTABLE_KERNELS(name, lanes, bits, cham_encrypt_k##keys##_w##bits,         \
                           cham_decrypt_k##keys##_w##bits, rounds)                    \
    void hanji_##name##_expand(void *round_keys, const uint8_t *key)                  \
    {                                                                                 \
        expand_w##bits(round_keys, key, cham_schedule_w##bits, key_words, rounds, 0); \
    }
CHAM_VARIANTS(CHAM_KERNELS)
