/* SPDX-License-Identifier: Apache-2.0 */
/*
 * EAX and CMAC over many messages in lockstep, one in each lane of the vectors of a cipher. A group
 * fills two vectors of lanes; its messages are of about one length, because a fleet is taken by
 * length. All lanes are in the same phase: round keys and the ciphers of the blocks 0, 1 and 2;
 * nonce; associated data; key stream and text. In a phase every lane takes up to 64 bytes a call,
 * and stands still when it has no more. Lengths, which are public, decide everything.
 *
 * The memory of a group is about 30 KB of stack. It and the stack below are wiped.
 */
#include "modes/chain_lanes.h"

#if HANJI_GROUP_MESSAGES_MAX > 1

#include "modes/modes.h"
#include "modes/words.h"
#include "support/bytes.h"
#include "support/cpu.h"
#include "support/secret.h"

#define PIECE 64 /* bytes of a lane and a call */

/* A message on its way. */
typedef struct lane {
    const hanji_fleet_item *item;
    hanji_chains *vector;
    size_t number, place; /* in its vector; of its slots */
    const uint8_t *in;    /* what the chain takes next */
    size_t left;
    int ended; /* the chain has taken the last block */
    words_block k1, k2, sum;
} lane;

typedef struct engine {
    hanji_chains vector[HANJI_CHAIN_VECTORS]; /* first: it is aligned */
    lane lane[HANJI_CHAIN_VECTORS * HANJI_STREAM_LANES_MAX];
} engine;

/* What does not change while a group is worked on. */
typedef struct lanes_shape {
    hanji_chains_fn *chains;
    size_t busy, vectors; /* lanes with a message, and the vectors that they fill */
    size_t step;          /* from one slot of a lane to the next */
    size_t n, n_log2;     /* bytes of a block */
    size_t key_bytes, word_bytes;
} lanes_shape;

/* Sixteen bytes in a register, where there is one for them. */
typedef uint64_t sixteen __attribute__((vector_size(16)));

HANJI_INLINE void copy_sixteen(uint8_t *to, const uint8_t *from)
{
    memcpy(to, from, 16);
}

HANJI_INLINE void xor_sixteen(uint8_t *out, const uint8_t *in, const uint8_t *stream)
{
    sixteen a, b;
    memcpy(&a, in, 16);
    memcpy(&b, stream, 16);
    a ^= b;
    memcpy(out, &a, 16);
}

/* How many blocks of its text a lane takes in the next call. */
HANJI_INLINE void put_count(const lane *l, size_t blocks, const lanes_shape s)
{
    const uint64_t wide = blocks;
    const uint32_t half = (uint32_t)blocks;
    const uint16_t quarter = (uint16_t)blocks;
    uint8_t *at = l->vector->counts + l->number * s.word_bytes;
    if (s.word_bytes == 8)
        memcpy(at, &wide, 8);
    else if (s.word_bytes == 4)
        memcpy(at, &half, 4);
    else
        memcpy(at, &quarter, 2);
}

/*
 * The last `bytes` of what the chain takes, up to a piece, with their padding; returns the blocks.
 * `prefix`: of EAX, the number that stands before every text, and alone where the text is empty,
 * else 0.
 */
HANJI_INLINE size_t close_text(lane *l, uint8_t prefix, const lanes_shape s)
{
    const uint8_t *in = l->in;
    uint8_t *to = l->vector->text + l->place;
    const size_t n = s.n, bytes = l->left, before = bytes == 0 ? 0 : (bytes - 1) & ~(n - 1);
    const size_t tail = bytes - before;
    size_t before_16 = before;
    words_block last = {{0, 0}};
    l->ended = 1;
    for (; before_16 >= 16; before_16 -= 16, in += 16, to += s.step)
        copy_sixteen(to, in);
    if (before_16 != 0) { /* 8: the other half of a slot */
        memcpy(to, in, 8);
        in += 8;
        to += 8;
    }
    if (bytes == 0 && prefix != 0) {
        last.word[(n - 1) >> 3] = (uint64_t)prefix << 56;
        last = xor_blocks(last, l->k1);
    } else {
        last = last_block(in, tail, l->k1, l->k2, n);
    }
    store_block(to, last, n);
    return (before >> s.n_log2) + 1;
}

/* The next piece of what a lane's chain takes; returns the blocks. */
HANJI_INLINE size_t fill(lane *l, uint8_t prefix, const lanes_shape s)
{
    size_t blocks = 0;
    if (!l->ended && l->left <= PIECE) {
        blocks = close_text(l, prefix, s);
    } else if (!l->ended) {
        const uint8_t *in = l->in;
        uint8_t *to = l->vector->text + l->place;
        for (int i = 0; i < PIECE; i += 16, to += s.step)
            copy_sixteen(to, in + i);
        l->in = in + PIECE;
        l->left -= PIECE;
        blocks = (size_t)PIECE >> s.n_log2;
    }
    put_count(l, blocks, s);
    return blocks;
}

