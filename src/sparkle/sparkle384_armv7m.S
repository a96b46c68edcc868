// SPDX-License-Identifier: Apache-2.0
// SPARKLE384 on Armv7-M, the whole state in r1 to r12, two steps per loop; any number of steps from
// 1. Temporary are r0 and lr.
// void hanji_sparkle384_armv7m_x1(uint32_t *states, size_t groups, uint32_t steps);
/* kernel:
     spec: sparkle384.permute
     isa: armv7m
     blocks: 1
     align: 4
     args: { r0: {buffer: states, bytes: 48 * groups, access: rw}, r1: {value: groups},
             r2: {value: steps} }
     aliasing: in place
     stack: 56
     secrets: states
*/
#include "sparkle_armv7m.inc"

// Left half and right half, words x0 y0 x1 y1 x2 y2 of each.
#define A r1, r2, r3, r4, r5, r6
#define B r7, r8, r9, r10, r11, r12

// On the stack: number of the next step, where its constant lies; states, groups, steps.
#define STEP [sp]
#define STATES [sp, #8]
#define GROUPS [sp, #12]
#define STEPS [sp, #16]

// The new left words of one kind from the right ones r and the old left ones x: r0 = r1 ^ x1 ^ t,
// r1 = r2 ^ x2 ^ t, r2 = r0 ^ x0 ^ t; t is l of r0, whose rotation is done here.
.macro left x0, x1, x2, r0, r1, r2
    eor lr, \r0, \x0
    eor \r0, \r1, \x1
    eor \r1, \r2, \x2
    eor \r2, lr, r0, ror #16
    eor \r0, \r0, r0, ror #16
    eor \r1, \r1, r0, ror #16
.endm

.macro box x, y, i
    box_constant r0, \i
    alzette \x, \y, r0
.endm

// Boxes and linear layer. Afterwards the left half is in x3 .. y5, the right half in x0 .. y2.
.macro step x0, y0, x1, y1, x2, y2, x3, y3, x4, y4, x5, y5
    box \x0, \y0, 0
    box \x1, \y1, 1
    box \x2, \y2, 2
    box \x3, \y3, 3
    box \x4, \y4, 4
    box \x5, \y5, 5
    eor r0, \x0, \x1
    eor r0, r0, \x2
    eor r0, r0, r0, lsl #16
    left \y0, \y1, \y2, \y3, \y4, \y5
    eor r0, \y0, \y1
    eor r0, r0, \y2
    eor r0, r0, r0, lsl #16
    left \x0, \x1, \x2, \x3, \x4, \x5
.endm

    .section .text.hanji_sparkle384_armv7m_x1, "ax", %progbits
    constants
    .global hanji_sparkle384_armv7m_x1
    .type hanji_sparkle384_armv7m_x1, %function
hanji_sparkle384_armv7m_x1:
    cmp r1, #0
    beq.w .Lnone
    push {r4-r11, lr}
    push {r0-r2}
    sub sp, sp, #8
.Lstate:
    ldm r0, {r1-r12}
    movs r0, #0
    adr.w lr, .Lconstants
.Leven:                         // r0: number of the step, lr: where its constant lies
    strd r0, lr, STEP
    eor r4, r4, r0
    ldr r0, [lr]
    eor r2, r2, r0
    step A, B
    ldr r0, STEP
    ldr lr, STEPS
    adds r0, r0, #1
    cmp r0, lr
    beq .Lodd_end
    eor r10, r10, r0
    ldr lr, [sp, #4]
    ldr lr, [lr, #4]
    eor r8, r8, lr
    step B, A
    ldr r0, STEP
    ldr lr, STEPS
    adds r0, r0, #2
    cmp r0, lr
    ldr lr, [sp, #4]
    add lr, lr, #8
    bic lr, lr, #32             // the constants begin again after eight steps
    bne .Leven

    ldr r0, STATES
    stm r0!, {r1-r12}
    b .Lnext
.Lodd_end:
    ldr r0, STATES
    stm r0!, {r7-r12}
    stm r0!, {r1-r6}
.Lnext:
    str r0, STATES
    ldr r1, GROUPS
    subs r1, r1, #1
    str r1, GROUPS
    bne .Lstate
    add sp, sp, #20
    pop {r4-r11, pc}
.Lnone:
    bx lr
    .size hanji_sparkle384_armv7m_x1, . - hanji_sparkle384_armv7m_x1
