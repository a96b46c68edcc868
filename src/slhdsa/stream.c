/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verification of SLH-DSA with everything in pieces: the first n bytes of the signature, the
 * message, the rest of the signature. It is for firmware that has no room for a signature. No byte
 * is needed twice, so none is kept: tops of chains and roots of FORS trees are hashed as they come.
 * Everything is public except, perhaps, the message.
 *
 * Every error erases the context. So a caller who overlooks one cannot get the verdict on a message
 * with a piece missing, or on the signature before this one.
 */
#include "slhdsa/slhdsa.h"
#include "support/apart.h"
#include "support/secret.h"

#define PAD 0x1full
#define LAST ((uint64_t)0x80 << 56)
#define PRE_HASH_WORDS_MAX 8u
#define OID_BYTES 11u

/*
 * The message may be secret. Code for size is for machines with little RAM, and has small frames:
 * there less of the stack is wiped. tests/small/test_small_slhdsa.py looks for what is left.
 */
#define DEEP 544

static HANJI_NOINLINE void wipe_stack(void)
{
#if defined(HANJI_FREESTANDING) && defined(__OPTIMIZE_SIZE__)
    uint8_t below[DEEP];
    hanji_wipe(below, sizeof below);
#else
    hanji_wipe_stack();
#endif
}

typedef enum stage { MESSAGE = 1, FORS_SECRET, FORS_PATH, CHAINS, PATH, COMPLETE } stage;

typedef struct sponge {
    uint64_t state[HANJI_KECCAK_WORDS];
    uint32_t at, rate; /* bytes */
} sponge;

#define READY 0x534c48447374726dull /* no other memory than a stream's begins so */

typedef struct stream {
    uint64_t ready;
    const hanji_slhdsa *set;
    hanji_keccak_fn *permute;
    sponge hash; /* H_msg, then F and H */
    sponge many; /* the hash of the message in the other modes, then T_l */
    uint64_t pk_seed[SLH_WORDS_MAX], pk_root[SLH_WORDS_MAX], node[SLH_WORDS_MAX], tree;
    uint32_t leaf, layer;
    uint8_t value[SLH_BYTES_MAX]; /* of the signature, as far as it came */
    union {
        uint8_t digest[SLH_DIGEST_MAX]; /* of the message, while FORS is verified */
        uint8_t digits[SLH_CHAINS_MAX]; /* of a node, while chains are */
    } of;
    uint8_t stage, mode, filled;
    uint8_t index, height; /* of the FORS tree or the chain, and in a path */
} stream;

_Static_assert(sizeof(stream) <= sizeof(hanji_slhdsa_stream),
               "a stream has room in the memory of the caller");

static stream *opened(hanji_slhdsa_stream *ctx)
{
    stream *v = (stream *)(void *)ctx;
    return v != NULL && v->ready == READY ? v : NULL;
}

/* An error: the context, which may be NULL, can only give HANJI_SLHDSA_INVALID from now on. */
static int refuse(hanji_slhdsa_stream *ctx, int rc)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
    return rc;
}

/* ---- hashes ---- */

static void absorb_word(stream *v, sponge *s, uint64_t word)
{
    s->state[s->at / 8] ^= word;
    s->at += 8;
    if (s->at == s->rate) {
        v->permute(s->state);
        s->at = 0;
    }
}

static void absorb_words(stream *v, sponge *s, const uint64_t *words)
{
    for (uint32_t w = 0; w < v->set->words; w++)
        absorb_word(v, s, words[w]);
}

/* Its frame is below those of the calls, which wipe it. */
static HANJI_NOINLINE void absorb_bytes(stream *v, sponge *s, const uint8_t *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        s->state[s->at / 8] ^= (uint64_t)data[i] << 8 * (s->at % 8);
        if (++s->at == s->rate) {
            v->permute(s->state);
            s->at = 0;
        }
    }
}

/* The output is then the first words of the state. */
static void finish(stream *v, sponge *s)
{
    s->state[s->at / 8] ^= PAD << 8 * (s->at % 8);
    s->state[s->rate / 8 - 1] ^= LAST;
    v->permute(s->state);
}

static void begin_hash(sponge *s, uint32_t rate)
{
    memset(s, 0, sizeof *s);
    s->rate = rate;
}

/* PK.seed and an address (section 11.2). */
static void begin_tweaked(stream *v, sponge *s, uint32_t type, uint32_t key, uint64_t last)
{
    begin_hash(s, HANJI_SHAKE256_RATE);
    absorb_words(v, s, v->pk_seed);
    absorb_word(v, s, slh_pair(v->layer, 0));
    absorb_word(v, s, slh_swap64(v->tree));
    absorb_word(v, s, slh_pair(type, key));
    absorb_word(v, s, last);
}

static void take(uint64_t *value, const sponge *s, const hanji_slhdsa *set)
{
    memcpy(value, s->state, sizeof(uint64_t) * set->words);
}

