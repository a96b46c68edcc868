// SPDX-License-Identifier: Apache-2.0
// Ascon (SP 800-232) for one state on AVR. The state stays in memory, at Y; words 1 and 3 are in
// registers from one round to the next. Rotations by whole bytes are in the names of the bytes.
// r1 is zero throughout, as compilers want it. Texts and states have any alignment.

// Words of eight bytes, the lowest first: word 3, then words 1 and 0 and 2 in turn; word 1, then
// word 4; what is rotated.
#define P r2, r3, r4, r5, r6, r7, r8, r9
#define Q r10, r11, r12, r13, r14, r15, r16, r17
#define T r18, r19, r20, r21, r22, r23, r24, r25
// The constant of a round.
#define CONSTANT r30

// Where words begin in the state.
#define S0 0
#define S1 8
#define S2 16
#define S3 24
#define S4 32

// The S-box on byte `i` of all words: word 1 in x1 becomes word 4, word 3 in x3 becomes word 1.
.macro box i, x1, x3
    ldd r18, Y + S0 + \i
    ldd r19, Y + S2 + \i
    ldd r20, Y + S4 + \i
    .if \i == 0
    eor r19, CONSTANT
    .endif
    mov r21, \x1
    eor r21, r19
    mov r22, r18
    eor r22, r20
    mov r23, \x3
    eor r23, r20
    com r20
    or r20, \x3
    eor r20, r21
    std Y + S2 + \i, r20
    or r18, r23
    eor r18, r21
    std Y + S3 + \i, r18
    eor r19, r22
    or r19, \x1
    eor r19, r23
    std Y + S0 + \i, r19
    eor \x3, \x1
    or \x3, r21
    eor \x3, r22
    com r22
    and \x1, r22
    eor \x1, r23
.endm

.macro boxes a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7
    box 0, \a0, \b0
    box 1, \a1, \b1
    box 2, \a2, \b2
    box 3, \a3, \b3
    box 4, \a4, \b4
    box 5, \a5, \b5
    box 6, \a6, \b6
    box 7, \a7, \b7
.endm

.macro load at, v0, v1, v2, v3, v4, v5, v6, v7
    ldd \v0, Y + \at
    ldd \v1, Y + \at + 1
    ldd \v2, Y + \at + 2
    ldd \v3, Y + \at + 3
    ldd \v4, Y + \at + 4
    ldd \v5, Y + \at + 5
    ldd \v6, Y + \at + 6
    ldd \v7, Y + \at + 7
.endm

.macro store at, v0, v1, v2, v3, v4, v5, v6, v7
    std Y + \at, \v0
    std Y + \at + 1, \v1
    std Y + \at + 2, \v2
    std Y + \at + 3, \v3
    std Y + \at + 4, \v4
    std Y + \at + 5, \v5
    std Y + \at + 6, \v6
    std Y + \at + 7, \v7
.endm

.macro copy a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7
    movw \a0, \b0
    movw \a2, \b2
    movw \a4, \b4
    movw \a6, \b6
.endm

// A word rotated by one bit.
.macro right v0, v1, v2, v3, v4, v5, v6, v7
    bst \v0, 0
    .irp v, \v7, \v6, \v5, \v4, \v3, \v2, \v1, \v0
    ror \v
    .endr
    bld \v7, 7
.endm

.macro left v0, v1, v2, v3, v4, v5, v6, v7
    lsl \v0
    .irp v, \v1, \v2, \v3, \v4, \v5, \v6, \v7
    rol \v
    .endr
    adc \v0, r1
.endm

.macro add_word a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7
    eor \a0, \b0
    eor \a1, \b1
    eor \a2, \b2
    eor \a3, \b3
    eor \a4, \b4
    eor \a5, \b5
    eor \a6, \b6
    eor \a7, \b7
.endm

// a ^= b rotated to the right by `n` bytes.
.macro add_rotated n, a0, a1, a2, a3, a4, a5, a6, a7, b0, b:vararg
    .if \n
    add_rotated (\n - 1), \a0, \a1, \a2, \a3, \a4, \a5, \a6, \a7, \b, \b0
    .else
    add_word \a0, \a1, \a2, \a3, \a4, \a5, \a6, \a7, \b0, \b
    .endif
.endm

    .section .text.hanji_ascon_avr_rounds, "ax", @progbits
    .type ascon_rounds, @function
ascon_rounds: // from CONSTANT on
    load S3, P
    load S1, Q
.Lround:
    boxes Q, P
    copy T, Q // word 4: 7 = 8 - 1, 41 = 40 + 1
    left T
    add_rotated 1, Q, T
    right T
    right T
    add_rotated 5, Q, T
    store S4, Q
    copy Q, P // word 1: 61 = 64 - 3, 39 = 40 - 1
    left Q
    add_rotated 5, P, Q
    left Q
    left Q
    add_rotated 0, Q, P
    load S0, P // 19 = 16 + 3, 28 = 24 + 4
    copy T, P
    right T
    right T
    right T
    add_rotated 2, P, T
    right T
    add_rotated 3, P, T
    store S0, P
    load S2, P // 1, 6 = 8 - 2
    copy T, P
    right T
    add_rotated 0, P, T
    left T
    left T
    left T
    add_rotated 1, P, T
    store S2, P
    load S3, P // 17 = 16 + 1, 10 = 8 + 2
    copy T, P
    right T
    add_rotated 2, P, T
    right T
    add_rotated 1, P, T
    subi CONSTANT, 15
    cpi CONSTANT, 0x3c
    breq .Llast
    rjmp .Lround
