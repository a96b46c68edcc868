/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every kernel of every tier against portable C: random and edge inputs, every tail up to three
 * groups of the smallest kernels, unaligned, in place, counters that carry over 16, 32, 48 and 64
 * bits and over the whole block, and inaccessible pages directly behind the buffers; and fleets,
 * with keys of their own or one.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "hanji/hanji.h"

#define ROOM \
    ((size_t)40 * 1024) /* three times the largest group of any kernel, in bytes, and a tail */

static uint64_t seed = 0x243f6a8885a308d3;

static uint8_t random_byte(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint8_t)(seed >> 32);
}

static void fill_random(uint8_t *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        p[i] = random_byte();
}

/* A buffer that ends where a page without access begins. */
static uint8_t *guarded_end(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (ROOM + page - 1) / page * page;
    uint8_t *p =
        mmap(NULL, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p + bytes, page, PROT_NONE) != 0)
        exit(3);
    return p + bytes;
}

static uint8_t *in_end, *out_end;
static uint8_t expected[ROOM], input[ROOM];
static const hanji_cipher *cipher;
static hanji_any_block_ctx key;

/*
 * One call over `blocks` blocks, `shift` bytes before the guard page; in place when `same`. Returns
 * 0 when it differs from portable C.
 */
static int agree(const char *tier, int operation, size_t blocks, size_t extra, size_t shift,
                 int same, const uint8_t *iv)
{
    const size_t n = hanji_cipher_block_bytes(cipher), bytes = blocks * n + extra;
    uint8_t *in = in_end - bytes - shift, *out = same ? in : out_end - bytes - shift;
    for (int pass = 0; pass < 2; pass++) {
        int rc = hanji_force(pass == 0 ? "portable" : tier);
        memcpy(in, input, bytes);
        if (operation == 0)
            rc |= hanji_block_encrypt(out, in, blocks, &key.head);
        else if (operation == 1)
            rc |= hanji_block_decrypt(out, in, blocks, &key.head);
        else {
            hanji_ctr_ctx ctr;
            rc |= hanji_ctr_init(iv, n, &key.head, &ctr);
            /* In two pieces, so that the stream goes on from where the kernels left the counter. */
            const size_t first = bytes / 3;
            rc |= hanji_ctr_update(out, in, first, &ctr) |
                  hanji_ctr_update(out + first, in + first, bytes - first, &ctr);
        }
        if (rc != 0)
            return 0;
        if (pass == 0)
            memcpy(expected, out, bytes);
    }
    return memcmp(expected, out, bytes) == 0;
}

static int sweep(const char *tier)
{
    const size_t n = hanji_cipher_block_bytes(cipher), most = ROOM / n - 2;
    uint8_t iv[HANJI_BLOCK_BYTES_MAX];
    for (size_t blocks = 0; blocks <= most; blocks += blocks < 100 ? 1 : 97 + random_byte()) {
        fill_random(input, blocks * n + n);
        for (int operation = 0; operation < 2; operation++)
            if (!agree(tier, operation, blocks, 0, random_byte() & 1 ? 0 : random_byte() % 64,
                       random_byte() & 1, NULL))
                return 0;
        /* Counters a few blocks before a carry out of the lowest 1, 2, ... bytes, or out of all. */
        for (size_t carry = 1; carry <= n; carry++) {
            fill_random(iv, n);
            memset(iv + n - carry, 0xff, carry);
            iv[n - 1] = (uint8_t)(0xff - random_byte() % 40);
            if (!agree(tier, 2, blocks, random_byte() % n, random_byte() % 64, random_byte() & 1,
                       iv))
                return 0;
        }
    }
    return 1;
}

/* The algorithm that is asked for; NULL: all. */
static const char *only;

static int left_out(const char *name)
{
    return only != NULL && strcmp(name, only) != 0;
}

static void every_cipher(const char *tier)
{
    for (size_t c = 0; c < hanji_cipher_count(); c++) {
        cipher = hanji_cipher_at(c);
        case_context = hanji_cipher_name(cipher);
        if (left_out(case_context))
            continue;
        uint8_t bytes[HANJI_BLOCK_KEY_BYTES_MAX];
        fill_random(bytes, sizeof bytes);
        CHECK(hanji_block_init(bytes, hanji_cipher_key_bytes(cipher), cipher, &key.head,
                               sizeof key) == HANJI_OK);
        CHECK(hanji_block_set_limit(UINT64_MAX, &key.head) == HANJI_OK);
        CHECK(sweep(tier));
    }
}

