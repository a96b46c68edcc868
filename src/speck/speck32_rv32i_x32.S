// SPDX-License-Identifier: Apache-2.0
// SPECK-32/64 on RV32I, 32 blocks at a time, bit-sliced: a register holds one bit of all blocks, block n in bit n. Written by tools/rv32_kernels.py.
//
// The input is turned into slices by transposing squares of 16 by 16 bits; counter mode makes its counters as slices. A sum goes bit by bit: with
// u = a ^ c and v = b ^ c it is u ^ b, and the next carry (u & v) ^ c. Rotations only choose other registers. What has no register lies in the frame.
// Keys are in layout 2 of lanes/rv32.h: 88 bytes for other kernels, then one word per bit of a round key.
#if defined(__riscv) && __riscv_xlen == 32

// Swap the bits of a under the mask t0 << n with those of b under t0.
.macro exchange a, b, n
    srli    t1, \a, \n
    xor     t1, t1, \b
    and     t1, t1, t0
    xor     \b, \b, t1
    slli    t1, t1, \n
    xor     \a, \a, t1
.endm

// The 16 bits at `at` of two blocks, and in the upper halves those of the blocks 16 further on. t2 is the input.
.macro gather a, b, at
    lhu     t0, \at + 64(t2)
    lhu     t1, \at + 68(t2)
    lhu     \a, \at(t2)
    lhu     \b, \at + 4(t2)
    slli    t0, t0, 16
    slli    t1, t1, 16
    or      \a, \a, t0
    or      \b, \b, t1
.endm

// The way back. t2 is the output.
.macro scatter a, at
    sh      \a, \at(t2)
    srli    \a, \a, 16
    sh      \a, \at + 64(t2)
.endm

// The same with the input, at a0, added.
.macro scatter_added a, at
    lhu     t0, \at(a0)
    lhu     t1, \at + 64(a0)
    xor     t0, t0, \a
    srli    \a, \a, 16
    xor     t1, t1, \a
    sh      t0, \at(t2)
    sh      t1, \at + 64(t2)
.endm

.macro enter
    addi    sp, sp, -192
    sw      ra, 140(sp)
    sw      s0, 144(sp)
    sw      s1, 148(sp)
    sw      s2, 152(sp)
    sw      s3, 156(sp)
    sw      s4, 160(sp)
    sw      s5, 164(sp)
    sw      s6, 168(sp)
    sw      s7, 172(sp)
    sw      s8, 176(sp)
    sw      s9, 180(sp)
    sw      s10, 184(sp)
    sw      s11, 188(sp)
.endm

.macro leave
    lw      ra, 140(sp)
    lw      s0, 144(sp)
    lw      s1, 148(sp)
    lw      s2, 152(sp)
    lw      s3, 156(sp)
    lw      s4, 160(sp)
    lw      s5, 164(sp)
    lw      s6, 168(sp)
    lw      s7, 172(sp)
    lw      s8, 176(sp)
    lw      s9, 180(sp)
    lw      s10, 184(sp)
    lw      s11, 188(sp)
    addi    sp, sp, 192
    ret
.endm

// Bit i of word j becomes bit j of word i, in both halves. Uses t0, t1; returns to ra.
    .section .text.speck32_rv32i_x32_transpose, "ax", @progbits
    .balign 4
    .type   speck32_rv32i_x32_transpose, @function
speck32_rv32i_x32_transpose:
    li      t0, 0x00ff00ff
    exchange s0, s8, 8
    exchange s1, s9, 8
    exchange s2, s10, 8
    exchange s3, s11, 8
    exchange s4, a4, 8
    exchange s5, a5, 8
    exchange s6, a6, 8
    exchange s7, a7, 8
    li      t0, 0x0f0f0f0f
    exchange s0, s4, 4
    exchange s1, s5, 4
    exchange s2, s6, 4
    exchange s3, s7, 4
    exchange s8, a4, 4
    exchange s9, a5, 4
    exchange s10, a6, 4
    exchange s11, a7, 4
    li      t0, 0x33333333
    exchange s0, s2, 2
    exchange s1, s3, 2
    exchange s4, s6, 2
    exchange s5, s7, 2
    exchange s8, s10, 2
    exchange s9, s11, 2
    exchange a4, a6, 2
    exchange a5, a7, 2
    li      t0, 0x55555555
    exchange s0, s1, 1
    exchange s2, s3, 1
    exchange s4, s5, 1
    exchange s6, s7, 1
    exchange s8, s9, 1
    exchange s10, s11, 1
    exchange a4, a5, 1
    exchange a6, a7, 1
    ret
    .size   speck32_rv32i_x32_transpose, . - speck32_rv32i_x32_transpose

// The rounds to encrypt on slices at their places; a0 points to the masks of the first. Uses all registers but sp, gp, tp.
    .section .text.speck32_rv32i_x32_encrypt_rounds, "ax", @progbits
    .balign 4
    .type   speck32_rv32i_x32_encrypt_rounds, @function
speck32_rv32i_x32_encrypt_rounds:
    sw      ra, 132(sp)
