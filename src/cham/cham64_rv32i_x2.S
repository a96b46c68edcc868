// SPDX-License-Identifier: Apache-2.0
// CHAM-64/128 on RV32I, two blocks at a time: a register holds the same word of both blocks, the
// first block in its low half (Shin et al., sections 3.1, 3.2, 3.4). Keys are in layout 1 of
// cham64_rv32i.c: 16 words, each round key in both halves, xored with 2 in even rounds and 0x8000
// in odd ones. All stay in registers.
//
// Words stay where they are; round i overwrites word i mod 4. Words 0 and 2 are held rotated by 8,
// so that an odd round reads them without rotating and of the 88 rotations by 8 remain 45: one in
// the even rounds from the fourth on, one for round 1, two at the end.
//
// Words 1 and 3 are held xored with 1, the lowest bit of the numbers of their rounds, so that the
// number changes every other round only. The keys take that off before an even round, where it is
// rotated to 2, and put it on in an odd one: the top bit of an operand is the top bit of the sum,
// and is rotated to 1.
#if defined(__riscv) && __riscv_xlen == 32

#define w0 a3
#define w1 a4
#define w2 a5
#define w3 a6
#define t a7
#define u ra
#define bytes t0 // 0x00ff00ff
#define tops t1  // 0x80008000
#define bit16 t2 // 0x00010000
#define two t3   // 0x00020002
#define i t4     // the number of the round, the last even one, in both halves
#define last t5  // its value where the loop of encryption ends
#define ones t5  // 0x00010001, in decryption
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
    lw      k0, 0(a3)
    lw      k1, 4(a3)
    lw      k2, 8(a3)
    lw      k3, 12(a3)
    lw      k4, 16(a3)
    lw      k5, 20(a3)
    lw      k6, 24(a3)
    lw      k7, 28(a3)
    lw      k8, 32(a3)
    lw      k9, 36(a3)
    lw      k10, 40(a3)
    lw      k11, 44(a3)
    lw      k12, 48(a3)
    lw      k13, 52(a3)
    lw      k14, 56(a3)
    lw      k15, 60(a3)
    li      bytes, 0x00ff00ff
    li      tops, 0x80008000
    li      bit16, 0x00010000
    li      two, 0x00020002
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

// The words of two blocks side by side; i is the input.
.macro load_words
    lhu     t, 8(i)
    lhu     u, 10(i)
    lhu     w0, 0(i)
    lhu     w1, 2(i)
    slli    t, t, 16
    slli    u, u, 16
    or      w0, w0, t
    or      w1, w1, u
    lhu     t, 12(i)
    lhu     u, 14(i)
    lhu     w2, 4(i)
    lhu     w3, 6(i)
    slli    t, t, 16
    slli    u, u, 16
    or      w2, w2, t
    or      w3, w3, u
.endm

.macro load_pair
    lw      i, 4(sp)
    addi    t, i, 16
    sw      t, 4(sp)
    load_words
.endm

.macro store_word w, at
    sh      \w, \at(i)
    srli    \w, \w, 16
    sh      \w, \at + 8(i)
.endm

.macro store_pair
    lw      i, 0(sp)
    addi    t, i, 16
    sw      t, 0(sp)
    store_word w0, 0
    store_word w1, 2
    store_word w2, 4
    store_word w3, 6
.endm

// The lowest bit of the numbers of their rounds, on words 1 and 3 or off them.
.macro number_odd
    srli    t, two, 1
    xor     w1, w1, t
    xor     w3, w3, t
.endm

// The groups that remain, into t.
.macro count_group
    lw      t, 8(sp)
    addi    t, t, -1
    sw      t, 8(sp)
.endm

// to = from rotated left by 8. `to` may be `from`.
.macro rol8 to, from
    and     t, \from, bytes
    srli    \to, \from, 8
    slli    t, t, 8
    and     \to, \to, bytes
    or      \to, \to, t
.endm

.macro rol1 to, from
    and     t, \from, tops
    xor     \to, \from, t
    srli    t, t, 15
    slli    \to, \to, 1
    or      \to, \to, t
.endm

.macro ror1 to, from
    and     t, \from, ones
    xor     \to, \from, t
    slli    t, t, 15
    srli    \to, \to, 1
    or      \to, \to, t
.endm

// a += b in both halves; the carry into bit 16 is what the sum of 32 bits has there besides the
// words, and is taken off again.
.macro add2 a, b
    xor     t, \a, \b
    add     \a, \a, \b
    xor     t, t, \a
    and     t, t, bit16
    sub     \a, \a, t
.endm

// a -= b in both halves, the borrow of bit 16 given back.
.macro sub2 a, b
    xor     t, \a, \b
    sub     \a, \a, \b
    xor     t, t, \a
    and     t, t, bit16
    add     \a, \a, t
.endm

// Even rounds: word a, unrotated here, += rol1(b) ^ k. The rotation by 8 of the sum is left to who
// reads it.
.macro even_sum a, b, k
    xor     \a, \a, i
    rol1    u, \b
    xor     u, u, \k
    add2    \a, u
.endm

.macro even_round a, b, k
    rol8    \a, \a
    even_sum \a, \b, \k
.endm

// Odd rounds: b is even and held rotated by 8, so that it comes as it is needed.
.macro odd_round a, b, k
    xor     u, \b, \k
    xor     \a, \a, i
    add     i, i, two
    add2    \a, u
    rol1    \a, \a
