/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels over bit slices, for ciphers of rotations and logic on AVX2, which has no instruction
 * that rotates. Stands on lanes/vector.h, included before it.
 *
 * Plane i holds bit i of a word of 256 blocks, so a rotation is another plane and costs nothing: a
 * round takes four operations for each plane. What limits it then are the two vectors that can be
 * loaded in a cycle and, of Zen 5, the six instructions taken on. So two rounds are one pass over
 * the planes, which keeps of both what the next planes need in registers.
 */
#include "lanes/joins.h"
#include "support/secret.h"

#ifndef HANJI_LANES_SLICES_H
#define HANJI_LANES_SLICES_H

#define SLICED_BLOCKS 256 /* of a group */
#define TILES 8 /* of a group: the blocks of one tile have the same bit in the bytes of a plane */

/*
 * Pieces of rounds in assembly: sixteen registers are just enough for two rounds, and on Zen 5 the
 * order of the instructions decides whether the loads or the way from the decoders to the vector
 * units limits them, which compilers do not know. Registers go by their numbers; x, y and k are
 * pointers to planes and masks, and `at` is in bytes.
 */
#define V_AND(a, b, to) "vpand %%ymm" #a ", %%ymm" #b ", %%ymm" #to "\n\t"
#define V_AND_AT(at, of, a, to) "vpand " #at "(%[" #of "]), %%ymm" #a ", %%ymm" #to "\n\t"
#define V_XOR(a, to) "vpxor %%ymm" #a ", %%ymm" #to ", %%ymm" #to "\n\t"
#define V_XOR_TO(a, b, to) "vpxor %%ymm" #a ", %%ymm" #b ", %%ymm" #to "\n\t"
#define V_XOR_AT(at, of, to) "vpxor " #at "(%[" #of "]), %%ymm" #to ", %%ymm" #to "\n\t"
#define V_KEY(at, to) "vpbroadcastd " #at "(%[k]), %%ymm" #to "\n\t"
#define V_LOAD(at, of, to) "vmovdqa " #at "(%[" #of "]), %%ymm" #to "\n\t"
#define V_STORE(from, at, of) "vmovdqa %%ymm" #from ", " #at "(%[" #of "])\n\t"
#define V_CLOBBERS                                                                          \
    "memory", "cc", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", \
        "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15"

/*
 * An even number of rounds, two a pass, which makes y ^= f(x) ^ k and x ^= f(y) ^ k'. A plane takes
 * planes up to eight before it. So the first eight planes of the new y come alone (`begin`), those
 * behind them beside the new x (`eight` planes at a time, from plane b on with masks at k), then
 * the first of x beside the first of the next pass's y (`between`, whose `last` is the first of the
 * last eight planes), or alone (`end`). x and y point to the planes from which a pass starts, tx
 * and ty to those which it makes; registers 0 to 7 hold the last eight planes of x before;
 * `last_eight` may leave more to what follows. A pass is one piece of code: steps of pointers would
 * take a place among the instructions.
 */
/* clang-format off */
#define HANJI_EIGHTS_32(eight, last_eight) eight(8, 0) eight(16, 64) last_eight(24, 128)
#define HANJI_EIGHTS_64(eight, last_eight) \
    eight(8, 0) eight(16, 64) eight(24, 128) eight(32, 192) eight(40, 256) eight(48, 320) last_eight(56, 384)
