// SPDX-License-Identifier: Apache-2.0
// Ascon (SP 800-232) for one state on RV32 with Zbkb, bit-interleaved in registers from block to
// block. The rounds stand one after the other, once for all functions; with HANJI_SMALL they are a
// loop of two.
#if defined(__riscv) && __riscv_xlen == 32 && defined(__riscv_zbkb)

#include "ascon_zbkb.inc"

#define IN a0
#define OUT a1
#define KEY a1
#define IN_END s11   // where the input ends
#define CONSTANT s10 // where those of the next round are, in the loop

// The frame: saved registers, the address of the state.
#define STATE 52(sp)

    // The state of a0 into its registers, behind those of the caller. Back to t6.
    .section .text.hanji_ascon_zbkb_enter, "ax"
    .type hanji_ascon_zbkb_enter, @function
hanji_ascon_zbkb_enter:
    addi sp, sp, -64
    saved_registers sw
    sw a0, STATE
    words load_word
    jr t6
    .size hanji_ascon_zbkb_enter, . - hanji_ascon_zbkb_enter

    // The state back to where it was, and to the caller.
    .section .text.hanji_ascon_zbkb_leave, "ax"
    .type hanji_ascon_zbkb_leave, @function
hanji_ascon_zbkb_leave:
    lw a0, STATE
    words store_word
    saved_registers lw
    addi sp, sp, 64
    ret
    .size hanji_ascon_zbkb_leave, . - hanji_ascon_zbkb_leave

// The arguments are registers; `bytes` of a block are a power of two with this logarithm.
.macro begin name, in, groups, logarithm
    .section .text.\name, "ax"
    .type \name, @function
\name:
    jal t6, hanji_ascon_zbkb_enter
    slli IN_END, \groups, \logarithm
    add IN_END, IN_END, \in
.endm

// Two words of 64 bits from memory.
.macro two_words base, even0, odd0, even1, odd1
    lw t0, 0(\base)
    lw t1, 4(\base)
    lw t2, 8(\base)
    lw t3, 12(\base)
    split \even0, \odd0, t0, t1
    split \even1, \odd1, t2, t3
.endm

// The permutation behind a block, and back to the next one.
.macro permute_and_loop rounds
    jal \rounds
    bne IN, IN_END, 1b
.endm

.macro end name
    j hanji_ascon_zbkb_leave
    .size \name, . - \name
.endm

#ifdef HANJI_SMALL

    // The constants of 12 rounds, even bits and odd bits; 0 is none.
    .section .rodata.hanji_ascon_zbkb_rounds, "a"
constants12:
    .byte 0xc, 0xc, 0x9, 0xc, 0xc, 0x9, 0x9, 0x9
constants8:
    .byte 0x6, 0xc, 0x3, 0xc, 0x6, 0x9, 0x3, 0x9, 0xc, 0x6, 0x9, 0x6, 0xc, 0x3, 0x9, 0x3
constants_end:
    .byte 0

    .section .text.hanji_ascon_zbkb_rounds, "ax"
    .type hanji_ascon_zbkb_rounds12, @function
hanji_ascon_zbkb_rounds12:
    la CONSTANT, constants12
    j hanji_ascon_zbkb_rounds
    .size hanji_ascon_zbkb_rounds12, . - hanji_ascon_zbkb_rounds12
    .type hanji_ascon_zbkb_rounds8, @function
hanji_ascon_zbkb_rounds8:
    la CONSTANT, constants8
hanji_ascon_zbkb_rounds:
    lbu U0, 0(CONSTANT)
1:
    lbu U1, 1(CONSTANT)
    xor s4, s4, U0
    xor s5, s5, U1
    round
    lbu U0, 2(CONSTANT)
    lbu U1, 3(CONSTANT)
    addi CONSTANT, CONSTANT, 4
    xor s4, s4, U0
    xor s5, s5, U1
    round
    lbu U0, 0(CONSTANT)
    bnez U0, 1b
    ret
    .size hanji_ascon_zbkb_rounds8, . - hanji_ascon_zbkb_rounds8

#else

// Two rounds, by the even bits and the odd bits of their constants.
.macro two_rounds even, odd, next_even, next_odd
    xori s4, s4, \even
    xori s5, s5, \odd
    round
    xori s4, s4, \next_even
    xori s5, s5, \next_odd
    round
.endm

    .section .text.hanji_ascon_zbkb_rounds, "ax"
    .type hanji_ascon_zbkb_rounds12, @function
hanji_ascon_zbkb_rounds12:
    two_rounds 0xc, 0xc, 0x9, 0xc
rounds10:
    two_rounds 0xc, 0x9, 0x9, 0x9
hanji_ascon_zbkb_rounds8:
    two_rounds 0x6, 0xc, 0x3, 0xc
rounds6:
    two_rounds 0x6, 0x9, 0x3, 0x9
rounds4:
    two_rounds 0xc, 0x6, 0x9, 0x6
