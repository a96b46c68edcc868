/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of fleet kernels with one message in each lane. A group is more than the lanes, so that
 * lanes whose message has ended take the next. Included by the files that have an engine; each says
 * in LANES_TIER(tier, lanes, id, ...) how it runs with a tier, and in LANES_WIDE(tier, id, ...)
 * with one that takes messages in groups (sponge_wide.h).
 */
#ifndef HANJI_SPARKLE_FLEET_LANES_H
#define HANJI_SPARKLE_FLEET_LANES_H

#include "sparkle/sponge_lanes.h"

/*
 * From `least` messages on the lanes are faster than one message after the other: measured by
 * `hanji-lab measure break-even`.
 */
#ifdef HANJI_LANES_MINIMUM /* for measuring this */
#define LANES_LEAST(least) HANJI_LANES_MINIMUM
#else
#define LANES_LEAST(least) (least)
#endif

#define LANES_ROW(id, tier, needs, least) \
    {.name = #id "_" #tier "_x128",       \
     .features = (needs),                 \
     .operation = HANJI_FLEET,            \
     .group = HANJI_GROUP_MESSAGES_MAX,   \
     .align = 1,                          \
     .minimum = LANES_LEAST(least),       \
     .run = {.fleet = id##_##tier}},

/* The last row, for one message: any processor. */
#define LANES_ROW_PORTABLE(id)                                                                 \
    {                                                                                          \
        .name = #id "_portable_x1", .operation = HANJI_FLEET, .group = 1, .align = 1, .run = { \
            .fleet = id##_fleet_x1                                                             \
        }                                                                                      \
    }

/*
 * What a tier's row runs: `call`, over e, items, count and job. The engine is not in the frame that
 * hanji_wipe_stack has to reach, for it is larger than that.
 */
#define LANES_RUN(id, tier, engine, call)                                                  \
    static HANJI_NOINLINE void id##_##tier##_run(engine *e, const hanji_fleet_item *items, \
                                                 size_t count, const hanji_fleet_job *job) \
    {                                                                                      \
        call;                                                                              \
    }                                                                                      \
    static void id##_##tier(const hanji_fleet_item *items, size_t count,                   \
                            const hanji_fleet_job *job)                                    \
    {                                                                                      \
        engine e;                                                                          \
        id##_##tier##_run(&e, items, count, job);                                          \
        hanji_wipe_stack();                                                                \
        hanji_wipe(&e, sizeof e);                                                          \
    }

/* Rounds of whole chunks without a stage, where a tier has them. */
#ifdef HANJI_A64
#define LANES_WHOLE(id, tier, lanes) hanji_##id##_##tier##_run_x##lanes
#else
#define LANES_WHOLE(id, tier, lanes) NULL
#endif

/* LANES(id, ...): the functions of all tiers of this build. LANES_ROWS(id): their rows. */
#if defined(HANJI_X86)
#define LANES(...) LANES_TIER(avx2, 8, __VA_ARGS__) LANES_WIDE(avx512, __VA_ARGS__)
#define LANES_ROWS(id) \
    LANES_ROW(id, avx512, HANJI_CPU_AVX512, 2) LANES_ROW(id, avx2, HANJI_CPU_AVX2, 3)
#elif defined(HANJI_A64) && !defined(HANJI_FREESTANDING)
#define LANES(...) LANES_TIER(neon, 5, __VA_ARGS__)
#define LANES_ROWS(id) LANES_ROW(id, neon, HANJI_CPU_NEON, 3)
#else
#define LANES(...)
#define LANES_ROWS(id)
#endif

#endif
