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
    };
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