/*
 * Fleets: random counts, lengths, associated data and keys, sealed and opened with some tags
 * spoilt, in place and not.
 */
#define FLEET_MAX 300

typedef int64_t fleet_call(const hanji_fleet *fleet);
static const struct {
    const char *name;
    fleet_call *seal, *open;
    size_t key, nonce, tag, rate;
} fleets[] = {
    {"schwaemm256-128", hanji_schwaemm256_128_fleet_encrypt, hanji_schwaemm256_128_fleet_decrypt,
     16, 32, 16, 32},
    {"schwaemm192-192", hanji_schwaemm192_192_fleet_encrypt, hanji_schwaemm192_192_fleet_decrypt,
     24, 24, 24, 24},
    {"schwaemm128-128", hanji_schwaemm128_128_fleet_encrypt, hanji_schwaemm128_128_fleet_decrypt,
     16, 16, 16, 16},
    {"schwaemm256-256", hanji_schwaemm256_256_fleet_encrypt, hanji_schwaemm256_256_fleet_decrypt,
     32, 32, 32, 32},
    {"ascon-aead128", hanji_ascon_aead128_fleet_encrypt, hanji_ascon_aead128_fleet_decrypt, 16, 16,
     16, 16},
};

static int64_t offsets[FLEET_MAX + 1], ad_offsets[FLEET_MAX + 1];
static uint8_t text[2][ROOM], ad[ROOM], keys[FLEET_MAX * 32], nonces[FLEET_MAX * 80],
    tags[2][FLEET_MAX * 32];
static int8_t status[2][FLEET_MAX];

/*
 * Lengths around the rate and its multiples, many of them 0; now and then a long one that outlasts
 * its neighbours.
 */
static void random_offsets(int64_t *to, size_t n, size_t rate, size_t room)
{
    to[0] = random_byte() % 5;
    for (size_t i = 0; i < n; i++) {
        const size_t kind = random_byte() % 8,
                     base = rate * (random_byte() % 4) + (size_t)(random_byte() % 3);
        size_t length = kind == 0   ? 0
                        : kind == 1 ? (size_t)random_byte() * 8
                        : base == 0 ? 0
                                    : base - 1;
        if ((size_t)to[i] + length > room)
            length = 0;
        to[i + 1] = to[i] + (int64_t)length;
    }
}

/*
 * One length for all; now and then one byte more from some message on, so that not all neighbours
 * are alike.
 */
static void even_offsets(int64_t *to, size_t n, size_t length)
{
    const size_t odd = random_byte() & 3 ? n : random_byte() % n;
    to[0] = random_byte() % 5;
    for (size_t i = 0; i < n; i++)
        to[i + 1] = to[i] + (int64_t)length + (i == odd);
}

#define RAGGED \
    60 /* rounds; then all messages of a round are as long as each other, up to three chunks and a byte */

/* Messages `first` to `end` - 1 of one length, those behind them as they were where that fits. */
static void even_stretch(int64_t *to, size_t first, size_t end, size_t n, size_t room)
{
    const size_t most = end > first ? (room - (size_t)to[first]) / (end - first) : 0,
                 length = most > 0 ? (size_t)random_byte() % (most < 200 ? most : 200) : 0;
    for (size_t i = first; i < end; i++)
        to[i + 1] = to[i] + (int64_t)length;
    for (size_t i = end; i < n; i++)
        if (to[i + 1] < to[i])
            to[i + 1] = to[i];
}

