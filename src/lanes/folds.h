/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels over folded bit slices in the registers of AVX-512, for ciphers of rotations and logic.
 * Stands on lanes/vector.h, included before it.
 *
 * Sixteen registers hold a word of many blocks: register i has bits i, i + 16, i + 32 ... of it,
 * each in a field of every 64 bits, 32 or 16 bits wide for words of 32 and 64 bits. So both
 * words of a block are in the 32 registers all the time, and a rotation is another register: turned
 * by a field where it comes from beyond the highest or the lowest. A group is 2 KiB of text.
 *
 * Rounds are in assembly, since no register is left for a compiler to move things about: the last
 * plane of each word lives in memory, which leaves two. Registers go by their numbers. Half p has
 * planes 0 to 14 in registers 0 to 14, half q in 16 to 30; 15 and 31 are for the last plane and for
 * a moment.
 */
#include "lanes/joins.h"
#include "support/secret.h"

#ifndef HANJI_LANES_FOLDS_H
#define HANJI_LANES_FOLDS_H

#define FOLDED_PLANES 16
#define FOLDED_LOW 9 /* bits of the numbers of the blocks of a group, at most */

/*
 * Pieces of rounds; `to` is changed. A plane takes a key and another plane in one operation of
 * three inputs or in two of two: on Zen 5 the former alone keep the units busy for less than three
 * of four slots, and half of each is best (measured).
 */
#define Z_LOAD(at, half, to) "vmovdqa64 64*(" #at ")(%[" #half "]), %%zmm" #to "\n\t"
#define Z_STORE(from, at, half) "vmovdqa64 %%zmm" #from ", 64*(" #at ")(%[" #half "])\n\t"
#define Z_XOR_KEY(key, a, to) \
    "vpternlogq $0x96, 8*(" #key ")(%[k])%{1to8%}, %%zmm" #a ", %%zmm" #to "\n\t"
#define Z_XOR_KEY_APART(key, a, to)                                                    \
    "vpxorq 8*(" #key ")(%[k])%{1to8%}, %%zmm" #to ", %%zmm" #to "\n\tvpxorq %%zmm" #a \
    ", %%zmm" #to ", %%zmm" #to "\n\t"
#define Z_XOR_AND(a, b, to) "vpternlogq $0x78, %%zmm" #a ", %%zmm" #b ", %%zmm" #to "\n\t"
/* A plane that comes from beyond the borders of its word. */
#define Z_TURN_32(from, to) "vpshufd $0xb1, %%zmm" #from ", %%zmm" #to "\n\t"
#define Z_TURN_64(from, to) "vprolq $16, %%zmm" #from ", %%zmm" #to "\n\t"
/* clang-format off */
#define Z_HALF(action, half, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r10, r11, r12, r13, r14) \
    action(0, half, r0) action(1, half, r1) action(2, half, r2) action(3, half, r3) action(4, half, r4) action(5, half, r5) action(6, half, r6) action(7, half, r7) \
    action(8, half, r8) action(9, half, r9) action(10, half, r10) action(11, half, r11) action(12, half, r12) action(13, half, r13) action(14, half, r14)
#define Z_HALVES(action) \
    Z_HALF(action, p, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14) Z_HALF(action, q, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30)

/*
 * Planes of counters from their masks, which are in now_p and now_q: those of this number, and of
 * what the next one changes; 31 holds where that is. The last comes without.
 */
#define Z_COUNT(at, half, to) \
    "vpbroadcastq 128 + 8*(" #at ")(%[now_" #half "]), %%zmm" #to "\n\tvpternlogq $0x6a, 8*(" #at ")(%[now_" #half "])%{1to8%}, %%zmm31, %%zmm" #to "\n\t"
#define Z_COUNT_LAST(at, half) \
    "vpandq 128 + 8*(" #at ")(%[now_" #half "])%{1to8%}, %%zmm31, %%zmm31\n\tvpxorq 8*(" #at ")(%[now_" #half "])%{1to8%}, %%zmm31, %%zmm31\n\t"
/* The lowest bits, of the last byte and one of that before it. */
#define Z_LOW(at, to) "vpxorq 64*(" #at ")(%[low]), %%zmm" #to ", %%zmm" #to "\n\t"
#define Z_LOWS(r8, r9, r10, r11, r12, r13, r14, r15, r0) \
    Z_LOW(0, r8) Z_LOW(1, r9) Z_LOW(2, r10) Z_LOW(3, r11) Z_LOW(4, r12) Z_LOW(5, r13) Z_LOW(6, r14) Z_LOW(7, r15) Z_LOW(8, r0)

