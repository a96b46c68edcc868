// SPDX-License-Identifier: Apache-2.0
// SPARKLE256, one state in registers, two steps per loop; any number of steps from 1.
// void hanji_sparkle256_rv32i_x1(uint32_t *states, size_t groups, uint32_t steps);
/* kernel:
     spec: sparkle256.permute
     isa: rv32i
     blocks: 1
     align: 4
     args: { a0: {buffer: states, bytes: 32 * groups, access: rw}, a1: {value: groups}, a2: {value: steps} }
     aliasing: in place
     stack: 16
     secrets: states
*/
#define WORDS 14 // two, four saved registers, eight words of the state
#include "sparkle_rv32i.inc"

// The arguments stay where they are. S is the number of the next step.
#define STATES a0
#define GROUPS a1
#define STEPS a2
#define S t3
#define C0 t4
#define C1 t5
#define C2 t6
#define C3 a3
// Left half and right half, words x0 y0 x1 y1 of each.
#define A a4, a5, a6, a7
#define B s0, s1, s2, s3

.macro rows do, x0, y0, x1, y1, x2, y2, x3, y3
    \do \x0, 0(STATES)
    \do \y0, 4(STATES)
    \do \x1, 8(STATES)
    \do \y1, 12(STATES)
    \do \x2, 16(STATES)
    \do \y2, 20(STATES)
    \do \x3, 24(STATES)
    \do \y3, 28(STATES)
.endm

.macro saved do
    \do s0, 0(sp)
    \do s1, 4(sp)
    \do s2, 8(sp)
    \do s3, 12(sp)
.endm

// The new left words u of one kind, of old left ones x and right ones r, rotated by a branch: r0 =
// r1 ^ x1 ^ t, r1 = r0 ^ x0 ^ t, with t in T.
.macro left x0, x1, r0, r1
    xor U, \r0, \x0
    xor \r0, \r1, \x1
    xor \r1, U, T
    xor \r0, \r0, T
.endm

// Boxes and linear layer of one step. Afterwards the left half is in x2 .. y3, the right half in x0
// .. y1.
.macro step x0, y0, x1, y1, x2, y2, x3, y3
    alzette \x0, \y0, C0
    alzette \x1, \y1, C1
    alzette \x2, \y2, C2
    alzette \x3, \y3, C3
    xor T, \x0, \x1
    ell
    left \y0, \y1, \y2, \y3
    xor T, \y0, \y1
    ell
    left \x0, \x1, \x2, \x3
.endm

    .section .text.hanji_sparkle256_rv32i_x1, "ax", @progbits
    constants
    .global hanji_sparkle256_rv32i_x1
    .type hanji_sparkle256_rv32i_x1, @function
hanji_sparkle256_rv32i_x1:
    beqz GROUPS, .Lnone
    addi sp, sp, -16
    saved sw
.Lstate:
    rows lw, A, B
    here
    lw C0, CONSTANT(0)
    lw C1, CONSTANT(1)
    lw C2, CONSTANT(2)
    lw C3, CONSTANT(3)
    li S, 1
    xor a5, a5, C0              // the constants of step 0: y0 ^= C0, y1 ^= 0

.Leven:
    step A, B
    beq S, STEPS, .Lodd_end
    lw U, CONSTANT(1)
    xor s3, s3, S
    addi S, S, 1
    xor s1, s1, U
    step B, A
    advance
    lw U, CONSTANT(0)
    xor a7, a7, S
    addi S, S, 1
    xor a5, a5, U
    bgeu STEPS, S, .Leven

    xor a7, a7, STEPS           // undo the constants of a step that is not to be done
    xor a5, a5, U
    rows sw, A, B
    j .Lnext
.Lodd_end:
    rows sw, B, A
.Lnext:
    addi GROUPS, GROUPS, -1
    beqz GROUPS, .Ldone
    addi STATES, STATES, 32
    j .Lstate
.Ldone:
    saved lw
    addi sp, sp, 16
.Lnone:
    ret
    .size hanji_sparkle256_rv32i_x1, . - hanji_sparkle256_rv32i_x1
