// SPDX-License-Identifier: Apache-2.0
// CHAM-64/128 on RV32I, 32 blocks at a time, bit-sliced: a register holds one bit of all blocks, block n in bit n. Written by tools/rv32_kernels.py.
//
// The input is turned into slices by transposing squares of 16 by 16 bits; counter mode makes its counters as slices. A sum goes bit by bit: with
// u = a ^ c and v = b ^ c it is u ^ b, and the next carry (u & v) ^ c. Rotations only choose other registers. What has no register lies in the frame.
// Keys are in layout 2 of lanes/rv32.h: 64 bytes for other kernels, then one word per bit of a round key.
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
    lhu     t0, \at + 128(t2)
    lhu     t1, \at + 136(t2)
    lhu     \a, \at(t2)
    lhu     \b, \at + 8(t2)
    slli    t0, t0, 16
    slli    t1, t1, 16
    or      \a, \a, t0
    or      \b, \b, t1
.endm

// The way back. t2 is the output.
.macro scatter a, at
    sh      \a, \at(t2)
    srli    \a, \a, 16
    sh      \a, \at + 128(t2)
.endm

// The same with the input, at a0, added.
.macro scatter_added a, at
    lhu     t0, \at(a0)
    lhu     t1, \at + 128(a0)
    xor     t0, t0, \a
    srli    \a, \a, 16
    xor     t1, t1, \a
    sh      t0, \at(t2)
    sh      t1, \at + 128(t2)
.endm

.macro enter
    addi    sp, sp, -464
    sw      ra, 412(sp)
    sw      s0, 416(sp)
    sw      s1, 420(sp)
    sw      s2, 424(sp)
    sw      s3, 428(sp)
    sw      s4, 432(sp)
    sw      s5, 436(sp)
    sw      s6, 440(sp)
    sw      s7, 444(sp)
    sw      s8, 448(sp)
    sw      s9, 452(sp)
    sw      s10, 456(sp)
    sw      s11, 460(sp)
.endm

.macro leave
    lw      ra, 412(sp)
    lw      s0, 416(sp)
    lw      s1, 420(sp)
    lw      s2, 424(sp)
    lw      s3, 428(sp)
    lw      s4, 432(sp)
    lw      s5, 436(sp)
    lw      s6, 440(sp)
    lw      s7, 444(sp)
    lw      s8, 448(sp)
    lw      s9, 452(sp)
    lw      s10, 456(sp)
    lw      s11, 460(sp)
    addi    sp, sp, 464
    ret
.endm

// Bit i of word j becomes bit j of word i, in both halves. Uses t0, t1; returns to ra.
    .section .text.cham64_rv32i_x32_transpose, "ax", @progbits
    .balign 4
    .type   cham64_rv32i_x32_transpose, @function
cham64_rv32i_x32_transpose:
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
    .size   cham64_rv32i_x32_transpose, . - cham64_rv32i_x32_transpose

// The rounds to encrypt on slices at their places; a0 points to the masks of the first. Uses all registers but sp, gp, tp.
    .section .text.cham64_rv32i_x32_encrypt_rounds, "ax", @progbits
    .balign 4
    .type   cham64_rv32i_x32_encrypt_rounds, @function
cham64_rv32i_x32_encrypt_rounds:
    li      t0, 0
    sw      ra, 404(sp)