rounds2:
    two_rounds 0xc, 0x3, 0x9, 0x3
    ret
    .size hanji_ascon_zbkb_rounds12, . - hanji_ascon_zbkb_rounds12

    // Where 2, 4, .. 12 rounds begin.
    .section .rodata.hanji_ascon_p_zbkb_x1, "a"
    .balign 4
entries:
    .word rounds2 - entries, rounds4 - entries, rounds6 - entries
    .word hanji_ascon_zbkb_rounds8 - entries, rounds10 - entries
    .word hanji_ascon_zbkb_rounds12 - entries

#endif

// Ascon-p (section 3). The steps are rounds, the last ones of 16: an even number from 2 to 12.
// void hanji_ascon_p_zbkb_x1(uint64_t *state, uint32_t steps);
/* kernel:
     spec: ascon_p.permute
     isa: zbkb
     blocks: 1
     align: 4
     args: { a0: {buffer: state, bytes: 40, access: rw}, a1: {value: steps} }
     aliasing: in place
     stack: 64
     secrets: state
*/
    .section .text.hanji_ascon_p_zbkb_x1, "ax"
    .global hanji_ascon_p_zbkb_x1
    .type hanji_ascon_p_zbkb_x1, @function
hanji_ascon_p_zbkb_x1:
    slli a1, a1, 1
#ifdef HANJI_SMALL
    jal t6, hanji_ascon_zbkb_enter
    la CONSTANT, constants_end
    sub CONSTANT, CONSTANT, a1
    jal hanji_ascon_zbkb_rounds
#else
    la t0, entries
    add a1, a1, t0
    lw a1, -4(a1)
    add a1, a1, t0
    jal t6, hanji_ascon_zbkb_enter
    jalr a1
#endif
    j hanji_ascon_zbkb_leave
    .size hanji_ascon_p_zbkb_x1, . - hanji_ascon_p_zbkb_x1

// p[12], then the key into S3 and S4.
    .section .text.hanji_ascon_zbkb_keyed, "ax"
    .type hanji_ascon_zbkb_keyed, @function
hanji_ascon_zbkb_keyed:
    jal hanji_ascon_zbkb_rounds12
    two_words KEY, a2, a3, a4, a5
    xor s6, s6, a2
    xor s7, s7, a3
    xor s8, s8, a4
    xor s9, s9, a5
    j hanji_ascon_zbkb_leave
    .size hanji_ascon_zbkb_keyed, . - hanji_ascon_zbkb_keyed

// The state after initialisation.
// void hanji_ascon_aead128_zbkb_start_x1(uint64_t *state, const uint64_t *nonce,
//                                        const uint64_t *key);
/* kernel:
     spec: ascon_aead128.start
     isa: zbkb
     blocks: 1
     align: 4
     args: { a0: {buffer: state, bytes: 40, access: w},
             a1: {buffer: nonce, bytes: 16, access: r}, a2: {buffer: key, bytes: 16, access: r} }
     aliasing: none
     stack: 64
     secrets: key
*/
    .section .text.hanji_ascon_aead128_zbkb_start_x1, "ax"
    .global hanji_ascon_aead128_zbkb_start_x1
    .type hanji_ascon_aead128_zbkb_start_x1, @function
hanji_ascon_aead128_zbkb_start_x1:
    addi sp, sp, -64
    saved_registers sw
    sw a0, STATE
    two_words a1, s6, s7, s8, s9
    mv KEY, a2
    two_words KEY, s2, s3, s4, s5
    li s0, 0x400201 // 00001000808c0001
    li s1, 0x8a00
    j hanji_ascon_zbkb_keyed
    .size hanji_ascon_aead128_zbkb_start_x1, . - hanji_ascon_aead128_zbkb_start_x1

// From the state behind the last block of text and its padding to that whose last words are the
// tag.
// void hanji_ascon_aead128_zbkb_finish_x1(uint64_t *state, const uint64_t *key);
/* kernel:
     spec: ascon_aead128.finish
     isa: zbkb
     blocks: 1
     align: 4
     args: { a0: {buffer: state, bytes: 40, access: rw}, a1: {buffer: key, bytes: 16, access: r} }
     aliasing: in place
     stack: 64
     secrets: state, key
*/
    .section .text.hanji_ascon_aead128_zbkb_finish_x1, "ax"
    .global hanji_ascon_aead128_zbkb_finish_x1
    .type hanji_ascon_aead128_zbkb_finish_x1, @function
hanji_ascon_aead128_zbkb_finish_x1:
    jal t6, hanji_ascon_zbkb_enter
    two_words KEY, a2, a3, a4, a5
    xor s4, s4, a2
    xor s5, s5, a3
    xor s6, s6, a4
    xor s7, s7, a5
    j hanji_ascon_zbkb_keyed
    .size hanji_ascon_aead128_zbkb_finish_x1, . - hanji_ascon_aead128_zbkb_finish_x1

