/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vectors of AVX2 (VECTOR_BYTES 32) and AVX-512 (64) for lanes/vector.h: what has no form that
 * compilers make well of plain vector C. lanes/neon.h has the same names.
 */
#ifndef HANJI_LANES_X86_H
#define HANJI_LANES_X86_H

#include <immintrin.h>
#include <stdint.h>

#include "support/bytes.h"

typedef __m128i sixteen; /* sixteen bytes: a counter block, or the order of a shuffle */
#define SIXTEEN(...) _mm_setr_epi8(__VA_ARGS__)

#if VECTOR_BYTES == 64
typedef __m512i vector;
#define VECTOR_REGISTERS 32
#define MM(operation) _mm512_##operation
#define VECTOR_SHUFFLE_32(a, b, order) \
    _mm512_castps_si512(_mm512_shuffle_ps(_mm512_castsi512_ps(a), _mm512_castsi512_ps(b), order))
#else
typedef __m256i vector;
#define VECTOR_REGISTERS 16
#define MM(operation) _mm256_##operation
#define VECTOR_SHUFFLE_32(a, b, order) \
    _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b), order))
#endif

/*
 * A value about which compilers know nothing; one that they also compute in its place among others
 * of the kind; and what has to wait in memory.
 */
#if VECTOR_BYTES == 64
#define OPAQUE(v) __asm__("" : "+v"(v))
#define IN_ORDER(v) __asm__ volatile("" : "+v"(v))
#else
#define OPAQUE(v) __asm__("" : "+x"(v))
#define IN_ORDER(v) __asm__ volatile("" : "+x"(v))
#endif

#define IN_MEMORY(v) __asm__ volatile("" : "+m"(v))

#if VECTOR_BYTES == 32
/*
 * yes where all bits of `where` are set, no where none is. gcc 12 makes a comparison of a blend,
 * which it undoes only where nothing else needs the same.
 */
HANJI_INLINE vector choose_where(vector where, vector yes, vector no)
{
    OPAQUE(where);
    return _mm256_blendv_epi8(no, yes, where);
}
#endif

HANJI_INLINE vector xor_three(vector a, vector b, vector c)
{
#if VECTOR_BYTES == 64
    return _mm512_ternarylogic_epi64(a, b, c, 0x96);
#else
    return a ^ b ^ c;
#endif
}

/* The same sixteen bytes in every 128 bits, and the lowest 128 bits. */
HANJI_INLINE vector repeat_sixteen(sixteen x)
{
#if VECTOR_BYTES == 64
    return _mm512_broadcast_i32x4(x);
#else
    return _mm256_broadcastsi128_si256(x);
#endif
}

/* The lower eight bytes of x everywhere. */
HANJI_INLINE vector repeat_eight(sixteen x)
{
    return MM(broadcastq_epi64)(x);
}

/* Of every sixteen bytes the lower eight where the upper lie, and zeros below. */
HANJI_INLINE vector to_upper_eight(vector v)
{
    return MM(bslli_epi128)(v, 8);
}

HANJI_INLINE sixteen lowest_sixteen(vector v)
{
#if VECTOR_BYTES == 64
    return _mm512_castsi512_si128(v);
#else
    return _mm256_castsi256_si128(v);
#endif
}

/* Byte i of the result is byte order[i], or zero where that is 0x80. */
HANJI_INLINE sixteen shuffle_sixteen(sixteen x, sixteen order)
{
    return _mm_shuffle_epi8(x, order);
}

/* The same within every 128 bits. */
HANJI_INLINE vector shuffle_bytes(vector v, sixteen order)
{
    return MM(shuffle_epi8)(v, repeat_sixteen(order));
}

/*
 * The same for a rotation: clang would see that it is one, and the instructions for those are what
 * the rounds have most of.
 */
HANJI_INLINE vector rotate_by_shuffle(vector v, sixteen order)
{
    vector all = repeat_sixteen(order);
#if VECTOR_BYTES == 64 && defined(__clang__)
    __asm__("" : "+v"(all));
#endif
    return MM(shuffle_epi8)(v, all);
}