1:
    lw      ra, 0(a0)
    and     t0, t3, s0
    xor     t1, t3, s0
    xor     t2, t1, ra
    xor     ra, a6, t2
    lw      t1, 4(a0)
    xor     t3, t4, t0
    xor     t4, s1, t0
    sw      t2, 28(sp)
    xor     t2, t3, s1
    and     t4, t3, t4
    xor     t0, t4, t0
    xor     t2, t2, t1
    xor     t1, a7, t2
    lw      t3, 8(a0)
    xor     t4, t5, t0
    xor     t5, s2, t0
    sw      t2, 32(sp)
    xor     t2, t4, s2
    and     t5, t4, t5
    xor     t0, t5, t0
    xor     t2, t2, t3
    xor     t4, s0, t2
    lw      t5, 12(a0)
    xor     t3, t6, t0
    xor     s0, s3, t0
    xor     t6, t3, s3
    and     s0, t3, s0
    xor     t0, s0, t0
    xor     t3, t6, t5
    xor     s0, s1, t3
    lw      t6, 16(a0)
    xor     t5, a1, t0
    xor     s1, s4, t0
    xor     a1, t5, s4
    and     s1, t5, s1
    xor     t0, s1, t0
    xor     t5, a1, t6
    xor     s1, s2, t5
    lw      a1, 20(a0)
    xor     t6, a2, t0
    xor     s2, s5, t0
    xor     a2, t6, s5
    and     s2, t6, s2
    xor     t0, s2, t0
    xor     t6, a2, a1
    xor     s2, s3, t6
    lw      a2, 24(a0)
    xor     a1, a3, t0
    xor     s3, s6, t0
    xor     a3, a1, s6
    and     s3, a1, s3
    xor     t0, s3, t0
    xor     a1, a3, a2
    lw      a2, 56(sp)
    xor     s3, s4, a1
    lw      a3, 28(a0)
    xor     s4, a2, t0
    xor     a2, s7, t0
    sw      a1, 36(sp)
    xor     a1, s4, s7
    and     a2, s4, a2
    xor     t0, a2, t0
    xor     s4, a1, a3
    xor     a2, s5, s4
    lw      a1, 64(a0)
    and     a3, s4, ra
    xor     s5, s4, ra
    xor     s4, s5, a1
    lw      a1, 60(sp)
    lw      s5, 32(a0)
    sw      t6, 40(sp)
    xor     t6, a1, t0
    xor     a1, s8, t0
    sw      t5, 44(sp)
    xor     t5, t6, s8
    and     t6, t6, a1
    xor     t0, t6, t0
    xor     a1, t5, s5
    xor     t6, s6, a1
    lw      s5, 68(a0)
    xor     t5, a1, a3
    xor     s6, t1, a3
    xor     a1, t5, t1
    and     t5, t5, s6
    xor     s6, t5, a3
    xor     t5, a1, s5
    lw      s5, 0(sp)
    lw      a3, 36(a0)
    sw      t3, 48(sp)
    xor     a1, s5, t0
    xor     s5, s9, t0
    xor     t3, a1, s9
    and     a1, a1, s5
    xor     t0, a1, t0
    xor     s5, t3, a3
    xor     a1, s7, s5
    lw      a3, 72(a0)
    xor     t3, s5, s6
    xor     s7, t4, s6
    xor     s5, t3, t4
    and     t3, t3, s7
    xor     s7, t3, s6
    xor     t3, s5, a3
    lw      a3, 4(sp)
    xor     ra, ra, t3
    lw      s6, 40(a0)
    xor     s5, a3, t0
    xor     a3, s10, t0
    sw      t3, 52(sp)
    xor     t3, s5, s10
    and     s5, s5, a3
    xor     t0, s5, t0
    xor     a3, t3, s6
    xor     s5, s8, a3
    lw      s6, 76(a0)
    xor     t3, a3, s7
    xor     s8, s0, s7
    xor     a3, t3, s0
    and     t3, t3, s8
    xor     s8, t3, s7
    xor     t3, a3, s6
    lw      s6, 8(sp)
    xor     t1, t1, t3
    lw      s7, 44(a0)
    xor     a3, s6, t0
    xor     s6, s11, t0
    sw      t3, 64(sp)
    xor     t3, a3, s11
    and     a3, a3, s6
    xor     t0, a3, t0
    xor     s6, t3, s7
    xor     a3, s9, s6
    lw      s7, 80(a0)
    xor     t3, s6, s8
    xor     s9, s1, s8
    xor     s6, t3, s1
    and     t3, t3, s9
    xor     s9, t3, s8
    xor     t3, s6, s7
    lw      s6, 12(sp)
    xor     s8, t4, t3
    lw      s7, 48(a0)
    xor     t4, s6, t0
    xor     s6, a4, t0
    sw      t3, 68(sp)
    xor     t3, t4, a4
    and     t4, t4, s6
    xor     t0, t4, t0
    xor     s6, t3, s7
    xor     t4, s10, s6
    lw      s7, 84(a0)
    xor     t3, s6, s9
    xor     s10, s2, s9
    xor     s6, t3, s2
    and     t3, t3, s10
    xor     s10, t3, s9
    xor     t3, s6, s7
    lw      s6, 16(sp)
    xor     s9, s0, t3
    lw      s7, 52(a0)
    xor     s0, s6, t0
    xor     s6, a5, t0
    sw      t3, 72(sp)
    xor     t3, s0, a5
    and     s0, s0, s6
    xor     t0, s0, t0
    xor     s6, t3, s7
    xor     s0, s11, s6
    lw      s7, 88(a0)
    xor     t3, s6, s10
    xor     s11, s3, s10
    xor     s6, t3, s3
    and     t3, t3, s11
    xor     s11, t3, s10
    xor     t3, s6, s7
    lw      s6, 20(sp)
    xor     s10, s1, t3
    lw      s7, 56(a0)
    xor     s1, s6, t0
    xor     s6, a6, t0
    xor     a6, s1, a6
    and     s1, s1, s6
    xor     t0, s1, t0
    xor     s6, a6, s7
    xor     s1, a4, s6
    lw      s7, 92(a0)
    xor     a6, s6, s11
    xor     a4, a2, s11
    xor     s6, a6, a2
    and     a6, a6, a4
    xor     a4, a6, s11
    xor     a6, s6, s7
    xor     s11, s1, s4
    xor     s7, s2, a6
    lw      s6, 128(a0)
    and     s2, a6, s11
    xor     a6, a6, s11
    xor     s6, a6, s6
    lw      a6, 60(a0)
    sw      t3, 76(sp)
    lw      t3, 24(sp)
    sw      s4, 80(sp)
    xor     t0, t3, t0
    xor     t0, t0, a7
    xor     t0, t0, a6
    xor     s4, a5, t0
    lw      t3, 96(a0)
    xor     t0, t0, a4
    xor     a7, t6, a4
    xor     a6, t0, t6
    and     t0, t0, a7
    xor     t0, t0, a4
    xor     a5, a6, t3
    xor     a7, s4, t5
    xor     a4, s3, a5
    lw      t3, 132(a0)
    xor     a6, a5, s2
    xor     s3, a7, s2
    xor     a5, a6, a7
    and     a6, a6, s3
    xor     s3, a6, s2
    xor     a6, a5, t3
    lw      t3, 28(sp)
    lw      s2, 100(a0)
    sw      t5, 28(sp)
    xor     a5, t3, t0
    xor     t3, a1, t0
    xor     t5, a5, a1
    and     a5, a5, t3
    xor     t0, a5, t0
    xor     t3, t5, s2
    xor     a5, a2, t3
    lw      s2, 136(a0)
    xor     t5, t3, s3
    xor     a2, ra, s3
    xor     t3, t5, ra
    and     t5, t5, a2
    xor     a2, t5, s3
    xor     s3, t3, s2
    lw      t3, 32(sp)
    xor     t5, s11, s3
    lw      s2, 104(a0)
    xor     s11, t3, t0
    xor     t3, s5, t0
    sw      s3, 32(sp)
    xor     s3, s11, s5
    and     s11, s11, t3
    xor     t0, s11, t0
    xor     t3, s3, s2
    xor     s11, t6, t3
    lw      s2, 140(a0)
    xor     s3, t3, a2
    xor     t6, t1, a2
    xor     t3, s3, t1
    and     s3, s3, t6
    xor     t6, s3, a2
    xor     a2, t3, s2
    xor     s3, a7, a2
    lw      s2, 108(a0)
    xor     t2, t2, t0
    xor     t3, a3, t0
    xor     a7, t2, a3
    and     t2, t2, t3
    xor     t0, t2, t0
    xor     t2, a7, s2
    xor     t3, a1, t2
    lw      s2, 144(a0)
    xor     t2, t2, t6
    xor     a7, s8, t6
    xor     a1, t2, s8
    and     t2, t2, a7
    xor     t2, t2, t6
    xor     a7, a1, s2
    lw      s2, 48(sp)
    xor     ra, ra, a7
    lw      t6, 112(a0)
    xor     a1, s2, t0
    xor     s2, t4, t0
    sw      a7, 48(sp)
    xor     a7, a1, t4
    and     a1, a1, s2
    xor     t0, a1, t0
    xor     s2, a7, t6
    xor     a1, s5, s2
    lw      t6, 148(a0)
    xor     a7, s2, t2
    xor     s5, s9, t2
    xor     s2, a7, s9
    and     a7, a7, s5
    xor     t2, a7, t2
    xor     s5, s2, t6
    lw      t6, 44(sp)
    xor     t1, t1, s5
    lw      a7, 116(a0)
    xor     s2, t6, t0
    xor     t6, s0, t0
    sw      s5, 44(sp)
    xor     s5, s2, s0
    and     s2, s2, t6
    xor     t0, s2, t0
    xor     t6, s5, a7
    xor     s2, a3, t6
    lw      a7, 152(a0)
    xor     s5, t6, t2
    xor     a3, s10, t2
    xor     t6, s5, s10
    and     s5, s5, a3
    xor     t2, s5, t2
    xor     a3, t6, a7
    lw      t6, 40(sp)
    xor     s5, s8, a3
    lw      a7, 120(a0)
    xor     s8, t6, t0
    xor     t6, s1, t0
    xor     s1, s8, s1
    and     s8, s8, t6
    xor     t0, s8, t0
    xor     t6, s1, a7
    xor     s8, t4, t6
    lw      a7, 156(a0)
    xor     s1, t6, t2
    xor     t4, s7, t2
    xor     t6, s1, s7
    and     s1, s1, t4
    xor     t2, s1, t2
    xor     t4, t6, a7
    xor     s1, s8, s6
    xor     a7, s9, t4
    lw      t6, 192(a0)
    and     s9, t4, s1
    xor     t4, t4, s1
    xor     t6, t4, t6
    lw      t4, 124(a0)
    sw      a3, 40(sp)
    lw      a3, 36(sp)
    sw      a2, 84(sp)
    xor     t0, a3, t0
    xor     t0, t0, s4
    xor     t0, t0, t4
    xor     a2, s0, t0
    lw      a3, 160(a0)
    xor     t0, t0, t2
    xor     s4, a4, t2
    xor     t4, t0, a4
    and     t0, t0, s4
    xor     t2, t0, t2
    xor     t0, t4, a3
    xor     s0, a2, a6
    xor     s4, s10, t0
    lw      t4, 196(a0)
    xor     t0, t0, s9
    xor     a3, s0, s9
    xor     s10, t0, s0
    and     t0, t0, a3
    xor     t0, t0, s9
    xor     a3, s10, t4
    lw      s10, 80(sp)
    lw      s9, 164(a0)
    sw      a6, 36(sp)
    xor     t4, s10, t2
    xor     s10, a5, t2
    xor     a6, t4, a5
    and     t4, t4, s10
    xor     t2, t4, t2
    xor     s10, a6, s9
    xor     t4, s7, s10
    lw      a6, 200(a0)
    xor     s9, s10, t0
    xor     s7, t5, t0
    xor     s10, s9, t5
    and     s9, s9, s7
    xor     t0, s9, t0
    xor     s7, s10, a6
    lw      a6, 28(sp)
    xor     s9, s1, s7
    lw      s10, 168(a0)
    xor     s1, a6, t2
    xor     a6, s11, t2
    sw      s7, 28(sp)
    xor     s7, s1, s11
    and     s1, s1, a6
    xor     t2, s1, t2
    xor     a6, s7, s10
    xor     s1, a4, a6
    lw      s7, 204(a0)
    xor     s10, a6, t0
    xor     a4, s3, t0
    xor     a6, s10, s3
    and     s10, s10, a4
    xor     t0, s10, t0
    xor     a4, a6, s7
    lw      s7, 52(sp)
    xor     s10, s0, a4
    lw      a6, 172(a0)
    xor     s0, s7, t2
    xor     s7, t3, t2
    sw      a4, 52(sp)
    xor     a4, s0, t3
    and     s0, s0, s7
    xor     t2, s0, t2
    xor     s7, a4, a6
    xor     s0, a5, s7
    lw      a4, 208(a0)
    xor     a6, s7, t0
    xor     a5, ra, t0
    xor     s7, a6, ra
    and     a6, a6, a5
    xor     t0, a6, t0
    xor     a5, s7, a4
    lw      a4, 64(sp)
    xor     a6, t5, a5
    lw      s7, 176(a0)
    xor     t5, a4, t2
    xor     a4, a1, t2
    sw      a5, 64(sp)
    xor     a5, t5, a1
    and     t5, t5, a4
    xor     t2, t5, t2
    xor     a4, a5, s7
    xor     t5, s11, a4
    lw      a5, 212(a0)
    xor     s7, a4, t0
    xor     s11, t1, t0
    xor     a4, s7, t1
    and     s7, s7, s11
    xor     t0, s7, t0
    xor     s11, a4, a5
    lw      a5, 68(sp)
    xor     s7, s3, s11
    lw      a4, 180(a0)
    xor     s3, a5, t2
    xor     a5, s2, t2
    sw      s11, 68(sp)
    xor     s11, s3, s2
    and     s3, s3, a5
    xor     t2, s3, t2
    xor     a5, s11, a4
    xor     s3, t3, a5
    lw      s11, 216(a0)
    xor     a4, a5, t0
    xor     t3, s5, t0
    xor     a5, a4, s5
    and     a4, a4, t3
    xor     t0, a4, t0
    xor     t3, a5, s11
    lw      a5, 72(sp)
    xor     ra, ra, t3
    lw      a4, 184(a0)
    xor     s11, a5, t2
    xor     a5, s8, t2
    xor     s8, s11, s8
    and     s11, s11, a5
    xor     t2, s11, t2
    xor     a5, s8, a4
    xor     s11, a1, a5
    lw      s8, 220(a0)
    xor     a4, a5, t0
    xor     a1, a7, t0
    xor     a5, a4, a7
    and     a4, a4, a1
    xor     t0, a4, t0
    xor     a1, a5, s8
    xor     a4, s11, t6
    xor     t1, t1, a1
    lw      a5, 256(a0)
    and     s8, a1, a4
    xor     a1, a1, a4
    xor     a1, a1, a5
    lw      a5, 188(a0)
    sw      t3, 72(sp)
    lw      t3, 76(sp)
    sw      t6, 80(sp)
    xor     t2, t3, t2
    xor     t2, t2, a2
    xor     t2, t2, a5
    xor     t6, s2, t2
    lw      t3, 224(a0)
    xor     t2, t2, t0
    xor     a2, s4, t0
    xor     a5, t2, s4
    and     t2, t2, a2
    xor     t0, t2, t0
    xor     t2, a5, t3
    xor     s2, t6, a3
    xor     a2, s5, t2
    lw      a5, 260(a0)
    xor     t2, t2, s8
    xor     t3, s2, s8
    xor     s5, t2, s2
    and     t2, t2, t3
    xor     t2, t2, s8
    xor     t3, s5, a5
    lw      s8, 228(a0)
    xor     a5, s6, t0
    xor     s5, t4, t0
    xor     s6, a5, t4
    and     a5, a5, s5
    xor     t0, a5, t0
    xor     s5, s6, s8
    xor     a5, a7, s5
    lw      s6, 264(a0)
    xor     s8, s5, t2
    xor     a7, s9, t2
    xor     s5, s8, s9
    and     s8, s8, a7
    xor     t2, s8, t2
    xor     a7, s5, s6
    lw      s6, 36(sp)
    xor     s8, a4, a7
    lw      s5, 232(a0)
    xor     a4, s6, t0
    xor     s6, s1, t0
    sw      a7, 36(sp)
    xor     a7, a4, s1
    and     a4, a4, s6
    xor     t0, a4, t0
    xor     s6, a7, s5
    xor     a4, s4, s6
    lw      a7, 268(a0)
    xor     s5, s6, t2
    xor     s4, s10, t2
    xor     s6, s5, s10
    and     s5, s5, s4
    xor     t2, s5, t2
    xor     s4, s6, a7
    lw      a7, 32(sp)
    xor     s5, s2, s4
    lw      s6, 236(a0)
    xor     s2, a7, t0
    xor     a7, s0, t0
    sw      s4, 32(sp)
    xor     s4, s2, s0
    and     s2, s2, a7
    xor     t0, s2, t0
    xor     a7, s4, s6
    xor     s2, t4, a7
    lw      s4, 272(a0)
    xor     s6, a7, t2
    xor     t4, a6, t2
    xor     a7, s6, a6
    and     s6, s6, t4
    xor     t2, s6, t2
    xor     t4, a7, s4
    lw      s4, 84(sp)
    xor     s6, s9, t4
    lw      a7, 240(a0)
    xor     s9, s4, t0
    xor     s4, t5, t0
    sw      t4, 76(sp)
    xor     t4, s9, t5
    and     s9, s9, s4
    xor     t0, s9, t0
    xor     s4, t4, a7
    xor     s9, s1, s4
    lw      t4, 276(a0)
    xor     a7, s4, t2
    xor     s1, s7, t2
    xor     s4, a7, s7
    and     a7, a7, s1
    xor     t2, a7, t2
    xor     s1, s4, t4
    lw      t4, 48(sp)
    xor     a7, s10, s1
    lw      s4, 244(a0)
    xor     s10, t4, t0
    xor     t4, s3, t0
    sw      s1, 48(sp)
    xor     s1, s10, s3
    and     s10, s10, t4
    xor     t0, s10, t0
    xor     t4, s1, s4
    xor     s10, s0, t4
    lw      s1, 280(a0)
    xor     s4, t4, t2
    xor     s0, ra, t2
    xor     t4, s4, ra
    and     s4, s4, s0
    xor     t2, s4, t2
    xor     s0, t4, s1
    lw      s1, 44(sp)
    xor     s4, a6, s0
    lw      t4, 248(a0)
    xor     a6, s1, t0
    xor     s1, s11, t0
    xor     s11, a6, s11
    and     a6, a6, s1
    xor     t0, a6, t0
    xor     s1, s11, t4
    xor     a6, t5, s1
    lw      s11, 284(a0)
    xor     t4, s1, t2
    xor     t5, t1, t2
    xor     s1, t4, t1
    and     t4, t4, t5
    xor     t2, t4, t2
    xor     t5, s1, s11
    xor     t4, a6, a1
    xor     s1, s7, t5
    lw      s11, 320(a0)
    and     s7, t5, t4
    xor     t5, t5, t4
    xor     s11, t5, s11
    lw      t5, 252(a0)
    sw      s0, 44(sp)
    lw      s0, 40(sp)
    sw      a1, 84(sp)
    xor     t0, s0, t0
    xor     t0, t0, t6
    xor     t0, t0, t5
    xor     a1, s3, t0
    lw      s0, 288(a0)
    xor     t0, t0, t2
    xor     t6, a2, t2
    xor     t5, t0, a2
    and     t0, t0, t6
    xor     t2, t0, t2
    xor     t0, t5, s0
    xor     s3, a1, t3
    xor     ra, ra, t0
    lw      t6, 324(a0)
    xor     t0, t0, s7
    xor     s0, s3, s7
    xor     t5, t0, s3
    and     t0, t0, s0
    xor     t0, t0, s7
    xor     s0, t5, t6
    lw      t6, 80(sp)
    lw      s7, 292(a0)
    sw      t3, 40(sp)
    xor     t5, t6, t2
    xor     t6, a5, t2
    xor     t3, t5, a5
    and     t5, t5, t6
    xor     t2, t5, t2
    xor     t6, t3, s7
    xor     t1, t1, t6
    lw      t5, 328(a0)
    xor     s7, t6, t0
    xor     t3, s8, t0
    xor     t6, s7, s8
    and     s7, s7, t3
    xor     t0, s7, t0
    xor     t3, t6, t5
    xor     s7, t4, t3
    lw      t5, 296(a0)
    xor     t6, a3, t2
    xor     t4, a4, t2
    xor     a3, t6, a4
    and     t6, t6, t4
    xor     t2, t6, t2
    xor     t4, a3, t5
    xor     t6, a2, t4
    lw      t5, 332(a0)
    xor     a3, t4, t0
    xor     a2, s5, t0
    xor     t4, a3, s5
    and     a3, a3, a2
    xor     t0, a3, t0
    xor     a2, t4, t5
    lw      t4, 28(sp)
    xor     a3, s3, a2
    lw      t5, 300(a0)
    xor     s3, t4, t2
    xor     t4, s2, t2
    sw      a2, 28(sp)
    xor     a2, s3, s2
    and     s3, s3, t4
    xor     t2, s3, t2
    xor     t4, a2, t5
    xor     s3, a5, t4
    lw      t5, 336(a0)
    xor     a2, t4, t0
    xor     a5, s6, t0
    xor     t4, a2, s6
    and     a2, a2, a5
    xor     t0, a2, t0
    xor     a5, t4, t5
    lw      t4, 52(sp)
    xor     a2, s8, a5
    lw      t5, 304(a0)
    xor     s8, t4, t2
    xor     t4, s9, t2
    sw      a5, 52(sp)
    xor     a5, s8, s9
    and     s8, s8, t4
    xor     t2, s8, t2
    xor     t4, a5, t5
    xor     s8, a4, t4
    lw      t5, 340(a0)
    xor     a5, t4, t0
    xor     a4, a7, t0
    xor     t4, a5, a7
    and     a5, a5, a4
    xor     t0, a5, t0
    xor     a4, t4, t5
    lw      t4, 64(sp)
    xor     a5, s5, a4
    lw      t5, 308(a0)
    xor     s5, t4, t2
    xor     t4, s10, t2
    sw      a4, 64(sp)
    xor     a4, s5, s10
    and     s5, s5, t4
    xor     t2, s5, t2
    xor     t4, a4, t5
    xor     s5, s2, t4
    lw      t5, 344(a0)
    xor     a4, t4, t0
    xor     s2, s4, t0
    xor     t4, a4, s4
    and     a4, a4, s2
    xor     t0, a4, t0
    xor     s2, t4, t5
    lw      t4, 68(sp)
    xor     a4, s6, s2
    lw      t5, 312(a0)
    xor     s6, t4, t2
    xor     t4, a6, t2
    xor     a6, s6, a6
    and     s6, s6, t4
    xor     t2, s6, t2
    xor     t4, a6, t5
    xor     s6, s9, t4
    lw      t5, 348(a0)
    xor     a6, t4, t0
    xor     s9, s1, t0
    xor     t4, a6, s1
    and     a6, a6, s9
    xor     t0, a6, t0
    xor     s9, t4, t5
    xor     a6, s6, s11
    xor     t5, a7, s9
    lw      t4, 384(a0)
    and     a7, s9, a6
    xor     s9, s9, a6
    xor     t4, s9, t4
    lw      s9, 316(a0)
    sw      s2, 68(sp)
    lw      s2, 72(sp)
    sw      t3, 80(sp)
    xor     t2, s2, t2
    xor     t2, t2, a1
    xor     t2, t2, s9
    xor     t3, s10, t2
    lw      s2, 352(a0)
    xor     t2, t2, t0
    xor     a1, ra, t0
    xor     s9, t2, ra
    and     t2, t2, a1
    xor     t0, t2, t0
    xor     t2, s9, s2
    xor     s10, t3, s0
    xor     a1, s4, t2
    lw      s2, 388(a0)
    xor     t2, t2, a7
    xor     s9, s10, a7
    xor     s4, t2, s10
    and     t2, t2, s9
    xor     t2, t2, a7
    xor     s9, s4, s2
    lw      s2, 84(sp)
    lw      a7, 356(a0)
    sw      s0, 72(sp)
    xor     s4, s2, t0
    xor     s2, t1, t0
    xor     s0, s4, t1
    and     s4, s4, s2
    xor     t0, s4, t0
    xor     s2, s0, a7
    xor     s4, s1, s2
    lw      a7, 392(a0)
    xor     s0, s2, t2
    xor     s1, s7, t2
    xor     s2, s0, s7
    and     s0, s0, s1
    xor     t2, s0, t2
    xor     s1, s2, a7
    lw      s2, 40(sp)
    xor     s0, a6, s1
    lw      a7, 360(a0)
    xor     a6, s2, t0
    xor     s2, t6, t0
    sw      s1, 40(sp)
    xor     s1, a6, t6
    and     a6, a6, s2
    xor     t0, a6, t0
    xor     s2, s1, a7
    xor     ra, ra, s2
    lw      a6, 396(a0)
    xor     a7, s2, t2
    xor     s1, a3, t2
    xor     s2, a7, a3
    and     a7, a7, s1
    xor     t2, a7, t2
    xor     s1, s2, a6
    lw      s2, 36(sp)
    xor     a7, s10, s1
    lw      a6, 364(a0)
    xor     s10, s2, t0
    xor     s2, s3, t0
    sw      s1, 36(sp)
    xor     s1, s10, s3
    and     s10, s10, s2
    xor     t0, s10, t0
    xor     s2, s1, a6
    xor     t1, t1, s2
    lw      s10, 400(a0)
    xor     a6, s2, t2
    xor     s1, a2, t2
    xor     s2, a6, a2
    and     a6, a6, s1
    xor     t2, a6, t2
    xor     s1, s2, s10
    lw      s2, 32(sp)
    xor     a6, s7, s1
    lw      s10, 368(a0)
    xor     s7, s2, t0
    xor     s2, s8, t0
    sw      s1, 32(sp)
    xor     s1, s7, s8
    and     s7, s7, s2
    xor     t0, s7, t0
    xor     s2, s1, s10
    xor     s7, t6, s2
    lw      s10, 404(a0)
    xor     s1, s2, t2
    xor     t6, a5, t2
    xor     s2, s1, a5
    and     s1, s1, t6
    xor     t2, s1, t2
    xor     t6, s2, s10
    lw      s2, 76(sp)
    xor     s1, a3, t6
    lw      s10, 372(a0)
    xor     a3, s2, t0
    xor     s2, s5, t0
    sw      t6, 76(sp)
    xor     t6, a3, s5
    and     a3, a3, s2
    xor     t0, a3, t0
    xor     s2, t6, s10
    xor     a3, s3, s2
    lw      s10, 408(a0)
    xor     t6, s2, t2
    xor     s3, a4, t2
    xor     s2, t6, a4
    and     t6, t6, s3
    xor     t2, t6, t2
    xor     s3, s2, s10
    lw      s2, 48(sp)
    xor     t6, a2, s3
    lw      s10, 376(a0)
    xor     a2, s2, t0
    xor     s2, s6, t0
    xor     s6, a2, s6
    and     a2, a2, s2
    xor     t0, a2, t0
    xor     s2, s6, s10
    xor     a2, s8, s2
    lw      s10, 412(a0)
    xor     s6, s2, t2
    xor     s8, t5, t2
    xor     s2, s6, t5
    and     s6, s6, s8
    xor     t2, s6, t2
    xor     s8, s2, s10
    xor     s6, a2, t4
    xor     s10, a5, s8
    lw      s2, 448(a0)
    and     a5, s8, s6
    xor     s8, s8, s6
    xor     s2, s8, s2
    lw      s8, 380(a0)
    sw      s3, 48(sp)
    lw      s3, 44(sp)
    sw      t4, 84(sp)
    xor     t0, s3, t0
    xor     t0, t0, t3
    xor     t0, t0, s8
    xor     t4, s5, t0
    lw      s3, 416(a0)
    xor     t0, t0, t2
    xor     t3, a1, t2
    xor     s8, t0, a1
    and     t0, t0, t3
    xor     t2, t0, t2
    xor     t0, s8, s3
    xor     s5, t4, s9
    xor     t3, a4, t0
    lw      s8, 452(a0)
    xor     t0, t0, a5
    xor     s3, s5, a5
    xor     a4, t0, s5
    and     t0, t0, s3
    xor     t0, t0, a5
    xor     s3, a4, s8
    lw      a5, 420(a0)
    xor     a4, s11, t2
    xor     s8, s4, t2
    xor     s11, a4, s4
    and     a4, a4, s8
    xor     t2, a4, t2
    xor     s8, s11, a5
    xor     a4, t5, s8
    lw      s11, 456(a0)
    xor     a5, s8, t0
    xor     t5, s0, t0
    xor     s8, a5, s0
    and     a5, a5, t5
    xor     t0, a5, t0
    xor     t5, s8, s11
    lw      s11, 72(sp)
    xor     a5, s6, t5
    lw      s8, 424(a0)
    xor     s6, s11, t2
    xor     s11, ra, t2
    sw      t5, 44(sp)
    xor     t5, s6, ra
    and     s6, s6, s11
    xor     t2, s6, t2
    xor     s11, t5, s8
    xor     s6, a1, s11
    lw      t5, 460(a0)
    xor     s8, s11, t0
    xor     a1, a7, t0
    xor     s11, s8, a7
    and     s8, s8, a1
    xor     t0, s8, t0
    xor     a1, s11, t5
    lw      t5, 80(sp)
    xor     s8, s5, a1
    lw      s11, 428(a0)
    xor     s5, t5, t2
    xor     t5, t1, t2
    sw      a1, 72(sp)
    xor     a1, s5, t1
    and     s5, s5, t5
    xor     t2, s5, t2
    xor     t5, a1, s11
    xor     s5, s4, t5
    lw      a1, 464(a0)
    xor     s11, t5, t0
    xor     s4, a6, t0
    xor     t5, s11, a6
    and     s11, s11, s4
    xor     t0, s11, t0
    xor     s4, t5, a1
    lw      a1, 28(sp)
    xor     s11, s0, s4
    lw      t5, 432(a0)
    xor     s0, a1, t2
    xor     a1, s7, t2
    sw      s4, 28(sp)
    xor     s4, s0, s7
    and     s0, s0, a1
    xor     t2, s0, t2
    xor     a1, s4, t5
    xor     ra, ra, a1
    lw      s0, 468(a0)
    xor     s4, a1, t0
    xor     t5, s1, t0
    xor     a1, s4, s1
    and     s4, s4, t5
    xor     t0, s4, t0
    xor     t5, a1, s0
    lw      s0, 52(sp)
    xor     s4, a7, t5
    lw      a1, 436(a0)
    xor     a7, s0, t2
    xor     s0, a3, t2
    sw      t5, 52(sp)
    xor     t5, a7, a3
    and     a7, a7, s0
    xor     t2, a7, t2
    xor     s0, t5, a1
    xor     t1, t1, s0
    lw      a7, 472(a0)
    xor     t5, s0, t0
    xor     a1, t6, t0
    xor     s0, t5, t6
    and     t5, t5, a1
    xor     t0, t5, t0
    xor     a1, s0, a7
    lw      a7, 64(sp)
    xor     t5, a6, a1
    lw      s0, 440(a0)
    xor     a6, a7, t2
    xor     a7, a2, t2
    xor     a2, a6, a2
    and     a6, a6, a7
    xor     t2, a6, t2
    xor     a7, a2, s0
    xor     a6, s7, a7
    lw      a2, 476(a0)
    xor     s0, a7, t0
    xor     s7, s10, t0
    xor     a7, s0, s10
    and     s0, s0, s7
    xor     t0, s0, t0
    xor     s7, a7, a2
    xor     s0, a6, s2
    xor     a7, s1, s7
    lw      a2, 512(a0)
    and     s1, s7, s0
    xor     s7, s7, s0
    xor     s7, s7, a2
    lw      a2, 444(a0)
    sw      a1, 64(sp)
    lw      a1, 68(sp)
    sw      s2, 80(sp)
    xor     t2, a1, t2
    xor     t2, t2, t4
    xor     t2, t2, a2
    xor     s2, a3, t2
    lw      a1, 480(a0)
    xor     t2, t2, t0
    xor     t4, t3, t0
    xor     a2, t2, t3
    and     t2, t2, t4
    xor     t0, t2, t0
    xor     t2, a2, a1
    xor     a3, s2, s3
    xor     t4, t6, t2
    lw      a2, 516(a0)
    xor     t2, t2, s1
    xor     a1, a3, s1
    xor     t6, t2, a3
    and     t2, t2, a1
    xor     t2, t2, s1
    xor     a1, t6, a2
    lw      a2, 84(sp)
    lw      s1, 484(a0)
    sw      s3, 68(sp)
    xor     t6, a2, t0
    xor     a2, a4, t0
    xor     s3, t6, a4
    and     t6, t6, a2
    xor     t0, t6, t0
    xor     a2, s3, s1
    xor     t6, s10, a2
    lw      s3, 520(a0)
    xor     s1, a2, t2
    xor     s10, a5, t2
    xor     a2, s1, a5
    and     s1, s1, s10
    xor     t2, s1, t2
    xor     s10, a2, s3
    xor     s1, s0, s10
    lw      a2, 488(a0)
    xor     s3, s9, t0
    xor     s0, s6, t0
    xor     s9, s3, s6
    and     s3, s3, s0
    xor     t0, s3, t0
    xor     s0, s9, a2
    xor     s3, t3, s0
    lw      s9, 524(a0)
    xor     a2, s0, t2
    xor     t3, s8, t2
    xor     s0, a2, s8
    and     a2, a2, t3
    xor     t2, a2, t2
    xor     t3, s0, s9
    lw      s9, 40(sp)
    xor     a2, a3, t3
    lw      s0, 492(a0)
    xor     a3, s9, t0
    xor     s9, s5, t0
    sw      t3, 40(sp)
    xor     t3, a3, s5
    and     a3, a3, s9
    xor     t0, a3, t0
    xor     s9, t3, s0
    xor     a3, a4, s9
    lw      t3, 528(a0)
    xor     s0, s9, t2
    xor     a4, s11, t2
    xor     s9, s0, s11
    and     s0, s0, a4
    xor     t2, s0, t2
    xor     a4, s9, t3
    lw      t3, 36(sp)
    xor     s0, a5, a4
    lw      s9, 496(a0)
    xor     a5, t3, t0
    xor     t3, ra, t0
    sw      a4, 36(sp)
    xor     a4, a5, ra
    and     a5, a5, t3
    xor     t0, a5, t0
    xor     t3, a4, s9
    xor     a5, s6, t3
    lw      a4, 532(a0)
    xor     s9, t3, t2
    xor     s6, s4, t2
    xor     t3, s9, s4
    and     s9, s9, s6
    xor     t2, s9, t2
    xor     s6, t3, a4
    lw      a4, 32(sp)
    xor     s9, s8, s6
    lw      t3, 500(a0)
    xor     s8, a4, t0
    xor     a4, t1, t0
    sw      s6, 32(sp)
    xor     s6, s8, t1
    and     s8, s8, a4
    xor     t0, s8, t0
    xor     a4, s6, t3
    xor     s8, s5, a4
    lw      s6, 536(a0)
    xor     t3, a4, t2
    xor     s5, t5, t2
    xor     a4, t3, t5
    and     t3, t3, s5
    xor     t2, t3, t2
    xor     s5, a4, s6
    lw      s6, 76(sp)
    xor     t3, s11, s5
    lw      a4, 504(a0)
    xor     s11, s6, t0
    xor     s6, a6, t0
    xor     a6, s11, a6
    and     s11, s11, s6
    xor     t0, s11, t0
    xor     s6, a6, a4
    xor     ra, ra, s6
    lw      s11, 540(a0)
    xor     a6, s6, t2
    xor     a4, a7, t2
    xor     s6, a6, a7
    and     a6, a6, a4
    xor     t2, a6, t2
    xor     a4, s6, s11
    xor     a6, ra, s7
    xor     s6, s4, a4
    lw      s11, 576(a0)
    and     s4, a4, a6
    xor     a4, a4, a6
    xor     s11, a4, s11
    lw      a4, 508(a0)
    sw      s5, 76(sp)
    lw      s5, 48(sp)
    sw      s10, 84(sp)
    lw      s10, 544(a0)
    xor     t0, s5, t0
    xor     t0, t0, s2
    xor     t0, t0, a4
    xor     t1, t1, t0
    xor     t0, t0, t2
    xor     s5, t4, t2
    xor     s2, t0, t4
    and     t0, t0, s5
    xor     t2, t0, t2
    xor     t0, s2, s10
    xor     a4, t1, a1
    xor     s5, t5, t0
    lw      s10, 580(a0)
    xor     t0, t0, s4
    xor     s2, a4, s4
    xor     t5, t0, a4
    and     t0, t0, s2
    xor     t0, t0, s4
    xor     s2, t5, s10
    lw      s10, 80(sp)
    lw      s4, 548(a0)
    sw      a1, 48(sp)
    xor     t5, s10, t2
    xor     s10, t6, t2
    xor     a1, t5, t6
    and     t5, t5, s10
    xor     t2, t5, t2
    xor     s10, a1, s4
    xor     t5, a7, s10
    lw      s4, 584(a0)
    xor     a1, s10, t0
    xor     a7, s1, t0
    xor     s10, a1, s1
    and     a1, a1, a7
    xor     t0, a1, t0
    xor     a7, s10, s4
    lw      s10, 68(sp)
    xor     a1, a6, a7
    lw      s4, 552(a0)
    xor     a6, s10, t2
    xor     s10, s3, t2
    sw      a7, 68(sp)
    xor     a7, a6, s3
    and     a6, a6, s10
    xor     t2, a6, t2
    xor     s10, a7, s4
    xor     a6, t4, s10
    lw      s4, 588(a0)
    xor     a7, s10, t0
    xor     t4, a2, t0
    xor     s10, a7, a2
    and     a7, a7, t4
    xor     t0, a7, t0
    xor     t4, s10, s4
    lw      s10, 44(sp)
    xor     a7, a4, t4
    lw      s4, 556(a0)
    xor     a4, s10, t2
    xor     s10, a3, t2
    sw      t4, 44(sp)
    xor     t4, a4, a3
    and     a4, a4, s10
    xor     t2, a4, t2
    xor     s10, t4, s4
    xor     a4, t6, s10
    lw      s4, 592(a0)
    xor     t4, s10, t0
    xor     t6, s0, t0
    xor     s10, t4, s0
    and     t4, t4, t6
    xor     t0, t4, t0
    xor     t6, s10, s4
    lw      s10, 72(sp)
    xor     t4, s1, t6
    lw      s4, 560(a0)
    xor     s1, s10, t2
    xor     s10, a5, t2
    sw      t6, 72(sp)
    xor     t6, s1, a5
    and     s1, s1, s10
    xor     t2, s1, t2
    xor     s10, t6, s4
    xor     s1, s3, s10
    lw      s4, 596(a0)
    xor     t6, s10, t0
    xor     s3, s9, t0
    xor     s10, t6, s9
    and     t6, t6, s3
    xor     t0, t6, t0
    xor     s3, s10, s4
    lw      s10, 28(sp)
    xor     t6, a2, s3
    lw      s4, 564(a0)
    xor     a2, s10, t2
    xor     s10, s8, t2
    sw      s3, 28(sp)
    xor     s3, a2, s8
    and     a2, a2, s10
    xor     t2, a2, t2
    xor     s10, s3, s4
    xor     a2, a3, s10
    lw      s4, 600(a0)
    xor     s3, s10, t0
    xor     a3, t3, t0
    xor     s10, s3, t3
    and     s3, s3, a3
    xor     t0, s3, t0
    xor     a3, s10, s4
    lw      s10, 52(sp)
    xor     s3, s0, a3
    lw      s4, 568(a0)
    xor     s0, s10, t2
    xor     s10, ra, t2
    xor     ra, s0, ra
    and     s0, s0, s10
    xor     t2, s0, t2
    xor     ra, ra, s4
    xor     s10, a5, ra
    lw      s0, 604(a0)
    xor     ra, ra, t0
    xor     s4, s6, t0
    xor     a5, ra, s6
    and     ra, ra, s4
    xor     ra, ra, t0
    xor     t0, a5, s0
    xor     s4, s10, s11
    xor     s0, s9, t0
    lw      a5, 640(a0)
    and     s9, t0, s4
    xor     t0, t0, s4
    xor     t0, t0, a5
    lw      a5, 572(a0)
    sw      a3, 52(sp)
    lw      a3, 64(sp)
    sw      s11, 80(sp)
    lw      s11, 608(a0)
    xor     t2, a3, t2
    xor     t1, t2, t1
    xor     t2, t1, a5
    xor     t1, s8, t2
    xor     t2, t2, ra
    xor     a3, s5, ra
    xor     a5, t2, s5
    and     t2, t2, a3
    xor     ra, t2, ra
    xor     t2, a5, s11
    xor     s8, t1, s2
    xor     a3, t3, t2
    lw      s11, 644(a0)
    xor     t2, t2, s9
    xor     a5, s8, s9
    xor     t3, t2, s8
    and     t2, t2, a5
    xor     t2, t2, s9
    xor     a5, t3, s11
    lw      s9, 612(a0)
    xor     s11, s7, ra
    xor     t3, t5, ra
    xor     s7, s11, t5
    and     s11, s11, t3
    xor     ra, s11, ra
    xor     t3, s7, s9
    xor     s11, s6, t3
    lw      s9, 648(a0)
    xor     s7, t3, t2
    xor     s6, a1, t2
    xor     t3, s7, a1
    and     s7, s7, s6
    xor     t2, s7, t2
    xor     s6, t3, s9
    lw      t3, 48(sp)
    xor     s7, s4, s6
    lw      s9, 616(a0)
    xor     s4, t3, ra
    xor     t3, a6, ra
    sw      s6, 8(sp)
    xor     s6, s4, a6
    and     s4, s4, t3
    xor     ra, s4, ra
    xor     t3, s6, s9
    xor     s4, s5, t3
    lw      s9, 652(a0)
    xor     s6, t3, t2
    xor     s5, a7, t2
    xor     t3, s6, a7
    and     s6, s6, s5
    xor     t2, s6, t2
    xor     s5, t3, s9
    lw      t3, 84(sp)
    xor     s6, s8, s5
    lw      s9, 620(a0)
    xor     s8, t3, ra
    xor     t3, a4, ra
    sw      s7, 48(sp)
    xor     s7, s8, a4
    and     s8, s8, t3
    xor     ra, s8, ra
    xor     t3, s7, s9
    xor     s8, t5, t3
    lw      s9, 656(a0)
    xor     s7, t3, t2
    xor     t5, t4, t2
    xor     t3, s7, t4
    and     s7, s7, t5
    xor     t2, s7, t2
    xor     t5, t3, s9
    lw      t3, 40(sp)
    xor     s7, a1, t5
    lw      s9, 624(a0)
    xor     a1, t3, ra
    xor     t3, s1, ra
    sw      s5, 12(sp)
    xor     s5, a1, s1
    and     a1, a1, t3
    xor     ra, a1, ra
    xor     t3, s5, s9
    xor     a1, a6, t3
    lw      s9, 660(a0)
    xor     s5, t3, t2
    xor     a6, t6, t2
    xor     t3, s5, t6
    and     s5, s5, a6
    xor     t2, s5, t2
    xor     a6, t3, s9
    lw      t3, 36(sp)
    xor     s5, a7, a6
    lw      s9, 628(a0)
    xor     a7, t3, ra
    xor     t3, a2, ra
    sw      s6, 36(sp)
    xor     s6, a7, a2
    and     a7, a7, t3
    xor     ra, a7, ra
    xor     t3, s6, s9
    xor     a7, a4, t3
    lw      s9, 664(a0)
    xor     s6, t3, t2
    xor     a4, s3, t2
    xor     t3, s6, s3
    and     s6, s6, a4
    xor     t2, s6, t2
    xor     a4, t3, s9
    lw      t3, 32(sp)
    xor     s6, t4, a4
    lw      s9, 632(a0)
    xor     t4, t3, ra
    xor     t3, s10, ra
    xor     s10, t4, s10
    and     t4, t4, t3
    xor     ra, t4, ra
    xor     t3, s10, s9
    xor     t4, s1, t3
    lw      s9, 668(a0)
    xor     s10, t3, t2
    xor     s1, s0, t2
    xor     t3, s10, s0
    and     s10, s10, s1
    xor     t2, s10, t2
    xor     t3, t3, s9
    xor     s1, t4, t0
    xor     s10, t6, t3
    lw      s9, 636(a0)
    sw      t0, 0(sp)
    lw      t0, 76(sp)
    xor     t6, a3, t2
    xor     ra, t0, ra
    xor     t0, ra, t1
    xor     t1, t0, s9
    xor     ra, a2, t1
    lw      t0, 672(a0)
    xor     t1, t1, t2
    xor     s9, t1, a3
    and     t1, t1, t6
    xor     t2, t1, t2
    xor     t1, s9, t0
    xor     t0, ra, a5
    lw      s9, 80(sp)
    xor     a2, s3, t1
    lw      t6, 676(a0)
    xor     s3, s9, t2
    xor     s9, s11, t2
    sw      a5, 4(sp)
    xor     a5, s3, s11
    and     s3, s3, s9
    xor     t2, s3, t2
    xor     s9, a5, t6
    xor     s3, s0, s9
    lw      t6, 680(a0)
    xor     a5, s2, t2
    xor     s0, s4, t2
    xor     s2, a5, s4
    and     a5, a5, s0
    xor     t2, a5, t2
    xor     t6, s2, t6
    lw      s2, 68(sp)
    xor     s0, a3, t6
    lw      a5, 684(a0)
    xor     a3, s2, t2
    xor     s2, s8, t2
    sw      t5, 16(sp)
    xor     t5, a3, s8
    and     a3, a3, s2
    xor     t2, a3, t2
    xor     s2, t5, a5
    lw      a5, 44(sp)
    xor     s11, s11, s2
    lw      a3, 688(a0)
    xor     t5, a5, t2
    xor     a5, a1, t2
    sw      s7, 32(sp)
    xor     s7, t5, a1
    and     t5, t5, a5
    xor     t2, t5, t2
    xor     a5, s7, a3
    lw      s7, 72(sp)
    xor     t5, s4, a5
    lw      a3, 692(a0)
    xor     s4, s7, t2
    xor     s7, a7, t2
    sw      a6, 20(sp)
    xor     a6, s4, a7
    and     s4, s4, s7
    xor     t2, s4, t2
    xor     a3, a6, a3
    lw      a6, 28(sp)
    xor     s7, s8, a3
    lw      s4, 696(a0)
    xor     s8, a6, t2
    xor     a6, t4, t2
    xor     t4, s8, t4
    and     s8, s8, a6
    xor     t2, s8, t2
    xor     a6, t4, s4
    lw      t4, 52(sp)
    xor     s8, a1, a6
    lw      s4, 700(a0)
    xor     t2, t4, t2
    xor     ra, t2, ra
    xor     t2, ra, s4
    xor     a7, a7, t2
    sw      a4, 24(sp)
    sw      a6, 56(sp)
    sw      t2, 60(sp)
    mv      t4, t1
    mv      a1, s2
    lw      s2, 48(sp)
    lw      s4, 32(sp)
    mv      a4, t5
    mv      t5, s9
    mv      s9, s3
    lw      s3, 36(sp)
    mv      a6, s8
    mv      s8, a2
    mv      a2, a5
    mv      a5, s7
    mv      s7, s10
    mv      s10, s0
    mv      s0, s1
    mv      s1, t0
    lw      ra, 128(sp)
    addi    a0, a0, 704
    beq     a0, ra, 2f
    j       1b