// Whole blocks into the state, p[8] after each.
// void hanji_ascon_aead128_zbkb_absorb_x1(uint64_t *state, const uint8_t *in, size_t groups);
/* kernel:
     spec: ascon_aead128.absorb_blocks
     isa: zbkb
     blocks: 1
     align: 4
     args: { a0: {buffer: state, bytes: 40, access: rw},
             a1: {buffer: in, bytes: 16 * groups, access: r}, a2: {value: groups} }
     aliasing: in place
     stack: 64
     secrets: state, in
*/
    .global hanji_ascon_aead128_zbkb_absorb_x1
    begin hanji_ascon_aead128_zbkb_absorb_x1, a1, a2, 4
    mv IN, a1
1:
    lw t0, 0(IN)
    lw t1, 4(IN)
    lw t2, 8(IN)
    lw t3, 12(IN)
    addi IN, IN, 16
    split a2, a3, t0, t1
    split a4, a5, t2, t3
    xor s0, s0, a2
    xor s1, s1, a3
    xor s2, s2, a4
    xor s3, s3, a5
    permute_and_loop hanji_ascon_zbkb_rounds8
    end hanji_ascon_aead128_zbkb_absorb_x1

// The same for Ascon-Hash256, with blocks of 8 bytes and p[12].
// void hanji_ascon_hash256_zbkb_absorb_x1(uint64_t *state, const uint8_t *in, size_t groups);
/* kernel:
     spec: ascon_hash256.absorb_blocks
     isa: zbkb
     blocks: 1
     align: 4
     args: { a0: {buffer: state, bytes: 40, access: rw},
             a1: {buffer: in, bytes: 8 * groups, access: r}, a2: {value: groups} }
     aliasing: in place
     stack: 64
     secrets: state, in
*/
    .global hanji_ascon_hash256_zbkb_absorb_x1
    begin hanji_ascon_hash256_zbkb_absorb_x1, a1, a2, 3
    mv IN, a1
1:
    lw t0, 0(IN)
    lw t1, 4(IN)
    addi IN, IN, 8
    split a2, a3, t0, t1
    xor s0, s0, a2
    xor s1, s1, a3
    permute_and_loop hanji_ascon_zbkb_rounds12
    end hanji_ascon_hash256_zbkb_absorb_x1

// Whole blocks of text, p[8] after each. Text meets the state in words of memory, and the
// ciphertext is what goes on.
// void hanji_ascon_aead128_zbkb_seal_x1(uint64_t *state, uint8_t *out, const uint8_t *in,
//                                       size_t groups);
/* kernel:
     spec: ascon_aead128.seal_blocks
     isa: zbkb
     blocks: 1
     align: 4
     args: { a0: {buffer: state, bytes: 40, access: rw},
             a1: {buffer: out, bytes: 16 * groups, access: w},
             a2: {buffer: in, bytes: 16 * groups, access: r}, a3: {value: groups} }
     aliasing: out == in allowed
     stack: 64
     secrets: state, in
*/
    .global hanji_ascon_aead128_zbkb_seal_x1
    begin hanji_ascon_aead128_zbkb_seal_x1, a2, a3, 4
    mv IN, a2
1:
    lw t0, 0(IN)
    lw t1, 4(IN)
    lw t2, 8(IN)
    lw t3, 12(IN)
    addi IN, IN, 16
    join a2, a3, X0
    join a4, a5, X1
    xor t0, t0, a2
    xor t1, t1, a3
    xor t2, t2, a4
    xor t3, t3, a5
    sw t0, 0(OUT)
    sw t1, 4(OUT)
    sw t2, 8(OUT)
    sw t3, 12(OUT)
    addi OUT, OUT, 16
    split X0, t0, t1
    split X1, t2, t3
    permute_and_loop hanji_ascon_zbkb_rounds8
    end hanji_ascon_aead128_zbkb_seal_x1

// void hanji_ascon_aead128_zbkb_open_x1(uint64_t *state, uint8_t *out, const uint8_t *in,
//                                       size_t groups);
/* kernel:
     spec: ascon_aead128.open_blocks
     isa: zbkb
     blocks: 1
     align: 4
     args: { a0: {buffer: state, bytes: 40, access: rw},
             a1: {buffer: out, bytes: 16 * groups, access: w},
             a2: {buffer: in, bytes: 16 * groups, access: r}, a3: {value: groups} }
     aliasing: out == in allowed
     stack: 64
     secrets: state, in
*/
    .global hanji_ascon_aead128_zbkb_open_x1
    begin hanji_ascon_aead128_zbkb_open_x1, a2, a3, 4
    mv IN, a2
1:
    lw t0, 0(IN)
    lw t1, 4(IN)
    lw t2, 8(IN)
    lw t3, 12(IN)
    addi IN, IN, 16
    join a2, a3, X0
    join a4, a5, X1
    xor a2, a2, t0
    xor a3, a3, t1
    xor a4, a4, t2
    xor a5, a5, t3
    sw a2, 0(OUT)
    sw a3, 4(OUT)
    sw a4, 8(OUT)
    sw a5, 12(OUT)
    addi OUT, OUT, 16
    split X0, t0, t1
    split X1, t2, t3
    permute_and_loop hanji_ascon_zbkb_rounds8
    end hanji_ascon_aead128_zbkb_open_x1

#endif
