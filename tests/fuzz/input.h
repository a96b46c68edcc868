/* SPDX-License-Identifier: Apache-2.0 */
/* Taking fields off a fuzzer's input, and stopping when a property does not hold. */
#ifndef HANJI_FUZZ_INPUT_H
#define HANJI_FUZZ_INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    const uint8_t *p;
    size_t left;
} fuzz_input;

#define MUST(condition)                                                     \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                        \
        }                                                                   \
    } while (0)

/* The next byte; 0 when the input has ended. */
static inline uint8_t take_byte(fuzz_input *in)
{
    if (in->left == 0)
        return 0;
    in->left--;
    return *in->p++;
}

/* Fill `out`; zeros when the input has ended. */
static inline void take_into(uint8_t *out, size_t bytes, fuzz_input *in)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = take_byte(in);
}

/* A copy of exactly `bytes` bytes, so that the address sanitizer sees the first byte beyond. */
static inline uint8_t *exactly(const uint8_t *from, size_t bytes)
{
    uint8_t *copy = malloc(bytes > 0 ? bytes : 1);
    MUST(copy != NULL);
    if (from != NULL && bytes > 0)
        memcpy(copy, from, bytes);
    return copy;
}

static inline int is_zero(const uint8_t *p, size_t bytes)
{
    uint8_t any = 0;
    for (size_t i = 0; i < bytes; i++)
        any |= p[i];
    return any == 0;
}

#endif
