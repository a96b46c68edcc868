/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ESCH and XOESCH over many messages: the kernels, best first, and the calls. Digests go where
 * other algorithms have tags.
 */
#include "fleet/fleet.h"
#include "hanji/hash.h"
#include "sparkle/esch_engine.h"
#include "sparkle/fleet_kernels.h"
#include "sparkle/fleet_lanes.h"
#include "sparkle/sponge_wide.h"
#include "support/cpu.h"
#include "support/secret.h"

/*
 * `esch` is the hash function whose rounds it runs; the domain is 0 for hash functions and 4 for
 * extendable output.
 */
#define LANES_TIER(tier, lanes, id, esch, words, domain)                                          \
    LANES_RUN(id, tier, esch_engine,                                                              \
              esch_lanes(e, items, count, job->tag_bytes, hanji_##esch##_##tier##_round_x##lanes, \
                         LANES_WHOLE(esch, tier, lanes), lanes, words, domain))
#define LANES_WIDE(tier, id, esch, words, domain)                               \
    LANES_RUN(id, tier, sponge_wide,                                            \
              esch_wide(e, items, count, job, hanji_##esch##_##tier##_same_x16, \
                        &hanji_##esch##_##tier##_ragged_x16, id##_fleet_x1, domain))

/*
 * `call` computes one digest of m->bytes bytes at m->in into m->tag; `bytes` is the digest size, 0
 * when it is free.
 */
#define ESCH_FLEET(id, esch, words, domain, bytes_fixed, bytes_max, call)                          \
    static void id##_fleet_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job) \
    {                                                                                              \
        (void)count;                                                                               \
        (void)job;                                                                                 \
        *m->status = (int8_t)(call);                                                               \
    }                                                                                              \
    LANES(id, esch, words, domain)                                                                 \
    const hanji_kernel hanji_##id##_fleet_kernels[] = {                                            \
        LANES_ROWS(id){.name = #id "_portable_x1",                                                 \
                       .operation = HANJI_FLEET,                                                   \
                       .group = 1,                                                                 \
                       .align = 1,                                                                 \
                       .run = {.fleet = id##_fleet_x1}},                                           \
        {.name = NULL},                                                                            \
    };                                                                                             \
    int64_t hanji_##id##_fleet(const hanji_fleet *fleet)                                           \
    {                                                                                              \
        const hanji_fleet_shape shape = {0, 0, bytes_fixed, bytes_max, 0, 1};                      \
        const int rc = hanji_fleet_check(fleet, &shape);                                           \
        if (rc != HANJI_OK)                                                                        \
            return rc;                                                                             \
        const hanji_fleet_job job = {.tag_bytes = fleet->tag_bytes};                               \
        return hanji_fleet_run(fleet, &job, &shape, hanji_##id##_fleet_kernels);                   \
    }

ESCH_FLEET(esch256, esch256, 12, 0, HANJI_ESCH256_DIGEST_BYTES, 0,
           hanji_esch256(m->tag, m->in, m->bytes))
ESCH_FLEET(esch384, esch384, 16, 0, HANJI_ESCH384_DIGEST_BYTES, 0,
           hanji_esch384(m->tag, m->in, m->bytes))
ESCH_FLEET(xoesch256, esch256, 12, 4, 0, SIZE_MAX,
           hanji_xoesch256(m->tag, job->tag_bytes, m->in, m->bytes))
ESCH_FLEET(xoesch384, esch384, 16, 4, 0, SIZE_MAX,
           hanji_xoesch384(m->tag, job->tag_bytes, m->in, m->bytes))
