/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Known-answer tests of every algorithm, with the kernels in use: freestanding, no more than 3 KiB
 * of stack.
 */
#include "aimer/aimer.h"
#include "catalog/catalog.h"
#include "catalog/generated/selftest_vectors.h"
#include "slhdsa/slhdsa.h"
#include "support/bytes.h"

/* Enough blocks to pass through every group size of the tables, and a tail. */
#define MANY 99

static void count_bytes(uint8_t *out, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)i;
}

static int equal(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    return hanji_equal(a, b, bytes);
}

int hanji_test_block(const char *name)
{
    const hanji_cipher *cipher = hanji_cipher_find(name);
    size_t a = 0;
    while (a < sizeof block_answers / sizeof block_answers[0] &&
           !hanji_text_equal(block_answers[a].name, name))
        a++;
    if (cipher == NULL || a == sizeof block_answers / sizeof block_answers[0])
        return 0;
    const size_t n = hanji_cipher_block_bytes(cipher);
    hanji_any_block_ctx key;
    uint8_t blocks[MANY * HANJI_BLOCK_BYTES_MAX];
    if (hanji_block_init(block_answers[a].key, hanji_cipher_key_bytes(cipher), cipher, &key.head,
                         sizeof key) != HANJI_OK)
        return 0;
    uint8_t *end = blocks;
    for (size_t i = 0; i < MANY; i++, end += n)
        memcpy(end, block_answers[a].plaintext, n);
    int right = hanji_block_encrypt(blocks, blocks, MANY, &key.head) == HANJI_OK;
    for (const uint8_t *p = blocks; p < end; p += n)
        right &= equal(p, block_answers[a].ciphertext, n);
    right &= hanji_block_decrypt(blocks, blocks, MANY, &key.head) == HANJI_OK;
    for (const uint8_t *p = blocks; p < end; p += n)
        right &= equal(p, block_answers[a].plaintext, n);
    /*
     * Counter mode over zeros is the encryption of the counters; their last byte runs from 0 to 98
     * here.
     */
    uint8_t iv[HANJI_BLOCK_BYTES_MAX] = {0}, stream[MANY * HANJI_BLOCK_BYTES_MAX] = {0};
    hanji_ctr_ctx ctr;
    memset(blocks, 0, sizeof blocks);
    size_t i = 0;
    for (uint8_t *p = blocks; p < end; p += n)
        p[n - 1] = (uint8_t)i++;
    right &= hanji_block_set_limit(MANY, &key.head) == HANJI_OK &&
             hanji_ctr_init(iv, n, &key.head, &ctr) == HANJI_OK;
    if (right)
        right = hanji_ctr_update(stream, stream, (size_t)(end - blocks), &ctr) == HANJI_OK &&
                hanji_block_encrypt(blocks, blocks, MANY, &key.head) == HANJI_OK &&
                equal(stream, blocks, (size_t)(end - blocks));
    hanji_block_wipe(&key.head);
    return right;
}

static int test_eax(const hanji_cipher *cipher, size_t n, const uint8_t *answer)
{
    uint8_t key[16], message[SELFTEST_MESSAGE_BYTES], ad[SELFTEST_AD_BYTES],
        out[SELFTEST_MESSAGE_BYTES + 16];
    count_bytes(key, sizeof key);
    count_bytes(message, sizeof message);
    count_bytes(ad, sizeof ad);
    hanji_any_block_ctx block;
    hanji_eax_ctx eax;
    if (hanji_block_init(key, sizeof key, cipher, &block.head, sizeof block) != HANJI_OK ||
        hanji_eax_init(n, &block.head, &eax) != HANJI_OK)
        return 0;
    int right = hanji_eax_encrypt(out, message, sizeof message, ad, sizeof ad, key, sizeof key,
                                  &eax) == HANJI_OK &&
                equal(out, answer, sizeof message + n) &&
                hanji_eax_decrypt(out, out, sizeof message + n, ad, sizeof ad, key, sizeof key,
                                  &eax) == HANJI_OK &&
                equal(out, message, sizeof message);
    memcpy(out, answer, sizeof message + n);
    out[sizeof message] ^= 1;
    right &= hanji_eax_decrypt(out, out, sizeof message + n, ad, sizeof ad, key, sizeof key,
                               &eax) == HANJI_E_TAG;
    hanji_block_wipe(&block.head);
    hanji_eax_wipe(&eax);
    return right;
}

