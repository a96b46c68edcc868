/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keyed block ciphers over arrays of blocks: checks, data limits, and the split of a call over the
 * rows of the room's kernel table.
 */
#include "hanji/block.h"

#include "support/arith.h"
#include "support/bytes.h"
#include "support/cipher.h"
#include "support/cpu.h"
#include "support/secret.h"

/* Round keys follow the head in every context type; the key area follows them. */
static void *round_keys(hanji_block_ctx *ctx)
{
    return ctx + 1;
}

static const void *const_round_keys(const hanji_block_ctx *ctx)
{
    return ctx + 1;
}

static size_t area_offset(const hanji_cipher *cipher)
{
    return (size_t)cipher->ctx_bytes - (HANJI_KEY_AREA_BYTES + 7) / 8 * 8;
}

static const void *keys_of(const hanji_kernel *row, const hanji_block_ctx *ctx)
{
    return row->layout == HANJI_LAYOUT_CANONICAL ? const_round_keys(ctx)
                                                 : (const uint8_t *)ctx + area_offset(ctx->cipher);
}

size_t hanji_whole_blocks(size_t bytes, size_t block_bytes)
{
    switch (block_bytes) {
    case 4: return bytes >> 2;
    case 8: return bytes >> 3;
    case 16: return bytes >> 4;
    case 6: return hanji_quotient(bytes >> 1, 3);
    default: return hanji_quotient(bytes >> 2, 3);
    }
}

size_t hanji_blocks_to_bytes(size_t blocks, size_t block_bytes)
{
    switch (block_bytes) {
    case 4: return blocks << 2;
    case 6: return (blocks << 1) + (blocks << 2);
    case 8: return blocks << 3;
    case 12: return (blocks << 2) + (blocks << 3);
    default: return blocks << 4;
    }
}

static int misaligned(const hanji_kernel *row, const void *p)
{
    return ((uintptr_t)p & (uintptr_t)(row->align - 1)) != 0;
}

/* With a counter: counter mode. */
static void call(const hanji_kernel *row, uint8_t *out, const uint8_t *in, size_t groups,
                 uint8_t *counter, const void *keys)
{
    if (counter != NULL)
        row->run.ctr(out, in, groups, counter, keys);
    else
        row->run.blocks(out, in, groups, keys);
}

/* The frame of a kernel that was called through a buffer lies too deep for its caller's caller. */
static void wipe_below(const hanji_kernel *row)
{
    if (row->align > 1)
        hanji_wipe_stack();
}

/* Group by group through an aligned buffer. */
static void call_copying(const hanji_kernel *row, uint8_t *out, const uint8_t *in, size_t groups,
                         size_t group_bytes, uint8_t *counter, const void *keys)
{
    uint64_t buffer[HANJI_GROUP_BYTES_MAX / 8 + 7]; /* room to align to 64 bytes */
    uint8_t *aligned = (uint8_t *)buffer + (-(uintptr_t)buffer & 56);
    for (; groups > 0; groups--, in += group_bytes, out += group_bytes) {
        memcpy(aligned, in, group_bytes);
        call(row, aligned, aligned, 1, counter, keys);
        memcpy(out, aligned, group_bytes);
    }
    wipe_below(row);
    hanji_wipe(buffer, sizeof buffer);
}

/* Part of a group, through a buffer for a whole one. */
static void call_part(const hanji_kernel *row, uint8_t *out, const uint8_t *in, size_t blocks,
                      size_t block_bytes, uint8_t *counter, const void *keys)
{
    uint64_t buffer[HANJI_GROUP_BYTES_MAX / 8 + 7];
    uint8_t *aligned = (uint8_t *)buffer + (-(uintptr_t)buffer & 56);
    const size_t bytes = hanji_blocks_to_bytes(blocks, block_bytes),
                 group_bytes = hanji_blocks_to_bytes(row->group, block_bytes);
    memcpy(aligned, in, bytes);
    memset(aligned + bytes, 0, group_bytes - bytes);
    if (counter != NULL) {
        /* The kernel counts a whole group. */
        uint8_t counted[HANJI_BLOCK_BYTES_MAX];
        memcpy(counted, counter, block_bytes);
        counter_advance(counter, block_bytes, blocks);
        call(row, aligned, aligned, 1, counted, keys);
        hanji_wipe(counted, sizeof counted);
    } else {
        call(row, aligned, aligned, 1, NULL, keys);
    }
    memcpy(out, aligned, bytes);
    wipe_below(row);
    hanji_wipe(aligned, group_bytes);
}

