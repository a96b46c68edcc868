// SPDX-License-Identifier: Apache-2.0
// Ascon (SP 800-232) for one state on Armv6-M, at r0. A round reads the low halves of all words,
// then the high ones, and writes every word whole. States have the alignment of words, texts any.

// Where words begin in the state.
#define S0 0
#define S1 8
#define S2 16
#define S3 24
#define S4 32
// The constant of a round; its low registers are all in use.
#define CONSTANT lr

    .syntax unified
    .thumb

// The S-box on one half of all words: word 0 comes to r3, 1 to r4, 2 to r7, 3 to r1, 4 to r2; the
// caller's \keep takes word 2 from r7 at once.
.macro box half, keep:vararg
    ldr r1, [r0, #S0 + \half]
    ldr r2, [r0, #S1 + \half]
    ldr r3, [r0, #S2 + \half]
    ldr r4, [r0, #S3 + \half]
    ldr r5, [r0, #S4 + \half]
    .if \half == 0
    mov r6, CONSTANT
    eors r3, r6
    .endif
    movs r6, r2
    eors r6, r3
    mvns r7, r5
    orrs r7, r4
    eors r7, r6
    \keep
    movs r7, r1
    eors r7, r5
    eors r5, r4
    orrs r1, r5
    eors r1, r6
    eors r3, r7
    orrs r3, r2
    eors r3, r5
    eors r4, r2
    orrs r4, r6
    eors r4, r7
    bics r2, r7
    eors r2, r5
.endm

// r6 = own ^ right >> a ^ right >> b ^ left << 32 - a ^ left << 32 - b, where a < b.
.macro mix own, right, left, a, b
    lsrs r6, \right, #(\b - \a)
    eors r6, \right
    lsrs r6, r6, #\a
    eors r6, \own
    lsls r7, \left, #(\b - \a)
    eors r7, \left
    lsls r7, r7, #(32 - \b)
    eors r6, r7
.endm

// A word with its two rotations to the right by a and b, both less than 32.
.macro diffuse at, low, high, a, b
    mov r5, \low
    mix r5, r5, \high, \a, \b
    str r6, [r0, #\at]
    mix \high, \high, r5, \a, \b
    str r6, [r0, #\at + 4]
.endm

// The same for 32 + a and 32 + b.
.macro diffuse_exchanged at, low, high, a, b
    mov r5, \low
    mix r5, \high, r5, \a, \b
    str r6, [r0, #\at]
    mix \high, r5, \high, \a, \b
    str r6, [r0, #\at + 4]
.endm

// r6 = own >> 7 ^ own << 23 ^ own ^ other << 25 ^ other >> 9: rotations by 7 and 41.
.macro mix_both own, other
    lsrs r6, \own, #7
    eors r6, \own
    lsls r7, \own, #23
    eors r6, r7
    lsls r7, \other, #25
    eors r6, r7
    lsrs r7, \other, #9
    eors r6, r7
.endm

    .section .text.hanji_ascon_armv6m_rounds, "ax", %progbits
    .balign 4
    .thumb_func
    .type ascon_rounds, %function
ascon_rounds: // from the constant in r1 on
    push {lr}
    mov CONSTANT, r1
1:
    box 0, mov r10, r7
    mov r8, r3
    mov r9, r4
    mov r11, r1
    mov r12, r2
    box 4, str r7, [r0, #S2 + 4]
    diffuse S0, r8, r3, 19, 28
    diffuse_exchanged S1, r9, r4, 7, 29 // 39 and 61
    diffuse S3, r11, r1, 10, 17
    mov r5, r12
    mix_both r5, r2
    str r6, [r0, #S4]
    mix_both r2, r5
    str r6, [r0, #S4 + 4]
    ldr r1, [r0, #S2 + 4]
    diffuse S2, r10, r1, 1, 6
    mov r1, CONSTANT
    subs r1, #15
    mov CONSTANT, r1
    cmp r1, #0x3c
    beq 2f
    b 1b
2:
    pop {pc}
    .size ascon_rounds, . - ascon_rounds

// r4 to r11, and the arguments that change.
.macro begin name, arguments:vararg
    .section .text.\name, "ax", %progbits
    .balign 4
    .thumb_func
    .type \name, %function
\name:
    push {r4-r7, lr}
    mov r4, r8
    mov r5, r9
    mov r6, r10
    mov r7, r11
    push {\arguments, r4-r7}
.endm

// `arguments` are their bytes.
.macro end name, arguments
    add sp, sp, #\arguments
    pop {r4-r7}
    mov r8, r4
    mov r9, r5
    mov r10, r6
    mov r11, r7
    pop {r4-r7, pc}
    .size \name, . - \name
.endm

// p from the constant `first` on, and back to the next block; `blocks` says where their number is.
.macro permute_and_loop first, blocks
    movs r1, #\first
    bl ascon_rounds
    ldr r3, [sp, #\blocks]
    subs r3, #1
    str r3, [sp, #\blocks]
    bne 1b
.endm

// The last `rounds` of the 16 rounds, 1 to 12.
// void hanji_ascon_p_armv6m_x1(uint64_t *state, uint32_t steps);
/* kernel:
     spec: ascon_p.permute
     isa: armv6m
     blocks: 1
     align: 4
     args: { r0: {buffer: state, bytes: 40, access: rw}, r1: {value: steps} }
     aliasing: in place
     stack: 44
     secrets: state
*/
    .global hanji_ascon_p_armv6m_x1
    begin hanji_ascon_p_armv6m_x1, r1
    lsls r2, r1, #4
    subs r1, r2, r1
    adds r1, #0x3c
    bl ascon_rounds
    end hanji_ascon_p_armv6m_x1, 4

// Whole blocks of `bytes` into the state, and the rounds from `first` on after each.
.macro absorb bytes, first
1:
    ldr r2, [sp]
    lsls r3, r2, #30
    bne 2f
    .irp at, 0, 4, 8, 12
    .if \at < \bytes
    ldr r4, [r2, #\at]
    ldr r5, [r0, #\at]
    eors r5, r4
    str r5, [r0, #\at]
    .endif
    .endr
    b 4f
2:
    movs r3, #\bytes - 1
3:
    ldrb r4, [r2, r3]
    ldrb r5, [r0, r3]
    eors r5, r4
    strb r5, [r0, r3]
    subs r3, #1
    bpl 3b
4:
    adds r2, #\bytes
    str r2, [sp]
    permute_and_loop \first, 4
.endm

// void hanji_ascon_aead128_armv6m_absorb_x1(uint64_t *state, const uint8_t *in, size_t groups);
/* kernel:
     spec: ascon_aead128.absorb_blocks
     isa: armv6m
     blocks: 1
     align: 4
     args: { r0: {buffer: state, bytes: 40, access: rw},
             r1: {buffer: in, bytes: 16 * groups, access: r}, r2: {value: groups} }
     aliasing: in place
     stack: 48
     secrets: state, in
*/
    .global hanji_ascon_aead128_armv6m_absorb_x1
    begin hanji_ascon_aead128_armv6m_absorb_x1, r1, r2
    absorb 16, 0xb4
    end hanji_ascon_aead128_armv6m_absorb_x1, 8

// The same for Ascon-Hash256, with blocks of 8 bytes and p[12].
// void hanji_ascon_hash256_armv6m_absorb_x1(uint64_t *state, const uint8_t *in, size_t groups);
/* kernel:
     spec: ascon_hash256.absorb_blocks
     isa: armv6m
     blocks: 1
     align: 4
     args: { r0: {buffer: state, bytes: 40, access: rw},
             r1: {buffer: in, bytes: 8 * groups, access: r}, r2: {value: groups} }
     aliasing: in place
     stack: 48
     secrets: state, in
*/
    .global hanji_ascon_hash256_armv6m_absorb_x1
    begin hanji_ascon_hash256_armv6m_absorb_x1, r1, r2
    absorb 8, 0xf0
    end hanji_ascon_hash256_armv6m_absorb_x1, 8

// Whole blocks of text, p[8] after each; `into` is what the state takes: r5, the output, or r4, the
// input.
.macro crypt into
1:
    ldr r1, [sp]
    ldr r2, [sp, #4]
    movs r3, r1
    orrs r3, r2
    lsls r3, r3, #30
    bne 2f
    .irp at, 0, 4, 8, 12
    ldr r4, [r2, #\at]
    ldr r5, [r0, #\at]
    eors r5, r4
    str r5, [r1, #\at]
    str \into, [r0, #\at]
    .endr
    b 4f
2:
    movs r3, #15
3:
    ldrb r4, [r2, r3]
    ldrb r5, [r0, r3]
    eors r5, r4
    strb r5, [r1, r3]
    strb \into, [r0, r3]
    subs r3, #1
    bpl 3b
4:
    adds r1, #16
    adds r2, #16
    str r1, [sp]
    str r2, [sp, #4]
    permute_and_loop 0xb4, 8
.endm

// void hanji_ascon_aead128_armv6m_seal_x1(uint64_t *state, uint8_t *out, const uint8_t *in,
//                                         size_t groups);
/* kernel:
     spec: ascon_aead128.seal_blocks
     isa: armv6m
     blocks: 1
     align: 4
     args: { r0: {buffer: state, bytes: 40, access: rw},
             r1: {buffer: out, bytes: 16 * groups, access: w},
             r2: {buffer: in, bytes: 16 * groups, access: r}, r3: {value: groups} }
     aliasing: out == in allowed
     stack: 52
     secrets: state, in
*/
    .global hanji_ascon_aead128_armv6m_seal_x1
    begin hanji_ascon_aead128_armv6m_seal_x1, r1-r3
    crypt r5
    end hanji_ascon_aead128_armv6m_seal_x1, 12

// void hanji_ascon_aead128_armv6m_open_x1(uint64_t *state, uint8_t *out, const uint8_t *in,
//                                         size_t groups);
/* kernel:
     spec: ascon_aead128.open_blocks
     isa: armv6m
     blocks: 1
     align: 4
     args: { r0: {buffer: state, bytes: 40, access: rw},
             r1: {buffer: out, bytes: 16 * groups, access: w},
             r2: {buffer: in, bytes: 16 * groups, access: r}, r3: {value: groups} }
     aliasing: out == in allowed
     stack: 52
     secrets: state, in
*/
    .global hanji_ascon_aead128_armv6m_open_x1
    begin hanji_ascon_aead128_armv6m_open_x1, r1-r3
    crypt r4
    end hanji_ascon_aead128_armv6m_open_x1, 12
