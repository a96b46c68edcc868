/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which compilers may build the library: gcc from version 5 and clang from version 6, and those
 * that take their language (__GNUC__). Others have no way to say that a function is not inlined or
 * that memory is read, and without these two the wiping of secrets is at the mercy of the
 * optimiser.
 */
#ifndef HANJI_SUPPORT_COMPILER_H
#define HANJI_SUPPORT_COMPILER_H

#ifndef __ASSEMBLER__

#if !defined(__GNUC__)
#error \
    "hanji is built with gcc (5 or newer) or clang (6 or newer): this compiler cannot promise that secrets are wiped. See docs/firmware.md, Compilers"
#elif defined(__clang__) ? __clang_major__ < 6 : __GNUC__ < 5
#error \
    "hanji is built with gcc (5 or newer) or clang (6 or newer): this version is older. See docs/firmware.md, Compilers"
#endif

/* An amalgam is C++, too. */
#if !defined(__cplusplus) && (!defined(__STDC_VERSION__) || __STDC_VERSION__ < 201112L)
#error "hanji is written in C11: compile it with -std=c11 or later"
#endif

/*
 * Not inlined, and so with a frame of its own below that of its caller, where hanji_wipe_stack()
 * reaches.
 */
#define HANJI_NOINLINE __attribute__((noinline))

/* What always holds and the compiler cannot know: it makes less code. */
#define HANJI_ALWAYS(condition)      \
    do {                             \
        if (!(condition))            \
            __builtin_unreachable(); \
    } while (0)

/* Without a stack protector: nothing here writes past its arrays, whose indices are constants. */
#ifdef __has_attribute
#if __has_attribute(no_stack_protector)
#define HANJI_UNGUARDED __attribute__((no_stack_protector))
#endif
#endif
#ifndef HANJI_UNGUARDED
#define HANJI_UNGUARDED
#endif

#ifdef __has_builtin
#if __has_builtin(__builtin_memcpy) && __has_builtin(__builtin_memmove) && \
    __has_builtin(__builtin_memset)
#define HANJI_HAS_BUILTIN_MEMCPY
#endif
#elif defined(__GNUC__) /* gcc before version 10 has them and no __has_builtin */
#define HANJI_HAS_BUILTIN_MEMCPY
#endif

#endif
#endif
