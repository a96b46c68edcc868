/* SPDX-License-Identifier: Apache-2.0 */
/*
 * @SET@ (FIPS 205): verification with the signature in pieces. No byte of it is kept but the node
 * at hand: tops of chains and roots of FORS trees are hashed as they come. All is public but,
 * perhaps, the message.
 */
WIPE_BELOW(slh_wipe_below, SLH_DEPTH)
enum {
    SLH_N = @N@,
    SLH_LAYERS = @LAYERS@,
    SLH_HEIGHT = @HEIGHT@,          /* of the tree of a layer */
    SLH_FORS_HEIGHT = @FORS_HEIGHT@,
    SLH_FORS_TREES = @FORS_TREES@,
    SLH_CHAINS = 2 * SLH_N + 3,
    SLH_TREE_BITS = (SLH_LAYERS - 1) * SLH_HEIGHT,
    SLH_FORS_BYTES = (SLH_FORS_HEIGHT * SLH_FORS_TREES + 7) / 8, /* of the digest */
    SLH_TREE_BYTES = (SLH_TREE_BITS + 7) / 8,
    SLH_LEAF_BYTES = (SLH_HEIGHT + 7) / 8,
    SLH_DIGEST_BYTES = SLH_FORS_BYTES + SLH_TREE_BYTES + SLH_LEAF_BYTES,
    SLH_RATE = 136,
};
/* Types of addresses; stages of a stream, none of them 0. */
enum { SLH_WOTS_HASH, SLH_WOTS_PK, SLH_TREE, SLH_FORS_TREE, SLH_FORS_ROOTS };
enum { SLH_MESSAGE = 1, SLH_SECRET, SLH_FORS_PATH, SLH_CHAIN, SLH_PATH, SLH_COMPLETE };
typedef struct slh_sponge {
    keccak_half state[50];
    uint8_t at;
} slh_sponge;
typedef struct slh_stream {
    uint32_t ready;
    slh_sponge hash, many; /* H_msg, then F and H; T_l */
    /* An address (section 4.2): the layer is byte 3, the tree's index bytes 8 to 15. */
    uint8_t address[32];
    uint8_t seed[SLH_N], root[SLH_N], node[SLH_N], value[SLH_N];
    uint8_t of[SLH_CHAINS]; /* the digest, which is shorter, then the digits of a node */
    uint16_t leaf;
    uint8_t stage, filled, index, height; /* index of the FORS tree or the chain */
} slh_stream;
typedef char slh_digest_fits[SLH_DIGEST_BYTES <= SLH_CHAINS ? 1 : -1];
typedef char slh_fits[sizeof(slh_stream) <= sizeof(hanji_slhdsa_stream) ? 1 : -1];
/* The set is the address of its name: on an AVR constants that are read are in flash. */
static const char slh_name[] IN_FLASH = "@SET@";
#define SLH_SET ((const hanji_slhdsa *)(const void *)slh_name)
#ifdef __AVR__
#define SLH_LETTER(i) ((char)pgm_read_byte(slh_name + (i)))
#else
#define SLH_LETTER(i) slh_name[i]
#endif
#define SLH_READY 0x534c4844u

__attribute__((weak)) void hanji_yield(void) {}

static NOINLINE int slh_refuse(hanji_slhdsa_stream *ctx, int rc)
{
    if (ctx != NULL)
        hanji_wipe(ctx, sizeof *ctx);
    return rc;
}

/* The stream, unless it is not begun, or a piece is missing or overlaps it. */
static NOINLINE slh_stream *slh_opened(hanji_slhdsa_stream *ctx, const uint8_t *part, size_t bytes)
{
    slh_stream *v = (slh_stream *)(void *)ctx;
    return v == NULL || v->ready != SLH_READY || wrong(ctx, sizeof *ctx, part, bytes) ? NULL : v;
}

/* ---- hashes ---- */

static NOINLINE void slh_absorb(slh_sponge *s, const uint8_t *data, size_t bytes)
{
    while (bytes-- > 0) {
        ((uint8_t *)s->state)[s->at++] ^= *data++;
        if (s->at == SLH_RATE) {
            s->at = 0;
            keccak_permute(s->state);
        }
    }
}

/* The output is then the first bytes of the state. */
static NOINLINE void slh_finish(uint8_t *out, size_t bytes, slh_sponge *s)
{
    uint8_t *at = (uint8_t *)s->state;
    at[s->at] ^= 0x1f;
    at[SLH_RATE - 1] ^= 0x80;
    keccak_permute(s->state);
    while (bytes-- > 0)
        *out++ = *at++;
}

