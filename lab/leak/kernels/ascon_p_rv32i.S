// SPDX-License-Identifier: Apache-2.0
// Ascon-p in two shares for RV32I: what the laboratory's own controls break on purpose. It shows a
// test of leakage that finds something, and one that finds nothing; it is no kernel of the library.
// void masked_ascon_p(uint32_t state[22], uint32_t rounds);
/* kernel:
     spec: ascon_p.permute
     isa: rv32i
     blocks: 1
     args: { a0: {buffer: state, bytes: 88, access: rw}, a1: {value: rounds} }
     aliasing: in place
     stack: 64
     secrets: state
     masking:
       order: 1
       shares: { state: {bytes: 80, shares: 2, layout: share-major} }
       random: { guard: {buffer: state, at: 80, bytes: 8, use: guard} }
       public: [rounds]
       outputs: { state: uniform, guard: uniform }
       loop: { head: masked_round, carries: [state, guard] }
*/
// Gates without fresh randomness: changing of the guards (ePrint 2016/1061) over chi from Toffoli
// gates (ePrint 2019/536); (a | b) ^ (a | c) = ~a & (b ^ c) saves the complements. One guard of 64
// bits masks the first gate of a round, and its other share is the guard of the next.
//
// Order and registers keep two shares of a word, and two products of a gate, from meeting in a
// register, on a port of the register file or in the ALU. Ibex also reads the registers that the
// bits of immediates name, and multiplies them. Therefore no shift amount of a word is the number
// of a register that holds this word, and the last product is cleared before shifts by 31.

// X<word><share><l|h>: low and high halves of words 0 to 4. G is the guard, R takes the first gate.
#define X00l t4
#define X00h t2
#define X10l t3
#define X10h s2
#define X20l s4
#define X20h a3
#define X30l s5
#define X30h s7
#define X40l t5
#define X40h s11
#define X01l s0
#define X01h s1
#define X11l a6
#define X11h t1
#define X21l s3
#define X21h a5
#define X31l s10
#define X31h s8
#define X41l s6
#define X41h a2
#define Gl t0
#define Gh a7
#define Rl a4
#define Rh s9
#define PRODUCT t6
#define SHIFTED ra
#define CONSTANT a1
#define STATE a0

// d = s ^ (y op z), in both halves before anything else: the halves of a product are unrelated.
.macro product op, dl, dh, sl, sh, yl, yh, zl, zh
    \op PRODUCT, \yl, \zl
    xor \dl, \sl, PRODUCT
    \op PRODUCT, \yh, \zh
    xor \dh, \sh, PRODUCT
.endm

// (d0, d1) = (s0, s1) ^ ~y & z
.macro gate d0l, d0h, d1l, d1h, s0l, s0h, s1l, s1h, y0l, y0h, y1l, y1h, z0l, z0h, z1l, z1h
    product or, \d0l, \d0h, \s0l, \s0h, \y0l, \y0h, \z0l, \z0h
    product or, \d0l, \d0h, \d0l, \d0h, \y0l, \y0h, \z1l, \z1h
    product and, \d1l, \d1h, \s1l, \s1h, \y1l, \y1h, \z1l, \z1h
    product and, \d1l, \d1h, \d1l, \d1h, \y1l, \y1h, \z0l, \z0h
.endm

// Word i ^= ~word y & word z
#define CAT(a, b, c) a##b##c
#define WORD(i) CAT(X, i, 0l), CAT(X, i, 0h), CAT(X, i, 1l), CAT(X, i, 1h)
#define GATE(i, y, z) gate WORD(i), WORD(i), WORD(y), WORD(z)

.macro add_to dl, dh, sl, sh
    xor \dl, \dl, \sl
    xor \dh, \dh, \sh
.endm

// Half a word of the linear layer: d = x ^ low half of (hi:lo >>> a) ^ low half of (hi:lo >>> b).
.macro half d, x, lo, hi, a, second_lo, second_hi, b
    srli SHIFTED, \lo, \a
    xor \d, \x, SHIFTED
    slli SHIFTED, \hi, 32 - \a
    xor \d, \d, SHIFTED
    srli SHIFTED, \second_lo, \b
    xor \d, \d, SHIFTED
    slli SHIFTED, \second_hi, 32 - \b
    xor \d, \d, SHIFTED
.endm

// The same for the high half, which ends in x itself; the low half is moved in between.
.macro last d, x, lo, hi, a, second_lo, second_hi, b, low, made
    srli SHIFTED, \lo, \a
    xor \d, \x, SHIFTED
    slli SHIFTED, \hi, 32 - \a
    xor \d, \d, SHIFTED
    srli SHIFTED, \second_lo, \b
    xor \d, \d, SHIFTED
    slli SHIFTED, \second_hi, 32 - \b
    mv \low, \made
    xor \x, \d, SHIFTED
