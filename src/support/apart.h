/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the buffers of a call share no byte where one of them is written. */
#ifndef HANJI_SUPPORT_APART_H
#define HANJI_SUPPORT_APART_H

#include "support/bytes.h"

typedef struct hanji_buffer {
    const void *at;
    size_t bytes;
} hanji_buffer;

/*
 * The first `written` of `count` buffers overlap neither one another nor the others, and all of
 * them end within memory.
 */
static inline int hanji_apart(const hanji_buffer *buffers, size_t written, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (buffers[i].bytes != 0 && buffers[i].bytes - 1 > UINTPTR_MAX - (uintptr_t)buffers[i].at)
            return 0;
    for (size_t i = 0; i < written; i++)
        for (size_t other = i + 1; other < count; other++)
            if (overlap(buffers[i].at, buffers[i].bytes, buffers[other].at, buffers[other].bytes))
                return 0;
    return 1;
}

#endif
