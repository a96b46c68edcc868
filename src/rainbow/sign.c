/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signing (round-3 specification, section 3.5): vinegar values are drawn until the system of layer
 * 1 is regular, then salts until that of layer 2 is.
 */
#include "rainbow/rainbow.h"

#include "rainbow/field.h"
#include "rainbow/forms.h"
#include "support/apart.h"
#include "support/cpu.h"
#include "support/secret.h"

/* Working memory of a signature, in the sizes of its level. */
typedef struct work {
    uint8_t *a_multipliers, *b_multipliers; /* of the vinegar values, and of any other vector */
    uint8_t *m1, *n, *r, *m2;               /* matrices, column by column */
    uint8_t *c1, *c2;                       /* the forms of VV at the vinegar values */
    uint8_t *lines;                         /* for forms */
    uint8_t *system;                        /* a linear system */
    uint8_t *key;                           /* a long secret key, when it must be made here */
    uint8_t *expansion;
} work;

#define VECTOR 128 /* bytes for any packed vector but the whole of the variables */

static uint8_t *take_work(work *w, scratch *from, const hanji_rainbow_set *set)
{
    const hanji_rainbow_level *level = set->level;
    const size_t w1 = packed(level, level->o1), w2 = packed(level, level->o2);
    w->a_multipliers = hanji_rainbow_take(from, multipliers(level->v));
    w->b_multipliers = hanji_rainbow_take(from, multipliers(HANJI_SYSTEM_MAX));
    w->m1 = hanji_rainbow_take(from, level->o1 * w1);
    w->n = hanji_rainbow_take(from, level->o2 * w2);
    w->r = hanji_rainbow_take(from, level->o1 * w2);
    w->m2 = hanji_rainbow_take(from, level->o2 * w2);
    w->c1 = hanji_rainbow_take(from, w1);
    w->c2 = hanji_rainbow_take(from, w2);
    w->lines = hanji_rainbow_take(from, level->v * w2);
    w->system = hanji_rainbow_take(from, HANJI_SYSTEM_BYTES);
    w->key = hanji_rainbow_take(from, set->variant == COMPRESSED ? secret_bytes(level) : 0);
    w->expansion = hanji_rainbow_take(
        from, set->variant == COMPRESSED ? hanji_rainbow_expand_secret_scratch(level) : 0);
    return from->at;
}

size_t hanji_rainbow_sign_scratch_bytes(const hanji_rainbow_set *set)
{
    if (set == NULL)
        return 0;
    const hanji_rainbow_level *level = set->level;
    const size_t w1 = packed(level, level->o1), w2 = packed(level, level->o2);
    const size_t signing = taken(multipliers(level->v)) + taken(multipliers(HANJI_SYSTEM_MAX)) +
                           taken(level->o1 * w1) + 2 * taken(level->o2 * w2) +
                           taken(level->o1 * w2) + taken(w1) + taken(w2) + taken(level->v * w2) +
                           taken(HANJI_SYSTEM_BYTES);
    const size_t expansion =
        set->variant == COMPRESSED
            ? taken(secret_bytes(level)) + taken(hanji_rainbow_expand_secret_scratch(level))
            : 0;
    return HANJI_MATRIX_ALIGN + signing + expansion;
}

size_t hanji_rainbow_signing_area_bytes(const hanji_rainbow_set *set)
{
    return set != NULL && set->variant == COMPRESSED ? secret_bytes(set->level) : 0;
}

/* out += matrix * (packed vector x); columns of `bytes` bytes. */
static void times_vector(uint8_t *out, const uint8_t *matrix, size_t bytes, const uint8_t *x,
                         size_t columns, const work *w, const hanji_matrix_kernels *kernels)
{
    kernels->prepare(w->b_multipliers, x, columns);
    kernels->accumulate(out, matrix, bytes, bytes, w->b_multipliers, columns);
}

