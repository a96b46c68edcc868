/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of groups, and descriptors. A room has one list per cipher, in its table of kernels: the
 * sizes of the groups of every tier, best first. Declarations and rows are made from it, when
 * lanes/groups_declare.h or lanes/groups_rows.h says what HANJI_GROUP, HANJI_KEY_STREAMS,
 * HANJI_WHOLE_MESSAGES, HANJI_CHAINS_OF_LANES, HANJI_MACS_OF_LANES, HANJI_SHORT_TEXTS and
 * HANJI_TEXTS_AT_ONCE are. A name of a function is hanji_<cipher>_<tier>_<operation>_x<size>, and
 * its definition stands in the kernel file.
 */
#ifndef HANJI_LANES_VARIANTS_H
#define HANJI_LANES_VARIANTS_H

#include "hanji/block.h"
#include "lanes/chains.h"
#include "lanes/streams.h"
#include "support/cipher.h"
#include "support/cpu.h"

/*
 * Three sizes per tier, the largest first. The smallest, one vector, also takes part of a group: a
 * vector with unused lanes is faster than the portable kernel block by block, or than a narrower
 * vector. From how many blocks on is `least`: (encrypt, decrypt, CTR), measured by `hanji-lab
 * measure break-even`. From a whole group on: no parts.
 */
#define HANJI_AT_MOST(least, size) ((least) < (size) ? (least) : (size))
#ifdef HANJI_BLOCKS_MINIMUM /* for measuring this */
#define HANJI_LEAST(size, least)                                                           \
    (HANJI_AT_MOST(HANJI_BLOCKS_MINIMUM, size), HANJI_AT_MOST(HANJI_BLOCKS_MINIMUM, size), \
     HANJI_AT_MOST(HANJI_BLOCKS_MINIMUM, size))
#else
#define HANJI_LEAST(size, least) least
#endif
#define HANJI_WHOLE_GROUPS (0, 0, 0)
/*
 * In counter mode groups of several vectors, too, take parts: more than the next smaller group has,
 * or twice that where it goes twice into them, as vectors side by side take little longer than one.
 * The buffer of a part has 512 bytes: the larger two of AVX-512 are more.
 */
#define HANJI_PARTS(size, smaller) \
    (0, 0, (size) > 2 * (smaller) ? 2 * (smaller) + 1 : (smaller) + 1)
#define HANJI_GROUPS_2(cipher, tier, needs, middle, small, least)        \
    HANJI_GROUP(cipher, tier, needs, middle, HANJI_PARTS(middle, small)) \
    HANJI_GROUP(cipher, tier, needs, small, HANJI_LEAST(small, least))
#define HANJI_GROUPS_3(cipher, tier, needs, large, middle, small, least) \
    HANJI_GROUP(cipher, tier, needs, large, HANJI_PARTS(large, middle))  \
    HANJI_GROUPS_2(cipher, tier, needs, middle, small, least)
/* One size more: what is left of 16 KiB after groups of 12 vectors. */
#define HANJI_GROUPS_4(cipher, tier, needs, largest, large, middle, small, least) \
    HANJI_GROUP(cipher, tier, needs, largest, HANJI_WHOLE_GROUPS)                 \
    HANJI_GROUPS_3(cipher, tier, needs, large, middle, small, least)
#define HANJI_GROUPS_2_2(cipher, tier, needs, largest, large, middle, small, least) \
    HANJI_GROUP(cipher, tier, needs, largest, HANJI_WHOLE_GROUPS)                   \
    HANJI_GROUP(cipher, tier, needs, large, HANJI_WHOLE_GROUPS)                     \
    HANJI_GROUPS_2(cipher, tier, needs, middle, small, least)

/*
 * Beside them messages with their own keys, one in each lane of a vector: key streams, or on
 * AVX-512 whole messages, uniform from a whole group on, or ragged. From `least` messages on,
 * measured likewise.
 */
#ifdef HANJI_STREAMS_MINIMUM /* for measuring this */
#define HANJI_STREAMS_LEAST(least) HANJI_STREAMS_MINIMUM
#else
#define HANJI_STREAMS_LEAST(least) (least)
#endif

#ifdef HANJI_X86
#define HANJI_ON_X86(...) __VA_ARGS__
#else
#define HANJI_ON_X86(...)
#endif
#ifdef HANJI_A64
#define HANJI_ON_A64(...) __VA_ARGS__
#else
#define HANJI_ON_A64(...)
#endif
#define HANJI_AVX512_GROUPS(cipher, ...) \
    HANJI_ON_X86(HANJI_GROUPS_2_2(cipher, avx512, HANJI_CPU_AVX512, __VA_ARGS__))
