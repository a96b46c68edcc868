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

#include "hanji/hash.h"

/* Words of rate and capacity, bits of the permutation. */
#define ROUND(id, rate, capacity, bits)                                                                                         \
    void hanji_##id##_avx512_round_x16(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control, uint32_t flags)     \
    {                                                                                                                           \
        lanes_word s[16];                                                                                                       \
        schwaemm_absorb(state, s, stage, control, flags, rate, capacity);                                                       \
        permute_states(state, s, control, flags, HANJI_SPARKLE##bits##_STEPS_SLIM, HANJI_SPARKLE##bits##_STEPS_BIG, bits / 64); \
    }

#include "sparkle/sponge_same.h"

/* Sealing is in a function of its own: what is absorbed is chosen when it is compiled. */
#define SAME(id, rate, capacity, bits)                                                                                                    \
    static void id##_begin(uint32_t *state, const uint8_t *nonces, const uint8_t *keys, size_t key_stride)                                \
    {                                                                                                                                     \
        same_begin(state, nonces, keys, key_stride, rate, capacity, HANJI_SPARKLE##bits##_STEPS_BIG);                                     \
    }                                                                                                                                     \
    static void id##_seal(uint32_t *state, uint8_t *out, const uint8_t *in, size_t bytes, uint32_t domain)                                \
    {                                                                                                                                     \
        same_absorb(state, out, in, bytes, domain, 0, rate, capacity, HANJI_SPARKLE##bits##_STEPS_SLIM, HANJI_SPARKLE##bits##_STEPS_BIG); \
    }                                                                                                                                     \
    static void id##_open(uint32_t *state, uint8_t *out, const uint8_t *in, size_t bytes, uint32_t domain)                                \
    {                                                                                                                                     \
        same_absorb(state, out, in, bytes, domain, 1, rate, capacity, HANJI_SPARKLE##bits##_STEPS_SLIM, HANJI_SPARKLE##bits##_STEPS_BIG); \
    }                                                                                                                                     \
    static void id##_end(uint8_t *tags, const uint32_t *state, const uint8_t *keys, size_t key_stride)                                    \
    {                                                                                                                                     \
        same_end(tags, state, keys, key_stride, rate, capacity);                                                                          \
    }                                                                                                                                     \
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
