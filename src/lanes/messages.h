/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CTR over messages with a key each, one message in each lane of AVX-512: the part of
 * lanes/vector.h for whole messages, of one length that lie one after the other, or that lie
 * anywhere and are as long as they are. Keys, counters and texts are read and written where they
 * are, SPAN bytes of a message at a time. Included by lanes/vector.h.
 *
 * A vector holds 16 bytes of four messages; WORDS_16 vectors hold those of all, message 4 i + b
 * being 128-bit block b of vector i.
 */
#ifndef NUMBER
/*
 * A number or an address in a general register. Compilers would have the addresses of all messages
 * at once, more than there are general registers, and keep them in those of vectors, where the scan
 * for leaks takes them for data.
 */
#define NUMBER(n) __asm__ volatile("" : "+r"(n))
/* And across a call, where gcc knows which vectors it leaves alone. */
#define NO_NUMBERS_IN_VECTORS                                                                  \
    __asm__ volatile(""                                                                        \
                     :                                                                         \
                     :                                                                         \
                     : "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", \
                       "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31")
#endif

/*
 * The mask keeps the words that come from memory. Compilers may not see the order: clang would take
 * an instruction that the scan of kernels for leaks does not allow.
 */
HANJI_INLINE vector W(spread)(vector v, __mmask16 mask, vector order)
{
    __asm__("" : "+v"(order));
    return _mm512_maskz_permutexvar_epi32(mask, order, v);
}

#undef SPAN
#define SPAN ((size_t)16 * HANJI_STREAM_SLOTS)

HANJI_INLINE vector W(load_four)(const uint8_t *p, size_t stride, size_t bytes)
{
    if (bytes == 16 && stride == 16)
        return vector_load(p);
    if (bytes == 8 && stride == 8)
        return W(spread)(
            _mm512_castsi256_si512(_mm256_loadu_si256((const __m256i *)(const void *)p)), 0x3333,
            _mm512_setr_epi32(0, 1, 0, 0, 2, 3, 0, 0, 4, 5, 0, 0, 6, 7, 0, 0));
    const __mmask16 these = (__mmask16)(0xffffu >> (16 - bytes));
    vector v = _mm512_castsi128_si512(_mm_maskz_loadu_epi8(these, p));
    v = _mm512_inserti32x4(v, _mm_maskz_loadu_epi8(these, p + stride), 1);
    v = _mm512_inserti32x4(v, _mm_maskz_loadu_epi8(these, p + 2 * stride), 2);
    return _mm512_inserti32x4(v, _mm_maskz_loadu_epi8(these, p + 3 * stride), 3);
}

/* Up to a slot, a constant, of what every message has, as words. */
HANJI_INLINE void W(load_messages)(vector *v, const uint8_t *p, size_t stride, size_t bytes)
{
    UNROLL
    for (size_t i = 0; i < WORDS_16; i++)
        v[i] = W(load_four)(p + 4 * i * stride, stride, bytes);
    W(turn)(v);
}

/* SPAN bytes of key stream of every message, block number `number` being the first. */
HANJI_INLINE void W(message_streams)(vector (*stream)[WORDS_16], const W(counters) *of,
                                     W(number) number, const W(word) *rk, W(rounds_fn) *run,
                                     int rounds)
{
    W(word) state[WORDS_16 * UNIT];
    const int blocks = UNIT * BLOCKS_16;
    UNROLL
    for (int at = 0; at < 4; at += UNIT) {
        UNROLL
        for (int b = 0; b < blocks; b++) {
            const W(word) n = W(splat)((W(number))(number + (W(number))(at * BLOCKS_16 + b)));
            for (int w = 0; w + 1 < WORDS; w++)
                state[w * blocks + b] = of->upper[w] ^ (W(above)(n, of->room) & of->change[w]);
            state[(WORDS - 1) * blocks + b] = W(from_be)(of->lowest + n);
        }
        run(state, (W(keys)){.own = rk}, rounds, blocks);
        UNROLL
        for (int p = 0; p < UNIT; p++) {
            for (int i = 0; i < WORDS_16; i++)
                stream[at + p][i] = (vector)state[i % WORDS * blocks + p * BLOCKS_16 + i / WORDS];
            W(turn)(stream[at + p]);
        }
    }
}

/* The key streams of messages 4 i to 4 i + 3. */
HANJI_INLINE void W(stream_rows)(vector *row, vector (*stream)[WORDS_16], size_t i)
{
    const vector low02 = _mm512_shuffle_i32x4(stream[0][i], stream[1][i], 0x88),
                 low13 = _mm512_shuffle_i32x4(stream[0][i], stream[1][i], 0xdd);
    const vector high02 = _mm512_shuffle_i32x4(stream[2][i], stream[3][i], 0x88),
                 high13 = _mm512_shuffle_i32x4(stream[2][i], stream[3][i], 0xdd);
    row[0] = _mm512_shuffle_i32x4(low02, high02, 0x88);
    row[1] = _mm512_shuffle_i32x4(low13, high13, 0x88);
    row[2] = _mm512_shuffle_i32x4(low02, high02, 0xdd);
    row[3] = _mm512_shuffle_i32x4(low13, high13, 0xdd);
}

/* The first `bytes` bytes of a row; all of SPAN. */
HANJI_INLINE __mmask64 W(row_mask)(size_t bytes)
{
    return UINT64_MAX >> (64 - (bytes < SPAN ? bytes : SPAN));
}

/*
 * out = in xor the key streams, up to SPAN bytes of every message; what lies `ahead` bytes behind
 * comes into the cache meanwhile.
 */
