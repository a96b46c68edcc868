/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SLH-DSA, measured: slhdsa SET OPERATION ROUNDS [LIBCRYPTO], with OPERATION keypair, sign, verify
 * or verify-batch, over messages of 32 bytes. Prints the median of core cycles, counted against a
 * chain of dependent additions before each call as in host.c, and whether most samples are of a
 * core that somebody else shared. Those of verify-batch are per signature.
 *
 * With the path of a libcrypto that has SLH-DSA (OpenSSL 3.5) each round also times its call, right
 * after ours, and a second line has its figure and its version. Both work with one key; each must
 * accept the signature of the other before anything is timed.
 */
#include "chain.h"

#include <dlfcn.h>
#include <hanji/hanji.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS_MAX 1001
#define BATCH 64
#define OPENSSL_WITH_SLHDSA 0x30500000ul

static const hanji_slhdsa *set;
static uint8_t public_key[HANJI_SLHDSA_PUBLIC_KEY_BYTES_MAX],
    secret_key[HANJI_SLHDSA_SECRET_KEY_BYTES_MAX], signature[HANJI_SLHDSA_SIGNATURE_BYTES_MAX],
    message[32] = {4, 5, 6};
static size_t public_bytes, secret_bytes, signature_bytes;
static hanji_slhdsa_item items[BATCH];

static _Noreturn void fail(const char *what, const char *why)
{
    fprintf(stderr, "slhdsa: %s: %s\n", what, why);
    exit(1);
}

static int sign(uint8_t *out)
{
    return hanji_slhdsa_sign(out, message, sizeof message, NULL, 0, HANJI_SLHDSA_PURE, secret_key,
                             secret_bytes, set, 0, NULL, NULL);
}

static int verify(const uint8_t *given)
{
    return hanji_slhdsa_verify(given, signature_bytes, message, sizeof message, NULL, 0,
                               HANJI_SLHDSA_PURE, public_key, public_bytes, set);
}

static int ours(const char *operation)
{
    static uint8_t made[HANJI_SLHDSA_SIGNATURE_BYTES_MAX];
    if (strcmp(operation, "keypair") == 0)
        return hanji_slhdsa_keypair(made, made + public_bytes, set, NULL, NULL);
    if (strcmp(operation, "sign") == 0)
        return sign(made);
    if (strcmp(operation, "verify") == 0)
        return verify(signature);
    if (strcmp(operation, "verify-batch") == 0)
        return hanji_slhdsa_verify_batch(items, BATCH, HANJI_SLHDSA_PURE, set);
    return HANJI_E_ARGUMENT;
}

/* ---- OpenSSL: its functions, by the declarations of <openssl/evp.h> ---- */

static struct {
    unsigned long (*OpenSSL_version_num)(void);
    const char *(*OpenSSL_version)(int);
    void *(*EVP_PKEY_Q_keygen)(void *, const char *, const char *, ...);
    void *(*EVP_PKEY_new_raw_private_key_ex)(void *, const char *, const char *, const uint8_t *,
                                             size_t);
    int (*EVP_PKEY_get_raw_public_key)(const void *, uint8_t *, size_t *);
    void (*EVP_PKEY_free)(void *);
    void *(*EVP_MD_CTX_new)(void);
    void (*EVP_MD_CTX_free)(void *);
    int (*EVP_DigestSignInit_ex)(void *, void **, const char *, void *, const char *, void *,
                                 const void *);
    int (*EVP_DigestSign)(void *, uint8_t *, size_t *, const uint8_t *, size_t);
    int (*EVP_DigestVerifyInit_ex)(void *, void **, const char *, void *, const char *, void *,
                                   const void *);
    int (*EVP_DigestVerify)(void *, const uint8_t *, size_t, const uint8_t *, size_t);
} ssl;

static void *ssl_key;

static void *symbol(void *library, const char *path, const char *name)
{
    void *found = dlsym(library, name);
    if (found == NULL)
        fail(path, "is not a libcrypto of OpenSSL 3");
    return found;
}

static void load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fail(path, dlerror());
#define LOAD(name)                                  \
    do {                                            \
        void *found = symbol(library, path, #name); \
        memcpy(&ssl.name, &found, sizeof found);    \
    } while (0)
    LOAD(OpenSSL_version_num);
    LOAD(OpenSSL_version);
    LOAD(EVP_PKEY_Q_keygen);
    LOAD(EVP_PKEY_new_raw_private_key_ex);
    LOAD(EVP_PKEY_get_raw_public_key);
    LOAD(EVP_PKEY_free);
    LOAD(EVP_MD_CTX_new);
    LOAD(EVP_MD_CTX_free);
    LOAD(EVP_DigestSignInit_ex);
    LOAD(EVP_DigestSign);
    LOAD(EVP_DigestVerifyInit_ex);
    LOAD(EVP_DigestVerify);
#undef LOAD
    if (ssl.OpenSSL_version_num() < OPENSSL_WITH_SLHDSA)
        fail(path, "is older than OpenSSL 3.5, the first with SLH-DSA");
}

static int ssl_sign(uint8_t *out)
{
    void *context = ssl.EVP_MD_CTX_new();
    size_t made = signature_bytes;
    const int right =
        ssl.EVP_DigestSignInit_ex(context, NULL, NULL, NULL, NULL, ssl_key, NULL) == 1 &&
        ssl.EVP_DigestSign(context, out, &made, message, sizeof message) == 1 &&
        made == signature_bytes;
    ssl.EVP_MD_CTX_free(context);
    return right;
}

