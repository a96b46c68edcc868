/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds of SIMECK (Yang et al., CHES 2015, section 2) on the folded bit slices of lanes/folds.h:
 * new x = y ^ (x & x <<< 5) ^ x <<< 1 ^ key.
 */
#ifndef HANJI_SIMECK_SIMECK_FOLDS_H
#define HANJI_SIMECK_SIMECK_FOLDS_H

/*
 * Plane i takes planes i, i - 1 and i - 5 of the other half. x15 is a register for its plane 15,
 * y15 for that of the new one, and for a moment before.
 */
/* clang-format off */
#define SIMECK_FOLDED(turn, k, half, x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, x15, y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14, y15) \
    turn(x15, y15) Z_XOR_KEY_APART(k, y15, y0) Z_XOR_KEY_APART(k + 4, x3, y4) Z_XOR_AND(x4, y15, y4) turn(x11, y15) Z_XOR_AND(x0, y15, y0) \
    Z_XOR_KEY(k + 1, x0, y1) turn(x12, y15) Z_XOR_AND(x1, y15, y1) Z_XOR_KEY_APART(k + 2, x1, y2) turn(x13, y15) Z_XOR_AND(x2, y15, y2) \
    Z_XOR_KEY(k + 3, x2, y3) turn(x14, y15) Z_XOR_AND(x3, y15, y3) Z_XOR_KEY(k + 5, x4, y5) Z_LOAD(15, half, y15) Z_XOR_AND(x5, x0, y5) \
    Z_XOR_KEY_APART(k + 6, x5, y6) Z_XOR_KEY(k + 7, x6, y7) Z_XOR_AND(x6, x1, y6) Z_XOR_AND(x7, x2, y7) \
    Z_XOR_KEY_APART(k + 8, x7, y8) Z_XOR_KEY(k + 9, x8, y9) Z_XOR_AND(x8, x3, y8) Z_XOR_AND(x9, x4, y9) \
    Z_XOR_KEY_APART(k + 10, x9, y10) Z_XOR_KEY(k + 11, x10, y11) Z_XOR_AND(x10, x5, y10) Z_XOR_AND(x11, x6, y11) \
    Z_XOR_KEY_APART(k + 12, x11, y12) Z_XOR_KEY(k + 13, x12, y13) Z_XOR_AND(x12, x7, y12) Z_XOR_AND(x13, x8, y13) \
    Z_XOR_KEY_APART(k + 14, x13, y14) Z_XOR_KEY(k + 15, x14, y15) Z_XOR_AND(x14, x9, y14) Z_XOR_AND(x15, x10, y15) Z_STORE(y15, 15, half)
#define SIMECK_FOLDED_FIRST(turn) \
    SIMECK_FOLDED(turn, 0, q, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)
#define SIMECK_FOLDED_SECOND(turn) \
    SIMECK_FOLDED(turn, 16, p, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
/* clang-format on */
#define SIMECK_FOLDS(turn)                                                                        \
    HANJI_FOLDED_FEISTEL(simeck, Z_LOAD(15, p, 15), Z_LOAD(15, q, 31), SIMECK_FOLDED_FIRST(turn), \
                         SIMECK_FOLDED_SECOND(turn))

#endif

#if WORD_BITS == 16
SIMECK_FOLDS(Z_TURN_16)
#elif WORD_BITS == 32
SIMECK_FOLDS(Z_TURN_32)
#else
SIMECK_FOLDS(Z_TURN_64)
#endif
