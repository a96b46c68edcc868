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

#ifdef __OPTIMIZE__
#define OF_ASCON 384
#else
#define OF_ASCON SHALLOW
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

#if defined(HANJI_ARMV7M) || defined(HANJI_ARMV6M)

/*
 * Zeros onto the stack, by registers no caller wants back: a prologue's copies of the others would
 * stay. Nothing is known of memset, and this is most of the cost of a short message.
 */
#ifdef HANJI_ARMV7M
#define ZEROS "movs r0, #0\n\tmovs r1, #0\n\tmovs r2, #0\n\tmovs r3, #0\n\tmov r12, r0\n\t"
#define PUSHES ".rept 32\n\tpush {r0-r3, r12}\n\t.endr\n\t"
#else
#define ZEROS "movs r0, #0\n\tmovs r1, #0\n\tmovs r2, #0\n\tmovs r3, #0\n\t"
#define PUSHES ".rept 40\n\tpush {r0-r3}\n\t.endr\n\t"
#endif

HANJI_INLINE void clear_below(void)
{
    _Static_assert(DEEP == 640 && SHALLOW == 640, "as many bytes as the pushes below");
    __asm__ __volatile__(".syntax unified\n\t" ZEROS PUSHES "add sp, #320\n\tadd sp, #320"
                         :
                         :
                         : "r0", "r1", "r2", "r3", "r12", "cc", "memory");
}

HANJI_NOINLINE void hanji_wipe_stack(void)
{
    clear_below();
}

HANJI_NOINLINE void hanji_wipe_stack_of_fleet(void)
{
    clear_below();
}

HANJI_NOINLINE void hanji_wipe_stack_shallow(void)
{
    clear_below();
}

#elif defined(HANJI_FREESTANDING)
/*
 * Zeros into an array of the caller's, whose words are a multiple of sixteen. Firmware's memset may
 * go byte by byte, and this is most of what a short message costs. The empty statement keeps the
 * loop from becoming that call.
 */
#if defined(HANJI_RV32) && !defined(HANJI_SMALL)
#define AT_ONCE 16
#else
#define AT_ONCE 8
#endif

HANJI_INLINE void clear(uint32_t *at, const uint32_t *end)
{
    for (; at != end; at += AT_ONCE) {
        at[0] = at[1] = at[2] = at[3] = at[4] = at[5] = at[6] = at[7] = 0;
#if AT_ONCE == 16
        at[8] = at[9] = at[10] = at[11] = at[12] = at[13] = at[14] = at[15] = 0;
#endif
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

#ifdef HANJI_RV32
HANJI_NOINLINE void hanji_wipe_stack_of_ascon(void)
{
    uint32_t below[OF_ASCON / 4];
    clear(below, below + OF_ASCON / 4);
}
#endif

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

HANJI_NOINLINE HANJI_UNGUARDED void hanji_wipe_stack_least(void)
{
    uint8_t below[LEAST];
    _Pragma("GCC unroll 12") /* as an operator: amalgams leave functions out, not directives */
        for (size_t i = 0; i < sizeof below; i += 64) memset(below + i, 0, 64);
    __asm__ __volatile__("" : : "r"(below) : "memory"); /* as in hanji_wipe() */
}

#endif

int hanji_equal(const uint8_t *a, const uint8_t *b, size_t bytes)
{
#ifdef HANJI_FREESTANDING
    uint32_t difference = 0;
    size_t i = 0;
#ifdef HANJI_RV32
    /* by words where both lie as such */
    if ((((uintptr_t)a | (uintptr_t)b) & 3) == 0) {
        for (; bytes - i >= 4; i += 4)
            difference |= load_le32((const uint8_t *)__builtin_assume_aligned(a + i, 4)) ^
                          load_le32((const uint8_t *)__builtin_assume_aligned(b + i, 4));
        difference = (difference | difference >> 16) & 0xffff;
    }
#endif
    for (; i < bytes; i++)
        difference |= (uint32_t)(a[i] ^ b[i]);
    /* difference is below 2^16: minus one has its top bit set only for 0. */
    return (int)((difference - 1) >> 31);
#else
    uint64_t difference = 0;
    size_t i = 0;
    if (bytes == 16) { /* most tags, by words as they were stored: a vector would wait for them */
        difference = load_le64(a) ^ load_le64(b);
        __asm__("" : "+r"(difference));
        difference |= load_le64(a + 8) ^ load_le64(b + 8);
        i = 16;
    }
    for (; bytes - i >= 8; i += 8)
        difference |= load_le64(a + i) ^ load_le64(b + i);
    for (; i < bytes; i++)
        difference |= (uint64_t)(a[i] ^ b[i]);
    /* a number or its negative has the top bit, but for 0 */
    return (int)(~(difference | (0 - difference)) >> 63);
#endif
}
