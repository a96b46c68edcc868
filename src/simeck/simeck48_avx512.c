/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIMECK with 24-bit words on AVX-512: one word of sixteen blocks in a vector, 12, 8, 4 or 1 vector
 * of every word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [simeck48_96.encrypt, simeck48_96.decrypt, simeck48_96.ctr]
     isa: avx512
*/
/* And CTR over messages of one length with keys of their own, 16 at a time. */
/* kernel:
     like: speck64_avx512 uniform
     spec: [simeck48_96.uniform]
     isa: avx512
*/
/* And over messages of any lengths, wherever they lie. */
/* kernel:
     like: speck64_avx512 ragged
     spec: [simeck48_96.ragged]
     isa: avx512
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 2
#define WORD_BITS 24
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "simeck/simeck.h"
#include "simeck/simeck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_simeck48_96_avx512_encrypt_x192, 1, 12, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_avx512_decrypt_x192, 1, 12, simeck_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simeck48_96_avx512_ctr_x192, 1, 12, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_avx512_encrypt_x128, 1, 8, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_avx512_decrypt_x128, 1, 8, simeck_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simeck48_96_avx512_ctr_x128, 1, 8, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_avx512_encrypt_x64, 1, 4, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_avx512_decrypt_x64, 1, 4, simeck_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simeck48_96_avx512_ctr_x64, 1, 4, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_avx512_encrypt_x16, 1, 1, simeck_encrypt_w24, 36)
HANJI_VECTOR_BLOCKS(hanji_simeck48_96_avx512_decrypt_x16, 1, 1, simeck_decrypt_w24, 36)
HANJI_VECTOR_CTR(hanji_simeck48_96_avx512_ctr_x16, 1, 1, simeck_encrypt_w24, 36)
HANJI_VECTOR_UNIFORM(hanji_simeck48_96_avx512_uniform_x16, 16, simeck_encrypt_w24,
                     simeck_schedule_w24, 4, 36, SIMECK_Z_simeck48_96)
HANJI_VECTOR_RAGGED(hanji_simeck48_96_avx512_ragged_x16, simeck_encrypt_w24, simeck_schedule_w24, 4,
                    36, SIMECK_Z_simeck48_96)

#endif
