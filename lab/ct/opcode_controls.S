// SPDX-License-Identifier: Apache-2.0
// Controls of the opcode scan of assembly: functions named leak_... must be caught, functions named
// quiet_... must not. rdi points to secrets, rsi is a length.
    .text
    .macro control name
    .global \name
    .type \name, %function
\name:
    .endm

control leak_branch_on_loaded_word
    mov (%rdi), %eax
    add %eax, %edx
    test %edx, %edx
    jz 1f
    mov %edx, (%rdi)
1:  ret

control leak_branch_on_memory
    cmpl $0, (%rdi)
    jz 1f
    mov %esi, (%rdi)
1:  ret

control leak_branch_on_lane
    vmovd (%rdi), %xmm0
    vmovd %xmm0, %eax
    dec %eax
    jnz 1f
    mov %esi, (%rdi)
1:  ret

control leak_branch_on_later_flags
    mov (%rdi), %eax
    cmp $3, %rsi
    xor $5, %eax
    jz 1f
    mov %eax, (%rdi)
1:  ret

control leak_index_by_sum
    mov (%rdi), %eax
    mov %rsi, %rcx
    add %rax, %rcx
    movzbl (%rdi,%rcx), %edx
    mov %edx, (%rdi)
    ret

control leak_index_before_it_is_loaded
1:  mov (%rdi,%rcx), %eax
    mov %eax, %ecx
    dec %rsi
    jnz 1b
    ret

control leak_select
    mov (%rdi), %eax
    test %eax, %eax
    cmovz %rsi, %rdx
    mov (%rdx), %eax
    ret

control leak_divide
    mov (%rdi), %eax
    xor %edx, %edx
    div %esi
    mov %eax, (%rdi)
    ret

control leak_push_and_pop
    push %rbx
    mov (%rdi), %eax
    push %rax
    pop %rcx
    mov (%rcx), %eax
    pop %rbx
    ret

control quiet_mixed
    push %rbx
1:  mov (%rdi), %eax
    vmovd 4(%rdi), %xmm0
    ror $7, %eax
    vmovd %xmm0, %ebx
    xor %eax, %ebx
    vmovd %eax, %xmm1
    vpaddd %xmm0, %xmm1, %xmm1
    mov %ebx, (%rdi)
    vmovd %xmm1, 4(%rdi)
    add $8, %rdi
    dec %rsi
    jnz 1b
    pop %rbx
    ret

    .section .note.GNU-stack,"",%progbits
