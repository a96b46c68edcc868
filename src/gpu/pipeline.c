/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pipeline for host memory: slots take turns, each with a stream, a page-locked buffer and
 * device memory. While the host fills or empties one, the device works on the others.
 */
#include "gpu/memory.h"

#include <string.h>

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