HANJI_INLINE words_block chain_value(const lane *l, size_t n)
{
    return load_block(l->vector->macs + l->place, n);
}

/* The cipher of the block `t` in every lane of a vector. */
HANJI_INLINE const uint8_t *start_of(const lane *l, int t, const lanes_shape s)
{
    return l->vector->starts + (size_t)t * s.step;
}

/*
 * The chain of a lane over `bytes` from `in` on, behind the cipher of block t, or where t is
 * negative or there are no bytes, from zeros.
 */
HANJI_INLINE void begin_chain(lane *l, int t, const uint8_t *in, size_t bytes, const lanes_shape s)
{
    words_block start = {{0, 0}};
    if (t >= 0 && bytes > 0)
        start = load_block(start_of(l, t, s) + l->place, s.n);
    store_block(l->vector->macs + l->place, start, s.n);
    l->in = in;
    l->left = bytes;
    l->ended = 0;
}

/* All that the chains have to take. */
static void run_chains(engine *e, uint8_t prefix, const lanes_shape s)
{
    for (int more = 1; more;) {
        size_t most = 0;
        more = 0;
        for (size_t i = 0; i < s.busy; i++) {
            lane *l = &e->lane[i];
            const size_t blocks = fill(l, prefix, s);
            most = blocks > most ? blocks : most;
            more |= !l->ended;
        }
        s.chains(e->vector, s.vectors, most, 0);
    }
}

/*
 * Round keys, starts (of CMAC one) and subkeys; with one key for all lanes only before the first
 * group.
 */
static HANJI_NOINLINE void begin_keys(engine *e, const lanes_shape s, int eax)
{
    const size_t n = s.n, first = s.key_bytes < 16 ? s.key_bytes : 16;
    for (size_t i = 0; i < s.busy; i++) {
        const lane *l = &e->lane[i];
        uint8_t *to = l->vector->streams.keys + l->place;
        if (first == 16)
            memcpy(to, l->item->key, 16);
        else
            memcpy(to, l->item->key, first);
        if (s.key_bytes > 16)
            memcpy(to + s.step, l->item->key + 16, s.key_bytes - 16);
    }
    s.chains(e->vector, s.vectors, 0,
             HANJI_STREAMS_EXPAND | (eax ? HANJI_CHAINS_START : HANJI_CHAINS_ZERO));
    for (size_t i = 0; i < s.busy; i++) {
        lane *l = &e->lane[i];
        l->k1 = twice(load_block(start_of(l, 0, s) + l->place, n), n);
        l->k2 = twice(l->k1, n);
    }
}

/* The first bytes of the key stream over a text, up to a piece. */
HANJI_INLINE void apply_stream(const lane *l, uint8_t *out, const uint8_t *in, size_t bytes,
                               const lanes_shape s)
{
    const uint8_t *stream = l->vector->streams.stream + l->place;
    for (; bytes >= 16; bytes -= 16, in += 16, out += 16, stream += s.step)
        xor_sixteen(out, in, stream);
    xor_bytes(out, in, stream, bytes);
}

/* Key stream for the next piece, where `left` bytes of the longest text are left. */
HANJI_INLINE uint32_t stream_flags(size_t left)
{
    return left == 0 ? 0
                     : HANJI_CHAINS_STREAM | (left <= 16     ? HANJI_STREAMS_SHORT
                                              : left > PIECE ? HANJI_STREAMS_CONTINUE
                                                             : 0);
}

/*
 * Texts and the chains over their ciphertexts; a call makes the key stream one piece ahead. The
 * ciphertext of a piece is held here while it is authenticated and decrypted or encrypted: others
 * may write to the memory of the messages meanwhile (see modes/eax.c).
 */
