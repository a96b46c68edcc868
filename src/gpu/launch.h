/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layer 3, launches: which kernel does which part of a text or of a fleet, all in device memory.
 * What the entries of the kernels expect stands in gpu.h.
 */
#ifndef HANJI_GPU_LAUNCH_H
#define HANJI_GPU_LAUNCH_H

#include "gpu/memory.h"

#define STREAM_THREADS 256u
#define SLICED_THREADS 128u
#define WARP 32u
/* Break-even of bit slices on an H200, per multiprocessor: bytes, and messages of fleets. */
#define SLICED_MIN ((size_t)96 << 10)
#define SLICED_FLEET_MIN ((size_t)3400)

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

static inline keyed *key_of(hanji_gpu_key *key)
{
    return (keyed *)(void *)key;
}

/* One launch, and texts under one key: launch.c */

/* One launch of so many threads. */
int hanji_gpu_launch(context *c, cu_handle kernel, uint64_t threads, unsigned block,
                     cu_handle stream, void **parameters);
/* How many of so many warps the next launch of a kernel in bit slices takes, and its CTAs. */
size_t hanji_gpu_sliced_warps(size_t warps, unsigned *block);

enum { ENCRYPT, DECRYPT, CTR }; /* operations on texts under one key */

/* Any number of bytes. `counter`: NULL, or the first counter block; it is advanced. */
int hanji_gpu_run_all(keyed *k, int operation, cu_pointer out, cu_pointer in, size_t bytes,
                      uint8_t *counter, cu_handle stream);

/* Fleets: launch_fleet.c */

/* Messages for CTR; `offsets` 0: all have one block. */
typedef struct fleet_arrays {
    cu_pointer out, in, keys, counters, offsets;
    size_t messages; /* less than 2^32 */
} fleet_arrays;

/* Go on after so many messages, of `length` bytes each. */
void hanji_gpu_skip(fleet_arrays *a, size_t messages, size_t length, const hanji_cipher *cipher);
/* Queue the kernels for all messages. */
int hanji_gpu_run_fleet(context *c, const row *r, const hanji_cipher *cipher, fleet_arrays a,
                        cu_handle stream);
/* Queue the kernel of an AEAD that seals or opens n messages in device memory. */
int hanji_gpu_run_sponge(context *c, int aead, const hanji_gpu_sponge *arrays, int open,
                         cu_handle stream);

#endif
