/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GF(16) with GFNI: one instruction multiplies 128 packed elements by a constant; its bit matrix has the constant's 4 x 4 matrix twice on the diagonal.
 */
#include "support/cpu.h"

#ifdef HANJI_X86
#include "rainbow/matrix_avx512.h"

#define ONE_TO_8_TWICE (int64_t)0x01bc5d0c01bc5d0c
/* FROM_AES with the rows of the low nibble in place of those of the high one too: the image of an element of GF(16) in both nibbles. */
#define FROM_AES_TWICE (int64_t)((FROM_AES & (int64_t)0xffffffff00000000) | (int64_t)((uint64_t)FROM_AES >> 32))
#define DIAGONAL (int64_t)0x0f0f0f0ff0f0f0f0

// void hanji_gf16_avx512_prepare(void *multipliers, const uint8_t *elements, size_t count)
/* kernel:
     spec: gf16.prepare
     isa: avx512
     blocks: 1
     args: { multipliers: {buffer: multipliers, bytes: 8 * (count rounded up to 8), access: w}, elements: {buffer: elements, bytes: count * 4 / 8, access: r},
             count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: elements, multipliers
*/
void hanji_gf16_avx512_prepare(void *multipliers, const uint8_t *elements, size_t count)
{
    uint8_t *out = multipliers;
    for (size_t i = 0; i < count; i += 8) {
        uint32_t constants = 0;
        if (count - i >= 8)
            constants = load_le32(elements + i / 2);
        else
            memcpy(&constants, elements + i / 2, (count - i + 1) / 2);
        _mm512_storeu_si512(out + 8 * i, eight_multipliers(gf16_unpack8(constants), ONE_TO_8_TWICE, FROM_AES_TWICE, DIAGONAL));
    }
}

// void hanji_gf16_avx512_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
/* kernel:
     spec: gf16.accumulate
     isa: avx512
     blocks: 1
     args: { out: {buffer: out, bytes: bytes, access: rw}, in: {buffer: in, bytes: stride * (count - 1) + bytes, access: r}, stride: {value: stride},
             bytes: {value: bytes}, multipliers: {buffer: multipliers, bytes: 8 * count, access: r}, count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: in, multipliers, out
*/
void hanji_gf16_avx512_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
{
    accumulate(out, in, stride, bytes, multipliers, count);
}

// uint32_t hanji_gf16_avx512_solve(uint8_t *system, size_t size)
/* kernel:
     spec: gf16.solve
     isa: avx512
     blocks: 1
     args: { system: {buffer: system, bytes: HANJI_SYSTEM_BYTES, access: rw}, size: {value: size} }
     aliasing: none
     stack: compiler
     secrets: system
*/
uint32_t hanji_gf16_avx512_solve(uint8_t *system, size_t size)
{
    return solve(system, size);
}

#endif
