/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernels of CHAM-64/128 for microcontrollers; Armv6-M has none. Two blocks at a time want the
 * DSP instructions of Armv7E-M, which the compiler knows of: there is no tier of their own.
 */
#ifndef HANJI_CHAM_CHAM_MCU_H
#define HANJI_CHAM_CHAM_MCU_H

#include "lanes/mcu.h"

hanji_blocks_fn hanji_cham64_128_armv7m_encrypt_x1;
hanji_ctr_fn hanji_cham64_128_armv7m_ctr_x1;
hanji_blocks_fn hanji_cham64_128_armv7em_encrypt_x2;
hanji_ctr_fn hanji_cham64_128_armv7em_ctr_x2;
hanji_blocks_fn hanji_cham64_128_avr_encrypt_x1;
hanji_ctr_fn hanji_cham64_128_avr_ctr_x1;

#ifdef HANJI_ARMV7M
#ifdef __ARM_FEATURE_DSP
#define CHAM64_PAIR_ROWS                                      \
    {.name = "cham64_128_armv7em_x2",                         \
     .features = HANJI_CPU_MCU,                               \
     .operation = HANJI_ENCRYPT,                              \
     .group = 2,                                              \
     .align = 1,                                              \
     .run = {.blocks = hanji_cham64_128_armv7em_encrypt_x2}}, \
        {.name = "cham64_128_armv7em_x2",                     \
         .features = HANJI_CPU_MCU,                           \
         .operation = HANJI_CTR,                              \
         .group = 2,                                          \
         .align = 1,                                          \
         .run = {.ctr = hanji_cham64_128_armv7em_ctr_x2}},
#endif
#endif
#ifndef CHAM64_PAIR_ROWS
#define CHAM64_PAIR_ROWS
#endif

#ifdef HANJI_ARMV6M
#define CHAM64_MCU_ROWS
#else
#define CHAM64_MCU_ROWS CHAM64_PAIR_ROWS HANJI_MCU_ROWS(cham64_128)
#endif

#endif
