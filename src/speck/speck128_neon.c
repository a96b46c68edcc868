/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 64-bit words on NEON: one word of two blocks in a vector, 8, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [speck128_128.encrypt, speck128_128.decrypt, speck128_128.ctr, speck128_192.encrypt,
            speck128_192.decrypt, speck128_192.ctr, speck128_256.encrypt, speck128_256.decrypt,
            speck128_256.ctr]
     isa: neon
*/
/* And key streams: 64 bytes each of 2 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [speck128_128.streams, speck128_192.streams, speck128_256.streams]
     isa: neon
*/
/* And chains of blocks: of 2 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [speck128_128.chains, speck128_192.chains, speck128_256.chains]
     isa: neon
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [speck128_128.short, speck128_192.short, speck128_256.short]
     isa: neon
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 2
#define WORD_BITS 64
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/vector_short.h"
#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_speck128_128_neon_encrypt_x16, 1, 8, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_neon_decrypt_x16, 1, 8, speck_decrypt_w64, 32)
HANJI_VECTOR_CTR(hanji_speck128_128_neon_ctr_x16, 1, 8, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_neon_encrypt_x4, 1, 2, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_neon_decrypt_x4, 1, 2, speck_decrypt_w64, 32)
HANJI_VECTOR_CTR(hanji_speck128_128_neon_ctr_x4, 1, 2, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_neon_encrypt_x2, 1, 1, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_neon_decrypt_x2, 1, 1, speck_decrypt_w64, 32)
HANJI_VECTOR_CTR(hanji_speck128_128_neon_ctr_x2, 1, 1, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_neon_encrypt_x16, 1, 8, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_neon_decrypt_x16, 1, 8, speck_decrypt_w64, 33)
HANJI_VECTOR_CTR(hanji_speck128_192_neon_ctr_x16, 1, 8, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_neon_encrypt_x4, 1, 2, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_neon_decrypt_x4, 1, 2, speck_decrypt_w64, 33)
HANJI_VECTOR_CTR(hanji_speck128_192_neon_ctr_x4, 1, 2, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_neon_encrypt_x2, 1, 1, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_neon_decrypt_x2, 1, 1, speck_decrypt_w64, 33)
HANJI_VECTOR_CTR(hanji_speck128_192_neon_ctr_x2, 1, 1, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_neon_encrypt_x16, 1, 8, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_neon_decrypt_x16, 1, 8, speck_decrypt_w64, 34)
HANJI_VECTOR_CTR(hanji_speck128_256_neon_ctr_x16, 1, 8, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_neon_encrypt_x4, 1, 2, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_neon_decrypt_x4, 1, 2, speck_decrypt_w64, 34)
HANJI_VECTOR_CTR(hanji_speck128_256_neon_ctr_x4, 1, 2, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_neon_encrypt_x2, 1, 1, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_neon_decrypt_x2, 1, 1, speck_decrypt_w64, 34)
HANJI_VECTOR_CTR(hanji_speck128_256_neon_ctr_x2, 1, 1, speck_encrypt_w64, 34)
HANJI_VECTOR_STREAMS(hanji_speck128_128_neon_streams_x2, speck_encrypt_w64, speck_schedule_w64, 2,
                     32, 0)
HANJI_VECTOR_STREAMS(hanji_speck128_192_neon_streams_x2, speck_encrypt_w64, speck_schedule_w64, 3,
                     33, 0)
HANJI_VECTOR_STREAMS(hanji_speck128_256_neon_streams_x2, speck_encrypt_w64, speck_schedule_w64, 4,
                     34, 0)
HANJI_VECTOR_CHAINS(hanji_speck128_128_neon_chains_x2, speck_encrypt_w64, speck_schedule_w64, 2, 32,
                    0)
HANJI_VECTOR_CHAINS(hanji_speck128_192_neon_chains_x2, speck_encrypt_w64, speck_schedule_w64, 3, 33,
                    0)
HANJI_VECTOR_CHAINS(hanji_speck128_256_neon_chains_x2, speck_encrypt_w64, speck_schedule_w64, 4, 34,
                    0)
HANJI_VECTOR_SHORT_EIGHT(hanji_speck128_128_neon_short_x32, speck_encrypt_w64, 32)
HANJI_VECTOR_SHORT_EIGHT(hanji_speck128_192_neon_short_x32, speck_encrypt_w64, 33)
HANJI_VECTOR_SHORT_EIGHT(hanji_speck128_256_neon_short_x32, speck_encrypt_w64, 34)

#endif
