/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ascon: sizes, keys with tag lengths and masks, limits, hashes of every split, and refusals. What
 * all AEADs share is in api_sparkle_main.c; values are checked by the vectors.
 */
#include "check.h"
#include "hanji/hanji.h"

static uint8_t a[2048], b[2048], c[2048];
static const uint8_t *const key = a + 1024, *const nonce = a + 1100, *const ad = a + 1200;

#define TAG HANJI_ASCON_AEAD128_TAG_BYTES
#define LIMIT HANJI_ASCON_AEAD128_LIMIT_BLOCKS

static void sizes(void)
{
    CHECK(hanji_ascon_aead128_key_bytes() == HANJI_ASCON_AEAD128_KEY_BYTES);
    CHECK(hanji_ascon_aead128_nonce_bytes() == HANJI_ASCON_AEAD128_NONCE_BYTES);
    CHECK(hanji_ascon_aead128_tag_bytes() == HANJI_ASCON_AEAD128_TAG_BYTES);
    CHECK(hanji_ascon_aead128_ctx_bytes() == sizeof(hanji_ascon_aead128_ctx));
    CHECK(hanji_ascon_aead128_key_ctx_bytes() == sizeof(hanji_ascon_aead128_key));
    CHECK(hanji_ascon_hash_ctx_bytes() == sizeof(hanji_ascon_hash_ctx));
    CHECK(hanji_ascon_hash256_digest_bytes() == HANJI_ASCON_HASH256_DIGEST_BYTES);
    CHECK(LIMIT == (uint64_t)1 << 50);
}

/* Tag lengths belong to keys: those of one are never taken by another. */
static void tag_lengths(void)
{
    hanji_ascon_aead128_key one, other;
    pseudo_random(a, sizeof a, 21);
    for (size_t t = 0; t <= 20; t++) {
        const int usual = t >= 8 && t <= 16, brief = t >= 4 && t < 8;
        CHECK(hanji_ascon_aead128_key_init(t, key, 16, &one) ==
              (usual ? HANJI_OK : HANJI_E_LENGTH));
        CHECK(hanji_ascon_aead128_key_init_short_tag(t, key, 16, &other) ==
              (brief ? HANJI_OK : HANJI_E_LENGTH));
        if (!usual && !brief) {
            CHECK(hanji_ascon_aead128_key_encrypt(b, a, 9, NULL, 0, nonce, &one) ==
                  HANJI_E_ARGUMENT);
            CHECK(hanji_ascon_aead128_key_decrypt(b, a, 40, NULL, 0, nonce, &other) ==
                  HANJI_E_ARGUMENT);
            continue;
        }
        hanji_ascon_aead128_key *const ctx = usual ? &one : &other;
        for (size_t n = 0; n < 40; n += 13) {
            fill(b, sizeof b, 0xaa);
            CHECK(hanji_ascon_aead128_encrypt(c, a, n, ad, n, nonce, key) == HANJI_OK);
            CHECK(hanji_ascon_aead128_key_encrypt(b, a, n, ad, n, nonce, ctx) == HANJI_OK);
            CHECK(same(b, c, n + t) && all_are(b + n + t, 8, 0xaa));
            CHECK(hanji_ascon_aead128_key_decrypt(c, b, n + t, ad, n, nonce, ctx) == HANJI_OK);
            CHECK(same(c, a, n));
            for (size_t given = 0; given <= 17; given++)
                if (given != t)
                    CHECK(hanji_ascon_aead128_key_decrypt_detached(c, b, n, b + n, given, ad, n,
                                                                   nonce, ctx) == HANJI_E_LENGTH);
            CHECK(hanji_ascon_aead128_key_decrypt(c, b, t - 1, ad, n, nonce, ctx) ==
                  HANJI_E_LENGTH);
            for (size_t bit = 0; bit < 8 * (n + t); bit++) {
                b[bit / 8] ^= (uint8_t)(1 << bit % 8);
                fill(c, 64, 0xaa);
                CHECK(hanji_ascon_aead128_key_decrypt(c, b, n + t, ad, n, nonce, ctx) ==
                      HANJI_E_TAG);
                CHECK(all_are(c, n, 0) && all_are(c + n, 64 - n, 0xaa));
                b[bit / 8] ^= (uint8_t)(1 << bit % 8);
            }
        }
    }
    /* The same bytes under a key with another tag length: another boundary, and refused. */
    CHECK(hanji_ascon_aead128_key_init(16, key, 16, &one) == HANJI_OK);
    CHECK(hanji_ascon_aead128_key_init(8, key, 16, &other) == HANJI_OK);
    CHECK(hanji_ascon_aead128_key_encrypt(b, a, 24, ad, 5, nonce, &one) == HANJI_OK);
    CHECK(hanji_ascon_aead128_key_decrypt(c, b, 40, ad, 5, nonce, &other) == HANJI_E_TAG);
    CHECK(hanji_ascon_aead128_key_encrypt(b, a, 24, ad, 5, nonce, &other) == HANJI_OK);
    CHECK(hanji_ascon_aead128_key_decrypt(c, b, 32, ad, 5, nonce, &one) == HANJI_E_TAG);
}

