/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keccak-f[1600] (FIPS 202, section 3) on words of any type; FIPS 202 calls them lanes. A file that
 * includes this defines
 *   K            the type of a word: a number, or a vector with the same word of several states
 *   K_LOAD(w), K_STORE(w, v)     word w of the states
 *   K_XOR3(a, b, c)              a ^ b ^ c
 *   K_ROL1(a, b)                 a ^ rotl(b, 1)
 *   K_XROL(a, b, n)              rotl(a ^ b, n), 1 <= n <= 63
 *   K_CHI(a, b, c)               a ^ (~b & c)
 *   K_IOTA(a, constant)          a ^ the 64-bit constant in every state
 * and calls K_PERMUTE inside a function. Word 5y + x is at (x, y).
 */
#ifndef HANJI_KECCAK_ROUNDS_H
#define HANJI_KECCAK_ROUNDS_H

#include <stdint.h>

#define HANJI_KECCAK_ROUNDS 24

/*
 * The constants of iota are the output of the 8-bit shift register of section 3.2.5; tests compute
 * them again.
 */
static const uint64_t hanji_keccak_iota[HANJI_KECCAK_ROUNDS] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

/* One row of chi; its five words are already through theta, rho and pi. */
#define K_ROW(E, y, b0, b1, b2, b3, b4) \
    E##y##0 = K_CHI(b0, b1, b2);        \
    E##y##1 = K_CHI(b1, b2, b3);        \
    E##y##2 = K_CHI(b2, b3, b4);        \
    E##y##3 = K_CHI(b3, b4, b0);        \
    E##y##4 = K_CHI(b4, b0, b1)

/*
 * Theta adds to a word of column x the sums of the columns before and after it. Here their sum is
 * added when rho moves the word; a file that adds them otherwise defines all three, and needs no
 * K_ROL1 and K_XROL.
 */
#ifndef K_THETA
#define K_THETA(A)                                                         \
    const K d0 = K_ROL1(c4, c1), d1 = K_ROL1(c0, c2), d2 = K_ROL1(c1, c3); \
    const K d3 = K_ROL1(c2, c4), d4 = K_ROL1(c3, c0)
#define K_STAY(a, x) ((a) ^ d##x)
#define K_MOVE(a, x, n) K_XROL(a, d##x, n)
#endif

/* One round from the words A to the words E. */
#define K_ROUND(A, E, round)                                              \
    do {                                                                  \
        const K c0 = K_XOR3(K_XOR3(A##00, A##10, A##20), A##30, A##40);   \
        const K c1 = K_XOR3(K_XOR3(A##01, A##11, A##21), A##31, A##41);   \
        const K c2 = K_XOR3(K_XOR3(A##02, A##12, A##22), A##32, A##42);   \
        const K c3 = K_XOR3(K_XOR3(A##03, A##13, A##23), A##33, A##43);   \
        const K c4 = K_XOR3(K_XOR3(A##04, A##14, A##24), A##34, A##44);   \
        K_THETA(A);                                                       \
        {                                                                 \
            const K b0 = K_STAY(A##00, 0), b1 = K_MOVE(A##11, 1, 44);     \
            const K b2 = K_MOVE(A##22, 2, 43), b3 = K_MOVE(A##33, 3, 21); \
            const K b4 = K_MOVE(A##44, 4, 14);                            \
            K_ROW(E, 0, b0, b1, b2, b3, b4);                              \
            E##00 = K_IOTA(E##00, hanji_keccak_iota[round]);              \
        }                                                                 \
        {                                                                 \
            const K b0 = K_MOVE(A##03, 3, 28), b1 = K_MOVE(A##14, 4, 20); \
            const K b2 = K_MOVE(A##20, 0, 3), b3 = K_MOVE(A##31, 1, 45);  \
            const K b4 = K_MOVE(A##42, 2, 61);                            \
            K_ROW(E, 1, b0, b1, b2, b3, b4);                              \
        }                                                                 \
        {                                                                 \
            const K b0 = K_MOVE(A##01, 1, 1), b1 = K_MOVE(A##12, 2, 6);   \
            const K b2 = K_MOVE(A##23, 3, 25), b3 = K_MOVE(A##34, 4, 8);  \
            const K b4 = K_MOVE(A##40, 0, 18);                            \
            K_ROW(E, 2, b0, b1, b2, b3, b4);                              \
        }                                                                 \
        {                                                                 \
            const K b0 = K_MOVE(A##04, 4, 27), b1 = K_MOVE(A##10, 0, 36); \
            const K b2 = K_MOVE(A##21, 1, 10), b3 = K_MOVE(A##32, 2, 15); \
            const K b4 = K_MOVE(A##43, 3, 56);                            \
            K_ROW(E, 3, b0, b1, b2, b3, b4);                              \
        }                                                                 \
        {                                                                 \
            const K b0 = K_MOVE(A##02, 2, 62), b1 = K_MOVE(A##13, 3, 55); \
            const K b2 = K_MOVE(A##24, 4, 39), b3 = K_MOVE(A##30, 0, 41); \
            const K b4 = K_MOVE(A##41, 1, 2);                             \
            K_ROW(E, 4, b0, b1, b2, b3, b4);                              \
        }                                                                 \
    } while (0)

#define K_ROW_LOAD(A, y)                                                                 \
    K A##y##0 = K_LOAD(5 * y), A##y##1 = K_LOAD(5 * y + 1), A##y##2 = K_LOAD(5 * y + 2), \
      A##y##3 = K_LOAD(5 * y + 3), A##y##4 = K_LOAD(5 * y + 4)
#define K_ROW_NAME(E, y) K E##y##0, E##y##1, E##y##2, E##y##3, E##y##4
#define K_ROW_STORE(A, y)        \
    K_STORE(5 * y, A##y##0);     \
    K_STORE(5 * y + 1, A##y##1); \
    K_STORE(5 * y + 2, A##y##2); \
    K_STORE(5 * y + 3, A##y##3); \
    K_STORE(5 * y + 4, A##y##4)

#define K_PERMUTE                                                           \
    do {                                                                    \
        K_ROW_LOAD(a, 0);                                                   \
        K_ROW_LOAD(a, 1);                                                   \
        K_ROW_LOAD(a, 2);                                                   \
        K_ROW_LOAD(a, 3);                                                   \
        K_ROW_LOAD(a, 4);                                                   \
        K_ROW_NAME(e, 0);                                                   \
        K_ROW_NAME(e, 1);                                                   \
        K_ROW_NAME(e, 2);                                                   \
        K_ROW_NAME(e, 3);                                                   \
        K_ROW_NAME(e, 4);                                                   \
        for (unsigned round = 0; round < HANJI_KECCAK_ROUNDS; round += 2) { \
            K_ROUND(a, e, round);                                           \
            K_ROUND(e, a, round + 1);                                       \
        }                                                                   \
        K_ROW_STORE(a, 0);                                                  \
        K_ROW_STORE(a, 1);                                                  \
        K_ROW_STORE(a, 2);                                                  \
        K_ROW_STORE(a, 3);                                                  \
        K_ROW_STORE(a, 4);                                                  \
    } while (0)

#endif
