/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fleets in host memory, in chunks of whole messages. What goes to the device lies side by side in
 * a slot and is one copy; what comes back, from the data to the end, is another.
 */
#include "gpu/room.h"

#include <stdio.h>
#include <string.h>

#include "fleet/fleet.h"

/* One call: what is done to the fleet. */
typedef struct fleet_work {
    const hanji_fleet *fleet;
    const hanji_cipher *cipher; /* of CTR; NULL: an AEAD */
    const row *row;
    int aead;   /* number of the AEAD */
    int open;   /* AEAD: open, not seal */
    int single; /* CTR: all messages have one block */
    int direct; /* and all arrays are page-locked: no buffers of ours */
    int beyond; /* CTR: some message is beyond the limit */
    size_t key_bytes;
    uint64_t limit;   /* CTR: blocks of a message */
    uint64_t longest; /* the same in bytes */
} fleet_work;

/* Where the arrays of a chunk lie in its slot. */
typedef struct places {
    size_t keys, nonces, offsets, ad, ad_offsets, tags, data, data_end, status, end;
} places;

static size_t padded(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

static size_t message_bytes(const int64_t *offsets, size_t first, size_t last)
{
    return offsets == NULL ? 0 : (size_t)(offsets[last] - offsets[first]);
}

static places lay_out_fleet(const fleet_work *w, size_t first, size_t last)
{
    const hanji_fleet *f = w->fleet;
    const size_t n = last - first, tags = w->cipher == NULL ? n * SPONGE_TAG : 0,
                 offsets = (n + 1) * sizeof(int64_t);
    places at = {.keys = 0};
    at.nonces = padded(n * w->key_bytes);
    at.offsets = at.nonces + padded(n * f->nonce_bytes);
    at.ad = at.offsets + padded(offsets);
    at.ad_offsets = at.ad + padded(message_bytes(f->ad_offsets, first, last));
    at.tags = at.ad_offsets + (w->cipher == NULL ? padded(offsets) : 0);
    at.data = at.tags + (w->open ? padded(tags) : 0);
    at.data_end = at.data + message_bytes(f->offsets, first, last);
    at.end = padded(at.data_end);
    if (w->cipher == NULL) {
        if (!w->open) {
            at.tags = at.end;
            at.end += padded(tags);
        }
        at.status = at.end;
        at.end += n;
    }
    at.end = padded(at.end + VECTOR);
    return at;
}

static int beyond_limit(const fleet_work *w, size_t message)
{
    return w->beyond && message_bytes(w->fleet->offsets, message, message + 1) > w->longest;
}

/* One look at the lengths of all messages, for what most calls need not ask for each. */
static void look_at_lengths(fleet_work *w)
{
    const hanji_fleet *f = w->fleet;
    const size_t block = w->cipher->block_bytes;
    size_t least = SIZE_MAX, most = 0;
    for (size_t i = 0; i < f->messages; i++) {
        const size_t bytes = message_bytes(f->offsets, i, i + 1);
        least = bytes < least ? bytes : least;
        most = bytes > most ? bytes : most;
    }
    w->longest = w->limit > UINT64_MAX / block ? UINT64_MAX : w->limit * block;
    w->beyond = most > w->longest;
    w->single = least == block && most == block;
}

/*
 * The end of the chunk that begins with message `first`, which is within the limit: as many as fit
 * a slot, and none that is beyond the limit.
 */
static size_t chunk_end(const fleet_work *w, size_t first)
{
    size_t low = first + 1, high = w->fleet->messages;
    while (low < high) { /* the largest end whose arrays fit */
        const size_t middle = low + (high - low + 1) / 2;
        if (lay_out_fleet(w, first, middle).end <= CHUNK_BYTES)
            low = middle;
        else
            high = middle - 1;
    }
    for (size_t i = first + 1; w->beyond && i < low; i++)
        if (beyond_limit(w, i))
            return i;
    return low;
}

/* The next chunk at or after `first` with something to do: 1, or 0 when there is none. */
static int next_chunk(const fleet_work *w, size_t *first, size_t *last)
{
    while (*first < w->fleet->messages && beyond_limit(w, *first))
        *first += 1;
    if (*first == w->fleet->messages)
        return 0;
    *last = chunk_end(w, *first);
    return 1;
}

static void copy_offsets(uint8_t *out, const int64_t *offsets, size_t first, size_t last)
{
    for (size_t i = first; i <= last; i++, out += sizeof(int64_t)) {
        const int64_t from_zero = offsets == NULL ? 0 : offsets[i] - offsets[first];
        memcpy(out, &from_zero, sizeof from_zero);
    }
}

/* Fill the page-locked buffer with what goes to the device. */
static void pack(uint8_t *host, const fleet_work *w, const places *at, size_t first, size_t last)
{
    const hanji_fleet *f = w->fleet;
    if (f->key_stride == w->key_bytes)
        memcpy(host + at->keys, f->keys + first * w->key_bytes, (last - first) * w->key_bytes);
    else
        for (size_t i = first; i < last; i++)
            memcpy(host + at->keys + (i - first) * w->key_bytes, f->keys + i * f->key_stride,
                   w->key_bytes);
    memcpy(host + at->nonces, f->nonces + first * f->nonce_bytes, (last - first) * f->nonce_bytes);
    copy_offsets(host + at->offsets, f->offsets, first, last);
    if (w->cipher == NULL)
        copy_offsets(host + at->ad_offsets, f->ad_offsets, first, last);
    const size_t data = message_bytes(f->offsets, first, last),
                 ad = message_bytes(f->ad_offsets, first, last);
    if (ad > 0)
        memcpy(host + at->ad, f->ad + (size_t)f->ad_offsets[first], ad);
    if (w->open)
        memcpy(host + at->tags, f->tags + first * SPONGE_TAG, (last - first) * SPONGE_TAG);
    if (data > 0)
        memcpy(host + at->data, f->input + (size_t)f->offsets[first], data);
}

/* Copy to the device what pack() would pack. */
static int send_direct(context *c, const fleet_work *w, const places *at, size_t first, size_t last,
                       slot *s)
{
    const hanji_fleet *f = w->fleet;
    const size_t n = last - first;
    const cu_pointer base = s->device;
    TRY(c->driver.to_device(base + at->keys, f->keys + first * w->key_bytes, n * w->key_bytes,
                            s->stream),
        "keys cannot be copied to the device");
    TRY(c->driver.to_device(base + at->nonces, f->nonces + first * f->nonce_bytes,
                            n * f->nonce_bytes, s->stream),
        "counters cannot be copied to the device");
    return hanji_gpu_checked(c,
                             c->driver.to_device(base + at->data,
                                                 f->input + (size_t)f->offsets[first],
                                                 at->data_end - at->data, s->stream),
                             "messages cannot be copied to the device");
}

static int can_be_direct(context *c, const fleet_work *w)
{
    const hanji_fleet *f = w->fleet;
    const size_t n = f->messages, data = message_bytes(f->offsets, 0, n);
    return w->single && f->key_stride == w->key_bytes &&
           hanji_gpu_is_locked(c, f->input + (size_t)f->offsets[0], data) &&
           hanji_gpu_is_locked(c, f->output + (size_t)f->offsets[0], data) &&
           hanji_gpu_is_locked(c, f->keys, n * w->key_bytes) &&
           hanji_gpu_is_locked(c, f->nonces, n * f->nonce_bytes);
}

static int run_chunk(context *c, const fleet_work *w, const places *at, size_t first, size_t last,
                     slot *s)
{
    const size_t n = last - first;
    const cu_pointer base = s->device, data = base + at->data;
    if (w->cipher == NULL) {
        const hanji_gpu_sponge a = {.out = data,
                                    .in = data,
                                    .keys = base + at->keys,
                                    .nonces = base + at->nonces,
                                    .tags = base + at->tags,
                                    .offsets = base + at->offsets,
                                    .ad = base + at->ad,
                                    .ad_offsets = base + at->ad_offsets,
                                    .status = base + at->status,
                                    .messages = n};
        return hanji_gpu_run_sponge(c, w->aead, &a, w->open, s->stream);
    }
    return hanji_gpu_run_fleet(c, w->row, w->cipher,
                               (fleet_arrays){data, data, base + at->keys, base + at->nonces,
                                              w->single ? 0 : base + at->offsets},
                               n, s->stream);
}

static void deliver(slot *s, size_t which, uint8_t *to, size_t at, size_t bytes)
{
    s->deliveries[which].to = bytes > 0 ? to : NULL;
    s->deliveries[which].at = at;
    s->deliveries[which].bytes = bytes;
}

static int run_chunks(context *c, const fleet_work *w, pipeline *p)
{
    const hanji_fleet *f = w->fleet;
    size_t first = 0, last;
    for (; next_chunk(w, &first, &last); first = last) {
        const places at = lay_out_fleet(w, first, last);
        slot *s;
        int rc = hanji_gpu_pipeline_next(p, &s);
        if (rc != HANJI_OK)
            return rc;
        if (w->direct) {
            rc = send_direct(c, w, &at, first, last, s);
        } else {
            pack(s->host, w, &at, first, last);
            rc = hanji_gpu_checked(c,
                                   c->driver.to_device(s->device, s->host, at.data_end, s->stream),
                                   "messages cannot be copied to the device");
        }
        if (rc == HANJI_OK)
            rc = run_chunk(c, w, &at, first, last, s);
        if (rc != HANJI_OK)
            return rc;
        if (w->direct) {
            TRY(c->driver.to_host(f->output + (size_t)f->offsets[first], s->device + at.data,
                                  at.data_end - at.data, s->stream),
                "messages cannot be copied from the device");
            continue;
        }
        TRY(c->driver.to_host(s->host + at.data, s->device + at.data, at.end - at.data, s->stream),
            "messages cannot be copied from the device");
        const size_t data = at.data_end - at.data;
        deliver(s, 0, data > 0 ? f->output + (size_t)f->offsets[first] : NULL, at.data, data);
        if (w->cipher == NULL) {
            deliver(s, 1, w->open ? NULL : f->tags + first * SPONGE_TAG, at.tags,
                    (last - first) * SPONGE_TAG);
            deliver(s, 2, (uint8_t *)f->status + first, at.status, last - first);
        }
    }
    return hanji_gpu_pipeline_finish(p);
}

/*
 * The call as a whole; arguments are checked. The status of messages within the limit is HANJI_OK
 * or the device's.
 */
static int64_t host_fleet(context *c, fleet_work *w)
{
    const hanji_fleet *f = w->fleet;
    const size_t n = f->messages;
    size_t largest = 0, chunks = 0, first = 0, last;
    if (w->cipher != NULL)
        look_at_lengths(w);
    for (; next_chunk(w, &first, &last); first = last, chunks++) {
        const size_t bytes = lay_out_fleet(w, first, last).end;
        largest = bytes > largest ? bytes : largest;
    }
    memset(f->status, 0, n);
    int rc = hanji_gpu_enter(c);
    if (rc == HANJI_OK) {
        pipeline p;
        w->direct = can_be_direct(c, w);
        rc = hanji_gpu_pipeline_open(&p, c, largest, chunks, !w->direct);
        if (rc == HANJI_OK)
            rc = run_chunks(c, w, &p);
        hanji_gpu_pipeline_close(&p);
        hanji_gpu_leave(c);
    }
    if (rc != HANJI_OK) {
        if (f->offsets[n] > f->offsets[0])
            hanji_wipe(f->output + (size_t)f->offsets[0], message_bytes(f->offsets, 0, n));
        if (w->cipher == NULL && !w->open)
            hanji_wipe(f->tags, n * SPONGE_TAG);
        memset(f->status, rc, n);
        return rc;
    }
    int64_t failures = 0;
    for (size_t i = 0; i < n; i++) {
        if (beyond_limit(w, i)) {
            f->status[i] = HANJI_E_LIMIT;
            hanji_wipe(f->output + (size_t)f->offsets[i], message_bytes(f->offsets, i, i + 1));
        }
        failures += f->status[i] != HANJI_OK;
    }
    return failures;
}

/*
 * Arrays that are missing, or of which one that is written overlaps another; the rule is that of
 * fleet.h.
 */
static int wrong_arrays(const hanji_fleet *f, const hanji_fleet_shape *shape)
{
    const size_t n = f->messages;
    const int64_t *ad_offsets = shape->plain ? NULL : f->ad_offsets;
    if (n >= UINT32_MAX || f->status == NULL || f->keys == NULL || f->nonces == NULL ||
        hanji_fleet_check_offsets(f->offsets, n) != HANJI_OK ||
        (ad_offsets != NULL && hanji_fleet_check_offsets(ad_offsets, n) != HANJI_OK))
        return 1;
    return (message_bytes(f->offsets, 0, n) > 0 && (f->input == NULL || f->output == NULL)) ||
           (message_bytes(ad_offsets, 0, n) > 0 && f->ad == NULL) || !hanji_fleet_apart(f, shape);
}

int64_t hanji_gpu_ctr_fleet(const hanji_fleet *fleet, const hanji_cipher *cipher, hanji_gpu *gpu)
{
    if (gpu == NULL || fleet == NULL || cipher == NULL)
        return HANJI_E_ARGUMENT;
    context *c = context_of(gpu);
    hanji_fleet plain = *fleet; /* without associated data, which CTR has none of */
    plain.ad_offsets = NULL;
    fleet_work w = {.fleet = &plain,
                    .cipher = cipher,
                    .row = hanji_gpu_find(cipher),
                    .key_bytes = cipher->key_bytes};
    if (w.row == NULL || w.row->fleet == 0)
        return hanji_gpu_failed(c, HANJI_E_UNSUPPORTED,
                                "there are no GPU kernels with a key per message for",
                                cipher->name);
    if (fleet->nonce_bytes != cipher->block_bytes ||
        (fleet->key_stride != 0 && fleet->key_stride < cipher->key_bytes))
        return hanji_gpu_failed(
            c, HANJI_E_LENGTH,
            "counters have the size of a block, and keys the size of the cipher's", NULL);
    if (fleet->messages == 0)
        return 0;
    const hanji_fleet_shape shape = {
        .key_bytes = cipher->key_bytes, .nonce_bytes = cipher->block_bytes, .plain = 1};
    if (wrong_arrays(fleet, &shape))
        return HANJI_E_ARGUMENT;
    w.limit = fleet->limit != 0 ? fleet->limit : UINT64_C(1) << cipher->limit_log2;
    if (fleet->key_stride == 0) {
        uint64_t blocks = 0;
        for (size_t i = 0; i < fleet->messages; i++)
            blocks += (message_bytes(fleet->offsets, i, i + 1) + cipher->block_bytes - 1) /
                      cipher->block_bytes;
        if (blocks > w.limit)
            return hanji_gpu_failed(c, HANJI_E_LIMIT, "the data limit of the key would be exceeded",
                                    NULL);
    }
    return host_fleet(c, &w);
}

static int64_t sponge_fleet(int aead, const hanji_fleet *fleet, hanji_gpu *gpu, int open)
{
    const sponge_row *sizes = &hanji_gpu_sponges[aead];
    if (gpu == NULL || fleet == NULL)
        return HANJI_E_ARGUMENT;
    const size_t n = fleet->messages;
    fleet_work w = {.fleet = fleet, .aead = aead, .open = open, .key_bytes = SPONGE_KEY};
    if (fleet->nonce_bytes != sizes->nonce_bytes || fleet->tag_bytes != SPONGE_TAG ||
        (fleet->key_stride != 0 && fleet->key_stride < SPONGE_KEY)) {
        char said[80];
        snprintf(said, sizeof said, "%s has keys of 16 bytes, nonces of %d and tags of 16",
                 sizes->name, sizes->nonce_bytes);
        return hanji_gpu_failed(context_of(gpu), HANJI_E_LENGTH, said, NULL);
    }
    if (n == 0)
        return 0;
    const hanji_fleet_shape shape = {.key_bytes = SPONGE_KEY,
                                     .nonce_bytes = sizes->nonce_bytes,
                                     .tag_bytes = SPONGE_TAG,
                                     .open = open};
    if (fleet->tags == NULL || wrong_arrays(fleet, &shape))
        return HANJI_E_ARGUMENT;
    if (sizes->limit != 0 && fleet->key_stride == 0 && /* as on the processor */
        hanji_fleet_blocks(fleet, SPONGE_TAG) >
            (fleet->limit != 0 && fleet->limit < sizes->limit ? fleet->limit : sizes->limit))
        return hanji_gpu_failed(context_of(gpu), HANJI_E_LIMIT,
                                "the data limit of the key would be exceeded", NULL);
    return host_fleet(context_of(gpu), &w);
}

int64_t hanji_gpu_schwaemm256_128_fleet_encrypt(const hanji_fleet *fleet, hanji_gpu *gpu)
{
    return sponge_fleet(SCHWAEMM256_128, fleet, gpu, 0);
}

int64_t hanji_gpu_schwaemm256_128_fleet_decrypt(const hanji_fleet *fleet, hanji_gpu *gpu)
{
    return sponge_fleet(SCHWAEMM256_128, fleet, gpu, 1);
}

int64_t hanji_gpu_ascon_aead128_fleet_encrypt(const hanji_fleet *fleet, hanji_gpu *gpu)
{
    return sponge_fleet(ASCON_AEAD128, fleet, gpu, 0);
}

int64_t hanji_gpu_ascon_aead128_fleet_decrypt(const hanji_fleet *fleet, hanji_gpu *gpu)
{
    return sponge_fleet(ASCON_AEAD128, fleet, gpu, 1);
}
