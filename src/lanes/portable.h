/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Portable kernels over lanes of blocks: loads, stores, counters. A room includes this after
 * defining WORD_BITS and WORDS (words per block), and brings only its rounds, as functions over
 * `lanes` blocks whose word w of block l is s[w * lanes + l]; the compiler turns loops over l into
 * vectors.
 */
#include "lanes/word.h"
#include "support/cipher.h"
#include "support/secret.h"

#ifndef HANJI_LANES_PORTABLE_H
#define HANJI_LANES_PORTABLE_H

/*
 * The names of what is made here for blocks of WORDS words: B(blocks) is blocks_2w32 when WORDS is
 * 2 and WORD_BITS is 32.
 */
#define HANJI_OF_(name, words, bits) name##_##words##w##bits
#define HANJI_OF(name, words, bits) HANJI_OF_(name, words, bits)
#define B(name) HANJI_OF(name, WORDS, WORD_BITS)

/*
 * Schedules are unrolled where code is no matter: their constants are known then, and words of the
 * key stay in registers.
 */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNROLL_SCHEDULE /* as UNROLL in lanes/vector.h */
#endif
#endif
#if defined(UNROLL_SCHEDULE)
#elif defined(HANJI_FREESTANDING)
#define UNROLL_SCHEDULE
#elif defined(__clang__)
#define UNROLL_SCHEDULE _Pragma("clang loop unroll(full)")
#else
#define UNROLL_SCHEDULE _Pragma("GCC unroll 80")
#endif

/* Compilers make vectors from loops only where they see loops. */
#define UNROLL

/*
 * Rounds of one or two blocks on x86-64, as in lanes/vector.h: a loop ends where the processor does
 * not foresee it, and its instructions keep others from it.
 */
#if defined(HANJI_X86)
#define SHORT_ROUNDS(rk, width) \
    ((width) <= 2 && (WORDS * WORD_BITS == 64 || WORDS * WORD_BITS == 128))
#define UNROLL_ROUNDS UNROLL_SCHEDULE
#else
#define SHORT_ROUNDS(rk, width) 0
#define UNROLL_ROUNDS
#endif

/*
 * Blocks per group of the wide portable kernels. Measured with gcc 12 and clang 14: with fewer the
 * loops over lanes are unrolled and stay scalar.
 */
#if HANJI_PORTABLE_GROUPS
#define HANJI_PORTABLE_LANES(word_bits) ((word_bits) == 16 ? 32 : (word_bits) <= 32 ? 32 : 8)
#else
#define HANJI_PORTABLE_LANES(word_bits) 1
#endif

#if HANJI_PORTABLE_GROUPS

/* A block-sized big-endian counter as two numbers; `high` is 0 for blocks of up to 8 bytes. */
typedef struct {
    uint64_t high, low;
} hanji_counter;

HANJI_INLINE hanji_counter counter_load(const uint8_t *p, size_t bytes)
{
    hanji_counter c = {0, 0};
    for (size_t i = 0; i < bytes; i++) {
        c.high = c.high << 8 | c.low >> 56;
        c.low = c.low << 8 | p[i];
    }
    return c;
}

/* c + n. Bits above the block are wrong in c but never reach a word. */
HANJI_INLINE hanji_counter counter_add(hanji_counter c, uint64_t n)
{
    const uint64_t low = c.low + n;
    c.high += low < c.low;
    c.low = low;
    return c;
}

/*
 * A step of the counter whose value the compiler does not see. Else gcc counts loops by the counter
 * itself, and the counter is secret in EAX.
 */
HANJI_INLINE uint64_t counter_step(uint64_t n)
{
#if defined(__GNUC__) && !defined(__clang__)
    __asm__("" : "+r"(n));
#endif
    return n;
}

HANJI_INLINE void counter_store(uint8_t *p, hanji_counter c, size_t bytes)
{
    for (size_t i = bytes; i-- > 0;) {
        p[i] = (uint8_t)c.low;
        c.low = c.low >> 8 | c.high << 56;
        c.high >>= 8;
    }
}

