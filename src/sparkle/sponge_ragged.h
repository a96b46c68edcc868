/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCHWAEMM and ESCH over messages anywhere and have lengths of their own: all lanes do the
 * same at the same time, and a lane that has nothing to do keeps its state. Included after
 * sparkle_vector.h. What the kernels do is said at hanji_lanes_ragged in sponge_lanes.h.
 */
#include "sparkle/sponge_uniform.h"

/*
 * A number out of a table, in a general register: compilers would otherwise take several at once
 * into a vector or a mask, which the scan of kernels for leaks takes for data.
 */
#define NUMBER(n) __asm__ volatile("" : "+r"(n))

/*
 * `bytes` bytes of every lane as eight words, from `at` bytes behind where it has them; with
 * `masked` as many as its mask has bits.
 */
HANJI_INLINE void take_ragged(lanes_word *d, const uint8_t *const *in, const uint32_t *mask,
                              size_t at, size_t bytes, int masked)
{
    vector r[8];
    UNROLL
    for (size_t i = 0; i < 16; i++) {
        const uint8_t *p = in[i];
        NUMBER(p);
        __m256i row;
        if (masked) {
            uint32_t bits = mask[i];
            NUMBER(bits);
            row = _mm256_maskz_loadu_epi8((__mmask32)bits, p + at);
        } else {
            row = load_part(p + at, bytes);
        }
        r[i & 7] = i < 8 ? _mm512_castsi256_si512(row) : _mm512_inserti64x4(r[i & 7], row, 1);
    }
    rows_to_words(d, r);
}

HANJI_INLINE void put_ragged(uint8_t *const *out, const uint32_t *mask, size_t at, size_t bytes,
                             const lanes_word *s, uint32_t words, int masked)
{
    vector r[8];
    lanes_word d[8];
    some_words(d, s, words);
    words_to_rows(r, d);
    UNROLL
    for (size_t i = 0; i < 16; i++) {
        uint8_t *p = out[i];
        NUMBER(p);
        const __m256i row =
            i < 8 ? _mm512_castsi512_si256(r[i & 7]) : _mm512_extracti64x4_epi64(r[i & 7], 1);
        if (masked) {
            uint32_t bits = mask[i];
            NUMBER(bits);
            _mm256_mask_storeu_epi8(p + at, (__mmask32)bits, row);
        } else {
            store_part(p + at, bytes, row);
        }
    }
}

/* One number of every lane, in the order of the states. */
HANJI_INLINE lanes_word take_numbers(const uint32_t *numbers)
{
    const vector v = vector_load((const uint8_t *)numbers);
    return (lanes_word)_mm512_shuffle_i32x4(v, v, 0xd8);
}

/* The states of `active` lanes; the others stay as they are. */
HANJI_INLINE void store_active(uint32_t *state, const lanes_word *s, uint32_t words,
                               uint32_t active)
{
    const __mmask16 these =
        (__mmask16)((active & 0xf00f) | (active & 0x00f0) << 4 | (active & 0x0f00) >> 4);
    UNROLL
    for (uint32_t w = 0; w < words; w++)
        _mm512_mask_storeu_epi32(state + w * LANES, these, (vector)s[w]);
}

/*
 * keep and pad of word w in lanes with `left` bytes: shifts by 32 and more, and by what is less
 * than 0, give 0.
 */
HANJI_INLINE lanes_word kept_of(lanes_word left, uint32_t w)
{
    const vector shift = _mm512_max_epi32((vector)((left << 3) - 32 * w), _mm512_setzero_si512());
    return (lanes_word)_mm512_sllv_epi32(_mm512_set1_epi32(1), shift) - 1;
}

HANJI_INLINE lanes_word padding_of(lanes_word left, uint32_t w)
{
    return (lanes_word)_mm512_sllv_epi32(_mm512_set1_epi32(0x80), (vector)((left << 3) - 32 * w));
}

HANJI_INLINE void ragged_begin(uint32_t *state, const hanji_lanes_ragged *r, uint32_t rate,
                               uint32_t capacity, uint32_t big)
{
    lanes_word s[16], d[8];
    take_ragged(d, r->nonce, NULL, 0, 4 * (size_t)rate, 0);
    UNROLL
    for (uint32_t w = 0; w < rate; w++)
        s[w] = d[w];
    take_ragged(d, r->key, NULL, 0, 4 * (size_t)capacity, 0);
    UNROLL
    for (uint32_t w = 0; w < capacity; w++)
        s[rate + w] = d[w];
    permute_all(s, big, (rate + capacity) / 2);
    store_states(state, s, rate + capacity);
}

