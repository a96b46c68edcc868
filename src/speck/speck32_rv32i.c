/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK-32/64 on RV32I: the key layouts, and counter mode over the kernels of few blocks.
 * void hanji_speck32_64_rv32i_ctr_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter, const void *keys)
 */
/* kernel:
     spec: [speck32_64.ctr]
     isa: rv32i
     blocks: [4, 2]
     align: 4
     layout: pairs
     args: { out: {buffer: out, bytes: 4 * blocks * groups, access: w}, in: {buffer: in, bytes: 4 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 4, access: rw}, keys: {buffer: keys, bytes: 88, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, keys
*/
#include "support/cpu.h"

#ifdef HANJI_RV32
#include "speck/speck_rv32i.h"

void hanji_speck32_64_rv32i_expand_pairs(void *area, const void *round_keys)
{
    rv32_expand_pairs((uint32_t *)area, (const uint16_t *)round_keys, HANJI_SPECK32_64_ROUND_KEYS);
}

void hanji_speck32_64_rv32i_expand_slices(void *area, const void *round_keys)
{
    rv32_expand_pairs((uint32_t *)area, (const uint16_t *)round_keys, HANJI_SPECK32_64_ROUND_KEYS);
    rv32_expand_masks((uint32_t *)area + HANJI_SPECK32_64_ROUND_KEYS, (const uint16_t *)round_keys,
                      HANJI_SPECK32_64_ROUND_KEYS);
}

void hanji_speck32_64_rv32i_ctr_x2(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,
                                   const void *keys)
{
    rv32_ctr(out, in, groups, counter, keys, hanji_speck32_64_rv32i_encrypt_x2, 2,
             HANJI_SPECK32_64_BLOCK_BYTES);
}

void hanji_speck32_64_rv32i_ctr_x4(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,
                                   const void *keys)
{
    rv32_ctr(out, in, groups, counter, keys, hanji_speck32_64_rv32i_encrypt_x4, 4,
             HANJI_SPECK32_64_BLOCK_BYTES);
}

#endif
