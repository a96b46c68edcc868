/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Versions, errors, memory, the lists of algorithms and kernels, and the selection as any caller
 * sees it.
 */
#include "check.h"
#include "hanji/hanji.h"

static void versions(void)
{
    CHECK(text_equal(hanji_version(), HANJI_VERSION));
    CHECK(hanji_version_number() == HANJI_VERSION_NUMBER);
}

static void errors_have_names(void)
{
    static const struct {
        int code;
        const char *name;
    } errors[] = {{HANJI_OK, "HANJI_OK"},
                  {HANJI_E_ARGUMENT, "HANJI_E_ARGUMENT"},
                  {HANJI_E_LENGTH, "HANJI_E_LENGTH"},
                  {HANJI_E_TAG, "HANJI_E_TAG"},
                  {HANJI_E_LIMIT, "HANJI_E_LIMIT"},
                  {HANJI_E_RANDOM, "HANJI_E_RANDOM"},
                  {HANJI_E_UNSUPPORTED, "HANJI_E_UNSUPPORTED"},
                  {HANJI_E_DEVICE, "HANJI_E_DEVICE"},
                  {HANJI_E_CHANGED, "HANJI_E_CHANGED"}};
    for (int i = 0; i < 9; i++) {
        CHECK(errors[i].code == -i);
        CHECK(text_equal(hanji_error_name(errors[i].code), errors[i].name));
        CHECK(text_length(hanji_error_text(errors[i].code)) > 3);
        for (int j = 0; j < i; j++)
            CHECK(!text_equal(hanji_error_text(errors[i].code), hanji_error_text(errors[j].code)));
    }
    CHECK(text_equal(hanji_error_name(-9), "unknown"));
    CHECK(text_equal(hanji_error_name(1), "unknown"));
    CHECK(hanji_error_text(-100) != NULL);
}