HANJI_INLINE void ragged_chunks(uint32_t *state, const hanji_lanes_ragged *r, size_t at,
                                size_t chunks, uint32_t active, int open, uint32_t rate,
                                uint32_t capacity, uint32_t slim, int masked)
{
    const lanes_word zero = {0}, opened = open ? ~zero : zero;
    const size_t chunk = 4 * (size_t)rate;
    lanes_word s[16], d[8];
    load_states(s, state, rate + capacity);
    for (; chunks > 0; chunks--, at += chunk) {
        take_ragged(d, r->in, r->mask, at, chunk, masked);
        vectors_schwaemm(s, d, NULL, NULL, opened, zero, zero, NULL, rate, capacity);
        if (!r->quiet)
            put_ragged(r->out, r->mask, at, chunk, d, rate, masked);
        permute_all(s, slim, (rate + capacity) / 2);
    }
    if (masked)
        store_active(state, s, rate + capacity, active);
    else
        store_states(state, s, rate + capacity);
}

HANJI_INLINE void ragged_last(uint32_t *state, const hanji_lanes_ragged *r, uint32_t active,
                              int open, uint32_t rate, uint32_t capacity, uint32_t big)
{
    const lanes_word zero = {0}, opened = open ? ~zero : zero, left = take_numbers(r->left);
    lanes_word s[16], d[8], keep[8], pad[8];
    load_states(s, state, rate + capacity);
    take_ragged(d, r->in, r->mask, 0, 0, 1);
    UNROLL
    for (uint32_t w = 0; w < rate; w++) {
        keep[w] = kept_of(left, w);
        pad[w] = padding_of(left, w);
        if (!open)
            d[w] ^= pad[w];
    }
    /* What is behind the message comes out as well, and is not stored. */
    vectors_schwaemm(s, d, keep, pad, opened, take_numbers(r->domain), zero, NULL, rate, capacity);
    if (!r->quiet)
        put_ragged(r->out, r->mask, 0, 0, d, rate, 1);
    permute_all(s, big, (rate + capacity) / 2);
    store_active(state, s, rate + capacity, active);
}

HANJI_INLINE void ragged_end(uint32_t *state, const hanji_lanes_ragged *r, uint32_t rate,
                             uint32_t capacity)
{
    lanes_word s[16], d[8];
    load_states(s, state, rate + capacity);
    take_ragged(d, r->key, NULL, 0, 4 * (size_t)capacity, 0);
    UNROLL
    for (uint32_t w = 0; w < capacity; w++)
        d[w] ^= s[rate + w];
    put_ragged(r->out, NULL, 0, 4 * (size_t)capacity, d, capacity, 0);
}

/* Pairs of whole blocks, with more to come. */
HANJI_INLINE void ragged_pairs(uint32_t *state, const hanji_lanes_ragged *r, size_t at,
                               size_t pairs, uint32_t active, uint32_t branches, uint32_t slim,
                               int masked)
{
    const lanes_word zero = {0};
    lanes_word s[16], d[8];
    load_states(s, state, 2 * branches);
    for (; pairs > 0; pairs--, at += 32) {
        take_ragged(d, r->in, r->mask, at, 32, masked);
        vectors_esch(s, d, zero, zero, branches);
        permute_all(s, slim, branches);
        vectors_esch(s, d + 4, zero, zero, branches);
        permute_all(s, slim, branches);
    }
    if (masked)
        store_active(state, s, 2 * branches, active);
    else
        store_states(state, s, 2 * branches);
}

/* One block, which may be the last. */
HANJI_INLINE void ragged_block(uint32_t *state, const hanji_lanes_ragged *r, uint32_t active,
                               uint32_t steps, uint32_t branches)
{
    const lanes_word zero = {0}, left = take_numbers(r->left);
    lanes_word s[16], d[8];
    load_states(s, state, 2 * branches);
    take_ragged(d, r->in, r->mask, 0, 0, 1);
    UNROLL
    for (uint32_t w = 0; w < 4; w++)
        d[w] ^= padding_of(left, w);
    vectors_esch(s, d, take_numbers(r->domain), zero, branches);
    permute_all(s, steps, branches);
    store_active(state, s, 2 * branches, active);
}

/* Up to 16 bytes of output of every lane. */
HANJI_INLINE void ragged_squeeze(const uint32_t *state, const hanji_lanes_ragged *r,
                                 uint32_t branches)
{
    lanes_word s[16];
    load_states(s, state, 2 * branches);
    put_ragged(r->out, r->mask, 0, 0, s, 4, 1);
}
