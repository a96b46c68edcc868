// SPDX-License-Identifier: Apache-2.0
// SPECK-32/64 on RV32 with Zbkb, two blocks at a time, each in registers of its own. `pack` puts a word of 16 bits beside itself, so that a shift is its rotation;
// what is above 16 bits does not matter. That beats two words in one register. Keys are the
// canonical round keys.
#if defined(__riscv) && __riscv_xlen == 32 && defined(__riscv_zbkb)

#define k a4
#define t a5
#define u a6
#define x t0 // of the first block
#define y t1
#define p t2 // x of the second block
#define q t3 // y of the second block

.macro load_blocks
    lhu     y, 0(a1)
    lhu     x, 2(a1)
    lhu     q, 4(a1)
    lhu     p, 6(a1)
    addi    a1, a1, 8
.endm

.macro store_blocks
    sh      y, 0(a0)
    sh      x, 2(a0)
    sh      q, 4(a0)
    sh      p, 6(a0)
    addi    a0, a0, 8
.endm

// x = (ror7(x) + y) ^ k; y = rol2(y) ^ x.
.macro encrypt_round x, y
    pack    t, \x, \x
    pack    u, \y, \y
    srli    t, t, 7
    srli    u, u, 14
    add     \x, t, \y
    xor     \x, \x, k
    xor     \y, u, \x
.endm

// y = ror2(y ^ x); x = rol7((x ^ k) - y).
.macro decrypt_round x, y
    xor     \y, \y, \x
    pack    \y, \y, \y
    xor     \x, \x, k
    srli    \y, \y, 2
    sub     \x, \x, \y
    pack    \x, \x, \x
    srli    \x, \x, 9
.endm

// SPECK-32/64, two blocks per group: ciphertext = E_k(plaintext).
// void hanji_speck32_64_zbkb_encrypt_x2(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: speck32_64.encrypt
     isa: zbkb
     blocks: 2
     align: 4
     args: { a0: {buffer: out, bytes: 8 * groups, access: w}, a1: {buffer: in, bytes: 8 * groups, access: r}, a2: {value: groups},
             a3: {buffer: keys, bytes: 44, access: r} }
     aliasing: out == in allowed
     stack: 0
     secrets: in, keys
*/
    .section .text.hanji_speck32_64_zbkb_encrypt_x2, "ax", @progbits
    .balign 4
    .globl  hanji_speck32_64_zbkb_encrypt_x2
    .hidden hanji_speck32_64_zbkb_encrypt_x2
    .type   hanji_speck32_64_zbkb_encrypt_x2, @function
hanji_speck32_64_zbkb_encrypt_x2:
1:
    load_blocks
    .set at, 0
    .rept 22
    lhu     k, at(a3)
    encrypt_round x, y
    encrypt_round p, q
    .set at, at + 2
    .endr
    store_blocks
    addi    a2, a2, -1
    bnez    a2, 1b
    ret
    .size   hanji_speck32_64_zbkb_encrypt_x2, . - hanji_speck32_64_zbkb_encrypt_x2

// SPECK-32/64, two blocks per group: plaintext = D_k(ciphertext).
// void hanji_speck32_64_zbkb_decrypt_x2(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: speck32_64.decrypt
     isa: zbkb
     blocks: 2
     align: 4
     args: { a0: {buffer: out, bytes: 8 * groups, access: w}, a1: {buffer: in, bytes: 8 * groups, access: r}, a2: {value: groups},
             a3: {buffer: keys, bytes: 44, access: r} }
     aliasing: out == in allowed
     stack: 0
     secrets: in, keys
*/
    .section .text.hanji_speck32_64_zbkb_decrypt_x2, "ax", @progbits
    .balign 4
    .globl  hanji_speck32_64_zbkb_decrypt_x2
    .hidden hanji_speck32_64_zbkb_decrypt_x2
    .type   hanji_speck32_64_zbkb_decrypt_x2, @function
hanji_speck32_64_zbkb_decrypt_x2:
1:
    load_blocks
    .set at, 42
    .rept 22
    lhu     k, at(a3)
    decrypt_round x, y
    decrypt_round p, q
    .set at, at - 2
    .endr
    store_blocks
    addi    a2, a2, -1
    bnez    a2, 1b
    ret
    .size   hanji_speck32_64_zbkb_decrypt_x2, . - hanji_speck32_64_zbkb_decrypt_x2

#endif
