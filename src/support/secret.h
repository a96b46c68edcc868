/* SPDX-License-Identifier: Apache-2.0 */
/* What compilers leave behind of secrets: copies of registers that C cannot name. */
#ifndef HANJI_SUPPORT_SECRET_H
#define HANJI_SUPPORT_SECRET_H

#include "hanji/common.h"
#include "support/bytes.h"
#include "support/cpu.h"

/*
 * hanji_wipe() in place, for a few words whose number the compiler knows: a call costs as much as
 * they do.
 */
static inline __attribute__((unused)) void wipe_here(void *memory, size_t bytes)
{
#ifndef HANJI_FREESTANDING
    memset(memory, 0, bytes);
    __asm__ __volatile__("" : : "r"(memory) : "memory"); /* as in hanji_wipe() */
#else
    hanji_wipe(memory, bytes);
#endif
}

/*
 * Overwrite the stack below the caller's frame, where functions that it has called kept theirs. The
 * caller must hold no secret itself, and what it called must not have been inlined into it. Deeper
 * than any of our kernels reaches: on hosts they need up to 1600 bytes (gcc 12, AVX-512) or 4096
 * (clang 14), portable ones 1300.
 */
void hanji_wipe_stack(void);

/*
 * The same behind a whole fleet on a host: clang 14 gives the AVX-512 kernels of its messages
 * frames of up to 7.8 KB.
 */
void hanji_wipe_stack_of_fleet(void);

/*
 * The same for calls that reach less deep, up to 700 bytes on hosts: a sponge with one state, one
 * block after the other.
 */
void hanji_wipe_stack_shallow(void);

/*
 * The same behind one message of Ascon. In firmware for RV32 the functions below such a call have
 * frames of up to 320 bytes together, without kernels 344 (gcc 12 and clang 14, from -O1 and -Os
 * on); without optimisation this is as deep as the others.
 */
#if defined(HANJI_RV32) && defined(HANJI_FREESTANDING)
void hanji_wipe_stack_of_ascon(void);
#else
#define hanji_wipe_stack_of_ascon hanji_wipe_stack_shallow
#endif

/*
 * The same behind a key schedule: gcc 12 and clang 14 give those frames of up to 112 bytes on
 * x86-64, and gcc 12 up to 144 on AArch64, at every level from -O1 and -Os on; behind CTR of a few
 * blocks in general registers, with the key schedule too, whose frames have up to 216; and behind
 * messages of SPARKLE by kernels for one, with pieces of ESCH up to 200.
 */
#ifdef HANJI_FREESTANDING
#define hanji_wipe_stack_least hanji_wipe_stack_shallow
#else
void hanji_wipe_stack_least(void);
#endif

#endif
