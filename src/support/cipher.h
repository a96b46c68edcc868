/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a block cipher room gives to the modes: a descriptor; and what the modes call. Modes know
 * nothing else of a cipher.
 */
#ifndef HANJI_SUPPORT_CIPHER_H
#define HANJI_SUPPORT_CIPHER_H

#include "hanji/block.h"
#include "support/bytes.h"
#include "support/kernel.h"

/*
 * Groups of the portable kernels over many blocks; freestanding builds, for processors without
 * vectors, do without them.
 */
#ifdef HANJI_FREESTANDING
#define HANJI_PORTABLE_GROUPS 0
#else
#define HANJI_PORTABLE_GROUPS 1
#endif

/* The rows of groups are together, in threes: nothing stands before or between them. */
#if HANJI_PORTABLE_GROUPS && !defined(HANJI_RV32) && !defined(HANJI_ARMV6M) && \
    !defined(HANJI_ARMV7M) && !defined(HANJI_AVR)
#define HANJI_ROWS_IN_THREES 1
#else
#define HANJI_ROWS_IN_THREES 0
#endif

struct hanji_cipher {
    const char *name;
    uint8_t block_bytes;
    uint8_t key_bytes;
    uint8_t word_bytes; /* of what a lane of a kernel holds */
    uint8_t limit_log2; /* blocks per key */
    uint8_t in_threes;  /* rows before all others: (encrypt, decrypt, CTR) of each group */
    uint16_t ctx_bytes;
    void (*expand)(void *round_keys, const uint8_t *key); /* the canonical key schedule */
    const hanji_kernel *kernels;
#if HANJI_ROWS_IN_THREES
    hanji_cbc_mac_fn *cbc_mac; /* of one message, with canonical keys; NULL: block by block */
    /*
     * CTR of up to so many bytes, or 0, in general registers, with canonical keys, unless the
     * processor has one of these features
     */
    hanji_short_fn *few;
    hanji_once_fn *once; /* the same with the key schedule, of up to once_bytes bytes; or NULL */
    uint32_t few_unless;
    uint8_t few_bytes, once_bytes;
#endif
#if defined(HANJI_X86) || defined(HANJI_A64)
    const hanji_kernel *shorts; /* rows for short texts; NULL, or others, where there are none */
#endif
};

#ifdef HANJI_X86
/* So many rows before those for short texts are for one text with its key, or others. */
#define HANJI_ONCE_ROWS 2
#endif

#if defined(HANJI_X86) || defined(HANJI_A64)
/* From `row` on the first of the operation that takes so few blocks, or the end of those. */
static inline const hanji_kernel *hanji_cipher_row(const hanji_kernel *row,
                                                   hanji_operation operation, size_t blocks,
                                                   uint32_t features)
{
    while (row->operation == operation &&
           ((row->features & ~features) != 0 || blocks < row->minimum))
        row++;
    return row;
}

/* The row for texts of up to HANJI_GROUP_BYTES_MAX bytes, or NULL. */
static inline __attribute__((unused)) const hanji_kernel *
hanji_cipher_short(const hanji_cipher *cipher, size_t bytes, uint32_t features)
{
    if (cipher->shorts == NULL || bytes > HANJI_GROUP_BYTES_MAX)
        return NULL;
    const hanji_kernel *row = hanji_cipher_row(cipher->shorts, HANJI_SHORT, 1, features);
    return row->operation == HANJI_SHORT ? row : NULL;
}
#endif
#ifdef HANJI_X86
/* The row for one text with its key, or NULL; block sizes are 8 and 16. */
HANJI_INLINE hanji_once_fn *hanji_cipher_once(const hanji_cipher *cipher, size_t bytes,
                                              uint32_t features)
{
    if (cipher->shorts == NULL)
        return NULL;
    const size_t blocks = cipher->block_bytes == 8 ? (bytes + 7) / 8 : (bytes + 15) / 16;
    const hanji_kernel *row =
        hanji_cipher_row(cipher->shorts - HANJI_ONCE_ROWS, HANJI_ONCE, blocks, features);
    return row->operation == HANJI_ONCE && blocks <= row->group ? row->run.once : NULL;
}
#endif

