/* SPDX-License-Identifier: Apache-2.0 */
/* Copies between host and device that are waited for, through page-locked memory. */
#include "gpu/memory.h"

#include <string.h>

/* A piece of an upload: the bytes from `first` on, in page-locked memory. */
typedef struct piece {
    const hanji_gpu_source *source;
    uint8_t *locked;
    size_t first;
} piece;

static void write_range(void *work, size_t first, size_t last)
{
    const piece *p = work;
    p->source->write(p->source->from, p->locked + first, p->first + first, p->first + last);
}

/* Wait for a copy; the first error of both. */
static int finish(context *c, cu_handle stream, int rc)
{
    const int finished =
        hanji_gpu_checked(c, c->driver.stream_synchronize(stream), "the work on the device failed");
    return rc == HANJI_OK ? finished : rc;
}

static size_t piece_of(size_t bytes)
{
    return bytes < CHUNK_BYTES ? bytes : CHUNK_BYTES;
}

int hanji_gpu_upload_from(context *c, cu_pointer out, const hanji_gpu_source *source, size_t bytes,
                          cu_handle stream)
{
    piece p = {.source = source};
    int rc = bytes == 0 ? HANJI_OK : hanji_gpu_alloc_locked(c, &p.locked, piece_of(bytes));
    for (size_t now; p.first < bytes && rc == HANJI_OK; p.first += now) {
        now = piece_of(bytes - p.first);
        hanji_gpu_in_parts(c, now, write_range, &p);
        rc = hanji_gpu_checked(c, c->driver.to_device(out + p.first, p.locked, now, stream),
                               source->failed);
        rc = finish(c, stream, rc);
    }
    hanji_gpu_discard_locked(c, &p.locked, piece_of(bytes));
    return rc;
}

static void write_bytes(const void *from, uint8_t *out, size_t first, size_t last)
{
    memcpy(out, (const uint8_t *)from + first, last - first);
}

int hanji_gpu_upload_bytes(context *c, cu_pointer out, const uint8_t *in, size_t bytes,
                           cu_handle stream)
{
    const hanji_gpu_source source = {write_bytes, in, "data cannot be copied to the device"};
    return hanji_gpu_upload_from(c, out, &source, bytes, stream);
}

int hanji_gpu_download_bytes(context *c, uint8_t *out, cu_pointer in, size_t bytes,
                             cu_handle stream)
{
    uint8_t *locked = NULL;
    int rc = bytes == 0 ? HANJI_OK : hanji_gpu_alloc_locked(c, &locked, piece_of(bytes));
    for (size_t done = 0, now; done < bytes && rc == HANJI_OK; done += now) {
        now = piece_of(bytes - done);
        rc = hanji_gpu_checked(c, c->driver.to_host(locked, in + done, now, stream),
                               "data cannot be copied from the device");
        rc = finish(c, stream, rc);
        if (rc == HANJI_OK)
            hanji_gpu_copy_host(c, out + done, locked, now);
    }
    hanji_gpu_discard_locked(c, &locked, piece_of(bytes));
    if (rc != HANJI_OK)
        hanji_wipe(out, bytes);
    return rc;
}
