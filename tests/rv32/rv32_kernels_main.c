/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The RV32 kernels of the block ciphers, each by itself against portable C, and the calls that are
 * split over them: random inputs, every number of groups up to five and every number of blocks up
 * to three of the largest groups, unaligned, in place, counters before every carry; what the ABI
 * keeps, and guard words around the output.
 */
#include "check.h"
#include "hanji/hanji.h"
#include "lanes/rv32.h"
#include "support/bytes.h"
#include "support/cipher.h"
#include "support/cpu.h"

#define ROOM 2048
#define GUARD 16
#define GROUPS 5

/*
 * Sets s0 to s11 to patterns, calls function(a0, ..., a4) and returns what the ABI forbids: bit n,
 * sN has changed; bit 12, sp; bit 13, gp; bit 14, tp; bit 15, our frame.
 */
uint32_t watched_call(uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4,
                      void *function);
__asm__(
    ".text\n.balign 4\n"
    "watched_call:\n"
    "addi sp, sp, -96\n"
    "sw ra, 92(sp)\n sw s0, 88(sp)\n sw s1, 84(sp)\n sw s2, 80(sp)\n sw s3, 76(sp)\n sw s4, 72(sp)\n sw s5, 68(sp)\n"
    "sw s6, 64(sp)\n sw s7, 60(sp)\n sw s8, 56(sp)\n sw s9, 52(sp)\n sw s10, 48(sp)\n sw s11, 44(sp)\n sw gp, 40(sp)\n sw tp, 36(sp)\n"
    "la t0, watched_sp\n sw sp, 0(t0)\n"
    "li t1, 0x5a5a1234\n sw t1, 0(sp)\n sw t1, 4(sp)\n sw t1, 8(sp)\n sw t1, 12(sp)\n"
    "li s0, 0x10101010\n li s1, 0x11111111\n li s2, 0x12121212\n li s3, 0x13131313\n li s4, 0x14141414\n li s5, 0x15151515\n"
    "li s6, 0x16161616\n li s7, 0x17171717\n li s8, 0x18181818\n li s9, 0x19191919\n li s10, 0x1a1a1a1a\n li s11, 0x1b1b1b1b\n"
    "jalr ra, 0(a5)\n"
    "li a0, 0\n"
    ".macro expect register, pattern, bit\n"
    "li t1, \\pattern\n sub t1, t1, \\register\n snez t1, t1\n slli t1, t1, \\bit\n or a0, a0, t1\n"
    ".endm\n"
    "expect s0, 0x10101010, 0\n expect s1, 0x11111111, 1\n expect s2, 0x12121212, 2\n expect s3, 0x13131313, 3\n"
    "expect s4, 0x14141414, 4\n expect s5, 0x15151515, 5\n expect s6, 0x16161616, 6\n expect s7, 0x17171717, 7\n"
    "expect s8, 0x18181818, 8\n expect s9, 0x19191919, 9\n expect s10, 0x1a1a1a1a, 10\n expect s11, 0x1b1b1b1b, 11\n"
    "mv t2, sp\n mv t3, gp\n"
    ".option push\n .option norelax\n la gp, __global_pointer$\n .option pop\n"
    "la t0, watched_sp\n lw sp, 0(t0)\n"
    "sub t1, t2, sp\n snez t1, t1\n slli t1, t1, 12\n or a0, a0, t1\n"
    "lw t1, 40(sp)\n sub t1, t3, t1\n snez t1, t1\n slli t1, t1, 13\n or a0, a0, t1\n"
    "lw t1, 36(sp)\n sub t1, tp, t1\n snez t1, t1\n slli t1, t1, 14\n or a0, a0, t1\n"
    "lw t1, 0(sp)\n lw t2, 4(sp)\n lw t3, 8(sp)\n lw t4, 12(sp)\n li t5, 0x5a5a1234\n"
    "xor t1, t1, t5\n xor t2, t2, t5\n xor t3, t3, t5\n xor t4, t4, t5\n or t1, t1, t2\n or t3, t3, t4\n or t1, t1, t3\n"
    "snez t1, t1\n slli t1, t1, 15\n or a0, a0, t1\n"
    "lw ra, 92(sp)\n lw s0, 88(sp)\n lw s1, 84(sp)\n lw s2, 80(sp)\n lw s3, 76(sp)\n lw s4, 72(sp)\n lw s5, 68(sp)\n"
    "lw s6, 64(sp)\n lw s7, 60(sp)\n lw s8, 56(sp)\n lw s9, 52(sp)\n lw s10, 48(sp)\n lw s11, 44(sp)\n lw gp, 40(sp)\n lw tp, 36(sp)\n"
    "addi sp, sp, 96\n ret\n"
    ".pushsection .bss\n .balign 4\nwatched_sp: .space 4\n .popsection\n"
    /*
         * Three that break the rules, to be caught: a register, the stack pointer, the caller's
         * frame.
         */
    "spoil_s5: addi s5, s5, 1\n ret\n"
    "spoil_s11: li s11, 0\n ret\n"
    "spoil_sp: addi sp, sp, -16\n ret\n"
    "spoil_tp: addi tp, tp, 1\n ret\n"
    "spoil_frame: sw zero, 8(sp)\n ret\n"
    "spoil_nothing: ret\n");
