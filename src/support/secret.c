/* SPDX-License-Identifier: Apache-2.0 */
/* Erasing secrets and comparing them without leaking where they differ. */
#include "support/secret.h"

#include "hanji/block.h"
#include "support/bytes.h"
#include "support/cpu.h"

#if defined(HANJI_RV32) &&  \
    HANJI_KEY_AREA_BYTES >= \
        1088 /* the bit-sliced kernels are in; the larger frame is 464 bytes */
#define DEEP 768
#define SHALLOW 640
#elif defined(HANJI_FREESTANDING)
#define DEEP 640
#define SHALLOW 640
#else
#define DEEP 4096
#define SHALLOW 768
#if defined(__x86_64__) || defined(__aarch64__)
#define LEAST 256
#else
#define LEAST SHALLOW /* a word of 64 bits takes two registers */
#endif
#define FLEET 8192
#endif

void hanji_wipe(void *memory, size_t bytes)
{
    if (bytes == 0)
        return;
    memset(memory, 0, bytes);
    /*
     * The empty statement may read the memory, so the zeros before it are observable and stay.
     */
    __asm__ __volatile__("" : : "r"(memory) : "memory");
}

#ifdef HANJI_FREESTANDING
/*
 * Zeros into an array of the caller's, whose words are a multiple of four. Firmware's memset may go
 * byte by byte, and this is most of what a short message costs. The empty statement keeps the loop
 * from becoming that call.
 */
HANJI_INLINE void clear(uint32_t *at, const uint32_t *end)
{
    for (; at != end; at += 4) {
        at[0] = at[1] = at[2] = at[3] = 0;
        __asm__ __volatile__("" : : "r"(at) : "memory");
    }
}

HANJI_NOINLINE void hanji_wipe_stack(void)
{
    uint32_t below[DEEP / 4];
    clear(below, below + DEEP / 4);
}

HANJI_NOINLINE void hanji_wipe_stack_of_fleet(void)
{
    hanji_wipe_stack();
}

HANJI_NOINLINE void hanji_wipe_stack_shallow(void)
{
    uint32_t below[SHALLOW / 4];
    clear(below, below + SHALLOW / 4);
}

#else

HANJI_NOINLINE void hanji_wipe_stack(void)
{
    uint8_t below[DEEP];
    /*
     * In halves: x86-64's C libraries fill longer memory with an instruction that takes a hundred
     * cycles to begin.
     */
    hanji_wipe(below, DEEP / 2);
    hanji_wipe(below + DEEP / 2, sizeof below - DEEP / 2);
}

HANJI_NOINLINE void hanji_wipe_stack_of_fleet(void)
{
    uint8_t below[FLEET];
    hanji_wipe(below, sizeof below);
}

HANJI_NOINLINE void hanji_wipe_stack_shallow(void)
{
    uint8_t below[SHALLOW];
    /* a piece at a time: one long one becomes a slow string instruction */
    for (size_t i = 0; i < sizeof below; i += 64)
        wipe_here(below + i, 64);
}

HANJI_NOINLINE void hanji_wipe_stack_least(void)
{
    uint8_t below[LEAST];
    for (size_t i = 0; i < sizeof below; i += 64)
        wipe_here(below + i, 64);
}

#endif

int hanji_equal(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    uint32_t difference = 0;
    for (size_t i = 0; i < bytes; i++)
        difference |= (uint32_t)(a[i] ^ b[i]);
    /* difference is below 256: minus one has its top bit set only for 0. */
    return (int)((difference - 1) >> 31);
}
