/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signing and verifying (AIMer v2.1, section 3; v1.0, section 3.4), in slabs. A slab is a few octets of parties, of four repetitions or of one; its tapes lie in memory together. At
 * full speed the tapes of all slabs are kept from one pass to the next, and the two hashed texts ride beside other hashes. In little memory each pass makes the tapes again, trees are
 * there for a block of few repetitions, and the texts are hashed as they come, from the room of a slab.
 */
#include "aimer/protocol.h"

#include "aimer/lanes.h"
#include "support/arith.h"
#include "support/bytes.h"
#include "support/secret.h"

#define WORDS_MAX AIMER_WORDS_MAX
#define SLAB_OCTETS 8u
#define SLAB_REPETITIONS 4u /* of 16 parties */
#define PREFIX_MAX (HANJI_SHAKE128_RATE)

typedef struct protocol {
    const hanji_aimer_expanded *key;
    const hanji_aimer *set;
    const hanji_aimer_level *level;
    const uint8_t *signature; /* of which the corrections are read */
    uint32_t words, bytes;    /* of a field element */
    uint32_t sboxes, parties, repetitions, depth;
    uint32_t octets;    /* of one repetition */
    uint32_t corrected; /* the party that takes corrections and constant */
    uint32_t verify, small;
    uint32_t apart;                                         /* a repetition has more octets than a slab */
    uint32_t halves;                                        /* and what its parties say is hashed slab by slab, first all of alpha, then all of v */
    size_t tape_words;                                      /* of one octet: key, t_1 .. t_S, a, c */
    size_t row_bytes, body1_bytes, body2_bytes, path_bytes; /* per repetition: in the signature, of the two hashed texts, and of the path */
    uint32_t block;                                         /* repetitions whose trees are in memory at once */
    uint32_t tree_first;                                    /* the first of them */
    uint8_t *trees, *body1, *body2, *roots;
    uint64_t *tapes, *tape_keys, *partial_v, *x, *z, *alpha, *epsilon;
    uint64_t sums[SLAB_REPETITIONS][(AIMER_SBOXES_MAX + 3) * WORDS_MAX];
    uint64_t alpha_sum[SLAB_REPETITIONS][WORDS_MAX];
    uint16_t hidden[AIMER_REPETITIONS_MAX];
    hanji_hash_form node_form, leaf_form;
    hanji_shake shake1, shake2;
    hanji_rider h1, h2; /* these hashes at full speed */
    hanji_lanes lanes;
} protocol;

/* Part of a repetition, or up to four whole ones. */
typedef struct slab {
    uint32_t first, repetitions;
    uint32_t octet, octets; /* the first one in its repetition, and how many in all */
    uint64_t *tapes;
} slab;

/* x elements in bytes, without a multiplication. */
HANJI_INLINE size_t elements(const protocol *p, size_t x)
{
    return p->words == 2 ? x << 4 : p->words == 3 ? (x << 4) + (x << 3) : x << 5;
}

/* Products of small public numbers; processors without multiplier get theirs from hanji_times(). */
HANJI_INLINE size_t times(size_t a, size_t b)
{
#ifdef HANJI_FREESTANDING
    return hanji_times(a, b);
#else
    return a * b;
#endif
}

/* x elements in words. */
HANJI_INLINE size_t in_words(uint32_t words, size_t x)
{
    return words == 2 ? x << 1 : words == 3 ? (x << 1) + x : x << 2;
}

/* x octets of elements in words. */
HANJI_INLINE size_t in_octets(uint32_t words, size_t x)
{
    return in_words(words, x) << 3;
}

/* ---- memory ---- */

/* Take `bytes` from the memory, and keep to multiples of 64; with no memory, count. */
static uint8_t *take(uint8_t *memory, size_t *used, size_t bytes)
{
    uint8_t *at = memory == NULL ? NULL : memory + *used;
    *used += (bytes + 63) & ~(size_t)63;
    return at;
}

static size_t lay_out(protocol *p, uint8_t *memory, const hanji_aimer *set, int small)
{
    size_t used = 0;
    const hanji_aimer_level *level = set->level;
    p->set = set;
    p->level = level;
    p->words = level->words;
    p->bytes = 8u * level->words;
    p->sboxes = level->sboxes;
    p->parties = set->parties;
    p->repetitions = set->repetitions;
    p->depth = set->depth;
    p->octets = (set->parties + 7u) / 8;
    p->corrected = level->version == 1 ? 0 : set->parties - 1u;
    p->small = (uint32_t)small;
    p->tape_words = elements(p, level->sboxes + 3u);
    p->path_bytes = elements(p, set->depth);
    p->row_bytes = elements(p, set->depth + level->sboxes + 5u);
    p->body1_bytes = elements(p, 2u * set->parties + level->sboxes + 2u);
    p->body2_bytes = elements(p, 2u * set->parties);
    p->block = !small ? p->repetitions : p->parties == 16 ? SLAB_REPETITIONS : 1;
    p->apart = small && p->octets > SLAB_OCTETS;
    p->halves = p->apart && level->version == 2;
    const uint32_t slab_octets = small || p->octets < SLAB_OCTETS ? SLAB_OCTETS : p->octets;
    const size_t slab_parties = 8u * SLAB_OCTETS;
    const size_t tapes = small ? SLAB_OCTETS : times(p->octets, p->repetitions);
    p->roots = take(memory, &used, elements(p, p->repetitions));
    p->trees = take(memory, &used, elements(p, times((size_t)2 << p->depth, p->block)));
    p->body1 = take(memory, &used, PREFIX_MAX + (p->apart ? elements(p, 2 * slab_parties) : times(p->body1_bytes, p->block)));
    p->body2 = take(memory, &used, PREFIX_MAX + (p->halves ? elements(p, slab_parties) : times(p->body2_bytes, p->block)));
    p->tapes = (uint64_t *)(void *)take(memory, &used, times(8 * p->tape_words, tapes));
    p->tape_keys = (uint64_t *)(void *)take(memory, &used, p->apart ? 8 * elements(p, p->octets) : 0);
    p->partial_v = (uint64_t *)(void *)take(memory, &used, 8 * elements(p, p->octets > slab_octets ? p->octets : slab_octets));
    p->x = (uint64_t *)(void *)take(memory, &used, 8 * elements(p, SLAB_OCTETS));
    p->z = (uint64_t *)(void *)take(memory, &used, times(8 * elements(p, SLAB_OCTETS), level->sboxes + 1u));
    p->alpha = (uint64_t *)(void *)take(memory, &used, 8 * elements(p, SLAB_OCTETS));
    p->epsilon = (uint64_t *)(void *)take(memory, &used, elements(p, times(p->repetitions, level->sboxes + 1u)));
    return used;
}

