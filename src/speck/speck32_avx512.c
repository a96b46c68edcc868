/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 16-bit words on AVX-512: one word of thirty-two blocks in a vector, 12, 8, 4 or 1
 * vector of every word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [speck32_64.encrypt, speck32_64.decrypt, speck32_64.ctr]
     isa: avx512
*/
/* And CTR over messages of one length with keys of their own, 32 at a time. */
/* kernel:
     like: speck64_avx512 uniform
     spec: [speck32_64.uniform]
     isa: avx512
*/
/* And over messages of any lengths, wherever they lie. */
/* kernel:
     like: speck64_avx512 ragged
     spec: [speck32_64.ragged]
     isa: avx512
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 2
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_speck32_64_avx512_encrypt_x384, 1, 12, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_avx512_decrypt_x384, 1, 12, speck_decrypt_w16, 22)
HANJI_VECTOR_CTR(hanji_speck32_64_avx512_ctr_x384, 1, 12, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_avx512_encrypt_x256, 1, 8, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_avx512_decrypt_x256, 1, 8, speck_decrypt_w16, 22)
HANJI_VECTOR_CTR(hanji_speck32_64_avx512_ctr_x256, 1, 8, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_avx512_encrypt_x128, 1, 4, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_avx512_decrypt_x128, 1, 4, speck_decrypt_w16, 22)
HANJI_VECTOR_CTR(hanji_speck32_64_avx512_ctr_x128, 1, 4, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_avx512_encrypt_x32, 1, 1, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_avx512_decrypt_x32, 1, 1, speck_decrypt_w16, 22)
HANJI_VECTOR_CTR(hanji_speck32_64_avx512_ctr_x32, 1, 1, speck_encrypt_w16, 22)
HANJI_VECTOR_UNIFORM(hanji_speck32_64_avx512_uniform_x32, 32, speck_encrypt_w16, speck_schedule_w16,
                     4, 22, 0)
HANJI_VECTOR_RAGGED(hanji_speck32_64_avx512_ragged_x32, speck_encrypt_w16, speck_schedule_w16, 4,
                    22, 0)

#endif
