/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 64-bit words on AVX2: one word of four blocks in a vector, 5, 2 or 1 vector of every
 * word at a time. Groups of 256 and of 32 blocks are bit slices.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simon128_128.encrypt, simon128_128.decrypt, simon128_128.ctr, simon128_192.encrypt,
            simon128_192.decrypt, simon128_192.ctr, simon128_256.encrypt, simon128_256.decrypt,
            simon128_256.ctr]
     isa: avx2
*/
/* And key streams: 64 bytes each of 4 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [simon128_128.streams, simon128_192.streams, simon128_256.streams]
     isa: avx2
*/
/* And chains of blocks: of 4 messages with keys of their own in each of two vectors. */
/* kernel:
     like: speck64_avx2 chains
     spec: [simon128_128.chains, simon128_192.chains, simon128_256.chains]
     isa: avx2
*/
/* And CTR over texts of up to 512 bytes. */
/* kernel:
     like: speck64_avx2 short
     spec: [simon128_128.short, simon128_192.short, simon128_256.short]
     isa: avx2
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 2
#define WORD_BITS 64
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/octets.h"
#include "lanes/vector_short.h"
#include "simon/simon.h"
#include "simon/simon_octets.h"
#include "simon/simon_rounds.h"
#include "simon/simon_slices.h"

HANJI_SLICED_BLOCKS(hanji_simon128_128_avx2_encrypt_x256, simon_slices_w64, simon_slices_once_w64,
                    68, 0)
HANJI_SLICED_BLOCKS(hanji_simon128_128_avx2_decrypt_x256, simon_slices_w64, simon_slices_once_w64,
                    68, 1)
HANJI_SLICED_CTR(hanji_simon128_128_avx2_ctr_x256, simon_slices_w64, simon_slices_once_w64, 68)
HANJI_SLICED_BLOCKS(hanji_simon128_192_avx2_encrypt_x256, simon_slices_w64, simon_slices_once_w64,
                    69, 0)
HANJI_SLICED_BLOCKS(hanji_simon128_192_avx2_decrypt_x256, simon_slices_w64, simon_slices_once_w64,
                    69, 1)
HANJI_SLICED_CTR(hanji_simon128_192_avx2_ctr_x256, simon_slices_w64, simon_slices_once_w64, 69)
HANJI_SLICED_BLOCKS(hanji_simon128_256_avx2_encrypt_x256, simon_slices_w64, simon_slices_once_w64,
                    72, 0)
HANJI_SLICED_BLOCKS(hanji_simon128_256_avx2_decrypt_x256, simon_slices_w64, simon_slices_once_w64,
                    72, 1)
HANJI_SLICED_CTR(hanji_simon128_256_avx2_ctr_x256, simon_slices_w64, simon_slices_once_w64, 72)
HANJI_OCTET_FEISTEL(simon, 64)
HANJI_OCTET_BLOCKS(hanji_simon128_128_avx2_encrypt_x32, simon_encrypt_octets_w64, 68)
HANJI_OCTET_BLOCKS(hanji_simon128_128_avx2_decrypt_x32, simon_decrypt_octets_w64, 68)
HANJI_OCTET_CTR(hanji_simon128_128_avx2_ctr_x32, simon_encrypt_octets_w64, 68)
HANJI_OCTET_BLOCKS(hanji_simon128_192_avx2_encrypt_x32, simon_encrypt_octets_w64, 69)
HANJI_OCTET_BLOCKS(hanji_simon128_192_avx2_decrypt_x32, simon_decrypt_octets_w64, 69)
HANJI_OCTET_CTR(hanji_simon128_192_avx2_ctr_x32, simon_encrypt_octets_w64, 69)
HANJI_OCTET_BLOCKS(hanji_simon128_256_avx2_encrypt_x32, simon_encrypt_octets_w64, 72)
HANJI_OCTET_BLOCKS(hanji_simon128_256_avx2_decrypt_x32, simon_decrypt_octets_w64, 72)
HANJI_OCTET_CTR(hanji_simon128_256_avx2_ctr_x32, simon_encrypt_octets_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_avx2_encrypt_x20, 1, 5, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_avx2_decrypt_x20, 1, 5, simon_decrypt_w64, 68)
HANJI_VECTOR_CTR(hanji_simon128_128_avx2_ctr_x20, 1, 5, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_avx2_encrypt_x8, 1, 2, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_avx2_decrypt_x8, 1, 2, simon_decrypt_w64, 68)
HANJI_VECTOR_CTR(hanji_simon128_128_avx2_ctr_x8, 1, 2, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_avx2_encrypt_x4, 1, 1, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_128_avx2_decrypt_x4, 1, 1, simon_decrypt_w64, 68)
HANJI_VECTOR_CTR(hanji_simon128_128_avx2_ctr_x4, 1, 1, simon_encrypt_w64, 68)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_avx2_encrypt_x20, 1, 5, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_avx2_decrypt_x20, 1, 5, simon_decrypt_w64, 69)
HANJI_VECTOR_CTR(hanji_simon128_192_avx2_ctr_x20, 1, 5, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_avx2_encrypt_x8, 1, 2, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_avx2_decrypt_x8, 1, 2, simon_decrypt_w64, 69)
HANJI_VECTOR_CTR(hanji_simon128_192_avx2_ctr_x8, 1, 2, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_avx2_encrypt_x4, 1, 1, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_192_avx2_decrypt_x4, 1, 1, simon_decrypt_w64, 69)
HANJI_VECTOR_CTR(hanji_simon128_192_avx2_ctr_x4, 1, 1, simon_encrypt_w64, 69)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_avx2_encrypt_x20, 1, 5, simon_encrypt_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_avx2_decrypt_x20, 1, 5, simon_decrypt_w64, 72)
HANJI_VECTOR_CTR(hanji_simon128_256_avx2_ctr_x20, 1, 5, simon_encrypt_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_avx2_encrypt_x8, 1, 2, simon_encrypt_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_avx2_decrypt_x8, 1, 2, simon_decrypt_w64, 72)
HANJI_VECTOR_CTR(hanji_simon128_256_avx2_ctr_x8, 1, 2, simon_encrypt_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_avx2_encrypt_x4, 1, 1, simon_encrypt_w64, 72)
HANJI_VECTOR_BLOCKS(hanji_simon128_256_avx2_decrypt_x4, 1, 1, simon_decrypt_w64, 72)
HANJI_VECTOR_CTR(hanji_simon128_256_avx2_ctr_x4, 1, 1, simon_encrypt_w64, 72)
HANJI_VECTOR_STREAMS(hanji_simon128_128_avx2_streams_x4, simon_encrypt_w64, simon_schedule_w64, 2,
                     68, SIMON_Z_simon128_128)
HANJI_VECTOR_STREAMS(hanji_simon128_192_avx2_streams_x4, simon_encrypt_w64, simon_schedule_w64, 3,
                     69, SIMON_Z_simon128_192)
HANJI_VECTOR_STREAMS(hanji_simon128_256_avx2_streams_x4, simon_encrypt_w64, simon_schedule_w64, 4,
                     72, SIMON_Z_simon128_256)
HANJI_VECTOR_CHAINS(hanji_simon128_128_avx2_chains_x4, simon_encrypt_w64, simon_schedule_w64, 2, 68,
                    SIMON_Z_simon128_128)
HANJI_VECTOR_CHAINS(hanji_simon128_192_avx2_chains_x4, simon_encrypt_w64, simon_schedule_w64, 3, 69,
                    SIMON_Z_simon128_192)
HANJI_VECTOR_CHAINS(hanji_simon128_256_avx2_chains_x4, simon_encrypt_w64, simon_schedule_w64, 4, 72,
                    SIMON_Z_simon128_256)
HANJI_VECTOR_SHORT(hanji_simon128_128_avx2_short_x32, simon_encrypt_w64, 68)
HANJI_VECTOR_SHORT(hanji_simon128_192_avx2_short_x32, simon_encrypt_w64, 69)
HANJI_VECTOR_SHORT(hanji_simon128_256_avx2_short_x32, simon_encrypt_w64, 72)

#endif
