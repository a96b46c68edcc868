/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two slots in the last two sectors of the SPI flash, whose commands are those of every flash
 * of its kind (ISSI IS25LP032D data sheet). The program runs from this flash. While a sector is
 * erased or written nothing can be read from it, code included: what does that lies in RAM
 * (.ramtext, which start.S copies), calls nothing outside, and no interrupt is enabled.
 */
#include "board.h"

#define FLASH 0x20000000u /* where it can be read */
#define SLOT(n) (0x3fe000u + 0x1000u * (n))

/* QSPI 0, chapter 19 of the FE310-G002 manual. */
#define QSPI(offset) (*(volatile uint32_t *)(0x10014000 + (offset)))
#define CSMODE QSPI(0x18)
#define FMT QSPI(0x40)
#define TXDATA QSPI(0x48)
#define RXDATA QSPI(0x4c)
#define FCTRL QSPI(0x60)
#define IN_RAM __attribute__((section(".ramtext"), noinline))

enum {
    WRITE_ENABLE = 0x06,
    READ_STATUS = 0x05,
    SECTOR_ERASE = 0x20,
    PAGE_PROGRAM = 0x02,
    BUSY = 1,
    HOLD = 2,
    AUTO = 0
};

IN_RAM static uint32_t exchange(uint32_t byte)
{
    while ((TXDATA & 1u << 31) != 0)
        ;
    TXDATA = byte;
    for (;;) {
        const uint32_t back = RXDATA;
        if ((back & 1u << 31) == 0)
            return back & 0xff;
    }
}

/*
 * Enable writing, give a command with an address and data, and wait until the flash is ready again.
 */
IN_RAM static void command(uint32_t code, uint32_t address, const uint8_t *data, uint32_t bytes)
{
    CSMODE = HOLD;
    exchange(WRITE_ENABLE);
    CSMODE = AUTO;
    CSMODE = HOLD;
    exchange(code);
    exchange(address >> 16 & 0xff);
    exchange(address >> 8 & 0xff);
    exchange(address & 0xff);
    for (uint32_t i = 0; i < bytes; i++)
        exchange(data[i]);
    CSMODE = AUTO;
    CSMODE = HOLD;
    exchange(READ_STATUS);
    while ((exchange(0) & BUSY) != 0)
        ;
    CSMODE = AUTO;
}

/* The flash leaves the address space, is written, and comes back. */
IN_RAM static void replace(uint32_t address, const uint8_t *data, uint32_t bytes)
{
    FCTRL = 0;
    FMT = 8u << 16; /* one line, most significant bit first, and what comes back is kept */
    command(SECTOR_ERASE, address, data, 0);
    command(PAGE_PROGRAM, address, data, bytes);
    FCTRL = 1;
}

static int flash_read(unsigned slot, uint8_t record[EPOCH_RECORD_BYTES])
{
    const volatile uint8_t *at = (const volatile uint8_t *)(FLASH + SLOT(slot));
    for (int i = 0; i < EPOCH_RECORD_BYTES; i++)
        record[i] = at[i];
    return 0;
}

static int flash_write(unsigned slot, const uint8_t record[EPOCH_RECORD_BYTES])
{
    uint8_t copy[EPOCH_RECORD_BYTES]; /* in RAM, wherever the record is */
    for (int i = 0; i < EPOCH_RECORD_BYTES; i++)
        copy[i] = record[i];
    replace(SLOT(slot), copy, sizeof copy);
    return 0;
}

const epoch_storage board_storage = {flash_read, flash_write};
