/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layer 2, memory and order: streams, memory of the device and page-locked memory, arrays of the
 * caller, copies, and the pipeline that takes host memory to the device and back.
 */
#ifndef HANJI_GPU_MEMORY_H
#define HANJI_GPU_MEMORY_H

#include "gpu/context.h"

#define VECTOR 16u
/*
 * Of host memory in a slot: small chunks stay in the cache between two copies, large ones have
 * enough long messages for all of the device.
 */
#define CHUNK_BYTES ((size_t)16 << 20)
#define PART_BYTES ((size_t)64 << 10) /* that a helper does at once */
/* Messages of one length in a launch: with the end of the last, no more than a power of two. */
#define EQUAL_MAX (((size_t)4 << 20) - VECTOR)

/* Host memory in parts: parts.c */

typedef void hanji_gpu_range(void *work, size_t first, size_t last);
/* All ranges of so many bytes, each in a multiple of 256 bytes. */
typedef struct hanji_gpu_parts {
    hanji_gpu_range *range;
    void *work;
    size_t bytes;
} hanji_gpu_parts;
/* How many parts so many bytes have, and the part `number` of a hanji_gpu_parts. */
size_t hanji_gpu_count_parts(size_t bytes);
void hanji_gpu_one_part(void *parts, size_t number);
/* Let the helpers do all parts; wait for all. */
void hanji_gpu_in_parts(context *c, size_t bytes, hanji_gpu_range *range, void *work);
/* hanji_wipe() and memcpy() with the helpers. */
void hanji_gpu_wipe(context *c, uint8_t *memory, size_t bytes);
void hanji_gpu_copy_host(context *c, uint8_t *out, const uint8_t *in, size_t bytes);

/* Streams: which may be used, and what waits for what: streams.c */

/* Make the context's own stream and its event, and destroy all streams of the context. */
int hanji_gpu_open_streams(context *c);
void hanji_gpu_close_streams(context *c);
/* Make stream number so much of the context, if it is not there; calls leave nothing in it. */
int hanji_gpu_stream(context *c, size_t number);
/*
 * Memory given back from now on waits for all work queued in the stream now. Nothing for a
 * stream under capture.
 */
int hanji_gpu_note(context *c, cu_handle stream);
/*
 * Begin a call that queues work in a stream: enter the device, and refuse a stream of another
 * context. With CAPTURE_REFUSED also refuse one that is being captured: the launch would come again
 * with the same counter whenever the graph is launched. After a failure the device has been left.
 */
enum { CAPTURE_ALLOWED, CAPTURE_REFUSED };
int hanji_gpu_begin(context *c, cu_handle stream, int capture);
/*
 * End it: note the stream after work with the result `rc`, perhaps queued in part, and leave the
 * device; the first error.
 */
int hanji_gpu_end(context *c, cu_handle stream, int rc);
/* Let a stream wait for the work queued in another one now, which may be of no other context. */
int hanji_gpu_queue_behind(context *c, cu_handle stream, cu_handle other);

/* Memory given back and used again: pool.c */

/* Device memory, new or used before, and then zero. */
int hanji_gpu_take(context *c, cu_pointer *memory, size_t bytes);
/* Zero device memory in a stream, wait for it, and keep the memory; nothing uses it any more. */
void hanji_gpu_discard(context *c, cu_pointer *memory, size_t bytes, cu_handle stream);
/*
 * The same in the context's own stream, after all streams noted, and with `everybody` after the
 * default stream; returns at once.
 */
void hanji_gpu_discard_later(context *c, cu_pointer *memory, size_t bytes, int everybody);
/* Page-locked memory. */
int hanji_gpu_alloc_locked(context *c, uint8_t **memory, size_t bytes);
/* Wipe and keep page-locked memory; nothing uses it any more. */
void hanji_gpu_discard_locked(context *c, uint8_t **memory, size_t bytes);
/* The same after all streams noted, and after the default stream; returns at once. */
void hanji_gpu_discard_locked_later(context *c, uint8_t *memory, size_t bytes);
/* Free all kept memory; for the end of a context. */
void hanji_gpu_release(context *c);

/* Arrays of the caller: arrays.c */

/* Arrays in device memory. Of texts whose lengths only the device knows, one byte. */
typedef struct device_span {
    cu_pointer at;
    uint64_t bytes;
} device_span;

