/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 16-bit words on AVX2: one word of sixteen blocks in a vector, 7, 2 or 1 vector of
 * every word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [speck32_64.encrypt, speck32_64.decrypt, speck32_64.ctr]
     isa: avx2
*/
/* And key streams: 64 bytes each of 16 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [speck32_64.streams]
     isa: avx2
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 2
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_speck32_64_avx2_encrypt_x112, 1, 7, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_avx2_decrypt_x112, 1, 7, speck_decrypt_w16, 22)
HANJI_VECTOR_CTR(hanji_speck32_64_avx2_ctr_x112, 1, 7, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_avx2_encrypt_x32, 1, 2, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_avx2_decrypt_x32, 1, 2, speck_decrypt_w16, 22)
HANJI_VECTOR_CTR(hanji_speck32_64_avx2_ctr_x32, 1, 2, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_avx2_encrypt_x16, 1, 1, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_avx2_decrypt_x16, 1, 1, speck_decrypt_w16, 22)
HANJI_VECTOR_CTR(hanji_speck32_64_avx2_ctr_x16, 1, 1, speck_encrypt_w16, 22)
HANJI_VECTOR_STREAMS(hanji_speck32_64_avx2_streams_x16, speck_encrypt_w16, speck_schedule_w16, 4,
                     22, 0)

#endif
