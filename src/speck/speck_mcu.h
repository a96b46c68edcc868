/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of SPECK with 32-bit words for microcontrollers. */
#ifndef HANJI_SPECK_SPECK_MCU_H
#define HANJI_SPECK_SPECK_MCU_H

#include "lanes/mcu.h"

hanji_blocks_fn hanji_speck64_128_armv7m_encrypt_x1;
hanji_ctr_fn hanji_speck64_128_armv7m_ctr_x1;
hanji_blocks_fn hanji_speck64_128_armv6m_encrypt_x1;
hanji_ctr_fn hanji_speck64_128_armv6m_ctr_x1;
hanji_blocks_fn hanji_speck64_128_avr_encrypt_x1;
hanji_ctr_fn hanji_speck64_128_avr_ctr_x1;

#endif
