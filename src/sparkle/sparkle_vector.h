/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPARKLE and the rounds of SCHWAEMM on vectors of 32-bit words, one state in each lane (Beierle et al., specification v1.2, sections 2.1 and 2.3). A kernel file defines
 * VECTOR_BYTES and includes this; see schwaemm_lanes.h for what a round is.
 */
#define WORDS 2
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the permutation stands on its words */

#include "sparkle/schwaemm_lanes.h"
#include "sparkle/sparkle_rounds.h"

typedef W(word) lanes_word;
#define LANES BLOCKS /* states side by side */
#define BRANCHES_MAX 8

HANJI_INLINE lanes_word lanes_load(const void *p)
{
    return (lanes_word)vector_load(p);
}

/* Four vectors of 16-byte pieces to four words, or back: a transpose of 4 x 4 words within 128 bits. */
HANJI_INLINE void turn(lanes_word *v)
{
    vector t0, t1, t2, t3, w0, w1, w2, w3;
    join_32(&t0, &t1, (vector)v[0], (vector)v[1]);
    join_32(&t2, &t3, (vector)v[2], (vector)v[3]);
    split_64(&w0, &w1, t0, t2);
    split_64(&w2, &w3, t1, t3);
    v[0] = (lanes_word)w0;
    v[1] = (lanes_word)w1;
    v[2] = (lanes_word)w2;
    v[3] = (lanes_word)w3;
}

/* The chunks of all lanes as words; a rate of 6 words leaves the last two of the second piece unused. */
HANJI_INLINE void load_chunks(lanes_word *d, const uint8_t *stage, uint32_t rate)
{
    UNROLL_LANES
    for (uint32_t w = 0; w < (rate + 3) / 4 * 4; w++)
        d[w] = lanes_load(stage + w * VECTOR_BYTES);
    turn(d);
    if (rate > 4)
        turn(d + 4);
}

HANJI_INLINE lanes_word choose(lanes_word mask, lanes_word yes, lanes_word no)
{
    return (mask & yes) | (~mask & no);
}

/* One round of an instance; sizes in words are constants where this is inlined. */
HANJI_INLINE void lanes_round(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control, uint32_t flags, uint32_t rate, uint32_t capacity,
                              uint32_t slim, uint32_t big)
{
    const uint32_t words = rate + capacity, half = rate / 2, branches = words / 2;
    lanes_word s[16], d[8], out[8], x[BRANCHES_MAX], y[BRANCHES_MAX];
    UNROLL_LANES
    for (uint32_t w = 0; w < words; w++)
        s[w] = lanes_load(state + w * LANES);
    load_chunks(d, stage, rate);
    UNROLL_LANES
    for (uint32_t w = 0; w < rate; w++)
        out[w] = d[w] ^ s[w];
    const lanes_word opened = lanes_load(control->opened);
    if ((flags & HANJI_LANES_PARTIAL) != 0) {
        lanes_word keep[8], pad[8];
        load_chunks(keep, control->keep, rate);
        load_chunks(pad, control->pad, rate);
        UNROLL_LANES
        for (uint32_t w = 0; w < rate; w++)
            d[w] = choose(opened, (out[w] & keep[w]) ^ pad[w], d[w]);
    } else {
        UNROLL_LANES
        for (uint32_t w = 0; w < rate; w++)
            d[w] = choose(opened, out[w], d[w]);
    }
    for (uint32_t w = rate; w < (rate + 3) / 4 * 4; w++)
        out[w] = d[w];
    turn(out);
    if (rate > 4)
        turn(out + 4);
    UNROLL_LANES
    for (uint32_t w = 0; w < (rate + 3) / 4 * 4; w++)
        vector_store(stage + w * VECTOR_BYTES, (vector)out[w]);

    /* L = FeistelSwap(L) ^ D ^ W(R), the domain being in R already; or the beginning of a message. */
    const lanes_word fresh = lanes_load(control->fresh_lane);
    s[words - 1] ^= lanes_load(control->domain);
    UNROLL_LANES
    for (uint32_t i = 0; i < half; i++) {
        const lanes_word left = s[i], right = s[half + i];
        s[i] = right ^ d[i] ^ s[rate + i];
        s[half + i] = right ^ left ^ d[half + i] ^ s[rate + (rate > capacity ? i : half + i)];
    }
    UNROLL_LANES
    for (uint32_t j = 0; j < branches; j++) {
        x[j] = choose(fresh, lanes_load(control->fresh + 2 * j * LANES), s[2 * j]);
        y[j] = choose(fresh, lanes_load(control->fresh + (2 * j + 1) * LANES), s[2 * j + 1]);
    }
    W(sparkle_steps)(x, y, 0, slim, branches);
    if ((flags & HANJI_LANES_BIG) != 0) {
        const lanes_word wanted = lanes_load(control->big);
        lanes_word bx[BRANCHES_MAX], by[BRANCHES_MAX];
        UNROLL_LANES
        for (uint32_t j = 0; j < branches; j++) {
            bx[j] = x[j];
            by[j] = y[j];
        }
        W(sparkle_steps)(bx, by, slim, big, branches);
        UNROLL_LANES
        for (uint32_t j = 0; j < branches; j++) {
            x[j] = choose(wanted, bx[j], x[j]);
            y[j] = choose(wanted, by[j], y[j]);
        }
    }
    UNROLL_LANES
    for (uint32_t j = 0; j < branches; j++) {
        vector_store((uint8_t *)(state + 2 * j * LANES), (vector)x[j]);
        vector_store((uint8_t *)(state + (2 * j + 1) * LANES), (vector)y[j]);
    }
}
