/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Offsets of messages that all have one length. The kernels read offsets; those of equal messages
 * say nothing that a number does not say, so a context makes them once and keeps them. They depend
 * on lengths alone and are no secret.
 */
#include "gpu/memory.h"

#include <string.h>

#define EQUAL_MIN ((size_t)4096) /* offsets */

static void write_steps(const void *from, uint8_t *out, size_t first, size_t last)
{
    const size_t length = *(const size_t *)from;
    for (size_t i = first / sizeof(uint64_t); i < last / sizeof(uint64_t); i++) {
        const uint64_t offset = (uint64_t)i * length;
        memcpy(out, &offset, sizeof offset);
        out += sizeof offset;
    }
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
    equal_offsets new = {.length = length, .count = EQUAL_MIN};
    while (new.count <= messages)
        new.count *= 2;
    const size_t bytes = new.count * sizeof(uint64_t);
    const hanji_gpu_source steps = {write_steps, &length, "offsets cannot be copied to the device"};
    int rc = hanji_gpu_stream(c, 0);
    if (rc == HANJI_OK)
        rc = hanji_gpu_take(c, &new.memory, bytes);
    if (rc == HANJI_OK)
        rc = hanji_gpu_upload_from(c, new.memory, &steps, bytes, c->streams[0]);
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
