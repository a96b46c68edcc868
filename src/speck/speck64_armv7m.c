/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK-64/128 on Armv7-M, counter mode over the kernel of one block.
 * void hanji_CIPHER_armv7m_ctr_x1(uint8_t *out, const uint8_t *in, size_t groups,
 *     uint8_t *counter, const void *keys)
 */
/* kernel:
     spec: [speck64_128.ctr]
     isa: armv7m
     blocks: [1]
     align: 1
     args: { out: {buffer: out, bytes: 8 * groups, access: w},
             in: {buffer: in, bytes: 8 * groups, access: r},
             counter: {buffer: counter, bytes: 8, access: rw},
             keys: {buffer: keys, bytes: round keys in canonical layout, access: r,
                    align: 4} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, keys
*/
#include "support/cpu.h"

#ifdef HANJI_ARMV7M
#include "speck/speck_mcu.h"

void hanji_speck64_128_armv7m_ctr_x1(uint8_t *out, const uint8_t *in, size_t groups,
                                     uint8_t *counter, const void *keys)
{
    mcu_ctr(out, in, groups, counter, keys, hanji_speck64_128_armv7m_encrypt_x1);
}

#endif
