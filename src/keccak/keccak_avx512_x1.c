// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600], one state, each word in all places of a 256-bit vector; XOR of three and chi are
// one instruction each.
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

/* gcc copies registers less when it keeps to the order of the source. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-schedule-insns2", "ira-region=one")
#endif

#define K __m256i
#define K_LOAD(w) _mm256_set1_epi64x((long long)states[w])
/* A load waits longer for a store with a mask; one of a number goes through general registers. */
#define K_STORE(w, v) \
    _mm_store_sd((double *)(void *)(states + (w)), _mm256_castpd256_pd128(_mm256_castsi256_pd(v)))
#define K_XOR3(a, b, c) _mm256_ternarylogic_epi64(a, b, c, 0x96)
#define K_ROL1(a, b) ((a) ^ _mm256_rol_epi64(b, 1))
#define K_XROL(a, b, n) _mm256_rol_epi64((a) ^ (b), n)
#define K_CHI(a, b, c) _mm256_ternarylogic_epi64(a, b, c, 0xd2)
#define K_IOTA(a, constant) ((a) ^ _mm256_set1_epi64x((long long)(constant)))

void hanji_keccak_avx512_x1(uint64_t *states)
{
    K_PERMUTE;
}
#endif
