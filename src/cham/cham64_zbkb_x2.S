// SPDX-License-Identifier: Apache-2.0
// CHAM-64/128 on RV32 with Zbkb, two blocks at a time, each in registers of its own. `pack` puts a word of 16 bits beside itself, so that a shift is its rotation;
// what is above 16 bits does not matter. Words stay where they are, and words 0 and 2 are held
// rotated by 8, so that odd rounds read them without rotating (Shin et al., section 3.4). Keys are
// the canonical round keys, all sixteen in registers.
#if defined(__riscv) && __riscv_xlen == 32 && defined(__riscv_zbkb)

#define w0 a3
#define w1 a4
#define w2 a5
#define w3 a6
#define v0 t0 // the words of the second block
#define v1 t1
#define v2 t2
#define v3 t3
#define t a7
#define u ra
#define i t4 // the number of the round
#define last t5 // one past the last, in encryption
#define k0 t6
#define k1 s0
#define k2 s1
#define k3 s2
#define k4 s3
#define k5 s4
#define k6 s5
#define k7 s6
#define k8 s7
#define k9 s8
#define k10 s9
#define k11 s10
#define k12 s11
#define k13 a0
#define k14 a1
#define k15 a2

.macro enter
    addi    sp, sp, -64
    sw      ra, 12(sp)
    sw      s0, 16(sp)
    sw      s1, 20(sp)
    sw      s2, 24(sp)
    sw      s3, 28(sp)
    sw      s4, 32(sp)
    sw      s5, 36(sp)
    sw      s6, 40(sp)
    sw      s7, 44(sp)
    sw      s8, 48(sp)
    sw      s9, 52(sp)
    sw      s10, 56(sp)
    sw      s11, 60(sp)
    sw      a0, 0(sp)
    sw      a1, 4(sp)
    sw      a2, 8(sp)
    lhu     k0, 0(a3)
    lhu     k1, 2(a3)
    lhu     k2, 4(a3)
    lhu     k3, 6(a3)
    lhu     k4, 8(a3)
    lhu     k5, 10(a3)
    lhu     k6, 12(a3)
    lhu     k7, 14(a3)
    lhu     k8, 16(a3)
    lhu     k9, 18(a3)
    lhu     k10, 20(a3)
    lhu     k11, 22(a3)
    lhu     k12, 24(a3)
    lhu     k13, 26(a3)
    lhu     k14, 28(a3)
    lhu     k15, 30(a3)
.endm

.macro leave
    lw      ra, 12(sp)
    lw      s0, 16(sp)
    lw      s1, 20(sp)
    lw      s2, 24(sp)
    lw      s3, 28(sp)
    lw      s4, 32(sp)
    lw      s5, 36(sp)
    lw      s6, 40(sp)
    lw      s7, 44(sp)
    lw      s8, 48(sp)
    lw      s9, 52(sp)
    lw      s10, 56(sp)
    lw      s11, 60(sp)
    addi    sp, sp, 64
    ret
.endm

.macro load_blocks
    lw      t, 4(sp)
    lhu     w0, 0(t)
    lhu     w1, 2(t)
    lhu     w2, 4(t)
    lhu     w3, 6(t)
    lhu     v0, 8(t)
    lhu     v1, 10(t)
    lhu     v2, 12(t)
    lhu     v3, 14(t)
    addi    t, t, 16
    sw      t, 4(sp)
.endm

.macro store_blocks
    lw      t, 0(sp)
    sh      w0, 0(t)
    sh      w1, 2(t)
    sh      w2, 4(t)
    sh      w3, 6(t)
    sh      v0, 8(t)
    sh      v1, 10(t)
    sh      v2, 12(t)
    sh      v3, 14(t)
    addi    t, t, 16
    sw      t, 0(sp)
.endm

// The groups that remain, into t.
.macro count_group
    lw      t, 8(sp)
    addi    t, t, -1
    sw      t, 8(sp)
.endm

.macro rol8 to, from
    pack    \to, \from, \from
    srli    \to, \to, 8
.endm

// a, unrotated here, = (a ^ i) + (rol1(b) ^ k). The rotation by 8 of the sum is left to who reads
// it.
.macro even_sum a, b, k
    pack    t, \b, \b
    xor     \a, \a, i
    srli    t, t, 15
    xor     t, t, \k
    add     \a, \a, t
.endm

// a = rol1((a ^ i) + (b ^ k)); b is held rotated by 8.
.macro odd_sum a, b, k
    xor     t, \b, \k
    xor     \a, \a, i
    add     \a, \a, t
    pack    \a, \a, \a
    srli    \a, \a, 15
.endm

.macro even_round a, b, k, c, d
    rol8    \a, \a
    rol8    \c, \c
    even_sum \a, \b, \k
    even_sum \c, \d, \k
    addi    i, i, 1
.endm

.macro odd_round a, b, k, c, d
    odd_sum \a, \b, \k
    odd_sum \c, \d, \k
    addi    i, i, 1
.endm

.macro even_difference a, b, k
    pack    t, \b, \b
    srli    t, t, 15
    xor     t, t, \k
    sub     \a, \a, t
    xor     \a, \a, i
.endm

