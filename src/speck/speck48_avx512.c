/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 24-bit words on AVX-512: one word of sixteen blocks in a vector, 12, 8, 4 or 1 vector
 * of every word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [speck48_72.encrypt, speck48_72.decrypt, speck48_72.ctr, speck48_96.encrypt,
            speck48_96.decrypt, speck48_96.ctr]
     isa: avx512
*/
/* And CTR over messages of one length with keys of their own, 16 at a time. */
/* kernel:
     like: speck64_avx512 uniform
     spec: [speck48_72.uniform, speck48_96.uniform]
     isa: avx512
*/
/* And over messages of any lengths, wherever they lie. */
/* kernel:
     like: speck64_avx512 ragged
     spec: [speck48_72.ragged, speck48_96.ragged]
     isa: avx512
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 2
#define WORD_BITS 24
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_speck48_72_avx512_encrypt_x192, 1, 12, speck_encrypt_w24, 22)
HANJI_VECTOR_BLOCKS(hanji_speck48_72_avx512_decrypt_x192, 1, 12, speck_decrypt_w24, 22)
HANJI_VECTOR_CTR(hanji_speck48_72_avx512_ctr_x192, 1, 12, speck_encrypt_w24, 22)
HANJI_VECTOR_BLOCKS(hanji_speck48_72_avx512_encrypt_x128, 1, 8, speck_encrypt_w24, 22)
HANJI_VECTOR_BLOCKS(hanji_speck48_72_avx512_decrypt_x128, 1, 8, speck_decrypt_w24, 22)
HANJI_VECTOR_CTR(hanji_speck48_72_avx512_ctr_x128, 1, 8, speck_encrypt_w24, 22)
HANJI_VECTOR_BLOCKS(hanji_speck48_72_avx512_encrypt_x64, 1, 4, speck_encrypt_w24, 22)
HANJI_VECTOR_BLOCKS(hanji_speck48_72_avx512_decrypt_x64, 1, 4, speck_decrypt_w24, 22)
HANJI_VECTOR_CTR(hanji_speck48_72_avx512_ctr_x64, 1, 4, speck_encrypt_w24, 22)
HANJI_VECTOR_BLOCKS(hanji_speck48_72_avx512_encrypt_x16, 1, 1, speck_encrypt_w24, 22)
HANJI_VECTOR_BLOCKS(hanji_speck48_72_avx512_decrypt_x16, 1, 1, speck_decrypt_w24, 22)
HANJI_VECTOR_CTR(hanji_speck48_72_avx512_ctr_x16, 1, 1, speck_encrypt_w24, 22)
HANJI_VECTOR_BLOCKS(hanji_speck48_96_avx512_encrypt_x192, 1, 12, speck_encrypt_w24, 23)
HANJI_VECTOR_BLOCKS(hanji_speck48_96_avx512_decrypt_x192, 1, 12, speck_decrypt_w24, 23)
HANJI_VECTOR_CTR(hanji_speck48_96_avx512_ctr_x192, 1, 12, speck_encrypt_w24, 23)
HANJI_VECTOR_BLOCKS(hanji_speck48_96_avx512_encrypt_x128, 1, 8, speck_encrypt_w24, 23)
HANJI_VECTOR_BLOCKS(hanji_speck48_96_avx512_decrypt_x128, 1, 8, speck_decrypt_w24, 23)
HANJI_VECTOR_CTR(hanji_speck48_96_avx512_ctr_x128, 1, 8, speck_encrypt_w24, 23)
HANJI_VECTOR_BLOCKS(hanji_speck48_96_avx512_encrypt_x64, 1, 4, speck_encrypt_w24, 23)
HANJI_VECTOR_BLOCKS(hanji_speck48_96_avx512_decrypt_x64, 1, 4, speck_decrypt_w24, 23)
HANJI_VECTOR_CTR(hanji_speck48_96_avx512_ctr_x64, 1, 4, speck_encrypt_w24, 23)
HANJI_VECTOR_BLOCKS(hanji_speck48_96_avx512_encrypt_x16, 1, 1, speck_encrypt_w24, 23)
HANJI_VECTOR_BLOCKS(hanji_speck48_96_avx512_decrypt_x16, 1, 1, speck_decrypt_w24, 23)
HANJI_VECTOR_CTR(hanji_speck48_96_avx512_ctr_x16, 1, 1, speck_encrypt_w24, 23)
HANJI_VECTOR_UNIFORM(hanji_speck48_72_avx512_uniform_x16, 16, speck_encrypt_w24, speck_schedule_w24,
                     3, 22, 0)
HANJI_VECTOR_RAGGED(hanji_speck48_72_avx512_ragged_x16, speck_encrypt_w24, speck_schedule_w24, 3,
                    22, 0)
HANJI_VECTOR_UNIFORM(hanji_speck48_96_avx512_uniform_x16, 16, speck_encrypt_w24, speck_schedule_w24,
                     4, 23, 0)
HANJI_VECTOR_RAGGED(hanji_speck48_96_avx512_ragged_x16, speck_encrypt_w24, speck_schedule_w24, 4,
                    23, 0)

#endif
