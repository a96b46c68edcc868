/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CTR over short texts under one key, any number of bytes: one to four vectors of every word.
 * Stands on lanes/vector.h, included before it.
 */

/*
 * The last bytes of a text, fewer than a vector, and their key stream; of an unfinished
 * block it goes to `keystream`, unless that is NULL.
 */
HANJI_INLINE void W(end_text)(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *keystream,
                              vector stream)
{
    const size_t n = WORDS * WORD_BYTES, part = bytes & (n - 1);
#if VECTOR_BYTES == 64
    const __mmask64 these = UINT64_MAX >> (64 - bytes);
    _mm512_mask_storeu_epi8(out, these, stream ^ _mm512_maskz_loadu_epi8(these, in));
    if (part > 0 &&
        keystream !=
            NULL) /* from where the block begins in the vector, without a way through the stack */
        /* NOLINTNEXTLINE(performance-no-int-to-ptr): the address before it has no object */
        _mm512_mask_storeu_epi8((void *)((uintptr_t)keystream - (bytes - part)),
                                (UINT64_MAX >> (64 - n)) << (bytes - part), stream);
#else
    sixteen x = lowest_sixteen(stream);
    uint8_t end[16];
#if VECTOR_BYTES == 32
    if (bytes >= 16) {
        store_sixteen(out, x ^ load_sixteen(in, 16), 16);
        x = _mm256_extracti128_si256(stream, 1);
        bytes -= 16, in += 16, out += 16;
        if (bytes == 0)
            return;
    }
#endif
    store_sixteen(end, x, 16);
    if (part > 0 && keystream != NULL)
        memcpy(keystream, end + (bytes - part), n);
    size_t at = 0;
    if (bytes >= 8) {
        xor_block(out, in, end, 8);
        at = 8;
    }
    for (; at < bytes; at++)
        out[at] = (uint8_t)(in[at] ^ end[at]);
    wipe_here(end, sizeof end);
#endif
}

/*
 * Counters as text, whose blocks are numbers of 8 or 16 bytes: one addition each, and one shuffle
 * of their bytes, are a shorter way to the first round than lanes/vector_ctr.h goes, where many
 * vectors share what takes longer.
 */
#define COUNTER_BYTES (WORDS * WORD_BITS / 8)
typedef uint64_t counter_numbers __attribute__((vector_size(VECTOR_BYTES)));
#if COUNTER_BYTES == 16
#define COUNTER_ORDER SIXTEEN(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#else
#define COUNTER_ORDER SIXTEEN(7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8)
#endif

/* The counter in all lanes, least significant byte first. */
HANJI_INLINE vector counter_everywhere(const uint8_t *counter)
{
    const sixteen block = load_sixteen(counter, COUNTER_BYTES);
    return shuffle_bytes(COUNTER_BYTES == 16 ? repeat_sixteen(block) : repeat_eight(block),
                         COUNTER_ORDER);
}

/* The numbers of the blocks of vector `v` of a text. */
HANJI_INLINE counter_numbers numbers_of(int v)
{
    counter_numbers n;
    for (size_t i = 0; i < sizeof n / sizeof n[0]; i++) {
        const size_t bytes = i * sizeof n[0];
        n[i] = bytes % COUNTER_BYTES == 0 /* the upper half of 16 bytes has no number */
                   ? (size_t)v * (VECTOR_BYTES / COUNTER_BYTES) + bytes / COUNTER_BYTES
                   : 0;
    }
    return n;
}

/* The counter so many blocks later, as it lies in memory; by block of a vector. */
HANJI_INLINE vector counter_as_text(vector counter, counter_numbers later)
{
    const counter_numbers before = (counter_numbers)counter;
    counter_numbers sum = before + later;
#if COUNTER_BYTES == 16 /* a sum of less than 2^63 more wraps where its top bit goes */
    sum += (counter_numbers)to_upper_eight((vector)((before & ~sum) >> 63));
#endif
    return shuffle_bytes((vector)sum, COUNTER_ORDER);
}

/* The counter `blocks` later, into memory. */
HANJI_INLINE void counter_leave(uint8_t *p, vector counter, size_t blocks)
{
    store_sixteen(p, lowest_sixteen(counter_as_text(counter, (counter_numbers){blocks})),
                  COUNTER_BYTES);
}

/* The counter blocks of `width` vectors of every word, a constant, the first of them everywhere. */
HANJI_INLINE void W(short_count)(W(word) *s, vector first, int width)
{
    UNROLL
    for (int l = 0; l < width; l++) {
        vector block[WORDS], word[WORDS];
        for (int w = 0; w < WORDS; w++)
            block[w] = counter_as_text(first, numbers_of(l * WORDS + w));
        W(transpose)(word, block);
        for (int w = 0; w < WORDS; w++)
            s[w * width + l] = (W(word))word[w];
    }
}

