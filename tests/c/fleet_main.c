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
        {"refused", refused},
        {"limits", limits},
    };
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
