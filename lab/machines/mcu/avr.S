; SPDX-License-Identifier: Apache-2.0
; What avr-libc does not have: the interrupt that counts overflows of timer 1, and the call that is
; measured.

#define SPL 0x3d
#define SPH 0x3e
#define SREG 0x3f

    .text
; 3 cycles of the jump in the table of vectors, then 28; harness.py takes them off.
    .global __vector_13
__vector_13:
    push r24
    in r24, SREG
    push r24
    push r25
    lds r24, lab_overflows
    lds r25, lab_overflows + 1
    adiw r24, 1
    sts lab_overflows + 1, r25
    sts lab_overflows, r24
    pop r25
    pop r24
    out SREG, r24
    pop r24
    reti

    .global main
main:
    rjmp lab_main

; void lab_call(const void *arguments, void (*function)(void), uint32_t *spoiled)
    .global lab_call
lab_call:
    .irp i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 20, 21
    push r\i
    .endr
    movw r26, r24
    movw r30, r22
    ldi r24, 0xa0
    .irp i, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 28, 29
    mov r\i, r24
    inc r24
    .endr
    in r24, SPL
    in r25, SPH
    sts lab_saved_sp, r24
    sts lab_saved_sp + 1, r25
    .irp i, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25
    ld r\i, X+
    .endr
    sts lab_kept, r16
    sts lab_kept + 1, r17
    icall
    ; A bit for each that was not kept: r2 to r7, r8 to r15, r16 and r17, r28 and r29; r1; sp
    ldi r24, 0xa0
    clr r20
    clr r21
    clr r22
    .irp i, 2, 3, 4, 5, 6, 7, 8
    cpse r\i, r24
    ori r20, 1 << (\i - 2)
    inc r24
    .endr
    .irp i, 9, 10, 11, 12, 13, 14, 15
    cpse r\i, r24
    ori r21, 1 << (\i - 9)
    inc r24
    .endr
    cpse r28, r24
    ori r22, 1
    inc r24
    cpse r29, r24
    ori r22, 2
    lds r24, lab_kept
    cpse r16, r24
    ori r22, 4
    lds r24, lab_kept + 1
    cpse r17, r24
    ori r22, 8
    clr r24
    cpse r1, r24
    ori r22, 16
    clr r1
    in r24, SPL
    in r25, SPH
    lds r30, lab_saved_sp
    lds r31, lab_saved_sp + 1
    cpse r24, r30
    ori r22, 32
    cpse r25, r31
    ori r22, 32
    out SPH, r31
    out SPL, r30
    pop r31
    pop r30
    st Z+, r20
    st Z+, r21
    st Z+, r22
    st Z+, r1
    .irp i, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop r\i
    .endr
    ret

; Called to know what the call itself takes: twice the first less the second is a call of no
; instructions.
    .global lab_few, lab_more
lab_few:
    .rept 16
    nop
    .endr
    ret
lab_more:
    .rept 32
    nop
    .endr
    ret

    .section .bss
    .global lab_saved_sp
lab_saved_sp:
    .zero 2
lab_kept:
    .zero 2
