/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds of SIMON (Beaulieu et al., ePrint 2013/404, section 3) on the bit slices of lanes/slices.h: new x = y ^ (x <<< 1 & x <<< 8) ^ x <<< 2 ^ key.
 *
 * A pass makes y ^= f(x) ^ k and x ^= f(y) ^ k', plane by plane upwards. Plane i of the new y takes planes i - 1, i - 2 and i - 8 of x; plane i of the new x takes those of the
 * new y, so that its first eight must wait until the last of y are there. They are made between two passes, beside the first eight of y of the next.
 */
#ifndef HANJI_SIMON_SIMON_SLICES_H
#define HANJI_SIMON_SIMON_SLICES_H

/*
 * Registers: plane i of x is in i mod 8, until eight planes later the AND has taken it. Of the new y, even planes are kept as long, in 8 to 11, odd ones in 12 and 13 for
 * the next two steps; after eight they are taken from memory. 14 and 15 are for a moment.
 */
/* Planes e and o = e + 1 of y, the first and the second half of a step of both, and a step. xe, xo: the planes of x here; xm, xn: x(e - 1), x(e - 2). */
#define SIMON_Y(e, xe, xm, xn, to) \
    V_AND(xm, xe, to) V_KEY(4 * e, 14) V_XOR_AT(32 * e, y, 14) V_XOR(xn, to) V_XOR(14, to) V_STORE(to, 32 * e, ty) V_LOAD(32 * e, x, xe)
/* clang-format off */
#define SIMON_BEGIN \
    SIMON_Y(0, 0, 7, 6, 8) SIMON_Y(1, 1, 0, 7, 12) SIMON_Y(2, 2, 1, 0, 9) SIMON_Y(3, 3, 2, 1, 13) \
    SIMON_Y(4, 4, 3, 2, 10) SIMON_Y(5, 5, 4, 3, 12) SIMON_Y(6, 6, 5, 4, 11) SIMON_Y(7, 7, 6, 5, 13)

/* ee, en: planes e and e - 2 of y; oe, oo: planes e - 1 and o. The order is one found by search. */
#define SIMON_TWO(e, o, xe, xo, xm, xn, ee, en, oe, oo) \
    V_AND(oe, ee, 15) V_AND(xm, xe, ee) V_KEY(4 * e, 14) V_XOR(xn, ee) V_XOR(en, 15) V_LOAD(32 * e, x, xe) V_AND(xe, xo, oo) \
    V_XOR_AT(32 * e, y, 14) V_XOR(14, ee) V_KEY(4 * e + 32, 14) V_XOR(xe, 14) V_STORE(ee, 32 * e, ty) V_LOAD(32 * o, x, xo) \
    V_XOR(14, 15) V_STORE(15, 32 * e, tx) V_KEY(4 * o, 14) V_XOR_AT(32 * o, y, 14) V_XOR(xm, oo) V_AND_AT(32 * o - 256, ty, ee, 15) \
    V_XOR(14, oo) V_STORE(oo, 32 * o, ty) V_XOR(oe, 15) V_KEY(4 * o + 32, 14) V_XOR(xo, 14) V_XOR(14, 15) V_STORE(15, 32 * o, tx)
#define SIMON_EIGHT \
    SIMON_TWO(0, 1, 0, 1, 7, 6, 8, 11, 13, 12) SIMON_TWO(2, 3, 2, 3, 1, 0, 9, 8, 12, 13) \
    SIMON_TWO(4, 5, 4, 5, 3, 2, 10, 9, 13, 12) SIMON_TWO(6, 7, 6, 7, 5, 4, 11, 10, 12, 13)

/* The first eight planes of x, which go into their registers. z8, z1, z2: planes of y eight, one and two before; of the last eight, the odd ones are in memory. */
#define SIMON_X(e, z2) V_XOR(z2, 15) V_KEY(4 * e, 14) V_XOR_AT(32 * e, x, 14) V_XOR_TO(14, 15, e) V_STORE(e, 32 * e, tx)
#define SIMON_X_EVEN(e, z8, z1, z2) V_AND(z1, z8, 15) SIMON_X(e, z2)
#define SIMON_X_ODD(e, z1, z2) V_AND_AT(32 * e + %c[last], ty, z1, 15) SIMON_X(e, z2)
/* And the first of the next y; z is the plane of this y. */
#define SIMON_NEXT(e, xm, xn, z, to) \
    V_AND_AT(32 * e + %c[last], tx, xm, to) V_KEY(4 * e + 32, 14) V_XOR(xn, to) V_XOR(z, 14) V_XOR(14, to) V_STORE(to, 32 * e, ty)
#define SIMON_BETWEEN \
    V_LOAD(224 + %c[last], tx, 7) V_LOAD(192 + %c[last], tx, 6) \
    SIMON_X_EVEN(0, 8, 13, 11) V_LOAD(0, ty, 12) SIMON_NEXT(0, 7, 6, 12, 8) SIMON_X_ODD(1, 12, 13) V_LOAD(32, ty, 13) SIMON_NEXT(1, 0, 7, 13, 15) \
    SIMON_X_EVEN(2, 9, 13, 12) V_LOAD(64, ty, 12) SIMON_NEXT(2, 1, 0, 12, 9) SIMON_X_ODD(3, 12, 13) V_LOAD(96, ty, 13) SIMON_NEXT(3, 2, 1, 13, 15) \
    SIMON_X_EVEN(4, 10, 13, 12) V_LOAD(128, ty, 12) SIMON_NEXT(4, 3, 2, 12, 10) SIMON_X_ODD(5, 12, 13) V_LOAD(160, ty, 13) SIMON_NEXT(5, 4, 3, 13, 15) \
    SIMON_X_EVEN(6, 11, 13, 12) V_LOAD(192, ty, 12) SIMON_NEXT(6, 5, 4, 12, 11) SIMON_X_ODD(7, 12, 13) V_LOAD(224, ty, 12) SIMON_NEXT(7, 6, 5, 12, 13)
#define SIMON_END \
    SIMON_X_EVEN(0, 8, 13, 11) V_LOAD(0, ty, 12) SIMON_X_ODD(1, 12, 13) V_LOAD(32, ty, 13) SIMON_X_EVEN(2, 9, 13, 12) V_LOAD(64, ty, 12) \
    SIMON_X_ODD(3, 12, 13) V_LOAD(96, ty, 13) SIMON_X_EVEN(4, 10, 13, 12) V_LOAD(128, ty, 12) SIMON_X_ODD(5, 12, 13) V_LOAD(160, ty, 13) \
    SIMON_X_EVEN(6, 11, 13, 12) V_LOAD(192, ty, 12) SIMON_X_ODD(7, 12, 13)
/* clang-format on */

#endif

HANJI_SLICED_FEISTEL(simon, SIMON_BEGIN, SIMON_EIGHT, SIMON_BETWEEN, SIMON_END)

static HANJI_NOINLINE void W(simon_slices_once)(vector *to, const vector *x, const vector *y, const uint32_t *masks)
{
    for (int i = 0; i < WORD_BITS; i++)
        to[i] = y[i] ^ (x[(i + WORD_BITS - 1) % WORD_BITS] & x[(i + WORD_BITS - 8) % WORD_BITS]) ^ x[(i + WORD_BITS - 2) % WORD_BITS] ^
                (vector)MM(set1_epi32)((int)masks[i]);
}
