// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600], one state, in the low words of 128-bit vectors, with the instructions of
// FEAT_SHA3: EOR3, RAX1, XAR and BCAX.
// void hanji_keccak_sha3_x1(uint64_t *states);
/* kernel:
     spec: keccak.permute
     isa: sha3
     blocks: 1
     args: { states: {buffer: states, bytes: 200, access: rw} }
     aliasing: in place
     stack: compiler
     secrets: states
*/
#include "keccak/keccak.h"
#include "support/cpu.h"

#ifdef HANJI_A64
#include <arm_neon.h>

#include "keccak/keccak_rounds.h"

/*
 * gcc would move instructions apart before it allocates registers, and then spill: 32 are just
 * enough.
 */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-schedule-insns")
#endif

#define K uint64x2_t
#define K_LOAD(w) vcombine_u64(vld1_u64(states + (w)), vdup_n_u64(0))
#define K_STORE(w, v) vst1_u64(states + (w), vget_low_u64(v))
#define K_XOR3(a, b, c) veor3q_u64(a, b, c)
#define K_ROL1(a, b) vrax1q_u64(a, b)
#define K_XROL(a, b, n) vxarq_u64(a, b, 64 - (n))
#define K_CHI(a, b, c) vbcaxq_u64(a, c, b)
#define K_IOTA(a, constant) ((a) ^ vdupq_n_u64(constant))

void hanji_keccak_sha3_x1(uint64_t *states)
{
    K_PERMUTE;
}
#endif
