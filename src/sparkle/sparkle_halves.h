/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of SPARKLE on one state in two vectors (Beierle et al., specification v1.2, section
 * 2.1): one has the x of all branches, the other the y, the left branches in the low half. One
 * operation on a vector is one on all boxes, and of the linear layer too. A file of a kernel
 * for AVX2 or AVX-512 includes this.
 *
 * y is kept as y <<< 16, in which l() has no rotation. What is one operation after the other takes
 * the time: on AVX-512 y stays rotated within a box, as in sparkle_rounds.h; on AVX2, where most
 * rotations are three operations, it does not, and a rotation by 8, 16 or 24 is one. The last
 * constant of a box is added in the linear layer; the sum of the left ones comes with the number of
 * the next step.
 *
 * Assembly, because gcc 12 and clang 14 copy every vector of which the low half goes on, and
 * order operations so that units wait. The order here was measured to be the best of many (Intel,
 * Granite Rapids). A step takes 21.1 cycles there, 31.0 on AVX2; in intrinsics 23.6 and 33.4.
 */
#ifndef HANJI_SPARKLE_SPARKLE_HALVES_H
#define HANJI_SPARKLE_SPARKLE_HALVES_H

#include "hanji/hash.h"
#include "support/bytes.h"

#include <immintrin.h>

/* The constants of the boxes and of the steps (section 2.1.1); these <<< 16. */
#define C0 0xb7e15162
#define C1 0xbf715880
#define C2 0x38b4da56
#define C3 0x324e7738
#define C4 0xbb1185eb
#define C5 0x4f7c7b57
#define C6 0xcfbfa1c8
#define C7 0xc2b3293d
#define TURNED(c) ((c) << 16 | (c) >> 16)

/* What the sum of the left constants adds to every y through l(). */
#define THROUGH(sum) ((sum) ^ (sum) << 16)
#define THROUGH_2 THROUGH((uint32_t)C0 ^ C1)
#define THROUGH_3 THROUGH((uint32_t)C0 ^ C1 ^ C2)
#define THROUGH_4 THROUGH((uint32_t)C0 ^ C1 ^ C2 ^ C3)

/* What a step adds to the left y of the next, whose number is n; and the last step. */
#define NEXT(n, c, through)                                                                  \
    {                                                                                        \
        TURNED((uint32_t)(c)) ^ (through), (uint32_t)(n) << 16 ^ (through), through, through \
    }
#define END(through)                       \
    {                                      \
        through, through, through, through \
    }
#define NEXT_1_TO_6(through)                                                                \
    NEXT(1, C1, through), NEXT(2, C2, through), NEXT(3, C3, through), NEXT(4, C4, through), \
        NEXT(5, C5, through), NEXT(6, C6, through)
#define NEXT_7_TO_9(through) NEXT(7, C7, through), NEXT(8, C0, through), NEXT(9, C1, through)

/* By half: 2, 3 and 4 branches to the left, SPARKLE256, 384 and 512. */
static const uint32_t slim_2[7][4] = {NEXT_1_TO_6(THROUGH_2), END(THROUGH_2)},
                      slim_3[7][4] = {NEXT_1_TO_6(THROUGH_3), END(THROUGH_3)},
                      slim_4[8][4] = {NEXT_1_TO_6(THROUGH_4), NEXT(7, C7, THROUGH_4),
                                      END(THROUGH_4)};
static const uint32_t big_2[10][4] = {NEXT_1_TO_6(THROUGH_2), NEXT_7_TO_9(THROUGH_2),
                                      END(THROUGH_2)},
                      big_3[11][4] = {NEXT_1_TO_6(THROUGH_3), NEXT_7_TO_9(THROUGH_3),
                                      NEXT(10, C2, THROUGH_3), END(THROUGH_3)},
                      big_4[12][4] = {NEXT_1_TO_6(THROUGH_4), NEXT_7_TO_9(THROUGH_4),
                                      NEXT(10, C2, THROUGH_4), NEXT(11, C3, THROUGH_4),
                                      END(THROUGH_4)};
