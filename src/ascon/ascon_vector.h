/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ascon-p in vectors, a lane of 64 bits for each message, in two or three groups side by side that
 * hide each other's latency. Included by the files of kernels with VECTOR_BYTES 64 (AVX-512) or 32
 * (AVX2).
 *
 * Between rounds S2 has the constant of the next round already: round_lanes() adds it at the end of
 * the round before. So a permutation needs S2 ^ FIRST(its first constant) at its beginning, and a
 * table whose end says what comes next: the same again, or nothing.
 */
#include <immintrin.h>

#include "ascon/ascon_lanes.h"
#include "support/bytes.h"

#if defined(__clang__)
#define UNROLL _Pragma("clang loop unroll(full)")
#define KEEP_LOOP _Pragma("clang loop unroll(disable)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#define KEEP_LOOP _Pragma("GCC unroll 1")
#endif

#ifndef GROUPS
#define GROUPS 2
#endif
#define LANES (VECTOR_BYTES / 8) /* of a group */
#define ALL_LANES (GROUPS * LANES)

/* The table for a step: its addresses are too many to stay in registers. */
#define RELOAD(table) __asm__ volatile("" : "+r"(table))

/*
 * An address out of a table, in a general register: compilers otherwise take several at once into a
 * vector, and the scan of kernels for leaks takes them for data.
 */
HANJI_INLINE const uint8_t *source(const uint8_t *const *in, size_t lane)
{
    const uint8_t *p = in[lane];
    __asm__ volatile("" : "+r"(p));
    return p;
}

HANJI_INLINE uint8_t *target(uint8_t *const *out, size_t lane)
{
    uint8_t *p = out[lane];
    __asm__ volatile("" : "+r"(p));
    return p;
}

#if VECTOR_BYTES == 64

typedef __m512i vec;

#define XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define ROTR(v, r) _mm512_ror_epi64(v, r)

HANJI_INLINE vec splat(uint64_t n)
{
    return _mm512_set1_epi64((long long)n);
}

HANJI_INLINE vec load(const void *p)
{
    return _mm512_loadu_si512(p);
}

HANJI_INLINE void store(void *p, vec v)
{
    _mm512_storeu_si512(p, v);
}

/*
 * The constants of rounds 5 to 15, pulled back through the linear layer of S2: so a constant goes
 * into the S-box of the round before, where an operation has an operand to spare. NEXT(c) is the
 * same for the first constant of the next permutation.
 */
#define NEXT_P12 0x07eacdda4e2f2861
#define NEXT_P8 0xc5e51841fab37649
#define NOTHING_NEXT 0
#define CONSTANTS                                                                       \
    0x376938bca3083feb, 0x66ed271794610775, 0x566ed271794610ff, 0xc5e51841fab37649,     \
        0xf566ed27179461c3, 0xa4e2f28c20fd595d, 0x946107eacdda4ed7, 0x83f566ed27179430, \
        0xb376938bca3083ba, 0xe2f28c20fd59bb24, 0xd2717946107eacae

/*
 * The S-box in eleven operations of depth two, of three operands each; then the linear layer. An
 * operation writes over its first operand: in this order gcc 12 copies five words, which is the
 * least, and in others up to twelve.
 */
HANJI_INLINE void round_lanes(vec *x, uint64_t constant)
{
    const vec x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4];
    const vec part3 = _mm512_ternarylogic_epi64(x4, x0, x3, 0xde);
    const vec part4 = _mm512_ternarylogic_epi64(x0, x1, x4, 0x2e);
    const vec part2 = _mm512_ternarylogic_epi64(x4, x3, x2, 0x65);
    const vec part0 = _mm512_ternarylogic_epi64(x1, x4, x3, 0x9a);
    const vec y2 = XOR3(part2, x1, splat(constant));
    const vec part1 = _mm512_ternarylogic_epi64(x1, x2, x3, 0x7e);
    const vec y3 = XOR3(part3, x1, x2);
    const vec y1 = XOR3(part1, x4, x0);
    const vec y4 = _mm512_xor_si512(x3, part4);
    const vec rest0 = _mm512_ternarylogic_epi64(x0, x1, x2, 0x12);
    const vec y0 = _mm512_xor_si512(part0, rest0);
    x[2] = XOR3(ROTR(y2, 1), ROTR(y2, 6), y2);
    x[3] = XOR3(ROTR(y3, 10), ROTR(y3, 17), y3);
    x[1] = XOR3(ROTR(y1, 61), ROTR(y1, 39), y1);
    x[4] = XOR3(ROTR(y4, 7), ROTR(y4, 41), y4);
    x[0] = XOR3(ROTR(y0, 19), ROTR(y0, 28), y0);
}

