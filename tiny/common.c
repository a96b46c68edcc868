/* SPDX-License-Identifier: Apache-2.0 */
/* What all algorithms share: wiping, comparison, and the checks of arguments. */
#if !defined(__GNUC__)
#error "hanji is built with gcc or clang: this compiler cannot promise that secrets are wiped"
#endif
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the tiny profile is for little-endian processors; take the amalgam without PROFILE=tiny"
#endif
#define NOINLINE __attribute__((noinline))
#define memcpy __builtin_memcpy
#define memmove __builtin_memmove
#define memset __builtin_memset

/* Constants are in flash, which an AVR reads with an instruction of its own. */
#ifdef __AVR__
#include <avr/pgmspace.h>
#define IN_FLASH PROGMEM
#define FLASH_WORD(at) pgm_read_dword(at)
#else
#define IN_FLASH
#define FLASH_WORD(at) (*(at))
#endif
#if defined(__thumb__) && !defined(__thumb2__)
#define ARMV6M
#endif
/* Where a loop has too few registers for what it calls, too. */
#if defined(__AVR__) || defined(ARMV6M)
#define MORE_REGISTERS NOINLINE
#else
#define MORE_REGISTERS inline
#endif

NOINLINE void hanji_wipe(void *memory, size_t bytes)
{
    uint8_t *at = (uint8_t *)memory;
    while (bytes-- > 0) {
        *at++ = 0;
        __asm__ __volatile__("" : : "r"(at) : "memory");
    }
}

int hanji_equal(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    uint8_t difference = 0;
    while (bytes-- > 0)
        difference |= (uint8_t)(*a++ ^ *b++);
    return (int)(((unsigned)difference - 1) >> 8 & 1);
}

/*
 * The buffer b is missing, or shares a byte with a. A difference of addresses that wraps around is
 * larger than every buffer. With an empty buffer a it is only whether b is missing.
 */
static NOINLINE int wrong(const void *a, size_t a_bytes, const void *b, size_t b_bytes)
{
    const uintptr_t apart = (uintptr_t)a - (uintptr_t)b;
#ifdef ARMV6M /* where a comparison without a branch is smaller */
    if (b_bytes == 0)
        return 0;
    if (b == NULL)
        return 1;
    if (a_bytes == 0)
        return 0;
    return -(apart < b_bytes) | -(0 - apart < a_bytes);
#else
    return b_bytes != 0 &&
           (b == NULL || (a_bytes != 0 && (apart < b_bytes || 0 - apart < a_bytes)));
#endif
}

/* in is missing, or out overlaps it without beginning where it begins. */
__attribute__((unused)) static inline int wrong_text(const uint8_t *out, size_t out_bytes,
                                                     const uint8_t *in, size_t in_bytes)
{
    return wrong(out, out == in ? 0 : out_bytes, in, in_bytes);
}

/*
 * Overwrites the stack below a call, as deep as what it called went: the deepest that a compiler
 * has needed, with some room. What the functions below keep on it, they do not wipe themselves. It
 * calls nothing: beside an address to return to there would be a gap in its frame, where something
 * could stay. The empty statement may read the array, so that the zeros in it stay.
 */
#ifdef __AVR__
#define WIPE_BELOW(name, depth)                                           \
    static NOINLINE void name(void)                                       \
    {                                                                     \
        uint8_t left = (depth) / 2, taken;                                \
        __asm__ __volatile__("1: push __zero_reg__\n push __zero_reg__\n" \
                             "dec %0\n brne 1b\n ldi %0, %2\n"            \
                             "2: pop %1\n pop %1\n dec %0\n brne 2b"      \
                             : "+d"(left), "=&r"(taken)                   \
                             : "M"((depth) / 2)                           \
                             : "memory");                                 \
    }
#else
#define WIPE_BELOW(name, depth)                               \
    static NOINLINE void name(void)                           \
    {                                                         \
        uint32_t below[(depth) / 4], *at = below;             \
        do {                                                  \
            *at++ = 0;                                        \
            __asm__ __volatile__("" : "+r"(at) : : "memory"); \
        } while (at != below + (depth) / 4);                  \
    }
#endif