static int ssl_verify(const uint8_t *given)
{
    void *context = ssl.EVP_MD_CTX_new();
    const int right =
        ssl.EVP_DigestVerifyInit_ex(context, NULL, NULL, NULL, NULL, ssl_key, NULL) == 1 &&
        ssl.EVP_DigestVerify(context, given, signature_bytes, message, sizeof message) == 1;
    ssl.EVP_MD_CTX_free(context);
    return right;
}

/* One call of OpenSSL; 0 when it fails, and for an operation that it has not. */
static int theirs(const char *operation)
{
    static uint8_t made[HANJI_SLHDSA_SIGNATURE_BYTES_MAX];
    if (strcmp(operation, "keypair") == 0) {
        void *key = ssl.EVP_PKEY_Q_keygen(NULL, NULL, hanji_slhdsa_name(set));
        ssl.EVP_PKEY_free(key);
        return key != NULL;
    }
    if (strcmp(operation, "sign") == 0)
        return ssl_sign(made);
    return strcmp(operation, "verify") == 0 && ssl_verify(signature);
}

/* Both have the same key, and accept the signatures of each other and nothing else. */
static void compare_results(void)
{
    static uint8_t made[HANJI_SLHDSA_SIGNATURE_BYTES_MAX];
    uint8_t key[HANJI_SLHDSA_PUBLIC_KEY_BYTES_MAX];
    size_t key_bytes = public_bytes;
    ssl_key = ssl.EVP_PKEY_new_raw_private_key_ex(NULL, hanji_slhdsa_name(set), NULL, secret_key,
                                                  secret_bytes);
    if (ssl_key == NULL || ssl.EVP_PKEY_get_raw_public_key(ssl_key, key, &key_bytes) != 1 ||
        key_bytes != public_bytes || memcmp(key, public_key, public_bytes) != 0)
        fail(hanji_slhdsa_name(set), "OpenSSL does not take our key");
    if (!ssl_verify(signature))
        fail(hanji_slhdsa_name(set), "OpenSSL refuses our signature");
    memcpy(made, signature, signature_bytes);
    made[signature_bytes / 2] ^= 1;
    if (ssl_verify(made))
        fail(hanji_slhdsa_name(set), "OpenSSL accepts an altered signature");
    if (!ssl_sign(made) || verify(made) != HANJI_OK)
        fail(hanji_slhdsa_name(set), "OpenSSL's signature is not right");
}

/* ---- figures ---- */

static void print(figure *f, double share, const char *who)
{
    int disturbed;
    const double cycles = figure_close(f, &disturbed);
    printf("%.0f %d %s\n", cycles / share, disturbed, who);
}

int main(int count, char **arguments)
{
    set = count >= 4 ? hanji_slhdsa_by_name(arguments[1]) : NULL;
    const int rounds = count >= 4 ? atoi(arguments[3]) : 0;
    if (set == NULL || count > 5 || rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr,
                "usage: slhdsa SET keypair|sign|verify|verify-batch ROUNDS(1..%d) [LIBCRYPTO]\n",
                ROUNDS_MAX);
        return 2;
    }
    const char *operation = arguments[2];
    public_bytes = hanji_slhdsa_public_key_bytes(set);
    secret_bytes = hanji_slhdsa_secret_key_bytes(set);
    signature_bytes = hanji_slhdsa_signature_bytes(set);
    int rc = hanji_slhdsa_keypair(public_key, secret_key, set, NULL, NULL);
    if (rc == HANJI_OK)
        rc = sign(signature);
    for (size_t i = 0; i < BATCH; i++)
        items[i] =
            (hanji_slhdsa_item){signature, signature_bytes, message,      sizeof message, NULL,
                                0,         public_key,      public_bytes, HANJI_E_TAG};
    const int compared = count == 5;
    if (rc == HANJI_OK && compared) {
        load(arguments[4]);
        compare_results();
    }
    figure mine, other;
    if (!figure_open(&mine, rounds) || !figure_open(&other, rounds))
        return 3;
    while (rc == HANJI_OK && (figure_wants(&mine) || (compared && figure_wants(&other)))) {
        double start = seconds_now(), step = chain() / CHAIN, before = width_now(step),
               begin = seconds_now();
        rc = ours(operation);
        double end = seconds_now();
        if (mine.count < rounds * TRIES)
            figure_add(&mine, (end - begin) / step, before, width_now(step), end - start);
        if (!compared || rc != HANJI_OK)
            continue;
        start = seconds_now();
        step = chain() / CHAIN;
        before = width_now(step);
        begin = seconds_now();
        if (!theirs(operation))
            fail(operation, "a call of OpenSSL failed, or it has no such operation");
        end = seconds_now();
        if (other.count < rounds * TRIES)
            figure_add(&other, (end - begin) / step, before, width_now(step), end - start);
    }
    if (rc != HANJI_OK)
        fail(operation, hanji_error_name(rc));
    print(&mine, strcmp(operation, "verify-batch") == 0 ? BATCH : 1, "hanji");
    if (compared)
        print(&other, 1, ssl.OpenSSL_version(0));
    return 0;
}
