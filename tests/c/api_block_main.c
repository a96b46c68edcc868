/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Block ciphers, CTR, CMAC and EAX: sizes, refusals, lengths, alignment, data limits, counters.
 * Values are checked by the vectors.
 */
#include "check.h"
#include "hanji/hanji.h"

static hanji_any_block_ctx key;
static uint8_t a[4352], b[4352], c[4352];

/* Key the cipher with pseudo-random bytes and lift its limit. */
static int open_key(const hanji_cipher *cipher)
{
    uint8_t bytes[HANJI_BLOCK_KEY_BYTES_MAX];
    pseudo_random(bytes, sizeof bytes, 7);
    case_context = hanji_cipher_name(cipher);
    return hanji_block_init(bytes, hanji_cipher_key_bytes(cipher), cipher, &key.head, sizeof key) ==
               HANJI_OK &&
           hanji_block_set_limit(UINT64_MAX, &key.head) == HANJI_OK;
}

static int has_modes(const hanji_cipher *cipher)
{
    return hanji_cipher_block_bytes(cipher) == 8 || hanji_cipher_block_bytes(cipher) == 16;
}

#define EACH_CIPHER(cipher)            \
    const hanji_cipher *cipher = NULL; \
    for (size_t cipher##_at = 0; (cipher = hanji_cipher_at(cipher##_at)) != NULL; cipher##_at++)

/* Sizes */

static size_t ciphers_named;

#define SIZES(function, macro, text, type)                                    \
    do {                                                                      \
        const hanji_cipher *cipher = function();                              \
        ciphers_named++;                                                      \
        case_context = text;                                                  \
        CHECK(hanji_cipher_find(text) == cipher);                             \
        CHECK(text_equal(hanji_cipher_name(cipher), text));                   \
        CHECK(hanji_cipher_block_bytes(cipher) == macro##_BLOCK_BYTES);       \
        CHECK(hanji_cipher_key_bytes(cipher) == macro##_KEY_BYTES);           \
        CHECK(hanji_cipher_ctx_bytes(cipher) == sizeof(type));                \
        CHECK(hanji_cipher_ctx_bytes(cipher) <= sizeof(hanji_any_block_ctx)); \
        CHECK(macro##_BLOCK_BYTES <= HANJI_BLOCK_BYTES_MAX);                  \
        CHECK(macro##_KEY_BYTES <= HANJI_BLOCK_KEY_BYTES_MAX);                \
    } while (0)

static void sizes(void)
{
    SIZES(hanji_speck32_64, HANJI_SPECK32_64, "speck-32/64", hanji_speck32_64_ctx);
    SIZES(hanji_speck48_72, HANJI_SPECK48_72, "speck-48/72", hanji_speck48_72_ctx);
    SIZES(hanji_speck48_96, HANJI_SPECK48_96, "speck-48/96", hanji_speck48_96_ctx);
    SIZES(hanji_speck64_96, HANJI_SPECK64_96, "speck-64/96", hanji_speck64_96_ctx);
    SIZES(hanji_speck64_128, HANJI_SPECK64_128, "speck-64/128", hanji_speck64_128_ctx);
    SIZES(hanji_speck96_96, HANJI_SPECK96_96, "speck-96/96", hanji_speck96_96_ctx);
    SIZES(hanji_speck96_144, HANJI_SPECK96_144, "speck-96/144", hanji_speck96_144_ctx);
    SIZES(hanji_speck128_128, HANJI_SPECK128_128, "speck-128/128", hanji_speck128_128_ctx);
    SIZES(hanji_speck128_192, HANJI_SPECK128_192, "speck-128/192", hanji_speck128_192_ctx);
    SIZES(hanji_speck128_256, HANJI_SPECK128_256, "speck-128/256", hanji_speck128_256_ctx);
    SIZES(hanji_simon32_64, HANJI_SIMON32_64, "simon-32/64", hanji_simon32_64_ctx);
    SIZES(hanji_simon48_72, HANJI_SIMON48_72, "simon-48/72", hanji_simon48_72_ctx);
    SIZES(hanji_simon48_96, HANJI_SIMON48_96, "simon-48/96", hanji_simon48_96_ctx);
    SIZES(hanji_simon64_96, HANJI_SIMON64_96, "simon-64/96", hanji_simon64_96_ctx);
    SIZES(hanji_simon64_128, HANJI_SIMON64_128, "simon-64/128", hanji_simon64_128_ctx);
    SIZES(hanji_simon96_96, HANJI_SIMON96_96, "simon-96/96", hanji_simon96_96_ctx);
    SIZES(hanji_simon96_144, HANJI_SIMON96_144, "simon-96/144", hanji_simon96_144_ctx);
    SIZES(hanji_simon128_128, HANJI_SIMON128_128, "simon-128/128", hanji_simon128_128_ctx);
    SIZES(hanji_simon128_192, HANJI_SIMON128_192, "simon-128/192", hanji_simon128_192_ctx);
    SIZES(hanji_simon128_256, HANJI_SIMON128_256, "simon-128/256", hanji_simon128_256_ctx);
    SIZES(hanji_simeck32_64, HANJI_SIMECK32_64, "simeck-32/64", hanji_simeck32_64_ctx);
    SIZES(hanji_simeck48_96, HANJI_SIMECK48_96, "simeck-48/96", hanji_simeck48_96_ctx);
    SIZES(hanji_simeck64_128, HANJI_SIMECK64_128, "simeck-64/128", hanji_simeck64_128_ctx);
    SIZES(hanji_cham64_128, HANJI_CHAM64_128, "cham-64/128", hanji_cham64_128_ctx);
    SIZES(hanji_cham64_128_original, HANJI_CHAM64_128, "cham-64/128-original",
          hanji_cham64_128_ctx);
    SIZES(hanji_cham128_128, HANJI_CHAM128_128, "cham-128/128", hanji_cham128_128_ctx);
    SIZES(hanji_cham128_128_original, HANJI_CHAM128_128, "cham-128/128-original",
          hanji_cham128_128_ctx);
    SIZES(hanji_cham128_256, HANJI_CHAM128_256, "cham-128/256", hanji_cham128_256_ctx);
    SIZES(hanji_cham128_256_original, HANJI_CHAM128_256, "cham-128/256-original",
          hanji_cham128_256_ctx);
    case_context = "the list";
    CHECK(hanji_cipher_count() == ciphers_named);
    CHECK(hanji_cipher_at(hanji_cipher_count()) == NULL);
    CHECK(hanji_cipher_find("speck-64/129") == NULL);
    CHECK(hanji_cipher_find("") == NULL);
    CHECK(hanji_cipher_find("speck-64/12") == NULL);
}

static void limits_by_block_size(void)
{
    EACH_CIPHER (cipher) {
        case_context = hanji_cipher_name(cipher);
        const size_t block = hanji_cipher_block_bytes(cipher);
        const unsigned log2 = block == 4    ? 6
                              : block == 6  ? 14
                              : block == 8  ? 20
                              : block == 12 ? 38
                                            : 48;
        CHECK(hanji_cipher_limit(cipher) == (uint64_t)1 << log2);
    }
}

/* Keys */

static void keys_refused(void)
{
    uint8_t bytes[64] = {1};
    EACH_CIPHER (cipher) {
        case_context = hanji_cipher_name(cipher);
        const size_t n = hanji_cipher_key_bytes(cipher), context = hanji_cipher_ctx_bytes(cipher);
        for (size_t wrong = 0; wrong <= 40; wrong++)
            if (wrong != n) {
                fill(&key, sizeof key, 0x55);
                CHECK(hanji_block_init(bytes, wrong, cipher, &key.head, sizeof key) ==
                      HANJI_E_LENGTH);
                CHECK(all_are(&key, context, 0));
            }
        CHECK(hanji_block_init(NULL, n, cipher, &key.head, sizeof key) == HANJI_E_ARGUMENT);
        CHECK(hanji_block_init(bytes, n, NULL, &key.head, sizeof key) == HANJI_E_ARGUMENT);
        CHECK(hanji_block_init(bytes, n, cipher, NULL, sizeof key) == HANJI_E_ARGUMENT);
        fill(&key, sizeof key, 0x55);
        CHECK(hanji_block_init(bytes, n, cipher, &key.head, context - 1) == HANJI_E_LENGTH);
        CHECK(all_are(&key, sizeof key, 0x55));
        CHECK(hanji_block_init(bytes, n, cipher, &key.head, context) == HANJI_OK);
        CHECK(all_are((uint8_t *)&key + context, sizeof key - context, 0x55));
        hanji_block_wipe(&key.head);
        CHECK(all_are(&key, context, 0));
    }
    hanji_block_wipe(NULL);
}

/* Arrays of blocks */

static void blocks_of_every_count(void)
{
    EACH_CIPHER (cipher) {
        CHECK(open_key(cipher));
        const size_t block = hanji_cipher_block_bytes(cipher);
        pseudo_random(a, sizeof a, 1);
        for (size_t i = 0; i < 140; i++)
            CHECK(hanji_block_encrypt(b + i * block, a + i * block, 1, &key.head) == HANJI_OK);
        for (size_t count = 0; count <= 140; count += count < 70 ? 1 : 7)
            for (size_t shift = 0; shift < 3; shift++) {
                /* aligned, input odd, output odd */
                const size_t in = shift == 1 ? 1 : 0, out = shift == 2 ? 3 : 0;
                static uint8_t input[4096], output[4096];
                copy_bytes(input + in, a, count * block);
                fill(output, sizeof output, 0xaa);
                CHECK(hanji_block_encrypt(output + out, input + in, count, &key.head) == HANJI_OK);
                CHECK(same(output + out, b, count * block));
                CHECK(all_are(output, out, 0xaa));
                CHECK(all_are(output + out + count * block, 64, 0xaa));
                CHECK(same(input + in, a, count * block));
                CHECK(hanji_block_decrypt(output + out, output + out, count, &key.head) ==
                      HANJI_OK);
                CHECK(same(output + out, a, count * block));
                CHECK(all_are(output + out + count * block, 64, 0xaa));
            }
    }
}

static void blocks_refused(void)
{
    EACH_CIPHER (cipher) {
        CHECK(open_key(cipher));
        const size_t block = hanji_cipher_block_bytes(cipher);
        int (*const functions[2])(uint8_t *, const uint8_t *, size_t, const hanji_block_ctx *) = {
            hanji_block_encrypt, hanji_block_decrypt};
        for (int f = 0; f < 2; f++) {
            CHECK(functions[f](NULL, NULL, 0, &key.head) == HANJI_OK);
            CHECK(functions[f](NULL, a, 1, &key.head) == HANJI_E_ARGUMENT);
            CHECK(functions[f](b, NULL, 1, &key.head) == HANJI_E_ARGUMENT);
            CHECK(functions[f](b, a, 1, NULL) == HANJI_E_ARGUMENT);
            pseudo_random(a, 1024, 3);
            copy_bytes(b, a, 1024);
            CHECK(functions[f](a + 1, a, 3, &key.head) == HANJI_E_ARGUMENT);
            CHECK(functions[f](a, a + 1, 3, &key.head) == HANJI_E_ARGUMENT);
            CHECK(functions[f](a + 3 * block - 1, a, 3, &key.head) == HANJI_E_ARGUMENT);
            CHECK(same(a, b, 1024));
            CHECK(functions[f](a + 3 * block, a, 3, &key.head) == HANJI_OK);
        }
        hanji_block_ctx empty = {0};
        CHECK(hanji_block_encrypt(b, a, 1, &empty) == HANJI_E_ARGUMENT);
    }
}

/* CTR */

/* What CTR must give, from single blocks and a counter of our own. */
static void expected_ctr(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *iv)
{
    const size_t block = hanji_cipher_block_bytes(key.head.cipher);
    uint8_t counter[16], stream[16];
    copy_bytes(counter, iv, block);
    for (size_t at = 0; at < bytes; at += block) {
        CHECK(hanji_block_encrypt(stream, counter, 1, &key.head) == HANJI_OK);
        for (size_t i = 0; i < block && at + i < bytes; i++)
            out[at + i] = in[at + i] ^ stream[i];
        for (size_t i = block; i-- > 0 && ++counter[i] == 0;)
            continue;
    }
}

static void ctr_of_every_length_and_split(void)
{
    EACH_CIPHER (cipher) {
        CHECK(open_key(cipher));
        const size_t block = hanji_cipher_block_bytes(cipher);
        uint8_t iv[16];
        hanji_ctr_ctx ctr;
        pseudo_random(iv, 16, 5);
        pseudo_random(a, sizeof a, 6);
        expected_ctr(b, a, 2000, iv);
        for (size_t n = 0; n <= 5 * block + 3; n++)
            for (size_t cut = 0; cut <= n; cut++) {
                fill(c, n + 32, 0xaa);
                CHECK(hanji_ctr_init(iv, block, &key.head, &ctr) == HANJI_OK);
                CHECK(hanji_ctr_update(c, a, cut, &ctr) == HANJI_OK);
                CHECK(hanji_ctr_update(c + cut, a + cut, n - cut, &ctr) == HANJI_OK);
                CHECK(same(c, b, n));
                CHECK(all_are(c + n, 32, 0xaa));
            }
        for (size_t n = 100; n <= 2000; n += 37) { /* wide kernels, odd starts */
            copy_bytes(c, a, n);
            CHECK(hanji_ctr_init(iv, block, &key.head, &ctr) == HANJI_OK);
            CHECK(hanji_ctr_update(c, c, n % 23, &ctr) == HANJI_OK);
            CHECK(hanji_ctr_update(c + n % 23, c + n % 23, n - n % 23, &ctr) == HANJI_OK);
            CHECK(same(c, b, n));
        }
        hanji_ctr_wipe(&ctr);
        CHECK(all_are(&ctr, sizeof ctr, 0));
        CHECK(hanji_ctr_update(c, a, 1, &ctr) == HANJI_E_ARGUMENT);
    }
}

/*
 * The counter is the whole block: carries at bit 32 and 64 and the wrap at the top, from several
 * blocks before.
 */
static void ctr_carries_and_wraps(void)
{
    EACH_CIPHER (cipher) {
        CHECK(open_key(cipher));
        const size_t block = hanji_cipher_block_bytes(cipher);
        const size_t ones[] = {1, 2, 3, 4, 6, 8, 12, 16};
        pseudo_random(a, sizeof a, 6);
        for (size_t i = 0; i < sizeof ones / sizeof ones[0] && ones[i] <= block; i++)
            for (unsigned before = 0; before < 70; before += before < 4 ? 1 : 13) {
                uint8_t iv[16];
                hanji_ctr_ctx ctr;
                pseudo_random(iv, 16, 9);
                fill(iv + block - ones[i], ones[i], 0xff);
                iv[block - 1] = (uint8_t)(0xff - before);
                const size_t n = 80 * block + 1;
                expected_ctr(b, a, n, iv);
                CHECK(hanji_ctr_init(iv, block, &key.head, &ctr) == HANJI_OK);
                CHECK(hanji_ctr_update(c, a, n, &ctr) == HANJI_OK);
                CHECK(same(c, b, n));
            }
    }
}

/*
 * One call gives the bytes of three, of portable C, on every tier: every short length and some
 * longer, at any address, in place, from counters about to carry, and writes nothing else.
 */
static void ctr_in_one_call(void)
{
    EACH_CIPHER (cipher) {
        const size_t block = hanji_cipher_block_bytes(cipher),
                     key_bytes = hanji_cipher_key_bytes(cipher);
        const size_t most = block == 4 ? 64 * 4 : 4200;
        uint8_t iv[16], bytes[HANJI_BLOCK_KEY_BYTES_MAX];
        pseudo_random(bytes, sizeof bytes, 7); /* the key of open_key() */
        pseudo_random(a, sizeof a, 6);
        for (size_t ones = 0; ones <= block; ones += ones < 4 ? 4 : 8) {
            pseudo_random(iv, 16, 5);
            fill(iv + block - ones, ones, 0xff);
            CHECK(hanji_force("portable") == HANJI_OK);
            CHECK(open_key(cipher));
            expected_ctr(b, a, most, iv);
            for (size_t tier = 0; hanji_tier_name(tier) != NULL; tier++) {
                if (hanji_tier_state(tier) == 0)
                    continue;
                CHECK(hanji_force(hanji_tier_name(tier)) == HANJI_OK);
                for (size_t n = 0; n <= most; n += n < 140 ? 1 : 59) {
                    uint8_t *out = c + n % 7;
                    fill(c, n + 40, 0xaa);
                    CHECK(hanji_ctr(out, a, n, iv, block, bytes, key_bytes, cipher) == HANJI_OK);
                    CHECK(same(out, b, n));
                    CHECK(all_are(c, n % 7, 0xaa));
                    CHECK(all_are(out + n, 32, 0xaa));
                    copy_bytes(out, a, n);
                    CHECK(hanji_ctr(out, out, n, iv, block, bytes, key_bytes, cipher) == HANJI_OK);
                    CHECK(same(out, b, n));
                }
            }
        }
        CHECK(hanji_force(NULL) == HANJI_OK);
    }
}

static void ctr_in_one_call_refused(void)
{
    EACH_CIPHER (cipher) {
        const size_t block = hanji_cipher_block_bytes(cipher),
                     key_bytes = hanji_cipher_key_bytes(cipher);
        uint8_t iv[40] = {0}, bytes[40] = {1}, kept[256];
        case_context = hanji_cipher_name(cipher);
        pseudo_random(a, 256, 4);
        copy_bytes(kept, a, 256);
        fill(c, 256, 0xaa);
        for (size_t n = 1; n <= 200; n += 199) { /* what is short has checks of its own */
            for (size_t wrong = 0; wrong < 40; wrong++) {
                if (wrong != block)
                    CHECK(hanji_ctr(c, a, n, iv, wrong, bytes, key_bytes, cipher) ==
                          HANJI_E_LENGTH);
                if (wrong != key_bytes)
                    CHECK(hanji_ctr(c, a, n, iv, block, bytes, wrong, cipher) == HANJI_E_LENGTH);
            }
            CHECK(hanji_ctr(NULL, a, n, iv, block, bytes, key_bytes, cipher) == HANJI_E_ARGUMENT);
            CHECK(hanji_ctr(c, NULL, n, iv, block, bytes, key_bytes, cipher) == HANJI_E_ARGUMENT);
            CHECK(hanji_ctr(c, a, n, NULL, block, bytes, key_bytes, cipher) == HANJI_E_ARGUMENT);
            CHECK(hanji_ctr(c, a, n, iv, block, NULL, key_bytes, cipher) == HANJI_E_ARGUMENT);
            CHECK(hanji_ctr(c, a, n, iv, block, bytes, key_bytes, NULL) == HANJI_E_ARGUMENT);
            /* the last byte of the output is the first of the nonce, or of the key; and reversed */
            CHECK(hanji_ctr(a, a, n, a + n - 1, block, bytes, key_bytes, cipher) ==
                  HANJI_E_ARGUMENT);
            CHECK(hanji_ctr(a, a, n, iv, block, a + n - 1, key_bytes, cipher) == HANJI_E_ARGUMENT);
            CHECK(hanji_ctr(a + block - 1, c, n, a, block, bytes, key_bytes, cipher) ==
                  HANJI_E_ARGUMENT);
            CHECK(hanji_ctr(a + key_bytes - 1, c, n, iv, block, a, key_bytes, cipher) ==
                  HANJI_E_ARGUMENT);
        }
        CHECK(hanji_ctr(a + 1, a, 64, iv, block, bytes, key_bytes, cipher) == HANJI_E_ARGUMENT);
        CHECK(hanji_ctr(a, a + 63, 64, iv, block, bytes, key_bytes, cipher) == HANJI_E_ARGUMENT);
        CHECK(hanji_ctr(NULL, NULL, 0, iv, block, bytes, key_bytes, cipher) == HANJI_OK);
        if (block == 4) { /* the smallest limit is 64 blocks */
            CHECK(hanji_ctr(c, a, 64 * 4 + 1, iv, block, bytes, key_bytes, cipher) ==
                  HANJI_E_LIMIT);
            CHECK(all_are(c, 256, 0xaa));
            CHECK(hanji_ctr(c, a, 64 * 4, iv, block, bytes, key_bytes, cipher) == HANJI_OK);
            fill(c, 256, 0xaa);
        }
        CHECK(same(a, kept, 256));
        CHECK(all_are(c, 256, 0xaa));
    }
}

static void ctr_refused(void)
{
    EACH_CIPHER (cipher) {
        CHECK(open_key(cipher));
        const size_t block = hanji_cipher_block_bytes(cipher);
        uint8_t iv[40] = {0};
        hanji_ctr_ctx ctr;
        for (size_t wrong = 0; wrong < 40; wrong++)
            if (wrong != block)
                CHECK(hanji_ctr_init(iv, wrong, &key.head, &ctr) == HANJI_E_LENGTH);
        CHECK(hanji_ctr_init(NULL, block, &key.head, &ctr) == HANJI_E_ARGUMENT);
        CHECK(hanji_ctr_init(iv, block, NULL, &ctr) == HANJI_E_ARGUMENT);
        CHECK(hanji_ctr_init(iv, block, &key.head, NULL) == HANJI_E_ARGUMENT);
        CHECK(hanji_ctr_init(iv, block, &key.head, &ctr) == HANJI_OK);
        CHECK(hanji_ctr_update(NULL, NULL, 0, &ctr) == HANJI_OK);
        CHECK(hanji_ctr_update(NULL, a, 1, &ctr) == HANJI_E_ARGUMENT);
        CHECK(hanji_ctr_update(b, NULL, 1, &ctr) == HANJI_E_ARGUMENT);
        CHECK(hanji_ctr_update(b, a, 1, NULL) == HANJI_E_ARGUMENT);
        copy_bytes(b, a, 256);
        CHECK(hanji_ctr_update(a + 1, a, 64, &ctr) == HANJI_E_ARGUMENT);
        CHECK(hanji_ctr_update(a, a + 63, 64, &ctr) == HANJI_E_ARGUMENT);
        CHECK(same(a, b, 256));
        pseudo_random(a, 256, 4);
        expected_ctr(b, a, 100, iv); /* refusals have not moved the stream */
        CHECK(hanji_ctr_update(c, a, 100, &ctr) == HANJI_OK);
        CHECK(same(c, b, 100));
    }
}

/*
 * The exact boundary: the last allowed block is given to its last byte, the next is not begun, and
 * nothing is written.
 */
static void ctr_keeps_the_limit(void)
{
    EACH_CIPHER (cipher) {
        CHECK(open_key(cipher));
        const size_t block = hanji_cipher_block_bytes(cipher);
        uint8_t iv[16] = {1};
        hanji_ctr_ctx ctr, second;
        pseudo_random(a, sizeof a, 6);
        expected_ctr(b, a, 80 * block, iv);
        CHECK(hanji_block_set_limit(64, &key.head) == HANJI_OK);
        CHECK(hanji_block_remaining(&key.head) == 64);
        CHECK(hanji_ctr_init(iv, block, &key.head, &ctr) == HANJI_OK);
        fill(c, sizeof c, 0xaa);
        CHECK(hanji_ctr_update(c, a, 64 * block + 1, &ctr) == HANJI_E_LIMIT);
        CHECK(all_are(c, sizeof c, 0xaa));
        CHECK(hanji_block_remaining(&key.head) == 64);
        CHECK(hanji_ctr_update(c, a, 63 * block + 1, &ctr) == HANJI_OK);
        CHECK(hanji_block_remaining(&key.head) == 0);
        CHECK(hanji_ctr_update(c + 63 * block + 1, a + 63 * block + 1, block, &ctr) ==
              HANJI_E_LIMIT);
        CHECK(all_are(c + 63 * block + 1, 2 * block, 0xaa));
        CHECK(hanji_ctr_update(c + 63 * block + 1, a + 63 * block + 1, block - 1, &ctr) ==
              HANJI_OK);
        CHECK(same(c, b, 64 * block));
        CHECK(hanji_ctr_update(c, a, 1, &ctr) == HANJI_E_LIMIT);
        CHECK(hanji_ctr_update(NULL, NULL, 0, &ctr) == HANJI_OK);
        /* another stream under the same key */
        CHECK(hanji_ctr_init(iv, block, &key.head, &second) == HANJI_OK);
        CHECK(hanji_ctr_update(c, a, 1, &second) == HANJI_E_LIMIT);
        CHECK(hanji_block_set_limit(65, &key.head) == HANJI_OK);
        CHECK(hanji_ctr_update(c + 64 * block, a + 64 * block, block, &ctr) == HANJI_OK);
        CHECK(same(c, b, 65 * block));
    }
}

/* A fresh key has the limit of its block size; for 32-bit blocks it can be reached here. */
static void the_default_limit_holds(void)
{
    uint8_t bytes[8] = {1}, iv[4] = {0};
    hanji_ctr_ctx ctr;
    case_context = "speck-32/64";
    CHECK(hanji_block_init(bytes, 8, hanji_speck32_64(), &key.head, sizeof key) == HANJI_OK);
    CHECK(hanji_ctr_init(iv, 4, &key.head, &ctr) == HANJI_OK);
    CHECK(hanji_ctr_update(b, a, 257, &ctr) == HANJI_E_LIMIT);
    CHECK(hanji_ctr_update(b, a, 256, &ctr) == HANJI_OK);
    CHECK(hanji_ctr_update(b, a, 1, &ctr) == HANJI_E_LIMIT);
}

/*
 * No counter block is used twice: a stream ends when the counter has run through all values. Its
 * 2^32 blocks are not run here: the count left is set.
 */
static void ctr_ends_before_the_counter_repeats(void)
{
    CHECK(open_key(hanji_simon32_64()));
    uint8_t iv[4] = {9};
    hanji_ctr_ctx ctr;
    CHECK(hanji_ctr_init(iv, 4, &key.head, &ctr) == HANJI_OK);
    CHECK(ctr.counters_left == (uint64_t)1 << 32);
    CHECK(hanji_ctr_update(b, a, 9, &ctr) == HANJI_OK);
    CHECK(ctr.counters_left == ((uint64_t)1 << 32) - 3);
    ctr.counters_left = 2;
    fill(b, 64, 0xaa);
    /* 3 bytes of the block begun, 2 blocks, and one byte more */
    CHECK(hanji_ctr_update(b, a, 12, &ctr) == HANJI_E_LIMIT);
    CHECK(all_are(b, 64, 0xaa));
    CHECK(hanji_ctr_update(b, a, 11, &ctr) == HANJI_OK);
    CHECK(hanji_ctr_update(b, a, 1, &ctr) == HANJI_E_LIMIT);
}

/* CMAC */

static void cmac_of_every_length_and_split(void)
{
    EACH_CIPHER (cipher) {
        CHECK(open_key(cipher));
        const size_t block = hanji_cipher_block_bytes(cipher);
        uint8_t tag[16], other[17];
        hanji_cmac_ctx cmac;
        if (!has_modes(cipher)) {
            CHECK(hanji_cmac_init(&key.head, &cmac) == HANJI_E_LENGTH);
            CHECK(hanji_cmac(tag, block, a, 1, &key.head) == HANJI_E_LENGTH);
            continue;
        }
        pseudo_random(a, 256, 2);
        CHECK(hanji_cmac_init(&key.head, &cmac) == HANJI_OK);
        for (size_t n = 0; n <= 3 * block + 2; n++) {
            CHECK(hanji_cmac(tag, block, a, n, &key.head) == HANJI_OK);
            for (size_t cut = 0; cut <= n; cut++) {
                CHECK(hanji_cmac_update(a, cut, &cmac) == HANJI_OK);
                CHECK(hanji_cmac_update(a + cut, n - cut, &cmac) == HANJI_OK);
                CHECK(hanji_cmac_final(other, block, &cmac) == HANJI_OK);
                CHECK(same(tag, other, block));
            }
        }
        for (size_t short_tag = 1; short_tag <= block; short_tag++) {
            CHECK(hanji_cmac(tag, block, a, 10, &key.head) == HANJI_OK);
            fill(other, 17, 0xaa);
            CHECK(hanji_cmac(other, short_tag, a, 10, &key.head) == HANJI_OK);
            CHECK(same(tag, other, short_tag));
            CHECK(all_are(other + short_tag, 17 - short_tag, 0xaa));
            for (size_t bit = 0; bit < 8 * short_tag; bit++) {
                other[bit / 8] ^= (uint8_t)(1 << bit % 8);
                CHECK(hanji_cmac_update(a, 10, &cmac) == HANJI_OK);
                CHECK(hanji_cmac_verify(other, short_tag, &cmac) == HANJI_E_TAG);
                other[bit / 8] ^= (uint8_t)(1 << bit % 8);
            }
            CHECK(hanji_cmac_update(a, 10, &cmac) == HANJI_OK);
            CHECK(hanji_cmac_verify(other, short_tag, &cmac) == HANJI_OK);
        }
        CHECK(hanji_cmac_final(tag, 0, &cmac) == HANJI_E_LENGTH);
        CHECK(hanji_cmac_final(tag, block + 1, &cmac) == HANJI_E_LENGTH);
        CHECK(hanji_cmac_verify(tag, 0, &cmac) == HANJI_E_LENGTH);
        CHECK(hanji_cmac_verify(tag, block + 1, &cmac) == HANJI_E_LENGTH);
        CHECK(hanji_cmac_update(NULL, 1, &cmac) == HANJI_E_ARGUMENT);
        CHECK(hanji_cmac_update(NULL, 0, &cmac) == HANJI_OK);
        CHECK(hanji_cmac_update(a, 1, NULL) == HANJI_E_ARGUMENT);
        CHECK(hanji_cmac_init(NULL, &cmac) == HANJI_E_ARGUMENT);
        CHECK(hanji_cmac_init(&key.head, NULL) == HANJI_E_ARGUMENT);
        CHECK(hanji_cmac(NULL, block, a, 1, &key.head) == HANJI_E_ARGUMENT);
        hanji_cmac_wipe(&cmac);
        CHECK(all_are(&cmac, sizeof cmac, 0));
        CHECK(hanji_cmac_update(a, 1, &cmac) == HANJI_E_ARGUMENT);
    }
}

/*
 * With a limit of exactly what a tag costs it is given; with one block less it is not, and nothing
 * is written.
 */
static void cmac_keeps_the_limit(void)
{
    EACH_CIPHER (cipher) {
        if (!has_modes(cipher))
            continue;
        const size_t block = hanji_cipher_block_bytes(cipher);
        for (size_t n = 0; n <= 4 * block; n++) {
            uint8_t tag[16], limited[16];
            CHECK(open_key(cipher));
            CHECK(hanji_cmac(tag, block, a, n, &key.head) == HANJI_OK);
            const uint64_t cost = UINT64_MAX - hanji_block_remaining(&key.head);
            /* the blocks, and one for the subkeys */
            CHECK(cost == (n == 0 ? 1 : (n + block - 1) / block) + 1);
            CHECK(open_key(cipher) && hanji_block_set_limit(cost - 1, &key.head) == HANJI_OK);
            fill(limited, 16, 0xaa);
            CHECK(hanji_cmac(limited, block, a, n, &key.head) == HANJI_E_LIMIT);
            CHECK(all_are(limited, 16, 0xaa));
            CHECK(open_key(cipher) && hanji_block_set_limit(cost, &key.head) == HANJI_OK);
            CHECK(hanji_cmac(limited, block, a, n, &key.head) == HANJI_OK);
            CHECK(same(tag, limited, block));
            CHECK(hanji_block_remaining(&key.head) == 0);
        }
    }
}

/* EAX */

static int eax_seal(uint8_t *out, size_t n, size_t ad, size_t tag_bytes)
{
    hanji_eax_ctx eax;
    const int rc = hanji_eax_init(tag_bytes, &key.head, &eax);
    return rc != HANJI_OK ? rc : hanji_eax_encrypt(out, a, n, a + 512, ad, a + 1024, 12, &eax);
}

static void eax_of_every_split(void)
{
    EACH_CIPHER (cipher) {
        CHECK(open_key(cipher));
        const size_t block = hanji_cipher_block_bytes(cipher);
        hanji_eax_ctx eax;
        if (!has_modes(cipher)) {
            CHECK(hanji_eax_init(block, &key.head, &eax) == HANJI_E_LENGTH);
            continue;
        }
        pseudo_random(a, 2048, 8);
        CHECK(hanji_eax_init(block, &key.head, &eax) == HANJI_OK);
        for (size_t n = 0; n <= 2 * block + 2; n++)
            for (size_t cut = 0; cut <= n; cut++) {
                CHECK(eax_seal(b, n, n, block) == HANJI_OK);
                fill(c, n + block + 8, 0xaa);
                CHECK(hanji_eax_begin(a + 1024, 12, &eax) == HANJI_OK);
                CHECK(hanji_eax_update_ad(a + 512, cut, &eax) == HANJI_OK);
                CHECK(hanji_eax_update_ad(a + 512 + cut, n - cut, &eax) == HANJI_OK);
                CHECK(hanji_eax_update(c, a, cut, &eax) == HANJI_OK);
                CHECK(hanji_eax_update(c + cut, a + cut, n - cut, &eax) == HANJI_OK);
                CHECK(hanji_eax_final(c + n, &eax) == HANJI_OK);
                CHECK(same(c, b, n + block));
                CHECK(all_are(c + n + block, 8, 0xaa));
            }
    }
}

static void eax_refuses_every_wrong_bit(void)
{
    EACH_CIPHER (cipher) {
        if (!has_modes(cipher))
            continue;
        CHECK(open_key(cipher));
        const size_t block = hanji_cipher_block_bytes(cipher), n = 21, ad = 5;
        hanji_eax_ctx eax;
        pseudo_random(a, 2048, 8);
        for (size_t tag_bytes = 1; tag_bytes <= block; tag_bytes += block - 1) {
            CHECK(hanji_eax_init(tag_bytes, &key.head, &eax) == HANJI_OK);
            CHECK(eax_seal(b, n, ad, tag_bytes) == HANJI_OK);
            CHECK(hanji_eax_decrypt(c, b, n + tag_bytes, a + 512, ad, a + 1024, 12, &eax) ==
                  HANJI_OK);
            CHECK(same(c, a, n));
            /*
             * With a tag of one byte one change of the message in 256 goes unnoticed, so only its
             * own bits are tried.
             */
            for (size_t bit = tag_bytes == 1 ? 8 * n : 0; bit < 8 * (n + tag_bytes); bit++) {
                b[bit / 8] ^= (uint8_t)(1 << bit % 8);
                fill(c, 64, 0xaa);
                CHECK(hanji_eax_decrypt(c, b, n + tag_bytes, a + 512, ad, a + 1024, 12, &eax) ==
                      HANJI_E_TAG);
                CHECK(all_are(c, n, 0));
                CHECK(all_are(c + n, 8, 0xaa));
                b[bit / 8] ^= (uint8_t)(1 << bit % 8);
            }
            CHECK(tag_bytes == 1 || hanji_eax_decrypt(c, b, n + tag_bytes, a + 512, ad - 1,
                                                      a + 1024, 12, &eax) == HANJI_E_TAG);
            CHECK(tag_bytes == 1 || hanji_eax_decrypt(c, b, n + tag_bytes, a + 512, ad, a + 1024,
                                                      11, &eax) == HANJI_E_TAG);
            CHECK(tag_bytes == 1 || hanji_eax_decrypt(c, b, n + tag_bytes, a + 512, ad, a + 1025,
                                                      12, &eax) == HANJI_E_TAG);
            CHECK(hanji_eax_decrypt(c, b, tag_bytes - 1, a + 512, ad, a + 1024, 12, &eax) ==
                  HANJI_E_LENGTH);
        }
    }
}

static void eax_refused(void)
{
    CHECK(open_key(hanji_speck128_128()));
    hanji_eax_ctx eax;
    CHECK(hanji_eax_init(0, &key.head, &eax) == HANJI_E_LENGTH);
    CHECK(hanji_eax_init(17, &key.head, &eax) == HANJI_E_LENGTH);
    CHECK(hanji_eax_init(16, NULL, &eax) == HANJI_E_ARGUMENT);
    CHECK(hanji_eax_init(16, &key.head, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_eax_init(12, &key.head, &eax) == HANJI_OK);
    CHECK(hanji_eax_encrypt(b, a, 8, NULL, 0, a, 0, &eax) == HANJI_E_LENGTH); /* no nonce */
    CHECK(hanji_eax_encrypt(b, a, 8, NULL, 0, NULL, 4, &eax) == HANJI_E_ARGUMENT);
    CHECK(hanji_eax_encrypt(b, NULL, 8, NULL, 0, a, 4, &eax) == HANJI_E_ARGUMENT);
    CHECK(hanji_eax_encrypt(NULL, a, 8, NULL, 0, a, 4, &eax) == HANJI_E_ARGUMENT);
    CHECK(hanji_eax_encrypt(b, a, 8, NULL, 4, a, 4, &eax) == HANJI_E_ARGUMENT);
    CHECK(hanji_eax_encrypt(a + 1, a, 8, NULL, 0, c, 4, &eax) == HANJI_E_ARGUMENT);
    CHECK(hanji_eax_decrypt_detached(b, a, 8, c, 11, NULL, 0, c, 4, &eax) == HANJI_E_LENGTH);
    CHECK(hanji_eax_decrypt_detached(b, a, 8, c, 13, NULL, 0, c, 4, &eax) == HANJI_E_LENGTH);
    CHECK(hanji_eax_update(b, a, 1, &eax) == HANJI_E_ARGUMENT); /* nothing begun */
    CHECK(hanji_eax_final(b, &eax) == HANJI_E_ARGUMENT);
    CHECK(hanji_eax_begin(a, 0, &eax) == HANJI_E_LENGTH);
    CHECK(hanji_eax_begin(a, 4, &eax) == HANJI_OK);
    CHECK(hanji_eax_update(b, a, 1, &eax) == HANJI_OK);
    CHECK(hanji_eax_update_ad(a, 1, &eax) == HANJI_E_ARGUMENT); /* too late */
    CHECK(hanji_eax_final(b, &eax) == HANJI_OK);
    hanji_eax_wipe(&eax);
    CHECK(all_are(&eax, sizeof eax, 0));
}

static void eax_keeps_the_limit(void)
{
    EACH_CIPHER (cipher) {
        if (!has_modes(cipher))
            continue;
        const size_t block = hanji_cipher_block_bytes(cipher);
        pseudo_random(a, 2048, 8);
        for (size_t n = 0; n <= 3 * block + 1; n++) {
            uint8_t limited[80];
            CHECK(open_key(cipher));
            CHECK(eax_seal(b, n, n / 2, block) == HANJI_OK);
            const uint64_t cost = UINT64_MAX - hanji_block_remaining(&key.head);
            CHECK(open_key(cipher) && hanji_block_set_limit(cost - 1, &key.head) == HANJI_OK);
            fill(limited, 80, 0xaa);
            CHECK(eax_seal(limited, n, n / 2, block) == HANJI_E_LIMIT);
            CHECK(all_are(limited, 80, 0xaa));
            CHECK(open_key(cipher) && hanji_block_set_limit(cost, &key.head) == HANJI_OK);
            CHECK(eax_seal(limited, n, n / 2, block) == HANJI_OK);
            CHECK(same(limited, b, n + block));
            CHECK(hanji_block_remaining(&key.head) == 0);
            CHECK(eax_seal(limited, n, n / 2, block) == HANJI_E_LIMIT);

            hanji_eax_ctx eax;
            CHECK(open_key(cipher) && hanji_block_set_limit(cost - 1, &key.head) == HANJI_OK);
            CHECK(hanji_eax_init(block, &key.head, &eax) == HANJI_OK);
            fill(limited, 80, 0xaa);
            CHECK(hanji_eax_decrypt(limited, b, n + block, a + 512, n / 2, a + 1024, 12, &eax) ==
                  HANJI_E_LIMIT);
            CHECK(all_are(limited, 80, 0xaa));
            CHECK(hanji_block_set_limit(UINT64_MAX, &key.head) == HANJI_OK);
            CHECK(hanji_eax_decrypt(limited, b, n + block, a + 512, n / 2, a + 1024, 12, &eax) ==
                  HANJI_OK);
            CHECK(same(limited, a, n));
        }
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"sizes", sizes},
        {"limits by block size", limits_by_block_size},
        {"keys refused", keys_refused},
        {"blocks of every count", blocks_of_every_count},
        {"blocks refused", blocks_refused},
        {"ctr of every length and split", ctr_of_every_length_and_split},
        {"ctr carries and wraps", ctr_carries_and_wraps},
        {"ctr refused", ctr_refused},
        {"ctr in one call", ctr_in_one_call},
        {"ctr in one call refused", ctr_in_one_call_refused},
        {"ctr keeps the limit", ctr_keeps_the_limit},
        {"the default limit holds", the_default_limit_holds},
        {"ctr ends before the counter repeats", ctr_ends_before_the_counter_repeats},
        {"cmac of every length and split", cmac_of_every_length_and_split},
        {"cmac keeps the limit", cmac_keeps_the_limit},
        {"eax of every split", eax_of_every_split},
        {"eax refuses every wrong bit", eax_refuses_every_wrong_bit},
        {"eax refused", eax_refused},
        {"eax keeps the limit", eax_keeps_the_limit},
    };
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
