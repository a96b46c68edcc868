/* SPDX-License-Identifier: Apache-2.0 */
/* Key generation and expansion (round-3 specification, sections 3.2 to 3.4). */
#include "rainbow/rainbow.h"

#include "rainbow/congruence.h"
#include "support/apart.h"
#include "support/bytes.h"
#include "support/cpu.h"

/* T4 = T1 T3 + T2, in place of T2. */
static void make_t4(const secret_key *sk, uint8_t *work, const hanji_rainbow_level *level,
                    const hanji_matrix_kernels *kernels)
{
    const size_t wv = packed(level, level->v), w1 = packed(level, level->o1);
    for (size_t c = 0; c < level->o2; c++) {
        kernels->prepare(work, sk->t3 + c * w1, level->o1);
        kernels->accumulate(sk->t4 + c * wv, sk->t1, wv, wv, work, level->o1);
    }
}

/* p1 = q1 + S1 q2 for `count` coefficient vectors; in place where p1 == q1. It undoes itself. */
static void mix(uint8_t *p1, const uint8_t *q1, const uint8_t *q2, size_t count,
                const secret_key *sk, uint8_t *work, const hanji_rainbow_level *level,
                const hanji_matrix_kernels *kernels)
{
    const size_t w1 = sk->f1.bytes, w2 = sk->f2.bytes;
    if (p1 != q1)
        memcpy(p1, q1, count * w1);
    for (size_t i = 0; i < count; i++) {
        kernels->prepare(work, q2 + i * w2, level->o2);
        kernels->accumulate(p1 + i * w1, sk->s1, w1, w1, work, level->o2);
    }
}

/*
 * What a layer's forms over V and A become when the variables of A are added to V by T1. In place.
 */
static void transform_a(layer *f, int want_aa, const secret_key *sk, uint8_t *work,
                        const hanji_rainbow_level *level, const hanji_matrix_kernels *kernels)
{
    const congruence job = {.kernels = kernels,
                            .bytes = f->bytes,
                            .first = level->v,
                            .u11 = f->vv,
                            .columns = level->o1,
                            .c1 = f->va,
                            .t1 = sk->t1,
                            .x1 = f->va,
                            .y = want_aa ? f->aa : NULL};
    hanji_congruence(&job, work);
}

/*
 * What blocks VB, AB and BB of `f` become for t, T2 or T4, with those of VV, VA, AA as they are in
 * `f`. Results go to `to`, whose VB or BB may be NULL: not wanted.
 */
static void transform_b(layer *to, const layer *f, const uint8_t *t, const secret_key *sk,
                        uint8_t *work, const hanji_rainbow_level *level,
                        const hanji_matrix_kernels *kernels)
{
    const size_t line = level->o2 * f->bytes;
    const congruence job = {.kernels = kernels,
                            .bytes = f->bytes,
                            .first = level->v,
                            .second = level->o1,
                            .u11 = f->vv,
                            .u12 = f->va,
                            .u22 = f->aa,
                            .columns = level->o2,
                            .c1 = f->vb,
                            .c2 = f->ab,
                            .t1 = t,
                            .t2 = sk->t3,
                            .x1 = to->vb,
                            .x2 = to->ab,
                            .y = to->bb};
    hanji_congruence(&job, work);
    for (size_t a = 0; to->vb != NULL && a < level->o1; a++) {
        kernels->prepare(work, sk->t1 + a * packed(level, level->v), level->v);
        kernels->accumulate(to->ab + a * line, to->vb, line, line, work, level->v);
    }
}

static size_t transform_scratch(const hanji_rainbow_level *level)
{
    const size_t w = packed(level, level->o2),
                 b = hanji_congruence_scratch(level->v + level->o1, level->o2, w);
    const size_t a = hanji_congruence_scratch(level->v, level->o1, w),
                 m = multipliers(level->v + level->o1 + level->o2);
    return taken(a > b ? (a > m ? a : m) : (b > m ? b : m));
}

