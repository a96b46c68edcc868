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

/* One message; a group is one message. */
HANJI_INLINE void one_message(const hanji_fleet_item *m, const hanji_fleet_job *job,
                              hanji_schwaemm_seal_fn *seal, hanji_schwaemm_open_fn *open)
{
    if (job->open)
        *m->status =
            (int8_t)open(m->out, m->in, m->bytes, m->tag, m->ad, m->ad_bytes, m->nonce, m->key);
    else {
        seal(m->out, m->tag, m->in, m->bytes, m->ad, m->ad_bytes, m->nonce, m->key);
        *m->status = HANJI_OK;
    }
}

static void schwaemm256_128_fleet_x1(const hanji_fleet_item *m, size_t count,
                                     const hanji_fleet_job *job)
{
    (void)count;
    one_message(m, job, hanji_schwaemm256_128_seal, hanji_schwaemm256_128_open);
}

static void schwaemm192_192_fleet_x1(const hanji_fleet_item *m, size_t count,
                                     const hanji_fleet_job *job)
{
    (void)count;
    one_message(m, job, hanji_schwaemm192_192_seal, hanji_schwaemm192_192_open);
}

static void schwaemm128_128_fleet_x1(const hanji_fleet_item *m, size_t count,
                                     const hanji_fleet_job *job)
{
    (void)count;
    one_message(m, job, hanji_schwaemm128_128_seal, hanji_schwaemm128_128_open);
}

static void schwaemm256_256_fleet_x1(const hanji_fleet_item *m, size_t count,
                                     const hanji_fleet_job *job)
{
    (void)count;
    one_message(m, job, hanji_schwaemm256_256_seal, hanji_schwaemm256_256_open);
}

/*
 * From how many messages on lanes take less time than one message after the other: measured. It is
 * more where one message has a kernel of its own (schwaemm.c).
 */
HANJI_INLINE size_t least_in_lanes(void)
{
#ifdef HANJI_LANES_MINIMUM /* for measuring this */
    return HANJI_LANES_MINIMUM;
#else
#ifdef HANJI_X86
    if (hanji_schwaemm_has_kernel())
        return (hanji_features() & HANJI_CPU_AVX512) != 0 ? 6 : 4;
    if ((hanji_features() & HANJI_CPU_AVX2) == 0) /* there are no lanes */
        return SIZE_MAX;
#endif
    return 3;
#endif
}

/* Whether one message on its own is fast enough that the last few of a fleet had better go alone. */
HANJI_INLINE int single_is_fast(void)
{
#ifdef HANJI_X86
    return hanji_schwaemm_has_kernel();
#else
    return 1;
#endif
}

/*
 * How many of the messages go to lanes: all, unless they are of one length, when lanes would go on
 * for the last few, which are faster alone.
 */
HANJI_INLINE size_t for_lanes(const hanji_fleet_item *items, size_t count, size_t lanes)
{
    const size_t rest = count % lanes;
    const hanji_fleet_item *last = items + count - 1;
    return single_is_fast() && rest < least_in_lanes() && items->bytes == last->bytes &&
                   items->ad_bytes == last->ad_bytes
               ? count - rest
               : count;
}

/*
 * Kernels: rate and capacity in bytes; the domain is 1 << capacity in 64-bit branches. `whole`:
 * rounds of whole chunks without a stage.
 */
#define KERNEL(function, round, whole, lanes, single, rate, capacity)                        \
    LANES_RUN(function, schwaemm_engine, const size_t most = for_lanes(items, count, lanes); \
              schwaemm_lanes(e, items, most, job, round, whole, lanes, rate, capacity,       \
                             1u << (capacity) / 8);                                          \
              for (size_t i = most; i < count; i++) single(items + i, 1, job))
#define WIDE_KERNEL(function, uniform, ragged, single, rate, capacity)                         \
    LANES_RUN(function, sponge_wide,                                                           \
              schwaemm_wide(e, items, count, job, &uniform, &ragged, single, least_in_lanes(), \
                            rate, capacity, 1u << (capacity) / 8))
#if defined(HANJI_X86)
KERNEL(schwaemm256_128_avx2, hanji_schwaemm256_128_avx2_round_x8, NULL, 8, schwaemm256_128_fleet_x1,
       32, 16)
KERNEL(schwaemm192_192_avx2, hanji_schwaemm192_192_avx2_round_x8, NULL, 8, schwaemm192_192_fleet_x1,
       24, 24)
KERNEL(schwaemm128_128_avx2, hanji_schwaemm128_128_avx2_round_x8, NULL, 8, schwaemm128_128_fleet_x1,
       16, 16)
KERNEL(schwaemm256_256_avx2, hanji_schwaemm256_256_avx2_round_x8, NULL, 8, schwaemm256_256_fleet_x1,
       32, 32)
