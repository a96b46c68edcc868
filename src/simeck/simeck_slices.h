/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds of SIMECK (Yang et al., CHES 2015, section 2) on the bit slices of lanes/slices.h: new x =
 * y ^ (x & x <<< 5) ^ x <<< 1 ^ key.
 *
 * A pass makes y ^= f(x) ^ k and x ^= f(y) ^ k', plane by plane upwards, as that of SIMON does
 * (simon/simon_slices.h): planes i, i - 1 and i - 5 make plane i.
 */
#ifndef HANJI_SIMECK_SIMECK_SLICES_H
#define HANJI_SIMECK_SIMECK_SLICES_H

/*
 * Registers: plane i of x is in i mod 8. Of the new y, even planes are kept for five planes, in 8
 * to 11, odd ones in 12 for the next step; after five they are taken from memory. 14 and 15 are for
 * a moment.
 */
/* clang-format off */
/* A plane of y, in `to`. xe, xm, x5: planes e, e - 1 and e - 5 of x. */
#define SIMECK_Y(e, xe, xm, x5, to) \
    V_LOAD(32 * e, x, xe) V_KEY(4 * e, 14) V_AND(x5, xe, to) V_XOR_AT(32 * e, y, 14) V_XOR(xm, to) V_XOR(14, to) V_STORE(to, 32 * e, ty)
#define SIMECK_BEGIN \
    SIMECK_Y(0, 0, 7, 3, 8) SIMECK_Y(1, 1, 0, 4, 12) SIMECK_Y(2, 2, 1, 5, 9) SIMECK_Y(3, 3, 2, 6, 12) \
    SIMECK_Y(4, 4, 3, 7, 10) SIMECK_Y(5, 5, 4, 0, 12) SIMECK_Y(6, 6, 5, 1, 11) SIMECK_Y(7, 7, 6, 2, 12)

/*
 * Planes e and o = e + 1 of both, with masks at k. xo, x4: planes o and e - 4 of x; ee, z4: planes
 * e and e - 4 of y; odd ones are in 12.
 */
#define SIMECK_TWO(e, o, k, xe, xo, xm, x5, x4, ee, z4) \
    V_LOAD(32 * (e), x, xe) V_KEY(k, 14) V_AND(x5, xe, ee) V_XOR_AT(32 * (e), y, 14) V_XOR(xm, ee) V_XOR(14, ee) V_KEY(k + 32, 14) \
    V_AND_AT(32 * (e) - 160, ty, ee, 15) V_STORE(ee, 32 * (e), ty) V_XOR(xe, 14) V_XOR(12, 15) V_LOAD(32 * (o), x, xo) V_AND(x4, xo, 12) \
    V_XOR(14, 15) V_KEY(k + 4, 14) V_STORE(15, 32 * (e), tx) V_XOR_AT(32 * (o), y, 14) V_XOR(xe, 12) V_XOR(14, 12) V_KEY(k + 36, 14) \
    V_AND(z4, 12, 15) V_STORE(12, 32 * (o), ty) V_XOR(xo, 14) V_XOR(ee, 15) V_XOR(14, 15) V_STORE(15, 32 * (o), tx)
#define SIMECK_EIGHT(b, k) \
    SIMECK_TWO(b, b + 1, k, 0, 1, 7, 3, 4, 8, 10) SIMECK_TWO(b + 2, b + 3, k + 8, 2, 3, 1, 5, 6, 9, 11) \
    SIMECK_TWO(b + 4, b + 5, k + 16, 4, 5, 3, 7, 0, 10, 8) SIMECK_TWO(b + 6, b + 7, k + 24, 6, 7, 5, 1, 2, 11, 9)

/*
 * The first eight planes of x, which go into their registers. z: this plane of y, which is loaded;
 * z1: the one before; the one five before is in memory or in z5.
 */
#define SIMECK_X(e, k, z1) V_XOR(z1, 15) V_KEY(k + 4 * e, 14) V_XOR_AT(32 * e, x, 14) V_XOR_TO(14, 15, e) V_STORE(e, 32 * e, tx)
#define SIMECK_X_AT(e, k, last, z, z1) V_LOAD(32 * e, ty, z) V_AND_AT(32 * (e + 3 + last), ty, z, 15) SIMECK_X(e, k, z1)
#define SIMECK_X_OF(e, k, z, z1, z5) V_LOAD(32 * e, ty, z) V_AND(z5, z, 15) SIMECK_X(e, k, z1)
/* And the first of the next y. */
#define SIMECK_NEXT(e, xm, to) V_XOR(xm, to) V_XOR(14, to) V_STORE(to, 32 * e, ty)
#define SIMECK_NEXT_AT(e, k, last, xm, z, to) V_KEY(k + 4 * e + 32, 14) V_XOR(z, 14) V_AND_AT(32 * (e + 3 + last), tx, e, to) SIMECK_NEXT(e, xm, to)
#define SIMECK_NEXT_OF(e, k, xm, x5, z, to) V_KEY(k + 4 * e + 32, 14) V_XOR(z, 14) V_AND(x5, e, to) SIMECK_NEXT(e, xm, to)
/* Planes 0 to 2 of y wait in the registers of the planes of x that take them. */
#define SIMECK_BETWEEN(last, k) \
    V_LOAD(32 * (last + 7), tx, 7) SIMECK_X_AT(0, k, last, 5, 12) SIMECK_NEXT_AT(0, k, last, 7, 5, 8) SIMECK_X_AT(1, k, last, 6, 5) SIMECK_NEXT_AT(1, k, last, 0, 6, 15) \
    SIMECK_X_AT(2, k, last, 7, 6) SIMECK_NEXT_AT(2, k, last, 1, 7, 9) SIMECK_X_AT(3, k, last, 12, 7) SIMECK_NEXT_AT(3, k, last, 2, 12, 15) \
    SIMECK_X_AT(4, k, last, 13, 12) SIMECK_NEXT_AT(4, k, last, 3, 13, 10) SIMECK_X_OF(5, k, 12, 13, 5) SIMECK_NEXT_OF(5, k, 4, 0, 12, 15) \
    SIMECK_X_OF(6, k, 13, 12, 6) SIMECK_NEXT_OF(6, k, 5, 1, 13, 11) SIMECK_X_OF(7, k, 12, 13, 7) SIMECK_NEXT_OF(7, k, 6, 2, 12, 12)
#define SIMECK_END(last, k) \
    SIMECK_X_AT(0, k, last, 5, 12) SIMECK_X_AT(1, k, last, 6, 5) SIMECK_X_AT(2, k, last, 7, 6) SIMECK_X_AT(3, k, last, 12, 7) \
    SIMECK_X_AT(4, k, last, 13, 12) SIMECK_X_OF(5, k, 12, 13, 5) SIMECK_X_OF(6, k, 13, 12, 6) SIMECK_X_OF(7, k, 12, 13, 7)
/* clang-format on */

#endif

HANJI_SLICED_FEISTEL(simeck, SIMECK_BEGIN, SIMECK_EIGHT, SIMECK_EIGHT, SIMECK_BETWEEN, SIMECK_END)

static HANJI_NOINLINE void W(simeck_slices_once)(vector *to, const vector *x, const vector *y,
                                                 const uint32_t *masks)
{
    for (int i = 0; i < WORD_BITS; i++)
        to[i] = y[i] ^ (x[i] & x[(i + WORD_BITS - 5) % WORD_BITS]) ^
                x[(i + WORD_BITS - 1) % WORD_BITS] ^ (vector)MM(set1_epi32)((int)masks[i]);
}
