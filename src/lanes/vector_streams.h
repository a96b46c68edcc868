/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Key streams of messages with a key each. A part of lanes/vector.h, once per word size.
 */
/*
 * Messages with keys of their own. The words of 16 bytes of a lane, a slot, are in WORDS_16
 * vectors; the transpose within 128 bits is its own inverse. A unit of slots fills the registers.
 */
#undef WORDS_16
#undef BLOCKS_16
#undef SLOT_BYTES
#undef UNIT
#define WORDS_16 (16 / WORD_BYTES)
#define BLOCKS_16 (WORDS_16 / WORDS)
#define SLOT_BYTES 16
#define UNIT                                                                                \
    (VECTOR_REGISTERS / 2 / WORDS_16 < HANJI_STREAM_SLOTS ? VECTOR_REGISTERS / 2 / WORDS_16 \
                                                          : HANJI_STREAM_SLOTS)

HANJI_INLINE void W(turn)(vector *v)
{
#if WORD_BITS == 64
    vector t[2];
    split_64(&t[0], &t[1], v[0], v[1]);
    v[0] = t[0];
    v[1] = t[1];
#elif WORD_BITS == 32
    vector t[4];
    join_32(&t[0], &t[1], v[0], v[1]);
    join_32(&t[2], &t[3], v[2], v[3]);
    split_64(&v[0], &v[1], t[0], t[2]);
    split_64(&v[2], &v[3], t[1], t[3]);
#else
    vector t[8], u[8];
    for (int i = 0; i < 8; i += 2)
        join_16(&t[i], &t[i + 1], v[i], v[i + 1]);
    for (int i = 0; i < 8; i += 4) {
        join_32(&u[i], &u[i + 1], t[i], t[i + 2]);
        join_32(&u[i + 2], &u[i + 3], t[i + 1], t[i + 3]);
    }
    for (int i = 0; i < 4; i++)
        split_64(&v[2 * i], &v[2 * i + 1], u[i], u[i + 4]);
#endif
}

/* One slot of every lane, as words; and back. */
HANJI_INLINE void W(load_slot)(vector *v, const uint8_t *slot)
{
    UNROLL
    for (int i = 0; i < WORDS_16; i++)
        v[i] = vector_load(slot + i * VECTOR_BYTES);
    W(turn)(v);
}

HANJI_INLINE void W(store_slot)(uint8_t *slot, vector *v)
{
    W(turn)(v);
    UNROLL
    for (int i = 0; i < WORDS_16; i++)
        vector_store(slot + i * VECTOR_BYTES, v[i]);
}

/*
 * Slot `at` of key stream of every lane, and the following ones, up to `slots`: computed at once,
 * from counter `first` of every lane on, which is for slot 0.
 */
HANJI_INLINE void W(stream_unit)(vector (*slot)[WORDS_16], int at, int slots, const W(word) *first,
                                 const hanji_streams *s, W(rounds_fn) *run, int rounds)
{
    W(word) state[8 * HANJI_STREAM_SLOTS], now[WORDS];
    const int blocks = slots * BLOCKS_16;
    UNROLL
    for (int b = 0; b < blocks; b++) {
        W(counter_add)(now, first, W(splat)((W(number))(at * BLOCKS_16 + b)));
        for (int w = 0; w < WORDS; w++)
            state[w * blocks + b] = W(from_be)(now[w]);
    }
    run(state, (W(keys)){.own = (const W(word) *)(const void *)s->round_keys, .apart = -1}, rounds,
        blocks);
    UNROLL
    for (int p = 0; p < slots; p++) {
        for (int i = 0; i < WORDS_16; i++)
            slot[p][i] = (vector)state[i % WORDS * blocks + p * BLOCKS_16 + i / WORDS];
        W(turn)(slot[p]);
    }
}

HANJI_INLINE void W(store_pieces)(hanji_streams *s, int at, vector (*piece)[WORDS_16], int pieces)
{
    UNROLL
    for (int p = 0; p < pieces; p++)
        for (int i = 0; i < WORDS_16; i++)
            vector_store(s->stream + ((at + p) * WORDS_16 + i) * VECTOR_BYTES, piece[p][i]);
}

/* The round keys of every lane from its key. */
HANJI_INLINE void W(expand_lanes)(hanji_streams *s, W(schedule_fn) *schedule, int key_words,
                                  int rounds, uint64_t z)
{
    vector v[WORDS_16];
    W(word) *rk = (W(word) *)(void *)s->round_keys;
    for (int k = 0; k < key_words; k += WORDS_16) {
        W(load_slot)(v, s->keys + k * VECTOR_BYTES);
        for (int i = 0; i < WORDS_16 && k + i < key_words; i++)
            rk[k + i] = (W(word))v[i];
    }
    schedule(rk, key_words, rounds, z);
}

HANJI_INLINE void W(make_streams)(hanji_streams *s, uint32_t flags, W(rounds_fn) *run, int rounds)
{
    vector v[WORDS_16], slot[HANJI_STREAM_SLOTS][WORDS_16];
    W(word) c[WORDS];
    W(load_slot)(v, s->counters);
    for (int w = 0; w < WORDS; w++)
        c[w] = W(from_be)((W(word))v[w]);
    if ((flags & HANJI_STREAMS_SHORT) != 0) {
        W(stream_unit)(slot, 0, 1, c, s, run, rounds);
        W(store_pieces)(s, 0, slot, 1);
        return;
    }
    for (int at = 0; at < HANJI_STREAM_SLOTS; at += UNIT) {
        W(stream_unit)(slot, at, UNIT, c, s, run, rounds);
        W(store_pieces)(s, at, slot, UNIT);
    }
    if ((flags & HANJI_STREAMS_CONTINUE) != 0) {
        W(counter_add)(c, c, W(splat)(HANJI_STREAM_SLOTS * BLOCKS_16));
        for (int w = 0; w < WORDS; w++)
            v[w] = (vector)W(from_be)(c[w]);
        W(store_slot)(s->counters, v);
    }
}

/* See hanji_streams_fn. */
HANJI_INLINE void W(streams)(hanji_streams *s, uint32_t flags, W(rounds_fn) *run,
                             W(schedule_fn) *schedule, int key_words, int rounds, uint64_t z)
{
    if ((flags & HANJI_STREAMS_EXPAND) != 0)
        W(expand_lanes)(s, schedule, key_words, rounds, z);
    W(make_streams)(s, flags, run, rounds);
}
