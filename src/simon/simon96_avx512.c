/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMON with 48-bit words on AVX-512: one word of eight blocks in a vector, 12, 8, 4 or 1 vector of
 * every word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simon96_96.encrypt, simon96_96.decrypt, simon96_96.ctr, simon96_144.encrypt,
            simon96_144.decrypt, simon96_144.ctr]
     isa: avx512
*/
/* And CTR over messages of one length with keys of their own, 8 at a time. */
/* kernel:
     like: speck64_avx512 uniform
     spec: [simon96_96.uniform, simon96_144.uniform]
     isa: avx512
*/
/* And over messages of any lengths, wherever they lie. */
/* kernel:
     like: speck64_avx512 ragged
     spec: [simon96_96.ragged, simon96_144.ragged]
     isa: avx512
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 2
#define WORD_BITS 48
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "simon/simon.h"
#include "simon/simon_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_simon96_96_avx512_encrypt_x96, 1, 12, simon_encrypt_w48, 52)
HANJI_VECTOR_BLOCKS(hanji_simon96_96_avx512_decrypt_x96, 1, 12, simon_decrypt_w48, 52)
HANJI_VECTOR_CTR(hanji_simon96_96_avx512_ctr_x96, 1, 12, simon_encrypt_w48, 52)
HANJI_VECTOR_BLOCKS(hanji_simon96_96_avx512_encrypt_x64, 1, 8, simon_encrypt_w48, 52)
HANJI_VECTOR_BLOCKS(hanji_simon96_96_avx512_decrypt_x64, 1, 8, simon_decrypt_w48, 52)
HANJI_VECTOR_CTR(hanji_simon96_96_avx512_ctr_x64, 1, 8, simon_encrypt_w48, 52)
HANJI_VECTOR_BLOCKS(hanji_simon96_96_avx512_encrypt_x32, 1, 4, simon_encrypt_w48, 52)
HANJI_VECTOR_BLOCKS(hanji_simon96_96_avx512_decrypt_x32, 1, 4, simon_decrypt_w48, 52)
HANJI_VECTOR_CTR(hanji_simon96_96_avx512_ctr_x32, 1, 4, simon_encrypt_w48, 52)
HANJI_VECTOR_BLOCKS(hanji_simon96_96_avx512_encrypt_x8, 1, 1, simon_encrypt_w48, 52)
HANJI_VECTOR_BLOCKS(hanji_simon96_96_avx512_decrypt_x8, 1, 1, simon_decrypt_w48, 52)
HANJI_VECTOR_CTR(hanji_simon96_96_avx512_ctr_x8, 1, 1, simon_encrypt_w48, 52)
HANJI_VECTOR_BLOCKS(hanji_simon96_144_avx512_encrypt_x96, 1, 12, simon_encrypt_w48, 54)
HANJI_VECTOR_BLOCKS(hanji_simon96_144_avx512_decrypt_x96, 1, 12, simon_decrypt_w48, 54)
HANJI_VECTOR_CTR(hanji_simon96_144_avx512_ctr_x96, 1, 12, simon_encrypt_w48, 54)
HANJI_VECTOR_BLOCKS(hanji_simon96_144_avx512_encrypt_x64, 1, 8, simon_encrypt_w48, 54)
HANJI_VECTOR_BLOCKS(hanji_simon96_144_avx512_decrypt_x64, 1, 8, simon_decrypt_w48, 54)
HANJI_VECTOR_CTR(hanji_simon96_144_avx512_ctr_x64, 1, 8, simon_encrypt_w48, 54)
HANJI_VECTOR_BLOCKS(hanji_simon96_144_avx512_encrypt_x32, 1, 4, simon_encrypt_w48, 54)
HANJI_VECTOR_BLOCKS(hanji_simon96_144_avx512_decrypt_x32, 1, 4, simon_decrypt_w48, 54)
HANJI_VECTOR_CTR(hanji_simon96_144_avx512_ctr_x32, 1, 4, simon_encrypt_w48, 54)
HANJI_VECTOR_BLOCKS(hanji_simon96_144_avx512_encrypt_x8, 1, 1, simon_encrypt_w48, 54)
HANJI_VECTOR_BLOCKS(hanji_simon96_144_avx512_decrypt_x8, 1, 1, simon_decrypt_w48, 54)
HANJI_VECTOR_CTR(hanji_simon96_144_avx512_ctr_x8, 1, 1, simon_encrypt_w48, 54)
HANJI_VECTOR_UNIFORM(hanji_simon96_96_avx512_uniform_x8, 8, simon_encrypt_w48, simon_schedule_w48,
                     2, 52, SIMON_Z_simon96_96)
HANJI_VECTOR_RAGGED(hanji_simon96_96_avx512_ragged_x8, simon_encrypt_w48, simon_schedule_w48, 2, 52,
                    SIMON_Z_simon96_96)
HANJI_VECTOR_UNIFORM(hanji_simon96_144_avx512_uniform_x8, 8, simon_encrypt_w48, simon_schedule_w48,
                     3, 54, SIMON_Z_simon96_144)
HANJI_VECTOR_RAGGED(hanji_simon96_144_avx512_ragged_x8, simon_encrypt_w48, simon_schedule_w48, 3,
                    54, SIMON_Z_simon96_144)

#endif
