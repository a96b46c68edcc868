/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the library leaves on the stack of a microcontroller. Every job, a call or two of the
 * amalgam, runs on a stack of its own that was filled before, once with one key and text, once
 * with another key, once with another text. Nothing else differs between the runs, so that every
 * byte of the dead stack that does is made of a secret. Before the jobs of the library come
 * controls: one that leaves its key must be found, one that wipes it must not.
 *
 * jobs.h is written by test_residue.py: a line for every algorithm that an amalgam can have.
 *
 * With FOUR_ADDRESSES the jobs run with their buffers at four addresses, three of them not of a
 * word, and must give the same: processors trap where a word is read at such an address.
 */
#include "hanji.h"

#ifdef __AVR__
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

enum { STACK = 1280 }; /* three of them lie in 8 KiB of RAM */
#else
enum { STACK = 3072 };
#endif
enum { TEXT = 75, AD = 21, FILL = 0x5a };

struct buffers { /* each at the address of a word, when the first is */
    uint8_t key[32], nonce[32], blocks[48], tag[64], sealed[TEXT + 33], opened[TEXT + 33],
        text[TEXT + 1], ad[AD];
};
#ifdef FOUR_ADDRESSES
static uint8_t room[sizeof(struct buffers) + 3];
static struct buffers *in_use;
#define IN_USE in_use
#else
static _Alignas(8) struct buffers in_use;
#define IN_USE (&in_use)
#endif
#define key IN_USE->key
#define text IN_USE->text
#define ad IN_USE->ad
#define nonce IN_USE->nonce
#define sealed IN_USE->sealed
#define opened IN_USE->opened
#define blocks IN_USE->blocks
#define tag IN_USE->tag
static int failed;

#ifdef HANJI_TINY
static uint64_t block[24]; /* of one block cipher; of none it is not used */
#define HEAD ((hanji_block_ctx *)(void *)block)
#else
static uint64_t block[80]; /* room for the context of any cipher */
#define HEAD ((hanji_block_ctx *)(void *)block)
static hanji_ctr_ctx ctr;
static hanji_cmac_ctx cmac;
static hanji_eax_ctx eax;
static hanji_schwaemm_ctx schwaemm;
static hanji_esch_ctx esch;
static hanji_ascon_aead128_ctx ascon;
static hanji_ascon_hash_ctx ascon_hash;
#endif

static void must(int rc)
{
    if (rc != HANJI_OK)
        failed = 1;
}

#ifdef __AVR__
static void print(const char *line)
{
    UCSR0B = 1 << TXEN0;
    for (; *line != 0; line++) {
        while ((UCSR0A & 1 << UDRE0) == 0) {
        }
        UDR0 = (uint8_t)*line;
    }
}

static void end(void)
{
    while ((UCSR0A & 1 << UDRE0) == 0) {
    }
    cli();
    sleep_enable();
    sleep_cpu();
}
#else
/* Semihosting: 4 writes a text, 0x18 ends with 0x20026 for success. */
static void semihost(unsigned long operation, const void *argument)
{
#ifdef __riscv
    register unsigned long a0 __asm__("a0") = operation;
    register const void *a1 __asm__("a1") = argument;
    __asm__ volatile(
        ".option push\n.option norvc\n.balign 16\nslli x0, x0, 0x1f\nebreak\nsrai x0, x0, 7\n.option pop"
        : "+r"(a0)
        : "r"(a1)
        : "memory");
#else
    register unsigned long r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
#endif
}

static void print(const char *line)
{
    semihost(4, line);
}

static void end(void)
{
    semihost(0x18, (const void *)0x20026);
}
#endif

static __attribute__((unused)) void print_number(unsigned n)
{
    char digits[12];
    unsigned at = sizeof digits - 1;
    digits[at] = 0;
    do {
        unsigned tens = 0, rest = n;
        while (rest >= 10) {
            rest -= 10;
            tens++;
        }
        digits[--at] = (char)('0' + rest);
        n = tens;
    } while (n > 0);
    print(digits + at);
}

static void copy(void *to, const void *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((volatile uint8_t *)to)[i] = ((const volatile uint8_t *)from)[i];
}

static void fill(void *to, uint8_t value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((volatile uint8_t *)to)[i] = value;
}

