/* SPDX-License-Identifier: Apache-2.0 */
/* CTR and EAX over many messages, with any cipher: the kernels, best first, and the calls. */
#include "fleet/fleet.h"

#include "hanji/aead.h"
#include "modes/fleet_kernels.h"
#include "modes/modes.h"
#include "support/bytes.h"

/* A keyed cipher with the EAX over it. */
typedef struct keyed {
    hanji_any_block_ctx key;
    hanji_eax_ctx eax;
} keyed;

static void fail(const hanji_fleet_item *m, int rc)
{
    if (m->bytes > 0)
        hanji_wipe(m->out, m->bytes);
    *m->status = (int8_t)rc;
}

static int expand(keyed *k, const uint8_t *key, uint64_t limit, const hanji_cipher *cipher)
{
    int rc = hanji_block_init(key, cipher->key_bytes, cipher, &k->key.head, sizeof k->key);
    if (rc == HANJI_OK && limit != 0)
        rc = hanji_block_set_limit(limit, &k->key.head);
    return rc;
}

static void ctr_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job)
{
    (void)count; /* a group is one message */
    keyed own, *k = job->shared != NULL ? job->shared : &own;
    hanji_ctr_ctx ctr;
    int rc = job->shared != NULL ? HANJI_OK : expand(k, m->key, job->limit, job->cipher);
    if (rc == HANJI_OK)
        rc = hanji_ctr_init(m->nonce, job->nonce_bytes, &k->key.head, &ctr);
    if (rc == HANJI_OK) {
        rc = hanji_ctr_update(m->out, m->in, m->bytes, &ctr);
        hanji_wipe(&ctr, sizeof ctr);
    }
    if (rc == HANJI_OK)
        *m->status = HANJI_OK;
    else
        fail(m, rc);
    if (job->shared == NULL)
        hanji_wipe(&own, sizeof own);
}

static void eax_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job)
{
    (void)count;
    keyed own, *k = job->shared != NULL ? job->shared : &own;
    int rc = HANJI_OK;
    if (job->shared == NULL) {
        rc = expand(k, m->key, job->limit, job->cipher);
        if (rc == HANJI_OK)
            rc = hanji_eax_init(job->tag_bytes, &k->key.head, &k->eax);
    }
    if (rc == HANJI_OK)
        rc =
            job->open
                ? hanji_eax_decrypt_detached(m->out, m->in, m->bytes, m->tag, job->tag_bytes, m->ad,
                                             m->ad_bytes, m->nonce, job->nonce_bytes, &k->eax)
                : hanji_eax_encrypt_detached(m->out, m->tag, m->in, m->bytes, m->ad, m->ad_bytes,
                                             m->nonce, job->nonce_bytes, &k->eax);
    if (rc == HANJI_OK) {
        *m->status = HANJI_OK;
    } else {
        fail(m, rc);
        if (!job->open)
            hanji_wipe(m->tag, job->tag_bytes);
    }
    if (job->shared == NULL)
        hanji_wipe(&own, sizeof own);
}

#if HANJI_GROUP_MESSAGES_MAX > 1
static void ctr_lanes(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job)
{
    hanji_fleet_ctr_lanes(items, count, job, ctr_x1);
}
#endif

/* The first row asks the cipher for kernels over lanes, of whatever tier. */
const hanji_kernel hanji_ctr_fleet_kernels[] = {
#if HANJI_GROUP_MESSAGES_MAX > 1
    {.name = "ctr_lanes_x128",
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 2,
     .run = {.fleet = ctr_lanes}},
#endif
    {.name = "ctr_portable_x1",
     .operation = HANJI_FLEET,
     .group = 1,
     .align = 1,
     .run = {.fleet = ctr_x1}},
    {.name = NULL},
};
const hanji_kernel hanji_eax_fleet_kernels[] = {
    {.name = "eax_portable_x1",
     .operation = HANJI_FLEET,
     .group = 1,
     .align = 1,
     .run = {.fleet = eax_x1}},
    {.name = NULL},
};

