/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCHWAEMM on AVX-512: one round, absorb and permute, of sixteen messages at a time.
 * void hanji_CIPHER_avx512_round_x16(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control, uint32_t flags)
 */
/* kernel:
     spec: [schwaemm256_128.absorb_words, schwaemm192_192.absorb_words, schwaemm128_128.absorb_words, schwaemm256_256.absorb_words]
     isa: avx512
     blocks: [16]
     args: { state: {buffer: state, bytes: 4 * 16 words of each state, access: rw}, stage: {buffer: stage, bytes: 16-byte pieces of 16 chunks, access: rw},
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

/* Words of rate and capacity, bits of the permutation. */
#define ROUND(id, rate, capacity, bits)                                                                                         \
    void hanji_##id##_avx512_round_x16(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control, uint32_t flags)     \
    {                                                                                                                           \
        lanes_word s[16];                                                                                                       \
        schwaemm_absorb(state, s, stage, control, flags, rate, capacity);                                                       \
        permute_states(state, s, control, flags, HANJI_SPARKLE##bits##_STEPS_SLIM, HANJI_SPARKLE##bits##_STEPS_BIG, bits / 64); \
    }

/* A phase of at least one byte. Sealing and opening are apart: what is absorbed is chosen when they are compiled. */
#define PHASE(id, verb, open, rate, capacity, bits)                                                                                             \
    static HANJI_NOINLINE void id##_##verb##_whole(uint32_t *state, uint8_t *out, const uint8_t *in, size_t bytes, size_t chunks)               \
    {                                                                                                                                           \
        same_whole(state, out, in, bytes, chunks, open, rate, capacity, HANJI_SPARKLE##bits##_STEPS_SLIM);                                      \
    }                                                                                                                                           \
    static HANJI_NOINLINE void id##_##verb##_last(uint32_t *state, uint8_t *out, const uint8_t *in, size_t bytes, size_t left, uint32_t domain) \
    {                                                                                                                                           \
        same_last(state, out, in, bytes, left, domain, open, rate, capacity, HANJI_SPARKLE##bits##_STEPS_BIG);                                  \
    }                                                                                                                                           \
    static void id##_##verb(uint32_t *state, uint8_t *out, const uint8_t *in, size_t bytes, uint32_t domain)                                    \
    {                                                                                                                                           \
        const size_t chunks = (bytes - 1) / (4 * (rate)), done = chunks * (4 * (rate)), left = bytes - done;                                    \
        if (chunks > 0)                                                                                                                         \
            id##_##verb##_whole(state, out, in, bytes, chunks);                                                                                 \
        id##_##verb##_last(state, out != NULL ? out + done : NULL, in + done, bytes, left, (domain ^ (left == 4 * (rate) ? 1u : 0u)) << 24);    \
    }

#define SAME(id, rate, capacity, bits)                                                                     \
    static void id##_begin(uint32_t *state, const uint8_t *nonces, const uint8_t *keys, size_t key_stride) \
    {                                                                                                      \
        same_begin(state, nonces, keys, key_stride, rate, capacity, HANJI_SPARKLE##bits##_STEPS_BIG);      \
    }                                                                                                      \
    PHASE(id, seal, 0, rate, capacity, bits)                                                               \
    PHASE(id, open, 1, rate, capacity, bits)                                                               \
    static void id##_end(uint8_t *tags, const uint32_t *state, const uint8_t *keys, size_t key_stride)     \
    {                                                                                                      \
        same_end(tags, state, keys, key_stride, rate, capacity);                                           \
    }                                                                                                      \
    const hanji_lanes_same hanji_##id##_avx512_same_x16 = {id##_begin, id##_seal, id##_open, id##_end};

ROUND(schwaemm256_128, 8, 4, 384)
ROUND(schwaemm192_192, 6, 6, 384)
ROUND(schwaemm128_128, 4, 4, 256)
ROUND(schwaemm256_256, 8, 8, 512)

SAME(schwaemm256_128, 8, 4, 384)
SAME(schwaemm192_192, 6, 6, 384)
SAME(schwaemm128_128, 4, 4, 256)
SAME(schwaemm256_256, 8, 8, 512)

#endif
