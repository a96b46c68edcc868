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

#include "hanji/hash.h"

/* Bits of the permutation. */
#define ROUND(id, bits)                                                                                                         \
    void hanji_##id##_avx512_round_x16(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control, uint32_t flags)     \
    {                                                                                                                           \
        lanes_word s[16];                                                                                                       \
        esch_absorb(state, s, stage, control, bits / 64);                                                                       \
        permute_states(state, s, control, flags, HANJI_SPARKLE##bits##_STEPS_SLIM, HANJI_SPARKLE##bits##_STEPS_BIG, bits / 64); \
    }

#include "sparkle/sponge_same.h"

#define SAME(id, bits)                                                                                                              \
    void hanji_##id##_avx512_same_x16(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t bytes, uint32_t domain)             \
    {                                                                                                                               \
        same_hash(out, out_bytes, in, bytes, domain, bits / 64, HANJI_SPARKLE##bits##_STEPS_SLIM, HANJI_SPARKLE##bits##_STEPS_BIG); \
    }

ROUND(esch256, 384)
ROUND(esch384, 512)
SAME(esch256, 384)
SAME(esch384, 512)

#endif
