/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that uses hanji as any other would: one message sealed, opened, and refused when
 * altered.
 */
#include <hanji/hanji.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    static const uint8_t key[HANJI_SCHWAEMM256_128_KEY_BYTES] = {1},
                         nonce[HANJI_SCHWAEMM256_128_NONCE_BYTES] = {2};
    static const uint8_t message[] = "21.5 C";
    uint8_t sealed[sizeof message + HANJI_SCHWAEMM256_128_TAG_BYTES], opened[sizeof message];
    if (hanji_version_number() != HANJI_VERSION_NUMBER)
        return 1;
    if (hanji_schwaemm256_128_encrypt(sealed, message, sizeof message, NULL, 0, nonce, key) !=
        HANJI_OK)
        return 2;
    if (hanji_schwaemm256_128_decrypt(opened, sealed, sizeof sealed, NULL, 0, nonce, key) !=
            HANJI_OK ||
        memcmp(opened, message, sizeof message) != 0)
        return 3;
    sealed[0] ^= 1;
    if (hanji_schwaemm256_128_decrypt(opened, sealed, sizeof sealed, NULL, 0, nonce, key) !=
        HANJI_E_TAG)
        return 4;
    printf("hanji %s: %s\n", hanji_version(), hanji_error_text(HANJI_E_TAG));
    return 0;
}