size_t hanji_aimer_protocol_bytes(const hanji_aimer *set, int small)
{
    protocol p;
    return lay_out(&p, NULL, set, small) + ((sizeof p + 63) & ~(size_t)63) + 64;
}

/* ---- hash inputs ---- */

static void load_words(uint64_t *out, const uint8_t *in, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        out[i] = load_le64(in + 8 * i);
}

static void store_words(uint8_t *out, const uint64_t *in, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        store_le64(out + 8 * i, in[i]);
}

static void make_form(hanji_hash_form *form, const protocol *p, uint8_t prefix, const uint8_t *salt, size_t salt_at, size_t seed_at, size_t index_at,
                      size_t bytes)
{
    uint8_t input[8 * HANJI_KECCAK_WORDS] = {0};
    input[0] = prefix;
    memcpy(input + salt_at, salt, p->level->version == 1 ? 2 * p->bytes : p->bytes);
    input[bytes] = 0x1f;
    input[p->level->rate - 1] ^= 0x80;
    memset(form, 0, sizeof *form);
    load_words(form->input, input, HANJI_KECCAK_WORDS);
    form->seed_word = (uint32_t)(seed_at / 8);
    form->seed_shift = (uint32_t)(seed_at % 8 * 8);
    form->index_word = (uint32_t)(index_at / 8);
    form->seed_words = p->words;
    form->rate_words = p->level->rate / 8u;
    form->byte_words = 2 * p->words;
}

/* The inputs of nodes and leaves: prefix, salt, repetition, number and seed, in an order that differs. */
static void make_forms(protocol *p, const uint8_t *salt)
{
    const size_t b = p->bytes;
    if (p->level->version == 1) {
        make_form(&p->node_form, p, 3, salt, 1 + b, 1, 3 * b + 1, 3 * b + 5);
        make_form(&p->leaf_form, p, 4, salt, 1, 2 * b + 5, 2 * b + 1, 3 * b + 5);
    } else {
        make_form(&p->node_form, p, 4, salt, 1, b + 3, b + 1, 2 * b + 3);
        make_form(&p->leaf_form, p, 5, salt, 1, b + 3, b + 1, 2 * b + 3);
    }
    p->leaf_form.octet_words = (uint32_t)(p->tape_words / 8);
}

HANJI_INLINE uint32_t hash_index(const protocol *p, uint32_t repetition, uint32_t number)
{
    return p->level->version == 1 ? repetition | number << 16 : repetition | number << 8;
}

/* ---- seed trees: node (depth d, position q) of a repetition is number 2^d + q, the root 1 ---- */

HANJI_INLINE uint8_t *node(const protocol *p, uint32_t repetition, uint32_t number)
{
    return p->trees + elements(p, ((size_t)(repetition - p->tree_first) << (p->depth + 1)) + number);
}

/* Expand all known nodes of the depths from `depth` to `past` - 1 of some repetitions; v1.0 cuts its trees off on the right. */
static void grow(protocol *p, uint32_t first, uint32_t repetitions, uint32_t depth, uint32_t past)
{
    const uint32_t back = p->level->version == 1 ? 1 : 0; /* v1.0 numbers nodes from 0 in the hash */
    for (; depth < past; depth++) {
        const uint32_t count = ((p->parties - 1) >> (p->depth - depth)) + 1;
        hanji_lanes_form(&p->lanes, &p->node_form);
        for (uint32_t e = first; e < first + repetitions; e++) {
            const uint32_t unknown = p->verify ? (uint32_t)(p->hidden[e] >> (p->depth - depth)) : UINT32_MAX;
            for (uint32_t q = 0; q < count; q++) {
                const uint32_t number = (1u << depth) + q;
                if (q == unknown)
                    continue;
                hanji_lanes_add(&p->lanes, node(p, e, number), hash_index(p, e, number - back), node(p, e, 2 * number), NULL);
            }
        }
    }
    hanji_lanes_flush(&p->lanes);
}

static const uint8_t *row_of(const protocol *p, uint32_t repetition)
{
    const size_t rows = elements(p, p->level->version == 1 ? 6u : 5u);
    return p->signature + rows + times(p->row_bytes, repetition);
}

/* The verifier's known nodes: siblings of the hidden path. A zero where v1.0 has no node; HANJI_E_TAG otherwise. Children of unknown nodes are written before this, so it comes per depth. */
static int plant(protocol *p, uint32_t first, uint32_t repetitions)
{
    uint8_t other = 0;
    for (uint32_t e = first; e < first + repetitions; e++) {
        const uint8_t *entry = row_of(p, e);
        for (uint32_t k = 0; k < p->depth; k++, entry += p->bytes) {
            const uint32_t q = (uint32_t)(p->hidden[e] >> k) ^ 1;
            if (q > (p->parties - 1) >> k)
                for (uint32_t i = 0; i < p->bytes; i++)
                    other |= entry[i];
            else
                memcpy(node(p, e, (1u << (p->depth - k)) + q), entry, p->bytes);
        }
    }
    return other == 0 ? HANJI_OK : HANJI_E_TAG;
}

