/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCHWAEMM and ESCH over four messages on AArch64: each message has a state of its own, absorbed
 * word by word, and a kernel permutes the four states together. A kernel file includes this.
 */
#ifndef HANJI_SPARKLE_SPONGE_FOUR_H
#define HANJI_SPARKLE_SPONGE_FOUR_H

#include "hanji/hash.h"
#include "sparkle/sparkle.h"
#include "sparkle/sponge_lanes.h"

#ifdef __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

#define ABSORB_WORD uint32_t
#define ABSORB(name) word_##name
#include "sparkle/sponge_absorb.h"

#define LANES 4

/*
 * Slim, or big in the lanes that `control` names, which is public. Where only some are big, all
 * four states take both, and each lane keeps its own.
 */
HANJI_INLINE void permute_four(uint32_t *state, const hanji_lanes_control *control, uint32_t flags,
                               hanji_permute_fn *permute, uint32_t words, uint32_t slim,
                               uint32_t big)
{
    const uint32_t *large = control->big;
    if ((flags & HANJI_LANES_BIG) == 0) {
        permute(state, 1, slim);
    } else if ((large[0] & large[1] & large[2] & large[3]) != 0) {
        permute(state, 1, big);
    } else {
        uint32_t other[16 * LANES];
        memcpy(other, state, 4 * words * LANES);
        permute(state, 1, slim);
        permute(other, 1, big);
        for (uint32_t l = 0; l < LANES; l++)
            if (large[l] != 0)
                memcpy(state + words * l, other + words * l, 4 * words);
    }
}

/*
 * Absorb of one round of SCHWAEMM in one lane; sizes in words, `partial` and `begins` are constants
 * where this is inlined.
 */
HANJI_INLINE void schwaemm_lane_as(uint32_t *state, uint8_t *stage,
                                   const hanji_lanes_control *control, uint32_t l, int partial,
                                   int begins, uint32_t rate, uint32_t capacity)
{
    const uint32_t words = rate + capacity, at = HANJI_LANES_RATE_MAX * l;
    uint32_t d[8], keep[8], pad[8];
    memcpy(d, stage + at, 4 * rate);
    if (partial) {
        memcpy(keep, control->keep + at, 4 * rate);
        memcpy(pad, control->pad + at, 4 * rate);
    }
    word_schwaemm(state + words * l, d, partial ? keep : NULL, pad, control->opened[l],
                  control->domain[l], control->fresh_lane[l],
                  begins ? control->fresh + words * l : NULL, rate, capacity);
    memcpy(stage + at, d, 4 * rate);
}

/* Absorb of one round of SCHWAEMM. Most rounds are neither the first nor the last of a message. */
HANJI_INLINE void schwaemm_four(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control,
                                uint32_t flags, uint32_t rate, uint32_t capacity)
{
    const uint32_t words = rate + capacity;
    if ((flags & HANJI_LANES_BEGIN) != 0) {
        memcpy(state, control->fresh, 4 * words * LANES);
        return;
    }
    for (uint32_t l = 0; l < LANES; l++)
        if ((flags & (HANJI_LANES_PARTIAL | HANJI_LANES_FRESH)) == 0)
            schwaemm_lane_as(state, stage, control, l, 0, 0, rate, capacity);
        else if ((flags & HANJI_LANES_PARTIAL) == 0)
            schwaemm_lane_as(state, stage, control, l, 0, 1, rate, capacity);
        else
            schwaemm_lane_as(state, stage, control, l, 1, 1, rate, capacity);
}

/* Absorb of one round of ESCH. */
HANJI_INLINE void esch_four(uint32_t *state, const uint8_t *stage,
                            const hanji_lanes_control *control, uint32_t branches)
{
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t d[4];
        memcpy(d, stage + HANJI_LANES_RATE_MAX * l, sizeof d);
        word_esch(state + 2 * branches * l, d, control->domain[l], control->fresh_lane[l],
                  branches);
    }
}

/* Absorb of rounds of SCHWAEMM as hanji_lanes_run has them. */
HANJI_INLINE void schwaemm_run_four(uint32_t *state, hanji_lanes_run *run, uint32_t rate,
                                    uint32_t capacity)
{
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t d[8];
        memcpy(d, run->in[l], 4 * rate);
        word_schwaemm(state + (rate + capacity) * l, d, NULL, NULL, run->opened[l], 0, 0, NULL,
                      rate, capacity);
        memcpy(run->out[l], d, 4 * rate);
        run->in[l] += run->in_step[l];
        run->out[l] += run->out_step[l];
    }
}

/* The same of ESCH; there is no output. */
HANJI_INLINE void esch_run_four(uint32_t *state, hanji_lanes_run *run, uint32_t branches)
{
    for (uint32_t l = 0; l < LANES; l++) {
        uint32_t d[4];
        memcpy(d, run->in[l], sizeof d);
        word_esch(state + 2 * branches * l, d, 0, 0, branches);
        run->in[l] += run->in_step[l];
    }
}

#endif
