/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Steps of power maps by carry-less multiplication. The file that includes this defines clmul(low,
 * high, a, b): the product of two words in two words.
 */
#ifndef HANJI_AIMER_POWER_H
#define HANJI_AIMER_POWER_H

#include "aimer/aimer.h"
#include "support/bytes.h"

HANJI_INLINE void reduce_words(uint64_t *out, uint64_t *wide, const uint32_t words)
{
    for (uint32_t i = 2 * words; i-- > words;) {
        const uint64_t h = wide[i];
        if (words == 4) {
            wide[i - words] ^= h ^ h << 2 ^ h << 5 ^ h << 10;
            wide[i - words + 1] ^= h >> 62 ^ h >> 59 ^ h >> 54;
        } else {
            wide[i - words] ^= h ^ h << 1 ^ h << 2 ^ h << 7;
            wide[i - words + 1] ^= h >> 63 ^ h >> 62 ^ h >> 57;
        }
    }
    for (uint32_t i = 0; i < words; i++)
        out[i] = wide[i];
}

HANJI_INLINE void power_of_words(uint64_t *out, const uint64_t *base, uint32_t squarings,
                                 const uint64_t *factor, const uint32_t words)
{
    uint64_t a[AIMER_WORDS_MAX], wide[2 * AIMER_WORDS_MAX + 1], low, high;
    for (uint32_t i = 0; i < words; i++)
        a[i] = base[i];
    for (; squarings > 0; squarings--) {
        for (uint32_t i = 0; i < words; i++)
            clmul(&wide[2 * i], &wide[2 * i + 1], a[i], a[i]);
        reduce_words(a, wide, words);
    }
    for (uint32_t i = 0; i < 2 * words; i++)
        wide[i] = 0;
    for (uint32_t i = 0; i < words; i++)
        for (uint32_t j = 0; j < words; j++) {
            clmul(&low, &high, a[i], factor[j]);
            wide[i + j] ^= low;
            wide[i + j + 1] ^= high;
        }
    reduce_words(out, wide, words);
}

HANJI_INLINE void power_of_sets(uint64_t *out, const uint64_t *base, uint32_t squarings,
                                const uint64_t *factor, uint32_t words)
{
    switch (words) {
    case 2: power_of_words(out, base, squarings, factor, 2); break;
    case 3: power_of_words(out, base, squarings, factor, 3); break;
    default: power_of_words(out, base, squarings, factor, 4); break;
    }
}

#endif
