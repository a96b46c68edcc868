/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a call is split over the rows of a kernel table, and what capping the tier does to it: a
 * cipher that only adds its key, with rows that record their calls. Built with the tiers of
 * HANJI_TEST_TIERS, one that every machine has and one that none has.
 */
#include "check.h"
#include "hanji/hanji.h"
#include "support/bytes.h"
#include "support/cipher.h"
#include "support/cpu.h"

enum {
    BLOCK = 8,
    WIDE_GROUP = 16,
    WIDE_MINIMUM = 40,
    WIDE_ALIGN = 32,
    MID_GROUP = 4,
    LAYOUT = 1,
    AREA_BYTES = 40
};

typedef struct {
    hanji_block_ctx head;
    uint64_t round_keys[1];
    HANJI_KEY_AREA
} fake_ctx;

static size_t calls_of[3], blocks_of[3]; /* wide, mid, one */
static int wrong_call;

static void add(uint8_t *out, const uint8_t *in, size_t blocks, uint64_t k)
{
    for (size_t i = 0; i < blocks; i++)
        store_le64(out + i * BLOCK, load_le64(in + i * BLOCK) + k);
}

static void note(int row, size_t blocks)
{
    calls_of[row]++;
    blocks_of[row] += blocks;
}

static void must_not_run(uint8_t *out, const uint8_t *in, size_t groups, const void *keys)
{
    (void)out, (void)in, (void)groups, (void)keys;
    wrong_call = 1;
}

static void must_not_expand(void *area, const void *round_keys)
{
    (void)area, (void)round_keys;
    wrong_call = 1;
}

/*
 * Its layout holds the complement of the key, so that it gives wrong answers with canonical round
 * keys.
 */
static void wide(uint8_t *out, const uint8_t *in, size_t groups, const void *keys)
{
    if (((uintptr_t)out | (uintptr_t)in) % WIDE_ALIGN != 0)
        wrong_call = 1;
    note(0, groups * WIDE_GROUP);
    add(out, in, groups * WIDE_GROUP, ~*(const uint64_t *)keys);
}

static void mid(uint8_t *out, const uint8_t *in, size_t groups, const void *keys)
{
    note(1, groups * MID_GROUP);
    add(out, in, groups * MID_GROUP, *(const uint64_t *)keys);
}

static void one(uint8_t *out, const uint8_t *in, size_t groups, const void *keys)
{
    note(2, groups);
    add(out, in, groups, *(const uint64_t *)keys);
}

/* The "cipher" of the counter is the same addition. */
static void count(uint8_t *out, const uint8_t *in, size_t blocks, uint8_t *counter, uint64_t k)
{
    for (size_t i = 0; i < blocks; i++) {
        uint8_t stream[BLOCK];
        add(stream, counter, 1, k);
        store_be64(counter, load_be64(counter) + 1);
        xor_bytes(out + i * BLOCK, in + i * BLOCK, stream, BLOCK);
    }
}

static void wide_ctr(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,
                     const void *keys)
{
    if (((uintptr_t)out | (uintptr_t)in) % WIDE_ALIGN != 0)
        wrong_call = 1;
    note(0, groups * WIDE_GROUP);
    count(out, in, groups * WIDE_GROUP, counter, ~*(const uint64_t *)keys);
}

static void one_ctr(uint8_t *out, const uint8_t *in, size_t groups, uint8_t *counter,
                    const void *keys)
{
    note(2, groups);
    count(out, in, groups, counter, *(const uint64_t *)keys);
}

static void expand_wide(void *area, const void *round_keys)
{
    uint64_t *words = area;
    for (size_t i = 0; i < AREA_BYTES / 8; i++)
        words[i] = ~*(const uint64_t *)round_keys;
}

static void expand(void *round_keys, const uint8_t *key)
{
    *(uint64_t *)round_keys = load_le64(key);
}

