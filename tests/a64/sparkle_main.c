/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every SPARKLE kernel of AArch64, and those of one state of x86-64, against portable C: all counts
 * of states, numbers of steps and masks, up to the edge of a page without access. And their
 * manners: the registers of the caller are as they were.
 */
#include "../c/check.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hanji/hanji.h"
#include "sparkle/sparkle.h"
#include "support/cpu.h"

enum { STATES_MAX = 20, WORDS_MAX = 16, LANES_MAX = 5, ROOM = STATES_MAX * WORDS_MAX * 4 };

/*
 * The permutation of five lanes at a time: word w of lanes 0 .. 3 at 4 * w, the words of the fifth
 * behind them. Slim steps, or big ones in the lanes whose mask in `big` is all ones; `big` NULL:
 * slim in all.
 */
typedef void lanes_fn(uint32_t *state, const uint32_t *big);

extern uint32_t abi_call(void *function, const uint64_t arguments[4]);
extern void abi_corrupt(uint64_t which);

typedef struct kernel {
    const char *name;
    hanji_permute_fn *permute;
    lanes_fn *lanes;
    uint32_t bits, words, slim, big, group, needs;
} kernel;

#ifdef HANJI_X86
#define KEPT 7 /* what a call must keep, and abi_corrupt can spoil */
static const kernel kernels[] = {
    {"sparkle384_avx512_x1", hanji_sparkle384_avx512_x1, NULL, 384, 12, 7, 11, 1, HANJI_CPU_AVX512},
    {"sparkle384_avx2_x1", hanji_sparkle384_avx2_x1, NULL, 384, 12, 7, 11, 1, HANJI_CPU_AVX2},
    {"sparkle512_avx512_x1", hanji_sparkle512_avx512_x1, NULL, 512, 16, 8, 12, 1, HANJI_CPU_AVX512},
};
#else
/* Of papers/sparkle-armv8, measured next to the others and not in the library. */
hanji_permute_fn hanji_sparkle256_neon_x1, hanji_sparkle384_neon_x1, hanji_sparkle512_neon_x1;
lanes_fn hanji_sparkle256_neon_x5_lanes, hanji_sparkle384_neon_x5_lanes,
    hanji_sparkle512_neon_x5_lanes;
