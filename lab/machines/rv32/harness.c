/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The measuring program on RV32I: calls one kernel on prepared memory and sends what happened, and
 * the memory, to the console. Whether the outputs are right is decided by the laboratory, which
 * reads the console (harness.py).
 */
#include <stddef.h>
#include <stdint.h>

#define PAINT 0x5afec0deu
#define WARM_CALLS 3

/* Made by harness.py: one entry per call; the first is measured. */
typedef struct lab_prepared {
    uint32_t arguments[8];
    uint8_t *arena;
    uint32_t arena_bytes;
} lab_prepared;
extern const lab_prepared lab_calls[];
extern const uint32_t lab_call_count;
extern const uint32_t lab_function;

typedef struct lab_outcome {
    uint32_t count;
    uint32_t spoiled;
} lab_outcome;
void lab_call(const uint32_t *arguments, uint32_t function, lab_outcome *outcome);
void lab_few(void);
void lab_more(void);
void lab_main(void);
extern uint32_t lab_stack_bottom[], lab_stack_top[], *lab_saved_sp;

/* What the library needs of a C library, for kernels in C; assembly has no use for them. */
void *memcpy(void *restrict out, const void *restrict in, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)out)[i] = ((const uint8_t *)in)[i];
    return out;
}

void *memset(void *out, int value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)out)[i] = (uint8_t)value;
    return out;
}

static void put(uint8_t byte)
{
    *(volatile uint32_t *)LAB_CONSOLE = byte;
}

static void put_word(uint32_t word)
{
    for (int i = 0; i < 4; i++)
        put((uint8_t)(word >> 8 * i));
}

static void put_record(const lab_prepared *prepared, const lab_outcome *outcome, uint32_t stack)
{
    put_word(outcome->count);
    put_word(outcome->spoiled);
    put_word(stack);
    for (uint32_t i = 0; i < prepared->arena_bytes; i++)
        put(prepared->arena[i]);
}

static _Noreturn void end(void)
{
#ifdef LAB_EXIT
    *(volatile uint32_t *)LAB_EXIT = 0;
#else
    /*
     * Semihosting (RISC-V Semihosting 0.3, section 2; Arm's SYS_EXIT with
     * ADP_Stopped_ApplicationExit).
     */
    register uint32_t operation __asm__("a0") = 0x18, parameter __asm__("a1") = 0x20026;
    __asm__ volatile(
        ".balign 16\n .option push\n .option norvc\n slli zero, zero, 0x1f\n ebreak\n srai zero, zero, 7\n .option pop"
        :
        : "r"(operation), "r"(parameter)
        : "memory");
#endif
    for (;;)
        ;
}

#ifdef LAB_TRAPS
/* Called by the trap handler: the kernel crashed. No record begins so (harness.py: TRAP). */
void lab_trapped(uint32_t cause, uint32_t pc, uint32_t address);
void lab_trapped(uint32_t cause, uint32_t pc, uint32_t address)
{
    static const char mark[8] = "\xffLABTRAP";
    for (int i = 0; i < 8; i++)
        put((uint8_t)mark[i]);
    put_word(cause);
    put_word(pc);
    put_word(address);
    end();
}
#endif

void lab_main(void)
{
    lab_outcome outcome, few, more;
    for (int i = 0; i < WARM_CALLS; i++)
        lab_call(lab_calls[0].arguments, (uint32_t)(uintptr_t)lab_few, &few);
    for (int i = 0; i < WARM_CALLS; i++)
        lab_call(lab_calls[0].arguments, (uint32_t)(uintptr_t)lab_more, &more);
    /* Nothing has touched the code and the memory of the first call yet: this is the cold one. */
    lab_call(lab_calls[0].arguments, lab_function, &outcome);
    put_word(2 * few.count - more.count);
    put_record(&lab_calls[0], &outcome, 0);
    uint32_t spoiled = 0;
    for (int i = 0; i < WARM_CALLS; i++) {
        lab_call(lab_calls[0].arguments, lab_function, &outcome);
        spoiled |= outcome.spoiled;
    }
    outcome.spoiled = spoiled;
    put_record(&lab_calls[0], &outcome, 0);
    for (uint32_t i = 1; i < lab_call_count; i++) {
        /* Every call from here has the same stack pointer; nothing lives below it. */
        uint32_t *low = lab_stack_bottom;
        for (uint32_t *p = low; p < lab_saved_sp; p++)
            *p = PAINT;
        lab_call(lab_calls[i].arguments, lab_function, &outcome);
        while (low < lab_saved_sp && *low == PAINT)
            low++;
        put_record(&lab_calls[i], &outcome, (uint32_t)(lab_saved_sp - low) * 4);
    }
    end();
}
