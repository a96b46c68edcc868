/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a call of the library leaves behind. Every call runs twice on a painted stack of its own,
 * with other secrets (keys, texts, states) and the same public values (lengths, addresses, nonces,
 * associated data). A byte of the stack below the caller, or of a register at the return, that
 * differs between the runs depends on a secret. Each call is the last one that runs on that stack,
 * so nothing that comes later can hide what it leaves. The controls come first: calls that leave a
 * secret must be found, and one that leaves nothing must not.
 *
 * It is also compiled with an amalgam of everything, for which test_c_residue.py writes ciphers.h:
 * with HANJI_AMALGAM there are no fleets, no telemetry and no list of ciphers.
 *
 * Usage: residue TIER [STEP [registers]]. STEP: take every STEP-th length, for emulators. With
 * "registers", registers count as well as the stack. A line for each call that leaves something;
 * the last line says how many calls and runs there were.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aeads.h"
#include "hanji/hanji.h"
#ifdef HANJI_AMALGAM
#include "ciphers.h"
#endif

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "residue_main.c has the switch of stacks for x86-64 and AArch64 only"
#endif

enum { STACK = 1 << 16, PAINT = 0xa5, LONGEST = 3002, AD = 21, MESSAGES = 40 };

/* The registers as they are when the call has returned. */
static struct {
    uint8_t vectors[32][64];
    uint64_t general[32];
} __attribute__((aligned(64))) at_return __attribute__((used)), seen_registers[2];

static uint8_t stack[STACK] __attribute__((aligned(4096))), seen[2][STACK];

/* What on_stack() keeps of its caller. */
static uint64_t kept_pointer __attribute__((used));
/* 512, 256 or 128: bits of the vectors that this processor has. */
static int vector_bits __attribute__((used));

/* Runs `call` on the stack that ends at `top`, from registers of zeros; fills at_return. */
void on_stack(void (*call)(void), void *top);

#if defined(__x86_64__)
#define GENERAL 15
static const char *const general_names[GENERAL] = {"rax", "rcx", "rdx", "rsi", "rdi",
                                                   "r8",  "r9",  "r10", "r11", "rbx",
                                                   "rbp", "r12", "r13", "r14", "r15"};
#define EACH_16(f) \
    f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15)
#define EACH_UPPER(f) \
    f(16) f(17) f(18) f(19) f(20) f(21) f(22) f(23) f(24) f(25) f(26) f(27) f(28) f(29) f(30) f(31)
#define ZERO_X(n) "pxor %xmm" #n ", %xmm" #n "\n\t"
#define ZERO_Z(n) "vpxord %zmm" #n ", %zmm" #n ", %zmm" #n "\n\t"
#define STORE_X(n) "movdqu %xmm" #n ", 64*" #n "(%rbx)\n\t"
#define STORE_Y(n) "vmovdqu %ymm" #n ", 64*" #n "(%rbx)\n\t"
#define STORE_Z(n) "vmovdqu64 %zmm" #n ", 64*" #n "(%rbx)\n\t"
__asm__(
    ".text\n\t"
    ".globl on_stack\n"
    "on_stack:\n\t"
    "push %rbp\n\tpush %rbx\n\tpush %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n\t"
    "mov %rsp, kept_pointer(%rip)\n\t"
    "mov %rsi, %rsp\n\t"
    "mov %rdi, %rax\n\t"
    "cmpl $256, vector_bits(%rip)\n\t"
    "jb 1f\n\t"
    "je 2f\n\t" EACH_UPPER(ZERO_Z) "2:\tvzeroall\n1:\t" EACH_16(
        ZERO_X) "xor %ebx, %ebx\n\txor %ecx, %ecx\n\txor %edx, %edx\n\txor %esi, %esi\n\t"
                "xor %edi, %edi\n\txor %ebp, %ebp\n\txor %r8d, %r8d\n\txor %r9d, %r9d\n\t"
                "xor %r10d, %r10d\n\txor %r11d, %r11d\n\txor %r12d, %r12d\n\txor %r13d, %r13d\n\t"
                "xor %r14d, %r14d\n\txor %r15d, %r15d\n\t"
                "call *%rax\n\t"
                "mov %rbx, 2120+at_return(%rip)\n\t"
                "lea at_return(%rip), %rbx\n\t"
                "mov %rax, 2048(%rbx)\n\tmov %rcx, 2056(%rbx)\n\tmov %rdx, 2064(%rbx)\n\t"
                "mov %rsi, 2072(%rbx)\n\tmov %rdi, 2080(%rbx)\n\tmov %r8, 2088(%rbx)\n\t"
                "mov %r9, 2096(%rbx)\n\tmov %r10, 2104(%rbx)\n\tmov %r11, 2112(%rbx)\n\t"
                "mov %rbp, 2128(%rbx)\n\tmov %r12, 2136(%rbx)\n\tmov %r13, 2144(%rbx)\n\t"
                "mov %r14, 2152(%rbx)\n\tmov %r15, 2160(%rbx)\n\t"
                "cmpl $256, vector_bits(%rip)\n\t"
                "jb 1f\n\t"
                "je 2f\n\t" EACH_16(STORE_Z) EACH_UPPER(
                    STORE_Z) "jmp 3f\n"
                             "2:\t" EACH_16(
                                 STORE_Y) "jmp 3f\n"
                                          "1:\t" EACH_16(
                                              STORE_X) "3:\tmov kept_pointer(%rip), %rsp\n\t"
                                                       "pop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tpop %rbx\n\tpop %rbp\n\t"
                                                       "ret\n\t");

static int bits_of_vectors(void)
{
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx512f") ? 512 : __builtin_cpu_supports("avx2") ? 256 : 128;
}
#else
#define GENERAL 29
static const char *const general_names[GENERAL] = {
    "x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",
    "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19",
    "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28"};
