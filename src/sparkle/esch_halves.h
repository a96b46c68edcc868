/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of ESCH with the state in two vectors (sparkle_halves.h). A kernel file for AVX2 or
 * AVX-512 includes this.
 */
#ifndef HANJI_SPARKLE_ESCH_HALVES_H
#define HANJI_SPARKLE_ESCH_HALVES_H

#include "sparkle/esch.h"
#include "sparkle/sparkle_halves.h"

/* The Feistel injection (section 2.2): what it adds to a state, and the number of the next step. */
HANJI_INLINE halves injection(const uint8_t *block, uint32_t half)
{
    const __m128i m = _mm_loadu_si128((const __m128i *)block), /* p0 q0 p1 q1 */
        both = _mm_xor_si128(m, _mm_shuffle_epi32(m, 0x4e));
    const __m256i words = _mm256_zextsi128_si256(m),
                  l = _mm256_zextsi128_si256(_mm_xor_si128(both, _mm_slli_epi32(both, 16)));
    const __m256i x = WORDS(turned(l), 1, 1, 1, 1, 7, 7, 7, 7),
                  y = WORDS(l, 0, 0, 0, 0, 7, 7, 7, 7);
    return (halves){
        sum(half == 3 ? SOME(0x07, x) : x, SOME_WORDS(0x03, words, 0, 2, 7, 7, 7, 7, 7, 7)),
        sum(sum(half == 3 ? SOME(0x07, y) : y,
                turned(SOME_WORDS(0x03, words, 1, 3, 7, 7, 7, 7, 7, 7))),
            first_number())};
}

/* The state as words of an outer and an inner part. */
HANJI_INLINE void absorb_blocks(uint32_t *state, const uint8_t *message, size_t blocks,
                                uint32_t rate, uint32_t capacity)
{
    uint8_t *bytes = (uint8_t *)state;
    halves s =
        state_of(load_chunk(bytes, rate), load_chunk(bytes + 4 * rate, capacity), rate, capacity);
    s.y = sum(s.y, first_number()); /* it comes with every injection */
    for (; blocks > 0; blocks--, message += 16) {
        const halves added = injection(message, HALF_OF);
        s.x = sum(s.x, added.x);
        s.y = sum(s.y, added.y);
        halves_slim(&s, HALF_OF);
    }
    const __m256i y = turned(s.y);
    store_chunk(bytes, outer_of(s.x, y, rate, capacity), rate);
    store_chunk(bytes + 4 * rate, inner_of(s.x, y, rate, capacity), capacity);
}

#endif
