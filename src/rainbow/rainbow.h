/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rainbow: parameters, keys and the steps that its functions share. Names follow the round-3
 * specification: variables are in three groups, V (vinegar), A and B (the oil variables of layers 1
 * and 2); block XY of a layer holds, for each pair of variables of groups X and Y, one packed
 * vector of coefficients, an element per equation of the layer.
 */
#ifndef HANJI_RAINBOW_RAINBOW_H
#define HANJI_RAINBOW_RAINBOW_H

#include "rainbow/libcrypto.h"
#include "rainbow/matrix.h"
#include "rainbow/sets.h"

#define SALT_BYTES 16
#define SIGNING_DRAWS 128

/* Bytes of a packed vector of `elements` elements. */
static inline size_t packed(const hanji_rainbow_level *level, size_t elements)
{
    return elements * level->bits / 8;
}

/* Pairs i <= j of `d` things. */
static inline size_t triangle(size_t d)
{
    return d * (d + 1) / 2;
}

/*
 * What contexts hold in `expanded`: one that was never given a key, zeros or not, or that is one of
 * the other kind, is refused.
 */
#define SIGNS_AS_GIVEN 0x67697331u
#define SIGNS_EXPANDED 0x65787031u
#define VERIFIES_AS_GIVEN 0x67697632u
#define VERIFIES_EXPANDED 0x65787032u

/* The coefficients of one layer. Blocks that a layer does not have are NULL. */
typedef struct layer {
    uint8_t *vv, *va, *vb, *aa, *ab, *bb;
    size_t bytes; /* of a coefficient vector */
} layer;

/* A secret key in its long form. */
typedef struct secret_key {
    uint8_t *seed, *s1, *t1, *t4, *t3;
    layer f1, f2;
} secret_key;

/* The parts of a long secret key at `key`. */
void hanji_rainbow_secret_parts(secret_key *parts, uint8_t *key, const hanji_rainbow_level *level);
/* The bytes of a long secret key: those of its seed and its blocks. */
static inline size_t secret_bytes(const hanji_rainbow_level *level)
{
    const size_t v = level->v, o1 = level->o1, o2 = level->o2, w1 = packed(level, o1),
                 w2 = packed(level, o2);
    return SEED_BYTES + 2 * o2 * w1 + (o1 + o2) * packed(level, v) + (triangle(v) + v * o1) * w1 +
           (triangle(v) + v * o1 + v * o2 + triangle(o1) + o1 * o2) * w2;
}

/* Working memory, handed out from the caller's scratch. */
typedef struct scratch {
    uint8_t *at;
} scratch;

/* Begin at the first aligned byte. */
scratch hanji_rainbow_scratch(uint8_t *memory);
/* `bytes` aligned bytes. */
uint8_t *hanji_rainbow_take(scratch *from, size_t bytes);
/* What taking these bytes uses. */
static inline size_t taken(size_t bytes)
{
    return (bytes + HANJI_MATRIX_ALIGN - 1) / HANJI_MATRIX_ALIGN * HANJI_MATRIX_ALIGN;
}

/* Bytes of multipliers for `count` elements. */
static inline size_t multipliers(size_t count)
{
    return (count + HANJI_MULTIPLIERS_BEYOND) * HANJI_MULTIPLIER_BYTES_MAX;
}

/*
 * The generator: AES-256 in counter mode, NIST SP 800-90A CTR_DRBG without derivation function.
 * Each function returns HANJI_OK or HANJI_E_DEVICE.
 */
typedef struct generator {
    EVP_CIPHER_CTX *cipher;
    uint8_t key[32], counter[16];
} generator;

/* Seed with `seed_bytes` bytes, filled up with their hash to 48 or cut. */
int hanji_rainbow_generator_init(generator *g, const uint8_t *seed, size_t seed_bytes,
                                 EVP_MD_CTX *hasher, const hanji_rainbow_level *level);
/*
 * The next bytes. How a stream is split over calls matters: a call drops the rest of its last block
 * and changes the key.
 */
int hanji_rainbow_generate(uint8_t *out, size_t bytes, generator *g);
/*
 * The same in pieces: begin, whole blocks as often as wanted, and the end with the last bytes,
 * fewer than 16.
 */
int hanji_rainbow_generate_begin(generator *g);
int hanji_rainbow_generate_blocks(uint8_t *out, size_t bytes, generator *g);
int hanji_rainbow_generate_end(uint8_t *out, size_t bytes, generator *g);
/* Always call it after init, whatever init returned. */
void hanji_rainbow_generator_wipe(generator *g);

/*
 * libcrypto's context for the hashes of one call of the interface; NULL when it fails, which the
 * functions below report.
 */
EVP_MD_CTX *hanji_rainbow_hasher(void);
void hanji_rainbow_hasher_free(EVP_MD_CTX *hasher);
/* SHA-2 of the level over up to two pieces. HANJI_OK or HANJI_E_DEVICE. */
int hanji_rainbow_hash(uint8_t *digest, const uint8_t *a, size_t a_bytes, const uint8_t *b,
                       size_t b_bytes, EVP_MD_CTX *hasher, const hanji_rainbow_level *level);
/* z: the hash of digest and salt, continued by hashes of hashes to `bytes` bytes. */
int hanji_rainbow_target(uint8_t *z, size_t bytes, const uint8_t *digest, const uint8_t *salt,
                         EVP_MD_CTX *hasher, const hanji_rainbow_level *level);

/*
 * The long secret key from PKSEED and SKSEED, as the circumzenithal variant has it. `work`:
 * hanji_rainbow_expand_secret_scratch() bytes.
 */
int hanji_rainbow_expand_secret(uint8_t *key, const uint8_t *sk_seed, const uint8_t *pk_seed,
                                uint8_t *work, EVP_MD_CTX *hasher,
                                const hanji_rainbow_level *level);
size_t hanji_rainbow_expand_secret_scratch(const hanji_rainbow_level *level);

/*
 * The number of draws is public (hanji/rainbow.h): here the answer of a linear system becomes so.
 * In another file than its callers, so the constant-time check can put itself in its place.
 */
uint32_t hanji_rainbow_regular(uint32_t regular);

/*
 * Overwrite the stack that signing and key generation have used. The caller holds no secret itself.
 */
void hanji_rainbow_wipe_stack(void);

#endif
