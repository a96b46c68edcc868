/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CTR over one text from its key: the key schedule goes in general registers beside the rounds of
 * the last vectors of every word, and leaves the round keys in memory to the vectors before them.
 * Stands on lanes/vector_short.h, included before it.
 */

/*
 * Rounds and key schedule of a room: rk begins with the words of the key, and the round keys come
 * after.
 */
typedef void W(once_fn)(W(word) *s, W(number) *rk, int key_words, int rounds, uint64_t z,
                        int width);

/* Up to `width` vectors of every word, a constant, from the counter. */
HANJI_INLINE void W(once_text)(uint8_t *out, const uint8_t *in, size_t bytes,
                               const uint8_t *counter, W(number) *rk, W(once_fn) *once,
                               int key_words, int rounds, uint64_t z, int width)
{
    W(word) s[WORDS * WIDTH_MAX];
    W(short_count)(s, counter_everywhere(counter), width);
    once(s, rk, key_words, rounds, z, width);
    W(short_store)(out, in, bytes, NULL, s, width);
}

#define HANJI_VECTOR_ONCE_WIDTH(function, width, once, key_words, rounds, z)           \
    static HANJI_NOINLINE void function(uint8_t *out, const uint8_t *in, size_t bytes, \
                                        const uint8_t *counter, W(number) *rk)         \
    {                                                                                  \
        W(once_text)(out, in, bytes, counter, rk, once, key_words, rounds, z, width);  \
    }

/*
 * Vectors of a group without the schedule, in texts of more than sixteen: shorter ones go by fours,
 * which leave less on the stack. With 32 registers a group with the schedule may have as many.
 */
#if VECTOR_BYTES == 64
#define WIDE_AT_ONCE 8
#define EIGHT_AT_ONCE(function, last, ...) \
    if ((last) > 4)                        \
        function##_eight(__VA_ARGS__);     \
    else
#define HANJI_VECTOR_ONCE_EIGHT(function, ...) HANJI_VECTOR_ONCE_WIDTH(function, 8, __VA_ARGS__)
#else
#define WIDE_AT_ONCE 7
#define EIGHT_AT_ONCE(function, last, ...)
#define HANJI_VECTOR_ONCE_EIGHT(function, ...)
#endif

/* Of so many vectors the last, whose rounds have the key schedule beside them. */
HANJI_INLINE size_t vectors_at_once(size_t vectors)
{
    const size_t wide = vectors > 16 || WIDE_AT_ONCE == 8 ? WIDE_AT_ONCE : 4,
                 rest = (vectors - 1) % wide + 1;
    return rest > 4 && rest < 8 ? rest - 4 : rest;
}

/*
 * wipe_frames() behind the kernels of groups: gcc 12 gives them frames of 800 bytes on AVX2 and 1152
 * on AVX-512, and clang 14 up to 984, beside the registers that they keep.
 */
static HANJI_NOINLINE void wipe_frames_of_groups(void)
{
    uint8_t below[VECTOR_BYTES == 64 ? 1408 : 1152];
    wipe_vectors(below, sizeof below);
}

/* Words that fill vectors, so many or more. */
#define IN_WHOLE_VECTORS(words) (((words) + BLOCKS - 1) / BLOCKS * BLOCKS)

/*
 * One kernel: a function with this name, from the rounds and key schedule of its room. The vectors
 * before the last go in groups through `ctr`, and by fours through the kernel `brief` of short
 * texts, which leaves no key stream of whole vectors. Calls are by name: the scan of kernels for
 * leaks follows no addresses.
 */
#define HANJI_VECTOR_ONCE(function, ctr, brief, once, key_words, rounds, z)                       \
    HANJI_VECTOR_ONCE_WIDTH(function##_one, 1, once, key_words, rounds, z)                        \
    HANJI_VECTOR_ONCE_WIDTH(function##_two, 2, once, key_words, rounds, z)                        \
    HANJI_VECTOR_ONCE_WIDTH(function##_three, 3, once, key_words, rounds, z)                      \
    HANJI_VECTOR_ONCE_WIDTH(function##_four, 4, once, key_words, rounds, z)                       \
    HANJI_VECTOR_ONCE_EIGHT(function##_eight, once, key_words, rounds, z)                         \
    void function(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *iv,               \
                  const uint8_t *key)                                                             \
    {                                                                                             \
        const size_t one = WORDS * VECTOR_BYTES, vectors = (bytes + one - 1) / one,               \
                     last = vectors_at_once(vectors), before = vectors - last, at = before * one, \
                     groups = vectors > 16 ? before / WIDE_AT_ONCE : 0;                           \
        W(number) rk[IN_WHOLE_VECTORS(rounds)];                                                   \
        uint8_t counter[COUNTER_BYTES];                                                           \
        const uint8_t *start = iv;                                                                \
        memcpy(rk, key, (key_words)*WORD_BYTES);                                                  \
        if (before > 0) {                                                                         \
            counter_leave(counter, counter_everywhere(iv), at / COUNTER_BYTES);                   \
            start = counter;                                                                      \
        }                                                                                         \
        EIGHT_AT_ONCE(function, last, out + at, in + at, bytes - at, start, rk)                   \
        if (last > 3)                                                                             \
            function##_four(out + at, in + at, bytes - at, start, rk);                            \
        else if (last > 2)                                                                        \
            function##_three(out + at, in + at, bytes - at, start, rk);                           \
        else if (last > 1)                                                                        \
            function##_two(out + at, in + at, bytes - at, start, rk);                             \
        else                                                                                      \
            function##_one(out + at, in + at, bytes - at, start, rk);                             \
        memcpy(counter, iv, sizeof counter);                                                      \
        if (groups > 0)                                                                           \
            ctr(out, in, groups, counter, rk);                                                    \
        for (size_t to = groups * WIDE_AT_ONCE * one; to < at; to += 4 * one)                     \
            brief##_four(out + to, in + to, 4 * one, counter, out, rk);                           \
        wipe_vectors(rk, sizeof rk);                                                              \
        if (groups > 0)                                                                           \
            wipe_frames_of_groups();                                                              \
        else                                                                                      \
            wipe_frames();                                                                        \
    }
