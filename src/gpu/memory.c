/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the device and streams: what may be used, copies, order. */
#include "gpu/room.h"

int hanji_gpu_aligned(context *c, cu_pointer out, cu_pointer in)
{
    if ((out | in) % VECTOR == 0)
        return HANJI_OK;
    return hanji_gpu_failed(c, HANJI_E_ARGUMENT,
                            "addresses in device memory must be multiples of 16", NULL);
}

int hanji_gpu_overlap(cu_pointer out, cu_pointer in, size_t bytes)
{
    return out != in && (out < in ? in - out : out - in) < bytes;
}

int hanji_gpu_apart(const device_span *spans, size_t count, size_t written, size_t in)
{
    for (size_t i = 0; i < written; i++)
        for (size_t other = i + 1; other < count; other++)
            if (spans[i].bytes != 0 && spans[other].bytes != 0 &&
                (spans[i].at - spans[other].at < spans[other].bytes ||
                 spans[other].at - spans[i].at < spans[i].bytes) &&
                !(i == 0 && other == in && spans[0].at == spans[in].at))
                return 0;
    return 1;
}

int hanji_gpu_belongs(context *c, cu_handle stream)
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

int hanji_gpu_memory_belongs(context *c, cu_pointer memory)
{
    cu_handle found = NULL;
    int number = 0;
    /* of pools and of system memory the driver names no context */
    if (c->driver.pointer_attribute(&found, CU_POINTER_CONTEXT, memory) != 0 || found == NULL ||
        found == c->primary ||
        c->driver.pointer_attribute(&number, CU_POINTER_DEVICE, memory) != 0 || number != c->number)
        return HANJI_OK;
    return hanji_gpu_failed(
        c, HANJI_E_ARGUMENT,
        "the memory is of another context than the primary one of the device; reserve it in the "
        "primary context (cuDevicePrimaryCtxRetain)",
        NULL);
}

int hanji_gpu_usable(context *c, cu_handle stream)
{
    int status = 0;
    const int rc = hanji_gpu_belongs(c, stream);
    if (rc != HANJI_OK)
        return rc;
    TRY(c->driver.stream_capturing(stream, &status), "the stream cannot be used");
    if (status == 0)
        return HANJI_OK;
    return hanji_gpu_failed(
        c, HANJI_E_ARGUMENT,
        "the stream is being captured into a graph, which would use the same counters each time "
        "that it is launched",
        NULL);
}

int hanji_gpu_carry(context *c, cu_pointer device, uint8_t *out, const uint8_t *in, size_t bytes,
                    cu_handle stream)
{
    const size_t piece = bytes < CHUNK_BYTES ? bytes : CHUNK_BYTES;
    uint8_t *locked = NULL;
    int rc = bytes == 0 ? HANJI_OK : hanji_gpu_alloc_locked(c, &locked, piece);
    for (size_t done = 0; done < bytes && rc == HANJI_OK; done += piece) {
        const size_t now = bytes - done < piece ? bytes - done : piece;
        if (in != NULL) {
            hanji_gpu_copy_host(c, locked, in + done, now);
            rc = hanji_gpu_checked(c, c->driver.to_device(device + done, locked, now, stream),
                                   "data cannot be copied to the device");
        } else {
            rc = hanji_gpu_checked(c, c->driver.to_host(locked, device + done, now, stream),
                                   "data cannot be copied from the device");
        }
        const int finished = hanji_gpu_checked(c, c->driver.stream_synchronize(stream),
                                               "the work on the device failed");
        rc = rc == HANJI_OK ? finished : rc;
        if (rc == HANJI_OK && out != NULL)
            hanji_gpu_copy_host(c, out + done, locked, now);
    }
    hanji_gpu_discard_locked(c, &locked, piece);
    if (rc != HANJI_OK && out != NULL)
        hanji_wipe(out, bytes);
    return rc;
}

