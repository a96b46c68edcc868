/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCHWAEMM on AVX2: one round, absorb and permute, of eight messages at a time.
 * void hanji_CIPHER_avx2_round_x8(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control, uint32_t flags)
 */
/* kernel:
     spec: [schwaemm256_128.absorb_words, schwaemm192_192.absorb_words, schwaemm128_128.absorb_words, schwaemm256_256.absorb_words]
     isa: avx2
     blocks: [8]
     args: { state: {buffer: state, bytes: 4 * 8 words of each state, access: rw}, stage: {buffer: stage, bytes: 16-byte pieces of 8 chunks, access: rw},
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

/* Words of rate and capacity, bits of the permutation. */
#define ROUND(function, rate, capacity, bits)                                          \
    void function(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control, \
                  uint32_t flags)                                                      \
    {                                                                                  \
        lanes_word s[16];                                                              \
        schwaemm_absorb(state, s, stage, control, flags, rate, capacity);              \
        permute_states(state, s, control, flags, HANJI_SPARKLE##bits##_STEPS_SLIM,     \
                       HANJI_SPARKLE##bits##_STEPS_BIG, bits / 64);                    \
    }

ROUND(hanji_schwaemm256_128_avx2_round_x8, 8, 4, 384)
ROUND(hanji_schwaemm192_192_avx2_round_x8, 6, 6, 384)
ROUND(hanji_schwaemm128_128_avx2_round_x8, 4, 4, 256)
ROUND(hanji_schwaemm256_256_avx2_round_x8, 8, 8, 512)

#endif