/* One packed column of `size` elements to bytes. */
static void unpack(uint8_t *column, const uint8_t *from, size_t size,
                   const hanji_rainbow_level *level)
{
    memset(column, 0, hanji_system_column(size));
    if (level->bits == 8)
        memcpy(column, from, size);
    else
        for (size_t i = 0; i < size; i += 8)
            store_le64(column + i, gf16_unpack8(load_le32(from + i / 2)));
}

/*
 * x = matrix^-1 * right, packed; the answer is 0 when the matrix is singular. `columns` is a square
 * matrix.
 */
static uint32_t solve(uint8_t *x, const uint8_t *matrix, const uint8_t *right, size_t size,
                      const work *w, const hanji_rainbow_level *level,
                      const hanji_matrix_kernels *kernels)
{
    const size_t bytes = packed(level, size), stride = hanji_system_column(size);
    const uint8_t *solution = w->system + size * stride;
    uint32_t regular;
    for (size_t j = 0; j < size; j++)
        unpack(w->system + j * stride, matrix + j * bytes, size, level);
    unpack(w->system + size * stride, right, size, level);
    regular = kernels->solve(w->system, size);
    if (level->bits == 8)
        memcpy(x, solution, size);
    else
        for (size_t i = 0; i < size; i += 8)
            store_le32(x + i / 2, gf16_pack8(load_le64(solution + i)));
    return regular;
}

/* Values that one draw of the vinegars fixes. */
static void fix_vinegars(const uint8_t *a, const secret_key *sk, const work *w,
                         const hanji_rainbow_level *level, const hanji_matrix_kernels *kernels)
{
    const size_t v = level->v, o1 = level->o1, w1 = sk->f1.bytes;
    kernels->prepare(w->a_multipliers, a, v);
    memset(w->m1, 0, o1 * w1);
    kernels->accumulate(w->m1, sk->f1.va, o1 * w1, o1 * w1, w->a_multipliers, v);
    memset(w->c1, 0, w1);
    hanji_form_triangle(w->c1, sk->f1.vv, w1, w->a_multipliers, v, w->lines, kernels);
}

static void fix_vinegars_layer2(const secret_key *sk, const work *w,
                                const hanji_rainbow_level *level,
                                const hanji_matrix_kernels *kernels)
{
    const size_t v = level->v, o1 = level->o1, o2 = level->o2, w2 = sk->f2.bytes;
    memset(w->n, 0, o2 * w2);
    kernels->accumulate(w->n, sk->f2.vb, o2 * w2, o2 * w2, w->a_multipliers, v);
    memset(w->r, 0, o1 * w2);
    kernels->accumulate(w->r, sk->f2.va, o1 * w2, o1 * w2, w->a_multipliers, v);
    memset(w->c2, 0, w2);
    hanji_form_triangle(w->c2, sk->f2.vv, w2, w->a_multipliers, v, w->lines, kernels);
}

/* For one salt's z = z1 | z2: the right side of layer 1, b, and its answer. */
static uint32_t solve_layer1(uint8_t *b, const uint8_t *z, const secret_key *sk, const work *w,
                             const hanji_rainbow_level *level, const hanji_matrix_kernels *kernels)
{
    const size_t w1 = sk->f1.bytes;
    uint8_t right[VECTOR];
    uint32_t regular;
    xor_bytes(right, z, w->c1, w1);
    times_vector(right, sk->s1, w1, z + w1, level->o2, w, kernels);
    regular = solve(b, w->m1, right, level->o1, w, level, kernels);
    hanji_wipe(right, sizeof right);
    return regular;
}