#endif

/*
 * One kernel: a function with this name, over groups of `width` blocks with words of `bits` bits,
 * from the rounds of its room.
 */
#define PORTABLE_BLOCKS(function, bits, width, run, rounds)                         \
    void function(uint8_t *out, const uint8_t *in, size_t groups, const void *keys) \
    {                                                                               \
        HANJI_OF(blocks, WORDS, bits)(out, in, groups, keys, run, rounds, width);   \
    }
#define PORTABLE_CTR(function, bits, run, rounds)                                       \
    void function(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,     \
                  const void *keys)                                                     \
    {                                                                                   \
        HANJI_OF(ctr_single, WORDS, bits)(out, in, groups, counter, keys, run, rounds); \
    }
#define PORTABLE_CTR_WIDE(function, bits, width, run, rounds)                       \
    void function(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter, \
                  const void *keys)                                                 \
    {                                                                               \
        HANJI_OF(ctr_lanes, WORDS, bits)                                            \
        (out, in, groups, counter, keys, run, rounds, width);                       \
    }
#define PORTABLE_CBC_MAC(function, bits, run, rounds)                               \
    void function(uint8_t *mac, const uint8_t *in, size_t blocks, const void *keys) \
    {                                                                               \
        HANJI_OF(cbc_mac, WORDS, bits)(mac, in, blocks, keys, run, rounds);         \
    }
#define PORTABLE_FEW(function, bits, run, rounds, most)                                       \
    static HANJI_NOINLINE void function##_text(uint8_t *out, const uint8_t *in, size_t bytes, \
                                               uint8_t *counter, uint8_t *keystream,          \
                                               const void *keys)                              \
    {                                                                                         \
        HANJI_OF(few, WORDS, bits)                                                            \
        (out, in, bytes, counter, keystream, keys, run, rounds, most);                        \
    }                                                                                         \
    void function(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,            \
                  uint8_t *keystream, const void *keys)                                       \
    {                                                                                         \
        function##_text(out, in, bytes, counter, keystream, keys);                            \
        hanji_wipe_stack_least();                                                             \
    }
