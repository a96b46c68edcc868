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
    addi    sp, sp, -560
    sw      ra, 508(sp)
    sw      s0, 512(sp)
    sw      s1, 516(sp)
    sw      s2, 520(sp)
    sw      s3, 524(sp)
    sw      s4, 528(sp)
    sw      s5, 532(sp)
    sw      s6, 536(sp)
    sw      s7, 540(sp)
    sw      s8, 544(sp)
    sw      s9, 548(sp)
    sw      s10, 552(sp)
    sw      s11, 556(sp)
.endm

.macro leave
    lw      ra, 508(sp)
    lw      s0, 512(sp)
    lw      s1, 516(sp)
    lw      s2, 520(sp)
    lw      s3, 524(sp)
    lw      s4, 528(sp)
    lw      s5, 532(sp)
    lw      s6, 536(sp)
    lw      s7, 540(sp)
    lw      s8, 544(sp)
    lw      s9, 548(sp)
    lw      s10, 552(sp)
    lw      s11, 556(sp)
    addi    sp, sp, 560
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
    sw      ra, 492(sp)
1:
    // Bits 3 to 6 of the number of the round are the number of the pass.
    sw      t0, 488(sp)
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
    lw      t3, 160(sp)
    lw      t4, 64(a0)
    not     t1, s0
    xor     s0, t3, t4
    and     t4, t1, s0
    xor     t1, t1, s0
    lw      s0, 8(a0)
    xor     s0, s1, s0
    xor     t5, t5, ra
    xor     t3, s0, ra
    xor     s0, t5, s0
    and     t3, t5, t3
    xor     ra, t3, ra
    lw      t5, 68(a0)
    sw      t1, 272(sp)
    lw      t1, 164(sp)
    xor     t3, t1, t5
    xor     t5, s1, t4
    xor     s1, t3, t4
    xor     t3, t5, t3
    and     t5, t5, s1
    xor     s1, t5, t4
    lw      t5, 256(sp)
    xor     t4, t6, t5
    lw      t6, 12(a0)
    xor     t6, s2, t6
    xor     t4, t4, ra
    xor     t1, t6, ra
    xor     t6, t4, t6
    and     t1, t4, t1
    xor     t1, t1, ra
    lw      t4, 168(sp)
    lw      ra, 72(a0)
    sw      t3, 276(sp)
    xor     ra, t4, ra
    xor     t3, s2, s1
    xor     s2, ra, s1
    xor     ra, t3, ra
    and     t3, t3, s2
    xor     s2, t3, s1
    lw      t3, 260(sp)
    xor     s1, a1, t3
    lw      a1, 16(a0)
    xor     a1, s3, a1
    xor     s1, s1, t1
    xor     t4, a1, t1
    xor     a1, s1, a1
    and     s1, s1, t4
    xor     t1, s1, t1
    xor     t4, s3, t5
    lw      s1, 76(a0)
    sw      ra, 280(sp)
    lw      ra, 172(sp)
    xor     s3, ra, s1
    xor     s1, t4, s2
    xor     t4, s3, s2
    xor     s3, s1, s3
    and     s1, s1, t4
    xor     t4, s1, s2
    lw      s1, 264(sp)
    xor     s2, a2, s1
    lw      a2, 20(a0)
    xor     a2, s4, a2
    xor     s2, s2, t1
    xor     ra, a2, t1
    xor     a2, s2, a2
    and     ra, s2, ra
    xor     ra, ra, t1
    xor     t1, s4, t3
    lw      s4, 176(sp)
    lw      s2, 80(a0)
    sw      s3, 284(sp)
    xor     s3, s4, s2
    xor     t1, t1, t4
    xor     s2, s3, t4
    xor     s3, t1, s3
    and     t1, t1, s2
    lw      s2, 268(sp)
    xor     t1, t1, t4
    xor     t4, a3, s2
    lw      a3, 24(a0)
    xor     a3, s5, a3
    xor     t4, t4, ra
    xor     s4, a3, ra
    xor     a3, t4, a3
    and     t4, t4, s4
    xor     ra, t4, ra
    xor     s4, s5, s1
    lw      s5, 180(sp)
    lw      t4, 84(a0)
    sw      s3, 288(sp)
    xor     s3, s5, t4
    xor     t4, s4, t1
    xor     s4, s3, t1
    xor     s3, t4, s3
    and     t4, t4, s4
    lw      s4, 28(a0)
    xor     t1, t4, t1
    xor     t4, s6, s4
    lw      s4, 28(sp)
    xor     s5, s4, ra
    xor     s4, t4, ra
    xor     t4, s5, t4
    and     s5, s5, s4
    xor     ra, s5, ra
    xor     s4, s6, s2
    lw      s6, 184(sp)
    lw      s5, 88(a0)
    sw      s3, 292(sp)
    xor     s3, s6, s5
    xor     s5, s4, t1
    xor     s4, s3, t1
    xor     s3, s5, s3
    and     s5, s5, s4
    lw      s4, 128(a0)
    xor     t1, s5, t1
    lw      s5, 252(sp)
    xor     s6, s5, s4
    lw      s4, 128(sp)
    and     s5, s4, s6
    xor     s6, s4, s6
    sw      s3, 296(sp)
    lw      s3, 32(a0)
    xor     s3, s7, s3
    sw      s6, 300(sp)
    lw      s6, 32(sp)
    xor     s2, s6, ra
    xor     s6, s3, ra
    xor     s3, s2, s3
    and     s6, s2, s6
    xor     ra, s6, ra
    lw      s6, 188(sp)
    lw      s2, 92(a0)
    sw      a7, 304(sp)
    xor     a7, s6, s2
    xor     s2, s7, t1
    xor     s7, a7, t1
    xor     a7, s2, a7
    and     s2, s2, s7
    lw      s7, 132(sp)
    xor     t1, s2, t1
    not     s2, s7
    lw      s6, 132(a0)
    sw      a7, 308(sp)
    lw      a7, 192(sp)
    sw      t4, 312(sp)
    xor     t4, a7, s6
    xor     s6, s2, s5
    xor     s2, t4, s5
    xor     t4, s6, t4
    and     s6, s6, s2
    xor     s2, s6, s5
    lw      s5, 192(a0)
    not     s6, a7
    xor     a7, t2, s5
    and     s5, s6, a7
    xor     s6, s6, a7
    lw      a7, 36(a0)
    xor     a7, s8, a7
    sw      s6, 316(sp)
    sw      t2, 320(sp)
    lw      t2, 36(sp)
    xor     t2, t2, ra
    xor     s6, a7, ra
    xor     a7, t2, a7
    and     t2, t2, s6
    xor     ra, t2, ra
    lw      t2, 96(a0)
    xor     t2, s4, t2
    xor     s6, s8, t1
    xor     s4, t2, t1
    xor     t2, s6, t2
    and     s8, s6, s4
    lw      s4, 196(sp)
    lw      s6, 136(a0)
    xor     t1, s8, t1
    xor     s8, s4, s6
    sw      t2, 324(sp)
    lw      t2, 136(sp)
    xor     s6, t2, s2
    sw      t4, 328(sp)
    xor     t4, s8, s2
    xor     s8, s6, s8
    and     s6, s6, t4
    xor     t4, s6, s2
    lw      s6, 196(a0)
    not     s2, s4
    xor     s4, t0, s6
    xor     s6, s2, s5
    xor     s2, s4, s5
    xor     s4, s6, s4
    and     s6, s6, s2
    xor     s2, s6, s5
    lw      s6, 40(a0)
    xor     s5, s9, s6
    lw      s6, 40(sp)
    sw      s4, 332(sp)
    xor     s4, s6, ra
    xor     s6, s5, ra
    xor     s5, s4, s5
    and     s6, s4, s6
    lw      s4, 100(a0)
    xor     ra, s6, ra
    xor     s6, s7, s4
    xor     s7, s9, t1
    xor     s4, s6, t1
    xor     s9, s7, s6
    and     s6, s7, s4
    lw      s7, 140(sp)
    xor     t1, s6, t1
    xor     s4, s7, t5
    lw      s6, 140(a0)
    sw      s9, 336(sp)
    sw      t0, 340(sp)
    lw      t0, 200(sp)
    xor     s9, t0, s6
    xor     s6, s4, t4
    xor     s4, s9, t4
    xor     s9, s6, s9
    and     s6, s6, s4
    xor     s4, s6, t4
    lw      s6, 200(a0)
    xor     t4, s0, s6
    xor     t0, t0, s2
    xor     s6, t4, s2
    xor     t4, t0, t4
    and     t0, t0, s6
    lw      s6, 44(a0)
    xor     t0, t0, s2
    xor     s2, s10, s6
    lw      s6, 44(sp)
    sw      t4, 344(sp)
    xor     t4, s6, ra
    xor     s6, s2, ra
    xor     s2, t4, s2
    and     t4, t4, s6
    lw      s6, 104(a0)
    xor     ra, t4, ra
    xor     t2, t2, s6
    xor     t4, s10, t1
    xor     s6, t2, t1
    xor     t2, t4, t2
    and     s10, t4, s6
    lw      t4, 144(sp)
    xor     t1, s10, t1
    xor     s6, t4, t3
    lw      s10, 144(a0)
    sw      t2, 348(sp)
    lw      t2, 204(sp)
    sw      s0, 352(sp)
    xor     s0, t2, s10
    xor     s10, s6, s4
    xor     s6, s0, s4
    xor     s0, s10, s0
    and     s10, s10, s6
    xor     s6, s10, s4
    lw      s4, 204(a0)
    xor     t2, t2, t5
    xor     s10, t6, s4
    xor     t2, t2, t0
    xor     s4, s10, t0
    xor     s10, t2, s10
    and     t2, t2, s4
    xor     t0, t2, t0
    lw      t2, 48(a0)
    lw      s4, 48(sp)
    xor     t2, s11, t2
    sw      s10, 356(sp)
    xor     s10, s4, ra
    xor     s4, t2, ra
    xor     t2, s10, t2
    and     s10, s10, s4
    lw      s4, 108(a0)
    xor     ra, s10, ra
    xor     s10, s7, s4
    xor     s7, s11, t1
    xor     s4, s10, t1
    xor     s11, s7, s10
    and     s10, s7, s4
    lw      s7, 148(sp)
    xor     t1, s10, t1
    xor     s4, s7, s1
    lw      s10, 148(a0)
    sw      s11, 360(sp)
    lw      s11, 208(sp)
    sw      t6, 364(sp)
    xor     t6, s11, s10
    xor     s10, s4, s6
    xor     s4, t6, s6
    xor     t6, s10, t6
    and     s10, s10, s4
    xor     s4, s10, s6
    lw      s6, 208(a0)
    xor     s10, s11, t3
    xor     s11, a1, s6
    xor     s6, s10, t0
    xor     s10, s11, t0
    xor     s11, s6, s11
    and     s6, s6, s10
    lw      s10, 52(a0)
    xor     t0, s6, t0
    xor     s6, a4, s10
    lw      s10, 52(sp)
    sw      s11, 368(sp)
    xor     s11, s10, ra
    xor     s10, s6, ra
    xor     s6, s11, s6
    and     s11, s11, s10
    lw      s10, 112(a0)
    xor     ra, s11, ra
    xor     s11, t4, s10
    xor     s10, a4, t1
    xor     t4, s11, t1
    xor     a4, s10, s11
    and     s11, s10, t4
    lw      s10, 268(sp)
    lw      t4, 152(sp)
    xor     t1, s11, t1
    xor     s11, t4, s10
    sw      a4, 372(sp)
    lw      a4, 152(a0)
    sw      a1, 376(sp)
    lw      a1, 212(sp)
    xor     t3, a1, a4
    xor     a4, s11, s4
    xor     s11, t3, s4
    xor     t3, a4, t3
    and     s11, a4, s11
    xor     a4, s11, s4
    lw      s4, 212(a0)
    xor     s11, a1, s1
    xor     a1, a2, s4
    xor     s4, s11, t0
    xor     s11, a1, t0
    xor     a1, s4, a1
    and     s11, s4, s11
    lw      s4, 56(a0)
    xor     t0, s11, t0
    xor     s11, a5, s4
    lw      s4, 56(sp)
    sw      a1, 380(sp)
    xor     a1, s4, ra
    xor     s4, s11, ra
    xor     s11, a1, s11
    and     a1, a1, s4
    lw      s4, 116(a0)
    xor     ra, a1, ra
    xor     a1, s7, s4
    xor     s4, a5, t1
    xor     s7, a1, t1
    xor     a5, s4, a1
    and     a1, s4, s7
    lw      s7, 216(sp)
    lw      s4, 156(a0)
    xor     t1, a1, t1
    xor     a1, s7, s4
    lw      s4, 156(sp)
    sw      a5, 384(sp)
    xor     a5, s4, a4
    sw      a2, 388(sp)
    xor     a2, a1, a4
    xor     a1, a5, a1
    and     a5, a5, a2
    xor     a2, a5, a4
    lw      a5, 216(a0)
    xor     a4, s7, s10
    xor     s7, a3, a5
    xor     a5, a4, t0
    xor     a4, s7, t0
    xor     s7, a5, s7
    and     a5, a5, a4
    lw      a4, 60(a0)
    xor     t0, a5, t0
    xor     a5, a6, a4
    lw      a4, 60(sp)
    sw      s7, 392(sp)
    lw      s7, 120(a0)
    xor     ra, a4, ra
    xor     ra, ra, a5
    xor     a4, t4, s7
    xor     a5, a6, t1
    xor     s7, a4, t1
    xor     t4, a5, a4
    lw      a4, 256(a0)
    and     a6, a5, s7
    xor     t1, a6, t1
    xor     s7, t4, a4
    and     a5, s3, s7
    xor     a6, s3, s7
    lw      s7, 220(sp)
    lw      a4, 160(a0)
    sw      t4, 396(sp)
    xor     t4, s7, a4
    lw      a4, 160(sp)
    sw      a3, 400(sp)
    xor     a3, a4, a2
    xor     a4, t4, a2
    xor     t4, a3, t4
    and     a3, a3, a4
    xor     a4, a3, a2
    lw      a3, 312(sp)
    lw      a2, 220(a0)
    sw      a6, 32(sp)
    xor     a6, a3, a2
    xor     a2, s7, t0
    xor     s7, a6, t0
    xor     a6, a2, a6
    and     a2, a2, s7
    lw      s7, 124(a0)
    xor     t0, a2, t0
    xor     a2, s4, s7
    lw      s4, 304(sp)
    lw      s7, 260(a0)
    xor     t1, s4, t1
    xor     t1, t1, a2
    xor     s4, t1, s7
    xor     a2, a7, a5
    xor     s7, s4, a5
    xor     s4, a2, s4
    and     a2, a2, s7
    xor     s7, a2, a5
    lw      a2, 300(sp)
    lw      a5, 320(a0)
    not     t1, t1
    xor     a3, a2, a5
    and     a5, t1, a3
    xor     t1, t1, a3
    lw      a3, 164(a0)
    sw      t1, 304(sp)
    lw      t1, 224(sp)
    xor     a2, t1, a3
    lw      a3, 164(sp)
    sw      a6, 404(sp)
    xor     a6, a3, a4
    xor     a3, a2, a4
    xor     a2, a6, a2
    and     a6, a6, a3
    xor     a3, a6, a4
    lw      a6, 224(a0)
    xor     a4, s3, a6
    xor     t1, t1, t0
    xor     s3, a4, t0
    xor     a6, t1, a4
    and     t1, t1, s3
    xor     t1, t1, t0
    not     t0, s5
    lw      s3, 272(sp)
    lw      a4, 264(a0)
    sw      a6, 408(sp)
    xor     a6, s3, a4
    xor     t0, t0, s7
    xor     a4, a6, s7
    xor     a6, t0, a6
    and     t0, t0, a4
    xor     t0, t0, s7
    lw      s7, 328(sp)
    lw      a4, 324(a0)
    sw      a6, 40(sp)
    xor     a6, s7, a4
    xor     a4, s3, a5
    xor     s3, a6, a5
    xor     a6, a4, a6
    and     a4, a4, s3
    xor     s3, a4, a5
    lw      a5, 228(sp)
    lw      a4, 168(a0)
    xor     s7, a5, a4
    lw      a4, 168(sp)
    sw      a6, 272(sp)
    xor     a6, a4, a3
    xor     a4, s7, a3
    xor     s7, a6, s7
    and     a6, a6, a4
    xor     a4, a6, a3
    lw      a6, 228(a0)
    xor     a3, a7, a6
    xor     a6, a5, t1
    xor     a7, a3, t1
    xor     a5, a6, a3
    and     a3, a6, a7
    xor     t1, a3, t1
    xor     a6, s2, t5
    lw      a3, 276(sp)
    lw      a7, 268(a0)
    sw      a5, 412(sp)
    xor     a5, a3, a7
    xor     a7, a6, t0
    xor     a6, a5, t0
    xor     a5, a7, a5
    and     a7, a7, a6
    xor     t0, a7, t0
    lw      a7, 328(a0)
    not     a6, a3
    xor     a3, s8, a7
    xor     a7, a6, s3
    xor     a6, a3, s3
    xor     a3, a7, a3
    and     a7, a7, a6
    xor     a6, a7, s3
    lw      a7, 232(sp)
    lw      s3, 172(a0)
    sw      a3, 276(sp)
    xor     a3, a7, s3
    lw      s3, 172(sp)
    sw      s8, 416(sp)
    xor     s8, s3, a4
    xor     s3, a3, a4
    xor     a3, s8, a3
    and     s8, s8, s3
    xor     s3, s8, a4
    lw      a4, 232(a0)
    xor     s8, s5, a4
    xor     a4, a7, t1
    xor     s5, s8, t1
    xor     a7, a4, s8
    and     s8, a4, s5
    lw      a4, 260(sp)
    xor     t1, s8, t1
    xor     s5, t2, a4
    lw      s8, 272(a0)
    sw      a7, 420(sp)
    lw      a7, 280(sp)
    sw      a5, 44(sp)
    xor     a5, a7, s8
    xor     s8, s5, t0
    xor     s5, a5, t0
    xor     a5, s8, a5
    and     s8, s8, s5
    xor     t0, s8, t0
    lw      s8, 332(a0)
    xor     s5, a7, t5
    xor     a7, s9, s8
    xor     s8, s5, a6
    xor     s5, a7, a6
    xor     a7, s8, a7
    and     s8, s8, s5
    xor     s5, s8, a6
    lw      s8, 236(sp)
    lw      a6, 176(a0)
    sw      a7, 280(sp)
    xor     a7, s8, a6
    lw      a6, 176(sp)
    sw      s9, 424(sp)
    xor     s9, a6, s3
    xor     a6, a7, s3
    xor     a7, s9, a7
    and     s9, s9, a6
    xor     a6, s9, s3
    lw      s9, 236(a0)
    xor     s3, s2, s9
    xor     s2, s8, t1
    xor     s9, s3, t1
    xor     s8, s2, s3
    and     s3, s2, s9
    xor     t1, s3, t1
    xor     s2, s6, s1
    lw      s3, 284(sp)
    lw      s9, 276(a0)
    sw      s8, 428(sp)
    xor     s8, s3, s9
    xor     s9, s2, t0
    xor     s2, s8, t0
    xor     s8, s9, s8
    and     s9, s9, s2
    xor     t0, s9, t0
    lw      s9, 336(a0)
    xor     s2, s3, a4
    xor     s3, s0, s9
    xor     s9, s2, s5
    xor     s2, s3, s5
    xor     s3, s9, s3
    and     s9, s9, s2
    xor     s2, s9, s5
    lw      s5, 240(sp)
    lw      s9, 180(a0)
    sw      s3, 284(sp)
    xor     s3, s5, s9
    lw      s9, 180(sp)
    sw      s0, 432(sp)
    xor     s0, s9, a6
    xor     s9, s3, a6
    xor     s3, s0, s3
    and     s9, s0, s9
    xor     s0, s9, a6
    lw      s9, 240(a0)
    xor     t2, t2, s9
    xor     a6, s5, t1
    xor     s9, t2, t1
    xor     t2, a6, t2
    and     s5, a6, s9
    xor     t1, s5, t1
    xor     a6, s11, s10
    lw      s9, 280(a0)
    sw      t2, 436(sp)
    lw      t2, 288(sp)
    xor     s5, t2, s9
    xor     s9, a6, t0
    xor     a6, s5, t0
    xor     s5, s9, s5
    and     s9, s9, a6
    lw      a6, 340(a0)
    xor     t0, s9, t0
    xor     t2, t2, s1
    xor     s9, t6, a6
    xor     t2, t2, s2
    xor     a6, s9, s2
    xor     s9, t2, s9
    and     t2, t2, a6
    xor     t2, t2, s2
    lw      s2, 244(sp)
    lw      a6, 184(a0)
    sw      s9, 288(sp)
    xor     s9, s2, a6
    lw      a6, 184(sp)
    sw      t6, 440(sp)
    xor     t6, a6, s0
    xor     a6, s9, s0
    xor     s9, t6, s9
    and     t6, t6, a6
    xor     a6, t6, s0
    lw      t6, 244(a0)
    xor     s0, s6, t6
    xor     s6, s2, t1
    xor     t6, s0, t1
    xor     s2, s6, s0
    and     s0, s6, t6
    lw      t6, 292(sp)
    lw      s6, 284(a0)
    xor     t1, s0, t1
    xor     s0, t6, s6
    xor     s6, ra, t0
    sw      s2, 444(sp)
    xor     s2, s0, t0
    xor     s0, s6, s0
    and     s6, s6, s2
    xor     t0, s6, t0
    lw      s6, 344(a0)
    xor     s2, t6, s10
    xor     t6, t3, s6
    xor     s6, s2, t2
    xor     s2, t6, t2
    xor     t6, s6, t6
    and     s6, s6, s2
    xor     t2, s6, t2
    lw      s6, 248(sp)
    lw      s2, 188(a0)
    sw      t6, 292(sp)
    xor     t6, s6, s2
    lw      s2, 188(sp)
    sw      t3, 448(sp)
    xor     t3, s2, a6
    lw      a6, 248(a0)
    xor     s2, t3, t6
    xor     t6, s11, a6
    xor     t3, s6, t1
    xor     s11, t6, t1
    xor     a6, t3, t6
    lw      t6, 384(a0)
    and     s6, t3, s11
    xor     t1, s6, t1
    xor     t3, a6, t6
    and     s11, t4, t3
    xor     s6, t4, t3
    lw      t3, 296(sp)
    lw      t6, 288(a0)
    sw      s6, 160(sp)
    xor     s6, t3, t6
    lw      t6, 320(sp)
    sw      a6, 452(sp)
    xor     a6, t6, t0
    xor     t6, s6, t0
    xor     s6, a6, s6
    and     a6, a6, t6
    lw      t6, 348(a0)
    xor     t0, a6, t0
    xor     a6, a1, t6
    xor     t6, t3, t2
    xor     t3, a6, t2
    xor     a6, t6, a6
    and     t6, t6, t3
    lw      t3, 252(a0)
    xor     t2, t6, t2
    lw      t6, 252(sp)
    xor     ra, ra, t3
    xor     t1, t6, t1
    lw      t3, 388(a0)
    xor     ra, t1, ra
    not     t1, a2
    xor     t6, ra, t3
    xor     t1, t1, s11
    xor     t3, t6, s11
    xor     t6, t1, t6
    and     t1, t1, t3
    xor     t1, t1, s11
    not     ra, ra
    lw      s11, 32(sp)
    lw      t3, 448(a0)
    sw      a6, 296(sp)
    xor     a6, s11, t3
    and     t3, ra, a6
    xor     ra, ra, a6
    lw      s11, 308(sp)
    lw      a6, 292(a0)
    sw      t6, 164(sp)
    xor     t6, s11, a6
    sw      ra, 196(sp)
    lw      ra, 340(sp)
    xor     ra, ra, t0
    xor     a6, t6, t0
    xor     t6, ra, t6
    and     ra, ra, a6
    xor     ra, ra, t0
    lw      t0, 352(a0)
    xor     t0, t4, t0
    xor     a6, s11, t2
    xor     t4, t0, t2
    xor     t0, a6, t0
    and     s11, a6, t4
    xor     t2, s11, t2
    not     t4, s7
    lw      a6, 392(a0)
    sw      t0, 308(sp)
    lw      t0, 316(sp)
    xor     s11, t0, a6
    xor     a6, t4, t1
    xor     t4, s11, t1
    xor     s11, a6, s11
    and     t4, a6, t4
    lw      a6, 452(a0)
    xor     t1, t4, t1
    not     t0, t0
    xor     t4, s4, a6
    xor     t0, t0, t3
    xor     a6, t4, t3
    xor     t4, t0, t4
    and     t0, t0, a6
    xor     t0, t0, t3
    lw      t3, 324(sp)
    lw      a6, 296(a0)
    sw      s4, 36(sp)
    xor     s4, t3, a6
    lw      a6, 352(sp)
    sw      s11, 168(sp)
    xor     s11, a6, ra
    xor     a6, s4, ra
    xor     s4, s11, s4
    and     s11, s11, a6
    lw      a6, 356(a0)
    xor     ra, s11, ra
    xor     s11, a2, a6
    xor     a2, t3, t2
    xor     a6, s11, t2
    xor     t3, a2, s11
    and     s11, a2, a6
    xor     t2, s11, t2
    xor     a2, a3, t5
    lw      s11, 332(sp)
    lw      a6, 396(a0)
    sw      t4, 200(sp)
    xor     t4, s11, a6
    xor     a6, a2, t1
    xor     a2, t4, t1
    xor     t4, a6, t4
    and     a6, a6, a2
    xor     t1, a6, t1
    not     a2, s11
    lw      s11, 40(sp)
    lw      a6, 456(a0)
    sw      t3, 316(sp)
    xor     t3, s11, a6
    xor     a6, a2, t0
    xor     a2, t3, t0
    xor     t3, a6, t3
    and     a6, a6, a2
    lw      a2, 300(a0)
    xor     t0, a6, t0
    lw      a6, 336(sp)
    xor     s11, a6, a2
    lw      a2, 364(sp)
    sw      t4, 172(sp)
    xor     t4, a2, ra
    xor     a2, s11, ra
    xor     s11, t4, s11
    and     t4, t4, a2
    lw      a2, 360(a0)
    xor     ra, t4, ra
    xor     t4, s7, a2
    xor     a2, a6, t2
    xor     s7, t4, t2
    xor     a6, a2, t4
    and     t4, a2, s7
    xor     t2, t4, t2
    xor     a2, a7, a4
    lw      t4, 344(sp)
    lw      s7, 400(a0)
    sw      t3, 204(sp)
    xor     t3, t4, s7
    xor     s7, a2, t1
    xor     a2, t3, t1
    xor     t3, s7, t3
    and     s7, s7, a2
    xor     t1, s7, t1
    lw      s7, 460(a0)
    xor     a2, t4, t5
    lw      t4, 44(sp)
    xor     t5, t4, s7
    xor     s7, a2, t0
    xor     a2, t5, t0
    xor     t5, s7, t5
    and     s7, s7, a2
    lw      a2, 304(a0)
    xor     t0, s7, t0
    lw      s7, 348(sp)
    xor     t4, s7, a2
    lw      a2, 376(sp)
    sw      a6, 320(sp)
    xor     a6, a2, ra
    xor     a2, t4, ra
    xor     t4, a6, t4
    and     a6, a6, a2
    lw      a2, 364(a0)
    xor     ra, a6, ra
    xor     a6, a3, a2
    xor     a3, s7, t2
    xor     a2, a6, t2
    xor     s7, a3, a6
    and     a6, a3, a2
    xor     t2, a6, t2
    xor     a3, s3, s1
    lw      a6, 356(sp)
    lw      a2, 404(a0)
    sw      t3, 176(sp)
    xor     t3, a6, a2
    xor     a2, a3, t1
    xor     a3, t3, t1
    xor     t3, a2, t3
    and     a2, a2, a3
    xor     t1, a2, t1
    lw      a2, 464(a0)
    xor     a3, a6, a4
    xor     a6, a5, a2
    xor     a2, a3, t0
    xor     a3, a6, t0
    xor     a6, a2, a6
    and     a2, a2, a3
    lw      a3, 308(a0)
    xor     t0, a2, t0
    lw      a2, 360(sp)
    xor     a4, a2, a3
    lw      a3, 388(sp)
    sw      a5, 48(sp)
    xor     a5, a3, ra
    xor     a3, a4, ra
    xor     a4, a5, a4
    and     a5, a5, a3
    lw      a3, 368(a0)
    xor     ra, a5, ra
    xor     a5, a7, a3
    xor     a7, a2, t2
    xor     a3, a5, t2
    xor     a5, a7, a5
    and     a2, a7, a3
    xor     t2, a2, t2
    xor     a3, s9, s10
    lw      a2, 368(sp)
    lw      a7, 408(a0)
    sw      t5, 208(sp)
    xor     t5, a2, a7
    xor     a7, a3, t1
    xor     a3, t5, t1
    xor     t5, a7, t5
    and     a3, a7, a3
    xor     t1, a3, t1
    lw      a3, 468(a0)
    xor     a7, a2, s1
    xor     a2, s8, a3
    xor     a3, a7, t0
    xor     a7, a2, t0
    xor     a2, a3, a2
    and     a7, a3, a7
    lw      a3, 312(a0)
    xor     t0, a7, t0
    lw      a7, 372(sp)
    xor     s1, a7, a3
    lw      a3, 400(sp)
    sw      s8, 52(sp)
    xor     s8, a3, ra
    xor     a3, s1, ra
    xor     s1, s8, s1
    and     s8, s8, a3
    lw      a3, 372(a0)
    xor     ra, s8, ra
    xor     s8, s3, a3
    xor     s3, a7, t2
    xor     a3, s8, t2
    xor     a7, s3, s8
    and     s8, s3, a3
    lw      a3, 380(sp)
    lw      s3, 412(a0)
    xor     t2, s8, t2
    xor     s8, a3, s3
    xor     s3, s2, t1
    sw      s7, 324(sp)
    xor     s7, s8, t1
    xor     s8, s3, s8
    and     s3, s3, s7
    xor     t1, s3, t1
    lw      s3, 472(a0)
    xor     s7, a3, s10
    xor     a3, s5, s3
    xor     s3, s7, t0
    xor     s7, a3, t0
    xor     a3, s3, a3
    and     s3, s3, s7
    lw      s7, 316(a0)
    xor     t0, s3, t0
    lw      s3, 384(sp)
    xor     s10, s3, s7
    lw      s7, 312(sp)
    sw      s5, 56(sp)
    lw      s5, 376(a0)
    xor     ra, s7, ra
    xor     ra, ra, s10
    xor     s7, s9, s5
    xor     s10, s3, t2
    xor     s5, s7, t2
    xor     s9, s10, s7
    and     s3, s10, s5
    lw      s5, 392(sp)
    lw      s7, 416(a0)
    xor     t2, s3, t2
    lw      s3, 300(sp)
    xor     s10, s5, s7
    xor     s7, s3, t1
    xor     s3, s10, t1
    xor     s10, s7, s10
    and     s7, s7, s3
    lw      s3, 476(a0)
    xor     t1, s7, t1
    xor     s7, s0, s3
    xor     s3, s5, t0
    xor     s5, s7, t0
    xor     s7, s3, s7
    and     s3, s3, s5
    lw      s5, 380(a0)
    xor     t0, s3, t0
    xor     s3, s2, s5
    lw      s5, 396(sp)
    xor     t2, s5, t2
    lw      s5, 404(sp)
    lw      s2, 420(a0)
    xor     t2, t2, s3
    xor     s3, s5, s2
    lw      s2, 328(sp)
    sw      s0, 60(sp)
    xor     s0, s2, t1
    xor     s2, s3, t1
    xor     s3, s0, s3
    and     s0, s0, s2
    lw      s2, 480(a0)
    xor     t1, s0, t1
    xor     s0, s6, s2
    xor     s2, s5, t0
    xor     s5, s0, t0
    xor     s0, s2, s0
    and     s5, s2, s5
    xor     t0, s5, t0
    lw      s5, 408(sp)
    lw      s2, 424(a0)
    sw      s6, 300(sp)
    xor     s6, s5, s2
    lw      s2, 416(sp)
    sw      t3, 180(sp)
    xor     t3, s2, t1
    xor     s2, s6, t1
    xor     s6, t3, s6
    and     t3, t3, s2
    lw      s2, 484(a0)
    xor     t1, t3, t1
    xor     t3, t6, s2
    xor     s2, s5, t0
    xor     s5, t3, t0
    xor     t3, s2, t3
    and     s2, s2, s5
    xor     t0, s2, t0
    lw      s2, 412(sp)
    lw      s5, 428(a0)
    sw      t6, 312(sp)
    xor     t6, s2, s5
    lw      s5, 424(sp)
    sw      a6, 212(sp)
    xor     a6, s5, t1
    xor     s5, t6, t1
    xor     t6, a6, t6
    and     a6, a6, s5
    lw      s5, 488(a0)
    xor     t1, a6, t1
    xor     a6, s4, s5
    xor     s5, s2, t0
    xor     s2, a6, t0
    xor     a6, s5, a6
    and     s5, s5, s2
    xor     t0, s5, t0
    lw      s5, 420(sp)
    lw      s2, 432(a0)
    sw      s4, 328(sp)
    xor     s4, s5, s2
    lw      s2, 432(sp)
    sw      a5, 332(sp)
    xor     a5, s2, t1
    xor     s2, s4, t1
    xor     s4, a5, s4
    and     a5, a5, s2
    lw      s2, 492(a0)
    xor     t1, a5, t1
    xor     a5, s11, s2
    xor     s2, s5, t0
    xor     s5, a5, t0
    xor     a5, s2, a5
    and     s2, s2, s5
    xor     t0, s2, t0
    lw      s2, 428(sp)
    lw      s5, 436(a0)
    sw      s11, 336(sp)
    xor     s11, s2, s5
    lw      s5, 440(sp)
    sw      t5, 184(sp)
    xor     t5, s5, t1
    xor     s5, s11, t1
    xor     s11, t5, s11
    and     t5, t5, s5
    lw      s5, 496(a0)
    xor     t1, t5, t1
    xor     t5, t4, s5
    xor     s5, s2, t0
    xor     s2, t5, t0
    xor     t5, s5, t5
    and     s2, s5, s2
    xor     t0, s2, t0
    lw      s2, 436(sp)
    lw      s5, 440(a0)
    sw      t4, 340(sp)
    xor     t4, s2, s5
    lw      s5, 448(sp)
    sw      a2, 216(sp)
    xor     a2, s5, t1
    xor     s5, t4, t1
    xor     t4, a2, t4
    and     a2, a2, s5
    lw      s5, 500(a0)
    xor     t1, a2, t1
    xor     a2, a4, s5
    xor     s5, s2, t0
    xor     s2, a2, t0
    xor     a2, s5, a2
    and     s5, s5, s2
    xor     t0, s5, t0
    lw      s5, 444(sp)
    lw      s2, 444(a0)
    sw      a4, 344(sp)
    xor     a4, s5, s2
    lw      s2, 504(a0)
    xor     t1, a1, t1
    xor     t1, t1, a4
    xor     a1, s1, s2
    xor     a4, s5, t0
    xor     s2, a1, t0
    xor     s5, a4, a1
    and     a1, a4, s2
    lw      a4, 508(a0)
    xor     t0, a1, t0
    lw      a1, 452(sp)
    xor     s2, ra, a4
    xor     t0, a1, t0
    xor     t0, t0, s2
    sw      ra, 28(sp)
    sw      s10, 128(sp)
    sw      s3, 132(sp)
    sw      s6, 136(sp)
    sw      t6, 140(sp)
    sw      s4, 144(sp)
    sw      s11, 148(sp)
    sw      t4, 152(sp)
    sw      t1, 156(sp)
    sw      s8, 188(sp)
    sw      t0, 192(sp)
    sw      a3, 220(sp)
    sw      s7, 224(sp)
    sw      s0, 228(sp)
    sw      t3, 232(sp)
    sw      a6, 236(sp)
    sw      a5, 240(sp)
    sw      t5, 244(sp)
    sw      a2, 248(sp)
    sw      s5, 252(sp)
    lw      t3, 300(sp)
    lw      t4, 312(sp)
    lw      t5, 328(sp)
    lw      t6, 336(sp)
    lw      a1, 340(sp)
    lw      a2, 344(sp)
    mv      a3, s1
    mv      s0, t2
    lw      s1, 304(sp)
    lw      s2, 272(sp)
    lw      s3, 276(sp)
    lw      s4, 280(sp)
    lw      s5, 284(sp)
    lw      s6, 288(sp)
    lw      s7, 292(sp)
    lw      s8, 296(sp)
    lw      s10, 316(sp)
    lw      s11, 320(sp)
    lw      a4, 324(sp)
    lw      a5, 332(sp)
    mv      a6, a7
    mv      a7, s9
    lw      s9, 308(sp)
    lw      t1, 484(sp)
    lw      t0, 488(sp)
    sub     a0, t1, a0
    li      t1, 11
    addi    t0, t0, 1
    beq     t0, t1, 2f
    j       1b
