/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ticks of a timer under qemu, which counts executed instructions: a key pair for three keys with
 * one iv, and then as a control again with a loop whose length is a byte of the key. With WHOLE:
 * signing and verifying, with all and with the least scratch memory.
 */
#include "hanji.h"

#define AT(address) (*(volatile uint32_t *)(address))
static uint8_t public_key[32], secret_key[48];
static uint8_t seed, drawn;
#ifdef WHOLE
static uint8_t signature[HANJI_AIMER3_128F_SIGNATURE_BYTES];
static uint64_t scratch[SCRATCH / 8];
#else
static uint64_t scratch[HANJI_AIMER3_128F_SCRATCH_BYTES_LEAST / 8];
#endif

static void semihost(unsigned long operation, const void *argument)
{
    register unsigned long r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static int give(uint8_t *out, size_t bytes, void *state)
{
    (void)state;
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(drawn == 0 ? seed * (2 * i + 1) : i);
    drawn++;
    return HANJI_OK;
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

static void print_ticks(int rc)
{
    char text[] = "00000000 ";
    const uint32_t ticks = 0xffffff - AT(0xe000e018);
    for (int i = 0; i < 8; i++)
        text[i] = rc != HANJI_OK ? 'x' : "0123456789abcdef"[ticks >> (28 - 4 * i) & 15];
    semihost(4, text);
}

static void count(uint8_t of, uint8_t is_control)
{
    seed = of;
    drawn = 0;
    AT(0xe000e018) = 0;
    const int rc = hanji_aimer_keypair(public_key, secret_key, hanji_aimer_at(0), give, NULL,
                                       scratch, sizeof scratch);
    for (uint32_t i = 0; i < (is_control ? 1000u * secret_key[0] : 0); i++)
        __asm__ volatile("");
    print_ticks(rc);
}

#ifdef WHOLE
static void count_whole(void)
{
    static const uint8_t text[64];
    AT(0xe000e018) = 0;
    print_ticks(hanji_aimer_sign(signature, text, sizeof text, NULL, 0, secret_key,
                                 sizeof secret_key, hanji_aimer_at(0), HANJI_AIMER_DETERMINISTIC,
                                 NULL, NULL, scratch, sizeof scratch));
    AT(0xe000e018) = 0;
    print_ticks(hanji_aimer_verify(signature, sizeof signature, text, sizeof text, NULL, 0,
                                   public_key, sizeof public_key, hanji_aimer_at(0), scratch,
                                   sizeof scratch));
}
#endif

void lab_main(void);
void lab_main(void)
{
    AT(0xe000e014) = 0xffffff;
    AT(0xe000e018) = 0;
    AT(0xe000e010) = 5;
    count(1, 0);
#ifdef WHOLE
    count_whole();
#else
    count(77, 0);
    count(201, 0);
    count(77, 1);
#endif
    semihost(0x18, (const void *)0x20026);
}