#define EACH_32(f)                                                                              \
    f(0) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8) f(9) f(10) f(11) f(12) f(13) f(14) f(15) f(16) \
        f(17) f(18) f(19) f(20) f(21) f(22) f(23) f(24) f(25) f(26) f(27) f(28) f(29) f(30) f(31)
#define ZERO_V(n) "movi v" #n ".2d, #0\n\t"
#define STORE_V(n) "str q" #n ", [x29, #64*" #n "]\n\t"
__asm__(
    ".text\n\t"
    ".globl on_stack\n"
    "on_stack:\n\t"
    "stp x29, x30, [sp, #-160]!\n\t"
    "stp x19, x20, [sp, #16]\n\tstp x21, x22, [sp, #32]\n\tstp x23, x24, [sp, #48]\n\t"
    "stp x25, x26, [sp, #64]\n\tstp x27, x28, [sp, #80]\n\tstp d8, d9, [sp, #96]\n\t"
    "stp d10, d11, [sp, #112]\n\tstp d12, d13, [sp, #128]\n\tstp d14, d15, [sp, #144]\n\t"
    "adrp x2, kept_pointer\n\tadd x2, x2, :lo12:kept_pointer\n\t"
    "mov x3, sp\n\tstr x3, [x2]\n\t"
    "mov sp, x1\n\tmov x30, x0\n\t" EACH_32(
        ZERO_V) "mov x0, #0\n\tmov x1, #0\n\tmov x2, #0\n\tmov x3, #0\n\tmov x4, #0\n\tmov x5, #0\n\t"
                "mov x6, #0\n\tmov x7, #0\n\tmov x8, #0\n\tmov x9, #0\n\tmov x10, #0\n\t"
                "mov x11, #0\n\tmov x12, #0\n\tmov x13, #0\n\tmov x14, #0\n\tmov x15, #0\n\t"
                "mov x16, #0\n\tmov x17, #0\n\tmov x19, #0\n\tmov x20, #0\n\tmov x21, #0\n\t"
                "mov x22, #0\n\tmov x23, #0\n\tmov x24, #0\n\tmov x25, #0\n\tmov x26, #0\n\t"
                "mov x27, #0\n\tmov x28, #0\n\tmov x29, #0\n\t"
                "blr x30\n\t"
                "adrp x29, at_return\n\tadd x29, x29, :lo12:at_return\n\t" EACH_32(
                    STORE_V) "add x29, x29, #2048\n\t"
                             "stp x0, x1, [x29]\n\tstp x2, x3, [x29, #16]\n\tstp x4, x5, [x29, #32]\n\t"
                             "stp x6, x7, [x29, #48]\n\tstp x8, x9, [x29, #64]\n\tstp x10, x11, [x29, #80]\n\t"
                             "stp x12, x13, [x29, #96]\n\tstp x14, x15, [x29, #112]\n\t"
                             "stp x16, x17, [x29, #128]\n\tstp x18, x19, [x29, #144]\n\t"
                             "stp x20, x21, [x29, #160]\n\tstp x22, x23, [x29, #176]\n\t"
                             "stp x24, x25, [x29, #192]\n\tstp x26, x27, [x29, #208]\n\tstr x28, [x29, #224]\n\t"
                             "adrp x2, kept_pointer\n\tadd x2, x2, :lo12:kept_pointer\n\t"
                             "ldr x3, [x2]\n\tmov sp, x3\n\t"
                             "ldp x19, x20, [sp, #16]\n\tldp x21, x22, [sp, #32]\n\tldp x23, x24, [sp, #48]\n\t"
                             "ldp x25, x26, [sp, #64]\n\tldp x27, x28, [sp, #80]\n\tldp d8, d9, [sp, #96]\n\t"
                             "ldp d10, d11, [sp, #112]\n\tldp d12, d13, [sp, #128]\n\tldp d14, d15, [sp, #144]\n\t"
                             "ldp x29, x30, [sp], #160\n\t"
                             "ret\n\t");

static int bits_of_vectors(void)
{
    return 128;
}
#endif

/* The secrets of a run, and everything that a call works on. */
static uint8_t key[64], text[LONGEST + 64], state[64];
static uint8_t nonce[32 * MESSAGES], ad[AD];
static uint8_t out[LONGEST + 64], sealed[LONGEST + 64], tag[64 * MESSAGES], digest[64 * MESSAGES];
static uint8_t keys[32 * MESSAGES];
static size_t amount; /* bytes of the text */
static int refused;   /* a call returned something else than it should */

static void must(int rc)
{
    refused |= rc != HANJI_OK;
}

/* xorshift: bytes that are alike in every run of this program */
static void fill_random(uint8_t *p, size_t bytes, uint64_t seed)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15u + 1;
    for (size_t i = 0; i < bytes; i++) {
        x ^= x << 13, x ^= x >> 7, x ^= x << 17;
        p[i] = (uint8_t)(x >> 24);
    }
}

static void set_secrets(uint64_t which)
{
    fill_random(key, sizeof key, which);
    fill_random(text, sizeof text, which + 10);
    fill_random(state, sizeof state, which + 20);
    fill_random(keys, sizeof keys, which + 30);
    fill_random(nonce, sizeof nonce, 5); /* the rest is public */
    fill_random(ad, sizeof ad, 6);
    memset(out, 0, sizeof out);
    memset(sealed, 0, sizeof sealed);
    memset(tag, 0, sizeof tag);
    memset(digest, 0, sizeof digest);
}

static unsigned long calls, runs, leaking;
static int with_registers;

static const char *register_at(size_t i)
{
    static char name[16];
    if (i >= sizeof at_return.vectors)
        return general_names[(i - sizeof at_return.vectors) / 8];
    (void)snprintf(name, sizeof name, "vector %zu", i / 64);
    return name;
}