/* The node climbs to its parent, beside the value that came, on the side that its index says. */
static void climb(stream *v, uint32_t type, uint32_t key, uint32_t index)
{
    const uint32_t z = v->height++;
    uint64_t sibling[SLH_WORDS_MAX] = {0};
    for (uint32_t w = 0; w < v->set->words; w++)
        sibling[w] = load_le64(v->value + 8 * w);
    begin_tweaked(v, &v->hash, type, key, slh_pair(z + 1, index >> (z + 1)));
    absorb_words(v, &v->hash, index >> z & 1 ? sibling : v->node);
    absorb_words(v, &v->hash, index >> z & 1 ? v->node : sibling);
    finish(v, &v->hash);
    take(v->node, &v->hash, v->set);
}

/* ---- the signature, n bytes at a time ---- */

static void begin_chains(stream *v)
{
    hanji_slhdsa_digits(v->of.digits, v->node, v->set);
    begin_tweaked(v, &v->many, SLH_WOTS_PK, v->leaf, 0);
    v->index = 0;
    v->stage = CHAINS;
}

/* A secret of FORS becomes the node at height 0 of its tree. */
static void fors_secret(stream *v, uint32_t index)
{
    begin_tweaked(v, &v->hash, SLH_FORS_TREE, v->leaf, slh_pair(0, index));
    absorb_bytes(v, &v->hash, v->value, slh_n(v->set));
    finish(v, &v->hash);
    take(v->node, &v->hash, v->set);
    v->height = 0;
    v->stage = FORS_PATH;
}

static void fors_path(stream *v, uint32_t index)
{
    climb(v, SLH_FORS_TREE, v->leaf, index);
    if (v->height < v->set->fors_height)
        return;
    absorb_words(v, &v->many, v->node);
    v->stage = FORS_SECRET;
    if (++v->index < v->set->fors_trees)
        return;
    finish(v, &v->many);
    take(v->node, &v->many, v->set);
    begin_chains(v);
}

static void chain(stream *v)
{
    uint64_t value[SLH_WORDS_MAX] = {0};
    for (uint32_t w = 0; w < v->set->words; w++)
        value[w] = load_le64(v->value + 8 * w);
    for (uint32_t step = v->of.digits[v->index]; step < SLH_STEPS; step++) {
        begin_tweaked(v, &v->hash, SLH_WOTS_HASH, v->leaf, slh_pair(v->index, step));
        absorb_words(v, &v->hash, value);
        finish(v, &v->hash);
        take(value, &v->hash, v->set);
    }
    absorb_words(v, &v->many, value);
    if (++v->index < slh_chains(v->set))
        return;
    finish(v, &v->many);
    take(v->node, &v->many, v->set);
    v->height = 0;
    v->stage = PATH;
}

static void path(stream *v)
{
    climb(v, SLH_TREE, 0, v->leaf);
    if (v->height < v->set->height)
        return;
    v->leaf = (uint32_t)v->tree & ((1u << v->set->height) - 1);
    v->tree >>= v->set->height;
    if (++v->layer == v->set->layers)
        v->stage = COMPLETE;
    else
        begin_chains(v);
}

/* n bytes of the signature are there. Apart from its caller, so that the stack is wiped nearer. */
static HANJI_NOINLINE void take_value(stream *v)
{
    slh_pause();
    const uint32_t index = v->index, fors = (index << v->set->fors_height);
    switch ((stage)v->stage) {
    case FORS_SECRET:
        fors_secret(v, fors + hanji_slhdsa_opened(v->of.digest, index, v->set));
        break;
    case FORS_PATH: fors_path(v, fors + hanji_slhdsa_opened(v->of.digest, index, v->set)); break;
    case CHAINS: chain(v); break;
    case PATH: path(v); break;
    case MESSAGE:
    case COMPLETE: break; /* no value is collected then */
    }
}

/* ---- the message ---- */

/* The message is read: its hash in the modes that sign one, then the digest and what it selects. */
static HANJI_NOINLINE void end_message(stream *v)
{
    if (v->mode != HANJI_SLHDSA_PURE) {
        uint8_t encoded[OID_BYTES + 8 * PRE_HASH_WORDS_MAX] = {0x06, 0x09, 0x60, 0x86, 0x48,   0x01,
                                                               0x65, 0x03, 0x04, 0x02, v->mode};
        const uint32_t words = v->mode == HANJI_SLHDSA_SHAKE128 ? 4 : PRE_HASH_WORDS_MAX;
        finish(v, &v->many);
        for (uint32_t w = 0; w < words; w++)
            store_le64(encoded + OID_BYTES + 8 * w, v->many.state[w]);
        absorb_bytes(v, &v->hash, encoded, OID_BYTES + 8 * words);
    }
    finish(v, &v->hash);
    for (uint32_t i = 0; i < slh_digest_bytes(v->set); i++)
        v->of.digest[i] = (uint8_t)(v->hash.state[i / 8] >> 8 * (i % 8));
    hanji_slhdsa_indices(&v->tree, &v->leaf, v->of.digest, v->set);
    begin_tweaked(v, &v->many, SLH_FORS_ROOTS, v->leaf, 0);
    v->stage = FORS_SECRET;
}

/* ---- calls ---- */