static int test_ctr(void)
{
    uint8_t key[16], message[SELFTEST_MESSAGE_BYTES], out[SELFTEST_MESSAGE_BYTES];
    count_bytes(key, sizeof key);
    count_bytes(message, sizeof message);
    hanji_speck64_128_ctx block;
    hanji_ctr_ctx ctr;
    if (hanji_block_init(key, sizeof key, hanji_speck64_128(), &block.head, sizeof block) !=
            HANJI_OK ||
        hanji_ctr_init(ctr_iv, sizeof ctr_iv, &block.head, &ctr) != HANJI_OK)
        return 0;
    return hanji_ctr_update(out, message, 5, &ctr) == HANJI_OK &&
           hanji_ctr_update(out + 5, message + 5, sizeof message - 5, &ctr) == HANJI_OK &&
           equal(out, ctr_answer, sizeof out);
}

static int test_cmac(const hanji_cipher *cipher, const uint8_t *answer, size_t n)
{
    uint8_t key[16], message[SELFTEST_MESSAGE_BYTES], tag[16];
    count_bytes(key, sizeof key);
    count_bytes(message, sizeof message);
    hanji_any_block_ctx block;
    return hanji_block_init(key, sizeof key, cipher, &block.head, sizeof block) == HANJI_OK &&
           hanji_cmac(tag, n, message, sizeof message, &block.head) == HANJI_OK &&
           equal(tag, answer, n);
}

int hanji_test_mode(const char *name)
{
    if (hanji_text_equal(name, "ctr"))
        return test_ctr();
    if (hanji_text_equal(name, "cmac"))
        return test_cmac(hanji_speck64_128(), cmac64_answer, 8) &&
               test_cmac(hanji_speck128_128(), cmac128_answer, 16);
    if (hanji_text_equal(name, "eax"))
        return test_eax(hanji_speck64_128(), 8, eax64_answer) &&
               test_eax(hanji_speck128_128(), 16, eax128_answer);
    return 0;
}

static int test_sparkle(const char *name)
{
    for (size_t a = 0; a < sizeof sparkle_answers / sizeof sparkle_answers[0]; a++)
        if (hanji_text_equal(sparkle_answers[a].name, name)) {
            const uint32_t bits = sparkle_answers[a].bits;
            const size_t bytes = bits / 8;
            uint8_t states[3 * HANJI_SPARKLE512_BYTES];
            for (uint8_t *p = states; p < states + 3 * bytes; p += bytes)
                count_bytes(p, bytes);
            int right = hanji_sparkle_permute(states, 3, bits, sparkle_answers[a].slim) == HANJI_OK;
            for (const uint8_t *p = states; p < states + 3 * bytes; p += bytes)
                right &= equal(p, sparkle_answers[a].slim_answer, bytes);
            count_bytes(states, bytes);
            return right &&
                   hanji_sparkle_permute(states, 1, bits, sparkle_answers[a].big) == HANJI_OK &&
                   equal(states, sparkle_answers[a].big_answer, bytes);
        }
    return 0;
}

int hanji_test_permutation(const char *name)
{
    if (!hanji_text_equal(name, "ascon-p"))
        return test_sparkle(name);
    uint8_t state[HANJI_ASCON_STATE_BYTES];
    count_bytes(state, sizeof state);
    int right = hanji_ascon_permute(state, 1, 12) == HANJI_OK &&
                equal(state, ascon_p12_answer, sizeof state);
    count_bytes(state, sizeof state);
    right &=
        hanji_ascon_permute(state, 1, 8) == HANJI_OK && equal(state, ascon_p8_answer, sizeof state);
    count_bytes(state, sizeof state);
    return right && hanji_ascon_permute(state, 1, 16) == HANJI_OK &&
           equal(state, ascon_p16_answer, sizeof state);
}

/* Seal, seal in pieces, open, refuse, and a key with a shorter tag, against the known answer. */
static int test_ascon_aead128(void)
{
    uint8_t count[SELFTEST_MESSAGE_BYTES], out[sizeof ascon_aead128_answer],
        tag[HANJI_ASCON_AEAD128_TAG_BYTES];
    const uint8_t *const answer = ascon_aead128_answer;
    const size_t n = sizeof count, ad = SELFTEST_AD_BYTES;
    hanji_ascon_aead128_ctx ctx;
    hanji_ascon_aead128_key key;
    count_bytes(count, n);
    int right = hanji_ascon_aead128_encrypt(out, count, n, count, ad, count, count) == HANJI_OK &&
                equal(out, answer, sizeof out);
    right &=
        hanji_ascon_aead128_decrypt(out, out, sizeof out, count, ad, count, count) == HANJI_OK &&
        equal(out, count, n);
    memcpy(out, answer, sizeof out);
    out[n] ^= 1;
    right &=
        hanji_ascon_aead128_decrypt(out, out, sizeof out, count, ad, count, count) == HANJI_E_TAG;
    right &= hanji_ascon_aead128_init(count, count, &ctx) == HANJI_OK &&
             hanji_ascon_aead128_update_ad(count, ad, &ctx) == HANJI_OK &&
             hanji_ascon_aead128_update(out, count, 5, &ctx) == HANJI_OK &&
             hanji_ascon_aead128_update(out + 5, count + 5, n - 5, &ctx) == HANJI_OK &&
             hanji_ascon_aead128_final(tag, &ctx) == HANJI_OK && equal(out, answer, n) &&
             equal(tag, answer + n, sizeof tag);
    right &=
        hanji_ascon_aead128_key_init(8, count, HANJI_ASCON_AEAD128_KEY_BYTES, &key) == HANJI_OK &&
        hanji_ascon_aead128_key_decrypt(out, answer, n + 8, count, ad, count, &key) == HANJI_OK &&
        equal(out, count, n);
    hanji_ascon_aead128_key_wipe(&key);
    return right;
}

