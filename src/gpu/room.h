/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the files of the room: contexts, keys, launches, memory and the pipeline. Every
 * function that returns an int returns HANJI_OK or an error, and the context then has the reason.
 */
#ifndef HANJI_GPU_ROOM_H
#define HANJI_GPU_ROOM_H

#include "gpu/gpu.h"
#include "hanji/aead.h"
#include "support/cipher.h"

#define CIPHERS_MOST 32
#define VECTOR 16u
#define STREAM_THREADS 256u
#define SLICED_THREADS 128u
/* Break-even of bit slices on an H200, per multiprocessor: bytes, and messages of fleets. */
#define SLICED_LEAST ((size_t)96 << 10)
#define SLICED_FLEET_LEAST ((size_t)3400)
#define WARP 32u
/*
 * Of host memory in a slot: small chunks stay in the cache between two copies, large ones have
 * enough long messages for all of the device.
 */
#define CHUNK_BYTES ((size_t)16 << 20)
#define CHUNK_LEAST ((size_t)8 << 20)
#define CHUNK_MESSAGES ((size_t)32 << 10)
#define SLOTS 4u
#define PART_BYTES ((size_t)64 << 10)  /* that a helper copies at once */
#define PAGE ((size_t)4 << 10)         /* of memory, the smallest */
#define WINDOW ((size_t)2 << 20)       /* the size of its large pages */
#define FRESH_BYTES ((size_t)32 << 20) /* of new memory at once, for many helpers */
/* Messages of one length in a launch: with the end of the last, no more than a power of two. */
#define EQUAL_MOST (((size_t)4 << 20) - VECTOR)
#define EQUAL_KEPT 4u
#define PARKED_MOST 64u
#define PARKED_BYTES ((size_t)512 << 20) /* of device memory, kept to be used again */

/* The kernels of a cipher on the device. */
typedef struct row {
    const char *cipher; /* printed name */
    const char *entry;  /* in the names of its entries */
    const char *file;   /* the PTX with its kernels on words */
    uint8_t word_bits;  /* of the cipher */
    uint8_t words;      /* of 32 bits in a block */
    uint8_t sliced;     /* 1: kernels in bit slices, 2: all but decryption, and for few blocks */
    uint8_t fleet;      /* 1: kernels for a key per message, 2: in bit slices too */
    uint16_t round_keys;
} row;

enum { WORDS, SLICED, FLEET, FILES }; /* PTX files of a cipher */

/*
 * Memory given back, to be used again: of the device, or page-locked. Nobody uses it after
 * `event`; NULL: nobody does. `held`: the default stream has not been waited for, because it must
 * not be used while another one is being captured.
 */
typedef struct parked {
    cu_pointer device;
    uint8_t *host;
    size_t bytes; /* as reserved */
    cu_handle event;
    int held;
} parked;

/* The kernels of an AEAD on the device, and the sizes that fleets have. */
typedef struct sponge_row {
    const char *name;  /* printed */
    const char *entry; /* in the names of its entries */
    const char *file;
    uint8_t nonce_bytes;
    uint64_t limit; /* blocks of SPONGE_TAG bytes under one key; 0: nobody reaches it */
} sponge_row;

enum { SPONGES = HANJI_GPU_AEADS };
enum { SPONGE_KEY = 16, SPONGE_TAG = 16 }; /* bytes, of all of them */

/*
 * Offsets 0, length, 2 length, .. of messages of one length, in device memory. They depend on
 * lengths alone.
 */
typedef struct equal_offsets {
    cu_pointer memory; /* 0: none */
    size_t length, count;
    uint64_t used; /* when last: a number that grows */
} equal_offsets;

