/* SPDX-License-Identifier: Apache-2.0 */
/* The four SCHWAEMM instances as a table, for tests that do the same to each. */
#ifndef HANJI_TESTS_AEADS_H
#define HANJI_TESTS_AEADS_H

#include "hanji/hanji.h"

typedef int seal_fn(uint8_t *, const uint8_t *, size_t, const uint8_t *, size_t, const uint8_t *, const uint8_t *);
typedef int seal_detached_fn(uint8_t *, uint8_t *, const uint8_t *, size_t, const uint8_t *, size_t, const uint8_t *, const uint8_t *);
typedef int open_detached_fn(uint8_t *, const uint8_t *, size_t, const uint8_t *, const uint8_t *, size_t, const uint8_t *, const uint8_t *);

static const struct {
    const char *name;
    uint32_t instance;
    seal_fn *encrypt, *decrypt;
    seal_detached_fn *encrypt_detached;
    open_detached_fn *decrypt_detached;
    int (*init)(const uint8_t *, const uint8_t *, hanji_schwaemm_ctx *);
    int (*update_ad)(const uint8_t *, size_t, hanji_schwaemm_ctx *);
    int (*update)(uint8_t *, const uint8_t *, size_t, hanji_schwaemm_ctx *);
    int (*final)(uint8_t *, hanji_schwaemm_ctx *);
} aeads[] = {
#define AEAD(text, number, id)                                                                                                                     \
    {                                                                                                                                              \
        text, number, hanji_##id##_encrypt, hanji_##id##_decrypt, hanji_##id##_encrypt_detached, hanji_##id##_decrypt_detached, hanji_##id##_init, \
            hanji_##id##_update_ad, hanji_##id##_update, hanji_##id##_final                                                                        \
    }
    AEAD("schwaemm256-128", 256128, schwaemm256_128),
    AEAD("schwaemm192-192", 192192, schwaemm192_192),
    AEAD("schwaemm128-128", 128128, schwaemm128_128),
    AEAD("schwaemm256-256", 256256, schwaemm256_256),
};

#endif
