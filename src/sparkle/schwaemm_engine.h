/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine of SCHWAEMM over many messages: which message is in which lane, and what its next
 * chunk is. Included by schwaemm_fleet.c, which names instance and lanes as constants: most rounds
 * do nothing but move a whole chunk in and out of every lane, and that is what these constants make
 * short.
 */
#ifndef HANJI_SPARKLE_SCHWAEMM_ENGINE_H
#define HANJI_SPARKLE_SCHWAEMM_ENGINE_H

#include "hanji/common.h"
#include "sparkle/sponge_lanes.h"
#include "support/bytes.h"

enum { IDLE, STARTING, IN_AD, IN_MESSAGE };

/* A message on its way through a lane. */
typedef struct schwaemm_lane {
    const uint8_t *in; /* the next chunk */
    uint8_t *out;      /* where it goes; NULL while associated data are absorbed */
    size_t left;       /* bytes of the phase that are not done */
    size_t part;       /* bytes of the last chunk, in the round that does it; else 0 */
    const hanji_fleet_item *item;
    int phase;
} schwaemm_lane;

typedef struct schwaemm_engine {
    schwaemm_lane lane[HANJI_LANES_MAX];
    hanji_lanes_control control;
    uint32_t state[16 * HANJI_LANES_MAX];
    uint8_t stage[HANJI_LANES_MAX * HANJI_LANES_RATE_MAX];
    const hanji_fleet_item *next; /* the messages that have no lane yet */
    size_t waiting;
    size_t busy;
    uint32_t flags;
    int open;
} schwaemm_engine;

HANJI_INLINE void begin_phase(schwaemm_engine *e, size_t at, int phase)
{
    schwaemm_lane *l = &e->lane[at];
    l->phase = phase;
    l->in = phase == IN_AD ? l->item->ad : l->item->in;
    l->out = phase == IN_AD ? NULL : l->item->out;
    l->left = phase == IN_AD ? l->item->ad_bytes : l->item->bytes;
    e->control.opened[at] = phase == IN_MESSAGE && e->open ? UINT32_MAX : 0;
}

HANJI_INLINE void assign(schwaemm_engine *e, size_t at)
{
    schwaemm_lane *l = &e->lane[at];
    memset(l, 0, sizeof *l);
    e->control.opened[at] = 0;
    if (e->waiting > 0) {
        l->item = e->next++;
        l->phase = STARTING;
        e->waiting--;
        e->busy++;
    } else {
        e->control.big[at] = UINT32_MAX; /* like the others at the end of a message */
    }
}

/*
 * A lane whose round is not a whole chunk with more to come: the start of a message, a last chunk,
 * or nothing.
 */
HANJI_INLINE void prepare_special(schwaemm_engine *e, size_t at, size_t lanes, size_t rate,
                                  size_t capacity, uint32_t domain)
{
    schwaemm_lane *l = &e->lane[at];
    hanji_lanes_control *c = &e->control;
    if (l->phase == IDLE)
        return;
    c->big[at] = UINT32_MAX;
    e->flags |= HANJI_LANES_BIG;
    if (l->phase == STARTING) {
        const size_t words = (rate + capacity) / 4;
        for (size_t w = 0; w < rate / 4; w++)
            c->fresh[hanji_lanes_word(w, at, lanes, words)] = load_le32(l->item->nonce + 4 * w);
        for (size_t w = 0; w < capacity / 4; w++)
            c->fresh[hanji_lanes_word(rate / 4 + w, at, lanes, words)] =
                load_le32(l->item->key + 4 * w);
        c->fresh_lane[at] = UINT32_MAX;
        e->flags |= HANJI_LANES_FRESH;
        return;
    }
    const int message = l->phase == IN_MESSAGE;
    uint8_t chunk[HANJI_LANES_RATE_MAX];
    l->part = l->left;
    if (l->part == rate) {
        hanji_lanes_put(e->stage, l->in, at, lanes, rate);
    } else {
        memset(chunk, 0, sizeof chunk);
        memcpy(chunk, l->in, l->part);
        chunk[l->part] = 0x80;
        hanji_lanes_put(e->stage, chunk, at, lanes, rate);
    }
    c->domain[at] = (domain ^ (message ? 2u : 0u) ^ (l->part == rate ? 1u : 0u)) << 24;
    if (l->part == rate || !message || !e->open)
        return;
    /* What is absorbed is the opened chunk, with its padding instead of what follows it. */
    if ((e->flags & HANJI_LANES_PARTIAL) == 0) {
        e->flags |= HANJI_LANES_PARTIAL;
        memset(c->keep, 0xff, sizeof c->keep);
        memset(c->pad, 0, sizeof c->pad);
    }
    memset(chunk, 0, sizeof chunk);
    chunk[l->part] = 0x80;
    hanji_lanes_put(c->pad, chunk, at, lanes, rate);
    memset(chunk, 0, sizeof chunk);
    memset(chunk, 0xff, l->part);
    hanji_lanes_put(c->keep, chunk, at, lanes, rate);
}

