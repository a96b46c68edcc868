/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lab/measure/slhdsa.c calls of OpenSSL, with mistakes: compiled with -DVERSION=..., and
 * with -DOTHER_KEY it has another key than it was given. Its signatures are zeros. It accepts the
 * first -DACCEPTS=... signatures that it verifies, and no more.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifndef ACCEPTS
#define ACCEPTS 1
#endif

typedef struct key {
    uint8_t raw[128];
    size_t bytes;
} key;

unsigned long OpenSSL_version_num(void)
{
    return VERSION;
}

const char *OpenSSL_version(int what)
{
    (void)what;
    return "OpenSSL 0.0 fake";
}

void *EVP_PKEY_Q_keygen(void *library, const char *properties, const char *type, ...)
{
    (void)library, (void)properties, (void)type;
    return calloc(1, sizeof(key));
}

void *EVP_PKEY_new_raw_private_key_ex(void *library, const char *type, const char *properties,
                                      const uint8_t *raw, size_t bytes)
{
    (void)library, (void)type, (void)properties;
    key *made = calloc(1, sizeof *made);
    if (made == NULL || bytes > sizeof made->raw)
        return NULL;
    memcpy(made->raw, raw, bytes);
    made->bytes = bytes;
    return made;
}

int EVP_PKEY_get_raw_public_key(const void *given, uint8_t *out, size_t *bytes)
{
    const key *k = given;
    *bytes = k->bytes / 2;
    memcpy(out, k->raw + *bytes, *bytes);
#ifdef OTHER_KEY
    out[0] ^= 1;
#endif
    return 1;
}

void EVP_PKEY_free(void *given)
{
    free(given);
}

void *EVP_MD_CTX_new(void)
{
    return calloc(1, 1);
}

void EVP_MD_CTX_free(void *context)
{
    free(context);
}

int EVP_DigestSignInit_ex(void *c, void **p, const char *m, void *l, const char *q, void *k,
                          const void *a)
{
    (void)c, (void)p, (void)m, (void)l, (void)q, (void)k, (void)a;
    return 1;
}

int EVP_DigestVerifyInit_ex(void *c, void **p, const char *m, void *l, const char *q, void *k,
                            const void *a)
{
    (void)c, (void)p, (void)m, (void)l, (void)q, (void)k, (void)a;
    return 1;
}

int EVP_DigestSign(void *c, uint8_t *out, size_t *bytes, const uint8_t *message, size_t length)
{
    (void)c, (void)message, (void)length;
    memset(out, 0, *bytes);
    return 1;
}

int EVP_DigestVerify(void *c, const uint8_t *signature, size_t bytes, const uint8_t *message,
                     size_t length)
{
    static int verified;
    (void)c, (void)signature, (void)bytes, (void)message, (void)length;
    return verified++ < ACCEPTS;
}
