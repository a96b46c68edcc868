/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ascon on AVX-512 for messages of one length that lie one after the other, twenty-four at a time:
 * three vectors of eight messages side by side. What compilers would keep on the stack under
 * changing addresses is in `work`: the scan of kernels for leaks knows then what else is there.
 * const hanji_ascon_aead_rows hanji_ascon_aead_rows_avx512_x24;
 * const hanji_ascon_hash_rows hanji_ascon_hash_rows_avx512_x24
 */
/* kernel:
     spec: [ascon_aead128.seal, ascon_aead128.open, ascon_hash256.digest]
     isa: avx512
     blocks: [24]
     args: { work: {buffer: work, bytes: 8 * 24 words of states and keys and 8 of text, access: rw},
             rows: {buffer: rows, bytes: addresses and lengths of the messages, access: r},
             groups: {value: groups} }
     aliasing: outputs may be the inputs
     stack: compiler
     secrets: work
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define GROUPS 3
#include "ascon/ascon_rows.h"
#include "ascon/ascon_vector.h"

#define ROW 64 /* bytes: eight words of a message */

/* Word w of the text of group g, behind the states and keys. */
HANJI_INLINE vec *text_of(uint64_t *work, size_t group, size_t word)
{
    return (vec *)(void *)(work + HANJI_ASCON_LANES_WORDS * ALL_LANES + (group * 8 + word) * LANES);
}

/*
 * The message behind the one in lane `lane`, or the same where no more are. Volatile, because
 * compilers would otherwise keep the distances of all, for which there are not enough registers.
 */
HANJI_INLINE size_t next_row(size_t at, size_t stride, size_t lane, size_t count)
{
    at += lane + 1 < HANJI_ASCON_ROWS_LEAST || lane + 1 < count ? stride : 0;
    __asm__ volatile("" : "+r"(at));
    return at;
}

/* `bytes` bytes, 1 to 64, of each message, and zeros behind them, as words. */
HANJI_INLINE void load_rows(uint64_t *work, const uint8_t *in, size_t stride, size_t bytes,
                            size_t count)
{
    const __mmask64 some = UINT64_MAX >> (ROW - bytes);
    size_t at = 0;
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) {
        vec d[LANES];
        UNROLL
        for (size_t l = 0; l < LANES; l++) {
            d[l] = bytes == ROW ? load(in + at) : _mm512_maskz_loadu_epi8(some, in + at);
            at = next_row(at, stride, g * LANES + l, count);
        }
        transpose(d);
        UNROLL
        for (size_t w = 0; w < 8; w++)
            *text_of(work, g, w) = d[w];
    }
}

HANJI_INLINE void store_rows(uint8_t *out, size_t stride, size_t bytes, uint64_t *work,
                             size_t count)
{
    const __mmask64 some = UINT64_MAX >> (ROW - bytes);
    size_t at = 0;
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) {
        vec d[LANES];
        UNROLL
        for (size_t w = 0; w < 8; w++)
            d[w] = *text_of(work, g, w);
        transpose(d);
        UNROLL
        for (size_t l = 0; l < LANES; l++) {
            if (bytes == ROW)
                store(out + at, d[l]);
            else
                _mm512_mask_storeu_epi8(out + at, some, d[l]);
            at = next_row(at, stride, g * LANES + l, count);
        }
    }
}

