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

/* One message: its digest, or `tag_bytes` of output. */
static void esch256_fleet_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job)
{
    (void)count;
    (void)job;
    *m->status = (int8_t)hanji_esch256(m->tag, m->in, m->bytes);
}

static void esch384_fleet_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job)
{
    (void)count;
    (void)job;
    *m->status = (int8_t)hanji_esch384(m->tag, m->in, m->bytes);
}

/* The same for a message that begins in job->start. */
static int xoesch256_from(const hanji_fleet_item *m, const hanji_fleet_job *job)
{
    hanji_esch_ctx ctx;
    int rc = hanji_xoesch256_init(&ctx);
    if (rc == HANJI_OK) {
        memcpy(ctx.state, job->start, HANJI_XOESCH256_STATE_BYTES);
        rc = hanji_xoesch256_update(m->in, m->bytes, &ctx);
    }
    if (rc == HANJI_OK)
        rc = hanji_xoesch256_squeeze(m->tag, job->tag_bytes, &ctx);
    hanji_wipe(&ctx, sizeof ctx);
    return rc;
}

static void xoesch256_fleet_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job)
{
    (void)count;
    if (job->start != NULL) {
        *m->status = (int8_t)xoesch256_from(m, job);
        return;
    }
    *m->status = (int8_t)hanji_xoesch256(m->tag, job->tag_bytes, m->in, m->bytes);
}

static void xoesch384_fleet_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job)
{
    (void)count;
    *m->status = (int8_t)hanji_xoesch384(m->tag, job->tag_bytes, m->in, m->bytes);
}

/*
 * Kernels: words of the state; the domain is 0 for hash functions and 4 for extendable output,
 * which runs the rounds of the hash function. `whole`: rounds of whole blocks without a stage.
 */
#define KERNEL(function, round, whole, lanes, words, domain) \
    LANES_RUN(function, esch_engine,                         \
              esch_lanes(e, items, count, job, round, whole, lanes, words, domain))
#define WIDE_KERNEL(function, uniform, ragged, single, domain) \
    LANES_RUN(function, sponge_wide,                           \
              esch_wide(e, items, count, job, uniform, &ragged, single, domain))
#if defined(HANJI_X86)
KERNEL(esch256_avx2, hanji_esch256_avx2_round_x8, NULL, 8, 12, 0)
KERNEL(esch384_avx2, hanji_esch384_avx2_round_x8, NULL, 8, 16, 0)
KERNEL(xoesch256_avx2, hanji_esch256_avx2_round_x8, NULL, 8, 12, 4)
KERNEL(xoesch384_avx2, hanji_esch384_avx2_round_x8, NULL, 8, 16, 4)
WIDE_KERNEL(esch256_avx512, hanji_esch256_avx512_uniform_x16, hanji_esch256_avx512_ragged_x16,
            esch256_fleet_x1, 0)
WIDE_KERNEL(esch384_avx512, hanji_esch384_avx512_uniform_x16, hanji_esch384_avx512_ragged_x16,
            esch384_fleet_x1, 0)
WIDE_KERNEL(xoesch256_avx512, hanji_esch256_avx512_uniform_x16, hanji_esch256_avx512_ragged_x16,
            xoesch256_fleet_x1, 4)
WIDE_KERNEL(xoesch384_avx512, hanji_esch384_avx512_uniform_x16, hanji_esch384_avx512_ragged_x16,
            xoesch384_fleet_x1, 4)
#elif defined(HANJI_A64) && !defined(HANJI_FREESTANDING)
KERNEL(esch256_neon, hanji_esch256_neon_round_x5, hanji_esch256_neon_run_x5, 5, 12, 0)
KERNEL(esch384_neon, hanji_esch384_neon_round_x5, hanji_esch384_neon_run_x5, 5, 16, 0)
KERNEL(xoesch256_neon, hanji_esch256_neon_round_x5, hanji_esch256_neon_run_x5, 5, 12, 4)
KERNEL(xoesch384_neon, hanji_esch384_neon_round_x5, hanji_esch384_neon_run_x5, 5, 16, 4)
#endif

const hanji_kernel hanji_esch256_fleet_kernels[] = {
    LANES_ROWS(esch256) LANES_ROW_PORTABLE(esch256),
    {.name = NULL},
};

const hanji_kernel hanji_esch384_fleet_kernels[] = {
    LANES_ROWS(esch384) LANES_ROW_PORTABLE(esch384),
    {.name = NULL},
};

const hanji_kernel hanji_xoesch256_fleet_kernels[] = {
    LANES_ROWS(xoesch256) LANES_ROW_PORTABLE(xoesch256),
    {.name = NULL},
};

const hanji_kernel hanji_xoesch384_fleet_kernels[] = {
    LANES_ROWS(xoesch384) LANES_ROW_PORTABLE(xoesch384),
    {.name = NULL},
};

/* `fixed`: bytes of a digest; 0 where the caller chooses. `start`: as in hanji_fleet_job. */
HANJI_INLINE int64_t hash_fleet(const hanji_fleet *fleet, size_t fixed, const uint32_t *start,
                                const hanji_kernel *kernels)
{
    const hanji_fleet_shape shape = {
        .tag_bytes = fixed, .tag_bytes_max = fixed != 0 ? 0 : SIZE_MAX, .plain = 1};
    const int rc = hanji_fleet_check(fleet, &shape);
    if (rc != HANJI_OK)
        return rc;
    const hanji_fleet_job job = {.tag_bytes = fleet->tag_bytes, .start = start};
    return hanji_fleet_run(fleet, &job, &shape, kernels);
}

int64_t hanji_esch256_fleet(const hanji_fleet *fleet)
{
    return hash_fleet(fleet, HANJI_ESCH256_DIGEST_BYTES, NULL, hanji_esch256_fleet_kernels);
}

int64_t hanji_esch384_fleet(const hanji_fleet *fleet)
{
    return hash_fleet(fleet, HANJI_ESCH384_DIGEST_BYTES, NULL, hanji_esch384_fleet_kernels);
}

int64_t hanji_xoesch256_fleet(const hanji_fleet *fleet)
{
    return hash_fleet(fleet, 0, NULL, hanji_xoesch256_fleet_kernels);
}

int64_t hanji_xoesch256_fleet_from(const hanji_fleet *fleet, const uint32_t *start)
{
    return hash_fleet(fleet, 0, start, hanji_xoesch256_fleet_kernels);
}

int64_t hanji_xoesch384_fleet(const hanji_fleet *fleet)
{
    return hash_fleet(fleet, 0, NULL, hanji_xoesch384_fleet_kernels);
}
