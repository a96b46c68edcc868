/* SPDX-License-Identifier: Apache-2.0 */
/* One launch, and which kernels do which part of a text under one key. */
#include "gpu/launch.h"

#include <stdio.h>

#include "support/bytes.h"

#define LAUNCH_BYTES ((size_t)1 << 34) /* at most, so numbers of vectors and blocks fit 32 bits */
#define STREAM_VECTORS 4u              /* per thread */

int hanji_gpu_launch(context *c, cu_handle kernel, uint64_t threads, unsigned block,
                     cu_handle stream, void **parameters)
{
    const unsigned grid = (unsigned)((threads + block - 1) / block);
    return hanji_gpu_checked(
        c, c->driver.launch(kernel, grid, 1, 1, block, 1, 1, 0, stream, parameters, NULL),
        "a kernel does not start");
}

size_t hanji_gpu_sliced_warps(size_t warps, unsigned *block)
{
    *block = warps * WARP >= SLICED_THREADS ? SLICED_THREADS : (unsigned)warps * WARP;
    return warps * WARP / *block * *block / WARP;
}

/*
 * Texts under one key. The counter of CTR: its last word as a number, and the others as words in
 * memory.
 */
typedef struct part {
    cu_pointer out, in;
    size_t bytes;
    uint32_t counter, fixed[3];
} part;

/* What all launches of a call share. */
typedef struct job {
    keyed *k;
    int operation;
    cu_handle stream;
} job;

/* Which kernel of the operation, and how many threads in CTAs of `block`. */
typedef struct grid {
    int file;
    const char *layout; /* the end of its name */
    uint32_t count;     /* its fourth parameter, where it has one */
    uint64_t threads;
    unsigned block;
} grid;

static const char *const operations[] = {
    [ENCRYPT] = "encrypt", [DECRYPT] = "decrypt", [CTR] = "ctr"};

/* One launch. */
static int run(const job *j, part *p, grid g)
{
    char ending[24];
    cu_handle kernel;
    keyed *const k = j->k;
    snprintf(ending, sizeof ending, "%s_%s", operations[j->operation], g.layout);
    const int rc = hanji_gpu_function(k->c, k->row, g.file, ending, &kernel);
    if (rc != HANJI_OK)
        return rc;
    void *parameters[8];
    size_t n = 0;
    parameters[n++] = &p->out;
    parameters[n++] = &p->in;
    parameters[n++] = g.file == SLICED ? &k->masks : &k->keys;
    if (g.file != SLICED)
        parameters[n++] = &g.count;
    if (j->operation == CTR) {
        parameters[n++] = &p->counter;
        for (size_t w = 0; w + 1 < k->row->words; w++)
            parameters[n++] = &p->fixed[w];
    }
    return hanji_gpu_launch(k->c, kernel, g.threads, g.block, j->stream, parameters);
}

/* Go on after `bytes` bytes, whole blocks of them. */
static void advance(part *p, size_t bytes, size_t block_bytes)
{
    p->out += bytes;
    p->in += bytes;
    p->bytes -= bytes;
    p->counter += (uint32_t)(bytes / block_bytes);
}

/* As many of whole warps in bit slices as there are, where they pay. */
static int run_slices(const job *j, part *p)
{
    const row *const r = j->k->row;
    const size_t block_bytes = 4u * r->words, warp_bytes = WARP * WARP * block_bytes;
    /* A thread in slices does 32 blocks: few blocks would leave most of the device without work. */
    const size_t min = r->sliced == 2 ? 0 : SLICED_MIN * (size_t)j->k->c->multiprocessors;
    if (r->sliced == 0 || (r->sliced == 2 && j->operation == DECRYPT) || p->bytes < min)
        return HANJI_OK;
    for (size_t warps = p->bytes / warp_bytes, now; warps > 0; warps -= now) {
        grid g = {.file = SLICED, .layout = "x32"};
        now = hanji_gpu_sliced_warps(warps, &g.block);
        g.threads = (uint64_t)now * WARP;
        const int rc = run(j, p, g);
        if (rc != HANJI_OK)
            return rc;
        advance(p, now * warp_bytes, block_bytes);
    }
    return HANJI_OK;
}

/* A part whose counter does not overflow and whose numbers fit 32 bits. */
static int run_part(const job *j, part p)
{
    const size_t words = j->k->row->words;
    int rc = run_slices(j, &p);
    if (rc == HANJI_OK && p.bytes >= VECTOR) {
        const size_t vectors = p.bytes / VECTOR;
        rc = run(j, &p,
                 (grid){.file = WORDS,
                        .layout = words == 2 ? "x8" : "x4",
                        .count = (uint32_t)vectors,
                        .threads = (vectors + STREAM_VECTORS - 1) / STREAM_VECTORS,
                        .block = STREAM_THREADS});
        advance(&p, vectors * VECTOR, 4 * words);
    }
    if (rc == HANJI_OK && p.bytes > 0)
        rc = run(j, &p,
                 (grid){.file = WORDS,
                        .layout = "tail",
                        .count = (uint32_t)p.bytes,
                        .threads = 1,
                        .block = WARP});
    return rc;
}

int hanji_gpu_run_all(keyed *k, int operation, cu_pointer out, cu_pointer in, size_t bytes,
                      uint8_t *counter, cu_handle stream)
{
    const size_t block_bytes = 4u * k->row->words;
    const job j = {k, operation, stream};
    while (bytes > 0) {
        part p = {.out = out, .in = in, .bytes = bytes < LAUNCH_BYTES ? bytes : LAUNCH_BYTES};
        if (counter != NULL) {
            p.counter = load_be32(counter + block_bytes - 4);
            const uint64_t room = ((UINT64_C(1) << 32) - p.counter) * block_bytes;
            if (p.bytes > room)
                p.bytes = (size_t)room;
            for (size_t w = 0; w + 1 < k->row->words; w++)
                p.fixed[w] = load_le32(counter + 4 * w);
        }
        /*
         * A counter that overflows within a vector: both blocks are done by themselves, by kernels
         * that take any address.
         */
        if (in % VECTOR != 0)
            p.bytes = p.bytes < block_bytes ? p.bytes : block_bytes;
        else if (p.bytes < bytes && p.bytes % VECTOR != 0)
            p.bytes = p.bytes > VECTOR ? p.bytes - p.bytes % VECTOR : block_bytes;
        const int rc = run_part(&j, p);
        if (rc != HANJI_OK)
            return rc;
        if (counter != NULL)
            counter_advance(counter, block_bytes, (p.bytes + block_bytes - 1) / block_bytes);
        out += p.bytes;
        in += p.bytes;
        bytes -= p.bytes;
    }
    return HANJI_OK;
}