2:
    lw      ra, 492(sp)
    ret
    .size   cham64_rv32i_x32_encrypt_rounds, . - cham64_rv32i_x32_encrypt_rounds

// The rounds to decrypt on slices at their places; a0 points to the masks of the first. Uses all registers but sp, gp, tp.
    .section .text.cham64_rv32i_x32_decrypt_rounds, "ax", @progbits
    .balign 4
    .type   cham64_rv32i_x32_decrypt_rounds, @function
cham64_rv32i_x32_decrypt_rounds:
    li      t0, 10
    sw      ra, 492(sp)
1:
    // Bits 3 to 6 of the number of the round are the number of the pass.
    sw      t0, 488(sp)
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
    lw      t2, 196(sp)
    lw      ra, 448(a0)
    xor     t1, t0, ra
    or      ra, t2, t1
    xor     ra, ra, t2
    xor     t2, t2, t1
    not     t1, t2
    lw      t0, 36(sp)
    lw      t2, 452(a0)
    sw      s0, 272(sp)
    xor     t2, t0, t2
    lw      t0, 200(sp)
    xor     s0, t0, ra
    xor     ra, t2, ra
    xor     t2, s0, t2
    or      ra, s0, ra
    xor     ra, ra, t0
    not     t0, t2
    lw      s0, 40(sp)
    lw      t2, 456(a0)
    sw      a7, 276(sp)
    lw      a7, 204(sp)
    xor     t2, s0, t2
    xor     s0, a7, ra
    xor     ra, t2, ra
    xor     t2, s0, t2
    or      ra, s0, ra
    xor     ra, ra, a7
    not     t2, t2
    lw      a7, 44(sp)
    lw      s0, 460(a0)
    sw      a6, 280(sp)
    xor     a6, a7, s0
    lw      s0, 208(sp)
    xor     a7, s0, ra
    xor     ra, a6, ra
    xor     a6, a7, a6
    or      ra, a7, ra
    lw      a7, 256(sp)
    xor     ra, ra, s0
    xor     s0, a6, a7
    lw      a6, 464(a0)
    sw      a5, 284(sp)
    lw      a5, 48(sp)
    sw      a4, 288(sp)
    xor     a4, a5, a6
    lw      a6, 212(sp)
    xor     a5, a6, ra
    xor     ra, a4, ra
    xor     a4, a5, a4
    or      ra, a5, ra
    lw      a5, 260(sp)
    xor     ra, ra, a6
    xor     a6, a4, a5
    lw      a4, 468(a0)
    sw      s11, 292(sp)
    lw      s11, 52(sp)
    sw      s10, 296(sp)
    xor     s10, s11, a4
    lw      a4, 216(sp)
    xor     s11, a4, ra
    xor     ra, s10, ra
    xor     s10, s11, s10
    or      ra, s11, ra
    lw      s11, 264(sp)
    xor     ra, ra, a4
    xor     a4, s10, s11
    lw      s10, 472(a0)
    sw      s9, 300(sp)
    lw      s9, 56(sp)
    sw      s8, 304(sp)
    xor     s8, s9, s10
    lw      s10, 220(sp)
    xor     s9, s10, ra
    xor     ra, s8, ra
    xor     s8, s9, s8
    or      ra, s9, ra
    lw      s9, 268(sp)
    xor     ra, ra, s10
    xor     s10, s8, s9
    lw      s8, 476(a0)
    sw      s7, 308(sp)
    lw      s7, 60(sp)
    sw      s6, 312(sp)
    xor     s6, s7, s8
    lw      s8, 224(sp)
    xor     s7, s8, ra
    xor     ra, s6, ra
    xor     s6, s7, s6
    or      ra, s7, ra
    lw      s7, 480(a0)
    xor     ra, ra, s8
    xor     s8, t3, s7
    lw      s7, 228(sp)
    sw      t3, 316(sp)
    xor     t3, s7, ra
    xor     ra, s8, ra
    xor     s8, t3, s8
    or      ra, t3, ra
    lw      t3, 484(a0)
    xor     ra, ra, s7
    xor     s7, t4, t3
    lw      t3, 232(sp)
    sw      t4, 320(sp)
    xor     t4, t3, ra
    xor     ra, s7, ra
    xor     s7, t4, s7
    or      ra, t4, ra
    lw      t4, 488(a0)
    xor     ra, ra, t3
    xor     t3, t5, t4
    lw      t4, 236(sp)
    sw      t5, 324(sp)
    xor     t5, t4, ra
    xor     ra, t3, ra
    xor     t3, t5, t3
    or      ra, t5, ra
    lw      t5, 492(a0)
    xor     ra, ra, t4
    xor     t4, t6, t5
    lw      t5, 240(sp)
    sw      t6, 328(sp)
    xor     t6, t5, ra
    xor     ra, t4, ra
    xor     t4, t6, t4
    or      ra, t6, ra
    lw      t6, 496(a0)
    xor     ra, ra, t5
    xor     t5, a1, t6
    lw      t6, 244(sp)
    sw      a1, 332(sp)
    xor     a1, t6, ra
    xor     ra, t5, ra
    xor     t5, a1, t5
    or      ra, a1, ra
    lw      a1, 500(a0)
    xor     ra, ra, t6
    xor     t6, a2, a1
    lw      a1, 248(sp)
    sw      a2, 336(sp)
    xor     a2, a1, ra
    xor     ra, t6, ra
    xor     t6, a2, t6
    or      ra, a2, ra
    lw      a2, 504(a0)
    xor     ra, ra, a1
    xor     a1, a3, a2
    lw      a2, 252(sp)
    sw      a3, 340(sp)
    xor     a3, a2, ra
    xor     ra, a1, ra
    xor     a1, a3, a1
    or      ra, a3, ra
    xor     ra, ra, a2
    lw      a2, 28(sp)
    lw      a3, 508(a0)
    sw      s5, 344(sp)
    xor     s5, a2, a3
    lw      a3, 192(sp)
    lw      a2, 384(a0)
    xor     ra, a3, ra
    xor     ra, ra, s5
    lw      s5, 160(sp)
    xor     a3, ra, a2
    or      a2, s5, a3
    xor     a2, a2, s5
    xor     a3, s5, a3
    lw      s5, 388(a0)
    xor     s5, t1, s5
    sw      t1, 348(sp)
    lw      t1, 164(sp)
    sw      ra, 352(sp)
    xor     ra, t1, a2
    xor     a2, s5, a2
    xor     s5, ra, s5
    or      ra, ra, a2
    lw      a2, 392(a0)
    xor     ra, ra, t1
    not     t1, s5
    xor     s5, t0, a2
    sw      t0, 356(sp)
    lw      t0, 168(sp)
    xor     a2, t0, ra
    xor     ra, s5, ra
    xor     s5, a2, s5
    or      ra, a2, ra
    lw      a2, 396(a0)
    xor     ra, ra, t0
    not     t0, s5
    xor     s5, t2, a2
    sw      t2, 360(sp)
    lw      t2, 172(sp)
    xor     a2, t2, ra
    xor     ra, s5, ra
    xor     s5, a2, s5
    or      ra, a2, ra
    lw      a2, 400(a0)
    xor     ra, ra, t2
    xor     t2, s5, a7
    xor     s5, s0, a2
    lw      a2, 176(sp)
    sw      s0, 364(sp)
    xor     s0, a2, ra
    xor     ra, s5, ra
    xor     s5, s0, s5
    or      ra, s0, ra
    xor     ra, ra, a2
    lw      a2, 404(a0)
    xor     s0, s5, a5
    xor     s5, a6, a2
    lw      a2, 180(sp)
    sw      a6, 368(sp)
    xor     a6, a2, ra
    xor     ra, s5, ra
    xor     s5, a6, s5
    or      ra, a6, ra
    xor     ra, ra, a2
    lw      a2, 408(a0)
    xor     a6, s5, s11
    xor     s5, a4, a2
    lw      a2, 184(sp)
    sw      a4, 372(sp)
    xor     a4, a2, ra
    xor     ra, s5, ra
    xor     s5, a4, s5
    or      ra, a4, ra
    xor     ra, ra, a2
    lw      a2, 412(a0)
    xor     a4, s5, s9
    xor     s5, s10, a2
    lw      a2, 188(sp)
    sw      s10, 376(sp)
    xor     s10, a2, ra
    xor     ra, s5, ra
    xor     s5, s10, s5
    or      ra, s10, ra
    lw      s10, 416(a0)
    xor     ra, ra, a2
    xor     a2, s6, s10
    lw      s10, 128(sp)
    sw      s6, 380(sp)
    xor     s6, s10, ra
    xor     ra, a2, ra
    xor     a2, s6, a2
    or      ra, s6, ra
    lw      s6, 420(a0)
    xor     ra, ra, s10
    xor     s10, s8, s6
    lw      s6, 132(sp)
    sw      s8, 384(sp)
    xor     s8, s6, ra
    xor     ra, s10, ra
    xor     s10, s8, s10
    or      ra, s8, ra
    lw      s8, 424(a0)
    xor     ra, ra, s6
    xor     s6, s7, s8
    lw      s8, 136(sp)
    sw      s7, 388(sp)
    xor     s7, s8, ra
    xor     ra, s6, ra
    xor     s6, s7, s6
    or      ra, s7, ra
    lw      s7, 428(a0)
    xor     ra, ra, s8
    xor     s8, t3, s7
    lw      s7, 140(sp)
    sw      t3, 392(sp)
    xor     t3, s7, ra
    xor     ra, s8, ra
    xor     s8, t3, s8
    or      ra, t3, ra
    lw      t3, 432(a0)
    xor     ra, ra, s7
    xor     s7, t4, t3
    lw      t3, 144(sp)
    sw      t4, 396(sp)
    xor     t4, t3, ra
    xor     ra, s7, ra
    xor     s7, t4, s7
    or      ra, t4, ra
    lw      t4, 320(a0)
    xor     ra, ra, t3
    xor     t3, a2, t4
    or      t4, s1, t3
    xor     t4, t4, s1
    xor     s1, s1, t3
    not     t3, s1
    lw      s1, 436(a0)
    xor     s1, t5, s1
    sw      a2, 400(sp)
    lw      a2, 148(sp)
    sw      t5, 404(sp)
    xor     t5, a2, ra
    xor     ra, s1, ra
    xor     s1, t5, s1
    or      ra, t5, ra
    lw      t5, 324(a0)
    xor     ra, ra, a2
    xor     a2, s10, t5
    xor     t5, s2, t4
    xor     t4, a2, t4
    xor     a2, t5, a2
    or      t5, t5, t4
    xor     t4, t5, s2
    lw      t5, 440(a0)
    xor     s2, t6, t5
    lw      t5, 152(sp)
    sw      s10, 408(sp)
    xor     s10, t5, ra
    xor     ra, s2, ra
    xor     s2, s10, s2
    or      ra, s10, ra
    lw      s10, 328(a0)
    xor     ra, ra, t5
    xor     t5, s6, s10
    xor     s10, s3, t4
    xor     t4, t5, t4
    xor     t5, s10, t5
    or      s10, s10, t4
    xor     t4, s10, s3
    lw      s10, 444(a0)
    not     s3, t5
    xor     t5, a1, s10
    lw      s10, 156(sp)
    sw      s6, 412(sp)
    lw      s6, 332(a0)
    xor     ra, s10, ra
    xor     ra, ra, t5
    xor     s10, s8, s6
    xor     t5, s4, t4
    xor     s6, s10, t4
    xor     t4, t5, s10
    or      s10, t5, s6
    xor     s6, s10, s4
    lw      s10, 336(a0)
    xor     t5, t4, a7
    lw      t4, 344(sp)
    xor     s4, s7, s10
    xor     s10, t4, s6
    xor     s6, s4, s6
    xor     s4, s10, s4
    or      s6, s10, s6
    xor     s10, s6, t4
    lw      t4, 340(a0)
    xor     s6, s4, a5
    xor     s4, s1, t4
    lw      t4, 312(sp)
    sw      s1, 344(sp)
    xor     s1, t4, s10
    xor     s10, s4, s10
    xor     s4, s1, s4
    or      s10, s1, s10
    xor     s1, s10, t4
    lw      t4, 344(a0)
    xor     s10, s4, s11
    xor     s4, s2, t4
    lw      t4, 308(sp)
    sw      s2, 312(sp)
    xor     s2, t4, s1
    xor     s1, s4, s1
    xor     s4, s2, s4
    or      s1, s2, s1
    xor     s2, s1, t4
    lw      s1, 348(a0)
    xor     t4, s4, s9
    xor     s4, ra, s1
    sw      ra, 308(sp)
    lw      ra, 304(sp)
    xor     s1, ra, s2
    xor     s2, s4, s2
    xor     s4, s1, s4
    or      s2, s1, s2
    lw      s1, 352(a0)
    xor     ra, s2, ra
    xor     s2, a3, s1
    lw      s1, 300(sp)
    sw      a3, 304(sp)
    xor     a3, s1, ra
    xor     ra, s2, ra
    xor     s2, a3, s2
    or      ra, a3, ra
    lw      a3, 356(a0)
    xor     ra, ra, s1
    xor     s1, t1, a3
    sw      t1, 300(sp)
    lw      t1, 296(sp)
    xor     a3, t1, ra
    xor     ra, s1, ra
    xor     s1, a3, s1
    or      ra, a3, ra
    xor     ra, ra, t1
    lw      t1, 360(a0)
    xor     t1, t0, t1
    sw      t0, 296(sp)
    lw      t0, 292(sp)
    xor     a3, t0, ra
    xor     ra, t1, ra
    xor     t1, a3, t1
    or      ra, a3, ra
    xor     t0, ra, t0
    lw      ra, 364(a0)
    xor     ra, t2, ra
    sw      t2, 292(sp)
    lw      t2, 288(sp)
    xor     a3, t2, t0
    xor     t0, ra, t0
    xor     ra, a3, ra
    or      t0, a3, t0
    xor     t2, t0, t2
    lw      t0, 368(a0)
    lw      a3, 284(sp)
    xor     t0, s0, t0
    sw      s0, 288(sp)
    xor     s0, a3, t2
    xor     t2, t0, t2
    xor     t0, s0, t0
    or      t2, s0, t2
    lw      s0, 372(a0)
    xor     t2, t2, a3
    xor     a3, a6, s0
    lw      s0, 280(sp)
    sw      a6, 284(sp)
    xor     a6, s0, t2
    xor     t2, a3, t2
    xor     a3, a6, a3
    or      t2, a6, t2
    lw      a6, 376(a0)
    xor     t2, t2, s0
    xor     s0, a4, a6
    lw      a6, 276(sp)
    sw      a4, 280(sp)
    xor     a4, a6, t2
    xor     t2, s0, t2
    xor     s0, a4, s0
    or      t2, a4, t2
    lw      a4, 380(a0)
    xor     t2, t2, a6
    xor     a6, s5, a4
    lw      a4, 272(sp)
    sw      s5, 276(sp)
    lw      s5, 256(a0)
    xor     t2, a4, t2
    xor     t2, t2, a6
    lw      a6, 32(sp)
    xor     a4, t2, s5
    or      s5, a6, a4
    xor     s5, s5, a6
    xor     a6, a6, a4
    lw      a4, 260(a0)
    xor     a4, t3, a4
    sw      t3, 272(sp)
    sw      t2, 416(sp)
    lw      t2, 36(sp)
    xor     t3, t2, s5
    xor     s5, a4, s5
    xor     a4, t3, a4
    or      t3, t3, s5
    lw      s5, 264(a0)
    xor     t2, t3, t2
    xor     t3, a2, s5
    lw      s5, 40(sp)
    sw      a2, 420(sp)
    xor     a2, s5, t2
    xor     t2, t3, t2
    xor     t3, a2, t3
    or      t2, a2, t2
    xor     t2, t2, s5
    lw      s5, 268(a0)
    not     a2, t3
    xor     t3, s3, s5
    lw      s5, 44(sp)
    sw      s3, 424(sp)
    xor     s3, s5, t2
    xor     t2, t3, t2
    xor     t3, s3, t3
    or      t2, s3, t2
    xor     t2, t2, s5
    lw      s5, 272(a0)
    xor     s3, t3, a7
    xor     t3, t5, s5
    lw      s5, 48(sp)
    sw      t5, 428(sp)
    xor     t5, s5, t2
    xor     t2, t3, t2
    xor     t3, t5, t3
    or      t2, t5, t2
    xor     t2, t2, s5
    lw      s5, 276(a0)
    xor     t5, t3, a5
    xor     t3, s6, s5
    lw      s5, 52(sp)
    sw      s6, 432(sp)
    xor     s6, s5, t2
    xor     t2, t3, t2
    xor     t3, s6, t3
    or      t2, s6, t2
    xor     t2, t2, s5
    lw      s5, 280(a0)
    xor     s6, t3, s11
    xor     t3, s10, s5
    lw      s5, 56(sp)
    sw      s10, 436(sp)
    xor     s10, s5, t2
    xor     t2, t3, t2
    xor     t3, s10, t3
    or      t2, s10, t2
    xor     t2, t2, s5
    lw      s5, 284(a0)
    xor     s10, t3, s9
    xor     t3, t4, s5
    lw      s5, 60(sp)
    sw      t4, 440(sp)
    xor     t4, s5, t2
    xor     t2, t3, t2
    xor     t3, t4, t3
    or      t2, t4, t2
    lw      t4, 288(a0)
    xor     t2, t2, s5
    xor     s5, s4, t4
    lw      t4, 316(sp)
    sw      s4, 444(sp)
    xor     s4, t4, t2
    xor     t2, s5, t2
    xor     s5, s4, s5
    or      t2, s4, t2
    lw      s4, 292(a0)
    xor     t2, t2, t4
    xor     t4, s2, s4
    lw      s4, 320(sp)
    sw      s2, 316(sp)
    xor     s2, s4, t2
    xor     t2, t4, t2
    xor     t4, s2, t4
    or      t2, s2, t2
    lw      s2, 296(a0)
    xor     t2, t2, s4
    xor     s4, s1, s2
    lw      s2, 324(sp)
    sw      s1, 320(sp)
    xor     s1, s2, t2
    xor     t2, s4, t2
    xor     s4, s1, s4
    or      t2, s1, t2
    lw      s1, 300(a0)
    xor     t2, t2, s2
    xor     s2, t1, s1
    sw      t1, 324(sp)
    lw      t1, 328(sp)
    xor     s1, t1, t2
    xor     t2, s2, t2
    xor     s2, s1, s2
    or      t2, s1, t2
    xor     t1, t2, t1
    lw      t2, 304(a0)
    xor     t2, ra, t2
    sw      ra, 328(sp)
    lw      ra, 332(sp)
    xor     s1, ra, t1
    xor     t1, t2, t1
    xor     t2, s1, t2
    or      t1, s1, t1
    xor     ra, t1, ra
    lw      t1, 192(a0)
    lw      s1, 356(sp)
    xor     t1, s5, t1
    sw      s5, 332(sp)
    or      s5, s1, t1
    xor     s5, s5, s1
    xor     t1, s1, t1
    lw      s1, 308(a0)
    not     t1, t1
    xor     s1, t0, s1
    sw      t0, 356(sp)
    lw      t0, 336(sp)
    sw      s7, 448(sp)
    xor     s7, t0, ra
    xor     ra, s1, ra
    xor     s1, s7, s1
    or      ra, s7, ra
    xor     ra, ra, t0
    lw      t0, 196(a0)
    lw      s7, 360(sp)
    xor     t0, t4, t0
    sw      t4, 336(sp)
    xor     t4, s7, s5
    xor     s5, t0, s5
    xor     t0, t4, t0
    or      t4, t4, s5
    xor     s5, t4, s7
    lw      t4, 312(a0)
    not     t0, t0
    xor     s7, a3, t4
    lw      t4, 340(sp)
    sw      a3, 360(sp)
    xor     a3, t4, ra
    xor     ra, s7, ra
    xor     s7, a3, s7
    or      ra, a3, ra
    lw      a3, 200(a0)
    xor     ra, ra, t4
    xor     t4, s4, a3
    lw      a3, 364(sp)
    sw      s4, 340(sp)
    xor     s4, a3, s5
    xor     s5, t4, s5
    xor     t4, s4, t4
    or      s4, s4, s5
    xor     s5, s4, a3
    lw      s4, 316(a0)
    xor     a3, s0, s4
    lw      s4, 28(sp)
    sw      s0, 364(sp)
    lw      s0, 204(a0)
    xor     ra, s4, ra
    xor     ra, ra, a3
    lw      a3, 368(sp)
    xor     s4, s2, s0
    xor     s0, a3, s5
    xor     s5, s4, s5
    xor     s4, s0, s4
    or      s0, s0, s5
    xor     s5, s0, a3
    lw      s0, 208(a0)
    xor     a3, s4, a7
    xor     s4, t2, s0
    sw      t2, 368(sp)
    lw      t2, 372(sp)
    xor     s0, t2, s5
    xor     s5, s4, s5
    xor     s4, s0, s4
    or      s0, s0, s5
    xor     t2, s0, t2
    lw      s0, 212(a0)
    xor     s5, s4, a5
    xor     s4, s1, s0
    lw      s0, 376(sp)
    sw      s1, 372(sp)
    xor     s1, s0, t2
    xor     t2, s4, t2
    xor     s4, s1, s4
    or      t2, s1, t2
    xor     t2, t2, s0
    lw      s0, 216(a0)
    xor     s1, s4, s11
    xor     s4, s7, s0
    lw      s0, 380(sp)
    sw      s7, 376(sp)
    xor     s7, s0, t2
    xor     t2, s4, t2
    xor     s4, s7, s4
    or      t2, s7, t2
    xor     t2, t2, s0
    lw      s0, 220(a0)
    xor     s7, s4, s9
    xor     s4, ra, s0
    sw      ra, 380(sp)
    lw      ra, 384(sp)
    xor     s0, ra, t2
    xor     t2, s4, t2
    xor     s4, s0, s4
    or      t2, s0, t2
    xor     t2, t2, ra
    lw      ra, 224(a0)
    lw      s0, 388(sp)
    xor     ra, a6, ra
    sw      a6, 384(sp)
    xor     a6, s0, t2
    xor     t2, ra, t2
    xor     ra, a6, ra
    or      t2, a6, t2
    lw      a6, 228(a0)
    xor     t2, t2, s0
    xor     s0, a4, a6
    lw      a6, 392(sp)
    sw      a4, 388(sp)
    xor     a4, a6, t2
    xor     t2, s0, t2
    xor     s0, a4, s0
    or      t2, a4, t2
    lw      a4, 232(a0)
    xor     t2, t2, a6
    xor     a6, a2, a4
    lw      a4, 396(sp)
    sw      a2, 392(sp)
    xor     a2, a4, t2
    xor     t2, a6, t2
    xor     a6, a2, a6
    or      t2, a2, t2
    lw      a2, 236(a0)
    xor     t2, t2, a4
    xor     a4, s3, a2
    lw      a2, 404(sp)
    sw      s3, 396(sp)
    xor     s3, a2, t2
    xor     t2, a4, t2
    xor     a4, s3, a4
    or      t2, s3, t2
    lw      s3, 240(a0)
    xor     t2, t2, a2
    xor     a2, t5, s3
    xor     s3, t6, t2
    xor     t2, a2, t2
    xor     a2, s3, a2
    or      t2, s3, t2
    lw      s3, 244(a0)
    xor     t2, t2, t6
    xor     t6, s6, s3
    xor     s3, a1, t2
    xor     t2, t6, t2
    xor     t6, s3, t6
    or      t2, s3, t2
    lw      s3, 248(a0)
    xor     t2, t2, a1
    xor     a1, s10, s3
    lw      s3, 352(sp)
    sw      s10, 404(sp)
    xor     s10, s3, t2
    xor     t2, a1, t2
    xor     a1, s10, a1
    or      t2, s10, t2
    lw      s10, 252(a0)
    xor     t2, t2, s3
    xor     s3, t3, s10
    lw      s10, 348(sp)
    sw      t3, 352(sp)
    lw      t3, 128(a0)
    xor     t2, s10, t2
    xor     t2, t2, s3
    lw      s3, 400(sp)
    xor     s10, t2, t3
    or      t3, s3, s10
    xor     t3, t3, s3
    xor     s10, s3, s10
    lw      s3, 132(a0)
    xor     s3, t1, s3
    sw      t1, 192(sp)
    lw      t1, 408(sp)
    sw      t2, 252(sp)
    xor     t2, t1, t3
    xor     t3, s3, t3
    xor     s3, t2, s3
    or      t2, t2, t3
    lw      t3, 136(a0)
    xor     t2, t2, t1
    not     t1, s3
    xor     s3, t0, t3
    sw      t0, 196(sp)
    lw      t0, 412(sp)
    xor     t3, t0, t2
    xor     t2, s3, t2
    xor     s3, t3, s3
    or      t2, t3, t2
    xor     t2, t2, t0
    lw      t0, 140(a0)
    xor     t0, t4, t0
    xor     t3, s8, t2
    xor     t2, t0, t2
    xor     t0, t3, t0
    or      t2, t3, t2
    lw      t3, 144(a0)
    xor     t2, t2, s8
    xor     t0, t0, a7
    xor     s8, a3, t3
    lw      t3, 448(sp)
    sw      t4, 200(sp)
    xor     t4, t3, t2
    xor     t2, s8, t2
    xor     s8, t4, s8
    or      t2, t4, t2
    xor     t2, t2, t3
    lw      t3, 148(a0)
    xor     t4, s8, a5
    xor     s8, s5, t3
    lw      t3, 344(sp)
    sw      a3, 204(sp)
    xor     a3, t3, t2
    xor     t2, s8, t2
    xor     s8, a3, s8
    or      t2, a3, t2
    xor     t2, t2, t3
    lw      t3, 152(a0)
    xor     a3, s8, s11
    xor     s8, s1, t3
    lw      t3, 312(sp)
    sw      s5, 208(sp)
    xor     s5, t3, t2
    xor     t2, s8, t2
    xor     s8, s5, s8
    or      t2, s5, t2
    xor     t2, t2, t3
    lw      t3, 156(a0)
    xor     s5, s8, s9
    xor     s8, s7, t3
    lw      t3, 308(sp)
    sw      s1, 212(sp)
    xor     s1, t3, t2
    xor     t2, s8, t2
    xor     s8, s1, s8
    or      t2, s1, t2
    lw      s1, 160(a0)
    xor     t2, t2, t3
    xor     t3, s4, s1
    lw      s1, 304(sp)
    sw      s7, 216(sp)
    xor     s7, s1, t2
    xor     t2, t3, t2
    xor     t3, s7, t3
    or      t2, s7, t2
    lw      s7, 164(a0)
    xor     t2, t2, s1
    xor     s1, ra, s7
    lw      s7, 300(sp)
    sw      s4, 220(sp)
    xor     s4, s7, t2
    xor     t2, s1, t2
    xor     s1, s4, s1
    or      t2, s4, t2
    lw      s4, 168(a0)
    xor     t2, t2, s7
    xor     s7, s0, s4
    sw      ra, 224(sp)
    lw      ra, 296(sp)
    xor     s4, ra, t2
    xor     t2, s7, t2
    xor     s7, s4, s7
    or      t2, s4, t2
    xor     t2, t2, ra
    lw      ra, 172(a0)
    lw      s4, 292(sp)
    xor     ra, a6, ra
    sw      s0, 228(sp)
    xor     s0, s4, t2
    xor     t2, ra, t2
    xor     ra, s0, ra
    or      t2, s0, t2
    lw      s0, 176(a0)
    xor     t2, t2, s4
    xor     s4, a4, s0
    lw      s0, 288(sp)
    sw      a6, 232(sp)
    xor     a6, s0, t2
    xor     t2, s4, t2
    xor     s4, a6, s4
    or      t2, a6, t2
    lw      a6, 64(a0)
    xor     t2, t2, s0
    xor     s0, t3, a6
    lw      a6, 420(sp)
    sw      a4, 236(sp)
    or      a4, a6, s0
    xor     a4, a4, a6
    xor     s0, a6, s0
    lw      a6, 180(a0)
    not     s0, s0
    xor     a6, a2, a6
    sw      a2, 240(sp)
    lw      a2, 284(sp)
    sw      t3, 160(sp)
    xor     t3, a2, t2
    xor     t2, a6, t2
    xor     a6, t3, a6
    or      t2, t3, t2
    lw      t3, 68(a0)
    xor     t2, t2, a2
    xor     a2, s1, t3
    lw      t3, 424(sp)
    sw      s1, 164(sp)
    xor     s1, t3, a4
    xor     a4, a2, a4
    xor     a2, s1, a2
    or      a4, s1, a4
    xor     s1, a4, t3
    lw      t3, 184(a0)
    xor     a4, t6, t3
    lw      t3, 280(sp)
    sw      t6, 244(sp)
    xor     t6, t3, t2
    xor     t2, a4, t2
    xor     a4, t6, a4
    or      t2, t6, t2
    lw      t6, 72(a0)
    xor     t2, t2, t3
    xor     t3, s7, t6
    lw      t6, 428(sp)
    sw      s7, 168(sp)
    xor     s7, t6, s1
    xor     s1, t3, s1
    xor     t3, s7, t3
    or      s7, s7, s1
    xor     s1, s7, t6
    lw      s7, 188(a0)
    xor     t6, a1, s7
    lw      s7, 276(sp)
    sw      a1, 248(sp)
    lw      a1, 76(a0)
    xor     t2, s7, t2
    xor     t2, t2, t6
    lw      t6, 432(sp)
    xor     s7, ra, a1
    xor     a1, t6, s1
    xor     s1, s7, s1
    xor     s7, a1, s7
    or      a1, a1, s1
    xor     s1, a1, t6
    lw      t6, 80(a0)
    xor     a1, s7, a7
    xor     s7, s4, t6
    sw      ra, 172(sp)
    lw      ra, 436(sp)
    xor     t6, ra, s1
    xor     s1, s7, s1
    xor     s7, t6, s7
    or      t6, t6, s1
    xor     ra, t6, ra
    lw      t6, 84(a0)
    xor     s1, s7, a5
    xor     s7, a6, t6
    lw      t6, 440(sp)
    sw      s4, 176(sp)
    xor     s4, t6, ra
    xor     ra, s7, ra
    xor     s7, s4, s7
    or      ra, s4, ra
    xor     ra, ra, t6
    lw      t6, 88(a0)
    xor     s4, s7, s11
    xor     s7, a4, t6
    lw      t6, 444(sp)
    sw      a6, 180(sp)
    xor     a6, t6, ra
    xor     ra, s7, ra
    xor     s7, a6, s7
    or      ra, a6, ra
    xor     ra, ra, t6
    lw      t6, 92(a0)
    xor     a6, s7, s9
    xor     s7, t2, t6
    lw      t6, 316(sp)
    sw      a4, 184(sp)
    xor     a4, t6, ra
    xor     ra, s7, ra
    xor     s7, a4, s7
    or      ra, a4, ra
    lw      a4, 96(a0)
    xor     ra, ra, t6
    xor     t6, s10, a4
    lw      a4, 320(sp)
    sw      s10, 128(sp)
    xor     s10, a4, ra
    xor     ra, t6, ra
    xor     t6, s10, t6
    or      ra, s10, ra
    lw      s10, 100(a0)
    xor     ra, ra, a4
    xor     a4, t1, s10
    sw      t1, 132(sp)
    lw      t1, 324(sp)
    xor     s10, t1, ra
    xor     ra, a4, ra
    xor     a4, s10, a4
    or      ra, s10, ra
    xor     ra, ra, t1
    lw      t1, 104(a0)
    lw      s10, 328(sp)
    xor     t1, s3, t1
    sw      s3, 136(sp)
    xor     s3, s10, ra
    xor     ra, t1, ra
    xor     t1, s3, t1
    or      ra, s3, ra
    lw      s3, 108(a0)
    xor     ra, ra, s10
    xor     s10, t0, s3
    sw      t0, 140(sp)
    lw      t0, 356(sp)
    xor     s3, t0, ra
    xor     ra, s10, ra
    xor     s10, s3, s10
    or      ra, s3, ra
    xor     t0, ra, t0
    lw      ra, 112(a0)
    lw      s3, 360(sp)
    xor     ra, t4, ra
    sw      t4, 144(sp)
    xor     t4, s3, t0
    xor     t0, ra, t0
    xor     ra, t4, ra
    or      t0, t4, t0
    lw      t4, 116(a0)
    xor     t0, t0, s3
    xor     s3, a3, t4
    lw      t4, 364(sp)
    sw      a3, 148(sp)
    xor     a3, t4, t0
    xor     t0, s3, t0
    xor     s3, a3, s3
    or      t0, a3, t0
    lw      a3, 120(a0)
    xor     t0, t0, t4
    xor     t4, s5, a3
    lw      a3, 416(sp)
    sw      s5, 152(sp)
    xor     s5, a3, t0
    xor     t0, t4, t0
    xor     t4, s5, t4
    or      t0, s5, t0
    lw      s5, 124(a0)
    xor     t0, t0, a3
    xor     a3, s8, s5
    lw      s5, 272(sp)
    sw      s8, 156(sp)
    lw      s8, 0(a0)
    xor     t0, s5, t0
    xor     t0, t0, a3
    lw      a3, 332(sp)
    xor     s5, t0, s8
    or      s8, a3, s5
    xor     s8, s8, a3
    xor     a3, a3, s5
    lw      s5, 4(a0)
    xor     s5, s0, s5
    sw      s0, 272(sp)
    sw      t2, 188(sp)
    lw      t2, 336(sp)
    xor     s0, t2, s8
    xor     s8, s5, s8
    xor     s5, s0, s5
    or      s0, s0, s8
    lw      s8, 8(a0)
    xor     t2, s0, t2
    xor     s0, a2, s8
    lw      s8, 340(sp)
    sw      a2, 276(sp)
    xor     a2, s8, t2
    xor     t2, s0, t2
    xor     s0, a2, s0
    or      t2, a2, t2
    lw      a2, 12(a0)
    xor     t2, t2, s8
    xor     s8, t3, a2
    xor     a2, s2, t2
    xor     t2, s8, t2
    xor     s8, a2, s8
    or      t2, a2, t2
    xor     t2, t2, s2
    lw      s2, 16(a0)
    xor     a2, s8, a7
    xor     s8, a1, s2
    lw      s2, 368(sp)
    xor     a7, s2, t2
    xor     t2, s8, t2
    xor     s8, a7, s8
    or      t2, a7, t2
    xor     t2, t2, s2
    lw      s2, 20(a0)
    xor     a7, s8, a5
    xor     s8, s1, s2
    lw      s2, 372(sp)
    xor     a5, s2, t2
    xor     t2, s8, t2
    xor     s8, a5, s8
    or      t2, a5, t2
    xor     t2, t2, s2
    lw      s2, 24(a0)
    xor     a5, s8, s11
    xor     s8, s4, s2
    lw      s2, 376(sp)
    xor     s11, s2, t2
    xor     t2, s8, t2
    xor     s8, s11, s8
    or      t2, s11, t2
    xor     t2, t2, s2
    lw      s2, 28(a0)
    xor     s11, s8, s9
    xor     s8, a6, s2
    lw      s2, 380(sp)
    xor     s9, s2, t2
    xor     t2, s8, t2
    xor     s8, s9, s8
    or      t2, s9, t2
    lw      s9, 32(a0)
    xor     t2, t2, s2
    xor     s2, s7, s9
    lw      s9, 384(sp)
    sw      t3, 280(sp)
    xor     t3, s9, t2
    xor     t2, s2, t2
    xor     s2, t3, s2
    or      t2, t3, t2
    lw      t3, 36(a0)
    xor     t2, t2, s9
    xor     s9, t6, t3
    lw      t3, 388(sp)
    sw      a1, 284(sp)
    xor     a1, t3, t2
    xor     t2, s9, t2
    xor     s9, a1, s9
    or      t2, a1, t2
    lw      a1, 40(a0)
    xor     t2, t2, t3
    xor     t3, a4, a1
    lw      a1, 392(sp)
    sw      s1, 288(sp)
    xor     s1, a1, t2
    xor     t2, t3, t2
    xor     t3, s1, t3
    or      t2, s1, t2
    lw      s1, 44(a0)
    xor     t2, t2, a1
    xor     a1, t1, s1
    lw      s1, 396(sp)
    sw      s4, 292(sp)
    xor     s4, s1, t2
    xor     t2, a1, t2
    xor     a1, s4, a1
    or      t2, s4, t2
    lw      s4, 48(a0)
    xor     t2, t2, s1
    xor     s1, s10, s4
    xor     s4, t5, t2
    xor     t2, s1, t2
    xor     s1, s4, s1
    or      t2, s4, t2
    lw      s4, 52(a0)
    xor     t2, t2, t5
    xor     t5, ra, s4
    xor     s4, s6, t2
    xor     t2, t5, t2
    xor     t5, s4, t5
    or      t2, s4, t2
    lw      s4, 56(a0)
    xor     t2, t2, s6
    xor     s6, s3, s4
    lw      s4, 404(sp)
    sw      a6, 296(sp)
    xor     a6, s4, t2
    xor     t2, s6, t2
    xor     s6, a6, s6
    or      t2, a6, t2
    lw      a6, 60(a0)
    xor     t2, t2, s4
    xor     s4, t4, a6
    lw      a6, 352(sp)
    sw      s7, 300(sp)
    xor     t2, a6, t2
    xor     t2, t2, s4
    sw      s8, 28(sp)
    sw      s2, 32(sp)
    sw      s9, 36(sp)
    sw      t3, 40(sp)
    sw      a1, 44(sp)
    sw      s1, 48(sp)
    sw      t5, 52(sp)
    sw      s6, 56(sp)
    sw      t2, 60(sp)
    mv      t3, a3
    mv      t5, s0
    mv      a1, a7
    mv      a3, s11
    lw      s0, 272(sp)
    lw      s1, 276(sp)
    lw      s2, 280(sp)
    lw      s4, 288(sp)
    lw      s6, 296(sp)
    lw      s7, 300(sp)
    mv      s8, t6
    mv      t6, a2
    mv      a2, a5
    mv      s9, a4
    mv      s11, s10
    mv      s10, t1
    mv      a4, ra
    mv      a5, s3
    lw      s3, 284(sp)
    mv      a6, t4
    mv      t4, s5
    lw      s5, 292(sp)
    mv      a7, t0
    lw      t1, 484(sp)
    lw      t0, 488(sp)
    sub     a0, t1, a0
    li      t1, -1
    addi    t0, t0, -1
    beq     t0, t1, 2f
    j       1b
