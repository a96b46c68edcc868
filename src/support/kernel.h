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

typedef enum hanji_operation {
    HANJI_ENCRYPT,
    HANJI_DECRYPT,
    HANJI_CTR,
    HANJI_EXPAND,
    HANJI_PERMUTE,
    HANJI_FLEET,
    HANJI_KECCAK,
    HANJI_PREPARE,
    HANJI_APPLY,
    HANJI_PRODUCTS,
    HANJI_POWER,
    HANJI_STREAMS,
    HANJI_UNIFORM,
    HANJI_RAGGED,
    HANJI_ABSORB
} hanji_operation;

/*
 * Round-key layouts. Every context holds the canonical one: round keys as words, first round first.
 * Others lie in the key area; where a cipher has several, each begins with those of lower numbers,
 * so a kernel also runs on a higher one.
 */
#define HANJI_LAYOUT_CANONICAL 0u

/* One message of a fleet. */
typedef struct hanji_fleet_item {
    uint8_t *out;
    const uint8_t *in;
    size_t bytes;
    const uint8_t *ad;
    size_t ad_bytes;
    const uint8_t *key;
    const uint8_t *nonce;
    uint8_t *tag;
    int8_t *status;
} hanji_fleet_item;

/* What all messages of a fleet call have in common. */
typedef struct hanji_fleet_job {
    const struct hanji_cipher *cipher; /* of the modes; NULL for SCHWAEMM and ESCH */
    /* with one key for all messages: what the room has keyed, else NULL */
    void *shared;
    size_t nonce_bytes;
    size_t tag_bytes;
    uint64_t limit;     /* blocks per key; 0: the default of the cipher */
    int open;           /* 1 when messages are opened */
    const uint8_t *end; /* of SCHWAEMM: where the texts of all messages end, without a text NULL */
} hanji_fleet_job;

/* out = E or D of groups * (blocks of a group) blocks. */
typedef void hanji_blocks_fn(uint8_t *out, const uint8_t *in, size_t groups, const void *keys);
/*
 * out = in xor the key stream of as many blocks; `counter` is the block-sized big-endian counter,
 * advanced past them.
 */
typedef void hanji_ctr_fn(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,
                          const void *keys);
/* Fill the key area with this kernel's layout from the canonical round keys. */
typedef void hanji_expand_fn(void *area, const void *round_keys);
/*
 * Apply the permutation to groups * (states of a group) states of 32-bit words in native byte
 * order, one state after the other.
 */
typedef void hanji_permute_fn(uint32_t *states, size_t groups, uint32_t steps);
/* Process `count` messages, at most a group; each item's status is written. */
typedef void hanji_fleet_fn(const hanji_fleet_item *items, size_t count,
                            const hanji_fleet_job *job);

/* Apply Keccak-f[1600] to one group of states: word w of state s is states[w * group + s]. */
typedef void hanji_keccak_fn(uint64_t *states);

/*
 * Shares of eight parties stand side by side, an octet: word w of the field element of party p is
 * octet[8 * w + p]. Elements of GF(2^n) have n / 64 words, 2 to 4. Strides count words from one
 * octet to the next.
 */
#define HANJI_AIMER_OCTET 8u
/*
 * The form that HANJI_APPLY of the same tier wants of a public bit matrix, from its n columns in n
 * / 8 octets.
 */
typedef void hanji_aimer_prepare_fn(void *matrix, const uint64_t *columns, uint32_t words);
/* out = M in, or out ^= M in, for every element of `octets` octets. */
typedef void hanji_aimer_apply_fn(uint64_t *out, size_t out_stride, const uint64_t *in,
                                  size_t in_stride, size_t octets, const void *matrix,
                                  uint32_t words, int accumulate);
/* One term of a sum of products: octets of secret shares, times an element that is public. */
typedef struct hanji_aimer_term {
    const uint64_t *in;
    size_t stride;
    const uint64_t *coefficient;
} hanji_aimer_term;
#define HANJI_AIMER_TERMS_MAX 4u
/* out = base + the sum of the terms, for every element of `octets` octets; a base NULL is zero. */
typedef void hanji_aimer_products_fn(uint64_t *out, size_t out_stride, const uint64_t *base,
                                     size_t base_stride, const hanji_aimer_term *terms,
                                     uint32_t count, size_t octets, uint32_t words);
/* out = base^(2^squarings) * factor, elements of n / 64 words, all secret. */
typedef void hanji_aimer_power_fn(uint64_t *out, const uint64_t *base, uint32_t squarings,
                                  const uint64_t *factor, uint32_t words);
/*
 * Key streams of messages with their own keys, one in each lane of vectors; a group is as many:
 * lanes/streams.h.
 */
struct hanji_streams;
typedef void hanji_streams_fn(struct hanji_streams *streams, uint32_t flags);

/*
 * CTR over groups of messages of `bytes` bytes each, from 1 to fewer than 2^15 blocks, one in each
 * lane; their keys and nonces lie one after the other. Leaves nothing on the stack.
 */
typedef void hanji_uniform_fn(uint8_t *out, const uint8_t *in, size_t bytes, const uint8_t *keys,
                              const uint8_t *nonces, size_t groups);

/*
 * CTR over one group of messages that lie anywhere and are as long as they are, fewer than 2^15
 * blocks: lanes/streams.h. Round keys go to memory of the caller, aligned as that of hanji_streams;
 * they and what is on the stack are the caller's to wipe.
 */
struct hanji_ragged;
typedef void hanji_ragged_fn(void *round_keys, const struct hanji_ragged *ragged);

/* What a room calls one state of Ascon with: ascon/ascon.h. */
struct hanji_ascon_aead_kernel;
struct hanji_ascon_hash_kernel;

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
        hanji_expand_fn *expand;
        hanji_permute_fn *permute;
        hanji_fleet_fn *fleet;
        hanji_keccak_fn *keccak;
        hanji_aimer_prepare_fn *prepare;
        hanji_aimer_apply_fn *apply;
        hanji_aimer_products_fn *products;
        hanji_aimer_power_fn *power;
        hanji_streams_fn *streams;
        hanji_uniform_fn *uniform;
        hanji_ragged_fn *ragged;
        const struct hanji_ascon_aead_kernel *ascon_aead;
        const struct hanji_ascon_hash_kernel *ascon_hash;
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
