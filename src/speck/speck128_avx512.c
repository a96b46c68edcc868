/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 64-bit words on AVX-512: one word of eight blocks in a vector, 12, 8, 4 or 1 vector of
 * every word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [speck128_128.encrypt, speck128_128.decrypt, speck128_128.ctr, speck128_192.encrypt,
            speck128_192.decrypt, speck128_192.ctr, speck128_256.encrypt, speck128_256.decrypt,
            speck128_256.ctr]
     isa: avx512
*/
/* And CTR over messages of one length with keys of their own, 8 at a time. */
/* kernel:
     like: speck64_avx512 uniform
     spec: [speck128_128.uniform, speck128_192.uniform, speck128_256.uniform]
     isa: avx512
*/
/* And over messages of any lengths, wherever they lie. */
/* kernel:
     like: speck64_avx512 ragged
     spec: [speck128_128.ragged, speck128_192.ragged, speck128_256.ragged]
     isa: avx512
*/
/* And chains of blocks: of 8 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [speck128_128.chains, speck128_192.chains, speck128_256.chains]
     isa: avx512
*/
/* And CMAC of messages of one length, 16 at a time. */
/* kernel:
     like: speck64_avx512 macs
     spec: [speck128_128.macs, speck128_192.macs, speck128_256.macs]
     isa: avx512
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [speck128_128.short, speck128_192.short, speck128_256.short]
     isa: avx512
*/
/* And CTR over one text of 3 to 256 blocks, with its key. */
/* kernel:
     like: speck64_avx2 once
     spec: [speck128_128.once, speck128_192.once, speck128_256.once]
     isa: avx512
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 2
#define WORD_BITS 64
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/vector_short.h"

#include "lanes/vector_once.h"
#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_speck128_128_avx512_encrypt_x96, 1, 12, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_avx512_decrypt_x96, 1, 12, speck_decrypt_w64, 32)
HANJI_VECTOR_CTR(hanji_speck128_128_avx512_ctr_x96, 1, 12, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_avx512_encrypt_x64, 1, 8, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_avx512_decrypt_x64, 1, 8, speck_decrypt_w64, 32)
HANJI_VECTOR_CTR(hanji_speck128_128_avx512_ctr_x64, 1, 8, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_avx512_encrypt_x32, 1, 4, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_avx512_decrypt_x32, 1, 4, speck_decrypt_w64, 32)
HANJI_VECTOR_CTR(hanji_speck128_128_avx512_ctr_x32, 1, 4, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_avx512_encrypt_x8, 1, 1, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_128_avx512_decrypt_x8, 1, 1, speck_decrypt_w64, 32)
HANJI_VECTOR_CTR(hanji_speck128_128_avx512_ctr_x8, 1, 1, speck_encrypt_w64, 32)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_avx512_encrypt_x96, 1, 12, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_avx512_decrypt_x96, 1, 12, speck_decrypt_w64, 33)
HANJI_VECTOR_CTR(hanji_speck128_192_avx512_ctr_x96, 1, 12, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_avx512_encrypt_x64, 1, 8, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_avx512_decrypt_x64, 1, 8, speck_decrypt_w64, 33)
HANJI_VECTOR_CTR(hanji_speck128_192_avx512_ctr_x64, 1, 8, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_avx512_encrypt_x32, 1, 4, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_avx512_decrypt_x32, 1, 4, speck_decrypt_w64, 33)
HANJI_VECTOR_CTR(hanji_speck128_192_avx512_ctr_x32, 1, 4, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_avx512_encrypt_x8, 1, 1, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_192_avx512_decrypt_x8, 1, 1, speck_decrypt_w64, 33)
HANJI_VECTOR_CTR(hanji_speck128_192_avx512_ctr_x8, 1, 1, speck_encrypt_w64, 33)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_avx512_encrypt_x96, 1, 12, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_avx512_decrypt_x96, 1, 12, speck_decrypt_w64, 34)
HANJI_VECTOR_CTR(hanji_speck128_256_avx512_ctr_x96, 1, 12, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_avx512_encrypt_x64, 1, 8, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_avx512_decrypt_x64, 1, 8, speck_decrypt_w64, 34)
HANJI_VECTOR_CTR(hanji_speck128_256_avx512_ctr_x64, 1, 8, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_avx512_encrypt_x32, 1, 4, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_avx512_decrypt_x32, 1, 4, speck_decrypt_w64, 34)
HANJI_VECTOR_CTR(hanji_speck128_256_avx512_ctr_x32, 1, 4, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_avx512_encrypt_x8, 1, 1, speck_encrypt_w64, 34)
HANJI_VECTOR_BLOCKS(hanji_speck128_256_avx512_decrypt_x8, 1, 1, speck_decrypt_w64, 34)
HANJI_VECTOR_CTR(hanji_speck128_256_avx512_ctr_x8, 1, 1, speck_encrypt_w64, 34)
HANJI_VECTOR_UNIFORM(hanji_speck128_128_avx512_uniform_x8, 8, speck_encrypt_w64, speck_schedule_w64,
                     2, 32, 0)
HANJI_VECTOR_RAGGED(hanji_speck128_128_avx512_ragged_x8, speck_encrypt_w64, speck_schedule_w64, 2,
                    32, 0)
HANJI_VECTOR_UNIFORM(hanji_speck128_192_avx512_uniform_x8, 8, speck_encrypt_w64, speck_schedule_w64,
                     3, 33, 0)
HANJI_VECTOR_RAGGED(hanji_speck128_192_avx512_ragged_x8, speck_encrypt_w64, speck_schedule_w64, 3,
                    33, 0)
HANJI_VECTOR_UNIFORM(hanji_speck128_256_avx512_uniform_x8, 8, speck_encrypt_w64, speck_schedule_w64,
                     4, 34, 0)
HANJI_VECTOR_RAGGED(hanji_speck128_256_avx512_ragged_x8, speck_encrypt_w64, speck_schedule_w64, 4,
                    34, 0)
HANJI_VECTOR_CHAINS(hanji_speck128_128_avx512_chains_x8, speck_encrypt_w64, speck_schedule_w64, 2,
                    32, 0)
HANJI_VECTOR_CHAINS(hanji_speck128_192_avx512_chains_x8, speck_encrypt_w64, speck_schedule_w64, 3,
                    33, 0)
HANJI_VECTOR_CHAINS(hanji_speck128_256_avx512_chains_x8, speck_encrypt_w64, speck_schedule_w64, 4,
                    34, 0)
HANJI_VECTOR_MACS(hanji_speck128_128_avx512_macs_x16, 8, speck_encrypt_w64, speck_schedule_w64, 2,
                  32, 0)
HANJI_VECTOR_MACS(hanji_speck128_192_avx512_macs_x16, 8, speck_encrypt_w64, speck_schedule_w64, 3,
                  33, 0)
HANJI_VECTOR_MACS(hanji_speck128_256_avx512_macs_x16, 8, speck_encrypt_w64, speck_schedule_w64, 4,
                  34, 0)
HANJI_VECTOR_SHORT(hanji_speck128_128_avx512_short_x32, speck_encrypt_w64, 32)
HANJI_VECTOR_SHORT(hanji_speck128_192_avx512_short_x32, speck_encrypt_w64, 33)
HANJI_VECTOR_SHORT(hanji_speck128_256_avx512_short_x32, speck_encrypt_w64, 34)
HANJI_VECTOR_ONCE(hanji_speck128_128_avx512_once_x256, hanji_speck128_128_avx512_ctr_x64,
                  hanji_speck128_128_avx512_short_x32, speck_once_w64, 2, 32, 0)
HANJI_VECTOR_ONCE(hanji_speck128_192_avx512_once_x256, hanji_speck128_192_avx512_ctr_x64,
                  hanji_speck128_192_avx512_short_x32, speck_once_w64, 3, 33, 0)
HANJI_VECTOR_ONCE(hanji_speck128_256_avx512_once_x256, hanji_speck128_256_avx512_ctr_x64,
                  hanji_speck128_256_avx512_short_x32, speck_once_w64, 4, 34, 0)

#endif
