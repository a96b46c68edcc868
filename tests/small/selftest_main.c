/* SPDX-License-Identifier: Apache-2.0 */
/* The self-test of an amalgam on a microcontroller: prints "right", or what failed. */
#include "hanji.h"

#ifdef __AVR__
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

static void print(const char *text)
{
    UCSR0B = 1 << TXEN0;
    for (; *text != 0; text++) {
        while ((UCSR0A & 1 << UDRE0) == 0) {
        }
        UDR0 = (uint8_t)*text;
    }
}

static void end(void)
{
    cli();
    sleep_enable();
    sleep_cpu();
}
#else
static void semihost(unsigned long operation, const void *argument)
{
#ifdef __riscv
    register unsigned long a0 __asm__("a0") = operation;
    register const void *a1 __asm__("a1") = argument;
    __asm__ volatile(".option push\n.option norvc\n.balign 16\n"
                     "slli x0, x0, 0x1f\nebreak\nsrai x0, x0, 7\n.option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
#else
    register unsigned long r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
#endif
}

static void print(const char *text)
{
    semihost(4, text);
}

static void end(void)
{
    semihost(0x18, (const void *)0x20026);
}

extern uint8_t bss_start[], bss_end[], stack_top[];
int main(void);
void begin(void);
static void __attribute__((used, noreturn)) run_main(void)
{
    for (uint8_t *at = bss_start; at < bss_end; at++)
        *(volatile uint8_t *)at = 0;
    (void)main();
    for (;;) {
    }
}
#ifdef __riscv
__asm__(".section .start, \"ax\"\n.global begin\nbegin:\n.option push\n.option norelax\n"
        "la gp, __global_pointer$\n.option pop\nla sp, stack_top\nj run_main\n.text\n");
#else
__attribute__((section(".start"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))stack_top, run_main};
void begin(void)
{
    run_main();
}
#endif

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
#endif

int main(void)
{
    const char *failed = NULL;
    const int rc = hanji_selftest(&failed);
    print(rc == HANJI_OK ? "right" : failed != NULL ? failed : "refused");
    print("\n");
    end();
    return 0;
}
