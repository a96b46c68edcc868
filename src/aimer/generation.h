/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protocol's state, which its phases share, and what generations do in ways of their own.
 *
 * The protocol works in slabs. A slab is a few octets of parties, of four repetitions or of one;
 * its tapes lie in memory together. A tape is key, t_1 .. t_S, the masks a_k, c. Simulating a party
 * writes alpha_k over a_k and v, without its products by the opened alphas, over c.
 */
#ifndef HANJI_AIMER_GENERATION_H
#define HANJI_AIMER_GENERATION_H

#include "aimer/aimer.h"
#include "aimer/lanes.h"
#include "support/arith.h"
#include "support/bytes.h"

#define SLAB_OCTETS_MAX 8u
#define SLAB_REPETITIONS_MAX 4u /* of 16 parties */

typedef struct hanji_aimer_protocol {
    const hanji_aimer_expanded *key;
    const hanji_aimer *set;
    const hanji_aimer_level *level;
    const hanji_aimer_generation *generation;
    const uint8_t *signature; /* verifying: the caller's, of which every byte is read once */
    uint32_t words, bytes;    /* of a field element */
    uint32_t sboxes, openings, parties, repetitions, depth;
    uint32_t octets;    /* of one repetition */
    uint32_t corrected; /* the party that takes corrections and constants */
    uint32_t verify, small;
    uint32_t slab_octets, slab_repetitions; /* at most, of one slab */
    /* a repetition has more octets than a slab */
    uint32_t apart;
    /* and what its parties say is hashed slab by slab, first all of alpha, then all of v */
    uint32_t halves;
    /* repetitions whose trees are in memory at once */
    uint32_t block;
    uint32_t tree_first; /* the first of them */
    /* the tails of all repetitions stay in memory, not those of a block only */
    uint32_t all_tails;
    /* of one octet: a whole tape; what is kept of one where slabs are apart */
    size_t tape_words, kept_words;
    /* per repetition in the signature: the path; commitment, corrections and alpha */
    size_t path_bytes, tail_bytes;
    size_t correction_bytes, body1_bytes, body2_bytes; /* and of the two hashed texts */
    uint8_t *trees, *body1, *body2, *roots, *tails;
    uint64_t *tapes, *kept, *x, *epsilon, *sums, *alpha_sums;
    /* of the signature: salt, h1, h2; digest of the message */
    uint8_t head[6 * AIMER_BYTES_MAX], mu[2 * AIMER_BYTES_MAX];
    uint16_t hidden[AIMER_REPETITIONS_MAX];
    hanji_hash_form node_form, leaf_form;
    hanji_shake shake1, shake2;
    union {
        hanji_shake challenge;
        hanji_long_hash epsilons; /* at full speed they are an output of many blocks */
    };
    hanji_long_hash *h1, *h2; /* the two hashes at full speed */
    hanji_lanes lanes;
} hanji_aimer_protocol;

/* Part of a repetition, or a few whole ones. */
typedef struct hanji_aimer_slab {
    uint32_t first, repetitions;
    uint32_t octet, octets; /* the first one in its repetition, and how many in all */
    uint64_t *tapes;
} hanji_aimer_slab;

