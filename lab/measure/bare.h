/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program for RV32 without an operating system needs more than libhanji: a start, and the three
 * functions that a freestanding libhanji takes from elsewhere. These are definitions: one file of
 * a program includes them.
 */
#ifndef HANJI_LAB_BARE_H
#define HANJI_LAB_BARE_H

#include <stddef.h>
#include <stdint.h>

int main(void);
void _start(void);
void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);

/*
 * The linker's global pointer, then main; whoever starts us has set the stack pointer. System call
 * 93 is exit.
 */
__attribute__((naked, used)) void _start(void)
{
    __asm__ __volatile__(".option push\n.option norelax\nla gp, __global_pointer$\n.option pop\n"
                         "call main\nli a7, 93\necall");
}

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
    uint8_t *out = to;
    const uint8_t *in = from;
    if ((uintptr_t)to <= (uintptr_t)from)
        return memcpy(to, from, bytes);
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

#endif