/* Seal, seal in pieces, open, and refuse, against the known answer. */
#define TEST_AEAD(id, answer)                                                                      \
    static int test_##id(void)                                                                     \
    {                                                                                              \
        uint8_t count[SELFTEST_MESSAGE_BYTES], out[sizeof answer], tag[32];                        \
        hanji_schwaemm_ctx ctx;                                                                    \
        const size_t n = sizeof count;                                                             \
        count_bytes(count, n);                                                                     \
        int right = hanji_##id##_encrypt(out, count, n, count, SELFTEST_AD_BYTES, count, count) == \
                    HANJI_OK;                                                                      \
        right &= equal(out, answer, sizeof out);                                                   \
        right &= hanji_##id##_decrypt(out, out, sizeof out, count, SELFTEST_AD_BYTES, count,       \
                                      count) == HANJI_OK &&                                        \
                 equal(out, count, n);                                                             \
        memcpy(out, answer, sizeof out);                                                           \
        out[n] ^= 1;                                                                               \
        right &= hanji_##id##_decrypt(out, out, sizeof out, count, SELFTEST_AD_BYTES, count,       \
                                      count) == HANJI_E_TAG;                                       \
        right &= hanji_##id##_init(count, count, &ctx) == HANJI_OK &&                              \
                 hanji_##id##_update_ad(count, SELFTEST_AD_BYTES, &ctx) == HANJI_OK &&             \
                 hanji_##id##_update(out, count, 5, &ctx) == HANJI_OK &&                           \
                 hanji_##id##_update(out + 5, count + 5, n - 5, &ctx) == HANJI_OK &&               \
                 hanji_##id##_final(tag, &ctx) == HANJI_OK;                                        \
        return right && equal(out, answer, n) && equal(tag, answer + n, sizeof out - n);           \
    }

TEST_AEAD(schwaemm256_128, schwaemm256_128_answer)
TEST_AEAD(schwaemm192_192, schwaemm192_192_answer)
TEST_AEAD(schwaemm128_128, schwaemm128_128_answer)
TEST_AEAD(schwaemm256_256, schwaemm256_256_answer)

int hanji_test_aead(const char *name)
{
    if (hanji_text_equal(name, "ascon-aead128"))
        return test_ascon_aead128();
    if (hanji_text_equal(name, "schwaemm256-128"))
        return test_schwaemm256_128();
    if (hanji_text_equal(name, "schwaemm192-192"))
        return test_schwaemm192_192();
    if (hanji_text_equal(name, "schwaemm128-128"))
        return test_schwaemm128_128();
    return hanji_text_equal(name, "schwaemm256-256") && test_schwaemm256_256();
}

int hanji_test_hash(const char *name)
{
    uint8_t message[SELFTEST_MESSAGE_BYTES], out[48];
    count_bytes(message, sizeof message);
    if (hanji_text_equal(name, "ascon-hash256"))
        return hanji_ascon_hash256(out, message, sizeof message) == HANJI_OK &&
               equal(out, ascon_hash256_answer, sizeof ascon_hash256_answer);
    if (hanji_text_equal(name, "ascon-xof128"))
        return hanji_ascon_xof128(out, sizeof ascon_xof128_answer, message, sizeof message) ==
                   HANJI_OK &&
               equal(out, ascon_xof128_answer, sizeof ascon_xof128_answer);
    if (hanji_text_equal(name, "ascon-cxof128"))
        return hanji_ascon_cxof128(out, sizeof ascon_cxof128_answer, message, 9, message,
                                   sizeof message) == HANJI_OK &&
               equal(out, ascon_cxof128_answer, sizeof ascon_cxof128_answer);
    if (hanji_text_equal(name, "esch256"))
        return hanji_esch256(out, message, sizeof message) == HANJI_OK &&
               equal(out, esch256_answer, sizeof esch256_answer);
    if (hanji_text_equal(name, "esch384"))
        return hanji_esch384(out, message, sizeof message) == HANJI_OK &&
               equal(out, esch384_answer, sizeof esch384_answer);
    if (hanji_text_equal(name, "xoesch256"))
        return hanji_xoesch256(out, sizeof xoesch256_answer, message, sizeof message) == HANJI_OK &&
               equal(out, xoesch256_answer, sizeof xoesch256_answer);
    return hanji_text_equal(name, "xoesch384") &&
           hanji_xoesch384(out, sizeof xoesch384_answer, message, sizeof message) == HANJI_OK &&
           equal(out, xoesch384_answer, sizeof xoesch384_answer);
}

