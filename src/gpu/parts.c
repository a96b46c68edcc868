/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory in parts, by the helpers of a context: one thread fills a buffer much more slowly
 * than the device empties it.
 */
#include "gpu/room.h"

#include <string.h>

typedef struct parts {
    hanji_gpu_range *range;
    void *work;
    size_t bytes;
} parts;

static void one_part(void *all, size_t number)
{
    const parts *p = all;
    const size_t first = number * PART_BYTES,
                 last = p->bytes - first < PART_BYTES ? p->bytes : first + PART_BYTES;
    p->range(p->work, first, last);
}

void hanji_gpu_in_parts(context *c, size_t bytes, hanji_gpu_range *range, void *work)
{
    parts p = {range, work, bytes};
    const size_t count = bytes / PART_BYTES + (bytes % PART_BYTES != 0);
    if (c->helpers != NULL && count > 1)
        c->helpers(c->helper, count, one_part, &p);
    else if (bytes > 0)
        range(work, 0, bytes);
}

int hanji_gpu_set_helpers(hanji_gpu *gpu, hanji_gpu_helpers *helpers, void *helper)
{
    if (gpu == NULL)
        return HANJI_E_ARGUMENT;
    context_of(gpu)->helpers = helpers;
    context_of(gpu)->helper = helper;
    return HANJI_OK;
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
    copied w = {out, in};
    hanji_gpu_in_parts(c, bytes, copy_range, &w);
}

/* Sections of a slot */

typedef struct sections {
    uint8_t *host;
    const section *all;
    size_t count;
} sections;

/* The bytes first to last of keys that lie `stride` apart. */
static void fill_rows(uint8_t *out, const section *s, size_t first, size_t last)
{
    size_t number = first / s->each, behind = first % s->each;
    for (; first < last; number++, behind = 0) {
        const size_t left = last - first, rest = s->each - behind, now = rest < left ? rest : left;
        memcpy(out, s->from + number * s->stride + behind, now);
        out += now;
        first += now;
    }
}

static void fill_offsets(uint8_t *out, const section *s, size_t first, size_t last)
{
    for (size_t i = first / sizeof(int64_t); i < last / sizeof(int64_t); i++) {
        const int64_t from_zero = s->offsets[i] - s->offsets[0];
        memcpy(out, &from_zero, sizeof from_zero);
        out += sizeof from_zero;
    }
}

static void fill_range(void *work, size_t first, size_t last)
{
    const sections *w = work;
    for (size_t i = 0; i < w->count; i++) {
        const section *s = &w->all[i];
        const size_t begin = first > s->at ? first - s->at : 0;
        if (s->locked || last <= s->at || begin >= s->bytes)
            continue;
        const size_t end = last - s->at < s->bytes ? last - s->at : s->bytes;
        uint8_t *out = w->host + s->at + begin;
        if (s->offsets != NULL)
            fill_offsets(out, s, begin, end);
        else if (s->each != s->stride)
            fill_rows(out, s, begin, end);
        else
            memcpy(out, s->from + begin, end - begin);
    }
}

/* What is side by side in the buffer goes at once; what is page-locked goes by itself. */
int hanji_gpu_send(context *c, slot *s, const section *all, size_t count)
{
    sections w = {s->host, all, count};
    size_t end = 0;
    for (size_t i = 0; i < count; i++)
        if (!all[i].locked && all[i].bytes > 0)
            end = all[i].at + all[i].bytes;
    hanji_gpu_in_parts(c, end, fill_range, &w);
    for (size_t i = 0; i < count; i++) {
        const section *one = &all[i];
        size_t bytes = one->bytes;
        const uint8_t *from = one->locked ? one->from : s->host + one->at;
        while (!one->locked && i + 1 < count && !all[i + 1].locked) {
            i++;
            if (all[i].bytes > 0)
                bytes = all[i].at + all[i].bytes - one->at;
        }
        if (bytes > 0)
            TRY(c->driver.to_device(s->device + one->at, from, bytes, s->stream),
                "messages cannot be copied to the device");
    }
    return HANJI_OK;
}

typedef struct arrivals {
    const slot *s;
    size_t begin;
} arrivals;

static void deliver_range(void *work, size_t first, size_t last)
{
    const arrivals *w = work;
    first += w->begin;
    last += w->begin;
    for (size_t i = 0; i < DELIVERIES; i++) {
        const size_t at = w->s->deliveries[i].at, bytes = w->s->deliveries[i].bytes,
                     begin = first > at ? first - at : 0;
        if (w->s->deliveries[i].to == NULL || last <= at || begin >= bytes)
            continue;
        const size_t end = last - at < bytes ? last - at : bytes;
        memcpy(w->s->deliveries[i].to + begin, w->s->host + at + begin, end - begin);
    }
}

void hanji_gpu_deliver(context *c, slot *s)
{
    arrivals w = {s, SIZE_MAX};
    size_t end = 0;
    for (size_t i = 0; i < DELIVERIES; i++)
        if (s->deliveries[i].to != NULL) {
            const size_t at = s->deliveries[i].at, last = at + s->deliveries[i].bytes;
            w.begin = at < w.begin ? at : w.begin;
            end = last > end ? last : end;
        }
    if (end > 0)
        hanji_gpu_in_parts(c, end - w.begin, deliver_range, &w);
    for (size_t i = 0; i < DELIVERIES; i++)
        s->deliveries[i].to = NULL;
}
