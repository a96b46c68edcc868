/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of keys, and working memory. */
#include "rainbow/rainbow.h"

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