1:
    // Bits 3 to 6 of the number of a round are the number of the pass.
    sw      t0, 400(sp)
    slli    t1, t0, 31
    srai    t1, t1, 31
    sw      t1, 256(sp)
    slli    t1, t0, 30
    srai    t1, t1, 31
    sw      t1, 260(sp)
    slli    t1, t0, 29
    srai    t1, t1, 31
    sw      t1, 264(sp)
    slli    t1, t0, 28
    srai    t1, t1, 31
    sw      t1, 268(sp)
    lw      ra, 0(a0)
    sw      a7, 0(sp)
    xor     t0, a7, ra
    lw      ra, 4(a0)
    and     t1, t3, t0
    xor     t2, t3, t0
    xor     t0, s0, ra
    xor     ra, t4, t1
    xor     t3, t0, t1
    xor     t0, ra, t0
    and     ra, ra, t3
    xor     ra, ra, t1
    lw      t4, 160(sp)
    lw      t1, 64(a0)
    lw      a7, 8(a0)
    xor     t1, t4, t1
    and     t3, s0, t1
    xor     t1, s0, t1
    xor     s0, s1, a7
    xor     a7, t5, ra
    xor     t5, s0, ra
    xor     t4, a7, s0
    and     s0, a7, t5
    xor     ra, s0, ra
    lw      a7, 68(a0)
    sw      t1, 4(sp)
    lw      t1, 164(sp)
    xor     s0, s1, t3
    xor     t5, t1, a7
    xor     a7, t5, t3
    xor     s1, s0, t5
    or      t3, s0, a7
    lw      a7, 256(sp)
    xor     s0, t3, t5
    lw      t5, 12(a0)
    xor     t3, t6, a7
    sw      s1, 8(sp)
    xor     t6, s2, t5
    xor     t5, t3, ra
    xor     t1, t6, ra
    xor     t3, t5, t6
    and     t1, t5, t1
    xor     t1, t1, ra
    lw      t6, 168(sp)
    lw      ra, 72(a0)
    xor     t5, s2, s0
    xor     ra, t6, ra
    xor     s1, ra, s0
    xor     ra, t5, ra
    and     s2, t5, s1
    lw      s1, 260(sp)
    xor     t5, s2, s0
    lw      s2, 16(a0)
    xor     s0, a1, s1
    sw      ra, 12(sp)
    xor     a1, s3, s2
    xor     s2, s0, t1
    xor     s0, a1, t1
    xor     t6, s2, a1
    and     a1, s2, s0
    xor     t1, a1, t1
    xor     s2, s3, a7
    lw      s0, 76(a0)
    lw      ra, 172(sp)
    xor     s3, s2, t5
    xor     a1, ra, s0
    xor     s0, a1, t5
    xor     s2, s3, a1
    and     a1, s3, s0
    lw      s0, 264(sp)
    xor     s3, a1, t5
    lw      a1, 20(a0)
    xor     t5, a2, s0
    sw      s2, 16(sp)
    xor     a2, s4, a1
    xor     a1, t5, t1
    xor     ra, a2, t1
    xor     t5, a1, a2
    and     ra, a1, ra
    xor     t1, ra, t1
    xor     ra, s4, s1
    lw      a1, 176(sp)
    lw      a2, 80(a0)
    xor     ra, ra, s3
    xor     s4, a1, a2
    xor     s2, s4, s3
    xor     a2, ra, s4
    lw      s4, 268(sp)
    and     ra, ra, s2
    xor     ra, ra, s3
    lw      s3, 24(a0)
    xor     s2, a3, s4
    sw      a2, 20(sp)
    xor     a3, s5, s3
    xor     s3, s2, t1
    xor     s2, a3, t1
    xor     a1, s3, a3
    and     a3, s3, s2
    xor     t1, a3, t1
    xor     s3, s5, s0
    lw      a3, 180(sp)
    lw      s2, 84(a0)
    xor     a2, s3, ra
    xor     s5, a3, s2
    xor     s2, s5, ra
    xor     s3, a2, s5
    and     s5, a2, s2
    lw      a2, 28(a0)
    xor     ra, s5, ra
    lw      s5, 28(sp)
    xor     s2, s6, a2
    xor     a3, s2, t1
    xor     a2, s5, t1
    xor     s5, a2, s2
    and     s2, a2, a3
    xor     t1, s2, t1
    xor     a2, s6, s4
    lw      s2, 184(sp)
    lw      a3, 88(a0)
    sw      s3, 24(sp)
    xor     s3, a2, ra
    xor     s6, s2, a3
    xor     a3, s6, ra
    xor     a2, s3, s6
    and     s6, s3, a3
    lw      s3, 32(a0)
    xor     ra, s6, ra
    lw      s6, 32(sp)
    xor     a3, s7, s3
    xor     s2, a3, t1
    xor     s3, s6, t1
    xor     s6, s3, a3
    and     a3, s3, s2
    xor     t1, a3, t1
    lw      s2, 188(sp)
    lw      s3, 92(a0)
    sw      a2, 64(sp)
    xor     a2, s7, ra
    xor     a3, s2, s3
    xor     s3, a3, ra
    xor     s7, a2, a3
    and     a3, a2, s3
    lw      s3, 252(sp)
    lw      a2, 128(a0)
    lw      s2, 128(sp)
    xor     ra, a3, ra
    xor     a3, s3, a2
    and     a2, s2, a3
    xor     s3, s2, a3
    lw      a3, 36(a0)
    sw      s7, 68(sp)
    sw      s3, 72(sp)
    xor     s7, s8, a3
    lw      a3, 36(sp)
    xor     s4, s7, t1
    xor     s3, a3, t1
    xor     a3, s3, s7
    and     s7, s3, s4
    lw      s3, 96(a0)
    xor     t1, s7, t1
    xor     s7, s8, ra
    xor     s4, s2, s3
    xor     s2, s4, ra
    xor     s3, s7, s4
    and     s8, s7, s2
    lw      s7, 192(sp)
    lw      s4, 132(a0)
    xor     ra, s8, ra
    lw      s8, 132(sp)
    xor     s2, s7, s4
    sw      s3, 76(sp)
    xor     s4, s8, a2
    sw      a3, 80(sp)
    xor     s3, s2, a2
    xor     a3, s4, s2
    and     s2, s4, s3
    lw      s3, 192(a0)
    xor     s4, s2, a2
    sw      t2, 88(sp)
    xor     a2, t2, s3
    or      s2, s7, a2
    xor     s3, s2, a2
    xor     s2, s7, a2
    lw      a2, 40(a0)
    sw      s2, 84(sp)
    lw      t2, 40(sp)
    xor     s7, s9, a2
    xor     s2, s9, ra
    xor     t2, t2, t1
    xor     t1, s7, t1
    xor     a2, t2, s7
    or      t2, t2, t1
    xor     t1, t2, s7
    lw      t2, 100(a0)
    lw      s9, 136(a0)
    sw      a3, 96(sp)
    xor     t2, s8, t2
    xor     s7, t2, ra
    xor     t2, s2, t2
    and     s8, s2, s7
    lw      s2, 196(sp)
    xor     ra, s8, ra
    sw      t2, 92(sp)
    xor     s7, s2, s9
    lw      t2, 136(sp)
    xor     s9, s7, s4
    xor     s8, t2, s4
    xor     a3, s8, s7
    and     s7, s8, s9
    lw      s9, 196(a0)
    xor     s8, s7, s4
    xor     s7, s2, s3
    xor     s4, t0, s9
    xor     s9, s4, s3
    xor     s2, s7, s4
    or      s3, s7, s9
    lw      s9, 44(a0)
    xor     s7, s3, s4
    lw      s3, 44(sp)
    xor     s4, s10, s9
    sw      s2, 100(sp)
    xor     s9, s3, t1
    xor     s2, s4, t1
    xor     s3, s9, s4
    and     s4, s9, s2
    lw      s9, 104(a0)
    xor     t1, s4, t1
    xor     s2, s10, ra
    xor     t2, t2, s9
    xor     s4, t2, ra
    xor     t2, s2, t2
    lw      s10, 140(sp)
    and     s9, s2, s4
    xor     ra, s9, ra
    xor     s2, s10, a7
    lw      s4, 140(a0)
    sw      t2, 104(sp)
    lw      t2, 200(sp)
    sw      t0, 108(sp)
    xor     s9, s2, s8
    xor     t0, t2, s4
    xor     s4, t0, s8
    xor     t0, s9, t0
    and     s2, s9, s4
    lw      s4, 200(a0)
    xor     s9, s2, s8
    xor     t2, t2, s7
    xor     s8, t4, s4
    xor     s2, s8, s7
    xor     s4, t2, s8
    lw      s8, 48(a0)
    and     t2, t2, s2
    xor     t2, t2, s7
    lw      s7, 48(sp)
    xor     s2, s11, s8
    sw      s4, 112(sp)
    xor     s8, s7, t1
    xor     s4, s2, t1
    xor     s7, s8, s2
    and     s2, s8, s4
    lw      s4, 108(a0)
    xor     t1, s2, t1
    xor     s2, s11, ra
    xor     s8, s10, s4
    xor     s10, s8, ra
    xor     s4, s2, s8
    lw      s8, 144(sp)
    and     s11, s2, s10
    xor     ra, s11, ra
    xor     s2, s8, s1
    lw      s10, 144(a0)
    lw      s11, 204(sp)
    sw      s4, 116(sp)
    sw      t4, 120(sp)
    xor     s4, s11, s10
    xor     t4, s2, s9
    xor     s10, s4, s9
    xor     s2, t4, s4
    and     s4, t4, s10
    xor     t4, s4, s9
    lw      s4, 204(a0)
    xor     s10, s11, a7
    xor     s11, s10, t2
    xor     s9, t3, s4
    xor     s4, s9, t2
    xor     s10, s11, s9
    and     s9, s11, s4
    lw      s11, 52(a0)
    xor     t2, s9, t2
    lw      s9, 52(sp)
    xor     s4, a4, s11
    sw      s10, 124(sp)
    xor     s11, s9, t1
    xor     s10, s4, t1
    xor     s9, s11, s4
    and     s4, s11, s10
    lw      s11, 112(a0)
    xor     t1, s4, t1
    xor     s4, a4, ra
    xor     s10, s8, s11
    xor     s11, s10, ra
    xor     s8, s4, s10
    lw      s10, 148(sp)
    and     a4, s4, s11
    xor     ra, a4, ra
    xor     s4, s10, s0
    lw      s11, 148(a0)
    lw      a4, 208(sp)
    sw      s8, 272(sp)
    sw      t3, 276(sp)
    xor     s8, a4, s11
    xor     t3, s4, t4
    xor     s11, s8, t4
    xor     s4, t3, s8
    and     s8, t3, s11
    xor     t3, s8, t4
    lw      t4, 208(a0)
    xor     s11, a4, s1
    xor     a4, s11, t2
    xor     s8, t6, t4
    xor     t4, s8, t2
    xor     s11, a4, s8
    and     s8, a4, t4
    lw      a4, 56(a0)
    xor     t2, s8, t2
    lw      s8, 56(sp)
    xor     t4, a5, a4
    sw      s11, 280(sp)
    xor     a4, s8, t1
    xor     s11, t4, t1
    xor     s8, a4, t4
    and     t4, a4, s11
    lw      a4, 116(a0)
    xor     t1, t4, t1
    xor     t4, a5, ra
    xor     s11, s10, a4
    xor     a4, s11, ra
    xor     s10, t4, s11
    and     a5, t4, a4
    lw      t4, 268(sp)
    lw      s11, 152(sp)
    xor     ra, a5, ra
    sw      s10, 284(sp)
    xor     a4, s11, t4
    lw      s10, 212(sp)
    lw      a5, 152(a0)
    sw      t6, 288(sp)
    xor     s1, a4, t3
    xor     t6, s10, a5
    xor     a5, t6, t3
    xor     a4, s1, t6
    and     t6, s1, a5
    xor     s1, t6, t3
    lw      t3, 212(a0)
    xor     a5, s10, s0
    xor     s10, a5, t2
    xor     t6, t5, t3
    xor     t3, t6, t2
    xor     a5, s10, t6
    and     t6, s10, t3
    lw      s10, 60(a0)
    xor     t2, t6, t2
    lw      t6, 60(sp)
    xor     t3, a6, s10
    sw      a5, 292(sp)
    lw      s10, 120(a0)
    xor     t1, t6, t1
    xor     t1, t1, t3
    xor     a5, s11, s10
    xor     t6, a6, ra
    xor     t3, a5, ra
    xor     s10, t6, a5
    and     s11, t6, t3
    lw      a5, 216(sp)
    lw      a6, 156(a0)
    lw      t3, 156(sp)
    xor     ra, s11, ra
    xor     t6, a5, a6
    xor     s11, t3, s1
    sw      t5, 296(sp)
    xor     a6, t6, s1
    xor     t5, s11, t6
    and     t6, s11, a6
    xor     s11, t6, s1
    lw      s1, 216(a0)
    xor     a6, a5, t4
    xor     a5, a6, t2
    xor     t6, a1, s1
    xor     s1, t6, t2
    xor     a6, a5, t6
    and     t6, a5, s1
    lw      a5, 124(a0)
    xor     t2, t6, t2
    lw      t6, 0(sp)
    xor     s1, t3, a5
    lw      a5, 220(sp)
    xor     ra, t6, ra
    lw      t3, 160(a0)
    xor     ra, ra, s1
    lw      s1, 160(sp)
    xor     t6, a5, t3
    sw      a6, 0(sp)
    xor     t3, s1, s11
    xor     a6, t6, s11
    xor     s1, t3, t6
    and     t6, t3, a6
    lw      t3, 220(a0)
    xor     a6, t6, s11
    xor     t6, a5, t2
    xor     s11, s5, t3
    xor     t3, s11, t2
    xor     a5, t6, s11
    and     s11, t6, t3
    lw      t6, 256(a0)
    xor     t2, s11, t2
    sw      a5, 300(sp)
    xor     t3, s10, t6
    and     s11, s6, t3
    xor     t6, s6, t3
    lw      t3, 164(a0)
    lw      a5, 224(sp)
    sw      s10, 304(sp)
    sw      s5, 308(sp)
    lw      s5, 164(sp)
    xor     s10, a5, t3
    sw      a1, 312(sp)
    xor     t3, s5, a6
    xor     a1, s10, a6
    xor     s5, t3, s10
    or      a6, t3, a1
    lw      a1, 224(a0)
    xor     t3, a6, s10
    xor     a6, a5, t2
    xor     s10, s6, a1
    xor     s6, s10, t2
    xor     a1, a6, s10
    lw      s10, 260(a0)
    and     a5, a6, s6
    lw      s6, 80(sp)
    xor     t2, a5, t2
    xor     a6, ra, s10
    xor     a5, s6, s11
    sw      a1, 316(sp)
    xor     s10, a6, s11
    xor     a1, a5, a6
    and     a6, a5, s10
    xor     s10, a6, s11
    lw      a6, 72(sp)
    lw      a5, 320(a0)
    sw      a1, 36(sp)
    sw      t6, 32(sp)
    xor     s11, a6, a5
    and     a1, ra, s11
    xor     ra, ra, s11
    lw      a5, 168(a0)
    sw      ra, 320(sp)
    lw      ra, 228(sp)
    lw      a6, 168(sp)
    xor     s11, ra, a5
    xor     t6, s11, t3
    xor     a5, a6, t3
    xor     a6, a5, s11
    or      t3, a5, t6
    lw      t6, 228(a0)
    xor     a5, t3, s11
    xor     ra, ra, t2
    xor     s11, s6, t6
    xor     t3, s11, t2
    xor     s6, ra, s11
    and     ra, ra, t3
    lw      t6, 4(sp)
    xor     t2, ra, t2
    lw      ra, 264(a0)
    xor     s11, a2, s10
    sw      s6, 80(sp)
    xor     ra, t6, ra
    xor     t3, ra, s10
    xor     ra, s11, ra
    and     s6, s11, t3
    xor     s11, s6, s10
    lw      t3, 324(a0)
    sw      ra, 40(sp)
    lw      ra, 96(sp)
    xor     s10, t6, a1
    xor     s6, ra, t3
    xor     t3, s6, a1
    xor     t6, s10, s6
    and     s6, s10, t3
    lw      ra, 232(sp)
    lw      s10, 172(a0)
    xor     t3, s6, a1
    lw      a1, 172(sp)
    xor     s6, ra, s10
    sw      t6, 4(sp)
    xor     s10, a1, a5
    xor     t6, s6, a5
    xor     a1, s10, s6
    and     s6, s10, t6
    lw      t6, 232(a0)
    xor     s10, s6, a5
    xor     ra, ra, t2
    xor     s6, a2, t6
    xor     a5, s6, t2
    xor     a2, ra, s6
    and     ra, ra, a5
    xor     ra, ra, t2
    xor     t2, s3, a7
    lw      s6, 8(sp)
    lw      t6, 268(a0)
    sw      a2, 324(sp)
    xor     t2, t2, s11
    xor     a5, s6, t6
    xor     a2, a5, s11
    xor     t6, t2, a5
    lw      a5, 328(a0)
    and     t2, t2, a2
    xor     t2, t2, s11
    xor     a2, a3, a5
    xor     s11, s6, t3
    xor     a5, a2, t3
    xor     s6, s11, a2
    and     a2, s11, a5
    xor     s11, a2, t3
    lw      t3, 236(sp)
    lw      a5, 176(a0)
    sw      s6, 8(sp)
    lw      s6, 176(sp)
    xor     a2, t3, a5
    sw      a3, 328(sp)
    xor     a5, s6, s10
    xor     a3, a2, s10
    xor     s6, a5, a2
    and     a2, a5, a3
    lw      a3, 236(a0)
    xor     a5, a2, s10
    xor     a2, t3, ra
    xor     s10, s3, a3
    xor     a3, s10, ra
    xor     s3, a2, s10
    lw      s10, 260(sp)
    and     t3, a2, a3
    xor     ra, t3, ra
    xor     a2, s7, s10
    lw      a3, 272(a0)
    lw      t3, 12(sp)
    sw      s3, 332(sp)
    sw      t6, 44(sp)
    xor     s3, t3, a3
    xor     t6, a2, t2
    xor     a3, s3, t2
    xor     a2, t6, s3
    and     s3, t6, a3
    lw      a3, 332(a0)
    xor     t2, s3, t2
    xor     t6, t3, a7
    xor     s3, t0, a3
    xor     t3, t6, s11
    xor     a3, s3, s11
    xor     t6, t3, s3
    and     s3, t3, a3
    xor     t3, s3, s11
    lw      s11, 240(sp)
    lw      a3, 180(a0)
    sw      t6, 12(sp)
    sw      t0, 336(sp)
    xor     s3, s11, a3
    lw      t0, 180(sp)
    xor     t6, s3, a5
    xor     t0, t0, a5
    xor     a3, t0, s3
    lw      s3, 240(a0)
    and     t0, t0, t6
    xor     t0, t0, a5
    xor     t6, s7, s3
    xor     a5, s11, ra
    xor     s7, t6, ra
    xor     s3, a5, t6
    and     s11, a5, s7
    xor     ra, s11, ra
    xor     t6, s9, s0
    lw      s7, 16(sp)
    lw      a5, 276(a0)
    sw      s3, 340(sp)
    xor     s3, t6, t2
    xor     s11, s7, a5
    xor     a5, s11, t2
    xor     t6, s3, s11
    and     s11, s3, a5
    lw      a5, 336(a0)
    xor     t2, s11, t2
    xor     s3, s7, s10
    xor     s11, s2, a5
    xor     s7, s3, t3
    xor     a5, s11, t3
    xor     s3, s7, s11
    and     s11, s7, a5
    xor     s7, s11, t3
    lw      s11, 244(sp)
    lw      a5, 184(a0)
    sw      s3, 16(sp)
    lw      s3, 184(sp)
    xor     t3, s11, a5
    sw      s2, 344(sp)
    xor     a5, s3, t0
    xor     s2, t3, t0
    xor     s3, a5, t3
    and     t3, a5, s2
    lw      s2, 244(a0)
    xor     t0, t3, t0
    xor     t3, s11, ra
    xor     a5, s9, s2
    xor     s2, a5, ra
    xor     s9, t3, a5
    and     s11, t3, s2
    xor     ra, s11, ra
    xor     a5, s8, t4
    lw      s2, 20(sp)
    lw      t3, 280(a0)
    sw      s9, 348(sp)
    xor     s9, a5, t2
    xor     s11, s2, t3
    xor     t3, s11, t2
    xor     a5, s9, s11
    and     s11, s9, t3
    lw      t3, 340(a0)
    xor     t2, s11, t2
    xor     s9, s2, s0
    xor     s11, s4, t3
    xor     s2, s9, s7
    xor     t3, s11, s7
    xor     s9, s2, s11
    and     s11, s2, t3
    xor     s2, s11, s7
    lw      s11, 248(sp)
    lw      t3, 188(a0)
    sw      s9, 20(sp)
    lw      s9, 188(sp)
    xor     s7, s11, t3
    sw      s4, 352(sp)
    lw      t3, 248(a0)
    xor     t0, s9, t0
    xor     t0, t0, s7
    xor     s4, s8, t3
    xor     s9, s11, ra
    xor     s7, s4, ra
    xor     s8, s9, s4
    and     t3, s9, s7
    lw      s4, 24(sp)
    lw      s11, 284(a0)
    xor     ra, t3, ra
    xor     s7, t1, t2
    xor     s9, s4, s11
    xor     t3, s9, t2
    xor     s11, s7, s9
    and     s9, s7, t3
    lw      t3, 344(a0)
    xor     t2, s9, t2
    xor     s7, s4, t4
    xor     s9, a4, t3
    xor     s4, s7, s2
    xor     t3, s9, s2
    xor     s7, s4, s9
    and     s9, s4, t3
    lw      t3, 252(a0)
    xor     s4, s9, s2
    lw      s2, 252(sp)
    xor     t1, t1, t3
    lw      s9, 64(sp)
    xor     ra, s2, ra
    xor     t1, ra, t1
    lw      ra, 288(a0)
    lw      t3, 88(sp)
    sw      s7, 24(sp)
    xor     ra, s9, ra
    xor     s2, t3, t2
    xor     s7, ra, t2
    xor     t3, s2, ra
    and     ra, s2, s7
    xor     t2, ra, t2
    lw      ra, 348(a0)
    xor     s2, s9, s4
    xor     ra, t5, ra
    xor     s7, ra, s4
    xor     ra, s2, ra
    and     s9, s2, s7
    lw      s7, 384(a0)
    xor     s2, s9, s4
    sw      ra, 64(sp)
    xor     s4, s8, s7
    and     s9, s1, s4
    xor     s7, s1, s4
    lw      ra, 292(a0)
    lw      s4, 68(sp)
    sw      s7, 160(sp)
    sw      s8, 88(sp)
    lw      s7, 108(sp)
    xor     ra, s4, ra
    sw      t5, 356(sp)
    xor     s8, s7, t2
    xor     t5, ra, t2
    xor     ra, s8, ra
    and     s7, s8, t5
    lw      s8, 352(a0)
    xor     t2, s7, t2
    xor     s7, s4, s2
    xor     t5, s1, s8
    xor     s1, t5, s2
    xor     s8, s7, t5
    and     s4, s7, s1
    lw      s7, 388(a0)
    xor     t5, s4, s2
    xor     s2, s5, s9
    xor     s1, t1, s7
    xor     s4, s1, s9
    xor     s7, s2, s1
    and     s1, s2, s4
    xor     s2, s1, s9
    lw      s9, 32(sp)
    lw      s4, 448(a0)
    sw      s8, 68(sp)
    sw      s7, 164(sp)
    xor     s1, s9, s4
    or      s8, t1, s1
    xor     s4, s8, s1
    xor     t1, t1, s1
    lw      s1, 76(sp)
    lw      s8, 296(a0)
    sw      t1, 196(sp)
    lw      t1, 120(sp)
    xor     s9, s1, s8
    xor     s7, s9, t2
    xor     t1, t1, t2
    xor     s8, t1, s9
    and     t1, t1, s7
    xor     t2, t1, t2
    lw      t1, 356(a0)
    xor     s9, s1, t5
    xor     t1, s5, t1
    xor     s7, t1, t5
    xor     t1, s9, t1
    and     s5, s9, s7
    lw      s7, 84(sp)
    lw      s9, 392(a0)
    xor     s1, s5, t5
    xor     s5, a6, s2
    xor     t5, s7, s9
    sw      t1, 76(sp)
    xor     t1, t5, s2
    xor     s9, s5, t5
    and     t1, s5, t1
    xor     t1, t1, s2
    lw      s5, 36(sp)
    lw      t5, 452(a0)
    sw      s9, 168(sp)
    xor     s9, s7, s4
    xor     s2, s5, t5
    xor     t5, s2, s4
    xor     s7, s9, s2
    and     s2, s9, t5
    lw      t5, 300(a0)
    xor     s9, s2, s4
    lw      s4, 92(sp)
    lw      s5, 276(sp)
    sw      s7, 200(sp)
    xor     s2, s4, t5
    xor     t5, s5, t2
    xor     s7, s2, t2
    xor     s5, t5, s2
    and     s2, t5, s7
    lw      t5, 360(a0)
    xor     t2, s2, t2
    xor     s2, s4, s1
    xor     s7, a6, t5
    xor     t5, s7, s1
    xor     a6, s2, s7
    and     s4, s2, t5
    xor     s7, s4, s1
    xor     s2, a1, a7
    lw      s1, 100(sp)
    lw      t5, 396(a0)
    sw      a6, 84(sp)
    xor     a6, s2, t1
    xor     s4, s1, t5
    xor     t5, s4, t1
    xor     s2, a6, s4
    and     s4, a6, t5
    xor     t1, s4, t1
    lw      t5, 40(sp)
    lw      a6, 456(a0)
    sw      s2, 172(sp)
    xor     s2, s1, s9
    xor     s4, t5, a6
    xor     a6, s4, s9
    xor     s1, s2, s4
    and     s4, s2, a6
    lw      a6, 304(a0)
    xor     s2, s4, s9
    lw      s9, 104(sp)
    lw      t5, 288(sp)
    sw      s1, 204(sp)
    xor     s4, s9, a6
    xor     a6, t5, t2
    xor     s1, s4, t2
    xor     t5, a6, s4
    and     s4, a6, s1
    lw      a6, 364(a0)
    xor     t2, s4, t2
    xor     s4, s9, s7
    xor     s1, a1, a6
    xor     a1, s1, s7
    xor     a6, s4, s1
    and     s9, s4, a1
    xor     s1, s9, s7
    xor     a1, s6, s10
    lw      s9, 112(sp)
    lw      s4, 400(a0)
    sw      a6, 92(sp)
    xor     a6, a1, t1
    xor     s7, s9, s4
    xor     s4, s7, t1
    xor     a1, a6, s7
    and     s7, a6, s4
    xor     t1, s7, t1
    lw      s7, 44(sp)
    lw      a6, 460(a0)
    xor     s4, s9, a7
    xor     a7, s4, s2
    xor     s9, s7, a6
    xor     a6, s9, s2
    xor     s4, a7, s9
    and     s9, a7, a6
    lw      a7, 308(a0)
    xor     a6, s9, s2
    lw      s9, 116(sp)
    lw      s7, 296(sp)
    sw      a1, 176(sp)
    xor     s2, s9, a7
    xor     a7, s7, t2
    xor     a1, s2, t2
    xor     s7, a7, s2
    and     s2, a7, a1
    lw      a7, 368(a0)
    xor     t2, s2, t2
    xor     s2, s9, s1
    xor     a1, s6, a7
    xor     a7, a1, s1
    xor     s6, s2, a1
    and     s9, s2, a7
    xor     a1, s9, s1
    xor     s2, a3, s0
    lw      s9, 124(sp)
    lw      a7, 404(a0)
    sw      s4, 208(sp)
    xor     s4, s2, t1
    xor     s1, s9, a7
    xor     a7, s1, t1
    xor     s2, s4, s1
    and     s1, s4, a7
    lw      a7, 464(a0)
    xor     t1, s1, t1
    xor     s4, s9, s10
    xor     s1, a2, a7
    xor     s9, s4, a6
    xor     a7, s1, a6
    xor     s4, s9, s1
    and     s1, s9, a7
    lw      a7, 312(a0)
    xor     s9, s1, a6
    lw      s1, 272(sp)
    lw      s10, 312(sp)
    sw      a2, 48(sp)
    xor     a6, s1, a7
    xor     a7, s10, t2
    xor     a2, a6, t2
    xor     s10, a7, a6
    and     a6, a7, a2
    lw      a7, 372(a0)
    xor     t2, a6, t2
    xor     a6, s1, a1
    xor     a2, a3, a7
    xor     a7, a2, a1
    xor     a3, a6, a2
    and     s1, a6, a7
    xor     a2, s1, a1
    xor     a6, s3, t4
    lw      a1, 280(sp)
    lw      a7, 408(a0)
    sw      s6, 100(sp)
    xor     s6, a6, t1
    xor     s1, a1, a7
    xor     a7, s1, t1
    xor     a6, s6, s1
    and     s1, s6, a7
    lw      a7, 468(a0)
    xor     t1, s1, t1
    xor     s6, a1, s0
    xor     s1, t6, a7
    xor     a1, s6, s9
    xor     a7, s1, s9
    xor     s6, a1, s1
    and     s1, a1, a7
    lw      a7, 316(a0)
    xor     a1, s1, s9
    lw      s9, 284(sp)
    lw      s0, 308(sp)
    sw      t6, 52(sp)
    xor     s1, s9, a7
    lw      a7, 376(a0)
    xor     t2, s0, t2
    xor     t2, t2, s1
    xor     t6, s3, a7
    xor     s0, s9, a2
    xor     s1, t6, a2
    xor     a7, s0, t6
    and     s3, s0, s1
    lw      s0, 292(sp)
    lw      t6, 412(a0)
    xor     s9, s3, a2
    xor     s3, t0, t1
    xor     s1, s0, t6
    xor     a2, s1, t1
    xor     t6, s3, s1
    and     s1, s3, a2
    lw      a2, 472(a0)
    xor     t1, s1, t1
    xor     s3, s0, t4
    xor     s1, a5, a2
    xor     s0, s3, a1
    xor     a2, s1, a1
    xor     s3, s0, s1
    and     s1, s0, a2
    lw      a2, 380(a0)
    xor     s0, s1, a1
    lw      s1, 304(sp)
    xor     t0, t0, a2
    lw      a2, 416(a0)
    xor     a1, s1, s9
    lw      s9, 0(sp)
    xor     t0, a1, t0
    lw      a1, 72(sp)
    xor     s1, s9, a2
    xor     t4, s1, t1
    xor     a2, a1, t1
    xor     a1, a2, s1
    and     s1, a2, t4
    lw      a2, 476(a0)
    xor     t1, s1, t1
    xor     s1, s9, s0
    xor     t4, s11, a2
    xor     a2, t4, s0
    xor     s9, s1, t4
    and     t4, s1, a2
    xor     a2, t4, s0
    lw      s0, 300(sp)
    lw      s1, 420(a0)
    sw      a5, 56(sp)
    lw      a5, 96(sp)
    xor     t4, s0, s1
    sw      s11, 60(sp)
    xor     s1, a5, t1
    xor     t1, t4, t1
    xor     s11, s1, t4
    lw      a5, 480(a0)
    or      t1, s1, t1
    xor     t1, t1, t4
    xor     s1, t3, a5
    xor     t4, s0, a2
    xor     a5, s1, a2
    xor     s0, t4, s1
    and     s1, t4, a5
    xor     t4, s1, a2
    lw      s1, 316(sp)
    lw      a5, 424(a0)
    sw      t3, 0(sp)
    lw      t3, 328(sp)
    xor     a2, s1, a5
    sw      s2, 180(sp)
    xor     a5, t3, t1
    xor     s2, a2, t1
    xor     t3, a5, a2
    and     a2, a5, s2
    lw      a5, 484(a0)
    xor     t1, a2, t1
    xor     a2, s1, t4
    xor     s2, ra, a5
    xor     a5, s2, t4
    xor     s1, a2, s2
    and     s2, a2, a5
    xor     a2, s2, t4
    lw      a5, 428(a0)
    sw      ra, 72(sp)
    lw      ra, 80(sp)
    lw      s2, 336(sp)
    sw      s4, 212(sp)
    xor     t4, ra, a5
    xor     a5, s2, t1
    xor     s4, t4, t1
    xor     s2, a5, t4
    and     t4, a5, s4
    lw      a5, 488(a0)
    xor     t1, t4, t1
    xor     ra, ra, a2
    xor     s4, s8, a5
    xor     t4, s4, a2
    xor     a5, ra, s4
    and     ra, ra, t4
    xor     ra, ra, a2
    lw      t4, 324(sp)
    lw      s4, 432(a0)
    sw      s8, 80(sp)
    lw      s8, 344(sp)
    xor     a2, t4, s4
    sw      a3, 96(sp)
    xor     s4, s8, t1
    xor     a3, a2, t1
    xor     s8, s4, a2
    and     a2, s4, a3
    lw      s4, 492(a0)
    xor     t1, a2, t1
    xor     a2, t4, ra
    xor     a3, s5, s4
    xor     s4, a3, ra
    xor     t4, a2, a3
    and     a3, a2, s4
    xor     ra, a3, ra
    lw      a2, 332(sp)
    lw      s4, 436(a0)
    sw      s5, 104(sp)
    lw      s5, 352(sp)
    xor     a3, a2, s4
    sw      a6, 184(sp)
    xor     s4, s5, t1
    xor     a6, a3, t1
    xor     s5, s4, a3
    and     a3, s4, a6
    lw      s4, 496(a0)
    xor     t1, a3, t1
    xor     a3, a2, ra
    xor     a6, t5, s4
    xor     s4, a6, ra
    xor     a2, a3, a6
    and     a6, a3, s4
    xor     ra, a6, ra
    lw      s4, 340(sp)
    lw      a3, 440(a0)
    sw      t5, 108(sp)
    xor     t5, a4, t1
    xor     a6, s4, a3
    xor     a3, a6, t1
    xor     a4, t5, a6
    and     a6, t5, a3
    lw      t5, 500(a0)
    xor     t1, a6, t1
    xor     a6, s4, ra
    xor     a3, s7, t5
    xor     t5, a3, ra
    xor     s4, a6, a3
    and     a3, a6, t5
    xor     ra, a3, ra
    lw      t5, 348(sp)
    lw      a6, 444(a0)
    sw      s7, 112(sp)
    lw      s7, 356(sp)
    xor     a3, t5, a6
    sw      s6, 216(sp)
    lw      a6, 504(a0)
    xor     t1, s7, t1
    xor     t1, t1, a3
    xor     s6, s10, a6
    xor     s7, t5, ra
    xor     a3, s6, ra
    xor     a6, s7, s6
    lw      s6, 508(a0)
    and     t5, s7, a3
    lw      a3, 88(sp)
    xor     ra, t5, ra
    xor     s7, t2, s6
    xor     ra, a3, ra
    xor     ra, ra, s7
    sw      t2, 28(sp)
    sw      a1, 128(sp)
    sw      s11, 132(sp)
    sw      t3, 136(sp)
    sw      s2, 140(sp)
    sw      s8, 144(sp)
    sw      s5, 148(sp)
    sw      a4, 152(sp)
    sw      t1, 156(sp)
    sw      t6, 188(sp)
    sw      ra, 192(sp)
    sw      s3, 220(sp)
    sw      s9, 224(sp)
    sw      s0, 228(sp)
    sw      s1, 232(sp)
    sw      a5, 236(sp)
    sw      t4, 240(sp)
    sw      a2, 244(sp)
    sw      s4, 248(sp)
    sw      a6, 252(sp)
    lw      t3, 0(sp)
    lw      t4, 72(sp)
    lw      t5, 80(sp)
    lw      t6, 104(sp)
    lw      a1, 108(sp)
    lw      a2, 112(sp)
    mv      a3, s10
    mv      s0, t0
    lw      s1, 320(sp)
    lw      s2, 4(sp)
    lw      s3, 8(sp)
    lw      s4, 12(sp)
    lw      s5, 16(sp)
    lw      s6, 20(sp)
    lw      s7, 24(sp)
    lw      s8, 64(sp)
    lw      s9, 68(sp)
    lw      s10, 76(sp)
    lw      s11, 84(sp)
    lw      a4, 92(sp)
    lw      a5, 100(sp)
    lw      a6, 96(sp)
    lw      t1, 396(sp)
    lw      t0, 400(sp)
    li      t2, 11
    sub     a0, t1, a0
    addi    t0, t0, 1
    beq     t0, t2, 2f
    j       1b
