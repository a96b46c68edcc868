/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CTR over short messages: every cipher under every tier, 0 to 130 blocks and bytes beyond, at
 * every address modulo 64, in place and not, over the wrap of the counter, against key stream that
 * is made block by block; EAX of whole messages against messages in pieces; and the rows of kernel
 * tables in the order that calls rely on.
 */
#include "catalog/catalog.h"
#include "check.h"
#include "hanji/hanji.h"
#include "support/cipher.h"

enum { BLOCKS = 130, ROOM = (BLOCKS + 3) * HANJI_BLOCK_BYTES_MAX + 128 };

static uint8_t plain[ROOM], stream[ROOM], given[ROOM + 64], output[ROOM + 64];
static hanji_any_block_ctx key;

/* The counter `back` before its last value, most significant byte first. */
static void begin_before_wrap(uint8_t *counter, size_t n, uint8_t back)
{
    fill(counter, n, 0xff);
    counter[n - 1] = (uint8_t)(0xff - back);
}

static void increment(uint8_t *counter, size_t n)
{
    while (n-- > 0 && ++counter[n] == 0)
        continue;
}

/* Key stream from single blocks: the first counter is `back` before the wrap. */
static int make_stream(size_t n, uint8_t back)
{
    uint8_t counter[HANJI_BLOCK_BYTES_MAX];
    int rc = HANJI_OK;
    begin_before_wrap(counter, n, back);
    for (size_t i = 0; i < BLOCKS + 2; i++, increment(counter, n))
        rc |= hanji_block_encrypt(stream + i * n, counter, 1, &key.head);
    return rc == HANJI_OK;
}

/* One message in two calls; the second goes on in the block that the first has begun. */
static void one_message(size_t n, uint8_t back, size_t bytes, size_t at, int in_place)
{
    uint8_t iv[HANJI_BLOCK_BYTES_MAX];
    hanji_ctr_ctx ctr;
    uint8_t *out = in_place ? given + at : output + (at * 5 + 3) % 64;
    const size_t more = n + 1;
    begin_before_wrap(iv, n, back);
    copy_bytes(given + at, plain, bytes + more);
    if (!in_place)
        fill(output, sizeof output, 0xaa);
    CHECK(hanji_ctr_init(iv, n, &key.head, &ctr) == HANJI_OK);
    CHECK(hanji_ctr_update(out, given + at, bytes, &ctr) == HANJI_OK);
    if (in_place)
        CHECK(same(out + bytes, plain + bytes, more));
    else
        CHECK(all_are(out + bytes, 32, 0xaa) && same(given + at, plain, bytes + more));
    CHECK(hanji_ctr_update(out + bytes, given + at + bytes, more, &ctr) == HANJI_OK);
    for (size_t i = 0; i < bytes + more; i++)
        if (out[i] != (uint8_t)(plain[i] ^ stream[i])) {
            CHECK(out[i] == (uint8_t)(plain[i] ^ stream[i]));
            break;
        }
}

static void short_messages_of(const hanji_cipher *cipher)
{
    static const uint8_t secret[HANJI_BLOCK_KEY_BYTES_MAX] = {3, 1, 4, 1, 5, 9, 2, 6};
    const size_t n = hanji_cipher_block_bytes(cipher);
    CHECK(hanji_block_init(secret, hanji_cipher_key_bytes(cipher), cipher, &key.head, sizeof key) ==
          HANJI_OK);
    CHECK(hanji_block_set_limit(UINT64_MAX, &key.head) == HANJI_OK);
    for (size_t blocks = 0; blocks <= BLOCKS && !case_failed; blocks++) {
        const uint8_t back = (uint8_t)(blocks < 40 ? blocks / 2 : blocks * 7 % 256);
        if (blocks % 13 == 0 || blocks < 40)
            CHECK(make_stream(n, back));
        else
            continue;
        for (size_t rest = 0; rest < n; rest += rest < 2 ? 1 : n / 4)
            one_message(n, back, blocks * n + rest, (blocks * 11 + rest * 3) % 64, (int)(rest & 1));
    }
    CHECK(make_stream(n, 77));
    for (size_t blocks = 1; blocks <= BLOCKS && !case_failed; blocks++)
        one_message(n, 77, blocks * n - blocks % n, blocks % 64, (int)(blocks & 1));
}

static void short_messages(void)
{
    pseudo_random(plain, sizeof plain, 19);
    for (size_t t = 0; t < hanji_tier_count(); t++) {
        if (hanji_tier_state(t) == 0)
            continue;
        CHECK(hanji_force(hanji_tier_name(t)) == HANJI_OK);
        for (size_t c = 0; c < hanji_cipher_count() && !case_failed; c++)
            short_messages_of(hanji_cipher_at(c));
    }
    CHECK(hanji_force(NULL) == HANJI_OK);
}

