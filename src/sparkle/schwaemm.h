/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One SCHWAEMM message, as the one-shot calls and the fleet use it. Sizes and pointers are already
 * checked.
 */
#ifndef HANJI_SPARKLE_SCHWAEMM_H
#define HANJI_SPARKLE_SCHWAEMM_H

#include <stddef.h>
#include <stdint.h>

#include "support/bytes.h"
#include "support/cpu.h"

/* Seal: ciphertext and tag. */
typedef void hanji_schwaemm_seal_fn(uint8_t *out, uint8_t *tag, const uint8_t *in, size_t bytes,
                                    const uint8_t *ad, size_t ad_bytes, const uint8_t *nonce,
                                    const uint8_t *key);
/* Open: HANJI_OK, or HANJI_E_TAG and a zeroed output. */
typedef int hanji_schwaemm_open_fn(uint8_t *out, const uint8_t *in, size_t bytes,
                                   const uint8_t *tag, const uint8_t *ad, size_t ad_bytes,
                                   const uint8_t *nonce, const uint8_t *key);

hanji_schwaemm_seal_fn hanji_schwaemm256_128_seal, hanji_schwaemm192_192_seal,
    hanji_schwaemm128_128_seal, hanji_schwaemm256_256_seal;
hanji_schwaemm_open_fn hanji_schwaemm256_128_open, hanji_schwaemm192_192_open,
    hanji_schwaemm128_128_open, hanji_schwaemm256_256_open;

#ifndef HANJI_FREESTANDING
/*
 * The kernel that seals one message, or NULL. It leaves no more on the stack than
 * hanji_wipe_stack_least() erases.
 */
hanji_schwaemm_seal_fn *hanji_schwaemm256_128_seal_for_fleet(void);
hanji_schwaemm_seal_fn *hanji_schwaemm192_192_seal_for_fleet(void);
hanji_schwaemm_seal_fn *hanji_schwaemm128_128_seal_for_fleet(void);
hanji_schwaemm_seal_fn *hanji_schwaemm256_256_seal_for_fleet(void);
#endif

#ifdef HANJI_X86
/* Kernels for one message. Those that open make the tag that there should be, too. */
#define HANJI_SCHWAEMM_OF_TIER(tier)                                                    \
    hanji_schwaemm_seal_fn hanji_schwaemm256_128_##tier##_seal_x1,                      \
        hanji_schwaemm192_192_##tier##_seal_x1, hanji_schwaemm128_128_##tier##_seal_x1, \
        hanji_schwaemm256_256_##tier##_seal_x1, hanji_schwaemm256_128_##tier##_open_x1, \
        hanji_schwaemm192_192_##tier##_open_x1, hanji_schwaemm128_128_##tier##_open_x1, \
        hanji_schwaemm256_256_##tier##_open_x1;
HANJI_SCHWAEMM_OF_TIER(avx2)
HANJI_SCHWAEMM_OF_TIER(avx512)
#undef HANJI_SCHWAEMM_OF_TIER

/* Whether one message has a kernel on this processor. */
HANJI_INLINE int hanji_schwaemm_has_kernel(void)
{
    return (hanji_features() & (HANJI_CPU_AVX2 | HANJI_CPU_TWO_CYCLES)) == HANJI_CPU_AVX2;
}
#endif

#endif