static void masks(void)
{
    hanji_ascon_aead128_key ctx;
    uint8_t pair[32], masked[16];
    pseudo_random(a, sizeof a, 22);
    copy_bytes(pair, key, 32);
    for (size_t i = 0; i < 16; i++)
        masked[i] = nonce[i] ^ pair[16 + i];
    CHECK(hanji_ascon_aead128_key_init(TAG, pair, 32, &ctx) == HANJI_OK);
    CHECK(hanji_ascon_aead128_key_encrypt(b, a, 50, ad, 20, nonce, &ctx) == HANJI_OK);
    CHECK(hanji_ascon_aead128_encrypt(c, a, 50, ad, 20, masked, pair) == HANJI_OK);
    CHECK(same(b, c, 50 + TAG));
    CHECK(hanji_ascon_aead128_key_decrypt(c, b, 50 + TAG, ad, 20, nonce, &ctx) == HANJI_OK);
    CHECK(same(c, a, 50));
    copy_bytes(pair + 16, pair, 16);
    CHECK(hanji_ascon_aead128_key_init(TAG, pair, 32, &ctx) == HANJI_E_ARGUMENT);
    CHECK(all_are(&ctx, sizeof ctx, 0));
    pair[31] ^= 0x80;
    CHECK(hanji_ascon_aead128_key_init(TAG, pair, 32, &ctx) == HANJI_OK);
    for (size_t bytes = 0; bytes <= 40; bytes++)
        CHECK((hanji_ascon_aead128_key_init(TAG, key, bytes, &ctx) == HANJI_OK) ==
              (bytes == 16 || bytes == 32));
    CHECK(hanji_ascon_aead128_key_init(TAG, key, 17, &ctx) == HANJI_E_LENGTH);
    CHECK(hanji_ascon_aead128_key_init(TAG, NULL, 16, &ctx) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_aead128_key_init(TAG, key, 16, NULL) == HANJI_E_ARGUMENT);
    hanji_ascon_aead128_key_wipe(&ctx);
    CHECK(all_are(&ctx, sizeof ctx, 0));
    hanji_ascon_aead128_key_wipe(NULL);
}

/* A message of a and p bytes counts its nonce and the blocks of both, padding included. */
static uint64_t cost(size_t ad_bytes, size_t bytes)
{
    return 1 + (ad_bytes > 0 ? ad_bytes / 16 + 1 : 0) + bytes / 16 + 1;
}

static void limits(void)
{
    hanji_ascon_aead128_key ctx;
    hanji_ascon_aead128_ctx message;
    pseudo_random(a, sizeof a, 23);
    for (size_t n = 0; n <= 65; n++)
        for (size_t m = 0; m <= 65; m += 5) {
            const uint64_t all = cost(m, n);
            CHECK(hanji_ascon_aead128_key_init(TAG, key, 16, &ctx) == HANJI_OK);
            CHECK(hanji_ascon_aead128_key_encrypt(b, a, n, ad, m, nonce, &ctx) == HANJI_OK);
            CHECK(ctx.blocks == all);
            ctx.blocks = LIMIT - all + 1;
            fill(c, 128, 0xaa);
            CHECK(hanji_ascon_aead128_key_encrypt(c, a, n, ad, m, nonce, &ctx) == HANJI_E_LIMIT);
            CHECK(hanji_ascon_aead128_key_decrypt(c, b, n + TAG, ad, m, nonce, &ctx) ==
                  HANJI_E_LIMIT);
            CHECK(all_are(c, 128, 0xaa) && ctx.blocks == LIMIT - all + 1);
            ctx.blocks = LIMIT - all;
            b[0] ^= 1; /* a refused message counts too */
            CHECK(hanji_ascon_aead128_key_decrypt(c, b, n + TAG, ad, m, nonce, &ctx) ==
                  HANJI_E_TAG);
            CHECK(ctx.blocks == LIMIT);
            CHECK(hanji_ascon_aead128_key_encrypt(c, a, 0, NULL, 0, nonce, &ctx) == HANJI_E_LIMIT);
            CHECK(hanji_ascon_aead128_key_begin(nonce, &ctx, &message) == HANJI_E_LIMIT);
        }
    /* In pieces: the piece that would pass the limit changes nothing. */
    CHECK(hanji_ascon_aead128_key_init(TAG, key, 16, &ctx) == HANJI_OK);
    CHECK(hanji_ascon_aead128_key_encrypt(b, a, 40, ad, 20, nonce, &ctx) == HANJI_OK);
    ctx.blocks = LIMIT - cost(20, 40);
    CHECK(hanji_ascon_aead128_key_begin(nonce, &ctx, &message) == HANJI_OK);
    CHECK(hanji_ascon_aead128_update_ad(ad, 20, &message) == HANJI_OK);
    CHECK(hanji_ascon_aead128_update(c, a, 30, &message) == HANJI_OK);
    fill(c + 30, 40, 0xaa);
    CHECK(hanji_ascon_aead128_update(c + 30, a + 30, 18, &message) == HANJI_E_LIMIT);
    CHECK(all_are(c + 30, 40, 0xaa));
    CHECK(hanji_ascon_aead128_update(c + 30, a + 30, 10, &message) == HANJI_OK);
    CHECK(hanji_ascon_aead128_final(c + 40, &message) == HANJI_OK);
    CHECK(same(b, c, 40 + TAG) && ctx.blocks == LIMIT);
}

