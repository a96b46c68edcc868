// SPDX-License-Identifier: Apache-2.0
// SPECK-32/64 on RV32I, one block after the other: what a direct translation of the cipher's
// definition costs (Shin et al., table 2, "asm code of ref C"). Not part of the library.
    .text

// One round (Beaulieu et al., ePrint 2013/404, section 4): x = (x >>> 7) + y ^ key; y = (y <<< 2) ^
// x, on 16 bits. a4 holds x, a5 y, a6 the mask of 16 bits.
.macro ROUND offset
    lhu t0, \offset(a3)
    slli t1, a4, 9
    srli a4, a4, 7
    or a4, a4, t1
    add a4, a4, a5
    xor a4, a4, t0
    and a4, a4, a6
    slli t1, a5, 2
    srli a5, a5, 14
    or a5, a5, t1
    xor a5, a5, a4
    and a5, a5, a6
.endm

// void hanji_speck32_rv32i_x1(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: speck32_64.encrypt
     isa: rv32i
     blocks: 1
     args: { a0: {buffer: out, bytes: 4 * groups, access: w}, a1: {buffer: in, bytes: 4 * groups, access: r},
             a2: {value: groups}, a3: {buffer: keys, bytes: 44, access: r} }
     aliasing: out == in allowed
     align: 2
     stack: 0
     secrets: in, keys
     cites: [shin2024riscv, table 2]
*/
    .balign 4
    .globl hanji_speck32_rv32i_x1
hanji_speck32_rv32i_x1:
    li a6, 0xffff
    slli a2, a2, 2
    add a2, a1, a2
1:
    lhu a5, 0(a1)
    lhu a4, 2(a1)
    .set round, 0
    .rept 22
    ROUND 2 * round
    .set round, round + 1
    .endr
    sh a5, 0(a0)
    sh a4, 2(a0)
    addi a1, a1, 4
    addi a0, a0, 4
    bne a1, a2, 1b
    ret
