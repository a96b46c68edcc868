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

PORTABLE_BLOCKS(hanji_simon32_64_portable_encrypt_x1, 16, 1, simon_encrypt_w16, 32)
PORTABLE_BLOCKS(hanji_simon32_64_portable_decrypt_x1, 16, 1, simon_decrypt_w16, 32)
PORTABLE_CTR(hanji_simon32_64_portable_ctr_x1, 16, simon_encrypt_w16, 32)
PORTABLE_EXPAND(hanji_simon32_64_expand, 16, simon_schedule_w16, 4, 32, SIMON_Z_simon32_64)
PORTABLE_BLOCKS(hanji_simon48_72_portable_encrypt_x1, 24, 1, simon_encrypt_w24, 36)
PORTABLE_BLOCKS(hanji_simon48_72_portable_decrypt_x1, 24, 1, simon_decrypt_w24, 36)
PORTABLE_CTR(hanji_simon48_72_portable_ctr_x1, 24, simon_encrypt_w24, 36)
PORTABLE_EXPAND(hanji_simon48_72_expand, 24, simon_schedule_w24, 3, 36, SIMON_Z_simon48_72)
PORTABLE_BLOCKS(hanji_simon48_96_portable_encrypt_x1, 24, 1, simon_encrypt_w24, 36)
PORTABLE_BLOCKS(hanji_simon48_96_portable_decrypt_x1, 24, 1, simon_decrypt_w24, 36)
PORTABLE_CTR(hanji_simon48_96_portable_ctr_x1, 24, simon_encrypt_w24, 36)
PORTABLE_EXPAND(hanji_simon48_96_expand, 24, simon_schedule_w24, 4, 36, SIMON_Z_simon48_96)
PORTABLE_BLOCKS(hanji_simon64_96_portable_encrypt_x1, 32, 1, simon_encrypt_w32, 42)
PORTABLE_BLOCKS(hanji_simon64_96_portable_decrypt_x1, 32, 1, simon_decrypt_w32, 42)
PORTABLE_CTR(hanji_simon64_96_portable_ctr_x1, 32, simon_encrypt_w32, 42)
PORTABLE_EXPAND(hanji_simon64_96_expand, 32, simon_schedule_w32, 3, 42, SIMON_Z_simon64_96)
PORTABLE_BLOCKS(hanji_simon64_128_portable_encrypt_x1, 32, 1, simon_encrypt_w32, 44)
PORTABLE_BLOCKS(hanji_simon64_128_portable_decrypt_x1, 32, 1, simon_decrypt_w32, 44)
PORTABLE_CTR(hanji_simon64_128_portable_ctr_x1, 32, simon_encrypt_w32, 44)
PORTABLE_EXPAND(hanji_simon64_128_expand, 32, simon_schedule_w32, 4, 44, SIMON_Z_simon64_128)
PORTABLE_BLOCKS(hanji_simon96_96_portable_encrypt_x1, 48, 1, simon_encrypt_w48, 52)
PORTABLE_BLOCKS(hanji_simon96_96_portable_decrypt_x1, 48, 1, simon_decrypt_w48, 52)
PORTABLE_CTR(hanji_simon96_96_portable_ctr_x1, 48, simon_encrypt_w48, 52)
PORTABLE_EXPAND(hanji_simon96_96_expand, 48, simon_schedule_w48, 2, 52, SIMON_Z_simon96_96)
PORTABLE_BLOCKS(hanji_simon96_144_portable_encrypt_x1, 48, 1, simon_encrypt_w48, 54)
PORTABLE_BLOCKS(hanji_simon96_144_portable_decrypt_x1, 48, 1, simon_decrypt_w48, 54)
PORTABLE_CTR(hanji_simon96_144_portable_ctr_x1, 48, simon_encrypt_w48, 54)
PORTABLE_EXPAND(hanji_simon96_144_expand, 48, simon_schedule_w48, 3, 54, SIMON_Z_simon96_144)
PORTABLE_BLOCKS(hanji_simon128_128_portable_encrypt_x1, 64, 1, simon_encrypt_w64, 68)
PORTABLE_BLOCKS(hanji_simon128_128_portable_decrypt_x1, 64, 1, simon_decrypt_w64, 68)
PORTABLE_CTR(hanji_simon128_128_portable_ctr_x1, 64, simon_encrypt_w64, 68)
PORTABLE_EXPAND(hanji_simon128_128_expand, 64, simon_schedule_w64, 2, 68, SIMON_Z_simon128_128)
PORTABLE_BLOCKS(hanji_simon128_192_portable_encrypt_x1, 64, 1, simon_encrypt_w64, 69)
PORTABLE_BLOCKS(hanji_simon128_192_portable_decrypt_x1, 64, 1, simon_decrypt_w64, 69)
PORTABLE_CTR(hanji_simon128_192_portable_ctr_x1, 64, simon_encrypt_w64, 69)
PORTABLE_EXPAND(hanji_simon128_192_expand, 64, simon_schedule_w64, 3, 69, SIMON_Z_simon128_192)
PORTABLE_BLOCKS(hanji_simon128_256_portable_encrypt_x1, 64, 1, simon_encrypt_w64, 72)
PORTABLE_BLOCKS(hanji_simon128_256_portable_decrypt_x1, 64, 1, simon_decrypt_w64, 72)
PORTABLE_CTR(hanji_simon128_256_portable_ctr_x1, 64, simon_encrypt_w64, 72)
PORTABLE_EXPAND(hanji_simon128_256_expand, 64, simon_schedule_w64, 4, 72, SIMON_Z_simon128_256)

