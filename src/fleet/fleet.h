/* SPDX-License-Identifier: Apache-2.0 */
/* From the arrays of a fleet call to groups of messages for kernels. */
#ifndef HANJI_FLEET_FLEET_H
#define HANJI_FLEET_FLEET_H

#include "fleet/messages.h"
#include "hanji/fleet.h"
#include "support/arith.h"
#include "support/bytes.h"
#include "support/cpu.h"

/* What an algorithm needs of the arrays. */
typedef struct hanji_fleet_shape {
    size_t key_bytes;   /* 0: no keys, no nonces, no output: hashing */
    size_t nonce_bytes; /* the one size that it takes; 0: any from 1 */
    /* the one size that it takes; 0: none, or any from 1 up to tag_bytes_max */
    size_t tag_bytes;
    size_t tag_bytes_max; /* 0: no tags */
    int open;             /* tags are read */
    int plain;            /* no associated data */
    int mac;              /* keys, but no nonces and no output */
} hanji_fleet_shape;

/* n + 1 offsets: HANJI_OK when they begin at 0 or later, never decrease, and fit a size. */
HANJI_INLINE int hanji_fleet_check_offsets(const int64_t *offsets, size_t n)
{
    if (offsets == NULL || offsets[0] < 0)
        return HANJI_E_ARGUMENT;
    for (size_t i = 0; i < n; i++)
        if (offsets[i + 1] < offsets[i])
            return HANJI_E_ARGUMENT;
    return (uint64_t)offsets[n] > SIZE_MAX ? HANJI_E_LENGTH : HANJI_OK;
}

/* From the first byte of an array to its last; `bytes` SIZE_MAX: longer than memory. */
typedef struct hanji_span {
    uintptr_t at;
    size_t bytes;
} hanji_span;

/*
 * The bytes of all messages, whose place offsets give; the offsets are checked. Nothing is added to
 * a pointer: it may be NULL where there are no bytes.
 */
HANJI_INLINE hanji_span hanji_span_of_texts(const uint8_t *base, const int64_t *offsets, size_t n)
{
    const size_t first = (size_t)offsets[0], bytes = (size_t)offsets[n] - first;
    const uintptr_t at = (uintptr_t)base;
    const hanji_span span = {at + first, bytes > 0 && first > UINTPTR_MAX - at ? SIZE_MAX : bytes};
    return span;
}

/*
 * n rows of `bytes` bytes that are `stride` bytes apart: what lies between two rows belongs to the
 * array, what follows the last does not. n is not 0.
 */
HANJI_INLINE hanji_span hanji_span_of_rows(const void *base, size_t n, size_t stride, size_t bytes)
{
    const size_t before = hanji_times(n - 1, stride);
    const hanji_span span = {(uintptr_t)base,
                             before > SIZE_MAX - bytes ? SIZE_MAX : before + bytes};
    return span;
}

/* The first and the last byte of an array; without bytes, of none: it shares none with any. */
typedef struct hanji_ends {
    uintptr_t first, last;
} hanji_ends;

/* `fit` goes to 0 when the array ends past the end of memory. */
HANJI_INLINE hanji_ends hanji_ends_of(hanji_span span, int *fit)
{
    hanji_ends ends = {span.at, span.at + (span.bytes - 1)};
    if (span.bytes == 0)
        return (hanji_ends){UINTPTR_MAX, 0};
    *fit &= span.bytes != SIZE_MAX && ends.last >= ends.first;
    return ends;
}

HANJI_INLINE int hanji_ends_share(hanji_ends a, hanji_ends b)
{
    return (a.first <= b.last) & (b.first <= a.last);
}

/* Of two arrays with bytes, whose sums do not overflow. */
HANJI_INLINE int hanji_spans_apart(hanji_span a, hanji_span b)
{
    return b.at - a.at + (b.bytes - 1) >= a.bytes + (b.bytes - 1);
}

#ifndef HANJI_FREESTANDING
/*
 * Whether it is sure of the usual arrays that none is missing and none which is written shares a
 * byte with another: all have bytes, there are no associated data, sums and products of sizes and
 * addresses do not overflow. One comparison a pair: the last byte of one is as far behind the first
 * of the other as both are long, or before it. For few messages more would cost as much as their
 * checks in calls of their own. Offsets are checked, n is the number of messages and not 0: where
 * the compiler knows it, little is left to compute.
 */