/* The blocks of one layer in the order of the keys, for as many as it has. */
static void place_layer(layer *l, scratch *memory, const hanji_rainbow_level *level, size_t bytes)
{
    const size_t v = level->v, o1 = level->o1, o2 = level->o2;
    l->bytes = bytes;
    l->vv = hanji_rainbow_take(memory, triangle(v) * bytes);
    l->va = hanji_rainbow_take(memory, v * o1 * bytes);
    l->vb = hanji_rainbow_take(memory, v * o2 * bytes);
    l->aa = hanji_rainbow_take(memory, triangle(o1) * bytes);
    l->ab = hanji_rainbow_take(memory, o1 * o2 * bytes);
    l->bb = hanji_rainbow_take(memory, triangle(o2) * bytes);
}

static size_t layer_scratch(const hanji_rainbow_level *level, size_t bytes)
{
    const size_t v = level->v, o1 = level->o1, o2 = level->o2;
    return taken(triangle(v) * bytes) + taken(v * o1 * bytes) + taken(v * o2 * bytes) +
           taken(triangle(o1) * bytes) + taken(o1 * o2 * bytes) + taken(triangle(o2) * bytes);
}

/* Seven blocks, one call of the generator for each. */
static int draw_layers(const layer *l1, const layer *l2, generator *g,
                       const hanji_rainbow_level *level)
{
    const size_t v = level->v, o1 = level->o1, o2 = level->o2;
    const struct {
        uint8_t *at;
        size_t bytes;
    } blocks[] = {
        {l1->vv, triangle(v) * l1->bytes}, {l1->va, v * o1 * l1->bytes},
        {l2->vv, triangle(v) * l2->bytes}, {l2->va, v * o1 * l2->bytes},
        {l2->vb, v * o2 * l2->bytes},      {l2->aa, triangle(o1) * l2->bytes},
        {l2->ab, o1 * o2 * l2->bytes},
    };
    int rc = HANJI_OK;
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0] && rc == HANJI_OK; i++)
        rc = hanji_rainbow_generate(blocks[i].at, blocks[i].bytes, g);
    return rc;
}

/* S1, T1, T2 (in the place of T4), T3; for the classic variant all blocks of F. */
static int draw_secret(const secret_key *sk, const uint8_t *seed, int with_layers,
                       EVP_MD_CTX *hasher, const hanji_rainbow_level *level)
{
    const size_t wv = packed(level, level->v), w1 = packed(level, level->o1), o2 = level->o2;
    generator g;
    int rc = hanji_rainbow_generator_init(&g, seed, SEED_BYTES, hasher, level);
    memcpy(sk->seed, seed, SEED_BYTES);
    if (rc == HANJI_OK)
        rc = hanji_rainbow_generate(sk->s1, o2 * w1, &g);
    if (rc == HANJI_OK)
        rc = hanji_rainbow_generate(sk->t1, level->o1 * wv, &g);
    if (rc == HANJI_OK)
        rc = hanji_rainbow_generate(sk->t4, o2 * wv, &g);
    if (rc == HANJI_OK)
        rc = hanji_rainbow_generate(sk->t3, o2 * w1, &g);
    if (rc == HANJI_OK && with_layers)
        rc = draw_layers(&sk->f1, &sk->f2, &g, level);
    hanji_rainbow_generator_wipe(&g);
    return rc;
}

static int draw_public(const layer *p1, const layer *p2, const uint8_t *seed, EVP_MD_CTX *hasher,
                       const hanji_rainbow_level *level)
{
    generator g;
    int rc = hanji_rainbow_generator_init(&g, seed, SEED_BYTES, hasher, level);
    if (rc == HANJI_OK)
        rc = draw_layers(p1, p2, &g, level);
    hanji_rainbow_generator_wipe(&g);
    return rc;
}

/* From the blocks of P that PKSEED gives, which lie where those of F belong, to F. */
static void undo_public(secret_key *sk, uint8_t *work, const hanji_rainbow_level *level,
                        const hanji_matrix_kernels *kernels)
{
    mix(sk->f1.vv, sk->f1.vv, sk->f2.vv, triangle(level->v), sk, work, level, kernels);
    mix(sk->f1.va, sk->f1.va, sk->f2.va, (size_t)level->v * level->o1, sk, work, level, kernels);
    transform_a(&sk->f1, 0, sk, work, level, kernels);
    /* VB and AB need VV, VA and AA as they are in P, so they come first. */
    transform_b(&(layer){.bytes = sk->f2.bytes, .vb = sk->f2.vb, .ab = sk->f2.ab}, &sk->f2, sk->t4,
                sk, work, level, kernels);
    transform_a(&sk->f2, 1, sk, work, level, kernels);
}

