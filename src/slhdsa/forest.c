/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key pairs and signatures of SLH-DSA. A lane is a leaf: all lanes of a group do the same step of
 * the same chain, so that neither branches nor addresses depend on a secret, and the values of a
 * signature are copied when the chains of its leaf come by. Which leaf and which steps these are
 * follows from the message and is public (FIPS 205, section 9.2).
 */
#include "slhdsa/slhdsa.h"
#include "support/secret.h"

/* A level of nodes from which as many parents are made at once as there are lanes. */
typedef struct forest_level {
    uint64_t nodes[2 * SLH_LANES_MAX][SLH_WORDS_MAX];
    uint32_t count, first; /* nodes, and the index of the first one */
} forest_level;

typedef struct signer {
    hanji_slhdsa_lanes lanes;
    hanji_slhdsa_sponge keys;  /* T_len of a WOTS+ key in every lane */
    hanji_slhdsa_sponge roots; /* T_k, of one state */
    forest_level level[SLH_HEIGHT_MAX];
    const hanji_slhdsa *set;
    const hanji_slhdsa_key *key;
    const hanji_slhdsa_place *place;
    hanji_slhdsa_steps *steps;
    uint8_t *signature; /* NULL for a key pair, which publishes nothing but the root */
    int compare;
    uint64_t difference;
    uint64_t root[SLH_WORDS_MAX]; /* of the last XMSS tree */
    /* Of the trees that are being made. */
    uint32_t type, height, layer, key_pair;
    uint64_t tree;
} signer;

/* Values that a lane has, as n bytes of the signature; or their difference from those. */
static void publish(signer *s, size_t at, const uint64_t *value, size_t stride)
{
    uint8_t *out = s->signature + at;
    for (uint32_t w = 0; w < s->set->words; w++, value += stride, out += 8)
        if (s->compare)
            s->difference |= load_le64(out) ^ *value;
        else
            store_le64(out, *value);
}

/* Where the signature of a FORS tree, or of a layer, begins. */
static size_t fors_at(const hanji_slhdsa *set, uint32_t t)
{
    return (size_t)slh_n(set) * (1 + (size_t)t * (set->fors_height + 1u));
}

static size_t layer_at(const hanji_slhdsa *set, uint32_t layer)
{
    return slh_n(set) + slh_fors_bytes(set) + layer * slh_xmss_bytes(set);
}

/* A node of the trees: of a path, a root, or neither. */
static void visit(signer *s, uint32_t z, uint32_t index, const uint64_t *node)
{
    const hanji_slhdsa *set = s->set;
    const uint32_t n = slh_n(set), tree = index >> (s->height - z);
    if (s->type == SLH_TREE) {
        if (z == s->height)
            memcpy(s->root, node, sizeof s->root);
        else if (s->signature != NULL && index == (s->place->leaf >> z ^ 1))
            publish(s, layer_at(set, s->layer) + (size_t)n * (slh_chains(set) + z), node, 1);
    } else if (z == s->height) {
        hanji_slhdsa_sponge_rows(&s->roots, node);
    } else if ((index & ((1u << (s->height - z)) - 1)) == (s->place->opened[tree] >> z ^ 1)) {
        publish(s, fors_at(set, tree) + (size_t)n * (1 + z), node, 1);
    }
}

/* One more node of a level. */
static void grow(signer *s, uint32_t z, uint32_t index, const uint64_t *row)
{
    uint64_t node[SLH_WORDS_MAX] = {0};
    for (uint32_t w = 0; w < s->set->words; w++)
        node[w] = row[(size_t)w * s->lanes.width];
    visit(s, z, index, node);
    if (z < s->height) {
        forest_level *level = &s->level[z];
        if (level->count == 0)
            level->first = index;
        memcpy(level->nodes[level->count++], node, sizeof node);
    }
    wipe_here(node, sizeof node);
}

/* The parents of all nodes of a level; pairs of the last ones may leave lanes empty. */
static void join(signer *s, uint32_t z)
{
    hanji_slhdsa_lanes *lanes = &s->lanes;
    forest_level *level = &s->level[z];
    const uint32_t parents = level->count / 2, first = level->first / 2, width = lanes->width;
    hanji_slhdsa_lanes_pair(lanes);
    for (uint32_t lane = 0; lane < parents; lane++) {
        slh_address_row(lanes)[lane] = slh_pair(z + 1, first + lane);
        uint64_t *left = slh_value_row(lanes) + lane, *right = left + (size_t)s->set->words * width;
        for (uint32_t w = 0; w < s->set->words; w++, left += width, right += width) {
            *left = level->nodes[2 * lane][w];
            *right = level->nodes[2 * lane + 1][w];
        }
    }
    lanes->permute(lanes->states);
    level->count = 0;
    for (uint32_t lane = 0; lane < parents; lane++)
        grow(s, z + 1, first + lane, lanes->states + lane);
}

