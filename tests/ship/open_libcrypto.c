/* SPDX-License-Identifier: Apache-2.0 */
/* libcrypto opened at run time: SHA-256 of "abc" through it, or the error where it is not there. */
#include "rainbow/rainbow.h"

#include <pthread.h>
#include <stdio.h>

static void *look(void *found)
{
    *(const hanji_libcrypto **)found = hanji_libcrypto_functions();
    return NULL;
}

int main(void)
{
    static const hanji_rainbow_level level = {.hash_bytes = 32};
    uint8_t digest[HANJI_RAINBOW_DIGEST_BYTES_MAX] = {0};
    const hanji_libcrypto *found[8];
    pthread_t threads[8];
    for (size_t i = 0; i < 8; i++)
        if (pthread_create(&threads[i], NULL, look, &found[i]) != 0)
            return 1;
    for (size_t i = 0; i < 8; i++)
        if (pthread_join(threads[i], NULL) != 0 || found[i] != found[0])
            return 1;
    EVP_MD_CTX *hasher = hanji_rainbow_hasher();
    generator g;
    const uint8_t seed[48] = {0};
    const int rc = hanji_rainbow_hash(digest, (const uint8_t *)"ab", 2, (const uint8_t *)"c", 1,
                                      hasher, &level);
    const int begun = hanji_rainbow_generator_init(&g, seed, sizeof seed, hasher, &level);
    hanji_rainbow_generator_wipe(&g);
    hanji_rainbow_hasher_free(hasher);
    printf("%s %s %s ", found[0] == NULL ? "none" : "found", hanji_error_name(rc),
           hanji_error_name(begun));
    for (size_t i = 0; i < 32; i++)
        printf("%02x", digest[i]);
    return 0;
}
