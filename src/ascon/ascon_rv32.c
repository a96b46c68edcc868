/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of Ascon on RV32: the kernels of ascon_rv32i_x1.S and ascon_zbkb_x1.S take texts with the
 * alignment of words. Blocks of other texts go through a buffer.
 */
#include "ascon/ascon.h"
#include "support/bytes.h"
#include "support/secret.h"

#ifdef HANJI_RV32

/* The compiler is told of Zbkb. */
#ifdef __riscv_zbkb
#define PERMUTE hanji_ascon_p_zbkb_x1
#define ABSORB_AD hanji_ascon_aead128_zbkb_absorb_x1
#define ABSORB_MESSAGE hanji_ascon_hash256_zbkb_absorb_x1
#define SEAL hanji_ascon_aead128_zbkb_seal_x1
#define OPEN hanji_ascon_aead128_zbkb_open_x1
#else
#define PERMUTE hanji_ascon_p_rv32i_x1
#define ABSORB_AD hanji_ascon_aead128_rv32i_absorb_x1
#define ABSORB_MESSAGE hanji_ascon_hash256_rv32i_absorb_x1
#define SEAL hanji_ascon_aead128_rv32i_seal_x1
#define OPEN hanji_ascon_aead128_rv32i_open_x1
#endif

static inline int aligned(const uint8_t *in)
{
    return ((uintptr_t)in & 3) == 0;
}

/* `block` bytes at a time. */
static HANJI_NOINLINE void absorb_rv32(uint64_t *state, const uint8_t *in, size_t blocks,
                                       size_t block, hanji_ascon_absorb_fn *kernel)
{
    uint32_t words[HANJI_ASCON_RATE / 4];
    if (aligned(in)) {
        kernel(state, in, blocks);
        return;
    }
    for (; blocks > 0; blocks--, in += block) {
        memcpy(words, in, block);
        kernel(state, (const uint8_t *)words, 1);
    }
    hanji_wipe(words, sizeof words);
}

static HANJI_NOINLINE void crypt_rv32(uint64_t *state, uint8_t *out, const uint8_t *in,
                                      size_t blocks, hanji_ascon_crypt_fn *kernel)
{
    uint32_t words[HANJI_ASCON_RATE / 4];
    uint8_t *text = (uint8_t *)words;
    if (aligned(in) && aligned(out)) {
        kernel(state, out, in, blocks);
        return;
    }
    for (; blocks > 0; blocks--, in += sizeof words, out += sizeof words) {
        memcpy(words, in, sizeof words);
        kernel(state, text, text, 1);
        memcpy(out, words, sizeof words);
    }
    hanji_wipe(words, sizeof words);
}

static void absorb_ad_rv32(uint64_t *state, const uint8_t *in, size_t blocks)
{
    absorb_rv32(state, in, blocks, HANJI_ASCON_RATE, ABSORB_AD);
}

static void absorb_message_rv32(uint64_t *state, const uint8_t *in, size_t blocks)
{
    absorb_rv32(state, in, blocks, HANJI_ASCON_HASH_RATE, ABSORB_MESSAGE);
}

static void seal_rv32(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    crypt_rv32(state, out, in, blocks, SEAL);
}

static void open_rv32(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    crypt_rv32(state, out, in, blocks, OPEN);
}

const hanji_ascon_aead_kernel hanji_ascon_aead_rv32_x1 = {PERMUTE, absorb_ad_rv32, seal_rv32,
                                                          open_rv32};
const hanji_ascon_hash_kernel hanji_ascon_hash_rv32_x1 = {PERMUTE, absorb_message_rv32};

#else

typedef int hanji_ascon_rv32_is_empty; /* C has no empty translation unit */

#endif
