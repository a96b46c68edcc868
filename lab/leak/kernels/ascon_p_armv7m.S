// SPDX-License-Identifier: Apache-2.0
// Ascon-p in two shares for Armv7-M: what the laboratory's own controls break on purpose. It shows
// a test of leakage that finds something, and one that finds nothing; it is no kernel of the
// library.
// void masked_ascon_p(uint32_t state[22], uint32_t rounds);
/* kernel:
     spec: ascon_p.permute
     isa: armv7m
     blocks: 1
     args: { r0: {buffer: state, bytes: 88, access: rw}, r1: {value: rounds} }
     aliasing: in place
     stack: 56
     secrets: state
     masking:
       order: 1
       shares: { state: {bytes: 80, shares: 2, layout: half-major} }
       random: { guard: {buffer: state, at: 80, bytes: 8, use: guard} }
       public: [rounds]
       outputs: { state: uniform, guard: uniform }
       loop: { head: masked_round, carries: [state, guard] }
*/
// The design is that of ascon_p_rv32i.S. Two shares of half a state are in registers at a time:
// r0 to r4 hold words 0 to 4 of share 0, r5 to r9 those of share 1, r10 takes the first gate, r11
// is the guard. r12 and lr are temporaries, and take a constant between two products of a gate.
    .syntax unified
    .thumb

// Where the quarters of the state are, in the frame, and the constant of the round.
#define LOW0 #0
#define HIGH0 #4
#define LOW1 #8
#define HIGH1 #12
#define CONSTANT #16
#define GUARD_LOW #80 // from LOW0
#define GUARD_HIGH #44 // from HIGH0

// (d0, d1) = (s0, s1) ^ ~y & z. The order of operands keeps a product from being followed, in the
// latch of an operand, by the share that it lacks.
.macro gate d0, d1, s0, s1, y0, y1, z0, z1
    orr r12, \y0, \z0
    eor \d0, r12, \s0
    orr lr, \y0, \z1
    eor \d0, lr, \d0
    mov r12, #0
    and r12, \z1, \y1
    eor \d1, r12, \s1
    mov lr, #0
    and lr, \y1, \z0
    eor \d1, lr, \d1
.endm

// The S-box of one half of the words, without the constant.
.macro sbox
    eor r0, r0, r4
    eor r4, r4, r3
    eor r2, r2, r1
    eor r5, r5, r9
    eor r9, r9, r8
    eor r7, r7, r6
    gate r10, r11, r11, r11, r4, r9, r0, r5
    gate r0, r5, r0, r5, r1, r6, r2, r7
    gate r2, r7, r2, r7, r3, r8, r4, r9
    gate r4, r9, r4, r9, r0, r5, r1, r6
    gate r1, r6, r1, r6, r2, r7, r3, r8
    eor r3, r3, r10
    eor r1, r1, r0
    eor r0, r0, r4
    eor r3, r3, r2
    mvn r2, r2
    eor r6, r6, r5
    eor r5, r5, r9
    eor r8, r8, r11
    eor r8, r8, r7
.endm

// A word of the linear layer, (low, high) to (made, high); `far` is the number of rotations by 32
// and more, from which 32 are taken off: none, the second one or both.
.macro diffuse low, high, made, a, b, far
    .if \far == 2
    eor \made, \low, \high, lsr #\a
    eor \made, \made, \low, lsl #32 - \a
    eor \made, \made, \high, lsr #\b
    eor \made, \made, \low, lsl #32 - \b
    eor r12, \high, \low, lsr #\a
    eor r12, r12, \high, lsl #32 - \a
    eor r12, r12, \low, lsr #\b
    eor \high, r12, \high, lsl #32 - \b
    .else
    eor \made, \low, \low, lsr #\a
    eor \made, \made, \high, lsl #32 - \a
    .if \far == 1
    eor \made, \made, \high, lsr #\b
    eor \made, \made, \low, lsl #32 - \b
    .else
    eor \made, \made, \low, lsr #\b
    eor \made, \made, \high, lsl #32 - \b
    .endif
    eor r12, \high, \high, lsr #\a
    eor r12, r12, \low, lsl #32 - \a
    .if \far == 1
    eor r12, r12, \low, lsr #\b
    eor \high, r12, \high, lsl #32 - \b
    .else
    eor r12, r12, \low, lsl #32 - \b
    eor \high, r12, \high, lsr #\b
    .endif
    .endif
