/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ascon over many messages with kernels of ascon_lanes.h: which message is in which lane, and what
 * its next blocks are. A fleet comes here with the longest messages first (fleet/fleet.c), so that
 * the lanes of a group end at nearly the same time. Everything here is decided by lengths and
 * addresses.
 */
#ifndef HANJI_ASCON_WIDE_H
#define HANJI_ASCON_WIDE_H

#include "ascon/ascon_lanes.h"
#include "ascon/ascon_parts.h"
#include "fleet/messages.h"
#include "hanji/common.h"

#define IDLE_BYTES 1024 /* read and written at a time by lanes without blocks */

typedef struct ascon_wide {
    uint64_t state[HANJI_ASCON_LANES_WORDS * HANJI_ASCON_LANES_MAX];
    uint8_t stage[HANJI_ASCON_RATE * HANJI_ASCON_LANES_MAX]; /* last blocks; tags to be compared */
    uint8_t idle_in[IDLE_BYTES], idle_out[IDLE_BYTES];
    hanji_ascon_ragged ragged;
} ascon_wide;

/* A text of each lane: the next block, and the blocks to do. */
typedef struct ascon_texts {
    const uint8_t *in[HANJI_ASCON_LANES_MAX];
    uint8_t *out[HANJI_ASCON_LANES_MAX]; /* NULL: nothing comes out */
    size_t blocks[HANJI_ASCON_LANES_MAX];
} ascon_texts;

/*
 * Whether the first message is so much longer than the next that the other lanes would wait for it
 * longer than it takes alone; or whether there are too few to fill lanes.
 */
HANJI_INLINE int wide_single(const hanji_fleet_item *items, size_t count, size_t least)
{
    if (count < least)
        return 1;
    const size_t first = items[0].bytes + items[0].ad_bytes;
    const size_t second = items[1].bytes + items[1].ad_bytes;
    return first > 256 && (first - 256) / 2 > second;
}

/* The blocks of all lanes: in stretches, until the next lane has no more. */
HANJI_INLINE void wide_blocks(ascon_wide *w, ascon_texts *t, size_t lanes, size_t rate,
                              hanji_ascon_lanes_fn *take)
{
    hanji_ascon_ragged *r = &w->ragged;
    for (;;) {
        size_t run = SIZE_MAX, busy = 0;
        for (size_t l = 0; l < lanes; l++) {
            const size_t left = t->blocks[l];
            run = left > 0 && left < run ? left : run;
            busy += left > 0;
        }
        if (busy == 0)
            return;
        if (busy < lanes && run > IDLE_BYTES / rate)
            run = IDLE_BYTES / rate;
        for (size_t l = 0; l < lanes; l++) {
            const int here = t->blocks[l] > 0;
            r->in[l] = here ? t->in[l] : w->idle_in;
            r->out[l] = here && t->out[l] != NULL ? t->out[l] : w->idle_out;
            r->active[l] = here ? UINT64_MAX : 0;
            if (here) {
                t->in[l] += run * rate;
                t->blocks[l] -= run;
                if (t->out[l] != NULL)
                    t->out[l] += run * rate;
            }
        }
        take(w->state, r, run);
    }
}

#endif
