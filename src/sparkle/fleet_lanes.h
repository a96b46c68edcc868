/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of fleet kernels with one message in each lane. A group is more than the lanes, so that
 * lanes whose message has ended take the next. Included by the files that have an engine: a kernel
 * is a function id_tier, made by LANES_RUN from what the engine does.
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
#define LANES_RUN(function, engine, call)                                                         \
    static HANJI_NOINLINE void function##_run(engine *e, const hanji_fleet_item *items,           \
                                              size_t count, const hanji_fleet_job *job)           \
    {                                                                                             \
        call;                                                                                     \
    }                                                                                             \
    static void function(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job) \
    {                                                                                             \
        engine e;                                                                                 \
        function##_run(&e, items, count, job);                                                    \
        hanji_wipe_stack();                                                                       \
        hanji_wipe(&e, sizeof e);                                                                 \
    }

/* The rows of a table for the tiers of this build. */
#if defined(HANJI_X86)
#define LANES_ROWS(id) \
    LANES_ROW(id, avx512, HANJI_CPU_AVX512, 2) LANES_ROW(id, avx2, HANJI_CPU_AVX2, 3)
#elif defined(HANJI_A64) && !defined(HANJI_FREESTANDING)
#define LANES_ROWS(id) LANES_ROW(id, neon, HANJI_CPU_NEON, 3)
#else
#define LANES_ROWS(id)
#endif

#endif
