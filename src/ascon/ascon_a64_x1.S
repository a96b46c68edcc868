// SPDX-License-Identifier: Apache-2.0
// Ascon (SP 800-232) for one state in general registers. The S-box takes fifteen operations, and
// the rotations of the linear layer are those of second operands: 26 instructions make a round, if
// its constant is in a register. Rounds behind a block stand one after the other. States and texts
// may have any alignment.
#include "support/cpu.h"

#ifdef HANJI_A64

#define S0 x4
#define S1 x5
#define S2 x6
#define S3 x7
#define S4 x8
#define T0 x9
#define T1 x10
#define T2 x11
#define T3 x12
#define T4 x13
#define T5 x14
#define T6 x15
#define T7 x16
#define D0 x25 // a block
#define D1 x26

// A round with its constant; words 0 and 1 of the state may come from elsewhere. The S-box leaves
// its words in T7, T1, T4, T3, T6. The order is one for the Cortex-A72, where rotations of second
// operands share a pipe: it begins with them before the S-box ends.
.macro round constant, x0=S0, x1=S1
    eor S2, S2, \constant
    eor T0, S3, S4
    eor T1, S3, \x1
    eor T2, \x1, S2
    orr T3, \x0, T0
    orn T4, S3, S4
    eor T4, T4, T2
    eor T3, T3, T2
    eor T5, \x0, S4
    orr T1, T1, T2
    eor T1, T1, T5
    bic T6, \x1, T5
    eor S3, T3, T3, ror #10
    eor T6, T6, T0
    eor T7, S2, T5
    eor S2, T4, T4, ror #1
    eor S4, T6, T6, ror #7
    orr T7, T7, \x1
    eor T7, T7, T0
    eor S2, S2, T4, ror #6
    eor S4, S4, T6, ror #41
    eor S1, T1, T1, ror #61
    eor S0, T7, T7, ror #19
    eor S3, S3, T3, ror #17
    eor S1, S1, T1, ror #39
    eor S0, S0, T7, ror #28
.endm

// Constants that are no immediate operands of EOR are in registers.
.macro constants_of_p8
    mov x17, #0xb4
    mov x19, #0xa5
    mov x20, #0x96
    mov x21, #0x87
    mov x22, #0x69
    mov x23, #0x5a
    mov x24, #0x4b
.endm

.macro p8 x0=S0, x1=S1
    round x17, \x0, \x1
    round x19
    round x20
    round x21
    round #0x78
    round x22
    round x23
    round x24
.endm