int hanji_gpu_device_of(hanji_gpu_pointer memory, hanji_gpu *gpu)
{
    if (gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int number = 0, rc = hanji_gpu_enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_gpu_checked(c, c->driver.pointer_attribute(&number, CU_POINTER_DEVICE, memory),
                           "the address is not one of device memory");
    hanji_gpu_leave(c);
    return rc == HANJI_OK ? number : rc;
}

int hanji_gpu_upload(hanji_gpu_pointer out, const uint8_t *in, size_t bytes, hanji_gpu *gpu,
                     void *stream)
{
    if (gpu == NULL || (bytes > 0 && (out == 0 || in == NULL)))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int rc = hanji_gpu_enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_gpu_belongs(c, stream);
    if (rc == HANJI_OK)
        rc = hanji_gpu_carry(c, out, NULL, in, bytes, stream);
    hanji_gpu_leave(c);
    return rc;
}

int hanji_gpu_download(uint8_t *out, hanji_gpu_pointer in, size_t bytes, hanji_gpu *gpu,
                       void *stream)
{
    if (gpu == NULL || (bytes > 0 && (out == NULL || in == 0)))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int rc = hanji_gpu_enter(c);
    if (rc != HANJI_OK) {
        if (bytes > 0)
            hanji_wipe(out, bytes);
        return rc;
    }
    rc = hanji_gpu_belongs(c, stream);
    if (rc == HANJI_OK)
        rc = hanji_gpu_carry(c, in, out, NULL, bytes, stream);
    else if (bytes > 0)
        hanji_wipe(out, bytes);
    hanji_gpu_leave(c);
    return rc;
}

int hanji_gpu_copy(hanji_gpu_pointer out, hanji_gpu_pointer in, size_t bytes, hanji_gpu *gpu,
                   void *stream)
{
    if (gpu == NULL || (bytes > 0 && (out == 0 || in == 0)) || hanji_gpu_overlap(out, in, bytes))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int rc = hanji_gpu_enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_gpu_belongs(c, stream);
    if (rc == HANJI_OK && bytes > 0)
        rc = hanji_gpu_checked(c, c->driver.copy(out, in, bytes, stream),
                               "data cannot be copied on the device");
    if (rc == HANJI_OK)
        rc = hanji_gpu_note(c, stream);
    hanji_gpu_leave(c);
    return rc;
}

int hanji_gpu_zero(hanji_gpu_pointer out, size_t bytes, hanji_gpu *gpu, void *stream)
{
    if (gpu == NULL || (bytes > 0 && out == 0))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int rc = hanji_gpu_enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_gpu_belongs(c, stream);
    if (rc == HANJI_OK && bytes > 0)
        rc = hanji_gpu_checked(c, c->driver.fill(out, 0, bytes, stream),
                               "device memory cannot be zeroed");
    if (rc == HANJI_OK)
        rc = hanji_gpu_note(c, stream);
    hanji_gpu_leave(c);
    return rc;
}

int hanji_gpu_wait(hanji_gpu *gpu, void *stream)
{
    if (gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int rc = hanji_gpu_enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc =
        hanji_gpu_checked(c, c->driver.stream_synchronize(stream), "the work on the device failed");
    hanji_gpu_leave(c);
    return rc;
}

int hanji_gpu_follow(hanji_gpu *gpu, void *stream, void *other)
{
    if (gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int rc = stream == other ? HANJI_OK : hanji_gpu_enter(c);
    if (rc != HANJI_OK || stream == other)
        return rc;
    rc = hanji_gpu_belongs(c, stream);
    if (rc == HANJI_OK)
        rc = hanji_gpu_belongs(c, other);
    if (rc == HANJI_OK)
        rc = hanji_gpu_checked(c, c->driver.event_record(c->mark, other),
                               "the stream cannot be used");
    if (rc == HANJI_OK)
        rc = hanji_gpu_checked(c, c->driver.stream_wait(stream, c->mark, 0),
                               "the stream cannot be used");
    hanji_gpu_leave(c);
    return rc;
}

int hanji_gpu_check_stream(hanji_gpu *gpu, void *stream)
{
    if (gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int rc = hanji_gpu_enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_gpu_usable(c, stream);
    hanji_gpu_leave(c);
    return rc;
}
