/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the device and page-locked memory: taken, copied, compared, wiped, given back. */
#include "gpu/room.h"

#include <string.h>

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

int hanji_gpu_not_captured(context *c, cu_handle stream)
{
    int status = 0;
    TRY(c->driver.stream_capturing(stream, &status), "the stream cannot be used");
    if (status == 0)
        return HANJI_OK;
    return hanji_gpu_failed(
        c, HANJI_E_ARGUMENT,
        "the stream is being captured into a graph, which would use the same counters each time that it is launched",
        NULL);
}

void hanji_gpu_discard(context *c, cu_pointer *memory, size_t bytes)
{
    if (*memory == 0)
        return;
    (void)c->driver.fill(*memory, 0, bytes, NULL);
    (void)c->driver.stream_synchronize(NULL);
    (void)c->driver.free(*memory);
    *memory = 0;
}

void hanji_gpu_discard_locked(context *c, uint8_t **memory, size_t bytes)
{
    if (*memory == NULL)
        return;
    hanji_wipe(*memory, bytes);
    (void)c->driver.host_free(*memory);
    *memory = NULL;
}

int hanji_gpu_alloc_locked(context *c, uint8_t **memory, size_t bytes)
{
    void *got = NULL;
    const int rc =
        hanji_gpu_checked(c, c->driver.host_alloc(&got, bytes, 0), "no page-locked memory");
    *memory = rc == HANJI_OK ? got : NULL;
    return rc;
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
            memcpy(locked, in + done, now);
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
            memcpy(out + done, locked, now);
    }
    hanji_gpu_discard_locked(c, &locked, piece);
    if (rc != HANJI_OK && out != NULL)
        hanji_wipe(out, bytes);
    return rc;
}

int hanji_gpu_alloc(hanji_gpu_pointer *memory, size_t bytes, hanji_gpu *gpu)
{
    if (memory == NULL || gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    *memory = 0;
    int rc = bytes == 0 ? HANJI_OK : hanji_gpu_enter(c);
    if (rc != HANJI_OK || bytes == 0)
        return rc;
    rc = hanji_gpu_checked(c, c->driver.alloc(memory, bytes), "no device memory");
    hanji_gpu_leave(c);
    return rc;
}

void hanji_gpu_free(hanji_gpu_pointer memory, size_t bytes, hanji_gpu *gpu)
{
    if (gpu == NULL || memory == 0 || hanji_gpu_enter(context_of(gpu)) != HANJI_OK)
        return;
    context *c = context_of(gpu);
    (void)c->driver.context_synchronize();
    hanji_gpu_discard(c, &memory, bytes);
    hanji_gpu_leave(c);
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
    rc = hanji_gpu_carry(c, in, out, NULL, bytes, stream);
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
    if (bytes > 0)
        rc = hanji_gpu_checked(c, c->driver.copy(out, in, bytes, stream),
                               "data cannot be copied on the device");
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
    if (bytes > 0)
        rc = hanji_gpu_checked(c, c->driver.fill(out, 0, bytes, stream),
                               "device memory cannot be zeroed");
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
    cu_handle event = NULL;
    int rc = stream == other ? HANJI_OK : hanji_gpu_enter(c);
    if (rc != HANJI_OK || stream == other)
        return rc;
    rc = hanji_gpu_checked(c, c->driver.event_create(&event, CU_EVENT_NO_TIMING), "no event");
    if (rc == HANJI_OK) {
        rc =
            hanji_gpu_checked(c, c->driver.event_record(event, other), "the stream cannot be used");
        if (rc == HANJI_OK)
            rc = hanji_gpu_checked(c, c->driver.stream_wait(stream, event, 0),
                                   "the stream cannot be used");
        (void)c->driver.event_destroy(event);
    }
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
    rc = hanji_gpu_not_captured(c, stream);
    hanji_gpu_leave(c);
    return rc;
}

int hanji_gpu_host_alloc(uint8_t **memory, size_t bytes, hanji_gpu *gpu)
{
    if (gpu == NULL || memory == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    *memory = NULL;
    int rc = bytes == 0 ? HANJI_OK : hanji_gpu_enter(c);
    if (rc != HANJI_OK || bytes == 0)
        return rc;
    rc = hanji_gpu_alloc_locked(c, memory, bytes);
    if (rc == HANJI_OK)
        memset(*memory, 0, bytes);
    hanji_gpu_leave(c);
    return rc;
}

void hanji_gpu_host_free(uint8_t *memory, size_t bytes, hanji_gpu *gpu)
{
    if (gpu == NULL || memory == NULL || hanji_gpu_enter(context_of(gpu)) != HANJI_OK)
        return;
    (void)context_of(gpu)->driver.context_synchronize();
    hanji_gpu_discard_locked(context_of(gpu), &memory, bytes);
    hanji_gpu_leave(context_of(gpu));
}
