// SPDX-License-Identifier: Apache-2.0
// SPECK-32/64 on RV32I, two blocks at a time: a register holds the same word of both blocks, the first block in its low half (Shin et al., sections 3.1 to 3.3).
// Keys are in layout 1 of speck_rv32i.h: 22 words, each round key in both halves.
#if defined(__riscv) && __riscv_xlen == 32

#define x a4
#define y a5
#define k a6
#define t t5
#define u t6
#define low7 t0  // 0x007f007f
#define high9 t1 // 0xff80ff80
#define low14 t2 // 0x3fff3fff
#define high2 t3 // 0xc000c000
#define bit16 t4 // 0x00010000

.macro masks
    li      low7, 0x007f007f
    li      high9, 0xff80ff80
    li      low14, 0x3fff3fff
    li      high2, 0xc000c000
    li      bit16, 0x00010000
.endm

// Blocks LE(y) || LE(x) at `in`.
.macro load_pair in
    lw      t, 0(\in)
    lw      u, 4(\in)
    srli    x, t, 16
    slli    t, t, 16
    slli    y, u, 16
    srli    t, t, 16
    srli    u, u, 16
    or      y, y, t
    slli    u, u, 16
    or      x, x, u
.endm

.macro store_pair out
    slli    t, y, 16
    slli    u, x, 16
    srli    t, t, 16
    srli    y, y, 16
    or      t, t, u
    srli    x, x, 16
    sw      t, 0(\out)
    slli    x, x, 16
    or      x, x, y
    sw      x, 4(\out)
.endm

// x = (ror7(x) + y) ^ k; y = rol2(y) ^ x. The carry into bit 16 is what the sum of 32 bits has there besides the words; it is taken off again.
.macro encrypt_round at
    lw      k, \at(a3)
    and     t, x, low7
    and     u, x, high9
    slli    t, t, 9
    srli    u, u, 7
    or      x, t, u
    xor     t, x, y
    add     x, x, y
    and     u, y, high2
    xor     t, t, x
    and     y, y, low14
    and     t, t, bit16
    srli    u, u, 14
    sub     x, x, t
    slli    y, y, 2
    xor     x, x, k
    or      y, y, u
    xor     y, y, x
.endm

// y = ror2(y ^ x); x = rol7((x ^ k) - y), the borrow of bit 16 given back. 0x00030003 and 0xfffcfffc, 0xfe00fe00 and 0x01ff01ff take the places of the masks.
.macro decrypt_round at
    lw      k, \at(a3)
    xor     y, y, x
    and     t, y, high2
    and     u, y, low14
    xor     x, x, k
    slli    t, t, 14
    srli    u, u, 2
    or      y, t, u
    xor     t, x, y
    sub     x, x, y
    xor     t, t, x
    and     t, t, bit16
    add     x, x, t
    and     t, x, high9
    and     u, x, low7
    srli    t, t, 9
    slli    u, u, 7
    or      x, t, u
.endm

// SPECK-32/64, two blocks per group: ciphertext = E_k(plaintext).
// void hanji_speck32_64_rv32i_encrypt_x2(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: speck32_64.encrypt
     isa: rv32i
     blocks: 2
     align: 4
     layout: pairs
     args: { a0: {buffer: out, bytes: 8 * groups, access: w}, a1: {buffer: in, bytes: 8 * groups, access: r}, a2: {value: groups},
             a3: {buffer: keys, bytes: 88, access: r} }
     aliasing: out == in allowed
     stack: 0
     secrets: in, keys
     cites: [shin2024riscv, section 3.3]
*/
    .section .text.hanji_speck32_64_rv32i_encrypt_x2, "ax", @progbits
    .balign 4
    .globl  hanji_speck32_64_rv32i_encrypt_x2
    .hidden hanji_speck32_64_rv32i_encrypt_x2
    .type   hanji_speck32_64_rv32i_encrypt_x2, @function
hanji_speck32_64_rv32i_encrypt_x2:
    masks
1:
    load_pair a1
    addi    a1, a1, 8
    .set at, 0
    .rept 22
    encrypt_round at
    .set at, at + 4
    .endr
    store_pair a0
    addi    a2, a2, -1
    addi    a0, a0, 8
    bnez    a2, 1b
    ret
    .size   hanji_speck32_64_rv32i_encrypt_x2, . - hanji_speck32_64_rv32i_encrypt_x2

// SPECK-32/64, two blocks per group: plaintext = D_k(ciphertext).
// void hanji_speck32_64_rv32i_decrypt_x2(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: speck32_64.decrypt
     isa: rv32i
     blocks: 2
     align: 4
     layout: pairs
     args: { a0: {buffer: out, bytes: 8 * groups, access: w}, a1: {buffer: in, bytes: 8 * groups, access: r}, a2: {value: groups},
             a3: {buffer: keys, bytes: 88, access: r} }
     aliasing: out == in allowed
     stack: 0
     secrets: in, keys
     cites: [shin2024riscv, section 3.3]
*/
    .section .text.hanji_speck32_64_rv32i_decrypt_x2, "ax", @progbits
    .balign 4
    .globl  hanji_speck32_64_rv32i_decrypt_x2
    .hidden hanji_speck32_64_rv32i_decrypt_x2
    .type   hanji_speck32_64_rv32i_decrypt_x2, @function
hanji_speck32_64_rv32i_decrypt_x2:
    li      low7, 0x01ff01ff
    li      high9, 0xfe00fe00
    li      low14, 0xfffcfffc
    li      high2, 0x00030003
    li      bit16, 0x00010000
1:
    load_pair a1
    addi    a1, a1, 8
    .set at, 84
    .rept 22
    decrypt_round at
    .set at, at - 4
    .endr
    store_pair a0
    addi    a2, a2, -1
    addi    a0, a0, 8
    bnez    a2, 1b
    ret
    .size   hanji_speck32_64_rv32i_decrypt_x2, . - hanji_speck32_64_rv32i_decrypt_x2

#endif