/* The cipher calls of all messages, saturating; for EAX with their associated data and nonces. */
static uint64_t calls(const hanji_fleet *fleet, const hanji_cipher *cipher, int eax)
{
    const size_t n = cipher->block_bytes;
    uint64_t total = eax ? 1 : 0;
    for (size_t i = 0; i < fleet->messages; i++) {
        uint64_t here = hanji_blocks_begun((size_t)(fleet->offsets[i + 1] - fleet->offsets[i]), n);
        if (eax) {
            here += here + 3 + hanji_blocks_begun(fleet->nonce_bytes, n);
            if (fleet->ad_offsets != NULL)
                here += hanji_blocks_begun(
                    (size_t)(fleet->ad_offsets[i + 1] - fleet->ad_offsets[i]), n);
        }
        total = here > UINT64_MAX - total ? UINT64_MAX : total + here;
    }
    return total;
}

#if HANJI_GROUP_MESSAGES_MAX > 1
/* Runs of messages of one length, and what is between them. */
static int64_t run_ctr(const hanji_fleet *fleet, const hanji_fleet_job *job,
                       const hanji_fleet_shape *shape)
{
    int64_t failed = 0;
    const hanji_uniform kernel = hanji_fleet_uniform(fleet, job);
    /* messages before `begin` are done, those before `i` are not in a run */
    size_t begin = 0, i = kernel.row != NULL ? 0 : fleet->messages;
    while (begin < fleet->messages) {
        const size_t uniform = i < fleet->messages ? hanji_fleet_ctr_uniform(fleet, i, &kernel) : 0;
        if (i < fleet->messages && uniform == 0) {
            /*
             * A run that begins in these is found a little late, but lengths that all differ are
             * not looked at one by one.
             */
            i = fleet->messages - i < kernel.row->group ? fleet->messages : i + kernel.row->group;
            continue;
        }
        if (i > begin) {
            hanji_fleet part = *fleet;
            const size_t at = begin;
            part.messages = i - at;
            part.offsets += at;
            part.keys += at * fleet->key_stride;
            part.nonces += at * fleet->nonce_bytes;
            part.status += at;
            failed += hanji_fleet_run(&part, job, shape, hanji_ctr_fleet_kernels);
        }
        i += uniform;
        begin = i;
    }
    return failed;
}
#else
#define run_ctr(fleet, job, shape) hanji_fleet_run(fleet, job, shape, hanji_ctr_fleet_kernels)
#endif

static int64_t run(const hanji_fleet *fleet, const hanji_cipher *cipher, int eax, int open)
{
    if (cipher == NULL)
        return HANJI_E_ARGUMENT;
    const size_t n = cipher->block_bytes;
    if (eax && n != 8 && n != 16)
        return HANJI_E_LENGTH;
    const hanji_fleet_shape shape = {cipher->key_bytes, eax ? 0 : n, 0, eax ? n : 0, open, !eax};
    int rc = hanji_fleet_check(fleet, &shape);
    if (rc != HANJI_OK)
        return rc;
    keyed one;
    hanji_fleet_job job = {.cipher = cipher,
                           .nonce_bytes = fleet->nonce_bytes,
                           .tag_bytes = fleet->tag_bytes,
                           .limit = fleet->limit,
                           .open = open};
    if (fleet->key_stride == 0 && fleet->messages > 0) {
        if (calls(fleet, cipher, eax) >
            (fleet->limit != 0 ? fleet->limit : hanji_cipher_limit(cipher)))
            return HANJI_E_LIMIT;
        rc = expand(&one, fleet->keys, fleet->limit, cipher);
        if (rc == HANJI_OK && eax)
            rc = hanji_eax_init(fleet->tag_bytes, &one.key.head, &one.eax);
        if (rc != HANJI_OK)
            return rc;
        job.shared = &one;
    }
    const int64_t failed = eax ? hanji_fleet_run(fleet, &job, &shape, hanji_eax_fleet_kernels)
                               : run_ctr(fleet, &job, &shape);
    if (job.shared != NULL)
        hanji_wipe(&one, sizeof one);
    return failed;
}

int64_t hanji_ctr_fleet(const hanji_fleet *fleet, const hanji_cipher *cipher)
{
    return run(fleet, cipher, 0, 0);
}

int64_t hanji_eax_fleet_encrypt(const hanji_fleet *fleet, const hanji_cipher *cipher)
{
    return run(fleet, cipher, 1, 0);
}

int64_t hanji_eax_fleet_decrypt(const hanji_fleet *fleet, const hanji_cipher *cipher)
{
    return run(fleet, cipher, 1, 1);
}
