/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters in vectors, and CTR under one key. A part of lanes/vector.h, once per word size.
 */
/*
 * The numbers 0, 1, ... of the blocks of a vector, in the order of the lanes: of WORDS vectors of
 * blocks that are transposed each gives QUARTER lanes to every 128 bits. As a constant of the
 * compiler: in what it would have to find out it does not see one everywhere.
 */
#undef QUARTER
#undef BLOCK_NUMBER
#undef BLOCK_NUMBERS_2
#undef BLOCK_NUMBERS_4
#undef BLOCK_NUMBERS_8
#undef BLOCK_NUMBERS_16
#undef BLOCK_NUMBERS
#define QUARTER (128 / WORD_BITS / WORDS)
#define BLOCK_NUMBER(lane)                                                              \
    ((lane) / QUARTER % WORDS * (BLOCKS / WORDS) + (lane) / QUARTER / WORDS * QUARTER + \
     (lane) % QUARTER)
#define BLOCK_NUMBERS_2(lane) BLOCK_NUMBER(lane), BLOCK_NUMBER((lane) + 1)
#define BLOCK_NUMBERS_4(lane) BLOCK_NUMBERS_2(lane), BLOCK_NUMBERS_2((lane) + 2)
#define BLOCK_NUMBERS_8(lane) BLOCK_NUMBERS_4(lane), BLOCK_NUMBERS_4((lane) + 4)
#define BLOCK_NUMBERS_16(lane) BLOCK_NUMBERS_8(lane), BLOCK_NUMBERS_8((lane) + 8)
#if BLOCKS == 2
#define BLOCK_NUMBERS BLOCK_NUMBERS_2(0)
#elif BLOCKS == 4
#define BLOCK_NUMBERS BLOCK_NUMBERS_4(0)
#elif BLOCKS == 8
#define BLOCK_NUMBERS BLOCK_NUMBERS_8(0)
#elif BLOCKS == 16
#define BLOCK_NUMBERS BLOCK_NUMBERS_16(0)
#else
#define BLOCK_NUMBERS BLOCK_NUMBERS_16(0), BLOCK_NUMBERS_16(16)
#endif
HANJI_INLINE W(word) W(block_numbers)(void)
{
    return (W(word)){BLOCK_NUMBERS};
}

/*
 * The counter is WORDS numbers, most significant first, each in all lanes of a vector. It stays in
 * vectors throughout: counters of EAX are secret, and a value outside general registers decides no
 * branch and no address: the scan of the compiled kernels relies on it.
 */
HANJI_INLINE sixteen W(counter_order)(int w, int back)
{
    uint8_t order[16];
    for (int i = 0; i < 16; i++) {
        const int in_lane = i & (WORD_BITS / 8 - 1), in_word = i - w * WORD_BYTES;
        if (back) /* byte i of the block is a byte of word w, or none */
            order[i] =
                in_word >= 0 && in_word < WORD_BYTES ? (uint8_t)(WORD_BYTES - 1 - in_word) : 0x80;
        else /* byte in_lane of the number is this byte of the block */
            order[i] =
                in_lane < WORD_BYTES ? (uint8_t)(w * WORD_BYTES + WORD_BYTES - 1 - in_lane) : 0x80;
    }
    sixteen v;
    memcpy(&v, order, sizeof v);
    return v;
}

HANJI_INLINE void W(counter_load)(W(word) *c, const uint8_t *p)
{
    const sixteen block = load_sixteen(p, WORDS * WORD_BYTES);
    for (int w = 0; w < WORDS; w++)
        c[w] = (W(word))repeat_sixteen(shuffle_sixteen(block, W(counter_order)(w, 0)));
}

HANJI_INLINE void W(counter_store)(uint8_t *p, const W(word) *c)
{
    sixteen block = shuffle_sixteen(lowest_sixteen((vector)c[0]), W(counter_order)(0, 1));
    for (int w = 1; w < WORDS; w++)
        block |= shuffle_sixteen(lowest_sixteen((vector)c[w]), W(counter_order)(w, 1));
    store_sixteen(p, block, WORDS * WORD_BYTES);
}

