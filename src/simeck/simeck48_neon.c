/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMECK with 24-bit words on NEON: one word of four blocks in a vector, 6, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simeck48_96.encrypt, simeck48_96.decrypt, simeck48_96.ctr]
     isa: neon
*/
/* And key streams: 48 bytes each of 4 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [simeck48_96.streams]
     isa: neon
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 2
#define WORD_BITS 24
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "simeck/simeck.h"
#include "simeck/simeck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_simeck48_96_neon_encrypt_x24, 1, 6, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_neon_decrypt_x24, 1, 6, simeck_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simeck48_96_neon_ctr_x24, 1, 6, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_neon_encrypt_x8, 1, 2, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_neon_decrypt_x8, 1, 2, simeck_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simeck48_96_neon_ctr_x8, 1, 2, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_neon_encrypt_x4, 1, 1, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_neon_decrypt_x4, 1, 1, simeck_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simeck48_96_neon_ctr_x4, 1, 1, simeck_encrypt_w24, 36)
HANJI_VECTOR_STREAMS(hanji_simeck48_96_neon_streams_x4, simeck_encrypt_w24, simeck_schedule_w24, 4,
                     36, SIMECK_Z_simeck48_96)

#endif
