/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks of ESCH with the state in two vectors (sparkle_halves.h). A kernel file for AVX2 or
 * AVX-512 includes this.
 */
#ifndef HANJI_SPARKLE_ESCH_HALVES_H
#define HANJI_SPARKLE_ESCH_HALVES_H

#include "sparkle/esch.h"
#include "sparkle/sparkle_halves.h"

/*
 * The Feistel injection (section 2.2) of a block p0 q0 p1 q1: what it adds to a state, and the
 * number of the next step.
 */
HANJI_INLINE halves injection(__m128i m, uint32_t half)
{
    const __m128i both = _mm_xor_si128(m, _mm_shuffle_epi32(m, 0x4e));
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

/* Blocks that are not the last. */
HANJI_INLINE void blocks_into(halves *s, const uint8_t *message, size_t blocks, uint32_t half)
{
    for (; blocks > 0; blocks--, message += 16) {
        const halves added = injection(_mm_loadu_si128((const __m128i *)message), half);
        s->x = sum(s->x, added.x);
        s->y = sum(s->y, added.y);
        halves_slim(s, half);
    }
}

/* The last block of a message, of half 3 or 4, with the domain of its length. */
HANJI_INLINE void last_into(halves *s, __m128i block, uint32_t domain, uint32_t half)
{
    const int d = (int)(domain << 8); /* <<< 24, turned */
    const halves added = injection(block, half);
    s->x = sum(s->x, added.x);
    s->y = sum(sum(s->y, added.y), half == 3 ? _mm256_setr_epi32(0, 0, d, 0, 0, 0, 0, 0)
                                             : _mm256_setr_epi32(0, 0, 0, d, 0, 0, 0, 0));
    halves_big(s, half);
}

/* A block of output. */
HANJI_INLINE __m128i output_of(halves s)
{
    return _mm_unpacklo_epi32(_mm256_castsi256_si128(s.x), _mm256_castsi256_si128(turned(s.y)));
}

/* On to the next block of output. */
HANJI_INLINE void next_output(halves *s, uint32_t half)
{
    s->y = sum(s->y, first_number());
    halves_slim(s, half);
}

/* The state as words of an outer and an inner part. */
HANJI_INLINE void absorb_blocks(uint32_t *state, const uint8_t *message, size_t blocks,
                                uint32_t rate, uint32_t capacity)
{
    uint8_t *bytes = (uint8_t *)state;
    halves s =
        state_of(load_chunk(bytes, rate), load_chunk(bytes + 4 * rate, capacity), rate, capacity);
    s.y = sum(s.y, first_number()); /* it comes with every injection */
    blocks_into(&s, message, blocks, HALF_OF);
    const __m256i y = turned(s.y);
    store_chunk(bytes, outer_of(s.x, y, rate, capacity), rate);
    store_chunk(bytes + 4 * rate, inner_of(s.x, y, rate, capacity), capacity);
}

/* From such a state to the first blocks of output. */
HANJI_INLINE void end_message(uint32_t *state, uint8_t *out, size_t blocks, const uint8_t *last,
                              uint32_t domain, uint32_t rate, uint32_t capacity)
{
    uint8_t *bytes = (uint8_t *)state;
    halves s =
        state_of(load_chunk(bytes, rate), load_chunk(bytes + 4 * rate, capacity), rate, capacity);
    s.y = sum(s.y, first_number()); /* it comes with every injection */
    last_into(&s, _mm_loadu_si128((const __m128i *)last), domain, HALF_OF);
    for (size_t i = 0; i < blocks; i++) {
        if (i > 0)
            next_output(&s, HALF_OF);
        _mm_storeu_si128((__m128i *)(out + 16 * i), output_of(s));
    }
    const __m256i y = turned(s.y);
    store_chunk(bytes, outer_of(s.x, y, rate, capacity), rate);
    store_chunk(bytes + 4 * rate, inner_of(s.x, y, rate, capacity), capacity);
}

/* From the first byte of a message to the last of the output. */
HANJI_INLINE void whole_message(uint8_t *out, size_t out_bytes, const uint8_t *message,
                                size_t bytes, uint32_t domain, uint32_t half)
{
    const size_t blocks = bytes == 0 ? 0 : (bytes - 1) / 16, left = bytes - 16 * blocks;
    halves s = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    blocks_into(&s, message, blocks, half);
    last_into(&s,
              _mm_xor_si128(load_few(message + 16 * blocks, left),
                            _mm256_castsi256_si128(at_end(padding, left))),
              (left == 16 ? 2u : 1u) ^ domain, half);
    for (;;) {
        const __m128i block = output_of(s);
        if (out_bytes <= 16) {
            store_few(out, block, out_bytes);
            return;
        }
        _mm_storeu_si128((__m128i *)out, block);
        out += 16;
        out_bytes -= 16;
        next_output(&s, half);
    }
}

#endif
