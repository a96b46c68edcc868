// SPDX-License-Identifier: Apache-2.0
// CHAM-64/128 on Armv7E-M and Armv8-M with the DSP instructions, two blocks at a time, sixteen
// rounds per loop: encryption, and counter mode. A register holds the same word of both blocks, the
// first block in its low half. Sixteen rounds are 115 instructions for both blocks, 11 of them are
// loads of keys, and three of the loop.
//
// As in cham_rounds.h words 0 and 2 are held rotated by 8. As in cham64_rv32i_x2.S words 1 and 3
// are held xored with 1, the lowest bit of the numbers of their rounds, so that the number changes
// every other round only; the keys take that off and put it on.
//
// A rotation left by 1 doubles both halves. In an even round, whose key is xored to that, the
// carries of the doubling choose between the key and the key xored with 1, for each half: both lie
// side by side in the frame. The keys of odd rounds are in registers but for the last three.
#ifdef __ARM_FEATURE_DSP
    .syntax unified
    .thumb

#define D r0
#define K0 r1
#define K1 r2
#define ONES r3 // 0x00010001
#define S0 r4
#define S1 r5
#define S2 r6
#define S3 r7
#define I r12 // the number of the round, the last even one, in both halves

// The frame: eight pairs of even keys, three odd keys, and what the call was given.
#define ODD 64
#define FRAME 76
#define OUT FRAME
#define IN (FRAME + 4)
#define GROUPS (FRAME + 8)
#define COUNTER (FRAME + 12) // NULL for encryption