/* PK.seed and an address (section 11.2); the key pair is the leaf, but for nodes of a tree. */
static NOINLINE void slh_begin(slh_stream *v, slh_sponge *s, uint8_t type, uint8_t second,
                               uint32_t last)
{
    uint8_t *ad = v->address;
    const uint16_t key = type == SLH_TREE ? 0 : v->leaf;
    ad[19] = type;
    ad[22] = (uint8_t)(key >> 8);
    ad[23] = (uint8_t)key;
    ad[27] = second;
    ad[29] = (uint8_t)(last >> 16);
    ad[30] = (uint8_t)(last >> 8);
    ad[31] = (uint8_t)last;
    hanji_wipe(s, sizeof *s);
    slh_absorb(s, v->seed, SLH_N);
    slh_absorb(s, ad, sizeof v->address);
}

/* F, from the value at hand to itself or to the node. */
static NOINLINE void slh_step(slh_stream *v, uint8_t *out, uint8_t type, uint8_t second,
                              uint32_t last)
{
    slh_begin(v, &v->hash, type, second, last);
    slh_absorb(&v->hash, v->value, SLH_N);
    slh_finish(out, SLH_N, &v->hash);
}

/* The node climbs to its parent, beside the value that came, on the side that its index says. */
static NOINLINE void slh_climb(slh_stream *v, uint8_t type, uint32_t index)
{
    const uint8_t is_right = index >> v->height & 1;
    v->height++;
    slh_begin(v, &v->hash, type, v->height, index >> v->height);
    slh_absorb(&v->hash, is_right ? v->value : v->node, SLH_N);
    slh_absorb(&v->hash, is_right ? v->node : v->value, SLH_N);
    slh_finish(v->node, SLH_N, &v->hash);
}

/* ---- the signature, SLH_N bytes at a time ---- */

/* The node is what the keys of this layer's leaf have signed (algorithm 7). */
static NOINLINE void slh_begin_chains(slh_stream *v)
{
    uint16_t sum = 0;
    uint8_t i, *digit = v->of;
    for (i = 0; i < SLH_N; i++) {
        const uint8_t byte = v->node[i];
        *digit++ = byte >> 4;
        *digit++ = byte & 15;
        sum = (uint16_t)(sum + 30 - (byte >> 4) - (byte & 15));
    }
    *digit++ = (uint8_t)(sum >> 8);
    *digit++ = (uint8_t)(sum >> 4 & 15);
    *digit = sum & 15;
    slh_begin(v, &v->many, SLH_WOTS_PK, 0, 0);
    v->index = 0;
    v->stage = SLH_CHAIN;
}

/* The leaf that the digest selects of a FORS tree, counted over all trees. */
static NOINLINE uint32_t slh_opened_leaf(const slh_stream *v)
{
    uint32_t leaf = v->index;
    uint16_t at = (uint16_t)(v->index * SLH_FORS_HEIGHT);
    uint8_t i;
    for (i = 0; i < SLH_FORS_HEIGHT; i++, at++)
        leaf = leaf << 1 | (v->of[at >> 3] >> (7 - (at & 7)) & 1);
    return leaf;
}

/* A whole value has come. */
static NOINLINE void slh_take(slh_stream *v)
{
    hanji_yield();
    switch (v->stage) {
    case SLH_SECRET:
        slh_step(v, v->node, SLH_FORS_TREE, 0, slh_opened_leaf(v));
        v->height = 0;
        v->stage = SLH_FORS_PATH;
        return;
    case SLH_FORS_PATH:
        slh_climb(v, SLH_FORS_TREE, slh_opened_leaf(v));
        if (v->height < SLH_FORS_HEIGHT)
            return;
        slh_absorb(&v->many, v->node, SLH_N);
        v->stage = SLH_SECRET;
        if (++v->index < SLH_FORS_TREES)
            return;
        slh_finish(v->node, SLH_N, &v->many);
        slh_begin_chains(v);
        return;
    case SLH_CHAIN: {
        uint8_t step;
        for (step = v->of[v->index]; step < 15; step++)
            slh_step(v, v->value, SLH_WOTS_HASH, v->index, step);
        slh_absorb(&v->many, v->value, SLH_N);
        if (++v->index < SLH_CHAINS)
            return;
        slh_finish(v->node, SLH_N, &v->many);
        v->height = 0;
        v->stage = SLH_PATH;
        return;
    }
    default: { /* SLH_PATH: more than a signature is refused before */
        uint8_t *tree = v->address + 8, bit, i;
        slh_climb(v, SLH_TREE, v->leaf);
        if (v->height < SLH_HEIGHT)
            return;
        v->leaf = (uint16_t)(tree[6] << 8 | tree[7]) & ((1 << SLH_HEIGHT) - 1);
        for (bit = 0; bit < SLH_HEIGHT; bit++) {
            for (i = 7; i > 0; i--)
                tree[i] = (uint8_t)(tree[i] >> 1 | tree[i - 1] << 7);
            tree[0] >>= 1;
        }
        if (++v->address[3] == SLH_LAYERS)
            v->stage = SLH_COMPLETE;
        else
            slh_begin_chains(v);
        return;
    }
    }
}

/* ---- calls ---- */

