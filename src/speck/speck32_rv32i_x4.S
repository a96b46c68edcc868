// SPDX-License-Identifier: Apache-2.0
// SPECK-32/64 on RV32I, four blocks at a time as two pairs that share the loads of the keys: a
// register holds the same word of two blocks, the first in its low half (Shin et al., sections 3.1
// to 3.3). Keys are in layout 1 of lanes/rv32.h: 22 words, each round key in both halves.
#if defined(__riscv) && __riscv_xlen == 32

#define x t3 // of the first pair
#define y t4
#define p t5 // x of the second pair
#define q t6 // y of the second pair
#define k a4
#define t a5
#define u a6
#define turned_x t0 // the bits that a rotation carries around the end of x
#define turned_y t1
#define bit16 t2

// Blocks LE(y) || LE(x) at `from`: words of two blocks side by side.
.macro load_pair x, y, from
    lhu     t, \from + 6(a1)
    lhu     u, \from + 4(a1)
    lhu     \x, \from + 2(a1)
    lhu     \y, \from(a1)
    slli    t, t, 16
    slli    u, u, 16
    or      \x, \x, t
    or      \y, \y, u
.endm

.macro store_pair x, y, to
    sh      \y, \to(a0)
    srli    \y, \y, 16
    sh      \x, \to + 2(a0)
    srli    \x, \x, 16
    sh      \y, \to + 4(a0)
    sh      \x, \to + 6(a0)
.endm

// x = (ror7(x) + y) ^ k; y = rol2(y) ^ x. The carry into bit 16 is what the sum of 32 bits has
// there besides the words; it is taken off again.
.macro encrypt_round x, y
    and     t, \x, turned_x
    xor     \x, \x, t
    slli    t, t, 9
    srli    \x, \x, 7
    or      \x, \x, t
    xor     t, \x, \y
    add     \x, \x, \y
    and     u, \y, turned_y
    xor     t, t, \x
    xor     \y, \y, u
    and     t, t, bit16
    srli    u, u, 14
    sub     \x, \x, t
    slli    \y, \y, 2
    xor     \x, \x, k
    or      \y, \y, u
    xor     \y, \y, \x
.endm

// SPECK-32/64, four blocks per group: ciphertext = E_k(plaintext).
// void hanji_speck32_64_rv32i_encrypt_x4(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: speck32_64.encrypt
     isa: rv32i
     blocks: 4
     align: 4
     layout: pairs
     args: { a0: {buffer: out, bytes: 16 * groups, access: w}, a1: {buffer: in, bytes: 16 * groups, access: r}, a2: {value: groups},
             a3: {buffer: keys, bytes: 88, access: r} }
     aliasing: out == in allowed
     stack: 0
     secrets: in, keys
     cites: [shin2024riscv, section 3.3]
*/
    .section .text.hanji_speck32_64_rv32i_encrypt_x4, "ax", @progbits
    .balign 4
    .globl  hanji_speck32_64_rv32i_encrypt_x4
    .hidden hanji_speck32_64_rv32i_encrypt_x4
    .type   hanji_speck32_64_rv32i_encrypt_x4, @function
hanji_speck32_64_rv32i_encrypt_x4:
    li      turned_x, 0x007f007f
    li      turned_y, 0xc000c000
    li      bit16, 0x00010000
1:
    load_pair x, y, 0
    load_pair p, q, 8
    addi    a1, a1, 16
    .set at, 0
    .rept 22
    lw      k, at(a3)
    encrypt_round x, y
    encrypt_round p, q
    .set at, at + 4
    .endr
    store_pair x, y, 0
    store_pair p, q, 8
    addi    a2, a2, -1
    addi    a0, a0, 16
    bnez    a2, 1b
    ret
    .size   hanji_speck32_64_rv32i_encrypt_x4, . - hanji_speck32_64_rv32i_encrypt_x4

#endif