/* Texts, associated data and hashed messages at any place, and in place. */
static void places(void)
{
    uint8_t sealed[96 + TAG], digest[32], found[32];
    pseudo_random(a, sizeof a, 31);
    for (size_t n = 16; n <= 96; n += 20) {
        CHECK(hanji_ascon_aead128_encrypt(sealed, a, n, a + 512, n, nonce, key) == HANJI_OK);
        CHECK(hanji_ascon_hash256(digest, a, n) == HANJI_OK);
        for (size_t in = 0; in < 8; in++)
            for (size_t out = 0; out < 8; out++) {
                uint8_t *const text = b + in, *const made = b + 256 + out,
                               *const back = b + 512 + in, *const data = c + out;
                copy_bytes(text, a, n);
                copy_bytes(data, a + 512, n);
                CHECK(hanji_ascon_aead128_encrypt(made, text, n, data, n, nonce, key) == HANJI_OK);
                CHECK(same(made, sealed, n + TAG));
                CHECK(hanji_ascon_aead128_decrypt(back, made, n + TAG, data, n, nonce, key) ==
                      HANJI_OK);
                CHECK(same(back, a, n));
                CHECK(hanji_ascon_aead128_decrypt(made, made, n + TAG, data, n, nonce, key) ==
                      HANJI_OK);
                CHECK(same(made, a, n));
                CHECK(hanji_ascon_hash256(found, text, n) == HANJI_OK && same(found, digest, 32));
            }
    }
}

static void keyed_pieces(void)
{
    hanji_ascon_aead128_key ctx;
    hanji_ascon_aead128_ctx message;
    pseudo_random(a, sizeof a, 24);
    CHECK(hanji_ascon_aead128_key_init(11, key, 32, &ctx) == HANJI_OK);
    for (size_t n = 0; n <= 40; n++) {
        CHECK(hanji_ascon_aead128_key_encrypt(b, a, n, ad, n, nonce, &ctx) == HANJI_OK);
        for (size_t cut = 0; cut <= n; cut++) {
            fill(c, n + 40, 0xaa);
            CHECK(hanji_ascon_aead128_key_begin(nonce, &ctx, &message) == HANJI_OK);
            CHECK(hanji_ascon_aead128_update_ad(ad, cut, &message) == HANJI_OK);
            CHECK(hanji_ascon_aead128_update_ad(ad + cut, n - cut, &message) == HANJI_OK);
            CHECK(hanji_ascon_aead128_update(c, a, cut, &message) == HANJI_OK);
            CHECK(hanji_ascon_aead128_update(c + cut, a + cut, n - cut, &message) == HANJI_OK);
            CHECK(hanji_ascon_aead128_final(c + n, &message) == HANJI_OK);
            CHECK(same(c, b, n + 11) && all_are(c + n + 11, 8, 0xaa));
            CHECK(all_are(&message, sizeof message, 0));
        }
    }
    CHECK(hanji_ascon_aead128_key_begin(NULL, &ctx, &message) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_aead128_key_begin(nonce, NULL, &message) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_aead128_key_begin(nonce, &ctx, NULL) == HANJI_E_ARGUMENT);
    /* A key that is wiped before its message ends takes no more data. */
    CHECK(hanji_ascon_aead128_key_begin(nonce, &ctx, &message) == HANJI_OK);
    hanji_ascon_aead128_key_wipe(&ctx);
    CHECK(hanji_ascon_aead128_update_ad(ad, 1, &message) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_aead128_update(c, a, 1, &message) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_aead128_key_begin(nonce, &ctx, &message) == HANJI_E_ARGUMENT);
}

