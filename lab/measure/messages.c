/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What whole calls of an amalgam take on a microcontroller: prints "name number" lines. The number
 * is cycles on an ATmega328P, with those of the interrupt that counts overflows of the timer, and
 * instructions under qemu on a Cortex-M, where a tick of the timer is TICK halves of one.
 */
#include "hanji.h"

#ifndef LAB_FAILED /* a control says that a call has failed */
#define LAB_FAILED 0
#endif
#ifndef LAB_SEED /* 0: all secrets are zeros */
#define LAB_SEED 0
#endif
#define ALIGNED __attribute__((aligned(4)))
static ALIGNED uint8_t text[512 + 32], key[32], nonce[32], digest[64];
static size_t bytes;
static int failed = LAB_FAILED;

static void nothing(void)
{
}

/* Secrets of a seed; those of a seed of zero are zeros. */
static void __attribute__((unused)) fill(uint8_t *at, uint16_t size)
{
    static uint32_t state = (uint32_t)LAB_SEED * 0x9e3779b9u;
    while (size-- > 0) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        *at++ = (uint8_t)(state >> 24);
    }
}

#ifndef WITHOUT_SPONGES
static void seal_schwaemm(void)
{
    failed |= hanji_schwaemm256_128_encrypt(text, text, bytes, NULL, 0, nonce, key);
}

static void seal_ascon(void)
{
    failed |= hanji_ascon_aead128_encrypt(text, text, bytes, NULL, 0, nonce, key);
}

static void hash_esch(void)
{
    failed |= hanji_esch256(digest, text, bytes);
}

static void hash_ascon(void)
{
    failed |= hanji_ascon_hash256(digest, text, bytes);
}
#endif

#ifndef WITHOUT_CTR
static hanji_speck64_128_ctx speck;
static hanji_cham64_128_ctx cham;
static hanji_ctr_ctx stream;

static void ctr_speck(void)
{
    failed |= hanji_ctr_init(nonce, 8, &speck.head, &stream);
    failed |= hanji_ctr_update(text, text, bytes, &stream);
}

static void ctr_cham(void)
{
    failed |= hanji_ctr_init(nonce, 8, &cham.head, &stream);
    failed |= hanji_ctr_update(text, text, bytes, &stream);
}
#endif

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

/* By words where both addresses allow it, as C libraries do. */
void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
    uint8_t *out = to;
    const uint8_t *in = from;
    if ((((uintptr_t)out | (uintptr_t)in) & 3) == 0)
        for (; n >= 4; n -= 4, out += 4, in += 4)
            *(word *)out = *(const word *)in;
    while (n-- > 0)
        *out++ = *in++;
    return to;
}

void *memmove(void *to, const void *from, size_t n)
{
    if ((uintptr_t)to <= (uintptr_t)from)
        return memcpy(to, from, n);
    while (n-- > 0)
        ((uint8_t *)to)[n] = ((const uint8_t *)from)[n];
    return to;
}

void *memset(void *to, int value, size_t n)
{
    uint8_t *out = to;
    const word four = (uint8_t)value * (word)0x01010101;
    for (; n > 0 && ((uintptr_t)out & 3) != 0; n--)
        *out++ = (uint8_t)value;
    for (; n >= 4; n -= 4, out += 4)
        *(word *)out = four;
    while (n-- > 0)
        *out++ = (uint8_t)value;
    return to;
}
#endif

static void print(const char *name, void (*call)(void), size_t size)
{
    uint32_t number;
    bytes = size;
    number = count(call) - count(nothing);
    while (*name != 0)
        put(*name++);
    put(' ');
    for (int8_t shift = 28; shift >= 0; shift -= 4)
        put("0123456789abcdef"[number >> shift & 15]);
    put('\n');
}

#ifdef __AVR__
int main(void)
#else
void lab_main(void);
void lab_main(void)
#endif
{
    begin_timer();
    if (LAB_SEED != 0) {
        fill(key, sizeof key);
        fill(nonce, sizeof nonce);
        fill(text, sizeof text);
    }
#ifndef WITHOUT_SPONGES
    print("schwaemm256-128:16", seal_schwaemm, 16);
    print("schwaemm256-128:128", seal_schwaemm, 128);
    print("schwaemm256-128:512", seal_schwaemm, 512);
    print("ascon-aead128:16", seal_ascon, 16);
    print("ascon-aead128:128", seal_ascon, 128);
    print("ascon-aead128:512", seal_ascon, 512);
    print("esch256:64", hash_esch, 64);
    print("esch256:128", hash_esch, 128);
    print("ascon-hash256:64", hash_ascon, 64);
    print("ascon-hash256:128", hash_ascon, 128);
#endif
#ifndef WITHOUT_CTR
    failed |= hanji_block_init(key, 16, hanji_speck64_128(), &speck.head, sizeof speck);
    failed |= hanji_block_init(key, 16, hanji_cham64_128(), &cham.head, sizeof cham);
    print("speck-64/128-ctr:512", ctr_speck, 512);
    print("cham-64/128-ctr:512", ctr_cham, 512);
#endif
    print(failed != 0 ? "failed" : "right", nothing, 0);
    end();
#ifdef __AVR__
    return 0;
#endif
}