2:
    lw      ra, 404(sp)
    ret
    .size   cham64_rv32i_x32_encrypt_rounds, . - cham64_rv32i_x32_encrypt_rounds

// The rounds to decrypt on slices at their places; a0 points to the masks of the first. Uses all registers but sp, gp, tp.
    .section .text.cham64_rv32i_x32_decrypt_rounds, "ax", @progbits
    .balign 4
    .type   cham64_rv32i_x32_decrypt_rounds, @function
cham64_rv32i_x32_decrypt_rounds:
    li      t0, 10
    sw      ra, 404(sp)
1:
    // Bits 3 to 6 of the number of a round are the number of the pass.
    sw      t0, 400(sp)
    slli    t1, t0, 31
    srai    t1, t1, 31
    sw      t1, 256(sp)
    slli    t1, t0, 30
    srai    t1, t1, 31
    sw      t1, 260(sp)
    slli    t1, t0, 29
    srai    t1, t1, 31
    sw      t1, 264(sp)
    slli    t1, t0, 28
    srai    t1, t1, 31
    sw      t1, 268(sp)
    lw      t0, 32(sp)
    lw      ra, 448(a0)
    sw      t3, 36(sp)
    xor     t1, t0, ra
    or      t2, s1, t1
    xor     ra, t2, t1
    xor     t2, s1, t1
    lw      t1, 452(a0)
    xor     s1, s2, ra
    xor     t1, t3, t1
    xor     ra, t1, ra
    xor     t1, s1, t1
    lw      t3, 456(a0)
    or      ra, s1, ra
    xor     ra, ra, s2
    xor     s1, t4, t3
    xor     s2, s3, ra
    xor     ra, s1, ra
    xor     t3, s2, s1
    lw      s1, 460(a0)
    or      ra, s2, ra
    xor     ra, ra, s3
    xor     s2, t5, s1
    xor     s3, s4, ra
    xor     ra, s2, ra
    xor     s1, s3, s2
    lw      s2, 256(sp)
    or      ra, s3, ra
    xor     ra, ra, s4
    lw      s4, 464(a0)
    xor     s3, s1, s2
    sw      t6, 40(sp)
    xor     s1, t6, s4
    xor     s4, s5, ra
    xor     ra, s1, ra
    xor     t6, s4, s1
    lw      s1, 260(sp)
    or      ra, s4, ra
    xor     ra, ra, s5
    lw      s5, 468(a0)
    xor     s4, t6, s1
    sw      a1, 44(sp)
    xor     t6, a1, s5
    xor     s5, s6, ra
    xor     ra, t6, ra
    xor     a1, s5, t6
    lw      t6, 264(sp)
    or      ra, s5, ra
    xor     ra, ra, s6
    lw      s6, 472(a0)
    xor     s5, a1, t6
    sw      a2, 48(sp)
    xor     a1, a2, s6
    xor     s6, s7, ra
    xor     ra, a1, ra
    xor     a2, s6, a1
    lw      a1, 268(sp)
    or      ra, s6, ra
    xor     ra, ra, s7
    lw      s7, 476(a0)
    xor     s6, a2, a1
    sw      a3, 52(sp)
    xor     a2, a3, s7
    xor     s7, s8, ra
    xor     ra, a2, ra
    xor     a3, s7, a2
    or      ra, s7, ra
    xor     ra, ra, s8
    lw      s7, 0(sp)
    lw      a2, 480(a0)
    sw      t5, 56(sp)
    xor     t5, s9, ra
    xor     s8, s7, a2
    xor     ra, s8, ra
    xor     a2, t5, s8
    or      ra, t5, ra
    lw      t5, 4(sp)
    lw      s8, 484(a0)
    xor     ra, ra, s9
    xor     s7, s10, ra
    xor     s9, t5, s8
    xor     ra, s9, ra
    xor     s8, s7, s9
    or      ra, s7, ra
    lw      s7, 8(sp)
    lw      s9, 488(a0)
    xor     ra, ra, s10
    xor     t5, s11, ra
    xor     s10, s7, s9
    xor     ra, s10, ra
    xor     s9, t5, s10
    or      ra, t5, ra
    lw      t5, 12(sp)
    lw      s10, 492(a0)
    xor     ra, ra, s11
    xor     s7, a4, ra
    xor     s11, t5, s10
    xor     ra, s11, ra
    xor     s10, s7, s11
    or      ra, s7, ra
    lw      s7, 16(sp)
    lw      s11, 496(a0)
    xor     ra, ra, a4
    xor     t5, a5, ra
    xor     a4, s7, s11
    xor     ra, a4, ra
    xor     s11, t5, a4
    or      ra, t5, ra
    lw      t5, 20(sp)
    lw      a4, 500(a0)
    xor     ra, ra, a5
    xor     s7, a6, ra
    xor     a5, t5, a4
    xor     ra, a5, ra
    xor     a4, s7, a5
    or      ra, s7, ra
    lw      s7, 24(sp)
    lw      a5, 504(a0)
    xor     ra, ra, a6
    xor     t5, a7, ra
    xor     a6, s7, a5
    xor     ra, a6, ra
    xor     a5, t5, a6
    or      ra, t5, ra
    lw      t5, 28(sp)
    lw      a6, 508(a0)
    xor     ra, ra, a7
    lw      s7, 384(a0)
    xor     a7, t5, a6
    xor     ra, s0, ra
    lw      s0, 160(sp)
    xor     ra, ra, a7
    xor     a6, ra, s7
    or      a7, s0, a6
    xor     s7, a7, s0
    xor     a7, s0, a6
    lw      s0, 388(a0)
    sw      t2, 60(sp)
    sw      ra, 192(sp)
    xor     a6, t2, s0
    lw      t2, 164(sp)
    xor     s0, a6, s7
    lw      t5, 396(a0)
    xor     ra, t2, s7
    xor     s7, ra, a6
    or      ra, ra, s0
    xor     t2, ra, t2
    lw      a6, 168(sp)
    lw      ra, 392(a0)
    xor     s0, a6, t2
    sw      t3, 196(sp)
    xor     ra, t1, ra
    xor     t2, ra, t2
    xor     ra, s0, ra
    or      t2, s0, t2
    xor     t2, t2, a6
    lw      a6, 172(sp)
    xor     s0, t3, t5
    sw      s3, 200(sp)
    xor     t5, a6, t2
    xor     t2, s0, t2
    xor     t3, t5, s0
    or      t2, t5, t2
    lw      t5, 400(a0)
    xor     t2, t2, a6
    xor     s0, t3, s2
    lw      t3, 176(sp)
    xor     a6, s3, t5
    sw      s4, 204(sp)
    xor     t5, t3, t2
    xor     t2, a6, t2
    xor     s3, t5, a6
    or      t2, t5, t2
    lw      t5, 404(a0)
    xor     t2, t2, t3
    xor     a6, s3, s1
    lw      s3, 180(sp)
    xor     t3, s4, t5
    sw      s5, 208(sp)
    xor     t5, s3, t2
    xor     t2, t3, t2
    xor     s4, t5, t3
    or      t2, t5, t2
    lw      t5, 408(a0)
    xor     t2, t2, s3
    xor     t3, s4, t6
    lw      s4, 184(sp)
    xor     s3, s5, t5
    sw      s6, 212(sp)
    xor     t5, s4, t2
    xor     t2, s3, t2
    xor     s5, t5, s3
    or      t2, t5, t2
    lw      t5, 412(a0)
    xor     t2, t2, s4
    xor     s3, s5, a1
    lw      s5, 188(sp)
    xor     s4, s6, t5
    sw      a3, 216(sp)
    xor     t5, s5, t2
    xor     t2, s4, t2
    xor     s6, t5, s4
    lw      s4, 416(a0)
    or      t2, t5, t2
    xor     t2, t2, s5
    lw      s5, 128(sp)
    xor     t5, a3, s4
    sw      a2, 220(sp)
    xor     s4, s5, t2
    xor     t2, t5, t2
    xor     a3, s4, t5
    lw      t5, 420(a0)
    or      t2, s4, t2
    xor     t2, t2, s5
    lw      s5, 132(sp)
    xor     s4, a2, t5
    sw      s8, 224(sp)
    xor     t5, s5, t2
    xor     t2, s4, t2
    xor     a2, t5, s4
    lw      s5, 424(a0)
    or      t2, t5, t2
    xor     t2, t2, s4
    lw      s4, 136(sp)
    xor     t5, s8, s5
    sw      s9, 228(sp)
    xor     s5, s4, t2
    xor     t2, t5, t2
    xor     s8, s5, t5
    lw      t5, 428(a0)
    or      t2, s5, t2
    xor     t2, t2, s4
    lw      s4, 140(sp)
    xor     s5, s9, t5
    sw      s10, 232(sp)
    xor     t5, s4, t2
    xor     t2, s5, t2
    xor     s9, t5, s5
    lw      s5, 432(a0)
    or      t2, t5, t2
    xor     t2, t2, s4
    lw      s4, 144(sp)
    xor     t5, s10, s5
    sw      a3, 236(sp)
    xor     s5, s4, t2
    xor     t2, t5, t2
    xor     s10, s5, t5
    lw      t5, 320(a0)
    or      t2, s5, t2
    xor     t2, t2, s4
    lw      s4, 68(sp)
    xor     s5, a3, t5
    sw      s11, 240(sp)
    or      t5, s4, s5
    xor     a3, t5, s4
    xor     t5, s4, s5
    lw      s4, 436(a0)
    sw      t1, 244(sp)
    lw      t1, 148(sp)
    xor     s5, s11, s4
    sw      a2, 248(sp)
    xor     s4, t1, t2
    xor     t2, s5, t2
    xor     s11, s4, s5
    or      t2, s4, t2
    xor     t2, t2, t1
    lw      t1, 324(a0)
    lw      s5, 72(sp)
    xor     t1, a2, t1
    xor     a2, t1, a3
    xor     s4, s5, a3
    xor     t1, s4, t1
    or      a3, s4, a2
    lw      s4, 440(a0)
    xor     a2, a3, s5
    lw      s5, 152(sp)
    xor     a3, a4, s4
    sw      a4, 252(sp)
    xor     s4, s5, t2
    xor     t2, a3, t2
    xor     a4, s4, a3
    lw      a3, 328(a0)
    or      t2, s4, t2
    xor     t2, t2, s5
    lw      s5, 76(sp)
    xor     s4, s8, a3
    sw      s8, 272(sp)
    xor     a3, s5, a2
    xor     s8, s4, a2
    xor     a2, a3, s4
    or      s4, a3, s8
    lw      s8, 444(a0)
    xor     a3, s4, s5
    lw      s5, 156(sp)
    xor     s4, a5, s8
    sw      a5, 276(sp)
    lw      s8, 332(a0)
    xor     t2, s5, t2
    lw      s5, 80(sp)
    xor     t2, t2, s4
    xor     a5, s9, s8
    xor     s4, s5, a3
    xor     s8, a5, a3
    xor     a3, s4, a5
    or      a5, s4, s8
    xor     s4, a5, s5
    lw      a5, 336(a0)
    xor     s8, a3, s2
    lw      a3, 84(sp)
    xor     s5, s10, a5
    sw      s10, 280(sp)
    xor     a5, a3, s4
    xor     s10, s5, s4
    xor     s4, a5, s5
    or      s5, a5, s10
    xor     a5, s5, a3
    lw      s5, 340(a0)
    xor     s10, s4, s1
    lw      s4, 88(sp)
    xor     a3, s11, s5
    sw      s11, 284(sp)
    xor     s5, s4, a5
    xor     s11, a3, a5
    xor     a5, s5, a3
    or      a3, s5, s11
    xor     s5, a3, s4
    lw      a3, 344(a0)
    xor     s11, a5, t6
    lw      a5, 92(sp)
    xor     s4, a4, a3
    sw      a4, 288(sp)
    xor     a3, a5, s5
    xor     a4, s4, s5
    xor     s5, a3, s4
    or      s4, a3, a4
    xor     a3, s4, a5
    lw      a5, 348(a0)
    xor     a4, s5, a1
    sw      t2, 292(sp)
    xor     s4, t2, a5
    lw      t2, 96(sp)
    xor     a5, s4, a3
    sw      a7, 296(sp)
    xor     s5, t2, a3
    xor     a3, s5, s4
    or      s4, s5, a5
    lw      s5, 352(a0)
    xor     t2, s4, t2
    lw      s4, 100(sp)
    xor     a5, a7, s5
    sw      s7, 300(sp)
    xor     s5, s4, t2
    xor     t2, a5, t2
    xor     a7, s5, a5
    lw      a5, 356(a0)
    or      t2, s5, t2
    xor     t2, t2, s4
    lw      s4, 104(sp)
    xor     s5, s7, a5
    sw      ra, 304(sp)
    xor     a5, s4, t2
    xor     t2, s5, t2
    xor     s7, a5, s5
    lw      s5, 360(a0)
    or      t2, a5, t2
    xor     t2, t2, s4
    xor     a5, ra, s5
    lw      ra, 108(sp)
    sw      s0, 308(sp)
    xor     s4, ra, t2
    xor     t2, a5, t2
    xor     s5, s4, a5
    or      t2, s4, t2
    xor     t2, t2, ra
    lw      ra, 364(a0)
    lw      a5, 112(sp)
    xor     ra, s0, ra
    lw      s0, 368(a0)
    xor     s4, a5, t2
    xor     t2, ra, t2
    xor     ra, s4, ra
    or      t2, s4, t2
    xor     t2, t2, a5
    lw      a5, 116(sp)
    xor     s4, a6, s0
    sw      a6, 312(sp)
    xor     s0, a5, t2
    xor     t2, s4, t2
    xor     a6, s0, s4
    lw      s4, 372(a0)
    or      t2, s0, t2
    xor     t2, t2, a5
    lw      a5, 120(sp)
    xor     s0, t3, s4
    sw      t3, 316(sp)
    xor     s4, a5, t2
    xor     t2, s0, t2
    xor     t3, s4, s0
    lw      s0, 376(a0)
    or      t2, s4, t2
    xor     t2, t2, a5
    lw      a5, 124(sp)
    xor     s4, s3, s0
    sw      s3, 320(sp)
    xor     s0, a5, t2
    xor     t2, s4, t2
    xor     s3, s0, s4
    lw      s4, 380(a0)
    or      t2, s0, t2
    xor     t2, t2, a5
    lw      a5, 64(sp)
    xor     s0, s6, s4
    sw      s6, 324(sp)
    lw      s4, 256(a0)
    xor     t2, a5, t2
    xor     t2, t2, s0
    xor     s6, t2, s4
    or      a5, t0, s6
    lw      s4, 260(a0)
    xor     s0, a5, t0
    xor     t0, t0, s6
    lw      s6, 36(sp)
    xor     a5, t5, s4
    sw      t5, 328(sp)
    xor     s4, s6, s0
    xor     t5, a5, s0
    xor     s0, s4, a5
    or      a5, s4, t5
    lw      t5, 264(a0)
    xor     s4, a5, s6
    xor     a5, t4, s4
    xor     s6, t1, t5
    xor     t5, s6, s4
    xor     s4, a5, s6
    or      s6, a5, t5
    lw      t5, 268(a0)
    xor     a5, s6, t4
    sw      t2, 36(sp)
    xor     t4, a2, t5
    lw      t2, 56(sp)
    xor     t5, t4, a5
    sw      s8, 56(sp)
    xor     s6, t2, a5
    xor     a5, s6, t4
    or      t4, s6, t5
    lw      s6, 272(a0)
    xor     t2, t4, t2
    xor     t5, a5, s2
    lw      a5, 40(sp)
    xor     t4, s8, s6
    sw      s10, 40(sp)
    xor     s6, a5, t2
    xor     t2, t4, t2
    xor     s8, s6, t4
    or      t2, s6, t2
    lw      s6, 276(a0)
    xor     t2, t2, a5
    xor     t4, s8, s1
    lw      s8, 44(sp)
    xor     a5, s10, s6
    sw      s11, 44(sp)
    xor     s6, s8, t2
    xor     t2, a5, t2
    xor     s10, s6, a5
    or      t2, s6, t2
    lw      s6, 280(a0)
    xor     t2, t2, s8
    xor     a5, s10, t6
    lw      s10, 48(sp)
    xor     s8, s11, s6
    sw      a4, 48(sp)
    xor     s6, s10, t2
    xor     t2, s8, t2
    xor     s11, s6, s8
    or      t2, s6, t2
    lw      s6, 284(a0)
    xor     t2, t2, s10
    xor     s8, s11, a1
    lw      s11, 52(sp)
    xor     s10, a4, s6
    sw      a3, 52(sp)
    xor     s6, s11, t2
    xor     t2, s10, t2
    xor     a4, s6, s10
    lw      s10, 288(a0)
    or      t2, s6, t2
    xor     t2, t2, s11
    lw      s11, 0(sp)
    xor     s6, a3, s10
    sw      a7, 332(sp)
    xor     s10, s11, t2
    xor     t2, s6, t2
    xor     a3, s10, s6
    lw      s6, 292(a0)
    or      t2, s10, t2
    xor     t2, t2, s11
    lw      s11, 4(sp)
    xor     s10, a7, s6
    sw      s7, 336(sp)
    xor     s6, s11, t2
    xor     t2, s10, t2
    xor     a7, s6, s10
    lw      s10, 296(a0)
    or      t2, s6, t2
    xor     t2, t2, s11
    lw      s11, 8(sp)
    xor     s6, s7, s10
    sw      s5, 340(sp)
    xor     s10, s11, t2
    xor     t2, s6, t2
    xor     s7, s10, s6
    lw      s6, 300(a0)
    or      t2, s10, t2
    xor     t2, t2, s11
    lw      s11, 12(sp)
    xor     s10, s5, s6
    sw      ra, 344(sp)
    xor     s6, s11, t2
    xor     t2, s10, t2
    xor     s5, s6, s10
    lw      s10, 304(a0)
    or      t2, s6, t2
    xor     t2, t2, s11
    xor     s6, ra, s10
    lw      ra, 16(sp)
    sw      a3, 348(sp)
    xor     s11, ra, t2
    xor     t2, s6, t2
    xor     s10, s11, s6
    or      t2, s11, t2
    xor     ra, t2, ra
    lw      t2, 192(a0)
    lw      s6, 244(sp)
    sw      a6, 244(sp)
    xor     t2, a3, t2
    or      s11, s6, t2
    xor     a3, s11, t2
    lw      s11, 308(a0)
    xor     t2, s6, t2
    sw      a2, 352(sp)
    xor     s6, a6, s11
    lw      s11, 20(sp)
    sw      a7, 356(sp)
    xor     a6, s11, ra
    xor     ra, s6, ra
    xor     a2, a6, s6
    lw      s6, 196(a0)
    or      ra, a6, ra
    xor     ra, ra, s11
    lw      s11, 196(sp)
    xor     a6, a7, s6
    xor     a7, a6, a3
    xor     s6, s11, a3
    xor     s11, s6, a6
    or      a3, s6, a7
    lw      a7, 312(a0)
    xor     s6, a3, a6
    lw      a6, 24(sp)
    xor     a3, t3, a7
    sw      t3, 196(sp)
    xor     a7, a6, ra
    xor     ra, a3, ra
    xor     t3, a7, a3
    lw      a3, 200(a0)
    or      ra, a7, ra
    xor     ra, ra, a6
    lw      a6, 200(sp)
    xor     a7, s7, a3
    sw      s7, 360(sp)
    xor     a3, a6, s6
    xor     s7, a7, s6
    xor     s6, a3, a7
    or      a7, a3, s7
    lw      s7, 316(a0)
    xor     a3, a7, a6
    lw      a6, 28(sp)
    xor     a7, s3, s7
    sw      s3, 200(sp)
    lw      s7, 204(a0)
    xor     ra, a6, ra
    lw      a6, 204(sp)
    xor     ra, ra, a7
    xor     s3, s5, s7
    xor     a7, a6, a3
    xor     s7, s3, a3
    xor     a3, a7, s3
    or      s3, a7, s7
    lw      s7, 208(a0)
    xor     a7, s3, a6
    xor     s3, a3, s2
    lw      a3, 208(sp)
    xor     a6, s10, s7
    sw      s10, 204(sp)
    xor     s7, a3, a7
    xor     s10, a6, a7
    xor     a7, s7, a6
    or      a6, s7, s10
    xor     s7, a6, a3
    lw      a6, 212(a0)
    xor     s10, a7, s1
    lw      a7, 212(sp)
    xor     a3, a2, a6
    sw      a2, 208(sp)
    xor     a6, a7, s7
    xor     a2, a3, s7
    xor     s7, a6, a3
    or      a3, a6, a2
    xor     a6, a3, a7
    lw      a3, 216(a0)
    xor     a2, s7, t6
    lw      s7, 216(sp)
    xor     a7, t3, a3
    sw      t3, 212(sp)
    xor     a3, s7, a6
    xor     t3, a7, a6
    xor     a6, a3, a7
    or      a7, a3, t3
    xor     a3, a7, s7
    lw      a7, 220(a0)
    xor     t3, a6, a1
    sw      ra, 216(sp)
    xor     s7, ra, a7
    lw      ra, 220(sp)
    xor     a7, s7, a3
    sw      t0, 220(sp)
    xor     a6, ra, a3
    xor     s7, a6, s7
    or      a3, a6, a7
    lw      a6, 224(a0)
    xor     ra, a3, ra
    xor     a7, t0, a6
    lw      t0, 224(sp)
    sw      s0, 224(sp)
    xor     a3, t0, ra
    xor     ra, a7, ra
    xor     a6, a3, a7
    or      ra, a3, ra
    xor     ra, ra, t0
    lw      t0, 228(a0)
    lw      a7, 228(sp)
    xor     t0, s0, t0
    lw      s0, 232(a0)
    xor     a3, a7, ra
    xor     ra, t0, ra
    xor     t0, a3, t0
    or      ra, a3, ra
    xor     ra, ra, a7
    lw      a7, 232(sp)
    xor     a3, s4, s0
    sw      s4, 228(sp)
    xor     s0, a7, ra
    xor     ra, a3, ra
    xor     s4, s0, a3
    lw      a3, 236(a0)
    or      ra, s0, ra
    xor     ra, ra, a7
    lw      a7, 240(sp)
    xor     s0, t5, a3
    sw      t5, 232(sp)
    xor     a3, a7, ra
    xor     ra, s0, ra
    xor     t5, a3, s0
    lw      s0, 240(a0)
    or      ra, a3, ra
    xor     ra, ra, a7
    lw      a7, 252(sp)
    xor     a3, t4, s0
    sw      t4, 240(sp)
    xor     s0, a7, ra
    xor     ra, a3, ra
    xor     t4, s0, a3
    lw      a3, 244(a0)
    or      ra, s0, ra
    xor     ra, ra, a7
    lw      a7, 276(sp)
    xor     s0, a5, a3
    sw      a5, 252(sp)
    xor     a3, a7, ra
    xor     ra, s0, ra
    xor     a5, a3, s0
    lw      s0, 248(a0)
    or      ra, a3, ra
    xor     ra, ra, a7
    lw      a7, 192(sp)
    xor     a3, s8, s0
    sw      s8, 276(sp)
    xor     s0, a7, ra
    xor     ra, a3, ra
    xor     s8, s0, a3
    lw      a3, 252(a0)
    or      ra, s0, ra
    xor     ra, ra, a7
    lw      a7, 60(sp)
    xor     s0, a4, a3
    sw      a4, 192(sp)
    xor     ra, a7, ra
    xor     a7, ra, s0
    lw      a3, 236(sp)
    lw      ra, 128(a0)
    sw      t2, 60(sp)
    sw      a7, 236(sp)
    xor     ra, a7, ra
    or      a4, a3, ra
    xor     s0, a4, a3
    lw      a4, 132(a0)
    xor     ra, a3, ra
    xor     a3, t2, a4
    lw      t2, 248(sp)
    xor     a7, a3, s0
    sw      s11, 248(sp)
    xor     a4, t2, s0
    xor     s0, a4, a3
    or      a3, a4, a7
    lw      a7, 136(a0)
    xor     t2, a3, t2
    lw      a3, 272(sp)
    xor     a4, s11, a7
    xor     a7, a3, t2
    xor     t2, a4, t2
    xor     s11, a7, a4
    lw      a4, 140(a0)
    or      t2, a7, t2
    xor     t2, t2, a3
    xor     a7, s6, a4
    xor     a3, s9, t2
    xor     t2, a7, t2
    xor     a4, a3, a7
    or      t2, a3, t2
    lw      a3, 144(a0)
    xor     t2, t2, s9
    xor     a7, a4, s2
    lw      a4, 280(sp)
    xor     s9, s3, a3
    sw      s6, 272(sp)
    xor     a3, a4, t2
    xor     t2, s9, t2
    xor     s6, a3, s9
    or      t2, a3, t2
    lw      a3, 148(a0)
    xor     t2, t2, a4
    xor     s9, s6, s1
    lw      s6, 284(sp)
    xor     a4, s10, a3
    sw      s3, 280(sp)
    xor     a3, s6, t2
    xor     t2, a4, t2
    xor     s3, a3, a4
    or      t2, a3, t2
    lw      a3, 152(a0)
    xor     t2, t2, s6
    xor     a4, s3, t6
    lw      s3, 288(sp)
    xor     s6, a2, a3
    sw      s10, 284(sp)
    xor     a3, s3, t2
    xor     t2, s6, t2
    xor     s10, a3, s6
    or      t2, a3, t2
    lw      a3, 156(a0)
    xor     t2, t2, s3
    xor     s6, s10, a1
    lw      s10, 292(sp)
    xor     s3, t3, a3
    sw      a2, 288(sp)
    xor     a3, s10, t2
    xor     t2, s3, t2
    xor     a2, a3, s3
    lw      s3, 160(a0)
    or      t2, a3, t2
    xor     t2, t2, s10
    lw      s10, 296(sp)
    xor     a3, s7, s3
    sw      t3, 292(sp)
    xor     s3, s10, t2
    xor     t2, a3, t2
    xor     t3, s3, a3
    lw      a3, 164(a0)
    or      t2, s3, t2
    xor     t2, t2, s10
    lw      s10, 300(sp)
    xor     s3, a6, a3
    sw      s7, 296(sp)
    xor     a3, s10, t2
    xor     t2, s3, t2
    xor     s7, a3, s3
    lw      s10, 168(a0)
    or      t2, a3, t2
    xor     t2, t2, s3
    lw      s3, 304(sp)
    xor     a3, t0, s10
    sw      a6, 300(sp)
    xor     s10, s3, t2
    xor     t2, a3, t2
    xor     a6, s10, a3
    lw      s3, 172(a0)
    or      t2, s10, t2
    xor     t2, t2, a3
    xor     s10, s4, s3
    sw      t0, 304(sp)
    lw      t0, 308(sp)
    sw      s4, 308(sp)
    lw      s4, 64(a0)
    xor     a3, t0, t2
    xor     t2, s10, t2
    xor     s3, a3, s10
    or      t2, a3, t2
    xor     t2, t2, t0
    lw      t0, 176(a0)
    lw      s10, 312(sp)
    xor     t0, t5, t0
    sw      t5, 312(sp)
    xor     a3, s10, t2
    xor     t2, t0, t2
    xor     t0, a3, t0
    or      t2, a3, t2
    xor     t2, t2, s10
    xor     a3, t3, s4
    or      s10, t1, a3
    xor     s4, s10, t1
    lw      s10, 180(a0)
    xor     t1, t1, a3
    sw      t4, 364(sp)
    xor     a3, t4, s10
    lw      s10, 316(sp)
    sw      t3, 160(sp)
    xor     t5, s10, t2
    xor     t2, a3, t2
    xor     t4, t5, a3
    lw      a3, 68(a0)
    or      t2, t5, t2
    xor     t2, t2, s10
    lw      s10, 352(sp)
    xor     t5, s7, a3
    xor     t3, t5, s4
    xor     a3, s10, s4
    xor     s10, a3, t5
    or      s4, a3, t3
    lw      t3, 184(a0)
    xor     a3, s4, t5
    lw      s4, 320(sp)
    xor     t5, a5, t3
    sw      a5, 316(sp)
    xor     t3, s4, t2
    xor     t2, t5, t2
    xor     a5, t3, t5
    lw      t5, 72(a0)
    or      t2, t3, t2
    xor     t2, t2, s4
    lw      s4, 56(sp)
    xor     t3, a6, t5
    sw      s7, 164(sp)
    xor     t5, s4, a3
    xor     s7, t3, a3
    xor     a3, t5, t3
    or      t3, t5, s7
    lw      s7, 188(a0)
    xor     t5, t3, s4
    lw      s4, 324(sp)
    xor     t3, s8, s7
    sw      s8, 56(sp)
    lw      s7, 76(a0)
    xor     t2, s4, t2
    lw      s4, 40(sp)
    xor     t2, t2, t3
    xor     s8, s3, s7
    xor     t3, s4, t5
    xor     s7, s8, t5
    xor     t5, t3, s8
    or      s8, t3, s7
    xor     t3, s8, s4
    lw      s4, 80(a0)
    xor     s7, t5, s2
    lw      t5, 44(sp)
    xor     s8, t0, s4
    sw      a6, 168(sp)
    xor     s4, t5, t3
    xor     a6, s8, t3
    xor     t3, s4, s8
    or      s8, s4, a6
    xor     s4, s8, t5
    lw      t5, 84(a0)
    xor     a6, t3, s1
    lw      t3, 48(sp)
    xor     s8, t4, t5
    sw      s3, 172(sp)
    xor     t5, t3, s4
    xor     s3, s8, s4
    xor     s4, t5, s8
    or      s8, t5, s3
    xor     t5, s8, t3
    lw      t3, 88(a0)
    xor     s3, s4, t6
    sw      t0, 176(sp)
    xor     s8, a5, t3
    lw      t0, 52(sp)
    xor     t3, s8, t5
    sw      t4, 180(sp)
    xor     s4, t0, t5
    xor     t5, s4, s8
    or      s8, s4, t3
    lw      t3, 92(a0)
    xor     t0, s8, t0
    xor     s4, t5, a1
    lw      t5, 332(sp)
    xor     s8, t2, t3
    sw      ra, 128(sp)
    xor     t3, t5, t0
    xor     t0, s8, t0
    xor     t4, t3, s8
    lw      s8, 96(a0)
    or      t0, t3, t0
    xor     t0, t0, t5
    xor     t3, ra, s8
    lw      ra, 336(sp)
    sw      s0, 132(sp)
    xor     t5, ra, t0
    xor     t0, t3, t0
    xor     s8, t5, t3
    or      t0, t5, t0
    xor     ra, t0, ra
    lw      t0, 100(a0)
    lw      t3, 340(sp)
    xor     t0, s0, t0
    lw      s0, 104(a0)
    xor     t5, t3, ra
    xor     ra, t0, ra
    xor     t0, t5, t0
    or      ra, t5, ra
    xor     ra, ra, t3
    lw      t3, 344(sp)
    xor     t5, s11, s0
    sw      s11, 136(sp)
    xor     s0, t3, ra
    xor     ra, t5, ra
    xor     s11, s0, t5
    lw      t5, 108(a0)
    or      ra, s0, ra
    xor     ra, ra, t3
    lw      t3, 244(sp)
    xor     s0, a7, t5
    sw      a7, 140(sp)
    xor     t5, t3, ra
    xor     ra, s0, ra
    xor     a7, t5, s0
    lw      s0, 112(a0)
    or      ra, t5, ra
    xor     ra, ra, t3
    lw      t3, 196(sp)
    xor     t5, s9, s0
    sw      s9, 144(sp)
    xor     s0, t3, ra
    xor     ra, t5, ra
    xor     s9, s0, t5
    lw      t5, 116(a0)
    or      ra, s0, ra
    xor     ra, ra, t3
    lw      t3, 200(sp)
    xor     s0, a4, t5
    sw      a4, 148(sp)
    xor     t5, t3, ra
    xor     ra, s0, ra
    xor     a4, t5, s0
    lw      s0, 120(a0)
    or      ra, t5, ra
    xor     ra, ra, t3
    lw      t3, 36(sp)
    xor     t5, s6, s0
    sw      s6, 152(sp)
    xor     s0, t3, ra
    xor     ra, t5, ra
    xor     s6, s0, t5
    lw      t5, 124(a0)
    or      ra, s0, ra
    xor     ra, ra, t3
    lw      t3, 328(sp)
    xor     s0, a2, t5
    sw      a2, 156(sp)
    lw      t5, 0(a0)
    xor     ra, t3, ra
    lw      t3, 348(sp)
    xor     ra, ra, s0
    xor     a2, ra, t5
    or      s0, t3, a2
    xor     t5, s0, t3
    xor     s0, t3, a2
    lw      t3, 4(a0)
    sw      t1, 64(sp)
    sw      a5, 184(sp)
    xor     a2, t1, t3
    lw      t1, 356(sp)
    xor     a5, a2, t5
    sw      s10, 68(sp)
    xor     t3, t1, t5
    xor     t5, t3, a2
    or      a2, t3, a5
    lw      t3, 8(a0)
    xor     t1, a2, t1
    lw      a2, 360(sp)
    xor     a5, s10, t3
    xor     t3, a2, t1
    xor     t1, a5, t1
    xor     s10, t3, a5
    lw      a5, 12(a0)
    or      t1, t3, t1
    xor     t1, t1, a2
    xor     t3, a3, a5
    xor     a2, s5, t1
    xor     t1, t3, t1
    xor     a5, a2, t3
    or      t1, a2, t1
    lw      a2, 16(a0)
    xor     t1, t1, s5
    xor     t3, a5, s2
    lw      a5, 204(sp)
    xor     s5, s7, a2
    xor     a2, a5, t1
    xor     t1, s5, t1
    xor     s2, a2, s5
    or      t1, a2, t1
    lw      a2, 20(a0)
    xor     t1, t1, a5
    xor     s5, s2, s1
    lw      s2, 208(sp)
    xor     a5, a6, a2
    xor     a2, s2, t1
    xor     t1, a5, t1
    xor     s1, a2, a5
    or      t1, a2, t1
    lw      a2, 24(a0)
    xor     t1, t1, s2
    xor     a5, s1, t6
    lw      s1, 212(sp)
    xor     s2, s3, a2
    xor     a2, s1, t1
    xor     t1, s2, t1
    xor     t6, a2, s2
    or      t1, a2, t1
    lw      a2, 28(a0)
    xor     t1, t1, s1
    xor     s2, t6, a1
    lw      t6, 216(sp)
    xor     s1, s4, a2
    sw      a3, 72(sp)
    xor     a2, t6, t1
    xor     t1, s1, t1
    xor     a1, a2, s1
    lw      s1, 32(a0)
    or      t1, a2, t1
    xor     t1, t1, t6
    lw      t6, 220(sp)
    xor     a2, t4, s1
    sw      t2, 188(sp)
    xor     s1, t6, t1
    xor     t1, a2, t1
    xor     a3, s1, a2
    lw      a2, 36(a0)
    or      t1, s1, t1
    xor     t1, t1, t6
    xor     s1, s8, a2
    lw      t2, 224(sp)
    sw      s7, 76(sp)
    xor     t6, t2, t1
    xor     t1, s1, t1
    xor     a2, t6, s1
    or      t1, t6, t1
    xor     t2, t1, t2
    lw      t1, 40(a0)
    lw      s1, 228(sp)
    xor     t1, t0, t1
    sw      a6, 80(sp)
    xor     t6, s1, t2
    xor     t2, t1, t2
    xor     s7, t6, t1
    or      t2, t6, t2
    xor     t2, t2, t1
    lw      t1, 44(a0)
    lw      s1, 232(sp)
    xor     t1, s11, t1
    lw      a6, 48(a0)
    xor     t6, s1, t2
    xor     t2, t1, t2
    xor     t1, t6, t1
    or      t2, t6, t2
    xor     t2, t2, s1
    lw      s1, 240(sp)
    xor     t6, a7, a6
    sw      s3, 84(sp)
    xor     a6, s1, t2
    xor     t2, t6, t2
    xor     t6, a6, t6
    lw      s3, 52(a0)
    or      t2, a6, t2
    xor     t2, t2, s1
    lw      s1, 252(sp)
    xor     a6, s9, s3
    sw      s4, 88(sp)
    xor     s3, s1, t2
    xor     t2, a6, t2
    xor     s4, s3, a6
    lw      a6, 56(a0)
    or      t2, s3, t2
    xor     t2, t2, s1
    lw      s1, 276(sp)
    xor     s3, a4, a6
    sw      t4, 92(sp)
    xor     a6, s1, t2
    xor     t2, s3, t2
    xor     t4, a6, s3
    lw      s3, 60(a0)
    or      t2, a6, t2
    xor     t2, t2, s1
    lw      s1, 192(sp)
    xor     a6, s6, s3
    sw      s8, 96(sp)
    xor     t2, s1, t2
    xor     t2, t2, a6
    sw      s0, 0(sp)
    sw      t5, 4(sp)
    sw      s10, 8(sp)
    sw      t3, 12(sp)
    sw      s5, 16(sp)
    sw      a5, 20(sp)
    sw      s2, 24(sp)
    sw      a1, 28(sp)
    sw      a3, 32(sp)
    sw      t0, 100(sp)
    sw      s11, 104(sp)
    sw      a7, 108(sp)
    sw      s9, 112(sp)
    sw      a4, 116(sp)
    sw      s6, 120(sp)
    sw      ra, 124(sp)
    mv      t3, a2
    mv      t5, t1
    mv      a1, s4
    mv      a2, t4
    mv      t4, s7
    mv      a3, t2
    lw      s0, 60(sp)
    lw      s1, 248(sp)
    lw      s2, 272(sp)
    lw      s3, 280(sp)
    lw      s4, 284(sp)
    lw      s5, 288(sp)
    lw      s6, 292(sp)
    lw      s7, 296(sp)
    lw      s8, 300(sp)
    lw      s9, 304(sp)
    lw      s10, 308(sp)
    lw      s11, 312(sp)
    lw      a4, 364(sp)
    lw      a5, 316(sp)
    lw      a6, 56(sp)
    lw      a7, 236(sp)
    lw      t1, 396(sp)
    lw      t0, 400(sp)
    li      t2, -1
    sub     a0, t1, a0
    addi    t0, t0, -1
    beq     t0, t2, 2f
    j       1b
