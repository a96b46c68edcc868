/* SPDX-License-Identifier: Apache-2.0 */
/* SCHWAEMM over many messages: the kernels, best first, and the calls. */
#include "fleet/fleet.h"
#include "hanji/aead.h"
#include "sparkle/fleet_kernels.h"
#include "sparkle/fleet_lanes.h"
#include "sparkle/schwaemm.h"
#include "sparkle/schwaemm_engine.h"
#include "sparkle/sponge_wide.h"
#include "support/cpu.h"
#include "support/secret.h"

/* The domain is 1 << capacity in 64-bit branches. */
#define LANES_TIER(tier, lanes, id, rate, capacity)                                      \
    LANES_RUN(id, tier, schwaemm_engine,                                                 \
              schwaemm_lanes(e, items, count, job, hanji_##id##_##tier##_round_x##lanes, \
                             LANES_WHOLE(id, tier, lanes), lanes, rate, capacity,        \
                             1u << (capacity) / 8))
#define LANES_WIDE(tier, id, rate, capacity)                                                  \
    LANES_RUN(id, tier, sponge_wide,                                                          \
              schwaemm_wide(e, items, count, job, &hanji_##id##_##tier##_same_x16,            \
                            &hanji_##id##_##tier##_ragged_x16, id##_fleet_x1, rate, capacity, \
                            1u << (capacity) / 8))

#define SCHWAEMM_FLEET(id, macro)                                                                  \
    static void id##_fleet_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job) \
    {                                                                                              \
        (void)count; /* a group is one message */                                                  \
        if (job->open)                                                                             \
            *m->status = (int8_t)hanji_##id##_open(m->out, m->in, m->bytes, m->tag, m->ad,         \
                                                   m->ad_bytes, m->nonce, m->key);                 \
        else {                                                                                     \
            hanji_##id##_seal(m->out, m->tag, m->in, m->bytes, m->ad, m->ad_bytes, m->nonce,       \
                              m->key);                                                             \
            *m->status = HANJI_OK;                                                                 \
        }                                                                                          \
    }                                                                                              \
    LANES(id, HANJI_##macro##_NONCE_BYTES, HANJI_##macro##_TAG_BYTES)                              \
    const hanji_kernel hanji_##id##_fleet_kernels[] = {                                            \
        LANES_ROWS(id){.name = #id "_portable_x1",                                                 \
                       .operation = HANJI_FLEET,                                                   \
                       .group = 1,                                                                 \
                       .align = 1,                                                                 \
                       .run = {.fleet = id##_fleet_x1}},                                           \
        {.name = NULL},                                                                            \
    };                                                                                             \
    static int64_t id##_fleet(const hanji_fleet *fleet, int open)                                  \
    {                                                                                              \
        const hanji_fleet_shape shape = {HANJI_##macro##_KEY_BYTES,                                \
                                         HANJI_##macro##_NONCE_BYTES,                              \
                                         HANJI_##macro##_TAG_BYTES,                                \
                                         0,                                                        \
                                         open,                                                     \
                                         0};                                                       \
        const int rc = hanji_fleet_check(fleet, &shape);                                           \
        if (rc != HANJI_OK)                                                                        \
            return rc;                                                                             \
        const hanji_fleet_job job = {.nonce_bytes = fleet->nonce_bytes,                            \
                                     .tag_bytes = fleet->tag_bytes,                                \
                                     .open = open,                                                 \
                                     .end = fleet->messages > 0 && fleet->input != NULL            \
                                                ? fleet->input +                                   \
                                                      (size_t)fleet->offsets[fleet->messages]      \
                                                : NULL};                                           \
        return hanji_fleet_run(fleet, &job, &shape, hanji_##id##_fleet_kernels);                   \
    }                                                                                              \
    int64_t hanji_##id##_fleet_encrypt(const hanji_fleet *fleet)                                   \
    {                                                                                              \
        return id##_fleet(fleet, 0);                                                               \
    }                                                                                              \
    int64_t hanji_##id##_fleet_decrypt(const hanji_fleet *fleet)                                   \
    {                                                                                              \
        return id##_fleet(fleet, 1);                                                               \
    }

SCHWAEMM_FLEET(schwaemm256_128, SCHWAEMM256_128)
SCHWAEMM_FLEET(schwaemm192_192, SCHWAEMM192_192)
SCHWAEMM_FLEET(schwaemm128_128, SCHWAEMM128_128)
SCHWAEMM_FLEET(schwaemm256_256, SCHWAEMM256_256)