/* Returns the widest group that ran. */
static HANJI_NOINLINE size_t run(hanji_operation operation, uint8_t *out, const uint8_t *in,
                                 size_t blocks, uint8_t *counter, const hanji_block_ctx *ctx)
{
    const hanji_cipher *cipher = ctx->cipher;
    const size_t block_bytes = cipher->block_bytes;
    const uint32_t features = hanji_cpu_features();
    const hanji_kernel *row = cipher->kernels;
    size_t widest = 1;
    while (blocks > 0) {
        row = hanji_kernel_next(row, operation, blocks, features, ctx->layout);
        if (row == NULL)
            break; /* no table is like this: its last row takes one block */
        if (row->group > widest)
            widest = row->group;
        const void *keys = keys_of(row, ctx);
        if (blocks < row->group) {
            call_part(row, out, in, blocks, block_bytes, counter, keys);
            break;
        }
        const size_t groups = hanji_quotient(blocks, row->group),
                     part = hanji_times(groups, row->group);
        const size_t bytes = hanji_blocks_to_bytes(part, block_bytes);
        if (misaligned(row, in) || misaligned(row, out))
            call_copying(row, out, in, groups, hanji_blocks_to_bytes(row->group, block_bytes),
                         counter, keys);
        else
            call(row, out, in, groups, counter, keys);
        in += bytes;
        out += bytes;
        blocks -= part; /* the rest may be part of a group of the same row */
    }
    return widest;
}

/*
 * Kernels of many blocks have more state than there are registers, and key stream must not stay.
 * CMAC, block by block, is spared the cost.
 */
void hanji_block_run(hanji_operation operation, uint8_t *out, const uint8_t *in, size_t blocks,
                     const hanji_block_ctx *ctx)
{
    if (run(operation, out, in, blocks, NULL, ctx) > 1)
        hanji_wipe_stack();
}

void hanji_block_run_ctr(uint8_t *out, const uint8_t *in, size_t blocks, uint8_t *counter,
                         const hanji_block_ctx *ctx)
{
    (void)run(HANJI_CTR, out, in, blocks, counter, ctx);
    hanji_wipe_stack();
}

hanji_blocks_fn *hanji_block_single(const void **keys, const hanji_block_ctx *ctx)
{
    const hanji_kernel *row = hanji_kernel_next(ctx->cipher->kernels, HANJI_ENCRYPT, 1,
                                                hanji_cpu_features(), ctx->layout);
    if (row == NULL || row->group != 1 || row->align > 8)
        return NULL;
    *keys = keys_of(row, ctx);
    return row->run.blocks;
}

uint64_t hanji_block_room(const hanji_block_ctx *ctx)
{
    return ctx->blocks_limit > ctx->blocks_used ? ctx->blocks_limit - ctx->blocks_used : 0;
}

int hanji_block_reserve(uint64_t blocks, hanji_block_ctx *ctx)
{
    if (blocks > hanji_block_room(ctx))
        return HANJI_E_LIMIT;
    ctx->blocks_used += blocks;
    return HANJI_OK;
}

const char *hanji_cipher_name(const hanji_cipher *cipher)
{
    return cipher != NULL ? cipher->name : NULL;
}

size_t hanji_cipher_block_bytes(const hanji_cipher *cipher)
{
    return cipher != NULL ? cipher->block_bytes : 0;
}

size_t hanji_cipher_key_bytes(const hanji_cipher *cipher)
{
    return cipher != NULL ? cipher->key_bytes : 0;
}

size_t hanji_cipher_ctx_bytes(const hanji_cipher *cipher)
{
    return cipher != NULL ? cipher->ctx_bytes : 0;
}

uint64_t hanji_cipher_limit(const hanji_cipher *cipher)
{
    if (cipher == NULL)
        return 0;
    uint64_t limit = 1;
    for (unsigned i = 0; i < cipher->limit_log2; i++)
        limit += limit;
    return limit;
}

