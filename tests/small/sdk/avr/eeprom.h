/* SPDX-License-Identifier: Apache-2.0 */
/* The EEPROM functions of avr-libc that storage.c uses, over the model: 1 KiB (ATmega328P). */
#include "model.h"

#define E2END 0x3ff

static inline void eeprom_read_block(void *to, const void *from, size_t bytes)
{
    model_read(to, (size_t)(uintptr_t)from, bytes);
}

static inline void eeprom_update_block(const void *from, void *to, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        const uint8_t byte = ((const uint8_t *)from)[i];
        uint8_t old;
        model_read(&old, (size_t)(uintptr_t)to + i, 1);
        if (old != byte)
            model_replace((size_t)(uintptr_t)to + i, byte);
    }
}
