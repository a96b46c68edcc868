/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 32-bit words on AVX-512: one word of sixteen blocks in a vector, 8, 4 or 1 vector of
 * every word at a time. Groups of 256 blocks are folded bit slices.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simon64_128.encrypt, simon64_128.decrypt, simon64_128.ctr]
     isa: avx512
*/
/* And CTR over messages of one length with keys of their own, 16 at a time. */
/* kernel:
     like: speck64_avx512 uniform
     spec: [simon64_128.uniform]
     isa: avx512
*/
/* And over messages of any lengths, wherever they lie. */
/* kernel:
     like: speck64_avx512 ragged
     spec: [simon64_128.ragged]
     isa: avx512
*/
/* And chains of blocks: of 16 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [simon64_128.chains]
     isa: avx512
*/
/* And CMAC of messages of one length, 32 at a time. */
/* kernel:
     like: speck64_avx512 macs
     spec: [simon64_128.macs]
     isa: avx512
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [simon64_128.short]
     isa: avx512
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 2
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/folds.h"
#include "lanes/vector_short.h"
#include "simon/simon.h"
#include "simon/simon_folds.h"
#include "simon/simon_rounds.h"

HANJI_FOLDED_BLOCKS(hanji_simon64_128_avx512_encrypt_x256, simon_folds_w32, 44, 0)
HANJI_FOLDED_BLOCKS(hanji_simon64_128_avx512_decrypt_x256, simon_folds_w32, 44, 1)
HANJI_FOLDED_CTR(hanji_simon64_128_avx512_ctr_x256, simon_folds_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_avx512_encrypt_x128, 1, 8, simon_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_avx512_decrypt_x128, 1, 8, simon_decrypt_w32, 44)
HANJI_VECTOR_CTR(hanji_simon64_128_avx512_ctr_x128, 1, 8, simon_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_avx512_encrypt_x64, 1, 4, simon_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_avx512_decrypt_x64, 1, 4, simon_decrypt_w32, 44)
HANJI_VECTOR_CTR(hanji_simon64_128_avx512_ctr_x64, 1, 4, simon_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_avx512_encrypt_x16, 1, 1, simon_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_avx512_decrypt_x16, 1, 1, simon_decrypt_w32, 44)
HANJI_VECTOR_CTR(hanji_simon64_128_avx512_ctr_x16, 1, 1, simon_encrypt_w32, 44)
HANJI_VECTOR_UNIFORM(hanji_simon64_128_avx512_uniform_x16, 16, simon_encrypt_w32,
                     simon_schedule_w32, 4, 44, SIMON_Z_simon64_128)
HANJI_VECTOR_RAGGED(hanji_simon64_128_avx512_ragged_x16, simon_encrypt_w32, simon_schedule_w32, 4,
                    44, SIMON_Z_simon64_128)
HANJI_VECTOR_CHAINS(hanji_simon64_128_avx512_chains_x16, simon_encrypt_w32, simon_schedule_w32, 4,
                    44, SIMON_Z_simon64_128)
HANJI_VECTOR_MACS(hanji_simon64_128_avx512_macs_x32, 16, simon_encrypt_w32, simon_schedule_w32, 4,
                  44, SIMON_Z_simon64_128)
HANJI_VECTOR_SHORT(hanji_simon64_128_avx512_short_x64, simon_encrypt_w32, 44)

#endif