/* Trees of a kind begin; for those of FORS the key pair stands in every address. */
static void begin_trees(signer *s, uint32_t type, uint32_t height, uint32_t key_pair)
{
    s->type = type;
    s->height = height;
    s->key_pair = key_pair;
}

static void address_nodes(signer *s)
{
    hanji_slhdsa_lanes_address_all(&s->lanes, s->key->pk_seed, s->layer, s->tree, s->type,
                                   s->key_pair);
}

/* A group of leaves is in the first rows: make all parents of which there is a whole group. */
static void add_leaves(signer *s, uint32_t first)
{
    const uint32_t width = s->lanes.width;
    for (uint32_t lane = 0; lane < width; lane++)
        grow(s, 0, first + lane, s->lanes.states + lane);
    address_nodes(s);
    for (uint32_t z = 0; z < s->height && s->level[z].count == 2 * width; z++)
        join(s, z);
}

/* No more leaves come. */
static void finish_trees(signer *s)
{
    address_nodes(s);
    for (uint32_t z = 0; z < s->height; z++)
        if (s->level[z].count > 0)
            join(s, z);
}

static int progress(signer *s, uint64_t steps)
{
    hanji_slhdsa_steps *all = s->steps;
    slh_pause();
    if (all == NULL)
        return HANJI_OK;
    all->done += steps;
    return all->progress == NULL ? HANJI_OK : all->progress(all->done, all->total, all->state);
}

/* PRF in all lanes (section 11.2); addresses are in the frame, their last words in `last`. */
static void secrets(signer *s, const uint64_t *last)
{
    hanji_slhdsa_lanes *lanes = &s->lanes;
    hanji_slhdsa_lanes_next(lanes);
    uint64_t *value = slh_value_row(lanes);
    for (uint32_t w = 0; w < s->set->words; w++)
        for (uint32_t lane = 0; lane < lanes->width; lane++)
            *value++ = s->key->sk_seed[w];
    memcpy(slh_address_row(lanes), last, sizeof *last * lanes->width);
    lanes->permute(lanes->states);
}

/* One step F in all lanes, of what the last permutation gave. */
static void step(signer *s, const uint64_t *last)
{
    hanji_slhdsa_lanes_next(&s->lanes);
    memcpy(slh_address_row(&s->lanes), last, sizeof *last * s->lanes.width);
    s->lanes.permute(s->lanes.states);
}

/* The WOTS+ public keys of a group of leaves; the signature of one of them, if it is there. */
static void wots_keys(signer *s, uint32_t first, const uint8_t *digits)
{
    hanji_slhdsa_lanes *lanes = &s->lanes;
    const uint32_t width = lanes->width, chains = slh_chains(s->set), words = s->set->words;
    uint64_t last[SLH_LANES_MAX], hash_word[SLH_LANES_MAX], prf_word[SLH_LANES_MAX];
    uint64_t *const kind = lanes->frame + (size_t)(words + 2) * width;
    hanji_slhdsa_sponge_init(&s->keys, lanes);
    hanji_slhdsa_lanes_address_all(lanes, s->key->pk_seed, s->layer, s->tree, SLH_WOTS_HASH, 0);
    for (uint32_t lane = 0; lane < width; lane++) {
        hanji_slhdsa_sponge_address(&s->keys, lane, s->key->pk_seed, s->layer, s->tree, SLH_WOTS_PK,
                                    first + lane);
        hash_word[lane] = slh_pair(SLH_WOTS_HASH, first + lane);
        prf_word[lane] = slh_pair(SLH_WOTS_PRF, first + lane);
    }
    const uint32_t signing = digits == NULL ? width : s->place->leaf - first;
    const size_t at = digits == NULL ? 0 : layer_at(s->set, s->layer);
    for (uint32_t i = 0; i < chains; i++) {
        for (uint32_t lane = 0; lane < width; lane++)
            last[lane] = slh_pair(i, 0);
        memcpy(kind, prf_word, sizeof *kind * width);
        secrets(s, last);
        memcpy(kind, hash_word, sizeof *kind * width);
        for (uint32_t j = 0;; j++) {
            if (signing < width && digits[i] == j)
                publish(s, at + (size_t)slh_n(s->set) * i, lanes->states + signing, width);
            if (j == SLH_STEPS)
                break;
            for (uint32_t lane = 0; lane < width; lane++)
                last[lane] = slh_pair(i, j);
            step(s, last);
        }
        hanji_slhdsa_sponge_rows(&s->keys, lanes->states);
    }
    hanji_slhdsa_sponge_end(&s->keys);
    memcpy(lanes->states, s->keys.states, sizeof *last * words * width);
}

