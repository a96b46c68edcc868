/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMECK with 16-bit words on NEON: one word of eight blocks in a vector, 6, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simeck32_64.encrypt, simeck32_64.decrypt, simeck32_64.ctr]
     isa: neon
*/
/* And key streams: 64 bytes each of 8 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [simeck32_64.streams]
     isa: neon
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 2
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "simeck/simeck.h"
#include "simeck/simeck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_simeck32_64_neon_encrypt_x48, 1, 6, simeck_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simeck32_64_neon_decrypt_x48, 1, 6, simeck_decrypt_w16, 32)
HANJI_VECTOR_CTR(hanji_simeck32_64_neon_ctr_x48, 1, 6, simeck_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simeck32_64_neon_encrypt_x16, 1, 2, simeck_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simeck32_64_neon_decrypt_x16, 1, 2, simeck_decrypt_w16, 32)
HANJI_VECTOR_CTR(hanji_simeck32_64_neon_ctr_x16, 1, 2, simeck_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simeck32_64_neon_encrypt_x8, 1, 1, simeck_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simeck32_64_neon_decrypt_x8, 1, 1, simeck_decrypt_w16, 32)
HANJI_VECTOR_CTR(hanji_simeck32_64_neon_ctr_x8, 1, 1, simeck_encrypt_w16, 32)
HANJI_VECTOR_STREAMS(hanji_simeck32_64_neon_streams_x8, simeck_encrypt_w16, simeck_schedule_w16, 4,
                     32, SIMECK_Z_simeck32_64)

#endif
