/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels whose arguments fit in six registers: counts and strides, all public, in one word. */
#ifndef HANJI_AIMER_PACKED_H
#define HANJI_AIMER_PACKED_H

#include "aimer/aimer.h"

/*
 * Words of an element, how many terms (or whether to accumulate), and strides in words, at most 8 *
 * 6 * 4 but for that of terms, at most 8 * 8 * 4.
 */
#define SHAPE(words, count, out, base, in, term)                                                  \
    ((uint64_t)(words) | (uint64_t)(count) << 4 | (uint64_t)(out) << 8 | (uint64_t)(base) << 20 | \
     (uint64_t)(in) << 32 | (uint64_t)(term) << 44)
#define SHAPE_WORDS(shape) ((uint32_t)(shape)&15)
#define SHAPE_COUNT(shape) ((uint32_t)((shape) >> 4) & 15)
#define SHAPE_OUT(shape) ((size_t)((shape) >> 8) & 4095)
#define SHAPE_BASE(shape) ((size_t)((shape) >> 20) & 4095)
#define SHAPE_IN(shape) ((size_t)((shape) >> 32) & 4095)
#define SHAPE_TERM(shape) ((size_t)((shape) >> 44) & 4095)

void hanji_aimer_avx512_apply(uint64_t *out, const uint64_t *in, size_t octets, const void *matrix,
                              uint64_t shape);
void hanji_aimer_avx512_products(uint64_t *out, const uint64_t *base, const uint64_t *in,
                                 const uint64_t *coefficients, size_t octets, uint64_t shape);

hanji_aimer_apply_fn hanji_aimer_packed_apply;
hanji_aimer_products_fn hanji_aimer_packed_products;

#endif