#ifdef HANJI_FREESTANDING

int hanji_test_signature(const char *name)
{
    (void)name;
    return 0; /* no such algorithm in the list */
}

#else

/* Bytes 0, 1, 2, ..., begun again at every request. */
static int counting(uint8_t *out, size_t bytes, void *state)
{
    (void)state;
    count_bytes(out, bytes);
    return HANJI_OK;
}

/* The random bytes of a known answer, one request after the other. */
typedef struct supply {
    const uint8_t *next;
    size_t left;
} supply;

static int supplied(uint8_t *out, size_t bytes, void *state)
{
    supply *s = state;
    if (bytes > s->left)
        return HANJI_E_RANDOM;
    memcpy(out, s->next, bytes);
    s->next += bytes;
    s->left -= bytes;
    return HANJI_OK;
}

/*
 * Sums of three products by the kernel over shares against single products by that of power maps.
 */
static int test_products(const hanji_aimer *set)
{
    enum { TERMS = 3, ELEMENT = HANJI_AIMER_OCTET * AIMER_WORDS_MAX };
    uint64_t shares[TERMS * ELEMENT], coefficients[TERMS * AIMER_WORDS_MAX], sums[ELEMENT];
    hanji_aimer_term terms[TERMS];
    hanji_aimer_algebra algebra;
    const uint32_t words = set->level->words;
    hanji_aimer_algebra_select(&algebra);
    count_bytes((uint8_t *)shares, sizeof shares);
    count_bytes((uint8_t *)coefficients, sizeof coefficients);
    for (uint32_t t = 0; t < TERMS; t++)
        terms[t] = (hanji_aimer_term){shares + (size_t)HANJI_AIMER_OCTET * words * t, 0,
                                      coefficients + (size_t)words * t};
    algebra.products(sums, 0, NULL, 0, terms, TERMS, 1, words);
    uint64_t other = 0;
    for (uint32_t party = 0; party < HANJI_AIMER_OCTET; party++)
        for (uint32_t t = 0; t <= TERMS; t++) {
            uint64_t share[AIMER_WORDS_MAX], product[AIMER_WORDS_MAX];
            for (uint32_t i = 0; i < words && t < TERMS; i++)
                share[i] = terms[t].in[HANJI_AIMER_OCTET * i + party];
            if (t < TERMS)
                algebra.power(product, share, 0, terms[t].coefficient, words);
            for (uint32_t i = 0; i < words; i++) {
                uint64_t *sum = &sums[HANJI_AIMER_OCTET * i + party];
                if (t < TERMS)
                    *sum ^= product[i];
                else
                    other |= *sum;
            }
        }
    return other == 0;
}

/* A signature in little memory, its verification, and the refusal of another one. */
static int test_signing(const hanji_aimer *set, const uint8_t *public_key,
                        const uint8_t *secret_key, size_t answer, hanji_random_fn *random,
                        void *random_state, uint8_t *scratch, size_t scratch_bytes)
{
    uint8_t signature[HANJI_AIMER3_128F_SIGNATURE_BYTES], hash[32];
    const uint8_t *message = signed_answers[answer].message;
    const size_t bytes = hanji_aimer_signature_bytes(set), pk = hanji_aimer_public_key_bytes(set),
                 message_bytes = signed_answers[answer].bytes;
    if (bytes > sizeof signature)
        return 0;
    int right = hanji_aimer_sign(signature, message, message_bytes, NULL, 0, secret_key,
                                 hanji_aimer_secret_key_bytes(set), set, 0, random, random_state,
                                 scratch, scratch_bytes) == HANJI_OK;
    right &= hanji_esch256(hash, signature, bytes) == HANJI_OK &&
             equal(hash, signed_answers[answer].digest, sizeof hash);
    right &= hanji_aimer_verify(signature, bytes, message, message_bytes, NULL, 0, public_key, pk,
                                set, scratch, scratch_bytes) == HANJI_OK;
    signature[bytes / 2] ^= 1;
    right &= hanji_aimer_verify(signature, bytes, message, message_bytes, NULL, 0, public_key, pk,
                                set, scratch, scratch_bytes) == HANJI_E_TAG;
    return right;
}

