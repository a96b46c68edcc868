/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMECK with 16-bit words on AVX-512: one word of thirty-two blocks in a vector, 8, 4 or 1 vector
 * of every word at a time. Groups of 512 blocks are folded bit slices.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simeck32_64.encrypt, simeck32_64.decrypt, simeck32_64.ctr]
     isa: avx512
*/
/* And CTR over messages of one length with keys of their own, 32 at a time. */
/* kernel:
     like: speck64_avx512 uniform
     spec: [simeck32_64.uniform]
     isa: avx512
*/
/* And over messages of any lengths, wherever they lie. */
/* kernel:
     like: speck64_avx512 ragged
     spec: [simeck32_64.ragged]
     isa: avx512
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 2
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/folds.h"
#include "simeck/simeck.h"
#include "simeck/simeck_folds.h"
#include "simeck/simeck_rounds.h"

HANJI_FOLDED_BLOCKS(hanji_simeck32_64_avx512_encrypt_x512, simeck_folds_w16, 32, 0)
HANJI_FOLDED_BLOCKS(hanji_simeck32_64_avx512_decrypt_x512, simeck_folds_w16, 32, 1)
HANJI_FOLDED_CTR(hanji_simeck32_64_avx512_ctr_x512, simeck_folds_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simeck32_64_avx512_encrypt_x256, 1, 8, simeck_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simeck32_64_avx512_decrypt_x256, 1, 8, simeck_decrypt_w16, 32)
HANJI_VECTOR_CTR(hanji_simeck32_64_avx512_ctr_x256, 1, 8, simeck_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simeck32_64_avx512_encrypt_x128, 1, 4, simeck_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simeck32_64_avx512_decrypt_x128, 1, 4, simeck_decrypt_w16, 32)
HANJI_VECTOR_CTR(hanji_simeck32_64_avx512_ctr_x128, 1, 4, simeck_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simeck32_64_avx512_encrypt_x32, 1, 1, simeck_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simeck32_64_avx512_decrypt_x32, 1, 1, simeck_decrypt_w16, 32)
HANJI_VECTOR_CTR(hanji_simeck32_64_avx512_ctr_x32, 1, 1, simeck_encrypt_w16, 32)
HANJI_VECTOR_UNIFORM(hanji_simeck32_64_avx512_uniform_x32, 32, simeck_encrypt_w16,
                     simeck_schedule_w16, 4, 32, SIMECK_Z_simeck32_64)
HANJI_VECTOR_RAGGED(hanji_simeck32_64_avx512_ragged_x32, simeck_encrypt_w16, simeck_schedule_w16, 4,
                    32, SIMECK_Z_simeck32_64)

#endif