/* HANJI_OK when both are multiples of 16. */
int hanji_gpu_aligned(context *c, cu_pointer out, cu_pointer in);
/* Whether a text overlaps another, but not in place. */
int hanji_gpu_overlap(cu_pointer out, cu_pointer in, size_t bytes);
/*
 * Whether none of the first `written` arrays shares a byte with another one. The first is the
 * output; `in` is the place of the input, which may begin where the output does.
 */
int hanji_gpu_apart(const device_span *spans, size_t count, size_t written, size_t in);
/*
 * hanji_gpu_begin() for work on these arrays: memory of another context of this device is refused,
 * too. Empty ones may lie anywhere.
 */
int hanji_gpu_begin_on(context *c, const device_span *spans, size_t count, cu_handle stream,
                       int capture);
/*
 * Whether all of the host memory lies in one page-locked range, so the device may copy from it and
 * to it at any time.
 */
int hanji_gpu_is_locked(context *c, const uint8_t *memory, size_t bytes);

/* Copies that are waited for: copies.c */

/*
 * Where the bytes of an upload come from: `write` puts the bytes first to last of them to `out`, in
 * any thread; `failed` says what cannot be done when the driver refuses the copy.
 */
typedef struct hanji_gpu_source {
    void (*write)(const void *from, uint8_t *out, size_t first, size_t last);
    const void *from;
    const char *failed;
} hanji_gpu_source;

/*
 * Copy to the device or from it, and wait for it. Through page-locked memory, because the driver's
 * own buffers for other memory cannot be wiped. A download that fails leaves zeros.
 */
int hanji_gpu_upload_from(context *c, cu_pointer out, const hanji_gpu_source *source, size_t bytes,
                          cu_handle stream);
int hanji_gpu_upload_bytes(context *c, cu_pointer out, const uint8_t *in, size_t bytes,
                           cu_handle stream);
int hanji_gpu_download_bytes(context *c, uint8_t *out, cu_pointer in, size_t bytes,
                             cu_handle stream);

/* Offsets of messages of one length: equal.c */

/*
 * Those of at least `messages` messages, at most EQUAL_MAX. They stay as long as the context notes
 * the work that uses them, and at least until EQUAL_KEPT others have been asked for.
 */
int hanji_gpu_equal_offsets(context *c, cu_pointer *offsets, size_t length, size_t messages);
/* Give all of them back; for the end of a context. */
void hanji_gpu_forget_equal(context *c);

/* What the host fills and empties while the device works: slots.c */

#define DELIVERIES 3

typedef struct slot {
    cu_handle stream;
    uint8_t *host;
    cu_pointer device;
    struct {
        uint8_t *to;
        size_t at, bytes;
    } deliveries
        [DELIVERIES]; /* what goes to the caller when the stream is done; `to` NULL: nothing */
} slot;

/*
 * What goes into a slot, side by side and in order; what is `locked` goes from where it lies to the
 * device.
 */
typedef struct section {
    size_t at, bytes; /* in the slot */
    const uint8_t *from;
    size_t each, stride;    /* of rows: bytes, and from one to the next; equal: side by side */
    const int64_t *offsets; /* in place of `from`: numbers, of which the first is taken away */
    int locked;
} section;

/* Memory of the caller that slots will be copied to, and that may be new: nothing is lost there. */
#define FRESH 2
typedef struct area {
    uint8_t *at;
    size_t bytes; /* 0: none */
} area;

/*
 * Fill the buffer of a slot, where it needs one, and queue the copies to the device; helpers write
 * to the pages of `fresh` memory meanwhile.
 */
int hanji_gpu_send(context *c, slot *s, const section *all, size_t count, const area *fresh);
/* Copy what has arrived to the caller. */
void hanji_gpu_deliver(context *c, slot *s);

/* Slots that take turns: pipeline.c */

typedef struct pipeline {
    context *c;
    size_t bytes; /* in a slot */
    size_t turn;
    slot slots[SLOTS];
} pipeline;

/* Slots for `chunks` chunks. The pipeline must be closed, on failure too. */
int hanji_gpu_pipeline_open(pipeline *p, context *c, size_t bytes, size_t chunks, int buffers);
/* The slot for the next chunk, whose earlier one has been delivered. */
int hanji_gpu_pipeline_next(pipeline *p, slot **next);
/* Deliver all that is in work, in the order in which it was begun. */
int hanji_gpu_pipeline_finish(pipeline *p);
/* Wait for all work, wipe and free. */
void hanji_gpu_pipeline_close(pipeline *p);

#endif
