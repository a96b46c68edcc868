/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nine parameter sets (round-3 specification, section 3.1): data alone, without libcrypto:
 * programs know sizes and status before they load libhanji-rainbow.
 */
#include "rainbow/sets.h"

static const hanji_rainbow_level level_i = {4, 36, 32, 32, 32};
static const hanji_rainbow_level level_iii = {8, 68, 32, 48, 48};
static const hanji_rainbow_level level_v = {8, 96, 36, 64, 64};

static const char standard[] =
    "Ding et al., Rainbow, NIST PQC round-3 finalist (2020), not selected";
static const char status[] =
    "BROKEN: keys are recovered from public keys (Beullens, CRYPTO 2022); for study and old data "
    "only, never to protect anything";

/* Bytes of the public key, the secret key, the signature and the digest; broken, as `status` says. */
static const hanji_rainbow_set sets[] = {
    {"rainbow-i-classic", standard, status, &level_i, CLASSIC, 161600, 103648, 66, 32, 1},
    {"rainbow-i-cz", standard, status, &level_i, CZ, 60192, 103648, 66, 32, 1},
    {"rainbow-i-compressed", standard, status, &level_i, COMPRESSED, 60192, 2 * SEED_BYTES, 66, 32,
     1},
    {"rainbow-iii-classic", standard, status, &level_iii, CLASSIC, 882080, 626048, 164, 48, 1},
    {"rainbow-iii-cz", standard, status, &level_iii, CZ, 264608, 626048, 164, 48, 1},
    {"rainbow-iii-compressed", standard, status, &level_iii, COMPRESSED, 264608, 2 * SEED_BYTES,
     164, 48, 1},
    {"rainbow-v-classic", standard, status, &level_v, CLASSIC, 1930600, 1408736, 212, 64, 1},
    {"rainbow-v-cz", standard, status, &level_v, CZ, 536136, 1408736, 212, 64, 1},
    {"rainbow-v-compressed", standard, status, &level_v, COMPRESSED, 536136, 2 * SEED_BYTES, 212,
     64, 1},
};

size_t hanji_rainbow_set_count(void)
{
    return sizeof sets / sizeof sets[0];
}

const hanji_rainbow_set *hanji_rainbow_set_at(size_t index)
{
    return index < hanji_rainbow_set_count() ? &sets[index] : NULL;
}
