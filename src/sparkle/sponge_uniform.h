/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SCHWAEMM and ESCH over messages of one length that lie one after the other: all lanes do the same
 * at the same time, nothing is staged, and chunks are turned into words in registers. For vectors
 * of 64 bytes; included after sparkle_vector.h. What the kernels do is said at hanji_lanes_uniform in
 * sponge_lanes.h.
 */
HANJI_INLINE __m256i load_part(const uint8_t *p, size_t bytes)
{
    if (bytes == 32)
        return _mm256_loadu_si256((const __m256i *)(const void *)p);
    if (bytes == 16)
        return _mm256_zextsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)p));
    return _mm256_maskz_loadu_epi8((__mmask32)(0xffffffff >> (32 - bytes)), p);
}

HANJI_INLINE void store_part(uint8_t *p, size_t bytes, __m256i v)
{
    if (bytes == 32)
        _mm256_storeu_si256((__m256i *)(void *)p, v);
    else if (bytes == 16)
        _mm_storeu_si128((__m128i *)(void *)p, _mm256_castsi256_si128(v));
    else
        _mm256_mask_storeu_epi8(p, (__mmask32)(0xffffffff >> (32 - bytes)), v);
}

/*
 * The next lane. Volatile, because compilers would otherwise keep the distances of all lanes, for
 * which there are not enough registers.
 */
HANJI_INLINE size_t next_lane(size_t at, size_t stride)
{
    at += stride;
    __asm__ volatile("" : "+r"(at));
    return at;
}

/*
 * Rows of 32 bytes, those of lanes i and i + 8 in vector i, to eight words of every lane. Lanes
 * stand in vectors in the order in which the transpose leaves them: 0 to 3, 8 to 11, 4 to 7, 12 to
 * 15. Only words of the state are in that order, and words_to_rows undoes it.
 */
HANJI_INLINE void rows_to_words(lanes_word *d, vector *r)
{
    vector t[8];
    UNROLL
    for (size_t i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
    }
    UNROLL
    for (size_t i = 0; i < 8; i += 4) {
        r[i] = _mm512_unpacklo_epi64(t[i], t[i + 2]);
        r[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 2]);
        r[i + 2] = _mm512_unpacklo_epi64(t[i + 1], t[i + 3]);
        r[i + 3] = _mm512_unpackhi_epi64(t[i + 1], t[i + 3]);
    }
    UNROLL
    for (size_t w = 0; w < 4; w++) {
        d[w] = (lanes_word)_mm512_shuffle_i64x2(r[w], r[w + 4], 0x88);
        d[w + 4] = (lanes_word)_mm512_shuffle_i64x2(r[w], r[w + 4], 0xdd);
    }
}

HANJI_INLINE void words_to_rows(vector *r, const lanes_word *d)
{
    const vector low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11),
                 high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    vector t[8];
    UNROLL
    for (size_t w = 0; w < 4; w++) {
        r[w] = _mm512_permutex2var_epi64((vector)d[w], low, (vector)d[w + 4]);
        r[w + 4] = _mm512_permutex2var_epi64((vector)d[w], high, (vector)d[w + 4]);
    }
    UNROLL
    for (size_t i = 0; i < 8; i += 4) {
        t[i] = _mm512_unpacklo_epi32(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpacklo_epi32(r[i + 2], r[i + 3]);
        t[i + 2] = _mm512_unpackhi_epi32(r[i], r[i + 1]);
        t[i + 3] = _mm512_unpackhi_epi32(r[i + 2], r[i + 3]);
    }
    UNROLL
    for (size_t i = 0; i < 8; i += 2) {
        r[i] = _mm512_unpacklo_epi64(t[i], t[i + 1]);
        r[i + 1] = _mm512_unpackhi_epi64(t[i], t[i + 1]);
    }
}

/*
 * `bytes` bytes, 1 to 32, of every lane as eight words, zero behind them; lane l is at in + l *
 * stride.
 */
HANJI_INLINE void take_words(lanes_word *d, const uint8_t *in, size_t stride, size_t bytes)
{
    vector r[8];
    size_t at = 0;
    UNROLL
    for (size_t i = 0; i < 8; i++, at = next_lane(at, stride))
        r[i] = _mm512_castsi256_si512(load_part(in + at, bytes));
    UNROLL
    for (size_t i = 0; i < 8; i++, at = next_lane(at, stride))
        r[i] = _mm512_inserti64x4(r[i], load_part(in + at, bytes), 1);
    rows_to_words(d, r);
}

