/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The AEADs, ESCH, XOESCH and SPARKLE: sizes, refusals, every split and every wrong bit. Values are
 * checked by the vectors.
 */
#include "aeads.h"
#include "check.h"

static uint8_t a[2048], b[2048], c[2048];
static const uint8_t *const key = a + 1024, *const nonce = a + 1100, *const ad = a + 1200;

#define EACH_AEAD(i) for (int i = 0; i < AEADS && (case_context = aeads[i].name) != NULL; i++)

static void sizes(void)
{
#define SIZES(macro, number)                                          \
    CHECK(hanji_schwaemm_key_bytes(number) == macro##_KEY_BYTES);     \
    CHECK(hanji_schwaemm_nonce_bytes(number) == macro##_NONCE_BYTES); \
    CHECK(hanji_schwaemm_tag_bytes(number) == macro##_TAG_BYTES)
    SIZES(HANJI_SCHWAEMM256_128, 256128);
    SIZES(HANJI_SCHWAEMM192_192, 192192);
    SIZES(HANJI_SCHWAEMM128_128, 128128);
    SIZES(HANJI_SCHWAEMM256_256, 256256);
    CHECK(hanji_schwaemm_key_bytes(1) == 0 && hanji_schwaemm_nonce_bytes(1) == 0 &&
          hanji_schwaemm_tag_bytes(1) == 0);
    CHECK(hanji_schwaemm_ctx_bytes() == sizeof(hanji_schwaemm_ctx));
    CHECK(hanji_esch_ctx_bytes() == sizeof(hanji_esch_ctx));
    CHECK(hanji_esch_digest_bytes(256) == HANJI_ESCH256_DIGEST_BYTES);
    CHECK(hanji_esch_digest_bytes(384) == HANJI_ESCH384_DIGEST_BYTES);
    CHECK(hanji_esch_digest_bytes(512) == 0);
}

static void aead_of_every_split(void)
{
    pseudo_random(a, sizeof a, 11);
    EACH_AEAD (i) {
        const size_t tag = aeads[i].tag_bytes;
        for (size_t n = 0; n <= 70; n++) {
            CHECK(aeads[i].encrypt(b, a, n, ad, n, nonce, key) == HANJI_OK);
            for (size_t cut = 0; cut <= n; cut++) {
                aead_ctx ctx;
                fill(c, n + tag + 8, 0xaa);
                CHECK(aeads[i].init(nonce, key, &ctx) == HANJI_OK);
                CHECK(aeads[i].update_ad(ad, cut, &ctx) == HANJI_OK);
                CHECK(aeads[i].update_ad(ad + cut, n - cut, &ctx) == HANJI_OK);
                CHECK(aeads[i].update(c, a, cut, &ctx) == HANJI_OK);
                CHECK(aeads[i].update(c + cut, a + cut, n - cut, &ctx) == HANJI_OK);
                CHECK(aeads[i].final(c + n, &ctx) == HANJI_OK);
                CHECK(same(c, b, n + tag));
                CHECK(all_are(c + n + tag, 8, 0xaa));
                CHECK(is_erased(&ctx, i));
            }
        }
    }
}

static void aead_at_odd_addresses_and_in_place(void)
{
    pseudo_random(a, sizeof a, 12);
    EACH_AEAD (i) {
        const size_t tag = aeads[i].tag_bytes;
        for (size_t n = 0; n <= 140; n += 7)
            for (size_t shift = 0; shift < 8; shift++) {
                CHECK(aeads[i].encrypt(b, a, n, ad, n, nonce, key) == HANJI_OK);
                copy_bytes(c + shift, a, n);
                CHECK(aeads[i].encrypt(c + shift, c + shift, n, ad, n, nonce, key) == HANJI_OK);
                CHECK(same(c + shift, b, n + tag));
                CHECK(aeads[i].decrypt(c + shift, c + shift, n + tag, ad, n, nonce, key) ==
                      HANJI_OK);
                CHECK(same(c + shift, a, n));
                copy_bytes(c + 512 + shift, ad, n); /* odd addresses of everything else */
                copy_bytes(c + 800 + shift, nonce, 32);
                copy_bytes(c + 900 + shift, key, 32);
                CHECK(aeads[i].decrypt(c, b, n + tag, c + 512 + shift, n, c + 800 + shift,
                                       c + 900 + shift) == HANJI_OK);
                CHECK(same(c, a, n));
            }
    }
}

static void aead_refuses_every_wrong_bit(void)
{
    pseudo_random(a, sizeof a, 13);
    EACH_AEAD (i) {
        const size_t tag = aeads[i].tag_bytes, n = 37;
        CHECK(aeads[i].encrypt(b, a, n, ad, 9, nonce, key) == HANJI_OK);
        for (size_t bit = 0; bit < 8 * (n + tag); bit++) {
            b[bit / 8] ^= (uint8_t)(1 << bit % 8);
            fill(c, 64, 0xaa);
            CHECK(aeads[i].decrypt(c, b, n + tag, ad, 9, nonce, key) == HANJI_E_TAG);
            CHECK(all_are(c, n, 0));
            CHECK(all_are(c + n, 64 - n, 0xaa));
            b[bit / 8] ^= (uint8_t)(1 << bit % 8);
        }
        CHECK(aeads[i].decrypt(c, b, n + tag, ad, 8, nonce, key) == HANJI_E_TAG);
        CHECK(aeads[i].decrypt(c, b, n + tag, NULL, 0, nonce, key) == HANJI_E_TAG);
        CHECK(aeads[i].decrypt(c, b, n + tag - 1, ad, 9, nonce, key) == HANJI_E_TAG);
        CHECK(aeads[i].decrypt(c, b, n + tag, ad, 9, nonce + 1, key) == HANJI_E_TAG);
        CHECK(aeads[i].decrypt(c, b, n + tag, ad, 9, nonce, key + 1) == HANJI_E_TAG);
        for (size_t shorter = 0; shorter < tag; shorter++)
            CHECK(aeads[i].decrypt(c, b, shorter, ad, 9, nonce, key) == HANJI_E_LENGTH);
        CHECK(aeads[i].decrypt(c, b, n + tag, ad, 9, nonce, key) == HANJI_OK);
    }
}

static void aead_refused(void)
{
    pseudo_random(a, sizeof a, 14);
    EACH_AEAD (i) {
        aead_ctx ctx;
        const size_t tag = aeads[i].tag_bytes;
        CHECK(aeads[i].encrypt(NULL, a, 8, NULL, 0, nonce, key) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].encrypt(b, NULL, 8, NULL, 0, nonce, key) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].encrypt(b, a, 8, NULL, 1, nonce, key) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].encrypt(b, a, 8, NULL, 0, NULL, key) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].encrypt(b, a, 8, NULL, 0, nonce, NULL) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].encrypt_detached(NULL, b, NULL, 0, NULL, 0, nonce, key) == HANJI_OK);
        CHECK(aeads[i].encrypt_detached(b, NULL, a, 8, NULL, 0, nonce, key) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].decrypt(b, NULL, tag, NULL, 0, nonce, key) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].decrypt_detached(b, a, 8, NULL, NULL, 0, nonce, key) == HANJI_E_ARGUMENT);
        copy_bytes(b, a, 256);
        CHECK(aeads[i].encrypt(a + 1, a, 8, NULL, 0, nonce, key) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].encrypt(a, a + 1, 8, NULL, 0, nonce, key) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].decrypt(a + 1, a, 8 + tag, NULL, 0, nonce, key) == HANJI_E_ARGUMENT);
        CHECK(same(a, b, 256));
        CHECK(aeads[i].init(NULL, key, &ctx) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].init(nonce, NULL, &ctx) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].init(nonce, key, NULL) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].init(nonce, key, &ctx) == HANJI_OK);
        CHECK(aeads[i].update(b, a, 1, &ctx) == HANJI_OK);
        CHECK(aeads[i].update_ad(ad, 1, &ctx) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].update(NULL, a, 1, &ctx) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].update(a + 1, a, 20, &ctx) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].final(NULL, &ctx) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].final(b, &ctx) == HANJI_OK);
        CHECK(aeads[i].update(b, a, 1, &ctx) == HANJI_E_ARGUMENT); /* a finished message */
        CHECK(aeads[i].final(b, &ctx) == HANJI_E_ARGUMENT);
        CHECK(aeads[i].init(nonce, key, &ctx) == HANJI_OK);
        if (i < AEADS - 1)
            CHECK(aeads[(i + 1) % 4].update(b, a, 1, &ctx) ==
                  HANJI_E_ARGUMENT); /* another instance's message */
        if (i < AEADS - 1)
            hanji_schwaemm_wipe(&ctx.schwaemm);
        else
            hanji_ascon_aead128_wipe(&ctx.ascon);
        CHECK(is_erased(&ctx, i));
    }
    hanji_schwaemm_wipe(NULL);
    hanji_ascon_aead128_wipe(NULL);
}