/* Two words of each message of group g, `stride` bytes apart. */
HANJI_INLINE void load_items(vec *d, const uint8_t *in, size_t stride, size_t g, size_t count)
{
    vec half[2];
    const size_t lane = g * LANES;
    size_t at = 0;
    UNROLL
    for (size_t odd = 0; odd < 2; odd++)
        half[odd] = _mm512_setzero_si512();
    UNROLL
    for (size_t odd = 0; odd < 2; odd++) {
        half[odd] = _mm512_castsi128_si512(load16(in + at));
        at = next_row(at, stride, lane + odd, count);
    }
    UNROLL
    for (size_t odd = 0; odd < 2; odd++) {
        half[odd] = _mm512_inserti64x2(half[odd], load16(in + at), 1);
        at = next_row(at, stride, lane + 2 + odd, count);
    }
    UNROLL
    for (size_t odd = 0; odd < 2; odd++) {
        half[odd] = _mm512_inserti64x2(half[odd], load16(in + at), 2);
        at = next_row(at, stride, lane + 4 + odd, count);
    }
    UNROLL
    for (size_t odd = 0; odd < 2; odd++) {
        half[odd] = _mm512_inserti64x2(half[odd], load16(in + at), 3);
        at = next_row(at, stride, lane + 6 + odd, count);
    }
    d[0] = _mm512_unpacklo_epi64(half[0], half[1]);
    d[1] = _mm512_unpackhi_epi64(half[0], half[1]);
}

/* The same side by side, and back. */
HANJI_INLINE void load_items_together(vec *d, const uint8_t *in)
{
    const vec even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14),
              odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
    const vec low = load(in), high = load(in + ROW);
    d[0] = _mm512_permutex2var_epi64(low, even, high);
    d[1] = _mm512_permutex2var_epi64(low, odd, high);
}

HANJI_INLINE void store_items_together(uint8_t *out, vec first, vec second)
{
    const vec low = _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11),
              high = _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15);
    store(out, _mm512_permutex2var_epi64(first, low, second));
    store(out + ROW, _mm512_permutex2var_epi64(first, high, second));
}

/* Keys or nonces of the messages of group g. */
HANJI_INLINE void load_pairs_of(vec *d, const uint8_t *in, size_t stride, size_t g, size_t count)
{
    const uint8_t *first = in + g * LANES * stride;
    if (stride == HANJI_ASCON_RATE &&
        ((g + 1) * LANES < HANJI_ASCON_ROWS_LEAST || count == ALL_LANES))
        load_items_together(d, first);
    else
        load_items(d, first, stride, g, count);
}

/* The bytes of a word, the first of which is byte `at`, that belong to a part of `bytes` bytes. */
HANJI_INLINE uint64_t kept_bytes(size_t bytes, size_t at)
{
    return bytes >= at + 8 ? UINT64_MAX : bytes <= at ? 0 : ((uint64_t)1 << 8 * (bytes - at)) - 1;
}

HANJI_INLINE uint64_t padding_of(size_t bytes, size_t at)
{
    return bytes / 8 == at / 8 ? (uint64_t)1 << 8 * (bytes % 8) : 0;
}

/* States in front of their text. */
static HANJI_NOINLINE void rows_begin(uint64_t *work, const uint8_t *keys, size_t key_stride,
                                      const uint8_t *nonces, size_t count)
{
    lanes x;
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) {
        vec key[2];
        load_pairs_of(key, keys, key_stride, g, count);
        store(word_of(work, 5, g), key[0]);
        store(word_of(work, 6, g), key[1]);
        x[g][0] = splat(HANJI_ASCON_AEAD128_IV);
        x[g][1] = key[0];
        x[g][2] = key[1] ^ splat(FIRST_P12);
        load_pairs_of(x[g] + 3, nonces, HANJI_ASCON_RATE, g, count);
    }
    permute_lanes(x, HANJI_ASCON_ROUNDS, then_nothing);
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) {
        x[g][3] ^= load(word_of(work, 5, g));
        x[g][4] = XOR3(x[g][4], load(word_of(work, 6, g)), splat(HANJI_ASCON_DOMAIN));
    }
    store_states(work, x, 0);
}

/* Text and padding are in the states. */
static HANJI_NOINLINE void rows_end(uint64_t *work, uint8_t *tags)
{
    lanes x;
    load_states(x, work, FIRST_P12);
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) {
        x[g][2] ^= load(word_of(work, 5, g));
        x[g][3] ^= load(word_of(work, 6, g));
    }
    permute_lanes(x, HANJI_ASCON_ROUNDS, then_nothing);
    UNROLL
    for (size_t g = 0; g < GROUPS; g++)
        store_items_together(tags + g * LANES * HANJI_ASCON_RATE,
                             x[g][3] ^ load(word_of(work, 5, g)),
                             x[g][4] ^ load(word_of(work, 6, g)));
}

