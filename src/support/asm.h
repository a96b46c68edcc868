/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assembly files speak the directives of ELF. For macOS this header goes before each of them and
 * says the same in the directives of Mach-O; cmake/kernels.cmake brings the names, which begin with
 * an underscore there, and the local labels, which begin with L. Windows calls functions in another
 * way: assembly for x86-64 is not in its build.
 */
#ifndef HANJI_SUPPORT_ASM_H
#define HANJI_SUPPORT_ASM_H

/* clang-format off */
#ifdef __APPLE__
.macro .hidden name
    .private_extern \name
.endm
.macro .type name, kind
.endm
.macro .size name, bytes
.endm
#endif

#endif