2:
    lw      ra, 404(sp)
    ret
    .size   cham64_rv32i_x32_decrypt_rounds, . - cham64_rv32i_x32_decrypt_rounds

// CHAM-64/128, 32 blocks per group: ciphertext = E_k(plaintext).
// void hanji_cham64_128_rv32i_encrypt_x32(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: cham64_128.encrypt
     isa: rv32i
     blocks: 32
     align: 4
     layout: pairs_slices_numbered
     args: { a0: {buffer: out, bytes: 256 * groups, access: w}, a1: {buffer: in, bytes: 256 * groups, access: r},
             a2: {value: groups}, a3: {buffer: keys, bytes: 1088, access: r} }
     aliasing: out == in allowed
     stack: 464
     secrets: in, keys
*/
    .section .text.hanji_cham64_128_rv32i_encrypt_x32, "ax", @progbits
    .balign 4
    .globl  hanji_cham64_128_rv32i_encrypt_x32
    .hidden hanji_cham64_128_rv32i_encrypt_x32
    .type   hanji_cham64_128_rv32i_encrypt_x32, @function
hanji_cham64_128_rv32i_encrypt_x32:
    enter
    sw      a0, 368(sp)
    sw      a1, 372(sp)
    sw      a2, 376(sp)
    sw      a3, 380(sp)
