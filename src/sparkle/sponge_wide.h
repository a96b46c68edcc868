/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCHWAEMM and ESCH over many messages with kernels for sixteen messages that do not wait for each
 * other's bytes: in groups of neighbours by length. Messages of one length that lie one after the
 * other go through the kernels of hanji_lanes_uniform, all others through those of hanji_lanes_ragged.
 * Everything here is decided by lengths and addresses. A fleet comes here with the longest messages
 * first (fleet/fleet.c), so the lanes of a group end at nearly the same time.
 */
#ifndef HANJI_SPARKLE_SPONGE_WIDE_H
#define HANJI_SPARKLE_SPONGE_WIDE_H

#include "hanji/common.h"
#include "sparkle/sponge_lanes.h"
#include "support/bytes.h"

typedef struct sponge_wide {
    uint32_t state[16 * HANJI_RAGGED_LANES];
    /* what lanes without a message have, and tags that are compared */
    uint8_t stage[HANJI_RAGGED_LANES * HANJI_LANES_RATE_MAX];
    hanji_lanes_ragged ragged;
} sponge_wide;

/*
 * Whether the first message is so much longer than the next that the other lanes would wait for it
 * longer than it takes alone, or there are fewer than `least`. A chunk of one message costs 212
 * cycles of Zen 5, of sixteen 350, and a message on its own 700 more: measured.
 */
HANJI_INLINE int wide_single(const hanji_fleet_item *items, size_t count, size_t least)
{
    if (count < least)
        return 1;
    const size_t first = items[0].bytes + items[0].ad_bytes,
                 second = items[1].bytes + items[1].ad_bytes;
    return first > 160 && (first - 160) / 5 * 2 > second;
}

/*
 * Whole rows of `row` bytes, as many as `rows` says for each lane, from in[] on: in steps, until
 * the next lane has no more.
 */
HANJI_INLINE void wide_rows(sponge_wide *w, const size_t *rows, size_t row,
                            void (*take)(uint32_t *, const hanji_lanes_ragged *, size_t, size_t,
                                         uint32_t))
{
    for (size_t done = 0;;) {
        size_t next = SIZE_MAX;
        uint32_t active = 0;
        for (size_t l = 0; l < HANJI_RAGGED_LANES; l++) {
            const int busy = rows[l] > done;
            active |= (uint32_t)busy << l;
            next = busy && rows[l] < next ? rows[l] : next;
            w->ragged.mask[l] = busy ? UINT32_MAX >> (32 - row) : 0;
        }
        if (active == 0)
            return;
        take(w->state, &w->ragged, done * row, next - done, active);
        done = next;
    }
}

/* The first `bytes` bytes of a row, 0 to 32. */
HANJI_INLINE uint32_t wide_mask(size_t bytes)
{
    return bytes == 0 ? 0 : UINT32_MAX >> (32 - bytes);
}

/* Associated data or message of `count` messages. */
HANJI_INLINE void schwaemm_wide_phase(sponge_wide *w, const hanji_fleet_item *items, size_t count,
                                      const hanji_lanes_ragged_fns *ragged, int message, int open,
                                      size_t rate, uint32_t domain)
{
    hanji_lanes_ragged *r = &w->ragged;
    size_t chunks[HANJI_RAGGED_LANES];
    uint32_t some = 0;
    r->quiet = !message;
    for (size_t l = 0; l < HANJI_RAGGED_LANES; l++) {
        const hanji_fleet_item *item = items + l;
        const size_t bytes = l >= count ? 0 : message ? item->bytes : item->ad_bytes;
        chunks[l] = bytes > 0 ? (bytes - 1) / rate : 0;
        r->in[l] = bytes == 0 ? w->stage : message ? item->in : item->ad;
        r->out[l] = bytes > 0 && message ? item->out : w->stage;
        r->left[l] = (uint32_t)(bytes - chunks[l] * rate);
        some |= (uint32_t)(bytes > 0) << l;
    }
    if (some == 0)
        return;
    wide_rows(w, chunks, rate, open ? ragged->open : ragged->seal);
    for (size_t l = 0; l < HANJI_RAGGED_LANES; l++) {
        r->in[l] += chunks[l] * rate;
        r->out[l] += chunks[l] * rate;
        r->mask[l] = wide_mask(r->left[l]);
        r->domain[l] = (domain ^ (message ? 2u : 0u) ^ (r->left[l] == rate ? 1u : 0u)) << 24;
    }
    (open ? ragged->open_last : ragged->seal_last)(w->state, r, some);
}

