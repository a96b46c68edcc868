/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds of SIMON (Beaulieu et al., ePrint 2013/404, section 3) on the bit slices of
 * lanes/slices.h: new x = y ^ (x <<< 1 & x <<< 8) ^ x <<< 2 ^ key.
 *
 * A pass makes y ^= f(x) ^ k and x ^= f(y) ^ k', plane by plane upwards. Plane i of the new y takes
 * planes i - 1, i - 2 and i - 8 of x; plane i of the new x takes those of the new y, so its
 * first eight must wait until the last of y are there. They are made between two passes, beside the
 * first eight of y of the next.
 */
#ifndef HANJI_SIMON_SIMON_SLICES_H
#define HANJI_SIMON_SIMON_SLICES_H

/*
 * Registers: plane i of x is in i mod 8. Of the new y, the last eight planes are in 9 to 14 and,
 * for two steps, in 8: planes 0 and 4 of eight are taken from memory afterwards, because 15 is
 * needed for a moment. A step has thirteen instructions and 4 or 5 loads. A pass loads 143 vectors
 * for words of 32 bits and 279 for those of 64, two a cycle at best.
 */
/* clang-format off */
/*
 * The first eight planes of y alone: plane e, in h. xe, x1, x2: planes e - 8, which plane e of x
 * follows, e - 1 and e - 2 of x.
 */
#define SIMON_FIRST(e, h, xe, x1, x2) \
    V_AND(xe, x1, 15) V_KEY(4 * e, h) V_XOR_AT(32 * e, y, h) V_XOR(x2, 15) V_XOR(15, h) V_STORE(h, 32 * e, ty) V_LOAD(32 * e, x, xe)
#define SIMON_BEGIN \
    SIMON_FIRST(0, 8, 0, 7, 6) SIMON_FIRST(1, 9, 1, 0, 7) SIMON_FIRST(2, 10, 2, 1, 0) SIMON_FIRST(3, 11, 3, 2, 1) \
    SIMON_FIRST(4, 8, 4, 3, 2) SIMON_FIRST(5, 12, 5, 4, 3) SIMON_FIRST(6, 13, 6, 5, 4) SIMON_FIRST(7, 14, 7, 6, 5)

/*
 * Plane e of both, with masks at k. y8: y(e - 1) & y(e - 8) to g, which becomes plane e of x; h:
 * that of y; y2: plane e - 2 of y. The order spreads loads and stores.
 */
#define SIMON_STEP(e, k, h, xe, x1, x2, y8, y2, g) \
    V_AND(xe, x1, 15) V_KEY(k + 32, xe) y8 V_XOR(x2, 15) V_XOR(xe, g) V_XOR(y2, g) V_LOAD(32 * (e), x, xe) V_XOR(xe, g) V_STORE(g, 32 * (e), tx) \
    V_KEY(k, h) V_XOR_AT(32 * (e), y, h) V_XOR(15, h) V_STORE(h, 32 * (e), ty)
#define SIMON_SIX(b, k) \
    SIMON_STEP(b, k, 8, 0, 7, 6, V_AND_AT(32 * (b - 8), ty, 14, 8), 13, 8) SIMON_STEP(b + 1, k + 4, 9, 1, 0, 7, V_AND(9, 8, 9), 14, 9) \
    SIMON_STEP(b + 2, k + 8, 10, 2, 1, 0, V_AND(10, 9, 10), 8, 10) SIMON_STEP(b + 3, k + 12, 11, 3, 2, 1, V_AND(11, 10, 11), 9, 11) \
    SIMON_STEP(b + 4, k + 16, 8, 4, 3, 2, V_AND_AT(32 * (b - 4), ty, 11, 8), 10, 8) SIMON_STEP(b + 5, k + 20, 12, 5, 4, 3, V_AND(12, 8, 12), 11, 12)
#define SIMON_EIGHT(b, k) \
    SIMON_SIX(b, k) SIMON_STEP(b + 6, k + 24, 13, 6, 5, 4, V_AND(13, 12, 13), 8, 13) SIMON_STEP(b + 7, k + 28, 14, 7, 6, 5, V_AND(14, 13, 14), 12, 14)
/*
 * In the last eight planes, the last two of x stay in 3 and 4: what these held is not needed again.
 */
#define SIMON_LAST(b, k) \
    SIMON_SIX(b, k) SIMON_STEP(b + 6, k + 24, 13, 6, 5, 4, V_AND(13, 12, 3), 8, 3) SIMON_STEP(b + 7, k + 28, 14, 7, 6, 5, V_AND(14, 13, 4), 12, 4)