static void every_fleet(const char *tier)
{
    for (size_t f = 0; f < sizeof fleets / sizeof fleets[0]; f++)
        for (size_t round = 0; round < RAGGED + 3 * fleets[f].rate + 2; round++) {
            case_context = fleets[f].name;
            if (left_out(case_context))
                break;
            const int even = round >= RAGGED;
            const size_t n = even         ? 15u + random_byte() % 50
                             : round < 40 ? round
                                          : (size_t)random_byte() + 30;
            if (even) {
                even_offsets(offsets, n, round - RAGGED);
                even_offsets(ad_offsets, n, random_byte() % (2 * fleets[f].rate + 2));
            } else {
                random_offsets(offsets, n, fleets[f].rate, ROOM);
                random_offsets(ad_offsets, n, fleets[f].rate, ROOM);
            }
            fill_random(input, ROOM);
            fill_random(ad, ROOM);
            fill_random(keys, sizeof keys);
            fill_random(nonces, sizeof nonces);
            const int same = random_byte() & 1;
            uint8_t *const apart = in_end - offsets[n]; /* up to the page without access */
            int64_t failed[2];
            for (int pass = 0; pass < 4; pass++) {
                const int t = pass & 1, opening = pass >> 1;
                memcpy(apart, input, (size_t)offsets[n]);
                hanji_fleet fleet = {.messages = n,
                                     .offsets = offsets,
                                     .input = same ? text[t] : apart,
                                     .output = text[t],
                                     .ad_offsets = round % 3 == 0 ? NULL : ad_offsets,
                                     .ad = ad,
                                     .keys = keys,
                                     .key_stride = round % 5 == 4 ? 0 : fleets[f].key,
                                     .nonces = nonces,
                                     .nonce_bytes = fleets[f].nonce,
                                     .tags = tags[t],
                                     .tag_bytes = fleets[f].tag,
                                     .status = status[t]};
                CHECK(hanji_force(t == 0 ? "portable" : tier) == HANJI_OK);
                if (!opening) {
                    memset(text[t], 0xee, ROOM);
                    if (same)
                        memcpy(text[t], input, ROOM);
                    CHECK(fleets[f].seal(&fleet) == 0);
                } else {
                    failed[t] = fleets[f].open(&fleet);
                }
                if (t == 1) {
                    CHECK(memcmp(text[0], text[1], ROOM) == 0);
                    CHECK(memcmp(tags[0], tags[1], n * fleets[f].tag) == 0);
                    CHECK(memcmp(status[0], status[1], n) == 0);
                    CHECK(!opening || failed[0] == failed[1]);
                }
                if (pass == 1) { /* now open what was sealed, some of it spoilt */
                    int64_t spoilt = 0;
                    for (size_t i = 0; i < n; i++)
                        if (random_byte() % 4 == 0) {
                            tags[0][i * fleets[f].tag + random_byte() % fleets[f].tag] ^=
                                (uint8_t)(1 << random_byte() % 8);
                            spoilt++;
                        }
                    memcpy(tags[1], tags[0], sizeof tags[0]);
                    memcpy(input, text[0], ROOM);
                    memcpy(text[1], text[0], ROOM);
                    failed[0] = spoilt;
                }
            }
            int64_t refused = 0;
            for (size_t i = 0; i < n; i++)
                refused += status[1][i] == HANJI_E_TAG;
            CHECK(refused == failed[1]);
        }
}

/* Under a customization string, whose length changes from call to call of a tier. */
static const uint8_t *customization;
static size_t customization_bytes;

static int64_t cxof128_fleet(const hanji_fleet *fleet)
{
    return hanji_ascon_cxof128_fleet(fleet, customization, customization_bytes);
}

/* Fleets of hashes: random counts and lengths; extendable output of random length. */
static const struct {
    const char *name;
    fleet_call *hash;
    size_t digest; /* 0: any */
} hashes[] = {
    {"esch256", hanji_esch256_fleet, 32},
    {"esch384", hanji_esch384_fleet, 48},
    {"xoesch256", hanji_xoesch256_fleet, 0},
    {"xoesch384", hanji_xoesch384_fleet, 0},
    {"ascon-hash256", hanji_ascon_hash256_fleet, 32},
    {"ascon-xof128", hanji_ascon_xof128_fleet, 0},
    {"ascon-cxof128", cxof128_fleet, 0},
};

static uint8_t digests[2][FLEET_MAX * 80];

static void every_hash_fleet(const char *tier)
{
    for (size_t f = 0; f < sizeof hashes / sizeof hashes[0]; f++)
        for (size_t round = 0; round < RAGGED + 67; round++) {
            case_context = hashes[f].name;
            if (left_out(case_context))
                break;
            const int even = round >= RAGGED;
            const size_t n = even         ? 15u + random_byte() % 50
                             : round < 40 ? round
                                          : (size_t)random_byte() + 30;
            const size_t bytes = hashes[f].digest != 0 ? hashes[f].digest : 1 + random_byte() % 80u;
            if (even)
                even_offsets(offsets, n, round - RAGGED);
            else
                random_offsets(offsets, n, 16, ROOM);
            fill_random(input, ROOM);
            fill_random(keys, sizeof keys);
            customization = keys;
            customization_bytes = round % 257;
            uint8_t *const apart = in_end - offsets[n];
            memcpy(apart, input, (size_t)offsets[n]);
            for (int t = 0; t < 2; t++) {
                memset(digests[t], 0xee, sizeof digests[t]);
                memset(status[t], 1, sizeof status[t]);
                const hanji_fleet fleet = {.messages = n,
                                           .offsets = offsets,
                                           .input = apart,
                                           .tags = digests[t],
                                           .tag_bytes = bytes,
                                           .status = status[t]};
                CHECK(hanji_force(t == 0 ? "portable" : tier) == HANJI_OK);
                CHECK(hashes[f].hash(&fleet) == 0);
            }
            CHECK(memcmp(digests[0], digests[1], sizeof digests[0]) == 0);
            CHECK(memcmp(status[0], status[1], sizeof status[0]) == 0);
        }
}

