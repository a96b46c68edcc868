/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A boot loader's part: a signature that is verified while it comes, in pieces of PART bytes. It
 * prints ticks of a timer under qemu, which counts executed instructions, the bytes of stack with
 * the context, and whether the right signature and no altered one was accepted. vector.h is made by
 * the test: SET, context, message, public_key and signature.
 */
#include "hanji.h"
#include "vector.h"

int boot(const uint8_t *signed_by);

int boot(const uint8_t *signed_by)
{
    hanji_slhdsa_stream s;
    const hanji_slhdsa *set = hanji_slhdsa_by_name(SET);
    const size_t n = sizeof public_key / 2;
    if (hanji_slhdsa_stream_init(&s, signed_by, n, context, CONTEXT_BYTES, HANJI_SLHDSA_PURE,
                                 public_key, sizeof public_key, set) != HANJI_OK)
        return 0;
    if (hanji_slhdsa_stream_message(message, sizeof message, &s) != HANJI_OK)
        return 0;
    for (size_t at = n, part; at < sizeof signature; at += part) {
        part = sizeof signature - at < PART ? sizeof signature - at : PART;
        if (hanji_slhdsa_stream_signature(signed_by + at, part, &s) != HANJI_OK)
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
#define AT(address) (*(volatile uint32_t *)(address))
#define PAINTED 4096
#define PAINT 0x5a5a5a5au

static uint8_t altered[sizeof signature];

static void semihost(unsigned long operation, const void *argument)
{
    register unsigned long r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static void print(uint32_t number)
{
    char text[] = "00000000 ";
    for (int i = 0; i < 8; i++)
        text[i] = "0123456789abcdef"[number >> (28 - 4 * i) & 15];
    semihost(4, text);
}

static uint32_t *stack_pointer(void)
{
    uint32_t *sp;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    return sp;
}

/* The deepest byte of stack that a call wrote. */
static uint32_t depth_of(const uint8_t *signed_by, int *right)
{
    uint32_t *sp = stack_pointer(), *end = sp - PAINTED / 4;
    for (uint32_t *at = end; at < sp; at++)
        *(volatile uint32_t *)at = PAINT;
    *right = boot(signed_by);
    while (end < sp && *(volatile uint32_t *)end == PAINT)
        end++;
    return (uint32_t)(4 * (sp - end));
}

void lab_main(void);
void lab_main(void)
{
    int right, wrong = 0;
    AT(0xe000e014) = 0xffffff;
    AT(0xe000e018) = 0;
    AT(0xe000e010) = 5;
    right = boot(signature);
    print(0xffffff - AT(0xe000e018));
    int again;
    print(depth_of(signature, &again));
    for (uint32_t place = 0; place < sizeof signature; place += sizeof signature / 5) {
        memcpy(altered, signature, sizeof signature);
        altered[place] ^= 1;
        wrong += boot(altered);
    }
    print(right && again && !wrong);
    semihost(0x18, (const void *)0x20026);
}
#endif
