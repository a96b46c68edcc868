// SPDX-License-Identifier: Apache-2.0
// Products of shares by PMULL, polynomial multiplication of 64-bit words (Kwon et al., the analysis
// of AIMer on ARMv8).
#include "aimer/aimer.h"
#include "support/cpu.h"

#ifdef HANJI_A64
#include <arm_neon.h>

#define V uint64x2_t
#define V_PARTIES 2
#define V_LOAD(p) vld1q_u64(p)
#define V_STORE(p, v) vst1q_u64(p, v)
#define V_SHL(v, n) vshlq_n_u64(v, n)
#define V_SHR(v, n) vshrq_n_u64(v, n)
#define V_SET1(word) vdupq_n_u64(word)
#define V_KEEP(v) __asm__("" : "+w"(v))
#define V_MUL_EVEN(a, b)    \
    vreinterpretq_u64_p128( \
        vmull_p64((poly64_t)vgetq_lane_u64(a, 0), (poly64_t)vgetq_lane_u64(b, 0)))
#define V_MUL_ODD(a, b) \
    vreinterpretq_u64_p128(vmull_high_p64(vreinterpretq_p64_u64(a), vreinterpretq_p64_u64(b)))
#define V_LOW(even, odd) vzip1q_u64(even, odd)
#define V_HIGH(even, odd) vzip2q_u64(even, odd)
#include "aimer/aimer_products.h"

HANJI_INLINE void clmul(uint64_t *low, uint64_t *high, uint64_t a, uint64_t b)
{
    const uint64x2_t product = vreinterpretq_u64_p128(vmull_p64((poly64_t)a, (poly64_t)b));
    *low = vgetq_lane_u64(product, 0);
    *high = vgetq_lane_u64(product, 1);
}
#include "aimer/aimer_power.h"

/* Two parties in a vector. */
// void hanji_aimer_pmull_products(uint64_t *out, size_t out_stride, const uint64_t *base, size_t base_stride, const hanji_aimer_term *terms, uint32_t count, size_t octets, uint32_t words);
/* kernel:
     spec: aimer.products
     isa: pmull
     blocks: 8
     args: { out: {buffer: out, bytes: 64 * words * octets, access: w}, out_stride: {value: out_stride}, base: {buffer: base, bytes: 64 * words * octets, access: r},
             base_stride: {value: base_stride}, terms: {buffer: terms, bytes: count * sizeof(hanji_aimer_term), access: r}, count: {value: count},
             octets: {value: octets}, words: {value: words} }
     aliasing: out == base allowed
     stack: compiler
     secrets: out, base, terms
*/
void hanji_aimer_pmull_products(uint64_t *out, size_t out_stride, const uint64_t *base,
                                size_t base_stride, const hanji_aimer_term *terms, uint32_t count,
                                size_t octets, uint32_t words)
{
    products_of_sets(out, out_stride, base, base_stride, terms, count, octets, words);
}

/* One element. */
// void hanji_aimer_pmull_power(uint64_t *out, const uint64_t *base, uint32_t squarings, const uint64_t *factor, uint32_t words);
/* kernel:
     spec: aimer.power
     isa: pmull
     blocks: 1
     args: { out: {buffer: out, bytes: 8 * words, access: w}, base: {buffer: base, bytes: 8 * words, access: r}, squarings: {value: squarings},
             factor: {buffer: factor, bytes: 8 * words, access: r}, words: {value: words} }
     aliasing: out == base and out == factor allowed
     stack: compiler
     secrets: out, base, factor
*/
void hanji_aimer_pmull_power(uint64_t *out, const uint64_t *base, uint32_t squarings,
                             const uint64_t *factor, uint32_t words)
{
    power_of_sets(out, base, squarings, factor, words);
}

#endif