/*
 * CTR over many messages: random counts and lengths, counters about to carry, one key or one for
 * each, limits that some messages exceed, in place and not.
 */
static void every_ctr_fleet(const char *tier)
{
    for (size_t c = 0; c < hanji_cipher_count(); c++)
        for (size_t round = 0; round < 50; round++) {
            cipher = hanji_cipher_at(c);
            case_context = hanji_cipher_name(cipher);
            if (left_out(case_context))
                break;
            const size_t n = round < 36 ? round : (size_t)random_byte() + 30,
                         block = hanji_cipher_block_bytes(cipher);
            random_offsets(offsets, n, 16 * ((round & 3) + 1), ROOM);
            if (round % 7 == 6) /* one that is long enough to go alone */
                for (size_t i = n / 2 + 1; i <= n; i++)
                    offsets[i] =
                        offsets[i] + 3000 < (int64_t)ROOM ? offsets[i] + 3000 : (int64_t)ROOM;
            /*
             * and many of one length, from the first on or not, which go through kernels of their
             * own
             */
            if (round % 3 != 0)
                even_stretch(offsets, round % 2 == 0 ? 0 : n / 8, n - n / 8, n, ROOM);
            fill_random(input, ROOM);
            fill_random(keys, sizeof keys);
            fill_random(nonces, sizeof nonces);
            for (size_t i = 0; i < n; i += 2) {
                const size_t carry = (size_t)random_byte() % (block + 1);
                memset(nonces + (i + 1) * block - carry, 0xff, carry);
            }
            const int same = random_byte() & 1;
            int64_t failed[2];
            for (int t = 0; t < 2; t++) {
                memset(text[t], 0xee, ROOM);
                if (same)
                    memcpy(text[t], input, ROOM);
                const hanji_fleet fleet = {
                    .messages = n,
                    .offsets = offsets,
                    .input = same ? text[t] : input,
                    .output = text[t],
                    .keys = keys,
                    .key_stride = round % 3 == 2 ? 0 : hanji_cipher_key_bytes(cipher),
                    .nonces = nonces,
                    .nonce_bytes = block,
                    .status = status[t],
                    .limit = round % 5 == 4 && round % 3 != 2 ? 9 : UINT64_MAX};
                CHECK(hanji_force(t == 0 ? "portable" : tier) == HANJI_OK);
                failed[t] = hanji_ctr_fleet(&fleet, cipher);
            }
            CHECK(failed[0] >= 0 && failed[0] == failed[1]);
            CHECK(memcmp(text[0], text[1], ROOM) == 0);
            CHECK(memcmp(status[0], status[1], n) == 0);
        }
}

/* What a call of EAX or CMAC over many messages gives on portable C and on the tier. */
static void on_both_tiers(const char *tier, const hanji_fleet *fleet,
                          int64_t (*run)(const hanji_fleet *, const hanji_cipher *))
{
    int64_t failed[2];
    const size_t n = fleet->messages;
    const int same = fleet->output == input;
    for (int t = 0; t < 2; t++) {
        hanji_fleet call = *fleet;
        call.status = status[t];
        call.tags = tags[t];
        memset(text[t], 0xee, ROOM);
        memset(status[t], 0x55, sizeof status[t]);
        if (same)
            memcpy(text[t], input, ROOM);
        if (fleet->output != NULL) {
            call.input = same ? text[t] : input;
            call.output = text[t];
        }
        CHECK(hanji_force(t == 0 ? "portable" : tier) == HANJI_OK);
        failed[t] = run(&call, cipher);
    }
    CHECK(failed[0] == failed[1]);
    CHECK(memcmp(text[0], text[1], ROOM) == 0);
    CHECK(memcmp(tags[0], tags[1], sizeof tags[0]) == 0);
    CHECK(memcmp(status[0], status[1], n) == 0);
}