static void run_texts(engine *e, const lanes_shape s, int open)
{
    size_t longest = 0;
    for (size_t i = 0; i < s.busy; i++) {
        lane *l = &e->lane[i];
        const hanji_fleet_item *m = l->item;
        begin_chain(l, 2, NULL, m->bytes, s);
        longest = m->bytes > longest ? m->bytes : longest;
    }
    if (longest > 0)
        s.chains(e->vector, s.vectors, 0, stream_flags(longest));
    for (size_t at = 0, left = longest;; at += PIECE) {
        size_t most = 0;
        for (size_t i = 0; i < s.busy; i++) {
            lane *l = &e->lane[i];
            const hanji_fleet_item *m = l->item;
            const size_t here = m->bytes <= at ? 0 : m->bytes - at < PIECE ? m->bytes - at : PIECE;
            uint8_t piece[PIECE];
            if (open && here == PIECE)
                memcpy(piece, m->in + at, PIECE);
            else if (open && here > 0)
                memcpy(piece, m->in + at, here);
            else if (here > 0)
                apply_stream(l, piece, m->in + at, here, s);
            l->in = piece;
            const size_t blocks = fill(l, 2, s);
            if (open && here > 0)
                apply_stream(l, m->out + at, piece, here, s);
            else if (here == PIECE)
                memcpy(m->out + at, piece, PIECE);
            else if (here > 0)
                memcpy(m->out + at, piece, here);
            most = blocks > most ? blocks : most;
        }
        left = left > PIECE ? left - PIECE : 0;
        s.chains(e->vector, s.vectors, most, stream_flags(left));
        if (left == 0)
            return;
    }
}

/* Give the tag, or compare it; a text whose tag does not match is zeroed. */
HANJI_INLINE void finish(const hanji_fleet_item *m, words_block tag, const hanji_fleet_job *job,
                         size_t n)
{
    uint8_t whole[16];
    int rc = HANJI_OK;
    store_block(whole, tag, 16);
    if (!job->open) {
        if (job->tag_bytes == n)
            store_block(m->tag, tag, n);
        else
            memcpy(m->tag, whole, job->tag_bytes);
    } else if (!hanji_equal(whole, m->tag, job->tag_bytes)) {
        rc = HANJI_E_TAG;
        if (m->out != NULL)
            hanji_wipe(m->out, m->bytes);
    }
    *m->status = (int8_t)rc;
    wipe_here(whole, sizeof whole);
}

/* What a kernel or this file writes of a vector of lanes. */
HANJI_INLINE void wipe_vector(hanji_chains *c, size_t round_keys, size_t step)
{
    hanji_wipe(c->streams.round_keys, round_keys);
    hanji_wipe(c->streams.stream, HANJI_STREAM_SLOTS * step);
    hanji_wipe(c->streams.keys, 2 * step);
    hanji_wipe(c->streams.counters, step);
    hanji_wipe(c->text, HANJI_STREAM_SLOTS * step);
    hanji_wipe(c->macs, step);
    hanji_wipe(c->starts, 3 * step);
}

/*
 * Not inlined, like begin_keys(): run_lanes() wipes the stack below its own frame, and compilers
 * spill secrets here.
 */
static HANJI_NOINLINE void eax_group(engine *e, const lanes_shape s, const hanji_fleet_job *job)
{
    const size_t n = s.n;
    for (size_t i = 0; i < s.busy; i++) {
        lane *l = &e->lane[i];
        begin_chain(l, 0, l->item->nonce, job->nonce_bytes, s);
    }
    run_chains(e, 0, s);
    for (size_t i = 0; i < s.busy; i++) {
        lane *l = &e->lane[i];
        l->sum = chain_value(l, n);
        store_block(l->vector->streams.counters + l->place, l->sum, n);
        begin_chain(l, 1, l->item->ad, l->item->ad_bytes, s);
    }
    run_chains(e, 1, s);
    for (size_t i = 0; i < s.busy; i++) {
        lane *l = &e->lane[i];
        l->sum = xor_blocks(l->sum, chain_value(l, n));
    }
    run_texts(e, s, job->open);
    for (size_t i = 0; i < s.busy; i++)
        finish(e->lane[i].item, xor_blocks(e->lane[i].sum, chain_value(&e->lane[i], n)), job, n);
}

static HANJI_NOINLINE void cmac_group(engine *e, const lanes_shape s, const hanji_fleet_job *job)
{
    for (size_t i = 0; i < s.busy; i++)
        begin_chain(&e->lane[i], -1, e->lane[i].item->in, e->lane[i].item->bytes, s);
    run_chains(e, 0, s);
    for (size_t i = 0; i < s.busy; i++)
        finish(e->lane[i].item, chain_value(&e->lane[i], s.n), job, s.n);
}

/* Zeros where a kernel reads what lanes without a message have. */
static void clear(hanji_chains *c, size_t step)
{
    memset(c->streams.keys, 0, 2 * step);
    memset(c->streams.counters, 0, step);
    memset(c->text, 0, HANJI_STREAM_SLOTS * step);
    memset(c->macs, 0, step);
}

HANJI_INLINE uint64_t blocks_begun(size_t bytes, const lanes_shape s)
{
    return (uint64_t)(bytes >> s.n_log2) + ((bytes & (s.n - 1)) != 0);
}