/*
 * The bytes at `ahead` behind those that take_words takes come into the cache meanwhile: so many
 * short rows are more than processors foresee.
 */
HANJI_INLINE void expect_words(const uint8_t *in, size_t stride, size_t ahead)
{
    size_t at = ahead;
    UNROLL
    for (size_t i = 0; i < 16; i++, at = next_lane(at, stride))
        _mm_prefetch((const char *)in + at, _MM_HINT_T0);
}

HANJI_INLINE void put_words(uint8_t *out, size_t stride, size_t bytes, const lanes_word *d)
{
    vector r[8];
    words_to_rows(r, d);
    size_t at = 0;
    UNROLL
    for (size_t i = 0; i < 8; i++, at = next_lane(at, stride))
        store_part(out + at, bytes, _mm512_castsi512_si256(r[i]));
    UNROLL
    for (size_t i = 0; i < 8; i++, at = next_lane(at, stride))
        store_part(out + at, bytes, _mm512_extracti64x4_epi64(r[i], 1));
}

/* Some words of a chunk of eight are unused; the compiler must know that they have a value. */
HANJI_INLINE void some_words(lanes_word *d, const lanes_word *s, uint32_t words)
{
    const lanes_word zero = {0};
    UNROLL
    for (uint32_t w = 0; w < 8; w++)
        d[w] = w < words ? s[w] : zero;
}

HANJI_INLINE void put_some(uint8_t *out, size_t stride, size_t bytes, const lanes_word *s,
                           uint32_t words)
{
    lanes_word d[8];
    some_words(d, s, words);
    put_words(out, stride, bytes, d);
}

HANJI_INLINE void permute_all(lanes_word *s, uint32_t steps, uint32_t branches)
{
    lanes_word x[8], y[8];
    UNROLL
    for (uint32_t j = 0; j < branches; j++) {
        x[j] = s[2 * j];
        y[j] = s[2 * j + 1];
    }
    STEPS(x, y, 0, steps, branches);
    UNROLL
    for (uint32_t j = 0; j < branches; j++) {
        s[2 * j] = x[j];
        s[2 * j + 1] = y[j];
    }
}

/* The bytes of word w that belong to a last chunk of `bytes` bytes, and the padding behind them. */
HANJI_INLINE uint32_t kept_bytes(uint32_t w, size_t bytes)
{
    return bytes >= 4 * w + 4 ? UINT32_MAX
           : bytes <= 4 * w   ? 0
                              : UINT32_MAX >> (32 - 8 * (bytes - 4 * w));
}

HANJI_INLINE uint32_t padding(uint32_t w, size_t bytes)
{
    return bytes / 4 == w ? (uint32_t)0x80 << 8 * (bytes % 4) : 0;
}

HANJI_INLINE void uniform_begin(uint32_t *state, const uint8_t *nonces, const uint8_t *keys,
                                size_t key_stride, uint32_t rate, uint32_t capacity, uint32_t big)
{
    lanes_word s[16], d[8];
    take_words(d, nonces, 4 * (size_t)rate, 4 * (size_t)rate);
    UNROLL
    for (uint32_t w = 0; w < rate; w++)
        s[w] = d[w];
    take_words(d, keys, key_stride, 4 * (size_t)capacity);
    UNROLL
    for (uint32_t w = 0; w < capacity; w++)
        s[rate + w] = d[w];
    permute_all(s, big, (rate + capacity) / 2);
    store_states(state, s, rate + capacity);
}

/*
 * Whole chunks, each with more to come. Functions of their own for these and for the last one have
 * registers enough.
 */
HANJI_INLINE void uniform_whole(uint32_t *state, uint8_t *out, const uint8_t *in, size_t bytes,
                                size_t chunks, size_t ahead, int open, uint32_t rate,
                                uint32_t capacity, uint32_t slim)
{
    const lanes_word zero = {0}, opened = open ? ~zero : zero;
    const size_t chunk = 4 * (size_t)rate;
    lanes_word s[16], d[8];
    load_states(s, state, rate + capacity);
    for (; chunks > 0; chunks--, in += chunk) {
        take_words(d, in, bytes, chunk);
        if (ahead != 0)
            expect_words(in, bytes, ahead);
        vectors_schwaemm(s, d, NULL, NULL, opened, zero, zero, NULL, rate, capacity);
        if (out != NULL) {
            put_some(out, bytes, chunk, d, rate);
            out += chunk;
        }
        permute_all(s, slim, (rate + capacity) / 2);
    }
    store_states(state, s, rate + capacity);
}

