/* SPDX-License-Identifier: Apache-2.0 */
/* From the arrays of a fleet call to groups of messages for kernels. */
#ifndef HANJI_FLEET_FLEET_H
#define HANJI_FLEET_FLEET_H

#include "fleet/messages.h"
#include "hanji/fleet.h"
#include "support/arith.h"
#include "support/bytes.h"

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

/* The first and the last bytes of the arrays of a call, those that it writes first. */
typedef struct hanji_spans {
    uintptr_t first[10], last[10];
    size_t count;
    int fit; /* none ends past the end of memory */
} hanji_spans;

HANJI_INLINE void hanji_spans_add(hanji_spans *spans, hanji_span span)
{
    const uintptr_t last = span.at + (span.bytes - 1);
    if (span.bytes == 0)
        return;
    spans->fit &= span.bytes != SIZE_MAX && last >= span.at;
    spans->first[spans->count] = span.at;
    spans->last[spans->count++] = last;
}

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
              output = !hashing && !shape->mac;
    const hanji_span input = hanji_span_of_texts(fleet->input, fleet->offsets, n);
    hanji_spans all = {.count = 0, .fit = 1};
    if (output) /* as many bytes as the input: number 0, if there is text */
        hanji_spans_add(&all, hanji_span_of_texts(fleet->output, fleet->offsets, n));
    hanji_spans_add(&all, hanji_span_of_rows(fleet->status, n, 1, 1));
    if (tags && !shape->open)
        hanji_spans_add(&all,
                        hanji_span_of_rows(fleet->tags, n, fleet->tag_bytes, fleet->tag_bytes));
    const size_t written = all.count, input_at = input.bytes != 0 ? written : SIZE_MAX;
    hanji_spans_add(&all, input);
    if (tags && shape->open)
        hanji_spans_add(&all,
                        hanji_span_of_rows(fleet->tags, n, fleet->tag_bytes, fleet->tag_bytes));
    if (!hashing)
        hanji_spans_add(&all,
                        hanji_span_of_rows(fleet->keys, n, fleet->key_stride, shape->key_bytes));
    if (output)
        hanji_spans_add(
            &all, hanji_span_of_rows(fleet->nonces, n, fleet->nonce_bytes, fleet->nonce_bytes));
    hanji_spans_add(&all, hanji_span_of_rows(fleet->offsets, n + 1, sizeof *fleet->offsets,
                                             sizeof *fleet->offsets));
    if (!hashing && !shape->plain && fleet->ad_offsets != NULL) {
        hanji_spans_add(&all, hanji_span_of_texts(fleet->ad, fleet->ad_offsets, n));
        hanji_spans_add(&all,
                        hanji_span_of_rows(fleet->ad_offsets, n + 1, sizeof *fleet->ad_offsets,
                                           sizeof *fleet->ad_offsets));
    }
    hanji_spans_add(&all, hanji_span_of_rows(fleet, 1, 0, sizeof *fleet));
    if (!all.fit)
        return 0;
    int shared = 0;
    for (size_t i = 0; i < written; i++)
        for (size_t other = i + 1; other < all.count; other++)
            shared |= all.first[i] <= all.last[other] && all.first[other] <= all.last[i] &&
                      !(output && i == 0 && other == input_at && all.first[0] == all.first[other]);
    return !shared;
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
