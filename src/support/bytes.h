/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words and bytes: loads and stores of any alignment on machines of any byte order, and rotations.
 */
#ifndef HANJI_SUPPORT_BYTES_H
#define HANJI_SUPPORT_BYTES_H

#include "support/compiler.h"

#include <stddef.h>
#include <stdint.h>

#ifdef HANJI_FREESTANDING
/* There may be no string.h. The firmware gives these three functions, and nothing else. */
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);
#ifdef HANJI_HAS_BUILTIN_MEMCPY
/*
 * -ffreestanding turns plain calls into real ones: these forms still expand small copies in place.
 */
#define memcpy __builtin_memcpy
#define memmove __builtin_memmove
#define memset __builtin_memset
#endif
#else
#include <string.h>
#endif

#define HANJI_INLINE static inline __attribute__((always_inline, unused))

#if defined(__BYTE_ORDER__) && defined(__ORDER_LITTLE_ENDIAN__) && \
    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define HANJI_LITTLE_ENDIAN 1
#else
#define HANJI_LITTLE_ENDIAN 0
#endif

HANJI_INLINE uint32_t load_le32(const uint8_t *p)
{
#if HANJI_LITTLE_ENDIAN
    uint32_t v;
    memcpy(&v, p, 4);
    return v;
#else
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
#endif
}

HANJI_INLINE void store_le32(uint8_t *p, uint32_t v)
{
#if HANJI_LITTLE_ENDIAN
    memcpy(p, &v, 4);
#else
    p[0] = (uint8_t)v;
    p[1] = (uint8_t)(v >> 8);
    p[2] = (uint8_t)(v >> 16);
    p[3] = (uint8_t)(v >> 24);
#endif
}

HANJI_INLINE uint64_t load_le64(const uint8_t *p)
{
#if HANJI_LITTLE_ENDIAN
    uint64_t v;
    memcpy(&v, p, 8);
    return v;
#else
    return load_le32(p) | (uint64_t)load_le32(p + 4) << 32;
#endif
}

HANJI_INLINE void store_le64(uint8_t *p, uint64_t v)
{
#if HANJI_LITTLE_ENDIAN
    memcpy(p, &v, 8);
#else
    store_le32(p, (uint32_t)v);
    store_le32(p + 4, (uint32_t)(v >> 32));
#endif
}

HANJI_INLINE uint32_t load_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

HANJI_INLINE void store_be32(uint8_t *p, uint32_t v)
{
    p[0] = (uint8_t)(v >> 24);
    p[1] = (uint8_t)(v >> 16);
    p[2] = (uint8_t)(v >> 8);
    p[3] = (uint8_t)v;
}

HANJI_INLINE uint64_t load_be64(const uint8_t *p)
{
    return (uint64_t)load_be32(p) << 32 | load_be32(p + 4);
}

HANJI_INLINE void store_be64(uint8_t *p, uint64_t v)
{
#if HANJI_LITTLE_ENDIAN && !defined(HANJI_FREESTANDING)
    /* by name: else gcc 12 makes a hundred instructions of two words side by side */
    v = __builtin_bswap64(v);
    memcpy(p, &v, 8);
#else
    store_be32(p, (uint32_t)(v >> 32));
    store_be32(p + 4, (uint32_t)v);
#endif
}

/*
 * counter + n for n < 2^16, the whole block being one big-endian number; in time that does not
 * depend on it: counters of EAX are secret.
 */
HANJI_INLINE void counter_advance(uint8_t *counter, size_t bytes, size_t n)
{
#ifndef HANJI_FREESTANDING
    /* In words, so that what reads the counter next finds it in one piece. */
    if (bytes == 8) {
        store_be64(counter, load_be64(counter) + n);
        return;
    }
    if (bytes == 16) {
        const uint64_t low = load_be64(counter + 8) + n;
        store_be64(counter, load_be64(counter) + (low < n));
        store_be64(counter + 8, low);
        return;
    }
#endif
    uint32_t carry = (uint32_t)n;
    for (size_t i = bytes; i-- > 0;) {
        carry += counter[i];
        counter[i] = (uint8_t)carry;
        carry >>= 8;
    }
}

/* A buffer is valid when it is not NULL or empty. */
HANJI_INLINE int valid(const void *p, size_t bytes)
{
    return p != NULL || bytes == 0;
}

/*
 * Two buffers share a byte; an empty one shares none with any. A difference of addresses that wraps
 * around is larger than every buffer, so no sum can overflow, and a buffer whose end lies past
 * the end of memory overlaps what lies before it, too.
 */
HANJI_INLINE int overlap_at(uintptr_t a, size_t a_bytes, uintptr_t b, size_t b_bytes)
{
    return a_bytes != 0 && b_bytes != 0 && (a - b < b_bytes || b - a < a_bytes);
}

HANJI_INLINE int overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    return overlap_at((uintptr_t)a, a_bytes, (uintptr_t)b, b_bytes);
}

#ifndef HANJI_FREESTANDING
/* The same of buffers with bytes, but so few that their sum does not overflow: one comparison. */
HANJI_INLINE int overlap_few(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    return (uintptr_t)b - (uintptr_t)a + (b_bytes - 1) < a_bytes + b_bytes - 1;
}
#endif

/*
 * Two buffers overlap without beginning at the same byte: a text may be worked on in place, but not
 * like this.
 */
HANJI_INLINE int overlap_partly(const void *out, size_t out_bytes, const void *in, size_t in_bytes)
{
    return out != in && overlap(out, out_bytes, in, in_bytes);
}

/*
 * The same for a block of 4, 6, 8, 12 or 16 bytes, a constant, by words: where text and output may
 * be the same memory compilers do not.
 */
HANJI_INLINE void xor_block(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t bytes)
{
#ifdef HANJI_FREESTANDING
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(a[i] ^ b[i]);
#else
    size_t i = 0;
    for (; i + 8 <= bytes; i += 8)
        store_le64(out + i, load_le64(a + i) ^ load_le64(b + i));
    for (; i + 4 <= bytes; i += 4)
        store_le32(out + i, load_le32(a + i) ^ load_le32(b + i));
    for (; i < bytes; i++)
        out[i] = (uint8_t)(a[i] ^ b[i]);
#endif
}

/* out = a ^ b; each may be the same memory as out. */
HANJI_INLINE void xor_bytes(uint8_t *out, const uint8_t *a, const uint8_t *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = (uint8_t)(a[i] ^ b[i]);
}

#endif
