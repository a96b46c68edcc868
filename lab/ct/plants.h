/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaks to be planted in front of kernels: one function for each kind, which leaks the first bytes
 * of a secret. tests/lab/test_lab_ct_plants.py checks which of them each method of hanji-lab ct
 * finds.
 */
#ifndef HANJI_LAB_CT_PLANTS_H
#define HANJI_LAB_CT_PLANTS_H

#include <hanji/common.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sets.h"

/* Each kind has a name in one word. */
/* The formatter does not settle on a row of calls. */
/* clang-format off */
#define PLANT_KINDS(F) \
    F(branch) F(end) F(count) F(choice) F(load) F(store) F(call) \
    F(below) F(value) F(same) F(early) \
    F(divisor) F(dividend) F(remainder) F(denormal) F(extended) \
    F(equal) F(length) F(sum) F(product)
/* The kinds that need an instruction which not every processor has. */
#if defined(__x86_64__)
#define PLANT_KINDS_OF_TARGET(F) F(prefetch) F(flush) F(extract) F(deposit)
#elif defined(__aarch64__)
#define PLANT_KINDS_OF_TARGET(F) F(prefetch) F(flush)
#else
#define PLANT_KINDS_OF_TARGET(F)
#endif
/* clang-format on */

static volatile uint32_t plant_sink;
static volatile uint8_t plant_box[256];
static volatile uint32_t plant_public = 1000;

#define PLANT __attribute__((always_inline)) static inline void

/* None: the kernel alone. */
PLANT plant_nothing(const volatile uint8_t *secret)
{
    (void)secret;
}

/* A branch on a bit. */
PLANT plant_branch(const volatile uint8_t *secret)
{
    if ((secret[0] & 1) != 0)
        plant_sink = 1;
    else
        plant_sink = plant_sink + 3;
}

/* A loop that ends early. */
PLANT plant_end(const volatile uint8_t *secret)
{
    for (uint32_t i = 0; i < 8; i++) {
        if ((secret[0] >> i & 1) != 0)
            break;
        plant_sink = i;
    }
}

/* As many turns as a secret says. */
PLANT plant_count(const volatile uint8_t *secret)
{
    for (uint32_t n = secret[0] & 7; n > 0; n--)
        plant_sink = n;
}

/* A choice of four. */
PLANT plant_choice(const volatile uint8_t *secret)
{
    switch (secret[0] & 3) {
    case 0: plant_sink = plant_public; break;
    case 1: plant_box[7] = 3; break;
    case 2: plant_sink = plant_sink + plant_public; break;
    default: plant_sink = plant_box[9]; break;
    }
}

/* A table that is read at a secret place. */
PLANT plant_load(const volatile uint8_t *secret)
{
    plant_sink = plant_box[secret[0]];
}

/* A table that is written at a secret place. */
PLANT plant_store(const volatile uint8_t *secret)
{
    plant_box[secret[0]] = 1;
}

__attribute__((noinline, unused)) static void plant_first(void)
{
    plant_sink = 1;
}

__attribute__((noinline, unused)) static void plant_second(void)
{
    plant_sink = plant_sink + 2;
}

/* A function that a secret chooses. */
PLANT plant_call(const volatile uint8_t *secret)
{
    static void (*const volatile two[2])(void) = {plant_first, plant_second};
    two[secret[0] & 1]();
}

/* A comparison with a small number, which few random bytes are below. */
PLANT plant_below(const volatile uint8_t *secret)
{
    if (secret[0] < 9)
        plant_sink = 1;
}

/* A comparison with one value: the chosen sets have 0, 1, 127, 128 and 255 in every byte. */
PLANT plant_value(const volatile uint8_t *secret)
{
    if (secret[0] == 128)
        plant_sink = 1;
}

#define PLANT_SAME 16
PLANT plant_two(uint8_t *mine, uint8_t *open, const volatile uint8_t *secret)
{
    for (uint32_t i = 0; i < PLANT_SAME; i++) {
        mine[i] = secret[i];
        open[i] = set_public(i);
    }
    /* so that the compiler does not know the public bytes */
    __asm__ volatile("" : : "r"(mine), "r"(open) : "memory");
}