/*
 * Eight planes, in registers r0 to r7, to bytes: three steps join bytes of two vectors, so 64
 * bits have a byte of each plane; then bytes j of 64 bits, of planes 7 - j, become bits of bytes b,
 * which had been bits 7 - b of them. s is for a moment, and 31 holds the matrix.
 */
#define Z_JOIN(a, b, low) "vpunpcklbw %%zmm" #b ", %%zmm" #a ", %%zmm" #low "\n\tvpunpckhbw %%zmm" #b ", %%zmm" #a ", %%zmm" #b "\n\t"
#define Z_TO_BYTES(at, half, v) "vgf2p8affineqb $0, %%zmm" #v ", %%zmm31, %%zmm" #v "\n\t" Z_STORE(v, at, half)
#define Z_BYTES(at, half, r0, r1, r2, r3, r4, r5, r6, r7, s) \
    Z_JOIN(r7, r3, s) Z_JOIN(r6, r2, r7) Z_JOIN(r5, r1, r6) Z_JOIN(r4, r0, r5) \
    Z_JOIN(s, r6, r4) Z_JOIN(r7, r5, s) Z_JOIN(r3, r1, r7) Z_JOIN(r2, r0, r3) \
    Z_JOIN(r4, s, r2) Z_JOIN(r6, r5, r4) Z_JOIN(r7, r3, r6) Z_JOIN(r1, r0, r7) \
    Z_TO_BYTES(at, half, r2) Z_TO_BYTES(at + 1, half, s) Z_TO_BYTES(at + 2, half, r4) Z_TO_BYTES(at + 3, half, r5) \
    Z_TO_BYTES(at + 4, half, r6) Z_TO_BYTES(at + 5, half, r3) Z_TO_BYTES(at + 6, half, r7) Z_TO_BYTES(at + 7, half, r0)
/* clang-format on */
#define Z_LOAD_AT(at, half, to) Z_LOAD(at, half, to)
#define Z_CLOBBERS                                                                                \
    "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",       \
        "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "xmm16", "xmm17", "xmm18",  \
        "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", "xmm27", "xmm28", \
        "xmm29", "xmm30", "xmm31"

/*
 * The counters of a group: planes of their lowest bits, in their field; then the carries, in every
 * field; and masks of the words of the first number, and of what the next number changes.
 */
typedef struct folded_counters {
    vector low[FOLDED_LOW + 1];
    struct {
        uint64_t now[FOLDED_PLANES], change[FOLDED_PLANES];
    } word[2];
} folded_counters;

/*
 * Rounds of a Feistel cipher, in turn q ^= f(p) ^ k (`first`, with keys 0 to 15) and p ^= f(q) ^ k
 * (`second`, with keys 16 to 31): the last is always of the second kind. `begin` and `begin_second`
 * prepare the last plane of the half that goes into the function. They begin with the planes in p
 * and q, or with counters where those are not NULL: then the second word goes into the function of
 * the first round. They end with bytes.
 */