static uint32_t solve_layer2(uint8_t *g, const uint8_t *b, const uint8_t *z, const secret_key *sk,
                             const work *w, const hanji_rainbow_level *level,
                             const hanji_matrix_kernels *kernels)
{
    const size_t o1 = level->o1, o2 = level->o2, w1 = sk->f1.bytes, w2 = sk->f2.bytes;
    uint8_t right[VECTOR];
    uint32_t regular;
    xor_bytes(right, z + w1, w->c2, w2);
    times_vector(right, w->r, w2, b, o1, w, kernels); /* leaves the multipliers of b */
    hanji_form_triangle(right, sk->f2.aa, w2, w->b_multipliers, o1, w->lines, kernels);
    memcpy(w->m2, w->n, o2 * w2);
    kernels->accumulate(w->m2, sk->f2.ab, o2 * w2, o2 * w2, w->b_multipliers, o1);
    regular = solve(g, w->m2, right, o2, w, level, kernels);
    hanji_wipe(right, sizeof right);
    return regular;
}

/* One signature with a long key; `g` has been seeded. */
static int draw_signature(uint8_t *signature, const uint8_t *digest, generator *g,
                          const secret_key *sk, const work *w, EVP_MD_CTX *hasher,
                          const hanji_rainbow_level *level)
{
    const hanji_matrix_kernels *kernels = hanji_matrix_best(level->bits);
    const size_t v = level->v, o1 = level->o1, o2 = level->o2, wv = packed(level, v),
                 w1 = packed(level, o1), w2 = packed(level, o2);
    uint8_t a[VECTOR], b[VECTOR], x[VECTOR], z[VECTOR], salt[SALT_BYTES], before[48];
    uint32_t draws = 0, regular = 0;
    int rc = HANJI_OK;

    /*
     * A salt is drawn before it is known whether layer 1 is regular, so its matrix is used
     * once only; if it is not, the generator goes back.
     */
    while (rc == HANJI_OK && !regular) {
        if (draws++ == SIGNING_DRAWS) {
            rc = HANJI_E_RANDOM;
            break;
        }
        rc = hanji_rainbow_generate(a, wv, g);
        if (rc != HANJI_OK)
            break;
        fix_vinegars(a, sk, w, level, kernels);
        memcpy(before, g->key, 32);
        memcpy(before + 32, g->counter, 16);
        rc = hanji_rainbow_generate(salt, SALT_BYTES, g);
        if (rc == HANJI_OK)
            rc = hanji_rainbow_target(z, w1 + w2, digest, salt, hasher, level);
        if (rc != HANJI_OK)
            break;
        regular = hanji_rainbow_regular(solve_layer1(b, z, sk, w, level, kernels));
        if (!regular) {
            memcpy(g->key, before, 32);
            memcpy(g->counter, before + 32, 16);
        }
    }
    if (rc == HANJI_OK)
        fix_vinegars_layer2(sk, w, level, kernels);
    for (regular = 0; rc == HANJI_OK && !regular;) {
        if (draws++ == SIGNING_DRAWS) {
            rc = HANJI_E_RANDOM;
            break;
        }
        regular = hanji_rainbow_regular(solve_layer2(x, b, z, sk, w, level, kernels));
        if (regular)
            break;
        rc = hanji_rainbow_generate(salt, SALT_BYTES, g);
        if (rc == HANJI_OK)
            rc = hanji_rainbow_target(z, w1 + w2, digest, salt, hasher, level);
        if (rc == HANJI_OK)
            (void)solve_layer1(b, z, sk, w, level, kernels);
    }
    if (rc == HANJI_OK && draws >= SIGNING_DRAWS)
        rc = HANJI_E_RANDOM;
    if (rc == HANJI_OK) {
        times_vector(a, sk->t4, wv, x, o2, w, kernels);
        times_vector(a, sk->t1, wv, b, o1, w, kernels);
        kernels->prepare(w->b_multipliers, x, o2);
        kernels->accumulate(b, sk->t3, w1, w1, w->b_multipliers, o2);
        memcpy(signature, a, wv);
        memcpy(signature + wv, b, w1);
        memcpy(signature + wv + w1, x, w2);
        memcpy(signature + wv + w1 + w2, salt, SALT_BYTES);
    }
    hanji_wipe(a, sizeof a);
    hanji_wipe(b, sizeof b);
    hanji_wipe(x, sizeof x);
    hanji_wipe(before, sizeof before);
    return rc;
}

