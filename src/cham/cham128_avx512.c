/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHAM with 32-bit words on AVX-512: one word of sixteen blocks in a vector, 6, 4, 2 or 1 vector of
 * every word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [cham128_128.encrypt, cham128_128.decrypt, cham128_128.ctr, cham128_256.encrypt,
            cham128_256.decrypt, cham128_256.ctr]
     isa: avx512
*/
/* And CTR over messages of one length with keys of their own, 16 at a time. */
/* kernel:
     like: speck64_avx512 uniform
     spec: [cham128_128.uniform, cham128_256.uniform]
     isa: avx512
*/
/* And over messages of any lengths, wherever they lie. */
/* kernel:
     like: speck64_avx512 ragged
     spec: [cham128_128.ragged, cham128_256.ragged]
     isa: avx512
*/
/* And chains of blocks: of 16 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [cham128_128.chains, cham128_256.chains]
     isa: avx512
*/
/* And CMAC of messages of one length, 32 at a time. */
/* kernel:
     like: speck64_avx512 macs
     spec: [cham128_128.macs, cham128_256.macs]
     isa: avx512
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [cham128_128.short, cham128_256.short]
     isa: avx512
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 4
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "cham/cham.h"
#include "cham/cham_rounds.h"
#include "lanes/vector_short.h"

HANJI_VECTOR_BLOCKS(hanji_cham128_128_avx512_encrypt_x96, 1, 6, cham_encrypt_k8_w32, 112)
HANJI_VECTOR_BLOCKS(hanji_cham128_128_avx512_decrypt_x96, 1, 6, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_CTR(hanji_cham128_128_avx512_ctr_x96, 1, 6, cham_encrypt_k8_w32, 112)
HANJI_VECTOR_BLOCKS(hanji_cham128_128_avx512_encrypt_x64, 1, 4, cham_encrypt_k8_w32, 112)
HANJI_VECTOR_BLOCKS(hanji_cham128_128_avx512_decrypt_x64, 1, 4, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_CTR(hanji_cham128_128_avx512_ctr_x64, 1, 4, cham_encrypt_k8_w32, 112)
HANJI_VECTOR_BLOCKS(hanji_cham128_128_avx512_encrypt_x32, 1, 2, cham_encrypt_k8_w32, 112)
HANJI_VECTOR_BLOCKS(hanji_cham128_128_avx512_decrypt_x32, 1, 2, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_CTR(hanji_cham128_128_avx512_ctr_x32, 1, 2, cham_encrypt_k8_w32, 112)
HANJI_VECTOR_BLOCKS(hanji_cham128_128_avx512_encrypt_x16, 1, 1, cham_encrypt_k8_w32, 112)
HANJI_VECTOR_BLOCKS(hanji_cham128_128_avx512_decrypt_x16, 1, 1, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_CTR(hanji_cham128_128_avx512_ctr_x16, 1, 1, cham_encrypt_k8_w32, 112)
HANJI_VECTOR_BLOCKS(hanji_cham128_256_avx512_encrypt_x96, 1, 6, cham_encrypt_k16_w32, 120)
HANJI_VECTOR_BLOCKS(hanji_cham128_256_avx512_decrypt_x96, 1, 6, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_CTR(hanji_cham128_256_avx512_ctr_x96, 1, 6, cham_encrypt_k16_w32, 120)
HANJI_VECTOR_BLOCKS(hanji_cham128_256_avx512_encrypt_x64, 1, 4, cham_encrypt_k16_w32, 120)
HANJI_VECTOR_BLOCKS(hanji_cham128_256_avx512_decrypt_x64, 1, 4, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_CTR(hanji_cham128_256_avx512_ctr_x64, 1, 4, cham_encrypt_k16_w32, 120)
HANJI_VECTOR_BLOCKS(hanji_cham128_256_avx512_encrypt_x32, 1, 2, cham_encrypt_k16_w32, 120)
HANJI_VECTOR_BLOCKS(hanji_cham128_256_avx512_decrypt_x32, 1, 2, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_CTR(hanji_cham128_256_avx512_ctr_x32, 1, 2, cham_encrypt_k16_w32, 120)
HANJI_VECTOR_BLOCKS(hanji_cham128_256_avx512_encrypt_x16, 1, 1, cham_encrypt_k16_w32, 120)
HANJI_VECTOR_BLOCKS(hanji_cham128_256_avx512_decrypt_x16, 1, 1, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_CTR(hanji_cham128_256_avx512_ctr_x16, 1, 1, cham_encrypt_k16_w32, 120)
HANJI_VECTOR_UNIFORM(hanji_cham128_128_avx512_uniform_x16, 16, cham_encrypt_k8_w32,
                     cham_schedule_w32, 4, 112, 0)
HANJI_VECTOR_RAGGED(hanji_cham128_128_avx512_ragged_x16, cham_encrypt_k8_w32, cham_schedule_w32, 4,
                    112, 0)
HANJI_VECTOR_UNIFORM(hanji_cham128_256_avx512_uniform_x16, 16, cham_encrypt_k16_w32,
                     cham_schedule_w32, 8, 120, 0)
HANJI_VECTOR_RAGGED(hanji_cham128_256_avx512_ragged_x16, cham_encrypt_k16_w32, cham_schedule_w32, 8,
                    120, 0)
HANJI_VECTOR_CHAINS(hanji_cham128_128_avx512_chains_x16, cham_encrypt_k8_w32, cham_schedule_w32, 4,
                    112, 0)
HANJI_VECTOR_CHAINS(hanji_cham128_256_avx512_chains_x16, cham_encrypt_k16_w32, cham_schedule_w32, 8,
                    120, 0)
HANJI_VECTOR_MACS(hanji_cham128_128_avx512_macs_x32, 16, cham_encrypt_k8_w32, cham_schedule_w32, 4,
                  112, 0)
HANJI_VECTOR_MACS(hanji_cham128_256_avx512_macs_x32, 16, cham_encrypt_k16_w32, cham_schedule_w32, 8,
                  120, 0)
HANJI_VECTOR_SHORT(hanji_cham128_128_avx512_short_x32, cham_encrypt_k8_w32, 112)
HANJI_VECTOR_SHORT(hanji_cham128_256_avx512_short_x32, cham_encrypt_k16_w32, 120)

#endif
