// SPDX-License-Identifier: Apache-2.0
// Bit matrices over shares on NEON, by look-ups of half bytes.
#include "aimer/aimer.h"
#include "support/cpu.h"

#ifdef HANJI_A64
#define V_XOR3(a, b, c) ((a) ^ (b) ^ (c))
#include "aimer/aimer_nibbles_neon.h"

/* Tables of the sums of four columns. */
// void hanji_aimer_neon_prepare(void *matrix, const uint64_t *columns, uint32_t words);
/* kernel:
     spec: aimer.prepare
     isa: neon
     blocks: 8
     args: { matrix: {buffer: matrix, bytes: 64 * words * words * factor, access: w}, columns: {buffer: columns, bytes: 512 * words * words, access: r},
             words: {value: words} }
     aliasing: none
     stack: compiler
     secrets: none
*/
void hanji_aimer_neon_prepare(void *matrix, const uint64_t *columns, uint32_t words)
{
    prepare_nibbles(matrix, columns, words);
}

/* Sixteen parties at a time. */
// void hanji_aimer_neon_apply(uint64_t *out, size_t out_stride, const uint64_t *in, size_t in_stride, size_t octets, const void *matrix, uint32_t words, int accumulate);
/* kernel:
     spec: aimer.apply
     isa: neon
     blocks: 8
     args: { out: {buffer: out, bytes: 64 * words * octets, access: rw}, out_stride: {value: out_stride}, in: {buffer: in, bytes: 64 * words * octets, access: r},
             in_stride: {value: in_stride}, octets: {value: octets}, matrix: {buffer: matrix, bytes: that of prepare, access: r}, words: {value: words},
             accumulate: {value: accumulate} }
     aliasing: out == in allowed
     stack: compiler
     secrets: out, in
*/
void hanji_aimer_neon_apply(uint64_t *out, size_t out_stride, const uint64_t *in, size_t in_stride,
                            size_t octets, const void *matrix, uint32_t words, int accumulate)
{
    apply_nibbles(out, out_stride, in, in_stride, octets, matrix, words, accumulate);
}

#endif
