/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vectors of ARMv8-A for lanes/vector.h: the names of lanes/x86.h on 16-byte vectors.
 * Little-endian, as everything that hanji builds for this processor.
 */
#ifndef HANJI_LANES_NEON_H
#define HANJI_LANES_NEON_H

#include <arm_neon.h>
#include <stdint.h>

#include "support/bytes.h"

typedef uint8x16_t vector;
#define VECTOR_REGISTERS 32
typedef uint8x16_t sixteen; /* sixteen bytes: a counter block, or the order of a shuffle */
#define SIXTEEN(...) ((sixteen){__VA_ARGS__})

#define AS_16(v) vreinterpretq_u16_u8(v)
#define AS_32(v) vreinterpretq_u32_u8(v)
#define AS_64(v) vreinterpretq_u64_u8(v)

/* A value about which compilers know nothing. */
#define OPAQUE(v) __asm__("" : "+w"(v))

/* yes where all bits of `where` are set, no where none is. */
HANJI_INLINE vector choose_where(vector where, vector yes, vector no)
{
    return vbslq_u8(where, yes, no);
}

HANJI_INLINE vector xor_three(vector a, vector b, vector c)
{
    return a ^ b ^ c;
}

HANJI_INLINE vector repeat_sixteen(sixteen x)
{
    return x;
}

/* The lower eight bytes of x everywhere. */
HANJI_INLINE vector repeat_eight(sixteen x)
{
    return vreinterpretq_u8_u64(vdupq_laneq_u64(AS_64(x), 0));
}

/* Of every sixteen bytes the lower eight where the upper lie, and zeros below. */
HANJI_INLINE vector to_upper_eight(vector v)
{
    return vextq_u8(vdupq_n_u8(0), v, 8);
}

HANJI_INLINE sixteen lowest_sixteen(vector v)
{
    return v;
}

/* Byte i of the result is byte order[i], or zero where that is 0x80. */
HANJI_INLINE sixteen shuffle_sixteen(sixteen x, sixteen order)
{
    return vqtbl1q_u8(x, order);
}

HANJI_INLINE vector shuffle_bytes(vector v, sixteen order)
{
    return vqtbl1q_u8(v, order);
}

HANJI_INLINE vector rotate_by_shuffle(vector v, sixteen order)
{
    return shuffle_bytes(v, order);
}

/* A block of `bytes` bytes, a constant. */
HANJI_INLINE sixteen load_sixteen(const uint8_t *p, size_t bytes)
{
    sixteen x = vdupq_n_u8(0);
    memcpy(&x, p, bytes);
    return x;
}

HANJI_INLINE void store_sixteen(uint8_t *p, sixteen x, size_t bytes)
{
    memcpy(p, &x, bytes);
}

/*
 * Two vectors of pairs of 16-, 32- or 64-bit words (first, second) become the vector of the firsts
 * and that of the seconds; join undoes split.
 */
HANJI_INLINE void split_16(vector *first, vector *second, vector a, vector b)
{
    *first = vreinterpretq_u8_u16(vuzp1q_u16(AS_16(a), AS_16(b)));
    *second = vreinterpretq_u8_u16(vuzp2q_u16(AS_16(a), AS_16(b)));
}

HANJI_INLINE void join_16(vector *a, vector *b, vector first, vector second)
{
    *a = vreinterpretq_u8_u16(vzip1q_u16(AS_16(first), AS_16(second)));
    *b = vreinterpretq_u8_u16(vzip2q_u16(AS_16(first), AS_16(second)));
}

HANJI_INLINE void split_32(vector *first, vector *second, vector a, vector b)
{
    *first = vreinterpretq_u8_u32(vuzp1q_u32(AS_32(a), AS_32(b)));
    *second = vreinterpretq_u8_u32(vuzp2q_u32(AS_32(a), AS_32(b)));
}

HANJI_INLINE void join_32(vector *a, vector *b, vector first, vector second)
{
    *a = vreinterpretq_u8_u32(vzip1q_u32(AS_32(first), AS_32(second)));
    *b = vreinterpretq_u8_u32(vzip2q_u32(AS_32(first), AS_32(second)));
}

HANJI_INLINE void split_64(vector *first, vector *second, vector a, vector b)
{
    *first = vreinterpretq_u8_u64(vzip1q_u64(AS_64(a), AS_64(b)));
    *second = vreinterpretq_u8_u64(vzip2q_u64(AS_64(a), AS_64(b)));
}

HANJI_INLINE void join_64(vector *a, vector *b, vector first, vector second)
{
    split_64(a, b, first, second);
}

/*
 * Rotations to the left: a shift and a shift with insertion, two instructions instead of the three
 * that compilers make of shifts and OR. The instructions take literals only; `r` is a constant
 * wherever this is inlined, so one row of the switch is left. Whole bytes of 32- and 64-bit
 * words move by a table look-up, in one instruction.
 */
#define ROTATES_16 1
#define ROTATES_32 1
#define ROTATES_64 1
#define ROTATES_BYTES 1

#define ROTATE_ROW(bits, n)              \
    case n:                              \
        return vreinterpretq_u8_u##bits( \
            vsriq_n_u##bits(vshlq_n_u##bits(AS_##bits(v), n), AS_##bits(v), (bits) - (n)));
#define ROTATE_7(bits, n)     \
    ROTATE_ROW(bits, n)       \
    ROTATE_ROW(bits, (n) + 1) \
    ROTATE_ROW(bits, (n) + 2) \
    ROTATE_ROW(bits, (n) + 3) \
    ROTATE_ROW(bits, (n) + 4) ROTATE_ROW(bits, (n) + 5) ROTATE_ROW(bits, (n) + 6)
#define ROTATE_15(bits, n) ROTATE_7(bits, n) ROTATE_ROW(bits, (n) + 7) ROTATE_7(bits, (n) + 8)
#define ROTATE_31(bits, n) ROTATE_15(bits, n) ROTATE_ROW(bits, (n) + 15) ROTATE_15(bits, (n) + 16)

HANJI_INLINE vector rotate_16(vector v, int r)
{
    switch (r) {
        ROTATE_15(16, 1)
    default: return v;
    }
}

HANJI_INLINE vector rotate_32(vector v, int r)
{
    switch (r) {
        ROTATE_31(32, 1)
    default: return v;
    }
}

HANJI_INLINE vector rotate_64(vector v, int r)
{
    switch (r) {
        ROTATE_31(64, 1)
        ROTATE_ROW(64, 32)
        ROTATE_31(64, 33)
    default: return v;
    }
}

#endif
