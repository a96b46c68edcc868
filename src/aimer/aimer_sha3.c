// SPDX-License-Identifier: Apache-2.0
// Bit matrices over shares by look-ups of half bytes, as on NEON, with EOR3 of FEAT_SHA3.
#include "aimer/aimer.h"
#include "support/cpu.h"

#ifdef HANJI_A64
#include <arm_neon.h>

#define V uint8x16_t
#define V_LOAD(p) vld1q_u8((const uint8_t *)(p))
#define V_STORE(p, v) vst1q_u8((uint8_t *)(p), v)
#define V_XOR3(a, b, c) veor3q_u8(a, b, c)
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
