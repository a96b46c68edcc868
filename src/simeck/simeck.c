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

PORTABLE_BLOCKS(hanji_simeck32_64_portable_encrypt_x1, 16, 1, simeck_encrypt_w16, 32)
PORTABLE_BLOCKS(hanji_simeck32_64_portable_decrypt_x1, 16, 1, simeck_decrypt_w16, 32)
PORTABLE_CTR(hanji_simeck32_64_portable_ctr_x1, 16, simeck_encrypt_w16, 32)
PORTABLE_EXPAND(hanji_simeck32_64_expand, 16, simeck_schedule_w16, 4, 32, SIMECK_Z_simeck32_64)
PORTABLE_BLOCKS(hanji_simeck48_96_portable_encrypt_x1, 24, 1, simeck_encrypt_w24, 36)
PORTABLE_BLOCKS(hanji_simeck48_96_portable_decrypt_x1, 24, 1, simeck_decrypt_w24, 36)
PORTABLE_CTR(hanji_simeck48_96_portable_ctr_x1, 24, simeck_encrypt_w24, 36)
PORTABLE_EXPAND(hanji_simeck48_96_expand, 24, simeck_schedule_w24, 4, 36, SIMECK_Z_simeck48_96)
PORTABLE_BLOCKS(hanji_simeck64_128_portable_encrypt_x1, 32, 1, simeck_encrypt_w32, 44)
PORTABLE_BLOCKS(hanji_simeck64_128_portable_decrypt_x1, 32, 1, simeck_decrypt_w32, 44)
PORTABLE_CTR(hanji_simeck64_128_portable_ctr_x1, 32, simeck_encrypt_w32, 44)
PORTABLE_EXPAND(hanji_simeck64_128_expand, 32, simeck_schedule_w32, 4, 44, SIMECK_Z_simeck64_128)

#if HANJI_ROWS_IN_THREES
PORTABLE_CBC_MAC(hanji_simeck64_128_cbc_mac, 32, simeck_encrypt_w32, 44)
PORTABLE_FEW(hanji_simeck64_128_few, 32, simeck_encrypt_w32, 44, 2)
#endif

#if HANJI_PORTABLE_GROUPS
PORTABLE_BLOCKS(hanji_simeck32_64_portable_encrypt_x32, 16, 32, simeck_encrypt_w16, 32)
PORTABLE_BLOCKS(hanji_simeck32_64_portable_decrypt_x32, 16, 32, simeck_decrypt_w16, 32)
PORTABLE_CTR_WIDE(hanji_simeck32_64_portable_ctr_x32, 16, 32, simeck_encrypt_w16, 32)
PORTABLE_BLOCKS(hanji_simeck48_96_portable_encrypt_x32, 24, 32, simeck_encrypt_w24, 36)
PORTABLE_BLOCKS(hanji_simeck48_96_portable_decrypt_x32, 24, 32, simeck_decrypt_w24, 36)
PORTABLE_CTR_WIDE(hanji_simeck48_96_portable_ctr_x32, 24, 32, simeck_encrypt_w24, 36)
PORTABLE_BLOCKS(hanji_simeck64_128_portable_encrypt_x32, 32, 32, simeck_encrypt_w32, 44)
PORTABLE_BLOCKS(hanji_simeck64_128_portable_decrypt_x32, 32, 32, simeck_decrypt_w32, 44)
PORTABLE_CTR_WIDE(hanji_simeck64_128_portable_ctr_x32, 32, 32, simeck_encrypt_w32, 44)
#endif
