/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The RV32 kernels of SPECK-32/64 and their rows, best first; as many as the key area of this build
 * has room for.
 */
#ifndef HANJI_SPECK_SPECK_RV32I_H
#define HANJI_SPECK_SPECK_RV32I_H

#include "lanes/rv32.h"

hanji_expand_fn hanji_speck32_64_rv32i_expand_pairs;
hanji_expand_fn hanji_speck32_64_rv32i_expand_slices;
hanji_blocks_fn hanji_speck32_64_rv32i_encrypt_x2;
hanji_blocks_fn hanji_speck32_64_rv32i_decrypt_x2;
hanji_ctr_fn hanji_speck32_64_rv32i_ctr_x2;
hanji_blocks_fn hanji_speck32_64_rv32i_encrypt_x4;
hanji_ctr_fn hanji_speck32_64_rv32i_ctr_x4;
hanji_blocks_fn hanji_speck32_64_rv32i_encrypt_x32;
hanji_blocks_fn hanji_speck32_64_rv32i_decrypt_x32;
hanji_ctr_fn hanji_speck32_64_rv32i_ctr_x32;
hanji_blocks_fn hanji_speck32_64_rv32i_encrypt_x32_small;
hanji_blocks_fn hanji_speck32_64_rv32i_decrypt_x32_small;
hanji_ctr_fn hanji_speck32_64_rv32i_ctr_x32_small;

/* With HANJI_SMALL the code of 32 blocks fits into an instruction cache of 4 KiB. */
#ifdef HANJI_SMALL
#define SPECK32_RV32I_X32(operation) hanji_speck32_64_rv32i_##operation##_x32_small
#define SPECK32_RV32I_X32_NAME "speck32_64_rv32i_x32_small"
#else
#define SPECK32_RV32I_X32(operation) hanji_speck32_64_rv32i_##operation##_x32
#define SPECK32_RV32I_X32_NAME "speck32_64_rv32i_x32"
#endif

#if defined(HANJI_RV32) && HANJI_KEY_AREA_BYTES >= 1496
/*
 * Part of a group pays from these numbers of blocks on: whole calls on Ibex maxperf, with memset
 * and memcpy by words.
 */
#define SPECK32_RV32I_SLICED_ROWS                                                                \
    HANJI_RV32_EXPAND_ROW("speck32_64_rv32i_slices", HANJI_RV32_SLICES, 1496,                    \
                          hanji_speck32_64_rv32i_expand_slices),                                 \
        HANJI_RV32_ROW(SPECK32_RV32I_X32_NAME, HANJI_ENCRYPT, 32, 21, HANJI_RV32_SLICES, blocks, \
                       SPECK32_RV32I_X32(encrypt)),                                              \
        HANJI_RV32_ROW(SPECK32_RV32I_X32_NAME, HANJI_DECRYPT, 32, 23, HANJI_RV32_SLICES, blocks, \
                       SPECK32_RV32I_X32(decrypt)),                                              \
        HANJI_RV32_ROW(SPECK32_RV32I_X32_NAME, HANJI_CTR, 32, 17, HANJI_RV32_SLICES, ctr,        \
                       SPECK32_RV32I_X32(ctr)),
#else
#define SPECK32_RV32I_SLICED_ROWS
#endif

/*
 * A processor with Zbkb, as the compiler is told, has better kernels of few blocks, which take the
 * canonical round keys.
 */
#if defined(HANJI_RV32) && defined(__riscv_zbkb)
hanji_blocks_fn hanji_speck32_64_zbkb_encrypt_x2;
hanji_blocks_fn hanji_speck32_64_zbkb_decrypt_x2;
hanji_ctr_fn hanji_speck32_64_zbkb_ctr_x2;
#define SPECK32_RV32I_ROWS                                                                        \
    SPECK32_RV32I_SLICED_ROWS                                                                     \
    HANJI_RV32_ROW("speck32_64_zbkb_x2", HANJI_ENCRYPT, 2, 0, HANJI_LAYOUT_CANONICAL, blocks,     \
                   hanji_speck32_64_zbkb_encrypt_x2),                                             \
        HANJI_RV32_ROW("speck32_64_zbkb_x2", HANJI_DECRYPT, 2, 0, HANJI_LAYOUT_CANONICAL, blocks, \
                       hanji_speck32_64_zbkb_decrypt_x2),                                         \
        HANJI_RV32_ROW("speck32_64_zbkb_x2", HANJI_CTR, 2, 0, HANJI_LAYOUT_CANONICAL, ctr,        \
                       hanji_speck32_64_zbkb_ctr_x2),
#elif defined(HANJI_RV32) && HANJI_KEY_AREA_BYTES >= 88
#define SPECK32_RV32I_ROWS                                                                   \
    SPECK32_RV32I_SLICED_ROWS                                                                \
    HANJI_RV32_EXPAND_ROW("speck32_64_rv32i_pairs", HANJI_RV32_PAIRS, 88,                    \
                          hanji_speck32_64_rv32i_expand_pairs),                              \
        HANJI_RV32_ROW("speck32_64_rv32i_x4", HANJI_ENCRYPT, 4, 0, HANJI_RV32_PAIRS, blocks, \
                       hanji_speck32_64_rv32i_encrypt_x4),                                   \
        HANJI_RV32_ROW("speck32_64_rv32i_x4", HANJI_CTR, 4, 0, HANJI_RV32_PAIRS, ctr,        \
                       hanji_speck32_64_rv32i_ctr_x4),                                       \
        HANJI_RV32_ROW("speck32_64_rv32i_x2", HANJI_ENCRYPT, 2, 0, HANJI_RV32_PAIRS, blocks, \
                       hanji_speck32_64_rv32i_encrypt_x2),                                   \
        HANJI_RV32_ROW("speck32_64_rv32i_x2", HANJI_DECRYPT, 2, 0, HANJI_RV32_PAIRS, blocks, \
                       hanji_speck32_64_rv32i_decrypt_x2),                                   \
        HANJI_RV32_ROW("speck32_64_rv32i_x2", HANJI_CTR, 2, 0, HANJI_RV32_PAIRS, ctr,        \
                       hanji_speck32_64_rv32i_ctr_x2),
#else
#define SPECK32_RV32I_ROWS
#endif

#endif