HANJI_INLINE int hanji_fleet_surely_apart(const hanji_fleet *fleet, const hanji_fleet_shape *shape,
                                          size_t n)
{
    const int with_keys = shape->key_bytes != 0, output = with_keys && !shape->mac,
              tags = shape->tag_bytes != 0 || shape->tag_bytes_max != 0;
    const size_t most = SIZE_MAX / 4, text = (size_t)fleet->offsets[0],
                 bytes = (size_t)fleet->offsets[n] - text, few = (size_t)1 << sizeof(size_t) * 3,
                 nonce_bytes = shape->nonce_bytes != 0 ? shape->nonce_bytes : fleet->nonce_bytes,
                 tag_bytes = shape->tag_bytes != 0 ? shape->tag_bytes : fleet->tag_bytes;
    const hanji_span in = {(uintptr_t)fleet->input + text, bytes},
                     out = {(uintptr_t)fleet->output + text, bytes},
                     status = {(uintptr_t)fleet->status, n},
                     made = {(uintptr_t)fleet->tags, n * tag_bytes},
                     keys = {(uintptr_t)fleet->keys,
                             (n - 1) * fleet->key_stride + shape->key_bytes},
                     nonces = {(uintptr_t)fleet->nonces, n * nonce_bytes},
                     offsets = {(uintptr_t)fleet->offsets, (n + 1) * sizeof *fleet->offsets},
                     itself = {(uintptr_t)fleet, sizeof *fleet};
    /* minus one: what is 0 is too large */
    size_t all = (text | (bytes - 1)) | ((uintptr_t)fleet->input - 1) | (status.at - 1) |
                 offsets.at | itself.at,
           small = n;
    if (with_keys) {
        all |= keys.at - 1;
        small |= n == 1 ? 0 : fleet->key_stride; /* of one key there is no step */
    }
    if (output) {
        all |= ((uintptr_t)fleet->output - 1) | (nonces.at - 1);
        small |= shape->nonce_bytes != 0 ? 0 : nonce_bytes;
    }
    if (tags) {
        all |= made.at - 1;
        small |= shape->tag_bytes != 0 || shape->tag_bytes_max < few ? 0 : tag_bytes;
    }
    if (all > most || small >= few)
        return 0;
    /* of one message the status is a byte: behind the others it is the least to compute */
    if (!hanji_spans_apart(in, status) || (with_keys && !hanji_spans_apart(keys, status)) ||
        !hanji_spans_apart(offsets, status) || !hanji_spans_apart(itself, status))
        return 0;
    if (output && (!(hanji_spans_apart(out, in) || out.at == in.at) ||
                   !hanji_spans_apart(out, status) || !hanji_spans_apart(out, keys) ||
                   !hanji_spans_apart(out, nonces) || !hanji_spans_apart(out, offsets) ||
                   !hanji_spans_apart(out, itself) || !hanji_spans_apart(nonces, status)))
        return 0;
    if (tags && (!hanji_spans_apart(made, status) || (output && !hanji_spans_apart(out, made))))
        return 0;
    return !tags || shape->open ||
           (hanji_spans_apart(made, in) && (!with_keys || hanji_spans_apart(made, keys)) &&
            hanji_spans_apart(made, offsets) && hanji_spans_apart(made, itself) &&
            (!output || hanji_spans_apart(made, nonces)));
}

/*
 * Whether it is sure that hanji_fleet_check() would find nothing wrong with a fleet of n messages:
 * for few messages, in the calls themselves, where the compiler knows the shape, and n where it is
 * one.
 */
HANJI_INLINE int hanji_fleet_is_sound(const hanji_fleet *fleet, const hanji_fleet_shape *shape,
                                      size_t n, uint32_t features)
{
    const size_t many = (size_t)1 << sizeof(size_t) * 3;
    const int with_keys = shape->key_bytes != 0;
    if (n - 1 >= many - 1 || /* 0 - 1 is large */
        fleet->offsets == NULL || (with_keys && fleet->ad_offsets != NULL && !shape->plain) ||
        (with_keys && fleet->key_stride - 1 < shape->key_bytes - 1) ||
        (features & HANJI_CPU_REFUSED) != 0)
        return 0;
    if (with_keys && !shape->mac &&
        (shape->nonce_bytes != 0 ? fleet->nonce_bytes != shape->nonce_bytes
                                 : fleet->nonce_bytes < 1))
        return 0;
    if (shape->tag_bytes != 0
            ? fleet->tag_bytes != shape->tag_bytes
            : shape->tag_bytes_max != 0 && fleet->tag_bytes - 1 >= shape->tag_bytes_max)
        return 0;
    const int64_t *offsets = fleet->offsets;
    uint64_t before = (uint64_t)offsets[0], below = before; /* the top bit of one below 0 */
    for (size_t i = 1; i <= n; i++) {
        const uint64_t here = (uint64_t)offsets[i];
        below |= here | (here - before);
        before = here;
    }
    return (below >> 63) == 0 && before <= SIZE_MAX && hanji_fleet_surely_apart(fleet, shape, n);
}
#endif

