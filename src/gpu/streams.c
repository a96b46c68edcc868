/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams: those of the context, which of others may be used, and what waits for what.
 *
 * The context's own stream waits for every stream in which the library queued work. Users' streams
 * are touched when work is queued in them and never later: by then they may be gone.
 */
#include "gpu/memory.h"

#include <string.h>

int hanji_gpu_open_streams(context *c)
{
    TRY(c->driver.stream_create(&c->own, CU_STREAM_NON_BLOCKING), "no stream");
    TRY(c->driver.event_create(&c->mark, CU_EVENT_NO_TIMING), "no event");
    return HANJI_OK;
}

void hanji_gpu_close_streams(context *c)
{
    for (size_t i = 0; i < SLOTS; i++)
        if (c->streams[i] != NULL)
            (void)c->driver.stream_destroy(c->streams[i]);
    if (c->mark != NULL)
        (void)c->driver.event_destroy(c->mark);
    if (c->own != NULL)
        (void)c->driver.stream_destroy(c->own);
}

int hanji_gpu_stream(context *c, size_t number)
{
    if (c->streams[number] != NULL)
        return HANJI_OK;
    return hanji_gpu_checked(
        c, c->driver.stream_create(&c->streams[number], CU_STREAM_NON_BLOCKING), "no stream");
}

/* Refuse a stream of another context than the device's primary one. */
static int belongs(context *c, cu_handle stream)
{
    cu_handle found = NULL;
    if ((uintptr_t)stream <= CU_STREAM_PER_THREAD) {
        if (!c->foreign)
            return HANJI_OK;
        return hanji_gpu_failed(
            c, HANJI_E_ARGUMENT,
            "the current context is not the primary one of the device, whose default stream is "
            "used here; make the primary context current (cuDevicePrimaryCtxRetain)",
            NULL);
    }
    TRY(c->driver.stream_context(stream, &found), "the stream cannot be used");
    if (found == c->primary)
        return HANJI_OK;
    return hanji_gpu_failed(
        c, HANJI_E_ARGUMENT,
        "the stream is of another context than the primary one of the device; make it in the "
        "primary context (cuDevicePrimaryCtxRetain)",
        NULL);
}

/* Refuse a stream that is being captured. */
static int not_captured(context *c, cu_handle stream)
{
    int status = 0;
    TRY(c->driver.stream_capturing(stream, &status), "the stream cannot be used");
    if (status == 0)
        return HANJI_OK;
    return hanji_gpu_failed(
        c, HANJI_E_ARGUMENT,
        "the stream is being captured into a graph, which would use the same counters each time "
        "that it is launched",
        NULL);
}

int hanji_gpu_note(context *c, cu_handle stream)
{
    int status = 0;
    TRY(c->driver.stream_capturing(stream, &status), "the stream cannot be used");
    if (status != 0)
        return HANJI_OK;
    int rc = hanji_gpu_checked(c, c->driver.event_record(c->mark, stream),
                               "the end of the work cannot be marked");
    if (rc == HANJI_OK)
        rc = hanji_gpu_checked(c, c->driver.stream_wait(c->own, c->mark, 0),
                               "the end of the work cannot be awaited");
    if (rc != HANJI_OK) /* then the work is over now */
        (void)c->driver.stream_synchronize(stream);
    return rc;
}

int hanji_gpu_begin(context *c, cu_handle stream, int capture)
{
    int rc = hanji_gpu_enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc = belongs(c, stream);
    if (rc == HANJI_OK && capture == CAPTURE_REFUSED)
        rc = not_captured(c, stream);
    if (rc != HANJI_OK)
        hanji_gpu_leave(c);
    return rc;
}

int hanji_gpu_end(context *c, cu_handle stream, int rc)
{
    if (rc == HANJI_OK) {
        rc = hanji_gpu_note(c, stream);
    } else if (rc == HANJI_E_DEVICE) {
        char reason[sizeof c->reason];
        memcpy(reason, c->reason, sizeof reason);
        (void)hanji_gpu_note(c, stream);
        memcpy(c->reason, reason, sizeof reason);
    }
    hanji_gpu_leave(c);
    return rc;
}

int hanji_gpu_queue_behind(context *c, cu_handle stream, cu_handle other)
{
    const int rc = belongs(c, other);
    if (rc != HANJI_OK)
        return rc;
    TRY(c->driver.event_record(c->mark, other), "the stream cannot be used");
    TRY(c->driver.stream_wait(stream, c->mark, 0), "the stream cannot be used");
    return HANJI_OK;
}
