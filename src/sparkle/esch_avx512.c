/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ESCH on AVX-512, sixteen messages at a time: those of one length that lie one after the other
 * (sponge_uniform.h), and any others (sponge_ragged.h). hanji_lanes_hash_fn
 * hanji_CIPHER_avx512_uniform_x16; const hanji_lanes_ragged_hash hanji_CIPHER_avx512_ragged_x16
 */
/* kernel:
     spec: [esch256.absorb_words, esch384.absorb_words]
     isa: avx512
     blocks: [16]
     args: { state: {buffer: state, bytes: 4 * 16 words of each state, access: rw}, ragged: {buffer: ragged, bytes: addresses and lengths of 16 messages, access: r},
             at: {value: at}, pairs: {value: pairs}, active: {value: active} }
     aliasing: none
     stack: compiler
     secrets: state
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#include "sparkle/sparkle_vector.h"

#include "sparkle/sponge_ragged.h" /* after the vectors */

#include "hanji/hash.h"
#include "support/secret.h"

/* Bits of the permutation. */
#define UNIFORM(function, id, bits)                                                          \
    static HANJI_NOINLINE void id##_pairs(uint32_t *state, const uint8_t *in, size_t bytes,  \
                                          size_t pairs)                                      \
    {                                                                                        \
        uniform_pairs(state, in, bytes, pairs, bits / 64, HANJI_SPARKLE##bits##_STEPS_SLIM); \
    }                                                                                        \
    static HANJI_NOINLINE void id##_block(uint32_t *state, const uint8_t *in, size_t bytes,  \
                                          size_t left, uint32_t domain, uint32_t steps)      \
    {                                                                                        \
        uniform_block(state, in, bytes, left, domain, steps, bits / 64);                     \
    }                                                                                        \
    static HANJI_NOINLINE void id##_squeeze(uint32_t *state, uint8_t *out, size_t out_bytes, \
                                            size_t part)                                     \
    {                                                                                        \
        uniform_squeeze(state, out, out_bytes, part, bits / 64);                             \
    }                                                                                        \
    static HANJI_NOINLINE void id##_slim(uint32_t *state)                                    \
    {                                                                                        \
        uniform_slim(state, HANJI_SPARKLE##bits##_STEPS_SLIM, bits / 64);                    \
    }                                                                                        \
    void function(uint32_t *state, uint8_t *out, size_t out_bytes, const uint8_t *in,        \
                  size_t bytes, uint32_t domain)                                             \
    {                                                                                        \
        const size_t pairs = bytes > 0 ? (bytes - 1) / 32 : 0;                               \
        if (pairs > 0)                                                                       \
            id##_pairs(state, in, bytes, pairs);                                             \
        size_t done = 32 * pairs;                                                            \
        if (bytes - done > 16) {                                                             \
            id##_block(state, in + done, bytes, 16, 0, HANJI_SPARKLE##bits##_STEPS_SLIM);    \
            done += 16;                                                                      \
        }                                                                                    \
        id##_block(state, bytes > 0 ? in + done : in, bytes, bytes - done,                   \
                   ((bytes - done == 16 ? 2u : 1u) ^ domain) << 24,                          \
                   HANJI_SPARKLE##bits##_STEPS_BIG);                                         \
        for (size_t given = 0; given < out_bytes; given += 16) {                             \
            if (given > 0)                                                                   \
                id##_slim(state);                                                            \
            id##_squeeze(state, out + given, out_bytes,                                      \
                         out_bytes - given < 16 ? out_bytes - given : 16);                   \
        }                                                                                    \
    }

#define RAGGED(function, id, bits)                                                                 \
    static void id##_ragged_pairs(uint32_t *state, const hanji_lanes_ragged *r, size_t at,         \
                                  size_t pairs, uint32_t active)                                   \
    {                                                                                              \
        if (active == 0xffff)                                                                      \
            ragged_pairs(state, r, at, pairs, active, bits / 64, HANJI_SPARKLE##bits##_STEPS_SLIM, \
                         0);                                                                       \
        else                                                                                       \
            ragged_pairs(state, r, at, pairs, active, bits / 64, HANJI_SPARKLE##bits##_STEPS_SLIM, \
                         1);                                                                       \
    }                                                                                              \
    static void id##_ragged_block(uint32_t *state, const hanji_lanes_ragged *r, uint32_t active)   \
    {                                                                                              \
        ragged_block(state, r, active, HANJI_SPARKLE##bits##_STEPS_SLIM, bits / 64);               \
    }                                                                                              \
    static void id##_ragged_last(uint32_t *state, const hanji_lanes_ragged *r, uint32_t active)    \
    {                                                                                              \
        ragged_block(state, r, active, HANJI_SPARKLE##bits##_STEPS_BIG, bits / 64);                \
    }                                                                                              \
    static void id##_ragged_squeeze(uint32_t *state, const hanji_lanes_ragged *r)                  \
    {                                                                                              \
        ragged_squeeze(state, r, bits / 64);                                                       \
    }                                                                                              \
    static void id##_ragged_slim(uint32_t *state, const hanji_lanes_ragged *r)                     \
    {                                                                                              \
        (void)r;                                                                                   \
        uniform_slim(state, HANJI_SPARKLE##bits##_STEPS_SLIM, bits / 64);                          \
    }                                                                                              \
    const hanji_lanes_ragged_hash function = {id##_ragged_pairs, id##_ragged_block,                \
                                              id##_ragged_last, id##_ragged_squeeze,               \
                                              id##_ragged_slim};

UNIFORM(hanji_esch256_avx512_uniform_x16, esch256, 384)
UNIFORM(hanji_esch384_avx512_uniform_x16, esch384, 512)
RAGGED(hanji_esch256_avx512_ragged_x16, esch256, 384)
RAGGED(hanji_esch384_avx512_ragged_x16, esch384, 512)

#endif