static void hash_of_every_split(void)
{
    static const struct {
        const char *name;
        size_t digest;
        int (*once)(uint8_t *, const uint8_t *, size_t);
        int (*init)(hanji_esch_ctx *);
        int (*update)(const uint8_t *, size_t, hanji_esch_ctx *);
        int (*final)(uint8_t *, hanji_esch_ctx *);
    } hashes[] = {{"esch256", 32, hanji_esch256, hanji_esch256_init, hanji_esch256_update,
                   hanji_esch256_final},
                  {"esch384", 48, hanji_esch384, hanji_esch384_init, hanji_esch384_update,
                   hanji_esch384_final}};
    pseudo_random(a, sizeof a, 15);
    for (int i = 0; i < 2; i++) {
        case_context = hashes[i].name;
        hanji_esch_ctx ctx, fork;
        for (size_t n = 0; n <= 50; n++) {
            CHECK(hashes[i].once(b, a, n) == HANJI_OK);
            for (size_t cut = 0; cut <= n; cut++) {
                fill(c, 64, 0xaa);
                CHECK(hashes[i].init(&ctx) == HANJI_OK);
                CHECK(hashes[i].update(a, cut, &ctx) == HANJI_OK);
                fork = ctx;
                CHECK(hashes[i].update(a + cut, n - cut, &ctx) == HANJI_OK);
                CHECK(hashes[i].final(c, &ctx) == HANJI_OK);
                CHECK(same(c, b, hashes[i].digest));
                CHECK(all_are(c + hashes[i].digest, 8, 0xaa));
                CHECK(all_are(&ctx, sizeof ctx, 0));
                CHECK(hashes[i].update(a + cut, n - cut, &fork) == HANJI_OK);
                CHECK(hashes[i].final(c, &fork) == HANJI_OK);
                CHECK(same(c, b, hashes[i].digest));
            }
        }
        CHECK(hashes[i].once(b, NULL, 0) == HANJI_OK);
        CHECK(hashes[i].once(NULL, a, 1) == HANJI_E_ARGUMENT);
        CHECK(hashes[i].once(b, NULL, 1) == HANJI_E_ARGUMENT);
        CHECK(hashes[i].init(NULL) == HANJI_E_ARGUMENT);
        CHECK(hashes[i].final(b, &ctx) == HANJI_E_ARGUMENT); /* finished */
        CHECK(hashes[i].init(&ctx) == HANJI_OK);
        CHECK(hashes[i].update(NULL, 1, &ctx) == HANJI_E_ARGUMENT);
        /* the other function's message */
        CHECK(hashes[1 - i].update(a, 1, &ctx) == HANJI_E_ARGUMENT);
    }
}

