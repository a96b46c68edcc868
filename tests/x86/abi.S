// SPDX-License-Identifier: Apache-2.0
// Calls with every register of the caller marked (System V ABI for x86-64): what a kernel must
// keep, it must keep.
#define MARK 0x1122334455667700

    .text
// uint32_t abi_call(void *function, const uint64_t arguments[4]): a bit for each of rbx, rbp, r12 to r15 and the direction flag that is not as it was.
    .global abi_call
    .type abi_call, %function
abi_call:
    push %rbx
    push %rbp
    push %r12
    push %r13
    push %r14
    push %r15
    push %rsi
    mov %rdi, %rax
    mov 24(%rsi), %rcx
    mov 16(%rsi), %rdx
    mov (%rsi), %rdi
    mov 8(%rsi), %rsi
    movabs $MARK, %rbx
    lea 1(%rbx), %rbp
    lea 2(%rbx), %r12
    lea 3(%rbx), %r13
    lea 4(%rbx), %r14
    lea 5(%rbx), %r15
    call *%rax
    pushfq
    pop %r11
    cld
    movabs $MARK, %rdx
    xor %eax, %eax
    .macro kept register, offset
    lea \offset(%rdx), %rcx
    cmp %rcx, \register
    setne %cl
    movzbl %cl, %ecx
    shl $\offset, %ecx
    or %ecx, %eax
    .endm
    kept %rbx, 0
    kept %rbp, 1
    kept %r12, 2
    kept %r13, 3
    kept %r14, 4
    kept %r15, 5
    shr $4, %r11d // the direction flag is bit 10
    and $0x40, %r11d
    or %r11d, %eax
    pop %rsi
    pop %r15
    pop %r14
    pop %r13
    pop %r12
    pop %rbp
    pop %rbx
    ret

// void abi_corrupt(uint64_t which): spoil the register of that bit, or none.
    .global abi_corrupt
    .type abi_corrupt, %function
abi_corrupt:
    .macro spoil number, instruction:vararg
    cmp $\number, %rdi
    jne 1f
    \instruction
1:
    .endm
    spoil 0, inc %rbx
    spoil 1, inc %rbp
    spoil 2, inc %r12
    spoil 3, inc %r13
    spoil 4, inc %r14
    spoil 5, inc %r15
    spoil 6, std
    ret

    .section .note.GNU-stack,"",%progbits
