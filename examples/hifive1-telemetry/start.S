// SPDX-License-Identifier: Apache-2.0
// From reset to main: stack and global pointer, data and RAM code copied, zeros cleared, the stack
// painted.
    .section .text.start, "ax"
    .globl _start
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, stack_top
    la t0, trap
    .option arch, +zicsr
    csrw mtvec, t0
    csrw mie, zero

    la t0, data_image
    la t1, data_start
    la t2, data_end
1:  bgeu t1, t2, 2f
    lw t3, 0(t0)
    sw t3, 0(t1)
    addi t0, t0, 4
    addi t1, t1, 4
    j 1b
2:  la t1, bss_start
    la t2, bss_end
3:  bgeu t1, t2, 4f
    sw zero, 0(t1)
    addi t1, t1, 4
    j 3b
4:  la t1, stack_bottom
    li t3, 0x57ac57ac // PAINT of board.c
5:  bgeu t1, sp, 6f
    sw t3, 0(t1)
    addi t1, t1, 4
    j 5b
6:  call main
    .balign 4
trap: // no interrupt is enabled: an exception is a fault, and the device stays silent until it is reset
    wfi
    j trap
