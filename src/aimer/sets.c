/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parameter sets (AIMer v3.0; AIMer v2.1, tables 2 and 3 of its specification; AIMer v1.0,
 * section 2), and the chains of their power maps. A chain of v1.0 or v2.1 needs fewest products for
 * its exponent among those that a search over short grammars of its binary digits found; tests
 * compare it with the exponent. gamma: the first 1408 bits of the fractional part of pi, cut in
 * order.
 */
#include "aimer/generation.h"
#include "support/bytes.h"

/* clang-format off */
static const hanji_aimer_level level3_128 = {
    .generation = &hanji_aimer_generation3, .words = 2, .sboxes = 2, .openings = 3, .rate = 168,
    .exponent = {3, 7, 11},
    .chain = {{10, {{0, 1, 0}, {1, 1, 0}, {2, 1, 0}, {3, 3, 2}, {4, 4, 3}, {5, 11, 5}, {6, 7, 4}, {7, 29, 7}, {8, 58, 8}, {9, 11, 5}}}},
    .tap = {2, 4, 5},
};
static const hanji_aimer_level level3_192 = {
    .generation = &hanji_aimer_generation3, .words = 3, .sboxes = 2, .openings = 3, .rate = 136,
    .exponent = {11, 23, 47},
    .chain = {{12, {{0, 1, 0}, {1, 2, 1}, {2, 4, 2}, {3, 2, 1}, {4, 1, 0}, {5, 11, 5}, {6, 1, 0}, {7, 22, 6}, {8, 2, 1}, {8, 45, 8}, {10, 90, 10}, {11, 11, 5}}}},
    .tap = {5, 7, 9},
};
static const hanji_aimer_level level3_256 = {
    .generation = &hanji_aimer_generation3, .words = 4, .sboxes = 3, .openings = 4, .rate = 136,
    .exponent = {3, 7, 11, 19},
    .chain = {{12, {{0, 1, 0}, {1, 1, 0}, {2, 1, 0}, {3, 3, 2}, {4, 4, 3}, {5, 7, 4}, {6, 1, 0}, {7, 18, 6}, {8, 37, 8}, {9, 11, 5}, {10, 85, 10}, {11, 85, 10}}}},
    .tap = {2, 4, 5, 7},
};
static const hanji_aimer_level level2_128 = {
    .generation = &hanji_aimer_generation2, .words = 2, .sboxes = 2, .openings = 1, .rate = 168,
    .exponent = {49, 91, 3},
    .chain = {{9, {{0, 2, 0}, {1, 1, 0}, {1, 4, 2}, {3, 4, 1}, {4, 7, 3}, {5, 12, 4}, {6, 18, 5}, {7, 49, 7}, {8, 31, 6}}},
              {13, {{0, 2, 0}, {1, 3, 1}, {2, 6, 2}, {3, 3, 1}, {4, 1, 0}, {5, 17, 5}, {3, 6, 2}, {7, 1, 0}, {6, 20, 8}, {9, 17, 5}, {10, 20, 8}, {11, 34, 6}, {12, 4, 1}}},
              {2, {{0, 1, 0}, {1, 1, 0}}}},
    .gamma = {{0x13198a2e03707344, 0x243f6a8885a308d3}, {0x082efa98ec4e6c89, 0xa4093822299f31d0}},
};
static const hanji_aimer_level level2_192 = {
    .generation = &hanji_aimer_generation2, .words = 3, .sboxes = 2, .openings = 1, .rate = 136,
    .exponent = {17, 47, 5},
    .chain = {{11, {{0, 2, 0}, {0, 4, 1}, {2, 5, 2}, {3, 5, 2}, {4, 1, 0}, {5, 17, 5}, {6, 34, 6}, {7, 68, 7}, {8, 34, 6}, {9, 17, 5}, {10, 6, 2}}},
              {11, {{0, 1, 0}, {1, 2, 0}, {2, 4, 2}, {3, 8, 3}, {4, 16, 4}, {5, 8, 3}, {6, 4, 2}, {7, 2, 1}, {8, 47, 8}, {9, 94, 9}, {10, 5, 2}}},
              {3, {{0, 1, 0}, {1, 1, 0}, {2, 2, 1}}}},
    .gamma = {{0xc0ac29b7c97c50dd, 0xbe5466cf34e90c6c, 0x452821e638d01377}, {0xd1310ba698dfb5ac, 0x9216d5d98979fb1b, 0x3f84d5b5b5470917}},
};
static const hanji_aimer_level level2_256 = {
    .generation = &hanji_aimer_generation2, .words = 4, .sboxes = 3, .openings = 1, .rate = 136,
    .exponent = {11, 141, 7, 3},
    .chain = {{12, {{0, 2, 0}, {1, 3, 1}, {2, 3, 1}, {3, 1, 0}, {4, 11, 4}, {5, 22, 5}, {6, 44, 6}, {7, 88, 7}, {8, 44, 6}, {9, 22, 5}, {10, 11, 4}, {11, 4, 1}}},
              {13, {{0, 4, 0}, {0, 8, 1}, {2, 11, 2}, {3, 3, 0}, {4, 26, 4}, {5, 52, 5}, {6, 23, 3}, {7, 11, 2}, {8, 3, 0}, {9, 104, 6}, {10, 4, 0}, {11, 4, 0}, {12, 4, 0}}},
              {10, {{0, 1, 0}, {1, 2, 0}, {2, 2, 1}, {3, 7, 3}, {4, 14, 4}, {5, 28, 5}, {6, 56, 6}, {7, 112, 7}, {8, 28, 5}, {9, 5, 2}}},
              {2, {{0, 1, 0}, {1, 1, 0}}}},
    .gamma = {{0x24a19947b3916cf7, 0xba7c9045f12c7f99, 0xb8e1afed6a267e96, 0x2ffd72dbd01adfb7}, {0x0d95748f728eb658, 0xa458fea3f4933d7e, 0x636920d871574e69, 0x0801f2e2858efc16}, {0xc5d1b023286085f0, 0x9c30d5392af26013, 0x7b54a41dc25a59b5, 0x718bcd5882154aee}},
};
static const hanji_aimer_level level1_128 = {
    .generation = &hanji_aimer_generation1, .words = 2, .sboxes = 2, .openings = 1, .rate = 168,
    .exponent = {3, 27, 5},
    .chain = {{2, {{0, 1, 0}, {1, 1, 0}}},
              {6, {{0, 1, 0}, {1, 1, 0}, {2, 3, 2}, {3, 6, 3}, {4, 12, 4}, {5, 3, 2}}},
              {3, {{0, 1, 0}, {1, 1, 0}, {2, 2, 1}}}},
};
static const hanji_aimer_level level1_192 = {
    .generation = &hanji_aimer_generation1, .words = 3, .sboxes = 2, .openings = 1, .rate = 136,
    .exponent = {5, 29, 7},
    .chain = {{3, {{0, 1, 0}, {1, 1, 0}, {2, 2, 1}}},
              {7, {{0, 1, 0}, {1, 1, 0}, {2, 3, 2}, {3, 1, 0}, {4, 7, 4}, {5, 14, 5}, {6, 1, 0}}},
              {4, {{0, 1, 0}, {1, 1, 0}, {2, 3, 2}, {3, 1, 0}}}},
};
static const hanji_aimer_level level1_256 = {
    .generation = &hanji_aimer_generation1, .words = 4, .sboxes = 3, .openings = 1, .rate = 136,
    .exponent = {3, 53, 7, 5},
    .chain = {{2, {{0, 1, 0}, {1, 1, 0}}},
              {8, {{0, 1, 0}, {1, 1, 0}, {2, 3, 2}, {3, 6, 3}, {4, 12, 4}, {5, 24, 5}, {6, 3, 2}, {7, 2, 1}}},
              {4, {{0, 1, 0}, {1, 1, 0}, {2, 3, 2}, {3, 1, 0}}},
              {3, {{0, 1, 0}, {1, 1, 0}, {2, 2, 1}}}},
};