2:
    lw      ra, 132(sp)
    ret
    .size   speck32_rv32i_x32_encrypt_rounds, . - speck32_rv32i_x32_encrypt_rounds

// The rounds to decrypt on slices at their places; a0 points to the masks of the first. Uses all registers but sp, gp, tp.
    .section .text.speck32_rv32i_x32_decrypt_rounds, "ax", @progbits
    .balign 4
    .type   speck32_rv32i_x32_decrypt_rounds, @function
speck32_rv32i_x32_decrypt_rounds:
    sw      ra, 132(sp)
1:
    lw      ra, 640(a0)
    xor     t0, s2, t5
    xor     s2, s3, t6
    xor     t1, t3, ra
    or      t2, t1, t0
    xor     ra, t2, t1
    xor     t2, t1, t0
    lw      t1, 644(a0)
    sw      s2, 0(sp)
    xor     t1, t4, t1
    xor     s3, t1, ra
    xor     ra, s2, ra
    xor     s2, s3, s2
    or      ra, s3, ra
    xor     t1, ra, t1
    lw      ra, 648(a0)
    xor     s3, s4, a1
    xor     ra, t5, ra
    xor     s4, ra, t1
    xor     t1, s3, t1
    xor     t5, s4, s3
    or      t1, s4, t1
    xor     ra, t1, ra
    lw      t1, 652(a0)
    xor     s4, s5, a2
    xor     t1, t6, t1
    xor     s5, t1, ra
    xor     ra, s4, ra
    xor     t6, s5, s4
    or      ra, s5, ra
    xor     t1, ra, t1
    lw      ra, 656(a0)
    xor     s5, s6, a3
    sw      t0, 4(sp)
    xor     ra, a1, ra
    xor     s6, ra, t1
    xor     t1, s5, t1
    xor     a1, s6, s5
    or      t1, s6, t1
    xor     ra, t1, ra
    lw      t1, 660(a0)
    lw      t0, 28(sp)
    xor     t1, a2, t1
    xor     s6, s7, t0
    xor     s7, t1, ra
    xor     ra, s6, ra
    xor     a2, s7, s6
    or      ra, s7, ra
    xor     t1, ra, t1
    lw      s7, 32(sp)
    lw      ra, 664(a0)
    sw      a2, 8(sp)
    xor     a2, s8, s7
    xor     ra, a3, ra
    xor     s8, ra, t1
    xor     t1, a2, t1
    xor     a3, s8, a2
    or      t1, s8, t1
    xor     ra, t1, ra
    lw      s8, 36(sp)
    lw      t1, 668(a0)
    sw      a3, 12(sp)
    xor     a3, s9, s8
    xor     t0, t0, t1
    xor     t1, t0, ra
    xor     ra, a3, ra
    xor     s9, t1, a3
    or      t1, t1, ra
    xor     ra, t1, t0
    lw      t1, 40(sp)
    lw      t0, 672(a0)
    sw      s9, 16(sp)
    xor     s9, s10, t1
    xor     t0, s7, t0
    xor     s10, t0, ra
    xor     ra, s9, ra
    xor     s7, s10, s9
    or      ra, s10, ra
    xor     t0, ra, t0
    lw      s10, 44(sp)
    lw      ra, 676(a0)
    sw      s7, 20(sp)
    xor     s7, s11, s10
    xor     ra, s8, ra
    xor     s11, ra, t0
    xor     t0, s7, t0
    xor     s8, s11, s7
    or      t0, s11, t0
    xor     ra, t0, ra
    lw      s11, 48(sp)
    lw      t0, 680(a0)
    sw      a1, 24(sp)
    xor     a1, a4, s11
    xor     t1, t1, t0
    xor     t0, t1, ra
    xor     ra, a1, ra
    xor     a4, t0, a1
    or      t0, t0, ra
    xor     ra, t0, t1
    lw      t0, 52(sp)
    lw      t1, 684(a0)
    sw      t6, 64(sp)
    xor     t6, a5, t0
    xor     t1, s10, t1
    xor     a5, t1, ra
    xor     ra, t6, ra
    xor     s10, a5, t6
    or      ra, a5, ra
    xor     t1, ra, t1
    lw      ra, 576(a0)
    xor     a5, s3, s10
    sw      a5, 68(sp)
    xor     ra, s8, ra
    or      s3, ra, a5
    xor     s3, s3, ra
    xor     ra, ra, a5
    lw      a5, 688(a0)
    sw      ra, 72(sp)
    lw      ra, 56(sp)
    sw      s8, 76(sp)
    xor     s8, a6, ra
    xor     a6, s11, a5
    xor     s11, a6, t1
    xor     t1, s8, t1
    xor     a5, s11, s8
    or      t1, s11, t1
    lw      s11, 580(a0)
    xor     t1, t1, a6
    xor     a6, s4, a5
    xor     s4, a4, s11
    xor     s11, s4, s3
    xor     s3, a6, s3
    sw      a6, 80(sp)
    xor     a6, s11, a6
    or      s11, s11, s3
    xor     s3, s11, s4
    lw      s4, 60(sp)
    lw      s11, 692(a0)
    sw      a6, 84(sp)
    xor     a6, a7, s4
    xor     t0, t0, s11
    xor     a7, t0, t1
    xor     t1, a6, t1
    xor     s11, a7, a6
    or      t1, a7, t1
    xor     t1, t1, t0
    lw      t0, 584(a0)
    xor     a7, s5, s11
    xor     t0, s10, t0
    xor     s5, t0, s3
    xor     s10, a7, s3
    xor     s3, s5, a7
    or      s5, s5, s10
    lw      s10, 696(a0)
    xor     t0, s5, t0
    xor     s5, s0, t3
    xor     ra, ra, s10
    xor     s0, ra, t1
    xor     t1, s5, t1
    xor     t3, s0, s5
    or      t1, s0, t1
    xor     t1, t1, ra
    lw      ra, 588(a0)
    xor     s10, s6, t3
    xor     ra, a5, ra
    xor     s0, ra, t0
    xor     t0, s10, t0
    xor     s6, s0, s10
    or      t0, s0, t0
    xor     t0, t0, ra
    lw      ra, 700(a0)
    xor     a5, s1, t4
    xor     ra, s4, ra
    xor     t1, ra, t1
    xor     ra, t1, a5
    lw      t1, 592(a0)
    xor     s0, a2, ra
    xor     s4, a3, t2
    xor     t1, s11, t1
    xor     s1, t1, t0
    xor     t0, s0, t0
    xor     t4, s1, s0
    or      t0, s1, t0
    xor     t0, t0, t1
    lw      t1, 596(a0)
    xor     s1, s9, s2
    xor     t1, t3, t1
    xor     a2, t1, t0
    xor     t0, s4, t0
    xor     s11, a2, s4
    or      t0, a2, t0
    xor     t0, t0, t1
    lw      t1, 600(a0)
    xor     ra, ra, t1
    xor     t1, ra, t0
    xor     t0, s1, t0
    xor     a3, t1, s1
    or      t1, t1, t0
    xor     t0, t1, ra
    lw      t1, 604(a0)
    xor     ra, s7, t5
    xor     t1, t2, t1
    xor     t2, t1, t0
    xor     t0, ra, t0
    xor     t3, t2, ra
    or      t2, t2, t0
    xor     t0, t2, t1
    lw      t1, 64(sp)
    lw      t2, 608(a0)
    xor     a2, a1, t1
    lw      a1, 24(sp)
    xor     t2, s2, t2
    xor     s9, t2, t0
    xor     t0, a2, t0
    xor     s7, s9, a2
    or      t0, s9, t0
    xor     t0, t0, t2
    lw      t2, 612(a0)
    xor     s2, t6, a1
    xor     t2, t5, t2
    xor     s9, t2, t0
    xor     t0, s2, t0
    xor     t6, s9, s2
    or      t0, s9, t0
    lw      t5, 8(sp)
    xor     t0, t0, t2
    lw      t2, 616(a0)
    xor     s9, s8, t5
    sw      s7, 64(sp)
    xor     t2, t1, t2
    xor     t1, t2, t0
    xor     t0, s9, t0
    xor     s8, t1, s9
    or      t1, t1, t0
    xor     t0, t1, t2
    lw      t2, 12(sp)
    lw      t1, 620(a0)
    xor     s7, a6, t2
    xor     t1, a1, t1
    xor     a6, t1, t0
    xor     t0, s7, t0
    xor     a1, a6, s7
    or      t0, a6, t0
    xor     t0, t0, t1
    lw      t1, 512(a0)
    xor     a6, a7, a1
    sw      a6, 24(sp)
    xor     t1, t6, t1
    or      a7, t1, a6
    xor     a7, a7, t1
    xor     t1, t1, a6
    lw      a6, 624(a0)
    sw      t1, 88(sp)
    lw      t1, 16(sp)
    sw      t6, 92(sp)
    xor     t6, s5, t1
    xor     s5, t5, a6
    xor     a6, s5, t0
    xor     t0, t6, t0
    xor     t5, a6, t6
    or      t0, a6, t0
    lw      a6, 516(a0)
    xor     t0, t0, s5
    xor     s5, s10, t5
    xor     s10, s8, a6
    xor     a6, s10, a7
    xor     a7, s5, a7
    sw      s5, 8(sp)
    xor     s5, a6, s5
    or      a6, a6, a7
    xor     a7, a6, s10
    lw      a6, 20(sp)
    lw      s10, 628(a0)
    sw      s5, 96(sp)
    xor     s5, a5, a6
    xor     t2, t2, s10
    xor     a5, t2, t0
    xor     t0, s5, t0
    xor     s10, a5, s5
    or      t0, a5, t0
    xor     t2, t0, t2
    lw      t0, 520(a0)
    xor     a5, s0, s10
    sw      s8, 100(sp)
    xor     t0, a1, t0
    xor     s0, t0, a7
    xor     a1, a5, a7
    xor     a7, s0, a5
    or      s0, s0, a1
    xor     t0, s0, t0
    lw      a1, 632(a0)
    sw      a7, 12(sp)
    lw      a7, 76(sp)
    lw      s0, 4(sp)
    xor     t1, t1, a1
    xor     s8, s0, a7
    xor     s0, t1, t2
    xor     t2, s8, t2
    xor     a7, s0, s8
    or      t2, s0, t2
    xor     t1, t2, t1
    lw      t2, 524(a0)
    xor     a1, s4, a7
    xor     t2, t5, t2
    xor     s0, t2, t0
    xor     t0, a1, t0
    xor     s4, s0, a1
    or      t0, s0, t0
    lw      t5, 0(sp)
    xor     t2, t0, t2
    lw      t0, 636(a0)
    xor     s0, t5, a4
    xor     t0, a6, t0
    xor     t0, t0, t1
    xor     t1, t0, s0
    lw      t0, 528(a0)
    xor     t5, s1, t1
    lw      s1, 72(sp)
    xor     t0, s10, t0
    xor     a4, t0, t2
    xor     t2, t5, t2
    xor     a6, a4, t5
    or      t2, a4, t2
    xor     t2, t2, t0
    lw      t0, 532(a0)
    xor     ra, ra, s1
    xor     t0, a7, t0
    xor     s10, t0, t2
    xor     t2, ra, t2
    xor     a4, s10, ra
    or      t2, s10, t2
    lw      a7, 84(sp)
    xor     t2, t2, t0
    lw      t0, 536(a0)
    xor     s10, a2, a7
    xor     t1, t1, t0
    xor     t0, t1, t2
    xor     t2, s10, t2
    xor     a2, t0, s10
    or      t0, t0, t2
    xor     t2, t0, t1
    lw      t0, 540(a0)
    xor     t1, s2, s3
    xor     t0, s1, t0
    xor     s2, t0, t2
    xor     t2, t1, t2
    xor     s1, s2, t1
    or      t2, s2, t2
    xor     t2, t2, t0
    lw      t0, 544(a0)
    xor     s2, s9, s6
    xor     t0, a7, t0
    xor     s9, t0, t2
    xor     t2, s2, t2
    xor     a7, s9, s2
    or      t2, s9, t2
    xor     t2, t2, t0
    lw      t0, 548(a0)
    xor     s9, s7, t4
    xor     t0, s3, t0
    xor     s7, t0, t2
    xor     t2, s9, t2
    xor     s3, s7, s9
    or      t2, s7, t2
    xor     t2, t2, t0
    lw      t0, 552(a0)
    xor     s7, t6, s11
    xor     t0, s6, t0
    xor     t6, t0, t2
    xor     t2, s7, t2
    xor     s6, t6, s7
    or      t2, t6, t2
    xor     t2, t2, t0
    lw      t0, 556(a0)
    xor     t6, s5, a3
    xor     t0, t4, t0
    xor     s5, t0, t2
    xor     t2, t6, t2
    xor     t4, s5, t6
    or      t2, s5, t2
    xor     t2, t2, t0
    lw      t0, 448(a0)
    xor     s5, a5, t4
    sw      s5, 0(sp)
    xor     t0, s3, t0
    or      a5, t0, s5
    xor     a5, a5, t0
    xor     t0, t0, s5
    lw      s5, 560(a0)
    xor     s8, s8, t3
    sw      t0, 4(sp)
    xor     s5, s11, s5
    xor     s11, s5, t2
    xor     t2, s8, t2
    xor     t0, s11, s8
    or      t2, s11, t2
    lw      s11, 452(a0)
    xor     t2, t2, s5
    xor     s5, a1, t0
    xor     a1, s6, s11
    xor     s11, a1, a5
    xor     a5, s5, a5
    sw      s5, 16(sp)
    xor     s5, s11, s5
    or      s11, s11, a5
    xor     a5, s11, a1
    lw      a1, 64(sp)
    lw      s11, 564(a0)
    sw      s5, 20(sp)
    xor     s5, s0, a1
    xor     s0, a3, s11
    xor     s11, s0, t2
    xor     t2, s5, t2
    xor     a3, s11, s5
    or      t2, s11, t2
    lw      s11, 456(a0)
    xor     t2, t2, s0
    xor     s0, t5, a3
    xor     t5, t4, s11
    xor     t4, t5, a5
    xor     s11, s0, a5
    xor     a5, t4, s0
    or      t4, t4, s11
    xor     s11, t4, t5
    lw      t4, 568(a0)
    sw      a5, 72(sp)
    lw      a5, 92(sp)
    lw      t5, 68(sp)
    sw      s6, 76(sp)
    xor     s6, t5, a5
    xor     t5, t3, t4
    xor     a5, t5, t2
    xor     t2, s6, t2
    xor     t4, a5, s6
    or      t2, a5, t2
    lw      t3, 460(a0)
    xor     t2, t2, t5
    xor     ra, ra, t4
    xor     t0, t0, t3
    xor     a5, t0, s11
    xor     t5, ra, s11
    xor     t3, a5, ra
    or      s11, a5, t5
    xor     t0, s11, t0
    lw      a5, 572(a0)
    lw      s11, 100(sp)
    lw      t5, 80(sp)
    sw      t3, 68(sp)
    xor     t3, t5, s11
    xor     t5, a1, a5
    xor     t2, t5, t2
    lw      s11, 464(a0)
    xor     t2, t2, t3
    xor     a5, s10, t2
    xor     a1, a3, s11
    xor     t5, a1, t0
    xor     t0, a5, t0
    xor     s10, t5, a5
    or      t0, t5, t0
    lw      s11, 88(sp)
    xor     t0, t0, a1
    lw      a3, 468(a0)
    xor     t1, t1, s11
    xor     t5, t4, a3
    xor     a1, t5, t0
    xor     t0, t1, t0
    xor     t4, a1, t1
    or      t0, a1, t0
    lw      a1, 96(sp)
    xor     t0, t0, t5
    lw      a3, 472(a0)
    xor     t5, s2, a1
    xor     t2, t2, a3
    xor     s2, t2, t0
    xor     t0, t5, t0
    xor     a3, s2, t5
    or      t0, s2, t0
    xor     t2, t0, t2
    lw      s2, 12(sp)
    lw      t0, 476(a0)
    sw      a3, 64(sp)
    xor     a3, s9, s2
    xor     t0, s11, t0
    xor     s9, t0, t2
    xor     t2, a3, t2
    xor     s11, s9, a3
    or      t2, s9, t2
    xor     t0, t2, t0
    lw      t2, 480(a0)
    xor     s9, s7, s4
    xor     t2, a1, t2
    xor     s7, t2, t0
    xor     t0, s9, t0
    xor     a1, s7, s9
    or      t0, s7, t0
    xor     t2, t0, t2
    lw      t0, 484(a0)
    xor     s7, t6, a6
    xor     t0, s2, t0
    xor     t6, t0, t2
    xor     t2, s7, t2
    xor     s2, t6, s7
    or      t2, t6, t2
    xor     t0, t2, t0
    lw      t2, 488(a0)
    xor     t6, s8, a4
    xor     t2, s4, t2
    xor     s8, t2, t0
    xor     t0, t6, t0
    xor     s4, s8, t6
    or      t0, s8, t0
    xor     t2, t0, t2
    lw      t0, 492(a0)
    xor     s8, s5, a2
    xor     t0, a6, t0
    xor     s5, t0, t2
    xor     t2, s8, t2
    xor     a6, s5, s8
    or      t2, s5, t2
    xor     t0, t2, t0
    lw      t2, 384(a0)
    xor     s5, s0, a6
    sw      s5, 12(sp)
    xor     t2, s2, t2
    or      s0, t2, s5
    xor     s0, s0, t2
    xor     t2, t2, s5
    lw      s5, 496(a0)
    xor     s6, s6, s1
    sw      t2, 80(sp)
    xor     a4, a4, s5
    xor     s5, a4, t0
    xor     t0, s6, t0
    xor     t2, s5, s6
    or      t0, s5, t0
    lw      s5, 388(a0)
    xor     t0, t0, a4
    xor     ra, ra, t2
    xor     a4, s4, s5
    xor     s5, a4, s0
    xor     s0, ra, s0
    sw      ra, 84(sp)
    xor     ra, s5, ra
    or      s5, s5, s0
    xor     s0, s5, a4
    lw      a4, 500(a0)
    xor     s5, t3, a7
    xor     t3, a2, a4
    xor     a2, t3, t0
    xor     t0, s5, t0
    xor     a4, a2, s5
    or      t0, a2, t0
    lw      a2, 392(a0)
    xor     t0, t0, t3
    xor     t3, a5, a4
    xor     a5, a6, a2
    xor     a6, a5, s0
    xor     a2, t3, s0
    xor     s0, a6, t3
    or      a6, a6, a2
    xor     a2, a6, a5
    lw      a6, 24(sp)
    lw      a5, 504(a0)
    sw      s0, 88(sp)
    xor     s0, a6, s3
    xor     s3, s1, a5
    xor     a6, s3, t0
    xor     t0, s0, t0
    xor     s1, a6, s0
    or      t0, a6, t0
    lw      a5, 396(a0)
    xor     t0, t0, s3
    xor     t1, t1, s1
    xor     t2, t2, a5
    xor     a6, t2, a2
    xor     s3, t1, a2
    xor     a5, a6, t1
    or      a2, a6, s3
    xor     t2, a2, t2
    lw      a6, 508(a0)
    lw      a2, 76(sp)
    lw      s3, 8(sp)
    sw      a5, 24(sp)
    xor     a5, s3, a2
    xor     s3, a7, a6
    xor     t0, s3, t0
    lw      a2, 400(a0)
    xor     t0, t0, a5
    xor     a7, t5, t0
    xor     a6, a4, a2
    xor     s3, a6, t2
    xor     t2, a7, t2
    xor     t5, s3, a7
    or      t2, s3, t2
    lw      a4, 4(sp)
    xor     t2, t2, a6
    lw      a2, 404(a0)
    xor     s3, a3, a4
    xor     a6, s1, a2
    xor     a3, a6, t2
    xor     t2, s3, t2
    xor     a2, a3, s3
    or      t2, a3, t2
    lw      a3, 20(sp)
    xor     t2, t2, a6
    lw      s1, 408(a0)
    xor     a6, s9, a3
    xor     t0, t0, s1
    xor     s9, t0, t2
    xor     t2, a6, t2
    xor     s1, s9, a6
    or      t2, s9, t2
    xor     t2, t2, t0
    lw      s9, 72(sp)
    lw      t0, 412(a0)
    sw      s1, 8(sp)
    xor     s1, s7, s9
    xor     t0, a4, t0
    xor     s7, t0, t2
    xor     t2, s1, t2
    xor     a4, s7, s1
    or      t2, s7, t2
    xor     t2, t2, t0
    lw      s7, 68(sp)
    lw      t0, 416(a0)
    sw      a4, 4(sp)
    xor     a4, t6, s7
    xor     t0, a3, t0
    xor     t6, t0, t2
    xor     t2, a4, t2
    xor     a3, t6, a4
    or      t2, t6, t2
    xor     t2, t2, t0
    lw      t0, 420(a0)
    xor     t6, s8, s10
    xor     t0, s9, t0
    xor     s8, t0, t2
    xor     t2, t6, t2
    xor     s9, s8, t6
    or      t2, s8, t2
    xor     t2, t2, t0
    lw      t0, 424(a0)
    xor     s8, s6, t4
    sw      a3, 20(sp)
    xor     t0, s7, t0
    xor     s6, t0, t2
    xor     t2, s8, t2
    xor     s7, s6, s8
    or      t2, s6, t2
    xor     t2, t2, t0
    lw      s6, 64(sp)
    lw      t0, 428(a0)
    xor     a3, s5, s6
    xor     t0, s10, t0
    xor     s5, t0, t2
    xor     t2, a3, t2
    xor     s10, s5, a3
    or      t2, s5, t2
    xor     t2, t2, t0
    lw      t0, 320(a0)
    xor     s5, t3, s10
    sw      s5, 68(sp)
    xor     t0, s9, t0
    or      t3, t0, s5
    xor     t3, t3, t0
    xor     t0, t0, s5
    lw      s5, 432(a0)
    xor     s0, s0, s11
    sw      t0, 72(sp)
    xor     s5, t4, s5
    xor     t4, s5, t2
    xor     t2, s0, t2
    xor     t0, t4, s0
    or      t2, t4, t2
    lw      t4, 324(a0)
    xor     t2, t2, s5
    xor     t1, t1, t0
    xor     s5, s7, t4
    xor     t4, s5, t3
    xor     t3, t1, t3
    sw      t1, 76(sp)
    xor     t1, t4, t1
    or      t4, t4, t3
    xor     t3, t4, s5
    lw      s5, 436(a0)
    xor     t4, a5, a1
    xor     a5, s6, s5
    xor     s5, a5, t2
    xor     t2, t4, t2
    xor     s6, s5, t4
    or      t2, s5, t2
    lw      s5, 328(a0)
    xor     t2, t2, a5
    xor     a5, a7, s6
    xor     a7, s10, s5
    xor     s10, a7, t3
    xor     s5, a5, t3
    xor     t3, s10, a5
    or      s10, s10, s5
    xor     s5, s10, a7
    lw      s10, 0(sp)
    lw      a7, 440(a0)
    sw      t3, 64(sp)
    xor     t3, s10, s2
    xor     s2, s11, a7
    xor     s10, s2, t2
    xor     t2, t3, t2
    xor     a7, s10, t3
    or      t2, s10, t2
    lw      s11, 332(a0)
    xor     t2, t2, s2
    xor     s10, s3, a7
    xor     t0, t0, s11
    xor     s2, t0, s5
    xor     s3, s10, s5
    xor     s11, s2, s10
    or      s5, s2, s3
    lw      s3, 16(sp)
    xor     t0, s5, t0
    lw      s2, 444(a0)
    xor     s5, s3, s4
    lw      s4, 336(a0)
    xor     s3, a1, s2
    xor     t2, s3, t2
    xor     t2, t2, s5
    xor     s2, a6, t2
    xor     a1, s6, s4
    xor     s3, a1, t0
    xor     t0, s2, t0
    xor     a6, s3, s2
    or      t0, s3, t0
    lw      s6, 80(sp)
    xor     t0, t0, a1
    lw      s4, 340(a0)
    xor     s3, s1, s6
    xor     a1, a7, s4
    xor     s1, a1, t0
    xor     t0, s3, t0
    xor     s4, s1, s3
    or      t0, s1, t0
    lw      a7, 344(a0)
    xor     t0, t0, a1
    xor     s1, a4, ra
    xor     t2, t2, a7
    xor     a1, t2, t0
    xor     t0, s1, t0
    xor     a4, a1, s1
    or      t0, a1, t0
    lw      a7, 88(sp)
    xor     t2, t0, t2
    lw      t0, 348(a0)
    xor     a1, t6, a7
    xor     t0, s6, t0
    xor     t6, t0, t2
    xor     t2, a1, t2
    xor     s6, t6, a1
    or      t2, t6, t2
    xor     t0, t2, t0
    lw      t6, 24(sp)
    lw      t2, 352(a0)
    sw      s6, 0(sp)
    xor     s6, s8, t6
    xor     ra, ra, t2
    xor     t2, ra, t0
    xor     t0, s6, t0
    xor     s8, t2, s6
    or      t2, t2, t0
    xor     t0, t2, ra
    lw      ra, 356(a0)
    xor     t2, a3, t5
    xor     ra, a7, ra
    xor     a3, ra, t0
    xor     t0, t2, t0
    xor     a7, a3, t2
    or      t0, a3, t0
    xor     ra, t0, ra
    lw      t0, 360(a0)
    xor     a3, s0, a2
    sw      s8, 16(sp)
    xor     t0, t6, t0
    xor     s0, t0, ra
    xor     ra, a3, ra
    xor     t6, s0, a3
    or      ra, s0, ra
    xor     t0, ra, t0
    lw      s0, 8(sp)
    lw      ra, 364(a0)
    xor     s8, t4, s0
    xor     ra, t5, ra
    xor     t4, ra, t0
    xor     t0, s8, t0
    xor     t5, t4, s8
    or      t0, t4, t0
    xor     ra, t0, ra
    lw      t0, 256(a0)
    xor     t4, a5, t5
    sw      t4, 24(sp)
    xor     t0, a7, t0
    or      a5, t0, t4
    xor     a5, a5, t0
    xor     t0, t0, t4
    lw      t4, 368(a0)
    sw      t0, 80(sp)
    lw      t0, 4(sp)
    sw      a7, 88(sp)
    xor     a7, t3, t0
    xor     t3, a2, t4
    xor     a2, t3, ra
    xor     ra, a7, ra
    xor     t4, a2, a7
    or      ra, a2, ra
    lw      a2, 260(a0)
    xor     ra, ra, t3
    xor     t3, s10, t4
    xor     s10, t6, a2
    xor     a2, s10, a5
    xor     a5, t3, a5
    sw      t3, 92(sp)
    xor     t3, a2, t3
    or      a5, a2, a5
    xor     a2, a5, s10
    lw      s10, 20(sp)
    lw      a5, 372(a0)
    sw      t3, 96(sp)
    xor     t3, s5, s10
    xor     s5, s0, a5
    xor     s0, s5, ra
    xor     ra, t3, ra
    xor     a5, s0, t3
    or      ra, s0, ra
    lw      s0, 264(a0)
    xor     ra, ra, s5
    xor     s5, s2, a5
    xor     s2, t5, s0
    xor     t5, s2, a2
    xor     s0, s5, a2
    xor     a2, t5, s5
    or      s0, t5, s0
    xor     t5, s0, s2
    lw      s2, 12(sp)
    lw      s0, 376(a0)
    sw      a2, 8(sp)
    xor     a2, s2, s9
    xor     t0, t0, s0
    xor     s9, t0, ra
    xor     ra, a2, ra
    xor     s2, s9, a2
    or      ra, s9, ra
    xor     ra, ra, t0
    lw      t0, 268(a0)
    xor     s0, s3, s2
    xor     s3, s0, t5
    xor     t0, t4, t0
    xor     s9, t0, t5
    xor     t4, s9, s0
    or      t5, s9, s3
    lw      s9, 84(sp)
    xor     t0, t5, t0
    lw      s3, 380(a0)
    xor     t5, s9, s7
    lw      s9, 272(a0)
    xor     s7, s10, s3
    xor     ra, s7, ra
    xor     ra, ra, t5
    xor     s10, s1, ra
    xor     s3, a5, s9
    xor     s7, s3, t0
    xor     t0, s10, t0
    xor     s1, s7, s10
    or      t0, s7, t0
    lw      s9, 72(sp)
    xor     t0, t0, s3
    lw      a5, 276(a0)
    xor     s7, a1, s9
    xor     s3, s2, a5
    xor     a1, s3, t0
    xor     t0, s7, t0
    xor     s2, a1, s7
    or      t0, a1, t0
    lw      a5, 280(a0)
    xor     t0, t0, s3
    xor     a1, s6, t1
    xor     ra, ra, a5
    xor     s3, ra, t0
    xor     t0, a1, t0
    xor     s6, s3, a1
    or      t0, s3, t0
    lw      a5, 64(sp)
    xor     ra, t0, ra
    lw      t0, 284(a0)
    xor     t2, t2, a5
    xor     t0, s9, t0
    xor     s3, t0, ra
    xor     ra, t2, ra
    xor     s9, s3, t2
    or      ra, s3, ra
    xor     t0, ra, t0
    lw      ra, 288(a0)
    xor     s3, a3, s11
    xor     ra, t1, ra
    xor     t1, ra, t0
    xor     t0, s3, t0
    xor     a3, t1, s3
    or      t1, t1, t0
    xor     t0, t1, ra
    lw      ra, 292(a0)
    xor     t1, s8, a6
    xor     ra, a5, ra
    xor     s8, ra, t0
    xor     t0, t1, t0
    xor     a5, s8, t1
    or      t0, s8, t0
    xor     ra, t0, ra
    lw      t0, 296(a0)
    xor     s8, a7, s4
    xor     t0, s11, t0
    xor     a7, t0, ra
    xor     ra, s8, ra
    xor     s11, a7, s8
    or      ra, a7, ra
    xor     t0, ra, t0
    lw      ra, 300(a0)
    xor     a7, t3, a4
    xor     ra, a6, ra
    xor     t3, ra, t0
    xor     t0, a7, t0
    xor     a6, t3, a7
    or      t0, t3, t0
    xor     ra, t0, ra
    lw      t0, 192(a0)
    xor     t3, s5, a6
    sw      t3, 4(sp)
    xor     t0, a5, t0
    or      s5, t0, t3
    xor     s5, s5, t0
    xor     t0, t0, t3
    lw      t3, 304(a0)
    sw      t0, 12(sp)
    lw      t0, 0(sp)
    sw      a5, 20(sp)
    xor     a5, a2, t0
    xor     a2, s4, t3
    xor     s4, a2, ra
    xor     ra, a5, ra
    xor     t3, s4, a5
    or      ra, s4, ra
    lw      s4, 196(a0)
    xor     ra, ra, a2
    xor     a2, s0, t3
    xor     s0, s11, s4
    xor     s4, s0, s5
    xor     s5, a2, s5
    sw      a2, 64(sp)
    xor     a2, s4, a2
    or      s4, s4, s5
    xor     s5, s4, s0
    lw      s4, 16(sp)
    lw      s0, 308(a0)
    sw      a2, 72(sp)
    xor     a2, t5, s4
    xor     t5, a4, s0
    xor     a4, t5, ra
    xor     ra, a2, ra
    xor     s0, a4, a2
    or      ra, a4, ra
    lw      a4, 200(a0)
    xor     ra, ra, t5
    xor     t5, s10, s0
    xor     s10, a6, a4
    xor     a6, s10, s5
    xor     a4, t5, s5
    xor     s5, a6, t5
    or      a6, a6, a4
    xor     a4, a6, s10
    lw      s10, 312(a0)
    sw      s5, 84(sp)
    lw      s5, 88(sp)
    lw      a6, 68(sp)
    sw      s11, 100(sp)
    xor     t0, t0, s10
    xor     s11, a6, s5
    xor     s5, t0, ra
    xor     ra, s11, ra
    xor     a6, s5, s11
    or      ra, s5, ra
    xor     t0, ra, t0
    lw      ra, 204(a0)
    xor     s10, s7, a6
    xor     s7, s10, a4
    xor     ra, t3, ra
    xor     s5, ra, a4
    xor     t3, s5, s10
    or      a4, s5, s7
    lw      s7, 76(sp)
    xor     ra, a4, ra
    lw      s5, 316(a0)
    xor     a4, s7, t6
    lw      t6, 208(a0)
    xor     s7, s4, s5
    xor     t0, s7, t0
    xor     t0, t0, a4
    xor     s4, a1, t0
    xor     s5, s0, t6
    xor     s7, s5, ra
    xor     ra, s4, ra
    xor     a1, s7, s4
    or      ra, s7, ra
    lw      s0, 80(sp)
    xor     ra, ra, s5
    lw      t6, 212(a0)
    xor     t2, t2, s0
    xor     s7, a6, t6
    xor     s5, s7, ra
    xor     ra, t2, ra
    xor     t6, s5, t2
    or      ra, s5, ra
    lw      s5, 96(sp)
    xor     ra, ra, s7
    lw      a6, 216(a0)
    xor     s7, s3, s5
    xor     t0, t0, a6
    xor     s3, t0, ra
    xor     ra, s7, ra
    xor     a6, s3, s7
    or      ra, s3, ra
    xor     ra, ra, t0
    lw      s3, 8(sp)
    lw      t0, 220(a0)
    sw      a6, 0(sp)
    xor     t1, t1, s3
    xor     t0, s0, t0
    xor     a6, t0, ra
    xor     ra, t1, ra
    xor     s0, a6, t1
    or      ra, a6, ra
    xor     ra, ra, t0
    lw      t0, 224(a0)
    xor     a6, s8, t4
    xor     t0, s5, t0
    xor     s8, t0, ra
    xor     ra, a6, ra
    xor     s5, s8, a6
    or      ra, s8, ra
    xor     ra, ra, t0
    lw      t0, 228(a0)
    xor     s8, a7, s1
    xor     t0, s3, t0
    xor     a7, t0, ra
    xor     ra, s8, ra
    xor     s3, a7, s8
    or      ra, a7, ra
    xor     ra, ra, t0
    lw      t0, 232(a0)
    xor     a7, a5, s2
    xor     t0, t4, t0
    xor     a5, t0, ra
    xor     ra, a7, ra
    xor     t4, a5, a7
    or      ra, a5, ra
    xor     ra, ra, t0
    lw      t0, 236(a0)
    xor     a5, a2, s6
    xor     t0, s1, t0
    xor     a2, t0, ra
    xor     ra, a5, ra
    xor     s1, a2, a5
    or      ra, a2, ra
    xor     ra, ra, t0
    lw      t0, 128(a0)
    xor     a2, t5, s1
    sw      a2, 8(sp)
    xor     t0, s3, t0
    or      t5, t0, a2
    xor     t5, t5, t0
    xor     t0, t0, a2
    lw      a2, 240(a0)
    xor     s11, s11, s9
    sw      t0, 16(sp)
    xor     a2, s2, a2
    xor     s2, a2, ra
    xor     ra, s11, ra
    xor     t0, s2, s11
    or      ra, s2, ra
    lw      s2, 132(a0)
    xor     ra, ra, a2
    xor     a2, s10, t0
    xor     s10, t4, s2
    xor     s2, s10, t5
    xor     t5, a2, t5
    sw      a2, 68(sp)
    xor     a2, s2, a2
    or      s2, s2, t5
    xor     t5, s2, s10
    lw      s2, 244(a0)
    xor     s10, a4, a3
    xor     a4, s6, s2
    xor     s2, a4, ra
    xor     ra, s10, ra
    xor     s6, s2, s10
    or      ra, s2, ra
    lw      s2, 136(a0)
    xor     ra, ra, a4
    xor     a4, s4, s6
    xor     s4, s1, s2
    xor     s1, s4, t5
    xor     s2, a4, t5
    xor     t5, s1, a4
    or      s1, s1, s2
    xor     s2, s1, s4
    lw      s1, 248(a0)
    sw      t5, 76(sp)
    lw      t5, 20(sp)
    lw      s4, 24(sp)
    sw      a2, 80(sp)
    xor     a2, s4, t5
    xor     t5, s9, s1
    xor     s4, t5, ra
    xor     ra, a2, ra
    xor     s1, s4, a2
    or      ra, s4, ra
    lw      s9, 140(a0)
    xor     ra, ra, t5
    xor     t2, t2, s1
    xor     t0, t0, s9
    xor     s4, t0, s2
    xor     t5, t2, s2
    xor     s9, s4, t2
    or      s2, s4, t5
    xor     t0, s2, t0
    lw      s4, 252(a0)
    lw      s2, 100(sp)
    lw      t5, 92(sp)
    sw      s9, 20(sp)
    xor     s9, t5, s2
    xor     t5, a3, s4
    xor     ra, t5, ra
    lw      s2, 144(a0)
    xor     ra, ra, s9
    xor     s4, s7, ra
    xor     a3, s6, s2
    xor     t5, a3, t0
    xor     t0, s4, t0
    xor     s7, t5, s4
    or      t0, t5, t0
    lw      s6, 12(sp)
    xor     t0, t0, a3
    lw      s2, 148(a0)
    xor     t1, t1, s6
    xor     t5, s1, s2
    xor     a3, t5, t0
    xor     t0, t1, t0
    xor     s2, a3, t1
    or      t0, a3, t0
    lw      a3, 72(sp)
    xor     t0, t0, t5
    lw      s1, 152(a0)
    xor     t5, a6, a3
    xor     ra, ra, s1
    xor     a6, ra, t0
    xor     t0, t5, t0
    xor     s1, a6, t5
    or      t0, a6, t0
    xor     ra, t0, ra
    lw      a6, 84(sp)
    lw      t0, 156(a0)
    sw      s1, 24(sp)
    xor     s1, s8, a6
    xor     t0, s6, t0
    xor     s8, t0, ra
    xor     ra, s1, ra
    xor     s6, s8, s1
    or      ra, s8, ra
    xor     t0, ra, t0
    lw      ra, 160(a0)
    xor     s8, a7, t3
    xor     ra, a3, ra
    xor     a7, ra, t0
    xor     t0, s8, t0
    xor     a3, a7, s8
    or      t0, a7, t0
    xor     ra, t0, ra
    lw      t0, 164(a0)
    xor     a7, a5, a1
    xor     t0, a6, t0
    xor     a5, t0, ra
    xor     ra, a7, ra
    xor     a6, a5, a7
    or      ra, a5, ra
    xor     t0, ra, t0
    lw      ra, 168(a0)
    xor     a5, s11, t6
    sw      a3, 12(sp)
    xor     ra, t3, ra
    xor     s11, ra, t0
    xor     t0, a5, t0
    xor     t3, s11, a5
    or      t0, s11, t0
    xor     ra, t0, ra
    lw      s11, 0(sp)
    lw      t0, 172(a0)
    xor     a3, s10, s11
    xor     t0, a1, t0
    xor     s10, t0, ra
    xor     ra, a3, ra
    xor     a1, s10, a3
    or      ra, s10, ra
    xor     t0, ra, t0
    lw      ra, 64(a0)
    xor     s10, a4, a1
    sw      s10, 72(sp)
    xor     ra, a6, ra
    or      a4, ra, s10
    xor     a4, a4, ra
    xor     ra, ra, s10
    lw      s10, 176(a0)
    xor     a2, a2, s0
    sw      ra, 84(sp)
    xor     t6, t6, s10
    xor     s10, t6, t0
    xor     t0, a2, t0
    xor     ra, s10, a2
    or      t0, s10, t0
    lw      s10, 68(a0)
    xor     t0, t0, t6
    xor     t2, t2, ra
    xor     t6, t3, s10
    xor     s10, t6, a4
    xor     a4, t2, a4
    sw      t2, 88(sp)
    xor     t2, s10, t2
    or      s10, s10, a4
    xor     a4, s10, t6
    lw      s10, 180(a0)
    xor     t6, s9, s5
    xor     s9, s11, s10
    xor     s11, s9, t0
    xor     t0, t6, t0
    xor     s10, s11, t6
    or      t0, s11, t0
    lw      s11, 72(a0)
    xor     t0, t0, s9
    xor     s9, s4, s10
    xor     s4, a1, s11
    xor     a1, s4, a4
    xor     s11, s9, a4
    xor     a4, a1, s9
    or      a1, a1, s11
    xor     s11, a1, s4
    lw      s4, 4(sp)
    lw      a1, 184(a0)
    sw      a4, 0(sp)
    xor     a4, s4, s3
    xor     s3, s0, a1
    xor     s4, s3, t0
    xor     t0, a4, t0
    xor     s0, s4, a4
    or      t0, s4, t0
    lw      a1, 76(a0)
    xor     t0, t0, s3
    xor     t1, t1, s0
    xor     ra, ra, a1
    xor     s4, ra, s11
    xor     s3, t1, s11
    xor     a1, s4, t1
    or      s11, s4, s3
    lw      s3, 64(sp)
    xor     ra, s11, ra
    lw      s4, 188(a0)
    xor     s11, s3, t4
    lw      t4, 80(a0)
    xor     s3, s5, s4
    xor     t0, s3, t0
    xor     t0, t0, s11
    xor     s5, t5, t0
    xor     s4, s10, t4
    xor     s3, s4, ra
    xor     ra, s5, ra
    xor     t5, s3, s5
    or      ra, s3, ra
    lw      t4, 16(sp)
    xor     ra, ra, s4
    lw      s10, 84(a0)
    xor     s3, s1, t4
    xor     s4, s0, s10
    xor     s1, s4, ra
    xor     ra, s3, ra
    xor     s0, s1, s3
    or      ra, s1, ra
    lw      s1, 80(sp)
    xor     ra, ra, s4
    lw      s10, 88(a0)
    xor     s4, s8, s1
    xor     t0, t0, s10
    xor     s8, t0, ra
    xor     ra, s4, ra
    xor     s10, s8, s4
    or      ra, s8, ra
    xor     ra, ra, t0
    lw      s8, 76(sp)
    lw      t0, 92(a0)
    sw      s10, 4(sp)
    xor     s10, a7, s8
    xor     t0, t4, t0
    xor     a7, t0, ra
    xor     ra, s10, ra
    xor     t4, a7, s10
    or      ra, a7, ra
    xor     ra, ra, t0
    lw      a7, 20(sp)
    lw      t0, 96(a0)
    sw      t4, 16(sp)
    xor     t4, a5, a7
    xor     t0, s1, t0
    xor     a5, t0, ra
    xor     ra, t4, ra
    xor     s1, a5, t4
    or      ra, a5, ra
    xor     ra, ra, t0
    lw      t0, 100(a0)
    xor     a5, a3, s7
    xor     t0, s8, t0
    xor     a3, t0, ra
    xor     ra, a5, ra
    xor     s8, a3, a5
    or      ra, a3, ra
    xor     ra, ra, t0
    lw      t0, 104(a0)
    xor     a3, a2, s2
    sw      s1, 20(sp)
    xor     t0, a7, t0
    xor     a2, t0, ra
    xor     ra, a3, ra
    xor     a7, a2, a3
    or      ra, a2, ra
    xor     ra, ra, t0
    lw      a2, 24(sp)
    lw      t0, 108(a0)
    xor     s1, t6, a2
    xor     t0, s7, t0
    xor     t6, t0, ra
    xor     ra, s1, ra
    xor     s7, t6, s1
    or      ra, t6, ra
    xor     ra, ra, t0
    lw      t0, 0(a0)
    xor     t6, s9, s7
    sw      t6, 64(sp)
    xor     t0, s8, t0
    or      s9, t0, t6
    xor     s9, s9, t0
    xor     t0, t0, t6
    lw      t6, 112(a0)
    xor     a4, a4, s6
    sw      t0, 28(sp)
    xor     t6, s2, t6
    xor     s2, t6, ra
    xor     ra, a4, ra
    xor     t0, s2, a4
    or      ra, s2, ra
    lw      s2, 4(a0)
    xor     ra, ra, t6
    xor     t1, t1, t0
    xor     t6, a7, s2
    xor     s2, t6, s9
    xor     s9, t1, s9
    sw      t1, 76(sp)
    xor     t1, s2, t1
    or      s2, s2, s9
    xor     s9, s2, t6
    lw      t6, 116(a0)
    sw      t1, 32(sp)
    lw      t1, 12(sp)
    xor     s2, s11, t1
    xor     s11, a2, t6
    xor     t6, s11, ra
    xor     ra, s2, ra
    xor     a2, t6, s2
    or      ra, t6, ra
    lw      t6, 8(a0)
    xor     ra, ra, s11
    xor     s11, s5, a2
    xor     s5, s7, t6
    xor     t6, s5, s9
    xor     s7, s11, s9
    xor     s9, t6, s11
    or      t6, t6, s7
    xor     s7, t6, s5
    lw      t6, 8(sp)
    lw      s5, 120(a0)
    sw      s11, 24(sp)
    xor     s11, t6, a6
    xor     a6, s6, s5
    xor     t6, a6, ra
    xor     ra, s11, ra
    xor     s5, t6, s11
    or      ra, t6, ra
    lw      s6, 12(a0)
    xor     ra, ra, a6
    xor     s3, s3, s5
    xor     t0, t0, s6
    xor     t6, t0, s7
    xor     a6, s3, s7
    xor     s6, t6, s3
    or      s7, t6, a6
    lw      a6, 68(sp)
    xor     t0, s7, t0
    lw      t6, 124(a0)
    xor     s7, a6, t3
    xor     t1, t1, t6
    xor     t1, t1, ra
    xor     ra, t1, s7
    lw      t1, 16(a0)
    xor     s4, s4, ra
    lw      t6, 84(sp)
    xor     t1, a2, t1
    xor     a6, t1, t0
    xor     t0, s4, t0
    xor     t3, a6, s4
    or      t0, a6, t0
    xor     t0, t0, t1
    lw      t1, 20(a0)
    xor     a2, s10, t6
    xor     t1, s5, t1
    xor     a6, t1, t0
    xor     t0, a2, t0
    xor     s10, a6, a2
    or      t0, a6, t0
    xor     t0, t0, t1
    lw      t1, 24(a0)
    xor     s5, t4, t2
    xor     ra, ra, t1
    xor     t1, ra, t0
    xor     t0, s5, t0
    xor     a6, t1, s5
    or      t1, t1, t0
    xor     t0, t1, ra
    lw      ra, 0(sp)
    lw      t1, 28(a0)
    xor     t4, a5, ra
    xor     t1, t6, t1
    xor     a5, t1, t0
    xor     t0, t4, t0
    xor     t6, a5, t4
    or      t0, a5, t0
    xor     t0, t0, t1
    lw      t1, 32(a0)
    xor     a5, a3, a1
    xor     t2, t2, t1
    xor     t1, t2, t0
    xor     t0, a5, t0
    xor     a3, t1, a5
    or      t1, t1, t0
    xor     t0, t1, t2
    lw      t1, 36(a0)
    xor     t2, s1, t5
    xor     ra, ra, t1
    xor     t1, ra, t0
    xor     t0, t2, t0
    xor     s1, t1, t2
    or      t1, t1, t0
    xor     t0, t1, ra
    lw      t1, 40(a0)
    xor     ra, a4, s0
    sw      s9, 36(sp)
    xor     t1, a1, t1
    xor     a4, t1, t0
    xor     t0, ra, t0
    xor     a1, a4, ra
    or      t0, a4, t0
    xor     t0, t0, t1
    lw      a4, 4(sp)
    lw      t1, 44(a0)
    xor     s9, s2, a4
    sw      s3, 0(sp)
    xor     t1, t5, t1
    xor     s2, t1, t0
    xor     t0, s9, t0
    xor     t5, s2, s9
    or      t0, s2, t0
    xor     t0, t0, t1
    lw      s2, 16(sp)
    lw      t1, 48(a0)
    xor     s3, s11, s2
    sw      s6, 40(sp)
    xor     t1, s0, t1
    xor     s11, t1, t0
    xor     t0, s3, t0
    xor     s0, s11, s3
    or      t0, s11, t0
    xor     t0, t0, t1
    lw      s11, 20(sp)
    lw      t1, 52(a0)
    xor     s6, s7, s11
    sw      s4, 4(sp)
    xor     t1, a4, t1
    xor     s7, t1, t0
    xor     t0, s6, t0
    xor     a4, s7, s6
    or      t0, s7, t0
    xor     t0, t0, t1
    lw      s7, 72(sp)
    lw      t1, 56(a0)
    xor     s4, s7, s8
    sw      t3, 44(sp)
    xor     t1, s2, t1
    xor     s7, t1, t0
    xor     t0, s4, t0
    xor     s8, s7, s4
    or      t0, s7, t0
    lw      s2, 88(sp)
    xor     t0, t0, t1
    lw      t1, 60(a0)
    xor     a7, s2, a7
    sw      s10, 48(sp)
    xor     t1, s11, t1
    xor     t0, t1, t0
    xor     t1, t0, a7
    sw      a6, 52(sp)
    sw      t6, 56(sp)
    sw      a3, 60(sp)
    mv      t3, s1
    mv      t6, s0
    mv      a3, t1
    lw      s0, 64(sp)
    lw      s1, 76(sp)
    lw      s2, 24(sp)
    mv      s7, t4
    mv      t4, a1
    mv      a1, a4
    mv      s10, ra
    mv      s11, s9
    mv      s9, t2
    mv      a4, s3
    lw      s3, 0(sp)
    mv      a6, s4
    lw      s4, 4(sp)
    mv      t0, s8
    mv      s8, a5
    mv      a5, s6
    mv      s6, s5
    mv      s5, a2
    mv      a2, t0
    lw      ra, 128(sp)
    addi    a0, a0, -704
    beq     a0, ra, 2f
    j       1b
