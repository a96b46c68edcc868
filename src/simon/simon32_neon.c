/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 16-bit words on NEON: one word of eight blocks in a vector, 6, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simon32_64.encrypt, simon32_64.decrypt, simon32_64.ctr]
     isa: neon
*/
/* And key streams: 64 bytes each of 8 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [simon32_64.streams]
     isa: neon
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 2
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "simon/simon.h"
#include "simon/simon_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_simon32_64_neon_encrypt_x48, 1, 6, simon_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_neon_decrypt_x48, 1, 6, simon_decrypt_w16, 32)
HANJI_VECTOR_CTR(hanji_simon32_64_neon_ctr_x48, 1, 6, simon_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_neon_encrypt_x16, 1, 2, simon_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_neon_decrypt_x16, 1, 2, simon_decrypt_w16, 32)
HANJI_VECTOR_CTR(hanji_simon32_64_neon_ctr_x16, 1, 2, simon_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_neon_encrypt_x8, 1, 1, simon_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_neon_decrypt_x8, 1, 1, simon_decrypt_w16, 32)
HANJI_VECTOR_CTR(hanji_simon32_64_neon_ctr_x8, 1, 1, simon_encrypt_w16, 32)
HANJI_VECTOR_STREAMS(hanji_simon32_64_neon_streams_x8, simon_encrypt_w16, simon_schedule_w16, 4, 32,
                     SIMON_Z_simon32_64)

#endif
