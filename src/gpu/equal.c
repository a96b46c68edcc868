/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Offsets of messages that all have one length. The kernels read offsets; those of equal messages
 * say nothing that a number does not say, so a context makes them once and keeps them. They depend
 * on lengths alone and are no secret.
 */
#include "gpu/room.h"

#include <string.h>

#define EQUAL_LEAST ((size_t)4096) /* offsets */

typedef struct steps {
    uint8_t *out;
    uint64_t first;
    size_t length;
} steps;

static void fill_steps(void *work, size_t first, size_t last)
{
    const steps *w = work;
    for (size_t i = first / sizeof(uint64_t); i < last / sizeof(uint64_t); i++) {
        const uint64_t offset = (w->first + i) * w->length;
        memcpy(w->out + i * sizeof offset, &offset, sizeof offset);
    }
}

/* The offsets from the host, through page-locked memory. */
static int write_steps(context *c, cu_pointer memory, size_t length, size_t bytes)
{
    const size_t piece = bytes < CHUNK_BYTES ? bytes : CHUNK_BYTES;
    cu_handle stream = c->streams[0];
    uint8_t *locked = NULL;
    int rc = hanji_gpu_alloc_locked(c, &locked, piece);
    for (size_t done = 0; done < bytes && rc == HANJI_OK; done += piece) {
        const size_t now = bytes - done < piece ? bytes - done : piece;
        steps w = {locked, done / sizeof(uint64_t), length};
        hanji_gpu_in_parts(c, now, fill_steps, &w);
        rc = hanji_gpu_checked(c, c->driver.to_device(memory + done, locked, now, stream),
                               "offsets cannot be copied to the device");
        const int finished = hanji_gpu_checked(c, c->driver.stream_synchronize(stream),
                                               "the work on the device failed");
        rc = rc == HANJI_OK ? finished : rc;
    }
    hanji_gpu_discard_locked(c, &locked, piece);
    return rc;
}

static void forget(context *c, equal_offsets *r)
{
    hanji_gpu_discard_later(c, &r->memory, r->count * sizeof(uint64_t), 0);
    *r = (equal_offsets){.count = 0};
}

int hanji_gpu_equal_offsets(context *c, cu_pointer *offsets, size_t length, size_t messages)
{
    equal_offsets *oldest = &c->equal[0];
    for (size_t i = 0; i < EQUAL_KEPT; i++) {
        equal_offsets *const r = &c->equal[i];
        if (r->memory != 0 && r->length == length && r->count > messages) {
            r->used = ++c->equal_used;
            *offsets = r->memory;
            return HANJI_OK;
        }
        if (r->used < oldest->used)
            oldest = r;
    }
    for (size_t i = 0; i < EQUAL_KEPT; i++) /* fewer of the same are of no use any more */
        if (c->equal[i].memory != 0 && c->equal[i].length == length)
            oldest = &c->equal[i];
    forget(c, oldest);
    equal_offsets new = {.length = length, .count = EQUAL_LEAST};
    while (new.count <= messages)
        new.count *= 2;
    const size_t bytes = new.count * sizeof(uint64_t);
    int rc = hanji_gpu_stream(c, 0);
    if (rc == HANJI_OK)
        rc = hanji_gpu_take(c, &new.memory, bytes);
    if (rc == HANJI_OK)
        rc = write_steps(c, new.memory, length, bytes);
    if (rc != HANJI_OK) {
        hanji_gpu_discard_later(c, &new.memory, bytes, 0);
        return rc;
    }
    new.used = ++c->equal_used;
    *oldest = new;
    *offsets = new.memory;
    return HANJI_OK;
}

void hanji_gpu_forget_equal(context *c)
{
    for (size_t i = 0; i < EQUAL_KEPT; i++)
        if (c->equal[i].memory != 0)
            forget(c, &c->equal[i]);
}
