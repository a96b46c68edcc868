/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The nine parameter sets (round-3 specification, section 3.1), the parts of keys, and working
 * memory.
 */
#include "rainbow/rainbow.h"

static const hanji_rainbow_level level_i = {4, 36, 32, 32, 32};
static const hanji_rainbow_level level_iii = {8, 68, 32, 48, 48};
static const hanji_rainbow_level level_v = {8, 96, 36, 64, 64};

#define STANDARD "Ding et al., Rainbow, NIST PQC round-3 finalist (2020), not selected"
#define STATUS \
    "BROKEN: keys are recovered from public keys (Beullens, CRYPTO 2022); for study and old data only, never to protect anything"

#define SETS(id, level, classic, cz, sk, signature, hash)                                          \
    {"rainbow-" id "-classic", STANDARD, STATUS, &(level), CLASSIC, classic, sk, signature, hash}, \
        {"rainbow-" id "-cz", STANDARD, STATUS, &(level), CZ, cz, sk, signature, hash},            \
    {                                                                                              \
        "rainbow-" id "-compressed", STANDARD, STATUS, &(level), COMPRESSED, cz, 2 * SEED_BYTES,   \
            signature, hash                                                                        \
    }

static const hanji_rainbow_set sets[] = {
    /* Bytes: public keys classic and circumzenithal, long secret key, signature, digest. */
    SETS("i", level_i, 161600, 60192, 103648, 66, 32),
    SETS("iii", level_iii, 882080, 264608, 626048, 164, 48),
    SETS("v", level_v, 1930600, 536136, 1408736, 212, 64),
};

size_t hanji_rainbow_set_count(void)
{
    return sizeof sets / sizeof sets[0];
}

const hanji_rainbow_set *hanji_rainbow_set_at(size_t index)
{
    return index < hanji_rainbow_set_count() ? &sets[index] : NULL;
}

static uint8_t *part(uint8_t **at, size_t bytes)
{
    uint8_t *here = *at;
    *at += bytes;
    return here;
}

void hanji_rainbow_secret_parts(secret_key *parts, uint8_t *key, const hanji_rainbow_level *level)
{
    const size_t v = level->v, o1 = level->o1, o2 = level->o2, w1 = packed(level, o1),
                 w2 = packed(level, o2), wv = packed(level, v);
    *parts = (secret_key){.f1 = {.bytes = w1}, .f2 = {.bytes = w2}};
    parts->seed = part(&key, SEED_BYTES);
    parts->s1 = part(&key, o2 * w1);
    parts->t1 = part(&key, o1 * wv);
    parts->t4 = part(&key, o2 * wv);
    parts->t3 = part(&key, o2 * w1);
    parts->f1.vv = part(&key, triangle(v) * w1);
    parts->f1.va = part(&key, v * o1 * w1);
    parts->f2.vv = part(&key, triangle(v) * w2);
    parts->f2.va = part(&key, v * o1 * w2);
    parts->f2.vb = part(&key, v * o2 * w2);
    parts->f2.aa = part(&key, triangle(o1) * w2);
    parts->f2.ab = part(&key, o1 * o2 * w2);
}

scratch hanji_rainbow_scratch(uint8_t *memory)
{
    const size_t misaligned = (uintptr_t)memory % HANJI_MATRIX_ALIGN;
    return (scratch){memory + (misaligned == 0 ? 0 : HANJI_MATRIX_ALIGN - misaligned)};
}

uint8_t *hanji_rainbow_take(scratch *from, size_t bytes)
{
    return part(&from->at, taken(bytes));
}
