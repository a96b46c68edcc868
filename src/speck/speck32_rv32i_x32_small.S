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
    addi    sp, sp, -176
    sw      ra, 124(sp)
    sw      s0, 128(sp)
    sw      s1, 132(sp)
    sw      s2, 136(sp)
    sw      s3, 140(sp)
    sw      s4, 144(sp)
    sw      s5, 148(sp)
    sw      s6, 152(sp)
    sw      s7, 156(sp)
    sw      s8, 160(sp)
    sw      s9, 164(sp)
    sw      s10, 168(sp)
    sw      s11, 172(sp)
.endm

.macro leave
    lw      ra, 124(sp)
    lw      s0, 128(sp)
    lw      s1, 132(sp)
    lw      s2, 136(sp)
    lw      s3, 140(sp)
    lw      s4, 144(sp)
    lw      s5, 148(sp)
    lw      s6, 152(sp)
    lw      s7, 156(sp)
    lw      s8, 160(sp)
    lw      s9, 164(sp)
    lw      s10, 168(sp)
    lw      s11, 172(sp)
    addi    sp, sp, 176
    ret
.endm

// Bit i of word j becomes bit j of word i, in both halves. Uses t0, t1; returns to ra.
    .section .text.speck32_rv32i_x32_small_transpose, "ax", @progbits
    .balign 4
    .type   speck32_rv32i_x32_small_transpose, @function
speck32_rv32i_x32_small_transpose:
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
    .size   speck32_rv32i_x32_small_transpose, . - speck32_rv32i_x32_small_transpose

// The word of every block that t2 points to in the first.
    .section .text.speck32_rv32i_x32_small_gather, "ax", @progbits
    .balign 4
    .type   speck32_rv32i_x32_small_gather, @function
speck32_rv32i_x32_small_gather:
    gather  s0, s1, 0
    gather  s2, s3, 8
    gather  s4, s5, 16
    gather  s6, s7, 24
    gather  s8, s9, 32
    gather  s10, s11, 40
    gather  a4, a5, 48
    gather  a6, a7, 56
    ret
    .size   speck32_rv32i_x32_small_gather, . - speck32_rv32i_x32_small_gather

    .section .text.speck32_rv32i_x32_small_scatter, "ax", @progbits
    .balign 4
    .type   speck32_rv32i_x32_small_scatter, @function
speck32_rv32i_x32_small_scatter:
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
    ret
    .size   speck32_rv32i_x32_small_scatter, . - speck32_rv32i_x32_small_scatter

    .section .text.speck32_rv32i_x32_small_scatter_added, "ax", @progbits
    .balign 4
    .type   speck32_rv32i_x32_small_scatter_added, @function
speck32_rv32i_x32_small_scatter_added:
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
    ret
    .size   speck32_rv32i_x32_small_scatter_added, . - speck32_rv32i_x32_small_scatter_added

// The rounds to encrypt on slices at their places; a0 points to the masks of the first. Uses all registers but sp, gp, tp.
    .section .text.speck32_rv32i_x32_small_encrypt_rounds, "ax", @progbits
    .balign 4
    .type   speck32_rv32i_x32_small_encrypt_rounds, @function
