/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fleets in host memory, cut into chunks of whole messages: which messages make a chunk, and where
 * their arrays lie in a slot.
 */
#include "gpu/work.h"

#define CHUNK_MIN ((size_t)8 << 20)
#define CHUNK_MESSAGES ((size_t)32 << 10)

static size_t padded(size_t bytes)
{
    return (bytes + 255) / 256 * 256;
}

places hanji_gpu_lay_out(const fleet_work *w, size_t first, size_t last)
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
    size_t longest = 0;
    if (t->offsets == NULL)
        return t->length;
    for (size_t i = 0; i < messages; i++) {
        const size_t bytes = message_bytes(t, i, i + 1);
        longest = bytes > longest ? bytes : longest;
    }
    return longest;
}

void hanji_gpu_look_at_lengths(fleet_work *w)
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
    const size_t each = hanji_gpu_lay_out(w, 0, n).end / n;
    w->chunk = each > CHUNK_BYTES / CHUNK_MESSAGES ? CHUNK_BYTES : CHUNK_MESSAGES * each;
    if (w->chunk < CHUNK_MIN)
        w->chunk = CHUNK_MIN;
}

/*
 * The end of the chunk that begins with message `first`, which is within the limit: as many as fit
 * a slot, and none that is beyond the limit.
 */
static size_t chunk_end(const fleet_work *w, size_t first)
{
    size_t low = first + 1, high = w->fleet->messages;
    if (high - first > EQUAL_MAX)
        high = first + EQUAL_MAX;
    while (low < high) { /* the largest end whose arrays fit */
        const size_t middle = low + (high - low + 1) / 2;
        if (hanji_gpu_lay_out(w, first, middle).end <= w->chunk)
            low = middle;
        else
            high = middle - 1;
    }
    for (size_t i = first + 1; w->beyond && i < low; i++)
        if (beyond_limit(w, i))
            return i;
    return low;
}

int hanji_gpu_next_chunk(const fleet_work *w, size_t *first, size_t *last)
{
    while (*first < w->fleet->messages && beyond_limit(w, *first))
        *first += 1;
    if (*first == w->fleet->messages)
        return 0;
    *last = chunk_end(w, *first);
    return 1;
}
