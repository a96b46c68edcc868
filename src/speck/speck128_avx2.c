/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 64-bit words on AVX2: one word of four blocks in a vector, 7, 4, 2 or 1 vector of
 * every word at a time, but 14 to decrypt, where more of a round waits for the one before it.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [speck128_128.encrypt, speck128_128.decrypt, speck128_128.ctr, speck128_192.encrypt,
            speck128_192.decrypt, speck128_192.ctr, speck128_256.encrypt, speck128_256.decrypt,
            speck128_256.ctr]
     isa: avx2
*/
/* And key streams: 64 bytes each of 4 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [speck128_128.streams, speck128_192.streams, speck128_256.streams]
     isa: avx2
*/
/* And chains of blocks: of 4 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [speck128_128.chains, speck128_192.chains, speck128_256.chains]
     isa: avx2
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [speck128_128.short, speck128_192.short, speck128_256.short]
     isa: avx2
*/
/* And CTR over one text of 3 to 256 blocks, with its key. */
/* kernel:
     like: speck64_avx2 once
     spec: [speck128_128.once, speck128_192.once, speck128_256.once]
     isa: avx2
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 2
#define WORD_BITS 64
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/vector_short.h"

#include "lanes/vector_once.h"
#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_speck128_128_avx2_encrypt_x56, 2, 7, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_avx2_decrypt_x56, 1, 14, speck_decrypt_w64, 32)
HANJI_VECTOR_CTR_PARTS(hanji_speck128_128_avx2_ctr_x56, 2, 7, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_avx2_encrypt_x16, 1, 4, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_avx2_decrypt_x16, 1, 4, speck_decrypt_w64, 32)
HANJI_VECTOR_CTR(hanji_speck128_128_avx2_ctr_x16, 1, 4, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_avx2_encrypt_x8, 1, 2, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_avx2_decrypt_x8, 1, 2, speck_decrypt_w64, 32)
HANJI_VECTOR_CTR(hanji_speck128_128_avx2_ctr_x8, 1, 2, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_avx2_encrypt_x4, 1, 1, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_avx2_decrypt_x4, 1, 1, speck_decrypt_w64, 32)
HANJI_VECTOR_CTR(hanji_speck128_128_avx2_ctr_x4, 1, 1, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_avx2_encrypt_x56, 2, 7, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_avx2_decrypt_x56, 1, 14, speck_decrypt_w64, 33)
HANJI_VECTOR_CTR_PARTS(hanji_speck128_192_avx2_ctr_x56, 2, 7, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_avx2_encrypt_x16, 1, 4, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_avx2_decrypt_x16, 1, 4, speck_decrypt_w64, 33)
HANJI_VECTOR_CTR(hanji_speck128_192_avx2_ctr_x16, 1, 4, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_avx2_encrypt_x8, 1, 2, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_avx2_decrypt_x8, 1, 2, speck_decrypt_w64, 33)
HANJI_VECTOR_CTR(hanji_speck128_192_avx2_ctr_x8, 1, 2, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_avx2_encrypt_x4, 1, 1, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_avx2_decrypt_x4, 1, 1, speck_decrypt_w64, 33)
HANJI_VECTOR_CTR(hanji_speck128_192_avx2_ctr_x4, 1, 1, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_avx2_encrypt_x56, 2, 7, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_avx2_decrypt_x56, 1, 14, speck_decrypt_w64, 34)
HANJI_VECTOR_CTR_PARTS(hanji_speck128_256_avx2_ctr_x56, 2, 7, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_avx2_encrypt_x16, 1, 4, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_avx2_decrypt_x16, 1, 4, speck_decrypt_w64, 34)
HANJI_VECTOR_CTR(hanji_speck128_256_avx2_ctr_x16, 1, 4, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_avx2_encrypt_x8, 1, 2, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_avx2_decrypt_x8, 1, 2, speck_decrypt_w64, 34)
HANJI_VECTOR_CTR(hanji_speck128_256_avx2_ctr_x8, 1, 2, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_avx2_encrypt_x4, 1, 1, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_avx2_decrypt_x4, 1, 1, speck_decrypt_w64, 34)
HANJI_VECTOR_CTR(hanji_speck128_256_avx2_ctr_x4, 1, 1, speck_encrypt_w64, 34)
HANJI_VECTOR_STREAMS(hanji_speck128_128_avx2_streams_x4, speck_encrypt_w64, speck_schedule_w64, 2,
                     32, 0)
HANJI_VECTOR_STREAMS(hanji_speck128_192_avx2_streams_x4, speck_encrypt_w64, speck_schedule_w64, 3,
                     33, 0)
HANJI_VECTOR_STREAMS(hanji_speck128_256_avx2_streams_x4, speck_encrypt_w64, speck_schedule_w64, 4,
                     34, 0)
HANJI_VECTOR_CHAINS(hanji_speck128_128_avx2_chains_x4, speck_encrypt_w64, speck_schedule_w64, 2, 32,
                    0)
HANJI_VECTOR_CHAINS(hanji_speck128_192_avx2_chains_x4, speck_encrypt_w64, speck_schedule_w64, 3, 33,
                    0)
HANJI_VECTOR_CHAINS(hanji_speck128_256_avx2_chains_x4, speck_encrypt_w64, speck_schedule_w64, 4, 34,
                    0)
HANJI_VECTOR_SHORT(hanji_speck128_128_avx2_short_x32, speck_encrypt_w64, 32)
HANJI_VECTOR_SHORT(hanji_speck128_192_avx2_short_x32, speck_encrypt_w64, 33)
HANJI_VECTOR_SHORT(hanji_speck128_256_avx2_short_x32, speck_encrypt_w64, 34)
HANJI_VECTOR_ONCE(hanji_speck128_128_avx2_once_x256, hanji_speck128_128_avx2_ctr_x56_parts,
                  hanji_speck128_128_avx2_short_x32, speck_once_w64, 2, 32, 0)
HANJI_VECTOR_ONCE(hanji_speck128_192_avx2_once_x256, hanji_speck128_192_avx2_ctr_x56_parts,
                  hanji_speck128_192_avx2_short_x32, speck_once_w64, 3, 33, 0)
HANJI_VECTOR_ONCE(hanji_speck128_256_avx2_once_x256, hanji_speck128_256_avx2_ctr_x56_parts,
                  hanji_speck128_256_avx2_short_x32, speck_once_w64, 4, 34, 0)

#endif
