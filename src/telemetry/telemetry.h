/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of this room: the search for master keys, and arrays that lie apart. */
#ifndef HANJI_TELEMETRY_TELEMETRY_H
#define HANJI_TELEMETRY_TELEMETRY_H

#include "hanji/telemetry.h"
#include "support/bytes.h"

/* The first slot of the search for a device. */
size_t hanji_master_keys_home(const hanji_master_keys *keys, uint32_t device);

/* The master key of a device, or NULL. */
const uint8_t *hanji_master_keys_find(const hanji_master_keys *keys, uint32_t device);

/* From the first byte of an array to its last. */
typedef struct hanji_telemetry_span {
    const void *at;
    size_t bytes;
} hanji_telemetry_span;

/*
 * 1 when each of the first `written` spans shares no byte with any other, and all of them end
 * within memory.
 */
HANJI_INLINE int hanji_telemetry_apart(const hanji_telemetry_span *spans, size_t written,
                                       size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (spans[i].bytes != 0 && spans[i].bytes - 1 > UINTPTR_MAX - (uintptr_t)spans[i].at)
            return 0;
    for (size_t i = 0; i < written; i++)
        for (size_t j = i + 1; j < count; j++)
            if (overlap(spans[i].at, spans[i].bytes, spans[j].at, spans[j].bytes))
                return 0;
    return 1;
}

#endif
