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
 * A word in a general register: compilers for x86-64 otherwise make a vector of the two words of a
 * block, which the permutation waits for.
 */
HANJI_INLINE uint64_t ascon_settled(uint64_t word)
{
#if defined(__x86_64__) && defined(__GNUC__)
    __asm__("" : "+r"(word));
#endif
    return word;
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
 * A round of a state whose S2 has its constant already, for processors of x86-64 with BMI1 and
 * BMI2: and-not, and rotations into another register. S2 leaves as its complement with `next`, the
 * complement of the next constant, added; so the 36 operations need no or-not. Each value is made
 * in a register whose own value is not needed any more: S0 to S4 leave in b, a, x1, x2 and e. The
 * longest chain has seven steps, x0 to y0 and its diffusion. The order is the best of a search on
 * Zen 3, whose four units it keeps busy: the orders of gcc 12 and clang 14 take up to 12 % longer
 * there.
 */
#define ASCON_OP(op, from, to) op " %[" #from "], %[" #to "]\n\t"
#define ASCON_OP3(op, one, two, to) op " %[" #one "], %[" #two "], %[" #to "]\n\t"
#define ASCON_ROR(r, from, to) "rorx $" #r ", %[" #from "], %[" #to "]\n\t"
/* clang-format off */
#define ASCON_CHAIN_ROUND(x0, x1, x2, x3, x4, a, b, c, d, e, next)                         \
    ASCON_OP("movq", x0, a) ASCON_OP("xorq", x4, a) /* t1 */ ASCON_OP("movq", x2, b)       \
    ASCON_OP("xorq", a, b) ASCON_OP3("andn", x4, x3, c) ASCON_OP("xorq", x3, x4) /* t2 */  \
    ASCON_OP("orq", x4, x0) ASCON_OP("xorq", x1, x2) /* t0 */ ASCON_OP("xorq", x1, x3)     \
    ASCON_OP3("andn", x1, a, d) ASCON_OP("xorq", x4, d) /* y4 */ ASCON_OP("orq", x1, b)    \
    ASCON_OP("xorq", x2, c) /* y2, complemented */ ASCON_OP("orq", x2, x3)                 \
    ASCON_OP("xorq", a, x3) /* y1 */ ASCON_ROR(61, x3, a) ASCON_OP("movq", c, x1)          \
    ASCON_OP("xorq", next, x1) ASCON_OP("xorq", x4, b) /* y0 */ ASCON_OP("xorq", x3, a)    \
    ASCON_OP("xorq", x2, x0) /* y3 */ ASCON_ROR(10, x0, x2) ASCON_ROR(19, b, x4)           \
    ASCON_ROR(1, c, e) ASCON_OP("xorq", e, x1) ASCON_OP("xorq", x0, x2) ASCON_ROR(7, d, e) \
    ASCON_OP("xorq", d, e) ASCON_ROR(41, d, d) ASCON_ROR(17, x0, x0)                       \
    ASCON_OP("xorq", x0, x2) /* S3 */ ASCON_ROR(28, b, x0) ASCON_ROR(6, c, c)              \
    ASCON_OP("xorq", c, x1) /* S2 */ ASCON_OP("xorq", x4, b)                               \
    ASCON_OP("xorq", x0, b) /* S0 */ ASCON_OP("xorq", d, e) /* S4 */ ASCON_ROR(39, x3, x3) \
    ASCON_OP("xorq", x3, a) /* S1 */
/* clang-format on */

/* Four of them, with the next constants complemented: then S0 to S4 are again where they were. */
HANJI_INLINE void ascon_chain_rounds(uint64_t *s, uint64_t next0, uint64_t next1, uint64_t next2,
                                     uint64_t next3)
{
    uint64_t x0 = s[0], x1 = s[1], x2 = s[2], x3 = s[3], x4 = s[4], a, b, c, d, e;
    __asm__(ASCON_CHAIN_ROUND(x0, x1, x2, x3, x4, a, b, c, d, e, next0)
                ASCON_CHAIN_ROUND(b, a, x1, x2, e, x3, x0, c, d, x4, next1)
                    ASCON_CHAIN_ROUND(x0, x3, a, x1, x4, x2, b, c, d, e, next2)
                        ASCON_CHAIN_ROUND(b, x2, x3, a, e, x1, x0, c, d, x4, next3)
            : [x0] "+&r"(x0), [x1] "+&r"(x1), [x2] "+&r"(x2), [x3] "+&r"(x3), [x4] "+&r"(x4),
              [a] "=&r"(a), [b] "=&r"(b), [c] "=&r"(c), [d] "=&r"(d), [e] "=&r"(e)
            : [next0] "er"(next0), [next1] "er"(next1), [next2] "er"(next2), [next3] "er"(next3)
            : "cc");
    s[0] = x0;
    s[1] = x1;
    s[2] = x2;
    s[3] = x3;
    s[4] = x4;
}

/* The complement of the constant of a round; behind the last one S2 is complemented back. */
HANJI_INLINE uint64_t ascon_next(uint32_t round)
{
    return ~(uint64_t)(round < HANJI_ASCON_ROUNDS_MAX ? ascon_constant(round) : 0);
}

/* Rounds `first` to 15, a multiple of four. */
ASCON_ROUNDS_INLINE void ascon_rounds(uint64_t *s, uint32_t first)
{
    s[2] ^= ascon_constant(first);
    ASCON_UNROLL
    for (uint32_t round = first + 1; round < HANJI_ASCON_ROUNDS_MAX; round += 4)
        ascon_chain_rounds(s, ascon_next(round), ascon_next(round + 1), ascon_next(round + 2),
                           ascon_next(round + 3));
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
        s[0] = ascon_settled(s[0] ^ load_le64(in));
        s[1] = ascon_settled(s[1] ^ load_le64(in + 8));
        ascon_rounds(s, ASCON_P8);
    }
    ascon_store(state, s);
}

HANJI_INLINE void ascon_seal(uint64_t *state, uint8_t *out, const uint8_t *in, size_t blocks)
{
    uint64_t s[HANJI_ASCON_WORDS];
    ascon_load(s, state);
    for (; blocks > 0; blocks--, in += HANJI_ASCON_RATE, out += HANJI_ASCON_RATE) {
        s[0] = ascon_settled(s[0] ^ load_le64(in));
        s[1] = ascon_settled(s[1] ^ load_le64(in + 8));
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
        store_le64(out, ascon_settled(s[0] ^ c0));
        store_le64(out + 8, ascon_settled(s[1] ^ c1));
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
