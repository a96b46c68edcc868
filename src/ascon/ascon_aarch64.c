/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lanes of Ascon on AArch64 over the kernels of ascon_neon_x5.S and ascon_sha3_x5.S, which take
 * blocks of all lanes: beginning and end of the AEAD, and lanes that take no part.
 */
#include "ascon/ascon_lanes.h"
#include "support/bytes.h"
#include "support/secret.h"

#ifdef HANJI_A64

_Static_assert(offsetof(hanji_ascon_ragged, in) == 128 && offsetof(hanji_ascon_ragged, out) == 192,
               "tools/ascon_a64.py has other places of the addresses");

/* Word w of lane l, behind the state the key. */
HANJI_INLINE uint64_t *word_of(uint64_t *state, size_t lanes, size_t w, size_t l)
{
    return state + w * lanes + l;
}

HANJI_INLINE void begin(uint64_t *state, const hanji_ascon_ragged *r, size_t lanes,
                        hanji_ascon_permute_fn *permute)
{
    for (size_t l = 0; l < lanes; l++) {
        *word_of(state, lanes, 0, l) = HANJI_ASCON_AEAD128_IV;
        for (size_t i = 0; i < 2; i++) {
            const uint64_t key = load_le64(r->key[l] + 8 * i);
            *word_of(state, lanes, 1 + i, l) = key;
            *word_of(state, lanes, 3 + i, l) = load_le64(r->nonce[l] + 8 * i);
            *word_of(state, lanes, 5 + i, l) = key;
        }
    }
    permute(state, HANJI_ASCON_ROUNDS);
    for (size_t i = 0; i < 2 * lanes; i++)
        state[3 * lanes + i] ^= state[5 * lanes + i];
}

HANJI_INLINE void end(uint64_t *state, const hanji_ascon_ragged *r, size_t lanes,
                      hanji_ascon_permute_fn *permute)
{
    for (size_t i = 0; i < 2 * lanes; i++)
        state[2 * lanes + i] ^= state[5 * lanes + i];
    permute(state, HANJI_ASCON_ROUNDS);
    for (size_t l = 0; l < lanes; l++)
        for (size_t i = 0; i < 2; i++)
            store_le64(r->out[l] + 8 * i,
                       *word_of(state, lanes, 3 + i, l) ^ *word_of(state, lanes, 5 + i, l));
}

/* Blocks of all lanes; the states of lanes that are not active come back. */
HANJI_INLINE void take(uint64_t *state, const hanji_ascon_ragged *r, size_t blocks, size_t lanes,
                       hanji_ascon_lanes_fn *kernel)
{
    uint64_t kept[HANJI_ASCON_WORDS * HANJI_ASCON_LANES_MAX], all = UINT64_MAX;
    for (size_t l = 0; l < lanes; l++)
        all &= r->active[l];
    if (blocks == 0)
        return;
    if (all != 0) {
        kernel(state, r, blocks);
        return;
    }
    for (size_t i = 0; i < HANJI_ASCON_WORDS * lanes; i++)
        kept[i] = state[i];
    kernel(state, r, blocks);
    for (size_t w = 0; w < HANJI_ASCON_WORDS; w++)
        for (size_t l = 0; l < lanes; l++)
            if (r->active[l] == 0)
                *word_of(state, lanes, w, l) = kept[w * lanes + l];
    wipe_here(kept, sizeof kept);
}

static void neon_begin(uint64_t *state, const hanji_ascon_ragged *r)
{
    begin(state, r, 5, hanji_ascon_p_neon_x5);
}

static void neon_absorb(uint64_t *state, const hanji_ascon_ragged *r, size_t blocks)
{
    take(state, r, blocks, 5, hanji_ascon_aead128_neon_absorb_x5);
}

static void neon_seal(uint64_t *state, const hanji_ascon_ragged *r, size_t blocks)
{
    take(state, r, blocks, 5, hanji_ascon_aead128_neon_seal_x5);
}

static void neon_open(uint64_t *state, const hanji_ascon_ragged *r, size_t blocks)
{
    take(state, r, blocks, 5, hanji_ascon_aead128_neon_open_x5);
}

static void neon_end(uint64_t *state, const hanji_ascon_ragged *r)
{
    end(state, r, 5, hanji_ascon_p_neon_x5);
}

static void neon_hash(uint64_t *state, const hanji_ascon_ragged *r, size_t blocks)
{
    take(state, r, blocks, 5, hanji_ascon_hash256_neon_absorb_x5);
}

static void neon_permute(uint64_t *state, const hanji_ascon_ragged *r)
{
    (void)r;
    hanji_ascon_p_neon_x5(state, HANJI_ASCON_ROUNDS);
}

const hanji_ascon_aead_lanes hanji_ascon_aead_neon_x5 = {neon_begin, neon_absorb, neon_seal,
                                                         neon_open, neon_end};
const hanji_ascon_hash_lanes hanji_ascon_hash_neon_x5 = {neon_hash, neon_permute};

static void sha3_begin(uint64_t *state, const hanji_ascon_ragged *r)
{
    begin(state, r, 5, hanji_ascon_p_sha3_x5);
}

static void sha3_absorb(uint64_t *state, const hanji_ascon_ragged *r, size_t blocks)
{
    take(state, r, blocks, 5, hanji_ascon_aead128_sha3_absorb_x5);
}

static void sha3_seal(uint64_t *state, const hanji_ascon_ragged *r, size_t blocks)
{
    take(state, r, blocks, 5, hanji_ascon_aead128_sha3_seal_x5);
}

static void sha3_open(uint64_t *state, const hanji_ascon_ragged *r, size_t blocks)
{
    take(state, r, blocks, 5, hanji_ascon_aead128_sha3_open_x5);
}

static void sha3_end(uint64_t *state, const hanji_ascon_ragged *r)
{
    end(state, r, 5, hanji_ascon_p_sha3_x5);
}

static void sha3_hash(uint64_t *state, const hanji_ascon_ragged *r, size_t blocks)
{
    take(state, r, blocks, 5, hanji_ascon_hash256_sha3_absorb_x5);
}

static void sha3_permute(uint64_t *state, const hanji_ascon_ragged *r)
{
    (void)r;
    hanji_ascon_p_sha3_x5(state, HANJI_ASCON_ROUNDS);
}

const hanji_ascon_aead_lanes hanji_ascon_aead_sha3_x5 = {sha3_begin, sha3_absorb, sha3_seal,
                                                         sha3_open, sha3_end};
const hanji_ascon_hash_lanes hanji_ascon_hash_sha3_x5 = {sha3_hash, sha3_permute};

#else

typedef int hanji_ascon_aarch64_is_empty; /* C has no empty translation unit */

#endif
