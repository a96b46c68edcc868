/* SPDX-License-Identifier: Apache-2.0 */
/* Which kernels do which messages of a fleet. */
#include "gpu/launch.h"

#define SLICED_MESSAGES 1024u /* of a warp */

void hanji_gpu_skip(fleet_arrays *a, size_t messages, size_t length, const hanji_cipher *cipher)
{
    a->out += length * messages;
    a->in += length * messages;
    a->keys += cipher->key_bytes * messages;
    a->counters += cipher->block_bytes * messages;
    a->messages -= messages;
}

/* Messages with offsets. */
static int run_ragged(context *c, const row *r, fleet_arrays a, cu_handle stream)
{
    cu_handle kernel;
    uint32_t count = (uint32_t)a.messages;
    void *parameters[] = {&a.out, &a.in, &a.keys, &a.counters, &a.offsets, &count};
    const int rc = hanji_gpu_function(c, r, FLEET, "fleet_x1", &kernel);
    return rc != HANJI_OK
               ? rc
               : hanji_gpu_launch(c, kernel, a.messages, STREAM_THREADS, stream, parameters);
}

/* As many messages of one block as whole warps in bit slices have, where they pay. */
static int run_slices(context *c, const row *r, const hanji_cipher *cipher, fleet_arrays *a,
                      cu_handle stream)
{
    if (r->fleet != 2 || a->messages < SLICED_FLEET_MIN * (size_t)c->multiprocessors)
        return HANJI_OK;
    for (size_t warps = a->messages / SLICED_MESSAGES, now; warps > 0; warps -= now) {
        unsigned block;
        cu_handle kernel;
        void *parameters[] = {&a->out, &a->in, &a->keys, &a->counters};
        now = hanji_gpu_sliced_warps(warps, &block);
        int rc = hanji_gpu_function(c, r, FLEET, "fleet_x32", &kernel);
        if (rc == HANJI_OK)
            rc = hanji_gpu_launch(c, kernel, (uint64_t)now * WARP, block, stream, parameters);
        if (rc != HANJI_OK)
            return rc;
        hanji_gpu_skip(a, SLICED_MESSAGES * now, cipher->block_bytes, cipher);
    }
    return HANJI_OK;
}

int hanji_gpu_run_fleet(context *c, const row *r, const hanji_cipher *cipher, fleet_arrays a,
                        cu_handle stream)
{
    if (a.offsets != 0)
        return run_ragged(c, r, a, stream);
    int rc = run_slices(c, r, cipher, &a, stream);
    if (rc != HANJI_OK || a.messages == 0)
        return rc;
    cu_handle kernel;
    uint32_t count = (uint32_t)a.messages;
    void *parameters[] = {&a.out, &a.in, &a.keys, &a.counters, &count};
    rc = hanji_gpu_function(c, r, FLEET, "fleet_x2", &kernel);
    return rc != HANJI_OK ? rc
                          : hanji_gpu_launch(c, kernel, ((uint64_t)count + 1) / 2, STREAM_THREADS,
                                             stream, parameters);
}

int hanji_gpu_run_sponge(context *c, int aead, const hanji_gpu_sponge *arrays, int open,
                         cu_handle stream)
{
    cu_handle kernel;
    hanji_gpu_sponge a = *arrays;
    uint32_t messages = (uint32_t)a.messages;
    const int rc = hanji_gpu_sponge_function(c, aead, open ? "open_x1" : "seal_x1", &kernel);
    if (rc != HANJI_OK)
        return rc;
    void *parameters[] = {&a.out,     &a.in, &a.keys,       &a.nonces, &a.tags,
                          &a.offsets, &a.ad, &a.ad_offsets, &a.status, &messages};
    return hanji_gpu_launch(c, kernel, messages, SLICED_THREADS, stream, parameters);
}