.Llast:
    store S3, P
    store S1, Q
    ret
    .size ascon_rounds, . - ascon_rounds

.macro begin name
    .section .text.\name, "ax", @progbits
    .type \name, @function
\name:
    .irp i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    push r\i
    .endr
    movw r28, r24
.endm

.macro end name
    .irp i, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop r\i
    .endr
    ret
    .size \name, . - \name
.endm

// The last `rounds` of the 16 rounds, 1 to 12.
// void hanji_ascon_p_avr_x1(uint64_t *state, uint32_t steps);
/* kernel:
     spec: ascon_p.permute
     isa: avr
     blocks: 1
     align: 1
     args: { r24: {buffer: state, bytes: 40, access: rw}, r20: {value: steps} }
     aliasing: in place
     stack: 20
     secrets: state
*/
    .global hanji_ascon_p_avr_x1
    begin hanji_ascon_p_avr_x1
    mov CONSTANT, r20
    swap CONSTANT
    sub CONSTANT, r20
    subi CONSTANT, -0x3c
    rcall ascon_rounds
    end hanji_ascon_p_avr_x1

// Whole blocks of `bytes` into the state at Y, and the rounds from `first` on after each: X is the
// text, r20 and r21 are the number of blocks.
.macro absorb bytes, first
    movw r26, r22
1:
    subi r20, 1
    sbci r21, 0
    brcs 3f
    push r20
    push r21
    ldi r18, \bytes
2:
    ld r19, X+
    ld r20, Y
    eor r20, r19
    st Y+, r20
    dec r18
    brne 2b
    sbiw r28, \bytes
    ldi CONSTANT, \first
    rcall ascon_rounds
    pop r21
    pop r20
    rjmp 1b
3:
.endm

// void hanji_ascon_aead128_avr_absorb_x1(uint64_t *state, const uint8_t *in, size_t groups);
/* kernel:
     spec: ascon_aead128.absorb_blocks
     isa: avr
     blocks: 1
     align: 1
     args: { r24: {buffer: state, bytes: 40, access: rw},
             r22: {buffer: in, bytes: 16 * groups, access: r}, r20: {value: groups} }
     aliasing: in place
     stack: 22
     secrets: state, in
*/
    .global hanji_ascon_aead128_avr_absorb_x1
    begin hanji_ascon_aead128_avr_absorb_x1
    absorb 16, 0xb4
    end hanji_ascon_aead128_avr_absorb_x1

// The same for Ascon-Hash256, with blocks of 8 bytes and p[12].
// void hanji_ascon_hash256_avr_absorb_x1(uint64_t *state, const uint8_t *in, size_t groups);
/* kernel:
     spec: ascon_hash256.absorb_blocks
     isa: avr
     blocks: 1
     align: 1
     args: { r24: {buffer: state, bytes: 40, access: rw},
             r22: {buffer: in, bytes: 8 * groups, access: r}, r20: {value: groups} }
     aliasing: in place
     stack: 22
     secrets: state, in
*/
    .global hanji_ascon_hash256_avr_absorb_x1
    begin hanji_ascon_hash256_avr_absorb_x1
    absorb 8, 0xf0
    end hanji_ascon_hash256_avr_absorb_x1

// Whole blocks of text, p[8] after each: X is the input, Z the output, r18 and r19 are the number
// of blocks.
.macro crypt open
    movw r26, r20
    movw r30, r22
1:
    subi r18, 1
    sbci r19, 0
    brcs 3f
    push r18
    push r19
    ldi r18, 16
2:
    ld r19, X+
    ld r20, Y
    eor r20, r19
    st Z+, r20
    .if \open
    st Y+, r19
    .else
    st Y+, r20
    .endif
    dec r18
    brne 2b
    sbiw r28, 16
    push r30
    push r31
    ldi CONSTANT, 0xb4
    rcall ascon_rounds
    pop r31
    pop r30
    pop r19
    pop r18
    rjmp 1b
3:
.endm

// void hanji_ascon_aead128_avr_seal_x1(uint64_t *state, uint8_t *out, const uint8_t *in,
//                                      size_t groups);
/* kernel:
     spec: ascon_aead128.seal_blocks
     isa: avr
     blocks: 1
     align: 1
     args: { r24: {buffer: state, bytes: 40, access: rw},
             r22: {buffer: out, bytes: 16 * groups, access: w},
             r20: {buffer: in, bytes: 16 * groups, access: r}, r18: {value: groups} }
     aliasing: out == in allowed
     stack: 24
     secrets: state, in
*/
    .global hanji_ascon_aead128_avr_seal_x1
    begin hanji_ascon_aead128_avr_seal_x1
    crypt 0
    end hanji_ascon_aead128_avr_seal_x1

// void hanji_ascon_aead128_avr_open_x1(uint64_t *state, uint8_t *out, const uint8_t *in,
//                                      size_t groups);
/* kernel:
     spec: ascon_aead128.open_blocks
     isa: avr
     blocks: 1
     align: 1
     args: { r24: {buffer: state, bytes: 40, access: rw},
             r22: {buffer: out, bytes: 16 * groups, access: w},
             r20: {buffer: in, bytes: 16 * groups, access: r}, r18: {value: groups} }
     aliasing: out == in allowed
     stack: 24
     secrets: state, in
*/
    .global hanji_ascon_aead128_avr_open_x1
    begin hanji_ascon_aead128_avr_open_x1
    crypt 1
    end hanji_ascon_aead128_avr_open_x1
