/* SPDX-License-Identifier: Apache-2.0 */
/*
 * AES-256-CTR and SHA-2 of OpenSSL's libcrypto. Algorithms are fetched once per process: a fetch
 * costs more than a signature of level I. One cipher context serves a generator for its whole life,
 * and many blocks are made in one call.
 */
#include "rainbow/rainbow.h"
#include "support/bytes.h"
#include "support/secret.h"

#include <stdatomic.h>

/*
 * Fetched by whoever comes first, then constant; a second fetch that lost the race is given back.
 */
static _Atomic(EVP_CIPHER *) aes;
static _Atomic(EVP_MD *) hashes[3];

static EVP_CIPHER *fetch_aes(const hanji_libcrypto *crypto)
{
    EVP_CIPHER *found = atomic_load_explicit(&aes, memory_order_acquire), *mine;
    if (found != NULL)
        return found;
    mine = crypto->cipher_fetch(NULL, "AES-256-CTR", NULL);
    if (mine == NULL || atomic_compare_exchange_strong_explicit(
                            &aes, &found, mine, memory_order_acq_rel, memory_order_acquire))
        return mine;
    crypto->cipher_free(mine);
    return found;
}

static EVP_MD *fetch_hash(const hanji_libcrypto *crypto, const hanji_rainbow_level *level)
{
    static const char *const names[] = {"SHA2-256", "SHA2-384", "SHA2-512"};
    const size_t index = level->hash_bytes / 16 - 2;
    EVP_MD *found = atomic_load_explicit(&hashes[index], memory_order_acquire), *mine;
    if (found != NULL)
        return found;
    mine = crypto->md_fetch(NULL, names[index], NULL);
    if (mine == NULL ||
        atomic_compare_exchange_strong_explicit(&hashes[index], &found, mine, memory_order_acq_rel,
                                                memory_order_acquire))
        return mine;
    crypto->md_free(mine);
    return found;
}

EVP_MD_CTX *hanji_rainbow_hasher(void)
{
    const hanji_libcrypto *crypto = hanji_libcrypto_functions();
    return crypto == NULL ? NULL : crypto->md_ctx_new();
}

void hanji_rainbow_hasher_free(EVP_MD_CTX *hasher)
{
    if (hasher != NULL)
        hanji_libcrypto_functions()->md_ctx_free(hasher);
}

int hanji_rainbow_hash(uint8_t *digest, const uint8_t *a, size_t a_bytes, const uint8_t *b,
                       size_t b_bytes, EVP_MD_CTX *hasher, const hanji_rainbow_level *level)
{
    const hanji_libcrypto *crypto = hanji_libcrypto_functions();
    EVP_MD *hash = hasher == NULL ? NULL : fetch_hash(crypto, level);
    return hash != NULL && crypto->digest_init(hasher, hash, NULL) == 1 &&
                   crypto->digest_update(hasher, a, a_bytes) == 1 &&
                   crypto->digest_update(hasher, b, b_bytes) == 1 &&
                   crypto->digest_final(hasher, digest, NULL) == 1
               ? HANJI_OK
               : HANJI_E_DEVICE;
}

int hanji_rainbow_target(uint8_t *z, size_t bytes, const uint8_t *digest, const uint8_t *salt,
                         EVP_MD_CTX *hasher, const hanji_rainbow_level *level)
{
    const size_t hash_bytes = level->hash_bytes;
    uint8_t block[HANJI_RAINBOW_DIGEST_BYTES_MAX];
    int rc = hanji_rainbow_hash(block, digest, hash_bytes, salt, SALT_BYTES, hasher, level);
    for (size_t at = 0; rc == HANJI_OK && at < bytes; at += hash_bytes) {
        memcpy(z + at, block, bytes - at < hash_bytes ? bytes - at : hash_bytes);
        if (bytes - at > hash_bytes)
            rc = hanji_rainbow_hash(block, block, hash_bytes, NULL, 0, hasher, level);
    }
    return rc;
}

/* Begins a key stream at the block after the counter. */
int hanji_rainbow_generate_begin(generator *g)
{
    const hanji_libcrypto *crypto = hanji_libcrypto_functions();
    counter_advance(g->counter, sizeof g->counter, 1);
    return crypto->encrypt_init(g->cipher, NULL, g->key, g->counter, NULL) == 1 ? HANJI_OK
                                                                                : HANJI_E_DEVICE;
}

