/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verification of SLH-DSA, of one signature or of as many as there are lanes. Chains of all of them
 * share the lanes, the longest first, and a lane that has finished its chain takes the next one;
 * what follows one hash after the other (paths, and the hashes of many values) has a lane for each
 * signature. Everything is public.
 */
#include "slhdsa/slhdsa.h"
#include "support/secret.h"

typedef struct chain {
    uint8_t claim, index, from; /* whose, which, and after how many steps its value is given */
} chain;

typedef struct judge {
    hanji_slhdsa_lanes lanes; /* most lanes */
    hanji_slhdsa_lanes each;  /* one for each claim; the same kernel, or that for one state */
    hanji_slhdsa_sponge sponge;
    const hanji_slhdsa *set;
    hanji_slhdsa_claim *claims;
    uint32_t count;
    uint32_t layer;
    /* Tops of chains, or roots of FORS trees. */
    uint64_t values[SLH_LANES_MAX][SLH_CHAINS_MAX][SLH_WORDS_MAX];
    chain queue[SLH_LANES_MAX * SLH_CHAINS_MAX]; /* the longest first */
    uint64_t tree[SLH_LANES_MAX];
    uint32_t leaf[SLH_LANES_MAX];
} judge;

static void load_value(uint64_t *column, uint32_t stride, const uint8_t *from, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++, column += stride, from += 8)
        *column = load_le64(from);
}

static void copy_value(uint64_t *to, size_t to_stride, const uint64_t *from, size_t from_stride,
                       uint32_t words)
{
    for (uint32_t w = 0; w < words; w++, to += to_stride, from += from_stride)
        *to = *from;
}

static void address(judge *j, hanji_slhdsa_lanes *lanes, uint32_t lane, uint32_t claim,
                    uint32_t type, uint32_t key)
{
    hanji_slhdsa_lanes_address(lanes, lane, j->claims[claim].pk_seed, j->layer, j->tree[claim],
                               type, key);
}

/* What a lane has climbs to its parent: beside a sibling, on the side that its index says. */
static void climb(hanji_slhdsa_lanes *lanes, uint32_t lane, const uint64_t *node, size_t stride,
                  const uint8_t *sibling, uint32_t index, uint32_t z)
{
    const uint32_t words = lanes->words, width = lanes->width;
    uint64_t *left = slh_value_row(lanes) + lane, *right = left + (size_t)words * width;
    slh_address_row(lanes)[lane] = slh_pair(z + 1, index >> (z + 1));
    copy_value(index >> z & 1 ? right : left, width, node, stride, words);
    load_value(index >> z & 1 ? left : right, width, sibling, words);
}

/* T_l of the first `count` values of each claim, to its node. */
static void compress(judge *j, uint32_t type, uint32_t count)
{
    const uint32_t words = j->set->words, width = j->each.width;
    hanji_slhdsa_sponge *sponge = &j->sponge;
    hanji_slhdsa_sponge_init(sponge, &j->each);
    for (uint32_t c = 0; c < j->count; c++)
        hanji_slhdsa_sponge_address(sponge, c, j->claims[c].pk_seed, j->layer, j->tree[c], type,
                                    j->leaf[c]);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t w = 0; w < words; w++) {
            for (uint32_t c = 0; c < j->count; c++)
                slh_sponge_put(sponge, c, j->values[c][i][w]);
            hanji_slhdsa_sponge_step(sponge);
        }
    hanji_slhdsa_sponge_end(sponge);
    for (uint32_t c = 0; c < j->count; c++)
        copy_value(j->claims[c].node, 1, sponge->states + c, width, words);
}

