/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ascon-Hash256, Ascon-XOF128 and Ascon-CXOF128 over many messages: the kernels, best first, and
 * the calls. Digests go where the AEAD has tags.
 */
#include "ascon/ascon.h"
#include "ascon/ascon_rows.h"
#include "ascon/fleet_kernels.h"
#include "fleet/fleet.h"
#include "hanji/hash.h"
#include "support/cpu.h"
#include "support/secret.h"

/* How each message of a call begins, and the call for one alone. */
typedef struct beginning {
    const uint64_t *state;
    const hanji_ascon_hash_ctx *customized; /* of Ascon-CXOF128 */
    hanji_fleet_fn *single;
    const hanji_kernel *kernels; /* of the call */
} beginning;

static void hash256_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job)
{
    (void)count; /* a group is one message */
    (void)job;
    *m->status = (int8_t)hanji_ascon_hash256(m->tag, m->in, m->bytes);
}

static void xof128_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job)
{
    (void)count;
    *m->status = (int8_t)hanji_ascon_xof128(m->tag, job->tag_bytes, m->in, m->bytes);
}

static void cxof128_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job)
{
    const beginning *begin = job->shared;
    hanji_ascon_hash_ctx ctx = *begin->customized;
    (void)count;
    int rc = hanji_ascon_cxof128_update(m->in, m->bytes, &ctx);
    if (rc == HANJI_OK)
        rc = hanji_ascon_cxof128_squeeze(m->tag, job->tag_bytes, &ctx);
    *m->status = (int8_t)rc;
    hanji_wipe(&ctx, sizeof ctx);
}

#if defined(HANJI_X86) || (defined(HANJI_A64) && !defined(HANJI_FREESTANDING))
#include "ascon/ascon_wide.h"

#define RATE HANJI_ASCON_HASH_RATE

/* Up to as many messages as there are lanes. */
HANJI_INLINE void wide_group(ascon_wide *w, const hanji_fleet_item *items, size_t count,
                             size_t digest_bytes, size_t lanes, const uint64_t *start,
                             const hanji_ascon_hash_lanes *kernel)
{
    ascon_texts t;
    for (size_t l = 0; l < lanes; l++) {
        const size_t bytes = l < count ? items[l].bytes : 0;
        t.in[l] = bytes > 0 ? items[l].in : w->idle_in;
        t.out[l] = NULL;
        t.blocks[l] = bytes / RATE;
        for (size_t i = 0; i < HANJI_ASCON_WORDS; i++)
            w->state[i * lanes + l] = start[i];
    }
    wide_blocks(w, &t, lanes, RATE, kernel->absorb);
    for (size_t l = 0; l < count && l < lanes; l++) {
        const size_t left = items[l].bytes % RATE;
        w->state[l] ^= load_part(t.in[l], left) ^ byte_at(1, left);
    }
    for (size_t given = 0; given < digest_bytes; given += RATE) {
        const size_t part = digest_bytes - given < RATE ? digest_bytes - given : RATE;
        kernel->permute(w->state, &w->ragged);
        for (size_t l = 0; l < count; l++) {
            if (part == RATE)
                store_le64(items[l].tag + given, w->state[l]);
            else
                store_part(items[l].tag + given, w->state[l], part);
        }
    }
    for (size_t l = 0; l < count; l++)
        *items[l].status = HANJI_OK;
}

HANJI_INLINE void wide(ascon_wide *w, const hanji_fleet_item *items, size_t count,
                       const hanji_fleet_job *job, size_t lanes, size_t least,
                       const hanji_ascon_hash_lanes *kernel)
{
    const beginning *begin = job->shared;
    memset(w, 0, sizeof *w);
    while (count > 0) {
        size_t n = count < lanes ? count : lanes;
        if (wide_single(items, count, least))
            begin->single(items, n = 1, job);
        else
            wide_group(w, items, n, job->tag_bytes, lanes, begin->state, kernel);
        items += n;
        count -= n;
    }
}

#endif

#ifdef HANJI_X86
static HANJI_NOINLINE void avx512_run(ascon_wide *w, const hanji_fleet_item *items, size_t count,
                                      const hanji_fleet_job *job)
{
    wide(w, items, count, job, 16, 3, &hanji_ascon_hash_avx512_x16);
}

