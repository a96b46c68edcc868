/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parts of 64-bit words and of blocks, behind the last whole one of a text. Shifts by variables
 * are of 32-bit words: some processors need libgcc to shift 64 bits.
 */
#ifndef HANJI_ASCON_PARTS_H
#define HANJI_ASCON_PARTS_H

#include "support/bytes.h"
#include "support/secret.h"

/*
 * Firmware has a function once, hosts have it wherever it is used. So have processors of Armv7-M,
 * where a call costs as much as most of these functions.
 */
#if defined(HANJI_FREESTANDING) && (!defined(HANJI_ARMV7M) || defined(HANJI_SMALL))
#define ASCON_SHARED static HANJI_NOINLINE __attribute__((unused))
#else
#define ASCON_SHARED HANJI_INLINE
#endif

/*
 * Secrets in the frame of a function that ends. In firmware the public call erases them with all
 * the stack below itself, and twice would cost a short message more than a permutation.
 */
HANJI_INLINE void wipe_frame(void *memory, size_t bytes)
{
#ifdef HANJI_FREESTANDING
    (void)memory;
    (void)bytes;
#else
    wipe_here(memory, bytes);
#endif
}

#ifdef HANJI_RV32
/* Where words may lie: there they are read and written as words, and not by their bytes. */
HANJI_INLINE int word_aligned(const uint8_t *bytes)
{
    return ((uintptr_t)bytes & 3) == 0;
}

HANJI_INLINE uint64_t load_aligned(const uint8_t *bytes)
{
    const uint8_t *in = __builtin_assume_aligned(bytes, 4);
    return load_le32(in) | (uint64_t)load_le32(in + 4) << 32;
}

HANJI_INLINE void store_aligned(uint8_t *bytes, uint64_t word)
{
    uint8_t *out = __builtin_assume_aligned(bytes, 4);
    store_le32(out, (uint32_t)word);
    store_le32(out + 4, (uint32_t)(word >> 32));
}
#endif

HANJI_INLINE uint32_t part32(const uint8_t *in, size_t bytes)
{
    uint32_t word = 0;
    for (size_t i = 0; i < bytes; i++)
        word |= (uint32_t)in[i] << 8 * i;
    return word;
}

/* 0 to 7 bytes as the low ones of a word. */
HANJI_INLINE uint64_t load_part(const uint8_t *in, size_t bytes)
{
    if (bytes < 4)
        return part32(in, bytes);
    return load_le32(in) | (uint64_t)part32(in + 4, bytes - 4) << 32;
}

HANJI_INLINE void store_part(uint8_t *out, uint64_t word, size_t bytes)
{
    uint32_t half = (uint32_t)word;
    size_t i = 0;
    if (bytes >= 4) {
        store_le32(out, half);
        half = (uint32_t)(word >> 32);
        i = 4;
    }
    for (; i < bytes; i++, half >>= 8)
        out[i] = (uint8_t)half;
}

/* A byte as number `at`, 0 to 7, of a word. The padding of `at` bytes is byte 01 (section 2.1). */
HANJI_INLINE uint64_t byte_at(uint32_t byte, size_t at)
{
    const uint32_t half = byte << 8 * (at & 3);
    return at < 4 ? half : (uint64_t)half << 32;
}

HANJI_INLINE uint8_t get_byte(uint64_t word, size_t at)
{
    const uint32_t half = at < 4 ? (uint32_t)word : (uint32_t)(word >> 32);
    return (uint8_t)(half >> 8 * (at & 3));
}

#ifdef HANJI_FREESTANDING

/* 0 to 15 bytes of text and their padding; `out` NULL: of associated data. */
ASCON_SHARED void crypt_last(uint64_t *s, uint8_t *out, const uint8_t *in, size_t bytes, int open)
{
    size_t at = 0;
    for (; at < bytes; at++) {
        const uint8_t given = in[at], made = (uint8_t)(given ^ get_byte(s[at >> 3], at & 7));
        if (out != NULL)
            out[at] = made;
        s[at >> 3] ^= byte_at(open ? made : given, at & 7);
    }
    s[at >> 3] ^= byte_at(1, at & 7);
}

#else

/* 0 to 7 bytes of text, and their padding, in one word of the state. */
HANJI_INLINE void crypt_part(uint64_t *s, uint8_t *out, const uint8_t *in, size_t bytes, int open)
{
    const uint64_t given = load_part(in, bytes), end = byte_at(1, bytes), made = *s ^ given;
    if (out != NULL)
        store_part(out, made, bytes);
    *s = (open ? (*s & ~(end - 1)) | given : made) ^ end;
}

/* 0 to 15 bytes of text and their padding; `out` NULL: of associated data. */
HANJI_INLINE void crypt_last(uint64_t *s, uint8_t *out, const uint8_t *in, size_t bytes, int open)
{
    if (bytes < 8) {
        crypt_part(s, out, in, bytes, open);
        return;
    }
    const uint64_t given = load_le64(in), made = s[0] ^ given;
    if (out != NULL)
        store_le64(out, made);
    s[0] = open ? given : made;
    crypt_part(s + 1, out != NULL ? out + 8 : NULL, in + 8, bytes - 8, open);
}

#endif

#endif