2:
    lw      ra, 132(sp)
    ret
    .size   speck32_rv32i_x32_decrypt_rounds, . - speck32_rv32i_x32_decrypt_rounds

// SPECK-32/64, 32 blocks per group: ciphertext = E_k(plaintext).
// void hanji_speck32_64_rv32i_encrypt_x32(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: speck32_64.encrypt
     isa: rv32i
     blocks: 32
     align: 4
     layout: pairs_slices
     args: { a0: {buffer: out, bytes: 128 * groups, access: w}, a1: {buffer: in, bytes: 128 * groups, access: r},
             a2: {value: groups}, a3: {buffer: keys, bytes: 1496, access: r} }
     aliasing: out == in allowed
     stack: 192
     secrets: in, keys
*/
    .section .text.hanji_speck32_64_rv32i_encrypt_x32, "ax", @progbits
    .balign 4
    .globl  hanji_speck32_64_rv32i_encrypt_x32
    .hidden hanji_speck32_64_rv32i_encrypt_x32
    .type   hanji_speck32_64_rv32i_encrypt_x32, @function
hanji_speck32_64_rv32i_encrypt_x32:
    enter
    sw      a0, 104(sp)
    sw      a1, 108(sp)
    sw      a2, 112(sp)
    sw      a3, 116(sp)
