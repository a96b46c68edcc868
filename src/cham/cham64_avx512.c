/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHAM with 16-bit words on AVX-512: one word of thirty-two blocks in a vector, 6, 4, 2 or 1 vector
 * of every word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [cham64_128.encrypt, cham64_128.decrypt, cham64_128.ctr]
     isa: avx512
*/
/* And CTR over messages of one length with keys of their own, 32 at a time. */
/* kernel:
     like: speck64_avx512 uniform
     spec: [cham64_128.uniform]
     isa: avx512
*/
/* And over messages of any lengths, wherever they lie. */
/* kernel:
     like: speck64_avx512 ragged
     spec: [cham64_128.ragged]
     isa: avx512
*/
/* And chains of blocks: of 32 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [cham64_128.chains]
     isa: avx512
*/
/* And CMAC of messages of one length, 64 at a time. */
/* kernel:
     like: speck64_avx512 macs
     spec: [cham64_128.macs]
     isa: avx512
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [cham64_128.short]
     isa: avx512
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 4
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "cham/cham.h"
#include "cham/cham_rounds.h"
#include "lanes/vector_short.h"

HANJI_VECTOR_BLOCKS(hanji_cham64_128_avx512_encrypt_x192, 1, 6, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_avx512_decrypt_x192, 1, 6, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_CTR(hanji_cham64_128_avx512_ctr_x192, 1, 6, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_avx512_encrypt_x128, 1, 4, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_avx512_decrypt_x128, 1, 4, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_CTR(hanji_cham64_128_avx512_ctr_x128, 1, 4, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_avx512_encrypt_x64, 1, 2, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_avx512_decrypt_x64, 1, 2, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_CTR(hanji_cham64_128_avx512_ctr_x64, 1, 2, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_avx512_encrypt_x32, 1, 1, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_BLOCKS(hanji_cham64_128_avx512_decrypt_x32, 1, 1, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_CTR(hanji_cham64_128_avx512_ctr_x32, 1, 1, cham_encrypt_k16_w16, 88)
HANJI_VECTOR_UNIFORM(hanji_cham64_128_avx512_uniform_x32, 32, cham_encrypt_k16_w16,
                     cham_schedule_w16, 8, 88, 0)
HANJI_VECTOR_RAGGED(hanji_cham64_128_avx512_ragged_x32, cham_encrypt_k16_w16, cham_schedule_w16, 8,
                    88, 0)
HANJI_VECTOR_CHAINS(hanji_cham64_128_avx512_chains_x32, cham_encrypt_k16_w16, cham_schedule_w16, 8,
                    88, 0)
HANJI_VECTOR_MACS(hanji_cham64_128_avx512_macs_x64, 32, cham_encrypt_k16_w16, cham_schedule_w16, 8,
                  88, 0)
HANJI_VECTOR_SHORT(hanji_cham64_128_avx512_short_x64, cham_encrypt_k16_w16, 88)

#endif
