/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds of SIMON (Beaulieu et al., ePrint 2013/404, section 3) on the folded bit slices of
 * lanes/folds.h: new x = y ^ (x <<< 1 & x <<< 8) ^ x <<< 2 ^ key.
 */
#ifndef HANJI_SIMON_SIMON_FOLDS_H
#define HANJI_SIMON_SIMON_FOLDS_H

/*
 * Plane i takes planes i - 1, i - 2 and i - 8 of the other half. Register 15 holds its plane 15,
 * turned as all that use it want it; then that of the new one.
 */
/* clang-format off */
#define SIMON_FOLDED(turn, k, half, x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, x12, x13, x14, y0, y1, y2, y3, y4, y5, y6, y7, y8, y9, y10, y11, y12, y13, y14) \
    turn(x14, 31) Z_XOR_KEY_APART(k, 31, y0) turn(x8, 31) Z_XOR_AND(15, 31, y0) Z_XOR_KEY(k + 1, 15, y1) turn(x9, 31) Z_XOR_AND(x0, 31, y1) \
    Z_XOR_KEY_APART(k + 2, x0, y2) turn(x10, 31) Z_XOR_AND(x1, 31, y2) Z_XOR_KEY(k + 3, x1, y3) turn(x11, 31) Z_XOR_AND(x2, 31, y3) \
    Z_XOR_KEY_APART(k + 4, x2, y4) turn(x12, 31) Z_XOR_AND(x3, 31, y4) Z_XOR_KEY(k + 5, x3, y5) turn(x13, 31) Z_XOR_AND(x4, 31, y5) \
    Z_XOR_KEY_APART(k + 6, x4, y6) turn(x14, 31) Z_XOR_AND(x5, 31, y6) Z_XOR_KEY(k + 7, x5, y7) Z_XOR_AND(x6, 15, y7) Z_LOAD(15, half, 15) \
    Z_XOR_KEY_APART(k + 8, x6, y8) Z_XOR_KEY(k + 9, x7, y9) Z_XOR_AND(x7, x0, y8) Z_XOR_AND(x8, x1, y9) \
    Z_XOR_KEY_APART(k + 10, x8, y10) Z_XOR_KEY(k + 11, x9, y11) Z_XOR_AND(x9, x2, y10) Z_XOR_AND(x10, x3, y11) \
    Z_XOR_KEY_APART(k + 12, x10, y12) Z_XOR_KEY(k + 13, x11, y13) Z_XOR_AND(x11, x4, y12) Z_XOR_AND(x12, x5, y13) \
    Z_XOR_KEY_APART(k + 14, x12, y14) Z_XOR_KEY(k + 15, x13, 15) Z_XOR_AND(x13, x6, y14) Z_XOR_AND(x14, x7, 15) Z_STORE(15, 15, half) turn(15, 15)
#define SIMON_FOLDED_FIRST(turn) \
    SIMON_FOLDED(turn, 0, q, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)
#define SIMON_FOLDED_SECOND(turn) \
    SIMON_FOLDED(turn, 16, p, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)
/* clang-format on */
#define SIMON_FOLDS(turn)                                                                       \
    HANJI_FOLDED_FEISTEL(simon, Z_LOAD(15, p, 15) turn(15, 15), Z_LOAD(15, q, 15) turn(15, 15), \
                         SIMON_FOLDED_FIRST(turn), SIMON_FOLDED_SECOND(turn))

#endif

#if WORD_BITS == 32
SIMON_FOLDS(Z_TURN_32)
#else
SIMON_FOLDS(Z_TURN_64)
#endif
