// SPDX-License-Identifier: Apache-2.0
// SPECK with 32-bit words on Armv6-M, one block at a time; a block is the words y and x. With
// HANJI_SMALL the rounds are a loop.
    .syntax unified
    .thumb

// x = (x rotated right by 8) + y, xor k; y = (y rotated left by 3) xor x. 6 instructions.
.macro encrypt_round
    rors r5, r2
    adds r5, r5, r4
    ldm r7!, {r6}
    eors r5, r6
    rors r4, r3
    eors r4, r5
.endm

.macro kernel name, rounds
    .section .text.\name, "ax", %progbits
    .type \name, %function
    .thumb_func
    .balign 4
\name:
    cmp r2, #0
    bne 5f
    bx lr
5:
    push {r4-r7}
    mov r4, r8
    push {r4}
    mov r8, r2                  // groups
#ifdef HANJI_SMALL
    adds r3, #4 * \rounds       // where the keys end
#endif
    mov r12, r3                 // keys
    movs r2, #8
    movs r3, #29
1:
    ldm r1!, {r4, r5}
    mov r7, r12
#ifdef HANJI_SMALL
    subs r7, #4 * \rounds
2:
    encrypt_round
    cmp r7, r12
    bne 2b
#else
    .rept \rounds
    encrypt_round
    .endr
#endif
    stm r0!, {r4, r5}
    mov r4, r8
    subs r4, r4, #1
    mov r8, r4
    beq 3f
    b 1b
3:
    pop {r4}
    mov r8, r4
    pop {r4-r7}
    bx lr
    .size \name, . - \name
.endm

// void hanji_speck64_128_armv6m_encrypt_x1(uint8_t *out, const uint8_t *in, size_t groups,
//     const void *keys);
/* kernel:
     spec: speck64_128.encrypt
     isa: armv6m
     blocks: 1
     align: 4
     args: { r0: {buffer: out, bytes: 8 * groups, access: w},
             r1: {buffer: in, bytes: 8 * groups, access: r},
             r2: {value: groups}, r3: {buffer: keys, bytes: 108, access: r} }
     aliasing: out == in allowed
     stack: 20
     secrets: in, keys
*/
    .global hanji_speck64_128_armv6m_encrypt_x1
    kernel hanji_speck64_128_armv6m_encrypt_x1, 27