/* libcrypto's key stream takes the place of zeros. */
int hanji_rainbow_generate_blocks(uint8_t *out, size_t bytes, generator *g)
{
    const hanji_libcrypto *crypto = hanji_libcrypto_functions();
    memset(out, 0, bytes);
    while (bytes > 0) {
        const int piece = bytes > 1 << 30 ? 1 << 30 : (int)bytes;
        int made;
        if (crypto->encrypt_update(g->cipher, out, &made, out, piece) != 1)
            return HANJI_E_DEVICE;
        out += piece;
        bytes -= (size_t)piece;
    }
    return HANJI_OK;
}

int hanji_rainbow_generate_end(uint8_t *out, size_t bytes, generator *g)
{
    /*
     * the last block when only part of it is wanted, and the three that become the next key and
     * counter
     */
    uint8_t rest[64];
    const size_t update = bytes == 0 ? 48 : 64;
    const int rc = hanji_rainbow_generate_blocks(rest, update, g);
    if (rc == HANJI_OK) {
        memcpy(out, rest, bytes);
        memcpy(g->key, rest + update - 48, 32);
        memcpy(g->counter, rest + update - 16, 16);
    }
    hanji_wipe(rest, sizeof rest);
    return rc;
}

int hanji_rainbow_generate(uint8_t *out, size_t bytes, generator *g)
{
    const size_t whole = bytes / 16 * 16;
    uint8_t all[128 + 64];
    int rc = hanji_rainbow_generate_begin(g);
    if (rc == HANJI_OK && bytes <= 128) { /* what is short in one go */
        const size_t update = (bytes + 15) / 16 * 16;
        rc = hanji_rainbow_generate_blocks(all, update + 48, g);
        if (rc == HANJI_OK) {
            memcpy(out, all, bytes);
            memcpy(g->key, all + update, 32);
            memcpy(g->counter, all + update + 32, 16);
        }
        hanji_wipe(all, sizeof all);
        return rc;
    }
    if (rc == HANJI_OK)
        rc = hanji_rainbow_generate_blocks(out, whole, g);
    if (rc == HANJI_OK)
        rc = hanji_rainbow_generate_end(out + whole, bytes - whole, g);
    return rc;
}

int hanji_rainbow_generator_init(generator *g, const uint8_t *seed, size_t seed_bytes,
                                 EVP_MD_CTX *hasher, const hanji_rainbow_level *level)
{
    uint8_t material[48 + HANJI_RAINBOW_DIGEST_BYTES_MAX], block[48];
    int rc;
    memset(g, 0, sizeof *g);
    const hanji_libcrypto *crypto = hanji_libcrypto_functions();
    if (crypto == NULL)
        return HANJI_E_DEVICE;
    EVP_CIPHER *cipher = fetch_aes(crypto);
    g->cipher = crypto->cipher_ctx_new();
    if (g->cipher == NULL || cipher == NULL ||
        crypto->encrypt_init(g->cipher, cipher, NULL, NULL, NULL) != 1)
        return HANJI_E_DEVICE;
    if (seed_bytes > 48)
        seed_bytes = 48;
    memcpy(material, seed, seed_bytes);
    rc = seed_bytes == 48
             ? HANJI_OK
             : hanji_rainbow_hash(material + seed_bytes, seed, seed_bytes, NULL, 0, hasher, level);
    if (rc == HANJI_OK)
        rc = hanji_rainbow_generate_begin(g);
    if (rc == HANJI_OK)
        rc = hanji_rainbow_generate_blocks(block, sizeof block, g);
    if (rc == HANJI_OK) {
        xor_bytes(block, block, material, sizeof block);
        memcpy(g->key, block, 32);
        memcpy(g->counter, block + 32, 16);
    }
    hanji_wipe(material, sizeof material);
    hanji_wipe(block, sizeof block);
    return rc;
}

void hanji_rainbow_generator_wipe(generator *g)
{
    if (g->cipher != NULL)
        hanji_libcrypto_functions()->cipher_ctx_free(g->cipher);
    hanji_wipe(g, sizeof *g);
}

uint32_t hanji_rainbow_regular(uint32_t regular)
{
    return regular;
}

HANJI_NOINLINE void hanji_rainbow_wipe_stack(void)
{
    uint8_t below[8192];
    hanji_wipe(below, sizeof below);
}