size_t hanji_rainbow_expand_secret_scratch(const hanji_rainbow_level *level)
{
    return transform_scratch(level);
}

int hanji_rainbow_expand_secret(uint8_t *key, const uint8_t *sk_seed, const uint8_t *pk_seed,
                                uint8_t *work, EVP_MD_CTX *hasher, const hanji_rainbow_level *level)
{
    const hanji_matrix_kernels *kernels = hanji_matrix_best(level->bits);
    secret_key sk;
    int rc;
    hanji_rainbow_secret_parts(&sk, key, level);
    rc = draw_secret(&sk, sk_seed, 0, hasher, level);
    if (rc == HANJI_OK)
        rc = draw_public(&sk.f1, &sk.f2, pk_seed, hasher, level);
    if (rc != HANJI_OK)
        return rc;
    make_t4(&sk, work, level, kernels);
    undo_public(&sk, work, level, kernels);
    return HANJI_OK;
}

/*
 * The classic public key: one triangle over all variables, with the coefficients of both layers
 * side by side.
 */
static void interleave(uint8_t *pk, const layer *p1, const layer *p2,
                       const hanji_rainbow_level *level)
{
    const size_t v = level->v, va = v + level->o1, n = va + level->o2;
    layer a = *p1, b = *p2;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n; j++) {
            uint8_t **x = i < v    ? (j < v    ? &a.vv
                                      : j < va ? &a.va
                                               : &a.vb)
                          : i < va ? (j < va ? &a.aa : &a.ab)
                                   : &a.bb;
            uint8_t **y = i < v    ? (j < v    ? &b.vv
                                      : j < va ? &b.va
                                               : &b.vb)
                          : i < va ? (j < va ? &b.aa : &b.ab)
                                   : &b.bb;
            memcpy(pk, *x, a.bytes);
            memcpy(pk + a.bytes, *y, b.bytes);
            pk += a.bytes + b.bytes;
            *x += a.bytes;
            *y += b.bytes;
        }
}

/* The blocks of a circumzenithal public key that are stored. */
static void stored_blocks(layer *p1, layer *p2, uint8_t *at, const hanji_rainbow_level *level)
{
    const size_t v = level->v, o1 = level->o1, o2 = level->o2;
    at += SEED_BYTES;
    p1->vb = at;
    at += v * o2 * p1->bytes;
    p1->aa = at;
    at += triangle(o1) * p1->bytes;
    p1->ab = at;
    at += o1 * o2 * p1->bytes;
    p1->bb = at;
    at += triangle(o2) * p1->bytes;
    p2->bb = at;
}

/*
 * Forward for the blocks of layer 1 that its F does not have, with T2 at `t2`; their memory is in
 * `q`.
 */
static void forward_layer1(layer *q, const secret_key *sk, const uint8_t *t2, uint8_t *work,
                           const hanji_rainbow_level *level, const hanji_matrix_kernels *kernels)
{
    memset(q->aa, 0, triangle(level->o1) * q->bytes);
    memset(q->bb, 0, triangle(level->o2) * q->bytes);
    transform_b(q, &sk->f1, t2, sk, work, level, kernels);
    memcpy(q->va, sk->f1.va, (size_t)level->v * level->o1 * q->bytes);
    transform_a(&(layer){.bytes = q->bytes, .vv = sk->f1.vv, .va = q->va, .aa = q->aa}, 1, sk, work,
                level, kernels);
}

/*
 * Scratch: the blocks of both layers of P, T2, and the work of the transformations. For seeds only,
 * of the long secret key too.
 */
size_t hanji_rainbow_keypair_scratch_bytes(const hanji_rainbow_set *set)
{
    if (set == NULL)
        return 0;
    const hanji_rainbow_level *level = set->level;
    return HANJI_MATRIX_ALIGN + layer_scratch(level, packed(level, level->o1)) +
           layer_scratch(level, packed(level, level->o2)) +
           taken(level->o2 * packed(level, level->v)) + transform_scratch(level) +
           (set->variant == COMPRESSED ? taken(secret_bytes(level)) : 0);
}

