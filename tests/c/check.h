/* SPDX-License-Identifier: Apache-2.0 */
/* A test program is a list of cases; CHECK reports the first failure of a case and leaves it. */
#ifndef HANJI_TESTS_CHECK_H
#define HANJI_TESTS_CHECK_H

#include "io.h"

/* what the case was about when it failed: a cipher, for example */
static const char *case_context = "";
static int case_failed;

static inline void print_number(size_t n)
{
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + n % 10);
        n /= 10;
    } while (n > 0);
    (void)io_write_all(digits + at, sizeof digits - at);
}

static inline void report_failure(const char *text, int line_number)
{
    case_failed = 1;
    (void)io_print("FAILED line ");
    print_number((size_t)line_number);
    (void)io_print(" [");
    (void)io_print(case_context);
    (void)io_print("]: ");
    (void)io_print(text);
    (void)io_print("\n");
}

/* For functions that return nothing: stop at the first failure. */
#define CHECK(condition)                          \
    do {                                          \
        if (!(condition)) {                       \
            report_failure(#condition, __LINE__); \
            return;                               \
        }                                         \
    } while (0)

typedef struct {
    const char *name;
    void (*run)(void);
} test_case;

static inline int run_cases(const test_case *cases, size_t count)
{
    int failed = 0;
    for (size_t i = 0; i < count; i++) {
        case_failed = 0;
        case_context = "";
        (void)io_print("case ");
        (void)io_print(cases[i].name);
        (void)io_print("\n");
        cases[i].run();
        failed |= case_failed;
    }
    (void)io_print(failed ? "some cases failed\n" : "all cases passed\n");
    return failed;
}

/* A stream of bytes that is the same in every run. */
static inline void pseudo_random(uint8_t *out, size_t bytes, uint32_t seed)
{
    uint32_t x = seed * 2654435761u + 88172645u;
    for (size_t i = 0; i < bytes; i++) {
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        out[i] = (uint8_t)(x >> 11);
    }
}

static inline int same(const uint8_t *a, const uint8_t *b, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (a[i] != b[i])
            return 0;
    return 1;
}

static inline int all_are(const void *memory, size_t bytes, uint8_t value)
{
    const uint8_t *p = memory;
    for (size_t i = 0; i < bytes; i++)
        if (p[i] != value)
            return 0;
    return 1;
}

static inline void fill(void *memory, size_t bytes, uint8_t value)
{
    uint8_t *p = memory;
    for (size_t i = 0; i < bytes; i++)
        p[i] = value;
}

static inline void copy_bytes(void *to, const void *from, size_t bytes)
{
    uint8_t *out = to;
    const uint8_t *in = from;
    for (size_t i = 0; i < bytes; i++)
        out[i] = in[i];
}

#endif
