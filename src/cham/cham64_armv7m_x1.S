// SPDX-License-Identifier: Apache-2.0
// CHAM-64/128 on Armv7-M, one block at a time, eight rounds per loop. A register holds a word of 16
// bits in both halves, so that its rotations are those of 32 bits; sums are right in the low half
// and then copied. As in cham_rounds.h the first and the third word are held rotated by 8.
// void hanji_cham64_128_armv7m_encrypt_x1(uint8_t *out, const uint8_t *in, size_t groups,
//     const void *keys);
/* kernel:
     spec: cham64_128.encrypt
     isa: armv7m
     blocks: 1
     align: 1
     args: { r0: {buffer: out, bytes: 8 * groups, access: w},
             r1: {buffer: in, bytes: 8 * groups, access: r},
             r2: {value: groups}, r3: {buffer: keys, bytes: 32, access: r} }
     aliasing: out == in allowed
     stack: 24
     secrets: in, keys
*/
    .syntax unified
    .thumb

#define T r12
#define I lr // the number of the round
#define S0 r4
#define S1 r5
#define S2 r6
#define S3 r7

.macro twice word
    bfi \word, \word, #16, #16
.endm

// a = ((a rotated by 8) xor i) + ((b rotated left by 1) xor k)
.macro even a, b, key
    ldrh T, [r3, #2 * \key]
    eor T, T, \b, ror #31
    eor \a, \a, I, lsl #8
    add \a, T, \a, ror #8
    twice \a
    add I, I, #1
.endm

// a = ((a xor i) + (b xor k)) rotated left by 1
.macro odd a, b, key
    ldrh T, [r3, #2 * \key]
    eor T, T, \b
    eor \a, \a, I
    add \a, \a, T
    twice \a
    ror \a, \a, #31
    add I, I, #1
.endm

    .section .text.hanji_cham64_128_armv7m_encrypt_x1, "ax", %progbits
    .global hanji_cham64_128_armv7m_encrypt_x1
    .type hanji_cham64_128_armv7m_encrypt_x1, %function
    .balign 4
hanji_cham64_128_armv7m_encrypt_x1:
    cmp r2, #0
    it eq
    bxeq lr
    push {r3-r7, lr}
.Lblock:
    ldrh S0, [r1], #2
    ldrh S1, [r1], #2
    ldrh S2, [r1], #2
    ldrh S3, [r1], #2
    twice S0
    twice S1
    twice S2
    twice S3
    rev16 S0, S0
    rev16 S2, S2
    movs I, #0
.Lrounds:
    even S0, S1, 0
    odd S1, S2, 1
    even S2, S3, 2
    odd S3, S0, 3
    even S0, S1, 4
    odd S1, S2, 5
    even S2, S3, 6
    odd S3, S0, 7
    tst I, #8                   // the other eight keys
    ite ne
    addne r3, r3, #16
    subeq r3, r3, #16
    cmp I, #88
    bne .Lrounds
    rev16 S0, S0
    rev16 S2, S2
    strh S0, [r0], #2
    strh S1, [r0], #2
    strh S2, [r0], #2
    strh S3, [r0], #2
    subs r3, r3, #16            // 88 rounds end on the second eight
    subs r2, r2, #1
    bne .Lblock
    pop {r3-r7, pc}
    .size hanji_cham64_128_armv7m_encrypt_x1, . - hanji_cham64_128_armv7m_encrypt_x1
