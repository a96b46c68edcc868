// SPDX-License-Identifier: Apache-2.0
// The call that is measured on AArch64: marks around it for the plugin of qemu-user, patterns in
// all registers that it must keep (AAPCS64, section 6.1), and a stack of its own.

#define PATTERN(i) (0x9e37 * ((i) + 1) & 0xffff)

// A 64-bit pattern that depends on i in both halves.
.macro PATTERN64 register, i
    movz \register, #PATTERN(\i)
    movk \register, #(PATTERN(\i) ^ 0x5555), lsl #16
    movk \register, #(PATTERN(\i) ^ 0xaaaa), lsl #32
    movk \register, #(PATTERN(\i) ^ 0xffff), lsl #48
.endm

// Set bit \bit of x12 unless x9 and x10 are equal.
.macro CHECK bit
    cmp x9, x10
    cset x11, ne
    orr x12, x12, x11, lsl #\bit
.endm

// uint32_t lab_call(const uint64_t arguments[8], void (*function)(void), void *stack_top): a bit for every register that was not kept,
// x18 to x29, then d8 to d15, then sp.
    .text
    .balign 64
    .globl lab_call
    .type lab_call, %function
lab_call:
    stp x29, x30, [sp, #-176]!
    stp x19, x20, [sp, #16]
    stp x21, x22, [sp, #32]
    stp x23, x24, [sp, #48]
    stp x25, x26, [sp, #64]
    stp x27, x28, [sp, #80]
    stp d8, d9, [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    str x18, [sp, #160]
    adrp x9, lab_saved
    add x9, x9, :lo12:lab_saved
    mov x10, sp
    stp x10, x2, [x9]
    mov x16, x1
    mov x17, x0
    mov sp, x2
    .irp i, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
    PATTERN64 x\i, \i
    .endr
    .irp i, 8, 9, 10, 11, 12, 13, 14, 15
    PATTERN64 x9, (100 + \i)
    fmov d\i, x9
    .endr
    ldp x0, x1, [x17]
    ldp x2, x3, [x17, #16]
    ldp x4, x5, [x17, #32]
    ldp x6, x7, [x17, #48]
    .inst 0x5289083F // begin, as in trace/mark.h
    blr x16
    .inst 0x5289085F // end
    mov x12, #0
    .irp i, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29
    PATTERN64 x9, \i
    mov x10, x\i
    CHECK (\i - 18)
    .endr
    .irp i, 8, 9, 10, 11, 12, 13, 14, 15
    PATTERN64 x9, (100 + \i)
    fmov x10, d\i
    CHECK (\i + 4)
    .endr
    adrp x13, lab_saved
    add x13, x13, :lo12:lab_saved
    ldp x14, x9, [x13]
    mov x10, sp
    CHECK 20
    mov sp, x14
    mov w0, w12
    ldr x18, [sp, #160]
    ldp x19, x20, [sp, #16]
    ldp x21, x22, [sp, #32]
    ldp x23, x24, [sp, #48]
    ldp x25, x26, [sp, #64]
    ldp x27, x28, [sp, #80]
    ldp d8, d9, [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    ldp x29, x30, [sp], #176
    ret
    .size lab_call, . - lab_call

    .bss
    .balign 16
lab_saved:
    .zero 16

    .section .note.GNU-stack, "", %progbits