.endm

.macro even_inverse a, b, k
    rol1    u, \b
    xor     u, u, \k
    sub2    \a, u
    xor     \a, \a, i
    sub     i, i, two
.endm

.macro odd_inverse a, b, k
    ror1    \a, \a
    xor     u, \b, \k
    sub2    \a, u
    xor     \a, \a, i
.endm

// CHAM-64/128, two blocks per group: ciphertext = E_k(plaintext).
// void hanji_cham64_128_rv32i_encrypt_x2(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: cham64_128.encrypt
     isa: rv32i
     blocks: 2
     align: 4
     layout: pairs_numbered
     args: { a0: {buffer: out, bytes: 16 * groups, access: w}, a1: {buffer: in, bytes: 16 * groups, access: r}, a2: {value: groups},
             a3: {buffer: keys, bytes: 64, access: r} }
     aliasing: out == in allowed
     stack: 64
     secrets: in, keys
     cites: [shin2024riscv, section 3.4]
*/
    .section .text.hanji_cham64_128_rv32i_encrypt_x2, "ax", @progbits
    .balign 4
    .globl  hanji_cham64_128_rv32i_encrypt_x2
    .hidden hanji_cham64_128_rv32i_encrypt_x2
    .type   hanji_cham64_128_rv32i_encrypt_x2, @function
hanji_cham64_128_rv32i_encrypt_x2:
    enter
1:
    load_pair
    number_odd
    li      i, 0
    li      last, 0x00580058 // 88
    even_sum w0, w1, k0
    // Round 1 wants word 2 rotated, round 2 as it is: round 2 leaves its rotation out.
    rol8    u, w2
    xor     u, u, k1
    xor     w1, w1, i
    add     i, i, two
    add2    w1, u
    rol1    w1, w1
    j       3f
2:
    even_round w0, w1, k0
    odd_round w1, w2, k1
    rol8    w2, w2
3:
    even_sum w2, w3, k2
    odd_round w3, w0, k3
    even_round w0, w1, k4
    odd_round w1, w2, k5
    even_round w2, w3, k6
    odd_round w3, w0, k7
    beq     i, last, 4f
    even_round w0, w1, k8
    odd_round w1, w2, k9
    even_round w2, w3, k10
    odd_round w3, w0, k11
    even_round w0, w1, k12
    odd_round w1, w2, k13
    even_round w2, w3, k14
    odd_round w3, w0, k15
    j       2b
4:
    rol8    w0, w0
    rol8    w2, w2
    number_odd
    store_pair
    count_group
    bnez    t, 1b
    leave
    .size   hanji_cham64_128_rv32i_encrypt_x2, . - hanji_cham64_128_rv32i_encrypt_x2

// CHAM-64/128, two blocks per group: plaintext = D_k(ciphertext).
// void hanji_cham64_128_rv32i_decrypt_x2(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* kernel:
     spec: cham64_128.decrypt
     isa: rv32i
     blocks: 2
     align: 4
     layout: pairs_numbered
     args: { a0: {buffer: out, bytes: 16 * groups, access: w}, a1: {buffer: in, bytes: 16 * groups, access: r}, a2: {value: groups},
             a3: {buffer: keys, bytes: 64, access: r} }
     aliasing: out == in allowed
     stack: 64
     secrets: in, keys
     cites: [shin2024riscv, section 3.4]
*/
    .section .text.hanji_cham64_128_rv32i_decrypt_x2, "ax", @progbits
    .balign 4
    .globl  hanji_cham64_128_rv32i_decrypt_x2
    .hidden hanji_cham64_128_rv32i_decrypt_x2
    .type   hanji_cham64_128_rv32i_decrypt_x2, @function
hanji_cham64_128_rv32i_decrypt_x2:
    enter
    srli    ones, two, 1
1:
    load_pair
    number_odd
    li      i, 0x00560056 // 86
    rol8    w0, w0
    rol8    w2, w2
    j       3f
2:
    odd_inverse w3, w0, k15
    even_inverse w2, w3, k14
    rol8    w2, w2
    odd_inverse w1, w2, k13
    even_inverse w0, w1, k12
    rol8    w0, w0
    odd_inverse w3, w0, k11
    even_inverse w2, w3, k10
    rol8    w2, w2
    odd_inverse w1, w2, k9
    even_inverse w0, w1, k8
    rol8    w0, w0
3:
    odd_inverse w3, w0, k7
    even_inverse w2, w3, k6
    rol8    w2, w2
    odd_inverse w1, w2, k5
    even_inverse w0, w1, k4
    rol8    w0, w0
    odd_inverse w3, w0, k3
    beq     i, two, 4f
    even_inverse w2, w3, k2
    rol8    w2, w2
    odd_inverse w1, w2, k1
    even_inverse w0, w1, k0
    rol8    w0, w0
    j       2b
4:
    // The last three rounds leave words 0 and 2 as they are; only round 1 wants word 2 rotated.
    even_inverse w2, w3, k2
    ror1    w1, w1
    rol8    u, w2
    xor     u, u, k1
    sub2    w1, u
    xor     w1, w1, i
    even_inverse w0, w1, k0
    number_odd
    store_pair
    count_group
    bnez    t, 1b
    leave
    .size   hanji_cham64_128_rv32i_decrypt_x2, . - hanji_cham64_128_rv32i_decrypt_x2

#endif
