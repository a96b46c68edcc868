/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SLH-DSA, measured: slhdsa SET OPERATION ROUNDS [openssl=PATH] [sphincsplus=PATH], with OPERATION
 * keypair, sign, verify or verify-batch, over messages of 32 bytes. Prints the median of core
 * cycles, counted against a chain of dependent additions before each call as in host.c, and whether
 * most samples are of a core that somebody else shared. Those of verify-batch are per signature.
 * Calls take up to a second, in which other programs get the core as well: they are timed in
 * processor time of this thread.
 *
 * Each round also times the call of every peer, right after ours, and a line for each has its
 * figure and its name:
 * - openssl: a libcrypto that has SLH-DSA (OpenSSL 3.5). Both work with one key; each must accept
 *   the signature of the other before anything is timed.
 * - sphincsplus: the reference implementation of SPHINCS+ 3.1 for the same set, as a shared library.
 *   It signs other bytes than FIPS 205 says, so it has its own key, and is compared in time only. It
 *   must make signatures of the same size and refuse an altered one.
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

static void *symbol(void *library, const char *path, const char *name, const char *without)
{
    void *found = dlsym(library, name);
    if (found == NULL)
        fail(path, without);
    return found;
}

static void load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fail(path, dlerror());
#define LOAD(name)                                                                     \
    do {                                                                               \
        void *found = symbol(library, path, #name, "is not a libcrypto of OpenSSL 3"); \
        memcpy(&ssl.name, &found, sizeof found);                                       \
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

/* ---- SPHINCS+: its functions, by the declarations of its api.h ---- */

static struct {
    int (*crypto_sign_keypair)(uint8_t *, uint8_t *);
    int (*crypto_sign_signature)(uint8_t *, size_t *, const uint8_t *, size_t, const uint8_t *);
    int (*crypto_sign_verify)(const uint8_t *, size_t, const uint8_t *, size_t, const uint8_t *);
} spx;

static uint8_t spx_public[HANJI_SLHDSA_PUBLIC_KEY_BYTES_MAX],
    spx_secret[HANJI_SLHDSA_SECRET_KEY_BYTES_MAX], spx_signature[HANJI_SLHDSA_SIGNATURE_BYTES_MAX];

static int spx_verify(const uint8_t *given)
{
    return spx.crypto_sign_verify(given, signature_bytes, message, sizeof message, spx_public) == 0;
}

static void load_sphincsplus(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        fail(path, dlerror());
    static const char what[] = "is not the reference implementation of SPHINCS+";
    void *found = symbol(library, path, "crypto_sign_keypair", what);
    memcpy(&spx.crypto_sign_keypair, &found, sizeof found);
    found = symbol(library, path, "crypto_sign_signature", what);
    memcpy(&spx.crypto_sign_signature, &found, sizeof found);
    found = symbol(library, path, "crypto_sign_verify", what);
    memcpy(&spx.crypto_sign_verify, &found, sizeof found);
    unsigned long long (*bytes)(void);
    found = symbol(library, path, "crypto_sign_bytes", what);
    memcpy(&bytes, &found, sizeof found);
    size_t made = 0;
    if (bytes() != signature_bytes)
        fail(path, "has another parameter set");
    if (spx.crypto_sign_keypair(spx_public, spx_secret) != 0 ||
        spx.crypto_sign_signature(spx_signature, &made, message, sizeof message, spx_secret) != 0 ||
        made != signature_bytes || !spx_verify(spx_signature))
        fail(path, "SPHINCS+ refuses its own signature");
    spx_signature[signature_bytes / 2] ^= 1;
    if (spx_verify(spx_signature))
        fail(path, "SPHINCS+ accepts an altered signature");
    spx_signature[signature_bytes / 2] ^= 1;
}

/* One call of SPHINCS+; 0 when it fails, and for an operation that it has not. */
static int sphincsplus(const char *operation)
{
    static uint8_t made[HANJI_SLHDSA_SIGNATURE_BYTES_MAX];
    uint8_t key[HANJI_SLHDSA_PUBLIC_KEY_BYTES_MAX];
    size_t bytes;
    if (strcmp(operation, "keypair") == 0)
        return spx.crypto_sign_keypair(key, made) == 0;
    if (strcmp(operation, "sign") == 0)
        return spx.crypto_sign_signature(made, &bytes, message, sizeof message, spx_secret) == 0;
    return strcmp(operation, "verify") == 0 && spx_verify(spx_signature);
}

/* ---- figures ---- */

/* Whose calls are timed: ours, and those of peers. */
typedef struct contender {
    const char *who;
    int (*call)(const char *operation);
    figure figure;
} contender;

#define CONTENDERS_MAX 3

/* Seconds that this thread has had of a processor. */
static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int call_ours(const char *operation)
{
    const int rc = ours(operation);
    if (rc != HANJI_OK)
        fail(operation, hanji_error_name(rc));
    return 1;
}

/* The peer that an argument names is loaded, and computes right. */
static int add_peer(contender *c, const char *argument)
{
    static const char openssl[] = "openssl=", other[] = "sphincsplus=";
    if (strncmp(argument, openssl, sizeof openssl - 1) == 0) {
        load(argument + sizeof openssl - 1);
        compare_results();
        c->call = theirs;
        c->who = ssl.OpenSSL_version(0);
    } else if (strncmp(argument, other, sizeof other - 1) == 0) {
        load_sphincsplus(argument + sizeof other - 1);
        c->call = sphincsplus;
        c->who = "SPHINCS+ 3.1";
    } else {
        return 0;
    }
    return 1;
}

int main(int count, char **arguments)
{
    static contender contenders[CONTENDERS_MAX] = {{.who = "hanji", .call = call_ours}};
    int contending = 1;
    set = count >= 4 ? hanji_slhdsa_by_name(arguments[1]) : NULL;
    const int rounds = count >= 4 ? atoi(arguments[3]) : 0;
    if (set == NULL || count > 3 + CONTENDERS_MAX || rounds < 1 || rounds > ROUNDS_MAX) {
        fprintf(stderr,
                "usage: slhdsa SET keypair|sign|verify|verify-batch ROUNDS(1..%d) [openssl=PATH] "
                "[sphincsplus=PATH]\n",
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
    if (rc != HANJI_OK)
        fail(operation, hanji_error_name(rc));
    for (size_t i = 0; i < BATCH; i++)
        items[i] =
            (hanji_slhdsa_item){signature, signature_bytes, message,      sizeof message, NULL,
                                0,         public_key,      public_bytes, HANJI_E_TAG};
    for (int i = 4; i < count; i++)
        if (!add_peer(&contenders[contending++], arguments[i]))
            fail(arguments[i], "is no peer; openssl=PATH and sphincsplus=PATH are");
    for (int c = 0; c < contending; c++)
        if (!figure_open(&contenders[c].figure, rounds))
            return 3;
    for (int wanted = 1; wanted;) {
        wanted = 0;
        for (int c = 0; c < contending; c++) {
            figure *f = &contenders[c].figure;
            const double start = seconds_now(), step = chain() / CHAIN, before = width_now(step),
                         begin = processor_seconds();
            if (!contenders[c].call(operation))
                fail(contenders[c].who, "a call failed, or it has no such operation");
            const double taken = processor_seconds() - begin;
            if (f->count < rounds * TRIES)
                figure_add(f, taken / step, before, width_now(step), seconds_now() - start);
            wanted |= figure_wants(f);
        }
    }
    for (int c = 0; c < contending; c++) {
        int disturbed;
        const double cycles = figure_close(&contenders[c].figure, &disturbed);
        const double share = strcmp(operation, "verify-batch") == 0 ? BATCH : 1;
        printf("%.0f %d %s\n", cycles / share, disturbed, contenders[c].who);
    }
    return 0;
}
