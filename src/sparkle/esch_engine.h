/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine of ESCH and XOESCH over many messages: which message is in which lane, and what its
 * next block is. Included by esch_fleet.c, which names function and lanes as constants. A lane
 * absorbs its message and gives 16 bytes of output after the last block and after every further
 * round, whose block is zero; then it takes the next message.
 */
#ifndef HANJI_SPARKLE_ESCH_ENGINE_H
#define HANJI_SPARKLE_ESCH_ENGINE_H

#include "hanji/common.h"
#include "sparkle/sponge_lanes.h"
#include "support/bytes.h"

#define ESCH_RATE 16 /* bytes */

/* A message on its way through a lane; without `status` the lane is idle. */
typedef struct esch_lane {
    const uint8_t *in; /* the next block */
    size_t left;       /* bytes of the message that are not absorbed */
    uint8_t *out;      /* where output goes */
    size_t wanted;     /* bytes of output that are missing */
    int8_t *status;
    int absorbing;
} esch_lane;

typedef struct esch_engine {
    esch_lane lane[HANJI_LANES_MAX];
    hanji_lanes_control control;
    uint32_t state[16 * HANJI_LANES_MAX];
    uint8_t stage[HANJI_LANES_MAX * HANJI_LANES_RATE_MAX];
    const hanji_fleet_item *next; /* the messages that have no lane yet */
    size_t waiting;
    size_t busy;
    uint32_t flags;
    const uint32_t *start; /* the state in which each message begins; NULL: zero */
} esch_engine;

/* The next message into a lane. */
HANJI_INLINE void esch_assign(esch_engine *e, size_t at, size_t lanes, size_t words,
                              size_t digest_bytes)
{
    esch_lane *l = &e->lane[at];
    memset(l, 0, sizeof *l);
    if (e->waiting == 0) {
        e->control.big[at] = UINT32_MAX; /* like the others at the end of a message */
        return;
    }
    const hanji_fleet_item *item = e->next++;
    *l = (esch_lane){.in = item->in,
                     .left = item->bytes,
                     .out = item->tag,
                     .wanted = digest_bytes,
                     .status = item->status,
                     .absorbing = 1};
    if (e->start != NULL) {
        for (size_t w = 0; w < words; w++)
            e->state[hanji_lanes_word(w, at, lanes, words)] = e->start[w];
    } else {
        e->control.fresh_lane[at] = UINT32_MAX;
        e->flags |= HANJI_LANES_FRESH;
    }
    e->waiting--;
    e->busy++;
}

/*
 * A lane whose round is not a whole block with more to come: the last block, or nothing more to
 * absorb.
 */
HANJI_INLINE void esch_prepare_special(esch_engine *e, size_t at, size_t lanes, uint32_t domain)
{
    esch_lane *l = &e->lane[at];
    hanji_lanes_control *c = &e->control;
    uint8_t block[ESCH_RATE] = {0};
    if (l->absorbing) {
        if (l->left > 0)
            memcpy(block, l->in, l->left);
        if (l->left < ESCH_RATE)
            block[l->left] = 0x80;
        c->domain[at] = ((l->left == ESCH_RATE ? 2u : 1u) ^ domain) << 24;
        c->big[at] = UINT32_MAX;
        e->flags |= HANJI_LANES_BIG;
    }
    hanji_lanes_put(e->stage, block, at, lanes, ESCH_RATE);
}

/* After such a round: 16 bytes of output, and the next message when there is enough of it. */
HANJI_INLINE void esch_advance_special(esch_engine *e, size_t at, size_t lanes, size_t words,
                                       size_t digest_bytes)
{
    esch_lane *l = &e->lane[at];
    hanji_lanes_control *c = &e->control;
    if (l->status == NULL)
        return;
    uint8_t block[ESCH_RATE];
    const size_t part = l->wanted < ESCH_RATE ? l->wanted : ESCH_RATE;
    c->domain[at] = c->big[at] = 0;
    l->absorbing = 0;
    l->left = 0;
    for (size_t w = 0; w < ESCH_RATE / 4; w++)
        store_le32(block + 4 * w, e->state[hanji_lanes_word(w, at, lanes, words)]);
    if (part > 0) {
        memcpy(l->out, block, part);
        l->out += part;
        l->wanted -= part;
    }
    if (l->wanted == 0) {
        *l->status = HANJI_OK;
        e->busy--;
        esch_assign(e, at, lanes, words, digest_bytes);
    }
}

/*
 * Rounds in which every busy lane has a whole block and more to come: as many as there are, at
 * least two. They are run, and their number is returned.
 */
HANJI_INLINE size_t esch_whole(esch_engine *e, hanji_lanes_run_fn *whole, size_t lanes)
{
    size_t rounds = SIZE_MAX;
    for (size_t at = 0; at < lanes; at++) {
        const esch_lane *l = &e->lane[at];
        const size_t here = l->left > ESCH_RATE ? (l->left - 1) / ESCH_RATE : 0;
        if (l->status != NULL && here < rounds)
            rounds = here;
    }
    if (rounds < 2 || (e->flags & HANJI_LANES_FRESH) != 0)
        return 0;
    hanji_lanes_run run;
    for (size_t at = 0; at < lanes; at++) {
        const esch_lane *l = &e->lane[at];
        run.in[at] = l->status != NULL ? l->in : e->stage;
        run.in_step[at] = l->status != NULL ? ESCH_RATE : 0;
        run.out[at] = e->stage;
        run.out_step[at] = 0;
    }
    whole(e->state, &run, rounds);
    for (size_t at = 0; at < lanes; at++) {
        esch_lane *l = &e->lane[at];
        if (l->status != NULL) {
            l->in += rounds * ESCH_RATE;
            l->left -= rounds * ESCH_RATE;
        }
    }
    return rounds;
}

/*
 * The engine is the caller's, who wipes it. Hash `count` messages with a kernel of `lanes` lanes on
 * states of `words` words, `tag_bytes` of the job bytes of output each.
 */
HANJI_INLINE void esch_lanes(esch_engine *e, const hanji_fleet_item *items, size_t count,
                             const hanji_fleet_job *job, hanji_lanes_round_fn *round,
                             hanji_lanes_run_fn *whole, size_t lanes, size_t words, uint32_t domain)
{
    const size_t digest_bytes = job->tag_bytes;
    memset(e, 0, sizeof *e);
    e->next = items;
    e->waiting = count;
    e->start = job->start;
    for (size_t at = 0; at < lanes; at++)
        esch_assign(e, at, lanes, words, digest_bytes);
    while (e->busy > 0) {
        if (whole != NULL && esch_whole(e, whole, lanes) > 0)
            continue;
        uint32_t special = 0;
        for (size_t at = 0; at < lanes; at++) {
            esch_lane *l = &e->lane[at];
            if (l->left > ESCH_RATE) {
                hanji_lanes_put(e->stage, l->in, at, lanes, ESCH_RATE);
                l->in += ESCH_RATE;
                l->left -= ESCH_RATE;
            } else {
                special |= 1u << at;
                esch_prepare_special(e, at, lanes, domain);
            }
        }
        round(e->state, e->stage, &e->control, e->flags);
        if ((e->flags & HANJI_LANES_FRESH) != 0)
            memset(e->control.fresh_lane, 0, sizeof e->control.fresh_lane);
        e->flags = 0;
        for (size_t at = 0; at < lanes; at++)
            if ((special >> at & 1) != 0)
                esch_advance_special(e, at, lanes, words, digest_bytes);
    }
}

#endif
