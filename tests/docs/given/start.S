/* SPDX-License-Identifier: Apache-2.0 */
/* Start-up code for qemu-riscv32, which has set the stack pointer: the global pointer, main, then system call 93, exit. */
    .section .text.start, "ax"
    .global _start
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    call main
    li a7, 93
    ecall