2:
    lw      ra, 492(sp)
    ret
    .size   cham64_rv32i_x32_decrypt_rounds, . - cham64_rv32i_x32_decrypt_rounds

// CHAM-64/128, 32 blocks per group: ciphertext = E_k(plaintext).
// void hanji_cham64_128_rv32i_encrypt_x32(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: cham64_128.encrypt
     isa: rv32i
     blocks: 32
     align: 4
     layout: pairs_slices
     args: { a0: {buffer: out, bytes: 256 * groups, access: w}, a1: {buffer: in, bytes: 256 * groups, access: r},
             a2: {value: groups}, a3: {buffer: keys, bytes: 1088, access: r} }
     aliasing: out == in allowed
     stack: 560
     secrets: in, keys
*/
    .section .text.hanji_cham64_128_rv32i_encrypt_x32, "ax", @progbits
    .balign 4
    .globl  hanji_cham64_128_rv32i_encrypt_x32
    .hidden hanji_cham64_128_rv32i_encrypt_x32
    .type   hanji_cham64_128_rv32i_encrypt_x32, @function
hanji_cham64_128_rv32i_encrypt_x32:
    enter
    sw      a0, 456(sp)
    sw      a1, 460(sp)
    sw      a2, 464(sp)
    sw      a3, 468(sp)
