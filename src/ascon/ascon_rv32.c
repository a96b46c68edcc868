/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of Ascon on RV32: the kernels of ascon_rv32i_x1.S and ascon_zbkb_x1.S take texts with the
 * alignment of words. Blocks of other texts go through a buffer.
 */
#include "ascon/ascon.h"
#include "ascon/ascon_parts.h"
#include "support/bytes.h"
#include "support/secret.h"

#ifdef HANJI_RV32

/* The compiler is told of Zbkb. */
#ifdef __riscv_zbkb
#define PERMUTE hanji_ascon_p_zbkb_x1
#define START hanji_ascon_aead128_zbkb_start_x1
#define FINISH hanji_ascon_aead128_zbkb_finish_x1
#define ABSORB_AD hanji_ascon_aead128_zbkb_absorb_x1
#define ABSORB_MESSAGE hanji_ascon_hash256_zbkb_absorb_x1
#define SEAL hanji_ascon_aead128_zbkb_seal_x1
#define OPEN hanji_ascon_aead128_zbkb_open_x1
#else
#define PERMUTE hanji_ascon_p_rv32i_shared_x1
#define START hanji_ascon_aead128_rv32i_start_x1
#define FINISH hanji_ascon_aead128_rv32i_finish_x1
#define ABSORB_AD hanji_ascon_aead128_rv32i_absorb_x1
#define ABSORB_MESSAGE hanji_ascon_hash256_rv32i_absorb_x1
#define SEAL hanji_ascon_aead128_rv32i_seal_x1
#define OPEN hanji_ascon_aead128_rv32i_open_x1
#endif

/* `block` bytes at a time. */
static HANJI_NOINLINE void absorb_copies(uint64_t *state, const uint8_t *in, size_t blocks,
                                         size_t block, hanji_ascon_absorb_fn *kernel)
{
    uint32_t words[HANJI_ASCON_RATE / 4];
    for (; blocks > 0; blocks--, in += block) {
        memcpy(words, in, block);
        kernel(state, (const uint8_t *)words, 1);
    }
    hanji_wipe(words, sizeof words);
}

static HANJI_NOINLINE void crypt_copies(uint64_t *state, uint8_t *out, const uint8_t *in,
                                        size_t blocks, hanji_ascon_crypt_fn *kernel)
{
    uint32_t words[HANJI_ASCON_RATE / 4];
    uint8_t *text = (uint8_t *)words;
    for (; blocks > 0; blocks--, in += sizeof words, out += sizeof words) {
        memcpy(words, in, sizeof words);
        kernel(state, text, text, 1);
        memcpy(out, words, sizeof words);
    }
    hanji_wipe(words, sizeof words);
}

static void absorb_ad_rv32(uint64_t *state, const uint8_t *in, size_t blocks)
{
    if (word_aligned(in))
        ABSORB_AD(state, in, blocks);
    else
        absorb_copies(state, in, blocks, HANJI_ASCON_RATE, ABSORB_AD);
}

static void absorb_message_rv32(uint64_t *state, const uint8_t *in, size_t blocks)
{
    if (word_aligned(in))
        ABSORB_MESSAGE(state, in, blocks);
    else
        absorb_copies(state, in, blocks, HANJI_ASCON_HASH_RATE, ABSORB_MESSAGE);
}

static void seal_rv32(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    if (word_aligned(in) && word_aligned(out))
        SEAL(state, out, in, blocks);
    else
        crypt_copies(state, out, in, blocks, SEAL);
}

static void open_rv32(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    if (word_aligned(in) && word_aligned(out))
        OPEN(state, out, in, blocks);
    else
        crypt_copies(state, out, in, blocks, OPEN);
}

const hanji_ascon_aead_kernel hanji_ascon_aead_rv32_x1 = {PERMUTE,   absorb_ad_rv32, seal_rv32,
                                                          open_rv32, START,          FINISH};
const hanji_ascon_hash_kernel hanji_ascon_hash_rv32_x1 = {PERMUTE, absorb_message_rv32};

#else

typedef int hanji_ascon_rv32_is_empty; /* C has no empty translation unit */

#endif