/* FORS (algorithm 17): a lane is a tree. */
static void fors(judge *j)
{
    const hanji_slhdsa *set = j->set;
    hanji_slhdsa_lanes *lanes = &j->lanes;
    const uint32_t n = slh_n(set), trees = set->fors_trees, width = lanes->width;
    const size_t part = (size_t)n * (set->fors_height + 1u);
    for (uint32_t c = 0, t = 0; c < j->count;) {
        uint64_t nodes[SLH_LANES_MAX][SLH_WORDS_MAX];
        const uint8_t *at[SLH_LANES_MAX] = {NULL};
        uint64_t *root[SLH_LANES_MAX] = {NULL};
        uint32_t index[SLH_LANES_MAX] = {0}, used = 0;
        for (; used < width && c < j->count; used++) {
            at[used] = j->claims[c].signature + n + t * part;
            index[used] = (t << set->fors_height) + j->claims[c].place.opened[t];
            root[used] = j->values[c][t];
            address(j, lanes, used, c, SLH_FORS_TREE, j->leaf[c]);
            if (++t == trees) {
                t = 0;
                c++;
            }
        }
        hanji_slhdsa_lanes_next(lanes);
        for (uint32_t lane = 0; lane < used; lane++) {
            slh_address_row(lanes)[lane] = slh_pair(0, index[lane]);
            load_value(slh_value_row(lanes) + lane, width, at[lane], set->words);
        }
        lanes->permute(lanes->states);
        for (uint32_t z = 0; z < set->fors_height; z++) {
            for (uint32_t lane = 0; lane < used; lane++)
                copy_value(nodes[lane], 1, lanes->states + lane, width, set->words);
            hanji_slhdsa_lanes_pair(lanes);
            for (uint32_t lane = 0; lane < used; lane++)
                climb(lanes, lane, nodes[lane], 1, at[lane] + (size_t)n * (1 + z), index[lane], z);
            lanes->permute(lanes->states);
        }
        for (uint32_t lane = 0; lane < used; lane++)
            copy_value(root[lane], 1, lanes->states + lane, width, set->words);
    }
    compress(j, SLH_FORS_ROOTS, trees);
}

/* The value of a chain in the signature. */
static const uint8_t *given(const judge *j, const chain *it)
{
    const hanji_slhdsa *set = j->set;
    return j->claims[it->claim].signature + slh_n(set) + slh_fors_bytes(set) +
           j->layer * slh_xmss_bytes(set) + (size_t)slh_n(set) * it->index;
}

/* All chains that have a step to go, the longest first; the others are values already. */
static uint32_t sort_chains(judge *j)
{
    const uint32_t chains = slh_chains(j->set);
    uint8_t digits[SLH_LANES_MAX][SLH_CHAINS_MAX];
    uint32_t from[SLH_STEPS + 1] = {0}, sum = 0;
    for (uint32_t c = 0; c < j->count; c++) {
        hanji_slhdsa_digits(digits[c], j->claims[c].node, j->set);
        for (uint32_t i = 0; i < chains; i++)
            from[digits[c][i]]++;
    }
    for (uint32_t d = 0; d <= SLH_STEPS; d++) {
        const uint32_t here = from[d];
        from[d] = sum;
        sum += here;
    }
    const uint32_t whole = from[SLH_STEPS];
    for (uint32_t c = 0; c < j->count; c++)
        for (uint32_t i = 0; i < chains; i++) {
            const chain it = {(uint8_t)c, (uint8_t)i, digits[c][i]};
            j->queue[from[it.from]++] = it;
            if (it.from == SLH_STEPS)
                load_value(j->values[c][i], 1, given(j, &it), j->set->words);
        }
    return whole;
}