.macro load_state
    ldp S0, S1, [x0]
    ldp S2, S3, [x0, #16]
    ldr S4, [x0, #32]
.endm

.macro store_state
    stp S0, S1, [x0]
    stp S2, S3, [x0, #16]
    str S4, [x0, #32]
.endm

.macro begin name
    .p2align 4
    .global \name
    .hidden \name
    .type \name, %function
\name:
.endm

.macro end name
    ret
    .size \name, . - \name
.endm

.macro begin_blocks name
    begin \name
    stp x19, x20, [sp, #-64]!
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    constants_of_p8
    load_state
.endm

.macro end_blocks name
    store_state
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x19, x20, [sp], #64
    end \name
.endm

    .text

// The last `rounds` of the 16 rounds, a number from 1 to 12.
// void hanji_ascon_p_a64_x1(uint64_t *state, uint32_t steps);
/* kernel:
     spec: ascon_p.permute
     isa: a64
     blocks: 1
     args: { x0: {buffer: state, bytes: 40, access: rw}, x1: {value: steps} }
     aliasing: in place
     stack: 0
     secrets: state
*/
    begin hanji_ascon_p_a64_x1
    load_state
    cmp w1, #8
    b.eq 8f
    cmp w1, #12
    b.ne 1f
    round #0xf0
    mov T0, #0xe1
    round T0
    mov T0, #0xd2
    round T0
    mov T0, #0xc3
    round T0
8:
    mov T0, #0xb4
    round T0
    mov T0, #0xa5
    round T0
    mov T0, #0x96
    round T0
    mov T0, #0x87
    round T0
    round #0x78
    mov T0, #0x69
    round T0
    mov T0, #0x5a
    round T0
    mov T0, #0x4b
    round T0
    store_state
    ret
1: // any other number: one after the other
    mov w13, #15
    mov w14, #0x3c
    madd w1, w1, w13, w14
1:
    round x1
    sub w1, w1, #15
    cmp w1, #0x3c
    b.ne 1b
    store_state
    end hanji_ascon_p_a64_x1

// Whole blocks into the state, at least one, p[8] after each.
// void hanji_ascon_aead128_a64_absorb_x1(uint64_t *state, const uint8_t *in, size_t groups);
/* kernel:
     spec: ascon_aead128.absorb_blocks
     isa: a64
     blocks: 1
     args: { x0: {buffer: state, bytes: 40, access: rw},
             x1: {buffer: in, bytes: 16 * groups, access: r}, x2: {value: groups} }
     aliasing: in place
     stack: 64
     secrets: state, in
*/
    begin_blocks hanji_ascon_aead128_a64_absorb_x1
1:
    ldp D0, D1, [x1], #16
    sub x2, x2, #1
    eor S0, S0, D0
    eor S1, S1, D1
    p8
    cbnz x2, 1b
    end_blocks hanji_ascon_aead128_a64_absorb_x1

// Whole blocks of text, at least one, p[8] after each.
// void hanji_ascon_aead128_a64_seal_x1(uint64_t *state, uint8_t *out, const uint8_t *in,
//                                      size_t groups);
/* kernel:
     spec: ascon_aead128.seal_blocks
     isa: a64
     blocks: 1
     args: { x0: {buffer: state, bytes: 40, access: rw},
             x1: {buffer: out, bytes: 16 * groups, access: w},
             x2: {buffer: in, bytes: 16 * groups, access: r}, x3: {value: groups} }
     aliasing: out == in allowed
     stack: 64
     secrets: state, in
*/
    begin_blocks hanji_ascon_aead128_a64_seal_x1
1:
    ldp D0, D1, [x2], #16
    sub x3, x3, #1
    eor S0, S0, D0
    eor S1, S1, D1
    stp S0, S1, [x1], #16
    p8
    cbnz x3, 1b
    end_blocks hanji_ascon_aead128_a64_seal_x1

// void hanji_ascon_aead128_a64_open_x1(uint64_t *state, uint8_t *out, const uint8_t *in,
//                                      size_t groups);
/* kernel:
     spec: ascon_aead128.open_blocks
     isa: a64
     blocks: 1
     args: { x0: {buffer: state, bytes: 40, access: rw},
             x1: {buffer: out, bytes: 16 * groups, access: w},
             x2: {buffer: in, bytes: 16 * groups, access: r}, x3: {value: groups} }
     aliasing: out == in allowed
     stack: 64
     secrets: state, in
*/
    begin_blocks hanji_ascon_aead128_a64_open_x1
1:
    ldp D0, D1, [x2], #16
    sub x3, x3, #1
    eor S0, S0, D0
    eor S1, S1, D1
    stp S0, S1, [x1], #16
    p8 D0, D1 // the ciphertext takes the place of the words
    cbnz x3, 1b
    end_blocks hanji_ascon_aead128_a64_open_x1

// Whole blocks of 8 bytes into the state, at least one, p[12] after each.
// void hanji_ascon_hash256_a64_absorb_x1(uint64_t *state, const uint8_t *in, size_t groups);
/* kernel:
     spec: ascon_hash256.absorb_blocks
     isa: a64
     blocks: 1
     args: { x0: {buffer: state, bytes: 40, access: rw},
             x1: {buffer: in, bytes: 8 * groups, access: r}, x2: {value: groups} }
     aliasing: in place
     stack: 64
     secrets: state, in
*/
    begin_blocks hanji_ascon_hash256_a64_absorb_x1
    mov x3, #0xe1
    mov x25, #0xd2
    mov x26, #0xc3
1:
    ldr T0, [x1], #8
    sub x2, x2, #1
    eor S0, S0, T0
    round #0xf0
    round x3
    round x25
    round x26
    p8
    cbnz x2, 1b
    end_blocks hanji_ascon_hash256_a64_absorb_x1

#endif

#if defined(__linux__)
.section .note.GNU-stack, "", %progbits
#endif