/* Fleets of 0 to 20 messages, the seventh past its limit, beside single messages. */
static void small_fleet_of(const hanji_cipher *cipher, size_t messages, int equal)
{
    enum { MOST = 20 };
    static int8_t status[MOST];
    int64_t offsets[MOST + 1] = {0};
    const size_t n = hanji_cipher_block_bytes(cipher), k = hanji_cipher_key_bytes(cipher);
    const hanji_fleet fleet = {.messages = messages,
                               .offsets = offsets,
                               .input = plain,
                               .output = output,
                               .keys = plain + 7,
                               .key_stride = k,
                               .nonces = plain + 99,
                               .nonce_bytes = n,
                               .status = status,
                               .limit = 96 / n};
    for (size_t i = 0; i < messages; i++)
        offsets[i + 1] =
            offsets[i] + (equal ? 64 : (int64_t)(i == 6 ? 97 : (i * 29 + messages) % 90));
    fill(output, sizeof output, 0xaa);
    CHECK(hanji_ctr_fleet(&fleet, cipher) == (!equal && messages > 6));
    for (size_t i = 0; i < messages; i++) {
        const size_t at = (size_t)offsets[i], bytes = (size_t)(offsets[i + 1] - offsets[i]);
        hanji_ctr_ctx ctr;
        if (!equal && i == 6) {
            CHECK(status[i] == HANJI_E_LIMIT && all_are(output + at, bytes, 0));
            continue;
        }
        CHECK(hanji_block_init(plain + 7 + i * k, k, cipher, &key.head, sizeof key) == HANJI_OK);
        CHECK(hanji_ctr_init(plain + 99 + i * n, n, &key.head, &ctr) == HANJI_OK);
        CHECK(hanji_ctr_update(given, plain + at, bytes, &ctr) == HANJI_OK);
        CHECK(status[i] == HANJI_OK && same(output + at, given, bytes));
    }
    CHECK(all_are(output + offsets[messages], 32, 0xaa));
}

static void small_fleets(void)
{
    pseudo_random(plain, sizeof plain, 20);
    for (size_t t = 0; t < hanji_tier_count(); t++) {
        if (hanji_tier_state(t) == 0)
            continue;
        CHECK(hanji_force(hanji_tier_name(t)) == HANJI_OK);
        for (size_t c = 0; c < hanji_cipher_count(); c++)
            for (size_t messages = 0; messages <= 20 && !case_failed; messages++) {
                small_fleet_of(hanji_cipher_at(c), messages, 0);
                small_fleet_of(hanji_cipher_at(c), messages, 1);
            }
    }
    CHECK(hanji_force(NULL) == HANJI_OK);
}

/* What block.c takes for granted where it steps over a table by threes. */
static void rows_in_threes(void)
{
    for (size_t c = 0; c < hanji_cipher_count(); c++) {
        const hanji_cipher *cipher = hanji_cipher_at(c);
        const hanji_kernel *row = cipher->kernels;
        CHECK(cipher->in_threes == HANJI_ROWS_IN_THREES);
        for (; HANJI_ROWS_IN_THREES && row->name != NULL && row->operation == HANJI_ENCRYPT;
             row += 3)
            for (int i = 0; i < 3; i++) {
                CHECK(row[i].operation == (hanji_operation)(HANJI_ENCRYPT + i));
                CHECK(row[i].group == row->group && row[i].features == row->features);
                CHECK(row[i].layout == HANJI_LAYOUT_CANONICAL);
                CHECK(row[i].minimum == 0 || row[i].minimum >= row[i].group ||
                      (size_t)row[i].group * cipher->block_bytes <= HANJI_GROUP_BYTES_MAX);
                if (row[3].name == NULL || row[3].operation != HANJI_ENCRYPT)
                    CHECK(row[i].group == 1 && row[i].features == HANJI_CPU_PORTABLE &&
                          row[i].minimum <= 1);
            }
        CHECK(row == (HANJI_ROWS_IN_THREES ? hanji_cipher_lanes(cipher) : row));
        for (; HANJI_ROWS_IN_THREES && row->name != NULL; row++)
            CHECK(row->operation != HANJI_ENCRYPT && row->operation != HANJI_DECRYPT &&
                  row->operation != HANJI_CTR);
    }
}

/* A message sealed and opened as a whole, in the middle of one in pieces, and sealed in pieces. */
static void eax_message(hanji_eax_ctx *eax, size_t n, size_t bytes, size_t ad, size_t nonce)
{
    static const uint8_t *const name = plain + 600, *const data = plain + 700;
    fill(given, sizeof given, 0xaa);
    CHECK(hanji_eax_begin(name, nonce, eax) == HANJI_OK);
    CHECK(hanji_eax_update_ad(data, ad / 2, eax) == HANJI_OK);
    CHECK(hanji_eax_update_ad(data + ad / 2, ad - ad / 2, eax) == HANJI_OK);
    CHECK(hanji_eax_update(output, plain, bytes / 3, eax) == HANJI_OK);
    CHECK(hanji_eax_update(output + bytes / 3, plain + bytes / 3, bytes - bytes / 3, eax) ==
          HANJI_OK);
    CHECK(hanji_eax_final(output + bytes, eax) == HANJI_OK);
    CHECK(hanji_eax_begin(data, n, eax) == HANJI_OK);
    CHECK(hanji_eax_encrypt(given, plain, bytes, data, ad, name, nonce, eax) == HANJI_OK);
    CHECK(same(given, output, bytes + n) && all_are(given + bytes + n, 32, 0xaa));
    CHECK(hanji_eax_final(output, eax) == HANJI_E_ARGUMENT); /* that in pieces is given up */
    CHECK(hanji_eax_decrypt(given, given, bytes + n, data, ad, name, nonce, eax) == HANJI_OK);
    CHECK(same(given, plain, bytes));
    copy_bytes(given, output, bytes + n);
    given[(bytes + ad) % (bytes + n)] ^= 0x10;
    CHECK(hanji_eax_decrypt(given, given, bytes + n, data, ad, name, nonce, eax) == HANJI_E_TAG);
    CHECK(all_are(given, bytes, 0));
}

