/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One round of Ascon-p (SP 800-232, section 3) on 64-bit words of C, and the kernels for one state
 * that stand on it. Included by each file that compiles them: ascon.c for any machine, others with
 * the flags of their instruction set.
 */
#ifndef HANJI_ASCON_ROUNDS_H
#define HANJI_ASCON_ROUNDS_H

#include "ascon/ascon.h"
#include "support/bytes.h"

/* On hosts all rounds of a block stand one after the other; firmware has one loop for all. */
#ifdef HANJI_FREESTANDING
#define ASCON_ROUNDS_INLINE static
#else
#define ASCON_ROUNDS_INLINE HANJI_INLINE
#endif

#define ASCON_P12 (HANJI_ASCON_ROUNDS_MAX - HANJI_ASCON_ROUNDS)     /* first round of p[12] */
#define ASCON_P8 (HANJI_ASCON_ROUNDS_MAX - HANJI_ASCON_DATA_ROUNDS) /* first round of p[8] */

/* The constant of round 0 .. 15: 3c, 2d, 1e, 0f, f0, e1, ..., 4b (section 3.2). */
HANJI_INLINE uint32_t ascon_constant(uint32_t round)
{
    const uint32_t high = (19 - round) & 15;
    return high << 4 | (15 - high);
}

/* `r` is a constant wherever this is inlined. */
HANJI_INLINE uint64_t ascon_rotr(uint64_t v, unsigned r)
{
    return v >> r | v << (64 - r);
}

/*
 * v ^ (v >>> a) ^ (v >>> b). AArch64 rotates an operand of an xor for nothing: two instructions, if
 * the compiler keeps to this order.
 */
HANJI_INLINE uint64_t ascon_diffuse(uint64_t v, unsigned a, unsigned b)
{
    uint64_t sum = v ^ ascon_rotr(v, a);
#if defined(__aarch64__) && defined(__GNUC__)
    __asm__("" : "+r"(sum));
#endif
    return sum ^ ascon_rotr(v, b);
}

/*
 * The S-box in fifteen operations, with and-not and or-not: t0 = x1 ^ x2,
 * t1 = x0 ^ x4, t2 = x3 ^ x4; then each word in four of them and x0 .. x4.
 */
HANJI_INLINE void ascon_round(uint64_t *s, uint32_t constant)
{
    const uint64_t x0 = s[0], x1 = s[1], x2 = s[2] ^ constant, x3 = s[3], x4 = s[4];
    const uint64_t t0 = x1 ^ x2, t1 = x0 ^ x4, t2 = x3 ^ x4;
    const uint64_t y0 = ((x2 ^ t1) | x1) ^ t2;
    const uint64_t y1 = ((x3 ^ x1) | t0) ^ t1;
    const uint64_t y2 = (x3 | ~x4) ^ t0;
    const uint64_t y3 = (x0 | t2) ^ t0;
    const uint64_t y4 = (x1 & ~t1) ^ t2;
    s[0] = ascon_diffuse(y0, 19, 28);
    s[1] = ascon_diffuse(y1, 61, 39);
    s[2] = ascon_diffuse(y2, 1, 6);
    s[3] = ascon_diffuse(y3, 10, 17);
    s[4] = ascon_diffuse(y4, 7, 41);
}

#if defined(__clang__) && !defined(HANJI_FREESTANDING)
#define ASCON_UNROLL _Pragma("clang loop unroll(full)")
#elif defined(__GNUC__) && !defined(HANJI_FREESTANDING)
#define ASCON_UNROLL _Pragma("GCC unroll 12")
#else
#define ASCON_UNROLL
#endif

#ifdef ASCON_AND_NOT
/*
 * For processors with and-not and without or-not, where one state waits for the longest chain of
 * operations.
 */

/* The value in a register now: compilers otherwise choose another order of sums. */
#define ASCON_SETTLE(x) __asm__("" : "+r"(x))

HANJI_INLINE uint64_t ascon_diffuse_in_order(uint64_t y, unsigned a, unsigned b, uint64_t also)
{
    const uint64_t first = ascon_rotr(y, a), second = ascon_rotr(y, b);
    y ^= also;
    ASCON_SETTLE(y);
    y ^= first;
    ASCON_SETTLE(y);
    return y ^ second;
}

/*
 * A round of a state whose S2 has its constant already. S2 leaves as its complement, with `next`
 * added, beside the longest chain: x0 to y0, and its diffusion.
 */
