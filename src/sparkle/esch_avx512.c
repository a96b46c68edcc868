/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ESCH on AVX-512: one round, absorb and permute, of sixteen messages at a time.
 * void hanji_CIPHER_avx512_round_x16(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control, uint32_t flags)
 */
/* kernel:
     spec: [esch256.absorb_words, esch384.absorb_words]
     isa: avx512
     blocks: [16]
     args: { state: {buffer: state, bytes: 4 * 16 words of each state, access: rw}, stage: {buffer: stage, bytes: 16-byte chunks of 16 messages, access: r},
             control: {buffer: control, bytes: what each lane does, access: r}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: state, stage, control
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#include "sparkle/sparkle_vector.h"
#include "sparkle/sponge_same.h" /* after the vectors */

#include "hanji/hash.h"
#include "support/secret.h"

/* Bits of the permutation. */
#define ROUND(id, bits)                                                                                                         \
    void hanji_##id##_avx512_round_x16(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control, uint32_t flags)     \
    {                                                                                                                           \
        lanes_word s[16];                                                                                                       \
        esch_absorb(state, s, stage, control, bits / 64);                                                                       \
        permute_states(state, s, control, flags, HANJI_SPARKLE##bits##_STEPS_SLIM, HANJI_SPARKLE##bits##_STEPS_BIG, bits / 64); \
    }

#define SAME(id, bits)                                                                                                                    \
    static HANJI_NOINLINE void id##_pairs(uint32_t *state, const uint8_t *in, size_t bytes, size_t pairs)                                 \
    {                                                                                                                                     \
        same_pairs(state, in, bytes, pairs, bits / 64, HANJI_SPARKLE##bits##_STEPS_SLIM);                                                 \
    }                                                                                                                                     \
    static HANJI_NOINLINE void id##_block(uint32_t *state, const uint8_t *in, size_t bytes, size_t left, uint32_t domain, uint32_t steps) \
    {                                                                                                                                     \
        same_block(state, in, bytes, left, domain, steps, bits / 64);                                                                     \
    }                                                                                                                                     \
    static HANJI_NOINLINE void id##_squeeze(uint32_t *state, uint8_t *out, size_t out_bytes, size_t part)                                 \
    {                                                                                                                                     \
        same_squeeze(state, out, out_bytes, part, bits / 64);                                                                             \
    }                                                                                                                                     \
    static HANJI_NOINLINE void id##_slim(uint32_t *state)                                                                                 \
    {                                                                                                                                     \
        same_slim(state, HANJI_SPARKLE##bits##_STEPS_SLIM, bits / 64);                                                                    \
    }                                                                                                                                     \
    void hanji_##id##_avx512_same_x16(uint32_t *state, uint8_t *out, size_t out_bytes, const uint8_t *in, size_t bytes, uint32_t domain)  \
    {                                                                                                                                     \
        const size_t pairs = bytes > 0 ? (bytes - 1) / 32 : 0;                                                                            \
        if (pairs > 0)                                                                                                                    \
            id##_pairs(state, in, bytes, pairs);                                                                                          \
        size_t done = 32 * pairs;                                                                                                         \
        if (bytes - done > 16) {                                                                                                          \
            id##_block(state, in + done, bytes, 16, 0, HANJI_SPARKLE##bits##_STEPS_SLIM);                                                 \
            done += 16;                                                                                                                   \
        }                                                                                                                                 \
        id##_block(state, bytes > 0 ? in + done : in, bytes, bytes - done, ((bytes - done == 16 ? 2u : 1u) ^ domain) << 24,               \
                   HANJI_SPARKLE##bits##_STEPS_BIG);                                                                                      \
        for (size_t given = 0; given < out_bytes; given += 16) {                                                                          \
            if (given > 0)                                                                                                                \
                id##_slim(state);                                                                                                         \
            id##_squeeze(state, out + given, out_bytes, out_bytes - given < 16 ? out_bytes - given : 16);                                 \
        }                                                                                                                                 \
    }

ROUND(esch256, 384)
ROUND(esch384, 512)
SAME(esch256, 384)
SAME(esch384, 512)

#endif
