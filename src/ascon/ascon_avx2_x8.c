/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ascon on AVX2, eight messages at a time.
 * const hanji_ascon_aead_lanes hanji_ascon_aead_avx2_x8;
 * const hanji_ascon_hash_lanes hanji_ascon_hash_avx2_x8
 */
/* kernel:
     spec: [ascon_aead128.absorb_blocks, ascon_aead128.seal_blocks, ascon_aead128.open_blocks,
            ascon_hash256.absorb_blocks, ascon_p.permute_big]
     isa: avx2
     blocks: [8]
     args: { state: {buffer: state, bytes: 8 * 8 words of the state and of the key, access: rw},
             ragged: {buffer: ragged, bytes: addresses and masks of 8 messages, access: r},
             blocks: {value: blocks} }
     aliasing: outputs may be the inputs
     stack: compiler
     secrets: state
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#include "ascon/ascon_vector.h"

static void aead_ragged_begin(uint64_t *state, const hanji_ascon_ragged *r)
{
    aead_begin(state, r);
}

static void aead_ragged_absorb(uint64_t *state, const hanji_ascon_ragged *r, size_t blocks)
{
    aead_blocks(state, r, blocks, ABSORB);
}

static void aead_ragged_seal(uint64_t *state, const hanji_ascon_ragged *r, size_t blocks)
{
    aead_blocks(state, r, blocks, SEAL);
}

static void aead_ragged_open(uint64_t *state, const hanji_ascon_ragged *r, size_t blocks)
{
    aead_blocks(state, r, blocks, OPEN);
}

static void aead_ragged_end(uint64_t *state, const hanji_ascon_ragged *r)
{
    aead_end(state, r);
}

static void hash_ragged_absorb(uint64_t *state, const hanji_ascon_ragged *r, size_t blocks)
{
    hash_blocks(state, r, blocks);
}

static void hash_ragged_permute(uint64_t *state, const hanji_ascon_ragged *r)
{
    (void)r;
    hash_permute(state);
}

const hanji_ascon_aead_lanes hanji_ascon_aead_avx2_x8 = {
    aead_ragged_begin, aead_ragged_absorb, aead_ragged_seal, aead_ragged_open, aead_ragged_end};
const hanji_ascon_hash_lanes hanji_ascon_hash_avx2_x8 = {hash_ragged_absorb, hash_ragged_permute};

#endif
