/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHAM-64/128 on RV32I: the key layouts, and counter mode over the kernels of few blocks.
 * void hanji_cham64_128_rv32i_ctr_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter, const void *keys)
 */
/* kernel:
     spec: [cham64_128.ctr]
     isa: rv32i
     blocks: [2]
     align: 4
     layout: pairs_numbered
     args: { out: {buffer: out, bytes: 8 * blocks * groups, access: w}, in: {buffer: in, bytes: 8 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 8, access: rw}, keys: {buffer: keys, bytes: 64, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, keys
*/
#include "support/cpu.h"

#ifdef HANJI_RV32
#include "cham/cham_rv32i.h"

/*
 * The kernel of two blocks keeps the odd words xored with 1: the keys of even rounds take it off,
 * those of odd rounds put it on. See cham64_rv32i_x2.S.
 */
void hanji_cham64_128_rv32i_expand_pairs(void *area, const void *round_keys)
{
    uint32_t *pairs = (uint32_t *)area;
    rv32_expand_pairs(pairs, (const uint16_t *)round_keys, HANJI_CHAM64_128_ROUND_KEYS);
    for (size_t r = 0; r < HANJI_CHAM64_128_ROUND_KEYS; r++)
        pairs[r] ^= (r & 1) == 0 ? 0x00020002u : 0x80008000u;
}

/*
 * The bit-sliced kernel keeps the word that round i reads as its own xored with the three lowest
 * bits of i. The masks take that off where round r reads the word of round r + 1 as the next one,
 * and put what round r + 4 wants on the sum: as the sum changes with the inverted bits of its
 * operand, and the carry is told.
 */
void hanji_cham64_128_rv32i_expand_slices(void *area, const void *round_keys)
{
    uint16_t masked[HANJI_CHAM64_128_ROUND_KEYS];
    const uint16_t *keys = (const uint16_t *)round_keys;
    for (size_t r = 0; r < HANJI_CHAM64_128_ROUND_KEYS; r++) {
        /* Rotations to the left of the next word, and of the sum. */
        const int before = (r & 1) == 0 ? 1 : 8, after = 9 - before;
        const uint32_t next = (r + 1) & 7, sum = (r + 4) & 7;
        masked[r] = (uint16_t)(keys[r] ^ next << before ^ sum >> after ^ sum << (16 - after));
    }
    hanji_cham64_128_rv32i_expand_pairs(area, keys);
    rv32_expand_masks((uint32_t *)area + HANJI_CHAM64_128_ROUND_KEYS, masked,
                      HANJI_CHAM64_128_ROUND_KEYS);
    hanji_wipe(masked, sizeof masked);
}

void hanji_cham64_128_rv32i_ctr_x2(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,
                                   const void *keys)
{
    rv32_ctr(out, in, groups, counter, keys, hanji_cham64_128_rv32i_encrypt_x2, 2,
             HANJI_CHAM64_128_BLOCK_BYTES);
}

#endif
