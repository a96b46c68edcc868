/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two slots of epoch.h on a BBC micro:bit (nRF51822): the last two pages of its 256 KiB of
 * flash, 1 KiB each. A page bears 20,000 erasures, so this is for 40,000 starts. Registers: nRF51
 * Series Reference Manual, chapter 6. The processor waits while the flash is written.
 */
#include "readings.h"

#ifdef NRF51

#include "nrf.h"

enum { READ_ONLY = 0, WRITE = 1, ERASE = 2 };
#define PAGE(slot) (0x3f800u + 0x400u * (slot))

static void set_mode(uint32_t mode)
{
    NRF_NVMC->CONFIG = mode;
    while (NRF_NVMC->READY == 0) {
    }
}

static int read_slot(unsigned slot, uint8_t record[EPOCH_RECORD_BYTES])
{
    const volatile uint8_t *at = (const volatile uint8_t *)PAGE(slot);
    for (int i = 0; i < EPOCH_RECORD_BYTES; i++)
        record[i] = at[i];
    return 0;
}

/* epoch.c reads the record back, which tells whether the flash is worn out. */
static int write_slot(unsigned slot, const uint8_t record[EPOCH_RECORD_BYTES])
{
    volatile uint32_t *at = (volatile uint32_t *)PAGE(slot);
    set_mode(ERASE);
    NRF_NVMC->ERASEPAGE = PAGE(slot);
    while (NRF_NVMC->READY == 0) {
    }
    set_mode(WRITE);
    for (int i = 0; i < EPOCH_RECORD_BYTES; i += 4) {
        *at++ = record[i] | (uint32_t)record[i + 1] << 8 | (uint32_t)record[i + 2] << 16 |
                (uint32_t)record[i + 3] << 24;
        while (NRF_NVMC->READY == 0) {
        }
    }
    set_mode(READ_ONLY);
    return 0;
}

const epoch_storage board_storage = {read_slot, write_slot};

#else
#error \
    "storage.c is for the BBC micro:bit (nRF51822): write read_slot() and write_slot() for this \
board, two records of 16 bytes in erase units of their own, as epoch.h says"
#endif
