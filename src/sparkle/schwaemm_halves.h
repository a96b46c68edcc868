/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One message of SCHWAEMM with the state in two vectors from the first to the last byte
 * (sparkle_halves.h). A kernel file for AVX2 or AVX-512 includes this.
 *
 * Where words of SCHWAEMM192-192 go from x to y, an instance takes both; in the other three the
 * halves of the outer part are whole branches, and x and y go the same way.
 */
#ifndef HANJI_SPARKLE_SCHWAEMM_HALVES_H
#define HANJI_SPARKLE_SCHWAEMM_HALVES_H

#include "sparkle/sparkle_halves.h"
#include "support/secret.h"

/* The x of the words of a chunk, where the state has them, 0 elsewhere; or their y. */
HANJI_INLINE __m256i x_of(__m256i chunk, uint32_t rate, uint32_t capacity)
{
    if (IS_256_128)
        return SOME_WORDS(0x17, chunk, 0, 2, 4, 7, 6, 7, 7, 7);
    if (IS_192_192)
        return SOME_WORDS(0x07, chunk, 0, 2, 4, 7, 7, 7, 7, 7);
    if (IS_128_128)
        return SOME_WORDS(0x03, chunk, 0, 2, 7, 7, 7, 7, 7, 7);
    return SOME_WORDS(0x0f, chunk, 0, 2, 4, 6, 7, 7, 7, 7);
}

HANJI_INLINE __m256i y_of(__m256i chunk, uint32_t rate, uint32_t capacity)
{
    if (IS_256_128)
        return SOME_WORDS(0x17, chunk, 1, 3, 5, 7, 7, 7, 7, 7);
    if (IS_192_192)
        return SOME_WORDS(0x07, chunk, 1, 3, 5, 7, 7, 7, 7, 7);
    if (IS_128_128)
        return SOME_WORDS(0x03, chunk, 1, 3, 7, 7, 7, 7, 7, 7);
    return SOME_WORDS(0x0f, chunk, 1, 3, 5, 7, 7, 7, 7, 7);
}

/*
 * FeistelSwap(L) ^ D ^ W(R), of x or of y, with R where it is; of a text that is opened, L is
 * added, because what is absorbed is ciphertext ^ L.
 */
HANJI_INLINE __m256i swapped(__m256i v, __m256i chunk, int open, uint32_t rate, uint32_t capacity)
{
    __m256i first, second, inner;
    if (IS_256_128) {
        first = open ? WORDS(v, 2, 4, 0, 7, 1, 5, 6, 7) : WORDS(v, 2, 4, 2, 7, 4, 5, 6, 7);
        second = open ? SOME(0x03, v) : SOME_WORDS(0x14, v, 7, 7, 0, 7, 1, 7, 7, 7);
        inner = SOME_WORDS(0x17, v, 5, 6, 5, 7, 6, 7, 7, 7);
    } else if (IS_128_128) {
        first = open ? WORDS(v, 1, 0, 7, 7, 4, 5, 7, 7) : WORDS(v, 1, 1, 7, 7, 4, 5, 7, 7);
        second = open ? SOME(0x01, v) : SOME_WORDS(0x02, v, 7, 0, 7, 7, 7, 7, 7, 7);
        inner = SOME_WORDS(0x03, v, 4, 5, 7, 7, 7, 7, 7, 7);
    } else {
        first = open ? WORDS(v, 2, 3, 0, 1, 4, 5, 6, 7) : WORDS(v, 2, 3, 2, 3, 4, 5, 6, 7);
        second = open ? SOME(0x03, v) : SOME_WORDS(0x0c, v, 7, 7, 0, 1, 7, 7, 7, 7);
        inner = SOME_WORDS(0x0f, v, 4, 5, 6, 7, 7, 7, 7, 7);
    }
    return sum(sum(first, second), sum(inner, chunk));
}

/* The same of both, and the number of the next step. When opening, `chunk` is ciphertext. */
HANJI_INLINE void absorb(halves *s, __m256i chunk, int open, uint32_t rate, uint32_t capacity)
{
    if (IS_192_192) {
        /* the halves are x0 y0 x1 and y1 x2 y2 */
        const __m256i x = s->x, y = turned(s->y);
        const __m256i y1_y2 = WORDS(y, 1, 2, 0, 7, 7, 7, 7, 7),
                      x2 = WORDS(x, 2, 0, 1, 7, 7, 7, 7, 7),
                      inner_x = SOME_WORDS(0x07, x, 4, 5, 6, 7, 7, 7, 7, 7),
                      inner_y = SOME_WORDS(0x07, y, 4, 5, 6, 7, 7, 7, 7, 7);
        /* to the left y1 y2 (x2 ^ y0) and x2 (y1 ^ x0) (y2 ^ x1) */
        __m256i to_x =
                    sum(_mm256_blend_epi32(x, y1_y2, 0x07), open ? SOME(0x03, x) : SOME(0x04, x)),
                to_y = open ? _mm256_blend_epi32(y, x2, 0x07)
                            : sum(_mm256_blend_epi32(y, x2, 0x01), SOME(0x06, x2));
        if (open)
            to_y = sum(to_y, SOME(0x01, y));
        s->x = sum(sum(to_x, inner_x), x_of(chunk, rate, capacity));
        s->y = sum(turned(sum(sum(to_y, inner_y), y_of(chunk, rate, capacity))), first_number());
        return;
    }
    const __m256i x = x_of(chunk, rate, capacity),
                  y = sum(turned(y_of(chunk, rate, capacity)), first_number());
    s->x = swapped(s->x, x, open, rate, capacity);
    s->y = swapped(s->y, y, open, rate, capacity);
}