1:
    lw      t2, 108(sp)
    gather  s0, s1, 2
    gather  s2, s3, 10
    gather  s4, s5, 18
    gather  s6, s7, 26
    gather  s8, s9, 34
    gather  s10, s11, 42
    gather  a4, a5, 50
    gather  a6, a7, 58
    jal     speck32_rv32i_x32_transpose
    sw      s0, 0(sp)
    sw      s1, 4(sp)
    sw      s2, 8(sp)
    sw      s3, 12(sp)
    sw      s4, 16(sp)
    sw      s5, 20(sp)
    sw      s6, 24(sp)
    mv      t3, s7
    mv      t4, s8
    mv      t5, s9
    mv      t6, s10
    mv      a1, s11
    mv      a2, a4
    mv      a3, a5
    sw      a6, 56(sp)
    sw      a7, 60(sp)
    gather  s0, s1, 0
    gather  s2, s3, 8
    gather  s4, s5, 16
    gather  s6, s7, 24
    gather  s8, s9, 32
    gather  s10, s11, 40
    gather  a4, a5, 48
    gather  a6, a7, 56
    jal     speck32_rv32i_x32_transpose
    lw      a0, 116(sp)
    addi    t0, a0, 1496
    addi    a0, a0, 88
    sw      t0, 128(sp)
    jal     speck32_rv32i_x32_encrypt_rounds
    jal     speck32_rv32i_x32_transpose
    lw      t2, 104(sp)
    scatter s0, 0
    scatter s1, 4
    scatter s2, 8
    scatter s3, 12
    scatter s4, 16
    scatter s5, 20
    scatter s6, 24
    scatter s7, 28
    scatter s8, 32
    scatter s9, 36
    scatter s10, 40
    scatter s11, 44
    scatter a4, 48
    scatter a5, 52
    scatter a6, 56
    scatter a7, 60
    lw      s0, 0(sp)
    lw      s1, 4(sp)
    lw      s2, 8(sp)
    lw      s3, 12(sp)
    lw      s4, 16(sp)
    lw      s5, 20(sp)
    lw      s6, 24(sp)
    mv      s7, t3
    mv      s8, t4
    mv      s9, t5
    mv      s10, t6
    mv      s11, a1
    mv      a4, a2
    mv      a5, a3
    lw      a6, 56(sp)
    lw      a7, 60(sp)
    jal     speck32_rv32i_x32_transpose
    scatter s0, 2
    scatter s1, 6
    scatter s2, 10
    scatter s3, 14
    scatter s4, 18
    scatter s5, 22
    scatter s6, 26
    scatter s7, 30
    scatter s8, 34
    scatter s9, 38
    scatter s10, 42
    scatter s11, 46
    scatter a4, 50
    scatter a5, 54
    scatter a6, 58
    scatter a7, 62
    lw      t1, 108(sp)
    lw      t0, 112(sp)
    addi    t2, t2, 128
    addi    t1, t1, 128
    addi    t0, t0, -1
    sw      t2, 104(sp)
    sw      t1, 108(sp)
    sw      t0, 112(sp)
    beqz    t0, 2f
    j       1b