/* The contents of hanji_gpu. */
typedef struct context {
    cu_driver driver;
    cu_handle primary;
    /*
     * Memory given back is wiped in this stream. It waits for all streams that used
     * memory of ours (hanji_gpu_note), and for no others: it is not ordered with the default one.
     */
    cu_handle own;
    cu_handle mark;           /* every hanji_gpu_note() records this event anew */
    cu_handle streams[SLOTS]; /* of pipelines */
    parked parked[PARKED_MOST];
    equal_offsets equal[EQUAL_KEPT];
    uint64_t equal_used;
    hanji_gpu_helpers *helpers; /* NULL: the calling thread alone */
    void *helper;
    /* loaded when first needed; of ciphers that share a file, by the first of them */
    cu_handle modules[CIPHERS_MOST][FILES];
    cu_handle sponges[SPONGES]; /* the modules of the AEADs */
    cu_device device;
    int number;     /* of the device, from 0 */
    int capability; /* 90 for 9.0 */
    int multiprocessors;
    int ready;
    int foreign; /* the caller's context is another one of this device than the primary one */
    int mode;    /* of capture, of the calling thread */
    char reason[256];
} context;
_Static_assert(sizeof(context) <= sizeof(hanji_gpu), "hanji_gpu is too small");

/* The contents of hanji_gpu_key. */
typedef struct keyed {
    context *c;
    const row *row;
    const hanji_cipher *cipher;
    cu_pointer keys, masks;
    size_t key_bytes, mask_bytes;
    uint64_t used, limit;
} keyed;
_Static_assert(sizeof(keyed) <= sizeof(hanji_gpu_key), "hanji_gpu_key is too small");

static inline context *context_of(hanji_gpu *gpu)
{
    return (context *)(void *)gpu;
}

static inline keyed *key_of(hanji_gpu_key *key)
{
    return (keyed *)(void *)key;
}

/* Contexts and errors: device.c */

/* Note why a call failed; returns `code`. */
int hanji_gpu_failed(context *c, int code, const char *what, const char *detail);
/* HANJI_OK, or HANJI_E_DEVICE with a reason. */
int hanji_gpu_checked(context *c, cu_result result, const char *what);
/*
 * Make the device's context the current one; hanji_gpu_leave() after it. Between them this thread
 * may reserve, free and wait while another thread captures a stream, and its capture goes on.
 */
int hanji_gpu_enter(context *c);
void hanji_gpu_leave(context *c);

#define TRY(call, what)                                   \
    do {                                                  \
        const int rc_ = hanji_gpu_checked(c, call, what); \
        if (rc_ != HANJI_OK)                              \
            return rc_;                                   \
    } while (0)

/* Kernels and streams of one key: launch.c */

/* The kernels of a cipher on the device; NULL: none. */
const row *hanji_gpu_find(const hanji_cipher *cipher);
/* Load a PTX file into `module`, if it is not loaded. The current context is the device's. */
int hanji_gpu_load_image(context *c, cu_handle *module, const char *file, const char *ending);
/* The kernel of a cipher whose name ends so; its file is loaded when first needed. */
int hanji_gpu_function(context *c, const row *r, int file, const char *ending, cu_handle *found);
/* One launch of so many threads. */
int hanji_gpu_launch(context *c, cu_handle kernel, uint64_t threads, unsigned block,
                     cu_handle stream, void **parameters);
/* Any number of bytes. `counter`: NULL, or the first counter block; it is advanced. */
int hanji_gpu_run_all(keyed *k, int operation, cu_pointer out, cu_pointer in, size_t bytes,
                      uint8_t *counter, cu_handle stream);

/* Memory: memory.c */

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
/* Refuse a stream of another context than the device's primary one. */
int hanji_gpu_belongs(context *c, cu_handle stream);
/* Refuse memory of another context of this device. */
int hanji_gpu_memory_belongs(context *c, cu_pointer memory);
/*
 * Refuse a stream of another context, and one that is being captured: the launch would come again
 * with the same counter whenever the graph is launched.
 */
int hanji_gpu_usable(context *c, cu_handle stream);
/*
 * Memory given back from now on waits for all work queued in the stream now. Nothing for a
 * stream under capture.
 */
