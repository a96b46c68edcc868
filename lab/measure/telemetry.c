/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Columns of telemetry frames, measured: `telemetry DEVICES FRAMES REPEATS` opens so many frames of
 * so many devices, in random order and with payloads of 64 bytes, and prints a JSON object with
 * nanoseconds a frame.
 */
#include <hanji/hanji.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

static void pseudo_random(uint8_t *out, size_t bytes, uint32_t seed)
{
    uint32_t x = seed * 2654435761u + 88172645u;
    for (size_t i = 0; i < bytes; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        out[i] = (uint8_t)(x >> 11);
    }
}

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *take(size_t bytes)
{
    const size_t huge = (size_t)2 << 20; /* a page of the table: each look-up goes to another */
    void *p = aligned_alloc(huge, (bytes + huge - 1) / huge * huge);
    if (p == NULL)
        exit(2);
#ifdef MADV_HUGEPAGE
    (void)madvise(p, bytes, MADV_HUGEPAGE);
#endif
    memset(p, 0, bytes);
    return p;
}

/* Columns of frames, and the memory to open them into. */
typedef struct columns {
    size_t frames;
    hanji_telemetry_opening call;
    int64_t failed;
    double ns; /* of the thread's processor */
} columns;

static double of_thread(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static double of_wall(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void *open_columns(void *given)
{
    columns *c = given;
    c->ns = of_thread();
    c->failed = hanji_telemetry_open(&c->call);
    c->ns = of_thread() - c->ns;
    return NULL;
}

static void keep_best(double *best, double ns, size_t n)
{
    if (*best == 0 || ns / (double)n < *best)
        *best = ns / (double)n;
}

/* The n frames of `devices` devices in random order, 64 bytes each, sealed under `all`. */
static columns columns_of(size_t devices, size_t n, const hanji_master_keys *all, unsigned seed,
                          double *sealed)
{
    enum { TEXT = 64, FRAME = 96 };
    uint32_t *d = take(4 * n), *e = take(4 * n), *m = take(4 * n);
    uint8_t *in = take(TEXT * n), *out = take(FRAME * n), *back = take(FRAME * n);
    int64_t *at = take(8 * (n + 1)), *made = take(8 * (n + 1));
    int8_t *results = take(n);
    pseudo_random((uint8_t *)d, 4 * n, seed);
    for (size_t i = 0; i < n; i++) {
        d[i] %= (uint32_t)devices;
        e[i] = 1;
        m[i] = (uint32_t)i;
        at[i + 1] = (int64_t)(TEXT * (i + 1));
    }
    const hanji_telemetry_sealing seal = {.frames = n,
                                          .device = d,
                                          .epoch = e,
                                          .number = m,
                                          .payload_offsets = at,
                                          .payload = in,
                                          .keys = all,
                                          .algorithm = 1,
                                          .output = out,
                                          .output_bytes = FRAME * n,
                                          .offsets = made,
                                          .status = results,
                                          .scratch = take(HANJI_TELEMETRY_SCRATCH_BYTES)};
    double t = now();
    if (hanji_telemetry_seal(&seal) != 0)
        exit(2);
    keep_best(sealed, now() - t, n);
    free(in);
    return (columns){.frames = n,
                     .call = {.frames = n,
                              .offsets = made,
                              .input = out,
                              .keys = all,
                              .device = d,
                              .epoch = e,
                              .number = m,
                              .payload = back,
                              .payload_bytes = FRAME * n,
                              .payload_offsets = at,
                              .status = results,
                              .scratch = seal.scratch}};
}

/*
 * The two parts of opening that are cryptography, alone and in the cache: the fleets of XOESCH256
 * over inputs of epoch keys, and of SCHWAEMM256-128 over payloads of 64 bytes.
 */
static int parts(double *derive_ns, double *decrypt_ns)
{
    enum { COUNT = 512, ROW = 92, TEXT = 64 };
    static uint8_t rows[COUNT * ROW], key[COUNT * 16], nonce[COUNT * 32], text[COUNT * TEXT];
    static uint8_t back[COUNT * TEXT], tag[COUNT * 16], header[COUNT * 16];
    static int64_t row_at[COUNT + 1], text_at[COUNT + 1], header_at[COUNT + 1];
    static int8_t results[COUNT];
    for (size_t i = 0; i <= COUNT; i++) {
        row_at[i] = (int64_t)(ROW * i);
        text_at[i] = (int64_t)(TEXT * i);
        header_at[i] = (int64_t)(16 * i);
    }
    const hanji_fleet hashing = {.messages = COUNT,
                                 .offsets = row_at,
                                 .input = rows,
                                 .tags = key,
                                 .tag_bytes = 16,
                                 .status = results};
    hanji_fleet opening = {.messages = COUNT,
                           .offsets = text_at,
                           .input = text,
                           .output = text,
                           .ad_offsets = header_at,
                           .ad = header,
                           .keys = key,
                           .key_stride = 16,
                           .nonces = nonce,
                           .nonce_bytes = 32,
                           .tags = tag,
                           .tag_bytes = 16,
                           .status = results};
    if (hanji_xoesch256_fleet(&hashing) != 0 || hanji_schwaemm256_128_fleet_encrypt(&opening) != 0)
        return 0;
    opening.output = back;
    for (int i = 0; i < 40; i++) {
        double t = now();
        const int64_t hashed = hanji_xoesch256_fleet(&hashing);
        keep_best(derive_ns, now() - t, COUNT);
        t = now();
        const int64_t opened = hanji_schwaemm256_128_fleet_decrypt(&opening);
        keep_best(decrypt_ns, now() - t, COUNT);
        if (hashed != 0 || opened != 0)
            return 0;
    }
    return 1;
}

/* Frames of a turn of two threads: so few that others rarely take a processor meanwhile. */
#define TURN ((size_t)1 << 16)

/* The frames of one turn: other ones than in the turn before, where there are. */
static columns part(const columns *whole, size_t turn)
{
    columns c = *whole;
    c.frames = whole->frames < TURN ? whole->frames : TURN;
    const size_t first = c.frames * (turn % (whole->frames / c.frames));
    c.call.frames = c.frames;
    c.call.offsets += first;
    c.call.device += first;
    c.call.epoch += first;
    c.call.number += first;
    c.call.payload_offsets += first;
    c.call.status += first;
    return c;
}

/* What two columns cost, one after the other and in two threads at once: the least of many turns,
 * in nanoseconds a frame. */
typedef struct pair {
    double one_ns, two_ns;     /* of processors */
    double one_wall, two_wall; /* on the clock, for the frames of both */
} pair;

static int pairs(pair *best, const columns *first, const columns *second, size_t turns)
{
    for (size_t i = 0; i < turns; i++) {
        columns a = part(first, i), b = part(second, i);
        const size_t n = a.frames + b.frames;
        double t = of_wall();
        (void)open_columns(&a);
        (void)open_columns(&b);
        keep_best(&best->one_wall, of_wall() - t, n);
        keep_best(&best->one_ns, a.ns + b.ns, n);
        if (a.failed != 0 || b.failed != 0)
            return 0;
        pthread_t other;
        t = of_wall();
        if (pthread_create(&other, NULL, open_columns, &b) != 0)
            return 0;
        (void)open_columns(&a);
        if (pthread_join(other, NULL) != 0)
            return 0;
        keep_best(&best->two_wall, of_wall() - t, n);
        keep_best(&best->two_ns, a.ns + b.ns, n);
        if (a.failed != 0 || b.failed != 0)
            return 0;
    }
    return 1;
}

/*
 * Nanoseconds of a processor a frame, each the best of `repeats`, taken in turn: opening with a
 * table, with one key for all devices, and the parts; and two threads that open at once beside one
 * thread with the same frames, on the clock and by what the frames cost of both processors.
 */
static int measure(size_t devices, size_t n, size_t repeats)
{
    const size_t bytes = hanji_master_keys_bytes(devices, 16);
    uint32_t *list = take(4 * devices);
    uint8_t *key = take(16 * devices), *table = take(bytes);
    hanji_master_keys all, one;
    for (size_t i = 0; i < devices; i++)
        list[i] = (uint32_t)i;
    pseudo_random(key, 16 * devices, 3);
    double built = now(), sealed = 0, open_ns = 0, one_ns = 0, derive_ns = 0, decrypt_ns = 0;
    if (hanji_master_keys_init(&all, NULL, table, bytes, list, key, devices, 16) != HANJI_OK ||
        hanji_master_keys_one(&one, key, 16) != HANJI_OK)
        return 2;
    built = now() - built;
    columns first = columns_of(devices, n, &all, 4, &sealed),
            second = columns_of(devices, n, &all, 5, &sealed),
            alike = columns_of(devices, n, &one, 4, &sealed);
    pair both = {0};
    for (size_t i = 0; i < repeats; i++) {
        (void)open_columns(&first);
        keep_best(&open_ns, first.ns, n);
        (void)open_columns(&alike);
        keep_best(&one_ns, alike.ns, n);
        if (first.failed != 0 || alike.failed != 0 || !parts(&derive_ns, &decrypt_ns) ||
            !pairs(&both, &first, &second, 2 * (n / TURN + 1)))
            return 2;
    }
    printf("{\"devices\": %zu, \"frames\": %zu, \"open_ns\": %.1f, \"one_key_ns\": %.1f, "
           "\"derive_ns\": %.1f, \"decrypt_ns\": %.1f, \"seal_ns\": %.1f, \"table_ns\": %.1f, "
           "\"two_threads_ns\": %.1f, \"two_threads_wall\": %.2f, "
           "\"two_threads_processor\": %.2f}\n",
           devices, n, open_ns, one_ns, derive_ns, decrypt_ns, sealed, built / (double)devices,
           both.two_ns, both.one_wall / both.two_wall, 2 * both.one_ns / both.two_ns);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    return measure(strtoull(argv[1], NULL, 10), strtoull(argv[2], NULL, 10),
                   strtoull(argv[3], NULL, 10));
}
