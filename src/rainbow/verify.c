/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Verification (round-3 specification, section 3.6): the public map at the signature's vector
 * against the hash of message and salt. Public data only.
 */
#include "rainbow/rainbow.h"

#include "rainbow/field.h"
#include "rainbow/forms.h"
#include "support/apart.h"
#include "support/cpu.h"

/* Working memory of a verification. */
typedef struct work {
    uint8_t *multipliers; /* of V, A and B */
    uint8_t *lines;       /* for forms */
    /* rows of a public key that are made from its seed, or the sums of an evaluation */
    uint8_t *piece;
} work;

static size_t variables(const hanji_rainbow_level *level)
{
    return (size_t)level->v + level->o1 + level->o2;
}

/*
 * Bytes of a public key that are made from its seed at a time: they are used before they leave the
 * cache next to the core. The longest row, one of layer 2 of level V, has 6144 bytes. Behind them
 * there is room for what is left over of a block of AES.
 */
#define PIECE_BYTES 12288

_Static_assert(PIECE_BYTES + 32 <= HANJI_EVALUATE_SCRATCH, "both uses of the same memory");

static void take_work(work *w, uint8_t *memory, const hanji_rainbow_set *set)
{
    const hanji_rainbow_level *level = set->level;
    scratch from = hanji_rainbow_scratch(memory);
    w->multipliers = hanji_rainbow_take(&from, multipliers(variables(level)));
    w->lines = hanji_rainbow_take(&from, variables(level) * packed(level, level->o1 + level->o2));
    w->piece = hanji_rainbow_take(&from, HANJI_EVALUATE_SCRATCH);
}

size_t hanji_rainbow_verify_scratch_bytes(const hanji_rainbow_set *set)
{
    if (set == NULL)
        return 0;
    const hanji_rainbow_level *level = set->level;
    return HANJI_MATRIX_ALIGN + taken(multipliers(variables(level))) +
           taken(variables(level) * packed(level, level->o1 + level->o2)) +
           taken(HANJI_EVALUATE_SCRATCH);
}

size_t hanji_rainbow_verifying_area_bytes(const hanji_rainbow_set *set)
{
    if (set == NULL || set->variant == CLASSIC)
        return 0;
    const hanji_rainbow_level *level = set->level;
    return triangle(variables(level)) * packed(level, level->o1 + level->o2);
}

/* The blocks of a public map in the order in which a seed gives them. */
enum { VV1, VA1, VV2, VA2, VB2, AA2, AB2, FROM_SEED, VB1 = FROM_SEED, AA1, AB1, BB1, BB2, BLOCKS };
enum { V, A, B };
static const struct {
    uint8_t layer, rows, columns;
} blocks[BLOCKS] = {
    {1, V, V}, {1, V, A}, {2, V, V}, {2, V, A}, {2, V, B}, {2, A, A},
    {2, A, B}, {1, V, B}, {1, A, A}, {1, A, B}, {1, B, B}, {2, B, B},
};

/* First variable of a group, and how many it has. */
static size_t group_at(unsigned group, const hanji_rainbow_level *level)
{
    return group == V ? 0 : group == A ? level->v : level->v + level->o1;
}

static size_t group_size(unsigned group, const hanji_rainbow_level *level)
{
    return group == V ? level->v : group == A ? level->o1 : level->o2;
}

/* Some rows of a block, whose vectors lie one after the other. */
typedef struct slice {
    const uint8_t *at;
    size_t block, first, rows;
} slice;

/* Bytes of a row of a block. */
static size_t row_bytes(size_t block, size_t row, const hanji_rainbow_level *level)
{
    const size_t columns = group_size(blocks[block].columns, level) -
                           (blocks[block].rows == blocks[block].columns ? row : 0);
    return columns * packed(level, blocks[block].layer == 1 ? level->o1 : level->o2);
}

typedef void visit_fn(const slice *rows, void *state);

/* Visit the rows of a block from the seed, as many at a time as w->piece has room for. */
static int each_piece(visit_fn *visit, void *state, size_t block, const work *w, generator *g,
                      const hanji_rainbow_level *level)
{
    const size_t rows = group_size(blocks[block].rows, level);
    /* bytes that are not made, and that are left over from the piece before */
    size_t left = 0, kept = 0;
    int rc = hanji_rainbow_generate_begin(g);
    for (size_t row = 0; row < rows; row++)
        left += row_bytes(block, row, level);
    for (size_t row = 0, next = 0; row < rows && rc == HANJI_OK; row = next) {
        size_t used = 0, more;
        while (next < rows && used + row_bytes(block, next, level) <= PIECE_BYTES)
            used += row_bytes(block, next++, level);
        more = (used - kept + 15) / 16 * 16;
        if (more >= left) {
            more = left / 16 * 16;
            rc = hanji_rainbow_generate_blocks(w->piece + kept, more, g);
            if (rc == HANJI_OK)
                rc = hanji_rainbow_generate_end(w->piece + kept + more, left - more, g);
            more = left;
        } else {
            rc = hanji_rainbow_generate_blocks(w->piece + kept, more, g);
        }
        if (rc == HANJI_OK)
            visit(&(slice){w->piece, block, row, next - row}, state);
        left -= more;
        kept += more - used;
        memmove(w->piece, w->piece + used, kept);
    }
    return rc;
}

