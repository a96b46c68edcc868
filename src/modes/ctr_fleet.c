/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CTR over many messages, with any cipher. A call goes one way: hanji_ctr_fleet checks, and cuts
 * the fleet into runs of uniform messages, which a kernel takes whole (ctr_uniform), and the rest;
 * hanji_fleet_run groups the rest by length; ctr_lanes has one message in each lane of the cipher's
 * vectors; ctr_x1 is one message by itself.
 *
 * Everything here is decided by lengths and counts. A lane whose message has ended takes the next
 * at once, so no lane waits for a longer neighbour.
 */
#include "modes/fleet_kernels.h"
#include "modes/fleet_keys.h"

#if HANJI_GROUP_MESSAGES_MAX > 1
#include "lanes/streams.h"
#include "support/arith.h"
#include "support/cpu.h"
#include "support/secret.h"
#endif

/* Blocks of a message, at most. */
HANJI_INLINE uint64_t limit_of(const hanji_fleet_job *job)
{
    return job->limit != 0 ? job->limit : hanji_cipher_limit(job->cipher);
}

/* A short message with a key of its own, if the cipher has a kernel for it: 1, or 0. */
HANJI_INLINE int ctr_from_key(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *nonce,
                              const uint8_t *key, const hanji_cipher *cipher)
{
#if HANJI_ROWS_IN_THREES
    hanji_once_fn *once = hanji_cipher_text(cipher, bytes, hanji_features());
    if (once != NULL) {
        once(out, in, bytes, nonce, key);
        return 1;
    }
#else
    (void)out, (void)in, (void)bytes, (void)nonce, (void)key, (void)cipher;
#endif
    return 0;
}

#if HANJI_GROUP_MESSAGES_MAX > 1
/* Whether there is such a kernel for so many bytes. */
HANJI_INLINE int has_kernel_from_key(const hanji_cipher *cipher, uint64_t bytes)
{
#if HANJI_ROWS_IN_THREES
    return hanji_cipher_text(cipher, (size_t)bytes, hanji_features()) != NULL;
#else
    (void)cipher, (void)bytes;
    return 0;
#endif
}
#endif

static HANJI_NOINLINE void ctr_x1(const hanji_fleet_item *m, size_t count,
                                  const hanji_fleet_job *job)
{
    (void)count; /* a group is one message */
    if (job->shared == NULL && m->bytes > 0 &&
        hanji_blocks_begun(m->bytes, job->cipher->block_bytes) <= limit_of(job) &&
        ctr_from_key(m->out, m->in, m->bytes, m->nonce, m->key, job->cipher)) {
        *m->status = HANJI_OK;
        return;
    }
    keyed *k = job->shared != NULL ? job->shared : job->own;
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
}

#if HANJI_GROUP_MESSAGES_MAX > 1

/*
 * The longest message in a lane: for longer ones the kernels for many blocks under one key are
 * faster, and the round keys cost little. Measured for key streams (AVX2, NEON), for those of words
 * with gaps, and for whole messages (AVX-512).
 */
#ifdef HANJI_LONG_IN_LANES /* for measuring this */
#define SINGLE_BYTES(whole, gaps) (1 << 20)
#else
#define SINGLE_BYTES(whole, gaps) ((whole) ? 4096 : (gaps) ? 2048 : 1024)
#endif

/*
 * A call takes as long for a few busy lanes as for all, so messages are done alone that have much
 * left: more than 256 bytes with no more than a quarter of the lanes busy, more than 768 bytes with
 * no more than two thirds. Words with gaps, of 24 and 48 bits, are slower alone. Measured.
 */
#define SINGLE_FROM 256
HANJI_INLINE int pays_single(size_t left, size_t busy, size_t lanes, const hanji_cipher *cipher)
{
    return (left > SINGLE_FROM && 4 * busy <= lanes) ||
           (left > 768 && 3 * busy <= 2 * lanes && cipher->block_bytes % 3 != 0);
}

/* A message on its way. */
typedef struct lane {
    const uint8_t *in;
    uint8_t *out;
    size_t left; /* 0: the lane is free */
    size_t place;
    const hanji_fleet_item *item;
} lane;

typedef struct engine {
    hanji_streams streams; /* first: it is aligned */
    lane lane[HANJI_STREAM_LANES_MAX];
    hanji_ragged ragged; /* instead of the lanes, where there are kernels for whole messages */
    uint32_t flags;
} engine;