/* c + n, lane by lane, with the carries between the words. */
HANJI_INLINE void W(counter_add)(W(word) *sum, const W(word) *c, W(word) n)
{
    sum[WORDS - 1] = c[WORDS - 1] + n;
    W(word) carry = (W(word))(sum[WORDS - 1] < n);
    for (int w = WORDS - 2; w >= 0; w--) {
        sum[w] = c[w] - carry;
        carry &= (W(word))(sum[w] == 0);
    }
}

/*
 * The counter blocks c + n of a group, where n, a number below 2^15, is the block's number in the
 * group: only the lowest words differ, and the words above are those of c, or in blocks past a
 * carry those of c + 2^WORD_BITS. A carry is where n is above what the lowest word of c lacks of
 * its maximum, a comparison that takes constants, with signs.
 */
typedef struct W(counters) {
    W(word) lowest, room;
    W(word) upper[WORDS], change[WORDS]; /* as they lie in memory; past a carry both together */
} W(counters);

/* All bits set in the words where n is above the limit; both are numbers without sign bit. */
HANJI_INLINE W(word) W(above)(W(word) n, W(word) limit)
{
#if VECTOR_BYTES == 64 /* comparisons would go into mask registers: slow */
    return (W(word))((W(signed_word))(limit - n) >> (WORD_BITS - 1));
#else
    return (W(word))((W(signed_word))n > (W(signed_word))limit);
#endif
}

HANJI_INLINE void W(counters_of)(W(counters) *of, const W(word) *c)
{
    const W(word) lacks = W(splat)((W(number))WORD_MASK) - c[WORDS - 1];
    of->lowest = c[WORDS - 1];
    /* without its sign it would be less than any number: */
    of->room = lacks & ~(W(word))((W(signed_word))lacks < 0);
    /* then the highest number that has none */
    of->room |= (W(word))((W(signed_word))lacks < 0) >> 1;
    W(word) carry = W(splat)(1);
    for (int w = WORDS - 2; w >= 0; w--) {
        const W(word) sum = c[w] + carry;
        of->upper[w] = W(from_be)(c[w]);
        of->change[w] = W(from_be)(c[w] ^ sum);
        carry &= (W(word))(sum == 0);
    }
}

HANJI_INLINE void W(count_group)(W(word) *s, const W(counters) *of, W(word) numbers, int width)
{
    UNROLL
    for (int l = 0; l < width; l++) {
        const W(word) n = numbers + W(splat)((W(number))(l * BLOCKS));
        for (int w = 0; w + 1 < WORDS; w++)
            s[w * width + l] = of->upper[w] ^ (W(above)(n, of->room) & of->change[w]);
        s[(WORDS - 1) * width + l] = W(from_be)(of->lowest + n);
    }
}

/*
 * Where n, a number at the place of the last byte of a word, is above the limit; and a choice by
 * it. Behind a rotation there is room for a sign.
 */
#if VECTOR_BYTES == 64
#define LIMIT_BYTE(limit, turn) (limit)
#if WORD_BITS == 16
typedef __mmask32 W(choice);
#elif WORD_BITS == 32
typedef __mmask16 W(choice);
#else
typedef __mmask8 W(choice);
#endif
HANJI_INLINE W(choice) W(exceeds)(W(word) n, W(word) limit, int turn)
{
    return turn > 0 ? HANJI_JOIN(HANJI_JOIN(_mm512_cmpgt_epi, WORD_BITS), _mask)((vector)n,
                                                                                 (vector)limit)
                    : HANJI_JOIN(HANJI_JOIN(_mm512_cmpgt_epu, WORD_BITS), _mask)((vector)n,
                                                                                 (vector)limit);
}
HANJI_INLINE W(word) W(choose)(W(choice) past, W(word) yes, W(word) no)
{
    return (W(word))HANJI_JOIN(_mm512_mask_blend_epi, WORD_BITS)(past, (vector)no, (vector)yes);
}
#else
/* Comparisons have signs, and numbers without a rotation are below 128. */
#define LIMIT_BYTE(limit, turn) \
    ((turn) > 0 ? (limit)       \
                : (limit) - (((limit)-W(splat)(127)) & (W(word))((limit) > W(splat)(127))))
