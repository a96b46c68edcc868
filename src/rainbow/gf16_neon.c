/* SPDX-License-Identifier: Apache-2.0 */
/* GF(16) in NEON: one look-up multiplies 16 elements by a constant. */
#include "support/cpu.h"

#ifdef HANJI_A64
#define BITS 4
#include "rainbow/matrix_neon.h"

// void hanji_gf16_neon_prepare(void *multipliers, const uint8_t *elements, size_t count)
/* kernel:
     spec: gf16.prepare
     isa: neon
     blocks: 1
     args: { multipliers: {buffer: multipliers, bytes: 16 * (count rounded up to 16), access: w}, elements: {buffer: elements, bytes: count * 4 / 8, access: r},
             count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: elements, multipliers
*/
void hanji_gf16_neon_prepare(void *multipliers, const uint8_t *elements, size_t count)
{
    prepare(multipliers, elements, count);
}

// void hanji_gf16_neon_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
/* kernel:
     spec: gf16.accumulate
     isa: neon
     blocks: 1
     args: { out: {buffer: out, bytes: bytes, access: rw}, in: {buffer: in, bytes: stride * (count - 1) + bytes, access: r}, stride: {value: stride},
             bytes: {value: bytes}, multipliers: {buffer: multipliers, bytes: 16 * count, access: r}, count: {value: count} }
     aliasing: none
     stack: compiler
     secrets: in, multipliers, out
*/
void hanji_gf16_neon_accumulate(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes, const void *multipliers, size_t count)
{
    accumulate(out, in, stride, bytes, multipliers, count);
}

// uint32_t hanji_gf16_neon_solve(uint8_t *system, size_t size)
/* kernel:
     spec: gf16.solve
     isa: neon
     blocks: 1
     args: { system: {buffer: system, bytes: HANJI_SYSTEM_BYTES, access: rw}, size: {value: size} }
     aliasing: none
     stack: compiler
     secrets: system
*/
uint32_t hanji_gf16_neon_solve(uint8_t *system, size_t size)
{
    return solve(system, size);
}

// void hanji_gf16_neon_evaluate(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *x, size_t count, uint8_t *scratch)
/* kernel:
     spec: gf16.evaluate
     isa: neon
     blocks: 1
     args: { out: {buffer: out, bytes: bytes, access: w}, in: {buffer: in, bytes: bytes * count * (count + 1) / 2, access: r}, bytes: {value: bytes},
             x: {buffer: x, bytes: count rounded up to 16, access: r}, count: {value: count}, scratch: {buffer: scratch, bytes: HANJI_EVALUATE_SCRATCH, access: rw} }
     aliasing: none
     stack: compiler
     secrets: none
*/
/* Level I has one size, which the compiler may know. */
void hanji_gf16_neon_evaluate(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *x, size_t count, uint8_t *scratch)
{
    if (bytes == 32)
        evaluate(out, in, 32, x, count, scratch);
    else
        hanji_gf16_portable_evaluate(out, in, bytes, x, count, scratch);
}

#endif
