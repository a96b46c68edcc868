// SPDX-License-Identifier: Apache-2.0
// Ascon (SP 800-232) for one state on Armv7-M, in r0 to r9 as pairs of words, low half first. One
// loop of four rounds serves all functions, with HANJI_SMALL of two. States have the alignment of
// words, texts any.

#define S0 r0, r1
#define S1 r2, r3
#define S2 r4, r5
#define S3 r6, r7
#define S4 r8, r9
#define FREE r10, r11 // where the next word of a round goes; then S0 and it change places
#define CONSTANT r12

// The S-box on one half of all words, in their registers: y0 comes to x2, y1 to x3, y2 to x4, y3 to
// x0, y4 to x1.
.macro box x0, x1, x2, x3, x4, t0, t1, t2
    eor \t0, \x1, \x2
    eor \t1, \x0, \x4
    eor \t2, \x3, \x4
    orn \x4, \x3, \x4
    eor \x4, \x4, \t0
    orr \x0, \x0, \t2
    eor \x0, \x0, \t0
    eor \x2, \x2, \t1
    orr \x2, \x2, \x1
    eor \x2, \x2, \t2
    eor \x3, \x3, \x1
    orr \x3, \x3, \t0
    eor \x3, \x3, \t1
    bic \x1, \x1, \t1
    eor \x1, \x1, \t2
.endm

// y ^ the low half of a pair rotated to the right by r; with halves exchanged, the high half.
.macro rotated x, y, low, high, r
    .if \r < 32
    eor \x, \y, \low, lsr #\r
    eor \x, \x, \high, lsl #(32 - \r)
    .else
    eor \x, \y, \high, lsr #(\r - 32)
    eor \x, \x, \low, lsl #(64 - \r)
    .endif
.endm

.macro diffuse x_low, x_high, low, high, r, q
    rotated \x_low, \low, \low, \high, \r
    rotated \x_low, \x_low, \low, \high, \q
    rotated \x_high, \high, \high, \low, \r
    rotated \x_high, \x_high, \high, \low, \q
.endm

// A round behind the addition of its constant. S0 comes to f, whose place is then free.
.macro round a, b, c, d, e, g, h, i, j, k, f_low, f_high
    box \a, \c, \e, \h, \j, \f_low, \f_high, lr
    box \b, \d, \g, \i, \k, \f_low, \f_high, lr
    diffuse \f_low, \f_high, \e, \g, 19, 28
    diffuse \e, \g, \j, \k, 1, 6
    diffuse \j, \k, \c, \d, 7, 41
    diffuse \c, \d, \h, \i, 61, 39
    diffuse \h, \i, \a, \b, 10, 17
.endm

    .syntax unified
    .thumb

    // The rounds from CONSTANT on. Takes and leaves the state in its registers.
#ifdef HANJI_SMALL
#define FIRST_CONSTANT(constant) constant
    .section .text.hanji_ascon_armv7m_rounds, "ax", %progbits
    .balign 4
    .type ascon_rounds, %function
ascon_rounds:
    push {lr}
1:
    eor r4, r4, CONSTANT
    round S0, S1, S2, S3, S4, FREE
    eor r4, r4, CONSTANT // the next constant is this less 15: for even rounds 0x11 away
    eor r4, r4, #0x11
    round FREE, S1, S2, S3, S4, S0
    sub CONSTANT, CONSTANT, #30
    cmp CONSTANT, #0x3c
    bne.w 1b
    pop {pc}
    .size ascon_rounds, . - ascon_rounds
#else
// In the highest byte, where the subtraction tells the end: 0xf0, 0xb4 and 0x78 less 60 are lower
// as signed numbers, but for the last, which leaves 60.
#define FIRST_CONSTANT(constant) (constant << 24)

// One round, whose constant differs by `bits` from that of the first of four.
.macro one_of_four bits, state:vararg
    eor r4, r4, CONSTANT, lsr #24
    .if \bits
    eor r4, r4, #\bits
    .endif
    round \state
.endm

    .section .text.hanji_ascon_armv7m_rounds, "ax", %progbits
    .balign 4
    .type ascon_last_two, %function
ascon_last_two: // of four
    push {lr}
    b.w 2f
    .size ascon_last_two, . - ascon_last_two
    .type ascon_rounds, %function
ascon_rounds:
    push {lr}
1:
    one_of_four 0, S0, S1, S2, S3, S4, FREE
    one_of_four 0x11, FREE, S1, S2, S3, S4, S0
2:
    one_of_four 0x22, S0, S1, S2, S3, S4, FREE
    one_of_four 0x33, FREE, S1, S2, S3, S4, S0
    subs CONSTANT, CONSTANT, #FIRST_CONSTANT(60)
    blt.w 1b
    pop {pc}
    .size ascon_rounds, . - ascon_rounds
#endif

// Registers r4 to r11 and the arguments on the stack, the state in its registers.
.macro begin name, arguments:vararg
    .section .text.\name, "ax", %progbits
    .balign 4
    .type \name, %function
\name:
    push {\arguments, r4-r11, lr}
    ldm r0, {r0-r9}
.endm

// `arguments` are bytes of arguments, the state first.
.macro end name, arguments
    ldr r10, [sp]
    stm r10, {r0-r9}
    add sp, sp, #\arguments
    pop {r4-r11, pc}
    .size \name, . - \name
.endm

