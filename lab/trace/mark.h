/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks around what the plugin of qemu-user watches. They are instructions without effect, on real
 * machines too: a move into the zero register, and a hint that RISC-V leaves free. A compiler moves
 * no memory access and no call across them.
 */
#ifndef HANJI_LAB_TRACE_MARK_H
#define HANJI_LAB_TRACE_MARK_H

#if defined(__aarch64__)
#define HANJI_LAB_BEGIN() __asm__ volatile(".inst 0x5289083F" ::: "memory")
#define HANJI_LAB_END() __asm__ volatile(".inst 0x5289085F" ::: "memory")
#elif defined(__riscv) && __riscv_xlen == 32
#define HANJI_LAB_BEGIN() __asm__ volatile("slti zero, zero, 0x4a1" ::: "memory")
#define HANJI_LAB_END() __asm__ volatile("slti zero, zero, 0x4a2" ::: "memory")
#else
#error "no marks are known for this processor"
#endif

#endif