/* The constants of the boxes; the last ones of left and right boxes after the linear layer. */
static const uint32_t boxes[3][8] = {
    {C0, C1, 0, 0, C2, C3, 0, 0}, {C0, C1, C2, 0, C3, C4, C5, 0}, {C0, C1, C2, C3, C4, C5, C6, C7}};
static const uint32_t mixed[3][8] = {{C1 ^ C3, C0 ^ C2, 0, 0, C0, C1, 0, 0},
                                     {C1 ^ C4, C2 ^ C5, C0 ^ C3, 0, C0, C1, C2, 0},
                                     {C1 ^ C5, C2 ^ C6, C3 ^ C7, C0 ^ C4, C0, C1, C2, C3}};

HANJI_INLINE __m256i load_8(const uint32_t *words)
{
    return _mm256_loadu_si256((const __m256i *)words);
}

HANJI_INLINE __m256i sum(__m256i a, __m256i b)
{
    return _mm256_xor_si256(a, b);
}

/* A state; y is turned. */
typedef struct halves {
    __m256i x, y;
} halves;

#ifdef __AVX512VL__

HANJI_INLINE __m256i turned(__m256i v)
{
    return _mm256_ror_epi32(v, 16);
}

/* The boxes but for their last constant, in the order in which units take the operations. */
HANJI_INLINE void halves_boxes(__m256i *x, __m256i *y, __m256i c)
{
    __m256i a;
    __asm__("vprord $15, %[y], %[a]\n vprord $24, %[y], %[y]\n vpaddd %[a], %[x], %[x]\n"
            "vpxor %[x], %[y], %[y]\n"
            "vprord $9, %[y], %[a]\n vpxor %[c], %[x], %[x]\n vpaddd %[a], %[x], %[x]\n"
            "vprord $7, %[y], %[y]\n vpxor %[x], %[y], %[y]\n"
            "vprord $17, %[y], %[a]\n vprord $18, %[y], %[y]\n vpxor %[c], %[x], %[x]\n"
            "vpaddd %[a], %[x], %[x]\n vpxor %[x], %[y], %[y]\n"
            "vprord $23, %[y], %[a]\n vpxor %[c], %[x], %[x]\n vpaddd %[a], %[x], %[x]\n"
            "vprord $15, %[y], %[y]\n vpxor %[x], %[y], %[y]"
            : [x] "+x"(*x), [y] "+x"(*y), [a] "=&x"(a)
            : [c] "x"(c));
}

/* The left words of v of the next branches, and the sum of the left ones; 0 in the high half. */
HANJI_INLINE void halves_sums(__m256i *next, __m256i *sum, __m256i v, uint32_t half)
{
    __m256i d;
    if (half == 2)
        __asm__("vpshufd $0xe1, %x[v], %x[a]\n vpxor %x[v], %x[a], %x[b]"
                : [a] "=&x"(*next), [b] "=&x"(*sum)
                : [v] "x"(v));
    else if (half == 3)
        __asm__("vpshufd $0xc9, %x[v], %x[a]\n vpshufd $0xd2, %x[v], %x[b]\n"
                "vpternlogd $0x96, %x[v], %x[a], %x[b]"
                : [a] "=&x"(*next), [b] "=&x"(*sum)
                : [v] "x"(v));
    else
        __asm__("vpshufd $0x39, %x[v], %x[a]\n vpshufd $0x4e, %x[v], %x[b]\n"
                "vpshufd $0x93, %x[v], %x[d]\n vpternlogd $0x96, %x[v], %x[a], %x[b]\n"
                "vpxor %x[d], %x[b], %x[b]"
                : [a] "=&x"(*next), [b] "=&x"(*sum), [d] "=&x"(d)
                : [v] "x"(v));
}

/* The right branches, rotated by one, before the left ones. */
static const uint32_t swaps[3][8] = {
    {5, 4, 6, 7, 0, 1, 2, 3}, {5, 6, 4, 7, 0, 1, 2, 3}, {5, 6, 7, 4, 0, 1, 2, 3}};