2:
    leave
    .size   hanji_speck32_64_rv32i_encrypt_x32, . - hanji_speck32_64_rv32i_encrypt_x32

// SPECK-32/64, 32 blocks per group: plaintext = D_k(ciphertext).
// void hanji_speck32_64_rv32i_decrypt_x32(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: speck32_64.decrypt
     isa: rv32i
     blocks: 32
     align: 4
     layout: pairs_slices
     args: { a0: {buffer: out, bytes: 128 * groups, access: w}, a1: {buffer: in, bytes: 128 * groups, access: r},
             a2: {value: groups}, a3: {buffer: keys, bytes: 1496, access: r} }
     aliasing: out == in allowed
     stack: 192
     secrets: in, keys
*/
    .section .text.hanji_speck32_64_rv32i_decrypt_x32, "ax", @progbits
    .balign 4
    .globl  hanji_speck32_64_rv32i_decrypt_x32
    .hidden hanji_speck32_64_rv32i_decrypt_x32
    .type   hanji_speck32_64_rv32i_decrypt_x32, @function
hanji_speck32_64_rv32i_decrypt_x32:
    enter
    sw      a0, 104(sp)
    sw      a1, 108(sp)
    sw      a2, 112(sp)
    sw      a3, 116(sp)
1:
    lw      t2, 108(sp)
    gather  s0, s1, 2
    gather  s2, s3, 10
    gather  s4, s5, 18
    gather  s6, s7, 26
    gather  s8, s9, 34
    gather  s10, s11, 42
    gather  a4, a5, 50
    gather  a6, a7, 58
    jal     speck32_rv32i_x32_transpose
    mv      t3, s0
    mv      t4, s1
    mv      t5, s2
    mv      t6, s3
    mv      a1, s4
    mv      a2, s5
    mv      a3, s6
    sw      s7, 28(sp)
    sw      s8, 32(sp)
    sw      s9, 36(sp)
    sw      s10, 40(sp)
    sw      s11, 44(sp)
    sw      a4, 48(sp)
    sw      a5, 52(sp)
    sw      a6, 56(sp)
    sw      a7, 60(sp)
    gather  s0, s1, 0
    gather  s2, s3, 8
    gather  s4, s5, 16
    gather  s6, s7, 24
    gather  s8, s9, 32
    gather  s10, s11, 40
    gather  a4, a5, 48
    gather  a6, a7, 56
    jal     speck32_rv32i_x32_transpose
    lw      a0, 116(sp)
    addi    t0, a0, -616
    addi    a0, a0, 792
    sw      t0, 128(sp)
    jal     speck32_rv32i_x32_decrypt_rounds
    jal     speck32_rv32i_x32_transpose
    lw      t2, 104(sp)
    scatter s0, 0
    scatter s1, 4
    scatter s2, 8
    scatter s3, 12
    scatter s4, 16
    scatter s5, 20
    scatter s6, 24
    scatter s7, 28
    scatter s8, 32
    scatter s9, 36
    scatter s10, 40
    scatter s11, 44
    scatter a4, 48
    scatter a5, 52
    scatter a6, 56
    scatter a7, 60
    mv      s0, t3
    mv      s1, t4
    mv      s2, t5
    mv      s3, t6
    mv      s4, a1
    mv      s5, a2
    mv      s6, a3
    lw      s7, 28(sp)
    lw      s8, 32(sp)
    lw      s9, 36(sp)
    lw      s10, 40(sp)
    lw      s11, 44(sp)
    lw      a4, 48(sp)
    lw      a5, 52(sp)
    lw      a6, 56(sp)
    lw      a7, 60(sp)
    jal     speck32_rv32i_x32_transpose
    scatter s0, 2
    scatter s1, 6
    scatter s2, 10
    scatter s3, 14
    scatter s4, 18
    scatter s5, 22
    scatter s6, 26
    scatter s7, 30
    scatter s8, 34
    scatter s9, 38
    scatter s10, 42
    scatter s11, 46
    scatter a4, 50
    scatter a5, 54
    scatter a6, 58
    scatter a7, 62
    lw      t1, 108(sp)
    lw      t0, 112(sp)
    addi    t2, t2, 128
    addi    t1, t1, 128
    addi    t0, t0, -1
    sw      t2, 104(sp)
    sw      t1, 108(sp)
    sw      t0, 112(sp)
    beqz    t0, 2f
    j       1b