// p from the constant `first` on, and back to the next block; `blocks` says where their number is.
.macro permute_and_loop first, blocks
    mov CONSTANT, #FIRST_CONSTANT(\first)
    bl ascon_rounds
    ldr r10, [sp, #\blocks]
    subs r10, r10, #1
    str r10, [sp, #\blocks]
    bne 1b
.endm

// The last `rounds` of the 16 rounds, an even number from 2 to 12.
// void hanji_ascon_p_armv7m_x1(uint64_t *state, uint32_t steps);
/* kernel:
     spec: ascon_p.permute
     isa: armv7m
     blocks: 1
     align: 4
     args: { r0: {buffer: state, bytes: 40, access: rw}, r1: {value: steps} }
     aliasing: in place
     stack: 44
     secrets: state
*/
    .section .text.hanji_ascon_p_armv7m_x1, "ax", %progbits
    .balign 4
    .global hanji_ascon_p_armv7m_x1
    .type hanji_ascon_p_armv7m_x1, %function
hanji_ascon_p_armv7m_x1:
    push {r0, r4-r11, lr}
    rsb CONSTANT, r1, r1, lsl #4
    add CONSTANT, CONSTANT, #0x3c
#ifdef HANJI_SMALL
    ldm r0, {r0-r9}
    bl ascon_rounds
#else
    lsl CONSTANT, CONSTANT, #24
    tst r1, #2
    ldm r0, {r0-r9}
    beq.n 1f
    add CONSTANT, CONSTANT, #FIRST_CONSTANT(30) // 2, 6 or 10 rounds
    bl ascon_last_two
    b.n 2f
1:
    bl ascon_rounds
2:
#endif
    end hanji_ascon_p_armv7m_x1, 4

// Whole blocks into the state, p[8] after each.
// void hanji_ascon_aead128_armv7m_absorb_x1(uint64_t *state, const uint8_t *in, size_t groups);
/* kernel:
     spec: ascon_aead128.absorb_blocks
     isa: armv7m
     blocks: 1
     align: 4
     args: { r0: {buffer: state, bytes: 40, access: rw},
             r1: {buffer: in, bytes: 16 * groups, access: r}, r2: {value: groups} }
     aliasing: in place
     stack: 52
     secrets: state, in
*/
    .global hanji_ascon_aead128_armv7m_absorb_x1
    begin hanji_ascon_aead128_armv7m_absorb_x1, r0-r2
1:
    ldr r11, [sp, #4]
    .irp half, r0, r1, r2, r3
    ldr r12, [r11], #4
    eor \half, \half, r12
    .endr
    str r11, [sp, #4]
    permute_and_loop 0xb4, 8
    end hanji_ascon_aead128_armv7m_absorb_x1, 12

// The same for Ascon-Hash256, with blocks of 8 bytes and p[12].
// void hanji_ascon_hash256_armv7m_absorb_x1(uint64_t *state, const uint8_t *in, size_t groups);
/* kernel:
     spec: ascon_hash256.absorb_blocks
     isa: armv7m
     blocks: 1
     align: 4
     args: { r0: {buffer: state, bytes: 40, access: rw},
             r1: {buffer: in, bytes: 8 * groups, access: r}, r2: {value: groups} }
     aliasing: in place
     stack: 52
     secrets: state, in
*/
    .global hanji_ascon_hash256_armv7m_absorb_x1
    begin hanji_ascon_hash256_armv7m_absorb_x1, r0-r2
1:
    ldr r11, [sp, #4]
    .irp half, r0, r1
    ldr r12, [r11], #4
    eor \half, \half, r12
    .endr
    str r11, [sp, #4]
    permute_and_loop 0xf0, 8
    end hanji_ascon_hash256_armv7m_absorb_x1, 12

// Whole blocks of text, p[8] after each.
// void hanji_ascon_aead128_armv7m_seal_x1(uint64_t *state, uint8_t *out, const uint8_t *in,
//                                         size_t groups);
/* kernel:
     spec: ascon_aead128.seal_blocks
     isa: armv7m
     blocks: 1
     align: 4
     args: { r0: {buffer: state, bytes: 40, access: rw},
             r1: {buffer: out, bytes: 16 * groups, access: w},
             r2: {buffer: in, bytes: 16 * groups, access: r}, r3: {value: groups} }
     aliasing: out == in allowed
     stack: 56
     secrets: state, in
*/
    .global hanji_ascon_aead128_armv7m_seal_x1
    begin hanji_ascon_aead128_armv7m_seal_x1, r0-r3
1:
    ldrd r10, r11, [sp, #4]
    .irp half, r0, r1, r2, r3
    ldr r12, [r11], #4
    eor \half, \half, r12
    str \half, [r10], #4
    .endr
    strd r10, r11, [sp, #4]
    permute_and_loop 0xb4, 12
    end hanji_ascon_aead128_armv7m_seal_x1, 16

// void hanji_ascon_aead128_armv7m_open_x1(uint64_t *state, uint8_t *out, const uint8_t *in,
//                                         size_t groups);
/* kernel:
     spec: ascon_aead128.open_blocks
     isa: armv7m
     blocks: 1
     align: 4
     args: { r0: {buffer: state, bytes: 40, access: rw},
             r1: {buffer: out, bytes: 16 * groups, access: w},
             r2: {buffer: in, bytes: 16 * groups, access: r}, r3: {value: groups} }
     aliasing: out == in allowed
     stack: 56
     secrets: state, in
*/
    .global hanji_ascon_aead128_armv7m_open_x1
    begin hanji_ascon_aead128_armv7m_open_x1, r0-r3
1:
    ldrd r10, r11, [sp, #4]
    .irp half, r0, r1, r2, r3
    ldr r12, [r11], #4
    eor lr, \half, r12
    str lr, [r10], #4
    mov \half, r12
    .endr
    strd r10, r11, [sp, #4]
    permute_and_loop 0xb4, 12
    end hanji_ascon_aead128_armv7m_open_x1, 16