/* The text xored with the key stream, up to `bytes`. */
HANJI_INLINE void W(short_store)(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *keystream,
                                 const W(word) *s, int width)
{
    size_t whole = 0;
    vector last = {0};
    UNROLL
    for (int l = 0; l < width; l++) {
        vector block[WORDS], word[WORDS];
        for (int w = 0; w < WORDS; w++)
            word[w] = (vector)s[w * width + l];
        W(transpose_back)(block, word);
        for (int w = 0; w < WORDS; w++) {
            const size_t at = (size_t)(l * WORDS + w) * VECTOR_BYTES;
            if (bytes >= at + VECTOR_BYTES)
                vector_store(out + at, (vector)(block[w] ^ vector_load(in + at)));
            else if (bytes > at)
                whole = at, last = block[w];
        }
    }
    if (bytes % VECTOR_BYTES > 0) /* in one place, for all vectors */
        W(end_text)(out + whole, in + whole, bytes - whole, keystream, last);
}

/* Up to `width` vectors of every word; see hanji_short_fn. */
HANJI_INLINE void W(short_text)(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                                uint8_t *keystream, const void *keys, W(rounds_fn) *run, int rounds,
                                int width)
{
    W(word) s[WORDS * WIDTH_MAX];
    const vector first = counter_everywhere(counter);
    W(short_count)(s, first, width);
    counter_leave(counter, first, (bytes - 1) / COUNTER_BYTES + 1);
    run(s, (W(keys)){.shared = keys}, rounds, width);
    W(short_store)(out, in, bytes, keystream, s, width);
}

/* Erase whole vectors of memory, a constant number of bytes. */
HANJI_INLINE void wipe_vectors(void *memory, size_t bytes)
{
    UNROLL
    for (size_t i = 0; i < bytes; i += VECTOR_BYTES)
        vector_store((uint8_t *)memory + i, (vector){0});
    __asm__ __volatile__("" : : "r"(memory) : "memory"); /* as in hanji_wipe() */
}

/*
 * The stack below the caller's frame, as deep as the frames of kernels for short texts, and up to
 * 64 bytes more to align them: gcc 12 gives them up to 192 bytes, and 608 where four words of four
 * blocks do not fit into the registers of AVX2.
 */
static HANJI_NOINLINE void wipe_frames(void)
{
    uint8_t below[WORDS == 4 && VECTOR_BYTES == 32 ? 768 : 384];
    wipe_vectors(below, sizeof below);
}

/*
 * One kernel: a function with this name, with a frame for each width below it, from the rounds of
 * its room.
 */
#define HANJI_VECTOR_SHORT_WIDTH(function, width, run, rounds)                                  \
    static HANJI_NOINLINE void function(uint8_t *out, const uint8_t *in, size_t bytes,          \
                                        uint8_t *counter, uint8_t *keystream, const void *keys) \
    {                                                                                           \
        W(short_text)(out, in, bytes, counter, keystream, keys, run, rounds, width);            \
    }
/*
 * A text through one of the functions, by how many vectors of every word it has, and before that as
 * often as needed through the widest, which takes `width` vectors.
 */
HANJI_INLINE void W(short_calls)(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                                 uint8_t *keystream, const void *keys, hanji_short_fn *one,
                                 hanji_short_fn *two, hanji_short_fn *three, hanji_short_fn *four,
                                 hanji_short_fn *widest, size_t width)
{
    const size_t whole = WORDS * VECTOR_BYTES, most = width * whole;
    for (; bytes > most; bytes -= most, in += most, out += most)
        widest(out, in, most, counter, keystream, keys);
    (bytes > 4 * whole   ? widest
     : bytes > 3 * whole ? four
     : bytes > 2 * whole ? three
     : bytes > whole     ? two
                         : one)(out, in, bytes, counter, keystream, keys);
    wipe_frames();
}
#define SHORT_CALLS(function, three, four, widest, width)                                        \
    void function(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,               \
                  uint8_t *keystream, const void *keys)                                          \
    {                                                                                            \
        W(short_calls)(out, in, bytes, counter, keystream, keys, function##_one, function##_two, \
                       three, four, widest, width);                                              \
    }
/* Of four words on AVX-512 two vectors of each are all that a call takes. */
#if WORDS * VECTOR_BYTES > 128
#define HANJI_VECTOR_SHORT(function, run, rounds)            \
    HANJI_VECTOR_SHORT_WIDTH(function##_one, 1, run, rounds) \
    HANJI_VECTOR_SHORT_WIDTH(function##_two, 2, run, rounds) \
    SHORT_CALLS(function, function##_two, function##_two, function##_two, 2)
#else
#define SHORT_TO_FOUR(function, run, rounds)                   \
    HANJI_VECTOR_SHORT_WIDTH(function##_one, 1, run, rounds)   \
    HANJI_VECTOR_SHORT_WIDTH(function##_two, 2, run, rounds)   \
    HANJI_VECTOR_SHORT_WIDTH(function##_three, 3, run, rounds) \
    HANJI_VECTOR_SHORT_WIDTH(function##_four, 4, run, rounds)
#define HANJI_VECTOR_SHORT(function, run, rounds) \
    SHORT_TO_FOUR(function, run, rounds)          \
    SHORT_CALLS(function, function##_three, function##_four, function##_four, 4)
#if VECTOR_BYTES == 16 /* eight, of a cipher whose rounds leave them registers */
#define HANJI_VECTOR_SHORT_EIGHT(function, run, rounds)        \
    SHORT_TO_FOUR(function, run, rounds)                       \
    HANJI_VECTOR_SHORT_WIDTH(function##_eight, 8, run, rounds) \
    SHORT_CALLS(function, function##_three, function##_four, function##_eight, 8)
#endif
#endif
