/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What whole calls of an amalgam take on a microcontroller: prints "name number" lines. The number
 * is cycles on an ATmega328P, with those of the interrupt that counts overflows of the timer, and
 * instructions under qemu on a Cortex-M, where a tick of the timer is TICK halves of one.
 */
#include "hanji.h"

enum { SHORT = 128, LONG = 512 };
static uint8_t text[LONG + 32], key[32], nonce[32], digest[64];
static hanji_speck64_128_ctx speck;
static hanji_cham64_128_ctx cham;
static hanji_ctr_ctx stream;
static int failed;

static void nothing(void)
{
}

static void seal_short(void)
{
    failed |= hanji_schwaemm256_128_encrypt(text, text, SHORT, NULL, 0, nonce, key);
}

static void seal_long(void)
{
    failed |= hanji_schwaemm256_128_encrypt(text, text, LONG, NULL, 0, nonce, key);
}

static void seal_ascon(void)
{
    failed |= hanji_ascon_aead128_encrypt(text, text, SHORT, NULL, 0, nonce, key);
}

static void hash_short(void)
{
    failed |= hanji_esch256(digest, text, SHORT);
}

static void ctr_speck(void)
{
    failed |= hanji_ctr_init(nonce, 8, &speck.head, &stream);
    failed |= hanji_ctr_update(text, text, LONG, &stream);
}

static void ctr_cham(void)
{
    failed |= hanji_ctr_init(nonce, 8, &cham.head, &stream);
    failed |= hanji_ctr_update(text, text, LONG, &stream);
}

#ifdef __AVR__
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

static volatile uint16_t overflows;

ISR(TIMER1_OVF_vect)
{
    overflows++;
}

static void put(char c)
{
    while ((UCSR0A & 1 << UDRE0) == 0) {
    }
    UDR0 = (uint8_t)c;
}

static uint32_t count(void (*volatile call)(void))
{
    overflows = 0;
    TCNT1 = 0;
    TIFR1 = 1;
    sei();
    call();
    cli();
    return ((uint32_t)overflows << 16) + TCNT1;
}

static void begin_timer(void)
{
    UCSR0B = 1 << TXEN0;
    TCCR1B = 1;
    TIMSK1 = 1;
}

static void end(void)
{
    cli();
    sleep_enable();
    sleep_cpu();
}
#else
typedef uint32_t __attribute__((may_alias)) word;
#define AT(address) (*(volatile uint32_t *)(address))

static void semihost(unsigned long operation, const void *argument)
{
    register unsigned long r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static void put(char c)
{
    semihost(3, &c);
}

static uint32_t count(void (*volatile call)(void))
{
    AT(0xe000e018) = 0;
    for (uint8_t i = 0; i < TICK; i++)
        call();
    return (0xffffff - AT(0xe000e018)) / 2;
}

static void begin_timer(void)
{
    AT(0xe000e014) = 0xffffff;
    AT(0xe000e018) = 0;
    AT(0xe000e010) = 5;
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
__attribute__((section(".start"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))stack_top, run_main};
void begin(void)
{
    run_main();
}

/* By words where both addresses allow it, as C libraries do. */
void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    uint8_t *out = to;
    const uint8_t *in = from;
    if ((((uintptr_t)out | (uintptr_t)in) & 3) == 0)
        for (; bytes >= 4; bytes -= 4, out += 4, in += 4)
            *(word *)out = *(const word *)in;
    while (bytes-- > 0)
        *out++ = *in++;
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
    uint8_t *out = to;
    const word four = (uint8_t)value * (word)0x01010101;
    for (; bytes > 0 && ((uintptr_t)out & 3) != 0; bytes--)
        *out++ = (uint8_t)value;
    for (; bytes >= 4; bytes -= 4, out += 4)
        *(word *)out = four;
    while (bytes-- > 0)
        *out++ = (uint8_t)value;
    return to;
}
#endif

static void print(const char *name, void (*call)(void), uint32_t idle)
{
    const uint32_t number = count(call) - idle;
    while (*name != 0)
        put(*name++);
    put(' ');
    for (int8_t shift = 28; shift >= 0; shift -= 4)
        put("0123456789abcdef"[number >> shift & 15]);
    put('\n');
}

int main(void)
{
    begin_timer();
    failed |= hanji_block_init(key, 16, hanji_speck64_128(), &speck.head, sizeof speck);
    failed |= hanji_block_init(key, 16, hanji_cham64_128(), &cham.head, sizeof cham);
    const uint32_t idle = count(nothing);
    print("schwaemm256-128:128", seal_short, idle);
    print("schwaemm256-128:512", seal_long, idle);
    print("ascon-aead128:128", seal_ascon, idle);
    print("esch256:128", hash_short, idle);
    print("speck-64/128-ctr:512", ctr_speck, idle);
    print("cham-64/128-ctr:512", ctr_cham, idle);
    print(failed != 0 ? "failed" : "right", nothing, idle);
    end();
    return 0;
}