/* With the key schedule of a room, `once`: it takes the words of the key for round keys. */
#define PORTABLE_ONCE(function, bits, once, key_words, rounds, z, most)                        \
    HANJI_INLINE void function##_rounds(word_w##bits *s, keys_w##bits key, int all, int width) \
    {                                                                                          \
        once(s, key, key_words, all, z, width);                                                \
    }                                                                                          \
    static HANJI_NOINLINE void function##_text(uint8_t *out, const uint8_t *in, size_t bytes,  \
                                               const uint8_t *iv, const uint8_t *key)          \
    {                                                                                          \
        word_w##bits words[key_words];                                                         \
        uint8_t counter[WORDS * (bits) / 8], keystream[WORDS * (bits) / 8];                    \
        for (int i = 0; i < (key_words); i++)                                                  \
            words[i] = load_w##bits(key + i * (bits) / 8);                                     \
        memcpy(counter, iv, sizeof counter);                                                   \
        HANJI_OF(few, WORDS, bits)                                                             \
        (out, in, bytes, counter, keystream, words, function##_rounds, rounds, most);          \
        forget_w##bits(keystream, sizeof keystream);                                           \
    }                                                                                          \
    void function(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *iv,            \
                  const uint8_t *key)                                                          \
    {                                                                                          \
        function##_text(out, in, bytes, iv, key);                                              \
        hanji_wipe_stack_least();                                                              \
    }
#define PORTABLE_EXPAND(function, bits, schedule, key_words, rounds, z)  \
    void function(void *round_keys, const uint8_t *key)                  \
    {                                                                    \
        expand_w##bits(round_keys, key, schedule, key_words, rounds, z); \
    }

#endif

typedef void W(schedule_fn)(W(word) *rk, int key_words, int rounds, uint64_t z);
typedef void W(rounds_fn)(W(word) *s, W(keys) rk, int rounds, int width);

HANJI_INLINE void B(load_lanes)(W(word) *s, const uint8_t *in, int width)
{
    for (int l = 0; l < width; l++)
        for (int w = 0; w < WORDS; w++)
            s[w * width + l] = W(load)(in + (l * WORDS + w) * WORD_BYTES);
}

HANJI_INLINE void B(store_lanes)(uint8_t *out, const W(word) *s, int width)
{
    for (int l = 0; l < width; l++)
        for (int w = 0; w < WORDS; w++)
            W(store)(out + (l * WORDS + w) * WORD_BYTES, s[w * width + l]);
}

HANJI_INLINE void B(blocks)(uint8_t *out, const uint8_t *in, size_t groups, const void *keys,
                            W(rounds_fn) *run, int rounds, int width)
{
    W(word) s[WORDS * HANJI_PORTABLE_LANES(WORD_BITS)];
    for (; groups > 0; groups--) {
        B(load_lanes)(s, in, width);
        run(s, (W(keys))keys, rounds, width);
        B(store_lanes)(out, s, width);
        in += width * WORDS * WORD_BYTES;
        out += width * WORDS * WORD_BYTES;
    }
}

/* See hanji_cbc_mac_fn: the chain stays in registers, so no block waits for a store. */
HANJI_INLINE void B(cbc_mac)(uint8_t *mac, const uint8_t *in, size_t blocks, const void *keys,
                             W(rounds_fn) *run, int rounds)
{
    W(word) s[WORDS];
    B(load_lanes)(s, mac, 1);
    for (; blocks > 0; blocks--, in += WORDS * WORD_BYTES) {
        for (int w = 0; w < WORDS; w++)
            s[w] ^= W(load)(in + w * WORD_BYTES);
        run(s, (W(keys))keys, rounds, 1);
        /* Round keys are read again: compilers would keep all of them on the stack. */
        __asm__ __volatile__("" : : "r"(keys) : "memory");
    }
    B(store_lanes)(mac, s, 1);
}

#if HANJI_ROWS_IN_THREES
/*
 * See hanji_short_fn: CTR of at most `width` blocks, a constant, word by word beside each other:
 * one after the other they would hardly overlap. The text meets the key stream in registers; who
 * calls it erases the stack.
 */
HANJI_INLINE void B(xor_words)(uint8_t *out, const uint8_t *in, const W(word) *s, int step)
{
    for (int w = 0; w < WORDS; w++)
        W(store)(out + w * WORD_BYTES, s[w * step] ^ W(load)(in + w * WORD_BYTES));
}

HANJI_INLINE void B(few_of)(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                            uint8_t *keystream, const void *keys, W(rounds_fn) *run, int rounds,
                            int width)
{
    const size_t n = WORDS * WORD_BYTES;
    uint8_t next[WORDS * WORD_BYTES];
    W(word) s[4 * WORDS], last[WORDS];
    memcpy(next, counter, n);
    for (int l = 0; l < width; l++) {
        B(load_lanes)(last, next, 1);
        for (int w = 0; w < WORDS; w++)
            s[w * width + l] = last[w];
        counter_advance(next, n, 1);
    }
    counter_advance(counter, n, (bytes - 1) / n + 1);
    run(s, (W(keys))keys, rounds, width);
    for (int l = 0; l < width; l++) {
        if (bytes < n) {
            for (int w = 0; w < WORDS; w++)
                last[w] = s[w * width + l];
            break;
        }
        B(xor_words)(out, in, s + l, width);
        bytes -= n, in += n, out += n;
    }
    if (bytes == 0)
        return;
    B(store_lanes)(keystream, last, 1);
    size_t at = 0;
    if (bytes >= 8) {
        xor_block(out, in, keystream, 8);
        at = 8;
    }
    for (; at < bytes; at++) {
        out[at] = (uint8_t)(in[at] ^ keystream[at]);
        __asm__ __volatile__("" : : : "memory"); /* seven at most: no vectors */
    }
}

HANJI_INLINE void B(few)(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                         uint8_t *keystream, const void *keys, W(rounds_fn) *run, int rounds,
                         int most)
{
    const size_t n = WORDS * WORD_BYTES;
    if (bytes <= n)
        B(few_of)(out, in, bytes, counter, keystream, keys, run, rounds, 1);
    else if (most == 2 || bytes <= 2 * n)
        B(few_of)(out, in, bytes, counter, keystream, keys, run, rounds, 2);
    else
        B(few_of)(out, in, bytes, counter, keystream, keys, run, rounds, 4);
}
#endif

/*
 * Groups of one: the counter is counted on its bytes, without 64-bit shifts, which small processors
 * lack.
 */
HANJI_INLINE void B(ctr_single)(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,
                                const void *keys, W(rounds_fn) *run, int rounds)
{
    W(word) s[WORDS];
    uint8_t keystream[WORDS * WORD_BYTES];
    for (; groups > 0; groups--) {
        B(load_lanes)(s, counter, 1);
        run(s, (W(keys))keys, rounds, 1);
        B(store_lanes)(keystream, s, 1);
        xor_block(out, in, keystream, WORDS * WORD_BYTES);
        counter_advance(counter, WORDS * WORD_BYTES, 1);
        in += WORDS * WORD_BYTES;
        out += WORDS * WORD_BYTES;
    }
    wipe_here(keystream, sizeof keystream);
}

/*
 * The canonical key schedule: the room's, on the words of the key. The key may lie where the round
 * keys go, so all of it is read first.
 */
HANJI_INLINE void W(expand)(void *round_keys, const uint8_t *key, W(schedule_fn) *schedule,
                            int key_words, int rounds, uint64_t z)
{
    W(word) words[8];
    for (int i = 0; i < key_words; i++)
        words[i] = W(load)(key + i * WORD_BYTES);
    memcpy(round_keys, words, (size_t)key_words * sizeof words[0]);
    wipe_here(words, sizeof words);
    schedule((W(word) *)round_keys, key_words, rounds, z);
}

#if HANJI_PORTABLE_GROUPS
/* The counter blocks c, c + one, ... as words; `one` is counter_step(1). */
HANJI_INLINE void B(count_lanes)(W(word) *s, hanji_counter c, uint64_t one, int width)
{
    uint64_t n = 0;
    for (int l = 0; l < width; l++, n += one) {
        const hanji_counter cl = counter_add(c, n);
        for (int w = 0; w < WORDS; w++) {
            const int bit = (WORDS - 1 - w) * WORD_BITS; /* place of the word in the counter */
            const uint64_t v = bit == 0   ? cl.low
                               : bit < 64 ? cl.low >> bit | cl.high << (64 - bit)
                                          : cl.high >> (bit - 64);
            s[w * width + l] = W(from_be)(v);
        }
    }
}

HANJI_INLINE void B(ctr_lanes)(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,
                               const void *keys, W(rounds_fn) *run, int rounds, int width)
{
    W(word) s[WORDS * HANJI_PORTABLE_LANES(WORD_BITS)];
    uint8_t keystream[WORDS * WORD_BYTES * HANJI_PORTABLE_LANES(WORD_BITS)];
    hanji_counter c = counter_load(counter, WORDS * WORD_BYTES);
    const uint64_t one = counter_step(1), step = counter_step((uint64_t)width);
    for (; groups > 0; groups--) {
        B(count_lanes)(s, c, one, width);
        run(s, (W(keys))keys, rounds, width);
        B(store_lanes)(keystream, s, width);
        xor_bytes(out, in, keystream, (size_t)(width * WORDS * WORD_BYTES));
        c = counter_add(c, step);
        in += width * WORDS * WORD_BYTES;
        out += width * WORDS * WORD_BYTES;
    }
    counter_store(counter, c, WORDS * WORD_BYTES);
    hanji_wipe(s, sizeof s);
    hanji_wipe(keystream, sizeof keystream);
}
#endif
