// SPDX-License-Identifier: Apache-2.0
// Bit matrices over shares on NEON, by look-ups of half bytes.
#include "aimer/aimer.h"
#include "support/cpu.h"

#ifdef HANJI_A64
#include <arm_neon.h>

#define V uint8x16_t
#define V_LOAD(p) vld1q_u8((const uint8_t *)(p))
#define V_STORE(p, v) vst1q_u8((uint8_t *)(p), v)
#define V_XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define V_LOOK_UP(table, index) vqtbl1q_u8(table, index)
#define V_LOW_HALF(v) vandq_u8(v, vdupq_n_u8(15))
#define V_HIGH_HALF(v) vshrq_n_u8(v, 4)
#define V_PAIR_BYTES(v) vzip1q_u8(v, vextq_u8(v, v, 8))
#define V_UNPAIR_BYTES(v) vuzp1q_u8(v, vextq_u8(v, v, 1))
#define AS16(v) vreinterpretq_u16_u8(v)
#define AS32(v) vreinterpretq_u32_u8(v)
#define AS64(v) vreinterpretq_u64_u8(v)
#define V_ZIP_LOW16(a, b) vreinterpretq_u8_u16(vzip1q_u16(AS16(a), AS16(b)))
#define V_ZIP_HIGH16(a, b) vreinterpretq_u8_u16(vzip2q_u16(AS16(a), AS16(b)))
#define V_ZIP_LOW32(a, b) vreinterpretq_u8_u32(vzip1q_u32(AS32(a), AS32(b)))
#define V_ZIP_HIGH32(a, b) vreinterpretq_u8_u32(vzip2q_u32(AS32(a), AS32(b)))
#define V_ZIP_LOW64(a, b) vreinterpretq_u8_u64(vzip1q_u64(AS64(a), AS64(b)))
#define V_ZIP_HIGH64(a, b) vreinterpretq_u8_u64(vzip2q_u64(AS64(a), AS64(b)))
#define V_UNZIP_EVEN16(a, b) vreinterpretq_u8_u16(vuzp1q_u16(AS16(a), AS16(b)))
#define V_UNZIP_ODD16(a, b) vreinterpretq_u8_u16(vuzp2q_u16(AS16(a), AS16(b)))
#define V_UNZIP_EVEN32(a, b) vreinterpretq_u8_u32(vuzp1q_u32(AS32(a), AS32(b)))
#define V_UNZIP_ODD32(a, b) vreinterpretq_u8_u32(vuzp2q_u32(AS32(a), AS32(b)))
#include "aimer/aimer_nibbles.h"

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