/* Visit all rows of a circumzenithal public key. */
static int each_row(visit_fn *visit, void *state, const uint8_t *key, const work *w,
                    EVP_MD_CTX *hasher, const hanji_rainbow_level *level)
{
    generator g;
    int rc = hanji_rainbow_generator_init(&g, key, SEED_BYTES, hasher, level);
    key += SEED_BYTES;
    for (size_t block = 0; block < BLOCKS && rc == HANJI_OK; block++) {
        const size_t rows = group_size(blocks[block].rows, level);
        if (block < FROM_SEED) {
            rc = each_piece(visit, state, block, w, &g, level);
            continue;
        }
        visit(&(slice){key, block, 0, rows}, state);
        for (size_t row = 0; row < rows; row++)
            key += row_bytes(block, row, level);
    }
    hanji_rainbow_generator_wipe(&g);
    return rc;
}

/* Copy rows to their places in the triangle over all variables. */
typedef struct expansion {
    const hanji_rainbow_level *level;
    uint8_t *area;
} expansion;

static void expand_rows(const slice *from, void *state)
{
    const expansion *to = state;
    const hanji_rainbow_level *level = to->level;
    const size_t block = from->block, n = variables(level), w1 = packed(level, level->o1),
                 all = packed(level, level->o1 + level->o2);
    const size_t bytes = blocks[block].layer == 1 ? w1 : all - w1,
                 offset = blocks[block].layer == 1 ? 0 : w1;
    const size_t i0 = group_at(blocks[block].rows, level) + from->first,
                 j0 = group_at(blocks[block].columns, level);
    const uint8_t *at = from->at;
    for (size_t i = i0; i < i0 + from->rows; i++)
        for (size_t j = i > j0 ? i : j0; j < j0 + group_size(blocks[block].columns, level);
             j++, at += bytes)
            memcpy(to->area + (i * (2 * n - i + 1) / 2 + j - i) * all + offset, at, bytes);
}

/* Add what rows give at a point. */
typedef struct evaluation {
    const hanji_rainbow_level *level;
    const hanji_matrix_kernels *kernels;
    const work *w;
    uint8_t *out;
} evaluation;

static void evaluate_rows(const slice *from, void *state)
{
    const evaluation *to = state;
    const hanji_rainbow_level *level = to->level;
    const size_t block = from->block, w1 = packed(level, level->o1),
                 size = to->kernels->multiplier_bytes;
    const size_t bytes = blocks[block].layer == 1 ? w1 : packed(level, level->o2),
                 step = blocks[block].rows == blocks[block].columns;
    const size_t skipped = step * from->first; /* columns that the first row does not have */
    const uint8_t *x =
        to->w->multipliers + (group_at(blocks[block].rows, level) + from->first) * size;
    const uint8_t *y =
        to->w->multipliers + (group_at(blocks[block].columns, level) + skipped) * size;
    hanji_form(to->out + (blocks[block].layer == 1 ? 0 : w1), from->at, bytes, x, from->rows, y,
               group_size(blocks[block].columns, level) - skipped, step, to->w->lines, to->kernels);
}

/* out = the public map at the packed vector s. */
static int public_map(uint8_t *out, const uint8_t *s, const work *w, EVP_MD_CTX *hasher,
                      const hanji_rainbow_verifying_key *ctx)
{
    const hanji_rainbow_level *level = ctx->set->level;
    const hanji_matrix_kernels *kernels = hanji_matrix_best(level->bits);
    const size_t n = variables(level), bytes = packed(level, level->o1 + level->o2);
    memset(out, 0, bytes);
    if (ctx->expanded == VERIFIES_EXPANDED) {
        uint8_t x[256] = {0};
        if (level->bits == 8)
            memcpy(x, s, n);
        else
            for (size_t i = 0; i < n; i++)
                x[i] = (uint8_t)(s[i / 2] >> i % 2 * 4 & 0x0f);
        kernels->evaluate(out, ctx->key, bytes, x, n, w->piece);
        return HANJI_OK;
    }
    kernels->prepare(w->multipliers, s, n);
    evaluation state = {level, kernels, w, out};
    return each_row(evaluate_rows, &state, ctx->key, w, hasher, level);
}

