// SPDX-License-Identifier: Apache-2.0
// int abi_call(void *function, const uint64_t arguments[4])
// Call a function with every register that the procedure call standard gives to the caller, and x18
// of the platform, holding a pattern. Returns a bit for every one that is different afterwards:
// bits 0 .. 10 for x19 .. x29, bit 11 for x18, bits 12 .. 19 for d8 .. d15, bit 20 for sp. And void
// abi_corrupt(uint64_t which): the control, which spoils x19 + which, and the others that abi_call
// numbers so.
.text

.macro for_each_general do
    \do x19, 0
    \do x20, 1
    \do x21, 2
    \do x22, 3
    \do x23, 4
    \do x24, 5
    \do x25, 6
    \do x26, 7
    \do x27, 8
    \do x28, 9
    \do x29, 10
    \do x18, 11
.endm

.macro for_each_vector do
    \do d8, 12
    \do d9, 13
    \do d10, 14
    \do d11, 15
    \do d12, 16
    \do d13, 17
    \do d14, 18
    \do d15, 19
.endm

.macro pattern target, number
    mov \target, #0x5a00 + \number
    movk \target, #0xc3c3, lsl #48
.endm

.macro set_general register, number
    pattern \register, \number
.endm

.macro set_vector register, number
    pattern x9, \number
    fmov \register, x9
.endm

.macro compare register, number
    pattern x10, \number
    eor x10, x10, \register
    cmp x10, #0
    cset x10, ne
    orr x11, x11, x10, lsl #\number
.endm

.macro compare_vector register, number
    fmov x9, \register
    compare x9, \number
.endm

.p2align 4
.global abi_call
.type abi_call, %function
abi_call:
    stp x29, x30, [sp, #-192]!
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
    mov x16, sp
    adrp x17, saved_sp
    str x16, [x17, :lo12:saved_sp]
    mov x16, x0
    mov x17, x1
    ldp x0, x1, [x17]
    ldp x2, x3, [x17, #16]
    for_each_vector set_vector
    for_each_general set_general
    blr x16
    mov x11, #0
    for_each_general compare
    for_each_vector compare_vector
    adrp x17, saved_sp
    ldr x16, [x17, :lo12:saved_sp]
    mov x9, sp
    cmp x9, x16
    cset x10, ne
    orr x0, x11, x10, lsl #20
    mov sp, x16
    ldr x18, [sp, #160]
    ldp d14, d15, [sp, #144]
    ldp d12, d13, [sp, #128]
    ldp d10, d11, [sp, #112]
    ldp d8, d9, [sp, #96]
    ldp x27, x28, [sp, #80]
    ldp x25, x26, [sp, #64]
    ldp x23, x24, [sp, #48]
    ldp x21, x22, [sp, #32]
    ldp x19, x20, [sp, #16]
    ldp x29, x30, [sp], #192
    ret
.size abi_call, .-abi_call

.macro spoil_general register, number
    cmp x0, #\number
    csinc \register, \register, \register, ne
.endm

.macro spoil_vector register, number
    fmov x9, \register
    cmp x0, #\number
    csinc x9, x9, x9, ne
    fmov \register, x9
.endm

.p2align 4
.global abi_corrupt
.type abi_corrupt, %function
abi_corrupt:
    for_each_general spoil_general
    for_each_vector spoil_vector
    cmp x0, #20
    b.ne 1f
    sub sp, sp, #16
1:  ret
.size abi_corrupt, .-abi_corrupt

.bss
.p2align 3
saved_sp:
    .zero 8
.section .note.GNU-stack, "", %progbits
