// SPDX-License-Identifier: Apache-2.0
// SPARKLE256 on AVR, a branch at a time in registers; any number of steps from 1 to 64.
// void hanji_sparkle256_avr_x1(uint32_t *states, size_t groups, uint32_t steps);
/* kernel:
     spec: sparkle256.permute
     isa: avr
     blocks: 1
     align: 1
     args: { r24: {buffer: states, bytes: 32 * groups, access: rw}, r22: {value: groups},
             r18: {value: steps} }
     aliasing: in place
     stack: 21 # with HANJI_SMALL two more: the box is called
     secrets: states
*/
#define BRANCHES 2
#include "sparkle_avr.inc"
    .global hanji_sparkle256_avr_x1
    kernel hanji_sparkle256_avr_x1