static int checked(const hanji_rainbow_set *set, const uint8_t *memory, size_t scratch_bytes)
{
    if (set == NULL || memory == NULL)
        return HANJI_E_ARGUMENT;
    if (scratch_bytes < hanji_rainbow_verify_scratch_bytes(set))
        return HANJI_E_LENGTH;
    return hanji_selection();
}

int hanji_rainbow_verifying_key_init(uint8_t *area, size_t area_bytes, const uint8_t *public_key,
                                     size_t public_key_bytes, uint8_t *memory, size_t scratch_bytes,
                                     const hanji_rainbow_set *set, hanji_rainbow_verifying_key *ctx)
{
    work w;
    EVP_MD_CTX *hasher;
    int rc;
    const hanji_buffer buffers[] = {{ctx, sizeof *ctx},
                                    {area, area == NULL ? 0 : area_bytes},
                                    {memory, memory == NULL ? 0 : scratch_bytes},
                                    {public_key, public_key_bytes}};
    if (ctx == NULL || !hanji_apart(buffers, 3, 4))
        return HANJI_E_ARGUMENT;
    /* A key that is refused leaves none to verify with: neither itself nor the one before it. */
    *ctx = (hanji_rainbow_verifying_key){0};
    if (public_key == NULL || set == NULL)
        return HANJI_E_ARGUMENT;
    if (public_key_bytes != set->public_key_bytes)
        return HANJI_E_LENGTH;
    if (area == NULL || set->variant == CLASSIC) {
        rc = hanji_selection();
        if (rc == HANJI_OK)
            *ctx = (hanji_rainbow_verifying_key){
                .set = set,
                .key = public_key,
                .expanded = set->variant == CLASSIC ? VERIFIES_EXPANDED : VERIFIES_AS_GIVEN};
        return rc;
    }
    rc = area_bytes < hanji_rainbow_verifying_area_bytes(set) ? HANJI_E_LENGTH
                                                              : checked(set, memory, scratch_bytes);
    if (rc != HANJI_OK)
        return rc;
    take_work(&w, memory, set);
    hasher = hanji_rainbow_hasher();
    rc = each_row(expand_rows, &(expansion){set->level, area}, public_key, &w, hasher, set->level);
    hanji_rainbow_hasher_free(hasher);
    if (rc == HANJI_OK)
        *ctx =
            (hanji_rainbow_verifying_key){.set = set, .key = area, .expanded = VERIFIES_EXPANDED};
    return rc;
}

/* The signature of a digest, or with `digest` NULL that of a message. */
typedef struct question {
    const uint8_t *signature, *digest, *message;
    size_t message_bytes;
} question;

static int answer(const question *q, const work *w, EVP_MD_CTX *hasher,
                  const hanji_rainbow_verifying_key *ctx)
{
    const hanji_rainbow_level *level = ctx->set->level;
    const size_t bytes = packed(level, level->o1 + level->o2);
    uint8_t made[HANJI_RAINBOW_DIGEST_BYTES_MAX], wanted[128], found[128];
    const uint8_t *digest = q->digest;
    int rc = HANJI_OK;
    if (digest == NULL) {
        rc = hanji_rainbow_hash(made, q->message, q->message_bytes, NULL, 0, hasher, level);
        digest = made;
    }
    if (rc == HANJI_OK)
        rc = hanji_rainbow_target(wanted, bytes, digest,
                                  q->signature + ctx->set->signature_bytes - SALT_BYTES, hasher,
                                  level);
    if (rc == HANJI_OK)
        rc = public_map(found, q->signature, w, hasher, ctx);
    if (rc == HANJI_OK && !hanji_equal(wanted, found, bytes))
        rc = HANJI_E_TAG;
    return rc;
}

/* A context with a key. */
static int keyed(const hanji_rainbow_verifying_key *ctx)
{
    return ctx != NULL &&
           (ctx->expanded == VERIFIES_EXPANDED || ctx->expanded == VERIFIES_AS_GIVEN);
}

/* What a key in memory of the caller takes there. */
static hanji_buffer key_buffer(const hanji_rainbow_verifying_key *ctx)
{
    const int in_area = ctx->expanded == VERIFIES_EXPANDED && ctx->set->variant != CLASSIC;
    return (hanji_buffer){ctx->key, in_area ? hanji_rainbow_verifying_area_bytes(ctx->set)
                                            : ctx->set->public_key_bytes};
}

