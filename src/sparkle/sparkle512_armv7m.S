// SPDX-License-Identifier: Apache-2.0
// SPARKLE512 on Armv7-M, the left half in registers and the right half in its memory; any number of
// steps from 1.
// void hanji_sparkle512_armv7m_x1(uint32_t *states, size_t groups, uint32_t steps);
/* kernel:
     spec: sparkle512.permute
     isa: armv7m
     blocks: 1
     align: 4
     args: { r0: {buffer: states, bytes: 64 * groups, access: rw}, r1: {value: groups},
             r2: {value: steps} }
     aliasing: in place
     stack: 56
     secrets: states
*/
#include "sparkle_armv7m.inc"

#define STATES r0
#define TX r1 // sums of the left words, before the rotation of l
#define TY r2
#define C r3
#define U r12 // the last branch of the new left half
#define V lr

// On the stack: number of the step, where its constant lies; groups, steps.
#define STEP [sp]
#define GROUPS [sp, #12]
#define STEPS [sp, #16]

.macro box x, y, i
    box_constant C, \i
    alzette \x, \y, C
.endm

// A branch of the new left half, from the right branch \i, whose box is computed in \u and \v, and
// the left branch x, y.
.macro branch u, v, x, y, i
    ldrd \u, \v, [STATES, #32 + 8 * \i]
    box \u, \v, \i + 4
    eor \u, \u, \x
    eor \u, \u, TY, ror #16
    eor \v, \v, \y
    eor \v, \v, TX, ror #16
.endm

    .section .text.hanji_sparkle512_armv7m_x1, "ax", %progbits
    constants
    .global hanji_sparkle512_armv7m_x1
    .type hanji_sparkle512_armv7m_x1, %function
hanji_sparkle512_armv7m_x1:
    cmp r1, #0
    beq.w .Lnone
    push {r4-r11, lr}
    push {r0-r2}
    sub sp, sp, #8
.Lstate:
    ldm STATES, {r4-r11}
    movs TX, #0
    adr.w TY, .Lconstants
.Lstep:                         // TX: number of the step, TY: where its constant lies
    ldr C, [TY], #4
    eor r7, r7, TX
    eor r5, r5, C
    adds TX, TX, #1
    bic TY, TY, #32             // the constants begin again after eight steps
    strd TX, TY, STEP
    box r4, r5, 0
    box r6, r7, 1
    box r8, r9, 2
    box r10, r11, 3
    eor TX, r4, r6
    eor TY, r5, r7
    eor TX, TX, r8
    eor TY, TY, r9
    eor TX, TX, r10
    eor TY, TY, r11
    eor TX, TX, TX, lsl #16
    eor TY, TY, TY, lsl #16
    branch U, V, r4, r5, 0
    strd r4, r5, [STATES, #32]  // the old left half becomes the right one
    branch r4, r5, r6, r7, 1
    strd r6, r7, [STATES, #40]
    branch r6, r7, r8, r9, 2
    strd r8, r9, [STATES, #48]
    branch r8, r9, r10, r11, 3
    strd r10, r11, [STATES, #56]
    mov r10, U
    mov r11, V
    ldr C, STEPS
    ldrd TX, TY, STEP
    cmp TX, C
    bne .Lstep

    stm STATES!, {r4-r11}
    adds STATES, STATES, #32
    ldr r1, GROUPS
    subs r1, r1, #1
    str r1, GROUPS
    bne .Lstate
    add sp, sp, #20
    pop {r4-r11, pc}
.Lnone:
    bx lr
    .size hanji_sparkle512_armv7m_x1, . - hanji_sparkle512_armv7m_x1
