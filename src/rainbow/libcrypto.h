/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of OpenSSL's libcrypto (3.0 or newer) that Rainbow calls, as its manual declares
 * them. A program is linked with libcrypto, or, with HANJI_LIBCRYPTO_AT_RUN_TIME, opens
 * libcrypto.so.3 when Rainbow is first used; then neither headers nor library are needed to build.
 */
#ifndef HANJI_RAINBOW_LIBCRYPTO_H
#define HANJI_RAINBOW_LIBCRYPTO_H

#include <stddef.h>

typedef struct evp_cipher_st EVP_CIPHER;
typedef struct evp_cipher_ctx_st EVP_CIPHER_CTX;
typedef struct evp_md_st EVP_MD;
typedef struct evp_md_ctx_st EVP_MD_CTX;
struct ossl_lib_ctx_st;
struct ossl_param_st;

typedef struct hanji_libcrypto {
    EVP_CIPHER *(*cipher_fetch)(struct ossl_lib_ctx_st *, const char *, const char *);
    void (*cipher_free)(EVP_CIPHER *);
    EVP_CIPHER_CTX *(*cipher_ctx_new)(void);
    void (*cipher_ctx_free)(EVP_CIPHER_CTX *);
    int (*encrypt_init)(EVP_CIPHER_CTX *, const EVP_CIPHER *, const unsigned char *,
                        const unsigned char *, const struct ossl_param_st *);
    int (*encrypt_update)(EVP_CIPHER_CTX *, unsigned char *, int *, const unsigned char *, int);
    EVP_MD *(*md_fetch)(struct ossl_lib_ctx_st *, const char *, const char *);
    void (*md_free)(EVP_MD *);
    EVP_MD_CTX *(*md_ctx_new)(void);
    void (*md_ctx_free)(EVP_MD_CTX *);
    int (*digest_init)(EVP_MD_CTX *, const EVP_MD *, const struct ossl_param_st *);
    int (*digest_update)(EVP_MD_CTX *, const void *, size_t);
    int (*digest_final)(EVP_MD_CTX *, unsigned char *, unsigned int *);
} hanji_libcrypto;

/* The functions; NULL where libcrypto.so.3 is not there or lacks one of them. */
const hanji_libcrypto *hanji_libcrypto_functions(void);

#endif