WIDE_KERNEL(schwaemm256_128_avx512, hanji_schwaemm256_128_avx512_uniform_x16,
            hanji_schwaemm256_128_avx512_ragged_x16, schwaemm256_128_fleet_x1, 32, 16)
WIDE_KERNEL(schwaemm192_192_avx512, hanji_schwaemm192_192_avx512_uniform_x16,
            hanji_schwaemm192_192_avx512_ragged_x16, schwaemm192_192_fleet_x1, 24, 24)
WIDE_KERNEL(schwaemm128_128_avx512, hanji_schwaemm128_128_avx512_uniform_x16,
            hanji_schwaemm128_128_avx512_ragged_x16, schwaemm128_128_fleet_x1, 16, 16)
WIDE_KERNEL(schwaemm256_256_avx512, hanji_schwaemm256_256_avx512_uniform_x16,
            hanji_schwaemm256_256_avx512_ragged_x16, schwaemm256_256_fleet_x1, 32, 32)
#elif defined(HANJI_A64) && !defined(HANJI_FREESTANDING)
KERNEL(schwaemm256_128_neon, hanji_schwaemm256_128_neon_round_x4, hanji_schwaemm256_128_neon_run_x4,
       4, schwaemm256_128_fleet_x1, 32, 16)
KERNEL(schwaemm192_192_neon, hanji_schwaemm192_192_neon_round_x4, hanji_schwaemm192_192_neon_run_x4,
       4, schwaemm192_192_fleet_x1, 24, 24)
KERNEL(schwaemm128_128_neon, hanji_schwaemm128_128_neon_round_x4, hanji_schwaemm128_128_neon_run_x4,
       4, schwaemm128_128_fleet_x1, 16, 16)
KERNEL(schwaemm256_256_neon, hanji_schwaemm256_256_neon_round_x4, hanji_schwaemm256_256_neon_run_x4,
       4, schwaemm256_256_fleet_x1, 32, 32)
#endif

const hanji_kernel hanji_schwaemm256_128_fleet_kernels[] = {
    LANES_ROWS(schwaemm256_128) LANES_ROW_PORTABLE(schwaemm256_128),
    {.name = NULL},
};

const hanji_kernel hanji_schwaemm192_192_fleet_kernels[] = {
    LANES_ROWS(schwaemm192_192) LANES_ROW_PORTABLE(schwaemm192_192),
    {.name = NULL},
};

const hanji_kernel hanji_schwaemm128_128_fleet_kernels[] = {
    LANES_ROWS(schwaemm128_128) LANES_ROW_PORTABLE(schwaemm128_128),
    {.name = NULL},
};

const hanji_kernel hanji_schwaemm256_256_fleet_kernels[] = {
    LANES_ROWS(schwaemm256_256) LANES_ROW_PORTABLE(schwaemm256_256),
    {.name = NULL},
};

/* Key and tag have one size. */
HANJI_INLINE hanji_fleet_shape shape_of(int open, size_t nonce_bytes, size_t tag_bytes)
{
    const hanji_fleet_shape shape = {
        .key_bytes = tag_bytes, .nonce_bytes = nonce_bytes, .tag_bytes = tag_bytes, .open = open};
    return shape;
}

static HANJI_NOINLINE int64_t run_any(const hanji_fleet *fleet, int open, size_t nonce_bytes,
                                      size_t tag_bytes, const hanji_kernel *kernels,
                                      hanji_fleet_fn *single)
{
    const hanji_fleet_shape shape = shape_of(open, nonce_bytes, tag_bytes);
    const int rc = hanji_fleet_check(fleet, &shape);
    if (rc != HANJI_OK)
        return rc;
    const hanji_fleet_job job = {.nonce_bytes = fleet->nonce_bytes,
                                 .tag_bytes = fleet->tag_bytes,
                                 .open = open,
                                 .end = fleet->messages > 0 && fleet->input != NULL
                                            ? fleet->input + (size_t)fleet->offsets[fleet->messages]
                                            : NULL};
#if HANJI_GROUP_MESSAGES_MAX > 1
    if (fleet->messages < least_in_lanes())
        return hanji_fleet_run_singly(fleet, &job, &shape, single);
#endif
    (void)single;
    return hanji_fleet_run(fleet, &job, &shape, kernels);
}

#if HANJI_GROUP_MESSAGES_MAX > 1
typedef hanji_schwaemm_seal_fn *seal_kernel_fn(void);

/*
 * Few messages, one after the other in as few instructions as they can be; else all of the above.
 * `kernel` gives the kernel that seals one message, where there is one.
 */
