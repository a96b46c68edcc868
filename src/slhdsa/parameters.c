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

void hanji_slhdsa_split(hanji_slhdsa_place *place, const uint8_t *digest, const hanji_slhdsa *set)
{
    const uint32_t a = set->fors_height, bits = slh_tree_bits(set);
    for (uint32_t t = 0; t < set->fors_trees; t++)
        place->opened[t] = bits_at(digest, a * t, a);
    /* Of both numbers the low bits count. */
    const uint8_t *at = digest + slh_fors_digest_bytes(set);
    const uint8_t *leaf = at + (bits + 7) / 8;
    place->tree = 0;
    for (; at < leaf; at++)
        place->tree = place->tree << 8 | *at;
    if (bits < 64)
        place->tree &= ((uint64_t)1 << bits) - 1;
    place->leaf = 0;
    for (uint32_t i = 0; i < (set->height + 7u) / 8; i++)
        place->leaf = place->leaf << 8 | leaf[i];
    place->leaf &= (1u << set->height) - 1;
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
