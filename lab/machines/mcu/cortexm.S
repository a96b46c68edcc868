// SPDX-License-Identifier: Apache-2.0
// Start-up code of a measuring program on a Cortex-M, and the call that is measured; in
// instructions of Armv6-M.
    .syntax unified
    .cpu cortex-m0
    .thumb

    .section .vectors, "a"
    .word lab_stack_top
    .word lab_start
    .rept 14
    .word lab_crash
    .endr

    .text
    .thumb_func
    .type lab_start, %function
    .global lab_start
lab_start:
    ldr r0, =lab_data_image
    ldr r1, =lab_data
    ldr r2, =lab_data_end
1:
    cmp r1, r2
    bcs 2f
    ldr r3, [r0]
    str r3, [r1]
    adds r0, #4
    adds r1, #4
    b 1b
2:
    bl lab_main

// A fault ends the program with failure.
    .thumb_func
    .type lab_crash, %function
lab_crash:
    movs r0, #0x18
    ldr r1, =0x20023
    bkpt 0xab
    b lab_crash

// What the saved registers hold during the call.
    .macro pattern register, i
    ldr \register, =0x9e3779b9 * (\i) & 0xffffffff
    .endm

// void lab_call(const void *arguments, void (*function)(void), uint32_t *spoiled)
    .thumb_func
    .type lab_call, %function
    .global lab_call
lab_call:
    push {r2, r4-r7, lr}
    mov r4, r8
    mov r5, r9
    mov r6, r10
    mov r7, r11
    push {r4-r7}
    sub sp, sp, #16 // fifth to eighth argument
    mov r12, r1
    mov r4, r0
    ldr r0, [r4, #16]
    str r0, [sp]
    ldr r0, [r4, #20]
    str r0, [sp, #4]
    ldr r1, =lab_saved_sp
    mov r0, sp
    str r0, [r1]
    ldr r0, [r4]
    ldr r1, [r4, #4]
    ldr r2, [r4, #8]
    ldr r3, [r4, #12]
    pattern r4, 8
    mov r8, r4
    pattern r4, 9
    mov r9, r4
    pattern r4, 10
    mov r10, r4
    pattern r4, 11
    mov r11, r4
    pattern r4, 4
    pattern r5, 5
    pattern r6, 6
    pattern r7, 7
    blx r12
    // r0: a bit for every register that was not kept, r4 to r11, then sp
    movs r0, #0
    .irp i, 4, 5, 6, 7
    pattern r1, \i
    cmp r1, r\i
    beq 1f
    movs r1, #1 << (\i - 4)
    orrs r0, r1
1:
    .endr
    .irp i, 8, 9, 10, 11
    pattern r1, \i
    cmp r1, r\i
    beq 1f
    movs r1, #1 << (\i - 4)
    orrs r0, r1
1:
    .endr
    ldr r1, =lab_saved_sp
    ldr r1, [r1]
    cmp r1, sp
    beq 1f
    movs r2, #1
    lsls r2, r2, #8
    orrs r0, r2
1:
    mov sp, r1
    add sp, sp, #16
    pop {r4-r7}
    mov r8, r4
    mov r9, r5
    mov r10, r6
    mov r11, r7
    pop {r2, r4-r7}
    str r0, [r2]
    pop {pc}
    .ltorg

// Called to know what the call itself takes: twice the first less the second is a call of no
// instructions.
    .thumb_func
    .type lab_few, %function
    .global lab_few
lab_few:
    .rept 16
    nop
    .endr
    bx lr
    .thumb_func
    .type lab_more, %function
    .global lab_more
lab_more:
    .rept 32
    nop
    .endr
    bx lr

    .section .bss
    .balign 4
    .global lab_saved_sp
lab_saved_sp:
    .zero 4