int hanji_block_init(const uint8_t *key, size_t key_bytes, const hanji_cipher *cipher,
                     hanji_block_ctx *ctx, size_t ctx_bytes)
{
    if (cipher == NULL || ctx == NULL)
        return HANJI_E_ARGUMENT;
    if (ctx_bytes < cipher->ctx_bytes)
        return HANJI_E_LENGTH;
    int rc = HANJI_OK;
    if (key == NULL)
        rc = HANJI_E_ARGUMENT;
    else if (key_bytes != cipher->key_bytes)
        rc = HANJI_E_LENGTH;
    else
        rc = hanji_selection();
    if (rc != HANJI_OK) {
        hanji_wipe(ctx, cipher->ctx_bytes);
        return rc;
    }
    /*
     * The key may lie inside the context's memory: expand reads it before it writes round keys, and
     * the head is written last.
     */
    cipher->expand(round_keys(ctx), key);
    hanji_wipe_stack_shallow();
    ctx->cipher = cipher;
    ctx->blocks_used = 0;
    ctx->blocks_limit = hanji_cipher_limit(cipher);
    ctx->layout = HANJI_LAYOUT_CANONICAL;
    ctx->mark = HANJI_KEYED;
    /* The best usable layout that fits the key area. */
    const uint32_t features = hanji_cpu_features();
    for (const hanji_kernel *row = cipher->kernels;
         (row = hanji_kernel_next(row, HANJI_EXPAND, SIZE_MAX, features, 0)) != NULL; row++)
        if (row->area_bytes <= HANJI_KEY_AREA_BYTES) {
            row->run.expand((uint8_t *)ctx + area_offset(cipher), round_keys(ctx));
            ctx->layout = row->layout;
            break;
        }
    return HANJI_OK;
}

static int check_blocks(const uint8_t *out, const uint8_t *in, size_t blocks,
                        const hanji_block_ctx *ctx)
{
    if (!hanji_block_keyed(ctx))
        return HANJI_E_ARGUMENT;
    if (blocks > SIZE_MAX / HANJI_BLOCK_BYTES_MAX)
        return HANJI_E_LENGTH;
    const size_t bytes = hanji_blocks_to_bytes(blocks, ctx->cipher->block_bytes);
    if ((blocks > 0 && (out == NULL || in == NULL)) || overlap_partly(out, bytes, in, bytes) ||
        overlap(out, bytes, ctx, ctx->cipher->ctx_bytes))
        return HANJI_E_ARGUMENT;
    return HANJI_OK;
}

/* One block by one, too, leaves words of it in the frames of its kernel. */
static int run_checked(hanji_operation operation, uint8_t *out, const uint8_t *in, size_t blocks,
                       const hanji_block_ctx *ctx)
{
    const int rc = check_blocks(out, in, blocks, ctx);
    if (rc == HANJI_OK && blocks > 0) {
        if (run(operation, out, in, blocks, NULL, ctx) > 1)
            hanji_wipe_stack();
        else
            hanji_wipe_stack_shallow();
    }
    return rc;
}

int hanji_block_encrypt(uint8_t *out, const uint8_t *in, size_t blocks, const hanji_block_ctx *ctx)
{
    return run_checked(HANJI_ENCRYPT, out, in, blocks, ctx);
}

int hanji_block_decrypt(uint8_t *out, const uint8_t *in, size_t blocks, const hanji_block_ctx *ctx)
{
    return run_checked(HANJI_DECRYPT, out, in, blocks, ctx);
}

int hanji_block_set_limit(uint64_t blocks, hanji_block_ctx *ctx)
{
    if (!hanji_block_keyed(ctx))
        return HANJI_E_ARGUMENT;
    ctx->blocks_limit = blocks;
    return HANJI_OK;
}

uint64_t hanji_block_remaining(const hanji_block_ctx *ctx)
{
    return hanji_block_keyed(ctx) ? hanji_block_room(ctx) : 0;
}

void hanji_block_wipe(hanji_block_ctx *ctx)
{
    if (ctx != NULL)
        hanji_wipe(ctx, hanji_block_keyed(ctx) ? ctx->cipher->ctx_bytes : sizeof *ctx);
}
