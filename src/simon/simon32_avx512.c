/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 16-bit words on AVX-512: one word of thirty-two blocks in a vector, 8, 4 or 1 vector
 * of every word at a time. Groups of 512 blocks are folded bit slices.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simon32_64.encrypt, simon32_64.decrypt, simon32_64.ctr]
     isa: avx512
*/
/* And CTR over messages of one length with keys of their own, 32 at a time. */
/* kernel:
     like: speck64_avx512 uniform
     spec: [simon32_64.uniform]
     isa: avx512
*/
/* And over messages of any lengths, wherever they lie. */
/* kernel:
     like: speck64_avx512 ragged
     spec: [simon32_64.ragged]
     isa: avx512
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 2
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/folds.h"
#include "simon/simon.h"
#include "simon/simon_folds.h"
#include "simon/simon_rounds.h"

HANJI_FOLDED_BLOCKS(hanji_simon32_64_avx512_encrypt_x512, simon_folds_w16, 32, 0)
HANJI_FOLDED_BLOCKS(hanji_simon32_64_avx512_decrypt_x512, simon_folds_w16, 32, 1)
HANJI_FOLDED_CTR(hanji_simon32_64_avx512_ctr_x512, simon_folds_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_avx512_encrypt_x256, 1, 8, simon_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_avx512_decrypt_x256, 1, 8, simon_decrypt_w16, 32)
HANJI_VECTOR_CTR(hanji_simon32_64_avx512_ctr_x256, 1, 8, simon_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_avx512_encrypt_x128, 1, 4, simon_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_avx512_decrypt_x128, 1, 4, simon_decrypt_w16, 32)
HANJI_VECTOR_CTR(hanji_simon32_64_avx512_ctr_x128, 1, 4, simon_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_avx512_encrypt_x32, 1, 1, simon_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_avx512_decrypt_x32, 1, 1, simon_decrypt_w16, 32)
HANJI_VECTOR_CTR(hanji_simon32_64_avx512_ctr_x32, 1, 1, simon_encrypt_w16, 32)
HANJI_VECTOR_UNIFORM(hanji_simon32_64_avx512_uniform_x32, 32, simon_encrypt_w16, simon_schedule_w16,
                     4, 32, SIMON_Z_simon32_64)
HANJI_VECTOR_RAGGED(hanji_simon32_64_avx512_ragged_x32, simon_encrypt_w16, simon_schedule_w16, 4,
                    32, SIMON_Z_simon32_64)

#endif
