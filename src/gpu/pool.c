/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory given back and used again: calls reserve nothing after the first.
 *
 * The context's own stream waits for every stream in which the library queued work
 * (hanji_gpu_note), so memory given back is wiped there, after its last use, and nobody waits.
 */
#include "gpu/memory.h"

#define OUT_OF_MEMORY 2
#define PARKED_BYTES ((size_t)512 << 20) /* of device memory, kept to be used again */

/* Sizes in eight steps for each power of two: calls of about the same size share memory. */
static size_t rounded(size_t bytes)
{
    size_t step = 256;
    if (bytes > SIZE_MAX / 2)
        return bytes;
    while (step < bytes / 8)
        step *= 2;
    return (bytes + step - 1) / step * step;
}

/*
 * Let the own stream wait for the default one: 1, or 0 while somebody captures a stream that the
 * default one is ordered with. Using it would break the capture.
 */
static int after_default(context *c)
{
    int status = 0;
    if (c->driver.stream_capturing(NULL, &status) != 0 || status != 0)
        return 0;
    (void)hanji_gpu_note(c, NULL);
    return 1;
}

static void forget_event(context *c, parked *p)
{
    if (p->event != NULL)
        (void)c->driver.event_destroy(p->event);
    p->event = NULL;
}

/* Queue the wiping, and mark its end; where it cannot be marked, wait for it. */
static void settle(context *c, parked *p)
{
    p->held = 0;
    if (p->device != 0)
        (void)c->driver.fill(p->device, 0, p->bytes, c->own);
    if (c->driver.event_create(&p->event, CU_EVENT_NO_TIMING) != 0)
        p->event = NULL;
    if (p->event != NULL && c->driver.event_record(p->event, c->own) == 0)
        return;
    (void)c->driver.stream_synchronize(c->own);
    forget_event(c, p);
    if (p->host != NULL)
        hanji_wipe(p->host, p->bytes);
}

/* Whether nobody uses it any more; page-locked memory is then wiped. */
static int is_free(context *c, parked *p)
{
    if (p->held) {
        if (!after_default(c))
            return 0;
        settle(c, p);
    }
    if (p->event == NULL)
        return 1;
    if (c->driver.event_query(p->event) != 0)
        return 0;
    forget_event(c, p);
    if (p->host != NULL)
        hanji_wipe(p->host, p->bytes);
    return 1;
}

/* Free memory without users. */
static void drop(context *c, parked *p)
{
    if (p->device != 0)
        (void)c->driver.free(p->device);
    if (p->host != NULL)
        (void)c->driver.host_free(p->host);
    *p = (parked){.bytes = 0};
}

static size_t kept(const context *c)
{
    size_t bytes = 0;
    for (size_t i = 0; i < PARKED_MAX; i++)
        bytes += c->parked[i].bytes;
    return bytes;
}

/* Wipe memory without users, and free as much as is above the limit. */
static void reap(context *c)
{
    for (size_t i = 0; i < PARKED_MAX; i++) {
        parked *const p = &c->parked[i];
        const int host = p->host != NULL && p->event != NULL, much = kept(c) > PARKED_BYTES;
        if (p->bytes != 0 && (host || p->held || much) && is_free(c, p) && much)
            drop(c, p);
    }
}

/* An empty place. Where there is none, memory without users goes, else the first after a wait. */
static parked *empty_place(context *c)
{
    for (size_t i = 0; i < PARKED_MAX; i++)
        if (c->parked[i].bytes == 0)
            return &c->parked[i];
    parked *found = NULL;
    for (size_t i = 0; i < PARKED_MAX && found == NULL; i++)
        if (is_free(c, &c->parked[i]))
            found = &c->parked[i];
    if (found == NULL) {
        found = &c->parked[0];
        if (found->held) /* wiped at least; the default stream cannot be awaited now */
            settle(c, found);
        (void)c->driver.stream_synchronize(c->own);
        (void)is_free(c, found);
        forget_event(c, found);
    }
    drop(c, found);
    return found;
}

/* The place of memory of this size without users, of the device or page-locked; or NULL. */
static parked *find(context *c, size_t size, int host)
{
    reap(c);
    for (size_t i = 0; i < PARKED_MAX; i++) {
        parked *const p = &c->parked[i];
        if (p->bytes == size && (p->host != NULL) == host && is_free(c, p))
            return p;
    }
    return NULL;
}

int hanji_gpu_take(context *c, cu_pointer *memory, size_t bytes)
{
    const size_t size = rounded(bytes);
    parked *const p = find(c, size, 0);
    if (p != NULL) {
        *memory = p->device;
        *p = (parked){.bytes = 0};
        return HANJI_OK;
    }
    cu_result result = c->driver.alloc(memory, size);
    if (result == OUT_OF_MEMORY) {
        hanji_gpu_release(c);
        result = c->driver.alloc(memory, size);
    }
    if (result != 0)
        *memory = 0;
    return hanji_gpu_checked(c, result, "no device memory");
}

void hanji_gpu_discard(context *c, cu_pointer *memory, size_t bytes, cu_handle stream)
{
    if (*memory == 0)
        return;
    (void)c->driver.fill(*memory, 0, rounded(bytes), stream);
    (void)c->driver.stream_synchronize(stream);
    *empty_place(c) = (parked){.device = *memory, .bytes = rounded(bytes)};
    *memory = 0;
    reap(c);
}

/* Keep memory after the work noted, and with `everybody` the default stream's. */
static void park(context *c, parked memory, int everybody)
{
    parked *const p = empty_place(c);
    *p = memory;
    if (everybody && !after_default(c))
        p->held = 1;
    else
        settle(c, p);
    reap(c);
}

void hanji_gpu_discard_later(context *c, cu_pointer *memory, size_t bytes, int everybody)
{
    if (*memory != 0)
        park(c, (parked){.device = *memory, .bytes = rounded(bytes)}, everybody);
    *memory = 0;
}

void hanji_gpu_discard_locked_later(context *c, uint8_t *memory, size_t bytes)
{
    park(c, (parked){.host = memory, .bytes = rounded(bytes)}, 1);
}

void hanji_gpu_discard_locked(context *c, uint8_t **memory, size_t bytes)
{
    if (*memory == NULL)
        return;
    hanji_gpu_wipe(c, *memory, rounded(bytes));
    *empty_place(c) = (parked){.host = *memory, .bytes = rounded(bytes)};
    *memory = NULL;
    reap(c);
}

int hanji_gpu_alloc_locked(context *c, uint8_t **memory, size_t bytes)
{
    void *got = NULL;
    const size_t size = rounded(bytes);
    parked *const p = find(c, size, 1);
    if (p != NULL) {
        *memory = p->host;
        *p = (parked){.bytes = 0};
        return HANJI_OK;
    }
    const int rc =
        hanji_gpu_checked(c, c->driver.host_alloc(&got, size, 0), "no page-locked memory");
    *memory = rc == HANJI_OK ? got : NULL;
    return rc;
}

void hanji_gpu_release(context *c)
{
    for (size_t i = 0; i < PARKED_MAX; i++)
        if (c->parked[i].held)
            (void)is_free(c, &c->parked[i]);
    if (c->own != NULL)
        (void)c->driver.stream_synchronize(c->own);
    for (size_t i = 0; i < PARKED_MAX; i++) {
        parked *const p = &c->parked[i];
        if (p->bytes != 0) {
            forget_event(c, p);
            if (p->host != NULL)
                hanji_wipe(p->host, p->bytes);
            drop(c, p);
        }
    }
}
