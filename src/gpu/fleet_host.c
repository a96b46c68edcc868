/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fleets in host memory, chunk by chunk. What goes to the device lies side by side in a slot and is
 * one copy; what comes back, from the data to the end, is another.
 */
#include "gpu/work.h"

#include <stdio.h>
#include <string.h>

#include "fleet/fleet.h"

#define FRESH_BYTES ((size_t)32 << 20) /* of new memory at once, for many helpers */

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
        (fleet_arrays){data, data, base + at->keys, base + at->nonces, w->single ? 0 : offsets, n},
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
    for (; hanji_gpu_next_chunk(w, &first, &last); first = last) {
        const places at = hanji_gpu_lay_out(w, first, last);
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

/* The offsets on the device that no chunk brings; at most `messages` in a chunk. */
static int place_equal(context *c, fleet_work *w, size_t messages)
{
    int rc = HANJI_OK;
    if (w->text.offsets == NULL && !w->single)
        rc = hanji_gpu_equal_offsets(c, &w->offsets, w->text.length, messages);
    if (rc == HANJI_OK && w->cipher == NULL && w->ad.offsets == NULL)
        rc = hanji_gpu_equal_offsets(c, &w->ad_offsets, w->ad.length, messages);
    return rc;
}

static int run_all_chunks(context *c, fleet_work *w)
{
    size_t largest = 0, messages = 0, chunks = 0, first = 0, last;
    pipeline p;
    for (; hanji_gpu_next_chunk(w, &first, &last); first = last, chunks++) {
        const size_t bytes = hanji_gpu_lay_out(w, first, last).end;
        largest = bytes > largest ? bytes : largest;
        messages = last - first > messages ? last - first : messages;
    }
    if (chunks == 0)
        return HANJI_OK;
    look_at_memory(c, w);
    int rc = hanji_gpu_pipeline_open(&p, c, largest, chunks, !is_direct(w));
    if (rc == HANJI_OK)
        rc = place_equal(c, w, messages);
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
    hanji_gpu_look_at_lengths(w);
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

static int wrong_offsets(const fleet_work *w)
{
    const size_t n = w->fleet->messages;
    return hanji_fleet_check_offsets(w->text.offsets, n) != HANJI_OK ||
           (w->ad.offsets != NULL && hanji_fleet_check_offsets(w->ad.offsets, n) != HANJI_OK);
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
        (shape != NULL && wrong_offsets(w)) || w->text.length > SIZE_MAX / n ||
        w->ad.length > SIZE_MAX / n)
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
                    .key_bytes = cipher->key_bytes,
                    .text = {.offsets = fleet->offsets, .length = call->length}};
    const int rc = hanji_gpu_find_fleet(c, &w.row, cipher);
    if (rc != HANJI_OK)
        return rc;
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
        return hanji_gpu_beyond_limit(c);
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
        return hanji_gpu_beyond_limit(context_of(gpu));
    return host_fleet(context_of(gpu), &w);
}
