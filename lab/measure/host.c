/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Core cycles of the library's C calls on this machine, as a shared library for hanji_lab.measure.
 *
 * The time stamp counter ticks at a fixed rate, the core does not. So every round times a chain of dependent additions, one cycle each, directly before the call, and counts the
 * call in those; the answer is the median over the rounds.
 */
#include <hanji/hanji.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "core cycles are measured on x86-64 and AArch64 only"
#endif

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
                         "add $1, %0\n add $1, %0\n add $1, %0\n add $1, %0\n add $1, %0" : "+r"(x));
#else
        __asm__ volatile("add %0, %0, 1\n add %0, %0, 1\n add %0, %0, 1\n add %0, %0, 1\n add %0, %0, 1\n"
                         "add %0, %0, 1\n add %0, %0, 1\n add %0, %0, 1\n add %0, %0, 1\n add %0, %0, 1" : "+r"(x));
#endif
    return seconds_now() - begin;
}

typedef struct task {
    const char *name, *operation;
    size_t bytes;
    uint8_t *data, key[32], iv[32], out[64];
    hanji_any_block_ctx block;
    hanji_ctr_ctx ctr;
} task;

/* One call; 0 when it is not known or fails. */
static int call(task *t)
{
#define AEAD(text, id)                                                                                              \
    if (strcmp(t->name, text) == 0)                                                                                 \
        return strcmp(t->operation, "encrypt") == 0                                                                 \
                   ? hanji_##id##_encrypt_detached(t->data, t->out, t->data, t->bytes, NULL, 0, t->iv, t->key) == 0 \
                   : hanji_##id##_decrypt_detached(t->data, t->data, t->bytes, t->out, NULL, 0, t->iv, t->key) != HANJI_E_ARGUMENT;
    AEAD("schwaemm256-128", schwaemm256_128)
    AEAD("schwaemm192-192", schwaemm192_192)
    AEAD("schwaemm128-128", schwaemm128_128)
    AEAD("schwaemm256-256", schwaemm256_256)
    if (strcmp(t->name, "esch256") == 0)
        return hanji_esch256(t->out, t->data, t->bytes) == 0;
    if (strcmp(t->name, "esch384") == 0)
        return hanji_esch384(t->out, t->data, t->bytes) == 0;
    if (strcmp(t->name, "xoesch256") == 0)
        return hanji_xoesch256(t->out, 32, t->data, t->bytes) == 0;
    if (strcmp(t->name, "xoesch384") == 0)
        return hanji_xoesch384(t->out, 32, t->data, t->bytes) == 0;
    if (t->block.head.cipher == NULL)
        return 0;
    if (strcmp(t->operation, "ctr") == 0)
        return hanji_ctr_update(t->data, t->data, t->bytes, &t->ctr) == 0;
    const size_t blocks = t->bytes / hanji_cipher_block_bytes(t->block.head.cipher);
    return (strcmp(t->operation, "encrypt") == 0 ? hanji_block_encrypt(t->data, t->data, blocks, &t->block.head)
                                                 : hanji_block_decrypt(t->data, t->data, blocks, &t->block.head)) == 0;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/*
 * Median core cycles and least seconds of one call, over `rounds` rounds of as many calls as fill about 40 microseconds.
 * 0 when done, -1 when the task is not known, -2 without memory.
 */
int measure(double *cycles, double *seconds, const char *name, const char *operation, size_t bytes, int rounds)
{
    task t = {.name = name, .operation = operation, .bytes = bytes};
    const hanji_cipher *cipher = hanji_cipher_find(name);
    t.data = calloc(bytes + 1, 1);
    double *samples = calloc((size_t)rounds, sizeof *samples);
    int rc = t.data == NULL || samples == NULL ? -2 : 0;
    if (rc == 0 && cipher != NULL &&
        (hanji_block_init(t.key, hanji_cipher_key_bytes(cipher), cipher, &t.block.head, sizeof t.block) != 0 ||
         hanji_block_set_limit(UINT64_MAX, &t.block.head) != 0 ||
         hanji_ctr_init(t.iv, hanji_cipher_block_bytes(cipher), &t.block.head, &t.ctr) != 0))
        rc = -1;
    if (rc == 0 && !call(&t))
        rc = -1;
    if (rc == 0) {
        double begin = seconds_now();
        rc = call(&t) ? 0 : -1;
        const double once = seconds_now() - begin;
        const int calls = once > 4e-5 ? 1 : (int)(4e-5 / (once + 1e-8)) + 1;
        *seconds = 1e9;
        for (int r = 0; r < rounds && rc == 0; r++) {
            const double unit = chain() / CHAIN;
            begin = seconds_now();
            for (int i = 0; i < calls; i++)
                rc |= call(&t) ? 0 : -1;
            const double each = (seconds_now() - begin) / calls;
            samples[r] = each / unit;
            if (each < *seconds)
                *seconds = each;
        }
        qsort(samples, (size_t)rounds, sizeof *samples, compare);
        *cycles = samples[rounds / 2];
    }
    free(t.data);
    free(samples);
    return rc;
}

/* The core's present cycles per second, median of `rounds` chains. */
double core_hertz(int rounds)
{
    double samples[101];
    if (rounds > 101)
        rounds = 101;
    for (int r = 0; r < rounds; r++)
        samples[r] = CHAIN / chain();
    qsort(samples, (size_t)rounds, sizeof *samples, compare);
    return samples[rounds / 2];
}
