/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 48-bit words on NEON: one word of two blocks in a vector, 6, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simon96_96.encrypt, simon96_96.decrypt, simon96_96.ctr, simon96_144.encrypt,
            simon96_144.decrypt, simon96_144.ctr]
     isa: neon
*/
/* And key streams: 48 bytes each of 2 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [simon96_96.streams, simon96_144.streams]
     isa: neon
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 2
#define WORD_BITS 48
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "simon/simon.h"
#include "simon/simon_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_simon96_96_neon_encrypt_x12, 1, 6, simon_encrypt_w48, 52)
HANJI_VECTOR_BLOCKS(hanji_simon96_96_neon_decrypt_x12, 1, 6, simon_decrypt_w48, 52)
HANJI_VECTOR_CTR(hanji_simon96_96_neon_ctr_x12, 1, 6, simon_encrypt_w48, 52)
HANJI_VECTOR_BLOCKS(hanji_simon96_96_neon_encrypt_x4, 1, 2, simon_encrypt_w48, 52)
HANJI_VECTOR_BLOCKS(hanji_simon96_96_neon_decrypt_x4, 1, 2, simon_decrypt_w48, 52)
HANJI_VECTOR_CTR(hanji_simon96_96_neon_ctr_x4, 1, 2, simon_encrypt_w48, 52)
HANJI_VECTOR_BLOCKS(hanji_simon96_96_neon_encrypt_x2, 1, 1, simon_encrypt_w48, 52)
HANJI_VECTOR_BLOCKS(hanji_simon96_96_neon_decrypt_x2, 1, 1, simon_decrypt_w48, 52)
HANJI_VECTOR_CTR(hanji_simon96_96_neon_ctr_x2, 1, 1, simon_encrypt_w48, 52)
HANJI_VECTOR_BLOCKS(hanji_simon96_144_neon_encrypt_x12, 1, 6, simon_encrypt_w48, 54)
HANJI_VECTOR_BLOCKS(hanji_simon96_144_neon_decrypt_x12, 1, 6, simon_decrypt_w48, 54)
HANJI_VECTOR_CTR(hanji_simon96_144_neon_ctr_x12, 1, 6, simon_encrypt_w48, 54)
HANJI_VECTOR_BLOCKS(hanji_simon96_144_neon_encrypt_x4, 1, 2, simon_encrypt_w48, 54)
HANJI_VECTOR_BLOCKS(hanji_simon96_144_neon_decrypt_x4, 1, 2, simon_decrypt_w48, 54)
HANJI_VECTOR_CTR(hanji_simon96_144_neon_ctr_x4, 1, 2, simon_encrypt_w48, 54)
HANJI_VECTOR_BLOCKS(hanji_simon96_144_neon_encrypt_x2, 1, 1, simon_encrypt_w48, 54)
HANJI_VECTOR_BLOCKS(hanji_simon96_144_neon_decrypt_x2, 1, 1, simon_decrypt_w48, 54)
HANJI_VECTOR_CTR(hanji_simon96_144_neon_ctr_x2, 1, 1, simon_encrypt_w48, 54)
HANJI_VECTOR_STREAMS(hanji_simon96_96_neon_streams_x2, simon_encrypt_w48, simon_schedule_w48, 2, 52,
                     SIMON_Z_simon96_96)
HANJI_VECTOR_STREAMS(hanji_simon96_144_neon_streams_x2, simon_encrypt_w48, simon_schedule_w48, 3,
                     54, SIMON_Z_simon96_144)

#endif
