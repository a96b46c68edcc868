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

PORTABLE_BLOCKS(hanji_speck32_64_portable_encrypt_x1, 16, 1, speck_encrypt_w16, 22)
PORTABLE_BLOCKS(hanji_speck32_64_portable_decrypt_x1, 16, 1, speck_decrypt_w16, 22)
PORTABLE_CTR(hanji_speck32_64_portable_ctr_x1, 16, speck_encrypt_w16, 22)
PORTABLE_EXPAND(hanji_speck32_64_expand, 16, speck_schedule_w16, 4, 22, 0)
PORTABLE_BLOCKS(hanji_speck48_72_portable_encrypt_x1, 24, 1, speck_encrypt_w24, 22)
PORTABLE_BLOCKS(hanji_speck48_72_portable_decrypt_x1, 24, 1, speck_decrypt_w24, 22)
PORTABLE_CTR(hanji_speck48_72_portable_ctr_x1, 24, speck_encrypt_w24, 22)
PORTABLE_EXPAND(hanji_speck48_72_expand, 24, speck_schedule_w24, 3, 22, 0)
PORTABLE_BLOCKS(hanji_speck48_96_portable_encrypt_x1, 24, 1, speck_encrypt_w24, 23)
PORTABLE_BLOCKS(hanji_speck48_96_portable_decrypt_x1, 24, 1, speck_decrypt_w24, 23)
PORTABLE_CTR(hanji_speck48_96_portable_ctr_x1, 24, speck_encrypt_w24, 23)
PORTABLE_EXPAND(hanji_speck48_96_expand, 24, speck_schedule_w24, 4, 23, 0)
PORTABLE_BLOCKS(hanji_speck64_96_portable_encrypt_x1, 32, 1, speck_encrypt_w32, 26)
PORTABLE_BLOCKS(hanji_speck64_96_portable_decrypt_x1, 32, 1, speck_decrypt_w32, 26)
PORTABLE_CTR(hanji_speck64_96_portable_ctr_x1, 32, speck_encrypt_w32, 26)
PORTABLE_EXPAND(hanji_speck64_96_expand, 32, speck_schedule_w32, 3, 26, 0)
PORTABLE_BLOCKS(hanji_speck64_128_portable_encrypt_x1, 32, 1, speck_encrypt_w32, 27)
PORTABLE_BLOCKS(hanji_speck64_128_portable_decrypt_x1, 32, 1, speck_decrypt_w32, 27)
PORTABLE_CTR(hanji_speck64_128_portable_ctr_x1, 32, speck_encrypt_w32, 27)
PORTABLE_EXPAND(hanji_speck64_128_expand, 32, speck_schedule_w32, 4, 27, 0)
PORTABLE_BLOCKS(hanji_speck96_96_portable_encrypt_x1, 48, 1, speck_encrypt_w48, 28)
PORTABLE_BLOCKS(hanji_speck96_96_portable_decrypt_x1, 48, 1, speck_decrypt_w48, 28)
PORTABLE_CTR(hanji_speck96_96_portable_ctr_x1, 48, speck_encrypt_w48, 28)
PORTABLE_EXPAND(hanji_speck96_96_expand, 48, speck_schedule_w48, 2, 28, 0)
PORTABLE_BLOCKS(hanji_speck96_144_portable_encrypt_x1, 48, 1, speck_encrypt_w48, 29)
PORTABLE_BLOCKS(hanji_speck96_144_portable_decrypt_x1, 48, 1, speck_decrypt_w48, 29)
PORTABLE_CTR(hanji_speck96_144_portable_ctr_x1, 48, speck_encrypt_w48, 29)
PORTABLE_EXPAND(hanji_speck96_144_expand, 48, speck_schedule_w48, 3, 29, 0)
PORTABLE_BLOCKS(hanji_speck128_128_portable_encrypt_x1, 64, 1, speck_encrypt_w64, 32)
PORTABLE_BLOCKS(hanji_speck128_128_portable_decrypt_x1, 64, 1, speck_decrypt_w64, 32)
PORTABLE_CTR(hanji_speck128_128_portable_ctr_x1, 64, speck_encrypt_w64, 32)
PORTABLE_EXPAND(hanji_speck128_128_expand, 64, speck_schedule_w64, 2, 32, 0)
PORTABLE_BLOCKS(hanji_speck128_192_portable_encrypt_x1, 64, 1, speck_encrypt_w64, 33)
PORTABLE_BLOCKS(hanji_speck128_192_portable_decrypt_x1, 64, 1, speck_decrypt_w64, 33)
PORTABLE_CTR(hanji_speck128_192_portable_ctr_x1, 64, speck_encrypt_w64, 33)
PORTABLE_EXPAND(hanji_speck128_192_expand, 64, speck_schedule_w64, 3, 33, 0)
PORTABLE_BLOCKS(hanji_speck128_256_portable_encrypt_x1, 64, 1, speck_encrypt_w64, 34)
PORTABLE_BLOCKS(hanji_speck128_256_portable_decrypt_x1, 64, 1, speck_decrypt_w64, 34)
PORTABLE_CTR(hanji_speck128_256_portable_ctr_x1, 64, speck_encrypt_w64, 34)
PORTABLE_EXPAND(hanji_speck128_256_expand, 64, speck_schedule_w64, 4, 34, 0)

