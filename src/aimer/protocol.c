/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signing and verifying (AIMer v3, sections 7 and 8; v2.1, section 3; v1.0, section 3.4), in slabs.
 * At full speed the tapes of all slabs are kept from one pass to the next, and the two hashed texts
 * are long hashes in lanes beside short ones. In little memory each pass makes the tapes again,
 * trees exist for a block of few repetitions, and the texts are hashed as they come, from the room
 * of a slab. generation.h hides how generations differ.
 */
#include "aimer/protocol.h"

#include "aimer/generation.h"
#include "support/secret.h"

#define WORDS_MAX AIMER_WORDS_MAX
#define PREFIX_MAX (HANJI_SHAKE128_RATE)

typedef hanji_aimer_protocol protocol;
typedef hanji_aimer_slab slab;

/* ---- memory ---- */

/*
 * Take `bytes` from the memory, and keep to multiples of 8, at full speed of 64; with no memory,
 * count.
 */
static uint8_t *take(uint8_t *memory, size_t *used, size_t bytes, int small)
{
    uint8_t *at = memory == NULL ? NULL : memory + *used;
    const size_t unit = small ? 8 : 64;
    *used += (bytes + unit - 1) & ~(unit - 1);
    return at;
}

static void shape(protocol *p, const hanji_aimer *set, int small)
{
    const hanji_aimer_level *level = set->level;
    p->set = set;
    p->level = level;
    p->generation = level->generation;
    p->words = level->words;
    p->bytes = 8u * level->words;
    p->sboxes = level->sboxes;
    p->openings = level->openings;
    p->parties = set->parties;
    p->repetitions = set->repetitions;
    p->depth = set->depth;
    p->octets = (set->parties + 7u) / 8;
    p->corrected = p->generation->corrected_last ? set->parties - 1u : 0;
    p->small = (uint32_t)small;
    /*
     * v3 has little memory for one repetition, the others for four of 16 parties, which fills the
     * words of bit slices.
     */
    p->slab_repetitions =
        p->parties != 16 || (small && p->generation->version == 3) ? 1 : SLAB_REPETITIONS_MAX;
    p->slab_octets = p->parties == 16 ? 2 * p->slab_repetitions : SLAB_OCTETS_MAX;
    p->block = small ? p->slab_repetitions : p->repetitions;
    p->apart = small && p->octets > p->slab_octets;
    p->halves = p->apart && !p->generation->interleaved;
    p->all_tails = !small || !p->generation->corrected_last;
    p->tape_words = in_octets(p->words, p->sboxes + p->openings + 2u);
    p->kept_words = in_octets(p->words, p->openings + 1u);
    p->path_bytes = elements(p, set->depth);
    p->correction_bytes = elements(p, p->sboxes + 2u);
    p->tail_bytes = 2 * p->bytes + p->correction_bytes + elements(p, p->openings);
    p->body1_bytes = elements(p, 2u * set->parties) + p->correction_bytes;
    p->body2_bytes = times(elements(p, p->openings + 1u), set->parties);
}

static size_t lay_out(protocol *p, uint8_t *memory, const hanji_aimer *set, int small)
{
    size_t used = 0;
    shape(p, set, small);
    const size_t slab_parties = 8u * p->slab_octets, prefix = small ? 0 : PREFIX_MAX;
    const size_t tapes = small ? p->slab_octets : times(p->octets, p->repetitions);
    const size_t text1 = p->apart ? elements(p, 2 * slab_parties) : times(p->body1_bytes, p->block);
    const size_t text2 =
        p->halves ? times(elements(p, p->openings), slab_parties) : times(p->body2_bytes, p->block);
    p->roots = take(memory, &used, elements(p, p->repetitions), small);
    p->trees = take(memory, &used, elements(p, times((size_t)2 << p->depth, p->block)), small);
    p->tails =
        take(memory, &used, times(p->tail_bytes, p->all_tails ? p->repetitions : p->block), small);
    /*
     * In little memory what there is of the first text is hashed whenever the second is written,
     * but that of v1.0 grows slab by slab.
     */
    const int shared = small && (!p->apart || p->halves);
    p->body1 = take(memory, &used, prefix + (shared && text2 > text1 ? text2 : text1), small);
    p->body2 = shared ? p->body1 : take(memory, &used, prefix + text2, small);
    if (memory != NULL) {
        p->body1 += prefix;
        p->body2 += prefix;
    }
    p->tapes = (uint64_t *)(void *)take(memory, &used, times(8 * p->tape_words, tapes), small);
    p->kept = (uint64_t *)(void *)take(memory, &used,
                                       p->apart ? times(8 * p->kept_words, p->octets) : 0, small);
    p->x = (uint64_t *)(void *)take(
        memory, &used, times(8 * in_octets(p->words, p->slab_octets), p->sboxes + 1u), small);
    p->epsilon = (uint64_t *)(void *)take(memory, &used,
                                          elements(p, times(p->block, p->sboxes + 1u)), small);
    p->sums =
        (uint64_t *)(void *)take(memory, &used, times(p->tape_words, p->slab_repetitions), small);
    p->alpha_sums = (uint64_t *)(void *)take(
        memory, &used, times(elements(p, p->openings), p->slab_repetitions), small);
    p->h1 = (hanji_long_hash *)(void *)take(memory, &used, small ? 0 : sizeof *p->h1, small);
    p->h2 = (hanji_long_hash *)(void *)take(memory, &used, small ? 0 : sizeof *p->h2, small);
    return used;
}