2:
    leave
    .size   hanji_speck32_64_rv32i_decrypt_x32, . - hanji_speck32_64_rv32i_decrypt_x32

// SPECK-32/64, 32 blocks per group: out = in ^ E_k(counter + n).
// void hanji_speck32_64_rv32i_ctr_x32(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter, const void *keys);
/* kernel:
     spec: speck32_64.ctr
     isa: rv32i
     blocks: 32
     align: 4
     layout: pairs_slices
     args: { a0: {buffer: out, bytes: 128 * groups, access: w}, a1: {buffer: in, bytes: 128 * groups, access: r},
             a2: {value: groups}, a3: {buffer: counter, bytes: 4, access: rw}, a4: {buffer: keys, bytes: 1496, access: r} }
     aliasing: out == in allowed
     stack: 192
     secrets: in, counter, keys
*/
    .section .text.hanji_speck32_64_rv32i_ctr_x32, "ax", @progbits
    .balign 4
    .globl  hanji_speck32_64_rv32i_ctr_x32
    .hidden hanji_speck32_64_rv32i_ctr_x32
    .type   hanji_speck32_64_rv32i_ctr_x32, @function
hanji_speck32_64_rv32i_ctr_x32:
    enter
    sw      a0, 104(sp)
    sw      a1, 108(sp)
    sw      a2, 112(sp)
    sw      a3, 120(sp)
    sw      a4, 116(sp)
    lbu     t0, 0(a3)
    lbu     t1, 1(a3)
    slli    t0, t0, 8
    or      t0, t0, t1
    lbu     t1, 2(a3)
    slli    t0, t0, 8
    or      t0, t0, t1
    lbu     t1, 3(a3)
    slli    t0, t0, 8
    or      t0, t0, t1
    sw      t0, 124(sp)