/*
 * Whether what a call writes shares no byte with anything else of it: texts, tags when sealing or
 * hashing, and status. The one exception is in place, where output and input begin at the same
 * byte. Offsets are checked, n is not 0.
 */
static inline int hanji_fleet_apart(const hanji_fleet *fleet, const hanji_fleet_shape *shape)
{
    const size_t n = fleet->messages;
    const int hashing = shape->key_bytes == 0,
              tags = shape->tag_bytes != 0 || shape->tag_bytes_max != 0,
              output = !hashing && !shape->mac,
              ad = !hashing && !shape->plain && fleet->ad_offsets != NULL;
#ifndef HANJI_FREESTANDING
    if (!ad && hanji_fleet_surely_apart(fleet, shape, n))
        return 1;
#endif
    const hanji_span none = {0, 0};
    int fit = 1;
    const hanji_ends input =
        hanji_ends_of(hanji_span_of_texts(fleet->input, fleet->offsets, n), &fit);
    const hanji_ends out =
        hanji_ends_of(output ? hanji_span_of_texts(fleet->output, fleet->offsets, n) : none, &fit);
    const hanji_ends status = hanji_ends_of(hanji_span_of_rows(fleet->status, n, 1, 1), &fit);
    const hanji_ends all_tags = hanji_ends_of(
        tags ? hanji_span_of_rows(fleet->tags, n, fleet->tag_bytes, fleet->tag_bytes) : none, &fit);
    const hanji_ends nobody = hanji_ends_of(none, &fit);
    const hanji_ends made = shape->open ? nobody : all_tags;
    const hanji_ends read[7] = {
        shape->open ? all_tags : nobody,
        hanji_ends_of(hashing
                          ? none
                          : hanji_span_of_rows(fleet->keys, n, fleet->key_stride, shape->key_bytes),
                      &fit),
        hanji_ends_of(
            output ? hanji_span_of_rows(fleet->nonces, n, fleet->nonce_bytes, fleet->nonce_bytes)
                   : none,
            &fit),
        hanji_ends_of(hanji_span_of_rows(fleet->offsets, n + 1, sizeof *fleet->offsets,
                                         sizeof *fleet->offsets),
                      &fit),
        hanji_ends_of(ad ? hanji_span_of_texts(fleet->ad, fleet->ad_offsets, n) : none, &fit),
        hanji_ends_of(ad ? hanji_span_of_rows(fleet->ad_offsets, n + 1, sizeof *fleet->ad_offsets,
                                              sizeof *fleet->ad_offsets)
                         : none,
                      &fit),
        hanji_ends_of(hanji_span_of_rows(fleet, 1, 0, sizeof *fleet), &fit)};
    int shared = hanji_ends_share(out, status) | hanji_ends_share(out, made) |
                 hanji_ends_share(status, made) |
                 (hanji_ends_share(out, input) & (out.first != input.first)) |
                 hanji_ends_share(status, input) | hanji_ends_share(made, input);
    for (size_t i = 0; i < 7; i++)
        shared |= hanji_ends_share(out, read[i]) | hanji_ends_share(status, read[i]) |
                  hanji_ends_share(made, read[i]);
    return fit & !shared;
}

/*
 * Blocks of an AEAD in all messages together: nonces, associated data and texts with their
 * paddings. Offsets are checked.
 */
static inline uint64_t hanji_fleet_blocks(const hanji_fleet *fleet, uint64_t rate)
{
    uint64_t total = 0;
    for (size_t i = 0; i < fleet->messages; i++) {
        uint64_t here = 2 + (uint64_t)(fleet->offsets[i + 1] - fleet->offsets[i]) / rate;
        if (fleet->ad_offsets != NULL && fleet->ad_offsets[i + 1] > fleet->ad_offsets[i])
            here += 1 + (uint64_t)(fleet->ad_offsets[i + 1] - fleet->ad_offsets[i]) / rate;
        total = here > UINT64_MAX - total ? UINT64_MAX : total + here;
    }
    return total;
}

/*
 * Message number i as kernels take it. `tag_step`: from one tag to the next, 0 without tags; `ad`:
 * there are associated data.
 */
