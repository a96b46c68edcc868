/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Host memory: slots take turns, each with a stream, a page-locked buffer and device memory. While
 * the host fills or empties one, the device works on the others. Streams of one key in it.
 */
#include "gpu/room.h"

#include <string.h>

#include "support/bytes.h"

int hanji_gpu_stream(context *c, size_t number)
{
    if (c->streams[number] != NULL)
        return HANJI_OK;
    return hanji_gpu_checked(
        c, c->driver.stream_create(&c->streams[number], CU_STREAM_NON_BLOCKING), "no stream");
}

int hanji_gpu_pipeline_open(pipeline *p, context *c, size_t bytes, size_t chunks, int buffers)
{
    memset(p, 0, sizeof *p);
    p->c = c;
    p->bytes = bytes;
    for (size_t i = 0; i < SLOTS && i < chunks; i++) {
        slot *s = &p->slots[i];
        int rc = hanji_gpu_stream(c, i);
        s->stream = c->streams[i];
        if (rc == HANJI_OK && buffers)
            rc = hanji_gpu_alloc_locked(c, &s->host, bytes);
        if (rc == HANJI_OK)
            rc = hanji_gpu_take(c, &s->device, bytes);
        if (rc != HANJI_OK)
            return rc;
    }
    return HANJI_OK;
}

/* Wait for the chunk in work and deliver it. */
static int slot_finish(context *c, slot *s)
{
    if (s->stream == NULL)
        return HANJI_OK;
    TRY(c->driver.stream_synchronize(s->stream), "the work on the device failed");
    hanji_gpu_deliver(c, s);
    return HANJI_OK;
}

int hanji_gpu_pipeline_next(pipeline *p, slot **next)
{
    *next = &p->slots[p->turn++ % SLOTS];
    return slot_finish(p->c, *next);
}

int hanji_gpu_pipeline_finish(pipeline *p)
{
    int rc = HANJI_OK;
    for (size_t i = 0; i < SLOTS && rc == HANJI_OK; i++)
        rc = slot_finish(p->c, &p->slots[(p->turn + i) % SLOTS]);
    return rc;
}

void hanji_gpu_pipeline_close(pipeline *p)
{
    for (size_t i = 0; i < SLOTS; i++) /* all of them before any memory goes */
        if (p->slots[i].stream != NULL)
            (void)p->c->driver.stream_synchronize(p->slots[i].stream);
    for (size_t i = 0; i < SLOTS; i++) {
        slot *s = &p->slots[i];
        hanji_gpu_discard(p->c, &s->device, p->bytes, s->stream);
        hanji_gpu_discard_locked(p->c, &s->host, p->bytes);
    }
}

/* All at once, which is no error for memory that the driver does not know, as one would be. */
int hanji_gpu_is_locked(context *c, const uint8_t *memory, size_t bytes)
{
    unsigned type = 0;
    cu_pointer start = 0;
    size_t size = 0;
    const cu_pointer at = (cu_pointer)(uintptr_t)memory;
    int attributes[] = {CU_POINTER_TYPE, CU_POINTER_RANGE_START, CU_POINTER_RANGE_BYTES};
    void *values[] = {&type, &start, &size};
    return c->driver.pointer_attributes(3, attributes, values, at) == 0 && type == CU_TYPE_HOST &&
           at >= start && at - start <= size && bytes <= size - (at - start);
}

/* One key, host memory */

static int ctr_host(keyed *k, uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                    int direct, pipeline *p)
{
    context *c = k->c;
    while (bytes > 0) {
        const size_t now = bytes < CHUNK_BYTES ? bytes : CHUNK_BYTES;
        slot *s;
        int rc = hanji_gpu_pipeline_next(p, &s);
        if (rc != HANJI_OK)
            return rc;
        if (s->host != NULL) /* not direct */
            hanji_gpu_copy_host(c, s->host, in, now);
        TRY(c->driver.to_device(s->device, direct ? in : s->host, now, s->stream),
            "data cannot be copied to the device");
        rc = hanji_gpu_run_all(k, 2, s->device, s->device, now, counter, s->stream);
        if (rc != HANJI_OK)
            return rc;
        TRY(c->driver.to_host(direct ? out : s->host, s->device, now, s->stream),
            "data cannot be copied from the device");
        if (!direct) {
            s->deliveries[0].to = out;
            s->deliveries[0].at = 0;
            s->deliveries[0].bytes = now;
        }
        in += now;
        out += now;
        bytes -= now;
    }
    return hanji_gpu_pipeline_finish(p);
}

int hanji_gpu_ctr_host(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                       hanji_gpu_key *key)
{
    if (key == NULL || key_of(key)->c == NULL || counter == NULL || !valid(out, bytes) ||
        !valid(in, bytes) || overlap_partly(out, bytes, in, bytes) ||
        overlap(out, bytes, key, sizeof *key) || overlap(in, bytes, key, sizeof *key))
        return HANJI_E_ARGUMENT;
    keyed *k = key_of(key);
    const size_t block_bytes = 4u * k->row->words;
    if (overlap(out, bytes, counter, block_bytes) || overlap(in, bytes, counter, block_bytes))
        return HANJI_E_ARGUMENT;
    if (bytes == 0)
        return HANJI_OK;
    int rc = hanji_gpu_reserve(k, bytes);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_gpu_enter(k->c);
    if (rc == HANJI_OK) {
        pipeline p;
        const size_t chunk =
            bytes < CHUNK_BYTES ? (bytes + VECTOR - 1) / VECTOR * VECTOR : CHUNK_BYTES;
        const int direct =
            hanji_gpu_is_locked(k->c, out, bytes) && hanji_gpu_is_locked(k->c, in, bytes);
        rc = hanji_gpu_pipeline_open(&p, k->c, chunk, (bytes + chunk - 1) / chunk, !direct);
        if (rc == HANJI_OK)
            rc = ctr_host(k, out, in, bytes, counter, direct, &p);
        hanji_gpu_pipeline_close(&p);
        hanji_gpu_leave(k->c);
    }
    if (rc != HANJI_OK)
        hanji_wipe(out, bytes);
    return rc;
}
