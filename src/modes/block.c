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

#ifdef HANJI_FREESTANDING
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
#endif

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

/*
 * Group by group through an aligned buffer, which must not lie in the frame of the caller: below
 * that other kernels run, and what wipes behind them would not reach theirs.
 */
static HANJI_NOINLINE void call_copying(const hanji_kernel *row, uint8_t *out, const uint8_t *in,
                                        size_t groups, size_t group_bytes, uint8_t *counter,
                                        const void *keys)
{
    uint64_t buffer[HANJI_GROUP_BYTES_MAX / 8 + 7]; /* room to align to 64 bytes */
    uint8_t *aligned = (uint8_t *)buffer + (-(uintptr_t)buffer & 56);
    for (; groups > 0; groups--, in += group_bytes, out += group_bytes) {
        memcpy(aligned, in, group_bytes);
        call(row, aligned, aligned, 1, counter, keys);
        memcpy(out, aligned, group_bytes);
    }
    hanji_wipe_stack(); /* the frame of the kernel lies too deep for the caller */
    hanji_wipe(buffer, sizeof buffer);
}

#if HANJI_PORTABLE_GROUPS
/*
 * Part of a group is in the frame of its caller, where a call costs as much as the group; its
 * buffer is cleared by whole vectors.
 */
#define CALL_PART HANJI_INLINE
static inline void clear(uint8_t *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += 32)
        wipe_here(p + i, 32);
}

/* out = in ^ stream, by as long words as there are. */
static inline void xor_text(uint8_t *out, const uint8_t *in, const uint8_t *stream, size_t bytes)
{
    for (; bytes >= 16; bytes -= 16, out += 16, in += 16, stream += 16) {
        uint64_t a[2], b[2];
        memcpy(a, in, 16);
        memcpy(b, stream, 16);
        a[0] ^= b[0];
        a[1] ^= b[1];
        memcpy(out, a, 16);
    }
    if (bytes >= 8) {
        store_le64(out, load_le64(in) ^ load_le64(stream));
        bytes -= 8, out += 8, in += 8, stream += 8;
    }
    xor_bytes(out, in, stream, bytes);
}
/* In one piece where processors read it in one: what they have just written they want so. */
static inline void copy_block(uint8_t *to, const uint8_t *from, size_t block_bytes)
{
    if (block_bytes == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, HANJI_BLOCK_BYTES_MAX);
}
/* Key stream in general registers: what is left in those of vectors stays there for long. */
static inline void copy_stream(uint8_t *to, const uint8_t *from, size_t block_bytes)
{
    for (size_t i = 0; i < block_bytes; i += 8) { /* of a buffer, into the room of the largest */
        uint64_t word;
        memcpy(&word, from + i, 8);
        __asm__ __volatile__("" : "+r"(word));
        memcpy(to + i, &word, 8);
    }
}
#else
#define copy_stream memcpy
#define copy_block memcpy
#define CALL_PART static HANJI_NOINLINE
#define clear hanji_wipe
#define xor_text xor_bytes
#endif

/*
 * Part of a group, through a buffer for a whole one. In counter mode the last block may be part of
 * one: its key stream goes to `keystream`.
 */
CALL_PART void call_part(const hanji_kernel *row, uint8_t *out, const uint8_t *in, size_t blocks,
                         size_t bytes, size_t block_bytes, uint8_t *counter, uint8_t *keystream,
                         const void *keys)
{
    uint64_t buffer[HANJI_GROUP_BYTES_MAX / 8 + 7];
    uint8_t *aligned = (uint8_t *)buffer + (-(uintptr_t)buffer & 56);
    const size_t group_bytes = hanji_blocks_to_bytes(row->group, block_bytes);
    if (counter != NULL) {
        uint8_t counted[HANJI_BLOCK_BYTES_MAX]; /* the kernel counts a whole group */
        copy_block(counted, counter, block_bytes);
        counter_advance(counter, block_bytes, blocks);
        clear(aligned, group_bytes);
        row->run.ctr(aligned, aligned, 1, counted, keys);
        xor_text(out, in, aligned, bytes);
        const size_t all = hanji_blocks_to_bytes(blocks, block_bytes);
        if (bytes < all)
            copy_stream(keystream, aligned + (all - block_bytes), block_bytes);
        wipe_here(counted, sizeof counted);
    } else {
        memcpy(aligned, in, bytes);
        memset(aligned + bytes, 0, group_bytes - bytes);
        row->run.blocks(aligned, aligned, 1, keys);
        memcpy(out, aligned, bytes);
    }
#if !HANJI_PORTABLE_GROUPS
    if (row->align > 1)
        hanji_wipe_stack(); /* the frame of the kernel lies too deep for the caller */
#endif
    clear(aligned, group_bytes);
}

/* The first row at or after `row` for as many blocks; NULL for none. */
static const hanji_kernel *next_row(const hanji_kernel *row, hanji_operation operation,
                                    size_t blocks, uint32_t features, const hanji_block_ctx *ctx)
{
#if HANJI_ROWS_IN_THREES
    /* The last three take one block. */
    if (ctx->cipher->in_threes) {
        while (blocks < (row->minimum != 0 ? row->minimum : row->group) ||
               (row->features & ~features) != 0)
            row += 3;
        return row;
    }
#endif
    return hanji_kernel_next(row, operation, blocks, features, ctx->layout);
}

