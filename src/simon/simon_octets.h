/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A round of SIMON (Beaulieu et al., ePrint 2013/404, section 3) on the bit slices of
 * lanes/octets.h: new x = y ^ (x <<< 1 & x <<< 8) ^ x <<< 2 ^ key.
 */
#ifndef HANJI_SIMON_SIMON_OCTETS_H
#define HANJI_SIMON_SIMON_OCTETS_H

/*
 * A plane goes where one is that nothing needs any longer: planes 0 and 1 to n0 and n1, plane j to
 * x(j - 2). v6 and v7 are x6 and x7 turned.
 */
/* clang-format off */
#define SIMON_OCTETS(bytes) \
    PLANE_TURN(v7, x7) PLANE_TURN(v6, x6) PLANE_LOAD(bytes, 0) PLANE_TURN(u, x0) PLANE_STORE(n0, v6, u, v7) \
    PLANE_LOAD(bytes, 1) PLANE_TURN(u, x1) PLANE_STORE(n1, v7, u, x0) \
    PLANE_LOAD(bytes, 2) PLANE_TURN(u, x2) PLANE_STORE(x0, x0, u, x1) \
    PLANE_LOAD(bytes, 3) PLANE_TURN(u, x3) PLANE_STORE(x1, x1, u, x2) \
    PLANE_LOAD(bytes, 4) PLANE_TURN(u, x4) PLANE_STORE(x2, x2, u, x3) \
    PLANE_LOAD(bytes, 5) PLANE_TURN(u, x5) PLANE_STORE(x3, x3, u, x4) \
    PLANE_LOAD(bytes, 6) PLANE_STORE(x4, x4, v6, x5) \
    PLANE_LOAD(bytes, 7) PLANE_STORE(x5, x5, v7, x6)
/* clang-format on */

#endif

HANJI_INLINE void W(simon_octets)(W(word) *x, W(word) *y, const W(number) *masks, vector order)
{
    vector n0, n1, v6, v7, t, u;
    __asm__(
#if WORD_BITS == 32
        SIMON_OCTETS(4)
#else
        SIMON_OCTETS(8)
#endif
        : [x0] "+x"(x[0]), [x1] "+x"(x[1]), [x2] "+x"(x[2]), [x3] "+x"(x[3]), [x4] "+x"(x[4]),
          [x5] "+x"(x[5]), [n0] "=&x"(n0), [n1] "=&x"(n1), [v6] "=&x"(v6), [v7] "=&x"(v7),
          [t] "=&x"(t), [u] "=&x"(u), "+m"(*(W(word)(*)[PLANES])y)
        : [x6] "x"(x[6]), [x7] "x"(x[7]), [order] "x"(order), [y] "r"(y), [masks] "r"(masks),
          "m"(*(const W(number)(*)[PLANES])masks));
    x[7] = x[5];
    x[6] = x[4];
    x[5] = x[3];
    x[4] = x[2];
    x[3] = x[1];
    x[2] = x[0];
    x[1] = (W(word))n1;
    x[0] = (W(word))n0;
}
