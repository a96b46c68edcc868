// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600], four states in the lanes of 256-bit vectors.
// void hanji_keccak_avx2_x4(uint64_t *states);
/* kernel:
     spec: keccak.permute
     isa: avx2
     blocks: 4
     args: { states: {buffer: states, bytes: 800, access: rw} }
     aliasing: in place
     stack: compiler
     secrets: states
*/
#include "keccak/keccak.h"
#include "support/cpu.h"

#ifdef HANJI_X86
#include <immintrin.h>

#include "keccak/keccak_rounds.h"

/* Rotations by 8 and 56 are shuffles of bytes, one instruction. */
#define ROTL(a, n)                                                                                    \
    ((n) == 8    ? _mm256_shuffle_epi8(a, _mm256_setr_epi8(7, 0, 1, 2, 3, 4, 5, 6, 15, 8, 9, 10, 11,  \
                                                           12, 13, 14, 7, 0, 1, 2, 3, 4, 5, 6, 15, 8, \
                                                           9, 10, 11, 12, 13, 14))                    \
     : (n) == 56 ? _mm256_shuffle_epi8(a, _mm256_setr_epi8(1, 2, 3, 4, 5, 6, 7, 0, 9, 10, 11, 12,     \
                                                           13, 14, 15, 8, 1, 2, 3, 4, 5, 6, 7, 0,     \
                                                           9, 10, 11, 12, 13, 14, 15, 8))             \
                 : _mm256_or_si256(_mm256_slli_epi64(a, n), _mm256_srli_epi64(a, 64 - (n))))

#define K __m256i
#define K_LOAD(w) _mm256_loadu_si256((const __m256i *)(const void *)(states + 4 * (w)))
#define K_STORE(w, v) _mm256_storeu_si256((__m256i *)(void *)(states + 4 * (w)), v)
#define K_XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define K_ROL1(a, b) ((a) ^ ROTL(b, 1))
#define K_XROL(a, b, n) ROTL((a) ^ (b), n)
#define K_CHI(a, b, c) ((a) ^ _mm256_andnot_si256(b, c))
#define K_IOTA(a, constant) ((a) ^ _mm256_set1_epi64x((long long)(constant)))

void hanji_keccak_avx2_x4(uint64_t *states)
{
    K_PERMUTE;
}
#endif
