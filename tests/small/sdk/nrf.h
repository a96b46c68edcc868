/* SPDX-License-Identifier: Apache-2.0 */
/* What storage.c uses of the nRF51's flash controller (nRF51 Series Reference Manual, chapter 6). */
#include <stdint.h>

typedef struct {
    volatile uint32_t reserved[0x100], READY, more[0x40], CONFIG, ERASEPAGE;
} NRF_NVMC_Type;
#define NRF_NVMC ((NRF_NVMC_Type *)0x4001e000)