static HANJI_NOINLINE void avx2_run(ascon_wide *w, const hanji_fleet_item *items, size_t count,
                                    const hanji_fleet_job *job)
{
    wide(w, items, count, job, 8, 4, &hanji_ascon_hash_avx2_x8);
}

/* For all three functions. */
static void avx512(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job)
{
    ascon_wide w;
    avx512_run(&w, items, count, job);
    hanji_wipe_stack();
    hanji_wipe(&w, sizeof w);
}

static void avx2(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job)
{
    ascon_wide w;
    avx2_run(&w, items, count, job);
    hanji_wipe_stack();
    hanji_wipe(&w, sizeof w);
}
#elif defined(HANJI_A64) && !defined(HANJI_FREESTANDING)
static HANJI_NOINLINE void sha3_run(ascon_wide *w, const hanji_fleet_item *items, size_t count,
                                    const hanji_fleet_job *job)
{
    wide(w, items, count, job, 5, 3, &hanji_ascon_hash_sha3_x5);
}

static HANJI_NOINLINE void neon_run(ascon_wide *w, const hanji_fleet_item *items, size_t count,
                                    const hanji_fleet_job *job)
{
    wide(w, items, count, job, 5, 3, &hanji_ascon_hash_neon_x5);
}

/* For all three functions. */
static void sha3(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job)
{
    ascon_wide w;
    sha3_run(&w, items, count, job);
    hanji_wipe_stack();
    hanji_wipe(&w, sizeof w);
}

static void neon(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job)
{
    ascon_wide w;
    neon_run(&w, items, count, job);
    hanji_wipe_stack();
    hanji_wipe(&w, sizeof w);
}
#endif

const hanji_kernel hanji_ascon_hash256_fleet_kernels[] = {
#ifdef HANJI_X86
    {.name = "ascon_hash256_avx512_x24",
     .features = HANJI_CPU_AVX512,
     .operation = HANJI_UNIFORM,
     .group = HANJI_ASCON_ROWS_GROUP,
     .align = 1,
     .minimum = HANJI_ASCON_ROWS_LEAST,
     .run = {.ascon_hash_rows = &hanji_ascon_hash_rows_avx512_x24}},
    {.name = "ascon_hash256_avx512_x128",
     .features = HANJI_CPU_AVX512,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 3,
     .run = {.fleet = avx512}},
    {.name = "ascon_hash256_avx2_x128",
     .features = HANJI_CPU_AVX2,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 4,
     .run = {.fleet = avx2}},
#elif defined(HANJI_A64) && !defined(HANJI_FREESTANDING)
    {.name = "ascon_hash256_sha3_x128",
     .features = HANJI_CPU_SHA3,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 3,
     .run = {.fleet = sha3}},
    {.name = "ascon_hash256_neon_x128",
     .features = HANJI_CPU_NEON,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 3,
     .run = {.fleet = neon}},
#endif
    {.name = "ascon_hash256_portable_x1",
     .operation = HANJI_FLEET,
     .group = 1,
     .align = 1,
     .run = {.fleet = hash256_x1}},
    {.name = NULL},
};

const hanji_kernel hanji_ascon_xof128_fleet_kernels[] = {
#ifdef HANJI_X86
    {.name = "ascon_xof128_avx512_x24",
     .features = HANJI_CPU_AVX512,
     .operation = HANJI_UNIFORM,
     .group = HANJI_ASCON_ROWS_GROUP,
     .align = 1,
     .minimum = HANJI_ASCON_ROWS_LEAST,
     .run = {.ascon_hash_rows = &hanji_ascon_hash_rows_avx512_x24}},
    {.name = "ascon_xof128_avx512_x128",
     .features = HANJI_CPU_AVX512,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 3,
     .run = {.fleet = avx512}},
    {.name = "ascon_xof128_avx2_x128",
     .features = HANJI_CPU_AVX2,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 4,
     .run = {.fleet = avx2}},
#elif defined(HANJI_A64) && !defined(HANJI_FREESTANDING)
    {.name = "ascon_xof128_sha3_x128",
     .features = HANJI_CPU_SHA3,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 3,
     .run = {.fleet = sha3}},
    {.name = "ascon_xof128_neon_x128",
     .features = HANJI_CPU_NEON,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 3,
     .run = {.fleet = neon}},
#endif
    {.name = "ascon_xof128_portable_x1",
     .operation = HANJI_FLEET,
     .group = 1,
     .align = 1,
     .run = {.fleet = xof128_x1}},
    {.name = NULL},
};