/*
 * What does not change, apart from the engine: bytes that are written could be it, as far as a
 * compiler knows.
 */
typedef struct lane_shape {
    size_t lanes, step; /* step: from one piece of a lane to the next */
    size_t slot, bytes; /* of text in a slot; of a lane and a call */
    size_t key_bytes, block_bytes;
    uint64_t most; /* longer messages go alone: those past the limit, too */
} lane_shape;

HANJI_INLINE void put_key(engine *e, size_t place, const uint8_t *key, lane_shape s)
{
    uint8_t *to = e->streams.keys + place;
    if (s.key_bytes == 16) {
        memcpy(to, key, 16);
        return;
    }
    const size_t first = s.key_bytes < s.slot ? s.key_bytes : s.slot;
    memcpy(to, key, first);
    memcpy(to + s.step, key + first, s.key_bytes - first);
}

HANJI_INLINE void put_counter(engine *e, size_t place, const uint8_t *counter, lane_shape s)
{
    uint8_t *to = e->streams.counters + place;
    if (s.block_bytes == 8)
        memcpy(to, counter, 8);
    else if (s.block_bytes == 16)
        memcpy(to, counter, 16);
    else if (s.block_bytes == 6)
        memcpy(to, counter, 6);
    else if (s.block_bytes == 12)
        memcpy(to, counter, 12);
    else
        memcpy(to, counter, 4);
}

/*
 * Give a free lane the next message that needs one. The others are done on the way: empty ones,
 * those past the limit, and the long. Returns the first message that is left.
 */
HANJI_INLINE const hanji_fleet_item *assign(engine *e, lane *l, const hanji_fleet_item *next,
                                            const hanji_fleet_item *end, const hanji_fleet_job *job,
                                            lane_shape s)
{
    while (next < end) {
        const hanji_fleet_item *item = next++;
        if (item->bytes - 1 >= s.most) { /* 0 - 1 is large */
            ctr_x1(item, 1, job);
            continue;
        }
        *item->status = HANJI_OK;
        l->in = item->in;
        l->out = item->out;
        l->left = item->bytes;
        l->item = item;
        put_counter(e, l->place, item->nonce, s);
        if (job->shared == NULL) {
            put_key(e, l->place, item->key, s);
            e->flags |= HANJI_STREAMS_EXPAND;
        }
        break;
    }
    return next;
}

/* Sixteen bytes as two words, so their xor is one instruction where there is one for it. */
typedef struct sixteen {
    uint64_t half[2];
} sixteen;

HANJI_INLINE sixteen xor_sixteen(const uint8_t *a, const uint8_t *b)
{
    sixteen x, y;
    memcpy(&x, a, 16);
    memcpy(&y, b, 16);
    x.half[0] ^= y.half[0];
    x.half[1] ^= y.half[1];
    return x;
}

/* Whole pieces, a constant number. */
HANJI_INLINE void xor_pieces(uint8_t *out, const uint8_t *in, const uint8_t *stream, size_t step,
                             size_t pieces)
{
    sixteen x[HANJI_STREAM_SLOTS];
    for (size_t p = 0; p < pieces; p++)
        x[p] = xor_sixteen(in + 16 * p, stream + p * step);
    memcpy(out, x, 16 * pieces);
}

/* The xor of what a call has made for a lane. */
HANJI_INLINE void advance(const engine *e, lane *l, lane_shape s)
{
    const size_t step = s.step;
    const uint8_t *stream = e->streams.stream + l->place, *in = l->in;
    uint8_t *out = l->out;
    size_t left = l->left;
    if (left >= s.bytes) {
        l->in = in + s.bytes;
        l->out = out + s.bytes;
        l->left = left - s.bytes;
        if (s.slot == 16)
            xor_pieces(out, in, stream, step, HANJI_STREAM_SLOTS);
        else
            xor_pieces(out, in, stream, step, HANJI_STREAM_SLOTS * 12 / 16);
        return;
    }
    l->left = 0;
    for (; left >= 16; left -= 16, in += 16, out += 16, stream += step) {
        const sixteen x = xor_sixteen(in, stream);
        memcpy(out, &x, sizeof x);
    }
    xor_bytes(out, in, stream, left);
}

/*
 * When no message waits and few lanes are busy, what is long of theirs is done alone: the counters
 * are where the lanes have come to. Returns the longest that is left.
 */
