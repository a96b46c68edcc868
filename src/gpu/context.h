/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layer 1, the driver: the state of an open device, how a call enters the device and says why it
 * failed, and the kernels of each algorithm. Every function of src/gpu that returns an int returns
 * HANJI_OK or an error, and the context then has the reason.
 *
 * The files of src/gpu lie in five layers. A file calls functions of its own layer and of those
 * below it, and no calls go around in a circle of files (tests/c/test_c_circles.py):
 *
 *   5  calls_device.c, calls_memory.c, calls_key.c, calls_fleet.c: the functions of hanji/gpu.h
 *   4  work.h: keys.c, ctr_host.c, fleet_device.c, fleet_chunks.c, fleet_host.c
 *   3  launch.h: launch.c, launch_fleet.c
 *   2  memory.h: parts.c, streams.c, pool.c, arrays.c, copies.c, equal.c, slots.c, pipeline.c
 *   1  context.h: driver.c, context.c, kernels.c
 */
#ifndef HANJI_GPU_CONTEXT_H
#define HANJI_GPU_CONTEXT_H

#include "gpu/gpu.h"
#include "support/cipher.h"

#define CIPHERS_MAX 32
#define SLOTS 4u       /* of a pipeline */
#define PARKED_MAX 64u /* pieces of memory kept to be used again */
#define EQUAL_KEPT 4u  /* arrays of offsets */

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
    parked parked[PARKED_MAX];
    equal_offsets equal[EQUAL_KEPT];
    uint64_t equal_used;
    hanji_gpu_helpers *helpers; /* NULL: the calling thread alone */
    void *helper;
    /* loaded when first needed; of ciphers that share a file, by the first of them */
    cu_handle modules[CIPHERS_MAX][FILES];
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

static inline context *context_of(hanji_gpu *gpu)
{
    return (context *)(void *)gpu;
}

/* Entering and failing: context.c */

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

/* Which kernels there are, loaded when first needed: kernels.c */

/* The kernels of a cipher on the device; NULL: none. */
const row *hanji_gpu_find(const hanji_cipher *cipher);
/* Those of a cipher that must have some for a key per message; HANJI_E_UNSUPPORTED: it has none. */
int hanji_gpu_find_fleet(context *c, const row **found, const hanji_cipher *cipher);
/* The AEADs, by their numbers. */
extern const sponge_row hanji_gpu_sponges[SPONGES];
/*
 * The kernel of a cipher, or of an AEAD, whose name ends so. The current context is the device's.
 */
int hanji_gpu_function(context *c, const row *r, int file, const char *ending, cu_handle *found);
int hanji_gpu_sponge_function(context *c, int aead, const char *ending, cu_handle *found);
/* Unload all of them; for the end of a context. */
void hanji_gpu_unload(context *c);

#endif
