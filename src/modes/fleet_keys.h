/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What fleets of CTR, EAX and CMAC share: one key for all messages or one for each, and its limit.
 */
#ifndef HANJI_MODES_FLEET_KEYS_H
#define HANJI_MODES_FLEET_KEYS_H

#include "fleet/fleet.h"
#include "hanji/aead.h"
#include "modes/chain_lanes.h"
#include "modes/eax.h"
#include "modes/modes.h"
#include "support/bytes.h"
#include "support/secret.h"

/* A keyed cipher with the EAX over it, or the CMAC in that. */
typedef struct keyed {
    hanji_any_block_ctx key;
    hanji_eax_ctx eax;
} keyed;

HANJI_INLINE void fail(const hanji_fleet_item *m, int rc)
{
    if (m->bytes > 0)
        hanji_wipe(m->out, m->bytes);
    *m->status = (int8_t)rc;
}

HANJI_INLINE int expand(keyed *k, const uint8_t *key, uint64_t limit, const hanji_cipher *cipher)
{
    int rc = hanji_block_init(key, cipher->key_bytes, cipher, &k->key.head, sizeof k->key);
    if (rc == HANJI_OK && limit != 0)
        rc = hanji_block_set_limit(limit, &k->key.head);
    return rc;
}

/* Which cipher calls a message makes. */
typedef enum mode_calls { CTR_CALLS, EAX_CALLS, CMAC_CALLS } mode_calls;

/*
 * The cipher calls of all messages, saturating; for EAX with their associated data and nonces, and
 * for EAX and CMAC with the one that makes the subkeys.
 */
HANJI_INLINE uint64_t calls(const hanji_fleet *fleet, const hanji_cipher *cipher, mode_calls mode)
{
    const size_t n = cipher->block_bytes;
    uint64_t total = mode == CTR_CALLS ? 0 : 1;
    for (size_t i = 0; i < fleet->messages; i++) {
        uint64_t here = hanji_blocks_begun((size_t)(fleet->offsets[i + 1] - fleet->offsets[i]), n);
        if (mode == CMAC_CALLS && here == 0)
            here = 1;
        if (mode == EAX_CALLS) {
            here += here + 3 + hanji_blocks_begun(fleet->nonce_bytes, n);
            if (fleet->ad_offsets != NULL)
                here += hanji_blocks_begun(
                    (size_t)(fleet->ad_offsets[i + 1] - fleet->ad_offsets[i]), n);
        }
        total = here > UINT64_MAX - total ? UINT64_MAX : total + here;
    }
    return total;
}

/*
 * Whether all messages together keep to the limit of the one key; apart, so that calls with few
 * messages save no registers for it.
 */
static HANJI_NOINLINE int within_limit(const hanji_fleet *fleet, const hanji_cipher *cipher,
                                       mode_calls mode)
{
    return calls(fleet, cipher, mode) <=
           (fleet->limit != 0 ? fleet->limit : hanji_cipher_limit(cipher));
}

/*
 * The one key of a fleet whose messages share it, in `one`: HANJI_E_LIMIT where the messages need
 * more cipher calls than its limit.
 */
HANJI_INLINE int expand_shared(keyed *one, const hanji_fleet *fleet, const hanji_cipher *cipher,
                               mode_calls mode)
{
    if (!within_limit(fleet, cipher, mode))
        return HANJI_E_LIMIT;
    int rc = expand(one, fleet->keys, fleet->limit, cipher);
    if (rc == HANJI_OK && mode == EAX_CALLS)
        rc = hanji_eax_init(fleet->tag_bytes, &one->key.head, &one->eax);
    if (rc == HANJI_OK && mode == CMAC_CALLS)
        rc = hanji_cmac_init(&one->key.head, &one->eax.mac);
    if (rc != HANJI_OK)
        hanji_wipe(one, sizeof *one);
    return rc;
}

#if HANJI_GROUP_MESSAGES_MAX > 1
/*
 * Whether so many messages of EAX or CMAC go one by one. Where they share a key, whose schedule
 * lanes repeat, some more do: one, and of short messages two or three where the key is long.
 * Measured. The offsets may be wrong: no more than the speed depends on them here.
 */
HANJI_INLINE int too_few_for_chains(const hanji_fleet *fleet, const hanji_cipher *cipher,
                                    size_t count)
{
    if (count <= 1)
        return 1;
    const size_t least = hanji_chain_lanes_least(cipher), key_bytes = cipher->key_bytes;
    if (count < least)
        return 1;
    if (fleet->key_stride != 0 || count - least >= 3 || fleet->offsets == NULL)
        return 0;
    const uint64_t bytes = (uint64_t)fleet->offsets[count] - (uint64_t)fleet->offsets[0];
    const int brief = key_bytes > HANJI_BLOCK_BYTES_MAX && bytes <= count * HANJI_BLOCK_BYTES_MAX;
    return count - least < (brief ? (key_bytes == 24 ? 3u : 2u) : 1u);
}
#endif