static const hanji_aimer sets[] = {
    /* name, level, id, repetitions, depth, parties, public key, secret key, signature */
    {"aimer3-128f", &level3_128, 0x00, 33, 4, 16, 32, 48, 6944},
    {"aimer3-128s", &level3_128, 0x10, 17, 8, 256, 32, 48, 4704},
    {"aimer3-192f", &level3_192, 0x20, 49, 4, 16, 48, 72, 15408},
    {"aimer3-192s", &level3_192, 0x30, 25, 8, 256, 48, 72, 10320},
    {"aimer3-256f", &level3_256, 0x40, 65, 4, 16, 64, 96, 31360},
    {"aimer3-256s", &level3_256, 0x50, 33, 8, 256, 64, 96, 20224},
    {"aimer2-128f", &level2_128, 0, 33, 4, 16, 32, 48, 5888},
    {"aimer2-128s", &level2_128, 0, 17, 8, 256, 32, 48, 4160},
    {"aimer2-192f", &level2_192, 0, 49, 4, 16, 48, 72, 13056},
    {"aimer2-192s", &level2_192, 0, 25, 8, 256, 48, 72, 9120},
    {"aimer2-256f", &level2_256, 0, 65, 4, 16, 64, 96, 25120},
    {"aimer2-256s", &level2_256, 0, 33, 8, 256, 64, 96, 17056},
    {"aimer1-l1-param1", &level1_128, 1, 33, 4, 16, 33, 49, 5904},
    {"aimer1-l1-param2", &level1_128, 2, 23, 6, 57, 33, 49, 4880},
    {"aimer1-l1-param3", &level1_128, 3, 17, 8, 256, 33, 49, 4176},
    {"aimer1-l1-param4", &level1_128, 4, 13, 11, 1615, 33, 49, 3840},
    {"aimer1-l3-param1", &level1_192, 5, 49, 4, 16, 49, 73, 13080},
    {"aimer1-l3-param2", &level1_192, 6, 33, 6, 64, 49, 73, 10440},
    {"aimer1-l3-param3", &level1_192, 7, 25, 8, 256, 49, 73, 9144},
    {"aimer1-l3-param4", &level1_192, 8, 19, 11, 1621, 49, 73, 8352},
    {"aimer1-l5-param1", &level1_256, 9, 65, 4, 16, 65, 97, 25152},
    {"aimer1-l5-param2", &level1_256, 10, 44, 6, 62, 65, 97, 19904},
    {"aimer1-l5-param3", &level1_256, 11, 33, 8, 256, 65, 97, 17088},
    {"aimer1-l5-param4", &level1_256, 12, 25, 11, 1623, 65, 97, 15392},
};
/* clang-format on */