/* The tag R ^ K; then the lane is free. */
HANJI_INLINE void finish(schwaemm_engine *e, size_t at, size_t lanes, size_t rate, size_t capacity)
{
    const hanji_fleet_item *item = e->lane[at].item;
    uint8_t tag[HANJI_LANES_RATE_MAX];
    for (size_t w = 0; w < capacity / 4; w++)
        store_le32(tag + 4 * w,
                   e->state[hanji_lanes_word(rate / 4 + w, at, lanes, (rate + capacity) / 4)] ^
                       load_le32(item->key + 4 * w));
    *item->status = HANJI_OK;
    if (!e->open) {
        memcpy(item->tag, tag, capacity);
    } else if (!hanji_equal(tag, item->tag, capacity)) {
        *item->status = HANJI_E_TAG;
        if (item->bytes > 0)
            hanji_wipe(item->out, item->bytes);
    }
    hanji_wipe(tag, sizeof tag);
    e->busy--;
    assign(e, at);
}

/* After such a round: take the output, and see what comes next in the message. */
HANJI_INLINE void advance_special(schwaemm_engine *e, size_t at, size_t lanes, size_t rate,
                                  size_t capacity)
{
    schwaemm_lane *l = &e->lane[at];
    hanji_lanes_control *c = &e->control;
    if (l->phase == IDLE)
        return;
    c->domain[at] = c->fresh_lane[at] = c->big[at] = 0;
    if (l->phase == IN_MESSAGE && l->part == rate) {
        hanji_lanes_get(l->out, e->stage, at, lanes, rate);
    } else if (l->phase == IN_MESSAGE) {
        uint8_t chunk[HANJI_LANES_RATE_MAX];
        hanji_lanes_get(chunk, e->stage, at, lanes, rate);
        memcpy(l->out, chunk, l->part);
    }
    l->part = 0;
    if (l->phase == STARTING && l->item->ad_bytes > 0)
        begin_phase(e, at, IN_AD);
    else if (l->phase != IN_MESSAGE && l->item->bytes > 0)
        begin_phase(e, at, IN_MESSAGE);
    else
        finish(e, at, lanes, rate, capacity);
}

/*
 * Rounds in which every busy lane has a whole chunk and more to come: as many as there are, at
 * least two. They are run, and their number is returned.
 */
HANJI_INLINE size_t schwaemm_whole(schwaemm_engine *e, hanji_lanes_run_fn *whole, size_t lanes,
                                   size_t rate)
{
    size_t rounds = SIZE_MAX;
    for (size_t at = 0; at < lanes; at++) {
        const schwaemm_lane *l = &e->lane[at];
        if (l->phase == IDLE)
            continue;
        if (l->left <= 2 * rate)
            return 0;
        const size_t here = (l->left - 1) / rate;
        if (here < rounds)
            rounds = here;
    }
    hanji_lanes_run run;
    for (size_t at = 0; at < lanes; at++) {
        const schwaemm_lane *l = &e->lane[at];
        const int busy = l->phase != IDLE;
        run.in[at] = busy ? l->in : e->stage;
        run.in_step[at] = busy ? rate : 0;
        run.out[at] = l->out != NULL ? l->out : e->stage + at * rate;
        run.out_step[at] = l->out != NULL ? rate : 0;
        run.opened[at] = e->control.opened[at];
    }
    whole(e->state, &run, rounds);
    for (size_t at = 0; at < lanes; at++) {
        schwaemm_lane *l = &e->lane[at];
        if (l->phase == IDLE)
            continue;
        l->in += rounds * rate;
        l->left -= rounds * rate;
        if (l->out != NULL)
            l->out += rounds * rate;
    }
    return rounds;
}

/*
 * The engine is the caller's, who wipes it. Seal or open `count` messages with a kernel of `lanes`
 * lanes. Rate and capacity in bytes: the nonce has `rate`, key and tag have `capacity`.
 */
HANJI_INLINE void schwaemm_lanes(schwaemm_engine *e, const hanji_fleet_item *items, size_t count,
                                 const hanji_fleet_job *job, hanji_lanes_round_fn *round,
                                 hanji_lanes_run_fn *whole, size_t lanes, size_t rate,
                                 size_t capacity, uint32_t domain)
{
    e->next = items;
    e->waiting = count;
    e->open = job->open;
    e->busy = 0;
    memset(e->lane, 0, sizeof e->lane);
    memset(&e->control, 0, sizeof e->control);
    memset(e->state, 0, sizeof e->state);
    memset(e->stage, 0, sizeof e->stage);
    for (size_t at = 0; at < lanes; at++)
        assign(e, at);
    while (e->busy > 0) {
        if (whole != NULL && schwaemm_whole(e, whole, lanes, rate) > 0)
            continue;
        uint32_t special = 0;
        size_t beginning = 0;
        e->flags = 0;
        for (size_t at = 0; at < lanes; at++) {
            schwaemm_lane *l = &e->lane[at];
            if (l->left > rate) {
                hanji_lanes_put(e->stage, l->in, at, lanes, rate);
                l->in += rate;
                l->left -= rate;
            } else {
                special |= 1u << at;
                beginning += l->phase == STARTING;
                prepare_special(e, at, lanes, rate, capacity, domain);
            }
        }
        if (beginning == e->busy)
            e->flags |= HANJI_LANES_BEGIN;
        round(e->state, e->stage, &e->control, e->flags);
        for (size_t at = 0; at < lanes; at++) {
            schwaemm_lane *l = &e->lane[at];
            if ((special >> at & 1) != 0) {
                advance_special(e, at, lanes, rate, capacity);
            } else if (l->out != NULL) {
                hanji_lanes_get(l->out, e->stage, at, lanes, rate);
                l->out += rate;
            }
        }
    }
}

#endif
