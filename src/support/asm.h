/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Assembly files speak the directives of ELF. For macOS and Windows, cmake/assembly.cmake and
 * cmake/kernels.cmake write copies of them in which this header goes before the text, and says the
 * same in the directives of Mach-O and PE. In the copies names begin with an underscore and local
 * labels with L where Mach-O wants it.
 */
#ifndef HANJI_SUPPORT_ASM_H
#define HANJI_SUPPORT_ASM_H

/* clang-format off */
#if defined(__APPLE__) || defined(_WIN32)
.macro .type name, kind
.endm
.macro .size name, bytes
.endm
#endif

#ifdef __APPLE__
.macro .hidden name
    .private_extern \name
.endm
#endif

#ifdef _WIN32
/* What a linker that exports everything leaves out. */
.macro .hidden name
    .section .drectve,"yn"
    .ascii " -exclude-symbols:\name"
    .text
.endm
#endif

#if defined(_WIN32) && defined(__x86_64__)
/*
 * Windows calls with other registers than the systems of ELF, and expects rdi, rsi and xmm6 to
 * xmm15 as they were: `name` goes over to `name`_sysv, a function of up to four arguments.
 */
.macro hanji_windows_call name
    .p2align 6
    .globl \name
    .seh_proc \name
\name:
    push %rsi
    .seh_pushreg %rsi
    push %rdi
    .seh_pushreg %rdi
    sub $168, %rsp
    .seh_stackalloc 168
    .irp number, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    movaps %xmm\number, (\number - 6) * 16(%rsp)
    .seh_savexmm %xmm\number, (\number - 6) * 16
    .endr
    .seh_endprologue
    mov %rcx, %rdi
    mov %rdx, %rsi
    mov %r8, %rdx
    mov %r9, %rcx
    call \name\()_sysv
    .irp number, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
    movaps (\number - 6) * 16(%rsp), %xmm\number
    .endr
    add $168, %rsp
    pop %rdi
    pop %rsi
    ret
    .seh_endproc
    .p2align 6
.endm
#endif

#endif