size_t hanji_aimer_protocol_bytes(const hanji_aimer *set, int small)
{
    protocol p;
    return lay_out(&p, NULL, set, small) + ((sizeof p + 63) & ~(size_t)63) + 64;
}

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

/* ---- slabs ---- */

static void first_slab(slab *s, const protocol *p, uint32_t first, uint32_t past)
{
    s->first = first;
    s->octet = 0;
    s->tapes = p->tapes;
    s->repetitions = past - first < p->slab_repetitions ? past - first : p->slab_repetitions;
    s->octets = p->parties == 16 ? 2 * s->repetitions : p->apart ? p->slab_octets : p->octets;
}

HANJI_INLINE int ends_repetition(const slab *s, const protocol *p)
{
    return p->parties == 16 || s->octet + s->octets == p->octets;
}

/* The slab after this one, before repetition `past`; 0 when there is none. */
static int next_slab(slab *s, const protocol *p, uint32_t past)
{
    hanji_aimer_pause();
    /* Only a signer at full speed comes back to the tapes. */
    uint64_t *tapes = p->small || p->verify ? p->tapes : s->tapes + times(p->tape_words, s->octets);
    const uint32_t octet = s->octet + s->octets;
    if (!ends_repetition(s, p)) {
        s->octet = octet;
        s->octets = p->octets - octet < p->slab_octets ? p->octets - octet : p->slab_octets;
        return 1;
    }
    const uint32_t next = s->first + s->repetitions;
    if (next == past)
        return 0;
    first_slab(s, p, next, past);
    s->tapes = tapes;
    return 1;
}

/* How many octets, and parties, of one repetition a slab has. */
HANJI_INLINE uint32_t slab_per(const slab *s, const protocol *p)
{
    return p->parties == 16 ? p->octets : s->octets;
}

HANJI_INLINE uint32_t slab_parties(const slab *s, const protocol *p)
{
    const uint32_t left = p->parties - 8 * s->octet, here = 8 * slab_per(s, p);
    return left < here ? left : here;
}

/* Past the last repetition of a block that begins at `first`. */
static uint32_t block_past(const protocol *p, uint32_t first)
{
    return p->repetitions - first < p->block ? p->repetitions : first + p->block;
}

/* ---- the first text: commitments and corrections ---- */

static const uint8_t *corrections_of(const protocol *p, uint32_t repetition)
{
    return tail_of(p, repetition) + 2 * p->bytes;
}

/*
 * The first text goes on: the commitments of a slab, and behind the last ones of a repetition its
 * corrections.
 */
static void hash_commitments(protocol *p, const slab *s)
{
    if (p->apart)
        hanji_shake_absorb(&p->shake1, body1_of(p, s->first), elements(p, 2 * slab_parties(s, p)));
    if (!ends_repetition(s, p))
        return;
    for (uint32_t e = s->first; e < s->first + s->repetitions; e++) {
        if (p->apart)
            hanji_shake_absorb(&p->shake1, corrections_of(p, e), p->correction_bytes);
        else
            memcpy(body1_of(p, e) + p->body1_bytes - p->correction_bytes, corrections_of(p, e),
                   p->correction_bytes);
    }
    if (!p->small)
        p->h1->end = body1_of(p, s->first + s->repetitions);
    else if (!p->apart)
        hanji_shake_absorb(&p->shake1, body1_of(p, s->first),
                           times(p->body1_bytes, s->repetitions));
}

