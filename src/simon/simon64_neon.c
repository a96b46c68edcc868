/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 32-bit words on NEON: one word of four blocks in a vector, 6, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simon64_128.encrypt, simon64_128.decrypt, simon64_128.ctr]
     isa: neon
*/
/* And key streams: 64 bytes each of 4 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [simon64_128.streams]
     isa: neon
*/
/* And chains of blocks: of 4 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [simon64_128.chains]
     isa: neon
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [simon64_128.short]
     isa: neon
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 2
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/vector_short.h"
#include "simon/simon.h"
#include "simon/simon_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_simon64_128_neon_encrypt_x24, 1, 6, simon_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_neon_decrypt_x24, 1, 6, simon_decrypt_w32, 44)
HANJI_VECTOR_CTR(hanji_simon64_128_neon_ctr_x24, 1, 6, simon_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_neon_encrypt_x8, 1, 2, simon_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_neon_decrypt_x8, 1, 2, simon_decrypt_w32, 44)
HANJI_VECTOR_CTR(hanji_simon64_128_neon_ctr_x8, 1, 2, simon_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_neon_encrypt_x4, 1, 1, simon_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_neon_decrypt_x4, 1, 1, simon_decrypt_w32, 44)
HANJI_VECTOR_CTR(hanji_simon64_128_neon_ctr_x4, 1, 1, simon_encrypt_w32, 44)
HANJI_VECTOR_STREAMS(hanji_simon64_128_neon_streams_x4, simon_encrypt_w32, simon_schedule_w32, 4,
                     44, SIMON_Z_simon64_128)
HANJI_VECTOR_CHAINS(hanji_simon64_128_neon_chains_x4, simon_encrypt_w32, simon_schedule_w32, 4, 44,
                    SIMON_Z_simon64_128)
HANJI_VECTOR_SHORT(hanji_simon64_128_neon_short_x64, simon_encrypt_w32, 44)

#endif
