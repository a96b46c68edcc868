/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels for one message of ESCH. */
#ifndef HANJI_SPARKLE_ESCH_H
#define HANJI_SPARKLE_ESCH_H

#include <stddef.h>
#include <stdint.h>

#include "support/cpu.h"

/* Blocks of 16 bytes that are not the last of a message, each with its slim permutation. */
typedef void hanji_esch_absorb_fn(uint32_t *state, const uint8_t *message, size_t blocks);

/*
 * The last block, padded, with its domain, and the first blocks of output; the state is that of the
 * last of them.
 */
typedef void hanji_esch_end_fn(uint32_t *state, uint8_t *out, size_t out_blocks,
                               const uint8_t *last, uint32_t domain);

/* A whole message; `domain` is 0 for hash functions, 4 for extendable output. */
typedef void hanji_esch_digest_fn(uint8_t *out, size_t out_bytes, const uint8_t *message,
                                  size_t bytes, uint32_t domain);

#ifndef HANJI_FREESTANDING
/*
 * The kernel for a whole message of ESCH256 and XOESCH256 (half 3), ESCH384 and XOESCH384 (4), or
 * NULL. It leaves no more on the stack than hanji_wipe_stack_least() erases.
 */
hanji_esch_digest_fn *hanji_esch_for_fleet(uint32_t half);
#endif

#ifdef HANJI_X86
hanji_esch_absorb_fn hanji_esch256_avx2_absorb_x1, hanji_esch256_avx512_absorb_x1,
    hanji_esch384_avx2_absorb_x1, hanji_esch384_avx512_absorb_x1;
hanji_esch_end_fn hanji_esch256_avx2_end_x1, hanji_esch256_avx512_end_x1, hanji_esch384_avx2_end_x1,
    hanji_esch384_avx512_end_x1;
hanji_esch_digest_fn hanji_esch256_avx2_digest_x1, hanji_esch256_avx512_digest_x1,
    hanji_esch384_avx2_digest_x1, hanji_esch384_avx512_digest_x1;
#endif

#endif
