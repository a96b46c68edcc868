/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of CHAM-64/128 for microcontrollers; Armv6-M has none. */
#ifndef HANJI_CHAM_CHAM_MCU_H
#define HANJI_CHAM_CHAM_MCU_H

#include "lanes/mcu.h"

hanji_blocks_fn hanji_cham64_128_armv7m_encrypt_x1;
hanji_ctr_fn hanji_cham64_128_armv7m_ctr_x1;
hanji_blocks_fn hanji_cham64_128_avr_encrypt_x1;
hanji_ctr_fn hanji_cham64_128_avr_ctr_x1;

#ifdef HANJI_ARMV6M
#define CHAM64_MCU_ROWS
#else
#define CHAM64_MCU_ROWS HANJI_MCU_ROWS(cham64_128)
#endif

#endif