/* The parts of a long key that is only read. */
static void read_parts(secret_key *parts, const uint8_t *key, const hanji_rainbow_level *level)
{
    union {
        const uint8_t *given;
        uint8_t *part;
    } pointer = {key};
    hanji_rainbow_secret_parts(parts, pointer.part, level);
}

/* With `digest` NULL it is made from the message. */
static int sign_with(uint8_t *signature, const uint8_t *digest, const uint8_t *message,
                     size_t message_bytes, const work *w, EVP_MD_CTX *hasher,
                     const hanji_rainbow_signing_key *ctx)
{
    const hanji_rainbow_level *level = ctx->set->level;
    uint8_t seed[HANJI_RAINBOW_DIGEST_BYTES_MAX], made[HANJI_RAINBOW_DIGEST_BYTES_MAX];
    secret_key sk;
    generator g;
    int rc = HANJI_OK;
    if (digest == NULL) {
        rc = hanji_rainbow_hash(made, message, message_bytes, NULL, 0, hasher, level);
        digest = made;
    }
    if (ctx->expanded == SIGNS_EXPANDED)
        read_parts(&sk, ctx->key, level);
    else {
        if (rc == HANJI_OK)
            rc = hanji_rainbow_expand_secret(w->key, ctx->key + SEED_BYTES, ctx->key, w->expansion,
                                             hasher, level);
        read_parts(&sk, w->key, level);
    }
    if (rc == HANJI_OK)
        rc =
            hanji_rainbow_hash(seed, sk.seed, SEED_BYTES, digest, level->hash_bytes, hasher, level);
    if (rc == HANJI_OK) {
        rc = hanji_rainbow_generator_init(&g, seed, level->hash_bytes, hasher, level);
        if (rc == HANJI_OK)
            rc = draw_signature(signature, digest, &g, &sk, w, hasher, level);
        hanji_rainbow_generator_wipe(&g);
    }
    hanji_wipe(seed, sizeof seed);
    return rc;
}

static int checked(const void *set, const void *memory, size_t scratch_bytes, size_t wanted)
{
    if (set == NULL || memory == NULL)
        return HANJI_E_ARGUMENT;
    if (scratch_bytes < wanted)
        return HANJI_E_LENGTH;
    return hanji_selection();
}

int hanji_rainbow_signing_key_init(uint8_t *area, size_t area_bytes, const uint8_t *secret_key_in,
                                   size_t secret_key_bytes, uint8_t *memory, size_t scratch_bytes,
                                   const hanji_rainbow_set *set, hanji_rainbow_signing_key *ctx)
{
    work w;
    scratch from;
    EVP_MD_CTX *hasher;
    int rc;
    const hanji_buffer buffers[] = {{ctx, sizeof *ctx},
                                    {area, area == NULL ? 0 : area_bytes},
                                    {memory, memory == NULL ? 0 : scratch_bytes},
                                    {secret_key_in, secret_key_bytes}};
    if (ctx == NULL || !hanji_apart(buffers, 3, 4))
        return HANJI_E_ARGUMENT;
    /* A key that is refused leaves none to sign with: neither itself nor the one before it. */
    *ctx = (hanji_rainbow_signing_key){0};
    if (secret_key_in == NULL || set == NULL)
        return HANJI_E_ARGUMENT;
    if (secret_key_bytes != set->secret_key_bytes)
        return HANJI_E_LENGTH;
    if (area == NULL || set->variant != COMPRESSED) {
        rc = hanji_selection();
        if (rc == HANJI_OK)
            *ctx = (hanji_rainbow_signing_key){
                .set = set,
                .key = secret_key_in,
                .expanded = set->variant != COMPRESSED ? SIGNS_EXPANDED : SIGNS_AS_GIVEN};
        return rc;
    }
    rc = area_bytes < hanji_rainbow_signing_area_bytes(set)
             ? HANJI_E_LENGTH
             : checked(set, memory, scratch_bytes, hanji_rainbow_sign_scratch_bytes(set));
    if (rc != HANJI_OK)
        return rc;
    from = hanji_rainbow_scratch(memory);
    (void)take_work(&w, &from, set);
    hasher = hanji_rainbow_hasher();
    rc = hanji_rainbow_expand_secret(area, secret_key_in + SEED_BYTES, secret_key_in, w.expansion,
                                     hasher, set->level);
    hanji_rainbow_hasher_free(hasher);
    if (rc == HANJI_OK)
        *ctx = (hanji_rainbow_signing_key){.set = set, .key = area, .expanded = SIGNS_EXPANDED};
    else
        hanji_wipe(area, hanji_rainbow_signing_area_bytes(set));
    hanji_wipe(memory, hanji_rainbow_sign_scratch_bytes(set));
    hanji_rainbow_wipe_stack();
    return rc;
}