/* Blocks of associated data that are in `work`. */
HANJI_INLINE void ad_blocks(lanes x, uint64_t *work, size_t blocks)
{
    for (size_t b = 0; b < blocks; b++) {
        UNROLL
        for (size_t g = 0; g < GROUPS; g++) {
            x[g][0] ^= *text_of(work, g, 2 * b);
            x[g][1] ^= *text_of(work, g, 2 * b + 1);
        }
        permute_lanes(x, HANJI_ASCON_DATA_ROUNDS, then_p8);
    }
}

/* Whole rows of associated data. */
static HANJI_NOINLINE void rows_ad(uint64_t *work, const uint8_t *ad, size_t stride, size_t rows,
                                   size_t count)
{
    lanes x;
    load_states(x, work, FIRST_P8);
    for (; rows > 0; rows--, ad += ROW) {
        load_rows(work, ad, stride, ROW, count);
        ad_blocks(x, work, ROW / HANJI_ASCON_RATE);
    }
    store_states(work, x, FIRST_P8);
}

/* The last `bytes` bytes, 0 to 63, and the padding. */
static HANJI_NOINLINE void rows_ad_last(uint64_t *work, const uint8_t *ad, size_t stride,
                                        size_t bytes, size_t count)
{
    const size_t blocks = bytes / HANJI_ASCON_RATE, part = bytes % HANJI_ASCON_RATE;
    lanes x;
    if (bytes > 0)
        load_rows(work, ad, stride, bytes, count);
    load_states(x, work, FIRST_P8);
    ad_blocks(x, work, blocks);
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) {
        if (part > 0) { /* zeros are behind them */
            x[g][0] ^= *text_of(work, g, 2 * blocks);
            x[g][1] ^= *text_of(work, g, 2 * blocks + 1);
        }
        x[g][0] ^= splat(padding_of(part, 0));
        x[g][1] ^= splat(padding_of(part, 8));
    }
    permute_lanes(x, HANJI_ASCON_DATA_ROUNDS, then_nothing);
    UNROLL
    for (size_t g = 0; g < GROUPS; g++)
        x[g][4] ^= splat(HANJI_ASCON_DOMAIN);
    store_states(work, x, 0);
}

/* All associated data of messages from `m` on. */
HANJI_INLINE void rows_all_ad(uint64_t *work, const hanji_ascon_rows *r, size_t m)
{
    const size_t stride = r->ad_bytes, rows = stride / ROW;
    const uint8_t *ad = r->ad + m * stride;
    UNROLL
    for (size_t g = 0; g < GROUPS; g++)
        *word_of(work, 4, g) ^= splat(HANJI_ASCON_DOMAIN);
    if (rows > 0)
        rows_ad(work, ad, stride, rows, r->count);
    rows_ad_last(work, ad + rows * ROW, stride, stride % ROW, r->count);
}

/* The blocks of the text that is in `work`, the next `blocks` of it. */
HANJI_INLINE void text_blocks(lanes x, uint64_t *work, size_t blocks, int use)
{
    for (size_t b = 0; b < blocks; b++) {
        UNROLL
        for (size_t g = 0; g < GROUPS; g++)
            block_lanes(x[g], text_of(work, g, 2 * b), use);
        permute_lanes(x, HANJI_ASCON_DATA_ROUNDS, then_p8);
    }
}

/* Whole rows of messages that are `stride` bytes apart. */
HANJI_INLINE void whole_rows(uint64_t *work, uint8_t *out, const uint8_t *in, size_t stride,
                             size_t rows, size_t count, int use)
{
    lanes x;
    load_states(x, work, FIRST_P8);
    for (; rows > 0; rows--, in += ROW, out += ROW) {
        load_rows(work, in, stride, ROW, count);
        text_blocks(x, work, ROW / HANJI_ASCON_RATE, use);
        store_rows(out, stride, ROW, work, count);
    }
    store_states(work, x, FIRST_P8);
}

