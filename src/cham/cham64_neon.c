/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHAM with 16-bit words on NEON: one word of eight blocks in a vector, 4, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [cham64_128.encrypt, cham64_128.decrypt, cham64_128.ctr]
     isa: neon
*/
/* And key streams: 64 bytes each of 8 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [cham64_128.streams]
     isa: neon
*/
/* And chains of blocks: of 8 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [cham64_128.chains]
     isa: neon
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [cham64_128.short]
     isa: neon
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 4
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "cham/cham.h"
#include "cham/cham_rounds.h"
#include "lanes/vector_short.h"

HANJI_VECTOR_BLOCKS(hanji_cham64_128_neon_encrypt_x32, 1, 4, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_neon_decrypt_x32, 1, 4, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_CTR(hanji_cham64_128_neon_ctr_x32, 1, 4, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_neon_encrypt_x16, 1, 2, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_neon_decrypt_x16, 1, 2, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_CTR(hanji_cham64_128_neon_ctr_x16, 1, 2, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_neon_encrypt_x8, 1, 1, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_neon_decrypt_x8, 1, 1, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_CTR(hanji_cham64_128_neon_ctr_x8, 1, 1, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_STREAMS(hanji_cham64_128_neon_streams_x8, cham_encrypt_k16_w16, cham_schedule_w16, 8,
                     88, 0)
HANJI_VECTOR_CHAINS(hanji_cham64_128_neon_chains_x8, cham_encrypt_k16_w16, cham_schedule_w16, 8, 88,
                    0)
HANJI_VECTOR_SHORT(hanji_cham64_128_neon_short_x64, cham_encrypt_k16_w16, 88)

#endif