.macro odd_difference a, b, k
    pack    \a, \a, \a
    xor     t, \b, \k
    srli    \a, \a, 1
    sub     \a, \a, t
    xor     \a, \a, i
.endm

.macro even_inverse a, b, k, c, d
    even_difference \a, \b, \k
    even_difference \c, \d, \k
    rol8    \a, \a
    rol8    \c, \c
    addi    i, i, -1
.endm

.macro odd_inverse a, b, k, c, d
    odd_difference \a, \b, \k
    odd_difference \c, \d, \k
    addi    i, i, -1
.endm

// CHAM-64/128, two blocks per group: ciphertext = E_k(plaintext).
// void hanji_cham64_128_zbkb_encrypt_x2(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: cham64_128.encrypt
     isa: zbkb
     blocks: 2
     align: 4
     args: { a0: {buffer: out, bytes: 16 * groups, access: w}, a1: {buffer: in, bytes: 16 * groups, access: r}, a2: {value: groups},
             a3: {buffer: keys, bytes: 32, access: r} }
     aliasing: out == in allowed
     stack: 64
     secrets: in, keys
*/
    .section .text.hanji_cham64_128_zbkb_encrypt_x2, "ax", @progbits
    .balign 4
    .globl  hanji_cham64_128_zbkb_encrypt_x2
    .hidden hanji_cham64_128_zbkb_encrypt_x2
    .type   hanji_cham64_128_zbkb_encrypt_x2, @function
hanji_cham64_128_zbkb_encrypt_x2:
    enter
    li      last, 88
1:
    load_blocks
    li      i, 0
    rol8    w0, w0
    rol8    w2, w2
    rol8    v0, v0
    rol8    v2, v2
2:
    even_round w0, w1, k0, v0, v1
    odd_round w1, w2, k1, v1, v2
    even_round w2, w3, k2, v2, v3
    odd_round w3, w0, k3, v3, v0
    even_round w0, w1, k4, v0, v1
    odd_round w1, w2, k5, v1, v2
    even_round w2, w3, k6, v2, v3
    odd_round w3, w0, k7, v3, v0
    beq     i, last, 3f
    even_round w0, w1, k8, v0, v1
    odd_round w1, w2, k9, v1, v2
    even_round w2, w3, k10, v2, v3
    odd_round w3, w0, k11, v3, v0
    even_round w0, w1, k12, v0, v1
    odd_round w1, w2, k13, v1, v2
    even_round w2, w3, k14, v2, v3
    odd_round w3, w0, k15, v3, v0
    j       2b
3:
    rol8    w0, w0
    rol8    w2, w2
    rol8    v0, v0
    rol8    v2, v2
    store_blocks
    count_group
    bnez    t, 1b
    leave
    .size   hanji_cham64_128_zbkb_encrypt_x2, . - hanji_cham64_128_zbkb_encrypt_x2

// CHAM-64/128, two blocks per group: plaintext = D_k(ciphertext).
// void hanji_cham64_128_zbkb_decrypt_x2(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: cham64_128.decrypt
     isa: zbkb
     blocks: 2
     align: 4
     args: { a0: {buffer: out, bytes: 16 * groups, access: w}, a1: {buffer: in, bytes: 16 * groups, access: r}, a2: {value: groups},
             a3: {buffer: keys, bytes: 32, access: r} }
     aliasing: out == in allowed
     stack: 64
     secrets: in, keys
*/
    .section .text.hanji_cham64_128_zbkb_decrypt_x2, "ax", @progbits
    .balign 4
    .globl  hanji_cham64_128_zbkb_decrypt_x2
    .hidden hanji_cham64_128_zbkb_decrypt_x2
    .type   hanji_cham64_128_zbkb_decrypt_x2, @function
hanji_cham64_128_zbkb_decrypt_x2:
    enter
1:
    load_blocks
    li      i, 87
    rol8    w0, w0
    rol8    w2, w2
    rol8    v0, v0
    rol8    v2, v2
    j       3f
2:
    odd_inverse w3, w0, k15, v3, v0
    even_inverse w2, w3, k14, v2, v3
    odd_inverse w1, w2, k13, v1, v2
    even_inverse w0, w1, k12, v0, v1
    odd_inverse w3, w0, k11, v3, v0
    even_inverse w2, w3, k10, v2, v3
    odd_inverse w1, w2, k9, v1, v2
    even_inverse w0, w1, k8, v0, v1
3:
    odd_inverse w3, w0, k7, v3, v0
    even_inverse w2, w3, k6, v2, v3
    odd_inverse w1, w2, k5, v1, v2
    even_inverse w0, w1, k4, v0, v1
    odd_inverse w3, w0, k3, v3, v0
    even_inverse w2, w3, k2, v2, v3
    odd_inverse w1, w2, k1, v1, v2
    even_inverse w0, w1, k0, v0, v1
    bgez    i, 2b
    rol8    w0, w0
    rol8    w2, w2
    rol8    v0, v0
    rol8    v2, v2
    store_blocks
    count_group
    bnez    t, 1b
    leave
    .size   hanji_cham64_128_zbkb_decrypt_x2, . - hanji_cham64_128_zbkb_decrypt_x2

#endif