void spoil_s5(void);
void spoil_s11(void);
void spoil_sp(void);
void spoil_tp(void);
void spoil_frame(void);
void spoil_nothing(void);

static const hanji_cipher *cipher;
static hanji_any_block_ctx key;
static uint32_t input_words[ROOM / 4], output_words[2][ROOM / 4 + 2 * GUARD];
static uint32_t sequence;

static void next_random(void *out, size_t bytes)
{
    pseudo_random(out, bytes, ++sequence);
}

static void control(void)
{
    CHECK(watched_call(0, 0, 0, 0, 0, (void *)spoil_nothing) == 0);
    CHECK(watched_call(0, 0, 0, 0, 0, (void *)spoil_s5) == 1u << 5);
    CHECK(watched_call(0, 0, 0, 0, 0, (void *)spoil_s11) == 1u << 11);
    CHECK(watched_call(0, 0, 0, 0, 0, (void *)spoil_sp) == 1u << 12);
    CHECK(watched_call(0, 0, 0, 0, 0, (void *)spoil_tp) == 1u << 14);
    CHECK(watched_call(0, 0, 0, 0, 0, (void *)spoil_frame) == 1u << 15);
}

/* The portable row of an operation is the last one. */
static const hanji_kernel *portable(hanji_operation operation)
{
    const hanji_kernel *found = NULL;
    for (const hanji_kernel *row = cipher->kernels; row->name != NULL; row++)
        if (row->operation == operation)
            found = row;
    return found;
}

static int portable_only(void)
{
    for (const hanji_kernel *row = cipher->kernels; row->name != NULL; row++)
        if ((row->features & HANJI_CPU_RV32I) != 0)
            return 0;
    return 1;
}

/*
 * One call of a kernel against as many portable ones; 0 when the answers, the counters, the guards
 * or the registers differ.
 */
static int kernel_agrees(const hanji_kernel *row, size_t groups, int same, const uint8_t *iv)
{
    const size_t n = cipher->block_bytes, bytes = groups * row->group * n;
    const hanji_kernel *plain = portable(row->operation);
    const void *canonical = &key.head + 1;
    const void *keys = row->layout == HANJI_LAYOUT_CANONICAL
                           ? canonical
                           : (const uint8_t *)&key + cipher->ctx_bytes - HANJI_KEY_AREA_BYTES;
    uint8_t counters[2][HANJI_BLOCK_BYTES_MAX];
    uint32_t broken = 0;
    next_random(output_words, sizeof output_words);
    memcpy(output_words[1], output_words[0], sizeof output_words[0]);
    for (int pass = 0; pass < 2; pass++) {
        /* Aligned to words and, every other time, to no more. */
        uint8_t *out = (uint8_t *)(output_words[pass] + GUARD + (sequence & 1));
        const uint8_t *in = (const uint8_t *)input_words;
        if (same) {
            memcpy(out, in, bytes);
            in = out;
        }
        const uintptr_t target = (uintptr_t)out, source = (uintptr_t)in;
        memcpy(counters[pass], iv, n);
        const uintptr_t counter = (uintptr_t)counters[pass];
        if (row->operation == HANJI_CTR && pass == 0)
            plain->run.ctr(out, in, groups * row->group, counters[pass], canonical);
        else if (row->operation == HANJI_CTR)
            broken = watched_call(target, source, groups, counter, (uintptr_t)keys,
                                  (void *)row->run.ctr);
        else if (pass == 0)
            plain->run.blocks(out, in, groups * row->group, canonical);
        else
            broken =
                watched_call(target, source, groups, (uintptr_t)keys, 0, (void *)row->run.blocks);
    }
    int equal = broken == 0;
    for (size_t i = 0; i < sizeof output_words[0] / 4; i++)
        equal &= output_words[0][i] == output_words[1][i];
    for (size_t i = 0; i < n; i++)
        equal &= counters[0][i] == counters[1][i];
    return equal;
}

static int init_key(void)
{
    uint8_t bytes[HANJI_BLOCK_KEY_BYTES_MAX];
    next_random(bytes, sizeof bytes);
    return hanji_force(NULL) == HANJI_OK &&
           hanji_block_init(bytes, cipher->key_bytes, cipher, &key.head, sizeof key) == HANJI_OK &&
           hanji_block_set_limit(UINT64_MAX, &key.head) == HANJI_OK;
}