/* Whether a secret is equal to public data, by the C library's comparison. */
PLANT plant_same(const volatile uint8_t *secret)
{
    uint8_t mine[PLANT_SAME], open[PLANT_SAME];
    plant_two(mine, open, secret);
    if (memcmp(mine, open, sizeof mine) == 0)
        plant_sink = 1;
}

/* A comparison with public data that stops at the first difference. */
PLANT plant_early(const volatile uint8_t *secret)
{
    uint8_t mine[PLANT_SAME], open[PLANT_SAME];
    uint32_t i = 0;
    plant_two(mine, open, secret);
    while (i < sizeof mine && mine[i] == open[i])
        plant_sink = i++;
}

/* Divisions by a secret and of one; a remainder. */
PLANT plant_divisor(const volatile uint8_t *secret)
{
    plant_sink = plant_public / (secret[0] | 1u);
}

PLANT plant_dividend(const volatile uint8_t *secret)
{
    plant_sink = secret[0] / plant_public;
}

PLANT plant_remainder(const volatile uint8_t *secret)
{
    plant_sink = secret[0] % plant_public;
}

/* Products of floating-point numbers, which take longer when a number is denormal. */
PLANT plant_denormal(const volatile uint8_t *secret)
{
    static volatile float least = 1e-38F;
    least = least * (float)secret[0];
}

/* The same with the widest numbers: x87 on x86-64, the compiler's library elsewhere. */
PLANT plant_extended(const volatile uint8_t *secret)
{
    static volatile long double least = 1e-38L;
    least = least * (long double)secret[0];
}

#if defined(__x86_64__) || defined(__aarch64__)
/* A cache line that is fetched, or flushed, at a secret place. */
PLANT plant_prefetch(const volatile uint8_t *secret)
{
    __builtin_prefetch((const void *)(uintptr_t)(plant_box + secret[0]));
}

PLANT plant_flush(const volatile uint8_t *secret)
{
#if defined(__x86_64__)
    __asm__ volatile("clflush (%0)" : : "r"(plant_box + secret[0]) : "memory");
#else
    __asm__ volatile("dc civac, %0" : : "r"(plant_box + secret[0]) : "memory");
#endif
}
#endif

#if defined(__x86_64__)
/* Bits that a secret mask gathers or scatters: in microcode on Zen 1 and 2. */
PLANT plant_extract(const volatile uint8_t *secret)
{
    uint32_t x = secret[0];
    __asm__ volatile("pext %0, %1, %0" : "+r"(x) : "r"(plant_public));
    plant_sink = x;
}

PLANT plant_deposit(const volatile uint8_t *secret)
{
    uint32_t x = secret[0];
    __asm__ volatile("pdep %0, %1, %0" : "+r"(x) : "r"(plant_public));
    plant_sink = x;
}
#endif

/* A byte that is guessed with the function that compares tags. */
PLANT plant_equal(const volatile uint8_t *secret)
{
    const uint8_t asked = secret[0];
    for (uint32_t guess = 0; guess < 256; guess++) {
        const uint8_t candidate = (uint8_t)guess;
        if (hanji_equal(&asked, &candidate, 1))
            plant_sink = guess;
    }
}

/* As many bytes as a secret says. */
PLANT plant_length(const volatile uint8_t *secret)
{
    static uint8_t bytes[256];
    memset(bytes, 5, secret[0]);
    __asm__ volatile("" : : "r"(bytes) : "memory");
}

/* Counting in memory, and a branch on the result. */
PLANT plant_sum(const volatile uint8_t *secret)
{
    uint8_t sum = secret[0];
    __asm__ volatile("" : : "r"(&sum) : "memory");
    sum = (uint8_t)(sum + 1);
    __asm__ volatile("" : : "r"(&sum) : "memory");
    if ((sum & 1) == 0)
        plant_sink = 4;
}

/* A product: the same time on most processors, and seen by the scan alone. */
PLANT plant_product(const volatile uint8_t *secret)
{
    plant_sink = plant_public * secret[0];
}

#endif