static int begin_block(protocol *p, uint32_t first, uint32_t repetitions)
{
    p->tree_first = first;
    if (p->verify) {
        const int rc = plant(p, first, repetitions);
        if (rc != HANJI_OK)
            return rc;
    } else {
        for (uint32_t e = first; e < first + repetitions; e++)
            memcpy(node(p, e, 1), p->roots + elements(p, e), p->bytes);
    }
    /* The last depth comes with the commitments, so that a rider has more time in between. */
    grow(p, first, repetitions, 0, p->depth - 1);
    return HANJI_OK;
}

/* ---- slabs ---- */

static void first_slab(slab *s, const protocol *p, uint32_t first, uint32_t past)
{
    s->first = first;
    s->octet = 0;
    s->tapes = p->tapes;
    s->repetitions = p->parties != 16 ? 1 : past - first < SLAB_REPETITIONS ? past - first : SLAB_REPETITIONS;
    s->octets = p->parties == 16 ? 2 * s->repetitions : p->apart ? SLAB_OCTETS : p->octets;
}

HANJI_INLINE int ends_repetition(const slab *s, const protocol *p)
{
    return p->parties == 16 || s->octet + s->octets == p->octets;
}

/* The slab after this one, before repetition `past`; 0 when there is none. */
static int next_slab(slab *s, const protocol *p, uint32_t past)
{
    uint64_t *tapes = p->small ? s->tapes : s->tapes + times(p->tape_words, s->octets);
    const uint32_t octet = s->octet + s->octets;
    if (!ends_repetition(s, p)) {
        s->octet = octet;
        s->octets = p->octets - octet < SLAB_OCTETS ? p->octets - octet : SLAB_OCTETS;
        return 1;
    }
    const uint32_t next = s->first + s->repetitions;
    if (next == past)
        return 0;
    first_slab(s, p, next, past);
    s->tapes = tapes;
    return 1;
}

/* How many parties of one repetition a slab has. */
HANJI_INLINE uint32_t slab_parties(const slab *s, const protocol *p)
{
    const uint32_t left = p->parties - 8 * s->octet, here = 8 * (p->parties == 16 ? p->octets : s->octets);
    return left < here ? left : here;
}

/* Where the hashed texts of a repetition lie; each text of a block follows the one before. Where slabs are apart, those of a slab. */
HANJI_INLINE uint8_t *body1_of(const protocol *p, uint32_t repetition)
{
    return p->body1 + PREFIX_MAX + (p->apart ? 0 : times(p->body1_bytes, repetition - p->tree_first));
}

HANJI_INLINE uint8_t *body2_of(const protocol *p, uint32_t repetition)
{
    return p->body2 + PREFIX_MAX + (p->halves ? 0 : times(p->body2_bytes, repetition - p->tree_first));
}

/* Where a slab writes in them. */
HANJI_INLINE uint8_t *commitments_of(const protocol *p, const slab *s, uint32_t repetition)
{
    return body1_of(p, repetition) + (p->apart ? 0 : elements(p, 16u * s->octet));
}

/* Commitments and tapes of a slab; those of the hidden party are not known to a verifier. The lanes beside the parties are zero. */
static void commit(protocol *p, const slab *s)
{
    uint64_t *tape = s->tapes;
    /* The trees' last depth, once per repetition. */
    if (s->octet == 0)
        grow(p, s->first, s->repetitions, p->depth - 1, p->depth);
    hanji_lanes_form(&p->lanes, &p->leaf_form);
    for (uint32_t e = s->first; e < s->first + s->repetitions; e++) {
        uint8_t *commitment = commitments_of(p, s, e);
        const uint32_t past = p->parties == 16 ? p->octets : s->octet + s->octets;
        for (uint32_t party = 8 * s->octet; party < 8 * past; party++, commitment += 2 * p->bytes) {
            uint64_t *lane = tape + party % 8;
            if (party < p->parties && !(p->verify && party == p->hidden[e])) {
                hanji_lanes_add(&p->lanes, node(p, e, (1u << p->depth) + party), hash_index(p, e, party), commitment, lane);
            } else {
                for (size_t w = 0; w < p->tape_words; w += 8)
                    lane[w] = 0;
                if (party < p->parties)
                    memcpy(commitment, row_of(p, e) + p->path_bytes, 2 * p->bytes);
            }
            if (party % 8 == 7)
                tape += p->tape_words;
        }
    }
    hanji_lanes_flush(&p->lanes);
}

/* The first text goes on: the commitments of a slab, and behind the last ones of a repetition its corrections, which are in the signature. */
static void hash_commitments(protocol *p, const slab *s)
{
    const size_t corrections = elements(p, p->sboxes + 2);
    if (p->apart)
        hanji_shake_absorb(&p->shake1, body1_of(p, s->first), elements(p, 2 * slab_parties(s, p)));
    if (!ends_repetition(s, p))
        return;
    for (uint32_t e = s->first; e < s->first + s->repetitions; e++) {
        const uint8_t *row = row_of(p, e) + p->path_bytes + 2 * p->bytes;
        if (p->apart)
            hanji_shake_absorb(&p->shake1, row, corrections);
        else
            memcpy(body1_of(p, e) + p->body1_bytes - corrections, row, corrections);
    }
    if (!p->small)
        p->h1.end = body1_of(p, s->first + s->repetitions);
    else if (!p->apart)
        hanji_shake_absorb(&p->shake1, body1_of(p, s->first), times(p->body1_bytes, s->repetitions));
}