/* What differs after the call, over lengths of the text; 0 when nothing does. */
struct found {
    size_t lengths, stack_lengths, most, first_length, deepest, register_lengths;
    char registers[64];
};

static void run_twice(void (*prepare)(void), void (*call)(void), struct found *f)
{
    refused = 0;
    for (int r = 0; r < 2; r++) {
        set_secrets((uint64_t)r + 1);
        if (prepare != NULL)
            prepare();
        memset(stack, PAINT, STACK);
        memset(&at_return, 0, sizeof at_return);
        on_stack(call, stack + STACK - 64);
        memcpy(seen[r], stack, STACK);
        memcpy(&seen_registers[r], &at_return, sizeof at_return);
    }
    runs++;
    f->lengths++;
    if (stack[0] != PAINT) {
        printf("the stack of %d bytes is too small\n", STACK);
        exit(2);
    }
    size_t different = 0;
    if (memcmp(seen[0], seen[1], STACK) != 0)
        for (size_t i = STACK; i-- > 0;)
            if (seen[0][i] != seen[1][i]) {
                different++;
                f->deepest = STACK - i > f->deepest ? STACK - i : f->deepest;
            }
    if (different > 0 && f->stack_lengths++ == 0)
        f->first_length = amount;
    f->most = different > f->most ? different : f->most;
    const uint8_t *a = (const uint8_t *)&seen_registers[0],
                  *b = (const uint8_t *)&seen_registers[1];
    if (with_registers && memcmp(a, b, sizeof at_return) != 0) {
        f->register_lengths++;
        size_t at = 0;
        const char *last = "";
        for (size_t i = 0; i < sizeof at_return && at < sizeof f->registers - 16; i++)
            if (a[i] != b[i] && strcmp(register_at(i), last) != 0) {
                last = f->registers + at + (at > 0 ? 2 : 0);
                at += (size_t)snprintf(f->registers + at, sizeof f->registers - at, "%s%s",
                                       at > 0 ? ", " : "", register_at(i));
            }
    }
}

static const char *tier;

static void report(const char *name, const struct found *f)
{
    if (f->stack_lengths > 0)
        printf("LEFT %s, %s: on the stack at %zu of %zu lengths, first at %zu bytes, at most %zu "
               "bytes, down to %zu below the top\n",
               tier, name, f->stack_lengths, f->lengths, f->first_length, f->most, f->deepest);
    if (f->register_lengths > 0)
        printf("LEFT %s, %s: in registers at %zu of %zu lengths, last in %s\n", tier, name,
               f->register_lengths, f->lengths, f->registers);
    leaking += f->stack_lengths > 0 || f->register_lengths > 0;
}

static size_t step = 1;

/* All lengths to 300 and a sample of longer ones, in multiples of `unit`. */
static size_t length_at(size_t i)
{
    static const size_t longer[] = {
        303,  311,  319,  320,  321,  352,  383,  384,  385,  401,  448,  480,  496,  511,  512,
        513,  576,  577,  640,  701,  768,  769,  896,  900,  1000, 1023, 1024, 1025, 1152, 1280,
        1499, 1536, 1537, 1792, 2000, 2047, 2048, 2049, 2300, 2500, 2688, 2816, 2999, 3001, 3002};
    return i <= 300 ? i : i - 301 < sizeof longer / sizeof longer[0] ? longer[i - 301] : SIZE_MAX;
}

static int over_lengths(const char *name, size_t unit, size_t most, void (*prepare)(void),
                        void (*call)(void))
{
    struct found f = {0};
    calls++;
    for (size_t i = 0; (amount = length_at(i)) != SIZE_MAX; i += step)
        if (amount % unit == 0 && amount <= most) {
            run_twice(prepare, call, &f);
            if (refused) {
                printf("ERROR %s, %s of %zu bytes: the call did not do its work\n", tier, name,
                       amount);
                exit(2);
            }
        }
    amount = 0;
    report(name, &f);
    return f.stack_lengths > 0 || f.register_lengths > 0;
}

/* Calls whose work does not depend on a length. */
static int once(const char *name, void (*prepare)(void), void (*call)(void))
{
    struct found f = {0};
    calls++;
    amount = 75;
    run_twice(prepare, call, &f);
    if (refused) {
        printf("ERROR %s, %s: the call did not do its work\n", tier, name);
        exit(2);
    }
    report(name, &f);
    return f.stack_lengths > 0 || f.register_lengths > 0;
}

/* Controls. */

static __attribute__((noinline)) void leave_on_stack(void)
{
    volatile uint8_t left[4];
    for (size_t i = 0; i < sizeof left; i++)
        left[i] = key[i];
}

static __attribute__((noinline)) void leave_in_general(void)
{
#if defined(__x86_64__)
    __asm__ volatile("movzbl (%0), %%r11d" : : "r"(key) : "r11", "memory");
#else
    __asm__ volatile("ldrb w11, [%0]" : : "r"(key) : "x11", "memory");
#endif
}

static __attribute__((noinline)) void leave_in_vector(void)
{
#if defined(__x86_64__)
    if (vector_bits == 512)
        __asm__ volatile("vmovdqu64 (%0), %%zmm31" : : "r"(key) : "memory");
    else
        __asm__ volatile("movdqu (%0), %%xmm15" : : "r"(key) : "memory");
#else
    __asm__ volatile("ldr q31, [%0]" : : "r"(key) : "memory");
#endif
}

static __attribute__((noinline)) void leave_nothing(void)
{
    volatile uint8_t left[4];
    for (size_t i = 0; i < sizeof left; i++)
        left[i] = key[i];
    hanji_wipe((uint8_t *)left, sizeof left);
}

