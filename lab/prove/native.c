// SPDX-License-Identifier: Apache-2.0
// Runs single instructions of x86-64 on this processor: `struct state` in, `struct state` out,
// until the input ends. An instruction that faults says so. lab/prove/native.py makes the states.
// With NARROW for a processor without AVX-512: of the vectors the lower halves of the first 16.
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define CODE 0x50000000ULL
#define DATA 0x50010000ULL
#define PAGE 4096
#define TAKEN 0x40 // where branches are made to go

struct state {
    uint64_t general[16];
    uint64_t flags;
    uint64_t masks[8];
    uint8_t vectors[32][64];
    uint8_t data[PAGE];
    uint8_t code[16];
    uint64_t length;
    uint64_t taken;
    uint64_t fault;
};

struct state state;
uint64_t host, target = CODE;
void enter(void);
extern char exit_here[], exit_taken[];

// clang-format off
#ifdef NARROW
#define VECTORS "16"
#define LOAD "  vmovdqu state+200+64*\\i, %ymm\\i\n"
#define STORE "  vmovdqu %ymm\\i, state+200+64*\\i\n"
#else
#define VECTORS "32"
#define LOAD "  vmovdqu64 state+200+64*\\i, %zmm\\i\n"
#define STORE "  vmovdqu64 %zmm\\i, state+200+64*\\i\n"
#endif
__asm__(
    ".altmacro\n"
    ".macro vectors load\n"
    "i = 0\n"
    ".rept " VECTORS "\n"
    "  one %i, \\load\n"
    "  i = i + 1\n"
    ".endr\n"
    ".endm\n"
    ".macro one i, load\n"
    ".if \\load\n" LOAD ".else\n" STORE ".endif\n"
    ".endm\n"
#ifndef NARROW
    ".macro masks load\n"
    "i = 0\n"
    ".rept 8\n"
    "  mask %i, \\load\n"
    "  i = i + 1\n"
    ".endr\n"
    ".endm\n"
    ".macro mask i, load\n"
    ".if \\load\n  kmovq state+136+8*\\i, %k\\i\n"
    ".else\n  kmovq %k\\i, state+136+8*\\i\n.endif\n"
    ".endm\n"
#endif
    ".text\n.globl enter\nenter:\n"
    "push %rbx\n push %rbp\n push %r12\n push %r13\n push %r14\n push %r15\n"
    "mov %rsp, host\n"
    "vectors 1\n"
#ifndef NARROW
    "masks 1\n"
#endif
    "pushq state+128\n popfq\n"
    "mov state, %rax\n mov state+8, %rcx\n mov state+16, %rdx\n mov state+24, %rbx\n"
    "mov state+40, %rbp\n mov state+48, %rsi\n mov state+56, %rdi\n"
    "mov state+64, %r8\n mov state+72, %r9\n mov state+80, %r10\n mov state+88, %r11\n"
    "mov state+96, %r12\n mov state+104, %r13\n mov state+112, %r14\n mov state+120, %r15\n"
    "mov state+32, %rsp\n"
    "jmp *target\n"
    ".globl exit_taken\nexit_taken:\n movq $1, state+6368\n"
    ".globl exit_here\nexit_here:\n"
    "mov %rax, state\n mov %rcx, state+8\n mov %rdx, state+16\n mov %rbx, state+24\n"
    "mov %rsp, state+32\n mov %rbp, state+40\n mov %rsi, state+48\n mov %rdi, state+56\n"
    "mov %r8, state+64\n mov %r9, state+72\n mov %r10, state+80\n mov %r11, state+88\n"
    "mov %r12, state+96\n mov %r13, state+104\n mov %r14, state+112\n mov %r15, state+120\n"
    "mov host, %rsp\n"
    "pushfq\n popq state+128\n cld\n"
    "vectors 0\n"
#ifndef NARROW
    "masks 0\n"
#endif
    "vzeroupper\n"
    "pop %r15\n pop %r14\n pop %r13\n pop %r12\n pop %rbp\n pop %rbx\n ret\n");
// clang-format on

_Static_assert(__builtin_offsetof(struct state, flags) == 128, "flags");
_Static_assert(__builtin_offsetof(struct state, masks) == 136, "masks");
_Static_assert(__builtin_offsetof(struct state, vectors) == 200, "vectors");
_Static_assert(__builtin_offsetof(struct state, taken) == 6368, "taken");

static sigjmp_buf back;

static void failed(int number)
{
    siglongjmp(back, number);
}

static void jump(uint8_t *at, const char *to)
{
    const uint64_t address = (uint64_t)(uintptr_t)to;
    memcpy(at, "\xff\x25\0\0\0\0", 6);
    memcpy(at + 6, &address, 8);
}

static void *page(uint64_t at, int access)
{
    return mmap((void *)(uintptr_t)at, PAGE, access,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
}

int main(void)
{
    static uint8_t alternative[1 << 16];
    const stack_t stack = {.ss_sp = alternative, .ss_size = sizeof alternative};
    const struct sigaction action = {.sa_handler = failed, .sa_flags = SA_ONSTACK};
    const int signals[] = {SIGSEGV, SIGILL, SIGBUS, SIGFPE, SIGTRAP};
    sigaltstack(&stack, NULL);
    for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
    uint8_t *code = page(CODE, PROT_READ | PROT_WRITE | PROT_EXEC);
    uint8_t *data = page(DATA, PROT_READ | PROT_WRITE);
    if (code == MAP_FAILED || data == MAP_FAILED)
        return 1;
    while (fread(&state, sizeof state, 1, stdin) == 1) {
        memcpy(code, state.code, state.length);
        jump(code + state.length, exit_here);
        jump(code + TAKEN, exit_taken);
        memcpy(data, state.data, PAGE);
        const int number = sigsetjmp(back, 1);
        if (number == 0)
            enter();
        state.fault = (uint64_t)number;
        memcpy(state.data, data, PAGE);
        if (fwrite(&state, sizeof state, 1, stdout) != 1)
            return 1;
    }
    return 0;
}
