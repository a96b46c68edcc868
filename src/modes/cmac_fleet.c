/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CMAC of many messages, with any cipher: in lanes (modes/chain_lanes.c) where the cipher has
 * kernels for it, else one message after the other.
 */
#include "modes/chain_lanes.h"
#include "modes/fleet_kernels.h"
#include "modes/fleet_keys.h"

#if HANJI_GROUP_MESSAGES_MAX > 1
#include "support/cpu.h"
#endif

static void cmac_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job)
{
    (void)count; /* a group is one message */
    keyed *k = job->shared != NULL ? job->shared : job->own;
    hanji_cmac_ctx *cmac = &k->eax.mac;
    const int at_once = job->shared == NULL && !job->open;
    int rc = HANJI_OK;
    if (job->shared == NULL)
        rc = expand(k, m->key, job->limit, job->cipher);
    if (rc == HANJI_OK && at_once) {
        rc = hanji_cmac(m->tag, job->tag_bytes, m->in, m->bytes, &k->key.head);
    } else {
        if (rc == HANJI_OK && job->shared == NULL)
            rc = hanji_cmac_init(&k->key.head, cmac);
        if (rc == HANJI_OK)
            rc = hanji_cmac_update(m->in, m->bytes, cmac);
        if (rc == HANJI_OK)
            rc = job->open ? hanji_cmac_verify(m->tag, job->tag_bytes, cmac)
                           : hanji_cmac_final(m->tag, job->tag_bytes, cmac);
    }
    if (rc != HANJI_OK && !job->open)
        hanji_wipe(m->tag, job->tag_bytes);
    *m->status = (int8_t)rc;
}

#if HANJI_GROUP_MESSAGES_MAX > 1
static void cmac_lanes(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job)
{
    hanji_cmac_lanes(items, count, job, cmac_x1);
}
#endif

/* The first row asks the cipher for kernels over lanes, of whatever tier. */
const hanji_kernel hanji_cmac_fleet_kernels[] = {
#if HANJI_GROUP_MESSAGES_MAX > 1
    {.name = "cmac_lanes_x128",
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 2,
     .run = {.fleet = cmac_lanes}},
#endif
    {.name = "cmac_portable_x1",
     .operation = HANJI_FLEET,
     .group = 1,
     .align = 1,
     .run = {.fleet = cmac_x1}},
    {.name = NULL},
};

static int64_t cmac_ragged(const hanji_fleet *fleet, const hanji_fleet_job *job,
                           const hanji_fleet_shape *shape)
{
    return run_in_lanes(fleet, job, shape, hanji_cmac_fleet_kernels, cmac_x1);
}

#if HANJI_GROUP_MESSAGES_MAX > 1
/* Tags of whole blocks as the call gives them, cut, or compares them; returns how many differ. */
static int64_t take_tags(const hanji_fleet *fleet, size_t first, size_t count, const uint8_t *whole,
                         size_t n, int open)
{
    const size_t size = fleet->tag_bytes;
    int64_t failed = 0;
    for (size_t i = 0; i < count; i++, whole += n) {
        uint8_t *tag = fleet->tags + (first + i) * size;
        int rc = HANJI_OK;
        if (!open)
            memcpy(tag, whole, size);
        else if (!hanji_equal(whole, tag, size))
            rc = HANJI_E_TAG;
        fleet->status[first + i] = (int8_t)rc;
        failed += rc != HANJI_OK;
    }
    return failed;
}

/* So many messages of one length, with a kernel for those: see hanji_fleet_uniform_fn. */
static HANJI_NOINLINE size_t cmac_uniform(const hanji_fleet *fleet, size_t first,
                                          const hanji_fleet_job *job, const hanji_kernel *row,
                                          int64_t *failed)
{
    const size_t n = job->cipher->block_bytes, at = (size_t)fleet->offsets[first],
                 bytes = (size_t)fleet->offsets[first + 1] - at;
    const uint64_t blocks = hanji_blocks_begun(bytes, n),
                   limit = job->limit != 0 ? job->limit : hanji_cipher_limit(job->cipher);
    /* Without text there is no address of it. Those past the limit fail, each on its own. */
    if (bytes == 0 || blocks >= limit)
        return 0;
    const size_t groups = hanji_fleet_uniform_groups(fleet, first, row->group),
                 done = hanji_times(groups, row->group);
    const uint8_t *in = fleet->input + at, *keys = fleet->keys + first * fleet->key_stride;
    if (!job->open && fleet->tag_bytes == n && groups > 0) {
        row->run.macs(fleet->tags + first * n, in, bytes, keys, groups);
        memset(fleet->status + first, HANJI_OK, done);
        return done;
    }
    uint8_t whole[HANJI_GROUP_MESSAGES_MAX * HANJI_BLOCK_BYTES_MAX];
    const size_t most = HANJI_GROUP_MESSAGES_MAX / row->group; /* a group is a power of two */
    for (size_t g = 0, i = 0; g < groups;) {
        const size_t now = groups - g < most ? groups - g : most, count = now * row->group;
        row->run.macs(whole, in + i * bytes, bytes, keys + i * fleet->key_stride, now);
        *failed += take_tags(fleet, first + i, count, whole, n, job->open);
        g += now;
        i += count;
    }
    hanji_wipe(whole, sizeof whole);
    return done;
}
#endif