/* A counter that is `distance` steps before a carry out of its lowest `carry` bytes. */
static void counter_before(uint8_t *iv, size_t carry, uint32_t distance)
{
    const size_t n = cipher->block_bytes;
    next_random(iv, n);
    for (size_t i = n - carry; i < n; i++)
        iv[i] = 0xff;
    iv[n - 1] = (uint8_t)(0x100 - distance);
}

static size_t kernels_seen;

static void every_kernel(void)
{
    for (size_t c = 0; c < hanji_cipher_count(); c++) {
        cipher = hanji_cipher_at(c);
        for (const hanji_kernel *row = cipher->kernels; row->name != NULL; row++) {
            if ((row->features & HANJI_CPU_RV32I) == 0 || row->operation == HANJI_EXPAND)
                continue;
            kernels_seen++;
            case_context = row->name;
            for (size_t round = 0; round < 12; round++)
                for (size_t groups = 1;
                     groups <= GROUPS && groups * row->group * cipher->block_bytes <= ROOM;
                     groups++) {
                    uint8_t iv[HANJI_BLOCK_BYTES_MAX];
                    CHECK(init_key());
                    next_random(input_words, sizeof input_words);
                    if (row->operation != HANJI_CTR) {
                        CHECK(kernel_agrees(row, groups, (int)round & 1,
                                            (const uint8_t *)input_words));
                        continue;
                    }
                    for (size_t carry = 1; carry <= cipher->block_bytes; carry++) {
                        counter_before(iv, carry, 1 + (uint32_t)(round * 17 + groups * 5) % 70);
                        CHECK(kernel_agrees(row, groups, (int)round & 1, iv));
                    }
                    memset(iv, 0, sizeof iv);
                    CHECK(kernel_agrees(row, groups, (int)round & 1, iv));
                }
        }
    }
    case_context = "the tables";
    /* By the layouts that the key area has room for: a test of no kernel would pass. */
#ifdef __riscv_zbkb
    CHECK(kernels_seen == (HANJI_KEY_AREA_BYTES >= 1496 ? 12u : 6u));
#else
    CHECK(kernels_seen == (HANJI_KEY_AREA_BYTES >= 1496   ? 14u
                           : HANJI_KEY_AREA_BYTES >= 1088 ? 11u
                           : HANJI_KEY_AREA_BYTES >= 88   ? 8u
                                                          : 3u));
#endif
}

/*
 * Extremes of the words: all zeros, all ones, only top bits, for key and blocks, where carries run
 * through or stop.
 */
static void edges(void)
{
    static const uint32_t words[] = {0,          0xffffffff, 0x80008000, 0x7fff7fff,
                                     0x00010001, 0xffff0000, 0x0000ffff, 0xff00ff00};
    for (size_t c = 0; c < hanji_cipher_count(); c++) {
        cipher = hanji_cipher_at(c);
        for (const hanji_kernel *row = cipher->kernels; row->name != NULL; row++) {
            if ((row->features & HANJI_CPU_RV32I) == 0 || row->operation == HANJI_EXPAND)
                continue;
            case_context = row->name;
            for (size_t k = 0; k < sizeof words / 4; k++) {
                uint32_t bytes[HANJI_BLOCK_KEY_BYTES_MAX / 4];
                for (size_t i = 0; i < HANJI_BLOCK_KEY_BYTES_MAX / 4; i++)
                    bytes[i] = words[k];
                CHECK(hanji_block_init((const uint8_t *)bytes, cipher->key_bytes, cipher, &key.head,
                                       sizeof key) == HANJI_OK);
                for (size_t w = 0; w < sizeof words / 4; w++) {
                    for (size_t i = 0; i < ROOM / 4; i++)
                        input_words[i] = i % 3 == 2 ? words[k] : words[w];
                    CHECK(kernel_agrees(row, 1, 0, (const uint8_t *)(words + w)));
                }
            }
        }
    }
}

/* A call of any number of blocks, anywhere in memory, against portable C. */
static int call_agrees(int operation, size_t blocks, size_t extra, size_t shift, int same,
                       const uint8_t *iv)
{
    const size_t n = cipher->block_bytes, bytes = blocks * n + extra;
    next_random(output_words, sizeof output_words);
    memcpy(output_words[1], output_words[0], sizeof output_words[0]);
    for (int pass = 0; pass < 2; pass++) {
        uint8_t *out = (uint8_t *)(output_words[pass] + GUARD) + shift;
        const uint8_t *in = (const uint8_t *)input_words + (shift >> 1);
        if (same) {
            memmove(out, in, bytes);
            in = out;
        }
        int rc = hanji_force(pass == 0 ? "portable" : "rv32i");
        if (operation == 0)
            rc |= hanji_block_encrypt(out, in, blocks, &key.head);
        else if (operation == 1)
            rc |= hanji_block_decrypt(out, in, blocks, &key.head);
        else {
            hanji_ctr_ctx ctr;
            /* in two pieces: the stream goes on from where the kernels left the counter */
            const size_t first = bytes / 3;
            rc |= hanji_ctr_init(iv, n, &key.head, &ctr);
            rc |= hanji_ctr_update(out, in, first, &ctr) |
                  hanji_ctr_update(out + first, in + first, bytes - first, &ctr);
        }
        if (rc != HANJI_OK)
            return 0;
    }
    int equal = 1;
    for (size_t i = 0; i < sizeof output_words[0] / 4; i++)
        equal &= output_words[0][i] == output_words[1][i];
    return equal;
}

