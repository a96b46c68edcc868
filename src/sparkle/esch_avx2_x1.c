/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ESCH on AVX2, one message: blocks that are not the last, with the state in two vectors
 * (sparkle_halves.h).
 * void hanji_CIPHER_avx2_absorb_x1(uint32_t *state, const uint8_t *message, size_t blocks)
 */
/* kernel:
     spec: [esch256.absorb_words, esch384.absorb_words]
     isa: avx2
     blocks: [1]
     args: { state: {buffer: state, bytes: 4 * words of the state, access: rw},
             message: {buffer: message, bytes: 16 * blocks, access: r}, blocks: {value: blocks} }
     aliasing: none
     stack: compiler
     secrets: state, message
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#include "sparkle/esch_halves.h"

void hanji_esch256_avx2_absorb_x1(uint32_t *state, const uint8_t *message, size_t blocks)
{
    absorb_blocks(state, message, blocks, 8, 4);
}

void hanji_esch384_avx2_absorb_x1(uint32_t *state, const uint8_t *message, size_t blocks)
{
    absorb_blocks(state, message, blocks, 8, 8);
}

#endif
