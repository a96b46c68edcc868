/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CMAC of messages of one length with a key each, one message in each lane of AVX-512: a part of
 * lanes/vector.h, for blocks of 64 and 128 bits. Keys and texts are read where they lie, 16 bytes
 * of every message at a time. A chain waits for every block, so several vectors of lanes go side by
 * side. Included by lanes/vector.h, after lanes/messages.h.
 */
/* Twice a block (modes/cmac.c) of every lane; its first bit is secret. */
HANJI_INLINE void W(twice)(W(word) *to, const W(word) *block)
{
    W(word) number[WORDS];
    for (int w = 0; w < WORDS; w++)
        number[w] = W(from_be)(block[w]);
    const W(word) over = (W(word))((W(signed_word))number[0] >> (WORD_BITS - 1)),
                  modulus = W(splat)(WORDS * WORD_BYTES == 8 ? 0x1b : 0x87);
    for (int w = 0; w + 1 < WORDS; w++)
        to[w] = W(from_be)((W(word))(number[w] << 1 | number[w + 1] >> (WORD_BITS - 1)));
    to[WORDS - 1] = W(from_be)((W(word))(number[WORDS - 1] << 1 ^ (over & modulus)));
}

/* The cipher of the chain's blocks, `vectors` side by side. */
HANJI_INLINE void W(mac_step)(W(word) *s, const W(word) *rk, W(rounds_fn) *run, int rounds,
                              int vectors)
{
    run(s, (W(keys)){.own = rk, .apart = rounds}, rounds, vectors);
}

/*
 * A slot of every message of a vector of lanes, of which `bytes` bytes are text, none or up to 16;
 * zeros behind them.
 */
HANJI_INLINE void W(load_texts)(vector *v, const uint8_t *in, size_t stride, size_t bytes)
{
    const __mmask16 these = (__mmask16)((UINT32_C(1) << bytes) - 1);
    UNROLL
    for (size_t i = 0; i < WORDS_16; i++) {
        __m128i one[4];
        UNROLL
        for (size_t m = 0; m < 4; m++) {
            one[m] = _mm_maskz_loadu_epi8(these, in);
            in += stride;
            NUMBER(in);
        }
        __m512i four = _mm512_castsi128_si512(one[0]);
        four = _mm512_inserti32x4(four, one[1], 1);
        four = _mm512_inserti32x4(four, one[2], 2);
        v[i] = _mm512_inserti32x4(four, one[3], 3);
    }
    W(turn)(v);
}

/* The tags of a vector of lanes, one after the other; `mac` has its words so far apart. */
HANJI_INLINE void W(store_tags)(uint8_t *tags, const W(word) *mac, int apart)
{
    vector v[WORDS_16];
    UNROLL
    for (int i = 0; i < WORDS_16; i++)
        v[i] = i < WORDS ? (vector)mac[i * apart] : (vector)W(splat)(0);
    W(turn)(v);
    UNROLL
    for (int i = 0; i < WORDS_16; i++) {
        if (WORDS * WORD_BYTES == 16)
            vector_store(tags + (size_t)i * 64, v[i]);
        else
            _mm256_storeu_si256((void *)(tags + (size_t)i * 32),
                                _mm512_castsi512_si256(_mm512_permutexvar_epi64(
                                    _mm512_setr_epi64(0, 2, 4, 6, 0, 2, 4, 6), v[i])));
    }
}

/* The byte behind `bytes` bytes of a block, as its word number w. */
HANJI_INLINE W(word) W(padding)(size_t bytes, int w)
{
    return W(splat)(bytes / WORD_BYTES == (size_t)w
                        ? (W(number))((uint64_t)0x80 << 8 * (bytes % WORD_BYTES))
                        : 0);
}

/*
 * What comes to the last block of a text, of `bytes` bytes, in a chain: a subkey, and padding where
 * the block is not full. Words are so far apart.
 */
HANJI_INLINE void W(mac_end)(W(word) *mac, const W(word) *k1, size_t bytes, int apart)
{
    W(word) subkey[WORDS];
    for (int w = 0; w < WORDS; w++)
        subkey[w] = k1[w * apart];
    if (bytes < WORDS * WORD_BYTES) {
        W(twice)(subkey, subkey);
        for (int w = 0; w < WORDS; w++)
            subkey[w] ^= W(padding)(bytes, w);
    }
    for (int w = 0; w < WORDS; w++)
        mac[w * apart] ^= subkey[w];
}

/* One group: see hanji_macs_fn. `rk` has room for the round keys of every vector. */
HANJI_INLINE void W(macs)(uint8_t *tags, const uint8_t *in, size_t bytes, const uint8_t *keys,
                          W(word) *rk, W(rounds_fn) *run, W(schedule_fn) *schedule, int key_words,
                          int rounds, uint64_t z)
{
    enum { VECTORS = HANJI_MAC_VECTORS, BLOCK = WORDS * WORD_BYTES };
    const size_t key_bytes = (size_t)key_words * WORD_BYTES;
    vector v[VECTORS][WORDS_16];
    W(word) mac[WORDS * VECTORS], k1[WORDS * VECTORS];
    UNROLL
    for (size_t g = 0; g < VECTORS; g++) {
        const uint8_t *from = keys + g * BLOCKS * key_bytes;
        UNROLL
        for (size_t at = 0; at < key_bytes; at += SLOT_BYTES) {
            const size_t here = key_bytes - at < SLOT_BYTES ? key_bytes - at : SLOT_BYTES;
            W(load_messages)(v[g], from + at, key_bytes, here);
            UNROLL
            for (size_t i = 0; i < here / WORD_BYTES; i++)
                rk[g * (size_t)rounds + at / WORD_BYTES + i] = (W(word))v[g][i];
        }
        schedule(rk + g * (size_t)rounds, key_words, rounds, z);
    }
    UNROLL
    for (int i = 0; i < WORDS * VECTORS; i++)
        mac[i] = W(splat)(0);
    W(mac_step)(mac, rk, run, rounds, VECTORS);
    UNROLL
    for (int g = 0; g < VECTORS; g++) {
        W(word) block[WORDS];
        for (int w = 0; w < WORDS; w++)
            block[w] = mac[w * VECTORS + g];
        W(twice)(block, block);
        for (int w = 0; w < WORDS; w++) {
            k1[w * VECTORS + g] = block[w];
            mac[w * VECTORS + g] = W(splat)(0);
        }
    }
    for (size_t left = bytes;; left -= 16, in += 16) {
        const size_t here = left < 16 ? left : 16, before = here == 0 ? 0 : (here - 1) / BLOCK,
                     tail = here - before * BLOCK;
        UNROLL
        for (size_t g = 0; g < VECTORS; g++)
            W(load_texts)(v[g], in + g * BLOCKS * bytes, bytes, here);
        for (size_t b = 0; b <= before; b++) {
            const int last = left <= 16 && b == before;
            UNROLL
            for (int g = 0; g < VECTORS; g++) {
                for (int w = 0; w < WORDS; w++)
                    mac[w * VECTORS + g] ^= (W(word))v[g][b * WORDS + (size_t)w];
                if (last)
                    W(mac_end)(mac + g, k1 + g, tail, VECTORS);
            }
            W(mac_step)(mac, rk, run, rounds, VECTORS);
        }
        if (left <= 16)
            break;
    }
    UNROLL
    for (int g = 0; g < VECTORS; g++)
        W(store_tags)(tags + g * BLOCKS * BLOCK, mac + g, VECTORS);
}