/* Eight rows of eight words, transposed. */
HANJI_INLINE void transpose(vec *r)
{
    vec t[8], u[8];
    UNROLL
    for (size_t i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_epi64(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_epi64(r[i], r[i + 1]);
    }
    UNROLL
    for (size_t odd = 0; odd < 2; odd++) {
        u[4 * odd] = _mm512_shuffle_i64x2(t[odd], t[2 + odd], 0x44);
        u[4 * odd + 1] = _mm512_shuffle_i64x2(t[odd], t[2 + odd], 0xee);
        u[4 * odd + 2] = _mm512_shuffle_i64x2(t[4 + odd], t[6 + odd], 0x44);
        u[4 * odd + 3] = _mm512_shuffle_i64x2(t[4 + odd], t[6 + odd], 0xee);
    }
    UNROLL
    for (size_t odd = 0; odd < 2; odd++) {
        r[odd] = _mm512_shuffle_i64x2(u[4 * odd], u[4 * odd + 2], 0x88);
        r[2 + odd] = _mm512_shuffle_i64x2(u[4 * odd], u[4 * odd + 2], 0xdd);
        r[4 + odd] = _mm512_shuffle_i64x2(u[4 * odd + 1], u[4 * odd + 3], 0x88);
        r[6 + odd] = _mm512_shuffle_i64x2(u[4 * odd + 1], u[4 * odd + 3], 0xdd);
    }
}

HANJI_INLINE __m128i load16(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

HANJI_INLINE void store16(uint8_t *p, __m128i v)
{
    _mm_storeu_si128((__m128i *)(void *)p, v);
}

/* Two words of each lane. Even and odd lanes first, so unpacking gives the order of lanes. */
HANJI_INLINE void load_pairs(vec *d, const uint8_t *const *in, size_t at)
{
    vec half[2];
    UNROLL
    for (size_t odd = 0; odd < 2; odd++) {
        vec v = _mm512_castsi128_si512(load16(source(in, odd) + at));
        v = _mm512_inserti64x2(v, load16(source(in, odd + 2) + at), 1);
        v = _mm512_inserti64x2(v, load16(source(in, odd + 4) + at), 2);
        half[odd] = _mm512_inserti64x2(v, load16(source(in, odd + 6) + at), 3);
    }
    d[0] = _mm512_unpacklo_epi64(half[0], half[1]);
    d[1] = _mm512_unpackhi_epi64(half[0], half[1]);
}

HANJI_INLINE void store_pairs(uint8_t *const *out, size_t at, const vec *d)
{
    const vec half[2] = {_mm512_unpacklo_epi64(d[0], d[1]), _mm512_unpackhi_epi64(d[0], d[1])};
    UNROLL
    for (size_t odd = 0; odd < 2; odd++) {
        store16(target(out, odd) + at, _mm512_castsi512_si128(half[odd]));
        store16(target(out, odd + 2) + at, _mm512_extracti64x2_epi64(half[odd], 1));
        store16(target(out, odd + 4) + at, _mm512_extracti64x2_epi64(half[odd], 2));
        store16(target(out, odd + 6) + at, _mm512_extracti64x2_epi64(half[odd], 3));
    }
}

#else

typedef __m256i vec;

#define XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define ROTR(v, r) _mm256_or_si256(_mm256_srli_epi64(v, r), _mm256_slli_epi64(v, 64 - (r)))

HANJI_INLINE vec splat(uint64_t n)
{
    return _mm256_set1_epi64x((long long)n);
}

HANJI_INLINE vec load(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

HANJI_INLINE void store(void *p, vec v)
{
    _mm256_storeu_si256((__m256i *)p, v);
}

/* There is no or-not: a round leaves S2 complemented, and so are the constants of the next one. */
#define COMPLEMENT(c) (~(uint64_t)(c))
#define NEXT_P12 COMPLEMENT(0xf0)
#define NEXT_P8 COMPLEMENT(0xb4)
#define NOTHING_NEXT COMPLEMENT(0)
#define CONSTANTS                                                                                 \
    COMPLEMENT(0xe1), COMPLEMENT(0xd2), COMPLEMENT(0xc3), COMPLEMENT(0xb4), COMPLEMENT(0xa5),     \
        COMPLEMENT(0x96), COMPLEMENT(0x87), COMPLEMENT(0x78), COMPLEMENT(0x69), COMPLEMENT(0x5a), \
        COMPLEMENT(0x4b)

HANJI_INLINE void round_lanes(vec *x, uint64_t constant)
{
    const vec x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3], x4 = x[4];
    const vec t0 = x1 ^ x2, t1 = x0 ^ x4, t2 = x3 ^ x4;
    const vec y0 = ((x2 ^ t1) | x1) ^ t2;
    const vec y1 = ((x3 ^ x1) | t0) ^ t1;
    const vec y2 = _mm256_andnot_si256(x3, x4) ^ t0; /* complemented */
    const vec y3 = (x0 | t2) ^ t0;
    const vec y4 = _mm256_andnot_si256(t1, x1) ^ t2;
    x[0] = y0 ^ ROTR(y0, 19) ^ ROTR(y0, 28);
    x[1] = y1 ^ ROTR(y1, 61) ^ ROTR(y1, 39);
    x[2] = y2 ^ ROTR(y2, 1) ^ ROTR(y2, 6) ^ splat(constant);
    x[3] = y3 ^ ROTR(y3, 10) ^ ROTR(y3, 17);
    x[4] = y4 ^ ROTR(y4, 7) ^ ROTR(y4, 41);
}

/* Four rows of four words, transposed. */
HANJI_INLINE void transpose(vec *r)
{
    const vec t0 = _mm256_unpacklo_epi64(r[0], r[1]), t1 = _mm256_unpackhi_epi64(r[0], r[1]);
    const vec t2 = _mm256_unpacklo_epi64(r[2], r[3]), t3 = _mm256_unpackhi_epi64(r[2], r[3]);
    r[0] = _mm256_permute2x128_si256(t0, t2, 0x20);
    r[1] = _mm256_permute2x128_si256(t1, t3, 0x20);
    r[2] = _mm256_permute2x128_si256(t0, t2, 0x31);
    r[3] = _mm256_permute2x128_si256(t1, t3, 0x31);
}

HANJI_INLINE __m128i load16(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

HANJI_INLINE void store16(uint8_t *p, __m128i v)
{
    _mm_storeu_si128((__m128i *)(void *)p, v);
}

/* Two words of each lane. Even and odd lanes first, so unpacking gives the order of lanes. */
HANJI_INLINE void load_pairs(vec *d, const uint8_t *const *in, size_t at)
{
    vec half[2];
    UNROLL
    for (size_t odd = 0; odd < 2; odd++)
        half[odd] = _mm256_inserti128_si256(_mm256_castsi128_si256(load16(source(in, odd) + at)),
                                            load16(source(in, odd + 2) + at), 1);
    d[0] = _mm256_unpacklo_epi64(half[0], half[1]);
    d[1] = _mm256_unpackhi_epi64(half[0], half[1]);
}

HANJI_INLINE void store_pairs(uint8_t *const *out, size_t at, const vec *d)
{
    const vec half[2] = {_mm256_unpacklo_epi64(d[0], d[1]), _mm256_unpackhi_epi64(d[0], d[1])};
    UNROLL
    for (size_t odd = 0; odd < 2; odd++) {
        store16(target(out, odd) + at, _mm256_castsi256_si128(half[odd]));
        store16(target(out, odd + 2) + at, _mm256_extracti128_si256(half[odd], 1));
    }
}

#endif

#define FIRST_P12 0xf0
#define FIRST_P8 0xb4

/* The constants of p[12], by the next permutation; p[8] begins at the fifth. */
static const uint64_t then_p12[12] = {CONSTANTS, NEXT_P12};
static const uint64_t then_p8[12] = {CONSTANTS, NEXT_P8};
static const uint64_t then_nothing[12] = {CONSTANTS, NOTHING_NEXT};

typedef vec lanes[GROUPS][HANJI_ASCON_WORDS];

/* The rounds stay a loop: straight code of many leaves the processor's store of decoded ones. */
HANJI_INLINE void permute_lanes(lanes x, uint32_t rounds, const uint64_t *constants)
{
    KEEP_LOOP
    for (uint32_t round = HANJI_ASCON_ROUNDS - rounds; round < HANJI_ASCON_ROUNDS; round++) {
        UNROLL
        for (size_t g = 0; g < GROUPS; g++)
            round_lanes(x[g], constants[round]);
    }
}

HANJI_INLINE vec *word_of(uint64_t *state, size_t word, size_t group)
{
    return (vec *)(void *)(state + word * ALL_LANES + group * LANES);
}

/* A state in front of a permutation whose first constant is `first`, and back. */
HANJI_INLINE void load_states(lanes x, uint64_t *state, uint64_t first)
{
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) {
        UNROLL
        for (size_t w = 0; w < HANJI_ASCON_WORDS; w++)
            x[g][w] = load(word_of(state, w, g));
        x[g][2] ^= splat(first);
    }
}

HANJI_INLINE void store_states(uint64_t *state, lanes x, uint64_t first)
{
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) {
        x[g][2] ^= splat(first);
        UNROLL
        for (size_t w = 0; w < HANJI_ASCON_WORDS; w++)
            store(word_of(state, w, g), x[g][w]);
    }
}

/* The states of active lanes; the others stay as they are. */
HANJI_INLINE void store_active(uint64_t *state, lanes x, const uint64_t *active, uint64_t first)
{
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) {
        const vec mask = load(active + g * LANES);
        x[g][2] ^= splat(first);
        UNROLL
        for (size_t w = 0; w < HANJI_ASCON_WORDS; w++) {
            const vec old = load(word_of(state, w, g));
            store(word_of(state, w, g), old ^ ((old ^ x[g][w]) & mask));
        }
    }
}