static void every_length(void)
{
    for (size_t c = 0; c < hanji_cipher_count(); c++) {
        uint8_t iv[HANJI_BLOCK_BYTES_MAX];
        cipher = hanji_cipher_at(c);
        case_context = cipher->name;
        CHECK(init_key());
        if (portable_only())
            continue;
        for (size_t blocks = 0; blocks <= 100; blocks++) {
            CHECK(init_key());
            next_random(input_words, sizeof input_words);
            CHECK(call_agrees(0, blocks, 0, blocks & 3, (int)(blocks >> 1) & 1, NULL));
            CHECK(call_agrees(1, blocks, 0, (blocks + 1) & 3, (int)(blocks >> 2) & 1, NULL));
            counter_before(iv, 1 + blocks % cipher->block_bytes, 1 + (uint32_t)blocks % 99);
            CHECK(call_agrees(2, blocks, blocks % cipher->block_bytes, (blocks + 2) & 3,
                              (int)blocks & 1, iv));
        }
    }
}

/*
 * What differs below the stack pointer between two runs with different secrets is a residue of
 * them: how many words. The calls go through watched_call(), so that what they keep of the caller's
 * registers is the same in both; its frame of 24 words is left out.
 */
#define DEPTH 512
static uint32_t below[DEPTH], earlier[DEPTH];

static __attribute__((noinline)) void copy_below(void)
{
    const uint32_t *top = __builtin_frame_address(0);
    for (size_t i = 0; i < DEPTH; i++) {
        earlier[i] = below[i];
        below[i] = top[-(ptrdiff_t)(i + 26)];
    }
}

static size_t residues(hanji_operation operation, size_t blocks, size_t shift, int bare)
{
    for (int pass = 0; pass < 2; pass++) {
        hanji_ctr_ctx ctr;
        const uintptr_t data = (uintptr_t)input_words + shift, head = (uintptr_t)&key.head;
        next_random(input_words, sizeof input_words);
        if (!init_key() || hanji_ctr_init((const uint8_t *)input_words, cipher->block_bytes,
                                          &key.head, &ctr) != HANJI_OK)
            return SIZE_MAX;
        if (bare) {
            const hanji_kernel *row = cipher->kernels;
            while (row->operation != operation || (row->features & HANJI_CPU_RV32I) == 0)
                row++;
            (void)watched_call(data, data, 1,
                               (uintptr_t)&key + cipher->ctx_bytes - HANJI_KEY_AREA_BYTES, 0,
                               (void *)row->run.blocks);
        } else if (operation == HANJI_ENCRYPT)
            (void)watched_call(data, data, blocks, head, 0, (void *)hanji_block_encrypt);
        else if (operation == HANJI_DECRYPT)
            (void)watched_call(data, data, blocks, head, 0, (void *)hanji_block_decrypt);
        else
            (void)watched_call(data, data, blocks * cipher->block_bytes, (uintptr_t)&ctr, 0,
                               (void *)hanji_ctr_update);
        copy_below();
    }
    size_t differ = 0;
    for (size_t i = 0; i < DEPTH; i++)
        differ += earlier[i] != below[i];
    return differ;
}

static void stack_is_wiped(void)
{
    for (size_t c = 0; c < hanji_cipher_count(); c++) {
        cipher = hanji_cipher_at(c);
        case_context = cipher->name;
        CHECK(init_key());
        if (portable_only())
            continue;
        if (key.head.layout == HANJI_RV32_SLICES)
            CHECK(residues(HANJI_ENCRYPT, 32, 0, 1) >
                  8); /* control: a kernel by itself leaves its frame */
        for (size_t blocks = 31; blocks <= 37; blocks += 6)
            for (size_t shift = 0; shift < 2; shift++)
                for (hanji_operation operation = HANJI_ENCRYPT; operation <= HANJI_CTR; operation++)
                    CHECK(residues(operation, blocks, shift, 0) == 0);
    }
}

int main(void)
{
    const test_case cases[] = {{"control", control},
                               {"every kernel", every_kernel},
                               {"edges", edges},
                               {"every length", every_length},
                               {"the stack is wiped", stack_is_wiped}};
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
