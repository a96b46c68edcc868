// SPDX-License-Identifier: Apache-2.0
// Controls of the opcode scan of what compilers make of C, for its single rules: functions named leak_... must be caught, functions named quiet_... must not. rdi points to secrets, rdx is a length.
    .text
    .macro control name
    .global \name
    .type \name, %function
\name:
    .endm

// Loads from the function's own stack: what was spilled there from a general register.
control quiet_spilled
    mov %rdx, -8(%rsp)
    xor %edx, %edx
    mov -8(%rsp), %rcx
    ret

control quiet_spilled_and_added_to
    mov %rdx, -8(%rsp)
    add %rdx, -8(%rsp)
    mov -8(%rsp), %rcx
    ret

control leak_never_spilled_but_added_to
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, -16(%rsp)
    add %rdx, -8(%rsp)
    mov -8(%rsp), %rcx
    ret

control leak_never_spilled
    mov -8(%rsp), %rcx
    ret

control leak_spilled_then_overwritten
    vmovdqu (%rdi), %xmm0
    mov %rdx, -16(%rsp)
    vmovdqu %xmm0, -16(%rsp)
    mov -16(%rsp), %rcx
    ret

control leak_spilled_then_partly_overwritten
    vmovdqu (%rdi), %xmm0
    mov %rdx, -16(%rsp)
    vmovdqu %xmm0, -24(%rsp)
    mov -16(%rsp), %rcx
    ret

control leak_spilled_on_one_way_only
    test %rdx, %rdx
    jz 1f
    mov %rdx, -8(%rsp)
1:  mov -8(%rsp), %rcx
    ret

control leak_spilled_less_than_is_read
    mov %edx, -8(%rsp)
    mov -8(%rsp), %rcx
    ret

control leak_spilled_before_the_stack_moved
    mov %rdx, -8(%rsp)
    sub $16, %rsp
    mov -8(%rsp), %rcx
    add $16, %rsp
    ret

control quiet_spilled_where_a_vector_was
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, -16(%rsp)
    mov %rdx, -16(%rsp)
    mov -16(%rsp), %rcx
    ret

control leak_spilled_elsewhere
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, -32(%rsp)
    mov %rdx, -8(%rsp)
    mov -32(%rsp), %rcx
    ret

// The caller's registers, from where they were pushed, below the frame pointer.
control quiet_restored
    push %rbp
    mov %rsp, %rbp
    push %r15
    push %r14
    and $-64, %rsp
    mov -8(%rbp), %r15
    mov -16(%rbp), %r14
    leave
    ret

control quiet_restored_behind_a_moved_frame
    lea 8(%rsp), %r10
    and $-64, %rsp
    push -8(%r10)
    push %rbp
    mov %rsp, %rbp
    push %r10
    sub $72, %rsp
    mov -8(%rbp), %r10
    leave
    lea -8(%r10), %rsp
    ret

control leak_restored_from_another_place
    push %rbp
    mov %rsp, %rbp
    push %r15
    push %r14
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, -48(%rbp)
    mov -48(%rbp), %r15
    leave
    ret

control leak_restored_into_another_register
    push %rbp
    mov %rsp, %rbp
    push %r15
    push %r14
    mov -8(%rbp), %r14
    leave
    ret

control leak_restored_after_it_was_overwritten
    push %rbp
    mov %rsp, %rbp
    push %r15
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, -8(%rbp)
    mov -8(%rbp), %r15
    leave
    ret

control leak_restored_without_a_frame
    push %r15
    mov -8(%rbp), %r15
    pop %r15
    ret

// What was moved from a general register into a vector register or a mask, and back.
control quiet_kept
    vmovq %rdx, %xmm3
    kmovd %edx, %k1
    vmovq %xmm3, %rcx
    kmovd %k1, %eax
    ret

control leak_kept_then_overwritten
    vmovq %rdx, %xmm3
    vmovdqu (%rdi), %xmm3
    vmovq %xmm3, %rcx
    ret

control leak_kept_on_one_way_only
    vmovdqu (%rdi), %xmm3
    test %rdx, %rdx
    jz 1f
    vmovq %rdx, %xmm3