static int64_t cmac_messages(const hanji_fleet *fleet, const hanji_fleet_job *job,
                             const hanji_fleet_shape *shape)
{
#if HANJI_GROUP_MESSAGES_MAX > 1
    const hanji_cipher *cipher = job->cipher;
    const hanji_kernel *row =
        fleet->key_stride == cipher->key_bytes
            ? hanji_kernel_next(hanji_cipher_lanes(cipher), HANJI_MACS, fleet->messages,
                                hanji_cpu_features(), HANJI_LAYOUT_CANONICAL)
            : NULL;
    if (row != NULL)
        return hanji_fleet_run_uniform(fleet, job, shape, row, cmac_uniform, cmac_ragged);
#endif
    return cmac_ragged(fleet, job, shape);
}

static HANJI_NOINLINE int64_t run_any(const hanji_fleet *fleet, const hanji_cipher *cipher,
                                      int open)
{
    return run_tagged(fleet, cipher, open, CMAC_CALLS, cmac_messages);
}

#if HANJI_GROUP_MESSAGES_MAX > 1
/* One of few messages under a key of its own, which is made in `key`. */
HANJI_INLINE int few_own(const hanji_fleet *fleet, size_t i, const hanji_cipher *cipher, int open,
                         hanji_any_block_ctx *key)
{
    const size_t n = cipher->block_bytes, at = (size_t)fleet->offsets[i],
                 bytes = (size_t)fleet->offsets[i + 1] - at, size = fleet->tag_bytes;
    const uint8_t *in = fleet->input + at;
    uint8_t *tag = fleet->tags + i * size;
    hanji_block_rekey(fleet->keys + i * fleet->key_stride, cipher, &key->head);
    if (fleet->limit != 0)
        key->head.blocks_limit = fleet->limit;
    if (hanji_block_reserve(2 + hanji_cmac_need(bytes, 0, n), &key->head) != HANJI_OK) {
        if (!open)
            hanji_wipe(tag, size);
        return HANJI_E_LIMIT;
    }
    if (!open) {
        hanji_cmac_whole(tag, size, in, bytes, &key->head);
        return HANJI_OK;
    }
    uint8_t whole[HANJI_BLOCK_BYTES_MAX];
    hanji_cmac_whole(whole, n, in, bytes, &key->head);
    const int rc = hanji_equal(whole, tag, size) ? HANJI_OK : HANJI_E_TAG;
    wipe_here(whole, sizeof whole);
    return rc;
}

/* Few messages under one key. */
static HANJI_NOINLINE int64_t few_under_one(const hanji_fleet *fleet, const hanji_cipher *cipher,
                                            int open)
{
    keyed k;
    hanji_cmac_ctx *cmac = &k.eax.mac;
    int64_t failed = 0;
    for (size_t i = 0; i < fleet->messages; i++) {
        const size_t at = (size_t)fleet->offsets[i], bytes = (size_t)fleet->offsets[i + 1] - at;
        uint8_t *tag = fleet->tags + i * fleet->tag_bytes;
        key_of_few(&k, fleet, i, cipher, CMAC_CALLS);
        int rc =
            hanji_block_reserve(1 + hanji_cmac_need(bytes, 0, cipher->block_bytes), &k.key.head);
        if (rc == HANJI_OK) {
            const hanji_chain chain = hanji_chain_of(&k.key.head);
            hanji_cmac_absorb(fleet->input + at, bytes, cmac, &chain);
            if (open)
                rc = hanji_cmac_compare(tag, fleet->tag_bytes, cmac);
            else
                hanji_cmac_give(tag, fleet->tag_bytes, cmac, &chain);
        } else if (!open) {
            hanji_wipe(tag, fleet->tag_bytes);
        }
        fleet->status[i] = (int8_t)rc;
        failed += rc != HANJI_OK;
    }
    wipe_few(&k, cipher, CMAC_CALLS);
    return failed;
}

/* Few messages, one after the other in as few instructions as can be; else all of the above. */
HANJI_INLINE int64_t run_few(const hanji_fleet *fleet, const hanji_cipher *cipher, int open,
                             size_t count)
{
    if (!few_tagged(fleet, cipher, open, CMAC_CALLS, count))
        return run_any(fleet, cipher, open);
    if (count > 1 && fleet->key_stride == 0)
        return few_under_one(fleet, cipher, open);
    hanji_any_block_ctx key;
    int64_t failed = 0;
    for (size_t i = 0; i < count; i++) {
        const int rc = few_own(fleet, i, cipher, open, &key);
        fleet->status[i] = (int8_t)rc;
        failed += rc != HANJI_OK;
    }
    hanji_wipe_stack_shallow();
    hanji_wipe(&key, cipher->ctx_bytes);
    return failed;
}

/* The number of messages is known to the compiler where it is least. */
static int64_t run(const hanji_fleet *fleet, const hanji_cipher *cipher, int open)
{
    if (fleet == NULL)
        return HANJI_E_ARGUMENT;
    const size_t count = fleet->messages;
    return count == 1   ? run_few(fleet, cipher, open, 1)
           : count == 2 ? run_few(fleet, cipher, open, 2)
                        : run_few(fleet, cipher, open, count);
}
#else
#define run run_any
#endif

int64_t hanji_cmac_fleet(const hanji_fleet *fleet, const hanji_cipher *cipher)
{
    return run(fleet, cipher, 0);
}

int64_t hanji_cmac_fleet_verify(const hanji_fleet *fleet, const hanji_cipher *cipher)
{
    return run(fleet, cipher, 1);
}