static void output_of_every_split(void)
{
    static const struct {
        const char *name;
        int (*once)(uint8_t *, size_t, const uint8_t *, size_t);
        int (*init)(hanji_esch_ctx *);
        int (*update)(const uint8_t *, size_t, hanji_esch_ctx *);
        int (*squeeze)(uint8_t *, size_t, hanji_esch_ctx *);
    } functions[] = {{"xoesch256", hanji_xoesch256, hanji_xoesch256_init, hanji_xoesch256_update,
                      hanji_xoesch256_squeeze},
                     {"xoesch384", hanji_xoesch384, hanji_xoesch384_init, hanji_xoesch384_update,
                      hanji_xoesch384_squeeze}};
    pseudo_random(a, sizeof a, 16);
    for (int i = 0; i < 2; i++) {
        case_context = functions[i].name;
        for (size_t n = 0; n <= 70; n++) {
            CHECK(functions[i].once(b, 70, a, n) == HANJI_OK);
            for (size_t cut = 0; cut <= 70; cut++) {
                hanji_esch_ctx ctx;
                CHECK(functions[i].init(&ctx) == HANJI_OK);
                CHECK(functions[i].update(a, n, &ctx) == HANJI_OK);
                CHECK(functions[i].squeeze(c, cut, &ctx) == HANJI_OK);
                CHECK(functions[i].squeeze(c + cut, 70 - cut, &ctx) == HANJI_OK);
                CHECK(same(c, b, 70));
                CHECK(functions[i].update(a, 1, &ctx) == HANJI_E_ARGUMENT);
                hanji_esch_wipe(&ctx);
                CHECK(all_are(&ctx, sizeof ctx, 0));
            }
        }
        CHECK(functions[i].once(NULL, 0, a, 1) == HANJI_OK);
        CHECK(functions[i].once(NULL, 1, a, 1) == HANJI_E_ARGUMENT);
    }
    hanji_esch_wipe(NULL);
}

