/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of WORD_BITS bits (16, 24, 32, 48 or 64): the type, rotations, loads and stores. Included once per size by a room that defines WORD_BITS;
 * every name ends in the size: W(rotl) is rotl_w24 when WORD_BITS is 24. Words of 24 and 48 bits
 * live in 32 and 64, with the upper bits zero.
 */
#include "hanji/common.h"
#include "support/bytes.h"
#include "support/secret.h"

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

/*
 * What rounds are written with, here as in lanes/vector.h, where a word is a vector of numbers: a
 * word of one number, and a round key of an array.
 */
typedef W(word) W(number);
typedef const W(word) *W(keys);

HANJI_INLINE W(word) W(splat)(W(number) n)
{
    return n;
}

HANJI_INLINE W(word) W(round_key)(W(keys) keys, int i)
{
    return keys[i];
}

/* Round key i for vector l of a state, k for all but those of lanes/vector_chains.h. */
HANJI_INLINE W(word) W(key_for)(W(keys) keys, int i, int l, W(word) k)
{
    (void)keys;
    (void)i;
    (void)l;
    return k;
}

/*
 * What compilers may not take apart: they would join a sum that waits for little with one that
 * waits for the round before, and the chain of the rounds would be longer.
 */
HANJI_INLINE W(word) W(settled)(W(word) v)
{
    __asm__("" : "+r"(v));
    return v;
}

/*
 * v, of which nothing is made before w: compilers would make all round keys first, and keep them
 * on the stack.
 */
HANJI_INLINE W(word) W(after)(W(word) v, W(word) w)
{
    __asm__("" : "+r"(v) : "r"(w));
    return v;
}

/* Erase key words that a schedule leaves on the stack. */
HANJI_INLINE void W(forget)(void *words, size_t bytes)
{
    wipe_here(words, bytes);
}

/* `r` is a constant wherever this is inlined. */
HANJI_INLINE W(word) W(rotl)(W(word) v, int r)
{
    if (r == 0)
        return v;
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

/* Shifts of 64-bit words are by constants here: by variables some processors need libgcc. */
HANJI_INLINE W(word) W(load)(const uint8_t *p)
{
#if WORD_BITS == 16
    return (uint16_t)(p[0] | (uint16_t)p[1] << 8);
#elif WORD_BITS == 24
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16;
#elif WORD_BITS == 32
    return load_le32(p);
#elif WORD_BITS == 48
    return load_le32(p) | (uint64_t)((uint32_t)p[4] | (uint32_t)p[5] << 8) << 32;
#else
    return load_le64(p);
#endif
}

HANJI_INLINE void W(store)(uint8_t *p, W(word) v)
{
#if WORD_BITS == 16 || WORD_BITS == 24
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
#if WORD_BITS == 24
    p[2] = (uint8_t)(v >> 16);
#endif
#elif WORD_BITS == 32
    store_le32(p, v);
#elif WORD_BITS == 48
    store_le32(p, (uint32_t)v);
    p[4] = (uint8_t)(v >> 32);
    p[5] = (uint8_t)(v >> 40);
#else
    store_le64(p, v);
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
