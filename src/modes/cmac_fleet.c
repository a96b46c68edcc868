/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CMAC of many messages, with any cipher: in lanes (modes/chain_lanes.c) where the cipher has
 * kernels for it, else one message after the other.
 */
#include "modes/chain_lanes.h"
#include "modes/fleet_kernels.h"
#include "modes/fleet_keys.h"

static void cmac_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job)
{
    (void)count; /* a group is one message */
    keyed own, *k = job->shared != NULL ? job->shared : &own;
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
    if (job->shared == NULL) {
        hanji_wipe(&own.key, job->cipher->ctx_bytes); /* what is used of it */
        hanji_wipe(&own.eax, sizeof own.eax);
    }
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

static int64_t run(const hanji_fleet *fleet, const hanji_cipher *cipher, int open)
{
    return run_tagged(fleet, cipher, open, CMAC_CALLS, hanji_cmac_fleet_kernels, cmac_x1);
}

int64_t hanji_cmac_fleet(const hanji_fleet *fleet, const hanji_cipher *cipher)
{
    return run(fleet, cipher, 0);
}

int64_t hanji_cmac_fleet_verify(const hanji_fleet *fleet, const hanji_cipher *cipher)
{
    return run(fleet, cipher, 1);
}
