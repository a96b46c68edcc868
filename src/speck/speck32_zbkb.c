/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK-32/64 on RV32 with Zbkb: counter mode over the kernel of two blocks.
 * void hanji_speck32_64_zbkb_ctr_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter, const void *keys)
 */
/* kernel:
     spec: [speck32_64.ctr]
     isa: zbkb
     blocks: [2]
     align: 4
     args: { out: {buffer: out, bytes: 4 * blocks * groups, access: w}, in: {buffer: in, bytes: 4 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 4, access: rw}, keys: {buffer: keys, bytes: 44, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, keys
*/
#include "support/cpu.h"

#if defined(HANJI_RV32) && defined(__riscv_zbkb)
#include "speck/speck_rv32i.h"

void hanji_speck32_64_zbkb_ctr_x2(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,
                                  const void *keys)
{
    rv32_ctr(out, in, groups, counter, keys, hanji_speck32_64_zbkb_encrypt_x2, 2,
             HANJI_SPECK32_64_BLOCK_BYTES);
}

#endif
