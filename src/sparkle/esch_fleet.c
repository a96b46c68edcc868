/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ESCH and XOESCH over many messages: the kernels, best first, and the calls. Digests go where
 * other algorithms have tags.
 */
#include "fleet/fleet.h"
#include "hanji/hash.h"
#include "sparkle/esch.h"
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
 * From how many messages of so many bytes on lanes take less time than one after the other:
 * measured. Where one message has a kernel (esch.c) it is more, and yet more of short ones.
 */
HANJI_INLINE size_t least_in_lanes(uint32_t half, uint64_t bytes)
{
#ifdef HANJI_LANES_MINIMUM /* for measuring this */
    (void)half, (void)bytes;
    return HANJI_LANES_MINIMUM;
#else
    (void)half, (void)bytes;
#ifdef HANJI_X86
    if (hanji_esch_for_fleet(half) != NULL)
        return (hanji_features() & HANJI_CPU_AVX512) == 0 ? 4 : bytes < 48 ? 6 : 5;
    if ((hanji_features() & HANJI_CPU_AVX2) == 0) /* there are no lanes */
        return SIZE_MAX;
#endif
    return 3;
#endif
}

/* Whether the last few messages had better go alone, and how many go to lanes: schwaemm_fleet.c. */
HANJI_INLINE int single_is_fast(uint32_t half)
{
#ifdef HANJI_X86
    return hanji_esch_for_fleet(half) != NULL;
#else
    (void)half;
    return 1;
#endif
}

HANJI_INLINE size_t for_lanes(const hanji_fleet_item *items, size_t count, size_t lanes,
                              uint32_t half)
{
    const size_t rest = count % lanes;
    return single_is_fast(half) && rest < least_in_lanes(half, items->bytes) &&
                   items->bytes == items[count - 1].bytes
               ? count - rest
               : count;
}

/*
 * Kernels: words of the state; the domain is 0 for hash functions and 4 for extendable output,
 * which runs the rounds of the hash function. `whole`: rounds of whole blocks without a stage.
 */
#define KERNEL(function, round, whole, lanes, single, half, words, domain)                     \
    LANES_RUN(function, esch_engine, const size_t most = for_lanes(items, count, lanes, half); \
              esch_lanes(e, items, most, job, round, whole, lanes, words, domain);             \
              for (size_t i = most; i < count; i++) single(items + i, 1, job))
#define WIDE_KERNEL(function, uniform, ragged, single, half, domain)    \
    LANES_RUN(function, sponge_wide,                                    \
              esch_wide(e, items, count, job, uniform, &ragged, single, \
                        least_in_lanes(half, items->bytes), domain))
#if defined(HANJI_X86)
KERNEL(esch256_avx2, hanji_esch256_avx2_round_x8, NULL, 8, esch256_fleet_x1, 3, 12, 0)
KERNEL(esch384_avx2, hanji_esch384_avx2_round_x8, NULL, 8, esch384_fleet_x1, 4, 16, 0)
KERNEL(xoesch256_avx2, hanji_esch256_avx2_round_x8, NULL, 8, xoesch256_fleet_x1, 3, 12, 4)
KERNEL(xoesch384_avx2, hanji_esch384_avx2_round_x8, NULL, 8, xoesch384_fleet_x1, 4, 16, 4)
WIDE_KERNEL(esch256_avx512, hanji_esch256_avx512_uniform_x16, hanji_esch256_avx512_ragged_x16,
            esch256_fleet_x1, 3, 0)
WIDE_KERNEL(esch384_avx512, hanji_esch384_avx512_uniform_x16, hanji_esch384_avx512_ragged_x16,
            esch384_fleet_x1, 4, 0)
WIDE_KERNEL(xoesch256_avx512, hanji_esch256_avx512_uniform_x16, hanji_esch256_avx512_ragged_x16,
            xoesch256_fleet_x1, 3, 4)
WIDE_KERNEL(xoesch384_avx512, hanji_esch384_avx512_uniform_x16, hanji_esch384_avx512_ragged_x16,
            xoesch384_fleet_x1, 4, 4)
#elif defined(HANJI_A64) && !defined(HANJI_FREESTANDING)
KERNEL(esch256_neon, hanji_esch256_neon_round_x4, hanji_esch256_neon_run_x4, 4, esch256_fleet_x1, 3,
       12, 0)
KERNEL(esch384_neon, hanji_esch384_neon_round_x4, hanji_esch384_neon_run_x4, 4, esch384_fleet_x1, 4,
       16, 0)
KERNEL(xoesch256_neon, hanji_esch256_neon_round_x4, hanji_esch256_neon_run_x4, 4,
       xoesch256_fleet_x1, 3, 12, 4)
KERNEL(xoesch384_neon, hanji_esch384_neon_round_x4, hanji_esch384_neon_run_x4, 4,
       xoesch384_fleet_x1, 4, 16, 4)
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