1:
    lw      t2, 372(sp)
    gather  s0, s1, 0
    gather  s2, s3, 16
    gather  s4, s5, 32
    gather  s6, s7, 48
    gather  s8, s9, 64
    gather  s10, s11, 80
    gather  a4, a5, 96
    gather  a6, a7, 112
    jal     cham64_rv32i_x32_transpose
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
    gather  s0, s1, 4
    gather  s2, s3, 20
    gather  s4, s5, 36
    gather  s6, s7, 52
    gather  s8, s9, 68
    gather  s10, s11, 84
    gather  a4, a5, 100
    gather  a6, a7, 116
    jal     cham64_rv32i_x32_transpose
    not     s1, s1
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
    sw      a4, 176(sp)
    sw      a5, 180(sp)
    sw      a6, 184(sp)
    sw      a7, 188(sp)
    gather  s0, s1, 6
    gather  s2, s3, 22
    gather  s4, s5, 38
    gather  s6, s7, 54
    gather  s8, s9, 70
    gather  s10, s11, 86
    gather  a4, a5, 102
    gather  a6, a7, 118
    jal     cham64_rv32i_x32_transpose
    not     s0, s0
    not     s1, s1
    sw      s0, 192(sp)
    sw      s1, 196(sp)
    sw      s2, 200(sp)
    sw      s3, 204(sp)
    sw      s4, 208(sp)
    sw      s5, 212(sp)
    sw      s6, 216(sp)
    sw      s7, 220(sp)
    sw      s8, 224(sp)
    sw      s9, 228(sp)
    sw      s10, 232(sp)
    sw      s11, 236(sp)
    sw      a4, 240(sp)
    sw      a5, 244(sp)
    sw      a6, 248(sp)
    sw      a7, 252(sp)
    gather  s0, s1, 2
    gather  s2, s3, 18
    gather  s4, s5, 34
    gather  s6, s7, 50
    gather  s8, s9, 66
    gather  s10, s11, 82
    gather  a4, a5, 98
    gather  a6, a7, 114
    jal     cham64_rv32i_x32_transpose
    not     s0, s0
    lw      a0, 380(sp)
    addi    a0, a0, 64
    addi    t0, a0, 512
    add     t0, t0, a0
    sw      t0, 396(sp)
    jal     cham64_rv32i_x32_encrypt_rounds
    not     s0, s0
    jal     cham64_rv32i_x32_transpose
    lw      t2, 368(sp)
    scatter s0, 2
    scatter s1, 10
    scatter s2, 18
    scatter s3, 26
    scatter s4, 34
    scatter s5, 42
    scatter s6, 50
    scatter s7, 58
    scatter s8, 66
    scatter s9, 74
    scatter s10, 82
    scatter s11, 90
    scatter a4, 98
    scatter a5, 106
    scatter a6, 114
    scatter a7, 122
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
    jal     cham64_rv32i_x32_transpose
    scatter s0, 0
    scatter s1, 8
    scatter s2, 16
    scatter s3, 24
    scatter s4, 32
    scatter s5, 40
    scatter s6, 48
    scatter s7, 56
    scatter s8, 64
    scatter s9, 72
    scatter s10, 80
    scatter s11, 88
    scatter a4, 96
    scatter a5, 104
    scatter a6, 112
    scatter a7, 120
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
    lw      a4, 176(sp)
    lw      a5, 180(sp)
    lw      a6, 184(sp)
    lw      a7, 188(sp)
    not     s1, s1
    jal     cham64_rv32i_x32_transpose
    scatter s0, 4
    scatter s1, 12
    scatter s2, 20
    scatter s3, 28
    scatter s4, 36
    scatter s5, 44
    scatter s6, 52
    scatter s7, 60
    scatter s8, 68
    scatter s9, 76
    scatter s10, 84
    scatter s11, 92
    scatter a4, 100
    scatter a5, 108
    scatter a6, 116
    scatter a7, 124
    lw      s0, 192(sp)
    lw      s1, 196(sp)
    lw      s2, 200(sp)
    lw      s3, 204(sp)
    lw      s4, 208(sp)
    lw      s5, 212(sp)
    lw      s6, 216(sp)
    lw      s7, 220(sp)
    lw      s8, 224(sp)
    lw      s9, 228(sp)
    lw      s10, 232(sp)
    lw      s11, 236(sp)
    lw      a4, 240(sp)
    lw      a5, 244(sp)
    lw      a6, 248(sp)
    lw      a7, 252(sp)
    not     s0, s0
    not     s1, s1
    jal     cham64_rv32i_x32_transpose
    scatter s0, 6
    scatter s1, 14
    scatter s2, 22
    scatter s3, 30
    scatter s4, 38
    scatter s5, 46
    scatter s6, 54
    scatter s7, 62
    scatter s8, 70
    scatter s9, 78
    scatter s10, 86
    scatter s11, 94
    scatter a4, 102
    scatter a5, 110
    scatter a6, 118
    scatter a7, 126
    lw      t1, 372(sp)
    lw      t0, 376(sp)
    addi    t2, t2, 256
    addi    t1, t1, 256
    addi    t0, t0, -1
    sw      t2, 368(sp)
    sw      t1, 372(sp)
    sw      t0, 376(sp)
    beqz    t0, 2f
    j       1b
