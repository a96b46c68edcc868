/* SPDX-License-Identifier: Apache-2.0 */
/* The permutations as bytes in, bytes out, over many states. */
#include "hanji/hash.h"
#include "sparkle/sparkle.h"
#include "support/bytes.h"
#include "support/cpu.h"
#include "support/secret.h"

/*
 * States that pass through the word buffer at a time; a power of two. Firmware has little stack,
 * and portable kernels that take one state.
 */
#ifdef HANJI_FREESTANDING
#define BATCH 1
#else
#define BATCH 16
#endif

/* The words of so many states, without a product, which a processor may not have. */
static size_t words_of(size_t states, const hanji_sparkle *sparkle)
{
    return sparkle->words == 8    ? states << 3
           : sparkle->words == 12 ? (states << 3) + (states << 2)
                                  : states << 4;
}

/* Through words, a batch at a time. */
static HANJI_NOINLINE void permute(uint8_t *state, size_t states, const hanji_sparkle *sparkle,
                                   uint32_t steps)
{
    const uint32_t features = hanji_cpu_features();
    uint32_t words[16 * BATCH];
    while (states > 0) {
        const size_t batch = states < BATCH ? states : BATCH;
        const size_t count = words_of(batch, sparkle);
        for (size_t i = 0; i < count; i++)
            words[i] = load_le32(state + 4 * i);
        uint32_t *at = words;
        for (size_t left = batch; left > 0;) {
            const hanji_kernel *row = hanji_kernel_next(sparkle->kernels, HANJI_PERMUTE, left,
                                                        features, HANJI_LAYOUT_CANONICAL);
            row->run.permute(at, 1, steps);
            left -= row->group;
            at += words_of(row->group, sparkle);
        }
        for (size_t i = 0; i < count; i++, state += 4)
            store_le32(state, words[i]);
        states -= batch;
    }
    hanji_wipe(words, sizeof words);
}

int hanji_sparkle_permute(uint8_t *state, size_t states, uint32_t bits, uint32_t steps)
{
    const hanji_sparkle *sparkle = bits == 256   ? &hanji_sparkle256
                                   : bits == 384 ? &hanji_sparkle384
                                   : bits == 512 ? &hanji_sparkle512
                                                 : NULL;
    if (sparkle == NULL || steps < 1 || steps > 64)
        return HANJI_E_LENGTH;
    if (states > SIZE_MAX / 64) /* the bytes of the largest state */
        return HANJI_E_LENGTH;
    if (!valid(state, states))
        return HANJI_E_ARGUMENT;
    const int rc = hanji_selection();
    if (rc != HANJI_OK)
        return rc;
    permute(state, states, sparkle, steps);
    hanji_wipe_stack();
    return HANJI_OK;
}
