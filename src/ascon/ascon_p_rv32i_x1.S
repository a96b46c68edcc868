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

// RV32I has no and-not. So words are held complemented where this spares an instruction: S0 and S3
// between two rounds, S2 in front of the first of them, S0 and S4 behind it. The linear layer keeps
// complements.
#define STATE a0
#define CONSTANT a1 // where that of the next round is
#define END s10
#define U0 t0
#define U1 t1
#define U2 t2
#define X0 s0, s1 // low half, high half
#define X1 s2, s3
#define X2 s4, s5
#define X3 s6, s7
#define X4 s8, s9
#define Y0 a2, a3
#define Y1 a4, a5
#define Y2 a6, a7
#define Y3 t3, t4
#define Y4 t5, t6

.macro words do
    \do s0, 0(STATE)
    \do s1, 4(STATE)
    \do s2, 8(STATE)
    \do s3, 12(STATE)
    \do s4, 16(STATE)
    \do s5, 20(STATE)
    \do s6, 24(STATE)
    \do s7, 28(STATE)
    \do s8, 32(STATE)
    \do s9, 36(STATE)
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
.endm

.macro sums x0, x1, x2, x3, x4
    xor U0, \x1, \x2
    xor U1, \x0, \x4
    xor U2, \x3, \x4
.endm

// The S-box on one half of all words, x0, x2 and x3 being complemented; so are y0 and y4 then.
.macro first_box x0, x1, x2, x3, x4, y0, y1, y2, y3, y4
    sums \x0, \x1, \x2, \x3, \x4
    xor \y0, \x2, U1
    or \y0, \y0, \x1
    xor \y0, \y0, U2
    xor \y1, \x3, \x1
    and \y1, \y1, U0
    xor \y1, \y1, U1
    and \y2, \x4, \x3
    xor \y2, \y2, U0
    and \y3, \x0, U2
    xor \y3, \y3, U0
    and \y4, \x1, U1
    xor \y4, \y4, U2
.endm

// The same with x0 and x4 complemented; y0 and y3 are then.
.macro second_box x0, x1, x2, x3, x4, y0, y1, y2, y3, y4
    sums \x0, \x1, \x2, \x3, \x4
    xor \y0, \x2, U1
    or \y0, \y0, \x1
    xor \y0, \y0, U2
    xor \y1, \x3, \x1
    or \y1, \y1, U0
    xor \y1, \y1, U1
    or \y2, \x4, \x3
    xor \y2, \y2, U0
    and \y3, \x0, U2
    xor \y3, \y3, U0
    not \y4, \x1
    or \y4, \y4, U1
    xor \y4, \y4, U2
.endm

// The low half of a pair rotated to the right by r, in two parts: their sum is U0 ^ U1.
.macro rotated low, high, r
    .if \r < 32
    srli U0, \low, \r
    slli U1, \high, 32 - \r
    .else
    srli U0, \high, \r - 32
    slli U1, \low, 64 - \r
    .endif
.endm

// x = y ^ (y >>> r) ^ (y >>> q), the low half; with halves exchanged the high one.
.macro half_word x, low, high, r, q
    rotated \low, \high, \r
    xor \x, \low, U0
    xor \x, \x, U1
    rotated \low, \high, \q
    xor \x, \x, U0
    xor \x, \x, U1
.endm

.macro diffuse x_low, x_high, y_low, y_high, r, q
    half_word \x_low, \y_low, \y_high, \r, \q
    half_word \x_high, \y_high, \y_low, \r, \q
.endm

.macro linear_layer
    diffuse X0, Y0, 19, 28
    diffuse X1, Y1, 61, 39
    diffuse X2, Y2, 1, 6
    diffuse X3, Y3, 10, 17
    diffuse X4, Y4, 7, 41
.endm

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
    saved sw
    slli a1, a1, 2
    la END, constants_end
    sub CONSTANT, END, a1
    words lw
    not s0, s0
    not s1, s1
    not s6, s6
    not s7, s7
1:
    lw U0, 0(CONSTANT)
    xor s4, s4, U0
    not s5, s5
    first_box s0, s2, s4, s6, s8, a2, a4, a6, t3, t5
    first_box s1, s3, s5, s7, s9, a3, a5, a7, t4, t6
    linear_layer
    lw U0, 4(CONSTANT)
    addi CONSTANT, CONSTANT, 8
    xor s4, s4, U0
    second_box s0, s2, s4, s6, s8, a2, a4, a6, t3, t5
    second_box s1, s3, s5, s7, s9, a3, a5, a7, t4, t6
    linear_layer
    bne CONSTANT, END, 1b
    not s0, s0
    not s1, s1
    not s6, s6
    not s7, s7
    words sw
    saved lw
    addi sp, sp, 48
    ret
    .size hanji_ascon_p_rv32i_x1, . - hanji_ascon_p_rv32i_x1
