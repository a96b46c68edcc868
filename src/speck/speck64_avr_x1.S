// SPDX-License-Identifier: Apache-2.0
// SPECK with 32-bit words on AVR, one block at a time; a block is the words y and x. The rounds are
// a loop: a rotation by 8 is five moves, and four rounds without them would be four times the code.

// Words of four bytes, the lowest first.
#define Y0 r18
#define Y1 r19
#define Y2 r24
#define Y3 r25
#define X0 r20
#define X1 r21
#define X2 r2
#define X3 r3
#define K r4
#define ROUND r5
#define GROUPS r6 // and r7
#define KEYS r8 // and r9

.macro rol_y
    lsl Y0
    rol Y1
    rol Y2
    rol Y3
    adc Y0, r1
.endm

.macro xor_key byte
    ld K, Z+
    eor \byte, K
.endm

.macro kernel name, rounds
    .section .text.\name, "ax", @progbits
    .type \name, @function
\name:
    .irp i, 2, 3, 4, 5, 6, 7, 8, 9, 28, 29
    push r\i
    .endr
    movw r28, r24               ; Y: out
    movw r26, r22               ; X: in
    movw GROUPS, r20
    movw KEYS, r18
.Lblock\@:
    mov r24, GROUPS
    mov r25, r7
    sbiw r24, 1
    movw GROUPS, r24
    brcs .Lend\@
    ld Y0, X+
    ld Y1, X+
    ld Y2, X+
    ld Y3, X+
    ld X0, X+
    ld X1, X+
    ld X2, X+
    ld X3, X+
    movw r30, KEYS
    ldi r22, \rounds
    mov ROUND, r22
.Lround\@:
    mov r22, X0                 ; x rotated right by 8
    mov X0, X1
    mov X1, X2
    mov X2, X3
    mov X3, r22
    add X0, Y0
    adc X1, Y1
    adc X2, Y2
    adc X3, Y3
    xor_key X0
    xor_key X1
    xor_key X2
    xor_key X3
    rol_y
    rol_y
    rol_y
    eor Y0, X0
    eor Y1, X1
    eor Y2, X2
    eor Y3, X3
    dec ROUND
    brne .Lround\@
    st Y+, Y0
    st Y+, Y1
    st Y+, Y2
    st Y+, Y3
    st Y+, X0
    st Y+, X1
    st Y+, X2
    st Y+, X3
    rjmp .Lblock\@
.Lend\@:
    .irp i, 29, 28, 9, 8, 7, 6, 5, 4, 3, 2
    pop r\i
    .endr
    ret
    .size \name, . - \name
.endm

// void hanji_speck64_128_avr_encrypt_x1(uint8_t *out, const uint8_t *in, size_t groups,
//     const void *keys);
/* kernel:
     spec: speck64_128.encrypt
     isa: avr
     blocks: 1
     align: 1
     args: { r24: {buffer: out, bytes: 8 * groups, access: w},
             r22: {buffer: in, bytes: 8 * groups, access: r},
             r20: {value: groups}, r18: {buffer: keys, bytes: 108, access: r} }
     aliasing: out == in allowed
     stack: 10
     secrets: in, keys
*/
    .global hanji_speck64_128_avr_encrypt_x1
    kernel hanji_speck64_128_avr_encrypt_x1, 27
