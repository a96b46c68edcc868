// SPDX-License-Identifier: Apache-2.0
// Controls of the scan of what compilers make of C, for its single rules: functions named leak_...
// must be caught, functions named quiet_... must not. rdi points to secrets, rdx is a length.
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
    prefetcht0 (%rcx)
    ret

control quiet_spilled_and_added_to
    mov %rdx, -8(%rsp)
    add %rdx, -8(%rsp)
    mov -8(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control leak_never_spilled_but_added_to
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, -16(%rsp)
    add %rdx, -8(%rsp)
    mov -8(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control leak_never_spilled
    mov -8(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control leak_spilled_then_overwritten
    vmovdqu (%rdi), %xmm0
    mov %rdx, -16(%rsp)
    vmovdqu %xmm0, -16(%rsp)
    mov -16(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control leak_spilled_then_partly_overwritten
    vmovdqu (%rdi), %xmm0
    mov %rdx, -16(%rsp)
    vmovdqu %xmm0, -24(%rsp)
    mov -16(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control leak_spilled_on_one_way_only
    test %rdx, %rdx
    jz 1f
    mov %rdx, -8(%rsp)
1:  mov -8(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control leak_spilled_less_than_is_read
    mov %edx, -8(%rsp)
    mov -8(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control leak_spilled_before_the_stack_moved
    mov %rdx, -8(%rsp)
    sub $16, %rsp
    mov -8(%rsp), %rcx
    prefetcht0 (%rcx)
    add $16, %rsp
    ret

control quiet_spilled_where_a_vector_was
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, -16(%rsp)
    mov %rdx, -16(%rsp)
    mov -16(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control leak_spilled_elsewhere
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, -32(%rsp)
    mov %rdx, -8(%rsp)
    mov -32(%rsp), %rcx
    prefetcht0 (%rcx)
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
    prefetcht0 (%r15)
    leave
    ret

control leak_restored_after_it_was_overwritten
    push %rbp
    mov %rsp, %rbp
    push %r15
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, -8(%rbp)
    mov -8(%rbp), %r15
    prefetcht0 (%r15)
    leave
    ret

control leak_restored_without_a_frame
    push %r15
    mov -8(%rbp), %r15
    prefetcht0 (%r15)
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

control leak_broadcast_and_returned
    mov (%rdi), %eax
    vpbroadcastd %eax, %ymm0
    ret

control quiet_broadcast_behind_a_jump
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
    call hanji_wipe_stack
    mov (%rsi), %rcx
    prefetcht0 (%rcx)
    ret

control leak_ragged_first_argument
    mov (%rdi), %rcx
    prefetcht0 (%rcx)
    ret

control leak_ragged_behind_an_address
    mov (%rsi), %rcx
    mov (%rcx), %rax
    ret

control leak_ragged_register_of_another
    mov (%rsi), %rsi
    mov (%rsi), %rcx
    prefetcht0 (%rcx)
    ret

control leak_ragged_on_one_way_only
    mov %rdi, %rax
    test %rdx, %rdx
    jz 1f
    mov %rsi, %rax
1:  mov (%rax), %rcx
    prefetcht0 (%rcx)
    ret

control leak_ragged_by_an_index
    mov (%rsi,%rdx,8), %rcx
    prefetcht0 (%rcx)
    ret

control leak_ragged_place_overwritten
    mov %rsi, -8(%rsp)
    mov %rdi, -8(%rsp)
    mov -8(%rsp), %rax
    mov (%rax), %rcx
    prefetcht0 (%rcx)
    ret

control leak_table_of_another_function
    mov (%rsi), %rcx
    prefetcht0 (%rcx)
    ret

// Instructions that read memory and write flags, or write the memory that they read.
control leak_increment_in_memory
    addb $1, 7(%rdi)
    jne 1f
    mov %edx, (%rsi)
1:  ret

control leak_increment_in_memory_without_a_jump
    incb 7(%rdi)
    ret

control leak_sum_with_memory
    add (%rdi), %rdx
    mov $0, %eax
    ret

control leak_bit_of_memory
    btl $3, (%rdi)
    jc 1f
    mov %edx, (%rsi)
1:  ret

control leak_push_of_memory
    push (%rdi)
    pop %rcx
    prefetcht0 (%rcx)
    ret

control leak_pop_to_memory
    push %rdx
    pop (%rdi)
    ret

control leak_exchange_with_memory
    xchg %rdx, (%rdi)
    prefetcht0 (%rdx)
    ret

control leak_exchange_and_add
    xadd %rdx, (%rdi)
    prefetcht0 (%rdx)
    ret

control leak_compare_and_exchange
    xor %eax, %eax
    cmpxchg %rdx, (%rdi)
    ret

control leak_string_load
    mov %rdi, %rsi
    lodsq
    prefetcht0 (%rax)
    ret

control leak_string_comparison
    mov %rdx, %rcx
    repe cmpsb
    ret

control leak_string_search
    mov %rdx, %rcx
    xor %eax, %eax
    repne scasb
    mov $0, %eax
    ret

control leak_string_as_long_as_data_say
    mov (%rdi), %rcx
    rep stosb
    ret

control leak_table_of_bytes
    xlatb
    ret

// Out of vectors without VEX, and by other ways.
control leak_move_without_vex
    movdqu (%rdi), %xmm0
    movq %xmm0, %rax
    prefetcht0 (%rax)
    ret

control leak_move_without_vex_alone
    movq %xmm0, %rax
    ret

control leak_move_of_a_word
    vmovdqu (%rdi), %xmm0
    vmovd %xmm0, %ecx
    mov $1, %eax
    ret

control leak_signs_of_words
    vmovups (%rdi), %ymm0
    vmovmskps %ymm0, %eax
    ret

control leak_compare_numbers
    vmovsd (%rdi), %xmm0
    vucomisd %xmm0, %xmm0
    jp 1f
    mov %edx, (%rsi)
1:  ret

control leak_compare_numbers_in_order
    vmovsd (%rdi), %xmm0
    vcomisd %xmm0, %xmm0
    jp 1f
    mov %edx, (%rsi)
1:  ret

control leak_convert_a_number
    vmovsd (%rdi), %xmm0
    vcvttsd2si %xmm0, %rax
    ret

control leak_signs_of_a_test
    vmovups (%rdi), %ymm0
    vtestps %ymm0, %ymm0
    jz 1f
    mov %edx, (%rsi)
1:  ret

control leak_test_of_a_mask_by_ktest
    vmovdqu64 (%rdi), %zmm0
    vptestmd %zmm0, %zmm0, %k1
    ktestw %k1, %k1
    jz 1f
    mov %edx, (%rsi)
1:  ret

control leak_spilled_mask
    vmovdqu64 (%rdi), %zmm0
    vptestmd %zmm0, %zmm0, %k1
    kmovw %k1, -8(%rsp)
    movzwl -8(%rsp), %ecx
    prefetcht0 (%rdi,%rcx)
    ret

control leak_spilled_vector
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, -24(%rsp)
    mov -16(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control leak_extracted_to_the_stack
    vmovdqu (%rdi), %xmm0
    vpextrq $1, %xmm0, -16(%rsp)
    mov -16(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

// Masks of loads and stores, and addresses in vectors.
control leak_mask_of_a_load
    vmovdqu64 (%rdi), %zmm0
    vptestmd %zmm0, %zmm0, %k1
    vmovdqu32 (%rsi), %zmm1{%k1}{z}
    ret

control leak_mask_of_a_store
    vmovdqu64 (%rdi), %zmm0
    vptestmd %zmm0, %zmm0, %k1
    vmovdqu32 %zmm0, (%rsi){%k1}
    ret

control leak_mask_of_a_store_to_the_own_stack
    vmovdqu64 (%rdi), %zmm0
    vptestmd %zmm0, %zmm0, %k1
    vmovdqu32 %zmm0, -64(%rsp){%k1}
    ret

control leak_mask_of_an_operand_in_memory
    vmovdqu64 (%rdi), %zmm0
    vptestmd %zmm0, %zmm0, %k1
    vpaddd (%rsi), %zmm0, %zmm1{%k1}{z}
    ret

control leak_mask_made_of_masks
    vmovdqu64 (%rdi), %zmm0
    vptestmd %zmm0, %zmm0, %k1
    mov $15, %eax
    kmovd %eax, %k2
    korw %k1, %k2, %k3
    vmovdqu32 (%rsi), %zmm1{%k3}{z}
    ret

control leak_mask_from_memory
    kmovw (%rdi), %k1
    vmovdqu32 (%rsi), %zmm1{%k1}{z}
    ret

control leak_mask_from_a_word
    mov (%rdi), %ecx
    kmovd %ecx, %k1
    vmovdqu32 (%rsi), %zmm1{%k1}{z}
    ret

control leak_mask_that_is_made_under_a_mask
    vmovdqu64 (%rdi), %zmm0
    vptestmd %zmm0, %zmm0, %k1
    vpcmpeqd %zmm1, %zmm1, %k2{%k1}
    vmovdqu32 (%rsi), %zmm1{%k2}{z}
    ret

control leak_gather
    vmovdqu64 (%rdi), %zmm0
    kxnorw %k1, %k1, %k1
    vpgatherdd (%rsi,%zmm0,4), %zmm1{%k1}
    ret

control leak_gather_of_avx2
    vmovdqu (%rdi), %ymm0
    vpcmpeqd %ymm2, %ymm2, %ymm2
    vpgatherdd %ymm2, (%rsi,%ymm0,4), %ymm1
    ret

control leak_masked_move_of_avx2
    vmovdqu (%rdi), %ymm0
    vpmaskmovd (%rsi), %ymm0, %ymm1
    ret

control leak_expand_from_memory
    vmovdqu64 (%rdi), %zmm0
    vptestmd %zmm0, %zmm0, %k1
    vpexpandd (%rsi), %zmm1{%k1}{z}
    ret

control leak_index_into_constants
    mov (%rdi), %eax
    lea constants(%rip), %rcx
    vmovdqu (%rcx,%rax), %xmm0
    ret

control leak_store_to_an_address_of_data
    mov (%rdi), %rax
    vmovdqu %xmm0, (%rax)
    ret

control quiet_index_into_constants
    lea constants(%rip), %rcx
    and $1, %edx
    shl $4, %rdx
    vmovdqu (%rcx,%rdx), %xmm0
    mov (%rcx), %eax
    test %eax, %eax
    jz 1f
    vmovdqu %xmm0, (%rsi)
1:  ret

control quiet_mask_of_a_length
    mov $-1, %rax
    mov %edx, %ecx
    shl %cl, %rax
    kmovq %rax, %k1
    vmovdqu8 (%rdi), %zmm0{%k1}{z}
    vmovdqu8 %zmm0, (%rsi){%k1}
    ret

control quiet_mask_of_data_between_vectors
    vmovdqu64 (%rdi), %zmm0
    vptestmd %zmm0, %zmm0, %k1
    kmovw %k1, -8(%rsp)
    kmovw -8(%rsp), %k2
    vpsubd %zmm0, %zmm1, %zmm0{%k2}
    vmovdqu64 %zmm0, (%rsi)
    ret

control quiet_words_moved
    mov (%rdi), %rax
    mov %rax, (%rsi)
    mov $0, %eax
    ret

control quiet_word_in_low_bits_of_a_mask
    mov $4095, %r10w
    kmovd %r10d, %k1
    vmovdqu32 (%rdi), %zmm0{%k1}{z}
    ret

control leak_word_in_low_bits_of_a_longer_mask
    mov $4095, %r10w
    kmovd %r10d, %k1
    vmovdqu16 (%rdi), %zmm0{%k1}{z}
    ret

// Time.
control leak_divide_by_memory
    mov %edx, %eax
    xor %edx, %edx
    divl (%rdi)
    ret

control leak_divide_with_sign
    mov (%rdi), %eax
    cltd
    idiv %esi
    ret

control leak_divide_vectors
    vmovups (%rdi), %zmm0
    vdivps %zmm0, %zmm0, %zmm1
    vmovups %zmm1, (%rsi)
    ret

control leak_divide_a_number
    vmovsd (%rdi), %xmm0
    vdivsd %xmm0, %xmm0, %xmm1
    vmovsd %xmm1, (%rsi)
    ret

control leak_root_of_vectors
    vmovups (%rdi), %zmm0
    vsqrtps %zmm0, %zmm1
    vmovups %zmm1, (%rsi)
    ret

control leak_multiply_numbers
    vmovups (%rdi), %zmm0
    vmulps %zmm0, %zmm0, %zmm1
    vmovups %zmm1, (%rsi)
    ret

control leak_bits_gathered
    mov (%rdi), %rax
    pext %rax, %rdx, %rcx
    mov $1, %eax
    ret

control leak_bits_counted
    mov (%rdi), %rax
    popcnt %rax, %rcx
    mov $1, %eax
    ret

control leak_first_bit
    mov (%rdi), %rax
    bsf %rax, %rcx
    mov $1, %eax
    ret

control leak_bit_tested
    mov (%rdi), %rax
    bt $3, %rax
    mov $1, %eax
    jc 1f
    mov %edx, (%rsi)
1:  ret

control leak_selected
    mov (%rdi), %rax
    cmp $3, %rdx
    cmove %rdx, %rax
    test %rax, %rax
    mov $1, %eax
    ret

control leak_set_from_flags_of_data
    cmpb $3, (%rdi)
    sete %al
    movzbl %al, %ecx
    prefetcht0 (%rsi,%rcx)
    ret

control leak_carry_into_an_address
    addb $3, (%rdi)
    sbb %rcx, %rcx
    prefetcht0 (%rsi,%rcx)
    ret

control leak_carry_behind_a_count
    addb $3, (%rdi)
    dec %rdx
    jc 1f
    mov %edx, (%rsi)
1:  ret

control leak_shifted_by_data
    mov (%rdi), %rcx
    shl %cl, %rdx
    mov $1, %eax
    ret

// Calls, and jumps that are not to be followed.
control leak_call_of_a_stranger
    sub $8, %rsp
    call strange
    add $8, %rsp
    ret

control leak_jump_to_a_stranger
    jmp strange

control leak_call_through_memory
    sub $8, %rsp
    call *(%rdi)
    add $8, %rsp
    ret

control leak_call_through_a_register
    sub $8, %rsp
    call *%rdx
    add $8, %rsp
    ret

control leak_jump_through_a_table
    lea constants(%rip), %rcx
    movslq (%rcx,%rdx,4), %rax
    add %rcx, %rax
    jmp *%rax

control leak_data_decide_an_argument
    sub $8, %rsp
    mov (%rdi), %rdx
    call memcpy
    add $8, %rsp
    ret

control leak_argument_of_our_function
    mov (%rdi), %rdx
    call looped
    ret

control leak_behind_a_call_of_our_function
    call clobbers
    vmovdqu (%rcx), %xmm0
    ret

control leak_answer_of_our_function
    call answers
    prefetcht0 (%rax)
    ret

control leak_within_our_function
    call branches
    mov $0, %eax
    ret

control leak_runs_into_what_follows
    vmovdqu (%rdi), %xmm0

control quiet_call_of_our_function
    call looped
    ret

control quiet_call_through_an_address
    lea looped(%rip), %rax
    call *%rax
    ret

    .type looped, %function
looped:
1:  dec %rdx
    jnz 1b
    ret

    .type clobbers, %function
clobbers:
    mov (%rdi), %rcx
    ret

    .type answers, %function
answers:
    mov (%rdi), %rax
    ret

    .type branches, %function
branches:
    cmpb $0, (%rdi)
    je 1f
    mov %edx, (%rsi)
1:  ret

control leak_return_to_data
    mov (%rdi), %rax
    push %rax
    ret

control leak_stack_moved_by_data
    mov (%rdi), %rax
    add %rax, %rsp
    ret

control leak_system_call
    syscall
    ret

control leak_time_stamp
    rdtsc
    ret

control leak_loop_instruction
    mov (%rdi), %rcx
1:  loop 1b
    ret

control leak_jump_if_no_count
    mov (%rdi), %rcx
    jrcxz 1f
    mov %edx, (%rsi)
1:  ret

// The own stack under another name.
control leak_slot_overwritten_through_a_pointer
    mov %rdx, -16(%rsp)
    lea -16(%rsp), %rax
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, (%rax)
    mov -16(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control leak_slot_overwritten_by_an_index
    mov %rdx, -16(%rsp)
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, -64(%rsp,%rdx)
    mov -16(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control leak_slot_overwritten_by_a_loop
    mov %rdx, -16(%rsp)
    vmovdqu (%rdi), %xmm0
    lea -112(%rsp), %rax
1:  vmovdqu %xmm0, (%rax)
    add $16, %rax
    cmp %rsp, %rax
    jne 1b
    mov -16(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control quiet_slot_behind_a_loop
    mov %rdx, -16(%rsp)
    vmovdqu (%rdi), %xmm0
    lea -112(%rsp), %rax
    lea -16(%rsp), %rsi
1:  vmovdqu %xmm0, (%rax)
    add $16, %rax
    cmp %rsi, %rax
    jne 1b
    mov -16(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control leak_slot_overwritten_by_another_function
    sub $40, %rsp
    mov %rdx, 8(%rsp)
    mov %rsp, %rsi
    call copies
    mov 8(%rsp), %rcx
    prefetcht0 (%rcx)
    add $40, %rsp
    ret

control quiet_slot_beside_what_another_function_writes
    sub $40, %rsp
    mov %rdx, 24(%rsp)
    mov %rsp, %rsi
    call copies
    mov 24(%rsp), %rcx
    prefetcht0 (%rcx)
    add $40, %rsp
    ret

    .type copies, %function
copies:
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, (%rsi)
    ret

control leak_slot_overwritten_by_memcpy
    sub $40, %rsp
    mov %rdx, 8(%rsp)
    mov %rdi, %rsi
    mov %rsp, %rdi
    mov $16, %edx
    call memcpy
    mov 8(%rsp), %rcx
    prefetcht0 (%rcx)
    add $40, %rsp
    ret

control leak_slot_behind_two_differences
    mov %rdx, -16(%rsp)
    mov %rsp, %rax
    sub %rsi, %rax
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, -16(%rsi,%rax)
    mov -16(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control leak_slot_address_through_a_vector
    mov %rdx, -16(%rsp)
    lea -16(%rsp), %rax
    vmovq %rax, %xmm1
    vpshufd $0x44, %xmm1, %xmm1
    vmovq %xmm1, %rax
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, (%rax)
    mov -16(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control leak_slot_address_in_memory
    lea -16(%rsp), %rax
    mov %rax, (%rsi)
    ret

control leak_slot_of_two_places
    mov %rdx, -16(%rsp)
    mov %rdx, -32(%rsp)
    lea -16(%rsp), %rax
    lea -32(%rsp), %rcx
    test %rdx, %rdx
    cmove %rcx, %rax
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, (%rax)
    mov -32(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control leak_slot_under_an_aligned_stack
    push %rbp
    mov %rsp, %rbp
    mov %rdx, -16(%rbp)
    and $-64, %rsp
    vmovdqu64 (%rdi), %zmm0
    vmovdqu64 %zmm0, -64(%rsp)
    mov -16(%rbp), %rcx
    prefetcht0 (%rcx)
    leave
    ret

control leak_high_byte_of_data
    mov (%rdi), %eax
    mov $1, %al
    test %ah, %ah
    mov $1, %eax
    ret

control quiet_low_byte
    mov $1, %r10b
1:  test $1, %r10b
    mov $0, %r10b
    jne 1b
    ret

control leak_argument_on_the_stack_overwritten
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, 8(%rsp)
    mov 8(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control leak_argument_on_the_stack_overwritten_by_an_index
    vmovdqu (%rdi), %xmm0
    vmovdqu %xmm0, -64(%rsp,%rdx)
    mov 8(%rsp), %rcx
    prefetcht0 (%rcx)
    ret

control quiet_argument_on_the_stack
    mov 8(%rsp), %rcx
    vmovdqu (%rcx), %xmm0
    ret

control leak_return_address_overwritten
    mov (%rdi), %rax
    mov %rax, (%rsp)
    mov $0, %eax
    ret

control leak_answer_of_our_function_returned
    call answers
    ret

control leak_answer_of_our_function_left
    jmp answers

    .type leak_function_of_the_file_alone, %function
leak_function_of_the_file_alone:
    cmpb $0, (%rdi)
    je 1f
    mov %edx, (%rsi)
1:  ret

    .section .rodata
constants:
    .zero 64

    .section .note.GNU-stack,"",%progbits
