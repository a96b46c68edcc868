// SPDX-License-Identifier: Apache-2.0
// CHAM-64/128 on RV32I, two blocks in the halves of each register, with the addition that separates
// the top bit of each half (Sim et al., CISC-W'21, as Shin et al., section I, describe it). Every
// rotation is done, every round key loaded. For comparison, not part of the library.
    .text

// Registers: a4 a5 a6 a7 the words X[0] to X[3] of both blocks; t3 the round number in both halves; t4 the round keys; t0 t1 t2 scratch;
// s0 to s5 the masks below.

// d = a + b in each half: the low 15 bits are added where no carry can leave them, the top bit is
// an xor. Spoils a and t2.
.macro ADD_MASKED d, a, b
    xor t2, \a, \b
    and \a, \a, s0
    and \d, \b, s0
    add \d, \d, \a
    and t2, t2, s1
    xor \d, \d, t2
.endm

.macro ROTATE_1 d, a
    slli t2, \a, 1
    srli \d, \a, 15
    and t2, t2, s2
    and \d, \d, s3
    or \d, \d, t2
.endm

.macro ROTATE_8 d, a
    slli t2, \a, 8
    srli \d, \a, 8
    and t2, t2, s4
    and \d, \d, s5
    or \d, \d, t2
.endm

// X[0] = ((X[0] ^ i) + ((X[1] <<< 1) ^ key)) <<< 8 (Koo et al., ICISC 2017, section 3.1).
.macro EVEN x0, x1, offset
    ROTATE_1 t0, \x1
    lw t1, \offset(t4)
    xor \x0, \x0, t3
    xor t0, t0, t1
    ADD_MASKED t1, t0, \x0
    ROTATE_8 \x0, t1
    add t3, t3, s3
.endm

// X[0] = ((X[0] ^ i) + ((X[1] <<< 8) ^ key)) <<< 1.
.macro ODD x0, x1, offset
    ROTATE_8 t0, \x1
    lw t1, \offset(t4)
    xor \x0, \x0, t3
    xor t0, t0, t1
    ADD_MASKED t1, t0, \x0
    ROTATE_1 \x0, t1
    add t3, t3, s3
.endm

// One word of both blocks, the first block in the upper half as in the paper's figure 3.
.macro LOAD_PAIR x, offset
    lhu \x, \offset(a1)
    lhu t0, 8 + \offset(a1)
    slli \x, \x, 16
    or \x, \x, t0
.endm

.macro STORE_PAIR x, offset
    sh \x, 8 + \offset(a0)
    srli \x, \x, 16
    sh \x, \offset(a0)
.endm

// void hanji_cham64_rv32i_x2_masked(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: cham64_128.encrypt
     isa: rv32i
     blocks: 2
     args: { a0: {buffer: out, bytes: 16 * groups, access: w}, a1: {buffer: in, bytes: 16 * groups, access: r},
             a2: {value: groups}, a3: {buffer: keys, bytes: 64, access: r} }
     layout: pairs
     aliasing: out == in allowed
     stack: 32
     secrets: in, keys
     cites: [sim2021cham, shin2024riscv]
*/
    .balign 4
    .globl hanji_cham64_rv32i_x2_masked
hanji_cham64_rv32i_x2_masked:
    addi sp, sp, -32
    .irp i, 0, 1, 2, 3, 4, 5
    sw s\i, 4 * \i(sp)
    .endr
    li s0, 0x7fff7fff
    li s1, 0x80008000
    li s2, 0xfffefffe
    li s3, 0x00010001
    li s4, 0xff00ff00
    li s5, 0x00ff00ff
    li t5, 0x00580058 // 88 in both halves
    addi t6, a3, 64
    slli a2, a2, 4
    add a2, a1, a2
1:
    LOAD_PAIR a4, 0
    LOAD_PAIR a5, 2
    LOAD_PAIR a6, 4
    LOAD_PAIR a7, 6
    li t3, 0
    mv t4, a3
2: // eight rounds; the sixteen round keys serve twice as many
    EVEN a4, a5, 0
    ODD a5, a6, 4
    EVEN a6, a7, 8
    ODD a7, a4, 12
    EVEN a4, a5, 16
    ODD a5, a6, 20
    EVEN a6, a7, 24
    ODD a7, a4, 28
    addi t4, t4, 32
    bne t4, t6, 3f
    mv t4, a3
3:
    bne t3, t5, 2b
    STORE_PAIR a4, 0
    STORE_PAIR a5, 2
    STORE_PAIR a6, 4
    STORE_PAIR a7, 6
    addi a1, a1, 16
    addi a0, a0, 16
    bne a1, a2, 1b
    .irp i, 0, 1, 2, 3, 4, 5
    lw s\i, 4 * \i(sp)
    .endr
    addi sp, sp, 32
    ret
