/* SPDX-License-Identifier: Apache-2.0 */
/* Where the functions of libcrypto come from: the linker, or the loader at run time. */
#include "rainbow/libcrypto.h"

#ifdef HANJI_LIBCRYPTO_AT_RUN_TIME

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

static const struct {
    const char *name;
    size_t at;
} symbols[] = {
    {"EVP_CIPHER_fetch", offsetof(hanji_libcrypto, cipher_fetch)},
    {"EVP_CIPHER_free", offsetof(hanji_libcrypto, cipher_free)},
    {"EVP_CIPHER_CTX_new", offsetof(hanji_libcrypto, cipher_ctx_new)},
    {"EVP_CIPHER_CTX_free", offsetof(hanji_libcrypto, cipher_ctx_free)},
    {"EVP_EncryptInit_ex2", offsetof(hanji_libcrypto, encrypt_init)},
    {"EVP_EncryptUpdate", offsetof(hanji_libcrypto, encrypt_update)},
    {"EVP_MD_fetch", offsetof(hanji_libcrypto, md_fetch)},
    {"EVP_MD_free", offsetof(hanji_libcrypto, md_free)},
    {"EVP_MD_CTX_new", offsetof(hanji_libcrypto, md_ctx_new)},
    {"EVP_MD_CTX_free", offsetof(hanji_libcrypto, md_ctx_free)},
    {"EVP_DigestInit_ex2", offsetof(hanji_libcrypto, digest_init)},
    {"EVP_DigestUpdate", offsetof(hanji_libcrypto, digest_update)},
    {"EVP_DigestFinal_ex", offsetof(hanji_libcrypto, digest_final)},
};

/* Written once, before anybody reads them. */
static hanji_libcrypto functions;
static int complete;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Opened once for as long as the process lives: what was fetched from it stays in use. */
static void find(void)
{
    void *library = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return;
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        void *found = dlsym(library, symbols[i].name);
        if (found == NULL)
            return;
        memcpy((char *)&functions + symbols[i].at, &found, sizeof found);
    }
    complete = 1;
}

const hanji_libcrypto *hanji_libcrypto_functions(void)
{
    return pthread_once(&once, find) == 0 && complete ? &functions : NULL;
}

#else

#include <openssl/evp.h>

const hanji_libcrypto *hanji_libcrypto_functions(void)
{
    static const hanji_libcrypto functions = {
        .cipher_fetch = EVP_CIPHER_fetch,
        .cipher_free = EVP_CIPHER_free,
        .cipher_ctx_new = EVP_CIPHER_CTX_new,
        .cipher_ctx_free = EVP_CIPHER_CTX_free,
        .encrypt_init = EVP_EncryptInit_ex2,
        .encrypt_update = EVP_EncryptUpdate,
        .md_fetch = EVP_MD_fetch,
        .md_free = EVP_MD_free,
        .md_ctx_new = EVP_MD_CTX_new,
        .md_ctx_free = EVP_MD_CTX_free,
        .digest_init = EVP_DigestInit_ex2,
        .digest_update = EVP_DigestUpdate,
        .digest_final = EVP_DigestFinal_ex,
    };
    return &functions;
}

#endif
