// SPDX-License-Identifier: Apache-2.0
// Ascon (SP 800-232, sections 3 to 5) for one state: the permutation, and whole blocks, between
// which the state stays in registers. All functions share their rounds: eight stand one after the
// other, and the first four of twelve are a loop of two, but for hashes; with HANJI_SMALL all are.
#include "ascon_rv32i.inc"

#define IN a0
#define OUT a1
#define KEY a1
#define IN_END s11 // where the input ends
#define NEXT s10   // where the rounds go to
// In the loop; complemented.
#ifdef HANJI_SMALL
#define CONSTANT ra
#else
#define CONSTANT s11
#endif

// The frame: saved registers, the address of the state.
#define STATE 52(sp)

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
    jal t6, hanji_ascon_rv32i_enter
    slli IN_END, \groups, \logarithm
    add IN_END, IN_END, \in
.endm

// In front of a block: the rounds of the one before come back to the test whether it was the last.
.macro blocks
    jal NEXT, 2f
    beq IN, IN_END, 1f
2:
.endm

// Behind the jump to the permutation behind a block.
.macro block_end name
1:
    j hanji_ascon_rv32i_leave
    .size \name, . - \name
.endm

// Two rounds from this constant on.
.macro pair constant
    xori s4, s4, ~\constant
    first_round
    xori s4, s4, \constant - 15
    second_round
.endm

// A loop of two rounds, from the one whose constant is in CONSTANT on to that with the constant
// `end`.
.macro two_rounds end
1:
    xor s4, s4, CONSTANT
    first_round
    xor s4, s4, CONSTANT
    xori s4, s4, ~0x11 // the next constant is this less 15: for even rounds 0x11 away
    addi CONSTANT, CONSTANT, 30
    second_round
    li U0, \end
    bne CONSTANT, U0, 1b
.endm

    .section .text.hanji_ascon_rv32i_rounds, "ax"
    // The state of a0 into its registers, behind those of the caller. Back to t6.
    .type hanji_ascon_rv32i_enter, @function
hanji_ascon_rv32i_enter:
    addi sp, sp, -64
    saved_registers sw
    sw a0, STATE
    words lw, a0
    complements
    jr t6
    .size hanji_ascon_rv32i_enter, . - hanji_ascon_rv32i_enter

    // The state back to where it was, and to the caller.
    .type hanji_ascon_rv32i_leave, @function
hanji_ascon_rv32i_leave:
    lw a0, STATE
    complements
    words sw, a0
    saved_registers lw
    addi sp, sp, 64
    ret
    .size hanji_ascon_rv32i_leave, . - hanji_ascon_rv32i_leave

    // Rounds, from the one whose constant is in CONSTANT on.
    .type hanji_ascon_rv32i_rounds12, @function
hanji_ascon_rv32i_rounds12:
    li CONSTANT, ~0xf0
#ifdef HANJI_SMALL
    j hanji_ascon_rv32i_rounds
#else
hanji_ascon_rv32i_rounds:
    two_rounds ~0xb4
    j hanji_ascon_rv32i_rounds8
#endif
    .size hanji_ascon_rv32i_rounds12, . - hanji_ascon_rv32i_rounds12

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
    .type hanji_ascon_aead128_rv32i_seal_x1, @function
hanji_ascon_aead128_rv32i_seal_x1:
    jal t6, hanji_ascon_rv32i_enter
    slli IN_END, a3, 4
    add IN_END, IN_END, a2
    mv IN, a2
    jal NEXT, 1f
    beq IN, IN_END, hanji_ascon_rv32i_leave
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
    // Here the eight rounds follow.
    .size hanji_ascon_aead128_rv32i_seal_x1, . - hanji_ascon_aead128_rv32i_seal_x1

    .type hanji_ascon_rv32i_rounds8, @function
hanji_ascon_rv32i_rounds8:
#ifdef HANJI_SMALL
    li CONSTANT, ~0xb4
hanji_ascon_rv32i_rounds:
    two_rounds ~0x3c
#else
    xori s4, s4, ~0xb4
    first_boxes
hanji_ascon_rv32i_rounds8_after_boxes:
    linear_layer
    xori s4, s4, 0xa5
    second_round
rounds6:
    pair 0x96
rounds4:
    pair 0x78
rounds2:
    pair 0x5a
#endif
    jr NEXT
    .size hanji_ascon_rv32i_rounds8, . - hanji_ascon_rv32i_rounds8

#ifndef HANJI_SMALL
    // Where 2, 4, .. 12 rounds begin.
    .section .rodata.hanji_ascon_p_rv32i_shared_x1, "a"
    .balign 4
entries:
    .word rounds2 - entries, rounds4 - entries, rounds6 - entries
    .word hanji_ascon_rv32i_rounds8 - entries, hanji_ascon_rv32i_rounds - entries
    .word hanji_ascon_rv32i_rounds - entries
#endif