/* Bytes in which neighbouring ones differ, and the same places of two seeds do. */
static void pseudo_random(uint8_t *out, size_t bytes, uint8_t seed)
{
    uint32_t x = 0x9e3779b9u ^ (uint32_t)seed << 8;
    for (size_t i = 0; i < bytes; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        out[i] = (uint8_t)(x ^ x >> 11);
    }
}

static void begin_with(uint8_t key_seed, uint8_t text_seed)
{
    pseudo_random(key, sizeof key, key_seed);
    pseudo_random(text, sizeof text, text_seed);
    pseudo_random(ad, sizeof ad, 3);
    pseudo_random(nonce, sizeof nonce, 4);
    fill(sealed, 0, sizeof sealed);
    fill(opened, 0, sizeof opened);
    fill(block, 0, sizeof block);
}

#ifdef FOUR_ADDRESSES

static void check(const char *name, void (*prepare)(void), void (*job)(void))
{
    static struct buffers first;
    const char *found = "job ";
    for (uint8_t shift = 0; shift < 4; shift++) {
        failed = 0;
        fill(room, 0, sizeof room);
        in_use = (struct buffers *)(void *)(room + shift);
        begin_with(1, 2);
        if (prepare != NULL)
            prepare();
        job();
        if (failed)
            found = "refused ";
        if (shift == 0)
            copy(&first, in_use, sizeof first);
        for (size_t i = 0; i < sizeof first; i++)
            if (((const uint8_t *)&first)[i] != ((const uint8_t *)in_use)[i])
                found = "differs ";
    }
    print(found);
    print(name);
    print("\n");
}

/* What is read there depends on the address. */
static void take_address(void)
{
    tag[0] = (uint8_t)(uintptr_t)text;
}

#ifdef READ_A_WORD /* which a Cortex-M0 must not survive */
static void read_word(void)
{
    (void)*(volatile uint32_t *)(void *)(text + 1);
}
#define CONTROLS                                            \
    check("control takes its address", NULL, take_address); \
    check("control reads a word", NULL, read_word);
#else
#define CONTROLS check("control takes its address", NULL, take_address);
#endif

#else

static uint64_t stack[STACK / 8];
static uint8_t saved[2][STACK];

/*
 * Call a job with its stack pointer at `top` and nothing in the other registers that could differ.
 */
void on_stack(void (*job)(void), void *top);
#ifdef __riscv
__asm__(
    ".text\n.balign 4\n.global on_stack\non_stack:\n"
    "addi sp, sp, -64\nsw ra, 0(sp)\nsw s0, 4(sp)\nsw s1, 8(sp)\nsw s2, 12(sp)\nsw s3, 16(sp)\nsw s4, 20(sp)\nsw s5, 24(sp)\nsw s6, 28(sp)\n"
    "sw s7, 32(sp)\nsw s8, 36(sp)\nsw s9, 40(sp)\nsw s10, 44(sp)\nsw s11, 48(sp)\n"
    "sw sp, -4(a1)\naddi sp, a1, -16\n"
    "li s0, 0\nli s1, 0\nli s2, 0\nli s3, 0\nli s4, 0\nli s5, 0\nli s6, 0\nli s7, 0\nli s8, 0\nli s9, 0\nli s10, 0\nli s11, 0\n"
    "li a1, 0\nli a2, 0\nli a3, 0\nli a4, 0\nli a5, 0\nli a6, 0\nli a7, 0\nli t1, 0\nli t2, 0\nli t3, 0\nli t4, 0\nli t5, 0\nli t6, 0\n"
    "mv t0, a0\njalr t0\n"
    "lw sp, 12(sp)\nlw ra, 0(sp)\nlw s0, 4(sp)\nlw s1, 8(sp)\nlw s2, 12(sp)\nlw s3, 16(sp)\nlw s4, 20(sp)\nlw s5, 24(sp)\nlw s6, 28(sp)\n"
    "lw s7, 32(sp)\nlw s8, 36(sp)\nlw s9, 40(sp)\nlw s10, 44(sp)\nlw s11, 48(sp)\naddi sp, sp, 64\nret\n");
