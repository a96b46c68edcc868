/* SPDX-License-Identifier: Apache-2.0 */
/* What the amalgam needs from outside, and what JavaScript needs to know. */
#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    return __builtin_memcpy(to, from, bytes);
}

void *memmove(void *to, const void *from, size_t bytes)
{
    return __builtin_memmove(to, from, bytes);
}

void *memset(void *to, int value, size_t bytes)
{
    return __builtin_memset(to, value, bytes);
}
