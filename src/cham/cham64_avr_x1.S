// SPDX-License-Identifier: Apache-2.0
// CHAM-64/128 on AVR, one block at a time, eight rounds per loop: after as many every word is in
// its registers again, which a rotation by 8 swaps by their names.
// void hanji_cham64_128_avr_encrypt_x1(uint8_t *out, const uint8_t *in, size_t groups,
//     const void *keys);
/* kernel:
     spec: cham64_128.encrypt
     isa: avr
     blocks: 1
     align: 1
     args: { r24: {buffer: out, bytes: 8 * groups, access: w},
             r22: {buffer: in, bytes: 8 * groups, access: r},
             r20: {value: groups}, r18: {buffer: keys, bytes: 32, access: r} }
     aliasing: out == in allowed
     stack: 8
     secrets: in, keys
*/
#define A0 r18
#define A1 r19
#define B0 r22
#define B1 r23
#define C0 r24
#define C1 r25
#define D0 r2
#define D1 r3
#define U0 r6
#define U1 r7
#define K r0
#define I r21 // the number of the round
#define GROUPS r4 // and r5

// a = ((a xor i) + ((b rotated left by 1) xor k)); its bytes then change their names.
.macro even a0, a1, b0, b1
    mov U0, \b0
    mov U1, \b1
    lsl U0
    rol U1
    adc U0, r1
    ld K, Z+
    eor U0, K
    ld K, Z+
    eor U1, K
    eor \a0, I
    add \a0, U0
    adc \a1, U1
    inc I
.endm

// a = ((a xor i) + ((b rotated by 8) xor k)) rotated left by 1
.macro odd a0, a1, b0, b1
    ld U0, Z+
    ld U1, Z+
    eor U0, \b1
    eor U1, \b0
    eor \a0, I
    add \a0, U0
    adc \a1, U1
    lsl \a0
    rol \a1
    adc \a0, r1
    inc I
.endm

    .section .text.hanji_cham64_128_avr_encrypt_x1, "ax", @progbits
    .global hanji_cham64_128_avr_encrypt_x1
    .type hanji_cham64_128_avr_encrypt_x1, @function
hanji_cham64_128_avr_encrypt_x1:
    .irp i, 2, 3, 4, 5, 6, 7, 28, 29
    push r\i
    .endr
    movw r28, r24               ; Y: out
    movw r26, r22               ; X: in
    movw GROUPS, r20
    movw r30, r18               ; Z: keys
.Lblock:
    mov r24, GROUPS
    mov r25, r5
    sbiw r24, 1
    movw GROUPS, r24
    brcc .Lmore
    rjmp .Lend
.Lmore:
    ld A0, X+
    ld A1, X+
    ld B0, X+
    ld B1, X+
    ld C0, X+
    ld C1, X+
    ld D0, X+
    ld D1, X+
    clr I
.Lrounds:
    even A0, A1, B0, B1
    odd B0, B1, C0, C1
    even C0, C1, D0, D1
    odd D0, D1, A1, A0
    even A1, A0, B0, B1
    odd B0, B1, C1, C0
    even C1, C0, D0, D1
    odd D0, D1, A0, A1
    sbrs I, 3
    sbiw r30, 32
    cpi I, 88
    breq .Ldone
    rjmp .Lrounds
.Ldone:
    sbiw r30, 16                ; 88 rounds end behind the first eight keys
    st Y+, A0
    st Y+, A1
    st Y+, B0
    st Y+, B1
    st Y+, C0
    st Y+, C1
    st Y+, D0
    st Y+, D1
    rjmp .Lblock
.Lend:
    .irp i, 29, 28, 7, 6, 5, 4, 3, 2
    pop r\i
    .endr
    ret
    .size hanji_cham64_128_avr_encrypt_x1, . - hanji_cham64_128_avr_encrypt_x1
