/* SPDX-License-Identifier: Apache-2.0 */
/* The parameter sets of SLH-DSA (FIPS 205, table 2), and what a message selects of a key. */
#include "slhdsa/slhdsa.h"

/* clang-format off */
static const hanji_slhdsa sets[] = {
    /* name, n / 8, d, h', a, k */
    {"slh-dsa-shake-128s", 2, 7, 9, 12, 14},
    {"slh-dsa-shake-128f", 2, 22, 3, 6, 33},
    {"slh-dsa-shake-192s", 3, 7, 9, 14, 17},
    {"slh-dsa-shake-192f", 3, 22, 3, 8, 33},
    {"slh-dsa-shake-256s", 4, 8, 8, 14, 22},
    {"slh-dsa-shake-256f", 4, 17, 4, 9, 35},
};
/* clang-format on */

size_t hanji_slhdsa_count(void)
{
    return sizeof sets / sizeof sets[0];
}

const hanji_slhdsa *hanji_slhdsa_at(size_t index)
{
    return index < hanji_slhdsa_count() ? &sets[index] : NULL;
}

static int text_equal(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    return *a == *b;
}

const hanji_slhdsa *hanji_slhdsa_by_name(const char *name)
{
    for (size_t i = 0; name != NULL && i < hanji_slhdsa_count(); i++)
        if (text_equal(sets[i].name, name))
            return &sets[i];
    return NULL;
}

const char *hanji_slhdsa_name(const hanji_slhdsa *set)
{
    return set == NULL ? NULL : set->name;
}

size_t hanji_slhdsa_public_key_bytes(const hanji_slhdsa *set)
{
    return set == NULL ? 0 : 2 * slh_n(set);
}

size_t hanji_slhdsa_secret_key_bytes(const hanji_slhdsa *set)
{
    return set == NULL ? 0 : 4 * slh_n(set);
}

size_t hanji_slhdsa_seeds_bytes(const hanji_slhdsa *set)
{
    return set == NULL ? 0 : 3 * slh_n(set);
}

size_t hanji_slhdsa_signature_bytes(const hanji_slhdsa *set)
{
    return set == NULL ? 0 : slh_n(set) + slh_fors_bytes(set) + set->layers * slh_xmss_bytes(set);
}

int hanji_slhdsa_offers(const hanji_slhdsa *set, int mode)
{
    return mode == HANJI_SLHDSA_PURE || mode == HANJI_SLHDSA_SHAKE256 ||
           (mode == HANJI_SLHDSA_SHAKE128 && set->words == 2);
}

int hanji_slhdsa_mode(const char *pre_hash, const hanji_slhdsa *set)
{
    if (set == NULL)
        return HANJI_E_ARGUMENT;
    if (pre_hash == NULL)
        return HANJI_SLHDSA_PURE;
    if (text_equal(pre_hash, "SHAKE256"))
        return HANJI_SLHDSA_SHAKE256;
    return set->words == 2 && text_equal(pre_hash, "SHAKE128") ? HANJI_SLHDSA_SHAKE128
                                                               : HANJI_E_ARGUMENT;
}

/* Bits `at` to `at` + `bits` of a string; the first one is the highest of its first byte. */
static uint32_t bits_at(const uint8_t *string, uint32_t at, uint32_t bits)
{
    uint32_t value = 0;
    for (uint32_t i = at; i < at + bits; i++)
        value = value << 1 | (string[i >> 3] >> (7 - (i & 7)) & 1u);
    return value;
}

uint32_t hanji_slhdsa_opened(const uint8_t *digest, uint32_t tree, const hanji_slhdsa *set)
{
    return bits_at(digest, tree * set->fors_height, set->fors_height);
}

void hanji_slhdsa_indices(uint64_t *tree, uint32_t *leaf, const uint8_t *digest,
                          const hanji_slhdsa *set)
{
    /* Of both numbers the low bits count. */
    const uint32_t bits = slh_tree_bits(set);
    const uint8_t *at = digest + slh_fors_digest_bytes(set), *end = at + (bits + 7) / 8;
    uint64_t number = 0;
    for (; at < end; at++)
        number = number << 8 | *at;
    *tree = bits < 64 ? number & (((uint64_t)1 << bits) - 1) : number;
    uint32_t last = 0;
    for (end += (set->height + 7u) / 8; at < end; at++)
        last = last << 8 | *at;
    *leaf = last & ((1u << set->height) - 1);
}

void hanji_slhdsa_split(hanji_slhdsa_place *place, const uint8_t *digest, const hanji_slhdsa *set)
{
    for (uint32_t t = 0; t < set->fors_trees; t++)
        place->opened[t] = hanji_slhdsa_opened(digest, t, set);
    hanji_slhdsa_indices(&place->tree, &place->leaf, digest, set);
}

void hanji_slhdsa_digits(uint8_t *digits, const uint64_t *value, const hanji_slhdsa *set)
{
    uint32_t sum = 0, count = 0;
    for (uint32_t w = 0; w < set->words; w++)
        for (uint32_t shift = 0; shift < 64; shift += 8) {
            const uint32_t byte = (uint32_t)(value[w] >> shift) & 0xff;
            digits[count++] = (uint8_t)(byte >> 4);
            digits[count++] = (uint8_t)(byte & SLH_STEPS);
            sum += 2 * SLH_STEPS - (byte >> 4) - (byte & SLH_STEPS);
        }
    digits[count++] = (uint8_t)(sum >> 8);
    digits[count++] = (uint8_t)(sum >> 4 & SLH_STEPS);
    digits[count] = (uint8_t)(sum & SLH_STEPS);
}
