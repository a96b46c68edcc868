// SPDX-License-Identifier: Apache-2.0
// Boot ROM of Rocket: turn on the page table that the test bench has made, and enter the program in
// supervisor mode. A trap ends the simulation.
    .globl _start
_start:
    la t0, trap
    csrw mtvec, t0
    li t0, -1 // all memory for all modes
    csrw pmpaddr0, t0
    li t0, 0x1f
    csrw pmpcfg0, t0
    li t0, 7 // the program may read the cycle counter
    csrw mcounteren, t0
    li t0, (8 << 60) | (0x800ff000 >> 12)
    csrw satp, t0
    sfence.vma
    li t0, 3 << 11 // previous privilege: supervisor
    csrc mstatus, t0
    li t0, 1 << 11
    csrs mstatus, t0
    li t0, 0x40000000
    csrw mepc, t0
    mret
    .balign 4
trap:
    li t0, 0x20000000
    li t1, 101
    sw t1, 4(t0)
1:
    j 1b
