/* SPDX-License-Identifier: Apache-2.0 */
/* GF(256) in AVX2: by look-up of nibbles. */
#include "support/cpu.h"

#ifdef HANJI_X86
#define BITS 8
#include "rainbow/matrix_avx2.h"

// void hanji_gf256_avx2_prepare(void *multipliers, const uint8_t *elements, size_t count)
/* kernel:
     spec: gf256.prepare
     isa: avx2
     blocks: 1
     args: { multipliers: {buffer: multipliers, bytes: 32 * (count rounded up to 16), access: w}, elements: {buffer: elements, bytes: count * 8 / 8, access: r},
             count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: elements, multipliers
*/
void hanji_gf256_avx2_prepare(void *multipliers, const uint8_t *elements, size_t count)
{
    prepare(multipliers, elements, count);
}

// void hanji_gf256_avx2_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
/* kernel:
     spec: gf256.accumulate
     isa: avx2
     blocks: 1
     args: { out: {buffer: out, bytes: bytes, access: rw}, in: {buffer: in, bytes: stride * (count - 1) + bytes, access: r}, stride: {value: stride},
             bytes: {value: bytes}, multipliers: {buffer: multipliers, bytes: 32 * count, access: r}, count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: in, multipliers, out
*/
void hanji_gf256_avx2_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
{
    accumulate(out, in, stride, bytes, multipliers, count);
}

// uint32_t hanji_gf256_avx2_solve(uint8_t *system, size_t size)
/* kernel:
     spec: gf256.solve
     isa: avx2
     blocks: 1
     args: { system: {buffer: system, bytes: HANJI_SYSTEM_BYTES, access: rw}, size: {value: size} }
     aliasing: none
     stack: compiler
     secrets: system
*/
uint32_t hanji_gf256_avx2_solve(uint8_t *system, size_t size)
{
    return solve(system, size);
}

#endif
