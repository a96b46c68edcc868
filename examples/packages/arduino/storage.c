/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The two slots of epoch.h on an Arduino Uno: the last 32 bytes of the EEPROM of its ATmega328P. A
 * byte of this EEPROM is erased and written alone, and bears 100,000 writes.
 */
#include "readings.h"

#ifdef __AVR_ATmega328P__

#include <avr/eeprom.h>

static uint8_t *place(unsigned slot)
{
    return (uint8_t *)(E2END + 1 - (2 - slot) * EPOCH_RECORD_BYTES);
}

static int read_slot(unsigned slot, uint8_t record[EPOCH_RECORD_BYTES])
{
    eeprom_read_block(record, place(slot), EPOCH_RECORD_BYTES);
    return 0;
}

/* epoch.c reads the record back, which tells whether the EEPROM is worn out. */
static int write_slot(unsigned slot, const uint8_t record[EPOCH_RECORD_BYTES])
{
    eeprom_update_block(record, place(slot), EPOCH_RECORD_BYTES);
    return 0;
}

const epoch_storage board_storage = {read_slot, write_slot};

#else
#error \
    "storage.c is for the ATmega328P (Arduino Uno): write read_slot() and write_slot() for this \
board, two records of 16 bytes that survive a reset and a loss of power, as epoch.h says"
#endif
