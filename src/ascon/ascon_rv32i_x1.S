// SPDX-License-Identifier: Apache-2.0
// Whole blocks of Ascon (SP 800-232, sections 4 and 5) for one state, which stays in registers from
// block to block. The rounds stand one after the other, once for all functions; with HANJI_SMALL
// they are a loop of two.
#include "ascon_rv32i.inc"

#define IN a0
#define OUT a1
#define IN_END s11 // where the input ends

// The frame: saved registers, the address of the state; with the loop, IN_END while that runs.
#define STATE 52(sp)
#define SAVED 56(sp)
#define CONSTANT s10 // complemented, in the loop
#define LAST s11     // where that ends

.macro saved_registers do
    saved_words \do
    \do s11, 44(sp)
    \do ra, 48(sp)
.endm

// The arguments are registers; `bytes` of a block are a power of two with this logarithm.
.macro begin name, in, groups, logarithm
    .section .text.\name, "ax"
    .type \name, @function
\name:
    addi sp, sp, -64
    saved_registers sw
    sw a0, STATE
    slli IN_END, \groups, \logarithm
    add IN_END, IN_END, \in
    words lw, a0
    complements
.endm

// The permutation behind a block, and back to the next one.
.macro permute_and_loop rounds
    jal \rounds
    bne IN, IN_END, 1b
.endm

.macro end name
    lw a0, STATE
    complements
    words sw, a0
    saved_registers lw
    addi sp, sp, 64
    ret
    .size \name, . - \name
.endm

// Two rounds from this constant on.
.macro pair constant
    xori s4, s4, ~\constant
    first_round
    xori s4, s4, \constant - 15
    second_round
.endm

    .section .text.hanji_ascon_rv32i_rounds, "ax"
    .type hanji_ascon_rv32i_rounds8, @function
hanji_ascon_rv32i_rounds8:
#ifdef HANJI_SMALL
    li CONSTANT, ~0xb4
hanji_ascon_rv32i_rounds:
    sw IN_END, SAVED
    li LAST, ~0x3c
1:
    xor s4, s4, CONSTANT
    first_round
    xor s4, s4, CONSTANT
    xori s4, s4, ~0x11 // the next constant is this less 15: for even rounds 0x11 away
    addi CONSTANT, CONSTANT, 30
    second_round
    bne CONSTANT, LAST, 1b
    lw IN_END, SAVED
#else
    pair 0xb4
    pair 0x96
    pair 0x78
    pair 0x5a
#endif
    ret
    .size hanji_ascon_rv32i_rounds8, . - hanji_ascon_rv32i_rounds8

    .section .text.hanji_ascon_rv32i_rounds12, "ax"
    .type hanji_ascon_rv32i_rounds12, @function
hanji_ascon_rv32i_rounds12:
#ifdef HANJI_SMALL
    li CONSTANT, ~0xf0
    j hanji_ascon_rv32i_rounds
#else
    pair 0xf0
    pair 0xd2
    j hanji_ascon_rv32i_rounds8
#endif
    .size hanji_ascon_rv32i_rounds12, . - hanji_ascon_rv32i_rounds12

// Whole blocks into the state, p[8] after each.
// void hanji_ascon_aead128_rv32i_absorb_x1(uint64_t *state, const uint8_t *in, size_t groups);
/* kernel:
     spec: ascon_aead128.absorb_blocks
     isa: rv32i
     blocks: 1
     align: 4
     args: { a0: {buffer: state, bytes: 40, access: rw},
             a1: {buffer: in, bytes: 16 * groups, access: r}, a2: {value: groups} }
     aliasing: in place
     stack: 64
     secrets: state, in
*/
    .global hanji_ascon_aead128_rv32i_absorb_x1
    begin hanji_ascon_aead128_rv32i_absorb_x1, a1, a2, 4
    mv IN, a1
1:
    lw t0, 0(IN)
    lw t1, 4(IN)
    lw t2, 8(IN)
    lw a2, 12(IN)
    xor s0, s0, t0
    xor s1, s1, t1
    xor s2, s2, t2
    xor s3, s3, a2
    addi IN, IN, 16
    permute_and_loop hanji_ascon_rv32i_rounds8
    end hanji_ascon_aead128_rv32i_absorb_x1

