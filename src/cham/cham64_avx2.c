/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHAM with 16-bit words on AVX2: one word of sixteen blocks in a vector, 6, 4, 2 or 1 vector of
 * every word at a time, but 12 to decrypt, which is one chain of rounds that wait for each other:
 * there the words that have time lie in memory.
 * void hanji_CIPHER_avx2_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [cham64_128.encrypt, cham64_128.decrypt, cham64_128.ctr, cham64_128_original.encrypt, cham64_128_original.decrypt, cham64_128_original.ctr]
     isa: avx2
     blocks: [192, 64, 32, 16]
     args: { out: {buffer: out, bytes: 8 * blocks * groups, access: w}, in: {buffer: in, bytes: 8 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 8, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 64 bytes each of 16 messages that have keys of their own.
 * void hanji_CIPHER_avx2_streams_x16(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [cham64_128.streams, cham64_128_original.streams]
     isa: avx2
     blocks: [16]
     args: { s: {buffer: streams, bytes: keys and counters in and key stream out of 16 lanes, access: rw}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: streams
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 4
#define WORD_BITS 16
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "cham/cham.h"
#include "cham/cham_rounds.h"

HANJI_VECTOR_KERNELS_APART(cham64_128, avx2, 16, 6, 2, 192, cham_encrypt_k16_w16,
                           cham_decrypt_k16_w16, 88)
HANJI_VECTOR_KERNELS(cham64_128, avx2, 16, 4, 64, cham_encrypt_k16_w16, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_KERNELS(cham64_128, avx2, 16, 2, 32, cham_encrypt_k16_w16, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_KERNELS(cham64_128, avx2, 16, 1, 16, cham_encrypt_k16_w16, cham_decrypt_k16_w16, 88)
HANJI_VECTOR_KERNELS_APART(cham64_128_original, avx2, 16, 6, 2, 192, cham_encrypt_k16_w16,
                           cham_decrypt_k16_w16, 80)
HANJI_VECTOR_KERNELS(cham64_128_original, avx2, 16, 4, 64, cham_encrypt_k16_w16,
                     cham_decrypt_k16_w16, 80)
HANJI_VECTOR_KERNELS(cham64_128_original, avx2, 16, 2, 32, cham_encrypt_k16_w16,
                     cham_decrypt_k16_w16, 80)
HANJI_VECTOR_KERNELS(cham64_128_original, avx2, 16, 1, 16, cham_encrypt_k16_w16,
                     cham_decrypt_k16_w16, 80)
HANJI_VECTOR_STREAMS(cham64_128, avx2, 16, 16, cham_encrypt_k16_w16, cham_schedule_w16, 8, 88, 0)
HANJI_VECTOR_STREAMS(cham64_128_original, avx2, 16, 16, cham_encrypt_k16_w16, cham_schedule_w16, 8,
                     80, 0)

#endif
