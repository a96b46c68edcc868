/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ESCH on NEON: one round, absorb and permute, of five messages at a time: four in vectors, one in
 * general registers.
 * void hanji_CIPHER_neon_round_x5(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control, uint32_t flags)
 */
/* kernel:
     spec: [esch256.absorb_words, esch384.absorb_words]
     isa: neon
     blocks: [5]
     args: { state: {buffer: state, bytes: 4 * 5 words of each state, access: rw}, stage: {buffer: stage, bytes: 16-byte chunks of 5 messages, access: r},
             control: {buffer: control, bytes: what each lane does, access: r}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: state, stage, control
*/
/*
 * Rounds of whole chunks, straight from messages.
 * void hanji_CIPHER_neon_run_x5(uint32_t *state, hanji_lanes_run *run, size_t rounds)
 */
/* kernel:
     spec: [esch256.absorb_blocks, esch384.absorb_blocks]
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

/* Bits of the permutation. */
#define ROUND(function, bits)                                                                      \
    void function(uint32_t *state, uint8_t *stage, const hanji_lanes_control *control,             \
                  uint32_t flags)                                                                  \
    {                                                                                              \
        lanes_word s[16];                                                                          \
        esch_absorb(state, s, stage, control, bits / 64);                                          \
        store_states(state, s, bits / 32);                                                         \
        hanji_sparkle##bits##_neon_x5_lanes(state,                                                 \
                                            (flags & HANJI_LANES_BIG) != 0 ? control->big : NULL); \
    }
#define RUN(function, bits)                                             \
    void function(uint32_t *state, hanji_lanes_run *run, size_t rounds) \
    {                                                                   \
        for (; rounds > 0; rounds--) {                                  \
            esch_absorb_run(state, run, bits / 64);                     \
            hanji_sparkle##bits##_neon_x5_lanes(state, NULL);           \
            advance_run(run);                                           \
        }                                                               \
    }

ROUND(hanji_esch256_neon_round_x5, 384)
RUN(hanji_esch256_neon_run_x5, 384)
ROUND(hanji_esch384_neon_round_x5, 512)
RUN(hanji_esch384_neon_run_x5, 512)

#endif
