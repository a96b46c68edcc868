/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of hanji/gpu.h on one key, over device memory and over host memory. */
#include <string.h>

#include "gpu/work.h"
#include "support/bytes.h"

int hanji_gpu_has(const hanji_cipher *cipher, int fleet)
{
    const row *r = hanji_gpu_find(cipher);
    return r != NULL && (!fleet || r->fleet != 0);
}

int hanji_gpu_key_set_limit(uint64_t blocks, hanji_gpu_key *key)
{
    if (key == NULL || key_of(key)->c == NULL)
        return HANJI_E_ARGUMENT;
    key_of(key)->limit = blocks;
    return HANJI_OK;
}

void hanji_gpu_key_close(hanji_gpu_key *key)
{
    if (key == NULL)
        return;
    keyed *k = key_of(key);
    if (k->c != NULL && hanji_gpu_enter(k->c) == HANJI_OK) {
        hanji_gpu_drop_key(k);
        hanji_gpu_leave(k->c);
    }
    memset(key, 0, sizeof *key);
}

int hanji_gpu_key_open(hanji_gpu_key *key, const uint8_t *bytes, size_t key_bytes,
                       const hanji_cipher *cipher, hanji_gpu *gpu)
{
    if (key == NULL)
        return HANJI_E_ARGUMENT;
    memset(key, 0, sizeof *key);
    if (bytes == NULL || cipher == NULL || gpu == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    const row *r = hanji_gpu_find(cipher);
    if (r == NULL)
        return hanji_gpu_failed(c, HANJI_E_UNSUPPORTED, "there are no GPU kernels for",
                                cipher->name);
    if (key_bytes != cipher->key_bytes)
        return HANJI_E_LENGTH;
    int rc = hanji_gpu_enter(c);
    if (rc != HANJI_OK)
        return rc;
    keyed *k = key_of(key);
    *k = (keyed){.c = c, .row = r, .cipher = cipher, .limit = UINT64_C(1) << cipher->limit_log2};
    rc = hanji_gpu_make_key(k, bytes);
    hanji_gpu_leave(c);
    if (rc != HANJI_OK)
        hanji_gpu_key_close(key);
    return rc;
}

/* Whether a text in device memory is missing, or overlaps its result but not in place. */
static int wrong_texts(cu_pointer out, cu_pointer in, size_t bytes)
{
    return (bytes > 0 && (out == 0 || in == 0)) || hanji_gpu_overlap(out, in, bytes);
}

/*
 * Queue an operation on device memory. With a counter it is CTR: the blocks are reserved first, and
 * no stream under capture is taken.
 */
static int run_on_device(keyed *k, int operation, const device_span spans[2], uint8_t *counter,
                         cu_handle stream)
{
    const size_t bytes = (size_t)spans[0].bytes;
    int rc = hanji_gpu_aligned(k->c, spans[0].at, spans[1].at);
    if (rc != HANJI_OK || bytes == 0)
        return rc;
    rc = hanji_gpu_begin_on(k->c, spans, 2, stream,
                            counter == NULL ? CAPTURE_ALLOWED : CAPTURE_REFUSED);
    if (rc != HANJI_OK)
        return rc;
    if (counter != NULL)
        rc = hanji_gpu_reserve(k, bytes);
    if (rc == HANJI_OK)
        rc = hanji_gpu_run_all(k, operation, spans[0].at, spans[1].at, bytes, counter, stream);
    return hanji_gpu_end(k->c, stream, rc);
}

int hanji_gpu_blocks(hanji_gpu_pointer out, hanji_gpu_pointer in, size_t bytes, int decrypt,
                     hanji_gpu_key *key, void *stream)
{
    if (key == NULL || key_of(key)->c == NULL || wrong_texts(out, in, bytes))
        return HANJI_E_ARGUMENT;
    keyed *k = key_of(key);
    if (bytes % (4u * k->row->words) != 0)
        return HANJI_E_LENGTH;
    const device_span spans[2] = {{out, bytes}, {in, bytes}};
    return run_on_device(k, decrypt ? DECRYPT : ENCRYPT, spans, NULL, stream);
}

int hanji_gpu_ctr(hanji_gpu_pointer out, hanji_gpu_pointer in, size_t bytes, uint8_t *counter,
                  hanji_gpu_key *key, void *stream)
{
    if (key == NULL || key_of(key)->c == NULL || counter == NULL || wrong_texts(out, in, bytes))
        return HANJI_E_ARGUMENT;
    const device_span spans[2] = {{out, bytes}, {in, bytes}};
    return run_on_device(key_of(key), CTR, spans, counter, stream);
}

/* Whether arrays in host memory are missing, or one that is written overlaps another. */
static int wrong_arrays(const uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *counter,
                        const hanji_gpu_key *key)
{
    const size_t block_bytes = 4u * ((const keyed *)(const void *)key)->row->words;
    return !valid(out, bytes) || !valid(in, bytes) || overlap_partly(out, bytes, in, bytes) ||
           overlap(out, bytes, key, sizeof *key) || overlap(in, bytes, key, sizeof *key) ||
           overlap(out, bytes, counter, block_bytes) || overlap(in, bytes, counter, block_bytes);
}

int hanji_gpu_ctr_host(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                       hanji_gpu_key *key)
{
    if (key == NULL || key_of(key)->c == NULL || counter == NULL ||
        wrong_arrays(out, in, bytes, counter, key))
        return HANJI_E_ARGUMENT;
    if (bytes == 0)
        return HANJI_OK;
    keyed *k = key_of(key);
    int rc = hanji_gpu_reserve(k, bytes);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_gpu_enter(k->c);
    if (rc == HANJI_OK) {
        rc = hanji_gpu_run_ctr_host(k, out, in, bytes, counter);
        hanji_gpu_leave(k->c);
    }
    if (rc != HANJI_OK)
        hanji_wipe(out, bytes);
    return rc;
}
