/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every kind of leak (plants.h) before every one of ten portable kernels: the part "plants" of the
 * harness. Each is a check of group "plant".
 */
#include "plants.h"

#include "harness.h"

void hanji_speck32_64_portable_encrypt_x1(uint8_t *out, const uint8_t *in, size_t groups,
                                          const void *keys);
void hanji_speck64_128_portable_encrypt_x1(uint8_t *out, const uint8_t *in, size_t groups,
                                           const void *keys);
void hanji_speck128_256_portable_decrypt_x1(uint8_t *out, const uint8_t *in, size_t groups,
                                            const void *keys);
void hanji_simon64_128_portable_encrypt_x1(uint8_t *out, const uint8_t *in, size_t groups,
                                           const void *keys);
void hanji_simon128_256_portable_decrypt_x1(uint8_t *out, const uint8_t *in, size_t groups,
                                            const void *keys);
void hanji_simeck64_128_portable_encrypt_x1(uint8_t *out, const uint8_t *in, size_t groups,
                                            const void *keys);
void hanji_cham64_128_portable_encrypt_x1(uint8_t *out, const uint8_t *in, size_t groups,
                                          const void *keys);
void hanji_cham128_256_portable_decrypt_x1(uint8_t *out, const uint8_t *in, size_t groups,
                                           const void *keys);
void hanji_sparkle256_portable_x1(uint32_t *states, size_t groups, uint32_t steps);
void hanji_sparkle512_portable_x1(uint32_t *states, size_t groups, uint32_t steps);

static union {
    uint8_t bytes[1024];
    uint32_t words[256];
} keys, text;

#define BLOCK(kind, kernel)                                           \
    begin("plant", #kind " in hanji_" #kernel, "round keys");         \
    memset(keys.bytes, 0x35, sizeof keys.bytes);                      \
    secret(keys.bytes, sizeof keys.bytes);                            \
    plant_##kind(keys.bytes);                                         \
    hanji_##kernel(text.bytes, text.bytes, 1, keys.bytes);            \
    end();                                                            \
    released(keys.bytes, sizeof keys.bytes, "the next plant begins"); \
    released(text.bytes, sizeof text.bytes, "the next plant begins");

#define STATE(kind, kernel)                              \
    begin("plant", #kind " in hanji_" #kernel, "state"); \
    memset(text.bytes, 0x35, sizeof text.bytes);         \
    secret(text.bytes, sizeof text.bytes);               \
    plant_##kind(text.bytes);                            \
    hanji_##kernel(text.words, 1, 7);                    \
    end();                                               \
    released(text.bytes, sizeof text.bytes, "the next plant begins");

#define PLANTED(kind)                                      \
    __attribute__((noinline)) static void all_##kind(void) \
    {                                                      \
        BLOCK(kind, speck32_64_portable_encrypt_x1)        \
        BLOCK(kind, speck64_128_portable_encrypt_x1)       \
        BLOCK(kind, speck128_256_portable_decrypt_x1)      \
        BLOCK(kind, simon64_128_portable_encrypt_x1)       \
        BLOCK(kind, simon128_256_portable_decrypt_x1)      \
        BLOCK(kind, simeck64_128_portable_encrypt_x1)      \
        BLOCK(kind, cham64_128_portable_encrypt_x1)        \
        BLOCK(kind, cham128_256_portable_decrypt_x1)       \
        STATE(kind, sparkle256_portable_x1)                \
        STATE(kind, sparkle512_portable_x1)                \
    }
PLANT_KINDS(PLANTED)
PLANT_KINDS_OF_TARGET(PLANTED)
PLANTED(nothing)

void run_plants(void)
{
#define RUN(kind) all_##kind();
    PLANT_KINDS(RUN)
    PLANT_KINDS_OF_TARGET(RUN)
    all_nothing();
}