/* Add the tapes of a slab to the sums of its repetitions. */
static void add_tapes(protocol *p, const slab *s)
{
    const uint64_t *tape = s->tapes;
    const uint32_t octets = slab_per(s, p), elements_words = (uint32_t)(p->tape_words / 8);
    uint64_t *sums = p->sums;
    for (uint32_t r = 0; r < s->repetitions; r++, sums += elements_words) {
        if (s->octet == 0)
            memset(sums, 0, p->tape_words);
        /*
         * One count over octets and words: with two the compiler would compute where the inner one
         * ends by a product.
         */
        for (uint32_t o = 0, w = 0; o < octets; tape += 8) {
            sums[w] ^=
                tape[0] ^ tape[1] ^ tape[2] ^ tape[3] ^ tape[4] ^ tape[5] ^ tape[6] ^ tape[7];
            if (++w == elements_words) {
                w = 0;
                o++;
            }
        }
    }
}

/*
 * The corrections of a repetition from the sums: key, t_1 .. t_S, and c, which is the sum of all
 * a_k y_k.
 */
static void correct(protocol *p, uint32_t repetition, uint64_t *sums)
{
    const uint32_t words = p->words;
    uint8_t *to = tail_of(p, repetition) + 2 * p->bytes;
    const uint64_t *a = sums + in_words(words, p->sboxes + 1);
    uint64_t *c = sums + in_words(words, p->sboxes + p->openings + 1), product[WORDS_MAX];
    for (uint32_t k = 0; k < p->openings; k++, a += words) {
        p->key->algebra.power(product, a, 0, p->key->y[k], words);
        for (uint32_t i = 0; i < words; i++)
            c[i] ^= product[i];
    }
    for (uint32_t i = 0; i < words; i++) {
        sums[i] ^= p->key->key[i];
        for (uint32_t s = 0; s < p->sboxes; s++)
            sums[in_words(words, s + 1) + i] ^= p->key->t[s][i];
    }
    store_words(to, sums, (uint32_t)in_words(words, p->sboxes + 1));
    store_words(to + elements(p, p->sboxes + 1), c, words);
    hanji_wipe(product, sizeof product);
}

static void correct_slab(protocol *p, const slab *s)
{
    uint64_t *sums = p->sums;
    for (uint32_t r = 0; r < s->repetitions; r++, sums += p->tape_words / 8)
        correct(p, s->first + r, sums);
}

/* Give the corrections to the party that takes them, if it is in the slab and not hidden. */
static void take_corrections(protocol *p, const slab *s)
{
    const uint32_t per = slab_per(s, p);
    uint64_t *tape = s->tapes;
    for (uint32_t r = 0; r < s->repetitions; r++, tape += times(p->tape_words, per)) {
        uint64_t *lane = corrected_lane(p, tape, p->tape_words, s->first + r, s->octet, per);
        const uint8_t *correction = corrections_of(p, s->first + r);
        for (uint32_t k = 0; lane != NULL && k < p->sboxes + 2; k++) {
            if (k == p->sboxes + 1)
                lane += in_octets(p->words, p->openings); /* the masks take none */
            for (uint32_t i = 0; i < p->words; i++, correction += 8, lane += 8)
                *lane ^= load_le64(correction);
        }
    }
}

/* ---- the second text: what the parties say ---- */

/* Octets of `words` words, `stride` words apart, to bytes, `step` bytes from party to party. */
HANJI_INLINE void scatter_words(uint8_t *out, size_t step, const uint64_t *octets, size_t stride,
                                uint32_t parties, const uint32_t words)
{
    for (uint32_t party = 0; party < parties; party++, out += step) {
        for (uint32_t i = 0; i < words; i++)
            store_le64(out + 8 * i, octets[8 * i + party % 8]);
        if (party % 8 == 7)
            octets += stride;
    }
}

