/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes of many blocks to vectors with one byte of each block, and back; and what else kernels over
 * bit slices on AVX2 and on AVX-512 share. Stands on lanes/vector.h, included before it.
 */
#ifndef HANJI_LANES_JOINS_H
#define HANJI_LANES_JOINS_H

/*
 * Two vectors of bytes to the vectors of their lower and upper halves, byte by byte in turn, within
 * every 128 bits.
 */
HANJI_INLINE void join_8(vector *low, vector *high, vector a, vector b)
{
    *low = MM(unpacklo_epi8)(a, b);
    *high = MM(unpackhi_epi8)(a, b);
}

/*
 * A step for a power of two of vectors: bit `bit` of the vectors' numbers becomes
 * the lowest bit of the bytes' places within 128 bits, where all bits go up by one, and the highest
 * becomes the bit of the number.
 */
HANJI_INLINE void join_step(vector *v, int count, int bit)
{
    UNROLL
    for (int pair = 0; pair < count / 2; pair++) {
        const int i = pair / bit * 2 * bit + pair % bit;
        join_8(&v[i], &v[i + bit], v[i], v[i + bit]);
    }
}

/* Vectors with one byte of each block to the blocks of so many bytes, 4, 8 or 16 of each. */
HANJI_INLINE void join_bytes(vector *v, int count)
{
    if (count > 8)
        join_step(v, count, 8);
    if (count > 4)
        join_step(v, count, 4);
    join_step(v, count, 2);
    join_step(v, count, 1);
}

/*
 * And back, in four steps, so the vectors' numbers and the blocks of each are the places;
 * vector i then holds byte split_place(i, count).
 */
HANJI_INLINE void split_bytes(vector *v, int count)
{
    join_step(v, count, count / 2);
    join_step(v, count, count / 4);
    join_step(v, count, count == 4 ? 2 : count / 8);
    join_step(v, count, count == 4 ? 1 : count == 8 ? 4 : 1);
}

HANJI_INLINE int split_place(int i, int count)
{
    return count == 8 ? (i << 1 & 6) | i >> 2 : i;
}

/* Erase a multiple of 64 bytes, in half of the time of a C library's way for some KiB. */
HANJI_INLINE void erase(void *memory, size_t bytes)
{
    for (uint8_t *p = memory, *end = p + bytes; p != end; p += 64) {
        UNROLL
        for (int i = 0; i < 64; i += VECTOR_BYTES)
            vector_store(p + i, (vector){0});
        __asm__ __volatile__("" : : "r"(p) : "memory"); /* it may read them */
    }
}

#endif