speck32_rv32i_x32_small_encrypt_rounds:
    sw      ra, 108(sp)
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
    sw      ra, 64(sp)
    xor     ra, a3, s11
    and     a3, a3, s6
    xor     t0, a3, t0
    xor     ra, ra, s7
    xor     s6, s9, ra
    lw      a3, 80(a0)
    xor     ra, ra, s8
    xor     s7, s1, s8
    xor     s9, ra, s1
    and     ra, ra, s7
    xor     ra, ra, s8
    xor     s7, s9, a3
    lw      s9, 12(sp)
    xor     s8, t4, s7
    lw      a3, 48(a0)
    xor     t4, s9, t0
    xor     s9, a4, t0
    sw      t3, 12(sp)
    xor     t3, t4, a4
    and     t4, t4, s9
    xor     t0, t4, t0
    xor     s9, t3, a3
    xor     t4, s10, s9
    lw      a3, 84(a0)
    xor     t3, s9, ra
    xor     s10, s2, ra
    xor     s9, t3, s2
    and     t3, t3, s10
    xor     ra, t3, ra
    xor     s10, s9, a3
    lw      s9, 16(sp)
    xor     t3, s0, s10
    lw      a3, 52(a0)
    xor     s0, s9, t0
    xor     s9, a5, t0
    sw      t1, 68(sp)
    xor     t1, s0, a5
    and     s0, s0, s9
    xor     t0, s0, t0
    xor     t1, t1, a3
    xor     s9, s11, t1
    lw      s0, 88(a0)
    xor     t1, t1, ra
    xor     a3, s3, ra
    xor     s11, t1, s3
    and     t1, t1, a3
    xor     t1, t1, ra
    xor     ra, s11, s0
    lw      s11, 20(sp)
    xor     a3, s1, ra
    lw      s0, 56(a0)
    xor     s1, s11, t0
    xor     s11, a6, t0
    xor     a6, s1, a6
    and     s1, s1, s11
    xor     t0, s1, t0
    xor     s11, a6, s0
    xor     s1, a4, s11
    lw      s0, 92(a0)
    xor     a6, s11, t1
    xor     a4, a2, t1
    xor     s11, a6, a2
    and     a6, a6, a4
    xor     t1, a6, t1
    xor     a4, s11, s0
    xor     s0, s1, s4
    xor     a6, s2, a4
    lw      s2, 24(sp)
    lw      s11, 60(a0)
    sw      s4, 0(sp)
    xor     t0, s2, t0
    xor     t0, t0, a7
    xor     t0, t0, s11
    xor     s4, a5, t0
    lw      s2, 96(a0)
    xor     t0, t0, t1
    xor     a7, t6, t1
    xor     s11, t0, t6
    and     t0, t0, a7
    xor     t0, t0, t1
    xor     t1, s11, s2
    xor     a5, s4, t5
    lw      s2, 28(sp)
    xor     a7, s3, t1
    lw      s11, 100(a0)
    xor     s3, s2, t0
    xor     s2, a1, t0
    sw      t5, 4(sp)
    xor     t5, s3, a1
    and     s3, s3, s2
    xor     t0, s3, t0
    xor     t5, t5, s11
    lw      s11, 32(sp)
    xor     s2, a2, t5
    lw      s3, 104(a0)
    xor     a2, s11, t0
    xor     s11, s5, t0
    sw      s7, 16(sp)
    xor     s7, a2, s5
    and     a2, a2, s11
    xor     t0, a2, t0
    xor     s11, s7, s3
    xor     a2, t6, s11
    lw      s3, 108(a0)
    xor     t2, t2, t0
    xor     s7, s6, t0
    xor     t6, t2, s6
    and     t2, t2, s7
    xor     t2, t2, t0
    xor     t0, t6, s3
    lw      t6, 48(sp)
    xor     s7, a1, t0
    lw      s3, 112(a0)
    xor     a1, t6, t2
    xor     t6, t4, t2
    sw      s8, 28(sp)
    xor     s8, a1, t4
    and     a1, a1, t6
    xor     t2, a1, t2
    xor     t6, s8, s3
    lw      s8, 44(sp)
    xor     a1, s5, t6
    lw      s3, 116(a0)
    xor     s5, s8, t2
    xor     s8, s9, t2
    sw      s10, 20(sp)
    xor     s10, s5, s9
    and     s5, s5, s8
    xor     t2, s5, t2
    xor     s8, s10, s3
    lw      s10, 40(sp)
    xor     s5, s6, s8
    lw      s3, 120(a0)
    xor     s6, s10, t2
    xor     s10, s1, t2
    xor     s1, s6, s1
    and     s6, s6, s10
    xor     t2, s6, t2
    xor     s10, s1, s3
    lw      s1, 36(sp)
    xor     s6, t4, s10
    lw      s3, 124(a0)
    xor     t2, s1, t2
    xor     t2, t2, s4
    lw      s1, 52(sp)
    xor     t2, t2, s3
    xor     t4, s9, t2
    sw      s1, 8(sp)
    sw      ra, 24(sp)
    sw      s10, 56(sp)
    sw      t2, 60(sp)
    mv      s1, a5
    lw      s3, 68(sp)
    lw      s4, 28(sp)
    mv      s9, s2
    lw      s2, 64(sp)
    mv      s10, a2
    mv      a2, t6
    mv      t6, s11
    mv      s11, s7
    mv      s7, a6
    mv      a5, s5
    mv      s5, t3
    mv      t3, a4
    mv      a4, a1
    mv      a1, t0
    mv      a6, s6
    mv      s6, a3
    mv      a3, s8
    mv      s8, a7
    mv      a7, t4
    mv      t4, t1
    lw      ra, 104(sp)
    addi    a0, a0, 128
    beq     a0, ra, 2f
    j       1b
