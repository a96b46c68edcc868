/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCHWAEMM on NEON: one round, absorb and permute, of five messages at a time: four in vectors, one
 * in general registers.
 * void hanji_CIPHER_neon_round_x5(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control, uint32_t flags)
 */
/* kernel:
     spec: [schwaemm256_128.absorb_words, schwaemm192_192.absorb_words, schwaemm128_128.absorb_words, schwaemm256_256.absorb_words]
     isa: neon
     blocks: [5]
     args: { state: {buffer: state, bytes: 4 * 5 words of each state, access: rw}, stage: {buffer: stage, bytes: 16-byte pieces of 5 chunks, access: rw},
             control: {buffer: control, bytes: what each lane does, access: r}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: state, stage, control
*/
/*
 * Rounds of whole chunks, straight from messages; that of SCHWAEMM256-128 is
 * schwaemm256_128_neon_x5.S.
 * void hanji_CIPHER_neon_run_x5(uint32_t *state, hanji_lanes_run *run, size_t rounds)
 */
/* kernel:
     spec: [schwaemm192_192.absorb_blocks, schwaemm128_128.absorb_blocks, schwaemm256_256.absorb_blocks]
     isa: neon
     blocks: [5]
     args: { state: {buffer: state, bytes: 4 * 5 words of each state, access: rw},
             run: {buffer: run, bytes: 296, access: rw}, rounds: {value: rounds} }
     aliasing: in place
     stack: compiler
     secrets: state
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#include "sparkle/sparkle_vector.h"

/* Words of rate and capacity, bits of the permutation. */
#define ROUND(function, rate, capacity, bits)                                                      \
    void function(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control,             \
                  uint32_t flags)                                                                  \
    {                                                                                              \
        lanes_word s[16];                                                                          \
        schwaemm_absorb(state, s, stage, control, flags, rate, capacity);                          \
        store_states(state, s, bits / 32);                                                         \
        hanji_sparkle##bits##_neon_x5_lanes(state,                                                 \
                                            (flags & HANJI_LANES_BIG) != 0 ? control->big : NULL); \
    }
#define RUN(function, rate, capacity, bits)                             \
    void function(uint32_t *state, hanji_lanes_run *run, size_t rounds) \
    {                                                                   \
        for (; rounds > 0; rounds--) {                                  \
            schwaemm_absorb_run(state, run, rate, capacity);            \
            hanji_sparkle##bits##_neon_x5_lanes(state, NULL);           \
            advance_run(run);                                           \
        }                                                               \
    }

ROUND(hanji_schwaemm256_128_neon_round_x5, 8, 4, 384)
ROUND(hanji_schwaemm192_192_neon_round_x5, 6, 6, 384)
ROUND(hanji_schwaemm128_128_neon_round_x5, 4, 4, 256)
ROUND(hanji_schwaemm256_256_neon_round_x5, 8, 8, 512)
RUN(hanji_schwaemm192_192_neon_run_x5, 6, 6, 384)
RUN(hanji_schwaemm128_128_neon_run_x5, 4, 4, 256)
RUN(hanji_schwaemm256_256_neon_run_x5, 8, 8, 512)

#endif