#if HANJI_ROWS_IN_THREES
PORTABLE_CBC_MAC(hanji_speck64_96_cbc_mac, 32, speck_encrypt_w32, 26)
PORTABLE_CBC_MAC(hanji_speck64_128_cbc_mac, 32, speck_encrypt_w32, 27)
PORTABLE_CBC_MAC(hanji_speck128_128_cbc_mac, 64, speck_encrypt_w64, 32)
PORTABLE_CBC_MAC(hanji_speck128_192_cbc_mac, 64, speck_encrypt_w64, 33)
PORTABLE_CBC_MAC(hanji_speck128_256_cbc_mac, 64, speck_encrypt_w64, 34)
PORTABLE_FEW(hanji_speck64_96_few, 32, speck_encrypt_w32, 26, 2)
PORTABLE_FEW(hanji_speck64_128_few, 32, speck_encrypt_w32, 27, 2)
PORTABLE_FEW(hanji_speck128_128_few, 64, speck_encrypt_w64, 32, 2)
PORTABLE_FEW(hanji_speck128_192_few, 64, speck_encrypt_w64, 33, 2)
PORTABLE_FEW(hanji_speck128_256_few, 64, speck_encrypt_w64, 34, 2)
PORTABLE_ONCE(hanji_speck64_96_once, 32, speck_once_w32, 3, 26, 0, 4)
PORTABLE_ONCE(hanji_speck64_128_once, 32, speck_once_w32, 4, 27, 0, 4)
PORTABLE_ONCE(hanji_speck128_128_once, 64, speck_once_w64, 2, 32, 0, 4)
PORTABLE_ONCE(hanji_speck128_192_once, 64, speck_once_w64, 3, 33, 0, 4)
PORTABLE_ONCE(hanji_speck128_256_once, 64, speck_once_w64, 4, 34, 0, 4)
#endif

#if HANJI_PORTABLE_GROUPS
PORTABLE_BLOCKS(hanji_speck32_64_portable_encrypt_x32, 16, 32, speck_encrypt_w16, 22)
PORTABLE_BLOCKS(hanji_speck32_64_portable_decrypt_x32, 16, 32, speck_decrypt_w16, 22)
PORTABLE_CTR_WIDE(hanji_speck32_64_portable_ctr_x32, 16, 32, speck_encrypt_w16, 22)
PORTABLE_BLOCKS(hanji_speck48_72_portable_encrypt_x32, 24, 32, speck_encrypt_w24, 22)
PORTABLE_BLOCKS(hanji_speck48_72_portable_decrypt_x32, 24, 32, speck_decrypt_w24, 22)
PORTABLE_CTR_WIDE(hanji_speck48_72_portable_ctr_x32, 24, 32, speck_encrypt_w24, 22)
PORTABLE_BLOCKS(hanji_speck48_96_portable_encrypt_x32, 24, 32, speck_encrypt_w24, 23)
PORTABLE_BLOCKS(hanji_speck48_96_portable_decrypt_x32, 24, 32, speck_decrypt_w24, 23)
PORTABLE_CTR_WIDE(hanji_speck48_96_portable_ctr_x32, 24, 32, speck_encrypt_w24, 23)
PORTABLE_BLOCKS(hanji_speck64_96_portable_encrypt_x32, 32, 32, speck_encrypt_w32, 26)
PORTABLE_BLOCKS(hanji_speck64_96_portable_decrypt_x32, 32, 32, speck_decrypt_w32, 26)
PORTABLE_CTR_WIDE(hanji_speck64_96_portable_ctr_x32, 32, 32, speck_encrypt_w32, 26)
PORTABLE_BLOCKS(hanji_speck64_128_portable_encrypt_x32, 32, 32, speck_encrypt_w32, 27)
PORTABLE_BLOCKS(hanji_speck64_128_portable_decrypt_x32, 32, 32, speck_decrypt_w32, 27)
PORTABLE_CTR_WIDE(hanji_speck64_128_portable_ctr_x32, 32, 32, speck_encrypt_w32, 27)
PORTABLE_BLOCKS(hanji_speck96_96_portable_encrypt_x8, 48, 8, speck_encrypt_w48, 28)
PORTABLE_BLOCKS(hanji_speck96_96_portable_decrypt_x8, 48, 8, speck_decrypt_w48, 28)
PORTABLE_CTR_WIDE(hanji_speck96_96_portable_ctr_x8, 48, 8, speck_encrypt_w48, 28)
PORTABLE_BLOCKS(hanji_speck96_144_portable_encrypt_x8, 48, 8, speck_encrypt_w48, 29)
PORTABLE_BLOCKS(hanji_speck96_144_portable_decrypt_x8, 48, 8, speck_decrypt_w48, 29)
PORTABLE_CTR_WIDE(hanji_speck96_144_portable_ctr_x8, 48, 8, speck_encrypt_w48, 29)
PORTABLE_BLOCKS(hanji_speck128_128_portable_encrypt_x8, 64, 8, speck_encrypt_w64, 32)
PORTABLE_BLOCKS(hanji_speck128_128_portable_decrypt_x8, 64, 8, speck_decrypt_w64, 32)
PORTABLE_CTR_WIDE(hanji_speck128_128_portable_ctr_x8, 64, 8, speck_encrypt_w64, 32)
PORTABLE_BLOCKS(hanji_speck128_192_portable_encrypt_x8, 64, 8, speck_encrypt_w64, 33)
PORTABLE_BLOCKS(hanji_speck128_192_portable_decrypt_x8, 64, 8, speck_decrypt_w64, 33)
PORTABLE_CTR_WIDE(hanji_speck128_192_portable_ctr_x8, 64, 8, speck_encrypt_w64, 33)
PORTABLE_BLOCKS(hanji_speck128_256_portable_encrypt_x8, 64, 8, speck_encrypt_w64, 34)
PORTABLE_BLOCKS(hanji_speck128_256_portable_decrypt_x8, 64, 8, speck_decrypt_w64, 34)
PORTABLE_CTR_WIDE(hanji_speck128_256_portable_ctr_x8, 64, 8, speck_encrypt_w64, 34)
#endif
