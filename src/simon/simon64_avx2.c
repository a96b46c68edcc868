/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 32-bit words on AVX2: one word of eight blocks in a vector, 5, 2 or 1 vector of every
 * word at a time. Groups of 256 and of 64 blocks are bit slices.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simon64_128.encrypt, simon64_128.decrypt, simon64_128.ctr]
     isa: avx2
*/
/* And key streams: 64 bytes each of 8 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [simon64_128.streams]
     isa: avx2
*/
/* And chains of blocks: of 8 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [simon64_128.chains]
     isa: avx2
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [simon64_128.short]
     isa: avx2
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 2
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/octets.h"
#include "lanes/vector_short.h"
#include "simon/simon.h"
#include "simon/simon_octets.h"
#include "simon/simon_rounds.h"
#include "simon/simon_slices.h"

HANJI_SLICED_BLOCKS(hanji_simon64_128_avx2_encrypt_x256, simon_slices_w32, simon_slices_once_w32,
                    44, 0)
HANJI_SLICED_BLOCKS(hanji_simon64_128_avx2_decrypt_x256, simon_slices_w32, simon_slices_once_w32,
                    44, 1)
HANJI_SLICED_CTR(hanji_simon64_128_avx2_ctr_x256, simon_slices_w32, simon_slices_once_w32, 44)
HANJI_OCTET_FEISTEL(simon, 32)
HANJI_OCTET_BLOCKS(hanji_simon64_128_avx2_encrypt_x64, simon_encrypt_octets_w32, 44)
HANJI_OCTET_BLOCKS(hanji_simon64_128_avx2_decrypt_x64, simon_decrypt_octets_w32, 44)
HANJI_OCTET_CTR(hanji_simon64_128_avx2_ctr_x64, simon_encrypt_octets_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_avx2_encrypt_x40, 1, 5, simon_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_avx2_decrypt_x40, 1, 5, simon_decrypt_w32, 44)
HANJI_VECTOR_CTR(hanji_simon64_128_avx2_ctr_x40, 1, 5, simon_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_avx2_encrypt_x16, 1, 2, simon_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_avx2_decrypt_x16, 1, 2, simon_decrypt_w32, 44)
HANJI_VECTOR_CTR(hanji_simon64_128_avx2_ctr_x16, 1, 2, simon_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_avx2_encrypt_x8, 1, 1, simon_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simon64_128_avx2_decrypt_x8, 1, 1, simon_decrypt_w32, 44)
HANJI_VECTOR_CTR(hanji_simon64_128_avx2_ctr_x8, 1, 1, simon_encrypt_w32, 44)
HANJI_VECTOR_STREAMS(hanji_simon64_128_avx2_streams_x8, simon_encrypt_w32, simon_schedule_w32, 4,
                     44, SIMON_Z_simon64_128)
HANJI_VECTOR_CHAINS(hanji_simon64_128_avx2_chains_x8, simon_encrypt_w32, simon_schedule_w32, 4, 44,
                    SIMON_Z_simon64_128)
HANJI_VECTOR_SHORT(hanji_simon64_128_avx2_short_x64, simon_encrypt_w32, 44)

#endif
