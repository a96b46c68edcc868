// SPDX-License-Identifier: Apache-2.0
// Start-up code of a measuring program on RV32I, and the call that is measured. A machine defines
// LAB_COUNTER_CSR (a control register that counts) or LAB_COUNTER (an address from which the count
// is read).

#ifdef LAB_COUNTER_CSR
#define COUNT(register) csrr register, LAB_COUNTER_CSR
#else
#define COUNT(register) li register, LAB_COUNTER; lw register, 0(register)
#endif

// What the saved registers hold during the call; bit 31 set in some, so that both signs are tried.
#define PATTERN(i) (0x9e3779b9 * ((i) + 1) & 0xffffffff)

    .section .text.start, "ax"
    .balign 128
    .globl lab_start
lab_start:
    j 1f
    .balign 128 // Ibex starts here
1:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, lab_stack_top
#ifdef LAB_TRAPS
    la t0, lab_trap
    csrw mtvec, t0
#endif
    li tp, 0x7b1d5eed // any value that a kernel would not leave there
    la t0, lab_data_image
    la t1, lab_data
    la t2, lab_data_end
    beq t0, t1, 3f
2:
    bgeu t1, t2, 3f
    lw t3, 0(t0)
    sw t3, 0(t1)
    addi t0, t0, 4
    addi t1, t1, 4
    j 2b
3:
    la t0, lab_bss
    la t1, lab_bss_end
4:
    bgeu t0, t1, 5f
    sw zero, 0(t0)
    addi t0, t0, 4
    j 4b
5:
    call lab_main
    // Not reached: lab_main ends the program.
6:
    j 6b

#ifdef LAB_TRAPS
// A kernel ran into a trap: its stack and its registers are worth nothing any more.
    .balign 64
lab_trap:
    csrr a0, mcause
    csrr a1, mepc
    csrr a2, mtval
    la sp, lab_stack_top
    call lab_trapped
#endif

// void lab_call(const uint32_t arguments[8], uint32_t function, struct lab_outcome *outcome)
    .text
    .balign 64
    .globl lab_call
lab_call:
    addi sp, sp, -80
    sw ra, 0(sp)
    sw gp, 4(sp)
    sw tp, 8(sp)
    sw a2, 12(sp)
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    sw s\i, 16 + 4 * \i(sp)
    .endr
    la t0, lab_saved_sp
    sw sp, 0(t0)
    mv t1, a1
    mv t2, a0
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7
    lw a\i, 4 * \i(t2)
    .endr
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    li s\i, PATTERN(\i)
    .endr
    la t2, lab_count
    COUNT(t0)
    sw t0, 0(t2)
    jalr t1
    COUNT(t0)
    // t0: count after; t3: a bit for every register that was not kept, s0 to s11, then sp, gp, tp
    la t1, lab_count
    lw t2, 0(t1)
    sub t0, t0, t2
    li t3, 0
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    li t2, PATTERN(\i)
    xor t2, t2, s\i
    snez t2, t2
    slli t2, t2, \i
    or t3, t3, t2
    .endr
    la t1, lab_saved_sp
    lw t1, 0(t1)
    xor t2, t1, sp
    snez t2, t2
    slli t2, t2, 12
    or t3, t3, t2
    mv sp, t1
    lw t1, 4(sp)
    xor t2, t1, gp
    snez t2, t2
    slli t2, t2, 13
    or t3, t3, t2
    mv gp, t1
    lw t1, 8(sp)
    xor t2, t1, tp
    snez t2, t2
    slli t2, t2, 14
    or t3, t3, t2
    mv tp, t1
    lw ra, 0(sp)
    lw t1, 12(sp)
    sw t0, 0(t1)
    sw t3, 4(t1)
    .irp i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    lw s\i, 16 + 4 * \i(sp)
    .endr
    addi sp, sp, 80
    ret

// Called to know what the call itself takes: twice the first less the second is a call of no
// instructions, without what a pipeline makes of a return that follows directly on its call.
    .balign 64
    .globl lab_few, lab_more
lab_few:
    .rept 16
    nop
    .endr
    ret
    .balign 64
lab_more:
    .rept 32
    nop
    .endr
    ret

    .section .bss
    .balign 4
    .globl lab_saved_sp
lab_saved_sp:
    .zero 4
lab_count:
    .zero 4
