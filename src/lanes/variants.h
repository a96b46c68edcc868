/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One line per variant makes its declarations, its kernels and its descriptor: the X-macros that
 * the rooms apply to their table of variants, whose rows are (name, printed name, prefix of the
 * public macros, word bits, words of the key, rounds, lanes of the wide portable kernels).
 */
#ifndef HANJI_LANES_VARIANTS_H
#define HANJI_LANES_VARIANTS_H

#include "hanji/block.h"
#include "support/cipher.h"
#include "support/cpu.h"

/* The portable kernels of a cipher for groups of `lanes` blocks. */
#define HANJI_LANES_DECLARE(name, lanes)                      \
    hanji_blocks_fn hanji_##name##_portable_encrypt_x##lanes; \
    hanji_blocks_fn hanji_##name##_portable_decrypt_x##lanes; \
    hanji_ctr_fn hanji_##name##_portable_ctr_x##lanes;

#define HANJI_VARIANT_DECLARE(name, printed, macro, bits, key_words, rounds, lanes) \
    HANJI_LANES_DECLARE(name, 1)                                                    \
    HANJI_LANES_DECLARE(name, lanes)                                                \
    void hanji_##name##_expand(void *round_keys, const uint8_t *key);

/* Their rows in a kernel table. */
#define HANJI_LANES_ROWS(cipher, lanes)                                                           \
    {.name = #cipher "_portable_x" #lanes,                                                        \
     .operation = HANJI_ENCRYPT,                                                                  \
     .group = lanes,                                                                              \
     .align = 1,                                                                                  \
     .run = {.blocks = hanji_##cipher##_portable_encrypt_x##lanes}},                              \
        {.name = #cipher "_portable_x" #lanes,                                                    \
         .operation = HANJI_DECRYPT,                                                              \
         .group = lanes,                                                                          \
         .align = 1,                                                                              \
         .run = {.blocks = hanji_##cipher##_portable_decrypt_x##lanes}},                          \
    {                                                                                             \
        .name = #cipher "_portable_x" #lanes, .operation = HANJI_CTR, .group = lanes, .align = 1, \
        .run = {                                                                                  \
            .ctr = hanji_##cipher##_portable_ctr_x##lanes                                         \
        }                                                                                         \
    }

#if HANJI_PORTABLE_GROUPS
#define HANJI_PORTABLE_ROWS(cipher, lanes) \
    HANJI_LANES_ROWS(cipher, lanes), HANJI_LANES_ROWS(cipher, 1)
#else
#define HANJI_PORTABLE_ROWS(cipher, lanes) HANJI_LANES_ROWS(cipher, 1)
#endif

/*
 * Kernels over vectors: three group sizes per tier, the largest first. The smallest, one vector,
 * also takes part of a group: a vector with unused lanes is faster than the portable kernel block
 * by block, or than a narrower vector. From how many blocks on stands in the tables, as `least`:
 * (encrypt, decrypt, CTR), measured by `hanji-lab measure break-even`. From a whole group on: no
 * parts.
 */
#define HANJI_LEAST_ENCRYPT(encrypt, decrypt, ctr) encrypt
#define HANJI_LEAST_DECRYPT(encrypt, decrypt, ctr) decrypt
#define HANJI_LEAST_CTR(encrypt, decrypt, ctr) ctr
#define HANJI_AT_MOST(least, size) ((least) < (size) ? (least) : (size))
#ifdef HANJI_BLOCKS_MINIMUM /* for measuring this */
#define HANJI_LEAST(size, least)                                                           \
    (HANJI_AT_MOST(HANJI_BLOCKS_MINIMUM, size), HANJI_AT_MOST(HANJI_BLOCKS_MINIMUM, size), \
     HANJI_AT_MOST(HANJI_BLOCKS_MINIMUM, size))
#else
#define HANJI_LEAST(size, least) least
#endif
#define HANJI_WHOLE_GROUPS (0, 0, 0)
#define HANJI_TIER_DECLARE(cipher, tier, blocks)                 \
    hanji_blocks_fn hanji_##cipher##_##tier##_encrypt_x##blocks; \
    hanji_blocks_fn hanji_##cipher##_##tier##_decrypt_x##blocks; \
    hanji_ctr_fn hanji_##cipher##_##tier##_ctr_x##blocks;
#define HANJI_TIER_ROWS(cipher, tier, needs, size, least)                                  \
    {.name = #cipher "_" #tier "_x" #size,                                                 \
     .features = (needs),                                                                  \
     .operation = HANJI_ENCRYPT,                                                           \
     .group = size,                                                                        \
     .align = 1,                                                                           \
     .minimum = HANJI_LEAST_ENCRYPT least,                                                 \
     .run = {.blocks = hanji_##cipher##_##tier##_encrypt_x##size}},                        \
        {.name = #cipher "_" #tier "_x" #size,                                             \
         .features = (needs),                                                              \
         .operation = HANJI_DECRYPT,                                                       \
         .group = size,                                                                    \
         .align = 1,                                                                       \
         .minimum = HANJI_LEAST_DECRYPT least,                                             \
         .run = {.blocks = hanji_##cipher##_##tier##_decrypt_x##size}},                    \
    {                                                                                      \
        .name = #cipher "_" #tier "_x" #size, .features = (needs), .operation = HANJI_CTR, \
        .group = size, .align = 1, .minimum = HANJI_LEAST_CTR least, .run = {              \
            .ctr = hanji_##cipher##_##tier##_ctr_x##size                                   \
        }                                                                                  \
    }
/*
 * Beside them, key streams of messages with their own keys, one in each lane of a vector: from
 * `least` messages on, measured likewise.
 */
#ifdef HANJI_STREAMS_MINIMUM /* for measuring this */
#define HANJI_STREAMS_LEAST(least) HANJI_STREAMS_MINIMUM
#else
#define HANJI_STREAMS_LEAST(least) (least)
#endif
#define HANJI_STREAMS_DECLARE(cipher, tier, lanes) \
    hanji_streams_fn hanji_##cipher##_##tier##_streams_x##lanes;
#define HANJI_STREAMS_ROW(cipher, tier, needs, lanes, least) \
    {.name = #cipher "_" #tier "_x" #lanes,                  \
     .features = (needs),                                    \
     .operation = HANJI_STREAMS,                             \
     .group = lanes,                                         \
     .align = 1,                                             \
     .minimum = HANJI_STREAMS_LEAST(least),                  \
     .run = {.streams = hanji_##cipher##_##tier##_streams_x##lanes}},

#define HANJI_TIER_DECLARE_3(cipher, tier, large, middle, small) \
    HANJI_TIER_DECLARE(cipher, tier, large)                      \
    HANJI_TIER_DECLARE(cipher, tier, middle)                     \
    HANJI_TIER_DECLARE(cipher, tier, small)
#define HANJI_TIER_ROWS_3(cipher, tier, needs, large, middle, small, least) \
    HANJI_TIER_ROWS(cipher, tier, needs, large, HANJI_WHOLE_GROUPS),        \
        HANJI_TIER_ROWS(cipher, tier, needs, middle, HANJI_WHOLE_GROUPS),   \
        HANJI_TIER_ROWS(cipher, tier, needs, small, HANJI_LEAST(small, least)),

/* One size more: what is left of 16 KiB after groups of 12 vectors. */
#define HANJI_TIER_DECLARE_4(cipher, tier, largest, large, middle, small) \
    HANJI_TIER_DECLARE(cipher, tier, largest)                             \
    HANJI_TIER_DECLARE_3(cipher, tier, large, middle, small)
#define HANJI_TIER_ROWS_4(cipher, tier, needs, largest, large, middle, small, least) \
    HANJI_TIER_ROWS(cipher, tier, needs, largest, HANJI_WHOLE_GROUPS),               \
        HANJI_TIER_ROWS_3(cipher, tier, needs, large, middle, small, least)

#ifdef HANJI_X86
#define HANJI_AVX2_DECLARE(cipher, large, middle, small) \
    HANJI_TIER_DECLARE_3(cipher, avx2, large, middle, small)
/* With larger groups before them. */
#define HANJI_AVX2_DECLARE_4(cipher, largest, large, middle, small) \
    HANJI_TIER_DECLARE_4(cipher, avx2, largest, large, middle, small)
#define HANJI_AVX2_ROWS_4(cipher, largest, large, middle, small, least) \
    HANJI_TIER_ROWS_4(cipher, avx2, HANJI_CPU_AVX2, largest, large, middle, small, least)
/* With groups of bit slices before them, of 256 blocks and of fewer. */
#define HANJI_AVX2_SLICED_DECLARE(cipher, sliced, large, middle, small) \
    HANJI_TIER_DECLARE(cipher, avx2, 256)                               \
    HANJI_AVX2_DECLARE_4(cipher, sliced, large, middle, small)
#define HANJI_AVX2_SLICED_ROWS(cipher, sliced, large, middle, small, least) \
    HANJI_TIER_ROWS(cipher, avx2, HANJI_CPU_AVX2, 256, HANJI_WHOLE_GROUPS), \
        HANJI_AVX2_ROWS_4(cipher, sliced, large, middle, small, least)
#define HANJI_AVX2_STREAMS_DECLARE(cipher, lanes) HANJI_STREAMS_DECLARE(cipher, avx2, lanes)
#define HANJI_AVX2_STREAMS(cipher, lanes, least) \
    HANJI_STREAMS_ROW(cipher, avx2, HANJI_CPU_AVX2, lanes, least)
#define HANJI_AVX512_DECLARE(cipher, largest, large, middle, small) \
    HANJI_TIER_DECLARE_4(cipher, avx512, largest, large, middle, small)
/* AVX-512 has whole messages instead: of one length from a whole group on, or any. */
#define HANJI_AVX512_STREAMS_DECLARE(cipher, lanes)            \
    hanji_uniform_fn hanji_##cipher##_avx512_uniform_x##lanes; \
    hanji_ragged_fn hanji_##cipher##_avx512_ragged_x##lanes;
#define HANJI_AVX512_STREAMS(cipher, lanes, least)                  \
    {.name = #cipher "_avx512_x" #lanes,                            \
     .features = HANJI_CPU_AVX512,                                  \
     .operation = HANJI_UNIFORM,                                    \
     .group = lanes,                                                \
     .align = 1,                                                    \
     .run = {.uniform = hanji_##cipher##_avx512_uniform_x##lanes}}, \
        {.name = #cipher "_avx512_x" #lanes,                        \
         .features = HANJI_CPU_AVX512,                              \
         .operation = HANJI_RAGGED,                                 \
         .group = lanes,                                            \
         .align = 1,                                                \
         .minimum = HANJI_STREAMS_LEAST(least),                     \
         .run = {.ragged = hanji_##cipher##_avx512_ragged_x##lanes}},
#define HANJI_AVX2_ROWS(cipher, large, middle, small, least) \
    HANJI_TIER_ROWS_3(cipher, avx2, HANJI_CPU_AVX2, large, middle, small, least)
#define HANJI_AVX512_ROWS(cipher, largest, large, middle, small, least) \
    HANJI_TIER_ROWS_4(cipher, avx512, HANJI_CPU_AVX512, largest, large, middle, small, least)
#else
#define HANJI_AVX2_DECLARE(cipher, large, middle, small)
#define HANJI_AVX2_DECLARE_4(cipher, largest, large, middle, small)
#define HANJI_AVX2_ROWS_4(cipher, largest, large, middle, small, least)
#define HANJI_AVX2_SLICED_DECLARE(cipher, sliced, large, middle, small)
#define HANJI_AVX2_SLICED_ROWS(cipher, sliced, large, middle, small, least)
#define HANJI_AVX2_STREAMS_DECLARE(cipher, lanes)
#define HANJI_AVX2_STREAMS(cipher, lanes, least)
#define HANJI_AVX512_DECLARE(cipher, largest, large, middle, small)
#define HANJI_AVX512_STREAMS_DECLARE(cipher, lanes)
#define HANJI_AVX512_STREAMS(cipher, lanes, least)
#define HANJI_AVX2_ROWS(cipher, large, middle, small, least)
#define HANJI_AVX512_ROWS(cipher, largest, large, middle, small, least)
#endif

#ifdef HANJI_A64
#define HANJI_NEON_DECLARE(cipher, large, middle, small) \
    HANJI_TIER_DECLARE_3(cipher, neon, large, middle, small)
#define HANJI_NEON_STREAMS_DECLARE(cipher, lanes) HANJI_STREAMS_DECLARE(cipher, neon, lanes)
#define HANJI_NEON_STREAMS(cipher, lanes) HANJI_STREAMS_ROW(cipher, neon, HANJI_CPU_NEON, lanes, 2)
/* Not measured on a processor: three blocks and two messages for all. */
#define HANJI_NEON_ROWS(cipher, large, middle, small)                     \
    HANJI_TIER_ROWS_3(cipher, neon, HANJI_CPU_NEON, large, middle, small, \
                      (HANJI_AT_MOST(3, small), HANJI_AT_MOST(3, small), HANJI_AT_MOST(3, small)))
#else
#define HANJI_NEON_DECLARE(cipher, large, middle, small)
#define HANJI_NEON_STREAMS_DECLARE(cipher, lanes)
#define HANJI_NEON_STREAMS(cipher, lanes)
#define HANJI_NEON_ROWS(cipher, large, middle, small)
#endif

/* The descriptor of a cipher and the function that gives it; `rows` is its kernel table. */
#define HANJI_CIPHER(id, printed, macro, rows)                            \
    const hanji_cipher *hanji_##id(void)                                  \
    {                                                                     \
        static const hanji_cipher cipher = {                              \
            .name = (printed),                                            \
            .block_bytes = HANJI_##macro##_BLOCK_BYTES,                   \
            .key_bytes = HANJI_##macro##_KEY_BYTES,                       \
            .word_bytes = sizeof(((hanji_##id##_ctx *)0)->round_keys[0]), \
            .limit_log2 = HANJI_LIMIT_LOG2(HANJI_##macro##_BLOCK_BYTES),  \
            .ctx_bytes = sizeof(hanji_##id##_ctx),                        \
            .expand = hanji_##id##_expand,                                \
            .kernels = (rows)};                                           \
        return &cipher;                                                   \
    }

#endif
