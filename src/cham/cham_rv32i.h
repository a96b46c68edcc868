/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The RV32 kernels of CHAM-64/128 and their rows, best first; as many as the key area of this build
 * has room for.
 */
#ifndef HANJI_CHAM_CHAM_RV32I_H
#define HANJI_CHAM_CHAM_RV32I_H

#include "lanes/rv32.h"

hanji_expand_fn hanji_cham64_128_rv32i_expand_pairs;
hanji_expand_fn hanji_cham64_128_rv32i_expand_slices;
hanji_blocks_fn hanji_cham64_128_rv32i_encrypt_x2;
hanji_blocks_fn hanji_cham64_128_rv32i_decrypt_x2;
hanji_ctr_fn hanji_cham64_128_rv32i_ctr_x2;
hanji_blocks_fn hanji_cham64_128_rv32i_encrypt_x32;
hanji_blocks_fn hanji_cham64_128_rv32i_decrypt_x32;
hanji_ctr_fn hanji_cham64_128_rv32i_ctr_x32;

#if defined(HANJI_RV32) && HANJI_KEY_AREA_BYTES >= 1088
/*
 * Part of a group pays from these numbers of blocks on: whole calls on Ibex maxperf, with memset
 * and memcpy by words.
 */
#define CHAM64_RV32I_SLICED_ROWS                                                                 \
    HANJI_RV32_EXPAND_ROW("cham64_128_rv32i_slices", HANJI_RV32_SLICES, 1088,                    \
                          hanji_cham64_128_rv32i_expand_slices),                                 \
        HANJI_RV32_ROW("cham64_128_rv32i_x32", HANJI_ENCRYPT, 32, 23, HANJI_RV32_SLICES, blocks, \
                       hanji_cham64_128_rv32i_encrypt_x32),                                      \
        HANJI_RV32_ROW("cham64_128_rv32i_x32", HANJI_DECRYPT, 32, 23, HANJI_RV32_SLICES, blocks, \
                       hanji_cham64_128_rv32i_decrypt_x32),                                      \
        HANJI_RV32_ROW("cham64_128_rv32i_x32", HANJI_CTR, 32, 19, HANJI_RV32_SLICES, ctr,        \
                       hanji_cham64_128_rv32i_ctr_x32),
#else
#define CHAM64_RV32I_SLICED_ROWS
#endif

/*
 * A processor with Zbkb, as the compiler is told, has better kernels of few blocks, which take the
 * canonical round keys.
 */
#if defined(HANJI_RV32) && defined(__riscv_zbkb)
hanji_blocks_fn hanji_cham64_128_zbkb_encrypt_x2;
hanji_blocks_fn hanji_cham64_128_zbkb_decrypt_x2;
hanji_ctr_fn hanji_cham64_128_zbkb_ctr_x2;
#define CHAM64_RV32I_ROWS                                                                         \
    CHAM64_RV32I_SLICED_ROWS                                                                      \
    HANJI_RV32_ROW("cham64_128_zbkb_x2", HANJI_ENCRYPT, 2, 0, HANJI_LAYOUT_CANONICAL, blocks,     \
                   hanji_cham64_128_zbkb_encrypt_x2),                                             \
        HANJI_RV32_ROW("cham64_128_zbkb_x2", HANJI_DECRYPT, 2, 0, HANJI_LAYOUT_CANONICAL, blocks, \
                       hanji_cham64_128_zbkb_decrypt_x2),                                         \
        HANJI_RV32_ROW("cham64_128_zbkb_x2", HANJI_CTR, 2, 0, HANJI_LAYOUT_CANONICAL, ctr,        \
                       hanji_cham64_128_zbkb_ctr_x2),
#elif defined(HANJI_RV32) && HANJI_KEY_AREA_BYTES >= 64
#define CHAM64_RV32I_ROWS                                                                    \
    CHAM64_RV32I_SLICED_ROWS                                                                 \
    HANJI_RV32_EXPAND_ROW("cham64_128_rv32i_pairs", HANJI_RV32_PAIRS, 64,                    \
                          hanji_cham64_128_rv32i_expand_pairs),                              \
        HANJI_RV32_ROW("cham64_128_rv32i_x2", HANJI_ENCRYPT, 2, 0, HANJI_RV32_PAIRS, blocks, \
                       hanji_cham64_128_rv32i_encrypt_x2),                                   \
        HANJI_RV32_ROW("cham64_128_rv32i_x2", HANJI_DECRYPT, 2, 0, HANJI_RV32_PAIRS, blocks, \
                       hanji_cham64_128_rv32i_decrypt_x2),                                   \
        HANJI_RV32_ROW("cham64_128_rv32i_x2", HANJI_CTR, 2, 0, HANJI_RV32_PAIRS, ctr,        \
                       hanji_cham64_128_rv32i_ctr_x2),
#else
#define CHAM64_RV32I_ROWS
#endif

#endif