#if HANJI_ROWS_IN_THREES
PORTABLE_CBC_MAC(hanji_simon64_96_cbc_mac, 32, simon_encrypt_w32, 42)
PORTABLE_CBC_MAC(hanji_simon64_128_cbc_mac, 32, simon_encrypt_w32, 44)
PORTABLE_CBC_MAC(hanji_simon128_128_cbc_mac, 64, simon_encrypt_w64, 68)
PORTABLE_CBC_MAC(hanji_simon128_192_cbc_mac, 64, simon_encrypt_w64, 69)
PORTABLE_CBC_MAC(hanji_simon128_256_cbc_mac, 64, simon_encrypt_w64, 72)
PORTABLE_FEW(hanji_simon64_96_few, 32, simon_encrypt_w32, 42, 2)
PORTABLE_FEW(hanji_simon64_128_few, 32, simon_encrypt_w32, 44, 2)
PORTABLE_FEW(hanji_simon128_128_few, 64, simon_encrypt_w64, 68, 2)
PORTABLE_FEW(hanji_simon128_192_few, 64, simon_encrypt_w64, 69, 2)
PORTABLE_FEW(hanji_simon128_256_few, 64, simon_encrypt_w64, 72, 2)
PORTABLE_ONCE(hanji_simon64_96_once, 32, simon_once_w32, 3, 42, SIMON_Z_simon64_96, 2)
PORTABLE_ONCE(hanji_simon64_128_once, 32, simon_once_w32, 4, 44, SIMON_Z_simon64_128, 2)
PORTABLE_ONCE(hanji_simon128_128_once, 64, simon_once_w64, 2, 68, SIMON_Z_simon128_128, 2)
PORTABLE_ONCE(hanji_simon128_192_once, 64, simon_once_w64, 3, 69, SIMON_Z_simon128_192, 2)
PORTABLE_ONCE(hanji_simon128_256_once, 64, simon_once_w64, 4, 72, SIMON_Z_simon128_256, 2)
#endif