1:
    lw      t2, 460(sp)
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
    lw      a0, 468(sp)
    addi    a0, a0, 64
    addi    t0, a0, 512
    add     t0, t0, a0
    sw      t0, 484(sp)
    jal     cham64_rv32i_x32_encrypt_rounds
    jal     cham64_rv32i_x32_transpose
    lw      t2, 456(sp)
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
    lw      t1, 460(sp)
    lw      t0, 464(sp)
    addi    t2, t2, 256
    addi    t1, t1, 256
    addi    t0, t0, -1
    sw      t2, 456(sp)
    sw      t1, 460(sp)
    sw      t0, 464(sp)
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
     layout: pairs_slices
     args: { a0: {buffer: out, bytes: 256 * groups, access: w}, a1: {buffer: in, bytes: 256 * groups, access: r},
             a2: {value: groups}, a3: {buffer: keys, bytes: 1088, access: r} }
     aliasing: out == in allowed
     stack: 560
     secrets: in, keys
*/
    .section .text.hanji_cham64_128_rv32i_decrypt_x32, "ax", @progbits
    .balign 4
    .globl  hanji_cham64_128_rv32i_decrypt_x32
    .hidden hanji_cham64_128_rv32i_decrypt_x32
    .type   hanji_cham64_128_rv32i_decrypt_x32, @function
