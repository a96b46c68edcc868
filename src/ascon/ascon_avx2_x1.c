/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ascon for one message in general registers with BMI1 and BMI2: and-not, and rotations into
 * another register. No vectors: the name is that of the tier whose processors have these
 * instructions.
 * const hanji_ascon_aead_kernel hanji_ascon_aead_avx2_x1;
 * const hanji_ascon_hash_kernel hanji_ascon_hash_avx2_x1
 */
/* kernel:
     spec: [ascon_p.permute, ascon_aead128.absorb_blocks, ascon_aead128.seal_blocks,
            ascon_aead128.open_blocks, ascon_hash256.absorb_blocks]
     isa: avx2
     blocks: [1]
     args: { state: {buffer: state, bytes: 40, access: rw},
             out: {buffer: out, bytes: 16 * blocks, access: w},
             in: {buffer: in, bytes: 16 * blocks, access: r}, blocks: {value: blocks} }
     aliasing: out == in allowed
     stack: compiler
     secrets: state, in
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#include "ascon/ascon_rounds.h"

static void permute_state(uint64_t *state, uint32_t rounds)
{
    ascon_permute(state, rounds);
}

static void absorb_blocks(uint64_t *state, const uint8_t *in, size_t blocks)
{
    ascon_absorb(state, in, blocks);
}

static void seal_blocks(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    ascon_seal(state, out, in, blocks);
}

static void open_blocks(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    ascon_open(state, out, in, blocks);
}

static void absorb_words(uint64_t *state, const uint8_t *in, size_t blocks)
{
    ascon_hash_absorb(state, in, blocks);
}

const hanji_ascon_aead_kernel hanji_ascon_aead_avx2_x1 = {permute_state, absorb_blocks, seal_blocks,
                                                          open_blocks};
const hanji_ascon_hash_kernel hanji_ascon_hash_avx2_x1 = {permute_state, absorb_words};

#endif
