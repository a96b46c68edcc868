/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Seed trees: growing them, commitments and tapes of their leaves, and opening all leaves but one.
 */
#include "aimer/generation.h"

void hanji_aimer_make_form(hanji_hash_form *form, const hanji_aimer_protocol *p, uint8_t prefix,
                           size_t salt_at, size_t seed_at, size_t index_at, size_t bytes)
{
    uint8_t input[8 * HANJI_KECCAK_WORDS] = {0};
    input[0] = prefix;
    memcpy(input + salt_at, p->head, elements(p, p->generation->salt));
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

HANJI_INLINE uint32_t hash_index(const hanji_aimer_protocol *p, uint32_t repetition,
                                 uint32_t number)
{
    return p->generation->index_shift == 16 ? repetition | number << 16 : repetition | number << 8;
}

/* Node (depth d, position q) of a repetition is number 2^d + q, the root 1. */
HANJI_INLINE uint8_t *node(const hanji_aimer_protocol *p, uint32_t repetition, uint32_t number)
{
    return p->trees +
           elements(p, ((size_t)(repetition - p->tree_first) << (p->depth + 1)) + number);
}

/*
 * Expand all known nodes of the depths from `depth` to `past` - 1 of some repetitions; v1.0 cuts
 * its trees off on the right.
 */
static void grow(hanji_aimer_protocol *p, uint32_t first, uint32_t repetitions, uint32_t depth,
                 uint32_t past)
{
    const uint32_t back = p->generation->node_back;
    for (; depth < past; depth++) {
        const uint32_t count = ((p->parties - 1) >> (p->depth - depth)) + 1;
        hanji_lanes_form(&p->lanes, &p->node_form);
        for (uint32_t e = first; e < first + repetitions; e++) {
            const uint32_t unknown =
                p->verify ? (uint32_t)(p->hidden[e] >> (p->depth - depth)) : UINT32_MAX;
            for (uint32_t q = 0; q < count; q++) {
                const uint32_t number = (1u << depth) + q;
                if (q == unknown)
                    continue;
                hanji_lanes_add(&p->lanes, node(p, e, number), hash_index(p, e, number - back),
                                node(p, e, 2 * number), NULL);
            }
        }
    }
    hanji_lanes_flush(&p->lanes);
}

/*
 * The verifier's known nodes: siblings of the hidden path, and the rest of each repetition. A zero
 * where v1.0 has no node; HANJI_E_TAG otherwise.
 */
static int load_siblings(hanji_aimer_protocol *p, uint32_t first, uint32_t repetitions)
{
    uint8_t other = 0;
    for (uint32_t e = first; e < first + repetitions; e++) {
        const uint8_t *entry = p->signature + row_at(p, e);
        for (uint32_t k = 0; k < p->depth; k++, entry += p->bytes) {
            const uint32_t q = (uint32_t)(p->hidden[e] >> k) ^ 1;
            if (q > (p->parties - 1) >> k)
                for (uint32_t i = 0; i < p->bytes; i++)
                    other |= entry[i];
            else
                memcpy(node(p, e, (1u << (p->depth - k)) + q), entry, p->bytes);
        }
        memcpy(tail_of(p, e), entry, p->tail_bytes);
    }
    return other == 0 ? HANJI_OK : HANJI_E_TAG;
}

int hanji_aimer_begin_block(hanji_aimer_protocol *p, uint32_t first, uint32_t repetitions)
{
    p->tree_first = first;
    if (p->verify) {
        const int rc = load_siblings(p, first, repetitions);
        if (rc != HANJI_OK)
            return rc;
    } else {
        for (uint32_t e = first; e < first + repetitions; e++)
            memcpy(node(p, e, 1), p->roots + elements(p, e), p->bytes);
    }
    /* The last depth comes with the commitments, so a long hash has more time in between. */
    grow(p, first, repetitions, 0, p->depth - 1);
    return HANJI_OK;
}

/* Commitment and tape of one leaf. */
static void add_leaf(hanji_aimer_protocol *p, uint32_t repetition, uint32_t party,
                     uint8_t *commitment, uint64_t *lane)
{
    hanji_lanes_add(&p->lanes, node(p, repetition, (1u << p->depth) + party),
                    hash_index(p, repetition, party), commitment, lane);
}

/*
 * At full speed memory to be written soon, far from all of the nearest caches, comes
 * while leaves are hashed: a verifier's second text, a signer's next octet of tapes.
 */
static void fetch_ahead(const hanji_aimer_protocol *p, const uint64_t *tape, uint32_t repetition,
                        uint32_t party)
{
#ifndef HANJI_FREESTANDING
    const size_t text = elements(p, p->openings + 1u);
    const size_t bytes = p->verify ? text : p->tape_words;
    const uint8_t *from = p->verify ? body2_of(p, repetition) + text * party
                                    : (const uint8_t *)(tape + p->tape_words) + bytes * (party % 8);
    for (size_t at = 0; !p->small && at < bytes; at += 64)
        __builtin_prefetch(from + at, 0, 2);
#else
    (void)p;
    (void)tape;
    (void)repetition;
    (void)party;
#endif
}

void hanji_aimer_commit(hanji_aimer_protocol *p, const hanji_aimer_slab *s)
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
            fetch_ahead(p, tape, e, party);
            if (party < p->parties && !(p->verify && party == p->hidden[e])) {
                add_leaf(p, e, party, commitment, lane);
            } else {
                for (size_t w = 0; w < p->tape_words; w += 8)
                    lane[w] = 0;
                if (party < p->parties)
                    memcpy(commitment, tail_of(p, e), 2 * p->bytes);
            }
            if (party % 8 == 7)
                tape += p->tape_words;
        }
    }
    hanji_lanes_flush(&p->lanes);
}

void hanji_aimer_leaf(hanji_aimer_protocol *p, uint32_t repetition, uint32_t party,
                      uint8_t *commitment, uint64_t *tape)
{
    grow(p, repetition, 1, p->depth - 1, p->depth);
    memset(tape, 0, p->tape_words * sizeof(uint64_t));
    hanji_lanes_form(&p->lanes, &p->leaf_form);
    add_leaf(p, repetition, party, commitment, tape + party % 8);
    hanji_lanes_flush(&p->lanes);
}

/*
 * The hidden leaf and all nodes above it are erased first, so no single fault in what follows,
 * which has its numbers from elsewhere, can reveal one of them.
 */
void hanji_aimer_open(hanji_aimer_protocol *p, uint8_t *signature, uint32_t repetition,
                      uint32_t hidden_again)
{
    for (uint32_t number = (1u << p->depth) + p->hidden[repetition]; number > 0; number >>= 1)
        hanji_wipe(node(p, repetition, number), p->bytes);
    hanji_wipe(p->roots + elements(p, repetition), p->bytes);
    uint8_t *entry = signature + row_at(p, repetition);
    for (uint32_t k = 0; k < p->depth; k++, entry += p->bytes) {
        const uint32_t q = hidden_again >> k ^ 1;
        if (q > (p->parties - 1) >> k)
            memset(entry, 0, p->bytes);
        else
            memcpy(entry, node(p, repetition, (1u << (p->depth - k)) + q), p->bytes);
    }
}