/* ---- the signer's corrections ---- */

/* Add the tapes of a slab to the sums of its repetitions. */
static void add_tapes(protocol *p, const slab *s)
{
    const uint64_t *tape = s->tapes;
    const uint32_t octets = p->parties == 16 ? p->octets : s->octets;
    const uint32_t elements_words = (uint32_t)(p->tape_words / 8);
    for (uint32_t r = 0; r < s->repetitions; r++) {
        if (s->octet == 0)
            memset(p->sums[r], 0, sizeof p->sums[r]);
        /* One count over octets and words: with two the compiler would compute where the inner one ends by a product. */
        for (uint32_t o = 0, w = 0; o < octets; tape += 8) {
            p->sums[r][w] ^= tape[0] ^ tape[1] ^ tape[2] ^ tape[3] ^ tape[4] ^ tape[5] ^ tape[6] ^ tape[7];
            if (++w == elements_words) {
                w = 0;
                o++;
            }
        }
    }
}

/* The corrections of a repetition from the sums, into the signature: key, t_1 .. t_S, c. */
static void correct(protocol *p, uint8_t *signature, uint32_t repetition, uint64_t *sums)
{
    const uint32_t words = p->words;
    uint8_t *row = signature + (row_of(p, repetition) - p->signature) + p->path_bytes + 2 * p->bytes;
    const uint64_t *a = sums + in_words(words, p->sboxes + 1);
    uint64_t product[WORDS_MAX];
    p->key->algebra.power(product, a, 0, p->key->key, words);
    for (uint32_t i = 0; i < words; i++) {
        sums[i] ^= p->key->key[i];
        for (uint32_t s = 0; s < p->sboxes; s++)
            sums[in_words(words, s + 1) + i] ^= p->key->t[s][i];
        product[i] ^= a[words + i];
    }
    store_words(row, sums, (uint32_t)in_words(words, p->sboxes + 1));
    store_words(row + elements(p, p->sboxes + 1), product, words);
    hanji_wipe(product, sizeof product);
}

/* Give the corrections to the party that takes them, if it is in the slab and not hidden. */
static void take_corrections(protocol *p, const slab *s)
{
    for (uint32_t r = 0; r < s->repetitions; r++) {
        const uint32_t e = s->first + r, octet = p->corrected / 8;
        if ((p->verify && p->hidden[e] == p->corrected) || octet < s->octet || octet >= s->octet + (p->parties == 16 ? p->octets : s->octets))
            continue;
        uint64_t *lane = s->tapes + times(p->tape_words, (p->parties == 16 ? 2 * r : 0) + octet - s->octet) + p->corrected % 8;
        const uint8_t *row = row_of(p, e) + p->path_bytes + 2 * p->bytes;
        for (uint32_t k = 0; k < p->sboxes + 2; k++) {
            for (uint32_t i = 0; i < p->words; i++, row += 8)
                lane[8 * i] ^= load_le64(row);
            lane += 8 * p->words;
            if (k == p->sboxes)
                lane += 8 * p->words; /* a takes none */
        }
    }
}

/* ---- simulation of the parties ---- */

/* Octets of field elements to bytes, `step` bytes from party to party. */
static void scatter(uint8_t *out, size_t step, const uint64_t *octets, uint32_t parties, uint32_t words)
{
    for (uint32_t party = 0; party < parties; party++, out += step) {
        for (uint32_t i = 0; i < words; i++)
            store_le64(out + 8 * i, octets[8 * i + party % 8]);
        if (party % 8 == 7)
            octets += 8 * words;
    }
}

static void add_octets(uint64_t *sum, const uint64_t *octets, uint32_t count, uint32_t words)
{
    for (; count > 0; count--)
        for (uint32_t i = 0; i < words; i++, octets += 8)
            sum[i] ^= octets[0] ^ octets[1] ^ octets[2] ^ octets[3] ^ octets[4] ^ octets[5] ^ octets[6] ^ octets[7];
}

/* Offsets in the second text: v1.0 puts alpha and v of a party side by side, v2.1 all of alpha before all of v. */
HANJI_INLINE size_t text_step(const protocol *p)
{
    return p->level->version == 1 ? 2 * p->bytes : p->bytes;
}

HANJI_INLINE uint8_t *text_v(const protocol *p, uint32_t repetition)
{
    return body2_of(p, repetition) + (p->level->version == 1 ? p->bytes : elements(p, p->parties));
}

/* The octet at which repetition r of a slab begins; more than one repetition means two octets each. */
HANJI_INLINE uint32_t from_octet(uint32_t r, uint32_t per)
{
    return r == 0 ? 0 : per == 2 ? r << 1 : r;
}

/*
 * Up to eight octets that begin at `tape`: x and z of every relation, which do not depend on the challenge, so one call of the matrices serves all repetitions; then for each
 * repetition alpha, and v without the product by the sum of the alphas.
 */