/* The linear layer of x and y, whose next words are a and e, their sums b and f. */
HANJI_INLINE void halves_layer(__m256i *x, __m256i *y, __m256i a, __m256i b, __m256i e, __m256i f,
                               __m256i swap, const uint32_t (*mixed_constants)[8],
                               const uint32_t (*next)[4])
{
    __m256i d;
    __asm__(
        "vpslld $16, %x[b], %x[d]\n vpermd %[y], %[swap], %[y]\n"
        "vpermd %[x], %[swap], %[x]\n vpternlogd $0x96, %[f], %[mixed], %[a]\n"
        "vpternlogd $0x96, %[next], %x[b], %x[e]\n vpternlogd $0x96, %[d], %[e], %[y]\n"
        "vpsrld $16, %x[f], %x[f]\n vpternlogd $0x96, %[f], %[a], %[x]"
        : [x] "+x"(*x), [y] "+x"(*y), [a] "+x"(a), [e] "+x"(e), [f] "+x"(f), [d] "=&x"(d)
        : [b] "x"(b), [mixed] "x"(load_8(*mixed_constants)), [next] "m"(*next), [swap] "x"(swap));
}

#else

HANJI_INLINE __m256i turned(__m256i v)
{
    return _mm256_shuffle_epi8(
        v, _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0d0c0f0e09080b0a, 0x0504070601000302)));
}

/* The boxes but for their last constant, in the order in which units take the operations. */
HANJI_INLINE void halves_boxes(__m256i *x, __m256i *y, __m256i c)
{
    const __m256i by_16 = _mm256_broadcastsi128_si256(
                      _mm_set_epi64x(0x0d0c0f0e09080b0a, 0x0504070601000302)),
                  by_24 = _mm256_broadcastsi128_si256(
                      _mm_set_epi64x(0x0e0d0c0f0a09080b, 0x0605040702010003));
    __m256i a, b;
    __asm__("vpsrld $15, %[y], %[a]\n vpslld $17, %[y], %[b]\n vpor %[a], %[b], %[b]\n"
            "vpaddd %[b], %[x], %[x]\n vpshufb %[by_24], %[x], %[a]\n"
            "vpshufb %[by_16], %[y], %[y]\n vpxor %[a], %[y], %[y]\n"
            "vpslld $15, %[y], %[a]\n vpxor %[c], %[x], %[x]\n vpsrld $17, %[y], %[b]\n"
            "vpor %[a], %[b], %[b]\n vpaddd %[b], %[x], %[x]\n"
            "vpsrld $17, %[x], %[a]\n vpslld $15, %[x], %[b]\n vpxor %[a], %[y], %[y]\n"
            "vpxor %[b], %[y], %[y]\n vpxor %[c], %[x], %[x]\n vpaddd %[y], %[x], %[x]\n"
            "vpsrld $31, %[x], %[a]\n vpaddd %[x], %[x], %[b]\n vpxor %[a], %[y], %[y]\n"
            "vpxor %[b], %[y], %[y]\n vpxor %[c], %[x], %[x]\n"
            "vpshufb %[by_24], %[y], %[a]\n vpaddd %[a], %[x], %[x]\n"
            "vpshufb %[by_16], %[y], %[y]\n vpxor %[x], %[y], %[y]"
            : [x] "+x"(*x), [y] "+x"(*y), [a] "=&x"(a), [b] "=&x"(b)
            : [c] "x"(c), [by_16] "x"(by_16), [by_24] "x"(by_24));
}

/* The left words of v of the next branches, and the sum of the left ones; 0 in the high half. */
HANJI_INLINE void halves_sums(__m256i *next, __m256i *sum, __m256i v, uint32_t half)
{
    __m256i d;
    if (half == 2)
        __asm__("vpshufd $0xe1, %x[v], %x[a]\n vpxor %x[v], %x[a], %x[b]"
                : [a] "=&x"(*next), [b] "=&x"(*sum)
                : [v] "x"(v));
    else if (half == 3)
        __asm__("vpshufd $0xc9, %x[v], %x[a]\n vpshufd $0xd2, %x[v], %x[d]\n"
                "vpxor %x[v], %x[a], %x[b]\n vpxor %x[d], %x[b], %x[b]"
                : [a] "=&x"(*next), [b] "=&x"(*sum), [d] "=&x"(d)
                : [v] "x"(v));
    else
        __asm__("vpshufd $0x4e, %x[v], %x[b]\n vpshufd $0x39, %x[v], %x[a]\n"
                "vpxor %x[v], %x[b], %x[b]\n vpshufd $0xb1, %x[b], %x[d]\n"
                "vpxor %x[d], %x[b], %x[b]"
                : [a] "=&x"(*next), [b] "=&x"(*sum), [d] "=&x"(d)
                : [v] "x"(v));
}