static const hanji_kernel rows[] = {
    {.name = "no machine",
     .features = HANJI_CPU_TEST_NONE,
     .operation = HANJI_ENCRYPT,
     .group = 1,
     .align = 1,
     .run = {.blocks = must_not_run}},
    {.name = "no machine",
     .features = HANJI_CPU_TEST_NONE | HANJI_CPU_TEST_ANY,
     .operation = HANJI_ENCRYPT,
     .group = 1,
     .align = 1,
     .run = {.blocks = must_not_run}},
    {.name = "no machine",
     .features = HANJI_CPU_TEST_NONE,
     .operation = HANJI_EXPAND,
     .layout = 2,
     .area_bytes = 8,
     .run = {.expand = must_not_expand}},
    {.name = "too large",
     .features = HANJI_CPU_TEST_ANY,
     .operation = HANJI_EXPAND,
     .layout = 3,
     .area_bytes = HANJI_KEY_AREA_BYTES + 1,
     .run = {.expand = must_not_expand}},
    {.name = "wide",
     .features = HANJI_CPU_TEST_ANY,
     .operation = HANJI_EXPAND,
     .layout = LAYOUT,
     .area_bytes = AREA_BYTES,
     .run = {.expand = expand_wide}},
    {.name = "another layout",
     .features = HANJI_CPU_TEST_ANY,
     .operation = HANJI_ENCRYPT,
     .group = 1,
     .align = 1,
     .layout = 3,
     .run = {.blocks = must_not_run}},
    {.name = "wide",
     .features = HANJI_CPU_TEST_ANY,
     .operation = HANJI_ENCRYPT,
     .group = WIDE_GROUP,
     .align = WIDE_ALIGN,
     .layout = LAYOUT,
     .minimum = WIDE_MINIMUM,
     .run = {.blocks = wide}},
    {.name = "wide",
     .features = HANJI_CPU_TEST_ANY,
     .operation = HANJI_CTR,
     .group = WIDE_GROUP,
     .align = WIDE_ALIGN,
     .layout = LAYOUT,
     .minimum = WIDE_MINIMUM,
     .run = {.ctr = wide_ctr}},
    {.name = "mid",
     .operation = HANJI_ENCRYPT,
     .group = MID_GROUP,
     .align = 1,
     .run = {.blocks = mid}},
    {.name = "one", .operation = HANJI_ENCRYPT, .group = 1, .align = 1, .run = {.blocks = one}},
    {.name = "one", .operation = HANJI_CTR, .group = 1, .align = 1, .run = {.ctr = one_ctr}},
    {.name = NULL},
};
static const hanji_cipher fake = {.name = "fake",
                                  .block_bytes = BLOCK,
                                  .key_bytes = 8,
                                  .limit_log2 = 20,
                                  .ctx_bytes = sizeof(fake_ctx),
                                  .expand = expand,
                                  .kernels = rows};

static const uint8_t key_bytes[8] = {1, 2, 3, 4, 5, 6, 7, 0x80};
static fake_ctx key;
static _Alignas(64) uint8_t input[4096], output[4096], expected[4096];

static int open_key(void)
{
    return hanji_block_init(key_bytes, 8, &fake, &key.head, sizeof key) == HANJI_OK &&
           hanji_block_set_limit(UINT64_MAX, &key.head) == HANJI_OK;
}

static void forget_calls(void)
{
    wrong_call = 0;
    for (int i = 0; i < 3; i++)
        calls_of[i] = blocks_of[i] = 0;
}

/* Encrypt n blocks; the wide row takes what it may when `wide_usable`. */
static void run_blocks(size_t n, size_t in_shift, size_t out_shift, int wide_usable)
{
    const size_t by_wide = wide_usable && n >= WIDE_MINIMUM ? n / WIDE_GROUP * WIDE_GROUP : 0;
    const size_t by_mid = (n - by_wide) / MID_GROUP * MID_GROUP;
    pseudo_random(input + in_shift, n * BLOCK, (uint32_t)n);
    add(expected, input + in_shift, n, load_le64(key_bytes));
    fill(output, sizeof output, 0xaa);
    forget_calls();
    CHECK(hanji_block_encrypt(output + out_shift, input + in_shift, n, &key.head) == HANJI_OK);
    CHECK(!wrong_call);
    CHECK(same(output + out_shift, expected, n * BLOCK));
    CHECK(all_are(output + out_shift + n * BLOCK, 64, 0xaa) && all_are(output, out_shift, 0xaa));
    CHECK(blocks_of[0] == by_wide && blocks_of[1] == by_mid &&
          blocks_of[2] == n - by_wide - by_mid);
    if (in_shift == 0 && out_shift == 0)
        CHECK(calls_of[0] <= 1 && calls_of[1] <= 1 &&
              calls_of[2] <= 1); /* whole groups in one call */
}