static void simulate_octets(protocol *p, const uint64_t *tape, uint32_t first, uint32_t repetitions, uint32_t octet, uint32_t octets,
                            uint64_t *partial_v)
{
    const hanji_aimer_algebra *algebra = &p->key->algebra;
    const uint32_t words = p->words, per = p->parties == 16 ? p->octets : octets;
    const size_t element = 8 * words, relation = SLAB_OCTETS * element, stride = p->tape_words;
    const uint64_t *matrix = p->key->matrices;
    const uint64_t *t = tape + element, *a = tape + in_octets(words, p->sboxes + 1), *c = a + element;
    for (uint32_t s = 0; s < p->sboxes; s++, matrix += p->key->matrix_words)
        algebra->apply(p->x, element, t + in_octets(words, s), stride, octets, matrix, words, s != 0);
    for (uint32_t r = 0; r < repetitions; r++) {
        const uint32_t e = first + r, at = p->corrected / 8;
        if (at < octet || at >= octet + per || (p->verify && p->hidden[e] == p->corrected))
            continue;
        uint64_t *lane = p->x + in_octets(words, from_octet(r, per) + at - octet) + p->corrected % 8;
        for (uint32_t i = 0; i < words; i++)
            lane[8 * i] ^= p->key->b[i];
    }
    uint64_t *z = p->z;
    for (uint32_t s = 0; s < p->sboxes; s++, matrix += p->key->matrix_words, z += relation)
        algebra->apply(z, element, p->level->version == 1 ? tape : t + in_octets(words, s), stride, octets, matrix, words, 0);
    algebra->apply(z, element, p->x, element, octets, matrix, words, 0);
    for (uint32_t r = 0; r < repetitions; r++) {
        const uint32_t e = first + r, from = from_octet(r, per);
        const uint64_t *epsilon = p->epsilon + times(in_words(words, p->sboxes + 1), e);
        hanji_term terms[HANJI_TERMS_MAX];
        for (uint32_t k = 0; k <= p->sboxes; k++) {
            terms[k].in = k < p->sboxes ? t + in_octets(words, k) + times(stride, from) : p->x + in_octets(words, from);
            terms[k].stride = k < p->sboxes ? stride : element;
            terms[k].coefficient = epsilon + in_words(words, k);
        }
        uint64_t *alpha = p->alpha;
        algebra->products(alpha, element, a + times(stride, from), stride, terms, p->sboxes + 1, per, words);
        for (uint32_t k = 0; k <= p->sboxes; k++) {
            terms[k].in = p->z + SLAB_OCTETS * in_octets(words, k) + in_octets(words, from);
            terms[k].stride = element;
        }
        algebra->products(partial_v + in_octets(words, from), element, c + times(stride, from), stride, terms, p->sboxes + 1, per, words);
        add_octets(p->alpha_sum[r], alpha, per, words);
        const uint32_t left = p->parties - 8 * octet;
        scatter(body2_of(p, e) + (p->halves ? 0 : times(text_step(p), 8 * octet)), text_step(p), alpha, left < 8 * per ? left : 8 * per, words);
    }
}

/* The hidden party's alpha, in the signature. */
static const uint8_t *opened_alpha(const protocol *p, uint32_t repetition)
{
    return row_of(p, repetition) + p->row_bytes - p->bytes;
}

static void simulate(protocol *p, const slab *s)
{
    if (s->octet == 0)
        memset(p->alpha_sum, 0, sizeof p->alpha_sum);
    const uint64_t *tape = s->tapes;
    uint64_t *partial_v = p->partial_v + in_octets(p->words, s->octet);
    for (uint32_t done = 0; done < s->octets;) {
        const uint32_t now = s->octets - done < SLAB_OCTETS ? s->octets - done : SLAB_OCTETS;
        simulate_octets(p, tape, s->first, s->repetitions, s->octet + done, now, partial_v);
        /* A repetition that is in memory only in part needs its key shares once more. */
        if (p->apart)
            for (uint32_t o = 0; o < now; o++)
                memcpy(p->tape_keys + in_octets(p->words, s->octet + done + o), tape + times(p->tape_words, o), sizeof(uint64_t) * 8 * p->words);
        tape += times(p->tape_words, now);
        partial_v += in_octets(p->words, now);
        done += now;
    }
    if (p->halves) {
        const uint32_t parties = slab_parties(s, p), hidden = p->hidden[s->first] - 8u * s->octet;
        if (p->verify && hidden < parties)
            memcpy(p->body2 + PREFIX_MAX + elements(p, hidden), opened_alpha(p, s->first), p->bytes);
        hanji_shake_absorb(&p->shake2, p->body2 + PREFIX_MAX, elements(p, parties));
    }
}

/* The second text goes on with v of all parties of a repetition, in the room of a slab. */
static void hash_halves(protocol *p, const uint64_t *v)
{
    for (uint32_t party = 0; party < p->parties; party += 8 * SLAB_OCTETS, v += SLAB_OCTETS * 8 * p->words) {
        const uint32_t left = p->parties - party, now = left < 8 * SLAB_OCTETS ? left : 8 * SLAB_OCTETS;
        scatter(p->body2 + PREFIX_MAX, p->bytes, v, now, p->words);
        hanji_shake_absorb(&p->shake2, p->body2 + PREFIX_MAX, elements(p, now));
    }
}

/* All alphas of these repetitions are known: their sum, and v; and the second text goes on. */
static void finish_repetitions(protocol *p, const slab *s)
{
    const uint32_t words = p->words;
    const size_t element = 8 * words;
    uint64_t *partial_v = p->partial_v;
    const uint64_t *keys = p->apart ? p->tape_keys : s->tapes;
    const size_t stride = p->apart ? element : p->tape_words;
    for (uint32_t r = 0; r < s->repetitions; r++) {
        const uint32_t e = s->first + r;
        if (p->verify) {
            const uint8_t *opened = opened_alpha(p, e);
            uint64_t alpha[WORDS_MAX];
            load_words(alpha, opened, words);
            for (uint32_t i = 0; i < words; i++)
                p->alpha_sum[r][i] ^= alpha[i];
            if (!p->halves)
                memcpy(body2_of(p, e) + times(text_step(p), p->hidden[e]), opened, p->bytes);
        }
        hanji_aimer_revealed(p->alpha_sum[r], p->bytes, "the sum of all alphas is opened to everybody");
        const hanji_term term = {keys, stride, p->alpha_sum[r]};
        p->key->algebra.products(partial_v, element, partial_v, element, &term, 1, p->octets, words);
        if (p->verify) {
            /* The shares of all v have the sum zero. */
            uint64_t sum[WORDS_MAX] = {0};
            add_octets(sum, partial_v, p->octets, words);
            uint64_t *lane = partial_v + in_octets(words, p->hidden[e] / 8u) + p->hidden[e] % 8u;
            for (uint32_t i = 0; i < words; i++)
                lane[8 * i] = sum[i];
        }
        if (p->halves)
            hash_halves(p, partial_v);
        else
            scatter(text_v(p, e), text_step(p), partial_v, p->parties, words);
        partial_v += in_octets(words, p->octets);
        keys += times(stride, p->octets);
    }
    if (!p->small)
        p->h2.end = body2_of(p, s->first + s->repetitions);
    else if (!p->halves)
        hanji_shake_absorb(&p->shake2, body2_of(p, s->first), times(p->body2_bytes, s->repetitions));
}