HANJI_INLINE void hanji_fleet_describe(hanji_fleet_item *item, const hanji_fleet *fleet, size_t i,
                                       const hanji_fleet_shape *shape, size_t tag_step, int ad)
{
    const size_t at = (size_t)fleet->offsets[i];
    *item = (hanji_fleet_item){.bytes = (size_t)fleet->offsets[i + 1] - at,
                               .status = fleet->status + i};
    if (item->bytes > 0) {
        item->in = fleet->input + at;
        item->out = shape->key_bytes != 0 && !shape->mac ? fleet->output + at : NULL;
    }
    if (shape->key_bytes != 0) {
        if (ad && fleet->ad_offsets[i + 1] > fleet->ad_offsets[i]) {
            item->ad = fleet->ad + (size_t)fleet->ad_offsets[i];
            item->ad_bytes = (size_t)(fleet->ad_offsets[i + 1] - fleet->ad_offsets[i]);
        }
        item->key = fleet->keys + hanji_times(i, fleet->key_stride);
        if (!shape->mac)
            item->nonce = fleet->nonces + hanji_times(i, fleet->nonce_bytes);
    }
    if (tag_step != 0)
        item->tag = fleet->tags + hanji_times(i, tag_step);
}

HANJI_INLINE size_t hanji_fleet_tag_step(const hanji_fleet *fleet, const hanji_fleet_shape *shape)
{
    return shape->tag_bytes != 0 || shape->tag_bytes_max != 0 ? fleet->tag_bytes : 0;
}

HANJI_INLINE int hanji_fleet_has_ad(const hanji_fleet *fleet, const hanji_fleet_shape *shape)
{
    return shape->key_bytes != 0 && !shape->plain && fleet->ad_offsets != NULL;
}

#if HANJI_GROUP_MESSAGES_MAX > 1
/* One message after the other by `single`, without a group; returns how many failed. */
HANJI_INLINE int64_t hanji_fleet_each(const hanji_fleet *fleet, const hanji_fleet_job *job,
                                      const hanji_fleet_shape *shape, hanji_fleet_fn *single)
{
    const size_t tag_step = hanji_fleet_tag_step(fleet, shape);
    const int ad = hanji_fleet_has_ad(fleet, shape);
    int64_t failed = 0;
    for (size_t i = 0; i < fleet->messages; i++) {
        hanji_fleet_item item;
        hanji_fleet_describe(&item, fleet, i, shape, tag_step, ad);
        single(&item, 1, job);
        failed += *item.status != HANJI_OK;
    }
    return failed;
}
#endif

/* Check the arrays; HANJI_OK or the code with which the call as a whole is refused. */
int hanji_fleet_check(const hanji_fleet *fleet, const hanji_fleet_shape *shape);

/*
 * Split the messages into groups over the rows of `kernels`; returns how many messages failed. The
 * arrays are already checked.
 */
int64_t hanji_fleet_run(const hanji_fleet *fleet, const hanji_fleet_job *job,
                        const hanji_fleet_shape *shape, const hanji_kernel *kernels);

#if HANJI_GROUP_MESSAGES_MAX > 1
/*
 * The same one message after the other, each as in a call of its own: what many share costs few
 * more than it saves. `single` leaves nothing on the stack.
 */
int64_t hanji_fleet_run_singly(const hanji_fleet *fleet, const hanji_fleet_job *job,
                               const hanji_fleet_shape *shape, hanji_fleet_fn *single);

/*
 * How many whole groups of `group` messages from number `first` on have the length of that one;
 * there is one.
 */
size_t hanji_fleet_uniform_groups(const hanji_fleet *fleet, size_t first, size_t group);

/*
 * Do as many messages from number `first` on as have the length of that one, in whole groups of the
 * row; add the failed ones to `failed`. Returns how many are done, 0 for none.
 */
typedef size_t hanji_fleet_uniform_fn(const hanji_fleet *fleet, size_t first,
                                      const hanji_fleet_job *job, const hanji_kernel *row,
                                      int64_t *failed);
typedef int64_t hanji_fleet_ragged_fn(const hanji_fleet *fleet, const hanji_fleet_job *job,
                                      const hanji_fleet_shape *shape);
/*
 * Runs of messages of one length by `uniform`, unless `row` is NULL, and the messages between them
 * by `ragged`. Returns how many messages failed.
 */
int64_t hanji_fleet_run_uniform(const hanji_fleet *fleet, const hanji_fleet_job *job,
                                const hanji_fleet_shape *shape, const hanji_kernel *row,
                                hanji_fleet_uniform_fn *uniform, hanji_fleet_ragged_fn *ragged);
#endif

#endif