int hanji_gpu_note(context *c, cu_handle stream);
/* hanji_gpu_note() after work with the result `rc`, perhaps queued in part: the first error. */
int hanji_gpu_noted(context *c, cu_handle stream, int rc);
/* Device memory, new or used before, and then zero. */
int hanji_gpu_take(context *c, cu_pointer *memory, size_t bytes);
/* Zero device memory in a stream, wait for it, and keep the memory; nothing uses it any more. */
void hanji_gpu_discard(context *c, cu_pointer *memory, size_t bytes, cu_handle stream);
/* The same in the context's own stream, after all streams noted; returns at once. */
void hanji_gpu_discard_later(context *c, cu_pointer *memory, size_t bytes, int everybody);
/* Wipe and keep page-locked memory; nothing uses it any more. */
void hanji_gpu_discard_locked(context *c, uint8_t **memory, size_t bytes);
/* Page-locked memory. */
int hanji_gpu_alloc_locked(context *c, uint8_t **memory, size_t bytes);
/* Free all kept memory; for the end of a context. */
void hanji_gpu_release(context *c);
/*
 * Copy between host and device and wait for it. Through page-locked memory, because the driver's
 * own buffers for other memory cannot be wiped.
 */
int hanji_gpu_carry(context *c, cu_pointer device, uint8_t *out, const uint8_t *in, size_t bytes,
                    cu_handle stream);

/* Host memory in parts: parts.c */

typedef void hanji_gpu_range(void *work, size_t first, size_t last);
/* Let the helpers do all ranges of so many bytes, each in a multiple of 256 bytes; wait for all. */
void hanji_gpu_in_parts(context *c, size_t bytes, hanji_gpu_range *range, void *work);
/* hanji_wipe() and memcpy() with the helpers. */
void hanji_gpu_wipe(context *c, uint8_t *memory, size_t bytes);
void hanji_gpu_copy_host(context *c, uint8_t *out, const uint8_t *in, size_t bytes);

/* Offsets of messages of one length: equal.c */

/*
 * Those of at least `messages` messages, at most EQUAL_MOST. They stay as long as the context notes
 * the work that uses them, and at least until EQUAL_KEPT others have been asked for.
 */
int hanji_gpu_equal_offsets(context *c, cu_pointer *offsets, size_t length, size_t messages);
/* Give all of them back; for the end of a context. */
void hanji_gpu_forget_equal(context *c);

/* Keys: keys.c */

/* Reserve the blocks of so many bytes under the limit. */
int hanji_gpu_reserve(keyed *k, size_t bytes);

/* The pipeline for host memory: pipeline.c */

/* What the host fills and empties while the device works on the others. */
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
 * to the pages of `fresh` memory meanwhile: parts.c
 */
int hanji_gpu_send(context *c, slot *s, const section *all, size_t count, const area *fresh);
/* Copy what has arrived to the caller: parts.c */
void hanji_gpu_deliver(context *c, slot *s);

typedef struct pipeline {
    context *c;
    size_t bytes; /* in a slot */
    size_t turn;
    slot slots[SLOTS];
} pipeline;

/* Make stream number so much of the context, if it is not there; calls leave nothing in it. */
int hanji_gpu_stream(context *c, size_t number);
/* Slots for `chunks` chunks. The pipeline must be closed, on failure too. */
int hanji_gpu_pipeline_open(pipeline *p, context *c, size_t bytes, size_t chunks, int buffers);
/* The slot for the next chunk, whose earlier one has been delivered. */
int hanji_gpu_pipeline_next(pipeline *p, slot **next);
/* Deliver all that is in work, in the order in which it was begun. */
int hanji_gpu_pipeline_finish(pipeline *p);
/* Wait for all work, wipe and free. */
void hanji_gpu_pipeline_close(pipeline *p);
/*
 * Whether all of the memory lies in one page-locked range, so the device may copy from it and to it
 * at any time.
 */
int hanji_gpu_is_locked(context *c, const uint8_t *memory, size_t bytes);

/* Fleets in device memory: fleet_device.c */

extern const sponge_row hanji_gpu_sponges[SPONGES];

typedef struct fleet_arrays {
    cu_pointer out, in, keys, counters, offsets;
} fleet_arrays;

/* Queue the kernels for `messages` messages, less than 2^32. */
int hanji_gpu_run_fleet(context *c, const row *r, const hanji_cipher *cipher, fleet_arrays a,
                        size_t messages, cu_handle stream);
/* Queue the kernel of an AEAD that seals or opens n messages in device memory. */
int hanji_gpu_run_sponge(context *c, int aead, const hanji_gpu_sponge *arrays, int open,
                         cu_handle stream);

#endif