size_t hanji_aimer_count(void)
{
    return sizeof sets / sizeof sets[0];
}

const hanji_aimer *hanji_aimer_at(size_t index)
{
    return index < hanji_aimer_count() ? &sets[index] : NULL;
}

const hanji_aimer *hanji_aimer_by_name(const char *name)
{
    for (size_t i = 0; name != NULL && i < hanji_aimer_count(); i++) {
        size_t at = 0;
        while (sets[i].name[at] != '\0' && sets[i].name[at] == name[at])
            at++;
        if (sets[i].name[at] == name[at])
            return &sets[i];
    }
    return NULL;
}

const char *hanji_aimer_name(const hanji_aimer *set)
{
    return set == NULL ? NULL : set->name;
}

int hanji_aimer_is_broken(const hanji_aimer *set)
{
    return set == NULL || set->level->generation->broken;
}

size_t hanji_aimer_public_key_bytes(const hanji_aimer *set)
{
    return set == NULL ? 0 : set->public_bytes;
}

size_t hanji_aimer_secret_key_bytes(const hanji_aimer *set)
{
    return set == NULL ? 0 : set->secret_bytes;
}

size_t hanji_aimer_signature_bytes(const hanji_aimer *set)
{
    return set == NULL ? 0 : set->signature_bytes;
}