1:  vmovq %xmm3, %rcx
    ret

control leak_mask
    vmovdqu64 (%rdi), %zmm0
    vptestmd %zmm0, %zmm0, %k1
    kmovw %k1, %eax
    ret

// A word that goes on into a vector at once.
control quiet_broadcast
    mov (%rdi), %eax
    vpbroadcastd %eax, %ymm0
    mov $1, %eax
    ret

control leak_broadcast_and_read
    mov (%rdi), %eax
    vpbroadcastd %eax, %ymm0
    add %eax, %edx
    mov $1, %eax
    ret

control leak_broadcast_behind_a_jump
    mov (%rdi), %eax
    test %rdx, %rdx
    jz 1f
    vpbroadcastd %eax, %ymm0
1:  mov $1, %eax
    ret

// Vectors to addresses, to flags and to general registers.
control leak_scatter
    vmovdqu64 (%rdi), %zmm0
    kxnorw %k1, %k1, %k1
    vpscatterdd %zmm0, (%rsi,%zmm0,4){%k1}
    ret

control leak_compress_to_memory
    vmovdqu64 (%rdi), %zmm0
    vptestmd %zmm0, %zmm0, %k1
    vpcompressd %zmm0, (%rsi){%k1}
    ret

control quiet_compress_in_registers
    vmovdqu64 (%rdi), %zmm0
    vptestmd %zmm0, %zmm0, %k1
    vpcompressd %zmm0, %zmm1{%k1}{z}
    ret

control leak_test_of_a_vector
    vmovdqu (%rdi), %ymm0
    vptest %ymm0, %ymm0
    jz 1f
    mov %edx, (%rsi)
1:  ret

control leak_test_of_a_mask
    vmovdqu64 (%rdi), %zmm0
    vptestmd %zmm0, %zmm0, %k1
    kortestw %k1, %k1
    jz 1f
    mov %edx, (%rsi)
1:  ret

control leak_signs
    vmovdqu (%rdi), %ymm0
    vpmovmskb %ymm0, %eax
    ret

control leak_extract
    vmovdqu (%rdi), %xmm0
    vpextrd $1, %xmm0, %eax
    ret

control leak_compare_with_memory
    cmpl $0, (%rdi)
    ret

// A table of addresses and lengths, the second argument: rsi.
control quiet_ragged_table
    mov %rsi, %rax
    mov %rsi, -8(%rsp)
    mov 64(%rsi), %rcx
    vmovdqu (%rcx,%rdx), %ymm0
    lea 128(%rax), %r9
    mov 8(%r9), %rcx
    vmovdqu %ymm0, (%rcx,%rdx)
    cmpq $0, 704(%rax)
    mov -8(%rsp), %r10
    mov (%r10), %rcx
    ret

control quiet_ragged_table_across_a_call
    push %rbx
    mov %rsi, %rbx
    call quiet_kept
    mov (%rbx), %rcx
    pop %rbx
    ret

control leak_ragged_register_that_a_call_changes
    call quiet_kept
    mov (%rsi), %rcx
    ret

control leak_ragged_first_argument
    mov (%rdi), %rcx
    ret

control leak_ragged_behind_an_address
    mov (%rsi), %rcx
    mov (%rcx), %rax
    ret

control leak_ragged_register_of_another
    mov (%rsi), %rsi
    mov (%rsi), %rcx
    ret

control leak_ragged_on_one_way_only
    mov %rdi, %rax
    test %rdx, %rdx
    jz 1f
    mov %rsi, %rax
1:  mov (%rax), %rcx
    ret

control leak_ragged_by_an_index
    mov (%rsi,%rdx,8), %rcx
    ret

control leak_ragged_place_overwritten
    mov %rsi, -8(%rsp)
    mov %rdi, -8(%rsp)
    mov -8(%rsp), %rax
    mov (%rax), %rcx
    ret

control leak_table_of_another_function
    mov (%rsi), %rcx
    ret

    .section .note.GNU-stack,"",%progbits
