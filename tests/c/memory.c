/* SPDX-License-Identifier: Apache-2.0 */
/* The three functions that a freestanding libhanji needs, for test firmware without a C library. */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    uint8_t *out = to;
    const uint8_t *in = from;
    while (bytes-- > 0)
        *out++ = *in++;
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    if ((uintptr_t)to <= (uintptr_t)from)
        return memcpy(to, from, bytes);
    uint8_t *out = to;
    const uint8_t *in = from;
    while (bytes-- > 0)
        out[bytes] = in[bytes];
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    uint8_t *out = to;
    while (bytes-- > 0)
        *out++ = (uint8_t)value;
    return to;
}
