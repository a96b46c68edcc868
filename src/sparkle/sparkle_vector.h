/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rounds of SCHWAEMM and ESCH on vectors of 32-bit words, one state in each lane (Beierle et
 * al., specification v1.2). A kernel file defines VECTOR_BYTES and includes this; see
 * sponge_lanes.h for what a round is.
 */
#define WORDS 2
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the permutation stands on its words */

#include "sparkle/sparkle.h"
#include "sparkle/sparkle_rounds.h"
#include "sparkle/sponge_lanes.h"

/* Rotations are one instruction on AVX-512. */
#if VECTOR_BYTES == 64
#define STEPS W(sparkle_steps_turned)
#else
#define STEPS W(sparkle_steps)
#endif

typedef W(word) lanes_word;
#define LANES BLOCKS /* states side by side in vectors */

#define ABSORB_WORD lanes_word
#define ABSORB(name) vectors_##name
#include "sparkle/sponge_absorb.h"

HANJI_INLINE lanes_word lanes_load(const void *p)
{
    return (lanes_word)vector_load(p);
}

HANJI_INLINE void lanes_store(uint32_t *p, lanes_word v)
{
    vector_store((uint8_t *)p, (vector)v);
}

/*
 * Four vectors of 16-byte pieces to four words, or back: a transpose of 4 x 4 words within 128
 * bits.
 */
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

/*
 * Words of the pieces of a chunk; a rate of 6 words leaves the last two of the second piece unused.
 */
#define PIECE_WORDS(rate) (((rate) + 3) / 4 * 4)

/* The chunks of all lanes as words, and back. */
HANJI_INLINE void load_chunks(lanes_word *d, const uint8_t *stage, uint32_t rate)
{
    UNROLL
    for (uint32_t w = 0; w < PIECE_WORDS(rate); w++)
        d[w] = lanes_load(stage + w * VECTOR_BYTES);
    turn(d);
    if (rate > 4)
        turn(d + 4);
}

HANJI_INLINE void store_chunks(uint8_t *stage, lanes_word *d, uint32_t rate)
{
    turn(d);
    if (rate > 4)
        turn(d + 4);
    UNROLL
    for (uint32_t w = 0; w < PIECE_WORDS(rate); w++)
        vector_store(stage + w * VECTOR_BYTES, (vector)d[w]);
}

HANJI_INLINE void load_states(lanes_word *s, const uint32_t *state, uint32_t words)
{
    UNROLL
    for (uint32_t w = 0; w < words; w++)
        s[w] = lanes_load(state + w * LANES);
}

HANJI_INLINE void store_states(uint32_t *state, const lanes_word *s, uint32_t words)
{
    UNROLL
    for (uint32_t w = 0; w < words; w++)
        lanes_store(state + w * LANES, s[w]);
}

/* Slim or big, as `control` says, and back to memory. */
HANJI_INLINE void permute_states(uint32_t *state, lanes_word *s, const hanji_lanes_control *control,
                                 uint32_t flags, uint32_t slim, uint32_t big, uint32_t branches)
{
    lanes_word x[8], y[8];
    UNROLL
    for (uint32_t j = 0; j < branches; j++) {
        x[j] = s[2 * j];
        y[j] = s[2 * j + 1];
    }
    STEPS(x, y, 0, slim, branches);
    if ((flags & HANJI_LANES_BIG) != 0) {
        const lanes_word wanted = lanes_load(control->big);
        lanes_word bx[8], by[8];
        UNROLL
        for (uint32_t j = 0; j < branches; j++) {
            bx[j] = x[j];
            by[j] = y[j];
        }
        STEPS(bx, by, slim, big, branches);
        UNROLL
        for (uint32_t j = 0; j < branches; j++) {
            x[j] = vectors_choose(wanted, bx[j], x[j]);
            y[j] = vectors_choose(wanted, by[j], y[j]);
        }
    }
    UNROLL
    for (uint32_t j = 0; j < branches; j++) {
        s[2 * j] = x[j];
        s[2 * j + 1] = y[j];
    }
    store_states(state, s, 2 * branches);
}

/*
 * Absorb of one round of SCHWAEMM; sizes in words are constants where this is inlined, and
 * `partial` and `begins` too.
 */
HANJI_INLINE void schwaemm_absorb_as(uint32_t *state, lanes_word *s, uint8_t *stage,
                                     const hanji_lanes_control *control, int partial, int begins,
                                     uint32_t rate, uint32_t capacity)
{
    const uint32_t words = rate + capacity;
    lanes_word d[8], keep[8], pad[8], fresh[16];
    load_states(s, state, words);
    load_chunks(d, stage, rate);
    if (partial) {
        load_chunks(keep, control->keep, rate);
        load_chunks(pad, control->pad, rate);
    }
    if (begins)
        load_states(fresh, control->fresh, words);
    vectors_schwaemm(s, d, partial ? keep : NULL, pad, lanes_load(control->opened),
                     lanes_load(control->domain), lanes_load(control->fresh_lane),
                     begins ? fresh : NULL, rate, capacity);
    store_chunks(stage, d, rate);
}

/* Most rounds are neither the first nor the last of any message. */
HANJI_INLINE void schwaemm_absorb(uint32_t *state, lanes_word *s, uint8_t *stage,
                                  const hanji_lanes_control *control, uint32_t flags, uint32_t rate,
                                  uint32_t capacity)
{
    if ((flags & HANJI_LANES_BEGIN) != 0)
        load_states(s, control->fresh, rate + capacity);
    else if ((flags & (HANJI_LANES_PARTIAL | HANJI_LANES_FRESH)) == 0)
        schwaemm_absorb_as(state, s, stage, control, 0, 0, rate, capacity);
    else if ((flags & HANJI_LANES_PARTIAL) == 0)
        schwaemm_absorb_as(state, s, stage, control, 0, 1, rate, capacity);
    else
        schwaemm_absorb_as(state, s, stage, control, 1, 1, rate, capacity);
}

/* Absorb of one round of ESCH. */
HANJI_INLINE void esch_absorb(uint32_t *state, lanes_word *s, const uint8_t *stage,
                              const hanji_lanes_control *control, uint32_t branches)
{
    lanes_word d[4];
    load_states(s, state, 2 * branches);
    load_chunks(d, stage, 4);
    vectors_esch(s, d, lanes_load(control->domain), lanes_load(control->fresh_lane), branches);
}
