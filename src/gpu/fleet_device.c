/* SPDX-License-Identifier: Apache-2.0 */
/* Fleets whose arrays lie in device memory. */
#include "gpu/room.h"

#include <stdio.h>

int hanji_gpu_run_fleet(context *c, const row *r, const hanji_cipher *cipher, fleet_arrays a,
                        size_t messages, cu_handle stream)
{
    cu_handle kernel;
    uint32_t count = (uint32_t)messages;
    int rc;
    if (a.offsets != 0) {
        rc = hanji_gpu_function(c, r, FLEET, "fleet_x1", &kernel);
        void *parameters[] = {&a.out, &a.in, &a.keys, &a.counters, &a.offsets, &count};
        return rc != HANJI_OK
                   ? rc
                   : hanji_gpu_launch(c, kernel, messages, STREAM_THREADS, stream, parameters);
    }
    const int sliced = r->fleet == 2 && messages >= SLICED_FLEET_LEAST * (size_t)c->multiprocessors;
    size_t warps = sliced ? messages / 1024 : 0;
    while (warps > 0) {
        const unsigned block =
            warps * WARP >= SLICED_THREADS ? SLICED_THREADS : (unsigned)warps * WARP;
        const size_t now = warps * WARP / block * block / WARP, done = 1024 * now;
        void *parameters[] = {&a.out, &a.in, &a.keys, &a.counters};
        rc = hanji_gpu_function(c, r, FLEET, "fleet_x32", &kernel);
        if (rc == HANJI_OK)
            rc = hanji_gpu_launch(c, kernel, (uint64_t)now * WARP, block, stream, parameters);
        if (rc != HANJI_OK)
            return rc;
        a.out += cipher->block_bytes * done;
        a.in += cipher->block_bytes * done;
        a.keys += cipher->key_bytes * done;
        a.counters += cipher->block_bytes * done;
        count -= (uint32_t)done;
        warps -= now;
    }
    if (count == 0)
        return HANJI_OK;
    rc = hanji_gpu_function(c, r, FLEET, "fleet_x2", &kernel);
    void *parameters[] = {&a.out, &a.in, &a.keys, &a.counters, &count};
    return rc != HANJI_OK ? rc
                          : hanji_gpu_launch(c, kernel, ((uint64_t)count + 1) / 2, STREAM_THREADS,
                                             stream, parameters);
}

/* So many messages in a launch: those without offsets take what the context keeps. */
static size_t in_a_launch(size_t messages, int equal)
{
    return equal && messages > EQUAL_MOST ? EQUAL_MOST : messages;
}

static int run_ctr(context *c, const row *r, const hanji_cipher *cipher, fleet_arrays a,
                   size_t length, size_t messages, cu_handle stream)
{
    const int equal = a.offsets == 0;
    if (equal && length == cipher->block_bytes && (a.out | a.in) % VECTOR == 0)
        return hanji_gpu_run_fleet(c, r, cipher, a, messages, stream);
    int rc =
        equal ? hanji_gpu_equal_offsets(c, &a.offsets, length, in_a_launch(messages, 1)) : HANJI_OK;
    for (size_t done = 0, now; done < messages && rc == HANJI_OK; done += now) {
        now = in_a_launch(messages - done, equal);
        rc = hanji_gpu_run_fleet(c, r, cipher, a, now, stream);
        a.out += length * now;
        a.in += length * now;
        a.keys += cipher->key_bytes * now;
        a.counters += cipher->block_bytes * now;
    }
    return rc;
}