/* A block is absorbed, or text goes in and comes out. */
enum { ABSORB, SEAL, OPEN };

/* A block, as words of each lane, into the states; the output takes its place. */
HANJI_INLINE void block_lanes(vec *x, vec *d, int use)
{
    UNROLL
    for (size_t w = 0; w < 2; w++) {
        const vec made = x[w] ^ d[w];
        x[w] = use == OPEN ? d[w] : made;
        d[w] = made;
    }
}

/* Blocks of the AEAD: rows as long as a vector while there are, then blocks of two words. */
HANJI_INLINE void aead_blocks(uint64_t *state, const hanji_ascon_ragged *r, size_t blocks, int use)
{
    enum { ROW_BLOCKS = LANES / 2 };
    lanes x;
    size_t at = 0;
    load_states(x, state, FIRST_P8);
    for (; blocks >= ROW_BLOCKS; blocks -= ROW_BLOCKS, at += VECTOR_BYTES) {
        vec d[GROUPS][LANES];
        RELOAD(r);
        UNROLL
        for (size_t g = 0; g < GROUPS; g++) {
            UNROLL
            for (size_t l = 0; l < LANES; l++)
                d[g][l] = load(source(r->in, g * LANES + l) + at);
            transpose(d[g]);
        }
        for (size_t b = 0; b < ROW_BLOCKS; b++) {
            UNROLL
            for (size_t g = 0; g < GROUPS; g++)
                block_lanes(x[g], d[g] + 2 * b, use);
            permute_lanes(x, HANJI_ASCON_DATA_ROUNDS, then_p8);
        }
        if (use == ABSORB)
            continue;
        UNROLL
        for (size_t g = 0; g < GROUPS; g++) {
            transpose(d[g]);
            UNROLL
            for (size_t l = 0; l < LANES; l++)
                store(target(r->out, g * LANES + l) + at, d[g][l]);
        }
    }
    for (; blocks > 0; blocks--, at += HANJI_ASCON_RATE) {
        vec d[GROUPS][2];
        RELOAD(r);
        UNROLL
        for (size_t g = 0; g < GROUPS; g++) {
            load_pairs(d[g], r->in + g * LANES, at);
            block_lanes(x[g], d[g], use);
            if (use != ABSORB)
                store_pairs(r->out + g * LANES, at, d[g]);
        }
        permute_lanes(x, HANJI_ASCON_DATA_ROUNDS, then_p8);
    }
    store_active(state, x, r->active, FIRST_P8);
}

