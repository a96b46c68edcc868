/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernel does which part of a stream; what the entries expect stands in gpu.h. */
#include "gpu/room.h"

#include <stdio.h>
#include <string.h>

#include "support/bytes.h"

#define CIPHERS (sizeof rows / sizeof rows[0])
#define LAUNCH_BYTES ((size_t)1 << 34) /* at most, so numbers of vectors and blocks fit 32 bits */
#define STREAM_VECTORS 4u              /* per thread */

static const row rows[] = {
    {"speck-64/128", "speck64_128", "speck64_sm75", 32, 2, 0, 1, 27},
    {"speck-128/128", "speck128_128", "speck128_sm75", 64, 4, 0, 1, 32},
    {"speck-128/192", "speck128_192", "speck128_sm75", 64, 4, 0, 1, 33},
    {"speck-128/256", "speck128_256", "speck128_sm75", 64, 4, 0, 1, 34},
    {"simon-64/128", "simon64_128", "simon64_sm75", 32, 2, 1, 2, 44},
    {"simon-128/128", "simon128_128", "simon128_sm75", 64, 4, 1, 1, 68},
    {"simeck-64/128", "simeck64_128", "simeck64_sm75", 32, 2, 1, 2, 44},
    {"cham-64/128", "cham64_128", "cham64_sm75", 16, 2, 2, 1, 16},
    {"cham-128/128", "cham128_128", "cham128_sm75", 32, 4, 0, 1, 8},
    {"cham-128/256", "cham128_256", "cham128_sm75", 32, 4, 0, 1, 16},
};

_Static_assert(CIPHERS <= CIPHERS_MOST, "hanji_gpu has no room for so many modules");

static const char *const endings[FILES] = {"", "_x32", "_fleet"};

const row *hanji_gpu_find(const hanji_cipher *cipher)
{
    for (size_t i = 0; cipher != NULL && i < CIPHERS; i++)
        if (strcmp(rows[i].cipher, cipher->name) == 0)
            return &rows[i];
    return NULL;
}

int hanji_gpu_has(const hanji_cipher *cipher, int fleet)
{
    const row *r = hanji_gpu_find(cipher);
    return r != NULL && (!fleet || r->fleet != 0);
}

/* Kernels */

/* Machine code of a file for this device, the nearest; or NULL. */
static const hanji_gpu_cubin *find_cubin(const context *c, const char *name)
{
    const hanji_gpu_cubin *best = NULL;
    for (const hanji_gpu_cubin *one = hanji_gpu_cubins; one->name != NULL; one++)
        if (strcmp(one->name, name) == 0 && one->capability / 10 == c->capability / 10 &&
            one->capability <= c->capability &&
            (best == NULL || one->capability > best->capability))
            best = one;
    return best;
}

int hanji_gpu_load_image(context *c, cu_handle *module, const char *file, const char *ending)
{
    if (*module != NULL)
        return HANJI_OK;
    char name[48];
    snprintf(name, sizeof name, "%s%s", file, ending);
    const hanji_gpu_image *image = hanji_gpu_images;
    while (image->name != NULL && strcmp(image->name, name) != 0)
        image++;
    if (image->name == NULL)
        return hanji_gpu_failed(c, HANJI_E_UNSUPPORTED, "this build has no kernels in", name);
    const hanji_gpu_cubin *const cubin = find_cubin(c, name);
    if (cubin != NULL && c->driver.module_load(module, cubin->code) == 0)
        return HANJI_OK;
    *module = NULL; /* the driver's compiler makes it of PTX, where the driver has one */
    return hanji_gpu_checked(c, c->driver.module_load(module, image->text),
                             "the driver refuses the kernels");
}

/* The module of a cipher's file. */
static int load(context *c, const row *r, int file, cu_handle *module)
{
    size_t first = (size_t)(r - rows);
    while (first > 0 && strcmp(rows[first - 1].file, r->file) == 0)
        first--;
    const int rc = hanji_gpu_load_image(c, &c->modules[first][file], r->file, endings[file]);
    *module = c->modules[first][file];
    return rc;
}

int hanji_gpu_function(context *c, const row *r, int file, const char *ending, cu_handle *found)
{
    char name[80];
    cu_handle module;
    const int rc = load(c, r, file, &module);
    if (rc != HANJI_OK)
        return rc;
    snprintf(name, sizeof name, "hanji_%s_sm75_%s", r->entry, ending);
    return hanji_gpu_checked(c, c->driver.module_function(found, module, name),
                             "a kernel is missing");
}

