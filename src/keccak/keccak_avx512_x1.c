// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600], one state, in pairs: words (x, 0) and (x, 1) are one 128-bit vector, (x, 2) and
// (x, 3) another, (x, 4) is the low half of a third one, so a round has three fifths of the
// instructions on single words, and few more that move words.
// void hanji_keccak_avx512_x1(uint64_t *states);
/* kernel:
     spec: keccak.permute
     isa: avx512
     blocks: 1
     args: { states: {buffer: states, bytes: 200, access: rw} }
     aliasing: in place
     stack: compiler
     secrets: states
*/
#include "keccak/keccak.h"
#include "support/cpu.h"

#ifdef HANJI_X86
#include <immintrin.h>

#include "keccak/keccak_rounds.h"

/* gcc copies registers less when it keeps to the order of the source; pairs are joined already. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-schedule-insns2", "ira-region=one", "no-tree-slp-vectorize")
#endif

#define XOR3(a, b, c) _mm_ternarylogic_epi64(a, b, c, 0x96)
#define CHI(a, b, c) _mm_ternarylogic_epi64(a, b, c, 0xd2)
/* The high half of a word alone is zero, so it does not count in the sum of a column. */
#define CHI_LOW(a, b, c) _mm_maskz_ternarylogic_epi64(low, a, b, c, 0xd2)
#define ROTL(a, high, low) _mm_rolv_epi64(a, _mm_set_epi64x(high, low))
#define SWAP(a) _mm_shuffle_epi32(a, 0x4e)
#define LOW(a, b) _mm_unpacklo_epi64(a, b)
#define HIGH(a, b) _mm_unpackhi_epi64(a, b)

/* Column x: its three vectors, of which p has rows 0 and 1, q rows 2 and 3, s row 4. */
#define COLUMN_LOAD(x)                                                       \
    __m128i p##x = LOW(_mm_loadl_epi64((const __m128i *)(states + x)),       \
                       _mm_loadl_epi64((const __m128i *)(states + 5 + x))),  \
            q##x = LOW(_mm_loadl_epi64((const __m128i *)(states + 10 + x)),  \
                       _mm_loadl_epi64((const __m128i *)(states + 15 + x))), \
            s##x = _mm_loadl_epi64((const __m128i *)(states + 20 + x))
#define COLUMN_STORE(x)                                                 \
    _mm_storel_pd((double *)(states + x), _mm_castsi128_pd(p##x));      \
    _mm_storeh_pd((double *)(states + 5 + x), _mm_castsi128_pd(p##x));  \
    _mm_storel_pd((double *)(states + 10 + x), _mm_castsi128_pd(q##x)); \
    _mm_storeh_pd((double *)(states + 15 + x), _mm_castsi128_pd(q##x)); \
    _mm_storel_pd((double *)(states + 20 + x), _mm_castsi128_pd(s##x))

/* The sum of a column, in both halves. */
#define COLUMN_SUM(x)                                                      \
    const __m128i h##x = XOR3(p##x, q##x, s##x), c##x = h##x ^ SWAP(h##x), \
                  d##x = _mm_rol_epi64(c##x, 1)

/* Theta and rho: the sums of the columns on both sides, and how far each row is rotated. */
#define COLUMN(x, before, after, r0, r1, r2, r3, r4)      \
    p##x = ROTL(XOR3(p##x, c##before, d##after), r1, r0); \
    q##x = ROTL(XOR3(q##x, c##before, d##after), r3, r2); \
    s##x = _mm_rol_epi64(XOR3(s##x, c##before, d##after), r4)

void hanji_keccak_avx512_x1(uint64_t *states)
{
    __mmask8 low = 1;
    __asm__("" : "+k"(low)); /* else clang takes one more instruction for what a mask does */
    COLUMN_LOAD(0);
    COLUMN_LOAD(1);
    COLUMN_LOAD(2);
    COLUMN_LOAD(3);
    COLUMN_LOAD(4);
    for (unsigned round = 0; round < HANJI_KECCAK_ROUNDS; round++) {
        COLUMN_SUM(0);
        COLUMN_SUM(1);
        COLUMN_SUM(2);
        COLUMN_SUM(3);
        COLUMN_SUM(4);
        COLUMN(0, 4, 1, 0, 36, 3, 41, 18);
        COLUMN(1, 0, 2, 1, 44, 10, 45, 2);
        COLUMN(2, 1, 3, 62, 6, 43, 15, 61);
        COLUMN(3, 2, 4, 28, 55, 25, 21, 56);
        COLUMN(4, 3, 0, 27, 20, 39, 8, 14);
        /* Pi: row y becomes column y; word x of it comes to row 2x + 3y. */
        const __m128i u0 = LOW(p0, p3), v0 = LOW(p1, p4), w0 = p2;
        const __m128i u1 = HIGH(p1, p4), v1 = HIGH(p2, p0), w1 = HIGH(p3, p3);
        const __m128i u2 = LOW(q2, q0), v2 = LOW(q3, q1), w2 = q4;
        const __m128i u3 = HIGH(q3, q1), v3 = HIGH(q4, q2), w3 = HIGH(q0, q0);
        const __m128i u4 = LOW(s4, s2), v4 = LOW(s0, s3), w4 = s1;
        p0 = CHI(u0, u1, u2) ^ _mm_loadl_epi64((const __m128i *)(hanji_keccak_iota + round));
        p1 = CHI(u1, u2, u3);
        p2 = CHI(u2, u3, u4);
        p3 = CHI(u3, u4, u0);
        p4 = CHI(u4, u0, u1);
        q0 = CHI(v0, v1, v2);
        q1 = CHI(v1, v2, v3);
        q2 = CHI(v2, v3, v4);
        q3 = CHI(v3, v4, v0);
        q4 = CHI(v4, v0, v1);
        s0 = CHI_LOW(w0, w1, w2);
        s1 = CHI_LOW(w1, w2, w3);
        s2 = CHI_LOW(w2, w3, w4);
        s3 = CHI_LOW(w3, w4, w0);
        s4 = CHI_LOW(w4, w0, w1);
    }
    COLUMN_STORE(0);
    COLUMN_STORE(1);
    COLUMN_STORE(2);
    COLUMN_STORE(3);
    COLUMN_STORE(4);
}
#endif
