/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chains of blocks of messages with a key each: lanes/chains.h. A part of lanes/vector.h, once per
 * word size.
 */
/* The round keys of a vector of lanes, and of those behind it. */
HANJI_INLINE W(keys) W(keys_of)(const hanji_chains *c)
{
    return (W(keys)){.own = (const W(word) *)(const void *)c->streams.round_keys,
                     .apart = sizeof *c / VECTOR_BYTES};
}

/* A block of every lane to the first bytes of its slot. */
HANJI_INLINE void W(store_block)(uint8_t *slot, const W(word) *block, int step)
{
    vector v[WORDS_16];
    for (int i = 0; i < WORDS_16; i++)
        v[i] = i < WORDS ? (vector)block[i * step] : (vector)W(splat)(0);
    W(store_slot)(slot, v);
}

/* Of the blocks 0, 1, ...; `count` is a constant. */
HANJI_INLINE void W(chain_starts)(hanji_chains *c, W(rounds_fn) *run, int rounds, int count)
{
    W(word) state[3 * WORDS];
    for (int t = 0; t < count; t++)
        for (int w = 0; w < WORDS; w++)
            state[count * w + t] = W(from_be)(W(splat)((W(number))(w == WORDS - 1 ? t : 0)));
    run(state, (W(keys)){.own = W(keys_of)(c).own, .apart = -1}, rounds, count);
    for (int t = 0; t < count; t++)
        W(store_block)(c->starts + t * WORDS_16 * VECTOR_BYTES, state + t, count);
}

/* `vectors`, a constant, side by side: neither waits for the other. */
HANJI_INLINE void W(chain_texts)(hanji_chains *c, size_t blocks, W(rounds_fn) *run, int rounds,
                                 int vectors)
{
    W(word) mac[WORDS * HANJI_CHAIN_VECTORS], s[WORDS * HANJI_CHAIN_VECTORS],
        count[HANJI_CHAIN_VECTORS], number = W(splat)(0);
    vector v[HANJI_CHAIN_VECTORS][WORDS_16];
    UNROLL
    for (int g = 0; g < vectors; g++) {
        W(load_slot)(v[g], c[g].macs);
        for (int w = 0; w < WORDS; w++)
            mac[w * vectors + g] = (W(word))v[g][w];
        count[g] = (W(word))vector_load(c[g].counts);
    }
    for (size_t at = 0; at < blocks; at += BLOCKS_16) {
        UNROLL
        for (int g = 0; g < vectors; g++)
            W(load_slot)(v[g], c[g].text + at / BLOCKS_16 * WORDS_16 * VECTOR_BYTES);
        for (int b = 0; b < BLOCKS_16 && at + (size_t)b < blocks; b++) {
            number = (W(word))(number + W(splat)(1));
            UNROLL
            for (int g = 0; g < vectors; g++)
                for (int w = 0; w < WORDS; w++)
                    s[w * vectors + g] = mac[w * vectors + g] ^ (W(word))v[g][b * WORDS + w];
            run(s, W(keys_of)(c), rounds, vectors);
            UNROLL
            for (int g = 0; g < vectors; g++) {
                /* the numbers are small: with signs, where the block is behind the text */
                const W(word) behind =
                    (W(word))((W(signed_word))(count[g] - number) >> (WORD_BITS - 1));
                for (int w = 0; w < WORDS; w++) {
                    const int i = w * vectors + g;
                    mac[i] = s[i] ^ ((s[i] ^ mac[i]) & behind);
                }
            }
        }
    }
    UNROLL
    for (int g = 0; g < vectors; g++)
        W(store_block)(c[g].macs, mac + g, vectors);
}

/* See hanji_chains_fn. */
HANJI_INLINE void W(chains)(hanji_chains *c, size_t vectors, size_t blocks, uint32_t flags,
                            W(rounds_fn) *run, W(schedule_fn) *schedule, int key_words, int rounds,
                            uint64_t z)
{
    for (size_t g = 0; g < vectors; g++) {
        if ((flags & HANJI_STREAMS_EXPAND) != 0)
            W(expand_lanes)(&c[g].streams, schedule, key_words, rounds, z);
        if ((flags & HANJI_CHAINS_START) != 0)
            W(chain_starts)(c + g, run, rounds, 3);
        if ((flags & HANJI_CHAINS_ZERO) != 0)
            W(chain_starts)(c + g, run, rounds, 1);
    }
    if (blocks > 0 && vectors == HANJI_CHAIN_VECTORS)
        W(chain_texts)(c, blocks, run, rounds, HANJI_CHAIN_VECTORS);
    else if (blocks > 0)
        W(chain_texts)(c, blocks, run, rounds, 1);
    if ((flags & HANJI_CHAINS_STREAM) != 0)
        for (size_t g = 0; g < vectors; g++)
            W(make_streams)(&c[g].streams, flags, run, rounds);
}
