/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMECK with 32-bit words on NEON: one word of four blocks in a vector, 6, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simeck64_128.encrypt, simeck64_128.decrypt, simeck64_128.ctr]
     isa: neon
*/
/* And key streams: 64 bytes each of 4 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [simeck64_128.streams]
     isa: neon
*/
/* And chains of blocks: of 4 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [simeck64_128.chains]
     isa: neon
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [simeck64_128.short]
     isa: neon
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 2
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/vector_short.h"
#include "simeck/simeck.h"
#include "simeck/simeck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_simeck64_128_neon_encrypt_x24, 1, 6, simeck_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simeck64_128_neon_decrypt_x24, 1, 6, simeck_decrypt_w32, 44)
HANJI_VECTOR_CTR(hanji_simeck64_128_neon_ctr_x24, 1, 6, simeck_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simeck64_128_neon_encrypt_x8, 1, 2, simeck_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simeck64_128_neon_decrypt_x8, 1, 2, simeck_decrypt_w32, 44)
HANJI_VECTOR_CTR(hanji_simeck64_128_neon_ctr_x8, 1, 2, simeck_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simeck64_128_neon_encrypt_x4, 1, 1, simeck_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simeck64_128_neon_decrypt_x4, 1, 1, simeck_decrypt_w32, 44)
HANJI_VECTOR_CTR(hanji_simeck64_128_neon_ctr_x4, 1, 1, simeck_encrypt_w32, 44)
HANJI_VECTOR_STREAMS(hanji_simeck64_128_neon_streams_x4, simeck_encrypt_w32, simeck_schedule_w32, 4,
                     44, SIMECK_Z_simeck64_128)
HANJI_VECTOR_CHAINS(hanji_simeck64_128_neon_chains_x4, simeck_encrypt_w32, simeck_schedule_w32, 4,
                    44, SIMECK_Z_simeck64_128)
HANJI_VECTOR_SHORT(hanji_simeck64_128_neon_short_x64, simeck_encrypt_w32, 44)

#endif