/* Messages in lanes, or one after the other where they are fewer than pay. */
HANJI_INLINE int64_t run_in_lanes(const hanji_fleet *fleet, const hanji_fleet_job *job,
                                  const hanji_fleet_shape *shape, const hanji_kernel *kernels,
                                  hanji_fleet_fn *single)
{
#if HANJI_GROUP_MESSAGES_MAX > 1
    if (too_few_for_chains(fleet, job->cipher, fleet->messages))
        return hanji_fleet_run_singly(fleet, job, shape, single);
#else
    (void)single;
#endif
    return hanji_fleet_run(fleet, job, shape, kernels);
}

typedef int64_t run_tagged_fn(const hanji_fleet *fleet, const hanji_fleet_job *job,
                              const hanji_fleet_shape *shape);

HANJI_INLINE hanji_fleet_shape tagged_shape(const hanji_cipher *cipher, int open, mode_calls mode)
{
    const int mac = mode == CMAC_CALLS;
    const hanji_fleet_shape shape = {.key_bytes = cipher->key_bytes,
                                     .tag_bytes_max = cipher->block_bytes,
                                     .open = open,
                                     .plain = mac,
                                     .mac = mac};
    HANJI_ALWAYS(shape.key_bytes != 0 && shape.tag_bytes_max != 0);
    return shape;
}

/* A whole fleet of EAX or of CMAC: checked, with its one key or one for each message. */
HANJI_INLINE int64_t run_tagged(const hanji_fleet *fleet, const hanji_cipher *cipher, int open,
                                mode_calls mode, run_tagged_fn *run)
{
    if (cipher == NULL)
        return HANJI_E_ARGUMENT;
    const size_t n = cipher->block_bytes;
    if (n != 8 && n != 16)
        return HANJI_E_LENGTH;
    const hanji_fleet_shape shape = tagged_shape(cipher, open, mode);
    int rc = hanji_fleet_check(fleet, &shape);
    if (rc != HANJI_OK)
        return rc;
    keyed one;
    hanji_fleet_job job = {.cipher = cipher,
                           .nonce_bytes = mode == CMAC_CALLS ? 0 : fleet->nonce_bytes,
                           .tag_bytes = fleet->tag_bytes,
                           .limit = fleet->limit,
                           .open = open,
                           .own = &one};
    if (fleet->key_stride == 0 && fleet->messages > 0) {
        rc = expand_shared(&one, fleet, cipher, mode);
        if (rc != HANJI_OK)
            return rc;
        job.shared = &one;
    }
    const int64_t failed = run(fleet, &job, &shape);
    hanji_wipe(&one.key, cipher->ctx_bytes); /* its used part */
    hanji_wipe(&one.eax, sizeof one.eax);
    return failed;
}

#if HANJI_GROUP_MESSAGES_MAX > 1
/*
 * Whether messages of EAX or CMAC are few, too few for lanes, and surely sound. With one key they
 * keep to its limit.
 */
HANJI_INLINE int few_tagged(const hanji_fleet *fleet, const hanji_cipher *cipher, int open,
                            mode_calls mode, size_t count)
{
    if (cipher == NULL || (cipher->block_bytes != 8 && cipher->block_bytes != 16))
        return 0;
    const hanji_fleet_shape shape = tagged_shape(cipher, open, mode);
    return too_few_for_chains(fleet, cipher, count) &&
           hanji_fleet_is_sound(fleet, &shape, count, hanji_features()) &&
           (fleet->key_stride != 0 || within_limit(fleet, cipher, mode));
}

/*
 * The key of message i of few, which is that of the message before where there is one for all; with
 * what EAX or CMAC make of it. Nothing on the stack is erased: the call does so at its end.
 */
HANJI_INLINE void key_of_few(keyed *k, const hanji_fleet *fleet, size_t i,
                             const hanji_cipher *cipher, mode_calls mode)
{
    if (i > 0 && fleet->key_stride == 0)
        return;
    hanji_block_ctx *head = &k->key.head;
    hanji_block_rekey(fleet->keys + i * fleet->key_stride, cipher, head);
    if (fleet->limit != 0)
        head->blocks_limit = fleet->limit;
    head->blocks_used = 1;
    if (mode == EAX_CALLS) {
        hanji_eax_bind(fleet->tag_bytes, head, &k->eax);
    } else {
        const hanji_chain chain = hanji_chain_of(head);
        hanji_cmac_key(head, &k->eax.mac, &chain);
    }
}

/* At the end of few. */
HANJI_INLINE void wipe_few(keyed *k, const hanji_cipher *cipher, mode_calls mode)
{
    hanji_wipe_stack_shallow();
    hanji_wipe(&k->key, cipher->ctx_bytes);
    hanji_wipe(&k->eax, mode == EAX_CALLS ? sizeof k->eax : sizeof k->eax.mac);
}
#endif

#endif