.endm

    .text
    .balign 4
    .globl masked_ascon_p
    .type masked_ascon_p, %function
masked_ascon_p:
    push {r4-r11, lr}
    sub sp, sp, #20
    str r0, [sp, LOW0]
    add r2, r0, #20
    str r2, [sp, LOW1]
    add r2, r0, #40
    str r2, [sp, HIGH0]
    add r2, r0, #60
    str r2, [sp, HIGH1]
    lsl r2, r1, #4 // the constant of the first round: 0x3c + 15 * rounds
    sub r1, r2, r1
    add r1, r1, #0x3c
    str r1, [sp, CONSTANT]
    ldr lr, [sp, LOW1]
    ldm lr, {r5-r9}
masked_round:
    ldr r12, [sp, CONSTANT]
    ldr lr, [sp, LOW0]
    ldm lr, {r0-r4}
    ldr r11, [lr, GUARD_LOW]
    eor r2, r2, r12
    sbox
    ldr lr, [sp, LOW0]
    stm lr, {r0-r9}
    mov r12, #0 // the old guard and the new one differ by a product of an unshared word
    str r12, [lr, GUARD_LOW]
    str r11, [lr, GUARD_LOW]
    ldr lr, [sp, CONSTANT]
    sub lr, lr, #15
    str lr, [sp, CONSTANT]
    ldr lr, [sp, HIGH0]
    ldr r11, [lr, GUARD_HIGH]
    ldm lr, {r0-r9}
    sbox
    ldr lr, [sp, HIGH0]
    mov r12, #0
    str r12, [lr, GUARD_HIGH]
    str r11, [lr, GUARD_HIGH]
    ldr lr, [sp, HIGH1]
    stm lr, {r5-r9}
    // the linear layer of share 0
    ldr lr, [sp, LOW0]
    ldm lr, {r5-r9}
    diffuse r9, r4, r10, 7, 9, 1
    diffuse r8, r3, r9, 10, 17, 0
    diffuse r7, r2, r8, 1, 6, 0
    diffuse r6, r1, r7, 29, 7, 2
    diffuse r5, r0, r6, 19, 28, 0
    ldr lr, [sp, LOW0]
    stm lr, {r6-r10}
    ldr lr, [sp, HIGH0]
    stm lr, {r0-r4}
    // and of share 1: r12 holds share 0, and so do the latches of the operands
    ldr r12, [sp, LOW1]
    ldm r12, {r6-r10}
    ldr r12, [sp, HIGH1]
    ldm r12, {r0-r4}
    and lr, r12, r12
    mov r5, #0
    diffuse r6, r0, r5, 19, 28, 0
    diffuse r7, r1, r6, 29, 7, 2
    diffuse r8, r2, r7, 1, 6, 0
    diffuse r9, r3, r8, 10, 17, 0
    diffuse r10, r4, r9, 7, 9, 1
    ldr lr, [sp, HIGH1]
    stm lr, {r0-r4}
    ldr r12, [sp, CONSTANT]
    cmp r12, #0x3c
    bne.w masked_round
    ldr lr, [sp, LOW1]
    stm lr, {r5-r9}
    mov r0, #0
    mov r1, #0
    mov r2, #0
    mov r3, #0
    mov r12, #0
    add sp, sp, #20
    pop {r4-r11, pc}
    .size masked_ascon_p, . - masked_ascon_p
