/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The FE310-G002 of the HiFive1 Rev B: clock, UART, timer, and a stack that is painted to see how
 * deep it went.
 */
#include "board.h"

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define HFXOSCCFG REGISTER(0x10008004) /* chapter 6: 16 MHz crystal */
#define PLLCFG REGISTER(0x10008008)
#define GPIO_IOF_EN REGISTER(0x10012038) /* chapter 17 */
#define GPIO_IOF_SEL REGISTER(0x1001203c)
#define UART_TXDATA REGISTER(0x10013000) /* chapter 18 */
#define UART_TXCTRL REGISTER(0x10013008)
#define UART_DIV REGISTER(0x10013018)
#define MTIME REGISTER(0x0200bff8) /* chapter 9; counts at 32768 Hz */

#define CLOCK 16000000u
#define BAUD 115200u
#define PAINT 0x57ac57acu /* start.S has painted with it */

extern uint32_t stack_bottom[], stack_top[];

void board_start(void)
{
    HFXOSCCFG |= 1u << 30;
    while ((HFXOSCCFG & 1u << 31) == 0)
        ;
    PLLCFG |= 7u << 16; /* the crystal, past the PLL, as the clock */
    GPIO_IOF_SEL &= ~(3u << 16);
    GPIO_IOF_EN |= 3u << 16;
    UART_DIV = CLOCK / BAUD - 1;
    UART_TXCTRL = 1;
}

static void print_byte(char c)
{
    while ((UART_TXDATA & 1u << 31) != 0)
        ;
    UART_TXDATA = (uint8_t)c;
}

void board_print(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '\n')
            print_byte('\r');
        print_byte(*text);
    }
}

uint32_t board_stack_used(void)
{
    const volatile uint32_t *p = stack_bottom;
    while (p < stack_top && *p == PAINT)
        p++;
    return (uint32_t)((uintptr_t)stack_top - (uintptr_t)p);
}

#ifndef SEMIHOSTING

void board_wait(void)
{
    const uint32_t start = MTIME;
    while (MTIME - start < 32768)
        ;
}

uint32_t board_option(const char *name, uint32_t otherwise)
{
    (void)name;
    return otherwise;
}

_Noreturn void board_end(int code)
{
    (void)code;
    for (;;)
        __asm__ volatile("wfi");
}

#endif
