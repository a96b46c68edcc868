/* SPDX-License-Identifier: Apache-2.0 */
/* Ascon-AEAD128 over many messages: the kernels, best first, and the calls. */
#include "ascon/ascon.h"
#include "ascon/ascon_rows.h"
#include "ascon/fleet_kernels.h"
#include "fleet/fleet.h"
#include "hanji/aead.h"
#include "support/cpu.h"
#include "support/secret.h"

/* From so many messages on lanes take less time than one after the other, where there are any. */
#ifdef HANJI_X86
#define LEAST_IN_LANES 5
#define CPU_WITH_LANES HANJI_CPU_AVX2
#else
#define LEAST_IN_LANES 3
#define CPU_WITH_LANES HANJI_CPU_NEON
#endif

/* A message of a fleet as one by itself; its kernel is not chosen. */
HANJI_INLINE hanji_ascon_message message_of(const hanji_fleet_item *m, int open)
{
    const hanji_ascon_message message = {.out = m->out,
                                         .in = m->in,
                                         .bytes = m->bytes,
                                         .tag = open ? NULL : m->tag,
                                         .given = open ? m->tag : NULL,
                                         .tag_bytes = HANJI_ASCON_AEAD128_TAG_BYTES,
                                         .ad = m->ad,
                                         .ad_bytes = m->ad_bytes,
                                         .nonce = m->nonce,
                                         .key = m->key};
    return message;
}

HANJI_INLINE void aead_x1(const hanji_fleet_item *m, size_t count, const hanji_fleet_job *job)
{
    (void)count; /* a group is one message */
    hanji_ascon_message message = message_of(m, job->open);
    int rc = HANJI_OK;
#ifdef HANJI_X86
    message.kernel = hanji_ascon_aead_single();
#endif
    if (job->open)
        rc = hanji_ascon_aead128_open(&message);
    else
        hanji_ascon_aead128_seal(&message);
    *m->status = (int8_t)rc;
}

#if defined(HANJI_X86) || (defined(HANJI_A64) && !defined(HANJI_FREESTANDING))
#include "ascon/ascon_wide.h"

/* The last block of the associated data of a lane, 0 to 15 bytes, and its padding. */
HANJI_INLINE void stage_last(ascon_wide *w, size_t lane, const uint8_t *in, size_t bytes)
{
    uint64_t block[2] = {0, 0};
    crypt_last(block, NULL, in, bytes, 0);
    store_le64(w->stage + lane * HANJI_ASCON_RATE, block[0]);
    store_le64(w->stage + lane * HANJI_ASCON_RATE + 8, block[1]);
}

/* Whether all lanes have a message, with associated data of one length, 1 or more. */
HANJI_INLINE int ad_are_uniform(const hanji_fleet_item *items, size_t count, size_t lanes)
{
    size_t differ = count ^ lanes;
    if (differ != 0)
        return 0;
    for (size_t l = 0; l < lanes; l++)
        differ |= items[l].ad_bytes ^ items[0].ad_bytes;
    return differ == 0 && items[0].ad_bytes > 0;
}

