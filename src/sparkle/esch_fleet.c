/* SPDX-License-Identifier: Apache-2.0 */
/* ESCH and XOESCH over many messages: the kernels, best first, and the calls. Digests go where other algorithms have tags. */
#include "fleet/fleet.h"
#include "hanji/hash.h"
#include "sparkle/fleet_kernels.h"

/* `call` computes one digest of m->bytes bytes at m->in into m->tag; `bytes` is the digest size, 0 when it is free. */
#define ESCH_FLEET(id, bytes_fixed, bytes_max, call)                                                                     \
    static void id##_fleet_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job)                       \
    {                                                                                                                    \
        (void)count;                                                                                                     \
        (void)job;                                                                                                       \
        *m->status = (int8_t)(call);                                                                                     \
    }                                                                                                                    \
    const hanji_kernel hanji_##id##_fleet_kernels[] = {                                                                  \
        {.name = #id "_portable_x1", .operation = HANJI_FLEET, .group = 1, .align = 1, .run = {.fleet = id##_fleet_x1}}, \
        {.name = NULL},                                                                                                  \
    };                                                                                                                   \
    int64_t hanji_##id##_fleet(const hanji_fleet *fleet)                                                                 \
    {                                                                                                                    \
        const hanji_fleet_shape shape = {0, 0, bytes_fixed, bytes_max};                                                  \
        const int rc = hanji_fleet_check(fleet, &shape);                                                                 \
        if (rc != HANJI_OK)                                                                                              \
            return rc;                                                                                                   \
        const hanji_fleet_job job = {.tag_bytes = fleet->tag_bytes};                                                     \
        return hanji_fleet_run(fleet, &job, &shape, hanji_##id##_fleet_kernels);                                         \
    }

ESCH_FLEET(esch256, HANJI_ESCH256_DIGEST_BYTES, 0, hanji_esch256(m->tag, m->in, m->bytes))
ESCH_FLEET(esch384, HANJI_ESCH384_DIGEST_BYTES, 0, hanji_esch384(m->tag, m->in, m->bytes))
ESCH_FLEET(xoesch256, 0, SIZE_MAX, hanji_xoesch256(m->tag, job->tag_bytes, m->in, m->bytes))
ESCH_FLEET(xoesch384, 0, SIZE_MAX, hanji_xoesch384(m->tag, job->tag_bytes, m->in, m->bytes))