/* A function: the kernels for its fleets, and what there is for one message. */
typedef struct function {
    size_t digest_bytes; /* 0 where the caller chooses */
    uint32_t half, domain;
    const hanji_kernel *kernels;
    hanji_fleet_fn *single;
} function;

static const function esch256 = {HANJI_ESCH256_DIGEST_BYTES, 3, 0, hanji_esch256_fleet_kernels,
                                 esch256_fleet_x1};
static const function esch384 = {HANJI_ESCH384_DIGEST_BYTES, 4, 0, hanji_esch384_fleet_kernels,
                                 esch384_fleet_x1};
static const function xoesch256 = {0, 3, 4, hanji_xoesch256_fleet_kernels, xoesch256_fleet_x1};
static const function xoesch384 = {0, 4, 4, hanji_xoesch384_fleet_kernels, xoesch384_fleet_x1};

HANJI_INLINE hanji_fleet_shape shape_of(const function *f)
{
    const hanji_fleet_shape shape = {.tag_bytes = f->digest_bytes,
                                     .tag_bytes_max = f->digest_bytes != 0 ? 0 : SIZE_MAX,
                                     .plain = 1};
    return shape;
}

#if HANJI_GROUP_MESSAGES_MAX > 1
/* Whether so many messages are too few for lanes; their offsets are checked. */
HANJI_INLINE int are_few(const hanji_fleet *fleet, size_t count, const function *f)
{
    const uint64_t bytes = (uint64_t)(fleet->offsets[count] - fleet->offsets[0]);
    return count < least_in_lanes(f->half, bytes / count);
}
#endif

/* `start`: as in hanji_fleet_job. */
static HANJI_NOINLINE int64_t run_any(const hanji_fleet *fleet, const uint32_t *start,
                                      const function *f)
{
    const hanji_fleet_shape shape = shape_of(f);
    const int rc = hanji_fleet_check(fleet, &shape);
    if (rc != HANJI_OK)
        return rc;
    const hanji_fleet_job job = {.tag_bytes = fleet->tag_bytes, .start = start};
#if HANJI_GROUP_MESSAGES_MAX > 1
    if (fleet->messages > 0 && are_few(fleet, fleet->messages, f))
        return hanji_fleet_run_singly(fleet, &job, &shape, f->single);
#endif
    return hanji_fleet_run(fleet, &job, &shape, f->kernels);
}

#if HANJI_GROUP_MESSAGES_MAX > 1
#define FEW 8 /* lanes take so many where there are any */

/* Few messages, one after the other in as few instructions as can be; else all of the above. */
HANJI_INLINE int64_t run_few(const hanji_fleet *fleet, const function *f, size_t count)
{
    const hanji_fleet_shape shape = shape_of(f);
    if (!hanji_fleet_is_sound(fleet, &shape, count, hanji_features()) || !are_few(fleet, count, f))
        return run_any(fleet, NULL, f);
    hanji_esch_digest_fn *digest = hanji_esch_for_fleet(f->half);
    if (digest == NULL) {
        const hanji_fleet_job job = {.tag_bytes = fleet->tag_bytes};
        return hanji_fleet_each(fleet, &job, &shape, f->single);
    }
    for (size_t i = 0; i < count; i++) {
        const size_t at = (size_t)fleet->offsets[i], bytes = (size_t)fleet->offsets[i + 1] - at;
        digest(fleet->tags + i * fleet->tag_bytes, fleet->tag_bytes, fleet->input + at, bytes,
               f->domain);
        fleet->status[i] = HANJI_OK;
    }
    hanji_wipe_stack_least();
    return 0;
}

static int64_t run(const hanji_fleet *fleet, const function *f)
{
    if (fleet == NULL)
        return HANJI_E_ARGUMENT;
    const size_t count = fleet->messages;
    return count == 1    ? run_few(fleet, f, 1)
           : count < FEW ? run_few(fleet, f, count)
                         : run_any(fleet, NULL, f);
}
#else
#define run(fleet, f) run_any(fleet, NULL, f)
#endif

int64_t hanji_esch256_fleet(const hanji_fleet *fleet)
{
    return run(fleet, &esch256);
}

int64_t hanji_esch384_fleet(const hanji_fleet *fleet)
{
    return run(fleet, &esch384);
}

int64_t hanji_xoesch256_fleet(const hanji_fleet *fleet)
{
    return run(fleet, &xoesch256);
}

int64_t hanji_xoesch256_fleet_from(const hanji_fleet *fleet, const uint32_t *start)
{
    return run_any(fleet, start, &xoesch256);
}

int64_t hanji_xoesch384_fleet(const hanji_fleet *fleet)
{
    return run(fleet, &xoesch384);
}