/* The right branches, in the low half now, rotated by one. */
static const uint32_t swaps[3][8] = {
    {0x07060504, 0x03020100, 0x0b0a0908, 0x0f0e0d0c, 0x03020100, 0x07060504, 0x0b0a0908,
     0x0f0e0d0c},
    {0x07060504, 0x0b0a0908, 0x03020100, 0x0f0e0d0c, 0x03020100, 0x07060504, 0x0b0a0908,
     0x0f0e0d0c},
    {0x07060504, 0x0b0a0908, 0x0f0e0d0c, 0x03020100, 0x03020100, 0x07060504, 0x0b0a0908,
     0x0f0e0d0c},
};
/* The linear layer of x and y, whose next words are a and e, their sums b and f. */
HANJI_INLINE void halves_layer(__m256i *x, __m256i *y, __m256i a, __m256i b, __m256i e, __m256i f,
                               __m256i swap, const uint32_t (*mixed_constants)[8],
                               const uint32_t (*next)[4])
{
    __m256i d;
    __asm__("vperm2i128 $1, %[x], %[x], %[x]\n vperm2i128 $1, %[y], %[y], %[y]\n"
            "vpshufb %[swap], %[x], %[x]\n vpshufb %[swap], %[y], %[y]\n"
            "vpslld $16, %x[b], %x[d]\n vpxor %[mixed], %[a], %[a]\n vpxor %[next], %x[e], %x[e]\n"
            "vpxor %[a], %[x], %[x]\n vpxor %[e], %[y], %[y]\n"
            "vpxor %[b], %[y], %[y]\n vpxor %[f], %[x], %[x]\n"
            "vpxor %[d], %[y], %[y]\n vpsrld $16, %x[f], %x[f]\n vpxor %[f], %[x], %[x]"
            : [x] "+x"(*x), [y] "+x"(*y), [a] "+x"(a), [e] "+x"(e), [f] "+x"(f), [d] "=&x"(d)
            : [b] "x"(b), [mixed] "m"(*mixed_constants), [next] "m"(*next), [swap] "x"(swap));
}

#endif

/* As many steps as `next` has rows, from the second number on; `half` is a constant where this is
 * inlined.
 */
HANJI_INLINE void halves_steps(halves *s, uint32_t half, const uint32_t (*next)[4], uint32_t steps)
{
    const __m256i c = load_8(boxes[half - 2]), swap = load_8(swaps[half - 2]);
    __m256i x = s->x, y = s->y, a, b, e, f;
    for (uint32_t i = 0; i < steps; i++) {
        halves_boxes(&x, &y, c);
        halves_sums(&a, &b, x, half);
        halves_sums(&e, &f, y, half);
        halves_layer(&x, &y, a, b, e, f, swap, &mixed[half - 2], &next[i]);
    }
    s->x = x;
    s->y = y;
}

HANJI_INLINE void halves_slim(halves *s, uint32_t half)
{
    if (half == 2)
        halves_steps(s, 2, slim_2, HANJI_SPARKLE256_STEPS_SLIM);
    else if (half == 3)
        halves_steps(s, 3, slim_3, HANJI_SPARKLE384_STEPS_SLIM);
    else
        halves_steps(s, 4, slim_4, HANJI_SPARKLE512_STEPS_SLIM);
}

HANJI_INLINE void halves_big(halves *s, uint32_t half)
{
    if (half == 2)
        halves_steps(s, 2, big_2, HANJI_SPARKLE256_STEPS_BIG);
    else if (half == 3)
        halves_steps(s, 3, big_3, HANJI_SPARKLE384_STEPS_BIG);
    else
        halves_steps(s, 4, big_4, HANJI_SPARKLE512_STEPS_BIG);
}

/* What the first step adds to y; whoever makes a state for halves_steps() adds it. */
HANJI_INLINE __m256i first_number(void)
{
    return _mm256_setr_epi32((int)TURNED((uint32_t)C0), 0, 0, 0, 0, 0, 0, 0);
}