2:
    lw      ra, 108(sp)
    ret
    .size   speck32_rv32i_x32_small_encrypt_rounds, . - speck32_rv32i_x32_small_encrypt_rounds

// The rounds to decrypt on slices at their places; a0 points to the masks of the first. Uses all registers but sp, gp, tp.
    .section .text.speck32_rv32i_x32_small_decrypt_rounds, "ax", @progbits
    .balign 4
    .type   speck32_rv32i_x32_small_decrypt_rounds, @function
speck32_rv32i_x32_small_decrypt_rounds:
    sw      ra, 108(sp)
1:
    lw      ra, 64(a0)
    xor     t0, s2, t5
    xor     s2, s3, t6
    xor     t1, t3, ra
    or      t2, t1, t0
    xor     ra, t2, t1
    xor     t2, t1, t0
    lw      t1, 68(a0)
    sw      s2, 0(sp)
    xor     t1, t4, t1
    xor     s3, t1, ra
    xor     ra, s2, ra
    xor     s2, s3, s2
    or      ra, s3, ra
    xor     t1, ra, t1
    lw      ra, 72(a0)
    xor     s3, s4, a1
    xor     ra, t5, ra
    xor     s4, ra, t1
    xor     t1, s3, t1
    xor     t5, s4, s3
    or      t1, s4, t1
    xor     ra, t1, ra
    lw      t1, 76(a0)
    xor     s4, s5, a2
    xor     t1, t6, t1
    xor     s5, t1, ra
    xor     ra, s4, ra
    xor     t6, s5, s4
    or      ra, s5, ra
    xor     t1, ra, t1
    lw      ra, 80(a0)
    xor     s5, s6, a3
    sw      t0, 4(sp)
    xor     ra, a1, ra
    xor     s6, ra, t1
    xor     t1, s5, t1
    xor     a1, s6, s5
    or      t1, s6, t1
    xor     ra, t1, ra
    lw      t1, 84(a0)
    lw      t0, 28(sp)
    xor     t1, a2, t1
    xor     s6, s7, t0
    xor     s7, t1, ra
    xor     ra, s6, ra
    xor     a2, s7, s6
    or      ra, s7, ra
    xor     t1, ra, t1
    lw      s7, 32(sp)
    lw      ra, 88(a0)
    sw      a2, 8(sp)
    xor     a2, s8, s7
    xor     ra, a3, ra
    xor     s8, ra, t1
    xor     t1, a2, t1
    xor     a3, s8, a2
    or      t1, s8, t1
    xor     ra, t1, ra
    lw      s8, 36(sp)
    lw      t1, 92(a0)
    sw      a3, 12(sp)
    xor     a3, s9, s8
    xor     t0, t0, t1
    xor     t1, t0, ra
    xor     ra, a3, ra
    xor     s9, t1, a3
    or      t1, t1, ra
    xor     ra, t1, t0
    lw      t1, 40(sp)
    lw      t0, 96(a0)
    sw      s9, 16(sp)
    xor     s9, s10, t1
    xor     t0, s7, t0
    xor     s10, t0, ra
    xor     ra, s9, ra
    xor     s7, s10, s9
    or      ra, s10, ra
    xor     t0, ra, t0
    lw      s10, 44(sp)
    lw      ra, 100(a0)
    sw      s7, 20(sp)
    xor     s7, s11, s10
    xor     ra, s8, ra
    xor     s11, ra, t0
    xor     t0, s7, t0
    xor     s8, s11, s7
    or      t0, s11, t0
    xor     ra, t0, ra
    lw      s11, 48(sp)
    lw      t0, 104(a0)
    sw      a1, 24(sp)
    xor     a1, a4, s11
    xor     t1, t1, t0
    xor     t0, t1, ra
    xor     ra, a1, ra
    xor     a4, t0, a1
    or      t0, t0, ra
    xor     ra, t0, t1
    lw      t0, 52(sp)
    lw      t1, 108(a0)
    sw      t6, 64(sp)
    xor     t6, a5, t0
    xor     t1, s10, t1
    xor     a5, t1, ra
    xor     ra, t6, ra
    xor     s10, a5, t6
    or      ra, a5, ra
    xor     t1, ra, t1
    lw      ra, 0(a0)
    xor     a5, s3, s10
    sw      a5, 68(sp)
    xor     ra, s8, ra
    or      s3, ra, a5
    xor     s3, s3, ra
    xor     ra, ra, a5
    lw      a5, 112(a0)
    sw      ra, 28(sp)
    lw      ra, 56(sp)
    sw      s8, 72(sp)
    xor     s8, a6, ra
    xor     a6, s11, a5
    xor     s11, a6, t1
    xor     t1, s8, t1
    xor     a5, s11, s8
    or      t1, s11, t1
    lw      s11, 4(a0)
    xor     t1, t1, a6
    xor     a6, s4, a5
    xor     s4, a4, s11
    xor     s11, s4, s3
    xor     s3, a6, s3
    sw      a6, 76(sp)
    xor     a6, s11, a6
    or      s11, s11, s3
    xor     s3, s11, s4
    lw      s4, 60(sp)
    lw      s11, 116(a0)
    sw      a6, 32(sp)
    xor     a6, a7, s4
    xor     t0, t0, s11
    xor     a7, t0, t1
    xor     t1, a6, t1
    xor     s11, a7, a6
    or      t1, a7, t1
    xor     t1, t1, t0
    lw      t0, 8(a0)
    xor     a7, s5, s11
    xor     t0, s10, t0
    xor     s5, t0, s3
    xor     s10, a7, s3
    xor     s3, s5, a7
    or      s5, s5, s10
    lw      s10, 120(a0)
    xor     t0, s5, t0
    xor     s5, s0, t3
    xor     ra, ra, s10
    xor     s0, ra, t1
    xor     t1, s5, t1
    xor     t3, s0, s5
    or      t1, s0, t1
    xor     t1, t1, ra
    lw      ra, 12(a0)
    xor     s10, s6, t3
    xor     ra, a5, ra
    xor     s0, ra, t0
    xor     t0, s10, t0
    xor     s6, s0, s10
    or      t0, s0, t0
    xor     t0, t0, ra
    lw      ra, 124(a0)
    xor     a5, s1, t4
    xor     t4, a3, t2
    xor     ra, s4, ra
    xor     t1, ra, t1
    xor     ra, t1, a5
    lw      t1, 16(a0)
    xor     s4, a2, ra
    xor     t1, s11, t1
    xor     s0, t1, t0
    xor     t0, s4, t0
    xor     s1, s0, s4
    or      t0, s0, t0
    xor     t0, t0, t1
    lw      t1, 20(a0)
    xor     s0, s9, s2
    xor     t1, t3, t1
    xor     a2, t1, t0
    xor     t0, t4, t0
    xor     s11, a2, t4
    or      t0, a2, t0
    xor     t0, t0, t1
    lw      t1, 24(a0)
    xor     s7, s7, t5
    xor     ra, ra, t1
    xor     t1, ra, t0
    xor     t0, s0, t0
    xor     a3, t1, s0
    or      t1, t1, t0
    xor     t0, t1, ra
    lw      t1, 28(a0)
    xor     ra, t2, t1
    xor     t1, ra, t0
    xor     t2, s7, t0
    xor     t0, t1, s7
    or      t1, t1, t2
    xor     t2, t1, ra
    lw      ra, 64(sp)
    lw      t1, 32(a0)
    xor     t3, a1, ra
    lw      a1, 24(sp)
    xor     t1, s2, t1
    xor     a2, t1, t2
    xor     t2, t3, t2
    xor     s9, a2, t3
    or      t2, a2, t2
    xor     t2, t2, t1
    lw      t1, 36(a0)
    xor     s2, t6, a1
    xor     t1, t5, t1
    xor     a2, t1, t2
    xor     t2, s2, t2
    xor     t6, a2, s2
    or      t2, a2, t2
    lw      t5, 8(sp)
    xor     t2, t2, t1
    lw      t1, 40(a0)
    xor     a2, s8, t5
    sw      a7, 64(sp)
    xor     t1, ra, t1
    xor     ra, t1, t2
    xor     t2, a2, t2
    xor     s8, ra, a2
    or      ra, ra, t2
    xor     t2, ra, t1
    lw      t1, 12(sp)
    lw      ra, 44(a0)
    xor     a7, a6, t1
    sw      s3, 36(sp)
    xor     ra, a1, ra
    xor     a6, ra, t2
    xor     t2, a7, t2
    xor     a1, a6, a7
    or      t2, a6, t2
    xor     t2, t2, ra
    lw      a6, 16(sp)
    lw      ra, 48(a0)
    xor     s3, s5, a6
    sw      s10, 8(sp)
    xor     ra, t5, ra
    xor     s5, ra, t2
    xor     t2, s3, t2
    xor     t5, s5, s3
    or      t2, s5, t2
    xor     t2, t2, ra
    lw      s5, 20(sp)
    lw      ra, 52(a0)
    xor     a5, a5, s5
    sw      s6, 40(sp)
    xor     ra, t1, ra
    xor     t1, ra, t2
    xor     t2, a5, t2
    xor     s10, t1, a5
    or      t1, t1, t2
    xor     t2, t1, ra
    lw      t1, 56(a0)
    lw      s6, 72(sp)
    lw      ra, 4(sp)
    sw      s4, 12(sp)
    xor     t1, a6, t1
    xor     ra, ra, s6
    xor     s4, t1, t2
    xor     t2, ra, t2
    xor     s6, s4, ra
    or      t2, s4, t2
    lw      a6, 0(sp)
    xor     t2, t2, t1
    lw      t1, 60(a0)
    xor     s4, a6, a4
    sw      s1, 44(sp)
    xor     t1, s5, t1
    xor     t2, t1, t2
    xor     t1, t2, s4
    sw      s11, 48(sp)
    sw      a3, 52(sp)
    sw      t0, 56(sp)
    sw      s9, 60(sp)
    mv      a3, t1
    lw      s1, 76(sp)
    mv      s5, t4
    mv      t4, s8
    mv      s8, t3
    mv      t3, t6
    mv      t6, t5
    mv      t5, a1
    mv      a1, s10
    mv      s9, s2
    lw      s2, 64(sp)
    mv      s10, a2
    mv      a2, s6
    mv      s6, s0
    lw      s0, 68(sp)
    mv      s11, a7
    mv      a4, s3
    lw      s3, 8(sp)
    mv      a6, ra
    mv      a7, s4
    lw      s4, 12(sp)
    lw      ra, 104(sp)
    addi    a0, a0, -128
    beq     a0, ra, 2f
    j       1b