/*
 * The last chunk, of `left` bytes, of messages at a distance of `bytes`; the domain is shifted, and
 * says whether the chunk is full.
 */
HANJI_INLINE void uniform_last(uint32_t *state, uint8_t *out, const uint8_t *in, size_t bytes,
                               size_t left, uint32_t domain, int open, uint32_t rate,
                               uint32_t capacity, uint32_t big)
{
    const lanes_word zero = {0}, opened = open ? ~zero : zero;
    lanes_word s[16], d[8], keep[8], pad[8];
    load_states(s, state, rate + capacity);
    take_words(d, in, bytes, left);
    UNROLL
    for (uint32_t w = 0; w < rate; w++) {
        keep[w] = W(splat)(kept_bytes(w, left));
        pad[w] = W(splat)(padding(w, left));
        if (!open)
            d[w] ^= pad[w];
    }
    /* What is behind the message comes out as well, and is not stored. */
    vectors_schwaemm(s, d, keep, pad, opened, W(splat)(domain), zero, NULL, rate, capacity);
    if (out != NULL)
        put_some(out, bytes, left, d, rate);
    permute_all(s, big, (rate + capacity) / 2);
    store_states(state, s, rate + capacity);
}

HANJI_INLINE void uniform_end(uint8_t *tags, const uint32_t *state, const uint8_t *keys,
                              size_t key_stride, uint32_t rate, uint32_t capacity)
{
    lanes_word s[16], d[8];
    load_states(s, state, rate + capacity);
    take_words(d, keys, key_stride, 4 * (size_t)capacity);
    UNROLL
    for (uint32_t w = 0; w < capacity; w++)
        d[w] ^= s[rate + w];
    put_some(tags, 4 * (size_t)capacity, 4 * (size_t)capacity, d, capacity);
}

/* Pairs of whole blocks, with more to come: two blocks are turned into words together. */
HANJI_INLINE void uniform_pairs(uint32_t *state, const uint8_t *in, size_t bytes, size_t pairs,
                                uint32_t branches, uint32_t slim)
{
    const lanes_word zero = {0};
    lanes_word s[16], d[8];
    load_states(s, state, 2 * branches);
    for (; pairs > 0; pairs--, in += 32) {
        take_words(d, in, bytes, 32);
        vectors_esch(s, d, zero, zero, branches);
        permute_all(s, slim, branches);
        vectors_esch(s, d + 4, zero, zero, branches);
        permute_all(s, slim, branches);
    }
    store_states(state, s, 2 * branches);
}

/* One block of `left` bytes, 0 to 16, with the domain shifted. */
HANJI_INLINE void uniform_block(uint32_t *state, const uint8_t *in, size_t bytes, size_t left,
                                uint32_t domain, uint32_t steps, uint32_t branches)
{
    const lanes_word zero = {0};
    lanes_word s[16], d[8];
    load_states(s, state, 2 * branches);
    UNROLL
    for (uint32_t w = 0; w < 8; w++)
        d[w] = zero;
    if (left > 0)
        take_words(d, in, bytes, left);
    UNROLL
    for (uint32_t w = 0; w < 4; w++)
        d[w] ^= W(splat)(padding(w, left));
    vectors_esch(s, d, W(splat)(domain), zero, branches);
    permute_all(s, steps, branches);
    store_states(state, s, 2 * branches);
}

HANJI_INLINE void uniform_squeeze(uint32_t *state, uint8_t *out, size_t out_bytes, size_t part,
                                  uint32_t branches)
{
    lanes_word s[16];
    load_states(s, state, 2 * branches);
    put_some(out, out_bytes, part, s, 4);
}

HANJI_INLINE void uniform_slim(uint32_t *state, uint32_t slim, uint32_t branches)
{
    lanes_word s[16];
    load_states(s, state, 2 * branches);
    permute_all(s, slim, branches);
    store_states(state, s, 2 * branches);
}