HANJI_INLINE void aead_begin(uint64_t *state, const hanji_ascon_ragged *r)
{
    lanes x;
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) {
        vec key[2];
        load_pairs(key, r->key + g * LANES, 0);
        store(word_of(state, 5, g), key[0]);
        store(word_of(state, 6, g), key[1]);
        x[g][0] = splat(HANJI_ASCON_AEAD128_IV);
        x[g][1] = key[0];
        x[g][2] = key[1] ^ splat(FIRST_P12);
        load_pairs(x[g] + 3, r->nonce + g * LANES, 0);
    }
    permute_lanes(x, HANJI_ASCON_ROUNDS, then_nothing);
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) {
        x[g][3] ^= load(word_of(state, 5, g));
        x[g][4] ^= load(word_of(state, 6, g));
    }
    store_states(state, x, 0);
}

HANJI_INLINE void aead_end(uint64_t *state, const hanji_ascon_ragged *r)
{
    lanes x;
    load_states(x, state, FIRST_P12);
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) {
        x[g][2] ^= load(word_of(state, 5, g));
        x[g][3] ^= load(word_of(state, 6, g));
    }
    permute_lanes(x, HANJI_ASCON_ROUNDS, then_nothing);
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) {
        const vec tag[2] = {x[g][3] ^ load(word_of(state, 5, g)),
                            x[g][4] ^ load(word_of(state, 6, g))};
        store_pairs(r->out + g * LANES, 0, tag);
    }
}