HANJI_INLINE int64_t run(const hanji_fleet *fleet, int open, size_t nonce_bytes, size_t tag_bytes,
                         const hanji_kernel *kernels, hanji_fleet_fn *single,
                         seal_kernel_fn *kernel)
{
    const hanji_fleet_shape shape = shape_of(open, nonce_bytes, tag_bytes);
    const hanji_fleet_job job = {.open = open};
    if (fleet == NULL)
        return HANJI_E_ARGUMENT;
    if (fleet->messages >= least_in_lanes() ||
        !hanji_fleet_is_sound(fleet, &shape, fleet->messages, hanji_features()))
        return run_any(fleet, open, nonce_bytes, tag_bytes, kernels, single);
    hanji_schwaemm_seal_fn *seal = open ? NULL : kernel();
    if (seal == NULL) {
        const int64_t failed = hanji_fleet_each(fleet, &job, &shape, single);
        hanji_wipe_stack_shallow();
        return failed;
    }
    for (size_t i = 0; i < fleet->messages; i++) {
        hanji_fleet_item m;
        hanji_fleet_describe(&m, fleet, i, &shape, tag_bytes, 0);
        seal(m.out, m.tag, m.in, m.bytes, NULL, 0, m.nonce, m.key);
        *m.status = HANJI_OK;
    }
    hanji_wipe_stack_least();
    return 0;
}
#else
#define run(fleet, open, nonce_bytes, tag_bytes, kernels, single, kernel) \
    run_any(fleet, open, nonce_bytes, tag_bytes, kernels, single)
#endif

int64_t hanji_schwaemm256_128_fleet_encrypt(const hanji_fleet *fleet)
{
    return run(fleet, 0, HANJI_SCHWAEMM256_128_NONCE_BYTES, HANJI_SCHWAEMM256_128_TAG_BYTES,
               hanji_schwaemm256_128_fleet_kernels, schwaemm256_128_fleet_x1,
               hanji_schwaemm256_128_seal_for_fleet);
}

int64_t hanji_schwaemm256_128_fleet_decrypt(const hanji_fleet *fleet)
{
    return run(fleet, 1, HANJI_SCHWAEMM256_128_NONCE_BYTES, HANJI_SCHWAEMM256_128_TAG_BYTES,
               hanji_schwaemm256_128_fleet_kernels, schwaemm256_128_fleet_x1,
               hanji_schwaemm256_128_seal_for_fleet);
}

int64_t hanji_schwaemm192_192_fleet_encrypt(const hanji_fleet *fleet)
{
    return run(fleet, 0, HANJI_SCHWAEMM192_192_NONCE_BYTES, HANJI_SCHWAEMM192_192_TAG_BYTES,
               hanji_schwaemm192_192_fleet_kernels, schwaemm192_192_fleet_x1,
               hanji_schwaemm192_192_seal_for_fleet);
}

int64_t hanji_schwaemm192_192_fleet_decrypt(const hanji_fleet *fleet)
{
    return run(fleet, 1, HANJI_SCHWAEMM192_192_NONCE_BYTES, HANJI_SCHWAEMM192_192_TAG_BYTES,
               hanji_schwaemm192_192_fleet_kernels, schwaemm192_192_fleet_x1,
               hanji_schwaemm192_192_seal_for_fleet);
}

int64_t hanji_schwaemm128_128_fleet_encrypt(const hanji_fleet *fleet)
{
    return run(fleet, 0, HANJI_SCHWAEMM128_128_NONCE_BYTES, HANJI_SCHWAEMM128_128_TAG_BYTES,
               hanji_schwaemm128_128_fleet_kernels, schwaemm128_128_fleet_x1,
               hanji_schwaemm128_128_seal_for_fleet);
}

int64_t hanji_schwaemm128_128_fleet_decrypt(const hanji_fleet *fleet)
{
    return run(fleet, 1, HANJI_SCHWAEMM128_128_NONCE_BYTES, HANJI_SCHWAEMM128_128_TAG_BYTES,
               hanji_schwaemm128_128_fleet_kernels, schwaemm128_128_fleet_x1,
               hanji_schwaemm128_128_seal_for_fleet);
}

int64_t hanji_schwaemm256_256_fleet_encrypt(const hanji_fleet *fleet)
{
    return run(fleet, 0, HANJI_SCHWAEMM256_256_NONCE_BYTES, HANJI_SCHWAEMM256_256_TAG_BYTES,
               hanji_schwaemm256_256_fleet_kernels, schwaemm256_256_fleet_x1,
               hanji_schwaemm256_256_seal_for_fleet);
}

int64_t hanji_schwaemm256_256_fleet_decrypt(const hanji_fleet *fleet)
{
    return run(fleet, 1, HANJI_SCHWAEMM256_256_NONCE_BYTES, HANJI_SCHWAEMM256_256_TAG_BYTES,
               hanji_schwaemm256_256_fleet_kernels, schwaemm256_256_fleet_x1,
               hanji_schwaemm256_256_seal_for_fleet);
}
