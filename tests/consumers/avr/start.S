/* SPDX-License-Identifier: Apache-2.0 */
/* Start of an ATmega2560: the zero register, the stack, .data out of flash, .bss, main. */
    .section .vectors, "ax"
    .global __vectors
__vectors:
    clr r1
    out 0x3f, r1
    ldi r28, 0xff
    ldi r29, 0x21
    out 0x3e, r29 /* the end of RAM, 0x21ff */
    out 0x3d, r28
    ldi r30, lo8(__data_load_start)
    ldi r31, hi8(__data_load_start)
    ldi r16, hh8(__data_load_start)
    out 0x3b, r16
    ldi r26, lo8(__data_start)
    ldi r27, hi8(__data_start)
    ldi r17, hi8(__data_end)
    rjmp 2f
1:  elpm r0, Z+
    st X+, r0
2:  cpi r26, lo8(__data_end)
    cpc r27, r17
    brne 1b
    ldi r26, lo8(__bss_start)
    ldi r27, hi8(__bss_start)
    ldi r17, hi8(__bss_end)
    rjmp 4f
3:  st X+, r1
4:  cpi r26, lo8(__bss_end)
    cpc r27, r17
    brne 3b
    jmp main