#if HANJI_PORTABLE_GROUPS
PORTABLE_BLOCKS(hanji_simon32_64_portable_encrypt_x32, 16, 32, simon_encrypt_w16, 32)
PORTABLE_BLOCKS(hanji_simon32_64_portable_decrypt_x32, 16, 32, simon_decrypt_w16, 32)
PORTABLE_CTR_WIDE(hanji_simon32_64_portable_ctr_x32, 16, 32, simon_encrypt_w16, 32)
PORTABLE_BLOCKS(hanji_simon48_72_portable_encrypt_x32, 24, 32, simon_encrypt_w24, 36)
PORTABLE_BLOCKS(hanji_simon48_72_portable_decrypt_x32, 24, 32, simon_decrypt_w24, 36)
PORTABLE_CTR_WIDE(hanji_simon48_72_portable_ctr_x32, 24, 32, simon_encrypt_w24, 36)
PORTABLE_BLOCKS(hanji_simon48_96_portable_encrypt_x32, 24, 32, simon_encrypt_w24, 36)
PORTABLE_BLOCKS(hanji_simon48_96_portable_decrypt_x32, 24, 32, simon_decrypt_w24, 36)
PORTABLE_CTR_WIDE(hanji_simon48_96_portable_ctr_x32, 24, 32, simon_encrypt_w24, 36)
PORTABLE_BLOCKS(hanji_simon64_96_portable_encrypt_x32, 32, 32, simon_encrypt_w32, 42)
PORTABLE_BLOCKS(hanji_simon64_96_portable_decrypt_x32, 32, 32, simon_decrypt_w32, 42)
PORTABLE_CTR_WIDE(hanji_simon64_96_portable_ctr_x32, 32, 32, simon_encrypt_w32, 42)
PORTABLE_BLOCKS(hanji_simon64_128_portable_encrypt_x32, 32, 32, simon_encrypt_w32, 44)
PORTABLE_BLOCKS(hanji_simon64_128_portable_decrypt_x32, 32, 32, simon_decrypt_w32, 44)
PORTABLE_CTR_WIDE(hanji_simon64_128_portable_ctr_x32, 32, 32, simon_encrypt_w32, 44)
PORTABLE_BLOCKS(hanji_simon96_96_portable_encrypt_x8, 48, 8, simon_encrypt_w48, 52)
PORTABLE_BLOCKS(hanji_simon96_96_portable_decrypt_x8, 48, 8, simon_decrypt_w48, 52)
PORTABLE_CTR_WIDE(hanji_simon96_96_portable_ctr_x8, 48, 8, simon_encrypt_w48, 52)
PORTABLE_BLOCKS(hanji_simon96_144_portable_encrypt_x8, 48, 8, simon_encrypt_w48, 54)
PORTABLE_BLOCKS(hanji_simon96_144_portable_decrypt_x8, 48, 8, simon_decrypt_w48, 54)
PORTABLE_CTR_WIDE(hanji_simon96_144_portable_ctr_x8, 48, 8, simon_encrypt_w48, 54)
PORTABLE_BLOCKS(hanji_simon128_128_portable_encrypt_x8, 64, 8, simon_encrypt_w64, 68)
PORTABLE_BLOCKS(hanji_simon128_128_portable_decrypt_x8, 64, 8, simon_decrypt_w64, 68)
PORTABLE_CTR_WIDE(hanji_simon128_128_portable_ctr_x8, 64, 8, simon_encrypt_w64, 68)
PORTABLE_BLOCKS(hanji_simon128_192_portable_encrypt_x8, 64, 8, simon_encrypt_w64, 69)
PORTABLE_BLOCKS(hanji_simon128_192_portable_decrypt_x8, 64, 8, simon_decrypt_w64, 69)
PORTABLE_CTR_WIDE(hanji_simon128_192_portable_ctr_x8, 64, 8, simon_encrypt_w64, 69)
PORTABLE_BLOCKS(hanji_simon128_256_portable_encrypt_x8, 64, 8, simon_encrypt_w64, 72)
PORTABLE_BLOCKS(hanji_simon128_256_portable_decrypt_x8, 64, 8, simon_decrypt_w64, 72)
PORTABLE_CTR_WIDE(hanji_simon128_256_portable_ctr_x8, 64, 8, simon_encrypt_w64, 72)
#endif