/* WOTS+ (algorithm 8): a lane is a chain. */
static void wots(judge *j)
{
    hanji_slhdsa_lanes *lanes = &j->lanes;
    const uint32_t width = lanes->width, words = j->set->words, count = sort_chains(j);
    chain at[SLH_LANES_MAX] = {{0, 0, 0}};
    uint32_t next = 0, used = 0;
    uint8_t begins[SLH_LANES_MAX] = {0}; /* a chain that its lane has not seen yet */
    for (; used < width && next < count; used++, next++) {
        at[used] = j->queue[next];
        begins[used] = 1;
        address(j, lanes, used, at[used].claim, SLH_WOTS_HASH, j->leaf[at[used].claim]);
    }
    while (used > 0) {
        hanji_slhdsa_lanes_next(lanes);
        for (uint32_t lane = 0; lane < width; lane++) {
            if (lane >= used)
                continue;
            if (begins[lane])
                load_value(slh_value_row(lanes) + lane, width, given(j, &at[lane]), words);
            begins[lane] = 0;
            slh_address_row(lanes)[lane] = slh_pair(at[lane].index, at[lane].from++);
        }
        lanes->permute(lanes->states);
        for (uint32_t lane = 0; lane < used; lane++) {
            if (at[lane].from < SLH_STEPS)
                continue;
            copy_value(j->values[at[lane].claim][at[lane].index], 1, lanes->states + lane, width,
                       words);
            if (next < count) {
                at[lane] = j->queue[next++];
            } else {
                /* the last lane moves here, with what it has */
                used--;
                at[lane] = at[used];
                begins[lane] = begins[used];
                copy_value(lanes->states + lane, width, lanes->states + used, width, words);
                if (lane == used)
                    break;
                address(j, lanes, lane, at[lane].claim, SLH_WOTS_HASH, j->leaf[at[lane].claim]);
                lane--;
                continue;
            }
            begins[lane] = 1;
            address(j, lanes, lane, at[lane].claim, SLH_WOTS_HASH, j->leaf[at[lane].claim]);
        }
    }
    compress(j, SLH_WOTS_PK, slh_chains(j->set));
}

/* An XMSS tree (algorithm 11). */
static void xmss(judge *j)
{
    const hanji_slhdsa *set = j->set;
    hanji_slhdsa_lanes *each = &j->each;
    wots(j);
    for (uint32_t c = 0; c < j->count; c++)
        address(j, each, c, c, SLH_TREE, 0);
    for (uint32_t z = 0; z < set->height; z++) {
        const size_t at = slh_n(set) + slh_fors_bytes(set) + j->layer * slh_xmss_bytes(set) +
                          (size_t)slh_n(set) * (slh_chains(set) + z);
        hanji_slhdsa_lanes_pair(each);
        for (uint32_t c = 0; c < j->count; c++)
            climb(each, c, j->claims[c].node, 1, j->claims[c].signature + at, j->leaf[c], z);
        each->permute(each->states);
        for (uint32_t c = 0; c < j->count; c++)
            copy_value(j->claims[c].node, 1, each->states + c, each->width, set->words);
    }
}

uint32_t hanji_slhdsa_judge(hanji_slhdsa_claim *claims, uint32_t count, const hanji_slhdsa *set)
{
    judge j;
    uint32_t right = 0;
    hanji_slhdsa_lanes_init(&j.lanes, hanji_keccak_widest(), set);
    hanji_slhdsa_lanes_init(&j.each, count > 1 ? hanji_keccak_widest() : hanji_keccak_single(),
                            set);
    j.set = set;
    j.claims = claims;
    j.count = count;
    j.layer = 0;
    for (uint32_t c = 0; c < count; c++) {
        j.tree[c] = claims[c].place.tree;
        j.leaf[c] = claims[c].place.leaf;
    }
    fors(&j);
    for (; j.layer < set->layers; j.layer++) {
        slh_pause();
        xmss(&j);
        for (uint32_t c = 0; c < count; c++) {
            j.leaf[c] = (uint32_t)j.tree[c] & ((1u << set->height) - 1);
            j.tree[c] >>= set->height;
        }
    }
    for (uint32_t c = 0; c < count; c++)
        right |= (uint32_t)hanji_equal((const uint8_t *)claims[c].node,
                                       (const uint8_t *)claims[c].pk_root, slh_n(set))
                 << c;
    return right;
}
