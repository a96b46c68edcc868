/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The SPARKLE kernels for RV32I, each by itself: against portable C on edge and random states, with
 * guard words around the states, and through a caller that plants a pattern in every register which
 * a function must keep. The kernels with faults at the end must each be caught. Between marks: what
 * to count.
 */
#include "../c/check.h"
#include "sparkle/sparkle.h"
#include "trace/mark.h"

#define STATES_MAX 3
#define GUARD 0x5ca1ab1eu

typedef struct {
    const char *name;
    hanji_permute_fn *kernel, *portable;
    uint32_t words, slim, big;
} subject;

static const subject subjects[] = {
    {"sparkle256_rv32i_x1", hanji_sparkle256_rv32i_x1, hanji_sparkle256_portable_x1, 8, 7, 10},
    {"sparkle384_rv32i_x1", hanji_sparkle384_rv32i_x1, hanji_sparkle384_portable_x1, 12, 7, 11},
    {"sparkle512_rv32i_x1", hanji_sparkle512_rv32i_x1, hanji_sparkle512_portable_x1, 16, 8, 12},
};

/*
 * Call kernel(states, groups, steps) with patterns in s0 .. s11; 0 when these, sp, gp and tp come
 * back as they were.
 */
uint32_t call_watched(hanji_permute_fn *kernel, uint32_t *states, size_t groups, uint32_t steps);
__asm__(".text\n"
        "call_watched:\n"
        "    addi sp, sp, -80\n"
        "    sw ra, 64(sp)\n"
        "    sw gp, 68(sp)\n"
        "    sw tp, 72(sp)\n"
        "    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\n"
        "    sw s\\n, 4 * \\n(sp)\n"
        "    lui s\\n, 0x5a000 + \\n\n"
        "    .endr\n"
        "    mv t0, a0\n"
        "    mv a0, a1\n"
        "    mv a1, a2\n"
        "    mv a2, a3\n"
        "    la t1, stack_before\n"
        "    sw sp, 0(t1)\n"
        "    jalr t0\n"
        "    la t1, stack_before\n"
        "    lw t1, 0(t1)\n"
        "    xor a0, sp, t1\n"
        "    mv sp, t1\n"
        "    .irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11\n"
        "    lui t0, 0x5a000 + \\n\n"
        "    xor t0, t0, s\\n\n"
        "    or a0, a0, t0\n"
        "    lw s\\n, 4 * \\n(sp)\n"
        "    .endr\n"
        "    lw t0, 68(sp)\n"
        "    xor t0, t0, gp\n"
        "    or a0, a0, t0\n"
        "    lw t0, 72(sp)\n"
        "    xor t0, t0, tp\n"
        "    or a0, a0, t0\n"
        "    lw gp, 68(sp)\n"
        "    lw tp, 72(sp)\n"
        "    lw ra, 64(sp)\n"
        "    addi sp, sp, 80\n"
        "    ret\n"
        ".bss\n"
        ".balign 4\n"
        "stack_before: .zero 4\n"
        ".text\n");

typedef enum { RIGHT, WRONG_STATE, WRONG_GUARD, WRONG_REGISTERS } verdict;

/* Run a kernel over states that lie between guards. */
static verdict judge(const subject *s, hanji_permute_fn *kernel, const uint32_t *states,
                     size_t groups, uint32_t steps)
{
    static uint32_t room[16 * STATES_MAX + 2 * 16], expected[16 * STATES_MAX];
    const size_t words = s->words * groups;
    for (size_t i = 0; i < sizeof room / sizeof room[0]; i++)
        room[i] = GUARD;
    for (size_t i = 0; i < words; i++)
        room[16 + i] = expected[i] = states[i];
    s->portable(expected, groups, steps);
    const uint32_t registers = call_watched(kernel, room + 16, groups, steps);
    for (size_t i = 0; i < words; i++)
        if (room[16 + i] != expected[i])
            return WRONG_STATE;
    for (size_t i = 0; i < sizeof room / sizeof room[0]; i++)
        if ((i < 16 || i >= 16 + words) && room[i] != GUARD)
            return WRONG_GUARD;
    return registers == 0 ? RIGHT : WRONG_REGISTERS;
}

