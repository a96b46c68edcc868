/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHAM-64/128 on RV32 with Zbkb: counter mode over the kernel of two blocks.
 * void hanji_cham64_128_zbkb_ctr_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter, const void *keys)
 */
/* kernel:
     spec: [cham64_128.ctr]
     isa: zbkb
     blocks: [2]
     align: 4
     args: { out: {buffer: out, bytes: 8 * blocks * groups, access: w}, in: {buffer: in, bytes: 8 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 8, access: rw}, keys: {buffer: keys, bytes: 32, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, keys
*/
#include "support/cpu.h"

#if defined(HANJI_RV32) && defined(__riscv_zbkb)
#include "cham/cham_rv32i.h"

void hanji_cham64_128_zbkb_ctr_x2(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,
                                  const void *keys)
{
    rv32_ctr(out, in, groups, counter, keys, hanji_cham64_128_zbkb_encrypt_x2, 2,
             HANJI_CHAM64_128_BLOCK_BYTES);
}

#endif
