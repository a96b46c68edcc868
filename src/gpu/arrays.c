/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays of the caller: whether they lie where, and as, the kernels may use them. */
#include "gpu/memory.h"

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

/* Refuse memory of another context of this device. */
static int belongs(context *c, cu_pointer memory)
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

int hanji_gpu_begin_on(context *c, const device_span *spans, size_t count, cu_handle stream,
                       int capture)
{
    int rc = hanji_gpu_begin(c, stream, capture);
    if (rc != HANJI_OK)
        return rc;
    for (size_t i = 0; i < count && rc == HANJI_OK; i++)
        if (spans[i].bytes != 0)
            rc = belongs(c, spans[i].at);
    if (rc != HANJI_OK)
        hanji_gpu_leave(c);
    return rc;
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