/* What differs from generation to generation. */
struct hanji_aimer_generation {
    uint8_t version;
    uint8_t broken;         /* anybody signs for any public key */
    uint8_t salt;           /* elements of the salt */
    uint8_t corrected_last; /* the last party takes the corrections, else the first */
    /* the second text has alpha and v of a party side by side, else all of alpha first */
    uint8_t interleaved;
    uint8_t node_back;   /* what the number of a node is less in its hash */
    uint8_t index_shift; /* bits of the repetition's number in front of the other one: 8 or 16 */
    /* Fill b and the matrices; then, of a secret key, t and y. */
    int (*expand)(hanji_aimer_expanded *expanded, const uint64_t *key, uint64_t *work);
    int (*one_way)(uint64_t *ct, const uint64_t *key, const uint64_t *iv,
                   const hanji_aimer_level *level, const hanji_aimer_algebra *algebra,
                   uint64_t *work);
    size_t (*one_way_words)(const hanji_aimer_level *level);
    /* how many an expanded key has */
    size_t (*matrices)(const hanji_aimer_level *level, hanji_aimer_form form);
    /* Begin the hash of a message. */
    void (*message)(hanji_shake *message, const uint8_t *context, size_t context_bytes,
                    const hanji_aimer_expanded *key);
    /* End it. */
    void (*digest)(hanji_aimer_protocol *p, hanji_shake *message);
    /* Salt and root seeds. */
    int (*roots)(hanji_aimer_protocol *p, hanji_random_fn *random, void *random_state);
    /* The inputs of nodes and leaves. */
    void (*forms)(hanji_aimer_protocol *p);
    /* Begin the two hashed texts. */
    void (*begin1)(hanji_aimer_protocol *p, const hanji_shake *message);
    void (*begin2)(hanji_aimer_protocol *p);
    /*
     * Alpha and v of up to SLAB_OCTETS_MAX octets that begin at `tape`, `per` of each repetition;
     * the first one is `octet` in its repetition.
     */
    void (*evaluate)(hanji_aimer_protocol *p, uint64_t *tape, uint32_t first, uint32_t repetitions,
                     uint32_t octet, uint32_t per);
};

extern const hanji_aimer_generation hanji_aimer_generation1, hanji_aimer_generation2,
    hanji_aimer_generation3;

/* ---- sizes and places ---- */

/* x elements in bytes, without a multiplication. */
HANJI_INLINE size_t elements(const hanji_aimer_protocol *p, size_t x)
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

/*
 * The octet at which repetition r of a slab begins; more than one repetition means two octets each.
 */
HANJI_INLINE uint32_t from_octet(uint32_t r, uint32_t per)
{
    return r == 0 ? 0 : per == 2 ? r << 1 : r;
}

/* The epsilons of a repetition; in little memory those of a block are there. */
HANJI_INLINE const uint64_t *epsilon_of(const hanji_aimer_protocol *p, uint32_t repetition)
{
    return p->epsilon + times(in_words(p->words, p->sboxes + 1),
                              p->small ? repetition - p->tree_first : repetition);
}

/*
 * The lane of the party that takes corrections and constants, in a tape; NULL when it is not there,
 * or hidden from a verifier.
 */
HANJI_INLINE uint64_t *corrected_lane(const hanji_aimer_protocol *p, uint64_t *octets,
                                      size_t stride, uint32_t repetition, uint32_t octet,
                                      uint32_t per)
{
    const uint32_t at = p->corrected / 8;
    if (at < octet || at >= octet + per || (p->verify && p->hidden[repetition] == p->corrected))
        return NULL;
    return octets + times(stride, at - octet) + p->corrected % 8;
}

/* Where a repetition begins in a signature: with its path. */
HANJI_INLINE size_t row_at(const hanji_aimer_protocol *p, uint32_t repetition)
{
    return elements(p, p->generation->salt + 4u) + times(p->path_bytes + p->tail_bytes, repetition);
}

/*
 * What is behind the path: commitment of the hidden party, corrections, its alpha. This copy is
 * what everything is computed from.
 */
HANJI_INLINE uint8_t *tail_of(const hanji_aimer_protocol *p, uint32_t repetition)
{
    return p->tails + times(p->tail_bytes, p->all_tails ? repetition : repetition - p->tree_first);
}

/*
 * Where the hashed texts of a repetition lie: of all at full speed, of a block in little memory;
 * each text follows the one before. Where slabs are apart, those of a slab.
 */
HANJI_INLINE uint32_t in_texts(const hanji_aimer_protocol *p, uint32_t repetition)
{
    return p->small ? repetition - p->tree_first : repetition;
}

