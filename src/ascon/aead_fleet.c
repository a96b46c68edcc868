/* SPDX-License-Identifier: Apache-2.0 */
/* Ascon-AEAD128 over many messages: the kernels, best first, and the calls. */
#include "ascon/ascon.h"
#include "ascon/fleet_kernels.h"
#include "fleet/fleet.h"
#include "hanji/aead.h"
#include "support/cpu.h"
#include "support/secret.h"

static void aead_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job)
{
    (void)count; /* a group is one message */
    if (job->open) {
        *m->status = (int8_t)hanji_ascon_aead128_open(m->out, m->in, m->bytes, m->tag, m->ad,
                                                      m->ad_bytes, m->nonce, m->key);
    } else {
        hanji_ascon_aead128_seal(m->out, m->tag, m->in, m->bytes, m->ad, m->ad_bytes, m->nonce,
                                 m->key);
        *m->status = HANJI_OK;
    }
}

#ifdef HANJI_X86
#include "ascon/ascon_wide.h"

/* Associated data, and the domain bit behind them. */
HANJI_INLINE void wide_ad(ascon_wide *w, const hanji_fleet_item *items, size_t count, size_t lanes,
                          const hanji_ascon_aead_lanes *kernel)
{
    ascon_texts t;
    size_t some = 0;
    for (size_t l = 0; l < lanes; l++) {
        const size_t bytes = l < count ? items[l].ad_bytes : 0;
        t.in[l] = bytes > 0 ? items[l].ad : w->idle_in;
        t.out[l] = NULL;
        t.blocks[l] = bytes / HANJI_ASCON_RATE;
        some |= bytes;
    }
    if (some != 0) {
        wide_blocks(w, &t, lanes, HANJI_ASCON_RATE, kernel->absorb);
        for (size_t l = 0; l < lanes; l++) {
            const size_t bytes = l < count ? items[l].ad_bytes : 0, left = bytes % HANJI_ASCON_RATE;
            uint64_t block[2] = {0, 0};
            crypt_last(block, NULL, t.in[l], left, 0);
            store_le64(w->stage + l * HANJI_ASCON_RATE, block[0]);
            store_le64(w->stage + l * HANJI_ASCON_RATE + 8, block[1]);
            t.in[l] = w->stage + l * HANJI_ASCON_RATE;
            t.blocks[l] = bytes > 0;
        }
        wide_blocks(w, &t, lanes, HANJI_ASCON_RATE, kernel->absorb);
    }
    for (size_t l = 0; l < lanes; l++)
        w->state[4 * lanes + l] ^= HANJI_ASCON_DOMAIN;
}

/* The texts, with their padding. */
HANJI_INLINE void wide_text(ascon_wide *w, const hanji_fleet_item *items, size_t count,
                            size_t lanes, hanji_ascon_lanes_fn *take, int open)
{
    ascon_texts t;
    for (size_t l = 0; l < lanes; l++) {
        const size_t bytes = l < count ? items[l].bytes : 0;
        t.in[l] = bytes > 0 ? items[l].in : w->idle_in;
        t.out[l] = bytes > 0 ? items[l].out : w->idle_out;
        t.blocks[l] = bytes / HANJI_ASCON_RATE;
    }
    wide_blocks(w, &t, lanes, HANJI_ASCON_RATE, take);
    for (size_t l = 0; l < count && l < lanes; l++) {
        const size_t left = items[l].bytes % HANJI_ASCON_RATE;
        if (left == 0) {
            w->state[l] ^= 1;
            continue;
        }
        uint64_t block[2] = {w->state[l], w->state[lanes + l]};
        crypt_last(block, t.out[l], t.in[l], left, open);
        w->state[l] = block[0];
        w->state[lanes + l] = block[1];
        wipe_here(block, sizeof block);
    }
}

/* Up to as many messages as there are lanes. */
HANJI_INLINE void wide_group(ascon_wide *w, const hanji_fleet_item *items, size_t count,
                             size_t lanes, const hanji_ascon_aead_lanes *kernel, int open)
{
    hanji_ascon_ragged *r = &w->ragged;
    for (size_t l = 0; l < lanes; l++) {
        r->key[l] = l < count ? items[l].key : w->idle_in;
        r->nonce[l] = l < count ? items[l].nonce : w->idle_in;
    }
    kernel->begin(w->state, r);
    wide_ad(w, items, count, lanes, kernel);
    wide_text(w, items, count, lanes, open ? kernel->open : kernel->seal, open);
    for (size_t l = 0; l < lanes; l++)
        r->out[l] = l < count && !open ? items[l].tag : w->stage + l * HANJI_ASCON_RATE;
    kernel->end(w->state, r);
    for (size_t l = 0; l < count; l++) {
        const hanji_fleet_item *item = items + l;
        const uint8_t *tag = w->stage + l * HANJI_ASCON_RATE;
        *item->status = HANJI_OK;
        if (open && !hanji_equal(tag, item->tag, HANJI_ASCON_AEAD128_TAG_BYTES)) {
            *item->status = HANJI_E_TAG;
            if (item->bytes > 0)
                hanji_wipe(item->out, item->bytes);
        }
    }
}