#elif defined(__AVR__)
/* The pointer says where the next byte goes. No interrupt is on. */
__asm__(".text\n.global on_stack\n.type on_stack, @function\non_stack:\n"
        "push r2\npush r3\npush r4\npush r5\npush r6\npush r7\npush r8\npush r9\npush r10\n"
        "push r11\npush r12\npush r13\npush r14\npush r15\npush r16\npush r17\npush r28\n"
        "push r29\n"
        "movw r30, r24\nmovw r26, r22\n"
        "in r18, __SP_L__\nin r19, __SP_H__\nst -X, r19\nst -X, r18\nsbiw r26, 1\n"
        "out __SP_H__, r27\nout __SP_L__, r26\n"
        "clr r0\nclr r1\nclr r2\nclr r3\nclr r4\nclr r5\nclr r6\nclr r7\nclr r8\nclr r9\n"
        "clr r10\nclr r11\nclr r12\nclr r13\nclr r14\nclr r15\nclr r16\nclr r17\nclr r18\n"
        "clr r19\nclr r20\nclr r21\nclr r22\nclr r23\nclr r24\nclr r25\nclr r26\nclr r27\n"
        "clr r28\nclr r29\n"
        "eicall\n"
        "in r26, __SP_L__\nin r27, __SP_H__\nadiw r26, 1\nld r18, X+\nld r19, X+\n"
        "out __SP_H__, r19\nout __SP_L__, r18\n"
        "pop r29\npop r28\npop r17\npop r16\npop r15\npop r14\npop r13\npop r12\npop r11\n"
        "pop r10\npop r9\npop r8\npop r7\npop r6\npop r5\npop r4\npop r3\npop r2\n"
        "ret\n");
#else
__asm__(
    ".syntax unified\n.text\n.thumb\n.balign 4\n.global on_stack\n.thumb_func\n.type on_stack, %function\non_stack:\n"
    "push {r4-r7, lr}\nmov r4, r8\nmov r5, r9\nmov r6, r10\nmov r7, r11\npush {r4-r7}\n"
    "mov r2, sp\nsubs r1, r1, #8\nstr r2, [r1]\nmov sp, r1\n"
    "movs r4, #0\nmovs r5, #0\nmovs r6, #0\nmovs r7, #0\nmov r8, r4\nmov r9, r4\nmov r10, r4\nmov r11, r4\nmov r12, r4\n"
    "movs r1, #0\nmovs r2, #0\nmovs r3, #0\nblx r0\n"
    "ldr r2, [sp]\nmov sp, r2\npop {r4-r7}\nmov r8, r4\nmov r9, r5\nmov r10, r6\nmov r11, r7\npop {r4-r7, pc}\n");
#endif

/* One run; the memory of the stack afterwards. */
static void run(uint8_t *dead, void (*prepare)(void), void (*job)(void), uint8_t key_seed,
                uint8_t text_seed)
{
    begin_with(key_seed, text_seed);
    if (prepare != NULL)
        prepare();
    fill(stack, FILL, sizeof stack);
    on_stack(job, stack + STACK / 8);
    copy(dead, stack, STACK);
}

/* Prints what differs, with the places counted from the top. Returns the number of bytes. */
static unsigned compare(const char *name, const char *what)
{
    unsigned count = 0, first = 0, last = 0;
    for (unsigned i = 0; i < STACK; i++)
        if (saved[0][i] != saved[1][i]) {
            if (count++ == 0)
                first = i;
            last = i;
        }
    if (count > 0) {
        print("residue ");
        print(name);
        print(what);
        print_number(count);
        print(" bytes, ");
        print_number(STACK - last);
        print(" to ");
        print_number(STACK - first);
        print(" below the top\n");
    }
    return count;
}

static void check(const char *name, void (*prepare)(void), void (*job)(void))
{
    failed = 0;
    run(saved[0], prepare, job, 1, 2);
    run(saved[1], prepare, job, 5, 2);
    (void)compare(name, ", two keys: ");
    run(saved[1], prepare, job, 1, 6);
    (void)compare(name, ", two texts: ");
    print(failed ? "refused " : "job ");
    print(name);
    /* How deep the job went, which shows that it ran on the stack that is looked at. */
    unsigned depth = 0;
    while (depth < STACK && saved[0][depth] == FILL)
        depth++;
    print(" ");
    print_number(STACK - depth);
    print(depth == 0 ? " overflow\n" : "\n");
}

