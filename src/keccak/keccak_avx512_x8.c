// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600], eight states in the lanes of 512-bit vectors; XOR of three and chi are one
// instruction each.
// void hanji_keccak_avx512_x8(uint64_t *states);
/* kernel:
     spec: keccak.permute
     isa: avx512
     blocks: 8
     args: { states: {buffer: states, bytes: 1600, access: rw} }
     aliasing: in place
     stack: compiler
     secrets: states
*/
#include "keccak/keccak.h"
#include "support/cpu.h"

#ifdef HANJI_X86
#include <immintrin.h>

/* gcc copies registers less when it keeps to the order of the source. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-schedule-insns2", "ira-region=one")
#endif

#define K __m512i
#define K_LOAD(w) _mm512_loadu_si512(states + 8 * (w))
#define K_STORE(w, v) _mm512_storeu_si512(states + 8 * (w), v)
#define K_XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define K_CHI(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0xd2)
/*
 * One instruction adds both sums to a word, so they are not added up before; column after column in
 * this order 31 vectors are in use at most.
 */
#define K_COLUMN(A, x, before, after)           \
    {                                           \
        const K d = _mm512_rol_epi64(after, 1); \
        A##0##x = K_XOR3(A##0##x, before, d);   \
        A##1##x = K_XOR3(A##1##x, before, d);   \
        A##2##x = K_XOR3(A##2##x, before, d);   \
        A##3##x = K_XOR3(A##3##x, before, d);   \
        A##4##x = K_XOR3(A##4##x, before, d);   \
    }
#define K_THETA(A)         \
    K_COLUMN(A, 0, c4, c1) \
    K_COLUMN(A, 2, c1, c3) \
    K_COLUMN(A, 4, c3, c0) \
    K_COLUMN(A, 1, c0, c2) \
    K_COLUMN(A, 3, c2, c4)
#define K_STAY(a, x) (a)
#define K_MOVE(a, x, n) _mm512_rol_epi64(a, n)
#define K_IOTA(a, constant) ((a) ^ _mm512_set1_epi64((long long)(constant)))

#include "keccak/keccak_rounds.h"

void hanji_keccak_avx512_x8(uint64_t *states)
{
    K_PERMUTE;
}
#endif
