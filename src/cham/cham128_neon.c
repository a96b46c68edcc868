/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHAM with 32-bit words on NEON: one word of four blocks in a vector, 4, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [cham128_128.encrypt, cham128_128.decrypt, cham128_128.ctr, cham128_256.encrypt,
            cham128_256.decrypt, cham128_256.ctr]
     isa: neon
*/
/* And key streams: 64 bytes each of 4 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [cham128_128.streams, cham128_256.streams]
     isa: neon
*/
/* And chains of blocks: of 4 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [cham128_128.chains, cham128_256.chains]
     isa: neon
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [cham128_128.short, cham128_256.short]
     isa: neon
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 4
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "cham/cham.h"
#include "cham/cham_rounds.h"
#include "lanes/vector_short.h"

HANJI_VECTOR_BLOCKS(hanji_cham128_128_neon_encrypt_x16, 1, 4, cham_encrypt_k8_w32, 112)
HANJI_VECTOR_BLOCKS(hanji_cham128_128_neon_decrypt_x16, 1, 4, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_CTR(hanji_cham128_128_neon_ctr_x16, 1, 4, cham_encrypt_k8_w32, 112)
HANJI_VECTOR_BLOCKS(hanji_cham128_128_neon_encrypt_x8, 1, 2, cham_encrypt_k8_w32, 112)
HANJI_VECTOR_BLOCKS(hanji_cham128_128_neon_decrypt_x8, 1, 2, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_CTR(hanji_cham128_128_neon_ctr_x8, 1, 2, cham_encrypt_k8_w32, 112)
HANJI_VECTOR_BLOCKS(hanji_cham128_128_neon_encrypt_x4, 1, 1, cham_encrypt_k8_w32, 112)
HANJI_VECTOR_BLOCKS(hanji_cham128_128_neon_decrypt_x4, 1, 1, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_CTR(hanji_cham128_128_neon_ctr_x4, 1, 1, cham_encrypt_k8_w32, 112)
HANJI_VECTOR_BLOCKS(hanji_cham128_256_neon_encrypt_x16, 1, 4, cham_encrypt_k16_w32, 120)
HANJI_VECTOR_BLOCKS(hanji_cham128_256_neon_decrypt_x16, 1, 4, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_CTR(hanji_cham128_256_neon_ctr_x16, 1, 4, cham_encrypt_k16_w32, 120)
HANJI_VECTOR_BLOCKS(hanji_cham128_256_neon_encrypt_x8, 1, 2, cham_encrypt_k16_w32, 120)
HANJI_VECTOR_BLOCKS(hanji_cham128_256_neon_decrypt_x8, 1, 2, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_CTR(hanji_cham128_256_neon_ctr_x8, 1, 2, cham_encrypt_k16_w32, 120)
HANJI_VECTOR_BLOCKS(hanji_cham128_256_neon_encrypt_x4, 1, 1, cham_encrypt_k16_w32, 120)
HANJI_VECTOR_BLOCKS(hanji_cham128_256_neon_decrypt_x4, 1, 1, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_CTR(hanji_cham128_256_neon_ctr_x4, 1, 1, cham_encrypt_k16_w32, 120)
HANJI_VECTOR_STREAMS(hanji_cham128_128_neon_streams_x4, cham_encrypt_k8_w32, cham_schedule_w32, 4,
                     112, 0)
HANJI_VECTOR_STREAMS(hanji_cham128_256_neon_streams_x4, cham_encrypt_k16_w32, cham_schedule_w32, 8,
                     120, 0)
HANJI_VECTOR_CHAINS(hanji_cham128_128_neon_chains_x4, cham_encrypt_k8_w32, cham_schedule_w32, 4,
                    112, 0)
HANJI_VECTOR_CHAINS(hanji_cham128_256_neon_chains_x4, cham_encrypt_k16_w32, cham_schedule_w32, 8,
                    120, 0)
HANJI_VECTOR_SHORT(hanji_cham128_128_neon_short_x32, cham_encrypt_k8_w32, 112)
HANJI_VECTOR_SHORT(hanji_cham128_256_neon_short_x32, cham_encrypt_k16_w32, 120)

#endif
