/* SPDX-License-Identifier: Apache-2.0 */
/* Every block cipher of the library, to find by name. */
#include "catalog/catalog.h"
#include "support/cipher.h"

typedef const hanji_cipher *get_cipher(void);

static get_cipher *const ciphers[] = {
    hanji_speck32_64,           hanji_speck48_72,           hanji_speck48_96,
    hanji_speck64_96,           hanji_speck64_128,          hanji_speck96_96,
    hanji_speck96_144,          hanji_speck128_128,         hanji_speck128_192,
    hanji_speck128_256,         hanji_simon32_64,           hanji_simon48_72,
    hanji_simon48_96,           hanji_simon64_96,           hanji_simon64_128,
    hanji_simon96_96,           hanji_simon96_144,          hanji_simon128_128,
    hanji_simon128_192,         hanji_simon128_256,         hanji_simeck32_64,
    hanji_simeck48_96,          hanji_simeck64_128,         hanji_cham64_128,
    hanji_cham128_128,          hanji_cham128_256,          hanji_cham64_128_original,
    hanji_cham128_128_original, hanji_cham128_256_original,
};

int hanji_text_equal(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

size_t hanji_cipher_count(void)
{
    return sizeof ciphers / sizeof ciphers[0];
}

const hanji_cipher *hanji_cipher_at(size_t index)
{
    return index < hanji_cipher_count() ? ciphers[index]() : NULL;
}

const hanji_cipher *hanji_cipher_find(const char *name)
{
    if (name != NULL)
        for (size_t i = 0; i < hanji_cipher_count(); i++)
            if (hanji_text_equal(ciphers[i]()->name, name))
                return ciphers[i]();
    return NULL;
}
