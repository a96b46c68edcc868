/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SPECK with 48-bit words on AVX-512: one word of eight blocks in a vector, 12, 8, 4 or 1 vector of
 * every word at a time.
 */
/* kernel:
     like: speck64_avx2 ctr
     spec: [speck96_96.encrypt, speck96_96.decrypt, speck96_96.ctr, speck96_144.encrypt,
            speck96_144.decrypt, speck96_144.ctr]
     isa: avx512
*/
/* And CTR over messages of one length with keys of their own, 8 at a time. */
/* kernel:
     like: speck64_avx512 uniform
     spec: [speck96_96.uniform, speck96_144.uniform]
     isa: avx512
*/
/* And over messages of any lengths, wherever they lie. */
/* kernel:
     like: speck64_avx512 ragged
     spec: [speck96_96.ragged, speck96_144.ragged]
     isa: avx512
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 64
#define WORDS 2
#define WORD_BITS 48
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "speck/speck.h"
#include "speck/speck_rounds.h"

HANJI_VECTOR_BLOCKS(hanji_speck96_96_avx512_encrypt_x96, 1, 12, speck_encrypt_w48, 28)
HANJI_VECTOR_BLOCKS(hanji_speck96_96_avx512_decrypt_x96, 1, 12, speck_decrypt_w48, 28)
HANJI_VECTOR_CTR(hanji_speck96_96_avx512_ctr_x96, 1, 12, speck_encrypt_w48, 28)
HANJI_VECTOR_BLOCKS(hanji_speck96_96_avx512_encrypt_x64, 1, 8, speck_encrypt_w48, 28)
HANJI_VECTOR_BLOCKS(hanji_speck96_96_avx512_decrypt_x64, 1, 8, speck_decrypt_w48, 28)
HANJI_VECTOR_CTR(hanji_speck96_96_avx512_ctr_x64, 1, 8, speck_encrypt_w48, 28)
HANJI_VECTOR_BLOCKS(hanji_speck96_96_avx512_encrypt_x32, 1, 4, speck_encrypt_w48, 28)
HANJI_VECTOR_BLOCKS(hanji_speck96_96_avx512_decrypt_x32, 1, 4, speck_decrypt_w48, 28)
HANJI_VECTOR_CTR(hanji_speck96_96_avx512_ctr_x32, 1, 4, speck_encrypt_w48, 28)
HANJI_VECTOR_BLOCKS(hanji_speck96_96_avx512_encrypt_x8, 1, 1, speck_encrypt_w48, 28)
HANJI_VECTOR_BLOCKS(hanji_speck96_96_avx512_decrypt_x8, 1, 1, speck_decrypt_w48, 28)
HANJI_VECTOR_CTR(hanji_speck96_96_avx512_ctr_x8, 1, 1, speck_encrypt_w48, 28)
HANJI_VECTOR_BLOCKS(hanji_speck96_144_avx512_encrypt_x96, 1, 12, speck_encrypt_w48, 29)
HANJI_VECTOR_BLOCKS(hanji_speck96_144_avx512_decrypt_x96, 1, 12, speck_decrypt_w48, 29)
HANJI_VECTOR_CTR(hanji_speck96_144_avx512_ctr_x96, 1, 12, speck_encrypt_w48, 29)
HANJI_VECTOR_BLOCKS(hanji_speck96_144_avx512_encrypt_x64, 1, 8, speck_encrypt_w48, 29)
HANJI_VECTOR_BLOCKS(hanji_speck96_144_avx512_decrypt_x64, 1, 8, speck_decrypt_w48, 29)
HANJI_VECTOR_CTR(hanji_speck96_144_avx512_ctr_x64, 1, 8, speck_encrypt_w48, 29)
HANJI_VECTOR_BLOCKS(hanji_speck96_144_avx512_encrypt_x32, 1, 4, speck_encrypt_w48, 29)
HANJI_VECTOR_BLOCKS(hanji_speck96_144_avx512_decrypt_x32, 1, 4, speck_decrypt_w48, 29)
HANJI_VECTOR_CTR(hanji_speck96_144_avx512_ctr_x32, 1, 4, speck_encrypt_w48, 29)
HANJI_VECTOR_BLOCKS(hanji_speck96_144_avx512_encrypt_x8, 1, 1, speck_encrypt_w48, 29)
HANJI_VECTOR_BLOCKS(hanji_speck96_144_avx512_decrypt_x8, 1, 1, speck_decrypt_w48, 29)
HANJI_VECTOR_CTR(hanji_speck96_144_avx512_ctr_x8, 1, 1, speck_encrypt_w48, 29)
HANJI_VECTOR_UNIFORM(hanji_speck96_96_avx512_uniform_x8, 8, speck_encrypt_w48, speck_schedule_w48,
                     2, 28, 0)
HANJI_VECTOR_RAGGED(hanji_speck96_96_avx512_ragged_x8, speck_encrypt_w48, speck_schedule_w48, 2, 28,
                    0)
HANJI_VECTOR_UNIFORM(hanji_speck96_144_avx512_uniform_x8, 8, speck_encrypt_w48, speck_schedule_w48,
                     3, 29, 0)
HANJI_VECTOR_RAGGED(hanji_speck96_144_avx512_ragged_x8, speck_encrypt_w48, speck_schedule_w48, 3,
                    29, 0)

#endif
