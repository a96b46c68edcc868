// SPDX-License-Identifier: Apache-2.0
// SPECK with 32-bit words on Armv7-M, one block at a time; a block is the words y and x. With
// HANJI_SMALL the rounds are a loop.
    .syntax unified
    .thumb

// x = (x rotated right by 8) + y, xor k; y = (y rotated left by 3) xor x. 4 instructions.
.macro encrypt_round
    add r5, r4, r5, ror #8
    ldr r6, [r7], #4
    eor r5, r5, r6
    eor r4, r5, r4, ror #29
.endm

.macro kernel name, rounds
    .section .text.\name, "ax", %progbits
    .type \name, %function
    .balign 4
\name:
    cmp r2, #0
    beq.w 3f
    push {r4-r7}
1:
    ldr r4, [r1], #4
    ldr r5, [r1], #4
    mov r7, r3
#ifdef HANJI_SMALL
    mov r12, #\rounds
2:
    encrypt_round
    subs r12, r12, #1
    bne 2b
#else
    .rept \rounds
    encrypt_round
    .endr
#endif
    str r4, [r0], #4
    str r5, [r0], #4
    subs r2, r2, #1
    bne.w 1b
    pop {r4-r7}
3:
    bx lr
    .size \name, . - \name
.endm

// void hanji_speck64_128_armv7m_encrypt_x1(uint8_t *out, const uint8_t *in, size_t groups,
//     const void *keys);
/* kernel:
     spec: speck64_128.encrypt
     isa: armv7m
     blocks: 1
     align: 1
     args: { r0: {buffer: out, bytes: 8 * groups, access: w},
             r1: {buffer: in, bytes: 8 * groups, access: r},
             r2: {value: groups}, r3: {buffer: keys, bytes: 108, access: r} }
     aliasing: out == in allowed
     stack: 16
     secrets: in, keys
*/
    .global hanji_speck64_128_armv7m_encrypt_x1
    kernel hanji_speck64_128_armv7m_encrypt_x1, 27