static uint32_t states[16 * STATES_MAX];

static void test_every_number_of_steps(void)
{
    for (const subject *s = subjects; s < subjects + 3; s++) {
        case_context = s->name;
        for (uint32_t steps = 1; steps <= 64; steps++)
            for (size_t groups = 0; groups <= STATES_MAX; groups++) {
                pseudo_random((uint8_t *)states, sizeof states, 64 * steps + (uint32_t)groups);
                CHECK(judge(s, s->kernel, states, groups, steps) == RIGHT);
            }
    }
}

/* All zeros, all ones, and one bit in every place, which carries run through. */
static void test_edge_states(void)
{
    for (const subject *s = subjects; s < subjects + 3; s++) {
        case_context = s->name;
        for (uint32_t bit = 0; bit <= 32 * s->words; bit++)
            for (uint32_t ones = 0; ones < 2; ones++) {
                fill(states, sizeof states, ones ? 0xff : 0);
                if (bit < 32 * s->words)
                    states[bit / 32] ^= (uint32_t)1 << bit % 32;
                CHECK(judge(s, s->kernel, states, 1, bit % 2 ? s->slim : s->big) == RIGHT);
            }
    }
}

static void test_random_states(void)
{
    for (const subject *s = subjects; s < subjects + 3; s++) {
        case_context = s->name;
        for (uint32_t run = 0; run < 200; run++) {
            pseudo_random((uint8_t *)states, sizeof states, 1000 + run);
            CHECK(judge(s, s->kernel, states, 1, run % 2 ? s->slim : s->big) == RIGHT);
        }
    }
}

/* Kernels that do their work and then one thing that they must not. */
hanji_permute_fn spoil_s5, spoil_gp, spoil_sp, spoil_behind, spoil_bit;
#define SPOILER(name, fault)                       \
    __asm__(".text\n" #name ":\n"                  \
            "    addi sp, sp, -16\n"               \
            "    sw ra, 12(sp)\n"                  \
            "    sw a0, 8(sp)\n"                   \
            "    call hanji_sparkle384_rv32i_x1\n" \
            "    lw a0, 8(sp)\n"                   \
            "    lw ra, 12(sp)\n"                  \
            "    addi sp, sp, 16\n" fault "    ret\n")
SPOILER(spoil_s5, "addi s5, s5, 1\n");
SPOILER(spoil_gp, "addi gp, gp, 4\n");
SPOILER(spoil_sp, "addi sp, sp, -16\n");
SPOILER(spoil_behind, "sw zero, 48(a0)\n");
SPOILER(spoil_bit, "lw t0, 44(a0)\nxori t0, t0, 1\nsw t0, 44(a0)\n");

static void test_controls_are_caught(void)
{
    const subject *s = &subjects[1];
    pseudo_random((uint8_t *)states, sizeof states, 7);
    CHECK(judge(s, s->kernel, states, 1, s->slim) == RIGHT);
    CHECK(judge(s, spoil_s5, states, 1, s->slim) == WRONG_REGISTERS);
    CHECK(judge(s, spoil_gp, states, 1, s->slim) == WRONG_REGISTERS);
    CHECK(judge(s, spoil_sp, states, 1, s->slim) == WRONG_REGISTERS);
    CHECK(judge(s, spoil_behind, states, 1, s->slim) == WRONG_GUARD);
    CHECK(judge(s, spoil_bit, states, 1, s->slim) == WRONG_STATE);
}

/* Between the marks: every kernel, slim and big, with each of two secrets. */
static void count_calls(void)
{
    for (const subject *s = subjects; s < subjects + 3; s++)
        for (uint32_t call = 0; call < 4; call++) {
            pseudo_random((uint8_t *)states, sizeof states, 1 + call % 2);
            const uint32_t steps = call < 2 ? s->slim : s->big;
            HANJI_LAB_BEGIN();
            s->kernel(states, 1, steps);
            HANJI_LAB_END();
        }
}

int main(void)
{
    static const test_case cases[] = {
        {"every number of steps", test_every_number_of_steps},
        {"edge states", test_edge_states},
        {"random states", test_random_states},
        {"controls are caught", test_controls_are_caught},
        {"calls to count", count_calls},
    };
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
