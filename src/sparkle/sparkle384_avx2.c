/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPARKLE384 for one state on AVX2 (Beierle et al., specification v1.2, section 2.1): the left
 * branches in general registers, the right ones in the lanes of one vector of x and one of y.
 * SPARKLE512 has more words to the left than registers, and gains with one compiler only.
 *
 * Six boxes are more operations than the integer units do in the time of the longest
 * chain. A right branch is a left branch of the step before, which the linear layer does not
 * change. So it has the time of a whole step to go over and through its box, and the vector units
 * compute all right boxes with the operations of one. A rotation by 8, 16 or 24 is one shuffle of
 * bytes; the others are two shifts, which two additions without carry take in.
 *
 * To the left y stays rotated, as in sparkle_rounds.h: between steps it is y <<< 16, also when it
 * goes over.
 */
#include "support/cpu.h"

#ifdef HANJI_X86
#define WORD_BITS 32
#define HALF 3 /* of the branches */
#include "lanes/word.h"
#include "sparkle/sparkle.h"

#include <immintrin.h>

/* Also at -O2 the state lives in registers. */
#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#else
#define UNROLL _Pragma("GCC unroll 8")
#endif

static const uint32_t constants[8] = {0xb7e15162, 0xbf715880, 0x38b4da56, 0x324e7738,
                                      0xbb1185eb, 0x4f7c7b57, 0xcfbfa1c8, 0xc2b3293d};

/* A round of the left boxes: the rotations of y, which is rotated already. */
#define LEFT_ROUND(before_addition, before_xor) \
    UNROLL                                      \
    for (size_t j = 0; j < HALF; j++) {         \
        y[j] = W(rotr)(y[j], before_addition);  \
        x[j] += y[j];                           \
        y[j] = W(rotr)(y[j], before_xor);       \
        y[j] ^= x[j];                           \
        x[j] ^= constants[j];                   \
    }

/* v with every word rotated by 16, or to the right by 24. */
HANJI_INLINE __m128i turned_16(__m128i v)
{
    return _mm_shuffle_epi8(v, _mm_set_epi64x(0x0d0c0f0e09080b0a, 0x0504070601000302));
}

HANJI_INLINE __m128i turned_24(__m128i v)
{
    return _mm_shuffle_epi8(v, _mm_set_epi64x(0x0e0d0c0f0a09080b, 0x0605040702010003));
}

HANJI_INLINE __m128i turned(__m128i v, const int by)
{
    return _mm_or_si128(_mm_srli_epi32(v, by), _mm_slli_epi32(v, 32 - by));
}

/* y ^ (x >>> by) */
HANJI_INLINE __m128i xor_turned(__m128i y, __m128i x, const int by)
{
    return _mm_xor_si128(_mm_xor_si128(y, _mm_srli_epi32(x, by)), _mm_slli_epi32(x, 32 - by));
}

/* The right boxes; y comes and goes as y <<< 16. */
HANJI_INLINE void right_boxes(__m128i *x_, __m128i *y_, __m128i c)
{
    __m128i x = *x_, y = turned_16(*y_);
    x = _mm_add_epi32(x, turned(*y_, 15));
    y = _mm_xor_si128(y, turned_24(x));
    x = _mm_xor_si128(x, c);
    x = _mm_add_epi32(x, turned(y, 17));
    y = xor_turned(y, x, 17);
    x = _mm_xor_si128(x, c);
    x = _mm_add_epi32(x, y);
    y = xor_turned(y, x, 31);
    x = _mm_xor_si128(x, c);
    x = _mm_add_epi32(x, turned_24(y));
    *y_ = _mm_xor_si128(turned_16(y), x);
    *x_ = _mm_xor_si128(x, c);
}

/* Words to lanes and back. */
HANJI_INLINE __m128i to_lanes(const uint32_t *words)
{
    return _mm_insert_epi32(_mm_insert_epi32(_mm_cvtsi32_si128((int)words[0]), (int)words[1], 1),
                            (int)words[2], 2);
}

HANJI_INLINE void from_lanes(uint32_t *words, __m128i lanes)
{
    const uint64_t low = (uint64_t)_mm_cvtsi128_si64(lanes);
    words[0] = (uint32_t)low;
    words[1] = (uint32_t)(low >> 32);
    words[2] = (uint32_t)_mm_extract_epi32(lanes, 2);
}

HANJI_INLINE void permute(uint32_t *state, uint32_t steps)
{
    uint32_t x[HALF], y[HALF], u[HALF], v[HALF];
    UNROLL
    for (size_t j = 0; j < HALF; j++) {
        x[j] = state[2 * j];
        y[j] = W(rotr)(state[2 * j + 1], 16);
        u[j] = state[2 * (HALF + j)];
        v[j] = W(rotr)(state[2 * (HALF + j) + 1], 16);
    }
    const __m128i c = to_lanes(constants + HALF);
    __m128i right_x = to_lanes(u), right_y = to_lanes(v);
    y[0] ^= W(rotr)(constants[0], 16);
    for (uint32_t s = 1; s <= steps; s++) {
        right_boxes(&right_x, &right_y, c);
        LEFT_ROUND(15, 9)
        LEFT_ROUND(9, 30)
        LEFT_ROUND(17, 1)
        LEFT_ROUND(23, 24)
        uint32_t tx = x[0], ty = y[0];
        UNROLL
        for (size_t j = 1; j < HALF; j++) {
            tx ^= x[j];
            ty ^= y[j];
        }
        /* l() of both, of y as it is rotated */
        tx ^= tx << 16;
        ty ^= ty >> 16;
        from_lanes(v, right_y);
        from_lanes(u, right_x);
        right_y = to_lanes(y);
        right_x = to_lanes(x);
        UNROLL
        for (size_t j = 0; j < HALF; j++) {
            u[j] ^= x[j] ^ ty;
            v[j] ^= y[j] ^ tx;
        }
        /* the constant and the number of the next step */
        v[1] ^= W(rotr)(constants[s & 7], 16);
        v[2] ^= s << 16;
        UNROLL
        for (size_t j = 0; j < HALF; j++) {
            x[j] = u[j + 1 < HALF ? j + 1 : 0];
            y[j] = v[j + 1 < HALF ? j + 1 : 0];
        }
    }
    y[0] ^= W(rotr)(constants[steps & 7], 16); /* of the step that does not come */
    y[1] ^= steps << 16;
    from_lanes(u, right_x);
    from_lanes(v, right_y);
    UNROLL
    for (size_t j = 0; j < HALF; j++) {
        state[2 * j] = x[j];
        state[2 * j + 1] = W(rotr)(y[j], 16);
        state[2 * (HALF + j)] = u[j];
        state[2 * (HALF + j) + 1] = W(rotr)(v[j], 16);
    }
}

// void hanji_sparkle384_avx2_x1(uint32_t *states, size_t groups, uint32_t steps);
/* kernel:
     spec: sparkle384.permute
     isa: avx2
     blocks: 1
     args: { states: {buffer: states, bytes: 48 * groups, access: rw}, groups: {value: groups}, steps: {value: steps} }
     aliasing: in place
     stack: compiler
     secrets: states
*/
void hanji_sparkle384_avx2_x1(uint32_t *states, size_t groups, uint32_t steps)
{
    for (; groups > 0; groups--, states += 12)
        permute(states, steps);
}

#endif
