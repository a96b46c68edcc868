/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a call leaves on the stack. A job runs on a thread whose stack is memory of ours; afterwards
 * that memory, and more where it is asked for, is searched for any eight neighbouring bytes of the
 * secrets.
 */
#ifndef HANJI_TESTS_LEFT_BEHIND_H
#define HANJI_TESTS_LEFT_BEHIND_H

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "check.h"

enum { STACK = 1 << 18, WINDOW = 8, SECRETS_MAX = 12 };

static struct {
    const char *name;
    const uint8_t *bytes;
    size_t count;
} secrets[SECRETS_MAX];
static size_t secret_count;
static int failure; /* a job returned an error: the search would prove nothing */

static void secret(const char *name, const void *bytes, size_t count)
{
    secrets[secret_count].name = name;
    secrets[secret_count].bytes = bytes;
    secrets[secret_count++].count = count;
}

static void must(int rc)
{
    if (rc != 0)
        failure = 1;
}

static void *job_nothing(void *unused)
{
    return unused;
}

static void *(*volatile job_to_run)(void *);

/*
 * What ends a thread uses the top of its stack again: the job works below this pad, which nothing
 * overwrites.
 */
static void *below_a_pad(void *unused)
{
    uint8_t pad[1 << 15];
    __asm__ __volatile__("" : : "r"(pad) : "memory");
    (void)job_to_run(unused);
    __asm__ __volatile__("" : : "r"(pad) : "memory");
    return unused;
}

static uint32_t first_three(const uint8_t *p)
{
    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

/*
 * The number of secrets that stand in the memory, printed with the distance from its end. One pass:
 * only where three bytes begin some window is it compared.
 */
static int found_in(const char *name, const char *where, const uint8_t *memory, size_t bytes)
{
    static uint8_t begins[1 << 21];
    int seen[SECRETS_MAX] = {0}, found = 0;
    fill(begins, sizeof begins, 0);
    for (size_t s = 0; s < secret_count; s++)
        for (size_t at = 0; at + WINDOW <= secrets[s].count; at++)
            if (!all_are(secrets[s].bytes + at, WINDOW,
                         secrets[s].bytes[at])) { /* otherwise not telling: zeros, for example */
                const uint32_t bit = first_three(secrets[s].bytes + at);
                begins[bit >> 3] |= (uint8_t)(1u << (bit & 7));
            }
    for (const uint8_t *place = memory; place + WINDOW <= memory + bytes; place++) {
        const uint32_t bit = first_three(place);
        if (!(begins[bit >> 3] >> (bit & 7) & 1) || all_are(place, WINDOW, *place))
            continue;
        for (size_t s = 0; s < secret_count; s++) {
            const uint8_t *from =
                seen[s] ? NULL : memmem(secrets[s].bytes, secrets[s].count, place, WINDOW);
            if (from == NULL)
                continue;
            printf("FOUND %s: %s, from byte %zu on, %zu bytes below the top of the %s\n", name,
                   secrets[s].name, (size_t)(from - secrets[s].bytes),
                   (size_t)(memory + bytes - place), where);
            seen[s] = 1;
            found++;
        }
    }
    return found;
}

/* Run a job on a stack of our own; afterwards that memory, NULL where it cannot be. */
static uint8_t *stack_after(void *(*job)(void *))
{
    static uint8_t *stack; /* one for all jobs: they find the same addresses */
    job_to_run = job;
    if (stack == NULL)
        stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_attr_t attributes;
    pthread_t thread;
    failure = 0;
    if (stack == MAP_FAILED || pthread_attr_init(&attributes) != 0) {
        stack = NULL;
        printf("no memory for a stack of our own\n");
        return NULL;
    }
    fill(stack, STACK, 0);
    const int created = pthread_attr_setstack(&attributes, stack, STACK) == 0 &&
                        pthread_create(&thread, &attributes, below_a_pad, NULL) == 0;
    if (created)
        (void)pthread_join(thread, NULL);
    else
        printf("cannot run a thread on a stack of our own\n");
    (void)pthread_attr_destroy(&attributes);
    return created ? stack : NULL;
}

/* The number of secrets found on the stack after a job, printed. */
static int found_after(const char *name, void *(*job)(void *))
{
    const uint8_t *stack = stack_after(job);
    int found = stack == NULL ? -1 : found_in(name, "stack", stack, STACK);
    if (failure) {
        printf("ERROR %s: the library refused the job\n", name);
        found = -1;
    }
    return found;
}

#endif
