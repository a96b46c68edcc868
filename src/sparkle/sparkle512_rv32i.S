// SPDX-License-Identifier: Apache-2.0
// SPARKLE512, one state in registers, two steps per loop; any number of steps from 1.
// void hanji_sparkle512_rv32i_x1(uint32_t *states, size_t groups, uint32_t steps);
/* kernel:
     spec: sparkle512.permute
     isa: rv32i
     blocks: 1
     align: 4
     args: { a0: {buffer: states, bytes: 64 * groups, access: rw}, a1: {value: groups}, a2: {value: steps} }
     aliasing: in place
     stack: 64
     secrets: states
*/
#define WORDS 35 // two, thirteen saved registers, three arguments, sixteen words of the state, one move
#include "sparkle_rv32i.inc"

// Sixteen words, eight constants and four more are all registers that there are: the arguments are
// on the stack, and each step loads their number.
#define STATES 52(sp)
#define GROUPS 56(sp)
#define STEPS 60(sp)
// The number of the next step.
#define S t3
#define C0 t4
#define C1 t5
#define C2 t6
#define C3 s8
#define C4 s9
#define C5 s10
#define C6 s11
#define C7 ra
// Left half and right half, words x0 y0 x1 y1 x2 y2 x3 y3 of each.
#define A a0, a1, a2, a3, a4, a5, a6, a7
#define B s0, s1, s2, s3, s4, s5, s6, s7

// All words of the state whose address is in T.
.macro rows do, x0, y0, x1, y1, x2, y2, x3, y3, x4, y4, x5, y5, x6, y6, x7, y7
    \do \x0, 0(T)
    \do \y0, 4(T)
    \do \x1, 8(T)
    \do \y1, 12(T)
    \do \x2, 16(T)
    \do \y2, 20(T)
    \do \x3, 24(T)
    \do \y3, 28(T)
    \do \x4, 32(T)
    \do \y4, 36(T)
    \do \x5, 40(T)
    \do \y5, 44(T)
    \do \x6, 48(T)
    \do \y6, 52(T)
    \do \x7, 56(T)
    \do \y7, 60(T)
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
    \do s10, 40(sp)
    \do s11, 44(sp)
    \do ra, 48(sp)
.endm

// The new left words u of one kind, of old left ones x and right ones r, rotated by a branch: r0 =
// r1 ^ x1 ^ t and so on to r3 = r0 ^ x0 ^ t, with t in T.
.macro left x0, x1, x2, x3, r0, r1, r2, r3
    xor U, \r0, \x0
    xor \r0, \r1, \x1
    xor \r1, \r2, \x2
    xor \r2, \r3, \x3
    xor \r3, U, T
    xor \r0, \r0, T
    xor \r1, \r1, T
    xor \r2, \r2, T
.endm

// Boxes and linear layer of one step. Afterwards the left half is in x4 .. y7, the right half in x0
// .. y3.
.macro step x0, y0, x1, y1, x2, y2, x3, y3, x4, y4, x5, y5, x6, y6, x7, y7
    alzette \x0, \y0, C0
    alzette \x1, \y1, C1
    alzette \x2, \y2, C2
    alzette \x3, \y3, C3
    alzette \x4, \y4, C4
    alzette \x5, \y5, C5
    alzette \x6, \y6, C6
    alzette \x7, \y7, C7
    xor T, \x0, \x1
    xor T, T, \x2
    xor T, T, \x3
    ell
    left \y0, \y1, \y2, \y3, \y4, \y5, \y6, \y7
    xor T, \y0, \y1
    xor T, T, \y2
    xor T, T, \y3
    ell
    left \x0, \x1, \x2, \x3, \x4, \x5, \x6, \x7
.endm

    .section .text.hanji_sparkle512_rv32i_x1, "ax", @progbits
    constants
    .global hanji_sparkle512_rv32i_x1
    .type hanji_sparkle512_rv32i_x1, @function
hanji_sparkle512_rv32i_x1:
    beqz a1, .Lnone
    addi sp, sp, -64
    saved sw
    sw a0, STATES
    sw a1, GROUPS
    sw a2, STEPS
    mv T, a0
.Lstate:
    rows lw, A, B
    here
    lw C0, CONSTANT(0)
    lw C1, CONSTANT(1)
    lw C2, CONSTANT(2)
    lw C3, CONSTANT(3)
    lw C4, CONSTANT(4)
    lw C5, CONSTANT(5)
    lw C6, CONSTANT(6)
    lw C7, CONSTANT(7)
    li S, 1
    xor a1, a1, C0              // the constants of step 0: y0 ^= C0, y1 ^= 0

.Leven:
    step A, B
    lw T, STEPS
    lw U, CONSTANT(1)
    beq S, T, .Lodd_end
    xor s3, s3, S
    addi S, S, 1
    xor s1, s1, U
    step B, A
    advance
    lw T, STEPS
    lw U, CONSTANT(0)
    xor a3, a3, S
    addi S, S, 1
    xor a1, a1, U
    bgeu T, S, .Leven

    xor a3, a3, T               // undo the constants of a step that is not to be done
    xor a1, a1, U
    lw T, STATES
    rows sw, A, B
    j .Lnext
.Lodd_end:
    lw T, STATES
    rows sw, B, A
.Lnext:
    lw U, GROUPS
    addi U, U, -1
    beqz U, .Ldone
    addi T, T, 64
    sw U, GROUPS
    sw T, STATES
    j .Lstate
.Ldone:
    saved lw
    addi sp, sp, 64
.Lnone:
    ret
    .size hanji_sparkle512_rv32i_x1, . - hanji_sparkle512_rv32i_x1
