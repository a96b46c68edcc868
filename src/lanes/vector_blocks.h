/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From blocks in memory to vectors of words and back, and the loop of encryption and decryption. A
 * part of lanes/vector.h, once per word size.
 */
#undef SPLIT
#undef JOIN
#undef SPLIT_PAIRS
#undef JOIN_PAIRS
#if WORD_BITS == 16
#define SPLIT split_16
#define JOIN join_16
#define SPLIT_PAIRS split_32
#define JOIN_PAIRS join_32
#elif WORD_BITS == 32
#define SPLIT split_32
#define JOIN join_32
#define SPLIT_PAIRS split_64
#define JOIN_PAIRS join_64
#else
#define SPLIT split_64
#define JOIN join_64
#endif

/* Store a vector, xored with `mask` unless it is NULL. */
HANJI_INLINE void W(store_words)(uint8_t *p, const uint8_t *mask, vector v)
{
    vector_store(p, mask != NULL ? (vector)(v ^ vector_load(mask)) : v);
}

/* WORDS vectors of blocks to one vector per word, and back. */
HANJI_INLINE void W(transpose)(vector *word, const vector *block)
{
#if WORDS == 2
    SPLIT(&word[0], &word[1], block[0], block[1]);
#else
    vector low0, low1, high0, high1;
    SPLIT_PAIRS(&low0, &high0, block[0], block[1]);
    SPLIT_PAIRS(&low1, &high1, block[2], block[3]);
    SPLIT(&word[0], &word[1], low0, low1);
    SPLIT(&word[2], &word[3], high0, high1);
#endif
}

HANJI_INLINE void W(transpose_back)(vector *block, const vector *word)
{
#if WORDS == 2
    JOIN(&block[0], &block[1], word[0], word[1]);
#else
    vector low0, low1, high0, high1;
    JOIN(&low0, &low1, word[0], word[1]);
    JOIN(&high0, &high1, word[2], word[3]);
    JOIN_PAIRS(&block[0], &block[1], low0, high0);
    JOIN_PAIRS(&block[2], &block[3], low1, high1);
#endif
}

HANJI_INLINE void W(load_group)(W(word) *s, const uint8_t *in, int width)
{
    UNROLL
    for (int l = 0; l < width; l++) {
        vector block[WORDS], word[WORDS];
        for (int w = 0; w < WORDS; w++)
            block[w] = vector_load(in + (l * WORDS + w) * VECTOR_BYTES);
        W(transpose)(word, block);
        for (int w = 0; w < WORDS; w++)
            s[w * width + l] = (W(word))word[w];
    }
}

/* Store the blocks, xored with `mask` unless it is NULL. */
HANJI_INLINE void W(store_group)(uint8_t *out, const uint8_t *mask, const W(word) *s, int width)
{
    UNROLL
    for (int l = 0; l < width; l++) {
        vector block[WORDS], word[WORDS];
        for (int w = 0; w < WORDS; w++)
            word[w] = (vector)s[w * width + l];
        W(transpose_back)(block, word);
        for (int w = 0; w < WORDS; w++) {
            const int at = (l * WORDS + w) * VECTOR_BYTES;
            W(store_words)(out + at, mask != NULL ? mask + at : NULL, block[w]);
        }
    }
}

/*
 * Store a text xored by CTR; where `lacks_key` is 1, with the round key k, which all words still
 * lack.
 */
HANJI_INLINE void W(store_text)(uint8_t *out, const uint8_t *in, const W(word) *s, int lacks_key,
                                W(word) k, int width)
{
    UNROLL
    for (int l = 0; l < width; l++) {
        vector block[WORDS], word[WORDS];
        for (int w = 0; w < WORDS; w++)
            word[w] = (vector)s[w * width + l];
        W(transpose_back)(block, word);
        for (int w = 0; w < WORDS; w++) {
            const int at = (l * WORDS + w) * VECTOR_BYTES;
            const vector text = vector_load(in + at);
            vector_store(out + at, lacks_key ? xor_three(block[w], (vector)k, text)
                                             : (vector)(block[w] ^ text));
        }
    }
}

typedef void W(schedule_fn)(W(word) *rk, int key_words, int rounds, uint64_t z);
typedef void W(rounds_fn)(W(word) *s, W(keys) rk, int rounds, int width);

HANJI_INLINE void W(blocks)(uint8_t *out, const uint8_t *in, size_t groups, const void *keys,
                            W(rounds_fn) *run, int rounds, int width)
{
    W(word) s[WORDS * WIDTH_MAX];
    for (; groups > 0; groups--) {
        W(load_group)(s, in, width);
        run(s, (W(keys)){.shared = keys}, rounds, width);
        W(store_group)(out, NULL, s, width);
        in += width * BLOCKS * WORDS * WORD_BYTES;
        out += width * BLOCKS * WORDS * WORD_BYTES;
    }
}
