/* SPDX-License-Identifier: Apache-2.0 */
/* Fleet calls against the same messages one by one, and what they refuse. */
#include "aeads.h"
#include "check.h"

enum { MESSAGES = 23, BASE = 5 };

static uint8_t input[8192], output[8192], single[8192], associated[4096], keys[64 * MESSAGES],
    nonces[64 * MESSAGES], tags[64 * MESSAGES], single_tags[64 * MESSAGES];
static int64_t offsets[MESSAGES + 1], ad_offsets[MESSAGES + 1];
static int8_t status[MESSAGES];
static hanji_fleet fleet;
static int longer = 1; /* lengths of messages times so much, of associated data times the square */

/* Messages of all lengths from 0, with bases that are not 0, after other bytes that must stay. */
static void prepare(size_t key_stride, size_t nonce_bytes, size_t tag_bytes)
{
    pseudo_random(input, sizeof input, 1);
    pseudo_random(associated, sizeof associated, 2);
    pseudo_random(keys, sizeof keys, 3);
    pseudo_random(nonces, sizeof nonces, 4);
    offsets[0] = BASE;
    ad_offsets[0] = 3;
    for (int i = 0; i < MESSAGES; i++) {
        offsets[i + 1] = offsets[i] + (i % 4 == 3 ? 0 : 5 * i * longer);
        ad_offsets[i + 1] = ad_offsets[i] + i % 7 * longer * longer;
    }
    fill(output, sizeof output, 0xaa);
    fill(tags, sizeof tags, 0xaa);
    fill(status, sizeof status, 0x55);
    fleet = (hanji_fleet){.messages = MESSAGES,
                          .offsets = offsets,
                          .input = input,
                          .output = output,
                          .ad_offsets = ad_offsets,
                          .ad = associated,
                          .keys = keys,
                          .key_stride = key_stride,
                          .nonces = nonces,
                          .nonce_bytes = nonce_bytes,
                          .tags = tags,
                          .tag_bytes = tag_bytes,
                          .status = status};
}

static size_t length(int i)
{
    return (size_t)(offsets[i + 1] - offsets[i]);
}

static size_t ad_length(int i)
{
    return fleet.ad_offsets != NULL ? (size_t)(ad_offsets[i + 1] - ad_offsets[i]) : 0;
}

static int around_is_untouched(void)
{
    return all_are(output, BASE, 0xaa) && all_are(output + offsets[MESSAGES], 64, 0xaa);
}

typedef int64_t fleet_fn(const hanji_fleet *);

static void schwaemm(fleet_fn *seal, fleet_fn *open, int which, int one_key, int without_ad)
{
    const size_t k = aeads[which].key_bytes, n = aeads[which].nonce_bytes,
                 t = aeads[which].tag_bytes;
    case_context = aeads[which].name;
    prepare(one_key ? 0 : k + 3, n, t); /* keys need not be adjacent */
    if (without_ad)
        fleet.ad_offsets = NULL;
    for (int i = 0; i < MESSAGES; i++)
        CHECK(aeads[which].encrypt_detached(
                  single + offsets[i], single_tags + (size_t)i * t, input + offsets[i], length(i),
                  associated + ad_offsets[i], ad_length(i), nonces + (size_t)i * n,
                  keys + (size_t)i * fleet.key_stride) == HANJI_OK);
    CHECK(seal(&fleet) == 0);
    CHECK(all_are(status, MESSAGES, 0));
    CHECK(same(output + BASE, single + BASE, (size_t)offsets[MESSAGES] - BASE));
    CHECK(same(tags, single_tags, MESSAGES * t));
    CHECK(all_are(tags + MESSAGES * t, 16, 0xaa));
    CHECK(around_is_untouched());

    /* Open in place, with a wrong tag here and a wrong ciphertext there: only these two fail. */
    tags[6 * t + 1] ^= 0x40;
    output[offsets[9]] ^= 1;
    fleet.input = output;
    fill(status, sizeof status, 0x55);
    CHECK(open(&fleet) == 2);
    for (int i = 0; i < MESSAGES; i++) {
        const int fails = i == 6 || i == 9;
        CHECK(status[i] == (fails ? HANJI_E_TAG : HANJI_OK));
        if (fails)
            CHECK(all_are(output + offsets[i], length(i), 0));
        else
            CHECK(same(output + offsets[i], input + offsets[i], length(i)));
    }
    CHECK(around_is_untouched());
}