hanji_cham64_128_rv32i_decrypt_x32:
    enter
    sw      a0, 456(sp)
    sw      a1, 460(sp)
    sw      a2, 464(sp)
    sw      a3, 468(sp)
1:
    lw      t2, 460(sp)
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
    lw      a0, 468(sp)
    addi    a0, a0, 64
    addi    t0, a0, 512
    add     t0, t0, a0
    sw      t0, 484(sp)
    jal     cham64_rv32i_x32_decrypt_rounds
    jal     cham64_rv32i_x32_transpose
    lw      t2, 456(sp)
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
    lw      t1, 460(sp)
    lw      t0, 464(sp)
    addi    t2, t2, 256
    addi    t1, t1, 256
    addi    t0, t0, -1
    sw      t2, 456(sp)
    sw      t1, 460(sp)
    sw      t0, 464(sp)
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
     layout: pairs_slices
     args: { a0: {buffer: out, bytes: 256 * groups, access: w}, a1: {buffer: in, bytes: 256 * groups, access: r},
             a2: {value: groups}, a3: {buffer: counter, bytes: 8, access: rw}, a4: {buffer: keys, bytes: 1088, access: r} }
     aliasing: out == in allowed
     stack: 560
     secrets: in, counter, keys
*/
    .section .text.hanji_cham64_128_rv32i_ctr_x32, "ax", @progbits
    .balign 4
    .globl  hanji_cham64_128_rv32i_ctr_x32
    .hidden hanji_cham64_128_rv32i_ctr_x32
    .type   hanji_cham64_128_rv32i_ctr_x32, @function
