/* SPDX-License-Identifier: Apache-2.0 */
/* SCHWAEMM over many messages: the kernels, best first, and the calls. */
#include "fleet/fleet.h"
#include "hanji/aead.h"
#include "sparkle/fleet_kernels.h"
#include "sparkle/schwaemm.h"

#define SCHWAEMM_FLEET(name, macro)                                                                                                      \
    static void name##_fleet_x1(const hanji_fleet_item *m, const hanji_fleet_job *job)                                                   \
    {                                                                                                                                    \
        if (job->open)                                                                                                                   \
            *m->status = (int8_t)hanji_##name##_open(m->out, m->in, m->bytes, m->tag, m->ad, m->ad_bytes, m->nonce, m->key);             \
        else {                                                                                                                           \
            hanji_##name##_seal(m->out, m->tag, m->in, m->bytes, m->ad, m->ad_bytes, m->nonce, m->key);                                  \
            *m->status = HANJI_OK;                                                                                                       \
        }                                                                                                                                \
    }                                                                                                                                    \
    const hanji_kernel hanji_##name##_fleet_kernels[] = {                                                                                \
        {.name = #name "_portable_x1", .operation = HANJI_FLEET, .group = 1, .align = 1, .run = {.fleet = name##_fleet_x1}},             \
        {.name = NULL},                                                                                                                  \
    };                                                                                                                                   \
    static int64_t name##_fleet(const hanji_fleet *fleet, int open)                                                                      \
    {                                                                                                                                    \
        const hanji_fleet_shape shape = {HANJI_##macro##_KEY_BYTES, HANJI_##macro##_NONCE_BYTES, HANJI_##macro##_TAG_BYTES, 0};          \
        const int rc = hanji_fleet_check(fleet, &shape);                                                                                 \
        if (rc != HANJI_OK)                                                                                                              \
            return rc;                                                                                                                   \
        const hanji_fleet_job job = {.nonce_bytes = fleet->nonce_bytes, .tag_bytes = fleet->tag_bytes, .open = open};                    \
        return hanji_fleet_run(fleet, &job, &shape, hanji_##name##_fleet_kernels);                                                       \
    }                                                                                                                                    \
    int64_t hanji_##name##_fleet_encrypt(const hanji_fleet *fleet)                                                                       \
    {                                                                                                                                    \
        return name##_fleet(fleet, 0);                                                                                                   \
    }                                                                                                                                    \
    int64_t hanji_##name##_fleet_decrypt(const hanji_fleet *fleet)                                                                       \
    {                                                                                                                                    \
        return name##_fleet(fleet, 1);                                                                                                   \
    }

SCHWAEMM_FLEET(schwaemm256_128, SCHWAEMM256_128)
SCHWAEMM_FLEET(schwaemm192_192, SCHWAEMM192_192)
SCHWAEMM_FLEET(schwaemm128_128, SCHWAEMM128_128)
SCHWAEMM_FLEET(schwaemm256_256, SCHWAEMM256_256)