/* ---- challenges ---- */

/* Go on with a hash in a lane: what it holds of an unfinished block stands before the text. */
static void board(hanji_rider *rider, uint8_t *text, const hanji_shake *shake)
{
    memcpy(rider->state, shake->state, sizeof rider->state);
    memcpy(text - shake->held, shake->pending, shake->held);
    rider->next = text - shake->held;
    rider->end = text;
}

static void alight(hanji_shake *shake, const hanji_rider *rider)
{
    memcpy(shake->state, rider->state, sizeof shake->state);
    shake->held = (uint32_t)(rider->end - rider->next);
    memcpy(shake->pending, rider->next, shake->held);
}

static void make_epsilon(protocol *p, const uint8_t *h1)
{
    hanji_shake shake;
    uint8_t element[8 * WORDS_MAX];
    hanji_shake_init(&shake, p->level->rate);
    hanji_shake_absorb(&shake, h1, 2 * p->bytes);
    hanji_shake_finish(&shake);
    uint64_t *to = p->epsilon;
    for (size_t count = times(p->repetitions, p->sboxes + 1); count > 0; count--, to += p->words) {
        hanji_shake_squeeze(element, p->bytes, &shake);
        load_words(to, element, p->words);
    }
}

/* The hidden parties: public. v1.0 rejects numbers that are too large, v2.1 has powers of two only. */
static void make_hidden(protocol *p, const uint8_t *h2)
{
    hanji_shake shake;
    hanji_shake_init(&shake, p->level->rate);
    hanji_shake_absorb(&shake, h2, 2 * p->bytes);
    hanji_shake_finish(&shake);
    for (uint32_t e = 0; e < p->repetitions;) {
        uint8_t two[2] = {0, 0};
        hanji_shake_squeeze(two, p->parties > 256 ? 2 : 1, &shake);
        const uint32_t number = ((uint32_t)two[0] | (uint32_t)two[1] << 8) & ((1u << p->depth) - 1);
        if (number < p->parties)
            p->hidden[e++] = (uint16_t)number;
    }
}

/* Begin h1 behind the message: v1.0 has hashed it already, v2.1 hashes its digest. */
static void begin_h1(hanji_shake *shake, const protocol *p, const hanji_shake *message, const uint8_t *mu, const uint8_t *salt)
{
    const uint8_t one = 1;
    if (p->level->version == 1) {
        uint8_t public_key[2 * 8 * WORDS_MAX];
        store_words(public_key, p->key->iv, p->words);
        store_words(public_key + p->bytes, p->key->ct, p->words);
        *shake = *message;
        hanji_shake_absorb(shake, public_key, 2 * p->bytes);
        hanji_shake_absorb(shake, salt, 2 * p->bytes);
    } else {
        hanji_shake_init(shake, p->level->rate);
        hanji_shake_absorb(shake, &one, 1);
        hanji_shake_absorb(shake, mu, 2 * p->bytes);
        hanji_shake_absorb(shake, salt, p->bytes);
    }
}

static void begin_h2(hanji_shake *shake, const protocol *p, const uint8_t *salt, const uint8_t *h1)
{
    const uint8_t two = 2;
    hanji_shake_init(shake, p->level->rate);
    hanji_shake_absorb(shake, &two, 1);
    if (p->level->version == 1) {
        hanji_shake_absorb(shake, salt, 2 * p->bytes);
        hanji_shake_absorb(shake, h1, 2 * p->bytes);
    } else {
        hanji_shake_absorb(shake, h1, 2 * p->bytes);
        hanji_shake_absorb(shake, salt, p->bytes);
    }
}

static void end_hash(uint8_t *digest, hanji_shake *shake, const protocol *p)
{
    hanji_shake_finish(shake);
    hanji_shake_squeeze(digest, 2 * p->bytes, shake);
}

void hanji_aimer_protocol_message(hanji_shake *message, const hanji_aimer_expanded *key)
{
    const uint32_t words = key->set->level->words;
    uint8_t head[1 + 2 * 8 * WORDS_MAX];
    hanji_shake_init(message, key->set->level->rate);
    head[0] = key->set->level->version == 1;
    store_words(head + 1, key->iv, words);
    store_words(head + 1 + 8 * words, key->ct, words);
    hanji_shake_absorb(message, head, key->set->level->version == 1 ? 1 : 1 + 16 * words);
}

/* ---- the two protocols ---- */

/* Where the protocol lies in its memory. */
static protocol *at_64(void *memory)
{
    return (protocol *)(void *)((uint8_t *)memory + (-(uintptr_t)memory & 63));
}

static protocol *begin(void *memory, const hanji_aimer_expanded *key, int small)
{
    protocol *p = at_64(memory);
    memset(p, 0, sizeof *p);
    (void)lay_out(p, (uint8_t *)p + ((sizeof *p + 63) & ~(size_t)63), key->set, small);
    p->key = key;
    hanji_lanes_init(&p->lanes, p->level->rate);
    return p;
}