static int make_classic(uint8_t *public_key, secret_key *sk, const uint8_t *seed, layer *p1,
                        layer *p2, uint8_t *t2, uint8_t *work, EVP_MD_CTX *hasher,
                        const hanji_rainbow_level *level, const hanji_matrix_kernels *kernels)
{
    const size_t v = level->v, o1 = level->o1, o2 = level->o2;
    const int rc = draw_secret(sk, seed, 1, hasher, level);
    if (rc != HANJI_OK)
        return rc;
    memcpy(t2, sk->t4, o2 * packed(level, v));
    make_t4(sk, work, level, kernels);
    forward_layer1(p1, sk, t2, work, level, kernels);
    memcpy(p1->vv, sk->f1.vv, triangle(v) * p1->bytes);
    memcpy(p2->vv, sk->f2.vv, triangle(v) * p2->bytes);
    memcpy(p2->va, sk->f2.va, v * o1 * p2->bytes);
    memcpy(p2->aa, sk->f2.aa, triangle(o1) * p2->bytes);
    memset(p2->bb, 0, triangle(o2) * p2->bytes);
    transform_b(p2, &sk->f2, t2, sk, work, level, kernels);
    transform_a(p2, 1, sk, work, level, kernels);
    mix(p1->vv, p1->vv, p2->vv, triangle(v), sk, work, level, kernels);
    mix(p1->va, p1->va, p2->va, v * o1, sk, work, level, kernels);
    mix(p1->vb, p1->vb, p2->vb, v * o2, sk, work, level, kernels);
    mix(p1->aa, p1->aa, p2->aa, triangle(o1), sk, work, level, kernels);
    mix(p1->ab, p1->ab, p2->ab, o1 * o2, sk, work, level, kernels);
    mix(p1->bb, p1->bb, p2->bb, triangle(o2), sk, work, level, kernels);
    interleave(public_key, p1, p2, level);
    return HANJI_OK;
}

static int make_cz(uint8_t *public_key, secret_key *sk, const uint8_t *seeds, layer *p1, layer *p2,
                   uint8_t *t2, uint8_t *work, EVP_MD_CTX *hasher, const hanji_rainbow_level *level,
                   const hanji_matrix_kernels *kernels)
{
    const size_t v = level->v, o1 = level->o1, o2 = level->o2;
    int rc = draw_secret(sk, seeds, 0, hasher, level);
    if (rc == HANJI_OK)
        rc = draw_public(p1, p2, seeds + SEED_BYTES, hasher, level);
    if (rc != HANJI_OK)
        return rc;
    memcpy(t2, sk->t4, o2 * packed(level, v));
    make_t4(sk, work, level, kernels);
    memcpy(sk->f1.vv, p1->vv, triangle(v) * p1->bytes);
    memcpy(sk->f1.va, p1->va, v * o1 * p1->bytes);
    memcpy(sk->f2.vv, p2->vv, triangle(v) * p2->bytes);
    memcpy(sk->f2.va, p2->va, v * o1 * p2->bytes);
    memcpy(sk->f2.vb, p2->vb, v * o2 * p2->bytes);
    memcpy(sk->f2.aa, p2->aa, triangle(o1) * p2->bytes);
    memcpy(sk->f2.ab, p2->ab, o1 * o2 * p2->bytes);
    undo_public(sk, work, level, kernels);

    memcpy(public_key, seeds + SEED_BYTES, SEED_BYTES);
    stored_blocks(p1, p2, public_key, level);
    forward_layer1(p1, sk, t2, work, level, kernels);
    memset(p2->bb, 0, triangle(o2) * p2->bytes);
    transform_b(&(layer){.bytes = p2->bytes, .bb = p2->bb}, &sk->f2, t2, sk, work, level, kernels);
    mix(p1->vb, p1->vb, p2->vb, v * o2, sk, work, level, kernels);
    mix(p1->aa, p1->aa, p2->aa, triangle(o1), sk, work, level, kernels);
    mix(p1->ab, p1->ab, p2->ab, o1 * o2, sk, work, level, kernels);
    mix(p1->bb, p1->bb, p2->bb, triangle(o2), sk, work, level, kernels);
    return HANJI_OK;
}