const hanji_kernel hanji_ascon_cxof128_fleet_kernels[] = {
#ifdef HANJI_X86
    {.name = "ascon_cxof128_avx512_x24",
     .features = HANJI_CPU_AVX512,
     .operation = HANJI_UNIFORM,
     .group = HANJI_ASCON_ROWS_GROUP,
     .align = 1,
     .minimum = HANJI_ASCON_ROWS_LEAST,
     .run = {.ascon_hash_rows = &hanji_ascon_hash_rows_avx512_x24}},
    {.name = "ascon_cxof128_avx512_x128",
     .features = HANJI_CPU_AVX512,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 3,
     .run = {.fleet = avx512}},
    {.name = "ascon_cxof128_avx2_x128",
     .features = HANJI_CPU_AVX2,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 4,
     .run = {.fleet = avx2}},
#elif defined(HANJI_A64) && !defined(HANJI_FREESTANDING)
    {.name = "ascon_cxof128_sha3_x128",
     .features = HANJI_CPU_SHA3,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 3,
     .run = {.fleet = sha3}},
    {.name = "ascon_cxof128_neon_x128",
     .features = HANJI_CPU_NEON,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 3,
     .run = {.fleet = neon}},
#endif
    {.name = "ascon_cxof128_portable_x1",
     .operation = HANJI_FLEET,
     .group = 1,
     .align = 1,
     .run = {.fleet = cxof128_x1}},
    {.name = NULL},
};

#ifdef HANJI_X86
/* So many messages of one length: a hanji_fleet_uniform_fn. */
static HANJI_NOINLINE size_t in_rows(const hanji_fleet *fleet, size_t first,
                                     const hanji_fleet_job *job, const hanji_kernel *row,
                                     /* NOLINTNEXTLINE(readability-non-const-parameter) */
                                     int64_t *failed)
{
    const beginning *begin = job->shared;
    const size_t at = (size_t)fleet->offsets[first],
                 count = hanji_fleet_uniform_groups(fleet, first, 1),
                 over = count % HANJI_ASCON_ROWS_GROUP,
                 rest = over >= HANJI_ASCON_ROWS_LEAST ? over : 0, whole = count - over,
                 done = whole + rest;
    hanji_ascon_rows rows = {.bytes = (size_t)fleet->offsets[first + 1] - at,
                             .tags = fleet->tags + first * job->tag_bytes,
                             .start = begin->state,
                             .words = job->tag_bytes / RATE,
                             .count = HANJI_ASCON_ROWS_GROUP};
    uint64_t work[HANJI_ASCON_ROWS_WORK] __attribute__((aligned(64)));
    (void)failed; /* no message can */
    if (done == 0)
        return 0;
    /* the array may be NULL where no message has a text: then an address that is not read */
    rows.in = rows.bytes > 0 ? fleet->input + at : fleet->tags;
    if (whole > 0)
        row->run.ascon_hash_rows->digests(work, &rows, whole / HANJI_ASCON_ROWS_GROUP);
    if (rest > 0) {
        rows.in += whole * rows.bytes;
        rows.tags += whole * job->tag_bytes;
        rows.count = rest;
        row->run.ascon_hash_rows->digests(work, &rows, 1);
    }
    memset(fleet->status + first, HANJI_OK, done);
    hanji_wipe(work, sizeof work);
    return done;
}

static int64_t in_groups(const hanji_fleet *fleet, const hanji_fleet_job *job,
                         const hanji_fleet_shape *shape)
{
    const beginning *begin = job->shared;
    return hanji_fleet_run(fleet, job, shape, begin->kernels);
}
#endif