static void scatter(uint8_t *out, size_t step, const uint64_t *octets, size_t stride,
                    uint32_t parties, uint32_t words)
{
#ifndef HANJI_FREESTANDING
    switch (words) { /* constants for the compiler */
    case 2: scatter_words(out, step, octets, stride, parties, 2); return;
    case 3: scatter_words(out, step, octets, stride, parties, 3); return;
    case 4: scatter_words(out, step, octets, stride, parties, 4); return;
    case 6: scatter_words(out, step, octets, stride, parties, 6); return;
    case 9: scatter_words(out, step, octets, stride, parties, 9); return;
    case 16: scatter_words(out, step, octets, stride, parties, 16); return;
    default: break;
    }
#endif
    scatter_words(out, step, octets, stride, parties, words);
}

static void add_octets(uint64_t *sum, const uint64_t *octets, size_t stride, uint32_t count,
                       uint32_t words)
{
    for (; count > 0; count--, octets += stride) {
        const uint64_t *at = octets;
        for (uint32_t i = 0; i < words; i++, at += 8)
            sum[i] ^= at[0] ^ at[1] ^ at[2] ^ at[3] ^ at[4] ^ at[5] ^ at[6] ^ at[7];
    }
}

/* Bytes from one party to the next in the second text: of alpha, and of v. */
HANJI_INLINE size_t alpha_step(const protocol *p)
{
    return p->generation->interleaved ? 2 * p->bytes : elements(p, p->openings);
}

HANJI_INLINE size_t v_step(const protocol *p)
{
    return p->generation->interleaved ? 2 * p->bytes : p->bytes;
}

HANJI_INLINE uint8_t *text_v(const protocol *p, uint32_t repetition)
{
    return body2_of(p, repetition) +
           (p->generation->interleaved ? p->bytes : times(elements(p, p->openings), p->parties));
}

/* The hidden party's alphas, in the signature. */
static uint8_t *opened_alpha(const protocol *p, uint32_t repetition)
{
    return tail_of(p, repetition) + p->tail_bytes - elements(p, p->openings);
}

/* The sums of the alphas of repetition r of a slab. */
HANJI_INLINE uint64_t *alpha_sum_of(const protocol *p, uint32_t r)
{
    return p->alpha_sums + times(in_words(p->words, p->openings), r);
}

/*
 * Up to SLAB_OCTETS_MAX octets that begin at `tape`: alpha and v, and the sums of alpha and their
 * text.
 */
static void simulate_octets(protocol *p, uint64_t *tape, uint32_t first, uint32_t repetitions,
                            uint32_t octet, uint32_t per)
{
    const uint32_t words = p->words, said = (uint32_t)in_words(words, p->openings),
                   left = p->parties - 8 * octet;
    const uint64_t *alpha = tape + in_octets(words, p->sboxes + 1);
    p->generation->evaluate(p, tape, first, repetitions, octet, per);
    for (uint32_t r = 0; r < repetitions; r++, alpha += times(p->tape_words, per)) {
        uint8_t *text = body2_of(p, first + r) + (p->halves ? 0 : times(alpha_step(p), 8 * octet));
        add_octets(alpha_sum_of(p, r), alpha, p->tape_words, per, said);
        scatter(text, alpha_step(p), alpha, p->tape_words, left < 8 * per ? left : 8 * per, said);
    }
}

/*
 * A repetition that is in memory only in part needs what alpha is multiplied by once more, and v.
 */
static void keep(protocol *p, const uint64_t *tape, uint32_t octet, uint32_t octets)
{
    const size_t element = 8 * p->words, multipliers = in_octets(p->words, p->openings);
    uint64_t *kept = p->kept + times(p->kept_words, octet);
    for (uint32_t o = 0; o < octets; o++, tape += p->tape_words, kept += p->kept_words) {
        memcpy(kept, tape, sizeof(uint64_t) * multipliers);
        memcpy(kept + multipliers, tape + p->tape_words - element, sizeof(uint64_t) * element);
    }
}