HANJI_INLINE void W(xor_messages)(uint8_t *out, const uint8_t *in, size_t stride, size_t bytes,
                                  size_t ahead, vector (*stream)[WORDS_16])
{
    const __mmask64 these = W(row_mask)(bytes);
    UNROLL
    for (size_t i = 0; i < WORDS_16; i++) {
        vector row[4];
        W(stream_rows)(row, stream, i);
        UNROLL
        for (size_t b = 0; b < 4; b++) {
            if (bytes >= SPAN)
                vector_store(out, row[b] ^ vector_load(in));
            else
                _mm512_mask_storeu_epi8(out, these, row[b] ^ _mm512_maskz_loadu_epi8(these, in));
            _mm_prefetch((const char *)in + ahead, _MM_HINT_T0);
            in += stride;
            out += stride;
            NUMBER(in);
            NUMBER(out);
        }
    }
}

/* One group: see hanji_uniform_fn. */
HANJI_INLINE void W(uniform)(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *keys,
                             const uint8_t *nonces, W(word) *rk, size_t ahead, W(rounds_fn) *run,
                             W(schedule_fn) *schedule, int key_words, int rounds, uint64_t z)
{
    const size_t key_bytes = (size_t)key_words * WORD_BYTES;
    vector v[WORDS_16], stream[4][WORDS_16];
    W(word) c[WORDS];
    W(counters) of;
    for (size_t at = 0; at < key_bytes; at += SLOT_BYTES) {
        const size_t here = key_bytes - at < SLOT_BYTES ? key_bytes - at : SLOT_BYTES;
        W(load_messages)(v, keys + at, key_bytes, here);
        for (size_t i = 0; i < here / WORD_BYTES; i++)
            rk[at / WORD_BYTES + i] = (W(word))v[i];
    }
    schedule(rk, key_words, rounds, z);
    W(load_messages)(v, nonces, WORDS * WORD_BYTES, WORDS * WORD_BYTES);
    for (int w = 0; w < WORDS; w++)
        c[w] = W(from_be)((W(word))v[w]);
    W(counters_of)(&of, c);
    for (size_t at = 0; at < bytes; at += SPAN) {
        W(message_streams)(stream, &of, (W(number))(at / (WORDS * WORD_BYTES)), rk, run, rounds);
        W(xor_messages)(out + at, in + at, bytes, bytes - at, ahead, stream);
    }
}

/* The same of messages anywhere: up to 16 bytes, a constant, behind `at` more. */
HANJI_INLINE void W(load_ragged)(vector *v, const uint8_t *const *p, size_t at, size_t bytes)
{
    const __mmask16 these = (__mmask16)(0xffffu >> (16 - bytes));
    UNROLL
    for (size_t i = 0; i < WORDS_16; i++) {
        __m128i part[4];
        UNROLL
        for (size_t b = 0; b < 4; b++) {
            const uint8_t *from = p[4 * i + b];
            NUMBER(from);
            part[b] = bytes == 16 ? _mm_loadu_si128((const __m128i *)(const void *)(from + at))
                                  : _mm_maskz_loadu_epi8(these, from + at);
        }
        const __m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(part[0]), part[1], 1);
        v[i] = _mm512_inserti64x4(
            _mm512_castsi256_si512(low),
            _mm256_inserti128_si256(_mm256_castsi128_si256(part[2]), part[3], 1), 1);
    }
    W(turn)(v);
}

HANJI_INLINE void W(xor_ragged)(const hanji_ragged *r, size_t at, vector (*stream)[WORDS_16],
                                int masked)
{
    UNROLL
    for (size_t i = 0; i < WORDS_16; i++) {
        vector row[4];
        W(stream_rows)(row, stream, i);
        UNROLL
        for (size_t b = 0; b < 4; b++) {
            const uint8_t *in = r->in[4 * i + b];
            uint8_t *out = r->out[4 * i + b];
            NUMBER(in);
            NUMBER(out);
            if (masked) {
                size_t bytes = r->bytes[4 * i + b];
                NUMBER(bytes);
                const __mmask64 these = bytes > at ? W(row_mask)(bytes - at) : 0;
                _mm512_mask_storeu_epi8(out + at, these,
                                        row[b] ^ _mm512_maskz_loadu_epi8(these, in + at));
            } else {
                vector_store(out + at, row[b] ^ vector_load(in + at));
            }
        }
    }
}

/* See hanji_ragged_fn. */
HANJI_INLINE void W(ragged)(void *round_keys, const hanji_ragged *r, W(rounds_fn) *run,
                            W(schedule_fn) *schedule, int key_words, int rounds, uint64_t z)
{
    const size_t key_bytes = (size_t)key_words * WORD_BYTES;
    W(word) *rk = round_keys;
    vector v[WORDS_16], stream[4][WORDS_16];
    W(word) c[WORDS];
    W(counters) of;
    for (size_t at = 0; at < key_bytes; at += SLOT_BYTES) {
        const size_t here = key_bytes - at < SLOT_BYTES ? key_bytes - at : SLOT_BYTES;
        W(load_ragged)(v, r->keys, at, here);
        for (size_t i = 0; i < here / WORD_BYTES; i++)
            rk[at / WORD_BYTES + i] = (W(word))v[i];
    }
    schedule(rk, key_words, rounds, z);
    W(load_ragged)(v, r->nonces, 0, WORDS * WORD_BYTES);
    for (int w = 0; w < WORDS; w++)
        c[w] = W(from_be)((W(word))v[w]);
    W(counters_of)(&of, c);
    const size_t longest = r->longest, shortest = r->shortest;
    for (size_t at = 0; at < longest; at += SPAN) {
        W(message_streams)(stream, &of, (W(number))(at / (WORDS * WORD_BYTES)), rk, run, rounds);
        if (at + SPAN <= shortest)
            W(xor_ragged)(r, at, stream, 0);
        else
            W(xor_ragged)(r, at, stream, 1);
    }
}
