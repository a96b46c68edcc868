/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the example of the CMSIS-Pack needs beside the pack on a BBC micro:bit: start code, printf
 * to the UART (nRF51 Series Reference Manual, chapter 29), memory functions, and an end. It starts
 * the example three times, by resets of the processor.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

extern uint32_t data_image[], data_start[], data_end[], bss_start[], bss_end[], stack_top[];
int main(void);
void start(void);

__attribute__((section(".noinit"))) static uint32_t starts; /* zero when the power comes */

static void put(char c)
{
    REGISTER(0x4000211c) = 0;
    REGISTER(0x4000251c) = (uint8_t)c;
    while (REGISTER(0x4000211c) == 0) {
    }
}

int printf(const char *form, ...)
{
    va_list rest;
    va_start(rest, form);
    for (; *form != '\0'; form++) {
        if (form[0] == '%' && form[1] == 's') {
            for (const char *text = va_arg(rest, const char *); *text != '\0'; text++)
                put(*text);
            form++;
        } else if (form[0] == '%' && form[1] == 'd') { /* a negative number of three digits */
            int n = -va_arg(rest, int);
            put('-');
            for (int unit = 100; unit > 0; unit = unit == 100 ? 10 : unit == 10) {
                char digit = '0';
                for (; n >= unit; n -= unit)
                    digit++;
                put(digit);
            }
            form++;
        } else {
            put(*form);
        }
    }
    va_end(rest);
    return 0;
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

void start(void)
{
    for (uint32_t *to = data_start, *from = data_image; to < data_end;)
        *to++ = *from++;
    for (uint32_t *at = bss_start; at < bss_end;)
        *at++ = 0;
    REGISTER(0x40002500) = 4; /* ENABLE */
    REGISTER(0x40002008) = 1; /* STARTTX */
    if (starts == 0) {        /* as the maker erases the flash, which is all zeros under qemu */
        REGISTER(0x4001e504) = 2;
        REGISTER(0x4001e508) = 0x3f800;
        REGISTER(0x4001e508) = 0x3fc00;
        REGISTER(0x4001e504) = 0;
    }
    (void)main();
    if (++starts < 3) {
        REGISTER(0xe000ed0c) = 0x05fa0004; /* AIRCR: a reset of the system */
        for (;;) {
        }
    }
    __asm__ volatile("movs r0, #0x18\n ldr r1, =0x20026\n bkpt 0xab" ::: "r0", "r1");
    for (;;) {
    }
}

__attribute__((section(".vectors"), used)) static const void *const vectors[] = {stack_top, start};
