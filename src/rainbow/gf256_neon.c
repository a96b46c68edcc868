/* SPDX-License-Identifier: Apache-2.0 */
/* GF(256) in NEON: two look-ups multiply 16 elements by a constant. */
#include "support/cpu.h"

#ifdef HANJI_A64
#define BITS 8
#include "rainbow/matrix_neon.h"

// void hanji_gf256_neon_prepare(void *multipliers, const uint8_t *elements, size_t count)
/* kernel:
     spec: gf256.prepare
     isa: neon
     blocks: 1
     args: { multipliers: {buffer: multipliers, bytes: 32 * (count rounded up to 16), access: w}, elements: {buffer: elements, bytes: count * 8 / 8, access: r},
             count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: elements, multipliers
*/
void hanji_gf256_neon_prepare(void *multipliers, const uint8_t *elements, size_t count)
{
    prepare(multipliers, elements, count);
}

// void hanji_gf256_neon_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
/* kernel:
     spec: gf256.accumulate
     isa: neon
     blocks: 1
     args: { out: {buffer: out, bytes: bytes, access: rw}, in: {buffer: in, bytes: stride * (count - 1) + bytes, access: r}, stride: {value: stride},
             bytes: {value: bytes}, multipliers: {buffer: multipliers, bytes: 32 * count, access: r}, count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: in, multipliers, out
*/
void hanji_gf256_neon_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
{
    accumulate(out, in, stride, bytes, multipliers, count);
}

// uint32_t hanji_gf256_neon_solve(uint8_t *system, size_t size)
/* kernel:
     spec: gf256.solve
     isa: neon
     blocks: 1
     args: { system: {buffer: system, bytes: HANJI_SYSTEM_BYTES, access: rw}, size: {value: size} }
     aliasing: none
     stack: compiler
     secrets: system
*/
uint32_t hanji_gf256_neon_solve(uint8_t *system, size_t size)
{
    return solve(system, size);
}

// void hanji_gf256_neon_evaluate(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *x, size_t count, uint8_t *scratch)
/* kernel:
     spec: gf256.evaluate
     isa: neon
     blocks: 1
     args: { out: {buffer: out, bytes: bytes, access: w}, in: {buffer: in, bytes: bytes * count * (count + 1) / 2, access: r}, bytes: {value: bytes},
             x: {buffer: x, bytes: count rounded up to 16, access: r}, count: {value: count}, scratch: {buffer: scratch, bytes: HANJI_EVALUATE_SCRATCH, access: rw} }
     aliasing: none
     stack: compiler
     secrets: none
*/
/* Levels III and V have one size each, which the compiler may know. */
void hanji_gf256_neon_evaluate(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *x, size_t count, uint8_t *scratch)
{
    if (bytes == 80)
        evaluate(out, in, 80, x, count, scratch);
    else if (bytes == 100)
        evaluate(out, in, 100, x, count, scratch);
    else
        hanji_gf256_portable_evaluate(out, in, bytes, x, count, scratch);
}

#endif