static HANJI_NOINLINE size_t finish_few(engine *e, const hanji_fleet_job *job, lane_shape s)
{
    size_t busy = 0, longest = 0;
    for (size_t at = 0; at < s.lanes; at++)
        busy += e->lane[at].left > 0;
    for (size_t at = 0; at < s.lanes; at++) {
        lane *l = &e->lane[at];
        if (pays_single(l->left, busy, s.lanes, job->cipher)) {
            hanji_fleet_item rest = *l->item;
            rest.in = l->in;
            rest.out = l->out;
            rest.bytes = l->left;
            rest.nonce = e->streams.counters + l->place;
            ctr_x1(&rest, 1, job);
            l->left = 0;
        }
        longest = l->left > longest ? l->left : longest;
    }
    return longest;
}

static HANJI_NOINLINE void run_lanes(engine *e, const hanji_fleet_item *next,
                                     const hanji_fleet_item *end, hanji_streams_fn *streams,
                                     const hanji_fleet_job *job, lane_shape s)
{
    for (;;) {
        size_t longest = 0;
        for (size_t at = 0; at < s.lanes; at++) {
            lane *l = &e->lane[at];
            if (l->left > 0)
                advance(e, l, s);
            if (l->left == 0)
                next = assign(e, l, next, end, job, s);
            longest = l->left > longest ? l->left : longest;
        }
        if (longest > SINGLE_FROM && next == end)
            longest = finish_few(e, job, s);
        if (longest == 0)
            return;
        streams(&e->streams, e->flags | (longest <= 16       ? HANJI_STREAMS_SHORT
                                         : longest > s.bytes ? HANJI_STREAMS_CONTINUE
                                                             : 0));
        e->flags = 0;
    }
}

/* One group of whole messages, the `n` first of `item`; with few those alone that are long. */
static void run_group(engine *e, const hanji_fleet_item **item, size_t n, const hanji_kernel *row,
                      const hanji_fleet_job *job)
{
    hanji_ragged *r = &e->ragged;
    size_t busy = 0;
    r->longest = 0;
    r->shortest = SIZE_MAX;
    for (size_t l = 0; l < n; l++) {
        const hanji_fleet_item *m = item[l];
        if (pays_single(m->bytes, n, row->group, job->cipher)) {
            ctr_x1(m, 1, job);
            continue;
        }
        *m->status = HANJI_OK;
        r->keys[busy] = m->key;
        r->nonces[busy] = m->nonce;
        r->in[busy] = m->in;
        r->out[busy] = m->out;
        r->bytes[busy++] = m->bytes;
        r->longest = m->bytes > r->longest ? m->bytes : r->longest;
        r->shortest = m->bytes < r->shortest ? m->bytes : r->shortest;
    }
    if (busy == 0)
        return;
    for (size_t l = busy; l < row->group; l++) {
        r->keys[l] = r->keys[0];
        r->nonces[l] = r->nonces[0];
        r->in[l] = r->in[0];
        r->out[l] = r->out[0];
        r->shortest = r->bytes[l] = 0;
    }
    row->run.ragged(e->streams.round_keys, r);
}

/* Group by group: neighbours are of about one length, because a fleet is taken by length. */
static HANJI_NOINLINE void run_groups(engine *e, const hanji_fleet_item *items, size_t count,
                                      const hanji_kernel *row, const hanji_fleet_job *job,
                                      uint64_t most)
{
    const hanji_fleet_item *group[HANJI_STREAM_LANES_MAX];
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        if (items[i].bytes - 1 >= most) /* 0 - 1 is large */
            ctr_x1(items + i, 1, job);
        else
            group[n++] = items + i;
        if (n == row->group) {
            run_group(e, group, n, row, job);
            n = 0;
        }
    }
    /* the last few, where a fleet begins with a whole group */
    if (job->shared != NULL && count > row->group && 2 * n <= row->group) {
        for (size_t l = 0; l < n; l++)
            ctr_x1(group[l], 1, job);
        return;
    }
    if (n > 0)
        run_group(e, group, n, row, job);
}

/*
 * The longest message that goes into a lane. Longer ones than the limit allows fail, each on its
 * own.
 */
static uint64_t most_bytes(const hanji_fleet_job *job, int whole)
{
    const hanji_cipher *cipher = job->cipher;
    const uint64_t limit = limit_of(job), most = SINGLE_BYTES(whole, cipher->block_bytes % 3 == 0);
    const uint64_t bytes =
        limit < most ? hanji_blocks_to_bytes((size_t)limit, cipher->block_bytes) : most;
    return bytes < most ? bytes : most;
}