/* Controls */

static void __attribute__((noinline)) leave_key(void)
{
    volatile uint8_t left[16];
    for (size_t i = 0; i < sizeof left; i++)
        left[i] = key[i];
}

static void __attribute__((noinline)) wipe_key(void)
{
    volatile uint8_t left[16];
    for (size_t i = 0; i < sizeof left; i++)
        left[i] = key[i];
    hanji_wipe((uint8_t *)left, sizeof left);
}

static void __attribute__((noinline)) leave_text(void)
{
    volatile uint8_t left[2];
    for (size_t i = 0; i < sizeof left; i++)
        left[i] = text[70 + i];
}

#define CONTROLS                                                 \
    check("control leaves its key", NULL, leave_key);            \
    check("control leaves bytes of its text", NULL, leave_text); \
    check("control wipes its key", NULL, wipe_key);
#endif

#ifndef HANJI_TINY /* whose jobs are all in jobs.h */
/* Block ciphers and their modes */

static const hanji_cipher *cipher;
static size_t key_bytes, block_bytes;

static void expand(void)
{
    must(hanji_block_init(key, key_bytes, cipher, HEAD, sizeof block));
}

static void with_key(void)
{
    expand();
    must(hanji_block_set_limit(UINT64_MAX, HEAD));
    copy(blocks, text, sizeof blocks);
}

static void encrypt(void)
{
    must(hanji_block_encrypt(blocks, blocks, 3, HEAD));
}

static void decrypt(void)
{
    must(hanji_block_decrypt(blocks, blocks, 3, HEAD));
}

static void ctr_begin(void)
{
    must(hanji_ctr_init(nonce, block_bytes, HEAD, &ctr));
}

static void with_ctr(void)
{
    with_key();
    ctr_begin();
}

static void ctr_first(void)
{
    must(hanji_ctr_update(sealed, text, 7, &ctr));
}

static void ctr_rest(void)
{
    must(hanji_ctr_update(sealed + 7, text + 7, TEXT - 7, &ctr));
}

static void with_ctr_first(void)
{
    with_ctr();
    ctr_first();
}

static void cmac_begin(void)
{
    must(hanji_cmac_init(HEAD, &cmac));
}

static void with_cmac(void)
{
    with_key();
    cmac_begin();
}

static void cmac_text(void)
{
    must(hanji_cmac_update(text, TEXT, &cmac));
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
    if (hanji_cmac_verify(nonce, 8, &cmac) != HANJI_E_TAG)
        failed = 1;
}

static void cmac_whole(void)
{
    must(hanji_cmac(tag, 8, text, TEXT, HEAD));
}

static void eax_bind(void)
{
    must(hanji_eax_init(8, HEAD, &eax));
}

static void with_eax(void)
{
    with_key();
    eax_bind();
}

static void eax_seal(void)
{
    must(hanji_eax_encrypt(sealed, text, TEXT, ad, AD, nonce, 12, &eax));
}

static void with_eax_sealed(void)
{
    with_eax();
    eax_seal();
}

static void eax_open(void)
{
    must(hanji_eax_decrypt(opened, sealed, TEXT + 8, ad, AD, nonce, 12, &eax));
}

static void eax_refuse(void)
{
    if (hanji_eax_decrypt(opened, sealed, TEXT + 8, ad, AD, nonce, 11, &eax) != HANJI_E_TAG)
        failed = 1;
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
    must(hanji_eax_update_ad(ad, AD, &eax));
}

static void with_eax_ad(void)
{
    with_eax_begun();
    eax_ad();
}

