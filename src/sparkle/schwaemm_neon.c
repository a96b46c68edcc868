/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCHWAEMM on NEON: one round, absorb and permute, of four messages at a time.
 * void hanji_CIPHER_neon_round_x4(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control, uint32_t flags)
 */
/* kernel:
     spec: [schwaemm256_128.absorb_words, schwaemm192_192.absorb_words, schwaemm128_128.absorb_words, schwaemm256_256.absorb_words]
     isa: neon
     blocks: [4]
     args: { state: {buffer: state, bytes: 4 * 4 words of each state, access: rw}, stage: {buffer: stage, bytes: 16-byte pieces of 4 chunks, access: rw},
             control: {buffer: control, bytes: what each lane does, access: r}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: state, stage, control
*/
/*
 * Rounds of whole chunks, straight from messages.
 * void hanji_CIPHER_neon_run_x4(uint32_t *state, hanji_lanes_run *run, size_t rounds)
 */
/* kernel:
     spec: [schwaemm256_128.absorb_blocks, schwaemm192_192.absorb_blocks, schwaemm128_128.absorb_blocks, schwaemm256_256.absorb_blocks]
     isa: neon
     blocks: [4]
     args: { state: {buffer: state, bytes: 4 * 4 words of each state, access: rw},
             run: {buffer: run, bytes: 144, access: rw}, rounds: {value: rounds} }
     aliasing: in place
     stack: compiler
     secrets: state
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#include "sparkle/sponge_four.h"

/* Words of rate and capacity, bits of the permutation. */
#define ROUND(function, rate, capacity, bits)                                               \
    void function(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control,      \
                  uint32_t flags)                                                           \
    {                                                                                       \
        schwaemm_four(state, stage, control, flags, rate, capacity);                        \
        permute_four(state, control, flags, hanji_sparkle##bits##_neon_x4, rate + capacity, \
                     HANJI_SPARKLE##bits##_STEPS_SLIM, HANJI_SPARKLE##bits##_STEPS_BIG);    \
    }
#define RUN(function, rate, capacity, bits)                                            \
    void function(uint32_t *state, hanji_lanes_run *run, size_t rounds)                \
    {                                                                                  \
        for (; rounds > 0; rounds--) {                                                 \
            schwaemm_run_four(state, run, rate, capacity);                             \
            hanji_sparkle##bits##_neon_x4(state, 1, HANJI_SPARKLE##bits##_STEPS_SLIM); \
        }                                                                              \
    }

ROUND(hanji_schwaemm256_128_neon_round_x4, 8, 4, 384)
ROUND(hanji_schwaemm192_192_neon_round_x4, 6, 6, 384)
ROUND(hanji_schwaemm128_128_neon_round_x4, 4, 4, 256)
ROUND(hanji_schwaemm256_256_neon_round_x4, 8, 8, 512)
RUN(hanji_schwaemm256_128_neon_run_x4, 8, 4, 384)
RUN(hanji_schwaemm192_192_neon_run_x4, 6, 6, 384)
RUN(hanji_schwaemm128_128_neon_run_x4, 4, 4, 256)
RUN(hanji_schwaemm256_256_neon_run_x4, 8, 8, 512)

#endif