// Ascon-p (section 3). The steps are rounds, the last ones of 16: an even number from 2 to 12.
// void hanji_ascon_p_rv32i_shared_x1(uint64_t *state, uint32_t steps);
/* kernel:
     spec: ascon_p.permute
     isa: rv32i
     blocks: 1
     align: 4
     args: { a0: {buffer: state, bytes: 40, access: rw}, a1: {value: steps} }
     aliasing: in place
     stack: 64
     secrets: state
*/
    .section .text.hanji_ascon_p_rv32i_shared_x1, "ax"
    .global hanji_ascon_p_rv32i_shared_x1
    .type hanji_ascon_p_rv32i_shared_x1, @function
hanji_ascon_p_rv32i_shared_x1:
    jal t6, hanji_ascon_rv32i_enter
    slli U0, a1, 4
    sub CONSTANT, a1, U0
    addi CONSTANT, CONSTANT, ~0xf0 + 15 * 12
#ifdef HANJI_SMALL
    jal NEXT, hanji_ascon_rv32i_rounds
#else
    slli U0, a1, 1
    la U1, entries
    add U0, U0, U1
    lw U0, -4(U0)
    add U0, U0, U1
    jalr NEXT, U0
#endif
    j hanji_ascon_rv32i_leave
    .size hanji_ascon_p_rv32i_shared_x1, . - hanji_ascon_p_rv32i_shared_x1

// p[12], then the key into S3 and S4.
.macro key_words
    lw t0, 0(KEY)
    lw t1, 4(KEY)
    lw t2, 8(KEY)
    lw a2, 12(KEY)
.endm

    .section .text.hanji_ascon_rv32i_keyed, "ax"
    .type hanji_ascon_rv32i_keyed, @function
hanji_ascon_rv32i_keyed:
    jal NEXT, hanji_ascon_rv32i_rounds12
    key_words
    xor s6, s6, t0
    xor s7, s7, t1
    xor s8, s8, t2
    xor s9, s9, a2
    j hanji_ascon_rv32i_leave
    .size hanji_ascon_rv32i_keyed, . - hanji_ascon_rv32i_keyed

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
     stack: 64
     secrets: key
*/
    .section .text.hanji_ascon_aead128_rv32i_start_x1, "ax"
    .global hanji_ascon_aead128_rv32i_start_x1
    .type hanji_ascon_aead128_rv32i_start_x1, @function
hanji_ascon_aead128_rv32i_start_x1:
    addi sp, sp, -64
    saved_registers sw
    sw a0, STATE
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
    j hanji_ascon_rv32i_keyed
    .size hanji_ascon_aead128_rv32i_start_x1, . - hanji_ascon_aead128_rv32i_start_x1

// From the state behind the last block of text and its padding to that whose last words are the
// tag.
// void hanji_ascon_aead128_rv32i_finish_x1(uint64_t *state, const uint64_t *key);
/* kernel:
     spec: ascon_aead128.finish
     isa: rv32i
     blocks: 1
     align: 4
     args: { a0: {buffer: state, bytes: 40, access: rw}, a1: {buffer: key, bytes: 16, access: r} }
     aliasing: in place
     stack: 64
     secrets: state, key
*/
    .section .text.hanji_ascon_aead128_rv32i_finish_x1, "ax"
    .global hanji_ascon_aead128_rv32i_finish_x1
    .type hanji_ascon_aead128_rv32i_finish_x1, @function
hanji_ascon_aead128_rv32i_finish_x1:
    jal t6, hanji_ascon_rv32i_enter
    key_words
    xor s4, s4, t0
    xor s5, s5, t1
    xor s6, s6, t2
    xor s7, s7, a2
    j hanji_ascon_rv32i_keyed
    .size hanji_ascon_aead128_rv32i_finish_x1, . - hanji_ascon_aead128_rv32i_finish_x1

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
    blocks
    lw t0, 0(IN)
    lw t1, 4(IN)
    lw t2, 8(IN)
    lw a2, 12(IN)
    xor s0, s0, t0
    xor s1, s1, t1
    xor s2, s2, t2
    xor s3, s3, a2
    addi IN, IN, 16
    j hanji_ascon_rv32i_rounds8
    block_end hanji_ascon_aead128_rv32i_absorb_x1

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
    blocks
    lw t0, 0(IN)
    lw t1, 4(IN)
    addi IN, IN, 8
    xor s0, s0, t0
    xor s1, s1, t1
#ifdef HANJI_SMALL
    j hanji_ascon_rv32i_rounds12
#else
    pair 0xf0
    pair 0xd2
    j hanji_ascon_rv32i_rounds8
#endif
    block_end hanji_ascon_hash256_rv32i_absorb_x1

// Whole blocks of ciphertext, as of text.
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
    blocks
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
    j hanji_ascon_rv32i_rounds8
#else
    // the first S-box of the rounds, with S0 and S1 where they are
    xori s4, s4, ~0xb4
    not s5, s5
    first_box t3, t5, s4, s6, s8, a2, a4, a6, t3, t5
    first_box t4, t6, s5, s7, s9, a3, a5, a7, t4, t6
    j hanji_ascon_rv32i_rounds8_after_boxes
#endif
    block_end hanji_ascon_aead128_rv32i_open_x1