/* Such associated data. */
HANJI_INLINE void wide_uniform_ad(ascon_wide *w, const hanji_fleet_item *items, size_t lanes,
                                  const hanji_ascon_aead_lanes *kernel)
{
    hanji_ascon_ragged *r = &w->ragged;
    const size_t blocks = items[0].ad_bytes / HANJI_ASCON_RATE, whole = blocks * HANJI_ASCON_RATE,
                 left = items[0].ad_bytes - whole;
    for (size_t l = 0; l < lanes; l++) {
        r->in[l] = items[l].ad;
        r->out[l] = w->idle_out;
        r->active[l] = UINT64_MAX;
        stage_last(w, l, items[l].ad + whole, left);
    }
    if (blocks > 0)
        kernel->absorb(w->state, r, blocks);
    for (size_t l = 0; l < lanes; l++)
        r->in[l] = w->stage + l * HANJI_ASCON_RATE;
    kernel->absorb(w->state, r, 1);
}

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
    if (ad_are_uniform(items, count, lanes)) {
        wide_uniform_ad(w, items, lanes, kernel);
    } else if (some != 0) {
        wide_blocks(w, &t, lanes, HANJI_ASCON_RATE, kernel->absorb);
        for (size_t l = 0; l < lanes; l++) {
            const size_t bytes = l < count ? items[l].ad_bytes : 0, left = bytes % HANJI_ASCON_RATE;
            stage_last(w, l, t.in[l], left);
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

/* Whether all lanes have a message, of one length and with associated data of one length. */
HANJI_INLINE int wide_are_uniform(const hanji_fleet_item *items, size_t count, size_t lanes)
{
    size_t differ = count ^ lanes;
    if (differ != 0)
        return 0;
    for (size_t l = 0; l < lanes; l++)
        differ |= (items[l].bytes ^ items[0].bytes) | (items[l].ad_bytes ^ items[0].ad_bytes);
    return differ == 0;
}

/* Such messages to before their tags: every lane goes the same way, which is prepared once. */
HANJI_INLINE void wide_uniform(ascon_wide *w, const hanji_fleet_item *items, size_t lanes,
                               const hanji_ascon_aead_lanes *kernel, int open)
{
    hanji_ascon_ragged *r = &w->ragged;
    const size_t blocks = items[0].bytes / HANJI_ASCON_RATE, whole = blocks * HANJI_ASCON_RATE,
                 left = items[0].bytes - whole;
    for (size_t l = 0; l < lanes; l++) {
        r->key[l] = items[l].key;
        r->nonce[l] = items[l].nonce;
        r->active[l] = UINT64_MAX;
    }
    kernel->begin(w->state, r);
    if (items[0].ad_bytes > 0)
        wide_uniform_ad(w, items, lanes, kernel);
    for (size_t l = 0; l < lanes; l++) {
        r->in[l] = items[l].in;
        r->out[l] = items[l].out;
        w->state[4 * lanes + l] ^= HANJI_ASCON_DOMAIN;
    }
    if (blocks > 0)
        (open ? kernel->open : kernel->seal)(w->state, r, blocks);
    for (size_t l = 0; l < lanes && left == 0; l++)
        w->state[l] ^= 1;
    for (size_t l = 0; l < lanes && left > 0; l++) {
        uint64_t block[2] = {w->state[l], w->state[lanes + l]};
        crypt_last(block, items[l].out + whole, items[l].in + whole, left, open);
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
    if (wide_are_uniform(items, count, lanes)) {
        wide_uniform(w, items, lanes, kernel, open);
    } else {
        for (size_t l = 0; l < lanes; l++) {
            r->key[l] = l < count ? items[l].key : w->idle_in;
            r->nonce[l] = l < count ? items[l].nonce : w->idle_in;
        }
        kernel->begin(w->state, r);
        wide_ad(w, items, count, lanes, kernel);
        wide_text(w, items, count, lanes, open ? kernel->open : kernel->seal, open);
    }
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

#endif

/* The engine is too large for hanji_wipe_stack, and not in the frame to be wiped by it. */
#ifdef HANJI_X86
static HANJI_NOINLINE void avx512_run(ascon_wide *w, const hanji_fleet_item *items, size_t count,
                                      const hanji_fleet_job *job)
{
    wide(w, items, count, job, 16, LEAST_IN_LANES, &hanji_ascon_aead_avx512_x16);
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
    wide(w, items, count, job, 8, LEAST_IN_LANES, &hanji_ascon_aead_avx2_x8);
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
    wide(w, items, count, job, 5, LEAST_IN_LANES, &hanji_ascon_aead_sha3_x5);
}

static void sha3(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job)
{
    ascon_wide w;
    sha3_run(&w, items, count, job);
    hanji_wipe_stack();
    hanji_wipe(&w, sizeof w);
}

static HANJI_NOINLINE void neon_run(ascon_wide *w, const hanji_fleet_item *items, size_t count,
                                    const hanji_fleet_job *job)
{
    wide(w, items, count, job, 5, LEAST_IN_LANES, &hanji_ascon_aead_neon_x5);
}

static void neon(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job)
{
    ascon_wide w;
    neon_run(&w, items, count, job);
    hanji_wipe_stack();
    hanji_wipe(&w, sizeof w);
}
#endif

const hanji_kernel hanji_ascon_aead128_fleet_kernels[] = {
#ifdef HANJI_X86
    {.name = "ascon_aead128_avx512_x24",
     .features = HANJI_CPU_AVX512,
     .operation = HANJI_UNIFORM,
     .group = HANJI_ASCON_ROWS_GROUP,
     .align = 1,
     .minimum = HANJI_ASCON_ROWS_LEAST,
     .run = {.ascon_aead_rows = &hanji_ascon_aead_rows_avx512_x24}},
    {.name = "ascon_aead128_avx512_x128",
     .features = HANJI_CPU_AVX512,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = LEAST_IN_LANES,
     .run = {.fleet = avx512}},
    {.name = "ascon_aead128_avx2_x128",
     .features = HANJI_CPU_AVX2,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = LEAST_IN_LANES,
     .run = {.fleet = avx2}},
#elif defined(HANJI_A64) && !defined(HANJI_FREESTANDING)
    {.name = "ascon_aead128_sha3_x128",
     .features = HANJI_CPU_SHA3,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = LEAST_IN_LANES,
     .run = {.fleet = sha3}},
    {.name = "ascon_aead128_neon_x128",
     .features = HANJI_CPU_NEON,
     .operation = HANJI_FLEET,
     .group = HANJI_GROUP_MESSAGES_MAX,
     .align = 1,
     .minimum = LEAST_IN_LANES,
     .run = {.fleet = neon}},
#endif
    {.name = "ascon_aead128_portable_x1",
     .operation = HANJI_FLEET,
     .group = 1,
     .align = 1,
     .run = {.fleet = aead_x1}},
    {.name = NULL},
};

static int64_t in_groups(const hanji_fleet *fleet, const hanji_fleet_job *job,
                         const hanji_fleet_shape *shape)
{
    return hanji_fleet_run(fleet, job, shape, hanji_ascon_aead128_fleet_kernels);
}

#ifdef HANJI_X86
/* Tags of messages from `first` on against those of the call; returns how many differ. */
static int64_t compare_tags(const hanji_fleet *fleet, size_t first, size_t count,
                            const uint8_t *made)
{
    const size_t size = HANJI_ASCON_AEAD128_TAG_BYTES;
    const uint8_t *given = fleet->tags + first * size;
    int64_t failed = 0;
    memset(fleet->status + first, HANJI_OK, count);
    /* all at once first: hardly ever is one wrong */
    if (hanji_equal(made, given, count * size))
        return 0;
    for (size_t i = first; i < first + count; i++, made += size, given += size) {
        if (hanji_equal(made, given, size))
            continue;
        fleet->status[i] = HANJI_E_TAG;
        failed++;
        const size_t at = (size_t)fleet->offsets[i], bytes = (size_t)fleet->offsets[i + 1] - at;
        if (bytes > 0)
            hanji_wipe(fleet->output + at, bytes);
    }
    return failed;
}

/* Messages from `first` on with texts of one length, and associated data of one length. */
static size_t run_of(const hanji_fleet *fleet, size_t first)
{
    const int64_t *texts = fleet->offsets + first,
                  *ad = fleet->ad_offsets != NULL ? fleet->ad_offsets + first : NULL;
    const size_t left = fleet->messages - first;
    size_t count = 1;
    while (count < left && texts[count + 1] - texts[count] == texts[1] - texts[0] &&
           (ad == NULL || ad[count + 1] - ad[count] == ad[1] - ad[0]))
        count++;
    return count;
}

/* The next `count` messages. */
HANJI_INLINE void advance(hanji_ascon_rows *rows, size_t count)
{
    if (rows->bytes > 0) {
        rows->in += count * rows->bytes;
        rows->out += count * rows->bytes;
    }
    if (rows->ad_bytes > 0)
        rows->ad += count * rows->ad_bytes;
    rows->keys += count * rows->key_stride;
    rows->nonces += count * HANJI_ASCON_AEAD128_NONCE_BYTES;
}

/* So many messages of one length: see hanji_fleet_uniform_fn. */
static HANJI_NOINLINE size_t in_rows(const hanji_fleet *fleet, size_t first,
                                     const hanji_fleet_job *job, const hanji_kernel *row,
                                     int64_t *failed)
{
    enum { TAG = HANJI_ASCON_AEAD128_TAG_BYTES, AT_ONCE = HANJI_ASCON_ROWS_GROUP };
    const hanji_ascon_aead_rows *kernel = row->run.ascon_aead_rows;
    const size_t at = (size_t)fleet->offsets[first], bytes = (size_t)fleet->offsets[first + 1] - at,
                 count = run_of(fleet, first), over = count % AT_ONCE,
                 rest = over >= HANJI_ASCON_ROWS_LEAST ? over : 0, whole = count - over,
                 done = whole + rest;
    hanji_ascon_rows rows = {.bytes = bytes,
                             .keys = fleet->keys + first * fleet->key_stride,
                             .key_stride = fleet->key_stride,
                             .nonces = fleet->nonces + first * HANJI_ASCON_AEAD128_NONCE_BYTES,
                             .tags = fleet->tags + first * TAG,
                             .count = AT_ONCE};
    struct {
        uint64_t work[HANJI_ASCON_ROWS_WORK];
        uint8_t tags[AT_ONCE * TAG];
    } own __attribute__((aligned(64)));
    if (done == 0)
        return 0;
    if (bytes > 0) { /* the arrays may be NULL where no message has a text */
        rows.in = fleet->input + at;
        rows.out = fleet->output + at;
    }
    if (fleet->ad_offsets != NULL) {
        const size_t ad_at = (size_t)fleet->ad_offsets[first];
        rows.ad_bytes = (size_t)fleet->ad_offsets[first + 1] - ad_at;
        if (rows.ad_bytes > 0)
            rows.ad = fleet->ad + ad_at;
    }
    if (!job->open) {
        if (whole > 0)
            kernel->seal(own.work, &rows, whole / AT_ONCE);
        if (rest > 0) { /* its tags fill a group */
            advance(&rows, whole);
            rows.count = rest;
            rows.tags = own.tags;
            kernel->seal(own.work, &rows, 1);
            memcpy(fleet->tags + (first + whole) * TAG, own.tags, rest * TAG);
        }
        memset(fleet->status + first, HANJI_OK, done);
    } else {
        rows.tags = own.tags;
        for (size_t i = 0; i < done; i += rows.count) {
            if (i == whole)
                rows.count = rest;
            kernel->open(own.work, &rows, 1);
            *failed += compare_tags(fleet, first + i, rows.count, own.tags);
            advance(&rows, rows.count);
        }
    }
    hanji_wipe(&own, sizeof own);
    return done;
}

static int64_t run_messages(const hanji_fleet *fleet, const hanji_fleet_job *job,
                            const hanji_fleet_shape *shape)
{
    const hanji_kernel *row =
        hanji_kernel_next(hanji_ascon_aead128_fleet_kernels, HANJI_UNIFORM, fleet->messages,
                          hanji_cpu_features(), HANJI_LAYOUT_CANONICAL);
    if (row == NULL)
        return in_groups(fleet, job, shape);
    const int64_t failed = hanji_fleet_run_uniform(fleet, job, shape, row, in_rows, in_groups);
    hanji_wipe_stack_of_fleet();
    return failed;
}
#else
#define run_messages in_groups
#endif

HANJI_INLINE hanji_fleet_shape shape_of(int open)
{
    const hanji_fleet_shape shape = {.key_bytes = HANJI_ASCON_AEAD128_KEY_BYTES,
                                     .nonce_bytes = HANJI_ASCON_AEAD128_NONCE_BYTES,
                                     .tag_bytes = HANJI_ASCON_AEAD128_TAG_BYTES,
                                     .open = open};
    return shape;
}

/* Whether the messages under one key keep to its limit: a caller's lowers that of the standard. */
HANJI_INLINE int within_limit(const hanji_fleet *fleet)
{
    const uint64_t most = HANJI_ASCON_AEAD128_LIMIT_BLOCKS,
                   limit = fleet->limit != 0 && fleet->limit < most ? fleet->limit : most;
    return fleet->key_stride != 0 || hanji_fleet_blocks(fleet, HANJI_ASCON_RATE) <= limit;
}

#if HANJI_GROUP_MESSAGES_MAX > 1
/* So many that no lanes take them. */
HANJI_INLINE int are_few(size_t messages)
{
    return messages < LEAST_IN_LANES || (hanji_features() & CPU_WITH_LANES) == 0;
}
#endif

static HANJI_NOINLINE int64_t run_any(const hanji_fleet *fleet, int open)
{
    const hanji_fleet_shape shape = shape_of(open);
    const int rc = hanji_fleet_check(fleet, &shape);
    if (rc != HANJI_OK)
        return rc;
    if (!within_limit(fleet))
        return HANJI_E_LIMIT;
    const hanji_fleet_job job = {
        .nonce_bytes = fleet->nonce_bytes, .tag_bytes = fleet->tag_bytes, .open = open};
#if HANJI_GROUP_MESSAGES_MAX > 1
    if (are_few(fleet->messages))
        return hanji_fleet_run_singly(fleet, &job, &shape, aead_x1);
#endif
    return run_messages(fleet, &job, &shape);
}

#if HANJI_GROUP_MESSAGES_MAX > 1
/* Few messages, one after the other in as few instructions as they can be; else all of the above. */
HANJI_INLINE int64_t run_few(const hanji_fleet *fleet, int open, size_t count)
{
    const hanji_fleet_shape shape = shape_of(open);
    const hanji_fleet_job job = {.open = open};
    if (!are_few(count) || !hanji_fleet_is_sound(fleet, &shape, count, hanji_features()) ||
        !within_limit(fleet))
        return run_any(fleet, open);
    const int64_t failed = hanji_fleet_each(fleet, &job, &shape, aead_x1);
    hanji_ascon_message any = {0};
#ifdef HANJI_X86
    any.kernel = hanji_ascon_aead_single();
#endif
    hanji_ascon_wipe_behind(&any);
    return failed;
}

HANJI_INLINE int64_t run(const hanji_fleet *fleet, int open)
{
    if (fleet == NULL)
        return HANJI_E_ARGUMENT;
    const size_t count = fleet->messages; /* one is known to the compiler */
    return count == 1 ? run_few(fleet, open, 1) : run_few(fleet, open, count);
}
#else
#define run run_any
#endif

int64_t hanji_ascon_aead128_fleet_encrypt(const hanji_fleet *fleet)
{
    return run(fleet, 0);
}

int64_t hanji_ascon_aead128_fleet_decrypt(const hanji_fleet *fleet)
{
    return run(fleet, 1);
}