HANJI_INLINE void wide(ascon_wide *w, const hanji_fleet_item *items, size_t count,
                       const hanji_fleet_job *job, size_t lanes, size_t least,
                       const hanji_ascon_aead_lanes *kernel)
{
    memset(w, 0, sizeof *w);
    while (count > 0) {
        size_t n = count < lanes ? count : lanes;
        if (wide_single(items, count, least))
            aead_x1(items, n = 1, job);
        else
            wide_group(w, items, n, lanes, kernel, job->open);
        items += n;
        count -= n;
    }
}

/* The engine is too large for hanji_wipe_stack, and not in the frame to be wiped by it. */
static HANJI_NOINLINE void avx512_run(ascon_wide *w, const hanji_fleet_item *items, size_t count,
                                      const hanji_fleet_job *job)
{
    wide(w, items, count, job, 16, 3, &hanji_ascon_aead_avx512_x16);
}

static void avx512(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job)
{
    ascon_wide w;
    avx512_run(&w, items, count, job);
    hanji_wipe_stack();
    hanji_wipe(&w, sizeof w);
}

static HANJI_NOINLINE void avx2_run(ascon_wide *w, const hanji_fleet_item *items, size_t count,
                                    const hanji_fleet_job *job)
{
    wide(w, items, count, job, 8, 3, &hanji_ascon_aead_avx2_x8);
}

static void avx2(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job)
{
    ascon_wide w;
    avx2_run(&w, items, count, job);
    hanji_wipe_stack();
    hanji_wipe(&w, sizeof w);
}
#endif

const hanji_kernel hanji_ascon_aead128_fleet_kernels[] = {
#ifdef HANJI_X86
    {.name = "ascon_aead128_avx512_x128",
     .features = HANJI_CPU_AVX512,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 3,
     .run = {.fleet = avx512}},
    {.name = "ascon_aead128_avx2_x128",
     .features = HANJI_CPU_AVX2,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = 3,
     .run = {.fleet = avx2}},
#endif
    {.name = "ascon_aead128_portable_x1",
     .operation = HANJI_FLEET,
     .group = 1,
     .align = 1,
     .run = {.fleet = aead_x1}},
    {.name = NULL},
};

/* Blocks of all messages together: nonces, associated data and texts with their paddings. */
static uint64_t blocks_of(const hanji_fleet *fleet)
{
    const uint64_t rate = HANJI_ASCON_RATE;
    uint64_t total = 0;
    for (size_t i = 0; i < fleet->messages; i++) {
        uint64_t here = 2 + (uint64_t)(fleet->offsets[i + 1] - fleet->offsets[i]) / rate;
        if (fleet->ad_offsets != NULL && fleet->ad_offsets[i + 1] > fleet->ad_offsets[i])
            here += 1 + (uint64_t)(fleet->ad_offsets[i + 1] - fleet->ad_offsets[i]) / rate;
        total = here > UINT64_MAX - total ? UINT64_MAX : total + here;
    }
    return total;
}

static int64_t run(const hanji_fleet *fleet, int open)
{
    const hanji_fleet_shape shape = {.key_bytes = HANJI_ASCON_AEAD128_KEY_BYTES,
                                     .nonce_bytes = HANJI_ASCON_AEAD128_NONCE_BYTES,
                                     .tag_bytes = HANJI_ASCON_AEAD128_TAG_BYTES,
                                     .open = open};
    const int rc = hanji_fleet_check(fleet, &shape);
    if (rc != HANJI_OK)
        return rc;
    if (fleet->key_stride == 0) { /* a caller's limit lowers that of the standard */
        const uint64_t most = HANJI_ASCON_AEAD128_LIMIT_BLOCKS;
        const uint64_t limit = fleet->limit != 0 && fleet->limit < most ? fleet->limit : most;
        if (blocks_of(fleet) > limit)
            return HANJI_E_LIMIT;
    }
    const hanji_fleet_job job = {
        .nonce_bytes = fleet->nonce_bytes, .tag_bytes = fleet->tag_bytes, .open = open};
    return hanji_fleet_run(fleet, &job, &shape, hanji_ascon_aead128_fleet_kernels);
}

int64_t hanji_ascon_aead128_fleet_encrypt(const hanji_fleet *fleet)
{
    return run(fleet, 0);
}

int64_t hanji_ascon_aead128_fleet_decrypt(const hanji_fleet *fleet)
{
    return run(fleet, 1);
}