#if VECTOR_BYTES == 32
/* A shuffle whose order, of 32 bytes, stays in memory. */
HANJI_INLINE vector shuffle_by_memory(vector v, const uint8_t *order)
{
    __asm__("vpshufb %1, %0, %0" : "+x"(v) : "m"(*(const uint8_t(*)[32])order));
    return v;
}
#endif

/*
 * A block of `bytes` bytes, a constant, without a way through general registers, but for 6 and 12
 * bytes on AVX2.
 */
HANJI_INLINE sixteen load_sixteen(const uint8_t *p, size_t bytes)
{
    if (bytes == 4)
        return _mm_castps_si128(_mm_load_ss((const float *)(const void *)p));
    if (bytes == 8)
        return _mm_loadl_epi64((const __m128i *)(const void *)p);
    if (bytes == 16)
        return _mm_loadu_si128((const __m128i *)(const void *)p);
#if VECTOR_BYTES == 64
    return _mm_maskz_loadu_epi8((__mmask16)((1u << bytes) - 1), p);
#else
    __m128i x = _mm_setzero_si128();
    memcpy(&x, p, bytes);
    return x;
#endif
}

HANJI_INLINE void store_sixteen(uint8_t *p, sixteen x, size_t bytes)
{
    if (bytes == 4)
        _mm_store_ss((float *)(void *)p, _mm_castsi128_ps(x));
    else if (bytes == 8)
        _mm_storel_epi64((__m128i *)(void *)p, x);
    else if (bytes == 16)
        _mm_storeu_si128((__m128i *)(void *)p, x);
    else
#if VECTOR_BYTES == 64
        _mm_mask_storeu_epi8(p, (__mmask16)((1u << bytes) - 1), x);
#else
        memcpy(p, &x, bytes);
#endif
}

/*
 * Two vectors of pairs of 16-, 32- or 64-bit words (first, second) become the vector of the firsts
 * and that of the seconds; join undoes split. All within 128 bits.
 */
HANJI_INLINE void split_16(vector *first, vector *second, vector a, vector b)
{
    const sixteen apart = SIXTEEN(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15);
    const vector x = shuffle_bytes(a, apart), y = shuffle_bytes(b, apart);
    *first = MM(unpacklo_epi64)(x, y);
    *second = MM(unpackhi_epi64)(x, y);
}

HANJI_INLINE void join_16(vector *a, vector *b, vector first, vector second)
{
    *a = MM(unpacklo_epi16)(first, second);
    *b = MM(unpackhi_epi16)(first, second);
}

HANJI_INLINE void split_32(vector *first, vector *second, vector a, vector b)
{
    *first = VECTOR_SHUFFLE_32(a, b, 0x88);
    *second = VECTOR_SHUFFLE_32(a, b, 0xdd);
}

HANJI_INLINE void join_32(vector *a, vector *b, vector first, vector second)
{
    *a = MM(unpacklo_epi32)(first, second);
    *b = MM(unpackhi_epi32)(first, second);
}

HANJI_INLINE void split_64(vector *first, vector *second, vector a, vector b)
{
    *first = MM(unpacklo_epi64)(a, b);
    *second = MM(unpackhi_epi64)(a, b);
}

HANJI_INLINE void join_64(vector *a, vector *b, vector first, vector second)
{
    split_64(a, b, first, second);
}

/*
 * Rotations to the left that plain vector C would not get: with AVX-512 of 16-bit words. Those by
 * whole bytes are shuffles, which other units of the processor do than shifts.
 */
#define ROTATES_16 (VECTOR_BYTES == 64)
#define ROTATES_32 0
#define ROTATES_64 0
#define ROTATES_BYTES 1

#if VECTOR_BYTES == 64
HANJI_INLINE vector rotate_16(vector v, int r)
{
#if defined(__OPTIMIZE__) && !defined(__clang__)
    return _mm512_shldi_epi16(v, v, r);
#else /* where the immediate form takes literals only; clang makes it of this */
    return _mm512_shldv_epi16(v, v, _mm512_set1_epi16((short)r));
#endif
}
#endif

#endif