static fleet_fn *const seals[] = {
    hanji_schwaemm256_128_fleet_encrypt, hanji_schwaemm192_192_fleet_encrypt,
    hanji_schwaemm128_128_fleet_encrypt, hanji_schwaemm256_256_fleet_encrypt};
static fleet_fn *const opens[] = {
    hanji_schwaemm256_128_fleet_decrypt, hanji_schwaemm192_192_fleet_decrypt,
    hanji_schwaemm128_128_fleet_decrypt, hanji_schwaemm256_256_fleet_decrypt};

static void schwaemm_equals_singles(void)
{
    for (int which = 0; which < 4; which++)
        for (int variant = 0; variant < 4; variant++)
            schwaemm(seals[which], opens[which], which, variant & 1, variant >> 1);
}

/* Many whole chunks, of associated data in some lanes while others are in their messages. */
static void longer_schwaemm_equals_singles(void)
{
    longer = 7;
    schwaemm_equals_singles();
    longer = 1;
}

static void modes_equal_singles(void)
{
    for (size_t c = 0; c < hanji_cipher_count(); c++)
        for (int one_key = 0; one_key < 2; one_key++) {
            const hanji_cipher *cipher = hanji_cipher_at(c);
            const size_t k = hanji_cipher_key_bytes(cipher),
                         block = hanji_cipher_block_bytes(cipher);
            hanji_any_block_ctx key;
            hanji_ctr_ctx ctr;
            hanji_eax_ctx eax;
            case_context = hanji_cipher_name(cipher);

            prepare(one_key ? 0 : k, block, 0);
            fleet.limit = UINT64_MAX;
            for (int i = 0; i < MESSAGES; i++) {
                CHECK(hanji_block_init(keys + (size_t)i * fleet.key_stride, k, cipher, &key.head,
                                       sizeof key) == HANJI_OK);
                CHECK(hanji_block_set_limit(UINT64_MAX, &key.head) == HANJI_OK);
                CHECK(hanji_ctr_init(nonces + (size_t)i * block, block, &key.head, &ctr) ==
                      HANJI_OK);
                CHECK(hanji_ctr_update(single + offsets[i], input + offsets[i], length(i), &ctr) ==
                      HANJI_OK);
            }
            CHECK(hanji_ctr_fleet(&fleet, cipher) == 0);
            CHECK(all_are(status, MESSAGES, 0));
            CHECK(same(output + BASE, single + BASE, (size_t)offsets[MESSAGES] - BASE));
            CHECK(around_is_untouched());

            const size_t t = block - 2;
            prepare(one_key ? 0 : k, 7, t);
            fleet.limit = UINT64_MAX;
            if (block != 8 && block != 16) {
                CHECK(hanji_eax_fleet_encrypt(&fleet, cipher) == HANJI_E_LENGTH);
                CHECK(hanji_eax_fleet_decrypt(&fleet, cipher) == HANJI_E_LENGTH);
                CHECK(hanji_cmac_fleet(&fleet, cipher) == HANJI_E_LENGTH);
                CHECK(hanji_cmac_fleet_verify(&fleet, cipher) == HANJI_E_LENGTH);
                continue;
            }
            for (int i = 0; i < MESSAGES; i++) {
                CHECK(hanji_block_init(keys + (size_t)i * fleet.key_stride, k, cipher, &key.head,
                                       sizeof key) == HANJI_OK);
                CHECK(hanji_eax_init(t, &key.head, &eax) == HANJI_OK);
                CHECK(hanji_eax_encrypt_detached(single + offsets[i], single_tags + (size_t)i * t,
                                                 input + offsets[i], length(i),
                                                 associated + ad_offsets[i], ad_length(i),
                                                 nonces + (size_t)i * 7, 7, &eax) == HANJI_OK);
            }
            CHECK(hanji_eax_fleet_encrypt(&fleet, cipher) == 0);
            CHECK(same(output + BASE, single + BASE, (size_t)offsets[MESSAGES] - BASE));
            CHECK(same(tags, single_tags, MESSAGES * t));
            tags[2 * t] ^= 1;
            fleet.input = output;
            CHECK(hanji_eax_fleet_decrypt(&fleet, cipher) == 1);
            for (int i = 0; i < MESSAGES; i++) {
                CHECK(status[i] == (i == 2 ? HANJI_E_TAG : HANJI_OK));
                if (i == 2)
                    CHECK(all_are(output + offsets[i], length(i), 0));
                else
                    CHECK(same(output + offsets[i], input + offsets[i], length(i)));
            }

            prepare(one_key ? 0 : k, 0, t);
            fleet.limit = UINT64_MAX;
            fleet.output = NULL;
            fleet.nonces = NULL;
            for (int i = 0; i < MESSAGES; i++) {
                CHECK(hanji_block_init(keys + (size_t)i * fleet.key_stride, k, cipher, &key.head,
                                       sizeof key) == HANJI_OK);
                CHECK(hanji_cmac(single_tags + (size_t)i * t, t, input + offsets[i], length(i),
                                 &key.head) == HANJI_OK);
            }
            CHECK(hanji_cmac_fleet(&fleet, cipher) == 0);
            CHECK(all_are(status, MESSAGES, 0));
            CHECK(same(tags, single_tags, MESSAGES * t));
            CHECK(all_are(output, sizeof output, 0xaa));
            tags[4 * t] ^= 0x80;
            CHECK(hanji_cmac_fleet_verify(&fleet, cipher) == 1);
            for (int i = 0; i < MESSAGES; i++)
                CHECK(status[i] == (i == 4 ? HANJI_E_TAG : HANJI_OK));
        }
}