static void simulate(protocol *p, const slab *s)
{
    if (s->octet == 0)
        memset(p->alpha_sums, 0, times(elements(p, p->openings), p->slab_repetitions));
    uint64_t *tape = s->tapes;
    if (p->parties == 16) {
        simulate_octets(p, tape, s->first, s->repetitions, 0, p->octets);
    } else {
        for (uint32_t done = 0; done < s->octets;
             done += SLAB_OCTETS_MAX, tape += times(p->tape_words, SLAB_OCTETS_MAX)) {
            const uint32_t now =
                s->octets - done < SLAB_OCTETS_MAX ? s->octets - done : SLAB_OCTETS_MAX;
            simulate_octets(p, tape, s->first, 1, s->octet + done, now);
        }
    }
    if (p->apart)
        keep(p, s->tapes, s->octet, s->octets);
    if (p->halves) {
        const uint32_t parties = slab_parties(s, p), hidden = p->hidden[s->first] - 8u * s->octet;
        if (p->verify && hidden < parties)
            memcpy(p->body2 + times(alpha_step(p), hidden), opened_alpha(p, s->first),
                   elements(p, p->openings));
        hanji_shake_absorb(&p->shake2, p->body2, times(alpha_step(p), parties));
    }
}

/* The second text goes on with v of all parties of a repetition, in the room of a slab. */
static void hash_halves(protocol *p, const uint64_t *v, size_t stride)
{
    for (uint32_t party = 0; party < p->parties;
         party += 8 * p->slab_octets, v += times(stride, p->slab_octets)) {
        const uint32_t left = p->parties - party,
                       now = left < 8 * p->slab_octets ? left : 8 * p->slab_octets;
        scatter(p->body2, p->bytes, v, stride, now, p->words);
        hanji_shake_absorb(&p->shake2, p->body2, elements(p, now));
    }
}

/*
 * All alphas of a repetition are known: their sums, and v, from octets that begin with what alpha
 * is multiplied by.
 */
static void finish_repetition(protocol *p, uint32_t e, uint64_t *alpha, uint64_t *octets,
                              size_t stride)
{
    const uint32_t words = p->words, said = (uint32_t)in_words(words, p->openings);
    const uint32_t last = said - words;
    uint64_t *v = octets + stride - 8 * words, rotated[AIMER_RELATIONS_MAX * WORDS_MAX];
    hanji_aimer_term terms[HANJI_AIMER_TERMS_MAX];
    if (p->verify) {
        const uint8_t *opened = opened_alpha(p, e);
        uint64_t hidden[AIMER_RELATIONS_MAX * WORDS_MAX];
        load_words(hidden, opened, said);
        for (uint32_t i = 0; i < said; i++)
            alpha[i] ^= hidden[i];
        if (!p->halves)
            memcpy(body2_of(p, e) + times(alpha_step(p), p->hidden[e]), opened,
                   elements(p, p->openings));
    }
    hanji_aimer_revealed(alpha, 8 * said, "the sums of all alphas are opened to everybody");
    /* The tape begins with the key, which the last alpha, or the only one, multiplies. */
    memcpy(rotated, alpha + last, 8 * words);
    memcpy(rotated + words, alpha, 8 * last);
    for (uint32_t k = 0; k < p->openings; k++)
        terms[k] =
            (hanji_aimer_term){octets + in_octets(words, k), stride, rotated + in_words(words, k)};
    p->key->algebra.products(v, stride, v, stride, terms, p->openings, p->octets, words);
    if (p->verify) {
        /* The shares of all v have the sum zero. */
        uint64_t sum[WORDS_MAX] = {0};
        uint64_t *lane = v + times(stride, p->hidden[e] / 8u) + p->hidden[e] % 8u;
        for (uint32_t i = 0; i < words; i++)
            lane[8 * i] = 0;
        add_octets(sum, v, stride, p->octets, words);
        add_to_lane(lane, sum, words);
    }
    if (p->halves)
        hash_halves(p, v, stride);
    else
        scatter(text_v(p, e), v_step(p), v, stride, p->parties, words);
}

static void finish_repetitions(protocol *p, const slab *s)
{
    uint64_t *octets = p->apart ? p->kept : s->tapes;
    const size_t stride = p->apart ? p->kept_words : p->tape_words;
    for (uint32_t r = 0; r < s->repetitions; r++, octets += times(stride, p->octets))
        finish_repetition(p, s->first + r, alpha_sum_of(p, r), octets, stride);
    if (!p->small)
        p->h2->end = body2_of(p, s->first + s->repetitions);
    else if (!p->halves)
        hanji_shake_absorb(&p->shake2, body2_of(p, s->first),
                           times(p->body2_bytes, s->repetitions));
}

/* ---- challenges ---- */