2:
    lw      ra, 108(sp)
    ret
    .size   speck32_rv32i_x32_small_decrypt_rounds, . - speck32_rv32i_x32_small_decrypt_rounds

// SPECK-32/64, 32 blocks per group: ciphertext = E_k(plaintext).
// void hanji_speck32_64_rv32i_encrypt_x32_small(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: speck32_64.encrypt
     isa: rv32i
     blocks: 32
     align: 4
     layout: pairs_slices
     args: { a0: {buffer: out, bytes: 128 * groups, access: w}, a1: {buffer: in, bytes: 128 * groups, access: r},
             a2: {value: groups}, a3: {buffer: keys, bytes: 1496, access: r} }
     aliasing: out == in allowed
     stack: 176
     secrets: in, keys
*/
    .section .text.hanji_speck32_64_rv32i_encrypt_x32_small, "ax", @progbits
    .balign 4
    .globl  hanji_speck32_64_rv32i_encrypt_x32_small
    .hidden hanji_speck32_64_rv32i_encrypt_x32_small
    .type   hanji_speck32_64_rv32i_encrypt_x32_small, @function
hanji_speck32_64_rv32i_encrypt_x32_small:
    enter
    sw      a0, 80(sp)
    sw      a1, 84(sp)
    sw      a2, 88(sp)
    sw      a3, 92(sp)