/* The messages of a prepared fleet from `first` on, so many, as a fleet. */
static hanji_fleet part_of(int first, int count)
{
    hanji_fleet part = fleet;
    part.messages = (size_t)count;
    part.offsets += first;
    part.keys += (size_t)first * fleet.key_stride;
    if (part.nonces != NULL)
        part.nonces += (size_t)first * fleet.nonce_bytes;
    part.tags += (size_t)first * fleet.tag_bytes;
    part.status += first;
    return part;
}

static void copy(uint8_t *to, const uint8_t *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = from[i];
}

/* Nothing is written but `bytes` from `at` on. */
static int written(const uint8_t *array, size_t all, size_t at, size_t bytes, uint8_t before)
{
    return all_are(array, at, before) && all_are(array + at + bytes, all - at - bytes, before);
}

/* Few messages of a prepared fleet without associated data against the same of the whole fleet. */
static void few_equal_many(fleet_fn *seal, fleet_fn *open)
{
    const size_t t = fleet.tag_bytes, here = (size_t)offsets[MESSAGES] + 64;
    const uint8_t *text = fleet.input;
    fleet.ad_offsets = NULL;
    CHECK(seal(&fleet) == 0);
    copy(single, output, here);
    copy(single_tags, tags, sizeof single_tags);
    for (int count = 1; count < 18; count = count < 6 ? count + 1 : count + 11)
        for (int first = 0; first + count <= MESSAGES; first += 3) {
            hanji_fleet part = part_of(first, count);
            const size_t at = (size_t)offsets[first], n = (size_t)count,
                         bytes = fleet.output != NULL ? (size_t)offsets[first + count] - at : 0;
            const int wrong = t > 0 ? first + count / 2 : -1;
            fill(output, here, 0xaa);
            fill(tags, sizeof tags, 0xaa);
            fill(status, sizeof status, 0x55);
            CHECK(seal(&part) == 0);
            CHECK(same(output + at, single + at, bytes));
            CHECK(written(output, here, at, bytes, 0xaa));
            CHECK(same(part.tags, single_tags + (size_t)first * t, n * t));
            CHECK(written(tags, sizeof tags, (size_t)first * t, n * t, 0xaa));
            CHECK(all_are(part.status, n, 0));
            CHECK(written((const uint8_t *)status, sizeof status, (size_t)first, n, 0x55));
            if (t > 0)
                tags[(size_t)wrong * t + t - 1] ^= 0x10;
            if (fleet.output != NULL)
                part.input = output;
            CHECK(open(&part) == (t > 0));
            for (int i = first; i < first + count; i++) {
                CHECK(status[i] == (i == wrong ? HANJI_E_TAG : HANJI_OK));
                if (fleet.output == NULL)
                    continue;
                CHECK(i == wrong ? all_are(output + offsets[i], length(i), 0)
                                 : same(output + offsets[i], text + offsets[i], length(i)));
            }
            CHECK(written(output, here, at, bytes, 0xaa));
        }
}