#define HANJI_SLICED_FEISTEL(name, begin, eight, last_eight, between, end) HANJI_SLICED_FEISTEL_(name, WORD_BITS, begin, eight, last_eight, between, end)
#define HANJI_SLICED_FEISTEL_(name, bits, begin, eight, last_eight, between, end) \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Woverlength-strings\"") /* of assembly: C promises less */ \
    static HANJI_NOINLINE void W(name##_slices)(vector *to_x, vector *to_y, const vector *from_x, const vector *from_y, const uint32_t *masks, int rounds) \
    { \
        int passes = rounds / 2; \
        __asm__ __volatile__( \
            V_LOAD(32 * (bits - 8), x, 0) V_LOAD(32 * (bits - 7), x, 1) V_LOAD(32 * (bits - 6), x, 2) V_LOAD(32 * (bits - 5), x, 3) \
            V_LOAD(32 * (bits - 4), x, 4) V_LOAD(32 * (bits - 3), x, 5) V_LOAD(32 * (bits - 2), x, 6) V_LOAD(32 * (bits - 1), x, 7) \
            begin \
            "add $32, %[k]\n\t" \
            ".p2align 6\n" \
            "1:\n\t" \
            HANJI_JOIN(HANJI_EIGHTS_, bits)(eight, last_eight) \
            "dec %[passes]\n\t" \
            "jz 2f\n\t" \
            between((bits - 8), 8 * (bits - 8)) \
            "mov %[tx], %[x]\n\t" \
            "mov %[ty], %[y]\n\t" \
            "add %[used], %[k]\n\t" \
            "jmp 1b\n" \
            "2:\n\t" \
            end((bits - 8), 8 * (bits - 8)) \
            : [x] "+r"(from_x), [y] "+r"(from_y), [k] "+r"(masks), [passes] "+r"(passes) \
            : [tx] "r"(to_x), [ty] "r"(to_y), [used] "i"(8 * bits) \
            : V_CLOBBERS); \
    } \
    _Pragma("GCC diagnostic pop")
/* clang-format on */

/* Bit j of byte p of vector b becomes bit b of byte p of vector j; its own inverse. */
HANJI_INLINE void slice(vector *v)
{
    UNROLL
    for (int step = 0; step < 3; step++) {
        const int n = 4 >> step;
        const vector low = MM(set1_epi8)((char)(step == 0 ? 0x0f : step == 1 ? 0x33 : 0x55));
        UNROLL
        for (int i = 0; i < TILES; i++)
            if ((i & n) ==
                0) { /* there are no shifts of bytes: what comes from the neighbour is masked */
                const vector change = (MM(srli_epi16)(v[i], n) ^ v[i + n]) & low;
                v[i + n] ^= change;
                v[i] ^= n == 1 ? MM(add_epi8)(change, change) : MM(slli_epi16)(change, n);
            }
    }
}

/* Planes of a byte of counters plus what is carried. */
HANJI_INLINE void count_on(vector *planes, vector *carry)
{
    UNROLL
    for (int j = 0; j < 8; j++) {
        const vector plane = planes[j];
        planes[j] = plane ^ *carry;
        *carry &= plane;
    }
}

/* All bits of the bytes that have these set. */
HANJI_INLINE vector where_set(vector v, vector bits)
{
    return MM(cmpeq_epi8)(v & bits, bits);
}

/* The same for words of 32 bits. */
HANJI_INLINE vector where_set_32(vector v, vector bits)
{
    return MM(cmpeq_epi32)(v & bits, bits);
}

#endif

#undef BLOCK_BYTES
#define BLOCK_BYTES (WORDS * WORD_BYTES) /* and vectors of a tile */

/* Blocks to planes: those of the first word in memory, then those of the second. */
static HANJI_NOINLINE void W(slice_group)(vector *planes, const uint8_t *in)
{
    for (int b = 0; b < TILES; b++, in += BLOCK_BYTES * VECTOR_BYTES) {
        vector v[BLOCK_BYTES];
        UNROLL
        for (int i = 0; i < BLOCK_BYTES; i++)
            v[i] = vector_load(in + i * VECTOR_BYTES);
        split_bytes(v, BLOCK_BYTES);
        UNROLL
        for (int i = 0; i < BLOCK_BYTES; i++)
            planes[TILES * split_place(i, BLOCK_BYTES) + b] = v[i];
    }
    for (int a = 0; a < BLOCK_BYTES; a++)
        slice(planes + TILES * a);
}

/*
 * And back, which destroys them; xored with `mask` unless it is NULL. Counters that are not
 * NULL go on by 256: they wait for each other, not for the vector units.
 */
static HANJI_NOINLINE void W(store_slices)(uint8_t *out, const uint8_t *mask, vector *planes,
                                           vector *counters)
{
    enum {
        JOINED = 8
    }; /* vectors at a time, which then fit into the registers: after the first step of 16, halves do not meet again */
    vector carry = MM(set1_epi8)(-1);
    slice(planes + TILES * (BLOCK_BYTES - 1));
    for (int a = BLOCK_BYTES - 2; a >= 0; a--) { /* the last byte of counters does not change */
        slice(planes + TILES * a);
        if (counters != NULL)
            count_on(counters + 8 * a, &carry);
    }
    for (int b = 0; b < TILES; b++, out += BLOCK_BYTES * VECTOR_BYTES) {
        for (int from = 0; from < BLOCK_BYTES; from += JOINED) {
            vector v[JOINED];
            UNROLL
            for (int i = 0; i < JOINED; i++)
                v[i] = planes[TILES * i + b];
#if WORD_BITS == 64
            UNROLL
            for (int i = 0; i < JOINED; i++)
                v[i] = from == 0 ? MM(unpacklo_epi8)(v[i], planes[TILES * (i + JOINED) + b])
                                 : MM(unpackhi_epi8)(v[i], planes[TILES * (i + JOINED) + b]);
#endif
            join_bytes(v, JOINED);
            UNROLL
            for (int i = 0; i < JOINED; i++) {
                const int at = (from + i) * VECTOR_BYTES;
                vector_store(out + at,
                             mask != NULL ? (vector)(v[i] ^ vector_load(mask + at)) : v[i]);
            }
        }
        if (mask != NULL)
            mask += BLOCK_BYTES * VECTOR_BYTES;
    }
}

/*
 * The planes of the counters of a group: of the first one plus the blocks' numbers, which are below
 * 256.
 */
static HANJI_NOINLINE void W(slice_counters)(vector *planes, const uint8_t *counter)
{
    enum { PER_16 = 16 / BLOCK_BYTES }; /* blocks */
    /* of the block of each byte in the first tile; those of the next tile are 32 more */
    uint8_t number[VECTOR_BYTES];
    for (int i = 0; i < VECTOR_BYTES; i++)
        number[i] = (uint8_t)((i % 16 / PER_16 * 2 + i / 16) * PER_16 + i % PER_16);
    const vector in_tile = vector_load(number);
    vector carry = MM(setzero_si256)(), byte = MM(set1_epi8)((char)counter[BLOCK_BYTES - 1]);
    vector *last = planes + 8 * (BLOCK_BYTES - 1);
    UNROLL
    for (int j = 0; j < 8; j++) {
        const vector bit = MM(set1_epi8)((char)(1 << j)), addend = where_set(byte, bit),
                     n = j < 5 ? where_set(in_tile, bit)
                               : MM(set1_epi8)((char)(j == 5   ? 0xaa
                                                      : j == 6 ? 0xcc
                                                               : 0xf0));
        last[j] = addend ^ n ^ carry;
        carry = (addend & n) | (carry & (addend | n));
    }
    for (int a = BLOCK_BYTES - 2; a >= 0; a--) {
        /* lower bits of this byte: bytes wait for each other once only */
        vector all = MM(set1_epi8)(-1);
        byte = MM(set1_epi8)((char)counter[a]);
        UNROLL
        for (int j = 0; j < 8; j++) {
            const vector addend = where_set(byte, MM(set1_epi8)((char)(1 << j)));
            planes[8 * a + j] = addend ^ (carry & all);
            all &= addend;
        }
        carry &= all;
    }
}

static HANJI_NOINLINE void W(count_groups)(uint8_t *counter, size_t groups)
{
    W(word) c[WORDS];
    W(counter_load)(c, counter);
    KEEP_LOOP
    for (; groups > 0; groups--)
        W(counter_add)(c, c, W(splat)((W(number))SLICED_BLOCKS));
    W(counter_store)(counter, c);
}

/*
 * Round keys as masks, one of 32 bits for every bit, in the order in which the pass over two rounds
 * takes them: it treats eight planes at a time, the first of the second round last. Where the
 * number of rounds is odd, the first round comes alone. Eight masks of a key go to `first`, those
 * behind them `step` eights apart.
 */
HANJI_INLINE void W(slice_key)(uint32_t *masks, const W(number) *key, const vector *bits, int first,
                               int step, int more)
{
    enum { UNITS = WORD_BITS / 8 };
    UNROLL
    for (int j = 0; j < UNITS; j++) {
        uint32_t part = 0;
        memcpy(&part, (const uint8_t *)key + j / 4 * 4, WORD_BYTES < 4 ? WORD_BYTES : 4);
        vector_store((uint8_t *)(masks + 8 * (j == 0 ? first : step * j + more)),
                     where_set_32(MM(set1_epi32)((int)part), bits[j & 3]));
    }
}

static HANJI_NOINLINE void W(slice_keys)(uint32_t *masks, const W(number) *keys, int rounds,
                                         int backwards)
{
    enum { UNITS = WORD_BITS / 8 };
    const int on = backwards ? -1 : 1;
    vector bits[4];
    UNROLL
    for (int i = 0; i < 4; i++)
        bits[i] =
            MM(sllv_epi32)(MM(set1_epi32)(1 << (8 * i)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    if (backwards)
        keys += rounds - 1;
    if (rounds % 2 != 0) {
        W(slice_key)(masks, keys, bits, 0, 1, 0);
        masks += WORD_BITS;
        keys += on;
    }
    for (int i = rounds / 2; i > 0; i--) {
        W(slice_key)(masks, keys, bits, 0, 2, -1);
        W(slice_key)(masks, keys + on, bits, 2 * UNITS - 1, 2, 0);
        masks += 2 * WORD_BITS;
        keys += 2 * on;
    }
}

/*
 * Rounds of a Feistel cipher on planes, an even number of them: from x of the half that goes into
 * the function and y of the other to the same, in place or elsewhere. And one round, the new x.
 */
typedef void W(feistel_fn)(vector *to_x, vector *to_y, const vector *x, const vector *y,
                           const uint32_t *masks, int rounds);
typedef void W(feistel_one_fn)(vector *to, const vector *x, const vector *y, const uint32_t *masks);

HANJI_INLINE void W(sliced_rounds)(vector *to, const vector *planes, const uint32_t *masks,
                                   int rounds, int backwards, W(feistel_fn) *run,
                                   W(feistel_one_fn) *one)
{
    const int at_x = backwards ? 0 : WORD_BITS, at_y = WORD_BITS - at_x;
    if (rounds % 2 == 0) {
        run(to + at_x, to + at_y, planes + at_x, planes + at_y, masks, rounds);
        return;
    }
    /* One round more leaves the halves in each other's places. */
    one(to + at_y, planes + at_x, planes + at_y, masks);
    run(to + at_y, to + at_x, to + at_y, planes + at_x, masks + WORD_BITS, rounds - 1);
    for (int i = 0; i < WORD_BITS; i++) {
        const vector t = to[i];
        to[i] = to[WORD_BITS + i];
        to[WORD_BITS + i] = t;
    }
}

/*
 * A kernel keeps masks and planes in its frame. It erases them, and what the functions that it
 * calls leave on the stack.
 */
#define HANJI_SLICED_BLOCKS(function, run, one, rounds, backwards)                               \
    static HANJI_NOINLINE void function##_groups(uint8_t *out, const uint8_t *in, size_t groups, \
                                                 vector *planes, const uint32_t *masks)          \
    {                                                                                            \
        for (; groups > 0; groups--) {                                                           \
            W(slice_group)(planes, in);                                                          \
            W(sliced_rounds)(planes, planes, masks, rounds, backwards, run, one);                \
            W(store_slices)(out, NULL, planes, NULL);                                            \
            in += SLICED_BLOCKS * BLOCK_BYTES;                                                   \
            out += SLICED_BLOCKS * BLOCK_BYTES;                                                  \
        }                                                                                        \
    }                                                                                            \
    void function(uint8_t *out, const uint8_t *in, size_t groups, const void *keys)              \
    {                                                                                            \
        _Alignas(VECTOR_BYTES) uint32_t masks[(rounds)*WORD_BITS];                               \
        vector planes[2 * WORD_BITS];                                                            \
        W(slice_keys)(masks, keys, rounds, backwards);                                           \
        function##_groups(out, in, groups, planes, masks);                                       \
        hanji_wipe_stack();                                                                      \
        erase(planes, sizeof planes);                                                            \
        erase(masks, sizeof masks);                                                              \
    }
#define HANJI_SLICED_CTR(function, run, one, rounds)                                             \
    static HANJI_NOINLINE void function##_groups(uint8_t *out, const uint8_t *in, size_t groups, \
                                                 vector *planes, const uint32_t *masks)          \
    {                                                                                            \
        for (; groups > 0; groups--) {                                                           \
            W(sliced_rounds)(planes, planes + 2 * WORD_BITS, masks, rounds, 0, run, one);        \
            W(store_slices)(out, in, planes, groups > 1 ? planes + 2 * WORD_BITS : NULL);        \
            in += SLICED_BLOCKS * BLOCK_BYTES;                                                   \
            out += SLICED_BLOCKS * BLOCK_BYTES;                                                  \
        }                                                                                        \
    }                                                                                            \
    void function(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,              \
                  const void *keys)                                                              \
    {                                                                                            \
        _Alignas(VECTOR_BYTES) uint32_t masks[(rounds)*WORD_BITS];                               \
        vector planes[4 * WORD_BITS];                                                            \
        W(slice_keys)(masks, keys, rounds, 0);                                                   \
        W(slice_counters)(planes + 2 * WORD_BITS, counter);                                      \
        function##_groups(out, in, groups, planes, masks);                                       \
        W(count_groups)(counter, groups);                                                        \
        hanji_wipe_stack();                                                                      \
        erase(planes, sizeof planes);                                                            \
        erase(masks, sizeof masks);                                                              \
    }