/* Ones in so many bytes of a vector. */
#define ONES 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff
static const uint8_t kept[64] = {ONES, ONES, ONES, ONES};

/* Bits of the last word of the state, turned. */
HANJI_INLINE void add_domain(halves *s, uint32_t kind, uint32_t rate, uint32_t capacity)
{
    const int d = (int)((1u << capacity / 2 ^ kind) << 8);
    if (IS_256_128 || IS_192_192)
        s->y = sum(s->y, _mm256_setr_epi32(0, 0, 0, 0, 0, 0, d, 0));
    else if (IS_128_128)
        s->y = sum(s->y, _mm256_setr_epi32(0, 0, 0, 0, 0, d, 0, 0));
    else
        s->y = sum(s->y, _mm256_setr_epi32(0, 0, 0, 0, 0, 0, 0, d));
}

/* The whole message; what it writes as tag is the tag, also when opening. */
HANJI_INLINE void message(uint8_t *out, uint8_t *tag, const uint8_t *in, size_t bytes,
                          const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce,
                          const uint8_t *key, int open, uint32_t rate, uint32_t capacity)
{
    const size_t chunk_bytes = 4 * (size_t)rate;
    const __m256i k = load_chunk(key, capacity);
    halves s = state_of(load_chunk(nonce, rate), k, rate, capacity);
    halves_big(&s, HALF_OF);
    if (ad_bytes > 0) {
        for (; ad_bytes > chunk_bytes; ad_bytes -= chunk_bytes, ad += chunk_bytes) {
            absorb(&s, load_chunk(ad, rate), 0, rate, capacity);
            halves_slim(&s, HALF_OF);
        }
        const int full = ad_bytes == chunk_bytes;
        const __m256i d =
            full ? load_chunk(ad, rate) : sum(load_part(ad, ad_bytes), at_end(padding, ad_bytes));
        add_domain(&s, full ? 1 : 0, rate, capacity);
        absorb(&s, d, 0, rate, capacity);
        halves_big(&s, HALF_OF);
    }
    if (bytes > 0) {
        for (; bytes > chunk_bytes; bytes -= chunk_bytes, in += chunk_bytes, out += chunk_bytes) {
            const __m256i d = load_chunk(in, rate);
            const halves before = s;
            absorb(&s, d, open, rate, capacity);
            /* the state waits for what is absorbed, nothing waits for this */
            store_chunk(out, sum(d, outer_of(before.x, turned(before.y), rate, capacity)), rate);
            halves_slim(&s, HALF_OF);
        }
        const __m256i outer = outer_of(s.x, turned(s.y), rate, capacity);
        const int full = bytes == chunk_bytes;
        __m256i d;
        if (full) {
            d = load_chunk(in, rate);
            const __m256i changed = sum(d, outer);
            store_chunk(out, changed, rate);
            if (open)
                d = changed;
        } else {
            d = load_part(in, bytes);
            const __m256i changed = sum(d, outer);
            store_part(out, changed, bytes);
            if (open)
                d = _mm256_and_si256(changed, at_end(kept, bytes));
            d = sum(d, at_end(padding, bytes));
        }
        add_domain(&s, full ? 3 : 2, rate, capacity);
        absorb(&s, d, 0, rate, capacity);
        halves_big(&s, HALF_OF);
    }
    store_chunk(tag, sum(k, inner_of(s.x, turned(s.y), rate, capacity)), capacity);
}

/* One kernel; words of rate and capacity. `open` gives the tag that there should be. */
#define MESSAGE(function, open, rate, capacity)                                                   \
    void function(uint8_t *out, uint8_t *tag, const uint8_t *in, size_t bytes, const uint8_t *ad, \
                  size_t ad_bytes, const uint8_t *nonce, const uint8_t *key)                      \
    {                                                                                             \
        message(out, tag, in, bytes, ad, ad_bytes, nonce, key, open, rate, capacity);             \
    }

#endif