1:
    lw      t2, 84(sp)
    addi    t2, t2, 2
    jal     speck32_rv32i_x32_small_gather
    jal     speck32_rv32i_x32_small_transpose
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
    lw      t2, 84(sp)
    addi    t2, t2, 0
    jal     speck32_rv32i_x32_small_gather
    jal     speck32_rv32i_x32_small_transpose
    lw      a0, 92(sp)
    addi    t0, a0, 1496
    addi    a0, a0, 88
    sw      t0, 104(sp)
    jal     speck32_rv32i_x32_small_encrypt_rounds
    jal     speck32_rv32i_x32_small_transpose
    lw      t2, 80(sp)
    addi    t2, t2, 0
    jal     speck32_rv32i_x32_small_scatter
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
    jal     speck32_rv32i_x32_small_transpose
    lw      t2, 80(sp)
    addi    t2, t2, 2
    jal     speck32_rv32i_x32_small_scatter
    lw      t2, 80(sp)
    lw      t1, 84(sp)
    lw      t0, 88(sp)
    addi    t2, t2, 128
    addi    t1, t1, 128
    addi    t0, t0, -1
    sw      t2, 80(sp)
    sw      t1, 84(sp)
    sw      t0, 88(sp)
    beqz    t0, 2f
    j       1b