/* clang-format off */
#define HANJI_FOLDED_FEISTEL(name, begin, begin_second, first, second) \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Woverlength-strings\"") /* of assembly: C promises less */ \
    static HANJI_NOINLINE void W(name##_folds)(vector *p, vector *q, const uint64_t *masks, int rounds, const folded_counters *counters) \
    { \
        const vector *low = counters != NULL ? counters->low : NULL; \
        const uint64_t *now_p = counters != NULL ? counters->word[1 - rounds % 2].now : NULL, *now_q = counters != NULL ? counters->word[rounds % 2].now : NULL; \
        __asm__ __volatile__( \
            "test %[low], %[low]\n\t" \
            "jz 1f\n\t" \
            Z_LOAD(9, low, 31) \
            Z_HALVES(Z_COUNT) \
            Z_COUNT(15, p, 15) \
            Z_COUNT_LAST(15, q) \
            "test $1, %[rounds]\n\t" \
            "jnz 2f\n\t" \
            Z_LOWS(8, 9, 10, 11, 12, 13, 14, 15, 0) \
            "jmp 3f\n" \
            "2:\n\t" \
            Z_LOWS(24, 25, 26, 27, 28, 29, 30, 31, 16) \
            "3:\n\t" \
            Z_STORE(15, 15, p) \
            Z_STORE(31, 15, q) \
            "jmp 4f\n" \
            "1:\n\t" \
            Z_HALVES(Z_LOAD_AT) \
            "4:\n\t" \
            "shr $1, %[rounds]\n\t" \
            "jc 5f\n\t" \
            begin \
            "jmp 6f\n" \
            "5:\n\t" \
            begin_second \
            "inc %[rounds]\n\t" \
            "sub $128, %[k]\n\t" \
            "jmp 7f\n\t" \
            ".p2align 6\n" \
            "6:\n\t" \
            first \
            "7:\n\t" \
            second \
            "add $256, %[k]\n\t" \
            "dec %[rounds]\n\t" \
            "jnz 6b\n\t" \
            "movabs $0x0102040810204080, %[k]\n\t" \
            "vpbroadcastq %[k], %%zmm31\n\t" \
            Z_BYTES(0, p, 0, 1, 2, 3, 4, 5, 6, 7, 15) \
            Z_LOAD(15, p, 0) Z_BYTES(8, p, 8, 9, 10, 11, 12, 13, 14, 0, 1) \
            Z_BYTES(0, q, 16, 17, 18, 19, 20, 21, 22, 23, 2) \
            Z_LOAD(15, q, 3) Z_BYTES(8, q, 24, 25, 26, 27, 28, 29, 30, 3, 4) \
            : [k] "+r"(masks), [rounds] "+r"(rounds) \
            : [p] "r"(p), [q] "r"(q), [now_p] "r"(now_p), [now_q] "r"(now_q), [low] "r"(low) \
            : Z_CLOBBERS); \
    } \
    _Pragma("GCC diagnostic pop")
/* clang-format on */

/* Bytes b of the eight bytes of 64 bits to bits 7 - b of bytes j, which had been bits j of them. */
HANJI_INLINE vector bytes_to_planes(vector v)
{
    return _mm512_gf2p8affine_epi64_epi8(_mm512_set1_epi64((long long)0x8040201008040201), v, 0);
}

/* All bits of the bytes whose number has this bit set. */
HANJI_INLINE vector bytes_with(int bit)
{
    static const uint64_t in[] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                  0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
    return _mm512_movm_epi8(in[bit]);
}

#endif

#undef BLOCK_BYTES
#undef FOLDED_BLOCKS
#undef FOLDED_BITS
#undef FIELD_BITS
#undef FIELDS
#undef PLANES_OF_BYTE
#define BLOCK_BYTES (WORDS * WORD_BYTES)
#define FOLDED_BLOCKS (2048 / BLOCK_BYTES)    /* of a group */
#define FOLDED_BITS (WORD_BITS == 32 ? 8 : 7) /* of their numbers */
#define FIELDS (WORD_BITS / 16)               /* of 64 bits */
#define FIELD_BITS (64 / FIELDS)
#define FIELD_VECTORS \
    (4 / FIELDS) /* of a byte of blocks, in a half of eight vectors: those of one field */

/*
 * Where the byte a of blocks is, once planes have become bytes: from where their set is on, one of
 * 8 / FIELDS sets of BLOCK_BYTES vectors.
 */
HANJI_INLINE int W(folded_at)(int a)
{
    return a / WORD_BYTES * FOLDED_PLANES + a % 2 * 8 + a % WORD_BYTES / 2 * FIELD_VECTORS;
}

HANJI_INLINE int W(folded_set)(int set)
{
    return set / FIELD_VECTORS * 4 + set % FIELD_VECTORS;
}

/* Blocks to planes: those of the first word in memory, then those of the second. */
static HANJI_NOINLINE void W(fold)(vector *planes, const uint8_t *in)
{
    for (int set = 0; set < 8 / FIELDS; set++) {
        vector v[BLOCK_BYTES], *to = planes + W(folded_set)(set);
        UNROLL
        for (int i = 0; i < BLOCK_BYTES; i++)
            v[i] = vector_load(in + i * VECTOR_BYTES);
        in += BLOCK_BYTES * VECTOR_BYTES;
        split_bytes(v, BLOCK_BYTES);
        UNROLL
        for (int i = 0; i < BLOCK_BYTES; i++)
            to[W(folded_at)(split_place(i, BLOCK_BYTES))] = v[i];
    }
    for (int part = 0; part < 2 * FOLDED_PLANES; part += 8) {
        vector v[8];
        UNROLL
        for (int i = 0; i < 8; i++)
            v[i] = bytes_to_planes(planes[part + i]);
        split_bytes(v, 8);
        UNROLL
        for (int i = 0; i < 8; i++)
            planes[part + split_place(i, 8)] = v[i];
    }
}

/* The bytes that rounds leave to blocks, xored with `mask` unless it is NULL. */
static HANJI_NOINLINE void W(store_folds)(uint8_t *out, const uint8_t *mask, const vector *bytes)
{
    for (int set = 0; set < 8 / FIELDS; set++) {
        vector v[BLOCK_BYTES];
        const vector *from = bytes + W(folded_set)(set);
        UNROLL
        for (int a = 0; a < BLOCK_BYTES; a++)
            v[a] = from[W(folded_at)(a)];
        join_bytes(v, BLOCK_BYTES);
        UNROLL
        for (int i = 0; i < BLOCK_BYTES; i++)
            vector_store(out + i * VECTOR_BYTES,
                         mask != NULL ? (vector)(v[i] ^ vector_load(mask + i * VECTOR_BYTES))
                                      : v[i]);
        out += BLOCK_BYTES * VECTOR_BYTES;
        if (mask != NULL)
            mask += BLOCK_BYTES * VECTOR_BYTES;
    }
}

/* The bits of a word as masks of fields, as the planes have them. The same word is in all lanes. */
HANJI_INLINE void W(field_masks)(uint64_t *masks, W(word) word)
{
    const vector ones =
        _mm512_set1_epi64(WORD_BITS == 32 ? 0x0001000000000001 : 0x0001000100010001);
    UNROLL
    for (int i = 0; i < FOLDED_PLANES; i += 8) {
        const vector bits = _mm512_sllv_epi64(
            ones, _mm512_setr_epi64(i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7));
#if WORD_BITS == 32
        const vector all = _mm512_movm_epi32(_mm512_test_epi32_mask((vector)word, bits));
#else
        const vector all = _mm512_movm_epi16(_mm512_test_epi16_mask((vector)word, bits));
#endif
        vector_store((uint8_t *)(masks + i), all);
    }
}

static HANJI_NOINLINE void W(fold_keys)(uint64_t *masks, const W(number) *keys, int rounds,
                                        int backwards)
{
    for (int i = 0; i < rounds; i++, masks += FOLDED_PLANES)
        W(field_masks)(masks, W(splat)(keys[backwards ? rounds - 1 - i : i]));
}

/*
 * Counters of the groups of a call. The lowest bits of the counters, as many as number the blocks
 * of a group, are the same in all groups, and so are the blocks whose bits beyond are those of the
 * next number.
 */
typedef struct W(folded_counters) {
    folded_counters group; /* the next one */
    W(word) c[2];          /* the counter without its lowest bits */
    W(word) rest;          /* these */
} W(folded_counters);

static HANJI_NOINLINE void W(fold_counters)(W(folded_counters) *of, const uint8_t *counter)
{
    /*
     * Bits of the blocks' numbers, from the lowest: 0 to 2 are of the places of bits in bytes,
     * which begin at the highest, the others are 3 more than those of the places of bytes.
     */
    static const uint8_t places[] = {
#if WORD_BITS == 32
        0,
        7,
        8,
        1,
        2,
        3,
        4,
        6
#else
        7,
        8,
        0,
        1,
        2,
        3,
        6
#endif
    };
    const vector field = _mm512_set1_epi64((long long)(~0ull << (64 - FIELD_BITS)));
    vector carry = _mm512_setzero_si512();
    W(counter_load)(of->c, counter);
    UNROLL
    for (int j = 0; j < FOLDED_BITS; j++) {
        const vector addend = _mm512_movm_epi64(
            _mm512_test_epi64_mask((vector)of->c[1], (vector)W(splat)((W(number))(1u << j))));
        const vector n = places[j] < 3 ? _mm512_set1_epi8((char)(places[j] == 0   ? 0x55
                                                                 : places[j] == 1 ? 0x33
                                                                                  : 0x0f))
                                       : bytes_with(places[j] - 3);
        vector sum = addend ^ n ^ carry;
        carry = (addend & n) | (carry & (addend | n));
        of->group.low[j] = sum & field;
    }
    for (int j = FOLDED_BITS; j < FOLDED_LOW; j++)
        of->group.low[j] = _mm512_setzero_si512();
    of->group.low[FOLDED_LOW] = carry;
    of->rest = of->c[1] & W(splat)(FOLDED_BLOCKS - 1);
    of->c[1] -= of->rest;
}

/* The masks of one group, and on to the next. */
static HANJI_NOINLINE void W(folded_group)(W(folded_counters) *of)
{
    W(word) next[2];
    W(counter_add)(next, of->c, W(splat)((W(number))FOLDED_BLOCKS));
    for (int w = 0; w < 2; w++) {
        const W(word) a = W(from_be)(of->c[w]);
        W(field_masks)(of->group.word[w].now, a);
        W(field_masks)(of->group.word[w].change, a ^ W(from_be)(next[w]));
        of->c[w] = next[w];
    }
}

static HANJI_NOINLINE void W(store_counter)(uint8_t *counter, W(folded_counters) *of)
{
    of->c[1] += of->rest;
    W(counter_store)(counter, of->c);
}

typedef void W(folded_fn)(vector *p, vector *q, const uint64_t *masks, int rounds,
                          const folded_counters *counters);

/*
 * The second word goes into the function of the first round, the first one backwards. An odd number
 * of rounds leaves the halves in each other's places.
 */
HANJI_INLINE void W(folded_rounds)(vector *planes, const uint64_t *masks, int rounds, int backwards,
                                   const folded_counters *counters, W(folded_fn) *run)
{
    const int p = backwards == (rounds % 2 == 0) ? 0 : FOLDED_PLANES;
    run(planes + p, planes + (FOLDED_PLANES - p), masks, rounds, counters);
    if (rounds % 2 != 0)
        for (int i = 0; i < FOLDED_PLANES; i++) {
            const vector t = planes[i];
            planes[i] = planes[FOLDED_PLANES + i];
            planes[FOLDED_PLANES + i] = t;
        }
}

/*
 * A kernel keeps masks and planes in its frame. It erases them, and what the functions that it
 * calls leave on the stack.
 */
#define HANJI_FOLDED_BLOCKS(function, run, rounds, backwards)                                    \
    static HANJI_NOINLINE void function##_groups(uint8_t *out, const uint8_t *in, size_t groups, \
                                                 vector *planes, const uint64_t *masks)          \
    {                                                                                            \
        for (; groups > 0; groups--) {                                                           \
            W(fold)(planes, in);                                                                 \
            W(folded_rounds)(planes, masks, rounds, backwards, NULL, run);                       \
            W(store_folds)(out, NULL, planes);                                                   \
            in += FOLDED_BLOCKS * BLOCK_BYTES;                                                   \
            out += FOLDED_BLOCKS * BLOCK_BYTES;                                                  \
        }                                                                                        \
    }                                                                                            \
    void function(uint8_t *out, const uint8_t *in, size_t groups, const void *keys)              \
    {                                                                                            \
        uint64_t masks[(rounds)*FOLDED_PLANES];                                                  \
        vector planes[2 * FOLDED_PLANES];                                                        \
        W(fold_keys)(masks, keys, rounds, backwards);                                            \
        function##_groups(out, in, groups, planes, masks);                                       \
        hanji_wipe_stack();                                                                      \
        erase(planes, sizeof planes);                                                            \
        erase(masks, sizeof masks);                                                              \
    }