int hanji_gpu_fleet_ctr(hanji_gpu_pointer out, hanji_gpu_pointer in, hanji_gpu_pointer keys,
                        hanji_gpu_pointer counters, hanji_gpu_pointer offsets, size_t length,
                        size_t messages, const hanji_cipher *cipher, hanji_gpu *gpu, void *stream)
{
    const uint64_t n = messages;
    if (gpu == NULL || cipher == NULL || messages >= UINT32_MAX ||
        (offsets == 0 && n > 0 && length > UINT64_MAX / n) ||
        (messages > 0 && (out == 0 || in == 0 || keys == 0 || counters == 0)))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    const row *r = hanji_gpu_find(cipher);
    if (r == NULL || r->fleet == 0)
        return hanji_gpu_failed(c, HANJI_E_UNSUPPORTED,
                                "there are no GPU kernels with a key per message for",
                                cipher->name);
    int rc = hanji_gpu_aligned(c, keys | counters, offsets);
    if (rc != HANJI_OK || messages == 0)
        return rc;
    const uint64_t text = offsets == 0 ? n * length : 1;
    const device_span spans[] = {{out, text},
                                 {in, text},
                                 {keys, n * cipher->key_bytes},
                                 {counters, n * cipher->block_bytes},
                                 {offsets, offsets == 0 ? 0 : 8 * (n + 1)}};
    if (!hanji_gpu_apart(spans, 5, 1, 1))
        return hanji_gpu_failed(
            c, HANJI_E_ARGUMENT,
            "the output overlaps another array; it may only begin where the input does", NULL);
    rc = hanji_gpu_enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_gpu_usable(c, stream);
    for (size_t i = 0; i < 5 && rc == HANJI_OK; i++)
        if (spans[i].bytes != 0)
            rc = hanji_gpu_memory_belongs(c, spans[i].at);
    if (rc == HANJI_OK)
        rc = run_ctr(c, r, cipher, (fleet_arrays){out, in, keys, counters, offsets}, length,
                     messages, stream);
    rc = hanji_gpu_noted(c, stream, rc);
    hanji_gpu_leave(c);
    return rc;
}

const sponge_row hanji_gpu_sponges[SPONGES] = {
    {"SCHWAEMM256-128", "schwaemm256_128", "schwaemm256_sm75", HANJI_SCHWAEMM256_128_NONCE_BYTES,
     0},
    {"Ascon-AEAD128", "ascon_aead128", "ascon_sm75", HANJI_ASCON_AEAD128_NONCE_BYTES,
     HANJI_ASCON_AEAD128_LIMIT_BLOCKS},
};

int hanji_gpu_run_sponge(context *c, int aead, const hanji_gpu_sponge *arrays, int open,
                         cu_handle stream)
{
    const sponge_row *kernels = &hanji_gpu_sponges[aead];
    char name[80];
    cu_handle kernel;
    hanji_gpu_sponge a = *arrays;
    uint32_t messages = (uint32_t)a.messages;
    int rc = hanji_gpu_load_image(c, &c->sponges[aead], kernels->file, "_fleet");
    snprintf(name, sizeof name, "hanji_%s_sm75_%s_x1", kernels->entry, open ? "open" : "seal");
    if (rc == HANJI_OK)
        rc = hanji_gpu_checked(c, c->driver.module_function(&kernel, c->sponges[aead], name),
                               "a kernel is missing");
    if (rc != HANJI_OK)
        return rc;
    void *parameters[] = {&a.out,     &a.in, &a.keys,       &a.nonces, &a.tags,
                          &a.offsets, &a.ad, &a.ad_offsets, &a.status, &messages};
    return hanji_gpu_launch(c, kernel, messages, SLICED_THREADS, stream, parameters);
}

static int run_aead(context *c, int aead, const hanji_gpu_sponge *arrays, int open,
                    cu_handle stream)
{
    hanji_gpu_sponge a = *arrays;
    const size_t n = a.messages;
    const int equal = a.offsets == 0, ad_equal = a.ad_offsets == 0;
    int rc = HANJI_OK;
    if (equal)
        rc = hanji_gpu_equal_offsets(c, &a.offsets, a.length, in_a_launch(n, 1));
    if (ad_equal && rc == HANJI_OK)
        rc = hanji_gpu_equal_offsets(c, &a.ad_offsets, a.ad_length, in_a_launch(n, 1));
    for (size_t done = 0; done < n && rc == HANJI_OK; done += a.messages) {
        a.messages = in_a_launch(n - done, equal || ad_equal);
        rc = hanji_gpu_run_sponge(c, aead, &a, open, stream);
        a.keys += SPONGE_KEY * a.messages;
        a.nonces += hanji_gpu_sponges[aead].nonce_bytes * a.messages;
        a.tags += SPONGE_TAG * a.messages;
        a.status += a.messages;
        if (equal) {
            a.out += a.length * a.messages;
            a.in += a.length * a.messages;
        } else {
            a.offsets += 8 * a.messages;
        }
        if (ad_equal)
            a.ad += a.ad_length * a.messages;
        else
            a.ad_offsets += 8 * a.messages;
    }
    return rc;
}