static void eax_text(void)
{
    must(hanji_eax_update(sealed, text, TEXT, &eax));
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

static void check_block(const char *name, const hanji_cipher *of, size_t size_of_key,
                        size_t size_of_block)
{
    cipher = of;
    key_bytes = size_of_key;
    block_bytes = size_of_block;
    print(name);
    check("expand", NULL, expand);
    check("encrypt", with_key, encrypt);
    check("decrypt", with_key, decrypt);
    check("ctr init", with_key, ctr_begin);
    check("ctr update", with_ctr, ctr_first);
    check("ctr update again", with_ctr_first, ctr_rest);
    if (block_bytes != 8 && block_bytes != 16)
        return;
    check("cmac init", with_key, cmac_begin);
    check("cmac update", with_cmac, cmac_text);
    check("cmac final", with_cmac_text, cmac_end);
    check("cmac verify", with_cmac_text, cmac_verify);
    check("cmac", with_key, cmac_whole);
    check("eax init", with_key, eax_bind);
    check("eax encrypt", with_eax, eax_seal);
    check("eax decrypt", with_eax_sealed, eax_open);
    check("eax decrypt, refused", with_eax_sealed, eax_refuse);
    check("eax begin", with_eax, eax_begin);
    check("eax update ad", with_eax_begun, eax_ad);
    check("eax update", with_eax_ad, eax_text);
    check("eax final", with_eax_text, eax_end);
}

/* The rest is written once for every algorithm. */

#define AEAD(id, ctx)                                                                           \
    static void id##_seal(void)                                                                 \
    {                                                                                           \
        must(hanji_##id##_encrypt(sealed, text, TEXT, ad, AD, nonce, key));                     \
    }                                                                                           \
    static void id##_open(void)                                                                 \
    {                                                                                           \
        must(hanji_##id##_decrypt(opened, sealed, TEXT + sizeof id##_tag, ad, AD, nonce, key)); \
    }                                                                                           \
    static void id##_refuse(void)                                                               \
    {                                                                                           \
        if (hanji_##id##_decrypt(opened, sealed, TEXT + sizeof id##_tag, ad, AD - 1, nonce,     \
                                 key) != HANJI_E_TAG)                                           \
            failed = 1;                                                                         \
    }                                                                                           \
    static void id##_begin(void)                                                                \
    {                                                                                           \
        must(hanji_##id##_init(nonce, key, &(ctx)));                                            \
    }                                                                                           \
    static void id##_more_ad(void)                                                              \
    {                                                                                           \
        must(hanji_##id##_update_ad(ad, AD, &(ctx)));                                           \
    }                                                                                           \
    static void id##_with_ad(void)                                                              \
    {                                                                                           \
        id##_begin();                                                                           \
        id##_more_ad();                                                                         \
    }                                                                                           \
    static void id##_text(void)                                                                 \
    {                                                                                           \
        must(hanji_##id##_update(sealed, text, 45, &(ctx)));                                    \
    }                                                                                           \
    static void id##_with_text(void)                                                            \
    {                                                                                           \
        id##_with_ad();                                                                         \
        id##_text();                                                                            \
    }                                                                                           \
    static void id##_end(void)                                                                  \
    {                                                                                           \
        must(hanji_##id##_final(tag, &(ctx)));                                                  \
    }                                                                                           \
    static void id##_check(void)                                                                \
    {                                                                                           \
        print("cipher " #id "\n");                                                              \
        check("encrypt", NULL, id##_seal);                                                      \
        check("decrypt", id##_seal, id##_open);                                                 \
        check("decrypt, refused", id##_seal, id##_refuse);                                      \
        check("init", NULL, id##_begin);                                                        \
        check("update ad", id##_begin, id##_more_ad);                                           \
        check("update", id##_with_ad, id##_text);                                               \
        check("final", id##_with_text, id##_end);                                               \
    }

#define HASH(id, ctx, start, once, finish)             \
    static void id##_whole(void)                       \
    {                                                  \
        must(once);                                    \
    }                                                  \
    static void id##_begin(void)                       \
    {                                                  \
        must(start);                                   \
    }                                                  \
    static void id##_text(void)                        \
    {                                                  \
        must(hanji_##id##_update(text, TEXT, &(ctx))); \
    }                                                  \
    static void id##_with_text(void)                   \
    {                                                  \
        id##_begin();                                  \
        id##_text();                                   \
    }                                                  \
    static void id##_end(void)                         \
    {                                                  \
        must(finish);                                  \
    }                                                  \
    static void id##_check(void)                       \
    {                                                  \
        print("cipher " #id "\n");                     \
        check("hash", NULL, id##_whole);               \
        check("update", id##_begin, id##_text);        \
        check("final", id##_with_text, id##_end);      \
    }

#define PERMUTATION(bits)                                                 \
    static void sparkle##bits##_state(void)                               \
    {                                                                     \
        copy(opened, text, bits / 8);                                     \
    }                                                                     \
    static void sparkle##bits##_permute(void)                             \
    {                                                                     \
        must(hanji_sparkle_permute(opened, 1, bits, 7));                  \
    }                                                                     \
    static void sparkle##bits##_check(void)                               \
    {                                                                     \
        print("cipher sparkle" #bits "\n");                               \
        check("permute", sparkle##bits##_state, sparkle##bits##_permute); \
    }

#define SCHWAEMM(id, tag_bytes)               \
    static const uint8_t id##_tag[tag_bytes]; \
    AEAD(id, schwaemm)
#define ASCON(id, tag_bytes)                  \
    static const uint8_t id##_tag[tag_bytes]; \
    AEAD(id, ascon)
#define ASCON_PERMUTATION                                 \
    static void ascon_p_state(void)                       \
    {                                                     \
        copy(opened, text, 40);                           \
    }                                                     \
    static void ascon_p_permute(void)                     \
    {                                                     \
        must(hanji_ascon_permute(opened, 1, 8));          \
    }                                                     \
    static void ascon_p_check(void)                       \
    {                                                     \
        print("cipher ascon_p\n");                        \
        check("permute", ascon_p_state, ascon_p_permute); \
    }
#define RUN_BLOCK(id, macro)                                                 \
    check_block("cipher " #id "\n", hanji_##id(), HANJI_##macro##_KEY_BYTES, \
                HANJI_##macro##_BLOCK_BYTES);
#define RUN(id) id##_check();
#endif
#include "jobs.h"

int main(void)
{
    CONTROLS
    JOBS print("end\n");
    end();
    return 0;
}

#ifndef __AVR__ /* whose C library has the rest */

/* Start. The image lies in memory as it is linked, data too. */

extern uint8_t bss_start[], bss_end[], stack_top[];
void begin(void);
static void __attribute__((used, noreturn)) run_main(void)
{
    for (uint8_t *at = bss_start; at < bss_end; at++)
        *(volatile uint8_t *)at = 0;
    (void)main();
    for (;;) {
    }
}
#ifdef __riscv
__asm__(
    ".section .start, \"ax\"\n.global begin\nbegin:\n.option push\n.option norelax\nla gp, __global_pointer$\n.option pop\nla sp, stack_top\nj run_main\n.text\n");
#else
static void trapped(void)
{
    print("trapped\n");
    end();
}
__attribute__((section(".start"), used)) static void (*const vectors[])(void) = {
    (void (*)(void))stack_top, run_main, trapped, trapped};
void begin(void)
{
    run_main();
}
#endif

/* Compilers call these functions where the source does not, with -flto only when they link. */
__attribute__((used)) void *memcpy(void *restrict to, const void *restrict from, size_t bytes);
__attribute__((used)) void *memmove(void *to, const void *from, size_t bytes);
__attribute__((used)) void *memset(void *to, int value, size_t bytes);

void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    if ((uintptr_t)to <= (uintptr_t)from)
        return memcpy(to, from, bytes);
    while (bytes-- > 0)
        ((uint8_t *)to)[bytes] = ((const uint8_t *)from)[bytes];
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((uint8_t *)to)[i] = (uint8_t)value;
    return to;
}

#ifdef __arm__ /* what clang calls */
void *__aeabi_memcpy(void *, const void *, size_t) __attribute__((alias("memcpy")));
void *__aeabi_memcpy4(void *, const void *, size_t) __attribute__((alias("memcpy")));
void *__aeabi_memmove(void *, const void *, size_t) __attribute__((alias("memmove")));
void *__aeabi_memmove4(void *, const void *, size_t) __attribute__((alias("memmove")));
void __aeabi_memclr(void *, size_t);
void __aeabi_memclr4(void *, size_t) __attribute__((alias("__aeabi_memclr")));
void __aeabi_memclr8(void *, size_t) __attribute__((alias("__aeabi_memclr")));
void __aeabi_memclr(void *to, size_t bytes)
{
    (void)memset(to, 0, bytes);
}
#endif
#endif
