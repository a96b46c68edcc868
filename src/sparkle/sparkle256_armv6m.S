// SPDX-License-Identifier: Apache-2.0
// SPARKLE256 on Armv6-M; any number of steps from 1.
// void hanji_sparkle256_armv6m_x1(uint32_t *states, size_t groups, uint32_t steps);
/* kernel:
     spec: sparkle256.permute
     isa: armv6m
     blocks: 1
     align: 4
     args: { r0: {buffer: states, bytes: 32 * groups, access: rw}, r1: {value: groups},
             r2: {value: steps} }
     aliasing: in place
     stack: 76
     secrets: states
*/
#define BRANCHES 2
#include "sparkle_armv6m.inc"
    .global hanji_sparkle256_armv6m_x1
    kernel hanji_sparkle256_armv6m_x1