#if HANJI_ROWS_IN_THREES
/* What takes a text of this length from its key, or NULL; nothing is left on the stack. */
HANJI_INLINE hanji_once_fn *hanji_cipher_text(const hanji_cipher *cipher, size_t bytes,
                                              uint32_t features)
{
    hanji_once_fn *once = NULL;
#ifdef HANJI_X86
    if (bytes > cipher->few_bytes)
        once = hanji_cipher_once(cipher, bytes, features);
#endif
    if (once == NULL && bytes <= cipher->once_bytes && (features & cipher->few_unless) == 0)
        once = cipher->once;
    return once;
}
#endif

/* The rows from where on those for messages in lanes stand. */
static inline const hanji_kernel *hanji_cipher_lanes(const hanji_cipher *cipher)
{
    const hanji_kernel *row = cipher->kernels;
    /* the end of the table has no name, and an operation of zero */
    while (cipher->in_threes && row->name != NULL && row->operation == HANJI_ENCRYPT)
        row += 3;
    return row;
}

/*
 * The default data limit by block size (specification of the modes: birthday bounds; SP 800-67 for
 * 64-bit blocks).
 */
#define HANJI_LIMIT_LOG2(block_bytes) \
    ((block_bytes) == 4    ? 6        \
     : (block_bytes) == 6  ? 14       \
     : (block_bytes) == 8  ? 20       \
     : (block_bytes) == 12 ? 38       \
                           : 48)

/*
 * What hanji_block_init() leaves in a context: one that was never given a key, zeros or not, is
 * refused.
 */
#define HANJI_KEYED 0x6b657965u

/* A context with a key. */
static inline int hanji_block_keyed(const hanji_block_ctx *ctx)
{
    return ctx != NULL && ctx->mark == HANJI_KEYED && ctx->cipher != NULL;
}

#if HANJI_GROUP_MESSAGES_MAX > 1
/*
 * Key a context as hanji_block_init() does, without its checks; the caller erases the stack that
 * the key schedule used.
 */
void hanji_block_rekey(const uint8_t *key, const hanji_cipher *cipher, hanji_block_ctx *ctx);
#endif
/* Encrypt or decrypt blocks of a keyed context; arguments are already checked. */
void hanji_block_run(hanji_operation operation, uint8_t *out, const uint8_t *in, size_t blocks,
                     const hanji_block_ctx *ctx);
/*
 * The same with key stream, for any bytes: that of the block which the last byte is a part of is
 * left in `keystream`.
 */
void hanji_block_run_ctr(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                         uint8_t *keystream, const hanji_block_ctx *ctx);
/*
 * The kernel and the keys for one block after the other, where each waits for the one before, in
 * memory that is aligned to 8 bytes: NULL where the cipher's kernels take more than one block.
 */
hanji_blocks_fn *hanji_block_single(const void **keys, const hanji_block_ctx *ctx);
/* How many blocks the limit of the key still allows. */
static inline __attribute__((unused)) uint64_t hanji_block_room(const hanji_block_ctx *ctx)
{
    return ctx->blocks_limit > ctx->blocks_used ? ctx->blocks_limit - ctx->blocks_used : 0;
}
/* Reserve blocks of the key's limit: HANJI_OK, or HANJI_E_LIMIT and nothing reserved. */
static inline __attribute__((unused)) int hanji_block_reserve(uint64_t blocks, hanji_block_ctx *ctx)
{
    if (blocks > hanji_block_room(ctx))
        return HANJI_E_LIMIT;
    ctx->blocks_used += blocks;
    return HANJI_OK;
}

/*
 * bytes / block_bytes and bytes % block_bytes for the five block sizes, without a division
 * instruction or libgcc where there is none.
 */
#ifdef HANJI_FREESTANDING
size_t hanji_whole_blocks(size_t bytes, size_t block_bytes);
/* blocks * block_bytes likewise. */
size_t hanji_blocks_to_bytes(size_t blocks, size_t block_bytes);
#else
static inline size_t hanji_whole_blocks(size_t bytes, size_t block_bytes)
{
    /* Processors that divide take tens of cycles: constants become products. */
    switch (block_bytes) {
    case 8: return bytes >> 3;
    case 16: return bytes >> 4;
    case 4: return bytes >> 2;
    case 6: return (bytes >> 1) / 3;
    default: return (bytes >> 2) / 3;
    }
}
static inline size_t hanji_blocks_to_bytes(size_t blocks, size_t block_bytes)
{
    return blocks * block_bytes;
}
#endif

#endif
