/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The self-test of an amalgam on an ATmega2560, whose int and size_t have 16 bits: one line on the
 * serial port.
 */
#include "hanji.h"

#define STATUS (*(volatile uint8_t *)0xc0)
#define CONTROL (*(volatile uint8_t *)0xc1)
#define DATA (*(volatile uint8_t *)0xc6)

static void put(char c)
{
    while ((STATUS & 0x20) == 0) {
    }
    DATA = (uint8_t)c;
}

int main(void)
{
    const char *failed;
    CONTROL = 0x08;
    const int rc = hanji_selftest(&failed);
    for (const char *text = rc == HANJI_OK   ? "right"
                            : failed != NULL ? failed
                                             : "refused";
         *text != 0; text++)
        put(*text);
    put('\n');
    for (;;) {
    }
}

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    if ((uintptr_t)to <= (uintptr_t)from)
        return memcpy(to, from, bytes);
    while (bytes-- > 0)
        ((uint8_t *)to)[bytes] = ((const uint8_t *)from)[bytes];
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((uint8_t *)to)[i] = (uint8_t)value;
    return to;
}