#define HANJI_AVX512_MESSAGES(cipher, lanes, least) \
    HANJI_ON_X86(HANJI_WHOLE_MESSAGES(cipher, avx512, HANJI_CPU_AVX512, lanes, least))
#define HANJI_AVX2_GROUPS_4(cipher, ...) \
    HANJI_ON_X86(HANJI_GROUPS_4(cipher, avx2, HANJI_CPU_AVX2, __VA_ARGS__))
/* And chains, of as many lanes. On AVX-512 two messages cost less alone. */
#define HANJI_AVX512_CHAINS(cipher, lanes) \
    HANJI_ON_X86(HANJI_CHAINS_OF_LANES(cipher, avx512, HANJI_CPU_AVX512, lanes, 3))
/* And CMAC of whole messages, of so many in a group. */
#define HANJI_AVX512_MACS(cipher, messages) \
    HANJI_ON_X86(HANJI_MACS_OF_LANES(cipher, avx512, HANJI_CPU_AVX512, messages))
#define HANJI_AVX2_CHAINS(cipher, lanes) \
    HANJI_ON_X86(HANJI_CHAINS_OF_LANES(cipher, avx2, HANJI_CPU_AVX2, lanes, 3))
#define HANJI_NEON_CHAINS(cipher, lanes) \
    HANJI_ON_A64(HANJI_CHAINS_OF_LANES(cipher, neon, HANJI_CPU_NEON, lanes, 2))
/*
 * CTR over texts of up to 512 bytes, which are `size` blocks: the last rows of a table, which begin
 * so many before its end.
 */
#define HANJI_VECTOR_SHORTS(cipher, size)                                   \
    HANJI_ON_X86(HANJI_SHORT_TEXTS(cipher, avx512, HANJI_CPU_AVX512, size)  \
                     HANJI_SHORT_TEXTS(cipher, avx2, HANJI_CPU_AVX2, size)) \
    HANJI_ON_A64(HANJI_SHORT_TEXTS(cipher, neon, HANJI_CPU_NEON, size))
/*
 * CTR over one text with its key, of 3 to `size` blocks: the rows before those, HANJI_ONCE_ROWS of
 * them.
 */
#define HANJI_VECTOR_ONCES(cipher, size)                                        \
    HANJI_ON_X86(HANJI_TEXTS_AT_ONCE(cipher, avx512, HANJI_CPU_AVX512, size, 3) \
                     HANJI_TEXTS_AT_ONCE(cipher, avx2, HANJI_CPU_AVX2, size, 3))
#ifdef HANJI_BLOCKS_MINIMUM /* for measuring rows of groups */
#define HANJI_SHORTS(kernels) HANJI_ON_X86(.shorts = NULL) HANJI_ON_A64(.shorts = NULL)
#else
#define HANJI_SHORTS(kernels)                                                 \
    HANJI_ON_X86(.shorts = (kernels) + sizeof(kernels) / sizeof *(kernels)-3) \
    HANJI_ON_A64(.shorts = (kernels) + sizeof(kernels) / sizeof *(kernels)-2)
#endif
/* With groups of bit slices before them, of 256 blocks and of fewer. */
#define HANJI_AVX2_GROUPS_SLICED(cipher, ...)                                        \
    HANJI_ON_X86(HANJI_GROUP(cipher, avx2, HANJI_CPU_AVX2, 256, HANJI_WHOLE_GROUPS)) \
    HANJI_AVX2_GROUPS_4(cipher, __VA_ARGS__)
#define HANJI_AVX2_STREAMS(cipher, lanes, least) \
    HANJI_ON_X86(HANJI_KEY_STREAMS(cipher, avx2, HANJI_CPU_AVX2, lanes, least))
/* Not measured on a processor: three blocks and two messages for all. */
#define HANJI_NEON_GROUPS(cipher, large, middle, small)     \
    HANJI_ON_A64(HANJI_GROUPS_3(                            \
        cipher, neon, HANJI_CPU_NEON, large, middle, small, \
        (HANJI_AT_MOST(3, small), HANJI_AT_MOST(3, small), HANJI_AT_MOST(3, small))))
#define HANJI_NEON_STREAMS(cipher, lanes) \
    HANJI_ON_A64(HANJI_KEY_STREAMS(cipher, neon, HANJI_CPU_NEON, lanes, 2))
