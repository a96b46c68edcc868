/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A parser that reads one byte too far when the input begins with "hanji": the fuzzer must find it
 * from a seed that is close.
 */
#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *copy = exactly(data, size);
    volatile uint8_t last = 0;
    if (size >= 5 && memcmp(copy, "hanji", 5) == 0)
        last = copy[size];
    (void)last;
    free(copy);
    return 0;
}
