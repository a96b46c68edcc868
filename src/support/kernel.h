/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The contract between a room of the house and its kernels.
 *
 * A kernel is a function over whole groups of blocks, states or messages. It branches on no secret
 * and uses none as an address, keeps the ABI, and may be called in place (out == in). A room lists
 * its kernels best first in one constant table; the last row of every operation is portable and
 * takes groups of one, so a call of any length is split over the rows.
 */
#ifndef HANJI_SUPPORT_KERNEL_H
#define HANJI_SUPPORT_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#include "support/cpu.h"

/* X(operation, its name in listings). */
#define HANJI_OPERATIONS(X)       \
    X(HANJI_ENCRYPT, "encrypt")   \
    X(HANJI_DECRYPT, "decrypt")   \
    X(HANJI_CTR, "ctr")           \
    X(HANJI_EXPAND, "expand")     \
    X(HANJI_PERMUTE, "permute")   \
    X(HANJI_FLEET, "fleet")       \
    X(HANJI_KECCAK, "permute")    \
    X(HANJI_PREPARE, "prepare")   \
    X(HANJI_APPLY, "apply")       \
    X(HANJI_PRODUCTS, "products") \
    X(HANJI_POWER, "power")       \
    X(HANJI_STREAMS, "streams")   \
    X(HANJI_UNIFORM, "uniform")   \
    X(HANJI_RAGGED, "ragged")     \
    X(HANJI_CHAINS, "chains")     \
    X(HANJI_ABSORB, "absorb")     \
    X(HANJI_SHORT, "short")       \
    X(HANJI_ONCE, "once")         \
    X(HANJI_MACS, "macs")

#define HANJI_OPERATION(operation, name) operation,
typedef enum hanji_operation {
    HANJI_OPERATIONS(HANJI_OPERATION) HANJI_OPERATION_COUNT
} hanji_operation;
#undef HANJI_OPERATION

/*
 * Round-key layouts. Every context holds the canonical one: round keys as words, first round first.
 * Others lie in the key area; where a cipher has several, each begins with those of lower numbers,
 * so a kernel also runs on a higher one.
 */
#define HANJI_LAYOUT_CANONICAL 0u

/* out = E or D of groups * (blocks of a group) blocks. */
typedef void hanji_blocks_fn(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/* mac = E(mac xor block) for every block. */
typedef void hanji_cbc_mac_fn(uint8_t *mac, const uint8_t *in, size_t blocks, const void *keys);
/*
 * out = in xor the key stream of as many blocks; `counter` is the block-sized big-endian counter,
 * advanced past them.
 */
typedef void hanji_ctr_fn(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,
                          const void *keys);
/*
 * The same for `bytes` bytes, from 1 to those of a group; the counter goes past every block begun,
 * and the key stream of an unfinished block to `keystream`. Leaves nothing on the
 * stack.
 */
typedef void hanji_short_fn(uint8_t *out, const uint8_t *in, size_t bytes, uint8_t *counter,
                            uint8_t *keystream, const void *keys);
/*
 * The same from the first counter block and the key, for one message. Leaves nothing on the stack.
 */
typedef void hanji_once_fn(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *iv,
                           const uint8_t *key);
/* Fill the key area with this kernel's layout from the canonical round keys. */
typedef void hanji_expand_fn(void *area, const void *round_keys);
/*
 * Apply the permutation to groups * (states of a group) states of 32-bit words in native byte
 * order, one state after the other.
 */
typedef void hanji_permute_fn(uint32_t *states, size_t groups, uint32_t steps);
/* Of the rooms, where their kernels are described: fleet, aimer, lanes and ascon. */
struct hanji_fleet_item;
struct hanji_fleet_job;
struct hanji_aimer_term;
struct hanji_streams;
struct hanji_ragged;
struct hanji_chains;
struct hanji_ascon_aead_kernel;
struct hanji_ascon_hash_kernel;
struct hanji_ascon_aead_rows;
struct hanji_ascon_hash_rows;

typedef struct hanji_kernel {
    const char *name;  /* NULL ends the table */
    uint32_t features; /* CPU features that it needs: those of its tier (cpu.h) */
    hanji_operation operation;
    uint16_t group; /* blocks, states or messages per group */
    /*
     * of its data pointers; 1: any. The dispatcher copies when a caller's pointer is not aligned.
     */
    uint16_t align;
    uint16_t layout;     /* of the keys that it takes; for HANJI_EXPAND the layout that it makes */
    uint16_t area_bytes; /* HANJI_EXPAND: what it writes */
    /*
     * fewer are left to later rows, measured break-even; below `group`: takes part of a group too.
     * 0: whole groups only
     */
    uint32_t minimum;
    union {
        hanji_blocks_fn *blocks;
        hanji_ctr_fn *ctr;
        hanji_short_fn *brief;
        hanji_once_fn *once;
        hanji_expand_fn *expand;
        hanji_permute_fn *permute;
        void (*fleet)(const struct hanji_fleet_item *items, size_t count,
                      const struct hanji_fleet_job *job);
        void (*keccak)(uint64_t *states);
        void (*prepare)(void *matrix, const uint64_t *columns, uint32_t words);
        void (*apply)(uint64_t *out, size_t out_stride, const uint64_t *in, size_t in_stride,
                      size_t octets, const void *matrix, uint32_t words, int accumulate);
        void (*products)(uint64_t *out, size_t out_stride, const uint64_t *base, size_t base_stride,
                         const struct hanji_aimer_term *terms, uint32_t count, size_t octets,
                         uint32_t words);
        void (*power)(uint64_t *out, const uint64_t *base, uint32_t squarings,
                      const uint64_t *factor, uint32_t words);
        void (*streams)(struct hanji_streams *streams, uint32_t flags);
        void (*uniform)(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *keys,
                        const uint8_t *nonces, size_t groups);
        void (*ragged)(void *round_keys, const struct hanji_ragged *ragged);
        void (*macs)(uint8_t *tags, const uint8_t *in, size_t bytes, const uint8_t *keys,
                     size_t groups);
        void (*chains)(struct hanji_chains *chains, size_t vectors, size_t blocks, uint32_t flags);
        const struct hanji_ascon_aead_kernel *ascon_aead;
        const struct hanji_ascon_hash_kernel *ascon_hash;
        const struct hanji_ascon_aead_rows *ascon_aead_rows;
        const struct hanji_ascon_hash_rows *ascon_hash_rows;
    } run;
} hanji_kernel;

/*
 * The largest group of a row that is aligned or takes part of a group, which bounds the copy; and
 * the largest group of messages.
 */
#ifdef HANJI_RV32
#define HANJI_GROUP_BYTES_MAX 256
#else
#define HANJI_GROUP_BYTES_MAX 512
#endif
#ifdef HANJI_FREESTANDING
#define HANJI_GROUP_MESSAGES_MAX 1
#else
#define HANJI_GROUP_MESSAGES_MAX 128
#endif

/*
 * The first row at or after `row` of this operation that may be used for `count` things under
 * `features` with a key area of layout `layout` or lower; NULL at the end of the table.
 */
const hanji_kernel *hanji_kernel_next(const hanji_kernel *row, hanji_operation operation,
                                      size_t count, uint32_t features, uint32_t layout);

#endif
