/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a block cipher room gives to the modes: a descriptor; and what the modes call. Modes know
 * nothing else of a cipher.
 */
#ifndef HANJI_SUPPORT_CIPHER_H
#define HANJI_SUPPORT_CIPHER_H

#include "hanji/block.h"
#include "support/kernel.h"

struct hanji_cipher {
    const char *name;
    uint8_t block_bytes;
    uint8_t key_bytes;
    uint8_t word_bytes; /* of what a lane of a kernel holds */
    uint8_t limit_log2; /* blocks per key */
    uint16_t ctx_bytes;
    void (*expand)(void *round_keys, const uint8_t *key); /* the canonical key schedule */
    const hanji_kernel *kernels;
};

/*
 * Groups of the portable kernels over many blocks; freestanding builds, for processors without
 * vectors, do without them.
 */
#ifdef HANJI_FREESTANDING
#define HANJI_PORTABLE_GROUPS 0
#else
#define HANJI_PORTABLE_GROUPS 1
#endif

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

/* Encrypt or decrypt blocks of a keyed context; arguments are already checked. */
void hanji_block_run(hanji_operation operation, uint8_t *out, const uint8_t *in, size_t blocks,
                     const hanji_block_ctx *ctx);
/* The same for whole blocks of key stream. */
void hanji_block_run_ctr(uint8_t *out, const uint8_t *in, size_t blocks, uint8_t *counter,
                         const hanji_block_ctx *ctx);
/*
 * The kernel and the keys for one block after the other, where each waits for the one before, in
 * memory that is aligned to 8 bytes: NULL where the cipher's kernels take more than one block.
 */
hanji_blocks_fn *hanji_block_single(const void **keys, const hanji_block_ctx *ctx);
/* How many blocks the limit of the key still allows. */
uint64_t hanji_block_room(const hanji_block_ctx *ctx);
/* Reserve blocks of the key's limit: HANJI_OK, or HANJI_E_LIMIT and nothing reserved. */
int hanji_block_reserve(uint64_t blocks, hanji_block_ctx *ctx);

/*
 * bytes / block_bytes and bytes % block_bytes for the five block sizes, without a division
 * instruction or libgcc where there is none.
 */
size_t hanji_whole_blocks(size_t bytes, size_t block_bytes);
/* blocks * block_bytes likewise. */
size_t hanji_blocks_to_bytes(size_t blocks, size_t block_bytes);

#endif
