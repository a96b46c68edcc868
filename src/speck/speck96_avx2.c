/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 48-bit words on AVX2: one word of four blocks in a vector, 6, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [speck96_96.encrypt, speck96_96.decrypt, speck96_96.ctr, speck96_144.encrypt,
            speck96_144.decrypt, speck96_144.ctr]
     isa: avx2
*/
/* And key streams: 48 bytes each of 4 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [speck96_96.streams, speck96_144.streams]
     isa: avx2
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 2
#define WORD_BITS 48
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_speck96_96_avx2_encrypt_x24, 1, 6, speck_encrypt_w48, 28)
HANJI_VECTOR_BLOCKS(hanji_speck96_96_avx2_decrypt_x24, 1, 6, speck_decrypt_w48, 28)
HANJI_VECTOR_CTR(hanji_speck96_96_avx2_ctr_x24, 1, 6, speck_encrypt_w48, 28)
HANJI_VECTOR_BLOCKS(hanji_speck96_96_avx2_encrypt_x8, 1, 2, speck_encrypt_w48, 28)
HANJI_VECTOR_BLOCKS(hanji_speck96_96_avx2_decrypt_x8, 1, 2, speck_decrypt_w48, 28)
HANJI_VECTOR_CTR(hanji_speck96_96_avx2_ctr_x8, 1, 2, speck_encrypt_w48, 28)
HANJI_VECTOR_BLOCKS(hanji_speck96_96_avx2_encrypt_x4, 1, 1, speck_encrypt_w48, 28)
HANJI_VECTOR_BLOCKS(hanji_speck96_96_avx2_decrypt_x4, 1, 1, speck_decrypt_w48, 28)
HANJI_VECTOR_CTR(hanji_speck96_96_avx2_ctr_x4, 1, 1, speck_encrypt_w48, 28)
HANJI_VECTOR_BLOCKS(hanji_speck96_144_avx2_encrypt_x24, 1, 6, speck_encrypt_w48, 29)
HANJI_VECTOR_BLOCKS(hanji_speck96_144_avx2_decrypt_x24, 1, 6, speck_decrypt_w48, 29)
HANJI_VECTOR_CTR(hanji_speck96_144_avx2_ctr_x24, 1, 6, speck_encrypt_w48, 29)
HANJI_VECTOR_BLOCKS(hanji_speck96_144_avx2_encrypt_x8, 1, 2, speck_encrypt_w48, 29)
HANJI_VECTOR_BLOCKS(hanji_speck96_144_avx2_decrypt_x8, 1, 2, speck_decrypt_w48, 29)
HANJI_VECTOR_CTR(hanji_speck96_144_avx2_ctr_x8, 1, 2, speck_encrypt_w48, 29)
HANJI_VECTOR_BLOCKS(hanji_speck96_144_avx2_encrypt_x4, 1, 1, speck_encrypt_w48, 29)
HANJI_VECTOR_BLOCKS(hanji_speck96_144_avx2_decrypt_x4, 1, 1, speck_decrypt_w48, 29)
HANJI_VECTOR_CTR(hanji_speck96_144_avx2_ctr_x4, 1, 1, speck_encrypt_w48, 29)
HANJI_VECTOR_STREAMS(hanji_speck96_96_avx2_streams_x4, speck_encrypt_w48, speck_schedule_w48, 2, 28,
                     0)
HANJI_VECTOR_STREAMS(hanji_speck96_144_avx2_streams_x4, speck_encrypt_w48, speck_schedule_w48, 3,
                     29, 0)

#endif