/*
 * The first eight planes of x, in xe, number e: y8 as above, but in xe; h: a register that is free
 * then.
 */
#define SIMON_X(e, k, xe, h, y8, y2) \
    y8 V_KEY(k, h) V_XOR(y2, xe) V_XOR_AT(32 * e, x, h) V_XOR(h, xe) V_STORE(xe, 32 * e, tx)
/* And of the next y, in h. z: this plane of y, y0 the register into which it is loaded. */
#define SIMON_NEXT(e, k, last, x1, x2, h, z) \
    V_AND_AT(32 * (e + last), tx, x1, 15) V_KEY(k + 32, h) V_XOR(x2, 15) z V_XOR(15, h) V_STORE(h, 32 * e, ty)
#define SIMON_Z(e, y0, h) V_LOAD(32 * e, ty, y0) V_XOR(y0, h)
/* Planes of y go where nothing is needed: to 7 and 6 in turn, then to 8. */
#define SIMON_BETWEEN(last, k) \
    SIMON_X(0, k, 0, 5, V_AND_AT(32 * last, ty, 14, 0), 13) SIMON_NEXT(0, k, last, 4, 3, 5, SIMON_Z(0, 7, 5)) \
    SIMON_X(1, k + 4, 1, 9, V_AND(9, 7, 1), 14) SIMON_NEXT(1, k + 4, last, 0, 4, 9, SIMON_Z(1, 6, 9)) \
    SIMON_X(2, k + 8, 2, 10, V_AND(10, 6, 2), 7) SIMON_NEXT(2, k + 8, last, 1, 0, 10, SIMON_Z(2, 7, 10)) \
    SIMON_X(3, k + 12, 3, 11, V_AND(11, 7, 3), 6) SIMON_NEXT(3, k + 12, last, 2, 1, 11, SIMON_Z(3, 6, 11)) \
    SIMON_X(4, k + 16, 4, 8, V_AND(8, 6, 4), 7) SIMON_NEXT(4, k + 16, last, 3, 2, 8, SIMON_Z(4, 7, 8)) \
    SIMON_X(5, k + 20, 5, 12, V_AND(12, 7, 5), 6) SIMON_NEXT(5, k + 20, last, 4, 3, 12, SIMON_Z(5, 8, 12)) \
    SIMON_X(6, k + 24, 6, 13, V_AND(13, 8, 6), 7) SIMON_NEXT(6, k + 24, last, 5, 4, 13, SIMON_Z(6, 7, 13)) \
    SIMON_X(7, k + 28, 7, 14, V_AND(14, 7, 7), 8) SIMON_NEXT(7, k + 28, last, 6, 5, 14, V_XOR_AT(224, ty, 14))
#define SIMON_END(last, k) \
    SIMON_X(0, k, 0, 1, V_AND_AT(32 * last, ty, 14, 0), 13) V_LOAD(0, ty, 8) SIMON_X(1, k + 4, 0, 1, V_AND(9, 8, 0), 14) V_LOAD(32, ty, 7) \
    SIMON_X(2, k + 8, 0, 1, V_AND(10, 7, 0), 8) V_LOAD(64, ty, 8) SIMON_X(3, k + 12, 0, 1, V_AND(11, 8, 0), 7) V_LOAD(96, ty, 7) \
    SIMON_X(4, k + 16, 0, 1, V_AND_AT(32 * (last + 4), ty, 7, 0), 8) V_LOAD(128, ty, 8) SIMON_X(5, k + 20, 0, 1, V_AND(12, 8, 0), 7) V_LOAD(160, ty, 7) \
    SIMON_X(6, k + 24, 0, 1, V_AND(13, 7, 0), 8) V_LOAD(192, ty, 8) SIMON_X(7, k + 28, 0, 1, V_AND(14, 8, 0), 7)
/* clang-format on */

#endif

HANJI_SLICED_FEISTEL(simon, SIMON_BEGIN, SIMON_EIGHT, SIMON_LAST, SIMON_BETWEEN, SIMON_END)

static HANJI_NOINLINE void W(simon_slices_once)(vector *to, const vector *x, const vector *y,
                                                const uint32_t *masks)
{
    for (int i = 0; i < WORD_BITS; i++)
        to[i] = y[i] ^ (x[(i + WORD_BITS - 1) % WORD_BITS] & x[(i + WORD_BITS - 8) % WORD_BITS]) ^
                x[(i + WORD_BITS - 2) % WORD_BITS] ^ (vector)MM(set1_epi32)((int)masks[i]);
}