HANJI_INLINE hanji_fleet_shape shape_of(size_t digest_bytes)
{
    const hanji_fleet_shape shape = {.tag_bytes = digest_bytes,
                                     .tag_bytes_max = digest_bytes != 0 ? 0 : SIZE_MAX};
    return shape;
}

static HANJI_NOINLINE int64_t run_any(const hanji_fleet *fleet, size_t digest_bytes,
                                      beginning *begin, const hanji_kernel *kernels)
{
    const hanji_fleet_shape shape = shape_of(digest_bytes);
    const int rc = hanji_fleet_check(fleet, &shape);
    if (rc != HANJI_OK)
        return rc;
    const hanji_fleet_job job = {.shared = begin, .tag_bytes = fleet->tag_bytes};
#ifdef HANJI_X86
    const hanji_kernel *row = fleet->tag_bytes % RATE == 0
                                  ? hanji_kernel_next(kernels, HANJI_UNIFORM, fleet->messages,
                                                      hanji_cpu_features(), HANJI_LAYOUT_CANONICAL)
                                  : NULL;
    if (row != NULL) {
        begin->kernels = kernels;
        const int64_t failed =
            hanji_fleet_run_uniform(fleet, &job, &shape, row, in_rows, in_groups);
        hanji_wipe_stack_of_fleet();
        return failed;
    }
#endif
    return hanji_fleet_run(fleet, &job, &shape, kernels);
}

#if HANJI_GROUP_MESSAGES_MAX > 1
/* Two messages or one, which no lanes take, in few instructions; else all of the above. */
HANJI_INLINE int64_t run(const hanji_fleet *fleet, size_t digest_bytes, beginning *begin,
                         const hanji_kernel *kernels)
{
    const hanji_fleet_shape shape = shape_of(digest_bytes);
    if (fleet == NULL)
        return HANJI_E_ARGUMENT;
    const size_t count = fleet->messages;
    if (count > 2 || !hanji_fleet_is_sound(fleet, &shape, count, hanji_features()))
        return run_any(fleet, digest_bytes, begin, kernels);
    const hanji_fleet_job job = {.shared = begin, .tag_bytes = fleet->tag_bytes};
    return hanji_fleet_each(fleet, &job, &shape, begin->single);
}
#else
#define run run_any
#endif

int64_t hanji_ascon_hash256_fleet(const hanji_fleet *fleet)
{
    beginning begin = {.state = hanji_ascon_hash256_start, .single = hash256_x1};
    return run(fleet, HANJI_ASCON_HASH256_DIGEST_BYTES, &begin, hanji_ascon_hash256_fleet_kernels);
}

int64_t hanji_ascon_xof128_fleet(const hanji_fleet *fleet)
{
    beginning begin = {.state = hanji_ascon_xof128_start, .single = xof128_x1};
    return run(fleet, 0, &begin, hanji_ascon_xof128_fleet_kernels);
}

/* No byte written by a call is one of the customization string. */
static int apart(const hanji_fleet *fleet, const uint8_t *customization, size_t bytes)
{
    const size_t n = fleet->messages;
    if (n == 0)
        return 1;
    const hanji_span digests =
        hanji_span_of_rows(fleet->tags, n, fleet->tag_bytes, fleet->tag_bytes);
    const uintptr_t at = (uintptr_t)customization;
    return !overlap_at(digests.at, digests.bytes, at, bytes) &&
           !overlap(fleet->status, n, customization, bytes);
}

int64_t hanji_ascon_cxof128_fleet(const hanji_fleet *fleet, const uint8_t *customization,
                                  size_t customization_bytes)
{
    hanji_ascon_hash_ctx ctx;
    beginning begin = {.state = ctx.state, .customized = &ctx, .single = cxof128_x1};
    if (fleet == NULL)
        return HANJI_E_ARGUMENT;
    int64_t rc = hanji_ascon_cxof128_init(customization, customization_bytes, &ctx);
    if (rc == HANJI_OK && !apart(fleet, customization, customization_bytes))
        rc = HANJI_E_ARGUMENT;
    if (rc == HANJI_OK)
        rc = run(fleet, 0, &begin, hanji_ascon_cxof128_fleet_kernels);
    hanji_wipe(&ctx, sizeof ctx);
    return rc;
}
