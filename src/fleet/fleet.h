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

/* An array that ends past the end of memory is none. */
HANJI_INLINE int hanji_span_fits(hanji_span span)
{
    return span.bytes == 0 || (span.bytes != SIZE_MAX && span.bytes - 1 <= UINTPTR_MAX - span.at);
}

/*
 * Whether what a call writes shares no byte with anything else of it: texts, tags when sealing or
 * hashing, and status. The one exception is in place, where output and input begin at the same
 * byte. Offsets are checked, n is not 0.
 */
static inline int hanji_fleet_apart(const hanji_fleet *fleet, const hanji_fleet_shape *shape)
{
    /* What may be written comes first. */
    enum { OUTPUT, STATUS, TAGS, INPUT, AD, KEYS, NONCES, OFFSETS, AD_OFFSETS, CALL, SPANS };
    const size_t n = fleet->messages;
    const int hashing = shape->key_bytes == 0,
              tags = shape->tag_bytes != 0 || shape->tag_bytes_max != 0,
              ad = !hashing && !shape->plain && fleet->ad_offsets != NULL;
    hanji_span spans[SPANS] = {{0, 0}};
    spans[STATUS] = hanji_span_of_rows(fleet->status, n, 1, 1);
    spans[INPUT] = hanji_span_of_texts(fleet->input, fleet->offsets, n);
    spans[OFFSETS] =
        hanji_span_of_rows(fleet->offsets, n + 1, sizeof *fleet->offsets, sizeof *fleet->offsets);
    spans[CALL] = hanji_span_of_rows(fleet, 1, 0, sizeof *fleet);
    if (tags)
        spans[TAGS] = hanji_span_of_rows(fleet->tags, n, fleet->tag_bytes, fleet->tag_bytes);
    if (!hashing)
        spans[KEYS] = hanji_span_of_rows(fleet->keys, n, fleet->key_stride, shape->key_bytes);
    if (!hashing && !shape->mac) {
        spans[OUTPUT] = hanji_span_of_texts(fleet->output, fleet->offsets, n);
        spans[NONCES] =
            hanji_span_of_rows(fleet->nonces, n, fleet->nonce_bytes, fleet->nonce_bytes);
    }
    if (ad) {
        spans[AD] = hanji_span_of_texts(fleet->ad, fleet->ad_offsets, n);
        spans[AD_OFFSETS] = hanji_span_of_rows(fleet->ad_offsets, n + 1, sizeof *fleet->ad_offsets,
                                               sizeof *fleet->ad_offsets);
    }
    for (size_t i = 0; i < SPANS; i++)
        if (!hanji_span_fits(spans[i]))
            return 0;
    for (size_t i = 0; i < (size_t)(shape->open ? TAGS : INPUT); i++)
        for (size_t other = i + 1; other < SPANS; other++)
            if (overlap_at(spans[i].at, spans[i].bytes, spans[other].at, spans[other].bytes) &&
                !(i == OUTPUT && other == INPUT && spans[i].at == spans[other].at))
                return 0;
    return 1;
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
#endif

#endif
