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

PORTABLE_BLOCKS(hanji_cham64_128_portable_encrypt_x1, 16, 1, cham_encrypt_k16_w16, 88)
PORTABLE_BLOCKS(hanji_cham64_128_portable_decrypt_x1, 16, 1, cham_decrypt_k16_w16, 88)
PORTABLE_CTR(hanji_cham64_128_portable_ctr_x1, 16, cham_encrypt_k16_w16, 88)
PORTABLE_EXPAND(hanji_cham64_128_expand, 16, cham_schedule_w16, 8, 88, 0)
PORTABLE_BLOCKS(hanji_cham128_128_portable_encrypt_x1, 32, 1, cham_encrypt_k8_w32, 112)
PORTABLE_BLOCKS(hanji_cham128_128_portable_decrypt_x1, 32, 1, cham_decrypt_k8_w32, 112)
PORTABLE_CTR(hanji_cham128_128_portable_ctr_x1, 32, cham_encrypt_k8_w32, 112)
PORTABLE_EXPAND(hanji_cham128_128_expand, 32, cham_schedule_w32, 4, 112, 0)
PORTABLE_BLOCKS(hanji_cham128_256_portable_encrypt_x1, 32, 1, cham_encrypt_k16_w32, 120)
PORTABLE_BLOCKS(hanji_cham128_256_portable_decrypt_x1, 32, 1, cham_decrypt_k16_w32, 120)
PORTABLE_CTR(hanji_cham128_256_portable_ctr_x1, 32, cham_encrypt_k16_w32, 120)
PORTABLE_EXPAND(hanji_cham128_256_expand, 32, cham_schedule_w32, 8, 120, 0)
PORTABLE_BLOCKS(hanji_cham64_128_original_portable_encrypt_x1, 16, 1, cham_encrypt_k16_w16, 80)
PORTABLE_BLOCKS(hanji_cham64_128_original_portable_decrypt_x1, 16, 1, cham_decrypt_k16_w16, 80)
PORTABLE_CTR(hanji_cham64_128_original_portable_ctr_x1, 16, cham_encrypt_k16_w16, 80)
PORTABLE_EXPAND(hanji_cham64_128_original_expand, 16, cham_schedule_w16, 8, 80, 0)
PORTABLE_BLOCKS(hanji_cham128_128_original_portable_encrypt_x1, 32, 1, cham_encrypt_k8_w32, 80)
PORTABLE_BLOCKS(hanji_cham128_128_original_portable_decrypt_x1, 32, 1, cham_decrypt_k8_w32, 80)
PORTABLE_CTR(hanji_cham128_128_original_portable_ctr_x1, 32, cham_encrypt_k8_w32, 80)
PORTABLE_EXPAND(hanji_cham128_128_original_expand, 32, cham_schedule_w32, 4, 80, 0)
PORTABLE_BLOCKS(hanji_cham128_256_original_portable_encrypt_x1, 32, 1, cham_encrypt_k16_w32, 96)
PORTABLE_BLOCKS(hanji_cham128_256_original_portable_decrypt_x1, 32, 1, cham_decrypt_k16_w32, 96)
PORTABLE_CTR(hanji_cham128_256_original_portable_ctr_x1, 32, cham_encrypt_k16_w32, 96)
PORTABLE_EXPAND(hanji_cham128_256_original_expand, 32, cham_schedule_w32, 8, 96, 0)

