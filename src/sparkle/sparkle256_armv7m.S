// SPDX-License-Identifier: Apache-2.0
// SPARKLE256 on Armv7-M, the whole state in registers, two steps per loop; any number of steps from
// 1.
// void hanji_sparkle256_armv7m_x1(uint32_t *states, size_t groups, uint32_t steps);
/* kernel:
     spec: sparkle256.permute
     isa: armv7m
     blocks: 1
     align: 4
     args: { r0: {buffer: states, bytes: 32 * groups, access: rw}, r1: {value: groups},
             r2: {value: steps} }
     aliasing: in place
     stack: 48
     secrets: states
*/
#include "sparkle_armv7m.inc"

// Left half and right half, words x0 y0 x1 y1 of each.
#define A r3, r4, r5, r6
#define B r7, r8, r9, r10
#define S r1 // number of the step
#define P r2 // where its constant lies
#define C r11
#define T r12
#define U lr

// On the stack: states, groups, steps.
#define STATES [sp]
#define GROUPS [sp, #4]
#define STEPS [sp, #8]

// r0 = r1 ^ x1 ^ t, r1 = r0 ^ x0 ^ t; t is l of T, whose rotation is done here.
.macro left x0, x1, r0, r1
    eor U, \r0, \x0
    eor \r0, \r1, \x1
    eor \r1, U, T, ror #16
    eor \r0, \r0, T, ror #16
.endm

.macro box x, y, i
    box_constant C, \i
    alzette \x, \y, C
.endm

.macro step x0, y0, x1, y1, x2, y2, x3, y3
    box \x0, \y0, 0
    box \x1, \y1, 1
    box \x2, \y2, 2
    box \x3, \y3, 3
    eor T, \x0, \x1
    eor T, T, T, lsl #16
    left \y0, \y1, \y2, \y3
    eor T, \y0, \y1
    eor T, T, T, lsl #16
    left \x0, \x1, \x2, \x3
.endm

    .section .text.hanji_sparkle256_armv7m_x1, "ax", %progbits
    constants
    .global hanji_sparkle256_armv7m_x1
    .type hanji_sparkle256_armv7m_x1, %function
hanji_sparkle256_armv7m_x1:
    cmp r1, #0
    beq.w .Lnone
    push {r4-r11, lr}
    push {r0-r2}
.Lstate:
    ldm r0, {r3-r10}
    movs S, #0
    adr.w P, .Lconstants
.Leven:
    ldr T, [P]
    eor r6, r6, S
    eor r4, r4, T
    step A, B
    ldr T, STEPS
    adds S, S, #1
    cmp S, T
    beq .Lodd_end
    ldr T, [P, #4]
    eor r10, r10, S
    eor r8, r8, T
    step B, A
    ldr T, STEPS
    adds S, S, #1
    adds P, P, #8
    bic P, P, #32               // the constants begin again after eight steps
    cmp S, T
    bne .Leven

    ldr r0, STATES
    stm r0!, {r3-r10}
    b .Lnext
.Lodd_end:
    ldr r0, STATES
    stm r0!, {r7-r10}
    stm r0!, {r3-r6}
.Lnext:
    str r0, STATES
    ldr r1, GROUPS
    subs r1, r1, #1
    str r1, GROUPS
    bne .Lstate
    add sp, sp, #12
    pop {r4-r11, pc}
.Lnone:
    bx lr
    .size hanji_sparkle256_armv7m_x1, . - hanji_sparkle256_armv7m_x1