/* The buffers are apart. What is written before an error is erased by the caller. */
static int begin(stream *v, const uint8_t *signature_start, size_t start_bytes,
                 const uint8_t *context, size_t context_bytes, int mode, const uint8_t *public_key,
                 size_t public_key_bytes, const hanji_slhdsa *set)
{
    const int rc = hanji_selection();
    if (rc != HANJI_OK)
        return rc;
    if (!hanji_slhdsa_offers(set, mode) || !valid(signature_start, start_bytes) ||
        !valid(context, context_bytes) || !valid(public_key, public_key_bytes))
        return HANJI_E_ARGUMENT;
    if (start_bytes != slh_n(set) || public_key_bytes != 2 * slh_n(set) ||
        context_bytes > HANJI_SLHDSA_CONTEXT_BYTES_MAX)
        return HANJI_E_LENGTH;
    memset(v, 0, sizeof *v);
    v->set = set;
    v->mode = (uint8_t)mode;
    v->permute = hanji_keccak_single()->run.keccak;
    for (uint32_t w = 0; w < set->words; w++) {
        v->pk_seed[w] = load_le64(public_key + 8 * w);
        v->pk_root[w] = load_le64(public_key + slh_n(set) + 8 * w);
    }
    const uint8_t head[2] = {mode != HANJI_SLHDSA_PURE, (uint8_t)context_bytes};
    begin_hash(&v->hash, HANJI_SHAKE256_RATE);
    absorb_bytes(v, &v->hash, signature_start, start_bytes);
    absorb_words(v, &v->hash, v->pk_seed);
    absorb_words(v, &v->hash, v->pk_root);
    absorb_bytes(v, &v->hash, head, sizeof head);
    absorb_bytes(v, &v->hash, context, context_bytes);
    begin_hash(&v->many, mode == HANJI_SLHDSA_SHAKE128 ? HANJI_SHAKE128_RATE : HANJI_SHAKE256_RATE);
    v->stage = MESSAGE;
    v->ready = READY;
    return HANJI_OK;
}

int hanji_slhdsa_stream_init(hanji_slhdsa_stream *ctx, const uint8_t *signature_start,
                             size_t start_bytes, const uint8_t *context, size_t context_bytes,
                             int mode, const uint8_t *public_key, size_t public_key_bytes,
                             const hanji_slhdsa *set)
{
    const hanji_buffer buffers[] = {{ctx, sizeof *ctx},
                                    {signature_start, start_bytes},
                                    {context, context_bytes},
                                    {public_key, public_key_bytes}};
    if (ctx == NULL || set == NULL || !hanji_apart(buffers, 1, 4))
        return refuse(ctx, HANJI_E_ARGUMENT);
    const int rc = begin((stream *)(void *)ctx, signature_start, start_bytes, context,
                         context_bytes, mode, public_key, public_key_bytes, set);
    return rc == HANJI_OK ? rc : refuse(ctx, rc);
}

int hanji_slhdsa_stream_message(const uint8_t *message, size_t message_bytes,
                                hanji_slhdsa_stream *ctx)
{
    stream *v = opened(ctx);
    if (v == NULL || v->stage != MESSAGE || !valid(message, message_bytes) ||
        overlap(ctx, sizeof *ctx, message, message_bytes))
        return refuse(ctx, HANJI_E_ARGUMENT);
    absorb_bytes(v, v->mode == HANJI_SLHDSA_PURE ? &v->hash : &v->many, message, message_bytes);
    wipe_stack();
    return HANJI_OK;
}

int hanji_slhdsa_stream_signature(const uint8_t *part, size_t part_bytes, hanji_slhdsa_stream *ctx)
{
    stream *v = opened(ctx);
    if (v == NULL || !valid(part, part_bytes) || overlap(ctx, sizeof *ctx, part, part_bytes))
        return refuse(ctx, HANJI_E_ARGUMENT);
    if (v->stage == MESSAGE) {
        end_message(v);
        wipe_stack();
    }
    for (size_t i = 0; i < part_bytes; i++) {
        if (v->stage == COMPLETE)
            return refuse(ctx, HANJI_E_LENGTH);
        v->value[v->filled++] = part[i];
        if (v->filled == slh_n(v->set)) {
            v->filled = 0;
            take_value(v);
        }
    }
    return HANJI_OK;
}

uint32_t hanji_slhdsa_stream_end(hanji_slhdsa_stream *ctx)
{
    stream *v = opened(ctx);
    uint32_t verdict = HANJI_SLHDSA_INVALID;
    if (v != NULL && v->stage == COMPLETE && v->filled == 0 && v->layer == v->set->layers) {
        const uint8_t *node = (const uint8_t *)v->node, *root = (const uint8_t *)v->pk_root;
        /* twice, against a fault in one comparison */
        if (hanji_equal(node, root, slh_n(v->set)) && hanji_equal(root, node, slh_n(v->set)))
            verdict = HANJI_SLHDSA_VALID;
    }
    (void)refuse(ctx, 0); /* it is used up */
    wipe_stack();
    return verdict;
}

size_t hanji_slhdsa_stream_bytes(void)
{
    return sizeof(hanji_slhdsa_stream);
}