typedef W(word) W(choice);
HANJI_INLINE W(choice) W(exceeds)(W(word) n, W(word) limit, int turn)
{
    (void)turn;
    return W(above)(n, limit);
}
HANJI_INLINE W(word) W(choose)(W(choice) past, W(word) yes, W(word) no)
{
    return (W(word))choose_where((vector)past, (vector)yes, (vector)no);
}
#endif

/*
 * CTR with one key. Within 256 blocks from c on only the last byte of a block counts, but for one
 * carry out of it: past that the other bytes are those of c + 256. So a block of a group is chosen
 * from two, and its number added to the last byte, at its place in memory: nothing is
 * shuffled. Rounds that begin with a rotation of the last word get it rotated to the right by
 * `turn` bits, a constant; a carry out of the last byte, which comes of the addition where that
 * byte is not the uppermost any more, is taken off before.
 */
#undef PIECES_MAX
#define PIECES_MAX ((WIDTH_MAX * BLOCKS + 255) / 256)
typedef struct W(group) {
    /* the highest number without a carry, at the place of the last byte */
    W(word) limit;
    W(word) at[PIECES_MAX + 1][WORDS]; /* c, c + 256, ... */
    /* the last words of at[1], ... without the carry that the addition makes */
    W(word) past[PIECES_MAX];
} W(group);

/* The last word of a counter in memory, rotated. */
HANJI_INLINE W(word) W(last_word)(W(word) v, int turn)
{
#if WORD_BITS == 16
    return W(rotl)(v, (8 + WORD_BITS - turn) % WORD_BITS);
#elif WORD_BITS == 32
    if (turn == 8)
        return (W(word))shuffle_bytes(
            (vector)v, SIXTEEN(2, 1, 0, 3, 6, 5, 4, 7, 10, 9, 8, 11, 14, 13, 12, 15));
#elif WORD_BITS == 64
    if (turn == 8)
        return (W(word))shuffle_bytes(
            (vector)v, SIXTEEN(6, 5, 4, 3, 2, 1, 0, 7, 14, 13, 12, 11, 10, 9, 8, 15));
#endif
    return W(rotl)(W(from_be)(v), (WORD_BITS - turn) % WORD_BITS);
}

HANJI_INLINE void W(group_of)(W(group) *of, const W(word) *c, int turn, int width)
{
    const int pieces = (width * BLOCKS + 255) / 256;
    of->limit = LIMIT_BYTE(W(splat)(255) & ~c[WORDS - 1], turn) << (WORD_BITS - 8 - turn);
    for (int p = 0; p <= pieces; p++) {
        const W(word) last = c[WORDS - 1] + W(splat)((W(number))(p * 256));
        W(word) carry = (W(word))(last < c[WORDS - 1]);
        of->at[p][WORDS - 1] = W(last_word)(last, turn);
        for (int w = WORDS - 2; w >= 0; w--) {
            const W(word) sum = c[w] - carry;
            of->at[p][w] = W(from_be)(p > 0 ? sum : c[w]);
            carry &= (W(word))(sum == 0);
        }
        if (p > 0)
            of->past[p - 1] =
                of->at[p][WORDS - 1] -
                W(splat)((W(number))(turn > 0 ? (uint64_t)1 << (WORD_BITS - turn) : 0));
    }
}

/*
 * The numbers of the blocks of vector l of a group in their piece, at the place of the last byte: a
 * constant.
 */
