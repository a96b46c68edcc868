/* SPDX-License-Identifier: Apache-2.0 */
/* A failing case among passing ones: the harness must report it. */
#include "check.h"

static void passes(void)
{
    CHECK(text_equal("a", "a"));
}

static void fails(void)
{
    case_context = "control";
    CHECK(text_equal("a", "b"));
    (void)io_print("not reached\n");
}

int main(void)
{
    static const test_case cases[] = {{"first", passes}, {"second", fails}, {"third", passes}};
    return run_cases(cases, sizeof cases / sizeof cases[0]);
}
