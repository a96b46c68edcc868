/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of WORD_BITS bits (16, 24, 32, 48 or 64): the type, rotations, loads and stores. Included once per size by a room that defines WORD_BITS;
 * every name ends in the size: W(rotl) is rotl_w24 when WORD_BITS is 24. Words of 24 and 48 bits live in 32 and 64, with the upper bits zero.
 */
#include "support/bytes.h"

#ifndef W
#define HANJI_JOIN_(a, b) a##b
#define HANJI_JOIN(a, b) HANJI_JOIN_(a, b)
#define W(name) HANJI_JOIN(name##_w, WORD_BITS)
#endif

#undef WORD_MASK
#undef WORD_BYTES
#define WORD_BYTES (WORD_BITS / 8)
#define WORD_MASK (UINT64_MAX >> (64 - WORD_BITS))

#if WORD_BITS == 16
typedef uint16_t W(word);
typedef uint32_t W(wide); /* as wide as arithmetic needs to stay unsigned */
#elif WORD_BITS <= 32
typedef uint32_t W(word);
typedef uint32_t W(wide);
#else
typedef uint64_t W(word);
typedef uint64_t W(wide);
#endif

HANJI_INLINE W(word) W(rotl)(W(word) v, int r)
{
    return (W(word))(((W(wide))v << r | (W(wide))v >> (WORD_BITS - r)) & (W(wide))WORD_MASK);
}

HANJI_INLINE W(word) W(rotr)(W(word) v, int r)
{
    return W(rotl)(v, WORD_BITS - r);
}

HANJI_INLINE W(word) W(add)(W(word) a, W(word) b)
{
    return (W(word))(((W(wide))a + b) & (W(wide))WORD_MASK);
}

HANJI_INLINE W(word) W(sub)(W(word) a, W(word) b)
{
    return (W(word))(((W(wide))a - b) & (W(wide))WORD_MASK);
}

HANJI_INLINE W(word) W(load)(const uint8_t *p)
{
#if HANJI_LITTLE_ENDIAN && (WORD_BITS == 16 || WORD_BITS == 32 || WORD_BITS == 64)
    W(word) v;
    memcpy(&v, p, sizeof v);
    return v;
#else
    W(wide) v = 0;
    for (int i = WORD_BYTES - 1; i >= 0; i--)
        v = v << 8 | p[i];
    return (W(word))v;
#endif
}

HANJI_INLINE void W(store)(uint8_t *p, W(word) v)
{
#if HANJI_LITTLE_ENDIAN && (WORD_BITS == 16 || WORD_BITS == 32 || WORD_BITS == 64)
    memcpy(p, &v, sizeof v);
#else
    for (int i = 0; i < WORD_BYTES; i++)
        p[i] = (uint8_t)((W(wide))v >> (8 * i));
#endif
}

/* The word whose bytes in memory are the lowest WORD_BYTES bytes of v, most significant first. */
HANJI_INLINE W(word) W(from_be)(uint64_t v)
{
    W(wide) out = 0;
    for (int i = 0; i < WORD_BYTES; i++)
        out = out << 8 | (W(wide))(v >> (8 * i) & 0xff);
    return (W(word))out;
}