/* The last `bytes` bytes, 1 to 63, and the padding. */
HANJI_INLINE void last_row(uint64_t *work, uint8_t *out, const uint8_t *in, size_t stride,
                           size_t bytes, size_t count, int use)
{
    const size_t blocks = bytes / HANJI_ASCON_RATE, part = bytes % HANJI_ASCON_RATE;
    lanes x;
    load_rows(work, in, stride, bytes, count);
    load_states(x, work, FIRST_P8);
    text_blocks(x, work, blocks, use);
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) {
        UNROLL
        for (size_t w = 0; w < 2; w++) {
            vec *d = text_of(work, g, 2 * blocks + w);
            const vec kept = splat(kept_bytes(part, 8 * w)), made = x[g][w] ^ *d;
            if (use == OPEN) /* behind the text the state stays */
                x[g][w] = _mm512_andnot_si512(kept, x[g][w]) | *d;
            else
                x[g][w] = made;
            x[g][w] ^= splat(padding_of(part, 8 * w));
            *d = made;
        }
    }
    store_states(work, x, FIRST_P8);
    store_rows(out, stride, bytes, work, count);
}

static HANJI_NOINLINE void rows_seal(uint64_t *work, uint8_t *out, const uint8_t *in, size_t stride,
                                     size_t rows, size_t count)
{
    whole_rows(work, out, in, stride, rows, count, SEAL);
}

static HANJI_NOINLINE void rows_open(uint64_t *work, uint8_t *out, const uint8_t *in, size_t stride,
                                     size_t rows, size_t count)
{
    whole_rows(work, out, in, stride, rows, count, OPEN);
}

static HANJI_NOINLINE void rows_seal_last(uint64_t *work, uint8_t *out, const uint8_t *in,
                                          size_t stride, size_t bytes, size_t count)
{
    last_row(work, out, in, stride, bytes, count, SEAL);
}

static HANJI_NOINLINE void rows_open_last(uint64_t *work, uint8_t *out, const uint8_t *in,
                                          size_t stride, size_t bytes, size_t count)
{
    last_row(work, out, in, stride, bytes, count, OPEN);
}

/* A text that ends with a row, or is empty, has a block of padding alone. */
HANJI_INLINE void pad_only(uint64_t *work)
{
    UNROLL
    for (size_t g = 0; g < GROUPS; g++)
        *word_of(work, 0, g) ^= splat(1);
}

static void aead_ragged_seal(uint64_t *work, const hanji_ascon_rows *r, size_t groups)
{
    const size_t stride = r->bytes, rows = stride / ROW, left = stride % ROW, done = rows * ROW,
                 count = r->count;
    for (size_t m = 0; groups > 0; groups--, m += count) {
        rows_begin(work, r->keys + m * r->key_stride, r->key_stride,
                   r->nonces + m * HANJI_ASCON_RATE, count);
        if (r->ad_bytes > 0)
            rows_all_ad(work, r, m);
        if (rows > 0)
            rows_seal(work, r->out + m * stride, r->in + m * stride, stride, rows, count);
        if (left > 0)
            rows_seal_last(work, r->out + m * stride + done, r->in + m * stride + done, stride,
                           left, count);
        else
            pad_only(work);
        rows_end(work, r->tags + m * HANJI_ASCON_RATE);
    }
}

static void aead_ragged_open(uint64_t *work, const hanji_ascon_rows *r, size_t groups)
{
    const size_t stride = r->bytes, rows = stride / ROW, left = stride % ROW, done = rows * ROW,
                 count = r->count;
    for (size_t m = 0; groups > 0; groups--, m += count) {
        rows_begin(work, r->keys + m * r->key_stride, r->key_stride,
                   r->nonces + m * HANJI_ASCON_RATE, count);
        if (r->ad_bytes > 0)
            rows_all_ad(work, r, m);
        if (rows > 0)
            rows_open(work, r->out + m * stride, r->in + m * stride, stride, rows, count);
        if (left > 0)
            rows_open_last(work, r->out + m * stride + done, r->in + m * stride + done, stride,
                           left, count);
        else
            pad_only(work);
        rows_end(work, r->tags + m * HANJI_ASCON_RATE);
    }
}

