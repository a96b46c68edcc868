/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The clock of programs that measure calls: a chain of dependent additions, one core cycle each,
 * timed directly before a call. The time stamp counter ticks at a fixed rate, the core does not.
 * The addend lies in a register: Intel's cores since Golden Cove add constants while they rename
 * registers, several in a cycle.
 *
 * A virtual machine may share its core with a stranger on the other hardware thread, who takes a
 * third of its width for milliseconds or seconds. Dependent additions do not notice; independent
 * ones do, and calls count during which they run as many a cycle as ever.
 */
#ifndef HANJI_LAB_CHAIN_H
#define HANJI_LAB_CHAIN_H

#include <stdint.h>
#include <stdlib.h>
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
    const uint64_t one = 1;
    const double begin = seconds_now();
    for (int i = 0; i < CHAIN / 10; i++)
#if defined(__x86_64__)
        __asm__ volatile("add %1, %0\n add %1, %0\n add %1, %0\n add %1, %0\n add %1, %0\n"
                         "add %1, %0\n add %1, %0\n add %1, %0\n add %1, %0\n add %1, %0"
                         : "+r"(x)
                         : "r"(one));
#else
        __asm__ volatile("add %0, %0, %1\n add %0, %0, %1\n add %0, %0, %1\n add %0, %0, %1\n"
                         "add %0, %0, %1\n add %0, %0, %1\n add %0, %0, %1\n add %0, %0, %1\n"
                         "add %0, %0, %1\n add %0, %0, %1"
                         : "+r"(x)
                         : "r"(one));
#endif
    return seconds_now() - begin;
}

#define WIDE 40000
#define ENOUGH 0.97 /* of the most additions a cycle: an undisturbed core varies by .01 */

/* Independent additions a cycle, where a cycle takes `unit` seconds. */
static double width(double unit)
{
    uint64_t a = 1, b = 1, c = 1, d = 1, e = 1;
    const uint64_t one = 1;
    const double begin = seconds_now();
    for (int i = 0; i < WIDE / 20; i++)
#if defined(__x86_64__)
        __asm__ volatile("add %5, %0\n add %5, %1\n add %5, %2\n add %5, %3\n add %5, %4\n"
                         "add %5, %0\n add %5, %1\n add %5, %2\n add %5, %3\n add %5, %4\n"
                         "add %5, %0\n add %5, %1\n add %5, %2\n add %5, %3\n add %5, %4\n"
                         "add %5, %0\n add %5, %1\n add %5, %2\n add %5, %3\n add %5, %4"
                         : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e)
                         : "r"(one));
#else
        __asm__ volatile(
            "add %0, %0, %5\n add %1, %1, %5\n add %2, %2, %5\n add %3, %3, %5\n add %4, %4, %5\n"
            "add %0, %0, %5\n add %1, %1, %5\n add %2, %2, %5\n add %3, %3, %5\n add %4, %4, %5\n"
            "add %0, %0, %5\n add %1, %1, %5\n add %2, %2, %5\n add %3, %3, %5\n add %4, %4, %5\n"
            "add %0, %0, %5\n add %1, %1, %5\n add %2, %2, %5\n add %3, %3, %5\n add %4, %4, %5"
            : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e)
            : "r"(one));
#endif
    const double taken = seconds_now() - begin, again = chain() / CHAIN;
    /* an interrupt in one of two chains, or a clock that rises, would make the core look wider */
    return WIDE / (taken / (again < unit ? again : unit));
}

/* For qsort: the smallest first. */
static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What an undisturbed core does, as far as this program has seen. */
static double widest;

/*
 * The width now, where a cycle takes `unit` seconds. The widest is the most that the median of five
 * in a row has been: an interrupt within the chain makes one of them too large.
 */
static double width_now(double unit)
{
#ifdef HANJI_LAB_MARKS
    return widest = unit > 0; /* executed instructions are counted, and nobody disturbs them */
#endif
    static double last[5];
    static unsigned count;
    const double now = width(unit);
    last[count++ % 5] = now;
    if (count >= 5) {
        double sorted[5];
        for (int i = 0; i < 5; i++)
            sorted[i] = last[i];
        qsort(sorted, 5, sizeof sorted[0], compare);
        widest = sorted[2] > widest ? sorted[2] : widest;
    }
    return now;
}

/*
 * A figure: the median of `wanted` samples. Sampling goes on until so many were taken of an
 * undisturbed core, or patience ends; then those count that were disturbed least.
 */
#define TRIES 30         /* at most so many times the wanted samples */
#define PATIENCE 0.3     /* seconds for disturbed samples of a figure */
#define PATIENCE_ALL 300 /* and of a program */

typedef struct sample {
    double width, cycles;
} sample;

typedef struct figure {
    sample *samples;
    int wanted, count, undisturbed;
    double waited;
} figure;

static double waited_in_all;

/* 0 without memory. */
static int figure_open(figure *f, int wanted)
{
    *f = (figure){calloc((size_t)wanted * TRIES, sizeof(sample)), wanted, 0, 0, 0};
    return f->samples != NULL;
}

static int figure_wants(const figure *f)
{
    const int patient = f->waited < PATIENCE && waited_in_all < PATIENCE_ALL;
    return f->count < f->wanted ||
           (f->undisturbed < f->wanted && f->count < f->wanted * TRIES && patient);
}

/* A sample that took `seconds`, by the widths of the core before and after it. */
static void figure_add(figure *f, double cycles, double before, double after, double seconds)
{
    const double least = before < after ? before : after;
    f->samples[f->count++] = (sample){least, cycles};
    if (least >= ENOUGH * widest) {
        f->undisturbed++;
    } else {
        f->waited += seconds;
        waited_in_all += seconds;
    }
}

/* The median, and whether most of its samples are of a disturbed core. */
static double figure_close(figure *f, int *disturbed)
{
    double median = 0;
    const int rest = f->count - f->wanted;
    qsort(f->samples, (size_t)f->count, sizeof(sample), compare); /* by their widths */
    *disturbed = f->samples[f->count - f->wanted / 2 - 1].width < ENOUGH * widest;
    for (int i = 0; i < f->wanted; i++)
        f->samples[i].width = f->samples[rest + i].cycles;
    qsort(f->samples, (size_t)f->wanted, sizeof(sample), compare);
    median = f->samples[f->wanted / 2].width;
    free(f->samples);
    f->samples = NULL;
    return median;
}

#endif
