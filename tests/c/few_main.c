/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What fleets of few messages cost, in percent of a loop of calls for one message: the least of
 * many turns, in which both take turns. A line for each: algorithm, bytes, messages, percent. Where
 * there are 17 messages, the percent are of what 16 and 1 cost.
 */
#include "hanji/hanji.h"

#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { MOST = 17, BYTES = 64, TURNS = 40 };

static uint8_t input[MOST * BYTES], output[MOST * BYTES], keys[16 * MOST], nonces[32 * MOST],
    tags[32 * MOST];
static int64_t offsets[MOST + 1];
static int8_t status[MOST];
static const hanji_cipher *cipher;
static hanji_any_block_ctx key;
static int failed;

static int ascon_one(size_t i, size_t bytes)
{
    return hanji_ascon_aead128_encrypt_detached(output + i * bytes, tags + 16 * i,
                                                input + i * bytes, bytes, NULL, 0, nonces + 16 * i,
                                                keys + 16 * i);
}

static int schwaemm_one(size_t i, size_t bytes)
{
    return hanji_schwaemm256_128_encrypt_detached(output + i * bytes, tags + 16 * i,
                                                  input + i * bytes, bytes, NULL, 0,
                                                  nonces + 32 * i, keys + 16 * i);
}

static int ctr_one(size_t i, size_t bytes)
{
    return hanji_ctr(output + i * bytes, input + i * bytes, bytes, nonces + 8 * i, 8, keys + 16 * i,
                     16, cipher);
}

static int eax_one(size_t i, size_t bytes)
{
    hanji_eax_ctx eax;
    int rc = hanji_block_init(keys + 16 * i, 16, cipher, &key.head, sizeof key);
    if (rc == HANJI_OK)
        rc = hanji_eax_init(8, &key.head, &eax);
    return rc != HANJI_OK
               ? rc
               : hanji_eax_encrypt_detached(output + i * bytes, tags + 8 * i, input + i * bytes,
                                            bytes, NULL, 0, nonces + 8 * i, 8, &eax);
}

static int cmac_one(size_t i, size_t bytes)
{
    const int rc = hanji_block_init(keys + 16 * i, 16, cipher, &key.head, sizeof key);
    return rc != HANJI_OK ? rc : hanji_cmac(tags + 8 * i, 8, input + i * bytes, bytes, &key.head);
}

static int esch_one(size_t i, size_t bytes)
{
    return hanji_esch256(tags + 32 * i, input + i * bytes, bytes);
}

static int hash_one(size_t i, size_t bytes)
{
    return hanji_ascon_hash256(tags + 32 * i, input + i * bytes, bytes);
}

/* Under one key for all. */
static int shared_one(size_t i, size_t bytes)
{
    return hanji_ctr(output + i * bytes, input + i * bytes, bytes, nonces + 8 * i, 8, keys, 16,
                     cipher);
}

static int64_t ctr_fleet(const hanji_fleet *fleet)
{
    return hanji_ctr_fleet(fleet, cipher);
}

static int64_t eax_fleet(const hanji_fleet *fleet)
{
    return hanji_eax_fleet_encrypt(fleet, cipher);
}

static int64_t cmac_fleet(const hanji_fleet *fleet)
{
    return hanji_cmac_fleet(fleet, cipher);
}

static const struct {
    const char *name;
    int (*one)(size_t i, size_t bytes);
    int64_t (*fleet)(const hanji_fleet *fleet);
    size_t stride, nonce_bytes, tag_bytes;
} kinds[] = {{"ascon-aead128", ascon_one, hanji_ascon_aead128_fleet_encrypt, 16, 16, 16},
             {"schwaemm256-128", schwaemm_one, hanji_schwaemm256_128_fleet_encrypt, 16, 32, 16},
             {"ascon-hash256", hash_one, hanji_ascon_hash256_fleet, 0, 0, 32},
             {"esch256", esch_one, hanji_esch256_fleet, 0, 0, 32},
             {"ctr", ctr_one, ctr_fleet, 16, 8, 0},
             {"ctr-one-key", shared_one, ctr_fleet, 0, 8, 0},
             {"eax", eax_one, eax_fleet, 16, 8, 8},
             {"cmac", cmac_one, cmac_fleet, 16, 0, 8}};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The nanoseconds of a call for so many messages, and of as many calls. */
static void measure(double least[2], size_t kind, size_t count, size_t bytes)
{
    const hanji_fleet fleet = {.messages = count,
                               .offsets = offsets,
                               .input = input,
                               .output = output,
                               .keys = keys,
                               .key_stride = kinds[kind].stride,
                               .nonces = nonces,
                               .nonce_bytes = kinds[kind].nonce_bytes,
                               .tags = tags,
                               .tag_bytes = kinds[kind].tag_bytes,
                               .status = status};
    const int times = (int)(64 / count);
    least[0] = least[1] = 1e18;
    for (int turn = 0; turn < 2 * TURNS; turn++) {
        const int loop = turn & 1;
        const double begin = now();
        for (int t = 0; t < times; t++) {
            if (!loop)
                failed |= kinds[kind].fleet(&fleet) != 0;
            for (size_t i = 0; loop && i < count; i++)
                failed |= kinds[kind].one(i, bytes) != HANJI_OK;
        }
        const double took = (now() - begin) / times;
        least[loop] = took < least[loop] ? took : least[loop];
    }
}

int main(void)
{
    static const size_t sizes[] = {16, BYTES};
    cipher = hanji_speck64_128();
    for (size_t i = 0; i < sizeof keys; i++)
        keys[i] = (uint8_t)(7 * i);
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
        for (size_t s = 0; s < 2; s++) {
            double fleets[MOST + 1];
            for (int i = 0; i <= MOST; i++)
                offsets[i] = i * (int64_t)sizes[s];
            for (size_t count = 1; count <= MOST; count++) {
                double least[2];
                measure(least, kind, count, sizes[s]);
                fleets[count] = least[0];
                const double whole = count < MOST ? least[1] : fleets[16] + fleets[1];
                printf("%s %d %d %d\n", kinds[kind].name, (int)sizes[s], (int)count,
                       (int)(100 * least[0] / whole + .5));
            }
        }
    return failed;
}
