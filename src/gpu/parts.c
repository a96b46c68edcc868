/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory in parts, by the helpers of a context: one thread fills a buffer much more slowly
 * than the device empties it.
 */
#include "gpu/memory.h"

#include <string.h>

size_t hanji_gpu_count_parts(size_t bytes)
{
    return bytes / PART_BYTES + (bytes % PART_BYTES != 0);
}

void hanji_gpu_one_part(void *parts, size_t number)
{
    const hanji_gpu_parts *p = parts;
    const size_t first = number * PART_BYTES,
                 last = p->bytes - first < PART_BYTES ? p->bytes : first + PART_BYTES;
    p->range(p->work, first, last);
}

void hanji_gpu_in_parts(context *c, size_t bytes, hanji_gpu_range *range, void *work)
{
    hanji_gpu_parts p = {range, work, bytes};
    if (c->helpers != NULL && hanji_gpu_count_parts(bytes) > 1)
        c->helpers(c->helper, hanji_gpu_count_parts(bytes), hanji_gpu_one_part, &p);
    else if (bytes > 0)
        range(work, 0, bytes);
}

static void wipe_range(void *memory, size_t first, size_t last)
{
    hanji_wipe((uint8_t *)memory + first, last - first);
}

void hanji_gpu_wipe(context *c, uint8_t *memory, size_t bytes)
{
    hanji_gpu_in_parts(c, bytes, wipe_range, memory);
}

typedef struct copied {
    uint8_t *out;
    const uint8_t *in;
} copied;

static void copy_range(void *work, size_t first, size_t last)
{
    const copied *w = work;
    memcpy(w->out + first, w->in + first, last - first);
}

void hanji_gpu_copy_host(context *c, uint8_t *out, const uint8_t *in, size_t bytes)
{
    copied w;
    w.out = out;
    w.in = in;
    hanji_gpu_in_parts(c, bytes, copy_range, &w);
}
