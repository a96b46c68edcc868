/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CHAM with 32-bit words on AVX2: one word of eight blocks in a vector, 6, 4, 2 or 1 vector of
 * every word at a time, but 12 to decrypt, which is one chain of rounds that wait for each other:
 * there the words that have time lie in memory.
 * void hanji_CIPHER_avx2_OPERATION_xBLOCKS(uint8_t *out, const uint8_t *in, size_t groups, [uint8_t *counter,] const void *keys)
 */
/* kernel:
     spec: [cham128_128.encrypt, cham128_128.decrypt, cham128_128.ctr, cham128_128_original.encrypt, cham128_128_original.decrypt, cham128_128_original.ctr, cham128_256.encrypt, cham128_256.decrypt, cham128_256.ctr, cham128_256_original.encrypt, cham128_256_original.decrypt, cham128_256_original.ctr]
     isa: avx2
     blocks: [96, 32, 16, 8]
     args: { out: {buffer: out, bytes: 16 * blocks * groups, access: w}, in: {buffer: in, bytes: 16 * blocks * groups, access: r},
             counter: {buffer: counter, bytes: 16, access: rw}, keys: {buffer: rk, bytes: round keys in canonical layout, access: r} }
     aliasing: out == in allowed
     stack: compiler
     secrets: in, counter, rk
*/
/*
 * And key streams: 64 bytes each of 8 messages that have keys of their own.
 * void hanji_CIPHER_avx2_streams_x8(hanji_streams *s, uint32_t flags)
 */
/* kernel:
     spec: [cham128_128.streams, cham128_128_original.streams, cham128_256.streams, cham128_256_original.streams]
     isa: avx2
     blocks: [8]
     args: { s: {buffer: streams, bytes: keys and counters in and key stream out of 8 lanes, access: rw}, flags: {value: flags} }
     aliasing: none
     stack: compiler
     secrets: streams
*/
#include "support/cpu.h"

#ifdef HANJI_X86
#define VECTOR_BYTES 32
#define WORDS 4
#define WORD_BITS 32
#include "lanes/vector.h" /* first: the rounds stand on its words */

#include "cham/cham.h"
#include "cham/cham_rounds.h"

HANJI_VECTOR_KERNELS_APART(cham128_128, avx2, 32, 6, 2, 96, cham_encrypt_k8_w32,
                           cham_decrypt_k8_w32, 112)
HANJI_VECTOR_KERNELS(cham128_128, avx2, 32, 4, 32, cham_encrypt_k8_w32, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_KERNELS(cham128_128, avx2, 32, 2, 16, cham_encrypt_k8_w32, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_KERNELS(cham128_128, avx2, 32, 1, 8, cham_encrypt_k8_w32, cham_decrypt_k8_w32, 112)
HANJI_VECTOR_KERNELS_APART(cham128_128_original, avx2, 32, 6, 2, 96, cham_encrypt_k8_w32,
                           cham_decrypt_k8_w32, 80)
HANJI_VECTOR_KERNELS(cham128_128_original, avx2, 32, 4, 32, cham_encrypt_k8_w32,
                     cham_decrypt_k8_w32, 80)
HANJI_VECTOR_KERNELS(cham128_128_original, avx2, 32, 2, 16, cham_encrypt_k8_w32,
                     cham_decrypt_k8_w32, 80)
HANJI_VECTOR_KERNELS(cham128_128_original, avx2, 32, 1, 8, cham_encrypt_k8_w32, cham_decrypt_k8_w32,
                     80)
HANJI_VECTOR_KERNELS_APART(cham128_256, avx2, 32, 6, 2, 96, cham_encrypt_k16_w32,
                           cham_decrypt_k16_w32, 120)
HANJI_VECTOR_KERNELS(cham128_256, avx2, 32, 4, 32, cham_encrypt_k16_w32, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_KERNELS(cham128_256, avx2, 32, 2, 16, cham_encrypt_k16_w32, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_KERNELS(cham128_256, avx2, 32, 1, 8, cham_encrypt_k16_w32, cham_decrypt_k16_w32, 120)
HANJI_VECTOR_KERNELS_APART(cham128_256_original, avx2, 32, 6, 2, 96, cham_encrypt_k16_w32,
                           cham_decrypt_k16_w32, 96)
HANJI_VECTOR_KERNELS(cham128_256_original, avx2, 32, 4, 32, cham_encrypt_k16_w32,
                     cham_decrypt_k16_w32, 96)
HANJI_VECTOR_KERNELS(cham128_256_original, avx2, 32, 2, 16, cham_encrypt_k16_w32,
                     cham_decrypt_k16_w32, 96)
HANJI_VECTOR_KERNELS(cham128_256_original, avx2, 32, 1, 8, cham_encrypt_k16_w32,
                     cham_decrypt_k16_w32, 96)
HANJI_VECTOR_STREAMS(cham128_128, avx2, 32, 8, cham_encrypt_k8_w32, cham_schedule_w32, 4, 112, 0)
HANJI_VECTOR_STREAMS(cham128_128_original, avx2, 32, 8, cham_encrypt_k8_w32, cham_schedule_w32, 4,
                     80, 0)
HANJI_VECTOR_STREAMS(cham128_256, avx2, 32, 8, cham_encrypt_k16_w32, cham_schedule_w32, 8, 120, 0)
HANJI_VECTOR_STREAMS(cham128_256_original, avx2, 32, 8, cham_encrypt_k16_w32, cham_schedule_w32, 8,
                     96, 0)

#endif