static void eax_messages(void)
{
    static const uint8_t secret[HANJI_BLOCK_KEY_BYTES_MAX] = {2, 7, 1, 8, 2, 8};
    pseudo_random(plain, sizeof plain, 21);
    for (size_t t = 0; t < hanji_tier_count(); t++) {
        if (hanji_tier_state(t) == 0)
            continue;
        CHECK(hanji_force(hanji_tier_name(t)) == HANJI_OK);
        for (size_t c = 0; c < hanji_cipher_count() && !case_failed; c++) {
            const hanji_cipher *cipher = hanji_cipher_at(c);
            const size_t n = hanji_cipher_block_bytes(cipher);
            hanji_eax_ctx eax;
            if (n != 8 && n != 16)
                continue;
            CHECK(hanji_block_init(secret, hanji_cipher_key_bytes(cipher), cipher, &key.head,
                                   sizeof key) == HANJI_OK);
            CHECK(hanji_block_set_limit(UINT64_MAX, &key.head) == HANJI_OK);
            CHECK(hanji_eax_init(n, &key.head, &eax) == HANJI_OK);
            for (size_t bytes = 0; bytes <= 4 * n + 1 && !case_failed; bytes++)
                eax_message(&eax, n, bytes, bytes * 5 % (2 * n + 3), 1 + bytes * 7 % (2 * n + 3));
            eax_message(&eax, n, 500, 0, n);
        }
    }
    CHECK(hanji_force(NULL) == HANJI_OK);
}

#if defined(HANJI_X86) || defined(HANJI_A64)
#ifdef HANJI_X86
#define ROWS_FOR_SHORT_TEXTS 2 /* AVX-512 and AVX2 */
#else
#define ROWS_FOR_SHORT_TEXTS 1 /* NEON */
#endif
/* The rows for short texts are the last, and take what block.c gives them. */
static void rows_for_short_texts(void)
{
    size_t ciphers = 0;
    for (size_t c = 0; c < hanji_cipher_count(); c++) {
        const hanji_cipher *cipher = hanji_cipher_at(c);
        const hanji_kernel *row = hanji_cipher_lanes(cipher);
        while (row->name != NULL && row->operation != HANJI_SHORT)
            row++;
        CHECK(row->name == NULL || row == cipher->shorts);
        ciphers += row->name != NULL;
        for (; row->name != NULL; row++)
            CHECK(row->operation == HANJI_SHORT && row->minimum == 1 &&
                  (size_t)row->group * cipher->block_bytes == HANJI_GROUP_BYTES_MAX);
        /* Behind them stands the end, whose operation is another. */
        CHECK(row - cipher->shorts == ROWS_FOR_SHORT_TEXTS);
    }
    CHECK(ciphers > 0);
}
#endif

#ifdef HANJI_X86
/* Those for one text with its key stand before them, and take what ctr_message.c gives them. */
static void rows_for_texts_at_once(void)
{
    size_t ciphers = 0;
    for (size_t c = 0; c < hanji_cipher_count(); c++) {
        const hanji_cipher *cipher = hanji_cipher_at(c);
        const hanji_kernel *row = hanji_cipher_lanes(cipher);
        while (row->name != NULL && row->operation != HANJI_ONCE)
            row++;
        if (row->name == NULL)
            continue;
        CHECK(row == cipher->shorts - HANJI_ONCE_ROWS);
        for (; row->operation == HANJI_ONCE; row++)
            CHECK((size_t)(row->minimum - 1) * cipher->block_bytes <= cipher->few_bytes &&
                  row->minimum > 1 && row->group > row->minimum);
        CHECK(row == cipher->shorts && row->operation == HANJI_SHORT);
        ciphers++;
    }
    CHECK(ciphers > 0);
}
#endif

int main(void)
{
    static const test_case cases[] = {
        {"short messages", short_messages},
        {"eax messages", eax_messages},
#if defined(HANJI_X86) || defined(HANJI_A64)
        {"rows for short texts", rows_for_short_texts},
#endif
#ifdef HANJI_X86
        {"rows for texts at once", rows_for_texts_at_once},
#endif
        {"small fleets", small_fleets},
        {"rows in threes", rows_in_threes},
    };
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
