/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 16-bit words on NEON: one word of eight blocks in a vector, 8, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [speck32_64.encrypt, speck32_64.decrypt, speck32_64.ctr]
     isa: neon
*/
/* And key streams: 64 bytes each of 8 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [speck32_64.streams]
     isa: neon
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 2
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_speck32_64_neon_encrypt_x64, 1, 8, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_neon_decrypt_x64, 1, 8, speck_decrypt_w16, 22)
HANJI_VECTOR_CTR(hanji_speck32_64_neon_ctr_x64, 1, 8, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_neon_encrypt_x16, 1, 2, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_neon_decrypt_x16, 1, 2, speck_decrypt_w16, 22)
HANJI_VECTOR_CTR(hanji_speck32_64_neon_ctr_x16, 1, 2, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_neon_encrypt_x8, 1, 1, speck_encrypt_w16, 22)
HANJI_VECTOR_BLOCKS(hanji_speck32_64_neon_decrypt_x8, 1, 1, speck_decrypt_w16, 22)
HANJI_VECTOR_CTR(hanji_speck32_64_neon_ctr_x8, 1, 1, speck_encrypt_w16, 22)
HANJI_VECTOR_STREAMS(hanji_speck32_64_neon_streams_x8, speck_encrypt_w16, speck_schedule_w16, 4, 22,
                     0)

#endif
