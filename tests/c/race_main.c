/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many threads use the library for the first time at once. With an argument they also share a plain
 * variable, which a race detector must see.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "hanji/hanji.h"

enum { THREADS = 8 };

/* Two: a thread that leaves one late would be ordered behind others who came to it again. */
static pthread_barrier_t start, used;
static int with_control;
static volatile unsigned shared_by_mistake; /* volatile: the compiler must not drop it */
static uint8_t answers[THREADS][256];
static int codes[THREADS];

static void *use(void *argument)
{
    const int me = *(int *)argument;
    static const uint8_t key[16] = {1, 2, 3}, nonce[32] = {4};
    hanji_speck64_128_ctx block;
    (void)pthread_barrier_wait(&start);
    if (with_control)
        shared_by_mistake++;
    int rc = hanji_block_init(key, 16, hanji_speck64_128(), &block.head, sizeof block);
    /* the detector forgets what a thread did long ago: no thread runs ahead of the first use */
    (void)pthread_barrier_wait(&used);
    if (rc == HANJI_OK)
        rc = hanji_block_encrypt(answers[me], answers[me], 25, &block.head);
    if (rc == HANJI_OK)
        rc = hanji_schwaemm256_128_encrypt(answers[me] + 200, answers[me], 40, NULL, 0, nonce, key);
    if (rc == HANJI_OK && me % 2 == 0)
        rc = hanji_force(me % 4 == 0 ? "portable" : NULL);
    if (rc == HANJI_OK)
        rc = hanji_selftest(NULL);
    codes[me] = rc;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];
    int numbers[THREADS];
    with_control = argc > 1 && strcmp(argv[1], "control") == 0;
    if (pthread_barrier_init(&start, NULL, THREADS) != 0 ||
        pthread_barrier_init(&used, NULL, THREADS) != 0)
        return 2;
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (pthread_create(&threads[i], NULL, use, &numbers[i]) != 0)
            return 2;
    }
    for (int i = 0; i < THREADS; i++)
        (void)pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        if (codes[i] != HANJI_OK || memcmp(answers[i], answers[0], sizeof answers[0]) != 0) {
            printf("thread %d: %s, or another answer than thread 0\n", i,
                   hanji_error_name(codes[i]));
            return 1;
        }
    printf("all threads agree\n");
    return 0;
}