2:
    leave
    .size   hanji_cham64_128_rv32i_encrypt_x32, . - hanji_cham64_128_rv32i_encrypt_x32

// CHAM-64/128, 32 blocks per group: plaintext = D_k(ciphertext).
// void hanji_cham64_128_rv32i_decrypt_x32(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: cham64_128.decrypt
     isa: rv32i
     blocks: 32
     align: 4
     layout: pairs_slices_numbered
     args: { a0: {buffer: out, bytes: 256 * groups, access: w}, a1: {buffer: in, bytes: 256 * groups, access: r},
             a2: {value: groups}, a3: {buffer: keys, bytes: 1088, access: r} }
     aliasing: out == in allowed
     stack: 464
     secrets: in, keys
*/
    .section .text.hanji_cham64_128_rv32i_decrypt_x32, "ax", @progbits
    .balign 4
    .globl  hanji_cham64_128_rv32i_decrypt_x32
    .hidden hanji_cham64_128_rv32i_decrypt_x32
    .type   hanji_cham64_128_rv32i_decrypt_x32, @function
hanji_cham64_128_rv32i_decrypt_x32:
    enter
    sw      a0, 368(sp)
    sw      a1, 372(sp)
    sw      a2, 376(sp)
    sw      a3, 380(sp)
1:
    lw      t2, 372(sp)
    gather  s0, s1, 0
    gather  s2, s3, 16
    gather  s4, s5, 32
    gather  s6, s7, 48
    gather  s8, s9, 64
    gather  s10, s11, 80
    gather  a4, a5, 96
    gather  a6, a7, 112
    jal     cham64_rv32i_x32_transpose
    sw      s0, 0(sp)
    sw      s1, 4(sp)
    sw      s2, 8(sp)
    sw      s3, 12(sp)
    sw      s4, 16(sp)
    sw      s5, 20(sp)
    sw      s6, 24(sp)
    sw      s7, 28(sp)
    sw      s8, 32(sp)
    mv      t3, s9
    mv      t4, s10
    mv      t5, s11
    mv      t6, a4
    mv      a1, a5
    mv      a2, a6
    mv      a3, a7
    gather  s0, s1, 2
    gather  s2, s3, 18
    gather  s4, s5, 34
    gather  s6, s7, 50
    gather  s8, s9, 66
    gather  s10, s11, 82
    gather  a4, a5, 98
    gather  a6, a7, 114
    jal     cham64_rv32i_x32_transpose
    not     s0, s0
    sw      s0, 64(sp)
    sw      s1, 68(sp)
    sw      s2, 72(sp)
    sw      s3, 76(sp)
    sw      s4, 80(sp)
    sw      s5, 84(sp)
    sw      s6, 88(sp)
    sw      s7, 92(sp)
    sw      s8, 96(sp)
    sw      s9, 100(sp)
    sw      s10, 104(sp)
    sw      s11, 108(sp)
    sw      a4, 112(sp)
    sw      a5, 116(sp)
    sw      a6, 120(sp)
    sw      a7, 124(sp)
    gather  s0, s1, 4
    gather  s2, s3, 20
    gather  s4, s5, 36
    gather  s6, s7, 52
    gather  s8, s9, 68
    gather  s10, s11, 84
    gather  a4, a5, 100
    gather  a6, a7, 116
    jal     cham64_rv32i_x32_transpose
    not     s1, s1
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
    sw      a4, 176(sp)
    sw      a5, 180(sp)
    sw      a6, 184(sp)
    sw      a7, 188(sp)
    gather  s0, s1, 6
    gather  s2, s3, 22
    gather  s4, s5, 38
    gather  s6, s7, 54
    gather  s8, s9, 70
    gather  s10, s11, 86
    gather  a4, a5, 102
    gather  a6, a7, 118
    jal     cham64_rv32i_x32_transpose
    not     s0, s0
    not     s1, s1
    lw      a0, 380(sp)
    addi    a0, a0, 64
    addi    t0, a0, 512
    add     t0, t0, a0
    sw      t0, 396(sp)
    jal     cham64_rv32i_x32_decrypt_rounds
    not     s0, s0
    not     s1, s1
    jal     cham64_rv32i_x32_transpose
    lw      t2, 368(sp)
    scatter s0, 6
    scatter s1, 14
    scatter s2, 22
    scatter s3, 30
    scatter s4, 38
    scatter s5, 46
    scatter s6, 54
    scatter s7, 62
    scatter s8, 70
    scatter s9, 78
    scatter s10, 86
    scatter s11, 94
    scatter a4, 102
    scatter a5, 110
    scatter a6, 118
    scatter a7, 126
    lw      s0, 0(sp)
    lw      s1, 4(sp)
    lw      s2, 8(sp)
    lw      s3, 12(sp)
    lw      s4, 16(sp)
    lw      s5, 20(sp)
    lw      s6, 24(sp)
    lw      s7, 28(sp)
    lw      s8, 32(sp)
    mv      s9, t3
    mv      s10, t4
    mv      s11, t5
    mv      a4, t6
    mv      a5, a1
    mv      a6, a2
    mv      a7, a3
    jal     cham64_rv32i_x32_transpose
    scatter s0, 0
    scatter s1, 8
    scatter s2, 16
    scatter s3, 24
    scatter s4, 32
    scatter s5, 40
    scatter s6, 48
    scatter s7, 56
    scatter s8, 64
    scatter s9, 72
    scatter s10, 80
    scatter s11, 88
    scatter a4, 96
    scatter a5, 104
    scatter a6, 112
    scatter a7, 120
    lw      s0, 64(sp)
    lw      s1, 68(sp)
    lw      s2, 72(sp)
    lw      s3, 76(sp)
    lw      s4, 80(sp)
    lw      s5, 84(sp)
    lw      s6, 88(sp)
    lw      s7, 92(sp)
    lw      s8, 96(sp)
    lw      s9, 100(sp)
    lw      s10, 104(sp)
    lw      s11, 108(sp)
    lw      a4, 112(sp)
    lw      a5, 116(sp)
    lw      a6, 120(sp)
    lw      a7, 124(sp)
    not     s0, s0
    jal     cham64_rv32i_x32_transpose
    scatter s0, 2
    scatter s1, 10
    scatter s2, 18
    scatter s3, 26
    scatter s4, 34
    scatter s5, 42
    scatter s6, 50
    scatter s7, 58
    scatter s8, 66
    scatter s9, 74
    scatter s10, 82
    scatter s11, 90
    scatter a4, 98
    scatter a5, 106
    scatter a6, 114
    scatter a7, 122
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
    lw      a4, 176(sp)
    lw      a5, 180(sp)
    lw      a6, 184(sp)
    lw      a7, 188(sp)
    not     s1, s1
    jal     cham64_rv32i_x32_transpose
    scatter s0, 4
    scatter s1, 12
    scatter s2, 20
    scatter s3, 28
    scatter s4, 36
    scatter s5, 44
    scatter s6, 52
    scatter s7, 60
    scatter s8, 68
    scatter s9, 76
    scatter s10, 84
    scatter s11, 92
    scatter a4, 100
    scatter a5, 108
    scatter a6, 116
    scatter a7, 124
    lw      t1, 372(sp)
    lw      t0, 376(sp)
    addi    t2, t2, 256
    addi    t1, t1, 256
    addi    t0, t0, -1
    sw      t2, 368(sp)
    sw      t1, 372(sp)
    sw      t0, 376(sp)
    beqz    t0, 2f
    j       1b
