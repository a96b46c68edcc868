/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ascon-Hash256 and Ascon-XOF128 over many messages: the kernels, best first, and the calls.
 * Digests go where the AEAD has tags.
 */
#include "ascon/ascon.h"
#include "ascon/fleet_kernels.h"
#include "fleet/fleet.h"
#include "hanji/hash.h"
#include "support/cpu.h"
#include "support/secret.h"

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

#ifdef HANJI_X86
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
                       const uint64_t *start, const hanji_ascon_hash_lanes *kernel,
                       hanji_fleet_fn *single)
{
    memset(w, 0, sizeof *w);
    while (count > 0) {
        size_t n = count < lanes ? count : lanes;
        if (wide_single(items, count, least))
            single(items, n = 1, job);
        else
            wide_group(w, items, n, job->tag_bytes, lanes, start, kernel);
        items += n;
        count -= n;
    }
}

static HANJI_NOINLINE void avx512_run(ascon_wide *w, const hanji_fleet_item *items, size_t count,
                                      const hanji_fleet_job *job, const uint64_t *start,
                                      hanji_fleet_fn *single)
{
    wide(w, items, count, job, 16, 3, start, &hanji_ascon_hash_avx512_x16, single);
}

static HANJI_NOINLINE void avx2_run(ascon_wide *w, const hanji_fleet_item *items, size_t count,
                                    const hanji_fleet_job *job, const uint64_t *start,
                                    hanji_fleet_fn *single)
{
    wide(w, items, count, job, 8, 3, start, &hanji_ascon_hash_avx2_x8, single);
}

static void hash256_avx512(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job)
{
    ascon_wide w;
    avx512_run(&w, items, count, job, hanji_ascon_hash256_start, hash256_x1);
    hanji_wipe_stack();
    hanji_wipe(&w, sizeof w);
}

static void hash256_avx2(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job)
{
    ascon_wide w;
    avx2_run(&w, items, count, job, hanji_ascon_hash256_start, hash256_x1);
    hanji_wipe_stack();
    hanji_wipe(&w, sizeof w);
}

static void xof128_avx512(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job)
{
    ascon_wide w;
    avx512_run(&w, items, count, job, hanji_ascon_xof128_start, xof128_x1);
    hanji_wipe_stack();
    hanji_wipe(&w, sizeof w);
}

static void xof128_avx2(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job)
{
    ascon_wide w;
    avx2_run(&w, items, count, job, hanji_ascon_xof128_start, xof128_x1);
    hanji_wipe_stack();
    hanji_wipe(&w, sizeof w);
}
#endif

const hanji_kernel hanji_ascon_hash256_fleet_kernels[] = {
#ifdef HANJI_X86
    {.name = "ascon_hash256_avx512_x128",
     .features = HANJI_CPU_AVX512,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 3,
     .run = {.fleet = hash256_avx512}},
    {.name = "ascon_hash256_avx2_x128",
     .features = HANJI_CPU_AVX2,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 3,
     .run = {.fleet = hash256_avx2}},
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
    {.name = "ascon_xof128_avx512_x128",
     .features = HANJI_CPU_AVX512,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 3,
     .run = {.fleet = xof128_avx512}},
    {.name = "ascon_xof128_avx2_x128",
     .features = HANJI_CPU_AVX2,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 3,
     .run = {.fleet = xof128_avx2}},
#endif
    {.name = "ascon_xof128_portable_x1",
     .operation = HANJI_FLEET,
     .group = 1,
     .align = 1,
     .run = {.fleet = xof128_x1}},
    {.name = NULL},
};

static int64_t run(const hanji_fleet *fleet, size_t digest_bytes, const hanji_kernel *kernels)
{
    const hanji_fleet_shape shape = {.tag_bytes = digest_bytes,
                                     .tag_bytes_max = digest_bytes != 0 ? 0 : SIZE_MAX};
    const int rc = hanji_fleet_check(fleet, &shape);
    if (rc != HANJI_OK)
        return rc;
    const hanji_fleet_job job = {.tag_bytes = fleet->tag_bytes};
    return hanji_fleet_run(fleet, &job, &shape, kernels);
}

int64_t hanji_ascon_hash256_fleet(const hanji_fleet *fleet)
{
    return run(fleet, HANJI_ASCON_HASH256_DIGEST_BYTES, hanji_ascon_hash256_fleet_kernels);
}

int64_t hanji_ascon_xof128_fleet(const hanji_fleet *fleet)
{
    return run(fleet, 0, hanji_ascon_xof128_fleet_kernels);
}
