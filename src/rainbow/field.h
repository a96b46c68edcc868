/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GF(16) and GF(256) as a tower of quadratic extensions (Rainbow, NIST round 3 specification): x^2
 * = x + 1, y^2 = y + x, z^2 = z + 8, elements as small numbers with x = 2, y = 4, z = 16, so that
 * each field consists of the first numbers of the next. Everything here works on all bytes of a
 * 64-bit word at once and takes the same time for all values. A word holds 16 elements of GF(16) as
 * nibbles, or 8 of GF(256).
 */
#ifndef HANJI_RAINBOW_FIELD_H
#define HANJI_RAINBOW_FIELD_H

#include "support/bytes.h"

#define HANJI_EACH_BYTE(value) ((uint64_t)(value) * (UINT64_MAX / 255))

/* Times 2, 4 and 8 in every nibble. */
HANJI_INLINE uint64_t gf16_times2(uint64_t a)
{
    const uint64_t odd = a & HANJI_EACH_BYTE(0xaa);
    return (odd >> 1) ^ odd ^ ((a & HANJI_EACH_BYTE(0x55)) << 1);
}

HANJI_INLINE uint64_t gf16_times4(uint64_t a)
{
    const uint64_t high = (a >> 2) & HANJI_EACH_BYTE(0x33), low = a & HANJI_EACH_BYTE(0x33);
    return gf16_times2(high) ^ ((low ^ high) << 2);
}

HANJI_INLINE uint64_t gf16_times8(uint64_t a)
{
    return gf16_times2(gf16_times4(a));
}

/* Times 16 in every byte. */
HANJI_INLINE uint64_t gf256_times16(uint64_t a)
{
    const uint64_t high = (a >> 4) & HANJI_EACH_BYTE(0x0f), low = a & HANJI_EACH_BYTE(0x0f);
    return gf16_times8(high) ^ ((low ^ high) << 4);
}

/* All ones when bit `bit` of `value` is set, else 0. */
HANJI_INLINE uint64_t bit_mask(uint64_t value, unsigned bit)
{
    return (uint64_t)0 - (value >> bit & 1);
}

/* All ones for 0, else 0; `value` is a byte. */
HANJI_INLINE uint64_t zero_mask(uint64_t value)
{
    return (uint64_t)0 - (((value - 1) >> 63) & 1);
}

/* a * b for single elements; those of GF(16) are elements of GF(256) too. */
HANJI_INLINE uint64_t gf16_multiply(uint64_t a, uint64_t b)
{
    return (a & bit_mask(b, 0)) ^ (gf16_times2(a) & bit_mask(b, 1)) ^
           (gf16_times4(a) & bit_mask(b, 2)) ^ (gf16_times8(a) & bit_mask(b, 3));
}

HANJI_INLINE uint64_t gf256_multiply(uint64_t a, uint64_t b)
{
    return gf16_multiply(a, b & 0x0f) ^ gf16_multiply(gf256_times16(a), b >> 4);
}

/* 1 / a, and 0 for 0: a^14. */
HANJI_INLINE uint64_t gf16_invert(uint64_t a)
{
    const uint64_t a2 = gf16_multiply(a, a), a4 = gf16_multiply(a2, a2), a8 = gf16_multiply(a4, a4);
    return gf16_multiply(gf16_multiply(a8, a4), a2);
}

/*
 * With a = a1 z + a0 and its conjugate a1 z + a0 + a1, the product of the two is a0 (a0 + a1) + 8
 * a1^2, in GF(16).
 */
HANJI_INLINE uint64_t gf256_invert(uint64_t a)
{
    const uint64_t a1 = a >> 4, a0 = a & 0x0f;
    const uint64_t norm = gf16_multiply(a0, a0 ^ a1) ^ gf16_times8(gf16_multiply(a1, a1));
    return gf16_multiply(a1 << 4 | (a0 ^ a1), gf16_invert(norm));
}

/* Eight packed elements of GF(16), the low nibble of a byte first, to eight bytes; and back. */
HANJI_INLINE uint64_t gf16_unpack8(uint32_t packed)
{
    uint64_t a = packed;
    a = (a | a << 16) & 0x0000ffff0000ffffu;
    a = (a | a << 8) & 0x00ff00ff00ff00ffu;
    return (a | a << 4) & HANJI_EACH_BYTE(0x0f);
}

HANJI_INLINE uint32_t gf16_pack8(uint64_t bytes)
{
    uint64_t a = bytes & HANJI_EACH_BYTE(0x0f);
    a = (a | a >> 4) & 0x00ff00ff00ff00ffu;
    a = (a | a >> 8) & 0x0000ffff0000ffffu;
    return (uint32_t)(a | a >> 16);
}

#endif