/* Status and, when messages are opened, the tags at `tags`: what does not match is wiped. */
HANJI_INLINE void schwaemm_wide_finish(const hanji_fleet_item *items, size_t count,
                                       const uint8_t *tags, int open, size_t capacity)
{
    for (size_t at = 0; at < count; at++) {
        const hanji_fleet_item *item = items + at;
        *item->status = HANJI_OK;
        if (open && !hanji_equal(tags + at * capacity, item->tag, capacity)) {
            *item->status = HANJI_E_TAG;
            if (item->bytes > 0)
                hanji_wipe(item->out, item->bytes);
        }
    }
}

/* Up to sixteen messages. */
HANJI_INLINE void schwaemm_wide_ragged(sponge_wide *w, const hanji_fleet_item *items, size_t count,
                                       const hanji_lanes_ragged_fns *ragged, int open, size_t rate,
                                       size_t capacity, uint32_t domain)
{
    hanji_lanes_ragged *r = &w->ragged;
    for (size_t l = 0; l < HANJI_RAGGED_LANES; l++) {
        r->nonce[l] = l < count ? items[l].nonce : w->stage;
        r->key[l] = l < count ? items[l].key : w->stage;
    }
    ragged->begin(w->state, r);
    schwaemm_wide_phase(w, items, count, ragged, 0, 0, rate, domain);
    schwaemm_wide_phase(w, items, count, ragged, 1, open, rate, domain);
    for (size_t l = 0; l < HANJI_RAGGED_LANES; l++)
        r->out[l] = l < count && !open ? items[l].tag : w->stage + l * capacity;
    ragged->end(w->state, r);
    schwaemm_wide_finish(items, count, w->stage, open, capacity);
}

/*
 * Sixteen messages of one length, one after the other. `end` is where the texts of the fleet end:
 * as many more messages may lie before it.
 */
HANJI_INLINE void schwaemm_wide_uniform(sponge_wide *w, const hanji_fleet_item *items,
                                        const hanji_lanes_uniform *uniform, const uint8_t *end,
                                        int open, size_t capacity, uint32_t domain)
{
    const size_t key_stride = (size_t)(items[1].key - items[0].key),
                 all = HANJI_RAGGED_LANES * items->bytes;
    const size_t ahead = items->bytes > 0 && (size_t)(end - items->in) >= 2 * all ? all : 0;
    uniform->begin(w->state, items->nonce, items->key, key_stride);
    if (items->ad_bytes > 0)
        uniform->seal(w->state, NULL, items->ad, items->ad_bytes, 0, domain);
    if (items->bytes > 0)
        (open ? uniform->open : uniform->seal)(w->state, items->out, items->in, items->bytes, ahead,
                                               domain ^ 2u);
    uint8_t *tags = open ? w->stage : items->tag;
    uniform->end(tags, w->state, items->key, key_stride);
    schwaemm_wide_finish(items, HANJI_RAGGED_LANES, tags, open, capacity);
}

/*
 * Seal or open `count` messages; `single` does one, and fewer than `least`. Rate and capacity in
 * bytes: the nonce has `rate`, key and tag have `capacity`. What it works with is the caller's, who
 * wipes it.
 */
HANJI_INLINE void schwaemm_wide(sponge_wide *w, const hanji_fleet_item *items, size_t count,
                                const hanji_fleet_job *job, const hanji_lanes_uniform *uniform,
                                const hanji_lanes_ragged_fns *ragged, hanji_fleet_fn *single,
                                size_t least, size_t rate, size_t capacity, uint32_t domain)
{
    memset(w, 0, sizeof *w);
    while (count > 0) {
        size_t n = count < HANJI_RAGGED_LANES ? count : HANJI_RAGGED_LANES;
        if (hanji_lanes_are_uniform(items, count, HANJI_RAGGED_LANES))
            schwaemm_wide_uniform(w, items, uniform, job->end, job->open, capacity, domain);
        else if (wide_single(items, count, least))
            single(items, n = 1, job);
        else
            schwaemm_wide_ragged(w, items, n, ragged, job->open, rate, capacity, domain);
        items += n;
        count -= n;
    }
}