HANJI_INLINE uint8_t *body1_of(const hanji_aimer_protocol *p, uint32_t repetition)
{
    return p->body1 + (p->apart ? 0 : times(p->body1_bytes, in_texts(p, repetition)));
}

HANJI_INLINE uint8_t *body2_of(const hanji_aimer_protocol *p, uint32_t repetition)
{
    return p->body2 + (p->halves ? 0 : times(p->body2_bytes, in_texts(p, repetition)));
}

/* Where a slab writes its commitments. */
HANJI_INLINE uint8_t *commitments_of(const hanji_aimer_protocol *p, const hanji_aimer_slab *s,
                                     uint32_t repetition)
{
    return body1_of(p, repetition) + (p->apart ? 0 : elements(p, 16u * s->octet));
}

/* Add an element to one lane of an octet. */
HANJI_INLINE void add_to_lane(uint64_t *lane, const uint64_t *element, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        lane[8 * i] ^= element[i];
}

HANJI_INLINE void load_words(uint64_t *out, const uint8_t *in, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        out[i] = load_le64(in + 8 * i);
}

HANJI_INLINE void store_words(uint8_t *out, const uint64_t *in, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        store_le64(out + 8 * i, in[i]);
}

/* ---- phases ---- */

/*
 * Seed trees, trees.c. Begin a block of repetitions: HANJI_E_TAG when a byte of the signature is
 * not zero that must be.
 */
int hanji_aimer_begin_block(hanji_aimer_protocol *p, uint32_t first, uint32_t repetitions);
/*
 * Commitments and tapes of a slab; those of the hidden party are not known to a verifier. The lanes
 * beside the parties are zero.
 */
void hanji_aimer_commit(hanji_aimer_protocol *p, const hanji_aimer_slab *s);
/* Those of one party, in a tape that is zero but for it. */
void hanji_aimer_leaf(hanji_aimer_protocol *p, uint32_t repetition, uint32_t party,
                      uint8_t *commitment, uint64_t *tape);
/*
 * Write the path of a repetition into the signature, after which its hidden leaf is no more;
 * `hidden_again` was derived anew.
 */
void hanji_aimer_open(hanji_aimer_protocol *p, uint8_t *signature, uint32_t repetition,
                      uint32_t hidden_again);
void hanji_aimer_make_form(hanji_hash_form *form, const hanji_aimer_protocol *p, uint8_t prefix,
                           size_t salt_at, size_t seed_at, size_t index_at, size_t bytes);

/* Relations of one multiplier, aim2.c, and of one each, aim3.c. */
int hanji_aimer_expand_aim2(hanji_aimer_expanded *expanded, const uint64_t *key, uint64_t *work);
int hanji_aimer_one_way_aim2(uint64_t *ct, const uint64_t *key, const uint64_t *iv,
                             const hanji_aimer_level *level, const hanji_aimer_algebra *algebra,
                             uint64_t *work);
size_t hanji_aimer_one_way_words_aim2(const hanji_aimer_level *level);
size_t hanji_aimer_matrices_aim2(const hanji_aimer_level *level, hanji_aimer_form form);
void hanji_aimer_evaluate_aim2(hanji_aimer_protocol *p, uint64_t *tape, uint32_t first,
                               uint32_t repetitions, uint32_t octet, uint32_t per);
int hanji_aimer_expand_aim3(hanji_aimer_expanded *expanded, const uint64_t *key, uint64_t *work);
int hanji_aimer_one_way_aim3(uint64_t *ct, const uint64_t *key, const uint64_t *iv,
                             const hanji_aimer_level *level, const hanji_aimer_algebra *algebra,
                             uint64_t *work);
size_t hanji_aimer_one_way_words_aim3(const hanji_aimer_level *level);
size_t hanji_aimer_matrices_aim3(const hanji_aimer_level *level, hanji_aimer_form form);
void hanji_aimer_evaluate_aim3(hanji_aimer_protocol *p, uint64_t *tape, uint32_t first,
                               uint32_t repetitions, uint32_t octet, uint32_t per);

#endif
