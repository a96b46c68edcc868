/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Every kernel of every tier against portable C: random and edge inputs, every tail up to three groups of the smallest kernels, unaligned, in place, counters that
 * carry over 16, 32, 48 and 64 bits and over the whole block, and inaccessible pages directly behind the buffers.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "hanji/hanji.h"

#define ROOM ((size_t)40 * 1024) /* three times the largest group of any kernel, in bytes, and a tail */

static uint64_t seed = 0x243f6a8885a308d3;

static uint8_t random_byte(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint8_t)(seed >> 32);
}

static void fill_random(uint8_t *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        p[i] = random_byte();
}

/* A buffer that ends where a page without access begins. */
static uint8_t *guarded_end(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (ROOM + page - 1) / page * page;
    uint8_t *p = mmap(NULL, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p + bytes, page, PROT_NONE) != 0)
        exit(3);
    return p + bytes;
}

static uint8_t *in_end, *out_end;
static uint8_t expected[ROOM], input[ROOM];
static const hanji_cipher *cipher;
static hanji_any_block_ctx key;

/* One call over `blocks` blocks, `shift` bytes before the guard page; in place when `same`. Returns 0 when it differs from portable C. */
static int agree(const char *tier, int operation, size_t blocks, size_t extra, size_t shift, int same, const uint8_t *iv)
{
    const size_t n = hanji_cipher_block_bytes(cipher), bytes = blocks * n + extra;
    uint8_t *in = in_end - bytes - shift, *out = same ? in : out_end - bytes - shift;
    for (int pass = 0; pass < 2; pass++) {
        int rc = hanji_force(pass == 0 ? "portable" : tier);
        memcpy(in, input, bytes);
        if (operation == 0)
            rc |= hanji_block_encrypt(out, in, blocks, &key.head);
        else if (operation == 1)
            rc |= hanji_block_decrypt(out, in, blocks, &key.head);
        else {
            hanji_ctr_ctx ctr;
            rc |= hanji_ctr_init(iv, n, &key.head, &ctr);
            /* In two pieces, so that the stream goes on from where the kernels left the counter. */
            const size_t first = bytes / 3;
            rc |= hanji_ctr_update(out, in, first, &ctr) | hanji_ctr_update(out + first, in + first, bytes - first, &ctr);
        }
        if (rc != 0)
            return 0;
        if (pass == 0)
            memcpy(expected, out, bytes);
    }
    return memcmp(expected, out, bytes) == 0;
}

static int sweep(const char *tier)
{
    const size_t n = hanji_cipher_block_bytes(cipher), most = ROOM / n - 2;
    uint8_t iv[HANJI_BLOCK_BYTES_MAX];
    for (size_t blocks = 0; blocks <= most; blocks += blocks < 100 ? 1 : 97 + random_byte()) {
        fill_random(input, blocks * n + n);
        for (int operation = 0; operation < 2; operation++)
            if (!agree(tier, operation, blocks, 0, random_byte() & 1 ? 0 : random_byte() % 64, random_byte() & 1, NULL))
                return 0;
        /* Counters a few blocks before a carry out of the lowest 1, 2, ... bytes, or out of all. */
        for (size_t carry = 1; carry <= n; carry++) {
            fill_random(iv, n);
            memset(iv + n - carry, 0xff, carry);
            iv[n - 1] = (uint8_t)(0xff - random_byte() % 40);
            if (!agree(tier, 2, blocks, random_byte() % n, random_byte() % 64, random_byte() & 1, iv))
                return 0;
        }
    }
    return 1;
}

static void every_cipher(const char *tier)
{
    for (size_t c = 0; c < hanji_cipher_count(); c++) {
        cipher = hanji_cipher_at(c);
        case_context = hanji_cipher_name(cipher);
        uint8_t bytes[HANJI_BLOCK_KEY_BYTES_MAX];
        fill_random(bytes, sizeof bytes);
        CHECK(hanji_block_init(bytes, hanji_cipher_key_bytes(cipher), cipher, &key.head, sizeof key) == HANJI_OK);
        CHECK(hanji_block_set_limit(UINT64_MAX, &key.head) == HANJI_OK);
        CHECK(sweep(tier));
    }
}

static const char *tier_name;

static void one_tier(void)
{
    every_cipher(tier_name);
}

/* Usage: kernels TIER. Exit status 77 when this machine cannot run the tier. */
int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    tier_name = argv[1];
    if (hanji_force(tier_name) != HANJI_OK)
        return 77;
    in_end = guarded_end();
    out_end = guarded_end();
    const test_case cases[] = {{tier_name, one_tier}};
    return run_cases(cases, 1);
}