/*
 * Key pair, signature, verification and refusal of SLH-DSA with smaller trees: every function of
 * the set, in milliseconds instead of seconds.
 */
static int test_small_trees(const hanji_slhdsa *set)
{
    uint8_t seeds[HANJI_SLHDSA_SEEDS_BYTES_MAX], message[SELFTEST_MESSAGE_BYTES], hash[32];
    uint8_t public_key[HANJI_SLHDSA_PUBLIC_KEY_BYTES_MAX],
        secret_key[HANJI_SLHDSA_SECRET_KEY_BYTES_MAX], signature[9000];
    hanji_slhdsa small = *set;
    small.layers = SMALL_LAYERS;
    small.height = SMALL_HEIGHT;
    small.fors_height = SMALL_FORS_HEIGHT;
    const size_t n = hanji_slhdsa_seeds_bytes(&small) / 3,
                 bytes = hanji_slhdsa_signature_bytes(&small);
    size_t a = 0;
    while (!hanji_text_equal(small_tree_answers[a].name, set->name))
        if (++a == sizeof small_tree_answers / sizeof small_tree_answers[0])
            return 0;
    if (bytes > sizeof signature)
        return 0;
    count_bytes(message, sizeof message);
    count_bytes(seeds, 2 * n);
    memcpy(seeds + 2 * n, message + sizeof message - n, n);
    int right =
        hanji_slhdsa_keypair_from_seeds(public_key, secret_key, seeds, 3 * n, &small) == HANJI_OK &&
        equal(public_key + n, small_tree_answers[a].root, n);
    right &= hanji_slhdsa_sign(signature, message, sizeof message, NULL, 0, HANJI_SLHDSA_PURE,
                               secret_key, 4 * n, &small, HANJI_SLHDSA_DETERMINISTIC, NULL,
                               NULL) == HANJI_OK &&
             hanji_esch256(hash, signature, bytes) == HANJI_OK &&
             equal(hash, small_tree_answers[a].digest, sizeof hash);
    right &= hanji_slhdsa_verify(signature, bytes, message, sizeof message, NULL, 0,
                                 HANJI_SLHDSA_PURE, public_key, 2 * n, &small) == HANJI_OK;
    signature[bytes / 2] ^= 1;
    right &= hanji_slhdsa_verify(signature, bytes, message, sizeof message, NULL, 0,
                                 HANJI_SLHDSA_PURE, public_key, 2 * n, &small) == HANJI_E_TAG;
    return right;
}

/*
 * A key pair: hashing, the field and the matrices of the set; sums of products; and signatures of
 * those sets that need no more than 72 KiB for them.
 */
int hanji_test_signature(const char *name)
{
    uint8_t public_key[HANJI_AIMER_PUBLIC_KEY_BYTES_MAX],
        secret_key[HANJI_AIMER_SECRET_KEY_BYTES_MAX], scratch[72 << 10];
    const hanji_aimer *set = hanji_aimer_by_name(name);
    if (set == NULL)
        return hanji_slhdsa_by_name(name) != NULL && test_small_trees(hanji_slhdsa_by_name(name));
    supply random = {NULL, 0};
    int right = 0, counts = 1;
    for (size_t a = 0; a < sizeof signature_answers / sizeof signature_answers[0]; a++)
        if (hanji_text_equal(signature_answers[a].name, name)) {
            random = (supply){signature_answers[a].random, sizeof signature_answers[a].random};
            for (size_t i = 0; i < sizeof signature_answers[a].random; i++)
                counts &= signature_answers[a].random[i] == 0;
            right = hanji_aimer_keypair(public_key, secret_key, set, counts ? counting : supplied,
                                        &random, scratch, sizeof scratch) == HANJI_OK &&
                    equal(public_key, signature_answers[a].public_key,
                          hanji_aimer_public_key_bytes(set)) &&
                    test_products(set);
        }
    for (size_t a = 0; right && a < sizeof signed_answers / sizeof signed_answers[0]; a++)
        if (hanji_text_equal(signed_answers[a].name, name))
            right = test_signing(set, public_key, secret_key, a, counts ? counting : supplied,
                                 &random, scratch, sizeof scratch);
    return right;
}

#endif
