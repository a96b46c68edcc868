/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vectors of aimer_nibbles.h on AArch64. The file that includes this defines V_XOR3(a, b, c),
 * the sum of three vectors.
 */
#ifndef HANJI_AIMER_NIBBLES_NEON_H
#define HANJI_AIMER_NIBBLES_NEON_H

#include <arm_neon.h>

#define V uint8x16_t
#define V_LOAD(p) vld1q_u8((const uint8_t *)(p))
#define V_STORE(p, v) vst1q_u8((uint8_t *)(p), v)
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

#endif