2:
    leave
    .size   hanji_speck32_64_rv32i_encrypt_x32_small, . - hanji_speck32_64_rv32i_encrypt_x32_small

// SPECK-32/64, 32 blocks per group: plaintext = D_k(ciphertext).
// void hanji_speck32_64_rv32i_decrypt_x32_small(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: speck32_64.decrypt
     isa: rv32i
     blocks: 32
     align: 4
     layout: pairs_slices
     args: { a0: {buffer: out, bytes: 128 * groups, access: w}, a1: {buffer: in, bytes: 128 * groups, access: r},
             a2: {value: groups}, a3: {buffer: keys, bytes: 1496, access: r} }
     aliasing: out == in allowed
     stack: 176
     secrets: in, keys
*/
    .section .text.hanji_speck32_64_rv32i_decrypt_x32_small, "ax", @progbits
    .balign 4
    .globl  hanji_speck32_64_rv32i_decrypt_x32_small
    .hidden hanji_speck32_64_rv32i_decrypt_x32_small
    .type   hanji_speck32_64_rv32i_decrypt_x32_small, @function
hanji_speck32_64_rv32i_decrypt_x32_small:
    enter
    sw      a0, 80(sp)
    sw      a1, 84(sp)
    sw      a2, 88(sp)
    sw      a3, 92(sp)
