// SPDX-License-Identifier: Apache-2.0
// SPARKLE384 on Armv6-M; any number of steps from 1.
// void hanji_sparkle384_armv6m_x1(uint32_t *states, size_t groups, uint32_t steps);
/* kernel:
     spec: sparkle384.permute
     isa: armv6m
     blocks: 1
     align: 4
     args: { r0: {buffer: states, bytes: 48 * groups, access: rw}, r1: {value: groups},
             r2: {value: steps} }
     aliasing: in place
     stack: 84
     secrets: states
*/
#define BRANCHES 3
#include "sparkle_armv6m.inc"
    .global hanji_sparkle384_armv6m_x1
    kernel hanji_sparkle384_armv6m_x1