1:
    lw      t0, 124(sp)
    slli    t2, t0, 31
    srai    t2, t2, 31
    li      ra, 0xaaaaaaaa
    xor     t4, t2, ra
    and     t1, t2, ra
    slli    t2, t0, 30
    srai    t2, t2, 31
    li      ra, 0xcccccccc
    xor     a0, t2, ra
    and     t2, t2, ra
    and     ra, a0, t1
    xor     t5, a0, t1
    or      t1, t2, ra
    slli    t2, t0, 29
    srai    t2, t2, 31
    li      ra, 0xf0f0f0f0
    xor     a0, t2, ra
    and     t2, t2, ra
    and     ra, a0, t1
    xor     t6, a0, t1
    or      t1, t2, ra
    slli    t2, t0, 28
    srai    t2, t2, 31
    li      ra, 0xff00ff00
    xor     a0, t2, ra
    and     t2, t2, ra
    and     ra, a0, t1
    xor     a1, a0, t1
    or      t1, t2, ra
    slli    t2, t0, 27
    srai    t2, t2, 31
    li      ra, 0xffff0000
    xor     a0, t2, ra
    and     t2, t2, ra
    and     ra, a0, t1
    xor     a2, a0, t1
    or      t1, t2, ra
    slli    t2, t0, 26
    srai    t2, t2, 31
    xor     a3, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 25
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 56(sp)
    slli    t2, t0, 24
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 60(sp)
    slli    t2, t0, 23
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 0(sp)
    slli    t2, t0, 22
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 4(sp)
    slli    t2, t0, 21
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 8(sp)
    slli    t2, t0, 20
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 12(sp)
    slli    t2, t0, 19
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 16(sp)
    slli    t2, t0, 18
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 20(sp)
    slli    t2, t0, 17
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 24(sp)
    slli    t2, t0, 16
    srai    t2, t2, 31
    xor     t3, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 15
    srai    t2, t2, 31
    xor     s8, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 14
    srai    t2, t2, 31
    xor     s9, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 13
    srai    t2, t2, 31
    xor     s10, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 12
    srai    t2, t2, 31
    xor     s11, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 11
    srai    t2, t2, 31
    xor     a4, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 10
    srai    t2, t2, 31
    xor     a5, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 9
    srai    t2, t2, 31
    xor     a6, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 8
    srai    t2, t2, 31
    xor     a7, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 7
    srai    t2, t2, 31
    xor     s0, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 6
    srai    t2, t2, 31
    xor     s1, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 5
    srai    t2, t2, 31
    xor     s2, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 4
    srai    t2, t2, 31
    xor     s3, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 3
    srai    t2, t2, 31
    xor     s4, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 2
    srai    t2, t2, 31
    xor     s5, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 1
    srai    t2, t2, 31
    xor     s6, t2, t1
    and     t1, t2, t1
    srai    t2, t0, 31
    xor     s7, t2, t1
    lw      t0, 124(sp)
    addi    t1, t0, 32
    sw      t1, 124(sp)
    lw      a0, 116(sp)
    addi    t0, a0, 1496
    addi    a0, a0, 88
    sw      t0, 128(sp)
    jal     speck32_rv32i_x32_encrypt_rounds
    jal     speck32_rv32i_x32_transpose
    lw      t2, 104(sp)
    lw      a0, 108(sp)
    scatter_added s0, 0
    scatter_added s1, 4
    scatter_added s2, 8
    scatter_added s3, 12
    scatter_added s4, 16
    scatter_added s5, 20
    scatter_added s6, 24
    scatter_added s7, 28
    scatter_added s8, 32
    scatter_added s9, 36
    scatter_added s10, 40
    scatter_added s11, 44
    scatter_added a4, 48
    scatter_added a5, 52
    scatter_added a6, 56
    scatter_added a7, 60
    lw      s0, 0(sp)
    lw      s1, 4(sp)
    lw      s2, 8(sp)
    lw      s3, 12(sp)
    lw      s4, 16(sp)
    lw      s5, 20(sp)
    lw      s6, 24(sp)
    mv      s7, t3
    mv      s8, t4
    mv      s9, t5
    mv      s10, t6
    mv      s11, a1
    mv      a4, a2
    mv      a5, a3
    lw      a6, 56(sp)
    lw      a7, 60(sp)
    jal     speck32_rv32i_x32_transpose
    scatter_added s0, 2
    scatter_added s1, 6
    scatter_added s2, 10
    scatter_added s3, 14
    scatter_added s4, 18
    scatter_added s5, 22
    scatter_added s6, 26
    scatter_added s7, 30
    scatter_added s8, 34
    scatter_added s9, 38
    scatter_added s10, 42
    scatter_added s11, 46
    scatter_added a4, 50
    scatter_added a5, 54
    scatter_added a6, 58
    scatter_added a7, 62
    lw      t1, 108(sp)
    lw      t0, 112(sp)
    addi    t2, t2, 128
    addi    t1, t1, 128
    addi    t0, t0, -1
    sw      t2, 104(sp)
    sw      t1, 108(sp)
    sw      t0, 112(sp)
    beqz    t0, 2f
    j       1b
2:
    lw      t2, 120(sp)
    lw      t0, 124(sp)
    sb      t0, 3(t2)
    srli    t0, t0, 8
    sb      t0, 2(t2)
    srli    t0, t0, 8
    sb      t0, 1(t2)
    srli    t0, t0, 8
    sb      t0, 0(t2)
    leave
    .size   hanji_speck32_64_rv32i_ctr_x32, . - hanji_speck32_64_rv32i_ctr_x32

#endif