hanji_cham64_128_rv32i_ctr_x32:
    enter
    sw      a0, 456(sp)
    sw      a1, 460(sp)
    sw      a2, 464(sp)
    sw      a3, 472(sp)
    sw      a4, 468(sp)
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
    sw      t0, 476(sp)
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
    sw      t0, 480(sp)
1:
    lw      t0, 476(sp)
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
    sw      a0, 192(sp)
    slli    t2, t0, 22
    srai    t2, t2, 31
    xor     a0, t2, t1
    and     t1, t2, t1
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
    lw      t0, 480(sp)
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
    lw      t0, 476(sp)
    addi    t1, t0, 32
    sw      t1, 476(sp)
    sltu    t0, t1, t0
    lw      t1, 480(sp)
    add     t1, t1, t0
    sw      t1, 480(sp)
    lw      a0, 468(sp)
    addi    a0, a0, 64
    addi    t0, a0, 512
    add     t0, t0, a0
    sw      t0, 484(sp)
    jal     cham64_rv32i_x32_encrypt_rounds
    jal     cham64_rv32i_x32_transpose
    lw      t2, 456(sp)
    lw      a0, 460(sp)
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
    lw      t1, 460(sp)
    lw      t0, 464(sp)
    addi    t2, t2, 256
    addi    t1, t1, 256
    addi    t0, t0, -1
    sw      t2, 456(sp)
    sw      t1, 460(sp)
    sw      t0, 464(sp)
    beqz    t0, 2f
    j       1b
2:
    lw      t2, 472(sp)
    lw      t0, 476(sp)
    sb      t0, 7(t2)
    srli    t0, t0, 8
    sb      t0, 6(t2)
    srli    t0, t0, 8
    sb      t0, 5(t2)
    srli    t0, t0, 8
    sb      t0, 4(t2)
    lw      t0, 480(sp)
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