#define KEPT 21
#define SIZE(bits, words, slim, big)                                                               \
    {"sparkle" #bits "_a64_x1", hanji_sparkle##bits##_a64_x1, NULL, bits, words, slim, big, 1, 0}, \
        {"sparkle" #bits "_neon_x1",                                                               \
         hanji_sparkle##bits##_neon_x1,                                                            \
         NULL,                                                                                     \
         bits,                                                                                     \
         words,                                                                                    \
         slim,                                                                                     \
         big,                                                                                      \
         1,                                                                                        \
         0},                                                                                       \
        {"sparkle" #bits "_neon_x4",                                                               \
         hanji_sparkle##bits##_neon_x4,                                                            \
         NULL,                                                                                     \
         bits,                                                                                     \
         words,                                                                                    \
         slim,                                                                                     \
         big,                                                                                      \
         4,                                                                                        \
         0},                                                                                       \
        {"sparkle" #bits "_neon_x5",                                                               \
         NULL,                                                                                     \
         hanji_sparkle##bits##_neon_x5_lanes,                                                      \
         bits,                                                                                     \
         words,                                                                                    \
         slim,                                                                                     \
         big,                                                                                      \
         5,                                                                                        \
         0},

static const kernel kernels[] = {SIZE(256, 8, 7, 10) SIZE(384, 12, 7, 11) SIZE(512, 16, 8, 12)};
#endif

static uint8_t *page_end;
static uint32_t input[STATES_MAX * WORDS_MAX], expected[STATES_MAX * WORDS_MAX];

static void portable(uint32_t *state, uint32_t bits, uint32_t steps)
{
    (bits == 256   ? hanji_sparkle256_portable_x1
     : bits == 384 ? hanji_sparkle384_portable_x1
                   : hanji_sparkle512_portable_x1)(state, 1, steps);
}

static int mannered(void *function, uint64_t a, uint64_t b, uint64_t c)
{
    const uint64_t arguments[4] = {a, b, c, 0};
    return abi_call(function, arguments) == 0;
}

/* `shift` words before the page without access, so that a byte too far faults. */
static void permute_states(const kernel *k, size_t states, uint32_t steps, size_t shift)
{
    const size_t count = states * k->words;
    uint32_t *at = (uint32_t *)(void *)page_end - count - shift;
    pseudo_random((uint8_t *)input, count * 4, (uint32_t)(states * 100 + steps));
    memcpy(expected, input, count * 4);
    for (size_t i = 0; i < states; i++)
        portable(expected + i * k->words, k->bits, steps);
    memset(page_end - ROOM, 0xaa, ROOM);
    memcpy(at, input, count * 4);
    CHECK(mannered((void *)(uintptr_t)k->permute, (uintptr_t)at, states / k->group, steps));
    CHECK(memcmp(at, expected, count * 4) == 0);
    for (uint8_t *p = page_end - ROOM; p < (uint8_t *)at; p++)
        CHECK(*p == 0xaa);
    for (uint8_t *p = (uint8_t *)(at + count); p < page_end; p++)
        CHECK(*p == 0xaa);
}

/* Word w of lane l; the fifth lane lies behind the four in vectors. */
static size_t place(const kernel *k, size_t w, size_t l)
{
    return l < 4 ? 4 * w + l : 4 * k->words + w;
}

static void permute_lanes(const kernel *k, uint32_t big_lanes, int masked)
{
    const size_t count = k->group * k->words;
    uint32_t *at = (uint32_t *)(void *)page_end - count, big[LANES_MAX];
    pseudo_random((uint8_t *)input, count * 4, big_lanes + 1000);
    for (uint32_t l = 0; l < k->group; l++) {
        big[l] = (big_lanes >> l & 1) != 0 ? UINT32_MAX : 0;
        uint32_t state[WORDS_MAX];
        for (size_t w = 0; w < k->words; w++)
            state[w] = input[place(k, w, l)];
        portable(state, k->bits, big[l] != 0 && masked ? k->big : k->slim);
        for (size_t w = 0; w < k->words; w++)
            expected[place(k, w, l)] = state[w];
    }
    memset(page_end - ROOM, 0xaa, ROOM);
    memcpy(at, input, count * 4);
    CHECK(mannered((void *)(uintptr_t)k->lanes, (uintptr_t)at, masked ? (uintptr_t)big : 0, 0));
    CHECK(memcmp(at, expected, count * 4) == 0);
    for (uint8_t *p = page_end - ROOM; p < (uint8_t *)at; p++)
        CHECK(*p == 0xaa);
}

static void kernels_equal_portable(void)
{
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        const kernel *k = &kernels[i];
        case_context = k->name;
        if ((k->needs & ~hanji_cpu_features()) != 0)
            continue;
        (void)io_print(k->name);
        (void)io_print("\n");
        if (k->permute != NULL)
            for (size_t states = 0; states <= 17; states += k->group)
                for (uint32_t steps = 1; steps <= 64 && !case_failed; steps += steps == 26 ? 38 : 1)
                    permute_states(k, states, steps, states % 3);
        if (k->lanes != NULL)
            for (uint32_t lanes = 0; lanes < 1u << k->group && !case_failed; lanes++) {
                permute_lanes(k, lanes, 1);
                permute_lanes(k, lanes, 0);
            }
    }
}

/* Every register that a kernel must keep, spoilt: each must be seen. */
static void control(void)
{
    for (uint64_t which = 0; which < KEPT; which++) {
        const uint64_t arguments[4] = {which, 0, 0, 0};
        CHECK(abi_call((void *)(uintptr_t)abi_corrupt, arguments) == 1u << which);
    }
    CHECK(mannered((void *)(uintptr_t)abi_corrupt, KEPT, 0, 0));
}

int main(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (ROOM + page - 1) / page * page;
    uint8_t *p =
        mmap(NULL, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p + bytes, page, PROT_NONE) != 0)
        return 3;
    page_end = p + bytes;
    const test_case cases[] = {{"control", control}, {"kernels", kernels_equal_portable}};
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
