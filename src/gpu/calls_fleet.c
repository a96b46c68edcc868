/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of hanji/gpu.h on many messages, in device memory and in host memory. */
#include "gpu/work.h"

/* Device memory */

/* Whether a length does not fit so many messages. */
static int too_long(size_t length, uint64_t messages)
{
    return messages > 0 && length > UINT64_MAX / messages;
}

/* Begin a call on these arrays, or say what is wrong with them. */
static int begin_ctr(context *c, const fleet_arrays *a, size_t length, const hanji_cipher *cipher,
                     cu_handle stream)
{
    const uint64_t n = a->messages, text = a->offsets == 0 ? n * length : 1;
    const device_span spans[] = {{a->out, text},
                                 {a->in, text},
                                 {a->keys, n * cipher->key_bytes},
                                 {a->counters, n * cipher->block_bytes},
                                 {a->offsets, a->offsets == 0 ? 0 : 8 * (n + 1)}};
    if (!hanji_gpu_apart(spans, 5, 1, 1))
        return hanji_gpu_failed(
            c, HANJI_E_ARGUMENT,
            "the output overlaps another array; it may only begin where the input does", NULL);
    return hanji_gpu_begin_on(c, spans, 5, stream, CAPTURE_REFUSED);
}

int hanji_gpu_fleet_ctr(hanji_gpu_pointer out, hanji_gpu_pointer in, hanji_gpu_pointer keys,
                        hanji_gpu_pointer counters, hanji_gpu_pointer offsets, size_t length,
                        size_t messages, const hanji_cipher *cipher, hanji_gpu *gpu, void *stream)
{
    if (gpu == NULL || cipher == NULL || messages >= UINT32_MAX ||
        (offsets == 0 && too_long(length, messages)) ||
        (messages > 0 && (out == 0 || in == 0 || keys == 0 || counters == 0)))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    const row *r;
    const fleet_arrays a = {out, in, keys, counters, offsets, messages};
    int rc = hanji_gpu_find_fleet(c, &r, cipher);
    if (rc == HANJI_OK)
        rc = hanji_gpu_aligned(c, keys | counters, offsets);
    if (rc != HANJI_OK || messages == 0)
        return rc;
    rc = begin_ctr(c, &a, length, cipher, stream);
    if (rc != HANJI_OK)
        return rc;
    return hanji_gpu_end(c, stream, hanji_gpu_ctr_on_device(c, r, cipher, a, length, stream));
}

/* Whether messages of one length, side by side, have no array, or none that is so long. */
static int has_no_texts(cu_pointer at, size_t length, uint64_t messages)
{
    return too_long(length, messages) || (length > 0 && at == 0);
}

/* Whether arrays of messages, which there are, are missing. */
static int wrong_sponge(const hanji_gpu_sponge *a)
{
    const uint64_t n = a->messages;
    return a->keys == 0 || a->nonces == 0 || a->tags == 0 || a->status == 0 ||
           (a->offsets == 0 &&
            (has_no_texts(a->out, a->length, n) || has_no_texts(a->in, a->length, n))) ||
           (a->ad_offsets == 0 && has_no_texts(a->ad, a->ad_length, n));
}

/* The texts of n messages; of what lies at 0, nothing. */
static device_span texts_at(cu_pointer at, cu_pointer offsets, size_t length, uint64_t n)
{
    return (device_span){at, at == 0 ? 0 : offsets == 0 ? n * length : 1};
}

static device_span offsets_at(cu_pointer at, uint64_t n)
{
    return (device_span){at, at == 0 ? 0 : 8 * (n + 1)};
}

static int begin_sponge(context *c, int aead, const hanji_gpu_sponge *a, int open, cu_handle stream)
{
    const uint64_t n = a->messages;
    const device_span spans[] = {texts_at(a->out, a->offsets, a->length, n),
                                 {a->status, n},
                                 {a->tags, SPONGE_TAG * n},
                                 texts_at(a->in, a->offsets, a->length, n),
                                 texts_at(a->ad, a->ad_offsets, a->ad_length, n),
                                 {a->keys, SPONGE_KEY * n},
                                 {a->nonces, hanji_gpu_sponges[aead].nonce_bytes * n},
                                 offsets_at(a->offsets, n),
                                 offsets_at(a->ad_offsets, n)};
    const size_t count = sizeof spans / sizeof spans[0];
    if (!hanji_gpu_apart(spans, count, open ? 2 : 3, 3))
        return hanji_gpu_failed(
            c, HANJI_E_ARGUMENT,
            "an array that is written overlaps another; only the output may begin where the input does",
            NULL);
    const int rc = hanji_gpu_aligned(c, a->keys | a->nonces | a->tags, a->offsets | a->ad_offsets);
    return rc != HANJI_OK ? rc : hanji_gpu_begin_on(c, spans, count, stream, CAPTURE_REFUSED);
}

static int device_sponge(int aead, const hanji_gpu_sponge *arrays, int open, hanji_gpu *gpu,
                         void *stream)
{
    if (gpu == NULL || arrays == NULL || arrays->messages >= UINT32_MAX)
        return HANJI_E_ARGUMENT;
    if (arrays->messages == 0)
        return HANJI_OK;
    if (wrong_sponge(arrays))
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    const int rc = begin_sponge(c, aead, arrays, open, stream);
    if (rc != HANJI_OK)
        return rc;
    return hanji_gpu_end(c, stream, hanji_gpu_sponge_on_device(c, aead, arrays, open, stream));
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

/* Host memory, messages by their offsets */

int64_t hanji_gpu_ctr_fleet(const hanji_fleet *fleet, const hanji_cipher *cipher, hanji_gpu *gpu)
{
    if (gpu == NULL || fleet == NULL || cipher == NULL)
        return HANJI_E_ARGUMENT;
    return hanji_gpu_run_ctr(&(hanji_gpu_call){.fleet = fleet}, cipher, gpu);
}

static int64_t sponge_fleet(int aead, const hanji_fleet *fleet, hanji_gpu *gpu, int open)
{
    if (gpu == NULL || fleet == NULL)
        return HANJI_E_ARGUMENT;
    return hanji_gpu_run_aead(&(hanji_gpu_call){.fleet = fleet}, aead, open, gpu);
}

int64_t hanji_gpu_schwaemm256_128_fleet_encrypt(const hanji_fleet *fleet, hanji_gpu *gpu)
{
    return sponge_fleet(HANJI_GPU_SCHWAEMM256_128, fleet, gpu, 0);
}

int64_t hanji_gpu_schwaemm256_128_fleet_decrypt(const hanji_fleet *fleet, hanji_gpu *gpu)
{
    return sponge_fleet(HANJI_GPU_SCHWAEMM256_128, fleet, gpu, 1);
}

int64_t hanji_gpu_ascon_aead128_fleet_encrypt(const hanji_fleet *fleet, hanji_gpu *gpu)
{
    return sponge_fleet(HANJI_GPU_ASCON_AEAD128, fleet, gpu, 0);
}

int64_t hanji_gpu_ascon_aead128_fleet_decrypt(const hanji_fleet *fleet, hanji_gpu *gpu)
{
    return sponge_fleet(HANJI_GPU_ASCON_AEAD128, fleet, gpu, 1);
}
