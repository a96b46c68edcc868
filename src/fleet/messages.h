/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of a fleet as kernels take them. */
#ifndef HANJI_FLEET_MESSAGES_H
#define HANJI_FLEET_MESSAGES_H

#include "support/kernel.h"

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
    void *own; /* of the modes: room for the key of one message, which the call erases at its end */
    size_t nonce_bytes;
    size_t tag_bytes;
    uint64_t limit;     /* blocks per key; 0: the default of the cipher */
    int open;           /* 1 when messages are opened */
    const uint8_t *end; /* of SCHWAEMM: where the texts of all messages end, without a text NULL */
    /* of XOESCH256: the 12 words of the state in which each message begins; NULL: zero */
    const uint32_t *start;
} hanji_fleet_job;

/* Process `count` messages, at most a group; each item's status is written. */
typedef void hanji_fleet_fn(const hanji_fleet_item *items, size_t count,
                            const hanji_fleet_job *job);

#endif
