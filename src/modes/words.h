/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of CMAC and EAX in words, on hosts. */
#ifndef HANJI_MODES_WORDS_H
#define HANJI_MODES_WORDS_H

#include "support/bytes.h"

/* A block as two little-endian words, the second 0 where it has 8 bytes. */
typedef struct words_block {
    uint64_t word[2];
} words_block;

HANJI_INLINE words_block load_block(const uint8_t *p, size_t n)
{
    const words_block b = {{load_le64(p), n == 16 ? load_le64(p + 8) : 0}};
    return b;
}

HANJI_INLINE void store_block(uint8_t *p, words_block b, size_t n)
{
    store_le64(p, b.word[0]);
    if (n == 16)
        store_le64(p + 8, b.word[1]);
}

HANJI_INLINE words_block xor_blocks(words_block a, words_block b)
{
    a.word[0] ^= b.word[0];
    a.word[1] ^= b.word[1];
    return a;
}

/* Up to 8 bytes, zeros behind them. */
HANJI_INLINE uint64_t load_up_to_8(const uint8_t *p, size_t bytes)
{
    if (bytes == 8)
        return load_le64(p);
    if (bytes >= 4)
        return load_le32(p) | (uint64_t)load_le32(p + bytes - 4) << (8 * (bytes - 4));
    uint64_t v = 0;
    for (size_t i = 0; i < bytes; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return v;
}

HANJI_INLINE uint64_t reversed(uint64_t v)
{
    uint8_t bytes[8];
    store_le64(bytes, v);
    return load_be64(bytes);
}

/* Twice a block (modes/cmac.c), and half of one; the bit that goes around is secret. */
HANJI_INLINE words_block twice(words_block b, size_t n)
{
    const uint64_t high = reversed(b.word[0]), low = reversed(b.word[1]), over = 0 - (high >> 63);
    if (n == 8) {
        b.word[0] = reversed(high << 1 ^ (0x1b & over));
    } else {
        b.word[0] = reversed(high << 1 | low >> 63);
        b.word[1] = reversed(low << 1 ^ (0x87 & over));
    }
    return b;
}

HANJI_INLINE words_block halved(words_block b, size_t n)
{
    uint64_t high = reversed(b.word[0]), low = reversed(b.word[1]);
    if (n == 8) {
        const uint64_t odd = high & 1;
        b.word[0] = reversed((high ^ (0x1b & (0 - odd))) >> 1 | odd << 63);
    } else {
        const uint64_t odd = low & 1;
        low ^= 0x87 & (0 - odd);
        b.word[0] = reversed(high >> 1 | odd << 63);
        b.word[1] = reversed(low >> 1 | high << 63);
    }
    return b;
}

/*
 * The last block of a text, of which `bytes` bytes are left, up to a block: with its padding
 * and its subkey.
 */
HANJI_INLINE words_block last_block(const uint8_t *in, size_t bytes, words_block k1, words_block k2,
                                    size_t n)
{
    words_block last = {{0, 0}};
    if (bytes == n)
        return xor_blocks(load_block(in, n), k1);
    HANJI_ALWAYS(bytes < n && n <= 16);
    last.word[0] = load_up_to_8(in, bytes < 8 ? bytes : 8);
    if (bytes > 8)
        last.word[1] = load_up_to_8(in + 8, bytes - 8);
    last.word[bytes >> 3] |= (uint64_t)0x80 << (8 * (bytes & 7));
    return xor_blocks(last, k2);
}

#endif
