/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The measuring program on AArch64 Linux: calls one kernel on prepared memory and writes what
 * happened, and the memory, to standard output. Whether the outputs are right is decided by the
 * laboratory (harness.py).
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

static _Alignas(64) uint8_t stack[STACK];

int main(void)
{
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