/* The message is read: its digest, and what it selects. */
static NOINLINE void slh_end_message(slh_stream *v)
{
    uint8_t *at = v->of + SLH_FORS_BYTES;
    slh_finish(v->of, SLH_DIGEST_BYTES, &v->hash);
    memcpy(v->address + 16 - SLH_TREE_BYTES, at, SLH_TREE_BYTES);
    v->address[16 - SLH_TREE_BYTES] &= (uint8_t)(0xff >> (8 * SLH_TREE_BYTES - SLH_TREE_BITS));
    at += SLH_TREE_BYTES;
    v->leaf = at[0];
    if (SLH_LEAF_BYTES == 2)
        v->leaf = (uint16_t)(v->leaf << 8 | at[SLH_LEAF_BYTES - 1]);
    v->leaf &= (1 << SLH_HEIGHT) - 1;
    slh_begin(v, &v->many, SLH_FORS_ROOTS, 0, 0);
    v->stage = SLH_SECRET;
}

const hanji_slhdsa *hanji_slhdsa_by_name(const char *name)
{
    uint8_t i = 0;
    if (name == NULL)
        return NULL;
    while (SLH_LETTER(i) != '\0' && SLH_LETTER(i) == name[i])
        i++;
    return SLH_LETTER(i) == name[i] ? SLH_SET : NULL;
}

int hanji_slhdsa_stream_init(hanji_slhdsa_stream *ctx, const uint8_t *signature_start,
                             size_t start_bytes, const uint8_t *context, size_t context_bytes,
                             int mode, const uint8_t *public_key, size_t public_key_bytes,
                             const hanji_slhdsa *set)
{
    slh_stream *v = (slh_stream *)(void *)ctx;
    uint8_t head[2] = {0, (uint8_t)context_bytes};
    if (ctx == NULL || set != SLH_SET || mode != HANJI_SLHDSA_PURE ||
        wrong(ctx, sizeof *ctx, signature_start, start_bytes) ||
        wrong(ctx, sizeof *ctx, context, context_bytes) ||
        wrong(ctx, sizeof *ctx, public_key, public_key_bytes))
        return slh_refuse(ctx, HANJI_E_ARGUMENT);
    if (start_bytes != SLH_N || public_key_bytes != 2 * SLH_N ||
        context_bytes > HANJI_SLHDSA_CONTEXT_BYTES_MAX)
        return slh_refuse(ctx, HANJI_E_LENGTH);
    hanji_wipe(ctx, sizeof *ctx);
    memcpy(v->seed, public_key, SLH_N);
    memcpy(v->root, public_key + SLH_N, SLH_N);
    slh_absorb(&v->hash, signature_start, SLH_N);
    slh_absorb(&v->hash, public_key, 2 * SLH_N);
    slh_absorb(&v->hash, head, sizeof head);
    slh_absorb(&v->hash, context, context_bytes);
    v->stage = SLH_MESSAGE;
    v->ready = SLH_READY;
    return HANJI_OK;
}

int hanji_slhdsa_stream_message(const uint8_t *message, size_t message_bytes,
                                hanji_slhdsa_stream *ctx)
{
    slh_stream *v = slh_opened(ctx, message, message_bytes);
    if (v == NULL || v->stage != SLH_MESSAGE)
        return slh_refuse(ctx, HANJI_E_ARGUMENT);
    slh_absorb(&v->hash, message, message_bytes);
    slh_wipe_below();
    return HANJI_OK;
}

int hanji_slhdsa_stream_signature(const uint8_t *part, size_t part_bytes, hanji_slhdsa_stream *ctx)
{
    slh_stream *v = slh_opened(ctx, part, part_bytes);
    if (v == NULL)
        return slh_refuse(ctx, HANJI_E_ARGUMENT);
    if (v->stage == SLH_MESSAGE) {
        slh_end_message(v);
        slh_wipe_below();
    }
    while (part_bytes-- > 0) {
        if (v->stage == SLH_COMPLETE)
            return slh_refuse(ctx, HANJI_E_LENGTH);
        v->value[v->filled++] = *part++;
        if (v->filled == SLH_N) {
            v->filled = 0;
            slh_take(v);
        }
    }
    return HANJI_OK;
}

uint32_t hanji_slhdsa_stream_end(hanji_slhdsa_stream *ctx)
{
    slh_stream *v = slh_opened(ctx, NULL, 0);
    uint32_t verdict = HANJI_SLHDSA_INVALID;
    if (v != NULL && v->stage == SLH_COMPLETE && v->filled == 0 && v->address[3] == SLH_LAYERS &&
        /* twice, against a fault in one comparison */
        hanji_equal(v->node, v->root, SLH_N) && hanji_equal(v->root, v->node, SLH_N))
        verdict = HANJI_SLHDSA_VALID;
    (void)slh_refuse(ctx, 0); /* it is used up */
    slh_wipe_below();
    return verdict;
}
