// SPDX-License-Identifier: Apache-2.0
// Whole blocks of Ascon (SP 800-232, sections 4 and 5) for one state, which stays in registers from
// block to block, and what is in front of them and behind. The rounds stand one after the other,
// once for all functions; with HANJI_SMALL they are a loop of two.
#include "ascon_rv32i.inc"

#define IN a0
#define OUT a1
#define KEY a1
#define IN_END s11 // where the input ends
#define NEXT s10   // where the rounds go to, without the loop

// The frame: saved registers, the address of the state; with the loop, IN_END while that runs.
#define STATE 52(sp)
#define SAVED 56(sp)
#define CONSTANT s10 // complemented, in the loop
#define LAST s11     // where that ends

.macro saved_registers do
    saved_words \do
    \do s11, 44(sp)
#ifdef HANJI_SMALL
    \do ra, 48(sp)
#endif
.endm

// The arguments are registers; `bytes` of a block are a power of two with this logarithm.
.macro begin name, in, groups, logarithm
    .section .text.\name, "ax"
    .type \name, @function
\name:
    addi sp, sp, -64
    saved_registers sw
    slli IN_END, \groups, \logarithm
    add IN_END, IN_END, \in
    words lw, a0
    complements
.endm

// In front of a block: the rounds of the one before come back to the test whether it was the last.
.macro blocks in
#ifdef HANJI_SMALL
1:
#else
    jal NEXT, 3f
    beq \in, IN_END, 2f
3:
#endif
.endm

// The permutation behind a block, and back to the next one.
.macro permute_and_loop rounds, in
#ifdef HANJI_SMALL
    jal \rounds
    bne \in, IN_END, 1b
#else
    j \rounds
2:
#endif
.endm

.macro end name
    complements
    words sw, a0
    saved_registers lw
    addi sp, sp, 64
    ret
    .size \name, . - \name
.endm

// The words of the key at KEY into those of the state.
.macro key_into k0, k1, k2, k3
    lw t0, 0(KEY)
    lw t1, 4(KEY)
    lw t2, 8(KEY)
    lw a2, 12(KEY)
    xor \k0, \k0, t0
    xor \k1, \k1, t1
    xor \k2, \k2, t2
    xor \k3, \k3, a2
.endm

// Two rounds from this constant on.
.macro pair constant
    xori s4, s4, ~\constant
    first_round
    xori s4, s4, \constant - 15
    second_round
.endm

#ifdef HANJI_SMALL

    .section .text.hanji_ascon_rv32i_rounds, "ax"
    .type hanji_ascon_rv32i_rounds8, @function
hanji_ascon_rv32i_rounds8:
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
    ret
    .size hanji_ascon_rv32i_rounds8, . - hanji_ascon_rv32i_rounds8

    .section .text.hanji_ascon_rv32i_rounds12, "ax"
    .type hanji_ascon_rv32i_rounds12, @function
hanji_ascon_rv32i_rounds12:
    li CONSTANT, ~0xf0
    j hanji_ascon_rv32i_rounds
    .size hanji_ascon_rv32i_rounds12, . - hanji_ascon_rv32i_rounds12

#else

    .section .text.hanji_ascon_rv32i_rounds, "ax"
    .type hanji_ascon_rv32i_rounds8, @function
hanji_ascon_rv32i_rounds8:
    xori s4, s4, ~0xb4
    first_boxes
hanji_ascon_rv32i_rounds8_after_boxes:
    linear_layer
    xori s4, s4, 0xa5
    second_round
    pair 0x96
    pair 0x78
    pair 0x5a
    jr NEXT
    .size hanji_ascon_rv32i_rounds8, . - hanji_ascon_rv32i_rounds8

    .section .text.hanji_ascon_rv32i_rounds12, "ax"
    .type hanji_ascon_rv32i_rounds12, @function
hanji_ascon_rv32i_rounds12:
    pair 0xf0
    pair 0xd2
    j hanji_ascon_rv32i_rounds8
    .size hanji_ascon_rv32i_rounds12, . - hanji_ascon_rv32i_rounds12