static const hanji_cipher *few_cipher;

static int64_t few_ctr(const hanji_fleet *part)
{
    return hanji_ctr_fleet(part, few_cipher);
}

static int64_t few_eax(const hanji_fleet *part)
{
    return hanji_eax_fleet_encrypt(part, few_cipher);
}

static int64_t few_eax_open(const hanji_fleet *part)
{
    return hanji_eax_fleet_decrypt(part, few_cipher);
}

static int64_t few_cmac(const hanji_fleet *part)
{
    return hanji_cmac_fleet(part, few_cipher);
}

static int64_t few_cmac_verify(const hanji_fleet *part)
{
    return hanji_cmac_fleet_verify(part, few_cipher);
}

static void few_are_like_many(void)
{
    for (size_t one_key = 0; one_key < 2; one_key++) {
        for (int which = 0; which < 4; which++) {
            case_context = aeads[which].name;
            prepare(one_key ? 0 : aeads[which].key_bytes + 3, aeads[which].nonce_bytes,
                    aeads[which].tag_bytes);
            few_equal_many(seals[which], opens[which]);
        }
        case_context = "ascon-aead128";
        prepare(one_key ? 0 : 16, 16, 16);
        few_equal_many(hanji_ascon_aead128_fleet_encrypt, hanji_ascon_aead128_fleet_decrypt);
        for (size_t c = 0; c < hanji_cipher_count(); c++) {
            few_cipher = hanji_cipher_at(c);
            case_context = hanji_cipher_name(few_cipher);
            const size_t k = hanji_cipher_key_bytes(few_cipher),
                         block = hanji_cipher_block_bytes(few_cipher);
            prepare(one_key ? 0 : k + 1, block, 0);
            fleet.limit = UINT64_MAX;
            few_equal_many(few_ctr, few_ctr);
            if (block != 8 && block != 16)
                continue;
            prepare(one_key ? 0 : k + 1, block + 3, block - 1);
            fleet.limit = UINT64_MAX;
            few_equal_many(few_eax, few_eax_open);
            prepare(one_key ? 0 : k + 1, 0, block - 1);
            fleet.limit = UINT64_MAX;
            fleet.output = NULL;
            fleet.nonces = NULL;
            few_equal_many(few_cmac, few_cmac_verify);
        }
    }
}

static void hashes_equal_singles(void)
{
    static const struct {
        const char *name;
        size_t bytes;
        fleet_fn *run;
    } hashes[] = {{"esch256", 32, hanji_esch256_fleet},
                  {"esch384", 48, hanji_esch384_fleet},
                  {"xoesch256", 21, hanji_xoesch256_fleet},
                  {"xoesch384", 55, hanji_xoesch384_fleet}};
    for (int h = 0; h < 4; h++) {
        const size_t t = hashes[h].bytes;
        case_context = hashes[h].name;
        prepare(0, 0, t);
        fleet.keys = fleet.nonces = NULL;
        fleet.output = NULL;
        CHECK(hashes[h].run(&fleet) == 0);
        CHECK(all_are(status, MESSAGES, 0));
        for (int i = 0; i < MESSAGES; i++) {
            const uint8_t *message = input + offsets[i];
            CHECK((h == 0   ? hanji_esch256(single, message, length(i))
                   : h == 1 ? hanji_esch384(single, message, length(i))
                   : h == 2 ? hanji_xoesch256(single, t, message, length(i))
                            : hanji_xoesch384(single, t, message, length(i))) == HANJI_OK);
            CHECK(same(tags + (size_t)i * t, single, t));
        }
        CHECK(all_are(tags + MESSAGES * t, 16, 0xaa));
        if (h < 2) {
            fleet.tag_bytes = t - 1;
            CHECK(hashes[h].run(&fleet) == HANJI_E_LENGTH);
        }
    }
}