/*
 * Kernels of many blocks have more state than there are registers, and key stream must not stay.
 * CMAC, block by block, is spared the cost. Who calls run() or run_few() wipes: what lies below its
 * own frame are theirs and those of the kernels.
 */

/* Part of a pair on Armv7-M goes block by block: that spares the stack of a buffer. */
#ifdef HANJI_ARMV7M
#define IS_PAIR(row) ((row)->group == 2)
#else
#define IS_PAIR(row) 0
#endif

/*
 * `bytes` bytes, in counter mode any, else whole blocks; the block that the last of them is a part
 * of leaves its key stream in `keystream`. Returns whether a kernel of many blocks has run.
 */
static HANJI_NOINLINE int run(hanji_operation operation, uint8_t *out, const uint8_t *in,
                              size_t bytes, uint8_t *counter, uint8_t *keystream,
                              const hanji_block_ctx *ctx)
{
    const hanji_cipher *cipher = ctx->cipher;
    const size_t block_bytes = cipher->block_bytes;
    const uint32_t features = hanji_features();
    const hanji_kernel *row = cipher->kernels;
    size_t whole = hanji_whole_blocks(bytes, block_bytes);
    int grouped = 0; /* a kernel of many blocks has run */
#if HANJI_ROWS_IN_THREES
    if (cipher->in_threes)
        row += operation;
#endif
    while (bytes > 0) {
        const size_t blocks = whole + (bytes != hanji_blocks_to_bytes(whole, block_bytes));
        row = next_row(row, operation, blocks, features, ctx);
        if (row == NULL || row->group == 0)
            break; /* no table is like this: its last row takes one block */
        const size_t group_bytes = hanji_blocks_to_bytes(row->group, block_bytes);
        if (whole < row->group && (group_bytes > HANJI_GROUP_BYTES_MAX || IS_PAIR(row))) {
            row = next_row(row, operation, whole, features, ctx); /* a part is not for this one */
            continue;
        }
        if (row->group > 1)
            grouped = 1;
        const void *keys = keys_of(row, ctx);
#if !HANJI_PORTABLE_GROUPS
        /* Part of one block, which has a place in the context: no buffer for a group. */
        if (counter != NULL && whole == 0 && row->group == 1 && !misaligned(row, keystream)) {
            memset(keystream, 0, block_bytes);
            row->run.ctr(keystream, keystream, 1, counter, keys);
            xor_bytes(out, in, keystream, bytes);
            break;
        }
#endif
        if (whole < row->group) {
            call_part(row, out, in, blocks, bytes, block_bytes, counter, keystream, keys);
            break;
        }
        const size_t groups =
                         whole < 2 * (size_t)row->group ? 1 : hanji_quotient(whole, row->group),
                     part = hanji_blocks_to_bytes(hanji_times(groups, row->group), block_bytes);
        if (misaligned(row, in) || misaligned(row, out))
            call_copying(row, out, in, groups, group_bytes, counter, keys);
        else
            call(row, out, in, groups, counter, keys);
        in += part;
        out += part;
        bytes -= part; /* the rest may be part of a group of the same row */
        whole -= hanji_times(groups, row->group);
    }
    return grouped;
}

void hanji_block_run(hanji_operation operation, uint8_t *out, const uint8_t *in, size_t blocks,
                     const hanji_block_ctx *ctx)
{
#if HANJI_ROWS_IN_THREES
    /* One block, without the buffer of a part: what wipes behind CMAC reaches below its frame. */
    if (blocks == 1 && ctx->cipher->in_threes) {
        const hanji_kernel *row =
            next_row(ctx->cipher->kernels + operation, operation, 1, hanji_features(), ctx);
        if (row->group == 1) {
            row->run.blocks(out, in, 1, const_round_keys(ctx));
            return;
        }
    }
#endif
    if (run(operation, out, in, hanji_blocks_to_bytes(blocks, ctx->cipher->block_bytes), NULL, NULL,
            ctx))
        hanji_wipe_stack();
}

#if HANJI_ROWS_IN_THREES
/* No more bytes than a buffer has, where they are part of one group: the way of short messages. */
static HANJI_NOINLINE int run_few(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                                  uint8_t *keystream, const hanji_block_ctx *ctx)
{
    const hanji_cipher *cipher = ctx->cipher;
    const size_t block_bytes = cipher->block_bytes,
                 blocks = hanji_whole_blocks(bytes + block_bytes - 1, block_bytes);
    const hanji_kernel *row =
        next_row(cipher->kernels + HANJI_CTR, HANJI_CTR, blocks, hanji_features(), ctx);
    const size_t group_bytes = hanji_blocks_to_bytes(row->group, block_bytes);
    const int single = row->group == 1 && bytes == hanji_blocks_to_bytes(blocks, block_bytes);
    if ((bytes > group_bytes && !single) || group_bytes > HANJI_GROUP_BYTES_MAX)
        return 0;
    if (single || bytes == group_bytes)
        row->run.ctr(out, in, single ? blocks : 1, counter, const_round_keys(ctx));
    else
        call_part(row, out, in, blocks, bytes, block_bytes, counter, keystream,
                  const_round_keys(ctx));
    return 1;
}
#endif

