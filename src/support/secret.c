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
#define FLEET DEEP
#elif defined(HANJI_FREESTANDING)
#define DEEP 640
#define SHALLOW 640
#define FLEET DEEP
#else
#define DEEP 4096
#define SHALLOW 768
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

int hanji_equal(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    uint32_t difference = 0;
    for (size_t i = 0; i < bytes; i++)
        difference |= (uint32_t)(a[i] ^ b[i]);
    /* difference is below 256: minus one has its top bit set only for 0. */
    return (int)((difference - 1) >> 31);
}
