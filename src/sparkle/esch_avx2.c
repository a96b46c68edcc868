/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ESCH on AVX2: one round, absorb and permute, of eight messages at a time.
 * void hanji_CIPHER_avx2_round_x8(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control, uint32_t flags)
 */
/* kernel:
     spec: [esch256.absorb_words, esch384.absorb_words]
     isa: avx2
     blocks: [8]
     args: { state: {buffer: state, bytes: 4 * 8 words of each state, access: rw}, stage: {buffer: stage, bytes: 16-byte chunks of 8 messages, access: r},
             control: {buffer: control, bytes: what each lane does, access: r}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: state, stage, control
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#include "sparkle/sparkle_vector.h"

#include "hanji/hash.h"

/* Bits of the permutation. */
#define ROUND(function, bits)                                                          \
    void function(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control, \
                  uint32_t flags)                                                      \
    {                                                                                  \
        lanes_word s[16];                                                              \
        esch_absorb(state, s, stage, control, bits / 64);                              \
        permute_states(state, s, control, flags, HANJI_SPARKLE##bits##_STEPS_SLIM,     \
                       HANJI_SPARKLE##bits##_STEPS_BIG, bits / 64);                    \
    }

ROUND(hanji_esch256_avx2_round_x8, 384)
ROUND(hanji_esch384_avx2_round_x8, 512)

#endif
