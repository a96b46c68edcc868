/* SPDX-License-Identifier: Apache-2.0 */
/*
 * GF(16) and GF(256) in SSSE3: a look-up is 16 products, two in each byte in GF(16). FIELD is gf16
 * or gf256, whose elements have 4 or 8 bits.
 */
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 16
#include "rainbow/matrix_pshufb.h"

// void hanji_FIELD_ssse3_prepare(void *multipliers, const uint8_t *elements, size_t count)
/* kernel:
     spec: [gf16.prepare, gf256.prepare]
     isa: ssse3
     blocks: 1
     args: { multipliers: {buffer: multipliers, bytes: 4 * bits * (count rounded up to 16), access: w},
             elements: {buffer: elements, bytes: count * bits / 8, access: r}, count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: elements, multipliers
*/
// void hanji_FIELD_ssse3_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
/* kernel:
     spec: [gf16.accumulate, gf256.accumulate]
     isa: ssse3
     blocks: 1
     args: { out: {buffer: out, bytes: bytes, access: rw}, in: {buffer: in, bytes: stride * (count - 1) + bytes, access: r}, stride: {value: stride},
             bytes: {value: bytes}, multipliers: {buffer: multipliers, bytes: 4 * bits * count, access: r}, count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: in, multipliers, out
*/
// uint32_t hanji_FIELD_ssse3_solve(uint8_t *system, size_t size)
/* kernel:
     spec: [gf16.solve, gf256.solve]
     isa: ssse3
     blocks: 1
     args: { system: {buffer: system, bytes: HANJI_SYSTEM_BYTES, access: rw}, size: {value: size} }
     aliasing: none
     stack: compiler
     secrets: system
*/

void hanji_gf16_ssse3_prepare(void *multipliers, const uint8_t *elements, size_t count)
{
    prepare(multipliers, elements, count, 4);
}

void hanji_gf16_ssse3_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes,
                                 const void *multipliers, size_t count)
{
    accumulate(out, in, stride, bytes, multipliers, count, 4);
}

uint32_t hanji_gf16_ssse3_solve(uint8_t *system, size_t size)
{
    return solve(system, size, 4);
}

void hanji_gf256_ssse3_prepare(void *multipliers, const uint8_t *elements, size_t count)
{
    prepare(multipliers, elements, count, 8);
}

void hanji_gf256_ssse3_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes,
                                  const void *multipliers, size_t count)
{
    accumulate(out, in, stride, bytes, multipliers, count, 8);
}

uint32_t hanji_gf256_ssse3_solve(uint8_t *system, size_t size)
{
    return solve(system, size, 8);
}

#endif
