/* SPDX-License-Identifier: Apache-2.0 */
/*
 * EAX over many messages, with any cipher: in lanes (modes/chain_lanes.c) where the cipher has
 * kernels for it, else one message after the other.
 */
#include "modes/chain_lanes.h"
#include "modes/fleet_kernels.h"
#include "modes/fleet_keys.h"

static void eax_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job)
{
    (void)count;
    keyed *k = job->shared != NULL ? job->shared : job->own;
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
}

#if HANJI_GROUP_MESSAGES_MAX > 1
static void eax_lanes(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job)
{
    hanji_eax_lanes(items, count, job, eax_x1);
}
#endif

/* The first row asks the cipher for kernels over lanes, of whatever tier. */
const hanji_kernel hanji_eax_fleet_kernels[] = {
#if HANJI_GROUP_MESSAGES_MAX > 1
    {.name = "eax_lanes_x128",
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 2,
     .run = {.fleet = eax_lanes}},
#endif
    {.name = "eax_portable_x1",
     .operation = HANJI_FLEET,
     .group = 1,
     .align = 1,
     .run = {.fleet = eax_x1}},
    {.name = NULL},
};

static int64_t eax_ragged(const hanji_fleet *fleet, const hanji_fleet_job *job,
                          const hanji_fleet_shape *shape)
{
    return run_in_lanes(fleet, job, shape, hanji_eax_fleet_kernels, eax_x1);
}

static HANJI_NOINLINE int64_t run_any(const hanji_fleet *fleet, const hanji_cipher *cipher,
                                      int open)
{
    return run_tagged(fleet, cipher, open, EAX_CALLS, eax_ragged);
}

#if HANJI_GROUP_MESSAGES_MAX > 1
/*
 * Few messages, one after the other in as few instructions as they can be; else all of the above.
 * They have no associated data.
 */
HANJI_INLINE int64_t run(const hanji_fleet *fleet, const hanji_cipher *cipher, int open)
{
    if (fleet == NULL)
        return HANJI_E_ARGUMENT;
    if (!few_tagged(fleet, cipher, open, EAX_CALLS, fleet->messages))
        return run_any(fleet, cipher, open);
    keyed k;
    int64_t failed = 0;
    for (size_t i = 0; i < fleet->messages; i++) {
        const size_t at = (size_t)fleet->offsets[i], bytes = (size_t)fleet->offsets[i + 1] - at;
        const hanji_eax_arrays a = {.out = fleet->output + at,
                                    .out_bytes = bytes,
                                    .in = fleet->input + at,
                                    .in_bytes = bytes,
                                    .nonce = fleet->nonces + i * fleet->nonce_bytes,
                                    .nonce_bytes = fleet->nonce_bytes};
        uint8_t *tag = fleet->tags + i * fleet->tag_bytes;
        key_of_few(&k, fleet, i, cipher, EAX_CALLS);
        const int rc = open ? hanji_eax_open(a.out, tag, bytes, &a, &k.eax)
                            : hanji_eax_seal(tag, bytes, &a, &k.eax);
        if (rc != HANJI_OK) {
            hanji_wipe(a.out, bytes);
            if (!open)
                hanji_wipe(tag, fleet->tag_bytes);
            failed++;
        }
        fleet->status[i] = (int8_t)rc;
    }
    wipe_few(&k, cipher, EAX_CALLS);
    return failed;
}
#else
#define run run_any
#endif

int64_t hanji_eax_fleet_encrypt(const hanji_fleet *fleet, const hanji_cipher *cipher)
{
    return run(fleet, cipher, 0);
}

int64_t hanji_eax_fleet_decrypt(const hanji_fleet *fleet, const hanji_cipher *cipher)
{
    return run(fleet, cipher, 1);
}