/* One word of two lanes, and of each lane. */
HANJI_INLINE __m128i load_two(const uint8_t *const *in, size_t at)
{
    return _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)(source(in, 0) + at)),
                              _mm_loadl_epi64((const __m128i *)(const void *)(source(in, 1) + at)));
}

HANJI_INLINE vec load_words(const uint8_t *const *in, size_t at)
{
#if VECTOR_BYTES == 64
    vec v = _mm512_castsi128_si512(load_two(in, at));
    v = _mm512_inserti64x2(v, load_two(in + 2, at), 1);
    v = _mm512_inserti64x2(v, load_two(in + 4, at), 2);
    return _mm512_inserti64x2(v, load_two(in + 6, at), 3);
#else
    const vec v = _mm256_castsi128_si256(load_two(in, at));
    return _mm256_inserti128_si256(v, load_two(in + 2, at), 1);
#endif
}

HANJI_INLINE void hash_blocks(uint64_t *state, const hanji_ascon_ragged *r, size_t blocks)
{
    lanes x;
    size_t at = 0;
    load_states(x, state, FIRST_P12);
    for (; blocks >= LANES; blocks -= LANES, at += VECTOR_BYTES) {
        vec d[GROUPS][LANES];
        RELOAD(r);
        UNROLL
        for (size_t g = 0; g < GROUPS; g++) {
            UNROLL
            for (size_t l = 0; l < LANES; l++)
                d[g][l] = load(source(r->in, g * LANES + l) + at);
            transpose(d[g]);
        }
        for (size_t b = 0; b < LANES; b++) {
            UNROLL
            for (size_t g = 0; g < GROUPS; g++)
                x[g][0] ^= d[g][b];
            permute_lanes(x, HANJI_ASCON_ROUNDS, then_p12);
        }
    }
    for (; blocks > 0; blocks--, at += HANJI_ASCON_HASH_RATE) {
        RELOAD(r);
        UNROLL
        for (size_t g = 0; g < GROUPS; g++)
            x[g][0] ^= load_words(r->in + g * LANES, at);
        permute_lanes(x, HANJI_ASCON_ROUNDS, then_p12);
    }
    store_active(state, x, r->active, FIRST_P12);
}

HANJI_INLINE void hash_permute(uint64_t *state)
{
    lanes x;
    load_states(x, state, FIRST_P12);
    permute_lanes(x, HANJI_ASCON_ROUNDS, then_nothing);
    store_states(state, x, 0);
}
