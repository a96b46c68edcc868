/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 16-bit words on AVX2: one word of sixteen blocks in a vector, 5, 2 or 1 vector of
 * every word at a time. Groups of 256 and of 128 blocks are bit slices.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simon32_64.encrypt, simon32_64.decrypt, simon32_64.ctr]
     isa: avx2
*/
/* And key streams: 64 bytes each of 16 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [simon32_64.streams]
     isa: avx2
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 2
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "lanes/octets.h"
#include "simon/simon.h"
#include "simon/simon_octets.h"
#include "simon/simon_rounds.h"
#include "simon/simon_slices.h"

HANJI_SLICED_BLOCKS(hanji_simon32_64_avx2_encrypt_x256, simon_slices_w16, simon_slices_once_w16, 32,
                    0)
HANJI_SLICED_BLOCKS(hanji_simon32_64_avx2_decrypt_x256, simon_slices_w16, simon_slices_once_w16, 32,
                    1)
HANJI_SLICED_CTR(hanji_simon32_64_avx2_ctr_x256, simon_slices_w16, simon_slices_once_w16, 32)
HANJI_OCTET_FEISTEL(simon, 16)
HANJI_OCTET_BLOCKS(hanji_simon32_64_avx2_encrypt_x128, simon_encrypt_octets_w16, 32)
HANJI_OCTET_BLOCKS(hanji_simon32_64_avx2_decrypt_x128, simon_decrypt_octets_w16, 32)
HANJI_OCTET_CTR(hanji_simon32_64_avx2_ctr_x128, simon_encrypt_octets_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_avx2_encrypt_x80, 1, 5, simon_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_avx2_decrypt_x80, 1, 5, simon_decrypt_w16, 32)
HANJI_VECTOR_CTR(hanji_simon32_64_avx2_ctr_x80, 1, 5, simon_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_avx2_encrypt_x32, 1, 2, simon_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_avx2_decrypt_x32, 1, 2, simon_decrypt_w16, 32)
HANJI_VECTOR_CTR(hanji_simon32_64_avx2_ctr_x32, 1, 2, simon_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_avx2_encrypt_x16, 1, 1, simon_encrypt_w16, 32)
HANJI_VECTOR_BLOCKS(hanji_simon32_64_avx2_decrypt_x16, 1, 1, simon_decrypt_w16, 32)
HANJI_VECTOR_CTR(hanji_simon32_64_avx2_ctr_x16, 1, 1, simon_encrypt_w16, 32)
HANJI_VECTOR_STREAMS(hanji_simon32_64_avx2_streams_x16, simon_encrypt_w16, simon_schedule_w16, 4,
                     32, SIMON_Z_simon32_64)

#endif