2:
    leave
    .size   hanji_cham64_128_rv32i_decrypt_x32, . - hanji_cham64_128_rv32i_decrypt_x32

// CHAM-64/128, 32 blocks per group: out = in ^ E_k(counter + n).
// void hanji_cham64_128_rv32i_ctr_x32(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter, const void *keys);
/* kernel:
     spec: cham64_128.ctr
     isa: rv32i
     blocks: 32
     align: 4
     layout: pairs_slices_numbered
     args: { a0: {buffer: out, bytes: 256 * groups, access: w}, a1: {buffer: in, bytes: 256 * groups, access: r},
             a2: {value: groups}, a3: {buffer: counter, bytes: 8, access: rw}, a4: {buffer: keys, bytes: 1088, access: r} }
     aliasing: out == in allowed
     stack: 464
     secrets: in, counter, keys
*/
    .section .text.hanji_cham64_128_rv32i_ctr_x32, "ax", @progbits
    .balign 4
    .globl  hanji_cham64_128_rv32i_ctr_x32
    .hidden hanji_cham64_128_rv32i_ctr_x32
    .type   hanji_cham64_128_rv32i_ctr_x32, @function
hanji_cham64_128_rv32i_ctr_x32:
    enter
    sw      a0, 368(sp)
    sw      a1, 372(sp)
    sw      a2, 376(sp)
    sw      a3, 384(sp)
    sw      a4, 380(sp)
    lbu     t0, 4(a3)
    lbu     t1, 5(a3)
    slli    t0, t0, 8
    or      t0, t0, t1
    lbu     t1, 6(a3)
    slli    t0, t0, 8
    or      t0, t0, t1
    lbu     t1, 7(a3)
    slli    t0, t0, 8
    or      t0, t0, t1
    sw      t0, 388(sp)
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
    sw      t0, 392(sp)