/*
 * Portable C: last, and down to groups of one. Part of a group from where single blocks are slower,
 * measured with gcc 12 where they are fastest: SPECK-64/128 and SPECK-128/128.
 */
#define HANJI_PORTABLE_LEAST(size) ((size) == 8 ? 5 : 12)
#if HANJI_PORTABLE_GROUPS
#define HANJI_ANY_GROUPS(cipher, size)                                                        \
    HANJI_GROUP(                                                                              \
        cipher, portable, HANJI_CPU_PORTABLE, size,                                           \
        (HANJI_PORTABLE_LEAST(size), HANJI_PORTABLE_LEAST(size), HANJI_PORTABLE_LEAST(size))) \
    HANJI_GROUP(cipher, portable, HANJI_CPU_PORTABLE, 1, HANJI_WHOLE_GROUPS)
#else
#define HANJI_ANY_GROUPS(cipher, size) \
    HANJI_GROUP(cipher, portable, HANJI_CPU_PORTABLE, 1, HANJI_WHOLE_GROUPS)
#endif

/* CMAC and EAX have blocks of 8 or 16 bytes. */
#if HANJI_ROWS_IN_THREES
#define HANJI_CBC_MAC(id, macro)                                                     \
    .cbc_mac = HANJI_##macro##_BLOCK_BYTES == 8 || HANJI_##macro##_BLOCK_BYTES == 16 \
                   ? hanji_##id##_cbc_mac                                            \
                   : NULL,
/*
 * HANJI_FEW_BLOCKS blocks of 8 or 16 bytes, a number of the room's, in general registers, unless
 * the processor has its HANJI_FEW_UNLESS, features with which a vector is faster. HANJI_ONCE_BLOCKS
 * with the key schedule, beside the rounds, by the room's HANJI_FEW_ONCE, or NULL.
 */
#ifdef HANJI_BLOCKS_MINIMUM
#define HANJI_HAS_FEW(bytes) 0
#else
#define HANJI_HAS_FEW(bytes) ((bytes) == 8 || (bytes) == 16)
#endif
#define HANJI_FEW(id, macro)                                                                       \
    .few = HANJI_HAS_FEW(HANJI_##macro##_BLOCK_BYTES) ? hanji_##id##_few : NULL,                   \
    .once = HANJI_FEW_ONCE(id, HANJI_##macro##_BLOCK_BYTES), .few_unless = HANJI_FEW_UNLESS,       \
    .few_bytes = HANJI_HAS_FEW(HANJI_##macro##_BLOCK_BYTES)                                        \
                     ? HANJI_FEW_BLOCKS(HANJI_##macro##_BLOCK_BYTES) * HANJI_##macro##_BLOCK_BYTES \
                     : 0,                                                                          \
    .once_bytes = HANJI_HAS_FEW(HANJI_##macro##_BLOCK_BYTES)                                       \
                      ? HANJI_ONCE_BLOCKS * HANJI_##macro##_BLOCK_BYTES                            \
                      : 0,
#else
#define HANJI_CBC_MAC(id, macro)
#define HANJI_FEW(id, macro)
#endif

/*
 * The descriptor of a cipher and the function that gives it, which has this name; `macro` begins
 * the names of its sizes.
 */
#define HANJI_CIPHER(function, id, printed, macro)                                     \
    void hanji_##id##_expand(void *round_keys, const uint8_t *key);                    \
    hanji_cbc_mac_fn hanji_##id##_cbc_mac;                                             \
    hanji_short_fn hanji_##id##_few;                                                   \
    hanji_once_fn hanji_##id##_once;                                                   \
    const hanji_cipher *function(void)                                                 \
    {                                                                                  \
        static const hanji_cipher cipher = {                                           \
            .name = (printed),                                                         \
            .block_bytes = HANJI_##macro##_BLOCK_BYTES,                                \
            .key_bytes = HANJI_##macro##_KEY_BYTES,                                    \
            .word_bytes = sizeof(((hanji_##id##_ctx *)0)->round_keys[0]),              \
            .limit_log2 = HANJI_LIMIT_LOG2(HANJI_##macro##_BLOCK_BYTES),               \
            .in_threes = HANJI_ROWS_IN_THREES,                                         \
            .ctx_bytes = sizeof(hanji_##id##_ctx),                                     \
            .expand = hanji_##id##_expand,                                             \
            .kernels = id##_kernels,                                                   \
            HANJI_CBC_MAC(id, macro) HANJI_FEW(id, macro) HANJI_SHORTS(id##_kernels)}; \
        return &cipher;                                                                \
    }

#endif
