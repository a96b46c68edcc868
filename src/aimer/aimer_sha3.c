// SPDX-License-Identifier: Apache-2.0
// Bit matrices over shares by look-ups of half bytes, as on NEON, with EOR3 of FEAT_SHA3.
#include "aimer/aimer.h"
#include "support/cpu.h"

#ifdef HANJI_A64
#define V_XOR3(a, b, c) veor3q_u8(a, b, c)
#include "aimer/aimer_nibbles_neon.h"

/* Sixteen parties at a time. */
// void hanji_aimer_sha3_apply(uint64_t *out, size_t out_stride, const uint64_t *in, size_t in_stride, size_t octets, const void *matrix, uint32_t words, int accumulate);
/* kernel:
     spec: aimer.apply
     isa: sha3
     blocks: 8
     args: { out: {buffer: out, bytes: 64 * words * octets, access: rw}, out_stride: {value: out_stride}, in: {buffer: in, bytes: 64 * words * octets, access: r},
             in_stride: {value: in_stride}, octets: {value: octets}, matrix: {buffer: matrix, bytes: that of prepare, access: r}, words: {value: words},
             accumulate: {value: accumulate} }
     aliasing: out == in allowed
     stack: compiler
     secrets: out, in
*/
void hanji_aimer_sha3_apply(uint64_t *out, size_t out_stride, const uint64_t *in, size_t in_stride,
                            size_t octets, const void *matrix, uint32_t words, int accumulate)
{
    apply_nibbles(out, out_stride, in, in_stride, octets, matrix, words, accumulate);
}

#endif