static void permutations(void)
{
    pseudo_random(a, sizeof a, 17);
    for (uint32_t bits = 256; bits <= 512; bits += 128) {
        const size_t n = bits / 8;
        copy_bytes(b, a, 9 * n);
        for (size_t i = 0; i < 9; i++)
            CHECK(hanji_sparkle_permute(b + i * n, 1, bits, 7) == HANJI_OK);
        copy_bytes(c + 1, a, 9 * n);
        CHECK(hanji_sparkle_permute(c + 1, 9, bits, 7) == HANJI_OK);
        CHECK(same(c + 1, b, 9 * n));
        CHECK(hanji_sparkle_permute(c, 1, bits, 0) == HANJI_E_LENGTH);
        CHECK(hanji_sparkle_permute(c, 1, bits, 64) == HANJI_OK);
        CHECK(hanji_sparkle_permute(c, 1, bits, 65) == HANJI_E_LENGTH);
        CHECK(hanji_sparkle_permute(NULL, 1, bits, 7) == HANJI_E_ARGUMENT);
        /* the bytes of so many states overflow */
        CHECK(hanji_sparkle_permute(c, SIZE_MAX / n + 2, bits, 7) == HANJI_E_LENGTH);
        CHECK(hanji_sparkle_permute(c, SIZE_MAX, bits, 7) == HANJI_E_LENGTH);
        CHECK(hanji_sparkle_permute(NULL, 0, bits, 7) == HANJI_OK);
    }
    CHECK(hanji_sparkle_permute(c, 1, 128, 7) == HANJI_E_LENGTH);
}

int main(void)
{
    static const test_case cases[] = {
        {"sizes", sizes},
        {"aead of every split", aead_of_every_split},
        {"aead at odd addresses and in place", aead_at_odd_addresses_and_in_place},
        {"aead refuses every wrong bit", aead_refuses_every_wrong_bit},
        {"aead refused", aead_refused},
        {"hash of every split", hash_of_every_split},
        {"output of every split", output_of_every_split},
        {"permutations", permutations},
    };
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