static void memory(void)
{
    uint8_t x[40], y[40];
    pseudo_random(x, 40, 3);
    copy_bytes(y, x, 40);
    CHECK(hanji_equal(x, y, 40) == 1);
    CHECK(hanji_equal(x, y, 0) == 1);
    for (size_t bit = 0; bit < 320; bit++) {
        y[bit / 8] ^= (uint8_t)(1 << bit % 8);
        CHECK(hanji_equal(x, y, 40) == 0);
        y[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    hanji_wipe(x + 1, 38);
    CHECK(all_are(x + 1, 38, 0) && x[0] == y[0] && x[39] == y[39]);
    hanji_wipe(NULL, 0);
}

static void algorithms(void)
{
    size_t i = 0;
    for (; hanji_algorithm_at(i) != NULL; i++) {
        const hanji_algorithm *algorithm = hanji_algorithm_at(i);
        case_context = algorithm->name;
        CHECK(text_length(algorithm->name) > 0 && text_length(algorithm->status) > 10 &&
              text_length(algorithm->standard) > 10);
        CHECK(algorithm->kind >= HANJI_KIND_BLOCK && algorithm->kind <= HANJI_KIND_SIGNATURE);
        for (size_t j = 0; j < i; j++)
            CHECK(!text_equal(algorithm->name, hanji_algorithm_at(j)->name));
        CHECK(hanji_selftest_one(i) == HANJI_OK);
        /* The word must agree with the sentence, and with what a signature set says of itself. */
        const int is_broken = algorithm->advice == HANJI_ADVICE_BROKEN;
        CHECK(algorithm->advice >= HANJI_ADVICE_RECOMMENDED &&
              algorithm->advice <= HANJI_ADVICE_BROKEN);
        CHECK(is_broken ==
              hanji_equal((const uint8_t *)algorithm->status, (const uint8_t *)"BROKEN:", 7));
        if (algorithm->kind == HANJI_KIND_SIGNATURE)
            CHECK(hanji_slhdsa_by_name(algorithm->name) != NULL
                      ? !is_broken
                      : hanji_aimer_is_broken(hanji_aimer_by_name(algorithm->name)) == is_broken);
        else
            CHECK(!is_broken);
        if (algorithm->kind == HANJI_KIND_BLOCK) {
            const hanji_cipher *cipher = hanji_cipher_find(algorithm->name);
            CHECK(cipher != NULL);
            CHECK(hanji_cipher_block_bytes(cipher) == algorithm->block_bytes &&
                  hanji_cipher_key_bytes(cipher) == algorithm->key_bytes);
            CHECK(hanji_cipher_limit(cipher) >> algorithm->limit_log2 == 1);
        }
    }
    CHECK(i == hanji_algorithm_count());
    CHECK(hanji_aimer_is_broken(NULL) == 1);
    case_context = "past the end";
    CHECK(hanji_selftest_one(i) == HANJI_E_ARGUMENT);
    for (size_t j = 0; j < hanji_cipher_count(); j++) {
        size_t listed = 0;
        for (size_t k = 0; k < i; k++)
            listed += text_equal(hanji_algorithm_at(k)->name, hanji_cipher_name(hanji_cipher_at(j)))
                          ? 1
                          : 0;
        CHECK(listed == 1);
    }
    const char *failed = "untouched";
    CHECK(hanji_selftest(&failed) == HANJI_OK);
    CHECK(hanji_selftest(NULL) == HANJI_OK);
}

/*
 * Every cipher must have a portable row that takes single blocks, for each way of using it, after
 * all other rows.
 */
static void kernels(void)
{
    hanji_kernel_info info;
    static const char *const operations[] = {"encrypt", "decrypt", "ctr"};
    for (size_t j = 0; j < hanji_cipher_count(); j++)
        for (int o = 0; o < 3; o++) {
            const char *name = hanji_cipher_name(hanji_cipher_at(j));
            uint32_t last_group = 0;
            case_context = name;
            for (size_t i = 0; i < hanji_kernel_count(); i++) {
                CHECK(hanji_kernel_at(&info, i) == HANJI_OK);
                if (text_equal(info.algorithm, name) && text_equal(info.operation, operations[o])) {
                    last_group = info.group;
                    CHECK(info.usable == 1 || !text_equal(info.tier, "portable"));
                }
            }
            CHECK(last_group == 1);
        }
    CHECK(hanji_kernel_at(&info, hanji_kernel_count()) == HANJI_E_ARGUMENT);
    CHECK(hanji_kernel_at(NULL, 0) == HANJI_E_ARGUMENT);
}

static void selection(void)
{
    CHECK(hanji_selection() == HANJI_OK);
    CHECK(hanji_tier_count() >= 1);
    CHECK(text_equal(hanji_tier_name(0), "portable"));
    CHECK(hanji_tier_name(hanji_tier_count()) == NULL);
    CHECK(hanji_tier_state(0) == 2);
    CHECK(hanji_tier_state(hanji_tier_count()) == 0);
    CHECK(hanji_force("portable") == HANJI_OK);
    for (size_t i = 1; i < hanji_tier_count(); i++)
        CHECK(hanji_tier_state(i) < 2);
    CHECK(hanji_force("portabl") == HANJI_E_UNSUPPORTED);
    CHECK(hanji_force("portable2") == HANJI_E_UNSUPPORTED);
    CHECK(hanji_force("") == HANJI_E_UNSUPPORTED);
    CHECK(hanji_selection() == HANJI_OK);
    CHECK(hanji_selftest(NULL) == HANJI_OK);
    CHECK(hanji_force(NULL) == HANJI_OK);
}

#ifndef HANJI_FREESTANDING
static void random_bytes(void)
{
    static uint8_t x[1000], y[1000];
    CHECK(hanji_random(x, 1000) == HANJI_OK && hanji_random(y, 1000) == HANJI_OK);
    CHECK(!same(x, y, 1000)); /* equal with a chance of 2^-8000 */
    size_t seen = 0;
    for (int v = 0; v < 256; v++) {
        int here = 0;
        for (size_t i = 0; i < 1000; i++)
            here |= x[i] == v;
        seen += (size_t)here;
    }
    CHECK(seen > 200); /* about 251 of the 256 values are expected */
    CHECK(hanji_random(NULL, 0) == HANJI_OK);
    CHECK(hanji_random(NULL, 1) == HANJI_E_ARGUMENT);
}
#endif

int main(void)
{
    static const test_case cases[] = {
        {"versions", versions},
        {"errors have names", errors_have_names},
        {"memory", memory},
        {"algorithms", algorithms},
        {"kernels", kernels},
        {"selection", selection},
#ifndef HANJI_FREESTANDING
        {"random bytes", random_bytes},
#endif
    };
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
