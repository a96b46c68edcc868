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

typedef void W(once_width_fn)(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *counter,
                              W(number) *rk);
#define HANJI_VECTOR_ONCE_WIDTH(function, width, ...)                                  \
    static HANJI_NOINLINE void function(uint8_t *out, const uint8_t *in, size_t bytes, \
                                        const uint8_t *counter, W(number) *rk)         \
    {                                                                                  \
        W(once_text)(out, in, bytes, counter, rk, __VA_ARGS__, width);                 \
    }

/*
 * Vectors of a group without the schedule, in texts of more than sixteen: shorter ones go by fours,
 * which leave less on the stack. With 32 registers a group with the schedule may have as many.
 */
#if VECTOR_BYTES == 64
#define WIDE_AT_ONCE 8
#define AT_ONCE_MOST 8
#define WIDEST_AT_ONCE(function) function##_eight
#define HANJI_VECTOR_ONCE_EIGHT(function, ...) HANJI_VECTOR_ONCE_WIDTH(function, 8, __VA_ARGS__)
#else
#define WIDE_AT_ONCE 7
#define AT_ONCE_MOST 4
#define WIDEST_AT_ONCE(function) function##_four
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
 * wipe_frames() behind the kernels of groups: gcc 12 gives them frames of 800 bytes on AVX2 and
 * 1152 on AVX-512, and clang 14 up to 984, beside the registers that they keep.
 */
static HANJI_NOINLINE void wipe_frames_of_groups(void)
{
    uint8_t below[VECTOR_BYTES == 64 ? 1408 : 1152];
    wipe_vectors(below, sizeof below);
}

/* Words that fill vectors, so many or more. */
#define IN_WHOLE_VECTORS(words) (((words) + BLOCKS - 1) / BLOCKS * BLOCKS)

/*
 * A text whose last vectors go through one of the functions beside the key schedule, by how many
 * they are. The vectors before them go in groups through `ctr`, and by fours through `brief`. The
 * functions are constants where this is inlined, and called by name: the scan of kernels for leaks
 * follows no addresses.
 */
HANJI_INLINE void W(at_once)(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *iv,
                             W(number) *rk, W(once_width_fn) *one, W(once_width_fn) *two,
                             W(once_width_fn) *three, W(once_width_fn) *four,
                             W(once_width_fn) *widest, hanji_ctr_fn *ctr, hanji_short_fn *brief)
{
    const size_t whole = WORDS * VECTOR_BYTES, vectors = (bytes + whole - 1) / whole,
                 last = vectors_at_once(vectors), before = vectors - last, at = before * whole,
                 groups = vectors > 16 ? before / WIDE_AT_ONCE : 0;
    uint8_t counter[COUNTER_BYTES];
    const uint8_t *start = iv;
    if (before > 0) {
        counter_leave(counter, counter_everywhere(iv), at / COUNTER_BYTES);
        start = counter;
    }
    if (AT_ONCE_MOST > 4 && last > 4)
        widest(out + at, in + at, bytes - at, start, rk);
    else if (last > 3)
        four(out + at, in + at, bytes - at, start, rk);
    else if (last > 2)
        three(out + at, in + at, bytes - at, start, rk);
    else if (last > 1)
        two(out + at, in + at, bytes - at, start, rk);
    else
        one(out + at, in + at, bytes - at, start, rk);
    memcpy(counter, iv, sizeof counter);
    if (groups > 0)
        ctr(out, in, groups, counter, rk);
    for (size_t to = groups * WIDE_AT_ONCE * whole; to < at; to += 4 * whole)
        brief(out + to, in + to, 4 * whole, counter, out, rk); /* `out`: there is no rest */
    if (groups > 0)
        wipe_frames_of_groups();
    else
        wipe_frames();
}

/*
 * One kernel: a function with this name, from the rounds and key schedule of its room, and the
 * kernels of the same cipher that do the vectors before the last.
 */
#define HANJI_VECTOR_ONCE(function, ctr, brief, once, key_words, rounds, z)                  \
    HANJI_VECTOR_ONCE_WIDTH(function##_one, 1, once, key_words, rounds, z)                   \
    HANJI_VECTOR_ONCE_WIDTH(function##_two, 2, once, key_words, rounds, z)                   \
    HANJI_VECTOR_ONCE_WIDTH(function##_three, 3, once, key_words, rounds, z)                 \
    HANJI_VECTOR_ONCE_WIDTH(function##_four, 4, once, key_words, rounds, z)                  \
    HANJI_VECTOR_ONCE_EIGHT(function##_eight, once, key_words, rounds, z)                    \
    void function(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *iv,          \
                  const uint8_t *key)                                                        \
    {                                                                                        \
        W(number) rk[IN_WHOLE_VECTORS(rounds)];                                              \
        memcpy(rk, key, (key_words)*WORD_BYTES);                                             \
        W(at_once)(out, in, bytes, iv, rk, function##_one, function##_two, function##_three, \
                   function##_four, WIDEST_AT_ONCE(function), ctr, brief##_four);            \
        wipe_vectors(rk, sizeof rk);                                                         \
    }