int hanji_rainbow_keypair_from_seeds(uint8_t *public_key, uint8_t *secret_key_out,
                                     const uint8_t seeds[HANJI_RAINBOW_SEEDS_BYTES],
                                     uint8_t *memory, size_t scratch_bytes,
                                     const hanji_rainbow_set *set)
{
    const hanji_rainbow_level *level;
    const hanji_matrix_kernels *kernels;
    secret_key sk;
    layer p1, p2;
    scratch from;
    uint8_t *t2, *work;
    EVP_MD_CTX *hasher;
    int rc;
    if (public_key == NULL || secret_key_out == NULL || seeds == NULL || memory == NULL ||
        set == NULL)
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {{public_key, set->public_key_bytes},
                                    {secret_key_out, set->secret_key_bytes},
                                    {memory, scratch_bytes},
                                    {seeds, HANJI_RAINBOW_SEEDS_BYTES}};
    if (!hanji_apart(buffers, 3, 4))
        return HANJI_E_ARGUMENT;
    rc = scratch_bytes < hanji_rainbow_keypair_scratch_bytes(set) ? HANJI_E_LENGTH
                                                                  : hanji_selection();
    if (rc != HANJI_OK) {
        memset(public_key, 0, set->public_key_bytes);
        hanji_wipe(secret_key_out, set->secret_key_bytes);
        return rc;
    }
    level = set->level;
    kernels = hanji_matrix_best(level->bits);
    from = hanji_rainbow_scratch(memory);
    place_layer(&p1, &from, level, packed(level, level->o1));
    place_layer(&p2, &from, level, packed(level, level->o2));
    t2 = hanji_rainbow_take(&from, level->o2 * packed(level, level->v));
    work = hanji_rainbow_take(&from, transform_scratch(level));
    hanji_rainbow_secret_parts(&sk,
                               set->variant == COMPRESSED
                                   ? hanji_rainbow_take(&from, secret_bytes(level))
                                   : secret_key_out,
                               level);
    hasher = hanji_rainbow_hasher();
    rc = set->variant == CLASSIC
             ? make_classic(public_key, &sk, seeds, &p1, &p2, t2, work, hasher, level, kernels)
             : make_cz(public_key, &sk, seeds, &p1, &p2, t2, work, hasher, level, kernels);
    hanji_rainbow_hasher_free(hasher);
    if (rc == HANJI_OK && set->variant == COMPRESSED) {
        memcpy(secret_key_out, seeds + SEED_BYTES, SEED_BYTES);
        memcpy(secret_key_out + SEED_BYTES, seeds, SEED_BYTES);
    }
    if (rc != HANJI_OK) {
        memset(public_key, 0, set->public_key_bytes);
        hanji_wipe(secret_key_out, set->secret_key_bytes);
    }
    hanji_wipe(memory, hanji_rainbow_keypair_scratch_bytes(set));
    hanji_rainbow_wipe_stack();
    return rc;
}

int hanji_rainbow_keypair(uint8_t *public_key, uint8_t *secret_key_out, uint8_t *memory,
                          size_t scratch_bytes, const hanji_rainbow_set *set)
{
    uint8_t seeds[HANJI_RAINBOW_SEEDS_BYTES] = {0};
    int rc;
    if (public_key == NULL || secret_key_out == NULL || memory == NULL || set == NULL)
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {{public_key, set->public_key_bytes},
                                    {secret_key_out, set->secret_key_bytes},
                                    {memory, scratch_bytes}};
    if (!hanji_apart(buffers, 3, 3))
        return HANJI_E_ARGUMENT;
    rc = hanji_random(seeds, sizeof seeds);
    if (rc == HANJI_OK)
        rc = hanji_rainbow_keypair_from_seeds(public_key, secret_key_out, seeds, memory,
                                              scratch_bytes, set);
    if (rc != HANJI_OK) {
        memset(public_key, 0, set->public_key_bytes);
        hanji_wipe(secret_key_out, set->secret_key_bytes);
    }
    hanji_wipe(seeds, sizeof seeds);
    return rc;
}
