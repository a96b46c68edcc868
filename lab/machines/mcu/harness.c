/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The measuring program on a Cortex-M and on an ATmega328P: calls one kernel on prepared memory and
 * sends, in hexadecimal digits, what happened and the memory. Whether the outputs are right is
 * decided by the laboratory, which reads it (harness.py).
 */
#include <stddef.h>
#include <stdint.h>

#define PAINT 0x5a

#ifdef __AVR__
#include <avr/pgmspace.h>
#define READ(from) pgm_read_byte(from)
#define REPEATED 1
typedef uint8_t lab_arguments[10]; /* r16 to r25 */
#else
#define READ(from) (*(from))
#define REPEATED 160 /* as in harness.py: a tick of the timer is 40 or 62.5 instructions */
typedef uint32_t lab_arguments[8];
#endif

/* Made by harness.py, in flash: one entry per call; the first is measured. */
extern const uint8_t lab_call_count, lab_images[];
extern const uint16_t lab_image_bytes[];
extern const lab_arguments lab_calls[];
extern uint8_t lab_arena[];
extern void (*const lab_function)(void);

void lab_call(const void *arguments, void (*function)(void), uint32_t *spoiled);
void lab_few(void);
void lab_more(void);
void lab_main(void);
extern uint8_t *lab_saved_sp;

#ifdef __AVR__
#define STACK 512
#define BELOW 1 /* the stack pointer of an AVR points below what was pushed last */
#else
#define STACK 2048
#define BELOW 0
#endif

/* What the library needs of a C library, for kernels in C; assembly has no use for them. */
#ifndef __AVR__
void *memcpy(void *restrict out, const void *restrict in, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)out)[i] = ((const uint8_t *)in)[i];
    return out;
}

void *memset(void *out, int value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)out)[i] = (uint8_t)value;
    return out;
}
#endif

#ifdef __AVR__
#define REGISTER(address) (*(volatile uint8_t *)(address))
#define TCNT1 (*(volatile uint16_t *)0x84)

volatile uint16_t lab_overflows;

static void put(char c)
{
    while ((REGISTER(0xc0) & 1 << 5) == 0) { /* UCSR0A: the data register is empty */
    }
    REGISTER(0xc6) = (uint8_t)c;
}

static void start(void)
{
    lab_overflows = 0;
    TCNT1 = 0;
    REGISTER(0x36) = 1; /* TIFR1: forget an overflow */
    __asm__ volatile("sei" ::: "memory");
}

/* An overflow takes LAB_OVERFLOW cycles, of which the program that is measured knows nothing. */
static uint32_t stop(void)
{
    __asm__ volatile("cli" ::: "memory");
    const uint16_t low = TCNT1;
    uint32_t cycles = ((uint32_t)lab_overflows << 16) + low;
    cycles -= (uint32_t)lab_overflows * LAB_OVERFLOW;
    return (REGISTER(0x36) & 1) != 0 && low < 0x8000 ? cycles + 0x10000 : cycles;
}

static void begin(void)
{
    REGISTER(0xc1) = 1 << 3; /* UCSR0B: transmit */
    REGISTER(0x81) = 1;      /* TCCR1B: count every cycle */
    REGISTER(0x6f) = 1;      /* TIMSK1: interrupt on overflow */
}

static _Noreturn void end(void)
{
    REGISTER(0x53) = 1; /* SMCR: sleep is enabled, and without interrupts the last thing */
    __asm__ volatile("cli\n sleep");
    for (;;) {
    }
}

#else
static void semihost(uint32_t operation, const void *argument)
{
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static void put(char c)
{
    semihost(3, &c);
}

#define SYST_CSR (*(volatile uint32_t *)0xe000e010)
#define SYST_RVR (*(volatile uint32_t *)0xe000e014)
#define SYST_CVR (*(volatile uint32_t *)0xe000e018)

static void start(void)
{
    SYST_CVR = 0;
}

static uint32_t stop(void)
{
    return 0xffffff - SYST_CVR;
}

static void begin(void)
{
    SYST_RVR = 0xffffff;
    SYST_CVR = 0;
    SYST_CSR = 5;
}

static _Noreturn void end(void)
{
    semihost(0x18, (const void *)0x20026);
    for (;;) {
    }
}
#endif

static void put_byte(uint8_t byte)
{
    static const char digits[] = "0123456789abcdef";
    put(digits[byte >> 4]);
    put(digits[byte & 15]);
}

static void put_number(uint32_t number)
{
    for (uint8_t i = 0; i < 4; i++, number >>= 8)
        put_byte((uint8_t)number);
    put('\n');
}

static const uint8_t *prepare(uint8_t call, const uint8_t *image)
{
    for (uint16_t i = 0; i < lab_image_bytes[call]; i++)
        lab_arena[i] = READ(image++);
    return image;
}

static __attribute__((noinline)) uint32_t measured(const void *arguments, void (*function)(void))
{
    uint32_t spoiled;
    start();
    for (uint8_t i = 0; i < REPEATED; i++)
        lab_call(arguments, function, &spoiled);
    return stop();
}

void lab_main(void)
{
    const uint8_t *image = lab_images;
    begin();
    for (uint8_t call = 0; call < lab_call_count; call++) {
        uint32_t spoiled = 0;
        image = prepare(call, image);
        /* Once to know the stack pointer: nothing lives below it. */
        lab_call(lab_calls[call], lab_few, &spoiled);
        volatile uint8_t *low = lab_saved_sp + BELOW - STACK;
        for (uint16_t i = 0; i < STACK; i++)
            low[i] = PAINT;
        lab_call(lab_calls[call], lab_function, &spoiled);
        uint16_t untouched = 0;
        while (untouched < STACK && low[untouched] == PAINT)
            untouched++;
        put_number(spoiled);
        put_number(STACK - untouched);
        for (uint16_t i = 0; i < lab_image_bytes[call]; i++) {
            put_byte(lab_arena[i]);
            if (i % 32 == 31)
                put('\n');
        }
        put('\n');
    }
    (void)prepare(0, lab_images);
    put_number(measured(lab_calls[0], lab_few));
    put_number(measured(lab_calls[0], lab_more));
    put_number(measured(lab_calls[0], lab_function));
    put('.');
    put('\n');
    end();
}
