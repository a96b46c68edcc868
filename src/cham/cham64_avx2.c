/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHAM with 16-bit words on AVX2: one word of sixteen blocks in a vector, 6, 4, 2 or 1 vector of
 * every word at a time, but 12 to decrypt, which is one chain of rounds that wait for each other:
 * there the words that have time lie in memory.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [cham64_128.encrypt, cham64_128.decrypt, cham64_128.ctr]
     isa: avx2
*/
/* And key streams: 64 bytes each of 16 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [cham64_128.streams]
     isa: avx2
*/
/* And chains of blocks: of 16 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [cham64_128.chains]
     isa: avx2
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [cham64_128.short]
     isa: avx2
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 4
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "cham/cham.h"
#include "cham/cham_rounds.h"
#include "lanes/vector_short.h"

HANJI_VECTOR_BLOCKS(hanji_cham64_128_avx2_encrypt_x192, 2, 6, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_avx2_decrypt_x192, 1, 12, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_CTR(hanji_cham64_128_avx2_ctr_x192, 2, 6, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_avx2_encrypt_x64, 1, 4, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_avx2_decrypt_x64, 1, 4, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_CTR(hanji_cham64_128_avx2_ctr_x64, 1, 4, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_avx2_encrypt_x32, 1, 2, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_avx2_decrypt_x32, 1, 2, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_CTR(hanji_cham64_128_avx2_ctr_x32, 1, 2, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_avx2_encrypt_x16, 1, 1, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_avx2_decrypt_x16, 1, 1, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_CTR(hanji_cham64_128_avx2_ctr_x16, 1, 1, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_STREAMS(hanji_cham64_128_avx2_streams_x16, cham_encrypt_k16_w16, cham_schedule_w16, 8,
                     88, 0)
HANJI_VECTOR_CHAINS(hanji_cham64_128_avx2_chains_x16, cham_encrypt_k16_w16, cham_schedule_w16, 8,
                    88, 0)
HANJI_VECTOR_SHORT(hanji_cham64_128_avx2_short_x64, cham_encrypt_k16_w16, 88)

#endif
