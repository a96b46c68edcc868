/* SPDX-License-Identifier: Apache-2.0 */
/* Portable SIMON, all ten variants: the rounds of simon_word.h for five word sizes, with the constants of each variant compiled in. */
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

/* The sequences z0 .. z4 (ePrint 2013/404, table 3.2), bit j being z[j]. */
#define Z0 0x19c3522fb386a45f
#define Z1 0x16864fb8ad0c9f71
#define Z2 0x3369f885192c0ef5
#define Z3 0x3c2ce51207a635db
#define Z4 0x3dc94c3a046d678b
#define Z_simon32_64 Z0
#define Z_simon48_72 Z0
#define Z_simon48_96 Z1
#define Z_simon64_96 Z2
#define Z_simon64_128 Z3
#define Z_simon96_96 Z2
#define Z_simon96_144 Z3
#define Z_simon128_128 Z2
#define Z_simon128_192 Z3
#define Z_simon128_256 Z4

#define SIMON_KERNELS(name, printed, macro, bits, key_words, rounds, lanes)                         \
    HANJI_PORTABLE_KERNELS(name, lanes, bits, simon_encrypt_w##bits, simon_decrypt_w##bits, rounds) \
    void hanji_##name##_expand(void *round_keys, const uint8_t *key)                                \
    {                                                                                               \
        simon_expand_w##bits(round_keys, key, key_words, rounds, Z_##name);                         \
    }
SIMON_VARIANTS(SIMON_KERNELS)