/* Words of v by their numbers; those of them, or of v, whose bit is in `mask`, others 0. */
#define WORDS(v, ...) _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(__VA_ARGS__))
#define SOME(mask, v) _mm256_blend_epi32(_mm256_setzero_si256(), v, mask)
#ifdef __AVX512VL__
#define SOME_WORDS(mask, v, ...) \
    _mm256_maskz_permutexvar_epi32(mask, _mm256_setr_epi32(__VA_ARGS__), v)
#else
#define SOME_WORDS(mask, v, ...) SOME(mask, WORDS(v, __VA_ARGS__))
#endif

/* Instances by the words of rate and capacity, constants where a function is inlined. */
#define IS_256_128 (rate == 8 && capacity == 4)
#define IS_192_192 (rate == 6)
#define IS_128_128 (rate == 4)
#define HALF_OF ((rate + capacity) / 4)

/* A chunk of so many words, 0 behind it, and back. */
HANJI_INLINE __m256i load_chunk(const uint8_t *p, uint32_t words)
{
    if (words == 8)
        return _mm256_loadu_si256((const __m256i *)p);
    const __m256i low = _mm256_zextsi128_si256(_mm_loadu_si128((const __m128i *)p));
    if (words == 4)
        return low;
    return _mm256_inserti128_si256(low, _mm_loadl_epi64((const __m128i *)(p + 16)), 1);
}

HANJI_INLINE void store_chunk(uint8_t *p, __m256i v, uint32_t words)
{
    if (words == 8) {
        _mm256_storeu_si256((__m256i *)p, v);
        return;
    }
    _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(v));
    if (words == 6)
        _mm_storel_epi64((__m128i *)(p + 16), _mm256_extracti128_si256(v, 1));
}

/* The first bytes of a vector, and back: up to 16, or 31. */
#ifdef __AVX512VL__

HANJI_INLINE __m128i load_few(const uint8_t *p, size_t bytes)
{
    return _mm_maskz_loadu_epi8((__mmask16)(((uint32_t)1 << bytes) - 1), p);
}

HANJI_INLINE void store_few(uint8_t *p, __m128i v, size_t bytes)
{
    _mm_mask_storeu_epi8(p, (__mmask16)(((uint32_t)1 << bytes) - 1), v);
}

HANJI_INLINE __m256i load_part(const uint8_t *p, size_t bytes)
{
    return _mm256_maskz_loadu_epi8(((__mmask32)1 << bytes) - 1, p);
}

HANJI_INLINE void store_part(uint8_t *p, __m256i v, size_t bytes)
{
    _mm256_mask_storeu_epi8(p, ((__mmask32)1 << bytes) - 1, v);
}

#else

/* In pieces that share bytes. */
HANJI_INLINE __m128i load_few(const uint8_t *p, size_t bytes)
{
    if (bytes == 16)
        return _mm_loadu_si128((const __m128i *)p);
    if (bytes > 8)
        return _mm_set_epi64x((int64_t)(load_le64(p + bytes - 8) >> (128 - 8 * bytes)),
                              (int64_t)load_le64(p));
    uint64_t v = 0;
    if (bytes >= 4)
        v = load_le32(p) | (uint64_t)load_le32(p + bytes - 4) << (8 * bytes - 32);
    else if (bytes > 0)
        v = p[0] | (uint64_t)p[bytes / 2] << 8 * (bytes / 2) |
            (uint64_t)p[bytes - 1] << 8 * (bytes - 1);
    return _mm_cvtsi64_si128((int64_t)v);
}

HANJI_INLINE void store_few(uint8_t *p, __m128i v, size_t bytes)
{
    if (bytes == 16) {
        _mm_storeu_si128((__m128i *)p, v);
        return;
    }
    uint64_t word = (uint64_t)_mm_cvtsi128_si64(v);
    if (bytes >= 8) {
        store_le64(p, word);
        word = (uint64_t)_mm_extract_epi64(v, 1);
        p += 8;
        bytes -= 8;
    }
    for (; bytes > 0; bytes--, word >>= 8)
        *p++ = (uint8_t)word;
}