static void ctr_lanes(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job)
{
    const hanji_cipher *cipher = job->cipher;
    engine e;
    const hanji_kernel *lanes = hanji_cipher_lanes(cipher),
                       *row = hanji_kernel_next(lanes, HANJI_RAGGED, count, hanji_cpu_features(),
                                                HANJI_LAYOUT_CANONICAL);
    if (row != NULL) {
        run_groups(&e, items, count, row, job, most_bytes(job, 1));
        hanji_wipe_stack_of_fleet();
        /* a vector for each round key of the cipher */
        const size_t round_keys =
            (cipher->ctx_bytes - sizeof(hanji_block_ctx)) / cipher->word_bytes;
        hanji_wipe(e.streams.round_keys, 64 * round_keys);
        return;
    }
    row = hanji_kernel_next(lanes, HANJI_STREAMS, count, hanji_cpu_features(),
                            HANJI_LAYOUT_CANONICAL);
    if (row == NULL) {
        for (size_t i = 0; i < count; i++)
            ctr_x1(items + i, 1, job);
        return;
    }
    const lane_shape s = {.lanes = row->group,
                          .step = 16 * (size_t)row->group,
                          .slot = hanji_streams_slot(cipher->block_bytes),
                          .bytes = HANJI_STREAM_SLOTS * hanji_streams_slot(cipher->block_bytes),
                          .key_bytes = cipher->key_bytes,
                          .block_bytes = cipher->block_bytes,
                          .most = most_bytes(job, 0)};
    e.flags = job->shared != NULL ? HANJI_STREAMS_EXPAND : 0;
    memset(e.streams.keys, 0, sizeof e.streams.keys);
    memset(e.streams.counters, 0, sizeof e.streams.counters);
    for (size_t at = 0; at < s.lanes; at++) {
        e.lane[at].left = 0;
        e.lane[at].place = hanji_streams_place(at, s.lanes, cipher->word_bytes);
        if (job->shared != NULL)
            put_key(&e, e.lane[at].place, items->key, s);
    }
    /* The last few of one length go alone: for them all lanes would go on. */
    const size_t rest = count & (s.lanes - 1),
                 in_lanes = count > s.lanes && 4 * rest <= s.lanes &&
                                    items->bytes == items[count - 1].bytes
                                ? count - rest
                                : count;
    run_lanes(&e, items, items + in_lanes, row->run.streams, job, s);
    for (size_t i = in_lanes; i < count; i++)
        ctr_x1(items + i, 1, job);
    hanji_wipe_stack_of_fleet();
    hanji_wipe(&e, sizeof e);
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
#if HANJI_GROUP_MESSAGES_MAX > 1
/*
 * CTR over as many messages from `first` on as have the length of that one, in whole groups.
 * Returns how many are done, 0 for none.
 */
static HANJI_NOINLINE size_t ctr_uniform(
    const hanji_fleet *fleet, size_t first, const hanji_fleet_job *job, const hanji_kernel *row,
    int64_t *failed) /* NOLINT(readability-non-const-parameter): a hanji_fleet_uniform_fn */
{
    const int64_t *offsets = fleet->offsets + first;
    const uint64_t bytes = (uint64_t)(offsets[1] - offsets[0]);
    (void)failed;
    if (bytes - 1 >= most_bytes(job, 1)) /* 0 - 1 is large */
        return 0;
    const size_t groups = hanji_fleet_uniform_groups(fleet, first, row->group),
                 done = hanji_times(groups, row->group);
    if (groups == 0)
        return 0;
    row->run.uniform(fleet->output + (size_t)offsets[0], fleet->input + (size_t)offsets[0],
                     (size_t)bytes, fleet->keys + first * fleet->key_stride,
                     fleet->nonces + first * fleet->nonce_bytes, groups);
    memset(fleet->status + first, HANJI_OK, done);
    return done;
}

#define LANES_FROM 4 /* no kernel has lanes for fewer messages */

/* Whether the key schedule copies words of the key, and so costs next to nothing. */
HANJI_INLINE int copies_key(const hanji_cipher *cipher)
{
    return cipher->ctx_bytes <= sizeof(hanji_block_ctx) + 2 * (size_t)cipher->key_bytes;
}

/*
 * From so many messages on, of so many bytes each, lanes of whole messages take less time.
 * Measured (Granite Rapids), but for large fleets, which stay in lanes. Kernels that take one text
 * with its key are passed by full vectors, or nearly full ones. Where messages share a key, one
 * alone has no schedule, which lanes repeat: there few win with short messages alone, unless the
 * schedule costs nothing or words have gaps.
 */
HANJI_INLINE size_t least_in_lanes(const hanji_cipher *cipher, size_t lanes, size_t bytes,
                                   int from_key, int shared)
{
    const int copied = copies_key(cipher);
    if (shared && lanes <= 16 && cipher->block_bytes % 3 != 0 && !copied) {
        if (bytes > (from_key ? 64 : 128) || (from_key && bytes <= (lanes <= 8 ? 16u : 8u)))
            return 16 * lanes;
        return from_key || bytes > 64 ? lanes * 7 / 4 : lanes * 5 / 8 + 1;
    }
    if (from_key && bytes > 64)
        return bytes < 256 ? lanes : lanes > 8 ? 2 * lanes : bytes > 384 ? 16 * lanes : 4 * lanes;
    if (from_key)
        return bytes < 16 ? lanes : lanes * 7 / 8 + (lanes <= 8);
    const size_t most = bytes > 256 ? (shared ? 2 * lanes : lanes) : lanes * 7 / 8,
                 least = 7 + lanes / 8 + (bytes < 16 ? lanes / 8 : bytes * lanes / 560);
    return least < most ? least : most;
}

/* The same for key streams of AVX2 where kernels take one text with its key. */
HANJI_INLINE size_t least_in_key_streams(size_t lanes, size_t bytes, int shared)
{
    if (bytes > 64)
        return SIZE_MAX;
    if (shared)
        return lanes < 8 ? 48 : bytes > 16 ? 56 : bytes < 16 ? 40 : 20;
    return bytes > 16 ? 64 : lanes < 8 ? 48 : bytes < 16 ? 32 : 15;
}

#ifdef HANJI_A64
/*
 * For key streams of NEON, in sixteenths of what a message costs alone: what a lane costs, busy or
 * not, and what comes before the first byte; that is more where all have one key, because alone
 * they pay for its schedule once. By instructions, with messages of 16 to 1024 bytes.
 */
HANJI_INLINE int too_few_streams(const hanji_cipher *cipher, size_t count, size_t lanes,
                                 uint64_t bytes, int shared, int from_key)
{
    (void)cipher;
    (void)from_key; /* kernels that take one text with its key do so with few bytes */
    /* with 2 lanes, 4 and 8: messages under 48 bytes, under 128, and longer ones */
    static const struct {
        uint8_t lane, before;
    } costs[3][3] = {{{14, 30}, {14, 30}, {14, 30}},
                     {{10, 40}, {12, 28}, {14, 14}},
                     {{5, 32}, {10, 24}, {13, 12}}};
    if (bytes >= 640) /* from there on lanes gain little, and the last of a fleet lose much */
        return count < 8 * lanes;
    const int of_lanes = (lanes > 2) + (lanes > 4), of_bytes = (bytes >= 48) + (bytes >= 128);
    const size_t busy_or_idle = (count + lanes - 1) & ~(lanes - 1); /* a power of two */
    return 16 * count < busy_or_idle * costs[of_lanes][of_bytes].lane +
                            costs[of_lanes][of_bytes].before + (shared ? 16u : 0u);
}
#else
/*
 * For key streams of AVX2: with longer messages lanes gain little, and the last lose much; from
 * 1 KiB on they lose, but with words that have gaps. Against kernels that take one text with its
 * key, lanes win with very short messages alone.
 */
HANJI_INLINE int too_few_streams(const hanji_cipher *cipher, size_t count, size_t lanes,
                                 uint64_t bytes, int shared, int from_key)
{
    const int gaps = cipher->block_bytes % 3 == 0;
    if (from_key && count < least_in_key_streams(lanes, (size_t)bytes, shared))
        return 1;
    if (from_key && !shared)
        return 0;
    if (bytes >= 192)
        return count < 8 * lanes || (bytes >= 1024 && !gaps);
    if (shared && !gaps && bytes > 64)
        return count < (lanes > 8 ? 2 * lanes : 4 * lanes);
    const unsigned log2 = lanes > 8 ? 8 : shared ? 6 : 7;
    return count < (!shared ? 4u
                    : bytes < 16 ? 10u
                                 : 7u) +
                       3 * lanes / 8 + ((size_t)bytes * lanes >> log2);
}
#endif

/*
 * Whether so many messages, of so many bytes together, are too few for lanes: what lanes cost
 * before their first byte, the key schedule of a whole vector and what erases it, is as much as so
 * many short messages alone, and a lane that is idle costs as much as one that works, where a
 * message alone fills whole vectors with its own blocks. Measured with messages of 16 to 1024
 * bytes, on AVX-512 (whole messages) and AVX2 and NEON (key streams).
 */
static HANJI_NOINLINE int too_few(const hanji_fleet *fleet, const hanji_cipher *cipher)
{
    const size_t count = fleet->messages;
#ifndef HANJI_STREAMS_MINIMUM /* for measuring lanes of fewer */
    if (count < LANES_FROM)   /* no kernel has lanes for so few */
        return 1;
#endif
    const uint32_t features = hanji_cpu_features();
    const hanji_kernel *lanes = hanji_cipher_lanes(cipher),
                       *row = hanji_kernel_next(lanes, HANJI_RAGGED, SIZE_MAX, features,
                                                HANJI_LAYOUT_CANONICAL);
    const uint64_t mean = (uint64_t)(fleet->offsets[count] - fleet->offsets[0]) / count,
                   bytes = mean < 1024 ? mean : 1024;
    const int shared = fleet->key_stride == 0, from_key = has_kernel_from_key(cipher, bytes);
    int few = 0;
    if (row != NULL) {
        few = count < least_in_lanes(cipher, row->group, (size_t)bytes, from_key, shared);
    } else {
        row = hanji_kernel_next(lanes, HANJI_STREAMS, SIZE_MAX, features, HANJI_LAYOUT_CANONICAL);
        if (row == NULL)
            return 1;
        few = too_few_streams(cipher, count, row->group, bytes, shared, from_key);
    }
#ifdef HANJI_STREAMS_MINIMUM /* for measuring lanes of fewer */
    few = 0;
#endif
    return few || count < row->minimum;
}

HANJI_INLINE void copy_counter(uint8_t *to, const uint8_t *from, size_t n)
{
    if (n == 8)
        memcpy(to, from, 8);
    else if (n == 16)
        memcpy(to, from, 16);
    else
        memcpy(to, from, n);
}

/* Bytes of a message, at most: the limit is in blocks, of which the counter has so many values. */
HANJI_INLINE uint64_t limit_in_bytes(uint64_t limit, size_t n)
{
    if (n == 4 && limit > (uint64_t)1 << 32)
        limit = (uint64_t)1 << 32;
    if (n == 6 && limit > (uint64_t)1 << 48)
        limit = (uint64_t)1 << 48;
    return limit > UINT64_MAX / HANJI_BLOCK_BYTES_MAX ? UINT64_MAX : limit * n;
}

/*
 * Few messages, one after the other: with keys of their own each as in a call of its own, with one
 * key, which is expanded once, less is done for each.
 */
HANJI_INLINE int64_t ctr_few(const hanji_fleet *fleet, const hanji_cipher *cipher,
                             const hanji_block_ctx *shared)
{
    const size_t n = cipher->block_bytes;
    const uint32_t features = hanji_features();
    const uint64_t most =
        limit_in_bytes(fleet->limit != 0 ? fleet->limit : (uint64_t)1 << cipher->limit_log2, n);
    uint8_t counter[HANJI_BLOCK_BYTES_MAX], keystream[HANJI_BLOCK_BYTES_MAX];
    int64_t failed = 0;
    for (size_t i = 0; i < fleet->messages; i++) {
        const size_t at = (size_t)fleet->offsets[i], bytes = (size_t)fleet->offsets[i + 1] - at;
        const uint8_t *nonce = fleet->nonces + i * n;
        int rc = HANJI_OK;
        if (bytes > most) { /* with one key for all this is known before */
            rc = HANJI_E_LIMIT;
            hanji_wipe(fleet->output + at, bytes);
            failed++;
        } else if (bytes > 0 && shared == NULL) {
            (void)hanji_ctr_message(fleet->output + at, fleet->input + at, bytes, nonce,
                                    fleet->keys + i * fleet->key_stride, cipher, features);
        } else if (bytes > 0) {
            copy_counter(counter, nonce, n);
            hanji_block_run_ctr(fleet->output + at, fleet->input + at, bytes, counter, keystream,
                                shared);
        }
        fleet->status[i] = (int8_t)rc;
    }
    if (shared != NULL) {
        wipe_here(counter, sizeof counter);
        wipe_here(keystream, sizeof keystream);
    }
    return failed;
}

/*
 * Whether the one key of few messages is taken anew for each: where a kernel makes the round keys
 * beside the rounds, this takes less time than a schedule by itself. Measured: of more than four
 * only messages that are longer than this, with AVX-512 and without.
 */
HANJI_INLINE int pays_anew(const hanji_cipher *cipher, const int64_t *offsets, size_t count,
                           uint32_t features)
{
#if HANJI_ROWS_IN_THREES
    const size_t bytes = (size_t)(offsets[1] - offsets[0]),
                 most = (features & HANJI_CPU_AVX512) == 0 ? cipher->few_bytes
                        : count < 8                        ? 96
                                                           : 128;
    return count == 1 || ((count <= LANES_FROM || bytes > most) &&
                          hanji_cipher_text(cipher, bytes, features) != NULL);
#else
    (void)cipher, (void)offsets, (void)features;
    return count == 1;
#endif
}

/* Few messages, whose one key, if there is one, is expanded. */
static HANJI_NOINLINE int64_t few_of(const hanji_fleet *fleet, const hanji_fleet_job *job)
{
    const keyed *one = job->shared;
    return ctr_few(fleet, job->cipher,
                   one == NULL ||
                           pays_anew(job->cipher, fleet->offsets, fleet->messages, hanji_features())
                       ? NULL
                       : &one->key.head);
}

/* Messages of several lengths, or few. */
static int64_t ctr_ragged(const hanji_fleet *fleet, const hanji_fleet_job *job,
                          const hanji_fleet_shape *shape)
{
    return too_few(fleet, job->cipher)
               ? few_of(fleet, job)
               : hanji_fleet_run(fleet, job, shape, hanji_ctr_fleet_kernels);
}

static int64_t run(const hanji_fleet *fleet, const hanji_fleet_job *job,
                   const hanji_fleet_shape *shape)
{
    if (too_few(fleet, job->cipher))
        return few_of(fleet, job);
    const hanji_cipher *cipher = job->cipher;
    const hanji_kernel *uniform =
        fleet->key_stride == cipher->key_bytes
            ? hanji_kernel_next(hanji_cipher_lanes(cipher), HANJI_UNIFORM, fleet->messages,
                                hanji_cpu_features(), HANJI_LAYOUT_CANONICAL)
            : NULL;
    return hanji_fleet_run_uniform(fleet, job, shape, uniform, ctr_uniform, ctr_ragged);
}
#else
#define run(fleet, job, shape) hanji_fleet_run(fleet, job, shape, hanji_ctr_fleet_kernels)
#endif

HANJI_INLINE hanji_fleet_shape shape_of(const hanji_cipher *cipher)
{
    const hanji_fleet_shape shape = {
        .key_bytes = cipher->key_bytes, .nonce_bytes = cipher->block_bytes, .plain = 1};
    HANJI_ALWAYS(shape.key_bytes != 0 && shape.nonce_bytes != 0);
    return shape;
}

static HANJI_NOINLINE int64_t run_any(const hanji_fleet *fleet, const hanji_cipher *cipher)
{
    const hanji_fleet_shape shape = shape_of(cipher);
    int rc = hanji_fleet_check(fleet, &shape);
    if (rc != HANJI_OK)
        return rc;
    keyed one;
    hanji_fleet_job job = {.cipher = cipher,
                           .nonce_bytes = fleet->nonce_bytes,
                           .tag_bytes = fleet->tag_bytes,
                           .limit = fleet->limit,
                           .own = &one};
    if (fleet->key_stride == 0 && fleet->messages > 0) {
        rc = expand_shared(&one, fleet, cipher, CTR_CALLS);
        if (rc != HANJI_OK)
            return rc;
        job.shared = &one;
    }
    const int64_t failed = run(fleet, &job, &shape);
    hanji_wipe(&one.key, cipher->ctx_bytes); /* nothing else of it is used */
    return failed;
}

#if HANJI_GROUP_MESSAGES_MAX > 1
#define FEW 64 /* a second look at so many costs next to nothing */

/* Whether so many messages are few without a look at the rows (too_few). */
HANJI_INLINE int surely_few(const hanji_fleet *fleet, const hanji_cipher *cipher, size_t count)
{
#ifdef HANJI_STREAMS_MINIMUM /* for measuring lanes of fewer */
    return 0;
#endif
    if (count < LANES_FROM)
        return 1;
#ifdef HANJI_X86
    const uint64_t mean = (uint64_t)(fleet->offsets[count] - fleet->offsets[0]) / count;
    const size_t bytes = mean < 1024 ? (size_t)mean : 1024, word_log2 = cipher->word_bytes == 8 ? 3
                                                                        : cipher->word_bytes == 4
                                                                            ? 2
                                                                            : 1;
    const int shared = fleet->key_stride == 0, from_key = has_kernel_from_key(cipher, bytes);
    const uint32_t features = hanji_features();
    if ((features & HANJI_CPU_AVX512) != 0)
        return count < least_in_lanes(cipher, (size_t)64 >> word_log2, bytes, from_key, shared);
    if ((features & HANJI_CPU_AVX2) != 0)
        return too_few_streams(cipher, count, (size_t)32 >> word_log2, bytes, shared, from_key);
    return 1;
#else
    (void)fleet, (void)cipher;
    return 0;
#endif
}

/* Few under one key, whose limit is enough for them. */
static HANJI_NOINLINE void few_under_one(const hanji_fleet *fleet, const hanji_cipher *cipher)
{
    hanji_any_block_ctx key __attribute__((aligned(64)));
    hanji_block_rekey(fleet->keys, cipher, &key.head);
    (void)ctr_few(fleet, cipher, &key.head); /* none fails */
    hanji_wipe_stack_least();                /* behind the key schedule */
    hanji_wipe(&key, cipher->ctx_bytes);
}

/*
 * Few messages, none of them very long, each as in a call of its own: all checks together have few
 * more instructions than those of one call, where the compiler knows the number of messages. 1, or
 * 0 and nothing done, for every other fleet, wrong ones among them.
 */
HANJI_INLINE int ctr_some(const hanji_fleet *fleet, const hanji_cipher *cipher, size_t count)
{
    const size_t n = cipher->block_bytes;
    const hanji_fleet_shape shape = shape_of(cipher);
    const uint32_t features = hanji_features();
    if (!hanji_fleet_is_sound(fleet, &shape, count, features))
        return 0;
    const int64_t *offsets = fleet->offsets;
    const uint64_t bytes = (uint64_t)(offsets[count] - offsets[0]);
    /* no limit of a cipher is below so few bytes; what is 0 is too large minus one */
    if ((bytes > (uint64_t)4 << HANJI_LIMIT_LOG2(4) && (n == 4 || bytes > (uint64_t)1 << 16)) ||
        fleet->limit - 1 < bytes || !surely_few(fleet, cipher, count))
        return 0;
    if (fleet->key_stride == 0 && !pays_anew(cipher, offsets, count, features)) {
        few_under_one(fleet, cipher);
        return 1;
    }
    const uint8_t *in = fleet->input, *nonce = fleet->nonces, *key = fleet->keys;
    uint8_t *out = fleet->output;
    for (size_t i = 0; i < count; i++) {
        const size_t at = (size_t)offsets[i], here = (size_t)offsets[i + 1] - at;
        fleet->status[i] = HANJI_OK;
        if (count == 1 || here > 0)
            (void)hanji_ctr_message(out + at, in + at, here, nonce, key, cipher, features);
        nonce += n;
        key += fleet->key_stride;
    }
    return 1;
}

static HANJI_NOINLINE int64_t ctr_more(const hanji_fleet *fleet, const hanji_cipher *cipher)
{
    const size_t count = fleet->messages;
    return count < FEW && ctr_some(fleet, cipher, count) ? 0 : run_any(fleet, cipher);
}
#endif

int64_t hanji_ctr_fleet(const hanji_fleet *fleet, const hanji_cipher *cipher)
{
    if (fleet == NULL || cipher == NULL)
        return HANJI_E_ARGUMENT;
#if HANJI_GROUP_MESSAGES_MAX > 1
    const size_t count = fleet->messages;
    if (count > 3)
        return ctr_more(fleet, cipher);
    if (count == 1   ? ctr_some(fleet, cipher, 1)
        : count == 2 ? ctr_some(fleet, cipher, 2)
                     : count == 3 && ctr_some(fleet, cipher, 3))
        return 0;
#endif
    return run_any(fleet, cipher);
}
