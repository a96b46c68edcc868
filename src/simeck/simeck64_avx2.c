/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMECK with 32-bit words on AVX2: one word of eight blocks in a vector, 5, 2 or 1 vector of every
 * word at a time. Groups of 256 and of 64 blocks are bit slices.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simeck64_128.encrypt, simeck64_128.decrypt, simeck64_128.ctr]
     isa: avx2
*/
/* And key streams: 64 bytes each of 8 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [simeck64_128.streams]
     isa: avx2
*/
/* And chains of blocks: of 8 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [simeck64_128.chains]
     isa: avx2
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [simeck64_128.short]
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
#include "simeck/simeck.h"
#include "simeck/simeck_octets.h"
#include "simeck/simeck_rounds.h"
#include "simeck/simeck_slices.h"

HANJI_SLICED_BLOCKS(hanji_simeck64_128_avx2_encrypt_x256, simeck_slices_w32, simeck_slices_once_w32,
                    44, 0)
HANJI_SLICED_BLOCKS(hanji_simeck64_128_avx2_decrypt_x256, simeck_slices_w32, simeck_slices_once_w32,
                    44, 1)
HANJI_SLICED_CTR(hanji_simeck64_128_avx2_ctr_x256, simeck_slices_w32, simeck_slices_once_w32, 44)
HANJI_OCTET_FEISTEL(simeck, 32)
HANJI_OCTET_BLOCKS(hanji_simeck64_128_avx2_encrypt_x64, simeck_encrypt_octets_w32, 44)
HANJI_OCTET_BLOCKS(hanji_simeck64_128_avx2_decrypt_x64, simeck_decrypt_octets_w32, 44)
HANJI_OCTET_CTR(hanji_simeck64_128_avx2_ctr_x64, simeck_encrypt_octets_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simeck64_128_avx2_encrypt_x40, 1, 5, simeck_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simeck64_128_avx2_decrypt_x40, 1, 5, simeck_decrypt_w32, 44)
HANJI_VECTOR_CTR(hanji_simeck64_128_avx2_ctr_x40, 1, 5, simeck_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simeck64_128_avx2_encrypt_x16, 1, 2, simeck_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simeck64_128_avx2_decrypt_x16, 1, 2, simeck_decrypt_w32, 44)
HANJI_VECTOR_CTR(hanji_simeck64_128_avx2_ctr_x16, 1, 2, simeck_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simeck64_128_avx2_encrypt_x8, 1, 1, simeck_encrypt_w32, 44)
HANJI_VECTOR_BLOCKS(hanji_simeck64_128_avx2_decrypt_x8, 1, 1, simeck_decrypt_w32, 44)
HANJI_VECTOR_CTR(hanji_simeck64_128_avx2_ctr_x8, 1, 1, simeck_encrypt_w32, 44)
HANJI_VECTOR_STREAMS(hanji_simeck64_128_avx2_streams_x8, simeck_encrypt_w32, simeck_schedule_w32, 4,
                     44, SIMECK_Z_simeck64_128)
HANJI_VECTOR_CHAINS(hanji_simeck64_128_avx2_chains_x8, simeck_encrypt_w32, simeck_schedule_w32, 4,
                    44, SIMECK_Z_simeck64_128)
HANJI_VECTOR_SHORT(hanji_simeck64_128_avx2_short_x64, simeck_encrypt_w32, 44)

#endif
