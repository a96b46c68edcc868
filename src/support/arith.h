/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Products and quotients of public sizes, for processors without multiplier or divider, where the
 * compiler would call libgcc.
 */
#ifndef HANJI_SUPPORT_ARITH_H
#define HANJI_SUPPORT_ARITH_H

#include <stddef.h>
#include <stdint.h>

/* a * b, or SIZE_MAX when it does not fit. */
static inline size_t hanji_times(size_t a, size_t b)
{
#ifdef HANJI_FREESTANDING
    size_t product = 0;
    for (; b != 0; b >>= 1) {
        if ((b & 1) != 0) {
            if (a > SIZE_MAX - product)
                return SIZE_MAX;
            product += a;
        }
        if (b > 1 && a > SIZE_MAX / 2)
            return a == 0 ? 0 : SIZE_MAX;
        a <<= 1;
    }
    return product;
#else
    /* not by a division, which takes longer than the rest of what is done for a short message */
    size_t product;
    return __builtin_mul_overflow(a, b, &product) ? SIZE_MAX : product;
#endif
}

/* a / b */
static inline size_t hanji_quotient(size_t a, size_t b)
{
#ifdef HANJI_FREESTANDING
    size_t quotient = 0, rest = 0;
    for (int bit = (int)sizeof(size_t) * 8 - 1; bit >= 0; bit--) {
        rest = rest << 1 | (a >> bit & 1);
        quotient <<= 1;
        if (rest >= b) {
            rest -= b;
            quotient |= 1;
        }
    }
    return quotient;
#else
    return a / b;
#endif
}

#endif