HANJI_INLINE W(word) W(numbers_at)(int l, int turn)
{
    return (W(block_numbers)() + W(splat)((W(number))(l * BLOCKS % 256))) << (WORD_BITS - 8 - turn);
}

/*
 * What encrypts the counters of a group: this one, or that of a room whose first rounds do less in
 * blocks of different last words alone. Where COUNTED_LACKS_KEY is 1 it leaves the last round
 * key, missing in all words of a block alike, to the store.
 */
typedef void W(counted_fn)(W(word) *s, const W(group) *of, int turn, W(keys) rk, W(rounds_fn) *run,
                           int rounds, int width);

HANJI_INLINE void W(count_blocks)(W(word) *s, const W(group) *of, int turn, int width)
{
    UNROLL
    for (int l = 0; l < width; l++) {
        const int p = l * BLOCKS / 256;
        const W(word) n = W(numbers_at)(l, turn);
        const W(choice) past = W(exceeds)(n, of->limit, turn);
        for (int w = 0; w + 1 < WORDS; w++)
            s[w * width + l] = W(choose)(past, of->at[p + 1][w], of->at[p][w]);
        s[(WORDS - 1) * width + l] = W(choose)(past, of->past[p], of->at[p][WORDS - 1]) + n;
    }
}

HANJI_INLINE void W(counted)(W(word) *s, const W(group) *of, int turn, W(keys) rk,
                             W(rounds_fn) *run, int rounds, int width)
{
    W(count_blocks)(s, of, turn, width);
    run(s, rk, rounds, width);
}
#undef COUNTED
#undef COUNTED_TURN
#undef COUNTED_LACKS_KEY
#define COUNTED(bits) HANJI_JOIN(counted_w, bits)
#define COUNTED_TURN(bits) 0
#define COUNTED_LACKS_KEY(bits) 0

/*
 * The group that follows within the 256 blocks of the same start. Behind a rotation only: the limit
 * may become negative.
 */
HANJI_INLINE void W(group_next)(W(group) *of, int turn, int width)
{
    const W(word) n = W(splat)((W(number))(width * BLOCKS)) << (WORD_BITS - 8 - turn);
    of->limit -= n;
    of->at[0][WORDS - 1] += n;
    of->past[0] += n;
}

/*
 * The counters of a group are ready before the rounds of the group before it, whose latencies they
 * would add to. Small groups that begin within 256 blocks share what it takes.
 */
HANJI_INLINE void W(ctr)(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,
                         const void *keys, W(counted_fn) *counted, int turn, int lacks_key,
                         W(rounds_fn) *run, int rounds, int width)
{
    const size_t most = turn > 0 && width * BLOCKS <= 128 ? (size_t)(256 / (width * BLOCKS)) : 1;
    const W(keys) rk = {.shared = keys};
    W(word) s[WORDS * WIDTH_MAX], c[WORDS];
    W(group) of;
    W(counter_load)(c, counter);
    W(group_of)(&of, c, turn, width);
    while (groups > 0) {
        const size_t part = groups < most ? groups : most;
        W(group) now = of;
        W(counter_add)(c, c, W(splat)((W(number))(part * (size_t)(width * BLOCKS))));
        groups -= part;
        if (groups > 0)
            W(group_of)(&of, c, turn, width);
        for (size_t i = 0; i < part; i++) {
#if WORDS == 4 && VECTOR_BYTES == 64
            IN_MEMORY(of); /* gcc 12 would keep these in registers, and the state in memory */
            IN_MEMORY(c);
#endif
            counted(s, &now, turn, rk, run, rounds, width);
            W(store_text)(out, in, s, lacks_key,
                          lacks_key ? W(round_key)(rk, rounds - 1) : W(splat)(0), width);
            in += width * BLOCKS * WORDS * WORD_BYTES;
            out += width * BLOCKS * WORDS * WORD_BYTES;
            if (most > 1)
                W(group_next)(&now, turn, width);
        }
    }
    W(counter_store)(counter, c);
}
