/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ESCH on NEON: one round, absorb and permute, of four messages at a time.
 * void hanji_CIPHER_neon_round_x4(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control, uint32_t flags)
 */
/* kernel:
     spec: [esch256.absorb_words, esch384.absorb_words]
     isa: neon
     blocks: [4]
     args: { state: {buffer: state, bytes: 4 * 4 words of each state, access: rw}, stage: {buffer: stage, bytes: 16-byte chunks of 4 messages, access: r},
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
     spec: [esch256.absorb_blocks, esch384.absorb_blocks]
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

/* Bits of the permutation. */
#define ROUND(function, bits)                                                            \
    void function(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control,   \
                  uint32_t flags)                                                        \
    {                                                                                    \
        esch_four(state, stage, control, bits / 64);                                     \
        permute_four(state, control, flags, hanji_sparkle##bits##_neon_x4, bits / 32,    \
                     HANJI_SPARKLE##bits##_STEPS_SLIM, HANJI_SPARKLE##bits##_STEPS_BIG); \
    }
#define RUN(function, bits)                                                            \
    void function(uint32_t *state, hanji_lanes_run *run, size_t rounds)                \
    {                                                                                  \
        for (; rounds > 0; rounds--) {                                                 \
            esch_run_four(state, run, bits / 64);                                      \
            hanji_sparkle##bits##_neon_x4(state, 1, HANJI_SPARKLE##bits##_STEPS_SLIM); \
        }                                                                              \
    }

ROUND(hanji_esch256_neon_round_x4, 384)
RUN(hanji_esch256_neon_run_x4, 384)
ROUND(hanji_esch384_neon_round_x4, 512)
RUN(hanji_esch384_neon_run_x4, 512)

#endif
