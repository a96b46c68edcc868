/* SPDX-License-Identifier: Apache-2.0 */
/* The RV32 kernels of SPECK-32/64 and their rows, best first; as many as the key area of this build has room for. */
#ifndef HANJI_SPECK_SPECK_RV32I_H
#define HANJI_SPECK_SPECK_RV32I_H

#include "lanes/rv32.h"

#define SPECK32_PAIRS_BYTES HANJI_RV32_PAIRS_BYTES(HANJI_SPECK32_64_ROUND_KEYS)

hanji_expand_fn hanji_speck32_64_rv32i_expand_pairs;
hanji_blocks_fn hanji_speck32_64_rv32i_encrypt_x2;
hanji_blocks_fn hanji_speck32_64_rv32i_decrypt_x2;
hanji_ctr_fn hanji_speck32_64_rv32i_ctr_x2;

#if defined(HANJI_RV32) && HANJI_KEY_AREA_BYTES >= 88
#define SPECK32_RV32I_ROWS                                                                                                       \
    HANJI_RV32_EXPAND_ROW("speck32_64_rv32i_pairs", HANJI_RV32_PAIRS, SPECK32_PAIRS_BYTES, hanji_speck32_64_rv32i_expand_pairs), \
        HANJI_RV32_ROW("speck32_64_rv32i_x2", HANJI_ENCRYPT, 2, 0, HANJI_RV32_PAIRS, blocks, hanji_speck32_64_rv32i_encrypt_x2), \
        HANJI_RV32_ROW("speck32_64_rv32i_x2", HANJI_DECRYPT, 2, 0, HANJI_RV32_PAIRS, blocks, hanji_speck32_64_rv32i_decrypt_x2), \
        HANJI_RV32_ROW("speck32_64_rv32i_x2", HANJI_CTR, 2, 0, HANJI_RV32_PAIRS, ctr, hanji_speck32_64_rv32i_ctr_x2),
#else
#define SPECK32_RV32I_ROWS
#endif

#endif
