/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares two builds of the library, for hanji_lab.measure.sweep.
 *
 * Slices of a few microseconds alternate between the builds. A disturbance that is longer than a
 * slice (another process, another clock frequency) slows both builds down; a shorter one only
 * lengthens some slices, and does not change the least of many.
 */
#define _GNU_SOURCE
#include "chain.h"
#include "sweep.h"

typedef int run_function(void *task, unsigned long calls);

typedef double clock_function(void);

/* The clock of slices, in seconds. Tests install one that counts calls. */
static clock_function *slice_clock = seconds_now;

void sweep_set_clock(clock_function *clock)
{
    slice_clock = clock;
}

/* Cycles per second of the core now, by the fastest of several chains of additions. */
double sweep_hertz(void)
{
    double least = chain();
    for (int i = 0; i < 20; i++) {
        const double again = chain();
        least = again < least ? again : least;
    }
    return CHAIN / least;
}

/* How many calls take about `seconds`. 0 if a call fails. */
unsigned long sweep_calls_in(run_function *run, void *task, double seconds)
{
    unsigned long calls = 1;
    for (;;) {
        double least = 1;
        for (int i = 0; i < 3; i++) {
            const double begin = slice_clock();
            if (!run(task, calls))
                return 0;
            const double taken = slice_clock() - begin;
            least = taken < least ? taken : least;
        }
        if (2 * least >= seconds || calls >= 1000000)
            return calls;
        calls =
            least > seconds / 64 ? (unsigned long)((double)calls * seconds / least) : 16 * calls;
    }
}

/* Seconds of one slice. A call before it, which is not timed, warms the caches. */
static double slice(run_function *run, void *task, unsigned long calls, int *ok)
{
    *ok &= run(task, 1);
    const double begin = slice_clock();
    *ok &= run(task, calls);
    return slice_clock() - begin;
}

/*
 * Measure both builds in `slices` pairs of slices. `found` receives the least seconds of one call
 * of the old and of the new build, and the median of new / old over the pairs. `ratios` is scratch
 * space for `slices` numbers. 0 if a call failed.
 */
int sweep_compare(double found[3], double *ratios, run_function *run_old, void *old,
                  run_function *run_new, void *new, unsigned long calls, unsigned slices)
{
    int ok = 1;
    double least_old = 1e9, least_new = 1e9;
    for (unsigned i = 0; i < slices; i++) {
        double a, b;
        if (i % 2 == 0) {
            a = slice(run_old, old, calls, &ok);
            b = slice(run_new, new, calls, &ok);
        } else {
            b = slice(run_new, new, calls, &ok);
            a = slice(run_old, old, calls, &ok);
        }
        ratios[i] = a > 0 ? b / a : 1;
        least_old = a < least_old ? a : least_old;
        least_new = b < least_new ? b : least_new;
    }
    qsort(ratios, slices, sizeof ratios[0], compare);
    found[0] = least_old / (double)calls;
    found[1] = least_new / (double)calls;
    found[2] = ratios[slices / 2];
    return ok;
}
