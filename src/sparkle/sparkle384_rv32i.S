// SPDX-License-Identifier: Apache-2.0
// SPARKLE384, one state in registers, two steps per loop; any number of steps from 1.
// void hanji_sparkle384_rv32i_x1(uint32_t *states, size_t groups, uint32_t steps);
/* kernel:
     spec: sparkle384.permute
     isa: rv32i
     blocks: 1
     align: 4
     args: { a0: {buffer: states, bytes: 48 * groups, access: rw}, a1: {value: groups}, a2: {value: steps} }
     aliasing: in place
     stack: 48
     secrets: states
*/
#define WORDS 24 // two, ten saved registers, twelve words of the state
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
#define C4 a4
#define C5 a5
// Left half and right half, words x0 y0 x1 y1 x2 y2 of each.
#define A a6, a7, s0, s1, s2, s3
#define B s4, s5, s6, s7, s8, s9

.macro rows do, x0, y0, x1, y1, x2, y2, x3, y3, x4, y4, x5, y5
    \do \x0, 0(STATES)
    \do \y0, 4(STATES)
    \do \x1, 8(STATES)
    \do \y1, 12(STATES)
    \do \x2, 16(STATES)
    \do \y2, 20(STATES)
    \do \x3, 24(STATES)
    \do \y3, 28(STATES)
    \do \x4, 32(STATES)
    \do \y4, 36(STATES)
    \do \x5, 40(STATES)
    \do \y5, 44(STATES)
.endm

.macro saved do
    \do s0, 0(sp)
    \do s1, 4(sp)
    \do s2, 8(sp)
    \do s3, 12(sp)
    \do s4, 16(sp)
    \do s5, 20(sp)
    \do s6, 24(sp)
    \do s7, 28(sp)
    \do s8, 32(sp)
    \do s9, 36(sp)
.endm

// The new left words u of one kind, of old left ones x and right ones r, rotated by a branch: r0 =
// r1 ^ x1 ^ t, r1 = r2 ^ x2 ^ t, r2 = r0 ^ x0 ^ t, with t in T.
.macro left x0, x1, x2, r0, r1, r2
    xor U, \r0, \x0
    xor \r0, \r1, \x1
    xor \r1, \r2, \x2
    xor \r2, U, T
    xor \r0, \r0, T
    xor \r1, \r1, T
.endm

// Boxes and linear layer of one step. Afterwards the left half is in x3 .. y5, the right half in x0
// .. y2.
.macro step x0, y0, x1, y1, x2, y2, x3, y3, x4, y4, x5, y5
    alzette \x0, \y0, C0
    alzette \x1, \y1, C1
    alzette \x2, \y2, C2
    alzette \x3, \y3, C3
    alzette \x4, \y4, C4
    alzette \x5, \y5, C5
    xor T, \x0, \x1
    xor T, T, \x2
    ell
    left \y0, \y1, \y2, \y3, \y4, \y5
    xor T, \y0, \y1
    xor T, T, \y2
    ell
    left \x0, \x1, \x2, \x3, \x4, \x5
.endm

    .section .text.hanji_sparkle384_rv32i_x1, "ax", @progbits
    constants
    .global hanji_sparkle384_rv32i_x1
    .type hanji_sparkle384_rv32i_x1, @function
hanji_sparkle384_rv32i_x1:
    beqz GROUPS, .Lnone
    addi sp, sp, -48
    saved sw
.Lstate:
    rows lw, A, B
    here
    lw C0, CONSTANT(0)
    lw C1, CONSTANT(1)
    lw C2, CONSTANT(2)
    lw C3, CONSTANT(3)
    lw C4, CONSTANT(4)
    lw C5, CONSTANT(5)
    li S, 1
    xor a7, a7, C0              // the constants of step 0: y0 ^= C0, y1 ^= 0

.Leven:
    step A, B
    beq S, STEPS, .Lodd_end
    lw U, CONSTANT(1)
    xor s7, s7, S
    addi S, S, 1
    xor s5, s5, U
    step B, A
    advance
    lw U, CONSTANT(0)
    xor s1, s1, S
    addi S, S, 1
    xor a7, a7, U
    bgeu STEPS, S, .Leven

    xor s1, s1, STEPS           // undo the constants of a step that is not to be done
    xor a7, a7, U
    rows sw, A, B
    j .Lnext
.Lodd_end:
    rows sw, B, A
.Lnext:
    addi GROUPS, GROUPS, -1
    beqz GROUPS, .Ldone
    addi STATES, STATES, 48
    j .Lstate
.Ldone:
    saved lw
    addi sp, sp, 48
.Lnone:
    ret
    .size hanji_sparkle384_rv32i_x1, . - hanji_sparkle384_rv32i_x1