static int controls_work(void)
{
    const int of_registers = with_registers;
    tier = "control";
    with_registers = 0;
    int found = once("leaves bytes of its key", NULL, leave_on_stack);
    with_registers = 1;
    found += once("leaves a byte in a general register", NULL, leave_in_general) +
             once("leaves its key in a vector", NULL, leave_in_vector);
    const int nothing = once("leaves nothing", NULL, leave_nothing);
    with_registers = of_registers;
    calls = runs = leaking = 0;
    return found == 3 && nothing == 0;
}

/* Block ciphers and their modes. */

static const hanji_cipher *cipher;
static size_t block_bytes, key_bytes;
static hanji_any_block_ctx block;
static hanji_ctr_ctx ctr;
static hanji_cmac_ctx cmac;
static hanji_eax_ctx eax;

static void expand(void)
{
    must(hanji_block_init(key, key_bytes, cipher, &block.head, sizeof block));
}

static void with_key(void)
{
    expand();
    must(hanji_block_set_limit(UINT64_MAX, &block.head));
}

static void encrypt(void)
{
    must(hanji_block_encrypt(out, text, amount / block_bytes, &block.head));
}

static void decrypt(void)
{
    must(hanji_block_decrypt(out, text, amount / block_bytes, &block.head));
}

static void wipe_key(void)
{
    hanji_block_wipe(&block.head);
}

static void ctr_begin(void)
{
    must(hanji_ctr_init(nonce, block_bytes, &block.head, &ctr));
}

static void with_ctr(void)
{
    with_key();
    ctr_begin();
}

static void ctr_text(void)
{
    must(hanji_ctr_update(out, text, amount, &ctr));
}

static void with_ctr_begun(void)
{
    with_ctr();
    must(hanji_ctr_update(out, text, 7, &ctr));
}

static void ctr_more(void)
{
    must(hanji_ctr_update(out + 7, text + 7, amount, &ctr));
}

static void ctr_wipe(void)
{
    hanji_ctr_wipe(&ctr);
}

static void ctr_message(void)
{
    must(hanji_ctr(out, text, amount, nonce, block_bytes, key, key_bytes, cipher));
}

static void cmac_begin(void)
{
    must(hanji_cmac_init(&block.head, &cmac));
}

static void with_cmac(void)
{
    with_key();
    cmac_begin();
}

static void cmac_text(void)
{
    must(hanji_cmac_update(text, amount, &cmac));
}

static void with_cmac_begun(void)
{
    with_cmac();
    must(hanji_cmac_update(text, 5, &cmac));
}

static void with_cmac_text(void)
{
    with_cmac();
    cmac_text();
}

static void cmac_end(void)
{
    must(hanji_cmac_final(tag, 8, &cmac));
}

static void cmac_verify(void)
{
    refused |= hanji_cmac_verify(nonce, 8, &cmac) != HANJI_E_TAG;
}

static void cmac_whole(void)
{
    must(hanji_cmac(tag, 8, text, amount, &block.head));
}

static void with_eax(void)
{
    with_key();
    must(hanji_eax_init(8, &block.head, &eax));
}

static void eax_bind(void)
{
    must(hanji_eax_init(8, &block.head, &eax));
}

static void eax_seal(void)
{
    must(hanji_eax_encrypt(sealed, text, amount, ad, AD, nonce, 12, &eax));
}

static void eax_seal_apart(void)
{
    must(hanji_eax_encrypt_detached(sealed, tag, text, amount, ad, AD, nonce, 12, &eax));
}

static void with_eax_sealed(void)
{
    with_eax();
    eax_seal();
}

static void eax_open(void)
{
    must(hanji_eax_decrypt(out, sealed, amount + 8, ad, AD, nonce, 12, &eax));
}

static void eax_refuse(void)
{
    refused |= hanji_eax_decrypt(out, sealed, amount + 8, ad, AD, nonce, 11, &eax) != HANJI_E_TAG;
}

static void eax_begin(void)
{
    must(hanji_eax_begin(nonce, 12, &eax));
}

static void with_eax_begun(void)
{
    with_eax();
    eax_begin();
}

static void eax_ad(void)
{
    must(hanji_eax_update_ad(text, amount, &eax));
}

static void with_eax_ad(void)
{
    with_eax_begun();
    must(hanji_eax_update_ad(ad, AD, &eax));
}

static void eax_text(void)
{
    must(hanji_eax_update(sealed, text, amount, &eax));
}

static void with_eax_text(void)
{
    with_eax_ad();
    eax_text();
}

static void eax_end(void)
{
    must(hanji_eax_final(tag, &eax));
}

#ifndef HANJI_AMALGAM
/* Fleets: the text is cut into MESSAGES messages, or into two. */

static int64_t offsets[MESSAGES + 1];
static int8_t status[MESSAGES];
static hanji_fleet fleet;
static size_t messages = MESSAGES;

static void with_fleet(size_t size_of_key, size_t size_of_nonce, size_t size_of_tag, int one_key)
{
    for (size_t m = 0; m <= messages; m++)
        offsets[m] = (int64_t)(amount * m / messages);
    fleet = (hanji_fleet){.messages = messages,
                          .offsets = offsets,
                          .input = text,
                          .output = sealed,
                          .keys = keys,
                          .key_stride = one_key ? 0 : size_of_key,
                          .nonces = nonce,
                          .nonce_bytes = size_of_nonce,
                          .tags = tag,
                          .tag_bytes = size_of_tag,
                          .status = status,
                          .limit = UINT64_MAX};
}

static void fleet_failed(int64_t failed, int64_t expected)
{
    refused |= failed != expected;
}

static void with_ctr_fleet(void)
{
    with_fleet(key_bytes, block_bytes, 0, 0);
}

static void with_ctr_fleet_of_one_key(void)
{
    with_fleet(key_bytes, block_bytes, 0, 1);
}

static void ctr_fleet(void)
{
    fleet_failed(hanji_ctr_fleet(&fleet, cipher), 0);
}