/* Go on with a hash in a lane: what it holds of an unfinished block stands before the text. */
static void long_hash_begin(hanji_long_hash *hash, uint8_t *text, const hanji_shake *shake)
{
    memcpy(hash->state, shake->state, sizeof hash->state);
    memcpy(text - shake->held, shake->pending, shake->held);
    hash->next = text - shake->held;
    hash->end = text;
    hash->out = hash->out_end = NULL;
}

static void long_hash_end(hanji_shake *shake, const hanji_long_hash *hash)
{
    memcpy(shake->state, hash->state, sizeof shake->state);
    shake->held = (uint32_t)(hash->end - hash->next);
    memcpy(shake->pending, hash->next, shake->held);
}

/* Salt, h1 and h2 at the head of the signature. */
static uint8_t *head_h1(protocol *p)
{
    return p->head + elements(p, p->generation->salt);
}

static uint8_t *head_h2(protocol *p)
{
    return head_h1(p) + 2 * p->bytes;
}

static void begin_challenge(protocol *p, const uint8_t *digest)
{
    hanji_shake_init(&p->challenge, p->level->rate);
    hanji_shake_absorb(&p->challenge, digest, 2 * p->bytes);
    hanji_shake_finish(&p->challenge);
}

/* Little memory: the epsilons of the next repetitions. */
static void next_epsilons(protocol *p, uint32_t repetitions)
{
    uint8_t element[8 * WORDS_MAX];
    uint64_t *to = p->epsilon;
    for (size_t count = times(repetitions, p->sboxes + 1); count > 0; count--, to += p->words) {
        hanji_shake_squeeze(element, p->bytes, &p->challenge);
        load_words(to, element, p->words);
    }
}

/* Before a pass that needs them. */
static void begin_epsilons(protocol *p)
{
    begin_challenge(p, head_h1(p));
    if (!p->small)
        hanji_lanes_give(&p->lanes, &p->epsilons, p->challenge.state, p->epsilon,
                         times(in_words(p->words, p->sboxes + 1), p->repetitions));
}

/* Full speed: they ride beside other hashes; here those of a slab must be there. */
static void want_epsilons(protocol *p, const slab *s)
{
    if (!p->small)
        hanji_lanes_want(&p->lanes, &p->epsilons, epsilon_of(p, s->first + s->repetitions));
}

/*
 * The hidden parties: public. v1.0 rejects numbers that are too large, the others have powers of
 * two only.
 */
static void make_hidden(uint16_t *hidden, const protocol *p, const uint8_t *h2)
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
            hidden[e++] = (uint16_t)number;
    }
}

static void end_hash(uint8_t *digest, hanji_shake *shake, const protocol *p)
{
    hanji_shake_finish(shake);
    hanji_shake_squeeze(digest, 2 * p->bytes, shake);
}

void hanji_aimer_protocol_message(hanji_shake *message, const uint8_t *context,
                                  size_t context_bytes, const hanji_aimer_expanded *key)
{
    key->set->level->generation->message(message, context, context_bytes, key);
}

/* ---- the two protocols ---- */

/*
 * First pass: commitments and corrections, and h1 over them. At full speed another hash may ride
 * beside it.
 */
static void sign_commit(protocol *p, uint8_t *signature, hanji_long_hash *other)
{
    if (!p->small) {
        long_hash_begin(p->h1, p->body1, &p->shake1);
        p->lanes.long_hash[0] = p->h1;
        p->lanes.long_hash[1] = other;
    }
    for (uint32_t first = 0; first < p->repetitions; first += p->block) {
        const uint32_t past = block_past(p, first);
        slab s;
        (void)hanji_aimer_begin_block(p, first, past - first);
        first_slab(&s, p, first, past);
        do {
            hanji_aimer_commit(p, &s);
            add_tapes(p, &s);
            if (ends_repetition(&s, p))
                correct_slab(p, &s);
            hash_commitments(p, &s);
        } while (next_slab(&s, p, past));
        for (uint32_t e = first; e < past; e++)
            memcpy(signature + row_at(p, e) + p->path_bytes + 2 * p->bytes, corrections_of(p, e),
                   p->correction_bytes);
    }
    if (!p->small) {
        hanji_lanes_drain(&p->lanes);
        p->lanes.long_hash[0] = p->lanes.long_hash[1] = NULL;
        long_hash_end(&p->shake1, p->h1);
    }
}

/*
 * Second pass: simulate all parties, and h2 over what they say; at full speed that text is only
 * made here.
 */
