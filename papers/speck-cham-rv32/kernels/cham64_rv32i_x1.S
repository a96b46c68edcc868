// SPDX-License-Identifier: Apache-2.0
// CHAM-64/128 on RV32I, one block after the other: a direct translation of the cipher's definition.
// For comparison, not part of the library.
    .text

// Registers: a4 a5 a6 a7 the words X[0] to X[3], clean 16 bits; t2 the mask of 16 bits; t3 the
// round number; t4 the round keys of this half of the schedule; t0 t1 scratch. The words are not
// moved: each round names them shifted by one.

// Even round (Koo et al., ICISC 2017, section 3.1): X[0] = ((X[0] ^ i) + ((X[1] <<< 1) ^ key)) <<<
// 8, on 16 bits.
.macro EVEN x0, x1, offset
    slli t0, \x1, 1
    srli t1, \x1, 15
    or t0, t0, t1
    lhu t1, \offset(t4)
    xor \x0, \x0, t3
    xor t0, t0, t1
    add t0, t0, \x0
    slli t1, t0, 8
    and t0, t0, t2
    srli t0, t0, 8
    or \x0, t0, t1
    and \x0, \x0, t2
    addi t3, t3, 1
.endm

// Odd round: X[0] = ((X[0] ^ i) + ((X[1] <<< 8) ^ key)) <<< 1.
.macro ODD x0, x1, offset
    slli t0, \x1, 8
    srli t1, \x1, 8
    or t0, t0, t1
    lhu t1, \offset(t4)
    xor \x0, \x0, t3
    xor t0, t0, t1
    add t0, t0, \x0
    slli t1, t0, 1
    and t0, t0, t2
    srli t0, t0, 15
    or \x0, t0, t1
    and \x0, \x0, t2
    addi t3, t3, 1
.endm

// void hanji_cham64_rv32i_x1(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: cham64_128.encrypt
     isa: rv32i
     blocks: 1
     args: { a0: {buffer: out, bytes: 8 * groups, access: w}, a1: {buffer: in, bytes: 8 * groups, access: r},
             a2: {value: groups}, a3: {buffer: keys, bytes: 32, access: r} }
     aliasing: out == in allowed
     align: 2
     stack: 0
     secrets: in, keys
*/
    .balign 4
    .globl hanji_cham64_rv32i_x1
hanji_cham64_rv32i_x1:
    li t2, 0xffff
    li t5, 88
    addi t6, a3, 32
    slli a2, a2, 3
    add a2, a1, a2
1:
    lhu a4, 0(a1)
    lhu a5, 2(a1)
    lhu a6, 4(a1)
    lhu a7, 6(a1)
    li t3, 0
    mv t4, a3
2: // eight rounds; the sixteen round keys serve twice as many
    EVEN a4, a5, 0
    ODD a5, a6, 2
    EVEN a6, a7, 4
    ODD a7, a4, 6
    EVEN a4, a5, 8
    ODD a5, a6, 10
    EVEN a6, a7, 12
    ODD a7, a4, 14
    addi t4, t4, 16
    bne t4, t6, 3f
    mv t4, a3
3:
    bne t3, t5, 2b
    sh a4, 0(a0)
    sh a5, 2(a0)
    sh a6, 4(a0)
    sh a7, 6(a0)
    addi a1, a1, 8
    addi a0, a0, 8
    bne a1, a2, 1b
    ret
