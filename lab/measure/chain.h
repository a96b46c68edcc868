/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of programs that measure calls: a chain of dependent additions, one core cycle each,
 * timed directly before a call. The time stamp counter ticks at a fixed rate, the core does not.
 */
#ifndef HANJI_LAB_CHAIN_H
#define HANJI_LAB_CHAIN_H

#include <stdint.h>
#include <time.h>

#define CHAIN 20000

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of CHAIN dependent additions. */
static double chain(void)
{
    uint64_t x = 1;
    const double begin = seconds_now();
    for (int i = 0; i < CHAIN / 10; i++)
#if defined(__x86_64__)
        __asm__ volatile("add $1, %0\n add $1, %0\n add $1, %0\n add $1, %0\n add $1, %0\n"
                         "add $1, %0\n add $1, %0\n add $1, %0\n add $1, %0\n add $1, %0"
                         : "+r"(x));
#else
        __asm__ volatile(
            "add %0, %0, 1\n add %0, %0, 1\n add %0, %0, 1\n add %0, %0, 1\n add %0, %0, 1\n"
            "add %0, %0, 1\n add %0, %0, 1\n add %0, %0, 1\n add %0, %0, 1\n add %0, %0, 1"
            : "+r"(x));
#endif
    return seconds_now() - begin;
}

/* For qsort: the smallest first. */
static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
