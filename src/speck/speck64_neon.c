/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 32-bit words on NEON: one word of four blocks in a vector, 8, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [speck64_128.encrypt, speck64_128.decrypt, speck64_128.ctr]
     isa: neon
*/
/* And key streams: 64 bytes each of 4 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [speck64_128.streams]
     isa: neon
*/
/* And chains of blocks: of 4 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [speck64_128.chains]
     isa: neon
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [speck64_128.short]
     isa: neon
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 2
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/vector_short.h"
#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_speck64_128_neon_encrypt_x32, 1, 8, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_neon_decrypt_x32, 1, 8, speck_decrypt_w32, 27)
HANJI_VECTOR_CTR(hanji_speck64_128_neon_ctr_x32, 1, 8, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_neon_encrypt_x8, 1, 2, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_neon_decrypt_x8, 1, 2, speck_decrypt_w32, 27)
HANJI_VECTOR_CTR(hanji_speck64_128_neon_ctr_x8, 1, 2, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_neon_encrypt_x4, 1, 1, speck_encrypt_w32, 27)
HANJI_VECTOR_BLOCKS(hanji_speck64_128_neon_decrypt_x4, 1, 1, speck_decrypt_w32, 27)
HANJI_VECTOR_CTR(hanji_speck64_128_neon_ctr_x4, 1, 1, speck_encrypt_w32, 27)
HANJI_VECTOR_STREAMS(hanji_speck64_128_neon_streams_x4, speck_encrypt_w32, speck_schedule_w32, 4,
                     27, 0)
HANJI_VECTOR_CHAINS(hanji_speck64_128_neon_chains_x4, speck_encrypt_w32, speck_schedule_w32, 4, 27,
                    0)
HANJI_VECTOR_SHORT_EIGHT(hanji_speck64_128_neon_short_x64, speck_encrypt_w32, 27)

#endif