.endm

// A word of the linear layer; `far` is the number of rotations by 32 and more, from which 32 are
// taken off: none, the second one or both.
.macro diffuse lo, hi, a, b, far
    .if \far == 2
    half Rl, \lo, \hi, \lo, \a, \hi, \lo, \b
    last Rh, \hi, \lo, \hi, \a, \lo, \hi, \b, \lo, Rl
    .elseif \far == 1
    half Rl, \lo, \lo, \hi, \a, \hi, \lo, \b
    last Rh, \hi, \hi, \lo, \a, \lo, \hi, \b, \lo, Rl
    .else
    half Rl, \lo, \lo, \hi, \a, \lo, \hi, \b
    last Rh, \hi, \hi, \lo, \a, \hi, \lo, \b, \lo, Rl
    .endif
.endm

.macro words op
    \op X00l, 0(STATE)
    \op X00h, 4(STATE)
    \op X10l, 8(STATE)
    \op X10h, 12(STATE)
    \op X20l, 16(STATE)
    \op X20h, 20(STATE)
    \op X30l, 24(STATE)
    \op X30h, 28(STATE)
    \op X40l, 32(STATE)
    \op X40h, 36(STATE)
    \op X01l, 40(STATE)
    \op X01h, 44(STATE)
    \op X11l, 48(STATE)
    \op X11h, 52(STATE)
    \op X21l, 56(STATE)
    \op X21h, 60(STATE)
    \op X31l, 64(STATE)
    \op X31h, 68(STATE)
    \op X41l, 72(STATE)
    \op X41h, 76(STATE)
    \op Gl, 80(STATE)
    \op Gh, 84(STATE)
.endm

.macro saved op
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    \op s\i, 4 * \i(sp)
    .endr
    \op ra, 48(sp)
.endm

    .text
    .balign 4
    .globl masked_ascon_p
    .type masked_ascon_p, @function
masked_ascon_p:
    addi sp, sp, -64
    saved sw
    words lw
    slli PRODUCT, CONSTANT, 4 // the constant of the first round: 0x3c + 15 * rounds
    sub CONSTANT, PRODUCT, CONSTANT
    addi CONSTANT, CONSTANT, 0x3c
masked_round:
    xor X20l, X20l, CONSTANT
    // the linear steps of the S-box, one share after the other
    add_to X00l, X00h, X40l, X40h
    add_to X40l, X40h, X30l, X30h
    add_to X20l, X20h, X10l, X10h
    add_to X01l, X01h, X41l, X41h
    add_to X41l, X41h, X31l, X31h
    add_to X21l, X21h, X11l, X11h
    // R = guard ^ ~x4 & x0
    gate Rl, Rh, Gl, Gh, Gl, Gh, Gl, Gh, WORD(4), WORD(0)
    GATE(0, 1, 2)
    GATE(2, 3, 4)
    GATE(4, 0, 1)
    GATE(1, 2, 3)
    li PRODUCT, 0
    add_to Rl, Rh, X30l, X30h // R is share 0 of word 3 until the linear layer
    add_to X31l, X31h, Gl, Gh
    add_to X10l, X10h, X00l, X00h
    add_to X00l, X00h, X40l, X40h
    add_to Rl, Rh, X20l, X20h
    add_to X11l, X11h, X01l, X01h
    add_to X01l, X01h, X41l, X41h
    add_to X31l, X31h, X21l, X21h
    xori X20l, X20l, -1
    xori X20h, X20h, -1
    // the linear layer of share 0
    half X30l, Rl, Rl, Rh, 10, Rl, Rh, 17
    half X30h, Rh, Rh, Rl, 10, Rh, Rl, 17
    diffuse X00l, X00h, 19, 28, 0
    diffuse X10l, X10h, 29, 7, 2
    diffuse X20l, X20h, 1, 6, 0
    diffuse X40l, X40h, 7, 9, 1
    // and of share 1; the words at the border differ
    diffuse X11l, X11h, 29, 7, 2
    diffuse X31l, X31h, 10, 17, 0
    diffuse X01l, X01h, 19, 28, 0
    diffuse X21l, X21h, 1, 6, 0
    diffuse X41l, X41h, 7, 9, 1
    addi CONSTANT, CONSTANT, -15
    li PRODUCT, 0x3c
    beq CONSTANT, PRODUCT, 1f
    j masked_round
1:
    words sw
    saved lw
    .irp i, t0, t1, t2, t3, t4, t5, t6, a2, a3, a4, a5, a6, a7
    li \i, 0
    .endr
    addi sp, sp, 64
    ret
    .size masked_ascon_p, . - masked_ascon_p
