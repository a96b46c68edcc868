/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 64-bit words on NEON: one word of two blocks in a vector, 6, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simon128_128.encrypt, simon128_128.decrypt, simon128_128.ctr, simon128_192.encrypt,
            simon128_192.decrypt, simon128_192.ctr, simon128_256.encrypt, simon128_256.decrypt,
            simon128_256.ctr]
     isa: neon
*/
/* And key streams: 64 bytes each of 2 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [simon128_128.streams, simon128_192.streams, simon128_256.streams]
     isa: neon
*/
/* And chains of blocks: of 2 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [simon128_128.chains, simon128_192.chains, simon128_256.chains]
     isa: neon
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [simon128_128.short, simon128_192.short, simon128_256.short]
     isa: neon
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 2
#define WORD_BITS 64
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/vector_short.h"
#include "simon/simon.h"
#include "simon/simon_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_simon128_128_neon_encrypt_x12, 1, 6, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_neon_decrypt_x12, 1, 6, simon_decrypt_w64, 68)
HANJI_VECTOR_CTR(hanji_simon128_128_neon_ctr_x12, 1, 6, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_neon_encrypt_x4, 1, 2, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_neon_decrypt_x4, 1, 2, simon_decrypt_w64, 68)
HANJI_VECTOR_CTR(hanji_simon128_128_neon_ctr_x4, 1, 2, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_neon_encrypt_x2, 1, 1, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_neon_decrypt_x2, 1, 1, simon_decrypt_w64, 68)
HANJI_VECTOR_CTR(hanji_simon128_128_neon_ctr_x2, 1, 1, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_neon_encrypt_x12, 1, 6, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_neon_decrypt_x12, 1, 6, simon_decrypt_w64, 69)
HANJI_VECTOR_CTR(hanji_simon128_192_neon_ctr_x12, 1, 6, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_neon_encrypt_x4, 1, 2, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_neon_decrypt_x4, 1, 2, simon_decrypt_w64, 69)
HANJI_VECTOR_CTR(hanji_simon128_192_neon_ctr_x4, 1, 2, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_neon_encrypt_x2, 1, 1, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_neon_decrypt_x2, 1, 1, simon_decrypt_w64, 69)
HANJI_VECTOR_CTR(hanji_simon128_192_neon_ctr_x2, 1, 1, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_neon_encrypt_x12, 1, 6, simon_encrypt_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_neon_decrypt_x12, 1, 6, simon_decrypt_w64, 72)
HANJI_VECTOR_CTR(hanji_simon128_256_neon_ctr_x12, 1, 6, simon_encrypt_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_neon_encrypt_x4, 1, 2, simon_encrypt_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_neon_decrypt_x4, 1, 2, simon_decrypt_w64, 72)
HANJI_VECTOR_CTR(hanji_simon128_256_neon_ctr_x4, 1, 2, simon_encrypt_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_neon_encrypt_x2, 1, 1, simon_encrypt_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_neon_decrypt_x2, 1, 1, simon_decrypt_w64, 72)
HANJI_VECTOR_CTR(hanji_simon128_256_neon_ctr_x2, 1, 1, simon_encrypt_w64, 72)
HANJI_VECTOR_STREAMS(hanji_simon128_128_neon_streams_x2, simon_encrypt_w64, simon_schedule_w64, 2,
                     68, SIMON_Z_simon128_128)
HANJI_VECTOR_STREAMS(hanji_simon128_192_neon_streams_x2, simon_encrypt_w64, simon_schedule_w64, 3,
                     69, SIMON_Z_simon128_192)
HANJI_VECTOR_STREAMS(hanji_simon128_256_neon_streams_x2, simon_encrypt_w64, simon_schedule_w64, 4,
                     72, SIMON_Z_simon128_256)
HANJI_VECTOR_CHAINS(hanji_simon128_128_neon_chains_x2, simon_encrypt_w64, simon_schedule_w64, 2, 68,
                    SIMON_Z_simon128_128)
HANJI_VECTOR_CHAINS(hanji_simon128_192_neon_chains_x2, simon_encrypt_w64, simon_schedule_w64, 3, 69,
                    SIMON_Z_simon128_192)
HANJI_VECTOR_CHAINS(hanji_simon128_256_neon_chains_x2, simon_encrypt_w64, simon_schedule_w64, 4, 72,
                    SIMON_Z_simon128_256)
HANJI_VECTOR_SHORT(hanji_simon128_128_neon_short_x32, simon_encrypt_w64, 68)
HANJI_VECTOR_SHORT(hanji_simon128_192_neon_short_x32, simon_encrypt_w64, 69)
HANJI_VECTOR_SHORT(hanji_simon128_256_neon_short_x32, simon_encrypt_w64, 72)

#endif