static int sign_checked(uint8_t *signature, const uint8_t *digest, const uint8_t *message,
                        size_t message_bytes, uint8_t *memory, size_t scratch_bytes,
                        const hanji_rainbow_signing_key *ctx)
{
    EVP_MD_CTX *hasher;
    const uint8_t *end;
    work w;
    scratch from;
    int rc;
    if (signature == NULL || ctx == NULL ||
        (ctx->expanded != SIGNS_EXPANDED && ctx->expanded != SIGNS_AS_GIVEN))
        return HANJI_E_ARGUMENT;
    const hanji_rainbow_level *level = ctx->set->level;
    const int expanded = ctx->expanded == SIGNS_EXPANDED;
    const hanji_buffer buffers[] = {{signature, ctx->set->signature_bytes},
                                    {memory, scratch_bytes},
                                    {digest, digest == NULL ? 0 : level->hash_bytes},
                                    {message, message_bytes},
                                    {ctx, sizeof *ctx},
                                    {ctx->key, expanded && ctx->set->variant == COMPRESSED
                                                   ? hanji_rainbow_signing_area_bytes(ctx->set)
                                                   : ctx->set->secret_key_bytes}};
    if (!hanji_apart(buffers, 2, 6))
        return HANJI_E_ARGUMENT;
    rc = checked(ctx->set, memory, scratch_bytes, hanji_rainbow_sign_scratch_bytes(ctx->set));
    if (rc != HANJI_OK) {
        memset(signature, 0, ctx->set->signature_bytes);
        return rc;
    }
    from = hanji_rainbow_scratch(memory);
    end = take_work(&w, &from, ctx->set);
    hasher = hanji_rainbow_hasher();
    rc = sign_with(signature, digest, message, message_bytes, &w, hasher, ctx);
    hanji_rainbow_hasher_free(hasher);
    if (rc != HANJI_OK)
        memset(signature, 0, ctx->set->signature_bytes);
    hanji_wipe(w.a_multipliers, (size_t)((expanded ? w.key : end) - w.a_multipliers));
    hanji_rainbow_wipe_stack();
    return rc;
}

int hanji_rainbow_sign_digest(uint8_t *signature, const uint8_t *digest, uint8_t *memory,
                              size_t scratch_bytes, const hanji_rainbow_signing_key *ctx)
{
    return digest == NULL ? HANJI_E_ARGUMENT
                          : sign_checked(signature, digest, NULL, 0, memory, scratch_bytes, ctx);
}

int hanji_rainbow_sign(uint8_t *signature, const uint8_t *message, size_t message_bytes,
                       uint8_t *memory, size_t scratch_bytes, const hanji_rainbow_signing_key *ctx)
{
    return valid(message, message_bytes)
               ? sign_checked(signature, NULL, message, message_bytes, memory, scratch_bytes, ctx)
               : HANJI_E_ARGUMENT;
}