#if HANJI_ROWS_IN_THREES
PORTABLE_CBC_MAC(hanji_cham64_128_cbc_mac, 16, cham_encrypt_k16_w16, 88)
PORTABLE_CBC_MAC(hanji_cham128_128_cbc_mac, 32, cham_encrypt_k8_w32, 112)
PORTABLE_CBC_MAC(hanji_cham128_256_cbc_mac, 32, cham_encrypt_k16_w32, 120)
PORTABLE_CBC_MAC(hanji_cham64_128_original_cbc_mac, 16, cham_encrypt_k16_w16, 80)
PORTABLE_CBC_MAC(hanji_cham128_128_original_cbc_mac, 32, cham_encrypt_k8_w32, 80)
PORTABLE_CBC_MAC(hanji_cham128_256_original_cbc_mac, 32, cham_encrypt_k16_w32, 96)
PORTABLE_FEW(hanji_cham64_128_few, 16, cham_encrypt_k16_w16, 88, 2)
PORTABLE_FEW(hanji_cham128_128_few, 32, cham_encrypt_k8_w32, 112, 2)
PORTABLE_FEW(hanji_cham128_256_few, 32, cham_encrypt_k16_w32, 120, 2)
PORTABLE_FEW(hanji_cham64_128_original_few, 16, cham_encrypt_k16_w16, 80, 2)
PORTABLE_FEW(hanji_cham128_128_original_few, 32, cham_encrypt_k8_w32, 80, 2)
PORTABLE_FEW(hanji_cham128_256_original_few, 32, cham_encrypt_k16_w32, 96, 2)
#endif

#if HANJI_PORTABLE_GROUPS
PORTABLE_BLOCKS(hanji_cham64_128_portable_encrypt_x32, 16, 32, cham_encrypt_k16_w16, 88)
PORTABLE_BLOCKS(hanji_cham64_128_portable_decrypt_x32, 16, 32, cham_decrypt_k16_w16, 88)
PORTABLE_CTR_WIDE(hanji_cham64_128_portable_ctr_x32, 16, 32, cham_encrypt_k16_w16, 88)
PORTABLE_BLOCKS(hanji_cham128_128_portable_encrypt_x32, 32, 32, cham_encrypt_k8_w32, 112)
PORTABLE_BLOCKS(hanji_cham128_128_portable_decrypt_x32, 32, 32, cham_decrypt_k8_w32, 112)
PORTABLE_CTR_WIDE(hanji_cham128_128_portable_ctr_x32, 32, 32, cham_encrypt_k8_w32, 112)
PORTABLE_BLOCKS(hanji_cham128_256_portable_encrypt_x32, 32, 32, cham_encrypt_k16_w32, 120)
PORTABLE_BLOCKS(hanji_cham128_256_portable_decrypt_x32, 32, 32, cham_decrypt_k16_w32, 120)
PORTABLE_CTR_WIDE(hanji_cham128_256_portable_ctr_x32, 32, 32, cham_encrypt_k16_w32, 120)
PORTABLE_BLOCKS(hanji_cham64_128_original_portable_encrypt_x32, 16, 32, cham_encrypt_k16_w16, 80)
PORTABLE_BLOCKS(hanji_cham64_128_original_portable_decrypt_x32, 16, 32, cham_decrypt_k16_w16, 80)
PORTABLE_CTR_WIDE(hanji_cham64_128_original_portable_ctr_x32, 16, 32, cham_encrypt_k16_w16, 80)
PORTABLE_BLOCKS(hanji_cham128_128_original_portable_encrypt_x32, 32, 32, cham_encrypt_k8_w32, 80)
PORTABLE_BLOCKS(hanji_cham128_128_original_portable_decrypt_x32, 32, 32, cham_decrypt_k8_w32, 80)
PORTABLE_CTR_WIDE(hanji_cham128_128_original_portable_ctr_x32, 32, 32, cham_encrypt_k8_w32, 80)
PORTABLE_BLOCKS(hanji_cham128_256_original_portable_encrypt_x32, 32, 32, cham_encrypt_k16_w32, 96)
PORTABLE_BLOCKS(hanji_cham128_256_original_portable_decrypt_x32, 32, 32, cham_decrypt_k16_w32, 96)
PORTABLE_CTR_WIDE(hanji_cham128_256_original_portable_ctr_x32, 32, 32, cham_encrypt_k16_w32, 96)
#endif
