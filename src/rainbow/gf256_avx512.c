/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GF(256) with GFNI: one instruction multiplies 64 elements by a constant.
 * void hanji_gf256_avx512_prepare(void *multipliers, const uint8_t *elements, size_t count)
 */
#include "support/cpu.h"

#ifdef HANJI_X86
#include "rainbow/matrix_avx512.h"

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

void hanji_gf256_avx512_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
{
    accumulate(out, in, stride, bytes, multipliers, count);
}

uint32_t hanji_gf256_avx512_solve(uint8_t *system, size_t size)
{
    return solve(system, size);
}

#endif
