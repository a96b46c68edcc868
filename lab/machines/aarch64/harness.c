/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The measuring program on AArch64 Linux: calls one kernel on prepared memory and writes what
 * happened, and the memory, to standard output. Whether the outputs are right is decided by the
 * laboratory (harness.py).
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <ucontext.h>
#include <unistd.h>

#define PAINT 0x5a
#define STACK 65536

/* Made by harness.py: one entry per call; the first is measured. */
typedef struct lab_prepared {
    uint64_t arguments[8];
    uint8_t *arena;
    uint64_t arena_bytes;
} lab_prepared;
extern const lab_prepared lab_calls[];
extern const uint64_t lab_call_count;
extern void (*const lab_function)(void);

uint32_t lab_call(const uint64_t *arguments, void (*function)(void), void *stack_top);

static _Alignas(64) uint8_t stack[STACK], signal_stack[STACK];

/* A kernel crashed: say the signal, the instruction and the address that it touched. */
static void crashed(int number, siginfo_t *info, void *context)
{
    const ucontext_t *at = context;
    fprintf(stderr, "lab crash: %d %llx %llx\n", number, (unsigned long long)at->uc_mcontext.pc,
            (unsigned long long)(uintptr_t)info->si_addr);
    _exit(9);
}

static void catch_crashes(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
    const stack_t own = {.ss_sp = signal_stack, .ss_size = STACK};
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&own, 0);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, 0);
}

int main(void)
{
    catch_crashes();
    for (uint64_t i = 0; i < lab_call_count; i++) {
        for (size_t k = 0; k < STACK; k++)
            stack[k] = PAINT;
        const uint32_t spoiled = lab_call(lab_calls[i].arguments, lab_function, stack + STACK);
        uint32_t untouched = 0;
        while (untouched < STACK && stack[untouched] == PAINT)
            untouched++;
        const uint32_t record[2] = {spoiled, STACK - untouched};
        if (fwrite(record, sizeof record, 1, stdout) != 1 ||
            fwrite(lab_calls[i].arena, lab_calls[i].arena_bytes, 1, stdout) != 1)
            return 3;
    }
    return fflush(stdout) == 0 ? 0 : 3;
}
