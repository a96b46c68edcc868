/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of hanji/gpu.h on memory and on the order of streams: reserving, copying, waiting.
 */
#include "gpu/memory.h"

int hanji_gpu_alloc(hanji_gpu_pointer *memory, size_t bytes, hanji_gpu *gpu)
{
    if (memory == NULL || gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    *memory = 0;
    int rc = bytes == 0 ? HANJI_OK : hanji_gpu_enter(c);
    if (rc != HANJI_OK || bytes == 0)
        return rc;
    rc = hanji_gpu_take(c, memory, bytes);
    hanji_gpu_leave(c);
    return rc;
}

void hanji_gpu_free(hanji_gpu_pointer memory, size_t bytes, hanji_gpu *gpu)
{
    if (gpu == NULL || memory == 0 || hanji_gpu_enter(context_of(gpu)) != HANJI_OK)
        return;
    hanji_gpu_discard_later(context_of(gpu), &memory, bytes, 1);
    hanji_gpu_leave(context_of(gpu));
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
        hanji_wipe(*memory, bytes);
    hanji_gpu_leave(c);
    return rc;
}

void hanji_gpu_host_free(uint8_t *memory, size_t bytes, hanji_gpu *gpu)
{
    if (gpu == NULL || memory == NULL || hanji_gpu_enter(context_of(gpu)) != HANJI_OK)
        return;
    hanji_gpu_discard_locked_later(context_of(gpu), memory, bytes);
    hanji_gpu_leave(context_of(gpu));
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
    int rc = hanji_gpu_begin(c, stream, CAPTURE_ALLOWED);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_gpu_upload_bytes(c, out, in, bytes, stream);
    hanji_gpu_leave(c); /* the work is done: there is nothing to note */
    return rc;
}

int hanji_gpu_download(uint8_t *out, hanji_gpu_pointer in, size_t bytes, hanji_gpu *gpu,
                       void *stream)
{
    if (gpu == NULL || (bytes > 0 && (out == NULL || in == 0)))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int rc = hanji_gpu_begin(c, stream, CAPTURE_ALLOWED);
    if (rc != HANJI_OK) {
        if (bytes > 0)
            hanji_wipe(out, bytes);
        return rc;
    }
    rc = hanji_gpu_download_bytes(c, out, in, bytes, stream);
    hanji_gpu_leave(c);
    return rc;
}

int hanji_gpu_copy(hanji_gpu_pointer out, hanji_gpu_pointer in, size_t bytes, hanji_gpu *gpu,
                   void *stream)
{
    if (gpu == NULL || (bytes > 0 && (out == 0 || in == 0)) || hanji_gpu_overlap(out, in, bytes))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int rc = hanji_gpu_begin(c, stream, CAPTURE_ALLOWED);
    if (rc != HANJI_OK)
        return rc;
    if (bytes > 0)
        rc = hanji_gpu_checked(c, c->driver.copy(out, in, bytes, stream),
                               "data cannot be copied on the device");
    return hanji_gpu_end(c, stream, rc);
}

int hanji_gpu_zero(hanji_gpu_pointer out, size_t bytes, hanji_gpu *gpu, void *stream)
{
    if (gpu == NULL || (bytes > 0 && out == 0))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    int rc = hanji_gpu_begin(c, stream, CAPTURE_ALLOWED);
    if (rc != HANJI_OK)
        return rc;
    if (bytes > 0)
        rc = hanji_gpu_checked(c, c->driver.fill(out, 0, bytes, stream),
                               "device memory cannot be zeroed");
    return hanji_gpu_end(c, stream, rc);
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
    if (stream == other)
        return HANJI_OK;
    context *c = context_of(gpu);
    int rc = hanji_gpu_begin(c, stream, CAPTURE_ALLOWED);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_gpu_queue_behind(c, stream, other);
    hanji_gpu_leave(c);
    return rc;
}

int hanji_gpu_record_stream(hanji_gpu *gpu, void *stream)
{
    if (gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    const int rc = hanji_gpu_begin(c, stream, CAPTURE_REFUSED);
    return rc != HANJI_OK ? rc : hanji_gpu_end(c, stream, HANJI_OK);
}

int hanji_gpu_check_stream(hanji_gpu *gpu, void *stream)
{
    if (gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    const int rc = hanji_gpu_begin(c, stream, CAPTURE_REFUSED);
    if (rc == HANJI_OK)
        hanji_gpu_leave(c);
    return rc;
}

void *hanji_gpu_own_stream(const hanji_gpu *gpu)
{
    return gpu == NULL ? NULL : ((const context *)(const void *)gpu)->own;
}