/* An XMSS tree, to its root; `digits` of what its WOTS+ key signs, or NULL. */
static int xmss(signer *s, uint32_t layer, uint64_t tree, const uint8_t *digits)
{
    const uint32_t leaves = 1u << s->set->height, width = s->lanes.width;
    s->layer = layer;
    s->tree = tree;
    begin_trees(s, SLH_TREE, s->set->height, 0);
    int rc = HANJI_OK;
    for (uint32_t first = 0; rc == HANJI_OK && first < leaves; first += width) {
        wots_keys(s, first, digits);
        add_leaves(s, first);
        rc = progress(s, width);
    }
    finish_trees(s);
    return rc;
}

/* All FORS trees, side by side in the lanes; their compressed roots become the root. */
static int fors(signer *s)
{
    const hanji_slhdsa *set = s->set;
    hanji_slhdsa_lanes *lanes = &s->lanes;
    const uint32_t width = lanes->width, leaves = (uint32_t)set->fors_trees << set->fors_height;
    uint64_t *const kind = lanes->frame + (size_t)(set->words + 2) * width;
    uint64_t last[SLH_LANES_MAX];
    s->layer = 0;
    s->tree = s->place->tree;
    begin_trees(s, SLH_FORS_TREE, set->fors_height, s->place->leaf);
    hanji_slhdsa_sponge_address(&s->roots, 0, s->key->pk_seed, 0, s->tree, SLH_FORS_ROOTS,
                                s->key_pair);
    address_nodes(s);
    int rc = HANJI_OK;
    for (uint32_t first = 0; rc == HANJI_OK && first < leaves; first += width) {
        const uint32_t tree = first >> set->fors_height;
        const uint32_t opened = (tree << set->fors_height) + s->place->opened[tree];
        for (uint32_t lane = 0; lane < width; lane++) {
            last[lane] = slh_pair(0, first + lane);
            kind[lane] = slh_pair(SLH_FORS_PRF, s->key_pair);
        }
        secrets(s, last);
        for (uint32_t lane = 0; lane < width; lane++)
            kind[lane] = slh_pair(SLH_FORS_TREE, s->key_pair);
        if (opened - first < width)
            publish(s, fors_at(set, tree), lanes->states + (opened - first), width);
        step(s, last);
        add_leaves(s, first);
        if (((first + width) & ((1u << set->fors_height) - 1)) == 0)
            rc = progress(s, 1);
    }
    finish_trees(s);
    hanji_slhdsa_sponge_end(&s->roots);
    memcpy(s->root, s->roots.states, sizeof s->root);
    return rc;
}

static void begin(signer *s, const hanji_slhdsa_key *key, const hanji_slhdsa *set)
{
    hanji_slhdsa_lanes one;
    memset(s, 0, sizeof *s);
    hanji_slhdsa_lanes_init(&one, hanji_keccak_single(), set);
    hanji_slhdsa_sponge_init(&s->roots, &one);
    hanji_slhdsa_lanes_init(&s->lanes, hanji_keccak_widest(), set);
    s->set = set;
    s->key = key;
}

void hanji_slhdsa_root(uint64_t *root, const hanji_slhdsa_key *key, const hanji_slhdsa *set)
{
    signer s;
    begin(&s, key, set);
    (void)xmss(&s, set->layers - 1u, 0, NULL);
    hanji_slhdsa_revealed(s.root, sizeof s.root, "the root of the top tree is the public key");
    memcpy(root, s.root, sizeof s.root);
}

int hanji_slhdsa_make(uint8_t *signature, const hanji_slhdsa_place *place,
                      const hanji_slhdsa_key *key, const hanji_slhdsa *set, int compare,
                      hanji_slhdsa_steps *steps)
{
    signer s;
    begin(&s, key, set);
    hanji_slhdsa_place at = *place;
    s.place = &at;
    s.signature = signature;
    s.compare = compare;
    s.steps = steps;
    int rc = fors(&s);
    for (uint32_t layer = 0; rc == HANJI_OK && layer < set->layers; layer++) {
        uint8_t digits[SLH_CHAINS_MAX];
        hanji_slhdsa_revealed(s.root, sizeof s.root,
                              "what the WOTS+ key of a layer signs follows from the signature");
        hanji_slhdsa_digits(digits, s.root, set);
        rc = xmss(&s, layer, layer == 0 ? at.tree : s.tree >> set->height, digits);
        at.leaf = (uint32_t)s.tree & ((1u << set->height) - 1);
    }
    hanji_slhdsa_revealed(&s.difference, sizeof s.difference,
                          "whether two signatures are equal is public");
    if (rc == HANJI_OK && s.difference != 0)
        rc = HANJI_E_TAG;
    return rc;
}

uint64_t hanji_slhdsa_make_steps(const hanji_slhdsa *set)
{
    return set->fors_trees + ((uint64_t)set->layers << set->height);
}
