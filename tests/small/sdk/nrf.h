/* SPDX-License-Identifier: Apache-2.0 */
/* The flash controller of the nRF51, as storage.c uses it (nRF51 Reference Manual, chapter 6). */
#include <stdint.h>

typedef struct {
    volatile uint32_t reserved[0x100], READY, more[0x40], CONFIG, ERASEPAGE;
} NRF_NVMC_Type;
#define NRF_NVMC ((NRF_NVMC_Type *)0x4001e000)
