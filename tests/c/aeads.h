/* SPDX-License-Identifier: Apache-2.0 */
/* Ascon-AEAD128 and the four SCHWAEMM instances as a table, for tests that do the same to each. */
#ifndef HANJI_TESTS_AEADS_H
#define HANJI_TESTS_AEADS_H

#include "hanji/hanji.h"

typedef int seal_fn(uint8_t *, const uint8_t *, size_t, const uint8_t *, size_t, const uint8_t *,
                    const uint8_t *);
typedef int seal_detached_fn(uint8_t *, uint8_t *, const uint8_t *, size_t, const uint8_t *, size_t,
                             const uint8_t *, const uint8_t *);
typedef int open_detached_fn(uint8_t *, const uint8_t *, size_t, const uint8_t *, const uint8_t *,
                             size_t, const uint8_t *, const uint8_t *);

/* A message in pieces, whichever the algorithm. */
typedef union aead_ctx {
    hanji_ascon_aead128_ctx ascon;
    hanji_schwaemm_ctx schwaemm;
} aead_ctx;

#define AEAD_PIECES(id, member)                                                          \
    static int id##_init(const uint8_t *nonce, const uint8_t *key, aead_ctx *ctx)        \
    {                                                                                    \
        return hanji_##id##_init(nonce, key, ctx != NULL ? &ctx->member : NULL);         \
    }                                                                                    \
    static int id##_update_ad(const uint8_t *ad, size_t bytes, aead_ctx *ctx)            \
    {                                                                                    \
        return hanji_##id##_update_ad(ad, bytes, &ctx->member);                          \
    }                                                                                    \
    static int id##_update(uint8_t *out, const uint8_t *in, size_t bytes, aead_ctx *ctx) \
    {                                                                                    \
        return hanji_##id##_update(out, in, bytes, &ctx->member);                        \
    }                                                                                    \
    static int id##_final(uint8_t *tag, aead_ctx *ctx)                                   \
    {                                                                                    \
        return hanji_##id##_final(tag, &ctx->member);                                    \
    }

AEAD_PIECES(ascon_aead128, ascon)
AEAD_PIECES(schwaemm256_128, schwaemm)
AEAD_PIECES(schwaemm192_192, schwaemm)
AEAD_PIECES(schwaemm128_128, schwaemm)
AEAD_PIECES(schwaemm256_256, schwaemm)

#define AEADS 5

static const struct {
    const char *name;
    size_t key_bytes, nonce_bytes, tag_bytes, ctx_bytes;
    seal_fn *encrypt, *decrypt;
    seal_detached_fn *encrypt_detached;
    open_detached_fn *decrypt_detached;
    int (*init)(const uint8_t *, const uint8_t *, aead_ctx *);
    int (*update_ad)(const uint8_t *, size_t, aead_ctx *);
    int (*update)(uint8_t *, const uint8_t *, size_t, aead_ctx *);
    int (*final)(uint8_t *, aead_ctx *);
} aeads[AEADS] = {
#define AEAD(text, macro, id, member)                                                            \
    {                                                                                            \
        text, HANJI_##macro##_KEY_BYTES, HANJI_##macro##_NONCE_BYTES, HANJI_##macro##_TAG_BYTES, \
            sizeof((aead_ctx *)0)->member, hanji_##id##_encrypt, hanji_##id##_decrypt,           \
            hanji_##id##_encrypt_detached, hanji_##id##_decrypt_detached, id##_init,             \
            id##_update_ad, id##_update, id##_final                                              \
    }
    AEAD("schwaemm256-128", SCHWAEMM256_128, schwaemm256_128, schwaemm),
    AEAD("schwaemm192-192", SCHWAEMM192_192, schwaemm192_192, schwaemm),
    AEAD("schwaemm128-128", SCHWAEMM128_128, schwaemm128_128, schwaemm),
    AEAD("schwaemm256-256", SCHWAEMM256_256, schwaemm256_256, schwaemm),
    AEAD("ascon-aead128", ASCON_AEAD128, ascon_aead128, ascon),
};

/* Whether the context of a finished message is erased. */
static inline int is_erased(const aead_ctx *ctx, int aead)
{
    const uint8_t *p = (const uint8_t *)ctx;
    uint8_t any = 0;
    for (size_t i = 0; i < aeads[aead].ctx_bytes; i++)
        any |= p[i];
    return any == 0;
}

#endif
