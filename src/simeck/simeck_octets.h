/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A round of SIMECK (Yang et al., CHES 2015, section 2) on the bit slices of lanes/octets.h: new x
 * = y ^ (x & x <<< 5) ^ x <<< 1 ^ key.
 */
#ifndef HANJI_SIMECK_SIMECK_OCTETS_H
#define HANJI_SIMECK_SIMECK_OCTETS_H

/*
 * A plane goes where one is that nothing needs any longer: planes 0 to 3 to n0 to n3, plane j to
 * x(j - 1).
 */
/* clang-format off */
#define SIMECK_OCTETS(bytes) \
    PLANE_LOAD(bytes, 0) PLANE_TURN(n0, x7) PLANE_TURN(u, x3) PLANE_STORE(n0, n0, u, x0) \
    PLANE_LOAD(bytes, 1) PLANE_TURN(u, x4) PLANE_STORE(n1, x0, u, x1) \
    PLANE_LOAD(bytes, 2) PLANE_TURN(u, x5) PLANE_STORE(n2, x1, u, x2) \
    PLANE_LOAD(bytes, 3) PLANE_TURN(u, x6) PLANE_STORE(n3, x2, u, x3) \
    PLANE_LOAD(bytes, 4) PLANE_TURN(u, x7) PLANE_STORE(x3, x3, u, x4) \
    PLANE_LOAD(bytes, 5) PLANE_STORE(x4, x4, x0, x5) \
    PLANE_LOAD(bytes, 6) PLANE_STORE(x5, x5, x1, x6) \
    PLANE_LOAD(bytes, 7) PLANE_STORE(x6, x6, x2, x7)
/* clang-format on */

#endif

HANJI_INLINE void W(simeck_octets)(W(word) *x, W(word) *y, const W(number) *masks, vector order)
{
    vector n0, n1, n2, n3, t, u;
    __asm__(
#if WORD_BITS == 16
        SIMECK_OCTETS(2)
#else
        SIMECK_OCTETS(4)
#endif
        : [x3] "+x"(x[3]), [x4] "+x"(x[4]), [x5] "+x"(x[5]), [x6] "+x"(x[6]), [n0] "=&x"(n0),
          [n1] "=&x"(n1), [n2] "=&x"(n2), [n3] "=&x"(n3), [t] "=&x"(t), [u] "=&x"(u),
          "+m"(*(W(word)(*)[PLANES])y)
        : [x0] "x"(x[0]), [x1] "x"(x[1]), [x2] "x"(x[2]), [x7] "x"(x[7]), [order] "x"(order),
          [y] "r"(y), [masks] "r"(masks), "m"(*(const W(number)(*)[PLANES])masks));
    x[7] = x[6];
    x[6] = x[5];
    x[5] = x[4];
    x[4] = x[3];
    x[3] = (W(word))n3;
    x[2] = (W(word))n2;
    x[1] = (W(word))n1;
    x[0] = (W(word))n0;
}