/* Salt and root seeds, from the random generator (v1.0) or from key, message and some randomness (v2.1). */
static int make_roots(protocol *p, uint8_t *salt, const uint8_t *mu, hanji_random_fn *random, void *random_state)
{
    int rc;
    if (p->level->version == 1) {
        rc = random(salt, 2 * p->bytes, random_state);
        uint8_t *root = p->roots;
        for (uint32_t e = 0; rc == HANJI_OK && e < p->repetitions; e++, root += p->bytes)
            rc = random(root, p->bytes, random_state);
        return rc;
    }
    hanji_shake shake;
    uint8_t input[1 + 4 * 8 * WORDS_MAX];
    input[0] = 3;
    store_words(input + 1, p->key->key, p->words);
    memcpy(input + 1 + p->bytes, mu, 2 * p->bytes);
    rc = random(input + 1 + 3 * p->bytes, p->bytes, random_state);
    if (rc == HANJI_OK) {
        hanji_shake_init(&shake, p->level->rate);
        hanji_shake_absorb(&shake, input, 1 + 4 * p->bytes);
        hanji_shake_finish(&shake);
        hanji_shake_squeeze(salt, p->bytes, &shake);
        hanji_shake_squeeze(p->roots, elements(p, p->repetitions), &shake);
        hanji_wipe(&shake, sizeof shake);
    }
    hanji_wipe(input, sizeof input);
    return rc;
}

/* First pass: commitments and corrections, and h1 over them. At full speed another hash may ride beside it. */
static void sign_commit(protocol *p, uint8_t *signature, hanji_rider *other)
{
    if (!p->small) {
        board(&p->h1, p->body1 + PREFIX_MAX, &p->shake1);
        p->lanes.rider[0] = &p->h1;
        p->lanes.rider[1] = other;
    }
    for (uint32_t first = 0; first < p->repetitions; first += p->block) {
        const uint32_t past = p->repetitions - first < p->block ? p->repetitions : first + p->block;
        slab s;
        (void)begin_block(p, first, past - first);
        first_slab(&s, p, first, past);
        do {
            commit(p, &s);
            add_tapes(p, &s);
            if (ends_repetition(&s, p))
                for (uint32_t r = 0; r < s.repetitions; r++)
                    correct(p, signature, s.first + r, p->sums[r]);
            hash_commitments(p, &s);
        } while (next_slab(&s, p, past));
    }
    if (!p->small) {
        hanji_lanes_drain(&p->lanes);
        p->lanes.rider[0] = p->lanes.rider[1] = NULL;
        alight(&p->shake1, &p->h1);
    }
}

/* Second pass: simulate all parties, and h2 over what they say; at full speed that text is only made here. */
static void sign_simulate(protocol *p)
{
    if (!p->small)
        board(&p->h2, p->body2 + PREFIX_MAX, &p->shake2);
    for (uint32_t first = 0; first < p->repetitions; first += p->block) {
        const uint32_t past = p->repetitions - first < p->block ? p->repetitions : first + p->block;
        slab s;
        if (p->small)
            (void)begin_block(p, first, past - first);
        first_slab(&s, p, first, past);
        do {
            if (p->small)
                commit(p, &s);
            take_corrections(p, &s);
            simulate(p, &s);
            if (ends_repetition(&s, p))
                finish_repetitions(p, &s);
        } while (next_slab(&s, p, past));
    }
}

/* Little memory: commitment and tape of the hidden party once more, and its alpha. */
static void reopen_hidden(protocol *p, uint8_t *commitment, uint8_t *alpha, uint32_t repetition)
{
    const hanji_aimer_algebra *algebra = &p->key->algebra;
    const uint32_t words = p->words, party = p->hidden[repetition];
    const size_t element = 8 * words;
    const uint64_t *matrix = p->key->matrices;
    slab s = {repetition, 1, party / 8, 1, p->tapes};
    memset(p->tapes, 0, p->tape_words * sizeof(uint64_t));
    hanji_lanes_form(&p->lanes, &p->leaf_form);
    hanji_lanes_add(&p->lanes, node(p, repetition, (1u << p->depth) + party), hash_index(p, repetition, party), commitment, p->tapes + party % 8);
    hanji_lanes_flush(&p->lanes);
    if (party == p->corrected)
        take_corrections(p, &s);
    hanji_term terms[HANJI_TERMS_MAX];
    for (uint32_t k = 0; k <= p->sboxes; k++) {
        terms[k].in = k < p->sboxes ? p->tapes + in_octets(words, k + 1) : p->x;
        terms[k].stride = 0;
        terms[k].coefficient = p->epsilon + times(in_words(words, p->sboxes + 1), repetition) + in_words(words, k);
    }
    for (uint32_t k = 0; k < p->sboxes; k++, matrix += p->key->matrix_words)
        algebra->apply(p->x, element, terms[k].in, 0, 1, matrix, words, k != 0);
    for (uint32_t i = 0; party == p->corrected && i < words; i++)
        p->x[8 * i + party % 8] ^= p->key->b[i];
    algebra->products(p->alpha, element, p->tapes + in_octets(words, p->sboxes + 1), 0, terms, p->sboxes + 1, 1, words);
    for (uint32_t i = 0; i < words; i++)
        store_le64(alpha + 8 * i, p->alpha[8 * i + party % 8]);
}

