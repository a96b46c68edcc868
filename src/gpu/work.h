/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Layer 4, algorithms: keys, texts and fleets, in device memory and in host memory. Arguments are
 * checked, but for those of hanji_gpu_run_ctr() and hanji_gpu_run_aead(), which Python calls, too:
 * fleet_host.c defines these, gpu.h declares them.
 */
#ifndef HANJI_GPU_WORK_H
#define HANJI_GPU_WORK_H

#include "gpu/launch.h"

/* Keys: keys.c */

/*
 * Make the round keys and put them on the device. They must be dropped, on failure too. The current
 * context is the device's.
 */
int hanji_gpu_make_key(keyed *k, const uint8_t *bytes);
/* Wipe them after the work that uses them; returns at once. */
void hanji_gpu_drop_key(keyed *k);
/* Reserve the blocks of so many bytes under the limit. */
int hanji_gpu_reserve(keyed *k, size_t bytes);
/* Note that a call would need more blocks than the limit allows: HANJI_E_LIMIT. */
int hanji_gpu_beyond_limit(context *c);

/* A text in host memory under one key: ctr_host.c */

int hanji_gpu_run_ctr_host(keyed *k, uint8_t *out, const uint8_t *in, size_t bytes,
                           uint8_t *counter);

/* Fleets in device memory: fleet_device.c */

/* `offsets` of `a` 0: messages of `length` bytes, side by side. */
int hanji_gpu_ctr_on_device(context *c, const row *r, const hanji_cipher *cipher, fleet_arrays a,
                            size_t length, cu_handle stream);
int hanji_gpu_sponge_on_device(context *c, int aead, const hanji_gpu_sponge *arrays, int open,
                               cu_handle stream);

/* Fleets in host memory, cut into chunks: fleet_chunks.c */

/* Messages, or their associated data: message i lies from offsets[i] to offsets[i + 1]. */
typedef struct texts {
    const int64_t *offsets; /* NULL: all have one length, */
    size_t length;          /* this, and lie side by side */
    size_t first;           /* from here on */
} texts;

/* One call: what is done to the fleet. */
typedef struct fleet_work {
    const hanji_fleet *fleet;
    const hanji_cipher *cipher; /* of CTR; NULL: an AEAD */
    const row *row;
    int aead;   /* number of the AEAD */
    int open;   /* AEAD: open, not seal */
    int single; /* CTR: all messages have one block */
    int beyond; /* CTR: some message is beyond the limit */
    size_t key_bytes;
    uint64_t limit;   /* CTR: blocks of a message */
    uint64_t longest; /* the same in bytes */
    texts text, ad;
    size_t chunk;                   /* bytes of a slot */
    size_t begun;                   /* messages whose outputs have pages */
    cu_pointer offsets, ad_offsets; /* on the device, of messages of one length */
    int locked_keys, locked_nonces, locked_ad, locked_tags, locked_in, locked_out, locked_status;
} fleet_work;

/* Where the arrays of a chunk lie in its slot. */
typedef struct places {
    size_t keys, nonces, offsets, ad, ad_offsets, tags, data, data_end, status, end;
} places;

static inline size_t message_bytes(const texts *t, size_t first, size_t last)
{
    return t->offsets == NULL ? t->length * (last - first)
                              : (size_t)(t->offsets[last] - t->offsets[first]);
}

static inline size_t message_at(const texts *t, size_t message)
{
    return t->offsets == NULL ? t->first + t->length * message : (size_t)t->offsets[message];
}

static inline size_t offset_bytes(const texts *t, size_t n)
{
    return t->offsets == NULL ? 0 : (n + 1) * sizeof(int64_t);
}

static inline int beyond_limit(const fleet_work *w, size_t message)
{
    return w->beyond && message_bytes(&w->text, message, message + 1) > w->longest;
}

/* One look at the lengths of all messages, for what most calls need not ask for each. */
void hanji_gpu_look_at_lengths(fleet_work *w);
/* Where the arrays of the messages first to last lie. */
places hanji_gpu_lay_out(const fleet_work *w, size_t first, size_t last);
/* The next chunk at or after `first` with something to do: 1, or 0 when there is none. */
int hanji_gpu_next_chunk(const fleet_work *w, size_t *first, size_t *last);

#endif