/* The cipher calls of a message under a key of its own; `nonce` those of its nonce. */
HANJI_INLINE uint64_t calls_of(const hanji_fleet_item *m, uint64_t nonce, int eax,
                               const lanes_shape s)
{
    const uint64_t blocks = blocks_begun(m->bytes, s);
    return eax ? 4 + nonce + 2 * blocks + blocks_begun(m->ad_bytes, s)
               : 1 + (blocks > 0 ? blocks : 1);
}

static void run_lanes(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job,
                      hanji_fleet_fn *single, int eax)
{
    const hanji_cipher *cipher = job->cipher;
    const hanji_kernel *row = hanji_kernel_next(hanji_cipher_lanes(cipher), HANJI_CHAINS, count,
                                                hanji_cpu_features(), HANJI_LAYOUT_CANONICAL);
    if (row == NULL) {
        for (size_t i = 0; i < count; i++)
            single(items + i, 1, job);
        return;
    }
    const uint64_t limit = job->limit != 0 ? job->limit : hanji_cipher_limit(cipher);
    const size_t lanes = row->group, log2 = cipher->word_bytes == 8   ? 1
                                            : cipher->word_bytes == 4 ? 2
                                                                      : 3;
    lanes_shape s = {.chains = row->run.chains,
                     .vectors = count > lanes + 1 ? HANJI_CHAIN_VECTORS : 1,
                     .step = 16 * lanes,
                     .n = cipher->block_bytes,
                     .n_log2 = cipher->block_bytes == 8 ? 3 : 4,
                     .key_bytes = cipher->key_bytes,
                     .word_bytes = cipher->word_bytes};
    const size_t used = s.vectors, most = used * lanes;
    const uint64_t nonce = blocks_begun(job->nonce_bytes, s);
    engine e;
    for (size_t g = 0; g < used; g++) {
        clear(&e.vector[g], s.step);
        for (size_t i = 0; i < lanes; i++) { /* as hanji_streams_place */
            lane *l = &e.lane[g * lanes + i];
            l->vector = &e.vector[g];
            l->number = i;
            l->place = 16 * ((i & (((size_t)1 << log2) - 1)) * (lanes >> log2) + (i >> log2));
        }
    }
    int keyed = 0;
    for (size_t i = 0; i < count;) {
        /* one message more than a vector has lanes goes alone */
        const size_t here = count - i == lanes + 1 ? lanes : most;
        for (s.busy = 0; i < count && s.busy < here; i++)
            if (job->shared == NULL && calls_of(items + i, nonce, eax, s) > limit)
                single(items + i, 1, job);
            else
                e.lane[s.busy++].item = items + i;
        if (s.busy < row->minimum) {
            for (size_t at = 0; at < s.busy; at++)
                single(e.lane[at].item, 1, job);
            continue;
        }
        s.vectors = s.busy > lanes ? HANJI_CHAIN_VECTORS : 1;
        for (size_t g = 0; g < s.vectors; g++) /* of lanes without a message */
            memset(e.vector[g].counts, 0, sizeof e.vector[g].counts);
        if (job->shared == NULL || !keyed)
            begin_keys(&e, s, eax);
        keyed = 1;
        if (eax)
            eax_group(&e, s, job);
        else
            cmac_group(&e, s, job);
    }
    hanji_wipe_stack_of_fleet();
    /* the words of a context are round keys, and for some ciphers more */
    const size_t words = ((size_t)cipher->ctx_bytes - sizeof(hanji_block_ctx)) * lanes;
    for (size_t g = 0; g < used; g++)
        wipe_vector(&e.vector[g],
                    words < sizeof e.vector[g].streams.round_keys
                        ? words
                        : sizeof e.vector[g].streams.round_keys,
                    s.step);
    for (size_t i = 0; i < used * lanes; i++) {
        lane *l = &e.lane[i];
        l->k1 = l->k2 = l->sum = (words_block){{0, 0}};
    }
    hanji_wipe(e.lane, sizeof e.lane[0]); /* and keeps these zeros */
}

size_t hanji_chain_lanes_least(const hanji_cipher *cipher)
{
    const hanji_kernel *row = hanji_kernel_next(hanji_cipher_lanes(cipher), HANJI_CHAINS, SIZE_MAX,
                                                hanji_cpu_features(), HANJI_LAYOUT_CANONICAL);
    return row != NULL ? row->minimum : SIZE_MAX;
}

void hanji_eax_lanes(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job,
                     hanji_fleet_fn *single)
{
    run_lanes(items, count, job, single, 1);
}

void hanji_cmac_lanes(const hanji_fleet_item *items, size_t count, const hanji_fleet_job *job,
                      hanji_fleet_fn *single)
{
    run_lanes(items, count, job, single, 0);
}

#endif