static int ask(const question *q, size_t signature_bytes, uint8_t *memory, size_t scratch_bytes,
               const hanji_rainbow_verifying_key *ctx)
{
    EVP_MD_CTX *hasher;
    work w;
    int rc;
    if (q->signature == NULL || !keyed(ctx))
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {
        {memory, scratch_bytes},
        {q->signature, signature_bytes},
        {q->digest, q->digest == NULL ? 0 : ctx->set->level->hash_bytes},
        {q->message, q->message_bytes},
        {ctx, sizeof *ctx},
        key_buffer(ctx)};
    if (!hanji_apart(buffers, 1, 6))
        return HANJI_E_ARGUMENT;
    rc = checked(ctx->set, memory, scratch_bytes);
    if (rc == HANJI_OK && signature_bytes != ctx->set->signature_bytes)
        rc = HANJI_E_LENGTH;
    if (rc != HANJI_OK)
        return rc;
    take_work(&w, memory, ctx->set);
    hasher = hanji_rainbow_hasher();
    rc = answer(q, &w, hasher, ctx);
    hanji_rainbow_hasher_free(hasher);
    return rc;
}

int hanji_rainbow_verify_digest(const uint8_t *signature, size_t signature_bytes,
                                const uint8_t *digest, uint8_t *memory, size_t scratch_bytes,
                                const hanji_rainbow_verifying_key *ctx)
{
    return digest == NULL ? HANJI_E_ARGUMENT
                          : ask(&(question){signature, digest, NULL, 0}, signature_bytes, memory,
                                scratch_bytes, ctx);
}

int hanji_rainbow_verify(const uint8_t *signature, size_t signature_bytes, const uint8_t *message,
                         size_t message_bytes, uint8_t *memory, size_t scratch_bytes,
                         const hanji_rainbow_verifying_key *ctx)
{
    if (!valid(message, message_bytes))
        return HANJI_E_ARGUMENT;
    return ask(&(question){signature, NULL, message, message_bytes}, signature_bytes, memory,
               scratch_bytes, ctx);
}

int hanji_rainbow_verify_batch(int8_t *status, const uint8_t *signatures, const uint8_t *messages,
                               const uint64_t *offsets, size_t count, uint8_t *memory,
                               size_t scratch_bytes, const hanji_rainbow_verifying_key *ctx)
{
    EVP_MD_CTX *hasher;
    work w;
    int rc, worst = HANJI_OK;
    if (!keyed(ctx) || offsets == NULL || !valid(status, count) || !valid(signatures, count))
        return HANJI_E_ARGUMENT;
    /* No memory has room for so many: before the offsets are read. */
    if (count > SIZE_MAX / sizeof *offsets - 1 || count > SIZE_MAX / ctx->set->signature_bytes)
        return HANJI_E_LENGTH;
    /* Others may change the offsets meanwhile: each is read once here and once at its use. */
    const volatile uint64_t *const ends = offsets;
    uint64_t last = count == 0 ? 0 : ends[0];
    for (size_t i = 1; i <= count; i++) {
        const uint64_t next = ends[i];
        if (next < last || next > SIZE_MAX)
            return HANJI_E_LENGTH;
        last = next;
    }
    const size_t end = (size_t)last;
    if (!valid(messages, end))
        return HANJI_E_ARGUMENT;
    const hanji_buffer buffers[] = {{status, count},
                                    {memory, scratch_bytes},
                                    {signatures, count * ctx->set->signature_bytes},
                                    {messages, end},
                                    {offsets, (count + 1) * sizeof *offsets},
                                    {ctx, sizeof *ctx},
                                    key_buffer(ctx)};
    if (!hanji_apart(buffers, 2, 7))
        return HANJI_E_ARGUMENT;
    rc = checked(ctx->set, memory, scratch_bytes);
    if (rc != HANJI_OK)
        return rc;
    take_work(&w, memory, ctx->set);
    hasher = hanji_rainbow_hasher();
    uint64_t at = count == 0 ? 0 : ends[0];
    for (size_t i = 0; i < count; i++) {
        const uint64_t next = ends[i + 1];
        if (rc == HANJI_OK && (next < at || next > end))
            rc = HANJI_E_LENGTH; /* they were right before */
        if (rc != HANJI_OK) {    /* or no memory for the hash: the rest is not verified */
            status[i] = (int8_t)rc;
            continue;
        }
        const question q = {signatures + i * ctx->set->signature_bytes, NULL,
                            messages == NULL ? NULL : messages + at, (size_t)(next - at)};
        at = next;
        rc = answer(&q, &w, hasher, ctx);
        status[i] = (int8_t)rc;
        if (rc == HANJI_E_TAG) {
            worst = HANJI_E_TAG;
            rc = HANJI_OK;
        }
    }
    hanji_rainbow_hasher_free(hasher);
    return rc != HANJI_OK ? rc : worst;
}