static void keyed_refused(void)
{
    hanji_ascon_aead128_key ctx;
    pseudo_random(a, sizeof a, 25);
    CHECK(hanji_ascon_aead128_key_init(12, key, 16, &ctx) == HANJI_OK);
    CHECK(hanji_ascon_aead128_key_encrypt(b, a, 8, NULL, 0, nonce, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_aead128_key_encrypt(NULL, a, 8, NULL, 0, nonce, &ctx) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_aead128_key_encrypt(b, NULL, 8, NULL, 0, nonce, &ctx) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_aead128_key_encrypt(b, a, 8, NULL, 1, nonce, &ctx) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_aead128_key_encrypt(b, a, 8, NULL, 0, NULL, &ctx) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_aead128_key_encrypt(a + 1, a, 8, NULL, 0, nonce, &ctx) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_aead128_key_encrypt_detached(b, NULL, a, 8, NULL, 0, nonce, &ctx) ==
          HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_aead128_key_encrypt_detached(b, b + 7, a, 8, NULL, 0, nonce, &ctx) ==
          HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_aead128_key_decrypt_detached(b, a, 8, NULL, 12, NULL, 0, nonce, &ctx) ==
          HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_aead128_key_decrypt(a + 1, a, 30, NULL, 0, nonce, &ctx) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_aead128_key_decrypt(b, NULL, 12, NULL, 0, nonce, &ctx) == HANJI_E_ARGUMENT);
    CHECK(ctx.blocks == 0); /* what is refused for its arguments is not counted */
}

static void hash_of_every_split(void)
{
    hanji_ascon_hash_ctx ctx, fork;
    pseudo_random(a, sizeof a, 26);
    for (size_t n = 0; n <= 50; n++) {
        CHECK(hanji_ascon_hash256(b, a, n) == HANJI_OK);
        for (size_t cut = 0; cut <= n; cut++) {
            fill(c, 64, 0xaa);
            CHECK(hanji_ascon_hash256_init(&ctx) == HANJI_OK);
            CHECK(hanji_ascon_hash256_update(a, cut, &ctx) == HANJI_OK);
            fork = ctx;
            CHECK(hanji_ascon_hash256_update(a + cut, n - cut, &ctx) == HANJI_OK);
            CHECK(hanji_ascon_hash256_final(c, &ctx) == HANJI_OK);
            CHECK(same(c, b, 32) && all_are(c + 32, 8, 0xaa) && all_are(&ctx, sizeof ctx, 0));
            CHECK(hanji_ascon_hash256_update(a + cut, n - cut, &fork) == HANJI_OK);
            CHECK(hanji_ascon_hash256_final(c, &fork) == HANJI_OK);
            CHECK(same(c, b, 32));
        }
    }
    copy_bytes(c, a, 40); /* over its message */
    CHECK(hanji_ascon_hash256(b, a, 40) == HANJI_OK && hanji_ascon_hash256(c, c, 40) == HANJI_OK);
    CHECK(same(b, c, 32));
    CHECK(hanji_ascon_hash256(b, NULL, 0) == HANJI_OK);
    CHECK(hanji_ascon_hash256(NULL, a, 1) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_hash256(b, NULL, 1) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_hash256_init(NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_hash256_update(a, 1, &ctx) == HANJI_E_ARGUMENT); /* finished */
    CHECK(hanji_ascon_hash256_final(b, &ctx) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_hash256_init(&ctx) == HANJI_OK);
    CHECK(hanji_ascon_hash256_update(NULL, 1, &ctx) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_xof128_update(a, 1, &ctx) == HANJI_E_ARGUMENT); /* another function's */
    CHECK(hanji_ascon_cxof128_squeeze(b, 1, &ctx) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_hash256_final(NULL, &ctx) == HANJI_E_ARGUMENT);
}

static void output_of_every_split(void)
{
    hanji_ascon_hash_ctx ctx;
    pseudo_random(a, sizeof a, 27);
    for (size_t n = 0; n <= 40; n += 3)
        for (size_t cut = 0; cut <= 70; cut++) {
            CHECK(hanji_ascon_xof128(b, 70, a, n) == HANJI_OK);
            CHECK(hanji_ascon_xof128_init(&ctx) == HANJI_OK);
            CHECK(hanji_ascon_xof128_update(a, n, &ctx) == HANJI_OK);
            CHECK(hanji_ascon_xof128_squeeze(c, cut, &ctx) == HANJI_OK);
            CHECK(hanji_ascon_xof128_squeeze(c + cut, 70 - cut, &ctx) == HANJI_OK);
            CHECK(same(c, b, 70));
            CHECK(hanji_ascon_xof128_update(a, 1, &ctx) == HANJI_E_ARGUMENT);
            CHECK(hanji_ascon_xof128_update(a, 0, &ctx) == HANJI_E_ARGUMENT);
            hanji_ascon_hash_wipe(&ctx);
            CHECK(all_are(&ctx, sizeof ctx, 0));
            CHECK(hanji_ascon_cxof128(b, 70, a, n, a + 300, n) == HANJI_OK);
            CHECK(hanji_ascon_cxof128_init(a, n, &ctx) == HANJI_OK);
            CHECK(hanji_ascon_cxof128_update(a + 300, n / 2, &ctx) == HANJI_OK);
            CHECK(hanji_ascon_cxof128_update(a + 300 + n / 2, n - n / 2, &ctx) == HANJI_OK);
            CHECK(hanji_ascon_cxof128_squeeze(c, cut, &ctx) == HANJI_OK);
            CHECK(hanji_ascon_cxof128_squeeze(c + cut, 70 - cut, &ctx) == HANJI_OK);
            CHECK(same(c, b, 70));
            CHECK(hanji_ascon_cxof128_update(a, 1, &ctx) == HANJI_E_ARGUMENT);
            CHECK(hanji_ascon_xof128_squeeze(c, 1, &ctx) == HANJI_E_ARGUMENT);
        }
    CHECK(hanji_ascon_xof128(b, 0, a, 1) == HANJI_E_LENGTH);
    CHECK(hanji_ascon_cxof128(b, 0, a, 1, a, 1) == HANJI_E_LENGTH);
    CHECK(hanji_ascon_xof128(NULL, 1, a, 1) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_cxof128(NULL, 1, a, 1, a, 1) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_cxof128(b, 1, NULL, 1, a, 1) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_cxof128(b, 1, a, 1, NULL, 1) == HANJI_E_ARGUMENT);
    hanji_ascon_hash_wipe(NULL);
}

static void customization(void)
{
    hanji_ascon_hash_ctx ctx;
    pseudo_random(a, sizeof a, 28);
    for (size_t z = 0; z <= 300; z++) {
        const int expected = z <= 256 ? HANJI_OK : HANJI_E_LENGTH;
        fill(b, 40, 0xaa);
        fill(c, 40, 0xbb);
        CHECK(hanji_ascon_cxof128(b, 32, a, z, a, 3) == expected);
        CHECK(hanji_ascon_cxof128_init(a, z, &ctx) == expected);
        if (z > 256) {
            CHECK(all_are(b, 40, 0xaa) && all_are(&ctx, sizeof ctx, 0));
            CHECK(hanji_ascon_cxof128_squeeze(b, 1, &ctx) == HANJI_E_ARGUMENT);
            continue;
        }
        CHECK(hanji_ascon_cxof128(c, 32, a, z == 0 ? 1 : z - 1, a, 3) == HANJI_OK);
        CHECK(!same(b, c, 32));
    }
    CHECK(hanji_ascon_cxof128(b, 32, NULL, 0, NULL, 0) == HANJI_OK);
    CHECK(hanji_ascon_xof128(c, 32, NULL, 0) == HANJI_OK);
    CHECK(!same(b, c, 32)); /* no customization is not no CXOF */
    CHECK(hanji_ascon_cxof128_init(NULL, 1, &ctx) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_cxof128_init(a, 1, NULL) == HANJI_E_ARGUMENT);
}

static void permutation(void)
{
    pseudo_random(a, sizeof a, 29);
    for (uint32_t rounds = 1; rounds <= 16; rounds++) {
        copy_bytes(b, a, 9 * 40);
        for (size_t i = 0; i < 9; i++)
            CHECK(hanji_ascon_permute(b + 40 * i, 1, rounds) == HANJI_OK);
        copy_bytes(c + 1, a, 9 * 40);
        CHECK(hanji_ascon_permute(c + 1, 9, rounds) == HANJI_OK);
        CHECK(same(c + 1, b, 9 * 40) && !same(b, a, 40));
    }
    CHECK(hanji_ascon_permute(c, 1, 0) == HANJI_E_LENGTH);
    CHECK(hanji_ascon_permute(c, 1, 17) == HANJI_E_LENGTH);
    CHECK(hanji_ascon_permute(NULL, 1, 8) == HANJI_E_ARGUMENT);
    /* The bytes of so many states overflow; SIZE_MAX / 40 + 2 of them would be 64 bytes or so. */
    CHECK(hanji_ascon_permute(c, SIZE_MAX / 40 + 1, 8) == HANJI_E_LENGTH);
    CHECK(hanji_ascon_permute(c, SIZE_MAX / 40 + 2, 8) == HANJI_E_LENGTH);
    CHECK(hanji_ascon_permute(NULL, SIZE_MAX, 8) == HANJI_E_LENGTH);
    CHECK(hanji_ascon_permute(NULL, 0, 8) == HANJI_OK);
}

static void fleet_limit(void)
{
    static int64_t offsets[] = {0, 16, 40}, ad_offsets[] = {0, 1, 1};
    static int8_t status[2];
    pseudo_random(a, sizeof a, 30);
    hanji_fleet fleet = {.messages = 2,
                         .offsets = offsets,
                         .input = a,
                         .output = b,
                         .ad_offsets = ad_offsets,
                         .ad = ad,
                         .keys = key,
                         .nonces = nonce,
                         .nonce_bytes = 16,
                         .tags = c,
                         .tag_bytes = 16,
                         .status = status};
    const uint64_t all = cost(1, 16) + cost(0, 24);
    CHECK(hanji_ascon_aead128_fleet_encrypt(&fleet) == 0);
    fleet.limit = all;
    CHECK(hanji_ascon_aead128_fleet_encrypt(&fleet) == 0);
    fleet.limit = all - 1;
    fill(b, 40, 0xaa);
    CHECK(hanji_ascon_aead128_fleet_encrypt(&fleet) == HANJI_E_LIMIT);
    CHECK(hanji_ascon_aead128_fleet_decrypt(&fleet) == HANJI_E_LIMIT);
    CHECK(all_are(b, 40, 0xaa));
    fleet.limit = 0;
    fleet.tag_bytes = 8;
    CHECK(hanji_ascon_aead128_fleet_decrypt(&fleet) == HANJI_E_LENGTH);
    fleet.tag_bytes = 32;
    CHECK(hanji_ascon_hash256_fleet(&fleet) == 0);
    fleet.tag_bytes = 31;
    CHECK(hanji_ascon_hash256_fleet(&fleet) == HANJI_E_LENGTH);
    fleet.tag_bytes = 0;
    CHECK(hanji_ascon_xof128_fleet(&fleet) == HANJI_E_LENGTH);
}

/* Fleets of Ascon-CXOF128: as each message alone; refused strings, with nothing written. */
static void fleet_customization(void)
{
    enum { N = 5, SIZE = 21 };
    static const int64_t offsets[N + 1] = {0, 0, 7, 15, 40, 103};
    static const size_t lengths[] = {0, 1, 7, 8, 9, 255, 256};
    static int8_t status[N];
    pseudo_random(a, sizeof a, 31);
    hanji_fleet fleet = {.messages = N,
                         .offsets = offsets,
                         .input = a,
                         .tags = b,
                         .tag_bytes = SIZE,
                         .status = status};
    for (size_t z = 0; z < sizeof lengths / sizeof lengths[0]; z++) {
        const size_t bytes = lengths[z];
        CHECK(hanji_ascon_cxof128_fleet(&fleet, a + 300, bytes) == 0);
        for (size_t i = 0; i < N; i++) {
            const size_t at = (size_t)offsets[i], next = (size_t)offsets[i + 1];
            CHECK(hanji_ascon_cxof128(c, SIZE, a + 300, bytes, a + at, next - at) == HANJI_OK);
            CHECK(same(b + i * SIZE, c, SIZE) && status[i] == HANJI_OK);
        }
    }
    CHECK(hanji_ascon_cxof128_fleet(&fleet, NULL, 0) == 0);
    fill(b, N * SIZE, 0xaa);
    CHECK(hanji_ascon_cxof128_fleet(&fleet, a, 257) == HANJI_E_LENGTH);
    CHECK(hanji_ascon_cxof128_fleet(&fleet, NULL, 1) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_cxof128_fleet(NULL, a, 1) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_cxof128_fleet(&fleet, b + N * SIZE - 1, 2) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_cxof128_fleet(&fleet, (const uint8_t *)status, 1) == HANJI_E_ARGUMENT);
    fleet.tag_bytes = 0;
    CHECK(hanji_ascon_cxof128_fleet(&fleet, a, 1) == HANJI_E_LENGTH);
    CHECK(all_are(b, N * SIZE, 0xaa));
    fleet.messages = 0;
    fleet.tag_bytes = SIZE;
    CHECK(hanji_ascon_cxof128_fleet(&fleet, a, 1) == 0);
    CHECK(hanji_ascon_cxof128_fleet(&fleet, a, 257) == HANJI_E_LENGTH);
}

/*
 * Runs of messages of one length, which kernels take whole, and one of another length between them:
 * as each message alone, apart and in place; the hash of each; two forgeries among all.
 */
static void fleet_runs(void)
{
    enum { MOST = 50, BYTES = MOST * 202, MESSAGE = 208 };
    static const uint8_t lengths[] = {0,  1,  7,  8,  9,  15, 16, 17,  31,  32,  33,
                                      47, 48, 55, 63, 64, 65, 80, 120, 128, 143, 200};
    static const uint8_t runs[] = {8, 16, 23, 24, 32, 40}, strides[] = {0, 16, 23, 16};
    static uint8_t in[BYTES], out[BYTES + 2], keys[MOST * 24], nonces[MOST * 16 + 3],
        tags[MOST * 40 + 2], one[MESSAGE], one_tag[40];
    static int64_t offsets[MOST + 1];
    static int8_t status[MOST];
    pseudo_random(keys, sizeof keys, 40);
    pseudo_random(nonces, sizeof nonces, 41);
    for (size_t z = 0; z < sizeof lengths; z++) {
        const size_t run = runs[z % sizeof runs], n = run + 9, stride = strides[z % 4];
        const size_t shift = z % 3;
        for (size_t i = 0; i < n; i++)
            offsets[i + 1] = offsets[i] + lengths[z] + (i == run);
        const size_t all = (size_t)offsets[n];
        hanji_fleet fleet = {.messages = n,
                             .offsets = offsets,
                             .input = in,
                             .output = out + 1,
                             .keys = keys + shift,
                             .key_stride = stride,
                             .nonces = nonces + shift,
                             .nonce_bytes = 16,
                             .tags = tags + 1,
                             .tag_bytes = TAG,
                             .status = status};
        pseudo_random(in, sizeof in, (unsigned)(50 + z));
        if (z % 2 != 0) {
            copy_bytes(out + 1, in, all);
            fleet.input = out + 1;
        }
        out[0] = out[1 + all] = tags[0] = tags[1 + n * TAG] = 0xaa;
        fill((uint8_t *)status, n, 0x55);
        CHECK(hanji_ascon_aead128_fleet_encrypt(&fleet) == 0);
        CHECK(out[0] == 0xaa && out[1 + all] == 0xaa && tags[0] == 0xaa);
        CHECK(tags[1 + n * TAG] == 0xaa);
        for (size_t i = 0; i < n; i++) {
            const size_t at = (size_t)offsets[i], bytes = (size_t)offsets[i + 1] - at;
            CHECK(hanji_ascon_aead128_encrypt_detached(one, one_tag, in + at, bytes, NULL, 0,
                                                       nonces + shift + 16 * i,
                                                       keys + shift + stride * i) == HANJI_OK);
            CHECK(same(one, out + 1 + at, bytes) && same(one_tag, tags + 1 + TAG * i, TAG));
            CHECK(status[i] == HANJI_OK);
        }
        const size_t bad = (7 * z + 3) % run, worse = run + 1 + z % 8;
        tags[1 + TAG * bad + z % TAG] ^= 0x80;
        tags[1 + TAG * worse + 15] ^= 1;
        fleet.input = out + 1;
        CHECK(hanji_ascon_aead128_fleet_decrypt(&fleet) == 2);
        for (size_t i = 0; i < n; i++) {
            const size_t at = (size_t)offsets[i], bytes = (size_t)offsets[i + 1] - at;
            const int wrong = i == bad || i == worse;
            CHECK(status[i] == (wrong ? HANJI_E_TAG : HANJI_OK));
            CHECK(wrong ? all_are(out + 1 + at, bytes, 0) : same(out + 1 + at, in + at, bytes));
        }
        const size_t digest = z % 4 == 3 ? 40 : 32;
        fleet.input = in;
        fleet.tag_bytes = digest;
        tags[1 + n * digest] = 0xaa;
        CHECK((digest == 32 ? hanji_ascon_hash256_fleet : hanji_ascon_xof128_fleet)(&fleet) == 0);
        CHECK(tags[0] == 0xaa && tags[1 + n * digest] == 0xaa);
        for (size_t i = 0; i < n; i++) {
            const size_t at = (size_t)offsets[i], bytes = (size_t)offsets[i + 1] - at;
            CHECK((digest == 32 ? hanji_ascon_hash256(one_tag, in + at, bytes)
                                : hanji_ascon_xof128(one_tag, digest, in + at, bytes)) == HANJI_OK);
            CHECK(same(one_tag, tags + 1 + digest * i, digest) && status[i] == HANJI_OK);
        }
    }
}

/*
 * Runs of messages of one length, with associated data of one length, behind them one message with
 * more data and one without: as each message alone, apart and in place, with arrays that end where
 * their memory does. Runs fill groups of lanes, and do not.
 */
static void fleet_runs_with_ad(void)
{
    enum { MOST = 68, TEXT = 130, DATA = 150 };
    static const uint8_t runs[] = {16, 17, 18, 19, 23, 24, 25, 41, 42, 47, 48, 66};
    static const uint8_t texts[] = {0, 5, 16, 63, 64, 65, 130}, strides[] = {16, 0, 21},
                         lengths[] = {1, 8, 15, 16, 17, 32, 40, 63, 64, 65, 96, 128, 143, 0};
    static uint8_t in[MOST * TEXT], out[MOST * TEXT + 1], ads[MOST * DATA], keys[MOST * 24],
        nonces[MOST * 16], tags[MOST * TAG + 1], one[TEXT], one_tag[TAG];
    static int64_t offsets[MOST + 1], ad_offsets[MOST + 1];
    static int8_t status[MOST];
    pseudo_random(keys, sizeof keys, 80);
    pseudo_random(nonces, sizeof nonces, 81);
    pseudo_random(ads, sizeof ads, 82);
    pseudo_random(in, sizeof in, 83);
    for (size_t z = 0; z < 2 * sizeof runs * sizeof texts; z++) {
        const size_t run = runs[z % sizeof runs], odd = z % 3, n = run + odd,
                     text = texts[z % sizeof texts], data = lengths[(z + z / 7) % sizeof lengths],
                     stride = strides[z % 5 % 3];
        for (size_t i = 0; i < n; i++) {
            const size_t here = i == run ? data + 3 : i == run + 1 ? 0 : data;
            const size_t shorter = z % 4 == 3 && text > 0 && i % 5 == 2; /* then texts are ragged */
            offsets[i + 1] = offsets[i] + (int64_t)(text - shorter);
            ad_offsets[i + 1] = ad_offsets[i] + (int64_t)here;
        }
        const size_t all = (size_t)offsets[n], used = (n - 1) * stride + 16;
        const uint8_t *const all_keys = keys + sizeof keys - used,
                             *const all_nonces = nonces + sizeof nonces - 16 * n,
                             *const all_ads = ads + sizeof ads - (size_t)ad_offsets[n];
        uint8_t *const all_tags = tags + sizeof tags - 1 - TAG * n, *const text_out =
                                                                        out + sizeof out - 1 - all;
        const uint8_t *const text_in = in + sizeof in - all;
        hanji_fleet fleet = {.messages = n,
                             .offsets = offsets,
                             .input = text_in,
                             .output = text_out,
                             .ad_offsets = ad_offsets,
                             .ad = all_ads,
                             .keys = all_keys,
                             .key_stride = stride,
                             .nonces = all_nonces,
                             .nonce_bytes = 16,
                             .tags = all_tags,
                             .tag_bytes = TAG,
                             .status = status};
        if (z % 2 != 0) {
            copy_bytes(text_out, text_in, all);
            fleet.input = text_out;
        }
        out[sizeof out - 1] = tags[sizeof tags - 1] = 0xaa;
        fill((uint8_t *)status, n, 0x55);
        CHECK(hanji_ascon_aead128_fleet_encrypt(&fleet) == 0);
        CHECK(out[sizeof out - 1] == 0xaa && tags[sizeof tags - 1] == 0xaa);
        for (size_t i = 0; i < n; i++) {
            const size_t at = (size_t)offsets[i], bytes = (size_t)offsets[i + 1] - at;
            CHECK(hanji_ascon_aead128_encrypt_detached(
                      one, one_tag, text_in + at, bytes, all_ads + ad_offsets[i],
                      (size_t)(ad_offsets[i + 1] - ad_offsets[i]), all_nonces + 16 * i,
                      all_keys + stride * i) == HANJI_OK);
            CHECK(same(one, text_out + at, bytes) && same(one_tag, all_tags + TAG * i, TAG));
            CHECK(status[i] == HANJI_OK);
        }
        /* one forged tag, and other data of the last message */
        const size_t bad = (5 * z + 3) % (n - 1);
        all_tags[TAG * bad + z % TAG] ^= 0x40;
        const int other = data > 0 && odd == 0;
        if (other)
            ads[sizeof ads - 1] ^= 1;
        fleet.input = text_out;
        CHECK(hanji_ascon_aead128_fleet_decrypt(&fleet) == 1 + other);
        for (size_t i = 0; i < n; i++) {
            const size_t at = (size_t)offsets[i], bytes = (size_t)offsets[i + 1] - at;
            const int wrong = i == bad || (other && i == n - 1);
            CHECK(status[i] == (wrong ? HANJI_E_TAG : HANJI_OK));
            CHECK(wrong ? all_are(text_out + at, bytes, 0)
                        : same(text_out + at, text_in + at, bytes));
        }
        if (other)
            ads[sizeof ads - 1] ^= 1;
    }
}

/* Without a text the arrays of texts may be NULL; keys and nonces still make tags. */
static void fleet_of_nothing(void)
{
    enum { N = 25 };
    static const int64_t offsets[N + 1] = {0};
    static int8_t status[N];
    pseudo_random(a, sizeof a, 32);
    hanji_fleet fleet = {.messages = N,
                         .offsets = offsets,
                         .keys = a,
                         .key_stride = 16,
                         .nonces = a + 1024,
                         .nonce_bytes = 16,
                         .tags = b,
                         .tag_bytes = TAG,
                         .status = status};
    CHECK(hanji_ascon_aead128_fleet_encrypt(&fleet) == 0);
    for (size_t i = 0; i < N; i++) {
        CHECK(hanji_ascon_aead128_encrypt(c, NULL, 0, NULL, 0, a + 1024 + 16 * i, a + 16 * i) ==
              HANJI_OK);
        CHECK(same(b + TAG * i, c, TAG));
    }
    CHECK(hanji_ascon_aead128_fleet_decrypt(&fleet) == 0);
    b[TAG * 24] ^= 1;
    CHECK(hanji_ascon_aead128_fleet_decrypt(&fleet) == 1 && status[24] == HANJI_E_TAG);
    fleet.tag_bytes = 32;
    CHECK(hanji_ascon_hash256_fleet(&fleet) == 0);
    CHECK(hanji_ascon_hash256(c, NULL, 0) == HANJI_OK && same(b + 32 * 20, c, 32));
}

/* Every bit of ciphertext, tag, nonce and key: half of the messages of a fleet are forged. */
static void fleet_forgeries(void)
{
    enum { N = 24, SIZE = 21, ALL = 8 * (SIZE + TAG + 16 + 16) };
    static uint8_t sealed[N * SIZE], tags[N * TAG], opened[N * SIZE];
    static int64_t offsets[N + 1];
    static int8_t status[N];
    uint8_t *const texts = a, *const keys = a + 1024, *const nonces = b;
    pseudo_random(a, sizeof a, 60);
    pseudo_random(b, sizeof b, 61);
    for (size_t i = 0; i < N; i++)
        offsets[i + 1] = offsets[i] + SIZE;
    hanji_fleet fleet = {.messages = N,
                         .offsets = offsets,
                         .input = texts,
                         .output = sealed,
                         .keys = keys,
                         .key_stride = 16,
                         .nonces = nonces,
                         .nonce_bytes = 16,
                         .tags = tags,
                         .tag_bytes = TAG,
                         .status = status};
    CHECK(hanji_ascon_aead128_fleet_encrypt(&fleet) == 0);
    fleet.input = sealed;
    fleet.output = opened;
    for (size_t first = 0; first < ALL; first += N / 2) {
        for (int after = 0; after < 2; after++) { /* change the bits, open; change them back */
            for (size_t i = 0; i < N / 2 && first + i < ALL; i++) {
                const size_t m = 2 * i + first / (N / 2) % 2, byte = (first + i) / 8;
                const uint8_t bit = (uint8_t)(1 << (first + i) % 8);
                uint8_t *part = byte < SIZE              ? sealed + SIZE * m + byte
                                : byte < SIZE + TAG      ? tags + TAG * m + (byte - SIZE)
                                : byte < SIZE + TAG + 16 ? nonces + 16 * m + (byte - SIZE - TAG)
                                                         : keys + 16 * m + (byte - SIZE - TAG - 16);
                *part ^= bit;
                if (after != 0)
                    CHECK(status[m] == HANJI_E_TAG && all_are(opened + SIZE * m, SIZE, 0));
            }
            if (after == 0) {
                const int64_t forged = ALL - first < N / 2 ? (int64_t)(ALL - first) : N / 2;
                CHECK(hanji_ascon_aead128_fleet_decrypt(&fleet) == forged);
                for (size_t i = 0; i < N; i++)
                    CHECK(status[i] == HANJI_E_TAG ||
                          same(opened + SIZE * i, texts + SIZE * i, SIZE));
            }
        }
    }
    CHECK(hanji_ascon_aead128_fleet_decrypt(&fleet) == 0);
}

/* An output one byte off its input, tags within texts, and two arrays in one place. */
static void fleet_places(void)
{
    enum { N = 24, SIZE = 16 };
    static int64_t offsets[N + 1];
    static int8_t status[N];
    for (size_t i = 0; i < N; i++)
        offsets[i + 1] = offsets[i] + SIZE;
    pseudo_random(a, sizeof a, 62);
    hanji_fleet fleet = {.messages = N,
                         .offsets = offsets,
                         .input = a,
                         .output = a,
                         .keys = b,
                         .key_stride = 16,
                         .nonces = b, /* the same array is read twice: allowed */
                         .nonce_bytes = 16,
                         .tags = c,
                         .tag_bytes = TAG,
                         .status = status};
    CHECK(hanji_ascon_aead128_fleet_encrypt(&fleet) == 0);
    CHECK(hanji_ascon_aead128_fleet_decrypt(&fleet) == 0);
    fill(c, sizeof c, 0xaa);
    fleet.output = a + 1;
    CHECK(hanji_ascon_aead128_fleet_encrypt(&fleet) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_aead128_fleet_decrypt(&fleet) == HANJI_E_ARGUMENT);
    fleet.input = a + 1;
    fleet.output = a;
    CHECK(hanji_ascon_aead128_fleet_encrypt(&fleet) == HANJI_E_ARGUMENT);
    fleet.input = a;
    fleet.tags = a + N * SIZE - 1;
    CHECK(hanji_ascon_aead128_fleet_encrypt(&fleet) == HANJI_E_ARGUMENT);
    CHECK(hanji_ascon_hash256_fleet(&fleet) == HANJI_E_LENGTH);
    fleet.tags = b + N * 16 - 1;
    CHECK(hanji_ascon_aead128_fleet_encrypt(&fleet) == HANJI_E_ARGUMENT);
    fleet.tags = c;
    fleet.key_stride = 15;
    CHECK(hanji_ascon_aead128_fleet_encrypt(&fleet) == HANJI_E_LENGTH);
    CHECK(all_are(c, N * TAG, 0xaa));
}

int main(void)
{
    static const test_case cases[] = {
        {"sizes", sizes},
        {"tag lengths", tag_lengths},
        {"masks", masks},
        {"limits", limits},
        {"places", places},
        {"keyed pieces", keyed_pieces},
        {"keyed refused", keyed_refused},
        {"hash of every split", hash_of_every_split},
        {"output of every split", output_of_every_split},
        {"customization", customization},
        {"permutation", permutation},
        {"fleet limit", fleet_limit},
        {"fleet customization", fleet_customization},
        {"fleet runs", fleet_runs},
        {"fleet runs with ad", fleet_runs_with_ad},
        {"fleet of nothing", fleet_of_nothing},
        {"fleet forgeries", fleet_forgeries},
        {"fleet places", fleet_places},
    };
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
