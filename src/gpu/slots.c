/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slots: what goes to the device lies side by side in a page-locked buffer and is one copy; what
 * has come back goes from there to the caller.
 */
#include "gpu/memory.h"

#include <string.h>

#define PAGE ((size_t)4 << 10)   /* of memory, the smallest */
#define WINDOW ((size_t)2 << 20) /* the size of its large pages */

typedef struct sections {
    uint8_t *host;
    const section *all;
    size_t count;
    hanji_gpu_parts fill;
    const area *fresh;
    size_t windows[FRESH]; /* of each */
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

/*
 * New memory of the caller gets its pages by the first write. One helper begins all of a large
 * page: several would clear the page at the same time.
 */
static size_t windows_of(const area *s)
{
    const uintptr_t at = (uintptr_t)s->at;
    return s->bytes == 0 ? 0 : (at + s->bytes - 1) / WINDOW - at / WINDOW + 1;
}

static void begin_window(const area *s, size_t number)
{
    const uintptr_t at = (uintptr_t)s->at, window = (at / WINDOW + number) * WINDOW;
    const size_t last = window + WINDOW - at < s->bytes ? window + WINDOW - at : s->bytes;
    for (size_t i = window > at ? window - at : 0; i < last; i += PAGE - (at + i) % PAGE)
        *(volatile uint8_t *)(s->at + i) = 0;
}

static void send_part(void *work, size_t number)
{
    sections *w = work;
    for (size_t i = 0; i < FRESH; i++) {
        if (number < w->windows[i]) {
            begin_window(&w->fresh[i], number);
            return;
        }
        number -= w->windows[i];
    }
    hanji_gpu_one_part(&w->fill, number);
}

/* What is side by side in the buffer goes at once; what is page-locked goes by itself. */
int hanji_gpu_send(context *c, slot *s, const section *all, size_t count, const area *fresh)
{
    sections w = {.host = s->host, .all = all, .count = count, .fresh = fresh};
    size_t end = 0, windows = 0;
    for (size_t i = 0; i < count; i++)
        if (!all[i].locked && all[i].bytes > 0)
            end = all[i].at + all[i].bytes;
    w.fill = (hanji_gpu_parts){fill_range, &w, end};
    for (size_t i = 0; i < FRESH; i++)
        windows += w.windows[i] = windows_of(&fresh[i]);
    const size_t parts = windows + hanji_gpu_count_parts(end);
    if (c->helpers != NULL && parts > 1)
        c->helpers(c->helper, parts, send_part, &w);
    else if (end > 0)
        fill_range(&w, 0, end);
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