HANJI_INLINE void ascon_chain_round(uint64_t *s, uint64_t next)
{
    const uint64_t x0 = s[0], x1 = s[1], x2 = s[2], x3 = s[3], x4 = s[4];
    const uint64_t t1 = x0 ^ x4, t2 = x3 ^ x4, t0 = x1 ^ x2;
    uint64_t y0 = x2 ^ t1;
    ASCON_SETTLE(y0);
    y0 = (y0 | x1) ^ t2;
    const uint64_t y1 = ((x3 ^ x1) | t0) ^ t1;
    const uint64_t y2 = (x4 & ~x3) ^ t0; /* complemented */
    const uint64_t y3 = (x0 | t2) ^ t0, y4 = (x1 & ~t1) ^ t2;
    s[0] = ascon_diffuse_in_order(y0, 19, 28, 0);
    s[1] = ascon_diffuse_in_order(y1, 61, 39, 0);
    s[3] = ascon_diffuse_in_order(y3, 10, 17, 0);
    s[4] = ascon_diffuse_in_order(y4, 7, 41, 0);
    s[2] = ascon_diffuse_in_order(y2, 1, 6, next);
}

/* Rounds `first` to 15. */
ASCON_ROUNDS_INLINE void ascon_rounds(uint64_t *s, uint32_t first)
{
    s[2] ^= ascon_constant(first);
    ASCON_UNROLL
    for (uint32_t round = first + 1; round <= HANJI_ASCON_ROUNDS_MAX; round++) {
        const uint64_t next = round < HANJI_ASCON_ROUNDS_MAX ? ascon_constant(round) : 0;
        ascon_chain_round(s, ~next);
    }
}
#else

/* Rounds `first` to 15. */
ASCON_ROUNDS_INLINE void ascon_rounds(uint64_t *s, uint32_t first)
{
    ASCON_UNROLL
    for (uint32_t round = first; round < HANJI_ASCON_ROUNDS_MAX; round++)
        ascon_round(s, ascon_constant(round));
}
#endif

HANJI_INLINE void ascon_load(uint64_t *s, const uint64_t *state)
{
    for (uint32_t i = 0; i < HANJI_ASCON_WORDS; i++)
        s[i] = state[i];
}

HANJI_INLINE void ascon_store(uint64_t *state, const uint64_t *s)
{
    for (uint32_t i = 0; i < HANJI_ASCON_WORDS; i++)
        state[i] = s[i];
}

/* The common numbers of rounds have code of their own, where there is room for it. */
HANJI_INLINE void ascon_permute(uint64_t *state, uint32_t rounds)
{
    uint64_t s[HANJI_ASCON_WORDS];
    ascon_load(s, state);
#ifdef HANJI_FREESTANDING
    ascon_rounds(s, HANJI_ASCON_ROUNDS_MAX - rounds);
#else
    if (rounds == HANJI_ASCON_ROUNDS)
        ascon_rounds(s, ASCON_P12);
    else if (rounds == HANJI_ASCON_DATA_ROUNDS)
        ascon_rounds(s, ASCON_P8);
    else
        for (uint32_t round = HANJI_ASCON_ROUNDS_MAX - rounds; round < HANJI_ASCON_ROUNDS_MAX;
             round++)
            ascon_round(s, ascon_constant(round));
#endif
    ascon_store(state, s);
}

HANJI_INLINE void ascon_absorb(uint64_t *state, const uint8_t *in, size_t blocks)
{
    uint64_t s[HANJI_ASCON_WORDS];
    ascon_load(s, state);
    for (; blocks > 0; blocks--, in += HANJI_ASCON_RATE) {
        s[0] ^= load_le64(in);
        s[1] ^= load_le64(in + 8);
        ascon_rounds(s, ASCON_P8);
    }
    ascon_store(state, s);
}

HANJI_INLINE void ascon_seal(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    uint64_t s[HANJI_ASCON_WORDS];
    ascon_load(s, state);
    for (; blocks > 0; blocks--, in += HANJI_ASCON_RATE, out += HANJI_ASCON_RATE) {
        s[0] ^= load_le64(in);
        s[1] ^= load_le64(in + 8);
        store_le64(out, s[0]);
        store_le64(out + 8, s[1]);
        ascon_rounds(s, ASCON_P8);
    }
    ascon_store(state, s);
}

HANJI_INLINE void ascon_open(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    uint64_t s[HANJI_ASCON_WORDS];
    ascon_load(s, state);
    for (; blocks > 0; blocks--, in += HANJI_ASCON_RATE, out += HANJI_ASCON_RATE) {
        const uint64_t c0 = load_le64(in), c1 = load_le64(in + 8);
        store_le64(out, s[0] ^ c0);
        store_le64(out + 8, s[1] ^ c1);
        s[0] = c0;
        s[1] = c1;
        ascon_rounds(s, ASCON_P8);
    }
    ascon_store(state, s);
}

HANJI_INLINE void ascon_hash_absorb(uint64_t *state, const uint8_t *in, size_t blocks)
{
    uint64_t s[HANJI_ASCON_WORDS];
    ascon_load(s, state);
    for (; blocks > 0; blocks--, in += HANJI_ASCON_HASH_RATE) {
        s[0] ^= load_le64(in);
        ascon_rounds(s, ASCON_P12);
    }
    ascon_store(state, s);
}

#endif
