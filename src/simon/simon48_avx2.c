/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 24-bit words on AVX2: one word of eight blocks in a vector, 5, 2 or 1 vector of every
 * word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simon48_72.encrypt, simon48_72.decrypt, simon48_72.ctr, simon48_96.encrypt,
            simon48_96.decrypt, simon48_96.ctr]
     isa: avx2
*/
/* And key streams: 48 bytes each of 8 messages with keys of their own. */
/* kernel:
     like: speck64_avx2 streams
     spec: [simon48_72.streams, simon48_96.streams]
     isa: avx2
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 2
#define WORD_BITS 24
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "simon/simon.h"
#include "simon/simon_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_simon48_72_avx2_encrypt_x40, 1, 5, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_72_avx2_decrypt_x40, 1, 5, simon_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simon48_72_avx2_ctr_x40, 1, 5, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_72_avx2_encrypt_x16, 1, 2, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_72_avx2_decrypt_x16, 1, 2, simon_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simon48_72_avx2_ctr_x16, 1, 2, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_72_avx2_encrypt_x8, 1, 1, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_72_avx2_decrypt_x8, 1, 1, simon_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simon48_72_avx2_ctr_x8, 1, 1, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_96_avx2_encrypt_x40, 1, 5, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_96_avx2_decrypt_x40, 1, 5, simon_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simon48_96_avx2_ctr_x40, 1, 5, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_96_avx2_encrypt_x16, 1, 2, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_96_avx2_decrypt_x16, 1, 2, simon_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simon48_96_avx2_ctr_x16, 1, 2, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_96_avx2_encrypt_x8, 1, 1, simon_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simon48_96_avx2_decrypt_x8, 1, 1, simon_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simon48_96_avx2_ctr_x8, 1, 1, simon_encrypt_w24, 36)
HANJI_VECTOR_STREAMS(hanji_simon48_72_avx2_streams_x8, simon_encrypt_w24, simon_schedule_w24, 3, 36,
                     SIMON_Z_simon48_72)
HANJI_VECTOR_STREAMS(hanji_simon48_96_avx2_streams_x8, simon_encrypt_w24, simon_schedule_w24, 4, 36,
                     SIMON_Z_simon48_96)

#endif