static void with_mac_fleet(void)
{
    with_fleet(key_bytes, 8, 8, 0);
}

static void with_mac_fleet_of_one_key(void)
{
    with_fleet(key_bytes, 8, 8, 1);
}

static void cmac_fleet(void)
{
    fleet_failed(hanji_cmac_fleet(&fleet, cipher), 0);
}

static void cmac_fleet_verify(void)
{
    fleet_failed(hanji_cmac_fleet_verify(&fleet, cipher), (int64_t)messages);
}

static void eax_fleet(void)
{
    fleet_failed(hanji_eax_fleet_encrypt(&fleet, cipher), 0);
}

static void to_be_opened(void)
{
    memcpy(out, sealed, sizeof out);
    fleet.input = out;
    fleet.output = sealed;
}

static void with_eax_fleet_sealed(void)
{
    with_mac_fleet();
    eax_fleet();
    to_be_opened();
}

static void eax_fleet_open(void)
{
    fleet_failed(hanji_eax_fleet_decrypt(&fleet, cipher), 0);
}

#endif

static void check_cipher(const char *called)
{
    char name[80];
    const size_t n = block_bytes;
    /* the longest text that a call takes with a key of its own */
    const uint64_t limit = hanji_cipher_limit(cipher);
    const size_t most = limit < LONGEST / n ? (size_t)limit * n : LONGEST;
#define NAMED(what) ((void)snprintf(name, sizeof name, "%s %s", called, what), name)
    once(NAMED("key schedule"), NULL, expand);
    once(NAMED("wiping of a key"), with_key, wipe_key);
    over_lengths(NAMED("encrypt"), n, LONGEST, with_key, encrypt);
    over_lengths(NAMED("decrypt"), n, LONGEST, with_key, decrypt);
    once(NAMED("ctr init"), with_key, ctr_begin);
    over_lengths(NAMED("ctr update"), 1, LONGEST, with_ctr, ctr_text);
    over_lengths(NAMED("ctr update again"), 1, LONGEST - 7, with_ctr_begun, ctr_more);
    once(NAMED("ctr wipe"), with_ctr_begun, ctr_wipe);
    over_lengths(NAMED("ctr of one message"), 1, most, NULL, ctr_message);
#ifndef HANJI_AMALGAM
    for (messages = 2; messages <= MESSAGES; messages += MESSAGES - 2) {
        over_lengths(NAMED("ctr fleet"), 7, most, with_ctr_fleet, ctr_fleet);
        over_lengths(NAMED("ctr fleet of one key"), 7, most, with_ctr_fleet_of_one_key, ctr_fleet);
    }
#endif
    if (n != 8 && n != 16)
        return;
    once(NAMED("cmac init"), with_key, cmac_begin);
    over_lengths(NAMED("cmac update"), 1, LONGEST, with_cmac, cmac_text);
    over_lengths(NAMED("cmac update again"), 1, LONGEST, with_cmac_begun, cmac_text);
    over_lengths(NAMED("cmac final"), 1, 40, with_cmac_text, cmac_end);
    over_lengths(NAMED("cmac verify"), 1, 40, with_cmac_text, cmac_verify);
    over_lengths(NAMED("cmac"), 1, LONGEST, with_key, cmac_whole);
    once(NAMED("eax init"), with_key, eax_bind);
    over_lengths(NAMED("eax encrypt"), 1, LONGEST, with_eax, eax_seal);
    over_lengths(NAMED("eax encrypt, tag apart"), 1, LONGEST, with_eax, eax_seal_apart);
    over_lengths(NAMED("eax decrypt"), 1, LONGEST, with_eax_sealed, eax_open);
    over_lengths(NAMED("eax decrypt, refused"), 1, LONGEST, with_eax_sealed, eax_refuse);
    once(NAMED("eax begin"), with_eax, eax_begin);
    over_lengths(NAMED("eax update ad"), 1, 300, with_eax_begun, eax_ad);
    over_lengths(NAMED("eax update"), 1, LONGEST, with_eax_ad, eax_text);
    over_lengths(NAMED("eax final"), 1, 40, with_eax_text, eax_end);
#ifndef HANJI_AMALGAM
    for (messages = 2; messages <= MESSAGES; messages += MESSAGES - 2) {
        over_lengths(NAMED("cmac fleet"), 7, most, with_mac_fleet, cmac_fleet);
        over_lengths(NAMED("cmac fleet of one key"), 7, most, with_mac_fleet_of_one_key,
                     cmac_fleet);
        over_lengths(NAMED("cmac fleet verify"), 7, most, with_mac_fleet, cmac_fleet_verify);
        over_lengths(NAMED("eax fleet encrypt"), 7, most, with_mac_fleet, eax_fleet);
        over_lengths(NAMED("eax fleet decrypt"), 7, most, with_eax_fleet_sealed, eax_fleet_open);
    }
#endif
}

/* AEADs over permutations. */

static int which;
static aead_ctx pieces;

static void seal(void)
{
    must(aeads[which].encrypt(sealed, text, amount, ad, AD, nonce, key));
}

static void open(void)
{
    must(aeads[which].decrypt(out, sealed, amount + aeads[which].tag_bytes, ad, AD, nonce, key));
}

static void refuse(void)
{
    refused |= aeads[which].decrypt(out, sealed, amount + aeads[which].tag_bytes, ad, AD - 1, nonce,
                                    key) != HANJI_E_TAG;
}

static void seal_apart(void)
{
    must(aeads[which].encrypt_detached(sealed, tag, text, amount, ad, AD, nonce, key));
}

static void open_apart(void)
{
    must(aeads[which].decrypt_detached(out, sealed, amount, tag, ad, AD, nonce, key));
}

static void begin(void)
{
    must(aeads[which].init(nonce, key, &pieces));
}