HANJI_INLINE __m256i load_part(const uint8_t *p, size_t bytes)
{
    if (bytes <= 16)
        return _mm256_zextsi128_si256(load_few(p, bytes));
    return _mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128((const __m128i *)p)),
                                   load_few(p + 16, bytes - 16), 1);
}

HANJI_INLINE void store_part(uint8_t *p, __m256i v, size_t bytes)
{
    if (bytes <= 16) {
        store_few(p, _mm256_castsi256_si128(v), bytes);
        return;
    }
    _mm_storeu_si128((__m128i *)p, _mm256_castsi256_si128(v));
    store_few(p + 16, _mm256_extracti128_si256(v, 1), bytes - 16);
}

#endif

/* 0x80 behind so many bytes of a vector, with its table; or what another table has there. */
static const uint8_t padding[64] = {[32] = 0x80};

HANJI_INLINE __m256i at_end(const uint8_t *table, size_t bytes)
{
    return _mm256_loadu_si256((const __m256i *)(table + 32 - bytes));
}

/* The words of outer and inner part as a state before its first step. */
HANJI_INLINE halves state_of(__m256i outer, __m256i inner, uint32_t rate, uint32_t capacity)
{
    halves s;
    if (IS_256_128) {
        s.x = _mm256_blend_epi32(WORDS(outer, 0, 2, 4, 7, 6, 7, 7, 7),
                                 WORDS(inner, 7, 7, 7, 7, 7, 0, 2, 7), 0xe8);
        s.y = _mm256_blend_epi32(WORDS(outer, 1, 3, 5, 7, 7, 7, 7, 7),
                                 WORDS(inner, 7, 7, 7, 7, 7, 1, 3, 7), 0xe8);
        s.y = _mm256_blend_epi32(s.y, WORDS(outer, 7, 7, 7, 7, 7, 7, 7, 7), 0x10);
    } else if (IS_128_128) {
        s.x = _mm256_blend_epi32(WORDS(outer, 0, 2, 7, 7, 7, 7, 7, 7),
                                 WORDS(inner, 7, 7, 7, 7, 0, 2, 7, 7), 0xf0);
        s.y = _mm256_blend_epi32(WORDS(outer, 1, 3, 7, 7, 7, 7, 7, 7),
                                 WORDS(inner, 7, 7, 7, 7, 1, 3, 7, 7), 0xf0);
    } else {
        s.x = _mm256_blend_epi32(WORDS(outer, 0, 2, 4, 6, 7, 7, 7, 7),
                                 WORDS(inner, 7, 7, 7, 7, 0, 2, 4, 6), 0xf0);
        s.y = _mm256_blend_epi32(WORDS(outer, 1, 3, 5, 7, 7, 7, 7, 7),
                                 WORDS(inner, 7, 7, 7, 7, 1, 3, 5, 7), 0xf0);
    }
    s.y = sum(turned(s.y), first_number());
    return s;
}

/* The outer part, or the inner one, in the order of the bytes; y is not turned. */
HANJI_INLINE __m256i outer_of(__m256i x, __m256i y, uint32_t rate, uint32_t capacity)
{
    if (IS_256_128)
        return _mm256_blend_epi32(WORDS(x, 0, 0, 1, 1, 2, 2, 4, 4),
                                  WORDS(y, 0, 0, 1, 1, 2, 2, 4, 4), 0xaa);
    return _mm256_blend_epi32(WORDS(x, 0, 0, 1, 1, 2, 2, 3, 3), WORDS(y, 0, 0, 1, 1, 2, 2, 3, 3),
                              0xaa);
}

HANJI_INLINE __m256i inner_of(__m256i x, __m256i y, uint32_t rate, uint32_t capacity)
{
    if (IS_256_128)
        return _mm256_blend_epi32(WORDS(x, 5, 5, 6, 6, 7, 7, 7, 7),
                                  WORDS(y, 5, 5, 6, 6, 7, 7, 7, 7), 0xaa);
    return _mm256_blend_epi32(WORDS(x, 4, 4, 5, 5, 6, 6, 7, 7), WORDS(y, 4, 4, 5, 5, 6, 6, 7, 7),
                              0xaa);
}

#endif
