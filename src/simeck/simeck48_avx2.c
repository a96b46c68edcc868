/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMECK with 24-bit words on AVX2: one word of eight blocks in a vector, 5, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simeck48_96.encrypt, simeck48_96.decrypt, simeck48_96.ctr]
     isa: avx2
*/
/* And key streams: 48 bytes each of 8 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [simeck48_96.streams]
     isa: avx2
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 2
#define WORD_BITS 24
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "simeck/simeck.h"
#include "simeck/simeck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_simeck48_96_avx2_encrypt_x40, 1, 5, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_avx2_decrypt_x40, 1, 5, simeck_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simeck48_96_avx2_ctr_x40, 1, 5, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_avx2_encrypt_x16, 1, 2, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_avx2_decrypt_x16, 1, 2, simeck_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simeck48_96_avx2_ctr_x16, 1, 2, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_avx2_encrypt_x8, 1, 1, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_avx2_decrypt_x8, 1, 1, simeck_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simeck48_96_avx2_ctr_x8, 1, 1, simeck_encrypt_w24, 36)
HANJI_VECTOR_STREAMS(hanji_simeck48_96_avx2_streams_x8, simeck_encrypt_w24, simeck_schedule_w24, 4,
                     36, SIMECK_Z_simeck48_96)

#endif