static void more_ad(void)
{
    must(aeads[which].update_ad(text, amount, &pieces));
}

static void with_ad(void)
{
    begin();
    must(aeads[which].update_ad(ad, AD, &pieces));
}

static void more_text(void)
{
    must(aeads[which].update(sealed, text, amount, &pieces));
}

static void with_begun(void)
{
    with_ad();
    must(aeads[which].update(sealed, text, 5, &pieces));
}

static void with_text(void)
{
    with_ad();
    more_text();
}

static void finish(void)
{
    must(aeads[which].final(tag, &pieces));
}

#ifndef HANJI_AMALGAM
static int64_t (*const fleet_encrypt[AEADS])(const hanji_fleet *) = {
    hanji_schwaemm256_128_fleet_encrypt, hanji_schwaemm192_192_fleet_encrypt,
    hanji_schwaemm128_128_fleet_encrypt, hanji_schwaemm256_256_fleet_encrypt,
    hanji_ascon_aead128_fleet_encrypt};
static int64_t (*const fleet_decrypt[AEADS])(const hanji_fleet *) = {
    hanji_schwaemm256_128_fleet_decrypt, hanji_schwaemm192_192_fleet_decrypt,
    hanji_schwaemm128_128_fleet_decrypt, hanji_schwaemm256_256_fleet_decrypt,
    hanji_ascon_aead128_fleet_decrypt};

static void with_aead_fleet(void)
{
    with_fleet(aeads[which].key_bytes, aeads[which].nonce_bytes, aeads[which].tag_bytes, 0);
}

static void fleet_seal(void)
{
    fleet_failed(fleet_encrypt[which](&fleet), 0);
}

static void with_fleet_sealed(void)
{
    with_aead_fleet();
    fleet_seal();
    to_be_opened();
}

static void fleet_open(void)
{
    fleet_failed(fleet_decrypt[which](&fleet), 0);
}
#endif

static void check_aead(void)
{
    char name[80];
    const char *called = aeads[which].name;
    over_lengths(NAMED("encrypt"), 1, LONGEST, NULL, seal);
    over_lengths(NAMED("decrypt"), 1, LONGEST, seal, open);
    over_lengths(NAMED("decrypt, refused"), 1, LONGEST, seal, refuse);
    over_lengths(NAMED("encrypt, tag apart"), 1, LONGEST, NULL, seal_apart);
    over_lengths(NAMED("decrypt, tag apart"), 1, LONGEST, seal_apart, open_apart);
    once(NAMED("init"), NULL, begin);
    over_lengths(NAMED("update ad"), 1, 300, begin, more_ad);
    over_lengths(NAMED("update"), 1, LONGEST, with_ad, more_text);
    over_lengths(NAMED("update again"), 1, LONGEST, with_begun, more_text);
    over_lengths(NAMED("final"), 1, 80, with_text, finish);
#ifndef HANJI_AMALGAM
    for (messages = 2; messages <= MESSAGES; messages += MESSAGES - 2) {
        over_lengths(NAMED("fleet encrypt"), 7, LONGEST, with_aead_fleet, fleet_seal);
        over_lengths(NAMED("fleet decrypt"), 7, LONGEST, with_fleet_sealed, fleet_open);
    }
#endif
}

static hanji_ascon_aead128_key ascon_key;

static void ascon_key_set(void)
{
    must(hanji_ascon_aead128_key_init(12, key, 32, &ascon_key)); /* with a nonce mask */
}

static void ascon_key_seal(void)
{
    must(hanji_ascon_aead128_key_encrypt(sealed, text, amount, ad, AD, nonce, &ascon_key));
}

static void ascon_key_sealed(void)
{
    ascon_key_set();
    ascon_key_seal();
}

static void ascon_key_open(void)
{
    must(hanji_ascon_aead128_key_decrypt(out, sealed, amount + 12, ad, AD, nonce, &ascon_key));
}

static void ascon_key_refuse(void)
{
    refused |= hanji_ascon_aead128_key_decrypt(out, sealed, amount + 12, ad, AD - 1, nonce,
                                               &ascon_key) != HANJI_E_TAG;
}

static void ascon_key_start(void)
{
    must(hanji_ascon_aead128_key_begin(nonce, &ascon_key, &pieces.ascon));
}

static void ascon_key_wipe(void)
{
    hanji_ascon_aead128_key_wipe(&ascon_key);
}

/* Hashes: name, context, functions of a whole message, of pieces. */

static hanji_esch_ctx esch;
static hanji_ascon_hash_ctx ascon_hash;