int hanji_gpu_launch(context *c, cu_handle kernel, uint64_t threads, unsigned block,
                     cu_handle stream, void **parameters)
{
    const unsigned grid = (unsigned)((threads + block - 1) / block);
    return hanji_gpu_checked(
        c, c->driver.launch(kernel, grid, 1, 1, block, 1, 1, 0, stream, parameters, NULL),
        "a kernel does not start");
}

/*
 * Streams of one key. The counter of CTR: its last word as a number, and the others as words in
 * memory.
 */
typedef struct part {
    cu_pointer out, in;
    size_t bytes;
    uint32_t counter, fixed[3];
} part;

static const char *const operations[3] = {"encrypt", "decrypt", "ctr"};

/*
 * One launch, of the kernel whose name ends in `layout`; `count` is its fourth parameter where it
 * has one.
 */
static int run(keyed *k, int operation, int file, const char *layout, part *p, uint32_t count,
               uint64_t threads, unsigned block, cu_handle stream)
{
    char ending[24];
    cu_handle kernel;
    snprintf(ending, sizeof ending, "%s_%s", operations[operation], layout);
    const int rc = hanji_gpu_function(k->c, k->row, file, ending, &kernel);
    if (rc != HANJI_OK)
        return rc;
    void *parameters[8];
    size_t n = 0;
    parameters[n++] = &p->out;
    parameters[n++] = &p->in;
    parameters[n++] = file == SLICED ? &k->masks : &k->keys;
    if (file != SLICED)
        parameters[n++] = &count;
    if (operation == 2) {
        parameters[n++] = &p->counter;
        for (size_t w = 0; w + 1 < k->row->words; w++)
            parameters[n++] = &p->fixed[w];
    }
    return hanji_gpu_launch(k->c, kernel, threads, block, stream, parameters);
}

/* Go on after `bytes` bytes, whole blocks of them. */
static void advance(part *p, size_t bytes, size_t block_bytes)
{
    p->out += bytes;
    p->in += bytes;
    p->bytes -= bytes;
    p->counter += (uint32_t)(bytes / block_bytes);
}

/* A part whose counter does not overflow and whose numbers fit 32 bits. */
static int run_part(keyed *k, int operation, part p, cu_handle stream)
{
    const size_t block_bytes = 4u * k->row->words, thread_bytes = WARP * block_bytes,
                 warp_bytes = WARP * thread_bytes;
    const int sliced = k->row->sliced == 1 || (k->row->sliced == 2 && operation != 1);
    /* A thread in slices does 32 blocks: few blocks would leave most of the device without work. */
    const size_t least =
        k->row->sliced == 2 ? warp_bytes : SLICED_LEAST * (size_t)k->c->multiprocessors;
    if (sliced && p.bytes >= warp_bytes && p.bytes >= least) {
        size_t warps = p.bytes / warp_bytes;
        while (warps > 0) {
            const unsigned block =
                warps * WARP >= SLICED_THREADS ? SLICED_THREADS : (unsigned)warps * WARP;
            const size_t now = warps * WARP / block * block / WARP;
            const int rc =
                run(k, operation, SLICED, "x32", &p, 0, (uint64_t)now * WARP, block, stream);
            if (rc != HANJI_OK)
                return rc;
            advance(&p, now * warp_bytes, block_bytes);
            warps -= now;
        }
    }
    if (p.bytes >= VECTOR) {
        const size_t vectors = p.bytes / VECTOR;
        const char *layout = k->row->words == 2 ? "x8" : "x4";
        const int rc = run(k, operation, WORDS, layout, &p, (uint32_t)vectors,
                           (vectors + STREAM_VECTORS - 1) / STREAM_VECTORS, STREAM_THREADS, stream);
        if (rc != HANJI_OK)
            return rc;
        advance(&p, vectors * VECTOR, block_bytes);
    }
    if (p.bytes > 0)
        return run(k, operation, WORDS, "tail", &p, (uint32_t)p.bytes, 1, WARP, stream);
    return HANJI_OK;
}

int hanji_gpu_run_all(keyed *k, int operation, cu_pointer out, cu_pointer in, size_t bytes,
                      uint8_t *counter, cu_handle stream)
{
    const size_t block_bytes = 4u * k->row->words;
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
        const int rc = run_part(k, operation, p, stream);
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