/* What is not short, or for no kernel of short texts. */
static HANJI_NOINLINE void run_ctr(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                                   uint8_t *keystream, const hanji_block_ctx *ctx)
{
#if HANJI_ROWS_IN_THREES
    if (ctx->cipher->in_threes && bytes <= HANJI_GROUP_BYTES_MAX &&
        run_few(out, in, bytes, counter, keystream, ctx)) {
        hanji_wipe_stack();
        return;
    }
#endif
    (void)run(HANJI_CTR, out, in, bytes, counter, keystream, ctx);
    hanji_wipe_stack();
}

void hanji_block_run_ctr(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                         uint8_t *keystream, const hanji_block_ctx *ctx)
{
#if HANJI_ROWS_IN_THREES || defined(HANJI_X86) || defined(HANJI_A64)
    const uint32_t features = hanji_features();
#endif
#if HANJI_ROWS_IN_THREES
    if (bytes <= ctx->cipher->few_bytes && (features & ctx->cipher->few_unless) == 0) {
        ctx->cipher->few(out, in, bytes, counter, keystream, const_round_keys(ctx));
        return;
    }
#endif
#if defined(HANJI_X86) || defined(HANJI_A64)
    const hanji_kernel *row = hanji_cipher_short(ctx->cipher, bytes, features);
    if (row != NULL) {
        row->run.brief(out, in, bytes, counter, keystream, const_round_keys(ctx));
        return;
    }
#endif
    run_ctr(out, in, bytes, counter, keystream, ctx);
}

hanji_blocks_fn *hanji_block_single(const void **keys, const hanji_block_ctx *ctx)
{
    const hanji_kernel *row =
        next_row(ctx->cipher->kernels, HANJI_ENCRYPT, 1, hanji_features(), ctx);
    if (row == NULL || row->group != 1 || row->align > 8)
        return NULL;
    *keys = keys_of(row, ctx);
    return row->run.blocks;
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

#ifdef HANJI_FREESTANDING
#define limit_of hanji_cipher_limit
#define selected hanji_selection
#else
/* In place: short messages take both. */
static inline uint64_t limit_of(const hanji_cipher *cipher)
{
    return (uint64_t)1 << cipher->limit_log2;
}
static inline int selected(void)
{
    return (hanji_features() & HANJI_CPU_REFUSED) != 0 ? HANJI_E_UNSUPPORTED : HANJI_OK;
}
#endif

uint64_t hanji_cipher_limit(const hanji_cipher *cipher)
{
    if (cipher == NULL)
        return 0;
#ifdef HANJI_FREESTANDING /* without shifts of 64-bit words, which small processors lack */
    uint64_t limit = 1;
    for (unsigned i = 0; i < cipher->limit_log2; i++)
        limit += limit;
    return limit;
#else
    return limit_of(cipher);
#endif
}

/*
 * A key in a context of this cipher; arguments are already checked. The key may lie inside the
 * context's memory: expand reads it before it writes round keys, and the head is written last.
 */
HANJI_INLINE void put_key(const uint8_t *key, const hanji_cipher *cipher, hanji_block_ctx *ctx)
{
    cipher->expand(round_keys(ctx), key);
    ctx->cipher = cipher;
    ctx->blocks_used = 0;
    ctx->blocks_limit = limit_of(cipher);
    ctx->layout = HANJI_LAYOUT_CANONICAL;
    ctx->mark = HANJI_KEYED;
#if HANJI_KEY_AREA_BYTES
    /* The best usable layout that fits the key area. */
    const uint32_t features = hanji_features();
    for (const hanji_kernel *row = cipher->kernels;
         (row = hanji_kernel_next(row, HANJI_EXPAND, SIZE_MAX, features, 0)) != NULL; row++)
        if (row->area_bytes <= HANJI_KEY_AREA_BYTES) {
            row->run.expand((uint8_t *)ctx + area_offset(cipher), round_keys(ctx));
            ctx->layout = row->layout;
            break;
        }
#endif
}

#if HANJI_GROUP_MESSAGES_MAX > 1
void hanji_block_rekey(const uint8_t *key, const hanji_cipher *cipher, hanji_block_ctx *ctx)
{
    put_key(key, cipher, ctx);
}
#endif

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
        rc = selected();
    if (rc != HANJI_OK) {
        hanji_wipe(ctx, cipher->ctx_bytes);
        return rc;
    }
    put_key(key, cipher, ctx);
    hanji_wipe_stack_least();
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
        (void)run(operation, out, in, hanji_blocks_to_bytes(blocks, ctx->cipher->block_bytes), NULL,
                  NULL, ctx);
        hanji_wipe_stack();
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
