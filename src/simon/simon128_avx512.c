/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 64-bit words on AVX-512: one word of eight blocks in a vector, 8, 4 or 1 vector of
 * every word at a time. Groups of 128 blocks are folded bit slices.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simon128_128.encrypt, simon128_128.decrypt, simon128_128.ctr, simon128_192.encrypt,
            simon128_192.decrypt, simon128_192.ctr, simon128_256.encrypt, simon128_256.decrypt,
            simon128_256.ctr]
     isa: avx512
*/
/* And CTR over messages of one length with keys of their own, 8 at a time. */
/* kernel:
     like: speck64_avx512 uniform
     spec: [simon128_128.uniform, simon128_192.uniform, simon128_256.uniform]
     isa: avx512
*/
/* And over messages of any lengths, wherever they lie. */
/* kernel:
     like: speck64_avx512 ragged
     spec: [simon128_128.ragged, simon128_192.ragged, simon128_256.ragged]
     isa: avx512
*/
/* And chains of blocks: of 8 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [simon128_128.chains, simon128_192.chains, simon128_256.chains]
     isa: avx512
*/
/* And CMAC of messages of one length, 16 at a time. */
/* kernel:
     like: speck64_avx512 macs
     spec: [simon128_128.macs, simon128_192.macs, simon128_256.macs]
     isa: avx512
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [simon128_128.short, simon128_192.short, simon128_256.short]
     isa: avx512
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 2
#define WORD_BITS 64
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/folds.h"
#include "lanes/vector_short.h"
#include "simon/simon.h"
#include "simon/simon_folds.h"
#include "simon/simon_rounds.h"

HANJI_FOLDED_BLOCKS(hanji_simon128_128_avx512_encrypt_x128, simon_folds_w64, 68, 0)
HANJI_FOLDED_BLOCKS(hanji_simon128_128_avx512_decrypt_x128, simon_folds_w64, 68, 1)
HANJI_FOLDED_CTR(hanji_simon128_128_avx512_ctr_x128, simon_folds_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_avx512_encrypt_x64, 1, 8, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_avx512_decrypt_x64, 1, 8, simon_decrypt_w64, 68)
HANJI_VECTOR_CTR(hanji_simon128_128_avx512_ctr_x64, 1, 8, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_avx512_encrypt_x32, 1, 4, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_avx512_decrypt_x32, 1, 4, simon_decrypt_w64, 68)
HANJI_VECTOR_CTR(hanji_simon128_128_avx512_ctr_x32, 1, 4, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_avx512_encrypt_x8, 1, 1, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_avx512_decrypt_x8, 1, 1, simon_decrypt_w64, 68)
HANJI_VECTOR_CTR(hanji_simon128_128_avx512_ctr_x8, 1, 1, simon_encrypt_w64, 68)
HANJI_FOLDED_BLOCKS(hanji_simon128_192_avx512_encrypt_x128, simon_folds_w64, 69, 0)
HANJI_FOLDED_BLOCKS(hanji_simon128_192_avx512_decrypt_x128, simon_folds_w64, 69, 1)
HANJI_FOLDED_CTR(hanji_simon128_192_avx512_ctr_x128, simon_folds_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_avx512_encrypt_x64, 1, 8, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_avx512_decrypt_x64, 1, 8, simon_decrypt_w64, 69)
HANJI_VECTOR_CTR(hanji_simon128_192_avx512_ctr_x64, 1, 8, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_avx512_encrypt_x32, 1, 4, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_avx512_decrypt_x32, 1, 4, simon_decrypt_w64, 69)
HANJI_VECTOR_CTR(hanji_simon128_192_avx512_ctr_x32, 1, 4, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_avx512_encrypt_x8, 1, 1, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_avx512_decrypt_x8, 1, 1, simon_decrypt_w64, 69)
HANJI_VECTOR_CTR(hanji_simon128_192_avx512_ctr_x8, 1, 1, simon_encrypt_w64, 69)
HANJI_FOLDED_BLOCKS(hanji_simon128_256_avx512_encrypt_x128, simon_folds_w64, 72, 0)
HANJI_FOLDED_BLOCKS(hanji_simon128_256_avx512_decrypt_x128, simon_folds_w64, 72, 1)
HANJI_FOLDED_CTR(hanji_simon128_256_avx512_ctr_x128, simon_folds_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_avx512_encrypt_x64, 1, 8, simon_encrypt_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_avx512_decrypt_x64, 1, 8, simon_decrypt_w64, 72)
HANJI_VECTOR_CTR(hanji_simon128_256_avx512_ctr_x64, 1, 8, simon_encrypt_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_avx512_encrypt_x32, 1, 4, simon_encrypt_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_avx512_decrypt_x32, 1, 4, simon_decrypt_w64, 72)
HANJI_VECTOR_CTR(hanji_simon128_256_avx512_ctr_x32, 1, 4, simon_encrypt_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_avx512_encrypt_x8, 1, 1, simon_encrypt_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_avx512_decrypt_x8, 1, 1, simon_decrypt_w64, 72)
HANJI_VECTOR_CTR(hanji_simon128_256_avx512_ctr_x8, 1, 1, simon_encrypt_w64, 72)
HANJI_VECTOR_UNIFORM(hanji_simon128_128_avx512_uniform_x8, 8, simon_encrypt_w64, simon_schedule_w64,
                     2, 68, SIMON_Z_simon128_128)
HANJI_VECTOR_RAGGED(hanji_simon128_128_avx512_ragged_x8, simon_encrypt_w64, simon_schedule_w64, 2,
                    68, SIMON_Z_simon128_128)
HANJI_VECTOR_UNIFORM(hanji_simon128_192_avx512_uniform_x8, 8, simon_encrypt_w64, simon_schedule_w64,
                     3, 69, SIMON_Z_simon128_192)
HANJI_VECTOR_RAGGED(hanji_simon128_192_avx512_ragged_x8, simon_encrypt_w64, simon_schedule_w64, 3,
                    69, SIMON_Z_simon128_192)
HANJI_VECTOR_UNIFORM(hanji_simon128_256_avx512_uniform_x8, 8, simon_encrypt_w64, simon_schedule_w64,
                     4, 72, SIMON_Z_simon128_256)
HANJI_VECTOR_RAGGED(hanji_simon128_256_avx512_ragged_x8, simon_encrypt_w64, simon_schedule_w64, 4,
                    72, SIMON_Z_simon128_256)
HANJI_VECTOR_CHAINS(hanji_simon128_128_avx512_chains_x8, simon_encrypt_w64, simon_schedule_w64, 2,
                    68, SIMON_Z_simon128_128)
HANJI_VECTOR_CHAINS(hanji_simon128_192_avx512_chains_x8, simon_encrypt_w64, simon_schedule_w64, 3,
                    69, SIMON_Z_simon128_192)
HANJI_VECTOR_CHAINS(hanji_simon128_256_avx512_chains_x8, simon_encrypt_w64, simon_schedule_w64, 4,
                    72, SIMON_Z_simon128_256)
HANJI_VECTOR_MACS(hanji_simon128_128_avx512_macs_x16, 8, simon_encrypt_w64, simon_schedule_w64, 2,
                  68, SIMON_Z_simon128_128)
HANJI_VECTOR_MACS(hanji_simon128_192_avx512_macs_x16, 8, simon_encrypt_w64, simon_schedule_w64, 3,
                  69, SIMON_Z_simon128_192)
HANJI_VECTOR_MACS(hanji_simon128_256_avx512_macs_x16, 8, simon_encrypt_w64, simon_schedule_w64, 4,
                  72, SIMON_Z_simon128_256)
HANJI_VECTOR_SHORT(hanji_simon128_128_avx512_short_x32, simon_encrypt_w64, 68)
HANJI_VECTOR_SHORT(hanji_simon128_192_avx512_short_x32, simon_encrypt_w64, 69)
HANJI_VECTOR_SHORT(hanji_simon128_256_avx512_short_x32, simon_encrypt_w64, 72)

#endif
