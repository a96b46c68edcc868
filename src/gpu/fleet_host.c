/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fleets in host memory, in chunks of whole messages. What goes to the device lies side by side in
 * a slot and is one copy; what comes back, from the data to the end, is another.
 */
#include "gpu/room.h"

#include <stdio.h>
#include <string.h>

#include "fleet/fleet.h"

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

static size_t padded(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

static size_t message_bytes(const texts *t, size_t first, size_t last)
{
    return t->offsets == NULL ? t->length * (last - first)
                              : (size_t)(t->offsets[last] - t->offsets[first]);
}

static size_t message_at(const texts *t, size_t message)
{
    return t->offsets == NULL ? t->first + t->length * message : (size_t)t->offsets[message];
}

static size_t offset_bytes(const texts *t, size_t n)
{
    return t->offsets == NULL ? 0 : (n + 1) * sizeof(int64_t);
}

static places lay_out_fleet(const fleet_work *w, size_t first, size_t last)
{
    const hanji_fleet *f = w->fleet;
    const size_t n = last - first, tags = w->cipher == NULL ? n * SPONGE_TAG : 0;
    places at = {.keys = 0};
    at.nonces = padded(n * w->key_bytes);
    at.offsets = at.nonces + padded(n * f->nonce_bytes);
    at.ad = at.offsets + padded(offset_bytes(&w->text, n));
    at.ad_offsets = at.ad + padded(message_bytes(&w->ad, first, last));
    at.tags = at.ad_offsets + padded(offset_bytes(&w->ad, n));
    at.data = at.tags + (w->open ? padded(tags) : 0);
    at.data_end = at.data + message_bytes(&w->text, first, last);
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
    return w->beyond && message_bytes(&w->text, message, message + 1) > w->longest;
}

/* Messages of one length need no offsets. */
static void find_equal(texts *t, size_t messages)
{
    const size_t at_once = 1024;
    if (t->offsets == NULL)
        return;
    const int64_t *const o = t->offsets, length = o[1] - o[0];
    if ((uint64_t)(o[messages] - o[0]) != (uint64_t)length * messages)
        return;
    for (size_t i = 0; i < messages; i += at_once) {
        int64_t differ = 0;
        for (size_t j = i; j < messages && j < i + at_once; j++)
            differ |= (o[j + 1] - o[j]) ^ length;
        if (differ != 0)
            return;
    }
    *t = (texts){.length = (size_t)length, .first = (size_t)o[0]};
}

static size_t longest_of(const texts *t, size_t messages)
{
    size_t most = 0;
    if (t->offsets == NULL)
        return t->length;
    for (size_t i = 0; i < messages; i++) {
        const size_t bytes = message_bytes(t, i, i + 1);
        most = bytes > most ? bytes : most;
    }
    return most;
}

/* One look at the lengths of all messages, for what most calls need not ask for each. */
static void look_at_lengths(fleet_work *w)
{
    const size_t n = w->fleet->messages;
    find_equal(&w->text, n);
    find_equal(&w->ad, n);
    if (w->cipher != NULL) {
        const size_t block = w->cipher->block_bytes;
        w->longest = w->limit > UINT64_MAX / block ? UINT64_MAX : w->limit * block;
        w->beyond =
            message_bytes(&w->text, 0, n) > w->longest && longest_of(&w->text, n) > w->longest;
        w->single = w->text.offsets == NULL && w->text.length == block;
    }
    const size_t each = lay_out_fleet(w, 0, n).end / n;
    w->chunk = each > CHUNK_BYTES / CHUNK_MESSAGES ? CHUNK_BYTES : CHUNK_MESSAGES * each;
    if (w->chunk < CHUNK_LEAST)
        w->chunk = CHUNK_LEAST;
}

/*
 * The end of the chunk that begins with message `first`, which is within the limit: as many as fit
 * a slot, and none that is beyond the limit.
 */
static size_t chunk_end(const fleet_work *w, size_t first)
{
    size_t low = first + 1, high = w->fleet->messages;
    if (high - first > EQUAL_MOST)
        high = first + EQUAL_MOST;
    while (low < high) { /* the largest end whose arrays fit */
        const size_t middle = low + (high - low + 1) / 2;
        if (lay_out_fleet(w, first, middle).end <= w->chunk)
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

/* What is page-locked already is copied without a detour. */
static void look_at_memory(context *c, fleet_work *w)
{
    const hanji_fleet *f = w->fleet;
    const size_t n = f->messages, data = message_bytes(&w->text, 0, n),
                 ad = message_bytes(&w->ad, 0, n);
    w->locked_keys =
        f->key_stride == w->key_bytes && hanji_gpu_is_locked(c, f->keys, n * w->key_bytes);
    w->locked_nonces = hanji_gpu_is_locked(c, f->nonces, n * f->nonce_bytes);
    w->locked_in = data > 0 && hanji_gpu_is_locked(c, f->input + message_at(&w->text, 0), data);
    w->locked_out = data > 0 && hanji_gpu_is_locked(c, f->output + message_at(&w->text, 0), data);
    w->locked_ad = ad > 0 && hanji_gpu_is_locked(c, f->ad + message_at(&w->ad, 0), ad);
    if (w->cipher == NULL) {
        w->locked_tags = hanji_gpu_is_locked(c, f->tags, n * SPONGE_TAG);
        w->locked_status = hanji_gpu_is_locked(c, (const uint8_t *)f->status, n);
    }
}

/* Whether a chunk needs no buffer. */
static int is_direct(const fleet_work *w)
{
    const size_t n = w->fleet->messages, data = message_bytes(&w->text, 0, n);
    return w->locked_keys && w->locked_nonces && offset_bytes(&w->text, n) == 0 &&
           (data == 0 || (w->locked_in && w->locked_out)) &&
           (w->cipher != NULL ||
            (offset_bytes(&w->ad, n) == 0 && (message_bytes(&w->ad, 0, n) == 0 || w->locked_ad) &&
             w->locked_tags && w->locked_status));
}

static section plain(const uint8_t *from, size_t at, size_t bytes, int locked)
{
    return (section){.at = at, .bytes = bytes, .from = from, .locked = locked};
}

/* The outputs that are written next, of chunks before `last` and some behind them. */
static void next_fresh(fleet_work *w, size_t first, size_t last, area *fresh)
{
    const hanji_fleet *f = w->fleet;
    const size_t n = f->messages, begin = w->begun, each = message_bytes(&w->text, 0, n) / n + 1,
                 ahead = FRESH_BYTES / each;
    if (last <= begin)
        return;
    w->begun = ahead > n - first || first + ahead > n ? n : first + ahead;
    if (w->begun < last)
        w->begun = last;
    const size_t data = message_bytes(&w->text, begin, w->begun);
    if (data > 0 && !w->locked_out && f->output != f->input)
        fresh[0] = (area){f->output + message_at(&w->text, begin), data};
    if (w->cipher == NULL && !w->open && !w->locked_tags)
        fresh[1] = (area){f->tags + begin * SPONGE_TAG, (w->begun - begin) * SPONGE_TAG};
}

/* Queue the copies of a chunk to the device. */
static int send_chunk(context *c, fleet_work *w, const places *at, size_t first, size_t last,
                      slot *s)
{
    const hanji_fleet *f = w->fleet;
    const size_t n = last - first, ad = message_bytes(&w->ad, first, last);
    const section all[] = {
        {.at = at->keys,
         .bytes = n * w->key_bytes,
         .from = f->keys + first * f->key_stride,
         .each = w->key_bytes,
         .stride = f->key_stride,
         .locked = w->locked_keys},
        plain(f->nonces + first * f->nonce_bytes, at->nonces, n * f->nonce_bytes, w->locked_nonces),
        {.at = at->offsets,
         .bytes = offset_bytes(&w->text, n),
         .offsets = w->text.offsets == NULL ? NULL : w->text.offsets + first},
        plain(ad > 0 ? f->ad + message_at(&w->ad, first) : NULL, at->ad, ad, w->locked_ad),
        {.at = at->ad_offsets,
         .bytes = offset_bytes(&w->ad, n),
         .offsets = w->ad.offsets == NULL ? NULL : w->ad.offsets + first},
        plain(w->open ? f->tags + first * SPONGE_TAG : NULL, at->tags, w->open ? n * SPONGE_TAG : 0,
              w->locked_tags),
        plain(at->data_end > at->data ? f->input + message_at(&w->text, first) : NULL, at->data,
              at->data_end - at->data, w->locked_in)};
    area fresh[FRESH] = {{NULL, 0}, {NULL, 0}};
    if (first > 0 || last == f->messages) /* the device has work */
        next_fresh(w, first, last, fresh);
    return hanji_gpu_send(c, s, all, sizeof all / sizeof all[0], fresh);
}

static int run_chunk(context *c, const fleet_work *w, const places *at, size_t first, size_t last,
                     slot *s)
{
    const size_t n = last - first;
    const cu_pointer base = s->device, data = base + at->data,
                     offsets = w->text.offsets == NULL ? w->offsets : base + at->offsets;
    if (w->cipher == NULL) {
        const hanji_gpu_sponge a = {.out = data,
                                    .in = data,
                                    .keys = base + at->keys,
                                    .nonces = base + at->nonces,
                                    .tags = base + at->tags,
                                    .offsets = offsets,
                                    .ad = base + at->ad,
                                    .ad_offsets = w->ad.offsets == NULL ? w->ad_offsets
                                                                        : base + at->ad_offsets,
                                    .status = base + at->status,
                                    .messages = n};
        return hanji_gpu_run_sponge(c, w->aead, &a, w->open, s->stream);
    }
    return hanji_gpu_run_fleet(
        c, w->row, w->cipher,
        (fleet_arrays){data, data, base + at->keys, base + at->nonces, w->single ? 0 : offsets}, n,
        s->stream);
}

/* What comes back from a slot: to the caller at once, or into the buffer. */
typedef struct arrival {
    uint8_t *to;
    size_t at, bytes;
    int locked;
} arrival;

/* Queue the copies of a chunk from the device; what is side by side in the buffer goes at once. */
static int receive_chunk(context *c, const fleet_work *w, const places *at, size_t first,
                         size_t last, slot *s)
{
    const hanji_fleet *f = w->fleet;
    const size_t n = last - first, data = at->data_end - at->data;
    const int aead = w->cipher == NULL;
    const arrival all[DELIVERIES] = {
        {data > 0 ? f->output + message_at(&w->text, first) : NULL, at->data, data, w->locked_out},
        {aead && !w->open ? f->tags + first * SPONGE_TAG : NULL, at->tags, n * SPONGE_TAG,
         w->locked_tags},
        {aead ? (uint8_t *)f->status + first : NULL, at->status, n, w->locked_status}};
    size_t begin = SIZE_MAX, end = 0;
    for (size_t i = 0; i < DELIVERIES; i++) {
        const arrival *a = &all[i];
        s->deliveries[i].to = a->locked ? NULL : a->to;
        s->deliveries[i].at = a->at;
        s->deliveries[i].bytes = a->bytes;
        if (a->to != NULL && a->locked)
            TRY(c->driver.to_host(a->to, s->device + a->at, a->bytes, s->stream),
                "messages cannot be copied from the device");
        if (a->to != NULL && !a->locked) {
            begin = a->at < begin ? a->at : begin;
            end = a->at + a->bytes > end ? a->at + a->bytes : end;
        }
    }
    if (end > 0)
        TRY(c->driver.to_host(s->host + begin, s->device + begin, end - begin, s->stream),
            "messages cannot be copied from the device");
    return HANJI_OK;
}

static int run_chunks(context *c, fleet_work *w, pipeline *p)
{
    size_t first = 0, last;
    for (; next_chunk(w, &first, &last); first = last) {
        const places at = lay_out_fleet(w, first, last);
        slot *s;
        int rc = hanji_gpu_pipeline_next(p, &s);
        if (rc == HANJI_OK)
            rc = send_chunk(c, w, &at, first, last, s);
        if (rc == HANJI_OK)
            rc = run_chunk(c, w, &at, first, last, s);
        if (rc == HANJI_OK)
            rc = receive_chunk(c, w, &at, first, last, s);
        if (rc != HANJI_OK)
            return rc;
    }
    return hanji_gpu_pipeline_finish(p);
}

/* The offsets on the device that no chunk brings; `most` messages in a chunk. */
static int place_equal(context *c, fleet_work *w, size_t most)
{
    int rc = HANJI_OK;
    if (w->text.offsets == NULL && !w->single)
        rc = hanji_gpu_equal_offsets(c, &w->offsets, w->text.length, most);
    if (rc == HANJI_OK && w->cipher == NULL && w->ad.offsets == NULL)
        rc = hanji_gpu_equal_offsets(c, &w->ad_offsets, w->ad.length, most);
    return rc;
}

static int run_all_chunks(context *c, fleet_work *w)
{
    size_t largest = 0, most = 0, chunks = 0, first = 0, last;
    pipeline p;
    for (; next_chunk(w, &first, &last); first = last, chunks++) {
        const size_t bytes = lay_out_fleet(w, first, last).end;
        largest = bytes > largest ? bytes : largest;
        most = last - first > most ? last - first : most;
    }
    if (chunks == 0)
        return HANJI_OK;
    look_at_memory(c, w);
    int rc = hanji_gpu_pipeline_open(&p, c, largest, chunks, !is_direct(w));
    if (rc == HANJI_OK)
        rc = place_equal(c, w, most);
    if (rc == HANJI_OK)
        rc = run_chunks(c, w, &p);
    hanji_gpu_pipeline_close(&p);
    return rc;
}

/* Most calls have none: eight messages at once are looked at. */
static int64_t count_failures(const int8_t *status, size_t messages)
{
    int64_t failures = 0;
    for (size_t i = 0; i < messages; i++) {
        uint64_t eight = 1;
        if (messages - i >= sizeof eight)
            memcpy(&eight, status + i, sizeof eight);
        if (eight == 0)
            i += sizeof eight - 1;
        else
            failures += status[i] != HANJI_OK;
    }
    return failures;
}

/*
 * The call as a whole; arguments are checked. The status of messages within the limit is HANJI_OK
 * or the device's.
 */
static int64_t host_fleet(context *c, fleet_work *w)
{
    const hanji_fleet *f = w->fleet;
    const size_t n = f->messages;
    look_at_lengths(w);
    memset(f->status, 0, n);
    int rc = hanji_gpu_enter(c);
    if (rc == HANJI_OK) {
        rc = run_all_chunks(c, w);
        hanji_gpu_leave(c);
    }
    const size_t data = message_bytes(&w->text, 0, n);
    if (rc != HANJI_OK) {
        if (data > 0)
            hanji_gpu_wipe(c, f->output + message_at(&w->text, 0), data);
        if (w->cipher == NULL && !w->open)
            hanji_wipe(f->tags, n * SPONGE_TAG);
        memset(f->status, rc, n);
        return rc;
    }
    for (size_t i = 0; w->beyond && i < n; i++)
        if (beyond_limit(w, i)) {
            f->status[i] = HANJI_E_LIMIT;
            hanji_wipe(f->output + message_at(&w->text, i), message_bytes(&w->text, i, i + 1));
        }
    return count_failures(f->status, n);
}

/*
 * Arrays that are missing, or of which one that is written overlaps another; the rule is that of
 * fleet.h. Without a shape the caller has looked at offsets, and at what overlaps.
 */
static int wrong_arrays(const fleet_work *w, const hanji_fleet_shape *shape)
{
    const hanji_fleet *f = w->fleet;
    const size_t n = f->messages;
    if (n >= UINT32_MAX || f->status == NULL || f->keys == NULL || f->nonces == NULL ||
        (shape != NULL &&
         (hanji_fleet_check_offsets(w->text.offsets, n) != HANJI_OK ||
          (w->ad.offsets != NULL && hanji_fleet_check_offsets(w->ad.offsets, n) != HANJI_OK))) ||
        w->text.length > SIZE_MAX / n || w->ad.length > SIZE_MAX / n)
        return 1;
    return (message_bytes(&w->text, 0, n) > 0 && (f->input == NULL || f->output == NULL)) ||
           (message_bytes(&w->ad, 0, n) > 0 && f->ad == NULL) ||
           (shape != NULL && !hanji_fleet_apart(f, shape));
}

/* Blocks of all messages together; UINT64_MAX for more than that. */
static uint64_t blocks_of(const texts *t, size_t n, size_t block)
{
    uint64_t blocks = 0;
    if (t->offsets == NULL) {
        const uint64_t each = t->length / block + (t->length % block != 0);
        return each > UINT64_MAX / n ? UINT64_MAX : each * n;
    }
    for (size_t i = 0; i < n; i++)
        blocks += (message_bytes(t, i, i + 1) + block - 1) / block;
    return blocks;
}

/* The same of an AEAD, as hanji_fleet_blocks(). */
static uint64_t sponge_blocks(const fleet_work *w)
{
    uint64_t total = 0;
    for (size_t i = 0; i < w->fleet->messages; i++) {
        const size_t ad = message_bytes(&w->ad, i, i + 1);
        const uint64_t here =
            2 + message_bytes(&w->text, i, i + 1) / SPONGE_TAG + (ad > 0 ? 1 + ad / SPONGE_TAG : 0);
        total = here > UINT64_MAX - total ? UINT64_MAX : total + here;
    }
    return total;
}

int64_t hanji_gpu_run_ctr(const hanji_gpu_call *call, const hanji_cipher *cipher, hanji_gpu *gpu)
{
    const hanji_fleet *fleet = call->fleet;
    context *c = context_of(gpu);
    hanji_fleet plain_fleet = *fleet; /* without associated data, which CTR has none of */
    plain_fleet.ad_offsets = NULL;
    fleet_work w = {.fleet = &plain_fleet,
                    .cipher = cipher,
                    .row = hanji_gpu_find(cipher),
                    .key_bytes = cipher->key_bytes,
                    .text = {.offsets = fleet->offsets, .length = call->length}};
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
    if (wrong_arrays(&w, call->checked ? NULL : &shape))
        return HANJI_E_ARGUMENT;
    w.limit = fleet->limit != 0 ? fleet->limit : UINT64_C(1) << cipher->limit_log2;
    if (fleet->key_stride == 0 &&
        blocks_of(&w.text, fleet->messages, cipher->block_bytes) > w.limit)
        return hanji_gpu_failed(c, HANJI_E_LIMIT, "the data limit of the key would be exceeded",
                                NULL);
    return host_fleet(c, &w);
}

int64_t hanji_gpu_run_aead(const hanji_gpu_call *call, int aead, int open, hanji_gpu *gpu)
{
    const hanji_fleet *fleet = call->fleet;
    const sponge_row *sizes = &hanji_gpu_sponges[aead];
    const size_t n = fleet->messages;
    fleet_work w = {
        .fleet = fleet,
        .aead = aead,
        .open = open,
        .key_bytes = SPONGE_KEY,
        .text = {.offsets = fleet->offsets, .length = call->length},
        .ad = {.offsets = fleet->ad_offsets, .length = fleet->ad == NULL ? 0 : call->ad_length}};
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
    if (fleet->tags == NULL || wrong_arrays(&w, call->checked ? NULL : &shape))
        return HANJI_E_ARGUMENT;
    if (sizes->limit != 0 && fleet->key_stride == 0 && /* as on the processor */
        sponge_blocks(&w) >
            (fleet->limit != 0 && fleet->limit < sizes->limit ? fleet->limit : sizes->limit))
        return hanji_gpu_failed(context_of(gpu), HANJI_E_LIMIT,
                                "the data limit of the key would be exceeded", NULL);
    return host_fleet(context_of(gpu), &w);
}

/* The functions of hanji/gpu.h: messages by their offsets. */

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