// The keys of rounds \pair * 2 and the next one; the second one into \odd.
.macro two_keys pair, odd
    ldr r0, [r12, #4 * \pair]
    pkhbt r1, r0, r0, lsl #16
    pkhtb \odd, r0, r0, asr #16
    eor r1, r1, #0x00020002
    eor r2, r1, #0x00010001
    strd r1, r2, [sp, #8 * \pair]
    eor \odd, \odd, #0x80008000
.endm

// a = ((a rotated by 8) xor I) + ((b rotated left by 1) xor k)
.macro even a, b, pair
    ldrd K0, K1, [sp, #8 * \pair]
    uadd16 D, \b, \b
    sel K0, K1, K0
    rev16 \a, \a
    eor D, D, K0
    eor \a, \a, I
    uadd16 \a, \a, D
.endm

// a = ((a xor I) + (b xor k)) rotated left by 1
.macro odd a, b, key
    eor D, \b, \key
    eor \a, \a, I
    uadd16 \a, \a, D
    and D, ONES, \a, lsr #15
    uadd16 \a, \a, \a
    orr \a, \a, D
    add I, I, #0x00020002
.endm

.macro odd_of_frame a, b, at
    ldr K0, [sp, #ODD + \at]
    odd \a, \b, K0
.endm

// The words of the rounds from the four words of two blocks, r0 to r3.
.macro pack
    pkhbt S0, r0, r2, lsl #16
    pkhtb S1, r2, r0, asr #16
    pkhbt S2, r1, r3, lsl #16
    pkhtb S3, r3, r1, asr #16
    rev16 S0, S0
    eor S1, S1, #0x00010001
    rev16 S2, S2
    eor S3, S3, #0x00010001
.endm

.macro unpack
    rev16 S0, S0
    eor S1, S1, #0x00010001
    rev16 S2, S2
    eor S3, S3, #0x00010001
    pkhbt r0, S0, S1, lsl #16
    pkhtb r2, S1, S0, asr #16
    pkhbt r1, S2, S3, lsl #16
    pkhtb r3, S3, S2, asr #16
.endm

    .section .text.hanji_cham64_128_armv7em_x2, "ax", %progbits
// void hanji_cham64_128_armv7em_ctr_x2(uint8_t *out, const uint8_t *in, size_t groups,
//     uint8_t *counter, const void *keys);
/* kernel:
     spec: cham64_128.ctr
     isa: armv7em
     blocks: 2
     align: 1
     args: { r0: {buffer: out, bytes: 8 * blocks * groups, access: w},
             r1: {buffer: in, bytes: 8 * blocks * groups, access: r},
             r2: {value: groups}, r3: {buffer: counter, bytes: 8, access: rw},
             a4: {buffer: keys, bytes: 32, access: r} }
     aliasing: out == in allowed
     stack: 128
     secrets: in, counter, keys
*/
    .global hanji_cham64_128_armv7em_ctr_x2
    .type hanji_cham64_128_armv7em_ctr_x2, %function
    .balign 4
hanji_cham64_128_armv7em_ctr_x2:
    ldr r12, [sp]
    b .Lstart
    .size hanji_cham64_128_armv7em_ctr_x2, . - hanji_cham64_128_armv7em_ctr_x2

// void hanji_cham64_128_armv7em_encrypt_x2(uint8_t *out, const uint8_t *in, size_t groups,
//     const void *keys);
/* kernel:
     spec: cham64_128.encrypt
     isa: armv7em
     blocks: 2
     align: 1
     args: { r0: {buffer: out, bytes: 8 * blocks * groups, access: w},
             r1: {buffer: in, bytes: 8 * blocks * groups, access: r},
             r2: {value: groups}, r3: {buffer: keys, bytes: 32, access: r} }
     aliasing: out == in allowed
     stack: 128
     secrets: in, keys
*/
    .global hanji_cham64_128_armv7em_encrypt_x2
    .type hanji_cham64_128_armv7em_encrypt_x2, %function
hanji_cham64_128_armv7em_encrypt_x2:
    mov r12, r3
    movs r3, #0
.Lstart:
    cmp r2, #0
    it eq
    bxeq lr
    push {r0-r11, lr}
    sub sp, sp, #FRAME
    two_keys 0, r8
    two_keys 1, r9
    two_keys 2, r10
    two_keys 3, r11
    two_keys 4, lr
    two_keys 5, r3
    str r3, [sp, #ODD]
    two_keys 6, r3
    str r3, [sp, #ODD + 4]
    two_keys 7, r3
    str r3, [sp, #ODD + 8]
.Lpair:
    ldr r4, [sp, #COUNTER]
    cbz r4, .Ltext
    ldr r0, [r4]                // the counter is big-endian
    ldr r1, [r4, #4]
    rev r5, r0
    rev r6, r1
    adds r6, r6, #1
    adc r5, r5, #0
    rev r2, r5
    rev r3, r6
    adds r6, r6, #1
    adc r5, r5, #0
    rev r5, r5
    rev r6, r6
    str r5, [r4]
    str r6, [r4, #4]
    b .Lblocks
.Ltext:
    ldr r4, [sp, #IN]
    ldr r0, [r4], #4
    ldr r1, [r4], #4
    ldr r2, [r4], #4
    ldr r3, [r4], #4
    str r4, [sp, #IN]
.Lblocks:
    pack
    mov ONES, #0x00010001
    mov I, #0
.Lrounds:
    even S0, S1, 0
    odd S1, S2, r8
    even S2, S3, 1
    odd S3, S0, r9
    even S0, S1, 2
    odd S1, S2, r10
    even S2, S3, 3
    odd S3, S0, r11
    cmp I, #0x00580058          // 88 rounds end on the first eight keys
    beq .Lout
    even S0, S1, 4
    odd S1, S2, lr
    even S2, S3, 5
    odd_of_frame S3, S0, 0
    even S0, S1, 6
    odd_of_frame S1, S2, 4
    even S2, S3, 7
    odd_of_frame S3, S0, 8
    b .Lrounds
.Lout:
    unpack
    ldr r4, [sp, #COUNTER]
    cbz r4, .Lstore
    ldr r12, [sp, #IN]
    ldr r4, [r12], #4
    ldr r5, [r12], #4
    ldr r6, [r12], #4
    ldr r7, [r12], #4
    str r12, [sp, #IN]
    eors r0, r0, r4
    eors r1, r1, r5
    eors r2, r2, r6
    eors r3, r3, r7
.Lstore:
    ldr r12, [sp, #OUT]
    str r0, [r12], #4
    str r1, [r12], #4
    str r2, [r12], #4
    str r3, [r12], #4
    str r12, [sp, #OUT]
    ldr r4, [sp, #GROUPS]
    subs r4, r4, #1
    str r4, [sp, #GROUPS]
    bne.w .Lpair
    add sp, sp, #FRAME + 16
    pop {r4-r11, pc}
    .size hanji_cham64_128_armv7em_encrypt_x2, . - hanji_cham64_128_armv7em_encrypt_x2
#endif
