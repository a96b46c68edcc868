/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the constant-time harness needs as a program for RV32 under qemu-user with picolibc: a start
 * that takes arguments and environment from the stack, as Linux hands them over, and output by
 * system calls.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv);
_Noreturn void lab_begin(const uintptr_t *stack);
void _start(void);
_Noreturn void _exit(int status);
extern char **environ;

static long system_call(long number, long a, long b, long c)
{
    register long a0 __asm__("a0") = a, a1 __asm__("a1") = b, a2 __asm__("a2") = c,
                     a7 __asm__("a7") = number;
    __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
    return a0;
}

_Noreturn void _exit(int status)
{
    for (;;)
        system_call(93, status, 0, 0);
}

static int put(int file, char byte)
{
    return system_call(64, file, (long)&byte, 1) == 1 ? 0 : EOF;
}

static int put_out(char byte, FILE *file)
{
    (void)file;
    return put(1, byte);
}

static int put_error(char byte, FILE *file)
{
    (void)file;
    return put(2, byte);
}

static FILE out = FDEV_SETUP_STREAM(put_out, NULL, NULL, _FDEV_SETUP_WRITE);
static FILE error = FDEV_SETUP_STREAM(put_error, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdout = &out;
FILE *const stderr = &error;

__attribute__((naked, used)) void _start(void)
{
    __asm__ volatile(
        ".option push\n.option norelax\nla gp, __global_pointer$\n.option pop\nmv a0, sp\nandi sp, sp, -16\ncall lab_begin");
}

/* The stack holds the number of arguments, the arguments, NULL, the environment, NULL. */
_Noreturn void lab_begin(const uintptr_t *stack)
{
    const int argc = (int)stack[0];
    char **argv = (char **)(uintptr_t)(stack + 1);
    environ = argv + argc + 1;
    _exit(main(argc, argv));
}