#endif

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
    blocks a1
    lw t0, 0(a1)
    lw t1, 4(a1)
    lw t2, 8(a1)
    lw a2, 12(a1)
    xor s0, s0, t0
    xor s1, s1, t1
    xor s2, s2, t2
    xor s3, s3, a2
    addi a1, a1, 16
    permute_and_loop hanji_ascon_rv32i_rounds8, a1
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
    blocks a1
    lw t0, 0(a1)
    lw t1, 4(a1)
    addi a1, a1, 8
    xor s0, s0, t0
    xor s1, s1, t1
    permute_and_loop hanji_ascon_rv32i_rounds12, a1
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
    sw a0, STATE
    mv IN, a2
    blocks IN
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
    permute_and_loop hanji_ascon_rv32i_rounds8, IN
    lw a0, STATE
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
    sw a0, STATE
    mv IN, a2
    blocks IN
    lw t3, 0(IN)
    lw t4, 4(IN)
    lw t5, 8(IN)
    lw t6, 12(IN)
    addi IN, IN, 16
    not t3, t3
    not t4, t4
    xor s0, s0, t3
    xor s1, s1, t4
    xor s2, s2, t5
    xor s3, s3, t6
    sw s0, 0(OUT)
    sw s1, 4(OUT)
    sw s2, 8(OUT)
    sw s3, 12(OUT)
    addi OUT, OUT, 16
#ifdef HANJI_SMALL
    mv s0, t3
    mv s1, t4
    mv s2, t5
    mv s3, t6
    permute_and_loop hanji_ascon_rv32i_rounds8, IN
#else
    // the first S-box of the rounds, with S0 and S1 where they are
    xori s4, s4, ~0xb4
    not s5, s5
    first_box t3, t5, s4, s6, s8, a2, a4, a6, t3, t5
    first_box t4, t6, s5, s7, s9, a3, a5, a7, t4, t6
    permute_and_loop hanji_ascon_rv32i_rounds8_after_boxes, IN
#endif
    lw a0, STATE
    end hanji_ascon_aead128_rv32i_open_x1

#ifndef HANJI_SMALL

// The state after initialisation.
// void hanji_ascon_aead128_rv32i_start_x1(uint64_t *state, const uint64_t *nonce,
//                                         const uint64_t *key);
/* kernel:
     spec: ascon_aead128.start
     isa: rv32i
     blocks: 1
     align: 4
     args: { a0: {buffer: state, bytes: 40, access: w},
             a1: {buffer: nonce, bytes: 16, access: r}, a2: {buffer: key, bytes: 16, access: r} }
     aliasing: none
     stack: 48
     secrets: key
*/
    .global hanji_ascon_aead128_rv32i_start_x1
    .section .text.hanji_ascon_aead128_rv32i_start_x1, "ax"
    .type hanji_ascon_aead128_rv32i_start_x1, @function
hanji_ascon_aead128_rv32i_start_x1:
    addi sp, sp, -48
    saved_words sw
    lw s6, 0(a1)
    lw s7, 4(a1)
    lw s8, 8(a1)
    lw s9, 12(a1)
    mv KEY, a2
    li s0, ~0x808c0001
    li s1, ~0x00001000
    lw s2, 0(KEY)
    lw s3, 4(KEY)
    lw s4, 8(KEY)
    lw s5, 12(KEY)
    not s6, s6
    not s7, s7
    jal NEXT, hanji_ascon_rv32i_rounds12
    key_into s6, s7, s8, s9
    complements
    words sw, a0
    saved_words lw
    addi sp, sp, 48
    ret
    .size hanji_ascon_aead128_rv32i_start_x1, . - hanji_ascon_aead128_rv32i_start_x1

// The tag, of the state behind the last block of text and its padding.
// void hanji_ascon_aead128_rv32i_finish_x1(uint64_t *tag, const uint64_t *state,
//                                          const uint64_t *key);
/* kernel:
     spec: ascon_aead128.finish
     isa: rv32i
     blocks: 1
     align: 4
     args: { a0: {buffer: tag, bytes: 16, access: w},
             a1: {buffer: state, bytes: 40, access: r}, a2: {buffer: key, bytes: 16, access: r} }
     aliasing: none
     stack: 48
     secrets: state, key
*/
    .global hanji_ascon_aead128_rv32i_finish_x1
    .section .text.hanji_ascon_aead128_rv32i_finish_x1, "ax"
    .type hanji_ascon_aead128_rv32i_finish_x1, @function
hanji_ascon_aead128_rv32i_finish_x1:
    addi sp, sp, -48
    saved_words sw
    words lw, a1
    mv KEY, a2
    complements
    key_into s4, s5, s6, s7
    jal NEXT, hanji_ascon_rv32i_rounds12
    not s6, s6
    not s7, s7
    key_into s6, s7, s8, s9
    sw s6, 0(a0)
    sw s7, 4(a0)
    sw s8, 8(a0)
    sw s9, 12(a0)
    saved_words lw
    addi sp, sp, 48
    ret
    .size hanji_ascon_aead128_rv32i_finish_x1, . - hanji_ascon_aead128_rv32i_finish_x1

#endif