static void calls_are_split_over_the_rows(void)
{
    CHECK(hanji_force(NULL) == HANJI_OK && open_key());
    CHECK(key.head.layout == LAYOUT);
    for (size_t n = 0; n <= 200 && !case_failed; n++)
        run_blocks(n, 0, 0, 1);
}

static void data_at_any_address(void)
{
    CHECK(open_key());
    for (size_t n = 30; n <= 100 && !case_failed; n += 5)
        for (size_t shift = 1; shift < 64 && !case_failed; shift += 6) {
            run_blocks(n, shift, 0, 1);
            run_blocks(n, 0, shift, 1);
            run_blocks(n, shift, shift + 1, 1);
        }
}

static void counters_cross_from_row_to_row(void)
{
    CHECK(open_key());
    for (size_t n = 0; n <= 130; n++)
        for (size_t shift = 0; shift < 2; shift++) {
            hanji_ctr_ctx ctr;
            uint8_t iv[8] = {0, 0, 0, 0, 0xff, 0xff, 0xff, 0xf0}, counter[8];
            const size_t bytes = n * BLOCK + n % 8;
            copy_bytes(counter, iv, 8);
            pseudo_random(input + shift, bytes + BLOCK, 7);
            count(expected, input + shift, n + 1, counter, load_le64(key_bytes));
            forget_calls();
            CHECK(hanji_ctr_init(iv, 8, &key.head, &ctr) == HANJI_OK);
            CHECK(hanji_ctr_update(output, input + shift, bytes, &ctr) == HANJI_OK);
            CHECK(same(output, expected, bytes));
            CHECK(!wrong_call);
            /* a row is chosen for the blocks that are begun */
            CHECK(blocks_of[0] ==
                  (n + (n % 8 != 0) >= WIDE_MINIMUM ? n / WIDE_GROUP * WIDE_GROUP : 0));
        }
}

/* The tiers of the test come after those of the machine. */
#define TIER_ANY (hanji_tier_count() - 2)
#define TIER_NONE (hanji_tier_count() - 1)

static void a_cap_holds(void)
{
    CHECK(hanji_force(NULL) == HANJI_OK && open_key());
    CHECK(hanji_force("portable") == HANJI_OK);
    CHECK(hanji_tier_state(0) == 2 && hanji_tier_state(TIER_ANY) == 1 &&
          hanji_tier_state(TIER_NONE) == 0);
    run_blocks(100, 0, 0, 0); /* a key from before the cap stays valid */
    CHECK(open_key());
    CHECK(key.head.layout == HANJI_LAYOUT_CANONICAL);
    run_blocks(100, 0, 0, 0);
    CHECK(hanji_force("test-any") == HANJI_OK);
    CHECK(hanji_tier_state(TIER_ANY) == 2);
    run_blocks(100, 0, 0, 0); /* a key from under the cap has no layout for the wide row */
    CHECK(open_key());
    run_blocks(100, 0, 0, 1);
}

static void a_tier_that_is_not_there_is_an_error(void)
{
    CHECK(hanji_force("portable") == HANJI_OK);
    CHECK(hanji_force("test-none") == HANJI_E_UNSUPPORTED);
    CHECK(hanji_force("avx9") == HANJI_E_UNSUPPORTED);
    CHECK(hanji_tier_state(TIER_ANY) == 1); /* the cap from before */
    CHECK(hanji_force(NULL) == HANJI_OK);
    CHECK(hanji_tier_state(TIER_ANY) == 2 && hanji_tier_state(TIER_NONE) == 0);
    CHECK(text_equal(hanji_tier_name(TIER_ANY), "test-any") &&
          text_equal(hanji_tier_name(TIER_NONE), "test-none"));
    CHECK(text_equal(hanji_cpu_tier(HANJI_CPU_TEST_ANY), "test-any") &&
          text_equal(hanji_cpu_tier(HANJI_CPU_PORTABLE), "portable"));
}

int main(void)
{
    static const test_case cases[] = {
        {"calls are split over the rows", calls_are_split_over_the_rows},
        {"data at any address", data_at_any_address},
        {"counters cross from row to row", counters_cross_from_row_to_row},
        {"a cap holds", a_cap_holds},
        {"a tier that is not there is an error", a_tier_that_is_not_there_is_an_error},
    };
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