static void sign_simulate(protocol *p)
{
    begin_epsilons(p);
    if (!p->small) {
        long_hash_begin(p->h2, p->body2, &p->shake2);
        p->lanes.long_hash[0] = p->h2;
        p->lanes.long_hash[1] = &p->epsilons;
    }
    for (uint32_t first = 0; first < p->repetitions; first += p->block) {
        const uint32_t past = block_past(p, first);
        slab s;
        if (p->small) {
            (void)hanji_aimer_begin_block(p, first, past - first);
            next_epsilons(p, past - first);
        }
        first_slab(&s, p, first, past);
        do {
            if (p->small)
                hanji_aimer_commit(p, &s);
            if (!p->all_tails) {
                /*
                 * The corrections once more. The last party takes them, when all tapes are added.
                 */
                add_tapes(p, &s);
                if (ends_repetition(&s, p))
                    correct_slab(p, &s);
            }
            take_corrections(p, &s);
            want_epsilons(p, &s);
            simulate(p, &s);
            if (ends_repetition(&s, p))
                finish_repetitions(p, &s);
        } while (next_slab(&s, p, past));
    }
    p->lanes.long_hash[0] = p->lanes.long_hash[1] = NULL;
}

/* Little memory: commitment and tape of the hidden party once more, and its alphas. */
static void reopen_hidden(protocol *p, uint8_t *commitment, uint8_t *alpha, uint32_t repetition)
{
    const uint32_t words = p->words, party = p->hidden[repetition];
    if (party == p->corrected && !p->all_tails) {
        slab all;
        first_slab(&all, p, repetition, repetition + 1);
        do {
            hanji_aimer_commit(p, &all);
            add_tapes(p, &all);
        } while (next_slab(&all, p, repetition + 1));
        correct(p, repetition, p->sums);
    }
    hanji_aimer_leaf(p, repetition, party, commitment, p->tapes);
    if (party == p->corrected) {
        uint64_t *lane = p->tapes + party % 8;
        const uint8_t *correction = corrections_of(p, repetition);
        for (uint32_t i = 0; i < in_words(words, p->sboxes + 1); i++)
            lane[8 * i] ^= load_le64(correction + 8 * i);
    }
    p->generation->evaluate(p, p->tapes, repetition, 1, party / 8, 1);
    const uint64_t *lane = p->tapes + in_octets(words, p->sboxes + 1) + party % 8;
    for (uint32_t i = 0; i < in_words(words, p->openings); i++)
        store_le64(alpha + 8 * i, lane[8 * i]);
}

/* Third pass: open all parties but the hidden ones. */
static void sign_open(protocol *p, uint8_t *signature)
{
    uint16_t again[AIMER_REPETITIONS_MAX] = {0};
    make_hidden(again, p, head_h2(p));
    if (p->small)
        begin_epsilons(p);
    for (uint32_t first = 0; first < p->repetitions; first += p->block) {
        const uint32_t past = block_past(p, first);
        if (p->small) {
            (void)hanji_aimer_begin_block(p, first, past - first);
            next_epsilons(p, past - first);
        }
        for (uint32_t e = first; e < past; e++) {
            uint8_t *commitment = signature + row_at(p, e) + p->path_bytes;
            uint8_t *alpha = commitment + p->tail_bytes - elements(p, p->openings);
            hanji_aimer_pause();
            if (p->small) {
                reopen_hidden(p, commitment, alpha, e);
            } else {
                memcpy(commitment, body1_of(p, e) + elements(p, 2u * p->hidden[e]), 2 * p->bytes);
                memcpy(alpha, body2_of(p, e) + times(alpha_step(p), p->hidden[e]),
                       elements(p, p->openings));
            }
            hanji_aimer_open(p, signature, e, again[e]);
        }
    }
}

int hanji_aimer_protocol_sign_begin(uint8_t *signature, hanji_shake *message,
                                    const hanji_aimer_expanded *key, hanji_random_fn *random,
                                    void *random_state, void *memory, int small, void *other)
{
    protocol *p = begin(memory, key, small);
    p->generation->digest(p, message);
    const int rc = p->generation->roots(p, random, random_state);
    if (rc != HANJI_OK) {
        hanji_wipe(memory, hanji_aimer_protocol_bytes(key->set, small));
        return rc;
    }
    hanji_aimer_revealed(p->head, elements(p, p->generation->salt),
                         "the salt is part of the signature");
    p->generation->forms(p);
    p->leaf_form.octet_words = (uint32_t)(p->tape_words / 8);
    p->generation->begin1(p, message);
    sign_commit(p, signature, other == NULL ? NULL : at_64(other)->h2);
    end_hash(head_h1(p), &p->shake1, p);
    hanji_aimer_revealed(head_h1(p), 2 * p->bytes, "the first challenge is part of the signature");
    p->generation->begin2(p);
    sign_simulate(p);
    return HANJI_OK;
}