/* Third pass: open all parties but the hidden ones. */
static void sign_open(protocol *p, uint8_t *signature)
{
    for (uint32_t first = 0; first < p->repetitions; first += p->block) {
        const uint32_t past = p->repetitions - first < p->block ? p->repetitions : first + p->block;
        if (p->small) {
            (void)begin_block(p, first, past - first);
            grow(p, first, past - first, p->depth - 1, p->depth);
        }
        for (uint32_t e = first; e < past; e++) {
            uint8_t *row = signature + (row_of(p, e) - p->signature), *entry = row;
            for (uint32_t k = 0; k < p->depth; k++, entry += p->bytes) {
                const uint32_t q = (uint32_t)(p->hidden[e] >> k) ^ 1;
                if (q > (p->parties - 1) >> k)
                    memset(entry, 0, p->bytes);
                else
                    memcpy(entry, node(p, e, (1u << (p->depth - k)) + q), p->bytes);
            }
            uint8_t *commitment = row + p->path_bytes, *alpha = row + p->row_bytes - p->bytes;
            if (p->small) {
                reopen_hidden(p, commitment, alpha, e);
            } else {
                memcpy(commitment, body1_of(p, e) + elements(p, 2u * p->hidden[e]), 2 * p->bytes);
                memcpy(alpha, body2_of(p, e) + times(text_step(p), p->hidden[e]), p->bytes);
            }
        }
    }
}

int hanji_aimer_protocol_sign_begin(uint8_t *signature, hanji_shake *message, const hanji_aimer_expanded *key, hanji_random_fn *random,
                                    void *random_state, void *memory, int small, void *other)
{
    protocol *p = begin(memory, key, small);
    const size_t salt_bytes = p->level->version == 1 ? 2 * p->bytes : p->bytes;
    uint8_t *salt = signature, *h1 = salt + salt_bytes;
    uint8_t mu[2 * 8 * WORDS_MAX];
    p->signature = signature;
    if (p->level->version == 2)
        end_hash(mu, message, p);
    const int rc = make_roots(p, salt, mu, random, random_state);
    if (rc != HANJI_OK) {
        hanji_wipe(memory, hanji_aimer_protocol_bytes(key->set, small));
        return rc;
    }
    hanji_aimer_revealed(salt, salt_bytes, "the salt is part of the signature");
    make_forms(p, salt);
    begin_h1(&p->shake1, p, message, mu, salt);
    sign_commit(p, signature, other == NULL ? NULL : &at_64(other)->h2);
    end_hash(h1, &p->shake1, p);
    hanji_aimer_revealed(h1, 2 * p->bytes, "the first challenge is part of the signature");
    make_epsilon(p, h1);
    begin_h2(&p->shake2, p, salt, h1);
    sign_simulate(p);
    return HANJI_OK;
}

void hanji_aimer_protocol_sign_end(uint8_t *signature, void *memory)
{
    protocol *p = at_64(memory);
    uint8_t *h2 = signature + elements(p, p->level->version == 1 ? 4 : 3);
    if (!p->small) {
        p->lanes.rider[0] = &p->h2;
        hanji_lanes_drain(&p->lanes);
        alight(&p->shake2, &p->h2);
    }
    end_hash(h2, &p->shake2, p);
    hanji_aimer_revealed(h2, 2 * p->bytes, "the second challenge is part of the signature");
    make_hidden(p, h2);
    sign_open(p, signature);
    hanji_wipe(memory, hanji_aimer_protocol_bytes(p->set, (int)p->small));
}

/* All but the hidden parties once more, and both hashes over what they say. */
static int verify_parties(protocol *p)
{
    if (!p->small) {
        board(&p->h1, p->body1 + PREFIX_MAX, &p->shake1);
        board(&p->h2, p->body2 + PREFIX_MAX, &p->shake2);
        p->lanes.rider[0] = &p->h1;
        p->lanes.rider[1] = &p->h2;
    }
    for (uint32_t first = 0; first < p->repetitions; first += p->block) {
        const uint32_t past = p->repetitions - first < p->block ? p->repetitions : first + p->block;
        slab s;
        const int rc = begin_block(p, first, past - first);
        if (rc != HANJI_OK)
            return rc;
        first_slab(&s, p, first, past);
        do {
            commit(p, &s);
            hash_commitments(p, &s);
            take_corrections(p, &s);
            simulate(p, &s);
            if (ends_repetition(&s, p))
                finish_repetitions(p, &s);
        } while (next_slab(&s, p, past));
    }
    if (!p->small) {
        hanji_lanes_drain(&p->lanes);
        alight(&p->shake1, &p->h1);
        alight(&p->shake2, &p->h2);
    }
    return HANJI_OK;
}

int hanji_aimer_protocol_verify(const uint8_t *signature, hanji_shake *message, const hanji_aimer_expanded *key, void *memory, int small)
{
    protocol *p = begin(memory, key, small);
    const size_t salt_bytes = p->level->version == 1 ? 2 * p->bytes : p->bytes, digest = 2 * p->bytes;
    const uint8_t *salt = signature, *h1 = salt + salt_bytes, *h2 = h1 + digest;
    uint8_t mu[2 * 8 * WORDS_MAX], again1[2 * 8 * WORDS_MAX], again2[2 * 8 * WORDS_MAX];
    p->signature = signature;
    p->verify = 1;
    if (p->level->version == 2)
        end_hash(mu, message, p);
    make_forms(p, salt);
    make_hidden(p, h2);
    make_epsilon(p, h1);
    begin_h1(&p->shake1, p, message, mu, salt);
    begin_h2(&p->shake2, p, salt, h1);
    const int rc = verify_parties(p);
    if (rc != HANJI_OK)
        return rc;
    end_hash(again1, &p->shake1, p);
    end_hash(again2, &p->shake2, p);
    return hanji_equal(again1, h1, digest) & hanji_equal(again2, h2, digest) ? HANJI_OK : HANJI_E_TAG;
}
