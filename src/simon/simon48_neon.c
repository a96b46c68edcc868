/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 24-bit words on NEON: one word of four blocks in a vector, 6, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simon48_72.encrypt, simon48_72.decrypt, simon48_72.ctr, simon48_96.encrypt,
            simon48_96.decrypt, simon48_96.ctr]
     isa: neon
*/
/* And key streams: 48 bytes each of 4 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [simon48_72.streams, simon48_96.streams]
     isa: neon
*/
#include "support/cpu.h"

#ifdef HANJI_A64
#define VECTOR_BYTES 16
#define WORDS 2
#define WORD_BITS 24
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "simon/simon.h"
#include "simon/simon_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_simon48_72_neon_encrypt_x24, 1, 6, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_72_neon_decrypt_x24, 1, 6, simon_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simon48_72_neon_ctr_x24, 1, 6, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_72_neon_encrypt_x8, 1, 2, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_72_neon_decrypt_x8, 1, 2, simon_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simon48_72_neon_ctr_x8, 1, 2, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_72_neon_encrypt_x4, 1, 1, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_72_neon_decrypt_x4, 1, 1, simon_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simon48_72_neon_ctr_x4, 1, 1, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_96_neon_encrypt_x24, 1, 6, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_96_neon_decrypt_x24, 1, 6, simon_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simon48_96_neon_ctr_x24, 1, 6, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_96_neon_encrypt_x8, 1, 2, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_96_neon_decrypt_x8, 1, 2, simon_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simon48_96_neon_ctr_x8, 1, 2, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_96_neon_encrypt_x4, 1, 1, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_96_neon_decrypt_x4, 1, 1, simon_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simon48_96_neon_ctr_x4, 1, 1, simon_encrypt_w24, 36)
HANJI_VECTOR_STREAMS(hanji_simon48_72_neon_streams_x4, simon_encrypt_w24, simon_schedule_w24, 3, 36,
                     SIMON_Z_simon48_72)
HANJI_VECTOR_STREAMS(hanji_simon48_96_neon_streams_x4, simon_encrypt_w24, simon_schedule_w24, 4, 36,
                     SIMON_Z_simon48_96)

#endif