// The same for Ascon-Hash256, with blocks of 8 bytes and p[12].
// void hanji_ascon_hash256_rv32i_absorb_x1(uint64_t *state, const uint8_t *in, size_t groups);
/* kernel:
     spec: ascon_hash256.absorb_blocks
     isa: rv32i
     blocks: 1
     align: 4
     args: { a0: {buffer: state, bytes: 40, access: rw},
             a1: {buffer: in, bytes: 8 * groups, access: r}, a2: {value: groups} }
     aliasing: in place
     stack: 64
     secrets: state, in
*/
    .global hanji_ascon_hash256_rv32i_absorb_x1
    begin hanji_ascon_hash256_rv32i_absorb_x1, a1, a2, 3
    mv IN, a1
1:
    lw t0, 0(IN)
    lw t1, 4(IN)
    addi IN, IN, 8
    xor s0, s0, t0
    xor s1, s1, t1
    permute_and_loop hanji_ascon_rv32i_rounds12
    end hanji_ascon_hash256_rv32i_absorb_x1

// Whole blocks of text, p[8] after each. S0 is complemented in its registers.
// void hanji_ascon_aead128_rv32i_seal_x1(uint64_t *state, uint8_t *out, const uint8_t *in,
//                                        size_t groups);
/* kernel:
     spec: ascon_aead128.seal_blocks
     isa: rv32i
     blocks: 1
     align: 4
     args: { a0: {buffer: state, bytes: 40, access: rw},
             a1: {buffer: out, bytes: 16 * groups, access: w},
             a2: {buffer: in, bytes: 16 * groups, access: r}, a3: {value: groups} }
     aliasing: out == in allowed
     stack: 64
     secrets: state, in
*/
    .global hanji_ascon_aead128_rv32i_seal_x1
    begin hanji_ascon_aead128_rv32i_seal_x1, a2, a3, 4
    mv IN, a2
1:
    lw t0, 0(IN)
    lw t1, 4(IN)
    lw t2, 8(IN)
    lw a2, 12(IN)
    addi IN, IN, 16
    xor s0, s0, t0
    xor s1, s1, t1
    xor s2, s2, t2
    xor s3, s3, a2
    not t0, s0
    not t1, s1
    sw t0, 0(OUT)
    sw t1, 4(OUT)
    sw s2, 8(OUT)
    sw s3, 12(OUT)
    addi OUT, OUT, 16
    permute_and_loop hanji_ascon_rv32i_rounds8
    end hanji_ascon_aead128_rv32i_seal_x1

// void hanji_ascon_aead128_rv32i_open_x1(uint64_t *state, uint8_t *out, const uint8_t *in,
//                                        size_t groups);
/* kernel:
     spec: ascon_aead128.open_blocks
     isa: rv32i
     blocks: 1
     align: 4
     args: { a0: {buffer: state, bytes: 40, access: rw},
             a1: {buffer: out, bytes: 16 * groups, access: w},
             a2: {buffer: in, bytes: 16 * groups, access: r}, a3: {value: groups} }
     aliasing: out == in allowed
     stack: 64
     secrets: state, in
*/
    .global hanji_ascon_aead128_rv32i_open_x1
    begin hanji_ascon_aead128_rv32i_open_x1, a2, a3, 4
    mv IN, a2
1:
    lw t0, 0(IN)
    lw t1, 4(IN)
    lw t2, 8(IN)
    lw a2, 12(IN)
    addi IN, IN, 16
    not t0, t0
    not t1, t1
    xor s0, s0, t0
    xor s1, s1, t1
    xor s2, s2, t2
    xor s3, s3, a2
    sw s0, 0(OUT)
    sw s1, 4(OUT)
    sw s2, 8(OUT)
    sw s3, 12(OUT)
    mv s0, t0
    mv s1, t1
    mv s2, t2
    mv s3, a2
    addi OUT, OUT, 16
    permute_and_loop hanji_ascon_rv32i_rounds8
    end hanji_ascon_aead128_rv32i_open_x1
