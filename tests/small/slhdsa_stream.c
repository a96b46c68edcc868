/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A boot loader's part: a signature that is verified while it comes, in pieces of PART bytes. It
 * prints the count, the bytes of stack with the context, and whether the right signature and no
 * altered one was accepted. The count is ticks of a timer of qemu on a Cortex-M, executed
 * instructions on RV32, and cycles on an AVR. vector.h is made by the test: SET, context, message,
 * public_key and signature.
 */
#include "hanji.h"

#ifdef __AVR__ /* which has no RAM for the data of the test */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/pgmspace.h>
#include <avr/sleep.h>
#define FLASH PROGMEM
#else
#define FLASH
#endif
#include "vector.h"

/* What a driver of flash gives: a piece, with one bit flipped where a place is set. */
static volatile uint16_t altered_at = 0; /* less one; 0 is nowhere */
static uint8_t piece[PART];

static const uint8_t *piece_of(const uint8_t *data, size_t at, size_t bytes)
{
#ifdef __AVR__
    for (size_t i = 0; i < bytes; i++)
        piece[i] = pgm_read_byte(data + at + i);
#else
    for (size_t i = 0; i < bytes; i++)
        piece[i] = data[at + i];
#endif
    if (data == signature && altered_at > at && altered_at - at <= bytes)
        piece[altered_at - 1 - at] ^= 1;
    return piece;
}

int boot(void);

int boot(void)
{
    hanji_slhdsa_stream s;
    const hanji_slhdsa *set = hanji_slhdsa_by_name(SET);
    const size_t n = sizeof public_key / 2;
    size_t at, part;
    if (hanji_slhdsa_stream_init(&s, piece_of(signature, 0, n), n, context, CONTEXT_BYTES,
                                 HANJI_SLHDSA_PURE, public_key, sizeof public_key, set) != HANJI_OK)
        return 0;
    for (at = 0; at < sizeof message; at += part) {
        part = sizeof message - at < PART ? sizeof message - at : PART;
        if (hanji_slhdsa_stream_message(piece_of(message, at, part), part, &s) != HANJI_OK)
            return 0;
    }
    for (at = n; at < sizeof signature; at += part) {
        part = sizeof signature - at < PART ? sizeof signature - at : PART;
        if (hanji_slhdsa_stream_signature(piece_of(signature, at, part), part, &s) != HANJI_OK)
            return 0;
    }
    return hanji_slhdsa_stream_end(&s) == HANJI_SLHDSA_VALID;
}

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    return to;
}

void *memset(void *to, int value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)to)[i] = (uint8_t)value;
    return to;
}

#ifndef ALONE
#ifdef __AVR__
#define PAINTED 1000
typedef uint8_t cell;
static volatile uint16_t overflows;

ISR(TIMER1_OVF_vect)
{
    overflows++;
}

static uint32_t now(void)
{
    const uint16_t low = TCNT1; /* interrupts are off */
    return ((uint32_t)overflows << 16) + low;
}

static void begin(void)
{
    TCCR1B = 1;
    TIMSK1 = 1;
    UCSR0B = 1 << TXEN0;
    TCNT1 = 0;
    TIFR1 = 1;
    sei();
}

static void put(const char *text)
{
    while (*text != '\0') {
        while ((UCSR0A & 1 << UDRE0) == 0) {
        }
        UDR0 = (uint8_t)*text++;
    }
}

static void end(void)
{
    put("\r\n");
    cli();
    sleep_enable();
    sleep_cpu();
}

static cell *stack_pointer(void)
{
    return (cell *)SP;
}
#define STOP cli()
#define COUNTED 0xffffffffu
#else
#define PAINTED 4096
typedef uint32_t cell;
#define STOP
#define AT(address) (*(volatile uint32_t *)(address))

static void semihost(unsigned long operation, const void *argument)
{
#ifdef __riscv
    register unsigned long a0 __asm__("a0") = operation;
    register const void *a1 __asm__("a1") = argument;
    __asm__ volatile(".balign 16\n.option push\n.option norvc\nslli zero, zero, 0x1f\nebreak\n"
                     "srai zero, zero, 7\n.option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
#else
    register unsigned long r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
#endif
}

static void put(const char *text)
{
    semihost(4, text);
}

static void end(void)
{
    semihost(0x18, (const void *)0x20026);
}

static cell *stack_pointer(void)
{
    cell *sp;
#ifdef __riscv
    __asm__ volatile("mv %0, sp" : "=r"(sp));
#else
    __asm__ volatile("mov %0, sp" : "=r"(sp));
#endif
    return sp;
}

#ifdef __riscv
__asm__(".pushsection .vectors, \"ax\"\n.globl lab_start\nlab_start:\n"
        "la sp, lab_stack_top\ncall lab_main\n.popsection");

#define COUNTED 0xffffffffu
static void begin(void)
{
}

static uint32_t now(void)
{
    register uint32_t a0 __asm__("a0");
    __asm__ volatile(".word 0xb0202573" : "=r"(a0)); /* csrr a0, minstret, without its extension */
    return a0;
}
#else
#define COUNTED 0xffffffu /* bits of the timer */
static void begin(void)
{
    AT(0xe000e014) = 0xffffff;
    AT(0xe000e018) = 0;
    AT(0xe000e010) = 5;
}

static uint32_t now(void)
{
    return 0xffffff - AT(0xe000e018);
}
#endif
#endif

static void print(uint32_t number)
{
    char text[] = "00000000 ";
    for (int i = 0; i < 8; i++)
        text[7 - i] =
            (char)((number >> 4 * i & 15) + ((number >> 4 * i & 15) < 10 ? '0' : 'a' - 10));
    put(text);
}

/* The deepest byte of stack that a call wrote. */
static uint32_t depth_of(int *right)
{
    cell *sp = stack_pointer(), *last = sp - PAINTED / sizeof(cell);
    for (cell *at = last; at < sp; at++)
        *(volatile cell *)at = (cell)0x5a5a5a5au;
    *right = boot();
    while (last < sp && *(volatile cell *)last == (cell)0x5a5a5a5au)
        last++;
    return (uint32_t)((size_t)(sp - last) * sizeof(cell));
}

#ifdef __AVR__
int main(void);
int main(void)
#else
void lab_main(void);
void lab_main(void)
#endif
{
    int right, again, wrong = 0;
    begin();
    uint32_t before = now();
    right = boot();
    STOP;
    before = now() - before;
    print(before & COUNTED);
    print(depth_of(&again));
    for (uint16_t turn = 0; turn < ALTERED; turn++) {
        altered_at = (uint16_t)(1 + turn * (sizeof signature / 5));
        wrong += boot();
    }
    print(right && again && !wrong);
    end();
#ifdef __AVR__
    return 0;
#endif
}
#endif
