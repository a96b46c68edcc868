/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading, writing and leaving, for test programs that run under Linux and, without a C library, as
 * RV32 firmware under qemu-user.
 */
#ifndef HANJI_TESTS_IO_H
#define HANJI_TESTS_IO_H

#include <stddef.h>
#include <stdint.h>

#if defined(__riscv) && __riscv_xlen == 32

/* The Linux system calls 63 (read), 64 (write) and 93 (exit). */
static inline long system_call(long number, long a0, long a1, long a2)
{
    register long r0 __asm__("a0") = a0;
    register long r1 __asm__("a1") = a1;
    register long r2 __asm__("a2") = a2;
    register long r7 __asm__("a7") = number;
    __asm__ __volatile__("ecall" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r7) : "memory");
    return r0;
}

static inline long io_read(void *buffer, size_t bytes)
{
    return system_call(63, 0, (long)buffer, (long)bytes);
}

static inline long io_write(const void *buffer, size_t bytes)
{
    return system_call(64, 1, (long)buffer, (long)bytes);
}

#else

#include <unistd.h>

static inline long io_read(void *buffer, size_t bytes)
{
    return (long)read(0, buffer, bytes);
}

static inline long io_write(const void *buffer, size_t bytes)
{
    return (long)write(1, buffer, bytes);
}

#endif

static inline size_t text_length(const char *text)
{
    size_t n = 0;
    while (text[n] != '\0')
        n++;
    return n;
}

static inline int text_equal(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b)
        a++, b++;
    return *a == *b;
}

/* Write everything, or stop: 0 when done, -1 when the reader has gone. */
static inline int io_write_all(const void *buffer, size_t bytes)
{
    const uint8_t *p = buffer;
    while (bytes > 0) {
        const long n = io_write(p, bytes);
        if (n <= 0)
            return -1;
        p += n;
        bytes -= (size_t)n;
    }
    return 0;
}

static inline int io_print(const char *text)
{
    return io_write_all(text, text_length(text));
}

#endif
