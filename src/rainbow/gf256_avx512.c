/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GF(256) with GFNI: one instruction multiplies 64 elements by a constant.
 */
#include "support/cpu.h"

#ifdef HANJI_X86
#include "rainbow/matrix_avx512.h"

// void hanji_gf256_avx512_prepare(void *multipliers, const uint8_t *elements, size_t count)
/* kernel:
     spec: gf256.prepare
     isa: avx512
     blocks: 1
     args: { multipliers: {buffer: multipliers, bytes: 8 * (count rounded up to 8), access: w}, elements: {buffer: elements, bytes: count * 8 / 8, access: r},
             count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: elements, multipliers
*/
void hanji_gf256_avx512_prepare(void *multipliers, const uint8_t *elements, size_t count)
{
    uint8_t *out = multipliers;
    for (size_t i = 0; i < count; i += 8) {
        uint64_t constants = 0;
        if (count - i >= 8)
            constants = load_le64(elements + i);
        else
            memcpy(&constants, elements + i, count - i);
        _mm512_storeu_si512(out + 8 * i, eight_multipliers(constants, ONE_TO_128, FROM_AES, -1));
    }
}

// void hanji_gf256_avx512_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
/* kernel:
     spec: gf256.accumulate
     isa: avx512
     blocks: 1
     args: { out: {buffer: out, bytes: bytes, access: rw}, in: {buffer: in, bytes: stride * (count - 1) + bytes, access: r}, stride: {value: stride},
             bytes: {value: bytes}, multipliers: {buffer: multipliers, bytes: 8 * count, access: r}, count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: in, multipliers, out
*/
void hanji_gf256_avx512_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
{
    accumulate(out, in, stride, bytes, multipliers, count);
}

// uint32_t hanji_gf256_avx512_solve(uint8_t *system, size_t size)
/* kernel:
     spec: gf256.solve
     isa: avx512
     blocks: 1
     args: { system: {buffer: system, bytes: HANJI_SYSTEM_BYTES, access: rw}, size: {value: size} }
     aliasing: none
     stack: compiler
     secrets: system
*/
uint32_t hanji_gf256_avx512_solve(uint8_t *system, size_t size)
{
    return solve(system, size);
}

#endif
