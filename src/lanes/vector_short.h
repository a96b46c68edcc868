/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CTR over short texts under one key, any number of bytes: a vector of every word, or two or four.
 * Stands on lanes/vector.h, included before it; for words without gaps alone, on x86-64.
 */

/*
 * The last bytes of a text, fewer than a vector, and their key stream; of an unfinished
 * block it goes to `keystream`.
 */
HANJI_INLINE void W(end_text)(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *keystream,
                              vector stream)
{
    const size_t n = WORDS * WORD_BYTES, part = bytes & (n - 1);
#if VECTOR_BYTES == 64
    const __mmask64 these = UINT64_MAX >> (64 - bytes);
    _mm512_mask_storeu_epi8(out, these, stream ^ _mm512_maskz_loadu_epi8(these, in));
    if (part > 0) {
        uint8_t end[VECTOR_BYTES];
        vector_store(end, stream);
        memcpy(keystream, end + (bytes - part), n);
        wipe_here(end, sizeof end);
    }
#else
    sixteen x = lowest_sixteen(stream);
    uint8_t end[16];
    if (bytes >= 16) {
        store_sixteen(out, x ^ load_sixteen(in, 16), 16);
        x = _mm256_extracti128_si256(stream, 1);
        bytes -= 16, in += 16, out += 16;
        if (bytes == 0)
            return;
    }
    store_sixteen(end, x, 16);
    if (part > 0)
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

/* Up to `width` vectors of every word, a constant; see hanji_short_fn. */
HANJI_INLINE void W(short_text)(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                                uint8_t *keystream, const void *keys, W(counted_fn) *counted,
                                int turn, int lacks_key, W(rounds_fn) *run, int rounds, int width)
{
    const W(keys) rk = {.shared = keys};
    W(word) s[WORDS * WIDTH_MAX], c[WORDS];
    W(group) of;
    W(counter_load)(c, counter);
    W(group_of)(&of, c, turn, width);
    W(counter_add)(c, c, W(splat)((W(number))((bytes - 1) / (WORDS * WORD_BYTES) + 1)));
    W(counter_store)(counter, c);
    counted(s, &of, turn, rk, run, rounds, width);
    const W(word) k = lacks_key ? W(round_key)(rk, rounds - 1) : W(splat)(0);
    UNROLL
    for (int l = 0; l < width; l++) {
        vector block[WORDS], word[WORDS];
        for (int w = 0; w < WORDS; w++)
            word[w] = (vector)s[w * width + l];
        W(transpose_back)(block, word);
        for (int w = 0; w < WORDS; w++) {
            const size_t at = (size_t)(l * WORDS + w) * VECTOR_BYTES;
            const vector stream = lacks_key ? (vector)(block[w] ^ (vector)k) : block[w];
            if (bytes >= at + VECTOR_BYTES)
                vector_store(out + at, (vector)(stream ^ vector_load(in + at)));
            else if (bytes > at)
                W(end_text)(out + at, in + at, bytes - at, keystream, stream);
        }
    }
}

/*
 * The stack below the caller's frame, as deep as the frames of kernels for short texts: gcc 12 and
 * clang 14 give them up to 140 bytes, and up to 64 more to align them.
 */
static HANJI_NOINLINE void wipe_frames(void)
{
    uint8_t below[384];
    UNROLL
    for (size_t i = 0; i < sizeof below; i += VECTOR_BYTES)
        vector_store(below + i, (vector){0});
    __asm__ __volatile__("" : : "r"(below) : "memory"); /* as in hanji_wipe() */
}

/*
 * One kernel: a function with this name, with a frame for each width below it, from the rounds of
 * its room.
 */
#define HANJI_VECTOR_SHORT_WIDTH(function, width, run, rounds)                                    \
    static HANJI_NOINLINE void function(uint8_t *out, const uint8_t *in, size_t bytes,            \
                                        uint8_t *counter, uint8_t *keystream, const void *keys)   \
    {                                                                                             \
        W(short_text)(out, in, bytes, counter, keystream, keys, COUNTED(WORD_BITS),               \
                      COUNTED_TURN(WORD_BITS), COUNTED_LACKS_KEY(WORD_BITS), run, rounds, width); \
    }
#define HANJI_VECTOR_SHORT(function, run, rounds)                                   \
    HANJI_VECTOR_SHORT_WIDTH(function##_one, 1, run, rounds)                        \
    HANJI_VECTOR_SHORT_WIDTH(function##_two, 2, run, rounds)                        \
    HANJI_VECTOR_SHORT_WIDTH(function##_four, 4, run, rounds)                       \
    void function(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,  \
                  uint8_t *keystream, const void *keys)                             \
    {                                                                               \
        const size_t one = WORDS * VECTOR_BYTES;                                    \
        for (; bytes > 4 * one; bytes -= 4 * one, in += 4 * one, out += 4 * one)    \
            function##_four(out, in, 4 * one, counter, keystream, keys);            \
        (bytes > 2 * one ? function##_four                                          \
         : bytes > one   ? function##_two                                           \
                         : function##_one)(out, in, bytes, counter, keystream, keys); \
        wipe_frames();                                                              \
    }
