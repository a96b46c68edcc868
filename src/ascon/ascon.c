/* SPDX-License-Identifier: Apache-2.0 */
/* Portable Ascon-p (SP 800-232, section 3), one state at a time. */
#include "ascon/ascon_rounds.h"

const uint64_t hanji_ascon_hash256_start[HANJI_ASCON_WORDS] = {
    0x9b1e5494e934d681, 0x4bc3a01e333751d2, 0xae65396c6b34b81a,
    0x3c7fd4a4d56a4db3, 0x1a5c464906c5976d,
};
const uint64_t hanji_ascon_xof128_start[HANJI_ASCON_WORDS] = {
    0xda82ce768d9447eb, 0xcc7ce6c75f1ef969, 0xe7508fd780085631,
    0x0ee0ea53416b58cc, 0xe0547524db6f0bde,
};
const uint64_t hanji_ascon_cxof128_start[HANJI_ASCON_WORDS] = {
    0x675527c2a0e8de03, 0x43d12d7dc0377bbc, 0xe9901dec426e81b5,
    0x2ab14907720780b6, 0x8f3f1d02d432bc46,
};

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

const hanji_ascon_aead_kernel hanji_ascon_aead_portable_x1 = {
    .permute = permute_state, .absorb = absorb_blocks, .seal = seal_blocks, .open = open_blocks};
const hanji_ascon_hash_kernel hanji_ascon_hash_portable_x1 = {.permute = permute_state,
                                                              .absorb = absorb_words};