/* Texts into states that begin with `start`. */
static HANJI_NOINLINE void rows_absorb(uint64_t *work, const uint8_t *in, size_t stride,
                                       const uint64_t *start, size_t count)
{
    lanes x;
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) {
        UNROLL
        for (size_t w = 0; w < HANJI_ASCON_WORDS; w++) {
            x[g][w] = splat(start[w]);
            __asm__("" : "+v"(x[g][w])); /* not by way of a general register */
        }
        x[g][2] ^= splat(FIRST_P12);
    }
    for (size_t rows = stride / ROW; rows > 0; rows--, in += ROW) {
        load_rows(work, in, stride, ROW, count);
        for (size_t b = 0; b < 8; b++) {
            UNROLL
            for (size_t g = 0; g < GROUPS; g++)
                x[g][0] ^= *text_of(work, g, b);
            permute_lanes(x, HANJI_ASCON_ROUNDS, then_p12);
        }
    }
    store_states(work, x, FIRST_P12);
}

/* The last `bytes` bytes, 1 to 63, and the padding. */
static HANJI_NOINLINE void rows_absorb_last(uint64_t *work, const uint8_t *in, size_t stride,
                                            size_t bytes, size_t count)
{
    const size_t words = bytes / HANJI_ASCON_HASH_RATE;
    lanes x;
    load_rows(work, in, stride, bytes, count);
    load_states(x, work, FIRST_P12);
    for (size_t b = 0; b < words; b++) {
        UNROLL
        for (size_t g = 0; g < GROUPS; g++)
            x[g][0] ^= *text_of(work, g, b);
        permute_lanes(x, HANJI_ASCON_ROUNDS, then_p12);
    }
    UNROLL
    for (size_t g = 0; g < GROUPS; g++) /* zeros are behind the text */
        x[g][0] = XOR3(x[g][0], *text_of(work, g, words), splat(padding_of(bytes % 8, 0)));
    store_states(work, x, FIRST_P12);
}

/* Digests of 8 * words bytes, up to eight words at a time. */
static HANJI_NOINLINE void rows_squeeze(uint64_t *work, uint8_t *digests, size_t words,
                                        size_t count)
{
    const size_t stride = 8 * words;
    lanes x;
    load_states(x, work, FIRST_P12);
    for (size_t here; words > 0; words -= here, digests += ROW) {
        here = words < 8 ? words : 8;
        for (size_t w = 0; w < here; w++) {
            permute_lanes(x, HANJI_ASCON_ROUNDS, then_p12);
            UNROLL
            for (size_t g = 0; g < GROUPS; g++)
                *text_of(work, g, w) = x[g][0];
        }
        store_rows(digests, stride, 8 * here, work, count);
    }
}

static void hash_ragged_digests(uint64_t *work, const hanji_ascon_rows *r, size_t groups)
{
    const size_t stride = r->bytes, left = stride % ROW, count = r->count;
    for (size_t m = 0; groups > 0; groups--, m += count) {
        const uint8_t *in = r->in + m * stride;
        rows_absorb(work, in, stride, r->start, count);
        if (left > 0)
            rows_absorb_last(work, in + (stride - left), stride, left, count);
        else
            pad_only(work);
        rows_squeeze(work, r->tags + 8 * r->words * m, r->words, count);
    }
}

const hanji_ascon_aead_rows hanji_ascon_aead_rows_avx512_x24 = {aead_ragged_seal, aead_ragged_open};
const hanji_ascon_hash_rows hanji_ascon_hash_rows_avx512_x24 = {hash_ragged_digests};

#endif