static int device_sponge(int aead, const hanji_gpu_sponge *arrays, int open, hanji_gpu *gpu,
                         void *stream)
{
    if (gpu == NULL || arrays == NULL || arrays->messages >= UINT32_MAX)
        return HANJI_E_ARGUMENT;
    if (arrays->messages == 0)
        return HANJI_OK;
    const uint64_t n = arrays->messages, end = 8 * (n + 1);
    const int equal = arrays->offsets == 0, ad_equal = arrays->ad_offsets == 0;
    if (arrays->keys == 0 || arrays->nonces == 0 || arrays->tags == 0 || arrays->status == 0 ||
        (equal && (arrays->length > UINT64_MAX / n ||
                   (arrays->length > 0 && (arrays->out == 0 || arrays->in == 0)))) ||
        (ad_equal &&
         (arrays->ad_length > UINT64_MAX / n || (arrays->ad_length > 0 && arrays->ad == 0))))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    const uint64_t text = equal ? n * arrays->length : 1, ad = ad_equal ? n * arrays->ad_length : 1;
    const device_span status = {arrays->status, n}, tags = {arrays->tags, SPONGE_TAG * n};
    const device_span spans[] = {{arrays->out, arrays->out != 0 ? text : 0},
                                 status,
                                 tags,
                                 {arrays->in, arrays->in != 0 ? text : 0},
                                 {arrays->ad, arrays->ad != 0 ? ad : 0},
                                 {arrays->keys, SPONGE_KEY * n},
                                 {arrays->nonces, hanji_gpu_sponges[aead].nonce_bytes * n},
                                 {arrays->offsets, equal ? 0 : end},
                                 {arrays->ad_offsets, ad_equal ? 0 : end}};
    if (!hanji_gpu_apart(spans, sizeof spans / sizeof spans[0], open ? 2 : 3, 3))
        return hanji_gpu_failed(
            c, HANJI_E_ARGUMENT,
            "an array that is written overlaps another; only the output may begin where the input does",
            NULL);
    int rc = hanji_gpu_aligned(c, arrays->keys | arrays->nonces | arrays->tags,
                               arrays->offsets | arrays->ad_offsets);
    if (rc == HANJI_OK)
        rc = hanji_gpu_enter(c);
    if (rc != HANJI_OK)
        return rc;
    rc = hanji_gpu_usable(c, stream);
    for (size_t i = 0; i < sizeof spans / sizeof spans[0] && rc == HANJI_OK; i++)
        if (spans[i].bytes != 0)
            rc = hanji_gpu_memory_belongs(c, spans[i].at);
    if (rc == HANJI_OK)
        rc = run_aead(c, aead, arrays, open, stream);
    rc = hanji_gpu_noted(c, stream, rc);
    hanji_gpu_leave(c);
    return rc;
}

int hanji_gpu_fleet_schwaemm256_128(const hanji_gpu_sponge *arrays, int open, hanji_gpu *gpu,
                                    void *stream)
{
    return device_sponge(HANJI_GPU_SCHWAEMM256_128, arrays, open, gpu, stream);
}

int hanji_gpu_fleet_ascon_aead128(const hanji_gpu_sponge *arrays, int open, hanji_gpu *gpu,
                                  void *stream)
{
    return device_sponge(HANJI_GPU_ASCON_AEAD128, arrays, open, gpu, stream);
}