#define HASH(id, ctx, start, whole, end)                 \
    static void id##_whole(void)                         \
    {                                                    \
        must(whole);                                     \
    }                                                    \
    static void id##_begin(void)                         \
    {                                                    \
        must(start);                                     \
    }                                                    \
    static void id##_begun(void)                         \
    {                                                    \
        must(start);                                     \
        must(hanji_##id##_update(text + 1, 5, &(ctx)));  \
    }                                                    \
    static void id##_text(void)                          \
    {                                                    \
        must(hanji_##id##_update(text, amount, &(ctx))); \
    }                                                    \
    static void id##_with_text(void)                     \
    {                                                    \
        id##_begin();                                    \
        id##_text();                                     \
    }                                                    \
    static void id##_end(void)                           \
    {                                                    \
        must(end);                                       \
    }

#ifndef HANJI_AMALGAM
static int64_t ascon_cxof128_fleet_of(const hanji_fleet *of)
{
    return hanji_ascon_cxof128_fleet(of, ad, AD);
}

#define HASH_FLEET(id, of)           \
    static void id##_fleet(void)     \
    {                                \
        fleet_failed(of(&fleet), 0); \
    }
HASH_FLEET(ascon_hash256, hanji_ascon_hash256_fleet)
HASH_FLEET(ascon_xof128, hanji_ascon_xof128_fleet)
HASH_FLEET(ascon_cxof128, ascon_cxof128_fleet_of)
HASH_FLEET(esch256, hanji_esch256_fleet)
HASH_FLEET(esch384, hanji_esch384_fleet)
HASH_FLEET(xoesch256, hanji_xoesch256_fleet)
HASH_FLEET(xoesch384, hanji_xoesch384_fleet)

static size_t digest_bytes;

static void with_hash_fleet(void)
{
    with_fleet(0, 0, digest_bytes, 1);
}

#define CHECK_HASH_FLEET(id, called, bytes)                            \
    digest_bytes = bytes;                                              \
    for (messages = 2; messages <= MESSAGES; messages += MESSAGES - 2) \
    over_lengths(called " fleet", 7, LONGEST, with_hash_fleet, id##_fleet)
#else
#define CHECK_HASH_FLEET(id, called, bytes) ((void)0)
#endif
HASH(ascon_hash256, ascon_hash, hanji_ascon_hash256_init(&ascon_hash),
     hanji_ascon_hash256(digest, text, amount), hanji_ascon_hash256_final(digest, &ascon_hash))
HASH(ascon_xof128, ascon_hash, hanji_ascon_xof128_init(&ascon_hash),
     hanji_ascon_xof128(digest, 50, text, amount),
     hanji_ascon_xof128_squeeze(digest, 50, &ascon_hash))
HASH(ascon_cxof128, ascon_hash, hanji_ascon_cxof128_init(ad, AD, &ascon_hash),
     hanji_ascon_cxof128(digest, 50, ad, AD, text, amount),
     hanji_ascon_cxof128_squeeze(digest, 50, &ascon_hash))
HASH(esch256, esch, hanji_esch256_init(&esch), hanji_esch256(digest, text, amount),
     hanji_esch256_final(digest, &esch))
HASH(esch384, esch, hanji_esch384_init(&esch), hanji_esch384(digest, text, amount),
     hanji_esch384_final(digest, &esch))
HASH(xoesch256, esch, hanji_xoesch256_init(&esch), hanji_xoesch256(digest, 50, text, amount),
     hanji_xoesch256_squeeze(digest, 50, &esch))
HASH(xoesch384, esch, hanji_xoesch384_init(&esch), hanji_xoesch384(digest, 50, text, amount),
     hanji_xoesch384_squeeze(digest, 50, &esch))

#define CHECK_HASH(id, called, bytes)                                            \
    do {                                                                         \
        over_lengths(called " whole", 1, LONGEST, NULL, id##_whole);             \
        over_lengths(called " update", 1, LONGEST, id##_begin, id##_text);       \
        over_lengths(called " update again", 1, LONGEST, id##_begun, id##_text); \
        over_lengths(called " end", 1, 80, id##_with_text, id##_end);            \
        CHECK_HASH_FLEET(id, called, bytes);                                     \
    } while (0)

static void permute_ascon(void)
{
    must(hanji_ascon_permute(state, 1, 12));
}

static uint32_t bits;

static void permute_sparkle(void)
{
    must(hanji_sparkle_permute(state, 1, bits, 7));
}

#ifndef HANJI_AMALGAM
/* Telemetry: the table of master keys, sealing and opening. */

enum { DEVICES = 5 };
static uint8_t frames[MESSAGES * (16 + 16) + LONGEST + 64], scratch[HANJI_TELEMETRY_SCRATCH_BYTES],
    table[4096];
static int64_t frame_offsets[MESSAGES + 1], payload_offsets[MESSAGES + 1];
static uint32_t device[MESSAGES], epoch[MESSAGES], number[MESSAGES], devices[DEVICES];
static hanji_master_keys masters;
static hanji_telemetry_sealing sealing;
static hanji_telemetry_opening opening;
static int frame_algorithm;

static void masters_set(void)
{
    size_t duplicate;
    for (uint32_t i = 0; i < DEVICES; i++)
        devices[i] = 11 * i + 3;
    must(hanji_master_keys_init(&masters, &duplicate, table, sizeof table, devices, keys, DEVICES,
                                16));
}

static void masters_one(void)
{
    must(hanji_master_keys_one(&masters, key, 16));
}

static void masters_wipe(void)
{
    hanji_master_keys_wipe(&masters);
}

static void with_telemetry(void)
{
    masters_set();
    with_fleet(0, 0, 0, 1);
    for (uint32_t i = 0; i < MESSAGES; i++)
        device[i] = devices[i % DEVICES], epoch[i] = 20000, number[i] = i;
    sealing = (hanji_telemetry_sealing){.frames = MESSAGES,
                                        .device = device,
                                        .epoch = epoch,
                                        .number = number,
                                        .payload_offsets = offsets,
                                        .payload = text,
                                        .keys = &masters,
                                        .direction = HANJI_FROM_DEVICE,
                                        .algorithm = frame_algorithm,
                                        .output = frames,
                                        .output_bytes = sizeof frames,
                                        .offsets = frame_offsets,
                                        .status = status,
                                        .scratch = scratch};
}

static void telemetry_seal(void)
{
    fleet_failed(hanji_telemetry_seal(&sealing), 0);
}

static void with_frames(void)
{
    static uint8_t payload[sizeof frames];
    with_telemetry();
    telemetry_seal();
    opening = (hanji_telemetry_opening){.frames = MESSAGES,
                                        .offsets = frame_offsets,
                                        .input = frames,
                                        .keys = &masters,
                                        .direction = HANJI_FROM_DEVICE,
                                        .device = device,
                                        .epoch = epoch,
                                        .number = number,
                                        .payload = payload,
                                        .payload_bytes = sizeof payload,
                                        .payload_offsets = payload_offsets,
                                        .status = status,
                                        .scratch = scratch};
}

static void telemetry_open(void)
{
    fleet_failed(hanji_telemetry_open(&opening), 0);
}

static void check_telemetry(void)
{
    static const struct {
        int number;
        const char *name;
    } algorithms[] = {{HANJI_FRAME_SCHWAEMM256_128, "frames of schwaemm256-128"},
                      {HANJI_FRAME_SPECK64_128_EAX, "frames of speck-64/128-eax"},
                      {HANJI_FRAME_ASCON_AEAD128, "frames of ascon-aead128"}};
    char name[80];
    messages = MESSAGES;
    once("master keys of devices", NULL, masters_set);
    once("master key of one", NULL, masters_one);
    once("wiping of master keys", masters_set, masters_wipe);
    for (size_t i = 0; i < sizeof algorithms / sizeof algorithms[0]; i++) {
        const char *called = algorithms[i].name;
        frame_algorithm = algorithms[i].number;
        over_lengths(NAMED("seal"), 1, LONGEST, with_telemetry, telemetry_seal);
        over_lengths(NAMED("open"), 1, LONGEST, with_frames, telemetry_open);
    }
}

#endif

static void check_ciphers(void)
{
#ifdef HANJI_AMALGAM
#define CHECK_CIPHER(id, name, key_size, block_size) \
    cipher = hanji_##id();                           \
    key_bytes = key_size;                            \
    block_bytes = block_size;                        \
    check_cipher(name);
    CIPHERS
#else
    for (size_t i = 0; (cipher = hanji_cipher_at(i)) != NULL; i++) {
        block_bytes = hanji_cipher_block_bytes(cipher);
        key_bytes = hanji_cipher_key_bytes(cipher);
        check_cipher(hanji_cipher_name(cipher));
    }
#endif
}

#ifndef HANJI_AMALGAM
/* SLH-DSA: keys, random bytes and messages are secret; the random bytes are those of `state`. */
static uint8_t slh_public[64], slh_secret[128], slh_signature[17088];
static const hanji_slhdsa *slh;
static unsigned slh_options;
static int slh_mode;

static int slh_random(uint8_t *to, size_t bytes, void *unused)
{
    (void)unused;
    memcpy(to, state, bytes);
    return HANJI_OK;
}

static void slh_keypair(void)
{
    must(hanji_slhdsa_keypair(slh_public, slh_secret, slh, slh_random, NULL));
}

static void slh_check(void)
{
    must(hanji_slhdsa_key_check(slh_secret, 64, slh));
}

static void slh_sign(void)
{
    must(hanji_slhdsa_sign(slh_signature, text, amount, ad, AD, slh_mode, slh_secret, 64, slh,
                           slh_options, slh_random, NULL));
}

static void slh_signed(void)
{
    slh_keypair();
    slh_sign();
}

static void slh_verify(void)
{
    must(hanji_slhdsa_verify(slh_signature, 17088, text, amount, ad, AD, slh_mode, slh_public, 32,
                             slh));
}

static void check_slhdsa(void)
{
    slh = hanji_slhdsa_by_name("slh-dsa-shake-128f");
    once("slh-dsa key pair", NULL, slh_keypair);
    once("slh-dsa key check", slh_keypair, slh_check);
    for (slh_mode = 0; slh_mode <= HANJI_SLHDSA_SHAKE256; slh_mode += HANJI_SLHDSA_SHAKE256) {
        slh_options = 0;
        once("slh-dsa verify", slh_signed, slh_verify);
        once("slh-dsa sign", slh_keypair, slh_sign);
        slh_options = HANJI_SLHDSA_CHECK;
        once("slh-dsa sign, checked", slh_keypair, slh_sign);
    }
}
#endif

int main(int argc, char **argv)
{
    vector_bits = bits_of_vectors();
    if (argc > 2)
        step = (size_t)strtoul(argv[2], NULL, 10);
    with_registers = argc > 3;
    if (argc < 2 || step == 0 || hanji_force(argv[1]) != HANJI_OK) {
        printf("usage: residue TIER [STEP [registers]], of a tier that this machine has\n");
        return 3;
    }
    if (!controls_work()) {
        printf("the comparison does not work\n");
        return 2;
    }
    tier = argv[1];
    check_ciphers();
    for (which = 0; which < AEADS; which++)
        check_aead();
    once("ascon-aead128 key", NULL, ascon_key_set);
    over_lengths("ascon-aead128 key encrypt", 1, LONGEST, ascon_key_set, ascon_key_seal);
    over_lengths("ascon-aead128 key decrypt", 1, LONGEST, ascon_key_sealed, ascon_key_open);
    over_lengths("ascon-aead128 key decrypt, refused", 1, 300, ascon_key_sealed, ascon_key_refuse);
    once("ascon-aead128 key begin", ascon_key_set, ascon_key_start);
    once("ascon-aead128 key wipe", ascon_key_set, ascon_key_wipe);
    CHECK_HASH(ascon_hash256, "ascon-hash256", 32);
    CHECK_HASH(ascon_xof128, "ascon-xof128", 50);
    CHECK_HASH(ascon_cxof128, "ascon-cxof128", 50);
    CHECK_HASH(esch256, "esch256", 32);
    CHECK_HASH(esch384, "esch384", 48);
    CHECK_HASH(xoesch256, "xoesch256", 50);
    CHECK_HASH(xoesch384, "xoesch384", 50);
    once("ascon-p", NULL, permute_ascon);
    for (bits = 256; bits <= 512; bits += 128)
        once(bits == 256   ? "sparkle256"
             : bits == 384 ? "sparkle384"
                           : "sparkle512",
             NULL, permute_sparkle);
#ifndef HANJI_AMALGAM
    check_telemetry();
    check_slhdsa();
#endif
    printf("%lu calls, %lu runs, %lu calls leave secrets\n", calls, runs, leaking);
    return leaking > 0;
}