#define HANJI_FOLDED_CTR(function, run, rounds)                                                  \
    static HANJI_NOINLINE void function##_groups(uint8_t *out, const uint8_t *in, size_t groups, \
                                                 vector *planes, const uint64_t *masks,          \
                                                 W(folded_counters) *counters)                   \
    {                                                                                            \
        for (; groups > 0; groups--) {                                                           \
            W(folded_group)(counters);                                                           \
            W(folded_rounds)(planes, masks, rounds, 0, &counters->group, run);                   \
            W(store_folds)(out, in, planes);                                                     \
            in += FOLDED_BLOCKS * BLOCK_BYTES;                                                   \
            out += FOLDED_BLOCKS * BLOCK_BYTES;                                                  \
        }                                                                                        \
    }                                                                                            \
    void function(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,              \
                  const void *keys)                                                              \
    {                                                                                            \
        uint64_t masks[(rounds)*FOLDED_PLANES];                                                  \
        vector planes[2 * FOLDED_PLANES];                                                        \
        W(folded_counters) counters;                                                             \
        W(fold_keys)(masks, keys, rounds, 0);                                                    \
        W(fold_counters)(&counters, counter);                                                    \
        function##_groups(out, in, groups, planes, masks, &counters);                            \
        W(store_counter)(counter, &counters);                                                    \
        hanji_wipe_stack();                                                                      \
        erase(planes, sizeof planes);                                                            \
        erase(masks, sizeof masks);                                                              \
        erase(&counters, sizeof counters);                                                       \
    }