/* Every refusal leaves output, tags and status as they were. */
#define REFUSED(change, code)                                         \
    do {                                                              \
        prepare(16, 32, 16);                                          \
        change;                                                       \
        CHECK(hanji_schwaemm256_128_fleet_encrypt(&fleet) == (code)); \
        CHECK(hanji_schwaemm256_128_fleet_decrypt(&fleet) == (code)); \
        CHECK(all_are(output, sizeof output, 0xaa));                  \
        CHECK(all_are(tags, sizeof tags, 0xaa));                      \
        CHECK(all_are(status, sizeof status, 0x55));                  \
    } while (0)

static void refused(void)
{
    CHECK(hanji_schwaemm256_128_fleet_encrypt(NULL) == HANJI_E_ARGUMENT);
    REFUSED(fleet.offsets = NULL, HANJI_E_ARGUMENT);
    REFUSED(fleet.input = NULL, HANJI_E_ARGUMENT);
    REFUSED(fleet.output = NULL, HANJI_E_ARGUMENT);
    REFUSED(fleet.keys = NULL, HANJI_E_ARGUMENT);
    REFUSED(fleet.nonces = NULL, HANJI_E_ARGUMENT);
    REFUSED(fleet.tags = NULL, HANJI_E_ARGUMENT);
    REFUSED(fleet.status = NULL, HANJI_E_ARGUMENT);
    REFUSED(fleet.ad = NULL, HANJI_E_ARGUMENT);
    REFUSED(fleet.output = input + 1, HANJI_E_ARGUMENT);
    REFUSED(fleet.tags = output + BASE + 3, HANJI_E_ARGUMENT);
    REFUSED(offsets[0] = -1, HANJI_E_ARGUMENT);
    REFUSED(offsets[8] = offsets[9] + 1, HANJI_E_ARGUMENT);
    REFUSED(offsets[MESSAGES] = INT64_MIN, HANJI_E_ARGUMENT);
    REFUSED(ad_offsets[4] = ad_offsets[3] - 1, HANJI_E_ARGUMENT);
    REFUSED(ad_offsets[0] = -1, HANJI_E_ARGUMENT);
    REFUSED(fleet.key_stride = 15, HANJI_E_LENGTH);
    REFUSED(fleet.key_stride = 1, HANJI_E_LENGTH);
    REFUSED(fleet.nonce_bytes = 31, HANJI_E_LENGTH);
    REFUSED(fleet.tag_bytes = 15, HANJI_E_LENGTH);
    prepare(16, 32, 16);
    fleet.messages = 0;
    fleet.offsets = NULL;
    fleet.input = fleet.keys = fleet.nonces = NULL;
    fleet.output = fleet.tags = NULL;
    fleet.status = NULL;
    CHECK(hanji_schwaemm256_128_fleet_encrypt(&fleet) == 0);
    CHECK(hanji_schwaemm256_128_fleet_decrypt(&fleet) == 0);
    prepare(16, 8, 8);
    CHECK(hanji_eax_fleet_encrypt(&fleet, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_ctr_fleet(&fleet, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_cmac_fleet(&fleet, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_cmac_fleet_verify(&fleet, NULL) == HANJI_E_ARGUMENT);
    CHECK(hanji_ctr_fleet(&fleet, hanji_speck128_128()) == HANJI_E_LENGTH); /* 8-byte counters */
    fleet.nonce_bytes = 0;
    CHECK(hanji_eax_fleet_encrypt(&fleet, hanji_speck64_128()) == HANJI_E_LENGTH);
    prepare(16, 8, 9);
    CHECK(hanji_eax_fleet_encrypt(&fleet, hanji_speck64_128()) == HANJI_E_LENGTH);
}

/* Two messages, sound but for one thing. */
static void few_are_refused(void)
{
    for (int bad = 0; bad < 20; bad++) {
        int64_t code = HANJI_E_ARGUMENT;
        prepare(16, 16, 16);
        fleet.ad_offsets = NULL;
        fleet.messages = 2;
        offsets[1] = BASE + 16;
        offsets[2] = BASE + 48;
        switch (bad) {
        case 0: fleet.offsets = NULL; break;
        case 1: fleet.input = NULL; break;
        case 2: fleet.output = NULL; break;
        case 3: fleet.keys = NULL; break;
        case 4: fleet.nonces = NULL; break;
        case 5: fleet.tags = NULL; break;
        case 6: fleet.status = NULL; break;
        case 7: fleet.output = input + 47; break;
        case 8: fleet.tags = output + BASE + 47; break;
        case 9: fleet.status = (int8_t *)output + BASE + 47; break;
        case 10: fleet.status = (int8_t *)keys + 31; break;
        case 11: fleet.status = (int8_t *)tags + 31; break;
        case 12: fleet.status = (int8_t *)offsets + 23; break;
        case 13: fleet.output = nonces + 32 - BASE - 1; break;
        case 14: fleet.output = (uint8_t *)&fleet + sizeof fleet - BASE - 1; break;
        case 15: offsets[0] = -1; break;
        case 16: offsets[1] = offsets[2] + 1; break;
        case 17: offsets[2] = INT64_MIN; break;
        case 18: fleet.input = fleet.output = (uint8_t *)(UINTPTR_MAX - 32); break;
        default: fleet.key_stride = 15, code = HANJI_E_LENGTH;
        }
        CHECK(hanji_ascon_aead128_fleet_encrypt(&fleet) == code);
        CHECK(hanji_ascon_aead128_fleet_decrypt(&fleet) == code);
        CHECK(hanji_schwaemm128_128_fleet_encrypt(&fleet) == code);
        CHECK(hanji_schwaemm128_128_fleet_decrypt(&fleet) == code);
        CHECK(hanji_eax_fleet_encrypt(&fleet, hanji_speck128_128()) == code);
        CHECK(hanji_eax_fleet_decrypt(&fleet, hanji_speck128_128()) == code);
        if (bad != 5 && bad != 8 && bad != 11) /* no tags */
            CHECK(hanji_ctr_fleet(&fleet, hanji_speck128_128()) == code);
        if (bad != 2 && bad != 4 && bad != 7 && bad != 8 && bad != 9 && bad != 13 && bad != 14)
            CHECK(hanji_cmac_fleet(&fleet, hanji_speck128_128()) == code);
        CHECK(all_are(output, sizeof output, 0xaa));
        CHECK(all_are(tags, sizeof tags, 0xaa));
        CHECK(all_are(status, sizeof status, 0x55));
    }
}

/* Two messages with keys of their own: each keeps to its limit, or fails alone. */
static void few_keep_to_limits(void)
{
    const hanji_cipher *cipher = hanji_speck64_128();
    for (int first = 0; first + 2 <= MESSAGES; first++) {
        const int over[2] = {5 * first > 40 && first % 4 != 3,
                             5 * (first + 1) > 40 && (first + 1) % 4 != 3};
        for (int mode = 0; mode < 3; mode++) {
            prepare(16, 8, mode == 0 ? 0 : 5);
            fleet.ad_offsets = NULL;
            fleet.limit = mode == 0 ? 5 : mode == 1 ? 6 : 4 + 1 + 2 * 5; /* 40 bytes */
            const hanji_fleet part = part_of(first, 2);
            const int64_t failed = mode == 0   ? hanji_ctr_fleet(&part, cipher)
                                   : mode == 1 ? hanji_cmac_fleet(&part, cipher)
                                               : hanji_eax_fleet_encrypt(&part, cipher);
            CHECK(failed == over[0] + over[1]);
            for (int i = first; i < first + 2; i++) {
                CHECK(status[i] == (over[i - first] ? HANJI_E_LIMIT : HANJI_OK));
                if (over[i - first] && mode != 1)
                    CHECK(all_are(output + offsets[i], length(i), 0));
                if (over[i - first] && mode != 0)
                    CHECK(all_are(tags + 5 * i, 5, 0));
            }
        }
    }
    prepare(0, 8, 0); /* one key for two */
    fleet.ad_offsets = NULL;
    const hanji_fleet part = part_of(9, 2); /* 6 blocks and 7 */
    fleet = part;
    fleet.limit = 12;
    CHECK(hanji_ctr_fleet(&fleet, cipher) == HANJI_E_LIMIT);
    CHECK(all_are(output, sizeof output, 0xaa) && all_are(status, sizeof status, 0x55));
    fleet.limit = 13;
    CHECK(hanji_ctr_fleet(&fleet, cipher) == 0);
}

/*
 * One key: the limit is for the whole call, and nothing is written past it. A key per message: each
 * has its own.
 */
static void limits(void)
{
    const hanji_cipher *cipher = hanji_speck64_128();
    uint64_t blocks = 0;
    prepare(0, 8, 0);
    for (int i = 0; i < MESSAGES; i++)
        blocks += (length(i) + 7) / 8;
    fleet.limit = blocks - 1;
    CHECK(hanji_ctr_fleet(&fleet, cipher) == HANJI_E_LIMIT);
    CHECK(all_are(output, sizeof output, 0xaa) && all_are(status, sizeof status, 0x55));
    fleet.limit = blocks;
    CHECK(hanji_ctr_fleet(&fleet, cipher) == 0);
    prepare(16, 8, 0);
    fleet.limit = 5; /* 40 bytes: the longer messages fail alone */
    int64_t expected = 0;
    for (int i = 0; i < MESSAGES; i++)
        expected += length(i) > 40;
    CHECK(expected > 0 && hanji_ctr_fleet(&fleet, cipher) == expected);
    for (int i = 0; i < MESSAGES; i++) {
        CHECK(status[i] == (length(i) > 40 ? HANJI_E_LIMIT : HANJI_OK));
        CHECK(length(i) <= 40 || all_are(output + offsets[i], length(i), 0));
    }
    prepare(0, 0, 5);
    fleet.nonces = NULL;
    fleet.output = NULL;
    blocks = 1; /* the one that makes the subkeys */
    for (int i = 0; i < MESSAGES; i++)
        blocks += length(i) > 0 ? (length(i) + 7) / 8 : 1;
    fleet.limit = blocks - 1;
    CHECK(hanji_cmac_fleet(&fleet, cipher) == HANJI_E_LIMIT);
    CHECK(all_are(tags, sizeof tags, 0xaa) && all_are(status, sizeof status, 0x55));
    fleet.limit = blocks;
    CHECK(hanji_cmac_fleet(&fleet, cipher) == 0);
    fleet.key_stride = 16;
    fleet.limit = 6; /* 40 bytes, and one block */
    CHECK(hanji_cmac_fleet(&fleet, cipher) == expected);
    for (int i = 0; i < MESSAGES; i++) {
        CHECK(status[i] == (length(i) > 40 ? HANJI_E_LIMIT : HANJI_OK));
        CHECK(length(i) <= 40 || all_are(tags + 5 * i, 5, 0));
    }
    prepare(16, 8, 5);
    fleet.limit = 4 + 1 + 1 + 2 * 5; /* 40 bytes with associated data of up to 8 */
    CHECK(hanji_eax_fleet_encrypt(&fleet, cipher) == expected);
    for (int i = 0; i < MESSAGES; i++) {
        CHECK(status[i] == (length(i) > 40 ? HANJI_E_LIMIT : HANJI_OK));
        CHECK(length(i) <= 40 ||
              (all_are(output + offsets[i], length(i), 0) && all_are(tags + 5 * i, 5, 0)));
    }
    prepare(0, 4, 0); /* the default limit of a 32-bit block is 64 blocks */
    CHECK(hanji_ctr_fleet(&fleet, hanji_speck32_64()) == HANJI_E_LIMIT);
}

int main(void)
{
    static const test_case cases[] = {
        {"schwaemm equals singles", schwaemm_equals_singles},
        {"longer schwaemm equals singles", longer_schwaemm_equals_singles},
        {"modes equal singles", modes_equal_singles},
        {"hashes equal singles", hashes_equal_singles},
        {"few are like many", few_are_like_many},
        {"refused", refused},
        {"few are refused", few_are_refused},
        {"few keep to limits", few_keep_to_limits},
        {"limits", limits},
    };
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