1:
    lw      t2, 84(sp)
    addi    t2, t2, 2
    jal     speck32_rv32i_x32_small_gather
    jal     speck32_rv32i_x32_small_transpose
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
    lw      t2, 84(sp)
    addi    t2, t2, 0
    jal     speck32_rv32i_x32_small_gather
    jal     speck32_rv32i_x32_small_transpose
    lw      a0, 92(sp)
    addi    t0, a0, -40
    addi    a0, a0, 1368
    sw      t0, 104(sp)
    jal     speck32_rv32i_x32_small_decrypt_rounds
    jal     speck32_rv32i_x32_small_transpose
    lw      t2, 80(sp)
    addi    t2, t2, 0
    jal     speck32_rv32i_x32_small_scatter
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
    jal     speck32_rv32i_x32_small_transpose
    lw      t2, 80(sp)
    addi    t2, t2, 2
    jal     speck32_rv32i_x32_small_scatter
    lw      t2, 80(sp)
    lw      t1, 84(sp)
    lw      t0, 88(sp)
    addi    t2, t2, 128
    addi    t1, t1, 128
    addi    t0, t0, -1
    sw      t2, 80(sp)
    sw      t1, 84(sp)
    sw      t0, 88(sp)
    beqz    t0, 2f
    j       1b
2:
    leave
    .size   hanji_speck32_64_rv32i_decrypt_x32_small, . - hanji_speck32_64_rv32i_decrypt_x32_small

// SPECK-32/64, 32 blocks per group: out = in ^ E_k(counter + n).
// void hanji_speck32_64_rv32i_ctr_x32_small(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter, const void *keys);
/* kernel:
     spec: speck32_64.ctr
     isa: rv32i
     blocks: 32
     align: 4
     layout: pairs_slices
     args: { a0: {buffer: out, bytes: 128 * groups, access: w}, a1: {buffer: in, bytes: 128 * groups, access: r},
             a2: {value: groups}, a3: {buffer: counter, bytes: 4, access: rw}, a4: {buffer: keys, bytes: 1496, access: r} }
     aliasing: out == in allowed
     stack: 176
     secrets: in, counter, keys
*/
    .section .text.hanji_speck32_64_rv32i_ctr_x32_small, "ax", @progbits
    .balign 4
    .globl  hanji_speck32_64_rv32i_ctr_x32_small
    .hidden hanji_speck32_64_rv32i_ctr_x32_small
    .type   hanji_speck32_64_rv32i_ctr_x32_small, @function
hanji_speck32_64_rv32i_ctr_x32_small:
    enter
    sw      a0, 80(sp)
    sw      a1, 84(sp)
    sw      a2, 88(sp)
    sw      a3, 96(sp)
    sw      a4, 92(sp)
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
    sw      t0, 100(sp)
1:
    lw      t0, 100(sp)
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
    lw      t0, 100(sp)
    addi    t1, t0, 32
    sw      t1, 100(sp)
    lw      a0, 92(sp)
    addi    t0, a0, 1496
    addi    a0, a0, 88
    sw      t0, 104(sp)
    jal     speck32_rv32i_x32_small_encrypt_rounds
    jal     speck32_rv32i_x32_small_transpose
    lw      t2, 80(sp)
    lw      a0, 84(sp)
    addi    t2, t2, 0
    addi    a0, a0, 0
    jal     speck32_rv32i_x32_small_scatter_added
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
    jal     speck32_rv32i_x32_small_transpose
    lw      t2, 80(sp)
    lw      a0, 84(sp)
    addi    t2, t2, 2
    addi    a0, a0, 2
    jal     speck32_rv32i_x32_small_scatter_added
    lw      t2, 80(sp)
    lw      t1, 84(sp)
    lw      t0, 88(sp)
    addi    t2, t2, 128
    addi    t1, t1, 128
    addi    t0, t0, -1
    sw      t2, 80(sp)
    sw      t1, 84(sp)
    sw      t0, 88(sp)
    beqz    t0, 2f
    j       1b
2:
    lw      t2, 96(sp)
    lw      t0, 100(sp)
    sb      t0, 3(t2)
    srli    t0, t0, 8
    sb      t0, 2(t2)
    srli    t0, t0, 8
    sb      t0, 1(t2)
    srli    t0, t0, 8
    sb      t0, 0(t2)
    leave
    .size   hanji_speck32_64_rv32i_ctr_x32_small, . - hanji_speck32_64_rv32i_ctr_x32_small

#endif