static size_t forge(size_t n, size_t tag_bytes)
{
    size_t forged = 0;
    for (size_t i = 0; i < n; i++)
        if (random_byte() % 4 == 0) {
            tags[0][i * tag_bytes + random_byte() % tag_bytes] ^= (uint8_t)(1 << random_byte() % 8);
            forged++;
        }
    memcpy(tags[1], tags[0], sizeof tags[0]);
    return forged;
}

/*
 * EAX and CMAC over many messages: as many as lanes, one more, one less and others; texts,
 * associated data and nonces of all kinds of lengths, some of texts long, some of one length; tags of all sizes, some
 * forged; one key or one for each, limits that some messages exceed, in place and not.
 */
static void every_chain_fleet(const char *tier)
{
    for (size_t c = 0; c < hanji_cipher_count(); c++)
        for (size_t round = 0; round < 48; round++) {
            cipher = hanji_cipher_at(c);
            case_context = hanji_cipher_name(cipher);
            if (left_out(case_context))
                break;
            const size_t block = hanji_cipher_block_bytes(cipher),
                         n = round < 40 ? round + round / 8 : (size_t)random_byte() + 30,
                         nonce = 1 + random_byte() % (round % 4 == 0 ? 80 : 2 * block + 1),
                         tag_bytes = round % 4 == 0 ? block : 1 + random_byte() % block;
            if (block != 8 && block != 16)
                break;
            random_offsets(offsets, n, block << (round & 3), ROOM);
            if (round % 6 == 4) { /* of one length, from 1 byte to 4 blocks */
                const int64_t bytes = 1 + (int64_t)(random_byte() % (4 * block));
                for (size_t i = 0; i < n; i++)
                    offsets[i + 1] = offsets[i] + bytes;
            }
            random_offsets(ad_offsets, n, block, ROOM);
            fill_random(input, ROOM);
            fill_random(ad, ROOM);
            fill_random(keys, sizeof keys);
            fill_random(nonces, sizeof nonces);
            const int same = random_byte() & 1, one_key = round % 3 == 2;
            hanji_fleet fleet = {.messages = n,
                                 .offsets = offsets,
                                 .input = input,
                                 .output = same ? input : text[0],
                                 .ad_offsets = round % 5 == 0 ? NULL : ad_offsets,
                                 .ad = ad,
                                 .keys = keys,
                                 .key_stride = one_key ? 0 : hanji_cipher_key_bytes(cipher),
                                 .nonces = nonces,
                                 .nonce_bytes = nonce,
                                 .tag_bytes = tag_bytes,
                                 .limit = round % 7 == 4 && !one_key ? 15 : UINT64_MAX};
            memset(tags, 0xee, sizeof tags);
            on_both_tiers(tier, &fleet, hanji_eax_fleet_encrypt);
            if (fleet.limit == UINT64_MAX) { /* open it, some of it forged */
                CHECK(all_are(status[1], n, HANJI_OK));
                const size_t forged = forge(n, tag_bytes);
                memcpy(input, text[0], ROOM);
                on_both_tiers(tier, &fleet, hanji_eax_fleet_decrypt);
                size_t refused = 0;
                for (size_t i = 0; i < n; i++)
                    refused += status[1][i] == HANJI_E_TAG;
                CHECK(refused == forged);
            }
            fleet.output = NULL;
            fleet.nonces = NULL;
            on_both_tiers(tier, &fleet, hanji_cmac_fleet);
            (void)forge(n, tag_bytes);
            on_both_tiers(tier, &fleet, hanji_cmac_fleet_verify);
            if (case_failed)
                return;
        }
}

static const char *tier_name;

static void chain_fleets_of_tier(void)
{
    every_chain_fleet(tier_name);
}

static void fleets_of_tier(void)
{
    every_fleet(tier_name);
    if (!case_failed)
        every_hash_fleet(tier_name);
}

static void ctr_fleets_of_tier(void)
{
    every_ctr_fleet(tier_name);
}

static void one_tier(void)
{
    every_cipher(tier_name);
}

/* Usage: kernels TIER [ALGORITHM]. Exit status 77 when this machine cannot run the tier. */
int main(int argc, char **argv)
{
    if (argc != 2 && argc != 3)
        return 2;
    tier_name = argv[1];
    if (argc == 3)
        only = argv[2];
    if (hanji_force(tier_name) != HANJI_OK)
        return 77;
    in_end = guarded_end();
    out_end = guarded_end();
    const test_case cases[] = {{"blocks", one_tier},
                               {"fleets", fleets_of_tier},
                               {"ctr fleets", ctr_fleets_of_tier},
                               {"eax and cmac fleets", chain_fleets_of_tier}};
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