void hanji_aimer_protocol_sign_end(uint8_t *signature, void *memory)
{
    protocol *p = at_64(memory);
    if (!p->small) {
        p->lanes.long_hash[0] = p->h2;
        hanji_lanes_drain(&p->lanes);
        long_hash_end(&p->shake2, p->h2);
    }
    end_hash(head_h2(p), &p->shake2, p);
    hanji_aimer_revealed(head_h2(p), 2 * p->bytes, "the second challenge is part of the signature");
    make_hidden(p->hidden, p, head_h2(p));
    memcpy(signature, p->head, row_at(p, 0));
    sign_open(p, signature);
    hanji_wipe(memory, hanji_aimer_protocol_bytes(p->set, (int)p->small));
}

/* All but the hidden parties once more, and both hashes over what they say. */
static int verify_parties(protocol *p)
{
    if (!p->small) {
        long_hash_begin(p->h1, p->body1, &p->shake1);
        long_hash_begin(p->h2, p->body2, &p->shake2);
        p->lanes.long_hash[0] = p->h1;
        p->lanes.long_hash[1] = p->h2;
#if LANES_LONG_HASHES > 2
        p->lanes.long_hash[2] = &p->epsilons;
#endif
    }
    begin_epsilons(p);
    for (uint32_t first = 0; first < p->repetitions; first += p->block) {
        const uint32_t past = block_past(p, first);
        slab s;
        const int rc = hanji_aimer_begin_block(p, first, past - first);
        if (rc != HANJI_OK)
            return rc;
        if (p->small)
            next_epsilons(p, past - first);
        first_slab(&s, p, first, past);
        do {
            hanji_aimer_commit(p, &s);
            hash_commitments(p, &s);
            take_corrections(p, &s);
            want_epsilons(p, &s);
            simulate(p, &s);
            if (ends_repetition(&s, p))
                finish_repetitions(p, &s);
        } while (next_slab(&s, p, past));
    }
    if (!p->small) {
        hanji_lanes_drain(&p->lanes);
        long_hash_end(&p->shake1, p->h1);
        long_hash_end(&p->shake2, p->h2);
    }
    return HANJI_OK;
}

int hanji_aimer_protocol_verify(const uint8_t *signature, hanji_shake *message,
                                const hanji_aimer_expanded *key, void *memory, int small)
{
    protocol *p = begin(memory, key, small);
    const size_t digest = 2 * p->bytes;
    const uint8_t *h1 = head_h1(p), *h2 = head_h2(p);
    uint8_t again1[2 * AIMER_BYTES_MAX], again2[2 * AIMER_BYTES_MAX];
    p->signature = signature;
    p->verify = 1;
    /*
     * Trees and tapes of few repetitions at once stay in the nearest cache, and growing the next
     * trees gives the texts of those before time to be hashed.
     */
    if (p->block > SLAB_REPETITIONS_MAX)
        p->block = SLAB_REPETITIONS_MAX;
    memcpy(p->head, signature, row_at(p, 0));
    p->generation->digest(p, message);
    p->generation->forms(p);
    p->leaf_form.octet_words = (uint32_t)(p->tape_words / 8);
    make_hidden(p->hidden, p, h2);
    p->generation->begin1(p, message);
    p->generation->begin2(p);
    int rc = verify_parties(p);
    if (rc == HANJI_OK) {
        end_hash(again1, &p->shake1, p);
        end_hash(again2, &p->shake2, p);
        rc = hanji_equal(again1, h1, digest) & hanji_equal(again2, h2, digest) ? HANJI_OK
                                                                               : HANJI_E_TAG;
    }
    /* v1.0 hashes the message there. */
    hanji_wipe(&p->shake1, sizeof p->shake1);
    if (!small)
        hanji_wipe(p->body1 - PREFIX_MAX, PREFIX_MAX);
    return rc;
}