/* The states in which messages begin. */
HANJI_INLINE void esch_wide_start(sponge_wide *w, const uint32_t *start)
{
    memset(w->state, 0, sizeof w->state);
    for (size_t at = 0; start != NULL && at < 12 * HANJI_RAGGED_LANES; at++)
        w->state[at] = start[at / HANJI_RAGGED_LANES];
}

/* Up to sixteen messages, `tag_bytes` of the job bytes of output each. */
HANJI_INLINE void esch_wide_ragged(sponge_wide *w, const hanji_fleet_item *items, size_t count,
                                   const hanji_lanes_ragged_hash *ragged,
                                   const hanji_fleet_job *job, uint32_t domain)
{
    const size_t digest_bytes = job->tag_bytes;
    hanji_lanes_ragged *r = &w->ragged;
    size_t pairs[HANJI_RAGGED_LANES];
    uint32_t blocks = 0;
    esch_wide_start(w, job->start);
    for (size_t l = 0; l < HANJI_RAGGED_LANES; l++) {
        const size_t bytes = l < count ? items[l].bytes : 0;
        pairs[l] = bytes > 0 ? (bytes - 1) / 32 : 0;
        r->in[l] = bytes > 0 ? items[l].in : w->stage;
        r->left[l] = (uint32_t)(bytes - 32 * pairs[l]); /* for now: up to two blocks */
    }
    wide_rows(w, pairs, 32, ragged->pairs);
    uint32_t left[HANJI_RAGGED_LANES];
    for (size_t l = 0; l < HANJI_RAGGED_LANES; l++) {
        const uint32_t two = r->left[l] > 16;
        r->in[l] += 32 * pairs[l];
        left[l] = r->left[l] - 16 * two;
        blocks |= two << l;
        r->mask[l] = two ? 0xffff : 0;
        r->left[l] = 16;
        r->domain[l] = 0;
    }
    if (blocks != 0)
        ragged->block(w->state, r, blocks);
    for (size_t l = 0; l < HANJI_RAGGED_LANES; l++) {
        r->in[l] += 16 * (blocks >> l & 1);
        r->mask[l] = wide_mask(left[l]);
        r->left[l] = left[l];
        r->domain[l] = ((left[l] == 16 ? 2u : 1u) ^ domain) << 24;
    }
    ragged->last(w->state, r, 0xffff);
    for (size_t given = 0; given < digest_bytes; given += 16) {
        if (given > 0)
            ragged->slim(w->state, r);
        for (size_t l = 0; l < HANJI_RAGGED_LANES; l++) {
            r->out[l] = l < count ? items[l].tag + given : w->stage;
            r->mask[l] =
                l < count ? wide_mask(digest_bytes - given < 16 ? digest_bytes - given : 16) : 0;
        }
        ragged->squeeze(w->state, r);
    }
    for (size_t l = 0; l < count; l++)
        *items[l].status = HANJI_OK;
}

/* Hash `count` messages; `single` does one, and fewer than `least`. */
HANJI_INLINE void esch_wide(sponge_wide *w, const hanji_fleet_item *items, size_t count,
                            const hanji_fleet_job *job, hanji_lanes_hash_fn *uniform,
                            const hanji_lanes_ragged_hash *ragged, hanji_fleet_fn *single,
                            size_t least, uint32_t domain)
{
    memset(w, 0, sizeof *w);
    while (count > 0) {
        size_t n = count < HANJI_RAGGED_LANES ? count : HANJI_RAGGED_LANES;
        if (hanji_lanes_are_uniform(items, count, HANJI_RAGGED_LANES)) {
            esch_wide_start(w, job->start);
            uniform(w->state, items->tag, job->tag_bytes, items->in, items->bytes, domain);
            for (size_t at = 0; at < n; at++)
                *items[at].status = HANJI_OK;
        } else if (wide_single(items, count, least)) {
            single(items, n = 1, job);
        } else {
            esch_wide_ragged(w, items, n, ragged, job, domain);
        }
        items += n;
        count -= n;
    }
}

#endif