1:
    lw      t0, 388(sp)
    slli    t2, t0, 31
    srai    t2, t2, 31
    li      ra, 0xaaaaaaaa
    xor     a0, t2, ra
    and     t1, t2, ra
    sw      a0, 224(sp)
    slli    t2, t0, 30
    srai    t2, t2, 31
    li      ra, 0xcccccccc
    xor     a0, t2, ra
    and     t2, t2, ra
    and     ra, a0, t1
    xor     a0, a0, t1
    or      t1, t2, ra
    sw      a0, 228(sp)
    slli    t2, t0, 29
    srai    t2, t2, 31
    li      ra, 0xf0f0f0f0
    xor     a0, t2, ra
    and     t2, t2, ra
    and     ra, a0, t1
    xor     a0, a0, t1
    or      t1, t2, ra
    sw      a0, 232(sp)
    slli    t2, t0, 28
    srai    t2, t2, 31
    li      ra, 0xff00ff00
    xor     a0, t2, ra
    and     t2, t2, ra
    and     ra, a0, t1
    xor     a0, a0, t1
    or      t1, t2, ra
    sw      a0, 236(sp)
    slli    t2, t0, 27
    srai    t2, t2, 31
    li      ra, 0xffff0000
    xor     a0, t2, ra
    and     t2, t2, ra
    and     ra, a0, t1
    xor     a0, a0, t1
    or      t1, t2, ra
    sw      a0, 240(sp)
    slli    t2, t0, 26
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 244(sp)
    slli    t2, t0, 25
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 248(sp)
    slli    t2, t0, 24
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 252(sp)
    slli    t2, t0, 23
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    not     a0, a0
    sw      a0, 192(sp)
    slli    t2, t0, 22
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    not     a0, a0
    sw      a0, 196(sp)
    slli    t2, t0, 21
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 200(sp)
    slli    t2, t0, 20
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 204(sp)
    slli    t2, t0, 19
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 208(sp)
    slli    t2, t0, 18
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 212(sp)
    slli    t2, t0, 17
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 216(sp)
    slli    t2, t0, 16
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 220(sp)
    slli    t2, t0, 15
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 160(sp)
    slli    t2, t0, 14
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 164(sp)
    slli    t2, t0, 13
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 168(sp)
    slli    t2, t0, 12
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 172(sp)
    slli    t2, t0, 11
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 176(sp)
    slli    t2, t0, 10
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 180(sp)
    slli    t2, t0, 9
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 184(sp)
    slli    t2, t0, 8
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 188(sp)
    slli    t2, t0, 7
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 128(sp)
    slli    t2, t0, 6
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    not     a0, a0
    sw      a0, 132(sp)
    slli    t2, t0, 5
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 136(sp)
    slli    t2, t0, 4
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 140(sp)
    slli    t2, t0, 3
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 144(sp)
    slli    t2, t0, 2
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 148(sp)
    slli    t2, t0, 1
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 152(sp)
    srai    t2, t0, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 156(sp)
    lw      t0, 392(sp)
    slli    t2, t0, 31
    srai    t2, t2, 31
    xor     s8, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 30
    srai    t2, t2, 31
    xor     s9, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 29
    srai    t2, t2, 31
    xor     s10, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 28
    srai    t2, t2, 31
    xor     s11, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 27
    srai    t2, t2, 31
    xor     a4, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 26
    srai    t2, t2, 31
    xor     a5, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 25
    srai    t2, t2, 31
    xor     a6, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 24
    srai    t2, t2, 31
    xor     a7, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 23
    srai    t2, t2, 31
    xor     s0, t2, t1
    and     t1, t2, t1
    not     s0, s0
    slli    t2, t0, 22
    srai    t2, t2, 31
    xor     s1, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 21
    srai    t2, t2, 31
    xor     s2, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 20
    srai    t2, t2, 31
    xor     s3, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 19
    srai    t2, t2, 31
    xor     s4, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 18
    srai    t2, t2, 31
    xor     s5, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 17
    srai    t2, t2, 31
    xor     s6, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 16
    srai    t2, t2, 31
    xor     s7, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 15
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 32(sp)
    slli    t2, t0, 14
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 36(sp)
    slli    t2, t0, 13
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 40(sp)
    slli    t2, t0, 12
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 44(sp)
    slli    t2, t0, 11
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 48(sp)
    slli    t2, t0, 10
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 52(sp)
    slli    t2, t0, 9
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 56(sp)
    slli    t2, t0, 8
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
    sw      a0, 60(sp)
    slli    t2, t0, 7
    srai    t2, t2, 31
    xor     t3, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 6
    srai    t2, t2, 31
    xor     t4, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 5
    srai    t2, t2, 31
    xor     t5, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 4
    srai    t2, t2, 31
    xor     t6, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 3
    srai    t2, t2, 31
    xor     a1, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 2
    srai    t2, t2, 31
    xor     a2, t2, t1
    and     t1, t2, t1
    slli    t2, t0, 1
    srai    t2, t2, 31
    xor     a3, t2, t1
    and     t1, t2, t1
    srai    t2, t0, 31
    xor     a0, t2, t1
    sw      a0, 28(sp)
    lw      t0, 388(sp)
    addi    t1, t0, 32
    sw      t1, 388(sp)
    sltu    t0, t1, t0
    lw      t1, 392(sp)
    add     t1, t1, t0
    sw      t1, 392(sp)
    lw      a0, 380(sp)
    addi    a0, a0, 64
    addi    t0, a0, 512
    add     t0, t0, a0
    sw      t0, 396(sp)
    jal     cham64_rv32i_x32_encrypt_rounds
    not     s0, s0
    jal     cham64_rv32i_x32_transpose
    lw      t2, 368(sp)
    lw      a0, 372(sp)
    scatter_added s0, 2
    scatter_added s1, 10
    scatter_added s2, 18
    scatter_added s3, 26
    scatter_added s4, 34
    scatter_added s5, 42
    scatter_added s6, 50
    scatter_added s7, 58
    scatter_added s8, 66
    scatter_added s9, 74
    scatter_added s10, 82
    scatter_added s11, 90
    scatter_added a4, 98
    scatter_added a5, 106
    scatter_added a6, 114
    scatter_added a7, 122
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
    jal     cham64_rv32i_x32_transpose
    scatter_added s0, 0
    scatter_added s1, 8
    scatter_added s2, 16
    scatter_added s3, 24
    scatter_added s4, 32
    scatter_added s5, 40
    scatter_added s6, 48
    scatter_added s7, 56
    scatter_added s8, 64
    scatter_added s9, 72
    scatter_added s10, 80
    scatter_added s11, 88
    scatter_added a4, 96
    scatter_added a5, 104
    scatter_added a6, 112
    scatter_added a7, 120
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
    lw      a4, 176(sp)
    lw      a5, 180(sp)
    lw      a6, 184(sp)
    lw      a7, 188(sp)
    not     s1, s1
    jal     cham64_rv32i_x32_transpose
    scatter_added s0, 4
    scatter_added s1, 12
    scatter_added s2, 20
    scatter_added s3, 28
    scatter_added s4, 36
    scatter_added s5, 44
    scatter_added s6, 52
    scatter_added s7, 60
    scatter_added s8, 68
    scatter_added s9, 76
    scatter_added s10, 84
    scatter_added s11, 92
    scatter_added a4, 100
    scatter_added a5, 108
    scatter_added a6, 116
    scatter_added a7, 124
    lw      s0, 192(sp)
    lw      s1, 196(sp)
    lw      s2, 200(sp)
    lw      s3, 204(sp)
    lw      s4, 208(sp)
    lw      s5, 212(sp)
    lw      s6, 216(sp)
    lw      s7, 220(sp)
    lw      s8, 224(sp)
    lw      s9, 228(sp)
    lw      s10, 232(sp)
    lw      s11, 236(sp)
    lw      a4, 240(sp)
    lw      a5, 244(sp)
    lw      a6, 248(sp)
    lw      a7, 252(sp)
    not     s0, s0
    not     s1, s1
    jal     cham64_rv32i_x32_transpose
    scatter_added s0, 6
    scatter_added s1, 14
    scatter_added s2, 22
    scatter_added s3, 30
    scatter_added s4, 38
    scatter_added s5, 46
    scatter_added s6, 54
    scatter_added s7, 62
    scatter_added s8, 70
    scatter_added s9, 78
    scatter_added s10, 86
    scatter_added s11, 94
    scatter_added a4, 102
    scatter_added a5, 110
    scatter_added a6, 118
    scatter_added a7, 126
    lw      t1, 372(sp)
    lw      t0, 376(sp)
    addi    t2, t2, 256
    addi    t1, t1, 256
    addi    t0, t0, -1
    sw      t2, 368(sp)
    sw      t1, 372(sp)
    sw      t0, 376(sp)
    beqz    t0, 2f
    j       1b
2:
    lw      t2, 384(sp)
    lw      t0, 388(sp)
    sb      t0, 7(t2)
    srli    t0, t0, 8
    sb      t0, 6(t2)
    srli    t0, t0, 8
    sb      t0, 5(t2)
    srli    t0, t0, 8
    sb      t0, 4(t2)
    lw      t0, 392(sp)
    sb      t0, 3(t2)
    srli    t0, t0, 8
    sb      t0, 2(t2)
    srli    t0, t0, 8
    sb      t0, 1(t2)
    srli    t0, t0, 8
    sb      t0, 0(t2)
    leave
    .size   hanji_cham64_128_rv32i_ctr_x32, . - hanji_cham64_128_rv32i_ctr_x32

#endif
