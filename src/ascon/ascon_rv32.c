/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of Ascon around the permutation for RV32 (ascon_p_rv32i_x1.S). */
#include "ascon/ascon.h"
#include "support/bytes.h"
#include "support/secret.h"

#ifdef HANJI_RV32

static HANJI_NOINLINE void add_word(uint64_t *word, const uint8_t *in)
{
    *word ^= load_le64(in);
}

static void absorb_rv32(uint64_t *state, const uint8_t *in, size_t blocks)
{
    for (; blocks > 0; blocks--, in += HANJI_ASCON_RATE) {
        add_word(state, in);
        add_word(state + 1, in + 8);
        hanji_ascon_p_rv32i_x1(state, HANJI_ASCON_DATA_ROUNDS);
    }
}

static void seal_rv32(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    for (; blocks > 0; blocks--, in += HANJI_ASCON_RATE, out += HANJI_ASCON_RATE) {
        add_word(state, in);
        add_word(state + 1, in + 8);
        store_le64(out, state[0]);
        store_le64(out + 8, state[1]);
        hanji_ascon_p_rv32i_x1(state, HANJI_ASCON_DATA_ROUNDS);
    }
}

static void open_rv32(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    for (; blocks > 0; blocks--, in += HANJI_ASCON_RATE, out += HANJI_ASCON_RATE) {
        uint64_t text[2] = {state[0], state[1]};
        state[0] = state[1] = 0;
        add_word(state, in);
        add_word(state + 1, in + 8);
        store_le64(out, text[0] ^ state[0]);
        store_le64(out + 8, text[1] ^ state[1]);
        wipe_here(text, sizeof text);
        hanji_ascon_p_rv32i_x1(state, HANJI_ASCON_DATA_ROUNDS);
    }
}

static void absorb_words_rv32(uint64_t *state, const uint8_t *in, size_t blocks)
{
    for (; blocks > 0; blocks--, in += HANJI_ASCON_HASH_RATE) {
        add_word(state, in);
        hanji_ascon_p_rv32i_x1(state, HANJI_ASCON_ROUNDS);
    }
}

const hanji_ascon_aead_kernel hanji_ascon_aead_rv32_x1 = {hanji_ascon_p_rv32i_x1, absorb_rv32,
                                                          seal_rv32, open_rv32};
const hanji_ascon_hash_kernel hanji_ascon_hash_rv32_x1 = {hanji_ascon_p_rv32i_x1,
                                                          absorb_words_rv32};

#else

typedef int hanji_ascon_rv32_is_empty; /* C has no empty translation unit */

#endif
