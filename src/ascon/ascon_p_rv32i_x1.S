// SPDX-License-Identifier: Apache-2.0
// Ascon-p (SP 800-232, section 3), one state in registers as pairs of words, two rounds per loop.
// The steps are rounds, the last ones of 16: an even number from 2.
// void hanji_ascon_p_rv32i_x1(uint64_t *state, uint32_t steps);
/* kernel:
     spec: ascon_p.permute
     isa: rv32i
     blocks: 1
     align: 4
     args: { a0: {buffer: state, bytes: 40, access: rw}, a1: {value: steps} }
     aliasing: in place
     stack: 48
     secrets: state
*/

#include "ascon_rv32i.inc"

#define STATE a0
#define CONSTANT a1 // where that of the next round is
#define END s10

    // The constants of 16 rounds, every other one complemented: with it goes that of S2.
    .section .rodata.hanji_ascon_p_rv32i_x1, "a"
    .balign 4
constants:
    .word ~0x3c, 0x2d, ~0x1e, 0x0f, ~0xf0, 0xe1, ~0xd2, 0xc3
    .word ~0xb4, 0xa5, ~0x96, 0x87, ~0x78, 0x69, ~0x5a, 0x4b
constants_end:

    .section .text.hanji_ascon_p_rv32i_x1, "ax"
    .global hanji_ascon_p_rv32i_x1
    .type hanji_ascon_p_rv32i_x1, @function
hanji_ascon_p_rv32i_x1:
    addi sp, sp, -48
    saved_words sw
    slli a1, a1, 2
    la END, constants_end
    sub CONSTANT, END, a1
    words lw, STATE
    complements
1:
    lw U0, 0(CONSTANT)
    xor s4, s4, U0
    first_round
    lw U0, 4(CONSTANT)
    addi CONSTANT, CONSTANT, 8
    xor s4, s4, U0
    second_round
    bne CONSTANT, END, 1b
    complements
    words sw, STATE
    saved_words lw
    addi sp, sp, 48
    ret
    .size hanji_ascon_p_rv32i_x1, . - hanji_ascon_p_rv32i_x1
