/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 24-bit words on NEON: one word of four blocks in a vector, 8, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [speck48_72.encrypt, speck48_72.decrypt, speck48_72.ctr, speck48_96.encrypt,
            speck48_96.decrypt, speck48_96.ctr]
     isa: neon
*/
/* And key streams: 48 bytes each of 4 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [speck48_72.streams, speck48_96.streams]
     isa: neon
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 2
#define WORD_BITS 24
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_speck48_72_neon_encrypt_x32, 1, 8, speck_encrypt_w24, 22)
HANJI_VECTOR_BLOCKS(hanji_speck48_72_neon_decrypt_x32, 1, 8, speck_decrypt_w24, 22)
HANJI_VECTOR_CTR(hanji_speck48_72_neon_ctr_x32, 1, 8, speck_encrypt_w24, 22)
HANJI_VECTOR_BLOCKS(hanji_speck48_72_neon_encrypt_x8, 1, 2, speck_encrypt_w24, 22)
HANJI_VECTOR_BLOCKS(hanji_speck48_72_neon_decrypt_x8, 1, 2, speck_decrypt_w24, 22)
HANJI_VECTOR_CTR(hanji_speck48_72_neon_ctr_x8, 1, 2, speck_encrypt_w24, 22)
HANJI_VECTOR_BLOCKS(hanji_speck48_72_neon_encrypt_x4, 1, 1, speck_encrypt_w24, 22)
HANJI_VECTOR_BLOCKS(hanji_speck48_72_neon_decrypt_x4, 1, 1, speck_decrypt_w24, 22)
HANJI_VECTOR_CTR(hanji_speck48_72_neon_ctr_x4, 1, 1, speck_encrypt_w24, 22)
HANJI_VECTOR_BLOCKS(hanji_speck48_96_neon_encrypt_x32, 1, 8, speck_encrypt_w24, 23)
HANJI_VECTOR_BLOCKS(hanji_speck48_96_neon_decrypt_x32, 1, 8, speck_decrypt_w24, 23)
HANJI_VECTOR_CTR(hanji_speck48_96_neon_ctr_x32, 1, 8, speck_encrypt_w24, 23)
HANJI_VECTOR_BLOCKS(hanji_speck48_96_neon_encrypt_x8, 1, 2, speck_encrypt_w24, 23)
HANJI_VECTOR_BLOCKS(hanji_speck48_96_neon_decrypt_x8, 1, 2, speck_decrypt_w24, 23)
HANJI_VECTOR_CTR(hanji_speck48_96_neon_ctr_x8, 1, 2, speck_encrypt_w24, 23)
HANJI_VECTOR_BLOCKS(hanji_speck48_96_neon_encrypt_x4, 1, 1, speck_encrypt_w24, 23)
HANJI_VECTOR_BLOCKS(hanji_speck48_96_neon_decrypt_x4, 1, 1, speck_decrypt_w24, 23)
HANJI_VECTOR_CTR(hanji_speck48_96_neon_ctr_x4, 1, 1, speck_encrypt_w24, 23)
HANJI_VECTOR_STREAMS(hanji_speck48_72_neon_streams_x4, speck_encrypt_w24, speck_schedule_w24, 3, 22,
                     0)
HANJI_VECTOR_STREAMS(hanji_speck48_96_neon_streams_x4, speck_encrypt_w24, speck_schedule_w24, 4, 23,
                     0)

#endif
